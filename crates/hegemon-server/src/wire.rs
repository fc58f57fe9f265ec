//! What goes over the wire. Maps, rules, views and groups of moves are those of
//! the bot protocol; `docs/play.md` and the OpenAPI document explain the rest.

use hegemon_arena::Played;
use hegemon_bots::{Grants, Seating};
use hegemon_core::{Game, Map, Node, PlayerId, Rules, State, View};
use hegemon_protocol::{ChooseDto, GroupDto, MapDto, MissionDto, NewGameDto, ViewDto};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::dice::DiceDto;
use crate::seats::{Hands, Seat, SeatKind};

/// Version of this contract.
pub(crate) const WIRE_VERSION: u32 = 1;

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventKind {
    /// A player moved.
    Move,
    /// The losses of an attack.
    Dice,
    /// A card was drawn.
    Card,
    /// Something was dealt before the first round.
    Deal,
    /// Something beside the game, such as a bot that took too long.
    Note,
}

/// Something that happened; the same for everybody.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameEvent {
    /// Number of the event, from 1.
    pub seq: u64,
    /// Whom it concerns.
    #[cfg_attr(test, schemars(with = "Option<PlayerId>"))]
    pub seat: Option<usize>,
    /// What kind of event.
    pub kind: EventKind,
    /// The move in notation.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Faces of the dice.
    pub dice: Option<DiceDto>,
    /// Losses of both sides.
    pub losses: Option<LossesDto>,
    /// Losses of both sides in the mean, by the exact law of this attack; none where
    /// that would take too long.
    pub expected: Option<MeanLossesDto>,
    /// A sentence.
    pub text: String,
    /// The board afterwards.
    pub after: AfterDto,
}

/// Losses of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct LossesDto {
    /// The attacker's.
    pub attacker: u32,
    /// The defender's.
    pub defender: u32,
}

/// Mean losses of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct MeanLossesDto {
    /// The attacker's.
    pub attacker: f64,
    /// The defender's.
    pub defender: f64,
}

/// What everybody sees after an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Frame"))]
pub(crate) struct AfterDto {
    /// Owners by territory.
    pub owners: Vec<i8>,
    /// Armies by territory.
    pub armies: Vec<u32>,
    /// Number of cards by seat.
    pub n_cards: Vec<usize>,
    /// Armies that each seat would get now, cards aside.
    pub income: Vec<u32>,
    /// Armies that must still be placed now.
    pub to_place: u32,
    /// The round.
    pub round: u32,
    /// The phase as one word.
    pub phase: &'static str,
    /// Whose turn it is; none at the end.
    #[cfg_attr(test, schemars(with = "Option<PlayerId>"))]
    pub mover: Option<usize>,
}

/// Whether a game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// It goes on.
    Running,
    /// It does not.
    Over,
    /// It cannot be read.
    Damaged,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Result"))]
pub(crate) struct ResultDto {
    /// The ending as one word.
    pub ending: String,
    /// Share of the win by seat.
    pub scores: Vec<f64>,
    /// Placement by seat, from 1.
    pub places: Vec<u8>,
}

impl ResultDto {
    /// The result of a game that stopped.
    pub(crate) fn new(played: &Played) -> ResultDto {
        ResultDto {
            ending: played.termination.to_string(),
            scores: played.scores(),
            places: played.places.to_vec(),
        }
    }

    /// The only winner, if there is one.
    pub(crate) fn winner(&self) -> Option<usize> {
        self.scores.iter().position(|&score| score == 1.0)
    }
}

/// The map of the bot protocol, with places of territories (x to the right, y
/// down) and colours of continents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "GameMap"))]
pub(crate) struct DrawnMapDto {
    /// The map of the bot protocol.
    #[serde(flatten)]
    pub map: MapDto,
    /// Places of the territories: x to the right, y down.
    pub positions: Vec<[f64; 2]>,
    /// Colours of the continents.
    pub colors: Vec<String>,
}

impl DrawnMapDto {
    /// A map for the wire.
    pub(crate) fn new(map: &Map) -> DrawnMapDto {
        let spec = map.spec();
        DrawnMapDto {
            map: MapDto::new(map),
            positions: spec.territories.iter().map(|t| t.position).collect(),
            colors: spec.continents.iter().map(|c| c.color.clone()).collect(),
        }
    }
}

/// A seat as everybody may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "SeatInfo"))]
pub(crate) struct SeatDto {
    /// Who plays.
    pub kind: SeatKind,
    /// The name shown.
    pub name: String,
    /// The bot's spec.
    pub spec: Option<String>,
    /// Name of the host's bot that plays.
    pub host_bot: Option<String>,
    /// Whether a person is invited who has not been here yet. The time of a turn runs when all
    /// have come, or after some minutes.
    pub awaited: bool,
    /// Whether somebody is there; bots always are. Lists of games do not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connected: Option<bool>,
    /// The colour by number; that of the seat's number if null.
    pub color: Option<usize>,
    /// Who makes a person's moves.
    pub hands: Hands,
    /// Whether the person is here and has left a move unmade for long. Lists of games do not say.
    pub idle: bool,
    /// Whether the last territory is lost. Lists of games do not say.
    pub eliminated: bool,
    /// Seats of those who want a bot to play here while the person is away or idle.
    pub votes: Vec<usize>,
    /// How many of them let a bot play. Lists of games do not say.
    pub votes_needed: usize,
}

