//! Hints in positions with an obvious best plan.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_analysis::{ExamSet, Level, exam};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::other_means::{CommandAnswer, OtherCommand, OtherMeans, RepeatableRow};
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text};

/// The hand-made positions.
pub(crate) const HINTS: Experiment = Experiment {
    name: "hints",
    paper: "beyond the papers",
    what: "hints in hand-made positions with an obvious best plan",
    needs: &["champion"],
    plan,
    render,
    other_means: |setting, _| Ok(OtherMeans::Rows(sat_again(setting))),
};

/// Seeds that an exam is taken with.
fn n_seeds(scale: Scale) -> u64 {
    scale.pick(1, 6, 20)
}

fn levels(scale: Scale) -> &'static [Level] {
    scale.pick(&Level::ALL[..1], &Level::ALL[..2], &Level::ALL[..])
}

/// What became of an exam.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sat {
    n: usize,
    /// Names of the positions that were answered wrongly.
    wrong: Vec<String>,
}

fn key(set: ExamSet, level: Level, seed: u64) -> String {
    format!("{} {level} seed {seed}", set.name())
}

fn exams(setting: RunSetting) -> impl Iterator<Item = (ExamSet, Level)> {
    let levels = levels(setting.scale).iter();
    levels.flat_map(|&level| ExamSet::ALL.map(|set| (set, level)))
}

fn seeds(setting: RunSetting) -> impl Iterator<Item = u64> {
    let first = setting.seed.wrapping_mul(1000);
    (0..n_seeds(setting.scale)).map(move |number| first.wrapping_add(number))
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let cell = |set: ExamSet, level: Level, seed: u64| {
        Cell::new(
            key(set, level, seed),
            seconds(level),
            move |stop: &AtomicBool| {
                let answers =
                    exam(set, level, seed).map_err(|e| LabError::Broken(e.to_string()))?;
                let n = answers.len();
                let wrong = answers.into_iter().filter(|answer| !answer.is_right);
                let wrong = wrong.map(|answer| answer.name).collect();
                Ok((!stop.load(Ordering::Relaxed)).then_some(Sat { n, wrong }))
            },
        )
    };
    Ok(exams(setting)
        .flat_map(|(set, level)| seeds(setting).map(move |seed| cell(set, level, seed)))
        .collect())
}

const TABLE: &str = "Right plans";

/// What `hegemon hint --exam` prints.
#[derive(Deserialize)]
struct PrintedExam {
    n_right: usize,
}

/// Expected processor seconds of an exam.
fn seconds(level: Level) -> f64 {
    match level {
        Level::Fast => 0.5,
        Level::Normal => 1.5,
        Level::Deep => 6.0,
    }
}

fn sat_again(setting: RunSetting) -> Vec<RepeatableRow> {
    let row = |(set, level): (ExamSet, Level)| {
        let command = |seed: u64| {
            let seed = seed.to_string();
            let words = [
                "hint",
                "--exam",
                set.name(),
                "--level",
                level.name(),
                "--seed",
                &seed,
            ];
            OtherCommand::new(words)
        };
        let commands: Vec<OtherCommand> = seeds(setting).map(command).collect();
        let seconds = commands.len() as f64 * seconds(level);
        let row = [set.name(), level.name()].map(Text::from);
        let row = RepeatableRow::new(TABLE, row, commands, seconds);
        row.comparing(&["right, by seed"], |answers| {
            let printed = answers.iter().map(CommandAnswer::value::<PrintedExam>);
            let right = printed.map(|exam| Ok(exam?.n_right.to_string()));
            let right: Vec<String> = right.collect::<Result<_, LabError>>()?;
            Ok(vec![right.join(", ")])
        })
    };
    exams(setting).map(row).collect()
}

fn render(results: &Results) -> Result<Section, LabError> {
    let setting = results.setting;
    let mut table = ReportTable::new(
        TABLE,
        &[
            "set",
            "level",
            "right, by seed",
            "#of",
            "#all, %",
            "wrong, with how many seeds",
        ],
        Evidence::default(),
    );
    let (mut n_all, mut takeaway) = (0, None);
    for (set, level) in exams(setting) {
        let mut sat = Vec::new();
        for seed in seeds(setting) {
            sat.extend(results.get::<Sat>(&key(set, level, seed))?);
        }
        let Some(n) = sat.first().map(|sat| sat.n) else {
            continue;
        };
        n_all += n * sat.len();
        let right: Vec<usize> = sat.iter().map(|sat| n - sat.wrong.len()).collect();
        let n_right: usize = right.iter().sum();
        let percent = 100 * n_right / (n * sat.len());
        let by_seed: Vec<String> = right.iter().map(usize::to_string).collect();
        table.row([
            Text::from(set.name()),
            Text::from(level.name()),
            Text::from(by_seed.join(", ")),
            Text::from(n.to_string()),
            Text::from(percent.to_string()),
            Text::from(wrong_words(&sat)),
        ]);
        if set == ExamSet::First && level == Level::Normal {
            let least = right.iter().min().copied().unwrap_or(0);
            takeaway = Some(format!(
                "At the level {level} hints name the obvious plan in at least {least} of {n} positions of the first set, \
                 whatever the seed."
            ));
        }
    }
    table.evidence = Evidence::of(results, format!("{n_all} answers"));
    table.notes.push(
        "Hints were made with the first set; the second was written before the program was asked about any of it, and used \
         to mend them; the third was written after that."
            .to_owned(),
    );
    let mut parts = vec![SectionPart::Table(table)];
    if let Some(words) = takeaway {
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}

/// The positions that were answered wrongly, most often first.
fn wrong_words(sat: &[Sat]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for name in sat.iter().flat_map(|sat| &sat.wrong) {
        match counts.iter_mut().find(|(known, _)| known == name) {
            Some((_, n)) => *n += 1,
            None => counts.push((name, 1)),
        }
    }
    if counts.is_empty() {
        return "none".to_owned();
    }
    counts.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let words: Vec<String> = counts
        .iter()
        .map(|(name, n)| format!("{name} ({n})"))
        .collect();
    words.join("; ")
}
