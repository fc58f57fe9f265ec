//! Pictures as SVG: axes, lines, dots and words, readable without installed
//! fonts and on light and dark ground.
//!
//! ```
//! use hegemon_learn::svg::{Axes, COLOURS, Picture, AxisScale};
//! let mut picture = Picture::new([300.0, 200.0], "squares");
//! let axes = Axes {
//!     x: AxisScale::around([1.0, 3.0], [50.0, 280.0]),
//!     y: AxisScale::around([1.0, 9.0], [170.0, 50.0]),
//! };
//! axes.frame(&mut picture, "n²");
//! axes.label(&mut picture, "n");
//! picture.curve([1.0, 2.0, 3.0].map(|n| axes.at(n, n * n)), COLOURS[0]);
//! assert!(picture.finish().ends_with("</svg>\n"));
//! ```

use std::fmt::Write as _;

const STYLE: &str = "<style>\
    svg{background:#fff;color:#222;font-family:sans-serif;font-size:12px}\
    @media(prefers-color-scheme:dark){svg{background:#16181d;color:#ddd}}\
    text{fill:currentColor}.title{font-size:14px;font-weight:600}.name{font-weight:600}\
    .small{opacity:.75;font-size:11px}\
    .axis{stroke:currentColor;stroke-opacity:.35;fill:none}\
    .grid{stroke:currentColor;stroke-opacity:.12;fill:none}\
    .known{stroke:currentColor;stroke-opacity:.6;stroke-dasharray:5 4;fill:none}\
    </style>";

/// Colours of series, readable on light and dark ground and to the colour-blind.
pub const COLOURS: [&str; 9] = [
    "#3b82c4", "#d9822b", "#3f9c6b", "#b5566f", "#8a6fc0", "#8c8c3a", "#3aa6a6", "#9a6b4f",
    "#7d8590",
];

/// A point: x to the right, y down.
pub type Place = [f64; 2];

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// The default.
    Plain,
    /// The name of a panel.
    Name,
    /// Side notes.
    Small,
}

/// Alignment of a text at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// The marker of a point or a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotMark {
    /// A filled circle.
    Dot,
    /// An empty one.
    Ring,
    Square,
    /// A short line.
    Dash,
}

/// Escapes a text for tags and attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A picture that is being drawn.
#[derive(Debug)]
pub struct Picture {
    svg: String,
}

impl Picture {
    /// An empty picture with a title.
    pub fn new([width, height]: [f64; 2], title: &str) -> Picture {
        let title = escape(title);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">{STYLE}<title>{title}</title>\n\
             <text class=\"title\" x=\"16\" y=\"24\">{title}</text>\n"
        );
        Picture { svg }
    }

    /// The whole picture.
    pub fn finish(self) -> String {
        self.svg + "</svg>\n"
    }

    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.svg, "{element}");
    }

    /// Writes a text.
    pub fn text(&mut self, [x, y]: Place, anchor: Anchor, words: Words, text: &str) {
        let class = match words {
            Words::Plain => "",
            Words::Name => " class=\"name\"",
            Words::Small => " class=\"small\"",
        };
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let text = escape(text);
        self.element(format_args!(
            "<text{class} x=\"{x:.1}\" y=\"{y:.1}\"{anchor}>{text}</text>"
        ));
    }

    /// Draws a line through points.
    pub fn curve(&mut self, points: impl IntoIterator<Item = Place>, colour: &str) {
        let points = joined(points);
        if !points.is_empty() {
            self.element(format_args!(
                "<path d=\"M{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
            ));
        }
    }

    /// Fills a polygon.
    pub fn area(&mut self, points: impl IntoIterator<Item = Place>, colour: &str) {
        let points = joined(points);
        if !points.is_empty() {
            self.element(format_args!(
                "<path d=\"M{points}Z\" fill=\"{colour}\" fill-opacity=\".15\"/>"
            ));
        }
    }

    fn rule(&mut self, class: &str, points: [Place; 2]) {
        let points = joined(points);
        self.element(format_args!("<path class=\"{class}\" d=\"M{points}\"/>"));
    }

    /// Marks a point.
    pub fn mark(&mut self, mark: PlotMark, [x, y]: Place, radius: f64, colour: &str) {
        let fill = if mark == PlotMark::Ring {
            "none"
        } else {
            colour
        };
        match mark {
            PlotMark::Dot | PlotMark::Ring => self.element(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" \
                 stroke=\"{colour}\"/>"
            )),
            PlotMark::Square => self.element(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{size}\" height=\"{size}\" \
                 fill=\"{colour}\"/>",
                x - radius,
                y - radius,
                size = 2.0 * radius
            )),
            PlotMark::Dash => self.curve([[x - 2.0 * radius, y], [x + 2.0 * radius, y]], colour),
        }
    }

    /// Draws a legend entry. Returns where the next one may start.
    pub fn key(&mut self, [x, y]: Place, mark: PlotMark, colour: &str, text: &str) -> f64 {
        self.mark(mark, [x + 8.0, y - 4.0], 4.0, colour);
        self.text([x + 20.0, y], Anchor::Start, Words::Plain, text);
        x + 38.0 + text_width(text)
    }
}

