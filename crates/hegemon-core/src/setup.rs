//! An unchecked description of a state: [`Setup`] becomes a [`State`] as a
//! `MapSpec` becomes a `Map`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::board::Board;
use crate::card::Hand;
use crate::game::Game;
use crate::ids::{ByPlayer, MAX_PLAYERS, PlayerId, TerritoryId};
use crate::narrow::Narrow as _;
use crate::rules::{Fortify, Victory};
use crate::state::{Elimination, Ending, Phase, State};
use crate::territory_set::TerritorySet;

/// All the fields of a state, public and unchecked.
///
/// ```
/// use hegemon_core::{Game, Map, Phase, PlayerId, Rules, Setup, State};
/// let map = Map::builtin("line4").expect("shipped");
/// let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
/// let (ann, bob) = (PlayerId::new(0), PlayerId::new(1));
/// let mut setup = Setup::default();
/// setup.board = vec![(ann, 3), (ann, 1), (bob, 2), (bob, 0)];
/// setup.phase = Phase::Attack;
/// setup.to_place = 4;
/// let error = State::new(&game, &setup).expect_err("two faults");
/// assert_eq!(error.faults.len(), 2, "{error}");
///
/// setup.board[3].1 = 1;
/// setup.to_place = 0;
/// let state = State::new(&game, &setup).expect("a state");
/// assert_eq!(state.setup(), setup);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Setup {
    /// Owner and armies of every territory, in map order.
    pub board: Vec<(PlayerId, u32)>,
    /// The phase of play.
    pub phase: Phase,
    /// Whose turn it is.
    pub player: PlayerId,
    /// Who moved first.
    pub first: PlayerId,
    /// The round, counted from 1; 0 during the setup.
    pub round: u32,
    /// Recruitments, attacks and fortifications so far.
    pub actions: u32,
    /// Sets traded so far by all players.
    pub n_traded: u32,
    /// Armies that the player must still place.
    pub to_place: u32,
    /// Neutral armies that the player must still place.
    pub neutral_to_place: u32,
    /// Neutral armies for later.
    pub neutral_reserve: u32,
    /// Whether a territory was conquered in this turn.
    pub conquered: bool,
    /// Whether trade and reinforcement interrupt the attack phase.
    pub mid_turn: bool,
    /// Attacking and attacked territory, and the dice or armies of the attack; in
    /// occupation the fewest that must move.
    pub front: Option<(TerritoryId, TerritoryId, u32)>,
    /// See [`State::last`].
    pub last: Option<TerritoryId>,
    /// How the game ended.
    pub ending: Option<Ending>,
    /// Bit `i`: seat `i` is a winner.
    pub winners: u8,
    /// Initial armies of each player for later.
    pub reserve: ByPlayer<u32>,
    /// Their capitals.
    pub capitals: ByPlayer<Option<TerritoryId>>,
    /// Their secret missions, by number.
    pub missions: ByPlayer<Option<u8>>,
    /// Eliminations by player.
    pub eliminations: ByPlayer<Option<Elimination>>,
    /// Their cards.
    pub hands: ByPlayer<Hand>,
    /// Traded cards waiting to be reshuffled.
    pub discard: Hand,
    /// Armies that arrived in this fortify phase and must not move again.
    pub arrived: BTreeMap<TerritoryId, u16>,
}

impl Default for Setup {
    /// An empty setup: no board, at the very start.
    fn default() -> Setup {
        Setup {
            board: Vec::new(),
            phase: Phase::First,
            player: PlayerId::new(0),
            first: PlayerId::new(0),
            round: 0,
            actions: 0,
            n_traded: 0,
            to_place: 0,
            neutral_to_place: 0,
            neutral_reserve: 0,
            conquered: false,
            mid_turn: false,
            front: None,
            last: None,
            ending: None,
            winners: 0,
            reserve: ByPlayer::default(),
            capitals: ByPlayer::default(),
            missions: ByPlayer::default(),
            eliminations: ByPlayer::default(),
            hands: ByPlayer::default(),
            discard: Hand::default(),
            arrived: BTreeMap::new(),
        }
    }
}

