//! A sequential test of two bots that stops automatically.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::Game;
use hegemon_record::Program;
use serde::{Deserialize, Serialize};

use crate::blocks::deal_seed;
use crate::game_loop::{GameSetup, play_game};
use crate::plan::{GameNumber, Grounds, Plan, SeatOrder, play_blocks, unwatched};
use crate::played::{Block, Played};
use crate::sprt::{
    BlockCounts, Decision, EloEstimate, Pentanomial, ScoreCounts, Sprt, SprtStatus, elo_estimate,
    score_from_difference,
};
use crate::stats::Moments;
use crate::value_luck::ValueLuck;

/// What to test.
#[derive(Clone, Debug)]
pub struct SprtRun {
    /// Map, rules and number of players.
    pub game: Arc<Game>,
    /// The bot that may be better.
    pub a: Spec,
    /// The bot it is compared with.
    pub b: Spec,
    /// The other players of games for more than two.
    pub field: Vec<Spec>,
    /// The test.
    pub sprt: Sprt,
    /// Stop undecided after this many games.
    pub max_games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads.
    pub n_threads: usize,
    /// The resources the players may use.
    pub grants: Grants,
}

/// The progress or the result of a test.
#[derive(Clone, Debug)]
pub struct SprtRunReport {
    /// The program that played.
    pub program: Program,
    /// Games played.
    pub games: u64,
    /// Blocks played.
    pub blocks: u64,
    /// Blocks by score of A, from 0 (A lost everything) to 1.
    pub counts: Vec<(f64, f64)>,
    /// Share of the wins of A in its games.
    pub share_a: f64,
    /// Share of the wins of B in its games.
    pub share_b: f64,
    /// Games that A and B lost by forfeit.
    pub forfeits: [u64; 2],
    /// Log-likelihood ratio, bounds and decision.
    pub status: SprtStatus,
    /// Estimate of the difference, once there is one.
    pub elo: Option<EloEstimate>,
    /// If adjusted: how many times as many games would say as much without that.
    pub factor: Option<f64>,
}

/// The decision in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A is better by the test.
    ABetter,
    /// A is not better by the test.
    ANotBetter,
    /// Not known yet.
    Undecided,
}

impl SprtRunReport {
    /// The verdict of the test.
    pub fn verdict(&self) -> Verdict {
        match self.status.decision {
            Decision::AcceptH1 => Verdict::ABetter,
            Decision::AcceptH0 => Verdict::ANotBetter,
            Decision::Continue => Verdict::Undecided,
        }
    }
}

/// Steps of a score into which adjusted scores are rounded: the test is done again after
/// every block, over all scores that differ.
const STEPS: f64 = 256.0;

/// Scores of blocks without luck, which may lie beyond 0 and 1.
struct AdjustedScores {
    games_per_block: f64,
    /// Blocks by score in steps.
    counts: BTreeMap<i64, u64>,
    plain: Moments,
    adjusted: Moments,
}

impl AdjustedScores {
    fn new(games_per_block: f64) -> AdjustedScores {
        AdjustedScores {
            games_per_block,
            counts: BTreeMap::new(),
            plain: Moments::default(),
            adjusted: Moments::default(),
        }
    }

    fn record(&mut self, plain: f64, luck: f64) {
        let score = plain - luck;
        self.plain.push(plain);
        self.adjusted.push(score);
        let steps = (STEPS * score).round() as i64;
        *self.counts.entry(steps).or_insert(0) += 1;
    }

    fn factor(&self) -> Option<f64> {
        let factor = self.plain.variance()? / self.adjusted.variance()?;
        factor.is_finite().then_some(factor)
    }
}

/// Blocks by score of A: pairs of games for two players, differences of A and B
/// against the field for more.
enum SprtCounts {
    Pairs(Pentanomial),
    Differences(ScoreCounts),
    /// Of two players or of A and B against the field, without luck.
    Adjusted(AdjustedScores),
}

impl SprtCounts {
    fn record(&mut self, block: &Block, luck: &[Vec<f64>]) {
        match self {
            SprtCounts::Adjusted(scores) if block.specs.len() == 2 => {
                scores.record(block.share(A), mean_luck(block, luck, A));
            }
            SprtCounts::Adjusted(scores) => {
                let plain = 0.5 + (block.share(A) - block.share(B)) / 2.0;
                let luck = |player| mean_luck(block, luck, player);
                scores.record(plain, (luck(A) - luck(B)) / 2.0);
            }
            // The points of a pair are quarters of the block's score.
            SprtCounts::Pairs(pairs) => pairs.0[(block.share(A) * 4.0).round() as usize] += 1,
            SprtCounts::Differences(scores) => {
                scores.record(score_from_difference(block.share(A) - block.share(B), 1.0));
            }
        }
    }

    fn n_blocks(&self) -> u64 {
        match self {
            SprtCounts::Pairs(pairs) => pairs.n_pairs(),
            SprtCounts::Differences(scores) => scores.n_blocks(),
            SprtCounts::Adjusted(scores) => scores.counts.values().sum(),
        }
    }

    fn factor(&self) -> Option<f64> {
        match self {
            SprtCounts::Adjusted(scores) => scores.factor(),
            SprtCounts::Pairs(_) | SprtCounts::Differences(_) => None,
        }
    }
}

impl BlockCounts for SprtCounts {
    fn cells(&self) -> Vec<(f64, f64)> {
        match self {
            SprtCounts::Pairs(pairs) => pairs.cells(),
            SprtCounts::Differences(scores) => scores.cells(),
            SprtCounts::Adjusted(scores) => {
                let cells = scores.counts.iter();
                cells
                    .map(|(steps, n)| (*steps as f64 / STEPS, *n as f64))
                    .collect()
            }
        }
    }

