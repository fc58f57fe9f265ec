//! Luck: the value after a chance event minus its expectation under the exact law.
//!
//! Its mean is zero for every single event, whatever the players do and however good
//! the value is. So the sum over a game can be taken off the result without changing
//! its mean (Burch, Schmid, Moravcik, Morrill and Bowling 2018, "AIVAT", for chance
//! events): that is the luck-adjusted result, and the arena's control variate.

use std::sync::Arc;

use hegemon_bots::{Guess, Judge, SpecError, Stop, Watch};
use hegemon_core::rules::FirstPlayer;
use hegemon_core::{ByPlayer, Event, Game, Node, Outcome, Phase, PlayerId, State};
use hegemon_eval::value::{Beholder, ValueNet};
use serde::{Deserialize, Serialize};

/// What chance decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LuckKind {
    /// The dice of an attack.
    Dice,
    /// A card drawn.
    Cards,
    /// Who begins, the deal, missions, scattered armies.
    Deal,
}

impl LuckKind {
    /// All kinds.
    pub const ALL: [LuckKind; 3] = [LuckKind::Dice, LuckKind::Cards, LuckKind::Deal];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            LuckKind::Dice => "dice",
            LuckKind::Cards => "cards",
            LuckKind::Deal => "deal",
        }
    }

    fn of(phase: Phase) -> LuckKind {
        match phase {
            Phase::Battle => LuckKind::Dice,
            Phase::Draw => LuckKind::Cards,
            _ => LuckKind::Deal,
        }
    }
}

/// The value and the law that luck is measured by, for one game.
#[derive(Clone, Debug)]
pub struct LuckLaw {
    net: Arc<ValueNet>,
    deal: DealLaw,
}

/// What is known about the mean value of a deal.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DealLaw {
    /// Chance names the first player: until the first decision the seats differ by their
    /// names alone, so that all have this mean.
    Symmetric(f64),
    /// A fixed seat begins, which is an advantage but not luck: the mean is taken over who
    /// gets which of the hands that were dealt.
    Hands,
    /// Nothing is dealt.
    Nothing,
}

impl LuckLaw {
    /// The law of a game.
    pub fn new(game: &Game) -> LuckLaw {
        let deal = match game.rules().first_player {
            FirstPlayer::Random => DealLaw::Symmetric(1.0 / game.n_players() as f64),
            FirstPlayer::Seat if game.has_draft() => DealLaw::Nothing,
            FirstPlayer::Seat => DealLaw::Hands,
        };
        LuckLaw {
            net: ValueNet::for_map(game.map()),
            deal,
        }
    }

    /// Every player's chance to win, as seen by somebody who sees no cards. They add up
    /// to one.
    pub fn chances(&self, state: &State) -> ByPlayer<f64> {
        self.net.chances(state, Beholder::default())
    }

    /// The luck of everybody in an outcome that is about to happen.
    ///
    /// A drawn card is valued through the eyes of who draws it: to the others, all cards
    /// are alike.
    pub fn of(&self, before: &State, outcome: Outcome) -> ByPlayer<f64> {
        let beholder = Beholder {
            viewer: (before.phase() == Phase::Draw).then(|| before.player()),
            champions: 0,
        };
        Prospects::of(before, outcome, |after| self.net.chances(after, beholder)).luck()
    }

    /// The luck of everybody in all that chance decided before the first decision of a
    /// game; none where nothing was dealt.
    pub fn of_deal(&self, first_decision: &State) -> Option<ByPlayer<f64>> {
        let n_players = first_decision.game().n_players();
        match self.deal {
            DealLaw::Symmetric(mean) => {
                let chances = self.chances(first_decision);
                Some(ByPlayer::from_fn(|seat| {
                    if seat.index() < n_players {
                        chances[seat] - mean
                    } else {
                        0.0
                    }
                }))
            }
            DealLaw::Hands => Some(self.hands(first_decision)?.luck()),
            DealLaw::Nothing => None,
        }
    }

    /// The hands of a deal handed round among the seats that get equally many territories.
    /// All these deals are equally likely.
    fn hands(&self, dealt: &State) -> Option<Prospects> {
        let mut groups: Vec<Vec<PlayerId>> = Vec::new();
        for seat in dealt.game().seats() {
            let size = dealt.board().n_owned(seat);
            let known = groups
                .iter_mut()
                .find(|group| dealt.board().n_owned(group[0]) == size);
            match known {
                Some(group) => group.push(seat),
                None => groups.push(vec![seat]),
            }
        }
        let n_deals: usize = groups.iter().map(Vec::len).product();
        let mut prospects = Prospects::default();
        for number in 0..n_deals {
            let (mut setup, mut rest) = (dealt.setup(), number);
            let mut receiver: ByPlayer<PlayerId> = ByPlayer::from_fn(|seat| seat);
            for group in &groups {
                let shift = rest % group.len();
                rest /= group.len();
                for (place, seat) in group.iter().enumerate() {
                    receiver[*seat] = group[(place + shift) % group.len()];
                }
            }
            for (owner, _) in setup.board.iter_mut().filter(|(owner, _)| owner.is_seat()) {
                *owner = receiver[*owner];
            }
            let chances = self.chances(&State::new(dealt.game(), &setup).ok()?);
            if number == 0 {
                prospects.actual = chances;
            }
            prospects.all.push((1.0 / n_deals as f64, chances));
        }
        Some(prospects)
    }
}

