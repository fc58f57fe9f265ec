//! Many games at once: one call takes a step in each of them, on several threads, into arrays
//! that are made once.

use std::sync::{Arc, Mutex, MutexGuard};

use hegemon_arena::{deal_seed, game_seed};
use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::{Game, PlayerId, Rng};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods as _, PyReadonlyArray1, PyReadwriteArray};
use pyo3::prelude::*;
use pyo3::types::PySlice;

use super::action_space::ActionSpace;
use super::episode::interrupted;
use super::observation::Layout;
use super::seated_game::SeatedGame;
use crate::bots::spec_of;
use crate::errors::{IllegalMoveError, invalid, sentence};
use crate::game::{GameArg, PyGame};
use crate::watch::{Halt, n_threads};

/// Fewer games than this are not worth another thread, which is started for every call: half a
/// microsecond each, against a hundred for a thread, and milliseconds where no core is free.
const GAMES_PER_THREAD: usize = 2048;

/// The same where bots make moves in every step.
const GAMES_WITH_BOTS_PER_THREAD: usize = 256;

/// Many games at once.
#[pyclass(name = "Batch", module = "hegemon._hegemon", frozen)]
pub(crate) struct PyBatch {
    game: Arc<Game>,
    layout: Layout,
    n_actions: usize,
    inner: Mutex<Inner>,
    observations: Py<PyArray2<f32>>,
    final_observations: Py<PyArray2<f32>>,
    masks: Py<PyArray2<bool>>,
    seats: Py<PyArray1<i64>>,
    rewards: Py<PyArray1<f32>>,
    utilities: Py<PyArray2<f32>>,
    dones: Py<PyArray1<bool>>,
    seeds: Py<PyArray1<u64>>,
    samples: Py<PyArray1<i64>>,
}

struct Inner {
    slots: Vec<Slot>,
    rivals: Vec<Spec>,
    n_threads: usize,
    grants: Grants,
    /// Whether a call was stopped in the middle: the games must be dealt anew.
    is_cut: bool,
}

/// One of the games, and how the next one is made.
struct Slot {
    seated: SeatedGame,
    number: usize,
    base: u64,
    episode: u64,
    sampler: Rng,
}

/// What all games of a batch share.
struct Terms<'a> {
    game: &'a Arc<Game>,
    rivals: &'a [Spec],
    grants: &'a Grants,
    layout: Layout,
    halt: &'a Halt,
}

impl Terms<'_> {
    /// The game of an episode. A learner that is out before it is asked has nothing to learn,
    /// so the next deal takes that one's place.
    fn deal(&self, number: usize, base: u64, episode: &mut u64) -> Result<SeatedGame, SpecError> {
        loop {
            let seats = self.seats(number, *episode);
            let seed = seed_of(base, *episode);
            let seated = SeatedGame::deal(self.game, &seats, seed, self.grants, self.halt)?;
            if !seated.is_over() {
                return Ok(seated);
            }
            *episode += 1;
        }
    }

    /// The learner sits elsewhere in every episode; the rivals take the other seats in turn.
    fn seats(&self, number: usize, episode: u64) -> Vec<Option<Spec>> {
        let n = self.game.n_players();
        if self.rivals.is_empty() {
            return vec![None; n];
        }
        let learner = (number + (episode % n as u64) as usize) % n;
        let mut rivals = self.rivals.iter().cycle();
        (0..n)
            .map(|seat| (seat != learner).then(|| rivals.next().cloned()).flatten())
            .collect()
    }
}

/// The seed of an episode; the first has that of the slot itself.
fn seed_of(base: u64, episode: u64) -> u64 {
    match episode {
        0 => base,
        _ => game_seed(base, episode),
    }
}

impl Slot {
    fn new(terms: &Terms<'_>, number: usize, base: u64) -> Result<Slot, SpecError> {
        let mut episode = 0;
        let seated = terms.deal(number, base, &mut episode)?;
        Ok(Slot {
            seated,
            number,
            base,
            episode,
            sampler: Rng::stream(base, "sample"),
        })
    }

    fn seat(&self) -> PlayerId {
        self.seated.state().player()
    }

