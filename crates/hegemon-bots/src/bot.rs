//! The bot interface.

use std::fmt;
use std::sync::Arc;

use hegemon_core::battle::Losses;
use hegemon_core::{
    Event, ForfeitKind, Game, GameResult, Move, PlayerId, Rng, State, TerritoryId, View,
};

use crate::loader::Grants;
use crate::policy::{Draws, Policy};

/// A player. One instance plays one seat of one game.
pub trait Bot: Send {
    /// A move at the decision that the view shows.
    ///
    /// # Errors
    ///
    /// If the bot cannot go on: it then loses the game for the reason given.
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit>;

    /// Whether the bot wants to be told what happens.
    fn observes(&self) -> bool {
        false
    }

    /// Told of every event that its seat may know of ([`Event::is_seen_by`]), with what it
    /// saw before.
    fn observe(&mut self, _before: View<'_>, _event: Event) {}

    /// Told once, after the last move.
    fn game_over(&mut self, _result: &GameResult) {}
}

/// Tells every bot that wants to know what is about to happen, as far as its seat may
/// know of it. The bots are in the order of their seats.
#[inline]
pub fn tell_all(bots: &mut [Box<dyn Bot>], before: &State, event: Event) {
    for (seat, bot) in before.game().seats().zip(bots) {
        if bot.observes() && before.is_alive(seat) && event.is_seen_by(seat, before) {
            bot.observe(View::new(before, seat), event);
        }
    }
}

/// Why a bot lost a game other than by the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// What happened.
    pub kind: ForfeitKind,
    /// Details in one line.
    pub message: String,
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)
    }
}

/// What a bot may know when it is built.
#[derive(Clone, Copy, Debug)]
pub struct Seating<'a> {
    /// The game that it will play.
    pub game: &'a Arc<Game>,
    pub seat: PlayerId,
    /// Seed of the game; the bot draws from its own stream of it.
    pub seed: u64,
    /// The resources it may use, and when it must stop.
    pub grants: &'a Grants,
}

impl Seating<'_> {
    /// The seat's own stream.
    pub fn rng(&self) -> Rng {
        Rng::stream(self.seed, SEAT_LABELS[self.seat.index()])
    }
}

/// Labels of the seats' streams; a table, so that starting a game allocates
/// nothing.
const SEAT_LABELS: [&str; 8] = [
    "seat 0", "seat 1", "seat 2", "seat 3", "seat 4", "seat 5", "neutral", "nobody",
];

/// A policy as a bot.
#[derive(Clone, Debug)]
pub struct PolicyBot<P> {
    policy: P,
    rng: Rng,
}

impl<P: Policy> PolicyBot<P> {
    /// Seats a policy.
    pub fn new(policy: P, seating: &Seating<'_>) -> Self {
        PolicyBot {
            policy,
            rng: seating.rng(),
        }
    }

    /// A move, legal by the contract of [`Policy`].
    #[inline]
    pub fn policy_move(&mut self, view: View<'_>) -> Move {
        self.policy.choose(view, &mut self.rng)
    }
}

impl<P: Policy> PolicyBot<P> {
    /// Plays like [`Policy::play_on`], with the dice of `watched`.
    #[inline]
    pub fn play_on(&mut self, game: &Game, state: &mut State, watched: &mut impl Watched) -> u32 {
        let PolicyBot { policy, rng } = self;
        policy.play_on(game, state, u32::MAX, &mut Seated { rng, watched })
    }
}

/// The dice of a game, and an observer of the rolls.
pub trait Watched {
    /// The random stream for the dice.
    fn dice(&mut self) -> &mut Rng;

    /// Called when a run of attacks on a territory begins.
    fn on_assault(&mut self, before: &State, to: TerritoryId);

    /// Called with the losses of each attack and the forces before it.
    fn on_losses(&mut self, fighters: u32, defenders: u32, losses: Losses);
}

struct Seated<'a, W> {
    rng: &'a mut Rng,
    watched: &'a mut W,
}

impl<W: Watched> Draws for Seated<'_, W> {
    #[inline]
    fn mover(&mut self) -> &mut Rng {
        self.rng
    }

    #[inline]
    fn dice(&mut self) -> &mut Rng {
        self.watched.dice()
    }

    #[inline]
    fn on_assault(&mut self, before: &State, to: TerritoryId) {
        self.watched.on_assault(before, to);
    }

    #[inline]
    fn on_losses(&mut self, fighters: u32, defenders: u32, losses: Losses) {
        self.watched.on_losses(fighters, defenders, losses);
    }
}

impl<P: Policy + Send> Bot for PolicyBot<P> {
    #[inline]
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        Ok(self.policy_move(view))
    }
}
