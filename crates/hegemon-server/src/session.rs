//! A game that goes on: its state, its streams of chance and what happened
//! since it was last stored. No clock, no bot, no wire.

use std::collections::VecDeque;
use std::sync::Arc;

use hegemon_arena::Played;
use hegemon_core::rules::Attack;
use hegemon_core::{Event, Move, Node, Phase, PlayerId, State, Streams, Termination, TerritoryId};

use crate::entry::LogEntry;
use crate::narrator::{ImpossibleError, Narrator};
use crate::wire::GameEvent;

/// Cost of a battle, as [`battle_cost`] has it, that takes milliseconds.
const LONG: u64 = 300 * 300;

/// Steps that it takes to find the law of the pending battle, where one is
/// pending whose law must be found as a whole.
pub(crate) fn battle_cost(state: &State) -> u64 {
    let is_whole = state.game().rules().battle.attack == Attack::BalancedBlitz;
    match state.front() {
        Some((_, to)) if is_whole && state.phase() == Phase::Battle => {
            u64::from(state.attacking_with()) * u64::from(state.board().armies(to))
        }
        _ => 0,
    }
}

/// A running game.
#[derive(Debug)]
pub(crate) struct Session {
    narrator: Narrator,
    streams: Streams,
    seed: u64,
    news: Vec<(LogEntry, GameEvent)>,
    /// What bots that watch have not been told yet; none if no bot does.
    witnessed: Option<VecDeque<Witnessed>>,
}

/// An event with the state before it.
pub(crate) type Witnessed = Arc<(State, Event)>;

/// Events that are kept for bots that watch; older ones are forgotten.
pub(crate) const MAX_WITNESSED: usize = 200;

/// Why a log is not that of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq} of the log is wrong: {error}")]
pub(crate) struct RestoreError {
    /// Number of the entry.
    pub seq: u64,
    /// What is wrong.
    pub error: ImpossibleError,
}

/// Why a move is refused; the game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MoveError {
    /// It is not legal.
    #[error("{0} is not a legal move here.")]
    Illegal(String),
    /// The game does not wait for this seat.
    #[error("It is not your turn.")]
    NotYourTurn,
}

impl Session {
    /// A game before its first event.
    pub(crate) fn new(start: State, names: Arc<[String]>, seed: u64) -> Session {
        Session {
            narrator: Narrator::new(start, names, seed),
            streams: Streams::new(seed),
            seed,
            news: Vec::new(),
            witnessed: None,
        }
    }

    /// The same game, remembered for bots that watch.
    pub(crate) fn watched(mut self, is_watched: bool) -> Session {
        self.witnessed = is_watched.then(VecDeque::new);
        self
    }

    /// A game as its log left it.
    ///
    /// # Errors
    ///
    /// If the log is not that of a game.
    pub(crate) fn restore(
        start: State,
        names: Arc<[String]>,
        seed: u64,
        log: &[LogEntry],
        is_watched: bool,
    ) -> Result<Session, RestoreError> {
        let mut session = Session::new(start, names, seed).watched(is_watched);
        for entry in log {
            // Drawing again moves the streams on to where they were.
            if let LogEntry::Event(Event::Outcome(_)) = entry
                && session.state().node() == Node::Chance
            {
                session.streams.draw(session.narrator.state());
            }
            session.witness(entry);
            session
                .narrator
                .apply(entry)
                .map_err(|error| RestoreError {
                    seq: session.seq() + 1,
                    error,
                })?;
        }
        Ok(session)
    }

    /// Players are called this from now on.
    pub(crate) fn rename(&mut self, names: Vec<String>) {
        self.narrator.rename(names.into());
    }

    /// The state now.
    pub(crate) fn state(&self) -> &State {
        self.narrator.state()
    }

    /// Number of the last event.
    pub(crate) fn seq(&self) -> u64 {
        self.narrator.seq()
    }

    /// How the game stopped, if it has.
    pub(crate) fn stopped(&self) -> Option<Played> {
        Played::of(self.state(), Termination::of(self.state())?, self.seed)
    }

    /// What happened since this was last asked.
    pub(crate) fn take_news(&mut self) -> Vec<(LogEntry, GameEvent)> {
        std::mem::take(&mut self.news)
    }

    /// Whether something happened since the news were last taken.
    pub(crate) fn has_news(&self) -> bool {
        !self.news.is_empty()
    }

    /// Plays a move of a seat; chance has not answered yet.
    ///
    /// # Errors
    ///
    /// If the game does not wait for the seat or the move is not legal.
    pub(crate) fn play(&mut self, seat: PlayerId, mv: Move) -> Result<(), MoveError> {
        self.enter(seat, mv, LogEntry::Event(Event::Move(mv)))
    }

    /// The same of a bot that plays for a person.
    ///
    /// # Errors
    ///
    /// As [`Session::play`].
    pub(crate) fn stand_in(&mut self, seat: PlayerId, mv: Move) -> Result<(), MoveError> {
        self.enter(seat, mv, LogEntry::StandIn(mv))
    }

    fn enter(&mut self, seat: PlayerId, mv: Move, entry: LogEntry) -> Result<(), MoveError> {
        self.check_turn(seat)?;
        self.push(entry)
            .map_err(|_| MoveError::Illegal(mv.to_string()))
    }

