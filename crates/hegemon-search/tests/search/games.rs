//! Games small enough to know everything about.

use hegemon_core::{Rng, mix};
use hegemon_search::{Enumerable, Game, NodeKind, Player, Values};

/// A tree written out: the children of a node, or its utilities.
#[derive(Clone, Debug)]
pub(crate) enum Branch {
    /// A player chooses.
    Choice(u8, Vec<Branch>),
    /// Chance draws by weight.
    Chance(Vec<(u64, Branch)>),
    /// The end.
    End(Vec<f64>),
}

/// Any explicit tree; a state is the path to a node.
#[derive(Clone, Debug)]
pub(crate) struct TreeGame {
    pub(crate) n_players: usize,
    pub(crate) top: Branch,
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
    pub(crate) fn n_positions(&self) -> usize {
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
    pub(crate) fn value(branch: &Branch) -> Vec<f64> {
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
    /// children, utilities 0, 0.1, ..., 1; with chance between them if asked.
    pub(crate) fn random(depth: u32, width: usize, chance: bool, seed: u64) -> TreeGame {
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

impl Game for TreeGame {
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
pub(crate) fn min_node(bad: f64) -> TreeGame {
    let end = |value: f64| Branch::End(vec![value, 1.0 - value]);
    TreeGame {
        n_players: 2,
        top: Branch::Choice(1, vec![end(0.0), end(bad)]),
    }
}

/// The one-front battle: attack once more, or stop for `0.1` an army.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Battle {
    pub(crate) stop_pay: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BattlePhase {
    Decide,
    Roll,
    Stopped,
}

/// Attackers that may be lost, defenders, and what comes next.
pub(crate) type BattleState = (u32, u32, BattlePhase);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BattleAction {
    Attack,
    Stop,
}

/// Losses of attacker and defender.
pub(crate) type Losses = (u32, u32);

/// The six exchange laws of the spec, section 2.2.
pub(crate) fn exchange(attackers: u32, defenders: u32) -> &'static [(Losses, u64)] {
    match (attackers.min(3), defenders.min(2)) {
        (3, 2) => &[((0, 2), 2890), ((1, 1), 2611), ((2, 0), 2275)],
        (3, 1) => &[((0, 1), 855), ((1, 0), 441)],
        (2, 2) => &[((0, 2), 295), ((1, 1), 420), ((2, 0), 581)],
        (2, 1) => &[((0, 1), 125), ((1, 0), 91)],
        (1, 2) => &[((0, 1), 55), ((1, 0), 161)],
        (1, 1) => &[((0, 1), 15), ((1, 0), 21)],
        _ => &[],
    }
}

impl Game for Battle {
    type State = BattleState;
    type Action = BattleAction;
    type Outcome = Losses;

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

    fn outcomes(&self, state: &BattleState, out: &mut Vec<(Losses, u64)>) {
        out.extend_from_slice(exchange(state.0, state.1));
    }

    fn resolve(&self, state: &mut BattleState, losses: Losses) {
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

impl Enumerable for Battle {
    type Key = BattleState;

    fn key(&self, state: &BattleState) -> BattleState {
        *state
    }
}

/// Nim, normal play: who takes the last match wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nim;

pub(crate) type NimState = ([u8; 3], u8);

impl Game for Nim {
    type State = NimState;
    type Action = (u8, u8);
    type Outcome = ();

    fn n_players(&self) -> usize {
        2
    }

    fn kind(&self, (heaps, mover): &NimState) -> NodeKind {
        if heaps.iter().all(|&heap| heap == 0) {
            NodeKind::Terminal
        } else {
            NodeKind::Decision(Player(*mover))
        }
    }

    fn actions(&self, (heaps, _): &NimState, out: &mut Vec<(u8, u8)>) {
        for (heap, &matches) in (0..).zip(heaps) {
            out.extend((1..=matches).map(|taken| (heap, taken)));
        }
    }

    fn play(&self, (heaps, mover): &mut NimState, &(heap, taken): &(u8, u8)) {
        heaps[usize::from(heap)] -= taken;
        *mover = 1 - *mover;
    }

    fn outcomes(&self, _: &NimState, _: &mut Vec<((), u64)>) {}

    fn resolve(&self, _: &mut NimState, (): ()) {}

    fn utilities(&self, (_, mover): &NimState) -> Values {
        Values::win(Player(1 - *mover))
    }
}

impl Enumerable for Nim {
    type Key = NimState;

    fn key(&self, state: &NimState) -> NimState {
        *state
    }
}

/// Tic-tac-toe as two bit boards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TicTacToe;

pub(crate) type Boards = [u16; 2];

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn has_line(board: u16) -> bool {
    LINES.iter().any(|line| line & !board == 0)
}

impl Game for TicTacToe {
    type State = Boards;
    type Action = u8;
    type Outcome = ();

    fn n_players(&self) -> usize {
        2
    }

    fn kind(&self, boards: &Boards) -> NodeKind {
        let full = boards[0] | boards[1] == 0o777;
        if full || has_line(boards[0]) || has_line(boards[1]) {
            return NodeKind::Terminal;
        }
        let behind = boards[1].count_ones() < boards[0].count_ones();
        NodeKind::Decision(Player(u8::from(behind)))
    }

    fn actions(&self, boards: &Boards, out: &mut Vec<u8>) {
        let taken = boards[0] | boards[1];
        out.extend((0..9).filter(|cell| taken & (1 << cell) == 0));
    }

    fn play(&self, boards: &mut Boards, cell: &u8) {
        let behind = boards[1].count_ones() < boards[0].count_ones();
        boards[usize::from(behind)] |= 1 << cell;
    }

    fn outcomes(&self, _: &Boards, _: &mut Vec<((), u64)>) {}

    fn resolve(&self, _: &mut Boards, (): ()) {}

    fn utilities(&self, boards: &Boards) -> Values {
        match (has_line(boards[0]), has_line(boards[1])) {
            (true, _) => Values::win(Player(0)),
            (_, true) => Values::win(Player(1)),
            _ => Values::new(&[0.5, 0.5]),
        }
    }
}

impl Enumerable for TicTacToe {
    type Key = Boards;

    fn key(&self, boards: &Boards) -> Boards {
        *boards
    }
}

/// One decision with very many actions, each a lottery: number `i` wins with
/// the probability `quality(i)` of 1000.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lottery {
    pub(crate) n_tickets: u64,
    /// All alike at this chance, or unequal if none.
    pub(crate) chance: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LotteryState {
    Buying,
    Drawing(u64),
    Over(bool),
}

impl Lottery {
    /// Chance to win of a ticket, in thousandths.
    pub(crate) fn quality(&self, ticket: u64) -> u64 {
        self.chance.unwrap_or_else(|| mix(ticket) % 1000)
    }
}

impl Game for Lottery {
    type State = LotteryState;
    type Action = u64;
    type Outcome = bool;

    fn n_players(&self) -> usize {
        1
    }

    fn kind(&self, state: &LotteryState) -> NodeKind {
        match state {
            LotteryState::Buying => NodeKind::Decision(Player(0)),
            LotteryState::Drawing(_) => NodeKind::Chance,
            LotteryState::Over(_) => NodeKind::Terminal,
        }
    }

    fn actions(&self, _: &LotteryState, out: &mut Vec<u64>) {
        assert!(self.n_tickets <= 1000, "too many to list");
        out.extend(0..self.n_tickets);
    }

    fn n_actions(&self, _: &LotteryState) -> u128 {
        u128::from(self.n_tickets)
    }

    fn sample_action(&self, _: &LotteryState, rng: &mut Rng) -> u64 {
        rng.below_u64(self.n_tickets)
    }

    fn play(&self, state: &mut LotteryState, ticket: &u64) {
        *state = LotteryState::Drawing(*ticket);
    }

    fn outcomes(&self, state: &LotteryState, out: &mut Vec<(bool, u64)>) {
        if let LotteryState::Drawing(ticket) = state {
            let wins = self.quality(*ticket);
            out.extend(
                [(true, wins), (false, 1000 - wins)]
                    .iter()
                    .filter(|o| o.1 > 0),
            );
        }
    }

    fn resolve(&self, state: &mut LotteryState, won: bool) {
        *state = LotteryState::Over(won);
    }

    fn utilities(&self, state: &LotteryState) -> Values {
        Values::new(&[f64::from(u8::from(*state == LotteryState::Over(true)))])
    }
}

/// A won game that can be finished now or put off: the mover ends it, or waits
/// a turn, at most `patience` times; then it ends by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dawdle {
    pub(crate) patience: u32,
}

/// Turns waited, and whether it is over.
pub(crate) type DawdleState = (u32, bool);

impl Game for Dawdle {
    type State = DawdleState;
    type Action = bool;
    type Outcome = ();

    fn n_players(&self) -> usize {
        2
    }

    fn kind(&self, &(turns, over): &DawdleState) -> NodeKind {
        if over || turns == self.patience {
            NodeKind::Terminal
        } else {
            NodeKind::Decision(Player(0))
        }
    }

    fn actions(&self, _: &DawdleState, out: &mut Vec<bool>) {
        out.extend([false, true]);
    }

    fn play(&self, state: &mut DawdleState, finish: &bool) {
        if *finish {
            state.1 = true;
        } else {
            state.0 += 1;
        }
    }

    fn outcomes(&self, _: &DawdleState, _: &mut Vec<((), u64)>) {}

    fn resolve(&self, _: &mut DawdleState, (): ()) {}

    fn utilities(&self, _: &DawdleState) -> Values {
        Values::win(Player(0))
    }

    fn turns_played(&self, state: &DawdleState) -> u32 {
        state.0
    }
}

/// A walk between two ends that may go on for ever: each turn the mover stakes
/// one coin of `total` on a throw that wins `bias` times of 10.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruin {
    pub(crate) total: u32,
    pub(crate) bias: u64,
}

/// Coins, whether a coin is in the air, and turns played.
pub(crate) type RuinState = (u32, bool, u32);

impl Game for Ruin {
    type State = RuinState;
    type Action = ();
    type Outcome = bool;

    fn n_players(&self) -> usize {
        2
    }

    fn kind(&self, &(coins, thrown, _): &RuinState) -> NodeKind {
        match coins {
            0 => NodeKind::Terminal,
            _ if coins == self.total => NodeKind::Terminal,
            _ if thrown => NodeKind::Chance,
            _ => NodeKind::Decision(Player(0)),
        }
    }

    fn actions(&self, _: &RuinState, out: &mut Vec<()>) {
        out.push(());
    }

    fn play(&self, state: &mut RuinState, (): &()) {
        state.1 = true;
    }

    fn outcomes(&self, _: &RuinState, out: &mut Vec<(bool, u64)>) {
        out.extend([(true, self.bias), (false, 10 - self.bias)]);
    }

    fn resolve(&self, (coins, thrown, turns): &mut RuinState, won: bool) {
        *coins = if won { *coins + 1 } else { *coins - 1 };
        *thrown = false;
        *turns += 1;
    }

    fn utilities(&self, &(coins, ..): &RuinState) -> Values {
        Values::win(Player(u8::from(coins == 0)))
    }

    fn turns_played(&self, state: &RuinState) -> u32 {
        state.2
    }
}

impl Enumerable for Ruin {
    type Key = (u32, bool);

    fn key(&self, state: &RuinState) -> (u32, bool) {
        (state.0, state.1)
    }
}
