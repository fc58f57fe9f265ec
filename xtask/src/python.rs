//! Checks the Python package: style, types, tests, the examples of its documentation.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::files;

/// The oldest Python that the extension is built for.
const OLDEST: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

/// What the tests need; the package itself needs NumPy alone.
const REQUIREMENTS: &str = "python/requirements-test.txt";

/// The checks of continuous integration for the package.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    if !is_suitable("python3") {
        println!("there is no Python 3.10 or later: the Python package is NOT checked here");
        return Ok(());
    }
    let Some(python) = environment(root) else {
        println!("the tools for Python cannot be installed: the package is NOT checked here");
        return Ok(());
    };
    extension(root)?;
    let folder = root.join("python");
    for line in [
        "-m ruff check .",
        "-m ruff format --check .",
        "-m mypy",
        // The stubs against the extension itself.
        "-m mypy.stubtest hegemon._hegemon --concise --allowlist stubtest.txt",
        "-m pytest -q",
        // A cluster of three machines on this one, a minute.
        "-m pytest -q -m slow tests/test_cluster.py",
        // Trains for seconds, where PyTorch (gigabytes) is installed.
        "-m pytest -q -m slow tests/test_examples.py",
    ] {
        passes(
            Command::new(&python)
                .args(line.split(' '))
                // Programs that the tests start find the package, and the tests the program.
                .env("PYTHONPATH", &folder)
                .env("HEGEMON_PROGRAM", files::target(root).join("debug/hegemon"))
                .current_dir(&folder),
            &format!("python {line}"),
        )?;
    }
    Ok(())
}

fn is_suitable(python: &str) -> bool {
    quiet(Command::new(python).args(["-c", OLDEST]))
}

/// The Python of an environment with all that the tests need, made once for each list of it.
fn environment(root: &Path) -> Option<PathBuf> {
    let home = files::target(root).join("python-venv");
    let python = home.join("bin/python");
    let wanted = std::fs::read_to_string(root.join(REQUIREMENTS)).ok()?;
    let installed = home.join("requirements.txt");
    if std::fs::read_to_string(&installed).is_ok_and(|known| known == wanted) {
        return Some(python);
    }
    let made = quiet(Command::new("python3").args(["-m", "venv"]).arg(&home));
    let install = ["-m", "pip", "install", "--quiet", "-r", REQUIREMENTS];
    let filled = made && quiet(Command::new(&python).args(install).current_dir(root));
    (filled && std::fs::write(&installed, &wanted).is_ok()).then_some(python)
}

/// Builds the native half as the tests are built, so that nothing is compiled twice, and puts
/// it where the package looks for it.
fn extension(root: &Path) -> Result<(), String> {
    crate::ci::cargo(root, &crate::ci::with_all(&["build", "--workspace"]), &[])?;
    let debug = files::target(root).join("debug");
    let built = ["lib_hegemon.so", "lib_hegemon.dylib"].map(|name| debug.join(name));
    let built = built.iter().find(|path| path.is_file());
    let built = built.ok_or("the extension was not built")?;
    let place = root.join("python/hegemon/_hegemon.abi3.so");
    // A process that has the old file open keeps it.
    let _ = std::fs::remove_file(&place);
    std::fs::copy(built, &place)
        .map(|_| ())
        .map_err(|error| format!("cannot write {}: {error}", place.display()))
}

fn quiet(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Runs a command with its output passed through. That a part of the tests was left out for
/// want of a package is no failure.
fn passes(command: &mut Command, line: &str) -> Result<(), String> {
    const NO_TESTS: i32 = 5;
    let status = command
        .status()
        .map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if status.success() || status.code() == Some(NO_TESTS) {
        Ok(())
    } else {
        Err(format!("`{line}` ended with {status}"))
    }
}
