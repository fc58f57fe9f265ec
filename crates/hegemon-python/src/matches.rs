//! Games between bots: single ones, matches, parts of matches, sequential tests, pools.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::pool::{Pool, PoolSettings, RunParams};
use hegemon_arena::sprt::{EloModel, Sprt, SprtParams};
use hegemon_arena::{
    Adjust, Block, Entrant as _, GameSetup, Match, MatchPart, Plan, SprtRun, Tally, has_records,
    merge_parts, play_to_text, unwatched,
};
use hegemon_bots::{Spec, SpecError, Stop};
use hegemon_core::Game;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::bots::{Player, grants, grants_until, spec_of};
use crate::errors::{invalid, sentence};
use crate::game::{GameArg, resolve};
use crate::map::MapArg;
use crate::record::PyRecord;
use crate::rules::RulesArg;
use crate::watch::{Watch, n_threads};

fn text(value: &Value) -> String {
    value.to_string()
}

/// Plays one game and returns its record.
#[pyfunction]
#[pyo3(signature = (bots, *, map=None, rules=None, seed=0))]
pub(crate) fn play(
    py: Python<'_>,
    bots: Vec<Bound<'_, PyAny>>,
    map: Option<MapArg<'_>>,
    rules: Option<RulesArg<'_>>,
    seed: u64,
) -> PyResult<PyRecord> {
    let game = resolve(map.as_ref(), rules.as_ref(), Some(bots.len()))?;
    let players = bots.iter().map(Player::of).collect::<PyResult<Vec<_>>>()?;
    let (mut watch, stop) = (Watch::new(None), Stop::new());
    let grants = grants_until(&stop);
    let setup = GameSetup {
        game: &game,
        specs: &players.iter().collect::<Vec<&Player>>(),
        deal_seed: seed,
        seed,
        grants: &grants,
        start: None,
        deal: None,
    };
    let played = py.detach(|| watch.over(&stop, |_| play_to_text(&setup)));
    let (_, text) = watch.end(played)?;
    PyRecord::of(text)
}

/// What a match is made of.
struct MatchTerms {
    of: Match,
    players: Vec<Player>,
}

