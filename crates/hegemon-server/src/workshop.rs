//! Threads for what takes long and nobody's move waits for: records, replays
//! and odds. They step back behind everything else, and there is only so much
//! work at a time, of everybody and of one client.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, oneshot};

use crate::bot_threads::step_back;
use crate::clients::{Client, Clients, HeldStake, Stake};
use crate::error::ApiError;
use crate::limits::Permit;

type Job = Box<dyn FnOnce() + Send>;

/// The threads and what waits for them.
pub(crate) struct Workshop {
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    clients: Arc<Clients>,
    most: usize,
    n_taken: Arc<AtomicUsize>,
    /// By line.
    turnstiles: [Arc<Semaphore>; N_LINES],
    /// Players who were away and wait for the past.
    players: Arc<Semaphore>,
}

/// What those wait for who can wait; a line does not hold up another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitingLine {
    /// A game to be made.
    Making,
    /// The past, told to those who watch.
    Telling,
    /// The list of games.
    Listing,
}

/// How many lines there are.
const N_LINES: usize = 3;

/// A place in the workshop: from before the work comes until its fruit is gone.
/// The work holds on to it too, so that who hangs up makes no room for more.
#[derive(Clone, Debug)]
pub(crate) struct WorkshopPlace {
    _permit: Arc<Permit>,
    _held: Arc<HeldStake>,
}

impl Workshop {
    /// A workshop with this number of threads and places.
    pub(crate) fn start(n_threads: usize, most: usize, clients: Arc<Clients>) -> Workshop {
        let (jobs, queue) = mpsc::channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..n_threads.max(1) {
            let queue = Arc::clone(&queue);
            // Without any thread the answer is an error, not silence.
            let _ = std::thread::Builder::new()
                .name("workshop".to_owned())
                .spawn(move || work(&queue));
        }
        Workshop {
            jobs: Mutex::new(Some(jobs)),
            clients,
            most,
            n_taken: Arc::default(),
            turnstiles: [(); N_LINES].map(|()| Arc::new(Semaphore::new(n_threads.max(1)))),
            players: Arc::new(Semaphore::new(n_threads.max(1))),
        }
    }

    /// A place for a client's work.
    ///
    /// # Errors
    ///
    /// If the client, or everybody, has as many as may be.
    pub(crate) fn enter(&self, client: Client) -> Result<WorkshopPlace, ApiError> {
        let busy = || {
            let message = "Too much is being worked out at the moment; wait a little.";
            ApiError::too_many("busy", message)
        };
        let held = self.clients.hold(client, Stake::Labour).ok_or_else(busy)?;
        let permit = Permit::take(&self.n_taken, self.most).ok_or_else(busy)?;
        Ok(WorkshopPlace {
            _permit: Arc::new(permit),
            _held: Arc::new(held),
        })
    }

    /// Does a job for somebody who has a place.
    ///
    /// # Errors
    ///
    /// If the job panicked, or the server stops.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        place: &WorkshopPlace,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.send(place.clone(), job).await
    }

    /// Does a job for somebody who can wait for as long as it takes, behind
    /// the others in the line.
    ///
    /// # Errors
    ///
    /// If the job panicked, or the server stops.
    pub(crate) async fn run_in_turn<T: Send + 'static>(
        &self,
        line: WaitingLine,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let turnstile = Arc::clone(&self.turnstiles[line as usize]);
        let turn = turnstile.acquire_owned().await;
        self.send(turn, job).await
    }

    /// Does a job for a player, who waits for other players and not for the
    /// threads that step back.
    ///
    /// # Errors
    ///
    /// If the job panicked.
    pub(crate) async fn run_for_player<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let turn = Arc::clone(&self.players).acquire_owned().await;
        let job = move || {
            let _turn = turn;
            job()
        };
        let done = tokio::task::spawn_blocking(job).await;
        done.map_err(|_| failed())
    }

    /// Ends the threads once they have nothing left to do.
    pub(crate) fn close(&self) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.take();
    }

    /// What the asker holds is held until the job is done.
    async fn send<T: Send + 'static>(
        &self,
        held: impl Send + 'static,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move || {
            // Nobody may want it any more, before or after.
            if !reply.is_closed() {
                let fruit = job();
                drop(held);
                let _ = reply.send(fruit);
            }
        });
        self.enqueue(job).ok_or_else(failed)?;
        answer.await.map_err(|_| failed())
    }

    /// `None` if the workshop is closed.
    fn enqueue(&self, job: Job) -> Option<()> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.as_ref()?.send(job).ok()
    }
}

