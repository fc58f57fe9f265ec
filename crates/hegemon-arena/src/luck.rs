//! Dice luck: actual minus expected results of the dice.
//!
//! For any decisions of the players, the mean of (actual minus expected) is
//! zero for every single attack, so the sum over a game has mean zero: a
//! control variate for the result of the game. It is counted in shares of all
//! armies on the board, since an army matters more when there are few.

use std::sync::OnceLock;

use hegemon_core::battle::{Exchange, Losses};
use hegemon_core::rules::Attack;
use hegemon_core::{ByPlayer, Event, Game, N_OWNERS, Outcome, PlayerId, State, TerritoryId};
use serde::{Deserialize, Serialize};

use crate::game_loop::{Observer, Sight};

/// First rounds of the periods that luck is counted in: an army won early
/// matters more than one won when the game is decided.
const PERIODS: [u32; 5] = [0, 2, 3, 5, 9];

/// The number of [`Luck`] that is not of a period.
const CONQUESTS: usize = PERIODS.len();

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

    /// The luck with these numbers.
    pub(crate) fn of<const N: usize>(numbers: &[f64; N]) -> Luck {
        Luck {
            armies: std::array::from_fn(|period| numbers[period]),
            conquests: numbers[CONQUESTS],
        }
    }

    /// The numbers, for regressions.
    pub fn covariates(&self) -> [f64; Self::N] {
        std::array::from_fn(|n| self.armies.get(n).copied().unwrap_or(self.conquests))
    }
}

/// Counts the luck of every seat while a game is played.
#[derive(Clone, Debug)]
pub struct LuckCounter<'a> {
    table: &'a LuckTable,
    sums: LuckSums,
    run: Run,
}

/// A run of attacks whose exchanges are counted.
#[derive(Clone, Copy, Debug)]
struct Run {
    attacker: PlayerId,
    defender: PlayerId,
    period: usize,
    /// All armies on the board that belong to a player.
    all: u32,
    /// Whether the defenders are among them.
    counts_defenders: u32,
}

impl<'a> LuckCounter<'a> {
    /// No luck yet, in a game with the dice of the table.
    pub fn new(table: &'a LuckTable) -> LuckCounter<'a> {
        LuckCounter {
            table,
            sums: LuckSums::default(),
            run: Run {
                attacker: PlayerId::NOBODY,
                defender: PlayerId::NOBODY,
                period: 0,
                all: 0,
                counts_defenders: 0,
            },
        }
    }

    /// The luck by seat.
    pub fn luck(&self) -> ByPlayer<Luck> {
        ByPlayer::from_fn(|seat| Luck::of(&self.sums.0[seat.index()]))
    }
}

impl Observer for LuckCounter<'_> {
    const SIGHT: Sight = Sight::Dice;

    #[inline]
    fn on_event(&mut self, before: &State, event: Event) {
        if let Event::Outcome(outcome) = event {
            self.sums.count(before, outcome);
        }
    }

    #[inline]
    fn on_assault(&mut self, before: &State, to: TerritoryId) {
        let defender = before.board().owner(to);
        self.run = Run {
            attacker: before.player(),
            defender,
            period: period_of(before.round()),
            all: before.board().armies_of_seats(),
            counts_defenders: defender.is_seat().into(),
        };
    }

    /// The same sums as `LuckSums::count`.
    #[inline]
    fn on_losses(&mut self, fighters: u32, defenders: u32, losses: Losses) {
        let run = &mut self.run;
        let surplus = self.table.surplus(run.all, fighters, defenders, losses);
        self.sums
            .share(&surplus, run.attacker, run.defender, run.period);
        run.all -= losses.attacker + losses.defender * run.counts_defenders;
    }
}

/// The numbers of [`Luck`] by owner. Those of the neutral army, which has no luck, are never
/// read. Rows have two numbers more than needed: eight are found without a multiplication.
#[derive(Clone, Copy, Debug, Default)]
struct LuckSums([[f64; 8]; N_OWNERS]);

