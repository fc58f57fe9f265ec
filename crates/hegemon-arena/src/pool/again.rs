//! Games of a pool to look at: which ones two bots played, and one of them played again.

use hegemon_bots::{Grants, titles};

use super::game_row::GameKey;
use super::store::{Pool, PoolError};
use crate::played::Played;
use crate::recording::{RecordingError, play_to_text};

/// A game of a pool.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolGame {
    /// Wave, block and game.
    pub key: GameKey,
    /// Titles by seat, see [`titles`].
    pub players: Vec<String>,
    /// The game.
    pub played: Played,
}

impl Pool {
    /// Games in which the bots with both titles sat, the newest first, at most this many.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn games_of(&self, a: &str, b: &str, most: usize) -> Result<Vec<PoolGame>, PoolError> {
        let titles = titles(&self.specs()?);
        let mut found = Vec::new();
        for stored in self.blocks()?.iter().rev() {
            let games: Vec<_> = (0..).zip(stored.seated()).collect();
            for (game, (bots, played)) in games.into_iter().rev() {
                let players: Vec<String> = bots.iter().map(|&bot| titles[bot].clone()).collect();
                if found.len() < most && [a, b].iter().all(|spec| players.iter().any(|p| p == spec))
                {
                    let (wave, block) = (stored.wave, stored.block.number);
                    found.push(PoolGame {
                        key: GameKey { wave, block, game },
                        players,
                        played: played.clone(),
                    });
                }
            }
        }
        Ok(found)
    }

    /// Plays a game again and returns its record: it follows from schedule and seed. None if
    /// there is no such game.
    ///
    /// # Errors
    ///
    /// If a bot cannot be built, or if the game comes out differently, as that of a bot that
    /// plays by the clock does.
    pub fn play_again(&self, key: GameKey, grants: &Grants) -> Result<Option<String>, PoolError> {
        let blocks = self.blocks()?;
        let mut blocks = blocks.iter();
        let stored = blocks
            .find(|stored| stored.wave == key.wave && stored.block.number == key.block)
            .and_then(|stored| Some((stored, stored.block.games.get(key.game as usize)?)));
        let Some((stored, before)) = stored else {
            return Ok(None);
        };
        let specs = self.specs()?;
        let mut plan = self
            .settings()
            .plan(&specs, key.wave, key.block, &stored.lineup);
        let order = plan.games.swap_remove(key.game as usize);
        plan.games = vec![order];
        let (games, mut texts) = plan
            .play_games(key.block, self.game(), grants, |setup, _| {
                play_to_text(setup)
            })
            .map_err(|error| match error {
                RecordingError::Spec(error) => PoolError::Spec(error),
                error => PoolError::Game(error.to_string()),
            })?;
        if games.iter().any(|again| again.hash != before.hash) {
            return Err(PoolError::Game(
                "played again the game is another one: it was played by the clock, or by another \
                 version of this program"
                    .to_owned(),
            ));
        }
        Ok(texts.pop())
    }
}
