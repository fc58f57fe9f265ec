//! The published numbers, from one data file.

use std::fmt;
use std::sync::OnceLock;

use hegemon_arena::stats::wilson95;
use serde::Deserialize;

use crate::section::number;

/// A published number or statement.
#[derive(Clone, Debug)]
pub struct PublishedResult {
    /// Its name, such as `000/table-1/baseline`.
    pub id: String,
    /// What it is of.
    pub what: String,
    /// Where it is printed.
    pub source: String,
    /// The number or the statement.
    pub value: PublishedValue,
    /// How it is printed in our table.
    pub printed: String,
    /// Why ours differs, where it does.
    pub reason: String,
    /// Whether the reason applies to this row alone.
    pub is_own_reason: bool,
    /// Note for the case that ours does not differ.
    pub meaning: String,
}

/// What was published.
#[derive(Clone, Debug, PartialEq)]
pub enum PublishedValue {
    /// A number with half the width of its 95 % interval, if known. Shares are in
    /// percent.
    Number {
        /// The number.
        value: f64,
        /// Half the width of the interval.
        margin: Option<f64>,
    },
    /// A statement.
    Words(String),
}

impl PublishedResult {
    /// The number; a statement has none.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            PublishedValue::Number { value, .. } => Some(value),
            PublishedValue::Words(_) => None,
        }
    }

    /// Half the width of its interval, 0 if not known.
    pub fn margin(&self) -> f64 {
        match self.value {
            PublishedValue::Number { margin, .. } => margin.unwrap_or(0.0),
            PublishedValue::Words(_) => 0.0,
        }
    }
}

impl fmt::Display for PublishedResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.printed)
    }
}

const DATA: &str = include_str!("../data/published.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    group: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    id: String,
    source: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    meaning: String,
    rows: Vec<PublishedRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedRow {
    id: String,
    what: String,
    value: Option<f64>,
    /// Standard deviation of the value; the interval is two of them.
    deviation: Option<f64>,
    wins: Option<f64>,
    games: Option<f64>,
    percent: Option<f64>,
    words: Option<String>,
    reason: Option<String>,
    meaning: Option<String>,
}

impl PublishedRow {
    fn value(&self) -> (PublishedValue, String) {
        let number_of = |value, margin| PublishedValue::Number { value, margin };
        if let (Some(wins), Some(games)) = (self.wins, self.games) {
            let interval = wilson95(wins, games);
            let share = 100.0 * wins / games;
            let printed = format!("{} % ({wins} of {games})", number(share, 1));
            return (
                number_of(share, Some(100.0 * interval.half_width())),
                printed,
            );
        }
        if let Some(percent) = self.percent {
            return (number_of(percent, None), format!("{percent} %"));
        }
        if let (Some(value), None) = (self.value, &self.words) {
            let plain = format!("{value}").replace('-', "−");
            let printed = match self.deviation {
                Some(deviation) => format!("{plain} ± {}", number(2.0 * deviation, 1)),
                None => plain,
            };
            return (number_of(value, self.deviation.map(|d| 2.0 * d)), printed);
        }
        let words = self.words.clone().unwrap_or_default();
        match self.value {
            Some(value) => (number_of(value, None), words),
            None => (PublishedValue::Words(words.clone()), words),
        }
    }
}

fn parse(data: &str) -> Result<Vec<PublishedResult>, toml::de::Error> {
    let file: File = toml::from_str(data)?;
    let mut all = Vec::new();
    for group in file.group {
        for row in group.rows {
            let (value, printed) = row.value();
            all.push(PublishedResult {
                id: format!("{}/{}", group.id, row.id),
                what: row.what,
                source: group.source.clone(),
                value,
                printed,
                is_own_reason: row.reason.is_some(),
                reason: row.reason.unwrap_or_else(|| group.reason.clone()),
                meaning: row.meaning.unwrap_or_else(|| group.meaning.clone()),
            });
        }
    }
    Ok(all)
}

/// All published numbers, in the order of the file.
///
/// # Panics
///
/// If the data file that is compiled in is broken.
pub fn published() -> &'static [PublishedResult] {
    static ALL: OnceLock<Vec<PublishedResult>> = OnceLock::new();
    ALL.get_or_init(|| parse(DATA).expect("data/published.toml is sound"))
}

/// The published number with this id.
///
/// # Panics
///
/// If the data file has none.
pub(crate) fn row(id: &str) -> &'static PublishedResult {
    published()
        .iter()
        .find(|row| row.id == id)
        .unwrap_or_else(|| panic!("data/published.toml has no \"{id}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_every_row_says_something() {
        let all = published();
        for (n, row) in all.iter().enumerate() {
            assert!(!row.printed.is_empty(), "{}", row.id);
            assert!(!row.reason.is_empty(), "{} has no reason", row.id);
            assert!(
                all[..n].iter().all(|other| other.id != row.id),
                "{}",
                row.id
            );
        }
        assert!(all.len() > 90);
    }

    #[test]
    fn shares_have_intervals_from_their_games() {
        let row = row("000/table-4/baseline-emm");
        assert_eq!(row.to_string(), "95.5 % (21 of 22)");
        assert!(row.margin() > 5.0);
    }
}
