//! Who sits where in the games of a training run.

use std::sync::Arc;

use hegemon_arena::{Observer, Played, play};
use hegemon_bots::search::{GreedyBot, RiskGame};
use hegemon_bots::{Bot, Grants, Seating, Spec, SpecError, build, check, settings};
use hegemon_core::{Game, PlayerId, Streams};
use hegemon_eval::{Evaluator, GameFacts, Weights};

/// The player of a seat.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seat<'a> {
    /// A bot as its spec says.
    Plain(&'a Spec),
    /// The agent of this spec with weights that are in no file.
    Weighted(&'a Spec, &'a Weights),
}

/// Checks that a spec names an agent whose weights can be trained.
pub(super) fn check_agent(spec: &Spec, game: &Arc<Game>, grants: &Grants) -> Result<(), SpecError> {
    check(spec, game, grants)?;
    if spec.name != "greedy" {
        return Err(SpecError::Unsuitable {
            bot: spec.name.clone(),
            reason: "only greedy is trained".to_owned(),
        });
    }
    if spec.value("weights").is_some() {
        return Err(spec.bad_value("weights", "nothing, since training sets them"));
    }
    Ok(())
}

/// Plays one game; `seeds` are those of the deal and of the rest.
pub(super) fn play_game(
    game: &Arc<Game>,
    facts: &Arc<GameFacts>,
    seats: &[Seat<'_>],
    grants: &Grants,
    seeds: (u64, u64),
    observer: &mut impl Observer,
) -> Result<Played, SpecError> {
    let mut bots = Vec::with_capacity(seats.len());
    for (idx, seat) in seats.iter().enumerate() {
        let seating = Seating {
            game,
            seat: PlayerId::new(idx),
            seed: seeds.1,
            grants,
        };
        bots.push(match seat {
            Seat::Plain(spec) => build(spec, &seating)?,
            Seat::Weighted(spec, weights) => greedy(spec, weights, facts, &seating)?,
        });
    }
    let mut streams = Streams::with_dice(seeds.0, seeds.1);
    Ok(play(game.start(), &mut bots, &mut streams, observer))
}

fn greedy(
    spec: &Spec,
    weights: &Weights,
    facts: &Arc<GameFacts>,
    seating: &Seating<'_>,
) -> Result<Box<dyn Bot>, SpecError> {
    let samples = settings(spec)?.whole("samples");
    let evaluator = Arc::new(Evaluator::new(Arc::clone(facts), weights));
    let game = RiskGame::new(seating.game);
    Ok(Box::new(GreedyBot::new(
        game,
        evaluator,
        samples,
        seating.rng(),
    )))
}
