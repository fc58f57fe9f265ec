//! The threads on which bots think.
//!
//! There are four lanes with a share of the threads each: quick and long thoughts
//! of games with people, and of games of bots alone; no lane can take the share of
//! another, so a quick bot never waits for a heavy one, even of the same client. Within a
//! lane the clients whose games these are take turns, so that a client with many games
//! delays only itself. A thought counts for as many threads as its bot starts. A bot is stopped when its time is over
//! and answers with the best move so far; only one that ignores this is written
//! off, thread and all.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hegemon_bots::{Forfeit, ForfeitKind, Stop, legal_choice};
use hegemon_core::{Move, State};
use tokio::sync::oneshot;

use crate::clients::Client;
use crate::seated_bot::SeatedBot;

/// No more threads than this, written off or not.
const MAX_THREADS: usize = 64;

/// A thought is quick up to this limit, that of the levels.
const QUICK: Duration = Duration::from_secs(2);

/// A bot is quick up to this cost, see [`hegemon_bots::Demand::cost`]: it needs a
/// fraction of a second, and gets no more than [`QUICK`].
const QUICK_COST: f64 = 1e4;

/// The share of its limit after which a bot is told to stop: what is left is for its last
/// step, for a core that is busy, and for storing the move.
const THINKING: f64 = 0.9;

/// How long after its limit a bot that was stopped may take to answer.
const GRACE: Duration = Duration::from_secs(2);

/// How far thinking threads step back.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// A bot with its answer.
pub(crate) struct Thought {
    /// The bot, unless it is lost.
    pub bot: Option<SeatedBot>,
    /// The move, or why there is none.
    pub choice: Result<Move, Forfeit>,
}

/// On whose behalf a bot thinks: the client that made the game, or that first
/// sat down at it after a restart. All games of which neither is known take
/// turns as one: if each had a turn of its own, many of them would keep
/// everybody else waiting.
pub(crate) type Asker = Option<Client>;

/// The game that a thought is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose {
    /// Whose game it is.
    pub asker: Asker,
    /// Whether a person takes part.
    pub has_people: bool,
}

/// Who a thought is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    /// A game with people, soon done.
    Quick,
    /// A game with people.
    Long,
    /// A game of bots alone, soon done.
    QuickAlone,
    /// A game of bots alone.
    LongAlone,
}

/// How many lanes there are.
const N_LANES: usize = Lane::ALL.len();

impl Lane {
    /// In the order in which a free thread looks for work.
    const ALL: [Lane; 4] = [Lane::Quick, Lane::Long, Lane::QuickAlone, Lane::LongAlone];

    fn of(has_people: bool, limit: Duration) -> Lane {
        match (has_people, limit <= QUICK) {
            (true, true) => Lane::Quick,
            (true, false) => Lane::Long,
            (false, true) => Lane::QuickAlone,
            (false, false) => Lane::LongAlone,
        }
    }
}

struct Job {
    seated: SeatedBot,
    state: Arc<State>,
    limit: Duration,
    place: Place,
    started: oneshot::Sender<()>,
    reply: oneshot::Sender<Thought>,
    /// Set before the wait for an answer is given up.
    is_written_off: Arc<AtomicBool>,
}

/// Ends a thought that nobody waits for any more. A bot's next thought arms its
/// handle again.
struct Unwanted(Stop);

impl Drop for Unwanted {
    fn drop(&mut self) {
        self.0.raise();
    }
}

/// What a thought takes up.
#[derive(Clone, Copy)]
struct Place {
    lane: Lane,
    asker: Asker,
    /// Threads that it counts for.
    n_threads: usize,
}

/// What waits in a lane.
#[derive(Default)]
struct Waiting {
    /// Who waits, in the order of their turns.
    turns: VecDeque<Asker>,
    /// First come, first served: as a game has at most one thought in hand, its
    /// games take turns too.
    jobs: BTreeMap<Asker, VecDeque<Job>>,
}

impl Waiting {
    fn push(&mut self, job: Job) {
        let asker = job.place.asker;
        let jobs = self.jobs.entry(asker).or_default();
        if jobs.is_empty() {
            self.turns.push_back(asker);
        }
        jobs.push_back(job);
    }

    /// The job at the head of an asker's queue.
    fn first_of(&self, asker: Asker) -> Option<&Job> {
        self.jobs.get(&asker)?.front()
    }

