//! An example says what it does instead of doing it, if it is asked.

use std::process::Command;

#[test]
fn stop_latency_gives_help() {
    let own = std::env::current_exe().expect("a test is a program");
    let target = own
        .ancestors()
        .nth(2)
        .expect("it lies in target/PROFILE/deps");
    for flag in ["--help", "-h"] {
        let example = target.join("examples/stop_latency");
        let output = Command::new(example).arg(flag).output();
        let output = output.expect("cargo builds the examples with all tests of a package");
        let said = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success() && said.contains("MS"), "{said}");
    }
}
