//! The figures of a report as another means is compared with them.

use std::path::Path;

use hegemon_arena::Program;

use super::summary::{Summary, plain, read_summary};
use super::{Report, slug};
use crate::experiment::{Experiment, LabError, Mixing, RunSetting};
use crate::other_means::OtherMeans;
use crate::repetition::PlannedRow;
use crate::section::Text;

/// All figures of a report, as they are printed.
#[derive(Clone, Debug)]
pub struct ReportFigures {
    setting: RunSetting,
    summary: Summary,
}

/// The figures of one section.
#[derive(Clone, Copy, Debug)]
pub struct Reported<'a> {
    summary: &'a Summary,
    experiment: &'static str,
}

impl ReportFigures {
    /// The figures of a report.
    pub fn of(report: &Report) -> ReportFigures {
        ReportFigures {
            setting: report.setting,
            summary: Summary::of(report),
        }
    }

    /// Reads the summary of a report.
    ///
    /// # Errors
    ///
    /// If it is none, if it is of another setting, or if it is of a program that plays differently and that is not
    /// allowed.
    pub fn read(
        path: &Path,
        setting: RunSetting,
        mixing: Mixing,
    ) -> Result<ReportFigures, LabError> {
        let summary = read_summary(path)?;
        let refused = |reason: String| LabError::File {
            path: path.display().to_string(),
            reason,
        };
        let RunSetting { scale, seed } = setting;
        if !summary
            .command()
            .ends_with(&format!(" --scale {scale} --seed {seed}"))
        {
            let of = summary.command();
            return Err(refused(format!(
                "it is of '{of}'; give that --scale and --seed"
            )));
        }
        let here = Program::current();
        let is_stale = |program: &&str| {
            let known: Result<Program, _> = program.parse();
            known.map_or(true, |known| known.signature != here.signature)
        };
        if let (Some(program), Mixing::Refused) = (summary.programs().find(is_stale), mixing) {
            return Err(refused(format!(
                "it is of program {program}, and this one, {here}, may play differently; --mix compares them"
            )));
        }
        Ok(ReportFigures { setting, summary })
    }

    /// The command, the programs and the days of the report, as documents say it.
    pub fn made(&self) -> String {
        self.summary.made()
    }

    /// Whether the report has a section of an experiment.
    pub fn has(&self, experiment: &Experiment) -> bool {
        self.summary.has(experiment.name)
    }

    /// What other commands make again of an experiment.
    ///
    /// # Errors
    ///
    /// If the experiment cannot be planned.
    pub fn other_means(&self, experiment: &'static Experiment) -> Result<OtherMeans, LabError> {
        let reported = Reported {
            summary: &self.summary,
            experiment: experiment.name,
        };
        (experiment.other_means)(self.setting, &reported)
    }

    /// What the report says in the columns of a row.
    ///
    /// # Errors
    ///
    /// If the report has no such row, or more than one.
    pub fn texts(
        &self,
        PlannedRow { experiment, row }: &PlannedRow,
    ) -> Result<Vec<String>, LabError> {
        let reported = Reported {
            summary: &self.summary,
            experiment: experiment.name,
        };
        let columns = row.columns.iter();
        columns
            .map(|column| reported.cell(&row.table, &row.row, column))
            .collect()
    }
}

impl Reported<'_> {
    /// A number of a row, if the report has it.
    pub(crate) fn number(&self, table: &str, row: &[Text], column: &str) -> Option<u64> {
        self.cell(table, row, column).ok()?.parse().ok()
    }

    /// A spec of a row; none where nothing was found yet, or the report has no such section.
    pub(crate) fn spec(
        &self,
        table: &str,
        row: &[Text],
        column: &str,
    ) -> Result<Option<String>, LabError> {
        if !self.summary.has(self.experiment) {
            return Ok(None);
        }
        let cell = self.cell(table, row, column)?;
        let spec = cell.trim_matches('`');
        Ok((spec != "–").then(|| spec.to_owned()))
    }

    /// The text in a column of a row, which its first cells tell from all others.
    fn cell(&self, table: &str, row: &[Text], column: &str) -> Result<String, LabError> {
        let name = format!("{}/{}", self.experiment, slug(table));
        let row: Vec<String> = row.iter().map(plain).collect();
        let found = self.summary.cell(&name, &row, column);
        found.map_err(|error| LabError::Broken(format!("{name}: {error}")))
    }
}
