//! The figures of a report as data, for documents that quote them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hegemon_bots::nearest;
use serde::{Deserialize, Serialize};

use super::{Report, slug};
use crate::experiment::{EXPERIMENTS, LabError};
use crate::section::Text;

/// All tables and takeaways of a report. What depends on the clock is marked up as in the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Summary {
    command: String,
    program: String,
    days: String,
    /// Takeaways by experiment.
    takeaways: BTreeMap<String, String>,
    /// Tables by `EXPERIMENT/TITLE`, the title as in addresses.
    tables: BTreeMap<String, SummaryTable>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SummaryTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The sentences under it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Summary {
    pub(super) fn of(report: &Report) -> Summary {
        let mut takeaways = BTreeMap::new();
        let mut tables = BTreeMap::new();
        for part in report.parts.iter().filter(|part| part.n_cells.0 > 0) {
            let name = part.experiment.name;
            if let Some(sentence) = part.section.takeaway() {
                takeaways.insert(name.to_owned(), plain(&sentence));
            }
            for table in part.tables() {
                let texts = |row: &Vec<Text>| row.iter().map(plain).collect();
                let summary = SummaryTable {
                    columns: table.columns.clone(),
                    rows: table.rows.iter().map(texts).collect(),
                    notes: table.notes.clone(),
                };
                tables.insert(format!("{name}/{}", slug(&table.title)), summary);
            }
        }
        Summary {
            command: report.command(),
            program: report.program.clone(),
            days: report.making.days_text(),
            takeaways,
            tables,
        }
    }

    /// The summary as JSON.
    ///
    /// # Errors
    ///
    /// If it cannot be written, which should not happen.
    pub(super) fn json(&self) -> Result<String, LabError> {
        let text = serde_json::to_string_pretty(self);
        text.map(|text| text + "\n")
            .map_err(|error| LabError::Broken(error.to_string()))
    }

    /// Reads a summary.
    ///
    /// # Errors
    ///
    /// If the text is none.
    fn parse(text: &str) -> Result<Summary, LabError> {
        serde_json::from_str(text)
            .map_err(|error| LabError::Broken(format!("this is no summary of the lab: {error}")))
    }

    /// The command that computed it.
    pub(super) fn command(&self) -> &str {
        &self.command
    }

    /// The programs that computed it.
    pub(super) fn programs(&self) -> impl Iterator<Item = &str> {
        self.program.split("; ")
    }

    /// Command, program and days.
    pub(super) fn made(&self) -> String {
        format!(
            "`{}`, program {}, {}",
            self.command, self.program, self.days
        )
    }

    /// Whether it has a table of an experiment.
    pub(super) fn has(&self, experiment: &str) -> bool {
        let prefix = format!("{experiment}/");
        self.tables.keys().any(|name| name.starts_with(&prefix))
    }

    /// A cell of a table by the first cells of its row and the name of its column.
    pub(super) fn cell(&self, table: &str, row: &[String], column: &str) -> Result<String, String> {
        let found = self.tables.get(table).ok_or("there is no such table")?;
        match found.rows_with(row).count() {
            0 | 1 => found.cell(row, column),
            n => Err(format!("there are {n} rows \"{}\"", row.join(", "))),
        }
    }

    fn quote(&self, quote: &str) -> Result<String, String> {
        if quote == "made" {
            return Ok(self.made());
        }
        let (quote, note) = match quote.split_once(" # ") {
            Some((table, note)) => (table, Some(note)),
            None => (quote, None),
        };
        let (table, value) = match quote.split_once(" = ") {
            Some((table, value)) => (table, Some(value)),
            None => (quote, None),
        };
        let (table, columns) = match table.split_once(" | ") {
            Some((table, columns)) => (table, Some(columns)),
            None => (table, None),
        };
        let experiment = table.split('/').next().unwrap_or_default();
        if let Some(missing) = self.missing(experiment)? {
            return Ok(missing);
        }
        if !table.contains('/') {
            return self
                .takeaways
                .get(table)
                .map(|sentence| unmarked(sentence))
                .ok_or_else(|| format!("{table} has no takeaway in the summary"));
        }
        let found = self.tables.get(table).ok_or_else(|| {
            let names = self.tables.keys().map(String::as_str);
            let near = nearest(table, names)
                .map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            format!("the summary has no table \"{table}\"{near}")
        })?;
        match (note, value) {
            (Some(note), _) => found.note(note),
            (None, Some(value)) => found.value(value),
            (None, None) => found.markdown(columns),
        }
    }

    /// What stands for the figures of an experiment that was not run.
    fn missing(&self, experiment: &str) -> Result<Option<String>, String> {
        if self.has(experiment) {
            return Ok(None);
        }
        match EXPERIMENTS.iter().any(|known| known.name == experiment) {
            true => Ok(Some(format!(
                "(`hegemon lab run {experiment}` was not run yet)"
            ))),
            false => Err(format!("there is no experiment \"{experiment}\"")),
        }
    }
}

