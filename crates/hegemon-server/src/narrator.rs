//! A state that describes, event by event, what happens to it.

use std::sync::Arc;

use hegemon_core::Event;
use hegemon_core::battle::Losses;
use hegemon_core::{Card, Move, Node, Outcome, Phase, PlayerId, State, TerritoryId};
use hegemon_protocol::owner_number;

use crate::dice::ShownDice;
use crate::entry::LogEntry;
use crate::wire::{AfterDto, EventKind, GameEvent, LossesDto, MeanLossesDto};

/// Most steps that a narrator spends on the mean losses of whole battles and of
/// rounds of groups, as attackers times defenders: a fraction of a second.
const MAX_MEAN_COST: u64 = 30_000_000;

/// Applies entries to a state and puts them into words.
#[derive(Clone, Debug)]
pub(crate) struct Narrator {
    state: State,
    names: Arc<[String]>,
    dice: ShownDice,
    /// Whether hidden cards are named: only once the game is over.
    reveals: bool,
    seq: u64,
    /// Steps spent on mean losses.
    mean_cost: u64,
}

/// The entry is not possible in the state; neither state nor number change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not possible here")]
pub(crate) struct ImpossibleError(pub String);

impl Narrator {
    /// A narrator before the first event.
    pub(crate) fn new(start: State, names: Arc<[String]>, seed: u64) -> Narrator {
        Narrator {
            state: start,
            names,
            dice: ShownDice::new(seed),
            reveals: false,
            seq: 0,
            mean_cost: 0,
        }
    }

    /// Names hidden cards too.
    #[must_use]
    pub(crate) fn revealing(mut self) -> Narrator {
        self.reveals = true;
        self
    }

    /// Players are called this from now on.
    pub(crate) fn rename(&mut self, names: Arc<[String]>) {
        self.names = names;
    }

