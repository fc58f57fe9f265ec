//! A seat's view on the wire, and a state that looks the same from the seat.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::sync::Arc;

use hegemon_core::{
    Card, Game, Hand, MoveGroup, Phase, PlayerId, Rng, State, TerritoryId, TerritorySet, View,
};
use serde::{Deserialize, Serialize};

use crate::ProtocolError;

const NOBODY: i8 = -1;
const NEUTRAL: i8 = -2;

/// All that a seat may know at a decision. Lists are by territory or by seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "View")
)]
pub struct ViewDto {
    /// The phase as one word.
    #[cfg_attr(feature = "schema", schemars(with = "crate::schema::PhaseName"))]
    pub phase: String,
    /// Who must move.
    #[cfg_attr(feature = "schema", schemars(with = "PlayerId"))]
    pub player: usize,
    /// Who moved first.
    #[cfg_attr(feature = "schema", schemars(with = "PlayerId"))]
    pub first_player: usize,
    /// The round from 1; 0 during the setup.
    pub round: u32,
    /// Recruitments, attacks and fortifications so far.
    pub n_actions: u32,
    /// Owners by territory: a seat, -1 for nobody, -2 for the neutral army.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = NEUTRAL, max = hegemon_core::MAX_PLAYERS - 1))))]
    pub owners: Vec<i8>,
    /// Armies by territory.
    pub armies: Vec<u32>,
    /// Armies that must still be placed now.
    pub to_place: u32,
    /// Neutral armies that must still be placed now.
    pub neutral_to_place: u32,
    /// Neutral armies for later in the setup.
    pub neutral_reserve: u32,
    /// Initial armies by seat for later in the setup.
    pub reserves: Vec<u32>,
    /// The conquest to be completed, in the occupy phase.
    pub front: Option<FrontDto>,
    /// Where the last move of the turn put, kept or lost armies.
    pub last: Option<TerritoryId>,
    /// In the fortify phase, by territory: armies that have not moved yet.
    pub moveable: Option<Vec<u32>>,
    /// Whether the player conquered a territory in this turn.
    pub has_conquered: bool,
    /// Whether trading or placing interrupts the attack phase, after the capture
    /// of a hand.
    pub is_mid_turn: bool,
    /// The seat's own cards.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Card>"))]
    pub cards: Vec<String>,
    /// Number of cards by seat.
    pub n_cards: Vec<usize>,
    /// Traded cards that are not yet in the deck again.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<crate::schema::Card>"))]
    pub discard: Vec<String>,
    /// Sets traded so far by anybody.
    pub n_traded: u32,
    /// Armies for the next set that anybody trades; where it depends on the set, for one card
    /// of each symbol. 0 without cards.
    #[serde(default)]
    pub next_set_worth: u32,
    /// By continent: armies that it pays in this round, grown as the rules say.
    #[serde(default)]
    pub bonuses: Vec<u32>,
    /// By seat: armies of a turn that began now, without cards; 0 for who is out.
    #[serde(default)]
    pub incomes: Vec<u32>,
    /// Number of the seat's secret mission in the list of missions.
    pub mission: Option<u8>,
    /// Capitals by seat.
    pub capitals: Vec<Option<TerritoryId>>,
    /// Eliminations by seat.
    pub eliminations: Vec<Option<EliminationDto>>,
}

/// A conquest to be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct FrontDto {
    /// Where the armies come from.
    pub from: TerritoryId,
    /// What was conquered.
    pub to: TerritoryId,
    /// Fewest armies that must move in.
    pub fewest: u32,
}

/// How a player was eliminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct EliminationDto {
    /// 0 for the first.
    pub order: u8,
    /// Who did it.
    #[cfg_attr(feature = "schema", schemars(with = "PlayerId"))]
    pub by: usize,
}

/// Legal moves: every target with every number of armies from the fewest to the
/// most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Group")
)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GroupDto {
    /// `cTO`.
    Claim {
        /// What may be claimed.
        to: Vec<TerritoryId>,
    },
    /// `kTO`.
    Capital {
        /// What may become the capital.
        to: Vec<TerritoryId>,
    },
    /// This move.
    Trade {
        /// The trade.
        #[serde(rename = "move")]
        #[cfg_attr(feature = "schema", schemars(with = "crate::schema::Move"))]
        mv: String,
    },
    /// `pTOxARMIES`.
    Place {
        /// Where they may go.
        to: Vec<TerritoryId>,
        /// Fewest and most.
        armies: [u32; 2],
    },
    /// `aFROM>TOxARMIES`; dice instead of armies where an attack is one roll.
    Attack {
        /// Where the armies come from.
        from: TerritoryId,
        /// What they may attack.
        to: Vec<TerritoryId>,
        /// Fewest and most.
        armies: [u32; 2],
    },
    /// `oARMIES`.
    Occupy {
        /// Fewest and most.
        armies: [u32; 2],
    },
    /// `fFROM>TOxARMIES`.
    Fortify {
        /// Where the armies come from.
        from: TerritoryId,
        /// Where they may go.
        to: Vec<TerritoryId>,
        /// Fewest and most.
        armies: [u32; 2],
    },
    /// `end`.
    End,
}

