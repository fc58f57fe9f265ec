//! Turns with one active territory: the shape of both rule players of Brand and Kroon 2014.
//!
//! All armies go to one territory, which attacks; after a conquest the attack
//! continues from the conquered territory; the turn ends with one manoeuvre.

use hegemon_core::battle::Losses;
use hegemon_core::{Assailant, Game, Move, Phase, Rng, State, TerritoryId, View};

use super::pieces::{elsewhere, equalise};
use crate::policy::{Draws, Policy, decide};

/// The differences between these players.
pub(super) trait Active<'g>: Policy + Sized {
    /// Lookups done once a turn.
    type Tables: Copy;
    /// A target and what is known about it.
    type Target: Copy;

    /// The tables of a game.
    fn tables(game: &'g Game) -> Self::Tables;

    /// Where all armies go.
    fn base(view: View<'_>, rng: &mut Rng) -> Option<TerritoryId>;

    /// What the active territory attacks next.
    fn target(
        view: View<'_>,
        tables: Self::Tables,
        from: TerritoryId,
        rng: &mut Rng,
    ) -> Option<Self::Target>;

    /// The territory of a target.
    fn territory(target: Self::Target) -> TerritoryId;

    /// Whether [`Active::target`] would choose the same target again after an
    /// attack. If so, makes the same draws; if not, draws nothing, and the
    /// caller asks [`Active::target`].
    fn insists(target: Self::Target, fighters: u32, defenders: u32, rng: &mut Rng) -> bool;

    /// How many move in.
    fn move_in(view: View<'_>, rng: &mut Rng) -> u32;
}

impl<P: for<'g> Active<'g>> Policy for P {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        choose::<P>(view, rng)
    }

    #[inline]
    fn play_on(
        &mut self,
        game: &Game,
        state: &mut State,
        most: u32,
        draws: &mut impl Draws,
    ) -> u32 {
        play_on(self, game, state, most, draws)
    }
}

/// One decision of such a player.
#[inline]
fn choose<'g, P: Active<'g>>(view: View<'g>, rng: &mut Rng) -> Move {
    match view.phase() {
        Phase::Attack => attack::<P>(view, rng),
        Phase::Occupy => Move::Occupy {
            armies: P::move_in(view, rng),
        },
        Phase::Reinforce => place::<P>(view, rng),
        Phase::Fortify => manoeuvre(view, rng),
        _ => elsewhere(view, rng),
    }
}

/// Out of line: single decisions are not the fast path.
#[inline(never)]
fn manoeuvre(view: View<'_>, rng: &mut Rng) -> Move {
    equalise(view, rng)
}

#[inline]
fn place<'g, P: Active<'g>>(view: View<'_>, rng: &mut Rng) -> Move {
    match P::base(view, rng) {
        Some(territory) => Move::Place {
            territory,
            armies: view.to_place(),
        },
        None => elsewhere(view, rng),
    }
}

#[inline]
fn attack<'g, P: Active<'g>>(view: View<'g>, rng: &mut Rng) -> Move {
    match aim::<P>(view, P::tables(view.game()), rng) {
        Some((from, target)) => Move::Attack {
            from,
            to: P::territory(target),
            with: *view.attack_range(from).end(),
        },
        None => Move::End,
    }
}

/// A turn from its reinforcement on, or one decision elsewhere. Equivalent to
/// repeated [`choose`], which the tests check. Anything the rules put in
/// between is left to the caller.
#[inline]
fn play_on<'g, P: Active<'g>>(
    policy: &mut P,
    game: &'g Game,
    state: &mut State,
    most: u32,
    draws: &mut impl Draws,
) -> u32 {
    if state.phase() != Phase::Reinforce {
        return decide(policy, state, draws);
    }
    state.play_unchecked(place::<P>(View::of_mover(state), draws.mover()));
    let tables = P::tables(game);
    let mut n = 1;
    while n < most && state.phase() == Phase::Attack {
        let Some((from, target)) = aim::<P>(View::of_mover(state), tables, draws.mover()) else {
            state.play_unchecked(Move::End);
            n += 1;
            break;
        };
        let to = P::territory(target);
        draws.on_assault(state, to);
        n += state.assault(from, to, most - n, &mut Insistent::<P, _> { target, draws });
        if n < most && state.phase() == Phase::Occupy {
            let armies = P::move_in(View::of_mover(state), draws.mover());
            state.move_in((from, to), armies);
            n += 1;
        }
    }
    if n < most && state.phase() == Phase::Fortify {
        match equalise(View::of_mover(state), draws.mover()) {
            mv @ Move::Fortify { .. } => state.play_unchecked(mv),
            _ => state.play_unchecked(Move::End),
        }
        n += 1;
    }
    n
}

/// The active territory and what it attacks next.
#[inline(always)]
fn aim<'g, P: Active<'g>>(
    view: View<'_>,
    tables: P::Tables,
    rng: &mut Rng,
) -> Option<(TerritoryId, P::Target)> {
    let from = view.last()?;
    Some((from, P::target(view, tables, from, rng)?))
}

struct Insistent<'a, 'g, P: Active<'g>, D> {
    target: P::Target,
    draws: &'a mut D,
}

impl<'g, P: Active<'g>, D: Draws> Assailant for Insistent<'_, 'g, P, D> {
    #[inline]
    fn dice(&mut self) -> &mut Rng {
        self.draws.dice()
    }

    #[inline]
    fn goes_on(&mut self, fighters: u32, defenders: u32) -> bool {
        P::insists(self.target, fighters, defenders, self.draws.mover())
    }

    #[inline]
    fn on_losses(&mut self, fighters: u32, defenders: u32, losses: Losses) {
        self.draws.on_losses(fighters, defenders, losses);
    }
}
