//! The rule players as the program of Brand and Kroon 2014 plays them, where it differs from
//! their text (docs/spec/sampling.md 5.8). Known defects, available for comparison.

use hegemon_core::rules::Fortify;
use hegemon_core::{Board, Move, Phase, Rng, TerritoryId, TerritorySet, View};

use super::RulePolicy;
use super::pieces::weakest;
use crate::bot::{Bot, PolicyBot, Seating};
use crate::parameter::Parameter;
use crate::policy::Policy;
use crate::registry;
use crate::settings::Settings;
use crate::spec::{Spec, SpecError};

const ODDS: Parameter = Parameter::word(
    "odds",
    &["exact", "program"],
    "odds of an attack: exact, or the program's: one attacker too many, at most ten each",
);

const ACTIVE: Parameter = Parameter::word(
    "active",
    &["conquered", "source"],
    "where attacks go on after a conquest: conquered, or the program's source",
);

const RATIO: Parameter = Parameter::word(
    "ratio",
    &["after", "before"],
    "ratio to the neighbours with the armies to place (after), or the program's without (before)",
);

const SPARE: Parameter = Parameter::word(
    "spare",
    &["source", "target"],
    "who gets the odd army of a manoeuvre: source, or the program's target",
);

const TIES: Parameter = Parameter::word(
    "ties",
    &["random", "first"],
    "which of equal territories: random, or the program's first",
);

/// The parameters of `simulation`.
pub(crate) const SIMULATION_PARAMETERS: &[Parameter] = &[ODDS, ACTIVE, SPARE, TIES];

/// The parameters of `baseline`.
pub(crate) const BASELINE_PARAMETERS: &[Parameter] = &[RATIO, SPARE, TIES];

/// The differences of `simulation` that are switched on.
pub(crate) fn simulation(settings: &Settings<'_>) -> ProgramPolicy {
    ProgramPolicy {
        odds: settings.word("odds") == "program",
        stays: settings.word("active") == "source",
        ..ProgramPolicy::of(RulePolicy::Simulation, settings)
    }
}

/// The differences of `baseline` that are switched on.
pub(crate) fn baseline(settings: &Settings<'_>) -> ProgramPolicy {
    ProgramPolicy {
        before: settings.word("ratio") == "before",
        ..ProgramPolicy::of(RulePolicy::Baseline, settings)
    }
}

/// A rule player with some of the program's differences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramPolicy {
    player: RulePolicy,
    odds: bool,
    stays: bool,
    before: bool,
    spare: bool,
    first: bool,
    /// Where the armies of this turn were placed.
    source: Option<TerritoryId>,
}

impl ProgramPolicy {
    /// The policy of a spec of `simulation` or `baseline`.
    ///
    /// # Errors
    ///
    /// If its arguments are wrong.
    pub fn of_spec(spec: &Spec) -> Result<ProgramPolicy, SpecError> {
        let settings = registry::settings(spec)?;
        Ok(match spec.name.as_str() {
            "baseline" => baseline(&settings),
            _ => simulation(&settings),
        })
    }

    fn of(player: RulePolicy, settings: &Settings<'_>) -> ProgramPolicy {
        ProgramPolicy {
            player,
            odds: false,
            stays: false,
            before: false,
            spare: settings.word("spare") == "target",
            first: settings.word("ties") == "first",
            source: None,
        }
    }

    /// The bot of a spec: the plain player, which is fast, if nothing differs.
    pub(crate) fn bot(self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        let plain = ProgramPolicy {
            odds: false,
            stays: false,
            before: false,
            spare: false,
            first: false,
            ..self.clone()
        };
        if self == plain {
            return Ok(Box::new(PolicyBot::new(self.player, seating)));
        }
        Ok(Box::new(PolicyBot::new(self, seating)))
    }

    fn place(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        let mv = match self.before.then(|| heaviest_before(view)).flatten() {
            Some(territory) => Move::Place {
                territory,
                armies: view.to_place(),
            },
            None => self.player.choose(view, rng),
        };
        if let Move::Place { territory, .. } = mv {
            self.source = Some(territory);
        }
        mv
    }

    fn attack(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        if !self.odds && !self.stays {
            return self.player.choose(view, rng);
        }
        let from = if self.stays { self.source } else { view.last() };
        let board = view.board();
        let ready = |t: &TerritoryId| board.owner(*t) == view.seat() && board.armies(*t) > 1;
        let Some(from) = from.filter(ready) else {
            return Move::End;
        };
        let mut near = view.map().neighbor_list(from).iter().copied();
        let target = near.find(|&to| board.owner(to) != view.seat() && self.falls(view, from, to));
        match target {
            Some(to) => Move::Attack {
                from,
                to,
                with: *view.attack_range(from).end(),
            },
            None => Move::End,
        }
    }

    /// Whether an attack is above even, by the odds in force.
    fn falls(&self, view: View<'_>, from: TerritoryId, to: TerritoryId) -> bool {
        /// The size of the program's table.
        const TABLE: u32 = 10;
        let (board, battles) = (view.board(), view.game().battles());
        let (armies, defenders) = (board.armies(from), board.armies(to));
        match self.odds {
            true => armies.min(TABLE) >= battles.force_for_even(defenders.min(TABLE)),
            false => armies > battles.force_for_even(defenders),
        }
    }

    /// The players' manoeuvre with another rounding and other ties.
    fn manoeuvre(&self, view: View<'_>, rng: &mut Rng) -> Move {
        let board = view.board();
        let own = board.owned(view.seat());
        let Some(from) = board.with_armies(own, board.most_armies(own)).first() else {
            return Move::End;
        };
        let reach = match view.game().rules().fortify {
            Fortify::OneConnected => view.map().reachable(from, own),
            _ => view.map().neighbors(from) & own,
        } - TerritorySet::of(from);
        let to = match self.first {
            true => first_weakest(board, reach),
            false => weakest(board, reach, rng),
        };
        let Some(to) = to else {
            return Move::End;
        };
        let difference = board.armies(from).saturating_sub(board.armies(to));
        let half = (difference + u32::from(self.spare)) / 2;
        match half.min(view.moveable(from)) {
            0 => Move::End,
            armies => Move::Fortify { from, to, armies },
        }
    }
}

fn first_weakest(board: &Board, set: TerritorySet) -> Option<TerritoryId> {
    board.with_armies(set, board.fewest_armies(set)).first()
}

/// The first frontier territory with the largest ratio of its armies to those around it,
/// as they are before armies are placed.
fn heaviest_before(view: View<'_>) -> Option<TerritoryId> {
    let (board, map) = (view.board(), view.map());
    let mut best: Option<(TerritoryId, u64, u64)> = None;
    for territory in board.frontier(map, view.seat()) {
        let around = board.enemy_neighbors(map, territory);
        let own = u64::from(board.armies(territory));
        let enemy: u64 = around.iter().map(|t| u64::from(board.armies(t))).sum();
        let is_better =
            best.is_none_or(|(_, best_own, best_enemy)| own * best_enemy > best_own * enemy);
        if is_better {
            best = Some((territory, own, enemy));
        }
    }
    best.map(|(territory, _, _)| territory)
}

impl Policy for ProgramPolicy {
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        match view.phase() {
            Phase::Reinforce => self.place(view, rng),
            Phase::Attack => self.attack(view, rng),
            Phase::Fortify if self.spare || self.first => self.manoeuvre(view, rng),
            _ => self.player.choose(view, rng),
        }
    }
}
