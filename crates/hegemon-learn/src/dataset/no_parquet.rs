//! Stubs for builds without Parquet.

use std::fs::File;
use std::path::Path;

use super::row::{Columns, Row};
use super::source::{DatasetError, Summed};

/// The message with what to do about it.
const MISSING: &str = "this program was built without Parquet; use a file that ends in .csv, \
                       or build it with `cargo build --release --features parquet`";

/// Never constructed.
pub(super) enum ParquetWriter {}

impl ParquetWriter {
    pub(super) fn create(
        _file: File,
        _columns: &Columns,
        _notes: &[(&str, String)],
    ) -> Result<ParquetWriter, &'static str> {
        Err(MISSING)
    }

    pub(super) fn write(&mut self, _row: Row, _sum: u64) -> Result<(), &'static str> {
        match *self {}
    }

    pub(super) fn finish(self) -> Result<(), &'static str> {
        match self {}
    }
}

/// Never constructed.
pub(super) enum ParquetReader {}

impl ParquetReader {
    pub(super) fn open(path: &Path) -> Result<ParquetReader, DatasetError> {
        Err(DatasetError::io(path, &MISSING))
    }

    pub(super) fn columns(&self) -> &Columns {
        match *self {}
    }

    pub(super) fn next_row(&mut self) -> Result<Option<Summed>, String> {
        match *self {}
    }
}
