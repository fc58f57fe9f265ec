//! Moves, chance outcomes and their notation.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use thiserror::Error;

use crate::card::Card;
use crate::ids::{MAX_PLAYERS, MAX_TERRITORIES, PlayerId, TerritoryId};
use crate::narrow::Narrow;
use crate::territory_set::TerritorySet;

/// One decision of a player.
///
/// The notation of [`fmt::Display`] parses back:
///
/// ```
/// use hegemon_core::{Move, TerritoryId};
/// let mv = Move::Attack { from: TerritoryId::new(4), to: TerritoryId::new(9), with: 3 };
/// assert_eq!(mv.to_string(), "a4>9x3");
/// assert_eq!("a4>9x3".parse(), Ok(mv));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Move {
    /// Take a free territory in the draft.
    Claim {
        /// Which.
        territory: TerritoryId,
    },
    /// Name the capital.
    Capital {
        /// Which.
        territory: TerritoryId,
    },
    /// Trade a set of cards.
    Trade {
        /// The three cards, in the order of [`crate::Hand::cards`].
        cards: [Card; 3],
        /// The territory that gets the bonus, where only one does.
        bonus: Option<TerritoryId>,
    },
    /// Put armies on a territory.
    Place {
        /// Where.
        territory: TerritoryId,
        /// How many.
        armies: u32,
    },
    /// Attack a neighbour.
    Attack {
        /// Where the armies come from.
        from: TerritoryId,
        /// What they attack.
        to: TerritoryId,
        /// Dice of an exchange, or armies of a battle.
        with: u32,
    },
    /// Move into the territory just conquered.
    Occupy {
        /// How many armies.
        armies: u32,
    },
    /// Move armies at the end of the turn.
    Fortify {
        /// Where they come from.
        from: TerritoryId,
        /// Where they go.
        to: TerritoryId,
        /// How many.
        armies: u32,
    },
    /// End the phase: trade no more, attack no more, fortify no more.
    End,
}

/// A chance outcome.
///
/// ```
/// use hegemon_core::Outcome;
/// let outcome = Outcome::Battle { attacker_losses: 1, defender_losses: 1 };
/// assert_eq!(outcome.to_string(), "B1:1");
/// assert_eq!("B1:1".parse(), Ok(outcome));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// This seat moves first.
    First(PlayerId),
    /// This territory is dealt next.
    Deal(TerritoryId),
    /// A scattered army lands here.
    Scatter(TerritoryId),
    /// The mission with this number is dealt next.
    Mission(u8),
    /// The losses of an attack.
    Battle {
        /// Armies that the attacker loses.
        attacker_losses: u32,
        /// Armies that the defender loses.
        defender_losses: u32,
    },
    /// This card is drawn.
    Draw(Card),
}

/// Several legal moves as one value: every target with every number of armies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveGroup {
    /// Claim one of these.
    Claim(TerritorySet),
    /// Make one of these the capital.
    Capital(TerritorySet),
    /// This trade.
    Trade(Move),
    /// Place a number in this range on one of these.
    Place(TerritorySet, RangeInclusive<u32>),
    /// Attack one of these from here with a number in this range.
    Attack(TerritoryId, TerritorySet, RangeInclusive<u32>),
    /// Move in a number in this range.
    Occupy(RangeInclusive<u32>),
    /// Move a number in this range from here to one of these.
    Fortify(TerritoryId, TerritorySet, RangeInclusive<u32>),
    /// End the phase.
    End,
}

impl MoveGroup {
    /// How many moves the group has.
    pub fn n_moves(&self) -> usize {
        let width = |range: &RangeInclusive<u32>| (range.end() + 1 - range.start()) as usize;
        match self {
            MoveGroup::Claim(targets) | MoveGroup::Capital(targets) => targets.len(),
            MoveGroup::Trade(_) | MoveGroup::End => 1,
            MoveGroup::Place(targets, range)
            | MoveGroup::Attack(_, targets, range)
            | MoveGroup::Fortify(_, targets, range) => targets.len() * width(range),
            MoveGroup::Occupy(range) => width(range),
        }
    }