/// The summary of a report with those of the reports in the folders beside it, which documents
/// quote by the names of their folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summaries {
    main: Summary,
    others: BTreeMap<String, Summary>,
}

/// The name of a summary in the folder of its report.
const FILE: &str = "summary.json";

impl Summaries {
    /// Reads a summary and those in the folders beside it.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is no summary.
    pub fn read(path: &Path) -> Result<Summaries, LabError> {
        let mut summaries = Summaries {
            main: read_summary(path)?,
            others: BTreeMap::new(),
        };
        let beside = path.parent().map(fs::read_dir).and_then(Result::ok);
        for entry in beside.into_iter().flatten().filter_map(Result::ok) {
            let file = entry.path().join(FILE);
            if let (true, Ok(name)) = (file.is_file(), entry.file_name().into_string()) {
                summaries.others.insert(name, read_summary(&file)?);
            }
        }
        Ok(summaries)
    }

    /// A document with all of its marked parts filled from the summaries.
    ///
    /// A part begins with `<!-- lab QUOTE -->` and ends with `<!-- /lab -->`. A quote is
    ///
    /// - `made`: the command, the program and the days;
    /// - `EXPERIMENT`: its takeaway;
    /// - `EXPERIMENT/TABLE`: a whole table, its title as in addresses;
    /// - `EXPERIMENT/TABLE | COLUMN | COLUMN ...`: some of its columns;
    /// - `EXPERIMENT/TABLE = ROW | COLUMN`: one value; the row by its first cell (or by
    ///   the second, if the first is a rank), or by several: `FIRST & SECOND`;
    /// - `EXPERIMENT/TABLE # NUMBER`: one of the sentences under a table, the first is 1;
    /// - `FOLDER: QUOTE`: the same of the report in a folder beside the first.
    ///
    /// # Errors
    ///
    /// If a part does not end, or quotes what there is not.
    pub fn fill(&self, document: &str) -> Result<String, LabError> {
        let mut filled = String::new();
        let mut rest = document;
        while let Some((before, after)) = rest.split_once(OPEN) {
            let broken = |what: &str| {
                let line = document[..document.len() - after.len()].lines().count();
                LabError::Broken(format!("line {line}: {what}"))
            };
            let (quote, after) = after
                .split_once(" -->")
                .ok_or_else(|| broken("a mark of the lab does not end"))?;
            let (_, after) = after
                .split_once(CLOSE)
                .ok_or_else(|| broken("a part that quotes the lab does not end"))?;
            let text = self.quote(quote).map_err(|error| broken(&error))?;
            filled += before;
            filled += &format!("{OPEN}{quote} -->{text}{CLOSE}");
            rest = after;
        }
        Ok(filled + rest)
    }

