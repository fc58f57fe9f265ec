//! Training: the value of a draft, and the evolution of the beam agents. The games may be
//! played elsewhere, on the machines of a cluster.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;

use hegemon_bots::Spec;
use hegemon_bots::beam::{Characteristics, N_CHARACTERISTICS};
use hegemon_learn::beam::{
    self, BeamMethod, BeamTraining, Consume, TableGame, Venue, run_at, write_pages,
};
use hegemon_learn::draft::{
    self, ConsumeRow, DraftProgress, DraftTrainError, DraftTrained, DraftTraining, NetParams,
    RowForm, play_drafts, run_by,
};
use pyo3::prelude::*;
use serde_json::json;

use crate::bots::{grants, spec_of};
use crate::errors::{invalid, sentence};
use crate::game::GameArg;
use crate::watch::{Watch, n_threads};

/// Drafts that are handed out at once.
const WAVE: u64 = 1024;

/// What a draft evaluator learns from: `hegemon.DraftTerms`.
#[derive(FromPyObject)]
pub(crate) struct DraftTerms<'py> {
    game: GameArg<'py>,
    bot: Bound<'py, PyAny>,
    drafts: u64,
    games: u32,
    drafter: Option<Bound<'py, PyAny>>,
    min_rows: u64,
    hidden: Option<usize>,
    seed: u64,
}

impl DraftTerms<'_> {
    fn training(&self, threads: Option<usize>) -> PyResult<DraftTraining> {
        let bot = spec_of(&self.bot)?;
        Ok(DraftTraining {
            game: self.game.game(),
            command: format!("hegemon.train_draft, bot {bot}"),
            bot,
            drafter: self.drafter.as_ref().map(spec_of).transpose()?,
            n_drafts: self.drafts,
            n_games: self.games,
            min_rows: self.min_rows,
            net: self.hidden.map(|n_hidden| NetParams {
                n_hidden,
                ..NetParams::default()
            }),
            seed: self.seed,
            n_threads: n_threads(threads),
            grants: grants(),
        })
    }
}

/// Learns the value of a draft, writes it into a folder, and returns a report as JSON.
/// `play_wave(first, end)` plays drafts elsewhere and gives their lines, as `draft_lines`
/// makes them.
#[pyfunction]
#[pyo3(signature = (terms, out=None, *, checkpoint=None, threads=None, progress=None,
                    play_wave=None))]
pub(crate) fn train_draft(
    py: Python<'_>,
    terms: DraftTerms<'_>,
    out: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    play_wave: Option<Py<PyAny>>,
) -> PyResult<String> {
    let params = terms.training(threads)?;
    let watch = Mutex::new(Watch::new(progress));
    let stop = AtomicBool::new(false);
    let trained = py.detach(|| {
        let report = |progress: &DraftProgress| {
            if let DraftProgress::Playing { n_drafts, of } = *progress {
                locked(&watch).see(&stop, n_drafts, of);
            }
        };
        let checkpoint = checkpoint.as_deref();
        let trained = match &play_wave {
            None => draft::run(&params, report, &stop, checkpoint),
            Some(play_wave) => run_by(&params, report, checkpoint, |numbers, consume| {
                let form = RowForm::of(&params);
                let firsts = numbers.clone().step_by(WAVE as usize);
                firsts.into_iter().try_for_each(|first| {
                    let wave = first..(first + WAVE).min(numbers.end);
                    let lines = wave_elsewhere(play_wave, &wave).map_err(|error| {
                        let told = DraftTrainError::Elsewhere(error.to_string());
                        locked(&watch).fail(error, &stop);
                        told
                    })?;
                    read_wave(&form, wave, &lines, consume)
                })
            }),
        }?;
        if let Some(folder) = &out {
            trained.write(folder)?;
        }
        Ok(trained)
    });
    let watch = watch.into_inner().unwrap_or_else(PoisonError::into_inner);
    let trained = watch.end::<DraftTrained, DraftTrainError>(trained)?;
    Ok(draft_report(&params.bot, params.seed, &trained))
}

