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
    /// Where it comes from.
    pub source: Source,
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
    /// The row or table that lists the same games, if another does.
    pub same_as: Option<String>,
}

/// Where a number comes from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// It is printed there: the paper and the table, figure or section.
    Paper(String),
    /// It follows from what is printed: from what, and how.
    Derived(String),
    /// We measured it: where it is written down.
    Ours(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Paper(place) => write!(f, "printed in {place}"),
            Source::Derived(how) => write!(f, "derived, {how}"),
            Source::Ours(place) => write!(f, "ours, {place}"),
        }
    }
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
    source: Source,
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
    /// Half the printed 95 % interval, in wins.
    error: Option<f64>,
    /// The number of games that the wins are stated for, if not that played.
    per: Option<f64>,
    percent: Option<f64>,
    /// Where this row comes from, if not where its group does.
    source: Option<Source>,
    /// The row or table that lists the same games.
    same_as: Option<String>,
    words: Option<String>,
    reason: Option<String>,
    meaning: Option<String>,
}

impl PublishedRow {
    fn value(&self) -> (PublishedValue, String) {
        let number_of = |value, margin| PublishedValue::Number { value, margin };
        if let (Some(wins), Some(games)) = (self.wins, self.games) {
            let share = wins / self.per.unwrap_or(games);
            let interval = wilson95(share * games, games);
            let share = 100.0 * share;
            let counts = match (self.per, self.error) {
                (Some(per), _) => format!("{wins} per {per}, {games} games"),
                (None, Some(error)) => format!("{wins} ± {error} of {games}"),
                (None, None) => format!("{wins} of {games}"),
            };
            let half_width = match self.error {
                Some(error) => error / games,
                None => interval.half_width(),
            };
            let printed = format!("{} % ({counts})", number(share, 1));
            return (number_of(share, Some(100.0 * half_width)), printed);
        }
        if let Some(percent) = self.percent {
            return (number_of(percent, None), format!("{percent} %"));
        }
        if let (Some(value), None) = (self.value, &self.words) {
            let plain = format!("{value}").replace('-', "−");
            let printed = match self.deviation {
                Some(deviation) => {
                    let margin = 2.0 * deviation;
                    let decimals = if margin < 0.05 { 3 } else { 1 };
                    format!("{plain} ± {}", number(margin, decimals))
                }
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
                source: row.source.unwrap_or_else(|| group.source.clone()),
                same_as: row.same_as,
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
    fn sources_name_a_paper_or_a_place_of_ours() {
        let papers = ["20", "section", "Table", "Figure", "abstract"];
        for row in published() {
            match &row.source {
                Source::Paper(place) => {
                    assert!(papers.iter().any(|word| place.contains(word)), "{}", row.id);
                    assert!(!place.contains("docs/"), "{} is not the paper's", row.id);
                }
                Source::Derived(place) | Source::Ours(place) => {
                    assert!(
                        place.contains("docs/") || place.contains("from"),
                        "{}",
                        row.id
                    );
                }
            }
        }
    }

    #[test]
    fn the_shares_of_a_match_up_add_up_to_one() {
        let of = |row: &&PublishedResult| {
            let (match_up, _) = row.id.split_once("--")?;
            Some(match_up.to_owned())
        };
        let mut sums: std::collections::BTreeMap<String, f64> = std::collections::BTreeMap::new();
        for row in published() {
            if let (Some(match_up), Some(share)) = (of(&row), row.number()) {
                *sums.entry(match_up).or_default() += share;
            }
        }
        assert!(sums.len() >= 10);
        for (match_up, sum) in sums {
            // Counts per 300 games are rounded.
            assert!((sum - 100.0).abs() < 0.5, "{match_up}: {sum}");
        }
    }

    #[test]
    fn shares_have_intervals_from_their_games() {
        let row = row("000/table-4/baseline-emm");
        assert_eq!(row.to_string(), "95.5 % (21 of 22)");
        assert!(row.margin() > 5.0);
    }
}
