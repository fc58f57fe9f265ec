//! Analysis as a service: queries with many positions each, answered by several threads in
//! the order of their priority, with partial reports and cancellation.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use hegemon_bots::{Judge, Stop};
use hegemon_core::{Game, Map, Rules, State, from_json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hint::{Hints, hints};
use crate::level::Level;

/// Most queries that wait; more are refused.
pub const MAX_QUERIES: usize = 10_000;
/// Most positions of a query.
pub const MAX_POSITIONS: usize = 10_000;
/// Most plans of a position.
const MAX_PLANS: usize = 20;

/// A line that a client sends: a query, or the id of a query to be cancelled.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(untagged))]
pub enum Request {
    /// Cancels a query.
    Cancel(Cancel),
    /// Asks about positions.
    Query(Query),
}

impl Request {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// If it is no request: what to reply, with the id of the query where the line has one.
    pub fn read(line: &[u8]) -> Result<Request, Reply> {
        let wrong = |id: Option<&str>, message: String| Reply::Error {
            id: id.map(str::to_owned),
            index: None,
            message,
        };
        let value: Value = from_json("the line", line).map_err(|fault| wrong(None, fault))?;
        let Some(fields) = value.as_object() else {
            let message = "the line is neither a query nor a cancellation".to_owned();
            return Err(wrong(None, message));
        };
        let id = fields.get("id").and_then(Value::as_str);
        if fields.contains_key("cancel") {
            let cancel = from_json("the cancellation", line);
            return cancel
                .map(Request::Cancel)
                .map_err(|fault| wrong(id, fault));
        }
        let query = from_json("the query", line);
        query.map(Request::Query).map_err(|fault| wrong(id, fault))
    }
}

/// Cancels a query: what is under way stops, what waits is dropped.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Cancel {
    /// Id of the query.
    pub cancel: String,
}

/// Asks for the chances and the best plans of positions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// Comes back with every reply; no two queries under way may share one.
    pub id: String,
    /// Name of a shipped map.
    #[serde(default = "classic")]
    pub map: String,
    /// Name of a preset.
    #[serde(default = "classic")]
    pub rules: String,
    /// Number of players.
    pub players: usize,
    /// Position strings.
    pub positions: Vec<String>,
    /// How thorough.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "String"))]
    pub level: Level,
    /// How many plans of each position.
    #[serde(default = "three")]
    pub plans: usize,
    /// Higher ones are answered first; of equal ones the older.
    #[serde(default)]
    pub priority: i32,
    /// Whether a quick answer comes before that of a slower level.
    #[serde(default)]
    pub partial: bool,
    /// Seed of all samples.
    #[serde(default = "one")]
    pub seed: u64,
}

fn classic() -> String {
    "classic".to_owned()
}

fn three() -> usize {
    3
}

fn one() -> u64 {
    1
}

/// A line that comes back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Reply {
    /// What is known about a position.
    Position {
        /// Id of the query.
        id: String,
        /// Number of the position in the query, from 0.
        index: usize,
        /// Whether a better answer follows.
        is_partial: bool,
        /// How thorough it is.
        #[cfg_attr(test, schemars(with = "String"))]
        level: Level,
        /// Chances and plans.
        #[cfg_attr(test, schemars(with = "HintsShape"))]
        hints: Hints,
    },
    /// A position or a query that cannot be answered.
    Error {
        /// Id of the query, if it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Number of the position, if it is the position's fault.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// Why, in a sentence.
        message: String,
    },
    /// The last reply to a query.
    Done {
        /// Id of the query.
        id: String,
        /// Whether it was cancelled before all was answered.
        is_cancelled: bool,
    },
}

/// The shape of [`Hints`] in the schema.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct HintsShape {
    /// Seat that decides, from 0.
    seat: usize,
    /// Chance to win by seat.
    chances: Vec<f64>,
    /// Standard errors of the chances.
    errors: Vec<f64>,
    /// The best first.
    plans: Vec<HintShape>,
}

#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[allow(dead_code, reason = "only its schema is used")]
struct HintShape {
    /// Moves in the notation of records.
    moves: Vec<String>,
    /// The same in words.
    words: String,
    /// Chance to win.
    chance: f64,
    /// Its standard error.
    error: f64,
    /// Own armies lost in the turn, on average.
    losses: f64,
    /// Armies that the others lose in it.
    kills: f64,
    /// Why, in a sentence.
    why: String,
}

