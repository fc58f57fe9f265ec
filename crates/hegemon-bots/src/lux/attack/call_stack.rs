//! Procedures that attack only through others.

use hegemon_core::{ContinentId, PlayerId, TerritoryId, TerritorySet};

use super::attack_loops::find_victim;
use super::{AttackInterpreter, AttackStep, Fought, Growth, Sortie, Visit};
use crate::lux::list::OneAhead;
use crate::lux::memory::Memory;
use crate::lux::scene::{ContinentSet, Scene};

/// EvilPixie attacks what it outnumbers by this factor.
const EVIL_FACTOR: f32 = 1.3;
/// Cluster splits up against fewer enemies by this factor.
const SPLIT_RATIO: f32 = 1.2;
/// Attacking as much as possible splits up against nearly everything.
const RECKLESS_RATIO: f32 = 0.01;

/// A procedure stopped at a call of another.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frame {
    Script {
        steps: &'static [AttackStep],
        at: u8,
    },
    /// A sortie, repeated until it achieves nothing.
    Repeat {
        sortie: Sortie,
        any: bool,
    },
    ExpandOrFill {
        root: TerritoryId,
        is_filling: bool,
    },
    /// Expand, fill out, consolidate, each and all repeated until nothing
    /// changes.
    TriplePacks {
        root: TerritoryId,
        part: Part,
        any: bool,
        ever: bool,
    },
    /// Everything from everywhere, repeated until nothing changes.
    AsMuch(AsMuch),
    Continents {
        visit: Visit,
        next: u8,
        is_stormed: bool,
    },
    Campaign {
        continent: ContinentId,
        is_storming: bool,
    },
    KillPlayer {
        left: ContinentSet,
    },
    TakeOutPlayers {
        next: u8,
    },
    Plans,
    Jabs {
        is_large: bool,
    },
}

/// Where in a frame of several parts a call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    First,
    Second,
    Third,
}

/// What a frame does next.
pub(super) enum Next {
    March(Sortie),
    Call(Frame),
    Return(bool),
}

impl Frame {
    fn triple_packs(root: TerritoryId) -> Frame {
        Frame::TriplePacks {
            root,
            part: Part::First,
            any: false,
            ever: false,
        }
    }

    fn as_much(scene: &Scene<'_>) -> Frame {
        Frame::AsMuch(AsMuch {
            ahead: OneAhead::new(scene.own, |_| true),
            current: None,
            is_splitting: true,
            any: false,
            board: 0,
            idle: TerritorySet::EMPTY,
        })
    }

    fn repeat(sortie: Sortie) -> Frame {
        Frame::Repeat { sortie, any: false }
    }
}

impl AttackInterpreter {
    /// Resumes the top frame: `returned` is the result of its call, `None` at
    /// its start.
    pub(super) fn resume(
        &mut self,
        scene: &Scene<'_>,
        memory: &mut Memory,
        returned: Option<bool>,
    ) -> Next {
        let mut frame = self.frames[self.depth - 1];
        let next = match &mut frame {
            Frame::Script { steps, at } => self.script(scene, memory, steps, at),
            Frame::Repeat { sortie, any } => repeat(*sortie, any, returned),
            Frame::ExpandOrFill { root, is_filling } => expand_or_fill(*root, is_filling, returned),
            Frame::TriplePacks {
                root,
                part,
                any,
                ever,
            } => triple_packs(*root, part, any, ever, returned),
            Frame::AsMuch(as_much) => as_much.resume(scene, returned),
            Frame::Continents {
                visit,
                next,
                is_stormed,
            } => continents(scene, memory, *visit, next, is_stormed),
            Frame::Campaign {
                continent,
                is_storming,
            } => campaign(scene, *continent, is_storming, returned),
            Frame::KillPlayer { left } => kill_player(scene, left),
            Frame::TakeOutPlayers { next } => take_out_players(scene, next),
            Frame::Plans => match memory.plans.is_empty() {
                true => Next::Return(false),
                false => Next::March(Sortie::Plan),
            },
            Frame::Jabs { is_large } => jabs(scene, is_large, returned),
        };
        self.frames[self.depth - 1] = frame;
        next
    }

    fn script(
        &mut self,
        scene: &Scene<'_>,
        memory: &Memory,
        steps: &'static [AttackStep],
        at: &mut u8,
    ) -> Next {
        while let Some(&step) = steps.get(usize::from(*at)) {
            *at += 1;
            if self.is_end_at(scene, memory, step) {
                break;
            }
            if let Some(next) = self.take_step(scene, memory, step) {
                return next;
            }
        }
        Next::Return(false)
    }

    /// Whether the phase ends instead of the step: a raid without a victim
    /// ends it, and without a plan for continents the original fails.
    fn is_end_at(&self, scene: &Scene<'_>, memory: &Memory, step: AttackStep) -> bool {
        match step {
            AttackStep::Continents(_) => memory.wanted.is_none(),
            AttackStep::Raid(aim) => find_victim(scene, memory, aim, self.kin).is_none(),
            _ => false,
        }
    }