    /// Attacks once on the way to at most `until` armies in `from`.
    ///
    /// # Errors
    ///
    /// If the attack is not legal.
    pub(crate) fn attack(
        &mut self,
        seat: PlayerId,
        from: TerritoryId,
        to: TerritoryId,
        until: u32,
    ) -> Result<(), MoveError> {
        self.check_turn(seat)?;
        let mv = self.strongest_attack(from, to, until);
        self.play(seat, mv)
    }

    /// Whether there are more than `until` armies left for another attack.
    pub(crate) fn has_left(&self, from: TerritoryId, until: u32) -> bool {
        self.is_fought_in_rounds() && self.state().board().armies(from) > until.max(1)
    }

    /// Writes down something beside the game.
    pub(crate) fn note(&mut self, seat: PlayerId, text: String) {
        let seat = seat.index();
        // A note about a seat of the game is always possible.
        let _ = self.push(LogEntry::Note { seat, text });
    }

    /// Applies chance outcomes until a player decides or the game ends;
    /// at most `most` outcomes, and none after the first that takes long.
    pub(crate) fn settle(&mut self, most: usize) {
        for n in 0..most {
            if self.state().node() != Node::Chance || (n > 0 && self.takes_long()) {
                return;
            }
            let outcome = self.streams.draw(self.narrator.state());
            if self.push(LogEntry::Event(Event::Outcome(outcome))).is_err() {
                return;
            }
        }
    }

    /// Whether the next outcome takes long to draw.
    pub(crate) fn takes_long(&self) -> bool {
        battle_cost(self.state()) > LONG
    }

    /// Whether an attack decides only a part of a battle.
    fn is_fought_in_rounds(&self) -> bool {
        let attack = self.state().game().rules().battle.attack;
        matches!(attack, Attack::Roll | Attack::Groups)
    }

    fn is_roll(&self) -> bool {
        self.state().game().rules().battle.attack == Attack::Roll
    }

    fn strongest_attack(&self, from: TerritoryId, to: TerritoryId, until: u32) -> Move {
        let range = self.state().attack_range(from);
        let armies = self.state().board().armies(from);
        let with = if self.is_roll() {
            *range.end()
        } else {
            // Who fights to the end keeps the others out of it.
            let most = armies.saturating_sub(until.max(1));
            most.max(*range.start()).min(*range.end())
        };
        Move::Attack { from, to, with }
    }

    fn check_turn(&self, seat: PlayerId) -> Result<(), MoveError> {
        let is_turn = self.state().node() == Node::Decision(seat);
        is_turn.then_some(()).ok_or(MoveError::NotYourTurn)
    }

    /// What happened since this was last asked, for bots that watch.
    pub(crate) fn take_witnessed(&mut self) -> impl Iterator<Item = Witnessed> + use<> {
        let witnessed = self.witnessed.as_mut().map(std::mem::take);
        witnessed.unwrap_or_default().into_iter()
    }

    fn witness(&mut self, entry: &LogEntry) {
        if let (Some(witnessed), Some(event)) = (&mut self.witnessed, entry.event()) {
            if witnessed.len() == MAX_WITNESSED {
                witnessed.pop_front();
            }
            witnessed.push_back(Arc::new((self.narrator.state().clone(), event)));
        }
    }

    fn push(&mut self, entry: LogEntry) -> Result<(), ImpossibleError> {
        self.witness(&entry);
        let told = self.narrator.tell(&entry).inspect_err(|_| {
            // It did not happen.
            self.witnessed.as_mut().and_then(VecDeque::pop_back);
        })?;
        self.news.push((entry, told));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hegemon_core::rules::{InitialArmies, Placement};
    use hegemon_core::{Game, Map, Rules};

    fn session(change: impl FnOnce(&mut Rules)) -> Session {
        let mut rules = Rules::preset("lux").expect("shipped");
        change(&mut rules);
        let map = Map::builtin("duel6").expect("shipped");
        let game = Game::new(map, rules, 2).expect("a game");
        let names: Vec<String> = ["Ann", "Bo"].map(str::to_owned).into();
        Session::new(game.start(), names.into(), 5)
    }

    /// A deal of sixty thousand events held up everybody for seconds once.
    #[test]
    fn chance_brings_no_more_at_a_time_than_it_may() {
        let mut session = session(|rules| {
            rules.initial_armies = InitialArmies::ByPlayers([30_000; 5]);
            rules.placement = Placement::Scatter;
        });
        session.settle(256);
        assert_eq!(session.take_news().len(), 256);
        assert_eq!(session.state().node(), Node::Chance);
    }

    #[test]
    fn a_battle_that_takes_long_is_known_before_it_is_fought() {
        for (armies, is_long) in [(30_000, true), (30, false)] {
            let mut session = session(|rules| {
                rules.initial_armies = InitialArmies::ByPlayers([armies; 5]);
                rules.placement = Placement::Even;
                rules.battle.attack = Attack::BalancedBlitz;
            });
            session.settle(1000);
            while session.state().phase() != Phase::Battle {
                assert!(!session.takes_long());
                let moves = session.state().legal_moves();
                let is_attack = |mv: &&Move| matches!(mv, Move::Attack { .. });
                let mv = *moves.iter().find(is_attack).unwrap_or(&moves[0]);
                let player = session.state().player();
                session.play(player, mv).expect("a legal move");
            }
            assert_eq!(session.takes_long(), is_long, "{armies} armies");
        }
    }
}
