//! Drafters: how a bot claims territories before it plays (Gibson, Desai and
//! Zhao 2010).
//!
//! A drafter is `random`, `greedy`, `uct` or any other bot, used only for the
//! draft. The game is then played by a fresh bot that never saw the draft, as
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
use crate::parameter::{Cost, Parameter};
use crate::registry::build;
use crate::settings::Settings;
use crate::spec::{Spec, SpecError};

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

/// A drafter that is not a bot: it can only draft.
#[derive(Clone, Copy)]
pub(crate) struct DrafterInfo {
    pub(crate) name: &'static str,
    pub(crate) parameters: &'static [Parameter],
    build: BuildDrafter,
}

/// Makes a drafter; the name is that of the bot that plays on.
type BuildDrafter = fn(&Settings<'_>, &str, &Seating<'_>) -> Result<Box<dyn Bot>, SpecError>;

const WEIGHTS: Parameter = Parameter::weights(
    "weights",
    "auto",
    || DraftWeights::builtin_names().to_vec(),
    "auto (those trained for who plays on), or name or path of draft weights",
)
.or(&["auto"]);

const INTERCEPT: Parameter = Parameter::word(
    "intercept",
    &["on", "off"],
    "whether the weights' intercept counts",
);

const DRAFTERS: [DrafterInfo; 2] = [
    DrafterInfo {
        name: "greedy",
        parameters: &[WEIGHTS, INTERCEPT],
        build: |settings, player, seating| {
            let drafter = GreedyDrafter::new(evaluator(settings, player, seating)?);
            Ok(Box::new(PolicyBot::new(drafter, seating)))
        },
    },
    DrafterInfo {
        name: "uct",
        parameters: &[
            Parameter::whole("sims", "3000", (1, 10_000_000), "simulations a pick")
                .costs(Cost::Times(1.0)),
            Parameter::real("c", "0.01", (0.0, 1000.0), "exploration"),
            WEIGHTS,
            INTERCEPT,
        ],
        build: |settings, player, seating| {
            let params = UctParams {
                n_simulations: settings.whole("sims"),
                exploration: settings.real("c"),
            };
            let evaluator = evaluator(settings, player, seating)?;
            let drafter = UctDrafter::new(evaluator, params).with_grants(seating.grants);
            Ok(Box::new(PolicyBot::new(drafter, seating)))
        },
    },
];

/// The non-bot drafter with this name.
pub(crate) fn drafter_info(name: &str) -> Option<&'static DrafterInfo> {
    DRAFTERS.iter().find(|info| info.name == name)
}

/// The drafter `draft` for a spec; `player` names the bot that plays on.
pub(crate) fn drafter(
    settings: &Settings<'_>,
    player: &str,
    draft: &Spec,
    seating: &Seating<'_>,
) -> Result<Box<dyn Bot>, SpecError> {
    // A separate stream: drafting more must not change later play.
    let seating = Seating {
        seed: mix(seating.seed ^ fnv1a(b"draft")),
        ..*seating
    };
    if let Some(info) = drafter_info(&draft.name) {
        let bot = format!("draft={}", draft.name);
        let settings = Settings::read(draft, &bot, info.parameters)?;
        return (info.build)(&settings, player, &seating);
    }
    build(draft, &seating).map_err(|error| match error {
        SpecError::UnknownBot { .. } => {
            settings.bad_value("draft", "own, random, greedy, uct or a bot that drafts")
        }
        other => other,
    })
}

/// The evaluator of a drafter's `weights` and `intercept`; by default those
/// trained for the bot that plays on.
fn evaluator(
    settings: &Settings<'_>,
    player: &str,
    seating: &Seating<'_>,
) -> Result<DraftEvaluator, SpecError> {
    let (map, n_players) = (seating.game.map(), seating.game.n_players());
    let weights = match settings.weights("weights") {
        None => DraftWeights::for_bot(map, n_players, player),
        Some(name) => DraftWeights::load(name, &|path| seating.grants.weights(path))
            .map_err(|error| settings.bad_value("weights", &error.to_string()))?,
    };
    let has_intercept = settings.word("intercept") == "on";
    DraftEvaluator::new(map, n_players, &weights, has_intercept).map_err(|error| {
        SpecError::Unsuitable {
            bot: format!("draft={}", settings.spec()),
            reason: error.to_string(),
        }
    })
}
