//! The arena page: the standing of a pool, read from its file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use hegemon_arena::pool::{GameKey, Pool, PoolError, PoolGame, Standing};
use hegemon_bots::{Grants, Spec, public_titles, titles};
use hegemon_core::Rules;
use serde::Serialize;

/// Games of a pair that are listed.
const MAX_GAMES: usize = 40;

/// The body of the arena page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Arena"))]
pub(crate) struct ArenaDto {
    /// The pool, if there is one.
    pub pool: Option<PoolDto>,
}

/// The standing of a pool.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ArenaPool"))]
pub(crate) struct PoolDto {
    /// Name of the file.
    pub file: String,
    /// Name of the rules preset, or `custom`.
    pub rules: String,
    /// Name of the map.
    pub map: String,
    /// Seats of a game.
    pub n_players: usize,
    /// Games in the store.
    pub games: u64,
    /// The bots, best first.
    pub ratings: Vec<RatingDto>,
    /// What they made of each other.
    pub cross: Vec<CrossDto>,
    /// When the file last changed, in seconds since 1970.
    pub updated: u64,
}

/// A bot of the standing.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ArenaRating"))]
pub(crate) struct RatingDto {
    /// What it is called: its spec, or the name and version that a program states.
    pub title: String,
    /// Elo, the mean of the pool being 0.
    pub rating: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Games played.
    pub games: u64,
    /// Share of the wins.
    pub score: f64,
}

/// What one bot made of another.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct CrossDto {
    /// The bot.
    pub a: String,
    /// The other.
    pub b: String,
    /// Games in which both took part.
    pub games: u64,
    /// Share of the points of `a`.
    pub share: f64,
}

/// A game of the pool.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "ArenaGame"))]
pub(crate) struct ArenaGameDto {
    /// Its name: wave, block and game.
    pub id: String,
    /// The bots by seat.
    pub players: Vec<String>,
    /// Placement by seat, from 1.
    pub places: Vec<u8>,
    /// Rounds played.
    pub rounds: u32,
    /// The ending as one word.
    pub ending: String,
}

impl ArenaGameDto {
    fn new(game: &PoolGame, players: Vec<String>) -> ArenaGameDto {
        let GameKey {
            wave,
            block,
            game: n,
        } = game.key;
        ArenaGameDto {
            id: format!("{wave}-{block}-{n}"),
            players,
            places: game.played.places.to_vec(),
            rounds: game.played.rounds,
            ending: game.played.termination.name().to_owned(),
        }
    }
}

/// The place of a game in the schedule by its name.
pub(crate) fn key_of(id: &str) -> Option<GameKey> {
    let numbers: Vec<u64> = id.split('-').map_while(|part| part.parse().ok()).collect();
    match numbers[..] {
        [wave, block, game] => Some(GameKey { wave, block, game }),
        _ => None,
    }
}

/// The file of the pool; what it says is read once for each change.
#[derive(Debug)]
pub(crate) struct ArenaFile {
    path: Option<PathBuf>,
    last: Mutex<Option<(Stamp, Arc<str>)>>,
}

/// When file and write-ahead log last changed, and how long they are.
type Stamp = [Option<(SystemTime, u64)>; 2];

impl ArenaFile {
    /// The pool at this path, or none.
    pub(crate) fn new(path: Option<PathBuf>) -> ArenaFile {
        ArenaFile {
            path,
            last: Mutex::default(),
        }
    }

    /// The body of the arena page as JSON. Reads the disk.
    ///
    /// # Errors
    ///
    /// If the file is there but cannot be read.
    pub(crate) fn json(&self) -> Result<Arc<str>, PoolError> {
        let Some(path) = self.path.as_deref().filter(|path| path.exists()) else {
            return Ok(json(&ArenaDto { pool: None }));
        };
        let stamp = stamp(path);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, text)) = last.as_ref()
            && *known == stamp
        {
            return Ok(Arc::clone(text));
        }
        let pool = Some(read(path, stamp)?);
        let text = json(&ArenaDto { pool });
        *last = Some((stamp, Arc::clone(&text)));
        Ok(text)
    }
}

