//! A seat's view of a state.

use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use crate::board::Board;
use crate::card::Hand;
use crate::game::Game;
use crate::ids::{PlayerId, TerritoryId};
use crate::map::Map;
use crate::moves::{Move, MoveGroup};
use crate::narrow::Narrow as _;
use crate::rng::Rng;
use crate::state::{Phase, State};

/// A state as one seat sees it: the board and all counters, its own cards and
/// mission, but only the number of the others' cards.
///
/// ```
/// use hegemon_core::{Game, Map, PlayerId, Rules, View};
/// let map = Map::builtin("classic").expect("shipped");
/// let game = Game::new(map, Rules::preset("lux").expect("shipped"), 3).expect("a game");
/// let state = game.deal(7);
/// let view = View::new(&state, PlayerId::new(1));
/// assert_eq!(view.hand().len(), 0);
/// assert_eq!(view.n_cards(PlayerId::new(2)), 0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    state: &'a State,
    seat: PlayerId,
}

impl<'a> View<'a> {
    /// The state as this seat sees it.
    #[inline]
    pub fn new(state: &'a State, seat: PlayerId) -> View<'a> {
        View { state, seat }
    }

    /// The view of the player to move.
    #[inline]
    pub fn of_mover(state: &'a State) -> View<'a> {
        View::new(state, state.player())
    }

    /// Whose view it is.
    #[inline]
    pub fn seat(self) -> PlayerId {
        self.seat
    }

    /// The game.
    #[inline]
    pub fn game(self) -> &'a Arc<Game> {
        self.state.game()
    }

    /// The map.
    #[inline]
    pub fn map(self) -> &'a Map {
        self.state.game().map()
    }