    /// The state now.
    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// Number of the last entry; 0 before the first.
    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }

    /// Applies an entry and describes it.
    ///
    /// # Errors
    ///
    /// If it is not possible in this state.
    pub(crate) fn tell(&mut self, entry: &LogEntry) -> Result<GameEvent, ImpossibleError> {
        let before = self.state.clone();
        self.apply(entry)?;
        Ok(match entry {
            LogEntry::Event(Event::Move(mv)) | LogEntry::StandIn(mv) => {
                self.told_move(&before, *mv)
            }
            LogEntry::Event(Event::Outcome(outcome)) => self.told_outcome(&before, *outcome),
            LogEntry::Note { seat, text } => {
                self.event(Some(PlayerId::new(*seat)), EventKind::Note, text.clone())
            }
        })
    }

    /// Applies an entry without describing it.
    ///
    /// # Errors
    ///
    /// If it is not possible in this state.
    pub(crate) fn apply(&mut self, entry: &LogEntry) -> Result<(), ImpossibleError> {
        let impossible = || ImpossibleError(entry.to_string());
        if let Some(event) = entry.event() {
            self.state.apply(event).map_err(|_| impossible())?;
        }
        if let LogEntry::Note { seat, .. } = entry
            && *seat >= self.names.len()
        {
            return Err(impossible());
        }
        self.seq += 1;
        Ok(())
    }

    fn event(&self, seat: Option<PlayerId>, kind: EventKind, text: String) -> GameEvent {
        GameEvent {
            seq: self.seq,
            seat: seat.filter(|p| p.is_seat()).map(PlayerId::index),
            kind,
            mv: None,
            dice: None,
            losses: None,
            expected: None,
            text,
            after: after(&self.state),
        }
    }

    fn told_move(&self, before: &State, mv: Move) -> GameEvent {
        let text = self.move_text(before, mv) + &self.ending_text();
        GameEvent {
            mv: Some(mv.to_string()),
            ..self.event(Some(before.player()), EventKind::Move, text)
        }
    }

    fn told_outcome(&mut self, before: &State, outcome: Outcome) -> GameEvent {
        let mover = before.player();
        match outcome {
            Outcome::Battle {
                attacker_losses,
                defender_losses,
            } => self.told_battle(
                before,
                Losses {
                    attacker: attacker_losses,
                    defender: defender_losses,
                },
            ),
            Outcome::Draw(card) => {
                let what = if self.reveals {
                    format!("the card {}", self.card(card))
                } else {
                    "a card".to_owned()
                };
                let text = format!("{} draws {what}.{}", self.name(mover), self.ending_text());
                self.event(Some(mover), EventKind::Card, text)
            }
            Outcome::First(player) => {
                let text = format!("{} moves first.", self.name(player));
                self.event(Some(player), EventKind::Deal, text)
            }
            Outcome::Deal(territory) | Outcome::Scatter(territory) => {
                let owner = self.state.board().owner(territory);
                let place = self.place(territory);
                let text = match outcome {
                    Outcome::Deal(_) => format!("{place} goes to {}.", self.name(owner)),
                    _ => format!("An army of {} lands in {place}.", self.name(owner)),
                };
                self.event(Some(owner), EventKind::Deal, text)
            }
            Outcome::Mission(_) => {
                let seats = self.state.game().seats();
                let receiver = seats
                    .clone()
                    .find(|&p| before.mission(p).is_none() && self.state.mission(p).is_some());
                let whose = receiver.map_or("Somebody".to_owned(), |p| self.name(p));
                let text = format!("{whose} gets a secret mission.");
                self.event(receiver, EventKind::Deal, text)
            }
        }
    }

    fn told_battle(&mut self, before: &State, losses: Losses) -> GameEvent {
        let mover = before.player();
        let mut text = match before.front() {
            None => String::new(),
            Some((_, to)) => {
                let defender = before.board().owner(to);
                let sides = [(mover, losses.attacker), (defender, losses.defender)];
                let parts: Vec<String> = sides
                    .iter()
                    .filter(|(_, lost)| *lost > 0)
                    .map(|(side, lost)| format!("{} loses {}", self.name(*side), armies(*lost)))
                    .collect();
                let fallen = before.board().armies(to) <= losses.defender;
                let conquest = format!(" {} conquers {}.", self.name(mover), self.place(to));
                parts.join(", ") + "." + if fallen { &conquest } else { "" }
            }
        };
        for player in self.state.game().seats() {
            if before.elimination(player).is_none() && self.state.elimination(player).is_some() {
                text += &format!(" {} is out of the game.", self.name(player));
            }
        }
        text += &self.ending_text();
        GameEvent {
            dice: self.dice.roll(before, self.seq, losses),
            losses: Some(LossesDto {
                attacker: losses.attacker,
                defender: losses.defender,
            }),
            expected: self.mean_losses(before),
            ..self.event(Some(mover), EventKind::Dice, text)
        }
    }

    /// Mean losses of the pending attack, as long as they cost little.
    fn mean_losses(&mut self, before: &State) -> Option<MeanLossesDto> {
        let (_, to) = before.front()?;
        if before.battle_dice().is_none() {
            let defenders = before.board().armies(to);
            self.mean_cost += u64::from(before.attacking_with()) * u64::from(defenders);
        }
        (self.mean_cost <= MAX_MEAN_COST).then(|| mean_losses(before))
    }

    fn move_text(&self, before: &State, mv: Move) -> String {
        let who = self.name(before.player());
        match mv {
            Move::Claim { territory } => format!("{who} claims {}.", self.place(territory)),
            Move::Capital { territory } => {
                format!("{who} makes {} the capital.", self.place(territory))
            }
            Move::Trade { cards, .. } => {
                let scheme = &before.game().rules().cards.scheme;
                let worth = scheme.set_worth(cards, before.n_traded());
                let [a, b, c] = cards.map(|card| self.card(card));
                format!("{who} trades {a}, {b} and {c} for {}.", armies(worth))
            }
            Move::Place {
                territory,
                armies: n,
            } => match before.board().owner(territory) {
                PlayerId::NEUTRAL => format!(
                    "{who} places {} of the neutral in {}.",
                    armies(n),
                    self.place(territory)
                ),
                _ => format!("{who} places {} in {}.", armies(n), self.place(territory)),
            },
            Move::Attack { from, to, with } => {
                let is_roll = self.state.battle_dice().is_some();
                let force = match with {
                    1 if is_roll => "1 die".to_owned(),
                    n if is_roll => format!("{n} dice"),
                    n => armies(n),
                };
                let (to, from) = (self.place(to), self.place(from));
                format!("{who} attacks {to} from {from} with {force}.")
            }
            Move::Occupy { armies: n } => {
                let into = before.front().map_or("", |(_, to)| self.place(to));
                format!("{who} moves {} into {into}.", armies(n))
            }
            Move::Fortify {
                from,
                to,
                armies: n,
            } => {
                let (from, to) = (self.place(from), self.place(to));
                format!("{who} moves {} from {from} to {to}.", armies(n))
            }
            Move::End => match before.phase() {
                Phase::Trade => format!("{who} trades no cards."),
                Phase::Attack => format!("{who} ends the attack."),
                _ => format!("{who} ends the turn."),
            },
        }
    }

    fn ending_text(&self) -> String {
        let Some(result) = self.state.result() else {
            return String::new();
        };
        let winners: Vec<String> = self
            .state
            .game()
            .seats()
            .filter(|&p| result.score[p] > 0.0)
            .map(|p| self.name(p))
            .collect();
        let verb = if winners.len() == 1 {
            "wins"
        } else {
            "share the win"
        };
        format!(" {} {verb}: {}.", winners.join(" and "), result.ending)
    }

    fn name(&self, player: PlayerId) -> String {
        match player {
            PlayerId::NEUTRAL => "The neutral army".to_owned(),
            player => self.names.get(player.index()).cloned().unwrap_or_default(),
        }
    }

    fn place(&self, territory: TerritoryId) -> &str {
        self.state.game().map().territory_name(territory)
    }

    fn card(&self, card: Card) -> String {
        match card {
            Card::Wild => "a wild card".to_owned(),
            Card::Territory(territory) => self.place(territory).to_owned(),
        }
    }
}

fn armies(n: u32) -> String {
    if n == 1 {
        "1 army".to_owned()
    } else {
        format!("{n} armies")
    }
}

fn mean_losses(before: &State) -> MeanLossesDto {
    let total = before.chance_total() as f64;
    let mut mean = MeanLossesDto {
        attacker: 0.0,
        defender: 0.0,
    };
    before.for_each_outcome(|outcome, weight| {
        if let Outcome::Battle {
            attacker_losses,
            defender_losses,
        } = outcome
        {
            let share = weight as f64 / total;
            mean.attacker += share * f64::from(attacker_losses);
            mean.defender += share * f64::from(defender_losses);
        }
    });
    mean
}

/// What everybody sees of a state.
pub(crate) fn after(state: &State) -> AfterDto {
    let map = state.game().map();
    let board = state.board();
    AfterDto {
        owners: map
            .territories()
            .map(|t| owner_number(board.owner(t)))
            .collect(),
        armies: map.territories().map(|t| board.armies(t)).collect(),
        n_cards: state.game().seats().map(|p| state.hand(p).len()).collect(),
        income: state.game().seats().map(|p| state.income(p)).collect(),
        to_place: state.to_place(),
        round: state.round(),
        phase: state.phase().name(),
        mover: (state.node() != Node::Terminal).then(|| state.player().index()),
    }
}
