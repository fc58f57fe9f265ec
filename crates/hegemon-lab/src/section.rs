//! The parts of a report: sections with tables, plots and notes.

use std::fmt;

use hegemon_arena::stats::Interval;

use crate::experiment::Results;
use crate::published::{PublishedResult, PublishedValue};
use crate::significance::{LEVEL, holm, p_of_difference, p_text, sign_test};

/// The part of a report that one experiment makes.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its parts, in order.
    pub parts: Vec<SectionPart>,
}

impl Section {
    /// What a reader should take from it: its own sentence, or the first note under
    /// one of its tables, or the last row of its first table. `None` if it has none of
    /// these.
    pub fn takeaway(&self) -> Option<Text> {
        let said = self.parts.iter().find_map(|part| match part {
            SectionPart::Takeaway(text) => Some(text.clone()),
            _ => None,
        });
        let tables = || {
            self.parts.iter().filter_map(|part| match part {
                SectionPart::Table(table) => Some(table),
                _ => None,
            })
        };
        let noted = || tables().find_map(|table| table.notes.first().cloned().map(Text::Plain));
        said.or_else(noted)
            .or_else(|| tables().find_map(ReportTable::last_row_words))
    }
}

/// A piece of a section.
#[derive(Clone, Debug)]
pub enum SectionPart {
    /// What a reader should take from the section, in one sentence that is
    /// computed from the results.
    Takeaway(Text),
    /// A paragraph.
    Note(String),
    Table(ReportTable),
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
    /// The same with the number of rows taken into account.
    Adjusted(Agreement),
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

impl Text {
    /// The text without marks.
    pub fn words(&self) -> String {
        match self {
            Text::Plain(text) | Text::Code(text) | Text::Timed(text) => text.clone(),
            Text::Verdict(verdict) | Text::Adjusted(verdict) => verdict.to_string(),
        }
    }
}

/// How a published number and ours compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// They differ by no more than their errors.
    Agrees,
    /// They differ by more.
    Differs,
    /// Our runs contradict each other.
    Mixed,
    /// They stand side by side and nothing can be decided.
    NotCompared,
    /// Ours has not been computed yet.
    NotRun,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agreement::Agrees => "agrees",
            Agreement::Differs => "differs",
            Agreement::Mixed => "mixed",
            Agreement::NotCompared => "not compared",
            Agreement::NotRun => "not run",
        })
    }
}

