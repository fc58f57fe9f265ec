//! The people at a table: what they are called, who is here, and who makes the
//! moves of those who are not.

use std::collections::BTreeSet;
use std::time::Duration;

use hegemon_core::{PlayerId, State};
use tokio::time::Instant;

use crate::seats::{Hands, Seat, fitting_name};

/// The bot that plays for people who are away or have resigned.
pub(crate) const STAND_IN: &str = "killbot";

/// Colours that a player may choose from, by number; the page has their names.
pub(crate) const N_COLORS: usize = 6;

/// What a person asks about the seats, whoever is to move.
#[derive(Clone, Debug)]
pub(crate) enum SeatCommand {
    /// To be called this and to have this colour.
    Introduce {
        name: String,
        /// The colour.
        color: usize,
    },
    /// To let a bot play the rest of the game.
    Resign,
    /// To play again, where a bot plays for somebody who is here.
    Return,
    /// That a bot plays for somebody who is away, or leaves a move unmade.
    Replace {
        /// Whose seat it is.
        seat: usize,
    },
}

/// Why a command is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub(crate) enum SeatCommandError {
    #[error("{0}")]
    Name(String),
    #[error("Somebody else is called {0}.")]
    NameTaken(String),
    #[error("The message is wrong at \"color\": there are {N_COLORS} colours.")]
    NoColor,
    #[error("Somebody else has that colour.")]
    ColorTaken,
    #[error("The message is wrong at \"seat\": no person sits there.")]
    NoPerson,
    #[error("{0} is here.")]
    IsHere(String),
    #[error("{0} has only just left; wait a few seconds.")]
    JustLeft(String),
    #[error("{0} is out of the game.")]
    Eliminated(String),
    #[error("A bot plays there already.")]
    HasStandIn,
    #[error("You have resigned.")]
    Resigned,
}

impl SeatCommandError {
    /// The error as one word.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            SeatCommandError::Name(_) | SeatCommandError::NameTaken(_) => "bad-name",
            SeatCommandError::NoColor | SeatCommandError::ColorTaken => "bad-color",
            SeatCommandError::NoPerson => "no-person",
            SeatCommandError::IsHere(_) => "is-here",
            SeatCommandError::JustLeft(_) => "just-left",
            SeatCommandError::Eliminated(_) => "eliminated",
            SeatCommandError::HasStandIn => "has-stand-in",
            SeatCommandError::Resigned => "resigned",
        }
    }
}

/// Who sits at a seat.
#[derive(Clone, Debug)]
pub(crate) struct Occupant {
    /// The seat as it is stored.
    pub seat: Seat,
    /// The connection that holds it.
    pub connection: Option<u64>,
    /// When somebody last left it, or since when the game is in memory.
    pub left: Instant,
    /// Seats of those who want a bot to play here.
    pub votes: BTreeSet<usize>,
    /// Whether they have said who they are since the game is in memory.
    pub is_introduced: bool,
    /// Whether they are here and have left a move unmade for long.
    pub is_idle: bool,
    /// Whether they have lost their last territory.
    pub is_eliminated: bool,
}

impl Occupant {
    /// Whether a person is here to play.
    fn is_present(&self) -> bool {
        self.seat.waits_for_person() && self.connection.is_some()
    }
}

/// Everybody at a table, by seat.
#[derive(Clone, Debug)]
pub(crate) struct Company(Vec<Occupant>);

impl Company {
    /// Nobody is here yet.
    pub(crate) fn new(seats: &[Seat], state: &State) -> Company {
        let occupant = |seat: &Seat| Occupant {
            seat: seat.clone(),
            connection: None,
            left: Instant::now(),
            votes: BTreeSet::new(),
            is_introduced: false,
            is_idle: false,
            is_eliminated: false,
        };
        let mut company = Company(seats.iter().map(occupant).collect());
        company.show_eliminated(state);
        company
    }

