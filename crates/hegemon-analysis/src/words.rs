//! Moves and events in words.

use hegemon_bots::search::RiskAction;
use hegemon_core::{Card, Event, Map, Move, Outcome, State};

/// A move in words, as it would be said in the state before it.
fn move_words(before: &State, mv: Move) -> String {
    let map = before.game().map();
    let name = |territory| map.territory_name(territory);
    match mv {
        Move::Claim { territory } => format!("claim {}", name(territory)),
        Move::Capital { territory } => format!("capital in {}", name(territory)),
        Move::Trade { cards, bonus } => {
            let cards: Vec<String> = cards.iter().map(|card| card_words(map, *card)).collect();
            let bonus = bonus.map(|t| format!(", the bonus in {}", name(t)));
            format!("trade {}{}", cards.join(", "), bonus.unwrap_or_default())
        }
        Move::Place { territory, armies } => format!("place {armies} in {}", name(territory)),
        Move::Attack { from, to, with } => {
            let is_full = with >= *before.attack_range(from).end();
            let force = if is_full {
                String::new()
            } else {
                format!(" with {with}")
            };
            format!("attack {} from {}{force}", name(to), name(from))
        }
        Move::Occupy { armies } => match before.front() {
            Some((_, to)) => format!("move {armies} into {}", name(to)),
            None => format!("move {armies} in"),
        },
        Move::Fortify { from, to, armies } => {
            format!("move {armies} from {} to {}", name(from), name(to))
        }
        Move::End => match before.phase() {
            hegemon_core::Phase::Trade => "trade nothing".to_owned(),
            hegemon_core::Phase::Attack => "stop attacking".to_owned(),
            _ => "end the turn".to_owned(),
        },
    }
}

fn card_words(map: &Map, card: Card) -> String {
    match card {
        Card::Territory(territory) => map.territory_name(territory).to_owned(),
        Card::Wild => "a wild card".to_owned(),
    }
}

fn outcome_words(before: &State, outcome: Outcome) -> String {
    let map = before.game().map();
    match outcome {
        Outcome::First(player) => format!("player {} begins", player.index() + 1),
        Outcome::Deal(territory) => format!("{} is dealt", map.territory_name(territory)),
        Outcome::Scatter(territory) => format!("an army in {}", map.territory_name(territory)),
        Outcome::Mission(_) => "a mission is dealt".to_owned(),
        Outcome::Battle {
            attacker_losses,
            defender_losses,
        } => match before.front() {
            Some((from, to)) => format!(
                "{} loses {attacker_losses}, {} loses {defender_losses}",
                map.territory_name(from),
                map.territory_name(to)
            ),
            None => format!("{attacker_losses} and {defender_losses} lost"),
        },
        Outcome::Draw(card) => format!("card: {}", card_words(map, card)),
    }
}

/// An event in words.
pub fn event_words(before: &State, event: Event) -> String {
    match event {
        Event::Move(mv) => move_words(before, mv),
        Event::Outcome(outcome) => outcome_words(before, outcome),
    }
}

/// An action of a search in words.
pub fn action_words(before: &State, action: &RiskAction) -> String {
    match action {
        RiskAction::Play(mv) => move_words(before, *mv),
        RiskAction::Recruit(allocation) => {
            let map = before.game().map();
            // Stored fewest first; said with the most first.
            let parts = allocation.placed().iter().rev();
            let parts = parts.map(|(t, armies)| format!("{armies} in {}", map.territory_name(*t)));
            format!("place {}", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hegemon_core::{Game, Rules};

    /// Two moves that differ are not said alike.
    #[test]
    fn words_tell_trades_and_attacks_apart() {
        let map = Map::builtin("classic").expect("shipped");
        let rules = Rules::preset("classic").expect("shipped");
        let game = Game::new(map, rules, 3).expect("a game");
        let board = ["a5", "b2", "c2"].concat().repeat(14);
        for (phase, hand, least) in [("attack", "", 2), ("trade", " hand=0@0.3.6", 2)] {
            let text = format!("board={board} phase={phase} player=0 round=3{hand}");
            let state = State::from_position(&game, &text).expect("a position");
            let moves = state.legal_moves();
            let mut said: Vec<String> = moves.iter().map(|mv| move_words(&state, *mv)).collect();
            assert!(said.len() > least, "{said:?}");
            said.sort();
            let n = said.len();
            said.dedup();
            assert_eq!(said.len(), n, "{phase}");
        }
    }
}
