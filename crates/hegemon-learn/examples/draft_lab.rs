//! The experiments of paper 002.
//!
//! `cargo run --release -p hegemon-learn --example draft_lab -- WORD [key=value...]`
//! where WORD is
//! - `speed`: milliseconds of a UCT pick
//! - `table2`, `native`: Table 2 in both readings (games=300)
//! - `scores`: Figure 5(a) (games=300)
//! - `train`: learns weights (bot=quo drafter=SPEC drafts=7364 games=100 net=on out=FOLDER)
//! - `strongest`: who plays on best from its own draft (games=600)
//! - `duel`: a against b among a field, by sequential test (a= b= field=x;y games=)
//! - `contest`: any match (specs=x;y;z)
//!
//! All take `seed=1`, `threads=2`, `players=3`.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use hegemon_arena::sprt::{Sprt, SprtParams};
use hegemon_arena::{ContestReport, Duel};
use hegemon_bots::Spec;
use hegemon_bots::draft::{DraftBoard, UctDrafter, UctParams};
use hegemon_core::{Game, Map, PlayerId, Rng, Rules};
use hegemon_eval::draft::{DraftEvaluator, DraftWeights};
use hegemon_learn::draft::experiments::{
    Reading, Size, TABLE_2, contest, drafter_scores, play_match_up,
};
use hegemon_learn::draft::{
    DraftProgress, DraftTraining, NetParams, Quality, figure_3, recovery, run, weights_table,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Args(BTreeMap<String, String>);

impl Args {
    fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.0.get(key).map_or(default, String::as_str)
    }

    fn number(&self, key: &str, default: u64) -> u64 {
        self.0
            .get(key)
            .and_then(|v| v.parse().ok())
            .unwrap_or(default)
    }

    fn game(&self) -> Result<Arc<Game>> {
        let map = Map::builtin(self.text("map", "classic-lux")).ok_or("no such map")?;
        let rules = Rules::preset(self.text("rules", "draft")).ok_or("no such rules")?;
        Ok(Game::new(map, rules, self.number("players", 3) as usize)?)
    }
}

static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let word = words.next().unwrap_or_default();
    let pairs = words.filter_map(|w| w.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())));
    let args = Args(pairs.collect());
    let start = Instant::now();
    match word.as_str() {
        "speed" => speed(&args)?,
        "table2" => table_2(Reading::Drafters, &args)?,
        "native" => table_2(Reading::Complete, &args)?,
        "scores" => scores(&args)?,
        "train" => train(&args)?,
        "strongest" => strongest(&args)?,
        "duel" => duel(&args)?,
        "contest" => {
            let specs: Vec<String> = args
                .text("specs", "")
                .split(';')
                .map(str::to_owned)
                .collect();
            print_contest(&contest(&args.game()?, &specs, &size(&args, 300))?);
        }
        other => return Err(format!("there is no experiment \"{other}\"").into()),
    }
    println!("({:.1} s)", start.elapsed().as_secs_f64());
    Ok(())
}

fn size(args: &Args, n_games: u64) -> Size<'static> {
    Size {
        n_games: args.number("games", n_games),
        seed: args.number("seed", 1),
        n_threads: args.number("threads", 2) as usize,
        stop: &STOP,
    }
}

fn speed(args: &Args) -> Result<()> {
    let game = args.game()?;
    let n_players = game.n_players();
    let name = args.text("weights", "auto");
    let weights = if name == "auto" {
        DraftWeights::for_bot(game.map(), n_players, "quo")
    } else {
        DraftWeights::load(name)?
    };
    let evaluator = DraftEvaluator::new(game.map(), n_players, &weights, true)?;
    let n_sims = args.number("sims", 3000) as u32;
    let mut slowest = 0.0f64;
    let (mut total, mut n_picks) = (0.0, 0.0);
    for seed in 0..args.number("drafts", 20) {
        let params = UctParams {
            n_simulations: n_sims,
            exploration: 0.01,
        };
        let mut drafters = vec![UctDrafter::new(evaluator.clone(), params); n_players];
        let mut rng = Rng::from_seed(seed);
        let mut draft = DraftBoard {
            owners: vec![PlayerId::NOBODY; game.map().n_territories()],
            mover: PlayerId::new(0),
            n_players,
        };
        while draft.free().next().is_some() {
            let start = Instant::now();
            let pick = drafters[draft.mover.index()].search(draft.clone(), &mut rng);
            let took = 1000.0 * start.elapsed().as_secs_f64();
            slowest = slowest.max(took);
            total += took;
            n_picks += 1.0;
            draft.owners[pick.ok_or("no pick")?.index()] = draft.mover;
            draft.mover = draft.after(draft.mover);
        }
    }
    println!(
        "{n_sims} simulations a pick: mean {:.2} ms, slowest {slowest:.2} ms",
        total / n_picks
    );
    Ok(())
}

