//! Linear regression on the features of Gibson, Desai and Zhao 2010, with a
//! weight for every count of every continent.
//!
//! The weights are not determined by full drafts: the counts of a player add up
//! to the same number in every draft, so a trend common to all continents
//! changes nothing, and neither does a constant moved from a continent into the
//! intercept. A tiny penalty, proportional to how often a count occurs, selects
//! the weights without either.

use hegemon_core::{Map, PlayerId};
use hegemon_eval::draft::{
    ContinentWeights, DraftEvaluator, DraftFacts, DraftWeights, LinearDraft,
};

use super::{DraftRow, DraftTrainError, Quality, unsigned_file};
use hegemon_arena::stats::cholesky::{Cholesky, add_outer, dot};

/// The penalty over how often a value occurs.
const RIDGE: f64 = 1e-6;

/// A regression.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearFit {
    /// The weights: the smallest of each continent and of the last place is 0,
    /// as in the paper.
    pub weights: LinearDraft,
    /// How often each count occurred, by continent in map order.
    pub n_seen: Vec<Vec<u64>>,
    /// Quality on the rows that it was fitted to.
    pub quality: Quality,
}

/// The columns: the intercept, places, enemy neighbours, friendly pairs, then
/// each count of each continent.
struct Columns {
    facts: DraftFacts,
    starts: Vec<usize>,
    n: usize,
}

impl Columns {
    fn new(map: &Map, n_players: usize) -> Columns {
        let facts = DraftFacts::new(map, n_players);
        let mut n = n_players + 3;
        let mut starts = Vec::new();
        for continent in 0..facts.n_continents() {
            starts.push(n);
            n += facts.size(continent) + 1;
        }
        Columns { facts, starts, n }
    }

    fn enemy_neighbor(&self) -> usize {
        self.facts.n_players() + 1
    }

    fn friendly_pair(&self) -> usize {
        self.facts.n_players() + 2
    }

    /// The columns of each player of a draft that are not zero.
    fn of(&self, row: &DraftRow) -> Vec<Vec<(usize, f64)>> {
        let features = self.facts.features(&row.owners);
        let of_player = |player: PlayerId| {
            let mut x = vec![
                (0, 1.0),
                (1 + player.index(), 1.0),
                (
                    self.enemy_neighbor(),
                    f64::from(features.enemy_neighbors(player)),
                ),
                (
                    self.friendly_pair(),
                    f64::from(features.friendly_pairs(player)),
                ),
            ];
            for (continent, start) in self.starts.iter().enumerate() {
                x.push((start + features.count(player, continent), 1.0));
            }
            x
        };
        PlayerId::seats(self.facts.n_players())
            .map(of_player)
            .collect()
    }
}

