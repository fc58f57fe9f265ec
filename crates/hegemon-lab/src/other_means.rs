//! What of a report other commands make again: rows of its tables, each with the commands that repeat it without the
//! cells of the lab, and how their answers become the texts of the row.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::experiment::LabError;
use crate::section::Text;

/// How an experiment's rows can be made without its cells.
#[derive(Debug)]
pub enum OtherMeans {
    /// Rows that other commands make again, in the order of the report.
    Rows(Vec<RepeatableRow>),
    /// No other command makes any; why.
    None(&'static str),
}

/// A row of a table that other commands make again.
pub struct RepeatableRow {
    /// The title of its table.
    pub table: String,
    /// Its first cells, as many as tell it from all others.
    pub row: Vec<Text>,
    /// The columns that are compared, without the sign of numbers; of two with one name it is the first.
    pub columns: Vec<&'static str>,
    pub commands: Vec<OtherCommand>,
    /// Expected processor seconds; only their order matters.
    pub seconds: f64,
    texts: ReadTexts,
}

type ReadTexts = Box<dyn Fn(&[CommandAnswer]) -> Result<Vec<String>, LabError> + Send + Sync>;

impl fmt::Debug for RepeatableRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.name(), self.table)
    }
}

/// A command of this program, without the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherCommand {
    words: Vec<String>,
    /// The file or folder that it writes.
    out: Option<&'static str>,
}

/// What a command answered.
#[derive(Clone, Debug)]
pub struct CommandAnswer {
    /// What it printed with `--json`.
    pub json: String,
    /// The file or folder that it wrote.
    pub out: Option<PathBuf>,
}

impl OtherMeans {
    /// Some rows, the cheapest first: those whose commands no row before them has, then the others. Of equal rows the
    /// first of the report comes first.
    pub fn cheapest(self, n: usize) -> Vec<RepeatableRow> {
        let OtherMeans::Rows(mut rows) = self else {
            return Vec::new();
        };
        rows.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let mut first: Vec<RepeatableRow> = Vec::new();
        let mut again = Vec::new();
        for row in rows {
            match first.iter().any(|other| other.commands == row.commands) {
                true => again.push(row),
                false => first.push(row),
            }
        }
        first.into_iter().chain(again).take(n).collect()
    }
}

impl RepeatableRow {
    /// A row of a table by its first cells.
    pub(crate) fn new(
        table: &str,
        row: impl IntoIterator<Item = Text>,
        commands: Vec<OtherCommand>,
        seconds: f64,
    ) -> RepeatableRow {
        RepeatableRow {
            table: table.to_owned(),
            row: row.into_iter().collect(),
            columns: Vec::new(),
            commands,
            seconds,
            texts: Box::new(|_| Ok(Vec::new())),
        }
    }

    /// Names the columns that are compared, and how the answers become their texts.
    pub(crate) fn comparing(
        mut self,
        columns: &[&'static str],
        texts: impl Fn(&[CommandAnswer]) -> Result<Vec<String>, LabError> + Send + Sync + 'static,
    ) -> RepeatableRow {
        self.columns = columns.to_vec();
        self.texts = Box::new(texts);
        self
    }

    /// Its first cells in words.
    pub fn name(&self) -> String {
        let cells = self.row.iter().map(Text::words);
        cells.collect::<Vec<_>>().join(", ")
    }

    /// The texts of the columns by the answers of all commands.
    ///
    /// # Errors
    ///
    /// If an answer is not of its command.
    pub fn texts(&self, answers: &[CommandAnswer]) -> Result<Vec<String>, LabError> {
        (self.texts)(answers)
    }
}

impl OtherCommand {
    /// A command by its words.
    pub(crate) fn new<W: Into<String>>(words: impl IntoIterator<Item = W>) -> OtherCommand {
        OtherCommand {
            words: words.into_iter().map(Into::into).collect(),
            out: None,
        }
    }

    /// The same command, writing a file or folder of this name.
    pub(crate) fn writing(mut self, out: &'static str) -> OtherCommand {
        self.out = Some(out);
        self
    }

    /// The arguments that make it answer in JSON, and the file or folder that it then writes into this folder.
    pub fn arguments(&self, folder: &Path) -> (Vec<String>, Option<PathBuf>) {
        let mut arguments = self.words.clone();
        arguments.push("--json".to_owned());
        let out = self.out.map(|name| folder.join(name));
        if let Some(out) = &out {
            arguments.extend(["--out".to_owned(), out.display().to_string()]);
        }
        (arguments, out)
    }
}

impl fmt::Display for OtherCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hegemon")?;
        for word in &self.words {
            write!(f, " {}", quoted(word))?;
        }
        match self.out {
            Some(out) => write!(f, " --out {out}"),
            None => Ok(()),
        }
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,+:".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{word}'"),
    }
}

impl CommandAnswer {
    /// The printed answer as a value.
    pub(crate) fn value<T: DeserializeOwned>(&self) -> Result<T, LabError> {
        serde_json::from_str(&self.json).map_err(|error| {
            LabError::Broken(format!("the answer of the command is another: {error}"))
        })
    }

    /// What it wrote.
    pub(crate) fn written(&self) -> Result<&Path, LabError> {
        let missing = || LabError::Broken("the command wrote nothing".to_owned());
        self.out.as_deref().ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, command: &str, seconds: f64) -> RepeatableRow {
        let commands = vec![OtherCommand::new(command.split(' '))];
        RepeatableRow::new("Ratings", [Text::from(name)], commands, seconds)
    }

    #[test]
    fn the_cheapest_rows_come_first_and_those_of_one_command_once() {
        let names = |n| -> Vec<String> {
            let rows = vec![
                row("a", "match a b", 3.0),
                row("b", "match a b", 3.0),
                row("c", "match c d", 5.0),
                row("d", "match d e", 3.0),
            ];
            let found = OtherMeans::Rows(rows).cheapest(n);
            found.iter().map(RepeatableRow::name).collect()
        };
        assert_eq!(names(2), ["a", "d"]);
        assert_eq!(names(9), ["a", "d", "c", "b"]);
        assert!(OtherMeans::None("a clock").cheapest(2).is_empty());
    }

    #[test]
    fn a_command_is_quoted_for_a_shell_and_asked_for_json() {
        let words = ["match", "quo", "mcts(k=2)", "--set", "end.turn-limit=60"];
        let command = OtherCommand::new(words).writing("part.json");
        let shown = "hegemon match quo 'mcts(k=2)' --set end.turn-limit=60 --out part.json";
        assert_eq!(command.to_string(), shown);
        let (arguments, out) = command.arguments(Path::new("here"));
        let out = out.expect("it writes");
        assert_eq!(out, Path::new("here").join("part.json"));
        assert_eq!(
            arguments[5..],
            ["--json", "--out", &out.display().to_string()]
        );
    }
}
