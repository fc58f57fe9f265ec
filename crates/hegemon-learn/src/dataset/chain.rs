//! The checksums that rows of a data set carry.

use hegemon_arena::RowSum;

use super::row::Row;

/// The sums of rows that follow each other: each is of its row and of the sum
/// before it, so that a row that is changed, lost, doubled or moved is noticed.
pub(super) struct Chain(RowSum);

impl Chain {
    /// The chain of a file that has no row yet.
    pub(super) fn new(n_players: usize) -> Chain {
        let mut sum = RowSum::new("dataset");
        sum.add_whole(n_players as u64);
        Chain(sum)
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: &Row) {
        row.whole().into_iter().for_each(|n| self.0.add_whole(n));
        let texts = row.text().into_iter();
        texts.for_each(|text| self.0.add_text(text.as_bytes()));
        row.real().for_each(|x| self.0.add_real(x));
    }

    /// What the row that was added last carries.
    pub(super) fn sum(&self) -> u64 {
        self.0.value()
    }

    /// What it carries instead if no row follows, so that a file that was cut
    /// off is noticed.
    pub(super) fn last_sum(&self) -> u64 {
        let mut sum = self.0;
        sum.add_nothing();
        sum.value()
    }
}
