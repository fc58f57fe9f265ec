//! The end of a game: how it stopped, and who gets what.

use std::fmt;
use std::str::FromStr;

use hegemon_core::{Ending, Node, PlayerId, State};

use crate::error::RecordFault;

/// A game without a turn limit is broken off after so many rounds, and all who
/// are still in it share the win: some bots would play for ever.
pub const ROUND_CAP: u32 = 1000;

/// How a recorded game stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By its rules.
    Rules(Ending),
    /// It was broken off because nobody got anywhere: see [`ROUND_CAP`].
    RoundCap,
    /// A bot could not go on.
    Forfeit {
        /// Its seat.
        seat: usize,
        /// What happened, as one word.
        kind: String,
    },
}

const BROKEN_OFF: &str = "round-cap";
const FORFEIT: &str = "forfeit:";

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Rules(ending) => f.write_str(ending.name()),
            Termination::RoundCap => f.write_str(BROKEN_OFF),
            Termination::Forfeit { seat, kind } => write!(f, "{FORFEIT}{seat}:{kind}"),
        }
    }
}

/// The last line of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// How the game stopped.
    pub termination: Termination,
    /// Score of every seat.
    pub score: Vec<f64>,
    /// Hash of the last state.
    pub hash: u64,
}

impl End {
    /// The end of a game that is over by its rules; `None` if it is not.
    pub fn of(state: &State) -> Option<End> {
        let result = state.result()?;
        let score = state.game().seats().map(|seat| result.score[seat]);
        Some(End {
            termination: Termination::Rules(result.ending),
            score: score.collect(),
            hash: state.hash64(),
        })
    }

    /// The end of a game that is broken off by [`ROUND_CAP`]; `None` if it
    /// would go on. All who are still in it share the win.
    pub fn of_round_cap(state: &State) -> Option<End> {
        is_endless(state).then(|| End {
            termination: Termination::RoundCap,
            score: shares(state, None),
            hash: state.hash64(),
        })
    }

    /// The end of a game in which the bot that had to move could not; `None`
    /// if the game does not wait for a move. All others still in it share the
    /// win.
    pub fn of_forfeit(state: &State, kind: &str) -> Option<End> {
        let Node::Decision(loser) = state.node() else {
            return None;
        };
        Some(End {
            termination: Termination::Forfeit {
                seat: loser.index(),
                kind: kind.to_owned(),
            },
            score: shares(state, Some(loser)),
            hash: state.hash64(),
        })
    }

    /// The end of this kind by what the state says; `None` if the game did not
    /// stop like this.
    pub(crate) fn replayed(state: &State, claimed: &Termination) -> Option<End> {
        match claimed {
            Termination::Rules(_) => End::of(state),
            Termination::RoundCap => End::of_round_cap(state),
            Termination::Forfeit { kind, .. } => {
                End::of_forfeit(state, kind).filter(|_| !is_endless(state))
            }
        }
    }
}

/// Whether a game has gone on so long that it is broken off.
#[inline]
pub fn is_endless(state: &State) -> bool {
    state.round() > ROUND_CAP
        && state.game().rules().end.turn_limit.is_none()
        && matches!(state.node(), Node::Decision(_))
}

/// Equal shares of the win for all who are still in the game, but for a loser.
fn shares(state: &State, loser: Option<PlayerId>) -> Vec<f64> {
    let wins = |seat: PlayerId| state.is_alive(seat) && Some(seat) != loser;
    let n_winners = state.game().seats().filter(|&seat| wins(seat)).count();
    let share = |seat| {
        if wins(seat) {
            1.0 / n_winners as f64
        } else {
            0.0
        }
    };
    state.game().seats().map(share).collect()
}

impl fmt::Display for End {
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

/// Reads the last line of a game back.
impl FromStr for End {
    type Err = RecordFault;

    fn from_str(line: &str) -> Result<End, RecordFault> {
        let bad = || RecordFault::BadEnd(line.to_owned());
        let rest = line.strip_prefix("end ").ok_or_else(bad)?;
        parse_end(rest).ok_or_else(bad)
    }
}

fn parse_end(text: &str) -> Option<End> {
    let mut words = text.split_whitespace();
    let termination = parse_termination(words.next()?)?;
    let score = words.next()?.strip_prefix("score=")?;
    let score = score
        .split(',')
        .map(|number| number.parse().ok())
        .collect::<Option<Vec<f64>>>()?;
    let hash = words.next()?.strip_prefix("hash=")?;
    let hash = (hash.len() == 16)
        .then(|| u64::from_str_radix(hash, 16).ok())
        .flatten()?;
    words.next().is_none().then_some(End {
        termination,
        score,
        hash,
    })
}

fn parse_termination(word: &str) -> Option<Termination> {
    if let Some(rest) = word.strip_prefix(FORFEIT) {
        let (seat, kind) = rest.split_once(':')?;
        let is_word = (1..=32).contains(&kind.len())
            && kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
        return is_word.then_some(Termination::Forfeit {
            seat: seat.parse().ok()?,
            kind: kind.to_owned(),
        });
    }
    if word == BROKEN_OFF {
        return Some(Termination::RoundCap);
    }
    Ending::from_name(word).map(Termination::Rules)
}