impl GroupDto {
    /// A group for the wire.
    pub fn new(group: &MoveGroup) -> GroupDto {
        let list = |set: &TerritorySet| set.iter().collect();
        let pair = |range: &RangeInclusive<u32>| [*range.start(), *range.end()];
        match group {
            MoveGroup::Claim(set) => GroupDto::Claim { to: list(set) },
            MoveGroup::Capital(set) => GroupDto::Capital { to: list(set) },
            MoveGroup::Trade(mv) => GroupDto::Trade { mv: mv.to_string() },
            MoveGroup::Place(set, range) => GroupDto::Place {
                to: list(set),
                armies: pair(range),
            },
            MoveGroup::Attack(from, set, range) => GroupDto::Attack {
                from: *from,
                to: list(set),
                armies: pair(range),
            },
            MoveGroup::Occupy(range) => GroupDto::Occupy {
                armies: pair(range),
            },
            MoveGroup::Fortify(from, set, range) => GroupDto::Fortify {
                from: *from,
                to: list(set),
                armies: pair(range),
            },
            MoveGroup::End => GroupDto::End,
        }
    }
}

impl ViewDto {
    /// A view for the wire.
    pub fn new(view: View<'_>) -> ViewDto {
        // Some public facts are on states only; a state that looks the same
        // from the seat has them without the hidden ones.
        let state = view.sample_state(&mut Rng::from_seed(0));
        let map = view.map();
        let board = view.board();
        let seats = view.game().seats();
        let moveable = || map.territories().map(|t| view.moveable(t)).collect();
        let front = view.front().map(|(from, to)| FrontDto {
            from,
            to,
            fewest: view.fewest_to_occupy(),
        });
        let income = |seat| {
            if view.is_alive(seat) {
                view.income(seat)
            } else {
                0
            }
        };
        let elimination = |seat| {
            let elimination = state.elimination(seat)?;
            Some(EliminationDto {
                order: elimination.order,
                by: elimination.by.index(),
            })
        };
        ViewDto {
            phase: view.phase().name().to_owned(),
            player: view.player().index(),
            first_player: state.first_player().index(),
            round: view.round(),
            n_actions: state.n_actions(),
            owners: map
                .territories()
                .map(|t| owner_number(board.owner(t)))
                .collect(),
            armies: map.territories().map(|t| board.armies(t)).collect(),
            to_place: view.to_place(),
            neutral_to_place: view.neutral_to_place(),
            neutral_reserve: neutral_reserve(&state),
            reserves: seats.clone().map(|seat| view.reserve(seat)).collect(),
            front,
            last: view.last(),
            moveable: (view.phase() == Phase::Fortify).then(moveable),
            has_conquered: view.has_conquered(),
            is_mid_turn: view.is_mid_turn(),
            cards: card_words(view.hand()),
            n_cards: seats.clone().map(|seat| view.n_cards(seat)).collect(),
            discard: card_words(view.discard()),
            n_traded: view.n_traded(),
            next_set_worth: view.game().next_set_worth(view.n_traded()),
            bonuses: map
                .continents()
                .map(|c| view.game().bonus(c, view.round()))
                .collect(),
            incomes: seats.clone().map(income).collect(),
            mission: view.mission(),
            capitals: seats.clone().map(|seat| view.capital(seat)).collect(),
            eliminations: seats.map(elimination).collect(),
        }
    }

    /// A state that looks like this from the seat. Hidden cards and missions
    /// are any that the seat has not seen.
    ///
    /// # Errors
    ///
    /// If the parts do not fit the game or each other.
    pub fn state(&self, game: &Arc<Game>, seat: PlayerId) -> Result<State, ProtocolError> {
        let wrong = |what: &str| ProtocolError(format!("the view's {what} does not fit the game"));
        let n_territories = game.map().n_territories();
        if self.owners.len() != n_territories || self.armies.len() != n_territories {
            return Err(wrong("board"));
        }
        let by_seat = [
            self.reserves.len(),
            self.n_cards.len(),
            self.capitals.len(),
            self.eliminations.len(),
        ];
        if by_seat.iter().any(|&len| len != game.n_players()) {
            return Err(wrong("number of seats"));
        }
        if !self.phase.bytes().all(|b| b.is_ascii_lowercase()) {
            return Err(wrong("phase"));
        }
        let mut text = String::from("board=");
        for (&owner, armies) in self.owners.iter().zip(&self.armies) {
            let letter = owner_letter(owner).ok_or_else(|| wrong("board"))?;
            let _ = write!(text, "{letter}{armies}");
        }
        self.write_counters(&mut text);
        self.write_seats(&mut text, game, seat)
            .ok_or_else(|| wrong("list of cards"))?;
        State::from_position(game, &text).map_err(|error| ProtocolError(error.to_string()))
    }

