//! Which lines the tests reach, by crate, by the compiler's own counters.
//!
//! Only our crates are compiled with counters, so that the dependencies of the ordinary build serve here too.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::{self, Compiler};
use crate::{ci, files};

const PAGE: &str = "docs/testing.md";

/// Where the page has the table.
const MARKS: [&str; 2] = ["<!-- coverage -->\n", "<!-- end of coverage -->"];

const USAGE: &str = "cargo xtask coverage [--from FILE] [PACKAGE ...] [--write]";

/// `cargo xtask coverage`: of all packages, or of some with their own tests alone; with `--from`, of an lcov file that
/// is there already.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let (source, is_written) = match args {
        [source @ .., "--write"] => (source, true),
        source => (source, false),
    };
    if let Some(option) = source[usize::from(source.first() == Some(&"--from"))..]
        .iter()
        .find(|word| word.starts_with('-'))
    {
        return Err(format!(
            "coverage: `{option}` is not understood; it is `{USAGE}`"
        ));
    }
    let (counted, packages) = match source {
        ["--from", file, packages @ ..] => (root.join(file), packages),
        packages => (count(root, packages)?, packages),
    };
    let said = std::fs::read_to_string(&counted)
        .map_err(|error| format!("cannot read {}: {error}", counted.display()))?;
    let table = table(&by_crate(&said, packages));
    println!("{table}");
    if is_written {
        let path = root.join(PAGE);
        let page = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        let whole = files::between_marks(&page, MARKS, &table)
            .ok_or(format!("{PAGE} has no place for the table"))?;
        files::write(&path, &whole)?;
    }
    Ok(())
}

/// Stands between cargo and the compiler of our crates.
const WRAPPER: &str = "#!/bin/sh\nexec \"$@\" -C instrument-coverage\n";

/// The tests that are run, by nextest and by cargo's own words.
const TESTS: [&str; 3] = ["--lib", "--bins", "--tests"];

/// Builds with counters, runs the tests and returns the lcov file.
fn count(root: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    let tools = Tools::find()?;
    let folder = files::target(root).join("coverage");
    let _ = std::fs::remove_dir_all(&folder);
    let wrapper = folder.join("rustc");
    files::write(&wrapper, WRAPPER)?;
    programs::passes(Command::new("chmod").arg("+x").arg(&wrapper), "chmod")?;
    let counts = folder.join("counts");
    let wrapper = wrapper.display().to_string();
    // A file for each process: some are killed, and would spoil one that they share.
    let pattern = counts.join("%p-%m.profraw").display().to_string();
    let env = [
        ("RUSTC_WORKSPACE_WRAPPER", wrapper.as_str()),
        ("LLVM_PROFILE_FILE", &pattern),
    ];
    let which = selection(packages);
    let run = [&["nextest", "run", "--no-fail-fast"], &which[..]].concat();
    ci::cargo(root, &run, &env)?;
    let list = [
        &["test", "--no-run", "--message-format=json"],
        &which[..],
        &TESTS,
    ];
    let built = ci::cargo_output(root, &list.concat(), &env)?;
    tools.export(&folder, &counts, &executables(&built))
}

fn selection<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    if packages.is_empty() {
        return ci::with_all(&["--workspace"]);
    }
    packages
        .iter()
        .flat_map(|package| ["--package", package])
        .collect()
}

