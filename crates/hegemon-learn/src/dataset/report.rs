//! Correlation of every feature with winning, by phase and round.

use hegemon_eval::PlayerFeatures;
use serde::Serialize;

use super::row::{N_NUMBERS, Row, TurnPhase};
use super::source::DatasetError;

/// Bands of rounds: first and last; the last band is open-ended.
pub const BANDS: [(&str, u32, u32); 5] = [
    ("all", 1, u32::MAX),
    ("1-3", 1, 3),
    ("4-8", 4, 8),
    ("9-15", 9, 15),
    ("16-", 16, u32::MAX),
];

/// Groups of features: the player's own after the phase, the largest rival's
/// after it, and the change of the player's own during the phase.
pub const FEATURE_GROUPS: [&str; 3] = ["own", "rival", "change"];

const N_CELLS: usize = TurnPhase::ALL.len() * BANDS.len();
const N_FEATURES: usize = FEATURE_GROUPS.len() * N_NUMBERS;
/// The two-sided 95 % quantile of the normal law.
const Z95: f64 = 1.959_963_984_540_054;

/// The correlation of one feature with winning in one phase and band.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeatureCorrelation {
    pub phase: &'static str,
    /// The band of rounds.
    pub rounds: &'static str,
    /// The feature, as `own_armies`.
    pub feature: String,
    /// Rows.
    pub n_rows: u64,
    /// Games of those rows.
    pub n_games: u64,
    /// Pearson's correlation with the share of the win; `None` for a constant.
    pub r: Option<f64>,
    /// Its 95 % interval, each game counted as one observation.
    pub ci95: Option<[f64; 2]>,
}

/// All correlations of a data set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CorrelationReport {
    /// Rows of the data set.
    pub n_rows: u64,
    /// Games of the data set.
    pub n_games: u64,
    /// One for each phase, band and feature.
    pub cells: Vec<FeatureCorrelation>,
}

/// Sums of one feature in one cell.
#[derive(Clone, Copy, Default)]
struct Sums {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    /// Means, standard deviations and the correlation; `None` for a constant.
    fn law(&self) -> Option<Law> {
        let (mx, my) = (self.x / self.n, self.y / self.n);
        let (vx, vy) = (self.xx / self.n - mx * mx, self.yy / self.n - my * my);
        let scale = self.xx / self.n;
        if self.n < 3.0 || vx <= 1e-12 * scale.max(1e-300) || vy <= 0.0 {
            return None;
        }
        let (sx, sy) = (vx.sqrt(), vy.sqrt());
        let r = (self.xy / self.n - mx * my) / (sx * sy);
        Some(Law {
            mx,
            my,
            sx,
            sy,
            r: r.clamp(-1.0, 1.0),
        })
    }
}

#[derive(Clone, Copy)]
struct Law {
    mx: f64,
    my: f64,
    sx: f64,
    sy: f64,
    r: f64,
}

impl Law {
    /// The influence of one row on the correlation.
    fn influence(&self, x: f64, y: f64) -> f64 {
        let (zx, zy) = ((x - self.mx) / self.sx, (y - self.my) / self.sy);
        zx * zy - 0.5 * self.r * (zx * zx + zy * zy)
    }
}

/// The correlations of the rows that `open` reads, which is called twice: once
/// for the correlations and once for their errors. Rows of a game are adjacent.
/// The error is that of sums of influences by game, since the rows of a game
/// share its result.
///
/// # Errors
///
/// If the rows cannot be read.
pub fn correlations<I>(
    mut open: impl FnMut() -> Result<I, DatasetError>,
) -> Result<CorrelationReport, DatasetError>
where
    I: Iterator<Item = Result<Row, DatasetError>>,
{
    let mut sums = vec![[Sums::default(); N_FEATURES]; N_CELLS];
    let (mut n_rows, mut n_games, mut last) = (0, 0, None);
    for row in open()? {
        let row = row?;
        n_rows += 1;
        n_games += u64::from(last != Some(row.game));
        last = Some(row.game);
        let (x, y) = (features(&row), row.scores[0]);
        for cell in cells_of(&row) {
            for (sum, x) in sums[cell].iter_mut().zip(x) {
                sum.add(x, y);
            }
        }
    }
    let laws: Vec<Vec<Option<Law>>> = sums
        .iter()
        .map(|cell| cell.iter().map(Sums::law).collect())
        .collect();
    let mut spread = Spread::new();
    for row in open()? {
        spread.add(&row?, &laws);
    }
    spread.close();
    Ok(CorrelationReport {
        n_rows,
        n_games,
        cells: cells(&sums, &laws, &spread),
    })
}

