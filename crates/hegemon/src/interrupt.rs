//! Ctrl-C: long commands stop at the next good moment and say what they have.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub(crate) fn stop_flag() -> &'static AtomicBool {
    static STOP: AtomicBool = AtomicBool::new(false);
    static HANDLER: OnceLock<()> = OnceLock::new();
    HANDLER.get_or_init(|| {
        // Where no handler can be set, Ctrl-C ends the program as usual.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::SeqCst) {
                #[expect(clippy::exit, reason = "the second Ctrl-C means now")]
                std::process::exit(130);
            }
        });
    });
    &STOP
}