fn joined(points: impl IntoIterator<Item = Place>) -> String {
    let words = points.into_iter().map(|[x, y]| format!("{x:.1} {y:.1}"));
    words.collect::<Vec<_>>().join("L")
}

/// Approximate width of a text.
pub fn text_width(text: &str) -> f64 {
    6.6 * text.chars().count() as f64
}

/// Maps numbers to positions along an axis.
#[derive(Clone, Copy, Debug)]
pub struct AxisScale {
    /// The numbers at the ends, or their logarithms.
    ends: [f64; 2],
    /// The positions of the ends.
    places: [f64; 2],
    is_log: bool,
}

impl AxisScale {
    /// Maps the two end numbers to two positions.
    pub fn new(ends: [f64; 2], places: [f64; 2]) -> AxisScale {
        AxisScale {
            ends,
            places,
            is_log: false,
        }
    }

    /// A scale with room for all these numbers, and a little more.
    pub fn around(numbers: impl IntoIterator<Item = f64>, places: [f64; 2]) -> AxisScale {
        let finite = numbers.into_iter().filter(|x| x.is_finite());
        let range = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
            [x.min(low), x.max(high)]
        });
        let [low, high] = if range[0] > range[1] {
            [0.0, 1.0]
        } else {
            range
        };
        let pad = if high > low {
            0.05 * (high - low)
        } else {
            1e-3
        };
        AxisScale::new([low - pad, high + pad], places)
    }

    /// The same, logarithmic.
    pub fn around_log(numbers: impl IntoIterator<Item = f64>, places: [f64; 2]) -> AxisScale {
        AxisScale {
            is_log: true,
            ..AxisScale::around(numbers.into_iter().map(libm::log10), places)
        }
    }

    /// Whether a number is in range.
    pub fn has(&self, x: f64) -> bool {
        x.is_finite() && (!self.is_log || x > 0.0)
    }

    /// Its position.
    pub fn at(&self, x: f64) -> f64 {
        let ([low, high], [from, to]) = (self.ends, self.places);
        let x = if self.is_log { libm::log10(x) } else { x };
        from + (to - from) * (x - low) / (high - low)
    }

    /// Its position, clamped to the ends.
    pub fn clamped(&self, x: f64) -> f64 {
        let [from, to] = self.places;
        self.at(x).clamp(from.min(to), from.max(to))
    }

    /// Round numbers along it with their texts.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let [low, high] = self.ends;
        if self.is_log {
            let powers = powers(low, high).into_iter();
            powers
                .map(|power| (libm::pow(10.0, power as f64), power_text(power)))
                .collect()
        } else {
            let text = |tick: f64| (tick, tick.to_string().replace('-', "−"));
            ticks(low, high).into_iter().map(text).collect()
        }
    }
}

/// The two scales of a panel; `y` runs from bottom to top.
#[derive(Clone, Copy, Debug)]
pub struct Axes {
    /// To the right.
    pub x: AxisScale,
    /// Upward.
    pub y: AxisScale,
}

impl Axes {
    /// The point of a pair of numbers.
    pub fn at(&self, x: f64, y: f64) -> Place {
        [self.x.at(x), self.y.at(y)]
    }

    /// Draws the frame with a name above it.
    pub fn frame(&self, picture: &mut Picture, name: &str) {
        let ([left, right], [bottom, top]) = (self.x.places, self.y.places);
        picture.text([left, top - 8.0], Anchor::Start, Words::Name, name);
        let (width, height) = (right - left, bottom - top);
        picture.element(format_args!(
            "<rect class=\"axis\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\"/>"
        ));
    }

    /// Draws lines upward, with texts below.
    pub fn mark_x(&self, picture: &mut Picture, ticks: Vec<(f64, String)>) {
        let [bottom, top] = self.y.places;
        for (tick, text) in ticks {
            let x = self.x.at(tick);
            picture.rule("grid", [[x, top], [x, bottom]]);
            picture.text([x, bottom + 16.0], Anchor::Middle, Words::Plain, &text);
        }
    }

