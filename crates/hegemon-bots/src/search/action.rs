//! What a player decides at a node of the search tree.

use hegemon_core::{Move, TerritoryId};

/// All armies of a placement at once: territories with numbers of armies, no
/// territory twice, no zero numbers, fewest armies first.
///
/// The order makes equal allocations equal, and it leaves the largest group
/// last, where policies with an active territory start their attack.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Allocation(Box<[(TerritoryId, u32)]>);

impl Allocation {
    /// The allocation of these placements, in any order; none may be empty or
    /// name a territory twice.
    pub fn new(mut placed: Vec<(TerritoryId, u32)>) -> Allocation {
        placed.sort_unstable_by_key(|&(territory, armies)| (armies, territory));
        Allocation(placed.into())
    }

    /// The placements.
    pub fn placed(&self) -> &[(TerritoryId, u32)] {
        &self.0
    }

    /// The placements as moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        let place = |&(territory, armies): &_| Move::Place { territory, armies };
        self.0.iter().map(place)
    }
}

/// An action of a search: a whole placement, or any other move.
///
/// Brand and Kroon 2014 search over recruitments as a whole, attacks and
/// manoeuvres; other moves of other rules are actions as they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RiskAction {
    /// Place all armies this way.
    Recruit(Allocation),
    /// Any move but a placement.
    Play(Move),
}

impl RiskAction {
    /// The moves of the action, in order.
    pub fn moves(&self) -> Vec<Move> {
        match self {
            RiskAction::Recruit(allocation) => allocation.moves().collect(),
            RiskAction::Play(mv) => vec![*mv],
        }
    }

    /// All armies on one territory.
    pub fn all_on(territory: TerritoryId, armies: u32) -> RiskAction {
        RiskAction::Recruit(Allocation::new(vec![(territory, armies)]))
    }
}