    /// Takes over who has lost their last territory; false if nothing is new.
    pub(crate) fn show_eliminated(&mut self, state: &State) -> bool {
        let mut is_new = false;
        for (one, player) in self.0.iter_mut().zip(state.game().seats()) {
            is_new |= one.is_eliminated == state.is_alive(player);
            one.is_eliminated = !state.is_alive(player);
        }
        is_new
    }

    /// This player leaves a move unmade, and nobody else does; false if nothing is new. Whoever
    /// moves has no votes against them any longer.
    pub(crate) fn show_idle(&mut self, idle: Option<PlayerId>) -> bool {
        let mut is_new = false;
        for (n, one) in self.0.iter_mut().enumerate() {
            let is_idle = idle.is_some_and(|player| player.index() == n);
            if one.is_idle && !is_idle && one.connection.is_some() {
                one.votes.clear();
            }
            is_new |= one.is_idle != is_idle;
            one.is_idle = is_idle;
        }
        is_new
    }

    /// By seat.
    pub(crate) fn occupants(&self) -> &[Occupant] {
        &self.0
    }

    /// The seats as they are to be stored.
    pub(crate) fn seats(&self) -> Vec<Seat> {
        self.0.iter().map(|one| one.seat.clone()).collect()
    }

    /// Names by seat.
    pub(crate) fn names(&self) -> Vec<String> {
        self.0.iter().map(|one| one.seat.name.clone()).collect()
    }

    /// The connection that holds a seat.
    pub(crate) fn connection(&self, seat: PlayerId) -> Option<u64> {
        self.0[seat.index()].connection
    }

    /// Whether anybody holds a seat.
    pub(crate) fn is_seated(&self) -> bool {
        self.0.iter().any(|one| one.connection.is_some())
    }

    /// Whether a person is here to play.
    pub(crate) fn has_people(&self) -> bool {
        self.0.iter().any(Occupant::is_present)
    }

    /// Whether everybody has been here who is invited and still in the game.
    pub(crate) fn is_complete(&self) -> bool {
        let is_missed = |one: &Occupant| one.seat.is_awaited && one.seat.waits_for_person();
        !self
            .0
            .iter()
            .any(|one| is_missed(one) && !one.is_eliminated)
    }

    /// Whether a person has said who they are.
    pub(crate) fn is_introduced(&self, seat: PlayerId) -> bool {
        self.0[seat.index()].is_introduced
    }

    /// Whether a person takes part who has not resigned.
    pub(crate) fn has_players(&self) -> bool {
        let mut seats = self.0.iter().map(|one| &one.seat);
        seats.any(|seat| seat.is_person() && seat.hands != Hands::Resigned)
    }

    /// Whether a person makes the moves of a seat.
    pub(crate) fn waits_for(&self, seat: PlayerId) -> bool {
        self.0[seat.index()].seat.waits_for_person()
    }

    /// A connection takes a seat; whoever held it before loses it. A bot that
    /// stood in hands it back.
    pub(crate) fn sit_down(&mut self, seat: PlayerId, connection: u64) {
        let one = &mut self.0[seat.index()];
        one.connection = Some(connection);
        one.is_idle = false;
        one.votes.clear();
        one.seat.is_awaited = false;
        if one.seat.hands == Hands::StandIn {
            one.seat.hands = Hands::Own;
        }
    }

    /// A connection leaves its seat; false if it did not hold it.
    pub(crate) fn stand_up(&mut self, seat: PlayerId, connection: u64) -> bool {
        let one = &mut self.0[seat.index()];
        let leaves = one.connection == Some(connection);
        if leaves {
            one.connection = None;
            one.left = Instant::now();
        }
        leaves
    }

