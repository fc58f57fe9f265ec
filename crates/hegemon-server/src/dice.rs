//! The dice that are shown. The engine draws losses, not faces; the faces shown
//! have the law of real dice given these losses.

use hegemon_core::battle::Losses;
use hegemon_core::{Rng, State};
use serde::Serialize;

/// Faces of an exchange, highest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct DiceDto {
    /// The attacker's.
    pub attacker: Vec<u8>,
    /// The defender's.
    pub defender: Vec<u8>,
}

/// Where the shown faces come from: a one-way function of the game's seed, so
/// that the dice to come cannot be computed from those shown.
#[derive(Clone, Debug)]
pub(crate) struct ShownDice {
    key: [u8; 32],
}

impl ShownDice {
    /// The faces of the game with this seed.
    pub(crate) fn new(seed: u64) -> ShownDice {
        let key = blake3::derive_key("hegemon-server 2026 shown dice", &seed.to_le_bytes());
        ShownDice { key }
    }

    /// Faces for the pending exchange of a state that ends in these losses;
    /// `None` where an attack is more than one exchange.
    pub(crate) fn roll(&self, before: &State, seq: u64, losses: Losses) -> Option<DiceDto> {
        let (n_attacker, n_defender) = before.battle_dice()?;
        let ties_to_attacker = before.game().rules().battle.dice.ties_to_attacker;
        let mut rng = self.rng(seq);
        // The rarest losses have a chance of a few percent.
        loop {
            let attacker = faces(n_attacker, &mut rng);
            let defender = faces(n_defender, &mut rng);
            if Losses::of_dice(&attacker, &defender, ties_to_attacker) == losses {
                return Some(DiceDto { attacker, defender });
            }
        }
    }

    fn rng(&self, seq: u64) -> Rng {
        let hash = blake3::keyed_hash(&self.key, &seq.to_le_bytes());
        let mut word = [0; 8];
        word.copy_from_slice(&hash.as_bytes()[..8]);
        Rng::from_seed(u64::from_le_bytes(word))
    }
}

fn faces(n: u8, rng: &mut Rng) -> Vec<u8> {
    let mut faces: Vec<u8> = (0..n).map(|_| rng.below(6) as u8 + 1).collect();
    faces.sort_unstable_by(|a, b| b.cmp(a));
    faces
}

#[cfg(test)]
mod tests {
    use super::*;
    use hegemon_core::battle::Exchange;

    #[test]
    fn faces_and_losses_have_the_law_of_the_engine() {
        for ties_to_attacker in [false, true] {
            for (a, d) in [(3, 2), (2, 2), (3, 1), (1, 1), (1, 2)] {
                let law = Exchange::of(a, d, ties_to_attacker);
                let mut counts = [0u32; 4];
                for roll in 0..law.total() {
                    let mut digits = roll;
                    let mut die = || {
                        let face = (digits % 6) as u8 + 1;
                        digits /= 6;
                        face
                    };
                    let mut attacker: Vec<u8> = (0..a).map(|_| die()).collect();
                    let mut defender: Vec<u8> = (0..d).map(|_| die()).collect();
                    attacker.sort_unstable_by(|x, y| y.cmp(x));
                    defender.sort_unstable_by(|x, y| y.cmp(x));
                    let losses = Losses::of_dice(&attacker, &defender, ties_to_attacker);
                    counts[losses.attacker as usize] += 1;
                }
                for (losses, weight) in law.outcomes() {
                    assert_eq!(counts[losses.attacker as usize], weight, "{a} against {d}");
                }
            }
        }
    }
}