/// The programs that cargo's messages name.
fn executables(messages: &str) -> Vec<&str> {
    let after = |line| Some(str::split_once(line, "\"executable\":\"")?.1);
    messages
        .lines()
        .filter_map(after)
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

/// Programs that read the counters; their version must be that of the compiler's LLVM.
struct Tools {
    profdata: PathBuf,
    cov: PathBuf,
}

impl Tools {
    fn find() -> Result<Tools, String> {
        let compiler = Compiler::in_use().ok_or("coverage: rustc does not run")?;
        let beside = compiler.libraries.join(compiler.host).join("bin");
        let version = compiler.llvm;
        let find = |variable: &str, name: &str| {
            let named = std::env::var_os(variable).map(PathBuf::from);
            let component = Some(beside.join(name)).filter(|path| path.is_file());
            let system = || programs::on_path(&format!("{name}-{version}"));
            named.or(component).or_else(system).ok_or(format!(
                "coverage: there is no {name} of LLVM {version}: run `rustup component add llvm-tools`, install Debian's \
                 llvm-{version}, or set {variable}"
            ))
        };
        Ok(Tools {
            profdata: find("LLVM_PROFDATA", "llvm-profdata")?,
            cov: find("LLVM_COV", "llvm-cov")?,
        })
    }

    /// Puts all counts together; the answer is an lcov file.
    fn export(&self, folder: &Path, counts: &Path, built: &[&str]) -> Result<PathBuf, String> {
        let (all, out) = (folder.join("all.profdata"), folder.join("lines.lcov"));
        programs::passes(
            Command::new(&self.profdata)
                // What a killed process has left may be cut off.
                .args(["merge", "--sparse", "--failure-mode=all", "--output"])
                .args([&all, counts]),
            "llvm-profdata merge",
        )?;
        let lcov = std::fs::File::create(&out)
            .map_err(|error| format!("cannot write {}: {error}", out.display()))?;
        let mut export = Command::new(&self.cov);
        export
            .args(["export", "--format=lcov", "--instr-profile"])
            .arg(&all)
            .args(built.iter().flat_map(|program| ["--object", program]))
            .stdout(lcov);
        programs::passes(&mut export, "llvm-cov export")?;
        Ok(out)
    }
}

/// Lines and reached lines of each crate, of the records `SF:`, `LF:` and `LH:`; of some crates only, if any are named.
fn by_crate<'a>(said: &'a str, packages: &[&str]) -> BTreeMap<&'a str, [u64; 2]> {
    let mut crates: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let mut current = None;
    for line in said.lines() {
        let Some((kind, value)) = line.split_once(':') else {
            continue;
        };
        match (kind, current) {
            ("SF", _) => current = crate_of(value).filter(|name| wanted(name, packages)),
            ("LF" | "LH", Some(name)) => {
                let n: u64 = value.parse().unwrap_or(0);
                crates.entry(name).or_default()[usize::from(kind == "LH")] += n;
            }
            _ => {}
        }
    }
    crates
}

fn wanted(name: &str, packages: &[&str]) -> bool {
    packages.is_empty() || packages.contains(&name)
}

/// `.../crates/NAME/src/...`; tests, examples and benches are not counted.
fn crate_of(path: &str) -> Option<&str> {
    let (_, rest) = path.rsplit_once("crates/")?;
    let (name, file) = rest.split_once('/')?;
    file.starts_with("src/").then_some(name)
}

fn table(crates: &BTreeMap<&str, [u64; 2]>) -> String {
    let mut text = "| crate | lines | reached | share |\n|---|--:|--:|--:|\n".to_owned();
    for (name, [lines, reached]) in crates {
        text.push_str(&row(&format!("`{name}`"), *lines, *reached));
    }
    let sum = |k: usize| crates.values().map(|counts| counts[k]).sum();
    text + &row("all of these", sum(0), sum(1))
}

fn row(name: &str, lines: u64, reached: u64) -> String {
    let share = 100.0 * reached as f64 / lines.max(1) as f64;
    format!("| {name} | {lines} | {reached} | {share:.1} % |\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "SF:/x/crates/hegemon-core/src/map.rs\nDA:1,5\nLF:10\nLH:9\nend_of_record\n\
        SF:/x/crates/hegemon-core/src/board.rs\nLF:30\nLH:30\nend_of_record\n\
        SF:/x/crates/hegemon-core/tests/maps.rs\nLF:100\nLH:1\nend_of_record\n\
        SF:/x/crates/hegemon-eval/src/lib.rs\nLF:4\nLH:1\nend_of_record\n";

    #[test]
    fn lines_are_summed_by_crate_without_the_tests_themselves() {
        let all = by_crate(SAID, &[]);
        assert_eq!(all["hegemon-core"], [40, 39]);
        assert_eq!(all["hegemon-eval"], [4, 1]);
        assert_eq!(by_crate(SAID, &["hegemon-eval"]).len(), 1);
        let table = table(&all);
        assert!(table.contains("| `hegemon-core` | 40 | 39 | 97.5 % |\n"));
        assert!(table.ends_with("| all of these | 44 | 40 | 90.9 % |\n"));
    }

    #[test]
    fn programs_are_read_from_the_messages_of_cargo() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":null}\n\
            {\"reason\":\"compiler-artifact\",\"executable\":\"/x/target/debug/hegemon\",\"fresh\":true}\n";
        assert_eq!(executables(messages), ["/x/target/debug/hegemon"]);
    }

    #[test]
    fn unknown_options_are_refused() {
        let error = run(Path::new("."), &["--fast"]).unwrap_err();
        assert!(error.contains("`--fast`"), "{error}");
    }
}
