//! Who sits where in the games of a training run.

use std::sync::Arc;

use hegemon_arena::{Entrant, Plan, SeatOrder};
use hegemon_bots::search::{GreedyBot, RiskGame};
use hegemon_bots::{Bot, Grants, Seating, Spec, SpecError, build, check, settings};
use hegemon_core::Game;
use hegemon_eval::Evaluator;

/// The player of a seat.
#[derive(Clone, Debug)]
pub(super) enum Seat {
    /// A bot as its spec says.
    Plain(Spec),
    /// The agent of this spec with weights held in memory.
    Weighted(Spec, Arc<Evaluator>),
}

impl Entrant for Seat {
    fn spec(&self) -> &Spec {
        match self {
            Seat::Plain(spec) | Seat::Weighted(spec, _) => spec,
        }
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        match self {
            Seat::Plain(spec) => build(spec, seating),
            Seat::Weighted(spec, evaluator) => Ok(Box::new(GreedyBot::new(
                RiskGame::new(seating.game),
                Arc::clone(evaluator),
                settings(spec)?.whole("samples"),
                seating.rng(),
            ))),
        }
    }
}

/// One deal with the first player in each of these seats in turn, the second in
/// all others.
pub(super) fn in_seats(
    deal_seed: u64,
    players: [Seat; 2],
    seats: impl Iterator<Item = u64>,
    n_players: u64,
) -> Plan<Seat> {
    let order = |number| SeatOrder {
        players: (0..n_players)
            .map(|seat| u8::from(seat != number))
            .collect(),
        number,
    };
    Plan::new(deal_seed, players.into(), seats.map(order).collect())
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
