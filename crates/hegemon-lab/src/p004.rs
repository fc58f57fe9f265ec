//! Gillenwater 2022: the characteristics that evolution finds.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::stats::Moments;
use hegemon_bots::beam::{BeamWeights, Category, Characteristics};
use hegemon_core::rules::Start;
use hegemon_learn::beam::{
    BeamMethod, BeamTraining, FindingRow, Generation, HISTORY_FILE, History, Sample, ThreadVenue,
    category_page, findings, run,
};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::other_means::{CommandAnswer, OtherCommand, OtherMeans, RepeatableRow};
use crate::published::{PublishedResult, published};
use crate::section::{
    Answer, Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};
use crate::significance::{LEVEL, p_text, sign_test};

/// Curves and findings.
pub(crate) const EVOLUTION: Experiment = Experiment {
    name: "004-evolution",
    paper: "Gillenwater 2022",
    what: "findings of stochastic beam search, CMA-ES beside it, transfer",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// Most rows of a stored history; longer ones are averaged.
const MAX_ROWS: usize = 150;

/// A series of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Series {
    /// The paper's method, territories claimed as it says.
    Claimed,
    /// The paper's method, territories dealt: its findings on placement are those.
    Dealt,
    /// CMA-ES with the seeds and the number of games of the first series.
    CmaEs,
}

impl Series {
    const ALL: [Series; 3] = [Series::Claimed, Series::Dealt, Series::CmaEs];

    fn name(self) -> &'static str {
        match self {
            Series::Claimed => "claimed",
            Series::Dealt => "dealt",
            Series::CmaEs => "claimed, CMA-ES",
        }
    }

    fn n_runs(self, scale: Scale) -> u64 {
        match self {
            Series::Claimed | Series::CmaEs => scale.pick(1, 6, 16),
            Series::Dealt => scale.pick(1, 3, 16),
        }
    }

    fn training(self, setting: RunSetting, number: u64) -> BeamTraining {
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
        match self {
            Series::Claimed => {}
            Series::Dealt => params.rules.start = Start::Deal,
            Series::CmaEs => params.method = BeamMethod::CMA_ES,
        }
        params
    }

    fn key(self, setting: RunSetting, number: u64) -> String {
        let params = self.training(setting, number);
        format!(
            "{} generations of {} agents, {}, seed {}",
            params.generations,
            params.population,
            self.name(),
            params.seed
        )
    }
}

/// Fields that a champion was not made in: three agents with shipped weights.
const FOREIGN: [&str; 2] = ["evolved", "cma-es"];

/// A finished run.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Evolution {
    /// Generations, averaged in groups.
    rows: Vec<Generation>,
    /// Share of the champion among three start agents, and half its interval.
    share: (f64, f64),
    n_games: u64,
    /// Its share in each of the foreign fields, then among three start agents under the other
    /// start.
    transfer: Vec<f64>,
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for series in Series::ALL {
        for number in 0..series.n_runs(setting.scale) {
            let params = series.training(setting, number);
            let cost = seconds(&params);
            let work = move |stop: &AtomicBool| evolve(&params, stop);
            cells.push(Cell::new(series.key(setting, number), cost, work));
        }
    }
    Ok(cells)
}

fn evolve(params: &BeamTraining, stop: &AtomicBool) -> Result<Option<Evolution>, LabError> {
    let mut rows = Vec::new();
    let evolved = run(params, None, stop, &mut |progress| {
        rows.push(progress.row.clone());
    })?;
    let Some(evolved) = evolved else {
        return Ok(None);
    };
    let transfer = transfer(params, &evolved.champion, stop)?;
    Ok((!stop.load(Ordering::Relaxed)).then(|| Evolution {
        rows: averaged(&rows),
        share: (evolved.share, evolved.margin),
        n_games: evolved.n_games,
        transfer,
    }))
}

/// The shares of a champion in fields that it was not made in.
fn transfer(
    params: &BeamTraining,
    champion: &Characteristics,
    stop: &AtomicBool,
) -> Result<Vec<f64>, LabError> {
    let sample = Sample {
        n_games: params.final_games,
        seed: params.seed,
        label: "transfer",
    };
    let share = |params: &BeamTraining, others: &[Characteristics]| -> Result<f64, LabError> {
        let here = ThreadVenue {
            tables: &params.tables()?,
            n_threads: 1,
            stop,
        };
        Ok(sample.share(&here, champion, others))
    };
    let mut shares = Vec::new();
    for name in FOREIGN {
        let rival = BeamWeights::named(name).map_err(|e| LabError::Broken(e.to_string()))?;
        shares.push(share(params, &[rival.values])?);
    }
    let mut other = params.clone();
    other.rules.start = match params.rules.start {
        Start::Deal => Start::Draft,
        Start::Draft => Start::Deal,
    };
    shares.push(share(&other, &[Characteristics::INITIAL])?);
    Ok(shares)
}

