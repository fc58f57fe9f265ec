//! A state as one line of text that reads back to an equal state.
//!
//! `board=a3b2a1 phase=attack player=0 ...`: for each territory in map order
//! the owner (`a` to `f`, `n` neutral, `-` nobody) and its armies; then only
//! the fields that differ from their default.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::card::{Card, Hand};
use crate::game::Game;
use crate::ids::{MAX_PLAYERS, MAX_TERRITORIES, PlayerId};
use crate::map_fault::Quoted;
use crate::moves::{parse_card, parse_number, parse_territory};
use crate::setup::{PositionError, Setup};
use crate::state::{Elimination, Ending, Phase, State};

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

const ENDINGS: [(Ending, &str); 6] = [
    (Ending::Conquest, "conquest"),
    (Ending::Mission, "mission"),
    (Ending::Capitals, "capitals"),
    (Ending::TurnLimit, "turn-limit"),
    (Ending::EarlyStop, "early-stop"),
    (Ending::RoundCap, "round-cap"),
];

impl Phase {
    /// The phases that wait for a player, in the order of a game.
    pub const ASKING: [Phase; 8] = [
        Phase::Claim,
        Phase::Setup,
        Phase::Capital,
        Phase::Trade,
        Phase::Reinforce,
        Phase::Attack,
        Phase::Occupy,
        Phase::Fortify,
    ];

    /// The phase as one lower-case word.
    pub fn name(self) -> &'static str {
        name_in(&PHASES, self)
    }

    /// The phase with this name.
    pub fn from_name(name: &str) -> Option<Phase> {
        value_in(&PHASES, name)
    }
}

impl Ending {
    /// Every ending.
    pub fn all() -> impl Iterator<Item = Ending> {
        ENDINGS.into_iter().map(|(ending, _)| ending)
    }

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
        self.setup().to_string()
    }

    /// Reads a state of this game from text.
    ///
    /// # Errors
    ///
    /// All parts that cannot be read or do not fit the game; if there are none,
    /// all contradictions.
    pub fn from_position(game: &Arc<Game>, text: &str) -> Result<State, PositionError> {
        let (setup, mut faults) = Setup::read(text);
        if faults.is_empty() {
            return State::new(game, &setup);
        }
        // What of the board could not be read was told already.
        if !setup.board.is_empty() {
            faults.extend(setup.missing_or_extra_territories(game));
        }
        faults.extend(setup.misfits(game));
        Err(PositionError { faults })
    }
}

/// The notation of a position.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("board=")?;
        for &(owner, armies) in &self.board {
            write!(f, "{}{armies}", owner_letter(owner))?;
        }
        write!(f, " phase={} player={}", self.phase.name(), self.player)?;
        self.write_counters(f)?;
        self.write_seats(f)
    }
}

/// Reads the notation of a position.
impl FromStr for Setup {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Setup, PositionError> {
        let (setup, faults) = Setup::read(text);
        if faults.is_empty() {
            Ok(setup)
        } else {
            Err(PositionError { faults })
        }
    }
}

