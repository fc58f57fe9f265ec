//! From a request for a game to a game: everything is checked here.

use std::sync::Arc;
use std::time::Duration;

use hegemon_bots::{Demand, Grants, Spec, SpecError, check, nearest};
use hegemon_core::{Game, MAX_PLAYERS, Map, PlayerId, Rules};
use hegemon_record::Header;
use serde::Deserialize;
use serde_json::Value;

use crate::clients::Client;
use crate::error::{ApiError, sentence};
use crate::levels::{level, levels};
use crate::limits::Limits;
use crate::offers::Offers;
use crate::page_policy;
use crate::position;
use crate::reading;
use crate::seats::{
    Hands, MAX_NAME, Seat, SeatKind, fitting_name, new_game_id, new_seed, new_token,
};
use crate::store::NewGame;

/// Most armies of a player at the start: each may be scattered by chance, and
/// every such event is stored.
const MAX_ARMIES: u32 = 1000;

/// Most seconds that a turn may have: a week.
const LONGEST_TURN: u32 = 7 * 24 * 3600;

/// A request for a game. Fields that are not named here are refused.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct GameRequest {
    /// Name of the map.
    map: String,
    /// Name of a preset, or all rules.
    #[cfg_attr(test, schemars(with = "RequestedRules"))]
    rules: Value,
    /// The seats.
    seats: Vec<SeatRequest>,
    /// The seed: 64 bits in decimal digits; chosen and kept secret if left out.
    /// With two or more people their seats can then be opened from the maker's
    /// address only.
    #[serde(default)]
    seed: Option<String>,
    /// The position that the game begins with, for one person against bots or for bots alone;
    /// dealt if left out.
    #[serde(default)]
    position: Option<String>,
    /// Seconds that a person has for a turn; a bot finishes it then. As long as
    /// one likes if left out.
    #[serde(default)]
    turn_seconds: Option<u32>,
}

/// Rules of a request, as they are described.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(untagged, inline)]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum RequestedRules {
    Preset(String),
    All(Rules),
}

/// A request for a seat.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct SeatRequest {
    /// Who plays.
    kind: SeatKind,
    /// The name shown.
    #[serde(default)]
    name: Option<String>,
    /// Level of a bot.
    #[serde(default)]
    level: Option<String>,
    /// Spec of a bot, instead of a level.
    #[serde(default)]
    spec: Option<String>,
    /// Name of a bot that the host offers, instead of a level.
    #[serde(default)]
    host_bot: Option<String>,
}

/// A game that may be stored, and the tokens of its seats.
#[derive(Debug)]
pub(crate) struct PreparedGame {
    /// The game.
    pub game: Arc<Game>,
    /// What is stored.
    pub new_game: NewGame,
    /// Tokens by seat; none for bots, and for people of a rematch, who have theirs.
    pub tokens: Vec<Option<String>>,
}

