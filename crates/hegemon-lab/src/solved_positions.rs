//! A frozen set of small endings whose every move has an exact value, and how much of it each
//! agent gives away.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use hegemon_arena::seat_seed;
use hegemon_arena::stats::Moments;
use hegemon_bots::search::RiskGame;
use hegemon_bots::{Seating, Spec, build, check};
use hegemon_core::rules::InitialArmies;
use hegemon_core::{Game, Map, Move, Node, Rng, Rules, State, View};
use hegemon_search::{Enumerable as _, Player, SolverParams, solve};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::other_means::OtherMeans;
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, interval_or_dash, number};
use crate::shipped_files;

/// Every agent on the solved positions.
pub(crate) const POSITIONS: Experiment = Experiment {
    name: "positions",
    paper: "beyond the papers",
    what: "what agents give away in solved endings",
    needs: &["champion", "goal-uct"],
    plan,
    render,
    other_means: |_, _| {
        Ok(OtherMeans::None(
            "no other command asks a bot about a position with its seed",
        ))
    },
};

/// The shipped set as text: JSON of [`SolvedSet`], made by the example `solve_positions`.
pub const SOLVED_POSITIONS: &str = include_str!("../data/positions.json");

/// A move this close to the best counts as best: values are exact to about 1e-10.
const LEVEL: f64 = 1e-6;

/// Positions drawn of a kind of ending before it is given up.
const MAX_DRAWS: u32 = 5000;

/// A set of solved positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedSet {
    /// The version of the format.
    pub version: u32,
    /// The command that made it.
    pub command: String,
    /// Kinds of endings.
    pub endings: Vec<SolvedEndings>,
}

/// Solved positions of one map with one set of rules, for two players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedEndings {
    /// Name of a built-in map.
    pub map: String,
    /// All rules.
    pub rules: Rules,
    pub positions: Vec<SolvedPosition>,
}

/// A position and what each move is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedPosition {
    /// In the notation of positions.
    pub position: String,
    /// The chance of the player to move to win, if both play perfectly.
    pub value: f64,
    /// Every legal move with the chance to win after it.
    pub moves: Vec<(String, f64)>,
}

/// A kind of ending to draw positions from.
struct EndingKind {
    map: &'static str,
    /// Most armies of a player.
    supply: u16,
    /// Rounds after which the most territories win. Without it a game goes in circles, and its
    /// values take thousands of sweeps.
    turn_limit: u32,
}

const KINDS: [EndingKind; 2] = [
    EndingKind {
        map: "triangle3",
        supply: 9,
        turn_limit: 2,
    },
    EndingKind {
        map: "line4",
        supply: 9,
        turn_limit: 2,
    },
];

impl EndingKind {
    fn rules(&self) -> Result<Rules, LabError> {
        let missing = || LabError::Broken("there is no preset \"sampling\"".to_owned());
        let mut rules = Rules::preset("sampling").ok_or_else(missing)?;
        rules.supply = self.supply;
        rules.initial_armies = InitialArmies::ByPlayers([self.supply.min(6); 5]);
        rules.end.turn_limit = Some(self.turn_limit);
        Ok(rules)
    }
}

impl SolvedEndings {
    fn game(&self) -> Result<Arc<Game>, LabError> {
        let missing = || LabError::Broken(format!("there is no map \"{}\"", self.map));
        let map = Map::builtin(&self.map).ok_or_else(missing)?;
        Ok(Game::new(map, self.rules.clone(), 2)?)
    }
}

impl SolvedSet {
    /// The set that comes with the program.
    ///
    /// # Panics
    ///
    /// If it cannot be read; a test reads it.
    pub fn shipped() -> &'static SolvedSet {
        static SHIPPED: OnceLock<SolvedSet> = OnceLock::new();
        SHIPPED.get_or_init(|| serde_json::from_str(SOLVED_POSITIONS).expect("shipped and tested"))
    }

    /// How many positions it has.
    pub fn n_positions(&self) -> usize {
        self.endings.iter().map(|kind| kind.positions.len()).sum()
    }

    /// Draws and solves a set: this many positions of each kind in which moves differ.
    ///
    /// # Errors
    ///
    /// If a kind of ending makes no game.
    pub fn draw(n_each: usize, seed: u64) -> Result<SolvedSet, LabError> {
        let mut endings = Vec::new();
        for kind in &KINDS {
            let mut of_kind = SolvedEndings {
                map: kind.map.to_owned(),
                rules: kind.rules()?,
                positions: Vec::new(),
            };
            let game = of_kind.game()?;
            let mut rng = Rng::stream(seed, kind.map);
            for n_drawn in 0.. {
                if of_kind.positions.len() == n_each {
                    break;
                }
                if n_drawn == MAX_DRAWS {
                    let sentence = format!("{}: too few positions can be solved", kind.map);
                    return Err(LabError::Broken(sentence));
                }
                let text = draw_position(&game, &mut rng);
                let solved = solve_position(&game, &text);
                let solved = solved.filter(SolvedPosition::is_a_question);
                let is_new = |p: &SolvedPosition| of_kind.positions.iter().all(|q| q != p);
                of_kind.positions.extend(solved.filter(is_new));
            }
            endings.push(of_kind);
        }
        Ok(SolvedSet {
            version: 1,
            command: format!(
                "cargo run --release -p hegemon-lab --example solve_positions -- {n_each} {seed}"
            ),
            endings,
        })
    }
}

