//! Games between agents, played as fast as possible.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{GameUnderWay, deal_seed, run_blocks};
use hegemon_bots::beam::{BeamPolicy, Characteristics};
use hegemon_bots::policy::{Policy, playout};
use hegemon_core::{ByPlayer, Game, GameError, Map, Move, Rng, Rules, State, View};

/// Seats of a game: the agents of a tournament play in fours.
pub const SEATS: usize = 4;
/// Decisions after which a game is stopped, under rules without a limit.
const DECISION_CAP: u32 = 200_000;

/// The games of two, three and four players under the same rules.
#[derive(Clone, Debug)]
pub struct GamesBySeats {
    games: Vec<Arc<Game>>,
}

/// All seats of a game as one policy.
struct BeamSeats(Vec<BeamPolicy>);

impl Policy for BeamSeats {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        self.0[view.seat().index()].choose(view, rng)
    }
}

impl GamesBySeats {
    /// Games on this map under these rules.
    ///
    /// # Errors
    ///
    /// If map and rules do not fit two to four players.
    pub fn new(map: &Map, rules: &Rules) -> Result<GamesBySeats, GameError> {
        let games = (2..=SEATS).map(|n| Game::new(map.clone(), rules.clone(), n));
        Ok(GamesBySeats {
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
        let mut seats = BeamSeats(agents.iter().map(seat).collect());
        let mut rng = Rng::stream(seed, "beam game");
        let mut state = game.start();
        playout(&mut state, &mut seats, &mut rng, DECISION_CAP);
        match state.result() {
            Some(result) => result.score,
            None => leaders(&state),
        }
    }

    /// Plays a game by the numbers of its agents, as [`GamesBySeats::play`].
    pub fn play_game(&self, agents: &[Characteristics], game: &TableGame) -> ByPlayer<f64> {
        let _game = GameUnderWay::begin();
        let seats: Vec<&Characteristics> = game.seats.iter().map(|&n| &agents[n]).collect();
        self.play(&seats, game.seed)
    }
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableGame {
    /// The number of the agent in each seat.
    pub seats: Vec<usize>,
    /// Seed of the game.
    pub seed: u64,
}

/// Receives the shares of the win of a game by its number, and says whether to go on.
pub type Consume<'a> = &'a mut dyn FnMut(usize, &[f64]) -> ControlFlow<()>;

/// Where the games of a run are played: on threads here, or on other machines.
pub trait Venue {
    /// Plays the games and delivers them in order, until told to break. A venue that
    /// cannot go on stops the run, and its owner knows why.
    fn play(&self, agents: &[Characteristics], games: &[TableGame], consume: Consume<'_>);
}

/// Threads of this process.
pub struct ThreadVenue<'a> {
    /// The games.
    pub tables: &'a GamesBySeats,
    /// How many.
    pub n_threads: usize,
    /// Ends the work.
    pub stop: &'a AtomicBool,
}

impl Venue for ThreadVenue<'_> {
    fn play(&self, agents: &[Characteristics], games: &[TableGame], consume: Consume<'_>) {
        run_blocks(
            self.n_threads,
            0..games.len() as u64,
            self.stop,
            |game| self.tables.play_game(agents, &games[game as usize]),
            |game, score| {
                let game = game as usize;
                consume(game, &score.as_slice()[..games[game].seats.len()])
            },
        );
    }
}

/// Games of four in which an agent is measured against others.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// How many.
    pub n_games: u64,
    /// Their seed.
    pub seed: u64,
    /// Distinguishes them from other games of the seed.
    pub label: &'a str,
}

impl Sample<'_> {
    /// Mean share of one agent against three seats of others, taken in turn. An
    /// equal agent gets a quarter.
    pub fn share(
        &self,
        venue: &dyn Venue,
        agent: &Characteristics,
        others: &[Characteristics],
    ) -> f64 {
        let mut agents = vec![*agent];
        agents.extend(others);
        let game = |game: u64| {
            let seat = (game % SEATS as u64) as usize;
            let other = |s: usize| 1 + (game as usize + s) % others.len();
            TableGame {
                seats: (0..SEATS)
                    .map(|s| if s == seat { 0 } else { other(s) })
                    .collect(),
                seed: deal_seed(self.seed, self.label, game),
            }
        };
        let games: Vec<TableGame> = (0..self.n_games).map(game).collect();
        let (mut sum, mut n_games) = (0.0, 0);
        venue.play(&agents, &games, &mut |game, score| {
            sum += score[game % SEATS];
            n_games += 1;
            ControlFlow::Continue(())
        });
        sum / f64::from(n_games.max(1))
    }
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