    /// Takes over what was decided and stored, while people may have come and gone.
    pub(crate) fn adopt(&mut self, decided: &Company) {
        for (now, decided) in self.0.iter_mut().zip(&decided.0) {
            // Somebody may be replaced while they are here; only who came since then is back.
            let has_come = now.connection.is_some() && now.connection != decided.connection;
            let is_back = has_come && decided.seat.hands == Hands::StandIn;
            let is_awaited = now.seat.is_awaited;
            now.seat = decided.seat.clone();
            now.seat.is_awaited &= is_awaited;
            now.votes.clone_from(&decided.votes);
            now.is_introduced |= decided.is_introduced;
            now.is_idle &= decided.is_idle;
            if is_back {
                now.seat.hands = Hands::Own;
                now.votes.clear();
            }
        }
    }

    /// Lets a bot play for somebody who is away or does not move, and says so.
    pub(crate) fn let_stand_in(&mut self, seat: PlayerId) -> String {
        let one = &mut self.0[seat.index()];
        one.seat.hands = Hands::StandIn;
        one.votes.clear();
        one.is_idle = false;
        let name = &one.seat.name;
        match one.connection {
            Some(_) => {
                format!("{name} does not move; a bot plays on for them until they are back.")
            }
            None => format!("{name} is away; a bot plays on for them until they are back."),
        }
    }

    /// Carries out a command of a seat; who is away for less than `grace` is waited for. The
    /// sentence is for the log of the game, about the seat beside it.
    ///
    /// # Errors
    ///
    /// If it is refused; nothing changes.
    pub(crate) fn grant(
        &mut self,
        seat: PlayerId,
        command: &SeatCommand,
        grace: Duration,
    ) -> Result<Option<(PlayerId, String)>, SeatCommandError> {
        if self.0[seat.index()].seat.hands == Hands::Resigned {
            return Err(SeatCommandError::Resigned);
        }
        match command {
            SeatCommand::Introduce { name, color } => {
                self.introduce(seat.index(), name, *color)?;
                Ok(None)
            }
            SeatCommand::Resign => {
                let one = &mut self.0[seat.index()].seat;
                one.hands = Hands::Resigned;
                let note = format!("{} resigns; a bot plays on.", one.name);
                Ok(Some((seat, note)))
            }
            SeatCommand::Return => {
                let one = &mut self.0[seat.index()].seat;
                let was_replaced = one.hands == Hands::StandIn;
                one.hands = Hands::Own;
                let note = format!("{} is back.", one.name);
                Ok(was_replaced.then_some((seat, note)))
            }
            SeatCommand::Replace { seat: away } => self.vote(seat.index(), *away, grace),
        }
    }

    fn introduce(&mut self, seat: usize, name: &str, color: usize) -> Result<(), SeatCommandError> {
        let name = fitting_name(name).map_err(SeatCommandError::Name)?;
        let others = || self.0.iter().enumerate().filter(|(n, _)| *n != seat);
        let is_called = |one: &Occupant| one.seat.name.to_lowercase() == name.to_lowercase();
        if others().any(|(_, one)| is_called(one)) {
            return Err(SeatCommandError::NameTaken(name));
        }
        if color >= N_COLORS {
            return Err(SeatCommandError::NoColor);
        }
        let own = self.color(seat);
        let rival = others().map(|(n, _)| n).find(|n| self.color(*n) == color);
        if let Some(rival) = rival {
            // A bot does not mind; it takes the colour that becomes free.
            if self.0[rival].seat.is_person() {
                return Err(SeatCommandError::ColorTaken);
            }
            self.0[rival].seat.color = Some(own);
        }
        self.0[seat].seat.name = name;
        self.0[seat].seat.color = Some(color);
        self.0[seat].is_introduced = true;
        Ok(())
    }

    /// The colour of a seat.
    pub(crate) fn color(&self, seat: usize) -> usize {
        self.0[seat].seat.color.unwrap_or(seat)
    }

