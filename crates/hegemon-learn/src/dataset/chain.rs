//! The checksums that rows of a data set carry.

use hegemon_arena::RowSum;

use super::row::Row;

/// Chained checksums: each covers its row and the sum before it, so that
/// changed, lost, duplicated or moved rows are detected.
pub(super) struct RowChain(RowSum);

impl RowChain {
    /// The chain of a file that has no row yet.
    pub(super) fn new(n_players: usize) -> RowChain {
        let mut sum = RowSum::new("dataset");
        sum.add_whole(n_players as u64);
        RowChain(sum)
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: &Row) {
        row.whole().into_iter().for_each(|n| self.0.add_whole(n));
        let texts = row.text().into_iter();
        texts.for_each(|text| self.0.add_text(text.as_bytes()));
        row.real().for_each(|x| self.0.add_real(x));
    }

    /// The checksum of the row added last.
    pub(super) fn sum(&self) -> u64 {
        self.0.value()
    }

    /// Its checksum if it is the last row of the file, so that truncation is
    /// detected.
    pub(super) fn last_sum(&self) -> u64 {
        let mut sum = self.0;
        sum.add_nothing();
        sum.value()
    }
}
