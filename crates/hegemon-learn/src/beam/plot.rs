//! Pages of curves: every characteristic of a category over the generations.

use hegemon_bots::beam::{Category, Key};

use super::history::History;
use crate::svg::{Anchor, Axes, AxisScale, COLOURS, Picture, Place, PlotMark, Words};

const COLUMNS: usize = 2;
const PANEL: [f64; 2] = [420.0, 200.0];
const MARGIN: [f64; 2] = [64.0, 56.0];
const HEADER: f64 = 64.0;
/// Points of a curve; longer histories are averaged.
const MAX_POINTS: usize = 120;

/// One page of SVG: a panel for each characteristic of the category; for each
/// run the mean as a line and the band from the tenth to the ninetieth part of
/// the population. The dashed line is the initial value.
pub fn category_page(category: Category, histories: &[History]) -> String {
    let keys: Vec<Key> = category.keys().collect();
    let n_rows = keys.len().div_ceil(COLUMNS);
    let cell = [PANEL[0] + MARGIN[0], PANEL[1] + MARGIN[1]];
    let width = cell[0] * COLUMNS as f64 + 24.0;
    let height = HEADER + cell[1] * n_rows as f64 + 16.0;
    let title = format!("{} characteristics by generation", category.name());
    let mut picture = Picture::new([width, height], &title);
    legend(&mut picture, histories);
    for (number, &key) in keys.iter().enumerate() {
        let left = MARGIN[0] + cell[0] * (number % COLUMNS) as f64;
        let top = HEADER + 16.0 + cell[1] * (number / COLUMNS) as f64;
        panel(&mut picture, key, histories, [left, top]);
    }
    picture.finish()
}

fn colour(run: usize) -> &'static str {
    COLOURS[run % COLOURS.len()]
}

fn legend(picture: &mut Picture, histories: &[History]) {
    let mut x = 16.0;
    for (run, history) in histories.iter().enumerate() {
        let seed = format!("seed {}", history.params.seed);
        x = picture.key([x, 49.0], PlotMark::Square, colour(run), &seed);
    }
    let meaning = "line: mean; band: 10 % to 90 % of the agents; dashed: initial value";
    picture.text([x, 49.0], Anchor::Start, Words::Small, meaning);
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

fn panel(picture: &mut Picture, key: Key, histories: &[History], [left, top]: Place) {
    let curves: Vec<Vec<Point>> = histories.iter().map(|h| curve(h, key)).collect();
    let initial = key.data().initial;
    let all = || curves.iter().flatten();
    let last = all().map(|p| p[0]).fold(1.0, f64::max);
    let values = all().flat_map(|p| [p[2], p[3]]).chain([initial]);
    let axes = Axes {
        x: AxisScale::new([0.0, last], [left, left + PANEL[0]]),
        y: AxisScale::around(values, [top + PANEL[1], top]),
    };
    axes.frame(picture, key.data().name);
    axes.mark_x(picture, axes.x.ticks());
    axes.mark_y(picture, axes.y.ticks());
    axes.mark_known(picture, initial);
    for (run, curve) in curves.iter().enumerate() {
        let along = |value: usize| curve.iter().map(move |p| axes.at(p[0], p[value]));
        picture.area(along(3).chain(along(2).rev()), colour(run));
        picture.curve(along(1), colour(run));
    }
}
