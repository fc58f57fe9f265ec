//! The last line of a record: termination, scores and hash.

use std::fmt;
use std::str::FromStr;

use hegemon_core::{ByPlayer, Ending, Node, State, Termination};

use crate::error::RecordFault;

/// The last line of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordEnd {
    /// How the game stopped.
    pub termination: Termination,
    /// Score of every seat.
    pub score: Vec<f64>,
    /// Hash of the last state.
    pub hash: u64,
}

impl RecordEnd {
    /// The end of a game that is over by its rules; `None` if it is not.
    pub fn of(state: &State) -> Option<RecordEnd> {
        RecordEnd::by(state, Termination::of(state)?)
    }

    /// The end of a game that stopped this way in this state; `None` if that is
    /// impossible.
    pub fn by(state: &State, termination: Termination) -> Option<RecordEnd> {
        let places = termination.places(state)?;
        Some(RecordEnd {
            termination,
            score: shares(state, &places),
            hash: state.hash64(),
        })
    }

    /// The end by the round cap in records up to format 2, where the runner,
    /// not the rules, stopped the game.
    pub(crate) fn broken_off(state: &State, cap: u32) -> Option<RecordEnd> {
        let is_late = state.round() > cap && matches!(state.node(), Node::Decision(_));
        let places = ByPlayer::from_fn(|p| u8::from(state.is_alive(p)));
        is_late.then(|| RecordEnd {
            termination: Termination::Rules(Ending::RoundCap),
            score: shares(state, &places),
            hash: state.hash64(),
        })
    }
}

/// All in first place share the win.
fn shares(state: &State, places: &ByPlayer<u8>) -> Vec<f64> {
    let places = &places.as_slice()[..state.game().n_players()];
    let n_first = places.iter().filter(|&&place| place == 1).count();
    let share = |&place: &u8| {
        if place == 1 {
            1.0 / n_first as f64
        } else {
            0.0
        }
    };
    places.iter().map(share).collect()
}

impl fmt::Display for RecordEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score: Vec<String> = self.score.iter().map(f64::to_string).collect();
        write!(
            f,
            "end {} score={} hash={:016x}",
            self.termination,
            score.join(","),
            self.hash
        )
    }
}

/// Parses the last line of a game.
impl FromStr for RecordEnd {
    type Err = RecordFault;

    fn from_str(line: &str) -> Result<RecordEnd, RecordFault> {
        let bad = || RecordFault::BadEnd(line.to_owned());
        let rest = line.strip_prefix("end ").ok_or_else(bad)?;
        parse_end(rest).ok_or_else(bad)
    }
}

fn parse_end(text: &str) -> Option<RecordEnd> {
    let mut words = text.split_whitespace();
    let termination = words.next()?.parse().ok()?;
    let score = words.next()?.strip_prefix("score=")?;
    let score = score
        .split(',')
        .map(|number| number.parse().ok())
        .collect::<Option<Vec<f64>>>()?;
    let hash = words.next()?.strip_prefix("hash=")?;
    let hash = (hash.len() == 16)
        .then(|| u64::from_str_radix(hash, 16).ok())
        .flatten()?;
    words.next().is_none().then_some(RecordEnd {
        termination,
        score,
        hash,
    })
}
