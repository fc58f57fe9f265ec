//! Game states: at a decision, at chance, or over.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::board::Board;
use crate::card::Hand;
use crate::game::Game;
use crate::ids::{ByPlayer, MAX_TERRITORIES, PlayerId, TerritoryId};
use crate::narrow::Narrow;
use crate::rng::mix;
use crate::rules::Placement;

/// The phase of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Chance: who moves first.
    First,
    /// Chance: the next territory of the deal.
    Deal,
    /// Decision: claim a free territory.
    Claim,
    /// Chance: the next secret mission.
    Mission,
    /// Chance: where a scattered army lands.
    Scatter,
    /// Decision: place initial armies.
    Setup,
    /// Decision: name the capital.
    Capital,
    /// Decision: trade a set of cards or go on.
    Trade,
    /// Decision: place the armies of the turn.
    Reinforce,
    /// Decision: attack or stop.
    Attack,
    /// Chance: the losses of the attack.
    Battle,
    /// Decision: how many move into the conquered territory.
    Occupy,
    /// Decision: move armies or stop.
    Fortify,
    /// Chance: the card drawn.
    Draw,
    /// The end.
    Over,
}

/// What a state waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A move of this player.
    Decision(PlayerId),
    /// A chance outcome.
    Chance,
    /// Nothing: the game is over.
    Terminal,
}

/// How a game ended by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// All other players were eliminated.
    Conquest,
    /// A secret mission was fulfilled.
    Mission,
    /// Enough capitals were held.
    Capitals,
    /// The turn limit was reached.
    TurnLimit,
    /// One player had a decisive lead.
    EarlyStop,
    /// The round cap was reached.
    RoundCap,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Conquest => "conquest",
            Ending::Mission => "mission",
            Ending::Capitals => "capitals",
            Ending::TurnLimit => "turn limit",
            Ending::EarlyStop => "early stop",
            Ending::RoundCap => "round cap",
        })
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameResult {
    /// How it ended.
    pub ending: Ending,
    /// Share of the win, split among joint winners; sums to 1.
    pub score: ByPlayer<f64>,
    /// Placement from 1; tied players share the better place.
    pub place: ByPlayer<u8>,
}

/// When and by whom a player was eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Elimination {
    /// 0 for the first player who was eliminated.
    pub order: u8,
    /// Who did it.
    pub by: PlayerId,
}

/// A state of a game.
///
/// Two states are equal if they have the same future: board, hands, phase,
/// counters, but not [`State::last`], which is only a hint for policies. Equal
/// states have equal hashes.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) game: Arc<Game>,
    pub(crate) board: Board,
    pub(crate) phase: Phase,
    pub(crate) player: PlayerId,
    pub(crate) first: PlayerId,
    /// Bit `i`: seat `i` has not been eliminated.
    pub(crate) alive: u8,
    /// Whether a territory was conquered in this turn.
    pub(crate) conquered: bool,
    /// Whether trade and reinforcement interrupt the attack phase.
    pub(crate) mid_turn: bool,
    /// Attacking and attacked territory, in battle and occupation.
    pub(crate) from: TerritoryId,
    pub(crate) to: TerritoryId,
    /// Dice or armies of the attack; in occupation the fewest that must move.
    pub(crate) with: u32,
    pub(crate) round: u32,
    pub(crate) actions: u32,
    pub(crate) n_traded: u32,
    pub(crate) to_place: u32,
    pub(crate) neutral_to_place: u32,
    pub(crate) neutral_reserve: u32,
    pub(crate) last: Option<TerritoryId>,
    pub(crate) ending: Option<Ending>,
    /// Bit `i`: seat `i` is a winner.
    pub(crate) winners: u8,
    pub(crate) reserve: ByPlayer<u32>,
    pub(crate) capitals: ByPlayer<Option<TerritoryId>>,
    pub(crate) missions: ByPlayer<Option<u8>>,
    pub(crate) eliminations: ByPlayer<Option<Elimination>>,
    pub(crate) hands: ByPlayer<Hand>,
    pub(crate) discard: Hand,
    /// Armies that arrived in this fortify phase and must not move again.
    pub(crate) arrived: [u16; MAX_TERRITORIES],
}

