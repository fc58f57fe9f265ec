//! Games between agents, played as fast as possible.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{deal_seed, run_blocks};
use hegemon_bots::beam::{BeamPolicy, Characteristics};
use hegemon_bots::policy::{Policy, playout};
use hegemon_core::{ByPlayer, Game, GameError, Map, Move, Rng, Rules, State, View};

/// Seats of a game: the agents of a tournament play in fours.
pub const SEATS: usize = 4;
/// Decisions after which a game is stopped, under rules without a limit.
const DECISION_CAP: u32 = 200_000;

/// The games of two, three and four players under the same rules.
#[derive(Clone, Debug)]
pub struct Tables {
    games: Vec<Arc<Game>>,
}

/// All seats of a game as one policy.
struct Seats(Vec<BeamPolicy>);

impl Policy for Seats {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        self.0[view.seat().index()].choose(view, rng)
    }
}

impl Tables {
    /// Games on this map under these rules.
    ///
    /// # Errors
    ///
    /// If map and rules do not fit two to four players.
    pub fn new(map: &Map, rules: &Rules) -> Result<Tables, GameError> {
        let games = (2..=SEATS).map(|n| Game::new(map.clone(), rules.clone(), n));
        Ok(Tables {
            games: games.collect::<Result<_, _>>()?,
        })
    }

    /// The game of `n_players`.
    pub fn game(&self, n_players: usize) -> &Arc<Game> {
        &self.games[n_players - 2]
    }

    /// Plays a game; entry `s` is the agent in seat `s`. Returns the shares of
    /// the win.
    pub fn play(&self, agents: &[&Characteristics], seed: u64) -> ByPlayer<f64> {
        let game = self.game(agents.len());
        let seat = |values: &&Characteristics| BeamPolicy::new(values, game);
        let mut seats = Seats(agents.iter().map(seat).collect());
        let mut rng = Rng::stream(seed, "beam game");
        let mut state = game.start();
        playout(&mut state, &mut seats, &mut rng, DECISION_CAP);
        match state.result() {
            Some(result) => result.score,
            None => leaders(&state),
        }
    }

    /// Mean share of one agent in games of four against three seats of others,
    /// taken in turn. An equal agent gets a quarter.
    pub fn share(
        &self,
        agent: &Characteristics,
        others: &[Characteristics],
        sample: &Sample<'_>,
    ) -> f64 {
        let mut sum = 0.0;
        let mut n_games = 0;
        run_blocks(
            sample.n_threads,
            0..sample.n_games,
            sample.stop,
            |game| {
                let seat = (game % SEATS as u64) as usize;
                let other = |s: usize| &others[(game as usize + s) % others.len()];
                let at = |s: usize| if s == seat { agent } else { other(s) };
                let agents: [&Characteristics; SEATS] = std::array::from_fn(at);
                let seed = deal_seed(sample.seed, sample.label, game);
                self.play(&agents, seed).as_slice()[seat]
            },
            |_, score| {
                sum += score;
                n_games += 1;
                ControlFlow::Continue(())
            },
        );
        sum / f64::from(n_games.max(1))
    }
}

/// Games that measure an agent.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// How many.
    pub n_games: u64,
    /// Their seed.
    pub seed: u64,
    /// Distinguishes them from other games of the seed.
    pub label: &'a str,
    /// Worker threads; the result does not depend on it.
    pub n_threads: usize,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

/// The players with the most territories share the win, under rules without a
/// limit.
fn leaders(state: &State) -> ByPlayer<f64> {
    let most = state.alive().map(|p| state.board().n_owned(p)).max();
    let leads = |p| Some(state.board().n_owned(p)) == most;
    let n_leaders = state.alive().filter(|&p| leads(p)).count() as f64;
    ByPlayer::from_fn(|p| {
        if state.is_alive(p) && leads(p) {
            1.0 / n_leaders
        } else {
            0.0
        }
    })
}
