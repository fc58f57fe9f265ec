//! What makes the chances of a net come true as often as they are said.
//!
//! A net that was fitted until it knew its games by heart says a little too much of the
//! leader, more so where there are many players. The correction multiplies the outputs by
//! a factor and adds a multiple of the chance itself to each. Both are linear in a few
//! facts of the table, with numbers of their own for each number of living players. There
//! are few numbers and the log-loss is convex in them, so that games which the net has not
//! seen fix them.

use hegemon_core::MAX_PLAYERS;

use super::inputs::ValueInputs;

/// Facts of a table that a correction depends on: always, cards, growth of income, a limit
/// of turns, the middle of a turn, the share of players who are out, the round.
pub const N_FACTS: usize = 7;

/// Numbers of living players for which there is something to correct: two and more.
pub const N_ALIVE: usize = MAX_PLAYERS - 1;

/// A linear function of the facts for each number of living players from two on.
pub type ByAlive = [[f32; N_FACTS]; N_ALIVE];

/// Both terms of a corrected output.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// Gives the factor of the outputs.
    pub of_output: ByAlive,
    /// Gives the factor of the chances.
    pub of_chance: ByAlive,
}

impl Correction {
    /// The correction that changes nothing.
    pub fn nothing() -> Correction {
        let mut always = [0.0; N_FACTS];
        always[0] = 1.0;
        Correction {
            of_output: [always; N_ALIVE],
            of_chance: [[0.0; N_FACTS]; N_ALIVE],
        }
    }

    /// Where the numbers for a position stand, and its facts; none if nobody is left to
    /// share chances with.
    #[inline]
    pub fn facts(inputs: &ValueInputs) -> Option<(usize, [f32; N_FACTS])> {
        let places = 0..MAX_PLAYERS;
        let n_alive = places.filter(|place| inputs.is_alive(*place)).count();
        let table = inputs.table_facts();
        let facts = [
            1.0,
            table.has_cards,
            table.growth,
            if table.rounds_left > 0.0 { 1.0 } else { 0.0 },
            table.is_mid_turn,
            1.0 - table.share_alive,
            table.round,
        ];
        (n_alive >= 2).then_some((n_alive - 2, facts))
    }

    /// Corrects outputs of which these chances were made.
    #[inline]
    pub(super) fn apply(
        &self,
        inputs: &ValueInputs,
        outputs: &mut [f32; MAX_PLAYERS],
        chances: &[f32; MAX_PLAYERS],
    ) {
        let Some((row, facts)) = Correction::facts(inputs) else {
            return;
        };
        let (mut of_output, mut of_chance) = (0.0, 0.0);
        for (n, fact) in facts.into_iter().enumerate() {
            of_output += fact * self.of_output[row][n];
            of_chance += fact * self.of_chance[row][n];
        }
        for (output, chance) in outputs.iter_mut().zip(chances) {
            *output = of_output * *output + of_chance * chance;
        }
    }

    /// Whether all numbers are finite.
    pub(super) fn is_sound(&self) -> bool {
        let mut all = self.of_output.iter().chain(&self.of_chance).flatten();
        all.all(|number| number.is_finite())
    }
}
