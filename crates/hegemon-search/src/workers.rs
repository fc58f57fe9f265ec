//! Jobs side by side where there are threads, else one after another.

/// Runs all jobs, each on a thread of its own with the feature `threads`, and
/// returns their results in order. Jobs that share nothing give the same results
/// either way.
///
/// # Panics
///
/// If a job does.
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

/// Runs all jobs one after another, for there are no threads without the feature
/// `threads`, and returns their results in order.
#[cfg(not(feature = "threads"))]
pub fn run_all<T: Send, J: FnOnce() -> T + Send>(jobs: Vec<J>) -> Vec<T> {
    jobs.into_iter().map(|job| job()).collect()
}