const FINDINGS_TABLE: &str = "Findings of section III";

/// The published rows of the findings.
fn published_findings() -> impl Iterator<Item = &'static PublishedResult> {
    let all = published().iter();
    all.filter(|row| row.id.starts_with("004/findings/"))
}

/// The findings, which rest on the generations alone: how often a run measures its champion does not count.
fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let numbers = 0..Series::Claimed.n_runs(setting.scale);
    let runs: Vec<BeamTraining> = numbers
        .map(|number| Series::Claimed.training(setting, number))
        .collect();
    let command = |params: &BeamTraining| {
        let numbers = [
            ("--population", params.population as u64),
            ("--generations", u64::from(params.generations)),
            ("--seed", params.seed),
        ];
        let mut words = vec!["train".to_owned(), "beam".to_owned()];
        for (name, value) in numbers {
            words.extend([name.to_owned(), value.to_string()]);
        }
        OtherCommand::new(words).writing("run")
    };
    let commands: Vec<OtherCommand> = runs.iter().map(command).collect();
    let seconds = runs.iter().map(seconds).sum();
    let again = |(number, published): (usize, &PublishedResult)| {
        let what = Text::Plain(published.what.clone());
        let row = RepeatableRow::new(FINDINGS_TABLE, [what], commands.clone(), seconds);
        row.comparing(&["ours"], move |answers| {
            let read = |answer: &CommandAnswer| -> Result<History, LabError> {
                let history = History::read(&answer.written()?.join(HISTORY_FILE));
                let mut history = history.map_err(|error| LabError::Broken(error.to_string()))?;
                history.generations = averaged(&history.generations);
                Ok(history)
            };
            let runs: Vec<History> = answers.iter().map(read).collect::<Result<_, _>>()?;
            let found = findings(&runs).get(number).map(finding);
            Ok(found.and_then(|ours| ours.words).into_iter().collect())
        })
    };
    let rows = published_findings().enumerate().map(again);
    Ok(OtherMeans::Rows(rows.collect()))
}