impl MatchTerms {
    fn new(
        bots: &[Bound<'_, PyAny>],
        game: Arc<Game>,
        games: u64,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<MatchTerms> {
        if bots.len() != game.n_players() {
            return Err(invalid(format!(
                "{} bots for a game of {}",
                bots.len(),
                game.n_players()
            )));
        }
        if games == 0 {
            return Err(invalid("a match has at least one game"));
        }
        let players = bots.iter().map(Player::of).collect::<PyResult<Vec<_>>>()?;
        let of = Match {
            game,
            specs: players.iter().map(|player| player.spec().clone()).collect(),
            n_games: games,
            seed,
            n_threads: n_threads(threads),
            grants: grants(),
            records: None,
        };
        Ok(MatchTerms { of, players })
    }

    /// Bots of the registry must suit the game; what Python bots do is seen when they play.
    fn check(&self) -> Result<(), SpecError> {
        let listed = self.players.iter().filter_map(|player| match player {
            Player::Listed(spec) => Some(spec),
            Player::Written { .. } => None,
        });
        listed
            .into_iter()
            .try_for_each(|spec| hegemon_bots::check(spec, &self.of.game, &self.of.grants))
    }
}

/// Plays a match and returns its report as JSON.
#[pyfunction]
#[pyo3(signature = (bots, *, map=None, rules=None, games=1000, seed=1, threads=None,
                    records=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn play_match(
    py: Python<'_>,
    bots: Vec<Bound<'_, PyAny>>,
    map: Option<MapArg<'_>>,
    rules: Option<RulesArg<'_>>,
    games: u64,
    seed: u64,
    threads: Option<usize>,
    records: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let game = resolve(map.as_ref(), rules.as_ref(), Some(bots.len()))?;
    let mut terms = MatchTerms::new(&bots, game, games, seed, threads)?;
    terms.check().map_err(sentence)?;
    if let Some(folder) = &records {
        std::fs::create_dir_all(folder)
            .map_err(|error| invalid(format!("cannot make {}: {error}", folder.display())))?;
    }
    if let Some(folder) = records.as_ref().filter(|folder| has_records(folder)) {
        let folder = folder.display();
        return Err(invalid(format!(
            "{folder} has records of games already; name a folder without any"
        )));
    }
    let stop = Stop::new();
    if records.is_none() {
        // A record is of a game as it would be played again: there, Ctrl-C waits for its end.
        terms.of.grants = grants_until(&stop);
    }
    terms.of.records = records;
    let mut watch = Watch::new(progress);
    let total = terms.of.n_blocks() * terms.of.block_size();
    let report = py.detach(|| {
        watch.over(&stop, |tell| {
            let is_over = AtomicBool::new(false);
            let told = |tally: &Tally| tell_blocks(tell, &stop, &is_over, tally.n_games(), total);
            let players = &terms.players;
            terms.of.run_players(players, Adjust::Dice, &is_over, told)
        })
    });
    let report = watch.end(report)?;
    let mut answer = serde_json::to_value(&report).map_err(sentence)?;
    answer["seed"] = json!(seed);
    answer["map"] = json!(terms.of.game.map().name());
    Ok(text(&answer))
}

/// Tells how far the work on another thread is, and ends it after the block in which Ctrl-C came.
fn tell_blocks(
    tell: &(dyn Fn(usize, usize) + Sync),
    stop: &Stop,
    is_over: &AtomicBool,
    done: u64,
    total: u64,
) {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    tell(number(done), number(total));
    if stop.is_raised() {
        is_over.store(true, Ordering::Relaxed);
    }
}

/// How many blocks a match of this many games has, and how many games a block.
#[pyfunction]
pub(crate) fn match_size(players: usize, games: u64) -> PyResult<(u64, u64)> {
    if !(2..=hegemon_core::MAX_PLAYERS).contains(&players) {
        return Err(invalid(format!("there are 2 to 6 players, not {players}")));
    }
    let size = hegemon_arena::seat_orders(players).len() as u64;
    Ok((games.max(1).div_ceil(size), size))
}

/// Plays some blocks of a match and returns the part as JSON.
#[pyfunction]
#[pyo3(signature = (game, bots, *, games, seed, first, end, threads=1))]
#[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn match_part(
    py: Python<'_>,
    game: GameArg<'_>,
    bots: Vec<Bound<'_, PyAny>>,
    games: u64,
    seed: u64,
    first: u64,
    end: u64,
    threads: usize,
) -> PyResult<String> {
    let mut terms = MatchTerms::new(&bots, game.game(), games, seed, Some(threads))?;
    let (mut watch, stop) = (Watch::new(None), Stop::new());
    terms.of.grants = grants_until(&stop);
    let total = end.saturating_sub(first);
    let part = py.detach(|| {
        watch.over(&stop, |tell| {
            let is_over = AtomicBool::new(false);
            let told = |n| tell_blocks(tell, &stop, &is_over, n, total);
            MatchPart::play(&terms.of, first..end, &is_over, told)
        })
    });
    watch.end(part).map(|part| part.to_text())
}

/// The report of a match, as JSON, from the parts that have all its blocks.
#[pyfunction]
pub(crate) fn merge_match(py: Python<'_>, parts: Vec<String>) -> PyResult<String> {
    let merged = py.detach(|| {
        let parts = parts.iter().map(|text| MatchPart::parse(text));
        merge_parts(parts.collect::<Result<Vec<_>, _>>()?)
    });
    let (identity, report) = merged.map_err(|error: hegemon_arena::MergeError| sentence(error))?;
    let mut answer = serde_json::to_value(&report).map_err(sentence)?;
    answer["seed"] = json!(identity.seed);
    answer["map"] = json!(identity.map);
    Ok(text(&answer))
}

/// Tests whether A is better than B, and returns the report as JSON.
#[pyfunction]
#[pyo3(signature = (a, b, *, map=None, rules=None, field=vec![], players=None, elo0=0.0,
                    elo1=5.0, alpha=0.05, beta=0.05, max_games=100_000, seed=1, threads=None,
                    progress=None))]
