//! Positions with an obvious best plan, and how many of them hints name.

use std::collections::BTreeMap;

use hegemon_bots::{Judge, SpecError, Stop};
use hegemon_core::{Game, Map, PlayerId, Rules, State};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::hint::hints;
use crate::level::Level;

/// A set of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExamSet {
    /// The first one, with which hints were made.
    #[default]
    First,
    /// The second one, written before the program was asked about it.
    Blind,
    /// The third one, written when hints had been mended with the other two.
    Third,
}

impl ExamSet {
    /// All sets.
    pub const ALL: [ExamSet; 3] = [ExamSet::First, ExamSet::Blind, ExamSet::Third];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            ExamSet::First => "first",
            ExamSet::Blind => "blind",
            ExamSet::Third => "third",
        }
    }

    /// The positions, as shipped.
    fn text(self) -> &'static str {
        match self {
            ExamSet::First => include_str!("../data/exam.toml"),
            ExamSet::Blind => include_str!("../data/exam-blind.toml"),
            ExamSet::Third => include_str!("../data/exam-third.toml"),
        }
    }
}

/// An answer to a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExamAnswer {
    /// What the position is about.
    pub name: String,
    /// The position.
    pub position: String,
    /// Its rules.
    pub rules: String,
    /// Whether the first plan is a right one.
    pub is_right: bool,
    /// The first plan in words.
    pub plan: String,
    /// Its chance to win.
    pub chance: f64,
    /// Beginnings of right plans.
    pub best: Vec<String>,
}

/// Why the positions cannot be used.
#[derive(Debug, Error)]
pub enum ExamError {
    /// The file cannot be read.
    #[error("the positions cannot be read: {0}")]
    File(String),
    /// A position is not one.
    #[error("\"{name}\" is not a position: {fault}")]
    Position {
        /// Its name.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// A game cannot be judged.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exam {
    position: Vec<Question>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    name: String,
    rules: String,
    rest: Vec<String>,
    board: BTreeMap<String, String>,
    more: String,
    best: Vec<String>,
}

impl Question {
    fn state(&self) -> Result<State, ExamError> {
        let wrong = |fault: String| ExamError::Position {
            name: self.name.clone(),
            fault,
        };
        let map = Map::builtin("classic").ok_or_else(|| wrong("no map".to_owned()))?;
        let rules = Rules::preset(&self.rules).ok_or_else(|| wrong("no rules".to_owned()))?;
        if let Some(name) = self.board.keys().find(|n| map.territory_named(n).is_none()) {
            return Err(wrong(format!("there is no {name}")));
        }
        let owners = self.board.values().chain(&self.rest);
        let letters = owners.filter_map(|text| text.bytes().next());
        let n_players = letters.map(|letter| usize::from(letter - b'a') + 1).max();
        let mut rest = self.rest.iter().cycle();
        let mut board = String::new();
        for territory in map.territories() {
            let named = self.board.get(map.territory_name(territory));
            board += named.or_else(|| rest.next()).map_or("", String::as_str);
        }
        let game = Game::new(map, rules, n_players.unwrap_or(2).max(2));
        let game = game.map_err(|error| wrong(error.to_string()))?;
        let text = format!("board={board} {}", self.more);
        State::from_position(&game, &text).map_err(|error| wrong(error.to_string()))
    }
}

/// Asks for a hint in every position of a set.
///
/// # Errors
///
/// If a position cannot be used.
pub fn exam(set: ExamSet, level: Level, seed: u64) -> Result<Vec<ExamAnswer>, ExamError> {
    let exam = toml::from_str::<Exam>(set.text());
    let exam = exam.map_err(|error| ExamError::File(error.to_string()))?;
    let answer = |question: Question| {
        let state = question.state()?;
        debug_assert_eq!(state.player(), PlayerId::new(0));
        let judge = Judge::new(state.game(), &Stop::never())?;
        let hints = hints(&judge, &state, &judge.strangers(), level, 3, seed);
        let first = hints.and_then(|hints| hints.plans.into_iter().next());
        let (plan, chance) = first.map_or((String::new(), 0.0), |hint| (hint.words, hint.chance));
        Ok(ExamAnswer {
            is_right: question.best.iter().any(|best| plan.starts_with(best)),
            position: state.to_position(),
            name: question.name,
            rules: question.rules,
            plan,
            chance,
            best: question.best,
        })
    };
    exam.position.into_iter().map(answer).collect()
}
