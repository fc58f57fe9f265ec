//! A state and the part of a move that has been chosen so far.

use std::ops::ControlFlow;

use hegemon_core::{Card, Move, MoveGroup, Node, State, TerritoryId, TerritorySet};

use super::action_space::{ActionSpace, MoveStep, N_AMOUNTS};

/// A state whose moves are made step by step: territory, then target, then amount. Every
/// legal move can be made, and nothing else: the steps come from the core's list of moves.
#[derive(Clone, Debug)]
pub(crate) struct Dialogue {
    state: State,
    space: ActionSpace,
    groups: Vec<MoveGroup>,
    chosen: Chosen,
}

/// What has been chosen of the move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Chosen {
    Nothing,
    /// Where the armies come from; the target is next. The number is that of the group.
    Source(TerritoryId, usize),
    /// Some cards of a set, in order.
    Cards(Vec<Card>),
    /// A whole set; who gets the bonus is next.
    Set([Card; 3]),
    /// All but the amount, which is between these.
    Amount {
        head: Head,
        low: u32,
        high: u32,
    },
}

/// A move without its amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Head {
    Place(TerritoryId),
    Attack(TerritoryId, TerritoryId),
    Occupy,
    Fortify(TerritoryId, TerritoryId),
}

impl Head {
    fn with(self, armies: u32) -> Move {
        match self {
            Head::Place(territory) => Move::Place { territory, armies },
            Head::Attack(from, to) => Move::Attack {
                from,
                to,
                with: armies,
            },
            Head::Occupy => Move::Occupy { armies },
            Head::Fortify(from, to) => Move::Fortify { from, to, armies },
        }
    }
}