#[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn sprt(
    py: Python<'_>,
    a: Bound<'_, PyAny>,
    b: Bound<'_, PyAny>,
    map: Option<MapArg<'_>>,
    rules: Option<RulesArg<'_>>,
    field: Vec<Bound<'_, PyAny>>,
    players: Option<usize>,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    max_games: u64,
    seed: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let players = players.or((!field.is_empty()).then_some(field.len() + 1));
    let game = resolve(map.as_ref(), rules.as_ref(), players)?;
    if game.n_players() == 2 && !field.is_empty() {
        return Err(invalid("a test of 2 players has no field of others"));
    }
    if game.n_players() > 2 && field.is_empty() {
        return Err(invalid(format!(
            "a test of {} players needs a field of others",
            game.n_players()
        )));
    }
    let params = SprtParams {
        alpha,
        beta,
        model: EloModel::Normalized,
        elo0,
        elo1,
    };
    let field = field.iter().map(spec_of).collect::<PyResult<Vec<_>>>()?;
    let stop = Stop::new();
    let run = SprtRun {
        game,
        a: spec_of(&a)?,
        b: spec_of(&b)?,
        field,
        sprt: Sprt::new(params).map_err(sentence)?,
        max_games,
        seed,
        n_threads: n_threads(threads),
        grants: grants_until(&stop),
    };
    let mut watch = Watch::new(progress);
    let report = py.detach(|| {
        watch.over(&stop, |tell| {
            let is_over = AtomicBool::new(false);
            run.run(&is_over, |report| {
                tell_blocks(tell, &stop, &is_over, report.games, max_games);
            })
        })
    });
    let report = watch.end(report)?;
    let spread = report.elo.as_ref().and_then(|elo| elo.spread.as_ref());
    Ok(text(&json!({
        "a": run.a.to_string(),
        "b": run.b.to_string(),
        "verdict": serde_json::to_value(report.verdict()).map_err(sentence)?,
        "games": report.games,
        "blocks": report.blocks,
        "llr": report.status.llr,
        "lower": report.status.lower,
        "upper": report.status.upper,
        "elo0": elo0,
        "elo1": elo1,
        "elo": report.elo.as_ref().map(|elo| elo.elo).filter(|elo| elo.is_finite()),
        "elo_ci95": spread.map(|spread| [spread.elo_ci95.low, spread.elo_ci95.high]),
        "nelo": spread.map(|spread| spread.nelo),
        "los": spread.map(|spread| spread.los),
        "share_a": report.share_a,
        "share_b": report.share_b,
        "seed": seed,
        "program": report.program.to_string(),
    })))
}

/// A pool of bots in a file, which is made if it does not exist.
fn open_pool(path: &std::path::Path, game: &Game, seed: u64, bots: &[Spec]) -> PyResult<Pool> {
    let settings = PoolSettings {
        map: game.map().spec().clone(),
        rules: game.rules().clone(),
        n_players: game.n_players(),
        seed,
    };
    let mut pool = Pool::open_or_create(path, &settings).map_err(sentence)?;
    pool.add(bots, &grants()).map_err(sentence)?;
    Ok(pool)
}

/// Plays a pool until it has this many games, and returns its standing as JSON. `play_wave`
/// plays the blocks of a wave elsewhere: it gets a list of jobs and gives their results in
/// order, as `play_jobs` makes them.
#[pyfunction]
#[pyo3(signature = (path, game, bots, *, games, seed=1, floor=0, threads=None, progress=None,
                    play_wave=None))]
#[allow(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn run_pool(
    py: Python<'_>,
    path: PathBuf,
    game: GameArg<'_>,
    bots: Vec<Bound<'_, PyAny>>,
    games: u64,
    seed: u64,
    floor: u64,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    play_wave: Option<Py<PyAny>>,
) -> PyResult<String> {
    let bots = bots.iter().map(spec_of).collect::<PyResult<Vec<_>>>()?;
    let game = game.game();
    let mut pool = open_pool(&path, &game, seed, &bots)?;
    let params = RunParams {
        n_games: games,
        floor,
        n_threads: n_threads(threads),
        grants: grants(),
    };
    let mut watch = Watch::new(progress);
    let stop = AtomicBool::new(false);
    let played = py.detach(|| {
        let report = |progress: &hegemon_arena::pool::PoolProgress<'_>| {
            watch.see(&stop, progress.n_games, progress.target);
        };
        match &play_wave {
            None => pool.run(&params, &stop, report),
            Some(play_wave) => pool.run_by(&params, &stop, report, |plans, consume| {
                let blocks = played_elsewhere(play_wave, plans).map_err(|error| {
                    hegemon_arena::pool::PoolError::Elsewhere(error.to_string())
                })?;
                blocks.into_iter().try_for_each(consume)
            }),
        }
    });
    watch.end(played)?;
    standing_of(&pool)
}

