//! Rare events, counted by comparing a state before and after an edge.

use std::fmt;

use hegemon_core::{Card, Ending, Move, Outcome, Phase, State};

/// How often each rare event was met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Events {
    pub(crate) eliminations: u32,
    pub(crate) hand_captures: u32,
    pub(crate) forced_trades: u32,
    pub(crate) mid_turn_trades: u32,
    pub(crate) wild_trades: u32,
    pub(crate) limited_incomes: u32,
    pub(crate) reshuffles: u32,
    pub(crate) shared_wins: u32,
    pub(crate) conquests: u32,
    pub(crate) missions: u32,
    pub(crate) capitals: u32,
    pub(crate) turn_limits: u32,
    pub(crate) early_stops: u32,
}

impl Events {
    pub(crate) fn count_move(&mut self, before: &State, mv: Move, after: &State) {
        if let Move::Trade { cards, .. } = mv {
            self.wild_trades += u32::from(cards.contains(&Card::Wild));
            self.mid_turn_trades += u32::from(before.is_mid_turn());
            let forced = !before.is_mid_turn() && !before.is_legal(Move::End);
            self.forced_trades += u32::from(forced);
        }
        if after.n_alive() < before.n_alive() {
            self.eliminations += 1;
            let loser = before
                .alive()
                .find(|&p| !after.is_alive(p))
                .expect("one is out");
            let hand = before.hand(loser);
            let got = after.hand(before.player()).len() - before.hand(before.player()).len();
            if before.game().rules().cards.capture && !hand.is_empty() {
                assert_eq!(got, hand.len(), "the conqueror takes the whole hand");
                self.hand_captures += 1;
            } else {
                assert_eq!(got, 0);
            }
            assert!(after.hand(loser).is_empty());
        }
        self.count_edge(before, after);
    }

    pub(crate) fn count_outcome(&mut self, before: &State, outcome: Outcome, after: &State) {
        if matches!(outcome, Outcome::Draw(_))
            && !before.discard().is_empty()
            && after.discard().is_empty()
        {
            self.reshuffles += 1;
        }
        self.count_edge(before, after);
    }

    fn count_edge(&mut self, before: &State, after: &State) {
        let new_turn = (before.round(), before.player()) != (after.round(), after.player());
        if after.phase() == Phase::Over {
            self.count_ending(after);
        } else if after.round() > 0 && new_turn && after.to_place() < after.income(after.player()) {
            self.limited_incomes += 1;
        }
    }

    fn count_ending(&mut self, state: &State) {
        let result = state.result().expect("the game is over");
        *match result.ending {
            Ending::Conquest => &mut self.conquests,
            Ending::Mission => &mut self.missions,
            Ending::Capitals => &mut self.capitals,
            Ending::TurnLimit => &mut self.turn_limits,
            Ending::EarlyStop => &mut self.early_stops,
            Ending::RoundCap => return,
        } += 1;
        self.shared_wins += u32::from(result.score.as_slice().iter().all(|&s| s < 1.0));
    }

    /// Every counter with its name.
    pub(crate) fn named(&self) -> [(&'static str, u32); 13] {
        [
            ("eliminations", self.eliminations),
            ("hand_captures", self.hand_captures),
            ("forced_trades", self.forced_trades),
            ("mid_turn_trades", self.mid_turn_trades),
            ("wild_trades", self.wild_trades),
            ("limited_incomes", self.limited_incomes),
            ("reshuffles", self.reshuffles),
            ("shared_wins", self.shared_wins),
            ("conquests", self.conquests),
            ("missions", self.missions),
            ("capitals", self.capitals),
            ("turn_limits", self.turn_limits),
            ("early_stops", self.early_stops),
        ]
    }
}

impl fmt::Display for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, n) in self.named() {
            writeln!(f, "{name}: {n},")?;
        }
        Ok(())
    }
}
