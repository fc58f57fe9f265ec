//! Ratings of agents from wins and from placements, with errors over blocks.

use hegemon_arena::ratings::plackett_luce::{RankingTable, fit};
use hegemon_arena::ratings::{BatchRatings, RatingFitParams};
use hegemon_arena::share;
use hegemon_arena::stats::{Interval, Moments, share_ci95, t_quantile95};

use crate::experiment::LabError;

/// What a rating is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RatedBy {
    /// Who won. To survive without winning is worth nothing.
    Wins,
    /// The whole order.
    Placements,
}

/// The games of one block: who played, and the placements of every game.
#[derive(Clone, Debug)]
pub(crate) struct RatedBlock<'a> {
    /// Number of the deal; blocks of several line-ups may share one.
    pub(crate) deal: usize,
    /// The agents by player.
    pub(crate) agents: &'a [usize],
    /// Placements by player.
    pub(crate) games: &'a [Vec<u8>],
}

/// Elo ratings with mean 0 and their errors over blocks.
#[derive(Clone, Debug)]
pub(crate) struct BlockRatings {
    elo: Vec<f64>,
    half_widths: Vec<f64>,
}

/// Most groups of blocks that are left out in turn.
const MAX_GROUPS: usize = 40;

impl BlockRatings {
    /// The ratings from all blocks. Errors are those of a jackknife that leaves out
    /// groups of blocks, since games of one deal depend on each other (P. S. Kott,
    /// "The delete-a-group jackknife", Journal of Official Statistics 17, 2001).
    pub(crate) fn fit(
        blocks: &[RatedBlock<'_>],
        n_agents: usize,
        by: RatedBy,
    ) -> Result<BlockRatings, LabError> {
        let n_deals = blocks.iter().map(|block| block.deal + 1).max();
        let n_groups = n_deals.unwrap_or(0).clamp(1, MAX_GROUPS);
        let mut groups = vec![RankingTable::new(n_agents); n_groups];
        for block in blocks {
            record(&mut groups[block.deal % n_groups], block, by)?;
        }
        let all = rate(groups.iter(), n_agents)?;
        let mut moments = vec![Moments::default(); n_agents];
        for left_out in 0..n_groups {
            let rest = groups.iter().enumerate().filter(|(n, _)| *n != left_out);
            let rest = rate(rest.map(|(_, group)| group), n_agents)?;
            for (moments, &elo) in moments.iter_mut().zip(rest.elo()) {
                moments.push(elo);
            }
        }
        let g = n_groups as f64;
        let half_width = |moments: &Moments| {
            // The deviations of g leave-one-out estimates, scaled to one estimate.
            let deviation = moments.variance().map(f64::sqrt);
            deviation.map_or(f64::INFINITY, |s| {
                t_quantile95(g - 1.0) * s * (g - 1.0) / g.sqrt()
            })
        };
        Ok(BlockRatings {
            elo: all.elo().to_vec(),
            half_widths: moments.iter().map(half_width).collect(),
        })
    }

    /// The rating of an agent.
    pub(crate) fn elo(&self, agent: usize) -> f64 {
        self.elo[agent]
    }

    /// Its 95 % interval over blocks; `None` if there are too few blocks for one, or all
    /// say the same.
    pub(crate) fn interval(&self, agent: usize) -> Option<Interval> {
        let half = self.half_widths[agent];
        (half.is_finite() && half > 1e-6).then(|| Interval::around(self.elo[agent], half))
    }

    /// The agents, best first.
    pub(crate) fn best_first(&self) -> Vec<usize> {
        let mut best: Vec<usize> = (0..self.elo.len()).collect();
        best.sort_by(|&a, &b| self.elo[b].total_cmp(&self.elo[a]));
        best
    }
}

fn record(table: &mut RankingTable, block: &RatedBlock<'_>, by: RatedBy) -> Result<(), LabError> {
    for places in block.games {
        let ranks: Vec<u32> = places.iter().map(|&place| place.into()).collect();
        let recorded = match by {
            RatedBy::Wins => table.record_win(block.agents, &ranks),
            RatedBy::Placements => table.record(block.agents, &ranks),
        };
        recorded.map_err(|error| LabError::Broken(error.to_string()))?;
    }
    Ok(())
}

fn rate<'a>(
    groups: impl Iterator<Item = &'a RankingTable>,
    n_agents: usize,
) -> Result<BatchRatings, LabError> {
    let mut table = RankingTable::new(n_agents);
    groups.for_each(|group| table.merge(group));
    fit(&table, &RatingFitParams::default()).map_err(|error| LabError::Broken(error.to_string()))
}