    /// Takes the first job of the asker at this place of the order; its next one
    /// comes after those of all others.
    fn take(&mut self, turn: usize) -> Option<Job> {
        let asker = self.turns.remove(turn)?;
        let jobs = self.jobs.get_mut(&asker)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&asker);
        } else {
            self.turns.push_back(asker);
        }
        job
    }

    fn clear(&mut self) {
        self.turns.clear();
        self.jobs.clear();
    }
}

#[derive(Default)]
struct Queues {
    /// By lane.
    waiting: [Waiting; N_LANES],
    /// Threads in use by lane.
    n_used: [usize; N_LANES],
    /// The same by lane and asker.
    n_used_by: BTreeMap<(usize, Asker), usize>,
    /// Handles of the thoughts under way.
    running: BTreeMap<u64, Stop>,
    n_started: u64,
    n_threads: usize,
    is_closed: bool,
}

/// The pool of threads.
pub(crate) struct BotThreads {
    queues: Mutex<Queues>,
    wake: Condvar,
    /// Threads of each lane.
    share: usize,
}

impl BotThreads {
    /// A pool with this many threads for each lane.
    pub(crate) fn start(share: usize) -> Arc<BotThreads> {
        let share = share.clamp(1, MAX_THREADS / (N_LANES + 1));
        let bot_threads = Arc::new(BotThreads {
            queues: Mutex::default(),
            wake: Condvar::new(),
            share,
        });
        for _ in 0..N_LANES * share {
            Self::add_thread(&bot_threads, &mut bot_threads.held());
        }
        bot_threads
    }

    /// Lets a bot think. The time limit runs from the moment it starts, not
    /// while it waits for a thread; a bot that thinks longer is stopped, and so
    /// is one that nobody waits for any more.
    pub(crate) async fn think(
        self: &Arc<BotThreads>,
        seated: SeatedBot,
        state: Arc<State>,
        purpose: Purpose,
        limit: Duration,
    ) -> Thought {
        let (started, has_started) = oneshot::channel();
        let (reply, mut answer) = oneshot::channel();
        let _unwanted = Unwanted(seated.stop.clone());
        let limit = if seated.cost <= QUICK_COST {
            limit.min(QUICK)
        } else {
            limit
        };
        let is_written_off = Arc::new(AtomicBool::new(false));
        let place = Place {
            lane: Lane::of(purpose.has_people, limit),
            asker: purpose.asker,
            n_threads: seated.n_threads.clamp(1, most_of_one(self.share)),
        };
        self.enqueue(Job {
            seated,
            state,
            limit,
            place,
            started,
            reply,
            is_written_off: Arc::clone(&is_written_off),
        });
        // If the thread is gone, so is the answer.
        let _ = has_started.await;
        let patience = limit.saturating_add(GRACE);
        if let Ok(answer) = tokio::time::timeout(patience, &mut answer).await {
            return answer.unwrap_or_else(|_| lost(ForfeitKind::Crash, "no answer"));
        }
        // From here on the thread knows that it is written off, unless it was
        // quicker than that.
        is_written_off.store(true, Ordering::SeqCst);
        answer.close();
        answer.try_recv().unwrap_or_else(|_| {
            self.write_off(place);
            let message = format!("more than {} ms", limit.as_millis());
            lost(ForfeitKind::Timeout, &message)
        })
    }

    /// Ends all thoughts and the threads.
    pub(crate) fn close(&self) {
        let mut queues = self.held();
        queues.is_closed = true;
        queues.waiting.iter_mut().for_each(Waiting::clear);
        queues.running.values().for_each(Stop::raise);
        self.wake.notify_all();
    }

    fn enqueue(&self, job: Job) {
        let mut queues = self.held();
        if queues.is_closed {
            return;
        }
        queues.waiting[job.place.lane as usize].push(job);
        self.wake.notify_one();
    }

    /// A thread is stuck: it no longer counts, and another takes its place. It
    /// ends when its bot does.
    fn write_off(self: &Arc<BotThreads>, place: Place) {
        let mut queues = self.held();
        queues.leave(place);
        if queues.n_threads < MAX_THREADS {
            Self::add_thread(self, &mut queues);
        }
        self.wake.notify_all();
    }

    fn add_thread(bot_threads: &Arc<BotThreads>, queues: &mut Queues) {
        let pool = Arc::clone(bot_threads);
        let name = "thinker".to_owned();
        let thread = std::thread::Builder::new().name(name);
        if thread.spawn(move || pool.work()).is_ok() {
            queues.n_threads += 1;
        }
    }

