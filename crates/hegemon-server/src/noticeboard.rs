//! What all may see of a game: the state and the events that are stored, everybody
//! at the table, the clock, and what people say.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hegemon_core::{PlayerId, State};
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;

use crate::clock::ClockFace;
use crate::company::Company;
use crate::game_card::GameCard;
use crate::seats::Seat;
use crate::session::Session;
use crate::wire::{GameEvent, PhraseDto, ResultDto};

/// Events kept as they are sent; older ones are told again from the store.
pub(crate) const N_RECENT: usize = 256;

/// Phrases that wait for a slow reader; older ones are not told it.
const N_PHRASES: usize = 8;

/// What has been stored and may be seen.
#[derive(Debug)]
pub(crate) struct Noticeboard {
    published: Mutex<Published>,
    /// Number of the last event.
    progress: watch::Sender<u64>,
    /// Everybody at the table.
    company: watch::Sender<Company>,
    /// Whose time runs, or how long the clock waits.
    clock: watch::Sender<ClockFace>,
    /// What people say to each other. It is not kept.
    phrases: broadcast::Sender<(PlayerId, PhraseDto)>,
    /// Name of the game in which its people play once more.
    rematch: watch::Sender<Option<String>>,
}

#[derive(Debug)]
struct Published {
    state: Arc<State>,
    seq: u64,
    /// When something last happened.
    changed: Instant,
    recent: VecDeque<Arc<str>>,
    result: Option<ResultDto>,
    /// The message of the state for those who watch, once one of them needed
    /// it.
    watched: Option<Arc<str>>,
}

/// A moment of a game.
#[derive(Clone, Debug)]
pub(crate) struct GameMoment {
    pub state: Arc<State>,
    /// Number of the last event.
    pub seq: u64,
    /// The result, if the game is over.
    pub result: Option<ResultDto>,
}

impl Noticeboard {
    pub(crate) fn new(card: &GameCard, session: &Session) -> Noticeboard {
        Noticeboard {
            published: Mutex::new(Published {
                state: Arc::new(session.state().clone()),
                seq: session.seq(),
                changed: Instant::now(),
                recent: VecDeque::new(),
                result: card.stored.result.clone(),
                watched: None,
            }),
            progress: watch::Sender::new(session.seq()),
            company: watch::Sender::new(Company::new(&card.stored.seats, session.state())),
            clock: watch::Sender::new(ClockFace::Stands),
            phrases: broadcast::Sender::new(N_PHRASES),
            rematch: watch::Sender::new(None),
        }
    }

    /// When something last happened.
    pub(crate) fn changed(&self) -> Instant {
        self.held().changed
    }

    /// As if nothing had happened for this long.
    #[cfg(test)]
    pub(crate) fn grow_silent(&self, time: std::time::Duration) {
        self.held().changed -= time;
    }

    /// Where the game stands.
    pub(crate) fn moment(&self) -> GameMoment {
        let published = self.held();
        GameMoment {
            state: Arc::clone(&published.state),
            seq: published.seq,
            result: published.result.clone(),
        }
    }

    /// The message of a state for those who watch: the same for all of them.
    pub(crate) fn watched(&self, moment: &GameMoment, make: impl FnOnce() -> String) -> Arc<str> {
        let known = |published: &Published| {
            published
                .watched
                .clone()
                .filter(|_| published.seq == moment.seq)
        };
        if let Some(text) = known(&self.held()) {
            return text;
        }
        let text: Arc<str> = make().into();
        let mut published = self.held();
        if published.seq == moment.seq {
            published.watched = Some(Arc::clone(&text));
        }
        text
    }

    /// Events after `seen`, at most `most`; `None` if they are too old to be
    /// kept here.
    pub(crate) fn events_after(&self, seen: u64, most: usize) -> Option<Vec<Arc<str>>> {
        let published = self.held();
        let first_kept = published.seq - published.recent.len() as u64;
        let skipped = seen.checked_sub(first_kept)?;
        let fresh = published.recent.iter().skip(skipped as usize).take(most);
        Some(fresh.cloned().collect())
    }

