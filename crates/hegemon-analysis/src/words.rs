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
        Move::Trade { cards, .. } => {
            let cards: Vec<String> = cards.iter().map(|card| card_words(map, *card)).collect();
            format!("trade {}", cards.join(", "))
        }
        Move::Place { territory, armies } => format!("place {armies} in {}", name(territory)),
        Move::Attack { from, to, .. } => format!("attack {} from {}", name(to), name(from)),
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
