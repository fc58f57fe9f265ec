//! A state as one line of text that reads back to an equal state.
//!
//! `board=a3b2a1 phase=attack player=0 ...`: for each territory in map order
//! the owner (`a` to `f`, `n` neutral, `-` nobody) and its armies; then only
//! the fields that differ from their usual value.

use std::fmt::Write as _;
use std::sync::Arc;

use thiserror::Error;

use crate::board::Board;
use crate::card::{Card, Hand};
use crate::game::Game;
use crate::ids::{PlayerId, TerritoryId};
use crate::moves::{parse_card, parse_number, parse_territory};
use crate::narrow::Narrow as _;
use crate::rules::{Fortify, Victory};
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

const ENDINGS: [(Ending, &str); 6] = [
    (Ending::Conquest, "conquest"),
    (Ending::Mission, "mission"),
    (Ending::Capitals, "capitals"),
    (Ending::TurnLimit, "turn-limit"),
    (Ending::EarlyStop, "early-stop"),
    (Ending::RoundCap, "round-cap"),
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
            ("first", self.first.index().narrow()),
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

    /// Refuses texts whose parts are readable but make no state that play could
    /// go on from.
    fn check_position(&self) -> Result<(), &'static str> {
        self.check_board()?;
        self.check_seats()?;
        self.check_cards()?;
        self.check_counters()?;
        self.check_setup()?;
        self.check_phase()
    }

    fn check_board(&self) -> Result<(), &'static str> {
        let free = self.board.owned(PlayerId::NOBODY);
        let conquered = (self.phase == Phase::Occupy).then_some(self.to);
        for territory in self.game.map().territories() {
            let empty = free.contains(territory) || conquered == Some(territory);
            match (self.board.armies(territory), empty) {
                (0, false) => return Err("a territory without armies"),
                (1.., true) => return Err("armies on an empty territory"),
                _ => {}
            }
        }
        if !free.is_empty() && self.phase > Phase::Claim {
            return Err("a territory without owner");
        }
        if !self.board.owned(PlayerId::NEUTRAL).is_empty() && !self.game.has_neutral() {
            return Err("a neutral army");
        }
        Ok(())
    }

    fn check_seats(&self) -> Result<(), &'static str> {
        if self.n_alive() < 2 && self.phase != Phase::Over {
            return Err("fewer than two players left");
        }
        // Only the owner of a territory just conquered may have lost the last
        // one; a second one would come to a turn with nothing to do it with.
        let landless = |&seat: &PlayerId| self.board.owned(seat).is_empty();
        if self.phase == Phase::Occupy && self.alive().filter(landless).count() > 1 {
            return Err("out");
        }
        for seat in self.game.seats() {
            let has_land = !self.board.owned(seat).is_empty();
            // Nobody has land before the start, and the owner of a territory
            // just conquered may have lost the last one.
            let must_have = !matches!(
                self.phase,
                Phase::First | Phase::Deal | Phase::Claim | Phase::Occupy
            );
            if has_land && !self.is_alive(seat) || must_have && !has_land && self.is_alive(seat) {
                return Err("out");
            }
            let mission = self.missions[seat].map(usize::from);
            let others = self.game.seats().filter(|&other| other != seat);
            let shared = |other: PlayerId| self.missions[other] == self.missions[seat];
            if mission.is_some_and(|number| number >= self.game.missions().len())
                || mission.is_some() && others.into_iter().any(shared)
            {
                return Err("mission");
            }
        }
        if !self.is_alive(self.player) {
            return Err("player");
        }
        Ok(())
    }

    fn check_cards(&self) -> Result<(), &'static str> {
        let deck = self.all_cards();
        let mut seen = self.discard.territories;
        let mut n_wilds = usize::from(self.discard.wilds);
        for hand in self.hands.as_slice() {
            if seen.intersects(hand.territories) {
                return Err("a card in two hands");
            }
            seen |= hand.territories;
            n_wilds += usize::from(hand.wilds);
        }
        if n_wilds > usize::from(deck.wilds) || !deck.territories.is_superset(seen) {
            return Err("more cards than the deck has");
        }
        if !self.game.rules().has_cards() && !seen.is_empty() {
            return Err("cards in a game without cards");
        }
        if self.game.rules().cards.return_at_once && !self.discard.is_empty() {
            return Err("discard");
        }
        Ok(())
    }

    /// Counts that no game reaches, or that would overflow.
    fn check_counters(&self) -> Result<(), &'static str> {
        const MOST: u32 = i32::MAX.cast_unsigned();
        if self.round.max(self.actions).max(self.n_traded) > MOST {
            return Err("a counter out of range");
        }
        let supply = u64::from(self.game.rules().supply);
        let neutral = u64::from(self.board.total_armies(PlayerId::NEUTRAL))
            + u64::from(self.neutral_reserve)
            + u64::from(self.neutral_to_place);
        let beyond = self.game.seats().any(|seat| {
            let held = self.board.total_armies(seat);
            let batch = if seat == self.player {
                self.to_place
            } else {
                0
            };
            u64::from(held) + u64::from(self.reserve[seat]) + u64::from(batch) > supply
        });
        if beyond || neutral > supply {
            return Err("more armies than the supply");
        }
        let may_have_arrived =
            self.phase == Phase::Fortify && self.game.rules().fortify == Fortify::ManyAdjacent;
        let wrong = |t: TerritoryId| match u32::from(self.arrived[t.index()]) {
            0 => false,
            arrived => !may_have_arrived || arrived > self.board.armies(t),
        };
        if self.game.map().territories().any(wrong) {
            return Err("arrived");
        }
        Ok(())
    }

    /// What is given out in the setup is there from its time on; what belongs
    /// to turns is not there before them.
    fn check_setup(&self) -> Result<(), &'static str> {
        let is_filled = matches!(self.phase, Phase::Mission | Phase::Scatter | Phase::Setup);
        let mut reserves = self
            .reserve
            .as_slice()
            .iter()
            .chain([&self.neutral_reserve]);
        if !is_filled && reserves.any(|&armies| armies > 0) {
            return Err("reserve");
        }
        if self.phase > Phase::Capital {
            return Ok(());
        }
        let no_cards = self.discard.is_empty() && self.hands.as_slice().iter().all(Hand::is_empty);
        if self.round > 0 || self.n_alive() < self.game.n_players() || !no_cards {
            return Err("phase");
        }
        let n = self.game.n_players();
        let turn_of = |seat: PlayerId| (seat.index() + n - self.first.index()) % n;
        let has_missions = self.game.rules().victory == Victory::Missions;
        for seat in self.game.seats() {
            let has_mission = has_missions
                && (self.phase > Phase::Mission
                    || self.phase == Phase::Mission && seat < self.player);
            let has_capital = self.phase == Phase::Capital && turn_of(seat) < turn_of(self.player);
            if self.missions[seat].is_some() != has_mission {
                return Err("mission");
            }
            if self.capitals[seat].is_some() != has_capital {
                return Err("capital");
            }
        }
        if self.phase <= Phase::Claim && !self.is_fairly_dealt() {
            return Err("a deal out of turn");
        }
        Ok(())
    }

    /// Whether everybody got a territory in turn, with one army.
    fn is_fairly_dealt(&self) -> bool {
        let n = self.game.n_players();
        let n_parties = n + usize::from(self.game.has_neutral());
        let free = self.board.n_owned(PlayerId::NOBODY);
        let n_dealt = self.game.map().n_territories() - free;
        let share = |turn: usize| (n_dealt + n_parties - 1 - turn) / n_parties;
        let got = |owner: PlayerId| (self.board.n_owned(owner), self.board.total_armies(owner));
        let in_turn = (0..n).map(|turn| PlayerId::new((self.first.index() + turn) % n));
        let turn = if self.phase == Phase::Claim {
            n_dealt
        } else {
            0
        };
        self.player.index() == (self.first.index() + turn) % n
            && in_turn
                .chain([PlayerId::NEUTRAL])
                .enumerate()
                .all(|(turn, owner)| {
                    let share = if turn < n_parties { share(turn) } else { 0 };
                    got(owner) == (share, share.narrow())
                })
    }

    fn check_phase(&self) -> Result<(), &'static str> {
        let free = self.board.owned(PlayerId::NOBODY);
        let (to_place, for_neutral) = (self.to_place > 0, self.neutral_to_place > 0);
        let over = self.phase == Phase::Over;
        if over != self.ending.is_some()
            || over != (self.winners > 0)
            || self.winners & !self.alive > 0
        {
            return Err("ending");
        }
        if self.mid_turn && !matches!(self.phase, Phase::Trade | Phase::Reinforce) {
            return Err("mid-turn");
        }
        if to_place && !matches!(self.phase, Phase::Setup | Phase::Trade | Phase::Reinforce) {
            return Err("place");
        }
        let neutral = !self.board.owned(PlayerId::NEUTRAL).is_empty();
        if for_neutral && (self.phase != Phase::Setup || !neutral)
            || self.neutral_reserve > 0 && !neutral
        {
            return Err("neutral");
        }
        let victory = self.game.rules().victory;
        let fits = match self.phase {
            Phase::First => free == self.game.map().all(),
            Phase::Deal | Phase::Claim => !free.is_empty(),
            Phase::Mission => victory == Victory::Missions,
            Phase::Scatter => self.scatter_owner().is_some(),
            Phase::Setup => to_place || for_neutral,
            Phase::Capital => matches!(victory, Victory::Capitals { .. }),
            Phase::Trade => self.game.rules().has_cards() && self.hands[self.player].has_set(),
            Phase::Reinforce => to_place,
            Phase::Battle | Phase::Occupy => self.has_sound_front(),
            Phase::Draw => self.game.rules().has_cards() && !self.deck().is_empty(),
            Phase::Attack | Phase::Fortify | Phase::Over => true,
        };
        if fits { Ok(()) } else { Err("phase") }
    }

    fn has_sound_front(&self) -> bool {
        let is_mine = |t: TerritoryId| self.board.owner(t) == self.player;
        let force = if self.phase == Phase::Battle {
            self.attack_range(self.from)
        } else {
            1..=self.most_to_move_in()
        };
        is_mine(self.from)
            && is_mine(self.to) == (self.phase == Phase::Occupy)
            && self.game.map().are_neighbors(self.from, self.to)
            && force.contains(&self.with)
    }
}

fn owner_letter(owner: PlayerId) -> char {
    match owner {
        PlayerId::NEUTRAL => 'n',
        PlayerId::NOBODY => '-',
        seat => char::from(b'a' + u8::from(seat)),
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
        if armies > u32::from(game.rules().supply) {
            return None;
        }
        board.change_owner(territory, owner);
        board.add_armies(territory, armies);
        rest = &rest[n_digits..];
    }
    rest.is_empty().then_some(board)
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
