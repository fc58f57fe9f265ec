//! What is tested how: the kinds of test with their counts, and the slowest of a run.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::ci;
use crate::files::{self, Tree};

const PAGE: &str = "docs/testing.md";

/// Where the page has the table.
const MARKS: [&str; 2] = ["<!-- tests -->\n", "<!-- end of tests -->"];

const N_SLOWEST: usize = 20;

/// A kind of test: what it is, and how many a file of the repository has.
struct Kind {
    name: &'static str,
    count: fn(&str, &str) -> usize,
}

const KINDS: [Kind; 9] = [
    Kind {
        name: "unit tests, beside the code",
        count: |path, text| rust(path, text, "/src/", is_test),
    },
    Kind {
        name: "integration tests, through the public interface or the program",
        // Tests beside the code may be in a folder `tests` as well.
        count: |path, text| match path.contains("/src/") {
            true => 0,
            false => rust(path, text, "/tests/", is_test),
        },
    },
    Kind {
        name: "random cases (proptest), among the two above",
        count: |path, text| rust(path, text, "/", |line| line.starts_with("proptest! {")),
    },
    Kind {
        name: "snapshots of output",
        count: |path, _| usize::from(path.ends_with(".snap")),
    },
    Kind {
        name: "golden files of every format and version",
        count: |path, _| usize::from(path.starts_with("crates/hegemon/tests/golden/")),
    },
    Kind {
        name: "examples in the documentation of the crates",
        count: doc_examples,
    },
    Kind {
        name: "fuzz targets",
        count: |path, _| usize::from(path.starts_with("fuzz/fuzz_targets/")),
    },
    Kind {
        name: "tests of the page: units, and games played in a browser",
        count: |path, text| {
            let starts = ["test(", "it("];
            let is_one = |line: &str| {
                starts
                    .iter()
                    .any(|start| line.trim_start().starts_with(start))
            };
            count_in(
                path.starts_with("web/") && path.contains(".test."),
                text,
                is_one,
            )
        },
    },
    Kind {
        name: "tests of the Python package",
        count: |path, text| {
            let is_one = |line: &str| line.trim_start().starts_with("def test_");
            count_in(path.starts_with("python/tests/"), text, is_one)
        },
    },
];

const USAGE: &str = "cargo xtask tests [--count | --from FILE] [--write]";

