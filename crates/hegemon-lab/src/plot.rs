//! Plots as SVG, readable without installed fonts and on light and dark ground.

use std::fmt::Write as _;

use hegemon_arena::stats::Interval;
use hegemon_learn::axis::ticks;

use crate::section::number;

const STYLE: &str = "<style>\
    svg{background:#fff;color:#222;font-family:sans-serif;font-size:12px}\
    @media(prefers-color-scheme:dark){svg{background:#16181d;color:#ddd}}\
    text{fill:currentColor}.title{font-size:14px;font-weight:600}.small{opacity:.75;font-size:11px}\
    .axis{stroke:currentColor;stroke-opacity:.35;fill:none}\
    .grid{stroke:currentColor;stroke-opacity:.12;fill:none}\
    .known{stroke:currentColor;stroke-opacity:.6;stroke-dasharray:5 4;fill:none}\
    </style>";

/// Colours of series, readable on light and dark ground and to the colour-blind.
const COLOURS: [&str; 9] = [
    "#3b82c4", "#d9822b", "#3f9c6b", "#b5566f", "#8a6fc0", "#8c8c3a", "#3aa6a6", "#9a6b4f",
    "#7d8590",
];
const OURS: &str = COLOURS[0];
const PUBLISHED: &str = COLOURS[1];

/// A number with its interval.
pub(crate) type Dot = (f64, Option<Interval>);

/// Name, published, ours.
pub(crate) type DotRow = (String, Option<Dot>, Option<Dot>);

/// Numbers with intervals by name: published above, ours below.
pub(crate) struct DotPlot {
    /// What it shows.
    pub(crate) title: String,
    /// What the numbers are.
    pub(crate) axis: String,
    /// From top to bottom.
    pub(crate) rows: Vec<DotRow>,
}

fn open(svg: &mut String, width: f64, height: f64, title: &str) {
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">{STYLE}<title>{title}</title>\
         <text class=\"title\" x=\"16\" y=\"24\">{title}</text>",
        title = escape(title),
    );
}

/// A text between tags.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

impl DotPlot {
    /// The plot as SVG.
    pub(crate) fn svg(&self) -> String {
        const ROW: f64 = 30.0;
        const TOP: f64 = 60.0;
        let longest = self.rows.iter().map(|row| row.0.chars().count()).max();
        let left = (longest.unwrap_or(0) as f64 * 6.6 + 28.0).clamp(90.0, 420.0);
        let plot_width = 520.0;
        let width = left + plot_width + 32.0;
        let bottom = TOP + ROW * self.rows.len() as f64;
        let (low, high) = self.range();
        let x = |value: f64| left + plot_width * (value - low) / (high - low);
        let mut svg = String::new();
        open(&mut svg, width, bottom + 44.0, &self.title);
        self.legend(&mut svg, left);
        for tick in ticks(low, high) {
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{0:.1} {TOP}V{bottom:.1}\"/>\
                 <text x=\"{0:.1}\" y=\"{1:.1}\" text-anchor=\"middle\">{2}</text>",
                x(tick),
                bottom + 16.0,
                signed(tick),
            );
        }
        let _ = write!(
            svg,
            "<rect class=\"axis\" x=\"{left:.1}\" y=\"{TOP}\" width=\"{plot_width}\" height=\"{:.1}\"/>\
             <text class=\"small\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom - TOP,
            left + plot_width / 2.0,
            bottom + 34.0,
            escape(&self.axis),
        );
        for (number, (name, published, ours)) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (number as f64 + 0.5);
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                left - 8.0,
                y + 4.0,
                escape(name)
            );
            let is_pair = published.is_some() && ours.is_some();
            let shift = if is_pair { 5.0 } else { 0.0 };
            if let Some(dot) = published {
                mark(&mut svg, dot, y - shift, PUBLISHED, false, &x);
            }
            if let Some(dot) = ours {
                mark(&mut svg, dot, y + shift, OURS, true, &x);
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn range(&self) -> (f64, f64) {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        for dot in self.rows.iter().flat_map(|row| [row.1, row.2]).flatten() {
            let (value, interval) = dot;
            let ends = interval.map_or([value, value], |i| [i.low, i.high]);
            for end in ends.into_iter().chain([value]).filter(|v| v.is_finite()) {
                range = (range.0.min(end), range.1.max(end));
            }
        }
        if range.0 > range.1 {
            return (0.0, 1.0);
        }
        let pad = ((range.1 - range.0) * 0.05).max(1e-6);
        (range.0 - pad, range.1 + pad)
    }

    fn legend(&self, svg: &mut String, left: f64) {
        let has = |pick: fn(&DotRow) -> bool| self.rows.iter().any(pick);
        let mut x = left;
        if has(|row| row.1.is_some()) {
            let _ = write!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"44\" r=\"4\" fill=\"none\" stroke=\"{PUBLISHED}\" stroke-width=\"2\"/>\
                 <text x=\"{:.1}\" y=\"48\">published</text>",
                x + 6.0,
                x + 16.0
            );
            x += 100.0;
        }
        if has(|row| row.2.is_some()) {
            let _ = write!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"44\" r=\"4\" fill=\"{OURS}\"/>\
                 <text x=\"{:.1}\" y=\"48\">ours</text>",
                x + 6.0,
                x + 16.0
            );
            x += 70.0;
        }
        let _ = write!(
            svg,
            "<text class=\"small\" x=\"{x:.1}\" y=\"48\">bars: 95 % intervals</text>"
        );
    }
}