impl State {
    pub(crate) fn start(game: Arc<Game>) -> State {
        let board = game.unclaimed().clone();
        let alive = (1u8 << game.n_players()) - 1;
        let mut state = State {
            board,
            phase: Phase::First,
            player: PlayerId::new(0),
            first: PlayerId::new(0),
            alive,
            conquered: false,
            mid_turn: false,
            from: TerritoryId::new(0),
            to: TerritoryId::new(0),
            with: 0,
            round: 0,
            actions: 0,
            n_traded: 0,
            to_place: 0,
            neutral_to_place: 0,
            neutral_reserve: 0,
            last: None,
            ending: None,
            winners: 0,
            reserve: ByPlayer::default(),
            capitals: ByPlayer::default(),
            missions: ByPlayer::default(),
            eliminations: ByPlayer::default(),
            hands: ByPlayer::default(),
            discard: Hand::default(),
            arrived: [0; MAX_TERRITORIES],
            game,
        };
        state.begin_setup();
        state
    }

    /// The game that this state belongs to.
    #[inline]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The phase of play.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What the state waits for.
    #[inline]
    pub fn node(&self) -> Node {
        match self.phase {
            Phase::First
            | Phase::Deal
            | Phase::Mission
            | Phase::Scatter
            | Phase::Battle
            | Phase::Draw => Node::Chance,
            Phase::Over => Node::Terminal,
            _ => Node::Decision(self.player),
        }
    }

    /// Whose turn it is, also at chance nodes.
    #[inline]
    pub fn player(&self) -> PlayerId {
        self.player
    }

    /// Who moved first.
    pub fn first_player(&self) -> PlayerId {
        self.first
    }

    /// The round, counted from 1; 0 during the setup.
    #[inline]
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Recruitments, attacks and fortifications so far.
    pub fn n_actions(&self) -> u32 {
        self.actions
    }

    /// Sets traded so far by all players.
    pub fn n_traded(&self) -> u32 {
        self.n_traded
    }

    /// Armies that the player must still place.
    #[inline]
    pub fn to_place(&self) -> u32 {
        self.to_place
    }

    /// Neutral armies that the player must still place.
    pub fn neutral_to_place(&self) -> u32 {
        self.neutral_to_place
    }

    /// Initial armies that a player will still place, not counting this batch.
    pub fn reserve(&self, player: PlayerId) -> u32 {
        self.reserve[player]
    }

    /// The attacking and the attacked (or conquered) territory, in the battle
    /// and occupy phases.
    #[inline]
    pub fn front(&self) -> Option<(TerritoryId, TerritoryId)> {
        matches!(self.phase, Phase::Battle | Phase::Occupy).then_some((self.from, self.to))
    }

    /// Dice or armies of the pending attack, in the battle phase.
    #[inline]
    pub fn attacking_with(&self) -> u32 {
        self.with
    }

    /// Fewest armies that must move into the conquered territory, in the occupy
    /// phase.
    #[inline]
    pub fn fewest_to_move_in(&self) -> u32 {
        self.with
    }

    /// Most armies that may move into the conquered territory, in the occupy
    /// phase.
    #[inline]
    pub fn most_to_move_in(&self) -> u32 {
        self.board.armies(self.from).saturating_sub(1)
    }

    /// Whether a territory was conquered in this turn.
    pub fn has_conquered(&self) -> bool {
        self.conquered
    }

    /// Whether trading or placing interrupts the attack phase (after the
    /// capture of a hand).
    pub fn is_mid_turn(&self) -> bool {
        self.mid_turn
    }

    /// Where the last move of the turn put, kept or lost armies: the territory
    /// last reinforced, the attacker, or the one just occupied. A hint for
    /// policies with an active territory; not part of equality or hash.
    #[inline]
    pub fn last(&self) -> Option<TerritoryId> {
        self.last
    }

    /// Whether the player is still in the game.
    #[inline]
    pub fn is_alive(&self, player: PlayerId) -> bool {
        player.is_seat() && (self.alive >> player.index()) & 1 == 1
    }

