//! A state as one line of text that reads back to an equal state.
//!
//! `board=a3b2a1 phase=attack player=0 ...`: for each territory in map order
//! the owner (`a` to `f`, `n` neutral, `-` nobody) and its armies; then only
//! the fields that differ from their usual value.

use std::fmt::Write as _;
use std::sync::Arc;

use thiserror::Error;

use crate::board::Board;
use crate::card::Hand;
use crate::game::Game;
use crate::ids::{MAX_PLAYERS, PlayerId, TerritoryId};
use crate::moves::{parse_card, parse_number, parse_territory};
use crate::state::{Elimination, Ending, Phase, State};

/// A position text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the position cannot be read at \"{0}\"")]
pub struct PositionError(pub String);

const PHASES: [(Phase, &str); 15] = [
    (Phase::First, "first"),
    (Phase::Deal, "deal"),
    (Phase::Claim, "claim"),
    (Phase::Mission, "mission"),
    (Phase::Scatter, "scatter"),
    (Phase::Setup, "setup"),
    (Phase::Capital, "capital"),
    (Phase::Trade, "trade"),
    (Phase::Reinforce, "reinforce"),
    (Phase::Attack, "attack"),
    (Phase::Battle, "battle"),
    (Phase::Occupy, "occupy"),
    (Phase::Fortify, "fortify"),
    (Phase::Draw, "draw"),
    (Phase::Over, "over"),
];

const ENDINGS: [(Ending, &str); 5] = [
    (Ending::Conquest, "conquest"),
    (Ending::Mission, "mission"),
    (Ending::Capitals, "capitals"),
    (Ending::TurnLimit, "turn-limit"),
    (Ending::EarlyStop, "early-stop"),
];

impl Phase {
    /// The phase as one lower-case word.
    pub fn name(self) -> &'static str {
        name_in(&PHASES, self)
    }
}

impl Ending {
    /// The ending as one lower-case word.
    pub fn name(self) -> &'static str {
        name_in(&ENDINGS, self)
    }

    /// The ending with this name.
    pub fn from_name(name: &str) -> Option<Ending> {
        value_in(&ENDINGS, name)
    }
}

