//! The lower crates as WebAssembly: they compile, and play the same game there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// The crates that are to run in a page without a server.
const CRATES: [&str; 5] = [
    "hegemon-core",
    "hegemon-record",
    "hegemon-eval",
    "hegemon-search",
    "hegemon-bots",
];

/// Plays games and panics if they differ from those of other machines.
const EXAMPLE: &str = "same_everywhere";

/// A compiler for the target.
struct Toolchain {
    /// The folder of its `rustc` and `cargo`.
    folder: PathBuf,
    /// Whether the standard library must be compiled too, because only its source is available.
    builds_std: bool,
    /// A linker, if the toolchain has none.
    linker: Option<PathBuf>,
}

/// `cargo xtask wasm`: passes with a note if no toolchain has the target.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let Some(toolchain) = Toolchain::find() else {
        println!(
            "wasm: no toolchain for {TARGET} is installed (`rustup target add {TARGET}`, or on Debian \
             rustc-web, cargo-web, rust-web-src and lld-22): the browser's build is NOT checked here"
        );
        return Ok(());
    };
    let program = toolchain.build(root)?;
    let Some(node) = on_path(|name| name == "node").next() else {
        println!("wasm: node is not installed: compiled, but NOT run here");
        return Ok(());
    };
    let script = "const bytes = require('fs').readFileSync(process.argv[1]);\
         WebAssembly.instantiate(bytes, {}).then(({ instance }) => instance.exports.main(0, 0))\
         .catch((error) => { console.error(error); process.exit(1); });";
    run(Command::new(node).arg("-e").arg(script).arg(program))?;
    println!("wasm: {EXAMPLE} played the same games as everywhere");
    Ok(())
}

impl Toolchain {
    /// The first on the search path that has the target, else one with the source
    /// of the standard library.
    fn find() -> Option<Toolchain> {
        let mut with_source = None;
        for rustc in on_path(|name| name == "rustc") {
            let Some(libraries) = libraries(&rustc) else {
                continue;
            };
            let folder = rustc.parent()?.to_owned();
            if libraries.join(TARGET).join("lib").is_dir() {
                return Some(Toolchain {
                    folder,
                    builds_std: false,
                    linker: None,
                });
            }
            let linker = on_path(|name| name.starts_with("wasm-ld")).next();
            let has_source = libraries.join("src/rust/library/std").is_dir();
            if has_source && linker.is_some() && with_source.is_none() {
                with_source = Some(Toolchain {
                    folder,
                    builds_std: true,
                    linker,
                });
            }
        }
        with_source
    }

    /// Compiles the crates and the example; returns the example.
    fn build(&self, root: &Path) -> Result<PathBuf, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR");
        let target = target.map_or_else(|| root.join("target"), PathBuf::from);
        let target = target.join("wasm");
        let mut command = Command::new(self.folder.join("cargo"));
        command
            .current_dir(root)
            .env("RUSTC", self.folder.join("rustc"))
            .args(["build", "--no-default-features", "--lib"])
            .args(["--example", EXAMPLE, "--target", TARGET])
            .arg("--target-dir")
            .arg(&target);
        for name in CRATES {
            command.args(["-p", name]);
        }
        if self.builds_std {
            command
                .env("RUSTC_BOOTSTRAP", "1")
                .arg("-Zbuild-std=std,panic_abort");
        }
        if let Some(linker) = &self.linker {
            let linker = linker.display();
            command
                .arg("--config")
                .arg(format!("target.{TARGET}.linker=\"{linker}\""));
        }
        run(&mut command)?;
        Ok(target.join(format!("{TARGET}/debug/examples/{EXAMPLE}.wasm")))
    }
}

/// Where a compiler keeps the libraries of its targets.
fn libraries(rustc: &Path) -> Option<PathBuf> {
    let output = Command::new(rustc)
        .args(["--print", "sysroot"])
        .output()
        .ok()?;
    let sysroot = String::from_utf8(output.stdout).ok()?;
    Some(Path::new(sysroot.trim()).join("lib/rustlib"))
}

/// The programs on the search path with such a name.
fn on_path(is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let files = folders
        .into_iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.filter_map(Result::ok));
    files
        .filter(move |entry| entry.file_name().to_str().is_some_and(&is_wanted))
        .map(|entry| entry.path())
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(OsStr::new("?"));
    let name = name.to_string_lossy().into_owned();
    let status = command
        .status()
        .map_err(|error| format!("wasm: cannot start {name}: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("wasm: {name} ended with {status}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_on_the_search_path() {
        assert!(on_path(|name| name == "cargo").next().is_some());
        assert!(on_path(|name| name == "no such program").next().is_none());
    }

    #[test]
    fn a_compiler_knows_its_libraries() {
        let rustc = on_path(|name| name == "rustc").next().expect("installed");
        assert!(libraries(&rustc).expect("asked").is_dir());
    }
}
