//! The examples say what they do instead of doing it, if they are asked.

use std::path::PathBuf;
use std::process::Command;

/// Where cargo puts the examples that it builds with the tests.
fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a test is a program");
    let target = own
        .ancestors()
        .nth(2)
        .expect("it lies in target/PROFILE/deps");
    target.join("examples").join(name)
}

/// `--help` once began a load test of half a minute.
#[test]
fn every_example_of_the_server_gives_help() {
    for name in ["load", "attack"] {
        for flag in ["--help", "-h"] {
            let output = Command::new(example(name)).arg(flag).output();
            let output = output.expect("cargo builds the examples with all tests of a package");
            let said = String::from_utf8(output.stdout).expect("text");
            assert!(output.status.success(), "{name} {flag}");
            assert!(said.contains("--seconds N"), "{name} {flag}: {said}");
        }
    }
}