impl SeatDto {
    /// A seat without a word on who is connected.
    pub(crate) fn new(seat: &Seat) -> SeatDto {
        SeatDto {
            kind: seat.kind,
            name: seat.name.clone(),
            spec: seat.spec.clone(),
            host_bot: seat.host_bot.clone(),
            awaited: seat.is_awaited && seat.waits_for_person(),
            connected: None,
            color: seat.color,
            hands: seat.hands,
            idle: false,
            eliminated: false,
            votes: Vec::new(),
            votes_needed: 0,
        }
    }
}

/// The game in a `hello`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "GameInfo"))]
pub(crate) struct GameDto {
    /// Its name in links.
    pub id: String,
    /// The map.
    pub map: DrawnMapDto,
    /// The rules.
    pub rules: Rules,
    /// Name of the preset, or `custom`.
    pub rules_name: String,
    /// How many seats there are.
    pub n_players: usize,
    /// The seats.
    pub seats: Vec<SeatDto>,
    /// When the game was made.
    pub created: String,
    /// Seconds that a person has for a turn; null if as long as one likes.
    pub turn_seconds: Option<u32>,
    /// The secret missions by number, if the game has them.
    pub missions: Vec<MissionDto>,
    /// Name of the game in which its people play once more, if there is one.
    pub rematch: Option<String>,
    /// Whether it began with a position of somebody's choice, not with a deal.
    pub from_position: bool,
}

/// All missions that a game may deal; public, only who got which is not.
pub(crate) fn missions(game: &Arc<Game>) -> Vec<MissionDto> {
    let seat = PlayerId::new(0);
    NewGameDto::new(&Seating {
        game,
        seat,
        seed: 0,
        grants: &Grants::sealed(),
    })
    .missions
}

/// A question for a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Choose"))]
pub(crate) struct QuestionDto {
    /// Number of the question: the answer repeats it.
    pub id: u64,
    /// The legal moves, in groups.
    pub groups: Vec<GroupDto>,
    /// How many moves are legal.
    pub n_moves: usize,
    /// The legal moves one by one, unless there are too many.
    pub moves: Option<Vec<String>>,
}

/// Where a game stands, as one seat or a watcher sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct StateDto {
    /// Number of the last event.
    pub seq: u64,
    /// Whether the game goes on.
    pub status: Status,
    /// Who must move.
    #[cfg_attr(test, schemars(with = "Option<PlayerId>"))]
    pub mover: Option<usize>,
    /// Whether that is a bot.
    pub thinking: bool,
    /// What the seat may know, as in the bot protocol; a watcher's has no cards
    /// and no mission. At the end its phase is `over`.
    pub view: ViewDto,
    /// Armies that each seat would get now, cards aside.
    pub income: Vec<u32>,
    /// Armies for the next set of cards.
    pub next_set: Option<u32>,
    /// The question, if the seat must move.
    pub choose: Option<QuestionDto>,
    /// The result, if the game is over.
    pub result: Option<ResultDto>,
}

impl StateDto {
    /// A state as a seat sees it, or as anybody does.
    pub(crate) fn new(
        state: &State,
        seq: u64,
        seats: &[Seat],
        seat: Option<PlayerId>,
        result: Option<ResultDto>,
    ) -> StateDto {
        let game = state.game();
        let mover = match state.node() {
            Node::Decision(player) if result.is_none() => Some(player),
            _ => None,
        };
        let waits = |player: PlayerId| seats[player.index()].waits_for_person();
        let is_asked = seat.is_some() && mover == seat && mover.is_some_and(waits);
        let view = View::new(state, seat.unwrap_or(PlayerId::new(0)));
        let (view, choose) = if is_asked {
            let question = ChooseDto::new(seq, view, hegemon_protocol::BudgetDto::default());
            let choose = QuestionDto {
                id: seq,
                groups: question.groups,
                n_moves: question.n_moves,
                moves: question.moves,
            };
            (question.view, Some(choose))
        } else {
            (ViewDto::new(view), None)
        };
        let rules = game.rules();
        StateDto {
            seq,
            status: if result.is_some() {
                Status::Over
            } else {
                Status::Running
            },
            mover: mover.map(PlayerId::index),
            thinking: mover.is_some_and(|player| !waits(player)),
            view: if seat.is_some() {
                view
            } else {
                without_secrets(view)
            },
            income: game.seats().map(|p| state.income(p)).collect(),
            next_set: rules
                .has_cards()
                .then(|| game.next_set_worth(state.n_traded())),
            choose,
            result,
        }
    }
}

