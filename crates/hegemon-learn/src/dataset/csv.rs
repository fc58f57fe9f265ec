//! Data sets as CSV: a header line, then one line a row.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use super::row::{Columns, Row, WHOLE};
use super::source::DatasetError;

/// Writes rows as lines.
pub(super) struct CsvWriter {
    sink: BufWriter<File>,
    line: String,
}

impl CsvWriter {
    pub(super) fn create(path: &Path, columns: &Columns) -> std::io::Result<CsvWriter> {
        let mut sink = BufWriter::new(File::create(path)?);
        let names: Vec<&str> = columns.names().collect();
        writeln!(sink, "{}", names.join(","))?;
        let line = String::new();
        Ok(CsvWriter { sink, line })
    }

    pub(super) fn write(&mut self, row: &Row) -> std::io::Result<()> {
        self.line.clear();
        for number in row.whole() {
            let _ = write!(self.line, "{number},");
        }
        for text in row.text() {
            quote(text, &mut self.line);
            self.line.push(',');
        }
        for number in row.real() {
            let _ = write!(self.line, "{number},");
        }
        self.line.pop();
        self.line.push('\n');
        self.sink.write_all(self.line.as_bytes())
    }

    pub(super) fn finish(mut self) -> std::io::Result<()> {
        self.sink.flush()
    }
}

fn quote(text: &str, out: &mut String) {
    if text.contains([',', '"', '\n']) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(text);
    }
}

/// Reads rows from lines.
pub(super) struct CsvReader {
    source: BufReader<File>,
    columns: Columns,
    line: String,
    number: u64,
}

impl CsvReader {
    pub(super) fn open(path: &Path) -> Result<CsvReader, DatasetError> {
        let file = File::open(path).map_err(|error| DatasetError::io(path, &error))?;
        let mut source = BufReader::new(file);
        let mut header = String::new();
        source
            .read_line(&mut header)
            .map_err(|error| DatasetError::io(path, &error))?;
        let columns = Columns::from_names(header.trim_end().split(','))
            .ok_or_else(|| DatasetError::not_a_dataset(path))?;
        Ok(CsvReader {
            source,
            columns,
            line: String::new(),
            number: 1,
        })
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The next row; the error is a sentence.
    pub(super) fn next_row(&mut self) -> Result<Option<Row>, String> {
        self.line.clear();
        let n_bytes = self
            .source
            .read_line(&mut self.line)
            .map_err(|error| error.to_string())?;
        if n_bytes == 0 {
            return Ok(None);
        }
        self.number += 1;
        let row = parse(self.line.trim_end_matches('\n'), &self.columns);
        row.map(Some)
            .ok_or_else(|| format!("line {} is not a row of its header", self.number))
    }
}

fn parse(line: &str, columns: &Columns) -> Option<Row> {
    let fields = split(line)?;
    let n_keys = WHOLE.len() + columns.n_text();
    if fields.len() != n_keys + columns.n_real() {
        return None;
    }
    let mut whole = [0; WHOLE.len()];
    for (number, field) in whole.iter_mut().zip(&fields) {
        *number = field.parse().ok()?;
    }
    let text: Vec<&str> = fields[WHOLE.len()..n_keys]
        .iter()
        .map(String::as_str)
        .collect();
    let real: Option<Vec<f64>> = fields[n_keys..].iter().map(|f| f.parse().ok()).collect();
    Row::from_parts(columns.n_players(), whole, &text, &real?)
}

/// The fields of a line; none if a quote is left open.
fn split(line: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut field = String::new();
    let mut is_quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                field.push('"');
                chars.next();
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    (!is_quoted).then_some(fields)
}