/// Hands the blocks of a wave to a Python function and reads what it returns.
fn played_elsewhere(play_wave: &Py<PyAny>, plans: Vec<(u64, Plan<&Spec>)>) -> PyResult<Vec<Block>> {
    let jobs = plans.iter().map(|(number, plan)| {
        let specs: Vec<String> = plan.players.iter().map(ToString::to_string).collect();
        text(&json!({"number": number, "deal_seed": plan.deal_seed, "bots": specs}))
    });
    let jobs: Vec<String> = jobs.collect();
    let blocks: Vec<String> =
        Python::attach(|py| play_wave.call1(py, (jobs,))?.extract::<Vec<String>>(py))?;
    if blocks.len() != plans.len() {
        return Err(invalid(format!(
            "{} blocks came back for {} jobs",
            blocks.len(),
            plans.len()
        )));
    }
    let read = |((number, plan), text): (&(u64, Plan<&Spec>), &String)| {
        let block: Block = serde_json::from_str(text).map_err(sentence)?;
        if block.number == *number
            && block.deal_seed == plan.deal_seed
            && block.specs.iter().eq(plan.players.iter().copied())
        {
            Ok(block)
        } else {
            Err(invalid(format!("block {number} came back as another one")))
        }
    };
    plans.iter().zip(&blocks).map(read).collect()
}

/// Plays jobs that `run_pool` handed out.
#[pyfunction]
pub(crate) fn play_jobs(
    py: Python<'_>,
    game: GameArg<'_>,
    jobs: Vec<String>,
) -> PyResult<Vec<String>> {
    let game = game.game();
    py.detach(|| jobs.iter().map(|job| play_job(&game, job)).collect())
}

fn play_job(game: &Arc<Game>, job: &str) -> PyResult<String> {
    let wrong = || invalid("it is not a job of a pool");
    let job: Value = serde_json::from_str(job).map_err(|_| wrong())?;
    let number = job["number"].as_u64().ok_or_else(wrong)?;
    let deal_seed = job["deal_seed"].as_u64().ok_or_else(wrong)?;
    let bots = job["bots"].as_array().ok_or_else(wrong)?;
    let spec = |bot: &Value| -> PyResult<Spec> {
        bot.as_str().ok_or_else(wrong)?.parse().map_err(sentence)
    };
    let players = bots.iter().map(spec).collect::<PyResult<Vec<Spec>>>()?;
    if players.len() != game.n_players() {
        return Err(wrong());
    }
    let (block, _) = Plan::rotated(deal_seed, players)
        .play(number, game, &grants(), unwatched::<_, SpecError>)
        .map_err(sentence)?;
    serde_json::to_string(&block).map_err(sentence)
}

fn standing_of(pool: &Pool) -> PyResult<String> {
    let standing = pool.standing().map_err(sentence)?;
    serde_json::to_string(&standing).map_err(sentence)
}

/// The standing of a pool, as JSON.
#[pyfunction]
pub(crate) fn standing(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| standing_of(&Pool::open(&path).map_err(sentence)?))
}

/// Speaks the bot protocol on the standard input and output until the input ends.
#[pyfunction]
pub(crate) fn serve(py: Python<'_>, bot: &Bound<'_, PyAny>) -> PyResult<()> {
    let host = Player::of(bot)?.host();
    py.detach(|| {
        hegemon_protocol::serve_host(
            host,
            grants(),
            std::io::stdin().lock(),
            std::io::stdout().lock(),
        )
    })
    .map_err(sentence)
}