    /// The `n`-th move in the order of [`MoveGroup::for_each_move`].
    ///
    /// ```
    /// use hegemon_core::{Move, MoveGroup};
    /// assert_eq!(MoveGroup::Occupy(2..=5).nth(3), Some(Move::Occupy { armies: 5 }));
    /// assert_eq!(MoveGroup::Occupy(2..=5).nth(4), None);
    /// ```
    pub fn nth(&self, n: usize) -> Option<Move> {
        if n >= self.n_moves() {
            return None;
        }
        let split = |range: &RangeInclusive<u32>| {
            let width = (range.end() + 1 - range.start()) as usize;
            (n / width, range.start() + Narrow::<u32>::narrow(n % width))
        };
        Some(match self {
            MoveGroup::Claim(targets) => Move::Claim {
                territory: targets.nth(n)?,
            },
            MoveGroup::Capital(targets) => Move::Capital {
                territory: targets.nth(n)?,
            },
            MoveGroup::Trade(mv) => *mv,
            MoveGroup::Place(targets, range) => {
                let (target, armies) = split(range);
                Move::Place {
                    territory: targets.nth(target)?,
                    armies,
                }
            }
            MoveGroup::Attack(from, targets, range) => {
                let (target, with) = split(range);
                Move::Attack {
                    from: *from,
                    to: targets.nth(target)?,
                    with,
                }
            }
            MoveGroup::Occupy(range) => Move::Occupy {
                armies: split(range).1,
            },
            MoveGroup::Fortify(from, targets, range) => {
                let (target, armies) = split(range);
                Move::Fortify {
                    from: *from,
                    to: targets.nth(target)?,
                    armies,
                }
            }
            MoveGroup::End => Move::End,
        })
    }

    /// Calls `visit` with every move: targets in map order, then counts.
    pub fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        match self {
            MoveGroup::Claim(targets) => {
                targets
                    .iter()
                    .for_each(|territory| visit(Move::Claim { territory }));
            }
            MoveGroup::Capital(targets) => {
                targets
                    .iter()
                    .for_each(|territory| visit(Move::Capital { territory }));
            }
            MoveGroup::Trade(mv) => visit(*mv),
            MoveGroup::Place(targets, range) => {
                for territory in *targets {
                    range
                        .clone()
                        .for_each(|armies| visit(Move::Place { territory, armies }));
                }
            }
            MoveGroup::Attack(from, targets, range) => {
                for to in *targets {
                    range.clone().for_each(|with| {
                        visit(Move::Attack {
                            from: *from,
                            to,
                            with,
                        });
                    });
                }
            }
            MoveGroup::Occupy(range) => {
                range
                    .clone()
                    .for_each(|armies| visit(Move::Occupy { armies }));
            }
            MoveGroup::Fortify(from, targets, range) => {
                for to in *targets {
                    range.clone().for_each(|armies| {
                        visit(Move::Fortify {
                            from: *from,
                            to,
                            armies,
                        });
                    });
                }
            }
            MoveGroup::End => visit(Move::End),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Claim { territory } => write!(f, "c{territory}"),
            Move::Capital { territory } => write!(f, "k{territory}"),
            Move::Trade {
                cards: [a, b, c],
                bonus,
            } => {
                write!(f, "t{a}.{b}.{c}")?;
                bonus.map_or(Ok(()), |territory| write!(f, "+{territory}"))
            }
            Move::Place { territory, armies } => write!(f, "p{territory}x{armies}"),
            Move::Attack { from, to, with } => write!(f, "a{from}>{to}x{with}"),
            Move::Occupy { armies } => write!(f, "o{armies}"),
            Move::Fortify { from, to, armies } => write!(f, "f{from}>{to}x{armies}"),
            Move::End => f.write_str("end"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::First(player) => write!(f, "F{player}"),
            Outcome::Deal(territory) => write!(f, "D{territory}"),
            Outcome::Scatter(territory) => write!(f, "S{territory}"),
            Outcome::Mission(number) => write!(f, "M{number}"),
            Outcome::Battle {
                attacker_losses,
                defender_losses,
            } => {
                write!(f, "B{attacker_losses}:{defender_losses}")
            }
            Outcome::Draw(card) => write!(f, "W{card}"),
        }
    }
}