fn table_2(reading: Reading, args: &Args) -> Result<()> {
    let only = args.text("only", "");
    println!(
        "| match-up | paper | reference | ours of 300 | ours, % with 95 % intervals | games |"
    );
    println!("|---|---|---|---|---|---|");
    for row in TABLE_2
        .iter()
        .filter(|row| only.is_empty() || row.bots.contains(&only))
    {
        let report = play_match_up(row, reading, &size(args, 300))?;
        let reference = match reading {
            Reading::Drafters => Some(row.drafters),
            Reading::Complete => row.complete,
        };
        let cells = |wins: [f64; 3]| wins.map(|w| format!("{w:.0}")).join(" / ");
        let per_300: Vec<String> = report
            .players
            .iter()
            .map(|p| format!("{:.0}", 300.0 * p.share))
            .collect();
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            row.bots.join(" / "),
            cells(row.paper),
            reference.map_or("-".to_owned(), cells),
            per_300.join(" / "),
            intervals(&report),
            report.games
        );
    }
    Ok(())
}

fn intervals(report: &ContestReport) -> String {
    let cell = |p: &hegemon_arena::PlayerReport| {
        format!(
            "{:.1} [{:.1}, {:.1}]",
            100.0 * p.share,
            100.0 * p.ci95[0],
            100.0 * p.ci95[1]
        )
    };
    report
        .players
        .iter()
        .map(cell)
        .collect::<Vec<_>>()
        .join(" / ")
}

fn print_contest(report: &ContestReport) {
    for player in &report.players {
        let seats: Vec<String> = player
            .share_by_seat
            .iter()
            .map(|s| format!("{:.1}", 100.0 * s))
            .collect();
        println!(
            "{:60} {:5.1} % [{:.1}, {:.1}]  by seat {}",
            player.spec,
            100.0 * player.share,
            100.0 * player.ci95[0],
            100.0 * player.ci95[1],
            seats.join(" ")
        );
    }
    println!(
        "{} games, mean {:.1} rounds, {:?}",
        report.games, report.mean_rounds, report.endings
    );
}

fn scores(args: &Args) -> Result<()> {
    let map = Map::builtin("classic-lux").ok_or("no such map")?;
    let weights = DraftWeights::load(args.text("weights", "draft-authors"))?;
    let evaluator = DraftEvaluator::new(&map, 3, &weights, true)?;
    let specs = args.text(
        "specs",
        "quo(draft=uct);quo(draft=greedy);quo(draft=random)",
    );
    let specs: Vec<String> = specs.split(';').map(str::to_owned).collect();
    for score in drafter_scores(&specs, &evaluator, &size(args, 300))? {
        let cell = |(mean, [low, high]): (f64, [f64; 2])| {
            format!(
                "{:.1} [{:.1}, {:.1}]",
                100.0 * mean,
                100.0 * low,
                100.0 * high
            )
        };
        println!(
            "{:40} evaluation {}  wins {}",
            score.spec,
            cell(score.evaluation),
            cell(score.wins)
        );
    }
    Ok(())
}

