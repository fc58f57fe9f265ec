//! Every pair of some agents, and their ratings.

use std::sync::Arc;

use hegemon_arena::ratings::PairResult;
use hegemon_arena::ratings::glicko2::{Glicko2Params, Glicko2Rating, rate_game};
use hegemon_arena::ratings::pairing::z_score;

use crate::block_ratings::{BlockRatings, RatedBlock, RatedBy};
use crate::experiment::{Cell, LabError, Results, RunSetting};
use crate::matches::{ChunkedMatch, Endings, MapAndRules, MatchResult};
use crate::other_means::{OtherCommand, RepeatableRow};
use crate::repeated_match::written_blocks;
use crate::section::Text;

/// An agent of a round robin.
#[derive(Clone, Debug)]
pub(crate) struct Agent {
    /// Its name in ids of published rows.
    pub(crate) id: String,
    /// Its name in print.
    pub(crate) name: String,
    pub(crate) spec: String,
    /// Processor seconds of its part of a game.
    pub(crate) seconds: f64,
    /// Most games of a pair that it is in.
    pub(crate) n_games: u64,
}

/// Every pair of some agents.
pub(crate) struct RoundRobin {
    pub(crate) agents: Vec<Agent>,
    /// Row and column of each match.
    pub(crate) pairs: Vec<(usize, usize)>,
    pub(crate) matches: Vec<ChunkedMatch>,
}

impl RoundRobin {
    /// Every pair of the agents.
    pub(crate) fn new(table: &MapAndRules, agents: Vec<Agent>) -> Result<RoundRobin, LabError> {
        let mut pairs = Vec::new();
        let mut matches = Vec::new();
        for (i, a) in agents.iter().enumerate() {
            for (j, b) in agents.iter().enumerate().skip(i + 1) {
                pairs.push((i, j));
                let specs = [&a.spec, &b.spec];
                let n_games = a.n_games.min(b.n_games);
                matches.push(ChunkedMatch::new(
                    table,
                    &specs,
                    n_games,
                    a.seconds + b.seconds,
                )?);
            }
        }
        Ok(RoundRobin {
            agents,
            pairs,
            matches,
        })
    }

    pub(crate) fn cells(&self, setting: RunSetting) -> Result<Vec<Cell>, LabError> {
        let mut cells = Vec::new();
        for one in &self.matches {
            cells.extend(one.cells(setting)?);
        }
        Ok(cells)
    }

    pub(crate) fn read(&self, results: &Results) -> Result<Games, LabError> {
        let read = self.matches.iter().map(|one| one.read(results));
        Ok(self.games(read.collect::<Result<_, _>>()?))
    }

    fn games(&self, results: Vec<MatchResult>) -> Games {
        Games {
            n_agents: self.agents.len(),
            pairs: self.pairs.clone(),
            results,
        }
    }

    /// The rows of all agents in a table of their ratings, from games that `hegemon match` plays.
    pub(crate) fn rated_again(
        self,
        setting: RunSetting,
        table: &str,
        columns: [&'static str; 2],
        texts: fn(&BlockRatings, usize) -> Vec<String>,
    ) -> Vec<RepeatableRow> {
        let commands = self.matches.iter().map(|one| one.block_command(setting));
        let commands: Vec<OtherCommand> = commands.collect();
        let seconds = self
            .matches
            .iter()
            .map(ChunkedMatch::expected_seconds)
            .sum();
        let robin = Arc::new(self);
        let row = |agent: usize| {
            let name = Text::from(robin.agents[agent].name.as_str());
            let row = RepeatableRow::new(table, [name], commands.clone(), seconds);
            let robin = Arc::clone(&robin);
            row.comparing(&columns, move |answers| {
                let played = answers.iter().map(written_blocks);
                let games = robin.games(played.collect::<Result<_, _>>()?);
                Ok(texts(&games.elo()?, agent))
            })
        };
        (0..robin.agents.len()).map(row).collect()
    }
}

/// The games of a round robin.
pub(crate) struct Games {
    n_agents: usize,
    pairs: Vec<(usize, usize)>,
    pub(crate) results: Vec<MatchResult>,
}

impl Games {
    pub(crate) fn n_games(&self) -> u64 {
        self.results.iter().map(MatchResult::n_games).sum()
    }

