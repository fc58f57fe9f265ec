//! Matches as cells: each cell is a few blocks of one match.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::stats::{Interval, Moments, share_ci95};
use hegemon_arena::{Block, Match, play_blocks, seat_orders, share, unwatched};
use hegemon_bots::Spec;
use hegemon_core::{Game, Map, Rules, Termination};

use crate::experiment::{Cell, LabError, Results, RunSetting, Scale};
use crate::other_means::OtherCommand;
use crate::section::{Text, number};
use crate::shipped_files;

/// The file of the map as the program of Brand and Kroon 2014 has it: the numbers of border
/// connections as bonuses, and no connection between Great Britain and Western Europe
/// (docs/spec/sampling.md 5.8).
pub(crate) const PROGRAM_MAP: &str = "crates/hegemon-lab/data/classic-v1.1.json";

/// Rounds of a game at the smallest scale, where searching agents play it.
pub(crate) const SMOKE_ROUNDS: u32 = 5;

/// Map and rules, as values and as arguments of a command.
#[derive(Clone, Debug)]
pub(crate) struct MapAndRules {
    map: String,
    preset: String,
    rules: Rules,
    /// The changes of the preset, named as for `--set`.
    changes: Vec<String>,
}

impl MapAndRules {
    /// A preset on a map.
    pub(crate) fn new(map: &str, preset: &str) -> Result<MapAndRules, LabError> {
        let rules = Rules::preset(preset)
            .ok_or_else(|| LabError::Broken(format!("there is no preset \"{preset}\"")))?;
        Ok(MapAndRules {
            map: map.to_owned(),
            preset: preset.to_owned(),
            rules,
            changes: Vec::new(),
        })
    }

    /// The same with a change, named as for `--set`.
    pub(crate) fn with(mut self, name: &str, change: impl FnOnce(&mut Rules)) -> MapAndRules {
        change(&mut self.rules);
        self.changes.push(name.to_owned());
        self
    }

    /// The arguments of a command, as keys of cells name them.
    fn arguments(&self) -> String {
        let changes = self.changes.iter();
        let changes: String = changes.map(|change| format!(" --set '{change}'")).collect();
        format!("--map {} --rules {}{changes}", self.map, self.preset)
    }

    /// The same, word by word.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = ["--map", &self.map, "--rules", &self.preset]
            .map(str::to_owned)
            .to_vec();
        for change in &self.changes {
            words.extend(["--set".to_owned(), change.clone()]);
        }
        words
    }

    /// The same with an end after this many rounds, when the most territories win.
    pub(crate) fn limited_to(self, rounds: u32) -> MapAndRules {
        self.with(&format!("end.turn-limit={rounds}"), |rules| {
            rules.end.turn_limit = Some(rounds);
        })
    }

    /// The same; at the smallest scale games end after a few rounds, since it shows only that they are played.
    pub(crate) fn shortened(self, scale: Scale) -> MapAndRules {
        match scale {
            Scale::Smoke => self.limited_to(SMOKE_ROUNDS),
            Scale::Quick | Scale::Paper => self,
        }
    }

    pub(crate) fn game(&self, n_players: usize) -> Result<Arc<Game>, LabError> {
        let missing = || LabError::Broken(format!("there is no map \"{}\"", self.map));
        let map = match self.map.as_str() {
            PROGRAM_MAP => Map::from_json(include_str!("../data/classic-v1.1.json")).ok(),
            name => Map::builtin(name),
        };
        let map = map.ok_or_else(missing)?;
        Ok(Game::new(map, self.rules.clone(), n_players)?)
    }
}

/// A match that is played in cells.
#[derive(Clone, Debug)]
pub(crate) struct ChunkedMatch {
    table: MapAndRules,
    specs: Vec<Spec>,
    first_block: u64,
    n_blocks: u64,
    /// Blocks in a cell.
    chunk: u64,
    seconds_per_game: f64,
}

