//! Runs one target on several threads, and detects crashes, hangs and slow
//! inputs.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use cpu_time::ThreadTime;
use hegemon_core::{Rng, fnv1a};
use hegemon_fuzz::{FuzzTarget, Mutator, seeds};

use crate::{Arguments, Report, limits, under_way};

/// An input that runs this long is a hang: the process gives up.
const HANG: Duration = Duration::from_secs(120);
/// Remote work shares the processors with other threads: the time limit is
/// lenient.
const REMOTE_PATIENCE: f64 = 5.0;
/// How often the size of the process is checked, in inputs.
const WEIGH_EVERY: u64 = 256;

/// Panics of other threads, not yet reported.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    /// The last panic of this thread.
    static PANIC: Cell<Option<String>> = const { Cell::new(None) };
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// What all threads of a target share.
struct Shared<'a> {
    target: &'a FuzzTarget,
    arguments: &'a Arguments,
    start: Instant,
    n_inputs: AtomicU64,
    /// Set when there is no point in continuing.
    stops: AtomicBool,
    /// The first input of each kind of crash, and how many there were.
    crashes: Mutex<BTreeMap<String, (String, u64)>>,
    /// When each thread began its input, in milliseconds; 0 between inputs.
    began: Vec<AtomicU64>,
    n_traces: AtomicU64,
}

/// Fuzzes a target.
pub(crate) fn fuzz(target: &FuzzTarget, arguments: &Arguments) -> anyhow::Result<Report> {
    std::panic::set_hook(Box::new(note_panic));
    let shared = Shared {
        target,
        arguments,
        start: Instant::now(),
        n_inputs: AtomicU64::new(0),
        stops: AtomicBool::new(false),
        crashes: Mutex::default(),
        began: (0..arguments.threads).map(|_| AtomicU64::new(0)).collect(),
        n_traces: AtomicU64::new(0),
    };
    let files: Vec<File> = (0..arguments.threads)
        .map(|thread| File::create(under_way(&arguments.out, target, thread)))
        .collect::<Result<_, _>>()
        .context("cannot write into the folder for crashes")?;
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| shared.watch(&is_done));
        let workers: Vec<_> = files
            .into_iter()
            .enumerate()
            .map(|(thread, file)| {
                let shared = &shared;
                // As deep as the main thread of most systems.
                let builder = std::thread::Builder::new().stack_size(8 << 20);
                builder.spawn_scoped(scope, move || shared.work(thread, file))
            })
            .collect();
        for worker in workers.into_iter().flatten() {
            let _ = worker.join();
        }
        is_done.store(true, Ordering::Relaxed);
    });
    for thread in 0..arguments.threads {
        let _ = fs::remove_file(under_way(&arguments.out, target, thread));
    }
    let crashes = shared.crashes.into_inner().unwrap_or_default();
    Ok(Report {
        inputs: shared.n_inputs.into_inner(),
        seconds: shared.start.elapsed().as_secs_f64(),
        traces: shared.n_traces.into_inner() as usize,
        crashes: crashes
            .into_iter()
            .map(|(what, (file, n))| format!("{what} ({n} times, {file})"))
            .collect(),
    })
}

impl Shared<'_> {
    fn work(&self, thread: usize, mut file: File) {
        IS_WORKER.set(true);
        let stream = format!("fuzz {} {thread}", self.target.name);
        let rng = Rng::stream(self.arguments.seed, &stream);
        let mut mutator = Mutator::new(seeds(self.target.name), rng);
        let (most, longest) = limits(self.arguments);
        while !self.stops.load(Ordering::Relaxed) && self.start.elapsed() < longest {
            let n = self.n_inputs.fetch_add(1, Ordering::Relaxed);
            if n >= most {
                self.n_inputs.fetch_sub(1, Ordering::Relaxed);
                break;
            }
            let input = mutator.next_input();
            // If this fails, there is only less to examine after a crash.
            let _ = write_input(&mut file, &input);
            self.began[thread].store(self.now_ms(), Ordering::Relaxed);
            let (clock, processor) = (Instant::now(), ThreadTime::now());
            let outcome = catch_unwind(AssertUnwindSafe(|| (self.target.run)(&input)));
            let seconds = if self.target.is_remote {
                clock.elapsed().as_secs_f64() / REMOTE_PATIENCE
            } else {
                processor.elapsed().as_secs_f64()
            };
            self.began[thread].store(0, Ordering::Relaxed);
            if seconds > self.arguments.slow {
                self.found("slow", &input);
            }
            let own = PANIC.take();
            let others = std::mem::take(&mut *lock(&PANICS));
            for panic in own.into_iter().chain(others) {
                self.found(&panic, &input);
            }
            if n.is_multiple_of(WEIGH_EVERY) && size_mib() > self.arguments.memory {
                self.found("the process is too large", &input);
                self.stops.store(true, Ordering::Relaxed);
            }
            if let Ok(trace) = outcome {
                mutator.learn(input, trace);
            }
        }
        self.n_traces
            .fetch_max(mutator.n_traces() as u64, Ordering::Relaxed);
    }

    fn found(&self, what: &str, input: &[u8]) {
        let mut crashes = lock(&self.crashes);
        if let Some((_, n)) = crashes.get_mut(what) {
            *n += 1;
            return;
        }
        let file = keep(&self.arguments.out, self.target, input);
        let file = file.unwrap_or_else(|| "input lost".to_owned());
        crashes.insert(what.to_owned(), (file, 1));
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis())
            .unwrap_or(u64::MAX)
            .max(1)
    }

    /// Ends the process if an input hangs.
    fn watch(&self, is_done: &AtomicBool) {
        while !is_done.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(100));
            let now = self.now_ms();
            let hangs = |began: &AtomicU64| {
                let began = began.load(Ordering::Relaxed);
                began > 0 && u128::from(now.saturating_sub(began)) > HANG.as_millis()
            };
            if self.began.iter().any(hangs) {
                eprintln!("{}: an input hangs", self.target.name);
                std::process::abort();
            }
        }
    }
}

fn note_panic(info: &std::panic::PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let message = info.payload_as_str().unwrap_or("a panic");
    let message: String = message.chars().take(300).collect();
    // One kind of crash per source location: messages may contain the input.
    let what = format!("panic at {place}");
    eprintln!("{what}: {message}");
    if IS_WORKER.get() {
        PANIC.set(Some(what));
    } else {
        lock(&PANICS).push(what);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Stores an input that crashed; returns the name of its file.
pub(crate) fn keep(out: &Path, target: &FuzzTarget, input: &[u8]) -> Option<String> {
    let path = out.join(format!("{}-{:016x}", target.name, fnv1a(input)));
    fs::write(&path, input).ok()?;
    Some(path.display().to_string())
}

/// Overwrites the file with an input, preceded by its length.
fn write_input(file: &mut File, input: &[u8]) -> std::io::Result<()> {
    let mut bytes = (input.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(input);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&bytes)
}

/// The input in a file of [`write_input`], and leftovers of an earlier one.
pub(crate) fn split_input(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u64::from_le_bytes(*length) as usize)
}

/// Memory size of this process, if the system provides it.
fn size_mib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