impl SolvedPosition {
    /// Whether it is worth asking: undecided, and most moves give something away.
    fn is_a_question(&self) -> bool {
        let n_best = self
            .moves
            .iter()
            .filter(|(_, value)| self.loss(*value) < 0.01);
        let worst = self.moves.iter().map(|(_, value)| self.loss(*value));
        (0.05..0.95).contains(&self.value)
            && self.moves.len() >= 3
            && 3 * n_best.count() <= self.moves.len()
            && worst.fold(0.0, f64::max) >= 0.05
    }

    fn loss(&self, value: f64) -> f64 {
        self.value - value
    }

    /// What a move gives away, if it is legal.
    pub fn loss_of(&self, mv: Move) -> Option<f64> {
        let text = mv.to_string();
        let found = self.moves.iter().find(|(known, _)| *known == text);
        found.map(|(_, value)| self.loss(*value))
    }
}

/// A random position of two players in the middle of a turn.
fn draw_position(game: &Game, rng: &mut Rng) -> String {
    let supply = u32::from(game.rules().supply);
    loop {
        let mut totals = [0, 0];
        let mut board = String::new();
        for _ in game.map().territories() {
            let owner = rng.below(2) as usize;
            let armies = 1 + rng.below(supply / 2);
            totals[owner] += armies;
            board += &format!("{}{armies}", if owner == 0 { 'a' } else { 'b' });
        }
        if totals.iter().all(|total| (1..=supply).contains(total)) {
            let phase = ["phase=reinforce place=1", "phase=attack", "phase=fortify"];
            let phase = phase[rng.below(3) as usize];
            return format!("board={board} {phase} player=0 round=1");
        }
    }
}

/// The exact value of each move; `None` if it is no legal position, or its game is too large.
fn solve_position(game: &Arc<Game>, text: &str) -> Option<SolvedPosition> {
    let state = State::from_position(game, text).ok()?;
    let Node::Decision(seat) = state.node() else {
        return None;
    };
    let (risk, mover) = (RiskGame::exact(game), Player(seat.index() as u8));
    let params = SolverParams {
        max_states: 60_000,
        ..SolverParams::default()
    };
    let solution = solve(&risk, &state, &params).ok()?;
    if !solution.converged {
        return None;
    }
    let value_of = |state: &State| Some(rounded(solution.values(&risk.key(state))?[mover]));
    let mut moves = Vec::new();
    for mv in state.legal_moves() {
        let mut next = state.clone();
        next.play(mv).ok()?;
        moves.push((mv.to_string(), value_of(&next)?));
    }
    Some(SolvedPosition {
        position: state.to_position(),
        value: value_of(&state)?,
        moves,
    })
}

/// To ten digits, which are exact.
fn rounded(value: f64) -> f64 {
    (value * 1e10).round() / 1e10
}

/// Agents, with processor seconds a decision.
fn agents(scale: Scale) -> Vec<(&'static str, f64)> {
    let searching = [
        ("mcts(k=20,iters=100)", 0.003),
        ("mcts(k=20,iters=1600)", 0.04),
        ("mcts-tuned(iters=1600)", 0.03),
        ("emm", 0.01),
        ("rollout(playouts=8)", 0.01),
        ("rollout(playouts=60)", 0.05),
        ("goal-uct(iters=200)", 0.02),
        ("champion(looks=4)", 0.02),
        ("champion(looks=40)", 0.2),
    ];
    let rules = [
        "random",
        "simulation",
        "baseline",
        "killbot",
        "quo",
        "evil-pixie",
        "beam",
    ];
    let all = rules.map(|bot| (bot, 1e-5)).into_iter().chain(searching);
    all.take(scale.pick(8, 16, 16)).collect()
}

/// Times that each position is asked: many agents draw.
fn n_askings(scale: Scale) -> u64 {
    scale.pick(1, 10, 40)
}

fn key(spec: &str, scale: Scale) -> String {
    format!("{spec}, {} times", n_askings(scale))
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let n = SolvedSet::shipped().n_positions();
    let n_decisions = n as f64 * n_askings(setting.scale) as f64;
    let cell = |(spec, seconds): (&'static str, f64)| {
        let job = move |stop: &AtomicBool| ask(spec, setting, stop);
        Cell::new(key(spec, setting.scale), seconds * n_decisions, job)
    };
    Ok(agents(setting.scale).into_iter().map(cell).collect())
}

