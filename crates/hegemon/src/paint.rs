//! Colours, where a terminal has them and `NO_COLOR` is not set (<https://no-color.org>).

use std::io::IsTerminal;

/// Whether a text may be painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    /// On a terminal with colours.
    Colors,
    /// In a file, a pipe, or where colours are not wanted.
    Plain,
}

impl Paint {
    /// How to paint what goes to this stream.
    pub(crate) fn on(stream: &impl IsTerminal) -> Paint {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        if stream.is_terminal() && variable("NO_COLOR").is_none() && !is_dumb {
            Paint::Colors
        } else {
            Paint::Plain
        }
    }

    /// A heading.
    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// What can be typed.
    pub(crate) fn cyan(self, text: &str) -> String {
        self.with("36", text)
    }

    /// What is well.
    pub(crate) fn green(self, text: &str) -> String {
        self.with("32", text)
    }

    /// What is missing, but not needed by all.
    pub(crate) fn yellow(self, text: &str) -> String {
        self.with("33", text)
    }

    /// What is wrong.
    pub(crate) fn red(self, text: &str) -> String {
        self.with("31", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Colors => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            Paint::Plain => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_no_colours() {
        let file = std::fs::File::open("Cargo.toml").expect("there");
        assert_eq!(Paint::on(&file), Paint::Plain);
        assert_eq!(Paint::Plain.red("x"), "x");
        assert_eq!(Paint::Colors.red("x"), "\u{1b}[31mx\u{1b}[0m");
    }
}
