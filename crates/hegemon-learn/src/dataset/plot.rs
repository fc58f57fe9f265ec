//! The correlations as a picture: a panel for each phase, a line for each
//! feature, a point with its interval for each band of rounds.

use super::report::{BANDS, CorrelationReport, FeatureCorrelation};
use super::row::TurnPhase;
use crate::svg::{Anchor, Axes, AxisScale, COLOURS, Picture, PlotMark, Words};

const LEFT: f64 = 170.0;
const PANEL: f64 = 230.0;
const LINE: f64 = 15.0;
const TOP: f64 = 72.0;

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
    let title = format!(
        "Correlation of features with winning, 95 % intervals by game ({} games, {} rows)",
        report.n_games, report.n_rows
    );
    let mut picture = Picture::new([width, height], &title);
    let mut x = LEFT;
    for ((name, ..), colour) in BANDS.iter().zip(COLOURS) {
        x = picture.key([x, 46.0], PlotMark::Dot, colour, &format!("rounds {name}"));
    }
    for (n, feature) in features.iter().enumerate() {
        let y = TOP + LINE * (n as f64 + 0.7);
        picture.text([LEFT - 8.0, y], Anchor::End, Words::Small, feature);
    }
    for (n, phase) in TurnPhase::ALL.into_iter().enumerate() {
        let left = LEFT + PANEL * n as f64;
        panel(&mut picture, report, phase, &features, left);
    }
    picture.finish()
}

fn panel(
    picture: &mut Picture,
    report: &CorrelationReport,
    phase: TurnPhase,
    features: &[&str],
    left: f64,
) {
    let n = features.len() as f64;
    let axes = Axes {
        x: AxisScale::new([-1.0, 1.0], [left, left + PANEL - 20.0]),
        // Lines are counted from the top.
        y: AxisScale::new([n, 0.0], [TOP + LINE * n, TOP]),
    };
    axes.frame(picture, phase.name());
    axes.mark_x(picture, axes.x.ticks());
    let of_phase = |cell: &&FeatureCorrelation| cell.phase == phase.name();
    for cell in report.cells.iter().filter(of_phase) {
        let line = features.iter().position(|f| *f == cell.feature);
        let band = BANDS.iter().position(|band| band.0 == cell.rounds);
        let (Some(line), Some(band), Some(r), Some([low, high])) = (line, band, cell.r, cell.ci95)
        else {
            continue;
        };
        let y = line as f64 + (band as f64 + 0.5) / BANDS.len() as f64;
        picture.curve([low, high].map(|r| axes.at(r, y)), COLOURS[band]);
        picture.mark(PlotMark::Dot, axes.at(r, y), 1.4, COLOURS[band]);
    }
}
