//! Gillenwater 2022: the characteristics that evolution finds.

use std::sync::atomic::AtomicBool;

use hegemon_bots::beam::Category;
use hegemon_core::rules::Start;
use hegemon_learn::beam::{
    BeamTraining, FindingRow, Generation, History, category_page, findings, run,
};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, Scale, Setting};
use crate::published::published;
use crate::section::{
    Answer, Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, number,
};
use crate::significance::{LEVEL, p_text, sign_test};

/// Curves and findings.
pub(crate) const EVOLUTION: Experiment = Experiment {
    name: "004-evolution",
    paper: "Gillenwater 2022",
    what: "characteristic curves and findings of stochastic beam search",
    needs: &[],
    plan,
    render,
};

/// Most rows of a stored history; longer ones are averaged.
const MAX_ROWS: usize = 150;

/// Whether territories are claimed or dealt: the paper says claimed, but its
/// findings on placement are those of dealt ones.
const STARTS: [(&str, bool); 2] = [("claimed", false), ("dealt", true)];

fn n_runs(scale: Scale, is_dealt: bool) -> u64 {
    match is_dealt {
        false => scale.pick(1, 8, 16),
        true => scale.pick(1, 4, 16),
    }
}

fn training(setting: Setting, is_dealt: bool, number: u64) -> BeamTraining {
    let scale = setting.scale;
    let mut params = BeamTraining {
        population: scale.pick(16, 256, 256),
        generations: scale.pick(4, 1500, 1500),
        measure_every: scale.pick(2, 50, 10),
        measure_games: scale.pick(8, 400, 400),
        playoff_games: scale.pick(8, 100, 400),
        final_games: scale.pick(20, 4000, 4000),
        seed: setting.seed.wrapping_add(number),
        n_threads: 1,
        ..BeamTraining::default()
    };
    if is_dealt {
        params.rules.start = Start::Deal;
    }
    params
}

/// A finished run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Evolution {
    /// Generations, averaged in groups.
    rows: Vec<Generation>,
    /// Share of the champion among three start agents, and half its interval.
    share: (f64, f64),
    n_games: u64,
}

fn key(setting: Setting, start: &str, is_dealt: bool, number: u64) -> String {
    let params = training(setting, is_dealt, number);
    format!(
        "{} generations of {} agents, {start}, seed {}",
        params.generations, params.population, params.seed
    )
}

fn plan(setting: Setting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for (start, is_dealt) in STARTS {
        for number in 0..n_runs(setting.scale, is_dealt) {
            let params = training(setting, is_dealt, number);
            let cost = params.n_tournament_games() as f64 * 1e-4;
            let work = move |stop: &AtomicBool| evolve(&params, stop);
            cells.push(Cell::new(key(setting, start, is_dealt, number), cost, work));
        }
    }
    Ok(cells)
}

fn evolve(params: &BeamTraining, stop: &AtomicBool) -> Result<Option<Evolution>, LabError> {
    let mut rows = Vec::new();
    let evolved = run(params, None, stop, &mut |progress| {
        rows.push(progress.row.clone());
    })?;
    Ok(evolved.map(|evolved| Evolution {
        rows: averaged(&rows),
        share: (evolved.share, evolved.margin),
        n_games: evolved.n_games,
    }))
}

/// Groups of generations, each as its mean.
fn averaged(rows: &[Generation]) -> Vec<Generation> {
    let size = rows.len().div_ceil(MAX_ROWS).max(1);
    let mean = |group: &[Generation]| {
        let mut mean = group[group.len() / 2].clone();
        let n = group.len() as f64;
        let by_key = |pick: fn(&Generation, usize) -> f64| {
            std::array::from_fn(|idx| group.iter().map(|row| pick(row, idx)).sum::<f64>() / n)
        };
        mean.mean = by_key(|row, idx| row.mean[idx]);
        mean.low = by_key(|row, idx| row.low[idx]);
        mean.high = by_key(|row, idx| row.high[idx]);
        mean
    };
    rows.chunks(size).map(mean).collect()
}

fn read(
    results: &Results,
    start: &str,
    is_dealt: bool,
) -> Result<Vec<(History, Evolution)>, LabError> {
    let setting = results.setting;
    let mut runs = Vec::new();
    for number in 0..n_runs(setting.scale, is_dealt) {
        let stored: Option<Evolution> = results.get(&key(setting, start, is_dealt, number))?;
        if let Some(evolution) = stored {
            let history = History {
                params: training(setting, is_dealt, number),
                generations: evolution.rows.clone(),
            };
            runs.push((history, evolution));
        }
    }
    Ok(runs)
}