/// `X'X` and `X'y`.
#[derive(Clone)]
struct Normal {
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Normal {
    fn new(n: usize) -> Normal {
        Normal {
            a: vec![0.0; n * n],
            b: vec![0.0; n],
        }
    }

    fn add(&mut self, x: &[(usize, f64)], y: f64) {
        let n = self.b.len();
        for &(i, xi) in x {
            self.b[i] += xi * y;
            for &(j, xj) in x {
                self.a[i * n + j] += xi * xj;
            }
        }
    }

    fn combine(&mut self, other: &Normal, sign: f64) {
        self.a
            .iter_mut()
            .zip(&other.a)
            .for_each(|(mine, theirs)| *mine += sign * theirs);
        self.b
            .iter_mut()
            .zip(&other.b)
            .for_each(|(mine, theirs)| *mine += sign * theirs);
    }

    fn factor(&self) -> Result<Cholesky, DraftTrainError> {
        let n = self.b.len();
        let mut a = self.a.clone();
        for i in 1..n {
            a[i * n + i] += RIDGE * (a[i * n + i] + 1.0);
        }
        let message = "the drafts are too few for a regression";
        Cholesky::new(&a, n).ok_or_else(|| DraftTrainError::Params(message.to_owned()))
    }
}

fn n_players_of(rows: &[DraftRow]) -> Result<usize, DraftTrainError> {
    let first = rows.first().map(|row| row.wins.len());
    first.ok_or_else(|| DraftTrainError::Params("there are no drafts".to_owned()))
}

/// Fits the weights to all rows. The weights of counts that occur in fewer than
/// `min_rows` rows continue the line of their neighbours (the paper: 1).
///
/// # Errors
///
/// If there are too few rows.
pub fn fit_linear(
    map: &Map,
    rows: &[DraftRow],
    min_rows: u64,
) -> Result<LinearFit, DraftTrainError> {
    let n_players = n_players_of(rows)?;
    let columns = Columns::new(map, n_players);
    let mut normal = Normal::new(columns.n);
    for row in rows {
        for (player, x) in PlayerId::seats(n_players).zip(columns.of(row)) {
            normal.add(&x, 100.0 * row.share(player));
        }
    }
    let factor = normal.factor()?;
    let beta = factor.solve(&normal.b);
    let errors = standard_errors(&columns, rows, &normal, &beta, &factor.inverse());
    let (weights, n_seen) = to_weights(map, &columns, &normal, &beta, Some(&errors), min_rows);
    let quality = quality(map, n_players, &weights, rows)?;
    Ok(LinearFit {
        weights,
        n_seen,
        quality,
    })
}

/// Errors that allow for the rows of a draft being dependent, and never smaller
/// than those of independent rows: few drafts have a rare count.
fn standard_errors(
    columns: &Columns,
    rows: &[DraftRow],
    normal: &Normal,
    beta: &[f64],
    inverse: &[f64],
) -> Vec<f64> {
    let n = columns.n;
    let mut meat = vec![0.0; n * n];
    let (mut squares, mut n_rows) = (0.0, 0.0);
    for row in rows {
        let mut score = vec![0.0; n];
        for (player, x) in PlayerId::seats(columns.facts.n_players()).zip(columns.of(row)) {
            let predicted: f64 = x.iter().map(|&(i, xi)| xi * beta[i]).sum();
            let residual = 100.0 * row.share(player) - predicted;
            squares += residual * residual;
            n_rows += 1.0;
            for (i, xi) in x {
                score[i] += xi * residual;
            }
        }
        add_outer(&mut meat, &score, 1.0);
    }
    for i in 0..n {
        for j in i + 1..n {
            meat[i * n + j] = meat[j * n + i];
        }
    }
    let independent = squares / (n_rows - n as f64).max(1.0);
    let along = |matrix: &[f64], row: &[f64]| -> f64 {
        (0..n)
            .map(|j| row[j] * dot(&matrix[j * n..(j + 1) * n], row))
            .sum()
    };
    (0..n)
        .map(|i| {
            let row = &inverse[i * n..(i + 1) * n];
            let variance = along(&meat, row).max(independent * along(&normal.a, row));
            variance.max(0.0).sqrt()
        })
        .collect()
}

/// Solutions as weights: counts never seen continue the line of the nearest two.
fn to_weights(
    map: &Map,
    columns: &Columns,
    normal: &Normal,
    beta: &[f64],
    errors: Option<&[f64]>,
    min_rows: u64,
) -> (LinearDraft, Vec<Vec<u64>>) {
    let n_players = columns.facts.n_players();
    let last = beta[n_players];
    let mut linear = LinearDraft {
        intercept: beta[0] + last,
        seats: (0..n_players).map(|seat| beta[1 + seat] - last).collect(),
        enemy_neighbor: beta[columns.enemy_neighbor()],
        friendly_pair: beta[columns.friendly_pair()],
        ..LinearDraft::default()
    };
    if let Some(errors) = errors {
        linear.seat_errors = errors[1..=n_players].to_vec();
        linear.enemy_neighbor_error = Some(errors[columns.enemy_neighbor()]);
        linear.friendly_pair_error = Some(errors[columns.friendly_pair()]);
    }
    let mut all_seen = Vec::new();
    for k in map.continents() {
        let (start, size) = (columns.starts[k.index()], columns.facts.size(k.index()));
        let seen: Vec<u64> = (0..=size)
            .map(|c| normal.a[(start + c) * columns.n + start + c] as u64)
            .collect();
        let mut weights = beta[start..=start + size].to_vec();
        let extrapolated = extrapolate(&mut weights, &seen, min_rows.max(1));
        let least = weights
            .iter()
            .zip(&seen)
            .filter(|(_, n)| **n >= min_rows.max(1))
            .map(|(w, _)| *w)
            .fold(f64::INFINITY, f64::min);
        weights.iter_mut().for_each(|w| *w -= least);
        linear.intercept += least;
        linear.continents.push(ContinentWeights {
            name: map.continent_name(k).to_owned(),
            weights,
            errors: errors.map_or(Vec::new(), |errors| errors[start..=start + size].to_vec()),
            extrapolated,
        });
        all_seen.push(seen);
    }
    (linear, all_seen)
}

/// Extrapolates the weights linearly to counts that never occurred; returns
/// which.
fn extrapolate(weights: &mut [f64], seen: &[u64], min_rows: u64) -> Vec<usize> {
    let known: Vec<usize> = (0..weights.len())
        .filter(|&c| seen[c] >= min_rows)
        .collect();
    let unseen: Vec<usize> = (0..weights.len()).filter(|&c| seen[c] < min_rows).collect();
    for &c in &unseen {
        // The two known counts that are nearest.
        let mut nearest = known.clone();
        nearest.sort_by_key(|&other| (other.abs_diff(c), other));
        weights[c] = match nearest.as_slice() {
            [a, b, ..] => {
                let slope = (weights[*a] - weights[*b]) / (*a as f64 - *b as f64);
                weights[*a] + slope * (c as f64 - *a as f64)
            }
            [a] => weights[*a],
            [] => 0.0,
        };
    }
    unseen
}

fn as_file(map: &Map, n_players: usize, linear: &LinearDraft) -> DraftWeights {
    DraftWeights {
        linear: Some(linear.clone()),
        ..unsigned_file("draft-linear", map, n_players)
    }
}

fn quality(
    map: &Map,
    n_players: usize,
    linear: &LinearDraft,
    rows: &[DraftRow],
) -> Result<Quality, DraftTrainError> {
    Ok(Quality::of(&predictions(map, n_players, linear, rows)?))
}

fn predictions(
    map: &Map,
    n_players: usize,
    linear: &LinearDraft,
    rows: &[DraftRow],
) -> Result<Vec<(f64, f64)>, DraftTrainError> {
    let evaluator = DraftEvaluator::new(map, n_players, &as_file(map, n_players, linear), true)?;
    let mut pairs = Vec::with_capacity(rows.len() * n_players);
    for row in rows {
        let merits = evaluator.merits(&row.owners);
        pairs.extend(PlayerId::seats(n_players).map(|p| (merits[p], 100.0 * row.share(p))));
    }
    Ok(pairs)
}

/// The quality of the regression on unseen drafts, by cross-validation: each of
/// `n_folds` parts is predicted from the others.
///
/// # Errors
///
/// If there are too few rows.
pub fn cross_validate(
    map: &Map,
    rows: &[DraftRow],
    n_folds: usize,
    min_rows: u64,
) -> Result<Quality, DraftTrainError> {
    let n_players = n_players_of(rows)?;
    let columns = Columns::new(map, n_players);
    let fold = |number: usize| rows.iter().skip(number).step_by(n_folds);
    let mut parts = Vec::new();
    let mut total = Normal::new(columns.n);
    for number in 0..n_folds {
        let mut part = Normal::new(columns.n);
        for row in fold(number) {
            for (player, x) in PlayerId::seats(n_players).zip(columns.of(row)) {
                part.add(&x, 100.0 * row.share(player));
            }
        }
        total.combine(&part, 1.0);
        parts.push(part);
    }
    let mut pairs = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let mut others = total.clone();
        others.combine(part, -1.0);
        let beta = others.factor()?.solve(&others.b);
        let (linear, _) = to_weights(map, &columns, &others, &beta, None, min_rows);
        let held_out: Vec<DraftRow> = fold(number).cloned().collect();
        pairs.extend(predictions(map, n_players, &linear, &held_out)?);
    }
    Ok(Quality::of(&pairs))
}

