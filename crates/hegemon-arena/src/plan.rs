//! Plans of blocks, and the function that plays them in order.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrayvec::ArrayVec;
use hegemon_bots::{Grants, Spec, SpecError};
use hegemon_core::{Game, MAX_PLAYERS, State};
use hegemon_record::Program;

use crate::blocks::{game_seed, run_blocks_by, seat_orders};
use crate::game_loop::{Entrant, GameSetup, SharedDeal, play_game};
use crate::meter::DueGames;
use crate::played::{Block, Played};

/// A block that is about to be played.
#[derive(Clone, Debug)]
pub struct Plan<P = Spec> {
    /// Seed of the deal.
    pub deal_seed: u64,
    pub players: Vec<P>,
    pub games: Vec<SeatOrder>,
    /// The initial state, if not before the deal.
    pub start: Option<State>,
    /// The result if the deal itself ended the game; there are then no other
    /// games.
    pub over: Option<Played>,
}

/// Who sits where in a game of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatOrder {
    /// Number of the player in each seat.
    pub players: ArrayVec<u8, MAX_PLAYERS>,
    /// What the game's seed is derived from; games of one block may share it.
    pub number: u64,
}

impl SeatOrder {
    /// The seat orders of a block of `n_players`, see [`seat_orders`].
    pub fn all(n_players: usize) -> Vec<SeatOrder> {
        let order = |(number, order): (u64, Vec<usize>)| SeatOrder {
            players: order.iter().map(|&player| player as u8).collect(),
            number,
        };
        (0..).zip(seat_orders(n_players)).map(order).collect()
    }
}

impl<P> Plan<P> {
    /// One deal in all seat orders.
    pub fn rotated(deal_seed: u64, players: Vec<P>) -> Plan<P> {
        let games = SeatOrder::all(players.len());
        Plan::new(deal_seed, players, games)
    }

    /// One deal in these seat orders.
    pub fn new(deal_seed: u64, players: Vec<P>, games: Vec<SeatOrder>) -> Plan<P> {
        Plan {
            deal_seed,
            players,
            games,
            start: None,
            over: None,
        }
    }
}

impl<P: Entrant> Plan<P> {
    /// Plays the block with this number; `play` plays each game, and its extra
    /// results are returned too.
    ///
    /// # Errors
    ///
    /// The first error of `play`.
    pub fn play<T, E>(
        self,
        number: u64,
        game: &Arc<Game>,
        grants: &Grants,
        play: impl Fn(&GameSetup<'_, P>, GameNumber) -> Result<(Played, T), E>,
    ) -> Result<(Block, Vec<T>), E> {
        let specs = self.players.iter().map(|p| p.spec().clone()).collect();
        let deal_seed = self.deal_seed;
        let (games, notes) = self.play_games(number, game, grants, play)?;
        let block = Block {
            number,
            deal_seed,
            specs,
            program: Program::current().clone(),
            games,
        };
        Ok((block, notes))
    }

    /// The same without what all blocks of a run share.
    ///
    /// # Errors
    ///
    /// The first error of `play`.
    pub fn play_games<T, E>(
        self,
        number: u64,
        game: &Arc<Game>,
        grants: &Grants,
        play: impl Fn(&GameSetup<'_, P>, GameNumber) -> Result<(Played, T), E>,
    ) -> Result<(Vec<Played>, Vec<T>), E> {
        let mut games: Vec<Played> = self.over.into_iter().collect();
        let orders = if games.is_empty() {
            &self.games[..]
        } else {
            &[]
        };
        let mut notes = Vec::with_capacity(orders.len());
        games.reserve(orders.len());
        let deal = Deal {
            game,
            grants,
            players: &self.players,
            orders,
            seed: self.deal_seed,
            start: self.start.as_ref(),
        };
        deal.play(number, play, |played, note| {
            games.push(played);
            notes.push(note);
        })?;
        Ok((games, notes))
    }
}

/// One deal and the seat orders in which it is played: what a [`Plan`] says, borrowed, so that
/// short games need no memory of their own.
pub(crate) struct Deal<'a, P> {
    pub(crate) game: &'a Arc<Game>,
    pub(crate) grants: &'a Grants,
    pub(crate) players: &'a [P],
    pub(crate) orders: &'a [SeatOrder],
    /// Seed of the deal.
    pub(crate) seed: u64,
    /// The initial state, if not before the deal.
    pub(crate) start: Option<&'a State>,
}

impl<P: Entrant> Deal<'_, P> {
    /// Plays the games with `play` and hands each over.
    ///
    /// # Errors
    ///
    /// The first error of `play`.
    pub(crate) fn play<T, E>(
        &self,
        number: u64,
        play: impl Fn(&GameSetup<'_, P>, GameNumber) -> Result<(Played, T), E>,
        mut take: impl FnMut(Played, T),
    ) -> Result<(), E> {
        let mut due = DueGames::begin(self.orders.len() as u64);
        let shared = SharedDeal::default();
        for (n, order) in (0..).zip(self.orders) {
            let seated = order.players.iter().map(|&p| &self.players[usize::from(p)]);
            let setup = GameSetup {
                game: self.game,
                specs: &seated.collect::<ArrayVec<&P, MAX_PLAYERS>>(),
                deal_seed: self.seed,
                seed: game_seed(self.seed, order.number),
                grants: self.grants,
                start: self.start,
                deal: Some(&shared),
            };
            let number = GameNumber {
                block: number,
                game: n,
            };
            let (mut played, note) = play(&setup, number)?;
            played.seats.clone_from(&order.players);
            take(played, note);
            due.play();
        }
        Ok(())
    }
}

/// The position of a game in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNumber {
    /// Number of its block.
    pub block: u64,
    /// Its number in the block.
    pub game: u64,
}