    fn games_per_block(&self) -> f64 {
        match self {
            SprtCounts::Pairs(pairs) => pairs.games_per_block(),
            SprtCounts::Differences(scores) => scores.games_per_block(),
            SprtCounts::Adjusted(scores) => scores.games_per_block,
        }
    }
}

/// The luck of a player in a game of a block, on average over the games that it played. All
/// of it is taken off: a fitted share would not be known before the test ends.
fn mean_luck(block: &Block, luck: &[Vec<f64>], player: usize) -> f64 {
    let games = block.games.iter().zip(luck);
    let of = |(game, luck): (&Played, &Vec<f64>)| {
        let seat = game.seat_of(player)?;
        Some(luck[seat.index()])
    };
    let sums: Vec<f64> = games.filter_map(of).collect();
    sums.iter().sum::<f64>() / sums.len().max(1) as f64
}

/// Numbers of the bots in a block; the field comes after them.
const A: usize = 0;
const B: usize = 1;

/// Plays a game and counts its luck, if that is asked for.
fn play_with_luck(
    setup: &GameSetup<'_>,
    number: GameNumber,
    is_adjusted: bool,
) -> Result<(Played, Vec<f64>), SpecError> {
    if !is_adjusted {
        let (played, ()) = unwatched::<_, SpecError>(setup, number)?;
        return Ok((played, Vec::new()));
    }
    let mut luck = ValueLuck::new(setup);
    let played = play_game(setup, &mut luck)?;
    let by_seat = setup.game.seats().map(|seat| luck.of(seat)).collect();
    Ok((played, by_seat))
}

impl SprtRun {
    /// Games in a block: each of A and B once in every seat. Two players play
    /// each other; with a field they take turns against it on the same deal.
    pub fn block_size(&self) -> u64 {
        let n = self.game.n_players() as u64;
        if n == 2 { 2 } else { 2 * n }
    }

    /// Runs the test until it is decided, the games are used up or `stop` is
    /// set.
    ///
    /// # Errors
    ///
    /// If a spec cannot be used.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: impl FnMut(&SprtRunReport),
    ) -> Result<SprtRunReport, SpecError> {
        self.run_adjusted(false, stop, progress)
    }

    /// The same test; if adjusted, on results without the luck of dice, cards and deals in
    /// win chance.
    ///
    /// # Errors
    ///
    /// If a spec cannot be used.
    pub fn run_adjusted(
        &self,
        is_adjusted: bool,
        stop: &AtomicBool,
        mut progress: impl FnMut(&SprtRunReport),
    ) -> Result<SprtRunReport, SpecError> {
        [&self.a, &self.b]
            .into_iter()
            .chain(&self.field)
            .try_for_each(|s| check(s, &self.game, &self.grants))?;
        let mut scores = if is_adjusted {
            SprtCounts::Adjusted(AdjustedScores::new(self.block_size() as f64))
        } else if self.game.n_players() == 2 {
            SprtCounts::Pairs(Pentanomial::default())
        } else {
            SprtCounts::Differences(ScoreCounts::new(self.block_size() as u32))
        };
        let (mut shares_a, mut shares_b) = (Moments::default(), Moments::default());
        let mut forfeits = [0, 0];
        let mut report = self.report(&scores, &shares_a, &shares_b, forfeits);
        let grounds = Grounds {
            game: &self.game,
            grants: &self.grants,
            n_threads: self.n_threads,
        };
        play_blocks(
            &grounds,
            0..self.max_games / self.block_size(),
            stop,
            |number| Ok(self.plan(number)),
            |setup, number| play_with_luck(setup, number, is_adjusted),
            |block, luck| {
                scores.record(&block, &luck);
                shares_a.push(block.share(A));
                shares_b.push(block.share(B));
                for player in block.games.iter().filter_map(Played::forfeiter) {
                    // The field comes after A and B.
                    if let Some(n) = forfeits.get_mut(player) {
                        *n += 1;
                    }
                }
                report = self.report(&scores, &shares_a, &shares_b, forfeits);
                progress(&report);
                Ok(match report.status.decision {
                    Decision::Continue => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                })
            },
        )?;
        Ok(report)
    }

    fn report(
        &self,
        scores: &SprtCounts,
        a: &Moments,
        b: &Moments,
        forfeits: [u64; 2],
    ) -> SprtRunReport {
        SprtRunReport {
            program: Program::current().clone(),
            games: scores.n_blocks() * self.block_size(),
            blocks: scores.n_blocks(),
            counts: scores.cells(),
            share_a: a.mean().unwrap_or(0.0),
            share_b: b.mean().unwrap_or(0.0),
            forfeits,
            status: self.sprt.status(scores),
            elo: elo_estimate(scores),
            factor: scores.factor(),
        }
    }

    /// A pair of games for two. For more, A and B take turns in every seat,
    /// with the same dice as long as they play the same moves.
    fn plan(&self, number: u64) -> Plan {
        let deal_seed = deal_seed(self.seed, "sprt", number);
        let n_seats = self.game.n_players();
        let mut players = vec![self.a.clone(), self.b.clone()];
        if n_seats == 2 {
            return Plan::rotated(deal_seed, players);
        }
        players.extend(self.field.iter().cloned());
        let field = (B as u8 + 1..players.len() as u8).cycle().take(n_seats - 1);
        let seated = |seat: usize, who: usize| {
            let mut order: Vec<u8> = field.clone().collect();
            order.insert(seat, who as u8);
            SeatOrder {
                players: order.into_iter().collect(),
                number: seat as u64,
            }
        };
        let games = (0..n_seats).flat_map(|seat| [seated(seat, A), seated(seat, B)]);
        Plan::new(deal_seed, players, games.collect())
    }
}
