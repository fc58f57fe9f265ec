//! The identity of this program: version, commit and behaviour signature.

use std::sync::LazyLock;

use hegemon_record::Program;

/// The committed signature. A change of play is a change of this file, and a
/// test recomputes it.
pub(crate) const SIGNATURE: &str = include_str!("../SIGNATURE");

/// The text of `--version`.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| this_program().to_string());

/// This build.
pub(crate) fn this_program() -> Program {
    Program {
        version: env!("CARGO_PKG_VERSION").into(),
        commit: option_env!("HEGEMON_COMMIT").map(Into::into),
        signature: SIGNATURE.trim().parse().ok(),
    }
}
