//! Drafters: how a bot claims territories before it plays (paper 002).
//!
//! A drafter is `random`, `greedy`, `uct` or any other bot, of which only the
//! draft is asked. Whoever plays on is a fresh bot that never saw the draft, as
//! in the authors' program.

mod board;
mod entries;
mod greedy;
#[cfg(test)]
mod tests;
mod uct;

use hegemon_core::{Move, Phase, View, fnv1a, mix};
use hegemon_eval::draft::{DraftEvaluator, DraftWeights};

pub use board::DraftBoard;
pub(crate) use entries::{DRAFTED, LUX_ENTRIES};
pub use greedy::GreedyDrafter;
pub use uct::{UctDrafter, UctParams};

use crate::bot::{Bot, Forfeit, PolicyBot, Seating};
use crate::registry::build;
use crate::spec::{Spec, SpecError, nearest};

/// Drafts with one bot and plays on with another.
pub struct DraftedBot {
    drafter: Box<dyn Bot>,
    player: Box<dyn Bot>,
}

impl DraftedBot {
    /// `drafter` claims territories, `player` does all else.
    pub fn new(drafter: Box<dyn Bot>, player: Box<dyn Bot>) -> DraftedBot {
        DraftedBot { drafter, player }
    }
}

impl Bot for DraftedBot {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if view.phase() == Phase::Claim {
            self.drafter.choose(view)
        } else {
            self.player.choose(view)
        }
    }

    fn game_over(&mut self, result: &hegemon_core::GameResult) {
        self.drafter.game_over(result);
        self.player.game_over(result);
    }
}

/// The drafter that the parameter `draft` of a spec names.
/// `player` names the bot that plays on.
pub(crate) fn drafter(
    spec: &Spec,
    player: &str,
    text: &str,
    seating: &Seating<'_>,
) -> Result<Box<dyn Bot>, SpecError> {
    let draft: Spec = text.parse()?;
    // A stream of its own: drafting more must not change later play.
    let seating = Seating {
        seed: mix(seating.seed ^ fnv1a(b"draft")),
        ..*seating
    };
    match draft.name.as_str() {
        "greedy" => {
            check_keys(&draft, &["weights", "intercept"])?;
            let drafter = GreedyDrafter::new(evaluator(&draft, player, &seating)?);
            Ok(Box::new(PolicyBot::new(drafter, &seating)))
        }
        "uct" => {
            check_keys(&draft, &["sims", "c", "weights", "intercept"])?;
            let default = UctParams::default();
            let params = UctParams {
                n_simulations: draft.number("sims", default.n_simulations, 1..=10_000_000)?,
                exploration: draft.number("c", default.exploration, 0.0..=1000.0)?,
            };
            let drafter = UctDrafter::new(evaluator(&draft, player, &seating)?, params);
            Ok(Box::new(PolicyBot::new(drafter, &seating)))
        }
        _ => build(&draft, &seating).map_err(|error| match error {
            SpecError::UnknownBot { .. } => {
                spec.bad_value("draft", "own, random, greedy, uct or a bot that drafts")
            }
            other => other,
        }),
    }
}

fn check_keys(draft: &Spec, known: &[&str]) -> Result<(), SpecError> {
    match draft
        .parameters
        .iter()
        .find(|(key, _)| !known.contains(&key.as_str()))
    {
        None => Ok(()),
        Some((key, _)) => Err(SpecError::UnknownParameter {
            bot: format!("draft={}", draft.name),
            key: key.clone(),
            nearest: nearest(key, known.iter().copied()),
        }),
    }
}

/// The evaluator of a drafter's `weights` and `intercept`; by default those
/// trained for who plays on.
fn evaluator(
    draft: &Spec,
    player: &str,
    seating: &Seating<'_>,
) -> Result<DraftEvaluator, SpecError> {
    let (map, n_players) = (seating.game.map(), seating.game.n_players());
    let has_intercept = on_off(draft, "intercept", true)?;
    let made = match draft.value("weights") {
        None | Some("auto") => {
            let weights = DraftWeights::for_bot(map, n_players, player);
            DraftEvaluator::new(map, n_players, &weights, has_intercept)
        }
        Some(name) => {
            let weights = DraftWeights::load(name, &|path| seating.grants.weights(path))
                .map_err(|error| draft.bad_value("weights", &error.to_string()))?;
            DraftEvaluator::new(map, n_players, &weights, has_intercept)
        }
    };
    made.map_err(|error| SpecError::Unsuitable {
        bot: format!("draft={draft}"),
        reason: error.to_string(),
    })
}

/// A parameter that is `on` or `off`.
pub(crate) fn on_off(spec: &Spec, key: &str, default: bool) -> Result<bool, SpecError> {
    match spec.value(key) {
        None => Ok(default),
        Some("on") => Ok(true),
        Some("off") => Ok(false),
        Some(_) => Err(spec.bad_value(key, "on or off")),
    }
}