/// A query under way.
struct Job {
    query: Query,
    game: Arc<Game>,
    /// Made when the query's turn comes: its bots are large, and many queries may wait.
    judge: OnceLock<Result<Judge, String>>,
    stop: Stop,
    /// The place of its first position; those of the others follow.
    first: u64,
    n_left: AtomicUsize,
}

impl Job {
    fn place(&self, index: usize) -> Place {
        let Query { priority, .. } = self.query;
        (std::cmp::Reverse(priority), self.first + index as u64)
    }

    fn judge(&self) -> Result<&Judge, String> {
        let make = || Judge::new(&self.game, &self.stop).map_err(|error| error.to_string());
        self.judge.get_or_init(make).as_ref().map_err(String::clone)
    }
}

/// A position that waits: higher priority first, then older ones.
type Place = (std::cmp::Reverse<i32>, u64);

#[derive(Default)]
struct Queue {
    waiting: BTreeMap<Place, (Arc<Job>, usize)>,
    jobs: BTreeMap<String, Arc<Job>>,
    /// The games of all queries so far, by map, rules and number of players.
    games: BTreeMap<(String, String, usize), Arc<Game>>,
    n_queued: u64,
    is_closed: bool,
}

impl Queue {
    /// The game of a query.
    fn game(&mut self, query: &Query) -> Result<Arc<Game>, String> {
        let key = (query.map.clone(), query.rules.clone(), query.players);
        if let Some(game) = self.games.get(&key) {
            return Ok(Arc::clone(game));
        }
        let map = Map::builtin(&query.map);
        let map = map.ok_or_else(|| format!("there is no map \"{}\"", query.map))?;
        let rules = Rules::preset(&query.rules);
        let rules = rules.ok_or_else(|| format!("there are no rules \"{}\"", query.rules))?;
        let game = Game::new(map, rules, query.players).map_err(|error| error.to_string())?;
        self.games.insert(key, Arc::clone(&game));
        Ok(game)
    }
}

/// Answers queries; replies go to a sink in the order in which they are ready.
pub struct Service<'a> {
    queue: Mutex<Queue>,
    more: Condvar,
    sink: &'a (dyn Fn(&Reply) + Sync),
}

