//! A position as numbers.

use std::sync::LazyLock;

use hegemon_core::rules::{CardScheme, Fortify};
use hegemon_core::{ByPlayer, MAX_PLAYERS, MAX_TERRITORIES, Phase, PlayerId, State};

use crate::player_features::{PlayerFeatures, player_features};
use crate::win_share::{N_WIN_SHARE_FEATURES, in_turn_order, win_share_features};

/// Version of the inputs. Whatever changes a number changes this name.
pub const VALUE_SCHEMA: &str = "value/1";

/// Numbers of one player.
pub const N_PLAYER_INPUTS: usize = N_WIN_SHARE_FEATURES + 11;
/// Numbers of the table as a whole.
pub const N_TABLE_INPUTS: usize = 24;
/// All numbers that are not about a territory.
pub const N_DENSE: usize = MAX_PLAYERS * N_PLAYER_INPUTS + N_TABLE_INPUTS;

/// Where the number "is alive" of a player stands.
const ALIVE: usize = 0;

/// Through whose eyes a position is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beholder {
    /// The player whose own cards count; without one, only how many cards each has.
    pub viewer: Option<PlayerId>,
    /// The seats that play like the champion, as bits. The same position is worth
    /// more to a player who plays on better: in training this keeps the champion's skill out
    /// of the worth of its positions.
    pub champions: u8,
}

/// The numbers of a position. Players stand in turn order from the one to move.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueInputs {
    /// The owner of each territory as a place in turn order; [`ValueInputs::NOBODY`]
    /// for none of the players.
    pub owners: [u8; MAX_TERRITORIES],
    /// Half the logarithm of the armies.
    pub ln_armies: [f32; MAX_TERRITORIES],
    /// How many territories there are.
    pub n_territories: usize,
    /// The numbers of the players, then those of the table.
    pub dense: [f32; N_DENSE],
}

impl ValueInputs {
    /// The owner of a territory that belongs to no player.
    pub const NOBODY: u8 = u8::MAX;

    /// The inputs of a state that is not over.
    pub fn new(state: &State, beholder: Beholder) -> ValueInputs {
        let (game, mover) = (state.game(), state.player());
        let mut inputs = ValueInputs {
            owners: [ValueInputs::NOBODY; MAX_TERRITORIES],
            ln_armies: [0.0; MAX_TERRITORIES],
            n_territories: game.map().n_territories(),
            dense: [0.0; N_DENSE],
        };
        inputs.read_board(state, mover);
        // Nobody's eyes are those of the neutral player, who has no cards.
        let viewer = beholder.viewer.unwrap_or(PlayerId::NEUTRAL);
        let all = in_turn_order(&player_features(state, viewer), state, mover);
        let compared = win_share_features(&all);
        let (players, table) = inputs.dense.split_at_mut(MAX_PLAYERS * N_PLAYER_INPUTS);
        for (place, numbers) in players.chunks_exact_mut(N_PLAYER_INPUTS).enumerate() {
            if all.get(place).is_some_and(|player| player.is_alive) {
                let seat = seat_at(state, mover, place);
                read_player(state, beholder, seat, &all[place], numbers);
                let compared = compared[place].iter().map(|x| *x as f32);
                for (number, x) in numbers[N_PLAYER_INPUTS - N_WIN_SHARE_FEATURES..]
                    .iter_mut()
                    .zip(compared)
                {
                    *number = x;
                }
            }
        }
        read_table(state, table);
        inputs
    }

    fn read_board(&mut self, state: &State, mover: PlayerId) {
        let (board, n) = (state.board(), state.game().n_players());
        let table = &*HALF_LN;
        for territory in state.game().map().territories() {
            let owner = board.owner(territory);
            if owner.is_seat() {
                let place = owner.index() + n - mover.index();
                let place = if place < n { place } else { place - n };
                let armies = board.armies(territory);
                let ln_armies = table.get(armies as usize).copied();
                self.owners[territory.index()] = place as u8;
                self.ln_armies[territory.index()] = ln_armies.unwrap_or_else(|| half_ln(armies));
            }
        }
    }

    /// Whether the player in a place of the turn order is still in the game.
    #[inline]
    pub fn is_alive(&self, place: usize) -> bool {
        self.player(place)[ALIVE] > 0.0
    }

    /// The numbers of the player in a place of the turn order.
    #[inline]
    pub fn player(&self, place: usize) -> &[f32] {
        &self.dense[place * N_PLAYER_INPUTS..(place + 1) * N_PLAYER_INPUTS]
    }

