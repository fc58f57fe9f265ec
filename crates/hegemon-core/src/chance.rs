//! Chance: which outcomes are possible, with which exact weights, and how to
//! draw one.

use thiserror::Error;

use crate::battle::{BattleTable, Exchange, Losses, RoundLaw, WEIGHT_TOTAL};
use crate::card::Hand;
use crate::ids::PlayerId;
use crate::moves::Outcome;
use crate::narrow::{Narrow as _, whole};
use crate::rng::Rng;
use crate::rules::Attack;
use crate::state::{Phase, State};
use crate::territory_set::TerritorySet;

/// An outcome that cannot happen here; the state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{outcome} cannot happen in the {phase:?} phase here")]
pub struct ResolveError {
    /// The rejected outcome.
    pub outcome: Outcome,
    /// The phase at the time.
    pub phase: Phase,
}

/// The three streams that chance draws from, so that one more card drawn never
/// changes the dice.
///
/// ```
/// use hegemon_core::{Game, Map, Node, Rules, Streams};
/// let map = Map::builtin("duel6").expect("shipped");
/// let game = Game::new(map, Rules::preset("lux").expect("shipped"), 2).expect("a game");
/// let mut streams = Streams::new(5);
/// let mut state = game.start();
/// while state.node() == Node::Chance {
///     let outcome = streams.draw(&state);
///     state.resolve(outcome).expect("drawn, so possible");
/// }
/// assert_eq!(state, game.deal(5));
/// ```
#[derive(Clone, Debug)]
pub struct Streams {
    deal: Rng,
    dice: Rng,
    cards: Rng,
}

impl Streams {
    /// The streams of the game with this seed.
    pub fn new(seed: u64) -> Streams {
        Streams::with_dice(seed, seed)
    }

    /// The streams with the deal of one seed and the dice and cards of another.
    pub fn with_dice(deal_seed: u64, dice_seed: u64) -> Streams {
        Streams {
            deal: Rng::stream(deal_seed, "deal"),
            dice: Rng::stream(dice_seed, "dice"),
            cards: Rng::stream(dice_seed, "cards"),
        }
    }

    /// The same place in the stream of the deal, with the dice and cards of another seed.
    #[must_use]
    pub fn with_dice_of(&self, dice_seed: u64) -> Streams {
        Streams {
            deal: self.deal.clone(),
            dice: Rng::stream(dice_seed, "dice"),
            cards: Rng::stream(dice_seed, "cards"),
        }
    }

    /// The random stream for the dice.
    #[inline]
    pub fn dice(&mut self) -> &mut Rng {
        &mut self.dice
    }

    /// Draws and applies the next chance outcome; a deal of territories runs to
    /// its end.
    #[inline]
    pub fn resolve(&mut self, state: &mut State) {
        match state.phase() {
            Phase::Deal => state.resolve_deal(&mut self.deal),
            _ => {
                let outcome = self.draw(state);
                state.resolve_unchecked(outcome);
            }
        }
    }

    /// Draws the next chance outcome.
    #[inline]
    pub fn draw(&mut self, state: &State) -> Outcome {
        let rng = match state.phase() {
            Phase::Battle => &mut self.dice,
            Phase::Draw => &mut self.cards,
            _ => &mut self.deal,
        };
        state.sample(rng)
    }
}

impl State {
    /// Calls `visit` with every possible outcome and its weight. The weights
    /// sum to [`State::chance_total`] exactly.
    ///
    /// Weights of deals, cards and single exchanges are exact counts. A battle
    /// fought to the end (or a large round of groups) has probabilities that no
    /// integer weights can express; its weights are the exact law rounded to a
    /// 2^60th.
    pub fn for_each_outcome(&self, mut visit: impl FnMut(Outcome, u64)) {
        match self.phase {
            Phase::First => {
                self.game
                    .seats()
                    .for_each(|seat| visit(Outcome::First(seat), 1));
            }
            Phase::Deal => {
                let free = self.board.owned(PlayerId::NOBODY);
                free.iter().for_each(|t| visit(Outcome::Deal(t), 1));
            }
            Phase::Scatter => {
                self.scatter_targets()
                    .iter()
                    .for_each(|t| visit(Outcome::Scatter(t), 1));
            }
            Phase::Mission => {
                self.free_missions()
                    .for_each(|number| visit(Outcome::Mission(number), 1));
            }
            Phase::Draw => for_each_card(self.deck(), visit),
            Phase::Battle => self.for_each_battle(visit),
            _ => {}
        }
    }

    /// Sum of the weights of all outcomes; 0 if the state is not at chance.
    pub fn chance_total(&self) -> u64 {
        match self.phase {
            Phase::First => self.game.n_players() as u64,
            Phase::Deal => self.board.n_owned(PlayerId::NOBODY) as u64,
            Phase::Scatter => self.scatter_targets().len() as u64,
            Phase::Mission => self.free_missions().count() as u64,
            Phase::Draw => self.deck().len() as u64,
            Phase::Battle => match self.game.rules().battle.attack {
                Attack::Roll => u64::from(self.exchange().total()),
                Attack::Groups => small_total(&self.group_round()).unwrap_or(WEIGHT_TOTAL),
                Attack::ToTheEnd | Attack::BalancedBlitz => WEIGHT_TOTAL,
            },
            _ => 0,
        }
    }