fn mark(
    svg: &mut String,
    (value, interval): &Dot,
    y: f64,
    colour: &str,
    is_filled: bool,
    x: &impl Fn(f64) -> f64,
) {
    if let Some(interval) = interval {
        let _ = write!(
            svg,
            "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            x(interval.low),
            x(interval.high)
        );
    }
    let fill = if is_filled { colour } else { "none" };
    let _ = write!(
        svg,
        "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"2\"/>",
        x(*value)
    );
}

fn signed(tick: f64) -> String {
    format!("{tick}").replace('-', "−")
}

/// A line of a [`Panel`].
pub(crate) struct Line {
    /// Name in the legend.
    pub(crate) name: String,
    /// Points from left to right.
    pub(crate) points: Vec<(f64, f64)>,
}

/// Lines in one coordinate system.
pub(crate) struct Panel {
    /// What it shows.
    pub(crate) title: String,
    /// What goes to the right, on a logarithmic axis.
    pub(crate) x_axis: String,
    /// Whether the axis upward is logarithmic too; values of 0 are left out then.
    pub(crate) is_log: bool,
    /// The lines; the same names in the same order in all panels.
    pub(crate) lines: Vec<Line>,
    /// A known value, dashed.
    pub(crate) known: Option<f64>,
}

/// Panels side by side with one legend.
pub(crate) struct LinePlot {
    /// What it shows.
    pub(crate) title: String,
    /// The panels.
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
        let mut svg = String::new();
        let (legend, legend_height) = legend(&names, width);
        let top = 40.0 + legend_height;
        open(&mut svg, width, top + CELL[1] * n_rows as f64, &self.title);
        svg += &legend;
        for (number, panel) in self.panels.iter().enumerate() {
            let left = 64.0 + CELL[0] * (number % N_COLUMNS) as f64;
            let top = top + 28.0 + CELL[1] * (number / N_COLUMNS) as f64;
            panel.draw(&mut svg, left, top);
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn legend(names: &[&str], width: f64) -> (String, f64) {
    let mut svg = String::new();
    let (mut x, mut y) = (16.0, 48.0);
    for (number, name) in names.iter().enumerate() {
        let size = 40.0 + 6.8 * name.chars().count() as f64;
        if x + size > width {
            (x, y) = (16.0, y + 20.0);
        }
        let _ = write!(
            svg,
            "<path d=\"M{x:.1} {:.1}h20\" stroke=\"{}\" stroke-width=\"3\"/>\
             <text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            y - 4.0,
            COLOURS[number % COLOURS.len()],
            x + 25.0,
            escape(name)
        );
        x += size;
    }
    (svg, y - 28.0)
}

impl Panel {
    fn points(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let lines = self
            .lines
            .iter()
            .flat_map(|line| line.points.iter().copied());
        lines.filter(|&(_, y)| self.is_drawn(y))
    }

    fn is_drawn(&self, y: f64) -> bool {
        y.is_finite() && (!self.is_log || y > 0.0)
    }

    fn scaled(&self, y: f64) -> f64 {
        if self.is_log { libm::log10(y) } else { y }
    }

    fn draw(&self, svg: &mut String, left: f64, top: f64) {
        let known = self.known.filter(|&y| self.is_drawn(y));
        let ys = || {
            self.points()
                .map(|p| p.1)
                .chain(known)
                .map(|y| self.scaled(y))
        };
        let xs = || self.points().map(|p| libm::log10(p.0));
        let span = |low: f64, high: f64| {
            let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
            let pad = ((high - low) * 0.05).max(1e-9);
            (low - pad, high + pad)
        };
        let (low, high) = span(
            ys().fold(f64::INFINITY, f64::min),
            ys().fold(f64::NEG_INFINITY, f64::max),
        );
        let (first, last) = span(
            xs().fold(f64::INFINITY, f64::min),
            xs().fold(f64::NEG_INFINITY, f64::max),
        );
        let x = |value: f64| left + PANEL[0] * (libm::log10(value) - first) / (last - first);
        let y = |value: f64| top + PANEL[1] * (high - self.scaled(value)) / (high - low);
        let _ = write!(
            svg,
            "<text x=\"{left:.1}\" y=\"{:.1}\" font-weight=\"600\">{}</text>\
             <rect class=\"axis\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{}\" height=\"{}\"/>\
             <text class=\"small\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            top - 8.0,
            escape(&self.title),
            PANEL[0],
            PANEL[1],
            left + PANEL[0] / 2.0,
            top + PANEL[1] + 34.0,
            escape(&self.x_axis),
        );
        for power in powers(first, last) {
            let at = x(libm::pow(10.0, power));
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{at:.1} {top:.1}v{}\"/>\
                 <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                PANEL[1],
                top + PANEL[1] + 16.0,
                power_text(power),
            );
        }
        let ticks: Vec<(f64, String)> = if self.is_log {
            let values = powers(low, high).into_iter();
            values
                .map(|p| (libm::pow(10.0, p), power_text(p)))
                .collect()
        } else {
            let values = ticks(low, high).into_iter();
            values.map(|tick| (tick, signed(tick))).collect()
        };
        for (tick, text) in ticks {
            let at = y(tick);
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{left:.1} {at:.1}h{}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
                PANEL[0],
                left - 6.0,
                at + 4.0,
            );
        }
        if let Some(value) = known {
            let at = y(value);
            let _ = write!(
                svg,
                "<path class=\"known\" d=\"M{left:.1} {at:.1}h{}\"/>",
                PANEL[0]
            );
        }
        for (number, line) in self.lines.iter().enumerate() {
            let at = |&(px, py): &(f64, f64)| format!("{:.1} {:.1}", x(px), y(py));
            let drawn = line.points.iter().filter(|p| self.is_drawn(p.1));
            let path: Vec<String> = drawn.map(at).collect();
            if !path.is_empty() {
                let _ = write!(
                    svg,
                    "<path d=\"M{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>",
                    path.join("L"),
                    COLOURS[number % COLOURS.len()]
                );
            }
        }
    }
}

/// Whole powers of ten within a range of them, not too many.
fn powers(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.ceil() as i64, high.floor() as i64);
    let step = ((last - first) / 7 + 1).max(1) as usize;
    (first..=last).step_by(step).map(|p| p as f64).collect()
}

fn power_text(power: f64) -> String {
    if (0.0..=5.0).contains(&power) {
        let text = number(libm::pow(10.0, power), 0);
        return if power >= 4.0 {
            format!("{},000", &text[..text.len() - 3])
        } else {
            text
        };
    }
    format!(
        "10<tspan dy=\"-4\" font-size=\"9\">{}</tspan>",
        number(power, 0)
    )
}
