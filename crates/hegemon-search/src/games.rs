//! Games small enough to solve exactly: explicit trees and the one-front battle.
//! Search results on them can be compared with the exact answer.

use hegemon_core::Rng;
use hegemon_core::battle::{DiceRule, Exchange};

use crate::domain::{Domain, NodeKind};
use crate::solver::Enumerable;
use crate::values::{Player, Values};

/// An explicit tree: the children of a node, or its utilities.
#[derive(Clone, Debug)]
pub enum Branch {
    /// A player chooses.
    Choice(u8, Vec<Branch>),
    /// Chance draws by weight.
    Chance(Vec<(u64, Branch)>),
    /// The end.
    End(Vec<f64>),
}

/// Any explicit tree; a state is the path to a node.
#[derive(Clone, Debug)]
pub struct TreeGame {
    /// Number of players.
    pub n_players: usize,
    /// The root.
    pub top: Branch,
}

impl TreeGame {
    fn at(&self, state: &[u8]) -> &Branch {
        state.iter().fold(&self.top, |branch, &idx| match branch {
            Branch::Choice(_, children) => &children[usize::from(idx)],
            Branch::Chance(children) => &children[usize::from(idx)].1,
            Branch::End(_) => panic!("nothing follows the end"),
        })
    }

    /// The number of positions.
    pub fn n_positions(&self) -> usize {
        fn count(branch: &Branch) -> usize {
            1 + match branch {
                Branch::Choice(_, children) => children.iter().map(count).sum(),
                Branch::Chance(children) => children.iter().map(|(_, b)| count(b)).sum(),
                Branch::End(_) => 0,
            }
        }
        count(&self.top)
    }

    /// The exact max^n value of every player at a branch.
    ///
    /// # Panics
    ///
    /// If a choice has no children.
    pub fn value(branch: &Branch) -> Vec<f64> {
        match branch {
            Branch::End(values) => values.clone(),
            Branch::Choice(mover, children) => {
                let values = children.iter().map(TreeGame::value);
                let mover = usize::from(*mover);
                values
                    .reduce(|best, next| {
                        if next[mover] > best[mover] {
                            next
                        } else {
                            best
                        }
                    })
                    .expect("a choice has children")
            }
            Branch::Chance(children) => {
                let total: u64 = children.iter().map(|(weight, _)| weight).sum();
                let mut sum: Vec<f64> = Vec::new();
                for (weight, child) in children {
                    let values = TreeGame::value(child);
                    sum.resize(values.len(), 0.0);
                    for (slot, value) in sum.iter_mut().zip(values) {
                        *slot += value * *weight as f64 / total as f64;
                    }
                }
                sum
            }
        }
    }

    /// MAX (player 0) and MIN (player 1) in turn, `depth` plies of `width`
    /// children, utilities 0, 0.1, ..., 1; with chance between them if `chance`
    /// is set.
    pub fn random(depth: u32, width: usize, chance: bool, seed: u64) -> TreeGame {
        let mut rng = Rng::stream(seed, "random tree");
        let top = random_branch(0, depth, width, chance, &mut rng);
        TreeGame { n_players: 2, top }
    }
}

fn random_branch(ply: u32, depth: u32, width: usize, chance: bool, rng: &mut Rng) -> Branch {
    if ply == depth {
        let value = f64::from(rng.below(11)) / 10.0;
        return Branch::End(vec![value, 1.0 - value]);
    }
    let children = |rng: &mut Rng| {
        (0..width)
            .map(|_| random_branch(ply + 1, depth, width, chance, rng))
            .collect::<Vec<_>>()
    };
    if chance && ply % 2 == 1 {
        let branches = children(rng);
        let weighted = branches
            .into_iter()
            .map(|branch| (1 + u64::from(rng.below(5)), branch));
        return Branch::Chance(weighted.collect());
    }
    let mover = if chance { (ply / 2) % 2 } else { ply % 2 };
    Branch::Choice(mover as u8, children(rng))
}

impl Domain for TreeGame {
    type State = Vec<u8>;
    type Action = u8;
    type Outcome = u8;

    fn n_players(&self) -> usize {
        self.n_players
    }

