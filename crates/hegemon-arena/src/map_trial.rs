//! A map tried by self-play: the worth of moving first, of every continent, and how long games
//! last.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::{ContinentId, Event, Game, Phase, PlayerId, State};

use crate::blocks::{deal_seed, run_blocks};
use crate::game_loop::{GameSetup, Observer, play_game};
use crate::stats::{Interval, MeanEstimate, Moments, share_ci95};

/// What to play.
#[derive(Clone, Debug)]
pub struct MapTrial {
    /// Map, rules and players.
    pub game: Arc<Game>,
    /// The bot in all seats.
    pub bot: Spec,
    /// Games.
    pub n_games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads; the result does not depend on it.
    pub n_threads: usize,
    /// The resources the bot may use.
    pub grants: Grants,
}

/// A share of the wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinShare {
    pub share: f64,
    /// Its 95 % interval.
    pub ci95: Interval,
}

impl WinShare {
    fn of(scores: &Moments) -> Option<WinShare> {
        Some(WinShare {
            share: scores.mean()?,
            ci95: share_ci95(scores),
        })
    }
}

/// What a continent was worth.
#[derive(Clone, Debug, PartialEq)]
pub struct ContinentTrial {
    /// Which.
    pub continent: ContinentId,
    /// Games in which somebody began a turn with all of it, before the last round.
    pub n_held: u64,
    /// The mean round in which that first happened.
    pub first_round: Option<f64>,
    /// Share of the wins of the first who held it; level is one over the players.
    pub holder: Option<WinShare>,
}

/// What a trial showed.
#[derive(Clone, Debug, PartialEq)]
pub struct MapTrialReport {
    /// Games played.
    pub n_games: u64,
    /// Games without a single winner, or that a bot forfeited.
    pub n_undecided: u64,
    /// Share of the wins by place in the order of play.
    pub by_order: Vec<WinShare>,
    /// Every continent in map order.
    pub continents: Vec<ContinentTrial>,
    /// Rounds of a game.
    pub rounds: MeanEstimate,
    /// The rounds below which a tenth, half and nine tenths of the games stay.
    pub deciles: [u32; 3],
}

/// Who first held each continent, and when.
struct Holders {
    first_player: PlayerId,
    first: Vec<Option<(PlayerId, u32)>>,
}

impl Observer for Holders {
    fn on_event(&mut self, before: &State, event: Event) {
        let is_turn = matches!(before.phase(), Phase::Trade | Phase::Reinforce);
        if !is_turn || before.is_mid_turn() || !matches!(event, Event::Move(_)) {
            return;
        }
        self.first_player = before.first_player();
        let (map, player) = (before.game().map(), before.player());
        let own = before.board().owned(player);
        for (continent, first) in map.continents().zip(&mut self.first) {
            if first.is_none() && own.is_superset(map.continent(continent).territories) {
                *first = Some((player, before.round()));
            }
        }
    }
}

/// A game as it counts.
struct Tried {
    scores: Vec<f64>,
    rounds: u32,
    is_decided: bool,
    holders: Holders,
}

impl MapTrial {
    /// Plays the games; fewer once `stop` is set. `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the bot cannot be built for the game.
    pub fn run(
        &self,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<Option<MapTrialReport>, SpecError> {
        check(&self.bot, &self.game, &self.grants)?;
        let mut games = Vec::new();
        let mut failure = None;
        run_blocks(
            self.n_threads,
            0..self.n_games,
            stop,
            |number| self.play(number),
            |_, tried| match tried {
                Ok(tried) => {
                    games.push(tried);
                    progress(games.len() as u64);
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            },
        );
        match failure {
            Some(error) => Err(error),
            None => Ok(self.report(&games)),
        }
    }

    fn play(&self, number: u64) -> Result<Tried, SpecError> {
        let seed = deal_seed(self.seed, "map trial", number);
        let specs = vec![&self.bot; self.game.n_players()];
        let mut holders = Holders {
            first_player: PlayerId::new(0),
            first: vec![None; self.game.map().continents().len()],
        };
        let setup = GameSetup {
            game: &self.game,
            specs: &specs,
            deal_seed: seed,
            seed,
            grants: &self.grants,
            start: None,
            deal: None,
        };
        let played = play_game(&setup, &mut holders)?;
        Ok(Tried {
            scores: played.scores(),
            rounds: played.rounds,
            is_decided: played.n_winners() == 1 && played.termination.loser().is_none(),
            holders,
        })
    }

    fn report(&self, games: &[Tried]) -> Option<MapTrialReport> {
        let n_players = self.game.n_players();
        let by_order = (0..n_players).filter_map(|place| {
            let score =
                |game: &Tried| game.scores[(game.holders.first_player.index() + place) % n_players];
            WinShare::of(&games.iter().map(score).collect())
        });
        let mut rounds: Vec<u32> = games.iter().map(|game| game.rounds).collect();
        rounds.sort_unstable();
        let at = |tenths: usize| rounds[(rounds.len() - 1) * tenths / 10];
        Some(MapTrialReport {
            n_games: games.len() as u64,
            n_undecided: games.iter().filter(|game| !game.is_decided).count() as u64,
            by_order: by_order.collect(),
            continents: self
                .game
                .map()
                .continents()
                .map(|continent| continent_trial(continent, games))
                .collect(),
            rounds: rounds
                .iter()
                .map(|&n| f64::from(n))
                .collect::<Moments>()
                .estimate()?,
            deciles: [at(1), at(5), at(9)],
        })
    }
}

fn continent_trial(continent: ContinentId, games: &[Tried]) -> ContinentTrial {
    let (mut scores, mut first) = (Moments::default(), Moments::default());
    for game in games {
        // Who holds a continent in the last round has won anyway.
        let held = game.holders.first[continent.index()];
        if let Some((player, round)) = held.filter(|(_, round)| *round < game.rounds) {
            scores.push(game.scores[player.index()]);
            first.push(f64::from(round));
        }
    }
    ContinentTrial {
        continent,
        n_held: scores.n(),
        first_round: first.mean(),
        holder: WinShare::of(&scores),
    }
}

#[cfg(test)]
mod tests {
    use hegemon_core::{Map, Rules};

    use super::*;

    fn trial(map: &str, n_threads: usize) -> MapTrialReport {
        let rules = Rules::preset("lux").expect("shipped");
        let map = Map::builtin(map).expect("shipped");
        let trial = MapTrial {
            game: Game::new(map, rules, 2).expect("it fits"),
            bot: Spec::plain("killbot"),
            n_games: 60,
            seed: 3,
            n_threads,
            grants: Grants::sealed(),
        };
        let never = AtomicBool::new(false);
        let report = trial.run(&never, |_| ()).expect("a bot");
        report.expect("some games")
    }

    #[test]
    fn a_trial_counts_every_game_once_on_any_number_of_threads() {
        let report = trial("ring24", 1);
        assert_eq!(report, trial("ring24", 2));
        assert_eq!(report.n_games, 60);
        let sum: f64 = report.by_order.iter().map(|seat| seat.share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert_eq!(report.continents.len(), 6);
        assert!(report.deciles[0] <= report.deciles[1] && report.deciles[1] <= report.deciles[2]);
        assert!(
            report
                .continents
                .iter()
                .any(|continent| continent.n_held > 10)
        );
        for continent in &report.continents {
            assert!(continent.n_held <= 60);
            assert_eq!(continent.holder.is_some(), continent.n_held > 0);
        }
    }
}