/// What makes one row of a table by other means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneRow {
    /// The command, the first if there are several.
    pub command: String,
    /// The command that runs all of them, and how many more there are.
    pub more: Option<(usize, String)>,
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
    /// How the games ended, in words; empty where none were played.
    pub endings: String,
    /// The same for one row, by other means.
    pub other_means: Option<Box<OneRow>>,
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
            endings: String::new(),
            other_means: None,
        }
    }

    /// Says how the games ended.
    pub fn ended(mut self, endings: &impl fmt::Display) -> Evidence {
        self.endings = endings.to_string();
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
    pub rows: Vec<Vec<Text>>,
    /// Notes on several rows.
    pub notes: Vec<String>,
    /// Published rows that it answers, by their ids.
    pub answers: Vec<&'static str>,
    /// The test of each answered row that has one.
    tests: Vec<Option<Test>>,
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
            tests: Vec::new(),
            evidence,
        }
    }

    /// A table that compares published numbers with ours, with intervals over
    /// blocks.
    pub fn comparison(title: &str, evidence: Evidence) -> ReportTable {
        ReportTable::comparison_by(title, "95 % over blocks", evidence)
    }

    /// The same with intervals of another kind.
    pub fn comparison_by(title: &str, intervals: &str, evidence: Evidence) -> ReportTable {
        let intervals = format!("#{intervals}");
        let columns = [
            "what",
            "#published",
            "#ours",
            intervals.as_str(),
            "#p",
            "verdict",
            "after Holm",
        ];
        ReportTable::new(title, &columns, evidence)
    }

    /// Adds a row of any texts.
    pub fn row<T: Into<Text>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Adds a published row with ours beside it. Its note goes under the table,
    /// once for all rows that share it.
    pub fn compare(&mut self, published: &'static PublishedResult, ours: Option<&Ours>) {
        let (verdict, test) = match ours {
            None => (Agreement::NotRun, None),
            Some(ours) => ours.verdict(published),
        };
        // Games that another row lists must not count twice.
        let is_counted = published.same_as.is_none();
        let is_timed = ours.is_some_and(|ours| ours.timed);
        let dash = || "–".to_owned();
        let text = |text: String| match is_timed {
            true => Text::Timed(text),
            false => Text::Plain(text),
        };
        let test = test.filter(|_| is_counted && !is_timed);
        self.answers.push(&published.id);
        self.tests.push(test);
        self.rows.push(vec![
            Text::Plain(published.what.clone()),
            Text::Plain(published.to_string()),
            text(ours.map_or_else(dash, Ours::text)),
            text(ours.map_or_else(dash, Ours::interval_text)),
            Text::Plain(test.map_or_else(dash, |test| p_text(test.p))),
            match &published.same_as {
                _ if is_timed => Text::Timed(verdict.to_string()),
                None => Text::Verdict(verdict),
                Some(other) => Text::Plain(format!("see {other}")),
            },
            match is_counted && !is_timed {
                true => Text::Adjusted(verdict),
                false => Text::Plain(dash()),
            },
        ]);
        self.adjust();
        self.note(format!("Source: {}.", published.source));
        if !published.meaning.is_empty() {
            self.note(format!("{}.", capitalised(&published.meaning)));
        }
        if matches!(verdict, Agreement::Differs | Agreement::Mixed) && !is_timed && is_counted {
            let of = match published.is_own_reason {
                true => format!("{} differs", published.what),
                false => "Where ours differs".to_owned(),
            };
            self.note(format!("{of}: {}.", published.reason));
        }
    }

    /// Sets the verdicts that take the number of rows into account.
    fn adjust(&mut self) {
        let p_values: Vec<f64> = self.tests.iter().flatten().map(|test| test.p).collect();
        let mut adjusted = holm(&p_values).into_iter();
        for (row, test) in self.rows.iter_mut().zip(&self.tests) {
            let (Some(test), [.., Text::Verdict(raw), Text::Adjusted(kept)]) =
                (test, row.as_mut_slice())
            else {
                continue;
            };
            let is_clear = adjusted.next().is_some_and(|p| p < LEVEL);
            *kept = if is_clear { *raw } else { test.otherwise };
        }
    }

    /// The last row in words, with the names of the columns.
    fn last_row_words(&self) -> Option<Text> {
        let word = |(column, text): (&String, &Text)| {
            let name = column.trim_start_matches('#');
            match text {
                Text::Plain(text) | Text::Code(text) => Some(format!("{name}: {text}")),
                Text::Timed(_) => None,
                Text::Verdict(verdict) | Text::Adjusted(verdict) => {
                    Some(format!("{name}: {verdict}"))
                }
            }
        };
        let cells = self.columns.iter().zip(self.rows.last()?);
        let words: Vec<String> = cells.filter_map(word).collect();
        Some(Text::Plain(format!("{}.", words.join("; "))))
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// The test behind a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Test {
    p: f64,
    /// The verdict if the p-value is not below the level.
    otherwise: Agreement,
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
    /// Half the 95 % interval of the published number as our spread tells it, where
    /// none is printed.
    pub their_margin: Option<f64>,
    /// Decimals to print.
    pub decimals: usize,
    /// How it answers a statement; a number answers by itself.
    pub answer: Answer,
    /// Text printed instead of the number.
    pub words: Option<String>,
    /// Whether it depends on the clock.
    pub timed: bool,
}

/// How a number of ours answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// By its distance from the published number.
    Distance,
    /// The statement holds, or it does not.
    Says(bool),
    /// Some of our runs show it: how many of how many.
    Runs(usize, usize),
    /// Ours only stands beside the published number.
    Beside,
}

