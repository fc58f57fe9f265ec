//! Dice luck: what the dice gave beyond what the exact law promised.
//!
//! Whatever the players decide, the mean of (actual minus expected) is zero for
//! every single attack, so the sum over a game has mean zero: a control variate
//! for the result of the game. It is counted in shares of all armies on the
//! board, since an army weighs more where there are few.

use std::sync::OnceLock;

use hegemon_core::battle::Exchange;
use hegemon_core::rules::Attack;
use hegemon_core::{ByPlayer, Outcome, State};

use crate::game_loop::Observer;

/// First rounds of the periods that luck is counted in: an army won early
/// decides more than one won when the game is decided.
const PERIODS: [u32; 5] = [0, 2, 3, 5, 9];

/// Dice luck of one player in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Luck {
    /// By period: gains in armies beyond expectation, as a share of the board.
    pub armies: [f64; PERIODS.len()],
    /// Conquests of the player minus their chances, minus the same for
    /// conquests from the player.
    pub conquests: f64,
}

impl Luck {
    /// How many numbers luck has.
    pub const N: usize = PERIODS.len() + 1;

    /// The numbers, for regressions.
    pub fn covariates(&self) -> [f64; Self::N] {
        std::array::from_fn(|n| self.armies.get(n).copied().unwrap_or(self.conquests))
    }

    /// Adds the luck of a battle that is about to be resolved.
    #[inline]
    pub fn count(luck: &mut ByPlayer<Luck>, before: &State, outcome: Outcome) {
        let Outcome::Battle {
            attacker_losses,
            defender_losses,
        } = outcome
        else {
            return;
        };
        let Some((_, to)) = before.front() else {
            return;
        };
        let board = before.board();
        let swing = f64::from(defender_losses) - f64::from(attacker_losses);
        let conquers = f64::from(u8::from(defender_losses == board.armies(to)));
        let expected = expectation(before, board.armies(to));
        let all: u32 = before.alive().map(|p| board.total_armies(p)).sum();
        let armies = (swing - expected.swing) / f64::from(all.max(1));
        let conquest = conquers - expected.conquest;
        let period = PERIODS
            .iter()
            .rposition(|&from| before.round() >= from)
            .unwrap_or(0);
        let attacker = &mut luck[before.player()];
        attacker.armies[period] += armies;
        attacker.conquests += conquest;
        let defender = board.owner(to);
        if defender.is_seat() {
            luck[defender].armies[period] -= armies;
            luck[defender].conquests -= conquest;
        }
    }
}

/// Counts the luck of every seat while a game is played.
#[derive(Clone, Debug, Default)]
pub struct LuckCounter(pub ByPlayer<Luck>);

impl Observer for LuckCounter {
    #[inline]
    fn on_outcome(&mut self, before: &State, outcome: Outcome) {
        Luck::count(&mut self.0, before, outcome);
    }
}

/// What the exact law promises.
#[derive(Clone, Copy, Debug, Default)]
struct Expectation {
    /// Mean of the defender's minus the attacker's losses.
    swing: f64,
    /// Chance of conquest.
    conquest: f64,
}

#[inline]
fn expectation(state: &State, defenders: u32) -> Expectation {
    let rules = state.game().rules();
    if rules.battle.attack == Attack::Roll && !state.game().has_extra_die() {
        let (attacker, defender) = rules.battle.dice.dice(state.attacking_with(), defenders);
        let table = exchanges(rules.battle.dice.ties_to_attacker);
        return table[usize::from(attacker)][usize::from(defender)].at_defenders(defenders);
    }
    let total = state.chance_total() as f64;
    let mut expected = Expectation::default();
    state.for_each_outcome(|outcome, weight| {
        if let Outcome::Battle {
            attacker_losses,
            defender_losses,
        } = outcome
        {
            let p = weight as f64 / total;
            expected.swing += p * (f64::from(defender_losses) - f64::from(attacker_losses));
            expected.conquest += if defender_losses == defenders { p } else { 0.0 };
        }
    });
    expected
}

/// The expectation of an exchange, with the chance of each loss.
#[derive(Clone, Copy, Debug, Default)]
struct ExchangeMean {
    swing: f64,
    /// Chance that the defender loses 0, 1, 2, 3.
    by_loss: [f64; 4],
}

impl ExchangeMean {
    #[inline]
    fn at_defenders(&self, defenders: u32) -> Expectation {
        let conquest = self.by_loss.get(defenders as usize).copied().unwrap_or(0.0);
        Expectation {
            swing: self.swing,
            conquest,
        }
    }
}

/// Expectations by the dice of both sides, made once.
fn exchanges(ties_to_attacker: bool) -> &'static [[ExchangeMean; 4]; 4] {
    static TABLES: [OnceLock<[[ExchangeMean; 4]; 4]>; 2] = [const { OnceLock::new() }; 2];
    TABLES[usize::from(ties_to_attacker)].get_or_init(|| {
        let mut table = [[ExchangeMean::default(); 4]; 4];
        for (attacker, row) in table.iter_mut().enumerate().skip(1) {
            for (defender, cell) in row.iter_mut().enumerate().skip(1) {
                *cell = mean_of(Exchange::of(
                    attacker as u8,
                    defender as u8,
                    ties_to_attacker,
                ));
            }
        }
        table
    })
}

fn mean_of(exchange: &Exchange) -> ExchangeMean {
    let mut mean = ExchangeMean::default();
    for (losses, weight) in exchange.outcomes() {
        let p = f64::from(weight) / f64::from(exchange.total());
        mean.swing += p * (f64::from(losses.defender) - f64::from(losses.attacker));
        mean.by_loss[losses.defender as usize] += p;
    }
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast table of exchanges against the sum over all outcomes.
    #[test]
    fn table_agrees_with_outcomes() {
        use hegemon_core::{Game, Map, Rules};
        let map = Map::builtin("classic").expect("shipped");
        let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
        let mut rng = hegemon_core::Rng::from_seed(3);
        let mut state = game.deal(5);
        let mut n_battles = 0;
        while n_battles < 2_000 {
            match state.node() {
                hegemon_core::Node::Terminal => state = game.deal(n_battles),
                hegemon_core::Node::Decision(_) => {
                    let moves = state.legal_moves();
                    let mv = *rng.pick(&moves).expect("a decision has a move");
                    state.play_unchecked(mv);
                }
                hegemon_core::Node::Chance => {
                    if let Some((_, to)) = state.front() {
                        let defenders = state.board().armies(to);
                        let fast = expectation(&state, defenders);
                        let (mut swing, mut conquest) = (0.0, 0.0);
                        state.for_each_outcome(|outcome, weight| {
                            let Outcome::Battle {
                                attacker_losses,
                                defender_losses,
                            } = outcome
                            else {
                                return;
                            };
                            let p = weight as f64 / state.chance_total() as f64;
                            let gain = i64::from(defender_losses) - i64::from(attacker_losses);
                            swing += p * gain as f64;
                            conquest += if defender_losses == defenders { p } else { 0.0 };
                        });
                        assert!((fast.swing - swing).abs() < 1e-12);
                        assert!((fast.conquest - conquest).abs() < 1e-12);
                        n_battles += 1;
                    }
                    state.resolve_sampled(&mut rng);
                }
            }
        }
    }
}