    fn quote(&self, quote: &str) -> Result<String, String> {
        let Some((folder, quote)) = quote.split_once(": ") else {
            return self.main.quote(quote);
        };
        let found = self.others.get(folder).ok_or_else(|| {
            let near = nearest(folder, self.others.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            format!("there is no report in a folder \"{folder}\"{near}")
        })?;
        found.quote(quote)
    }
}

pub(super) fn read_summary(path: &Path) -> Result<Summary, LabError> {
    let broken = |reason: String| LabError::File {
        path: path.display().to_string(),
        reason,
    };
    let text = fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
    Summary::parse(&text).map_err(|error| broken(error.to_string()))
}

const OPEN: &str = "<!-- lab ";
const CLOSE: &str = "<!-- /lab -->";

impl SummaryTable {
    fn column(&self, name: &str) -> Result<usize, String> {
        let found = self
            .columns
            .iter()
            .position(|column| heading(column) == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|column| heading(column)).collect();
            format!("there is no column \"{name}\" but {}", names.join(" | "))
        })
    }

    fn note(&self, number: &str) -> Result<String, String> {
        let n: usize = number
            .parse()
            .map_err(|_| format!("\"{number}\" is no number"))?;
        let found = n.checked_sub(1).and_then(|idx| self.notes.get(idx));
        found
            .cloned()
            .ok_or_else(|| format!("there are {} sentences under the table", self.notes.len()))
    }

    fn value(&self, quoted: &str) -> Result<String, String> {
        let (row, column) = quoted
            .split_once(" | ")
            .ok_or_else(|| format!("\"{quoted}\" is not ROW | COLUMN"))?;
        let wanted: Vec<String> = row.split(" & ").map(str::to_owned).collect();
        self.cell(&wanted, column)
    }

    /// The rows that begin with these cells, after a rank.
    fn rows_with<'a>(&'a self, first: &'a [String]) -> impl Iterator<Item = &'a Vec<String>> {
        let names = usize::from(self.columns.first().is_some_and(|name| name == "#"));
        let is_it =
            move |cells: &&Vec<String>| cells.iter().skip(names).take(first.len()).eq(first);
        self.rows.iter().filter(is_it)
    }

    fn cell(&self, row: &[String], column: &str) -> Result<String, String> {
        let column = self.column(column)?;
        let found = self.rows_with(row).next();
        let found = found.ok_or_else(|| format!("there is no row \"{}\"", row.join(" & ")))?;
        Ok(unmarked(found.get(column).map_or("", String::as_str)))
    }

    /// The table in Markdown, on lines of its own.
    fn markdown(&self, columns: Option<&str>) -> Result<String, String> {
        let shown: Vec<usize> = match columns {
            None => (0..self.columns.len()).collect(),
            Some(names) => names
                .split(" | ")
                .map(|name| self.column(name))
                .collect::<Result<_, _>>()?,
        };
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = "\n\n".to_owned();
        text += &line(
            shown
                .iter()
                .map(|&c| heading(&self.columns[c]).to_owned())
                .collect(),
        );
        let align = |c: &usize| match self.columns[*c].starts_with('#') {
            true => "---:".to_owned(),
            false => "---".to_owned(),
        };
        text += &line(shown.iter().map(align).collect());
        for row in &self.rows {
            let cell = |&c: &usize| {
                let text = row.get(c).map_or("", String::as_str);
                unmarked(text).replace('|', "\\|")
            };
            text += &line(shown.iter().map(cell).collect());
        }
        Ok(text + "\n")
    }
}

/// A column without the sign that it is of numbers.
fn heading(column: &str) -> &str {
    match column.strip_prefix('#') {
        Some("") | None => column,
        Some(name) => name,
    }
}

/// The marks of the report around what two runs differ in.
const TIMED: &str = "<span class=\"timed\">";
const END_OF_TIMED: &str = "</span>";

/// A cell as documents show it: without the marks.
fn unmarked(cell: &str) -> String {
    cell.replace(TIMED, "").replace(END_OF_TIMED, "")
}

