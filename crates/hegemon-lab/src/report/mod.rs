//! The report: everything that the store holds, as HTML or Markdown.

mod html;
mod markdown;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use hegemon_arena::Program;

use crate::experiment::{Cell, EXPERIMENTS, Experiment, LabError, Mixing, Scale, Setting};
use crate::section::{Agreement, Plot, ReportTable, Section, SectionPart, Text, capitalised};
use crate::store::Store;

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One self-contained page.
    Html,
    /// Markdown with pictures beside it.
    Markdown,
    /// Both.
    Both,
}

/// A report.
#[derive(Debug)]
pub struct Report {
    setting: Setting,
    program: String,
    /// Cells of programs that play differently from this one, in words.
    stale: Vec<String>,
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    experiment: &'static Experiment,
    section: Section,
    /// Cells done and planned.
    n_cells: (usize, usize),
    /// Processor seconds that they took.
    seconds: f64,
}

/// How many published rows agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    agrees: usize,
    differs: usize,
    not_run: usize,
}

impl Report {
    /// The report of the stored cells of a setting.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, a cell is damaged or cannot be interpreted
    /// by its experiment, or cells are of programs that play differently from
    /// this one.
    pub fn new(store: &Store, setting: Setting, mixing: Mixing) -> Result<Report, LabError> {
        store.check_cells()?;
        let mut stale = store.origins(setting)?;
        stale.retain(|origin| origin.signature != Program::current().signature);
        mixing.check(&stale)?;
        let mut parts = Vec::new();
        let mut programs = Vec::new();
        for experiment in &EXPERIMENTS {
            let results = store.results(experiment, setting)?;
            let planned = match experiment.obstacle() {
                Some(_) => Vec::new(),
                None => (experiment.plan)(setting)?,
            };
            // There may be cells of an older version that are no longer used.
            let is_done = |cell: &&Cell| results.cells.contains_key(&cell.key);
            let n_done = planned.iter().filter(is_done).count();
            if !results.program.is_empty() {
                programs.push(results.program.clone());
            }
            parts.push(Part {
                experiment,
                n_cells: (n_done, planned.len()),
                seconds: store.seconds(experiment.name, setting)?,
                section: (experiment.render)(&results)?,
            });
        }
        programs.sort();
        programs.dedup();
        Ok(Report {
            setting,
            program: programs.join("; "),
            stale: stale.iter().map(ToString::to_string).collect(),
            parts,
        })
    }

    /// The page.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// The Markdown; it refers to picture files named by [`Report::plots`].
    pub fn markdown(&self) -> String {
        markdown::document(self)
    }

    /// All plots.
    pub fn plots(&self) -> impl Iterator<Item = &Plot> {
        let pieces = self.parts.iter().flat_map(|part| &part.section.parts);
        pieces.filter_map(|piece| match piece {
            SectionPart::Plot(plot) => Some(plot),
            _ => None,
        })
    }

    /// Ids of the published rows that tables of the report answer.
    pub fn answered(&self) -> Vec<&'static str> {
        self.tables()
            .flat_map(|table| table.answers.clone())
            .collect()
    }

    fn tables(&self) -> impl Iterator<Item = &ReportTable> {
        let pieces = self.parts.iter().flat_map(|part| &part.section.parts);
        pieces.filter_map(|piece| match piece {
            SectionPart::Table(table) => Some(table),
            _ => None,
        })
    }

    /// Writes the report into a folder. Returns the files that a reader opens.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written.
    pub fn write(&self, folder: &Path, format: Format) -> Result<Vec<PathBuf>, LabError> {
        let file_error = |path: &Path, error: std::io::Error| LabError::File {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        let write = |path: &Path, text: &str| {
            hegemon_arena::write_whole(path, text.as_bytes())
                .map_err(|error| file_error(path, error))
        };
        fs::create_dir_all(folder).map_err(|error| file_error(folder, error))?;
        let mut written = Vec::new();
        if format != Format::Markdown {
            let path = folder.join("report.html");
            write(&path, &self.html())?;
            written.push(path);
        }
        if format != Format::Html {
            for plot in self.plots() {
                write(&folder.join(format!("{}.svg", plot.name)), &plot.svg)?;
            }
            let path = folder.join("report.md");
            write(&path, &self.markdown())?;
            written.push(path);
        }
        Ok(written)
    }

    /// Warnings about meaningless figures and about mixed programs.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.setting.scale == Scale::Smoke {
            let small = "This is the smallest scale: it shows that everything runs. The figures \
                         mean nothing.";
            warnings.push(small.to_owned());
        }
        if !self.stale.is_empty() {
            warnings.push(format!(
                "The cells are of programs that play differently; stale are {}.",
                self.stale.join("; ")
            ));
        }
        warnings
    }

    fn command(&self) -> String {
        format!(
            "hegemon lab run all --scale {} --seed {}",
            self.setting.scale, self.setting.seed
        )
    }

    fn seconds(&self) -> f64 {
        self.parts.iter().map(|part| part.seconds).sum()
    }
}

impl Part {
    fn title(&self) -> String {
        capitalised(&format!(
            "{}: {}",
            self.experiment.paper, self.experiment.what
        ))
    }

    /// The missing cells, as a sentence.
    fn gap(&self) -> Option<String> {
        if let Some(obstacle) = self.experiment.obstacle() {
            return Some(format!("{obstacle}."));
        }
        let (n_done, n_planned) = self.n_cells;
        (n_done < n_planned)
            .then(|| format!("Only {n_done} of {n_planned} cells are done; figures are of those."))
    }

    fn count(&self) -> Count {
        let mut count = Count::default();
        for piece in &self.section.parts {
            let SectionPart::Table(table) = piece else {
                continue;
            };
            for text in table.rows.iter().flatten() {
                match text {
                    Text::Verdict(Agreement::Agrees) => count.agrees += 1,
                    Text::Verdict(Agreement::Differs) => count.differs += 1,
                    Text::Verdict(Agreement::NotRun) => count.not_run += 1,
                    _ => {}
                }
            }
        }
        count
    }
}

/// How to read it, the same in every format.
const READING: [&str; 3] = [
    "Published numbers stand beside ours. A row agrees if the two differ by no more than their 95 % \
     errors together (published counts have the interval of their games; where a paper gives none, \
     only ours counts). One row in twenty differs by chance alone.",
    "Intervals are over blocks (one deal under all seat orders), so games that share a deal count as \
     one observation. Search agents have budgets of iterations, never of seconds.",
    "Every figure here is computed from the store of the run by the command under its table.",
];

fn count_text(n: usize) -> String {
    match n {
        0 => "–".to_owned(),
        n => n.to_string(),
    }
}

fn minutes(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("{seconds:.0} s")
    } else {
        format!("{:.0} min", seconds / 60.0)
    }
}