impl GameRequest {
    /// Checks the request of a client.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub(crate) fn prepare(
        self,
        limits: &Limits,
        offers: &Offers,
        maker: Client,
    ) -> Result<PreparedGame, ApiError> {
        if !(2..=MAX_PLAYERS).contains(&self.seats.len()) {
            let message = format!(
                "A game has 2 to {MAX_PLAYERS} seats, not {}.",
                self.seats.len()
            );
            return Err(ApiError::bad_request("bad-seats", message));
        }
        let map = map_named(&self.map, offers)?;
        let (rules, rules_name) = read_rules(&self.rules)?;
        let game = Game::new(map, rules, self.seats.len())
            .map_err(|error| ApiError::bad_request("bad-game", sentence(&error.to_string())))?;
        if game.initial_armies() > MAX_ARMIES {
            let message = format!("The page deals at most {MAX_ARMIES} armies to a player.");
            return Err(ApiError::bad_request("bad-rules", message));
        }
        let fewest = limits.shortest_turn;
        let is_clock = |seconds| (fewest..=LONGEST_TURN).contains(&seconds);
        if !self.turn_seconds.is_none_or(is_clock) {
            let message = format!("A turn has {fewest} to {LONGEST_TURN} seconds.");
            return Err(ApiError::bad_request("bad-clock", message));
        }
        let is_elsewhere = |seat: &SeatRequest| seat.kind == SeatKind::Remote;
        if self.seed.is_some() && self.seats.iter().any(is_elsewhere) {
            // Who knows the seed knows the dice to come. People at one screen
            // see each other choose it, and their seats stay there.
            let message = "The server draws the seed of a game with people elsewhere.";
            return Err(ApiError::bad_request("bad-seed", message));
        }
        let seed = match &self.seed {
            Some(text) => text.parse().map_err(|_| {
                let message = format!("The seed \"{text}\" is not a whole number of 64 bits.");
                ApiError::bad_request("bad-seed", message)
            })?,
            None => new_seed()?,
        };
        let mut seats = Vec::new();
        let mut tokens = Vec::new();
        for (number, request) in self.seats.iter().enumerate() {
            let (seat, token) = request.seat(number, &game, limits, offers)?;
            seats.push(seat);
            tokens.push(token);
        }
        let numbered = seats.iter().enumerate();
        let people = numbered.filter(|(_, seat)| seat.is_person());
        let people: Vec<PlayerId> = people.map(|(n, _)| PlayerId::new(n)).collect();
        if self.seed.is_some() && people.len() > 1 {
            for seat in &mut seats {
                seat.stay_with(maker);
            }
        }
        let players = seats.iter().map(Seat::record_name).collect();
        let mut header = Header::new(&game, players, seed);
        header.names = seats.iter().map(|seat| seat.name.clone()).collect();
        if let Some(text) = &self.position {
            header.position = Some(position::to_play_on(&game, text, &people)?.to_position());
        }
        let new_game = NewGame {
            id: new_game_id()?,
            header,
            rules_name,
            seats,
            turn_seconds: self.turn_seconds,
        };
        Ok(PreparedGame {
            game,
            new_game,
            tokens,
        })
    }
}

impl SeatRequest {
    fn seat(
        &self,
        number: usize,
        game: &Arc<Game>,
        limits: &Limits,
        offers: &Offers,
    ) -> Result<(Seat, Option<String>), ApiError> {
        let wrong = |message: String| ApiError::bad_request("bad-seats", message);
        if self.kind != SeatKind::Bot {
            if self.level.is_some() || self.spec.is_some() || self.host_bot.is_some() {
                let message = format!("Seat {number} is a person and has no level or spec.");
                return Err(wrong(message));
            }
            let (token, hash) = new_token()?;
            let seat = Seat {
                kind: self.kind,
                name: self.shown_name(&format!("Player {}", number + 1))?,
                spec: None,
                limit_ms: None,
                host_bot: None,
                token_hash: Some(hash),
                maker_hash: None,
                hands: Hands::Own,
                color: None,
                is_awaited: self.kind == SeatKind::Remote,
            };
            return Ok((seat, Some(token)));
        }
        if let (None, None, Some(name)) = (&self.level, &self.spec, &self.host_bot) {
            // It is not tried out: a program would be started for every request, and
            // what it says is for the host alone.
            check_host_bot(name, offers)?;
            let seat = Seat {
                host_bot: Some(name.clone()),
                ..self.bot_seat(name, limits.thinking)?
            };
            return Ok((seat, None));
        }
        let (spec, name, limit) = match (&self.level, &self.spec) {
            _ if self.host_bot.is_some() => {
                return Err(wrong(format!(
                    "Seat {number} has a bot of the host, and so no level or spec."
                )));
            }
            (Some(id), None) => {
                let level = level(id).ok_or_else(|| unknown("level", id, levels_ids()))?;
                (level.spec.as_str(), level.name.as_str(), level.limit())
            }
            (None, Some(spec)) => (spec.as_str(), spec.as_str(), limits.thinking),
            _ => {
                return Err(wrong(format!(
                    "Seat {number} needs either a level or a spec."
                )));
            }
        };
        let spec = checked_spec(spec, game)?;
        let seat = Seat {
            spec: Some(spec.to_string()),
            ..self.bot_seat(name, limit)?
        };
        Ok((seat, None))
    }

    /// A seat for a bot that is still to be named.
    fn bot_seat(&self, name: &str, limit: Duration) -> Result<Seat, ApiError> {
        Ok(Seat {
            kind: SeatKind::Bot,
            name: self.shown_name(name)?,
            spec: None,
            limit_ms: Some(limit.as_millis() as u64),
            host_bot: None,
            token_hash: None,
            maker_hash: None,
            hands: Hands::Own,
            color: None,
            is_awaited: false,
        })
    }

