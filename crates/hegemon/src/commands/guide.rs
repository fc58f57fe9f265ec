//! `hegemon` without arguments: where to begin.

use crate::output;
use crate::paint::Paint;

const GUIDE: &str = "\
hegemon: an open laboratory for computer Risk

  Play against bots in the browser:
      hegemon play

  Exact odds of a battle, of a chain, and how many armies it takes:
      hegemon odds 5 4
      hegemon odds 20 --chain 3,2,5,1
      hegemon odds --need 80% --against 10

  Which bot is better, and how good is yours:
      hegemon match baseline simulation --rules sampling
      hegemon sprt baseline simulation --rules sampling
      hegemon check-bot --init python my-bot

  What was luck and what was skill, and what to do next:
      hegemon analyze RECORD
      hegemon hint POSITION

  What the papers found, and what we find:
      hegemon lab list
      hegemon lab run all --scale smoke

  What there is to play with:
      hegemon maps list
      hegemon rules list
      hegemon bots

  Is the engine right, and how fast is it here:
      hegemon doctor
      hegemon perft --map triangle3 --rules sampling --depth 5
      hegemon bench

'hegemon COMMAND --help' explains a command, '--json' is for programs.
";

/// Prints the guide.
pub(crate) fn run() -> anyhow::Result<()> {
    output::print(&painted(Paint::on(&std::io::stdout())))
}

/// The guide with its headings and what can be typed set off.
fn painted(paint: Paint) -> String {
    let line = |line: &str| {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        let text = match indent.len() {
            2 => paint.bold(text),
            6 => paint.cyan(text),
            _ => text.to_owned(),
        };
        format!("{indent}{text}\n")
    };
    GUIDE.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_it_is_the_plain_text() {
        assert_eq!(painted(Paint::Plain), GUIDE);
        assert!(painted(Paint::Colors).contains("\u{1b}[36mhegemon play\u{1b}[0m"));
    }
}