    /// The board.
    #[inline]
    pub fn board(self) -> &'a Board {
        self.state.board()
    }

    /// The phase of play.
    #[inline]
    pub fn phase(self) -> Phase {
        self.state.phase()
    }

    /// Whose turn it is.
    #[inline]
    pub fn player(self) -> PlayerId {
        self.state.player()
    }

    /// The round, counted from 1; 0 during the setup.
    pub fn round(self) -> u32 {
        self.state.round()
    }

    /// Sets traded so far by all players.
    pub fn n_traded(self) -> u32 {
        self.state.n_traded()
    }

    /// Armies that the player must still place.
    #[inline]
    pub fn to_place(self) -> u32 {
        self.state.to_place()
    }

    /// Neutral armies that the player must still place.
    pub fn neutral_to_place(self) -> u32 {
        self.state.neutral_to_place()
    }

    /// Initial armies that a player will still place.
    pub fn reserve(self, player: PlayerId) -> u32 {
        self.state.reserve(player)
    }

    /// The attacking and the conquered territory, in the occupy phase.
    #[inline]
    pub fn front(self) -> Option<(TerritoryId, TerritoryId)> {
        self.state.front()
    }

    /// Whether the player conquered a territory in this turn.
    pub fn has_conquered(self) -> bool {
        self.state.has_conquered()
    }

    /// Whether trading or placing interrupts the attack phase.
    pub fn is_mid_turn(self) -> bool {
        self.state.is_mid_turn()
    }

    /// See [`State::last`].
    #[inline]
    pub fn last(self) -> Option<TerritoryId> {
        self.state.last()
    }

    /// Whether the player is still in the game.
    pub fn is_alive(self, player: PlayerId) -> bool {
        self.state.is_alive(player)
    }

    /// The players still in the game, in seat order.
    pub fn alive(self) -> impl Iterator<Item = PlayerId> + use<> {
        self.state.alive()
    }

    /// The player's income if its turn started now, without cards.
    pub fn income(self, player: PlayerId) -> u32 {
        self.state.income(player)
    }

    /// Armies on a territory that may still move in this fortify phase.
    #[inline]
    pub fn moveable(self, territory: TerritoryId) -> u32 {
        self.state.moveable(territory)
    }

    /// The player's capital; capitals are public.
    pub fn capital(self, player: PlayerId) -> Option<TerritoryId> {
        self.state.capital(player)
    }

    /// The seat's own cards.
    pub fn hand(self) -> Hand {
        self.state.hand(self.seat)
    }

    /// How many cards a player holds.
    pub fn n_cards(self, player: PlayerId) -> usize {
        self.state.hand(player).len()
    }

    /// Traded cards waiting to be reshuffled; they are public.
    pub fn discard(self) -> Hand {
        self.state.discard()
    }

    /// The seat's own mission.
    pub fn mission(self) -> Option<u8> {
        self.state.mission(self.seat)
    }

    /// The legal moves, if it is this seat's decision.
    pub fn legal_moves(self) -> Vec<Move> {
        if self.is_mine() {
            self.state.legal_moves()
        } else {
            Vec::new()
        }
    }

    /// The legal moves in groups, if it is this seat's decision.
    pub fn legal_groups(self) -> Vec<MoveGroup> {
        if self.is_mine() {
            self.state.legal_groups()
        } else {
            Vec::new()
        }
    }

    /// Whether the move is legal and it is this seat's decision.
    #[inline]
    pub fn is_legal(self, mv: Move) -> bool {
        self.is_mine() && self.state.is_legal(mv)
    }

    /// How many moves are legal, if it is this seat's decision.
    pub fn n_legal_moves(self) -> usize {
        if self.is_mine() {
            self.state.n_legal_moves()
        } else {
            0
        }
    }

    /// Calls `visit` with each group of legal moves until it breaks, if it is
    /// this seat's decision.
    pub fn for_each_group(self, visit: impl FnMut(MoveGroup) -> ControlFlow<()>) {
        if self.is_mine() {
            self.state.for_each_group(visit);
        }
    }

    /// Fewest armies that must move into the conquered territory.
    #[inline]
    pub fn fewest_to_occupy(self) -> u32 {
        self.state.fewest_to_move_in()
    }

    /// Most armies that may move into the conquered territory.
    #[inline]
    pub fn most_to_occupy(self) -> u32 {
        self.state.most_to_move_in()
    }

    /// The dice or armies that an attack from here may use.
    #[inline]
    pub fn attack_range(self, from: TerritoryId) -> RangeInclusive<u32> {
        self.state.attack_range(from)
    }

    fn is_mine(self) -> bool {
        self.state.player() == self.seat
    }

    /// A full state that this seat cannot distinguish from the true one: the
    /// hidden cards and missions are redrawn, every completion equally likely.
    pub fn sample_state(self, rng: &mut Rng) -> State {
        let mut state = self.state.clone();
        loop {
            deal_hidden_cards(&mut state, self.seat, rng);
            // A player who may trade is known to hold a set.
            if state.phase != Phase::Trade || state.hands[state.player].has_set() {
                break;
            }
        }
        deal_hidden_missions(&mut state, self.seat, rng);
        state
    }
}

fn deal_hidden_cards(state: &mut State, seat: PlayerId, rng: &mut Rng) {
    let mut unseen = state.all_cards();
    for known in [state.hands[seat], state.discard] {
        unseen.territories -= known.territories;
        unseen.wilds -= known.wilds;
    }
    for player in state.game.seats().filter(|&p| p != seat) {
        let n_cards = state.hands[player].len();
        let mut hand = Hand::default();
        for _ in 0..n_cards {
            if let Some(card) = unseen.nth(rng.below(unseen.len().narrow()) as usize) {
                unseen.remove(card);
                hand.insert(card);
            }
        }
        state.hands[player] = hand;
    }
}

fn deal_hidden_missions(state: &mut State, seat: PlayerId, rng: &mut Rng) {
    let own = state.missions[seat];
    let mut unseen: Vec<u8> = (0..state.game.n_missions())
        .filter(|&number| Some(number) != own)
        .collect();
    rng.shuffle(&mut unseen);
    for player in state.game.seats().filter(|&p| p != seat) {
        if state.missions[player].is_some() {
            state.missions[player] = unseen.pop();
        }
    }
}