impl<'a> Service<'a> {
    /// A service without queries.
    pub fn new(sink: &'a (dyn Fn(&Reply) + Sync)) -> Service<'a> {
        Service {
            queue: Mutex::default(),
            more: Condvar::new(),
            sink,
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a request. What is wrong with it is a reply.
    pub fn submit(&self, request: Request) {
        match request {
            Request::Cancel(Cancel { cancel }) => self.cancel(&cancel),
            Request::Query(query) => {
                let id = query.id.clone();
                if let Err(message) = self.enqueue(query) {
                    (self.sink)(&Reply::Error {
                        id: Some(id),
                        index: None,
                        message,
                    });
                }
            }
        }
    }

    fn enqueue(&self, query: Query) -> Result<(), String> {
        let n_positions = query.positions.len();
        if n_positions == 0 || n_positions > MAX_POSITIONS {
            return Err(format!("a query has 1 to {MAX_POSITIONS} positions"));
        }
        if query.plans == 0 || query.plans > MAX_PLANS {
            return Err(format!("plans is a number from 1 to {MAX_PLANS}"));
        }
        let mut queue = self.queue();
        if queue.jobs.len() >= MAX_QUERIES {
            return Err(format!("{MAX_QUERIES} queries wait already"));
        }
        if queue.jobs.contains_key(&query.id) {
            return Err("a query with this id is under way".to_owned());
        }
        let job = Arc::new(Job {
            game: queue.game(&query)?,
            judge: OnceLock::new(),
            stop: Stop::new(),
            first: queue.n_queued,
            n_left: AtomicUsize::new(n_positions),
            query,
        });
        queue.n_queued += n_positions as u64;
        queue.jobs.insert(job.query.id.clone(), Arc::clone(&job));
        for index in 0..n_positions {
            queue
                .waiting
                .insert(job.place(index), (Arc::clone(&job), index));
        }
        drop(queue);
        self.more.notify_all();
        Ok(())
    }

    fn cancel(&self, id: &str) {
        let mut queue = self.queue();
        let Some(job) = queue.jobs.get(id).cloned() else {
            drop(queue);
            return (self.sink)(&Reply::Error {
                id: Some(id.to_owned()),
                index: None,
                message: "no query with this id is under way".to_owned(),
            });
        };
        job.stop.raise();
        let dropped = (0..job.query.positions.len())
            .filter(|index| queue.waiting.remove(&job.place(*index)).is_some())
            .count();
        drop(queue);
        self.finish(&job, dropped);
    }

    /// Some positions of a query are done with; says so of the query if they were the last.
    fn finish(&self, job: &Job, n: usize) {
        if n == 0 || job.n_left.fetch_sub(n, Ordering::SeqCst) > n {
            return;
        }
        let id = job.query.id.clone();
        self.queue().jobs.remove(&id);
        (self.sink)(&Reply::Done {
            id,
            is_cancelled: job.stop.is_raised(),
        });
    }

    /// No request follows: workers end when everything is answered.
    pub fn close(&self) {
        self.queue().is_closed = true;
        self.more.notify_all();
    }

    /// Answers positions until the service is closed and nothing waits. Run it on as many
    /// threads as may work.
    pub fn work(&self) {
        while let Some((job, index)) = self.next() {
            if !job.stop.is_raised() {
                self.answer(&job, index);
            }
            self.finish(&job, 1);
        }
    }

    fn next(&self) -> Option<(Arc<Job>, usize)> {
        let mut queue = self.queue();
        loop {
            if let Some((_, task)) = queue.waiting.pop_first() {
                return Some(task);
            }
            if queue.is_closed {
                return None;
            }
            queue = self
                .more
                .wait(queue)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn answer(&self, job: &Job, index: usize) {
        let Query { id, level, .. } = &job.query;
        let error = |message: String| Reply::Error {
            id: Some(id.clone()),
            index: Some(index),
            message,
        };
        let state = match State::from_position(&job.game, &job.query.positions[index]) {
            Ok(state) => state,
            Err(fault) => return (self.sink)(&error(fault.to_string())),
        };
        let judge = match job.judge() {
            Ok(judge) => judge,
            Err(fault) => return (self.sink)(&error(fault)),
        };
        let is_first_quick = job.query.partial && *level != Level::Fast;
        let levels = is_first_quick.then_some(Level::Fast);
        for level in levels.into_iter().chain([*level]) {
            let guess = judge.strangers();
            let Query { plans, seed, .. } = job.query;
            let found = hints(judge, &state, &guess, level, plans, seed);
            // An answer that was cut short is none.
            if job.stop.is_raised() {
                return;
            }
            let reply = match found {
                Some(hints) => Reply::Position {
                    id: id.clone(),
                    index,
                    is_partial: level != job.query.level,
                    level,
                    hints,
                },
                None => error("the position waits for no decision of a player".to_owned()),
            };
            (self.sink)(&reply);
            // A slower level would say the same.
            if matches!(reply, Reply::Error { .. }) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(seed: u64) -> String {
        let map = Map::builtin("duel6").expect("shipped");
        let game = Game::new(map, Rules::preset("lux").expect("shipped"), 2).expect("a game");
        game.deal(seed).to_position()
    }

    fn query(id: &str, positions: Vec<String>) -> Query {
        let text =
            r#"{"id":"","map":"duel6","rules":"lux","players":2,"positions":[],"level":"fast"}"#;
        Query {
            id: id.to_owned(),
            positions,
            ..serde_json::from_str(text).expect("a query")
        }
    }

    /// The replies to requests that are all there before work begins.
    fn replies(requests: Vec<Request>) -> Vec<Reply> {
        let replies = Mutex::new(Vec::new());
        let sink = |reply: &Reply| replies.lock().expect("sound").push(reply.clone());
        let service = Service::new(&sink);
        requests.into_iter().for_each(|r| service.submit(r));
        service.close();
        std::thread::scope(|scope| {
            scope.spawn(|| service.work());
        });
        replies.into_inner().expect("sound")
    }

    #[test]
    fn positions_are_answered_by_priority() {
        let low = query("low", vec![position(1), "board=x".to_owned()]);
        let mut high = query("high", vec![position(2)]);
        high.priority = 5;
        let found = replies(vec![Request::Query(low), Request::Query(high)]);
        let ids: Vec<&str> = found
            .iter()
            .map(|reply| match reply {
                Reply::Position { id, hints, .. } => {
                    assert!(!hints.plans.is_empty() && hints.chances.len() == 2);
                    id.as_str()
                }
                Reply::Error { index, .. } => {
                    assert_eq!(*index, Some(1));
                    "fault"
                }
                Reply::Done { is_cancelled, .. } => {
                    assert!(!is_cancelled);
                    "done"
                }
            })
            .collect();
        assert_eq!(ids, ["high", "done", "low", "fault", "done"]);
    }

    /// A position without a decision is one fault, at a slower level too.
    #[test]
    fn a_fault_is_told_once() {
        let map = Map::builtin("duel6").expect("shipped");
        let rules = Rules::preset("lux").expect("shipped");
        let start = Game::new(map, rules, 2).expect("a game").start();
        let mut slow = query("slow", vec![start.to_position()]);
        (slow.level, slow.partial) = (Level::Normal, true);
        let found = replies(vec![Request::Query(slow)]);
        let n_faults = found.iter().filter(|r| matches!(r, Reply::Error { .. }));
        assert_eq!(n_faults.count(), 1, "{found:?}");
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn a_quick_answer_comes_first_and_a_cancelled_query_ends() {
        let mut slow = query("slow", vec![position(1)]);
        (slow.level, slow.partial) = (Level::Normal, true);
        let levels: Vec<Level> = replies(vec![Request::Query(slow.clone())])
            .iter()
            .filter_map(|reply| match reply {
                Reply::Position {
                    level, is_partial, ..
                } => {
                    assert_eq!(*is_partial, *level == Level::Fast);
                    Some(*level)
                }
                _ => None,
            })
            .collect();
        assert_eq!(levels, [Level::Fast, Level::Normal]);
        let cancel = r#"{"cancel":"slow"}"#;
        let cancel = Request::read(cancel.as_bytes()).expect("a request");
        let found = replies(vec![Request::Query(slow), cancel.clone()]);
        let id = "slow".to_owned();
        let is_cancelled = true;
        assert_eq!(found, [Reply::Done { id, is_cancelled }]);
        assert!(matches!(replies(vec![cancel])[..], [Reply::Error { .. }]));
    }

    /// The query that is cancelled is neither before nor after the others: it is gone.
    #[test]
    fn what_waits_is_dropped_at_once_and_its_id_is_free() {
        let low = || Request::Query(query("low", vec![position(1); 3]));
        let mut high = query("high", vec![position(2)]);
        high.priority = 5;
        let cancel = Request::read(br#"{"cancel":"low"}"#).expect("a request");
        let found = replies(vec![low(), Request::Query(high), cancel, low()]);
        let done = |id: &str, is_cancelled| Reply::Done {
            id: id.to_owned(),
            is_cancelled,
        };
        assert_eq!(found[0], done("low", true));
        assert_eq!(found[2], done("high", false));
        assert_eq!(found.last(), Some(&done("low", false)));
        assert_eq!(found.len(), 1 + 2 + 4);
    }

    #[test]
    fn a_wrong_line_is_told_with_its_id_and_its_field() {
        let told = |line: &str| match Request::read(line.as_bytes()) {
            Err(Reply::Error { id, message, .. }) => (id, message),
            other => panic!("{line}: {other:?}"),
        };
        let query = |fields: &str| told(&format!(r#"{{"id":"a",{fields}}}"#));
        for (fields, word) in [
            (r#""positions":[]"#, "players"),
            (r#""players":2,"positions":[],"colour":1"#, "colour"),
            (
                r#""players":2,"positions":[],"level":"slow""#,
                "\"level\": ",
            ),
            (r#""players":"x","positions":[]"#, "\"players\": "),
            (r#""players":2,"positions":["",7]"#, "\"positions[1]\": "),
        ] {
            let (id, message) = query(fields);
            assert_eq!(id.as_deref(), Some("a"));
            assert!(message.contains(word), "{message}");
            for theirs in ["invalid type", "usize", "`"] {
                assert!(!message.contains(theirs), "{message}");
            }
        }
        for line in ["", "7", "{", r#"{"cancel":7}"#] {
            assert_eq!(told(line).0, None);
        }
    }

    /// `cargo xtask generate` writes it.
    #[test]
    fn the_schema_is_what_the_types_say() {
        #[derive(schemars::JsonSchema)]
        #[schemars(untagged)]
        #[allow(dead_code, reason = "only its schema is used")]
        enum Line {
            Request(Request),
            Reply(Reply),
        }
        let schema = schemars::schema_for!(Line);
        // A line is a request or a reply itself, not an object with one in it.
        let root = schema.as_value();
        assert_eq!(root["anyOf"][0]["$ref"], "#/$defs/Request", "{root:#}");
        assert_eq!(root["anyOf"][1]["$ref"], "#/$defs/Reply");
        let text = serde_json::to_string_pretty(&schema).expect("plain data") + "\n";
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/analysis.schema.json"
        );
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(path, &text).expect("the file is ours");
        }
        let written = std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(written, text, "stale: cargo xtask generate");
    }
}
