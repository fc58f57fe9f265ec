//! Figure 3 of Gibson, Desai and Zhao 2010: the weight of each count of each
//! continent.

use std::fmt::Write as _;

use hegemon_eval::draft::{ContinentWeights, LinearDraft};

use crate::svg::{Axes, AxisScale, COLOURS, Picture, Place, PlotMark};

const PANEL: [f64; 2] = [230.0, 190.0];
const N_COLUMNS: usize = 3;
/// Room above the panels, for title and legend.
const HEADER: f64 = 60.0;
/// Room around a panel's plot: left, top, right, bottom.
const MARGIN: [f64; 4] = [40.0, 26.0, 10.0, 30.0];
const OURS: &str = COLOURS[0];
const GUESS: &str = COLOURS[1];
const OTHER: &str = COLOURS[8];

/// The figure as SVG: a panel for each continent, points with 95 % intervals,
/// squares for counts that never occurred. `other`, such as the authors' own
/// weights, is drawn in grey, shifted so that the means of the counts agree.
pub fn figure_3(weights: &LinearDraft, other: Option<(&str, &LinearDraft)>) -> String {
    let others: Vec<Option<Vec<f64>>> = weights
        .continents
        .iter()
        .map(|k| {
            let found = other?.1.continents.iter().find(|o| o.name == k.name)?;
            (found.weights.len() == k.weights.len()).then(|| moved(&found.weights, k))
        })
        .collect();
    let all = weights
        .continents
        .iter()
        .flat_map(|k| k.weights.iter().copied());
    let all = all.chain(others.iter().flatten().flatten().copied());
    let (low, high) = all.fold((0.0f64, 1.0f64), |(low, high), w| (low.min(w), high.max(w)));
    let pad = 0.06 * (high - low);
    let n_rows = weights.continents.len().div_ceil(N_COLUMNS);
    let size = [
        PANEL[0] * N_COLUMNS as f64,
        HEADER + PANEL[1] * n_rows as f64,
    ];
    let mut picture = Picture::new(size, "Weight by territories held, 95 % intervals");
    let mut x = picture.key([16.0, 48.0], PlotMark::Dot, OURS, "weight");
    x = picture.key([x, 48.0], PlotMark::Square, GUESS, "extrapolated");
    if let Some((name, _)) = other {
        picture.key([x, 48.0], PlotMark::Dash, OTHER, name);
    }
    for (number, k) in weights.continents.iter().enumerate() {
        let corner = [
            PANEL[0] * (number % N_COLUMNS) as f64,
            HEADER + PANEL[1] * (number / N_COLUMNS) as f64,
        ];
        let range = [low - pad, high + pad];
        panel(&mut picture, corner, k, others[number].as_deref(), range);
    }
    picture.finish()
}

/// Weights with the constant and the trend that fit `k` best: full drafts
/// determine neither.
fn moved(weights: &[f64], k: &ContinentWeights) -> Vec<f64> {
    let known: Vec<usize> = (0..weights.len())
        .filter(|c| !k.extrapolated.contains(c))
        .collect();
    let precision = |c: usize| {
        k.errors
            .get(c)
            .map_or(1.0, |error| 1.0 / (error * error).max(1e-6))
    };
    let total: f64 = known.iter().map(|&c| precision(c)).sum();
    let mean = known
        .iter()
        .map(|&c| precision(c) * (k.weights[c] - weights[c]))
        .sum::<f64>()
        / total;
    weights.iter().map(|w| w + mean).collect()
}

fn panel(
    picture: &mut Picture,
    [x, y]: Place,
    k: &ContinentWeights,
    other: Option<&[f64]>,
    range: [f64; 2],
) {
    let [left, top, right, bottom] = MARGIN;
    let n = k.weights.len().max(2) - 1;
    let axes = Axes {
        x: AxisScale::new([0.0, n as f64], [x + left, x + PANEL[0] - right]),
        y: AxisScale::new(range, [y + PANEL[1] - bottom, y + top]),
    };
    axes.frame(picture, &k.name);
    axes.mark_y(picture, axes.y.ticks());
    let counts = (0..=n).map(|count| (count as f64, count.to_string()));
    axes.mark_x(picture, counts.collect());
    let mut line = |weights: &[f64], colour: &str| {
        let points = weights.iter().enumerate();
        picture.curve(points.map(|(c, &w)| axes.at(c as f64, w)), colour);
    };
    if let Some(other) = other {
        line(other, OTHER);
    }
    line(&k.weights, OURS);
    for (count, &w) in k.weights.iter().enumerate() {
        let place = axes.at(count as f64, w);
        if k.extrapolated.contains(&count) {
            picture.mark(PlotMark::Square, place, 3.0, GUESS);
            continue;
        }
        if let Some(error) = k.errors.get(count) {
            let end = |w: f64| [place[0], axes.y.clamped(w)];
            picture.curve([end(w - 1.96 * error), end(w + 1.96 * error)], OURS);
        }
        picture.mark(PlotMark::Dot, place, 3.0, OURS);
    }
}

/// The weights as a Markdown table, followed by standard errors, `x` where a
/// count never occurred.
pub fn weights_table(weights: &LinearDraft) -> String {
    let mut text = String::from("| held |");
    for k in &weights.continents {
        let _ = write!(text, " {} |", k.name);
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(weights.continents.len()));
    text.push('\n');
    let most = weights
        .continents
        .iter()
        .map(|k| k.weights.len())
        .max()
        .unwrap_or(0);
    for count in 0..most {
        let _ = write!(text, "| {count} |");
        for k in &weights.continents {
            let cell = match (k.weights.get(count), k.errors.get(count)) {
                (None, _) => String::new(),
                (Some(w), _) if k.extrapolated.contains(&count) => format!("{w:.2} x"),
                (Some(w), Some(error)) => format!("{w:.2} ± {error:.2}"),
                (Some(w), None) => format!("{w:.2}"),
            };
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    text
}
