//! A test harness for programs that are more than their tests: they list and
//! run tests as those of the standard library do.

/// A test and its name.
pub(crate) type Test = (&'static str, fn());

/// Lists or runs tests, as the arguments ask for.
pub(crate) fn run(tests: &[Test]) {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| arguments.iter().any(|argument| argument == word);
    let names: Vec<&String> = arguments
        .iter()
        .filter(|word| !word.starts_with('-'))
        .collect();
    for (name, test) in tests {
        let is_wanted = names.is_empty()
            || names
                .iter()
                .any(|wanted| *wanted == name || !has("--exact") && name.contains(wanted.as_str()));
        if has("--list") {
            if !has("--ignored") {
                say(&format!("{name}: test"));
            }
        } else if is_wanted {
            test();
            say(&format!("test {name} ... ok"));
        }
    }
}

#[allow(clippy::print_stdout, reason = "whoever runs the tests reads it")]
fn say(line: &str) {
    println!("{line}");
}
