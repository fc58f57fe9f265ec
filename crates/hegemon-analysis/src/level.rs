//! How thorough an analysis is.

use std::fmt;
use std::str::FromStr;

use hegemon_bots::Looks;
use serde::{Deserialize, Serialize};

/// How thorough an analysis is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Seconds for a long game: chances by the net alone, rough judgements.
    Fast,
    /// Up to a minute for a long game.
    #[default]
    Normal,
    /// Several times as long: rollouts at every event.
    Deep,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 3] = [Level::Fast, Level::Normal, Level::Deep];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Fast => "fast",
            Level::Normal => "normal",
            Level::Deep => "deep",
        }
    }

    /// Looks at each decision of a game.
    pub fn looks(self) -> Looks {
        let (find, compare) = match self {
            Level::Fast => (1, 8),
            Level::Normal => (3, 24),
            Level::Deep => (12, 96),
        };
        Looks {
            find,
            follow: 0,
            compare,
            most: compare,
            finalists: 1,
        }
    }

    /// Looks at a decision of a game that quick ones have marked; none where those must do.
    pub fn second_looks(self) -> Option<Looks> {
        let (find, compare) = match self {
            Level::Fast => return None,
            Level::Normal => (12, 96),
            Level::Deep => (48, 256),
        };
        Some(Looks {
            find,
            follow: find,
            compare,
            most: compare,
            finalists: 1,
        })
    }

    /// Looks at a single decision of which the best few plans are wanted.
    pub fn hint_looks(self, n_plans: usize) -> Looks {
        let (find, compare) = match self {
            Level::Fast => (16, 64),
            Level::Normal => (48, 256),
            Level::Deep => (128, 1024),
        };
        Looks {
            find,
            follow: find,
            compare,
            most: 8 * compare,
            finalists: n_plans,
        }
    }

    /// Rollouts for the chances at the beginning of a turn.
    pub fn rollouts_a_turn(self) -> u32 {
        match self {
            Level::Fast => 0,
            Level::Normal => 24,
            Level::Deep => 96,
        }
    }

    /// Rollouts for the chances at every other event.
    pub fn rollouts_an_event(self) -> u32 {
        match self {
            Level::Fast | Level::Normal => 0,
            Level::Deep => 16,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let found = Level::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| "a level is fast, normal or deep".to_owned())
    }
}
