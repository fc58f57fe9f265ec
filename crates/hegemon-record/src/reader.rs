//! Reading a record.

use std::fmt;
use std::str::FromStr;

use hegemon_core::{Ending, Move, Outcome, State};

use crate::error::{RecordError, RecordFault};
use crate::header::{FORMAT_VERSION, Header};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A player moved.
    Move(Move),
    /// Chance brought something.
    Outcome(Outcome),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Move(mv) => mv.fmt(f),
            Event::Outcome(outcome) => outcome.fmt(f),
        }
    }
}

/// How a recorded game stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By its rules.
    Rules(Ending),
    /// The arena broke it off because nobody got anywhere.
    RoundCap,
    /// A bot could not go on.
    Forfeit {
        /// Its seat.
        seat: usize,
        /// What happened, as one word.
        kind: String,
    },
}

const ROUND_CAP: &str = "round-cap";

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Rules(ending) => f.write_str(ending.name()),
            Termination::RoundCap => f.write_str(ROUND_CAP),
            Termination::Forfeit { seat, kind } => write!(f, "forfeit:{seat}:{kind}"),
        }
    }
}

/// The last line of a record.
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
        Some(End {
            termination: Termination::Rules(result.ending),
            score: state
                .game()
                .seats()
                .map(|seat| result.score[seat])
                .collect(),
            hash: state.hash64(),
        })
    }
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

/// Reads the last line of a record back.
impl FromStr for End {
    type Err = RecordFault;

    fn from_str(line: &str) -> Result<End, RecordFault> {
        let rest = line.strip_prefix("end ").ok_or_else(|| bad_end(line))?;
        parse_end(rest).ok_or_else(|| bad_end(line))
    }
}

/// A whole record, read but not yet replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// What the game is a pure function of.
    pub header: Header,
    /// What happened, with the line of each event.
    pub events: Vec<(Event, usize)>,
    /// How it stopped.
    pub end: End,
    /// The line of the end.
    pub end_line: usize,
}

impl GameRecord {
    /// Reads a record.
    ///
    /// # Errors
    ///
    /// At the first line that cannot be read; also if the end is missing.
    pub fn parse(text: &str) -> Result<GameRecord, RecordError> {
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        check_version(lines.next())?;
        let header = parse_header(lines.next())?;
        let mut events = Vec::new();
        let mut end = None;
        let mut last_line = 2;
        for (number, line) in lines {
            last_line = number;
            if end.is_some() && !line.trim().is_empty() {
                return Err(RecordFault::AfterEnd.at(number));
            }
            if line.starts_with("end ") && line.contains("hash=") {
                end = Some((
                    line.parse()
                        .map_err(|fault: RecordFault| fault.at(number))?,
                    number,
                ));
                continue;
            }
            for word in line.split_whitespace() {
                let event = parse_event(word)
                    .ok_or_else(|| RecordFault::BadEvent(word.to_owned()).at(number))?;
                events.push((event, number));
            }
        }
        let (end, end_line) = end.ok_or_else(|| RecordFault::Truncated.at(last_line))?;
        Ok(GameRecord {
            header,
            events,
            end,
            end_line,
        })
    }
}

fn bad_end(line: &str) -> RecordFault {
    RecordFault::BadEnd(line.to_owned())
}

fn check_version(first: Option<(usize, &str)>) -> Result<(), RecordError> {
    let version = first
        .and_then(|(_, line)| line.strip_prefix("hegemon-record "))
        .and_then(|version| version.trim().parse::<u32>().ok());
    match version {
        None => Err(RecordFault::NotARecord.at(1)),
        Some(found) if found > FORMAT_VERSION => Err(RecordFault::FutureVersion {
            found,
            known: FORMAT_VERSION,
        }
        .at(1)),
        Some(_) => Ok(()),
    }
}

fn parse_header(second: Option<(usize, &str)>) -> Result<Header, RecordError> {
    let (number, line) = second.ok_or_else(|| RecordFault::Truncated.at(1))?;
    serde_json::from_str(line).map_err(|error| RecordFault::Header(error.to_string()).at(number))
}

fn parse_event(word: &str) -> Option<Event> {
    if word.starts_with(|c: char| c.is_ascii_uppercase()) {
        word.parse().ok().map(Event::Outcome)
    } else {
        word.parse().ok().map(Event::Move)
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
    if let Some(rest) = word.strip_prefix("forfeit:") {
        let (seat, kind) = rest.split_once(':')?;
        return Some(Termination::Forfeit {
            seat: seat.parse().ok()?,
            kind: kind.to_owned(),
        });
    }
    if word == ROUND_CAP {
        return Some(Termination::RoundCap);
    }
    Ending::from_name(word).map(Termination::Rules)
}
