//! A run of attacks from one territory on another, without a stop at each
//! exchange of dice.
//!
//! Most of a game is attacks repeated with the same two territories. Played one
//! by one, each goes through the whole state: phase, counters, totals, hash. A
//! run keeps the two forces at hand and settles the rest once, at its end. It
//! draws what single attacks would draw, in the same order, and ends in the
//! same state; the simulator's tests compare the two at every rule.

use crate::battle::Losses;
use crate::ids::TerritoryId;
use crate::rng::Rng;
use crate::state::{Phase, State};

/// Who leads a run of attacks: rolls its dice and says when to stop.
pub trait Assailant {
    /// The stream of the dice.
    fn dice(&mut self) -> &mut Rng;

    /// Whether to attack once more with so many fighters against so many
    /// defenders, at least one. Never without fighters.
    fn goes_on(&mut self, fighters: u32, defenders: u32) -> bool;

    /// Sees the losses of an attack of so many fighters on so many defenders.
    #[inline]
    fn on_losses(&mut self, _fighters: u32, _defenders: u32, _losses: Losses) {}
}

impl State {
    /// Attacks, as strongly as the rules allow, at least once and at most `most`
    /// times, as long as the assailant goes on and the territory holds. Returns
    /// how many attacks were made.
    ///
    /// The same as [`State::play_unchecked`] of the attack and
    /// [`State::resolve_sampled`], one after the other.
    #[inline]
    pub fn assault(
        &mut self,
        from: TerritoryId,
        to: TerritoryId,
        most: u32,
        assailant: &mut impl Assailant,
    ) -> u32 {
        let Some(rolls) = self.game.rolls() else {
            return self.assault_by_attacks(from, to, most, assailant);
        };
        let (all_fighters, all_defenders) = (self.board.armies(from) - 1, self.board.armies(to));
        let (mut fighters, mut defenders) = (all_fighters, all_defenders);
        let mut n = 0;
        let last = loop {
            let before = fighters;
            let losses = rolls
                .of_forces(fighters, defenders)
                .sample(assailant.dice());
            assailant.on_losses(fighters, defenders, losses);
            fighters -= losses.attacker;
            defenders -= losses.defender;
            n += 1;
            if defenders == 0 || n == most || !assailant.goes_on(fighters, defenders) {
                break before;
            }
        };
        let with = rolls.dice(last);
        self.settle_assault(
            (from, to),
            with,
            n,
            Losses {
                attacker: all_fighters - fighters,
                defender: all_defenders - defenders,
            },
        );
        n
    }

    /// The plain form, for rules whose attacks are no single exchanges, or that
    /// may stop the game after any of them.
    #[cold]
    #[inline(never)]
    fn assault_by_attacks(
        &mut self,
        from: TerritoryId,
        to: TerritoryId,
        most: u32,
        assailant: &mut impl Assailant,
    ) -> u32 {
        let mut n = 0;
        loop {
            let with = *self.attack_range(from).end();
            let defenders = self.board.armies(to);
            self.begin_battle(from, to, with);
            let losses = self.sample_losses(assailant.dice());
            assailant.on_losses(with, defenders, losses);
            self.end_battle(losses.attacker, losses.defender);
            n += 1;
            let fighters = self.board.armies(from) - 1;
            if self.phase != Phase::Attack
                || n == most
                || !assailant.goes_on(fighters, self.board.armies(to))
            {
                return n;
            }
        }
    }
}