    /// A legal action, each equally likely.
    fn sample(&mut self) -> usize {
        let dialogue = self.seated.dialogue();
        let mut n = 0;
        dialogue.for_each_action(|_| n += 1);
        let mut left = self.sampler.below(n);
        let mut found = 0;
        dialogue.for_each_action(|action| {
            if left == 0 {
                found = action;
            }
            left = left.wrapping_sub(1);
        });
        found
    }

    /// Takes a step and writes all about it.
    fn step(
        &mut self,
        action: i64,
        terms: &Terms<'_>,
        row: &mut ArrayRow<'_>,
    ) -> Result<(), Fault> {
        let seat = self.seat();
        let taken = usize::try_from(action).map_err(|_| ());
        if taken
            .and_then(|action| self.seated.take(action, terms.halt))
            .is_err()
        {
            return Err(Fault::Illegal {
                action,
                number: self.number,
            });
        }
        let utilities = self.seated.utilities();
        for (cell, utility) in row.utilities.iter_mut().zip(utilities.as_slice()) {
            *cell = *utility as f32;
        }
        *row.reward = utilities[seat] as f32;
        *row.done = self.seated.is_over();
        if *row.done {
            terms
                .layout
                .write(self.seated.dialogue(), seat, row.final_observation);
            self.episode += 1;
            self.seated = terms
                .deal(self.number, self.base, &mut self.episode)
                .map_err(Fault::Spec)?;
        }
        self.show(terms, row);
        Ok(())
    }

    /// Writes what the player to move sees.
    fn show(&self, terms: &Terms<'_>, row: &mut ArrayRow<'_>) {
        let (seat, dialogue) = (self.seat(), self.seated.dialogue());
        terms.layout.write(dialogue, seat, row.observation);
        row.mask.fill(false);
        dialogue.for_each_action(|action| row.mask[action] = true);
        *row.seat = seat.index() as i64;
        *row.seed = seed_of(self.base, self.episode);
    }
}

enum Fault {
    Illegal { action: i64, number: usize },
    Spec(SpecError),
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        match fault {
            Fault::Illegal { action, number } => IllegalMoveError::new_err(format!(
                "action {action} is not legal in game {number} of the batch"
            )),
            Fault::Spec(error) => sentence(error),
        }
    }
}

/// The places of one game in the arrays.
struct ArrayRow<'a> {
    observation: &'a mut [f32],
    final_observation: &'a mut [f32],
    mask: &'a mut [bool],
    seat: &'a mut i64,
    reward: &'a mut f32,
    utilities: &'a mut [f32],
    done: &'a mut bool,
    seed: &'a mut u64,
}

/// The arrays, borrowed for one call.
struct Arrays<'py> {
    observations: Borrowed<'py, f32, numpy::Ix2>,
    final_observations: Borrowed<'py, f32, numpy::Ix2>,
    masks: Borrowed<'py, bool, numpy::Ix2>,
    seats: Borrowed<'py, i64, numpy::Ix1>,
    rewards: Borrowed<'py, f32, numpy::Ix1>,
    utilities: Borrowed<'py, f32, numpy::Ix2>,
    dones: Borrowed<'py, bool, numpy::Ix1>,
    seeds: Borrowed<'py, u64, numpy::Ix1>,
}

/// Where arrays begin: JAX copies what does not begin at a multiple of it.
const ALIGNMENT: usize = 64;

/// An array of zeros at an address that all who share memory accept.
fn aligned<T: Element, D: numpy::ndarray::Dimension>(
    py: Python<'_>,
    shape: &[usize],
) -> PyResult<Py<numpy::PyArray<T, D>>> {
    let (length, size) = (shape.iter().product::<usize>(), size_of::<T>());
    // NumPy itself, since it has an exception for too little memory.
    let zeros = py.import("numpy")?.getattr("zeros")?;
    let whole = zeros.call1((length + ALIGNMENT / size, T::get_dtype(py)))?;
    let address = whole.cast::<PyArray1<T>>()?.data() as usize;
    let skipped = (address.wrapping_neg() % ALIGNMENT / size) as isize;
    let slice = PySlice::new(py, skipped, skipped + length as isize, 1);
    let part = whole
        .get_item(slice)?
        .call_method1("reshape", (shape.to_vec(),))?;
    Ok(part.cast_into()?.unbind())
}

