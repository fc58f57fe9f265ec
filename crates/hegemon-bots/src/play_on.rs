//! The loop that plays from a state: used by lookahead, playouts, training drafts
//! and arena games.

use hegemon_core::{ForfeitKind, Move, Node, PlayerId, Rng, State, View};

use crate::bot::{Bot, Forfeit};

/// The players and the source of chance of a game.
pub trait Seats {
    /// Why a decision was not made.
    type Failure;

    /// Makes one or more consecutive decisions of a player; `n_before` were
    /// made so far. Returns how many it made.
    ///
    /// It makes the move itself: returning a move in a `Result` copies it
    /// through memory, which costs a fifth of the time of a short game.
    ///
    /// # Errors
    ///
    /// If the player has no legal move to offer; the state is then unchanged.
    fn decide(
        &mut self,
        player: PlayerId,
        state: &mut State,
        n_before: u32,
    ) -> Result<u32, Self::Failure>;

    /// Draws a chance outcome and applies it.
    fn chance(&mut self, state: &mut State);
}

/// Plays on until the game is over, `until` says so before a decision, or a
/// player has no legal move to offer. `until` gets the number of decisions
/// made. Returns that number, and the player who failed with the reason.
#[inline(always)]
pub fn play_on<S: Seats>(
    state: &mut State,
    seats: &mut S,
    mut until: impl FnMut(&State, u32) -> bool,
) -> (u32, Option<(PlayerId, S::Failure)>) {
    let mut n_decisions = 0;
    loop {
        match state.node() {
            Node::Decision(player) if !until(state, n_decisions) => {
                match seats.decide(player, state, n_decisions) {
                    Ok(n) => n_decisions += n,
                    Err(reason) => return (n_decisions, Some((player, reason))),
                }
            }
            Node::Chance => seats.chance(state),
            _ => return (n_decisions, None),
        }
    }
}

/// The bot's move; an illegal move is a forfeit.
///
/// # Errors
///
/// If the bot cannot go on or the move is not legal.
pub fn legal_choice(bot: &mut dyn Bot, state: &State) -> Result<Move, Forfeit> {
    let mv = bot.choose(View::of_mover(state))?;
    if state.is_legal(mv) {
        return Ok(mv);
    }
    let message = format!("{mv} in the {} phase", state.phase().name());
    Err(Forfeit {
        kind: ForfeitKind::IllegalMove,
        message,
    })
}

/// A bot in every seat, and one generator for chance.
pub(crate) struct BotSeats<'a> {
    pub(crate) bots: Vec<Box<dyn Bot>>,
    pub(crate) rng: &'a mut Rng,
}

impl Seats for BotSeats<'_> {
    type Failure = Forfeit;

    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, Forfeit> {
        let mv = legal_choice(&mut *self.bots[player.index()], state)?;
        state.play_unchecked(mv);
        Ok(1)
    }

    fn chance(&mut self, state: &mut State) {
        state.resolve_sampled(self.rng);
    }
}