/// The view of somebody who sits nowhere.
fn without_secrets(view: ViewDto) -> ViewDto {
    ViewDto {
        cards: Vec::new(),
        mission: None,
        ..view
    }
}

/// A message from the server on a socket.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ToClient {
    /// The first message.
    Hello {
        /// Version of the contract.
        protocol: u32,
        /// The game.
        game: Box<GameDto>,
        /// The seat that the token opened; none for a watcher.
        #[cfg_attr(test, schemars(with = "Option<PlayerId>"))]
        seat: Option<usize>,
        /// Number of the last event.
        seq: u64,
    },
    /// What happened; `events_message` writes it, for events are JSON already.
    #[cfg(test)]
    Events {
        /// The events.
        events: Vec<GameEvent>,
    },
    /// Where the game stands.
    State(Box<StateDto>),
    /// Somebody came or left.
    Seats {
        /// The seats.
        seats: Vec<SeatDto>,
    },
    /// The last message could not be followed.
    Error {
        /// One word for programs.
        code: &'static str,
        /// One sentence for people.
        message: String,
        /// The question that it was about.
        id: Option<u64>,
    },
    /// Whose time runs.
    Clock {
        /// Whose; null if it stands still.
        #[cfg_attr(test, schemars(with = "Option<PlayerId>"))]
        seat: Option<usize>,
        /// Milliseconds that are left. Of a clock that waits for people who are invited: until it no longer
        /// does; else 0.
        left_ms: u64,
    },
    /// Its people may play once more: a request for a rematch leads there.
    Rematch {
        /// Name of the game; null if it was removed.
        game: Option<String>,
    },
    /// A player says something. It is not kept.
    Said {
        /// Who.
        #[cfg_attr(test, schemars(with = "PlayerId"))]
        seat: usize,
        /// What.
        phrase: PhraseDto,
    },
    /// The answer to `ping`.
    Pong,
}

impl ToClient {
    /// The message as JSON.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The `events` message of events that are JSON already.
pub(crate) fn events_message(events: &[Arc<str>]) -> String {
    let mut text = String::from(r#"{"type":"events","events":["#);
    for (n, event) in events.iter().enumerate() {
        if n > 0 {
            text.push(',');
        }
        text.push_str(event);
    }
    text + "]}"
}

/// What players may say to each other; the page has the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Phrase"))]
#[serde(rename_all = "snake_case")]
pub(crate) enum PhraseDto {
    /// A greeting.
    Hello,
    /// Good luck.
    GoodLuck,
    /// Praise for a move.
    WellPlayed,
    /// Thanks.
    Thanks,
    /// An apology.
    Sorry,
    /// Back soon.
    OneMoment,
    /// Somebody is waited for.
    YourTurn,
    /// An offer of peace.
    Truce,
    /// At the end.
    GoodGame,
}

/// A message to the server on a socket. [`crate::reading::tagged`] reads it, so
/// that a fault names its field.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(tag = "type"))]
#[serde(rename_all = "snake_case")]
pub(crate) enum FromClient {
    /// A move.
    Move {
        /// Number of the question.
        id: u64,
        /// The move, in notation.
        #[serde(rename = "move")]
        mv: String,
    },
    /// Attack again and again.
    Attack {
        /// Number of the question.
        id: u64,
        /// Where the armies come from.
        #[cfg_attr(test, schemars(with = "hegemon_core::TerritoryId"))]
        from: u8,
        /// What they attack.
        #[cfg_attr(test, schemars(with = "hegemon_core::TerritoryId"))]
        to: u8,
        /// Stop when `from` has this many armies left.
        until: u32,
    },
    /// Be called this, and have this colour.
    Introduce {
        /// The name.
        name: String,
        /// The colour by number.
        color: usize,
    },
    /// Let a bot play on for good.
    Resign {},
    /// Play again where a bot plays, since one did not move.
    Return {},
    /// Let a bot play for somebody who is away or idle; more than half of the others who are
    /// present must want it.
    Replace {
        /// Whose seat it is.
        #[cfg_attr(test, schemars(with = "PlayerId"))]
        seat: usize,
    },
    /// Say something to everybody.
    Say {
        /// What.
        phrase: PhraseDto,
    },
    /// Are you there?
    Ping {},
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_written_as_their_message_is() {
        let event = |seq| GameEvent {
            seq,
            seat: None,
            kind: EventKind::Note,
            mv: None,
            dice: None,
            losses: None,
            expected: None,
            text: "A \"note\".".to_owned(),
            after: AfterDto {
                owners: vec![-1, 0],
                armies: vec![1, 2],
                n_cards: vec![0, 0],
                income: vec![3, 3],
                to_place: 0,
                round: 1,
                phase: "attack",
                mover: Some(1),
            },
        };
        for events in [vec![], vec![event(1)], vec![event(1), event(2)]] {
            let texts: Vec<Arc<str>> = events
                .iter()
                .map(|event| serde_json::to_string(event).expect("plain data").into())
                .collect();
            let message = ToClient::Events { events };
            assert_eq!(events_message(&texts), message.to_json());
        }
    }
}