    /// Draws an outcome by its weight.
    ///
    /// # Panics
    ///
    /// If the state is not at chance.
    #[inline(always)]
    pub fn sample(&self, rng: &mut Rng) -> Outcome {
        match self.phase {
            Phase::Battle => self.sample_battle(rng),
            Phase::Draw => {
                let deck = self.deck();
                let card = deck.nth(rng.below(deck.len().narrow()) as usize);
                Outcome::Draw(card.expect("the number is below the deck's size"))
            }
            Phase::Deal => Outcome::Deal(pick(self.board.owned(PlayerId::NOBODY), rng)),
            Phase::Scatter => Outcome::Scatter(pick(self.scatter_targets(), rng)),
            Phase::First => {
                let seat = rng.below(self.game.n_players().narrow());
                Outcome::First(PlayerId::new(seat as usize))
            }
            Phase::Mission => {
                let n = rng.below(self.free_missions().count().narrow()) as usize;
                let number = self.free_missions().nth(n);
                Outcome::Mission(number.expect("there are more missions than players"))
            }
            phase => panic!("the {phase:?} phase is not at chance"),
        }
    }

    /// Draws an outcome and applies it: [`State::sample`] and
    /// [`State::resolve_unchecked`] in one.
    #[inline]
    pub fn resolve_sampled(&mut self, rng: &mut Rng) {
        let outcome = self.sample(rng);
        self.resolve_unchecked(outcome);
    }

    /// Draws and applies the next chance outcome; a deal of territories runs to
    /// its end. Same draws as repeated [`State::resolve_sampled`].
    #[inline]
    pub fn resolve_deal(&mut self, rng: &mut Rng) {
        if self.phase != Phase::Deal {
            self.resolve_sampled(rng);
            return;
        }
        let mut free = self.board.owned(PlayerId::NOBODY);
        let mut receiver = self.deal_receiver();
        for n_free in (1..=free.len()).rev() {
            let n = rng.below(n_free.narrow()) as usize;
            let territory = free.nth(n).expect("the number is below the set's size");
            free.remove(territory);
            self.board.claim(territory, receiver);
            receiver = self.receiver_after(receiver);
        }
        self.fill_reserves();
    }

    /// Applies a chance outcome.
    ///
    /// # Errors
    ///
    /// If the outcome is not possible; the state is then unchanged.
    pub fn resolve(&mut self, outcome: Outcome) -> Result<(), ResolveError> {
        if !self.is_possible(outcome) {
            return Err(ResolveError {
                outcome,
                phase: self.phase,
            });
        }
        self.resolve_unchecked(outcome);
        Ok(())
    }

    /// Whether the outcome is possible. Independent of
    /// [`State::for_each_outcome`], so that tests can compare the two.
    pub fn is_possible(&self, outcome: Outcome) -> bool {
        match (self.phase, outcome) {
            (Phase::First, Outcome::First(seat)) => seat.index() < self.game.n_players(),
            (Phase::Deal, Outcome::Deal(t)) => {
                t.index() < self.game.map().n_territories()
                    && self.board.owner(t) == PlayerId::NOBODY
            }
            (Phase::Scatter, Outcome::Scatter(t)) => self.scatter_targets().contains(t),
            (Phase::Mission, Outcome::Mission(number)) => {
                usize::from(number) < self.game.missions().len()
                    && !self.missions.as_slice().contains(&Some(number))
            }
            (Phase::Draw, Outcome::Draw(card)) => self.deck().contains(card),
            (
                Phase::Battle,
                Outcome::Battle {
                    attacker_losses,
                    defender_losses,
                },
            ) => self.is_possible_battle(attacker_losses, defender_losses),
            _ => false,
        }
    }

    fn is_possible_battle(&self, attacker_losses: u32, defender_losses: u32) -> bool {
        let (fighters, defenders) = (self.with, self.board.armies(self.to));
        // Checked, because the losses are arbitrary input.
        let both = attacker_losses.checked_add(defender_losses);
        match self.game.rules().battle.attack {
            Attack::Roll => both == Some(self.exchange().comparisons()),
            Attack::Groups => {
                let law = self.game.battles().law();
                both == Some(law.round_losses(fighters, defenders))
            }
            Attack::ToTheEnd => {
                (attacker_losses == fighters && defender_losses < defenders)
                    || (attacker_losses < fighters && defender_losses == defenders)
            }
            // Balancing cuts off the tails, so this needs the law itself.
            Attack::BalancedBlitz => {
                let law = self.battle_table().outcomes(fighters, defenders);
                law.as_slice().iter().any(|end| {
                    fighters - end.fighters == attacker_losses
                        && defenders - end.defenders == defender_losses
                })
            }
        }
    }

