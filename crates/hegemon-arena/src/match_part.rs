//! Some blocks of a match, played by one process of many, and the result of all of
//! them together. Blocks are pure functions of their number, so it does not matter who
//! played which, or that one was played twice.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use hegemon_bots::Spec;
use hegemon_core::{MAX_PLAYERS, json_fault};
use hegemon_record::Program;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::blocks::game_seed;
use crate::matches::{Match, MatchError, MatchReport, Tally, match_plan};
use crate::plan::SeatOrder;
use crate::played::{Block, Played};
use crate::row_sum::RowSum;
use crate::value_luck::Adjust;

/// The version of the text.
const FORMAT: u32 = 1;

/// Some blocks of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchPart {
    /// The version of the text.
    #[serde(rename = "hegemon-match-part")]
    format: u32,
    /// What the parts of one match have in common.
    #[serde(rename = "match")]
    pub identity: MatchIdentity,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
    /// The checksum of both.
    sum: String,
}

/// What the parts of one match have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchIdentity {
    /// Name of the map.
    pub map: String,
    /// Hash of map, rules and number of players.
    pub game_hash: String,
    /// The players.
    pub specs: Vec<Spec>,
    /// Seed of everything.
    pub seed: u64,
    /// Blocks of the whole match.
    pub n_blocks: u64,
    /// The program that played.
    pub program: Program,
}

/// Why parts do not make a match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MergeError {
    /// The text is something else.
    #[error("it is not a part of a match: {0}")]
    NotAPart(String),
    /// It was written by a later version.
    #[error("it is a part in format {0}, and this program reads format {FORMAT}")]
    OtherFormat(u32),
    /// It is not as it was written.
    #[error("it is damaged: its checksum is not that of its content")]
    Damaged,
    /// There is nothing to merge.
    #[error("there is no part to merge")]
    Nothing,
    /// Two parts are not of one match.
    #[error("part {n} is of another match: its {what} differs")]
    OtherMatch {
        /// Which, from 1.
        n: usize,
        /// The first thing that differs.
        what: &'static str,
    },
    /// Two parts claim different results for one block.
    #[error("block {0} is in two parts with different results")]
    Contradiction(u64),
    /// A block is not of this match.
    #[error("block {number} is not one of the {n_blocks} blocks of the match")]
    Beyond {
        number: u64,
        /// How many there are.
        n_blocks: u64,
    },
    /// A block is not the one that the match has under its number.
    #[error("block {0} is not what this match plays under that number")]
    Foreign(u64),
    /// Blocks are missing.
    #[error("{n} of {n_blocks} blocks are missing, the first is block {first}")]
    Missing {
        /// How many.
        n: u64,
        /// How many there should be.
        n_blocks: u64,
        /// The first missing one.
        first: u64,
    },
}

impl MatchPart {
    /// Plays the blocks with these numbers; those beyond the match are left out. After a
    /// stop it has the blocks finished by then.
    ///
    /// # Errors
    ///
    /// If a spec cannot be used or a record cannot be written.
    pub fn play(
        of: &Match,
        numbers: Range<u64>,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<MatchPart, MatchError> {
        of.check()?;
        let mut blocks = Vec::new();
        let numbers = numbers.start..numbers.end.min(of.n_blocks());
        of.play_range(numbers, stop, |block| {
            blocks.push(block);
            progress(blocks.len() as u64);
        })?;
        let identity = MatchIdentity {
            map: of.game.map().name().to_owned(),
            game_hash: format!("{:016x}", of.game.hash()),
            specs: of.specs.clone(),
            seed: of.seed,
            n_blocks: of.n_blocks(),
            program: Program::current().clone(),
        };
        Ok(MatchPart {
            format: FORMAT,
            sum: digest(&identity, &blocks),
            identity,
            blocks,
        })
    }

    /// Reads a part.
    ///
    /// # Errors
    ///
    /// If the text is not a part, or not as it was written.
    pub fn parse(text: &str) -> Result<MatchPart, MergeError> {
        let part: MatchPart = serde_json::from_str(text)
            .map_err(|error| MergeError::NotAPart(json_fault(text, &error)))?;
        if part.format != FORMAT {
            Err(MergeError::OtherFormat(part.format))
        } else if part.sum != digest(&part.identity, &part.blocks) {
            Err(MergeError::Damaged)
        } else {
            Ok(part)
        }
    }

    /// The part as one line of JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn digest(identity: &MatchIdentity, blocks: &[Block]) -> String {
    let mut sum = RowSum::new("match-part");
    sum.add_text(&serde_json::to_vec(identity).unwrap_or_default());
    sum.add_text(&serde_json::to_vec(blocks).unwrap_or_default());
    sum.digits()
}

impl MatchIdentity {
    /// Whether the match plays this block under its number, and its results can be counted.
    fn plays(&self, block: &Block) -> bool {
        let n_players = self.specs.len();
        if n_players > MAX_PLAYERS {
            return false;
        }
        let plan = match_plan(self.seed, block.number, &self.specs);
        let is_planned = |(game, order): (&Played, &SeatOrder)| {
            let is_place = |&place: &u8| (1..=n_players).contains(&usize::from(place));
            game.seats == order.players
                && game.seed == game_seed(plan.deal_seed, order.number)
                && game.places.len() == n_players
                && game.places.iter().all(is_place)
                && game.n_winners() > 0
                && game.luck.len() == n_players
        };
        block.deal_seed == plan.deal_seed
            && block.specs == self.specs
            && block.program == self.program
            && block.games.len() == plan.games.len()
            && block.games.iter().zip(&plan.games).all(is_planned)
    }

