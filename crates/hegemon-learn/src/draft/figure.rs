//! Figure 3 of Gibson, Desai and Zhao 2010: the weight of each count of each
//! continent.

use std::fmt::Write as _;

use hegemon_eval::draft::{ContinentWeights, LinearDraft};

use crate::axis::ticks;

const PANEL: (f64, f64) = (230.0, 190.0);
const N_COLUMNS: usize = 3;
/// Room around a panel's plot: left, top, right, bottom.
const MARGIN: (f64, f64, f64, f64) = (36.0, 24.0, 10.0, 30.0);
/// Readable on light and dark ground.
const STYLE: &str = "<style>\
    svg{background:#fff;color:#222}\
    @media(prefers-color-scheme:dark){svg{background:#16181d;color:#ddd}}\
    text:not([fill]){fill:currentColor}\
    .axis{stroke:currentColor;stroke-opacity:.3;fill:none}\
    .grid{stroke:currentColor;stroke-opacity:.12}\
    </style>";
const OURS: &str = "#3b82c4";
const OTHER: &str = "#888888";
const GUESS: &str = "#d9822b";

/// The figure as SVG: a panel for each continent, points with 95 % intervals,
/// squares for counts that never occurred. `other`, such as the authors' own
/// weights, is drawn in grey, moved so that the means of the counts agree.
pub fn figure_3(weights: &LinearDraft, other: Option<(&str, &LinearDraft)>) -> String {
    let n_rows = weights.continents.len().div_ceil(N_COLUMNS);
    let (width, height) = (PANEL.0 * N_COLUMNS as f64, PANEL.1 * n_rows as f64 + 24.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"10\">{STYLE}\n"
    );
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
    for (number, k) in weights.continents.iter().enumerate() {
        let x = PANEL.0 * (number % N_COLUMNS) as f64;
        let y = PANEL.1 * (number / N_COLUMNS) as f64;
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        panel(
            &mut svg,
            k,
            others[number].as_deref(),
            (low - pad, high + pad),
        );
        svg.push_str("</g>\n");
    }
    let y = height - 8.0;
    let mut legend = format!(
        "<text x=\"36\" y=\"{y}\" fill=\"{OURS}\">weight by territories held, 95 % intervals</text>\
         <text x=\"270\" y=\"{y}\" fill=\"{GUESS}\">squares: extrapolated</text>"
    );
    if let Some((name, _)) = other {
        let _ = write!(
            legend,
            "<text x=\"420\" y=\"{y}\" fill=\"{OTHER}\">{name}</text>"
        );
    }
    svg.push_str(&legend);
    svg.push_str("\n</svg>\n");
    svg
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

fn panel(svg: &mut String, k: &ContinentWeights, other: Option<&[f64]>, range: (f64, f64)) {
    let (left, top, right, bottom) = MARGIN;
    let (width, height) = (PANEL.0 - left - right, PANEL.1 - top - bottom);
    let n = k.weights.len().max(2) - 1;
    let x = |count: usize| left + width * count as f64 / n as f64;
    let y = |w: f64| top + height * (range.1 - w) / (range.1 - range.0);
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"14\" font-weight=\"bold\">{}</text>\
         <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" class=\"axis\"/>",
        k.name
    );
    for tick in ticks(range.0, range.1) {
        let at = y(tick);
        let _ = writeln!(
            svg,
            "<line x1=\"{left}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" class=\"grid\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            left + width,
            left - 4.0,
            at + 3.0
        );
    }
    for count in 0..=n {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{count}</text>",
            x(count),
            PANEL.1 - bottom + 14.0
        );
    }
    if let Some(other) = other {
        line(svg, other, OTHER, x, y);
    }
    line(svg, &k.weights, OURS, x, y);
    for (count, &w) in k.weights.iter().enumerate() {
        if k.extrapolated.contains(&count) {
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"6\" height=\"6\" fill=\"{GUESS}\"/>",
                x(count) - 3.0,
                y(w) - 3.0
            );
            continue;
        }
        if let Some(error) = k.errors.get(count) {
            let clamp = |w: f64| y(w.clamp(range.0, range.1));
            let _ = writeln!(
                svg,
                "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{2:.1}\" stroke=\"{OURS}\"/>",
                x(count),
                clamp(w - 1.96 * error),
                clamp(w + 1.96 * error)
            );
        }
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{OURS}\"/>",
            x(count),
            y(w)
        );
    }
}

fn line(
    svg: &mut String,
    weights: &[f64],
    color: &str,
    x: impl Fn(usize) -> f64,
    y: impl Fn(f64) -> f64,
) {
    let points: Vec<String> = weights
        .iter()
        .enumerate()
        .map(|(c, &w)| format!("{:.1},{:.1}", x(c), y(w)))
        .collect();
    let points = points.join(" ");
    let _ = writeln!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{color}\"/>"
    );
}

/// The weights as a Markdown table, standard errors behind them, `x` where a
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