    /// What a step calls, if anything.
    fn take_step(&mut self, scene: &Scene<'_>, memory: &Memory, step: AttackStep) -> Option<Next> {
        let root = self.root;
        Some(match step {
            AttackStep::Root => {
                self.root = scene.root()?;
                return None;
            }
            AttackStep::Repeat(growth) => Next::Call(Frame::repeat(growth.at(root))),
            AttackStep::Once(growth) => Next::March(growth.at(root)),
            AttackStep::ExpandOrFill => Next::Call(Frame::ExpandOrFill {
                root,
                is_filling: false,
            }),
            AttackStep::TriplePacks => Next::Call(Frame::triple_packs(root)),
            AttackStep::SplitIfAhead if is_ahead(scene) => {
                Next::Call(Frame::repeat(Growth::SplitUp.at(root)))
            }
            AttackStep::SweepIfIdle if !scene.view.has_conquered() => {
                Next::March(Sortie::Sweep(root))
            }
            AttackStep::CardAttack(factor) if may_gain_card(scene) => {
                Next::March(Sortie::Card(factor))
            }
            AttackStep::HogWild if scene.is_hog_wild() => Next::Call(Frame::as_much(scene)),
            AttackStep::OuterHogWild if scene.is_hog_wild() => {
                self.is_heard = false;
                Next::Call(Frame::as_much(scene))
            }
            AttackStep::Stalemate if scene.total(scene.me) > 1500 => {
                Next::Call(Frame::as_much(scene))
            }
            AttackStep::KillPlayer if memory.must_kill.is_some() => Next::Call(Frame::KillPlayer {
                left: memory.must_kill_continents,
            }),
            AttackStep::Continents(visit) => Next::Call(Frame::Continents {
                visit,
                next: 0,
                is_stormed: false,
            }),
            AttackStep::TakeOutPlayers => Next::Call(Frame::TakeOutPlayers { next: 0 }),
            AttackStep::FollowPlans => Next::Call(Frame::Plans),
            AttackStep::Strikes => Next::Call(Frame::repeat(Sortie::Strike)),
            AttackStep::Jabs => Next::Call(Frame::Jabs { is_large: false }),
            AttackStep::Raid(aim) => Next::March(Sortie::Raid(aim)),
            _ => return None,
        })
    }
}

impl Growth {
    fn at(self, root: TerritoryId) -> Sortie {
        match self {
            Growth::EasyExpand => Sortie::EasyExpand(root),
            Growth::FillOut => Sortie::FillOut(root),
            Growth::Consolidate => Sortie::Consolidate(root),
            Growth::SplitUp => Sortie::SplitUp(root, SPLIT_RATIO),
        }
    }
}

fn may_gain_card(scene: &Scene<'_>) -> bool {
    scene.view.game().rules().has_cards() && !scene.view.has_conquered()
}

/// Yakool's condition for splitting up: no continent, less income than the
/// average, more than any other player, or more armies than all others
/// together.
fn is_ahead(scene: &Scene<'_>) -> bool {
    let others = || scene.others().map(|p| scene.income(p));
    let average = others().sum::<u32>() / scene.view.game().n_players() as u32;
    let mine = scene.income(scene.me);
    !scene.owns_positive()
        || mine < average
        || others().max().is_some_and(|top| mine > top)
        || scene.is_hog_wild()
}

fn repeat(sortie: Sortie, any: &mut bool, returned: Option<bool>) -> Next {
    if returned == Some(false) {
        return Next::Return(*any);
    }
    *any |= returned.is_some();
    Next::March(sortie)
}

fn expand_or_fill(root: TerritoryId, is_filling: &mut bool, returned: Option<bool>) -> Next {
    match returned {
        None => Next::March(Sortie::EasyExpand(root)),
        Some(false) if !*is_filling => {
            *is_filling = true;
            Next::March(Sortie::FillOut(root))
        }
        Some(_) => Next::Return(false),
    }
}

fn triple_packs(
    root: TerritoryId,
    part: &mut Part,
    any: &mut bool,
    ever: &mut bool,
    returned: Option<bool>,
) -> Next {
    let gained = returned == Some(true);
    match *part {
        Part::First if returned.is_none() || gained => {
            *any |= gained;
            Next::March(Sortie::EasyExpand(root))
        }
        Part::First => {
            *part = Part::Second;
            Next::March(Sortie::FillOut(root))
        }
        Part::Second => {
            *part = Part::Third;
            Next::March(Sortie::Consolidate(root))
        }
        Part::Third if gained => {
            *any = true;
            Next::March(Sortie::Consolidate(root))
        }
        Part::Third if *any => {
            (*ever, *any, *part) = (true, false, Part::First);
            Next::March(Sortie::EasyExpand(root))
        }
        Part::Third => Next::Return(*ever),
    }
}

/// The progress of attacking as much as possible.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsMuch {
    ahead: OneAhead,
    current: Option<TerritoryId>,
    /// Whether the current territory's splitting up was called, not yet its
    /// triple packs.
    is_splitting: bool,
    any: bool,
    /// Hash of the board when the current territory was reached.
    board: u64,
    /// Territories from which nothing can be attacked on this board: a cluster
    /// that can do nothing from one root can do nothing from another.
    idle: TerritorySet,
}