/// Games, wins and placements of one agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentTally {
    /// Games played.
    pub(crate) n_games: u64,
    shares: Moments,
    places: f64,
}

impl AgentTally {
    /// Adds a block in which the agent was this player.
    pub(crate) fn add(&mut self, block: &RatedBlock<'_>, player: usize) {
        let games = block.games;
        if games.is_empty() {
            return;
        }
        let wins: f64 = games.iter().map(|places| share(places, player)).sum();
        self.shares.push(wins / games.len() as f64);
        self.n_games += games.len() as u64;
        self.places += games.iter().map(|p| f64::from(p[player])).sum::<f64>();
    }

    /// Share of the wins with its 95 % interval over blocks.
    pub(crate) fn share(&self) -> Option<(f64, Interval)> {
        Some((self.shares.mean()?, share_ci95(&self.shares)))
    }

    /// Mean placement.
    pub(crate) fn mean_place(&self) -> f64 {
        self.places / self.n_games.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agent 0 is never first and never last; agent 1 wins a fifth and is last
    /// otherwise.
    fn survivor_and_winner() -> Vec<Vec<Vec<u8>>> {
        let game = |n: usize| match n % 5 {
            0 => vec![2, 1, 3],
            _ => vec![2, 3, 1],
        };
        (0..60).map(|block| vec![game(block)]).collect()
    }

    #[test]
    fn a_survivor_who_never_wins_stands_below_one_who_wins_a_fifth() {
        let games = survivor_and_winner();
        let agents = [0, 1, 2];
        let blocks: Vec<RatedBlock<'_>> = games
            .iter()
            .enumerate()
            .map(|(deal, games)| RatedBlock {
                deal,
                agents: &agents,
                games,
            })
            .collect();
        let wins = BlockRatings::fit(&blocks, 3, RatedBy::Wins).expect("rated");
        assert_eq!(wins.best_first(), [2, 1, 0]);
        let places = BlockRatings::fit(&blocks, 3, RatedBy::Placements).expect("rated");
        assert_eq!(places.best_first(), [2, 0, 1]);
        let mut tally = AgentTally::default();
        blocks.iter().for_each(|block| tally.add(block, 1));
        let (share, interval) = tally.share().expect("games");
        assert!((share - 0.2).abs() < 1e-12 && interval.contains(0.2));
        assert!((tally.mean_place() - 2.6).abs() < 1e-12);
    }

    #[test]
    fn games_of_one_deal_count_once() {
        // The same sixty blocks, each game four times in its block: four times the
        // games say nothing more.
        let games = survivor_and_winner();
        let often: Vec<Vec<Vec<u8>>> = games
            .iter()
            .map(|block| vec![block[0].clone(); 4])
            .collect();
        let agents = [0, 1, 2];
        let widths = [&games, &often].map(|games| {
            let blocks: Vec<RatedBlock<'_>> = games
                .iter()
                .enumerate()
                .map(|(deal, games)| RatedBlock {
                    deal,
                    agents: &agents,
                    games,
                })
                .collect();
            let ratings = BlockRatings::fit(&blocks, 3, RatedBy::Wins).expect("rated");
            ratings.interval(2).expect("enough blocks").half_width()
        });
        // The prior of one virtual draw weighs less in four times the games.
        assert!((0.8..1.6).contains(&(widths[1] / widths[0])), "{widths:?}");
    }

    #[test]
    fn without_blocks_there_is_no_interval() {
        let ratings = BlockRatings::fit(&[], 2, RatedBy::Wins).expect("the prior alone");
        assert_eq!((ratings.elo(0), ratings.interval(0)), (0.0, None));
    }
}
