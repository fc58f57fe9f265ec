//! The report: everything that the store holds, as HTML or Markdown.

mod figures;
mod html;
mod markdown;
mod summary;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hegemon_arena::Program;

use crate::experiment::{Cell, EXPERIMENTS, Experiment, LabError, Mixing, RunSetting, Scale};
use crate::making::Making;
use crate::other_means::OtherMeans;
use crate::section::{
    Agreement, OneRow, Plot, ReportTable, Section, SectionPart, Text, capitalised,
};
use crate::store::{Origin, ResultStore};
pub use figures::{ReportFigures, Reported};
pub(crate) use markdown::escape;
pub use summary::Summaries;
use summary::Summary;

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One self-contained page.
    Html,
    /// Markdown with pictures beside it.
    Markdown,
    Both,
}

/// A report.
#[derive(Debug)]
pub struct Report {
    setting: RunSetting,
    program: String,
    making: Making,
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
    mixed: usize,
    /// Those that differ with the number of rows taken into account.
    differs_adjusted: usize,
    not_run: usize,
}

impl Count {
    fn add(&mut self, text: &Text) {
        match text {
            Text::Verdict(Agreement::Agrees) => self.agrees += 1,
            Text::Verdict(Agreement::Differs) => self.differs += 1,
            Text::Verdict(Agreement::Mixed) => self.mixed += 1,
            Text::Verdict(Agreement::NotRun) => self.not_run += 1,
            Text::Adjusted(Agreement::Differs) => self.differs_adjusted += 1,
            _ => {}
        }
    }

    fn sum(self, other: Count) -> Count {
        Count {
            agrees: self.agrees + other.agrees,
            differs: self.differs + other.differs,
            mixed: self.mixed + other.mixed,
            differs_adjusted: self.differs_adjusted + other.differs_adjusted,
            not_run: self.not_run + other.not_run,
        }
    }

    /// The numbers in the order of [`COUNTED`].
    fn texts(self) -> [String; 5] {
        [
            self.agrees,
            self.differs,
            self.differs_adjusted,
            self.mixed,
            self.not_run,
        ]
        .map(count_text)
    }
}

/// What is counted in the overview.
const COUNTED: [&str; 5] = [
    "agrees",
    "differs",
    "differs after Holm",
    "mixed",
    "not run",
];

impl Report {
    /// The report of the stored cells of a setting.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, a cell is damaged or cannot be interpreted
    /// by its experiment, or cells are of programs that play differently from
    /// this one.
    pub fn new(
        store: &ResultStore,
        setting: RunSetting,
        mixing: Mixing,
    ) -> Result<Report, LabError> {
        let all: Vec<&'static Experiment> = EXPERIMENTS.iter().collect();
        Report::of(store, setting, mixing, &all)
    }