impl Dialogue {
    pub(crate) fn new(state: State) -> Dialogue {
        let space = ActionSpace::new(state.game().map().n_territories());
        let mut dialogue = Dialogue {
            state,
            space,
            groups: Vec::new(),
            chosen: Chosen::Nothing,
        };
        dialogue.begin();
        dialogue
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn space(&self) -> ActionSpace {
        self.space
    }

    pub(crate) fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// Changes the state by something else than a step, and begins anew.
    #[inline]
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.state);
        self.begin();
        result
    }

    /// Changes the state without listing its moves: more changes follow before the next step.
    #[inline]
    pub(crate) fn pass_over<T>(&mut self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state)
    }

    /// Lists what can be chosen first.
    #[inline]
    pub(crate) fn begin(&mut self) {
        let Dialogue { state, groups, .. } = self;
        groups.clear();
        if matches!(state.node(), Node::Decision(_)) {
            state.for_each_group(|group| {
                groups.push(group);
                ControlFlow::Continue(())
            });
        }
        self.chosen = match &self.groups[..] {
            [MoveGroup::Occupy(range)] => Chosen::Amount {
                head: Head::Occupy,
                low: *range.start(),
                high: *range.end(),
            },
            _ => Chosen::Nothing,
        };
    }

    /// Calls `visit` with the number of every legal action.
    #[inline]
    pub(crate) fn for_each_action(&self, mut visit: impl FnMut(usize)) {
        let space = self.space;
        let mut all = |set: TerritorySet, step: fn(TerritoryId) -> MoveStep| {
            set.iter().for_each(|t| visit(space.number(step(t))));
        };
        match &self.chosen {
            Chosen::Nothing => {
                for group in &self.groups {
                    match group {
                        MoveGroup::Claim(set)
                        | MoveGroup::Capital(set)
                        | MoveGroup::Place(set, _) => all(*set, MoveStep::Territory),
                        MoveGroup::Attack(from, ..) | MoveGroup::Fortify(from, ..) => {
                            all(TerritorySet::of(*from), MoveStep::Territory);
                        }
                        MoveGroup::Trade(_) | MoveGroup::Occupy(_) | MoveGroup::End => {}
                    }
                }
                if self.groups.last() == Some(&MoveGroup::End) {
                    visit(space.number(MoveStep::End));
                }
                self.for_each_next_card(&[], |card| visit(space.number(MoveStep::Card(card))));
            }
            Chosen::Source(_, group) => match &self.groups[*group] {
                MoveGroup::Attack(_, targets, _) | MoveGroup::Fortify(_, targets, _) => {
                    all(*targets, MoveStep::Target);
                }
                _ => {}
            },
            Chosen::Cards(cards) => {
                self.for_each_next_card(cards, |card| visit(space.number(MoveStep::Card(card))));
            }
            Chosen::Set(cards) => {
                let heirs = self.heirs(*cards).flatten();
                heirs.for_each(|t| visit(space.number(MoveStep::Target(t))));
            }
            Chosen::Amount { low, high, .. } => {
                let n = N_AMOUNTS.min((high - low + 1) as usize);
                (0..n).for_each(|k| visit(space.number(MoveStep::Amount(k))));
            }
        }
    }

    /// The trades on offer.
    fn trades(&self) -> impl Iterator<Item = ([Card; 3], Option<TerritoryId>)> + '_ {
        self.groups.iter().filter_map(|group| match group {
            MoveGroup::Trade(Move::Trade { cards, bonus }) => Some((*cards, *bonus)),
            _ => None,
        })
    }

    /// The cards that go on from these to a set, each once.
    fn for_each_next_card(&self, chosen: &[Card], mut visit: impl FnMut(Card)) {
        // Sets are listed in the order of their cards, so equal ones are neighbours only for
        // the first card; the seen list is as short as a hand.
        let mut seen: Vec<Card> = Vec::new();
        for (cards, _) in self.trades() {
            let next = cards[chosen.len()];
            if cards[..chosen.len()] == *chosen && !seen.contains(&next) {
                seen.push(next);
                visit(next);
            }
        }
    }

    /// Who may get the bonus of this set.
    fn heirs(&self, set: [Card; 3]) -> impl Iterator<Item = Option<TerritoryId>> + '_ {
        let trades = self.trades().filter(move |(cards, _)| *cards == set);
        trades.map(|(_, bonus)| bonus)
    }

    /// Takes a step. Returns the move once it is whole; it is then up to the caller to make
    /// it. `Err` if the action is not legal; nothing has then changed.
    pub(crate) fn take(&mut self, action: usize) -> Result<Option<Move>, ()> {
        let step = self.space.step(action).ok_or(())?;
        match (&self.chosen, step) {
            (Chosen::Nothing, MoveStep::End) => {
                let may_end = self.groups.last() == Some(&MoveGroup::End);
                may_end.then_some(Some(Move::End)).ok_or(())
            }
            (Chosen::Nothing, MoveStep::Territory(territory)) => self.take_territory(territory),
            (Chosen::Nothing, MoveStep::Card(card)) => self.take_card(Vec::new(), card),
            (Chosen::Cards(cards), MoveStep::Card(card)) => {
                let cards = cards.clone();
                self.take_card(cards, card)
            }
            (Chosen::Source(from, group), MoveStep::Target(to)) => {
                let (from, group) = (*from, *group);
                let (head, targets, range) = match &self.groups[group] {
                    MoveGroup::Attack(_, targets, range) => {
                        (Head::Attack(from, to), *targets, range)
                    }
                    MoveGroup::Fortify(_, targets, range) => {
                        (Head::Fortify(from, to), *targets, range)
                    }
                    _ => return Err(()),
                };
                let (low, high) = (*range.start(), *range.end());
                if !targets.contains(to) {
                    return Err(());
                }
                Ok(self.narrow(head, low, high))
            }
            (Chosen::Set(cards), MoveStep::Target(heir)) => {
                let (cards, bonus) = (*cards, Some(heir));
                let is_heir = self.heirs(cards).any(|known| known == bonus);
                is_heir
                    .then_some(Some(Move::Trade { cards, bonus }))
                    .ok_or(())
            }
            (&Chosen::Amount { head, low, high }, MoveStep::Amount(k)) => {
                let (low, high) = part(low, high, k).ok_or(())?;
                Ok(self.narrow(head, low, high))
            }
            _ => Err(()),
        }
    }

    fn take_territory(&mut self, territory: TerritoryId) -> Result<Option<Move>, ()> {
        for (number, group) in self.groups.iter().enumerate() {
            match group {
                MoveGroup::Claim(set) if set.contains(territory) => {
                    return Ok(Some(Move::Claim { territory }));
                }
                MoveGroup::Capital(set) if set.contains(territory) => {
                    return Ok(Some(Move::Capital { territory }));
                }
                MoveGroup::Place(set, range) if set.contains(territory) => {
                    let (low, high) = (*range.start(), *range.end());
                    return Ok(self.narrow(Head::Place(territory), low, high));
                }
                MoveGroup::Attack(from, ..) | MoveGroup::Fortify(from, ..)
                    if *from == territory =>
                {
                    self.chosen = Chosen::Source(territory, number);
                    return Ok(None);
                }
                _ => {}
            }
        }
        Err(())
    }

    fn take_card(&mut self, mut cards: Vec<Card>, card: Card) -> Result<Option<Move>, ()> {
        cards.push(card);
        if !self
            .trades()
            .any(|(set, _)| set[..cards.len()] == cards[..])
        {
            return Err(());
        }
        let Ok(set) = <[Card; 3]>::try_from(&cards[..]) else {
            self.chosen = Chosen::Cards(cards);
            return Ok(None);
        };
        let (cards, bonus) = (set, None);
        if self.heirs(set).any(|heir| heir.is_none()) {
            return Ok(Some(Move::Trade { cards, bonus }));
        }
        self.chosen = Chosen::Set(set);
        Ok(None)
    }

    /// The move if only one amount is left, else the amount is the next step.
    fn narrow(&mut self, head: Head, low: u32, high: u32) -> Option<Move> {
        if low == high {
            return Some(head.with(low));
        }
        self.chosen = Chosen::Amount { head, low, high };
        None
    }
}

/// Part `k` of a range, counted from the top: a single amount if there are few, else one of
/// [`N_AMOUNTS`] nearly equal parts, from which the next step chooses.
fn part(low: u32, high: u32, k: usize) -> Option<(u32, u32)> {
    let n = N_AMOUNTS as u64;
    let (width, k) = (u64::from(high - low) + 1, k as u64);
    let below = |count: u64| high - u32::try_from(count).unwrap_or(u32::MAX);
    if width <= n {
        return (k < width).then(|| (below(k), below(k)));
    }
    (k < n).then(|| (below((k + 1) * width / n - 1), below(k * width / n)))
}