/// A move or outcome that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" is not a move or outcome")]
pub struct NotationError(pub String);

impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Move, NotationError> {
        parse_move(text).ok_or_else(|| NotationError(text.to_owned()))
    }
}

impl FromStr for Outcome {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Outcome, NotationError> {
        parse_outcome(text).ok_or_else(|| NotationError(text.to_owned()))
    }
}

fn parse_move(text: &str) -> Option<Move> {
    if text == "end" {
        return Some(Move::End);
    }
    let (kind, rest) = text.split_at_checked(1)?;
    Some(match kind {
        "c" => Move::Claim {
            territory: parse_territory(rest)?,
        },
        "k" => Move::Capital {
            territory: parse_territory(rest)?,
        },
        "t" => parse_trade(rest)?,
        "p" => {
            let (territory, armies) = rest.split_once('x')?;
            Move::Place {
                territory: parse_territory(territory)?,
                armies: parse_number(armies)?,
            }
        }
        "a" => {
            let (from, to, with) = parse_journey(rest)?;
            Move::Attack { from, to, with }
        }
        "o" => Move::Occupy {
            armies: parse_number(rest)?,
        },
        "f" => {
            let (from, to, armies) = parse_journey(rest)?;
            Move::Fortify { from, to, armies }
        }
        _ => return None,
    })
}

fn parse_outcome(text: &str) -> Option<Outcome> {
    let (kind, rest) = text.split_at_checked(1)?;
    Some(match kind {
        "F" => {
            let seat = parse_number(rest)? as usize;
            (seat < MAX_PLAYERS).then(|| Outcome::First(PlayerId::new(seat)))?
        }
        "D" => Outcome::Deal(parse_territory(rest)?),
        "S" => Outcome::Scatter(parse_territory(rest)?),
        "M" => Outcome::Mission(u8::try_from(parse_number(rest)?).ok()?),
        "B" => {
            let (attacker, defender) = rest.split_once(':')?;
            Outcome::Battle {
                attacker_losses: parse_number(attacker)?,
                defender_losses: parse_number(defender)?,
            }
        }
        "W" => Outcome::Draw(parse_card(rest)?),
        _ => return None,
    })
}

/// Digits only: signs, which `str::parse` accepts, are rejected so that every
/// move has one notation.
pub(crate) fn parse_number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

pub(crate) fn parse_territory(text: &str) -> Option<TerritoryId> {
    let index = parse_number(text)? as usize;
    (index < MAX_TERRITORIES).then(|| TerritoryId::new(index))
}

pub(crate) fn parse_card(text: &str) -> Option<Card> {
    if text == "w" {
        Some(Card::Wild)
    } else {
        parse_territory(text).map(Card::Territory)
    }
}

fn parse_journey(text: &str) -> Option<(TerritoryId, TerritoryId, u32)> {
    let (from, rest) = text.split_once('>')?;
    let (to, armies) = rest.split_once('x')?;
    Some((
        parse_territory(from)?,
        parse_territory(to)?,
        parse_number(armies)?,
    ))
}

fn parse_trade(text: &str) -> Option<Move> {
    let (cards, bonus) = match text.split_once('+') {
        Some((cards, bonus)) => (cards, Some(parse_territory(bonus)?)),
        None => (text, None),
    };
    let mut parts = cards.split('.').map(parse_card);
    let mut next = || parts.next().flatten();
    let cards = [next()?, next()?, next()?];
    parts
        .next()
        .is_none()
        .then_some(Move::Trade { cards, bonus })
}