/// The faults of a position or a setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    /// One sentence for each fault.
    pub faults: Vec<String>,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("; "))
    }
}

impl std::error::Error for PositionError {}

impl State {
    /// Checks a setup and builds a state from it.
    ///
    /// # Errors
    ///
    /// All parts that do not fit the game; if there are none, all
    /// contradictions.
    pub fn new(game: &Arc<Game>, setup: &Setup) -> Result<State, PositionError> {
        let mut faults: Vec<String> = setup
            .missing_or_extra_territories(game)
            .into_iter()
            .collect();
        faults.extend(setup.misfits(game));
        if faults.is_empty() {
            let state = setup.fill(game);
            faults = Check::new(&state).run();
            if faults.is_empty() {
                return Ok(state);
            }
        }
        Err(PositionError { faults })
    }

    /// The setup of this state; [`State::new`] rebuilds an equal one from it.
    pub fn setup(&self) -> Setup {
        let map = self.game.map();
        let arrived = |t: TerritoryId| (t, self.arrived[t.index()]);
        let is_fortify = self.phase == Phase::Fortify;
        let all_arrived = map.territories().filter(|_| is_fortify).map(arrived);
        Setup {
            board: map
                .territories()
                .map(|t| (self.board.owner(t), self.board.armies(t)))
                .collect(),
            phase: self.phase,
            player: self.player,
            first: self.first,
            round: self.round,
            actions: self.actions,
            n_traded: self.n_traded,
            to_place: self.to_place,
            neutral_to_place: self.neutral_to_place,
            neutral_reserve: self.neutral_reserve,
            conquered: self.conquered,
            mid_turn: self.mid_turn,
            front: self.front().map(|(from, to)| (from, to, self.with)),
            last: self.last,
            ending: self.ending,
            winners: self.winners,
            reserve: self.reserve,
            capitals: self.capitals,
            missions: self.missions,
            eliminations: self.eliminations,
            hands: self.hands,
            discard: self.discard,
            arrived: all_arrived.filter(|(_, n)| *n > 0).collect(),
        }
    }
}

impl Setup {
    /// A sentence if the board is not one of the map.
    pub(crate) fn missing_or_extra_territories(&self, game: &Game) -> Option<String> {
        let (told, n) = (self.board.len(), game.map().n_territories());
        (told != n).then(|| format!("the board has {told} territories, the map has {n}"))
    }

    /// A sentence for every reference to something that the game does not have, and for a
    /// pending attack that nothing is told of.
    pub(crate) fn misfits(&self, game: &Game) -> Vec<String> {
        let mut faults = Vec::new();
        let (map, n_players) = (game.map(), game.n_players());
        let n = map.n_territories();
        if matches!(self.phase, Phase::Battle | Phase::Occupy) && self.front.is_none() {
            let phase = self.phase.name();
            faults.push(format!("the {phase} phase needs a front"));
        }
        let supply = u32::from(game.rules().supply);
        for (territory, &(owner, armies)) in map.territories().zip(&self.board) {
            let name = map.territory_name(territory);
            if owner.is_seat() && owner.index() >= n_players {
                faults.push(format!(
                    "the board gives \"{name}\" to player {owner}, but the game has {n_players} seats"
                ));
            }
            if armies > supply {
                faults.push(format!(
                    "the board has {armies} armies on \"{name}\", more than the supply of {supply}"
                ));
            }
        }
        let by = |out: Elimination| ("out", out.by);
        let named = [("player", self.player), ("first", self.first)];
        let named = named
            .into_iter()
            .chain(self.eliminations.0.into_iter().flatten().map(by));
        for (key, seat) in named {
            if seat.index() >= n_players {
                faults.push(format!(
                    "{key} names seat {seat}, but the game has {n_players} seats"
                ));
            }
        }
        for seat in PlayerId::seats(MAX_PLAYERS).skip(n_players) {
            let has_any = self.reserve[seat] > 0
                || self.capitals[seat].is_some()
                || self.missions[seat].is_some()
                || self.eliminations[seat].is_some()
                || !self.hands[seat].is_empty();
            if has_any {
                faults.push(format!(
                    "seat {seat} is spoken of, but the game has {n_players} seats"
                ));
            }
        }
        self.unknown_territories(n, &mut faults);
        faults
    }