    /// Draws lines across, with texts on the left.
    pub fn mark_y(&self, picture: &mut Picture, ticks: Vec<(f64, String)>) {
        let [left, right] = self.x.places;
        for (tick, text) in ticks {
            let y = self.y.at(tick);
            picture.rule("grid", [[left, y], [right, y]]);
            picture.text([left - 6.0, y + 4.0], Anchor::End, Words::Plain, &text);
        }
    }

    /// Draws a horizontal dashed line at a known value.
    pub fn mark_known(&self, picture: &mut Picture, value: f64) {
        let [left, right] = self.x.places;
        let y = self.y.at(value);
        picture.rule("known", [[left, y], [right, y]]);
    }

    /// Draws a vertical dashed line at a known value, with its name above the frame.
    pub fn mark_known_x(&self, picture: &mut Picture, value: f64, name: &str) {
        let [bottom, top] = self.y.places;
        let x = self.x.at(value);
        picture.rule("known", [[x, top], [x, bottom]]);
        picture.text([x, top - 6.0], Anchor::Middle, Words::Small, name);
    }

    /// Labels the y axis, along it.
    pub fn label_y(&self, picture: &mut Picture, text: &str) {
        let ([left, _], [bottom, top]) = (self.x.places, self.y.places);
        let (x, y) = (left - 48.0, (top + bottom) / 2.0);
        let text = escape(text);
        picture.element(format_args!(
            "<text class=\"small\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" \
             text-anchor=\"middle\">{text}</text>"
        ));
    }

    /// Labels the x axis.
    pub fn label(&self, picture: &mut Picture, text: &str) {
        let ([left, right], [bottom, _]) = (self.x.places, self.y.places);
        let place = [(left + right) / 2.0, bottom + 34.0];
        picture.text(place, Anchor::Middle, Words::Small, text);
    }
}

/// Three to seven round numbers within a range.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-9);
    let power = libm::pow(10.0, libm::floor(libm::log10(span / 3.0)));
    let step = [5.0, 2.0, 1.0]
        .map(|n| n * power)
        .into_iter()
        .find(|step| span / step >= 3.0)
        .unwrap_or(power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    let round = |n: i64| {
        // One rounding, so that 0.1 prints as such.
        let digits = (-libm::floor(libm::log10(step))).max(0.0);
        let scale = libm::pow(10.0, digits);
        (n as f64 * step * scale).round() / scale
    };
    (first..=last).map(round).collect()
}

/// Whole powers of ten within a range of them, not too many.
fn powers(low: f64, high: f64) -> Vec<i64> {
    let (first, last) = (low.ceil() as i64, high.floor() as i64);
    let step = ((last - first) / 7 + 1).max(1) as usize;
    (first..=last).step_by(step).collect()
}

fn power_text(power: i64) -> String {
    const SMALL: [&str; 6] = ["1", "10", "100", "1000", "10,000", "100,000"];
    let small = usize::try_from(power).ok().and_then(|n| SMALL.get(n));
    small.map_or_else(
        || {
            let raised = power.to_string();
            let raised = raised.chars().map(|c| match c.to_digit(10) {
                Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
                None => '⁻',
            });
            format!("10{}", raised.collect::<String>())
        },
        ToString::to_string,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_round_numbers_at_their_places() {
        let scale = AxisScale::new([0.0, 10.0], [100.0, 0.0]);
        assert_eq!(scale.at(5.0), 50.0);
        assert_eq!(scale.clamped(12.0), 0.0);
        let texts = |scale: AxisScale| -> Vec<String> {
            scale.ticks().into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(texts(scale), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(
            texts(AxisScale::new([-0.15, 0.15], [0.0, 1.0])),
            ["−0.1", "0", "0.1"]
        );
        let log = AxisScale::around_log([1e-2, 1e6], [0.0, 1.0]);
        assert_eq!(texts(log), ["10⁻²", "1", "100", "10,000", "10⁶"]);
        assert!(!log.has(0.0) && log.has(3.0));
        assert!(AxisScale::around([], [0.0, 1.0]).at(0.5).is_finite());
        assert!(
            AxisScale::around([7.0, f64::NAN], [0.0, 1.0])
                .at(7.0)
                .is_finite()
        );
    }

    #[test]
    fn words_are_escaped() {
        let mut picture = Picture::new([10.0, 10.0], "a < b");
        picture.text([0.0, 0.0], Anchor::End, Words::Small, "\"x\" & y");
        let svg = picture.finish();
        assert!(svg.contains("<title>a &lt; b</title>"));
        assert!(svg.contains("&quot;x&quot; &amp; y"));
    }
}
