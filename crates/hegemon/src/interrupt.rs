//! Ctrl-C and SIGTERM: long commands stop at the next good moment and say what
//! they have.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// The exit code after a second signal, of a shell for Ctrl-C.
const AT_ONCE: i32 = 130;

/// A flag that Ctrl-C and SIGTERM set. A second one ends the program at once.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // Where no handler can be set, the signal ends the program as usual.
            // The order matters: the first signal finds the flag not yet set.
            let _ = flag::register_conditional_shutdown(signal, AT_ONCE, Arc::clone(&stop))
                .and_then(|_| flag::register(signal, Arc::clone(&stop)));
        }
        stop
    })
}