impl AsMuch {
    fn resume(&mut self, scene: &Scene<'_>, returned: Option<bool>) -> Next {
        self.any |= returned == Some(true);
        if let (false, Some(root)) = (self.is_splitting, self.current) {
            self.is_splitting = true;
            return Next::Call(Frame::repeat(Sortie::SplitUp(root, RECKLESS_RATIO)));
        }
        self.note_idle(scene);
        loop {
            self.current = self.ahead.next(scene.own, |_| true);
            match self.current {
                Some(root) if self.idle.contains(root) => {}
                Some(root) => {
                    self.is_splitting = false;
                    return Next::Call(Frame::triple_packs(root));
                }
                None if self.any => {
                    self.any = false;
                    self.ahead = OneAhead::new(scene.own, |_| true);
                }
                None => return Next::Return(false),
            }
        }
    }

    fn note_idle(&mut self, scene: &Scene<'_>) {
        let board = scene.board.hash();
        match self.current {
            Some(root) if board == self.board => self.idle |= scene.board.region(scene.map, root),
            _ => self.idle = TerritorySet::EMPTY,
        }
        self.board = board;
    }
}

fn continents(
    scene: &Scene<'_>,
    memory: &Memory,
    visit: Visit,
    next: &mut u8,
    is_stormed: &mut bool,
) -> Next {
    let n_continents = scene.continents().len();
    while usize::from(*next) < n_continents {
        let k = ContinentId::new(usize::from(*next));
        let is_wanted = memory.wants(k);
        if visit == Visit::StormAndTakeOut && is_wanted && !*is_stormed {
            *is_stormed = true;
            return Next::March(Sortie::Storm(k, EVIL_FACTOR));
        }
        *is_stormed = false;
        *next += 1;
        match visit {
            Visit::Storm if is_wanted => return Next::March(Sortie::Storm(k, 1.0)),
            Visit::StormAndTakeOut => return Next::March(Sortie::TakeOut(k, 1)),
            Visit::Campaign if is_wanted => {
                return Next::Call(Frame::Campaign {
                    continent: k,
                    is_storming: true,
                });
            }
            Visit::TakeOut if scene.bonus(k) > 0 => return Next::March(Sortie::TakeOut(k, 2)),
            _ => {}
        }
    }
    Next::Return(false)
}

/// BetterPixie's attack in a continent: narrow attacks until nothing changes,
/// then a storm, repeated until both achieve nothing.
fn campaign(
    scene: &Scene<'_>,
    k: ContinentId,
    is_storming: &mut bool,
    returned: Option<bool>,
) -> Next {
    let may_begin = || {
        let n_hostile = (scene.land(k) - scene.own).len() as u32;
        let enemies = (1.3 * f64::from(scene.enemy_armies_in(k))) as u32 + n_hostile;
        enemies <= scene.own_armies_in(k) + scene.adjoining_armies(k)
    };
    let is_over = match returned {
        None => !may_begin(),
        Some(gained) => *is_storming && !gained,
    };
    if is_over {
        return Next::Return(false);
    }
    *is_storming = !*is_storming;
    match *is_storming {
        true => Next::March(Sortie::Storm(k, 1.0)),
        false => Next::Call(Frame::repeat(Sortie::Narrow(k))),
    }
}

/// The dominant player's continents, highest bonus first.
fn kill_player(scene: &Scene<'_>, left: &mut ContinentSet) -> Next {
    let mut best: Option<(ContinentId, u32)> = None;
    for k in scene.continents().filter(|&k| left.contains(k)) {
        if scene.bonus(k) > best.map_or(0, |(_, most)| most) {
            best = Some((k, scene.bonus(k)));
        }
    }
    match best {
        Some((k, _)) => {
            left.remove(k);
            Next::March(Sortie::KillContinent(k))
        }
        None => Next::Return(false),
    }
}

fn take_out_players(scene: &Scene<'_>, next: &mut u8) -> Next {
    while usize::from(*next) < scene.view.game().n_players() {
        let player = PlayerId::new(usize::from(*next));
        *next += 1;
        if player != scene.me && scene.total(scene.me) > 5 * scene.total(player) {
            return Next::March(Sortie::TakeOutPlayer(player));
        }
    }
    Next::Return(false)
}

/// Stinky: one careful pass; with very many armies, reckless passes until
/// nothing changes.
fn jabs(scene: &Scene<'_>, is_large: &mut bool, returned: Option<bool>) -> Next {
    match returned {
        None => Next::March(Sortie::Jab(1.5)),
        Some(gained) if *is_large && !gained => Next::Return(false),
        Some(_) if *is_large || scene.total(scene.me) > 300 => {
            *is_large = true;
            Next::March(Sortie::Jab(0.0))
        }
        Some(_) => Next::Return(false),
    }
}

impl Fought {
    pub(super) fn is_conquest(self) -> bool {
        self == Fought::Conquered
    }
}