    /// Numbers of the last event, as they come.
    pub(crate) fn progress(&self) -> watch::Receiver<u64> {
        self.progress.subscribe()
    }

    /// Everybody at the table, as they come and go.
    pub(crate) fn follow_company(&self) -> watch::Receiver<Company> {
        self.company.subscribe()
    }

    /// The seats as they are now.
    pub(crate) fn seats(&self) -> Vec<Seat> {
        self.company.borrow().seats()
    }

    /// Everybody at the table now.
    pub(crate) fn company(&self) -> watch::Ref<'_, Company> {
        self.company.borrow()
    }

    /// Shows what was decided about the seats, and stored.
    pub(crate) fn adopt(&self, decided: &Company) {
        self.company.send_modify(|company| company.adopt(decided));
    }

    /// A connection takes a seat; whoever held it before loses it.
    pub(crate) fn sit_down(&self, seat: PlayerId, connection: u64) {
        self.company
            .send_modify(|company| company.sit_down(seat, connection));
    }

    /// Shows who leaves a move unmade, if anybody does.
    pub(crate) fn show_idle(&self, idle: Option<PlayerId>) {
        self.company
            .send_if_modified(|company| company.show_idle(idle));
    }

    /// A connection leaves its seat.
    pub(crate) fn stand_up(&self, seat: PlayerId, connection: u64) {
        self.company
            .send_if_modified(|company| company.stand_up(seat, connection));
    }

    /// The clock, as it changes.
    pub(crate) fn follow_clock(&self) -> watch::Receiver<ClockFace> {
        self.clock.subscribe()
    }

    /// Shows the clock.
    pub(crate) fn show_clock(&self, now: ClockFace) {
        self.clock.send_if_modified(|shown| {
            let is_new = *shown != now;
            *shown = now;
            is_new
        });
    }

    /// Name of the game in which its people play once more, when there is one.
    pub(crate) fn follow_rematch(&self) -> watch::Receiver<Option<String>> {
        self.rematch.subscribe()
    }

    /// Tells everybody of the game in which its people play once more.
    pub(crate) fn show_rematch(&self, id: String) {
        self.rematch.send_replace(Some(id));
    }

    /// A game was removed: if it was the rematch of this one, there is none now.
    pub(crate) fn forget_rematch(&self, id: &str) {
        self.rematch.send_if_modified(|shown| {
            let is_it = shown.as_deref() == Some(id);
            shown.take_if(|_| is_it);
            is_it
        });
    }

    /// Tells everybody what a player says.
    pub(crate) fn say(&self, seat: PlayerId, phrase: PhraseDto) {
        // Nobody may be listening.
        let _ = self.phrases.send((seat, phrase));
    }

    /// What players say from now on.
    pub(crate) fn follow_phrases(&self) -> broadcast::Receiver<(PlayerId, PhraseDto)> {
        self.phrases.subscribe()
    }

    /// Shows what was stored.
    pub(crate) fn publish(
        &self,
        session: &Session,
        events: &[GameEvent],
        result: Option<ResultDto>,
    ) {
        let state = Arc::new(session.state().clone());
        let texts: Vec<Arc<str>> = events
            .iter()
            .map(|event| serde_json::to_string(event).unwrap_or_default().into())
            .collect();
        {
            let mut published = self.held();
            published.state = state;
            published.seq = session.seq();
            published.changed = Instant::now();
            published.result = result;
            published.watched = None;
            published.recent.extend(texts);
            let n_old = published.recent.len().saturating_sub(N_RECENT);
            published.recent.drain(..n_old);
        }
        self.company
            .send_if_modified(|company| company.show_eliminated(session.state()));
        self.progress.send_replace(session.seq());
    }

    fn held(&self) -> MutexGuard<'_, Published> {
        // It is replaced as a whole.
        self.published
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
