//! The effects of moves and outcomes on a state: setup, turns, elimination,
//! endings.

use crate::battle::Losses;
use crate::card::Card;
use crate::game::Mission;
use crate::ids::{PlayerId, TerritoryId};
use crate::moves::{Move, Outcome};
use crate::narrow::Narrow;
use crate::rules::{Attack, EarlyStop, FirstPlayer, Fortify, Occupy, Placement, TieBreak, Victory};
use crate::state::{Elimination, Ending, Phase, State};

impl State {
    /// Plays a move without checking that it is legal.
    ///
    /// An illegal move panics or leaves a meaningless state; it is never
    /// undefined behaviour. See [`State::play`] for the checked form.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        match mv {
            Move::Attack { from, to, with } => self.begin_battle(from, to, with),
            Move::Occupy { armies } => self.move_in((self.from, self.to), armies),
            Move::Place { territory, armies } => self.place(territory, armies),
            Move::End => self.end_phase(),
            Move::Fortify { from, to, armies } => self.fortify(from, to, armies),
            Move::Claim { territory } => self.claim(territory),
            Move::Capital { territory } => self.name_capital(territory),
            Move::Trade { cards, bonus } => self.trade(cards, bonus),
        }
    }

    /// Applies a chance outcome without checking that it is possible.
    #[inline(always)]
    pub fn resolve_unchecked(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Battle {
                attacker_losses,
                defender_losses,
            } => {
                self.end_battle(attacker_losses, defender_losses);
            }
            Outcome::Draw(card) => self.draw(card),
            Outcome::First(player) => {
                self.first = player;
                self.begin_claims();
            }
            Outcome::Deal(territory) => {
                let receiver = self.deal_receiver();
                self.take(territory, receiver);
            }
            Outcome::Scatter(territory) => self.scatter(territory),
            Outcome::Mission(number) => self.deal_mission(number),
        }
    }

    // ---- setup -----------------------------------------------------------

    pub(crate) fn begin_setup(&mut self) {
        match self.game.rules().first_player {
            FirstPlayer::Random => self.phase = Phase::First,
            FirstPlayer::Seat => self.begin_claims(),
        }
    }

    fn begin_claims(&mut self) {
        self.player = self.first;
        self.phase = if self.game.has_draft() {
            Phase::Claim
        } else {
            Phase::Deal
        };
    }

    /// Who gets the next territory of the deal: the seats in turn order, the
    /// neutral army last.
    pub(crate) fn deal_receiver(&self) -> PlayerId {
        let n_players = self.game.n_players();
        let n_parties = n_players + usize::from(self.game.has_neutral());
        let free = self.board.n_owned(PlayerId::NOBODY);
        let turn = (self.game.map().n_territories() - free) % n_parties;
        if turn == n_players {
            PlayerId::NEUTRAL
        } else {
            PlayerId::new((self.first.index() + turn) % n_players)
        }
    }

    /// Who gets the territory after this one.
    pub(crate) fn receiver_after(&self, receiver: PlayerId) -> PlayerId {
        if receiver == PlayerId::NEUTRAL {
            return self.first;
        }
        match self.seat_after(receiver) {
            next if next == self.first && self.game.has_neutral() => PlayerId::NEUTRAL,
            next => next,
        }
    }

    fn claim(&mut self, territory: TerritoryId) {
        let claimer = self.player;
        self.player = self.seat_after(claimer);
        self.take(territory, claimer);
    }

    fn take(&mut self, territory: TerritoryId, owner: PlayerId) {
        self.board.claim(territory, owner);
        if self.board.owned(PlayerId::NOBODY).is_empty() {
            self.fill_reserves();
        }
    }

    pub(crate) fn fill_reserves(&mut self) {
        let initial = self.game.initial_armies();
        for seat in self.game.seats() {
            self.reserve[seat] = initial - Narrow::<u32>::narrow(self.board.n_owned(seat));
        }
        if self.game.has_neutral() {
            self.neutral_reserve =
                initial - Narrow::<u32>::narrow(self.board.n_owned(PlayerId::NEUTRAL));
        }
        if self.game.rules().victory == Victory::Missions {
            self.player = PlayerId::new(0);
            self.phase = Phase::Mission;
        } else {
            self.begin_placement();
        }
    }

    fn deal_mission(&mut self, number: u8) {
        self.missions[self.player] = Some(number);
        if self.player.index() + 1 < self.game.n_players() {
            self.player = self.seat_after(self.player);
        } else {
            self.begin_placement();
        }
    }

    fn begin_placement(&mut self) {
        self.player = self.first;
        match self.game.rules().placement {
            Placement::Even => {
                for seat in self.game.seats() {
                    let reserve = std::mem::take(&mut self.reserve[seat]);
                    self.spread_evenly(seat, reserve);
                }
                self.spread_neutral();
                self.begin_capitals();
            }
            Placement::Scatter => self.begin_scatter(),
            Placement::AllAtOnce => {
                self.spread_neutral();
                self.next_batch(self.first);
            }
            Placement::RoundRobin { .. } => self.next_batch(self.first),
        }
    }

    fn spread_neutral(&mut self) {
        let reserve = std::mem::take(&mut self.neutral_reserve);
        self.spread_evenly(PlayerId::NEUTRAL, reserve);
    }

    /// Puts armies round-robin on the owner's territories in map order.
    fn spread_evenly(&mut self, owner: PlayerId, armies: u32) {
        let own = self.board.owned(owner);
        if own.is_empty() {
            return;
        }
        let n_own: u32 = own.len().narrow();
        let (each, rest) = (armies / n_own, armies % n_own);
        for (n, territory) in (0..).zip(own) {
            self.board.add_armies(territory, each + u32::from(n < rest));
        }
    }

    fn begin_scatter(&mut self) {
        self.phase = Phase::Scatter;
        if self.scatter_owner().is_none() {
            self.begin_capitals();
        }
    }

    /// Whose army is scattered next.
    pub(crate) fn scatter_owner(&self) -> Option<PlayerId> {
        let waiting = self.game.seats().find(|&seat| self.reserve[seat] > 0);
        waiting.or((self.neutral_reserve > 0).then_some(PlayerId::NEUTRAL))
    }

    fn scatter(&mut self, territory: TerritoryId) {
        let owner = self.board.owner(territory);
        self.board.add_armies(territory, 1);
        if owner == PlayerId::NEUTRAL {
            self.neutral_reserve -= 1;
        } else {
            self.reserve[owner] -= 1;
        }
        self.begin_scatter();
    }

    /// Gives the next batch to the first player from `seat` on with armies
    /// left.
    fn next_batch(&mut self, seat: PlayerId) {
        let n = self.game.n_players();
        let next = (0..n)
            .map(|step| PlayerId::new((seat.index() + step) % n))
            .find(|&candidate| self.reserve[candidate] > 0);
        let Some(next) = next else {
            self.spread_neutral();
            self.begin_capitals();
            return;
        };
        let batch = self.batch_of(self.reserve[next]);
        self.reserve[next] -= batch;
        self.player = next;
        self.last = None;
        self.to_place = batch;
        if let Placement::RoundRobin { batch, .. } = self.game.rules().placement {
            self.neutral_to_place = self.neutral_reserve.min(u32::from(batch));
            self.neutral_reserve -= self.neutral_to_place;
        }
        self.phase = Phase::Setup;
    }

    fn begin_capitals(&mut self) {
        self.player = self.first;
        if matches!(self.game.rules().victory, Victory::Capitals { .. }) {
            self.phase = Phase::Capital;
        } else {
            self.begin_first_turn();
        }
    }

    fn name_capital(&mut self, territory: TerritoryId) {
        self.capitals[self.player] = Some(territory);
        self.player = self.seat_after(self.player);
        if self.capitals[self.player].is_some() {
            self.begin_first_turn();
        }
    }

    fn begin_first_turn(&mut self) {
        self.player = self.first;
        self.round = 1;
        self.begin_turn();
    }

    // ---- a turn ----------------------------------------------------------

    fn seat_after(&self, seat: PlayerId) -> PlayerId {
        let next = seat.index() + 1;
        PlayerId::within(if next == self.game.n_players() {
            0
        } else {
            next
        })
    }

    #[inline]
    fn begin_turn(&mut self) {
        self.conquered = false;
        self.last = None;
        self.to_place = 0;
        self.gain(self.income(self.player));
        self.begin_trade_or_place();
    }

    /// Adds armies to place, as far as the supply lasts.
    #[inline]
    fn gain(&mut self, armies: u32) {
        let held = self.board.total_armies(self.player) + self.to_place;
        let left = u32::from(self.game.rules().supply).saturating_sub(held);
        self.to_place += armies.min(left);
    }

    #[inline]
    fn begin_trade_or_place(&mut self) {
        if self.game.rules().has_cards() && self.hands[self.player].has_set() {
            self.phase = Phase::Trade;
        } else {
            self.begin_reinforcement();
        }
    }

    #[inline]
    fn begin_reinforcement(&mut self) {
        self.phase = Phase::Reinforce;
        if self.to_place == 0 {
            self.end_reinforcement();
        }
    }

    fn trade(&mut self, cards: [Card; 3], bonus: Option<TerritoryId>) {
        let rules = self.game.rules();
        let worth = rules.cards.scheme.set_worth(cards, self.n_traded);
        let (once, armies) = (
            rules.cards.bonus_once,
            u32::from(rules.cards.territory_bonus),
        );
        let (forced_from, return_at_once) = (rules.cards.forced_from, rules.cards.return_at_once);
        self.n_traded += 1;
        for card in cards {
            self.hands[self.player].remove(card);
            if !return_at_once {
                self.discard.insert(card);
            }
            if let (false, Card::Territory(territory)) = (once, card) {
                self.add_card_bonus(territory, armies);
            }
        }
        if let Some(territory) = bonus {
            self.add_card_bonus(territory, armies);
        }
        self.gain(worth);
        if self.mid_turn && self.hands[self.player].len() < usize::from(forced_from) {
            self.begin_reinforcement();
        } else {
            self.begin_trade_or_place();
        }
    }

    fn add_card_bonus(&mut self, territory: TerritoryId, armies: u32) {
        if self.board.owner(territory) == self.player {
            let before = self.to_place;
            self.gain(armies);
            self.board.add_armies(territory, self.to_place - before);
            self.to_place = before;
        }
    }

    #[inline(always)]
    fn place(&mut self, territory: TerritoryId, armies: u32) {
        self.board.add_armies(territory, armies);
        self.last = Some(territory);
        if self.to_place > 0 {
            self.to_place -= armies;
        } else {
            self.neutral_to_place -= armies;
        }
        if self.to_place + self.neutral_to_place > 0 {
            return;
        }
        if self.phase == Phase::Setup {
            self.next_batch(self.seat_after(self.player));
        } else {
            self.end_reinforcement();
        }
    }

    fn end_reinforcement(&mut self) {
        self.mid_turn = false;
        self.phase = Phase::Attack;
        self.count_action();
    }

    #[inline(always)]
    pub(crate) fn begin_battle(&mut self, from: TerritoryId, to: TerritoryId, with: u32) {
        self.from = from;
        self.to = to;
        self.with = with;
        self.last = Some(from);
        self.phase = Phase::Battle;
    }

    /// Ends a run of `n` attacks, the last with `with` dice, in the state that
    /// single attacks would have left.
    #[inline(always)]
    pub(crate) fn settle_assault(
        &mut self,
        (from, to): (TerritoryId, TerritoryId),
        with: u32,
        n: u32,
        losses: Losses,
    ) {
        self.begin_battle(from, to, with);
        self.actions += n - 1;
        self.end_battle(losses.attacker, losses.defender);
    }

    #[inline(always)]
    pub(crate) fn end_battle(&mut self, attacker_losses: u32, defender_losses: u32) {
        self.board.remove_armies(self.from, attacker_losses);
        self.board.remove_armies(self.to, defender_losses);
        if self.board.armies(self.to) == 0 {
            self.board.change_owner(self.to, self.player);
            self.conquered = true;
            self.with = self.fewest_to_occupy(attacker_losses);
            self.phase = Phase::Occupy;
        } else {
            self.phase = Phase::Attack;
            self.count_action();
        }
    }

    /// The decisive exchange has no attacker losses, so it used as many dice as
    /// the survivors allow.
    fn fewest_to_occupy(&self, attacker_losses: u32) -> u32 {
        let battle = self.game.rules().battle;
        match (battle.occupy, battle.attack) {
            (Occupy::One, _) => 1,
            (Occupy::DiceRolled, Attack::Roll) => self.with,
            (Occupy::DiceRolled, _) => {
                (self.with - attacker_losses).min(u32::from(battle.dice.attacker_max))
            }
        }
    }

    /// [`Move::Occupy`] for callers that still know the front, to avoid reading
    /// back what was just written to the state.
    #[inline(always)]
    pub fn move_in(&mut self, (from, to): (TerritoryId, TerritoryId), armies: u32) {
        debug_assert_eq!(self.front(), Some((from, to)));
        self.board.move_armies(from, to, armies);
        self.last = Some(to);
        self.phase = Phase::Attack;
        let mover = self.player;
        let beaten = self
            .alive()
            .find(|&p| p != mover && self.board.owned(p).is_empty());
        if let Some(loser) = beaten {
            self.eliminate(loser);
        }
        self.check_victory();
        if self.phase == Phase::Over {
            return;
        }
        self.count_action();
        if beaten.is_some() && self.phase == Phase::Attack {
            self.trade_captured_hand();
        }
    }

    fn eliminate(&mut self, loser: PlayerId) {
        let order = (self.game.n_players() - self.n_alive()).narrow();
        self.alive &= !(1 << loser.index());
        self.eliminations[loser] = Some(Elimination {
            order,
            by: self.player,
        });
        let hand = std::mem::take(&mut self.hands[loser]);
        if self.game.rules().cards.capture {
            self.hands[self.player].extend(hand);
        } else if !self.game.rules().cards.return_at_once {
            self.discard.extend(hand);
        }
    }

    fn trade_captured_hand(&mut self) {
        let cards = &self.game.rules().cards;
        let hand = self.hands[self.player];
        if cards.capture && hand.len() >= usize::from(cards.capture_forced_from) {
            self.mid_turn = true;
            self.phase = Phase::Trade;
        }
    }

    fn end_phase(&mut self) {
        match self.phase {
            Phase::Trade => self.begin_reinforcement(),
            Phase::Attack => self.begin_fortification(),
            _ => self.end_fortification(),
        }
    }

    #[inline]
    fn begin_fortification(&mut self) {
        match self.game.rules().fortify {
            Fortify::None => self.end_turn(),
            Fortify::ManyAdjacent => {
                self.arrived.fill(0);
                self.phase = Phase::Fortify;
            }
            Fortify::OneAdjacent | Fortify::OneConnected => self.phase = Phase::Fortify,
        }
    }

    fn fortify(&mut self, from: TerritoryId, to: TerritoryId, armies: u32) {
        self.board.move_armies(from, to, armies);
        if self.game.rules().fortify == Fortify::ManyAdjacent {
            self.arrived[to.index()] += Narrow::<u16>::narrow(armies);
        } else {
            self.end_fortification();
        }
    }

    #[inline]
    fn end_fortification(&mut self) {
        self.count_action();
        if self.phase != Phase::Over {
            self.end_turn();
        }
    }

    #[inline]
    fn end_turn(&mut self) {
        self.check_victory();
        if self.phase == Phase::Over {
            return;
        }
        let draws = self.conquered && self.game.rules().has_cards() && !self.deck().is_empty();
        if draws {
            self.phase = Phase::Draw;
        } else {
            self.next_turn();
        }
    }

    fn draw(&mut self, card: Card) {
        if self.undrawn().is_empty() {
            // The discard pile was shuffled to be drawn from again.
            self.discard = crate::Hand::default();
        }
        self.hands[self.player].insert(card);
        self.next_turn();
    }

    #[inline]
    fn next_turn(&mut self) {
        loop {
            self.player = self.seat_after(self.player);
            if self.player == self.first {
                self.round += 1;
            }
            if self.is_alive(self.player) {
                break;
            }
        }
        let end = &self.game.rules().end;
        if self.round > end.turn_limit.unwrap_or(end.round_cap) {
            self.finish_late();
        } else {
            self.begin_turn();
        }
    }

    /// The last round is over and nobody has won.
    #[cold]
    fn finish_late(&mut self) {
        match self.game.rules().end.turn_limit {
            Some(_) => self.finish(Ending::TurnLimit, self.leaders()),
            None => self.finish(Ending::RoundCap, self.alive),
        }
    }

    // ---- the end ---------------------------------------------------------

    fn finish(&mut self, ending: Ending, winners: u8) {
        self.phase = Phase::Over;
        self.ending = Some(ending);
        self.winners = winners;
        self.to_place = 0;
    }

    #[inline]
    fn check_victory(&mut self) {
        if self.n_alive() == 1 {
            self.finish(Ending::Conquest, 1 << self.player.index());
        } else if self.game.rules().victory != Victory::Conquest {
            self.check_aims();
        }
    }

    /// Ends the game if the player met a victory condition.
    #[inline(never)]
    fn check_aims(&mut self) {
        let winner = 1 << self.player.index();
        match self.game.rules().victory {
            Victory::Conquest => {}
            Victory::Missions => {
                if self.has_fulfilled_mission() {
                    self.finish(Ending::Mission, winner);
                }
            }
            Victory::Capitals { hold, .. } => {
                if self.n_capitals_held() >= usize::from(hold) {
                    self.finish(Ending::Capitals, winner);
                }
            }
        }
    }

    /// Capitals the player holds; 0 without its own.
    fn n_capitals_held(&self) -> usize {
        let own = self.board.owned(self.player);
        let holds = |capital: &Option<TerritoryId>| capital.is_some_and(|c| own.contains(c));
        if !holds(&self.capitals[self.player]) {
            return 0;
        }
        self.capitals
            .as_slice()
            .iter()
            .filter(|capital| holds(capital))
            .count()
    }

    fn has_fulfilled_mission(&self) -> bool {
        let number = self.missions[self.player].map(usize::from);
        match number.and_then(|number| self.game.missions().get(number)) {
            None => false,
            Some(Mission::Continents(wanted)) => {
                let map = self.game.map();
                let owns = |&c: &_| self.board.owns_continent(map, self.player, c);
                let n_owned = map.continents().filter(owns).count();
                wanted.named.iter().all(owns) && n_owned >= wanted.named.len() + wanted.n_further
            }
            Some(&Mission::Territories { n, armies }) => self.holds_territories(n, armies),
            Some(&Mission::Eliminate(victim)) => match self.eliminations[victim] {
                Some(elimination) if elimination.by == self.player => true,
                None if victim != self.player => false,
                _ => self.holds_territories(self.game.mission_territories(), 1),
            },
        }
    }

    fn holds_territories(&self, n: usize, armies: u32) -> bool {
        let own = self.board.owned(self.player);
        own.iter()
            .filter(|&t| self.board.armies(t) >= armies)
            .count()
            >= n
    }

    /// Counts a recruitment, attack or fortification, and stops the game early
    /// if the rules say so.
    #[inline(always)]
    fn count_action(&mut self) {
        self.actions += 1;
        if let Some(stop) = self.game.rules().end.early_stop {
            self.check_lead(stop);
        }
    }

    #[inline(never)]
    fn check_lead(&mut self, stop: EarlyStop) {
        if self.actions < stop.after_actions {
            return;
        }
        let Some(leader) = self.alive().max_by_key(|&p| self.board.n_owned(p)) else {
            return;
        };
        let lead = self.board.n_owned(leader);
        let is_clear = self
            .alive()
            .filter(|&p| p != leader)
            .all(|p| lead >= self.board.n_owned(p) + usize::from(stop.lead));
        if is_clear {
            self.finish(Ending::EarlyStop, 1 << leader.index());
        }
    }

    /// The players who lead by the tie-breaks, as bits.
    fn leaders(&self) -> u8 {
        let mut leaders: Vec<PlayerId> = self.alive().collect();
        for tie_break in &self.game.rules().end.tie_breaks {
            let size = |&p: &PlayerId| match tie_break {
                TieBreak::Territories => self.board.n_owned(p).narrow(),
                TieBreak::Armies => self.board.total_armies(p),
            };
            let best = leaders.iter().map(size).max();
            leaders.retain(|p| Some(size(p)) == best);
        }
        leaders.iter().fold(0, |bits, p| bits | 1 << p.index())
    }
}