pub(super) fn plain(text: &Text) -> String {
    match text {
        Text::Plain(text) => text.clone(),
        Text::Code(text) => format!("`{text}`"),
        Text::Timed(text) => format!("{TIMED}{text}{END_OF_TIMED}"),
        Text::Verdict(verdict) | Text::Adjusted(verdict) => verdict.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary() -> Summary {
        let quo = format!("{TIMED}16.0{END_OF_TIMED}");
        let table = SummaryTable {
            columns: ["bot", "#wins, %", "#95 % over blocks"]
                .map(str::to_owned)
                .to_vec(),
            rows: vec![
                ["`killbot`", "47.1", "46.2 to 48.0"]
                    .map(str::to_owned)
                    .to_vec(),
                ["`quo`", &quo, "15.3 to 16.7"].map(str::to_owned).to_vec(),
            ],
            notes: vec!["Four played.".to_owned()],
        };
        Summary {
            command: "hegemon lab run all --scale quick --seed 1".to_owned(),
            program: "0.1.0".to_owned(),
            days: "2026-05-18".to_owned(),
            takeaways: BTreeMap::from([("001-provided".to_owned(), "Killbot.".to_owned())]),
            tables: BTreeMap::from([("001-provided/all-four".to_owned(), table)]),
        }
    }

    fn summaries() -> Summaries {
        let mut other = summary();
        other.command = "hegemon lab run 001-provided --scale paper --seed 97".to_owned();
        Summaries {
            main: summary(),
            others: BTreeMap::from([("large".to_owned(), other)]),
        }
    }

    #[test]
    fn quotes_are_filled_and_filling_twice_changes_nothing() {
        let document = "Killbot wins <!-- lab 001-provided/all-four = `killbot` | wins, % -->old<!-- /lab --> %.\n\
                        It is <!-- lab 001-provided/all-four = `killbot` & 47.1 | 95 % over blocks --><!-- /lab -->.\n\
                        <!-- lab 001-provided/all-four | bot | wins, % --><!-- /lab -->\n\
                        <!-- lab 001-provided --><!-- /lab --> <!-- lab made --><!-- /lab -->\n\
                        <!-- lab 000-pool/table-1 --><!-- /lab --> <!-- lab large: made --><!-- /lab -->\n\
                        <!-- lab 001-provided/all-four # 1 --><!-- /lab -->\n\
                        <!-- lab large: 001-provided/all-four = `quo` | wins, % --><!-- /lab -->";
        let filled = summaries().fill(document).expect("sound");
        assert!(filled.contains("-->47.1<!-- /lab --> %."), "{filled}");
        assert!(filled.contains("-->46.2 to 48.0<!-- /lab -->."), "{filled}");
        assert!(filled.contains("| bot | wins, % |\n| --- | ---: |\n| `killbot` | 47.1 |\n"));
        assert!(filled.contains("-->Killbot.<") && filled.contains("seed 1`, program 0.1.0"));
        assert!(filled.contains("`hegemon lab run 000-pool` was not run yet"));
        assert!(filled.contains("-->Four played.<") && filled.contains("paper --seed 97`"));
        // Marks of times are for reports.
        assert!(
            filled.contains("| wins, % -->16.0<!-- /lab -->"),
            "{filled}"
        );
        assert_eq!(summaries().fill(&filled).expect("sound"), filled);
        let again = Summary::parse(&summary().json().expect("writable"));
        assert_eq!(again.expect("its own text"), summary());
    }

    #[test]
    fn a_wrong_quote_is_a_sentence_with_its_line() {
        let wrong = [
            (
                "<!-- lab 001-provided/all-fuor --><!-- /lab -->",
                "did you mean \"001-provided/all-four\"?",
            ),
            (
                "\n<!-- lab 001-provided/all-four = `kilbot` | wins, % --><!-- /lab -->",
                "line 2: there is no row",
            ),
            (
                "<!-- lab 001-provided/all-four = `quo` | wins --><!-- /lab -->",
                "there is no column \"wins\"",
            ),
            (
                "<!-- lab 009-none/all --><!-- /lab -->",
                "there is no experiment",
            ),
            ("<!-- lab 001-provided -->", "does not end"),
            (
                "<!-- lab lage: made --><!-- /lab -->",
                "did you mean \"large\"?",
            ),
            (
                "<!-- lab 001-provided/all-four # 2 --><!-- /lab -->",
                "there are 1 sentences",
            ),
        ];
        for (document, words) in wrong {
            let error = summaries().fill(document).expect_err(document).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