    /// The report of some experiments only.
    ///
    /// # Errors
    ///
    /// As of [`Report::new`].
    pub fn of(
        store: &ResultStore,
        setting: RunSetting,
        mixing: Mixing,
        experiments: &[&'static Experiment],
    ) -> Result<Report, LabError> {
        store.check_cells()?;
        let mut origins = store.origins(setting)?;
        let is_asked = |origin: &Origin| experiments.iter().any(|e| e.name == origin.experiment);
        let asked = origins.iter().filter(|origin| is_asked(origin));
        let programs: BTreeSet<String> = asked.map(|origin| origin.program.clone()).collect();
        origins.retain(|origin| origin.signature != Program::current().signature);
        let stale = origins;
        mixing.check(&stale)?;
        let mut parts = Vec::new();
        for &experiment in experiments {
            let results = store.results(experiment, setting)?;
            let planned = match experiment.obstacle() {
                Some(_) => Vec::new(),
                None => (experiment.plan)(setting)?,
            };
            // There may be cells of an older version that are no longer used.
            let is_done = |cell: &&Cell| results.cells.contains_key(&cell.key);
            let n_done = planned.iter().filter(is_done).count();
            parts.push(Part {
                experiment,
                n_cells: (n_done, planned.len()),
                seconds: store.seconds(experiment.name, setting)?,
                section: (experiment.render)(&results)?,
            });
        }
        let mut report = Report {
            setting,
            program: Vec::from_iter(programs).join("; "),
            making: store.making(setting)?,
            stale: stale.iter().map(ToString::to_string).collect(),
            parts,
        };
        report.name_other_means()?;
        Ok(report)
    }

    /// Says under every table what makes one of its rows by other means.
    fn name_other_means(&mut self) -> Result<(), LabError> {
        let figures = ReportFigures::of(self);
        let setting = self.setting;
        let runnable = |part: &&mut Part| part.experiment.obstacle().is_none();
        for part in self.parts.iter_mut().filter(runnable) {
            let rows = match figures.other_means(part.experiment)? {
                OtherMeans::Rows(rows) => rows,
                OtherMeans::None(_) => continue,
            };
            for piece in &mut part.section.parts {
                let SectionPart::Table(table) = piece else {
                    continue;
                };
                let found = rows.iter().find(|row| row.table == table.title);
                table.evidence.other_means = found.and_then(|row| {
                    let (first, others) = row.commands.split_first()?;
                    let RunSetting { scale, seed } = setting;
                    let name = part.experiment.name;
                    let all = format!("hegemon lab repeat {name} --scale {scale} --seed {seed}");
                    Some(Box::new(OneRow {
                        command: first.to_string(),
                        more: (!others.is_empty()).then_some((others.len(), all)),
                    }))
                });
            }
        }
        Ok(())
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

    /// How many of the published numbers agree, in a sentence.
    pub fn verdict(&self) -> String {
        self.findings().0
    }

    /// What the results come to: a sentence on all published rows, then one of each
    /// section that has something to say, with its name.
    fn findings(&self) -> (String, Vec<(&'static str, Text)>) {
        let all = self.parts.iter().map(Part::count);
        let all = all.fold(Count::default(), Count::sum);
        let n = all.agrees + all.differs + all.mixed;
        let sum = format!(
            "Of {n} published numbers and statements that were computed again, {} agree, {} differ at \
             5 % each and {} are mixed; with the number of rows of each table taken into account \
             (Holm), {} differ. {} were not run.",
            all.agrees, all.differs, all.mixed, all.differs_adjusted, all.not_run
        );
        let taken = self.parts.iter().filter(|part| part.n_cells.0 > 0);
        let taken = taken.filter_map(|part| Some((part.experiment.name, part.section.takeaway()?)));
        (sum, taken.collect())
    }

    /// What a reader must know about the whole.
    fn limits(&self) -> Vec<String> {
        let mut limits: Vec<String> = LIMITS.iter().map(ToString::to_string).collect();
        if self.setting.scale != Scale::Paper {
            limits.insert(
                0,
                format!(
                    "This is the scale \"{}\": searches have smaller budgets, and most matches fewer \
                     games, than in the papers.",
                    self.setting.scale
                ),
            );
        }
        limits
    }

    /// How to cite it.
    fn citation(&self) -> String {
        format!(
            "The Hegemon contributors: Hegemon, an open laboratory for computer Risk. Program {}; report \
             of the lab at scale {}, seed {}. The papers whose tables are run again are listed in \
             docs/papers.md; please cite them too.",
            self.program, self.setting.scale, self.setting.seed
        )
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
        let path = folder.join("summary.json");
        write(&path, &Summary::of(self).json()?)?;
        written.push(path);
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

    /// The command that computes what is shown: all, or the experiments that have cells.
    fn command(&self) -> String {
        let run = self.parts.iter().filter(|part| part.n_cells.0 > 0);
        let mut names: Vec<&str> = run.map(|part| part.experiment.name).collect();
        if names.is_empty() || names.len() == EXPERIMENTS.len() {
            names = vec!["all"];
        }
        format!(
            "hegemon lab run {} --scale {} --seed {}",
            names.join(" "),
            self.setting.scale,
            self.setting.seed
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
        for table in self.tables() {
            table.rows.iter().flatten().for_each(|text| count.add(text));
        }
        count
    }

    fn tables(&self) -> impl Iterator<Item = &ReportTable> {
        self.section.parts.iter().filter_map(|piece| match piece {
            SectionPart::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The anchor of one of its tables.
    fn anchor(&self, table: &ReportTable) -> String {
        format!("{}--{}", self.experiment.name, slug(&table.title))
    }
}

/// A text as a name in an address: its words in lower case, joined by hyphens.
fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join("-")
}

/// How to read it, the same in every format.
const READING: [&str; 4] = [
    "Published numbers stand beside ours. A row agrees if the two differ by no more than their 95 % \
     errors together; p is the two-sided p-value of that difference. Published errors are the printed \
     ones, or those of the printed counts; where a paper gives neither, only ours count. One row in \
     twenty differs by chance alone, so the last column corrects the verdicts for the number of rows \
     of the table by Holm's method.",
    "Agreement is not proof: a wide interval agrees with much. Statements are judged as their tables \
     say; where a number only stands beside another the verdict is \"not compared\", and rows that \
     list games of another row point to it and are not counted.",
    "Intervals are at 95 %, and over blocks (one deal under all seat orders) where the column says so: \
     games that share a deal count as one observation. Other intervals are named by what they rest on.",
    "Every figure, and every sentence under Findings, is computed from the store of the run by the \
     command under its table.",
];

/// What the results do not say, the same for every run.
const LIMITS: [&str; 5] = [
    "The agents are ours, written from the papers and, where they exist, from descriptions of the \
     authors' programs; what the papers leave open is our reading (docs/spec).",
    "Search agents have budgets of iterations, never of seconds, so a comparison at equal effort is \
     not one at equal time unless its table says so.",
    "One seed: intervals tell how deals and dice scatter, not how choices made before the run would.",
    "Verdicts are corrected for the rows of one table, not for all tables of the report together.",
    "The maps and rules are those named in each table; nothing is claimed for others.",
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
