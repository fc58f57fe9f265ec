//! The strength of trained weights, measured in a separate match.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use hegemon_arena::stats::{Moments, share_ci95};
use hegemon_arena::{deal_seed, play_blocks, unwatched};
use hegemon_eval::Weights;
use serde::{Deserialize, Serialize};

use crate::weights::agent::in_seats;
use crate::weights::{TrainError, Training, TrainingProgress};

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// The measured agent.
    pub agent: String,
    pub opponent: String,
    /// Games played, each deal in every seat.
    pub n_games: u64,
    /// Share won.
    pub share: f64,
    /// Its 95 % interval, over deals.
    pub ci95: [f64; 2],
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| 100.0 * share;
        write!(
            f,
            "{} against {}: {:.1} % of {} games (95 % interval {:.1} to {:.1})",
            self.agent,
            self.opponent,
            percent(self.share),
            self.n_games,
            percent(self.ci95[0]),
            percent(self.ci95[1]),
        )
    }
}

impl Training<'_> {
    /// Plays the agent with these weights against the opponent on deals that no
    /// training has seen.
    pub(super) fn measure(
        &self,
        weights: &Weights,
        mut progress: impl FnMut(&TrainingProgress<'_>),
        stop: &AtomicBool,
    ) -> Result<Strength, TrainError> {
        let params = self.params;
        let n_players = self.game.n_players() as u64;
        let mut shares = Moments::default();
        let players = [self.agent(weights), self.opponent()];
        play_blocks(
            &self.grounds(),
            0..params.n_match_games.div_ceil(n_players),
            stop,
            |block| {
                let deal = deal_seed(params.seed, "measure", block);
                Ok(in_seats(deal, players.clone(), 0..n_players, n_players))
            },
            unwatched::<_, TrainError>,
            |block, _| {
                shares.push(block.share(0));
                progress(&TrainingProgress::Measuring {
                    n_games: n_players * shares.n(),
                    of: params.n_match_games,
                    score: shares.mean().unwrap_or(0.5),
                });
                Ok(ControlFlow::Continue(()))
            },
        )?;
        let interval = share_ci95(&shares);
        Ok(Strength {
            agent: params.agent.to_string(),
            opponent: params.opponent.to_string(),
            n_games: n_players * shares.n(),
            share: shares.mean().unwrap_or(0.5),
            ci95: [interval.low, interval.high],
        })
    }
}