type Borrowed<'py, T, D> = PyReadwriteArray<'py, T, D>;

fn borrow<'py, T: Element, D: numpy::ndarray::Dimension>(
    array: &Bound<'py, numpy::PyArray<T, D>>,
) -> PyResult<Borrowed<'py, T, D>> {
    array
        .try_readwrite()
        .map_err(|error| invalid(format!("an array of the batch is in use: {error}")))
}

impl<'py> Arrays<'py> {
    fn of(batch: &PyBatch, py: Python<'py>) -> PyResult<Arrays<'py>> {
        Ok(Arrays {
            observations: borrow(batch.observations.bind(py))?,
            final_observations: borrow(batch.final_observations.bind(py))?,
            masks: borrow(batch.masks.bind(py))?,
            seats: borrow(batch.seats.bind(py))?,
            rewards: borrow(batch.rewards.bind(py))?,
            utilities: borrow(batch.utilities.bind(py))?,
            dones: borrow(batch.dones.bind(py))?,
            seeds: borrow(batch.seeds.bind(py))?,
        })
    }

    /// A row for every game.
    fn rows(&mut self, batch: &PyBatch) -> PyResult<Vec<ArrayRow<'_>>> {
        let width = batch.layout.len();
        let observations = self.observations.as_slice_mut()?.chunks_exact_mut(width);
        let finals = self
            .final_observations
            .as_slice_mut()?
            .chunks_exact_mut(width);
        let masks = self.masks.as_slice_mut()?.chunks_exact_mut(batch.n_actions);
        let utilities = self
            .utilities
            .as_slice_mut()?
            .chunks_exact_mut(batch.layout.n_players);
        let numbers = self.seats.as_slice_mut()?.iter_mut();
        let rewards = self.rewards.as_slice_mut()?.iter_mut();
        let dones = self.dones.as_slice_mut()?.iter_mut();
        let seeds = self.seeds.as_slice_mut()?.iter_mut();
        let vectors = observations.zip(finals).zip(masks).zip(utilities);
        let scalars = numbers.zip(rewards).zip(dones).zip(seeds);
        let row = |((((observation, final_observation), mask), utilities), scalars)| {
            let (((seat, reward), done), seed) = scalars;
            ArrayRow {
                observation,
                final_observation,
                mask,
                seat,
                reward,
                utilities,
                done,
                seed,
            }
        };
        Ok(vectors.zip(scalars).map(row).collect())
    }
}

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(signature = (n, game, *, opponents=vec![], seed=0, threads=None))]
    fn new(
        py: Python<'_>,
        n: usize,
        game: GameArg<'_>,
        opponents: Vec<Bound<'_, PyAny>>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<PyBatch> {
        const MAX_GAMES: usize = 1 << 20;
        if !(1..=MAX_GAMES).contains(&n) {
            return Err(invalid(format!(
                "a batch has 1 to {MAX_GAMES} games, not {n}"
            )));
        }
        let game = game.game();
        let rivals = opponents
            .iter()
            .map(spec_of)
            .collect::<PyResult<Vec<Spec>>>()?;
        if rivals.len() >= game.n_players() {
            return Err(invalid(format!(
                "{} opponents leave no seat for a learner in a game of {}",
                rivals.len(),
                game.n_players()
            )));
        }
        let grants = Grants::with(hegemon_protocol::HostLoader::default());
        rivals
            .iter()
            .try_for_each(|spec| check(spec, &game, &grants))
            .map_err(sentence)?;
        let layout = Layout::new(&game);
        let n_actions = ActionSpace::new(layout.n_territories).len();
        let n_threads = threads_for(threads, n, !rivals.is_empty());
        let batch = PyBatch {
            layout,
            n_actions,
            inner: Mutex::new(Inner {
                slots: Vec::new(),
                rivals,
                n_threads,
                grants,
                is_cut: false,
            }),
            observations: aligned(py, &[n, layout.len()])?,
            final_observations: aligned(py, &[n, layout.len()])?,
            masks: aligned(py, &[n, n_actions])?,
            seats: aligned(py, &[n])?,
            rewards: aligned(py, &[n])?,
            utilities: aligned(py, &[n, layout.n_players])?,
            dones: aligned(py, &[n])?,
            seeds: aligned(py, &[n])?,
            samples: aligned(py, &[n])?,
            game,
        };
        let bases = (0..n as u64).map(|number| deal_seed(seed, "environment", number));
        batch.restart(py, &bases.collect::<Vec<u64>>())?;
        Ok(batch)
    }

    /// Deals all games anew: from one seed for all, or from one for each.
    #[pyo3(signature = (*, seed=0, seeds=None))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: u64,
        seeds: Option<PyReadonlyArray1<'_, u64>>,
    ) -> PyResult<()> {
        let n = self.n(py)?;
        let bases: Vec<u64> = match seeds {
            Some(seeds) => seeds.as_slice()?.to_vec(),
            None => (0..n as u64)
                .map(|number| deal_seed(seed, "environment", number))
                .collect(),
        };
        if bases.len() != n {
            return Err(invalid(format!("{} seeds for {n} games", bases.len())));
        }
        self.restart(py, &bases)
    }

    /// Takes one step in every game.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice()?;
        let mut arrays = Arrays::of(self, py)?;
        let mut inner = self.lock(py);
        if actions.len() != inner.slots.len() {
            return Err(invalid(format!(
                "{} actions for {} games",
                actions.len(),
                inner.slots.len()
            )));
        }
        if inner.is_cut {
            return Err(interrupted());
        }
        // All or nothing: no game takes a step if one of the actions is not legal.
        let masks = arrays.masks.as_slice()?.chunks_exact(self.n_actions);
        for (number, (&action, mask)) in actions.iter().zip(masks).enumerate() {
            let index = usize::try_from(action).ok();
            if index.and_then(|index| mask.get(index)) != Some(&true) {
                return Err(Fault::Illegal { action, number }.into());
            }
        }
        let rows = arrays.rows(self)?;
        let (inner, halt) = (&mut *inner, Halt::new());
        let stepped = py.detach(|| self.step_all(inner, actions, rows, &halt));
        let ended = halt.end();
        // Only where the caller wrote into the masks does a step fail after the check above.
        inner.is_cut = ended.is_err() || stepped.is_err();
        ended.and(stepped.map_err(PyErr::from))
    }

    /// Draws a legal action for every game, each equally likely, into one array.
    fn sample(&self, py: Python<'_>) -> PyResult<Py<PyArray1<i64>>> {
        let mut samples = borrow(self.samples.bind(py))?;
        let samples = samples.as_slice_mut()?;
        let mut inner = self.lock(py);
        let inner = &mut *inner;
        py.detach(|| {
            let size = samples.len().div_ceil(inner.n_threads);
            let parts = inner.slots.chunks_mut(size).zip(samples.chunks_mut(size));
            side_by_side(parts, |(slots, samples)| {
                for (slot, sample) in slots.iter_mut().zip(samples) {
                    *sample = slot.sample() as i64;
                }
            });
        });
        Ok(self.samples.clone_ref(py))
    }

    /// A copy of the state of one of the games.
    fn state(&self, py: Python<'_>, number: usize) -> PyResult<crate::state::PyState> {
        let inner = self.lock(py);
        let slot = inner.slots.get(number);
        slot.map(|slot| crate::state::PyState::of(slot.seated.state().clone()))
            .ok_or_else(|| invalid(format!("there is no game {number} in the batch")))
    }

    #[getter]
    fn game(&self) -> PyGame {
        PyGame::of(Arc::clone(&self.game))
    }

    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.observations.clone_ref(py)
    }

    #[getter]
    fn final_observations(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.final_observations.clone_ref(py)
    }

    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyArray2<bool>> {
        self.masks.clone_ref(py)
    }

    #[getter]
    fn seats(&self, py: Python<'_>) -> Py<PyArray1<i64>> {
        self.seats.clone_ref(py)
    }

    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.rewards.clone_ref(py)
    }

    #[getter]
    fn utilities(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.utilities.clone_ref(py)
    }

    #[getter]
    fn dones(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.dones.clone_ref(py)
    }

    #[getter]
    fn seeds(&self, py: Python<'_>) -> Py<PyArray1<u64>> {
        self.seeds.clone_ref(py)
    }
}

