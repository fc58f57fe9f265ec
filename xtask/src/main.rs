//! Every chore of the repository behind one command: `cargo xtask ci`, `tidy`, `arrows`, `fuzz`, `web`.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to the person who runs it"
)]

mod arrows;
mod book;
mod ci;
mod coverage;
mod demo;
mod dist;
mod fault;
mod files;
mod flame;
mod generate;
mod golden;
mod instructions;
mod lanes;
mod links;
mod manifest;
mod package;
mod processors;
mod programs;
mod python;
mod test_table;
mod tidy;
mod walk;
mod wasm;
mod web;

use std::process::ExitCode;

use fault::Fault;
use files::Tree;

const HELP: &str = "\
The chores of the repository.

Usage: cargo xtask <command>

  ci               run every check, the last ones two at a time; stop at the first that fails
  ci --list        name the steps of ci
  ci --only NAME   run one step (may be repeated)
  tidy             check file sizes, names, leftovers, crate headers, paths, blanks, citations, links
  arrows           check that dependencies between our crates point down only
  fuzz ARGUMENTS   feed mutated inputs to all that reads from outside (fuzz --help)
  instructions     count the instructions of the hot loops, compare with docs/instructions.txt
  instructions --bless   write the counts there
  generate         rewrite what is generated from types: schemas, OpenAPI document, page's types, reference pages
  book             make the book of docs and the pages beside it (needs mdbook)
  coverage         lines that the tests reach, by crate (needs llvm-profdata and llvm-cov); --write puts that into docs/testing.md
  coverage PACKAGE ..., --from FILE   of some packages by their own tests; of an lcov file that is there already
  demo             draw what some commands print, as docs/demo.svg (--program FILE: one that is built already)
  dist             put together what a release hands out: program, completions, manual, book, wheel, checksums
  dist --out FOLDER, --plain, --program FILE   elsewhere than target/dist; not linked statically; of a program that is built
  golden           rewrite the golden files of this version (crates/hegemon/tests/golden)
  flame NAME       draw where the instructions of a hot loop are, into docs/flame-NAME.svg
  package          pack the crates that are ready for a registry, check that each is complete
  tests            run all tests, count them by kind and name the slowest; --write puts that into docs/testing.md
  tests --from FILE, --count   the same from what an earlier `cargo nextest run` printed; only counted
  wasm             compile core, record, eval, search and bots for the browser, play there
  web              build and check the page, play games on it in Chromium
  web --build      only build the page into web/dist
  help             print this text";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["ci", rest @ ..] => ci::run(rest),
        ["tidy"] => workspace().and_then(|tree| report("tidy", &tidy::check(&tree))),
        ["arrows"] => workspace().and_then(|tree| report("arrows", &arrows::check(&tree))),
        ["fuzz", rest @ ..] => ci::fuzz(rest),
        ["instructions", rest @ ..] => {
            files::root().and_then(|root| instructions::run(&root, rest))
        }
        ["generate"] => files::root().and_then(|root| generate::write(&root)),
        ["book"] => files::root().and_then(|root| book::make(&root).map(|_| ())),
        ["coverage", rest @ ..] => files::root().and_then(|root| coverage::run(&root, rest)),
        ["demo", rest @ ..] => files::root().and_then(|root| demo::draw(&root, rest)),
        ["dist", rest @ ..] => files::root().and_then(|root| dist::run(&root, rest)),
        ["golden"] => files::root().and_then(|root| golden::write(&root)),
        ["flame", rest @ ..] => files::root().and_then(|root| flame::run(&root, rest)),
        ["package"] => files::root().and_then(|root| package::check(&root)),
        ["tests", rest @ ..] => files::root().and_then(|root| test_table::run(&root, rest)),
        ["wasm"] => files::root().and_then(|root| wasm::check(&root)),
        ["web", rest @ ..] => web::run(rest),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => Err(format!(
            "xtask: `{}` is not a chore; `cargo xtask help` lists them",
            args.join(" ")
        )),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("{sentence}");
            ExitCode::FAILURE
        }
    }
}

/// The repository around the current directory.
fn workspace() -> Result<Tree, String> {
    Tree::read(&files::root()?)
}

/// Prints all faults of a check, one a line.
fn report(check: &str, faults: &[Fault]) -> Result<(), String> {
    for fault in faults {
        eprintln!("{fault}");
    }
    match faults.len() {
        0 => {
            println!("{check}: no faults");
            Ok(())
        }
        1 => Err(format!("{check}: 1 fault")),
        n => Err(format!("{check}: {n} faults")),
    }
}