/// Hands a wave of drafts to a Python function; returns its lines.
fn wave_elsewhere(play_wave: &Py<PyAny>, numbers: &Range<u64>) -> PyResult<Vec<String>> {
    let lines: Vec<String> = Python::attach(|py| {
        play_wave
            .call1(py, (numbers.start, numbers.end))?
            .extract(py)
    })?;
    if lines.len() as u64 == numbers.end - numbers.start {
        Ok(lines)
    } else {
        Err(invalid(format!(
            "{} lines came back for the drafts {} to {}",
            lines.len(),
            numbers.start,
            numbers.end
        )))
    }
}

fn read_wave(
    form: &RowForm,
    numbers: Range<u64>,
    lines: &[String],
    consume: ConsumeRow<'_>,
) -> Result<(), DraftTrainError> {
    for (number, line) in numbers.zip(lines) {
        let row = form.row(number as usize, line).ok_or_else(|| {
            DraftTrainError::Elsewhere(format!("draft {number} came back damaged"))
        })?;
        consume(row)?;
    }
    Ok(())
}

fn draft_report(bot: &Spec, seed: u64, trained: &DraftTrained) -> String {
    let statistics = &trained.statistics;
    json!({
        "bot": bot.to_string(),
        "drafts": statistics.n_drafts,
        "games": statistics.n_games,
        "complete": trained.is_complete,
        "seed": seed,
        "held_out_r2": trained.held_out.r2,
        "held_out_correlation": trained.held_out.correlation,
        "net_r2": trained.net.as_ref().map(|(_, quality)| quality.r2),
        "best_r2": statistics.best_r2,
        "seat_shares": statistics.seat_shares,
    })
    .to_string()
}

/// Plays some drafts of a training and returns each as a line.
#[pyfunction]
pub(crate) fn draft_lines(
    py: Python<'_>,
    terms: DraftTerms<'_>,
    first: u64,
    end: u64,
) -> PyResult<Vec<String>> {
    let params = terms.training(Some(1))?;
    let never = AtomicBool::new(false);
    let rows = py.detach(|| play_drafts(&params, first..end, &never));
    let numbered = (first as usize..).zip(rows.map_err(sentence)?);
    Ok(numbered
        .map(|(number, row)| RowForm::line(number, &row))
        .collect())
}

/// How the beam agents evolve: `hegemon.BeamTerms`.
#[derive(FromPyObject)]
pub(crate) struct BeamTerms {
    population: usize,
    generations: u32,
    method: String,
    measure_every: u32,
    measure_games: u64,
    playoff_games: u32,
    final_games: u64,
    seed: u64,
}

impl BeamTerms {
    fn training(&self, threads: Option<usize>) -> PyResult<BeamTraining> {
        Ok(BeamTraining {
            population: self.population,
            generations: self.generations,
            method: match self.method.as_str() {
                "beam" => BeamMethod::Beam,
                "cma-es" => BeamMethod::CMA_ES,
                other => {
                    return Err(invalid(format!(
                        "there is no method \"{other}\"; it is beam or cma-es"
                    )));
                }
            },
            measure_every: self.measure_every,
            measure_games: self.measure_games,
            playoff_games: self.playoff_games,
            final_games: self.final_games,
            seed: self.seed,
            n_threads: n_threads(threads),
            command: "hegemon.train_beam".to_owned(),
            ..BeamTraining::default()
        })
    }
}

