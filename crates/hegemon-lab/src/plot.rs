//! Plots as SVG, readable without installed fonts and on light and dark ground.

use hegemon_arena::stats::Interval;
pub(crate) use hegemon_learn::svg::escape;
use hegemon_learn::svg::{
    Anchor, Axes, AxisScale, COLOURS, Picture, Place, PlotMark, Words, text_width,
};

const OURS: &str = COLOURS[0];
const PUBLISHED: &str = COLOURS[1];

/// A number with its interval.
pub(crate) type Dot = (f64, Option<Interval>);

/// Name, published, ours.
pub(crate) type DotRow = (String, Option<Dot>, Option<Dot>);

/// A vertical line at a number that a reader compares with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RefLine {
    value: f64,
    name: String,
}

impl RefLine {
    pub(crate) fn new(value: f64, name: &str) -> RefLine {
        RefLine {
            value,
            name: name.to_owned(),
        }
    }

    /// The share in percent that chance alone gives one of `n_players`.
    pub(crate) fn chance(n_players: usize) -> RefLine {
        RefLine::new(100.0 / n_players as f64, "chance")
    }
}

/// Numbers with intervals by name: published above, ours below.
pub(crate) struct DotPlot {
    /// What it shows.
    pub(crate) title: String,
    /// What the numbers are.
    pub(crate) axis: String,
    /// From top to bottom.
    pub(crate) rows: Vec<DotRow>,
}

impl DotPlot {
    /// The plot as SVG.
    pub(crate) fn svg(&self) -> String {
        self.svg_with(&[])
    }

    /// The plot as SVG, with lines to compare with.
    pub(crate) fn svg_with(&self, lines: &[RefLine]) -> String {
        const ROW: f64 = 30.0;
        // Below the title and the legend; the names of the lines need a row.
        let top: f64 = if lines.is_empty() { 60.0 } else { 78.0 };
        const WIDTH: f64 = 520.0;
        let longest = self.rows.iter().map(|row| text_width(&row.0));
        let left = (longest.fold(0.0, f64::max) + 28.0).clamp(90.0, 420.0);
        let n = self.rows.len() as f64;
        let bottom = top + ROW * n;
        let axes = Axes {
            x: AxisScale::around(
                self.numbers().chain(lines.iter().map(|line| line.value)),
                [left, left + WIDTH],
            ),
            // Rows are counted from the top.
            y: AxisScale::new([n, 0.0], [bottom, top]),
        };
        let mut picture = Picture::new([left + WIDTH + 32.0, bottom + 44.0], &self.title);
        self.legend(&mut picture, left);
        axes.frame(&mut picture, "");
        axes.mark_x(&mut picture, axes.x.ticks());
        axes.label(&mut picture, &self.axis);
        for line in lines {
            axes.mark_known_x(&mut picture, line.value, &line.name);
        }
        for (number, (name, published, ours)) in self.rows.iter().enumerate() {
            let y = axes.y.at(number as f64 + 0.5);
            picture.text([left - 8.0, y + 4.0], Anchor::End, Words::Plain, name);
            let is_pair = published.is_some() && ours.is_some();
            let shift = if is_pair { 5.0 } else { 0.0 };
            let dots = [
                (published, PlotMark::Ring, y - shift, PUBLISHED),
                (ours, PlotMark::Dot, y + shift, OURS),
            ];
            for (dot, mark, y, colour) in dots {
                let Some((value, interval)) = dot else {
                    continue;
                };
                if let Some(interval) = interval {
                    let ends = [interval.low, interval.high];
                    picture.curve(ends.map(|end| [axes.x.at(end), y]), colour);
                }
                picture.mark(mark, [axes.x.at(*value), y], 4.0, colour);
            }
        }
        picture.finish()
    }

    fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let dots = self.rows.iter().flat_map(|row| [row.1, row.2]).flatten();
        dots.flat_map(|(value, interval)| {
            let [low, high] = interval.map_or([value, value], |i| [i.low, i.high]);
            [value, low, high]
        })
    }

    fn legend(&self, picture: &mut Picture, left: f64) {
        let has = |pick: fn(&DotRow) -> bool| self.rows.iter().any(pick);
        let mut x = left;
        if has(|row| row.1.is_some()) {
            x = picture.key([x, 48.0], PlotMark::Ring, PUBLISHED, "published");
        }
        if has(|row| row.2.is_some()) {
            x = picture.key([x, 48.0], PlotMark::Dot, OURS, "ours");
        }
        let bars = "bars: 95 % intervals";
        picture.text([x, 48.0], Anchor::Start, Words::Small, bars);
    }
}