    /// Games of one agent.
    pub(crate) fn n_games_of(&self, agent: usize) -> u64 {
        let of = self.pairs.iter().zip(&self.results);
        let of = of.filter(|((i, j), _)| *i == agent || *j == agent);
        of.map(|(_, result)| result.n_games()).sum()
    }

    /// Ratings as in the paper: 1500 / 350, no volatility, a period for each
    /// game. All pairs take turns, block by block.
    pub(crate) fn glicko(&self) -> Vec<Glicko2Rating> {
        let mut ratings = vec![Glicko2Rating::FROZEN; self.n_agents];
        let n_blocks = self.results.iter().map(|r| r.blocks.len()).max();
        for block in 0..n_blocks.unwrap_or(0) {
            for (&(i, j), result) in self.pairs.iter().zip(&self.results) {
                for places in result.blocks.get(block).into_iter().flatten() {
                    let pair_result = PairResult::from_ranks(places[0].into(), places[1].into());
                    let params = Glicko2Params::FROZEN;
                    let (a, b) = rate_game(&ratings[i], &ratings[j], pair_result, &params);
                    (ratings[i], ratings[j]) = (a, b);
                }
            }
        }
        ratings
    }

    /// The same ratings if the pair with the smallest z-score of its ratings always plays
    /// next, as the paper describes, until that pair has no game left; the first pair is the
    /// first of those that never played. The games are those of the round robin, taken in
    /// order, and the number of games played comes with the ratings.
    pub(crate) fn glicko_by_z_score(&self) -> (Vec<Glicko2Rating>, u64) {
        let mut ratings = vec![Glicko2Rating::FROZEN; self.n_agents];
        let games: Vec<Vec<&Vec<u8>>> = self
            .results
            .iter()
            .map(|result| result.blocks.iter().flatten().collect())
            .collect();
        let mut played = vec![0; games.len()];
        let mut n_games = 0;
        loop {
            let z = |pair: &usize| {
                let (i, j) = self.pairs[*pair];
                z_score(&ratings[i], &ratings[j])
            };
            let next = (0..games.len()).min_by(|a, b| {
                let never = |pair: &usize| played[*pair] > 0;
                never(a).cmp(&never(b)).then(z(a).total_cmp(&z(b)))
            });
            let places = next.and_then(|pair| games[pair].get(played[pair]).map(|g| (pair, *g)));
            let Some((pair, places)) = places else {
                return (ratings, n_games);
            };
            played[pair] += 1;
            n_games += 1;
            let (i, j) = self.pairs[pair];
            let result = PairResult::from_ranks(places[0].into(), places[1].into());
            let (a, b) = rate_game(&ratings[i], &ratings[j], result, &Glicko2Params::FROZEN);
            (ratings[i], ratings[j]) = (a, b);
        }
    }

    /// How the games ended.
    pub(crate) fn endings(&self) -> Endings {
        Endings::of(&self.results)
    }

    /// Ratings from all games at once, with errors over blocks.
    pub(crate) fn elo(&self) -> Result<BlockRatings, LabError> {
        let pairs: Vec<[usize; 2]> = self.pairs.iter().map(|&(i, j)| [i, j]).collect();
        let mut blocks = Vec::new();
        for (agents, result) in pairs.iter().zip(&self.results) {
            let deals = result.blocks.iter().enumerate();
            blocks.extend(deals.map(|(deal, games)| RatedBlock {
                deal,
                agents,
                games,
            }));
        }
        BlockRatings::fit(&blocks, self.n_agents, RatedBy::Wins)
    }
}