fn render(results: &Results) -> Result<Section, LabError> {
    let mut parts = vec![SectionPart::Note(
        "Evolution of 29 numbers. A finding holds in a run if the mean of the population over the last \
         tenth of the run shows it. A direction holds with a chance of one half where there is nothing \
         to find: a finding agrees or differs if a two-sided sign test over the runs says so at 5 %, \
         and is mixed otherwise. Fewer than six runs can show nothing."
            .to_owned(),
    )];
    for (start, is_dealt) in STARTS {
        let runs = read(results, start, is_dealt)?;
        let n_games: u64 = runs.iter().map(|(_, evolution)| evolution.n_games).sum();
        let size = format!(
            "{} runs, {n_games} games of tournaments, territories {start}",
            runs.len()
        );
        let evidence = Evidence::of(results, size);
        let histories: Vec<History> = runs.iter().map(|(history, _)| history.clone()).collect();
        let rows = findings(&histories);
        if is_dealt {
            parts.push(SectionPart::Table(dealt_table(&rows, evidence)));
            continue;
        }
        let mut table = ReportTable::comparison("Findings of section III", evidence.clone());
        let published = published()
            .iter()
            .filter(|row| row.id.starts_with("004/findings/"));
        for (row, published) in rows.iter().zip(published) {
            let ours = (!histories.is_empty()).then(|| finding(row));
            table.compare(published, ours.as_ref());
        }
        if !histories.is_empty() {
            parts.insert(0, findings_takeaway(&rows));
        }
        parts.push(SectionPart::Table(table));
        parts.push(SectionPart::Table(runs_table(&runs, evidence)));
        if !histories.is_empty() {
            for category in Category::ALL {
                parts.push(SectionPart::Plot(Plot {
                    name: format!("004-{}", category.name()),
                    about: format!("Characteristics of {} by generation", category.name()),
                    svg: category_page(category, &histories),
                }));
            }
        }
    }
    Ok(Section { parts })
}

fn findings_takeaway(rows: &[FindingRow]) -> SectionPart {
    let is_clear = |row: &&FindingRow| sign_test(row.n_agree, row.values.len()) < LEVEL;
    let shown = rows.iter().filter(is_clear);
    let n_shown = shown
        .clone()
        .filter(|row| 2 * row.n_agree > row.values.len())
        .count();
    let n_against = shown.count() - n_shown;
    SectionPart::Takeaway(Text::Plain(format!(
        "Of {} findings, {n_shown} are shown by our runs at 5 %, {n_against} are contradicted, and {} \
         are mixed.",
        rows.len(),
        rows.len() - n_shown - n_against
    )))
}

fn finding(row: &FindingRow) -> Ours {
    let n_runs = row.values.len();
    let (low, high) = row.spread();
    let words = format!(
        "{} ({} to {}): {} of {n_runs} runs",
        number(row.mean(), 2),
        number(low, 2),
        number(high, 2),
        row.n_agree
    );
    Ours::says(Answer::Runs(row.n_agree, n_runs), words)
}

/// The findings with territories dealt instead of claimed.
fn dealt_table(rows: &[FindingRow], evidence: Evidence) -> ReportTable {
    let mut table = ReportTable::new(
        "Findings with territories dealt, not claimed",
        &[
            "finding",
            "paper",
            "we look at",
            "ours: mean (spread), runs that agree",
            "#p, sign test",
        ],
        evidence,
    );
    for row in rows {
        let n_runs = row.values.len();
        let (words, p) = match n_runs {
            0 => ("–".to_owned(), "–".to_owned()),
            _ => (
                finding(row).words.unwrap_or_default(),
                p_text(sign_test(row.n_agree, n_runs)),
            ),
        };
        table.row([
            Text::from(format!("{}: {}", row.finding.category, row.finding.text)),
            Text::from(row.finding.paper),
            Text::from(row.finding.number),
            Text::from(words),
            Text::from(p),
        ]);
    }
    table
}

/// The champions.
fn runs_table(runs: &[(History, Evolution)], evidence: Evidence) -> ReportTable {
    let mut table = ReportTable::new(
        "Champion of each run among three start agents (25 % is level)",
        &[
            "run",
            "#games of tournaments",
            "#share, %",
            "#95 %, games as independent",
        ],
        evidence,
    );
    for (history, evolution) in runs {
        let (share, margin) = evolution.share;
        table.row([
            Text::from(format!("seed {}", history.params.seed)),
            Text::from(evolution.n_games.to_string()),
            Text::from(number(100.0 * share, 1)),
            Text::from(format!("± {}", number(100.0 * margin, 1))),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_findings_stand_in_our_order() {
        let published = published()
            .iter()
            .filter(|row| row.id.starts_with("004/findings/"));
        let names: Vec<&str> = published.map(|row| row.what.as_str()).collect();
        let ours: Vec<String> = findings(&[])
            .iter()
            .map(|row| format!("{}: {}", row.finding.category, row.finding.text))
            .collect();
        assert_eq!(names, ours);
    }
}
