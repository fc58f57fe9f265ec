//! Has the stronger of two bots the higher accuracy? Every pair of a ladder plays, both bots in
//! half of the seats, and its games are analysed: `cargo run --release -p hegemon-arena
//! --example accuracy -- RULES PLAYERS BLOCKS LEVEL SEED SPEC SPEC...`, the strongest bot first.
//! A block is one deal in all seat orders; five bots make ten pairs.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::process::ExitCode;
use std::sync::Arc;

use hegemon_analysis::{AnalysisParams, Level, TurnChance, accuracy, analyze, turn_chances};
use hegemon_arena::{GameSetup, Plan, deal_seed, play_to_text};
use hegemon_bots::{Grants, Spec, Stop};
use hegemon_core::{Game, Map, Rules};
use hegemon_record::GameRecord;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}\naccuracy RULES PLAYERS BLOCKS LEVEL SEED SPEC SPEC...");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, n_players, n_blocks, level, seed, specs @ ..] = arguments.as_slice() else {
        return Err("too few arguments".to_owned());
    };
    let n_players: usize = n_players.parse().map_err(|_| "PLAYERS is a number")?;
    let n_blocks: u64 = n_blocks.parse().map_err(|_| "BLOCKS is a number")?;
    let level: Level = level.parse()?;
    let seed: u64 = seed.parse().map_err(|_| "SEED is a number")?;
    let specs: Vec<Spec> = specs
        .iter()
        .map(|text| text.parse::<Spec>().map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let map = Map::builtin("classic").ok_or("no map")?;
    let rules = Rules::preset(rules).ok_or("no such rules")?;
    let game = Game::new(map, rules, n_players).map_err(|error| error.to_string())?;
    let (mut n_right, mut n_pairs) = (0, 0);
    for (n, stronger) in specs.iter().enumerate() {
        for weaker in &specs[n + 1..] {
            let pair = Pair {
                game: &game,
                bots: [stronger, weaker],
                seed,
            };
            let found = pair.play(n_blocks, level)?;
            n_pairs += 1;
            n_right += u32::from(found.is_right());
            println!("{stronger} v {weaker}: {}", found.text());
        }
    }
    println!("{n_right} of {n_pairs} pairs: the stronger has the higher accuracy");
    Ok(())
}

/// The games of a pair.
#[derive(Default)]
struct PairGames {
    n_games: usize,
    /// Wins of the stronger one.
    wins: f64,
    /// What every turn kept and gave away, by block and bot.
    blocks: Vec<[Vec<TurnChance>; 2]>,
}

impl PairGames {
    /// Accuracy of both over all their turns.
    fn accuracies(&self) -> [f64; 2] {
        [0, 1].map(|bot| {
            let turns = self.blocks.iter().flat_map(|block| &block[bot]);
            accuracy(turns.copied()).unwrap_or(0.0)
        })
    }

    fn is_right(&self) -> bool {
        let [stronger, weaker] = self.accuracies();
        stronger > weaker
    }

    /// Standard error of the difference, over blocks.
    fn error(&self) -> f64 {
        let of = |turns: &Vec<TurnChance>| accuracy(turns.iter().copied()).unwrap_or(0.0);
        let gaps: Vec<f64> = self.blocks.iter().map(|[a, b]| of(a) - of(b)).collect();
        let n = gaps.len() as f64;
        let mean = gaps.iter().sum::<f64>() / n;
        let squares: f64 = gaps.iter().map(|gap| (gap - mean).powi(2)).sum();
        (squares / (n - 1.0).max(1.0) / n).sqrt()
    }

    fn text(&self) -> String {
        let [stronger, weaker] = self.accuracies();
        format!(
            "wins {:.0} % of {} games, accuracy {:.1} v {:.1} % ({:+.1} ± {:.1}){}",
            100.0 * self.wins / self.n_games as f64,
            self.n_games,
            100.0 * stronger,
            100.0 * weaker,
            100.0 * (stronger - weaker),
            100.0 * self.error(),
            if self.is_right() {
                ""
            } else {
                " <- the weaker is higher"
            }
        )
    }
}

struct Pair<'a> {
    game: &'a Arc<Game>,
    /// The stronger one first.
    bots: [&'a Spec; 2],
    seed: u64,
}

impl Pair<'_> {
    /// Which of the two is a player of the plan.
    fn bot_of(&self, player: usize) -> usize {
        usize::from(player >= self.game.n_players() / 2)
    }

    fn plan(&self, number: u64) -> Plan {
        let players = 0..self.game.n_players();
        let players = players.map(|player| self.bots[self.bot_of(player)].clone());
        Plan::rotated(deal_seed(self.seed, "accuracy", number), players.collect())
    }

    fn play(&self, n_blocks: u64, level: Level) -> Result<PairGames, String> {
        let mut all = PairGames::default();
        let grants = Grants::sealed();
        for number in 0..n_blocks {
            let play =
                |setup: &GameSetup<'_>, _| play_to_text(setup).map_err(|error| error.to_string());
            let (games, texts) = self
                .plan(number)
                .play_games(number, self.game, &grants, play)?;
            let mut turns: [Vec<TurnChance>; 2] = Default::default();
            for (game, text) in games.iter().zip(&texts) {
                let record = GameRecord::parse(text).map_err(|error| error.to_string())?;
                let params = AnalysisParams {
                    level,
                    n_threads: std::thread::available_parallelism().map_or(1, usize::from),
                    seed: number,
                    stop: Stop::never(),
                };
                let found = analyze(&record, &params, &|_, _| ());
                let found = found.map_err(|error| error.to_string())?;
                let bot_in = |seat: usize| self.bot_of(usize::from(game.seats[seat]));
                let own = found.totals.iter().filter(|total| bot_in(total.seat) == 0);
                all.wins += own.map(|total| total.result).sum::<f64>();
                all.n_games += 1;
                for seat in 0..found.totals.len() {
                    turns[bot_in(seat)].extend(turn_chances(&found.points, seat));
                }
            }
            all.blocks.push(turns);
        }
        Ok(all)
    }
}
