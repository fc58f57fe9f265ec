//! A sequential test of two bots that stops by itself.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_bots::{Grants, Spec, SpecError, check};
use hegemon_core::{Game, PlayerId};
use serde::Serialize;

use crate::blocks::{deal_seed, game_seed, run_blocks};
use crate::game_loop::{Fixture, play_fixture};
use crate::sprt::{
    BlockCounts, Decision, EloEstimate, Pentanomial, ScoreCounts, Sprt, SprtStatus, elo_estimate,
    score_from_difference,
};
use crate::stats::Moments;

/// What to test.
#[derive(Clone, Debug)]
pub struct Duel {
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
    /// Stop undecided after so many games.
    pub max_games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads.
    pub n_threads: usize,
    /// What the players may reach.
    pub grants: Grants,
}

/// How far a test is, or how it ended.
#[derive(Clone, Debug)]
pub struct DuelReport {
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
    /// Log-likelihood ratio, bounds and decision.
    pub status: SprtStatus,
    /// Estimate of the difference, once there is one.
    pub elo: Option<EloEstimate>,
}

/// The words for a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// A is better by the test.
    ABetter,
    /// A is not better by the test.
    ANotBetter,
    /// Not known yet.
    Undecided,
}

impl DuelReport {
    /// What the test says.
    pub fn verdict(&self) -> Verdict {
        match self.status.decision {
            Decision::AcceptH1 => Verdict::ABetter,
            Decision::AcceptH0 => Verdict::ANotBetter,
            Decision::Continue => Verdict::Undecided,
        }
    }
}

/// Blocks by score of A: pairs of games for two players, differences of A and B
/// against the field for more.
enum DuelCounts {
    Pairs(Pentanomial),
    Differences(ScoreCounts),
}

impl DuelCounts {
    fn record(&mut self, block: &DuelBlock) {
        match self {
            // The points of a pair are quarters of the block's score.
            DuelCounts::Pairs(pairs) => pairs.0[(block.a * 4.0).round() as usize] += 1,
            DuelCounts::Differences(scores) => {
                scores.record(score_from_difference(block.a - block.b, 1.0));
            }
        }
    }

    fn n_blocks(&self) -> u64 {
        match self {
            DuelCounts::Pairs(pairs) => pairs.n_pairs(),
            DuelCounts::Differences(scores) => scores.n_blocks(),
        }
    }
}

impl BlockCounts for DuelCounts {
    fn cells(&self) -> Vec<(f64, f64)> {
        match self {
            DuelCounts::Pairs(pairs) => pairs.cells(),
            DuelCounts::Differences(scores) => scores.cells(),
        }
    }

    fn games_per_block(&self) -> f64 {
        match self {
            DuelCounts::Pairs(pairs) => pairs.games_per_block(),
            DuelCounts::Differences(scores) => scores.games_per_block(),
        }
    }
}

/// Scores of A and B in a block.
struct DuelBlock {
    a: f64,
    b: f64,
}

impl Duel {
    /// Games in a block: each of A and B once in every seat. Two players meet
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
        mut progress: impl FnMut(&DuelReport),
    ) -> Result<DuelReport, SpecError> {
        [&self.a, &self.b]
            .into_iter()
            .chain(&self.field)
            .try_for_each(|s| check(s, &self.game, &self.grants))?;
        let mut scores = if self.game.n_players() == 2 {
            DuelCounts::Pairs(Pentanomial::default())
        } else {
            DuelCounts::Differences(ScoreCounts::new(self.block_size() as u32))
        };
        let (mut shares_a, mut shares_b) = (Moments::default(), Moments::default());
        let mut report = self.report(&scores, &shares_a, &shares_b);
        let mut failure = None;
        let n_blocks = self.max_games / self.block_size();
        run_blocks(
            self.n_threads,
            0..n_blocks,
            stop,
            |block| self.play_block(block),
            |_, block| {
                match block {
                    Ok(block) => {
                        scores.record(&block);
                        shares_a.push(block.a);
                        shares_b.push(block.b);
                        report = self.report(&scores, &shares_a, &shares_b);
                        progress(&report);
                    }
                    Err(error) => failure = Some(error),
                }
                if failure.is_some() || report.status.decision != Decision::Continue {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        failure.map_or(Ok(report), Err)
    }

    fn report(&self, scores: &DuelCounts, a: &Moments, b: &Moments) -> DuelReport {
        DuelReport {
            games: scores.n_blocks() * self.block_size(),
            blocks: scores.n_blocks(),
            counts: scores.cells(),
            share_a: a.mean().unwrap_or(0.0),
            share_b: b.mean().unwrap_or(0.0),
            status: self.sprt.status(scores),
            elo: elo_estimate(scores),
        }
    }

    fn play_block(&self, block: u64) -> Result<DuelBlock, SpecError> {
        let deal_seed = deal_seed(self.seed, "sprt", block);
        let n = self.game.n_players();
        let mut totals = [0.0; 2];
        for seat in 0..n {
            let lineups: Vec<(usize, Vec<&Spec>)> = if n == 2 {
                vec![(0, self.seated(seat, &self.a, std::slice::from_ref(&self.b)))]
            } else {
                vec![
                    (0, self.seated(seat, &self.a, &self.field)),
                    (1, self.seated(seat, &self.b, &self.field)),
                ]
            };
            // A and B meet the same dice as long as they play the same.
            let seed = game_seed(deal_seed, seat as u64);
            for (who, specs) in lineups {
                let fixture = Fixture {
                    game: &self.game,
                    specs: &specs,
                    deal_seed,
                    seed,
                    grants: &self.grants,
                };
                let played = play_fixture(&fixture, &mut ())?;
                totals[who] += played.score[PlayerId::new(seat)] / n as f64;
                if n == 2 {
                    totals[1] += played.score[PlayerId::new(1 - seat)] / n as f64;
                }
            }
        }
        Ok(DuelBlock {
            a: totals[0],
            b: totals[1],
        })
    }

    /// The spec in a seat, the others around it in order.
    fn seated<'a>(&self, seat: usize, spec: &'a Spec, others: &'a [Spec]) -> Vec<&'a Spec> {
        let n = self.game.n_players();
        let around = others.iter().cycle().take(n - 1);
        let mut specs: Vec<&Spec> = around.collect();
        specs.insert(seat, spec);
        specs
    }
}
