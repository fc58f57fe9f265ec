//! The lab: every published table and figure, re-run and compared with the
//! printed numbers.
//!
//! An [`Experiment`] is a table entry with two functions: `plan` cuts it into
//! cells, each a pure function of experiment, key, seed and scale; `render` makes
//! a [`Section`] of a report from cells that are done. [`run_cells`] computes the
//! cells of any experiments in parallel and stores each in the [`ResultStore`] as soon
//! as it is done, so a run can be stopped and resumed at any time. [`Report`]
//! renders the content of the store as one HTML page or Markdown.
//!
//! *Invariant:* all figures in a report come from the store and
//! `data/published.toml`, and two runs with one seed differ only in times.

mod accuracy;
mod adjustment;
mod best_response;
mod block_ratings;
mod calibration;
mod champion;
mod company;
mod equal_effort;
mod experiment;
mod hints;
mod ladder;
mod luck;
mod making;
mod map_trials;
mod matches;
mod other_means;
mod p000;
mod p000_code;
mod p000_form;
mod p001;
mod p001_sweeps;
mod p002;
mod p002_drafts;
mod p003;
mod p003_lecture;
mod p004;
mod plot;
mod published;
mod remade_weights;
mod repeated_match;
mod repetition;
mod report;
mod round_robin;
mod runner;
mod section;
mod shipped_files;
mod significance;
mod six_player;
mod solved_positions;
mod store;
mod strength;
mod transfer;

pub use calibration::{ChancesSaid, StrangerTable, calibration_picture};
pub use experiment::{
    Cell, EXPERIMENTS, Experiment, LabError, Mixing, Results, RunSetting, Scale, chosen, experiment,
};
pub use making::Making;
pub use other_means::{CommandAnswer, OtherCommand, OtherMeans, RepeatableRow};
pub use published::{PublishedResult, Source, published};
pub use repetition::{Comparison, PlannedRow, RepeatedRow, Repetition, UnrepeatedSection};
pub use report::{Format, Report, ReportFigures, Reported, Summaries};
pub use runner::{
    CellName, DoneCell, RunProgress, RunSummary, run_cell, run_cells, run_cells_elsewhere,
};
pub use section::{
    Agreement, Answer, Evidence, OneRow, Ours, Plot, ReportTable, Section, SectionPart, Text,
};
pub use solved_positions::{SOLVED_POSITIONS, SolvedEndings, SolvedPosition, SolvedSet};
pub use store::{DamagedCell, Origin, ResultStore};
