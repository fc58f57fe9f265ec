//! What a table does about its people: who is waited for and how long, what they decide about the
//! seats, and the clock.

use hegemon_core::{Node, PlayerId};
use tokio::time::Instant;

use super::Host;
use crate::clock::{Pace, Turn};
use crate::command::CommandError;
use crate::company::{Company, SeatCommand};
use crate::seats::Hands;

/// Who is asked for a move, at which moment of the game.
pub(super) type Question = (PlayerId, u64);

impl Host {
    /// A person is asked for a move. Every move begins the time anew after which they count as idle;
    /// a page that is loaded again does not.
    pub(super) fn ask(&mut self, player: PlayerId) {
        let question = (player, self.session.seq());
        if self.asked.is_none_or(|(before, _)| before != question) {
            self.asked = Some((question, Instant::now() + self.house.idle));
            self.board.show_idle(None);
        }
    }

    /// A bot moves: nobody is idle.
    pub(super) fn ask_nobody(&mut self) {
        if self.asked.take().is_some() {
            self.board.show_idle(None);
        }
    }

    /// When who is asked counts as idle; `None` if they are away or do already.
    pub(super) fn idle_at(&self) -> Option<Instant> {
        let ((player, _), at) = self.asked?;
        let company = self.company.borrow();
        let one = &company.occupants()[player.index()];
        (one.connection.is_some() && !one.is_idle).then_some(at)
    }

    /// The time of a turn is over: a bot finishes it, or plays on for somebody who
    /// is away.
    pub(super) async fn end_time(&mut self, player: PlayerId) {
        self.clock.run_down();
        let mut company = self.company.borrow().clone();
        let note = if company.connection(player).is_some() {
            let name = &company.names()[player.index()];
            format!("The time of {name} is up; a bot finishes the turn.")
        } else {
            let note = company.let_stand_in(player);
            if self.change(company).await.is_err() {
                return;
            }
            note
        };
        self.notes.push((player, note));
    }

    /// Gives the turn its time, and shows it.
    pub(super) fn wind_clock(&mut self) {
        let state = self.session.state();
        let turn = match state.node() {
            // The turn goes on when chance has answered.
            Node::Chance => return,
            Node::Decision(player) if self.session.stopped().is_none() => {
                Some((player, state.round()))
            }
            _ => None,
        };
        self.clock.wind(turn, self.pace(turn));
        self.board.show_clock(self.clock.face());
    }

    /// What the clock is to do in a turn.
    fn pace(&self, turn: Option<Turn>) -> Pace {
        let company = self.company.borrow();
        let is_persons = turn.is_some_and(|(player, _)| company.waits_for(player));
        match is_persons && company.has_people() {
            false => Pace::Stand,
            true if company.is_complete() => Pace::Run,
            true => Pace::Wait,
        }
    }

    /// Notes who is back and plays again, or has come for the first time.
    pub(super) async fn notice_returns(&mut self) {
        let seats = self.company.borrow_and_update().seats();
        if seats == self.seats {
            return;
        }
        for (n, (before, now)) in self.seats.iter().zip(&seats).enumerate() {
            if before.hands == Hands::StandIn && now.hands == Hands::Own {
                let note = format!("{} is back.", now.name);
                self.notes.push((PlayerId::new(n), note));
            }
        }
        self.seats.clone_from(&seats);
        // If it is not stored, a person who comes back after a restart takes over again.
        let number = self.card.stored.number;
        let _ = self.house.store.change_seats(number, seats).await;
    }

    /// Stores what was decided about the seats, then shows it.
    async fn change(&mut self, decided: Company) -> Result<(), CommandError> {
        let number = self.card.stored.number;
        let seats = decided.seats();
        // Votes are not stored.
        if seats != self.board.seats() {
            let stored = self.house.store.change_seats(number, seats.clone());
            stored.await.map_err(|_| CommandError::Unstored)?;
        }
        self.session.rename(decided.names());
        self.seats = seats;
        self.board.adopt(&decided);
        Ok(())
    }

    /// Carries out a command about the seats.
    pub(super) async fn fulfil(
        &mut self,
        seat: PlayerId,
        command: &SeatCommand,
    ) -> Result<(), CommandError> {
        let mut company = self.company.borrow().clone();
        let was_introduced = company.is_introduced(seat);
        let note = company.grant(seat, command, self.house.grace)?;
        if !was_introduced && company.is_introduced(seat) {
            // Nobody loses time to a name that is still being typed.
            self.clock.begin_anew();
        }
        self.change(company).await?;
        self.notes.extend(note);
        Ok(())
    }
}