impl PyBatch {
    fn n(&self, py: Python<'_>) -> PyResult<usize> {
        self.observations
            .bind(py)
            .call_method0("__len__")?
            .extract()
    }

    /// Waits for another thread's call without holding up the interpreter.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Inner> {
        use pyo3::sync::MutexExt as _;
        // A panic in a step is a broken invariant that has already been reported.
        self.inner
            .lock_py_attached(py)
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn restart(&self, py: Python<'_>, bases: &[u64]) -> PyResult<()> {
        let mut arrays = Arrays::of(self, py)?;
        let mut inner = self.lock(py);
        let rows = arrays.rows(self)?;
        let (inner, halt) = (&mut *inner, Halt::new());
        let dealt = py.detach(|| self.deal_all(inner, bases, rows, &halt));
        let ended = halt.end();
        inner.is_cut = ended.is_err();
        ended.and(dealt.map_err(PyErr::from))
    }

    fn terms<'a>(&'a self, rivals: &'a [Spec], grants: &'a Grants, halt: &'a Halt) -> Terms<'a> {
        Terms {
            game: &self.game,
            rivals,
            grants,
            layout: self.layout,
            halt,
        }
    }

    fn deal_all(
        &self,
        inner: &mut Inner,
        bases: &[u64],
        rows: Vec<ArrayRow<'_>>,
        halt: &Halt,
    ) -> Result<(), Fault> {
        let terms = self.terms(&inner.rivals, &inner.grants, halt);
        let mut slots = Vec::with_capacity(bases.len());
        for ((number, &base), mut row) in bases.iter().enumerate().zip(rows) {
            if halt.is_raised() {
                return Ok(());
            }
            let slot = Slot::new(&terms, number, base).map_err(Fault::Spec)?;
            *row.reward = 0.0;
            *row.done = false;
            row.utilities.fill(0.0);
            slot.show(&terms, &mut row);
            slots.push(slot);
        }
        inner.slots = slots;
        Ok(())
    }