impl ArenaFile {
    /// The last games of two bots. Reads the disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(crate) fn games(&self, a: &str, b: &str) -> Result<Vec<ArenaGameDto>, PoolError> {
        let Some(path) = self.path.as_deref().filter(|path| path.exists()) else {
            return Ok(Vec::new());
        };
        let pool = Pool::open(path)?;
        let specs = pool.specs()?;
        let shown: Vec<(String, String)> = titles(&specs)
            .into_iter()
            .zip(public_titles(&specs))
            .collect();
        let meant = |title: &str| shown.iter().find(|(_, public)| public == title);
        let (Some((a, _)), Some((b, _))) = (meant(a), meant(b)) else {
            return Ok(Vec::new());
        };
        let games = pool.games_of(a, b, MAX_GAMES)?;
        let public = |title: &String| {
            let known = shown.iter().find(|(known, _)| known == title);
            known.map(|(_, public)| public.clone()).unwrap_or_default()
        };
        Ok(games
            .iter()
            .map(|game| ArenaGameDto::new(game, game.players.iter().map(public).collect()))
            .collect())
    }

    /// The record of a game, which is played again for it; none if there is no such game.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or the game cannot be played again.
    pub(crate) fn record(
        &self,
        key: GameKey,
        grants: &Grants,
    ) -> Result<Option<String>, PoolError> {
        match self.path.as_deref().filter(|path| path.exists()) {
            Some(path) => Pool::open(path)?.play_again(key, grants),
            None => Ok(None),
        }
    }
}

fn json(body: &ArenaDto) -> Arc<str> {
    serde_json::to_string(body).unwrap_or_default().into()
}

fn stamp(path: &Path) -> Stamp {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    [path.to_owned(), PathBuf::from(log)].map(|file| {
        let facts = std::fs::metadata(file).ok()?;
        Some((facts.modified().ok()?, facts.len()))
    })
}

fn read(path: &Path, stamp: Stamp) -> Result<PoolDto, PoolError> {
    let pool = Pool::open(path)?;
    let mut standing = pool.standing()?;
    // Whoever can reach the page reads it; what starts a program is for its host.
    let specs = pool.specs()?;
    let shown: BTreeMap<String, String> = specs
        .iter()
        .map(Spec::to_string)
        .zip(public_titles(&specs))
        .collect();
    for row in &mut standing.rows {
        row.title = shown.get(&row.spec).cloned().unwrap_or_default();
    }
    let settings = pool.settings();
    let is_same = |name: &&str| Rules::preset(name).as_ref() == Some(&settings.rules);
    let latest = stamp.into_iter().flatten().map(|(time, _)| time).max();
    let since_1970 = latest.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let file = path.file_name().unwrap_or(path.as_os_str());
    Ok(PoolDto {
        file: file.to_string_lossy().into_owned(),
        rules: Rules::PRESETS
            .into_iter()
            .find(is_same)
            .unwrap_or("custom")
            .to_owned(),
        map: settings.map.name.clone(),
        n_players: settings.n_players,
        games: standing.games,
        ratings: ratings(&standing),
        cross: cross(&standing),
        updated: since_1970.map_or(0, |time| time.as_secs()),
    })
}

fn ratings(standing: &Standing) -> Vec<RatingDto> {
    let rating = |row: &hegemon_arena::pool::RatedBot| RatingDto {
        title: row.title.clone(),
        rating: row.elo,
        low: row.elo_ci95[0],
        high: row.elo_ci95[1],
        games: row.games,
        score: row.share,
    };
    standing.rows.iter().map(rating).collect()
}

fn cross(standing: &Standing) -> Vec<CrossDto> {
    let mut pairs = Vec::new();
    for (a, cells) in standing.rows.iter().zip(&standing.cross) {
        for (b, cell) in standing.rows.iter().zip(cells) {
            if a.spec != b.spec && cell.games > 0 {
                pairs.push(CrossDto {
                    a: a.title.clone(),
                    b: b.title.clone(),
                    games: cell.games,
                    share: cell.points / cell.games as f64,
                });
            }
        }
    }
    pairs
}
