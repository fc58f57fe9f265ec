//! Fitting the correction of a net: the numbers that make its chances come true as often as
//! they are said, by Newton's method on games that the net has not learned from.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use hegemon_arena::Program;
use hegemon_arena::stats::cholesky::{Cholesky, dot};
use hegemon_bots::Grants;
use hegemon_core::{MAX_PLAYERS, mix};
use hegemon_eval::value::{Correction, N_ALIVE, N_FACTS, NetWeights, ValueFile};

use super::check::{CheckLine, check_lines};
use super::games::{GamePlan, make_rows};
use super::population::{Population, TableKind};
use super::rows::{Label, Rows};
use super::training::{KEEP, NetKind};

/// Games for the correction of a net that is there already.
#[derive(Clone, Debug)]
pub struct CorrectionPlan {
    /// Fresh games of the players that nets may learn from; a fifth is only checked.
    pub games: u64,
    /// Seed of the games.
    pub seed: u64,
    /// Worker threads; the result does not depend on it.
    pub n_threads: usize,
    /// The command to name in the card.
    pub command: String,
}

/// A net with its correction.
#[derive(Clone, Debug)]
pub struct Corrected {
    pub file: ValueFile,
    /// How good it was and is in games that neither net nor correction was fitted to.
    pub before: Vec<CheckLine>,
    pub after: Vec<CheckLine>,
}

/// Plays games and corrects a net by them, whatever correction it had; none if it was
/// stopped. `tell` is called with the number of games so far.
pub fn correct(
    file: &ValueFile,
    plan: &CorrectionPlan,
    stop: &AtomicBool,
    mut tell: impl FnMut(u64),
) -> Option<Corrected> {
    let kind = match file.territories.is_empty() {
        true => NetKind::Any,
        false => NetKind::Classic,
    };
    let mut tables = TableKind::all();
    tables.retain(|table| kind.knows(table));
    let population = Population::shipped();
    let games = GamePlan {
        // Not the games of any generation of a training with this seed.
        seed: mix(plan.seed ^ mix(u64::MAX - 1)),
        tables: tables.clone(),
        field: population.known.clone(),
        withheld: Vec::new(),
        champion: None,
        keep: KEEP,
    };
    let (mut rows, mut n_games) = (Rows::default(), 0);
    let grants = Grants::sealed();
    make_rows(
        &games,
        0..plan.games,
        plan.n_threads,
        &grants,
        stop,
        |new| {
            rows.append(new);
            n_games += 1;
            tell(n_games);
            ControlFlow::Continue(())
        },
    );
    if n_games < plan.games {
        return None;
    }
    let is_checked = |label: Label| label.game.is_multiple_of(5);
    let chosen: Vec<u32> = (0..rows.len() as u32)
        .filter(|row| !is_checked(rows.label(*row as usize)))
        .collect();
    let mut file = file.clone();
    file.weights.correction = None;
    let before = check_lines(&file.weights, &rows, &tables, is_checked);
    file.weights.correction = Some(fit_correction(&file.weights, &rows, &chosen));
    let after = check_lines(&file.weights, &rows, &tables, is_checked);
    file.card.corrected = vec![
        plan.command.clone(),
        Program::current().to_string(),
        format!(
            "{} of {} rows of {} games of {} bots at {} kinds of tables, seed {}; the others are checked",
            chosen.len(),
            rows.len(),
            plan.games,
            population.known.len(),
            tables.len(),
            plan.seed
        ),
    ];
    let before_lines = before.iter().map(|line| format!("before, {line}"));
    file.card.corrected.extend(before_lines);
    let after_lines = after.iter().map(|line| format!("after, {line}"));
    file.card.corrected.extend(after_lines);
    Some(Corrected {
        file,
        before,
        after,
    })
}

/// Numbers for one number of living players.
const N: usize = 2 * N_FACTS;
/// How firmly a number is held where no row speaks against it, in rows of information: a
/// number is believed to be within a tenth of its place. Rows of one game say much the
/// same, so that this is more than the hundred that independent rows would want.
const FIRMNESS: f64 = 300.0;
const MAX_STEPS: usize = 30;
/// The loss has come to rest when a step gains less than this.
const RESTING: f64 = 1e-6;

/// What a row contributes: the facts of its table, and the net's outputs and chances.
struct Said {
    facts: [f64; N_FACTS],
    /// For each living player its output, its chance, and how the game ended.
    players: [[f64; 3]; MAX_PLAYERS],
    n_alive: usize,
}

/// The correction of a net with the least log-loss on the rows with these numbers.
pub fn fit_correction(weights: &NetWeights, rows: &Rows, chosen: &[u32]) -> Correction {
    let mut correction = Correction::nothing();
    for (row, said) in said(weights, rows, chosen).iter().enumerate() {
        let numbers = least_loss(said);
        for n in 0..N_FACTS {
            correction.of_output[row][n] = numbers[n] as f32;
            correction.of_chance[row][n] = numbers[N_FACTS + n] as f32;
        }
    }
    correction
}