    fn scatter_targets(&self) -> TerritorySet {
        self.scatter_owner()
            .map_or(TerritorySet::EMPTY, |owner| self.board.owned(owner))
    }

    fn free_missions(&self) -> impl Iterator<Item = u8> + '_ {
        let all = 0..self.game.n_missions();
        all.filter(|&number| !self.missions.as_slice().contains(&Some(number)))
    }

    /// The odds table of the pending attack, for a capital or another
    /// territory.
    #[inline]
    fn battle_table(&self) -> &BattleTable {
        if self.game.has_extra_die() && self.capitals.as_slice().contains(&Some(self.to)) {
            self.game.capital_battles()
        } else {
            self.game.battles()
        }
    }

    /// The exchange of the pending attack: the attacker's chosen dice against
    /// the most the defender may roll.
    #[inline(always)]
    fn exchange(&self) -> &'static Exchange {
        let dice = self.battle_table().law().dice;
        Exchange::between(dice, self.with, self.board.armies(self.to))
    }

    /// Dice of the attacker and of the defender in the pending attack, where an
    /// attack is a single exchange.
    pub fn battle_dice(&self) -> Option<(u8, u8)> {
        let is_roll = self.game.rules().battle.attack == Attack::Roll;
        (self.phase == Phase::Battle && is_roll).then(|| {
            let rule = self.battle_table().law().dice;
            rule.dice(self.with, self.board.armies(self.to))
        })
    }

    fn group_round(&self) -> RoundLaw {
        self.game
            .battles()
            .law()
            .round(self.with, self.board.armies(self.to))
    }

    #[inline(always)]
    fn sample_battle(&self, rng: &mut Rng) -> Outcome {
        let losses = self.sample_losses(rng);
        Outcome::Battle {
            attacker_losses: losses.attacker,
            defender_losses: losses.defender,
        }
    }

    #[inline(always)]
    pub(crate) fn sample_losses(&self, rng: &mut Rng) -> Losses {
        match self.game.rules().battle.attack {
            Attack::Roll => self.exchange().sample(rng),
            Attack::Groups => {
                self.game
                    .battles()
                    .sample_round(self.with, self.board.armies(self.to), rng)
            }
            Attack::ToTheEnd | Attack::BalancedBlitz => {
                self.battle_table()
                    .sample(self.with, self.board.armies(self.to), rng)
            }
        }
    }

    fn for_each_battle(&self, mut visit: impl FnMut(Outcome, u64)) {
        let outcome = |attacker_losses, defender_losses| Outcome::Battle {
            attacker_losses,
            defender_losses,
        };
        let (fighters, defenders) = (self.with, self.board.armies(self.to));
        match self.game.rules().battle.attack {
            Attack::Roll => {
                for (losses, weight) in self.exchange().outcomes() {
                    visit(outcome(losses.attacker, losses.defender), u64::from(weight));
                }
            }
            Attack::Groups => {
                let round = self.group_round();
                for (attacker, weight) in (0..).zip(round_weights(&round)) {
                    if weight > 0 {
                        visit(outcome(attacker, round.comparisons() - attacker), weight);
                    }
                }
            }
            Attack::ToTheEnd | Attack::BalancedBlitz => {
                for end in self.battle_table().outcomes(fighters, defenders).as_slice() {
                    visit(
                        outcome(fighters - end.fighters, defenders - end.defenders),
                        end.weight,
                    );
                }
            }
        }
    }
}

fn pick(set: TerritorySet, rng: &mut Rng) -> crate::TerritoryId {
    set.nth(rng.below(set.len().narrow()) as usize)
        .expect("the number is below the set's size")
}

fn for_each_card(deck: Hand, mut visit: impl FnMut(Outcome, u64)) {
    for territory in deck.territories {
        visit(Outcome::Draw(crate::Card::Territory(territory)), 1);
    }
    if deck.wilds > 0 {
        visit(Outcome::Draw(crate::Card::Wild), u64::from(deck.wilds));
    }
}

/// The sum of a round's exact weights, where it fits.
fn small_total(round: &RoundLaw) -> Option<u64> {
    round
        .weights()
        .and_then(|(_, total)| u64::try_from(total).ok())
}

/// A round's weights by the attacker's losses: exact where their sum fits, the
/// exact law rounded to a 2^60th in larger rounds.
fn round_weights(round: &RoundLaw) -> Vec<u64> {
    if let (Some(_), Some((weights, _))) = (small_total(round), round.weights()) {
        return weights.iter().map(|&weight| weight.narrow()).collect();
    }
    let mut weights: Vec<u64> = round
        .outcomes()
        .map(|(_, probability)| whole((probability * WEIGHT_TOTAL as f64).round()))
        .collect();
    let sum: u64 = weights.iter().sum();
    if let Some(largest) = weights.iter_mut().max() {
        *largest = (*largest + WEIGHT_TOTAL) - sum;
    }
    weights
}