/// One weight next to a published one, both without the components that full
/// drafts do not determine.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovery {
    /// What it is the weight of.
    pub name: String,
    /// How many rows have it; none for a place or a count of neighbours.
    pub n_seen: Option<u64>,
    /// Our weight.
    pub ours: f64,
    /// The published one.
    pub published: f64,
    /// Standard error of our weight. The published one has the same, if it is
    /// from as many drafts.
    pub error: f64,
}

impl Recovery {
    /// The difference in standard errors of it, if both weights have the same
    /// error.
    pub fn z(&self) -> f64 {
        (self.ours - self.published) / (std::f64::consts::SQRT_2 * self.error)
    }
}

/// A fit next to published weights of the same map: constants within a continent
/// and a trend common to all are removed from both.
pub fn recovery(fit: &LinearFit, published: &LinearDraft) -> Vec<Recovery> {
    let mut found = Vec::new();
    let mut push = |name: String, n_seen, ours, published, error| {
        found.push(Recovery {
            name,
            n_seen,
            ours,
            published,
            error,
        });
    };
    let ours = &fit.weights;
    let n_seats = ours.seats.len();
    for seat in 0..n_seats.saturating_sub(1) {
        // The error of a difference of two places, taken as independent.
        let error = (ours.seat_errors[seat].powi(2) + ours.seat_errors[n_seats - 1].powi(2)).sqrt();
        let name = format!("place {}", seat + 1);
        push(name, None, ours.seats[seat], published.seats[seat], error);
    }
    let error = ours.enemy_neighbor_error.unwrap_or(f64::NAN);
    let name = "enemy neighbour".to_owned();
    push(
        name,
        None,
        ours.enemy_neighbor,
        published.enemy_neighbor,
        error,
    );
    let error = ours.friendly_pair_error.unwrap_or(f64::NAN);
    let name = "friendly pair".to_owned();
    push(
        name,
        None,
        ours.friendly_pair,
        published.friendly_pair,
        error,
    );
    let in_our_order: Vec<&ContinentWeights> = ours
        .continents
        .iter()
        .filter_map(|k| {
            published
                .continents
                .iter()
                .find(|other| other.name == k.name)
        })
        .collect();
    let mine: Vec<&[f64]> = ours
        .continents
        .iter()
        .map(|k| k.weights.as_slice())
        .collect();
    let theirs: Vec<&[f64]> = in_our_order.iter().map(|k| k.weights.as_slice()).collect();
    if theirs.len() != mine.len() {
        return found;
    }
    let (mine, theirs) = (
        determined(&mine, &fit.n_seen),
        determined(&theirs, &fit.n_seen),
    );
    for (number, k) in ours.continents.iter().enumerate() {
        for (count, &n_seen) in fit.n_seen[number].iter().enumerate() {
            let is_guess = in_our_order[number].extrapolated.contains(&count)
                || k.extrapolated.contains(&count);
            if n_seen > 0 && !is_guess {
                let name = format!("{} {count}", k.name);
                let (a, b) = (mine[number][count], theirs[number][count]);
                push(name, Some(n_seen), a, b, k.errors[count]);
            }
        }
    }
    found
}

