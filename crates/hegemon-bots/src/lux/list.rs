//! Ordered lists of territories without heap allocation, and the one-ahead
//! iterator.

use std::ops::Deref;

use hegemon_core::{MAX_TERRITORIES, TerritoryId, TerritorySet};

/// Some territories in an order that matters.
#[derive(Clone, Copy)]
pub(super) struct List {
    len: u8,
    items: [TerritoryId; MAX_TERRITORIES],
}

impl List {
    pub(super) const EMPTY: List = List {
        len: 0,
        items: [TerritoryId::new(0); MAX_TERRITORIES],
    };

    #[inline]
    pub(super) fn push(&mut self, territory: TerritoryId) {
        debug_assert!((self.len as usize) < MAX_TERRITORIES);
        self.items[self.len as usize & (MAX_TERRITORIES - 1)] = territory;
        self.len += 1;
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the territories that pass, in order.
    #[inline]
    pub(super) fn retain(&mut self, test: impl Fn(TerritoryId) -> bool) {
        let mut n_kept = 0;
        for at in 0..self.len as usize {
            let territory = self.items[at];
            self.items[n_kept] = territory;
            n_kept += usize::from(test(territory));
        }
        self.len = n_kept as u8;
    }

    /// Removes the first occurrence.
    pub(super) fn remove(&mut self, territory: TerritoryId) {
        if let Some(at) = self.iter().position(|&t| t == territory) {
            self.items.copy_within(at + 1..self.len as usize, at);
            self.len -= 1;
        }
    }

    pub(super) fn reverse(&mut self) {
        self.items[..self.len as usize].reverse();
    }
}

impl Deref for List {
    type Target = [TerritoryId];

    #[inline]
    fn deref(&self) -> &[TerritoryId] {
        &self.items[..self.len as usize]
    }
}

impl FromIterator<TerritoryId> for List {
    #[inline]
    fn from_iter<I: IntoIterator<Item = TerritoryId>>(territories: I) -> List {
        let mut list = List::EMPTY;
        territories
            .into_iter()
            .for_each(|territory| list.push(territory));
        list
    }
}

impl std::fmt::Debug for List {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The lazy iterator of docs/spec/lux.md 1.1: it looks exactly one element
/// ahead, so a loop body that changes the board still gets the element found
/// before.
#[derive(Clone, Copy, Debug)]
pub(super) struct OneAhead {
    next: Option<TerritoryId>,
}

impl OneAhead {
    /// Starts at the first of the candidates that pass the test.
    #[inline]
    pub(super) fn new(candidates: TerritorySet, test: impl Fn(TerritoryId) -> bool) -> OneAhead {
        OneAhead {
            next: candidates.iter().find(|&t| test(t)),
        }
    }

    /// Returns the stored element and stores the next that passes now.
    #[inline]
    pub(super) fn next(
        &mut self,
        candidates: TerritorySet,
        test: impl Fn(TerritoryId) -> bool,
    ) -> Option<TerritoryId> {
        let current = self.next?;
        let later = TerritorySet::from_bits(u128::MAX << current.index() << 1);
        self.next = (candidates & later).iter().find(|&t| test(t));
        Some(current)
    }
}