    /// The players still in the game, in seat order.
    #[inline]
    pub fn alive(&self) -> impl Iterator<Item = PlayerId> + use<> {
        let mut rest = self.alive;
        std::iter::from_fn(move || {
            let seat = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                PlayerId::within(seat)
            })
        })
    }

    /// How many players are still in the game.
    pub fn n_alive(&self) -> usize {
        self.alive.count_ones() as usize
    }

    /// When and by whom a player was eliminated.
    pub fn elimination(&self, player: PlayerId) -> Option<Elimination> {
        self.eliminations[player]
    }

    /// The player's capital.
    pub fn capital(&self, player: PlayerId) -> Option<TerritoryId> {
        self.capitals[player]
    }

    /// The player's cards. Bots see hands through a [`crate::View`] only.
    pub fn hand(&self, player: PlayerId) -> Hand {
        self.hands[player]
    }

    /// The number of the player's secret mission in [`Game::missions`].
    pub fn mission(&self, player: PlayerId) -> Option<u8> {
        self.missions[player]
    }

    /// Traded cards waiting to be reshuffled.
    pub fn discard(&self) -> Hand {
        self.discard
    }

    /// Cards that can be drawn next.
    pub fn deck(&self) -> Hand {
        let deck = self.undrawn();
        // An empty deck is refilled from the discard pile.
        if deck.is_empty() { self.discard } else { deck }
    }

    /// Cards that are neither in a hand nor traded.
    pub(crate) fn undrawn(&self) -> Hand {
        let mut deck = self.all_cards();
        for hand in self.hands.as_slice() {
            deck.territories -= hand.territories;
            deck.wilds -= hand.wilds;
        }
        deck.territories -= self.discard.territories;
        deck.wilds -= self.discard.wilds;
        deck
    }

    pub(crate) fn all_cards(&self) -> Hand {
        Hand {
            territories: self.game.map().all(),
            wilds: self.game.rules().cards.wild,
        }
    }

    /// The player's income if its turn started now, without cards.
    #[inline]
    pub fn income(&self, player: PlayerId) -> u32 {
        let own = self.board.owned(player);
        let rules = self.game.rules().income;
        let land = Narrow::<u32>::narrow(own.len()) / u32::from(rules.divisor);
        let bonuses = self.game.map().sum_held(own, self.game.bonuses(self.round));
        land.max(u32::from(rules.minimum)) + bonuses
    }

    /// Armies on a territory that may still move in this fortify phase.
    #[inline]
    pub fn moveable(&self, territory: TerritoryId) -> u32 {
        let armies = self.board.armies(territory);
        armies.saturating_sub(u32::from(self.arrived[territory.index()]))
    }

    /// The result, once the game is over.
    pub fn result(&self) -> Option<GameResult> {
        let ending = self.ending?;
        let share = 1.0 / f64::from(self.winners.count_ones());
        let score = ByPlayer::from_fn(|p| if self.is_winner(p) { share } else { 0.0 });
        Some(GameResult {
            ending,
            score,
            place: self.places(),
        })
    }

    fn is_winner(&self, player: PlayerId) -> bool {
        (self.winners >> player.index()) & 1 == 1
    }

    /// Winners first, then survivors by territories and armies, then the
    /// eliminated, last eliminated first.
    fn places(&self) -> ByPlayer<u8> {
        let rank = |p: PlayerId| {
            let order = self.eliminations[p].map_or(u32::MAX, |e| u32::from(e.order));
            let size = if order == u32::MAX && !self.is_winner(p) {
                (self.board.n_owned(p), self.board.total_armies(p))
            } else {
                (0, 0)
            };
            (self.is_winner(p), order, size)
        };
        let mut places = ByPlayer::default();
        for p in self.game.seats() {
            let own = rank(p);
            let n_ahead = self.game.seats().filter(|&q| rank(q) > own).count();
            places[p] = 1 + Narrow::<u8>::narrow(n_ahead);
        }
        places
    }

    /// The placement of [`State::result`]; `None` if the game has not ended this way.
    pub(crate) fn places_after(&self, ending: Ending) -> Option<ByPlayer<u8>> {
        (self.ending == Some(ending)).then(|| self.places())
    }

    /// How the game ended.
    pub(crate) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Score of a player: its share of the win. 0 before the end.
    #[inline]
    pub fn score(&self, player: PlayerId) -> f64 {
        if self.winners != 0 && self.is_winner(player) {
            1.0 / f64::from(self.winners.count_ones())
        } else {
            0.0
        }
    }

    /// A 64-bit hash of everything that equality compares; the board's part is
    /// updated incrementally.
    pub fn hash64(&self) -> u64 {
        self.hash_over(self.board.hash())
    }

    /// The same hash computed from scratch, for tests.
    pub fn recompute_hash64(&self) -> u64 {
        self.hash_over(self.board.recompute_hash(self.game.map()))
    }

    /// Every field becomes 64-bit words in the order written here, so that the
    /// hash, which records store, does not depend on compiler, library or
    /// platform. A missing value is the word 0, a present one the word 1 and its
    /// own words.
    fn hash_over(&self, board: u64) -> u64 {
        let mut words = HashWords(mix(board));
        words.add(self.phase as u64);
        words.add(u8::from(self.player));
        words.add(u8::from(self.first));
        words.add(self.alive);
        words.add(self.winners);
        words.add_optional(self.ending.map(|ending| [ending as u64]));
        words.add(self.conquered);
        words.add(self.mid_turn);
        let front = self.front();
        words.add_optional(front.map(|(from, to)| [id(from), id(to), u64::from(self.with)]));
        for counter in [self.round, self.actions, self.n_traded] {
            words.add(counter);
        }
        for armies in [self.to_place, self.neutral_to_place, self.neutral_reserve] {
            words.add(armies);
        }
        for seat in self.game.seats() {
            words.add_hand(self.hands[seat]);
            words.add_optional(self.capitals[seat].map(|capital| [id(capital)]));
            words.add_optional(self.missions[seat].map(|mission| [u64::from(mission)]));
            words.add(self.reserve[seat]);
            let elimination = self.eliminations[seat];
            words.add_optional(
                elimination.map(|out| [u64::from(out.order), u64::from(u8::from(out.by))]),
            );
        }
        words.add_hand(self.discard);
        if self.phase == Phase::Fortify {
            words.add(MAX_TERRITORIES as u64);
            let (fours, _) = self.arrived.as_chunks::<4>();
            for four in fours {
                let word = four.iter().rev();
                words.add(word.fold(0, |word, &n| (word << 16) | u64::from(n)));
            }
        }
        words.0
    }

    /// The small fields that equality compares.
    fn scalars(&self) -> impl PartialEq + use<> {
        let front = matches!(self.phase, Phase::Battle | Phase::Occupy)
            .then_some((self.from, self.to, self.with));
        (
            (
                self.phase,
                self.player,
                self.first,
                self.alive,
                self.winners,
                self.ending,
            ),
            (
                self.conquered,
                self.mid_turn,
                front,
                self.round,
                self.actions,
                self.n_traded,
            ),
            (self.to_place, self.neutral_to_place, self.neutral_reserve),
        )
    }

    /// Size of the next batch of initial armies out of `reserve`.
    pub(crate) fn batch_of(&self, reserve: u32) -> u32 {
        match self.game.rules().placement {
            Placement::RoundRobin { batch, merge_last } => {
                let own = if self.game.has_neutral() { 2 } else { 1 };
                let batch = u32::from(batch) * own;
                if merge_last && reserve == batch + 1 {
                    reserve
                } else {
                    reserve.min(batch)
                }
            }
            _ => reserve,
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.game.hash() == other.game.hash()
            && self.board == other.board
            && self.scalars() == other.scalars()
            && self.reserve == other.reserve
            && self.capitals == other.capitals
            && self.missions == other.missions
            && self.eliminations == other.eliminations
            && self.hands == other.hands
            && self.discard == other.discard
            && (self.phase != Phase::Fortify || self.arrived == other.arrived)
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.hash64().hash(hasher);
    }
}

/// A hash of words, the same in every version and on every machine.
struct HashWords(u64);

impl HashWords {
    fn add(&mut self, word: impl Into<u64>) {
        let word = word.into();
        self.0 = mix(self.0 ^ word).wrapping_add(word);
    }

    fn add_optional<const N: usize>(&mut self, words: Option<[u64; N]>) {
        self.add(words.is_some());
        for word in words.into_iter().flatten() {
            self.add(word);
        }
    }

    fn add_hand(&mut self, hand: Hand) {
        self.add(hand.territories.low_word());
        self.add(hand.territories.high_word());
        self.add(hand.wilds);
    }
}

/// A territory as a word.
fn id(territory: TerritoryId) -> u64 {
    u64::from(u8::from(territory))
}