impl LuckSums {
    /// Adds the luck of a battle that is about to be resolved.
    fn count(&mut self, before: &State, outcome: Outcome) {
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
        let all = before.board().armies_of_seats();
        let surplus = Surplus::of(expectation(before, defenders), all, defenders, losses);
        let period = period_of(before.round());
        self.share(&surplus, before.player(), board.owner(to), period);
    }

    /// One side's gain is the other's loss.
    #[inline]
    fn share(&mut self, surplus: &Surplus, attacker: PlayerId, defender: PlayerId, period: usize) {
        let gains = &mut self.0[attacker.index()];
        gains[period & 7] += surplus.armies;
        gains[CONQUESTS] += surplus.conquest;
        let gains = &mut self.0[defender.index()];
        gains[period & 7] -= surplus.armies;
        gains[CONQUESTS] -= surplus.conquest;
    }
}

#[inline]
fn period_of(round: u32) -> usize {
    PERIODS[1..].iter().filter(|&&from| round >= from).count()
}

/// Actual minus expected result of an attack.
#[derive(Clone, Copy, Debug, Default)]
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

/// `Surplus::of` of every exchange under a dice rule, before the division by all armies: found
/// by the forces and the attacker's losses.
#[derive(Clone, Debug)]
pub struct LuckTable([[[Surplus; 4]; 5]; 4]);

impl LuckTable {
    /// The table of a game, used where its attacks are single exchanges.
    pub fn new(game: &Game) -> LuckTable {
        let dice = game.rules().battle.dice;
        let means = exchanges(dice.ties_to_attacker);
        let mut table = LuckTable([[[Surplus::default(); 4]; 5]; 4]);
        for (fighters, row) in (0u32..).zip(&mut table.0).skip(1) {
            for (defenders, cell) in (0u32..).zip(row).skip(1) {
                let (attacking, defending) = dice.dice(fighters, defenders);
                let mean = &means[usize::from(attacking)][usize::from(defending)];
                let exchange = Exchange::of(attacking, defending, dice.ties_to_attacker);
                for (losses, _) in exchange.outcomes() {
                    let expected = mean.at_defenders(defenders);
                    cell[losses.attacker as usize] = Surplus::of(expected, 1, defenders, losses);
                }
            }
        }
        table
    }

    /// Larger forces than the table's roll the dice of its last ones, and more defenders than it
    /// has do not fall in one exchange.
    #[inline]
    fn surplus(&self, all: u32, fighters: u32, defenders: u32, losses: Losses) -> Surplus {
        let row = &self.0[fighters.min(3) as usize];
        let Surplus { armies, conquest } =
            row[defenders.min(4) as usize][losses.attacker as usize & 3];
        Surplus {
            armies: armies / f64::from(all.max(1)),
            conquest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Observes every event, which forces play move by move.
    struct Single<'a>(LuckCounter<'a>);

    impl Observer for Single<'_> {
        fn on_event(&mut self, before: &State, event: Event) {
            self.0.on_event(before, event);
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
            let table = LuckTable::new(&game);
            for seed in 0..20 {
                let specs: Vec<&Spec> = specs.iter().take(n_players).collect();
                let setup = GameSetup {
                    game: &game,
                    specs: &specs,
                    deal_seed: seed,
                    seed,
                    grants: &Grants::sealed(),
                    start: None,
                    deal: None,
                };
                let mut runs = LuckCounter::new(&table);
                let mut single = Single(LuckCounter::new(&table));
                let played = play_game(&setup, &mut runs).expect("sound");
                assert_eq!(played, play_game(&setup, &mut single).expect("sound"));
                assert_eq!(played, play_game(&setup, &mut ()).expect("sound"));
                assert_eq!(runs.luck(), single.0.luck(), "{preset}, seed {seed}");
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
