//! The parts of a report: sections with tables, plots and notes.

use std::fmt;

use hegemon_arena::stats::Interval;

use crate::experiment::Results;
use crate::published::{PublishedResult, PublishedValue};

/// The part of a report that one experiment makes.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its parts, in order.
    pub parts: Vec<SectionPart>,
}

/// A piece of a section.
#[derive(Clone, Debug)]
pub enum SectionPart {
    /// A paragraph.
    Note(String),
    /// A table.
    Table(ReportTable),
    /// A plot.
    Plot(Plot),
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its file, without extension; unique in the report.
    pub name: String,
    /// What it shows, in a sentence.
    pub about: String,
    /// The picture.
    pub svg: String,
}

/// The content of a table's cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Text {
    /// Words or numbers that depend on the seed only.
    Plain(String),
    /// A spec string or command.
    Code(String),
    /// Depends on the clock: two runs differ in it.
    Timed(String),
    /// Whether we agree.
    Verdict(Agreement),
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::Plain(text)
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::Plain(text.to_owned())
    }
}

/// How a published number and ours compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// They differ by no more than their errors.
    Agrees,
    /// They differ by more.
    Differs,
    /// Ours has not been computed yet.
    NotRun,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agreement::Agrees => "agrees",
            Agreement::Differs => "differs",
            Agreement::NotRun => "not run",
        })
    }
}

/// The provenance shown under a table.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// The command that makes it.
    pub command: String,
    /// The program that made it.
    pub program: String,
    /// Games, drafts or trials, in words.
    pub size: String,
    /// The same for one row, by other means.
    pub check: Option<String>,
}

impl Evidence {
    /// The evidence of an experiment's table.
    pub fn of(results: &Results, size: String) -> Evidence {
        let setting = results.setting;
        Evidence {
            command: format!(
                "hegemon lab run {} --scale {} --seed {}",
                results.experiment, setting.scale, setting.seed
            ),
            program: match results.program.as_str() {
                "" => "unknown, nothing was run".to_owned(),
                known => known.to_owned(),
            },
            size,
            check: None,
        }
    }

    /// Names a command that plays one row again.
    pub fn checked_by(mut self, command: String) -> Evidence {
        self.check = Some(command);
        self
    }
}

/// A table.
#[derive(Clone, Debug)]
pub struct ReportTable {
    /// Its heading.
    pub title: String,
    /// Names of the columns; those that begin with `#` are numbers.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Text>>,
    /// Notes on several rows.
    pub notes: Vec<String>,
    /// Published rows that it answers, by their ids.
    pub answers: Vec<&'static str>,
    /// Its provenance.
    pub evidence: Evidence,
}

impl ReportTable {
    /// A table without rows.
    pub fn new(title: &str, columns: &[&str], evidence: Evidence) -> ReportTable {
        ReportTable {
            title: title.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
            answers: Vec::new(),
            evidence,
        }
    }

    /// A table that compares published numbers with ours.
    pub fn comparison(title: &str, evidence: Evidence) -> ReportTable {
        let columns = ["what", "#published", "#ours", "#95 %", "verdict"];
        ReportTable::new(title, &columns, evidence)
    }

    /// Adds a row of any texts.
    pub fn row<T: Into<Text>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Adds a published row with ours beside it. Its note goes under the table,
    /// once for all rows that share it.
    pub fn compare(&mut self, published: &'static PublishedResult, ours: Option<&Ours>) {
        let verdict = match ours {
            None => Agreement::NotRun,
            Some(ours) => ours.verdict(published),
        };
        let is_timed = ours.is_some_and(|ours| ours.timed);
        let dash = || "–".to_owned();
        let text = |text: String| match is_timed {
            true => Text::Timed(text),
            false => Text::Plain(text),
        };
        self.answers.push(&published.id);
        self.rows.push(vec![
            Text::Plain(published.what.clone()),
            Text::Plain(published.to_string()),
            text(ours.map_or_else(dash, Ours::text)),
            text(ours.map_or_else(dash, Ours::interval_text)),
            match is_timed {
                true => Text::Timed(verdict.to_string()),
                false => Text::Verdict(verdict),
            },
        ]);
        self.note(format!("Published in {}.", published.source));
        if !published.meaning.is_empty() {
            self.note(format!("{}.", capitalised(&published.meaning)));
        }
        if verdict == Agreement::Differs && !is_timed {
            let of = match published.is_own_reason {
                true => format!("{} differs", published.what),
                false => "Where ours differs".to_owned(),
            };
            self.note(format!("{of}: {}.", published.reason));
        }
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// A text that begins with a capital.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

/// A number of ours, in the unit of the published one.
#[derive(Clone, Debug)]
pub struct Ours {
    /// The number.
    pub value: f64,
    /// Its 95 % interval, where there is one.
    pub interval: Option<Interval>,
    /// Decimals to print.
    pub decimals: usize,
    /// Whether it confirms or contradicts a statement in words.
    pub says: Option<bool>,
    /// Text printed instead of the number.
    pub words: Option<String>,
    /// Whether it depends on the clock.
    pub timed: bool,
}

impl Ours {
    /// A number with its interval.
    pub fn new(value: f64, interval: Option<Interval>, decimals: usize) -> Ours {
        Ours {
            value,
            interval,
            decimals,
            says: None,
            words: None,
            timed: false,
        }
    }

    /// A share in percent.
    pub fn percent((share, interval): (f64, Interval)) -> Ours {
        let interval = Interval {
            low: 100.0 * interval.low,
            high: 100.0 * interval.high,
        };
        Ours::new(100.0 * share, Some(interval), 1)
    }

    /// An answer to a statement in words.
    pub fn answer(says: bool, words: String) -> Ours {
        Ours {
            says: Some(says),
            words: Some(words),
            ..Ours::new(0.0, None, 0)
        }
    }

    fn text(&self) -> String {
        match &self.words {
            Some(words) => words.clone(),
            None => number(self.value, self.decimals),
        }
    }

    fn interval_text(&self) -> String {
        match self.interval {
            Some(interval) => interval_text(interval, self.decimals),
            None => "–".to_owned(),
        }
    }

    /// Agrees if the difference is no larger than both errors together allow.
    fn verdict(&self, published: &PublishedResult) -> Agreement {
        let agrees = match (&published.value, self.says) {
            (_, Some(says)) => says,
            (PublishedValue::Words(_), None) => true,
            (PublishedValue::Number { value, margin }, None) => {
                let ours = match self.interval {
                    Some(ci) if *value < self.value => self.value - ci.low,
                    Some(ci) => ci.high - self.value,
                    None => 0.0,
                };
                (value - self.value).abs() <= ours.hypot(margin.unwrap_or(0.0))
            }
        };
        if agrees {
            Agreement::Agrees
        } else {
            Agreement::Differs
        }
    }
}

/// A number with this many decimals, and no minus before a zero.
pub(crate) fn number(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let is_zero = text
        .trim_start_matches('-')
        .chars()
        .all(|c| "0.".contains(c));
    if is_zero {
        text.trim_start_matches('-').to_owned()
    } else {
        text.replace('-', "−")
    }
}

/// An interval with this many decimals.
pub(crate) fn interval_text(interval: Interval, decimals: usize) -> String {
    format!(
        "{} to {}",
        number(interval.low, decimals),
        number(interval.high, decimals)
    )
}