impl ChunkedMatch {
    /// At least `n_games` games between the specs, split into cells of a few seconds.
    pub(crate) fn new<S: AsRef<str>>(
        table: &MapAndRules,
        specs: &[S],
        n_games: u64,
        seconds_per_game: f64,
    ) -> Result<ChunkedMatch, LabError> {
        const CELL_SECONDS: f64 = 12.0;
        let specs = specs
            .iter()
            .map(|text| text.as_ref().parse())
            .collect::<Result<Vec<Spec>, _>>()?;
        let block_size = seat_orders(specs.len()).len() as u64;
        let block_seconds = seconds_per_game * block_size as f64;
        Ok(ChunkedMatch {
            table: table.clone(),
            specs,
            first_block: 0,
            n_blocks: n_games.div_ceil(block_size),
            chunk: ((CELL_SECONDS / block_seconds) as u64).max(1),
            seconds_per_game,
        })
    }

    /// The match from another deal on.
    pub(crate) fn starting_at(mut self, first_block: u64) -> ChunkedMatch {
        self.first_block = first_block;
        self
    }

    fn ranges(&self) -> impl Iterator<Item = Range<u64>> + '_ {
        let end = self.first_block + self.n_blocks;
        (self.first_block..end)
            .step_by(self.chunk as usize)
            .map(move |first| first..(first + self.chunk).min(end))
    }

    fn key(&self, blocks: &Range<u64>) -> String {
        let specs: Vec<String> = self.specs.iter().map(ToString::to_string).collect();
        format!(
            "{} {} blocks {}..{}",
            specs.join(" v "),
            self.table.arguments(),
            blocks.start,
            blocks.end
        )
    }

    fn bot_match(&self, setting: RunSetting) -> Result<Match, LabError> {
        Ok(Match {
            game: self.table.game(self.specs.len())?,
            specs: self.specs.clone(),
            n_games: self.n_games(),
            seed: setting.seed,
            n_threads: 1,
            grants: shipped_files::grants(),
            records: None,
        })
    }

    /// Plays all of it at once; `None` if it was stopped.
    pub(crate) fn play(
        &self,
        setting: RunSetting,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Block>>, LabError> {
        let blocks = self.first_block..self.first_block + self.n_blocks;
        play(&self.bot_match(setting)?, blocks, stop)
    }

    /// The cells of the match. Games are those of `hegemon match` with the seed.
    pub(crate) fn cells(&self, setting: RunSetting) -> Result<Vec<Cell>, LabError> {
        let bot_match = Arc::new(self.bot_match(setting)?);
        let cell = |blocks: Range<u64>| {
            let n_games = (blocks.end - blocks.start) * bot_match.block_size();
            let bot_match = Arc::clone(&bot_match);
            Cell::new(
                self.key(&blocks),
                n_games as f64 * self.seconds_per_game,
                move |stop: &AtomicBool| play(&bot_match, blocks.clone(), stop),
            )
        };
        Ok(self.ranges().map(cell).collect())
    }

    /// The stored part of the match.
    pub(crate) fn read(&self, results: &Results) -> Result<MatchResult, LabError> {
        let mut blocks = Vec::new();
        for range in self.ranges() {
            let stored: Option<Vec<Block>> = results.get(&self.key(&range))?;
            blocks.extend(stored.into_iter().flatten());
        }
        Ok(MatchResult::of(&blocks))
    }

    /// Processor seconds that the stored part of the match took.
    pub(crate) fn seconds(&self, results: &Results) -> f64 {
        let of = |range: Range<u64>| results.seconds.get(&self.key(&range));
        self.ranges().filter_map(of).sum()
    }

    /// Processor milliseconds of a round: of a turn of an agent that searches, since the others take
    /// next to no time.
    pub(crate) fn turn_ms(&self, results: &Results) -> Result<Text, LabError> {
        let result = self.read(results)?;
        let n_turns = result.mean_rounds() * result.n_games() as f64;
        let ms = 1000.0 * self.seconds(results) / n_turns;
        Ok(match n_turns > 0.0 {
            true => Text::Timed(number(ms, 1)),
            false => Text::from("–"),
        })
    }

    /// Whether another match is played by the same agents under the same rules.
    pub(crate) fn is_same_as(&self, other: &ChunkedMatch) -> bool {
        self.specs == other.specs && self.table.arguments() == other.table.arguments()
    }

    /// The first player.
    pub(crate) fn first_spec(&self) -> String {
        self.specs
            .first()
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    /// Games of a deal.
    fn block_size(&self) -> u64 {
        seat_orders(self.specs.len()).len() as u64
    }

    pub(crate) fn n_games(&self) -> u64 {
        self.n_blocks * self.block_size()
    }

    /// Expected processor seconds of all games.
    pub(crate) fn expected_seconds(&self) -> f64 {
        self.n_games() as f64 * self.seconds_per_game
    }

    /// The command that plays these games and prints their result.
    pub(crate) fn command(&self, setting: RunSetting) -> OtherCommand {
        match self.first_block {
            0 => OtherCommand::new(self.match_words(self.n_games(), setting)),
            _ => self.block_command(setting),
        }
    }

    /// The command that plays these games and writes their blocks.
    pub(crate) fn block_command(&self, setting: RunSetting) -> OtherCommand {
        let end = self.first_block + self.n_blocks;
        let mut words = self.match_words(end * self.block_size(), setting);
        words.extend([
            "--blocks".to_owned(),
            format!("{}..{end}", self.first_block),
        ]);
        OtherCommand::new(words).writing("part.json")
    }

    fn match_words(&self, n_games: u64, setting: RunSetting) -> Vec<String> {
        let mut words = vec!["match".to_owned()];
        words.extend(self.specs.iter().map(ToString::to_string));
        words.extend(self.table.words());
        words.extend(["--games".to_owned(), n_games.to_string()]);
        words.extend(["--seed".to_owned(), setting.seed.to_string()]);
        words
    }
}

fn play(
    bot_match: &Match,
    blocks: Range<u64>,
    stop: &AtomicBool,
) -> Result<Option<Vec<Block>>, LabError> {
    let mut done = Vec::new();
    play_blocks(
        &bot_match.grounds(),
        blocks,
        stop,
        |number| Ok(bot_match.plan(number, &bot_match.specs)),
        unwatched::<_, LabError>,
        |block, _| {
            done.push(block);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    let is_cut = stop.load(Ordering::Relaxed);
    Ok((!is_cut).then_some(done))
}

/// Results of a match.
#[derive(Clone, Debug)]
pub(crate) struct MatchResult {
    /// Placement by player, of every game of every block.
    pub(crate) blocks: Vec<Vec<Vec<u8>>>,
    /// How the games ended.
    pub(crate) endings: Endings,
    rounds: u64,
}

/// How many games ended in which way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Endings {
    by_name: BTreeMap<&'static str, u64>,
    n_forfeits: u64,
}

impl Endings {
    fn add(&mut self, termination: Termination) {
        *self.by_name.entry(termination.name()).or_default() += 1;
        self.n_forfeits += u64::from(termination.loser().is_some());
    }

    /// Adds the endings of other games.
    pub(crate) fn merge(&mut self, other: &Endings) {
        for (name, n) in &other.by_name {
            *self.by_name.entry(name).or_default() += n;
        }
        self.n_forfeits += other.n_forfeits;
    }

    /// The endings of several matches.
    pub(crate) fn of<'a>(results: impl IntoIterator<Item = &'a MatchResult>) -> Endings {
        let mut all = Endings::default();
        results.into_iter().for_each(|r| all.merge(&r.endings));
        all
    }
}

impl fmt::Display for Endings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.by_name.is_empty() {
            return Ok(());
        }
        let part = |(name, n): (&&str, &u64)| format!("{} {n}", name.replace('-', " "));
        let parts: Vec<String> = self.by_name.iter().map(part).collect();
        write!(f, "ended by {}", parts.join(", "))?;
        match self.n_forfeits {
            0 => f.write_str("; no forfeits"),
            n => write!(f, "; {n} forfeits"),
        }
    }
}

