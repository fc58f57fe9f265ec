//! Seeded random clients on a real server, and faults: the server is killed,
//! stopped, runs out of disk, finds a row damaged, has readers that do not
//! read. After each fault three things must hold:
//!
//! - what was shown is stored,
//! - no card goes over the wrong wire,
//! - an honest player is answered.
//!
//! `HEGEMON_SIMULATOR_FAULTS` and `HEGEMON_KILLS` set the number of
//! faults (the default is small), `HEGEMON_SIMULATOR_SEED` the seed.

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use common::{Client, Folder, Host, bot, game_of, person};
use hegemon_core::Rng;
use hegemon_server::Config;
use rusqlite::Connection;
use serde_json::{Value, json};

/// Where a process of this program finds that it is to be a server.
const STORE: &str = "HEGEMON_SIMULATOR_STORE";
/// What the server says when it is ready.
const READY: &str = "the simulated server is at port ";

fn number(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Not a test: this program as a server, so that it can be killed.
#[test]
fn server_of_the_simulator() {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let Some(store) = std::env::var_os(STORE) else {
        return;
    };
    let address = ([127, 0, 0, 1], 0).into();
    let config = Config::new(store.into());
    let ready = |address: std::net::SocketAddr, faults: &[String]| {
        say(&format!("\n{READY}{} {}", address.port(), faults.len()));
    };
    hegemon_server::serve(address, config, &NEVER, ready).expect("serves");
}

/// A server in a process of its own.
struct Process {
    child: Child,
    host: Host,
    /// Stored games that cannot go on.
    n_faults: usize,
}

impl Process {
    /// Starts a server; no file may grow beyond `most_kib`, if that is said.
    fn start(folder: &Folder, most_kib: Option<u64>) -> Process {
        let own = std::env::current_exe().expect("this program");
        let limit = most_kib.map_or("unlimited".to_owned(), |kib| (2 * kib).to_string());
        // Without the trap the first write beyond would end the server.
        let script = "trap '' XFSZ; ulimit -f \"$1\"; shift; exec \"$@\"";
        let mut child = Command::new("sh")
            .args(["-c", script, "sh", &limit])
            .arg(own)
            .args(["server_of_the_simulator", "--exact", "--nocapture"])
            .env(STORE, folder.store())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let line = output
            .lines()
            .map_while(Result::ok)
            .find(|line| line.starts_with(READY))
            .expect("the server starts");
        let mut words = line[READY.len()..].split(' ').map(str::parse::<usize>);
        let mut next = || words.next().expect("a number").expect("a number");
        let (port, n_faults) = (next(), next());
        Process {
            child,
            host: Host::elsewhere(port as u16),
            n_faults,
        }
    }

    /// The end that nobody can prepare for.
    fn kill(mut self) {
        self.child.kill().expect("kills");
        self.child.wait().expect("waits");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A game, its open windows and everything that was ever shown of it.
struct Witness {
    game: Value,
    n_people: usize,
    shown: BTreeMap<u64, Value>,
    windows: Vec<Option<Client>>,
    /// The last state that each seat was shown in its window.
    states: Vec<Option<Value>>,
    watcher: Option<Client>,
}

impl Witness {
    fn id(&self) -> &str {
        self.game["id"].as_str().expect("an id")
    }

    /// Takes note of a message of a seat, or of a watcher.
    fn note(&mut self, seat: Option<usize>, message: &Value) {
        match message["type"].as_str() {
            Some("events") => {
                for event in message["events"].as_array().expect("a list") {
                    let seq = event["seq"].as_u64().expect("a number");
                    if event["kind"] == "card" {
                        let text = event["text"].as_str().expect("a text");
                        assert!(text.contains(" draws a card."), "{text}");
                    }
                    let known = self.shown.entry(seq).or_insert_with(|| event.clone());
                    assert_eq!(known, event, "everybody is shown the same");
                }
            }
            Some("state") => {
                let view = &message["view"];
                let n_shown = view["cards"].as_array().map_or(0, Vec::len);
                let n_own = seat.map(|seat| view["n_cards"][seat].as_u64());
                let n_own = n_own.flatten().unwrap_or(0) as usize;
                assert_eq!(n_shown, n_own, "the cards of the seat and no others");
                let is_asked = !message["choose"].is_null();
                assert!(!is_asked || seat.map(|s| json!(s)) == Some(message["mover"].clone()));
            }
            _ => {}
        }
    }

    /// Opens the windows of all people and of a watcher.
    async fn open(&mut self, host: &Host) {
        for seat in 0..self.n_people {
            self.windows[seat] = Some(host.sit(&self.game, seat).await);
        }
        let path = format!("/api/games/{}/socket", self.id());
        self.watcher = Some(host.socket(&path).await);
    }

    fn close(&mut self) {
        self.windows.iter_mut().for_each(|window| *window = None);
        self.states.fill(None);
        self.watcher = None;
    }

    /// Reads on until the seat sees a state from `seq` on; `None` if the window
    /// is gone or nothing comes.
    async fn state(&mut self, seat: usize, seq: u64, patience: Duration) -> Option<Value> {
        loop {
            if let Some(state) = &self.states[seat]
                && state["seq"].as_u64() >= Some(seq)
            {
                return Some(state.clone());
            }
            let window = self.windows[seat].as_mut()?;
            let message = tokio::time::timeout(patience, window.try_next()).await;
            let message = message.ok()??;
            self.note(Some(seat), &message);
            if message["type"] == "state" {
                self.states[seat] = Some(message);
            }
        }
    }

    /// Lets one of the people make a random move. Whether it was answered.
    async fn play(&mut self, rng: &mut Rng, patience: Duration) -> bool {
        let newest = self.shown.keys().next_back().copied().unwrap_or(0);
        for seat in 0..self.n_people {
            let Some(state) = self.state(seat, newest, patience).await else {
                return false;
            };
            if state["status"] == "over" {
                return true;
            }
            if state["choose"].is_null() {
                continue;
            }
            let id = state["choose"]["id"].as_u64().expect("a number");
            let message = json!({"type": "move", "id": id, "move": random_move(&state, rng)});
            if let Some(window) = &mut self.windows[seat] {
                window.try_send(&message).await;
            }
            return self.state(seat, id + 1, patience).await.is_some();
        }
        // A bot thinks.
        true
    }

    /// Whatever the watcher was shown meanwhile.
    async fn look(&mut self) {
        while let Some(watcher) = &mut self.watcher
            && let Ok(Some(message)) =
                tokio::time::timeout(Duration::from_millis(5), watcher.try_next()).await
        {
            self.note(None, &message);
        }
    }

    /// Everything that was shown is what the server tells again.
    async fn assert_stored(&self, host: &Host) {
        let newest = self.shown.keys().next_back().copied().unwrap_or(0);
        let path = format!("/api/games/{}/socket?from=0", self.id());
        let mut watcher = host.socket(&path).await;
        let mut told = BTreeMap::new();
        while (told.len() as u64) < newest {
            let message = watcher.next().await.expect("tells all");
            if message["type"] == "events" {
                for event in message["events"].as_array().expect("a list") {
                    let seq = event["seq"].as_u64().expect("a number");
                    told.insert(seq, event.clone());
                }
            }
        }
        for (seq, event) in &self.shown {
            assert_eq!(told.get(seq), Some(event), "event {seq} was shown");
        }
    }
}

fn random_move(state: &Value, rng: &mut Rng) -> String {
    let mut below = |n: usize| rng.below(n.max(1) as u32) as usize;
    let groups = state["choose"]["groups"].as_array().expect("groups");
    let group = &groups[below(groups.len())];
    let targets = group["to"].as_array().map_or(0, Vec::len);
    let to = &group["to"][below(targets)];
    let most = &group["armies"][1];
    match group["kind"].as_str() {
        Some("place") => format!("p{to}x{most}"),
        Some("attack") => format!("a{}>{to}x{most}", group["from"]),
        Some("occupy") => format!("o{most}"),
        Some("end") => "end".to_owned(),
        _ => common::some_move(state, below(1000)),
    }
}

/// A server with games, and a stream of random decisions.
struct World {
    folder: Folder,
    server: Option<Process>,
    games: Vec<Witness>,
    n_damaged: usize,
    /// Events that were shown of games that are no longer played.
    n_past: usize,
    rng: Rng,
}

impl World {
    async fn new(seed: u64) -> World {
        let folder = Folder::new();
        let server = Process::start(&folder, None);
        let mut world = World {
            folder,
            server: Some(server),
            games: Vec::new(),
            n_damaged: 0,
            n_past: 0,
            rng: Rng::stream(seed, "simulator"),
        };
        for _ in 0..3 {
            world.make_game().await;
        }
        world
    }

    fn host(&self) -> &Host {
        &self.server.as_ref().expect("it runs").host
    }

    async fn make_game(&mut self) {
        let n_people = 1 + self.rng.below(3) as usize;
        let mut seats: Vec<Value> = ["Ann", "Bo", "Cy"][..n_people]
            .iter()
            .map(|name| person(name))
            .collect();
        seats.push(bot("simulation"));
        seats.push(bot("killbot"));
        let game = self.host().create(&game_of("classic", "lux", &seats)).await;
        let mut witness = Witness {
            game,
            n_people,
            shown: BTreeMap::new(),
            windows: (0..n_people).map(|_| None).collect(),
            states: vec![None; n_people],
            watcher: None,
        };
        witness.open(self.host()).await;
        self.games.push(witness);
    }

    /// Lets random people move in random games. Whether all were answered.
    async fn play(&mut self, n_moves: u32, patience: Duration) -> bool {
        let mut is_answered = true;
        for _ in 0..n_moves {
            let n = self.rng.below(self.games.len() as u32) as usize;
            let game = &mut self.games[n];
            is_answered &= game.play(&mut self.rng, patience).await;
            game.look().await;
        }
        is_answered
    }

    /// Starts the server again, and checks all that must hold.
    async fn recover(&mut self) {
        self.server = Some(Process::start(&self.folder, None));
        let n_faults = self.server.as_ref().map(|server| server.n_faults);
        assert_eq!(n_faults, Some(self.n_damaged), "only what was damaged is");
        let host = Host::elsewhere(self.host().port);
        for game in &mut self.games {
            game.close();
            game.assert_stored(&host).await;
            game.open(&host).await;
        }
        assert!(
            self.play(10, Duration::from_secs(20)).await,
            "honest players are answered"
        );
    }

    async fn kill(&mut self) {
        // Somewhere in the middle of moves of people and bots.
        let pause = Duration::from_millis(u64::from(self.rng.below(30)));
        let patience = Duration::from_millis(200);
        let n_moves = 5 + self.rng.below(10);
        self.play(n_moves, patience).await;
        tokio::time::sleep(pause).await;
        self.server.take().expect("it runs").kill();
        for game in &mut self.games {
            game.look().await;
        }
        self.recover().await;
    }

    /// The disk is full for a while; then the server is killed on top of it.
    async fn fill_disk(&mut self) {
        self.server.take().expect("it runs").kill();
        let len = |path| std::fs::metadata(path).map_or(0, |facts| facts.len());
        let log = self.folder.0.join("games.db-wal");
        let most = len(self.folder.store()).max(len(log)) / 1024 + 40;
        self.server = Some(Process::start(&self.folder, Some(most)));
        let host = Host::elsewhere(self.host().port);
        for game in &mut self.games {
            game.close();
            game.open(&host).await;
        }
        let begin = Instant::now();
        // A move that cannot be stored is not shown.
        while self.play(3, Duration::from_millis(500)).await {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "the disk is full"
            );
        }
        assert_eq!(self.host().get("/api/about").await.status, 200);
        self.server.take().expect("it runs").kill();
        self.recover().await;
    }

    /// One game's row is damaged while the server is down.
    async fn damage_row(&mut self) {
        if self.games.len() < 2 {
            self.make_game().await;
        }
        self.play(3, Duration::from_secs(20)).await;
        self.server.take().expect("it runs").kill();
        let n = self.rng.below(self.games.len() as u32) as usize;
        let damaged = self.games.swap_remove(n);
        let store = Connection::open(self.folder.store()).expect("opens");
        let damage = [
            "UPDATE games SET header = '{\"map\":' WHERE id = ?1",
            "UPDATE games SET seats = x'ff00' WHERE id = ?1",
            "UPDATE entries SET entries = 'a1>2x' WHERE game = (SELECT number FROM games WHERE id = ?1)",
        ][self.rng.below(3) as usize];
        store.execute(damage, [damaged.id()]).expect("damages");
        // A game that is over is not opened at the start.
        let is_over: bool = store
            .query_row(
                "SELECT result IS NOT NULL FROM games WHERE id = ?1",
                [damaged.id()],
                |row| row.get(0),
            )
            .expect("a row");
        self.n_damaged += usize::from(!is_over);
        drop(store);
        self.recover().await;
        assert_eq!(self.host().get("/api/games").await.status, 200);
    }

    /// Events that people saw, over all games.
    fn n_shown(&self) -> usize {
        let now: usize = self.games.iter().map(|game| game.shown.len()).sum();
        self.n_past + now
    }

    /// Somebody opens many windows and reads nothing.
    async fn stop_reading(&mut self) {
        let path = format!("/api/games/{}/socket?from=0", self.games[0].id());
        let mut windows = Vec::new();
        for _ in 0..40 {
            windows.push(self.host().socket(&path).await);
        }
        assert!(
            self.play(10, Duration::from_secs(20)).await,
            "others are answered while somebody does not read"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_happens_the_server_keeps_its_promises() {
    let seed = number("HEGEMON_SIMULATOR_SEED", 1);
    let mut world = World::new(seed).await;
    for n in 0..number("HEGEMON_SIMULATOR_FAULTS", 4) {
        assert!(world.play(8, Duration::from_secs(20)).await, "answered");
        match (n + seed) % 4 {
            0 => world.kill().await,
            1 => world.fill_disk().await,
            2 => world.damage_row().await,
            _ => world.stop_reading().await,
        }
        if world.games.len() < 6 {
            world.make_game().await;
        }
    }
    let n_shown = world.n_shown();
    say(&format!("{n_shown} events shown, none lost, no card seen"));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_shown_is_lost_when_the_server_is_killed() {
    let mut world = World::new(number("HEGEMON_SIMULATOR_SEED", 7)).await;
    let n_kills = number("HEGEMON_KILLS", 3);
    for _ in 0..n_kills {
        world.kill().await;
        // A client has a limited number of seats.
        if world.games.len() > 8 {
            world.n_past += world.games.remove(0).shown.len();
        }
        world.make_game().await;
    }
    let n_shown = world.n_shown();
    assert!(
        n_shown as u64 > 50 * n_kills,
        "{n_shown} events are a trial"
    );
    say(&format!(
        "{n_kills} kills, {n_shown} events shown, none lost"
    ));
}

#[allow(clippy::print_stdout, reason = "figures for who asks with --nocapture")]
fn say(line: &str) {
    println!("{line}");
}