/// Sums of squared influences by game.
struct Spread {
    game: Option<u64>,
    current: Vec<[f64; N_FEATURES]>,
    is_touched: [bool; N_CELLS],
    squares: Vec<[f64; N_FEATURES]>,
    n_games: [u64; N_CELLS],
}

impl Spread {
    fn new() -> Spread {
        Spread {
            game: None,
            current: vec![[0.0; N_FEATURES]; N_CELLS],
            is_touched: [false; N_CELLS],
            squares: vec![[0.0; N_FEATURES]; N_CELLS],
            n_games: [0; N_CELLS],
        }
    }

    fn add(&mut self, row: &Row, laws: &[Vec<Option<Law>>]) {
        if self.game != Some(row.game) {
            self.close();
            self.game = Some(row.game);
        }
        let (x, y) = (features(row), row.scores[0]);
        for cell in cells_of(row) {
            self.is_touched[cell] = true;
            for ((sum, law), x) in self.current[cell].iter_mut().zip(&laws[cell]).zip(x) {
                *sum += law.map_or(0.0, |law| law.influence(x, y));
            }
        }
    }

    fn close(&mut self) {
        for cell in 0..N_CELLS {
            if !std::mem::take(&mut self.is_touched[cell]) {
                continue;
            }
            self.n_games[cell] += 1;
            for (square, sum) in self.squares[cell].iter_mut().zip(&mut self.current[cell]) {
                *square += *sum * *sum;
                *sum = 0.0;
            }
        }
    }
}

fn cells(
    sums: &[[Sums; N_FEATURES]],
    laws: &[Vec<Option<Law>>],
    spread: &Spread,
) -> Vec<FeatureCorrelation> {
    let mut cells = Vec::with_capacity(N_CELLS * N_FEATURES);
    for (p, phase) in TurnPhase::ALL.into_iter().enumerate() {
        for (b, band) in BANDS.iter().enumerate() {
            let at = p * BANDS.len() + b;
            for feature in 0..N_FEATURES {
                let law = laws[at][feature];
                let n = sums[at][feature].n;
                let error = spread.squares[at][feature].sqrt() / n;
                cells.push(FeatureCorrelation {
                    phase: phase.name(),
                    rounds: band.0,
                    feature: feature_name(feature),
                    n_rows: n as u64,
                    n_games: spread.n_games[at],
                    r: law.map(|law| law.r),
                    ci95: law.map(|law| {
                        [
                            (law.r - Z95 * error).max(-1.0),
                            (law.r + Z95 * error).min(1.0),
                        ]
                    }),
                });
            }
        }
    }
    cells
}

fn feature_name(feature: usize) -> String {
    let (group, name) = (feature / N_NUMBERS, feature % N_NUMBERS);
    format!("{}_{}", FEATURE_GROUPS[group], PlayerFeatures::NAMES[name])
}

fn features(row: &Row) -> [f64; N_FEATURES] {
    let (before, own) = (row.before[0].numbers(), row.after[0].numbers());
    let mut all = [0.0; N_FEATURES];
    for n in 0..N_NUMBERS {
        let rivals = row.after[1..].iter().map(|o| o.numbers()[n]);
        all[n] = own[n];
        all[N_NUMBERS + n] = rivals.fold(0.0, f64::max);
        all[2 * N_NUMBERS + n] = own[n] - before[n];
    }
    all
}

fn cells_of(row: &Row) -> impl Iterator<Item = usize> + use<> {
    let phase = row.phase as usize;
    let round = row.round;
    let bands = BANDS.iter().enumerate();
    bands
        .filter(move |(_, (_, first, last))| (*first..=*last).contains(&round))
        .map(move |(b, _)| phase * BANDS.len() + b)
}