    /// The first thing that differs.
    fn difference(&self, other: &MatchIdentity) -> Option<&'static str> {
        let same = [
            ("map", self.map == other.map),
            ("game", self.game_hash == other.game_hash),
            ("players", self.specs == other.specs),
            ("seed", self.seed == other.seed),
            ("number of games", self.n_blocks == other.n_blocks),
            ("program", self.program == other.program),
        ];
        same.into_iter()
            .find(|(_, is_same)| !is_same)
            .map(|(what, _)| what)
    }
}

/// The report of a match whose blocks are in these parts: the same, to the last digit,
/// as of the match played at once. A block that is in several parts counts once.
///
/// # Errors
///
/// If the parts are not of one match, contradict each other, or lack a block.
pub fn merge_parts(parts: Vec<MatchPart>) -> Result<(MatchIdentity, MatchReport), MergeError> {
    let identity = parts.first().ok_or(MergeError::Nothing)?.identity.clone();
    let mut blocks: BTreeMap<u64, Block> = BTreeMap::new();
    for (n, part) in (1..).zip(parts) {
        if let Some(what) = identity.difference(&part.identity) {
            return Err(MergeError::OtherMatch { n, what });
        }
        for block in part.blocks {
            match blocks.entry(block.number) {
                Entry::Vacant(place) => drop(place.insert(block)),
                Entry::Occupied(known) if *known.get() == block => {}
                Entry::Occupied(known) => return Err(MergeError::Contradiction(*known.key())),
            }
        }
    }
    let n_blocks = identity.n_blocks;
    if let Some(&number) = blocks.keys().find(|&&number| number >= n_blocks) {
        return Err(MergeError::Beyond { number, n_blocks });
    }
    if let Some(block) = blocks.values().find(|block| !identity.plays(block)) {
        return Err(MergeError::Foreign(block.number));
    }
    if let Some(first) = (0..n_blocks).find(|number| !blocks.contains_key(number)) {
        let n = n_blocks - blocks.len() as u64;
        return Err(MergeError::Missing { n, n_blocks, first });
    }
    let mut tally = Tally::new(identity.specs.len(), Adjust::Dice);
    blocks.values().for_each(|block| tally.add_block(block));
    let report = tally.report(&identity.specs);
    Ok((identity, report))
}

#[cfg(test)]
mod tests {
    use hegemon_bots::Grants;
    use hegemon_core::{Game, Map, Rules};

    use super::*;

    fn sample() -> Match {
        let map = Map::builtin("duel6").expect("shipped");
        let rules = Rules::preset("sampling").expect("shipped");
        Match {
            game: Game::new(map, rules, 2).expect("they fit"),
            specs: ["baseline", "random"].map(Spec::plain).to_vec(),
            n_games: 40,
            seed: 7,
            n_threads: 1,
            grants: Grants::sealed(),
            records: None,
        }
    }

    fn part(numbers: Range<u64>) -> MatchPart {
        let part = MatchPart::play(&sample(), numbers, &AtomicBool::new(false), |_| {});
        // As another process sees it.
        MatchPart::parse(&part.expect("sound specs").to_text()).expect("as written")
    }

    #[test]
    fn parts_in_any_order_make_the_report_of_the_whole() {
        let whole = sample()
            .run(&AtomicBool::new(false), |_| {})
            .expect("plays");
        let parts = vec![part(13..99), part(0..7), part(5..13)];
        let (identity, merged) = merge_parts(parts).expect("all blocks are there");
        assert_eq!(identity.n_blocks, 20);
        let text = |report: &MatchReport| serde_json::to_string(report).expect("plain values");
        assert_eq!(text(&merged), text(&whole));
    }

    #[test]
    fn what_does_not_fit_together_is_a_sentence() {
        let sentence = |parts| merge_parts(parts).expect_err("not a match").to_string();
        assert_eq!(sentence(vec![]), "there is no part to merge");
        assert_eq!(
            sentence(vec![part(0..3), part(5..20)]),
            "2 of 20 blocks are missing, the first is block 3"
        );
        let mut other = part(3..20);
        other.identity.seed = 8;
        assert_eq!(
            sentence(vec![part(0..3), other]),
            "part 2 is of another match: its seed differs"
        );
        let mut false_claim = part(2..3);
        false_claim.blocks[0].games[0].rounds += 1;
        assert_eq!(
            sentence(vec![part(0..20), false_claim]),
            "block 2 is in two parts with different results"
        );
        let mut no_results = part(0..20);
        no_results.blocks[4].games[1].places.clear();
        let foreign = "block 4 is not what this match plays under that number";
        assert_eq!(sentence(vec![no_results]), foreign);
        let mut renumbered = part(0..20);
        renumbered.blocks.truncate(19);
        renumbered.blocks[4].number = 19;
        let foreign = "block 19 is not what this match plays under that number";
        assert_eq!(sentence(vec![renumbered]), foreign);
        let text = MatchPart::parse("{}").expect_err("no part").to_string();
        assert!(text.starts_with("it is not a part of a match: "), "{text}");
    }

    #[test]
    fn a_changed_digit_anywhere_in_a_part_is_noticed() {
        let text = part(0..2).to_text();
        for (at, digit) in text.match_indices(|c: char| c.is_ascii_digit()) {
            let other = if digit == "7" { "3" } else { "7" };
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            assert!(MatchPart::parse(&changed).is_err(), "{at} in {text}");
        }
    }
}
