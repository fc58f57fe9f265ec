//! Are adjusted shares unbiased, and their intervals honest? Many short matches of the same
//! players: `cargo run --release -p hegemon-arena --example adjusted_matches -- ADJUST RULES
//! MATCHES GAMES SPEC SPEC...`, where ADJUST is dice, value or lookahead.
//!
//! All matches have their own seed. The share of all games together stands for the truth;
//! its own error is small beside that of one match.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{Adjust, Match, MatchReport};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Game, Map, Rules};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("{message}\nadjusted_matches ADJUST RULES MATCHES GAMES SPEC SPEC...");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [adjust, rules, n_matches, n_games, specs @ ..] = arguments.as_slice() else {
        return Err("too few arguments".to_owned());
    };
    let adjust = match adjust.as_str() {
        "dice" => Adjust::Dice,
        "value" => Adjust::Value,
        "lookahead" => Adjust::Lookahead,
        other => return Err(format!("{other} is no adjustment")),
    };
    let number = |text: &String| text.parse::<u64>().map_err(|error| error.to_string());
    let (n_matches, n_games) = (number(n_matches)?, number(n_games)?);
    let specs: Vec<Spec> = specs
        .iter()
        .map(|text| text.parse::<Spec>().map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let map = Map::builtin("classic").ok_or("no map")?;
    let rules = Rules::preset(rules).ok_or("no such rules")?;
    let game = Game::new(map, rules, specs.len()).map_err(|error| error.to_string())?;
    let mut reports = Vec::new();
    for seed in 1..=n_matches {
        let one = Match {
            game: game.clone(),
            specs: specs.clone(),
            n_games,
            seed,
            n_threads: std::thread::available_parallelism().map_or(1, usize::from),
            grants: Grants::sealed(),
            records: None,
        };
        let report = one.run_adjusted(adjust, &AtomicBool::new(false), |_| ());
        reports.push(report.map_err(|error| error.to_string())?);
    }
    print(&reports);
    Ok(())
}

fn mean_and_error(numbers: &[f64]) -> [f64; 2] {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|x| (x - mean).powi(2)).sum();
    [mean, (squares / (n - 1.0).max(1.0) / n).sqrt()]
}

fn print(reports: &[MatchReport]) {
    let of = |pick: &dyn Fn(&MatchReport) -> Option<f64>| -> Vec<f64> {
        reports.iter().filter_map(pick).collect()
    };
    let games: u64 = reports.iter().map(|report| report.games).sum();
    let plain = of(&|report| Some(report.players[0].share));
    let adjusted = of(&|report| report.players[0].adjusted_share);
    let shift = of(&|report| {
        let first = &report.players[0];
        first.adjusted_share.map(|adjusted| adjusted - first.share)
    });
    let [truth, error] = mean_and_error(&plain);
    println!("{} matches, {games} games in all", reports.len());
    println!("plain     {:.3} ± {:.3} %", 100.0 * truth, 100.0 * error);
    let [mean, error] = mean_and_error(&adjusted);
    println!("adjusted  {:.3} ± {:.3} %", 100.0 * mean, 100.0 * error);
    let [mean, error] = mean_and_error(&shift);
    println!(
        "shift     {:+.3} ± {:.3} points, {:+.2} standard errors",
        100.0 * mean,
        100.0 * error,
        mean / error.max(f64::MIN_POSITIVE)
    );
    let covers = |ci: [f64; 2]| f64::from(u8::from(ci[0] <= truth && truth <= ci[1]));
    let plain_covers = of(&|report| Some(covers(report.players[0].ci95)));
    let covered = of(&|report| report.players[0].adjusted_ci95.map(covers));
    println!(
        "95 % intervals that hold the share of all games: plain {:.0} of {}, adjusted {:.0} of {}",
        plain_covers.iter().sum::<f64>(),
        plain_covers.len(),
        covered.iter().sum::<f64>(),
        covered.len()
    );
    let width = |ci: [f64; 2]| ci[1] - ci[0];
    let [plain, _] = mean_and_error(&of(&|report| Some(width(report.players[0].ci95))));
    let widths = of(&|report| report.players[0].adjusted_ci95.map(width));
    let [adjusted, _] = mean_and_error(&widths);
    println!(
        "mean width: plain {:.2}, adjusted {:.2} points, {:.2} of it: worth {:.2} times the games",
        100.0 * plain,
        100.0 * adjusted,
        adjusted / plain,
        (plain / adjusted).powi(2)
    );
}
