//! Cards, hands and sets.

use std::fmt;

use crate::ids::TerritoryId;
use crate::narrow::Narrow;
use crate::rules::CardScheme;
use crate::territory_set::TerritorySet;

/// A card: one for each territory, and wild cards that match any symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Card {
    /// The card of a territory; its symbol is the territory's index modulo 3.
    Territory(TerritoryId),
    /// A wild card.
    Wild,
}

impl Card {
    /// The symbol 0, 1 or 2; `None` for a wild card.
    ///
    /// ```
    /// use hegemon_core::{Card, TerritoryId};
    /// assert_eq!(Card::Territory(TerritoryId::new(7)).symbol(), Some(1));
    /// assert_eq!(Card::Wild.symbol(), None);
    /// ```
    pub fn symbol(self) -> Option<usize> {
        match self {
            Card::Territory(territory) => Some(territory.index() % 3),
            Card::Wild => None,
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Card::Territory(territory) => write!(f, "{territory}"),
            Card::Wild => f.write_str("w"),
        }
    }
}

/// A set of cards: a hand, the deck or the discard pile. Wild cards are
/// interchangeable.
///
/// ```
/// use hegemon_core::{Card, Hand};
/// let mut hand = Hand::default();
/// hand.insert(Card::Wild);
/// assert_eq!(hand.len(), 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand {
    /// Territories whose card is in the hand.
    pub territories: TerritorySet,
    /// Number of wild cards.
    pub wilds: u8,
}

impl Hand {
    /// Number of cards.
    #[inline]
    pub fn len(&self) -> usize {
        self.territories.len() + usize::from(self.wilds)
    }

    /// Whether there are no cards.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.territories.is_empty() && self.wilds == 0
    }

    /// Whether the hand has the card.
    pub fn contains(&self, card: Card) -> bool {
        match card {
            Card::Territory(territory) => self.territories.contains(territory),
            Card::Wild => self.wilds > 0,
        }
    }

    /// Adds a card.
    pub fn insert(&mut self, card: Card) {
        match card {
            Card::Territory(territory) => self.territories.insert(territory),
            Card::Wild => self.wilds += 1,
        }
    }

    /// Removes a card, which must be in the hand.
    pub fn remove(&mut self, card: Card) {
        debug_assert!(self.contains(card));
        match card {
            Card::Territory(territory) => self.territories.remove(territory),
            Card::Wild => self.wilds -= 1,
        }
    }

    /// Adds all cards of another hand.
    pub fn extend(&mut self, other: Hand) {
        self.territories |= other.territories;
        self.wilds += other.wilds;
    }

    /// The cards: territories in map order, then wild cards.
    pub fn cards(&self) -> impl Iterator<Item = Card> + Clone + use<> {
        let wilds = std::iter::repeat_n(Card::Wild, usize::from(self.wilds));
        self.territories.iter().map(Card::Territory).chain(wilds)
    }

    /// The `n`-th card of [`Hand::cards`].
    pub fn nth(&self, n: usize) -> Option<Card> {
        match self.territories.nth(n) {
            Some(territory) => Some(Card::Territory(territory)),
            None => (n < self.len()).then_some(Card::Wild),
        }
    }

    /// Whether three of these cards form a set.
    pub fn has_set(&self) -> bool {
        if self.len() < 3 {
            return false;
        }
        let mut counts = [0u8; 3];
        for territory in self.territories {
            counts[territory.index() % 3] += 1;
        }
        let kinds: u8 = counts.iter().filter(|&&n| n > 0).count().narrow();
        kinds + self.wilds >= 3 || counts.iter().any(|n| n + self.wilds >= 3)
    }

    /// Calls `visit` with every different set of three cards.
    pub fn for_each_set(&self, mut visit: impl FnMut([Card; 3])) {
        let n = self.len();
        let mut previous = None;
        for a in 0..n {
            for b in a + 1..n {
                for c in b + 1..n {
                    let (Some(x), Some(y), Some(z)) = (self.nth(a), self.nth(b), self.nth(c))
                    else {
                        continue;
                    };
                    let set = [x, y, z];
                    // Wild cards are equal and last, so repeats are adjacent.
                    if is_set(set) && previous != Some(set) {
                        previous = Some(set);
                        visit(set);
                    }
                }
            }
        }
    }
}