fn failed() -> ApiError {
    ApiError::internal("the request could not be worked on")
}

fn work(queue: &Mutex<mpsc::Receiver<Job>>) {
    step_back();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else {
            return;
        };
        // Callers that wait for it get an error.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[tokio::test]
    async fn places_are_limited_and_a_panic_costs_none() {
        let limits = Limits {
            labours_per_client: 2,
            ..Limits::default()
        };
        let workshop = Workshop::start(1, 3, Clients::new(limits));
        let first = workshop.enter(client(1)).expect("room");
        let _second = workshop.enter(client(1)).expect("room");
        assert_eq!(workshop.enter(client(1)).expect_err("full").code, "busy");
        let _third = workshop.enter(client(2)).expect("room for others");
        assert_eq!(workshop.enter(client(3)).expect_err("full").code, "busy");
        let broken = workshop.run(&first, || panic!("as a job may")).await;
        assert_eq!(broken.expect_err("no answer").code, "internal");
        assert_eq!(workshop.run(&first, || 7).await.ok(), Some(7));
        drop(first);
        workshop.enter(client(3)).expect("given back");
    }

    /// A workshop with one thread that is busy until the sender is dropped.
    async fn busy() -> (Arc<Workshop>, mpsc::Sender<()>, tokio::task::JoinHandle<()>) {
        let limits = Limits {
            labours_per_client: 1,
            ..Limits::default()
        };
        let workshop = Arc::new(Workshop::start(1, 3, Clients::new(limits)));
        let (end, wait) = mpsc::channel::<()>();
        let (started, has_started) = oneshot::channel();
        let place = workshop.enter(client(1)).expect("room");
        let shop = Arc::clone(&workshop);
        let asker = tokio::spawn(async move {
            let long = move || {
                let _ = started.send(());
                let _ = wait.recv();
            };
            let _ = shop.run(&place, long).await;
        });
        has_started.await.expect("it began");
        (workshop, end, asker)
    }

    fn client(n: u8) -> Client {
        Client::new([10, 0, 0, n].into())
    }

    #[tokio::test]
    async fn a_place_is_taken_until_its_job_ends_although_the_asker_has_gone() {
        let (workshop, end, asker) = busy().await;
        asker.abort();
        let _ = asker.await;
        assert_eq!(workshop.enter(client(1)).expect_err("taken").code, "busy");
        drop(end);
        while workshop.enter(client(1)).is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn a_job_that_nobody_waits_for_is_not_run() {
        let (workshop, end, asker) = busy().await;
        let n_run = Arc::new(AtomicUsize::new(0));
        let count = |n_run: &Arc<AtomicUsize>| {
            let n_run = Arc::clone(n_run);
            move || n_run.fetch_add(1, std::sync::atomic::Ordering::SeqCst)
        };
        let place = workshop.enter(client(2)).expect("room");
        let unwanted = Box::pin(workshop.run(&place, count(&n_run)));
        let waited = tokio::time::timeout(std::time::Duration::from_millis(1), unwanted).await;
        assert!(waited.is_err(), "the thread is busy");
        drop(end);
        asker.await.expect("no panic");
        let before = workshop.run(&place, count(&n_run)).await.ok();
        assert_eq!(before, Some(0), "the first was left out");
    }

    #[tokio::test]
    async fn a_player_does_not_wait_for_the_works() {
        let (workshop, _end, _asker) = busy().await;
        assert_eq!(workshop.run_for_player(|| 7).await.ok(), Some(7));
    }

    #[tokio::test]
    async fn who_waits_for_the_past_holds_up_no_new_game() {
        let workshop = Workshop::start(2, 3, Clients::new(Limits::default()));
        let turnstile = Arc::clone(&workshop.turnstiles[WaitingLine::Telling as usize]);
        let _all = turnstile.acquire_many_owned(2).await.expect("open");
        for line in [WaitingLine::Making, WaitingLine::Listing] {
            let made = workshop.run_in_turn(line, || 7).await;
            assert_eq!(made.ok(), Some(7), "{line:?}");
        }
    }
}