impl Ours {
    /// A number with its interval.
    pub fn new(value: f64, interval: Option<Interval>, decimals: usize) -> Ours {
        Ours {
            value,
            interval,
            their_margin: None,
            decimals,
            answer: Answer::Distance,
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
        Ours::says(Answer::Says(says), words)
    }

    /// An answer in words.
    pub fn says(answer: Answer, words: String) -> Ours {
        Ours {
            answer,
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
        interval_or_dash(self.interval, self.decimals)
    }

    /// The verdict, and the test that it rests on.
    fn verdict(&self, published: &PublishedResult) -> (Agreement, Option<Test>) {
        match (self.answer, &published.value) {
            (Answer::Says(true), _) => (Agreement::Agrees, None),
            (Answer::Says(false), _) => (Agreement::Differs, None),
            (Answer::Runs(n_hits, n), _) => run_verdict(n_hits, n),
            (Answer::Beside, _) | (Answer::Distance, PublishedValue::Words(_)) => {
                (Agreement::NotCompared, None)
            }
            (Answer::Distance, &PublishedValue::Number { value, margin }) => {
                let ours = match self.interval {
                    Some(ci) if value < self.value => self.value - ci.low,
                    Some(ci) => ci.high - self.value,
                    None => 0.0,
                };
                let theirs = margin.or(self.their_margin).unwrap_or(0.0);
                let (difference, error) = (value - self.value, ours.hypot(theirs));
                let verdict = match difference.abs() <= error {
                    true => Agreement::Agrees,
                    false => Agreement::Differs,
                };
                let test = |p| Test {
                    p,
                    otherwise: Agreement::Agrees,
                };
                (verdict, p_of_difference(difference, error).map(test))
            }
        }
    }
}

/// Yes or no where the runs show it by a sign test, mixed where they do not.
fn run_verdict(n_hits: usize, n: usize) -> (Agreement, Option<Test>) {
    let p = sign_test(n_hits, n);
    let verdict = match 2 * n_hits > n {
        _ if p >= LEVEL => Agreement::Mixed,
        true => Agreement::Agrees,
        false => Agreement::Differs,
    };
    let test = Test {
        p,
        otherwise: Agreement::Mixed,
    };
    (verdict, Some(test))
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

/// A share and its interval in percent, or dashes.
pub(crate) fn percent_texts(share: Option<(f64, Interval)>) -> [String; 2] {
    match share.map(Ours::percent) {
        None => ["–".to_owned(), "–".to_owned()],
        Some(share) => [share.text(), share.interval_text()],
    }
}

/// A number with its sign, also where that is a plus.
pub(crate) fn signed_number(value: f64, decimals: usize) -> String {
    let text = number(value, decimals);
    match text.starts_with('−') {
        true => text,
        false => format!("+{text}"),
    }
}

/// An interval with this many decimals, or a dash.
pub(crate) fn interval_or_dash(interval: Option<Interval>, decimals: usize) -> String {
    interval.map_or_else(|| "–".to_owned(), |ci| interval_text(ci, decimals))
}

/// An interval with this many decimals.
pub(crate) fn interval_text(interval: Interval, decimals: usize) -> String {
    format!(
        "{} to {}",
        number(interval.low, decimals),
        number(interval.high, decimals)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::row;

    fn verdicts(table: &ReportTable) -> Vec<(Text, Text)> {
        let last_two = |row: &Vec<Text>| (row[5].clone(), row[6].clone());
        table.rows.iter().map(last_two).collect()
    }

    #[test]
    fn many_rows_need_more_than_one_small_p_value() {
        let mut table = ReportTable::comparison("Table 4", Evidence::default());
        // 95.5 % of 22 games; ours is just outside both errors together.
        let published = row("000/table-4/baseline-emm");
        let just = |half| {
            let value = 95.5 - 1.02 * published.margin().hypot(half);
            Ours::new(value, Some(Interval::around(value, half)), 1)
        };
        table.compare(published, Some(&just(5.0)));
        let (differs, agrees) = (Agreement::Differs, Agreement::Agrees);
        let alone = (Text::Verdict(differs), Text::Adjusted(differs));
        assert_eq!(verdicts(&table), [alone]);
        let level = row("000/table-4/baseline-simulation");
        let value = level.number().expect("a share");
        let same = Ours::new(value, Some(Interval::around(value, 1.0)), 1);
        table.compare(level, Some(&same));
        let among = (Text::Verdict(differs), Text::Adjusted(agrees));
        assert_eq!(verdicts(&table)[0], among);
    }

    #[test]
    fn runs_say_yes_no_or_mixed_by_the_sign_test() {
        assert_eq!(run_verdict(16, 16).0, Agreement::Agrees);
        assert_eq!(run_verdict(0, 16).0, Agreement::Differs);
        assert_eq!(run_verdict(10, 16).0, Agreement::Mixed);
        // One run shows nothing.
        assert_eq!(run_verdict(1, 1).0, Agreement::Mixed);
    }

    #[test]
    fn what_has_no_error_is_not_judged_by_a_constant() {
        let speed = row("000/speed/playouts");
        let beside = Ours {
            answer: Answer::Beside,
            ..Ours::new(5000.0, None, 0)
        };
        assert_eq!(beside.verdict(speed).0, Agreement::NotCompared);
        let words = row("002/training/pick");
        let unanswered = Ours::new(0.5, None, 1);
        assert_eq!(unanswered.verdict(words).0, Agreement::NotCompared);
    }

    #[test]
    fn the_same_games_are_counted_once() {
        let mut table = ReportTable::comparison("Figure 5(c)", Evidence::default());
        let again = row("002/figure-5c/quo");
        assert!(again.same_as.is_some());
        table.compare(again, Some(&Ours::new(22.0, None, 1)));
        let [_, .., Text::Plain(_), Text::Plain(_)] = table.rows[0].as_slice() else {
            panic!("a verdict: {:?}", table.rows[0]);
        };
    }
}
