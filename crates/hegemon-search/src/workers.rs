//! Runs jobs in parallel if there are threads, else sequentially.

/// Runs all jobs, each on its own thread with the feature `threads`, and returns
/// their results in order. Independent jobs give the same results either way.
///
/// # Panics
///
/// If a job panics.
///
/// ```
/// let jobs = (1..=3).map(|n| move || n * n).collect();
/// assert_eq!(hegemon_search::run_all(jobs), [1, 4, 9]);
/// ```
#[cfg(feature = "threads")]
pub fn run_all<T: Send, J: FnOnce() -> T + Send>(jobs: Vec<J>) -> Vec<T> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = jobs.into_iter().map(|job| scope.spawn(job)).collect();
        let results = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        results.collect()
    })
}

/// Runs all jobs sequentially, since there are no threads without the feature
/// `threads`, and returns their results in order.
#[cfg(not(feature = "threads"))]
pub fn run_all<T: Send, J: FnOnce() -> T + Send>(jobs: Vec<J>) -> Vec<T> {
    jobs.into_iter().map(|job| job()).collect()
}