/// Weights less the mean of their continent and less the common trend, both
/// weighted by how often counts occur.
fn determined(weights: &[&[f64]], n_seen: &[Vec<u64>]) -> Vec<Vec<f64>> {
    let mut centred = Vec::new();
    let (mut along, mut squares) = (0.0, 0.0);
    let mut means = Vec::new();
    for (weights, seen) in weights.iter().zip(n_seen) {
        let total: f64 = seen.iter().map(|&n| n as f64).sum();
        let mean = |of: &dyn Fn(usize) -> f64| -> f64 {
            seen.iter()
                .enumerate()
                .map(|(c, &n)| n as f64 * of(c))
                .sum::<f64>()
                / total
        };
        let (mean_w, mean_c) = (mean(&|c| weights[c]), mean(&|c| c as f64));
        let row: Vec<f64> = weights.iter().map(|w| w - mean_w).collect();
        for (c, &n) in seen.iter().enumerate() {
            let off = c as f64 - mean_c;
            along += n as f64 * off * row[c];
            squares += n as f64 * off * off;
        }
        centred.push(row);
        means.push(mean_c);
    }
    let slope = along / squares;
    for (row, mean_c) in centred.iter_mut().zip(means) {
        for (c, w) in row.iter_mut().enumerate() {
            *w -= slope * (c as f64 - mean_c);
        }
    }
    centred
}
