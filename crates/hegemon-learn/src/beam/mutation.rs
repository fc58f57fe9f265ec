//! Mutation at its three levels: a characteristic, an agent, a population.

use hegemon_bots::beam::{Category, Characteristics, Key, N_CHARACTERISTICS};
use hegemon_core::Rng;
use serde::{Deserialize, Serialize};

/// How agents mutate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MutationParams {
    /// Chance of one more mutation after the first; halved after each.
    pub recursive_chance: f64,
    /// Chance that a mutation changes every characteristic of a category. The
    /// paper does not state it.
    pub major_chance: f64,
    /// Fewest mutations of an agent of the first generation.
    pub first_mutations: u32,
    /// Multiplier of adjustments in the first generation.
    pub first_multiplier: f64,
    /// Multipliers in the second and in the last generation.
    pub multipliers: [f64; 2],
}

impl Default for MutationParams {
    fn default() -> MutationParams {
        MutationParams {
            recursive_chance: 0.8,
            major_chance: 0.1,
            first_mutations: 10,
            first_multiplier: 2.0,
            multipliers: [1.75, 0.5],
        }
    }
}

impl MutationParams {
    /// The multiplier of a generation, counted from 0: linear from the second
    /// to the last of `n_generations`.
    pub fn multiplier(&self, generation: u32, n_generations: u32) -> f64 {
        let Some(step) = generation.checked_sub(1) else {
            return self.first_multiplier;
        };
        let [second, last] = self.multipliers;
        let n_steps = f64::from(n_generations.saturating_sub(2).max(1));
        second + (last - second) * f64::from(step) / n_steps
    }

    /// A mutated copy for a later generation.
    pub fn mutate(
        &self,
        agent: &Characteristics,
        multiplier: f64,
        rng: &mut Rng,
    ) -> Characteristics {
        self.mutate_at_least(1, agent, multiplier, rng)
    }

    /// An agent of the first generation. Reading: the forced mutations come
    /// first, then the recursive chance starts as usual.
    pub fn first(&self, rng: &mut Rng) -> Characteristics {
        let start = Characteristics::INITIAL;
        self.mutate_at_least(self.first_mutations, &start, self.first_multiplier, rng)
    }

    fn mutate_at_least(
        &self,
        n: u32,
        agent: &Characteristics,
        multiplier: f64,
        rng: &mut Rng,
    ) -> Characteristics {
        let mut agent = *agent;
        for _ in 0..n {
            self.mutate_once(&mut agent, multiplier, rng);
        }
        let mut chance = self.recursive_chance;
        while rng.chance(chance) {
            self.mutate_once(&mut agent, multiplier, rng);
            chance /= 2.0;
        }
        agent
    }

    fn mutate_once(&self, agent: &mut Characteristics, multiplier: f64, rng: &mut Rng) {
        if rng.chance(self.major_chance) {
            let category = Category::ALL[rng.below(Category::ALL.len() as u32) as usize];
            for key in category.keys() {
                adjust(agent, key, multiplier, rng);
            }
        } else {
            let row = rng.below(N_CHARACTERISTICS as u32) as usize;
            adjust(agent, Key::new(row), multiplier, rng);
        }
    }
}

/// One adjustment in a random direction, within the limits.
fn adjust(agent: &mut Characteristics, key: Key, multiplier: f64, rng: &mut Rng) {
    let direction = if rng.below(2) == 0 { 1.0 } else { -1.0 };
    let data = key.data();
    agent[key] = data.clamp(agent[key] + direction * data.adjustment * multiplier);
}
