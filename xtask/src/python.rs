//! Checks the Python package: style, types, tests, the examples of its documentation.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::programs::passes;
use crate::{files, programs};

/// The oldest Python that the extension is built for.
const OLDEST: &str = "import sys; sys.exit(sys.version_info < (3, 10))";

/// What the tests need; the package itself needs NumPy alone.
const REQUIREMENTS: &str = "python/requirements-test.txt";

/// PyTorch without the gigabytes for graphics cards, and the library that makes its products of
/// matrices fast.
const TORCH: [&str; 2] = ["python3-torch", "libopenblas0-pthread"];

/// The Python for which Debian's packages are.
const DEBIAN: &str = "/usr/bin/python3";

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
    let torch = torch_python(&python);
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
        // Trains for seconds, where PyTorch is.
        "-m pytest -q -m slow tests/test_examples.py",
    ] {
        passes(
            Command::new(&python)
                .args(line.split(' '))
                // Programs that the tests start find the package, and the tests the program.
                .env("PYTHONPATH", &folder)
                .env("HEGEMON_PROGRAM", files::target(root).join("debug/hegemon"))
                .envs(torch.iter().map(|torch| ("HEGEMON_TORCH_PYTHON", torch)))
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

/// A Python with PyTorch: that of the tests, or Debian's own. The two are kept apart, since
/// Debian's packages are older.
fn torch_python(python: &Path) -> Option<PathBuf> {
    let has_torch = |python: &Path| quiet(Command::new(python).args(["-c", "import numpy, torch"]));
    let debian = Path::new(DEBIAN);
    if let Some(found) = [python, debian].into_iter().find(|path| has_torch(path)) {
        return Some(found.to_owned());
    }
    let installed = programs::install(&TORCH, "PyTorch is needed for an example").and_then(|()| {
        let works = has_torch(debian).then(|| debian.to_owned());
        works.ok_or_else(|| format!("PyTorch was installed but {DEBIAN} cannot use it"))
    });
    installed
        .inspect_err(|why| println!("{why}; python/examples/ppo.py is NOT run here"))
        .ok()
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
