//! Dice luck: actual minus expected results of the dice.
//!
//! For any decisions of the players, the mean of (actual minus expected) is
//! zero for every single attack, so the sum over a game has mean zero: a
//! control variate for the result of the game. It is counted in shares of all
//! armies on the board, since an army matters more when there are few.

use std::sync::OnceLock;

use hegemon_core::battle::{DiceRule, Exchange, Losses};
use hegemon_core::rules::Attack;
use hegemon_core::{ByPlayer, Event, Outcome, PlayerId, State, TerritoryId};
use serde::{Deserialize, Serialize};

use crate::game_loop::{Observer, Sight};

/// First rounds of the periods that luck is counted in: an army won early
/// matters more than one won when the game is decided.
const PERIODS: [u32; 5] = [0, 2, 3, 5, 9];

/// Dice luck of one player in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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
        let defenders = board.armies(to);
        let losses = Losses {
            attacker: attacker_losses,
            defender: defender_losses,
        };
        let all = before.alive().map(|p| board.total_armies(p)).sum();
        let surplus = Surplus::of(expectation(before, defenders), all, defenders, losses);
        let period = period_of(before.round());
        surplus.share(luck, before.player(), board.owner(to), period);
    }
}

/// Counts the luck of every seat while a game is played.
#[derive(Clone, Debug, Default)]
pub struct LuckCounter {
    /// By seat.
    pub luck: ByPlayer<Luck>,
    run: Option<Run>,
}

/// A run of attacks whose exchanges are counted.
#[derive(Clone, Copy, Debug)]
struct Run {
    attacker: PlayerId,
    defender: PlayerId,
    period: usize,
    /// All armies on the board that belong to a player.
    all: u32,
    dice: DiceRule,
    table: &'static ExchangeMeans,
}

impl Run {
    fn begin(before: &State, to: TerritoryId) -> Run {
        let board = before.board();
        let dice = before.game().rules().battle.dice;
        Run {
            attacker: before.player(),
            defender: board.owner(to),
            period: period_of(before.round()),
            all: before.alive().map(|p| board.total_armies(p)).sum(),
            dice,
            table: exchanges(dice.ties_to_attacker),
        }
    }

    /// Counts an exchange: the same sums as [`Luck::count`].
    #[inline]
    fn count(&mut self, luck: &mut ByPlayer<Luck>, fighters: u32, defenders: u32, losses: Losses) {
        let (attacking, defending) = self.dice.dice(fighters, defenders);
        let mean = &self.table[usize::from(attacking)][usize::from(defending)];
        let surplus = Surplus::of(mean.at_defenders(defenders), self.all, defenders, losses);
        surplus.share(luck, self.attacker, self.defender, self.period);
        self.all -= losses.attacker;
        if self.defender.is_seat() {
            self.all -= losses.defender;
        }
    }
}

impl Observer for LuckCounter {
    const SIGHT: Sight = Sight::Dice;

    #[inline]
    fn on_event(&mut self, before: &State, event: Event) {
        if let Event::Outcome(outcome) = event {
            Luck::count(&mut self.luck, before, outcome);
        }
    }

    #[inline]
    fn on_assault(&mut self, before: &State, to: TerritoryId) {
        self.run = Some(Run::begin(before, to));
    }

    #[inline]
    fn on_losses(&mut self, fighters: u32, defenders: u32, losses: Losses) {
        if let Some(run) = &mut self.run {
            run.count(&mut self.luck, fighters, defenders, losses);
        }
    }
}

fn period_of(round: u32) -> usize {
    let period = PERIODS.iter().rposition(|&from| round >= from);
    period.unwrap_or(0)
}

/// Actual minus expected result of an attack.
struct Surplus {
    /// In shares of all armies on the board.
    armies: f64,
    conquest: f64,
}

impl Surplus {
    #[inline]
    fn of(expected: Expectation, all: u32, defenders: u32, losses: Losses) -> Surplus {
        let swing = f64::from(losses.defender) - f64::from(losses.attacker);
        let conquers = f64::from(u8::from(losses.defender == defenders));
        Surplus {
            armies: (swing - expected.swing) / f64::from(all.max(1)),
            conquest: conquers - expected.conquest,
        }
    }

    /// One side's gain is the other's loss; the neutral army has no luck.
    #[inline]
    fn share(
        &self,
        luck: &mut ByPlayer<Luck>,
        attacker: PlayerId,
        defender: PlayerId,
        period: usize,
    ) {
        luck[attacker].armies[period] += self.armies;
        luck[attacker].conquests += self.conquest;
        if defender.is_seat() {
            luck[defender].armies[period] -= self.armies;
            luck[defender].conquests -= self.conquest;
        }
    }
}

/// The expectation by the exact law.
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

/// Expectations by the dice of both sides.
type ExchangeMeans = [[ExchangeMean; 5]; 4];

/// Computed once.
fn exchanges(ties_to_attacker: bool) -> &'static ExchangeMeans {
    static TABLES: [OnceLock<ExchangeMeans>; 2] = [const { OnceLock::new() }; 2];
    TABLES[usize::from(ties_to_attacker)].get_or_init(|| {
        let mut table = [[ExchangeMean::default(); 5]; 4];
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

    /// Observes every event, which forces play move by move.
    #[derive(Default)]
    struct Single(ByPlayer<Luck>);

    impl Observer for Single {
        fn on_event(&mut self, before: &State, event: Event) {
            if let Event::Outcome(outcome) = event {
                Luck::count(&mut self.0, before, outcome);
            }
        }
    }

    /// Luck counted in runs of attacks against luck counted attack by attack.
    #[test]
    fn runs_count_as_single_attacks_do() {
        use crate::game_loop::{GameSetup, play_game};
        use hegemon_bots::{Grants, Spec};
        use hegemon_core::{Game, Map, Rules};
        let specs = ["baseline", "simulation", "simulation"].map(Spec::plain);
        for (preset, n_players) in [("sampling", 2), ("classic", 2), ("classic", 3), ("lux", 3)] {
            let map = Map::builtin("classic").expect("shipped");
            let rules = Rules::preset(preset).expect("shipped");
            let game = Game::new(map, rules, n_players).expect("a game");
            for seed in 0..20 {
                let specs: Vec<&Spec> = specs.iter().take(n_players).collect();
                let setup = GameSetup {
                    game: &game,
                    specs: &specs,
                    deal_seed: seed,
                    seed,
                    grants: &Grants::sealed(),
                    start: None,
                };
                let (mut runs, mut single) = (LuckCounter::default(), Single::default());
                let played = play_game(&setup, &mut runs).expect("sound");
                assert_eq!(played, play_game(&setup, &mut single).expect("sound"));
                assert_eq!(played, play_game(&setup, &mut ()).expect("sound"));
                assert_eq!(runs.luck, single.0, "{preset}, seed {seed}");
            }
        }
    }

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
