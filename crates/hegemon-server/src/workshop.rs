//! Threads for what takes long and nobody's move waits for: records, replays
//! and odds. They step back behind everything else, and there is only so much
//! work at a time, of everybody and of one client.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, oneshot};

use crate::clients::{Client, Clients, Held, Stake};
use crate::error::ApiError;
use crate::limits::Permit;
use crate::thinkers::step_back;

type Job = Box<dyn FnOnce() + Send>;

/// The threads and what waits for them.
pub(crate) struct Workshop {
    jobs: Mutex<Option<mpsc::Sender<Job>>>,
    clients: Arc<Clients>,
    most: usize,
    n_taken: Arc<AtomicUsize>,
    /// Telling the past to those who were away; they wait for each other.
    telling: Semaphore,
}

/// A place in the workshop: from before the work comes until its fruit is gone.
#[derive(Debug)]
pub(crate) struct Place {
    _permit: Permit,
    _held: Held,
}

impl Workshop {
    /// A workshop with so many threads and places.
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
            telling: Semaphore::new(n_threads.max(1)),
        }
    }

    /// A place for a client's work.
    ///
    /// # Errors
    ///
    /// If the client, or everybody, has as many as may be.
    pub(crate) fn enter(&self, client: Client) -> Result<Place, ApiError> {
        let busy = || {
            let message = "Too much is being worked out at the moment; wait a little.";
            ApiError::too_many("busy", message)
        };
        let held = self.clients.hold(client, Stake::Labour).ok_or_else(busy)?;
        let permit = Permit::take(&self.n_taken, self.most).ok_or_else(busy)?;
        Ok(Place {
            _permit: permit,
            _held: held,
        })
    }

    /// Does a job for somebody who has a place.
    ///
    /// # Errors
    ///
    /// If the job panicked, or the server stops.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        _place: &Place,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        self.send(job).await
    }

    /// Does a job for somebody who can wait for as long as it takes.
    ///
    /// # Errors
    ///
    /// If the job panicked, or the server stops.
    pub(crate) async fn run_in_turn<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let _turn = self.telling.acquire().await;
        self.send(job).await
    }

    /// Lets the threads go once they have nothing left to do.
    pub(crate) fn close(&self) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.take();
    }

    async fn send<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let failed = || ApiError::internal("the request could not be worked on");
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move || {
            // Nobody may want it any more.
            let _ = reply.send(job());
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

fn work(queue: &Mutex<mpsc::Receiver<Job>>) {
    step_back();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else {
            return;
        };
        // Whoever waits for it hears that there is no answer.
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
        let client = |n: u8| Client::new([10, 0, 0, n].into());
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
}