impl Setup {
    fn write_counters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("first", u32::from(u8::from(self.first))),
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
            write!(f, " {name}={number}")?;
        }
        if let Some((from, to, with)) = self.front {
            write!(f, " front={from}>{to}x{with}")?;
        }
        if let Some(last) = self.last {
            write!(f, " last={last}")?;
        }
        if let Some(ending) = self.ending {
            write!(f, " ending={}", ending.name())?;
        }
        for (territory, arrived) in &self.arrived {
            write!(f, " arrived={territory}x{arrived}")?;
        }
        Ok(())
    }

    fn write_seats(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for seat in PlayerId::seats(MAX_PLAYERS) {
            if self.reserve[seat] > 0 {
                write!(f, " reserve={seat}x{}", self.reserve[seat])?;
            }
            if let Some(capital) = self.capitals[seat] {
                write!(f, " capital={seat}@{capital}")?;
            }
            if let Some(mission) = self.missions[seat] {
                write!(f, " mission={seat}@{mission}")?;
            }
            if let Some(Elimination { order, by }) = self.eliminations[seat] {
                write!(f, " out={seat}@{order}.{by}")?;
            }
            if !self.hands[seat].is_empty() {
                write!(f, " hand={seat}@{}", hand_text(self.hands[seat]))?;
            }
        }
        if !self.discard.is_empty() {
            write!(f, " discard={}", hand_text(self.discard))?;
        }
        Ok(())
    }

    /// The readable parts of a text, and a sentence for each unreadable one.
    fn read(text: &str) -> (Setup, Vec<String>) {
        let mut setup = Setup::default();
        let mut faults = Vec::new();
        let mut told: Vec<(&str, &str)> = Vec::new();
        for part in text.split_whitespace() {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let subject = (key, subject(key, value));
            if setup.read_part(key, value).is_none() {
                let part = Quoted(part);
                faults.push(format!("the position cannot be read at {part}"));
            } else if told.contains(&subject) {
                let part = Quoted(part);
                faults.push(format!(
                    "the position tells a second time what {part} tells"
                ));
            }
            told.push(subject);
        }
        for needed in ["board", "phase"] {
            if !told.iter().any(|(key, _)| *key == needed) {
                faults.push(format!("the position has no {needed}"));
            }
        }
        (setup, faults)
    }

    fn read_part(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "board" => self.board = read_board(value)?,
            "phase" => self.phase = value_in(&PHASES, value)?,
            "player" => self.player = read_seat(value)?,
            "first" => self.first = read_seat(value)?,
            "round" => self.round = parse_number(value)?,
            "actions" => self.actions = parse_number(value)?,
            "traded" => self.n_traded = parse_number(value)?,
            "place" => self.to_place = parse_number(value)?,
            "neutral" => self.neutral_to_place = parse_number(value)?,
            "neutral-reserve" => self.neutral_reserve = parse_number(value)?,
            "conquered" => self.conquered = read_switch(value)?,
            "mid-turn" => self.mid_turn = read_switch(value)?,
            "winners" => self.winners = u8::try_from(parse_number(value)?).ok()?,
            "ending" => self.ending = Some(value_in(&ENDINGS, value)?),
            "last" => self.last = Some(parse_territory(value)?),
            "discard" => self.discard = read_hand(value)?,
            "front" => {
                let (from, rest) = value.split_once('>')?;
                let (to, with) = rest.split_once('x')?;
                let (from, to) = (parse_territory(from)?, parse_territory(to)?);
                self.front = Some((from, to, parse_number(with)?));
            }
            "arrived" => {
                let (territory, n) = value.split_once('x')?;
                let n = u16::try_from(parse_number(n)?).ok()?;
                self.arrived.insert(parse_territory(territory)?, n);
            }
            "reserve" => {
                let (seat, n) = value.split_once('x')?;
                self.reserve[read_seat(seat)?] = parse_number(n)?;
            }
            _ => return self.read_seat_part(key, value),
        }
        Some(())
    }

    fn read_seat_part(&mut self, key: &str, value: &str) -> Option<()> {
        let (seat, value) = value.split_once('@')?;
        let seat = read_seat(seat)?;
        match key {
            "capital" => self.capitals[seat] = Some(parse_territory(value)?),
            "mission" => self.missions[seat] = Some(u8::try_from(parse_number(value)?).ok()?),
            "hand" => self.hands[seat] = read_hand(value)?,
            "out" => {
                let (order, by) = value.split_once('.')?;
                let order = u8::try_from(parse_number(order)?).ok()?;
                let by = read_seat(by)?;
                self.eliminations[seat] = Some(Elimination { order, by });
            }
            _ => return None,
        }
        Some(())
    }
}

/// The seat or territory that a part is about, where there may be one part for each.
fn subject<'a>(key: &str, value: &'a str) -> &'a str {
    match key {
        "arrived" | "reserve" => value.split('x').next().unwrap_or(value),
        _ => value.split_once('@').map_or("", |(seat, _)| seat),
    }
}

fn read_seat(text: &str) -> Option<PlayerId> {
    let index = parse_number(text)? as usize;
    (index < MAX_PLAYERS).then(|| PlayerId::new(index))
}

fn read_switch(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn owner_letter(owner: PlayerId) -> char {
    match owner {
        PlayerId::NEUTRAL => 'n',
        PlayerId::NOBODY => '-',
        seat => char::from(b'a' + u8::from(seat)),
    }
}

fn letter_owner(letter: char) -> Option<PlayerId> {
    match letter {
        'n' => Some(PlayerId::NEUTRAL),
        '-' => Some(PlayerId::NOBODY),
        'a'..='f' => Some(PlayerId::new(letter as usize - 'a' as usize)),
        _ => None,
    }
}

fn read_board(text: &str) -> Option<Vec<(PlayerId, u32)>> {
    let mut board = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let owner = letter_owner(letter)?;
        rest = &rest[1..];
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        board.push((owner, parse_number(&rest[..n_digits])?));
        if board.len() > MAX_TERRITORIES {
            return None;
        }
        rest = &rest[n_digits..];
    }
    Some(board)
}

fn hand_text(hand: Hand) -> String {
    let cards: Vec<String> = hand.cards().map(|card| card.to_string()).collect();
    cards.join(".")
}

fn read_hand(text: &str) -> Option<Hand> {
    let mut hand = Hand::default();
    for part in text.split('.') {
        let card = parse_card(part)?;
        let is_new = card == Card::Wild || !hand.contains(card);
        (is_new && hand.wilds < u8::MAX).then(|| hand.insert(card))?;
    }
    Some(hand)
}
