//! The random player.

use std::ops::ControlFlow;

use hegemon_core::{Move, Rng, View};

use crate::policy::Policy;

/// A legal move, each equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Policy for Random {
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        let mut n = rng.below(view.n_legal_moves().max(1) as u32) as usize;
        let mut chosen = Move::End;
        view.for_each_group(|group| match group.nth(n) {
            Some(mv) => {
                chosen = mv;
                ControlFlow::Break(())
            }
            None => {
                n -= group.n_moves();
                ControlFlow::Continue(())
            }
        });
        chosen
    }
}
