//! Data sets as Parquet, written and read in batches.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::row::{ColumnKind, Columns, Row, TEXT, WHOLE};
use super::source::{DatasetError, Summed};

/// Rows of a batch.
const BATCH: usize = 4096;
/// Batches of a row group.
const BATCHES_A_GROUP: usize = 8;

fn schema(columns: &Columns) -> Arc<Schema> {
    let field = |(name, kind): (&str, ColumnKind)| {
        let kind = match kind {
            ColumnKind::Whole => DataType::UInt64,
            ColumnKind::Text => DataType::Utf8,
            ColumnKind::Real => DataType::Float64,
        };
        Field::new(name, kind, false)
    };
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// Writes rows in batches.
pub(super) struct ParquetWriter {
    writer: ArrowWriter<File>,
    schema: Arc<Schema>,
    waiting: Vec<Row>,
    sums: Vec<u64>,
    n_real: usize,
}

impl ParquetWriter {
    pub(super) fn create(
        file: File,
        columns: &Columns,
        notes: &[(&str, String)],
    ) -> Result<ParquetWriter, ParquetError> {
        let notes = notes
            .iter()
            .map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .set_max_row_group_row_count(Some(BATCH * BATCHES_A_GROUP))
            .set_key_value_metadata(Some(notes.collect()))
            .build();
        let schema = schema(columns);
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))?;
        Ok(ParquetWriter {
            writer,
            schema,
            waiting: Vec::with_capacity(BATCH),
            sums: Vec::with_capacity(BATCH),
            n_real: columns.n_real(),
        })
    }

    pub(super) fn write(&mut self, row: Row, sum: u64) -> Result<(), ParquetError> {
        self.waiting.push(row);
        self.sums.push(sum);
        if self.waiting.len() == BATCH {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let n_rows = self.waiting.len();
        let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        for column in 0..WHOLE.len() {
            let numbers = self.waiting.iter().map(|row| row.whole()[column]);
            arrays.push(Arc::new(UInt64Array::from_iter_values(numbers)));
        }
        for column in 0..TEXT.len() {
            let texts = self.waiting.iter().map(|row| row.text()[column]);
            arrays.push(Arc::new(StringArray::from_iter_values(texts)));
        }
        let mut real = vec![Vec::with_capacity(n_rows); self.n_real];
        for row in &self.waiting {
            for (column, number) in real.iter_mut().zip(row.real()) {
                column.push(number);
            }
        }
        arrays.extend(
            real.into_iter()
                .map(|column| Arc::new(Float64Array::from(column)) as ArrayRef),
        );
        arrays.push(Arc::new(UInt64Array::from(std::mem::take(&mut self.sums))));
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .map_err(|error| ParquetError::General(error.to_string()))?;
        self.waiting.clear();
        self.writer.write(&batch)
    }

    pub(super) fn finish(mut self) -> Result<(), ParquetError> {
        if !self.waiting.is_empty() {
            self.flush()?;
        }
        self.writer.close().map(|_| ())
    }
}

/// Reads rows batch by batch.
pub(super) struct ParquetReader {
    batches: ParquetRecordBatchReader,
    columns: Columns,
    batch: Vec<Summed>,
}

impl ParquetReader {
    pub(super) fn open(path: &Path) -> Result<ParquetReader, DatasetError> {
        let file = File::open(path).map_err(|error| DatasetError::io(path, &error))?;
        if file.metadata().is_ok_and(|facts| facts.len() == 0) {
            return Err(DatasetError::io(path, &"it is empty"));
        }
        let builder = catch_unwind(|| ParquetRecordBatchReaderBuilder::try_new(file))
            .map_err(|_| DatasetError::not_a_dataset(path))?
            .map_err(|_| DatasetError::not_a_dataset(path))?;
        let schema = Arc::clone(builder.schema());
        let columns = Columns::from_names(schema.fields().iter().map(|f| f.name().as_str()))
            .ok_or_else(|| DatasetError::not_a_dataset(path))?;
        if *schema.fields() != *self::schema(&columns).fields() {
            return Err(DatasetError::not_a_dataset(path));
        }
        let batches = builder
            .with_batch_size(BATCH)
            .build()
            .map_err(|error| DatasetError::io(path, &error))?;
        Ok(ParquetReader {
            batches,
            columns,
            batch: Vec::new(),
        })
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The next row; the error is a sentence.
    pub(super) fn next_row(&mut self) -> Result<Option<Summed>, String> {
        while self.batch.is_empty() {
            // The library panics on some damaged files.
            let next = catch_unwind(AssertUnwindSafe(|| self.batches.next()));
            let Some(batch) = next.map_err(|_| "it is damaged".to_owned())? else {
                return Ok(None);
            };
            let batch = batch.map_err(|error| error.to_string())?;
            self.batch = rows(&batch, &self.columns)
                .ok_or_else(|| "a row has a value without meaning".to_owned())?;
            self.batch.reverse();
        }
        Ok(self.batch.pop())
    }
}

fn rows(batch: &RecordBatch, known: &Columns) -> Option<Vec<Summed>> {
    let n_keys = WHOLE.len() + known.n_text();
    let columns = batch.columns();
    let mut rows = Vec::with_capacity(batch.num_rows());
    for at in 0..batch.num_rows() {
        let mut whole = [0; WHOLE.len()];
        for (number, column) in whole.iter_mut().zip(columns) {
            *number = column.as_primitive_opt::<UInt64Type>()?.value(at);
        }
        let text = |n: usize| Some(columns[WHOLE.len() + n].as_string_opt::<i32>()?.value(at));
        let real: Option<Vec<f64>> = columns[n_keys..]
            .iter()
            .take(known.n_real())
            .map(|column| Some(column.as_primitive_opt::<Float64Type>()?.value(at)))
            .collect();
        let texts: Vec<&str> = (0..known.n_text()).map(text).collect::<Option<_>>()?;
        let row = Row::from_parts(known.n_players(), whole, &texts, &real?)?;
        let sums = columns.get(n_keys + known.n_real());
        let sum = match sums {
            Some(sums) => Some(sums.as_primitive_opt::<UInt64Type>()?.value(at)),
            None => None,
        };
        rows.push(Summed { row, sum });
    }
    Some(rows)
}