    fn work(&self) {
        step_back();
        while let Some(job) = self.next_job() {
            if !self.finish(job) {
                break;
            }
        }
        self.held().n_threads -= 1;
    }

    fn next_job(&self) -> Option<Job> {
        let mut queues = self.held();
        loop {
            if queues.is_closed {
                return None;
            }
            let next = Lane::ALL
                .into_iter()
                .find_map(|lane| queues.admit(lane, self.share));
            if next.is_some() {
                return next;
            }
            queues = self
                .wake
                .wait(queues)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Thinks; false if the thread was written off meanwhile.
    fn finish(&self, job: Job) -> bool {
        let Job {
            mut seated,
            state,
            limit,
            place,
            started,
            reply,
            is_written_off,
        } = job;
        seated.stop.arm(limit.mul_f64(THINKING));
        if reply.is_closed() {
            self.held().leave(place);
            self.wake.notify_all();
            return true;
        }
        let number = self.held().begin(&seated.stop);
        let _ = started.send(());
        let choice = catch_unwind(AssertUnwindSafe(|| {
            seated.hear(state.player());
            legal_choice(seated.bot.as_mut(), &state)
        }));
        let thought = match choice {
            Ok(choice) => Thought {
                bot: Some(seated),
                choice,
            },
            Err(_) => {
                // A bot that panicked may panic again while it is dropped.
                let _ = catch_unwind(AssertUnwindSafe(move || drop(seated)));
                lost(ForfeitKind::Crash, "it broke down")
            }
        };
        // Who asked may have gone without a word, and its bot goes with it.
        let is_kept = reply.send(thought).is_ok() || !is_written_off.load(Ordering::SeqCst);
        let mut queues = self.held();
        queues.running.remove(&number);
        if is_kept {
            queues.leave(place);
            self.wake.notify_all();
        }
        is_kept
    }

    fn held(&self) -> MutexGuard<'_, Queues> {
        // Counters and queues are changed in single steps.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queues {
    /// The next thought of a lane, if the lane has room for it. A client that has all
    /// the threads that one may have is passed over: a thought may take long, and
    /// others would wait for it.
    fn admit(&mut self, lane: Lane, share: usize) -> Option<Job> {
        let waiting = &self.waiting[lane as usize];
        let needed = |asker| waiting.first_of(asker).map_or(0, |job| job.place.n_threads);
        let fits = |asker: &Asker| {
            let n_used = self.n_used_by.get(&(lane as usize, *asker));
            n_used.copied().unwrap_or(0) + needed(*asker) <= most_of_one(share)
        };
        let turn = waiting.turns.iter().position(fits)?;
        let asker = waiting.turns[turn];
        let n_threads = needed(asker);
        if self.n_used[lane as usize] + n_threads > share {
            return None;
        }
        self.n_used[lane as usize] += n_threads;
        *self.n_used_by.entry((lane as usize, asker)).or_default() += n_threads;
        self.waiting[lane as usize].take(turn)
    }

    /// Notes the handle of a thought that begins. Where the pool is closed, it
    /// ends at once.
    fn begin(&mut self, stop: &Stop) -> u64 {
        if self.is_closed {
            stop.raise();
        }
        self.n_started += 1;
        self.running.insert(self.n_started, stop.clone());
        self.n_started
    }

    fn leave(&mut self, place: Place) {
        self.n_used[place.lane as usize] -= place.n_threads;
        let key = (place.lane as usize, place.asker);
        if let Some(n_used) = self.n_used_by.get_mut(&key) {
            *n_used -= place.n_threads;
            if *n_used == 0 {
                self.n_used_by.remove(&key);
            }
        }
    }
}

/// Threads of a lane that one asker may have: one is left for the others.
fn most_of_one(share: usize) -> usize {
    share.saturating_sub(1).max(1)
}

/// Lets requests go before thoughts where both want the processor.
pub(crate) fn step_back() {
    #[cfg(target_os = "linux")]
    {
        let thread = Some(rustix::thread::gettid());
        let own = rustix::process::getpriority_process(thread).unwrap_or(0);
        // Where it is not allowed, bots and requests share as they can.
        let _ = rustix::process::setpriority_process(thread, own + NICENESS);
    }
}

fn lost(kind: ForfeitKind, message: &str) -> Thought {
    let message = message.to_owned();
    Thought {
        bot: None,
        choice: Err(Forfeit { kind, message }),
    }
}

#[cfg(test)]
mod tests;