/// Plays a game of a block without an observer.
///
/// # Errors
///
/// If a spec cannot be built for the game.
pub fn unwatched<P: Entrant, E: From<SpecError>>(
    setup: &GameSetup<'_, P>,
    _: GameNumber,
) -> Result<(Played, ()), E> {
    Ok((play_game(setup, &mut ())?, ()))
}

/// What all blocks of a run share.
#[derive(Clone, Copy, Debug)]
pub struct Grounds<'a> {
    /// Map, rules and number of players.
    pub game: &'a Game,
    /// The resources the players may use.
    pub grants: &'a Grants,
    /// Worker threads; the results do not depend on it.
    pub n_threads: usize,
}

/// Plays blocks in parallel and delivers them in order, each with what `play`
/// returned for its games. Stops when `stop` is set or `consume` breaks.
///
/// # Errors
///
/// The first error of `plan`, `play` or `consume`.
pub fn play_blocks<P: Entrant, T: Send, E: Send>(
    grounds: &Grounds<'_>,
    numbers: Range<u64>,
    stop: &AtomicBool,
    plan: impl Fn(u64) -> Result<Plan<P>, E> + Sync,
    play: impl Fn(&GameSetup<'_, P>, GameNumber) -> Result<(Played, T), E> + Sync,
    mut consume: impl FnMut(Block, Vec<T>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut failure = None;
    run_blocks_by(
        grounds.n_threads,
        numbers,
        stop,
        || {
            // Threads that share a game would contend for its reference count.
            let game = Arc::new(grounds.game.clone());
            let (plan, play) = (&plan, &play);
            move |number| plan(number)?.play(number, &game, grounds.grants, play)
        },
        |_, played| {
            let consumed = played.and_then(|(block, notes)| consume(block, notes));
            consumed.unwrap_or_else(|error| {
                failure = Some(error);
                ControlFlow::Break(())
            })
        },
    );
    failure.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use hegemon_core::{ForfeitKind, Map, Move, PlayerId, Rules, Termination, View};

    use super::*;

    fn game() -> Arc<Game> {
        let map = Map::builtin("line4").expect("shipped");
        Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("they fit")
    }

    fn plan(_: u64) -> Result<Plan, SpecError> {
        let players = ["baseline", "simulation"].map(Spec::plain);
        Ok(Plan::rotated(5, players.to_vec()))
    }

    #[test]
    fn a_block_is_read_back_as_it_was_written() {
        let (game, grants) = (game(), Grants::sealed());
        let (block, _) = plan(0)
            .and_then(|plan| plan.play(3, &game, &grants, unwatched::<_, SpecError>))
            .expect("sound");
        assert_eq!(block.games[1].seats[..], [1, 0]);
        assert_eq!(block.share(0) + block.share(1), 1.0);
        let text = serde_json::to_string(&block).expect("plain values");
        let again: Block = serde_json::from_str(&text).expect("as written");
        assert_eq!(again, block);
    }

    /// Makes an illegal move.
    struct Cheat(Spec);

    impl hegemon_bots::Bot for Cheat {
        fn choose(&mut self, _: View<'_>) -> Result<Move, hegemon_bots::Forfeit> {
            Ok(Move::Occupy { armies: 0 })
        }
    }

    impl Entrant for Cheat {
        fn spec(&self) -> &Spec {
            &self.0
        }

        fn seat(
            &self,
            _: &hegemon_bots::Seating<'_>,
        ) -> Result<Box<dyn hegemon_bots::Bot>, SpecError> {
            Ok(Box::new(Cheat(self.0.clone())))
        }
    }

    #[test]
    fn a_forfeit_is_a_result_like_any_other() {
        let (game, grants) = (game(), Grants::sealed());
        let players = vec![Cheat(Spec::plain("cheat")), Cheat(Spec::plain("cheat"))];
        let played = Plan::rotated(5, players).play(0, &game, &grants, unwatched::<_, SpecError>);
        for game in played.expect("played all the same").0.games {
            let loser = game.termination.loser().expect("it cheats");
            let kind = ForfeitKind::IllegalMove;
            assert_eq!(game.termination, Termination::Forfeit { seat: loser, kind });
            assert_eq!(game.score(loser), 0.0);
            assert_eq!(game.score(PlayerId::new(1 - loser.index())), 1.0);
            assert!(game.message.is_some());
        }
    }

    #[test]
    fn the_first_error_ends_the_run() {
        let (game, grants) = (game(), Grants::sealed());
        let grounds = Grounds {
            game: &game,
            grants: &grants,
            n_threads: 2,
        };
        let mut seen = Vec::new();
        let stop = AtomicBool::new(false);
        let result = play_blocks(
            &grounds,
            0..100,
            &stop,
            |number| plan(number).map_err(|error| error.to_string()),
            |setup, _| match play_game(setup, &mut ()) {
                Ok(played) => Ok((played, ())),
                Err(error) => Err(error.to_string()),
            },
            |block, _| {
                seen.push(block.number);
                match block.number {
                    7 => Err("enough".to_owned()),
                    _ => Ok(ControlFlow::Continue(())),
                }
            },
        );
        assert_eq!(result, Err("enough".to_owned()));
        assert_eq!(seen, (0..=7).collect::<Vec<_>>());
    }
}