    fn unknown_territories(&self, n: usize, faults: &mut Vec<String>) {
        let front = self.front.map(|(from, to, _)| [from, to]);
        let hands = self.hands.as_slice().iter().chain([&self.discard]);
        let cards = hands.flat_map(|hand| hand.territories);
        let named = (front.into_iter().flatten().map(|t| ("front", t)))
            .chain(self.last.map(|t| ("last", t)))
            .chain(
                self.capitals
                    .0
                    .into_iter()
                    .flatten()
                    .map(|t| ("capital", t)),
            )
            .chain(self.arrived.keys().map(|&t| ("arrived", t)))
            .chain(cards.map(|t| ("a card", t)));
        for (key, territory) in named.filter(|(_, t)| t.index() >= n) {
            faults.push(format!(
                "{key} names territory {territory}, but the map has {n}, counted from 0"
            ));
        }
    }

    /// Builds the state; every referenced seat and territory must exist.
    fn fill(&self, game: &Arc<Game>) -> State {
        let mut state = game.start();
        state.board = Board::unclaimed(game.map());
        for (territory, &(owner, armies)) in game.map().territories().zip(&self.board) {
            state.board.change_owner(territory, owner);
            state.board.add_armies(territory, armies);
        }
        state.phase = self.phase;
        state.player = self.player;
        state.first = self.first;
        state.round = self.round;
        state.actions = self.actions;
        state.n_traded = self.n_traded;
        state.to_place = self.to_place;
        state.neutral_to_place = self.neutral_to_place;
        state.neutral_reserve = self.neutral_reserve;
        state.conquered = self.conquered;
        state.mid_turn = self.mid_turn;
        if let Some((from, to, with)) = self.front {
            (state.from, state.to, state.with) = (from, to, with);
        }
        state.last = self.last;
        state.ending = self.ending;
        state.winners = self.winners;
        state.reserve = self.reserve;
        state.capitals = self.capitals;
        state.missions = self.missions;
        state.eliminations = self.eliminations;
        state.hands = self.hands;
        state.discard = self.discard;
        for (territory, &n) in &self.arrived {
            state.arrived[territory.index()] = n;
        }
        state.alive = game
            .seats()
            .filter(|&seat| state.eliminations[seat].is_none())
            .fold(0, |bits, seat| bits | 1 << seat.index());
        state
    }
}

/// Finds parts that are valid alone but together form no playable state.
struct Check<'a> {
    state: &'a State,
    game: &'a Game,
    faults: Vec<String>,
}

