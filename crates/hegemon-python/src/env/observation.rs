//! What a seat sees, as numbers: a row for every territory, then a vector of the table.

use std::sync::LazyLock;

use hegemon_core::rules::Victory;
use hegemon_core::{Card, Game, Phase, PlayerId, State};

use super::dialogue::{Chosen, Dialogue, Head};

/// Numbers of a territory beyond the flags of its owner.
const NODE_EXTRAS: [&str; 6] = ["neutral", "armies", "card", "chosen", "target", "capital"];
/// Flags of what is to be chosen next.
const STEPS: [&str; 4] = ["territory", "target", "card", "amount"];
/// Numbers of the table.
const TABLE: [&str; 9] = [
    "to place",
    "neutral to place",
    "least amount",
    "most amount",
    "round",
    "worth of the next set",
    "has conquered",
    "is mid-turn",
    "wild cards",
];
/// Numbers of a player.
const PLAYER: [&str; 6] = [
    "alive",
    "territories",
    "armies",
    "income",
    "cards",
    "to move",
];

/// The sizes of the parts of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) n_territories: usize,
    pub(crate) n_players: usize,
    n_missions: usize,
}

impl Layout {
    pub(crate) fn new(game: &Game) -> Layout {
        let has_missions = game.rules().victory == Victory::Missions;
        Layout {
            n_territories: game.map().n_territories(),
            n_players: game.n_players(),
            n_missions: if has_missions {
                game.missions().len()
            } else {
                0
            },
        }
    }

    /// Numbers of each territory.
    pub(crate) fn n_node(self) -> usize {
        self.n_players + NODE_EXTRAS.len()
    }

    /// Numbers of the table.
    pub(crate) fn n_global(self) -> usize {
        let fixed = Phase::ASKING.len() + STEPS.len() + TABLE.len();
        fixed + self.n_players * PLAYER.len() + self.n_missions
    }

    /// All numbers.
    pub(crate) fn len(self) -> usize {
        self.n_territories * self.n_node() + self.n_global()
    }

    /// What each number of a territory means.
    pub(crate) fn node_names(self) -> Vec<String> {
        let owners = (0..self.n_players).map(|n| format!("owner {n}"));
        owners.chain(NODE_EXTRAS.map(str::to_owned)).collect()
    }

    /// What each number of the table means.
    pub(crate) fn global_names(self) -> Vec<String> {
        let phases = Phase::ASKING
            .iter()
            .map(|phase| format!("phase {}", phase.name()));
        let steps = STEPS.iter().map(|step| format!("step {step}"));
        let table = TABLE.iter().map(|&name| name.to_owned());
        let players = (0..self.n_players)
            .flat_map(|n| PLAYER.iter().map(move |name| format!("player {n} {name}")));
        let missions = (0..self.n_missions).map(|n| format!("mission {n}"));
        phases
            .chain(steps)
            .chain(table)
            .chain(players)
            .chain(missions)
            .collect()
    }

    /// Writes what `seat` sees. Seats are counted from it in turn order, and a seat other
    /// than the mover does not see what has been chosen of the move.
    pub(crate) fn write(self, dialogue: &Dialogue, seat: PlayerId, out: &mut [f32]) {
        let state = dialogue.state();
        let chosen = if state.player() == seat {
            dialogue.chosen()
        } else {
            &Chosen::Nothing
        };
        out.fill(0.0);
        let (nodes, global) = out.split_at_mut(self.n_territories * self.n_node());
        self.write_nodes(state, chosen, seat, nodes);
        self.write_global(state, chosen, seat, global);
    }

