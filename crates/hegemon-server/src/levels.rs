//! The levels that a newcomer chooses from, with ratings measured by the arena.

use std::sync::OnceLock;
use std::time::Duration;

use hegemon_bots::Spec;
use serde::{Deserialize, Serialize};

/// The levels, easiest first.
const LEVELS: &str = include_str!("../levels.toml");

/// The standing of a pool of exactly these specs, as `hegemon arena show --json`
/// prints it; `docs/play.md` has the commands.
const RATINGS: &str = include_str!("../levels-rated.json");

/// A level.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Level"))]
pub(crate) struct BotLevel {
    /// Its name in requests.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The bot.
    pub spec: String,
    /// What to expect, in a sentence.
    pub about: String,
    /// Measured strength.
    pub rating: Option<LevelRating>,
    /// Milliseconds that it may think about a move.
    #[serde(skip)]
    pub limit_ms: u64,
}

/// Strength of a level, measured in a pool of all levels.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct LevelRating {
    /// Rating in Elo, the mean of the pool being 0.
    pub elo: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Games of this bot.
    pub games: u64,
    /// What was played.
    pub pool: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelsFile {
    pool: String,
    level: Vec<LevelEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelEntry {
    id: String,
    name: String,
    spec: String,
    about: String,
    limit_ms: u64,
}

#[derive(Deserialize)]
struct StandingFile {
    rows: Vec<StandingRow>,
}

#[derive(Deserialize)]
struct StandingRow {
    spec: String,
    games: u64,
    elo: f64,
    elo_ci95: [f64; 2],
}

/// All levels, easiest first.
pub(crate) fn levels() -> &'static [BotLevel] {
    static PARSED: OnceLock<Vec<BotLevel>> = OnceLock::new();
    PARSED.get_or_init(|| parse(LEVELS, RATINGS).unwrap_or_default())
}

/// The level after the one with this spec; none above the hardest, and for other bots.
pub(crate) fn level_above(spec: &str) -> Option<&'static BotLevel> {
    let place = levels().iter().position(|level| level.spec == spec)?;
    levels().get(place + 1)
}

/// The level with this id.
pub(crate) fn level(id: &str) -> Option<&'static BotLevel> {
    levels().iter().find(|level| level.id == id)
}

impl BotLevel {
    /// How long it may think about a move.
    pub(crate) fn limit(&self) -> Duration {
        Duration::from_millis(self.limit_ms)
    }
}

fn parse(levels: &str, ratings: &str) -> Result<Vec<BotLevel>, String> {
    let file: LevelsFile = toml::from_str(levels).map_err(|error| error.to_string())?;
    let standing: StandingFile =
        serde_json::from_str(ratings).map_err(|error| error.to_string())?;
    let rated = |spec: &Spec| {
        let mut rows = standing.rows.iter();
        let row = rows.find(|row| row.spec == spec.to_string())?;
        let [low, high] = row.elo_ci95;
        Some(LevelRating {
            elo: row.elo,
            low,
            high,
            games: row.games,
            pool: file.pool.clone(),
        })
    };
    let level = |entry: &LevelEntry| {
        let spec: Spec = entry
            .spec
            .parse()
            .map_err(|error| format!("{}: {error}", entry.id))?;
        Ok(BotLevel {
            id: entry.id.clone(),
            name: entry.name.clone(),
            about: entry.about.clone(),
            rating: rated(&spec),
            spec: spec.to_string(),
            limit_ms: entry.limit_ms,
        })
    };
    file.level.iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hegemon_core::{Game, Map, Rules};

    #[test]
    fn every_level_is_rated_and_plays_every_preset() {
        let levels = parse(LEVELS, RATINGS).expect("the shipped files are good");
        assert!(levels.len() >= 5);
        for level in &levels {
            assert!(level.rating.is_some(), "{} is not rated", level.id);
            let spec: Spec = level.spec.parse().expect("parsed before");
            for preset in Rules::PRESETS {
                let map = Map::builtin("classic").expect("shipped");
                let rules = Rules::preset(preset).expect("shipped");
                let n_players = if preset == "sampling" { 2 } else { 4 };
                let game = Game::new(map, rules, n_players).expect("a game");
                hegemon_bots::check(&spec, &game, &hegemon_bots::Grants::sealed())
                    .expect("plays any preset");
            }
        }
    }

    #[test]
    fn every_level_is_rated_above_the_one_before() {
        let levels = parse(LEVELS, RATINGS).expect("the shipped files are good");
        let ratings = levels.iter().filter_map(|level| level.rating.as_ref());
        let elos: Vec<f64> = ratings.map(|rating| rating.elo).collect();
        assert!(elos.is_sorted_by(|a, b| a < b), "{elos:?}");
    }
}