    fn step_all(
        &self,
        inner: &mut Inner,
        actions: &[i64],
        mut rows: Vec<ArrayRow<'_>>,
        halt: &Halt,
    ) -> Result<(), Fault> {
        let Inner {
            slots,
            rivals,
            n_threads,
            grants,
            ..
        } = inner;
        let terms = self.terms(rivals, grants, halt);
        let size = actions.len().div_ceil(*n_threads);
        let parts = slots
            .chunks_mut(size)
            .zip(actions.chunks(size))
            .zip(rows.chunks_mut(size));
        let fault = Mutex::new(None);
        side_by_side(parts, |((slots, actions), rows)| {
            for ((slot, &action), row) in slots.iter_mut().zip(actions).zip(rows) {
                if let Err(found) = slot.step(action, &terms, row)
                    && let Ok(mut fault) = fault.lock()
                {
                    *fault = Some(found);
                }
            }
        });
        match fault.into_inner() {
            Ok(Some(fault)) => Err(fault),
            _ => Ok(()),
        }
    }
}

/// As many threads as were asked for; else no more than are worth it.
fn threads_for(asked: Option<usize>, n_games: usize, has_bots: bool) -> usize {
    let per_thread = if has_bots {
        GAMES_WITH_BOTS_PER_THREAD
    } else {
        GAMES_PER_THREAD
    };
    let most = match asked {
        Some(_) => n_games,
        None => n_games.div_ceil(per_thread),
    };
    n_threads(asked).min(most)
}

/// Does the work for every part, each but the first on a thread of its own.
fn side_by_side<T: Send>(mut parts: impl Iterator<Item = T>, work: impl Fn(T) + Sync) {
    let Some(first) = parts.next() else {
        return;
    };
    let work = &work;
    std::thread::scope(|scope| {
        for part in parts {
            scope.spawn(move || work(part));
        }
        work(first);
    });
}