    fn write_counters(&self, text: &mut String) {
        let _ = write!(text, " phase={} player={}", self.phase, self.player);
        let numbers = [
            ("first", self.first_player as u32),
            ("round", self.round),
            ("actions", self.n_actions),
            ("traded", self.n_traded),
            ("place", self.to_place),
            ("neutral", self.neutral_to_place),
            ("neutral-reserve", self.neutral_reserve),
            ("conquered", u32::from(self.has_conquered)),
            ("mid-turn", u32::from(self.is_mid_turn)),
        ];
        for (name, number) in numbers {
            let _ = write!(text, " {name}={number}");
        }
        if let Some(FrontDto { from, to, fewest }) = self.front {
            let _ = write!(text, " front={from}>{to}x{fewest}");
        }
        if let Some(last) = self.last {
            let _ = write!(text, " last={last}");
        }
        let moveable = self.moveable.iter().flatten();
        for (territory, (armies, moveable)) in self.armies.iter().zip(moveable).enumerate() {
            let arrived = armies.saturating_sub(*moveable);
            let _ = write!(text, " arrived={territory}x{arrived}");
        }
    }

    fn write_seats(&self, text: &mut String, game: &Game, seat: PlayerId) -> Option<()> {
        let n_territories = game.map().n_territories();
        let own = read_cards(&self.cards, n_territories)?;
        let discard = read_cards(&self.discard, n_territories)?;
        if own.len() != self.n_cards[seat.index()]
            || discard.territories.intersects(own.territories)
        {
            return None;
        }
        let unseen = Hand {
            territories: game.map().all() - own.territories - discard.territories,
            wilds: game
                .rules()
                .cards
                .wild
                .checked_sub(own.wilds)?
                .checked_sub(discard.wilds)?,
        };
        let mut cards = unseen.cards();
        let mut missions =
            (0..game.missions().len() as u8).filter(|&number| Some(number) != self.mission);
        for player in game.seats() {
            let index = player.index();
            let _ = write!(text, " reserve={player}x{}", self.reserves[index]);
            if let Some(capital) = self.capitals[index] {
                let _ = write!(text, " capital={player}@{capital}");
            }
            if let Some(EliminationDto { order, by }) = self.eliminations[index] {
                let _ = write!(text, " out={player}@{order}.{by}");
            }
            let hand: Vec<Card> = if player == seat {
                own.cards().collect()
            } else {
                cards.by_ref().take(self.n_cards[index]).collect()
            };
            if hand.len() != self.n_cards[index] {
                return None;
            }
            write_cards(text, &format!(" hand={player}@"), &hand);
            if let Some(mission) = self.mission {
                let mission = if player == seat {
                    mission
                } else {
                    missions.next()?
                };
                let _ = write!(text, " mission={player}@{mission}");
            }
        }
        write_cards(text, " discard=", &discard.cards().collect::<Vec<_>>());
        Some(())
    }
}

/// Neutral armies for later; the state shows them in its text only.
fn neutral_reserve(state: &State) -> u32 {
    if !state.game().has_neutral() {
        return 0;
    }
    let text = state.to_position();
    let word = text
        .split(' ')
        .find_map(|part| part.strip_prefix("neutral-reserve="));
    word.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// An owner on the wire: a seat, -1 for nobody, -2 for the neutral army.
pub fn owner_number(owner: PlayerId) -> i8 {
    match owner {
        PlayerId::NOBODY => NOBODY,
        PlayerId::NEUTRAL => NEUTRAL,
        seat => seat.index() as i8,
    }
}

fn owner_letter(owner: i8) -> Option<char> {
    match owner {
        NOBODY => Some('-'),
        NEUTRAL => Some('n'),
        0..=5 => Some(char::from(b'a' + owner as u8)),
        _ => None,
    }
}

fn card_words(hand: Hand) -> Vec<String> {
    hand.cards().map(|card| card.to_string()).collect()
}

fn read_cards(words: &[String], n_territories: usize) -> Option<Hand> {
    let mut hand = Hand::default();
    for word in words {
        let card = match word.as_str() {
            "w" => Card::Wild,
            digits => {
                let index = digits.parse::<usize>().ok()?;
                (index < n_territories).then(|| Card::Territory(TerritoryId::new(index)))?
            }
        };
        if card != Card::Wild && hand.contains(card) {
            return None;
        }
        hand.insert(card);
    }
    Some(hand)
}

fn write_cards(text: &mut String, key: &str, cards: &[Card]) {
    if !cards.is_empty() {
        let words: Vec<String> = cards.iter().map(ToString::to_string).collect();
        let _ = write!(text, "{key}{}", words.join("."));
    }
}