/// Expected processor seconds of a run.
fn seconds(params: &BeamTraining) -> f64 {
    params.n_tournament_games() as f64 * 1e-4
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

fn read(results: &Results, series: Series) -> Result<Vec<(History, Evolution)>, LabError> {
    let setting = results.setting;
    let mut runs = Vec::new();
    for number in 0..series.n_runs(setting.scale) {
        let stored: Option<Evolution> = results.get(&series.key(setting, number))?;
        if let Some(evolution) = stored {
            let history = History {
                params: series.training(setting, number),
                generations: evolution.rows.clone(),
            };
            runs.push((history, evolution));
        }
    }
    Ok(runs)
}

fn evidence_of(results: &Results, series: Series, runs: &[(History, Evolution)]) -> Evidence {
    let n_games: u64 = runs.iter().map(|(_, evolution)| evolution.n_games).sum();
    let size = format!(
        "{} runs, {n_games} games of training, territories {}",
        runs.len(),
        series.name()
    );
    Evidence::of(results, size)
}

fn histories(runs: &[(History, Evolution)]) -> Vec<History> {
    runs.iter().map(|(history, _)| history.clone()).collect()
}

fn render(results: &Results) -> Result<Section, LabError> {
    let [claimed, dealt, cma_es] = Series::ALL.map(|series| read(results, series));
    let (claimed, dealt, cma_es) = (claimed?, dealt?, cma_es?);
    let evidence = evidence_of(results, Series::Claimed, &claimed);
    let of_paper = histories(&claimed);
    let rows = findings(&of_paper);
    let mut parts = Vec::new();
    if !of_paper.is_empty() {
        parts.push(findings_takeaway(&rows));
    }
    parts.push(SectionPart::Note(
        "Evolution of 29 numbers. A finding holds in a run if the mean of the population over the last \
         tenth of the run shows it. A direction holds with a chance of one half where there is nothing \
         to find: a finding agrees or differs if a two-sided sign test over the runs says so at 5 %, \
         and is mixed otherwise. Fewer than six runs can show nothing."
            .to_owned(),
    ));
    let mut table = ReportTable::comparison(FINDINGS_TABLE, evidence.clone());
    for (row, published) in rows.iter().zip(published_findings()) {
        let ours = (!of_paper.is_empty()).then(|| finding(row));
        table.compare(published, ours.as_ref());
    }
    parts.push(SectionPart::Table(table));
    if !of_paper.is_empty() {
        for category in Category::ALL {
            parts.push(SectionPart::Plot(Plot {
                name: format!("004-{}", category.name()),
                about: format!("Characteristics of {} by generation", category.name()),
                svg: category_page(category, &of_paper),
            }));
        }
    }
    parts.extend([
        SectionPart::Table(dealt_table(
            &findings(&histories(&dealt)),
            evidence_of(results, Series::Dealt, &dealt),
        )),
        SectionPart::Table(runs_table(&claimed, &cma_es, evidence.clone())),
        SectionPart::Table(transfer_table(&[&claimed, &dealt, &cma_es], evidence)),
    ]);
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

/// The champions of both methods by seed, and the difference of the methods over seeds.
fn runs_table(
    beam: &[(History, Evolution)],
    cma_es: &[(History, Evolution)],
    evidence: Evidence,
) -> ReportTable {
    let mut table = ReportTable::new(
        "Champion of each run among three start agents (25 % is level)",
        &[
            "run",
            "#games of training",
            "#beam search, %",
            "#95 %, games as independent",
            "#CMA-ES, %",
            "#95 %, games as independent",
        ],
        evidence,
    );
    let share = |run: Option<&(History, Evolution)>| match run {
        None => ["–".to_owned(), "–".to_owned()],
        Some((_, evolution)) => {
            let (share, margin) = evolution.share;
            let margin = format!("± {}", number(100.0 * margin, 1));
            [number(100.0 * share, 1), margin]
        }
    };
    let mut gains = Moments::default();
    for (history, evolution) in beam {
        let seed = history.params.seed;
        let other = cma_es
            .iter()
            .find(|(history, _)| history.params.seed == seed);
        if let Some((_, other)) = other {
            gains.push(100.0 * (other.share.0 - evolution.share.0));
        }
        let [ours, ours_margin] = share(Some(&(history.clone(), evolution.clone())));
        let [theirs, theirs_margin] = share(other);
        table.row([
            format!("seed {seed}"),
            evolution.n_games.to_string(),
            ours,
            ours_margin,
            theirs,
            theirs_margin,
        ]);
    }
    if let Some(gain) = gains.estimate() {
        table.notes.push(format!(
            "CMA-ES is {} points above the paper's method at the same games and seeds (95 % over seeds: {}).",
            number(gain.mean, 1),
            interval_or_dash(gain.ci95, 1)
        ));
    }
    table
}

/// What the champions are worth in fields that they were not made in.
fn transfer_table(series: &[&[(History, Evolution)]; 3], evidence: Evidence) -> ReportTable {
    let mut table = ReportTable::new(
        "Champions in other fields: mean share over runs, % (25 is level)",
        &[
            "series",
            "#three start agents",
            "#95 % over runs",
            "#three evolved",
            "#95 % over runs",
            "#three of CMA-ES",
            "#95 % over runs",
            "#the other start",
            "#95 % over runs",
            "#runs",
        ],
        evidence,
    );
    for (series, runs) in Series::ALL.iter().zip(series) {
        let mut cells = vec![series.name().to_owned()];
        let own: Moments = runs.iter().map(|(_, run)| 100.0 * run.share.0).collect();
        cells.extend(mean_texts(&own));
        for field in 0..=FOREIGN.len() {
            let shares = runs.iter().filter_map(|(_, run)| run.transfer.get(field));
            let shares: Moments = shares.map(|share| 100.0 * share).collect();
            cells.extend(mean_texts(&shares));
        }
        cells.push(runs.len().to_string());
        table.row(cells);
    }
    table
}

fn mean_texts(moments: &Moments) -> [String; 2] {
    let estimate = moments.estimate();
    [
        estimate.map_or_else(|| "–".to_owned(), |mean| number(mean.mean, 1)),
        interval_or_dash(estimate.and_then(|mean| mean.ci95), 1),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_findings_stand_in_our_order() {
        let names: Vec<&str> = published_findings().map(|row| row.what.as_str()).collect();
        let ours: Vec<String> = findings(&[])
            .iter()
            .map(|row| format!("{}: {}", row.finding.category, row.finding.text))
            .collect();
        assert_eq!(names, ours);
    }
}
