//! What a position and a move are worth: the win chance of every player, the luck of
//! every roll, card and deal, the skill of every decision, hints, the odds of whole
//! campaigns, and how safe each territory is.
//!
//! Everything rests on one value, a net that gives each player's chance to win
//! (`hegemon_eval::value`), and on the exact law of chance. `docs/analysis.md` says what
//! each number means.

#![deny(missing_docs)]

mod calibration;
mod campaign;
mod curve;
mod exam;
mod game_analysis;
mod hint;
mod level;
mod luck;
mod outlook;
mod puzzle;
mod service;
mod skill;
#[cfg(test)]
mod tests;
mod threat;
mod words;

pub use calibration::{Bin, Calibration, Forecaster, Sampler};
pub use campaign::{Campaign, CampaignError, CampaignGoal, CampaignOdds, CampaignStep, MAX_STATES};
pub use exam::{ExamAnswer, ExamError, ExamSet, exam};
pub use game_analysis::{
    AnalysisError, AnalysisParams, GameAnalysis, PlayerTotals, Point, SkillPoint, analyze,
    turn_chances,
};
pub use hint::{Hint, Hints, hints};
pub use level::Level;
pub use luck::{Foresight, LuckKind, LuckLaw, LuckSums};
pub use puzzle::{
    CostlyDecision, PuzzleEntry, PuzzleError, PuzzleFile, costly_decisions, shipped_puzzles,
};
pub use service::{Cancel, MAX_POSITIONS, MAX_QUERIES, Query, Reply, Request, Service};
pub use skill::{Mark, THRESHOLDS, TurnChance, accuracy};
pub use threat::{Held, Threat, threat};
pub use words::{action_words, event_words};