/// What an agent gives away at each position, on average; `None` if it was stopped.
fn ask(spec: &str, setting: RunSetting, stop: &AtomicBool) -> Result<Option<Vec<f64>>, LabError> {
    let spec: Spec = spec.parse()?;
    let grants = shipped_files::grants();
    let mut losses = Vec::new();
    for endings in &SolvedSet::shipped().endings {
        let game = endings.game()?;
        check(&spec, &game, &grants)?;
        for position in &endings.positions {
            let broken =
                |error: String| LabError::Broken(format!("{}: {error}", position.position));
            let state = State::from_position(&game, &position.position)
                .map_err(|error| broken(error.to_string()))?;
            let mut lost = 0.0;
            for n in 0..n_askings(setting.scale) {
                let seating = Seating {
                    game: &game,
                    seat: state.player(),
                    seed: seat_seed(setting.seed.wrapping_add(n), state.player()),
                    grants: &grants,
                };
                let chosen = build(&spec, &seating)?.choose(View::new(&state, state.player()));
                let chosen = chosen.map_err(|forfeit| broken(format!("{forfeit:?}")))?;
                let loss = position.loss_of(chosen);
                lost += loss.ok_or_else(|| broken(format!("{chosen} is not legal")))?;
            }
            losses.push(lost / n_askings(setting.scale) as f64);
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
        }
    }
    Ok(Some(losses))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let n = SolvedSet::shipped().n_positions();
    let size = format!("{n} positions, each asked {} times", n_askings(scale));
    let mut table = ReportTable::new(
        "Chances to win that agents give away in solved endings",
        &[
            "agent",
            "#mean loss, points",
            "#95 % over positions",
            "#best move always, %",
            "#worst position, points",
        ],
        Evidence::of(results, size),
    );
    let mut best: Option<(f64, &str)> = None;
    for (spec, _) in agents(scale) {
        let losses: Option<Vec<f64>> = results.get(&key(spec, scale))?;
        let losses = losses.unwrap_or_default();
        let points: Moments = losses.iter().map(|loss| 100.0 * loss).collect();
        let estimate = points.estimate();
        let n_best = losses.iter().filter(|&&loss| loss < LEVEL).count();
        let worst = losses.iter().copied().fold(0.0, f64::max);
        let or_dash = |text: String| {
            if losses.is_empty() {
                "–".to_owned()
            } else {
                text
            }
        };
        table.row([
            Text::Code(spec.to_owned()),
            Text::from(or_dash(number(points.mean().unwrap_or_default(), 2))),
            Text::from(interval_or_dash(estimate.and_then(|e| e.ci95), 2)),
            Text::from(or_dash(number(100.0 * n_best as f64 / n as f64, 1))),
            Text::from(or_dash(number(100.0 * worst, 1))),
        ]);
        let mean = points.mean();
        if let Some(mean) = mean.filter(|&mean| best.is_none_or(|(least, _)| mean < least)) {
            best = Some((mean, spec));
        }
    }
    let mut parts = Vec::new();
    if let Some((loss, spec)) = best {
        let words = format!(
            "In {n} solved endings {spec} gives away the least: {} points of the chance to win a \
             decision.",
            number(loss, 2)
        );
        parts.push(SectionPart::Takeaway(Text::Plain(words)));
    }
    parts.push(SectionPart::Note(
        "Endings of two players on maps of three and four territories, drawn at random and solved \
         by value iteration over all positions that can be reached; at the end of the round the most \
         territories win. Kept are those where most moves give something away. The value of a move \
         is the chance to win after it if both play perfectly. The set is \
         crates/hegemon-lab/data/positions.json; hegemon.lab.solved_positions() loads it in Python."
            .to_owned(),
    ));
    parts.push(SectionPart::Table(table));
    Ok(Section { parts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_value_is_found_again() {
        for endings in &SolvedSet::shipped().endings {
            let game = endings.game().expect("a game");
            // All take a minute in a build for tests.
            for position in endings.positions.iter().step_by(4) {
                let again = solve_position(&game, &position.position).expect("solvable");
                assert_eq!(again.position, position.position);
                for ((mv, value), (known, expected)) in again.moves.iter().zip(&position.moves) {
                    assert_eq!(mv, known);
                    assert!(
                        (value - expected).abs() < 1e-9,
                        "{} {mv}",
                        position.position
                    );
                }
                let best = position.moves.iter().map(|(_, value)| *value);
                let best = best.fold(0.0, f64::max);
                assert!((best - position.value).abs() < 1e-8);
                assert!(position.is_a_question());
            }
        }
    }
}
