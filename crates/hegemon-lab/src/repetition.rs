//! Rows of a report made again by other commands: what was compared, and the page that says so.

use std::fmt::Write as _;

use serde::Serialize;

use crate::experiment::{Experiment, LabError};
use crate::other_means::{OtherMeans, RepeatableRow};
use crate::report::{ReportFigures, escape};

/// How a row compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    Same,
    Differs,
    /// A command failed.
    Failed,
}

impl Comparison {
    pub fn word(self) -> &'static str {
        match self {
            Comparison::Same => "same",
            Comparison::Differs => "differs",
            Comparison::Failed => "failed",
        }
    }
}

/// A row that was made again.
#[derive(Clone, Debug, Serialize)]
pub struct RepeatedRow {
    pub section: &'static str,
    pub table: String,
    pub row: String,
    pub columns: Vec<&'static str>,
    pub reported: Vec<String>,
    /// Empty where a command failed.
    pub repeated: Vec<String>,
    pub comparison: Comparison,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What made it.
    pub commands: Vec<String>,
}

/// A section without a row that can be made again.
#[derive(Clone, Debug, Serialize)]
pub struct UnrepeatedSection {
    pub section: &'static str,
    pub why: String,
}

/// A row that is to be made again.
#[derive(Debug)]
pub struct PlannedRow {
    pub experiment: &'static Experiment,
    pub row: RepeatableRow,
}

/// All that was made again of a report.
#[derive(Clone, Debug, Serialize)]
pub struct Repetition {
    /// How the report was made.
    pub report: String,
    pub rows: Vec<RepeatedRow>,
    /// Sections of which nothing was made again.
    pub without: Vec<UnrepeatedSection>,
}

impl RepeatedRow {
    /// The comparison of a row with what its commands made of it, or why they failed.
    pub fn of(
        PlannedRow { experiment, row }: &PlannedRow,
        reported: Vec<String>,
        made: Result<Vec<String>, String>,
    ) -> RepeatedRow {
        let comparison = match &made {
            Err(_) => Comparison::Failed,
            Ok(repeated) if *repeated == reported => Comparison::Same,
            Ok(_) => Comparison::Differs,
        };
        RepeatedRow {
            section: experiment.name,
            table: row.table.clone(),
            row: row.name(),
            columns: row.columns.clone(),
            reported,
            failure: made.as_ref().err().cloned(),
            repeated: made.unwrap_or_default(),
            comparison,
            commands: row.commands.iter().map(ToString::to_string).collect(),
        }
    }

    /// Its line in the page.
    pub fn line(&self) -> String {
        let cells = [
            self.section.to_owned(),
            format!("{}: {}", self.table, self.row),
            self.columns.join("; "),
            self.reported.join("; "),
            self.repeated.join("; "),
            self.comparison.word().to_owned(),
        ];
        format!("| {} |\n", cells.map(|cell| escape(&cell)).join(" | "))
    }
}

impl Repetition {
    /// The cheapest rows of the sections of some experiments, none of them made yet.
    ///
    /// # Errors
    ///
    /// If an experiment cannot be planned.
    pub fn begin(
        figures: &ReportFigures,
        experiments: &[&'static Experiment],
        n_rows: usize,
    ) -> Result<(Repetition, Vec<PlannedRow>), LabError> {
        let (mut planned, mut without) = (Vec::new(), Vec::new());
        for &experiment in experiments {
            let why = match experiment.obstacle() {
                Some(obstacle) => obstacle,
                None => match figures.other_means(experiment)? {
                    OtherMeans::None(why) => format!("no other means: {why}"),
                    rows => {
                        let rows = rows.cheapest(n_rows);
                        if rows.is_empty() {
                            "the report has none of its rows".to_owned()
                        } else {
                            let rows = rows.into_iter();
                            planned.extend(rows.map(|row| PlannedRow { experiment, row }));
                            continue;
                        }
                    }
                },
            };
            without.push(UnrepeatedSection {
                section: experiment.name,
                why,
            });
        }
        let begun = Repetition {
            report: figures.made(),
            rows: Vec::new(),
            without,
        };
        Ok((begun, planned))
    }

    pub fn n_rows(&self, comparison: Comparison) -> usize {
        let rows = self.rows.iter();
        rows.filter(|row| row.comparison == comparison).count()
    }

    /// Whether there are rows, and all are the same.
    pub fn is_same(&self) -> bool {
        !self.rows.is_empty() && self.n_rows(Comparison::Same) == self.rows.len()
    }

    /// The result in words.
    pub fn counts(&self) -> String {
        let n_failed = self.n_rows(Comparison::Failed);
        let mut text = format!(
            "{} of {} rows are the same, {} differ",
            self.n_rows(Comparison::Same),
            self.rows.len(),
            self.n_rows(Comparison::Differs)
        );
        if n_failed > 0 {
            let _ = write!(text, ", {n_failed} could not be made");
        }
        text
    }

    /// The page of documents, by the command and the program that made the rows.
    pub fn markdown(&self, command: &str, program: &str) -> String {
        let mut text = format!(
            "# Rows made again\n\n\
             Rows of a [report](report.md) of the lab made again by other commands of the program, which use nothing of the\n\
             lab's store. [The lab](../lab.md#by-other-means) says what is compared and how rows are chosen. Written by\n\n\
             ```sh long\n{command}\n```\n\n\
             with program {program}, beside the report of {}. **{}.**\n\n\
             ## Rows\n\n\
             | section | row | compared | reported | repeated | |\n|---|---|---|---|---|---|\n",
            self.report,
            self.counts()
        );
        text.extend(self.rows.iter().map(RepeatedRow::line));
        text += "\n## Commands\n\n\
                 Of a row with several commands the first is shown; the others differ in players, deals or seeds.\n\n\
                 | section | row | command | commands |\n|---|---|---|---:|\n";
        for row in &self.rows {
            let first = row.commands.first().map_or("", String::as_str);
            let _ = writeln!(
                text,
                "| {} | {} | `{}` | {} |",
                row.section,
                escape(&row.row),
                first.replace('|', "\\|"),
                row.commands.len()
            );
        }
        if !self.without.is_empty() {
            text +=
                "\n## Sections of which nothing was made again\n\n| section | why |\n|---|---|\n";
            for one in &self.without {
                let _ = writeln!(text, "| {} | {} |", one.section, escape(&one.why));
            }
        }
        text
    }
}
