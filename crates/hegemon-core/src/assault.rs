//! A run of attacks from one territory on another, without stopping at each
//! exchange of dice.
//!
//! Most of a game is repeated attacks between the same two territories. Played
//! one by one, each updates the whole state: phase, counters, totals, hash. A
//! run tracks only the two forces and updates the rest once, at its end. It
//! makes the same draws as single attacks, in the same order, and ends in the
//! same state; the test `assault` compares the two.

use crate::battle::Losses;
use crate::ids::TerritoryId;
use crate::rng::Rng;
use crate::state::{Phase, State};

/// The attacker in a run of attacks: rolls its dice and decides when to stop.
pub trait Assailant {
    /// The random stream for the dice.
    fn dice(&mut self) -> &mut Rng;

    /// Whether to attack again. There is at least one defender; without fighters the
    /// answer must be no.
    fn goes_on(&mut self, fighters: u32, defenders: u32) -> bool;

    /// Called with the losses of each attack and the forces before it.
    #[inline]
    fn on_losses(&mut self, _fighters: u32, _defenders: u32, _losses: Losses) {}
}

impl State {
    /// Attacks as strongly as the rules allow, between 1 and `most` times, until
    /// the assailant stops or the territory falls. Returns the number of attacks
    /// made.
    ///
    /// Equivalent to repeating [`State::play_unchecked`] and
    /// [`State::resolve_sampled`].
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

    /// The slow path, for rules whose attacks are not single exchanges, or that
    /// can end the game after any attack.
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