    fn shown_name(&self, default: &str) -> Result<String, ApiError> {
        let given = self
            .name
            .as_deref()
            .map(str::trim)
            .filter(|name| !name.is_empty());
        match given {
            Some(name) => {
                fitting_name(name).map_err(|message| ApiError::bad_request("bad-name", message))
            }
            None => Ok(default.chars().take(MAX_NAME).collect()),
        }
    }
}

fn levels_ids() -> impl Iterator<Item = &'static str> {
    levels().iter().map(|level| level.id.as_str())
}

/// The map with this name.
///
/// # Errors
///
/// If there is none; the error names the nearest.
pub(crate) fn map_named(name: &str, offers: &Offers) -> Result<Map, ApiError> {
    offers.map(name).ok_or_else(|| {
        let names = offers.each_map(|map| map.name().to_owned());
        unknown("map", name, names.iter().map(String::as_str))
    })
}

/// The preset with this name.
///
/// # Errors
///
/// If there is none; the error names the nearest.
pub(crate) fn rules_named(name: &str) -> Result<Rules, ApiError> {
    Rules::preset(name).ok_or_else(|| unknown("rules preset", name, Rules::PRESETS))
}

/// The rules of a request, and their name.
///
/// # Errors
///
/// A sentence that names the field.
pub(crate) fn read_rules(value: &Value) -> Result<(Rules, String), ApiError> {
    if let Value::String(name) = value {
        return Ok((rules_named(name)?, name.clone()));
    }
    let wrong = |message: String| ApiError::bad_request("bad-rules", message);
    // Read as a list, rules would be all defaults.
    if !value.is_object() {
        let message = "\"rules\" of the request is neither the name of a preset nor an object.";
        return Err(wrong(message.to_owned()));
    }
    let text = value.to_string();
    let rules: Rules =
        reading::from_json("\"rules\" of the request", text.as_bytes()).map_err(wrong)?;
    rules.validate().map_err(|error| {
        let message = sentence(&error.to_string());
        wrong(format!("The rules are wrong: {message}"))
    })?;
    let is_same = |name: &&str| Rules::preset(name).as_ref() == Some(&rules);
    let name = Rules::PRESETS.into_iter().find(is_same).unwrap_or("custom");
    Ok((rules, name.to_owned()))
}

/// Whether the host offers a bot under this name.
///
/// # Errors
///
/// If not; the error names the nearest.
pub(crate) fn check_host_bot(name: &str, offers: &Offers) -> Result<(), ApiError> {
    match offers.bot(name) {
        Some(_) => Ok(()),
        None => Err(unknown("bot of the host", name, offers.bot_names())),
    }
}

/// A spec that may come from anybody.
///
/// # Errors
///
/// If the page does not accept it.
pub(crate) fn checked_spec(text: &str, game: &Arc<Game>) -> Result<Spec, ApiError> {
    let wrong = |message: String| ApiError::bad_request("bad-spec", message);
    let refused = |error: SpecError| wrong(sentence(&error.to_string()));
    let spec: Spec = text.parse().map_err(refused)?;
    let demand = Demand::of(&spec).map_err(refused)?;
    page_policy::allow(&demand).map_err(wrong)?;
    check(&spec, game, &Grants::sealed()).map_err(refused)?;
    Ok(spec)
}

fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> ApiError {
    let hint =
        nearest(name, known).map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    ApiError::bad_request(
        "unknown-name",
        format!("There is no {what} \"{name}\".{hint}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offers::{HostBot, HostOffers};
    use serde_json::json;

    fn prepare(request: Value) -> Result<PreparedGame, ApiError> {
        let request: GameRequest = serde_json::from_value(request).expect("the right shape");
        let offers = Offers::new(HostOffers {
            bots: vec![HostBot {
                name: "Mine".to_owned(),
                spec: "killbot".parse().expect("a spec"),
            }],
            ..HostOffers::default()
        });
        let client = Client::new([10, 0, 0, 1].into());
        request.prepare(&Limits::default(), &offers, client)
    }

    fn with_spec(spec: &str) -> Result<PreparedGame, ApiError> {
        prepare(json!({"map": "classic", "rules": "classic",
            "seats": [{"kind": "human", "name": "Ann"}, {"kind": "bot", "spec": spec}]}))
    }

    #[test]
    fn people_get_tokens_and_bots_do_not() {
        let prepared = with_spec("baseline").expect("a good request");
        assert!(prepared.tokens[0].is_some() && prepared.tokens[1].is_none());
        let seats = &prepared.new_game.seats;
        assert_ne!(seats[0].token_hash, prepared.tokens[0]);
        assert_eq!(prepared.new_game.header.players, ["human", "baseline"]);
    }

    /// Asks for a bot with this spec, is refused, and gets the sentence.
    fn refusal(spec: &str) -> String {
        let error = with_spec(spec).expect_err(spec);
        assert_eq!(error.code, "bad-spec", "{spec}");
        assert!(error.message.len() < 300, "{}", error.message);
        error.message
    }

    #[test]
    fn no_spec_starts_a_program_however_it_is_spaced_and_nested() {
        for program in ["cmd(id)", "cmd (id)", "cmd( id )", "cmd(move-ms=5: id)"] {
            for spec in [
                program.to_owned(),
                format!("rollout(base={program})"),
                format!("rollout(base= {program} )"),
                format!("goal-uct(base={program})"),
                format!("goal-uct(rivals={program})"),
                format!("goal-uct(rivals=killbot + {program})"),
                format!("drafted(base={program})"),
                format!("drafted(draft={program})"),
                format!("quo(draft={program})"),
                format!("mcts(playout={program})"),
                format!("rollout(base=rollout(base=mcts(playout={program})))"),
            ] {
                let message = refusal(&spec);
                assert!(message.contains("start a program"), "{spec}: {message}");
            }
        }
        for spec in [
            "cm d(id)",
            "rollout(base=cm d(id))",
            "rollout(base=c md(id))",
            "goal-uct(rivals=killbot+cm d(id))",
            "mcts(playout=cmd\u{a0}\u{0}(id))",
        ] {
            refusal(spec);
        }
    }

    #[test]
    fn no_spec_reads_a_file() {
        for spec in [
            "greedy(weights=secrets.toml)",
            "greedy(weights=/etc/passwd)",
            "greedy(weights=.env)",
            "beam(weights=config.env)",
            "beam(weights=Cargo.toml)",
            "mcts(weights=..\\x)",
            "goal-uct(weights=Cargo.toml)",
            "quo(draft=uct(weights=Cargo.toml))",
            "drafted(draft=greedy(weights=Cargo.toml))",
            "rollout(base=greedy(weights=Cargo.toml))",
        ] {
            let message = refusal(spec);
            assert!(message.contains("read a file"), "{spec}: {message}");
        }
        for spec in [
            "greedy(weights=wolf-witness-c)",
            "beam(weights=cma-es)",
            "quo(draft=greedy(weights=auto))",
        ] {
            with_spec(spec).expect(spec);
        }
    }

    #[test]
    fn a_bot_of_the_host_is_chosen_by_its_name_alone() {
        let with = |seat: Value| {
            prepare(json!({"map": "classic", "rules": "classic",
                "seats": [{"kind": "human", "name": "Ann"}, seat]}))
        };
        let prepared = with(json!({"kind": "bot", "host_bot": "Mine"})).expect("offered");
        let seat = &prepared.new_game.seats[1];
        assert_eq!(seat.name, "Mine");
        assert_eq!(seat.spec, None, "nobody hears what it is");
        assert_eq!(prepared.new_game.header.players, ["human", "host:Mine"]);
        for (seat, code) in [
            (json!({"kind": "bot", "host_bot": "mine"}), "unknown-name"),
            (
                json!({"kind": "bot", "host_bot": "cmd(id)"}),
                "unknown-name",
            ),
            (json!({"kind": "bot", "spec": "host:Mine"}), "bad-spec"),
            (
                json!({"kind": "bot", "spec": "rollout(base=Mine)"}),
                "bad-spec",
            ),
            (
                json!({"kind": "bot", "host_bot": "Mine", "spec": "killbot"}),
                "bad-seats",
            ),
            (json!({"kind": "human", "host_bot": "Mine"}), "bad-seats"),
        ] {
            assert_eq!(
                with(seat.clone()).expect_err("refused").code,
                code,
                "{seat}"
            );
        }
    }

    #[test]
    fn thousands_of_nested_specs_are_refused_with_a_sentence() {
        for n in [9, 100, 1000, 8000] {
            let spec = "rollout(base=".repeat(n) + "baseline" + &")".repeat(n);
            refusal(&spec);
        }
        refusal(&"(".repeat(60_000));
    }

    #[test]
    fn cost_is_a_product_over_nesting() {
        for spec in [
            "mcts(iters=100000000)",
            "rollout(base=mcts(iters=100000000))",
            "goal-uct(rivals=killbot+mcts(iters=100000000))",
            "goal-uct(rivals=killbot+mcts(iters=20000))",
            "rollout(playouts=5000,base=rollout(playouts=5000))",
            "mcts(playout=mcts(playout=mcts))",
            "emm(depth=60)",
            "emm(width=10000,samples=10000)",
            "quo(draft=mcts(iters=100000000))",
            "mcts(ms=1000000)",
            "mcts(nodes=1e12)",
        ] {
            let message = refusal(spec);
            assert!(message.contains("thinks longer"), "{spec}: {message}");
        }
        for spec in [
            "mcts",
            "mcts-baseline(iters=20000)",
            "mcts(ms=2000)",
            "rollout(base=killbot,playouts=200)",
            "emm",
            "goal-uct(ahead=64,compare=6,rivals=killbot+better-pixie+quo+boscoe)",
            "quo(draft=uct(sims=20000))",
        ] {
            with_spec(spec).expect(spec);
        }
    }

    #[test]
    fn threads_of_bots_within_bots_are_multiplied() {
        for spec in [
            "mcts(threads=200)",
            "mcts(threads=5)",
            "mcts(root-threads=5)",
            "goal-uct(threads=5)",
            "rollout(base=mcts(iters=1,k=1,threads=5))",
        ] {
            refusal(spec);
        }
        with_spec("mcts(threads=4)").expect("four");
    }

    #[test]
    fn wrong_requests_get_a_sentence() {
        let bot = json!({"kind": "bot", "spec": "baseline"});
        let person = json!({"kind": "human", "name": "Ann"});
        let request = |map: &str, rules: Value, seats: Value, seed: Value| json!({"map": map, "rules": rules, "seats": seats, "seed": seed});
        let two = json!([bot, person]);
        let none = Value::Null;
        for (request, code) in [
            (
                request("clasic", json!("classic"), two.clone(), none.clone()),
                "unknown-name",
            ),
            (
                request("classic", json!("clasic"), two.clone(), none.clone()),
                "unknown-name",
            ),
            (
                request("classic", json!({"x": 1}), two.clone(), none.clone()),
                "bad-rules",
            ),
            (
                request("classic", json!("classic"), json!([bot]), none.clone()),
                "bad-seats",
            ),
            (
                request("classic", json!("classic"), two.clone(), json!("-1")),
                "bad-seed",
            ),
            (
                request(
                    "classic",
                    json!("sampling"),
                    json!([bot, bot, bot]),
                    none.clone(),
                ),
                "bad-game",
            ),
            (
                request(
                    "classic",
                    json!("classic"),
                    json!([bot, {"kind": "bot"}]),
                    none,
                ),
                "bad-seats",
            ),
        ] {
            let error = prepare(request).expect_err(code);
            assert_eq!(error.code, code, "{}", error.message);
            assert!(error.message.ends_with(['.', '?']), "{}", error.message);
        }
    }
    #[test]
    fn a_name_that_turns_others_around_or_hides_is_refused() {
        let named = |name: &str| {
            prepare(json!({"map": "classic", "rules": "classic",
                "seats": [{"kind": "human", "name": name}, {"kind": "bot", "spec": "baseline"}]}))
        };
        for name in [
            "Ann\u{202e}oB",
            "\u{2067}Ann",
            "Ann\u{200b}",
            "A\u{feff}nn",
            "\u{1b}[2J",
            "A\u{61c}",
        ] {
            let error = named(name).expect_err(name);
            assert_eq!(error.code, "bad-name", "{}", error.message);
        }
        for name in ["Ann", "Zoë SS.", "李 明", "עדה", "Ann 🎲"] {
            named(name).expect(name);
        }
    }
}
