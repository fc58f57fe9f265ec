//! Data sets as CSV: a header line, then one line a row.

use std::fs::File;
use std::path::Path;

use csv::{Reader, StringRecord, Writer};

use super::row::{Columns, Row, WHOLE};
use super::source::{DatasetError, Summed};

/// Writes rows as lines.
pub(super) struct CsvWriter(Writer<File>);

impl CsvWriter {
    pub(super) fn create(file: File, columns: &Columns) -> csv::Result<CsvWriter> {
        let mut writer = Writer::from_writer(file);
        writer.write_record(columns.names())?;
        Ok(CsvWriter(writer))
    }

    pub(super) fn write(&mut self, row: &Row, sum: u64) -> csv::Result<()> {
        let CsvWriter(writer) = self;
        for number in row.whole() {
            writer.write_field(number.to_string())?;
        }
        for text in row.text() {
            writer.write_field(text)?;
        }
        for number in row.real() {
            writer.write_field(number.to_string())?;
        }
        writer.write_field(sum.to_string())?;
        writer.write_record(None::<&[u8]>)
    }

    pub(super) fn finish(mut self) -> csv::Result<()> {
        Ok(self.0.flush()?)
    }
}

/// Reads rows from lines.
pub(super) struct CsvReader {
    reader: Reader<File>,
    columns: Columns,
    record: StringRecord,
}

impl CsvReader {
    pub(super) fn open(path: &Path) -> Result<CsvReader, DatasetError> {
        let file = File::open(path).map_err(|error| DatasetError::io(path, &error))?;
        let mut reader = Reader::from_reader(file);
        let columns = match reader.headers() {
            Ok(header) if header.is_empty() => {
                return Err(DatasetError::io(path, &"it is empty"));
            }
            Ok(header) => Columns::from_names(header.iter()),
            Err(error) if error.is_io_error() => return Err(DatasetError::io(path, &error)),
            Err(_) => None,
        };
        Ok(CsvReader {
            reader,
            columns: columns.ok_or_else(|| DatasetError::not_a_dataset(path))?,
            record: StringRecord::new(),
        })
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The next row; the error is a sentence.
    pub(super) fn next_row(&mut self) -> Result<Option<Summed>, String> {
        let row = match self.reader.read_record(&mut self.record) {
            Ok(false) => return Ok(None),
            Ok(true) => parse(&self.record, &self.columns),
            Err(error) if error.is_io_error() => return Err(error.to_string()),
            Err(_) => None,
        };
        let line = || {
            let position = self.record.position();
            position.unwrap_or(self.reader.position()).line()
        };
        row.map(Some)
            .ok_or_else(|| format!("line {} is not a row of its header", line()))
    }
}

fn parse(record: &StringRecord, columns: &Columns) -> Option<Summed> {
    let mut fields = record.iter();
    let mut whole = [0; WHOLE.len()];
    for number in &mut whole {
        *number = fields.next()?.parse().ok()?;
    }
    let text: Vec<&str> = fields.by_ref().take(columns.n_text()).collect();
    let real = fields.by_ref().take(columns.n_real());
    let real: Option<Vec<f64>> = real.map(|field| field.parse().ok()).collect();
    let row = Row::from_parts(columns.n_players(), whole, &text, &real?)?;
    let sum = fields.next().map(str::parse).transpose().ok()?;
    Some(Summed { row, sum })
}