    /// Some of the numbers of the table as a whole.
    #[inline]
    pub(super) fn table_facts(&self) -> TableFacts {
        let table = &self.dense[MAX_PLAYERS * N_PLAYER_INPUTS..];
        TableFacts {
            share_alive: table[5],
            is_mid_turn: table[13],
            round: table[14],
            rounds_left: table[15],
            has_cards: table[16],
            growth: table[19],
        }
    }
}

/// Numbers of the table by name, where [`read_table`] puts them.
pub(super) struct TableFacts {
    pub(super) share_alive: f32,
    pub(super) is_mid_turn: f32,
    pub(super) round: f32,
    pub(super) rounds_left: f32,
    pub(super) has_cards: f32,
    pub(super) growth: f32,
}

/// The seat in a place of the turn order from `mover`.
#[inline]
pub(super) fn seat_at(state: &State, mover: PlayerId, place: usize) -> PlayerId {
    PlayerId::new((mover.index() + place) % state.game().n_players())
}

fn half_ln(armies: u32) -> f32 {
    0.5 * libm::logf(armies.max(1) as f32)
}

/// [`half_ln`] of the armies that most territories have.
static HALF_LN: LazyLock<[f32; 128]> =
    LazyLock::new(|| std::array::from_fn(|armies| half_ln(armies as u32)));

/// A logarithm that is zero at zero, scaled to be about one where games are decided.
fn ln_scaled(number: f64, scale: f32) -> f32 {
    scale * libm::log1pf(number.max(0.0) as f32)
}

fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

fn read_player(
    state: &State,
    beholder: Beholder,
    seat: PlayerId,
    features: &PlayerFeatures,
    numbers: &mut [f32],
) {
    let n_territories = state.game().map().n_territories() as f32;
    let own = [
        1.0,
        flag(beholder.champions >> seat.index() & 1 == 1),
        flag(beholder.viewer == Some(seat)),
        ln_scaled(f64::from(features.armies), 0.3),
        ln_scaled(features.income(), 0.4),
        features.territories as f32 / n_territories,
        features.cards as f32 / 5.0,
        ln_scaled(features.card_worth, 0.3),
        ln_scaled(features.bonus, 0.4),
        ln_scaled(features.held_bonus, 0.4),
        ln_scaled(f64::from(state.reserve(seat)), 0.3),
    ];
    numbers[..own.len()].copy_from_slice(&own);
}

fn read_table(state: &State, numbers: &mut [f32]) {
    let (game, rules) = (state.game(), state.game().rules());
    let phase = |phases: &[Phase]| flag(phases.contains(&state.phase()));
    let alive = |n: usize| flag(state.n_alive() == n);
    let rounds_left = rules.end.turn_limit.map(|limit| {
        let left = limit.saturating_sub(state.round());
        10.0 / (10.0 + left as f32)
    });
    let table = [
        alive(2),
        alive(3),
        alive(4),
        alive(5),
        alive(6),
        state.n_alive() as f32 / game.n_players() as f32,
        phase(&[Phase::Claim, Phase::Setup, Phase::Capital]),
        phase(&[Phase::Trade, Phase::Reinforce]),
        phase(&[Phase::Attack]),
        phase(&[Phase::Occupy]),
        phase(&[Phase::Fortify]),
        ln_scaled(f64::from(state.to_place()), 0.3),
        flag(state.has_conquered()),
        flag(state.is_mid_turn()),
        (state.round() as f32).min(100.0) / 30.0,
        rounds_left.unwrap_or(0.0),
        flag(rules.has_cards()),
        flag(!matches!(
            rules.cards.scheme,
            CardScheme::Off | CardScheme::Fixed(_)
        )),
        ln_scaled(f64::from(next_set(state)), 0.25),
        f32::from(rules.income.growth) / 10.0,
        flag(matches!(rules.fortify, Fortify::None)),
        flag(game.has_neutral()),
        flag(game.has_extra_die()),
        ln_scaled(game.map().n_territories() as f64 / 42.0, 1.0),
    ];
    numbers.copy_from_slice(&table);
}

fn next_set(state: &State) -> u32 {
    if state.game().rules().has_cards() {
        state.game().next_set_worth(state.n_traded())
    } else {
        0
    }
}

/// Values by place in turn order as values by seat.
pub(super) fn by_seat(state: &State, by_place: &[f32; MAX_PLAYERS]) -> ByPlayer<f64> {
    let (mover, n) = (state.player(), state.game().n_players());
    ByPlayer::from_fn(|seat| {
        if seat.index() < n {
            f64::from(by_place[(seat.index() + n - mover.index()) % n])
        } else {
            0.0
        }
    })
}
