//! Which sets the bots trade (docs/spec/lux.md 6.4).

use hegemon_core::{Card, Hand, Move, TerritorySet, View};

/// The trade that the original engine and bots would make; none without a set.
pub(super) fn best_trade(view: View<'_>) -> Option<Move> {
    let own = view.board().owned(view.seat());
    let mut cards = best_set(view.hand(), own)?;
    cards.sort_unstable();
    Some(Move::Trade {
        cards,
        bonus: bonus_territory(view, cards),
    })
}

/// Where the bonus of a set goes under rules that give it once: to the owned
/// card territory with the most enemies around.
fn bonus_territory(view: View<'_>, cards: [Card; 3]) -> Option<hegemon_core::TerritoryId> {
    let rules = &view.game().rules().cards;
    if !rules.bonus_once || rules.territory_bonus == 0 {
        return None;
    }
    let shown: TerritorySet = cards
        .iter()
        .filter_map(|card| match card {
            Card::Territory(territory) => Some(*territory),
            Card::Wild => None,
        })
        .collect();
    let own = view.board().owned(view.seat());
    (shown & own)
        .iter()
        .max_by_key(|&t| view.board().enemy_neighbors(view.map(), t).len())
}

/// A set without wild cards if there is one, with as many owned territories as
/// possible.
fn best_set(hand: Hand, own: TerritorySet) -> Option<[Card; 3]> {
    let plain = Hand { wilds: 0, ..hand };
    if hand.wilds > 0 {
        let one_wild = Hand { wilds: 1, ..hand };
        let with_one = || {
            if hand.wilds > 1 {
                best_set_of(one_wild, own)
            } else {
                None
            }
        };
        if let Some(set) = best_set_of(plain, own).or_else(with_one) {
            return Some(set);
        }
    }
    best_set_of(hand, own)
}

/// The best set of a hand whose wild cards may all be used.
fn best_set_of(hand: Hand, own: TerritorySet) -> Option<[Card; 3]> {
    let owned = Hand {
        territories: hand.territories & own,
        wilds: 0,
    };
    let others = Hand {
        territories: hand.territories - own,
        wilds: hand.wilds,
    };
    let n_owned = owned.len();
    if n_owned >= 3
        && let Some(set) = take_set(owned.cards())
    {
        return Some(set);
    }
    if n_owned >= 2 {
        let with_one = |x| take_set(owned.cards().chain([x]));
        if let Some(set) = others.cards().find_map(with_one) {
            return Some(set);
        }
    }
    if n_owned >= 1 {
        for (i, x) in others.cards().enumerate() {
            for (j, y) in others.cards().enumerate() {
                if i != j
                    && let Some(set) = take_set(owned.cards().chain([x, y]))
                {
                    return Some(set);
                }
            }
        }
    }
    take_set(hand.cards())
}

/// The set that the cards hold: the first symbol with three alike, otherwise
/// one of each.
fn take_set(cards: impl Iterator<Item = Card> + Clone) -> Option<[Card; 3]> {
    let mut counts = [0usize; 3];
    let mut wilds = 0;
    for card in cards.clone() {
        match card.symbol() {
            Some(symbol) => counts[symbol] += 1,
            None => wilds += 1,
        }
    }
    if let Some(symbol) = (0..3).find(|&s| counts[s] + wilds >= 3) {
        let mut fitting = cards.filter(|card| card.symbol().is_none_or(|s| s == symbol));
        return Some([fitting.next()?, fitting.next()?, fitting.next()?]);
    }
    let mut slots = [None; 3];
    for card in cards {
        let slot = match card.symbol() {
            Some(symbol) => Some(symbol),
            None => (0..3).find(|&s| slots[s].is_none() && counts[s] == 0),
        };
        if let Some(slot) = slot {
            slots[slot].get_or_insert(card);
        }
    }
    let [a, b, c] = slots;
    Some([a?, b?, c?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hegemon_core::TerritoryId;

    fn hand(territories: &[usize], wilds: u8) -> Hand {
        let territories = territories.iter().map(|&t| TerritoryId::new(t)).collect();
        Hand { territories, wilds }
    }

    fn set_of(territories: &[usize], wilds: u8, own: &[usize]) -> Option<String> {
        let own = own.iter().map(|&t| TerritoryId::new(t)).collect();
        let set = best_set(hand(territories, wilds), own)?;
        Some(set.map(|card| card.to_string()).join("."))
    }

    #[test]
    fn no_set_no_trade() {
        assert_eq!(set_of(&[0, 1, 3, 4], 0, &[]), None);
        assert_eq!(set_of(&[0], 1, &[]), None);
    }

    #[test]
    fn three_alike_come_before_one_of_each() {
        assert_eq!(set_of(&[0, 1, 2, 3, 6], 0, &[]).as_deref(), Some("0.3.6"));
        assert_eq!(set_of(&[0, 1, 2], 0, &[]).as_deref(), Some("0.1.2"));
    }

    #[test]
    fn owned_territories_come_first() {
        assert_eq!(
            set_of(&[0, 3, 6, 9, 12], 0, &[6, 9, 12]).as_deref(),
            Some("6.9.12")
        );
        assert_eq!(set_of(&[0, 3, 6, 9], 0, &[9, 6]).as_deref(), Some("6.9.0"));
        assert_eq!(set_of(&[0, 3, 6, 9], 0, &[9]).as_deref(), Some("9.0.3"));
    }

    #[test]
    fn wild_cards_are_kept_if_possible() {
        assert_eq!(set_of(&[0, 3, 6], 2, &[]).as_deref(), Some("0.3.6"));
        assert_eq!(set_of(&[0, 1], 2, &[]).as_deref(), Some("0.1.w"));
        assert_eq!(set_of(&[0], 2, &[]).as_deref(), Some("0.w.w"));
    }
}
