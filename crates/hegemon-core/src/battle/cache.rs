//! A cache of values derived from battle laws.

use super::law::BattleLaw;
use std::sync::{Arc, Mutex, PoisonError};

/// The values of the most recently used laws. Others live only as long as they
/// are in use, so that a caller that keeps naming new laws cannot fill the
/// memory.
///
/// ```
/// use hegemon_core::battle::{BattleLaw, LawCache};
/// static NAMES: LawCache<String> = LawCache::new(4);
/// let law = BattleLaw::default();
/// let name = NAMES.value(law, || "official".to_owned());
/// assert_eq!(*NAMES.value(law, || "never made".to_owned()), *name);
/// ```
#[derive(Debug)]
pub struct LawCache<T> {
    most: usize,
    /// Least recently used first.
    kept: Mutex<Vec<(BattleLaw, Arc<T>)>>,
}

impl<T> LawCache<T> {
    /// Keeps the values of at most `most` laws.
    pub const fn new(most: usize) -> LawCache<T> {
        LawCache {
            most,
            kept: Mutex::new(Vec::new()),
        }
    }

    /// The value of this law, computed if it is not cached. Takes a lock.
    pub fn value(&self, law: BattleLaw, make: impl FnOnce() -> T) -> Arc<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|(known, _)| *known == law);
        let entry = known.map_or_else(|| (law, Arc::new(make())), |idx| kept.remove(idx));
        if kept.len() == self.most {
            kept.remove(0);
        }
        let value = Arc::clone(&entry.1);
        kept.push(entry);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::{BattleMode, BattleTable, DiceRule};

    fn odd_law(n: u32) -> BattleLaw {
        let dice = DiceRule {
            defender_second_from: 1_000_000 + n,
            ..DiceRule::OFFICIAL
        };
        BattleLaw::new(dice, BattleMode::Sequential)
    }

    #[test]
    fn the_least_recently_used_value_goes_first() {
        let cache = LawCache::new(2);
        let [a, b, c] = [0, 1, 2].map(odd_law);
        let first = cache.value(a, || 'a');
        cache.value(b, || 'b');
        assert!(Arc::ptr_eq(&first, &cache.value(a, || 'x')));
        cache.value(c, || 'c');
        assert_eq!(*cache.value(a, || 'y'), 'a', "asked for more lately than b");
        assert_eq!(*cache.value(b, || 'z'), 'z', "made anew");
    }

    #[test]
    fn tables_of_ever_new_laws_do_not_stay_in_memory() {
        let tables: Vec<_> = (10..110)
            .map(|n| Arc::downgrade(&BattleTable::for_law(odd_law(n))))
            .collect();
        let n_kept = tables.iter().filter(|table| table.strong_count() > 0);
        assert!(n_kept.count() <= 32);
    }
}
