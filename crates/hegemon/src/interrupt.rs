//! Ctrl-C and SIGTERM: long commands stop at the next good moment and print
//! their results so far.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

/// The exit code after a second signal, the shell's code for Ctrl-C.
const AT_ONCE: i32 = 130;

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Says, on the first signal, what a command waits for that finishes its games.
fn say_waiting() {
    let line = match hegemon_arena::games_to_finish() {
        0 => "stopping; Ctrl-C again stops at once".to_owned(),
        1 => "finishing 1 game; Ctrl-C again stops".to_owned(),
        n => format!("finishing {n} games; Ctrl-C again stops"),
    };
    crate::output::announce(&line);
}

/// A flag that Ctrl-C and SIGTERM set, with a message on the standard error. A
/// second signal prints the result that was kept and ends the program at once.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    flag(say_waiting)
}

/// What a second signal prints before it ends the program, and when that was last told.
static RESULT: Mutex<Option<(Option<Instant>, String)>> = Mutex::new(None);

/// How often a result is written down.
const WRITE_EVERY: Duration = Duration::from_millis(200);

/// Keeps the result so far for a second signal; `write` makes its text, if that was not done
/// a moment ago.
pub(crate) fn keep_result(write: impl FnOnce() -> anyhow::Result<String>) {
    let mut kept = RESULT.lock().unwrap_or_else(PoisonError::into_inner);
    let when = kept.as_ref().and_then(|(when, _)| *when);
    if when.is_none_or(|when| when.elapsed() >= WRITE_EVERY)
        && let Ok(text) = write()
    {
        *kept = Some((Some(Instant::now()), text));
    }
}

/// What a second signal prints as long as there is no result.
pub(crate) fn keep_sentence(sentence: &str) {
    let mut kept = RESULT.lock().unwrap_or_else(PoisonError::into_inner);
    *kept = Some((None, format!("{sentence}\n")));
}

/// The same without a message, for a command that waits for nothing.
pub(crate) fn silent_stop_flag() -> &'static AtomicBool {
    flag(|| ())
}

fn flag(announce: fn()) -> &'static AtomicBool {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        // If no handler can be set, the signal ends the program as usual.
        let _ = heed(&stop, announce);
        stop
    })
}

#[cfg(unix)]
fn heed(stop: &Arc<AtomicBool>, announce: fn()) -> std::io::Result<()> {
    use std::sync::atomic::Ordering;
    use std::sync::mpsc;

    /// So long what is said may take before the command ends without it.
    const SAYING: Duration = Duration::from_secs(2);
    let mut signals = signal_hook::iterator::Signals::new(SIGNALS)?;
    let stop = Arc::clone(stop);
    let wait = move || {
        for _ in signals.forever() {
            if stop.load(Ordering::SeqCst) {
                end_now();
            }
            // First what is said, then the end: the result stands below it, and the games that
            // are counted are under way. On its own thread, so that a blocked standard error
            // blocks no signal.
            let (sender, said) = mpsc::channel();
            std::thread::spawn(move || {
                announce();
                let _ = sender.send(());
            });
            let _ = said.recv_timeout(SAYING);
            stop.store(true, Ordering::SeqCst);
        }
    };
    std::thread::Builder::new().spawn(wait).map(|_| ())
}

/// Ends the program, and first the bots whose supervisor is gone. The others
/// end with the program.
#[cfg(unix)]
fn end_now() -> ! {
    use std::sync::mpsc;

    /// Do not wait for a process stuck in the kernel.
    const LIMIT: Duration = Duration::from_secs(2);
    let (sender, done) = mpsc::channel();
    std::thread::spawn(move || {
        hegemon_protocol::external::end_orphans();
        let kept = RESULT.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((_, text)) = kept {
            crate::output::hide_bar();
            let _ = crate::output::print(&text);
        }
        let _ = sender.send(());
    });
    let _ = done.recv_timeout(LIMIT);
    signal_hook::low_level::exit(AT_ONCE)
}

#[cfg(not(unix))]
fn heed(stop: &Arc<AtomicBool>, _announce: fn()) -> std::io::Result<()> {
    use signal_hook::flag;

    for signal in SIGNALS {
        // The order matters: the first signal finds the flag not yet set.
        flag::register_conditional_shutdown(signal, AT_ONCE, Arc::clone(stop))?;
        flag::register(signal, Arc::clone(stop))?;
    }
    Ok(())
}
