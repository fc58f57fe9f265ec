//! Limits that end a game before a player has won.

use serde::{Deserialize, Serialize};

/// Limits that end a game before a player has won.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct End {
    /// Turns of each player after which the game is scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub turn_limit: Option<u32>,
    /// How the winner is found then; players still tied share the win.
    pub tie_breaks: Vec<TieBreak>,
    /// Stop as soon as one player leads clearly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub early_stop: Option<EarlyStop>,
    /// Rounds after which a game without a turn limit stops, and all remaining
    /// players share the win: some players would never finish. 1000 where
    /// absent.
    #[serde(
        default = "default_round_cap",
        skip_serializing_if = "is_default_round_cap"
    )]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub round_cap: u32,
}

/// The default cap.
pub(super) const fn default_round_cap() -> u32 {
    1000
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_default_round_cap(cap: &u32) -> bool {
    *cap == default_round_cap()
}

/// What is compared at the turn limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum TieBreak {
    /// More territories.
    Territories,
    /// More armies.
    Armies,
}

/// Stop as soon as one player leads clearly (Brand and Kroon 2014).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EarlyStop {
    /// Lead in territories over every other player.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub lead: u8,
    /// Not before this many actions: recruitments, attacks, fortifications.
    pub after_actions: u32,
}
