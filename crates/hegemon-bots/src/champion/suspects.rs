//! Bots that the champion suspects in the others, each listed once: training
//! takes those that may be met from here.

use super::stand_in::StandIn;

/// Bots that answer in microseconds and play a game of their own, and whether
/// the shipped nets have met them in training.
const QUICK: [(&str, bool); 19] = [
    ("killbot", true),
    ("quo", true),
    ("evil-pixie", true),
    ("boscoe", true),
    ("better-pixie", true),
    ("angry", true),
    ("stinky", false),
    ("communist", true),
    ("trotsky", false),
    ("cluster", true),
    ("shaft", false),
    ("yakool", true),
    ("bort", false),
    ("pixie", true),
    ("vulture", false),
    ("baseline", true),
    ("simulation", true),
    ("beam", true),
    ("beam(weights=cma-es)", true),
];

/// Styles of `beam` that are drawn at random and stand for players that nobody
/// knows.
const STYLES: [&str; 4] = [
    "beam(style=1)",
    "beam(style=2)",
    "beam(style=4)",
    "beam(style=5)",
];

/// How sure it is that an expected player comes (docs/champion.md has the measurements).
const EXPECTED: f64 = 0.9;

/// Who the others may be before anything was seen of them.
#[derive(Clone, Debug)]
pub(super) struct Suspects {
    pub(super) players: Vec<StandIn>,
    /// The chance of each; together one.
    pub(super) prior: Vec<f64>,
}

impl Suspects {
    /// All are as likely.
    pub(super) fn alike(players: Vec<StandIn>) -> Suspects {
        let each = 1.0 / players.len().max(1) as f64;
        Suspects {
            prior: vec![each; players.len()],
            players,
        }
    }

    /// One of them is expected, and anybody may come in its place.
    pub(super) fn mostly(self, expected: usize) -> Suspects {
        let Suspects { players, mut prior } = self;
        for (n, chance) in prior.iter_mut().enumerate() {
            let is_expected = f64::from(u8::from(n == expected));
            *chance = EXPECTED * is_expected + (1.0 - EXPECTED) * *chance;
        }
        Suspects { players, prior }
    }
}

/// All suspects.
pub(super) fn all() -> Vec<&'static str> {
    QUICK.iter().map(|&(name, _)| name).chain(STYLES).collect()
}

/// Those that the shipped nets have met in training.
pub(super) fn known() -> Vec<&'static str> {
    met_in_training().chain(STYLES).collect()
}

/// Quick bots that the shipped nets have met in training, besides styles of
/// `beam`, in the order in which training draws them.
pub fn met_in_training() -> impl Iterator<Item = &'static str> {
    QUICK
        .iter()
        .filter(|(_, is_met)| *is_met)
        .map(|&(name, _)| name)
}
