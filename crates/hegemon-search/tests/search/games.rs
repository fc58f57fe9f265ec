//! Games small enough to solve exactly.

use hegemon_core::{Rng, mix};
pub(crate) use hegemon_search::games::*;
use hegemon_search::{Domain, Enumerable, NodeKind, Player, Values};

/// Nim, normal play: the player who takes the last match wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nim;

pub(crate) type NimState = ([u8; 3], u8);

impl Domain for Nim {
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

impl Domain for TicTacToe {
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

impl Domain for Lottery {
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

/// A won game that can be finished now or delayed: the mover ends it, or waits
/// a turn, at most `patience` times; then it ends automatically.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dawdle {
    pub(crate) patience: u32,
}

/// Turns waited, and whether it is over.
pub(crate) type DawdleState = (u32, bool);

impl Domain for Dawdle {
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

/// A walk between two ends that may never stop: each turn the mover stakes one
/// coin of `total` on a throw that wins `bias` times of 10.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruin {
    pub(crate) total: u32,
    pub(crate) bias: u64,
}

/// Coins, whether a coin is in the air, and turns played.
pub(crate) type RuinState = (u32, bool, u32);

impl Domain for Ruin {
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