    /// Those who decide whether a bot plays for somebody: whoever else is here and still in the
    /// game, or whoever else is here if all others are out of it.
    fn voters(&self, about: usize) -> BTreeSet<usize> {
        let here = || (0..self.0.len()).filter(|n| *n != about && self.0[*n].is_present());
        let playing: BTreeSet<usize> = here().filter(|n| !self.0[*n].is_eliminated).collect();
        match playing.is_empty() {
            true => here().collect(),
            false => playing,
        }
    }

    /// How many votes let a bot play for somebody.
    pub(crate) fn votes_needed(&self, about: usize) -> usize {
        self.voters(about).len() / 2 + 1
    }

    /// More than half of those who may vote decide.
    fn vote(
        &mut self,
        voter: usize,
        away: usize,
        grace: Duration,
    ) -> Result<Option<(PlayerId, String)>, SeatCommandError> {
        let one = self.0.get(away).filter(|one| one.seat.is_person());
        let one = one.ok_or(SeatCommandError::NoPerson)?;
        if one.is_eliminated {
            return Err(SeatCommandError::Eliminated(one.seat.name.clone()));
        }
        if !one.seat.waits_for_person() {
            return Err(SeatCommandError::HasStandIn);
        }
        if one.connection.is_some() && !one.is_idle {
            return Err(SeatCommandError::IsHere(one.seat.name.clone()));
        }
        // A page that is loaded again is no reason to lose a turn.
        if one.connection.is_none() && one.left.elapsed() < grace {
            return Err(SeatCommandError::JustLeft(one.seat.name.clone()));
        }
        let (voters, needed) = (self.voters(away), self.votes_needed(away));
        let votes = &mut self.0[away].votes;
        votes.insert(voter);
        votes.retain(|n| voters.contains(n));
        if votes.len() < needed {
            return Ok(None);
        }
        let away = PlayerId::new(away);
        Ok(Some((away, self.let_stand_in(away))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seats::SeatKind;
    use hegemon_core::{Game, Map, Rules};

    fn company(kinds: &[SeatKind]) -> Company {
        let seat = |(n, kind): (usize, &SeatKind)| Seat {
            kind: *kind,
            name: ["Ann", "Ben", "Cy", "Di"][n].to_owned(),
            spec: None,
            limit_ms: None,
            host_bot: None,
            token_hash: None,
            maker_hash: None,
            hands: Hands::Own,
            color: None,
            is_awaited: false,
        };
        let seats: Vec<Seat> = kinds.iter().enumerate().map(seat).collect();
        let letters = &"abcd"[..kinds.len()];
        Company::new(&seats, &owned_by(letters))
    }

    /// A small board of four players whose territories have these owners, in turn; who has none is out.
    fn owned_by(letters: &str) -> State {
        let map = Map::builtin("duel6").expect("shipped");
        let rules = Rules::preset("lux").expect("shipped");
        let game = Game::new(map, rules, 4).expect("a game");
        let owners = letters.chars().cycle().take(6);
        let board: String = owners.map(|owner| format!("{owner}1")).collect();
        let missing = (0..4).filter(|seat| !letters.contains(&"abcd"[*seat..=*seat]));
        let out: String = missing
            .enumerate()
            .map(|(order, seat)| format!(" out={seat}@{order}.0"))
            .collect();
        let text = format!("board={board} phase=attack player=0{out}");
        State::from_position(&game, &text).expect("a position")
    }

    const NOW: Duration = Duration::ZERO;
    const PEOPLE: [SeatKind; 4] = [SeatKind::Human; 4];

    fn player(n: usize) -> PlayerId {
        PlayerId::new(n)
    }

    #[test]
    fn a_bot_stands_in_after_most_of_those_present_want_it_and_hands_back() {
        let mut company = company(&PEOPLE);
        for n in [0, 1, 2] {
            company.sit_down(player(n), n as u64);
        }
        let replace = |seat| SeatCommand::Replace { seat };
        assert_eq!(
            company.grant(player(0), &replace(1), NOW),
            Err(SeatCommandError::IsHere("Ben".to_owned()))
        );
        assert_eq!(company.grant(player(0), &replace(3), NOW), Ok(None));
        // Once is enough for one person, however often it is said.
        assert_eq!(company.grant(player(0), &replace(3), NOW), Ok(None));
        assert!(company.waits_for(player(3)));
        let carried = company
            .grant(player(1), &replace(3), NOW)
            .expect("two of three");
        assert!(carried.is_some_and(|(seat, _)| seat == player(3)));
        assert!(!company.waits_for(player(3)));
        assert_eq!(
            company.grant(player(2), &replace(3), NOW),
            Err(SeatCommandError::HasStandIn)
        );
        company.sit_down(player(3), 9);
        assert!(company.waits_for(player(3)));
    }

    /// One of two once let a bot finish the turn of the other, whose page was
    /// loaded again.
    #[test]
    fn who_has_only_just_left_is_waited_for() {
        let mut company = company(&PEOPLE[..2]);
        company.sit_down(player(0), 0);
        company.sit_down(player(1), 1);
        company.stand_up(player(1), 1);
        let command = SeatCommand::Replace { seat: 1 };
        assert_eq!(
            company.grant(player(0), &command, Duration::from_secs(60)),
            Err(SeatCommandError::JustLeft("Ben".to_owned()))
        );
        assert!(company.waits_for(player(1)));
        let carried = company.grant(player(0), &command, NOW).expect("one of one");
        assert!(carried.is_some() && !company.waits_for(player(1)));
    }

    #[test]
    fn who_has_not_come_is_awaited_until_they_sit_down_or_a_bot_plays() {
        let mut awaited = company(&PEOPLE[..2]);
        awaited.0[1].seat.is_awaited = true;
        assert!(!awaited.is_complete());
        let mut replaced = awaited.clone();
        replaced.let_stand_in(player(1));
        assert!(replaced.is_complete());
        let decided = awaited.clone();
        awaited.sit_down(player(1), 7);
        awaited.adopt(&decided);
        assert!(awaited.is_complete(), "who came meanwhile has come");
    }

    /// Who was eliminated without ever having come once kept the clock of all others from running.
    #[test]
    fn nobody_waits_for_who_is_out_of_the_game() {
        let mut company = company(&PEOPLE);
        company.0[3].seat.is_awaited = true;
        company.sit_down(player(0), 0);
        assert!(!company.is_complete());
        assert!(company.show_eliminated(&owned_by("abc")));
        assert!(company.is_complete());
        assert!(!company.show_eliminated(&owned_by("abc")), "nothing is new");
        assert_eq!(
            company.grant(player(0), &SeatCommand::Replace { seat: 3 }, NOW),
            Err(SeatCommandError::Eliminated("Di".to_owned()))
        );
    }

    /// Who sat at the board and did nothing once blocked everybody.
    #[test]
    fn who_does_not_move_is_replaced_by_the_others_and_plays_again_when_they_say_so() {
        let mut company = company(&PEOPLE[..3]);
        for n in [0, 1, 2] {
            company.sit_down(player(n), n as u64);
        }
        let replace = SeatCommand::Replace { seat: 1 };
        assert_eq!(
            company.grant(player(0), &replace, NOW),
            Err(SeatCommandError::IsHere("Ben".to_owned()))
        );
        company.show_idle(Some(player(1)));
        assert_eq!(company.votes_needed(1), 2, "he does not vote himself");
        assert_eq!(company.grant(player(0), &replace, NOW), Ok(None));
        let mut moved = company.clone();
        assert!(
            moved.show_idle(None) && moved.0[1].votes.is_empty(),
            "he moved"
        );

        let mut decided = company.clone();
        let note = decided.grant(player(2), &replace, NOW).expect("two of two");
        assert!(note.is_some_and(|(_, text)| text.starts_with("Ben does not move")));
        let mut reloaded = company.clone();
        reloaded.sit_down(player(1), 9);
        reloaded.adopt(&decided);
        assert!(
            reloaded.waits_for(player(1)),
            "who has come since then is back"
        );
        company.adopt(&decided);
        assert!(!company.waits_for(player(1)), "though he is still here");
        let back = company.grant(player(1), &SeatCommand::Return, NOW);
        assert_eq!(back, Ok(Some((player(1), "Ben is back.".to_owned()))));
        assert!(company.waits_for(player(1)));
        let again = company.grant(player(1), &SeatCommand::Return, NOW);
        assert_eq!(again, Ok(None), "nothing to say twice");
    }

    #[test]
    fn who_is_out_of_the_game_decides_only_if_nobody_else_is_here() {
        let mut company = company(&PEOPLE);
        for n in [0, 1] {
            company.sit_down(player(n), n as u64);
        }
        company.show_eliminated(&owned_by("acd"));
        assert_eq!(company.votes_needed(3), 1, "Ann alone is in the game");
        company.stand_up(player(0), 0);
        assert_eq!(
            company.voters(3),
            BTreeSet::from([1]),
            "Ben would watch for ever"
        );
    }

    #[test]
    fn votes_of_those_who_left_do_not_count() {
        let mut company = company(&PEOPLE);
        for n in [0, 1, 2] {
            company.sit_down(player(n), n as u64);
        }
        let command = SeatCommand::Replace { seat: 3 };
        assert_eq!(company.grant(player(0), &command, NOW), Ok(None));
        assert!(company.stand_up(player(0), 0));
        assert_eq!(company.grant(player(1), &command, NOW), Ok(None));
        assert!(company.waits_for(player(3)));
    }

    #[test]
    fn who_came_back_meanwhile_is_not_replaced() {
        let mut now = company(&PEOPLE);
        let mut decided = now.clone();
        decided.let_stand_in(player(1));
        now.sit_down(player(1), 5);
        now.adopt(&decided);
        assert!(now.waits_for(player(1)));
        let mut resigned = now.clone();
        resigned
            .grant(player(1), &SeatCommand::Resign, NOW)
            .expect("may resign");
        now.adopt(&resigned);
        now.sit_down(player(1), 6);
        assert!(!now.waits_for(player(1)), "for good");
        assert_eq!(
            now.grant(player(1), &SeatCommand::Resign, NOW),
            Err(SeatCommandError::Resigned)
        );
    }

    #[test]
    fn who_has_resigned_plays_no_more() {
        let mut company = company(&[SeatKind::Human, SeatKind::Remote, SeatKind::Bot]);
        for seat in [0, 1] {
            assert!(company.has_players());
            let resigned = company.grant(player(seat), &SeatCommand::Resign, NOW);
            resigned.expect("may resign");
        }
        assert!(!company.has_players());
    }

    #[test]
    fn names_and_colours_are_ones_own() {
        let mut company = company(&[SeatKind::Human, SeatKind::Remote, SeatKind::Bot]);
        let introduce = |name: &str, color| SeatCommand::Introduce {
            name: name.to_owned(),
            color,
        };
        let ben = player(1);
        for (name, color, code) in [
            ("ann", 1, "bad-name"),
            ("", 1, "bad-name"),
            ("B\u{202e}en", 1, "bad-name"),
            ("Bert", 0, "bad-color"),
            ("Bert", 6, "bad-color"),
        ] {
            let error = company.grant(ben, &introduce(name, color), NOW);
            assert_eq!(error.expect_err(name).code(), code, "{name}");
        }
        company
            .grant(ben, &introduce(" Bert ", 2), NOW)
            .expect("a bot gives way");
        assert_eq!(company.names(), ["Ann", "Bert", "Cy"]);
        let colors: Vec<usize> = (0..3).map(|seat| company.color(seat)).collect();
        assert_eq!(colors, [0, 2, 1]);
    }
}