fn name_in<T: PartialEq + Copy>(table: &[(T, &'static str)], value: T) -> &'static str {
    table
        .iter()
        .find(|(known, _)| *known == value)
        .map_or("", |(_, name)| name)
}

fn value_in<T: Copy>(table: &[(T, &'static str)], name: &str) -> Option<T> {
    table
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(value, _)| *value)
}

impl State {
    /// The state as one line of text.
    ///
    /// ```
    /// use hegemon_core::{Game, Map, Rules, State};
    /// let map = Map::builtin("line4").expect("shipped");
    /// let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
    /// let state = game.deal(3);
    /// let again = State::from_position(&game, &state.to_position()).expect("reads back");
    /// assert_eq!(again, state);
    /// ```
    pub fn to_position(&self) -> String {
        let mut text = String::from("board=");
        for territory in self.game.map().territories() {
            text.push(owner_letter(self.board.owner(territory)));
            let _ = write!(text, "{}", self.board.armies(territory));
        }
        let _ = write!(text, " phase={} player={}", self.phase.name(), self.player);
        self.write_counters(&mut text);
        self.write_seats(&mut text);
        text
    }

    fn write_counters(&self, text: &mut String) {
        let numbers = [
            ("first", self.first.index() as u32),
            ("round", self.round),
            ("actions", self.actions),
            ("traded", self.n_traded),
            ("place", self.to_place),
            ("neutral", self.neutral_to_place),
            ("neutral-reserve", self.neutral_reserve),
            ("conquered", u32::from(self.conquered)),
            ("mid-turn", u32::from(self.mid_turn)),
            ("winners", u32::from(self.winners)),
        ];
        for (name, number) in numbers.into_iter().filter(|(_, number)| *number > 0) {
            let _ = write!(text, " {name}={number}");
        }
        if let Some((from, to)) = self.front() {
            let _ = write!(text, " front={from}>{to}x{}", self.with);
        }
        if let Some(last) = self.last {
            let _ = write!(text, " last={last}");
        }
        if let Some(ending) = self.ending {
            let _ = write!(text, " ending={}", ending.name());
        }
        if self.phase == Phase::Fortify {
            for territory in self.game.map().territories() {
                let arrived = self.arrived[territory.index()];
                if arrived > 0 {
                    let _ = write!(text, " arrived={territory}x{arrived}");
                }
            }
        }
    }

    fn write_seats(&self, text: &mut String) {
        for seat in self.game.seats() {
            if self.reserve[seat] > 0 {
                let _ = write!(text, " reserve={seat}x{}", self.reserve[seat]);
            }
            if let Some(capital) = self.capitals[seat] {
                let _ = write!(text, " capital={seat}@{capital}");
            }
            if let Some(mission) = self.missions[seat] {
                let _ = write!(text, " mission={seat}@{mission}");
            }
            if let Some(Elimination { order, by }) = self.eliminations[seat] {
                let _ = write!(text, " out={seat}@{order}.{by}");
            }
            if !self.hands[seat].is_empty() {
                let _ = write!(text, " hand={seat}@{}", hand_text(self.hands[seat]));
            }
        }
        if !self.discard.is_empty() {
            let _ = write!(text, " discard={}", hand_text(self.discard));
        }
    }

    /// Reads a state of this game from text.
    ///
    /// # Errors
    ///
    /// If a part of the text has no meaning or the parts do not fit together.
    pub fn from_position(game: &Arc<Game>, text: &str) -> Result<State, PositionError> {
        let mut state = game.start();
        state.first = PlayerId::new(0);
        for part in text.split_whitespace() {
            let parsed = part
                .split_once('=')
                .and_then(|(key, value)| state.read_part(key, value));
            parsed.ok_or_else(|| PositionError(part.to_owned()))?;
        }
        state.alive = game
            .seats()
            .filter(|&seat| state.eliminations[seat].is_none())
            .fold(0, |bits, seat| bits | 1 << seat.index());
        state
            .check_position()
            .map_err(|sentence| PositionError(sentence.to_owned()))?;
        Ok(state)
    }

    fn read_part(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "board" => self.board = read_board(&self.game, value)?,
            "phase" => self.phase = value_in(&PHASES, value)?,
            "player" => self.player = self.read_seat(value)?,
            "first" => self.first = self.read_seat(value)?,
            "round" => self.round = parse_number(value)?,
            "actions" => self.actions = parse_number(value)?,
            "traded" => self.n_traded = parse_number(value)?,
            "place" => self.to_place = parse_number(value)?,
            "neutral" => self.neutral_to_place = parse_number(value)?,
            "neutral-reserve" => self.neutral_reserve = parse_number(value)?,
            "conquered" => self.conquered = value == "1",
            "mid-turn" => self.mid_turn = value == "1",
            "winners" => self.winners = u8::try_from(parse_number(value)?).ok()?,
            "ending" => self.ending = Some(value_in(&ENDINGS, value)?),
            "last" => self.last = Some(self.read_territory(value)?),
            "discard" => self.discard = read_hand(value)?,
            "front" => {
                let (from, rest) = value.split_once('>')?;
                let (to, with) = rest.split_once('x')?;
                self.from = self.read_territory(from)?;
                self.to = self.read_territory(to)?;
                self.with = parse_number(with)?;
            }
            "arrived" => {
                let (territory, n) = value.split_once('x')?;
                let territory = self.read_territory(territory)?;
                self.arrived[territory.index()] = u16::try_from(parse_number(n)?).ok()?;
            }
            "reserve" => {
                let (seat, n) = value.split_once('x')?;
                let seat = self.read_seat(seat)?;
                self.reserve[seat] = parse_number(n)?;
            }
            _ => return self.read_seat_part(key, value),
        }
        Some(())
    }

    fn read_seat_part(&mut self, key: &str, value: &str) -> Option<()> {
        let (seat, value) = value.split_once('@')?;
        let seat = self.read_seat(seat)?;
        match key {
            "capital" => self.capitals[seat] = Some(self.read_territory(value)?),
            "mission" => self.missions[seat] = Some(u8::try_from(parse_number(value)?).ok()?),
            "hand" => self.hands[seat] = read_hand(value)?,
            "out" => {
                let (order, by) = value.split_once('.')?;
                let order = u8::try_from(parse_number(order)?).ok()?;
                self.eliminations[seat] = Some(Elimination {
                    order,
                    by: self.read_seat(by)?,
                });
            }
            _ => return None,
        }
        Some(())
    }

    fn read_seat(&self, text: &str) -> Option<PlayerId> {
        let index = parse_number(text)? as usize;
        (index < self.game.n_players()).then(|| PlayerId::new(index))
    }

    fn read_territory(&self, text: &str) -> Option<TerritoryId> {
        parse_territory(text).filter(|t| t.index() < self.game.map().n_territories())
    }

    /// Refuses texts whose parts are readable but make no legal state.
    fn check_position(&self) -> Result<(), &'static str> {
        let map = self.game.map();
        let in_battle = matches!(self.phase, Phase::Battle | Phase::Occupy);
        let empty_ok = |t| self.phase == Phase::Occupy && t == self.to;
        let claimed = map.all() - self.board.owned(PlayerId::NOBODY);
        if claimed
            .iter()
            .any(|t| self.board.armies(t) == 0 && !empty_ok(t))
        {
            return Err("a territory without armies");
        }
        if !self.board.owned(PlayerId::NOBODY).is_empty() && self.phase > Phase::Claim {
            return Err("a territory without owner");
        }
        if in_battle && !map.are_neighbors(self.from, self.to) {
            return Err("front");
        }
        if (self.phase == Phase::Over) != self.ending.is_some()
            || self.ending.is_some() != (self.winners > 0)
        {
            return Err("ending");
        }
        let mut cards = self.discard;
        for hand in self.hands.as_slice() {
            if cards.territories.intersects(hand.territories) {
                return Err("a card in two hands");
            }
            cards.extend(*hand);
        }
        if cards.wilds > self.game.rules().cards.wild || !map.all().is_superset(cards.territories) {
            return Err("more cards than the deck has");
        }
        Ok(())
    }
}

fn owner_letter(owner: PlayerId) -> char {
    match owner {
        PlayerId::NEUTRAL => 'n',
        PlayerId::NOBODY => '-',
        seat => char::from(b'a' + seat.index() as u8),
    }
}

fn letter_owner(letter: char, n_players: usize) -> Option<PlayerId> {
    match letter {
        'n' => Some(PlayerId::NEUTRAL),
        '-' => Some(PlayerId::NOBODY),
        'a'..='f' => {
            let index = letter as usize - 'a' as usize;
            (index < n_players).then(|| PlayerId::new(index))
        }
        _ => None,
    }
}

fn read_board(game: &Game, text: &str) -> Option<Board> {
    let mut board = Board::unclaimed(game.map());
    let mut rest = text;
    for territory in game.map().territories() {
        let letter = rest.chars().next()?;
        let owner = letter_owner(letter, game.n_players())?;
        rest = &rest[1..];
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let armies = parse_number(&rest[..n_digits])?;
        if armies > 30_000 {
            return None;
        }
        board.change_owner(territory, owner);
        board.add_armies(territory, armies);
        rest = &rest[n_digits..];
    }
    let within_supply =
        PlayerId::seats(MAX_PLAYERS).all(|p| board.total_armies(p) <= u32::from(u16::MAX));
    (rest.is_empty() && within_supply).then_some(board)
}

fn hand_text(hand: Hand) -> String {
    let cards: Vec<String> = hand.cards().map(|card| card.to_string()).collect();
    cards.join(".")
}

fn read_hand(text: &str) -> Option<Hand> {
    let mut hand = Hand::default();
    for part in text.split('.') {
        hand.insert(parse_card(part)?);
    }
    Some(hand)
}
