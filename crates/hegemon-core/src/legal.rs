//! Legal moves: listed in groups, and checked one by one. The two are
//! independent, so that each tests the other.

use std::ops::{ControlFlow, RangeInclusive};

use thiserror::Error;

use crate::card::{Card, is_set};
use crate::ids::{PlayerId, TerritoryId};
use crate::moves::{Move, MoveGroup};
use crate::rules::{Attack, Commitment, Fortify};
use crate::state::{Phase, State};
use crate::territory_set::TerritorySet;

/// A move that is not legal; the state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{mv} is not legal in the {phase:?} phase here")]
pub struct PlayError {
    /// The rejected move.
    pub mv: Move,
    /// The phase at the time.
    pub phase: Phase,
}

impl State {
    /// Plays a legal move.
    ///
    /// # Errors
    ///
    /// If the move is not legal; the state is then unchanged.
    ///
    /// ```
    /// use hegemon_core::{Game, Map, Move, Rules};
    /// let map = Map::builtin("classic").expect("shipped");
    /// let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
    /// let mut state = game.deal(1);
    /// assert!(state.play(Move::End).is_err(), "armies must be placed first");
    /// let mv = state.legal_moves()[0];
    /// state.play(mv).expect("listed, so legal");
    /// ```
    pub fn play(&mut self, mv: Move) -> Result<(), PlayError> {
        if !self.is_legal(mv) {
            return Err(PlayError {
                mv,
                phase: self.phase,
            });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// All legal moves; empty at chance and at the end.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for group in self.legal_groups() {
            group.for_each_move(|mv| moves.push(mv));
        }
        moves
    }

    /// All legal moves, in groups.
    pub fn legal_groups(&self) -> Vec<MoveGroup> {
        let mut groups = Vec::new();
        self.for_each_group(|group| {
            groups.push(group);
            ControlFlow::Continue(())
        });
        groups
    }

    /// How many moves are legal.
    pub fn n_legal_moves(&self) -> usize {
        let mut n = 0;
        self.for_each_group(|group| {
            n += group.n_moves();
            ControlFlow::Continue(())
        });
        n
    }

    /// Calls `visit` with each group of legal moves until it breaks.
    pub fn for_each_group(&self, mut visit: impl FnMut(MoveGroup) -> ControlFlow<()>) {
        let own = self.board.owned(self.player);
        // The result only says whether the visitor stopped early.
        let _ = match self.phase {
            Phase::Claim => visit(MoveGroup::Claim(self.board.owned(PlayerId::NOBODY))),
            Phase::Capital => visit(MoveGroup::Capital(own)),
            Phase::Setup | Phase::Reinforce => visit(self.place_group()),
            Phase::Trade => self.for_each_trade(&mut visit),
            Phase::Attack => self.for_each_attack(&mut visit),
            Phase::Occupy => visit(MoveGroup::Occupy(
                self.with..=self.board.armies(self.from) - 1,
            )),
            Phase::Fortify => self.for_each_fortification(&mut visit),
            _ => ControlFlow::Continue(()),
        };
    }

    fn place_group(&self) -> MoveGroup {
        if self.to_place > 0 {
            MoveGroup::Place(self.board.owned(self.player), 1..=self.to_place)
        } else {
            MoveGroup::Place(
                self.board.owned(PlayerId::NEUTRAL),
                1..=self.neutral_to_place,
            )
        }
    }

