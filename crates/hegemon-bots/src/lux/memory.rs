//! What a bot remembers between decisions (docs/spec/lux.md 6.5).

use hegemon_core::{ContinentId, PlayerId};

use super::list::List;
use super::scene::ContinentSet;

/// The state that the bots of the original keep between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    /// The continent targeted in the draft; also used when moving in.
    pub(super) goal: Option<ContinentId>,
    /// A dominant player to attack.
    pub(super) must_kill: Option<PlayerId>,
    /// The continents that player owned when it was found.
    pub(super) must_kill_continents: ContinentSet,
    /// Continents that a Pixie wants; none before its first plan.
    pub(super) wanted: Option<ContinentSet>,
    /// Continents that Trotsky spreads over; none before its first plan.
    pub(super) targets: Option<ContinentSet>,
    /// Armies at which a border of EvilPixie needs no more help.
    pub(super) border_force: u32,
    /// Whether the last placing prepared a kill (Vulture, Killbot).
    pub(super) placed_to_kill: bool,
    /// Routes through a victim's territories, followed in the attack.
    pub(super) plans: Vec<List>,
    /// Whether armies were ever placed in a turn.
    pub(super) has_placed: bool,
}

impl Memory {
    #[inline]
    pub(super) fn wants(&self, continent: ContinentId) -> bool {
        self.wanted.is_some_and(|wanted| wanted.contains(continent))
    }
}
