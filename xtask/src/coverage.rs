//! Which lines the tests reach, by crate, of what cargo-llvm-cov counts.

use std::collections::BTreeMap;
use std::path::Path;

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

/// Builds with counters, runs the tests and returns the lcov file.
fn count(root: &Path, packages: &[&str]) -> Result<std::path::PathBuf, String> {
    let out = files::target(root).join("coverage.lcov");
    let place = out.display().to_string();
    let mut args = vec!["llvm-cov", "nextest", "--lcov", "--output-path", &place];
    if packages.is_empty() {
        args = ci::with_all(&[&args[..], &["--workspace"]].concat());
    }
    for package in packages {
        args.extend(["--package", package]);
    }
    ci::cargo(root, &args, &[]).map_err(|error| {
        format!(
            "coverage: {error}; it needs cargo-llvm-cov, cargo-nextest and the component llvm-tools"
        )
    })?;
    Ok(out)
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
    fn unknown_options_are_refused() {
        let error = run(Path::new("."), &["--fast"]).unwrap_err();
        assert!(error.contains("`--fast`"), "{error}");
    }
}
