//! Reading a record.

use hegemon_core::{Event, json_line_fault};

use crate::end::RecordEnd;
use crate::error::{RecordError, RecordFault};
use crate::header::{Chance, FORMAT_VERSION, Header};
use crate::sum;

/// A whole record, read but not yet replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// The format that it was written in.
    pub format: u32,
    /// The inputs that determine the game.
    pub header: Header,
    /// The events, each with its line.
    pub events: Vec<(Event, usize)>,
    /// How it stopped.
    pub end: RecordEnd,
    /// The line of the end.
    pub end_line: usize,
}

impl GameRecord {
    /// Reads a record from the bytes of a file.
    ///
    /// # Errors
    ///
    /// As [`GameRecord::parse`]; also at the first line that is not text.
    pub fn from_bytes(bytes: &[u8]) -> Result<GameRecord, RecordError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => GameRecord::parse(text),
            Err(error) => {
                let good = &bytes[..error.valid_up_to()];
                let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
                Err(RecordFault::NotText.at(line))
            }
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// At the first line that cannot be read or was changed; also if the end is
    /// missing.
    pub fn parse(text: &str) -> Result<GameRecord, RecordError> {
        if text.is_empty() {
            return Err(RecordFault::Empty.at(1));
        }
        let format = parse_version(text.lines().next())?;
        let n_lines = text.lines().count();
        let has_sum = text.lines().any(|line| line.starts_with(sum::PREFIX));
        let n_told = match format {
            // One flipped bit turns a 3 into a 1; the checksum reveals it.
            ..FIRST_WITH_SUM if has_sum => return Err(RecordFault::Damaged.at(1)),
            ..FIRST_WITH_SUM => n_lines,
            _ => check_sum(text, n_lines)?,
        };
        let mut lines = (1..).zip(text.lines().take(n_told)).skip(1);
        let header = parse_header(lines.next(), format)?;
        let mut events = Vec::new();
        let mut end = None;
        for (number, line) in lines {
            if end.is_some() && !line.trim().is_empty() {
                return Err(RecordFault::AfterEnd.at(number));
            }
            if line.starts_with("end ") && line.contains("hash=") {
                let found: RecordEnd = line
                    .parse()
                    .map_err(|fault: RecordFault| fault.at(number))?;
                end = Some((found, number));
                continue;
            }
            for word in line.split_whitespace() {
                let event = word
                    .parse()
                    .map_err(|_| RecordFault::BadEvent(word.to_owned()).at(number))?;
                events.push((event, number));
            }
        }
        let (end, end_line) = end.ok_or_else(|| RecordFault::Truncated.at(n_lines))?;
        Ok(GameRecord {
            format,
            header,
            events,
            end,
            end_line,
        })
    }
}

/// The first format whose last line is a checksum.
const FIRST_WITH_SUM: u32 = 2;

/// The first format whose header states where chance comes from.
const FIRST_WITH_CHANCE: u32 = 2;

/// Verifies the checksum and returns the number of lines before it.
fn check_sum(text: &str, n_lines: usize) -> Result<usize, RecordError> {
    let place = text.lines().position(|line| line.starts_with(sum::PREFIX));
    let claimed = place.and_then(|place| Some((place, text.lines().nth(place)?)));
    let (place, claimed) = claimed.ok_or_else(|| RecordFault::Truncated.at(n_lines))?;
    sum::check(text.lines().take(place), claimed)?;
    match text
        .lines()
        .skip(place + 1)
        .position(|line| !line.is_empty())
    {
        Some(n) => Err(RecordFault::AfterEnd.at(place + 2 + n)),
        None => Ok(place),
    }
}

/// The part of a header that the first format lacks.
#[derive(serde::Deserialize)]
struct StatesChance {
    #[serde(rename = "chance")]
    _chance: Chance,
}

fn parse_version(first: Option<&str>) -> Result<u32, RecordError> {
    let version = first
        .and_then(|line| line.strip_prefix("hegemon-record "))
        .and_then(|version| version.parse::<u32>().ok());
    match version {
        None | Some(0) => Err(RecordFault::NotARecord.at(1)),
        Some(found) if found > FORMAT_VERSION => Err(RecordFault::FutureVersion {
            found,
            known: FORMAT_VERSION,
        }
        .at(1)),
        Some(found) => Ok(found),
    }
}

fn parse_header(second: Option<(usize, &str)>, version: u32) -> Result<Header, RecordError> {
    let (number, line) = second.ok_or_else(|| RecordFault::Truncated.at(1))?;
    let wrong =
        |error: serde_json::Error| RecordFault::Header(json_line_fault(line, &error)).at(number);
    if version >= FIRST_WITH_CHANCE {
        serde_json::from_str::<StatesChance>(line).map_err(wrong)?;
    }
    let header: Header = serde_json::from_str(line).map_err(wrong)?;
    header.check_texts().map_err(|fault| fault.at(number))?;
    Ok(header)
}
