//! Where the spread of results comes from: the deal, the dice and cards, or the players' own
//! draws. `cargo run --release -p hegemon-arena --example luck_parts -- [RULES] [GAMES] [PLAYOUTS]`
//! for `baseline` against `simulation`, whose games can be played on from any state as they
//! are played.
//!
//! The value of a state is then its chance to win, and the result is the sum of what every
//! event adds to it. These parts are not correlated, so their mean squares add up to the
//! variance of the result. Each value is estimated twice by playouts, independently: the
//! product of the two estimates of a part is right on average, however few the playouts.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::process::ExitCode;
use std::sync::Arc;

use hegemon_bots::Spec;
use hegemon_bots::policy::Policy;
use hegemon_bots::rules::RulePolicy;
use hegemon_core::{Game, Map, Node, Outcome, Phase, PlayerId, Rng, Rules, State, View};

const PLAYERS: [&str; 2] = ["baseline", "simulation"];
const PARTS: [&str; 4] = ["deal", "dice", "cards", "decisions"];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let preset = arguments.next().unwrap_or("sampling".to_owned());
    let mut number = |default: u64| arguments.next().map_or(Some(default), |n| n.parse().ok());
    let (Some(n_games), Some(n_playouts)) = (number(400), number(8)) else {
        println!("luck_parts [RULES] [GAMES] [PLAYOUTS]");
        return ExitCode::FAILURE;
    };
    let game = Map::builtin("classic")
        .zip(Rules::preset(&preset))
        .and_then(|(map, rules)| Game::new(map, rules, PLAYERS.len()).ok());
    let Some(game) = game else {
        println!("{preset} is no preset for two players");
        return ExitCode::FAILURE;
    };
    let mut spread = Spread::default();
    for number in 0..n_games {
        let first = (number % 2) as usize;
        let Some(mut table) = Table::new(first, n_playouts, number) else {
            return ExitCode::FAILURE;
        };
        table.play(&game, &mut spread);
    }
    spread.print(&preset, n_games);
    ExitCode::SUCCESS
}

/// Sums over games.
#[derive(Default)]
struct Spread {
    won: f64,
    /// Sums of squares of each part, and of the squares of these.
    parts: [[f64; 2]; PARTS.len()],
    /// Of the deals: the two values, and their product, by who begins.
    deals: [[f64; 4]; 2],
}

impl Spread {
    fn print(&self, preset: &str, n_games: u64) {
        let n = n_games as f64;
        let share = self.won / n;
        println!(
            "{} v {} by the rules {preset}: {n_games} games, {} wins {:.2} %, variance of a result {:.5}",
            PLAYERS[0],
            PLAYERS[1],
            PLAYERS[0],
            100.0 * share,
            share * (1.0 - share)
        );
        for (name, [sum, squares]) in PARTS.iter().zip(self.parts).skip(1) {
            let mean = sum / n;
            let error = ((squares / n - mean * mean).max(0.0) / n).sqrt();
            println!("{name:10} {mean:.5} ± {error:.5}");
        }
        let deal: f64 = self
            .deals
            .iter()
            .filter(|sums| sums[3] > 1.0)
            .map(|[a, b, product, n]| (product - a * b / n) / (n - 1.0) / 2.0)
            .sum();
        println!("{:10} {deal:.5}", PARTS[0]);
    }
}

/// Two players at a table, and the randomness for everything.
struct Table {
    /// By seat.
    policies: [RulePolicy; 2],
    /// Seat of the first of [`PLAYERS`].
    me: PlayerId,
    n_playouts: u64,
    rng: Rng,
}

impl Table {
    fn new(first: usize, n_playouts: u64, seed: u64) -> Option<Table> {
        let policy = |seat: usize| RulePolicy::of(&Spec::plain(PLAYERS[(seat + first) % 2]));
        Some(Table {
            policies: [policy(0)?, policy(1)?],
            me: PlayerId::new(first),
            n_playouts,
            rng: Rng::from_seed(seed),
        })
    }

    fn play(&mut self, game: &Arc<Game>, spread: &mut Spread) {
        let mut state = game.deal(self.rng.word());
        let [a, b] = self.values(&state);
        let deal = &mut spread.deals[self.me.index()];
        for (sum, term) in deal.iter_mut().zip([a, b, a * b, 1.0]) {
            *sum += term;
        }
        let mut parts = [0.0; PARTS.len()];
        loop {
            match state.node() {
                Node::Terminal => break,
                Node::Chance => {
                    let kind = if state.phase() == Phase::Battle { 1 } else { 2 };
                    parts[kind] += self.chance(&mut state);
                }
                Node::Decision(_) => parts[3] += self.decision(&mut state),
            }
        }
        for (sums, part) in spread.parts.iter_mut().zip(parts) {
            sums[0] += part;
            sums[1] += part * part;
        }
        spread.won += state.score(self.me);
    }

    /// Draws an outcome and returns the square of its luck.
    fn chance(&mut self, state: &mut State) -> f64 {
        let mut outcomes: Vec<(Outcome, f64)> = Vec::new();
        let total = state.chance_total() as f64;
        state.for_each_outcome(|outcome, weight| outcomes.push((outcome, weight as f64 / total)));
        let mut after = state.clone();
        after.resolve_sampled(&mut self.rng);
        let mut luck = self.values(&after);
        for (outcome, p) in outcomes {
            let mut other = state.clone();
            other.resolve_unchecked(outcome);
            let [a, b] = self.values(&other);
            luck = [luck[0] - p * a, luck[1] - p * b];
        }
        *state = after;
        luck[0] * luck[1]
    }

    /// Lets the player move and returns the square of what its own draws added. The mean of
    /// the values after its moves is the value before, which needs no other moves.
    fn decision(&mut self, state: &mut State) -> f64 {
        let before = self.values(state);
        self.step(state);
        let after = self.values(state);
        (after[0] - before[0]) * (after[1] - before[1])
    }

    fn step(&mut self, state: &mut State) {
        let policy = &mut self.policies[state.player().index()];
        let mv = policy.choose(View::of_mover(state), &mut self.rng);
        state.play_unchecked(mv);
    }

    /// The chance to win, twice.
    fn values(&mut self, state: &State) -> [f64; 2] {
        [(); 2].map(|()| {
            let wins: f64 = (0..self.n_playouts).map(|_| self.playout(state)).sum();
            wins / self.n_playouts as f64
        })
    }

    fn playout(&mut self, state: &State) -> f64 {
        let mut state = state.clone();
        let game = Arc::clone(state.game());
        loop {
            match state.node() {
                Node::Terminal => return state.score(self.me),
                Node::Chance => state.resolve_sampled(&mut self.rng),
                Node::Decision(player) => {
                    let policy = &mut self.policies[player.index()];
                    policy.play_on(&game, &mut state, u32::MAX, &mut self.rng);
                }
            }
        }
    }
}