    fn write_nodes(self, state: &State, chosen: &Chosen, seat: PlayerId, out: &mut [f32]) {
        let (n, n_players) = (self.n_node(), self.n_players);
        let [neutral, armies, card, picked, target, capital] =
            std::array::from_fn(|extra| n_players + extra);
        let place = self.places(seat);
        let (map, board) = (state.game().map(), state.board());
        for (territory, row) in map.territories().zip(out.chunks_exact_mut(n)) {
            let owner = board.owner(territory);
            if owner.is_seat() {
                row[place[owner.index()]] = 1.0;
            } else if owner == PlayerId::NEUTRAL {
                row[neutral] = 1.0;
            }
            row[armies] = logarithm(board.armies(territory));
        }
        for territory in state.hand(seat).territories {
            out[territory.index() * n + card] = 1.0;
        }
        for player in state.game().seats() {
            if let Some(territory) = state.capital(player) {
                out[territory.index() * n + capital] = 1.0;
            }
        }
        if let Some((from, to)) = state.front() {
            out[from.index() * n + picked] = 1.0;
            out[to.index() * n + target] = 1.0;
        }
        let mut mark = |territory: hegemon_core::TerritoryId, column: usize| {
            out[territory.index() * n + column] = 1.0;
        };
        let mut mark_cards = |cards: &[Card]| {
            for card in cards {
                if let Card::Territory(territory) = card {
                    mark(*territory, picked);
                }
            }
        };
        match chosen {
            Chosen::Nothing => {}
            Chosen::Source(from, _) => mark(*from, picked),
            Chosen::Cards(cards) => mark_cards(cards),
            Chosen::Set(cards) => mark_cards(cards),
            Chosen::Amount { head, .. } => match *head {
                Head::Occupy => {}
                Head::Place(territory) => mark(territory, picked),
                Head::Attack(from, to) | Head::Fortify(from, to) => {
                    mark(from, picked);
                    mark(to, target);
                }
            },
        }
    }

    fn write_global(self, state: &State, chosen: &Chosen, seat: PlayerId, out: &mut [f32]) {
        let (phases, rest) = out.split_at_mut(Phase::ASKING.len());
        let (steps, rest) = rest.split_at_mut(STEPS.len());
        let (table, rest) = rest.split_at_mut(TABLE.len());
        let (players, missions) = rest.split_at_mut(self.n_players * PLAYER.len());
        if let Some(phase) = Phase::ASKING
            .iter()
            .position(|&phase| phase == state.phase())
        {
            phases[phase] = 1.0;
        }
        let (step, low, high) = match chosen {
            Chosen::Nothing if state.phase() == Phase::Trade => (2, 0, 0),
            Chosen::Nothing => (0, 0, 0),
            Chosen::Source(..) | Chosen::Set(_) => (1, 0, 0),
            Chosen::Cards(_) => (2, 0, 0),
            Chosen::Amount { low, high, .. } => (3, *low, *high),
        };
        steps[step] = 1.0;
        let flag = |is: bool| f32::from(u8::from(is));
        let (game, board) = (state.game(), state.board());
        table.copy_from_slice(&[
            logarithm(state.to_place()),
            logarithm(state.neutral_to_place()),
            logarithm(low),
            logarithm(high),
            state.round() as f32 / 100.0,
            logarithm(game.next_set_worth(state.n_traded())),
            flag(state.has_conquered()),
            flag(state.is_mid_turn()),
            f32::from(state.hand(seat).wilds),
        ]);
        let place = self.places(seat);
        for player in game.seats() {
            let start = place[player.index()] * PLAYER.len();
            players[start..start + PLAYER.len()].copy_from_slice(&[
                flag(state.is_alive(player)),
                board.n_owned(player) as f32 / self.n_territories as f32,
                logarithm(board.total_armies(player)),
                logarithm(state.income(player)),
                state.hand(player).len() as f32 / 5.0,
                flag(state.player() == player),
            ]);
        }
        if let Some(mission) = state.mission(seat).map(usize::from)
            && mission < missions.len()
        {
            missions[mission] = 1.0;
        }
    }

    /// The place of every seat in turn order from `seat`.
    fn places(self, seat: PlayerId) -> [usize; hegemon_core::MAX_PLAYERS] {
        let n = self.n_players;
        std::array::from_fn(|player| (player + n - seat.index() % n) % n)
    }
}

/// A count on the scale of all observations: `ln(1 + n) / 4`, about one for 50 armies.
#[inline]
fn logarithm(n: u32) -> f32 {
    static SMALL: LazyLock<Vec<f32>> = LazyLock::new(|| (0..1024).map(exact).collect());
    SMALL.get(n as usize).copied().unwrap_or_else(|| exact(n))
}

fn exact(n: u32) -> f32 {
    (f64::from(n).ln_1p() / 4.0) as f32
}