/// What happened, and all that could have happened with its probability: the chances after
/// it.
#[derive(Clone, Debug, Default)]
struct Prospects {
    actual: ByPlayer<f64>,
    all: Vec<(f64, ByPlayer<f64>)>,
}

impl Prospects {
    /// What could have happened beside an outcome, by some value.
    fn of(
        before: &State,
        actual: Outcome,
        mut value: impl FnMut(&State) -> ByPlayer<f64>,
    ) -> Prospects {
        let total = before.chance_total() as f64;
        let mut prospects = Prospects::default();
        before.for_each_outcome(|outcome, weight| {
            let mut after = before.clone();
            after.resolve_unchecked(outcome);
            let value = value(&after);
            if outcome == actual {
                prospects.actual = value;
            }
            prospects.all.push((weight as f64 / total, value));
        });
        prospects
    }

    /// What happened minus the mean.
    fn luck(&self) -> ByPlayer<f64> {
        let mut luck = self.actual;
        for (p, value) in &self.all {
            luck = ByPlayer::from_fn(|seat| luck[seat] - p * value[seat]);
        }
        luck
    }
}

/// Values the rolls of a game by rollouts to the mover's next turn and the net there: the
/// net's word in the middle of a turn does not know how this player goes on.
///
/// All outcomes of a roll are tried in the same worlds, and who sits where is believed from
/// the moves before it, so that the mean of the luck is zero as it is by the net alone.
pub struct Foresight {
    judge: Judge,
    watch: Watch,
    n_rollouts: u32,
}

impl Foresight {
    /// Nothing seen yet, in a game like this one.
    ///
    /// # Errors
    ///
    /// If a bot that plays the rollouts cannot play the game.
    pub fn new(game: &Arc<Game>, n_rollouts: u32) -> Result<Foresight, SpecError> {
        let judge = Judge::new(game, &Stop::never())?;
        Ok(Foresight {
            watch: judge.watch(0),
            judge,
            n_rollouts,
        })
    }

    /// The luck of everybody in an outcome that is about to happen.
    fn of(&self, before: &State, outcome: Outcome) -> ByPlayer<f64> {
        let (guess, seed): (Guess, u64) = (self.watch.guess(), before.hash64());
        let value = |after: &State| {
            let rollouts = self.judge.rollouts(after, &guess, self.n_rollouts, seed);
            rollouts.chances
        };
        Prospects::of(before, outcome, value).luck()
    }
}

/// The luck of a game by kind and seat, summed up event by event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LuckSums {
    sums: [ByPlayer<f64>; 3],
    has_begun: bool,
}

impl LuckSums {
    /// No luck yet, in a game that chance has not begun.
    pub fn new() -> LuckSums {
        LuckSums::default()
    }

    /// No luck yet, in a game that goes on from some position.
    pub fn midway() -> LuckSums {
        LuckSums {
            has_begun: true,
            ..LuckSums::default()
        }
    }

    /// Adds the luck of an event that is about to happen, and returns it with its kind.
    pub fn add(
        &mut self,
        law: &LuckLaw,
        before: &State,
        event: Event,
    ) -> Option<(LuckKind, ByPlayer<f64>)> {
        self.add_valued(law, before, event, |outcome| law.of(before, outcome))
    }

    /// The same with rolls valued by looking ahead, which sees and remembers the event.
    pub fn add_foreseen(
        &mut self,
        law: &LuckLaw,
        foresight: &mut Foresight,
        before: &State,
        event: Event,
    ) -> Option<(LuckKind, ByPlayer<f64>)> {
        let added = self.add_valued(law, before, event, |outcome| match before.phase() {
            Phase::Battle => foresight.of(before, outcome),
            _ => law.of(before, outcome),
        });
        foresight.watch.observe(before, event);
        added
    }

    fn add_valued(
        &mut self,
        law: &LuckLaw,
        before: &State,
        event: Event,
        luck_of: impl FnOnce(Outcome) -> ByPlayer<f64>,
    ) -> Option<(LuckKind, ByPlayer<f64>)> {
        let is_first_decision = !self.has_begun && matches!(before.node(), Node::Decision(_));
        let (kind, luck) = match event {
            Event::Move(_) if is_first_decision => {
                self.has_begun = true;
                (LuckKind::Deal, law.of_deal(before)?)
            }
            // All that happens before the first decision is one event.
            Event::Outcome(_) if !self.has_begun => return None,
            Event::Outcome(outcome) => (LuckKind::of(before.phase()), luck_of(outcome)),
            Event::Move(_) => return None,
        };
        let sums = &mut self.sums[kind as usize];
        *sums = ByPlayer::from_fn(|seat| sums[seat] + luck[seat]);
        Some((kind, luck))
    }

    /// All luck of a seat.
    pub fn total(&self, seat: PlayerId) -> f64 {
        self.sums.iter().map(|sums| sums[seat]).sum()
    }

    /// The luck of one kind by seat.
    pub fn of(&self, kind: LuckKind) -> &ByPlayer<f64> {
        &self.sums[kind as usize]
    }
}
