//! Ctrl-C and SIGTERM: long commands stop at the next good moment and say what
//! they have.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};

/// The exit code after a second signal, of a shell for Ctrl-C.
const AT_ONCE: i32 = 130;

const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// What a command that waits for its games says to the first signal.
const WAITING: &str = "stopping after the games under way; again to stop at once";

/// A flag that Ctrl-C and SIGTERM set, which is said on the standard error. A
/// second one ends the program at once.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    flag(|| crate::output::announce(WAITING))
}

/// The same for a command that waits for nothing and need not say so.
pub(crate) fn silent_stop_flag() -> &'static AtomicBool {
    flag(|| ())
}

fn flag(announce: fn()) -> &'static AtomicBool {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        // Where no handler can be set, the signal ends the program as usual.
        let _ = heed(&stop, announce);
        stop
    })
}

#[cfg(unix)]
fn heed(stop: &Arc<AtomicBool>, announce: fn()) -> std::io::Result<()> {
    use std::sync::atomic::Ordering;

    let mut signals = signal_hook::iterator::Signals::new(SIGNALS)?;
    let stop = Arc::clone(stop);
    let wait = move || {
        for _ in signals.forever() {
            if stop.swap(true, Ordering::SeqCst) {
                end_now();
            }
            // Where nobody reads what is said, the second signal is still heeded.
            std::thread::spawn(announce);
        }
    };
    std::thread::Builder::new().spawn(wait).map(|_| ())
}

/// Ends the program, and before it the bots that only it knows of: those whose
/// supervisor is gone. The others end with us.
#[cfg(unix)]
fn end_now() -> ! {
    use std::sync::mpsc;
    use std::time::Duration;

    /// A process that the kernel does not let go of is not waited for.
    const LIMIT: Duration = Duration::from_secs(2);
    let (sender, done) = mpsc::channel();
    std::thread::spawn(move || {
        hegemon_protocol::external::end_orphans();
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
