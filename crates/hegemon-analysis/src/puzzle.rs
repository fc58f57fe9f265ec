//! Puzzles: decisions that cost much for certain. Some are cut from games of bots and
//! shipped; `hegemon analyze --puzzles` makes the file.

use std::borrow::Cow;

use hegemon_bots::Judge;
use hegemon_core::{Game, Map, Phase, Rules, State};
use hegemon_record::{GameRecord, RecordError, Replay};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::game_analysis::{GameAnalysis, SkillPoint};
use crate::hint::{LEAST_COMPARED, second_opinion};
use crate::level::Level;
use crate::skill::Mark;

/// The puzzles, as shipped.
const SHIPPED: &str = include_str!("../data/puzzles.json");

/// A decision of an analysed game that cost much.
#[derive(Clone, Debug)]
pub struct CostlyDecision<'a> {
    /// Number of its point in the analysis.
    pub point: usize,
    /// How bad it was.
    pub skill: Cow<'a, SkillPoint>,
    /// Where it was made.
    pub before: State,
}

impl CostlyDecision<'_> {
    /// The decision as a hint would judge it, with other samples: the trainer shows what hints
    /// say, so a puzzle must be one for them, too. None if it costs less than five points
    /// then, or may.
    pub fn confirmed(&self, judge: &Judge, level: Level, seed: u64) -> Option<Self> {
        // Nothing is known of the others, as for a hint.
        let guess = judge.strangers();
        let looks = level.hint_looks(LEAST_COMPARED);
        let action = &self.skill.action;
        let skill = second_opinion(judge, &self.before, &guess, action, looks, seed)?;
        let is_costly = matches!(skill.mark, Some(Mark::Error | Mark::Blunder));
        is_costly.then(|| CostlyDecision {
            point: self.point,
            skill: Cow::Owned(skill),
            before: self.before.clone(),
        })
    }
}

/// The decisions of a game that cost five points or more for certain, in phases that often
/// have one best plan.
///
/// # Errors
///
/// If the record does not replay.
pub fn costly_decisions<'a>(
    record: &GameRecord,
    found: &'a GameAnalysis,
) -> Result<Vec<CostlyDecision<'a>>, RecordError> {
    let mut replay = Replay::new(record)?;
    let mut costly = Vec::new();
    for (number, point) in found.points.iter().enumerate() {
        let Some(skill) = &point.skill else { continue };
        if !matches!(skill.mark, Some(Mark::Error | Mark::Blunder)) {
            continue;
        }
        while replay.position() + 1 < point.n_events && replay.step()?.is_some() {}
        let before = replay.state();
        if matches!(before.phase(), Phase::Reinforce | Phase::Attack) {
            costly.push(CostlyDecision {
                point: number,
                skill: Cow::Borrowed(skill),
                before: before.clone(),
            });
        }
    }
    Ok(costly)
}

/// A set of puzzles in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleFile {
    /// How it was made: program and command.
    pub made_by: String,
    /// The puzzles.
    pub puzzles: Vec<PuzzleEntry>,
}

/// A puzzle in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleEntry {
    /// Its name.
    pub id: String,
    /// A shipped map.
    pub map: String,
    /// A preset.
    pub rules: String,
    /// Number of players.
    pub players: usize,
    /// The position.
    pub position: String,
    /// Who decided there.
    pub player: String,
    /// What was done, in words.
    pub done: String,
    /// The moves of the best plan found.
    pub best: Vec<String>,
    /// The same in words.
    pub best_words: String,
    /// Win chance of what was done.
    pub chance: f64,
    /// Win chance that it gave away.
    pub loss: f64,
    /// Standard error of the loss.
    pub error: f64,
}

/// Why a puzzle cannot be used.
#[derive(Debug, Error)]
#[error("puzzle {id}: {fault}")]
pub struct PuzzleError {
    id: String,
    fault: String,
}

impl PuzzleEntry {
    /// A puzzle of a costly decision; none where map or rules are not shipped.
    pub fn new(id: String, decision: &CostlyDecision<'_>, player: &str) -> Option<PuzzleEntry> {
        let CostlyDecision { skill, before, .. } = decision;
        let game = before.game();
        Map::builtin(game.map().name())?;
        let is_same = |name: &&str| Rules::preset(name).as_ref() == Some(game.rules());
        let rounded = |x: f64| (x * 1e4).round() / 1e4;
        Some(PuzzleEntry {
            id,
            map: game.map().name().to_owned(),
            rules: Rules::PRESETS.into_iter().find(is_same)?.to_owned(),
            players: game.n_players(),
            position: before.to_position(),
            player: player.to_owned(),
            done: skill.done.clone(),
            best: skill.best.clone(),
            best_words: skill.best_words.clone(),
            chance: rounded(skill.chance),
            loss: rounded(skill.loss),
            error: rounded(skill.error),
        })
    }

    /// The position.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn state(&self) -> Result<State, PuzzleError> {
        let wrong = |fault: String| PuzzleError {
            id: self.id.clone(),
            fault,
        };
        let map = Map::builtin(&self.map).ok_or_else(|| wrong("no map".to_owned()))?;
        let rules = Rules::preset(&self.rules).ok_or_else(|| wrong("no rules".to_owned()))?;
        let game = Game::new(map, rules, self.players).map_err(|error| wrong(error.to_string()))?;
        State::from_position(&game, &self.position).map_err(|error| wrong(error.to_string()))
    }
}

/// The puzzles that come with the program; a file that cannot be read is a fault that a
/// test finds.
pub fn shipped_puzzles() -> Vec<PuzzleEntry> {
    serde_json::from_str(SHIPPED).map_or_else(|_| Vec::new(), |file: PuzzleFile| file.puzzles)
}
