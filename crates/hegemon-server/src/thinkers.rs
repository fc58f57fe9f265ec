//! The threads on which bots think.
//!
//! Every game has at most one thought in hand, so first come, first served is
//! fair. Games with people go first, and games of bots alone never take all
//! threads. A thread whose bot thinks too long is written off and replaced.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hegemon_arena::legal_choice;
use hegemon_bots::{Bot, Forfeit, ForfeitKind};
use hegemon_core::{Move, State};
use tokio::sync::oneshot;

/// No more threads than this, written off or not.
const MAX_THREADS: usize = 64;

/// How far thinking threads step back.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// A bot with its answer.
pub(crate) struct Thought {
    /// The bot, unless it is lost.
    pub bot: Option<Box<dyn Bot>>,
    /// The move, or why there is none.
    pub choice: Result<Move, Forfeit>,
}

struct Job {
    bot: Box<dyn Bot>,
    state: Arc<State>,
    is_urgent: bool,
    started: oneshot::Sender<()>,
    reply: oneshot::Sender<Thought>,
}

#[derive(Default)]
struct Queues {
    urgent: VecDeque<Job>,
    other: VecDeque<Job>,
    /// Thoughts of games without people that are being thought.
    n_other_running: usize,
    n_threads: usize,
    is_closed: bool,
}

/// The pool of threads.
pub(crate) struct Thinkers {
    queues: Mutex<Queues>,
    wake: Condvar,
    /// Threads that games without people may take.
    most_other: usize,
}

impl Thinkers {
    /// A pool with this many threads for games of bots alone, and as many kept
    /// for games with people.
    pub(crate) fn start(n_each: usize) -> Arc<Thinkers> {
        let n_each = n_each.clamp(1, MAX_THREADS / 4);
        let thinkers = Arc::new(Thinkers {
            queues: Mutex::default(),
            wake: Condvar::new(),
            most_other: n_each,
        });
        for _ in 0..2 * n_each {
            Self::add_thread(&thinkers, &mut thinkers.held());
        }
        thinkers
    }

    /// Lets a bot think. The time limit runs from the moment it starts, not
    /// while it waits for a thread.
    pub(crate) async fn think(
        self: &Arc<Thinkers>,
        bot: Box<dyn Bot>,
        state: Arc<State>,
        is_urgent: bool,
        limit: Duration,
    ) -> Thought {
        let (started, has_started) = oneshot::channel();
        let (reply, mut answer) = oneshot::channel();
        self.enqueue(Job {
            bot,
            state,
            is_urgent,
            started,
            reply,
        });
        // If the thread is gone, so is the answer.
        let _ = has_started.await;
        if let Ok(answer) = tokio::time::timeout(limit, &mut answer).await {
            return answer.unwrap_or_else(|_| lost(ForfeitKind::Crash, "no answer"));
        }
        // From here on the thread knows that it is written off, unless it was
        // quicker than that.
        answer.close();
        answer.try_recv().unwrap_or_else(|_| {
            self.write_off(is_urgent);
            let message = format!("more than {} ms", limit.as_millis());
            lost(ForfeitKind::Timeout, &message)
        })
    }

    /// Lets idle threads go.
    pub(crate) fn close(&self) {
        let mut queues = self.held();
        queues.is_closed = true;
        queues.urgent.clear();
        queues.other.clear();
        self.wake.notify_all();
    }

    fn enqueue(&self, job: Job) {
        let mut queues = self.held();
        if queues.is_closed {
            return;
        }
        if job.is_urgent {
            queues.urgent.push_back(job);
        } else {
            queues.other.push_back(job);
        }
        self.wake.notify_one();
    }

    /// A thread is stuck: it no longer counts, and another takes its place. It
    /// ends when its bot does.
    fn write_off(self: &Arc<Thinkers>, is_urgent: bool) {
        let mut queues = self.held();
        if !is_urgent {
            queues.n_other_running -= 1;
        }
        if queues.n_threads < MAX_THREADS {
            Self::add_thread(self, &mut queues);
        }
        self.wake.notify_one();
    }

    fn add_thread(thinkers: &Arc<Thinkers>, queues: &mut Queues) {
        let pool = Arc::clone(thinkers);
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
            if let Some(job) = queues.urgent.pop_front() {
                return Some(job);
            }
            if queues.n_other_running < self.most_other
                && let Some(job) = queues.other.pop_front()
            {
                queues.n_other_running += 1;
                return Some(job);
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
            mut bot,
            state,
            is_urgent,
            started,
            reply,
        } = job;
        let _ = started.send(());
        let choice = catch_unwind(AssertUnwindSafe(|| legal_choice(bot.as_mut(), &state)));
        let thought = match choice {
            Ok(choice) => Thought {
                bot: Some(bot),
                choice,
            },
            Err(_) => {
                // A bot that panicked may panic again while it is dropped.
                let _ = catch_unwind(AssertUnwindSafe(move || drop(bot)));
                lost(ForfeitKind::Crash, "it broke down")
            }
        };
        let was_wanted = reply.send(thought).is_ok();
        if was_wanted && !is_urgent {
            self.held().n_other_running -= 1;
            self.wake.notify_one();
        }
        was_wanted
    }

    fn held(&self) -> MutexGuard<'_, Queues> {
        // Counters and queues are changed in single steps.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
