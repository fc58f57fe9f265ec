//! Has the stronger of two bots the higher accuracy? Every pair of a ladder plays, and its
//! games are analysed: `cargo run --release -p hegemon-arena --example accuracy -- RULES
//! BLOCKS LEVEL SPEC SPEC...`. Who wins more of a pair's games is the stronger one; five bots
//! make ten pairs.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::process::ExitCode;
use std::sync::Arc;

use hegemon_analysis::{AnalysisParams, Level, accuracy, analyze};
use hegemon_arena::{GameSetup, Plan, deal_seed, play_to_text};
use hegemon_bots::{Grants, Spec, Stop};
use hegemon_core::{Game, Map, Rules};
use hegemon_record::GameRecord;

/// Games for who is the stronger of two: quick, without an analysis.
const N_BLOCKS_OF_STRENGTH: u64 = 200;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}\naccuracy RULES BLOCKS LEVEL SPEC SPEC...");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, n_blocks, level, specs @ ..] = arguments.as_slice() else {
        return Err("too few arguments".to_owned());
    };
    let n_blocks: u64 = n_blocks.parse().map_err(|_| "BLOCKS is a number")?;
    let level: Level = level.parse()?;
    let specs: Vec<Spec> = specs
        .iter()
        .map(|text| text.parse::<Spec>().map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let map = Map::builtin("classic").ok_or("no map")?;
    let rules = Rules::preset(rules).ok_or("no such rules")?;
    let game = Game::new(map, rules, 2).map_err(|error| error.to_string())?;
    let (mut n_right, mut n_pairs) = (0, 0);
    for (n, a) in specs.iter().enumerate() {
        for b in &specs[n + 1..] {
            let pair = Pair {
                game: &game,
                bots: [a, b],
            };
            let share = pair.share()?;
            let [of_a, of_b] = pair.accuracies(n_blocks, level)?;
            let is_right = (share > 0.5) == (of_a > of_b);
            n_pairs += 1;
            n_right += u32::from(is_right);
            println!(
                "{a} v {b}: wins {:.1} %, accuracy {:.1} v {:.1} % {}",
                100.0 * share,
                100.0 * of_a,
                100.0 * of_b,
                if is_right {
                    ""
                } else {
                    " <- the weaker is higher"
                }
            );
        }
    }
    println!("{n_right} of {n_pairs} pairs: the stronger has the higher accuracy");
    Ok(())
}

struct Pair<'a> {
    game: &'a Arc<Game>,
    bots: [&'a Spec; 2],
}

impl Pair<'_> {
    fn plan(&self, number: u64) -> Plan {
        Plan::rotated(
            deal_seed(1, "accuracy", number),
            self.bots.map(Clone::clone).to_vec(),
        )
    }

    /// The share of wins of the first bot.
    fn share(&self) -> Result<f64, String> {
        let (mut wins, mut n_games) = (0.0, 0.0);
        for number in 0..N_BLOCKS_OF_STRENGTH {
            let grants = Grants::sealed();
            let (games, _) = self
                .plan(number)
                .play_games(number, self.game, &grants, hegemon_arena::unwatched)
                .map_err(|error: hegemon_bots::SpecError| error.to_string())?;
            for game in games {
                n_games += 1.0;
                wins += game.seat_of(0).map_or(0.0, |seat| game.score(seat));
            }
        }
        Ok(wins / n_games)
    }

    /// Accuracy of both over all their decisions.
    fn accuracies(&self, n_blocks: u64, level: Level) -> Result<[f64; 2], String> {
        let mut losses: [Vec<f64>; 2] = Default::default();
        for number in 0..n_blocks {
            let grants = Grants::sealed();
            let play =
                |setup: &GameSetup<'_>, _| play_to_text(setup).map_err(|error| error.to_string());
            let (games, texts) = self
                .plan(number)
                .play_games(number, self.game, &grants, play)?;
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
                for point in &found.points {
                    if let Some(skill) = &point.skill {
                        losses[usize::from(game.seats[point.seat])].push(skill.loss);
                    }
                }
            }
        }
        Ok(losses.map(|losses| accuracy(losses).unwrap_or(0.0)))
    }
}
