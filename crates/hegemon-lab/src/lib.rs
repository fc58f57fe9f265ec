//! The lab: every published table and figure, re-run and compared with the
//! printed numbers.
//!
//! An [`Experiment`] is a table entry with two functions: `plan` cuts it into
//! cells, each a pure function of experiment, key, seed and scale; `render` makes
//! a [`Section`] of a report from cells that are done. [`run_cells`] computes the
//! cells of any experiments in parallel and stores each in the [`Store`] as soon
//! as it is done, so a run can be stopped and resumed at any time. [`Report`]
//! renders the content of the store as one HTML page or Markdown.
//!
//! *Invariant:* all figures in a report come from the store and
//! `data/published.toml`, and two runs with one seed differ only in times.

mod champion;
mod experiment;
mod ladder;
mod matches;
mod p000;
mod p000_code;
mod p001;
mod p002;
mod p003;
mod p004;
mod plot;
mod published;
mod report;
mod round_robin;
mod runner;
mod section;
mod six_player;
mod store;

pub use experiment::{
    Cell, EXPERIMENTS, Experiment, LabError, Mixing, Results, Scale, Setting, chosen, experiment,
};
pub use published::{PublishedResult, published};
pub use report::{Format, Report};
pub use runner::{
    CellName, DoneCell, RunProgress, RunSummary, run_cell, run_cells, run_cells_elsewhere,
};
pub use section::{Agreement, Evidence, Plot, ReportTable, Section, SectionPart, Text};
pub use store::{DamagedCell, Origin, Store};
