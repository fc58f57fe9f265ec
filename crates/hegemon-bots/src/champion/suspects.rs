//! Bots that the champion suspects in the others, each listed once: training
//! takes those that may be met from here.

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