impl<'a> Check<'a> {
    fn new(state: &'a State) -> Check<'a> {
        Check {
            state,
            game: &state.game,
            faults: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<String> {
        self.board();
        self.seats();
        let n_before = self.faults.len();
        self.cards();
        let has_sound_cards = self.faults.len() == n_before;
        self.counters();
        self.setup();
        self.ending();
        self.in_hand();
        self.phase(has_sound_cards);
        self.faults
    }

    fn refuse(&mut self, is_wrong: bool, sentence: impl FnOnce() -> String) {
        if is_wrong {
            self.faults.push(sentence());
        }
    }

    fn name(&self, territory: TerritoryId) -> &'a str {
        self.game.map().territory_name(territory)
    }

    fn board(&mut self) {
        let (state, board) = (self.state, &self.state.board);
        let phase = state.phase.name();
        let free = board.owned(PlayerId::NOBODY);
        let conquered = (state.phase == Phase::Occupy).then_some(state.to);
        for territory in self.game.map().territories() {
            let (armies, name) = (board.armies(territory), self.name(territory));
            let is_free = free.contains(territory);
            let is_empty = is_free || conquered == Some(territory);
            self.refuse(armies == 0 && !is_empty, || {
                format!("\"{name}\" is a territory without armies")
            });
            self.refuse(armies > 0 && is_empty, || {
                format!("there are armies on an empty territory, \"{name}\"")
            });
            self.refuse(is_free && state.phase > Phase::Claim, || {
                format!("\"{name}\" is without owner in the {phase} phase")
            });
            let is_neutral = board.owner(territory) == PlayerId::NEUTRAL;
            self.refuse(is_neutral && !self.game.has_neutral(), || {
                format!("\"{name}\" is neutral in a game without a neutral army")
            });
        }
    }

    fn seats(&mut self) {
        let (state, n_alive) = (self.state, self.state.n_alive());
        self.refuse(n_alive < 2 && state.phase != Phase::Over, || {
            "fewer than two players are left, but the game is not over".to_owned()
        });
        // Only the previous owner of a just conquered territory may be without
        // land; a second such player would get a turn without any territory.
        let landless = |seat: &PlayerId| state.board.owned(*seat).is_empty();
        let n_landless = state.alive().filter(landless).count();
        self.refuse(state.phase == Phase::Occupy && n_landless > 1, || {
            format!("{n_landless} players have no territory, but are not out")
        });
        // There is no land before the start, and the previous owner of a just
        // conquered territory may have lost its last one.
        let must_have = !matches!(
            state.phase,
            Phase::First | Phase::Deal | Phase::Claim | Phase::Occupy
        );
        for seat in self.game.seats() {
            let (has_land, is_alive) = (!landless(&seat), state.is_alive(seat));
            self.refuse(has_land && !is_alive, || {
                format!("player {seat} is out, but has territories")
            });
            self.refuse(must_have && !has_land && is_alive, || {
                format!("player {seat} has no territory, but is not out")
            });
            self.mission(seat);
        }
        self.refuse(!state.is_alive(state.player), || {
            format!("it is the turn of player {}, who is out", state.player)
        });
    }

    fn mission(&mut self, seat: PlayerId) {
        let Some(mission) = self.state.missions[seat] else {
            return;
        };
        let n = self.game.missions().len();
        self.refuse(usize::from(mission) >= n, || {
            format!("player {seat} has mission {mission}, but there are {n}, counted from 0")
        });
        let twin = self
            .game
            .seats()
            .find(|&other| other < seat && self.state.missions[other] == self.state.missions[seat]);
        if let Some(other) = twin {
            let sentence = format!("players {other} and {seat} have the same mission");
            self.faults.push(sentence);
        }
    }

    fn cards(&mut self) {
        let (state, rules) = (self.state, self.game.rules());
        let mut seen = TerritorySet::EMPTY;
        let mut n_wilds = 0;
        for hand in state.hands.as_slice().iter().chain([&state.discard]) {
            for twice in seen & hand.territories {
                let name = self.name(twice);
                let sentence = format!("the card of \"{name}\" is in two hands or piles");
                self.faults.push(sentence);
            }
            seen |= hand.territories;
            n_wilds += usize::from(hand.wilds);
        }
        let in_deck = rules.cards.wild;
        self.refuse(n_wilds > usize::from(in_deck), || {
            format!("there are {n_wilds} wild cards, but the deck has {in_deck}")
        });
        self.refuse(!rules.has_cards() && !seen.is_empty(), || {
            "there are cards in a game without cards".to_owned()
        });
        let is_left = !state.discard.is_empty() && rules.cards.return_at_once;
        self.refuse(is_left, || {
            "cards lie in the discard pile, but traded cards return to the deck at once".to_owned()
        });
    }

    /// Counts that no game reaches, or that would overflow.
    fn counters(&mut self) {
        const MOST: u32 = i32::MAX.cast_unsigned();
        let state = self.state;
        let counters = [
            ("round", state.round),
            ("actions", state.actions),
            ("traded", state.n_traded),
        ];
        for (name, counter) in counters {
            self.refuse(counter > MOST, || format!("{name} is more than {MOST}"));
        }
        let supply = u64::from(self.game.rules().supply);
        let neutral = u64::from(state.board.total_armies(PlayerId::NEUTRAL))
            + u64::from(state.neutral_reserve)
            + u64::from(state.neutral_to_place);
        self.refuse(neutral > supply, || {
            format!("the neutral army has {neutral} armies, more than the supply of {supply}")
        });
        for seat in self.game.seats() {
            let batch = if seat == state.player {
                state.to_place
            } else {
                0
            };
            let armies = u64::from(state.board.total_armies(seat))
                + u64::from(state.reserve[seat])
                + u64::from(batch);
            self.refuse(armies > supply, || {
                format!("player {seat} has {armies} armies, more than the supply of {supply}")
            });
        }
        let may_have_arrived =
            state.phase == Phase::Fortify && self.game.rules().fortify == Fortify::ManyAdjacent;
        for territory in self.game.map().territories() {
            let arrived = u32::from(state.arrived[territory.index()]);
            let most = if may_have_arrived {
                state.board.armies(territory)
            } else {
                0
            };
            let name = self.name(territory);
            self.refuse(arrived > most, || {
                format!("{arrived} armies have arrived on \"{name}\", where {most} can have")
            });
        }
    }

    /// What the setup hands out exists only from that phase on; what belongs to
    /// turns does not exist before them.
    fn setup(&mut self) {
        let (state, phase) = (self.state, self.state.phase.name());
        let is_filled = matches!(state.phase, Phase::Mission | Phase::Scatter | Phase::Setup);
        let mut reserves = state
            .reserve
            .as_slice()
            .iter()
            .chain([&state.neutral_reserve]);
        let has_reserve = reserves.any(|&armies| armies > 0);
        self.refuse(!is_filled && has_reserve, || {
            format!("there is a reserve in the {phase} phase")
        });
        if state.phase > Phase::Capital {
            return;
        }
        self.refuse(state.round > 0, || {
            format!("the {phase} phase comes before round {}", state.round)
        });
        self.refuse(state.n_alive() < self.game.n_players(), || {
            format!("a player is out in the {phase} phase")
        });
        let mut piles = state.hands.as_slice().iter().chain([&state.discard]);
        self.refuse(piles.any(|pile| !pile.is_empty()), || {
            format!("there are cards in the {phase} phase")
        });
        for seat in self.game.seats() {
            self.given_out(seat);
        }
        self.refuse(
            state.phase <= Phase::Claim && !is_fairly_dealt(state),
            || "the board is a deal out of turn".to_owned(),
        );
    }

    fn given_out(&mut self, seat: PlayerId) {
        let (state, n) = (self.state, self.game.n_players());
        let (phase, name) = (state.phase, state.phase.name());
        let turn_of = |seat: PlayerId| (seat.index() + n - state.first.index()) % n;
        let has_mission = self.game.rules().victory == Victory::Missions
            && (phase > Phase::Mission || phase == Phase::Mission && seat < state.player);
        let has_capital = phase == Phase::Capital && turn_of(seat) < turn_of(state.player);
        let word = |has: bool| if has { "no" } else { "a" };
        self.refuse(state.missions[seat].is_some() != has_mission, || {
            let word = word(has_mission);
            format!("player {seat} has {word} mission in the {name} phase")
        });
        self.refuse(state.capitals[seat].is_some() != has_capital, || {
            let word = word(has_capital);
            format!("player {seat} has {word} capital in the {name} phase")
        });
    }

    fn ending(&mut self) {
        let state = self.state;
        let is_over = state.phase == Phase::Over;
        let parts = [
            ("ending", state.ending.is_some()),
            ("winners", state.winners > 0),
        ];
        for (part, is_there) in parts {
            self.refuse(is_over && !is_there, || {
                format!("the game is over, but has no {part}")
            });
            self.refuse(!is_over && is_there, || {
                format!("the game has an ending ({part}), but is not over")
            });
        }
        self.refuse(state.winners & !state.alive > 0, || {
            "a winner of the ending is out or not at the table".to_owned()
        });
    }

    /// Armies to be placed, and the phases that allow it.
    fn in_hand(&mut self) {
        let (state, phase) = (self.state, self.state.phase.name());
        let is_turn = matches!(state.phase, Phase::Trade | Phase::Reinforce);
        self.refuse(state.mid_turn && !is_turn, || {
            format!("the {phase} phase cannot be mid-turn")
        });
        let is_setup = state.phase == Phase::Setup;
        self.refuse(state.to_place > 0 && !is_turn && !is_setup, || {
            format!("there are armies to place in the {phase} phase")
        });
        let has_neutral = !state.board.owned(PlayerId::NEUTRAL).is_empty();
        let is_misplaced = state.neutral_to_place > 0 && (!is_setup || !has_neutral)
            || state.neutral_reserve > 0 && !has_neutral;
        self.refuse(is_misplaced, || {
            format!("there are neutral armies to place in the {phase} phase")
        });
    }

    /// Whether there is anything to do in the phase.
    fn phase(&mut self, has_sound_cards: bool) {
        let (state, rules) = (self.state, self.game.rules());
        let free = state.board.owned(PlayerId::NOBODY);
        let (fits, reason) = match state.phase {
            Phase::First => (free == self.game.map().all(), "some territories are taken"),
            Phase::Deal | Phase::Claim => (!free.is_empty(), "no territory is free"),
            Phase::Mission => (
                rules.victory == Victory::Missions,
                "the rules have no missions",
            ),
            Phase::Scatter => (state.scatter_owner().is_some(), "there is no reserve"),
            Phase::Setup => (
                state.to_place > 0 || state.neutral_to_place > 0,
                "there is nothing to place",
            ),
            Phase::Capital => (
                matches!(rules.victory, Victory::Capitals { .. }),
                "the rules have no capitals",
            ),
            Phase::Trade => (
                rules.has_cards() && state.hands[state.player].has_set(),
                "the player has no set of cards",
            ),
            Phase::Reinforce => (state.to_place > 0, "there is nothing to place"),
            Phase::Battle | Phase::Occupy => (
                has_sound_front(state),
                "the front is none that the player could have",
            ),
            // The deck can only be counted if no card is in two places.
            Phase::Draw => (
                !has_sound_cards || rules.has_cards() && !state.deck().is_empty(),
                "there is no card to draw",
            ),
            Phase::Attack | Phase::Fortify | Phase::Over => (true, ""),
        };
        let phase = state.phase.name();
        self.refuse(!fits, || {
            format!("this cannot be the {phase} phase: {reason}")
        });
    }
}

/// Whether the players got territories in turn, with one army each.
fn is_fairly_dealt(state: &State) -> bool {
    let game = &state.game;
    let n = game.n_players();
    let n_parties = n + usize::from(game.has_neutral());
    let free = state.board.n_owned(PlayerId::NOBODY);
    let n_dealt = game.map().n_territories() - free;
    let share = |turn: usize| (n_dealt + n_parties - 1 - turn) / n_parties;
    let got = |owner: PlayerId| (state.board.n_owned(owner), state.board.total_armies(owner));
    let in_turn = (0..n).map(|turn| PlayerId::new((state.first.index() + turn) % n));
    let turn = if state.phase == Phase::Claim {
        n_dealt
    } else {
        0
    };
    state.player.index() == (state.first.index() + turn) % n
        && in_turn
            .chain([PlayerId::NEUTRAL])
            .enumerate()
            .all(|(turn, owner)| {
                let share = if turn < n_parties { share(turn) } else { 0 };
                got(owner) == (share, share.narrow())
            })
}

fn has_sound_front(state: &State) -> bool {
    let is_mine = |t: TerritoryId| state.board.owner(t) == state.player;
    let force = if state.phase == Phase::Battle {
        state.attack_range(state.from)
    } else {
        1..=state.most_to_move_in()
    };
    is_mine(state.from)
        && is_mine(state.to) == (state.phase == Phase::Occupy)
        && state.game.map().are_neighbors(state.from, state.to)
        && force.contains(&state.with)
}