/// Evolves the beam agents in a folder, and returns a report as JSON.
/// `play_wave(agents, games)` plays games elsewhere, as `play_beam_games` does.
#[pyfunction]
#[pyo3(signature = (terms, out, *, threads=None, progress=None, play_wave=None))]
pub(crate) fn train_beam(
    py: Python<'_>,
    terms: BeamTerms,
    out: PathBuf,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    play_wave: Option<Py<PyAny>>,
) -> PyResult<String> {
    let params = terms.training(threads)?;
    let stop = AtomicBool::new(false);
    let watch = Mutex::new(Watch::new(progress));
    let evolved = py.detach(|| {
        let mut report = |progress: &beam::BeamProgress<'_>| {
            let (done, of) = (progress.generation, progress.n_generations);
            locked(&watch).see(&stop, u64::from(done), u64::from(of));
        };
        let evolved = match play_wave {
            None => beam::run(&params, Some(&out), &stop, &mut report),
            Some(play_wave) => {
                let venue = Elsewhere {
                    play_wave,
                    stop: &stop,
                    watch: &watch,
                };
                run_at(&venue, &params, Some(&out), &stop, &mut report)
            }
        }?;
        if evolved.is_some() {
            write_pages(&out, &[])?;
        }
        Ok(evolved)
    });
    let watch = watch.into_inner().unwrap_or_else(PoisonError::into_inner);
    let evolved = watch.end::<_, beam::BeamError>(evolved)?;
    let evolved = evolved.ok_or_else(|| invalid("the run was stopped"))?;
    let report = json!({
        "games": evolved.n_games,
        "share": evolved.share,
        "margin": evolved.margin,
        "seed": params.seed,
        "champion": evolved.champion.0.to_vec(),
    });
    Ok(report.to_string())
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The seed and the seats of a game, as they cross to Python.
type GameTuple = (u64, Vec<usize>);

/// Plays where a Python function plays.
struct Elsewhere<'a> {
    play_wave: Py<PyAny>,
    stop: &'a AtomicBool,
    watch: &'a Mutex<Watch>,
}

impl Elsewhere<'_> {
    fn scores(&self, agents: &[Characteristics], games: &[TableGame]) -> PyResult<Vec<Vec<f64>>> {
        let agents: Vec<Vec<f64>> = agents.iter().map(|agent| agent.0.to_vec()).collect();
        let tuples = games.iter().map(|game| (game.seed, game.seats.clone()));
        let tuples: Vec<GameTuple> = tuples.collect();
        let scores: Vec<Vec<f64>> =
            Python::attach(|py| self.play_wave.call1(py, (agents, tuples))?.extract(py))?;
        let fits = |(score, game): (&Vec<f64>, &TableGame)| score.len() == game.seats.len();
        if scores.len() == games.len() && scores.iter().zip(games).all(fits) {
            Ok(scores)
        } else {
            Err(invalid("other games came back than were handed out"))
        }
    }
}

impl Venue for Elsewhere<'_> {
    fn play(&self, agents: &[Characteristics], games: &[TableGame], consume: Consume<'_>) {
        match self.scores(agents, games) {
            Ok(scores) => {
                for (number, score) in scores.iter().enumerate() {
                    if let ControlFlow::Break(()) = consume(number, score) {
                        return;
                    }
                }
            }
            Err(error) => locked(self.watch).fail(error, self.stop),
        }
    }
}

/// Plays games that `train_beam` handed out, and returns the shares of the win by seat.
#[pyfunction]
pub(crate) fn play_beam_games(
    py: Python<'_>,
    agents: Vec<[f64; N_CHARACTERISTICS]>,
    games: Vec<GameTuple>,
) -> PyResult<Vec<Vec<f64>>> {
    let agents: Vec<Characteristics> = agents.into_iter().map(Characteristics).collect();
    let is_game = |(_, seats): &GameTuple| {
        (2..=beam::SEATS).contains(&seats.len()) && seats.iter().all(|&n| n < agents.len())
    };
    if !games.iter().all(is_game) {
        return Err(invalid("it is not a game of these agents"));
    }
    py.detach(|| {
        let tables = BeamTraining::default().tables().map_err(sentence)?;
        let play = |(seed, seats): GameTuple| {
            let n_seats = seats.len();
            let score = tables.play_game(&agents, &TableGame { seats, seed });
            score.as_slice()[..n_seats].to_vec()
        };
        Ok(games.into_iter().map(play).collect())
    })
}