    fn for_each_trade(
        &self,
        visit: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut trades = Vec::new();
        self.hands[self.player].for_each_set(|cards| {
            let choices = self.bonus_choices(cards);
            if choices.is_empty() {
                trades.push(Move::Trade { cards, bonus: None });
            }
            trades.extend(choices.iter().map(|t| Move::Trade {
                cards,
                bonus: Some(t),
            }));
        });
        for trade in trades {
            visit(MoveGroup::Trade(trade))?;
        }
        if self.may_end_trade() {
            visit(MoveGroup::End)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// The territories that may get the bonus of a traded set.
    fn bonus_choices(&self, cards: [Card; 3]) -> TerritorySet {
        let rules = &self.game.rules().cards;
        if !rules.bonus_once || rules.territory_bonus == 0 {
            return TerritorySet::EMPTY;
        }
        let shown: TerritorySet = cards
            .iter()
            .filter_map(|card| match card {
                Card::Territory(territory) => Some(*territory),
                Card::Wild => None,
            })
            .collect();
        shown & self.board.owned(self.player)
    }

    fn may_end_trade(&self) -> bool {
        let limit = usize::from(self.game.rules().cards.forced_from);
        !self.mid_turn && self.hands[self.player].len() < limit
    }

    /// The dice or armies that an attack from here may use.
    #[inline]
    pub fn attack_range(&self, from: TerritoryId) -> RangeInclusive<u32> {
        let battle = &self.game.rules().battle;
        let spare = self.board.armies(from).saturating_sub(1);
        let most = match battle.attack {
            Attack::Roll => spare.min(u32::from(battle.dice.attacker_max)),
            _ => spare,
        };
        match battle.commitment {
            Commitment::Choice => 1..=most,
            Commitment::Maximum => most.max(1)..=most,
        }
    }

    fn for_each_attack(
        &self,
        visit: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let map = self.game.map();
        for from in self.board.owned(self.player) {
            let targets = self.board.enemy_neighbors(map, from);
            if self.board.armies(from) > 1 && !targets.is_empty() {
                visit(MoveGroup::Attack(from, targets, self.attack_range(from)))?;
            }
        }
        visit(MoveGroup::End)
    }

    fn for_each_fortification(
        &self,
        visit: &mut impl FnMut(MoveGroup) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let map = self.game.map();
        let own = self.board.owned(self.player);
        for from in own {
            let mut most = self.board.armies(from) - 1;
            let targets = match self.game.rules().fortify {
                Fortify::None => TerritorySet::EMPTY,
                Fortify::OneAdjacent => map.neighbors(from) & own,
                Fortify::OneConnected => self.board.region(map, from) - TerritorySet::of(from),
                Fortify::ManyAdjacent => {
                    most = most.min(self.moveable(from));
                    map.neighbors(from) & own
                }
            };
            if most > 0 && !targets.is_empty() {
                visit(MoveGroup::Fortify(from, targets, 1..=most))?;
            }
        }
        visit(MoveGroup::End)
    }

    /// Whether the move is legal. Independent of [`State::legal_moves`], so
    /// that tests can compare the two.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        match mv {
            Move::Claim { territory } => {
                self.phase == Phase::Claim
                    && self.is_on_map(territory)
                    && self.board.owner(territory) == PlayerId::NOBODY
            }
            Move::Capital { territory } => self.phase == Phase::Capital && self.is_mine(territory),
            Move::Trade { cards, bonus } => {
                self.phase == Phase::Trade && self.is_legal_trade(cards, bonus)
            }
            Move::Place { territory, armies } => self.is_legal_place(territory, armies),
            Move::Attack { from, to, with } => {
                self.phase == Phase::Attack
                    && self.is_mine(from)
                    && self.is_on_map(to)
                    && !self.is_mine(to)
                    && self.game.map().are_neighbors(from, to)
                    && self.attack_range(from).contains(&with)
            }
            Move::Occupy { armies } => {
                self.phase == Phase::Occupy
                    && armies >= self.with
                    && armies < self.board.armies(self.from)
            }
            Move::Fortify { from, to, armies } => self.is_legal_fortify(from, to, armies),
            Move::End => match self.phase {
                Phase::Attack | Phase::Fortify => true,
                Phase::Trade => self.may_end_trade(),
                _ => false,
            },
        }
    }

    #[inline]
    fn is_on_map(&self, territory: TerritoryId) -> bool {
        territory.index() < self.game.map().n_territories()
    }

    #[inline]
    fn is_mine(&self, territory: TerritoryId) -> bool {
        self.is_on_map(territory) && self.board.owner(territory) == self.player
    }

    fn is_legal_place(&self, territory: TerritoryId, armies: u32) -> bool {
        if !matches!(self.phase, Phase::Setup | Phase::Reinforce) || !self.is_on_map(territory) {
            return false;
        }
        let (owner, most) = if self.to_place > 0 {
            (self.player, self.to_place)
        } else {
            (PlayerId::NEUTRAL, self.neutral_to_place)
        };
        self.board.owner(territory) == owner && (1..=most).contains(&armies)
    }

    fn is_legal_trade(&self, cards: [Card; 3], bonus: Option<TerritoryId>) -> bool {
        let mut hand = self.hands[self.player];
        for card in cards {
            if !hand.contains(card) {
                return false;
            }
            hand.remove(card);
        }
        let in_order = cards[0] <= cards[1] && cards[1] <= cards[2];
        let choices = self.bonus_choices(cards);
        let bonus_fits = match bonus {
            Some(territory) => choices.contains(territory),
            None => choices.is_empty(),
        };
        in_order && is_set(cards) && bonus_fits
    }

    fn is_legal_fortify(&self, from: TerritoryId, to: TerritoryId, armies: u32) -> bool {
        if self.phase != Phase::Fortify || from == to || !self.is_mine(from) || !self.is_mine(to) {
            return false;
        }
        if armies == 0 || armies >= self.board.armies(from) {
            return false;
        }
        let map = self.game.map();
        let adjacent = map.neighbor_list(from).contains(&to);
        match self.game.rules().fortify {
            Fortify::None => false,
            Fortify::OneAdjacent => adjacent,
            Fortify::OneConnected => self.board.region(map, from).contains(to),
            Fortify::ManyAdjacent => adjacent && armies <= self.moveable(from),
        }
    }
}