/// A line of a [`Panel`].
pub(crate) struct PlotLine {
    /// Name in the legend.
    pub(crate) name: String,
    /// Points from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines in one coordinate system.
pub(crate) struct Panel {
    /// What it shows.
    pub(crate) title: String,
    /// Label of the x axis, which is logarithmic.
    pub(crate) x_axis: String,
    /// Label of the y axis.
    pub(crate) y_axis: String,
    /// Whether the y axis is logarithmic too; values of 0 are then omitted.
    pub(crate) is_log: bool,
    /// The lines; the same names in the same order in all panels.
    pub(crate) lines: Vec<PlotLine>,
    /// A known value, dashed.
    pub(crate) known: Option<f64>,
}

/// Panels side by side with one legend.
pub(crate) struct LinePlot {
    /// What it shows.
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
}

const PANEL: [f64; 2] = [380.0, 240.0];
const CELL: [f64; 2] = [462.0, 326.0];
const N_COLUMNS: usize = 2;

impl LinePlot {
    /// The plot as SVG.
    pub(crate) fn svg(&self) -> String {
        let n_rows = self.panels.len().div_ceil(N_COLUMNS);
        let n_columns = self.panels.len().clamp(1, N_COLUMNS);
        let width = CELL[0] * n_columns as f64 + 12.0;
        let names: Vec<&str> = self
            .panels
            .first()
            .map(|panel| panel.lines.iter().map(|line| line.name.as_str()).collect())
            .unwrap_or_default();
        let (keys, legend_height) = legend(&names, width);
        let top = 40.0 + legend_height;
        let size = [width, top + CELL[1] * n_rows as f64];
        let mut picture = Picture::new(size, &self.title);
        for (number, (name, place)) in names.iter().zip(keys).enumerate() {
            picture.key(place, PlotMark::Dash, colour(number), name);
        }
        for (number, panel) in self.panels.iter().enumerate() {
            let left = 64.0 + CELL[0] * (number % N_COLUMNS) as f64;
            let top = top + 28.0 + CELL[1] * (number / N_COLUMNS) as f64;
            panel.draw(&mut picture, left, top);
        }
        picture.finish()
    }
}

fn colour(number: usize) -> &'static str {
    COLOURS[number % COLOURS.len()]
}

/// Positions of the names in the legend, on as many lines as needed, and its
/// height.
fn legend(names: &[&str], width: f64) -> (Vec<Place>, f64) {
    let (mut x, mut y) = (16.0, 48.0);
    let mut places = Vec::new();
    for name in names {
        let size = 40.0 + text_width(name);
        if x + size > width {
            (x, y) = (16.0, y + 20.0);
        }
        places.push([x, y]);
        x += size;
    }
    (places, y - 28.0)
}

impl Panel {
    fn draw(&self, picture: &mut Picture, left: f64, top: f64) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let is_drawn = |y: &f64| !self.is_log || *y > 0.0;
        let ys = points().map(|p| p.1).chain(self.known).filter(is_drawn);
        let heights = [top + PANEL[1], top];
        let axes = Axes {
            x: AxisScale::around_log(points().map(|p| p.0), [left, left + PANEL[0]]),
            y: if self.is_log {
                AxisScale::around_log(ys, heights)
            } else {
                AxisScale::around(ys, heights)
            },
        };
        axes.frame(picture, &self.title);
        axes.label(picture, &self.x_axis);
        axes.label_y(picture, &self.y_axis);
        axes.mark_x(picture, axes.x.ticks());
        axes.mark_y(picture, axes.y.ticks());
        if let Some(value) = self.known.filter(|&y| axes.y.has(y)) {
            axes.mark_known(picture, value);
        }
        for (number, line) in self.lines.iter().enumerate() {
            let drawn = line.points.iter().filter(|p| axes.y.has(p.1));
            picture.curve(drawn.map(|&(x, y)| axes.at(x, y)), colour(number));
        }
    }
}
