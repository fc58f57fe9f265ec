//! Pages of curves: every characteristic of a category over the generations.

use std::fmt::Write as _;

use hegemon_bots::beam::{Category, Key};

use super::history::History;
use crate::axis::ticks;

const COLUMNS: usize = 2;
const PANEL: [f64; 2] = [420.0, 200.0];
const MARGIN: [f64; 2] = [56.0, 40.0];
const HEADER: f64 = 64.0;
/// Points of a curve; longer histories are averaged.
const MAX_POINTS: usize = 120;

/// Colours of the runs, readable on light and dark ground.
const COLOURS: [&str; 8] = [
    "#3b82c4", "#d9822b", "#3f9c6b", "#b5566f", "#8a6fc0", "#8c8c3a", "#3aa6a6", "#9a6b4f",
];

const STYLE: &str = "<style>\
    svg{background:#fff;color:#222;font-family:sans-serif;font-size:11px}\
    @media(prefers-color-scheme:dark){svg{background:#16181d;color:#ddd}}\
    text{fill:currentColor}.title{font-size:16px;font-weight:600}\
    .name{font-size:12px;font-weight:600}.small{opacity:.7}\
    .axis{stroke:currentColor;stroke-opacity:.25;fill:none}\
    .start{stroke:currentColor;stroke-opacity:.5;stroke-dasharray:4 3}\
    </style>";

/// One page of SVG: a panel for each characteristic of the category; for each
/// run the mean as a line and the band from the tenth to the ninetieth part of
/// the population. The dashed line is the initial value.
pub fn category_page(category: Category, histories: &[History]) -> String {
    let keys: Vec<Key> = category.keys().collect();
    let n_rows = keys.len().div_ceil(COLUMNS);
    let cell = [PANEL[0] + MARGIN[0], PANEL[1] + MARGIN[1]];
    let width = cell[0] * COLUMNS as f64 + 24.0;
    let height = HEADER + cell[1] * n_rows as f64 + 16.0;
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">{STYLE}\
         <title>{name} characteristics by generation</title>\
         <text class=\"title\" x=\"24\" y=\"28\">{name} characteristics by generation</text>",
        name = category.name(),
    );
    legend(&mut svg, histories);
    for (number, &key) in keys.iter().enumerate() {
        let left = MARGIN[0] + cell[0] * (number % COLUMNS) as f64;
        let top = HEADER + 16.0 + cell[1] * (number / COLUMNS) as f64;
        panel(&mut svg, key, histories, [left, top]);
    }
    svg.push_str("</svg>\n");
    svg
}

fn legend(svg: &mut String, histories: &[History]) {
    let mut x = 24.0;
    for (run, history) in histories.iter().enumerate() {
        let colour = COLOURS[run % COLOURS.len()];
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"40\" width=\"14\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"49\">seed {}</text>",
            x + 18.0,
            history.params.seed,
        );
        x += 66.0;
    }
    let _ = write!(
        svg,
        "<text class=\"small\" x=\"{x}\" y=\"49\">line: mean; band: 10 % to 90 % of the \
         agents; dashed: initial value</text>"
    );
}

/// A curve: generation, mean, low, high.
type Point = [f64; 4];

fn curve(history: &History, key: Key) -> Vec<Point> {
    let size = history.generations.len().div_ceil(MAX_POINTS).max(1);
    let average = |rows: &[super::Generation]| {
        let n = rows.len() as f64;
        let idx = key.index();
        let mut point = [0.0; 4];
        for row in rows {
            let values = [
                f64::from(row.generation),
                row.mean[idx],
                row.low[idx],
                row.high[idx],
            ];
            for (sum, value) in point.iter_mut().zip(values) {
                *sum += value / n;
            }
        }
        point
    };
    history.generations.chunks(size).map(average).collect()
}

fn panel(svg: &mut String, key: Key, histories: &[History], [left, top]: [f64; 2]) {
    let curves: Vec<Vec<Point>> = histories.iter().map(|h| curve(h, key)).collect();
    let initial = key.data().initial;
    let all = || curves.iter().flatten();
    let low = all().map(|p| p[2]).fold(initial, f64::min);
    let high = all().map(|p| p[3]).fold(initial, f64::max);
    let pad = ((high - low) * 0.05).max(1e-3);
    let (low, high) = (low - pad, high + pad);
    let last = all().map(|p| p[0]).fold(1.0, f64::max);
    let x = |generation: f64| left + PANEL[0] * generation / last;
    let y = |value: f64| top + PANEL[1] * (high - value) / (high - low);
    let _ = write!(
        svg,
        "<text class=\"name\" x=\"{left}\" y=\"{}\">{}</text>\
         <rect class=\"axis\" x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/>",
        top - 5.0,
        key.data().name,
        PANEL[0],
        PANEL[1],
    );
    for step in ticks(low, high) {
        let _ = write!(
            svg,
            "<path class=\"axis\" d=\"M{left} {y:.1}h{}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{step}</text>",
            PANEL[0],
            left - 5.0,
            y(step) + 4.0,
            y = y(step),
        );
    }
    for step in ticks(0.0, last) {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{step}</text>",
            x(step),
            top + PANEL[1] + 13.0,
        );
    }
    let _ = write!(
        svg,
        "<path class=\"start\" d=\"M{left} {:.1}h{}\"/>",
        y(initial),
        PANEL[0]
    );
    for (run, curve) in curves.iter().enumerate() {
        let colour = COLOURS[run % COLOURS.len()];
        let at = |p: &Point, value: usize| format!("{:.1} {:.1}", x(p[0]), y(p[value]));
        let join = |points: Vec<String>| points.join("L");
        let upper = join(curve.iter().map(|p| at(p, 3)).collect());
        let lower = join(curve.iter().rev().map(|p| at(p, 2)).collect());
        let mean = join(curve.iter().map(|p| at(p, 1)).collect());
        let _ = write!(
            svg,
            "<path d=\"M{upper}L{lower}Z\" fill=\"{colour}\" fill-opacity=\".15\"/>\
             <path d=\"M{mean}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        );
    }
}