/// The kind of a set: three of a symbol (0, 1, 2) or one of each (3).
///
/// Where a wild card allows two readings, the set counts as the better one
/// under the usual values, which rise from three of a kind to one of each.
fn set_kind(cards: [Card; 3]) -> Option<usize> {
    let mut counts = [0u8; 3];
    let mut wilds = 0;
    for card in cards {
        match card.symbol() {
            Some(symbol) => counts[symbol] += 1,
            None => wilds += 1,
        }
    }
    let kinds: u8 = counts.iter().filter(|&&n| n > 0).count().narrow();
    if kinds + wilds >= 3 {
        return Some(3);
    }
    (0..3).rev().find(|&symbol| counts[symbol] + wilds >= 3)
}

/// Whether three cards are three alike or three different, wild cards standing
/// for anything.
///
/// ```
/// use hegemon_core::{Card, TerritoryId, is_set};
/// let card = |n| Card::Territory(TerritoryId::new(n));
/// assert!(is_set([card(0), card(3), card(6)]));
/// assert!(is_set([card(0), card(1), card(2)]));
/// assert!(is_set([card(0), card(1), Card::Wild]));
/// assert!(!is_set([card(0), card(1), card(3)]));
/// ```
pub fn is_set(cards: [Card; 3]) -> bool {
    set_kind(cards).is_some()
}

impl CardScheme {
    /// Armies for a set when `n_traded` sets were traded before.
    ///
    /// ```
    /// use hegemon_core::{Card, Rules, TerritoryId};
    /// let scheme = Rules::preset("classic").expect("shipped").cards.scheme;
    /// let set = [0, 1, 2].map(|n| Card::Territory(TerritoryId::new(n)));
    /// let worth: Vec<u32> = (0..8).map(|n| scheme.set_worth(set, n)).collect();
    /// assert_eq!(worth, [4, 6, 8, 10, 12, 15, 20, 25]);
    /// ```
    pub fn set_worth(&self, set: [Card; 3], n_traded: u32) -> u32 {
        match self {
            CardScheme::Off => 0,
            CardScheme::Fixed(by_kind) => set_kind(set).map_or(0, |kind| u32::from(by_kind[kind])),
            CardScheme::Progressive { values, step } => match values.get(n_traded as usize) {
                Some(&value) => u32::from(value),
                None => {
                    let beyond = n_traded + 1 - Narrow::<u32>::narrow(values.len());
                    let last = values.last().copied().unwrap_or(0);
                    u32::from(last).saturating_add(beyond.saturating_mul(u32::from(*step)))
                }
            },
            CardScheme::Step { first, step } => {
                u32::from(*first).saturating_add(n_traded.saturating_mul(u32::from(*step)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hand(cards: &[Card]) -> Hand {
        let mut hand = Hand::default();
        cards.iter().for_each(|&card| hand.insert(card));
        hand
    }

    proptest! {
        #[test]
        fn has_set_agrees_with_enumeration(
            territories in proptest::collection::btree_set(0usize..42, 0..7), wilds in 0u8..3,
        ) {
            let mut hand: Hand = hand(&[]);
            for t in territories {
                hand.insert(Card::Territory(TerritoryId::new(t)));
            }
            hand.wilds = wilds;
            let mut sets = Vec::new();
            hand.for_each_set(|set| sets.push(set));
            prop_assert_eq!(hand.has_set(), !sets.is_empty());
            let mut unique = sets.clone();
            unique.sort();
            unique.dedup();
            prop_assert_eq!(unique.len(), sets.len());
            if hand.len() >= 5 {
                prop_assert!(hand.has_set(), "five cards always hold a set");
            }
        }
    }

    #[test]
    fn fixed_worth_is_by_kind() {
        let scheme = CardScheme::Fixed([4, 6, 8, 10]);
        let card = |n| Card::Territory(TerritoryId::new(n));
        assert_eq!(scheme.set_worth([card(0), card(3), card(6)], 9), 4);
        assert_eq!(scheme.set_worth([card(1), card(4), card(7)], 9), 6);
        assert_eq!(scheme.set_worth([card(2), card(5), card(8)], 9), 8);
        assert_eq!(scheme.set_worth([card(0), card(1), card(2)], 9), 10);
        assert_eq!(scheme.set_worth([card(0), card(1), Card::Wild], 9), 10);
        assert_eq!(scheme.set_worth([card(0), card(3), Card::Wild], 9), 4);
        assert_eq!(scheme.set_worth([card(0), Card::Wild, Card::Wild], 9), 10);
    }

    #[test]
    fn step_worth_rises() {
        let scheme = CardScheme::Step { first: 4, step: 2 };
        let wild = [Card::Wild; 3];
        assert_eq!(
            (0..4)
                .map(|n| scheme.set_worth(wild, n))
                .collect::<Vec<_>>(),
            [4, 6, 8, 10]
        );
    }
}