/// `cargo xtask tests`: with `--from`, of what an earlier `cargo nextest run` printed; with `--count`, without times.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let (source, is_written) = match args {
        [source @ .., "--write"] => (source, true),
        source => (source, false),
    };
    let said = match source {
        [] => nextest(root)?,
        ["--count"] => String::new(),
        ["--from", file] => read(Path::new(file))?,
        _ => {
            return Err(format!(
                "tests: `{}` is not understood; it is `{USAGE}`",
                args.join(" ")
            ));
        }
    };
    let table = table(&Tree::read(root)?, &said);
    println!("{table}");
    if is_written {
        let path = root.join(PAGE);
        let page = read(&path)?;
        let whole = files::between_marks(&page, MARKS, &table)
            .ok_or(format!("{PAGE} has no place for the table"))?;
        files::write(&path, &whole)?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Runs all tests, and returns what was printed about them.
fn nextest(root: &Path) -> Result<String, String> {
    println!("tests: running all of them; this takes as long as the step `test` of ci");
    let args = ci::with_all(&[
        "nextest",
        "run",
        "--workspace",
        "--color",
        "never",
        "--status-level",
        "pass",
    ]);
    let output = Command::new("cargo").args(args).current_dir(root).output();
    let output = output.map_err(|error| format!("tests: cannot start cargo nextest: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(said)
    } else {
        Err(format!(
            "tests: a test failed, or cargo-nextest is not installed\n{said}"
        ))
    }
}

fn table(tree: &Tree, said: &str) -> String {
    let mut text = "| kind of test | how many |\n|---|--:|\n".to_owned();
    for kind in &KINDS {
        let n: usize = all(tree).map(|(path, page)| (kind.count)(path, page)).sum();
        text.push_str(&format!("| {} | {n} |\n", kind.name));
    }
    text.push_str(&by_package(said));
    text.push_str(&slowest(said));
    text
}

/// Every file, those that are not text with an empty one.
fn all(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.paths()
        .map(|path| (path, tree.text(path).unwrap_or_default()))
}

fn by_package(said: &str) -> String {
    let mut packages: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for (seconds, package, _) in results(said) {
        let entry = packages.entry(package).or_default();
        entry.0 += 1;
        entry.1 += seconds;
    }
    if packages.is_empty() {
        return String::new();
    }
    let mut text = "\n| package | tests run | seconds of all |\n|---|--:|--:|\n".to_owned();
    for (package, (n, seconds)) in packages {
        text.push_str(&format!("| `{package}` | {n} | {seconds:.0} |\n"));
    }
    text
}

fn slowest(said: &str) -> String {
    let mut results = results(said);
    if results.is_empty() {
        return String::new();
    }
    results.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut text = "\n| slowest tests | seconds |\n|---|--:|\n".to_owned();
    for (seconds, package, name) in results.into_iter().take(N_SLOWEST) {
        text.push_str(&format!("| `{package}` `{name}` | {seconds:.1} |\n"));
    }
    text
}

/// Seconds, package and name of each test that passed: `PASS [   0.012s] (  1/59) hegemon-core tests::name`.
fn results(said: &str) -> Vec<(f64, &str, &str)> {
    let result = |line: &'_ str| -> Option<(f64, usize)> {
        let rest = line.trim_start().strip_prefix("PASS [")?;
        let (seconds, _) = rest.split_once("s]")?;
        Some((seconds.trim().parse().ok()?, line.find("s]")? + 2))
    };
    let named = |line| {
        let (seconds, at) = result(line)?;
        let mut rest = line.get(at..)?.trim_start();
        if let Some((_, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            rest = after.trim_start();
        }
        let (package, name) = rest.split_once(' ')?;
        let package = package.split("::").next().unwrap_or(package);
        Some((seconds, package, name.trim()))
    };
    said.lines().filter_map(named).collect()
}

fn is_test(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("#[test]") || line.starts_with("#[tokio::test")
}

fn rust(path: &str, text: &str, folder: &str, is_one: fn(&str) -> bool) -> usize {
    let is_ours =
        path.ends_with(".rs") && (path.starts_with("crates/") || path.starts_with("xtask/"));
    count_in(is_ours && path.contains(folder), text, |line| {
        is_one(line.trim_start())
    })
}

fn count_in(is_counted: bool, text: &str, is_one: impl Fn(&str) -> bool) -> usize {
    if is_counted {
        text.lines().filter(|line| is_one(line)).count()
    } else {
        0
    }
}

/// Fences that open an example which is compiled and, mostly, run.
fn doc_examples(path: &str, text: &str) -> usize {
    if !(path.starts_with("crates/") && path.ends_with(".rs")) {
        return 0;
    }
    let (mut n, mut is_open) = (0, false);
    for line in text.lines() {
        let line = line.trim_start();
        let comment = line
            .strip_prefix("/// ")
            .or_else(|| line.strip_prefix("//! "));
        if let Some(info) = comment.and_then(|comment| comment.strip_prefix("```")) {
            is_open = !is_open;
            n += usize::from(is_open && RUN.contains(&info));
        }
    }
    n
}

/// What stands after the fence of such an example.
const RUN: [&str; 4] = ["", "rust", "no_run", "should_panic"];

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "   Compiling x\n        PASS [   0.012s] (  1/3) hegemon-core tests::quick\n        \
         PASS [  61.500s] (  2/3) hegemon::cli slow\n        FAIL [   1.000s] (  3/3) hegemon bad\n        \
         PASS [   2.000s] hegemon-arena::bin/x other\n";

    #[test]
    fn results_are_read_from_what_nextest_prints() {
        assert_eq!(
            results(SAID),
            [
                (0.012, "hegemon-core", "tests::quick"),
                (61.5, "hegemon", "slow"),
                (2.0, "hegemon-arena", "other")
            ]
        );
    }

    #[test]
    fn the_table_counts_and_sorts() {
        let code = format!(
            "#[te{}\nfn a() {{}}\n#[te{0}\nfn b() {{}}\n/// ```\n/// ```\n/// ```text\n/// ```\n",
            "st]"
        );
        let tree = Tree::from([
            ("crates/x/src/a.rs", code.as_str()),
            ("crates/x/src/a/tests/b.rs", code.as_str()),
            ("crates/x/tests/c.rs", code.as_str()),
            ("python/tests/test_a.py", "def test_b():\n"),
        ]);
        let table = table(&tree, SAID);
        assert!(
            table.contains("| unit tests, beside the code | 4 |"),
            "{table}"
        );
        assert!(table.contains("or the program | 2 |"), "{table}");
        assert!(
            table.contains("| tests of the Python package | 1 |"),
            "{table}"
        );
        assert!(
            table.contains("documentation of the crates | 3 |"),
            "{table}"
        );
        let (slow, other) = (
            table.find("`slow`").unwrap(),
            table.find("`other`").unwrap(),
        );
        assert!(slow < other);
    }

    #[test]
    fn only_what_is_between_the_marks_is_written() {
        let page = format!("a\n{}old\n{}\nb\n", MARKS[0], MARKS[1]);
        let expected = format!("a\n{}\nnew\n{}\nb\n", MARKS[0], MARKS[1]);
        assert_eq!(files::between_marks(&page, MARKS, "new"), Some(expected));
        assert_eq!(files::between_marks("a", MARKS, "new"), None);
    }
}
