//! The attack phase as an interpreter that stops after every order.
//!
//! The original bots are procedures that call each other and attack in the middle of
//! their loops. Here a [`Sortie`] is such a loop with its position kept in a
//! [`AttackLoop`], and a [`Frame`] is a procedure that calls others; a bot's attack is
//! a list of [`AttackStep`]s. The interpreter asks the current sortie for its next
//! order; when there is none, the frames decide what follows.

mod attack_loops;
mod call_stack;
mod sweep;

use hegemon_core::{ContinentId, PlayerId, TerritoryId};

use super::memory::Memory;
use super::place;
use super::scene::Scene;
use super::styles::{KILL, Style};
use attack_loops::AttackLoop;
use call_stack::{Frame, Next};

/// As much as possible, when moving in.
pub(super) const ALL: u32 = 1_000_000;

/// Attack until one side is eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) from: TerritoryId,
    pub(super) to: TerritoryId,
    /// Armies the procedure wants to move in; `None` uses the bot's general
    /// rule.
    pub(super) move_in: Option<u32>,
}

/// How an order ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fought {
    Conquered,
    Exhausted,
}

/// A loop that attacks as it goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sortie {
    /// Borders with one enemy that they outnumber.
    EasyExpand(TerritoryId),
    /// Enemies that are surrounded.
    FillOut(TerritoryId),
    /// Several borders on the one enemy that they share.
    Consolidate(TerritoryId),
    /// Borders that outnumber all their enemies by this ratio, on each of them.
    SplitUp(TerritoryId, f32),
    /// Forward sweeps of the borders (Shaft).
    Sweep(TerritoryId),
    /// The best odds on the board, for a card, if they are better than this.
    Card(u32),
    /// A path into the continent.
    KillContinent(ContinentId),
    /// Everything in the continent that a neighbour outnumbers by this factor.
    Storm(ContinentId, f32),
    /// From territories of the continent with one enemy that counts
    /// (BetterPixie).
    Narrow(ContinentId),
    /// One border of another player's continent, outnumbered by this factor.
    TakeOut(ContinentId, u32),
    /// A player with less than a fifth of my armies.
    TakeOutPlayer(PlayerId),
    /// The plan of a hunter.
    Plan,
    /// Every weakest neighbour that is outnumbered (Angry).
    Strike,
    /// The same with this ratio (Stinky).
    Jab(f32),
    /// The one weakest neighbour (Communist; Trotsky in its targets).
    Raid(Aim),
}

/// What a raid looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// All but players of the same kind.
    Strangers,
    /// Target continents.
    Targets,
}

/// A sortie from the root.
#[derive(Clone, Copy, Debug)]
pub(super) enum Growth {
    EasyExpand,
    FillOut,
    Consolidate,
    SplitUp,
}

/// What is done in each continent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    /// Storm the wanted (Pixie).
    Storm,
    /// Storm the wanted, take out all (EvilPixie).
    StormAndTakeOut,
    /// Campaign in the wanted (BetterPixie).
    Campaign,
    /// Take out those with a bonus (BetterPixie).
    TakeOut,
}

/// A part of a bot's attack phase.
#[derive(Clone, Copy, Debug)]
pub(super) enum AttackStep {
    /// Fixes the root of the cluster.
    Root,
    /// Repeat until it achieves nothing.
    Repeat(Growth),
    Once(Growth),
    /// One easy expansion, or else filling out.
    ExpandOrFill,
    TriplePacks,
    /// Yakool's condition for splitting up.
    SplitIfAhead,
    /// Forward sweeps, if nothing was conquered in this turn.
    SweepIfIdle,
    CardAttack(u32),
    /// Attack everything if I have more armies than all others together.
    HogWild,
    /// The same for a hunter's outer half, whose move-in requests are ignored.
    OuterHogWild,
    /// Attack everything with a huge number of armies.
    Stalemate,
    /// Break the dominant player's continents.
    KillPlayer,
    Continents(Visit),
    TakeOutPlayers,
    FollowPlans,
    Strikes,
    Jabs,
    Raid(Aim),
}

/// How much a card attack moves in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hook {
    /// By the bot's general rule.
    General,
    Nothing,
    Half,
}

const MAX_DEPTH: usize = 5;

/// The attack phase of one turn, stopped after an order.
#[derive(Clone, Debug)]
pub(super) struct AttackInterpreter {
    frames: [Frame; MAX_DEPTH],
    depth: usize,
    attack_loop: AttackLoop,
    root: TerritoryId,
    hook: Hook,
    /// Seats of the bot's own kind.
    kin: u8,
    is_heard: bool,
}

impl AttackInterpreter {
    pub(super) fn idle() -> AttackInterpreter {
        AttackInterpreter {
            frames: [Frame::Script { steps: &[], at: 0 }; MAX_DEPTH],
            depth: 0,
            attack_loop: AttackLoop::idle(),
            root: TerritoryId::new(0),
            hook: Hook::General,
            kin: 0,
            is_heard: true,
        }
    }

    /// Begins the attack phase.
    pub(super) fn start(&mut self, style: &Style, kin: u8, scene: &Scene<'_>, memory: &mut Memory) {
        if !memory.has_placed {
            // Seated in the middle of a turn: plan as if there were nothing to
            // place.
            memory.wanted = memory
                .wanted
                .or_else(|| place::want(scene, 0))
                .or(Some(Default::default()));
            memory.targets = memory.targets.or_else(|| Some(place::find_targets(scene)));
        }
        let steps = if style.hunts && memory.placed_to_kill {
            KILL
        } else {
            style.attack
        };
        self.frames[0] = Frame::Script { steps, at: 0 };
        self.depth = 1;
        self.attack_loop.rest();
        self.hook = style.hook;
        self.kin = kin;
        self.is_heard = true;
    }

    /// The next order; `fought` is how the last one ended.
    pub(super) fn next(
        &mut self,
        scene: &Scene<'_>,
        memory: &mut Memory,
        fought: Option<Fought>,
    ) -> Option<Order> {
        let mut fought = fought;
        while self.depth > 0 {
            if let Some(mut order) = self
                .attack_loop
                .next(scene, memory, self.kin, fought.take())
            {
                if matches!(self.attack_loop.sortie(), Some(Sortie::Card(_))) {
                    order.move_in = self.hooked(scene.armies(order.from));
                }
                order.move_in = order.move_in.filter(|_| self.is_heard);
                return Some(order);
            }
            let mut returned = self.attack_loop.result();
            while self.depth > 0 {
                match self.resume(scene, memory, returned) {
                    Next::March(sortie) => {
                        self.attack_loop.start(sortie, scene, memory);
                        break;
                    }
                    Next::Call(frame) => {
                        self.frames[self.depth] = frame;
                        self.depth += 1;
                        returned = None;
                    }
                    Next::Return(value) => {
                        self.depth -= 1;
                        returned = Some(value);
                    }
                }
            }
        }
        None
    }

    fn hooked(&self, armies: u32) -> Option<u32> {
        match self.hook {
            Hook::General => None,
            Hook::Nothing => Some(0),
            Hook::Half => Some(armies / 2),
        }
    }
}
