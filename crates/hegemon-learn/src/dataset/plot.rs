//! The correlations as a picture: a panel for each phase, a line for each
//! feature, a point with its interval for each band of rounds.

use std::fmt::Write as _;

use super::report::{BANDS, CorrelationReport, FeatureCorrelation};
use super::row::TurnPhase;

const LEFT: f64 = 170.0;
const PANEL: f64 = 230.0;
const LINE: f64 = 15.0;
const TOP: f64 = 64.0;
const COLOURS: [&str; BANDS.len()] = ["#222222", "#0072b2", "#56b4e9", "#e69f00", "#d55e00"];

/// The report as SVG.
pub fn correlation_plot(report: &CorrelationReport) -> String {
    let mut features: Vec<&str> = Vec::new();
    for cell in report.cells.iter().filter(|cell| cell.r.is_some()) {
        if !features.contains(&cell.feature.as_str()) {
            features.push(&cell.feature);
        }
    }
    let width = LEFT + PANEL * TurnPhase::ALL.len() as f64 + 20.0;
    let height = TOP + LINE * features.len() as f64 + 30.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"10\" role=\"img\">\n\
         <title>Correlation of features with winning</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"14\">Correlation with winning, 95 % intervals by game \
         ({} games, {} rows)</text>\n",
        report.n_games, report.n_rows
    );
    legend(&mut svg);
    for (n, feature) in features.iter().enumerate() {
        let y = TOP + LINE * (n as f64 + 0.7);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{feature}</text>",
            LEFT - 8.0
        );
    }
    for (n, phase) in TurnPhase::ALL.into_iter().enumerate() {
        let left = LEFT + PANEL * n as f64;
        panel(&mut svg, report, phase, &features, left);
    }
    svg.push_str("</svg>\n");
    svg
}

fn legend(svg: &mut String) {
    for (n, ((name, ..), colour)) in BANDS.iter().zip(COLOURS).enumerate() {
        let x = LEFT + 90.0 * n as f64;
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"36\" r=\"3\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"39\">rounds {name}</text>",
            x + 7.0
        );
    }
}

fn panel(
    svg: &mut String,
    report: &CorrelationReport,
    phase: TurnPhase,
    features: &[&str],
    left: f64,
) {
    let width = PANEL - 20.0;
    let x = |r: f64| left + width * (r + 1.0) / 2.0;
    let bottom = TOP + LINE * features.len() as f64;
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>",
        left,
        TOP - 8.0,
        phase.name()
    );
    for r in [-1.0, -0.5, 0.0, 0.5, 1.0] {
        let _ = writeln!(
            svg,
            "<line x1=\"{0}\" x2=\"{0}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"#cccccc\"/>\
             <text x=\"{0}\" y=\"{1}\" text-anchor=\"middle\">{r}</text>",
            x(r),
            bottom + 12.0
        );
    }
    let of_phase = |cell: &&FeatureCorrelation| cell.phase == phase.name();
    for cell in report.cells.iter().filter(of_phase) {
        let line = features.iter().position(|f| *f == cell.feature);
        let band = BANDS.iter().position(|band| band.0 == cell.rounds);
        let (Some(line), Some(band), Some(r), Some([low, high])) = (line, band, cell.r, cell.ci95)
        else {
            continue;
        };
        let y = TOP + LINE * line as f64 + LINE * (band as f64 + 0.5) / BANDS.len() as f64;
        let _ = writeln!(
            svg,
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{c}\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"1.4\" fill=\"{c}\"/>",
            x(low),
            x(high),
            x(r),
            c = COLOURS[band]
        );
    }
}