/// The rows by the number of living players.
fn said(weights: &NetWeights, rows: &Rows, chosen: &[u32]) -> [Vec<Said>; N_ALIVE] {
    let mut all: [Vec<Said>; N_ALIVE] = Default::default();
    let mut inputs = Rows::blank();
    for row in chosen {
        let row = *row as usize;
        rows.read(row, &mut inputs);
        let Some((n, facts)) = Correction::facts(&inputs) else {
            continue;
        };
        let [outputs, chances] = weights.uncorrected(&inputs);
        let alive = (0..MAX_PLAYERS).filter(|place| inputs.is_alive(*place));
        let largest = alive.map(|place| outputs[place]).fold(f32::MIN, f32::max);
        let mut said = Said {
            facts: facts.map(f64::from),
            players: [[0.0; 3]; MAX_PLAYERS],
            n_alive: 0,
        };
        for (place, target) in rows.target(row).iter().enumerate() {
            if inputs.is_alive(place) {
                // Only differences of outputs count.
                let player = [outputs[place] - largest, chances[place], *target];
                said.players[said.n_alive] = player.map(f64::from);
                said.n_alive += 1;
            }
        }
        all[n].push(said);
    }
    all
}

/// Newton's method from "nothing" to the least loss.
fn least_loss(said: &[Said]) -> [f64; N] {
    let mut start = [0.0; N];
    start[0] = 1.0;
    let mut best = start;
    let mut at = Loss::at(said, &best, &start);
    for _ in 0..MAX_STEPS {
        let Some(factor) = Cholesky::new(&at.curvature, N) else {
            break;
        };
        let step = factor.solve(&at.slope);
        // The loss is convex, so that some part of the step lowers it until it is at rest.
        let parts = [1.0, 0.5, 0.25, 0.125, 0.0625];
        let better = parts.into_iter().find_map(|part| {
            let tried = std::array::from_fn(|n| best[n] - part * step[n]);
            let found = Loss::at(said, &tried, &start);
            (found.loss < at.loss - RESTING).then_some((tried, found))
        });
        let Some((tried, found)) = better else { break };
        (best, at) = (tried, found);
    }
    best
}

/// The loss with some numbers, its gradient, and the lower triangle of its second
/// derivatives.
struct Loss {
    loss: f64,
    slope: [f64; N],
    curvature: [f64; N * N],
}

impl Loss {
    /// The loss on rows, with what holds the numbers where they start.
    fn at(said: &[Said], numbers: &[f64; N], start: &[f64; N]) -> Loss {
        let mut all = Loss {
            loss: 0.0,
            slope: [0.0; N],
            curvature: [0.0; N * N],
        };
        for n in 0..N {
            let off = numbers[n] - start[n];
            all.loss += 0.5 * FIRMNESS * off * off;
            all.slope[n] = FIRMNESS * off;
            all.curvature[n * N + n] = FIRMNESS;
        }
        for row in said {
            all.add(row, numbers);
        }
        all
    }

    fn add(&mut self, said: &Said, numbers: &[f64; N]) {
        let (of_output, of_chance) = numbers.split_at(N_FACTS);
        let factors = [dot(&said.facts, of_output), dot(&said.facts, of_chance)];
        let players = &said.players[..said.n_alive];
        let corrected = |[output, chance, _]: &[f64; 3]| factors[0] * output + factors[1] * chance;
        let largest = players.iter().map(corrected).fold(f64::MIN, f64::max);
        let mut chances = [0.0; MAX_PLAYERS];
        let mut total = 0.0;
        for (chance, player) in chances.iter_mut().zip(players) {
            *chance = libm::exp(corrected(player) - largest);
            total += *chance;
        }
        let ln_total = libm::log(total);
        // Means of both terms and of their products, by what is said and by what happened.
        let (mut mean, mut happened, mut all) = ([0.0; 2], [0.0; 2], 0.0);
        let (mut squares, mut product) = ([0.0; 2], 0.0);
        for (chance, player) in chances.iter().zip(players) {
            let [output, said, target] = *player;
            let chance = chance / total;
            self.loss -= target * (corrected(player) - largest - ln_total);
            all += target;
            for (n, term) in [output, said].into_iter().enumerate() {
                mean[n] += chance * term;
                happened[n] += target * term;
                squares[n] += chance * term * term;
            }
            product += chance * output * said;
        }
        let variance = [0, 1].map(|n| all * (squares[n] - mean[n] * mean[n]));
        let covariance = all * (product - mean[0] * mean[1]);
        for (i, x) in said.facts.iter().enumerate() {
            self.slope[i] += x * (all * mean[0] - happened[0]);
            self.slope[N_FACTS + i] += x * (all * mean[1] - happened[1]);
            let second = (N_FACTS + i) * N;
            for (j, y) in said.facts.iter().enumerate() {
                self.curvature[second + j] += x * y * covariance;
                if j <= i {
                    self.curvature[i * N + j] += x * y * variance[0];
                    self.curvature[second + N_FACTS + j] += x * y * variance[1];
                }
            }
        }
    }
}