impl MatchResult {
    /// The results of these blocks.
    pub(crate) fn of(blocks: &[Block]) -> MatchResult {
        let mut result = MatchResult {
            blocks: Vec::new(),
            endings: Endings::default(),
            rounds: 0,
        };
        blocks.iter().for_each(|block| result.add(block));
        result
    }

    fn add(&mut self, block: &Block) {
        let games = block.games.iter();
        self.rounds += games
            .clone()
            .map(|game| u64::from(game.rounds))
            .sum::<u64>();
        for game in games.clone() {
            self.endings.add(game.termination);
        }
        self.blocks
            .push(games.map(|game| game.places_by_player().to_vec()).collect());
    }

    /// Games played.
    pub(crate) fn n_games(&self) -> u64 {
        self.blocks.iter().map(|block| block.len() as u64).sum()
    }

    /// Share of the wins of a player in each block.
    pub(crate) fn block_shares(&self, player: usize) -> impl Iterator<Item = f64> + '_ {
        self.blocks.iter().map(move |block| {
            let wins: f64 = block.iter().map(|places| share(places, player)).sum();
            wins / block.len() as f64
        })
    }

    /// Share of the wins of a player with its interval over blocks; `None`
    /// before the first block.
    pub(crate) fn share(&self, player: usize) -> Option<(f64, Interval)> {
        let shares: Moments = self.block_shares(player).collect();
        // Counted as the arena does: a mean of shares is off in its last digit, and a share between two tenths would be
        // rounded by that.
        let games = self.blocks.iter().flatten();
        let wins: f64 = games.map(|places| share(places, player)).sum();
        (shares.n() > 0).then(|| (wins / self.n_games() as f64, share_ci95(&shares)))
    }

    /// Share of the games in which the first player came in at such a place, with its interval
    /// over blocks; `None` before the first block.
    pub(crate) fn placed(&self, is_counted: impl Fn(u8) -> bool) -> Option<(f64, Interval)> {
        let of_block = |block: &Vec<Vec<u8>>| {
            let n = block.iter().filter(|places| is_counted(places[0])).count();
            n as f64 / block.len() as f64
        };
        let shares: Moments = self.blocks.iter().map(of_block).collect();
        Some((shares.mean()?, share_ci95(&shares)))
    }

    /// How much larger the first player's share is than in another match on the same deals:
    /// the mean over deals with its interval, `None` if they share fewer than two.
    pub(crate) fn gain_over(&self, other: &MatchResult) -> Option<(f64, Interval)> {
        let pairs = self.block_shares(0).zip(other.block_shares(0));
        let gains: Moments = pairs.map(|(ours, theirs)| ours - theirs).collect();
        let estimate = gains.estimate()?;
        Some((estimate.mean, estimate.ci95?))
    }

    /// Mean placement of a player.
    pub(crate) fn mean_place(&self, player: usize) -> f64 {
        let games = self.blocks.iter().flatten();
        let sum: f64 = games.map(|places| f64::from(places[player])).sum();
        sum / self.n_games().max(1) as f64
    }

    /// Mean number of rounds.
    pub(crate) fn mean_rounds(&self) -> f64 {
        self.rounds as f64 / self.n_games().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_to_the_last_digit() {
        const N_BLOCKS: usize = 500;
        for n_wins in 0..4 * N_BLOCKS {
            let block = |number: usize| {
                let won = n_wins / N_BLOCKS + usize::from(number < n_wins % N_BLOCKS);
                let game = |game: usize| if game < won { vec![1, 2] } else { vec![2, 1] };
                (0..4).map(game).collect()
            };
            let result = MatchResult {
                blocks: (0..N_BLOCKS).map(block).collect(),
                endings: Endings::default(),
                rounds: 0,
            };
            let (share, _) = result.share(0).expect("games");
            assert_eq!(
                share.to_bits(),
                (n_wins as f64 / 2000.0).to_bits(),
                "{n_wins}"
            );
        }
    }
}