fn train(args: &Args) -> Result<()> {
    let params = DraftTraining {
        game: args.game()?,
        bot: args.text("bot", "quo").parse()?,
        drafter: args.0.get("drafter").map(|text| text.parse()).transpose()?,
        n_drafts: args.number("drafts", 7364),
        n_games: args.number("games", 100) as u32,
        min_rows: args.number("min-rows", 1),
        net: (args.text("net", "on") == "on").then(|| NetParams {
            n_hidden: args.number("hidden", 32) as usize,
            n_epochs: args.number("epochs", 12) as u32,
            rate: args.text("rate", "0.002").parse().unwrap_or(0.002),
            decay: args.text("decay", "0.3").parse().unwrap_or(0.3),
            ..NetParams::default()
        }),
        seed: args.number("seed", 1),
        n_threads: args.number("threads", 2) as usize,
        command: "hegemon train draft".to_owned(),
    };
    let out = PathBuf::from(args.text("out", "out/draft"));
    std::fs::create_dir_all(&out)?;
    let start = Instant::now();
    let progress = |progress: &DraftProgress| match *progress {
        DraftProgress::Playing { n_drafts, of } if n_drafts.is_multiple_of(of.div_ceil(8)) => {
            println!(
                "{n_drafts} of {of} drafts, {:.0} s",
                start.elapsed().as_secs_f64()
            );
        }
        DraftProgress::Fitting { n_epochs, of, loss } => {
            println!(
                "epoch {n_epochs} of {of}: {loss:.4}, {:.0} s",
                start.elapsed().as_secs_f64()
            );
        }
        DraftProgress::Playing { .. } => {}
    };
    let trained = run(&params, progress, &STOP, Some(&out.join("drafts.log")))?;
    println!("{:#?}", trained.statistics);
    let print = |name: &str, q: &Quality| {
        println!(
            "{name}: R2 {:.4}, correlation {:.4}, RMSE {:.2}, relative absolute error {:.2} %",
            q.r2,
            q.correlation,
            q.rmse,
            100.0 * q.relative_absolute_error
        );
    };
    print("regression, fitted", &trained.fit.quality);
    print("regression, ten-fold", &trained.held_out);
    let linear = &trained.fit.weights;
    println!("{}", weights_table(linear));
    println!(
        "places {:.2?} ± {:.2?}, enemy neighbour {:.3} ± {:.3}, friendly pair {:.3} ± {:.3}",
        linear.seats,
        linear.seat_errors,
        linear.enemy_neighbor,
        linear.enemy_neighbor_error.unwrap_or(f64::NAN),
        linear.friendly_pair,
        linear.friendly_pair_error.unwrap_or(f64::NAN)
    );
    std::fs::write(out.join("linear.toml"), trained.weights.to_toml())?;
    let authors = DraftWeights::builtin("draft-authors").and_then(|w| w.linear.as_ref());
    std::fs::write(
        out.join("figure-3.svg"),
        figure_3(linear, authors.map(|w| ("grey: authors", w))),
    )?;
    if let Some((net, quality)) = &trained.net {
        print("net, held out", quality);
        std::fs::write(out.join("net.toml"), net.to_toml())?;
    }
    if let Some(authors) = authors.filter(|_| params.game.n_players() == 3) {
        let found = recovery(&trained.fit, authors);
        let squares: f64 = found.iter().map(|w| w.z() * w.z()).sum();
        let n_outside = found.iter().filter(|w| w.z().abs() > 1.96).count();
        println!(
            "{} weights, {n_outside} outside 95 %, sum of squared z {squares:.1}",
            found.len()
        );
        for w in &found {
            let n_seen = w.n_seen.map_or(String::new(), |n| format!("{n} rows"));
            let (ours, published) = (w.ours, w.published);
            let z = w.z();
            println!(
                "{:18} {ours:7.2} ± {:5.2}  authors {published:7.2}  z {z:5.2}  {n_seen}",
                w.name, w.error
            );
        }
    }
    Ok(())
}

/// Every bot against pairs of the hard ones.
fn strongest(args: &Args) -> Result<()> {
    let game = args.game()?;
    let names = args.text(
        "bots",
        "angry;communist;cluster;shaft;quo;yakool;boscoe;bort;pixie;evil-pixie;better-pixie;vulture;killbot;baseline",
    );
    let fields = [
        ["quo", "evil-pixie"],
        ["killbot", "boscoe"],
        ["evil-pixie", "killbot"],
    ];
    for name in names.split(';') {
        let mut line = format!("{name:14}");
        let mut sum = 0.0;
        for field in fields {
            let specs = [name, field[0], field[1]].map(str::to_owned);
            let report = contest(&game, &specs, &size(args, 600))?;
            sum += report.players[0].share / fields.len() as f64;
            line += &format!(
                "  {}: {:5.1} %",
                field.join("+"),
                100.0 * report.players[0].share
            );
        }
        println!("{line}  mean {:.1} %", 100.0 * sum);
    }
    Ok(())
}

fn duel(args: &Args) -> Result<()> {
    let field = args.text("field", "quo;killbot");
    let parse = |text: &str| -> Result<Spec> { Ok(text.parse()?) };
    let duel = Duel {
        game: args.game()?,
        a: parse(args.text("a", "evil-pixie(draft=uct)"))?,
        b: parse(args.text("b", "evil-pixie"))?,
        field: field.split(';').map(parse).collect::<Result<_>>()?,
        sprt: Sprt::new(SprtParams::default())?,
        max_games: args.number("games", 12_000),
        seed: args.number("seed", 1),
        n_threads: args.number("threads", 2) as usize,
    };
    let report = duel.run(&STOP, |_| {})?;
    println!(
        "{} against {} among {field}: {:?} after {} games, {:.1} % and {:.1} %, llr {:.2}, {:?}",
        duel.a,
        duel.b,
        report.verdict(),
        report.games,
        100.0 * report.share_a,
        100.0 * report.share_b,
        report.status.llr,
        report.elo
    );
    Ok(())
}