    fn kind(&self, state: &Vec<u8>) -> NodeKind {
        match self.at(state) {
            Branch::Choice(mover, _) => NodeKind::Decision(Player(*mover)),
            Branch::Chance(_) => NodeKind::Chance,
            Branch::End(_) => NodeKind::Terminal,
        }
    }

    fn actions(&self, state: &Vec<u8>, out: &mut Vec<u8>) {
        if let Branch::Choice(_, children) = self.at(state) {
            out.extend(0..children.len() as u8);
        }
    }

    fn play(&self, state: &mut Vec<u8>, action: &u8) {
        state.push(*action);
    }

    fn outcomes(&self, state: &Vec<u8>, out: &mut Vec<(u8, u64)>) {
        if let Branch::Chance(children) = self.at(state) {
            out.extend((0..).zip(children.iter().map(|(weight, _)| *weight)));
        }
    }

    fn resolve(&self, state: &mut Vec<u8>, outcome: u8) {
        state.push(outcome);
    }

    fn utilities(&self, state: &Vec<u8>) -> Values {
        match self.at(state) {
            Branch::End(values) => Values::new(values),
            _ => panic!("only ends have utilities"),
        }
    }
}

impl Enumerable for TreeGame {
    type Key = Vec<u8>;

    fn key(&self, state: &Vec<u8>) -> Vec<u8> {
        state.clone()
    }
}

/// T1: one MIN node above terminal children worth 0 and `bad` to MAX.
pub fn min_node(bad: f64) -> TreeGame {
    let end = |value: f64| Branch::End(vec![value, 1.0 - value]);
    TreeGame {
        n_players: 2,
        top: Branch::Choice(1, vec![end(0.0), end(bad)]),
    }
}

/// The one-front battle: attack once more, or stop for `0.1` an army.
#[derive(Clone, Copy, Debug)]
pub struct OneFrontBattle {
    /// What stopping pays for each army left.
    pub stop_pay: f64,
}

/// What happens next in the battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BattlePhase {
    /// The attacker's decision.
    Decide,
    /// The dice.
    Roll,
    /// Nothing: the attacker has stopped.
    Stopped,
}

/// Attackers that may be lost, defenders, and what comes next.
pub type BattleState = (u32, u32, BattlePhase);

/// A decision of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BattleAction {
    /// One more exchange.
    Attack,
    /// Take what stopping pays.
    Stop,
}

/// Armies that attacker and defender lose.
pub type ArmiesLost = (u32, u32);

impl Domain for OneFrontBattle {
    type State = BattleState;
    type Action = BattleAction;
    type Outcome = ArmiesLost;

    fn n_players(&self) -> usize {
        1
    }

    fn kind(&self, &(attackers, defenders, phase): &BattleState) -> NodeKind {
        match phase {
            _ if attackers == 0 || defenders == 0 => NodeKind::Terminal,
            BattlePhase::Stopped => NodeKind::Terminal,
            BattlePhase::Decide => NodeKind::Decision(Player(0)),
            BattlePhase::Roll => NodeKind::Chance,
        }
    }

    fn actions(&self, _: &BattleState, out: &mut Vec<BattleAction>) {
        out.extend([BattleAction::Attack, BattleAction::Stop]);
    }

    fn play(&self, state: &mut BattleState, action: &BattleAction) {
        state.2 = match action {
            BattleAction::Attack => BattlePhase::Roll,
            BattleAction::Stop => BattlePhase::Stopped,
        };
    }

    fn outcomes(&self, state: &BattleState, out: &mut Vec<(ArmiesLost, u64)>) {
        let law = Exchange::between(DiceRule::OFFICIAL, state.0, state.1);
        out.extend(
            law.outcomes()
                .map(|(losses, weight)| ((losses.attacker, losses.defender), u64::from(weight))),
        );
    }

    fn resolve(&self, state: &mut BattleState, losses: ArmiesLost) {
        *state = (state.0 - losses.0, state.1 - losses.1, BattlePhase::Decide);
    }

    fn utilities(&self, &(attackers, defenders, phase): &BattleState) -> Values {
        Values::new(&[match phase {
            _ if defenders == 0 => 1.0,
            BattlePhase::Stopped => self.stop_pay * f64::from(attackers),
            _ => 0.0,
        }])
    }
}

impl Enumerable for OneFrontBattle {
    type Key = BattleState;

    fn key(&self, state: &BattleState) -> BattleState {
        *state
    }
}
