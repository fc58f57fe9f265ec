//! A game of three people on a server that is attacked.
//!
//! Starts `hegemon play`, makes a game of three people who move in turn, and
//! meanwhile attacks the server as a hostile local page or client would: heavy
//! and nested specs, records and maps that are costly to check, half-open
//! connections, slow bodies, floods of requests, sockets and games. Printed are
//! the answers to the honest moves, the server's memory and the size of its
//! store. The exit code says whether the promises were kept.
//!
//! ```text
//! cargo build --release && cargo run --release -p hegemon-server --example attack -- \
//!     --server target/release/hegemon --seconds 600
//! ```
//!
//! `--help` says more. The attackers run at a lower priority: real ones have
//! processors of their own.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use common::{
    Failure, Socket, ask, create, gave_help, memory_kb, mover_of, number, on_own_thread, open,
    option, quantile, quiet_message, receive, seat_path, state_from,
};
use futures_util::SinkExt;
use hegemon_core::rules::{Attack, InitialArmies, Placement};
use hegemon_core::{Game, Map, Node, Rules, Streams};
use hegemon_record::Header;
use hegemon_server::Config;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// A person takes a moment before each move.
const PAUSE: Duration = Duration::from_millis(100);
/// An answer that takes longer counts as none.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a person opens the page again.
const REOPEN: Duration = Duration::from_secs(20);
/// How long the page takes to load; others may want the place meanwhile.
const RELOAD: Duration = Duration::from_millis(500);
/// The promises of the server.
const MAX_P99_MS: f64 = 250.0;
const MAX_MEMORY_KB: u64 = 512 << 10;
const MAX_STORE: u64 = 100 << 20;
const MAX_LOG: u64 = 64 << 20;

const HELP: &str = "\
Attacks a server while three people play a game on it, and says whether every move was answered.

  --seconds N      how long (60)
  --server FILE    the program that is attacked, as `FILE play`; without it, a server of its own
  --skip KIND,...  leaves attacks out: specs, bombs, uploads, half-open, slow, floods, sockets,
                   seats, pieces, games

Example:
  attack --server target/release/hegemon --seconds 600 --skip slow";

struct Scene {
    port: u16,
    stop: AtomicBool,
    /// Whether all people have opened their pages.
    has_begun: AtomicBool,
    /// Addresses of seats that the attackers may open.
    seats: Vec<String>,
    /// What the attackers did, by kind.
    done: Vec<(&'static str, AtomicU64)>,
}

const KINDS: [&str; 10] = [
    "specs",
    "bombs",
    "uploads",
    "half-open",
    "slow",
    "floods",
    "sockets",
    "seats",
    "pieces",
    "games",
];

impl Scene {
    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::SeqCst)
    }

    fn count(&self, kind: &str) {
        if let Some((_, n)) = self.done.iter().find(|(known, _)| *known == kind) {
            n.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn main() -> Result<(), Failure> {
    if std::env::args().nth(1).as_deref() == Some("play") {
        return serve();
    }
    if gave_help(HELP)? {
        return Ok(());
    }
    let own = std::env::current_exe()?.to_string_lossy().into_owned();
    let program = option("--server").unwrap_or(own);
    let time = Duration::from_secs(number("--seconds", 60));
    let skipped = option("--skip").unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("hegemon-attack-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (mut server, port) = start(&program, &folder)?;
    let seats = on_own_thread(make_seats(port)).join();
    let scene = Arc::new(Scene {
        port,
        stop: AtomicBool::new(false),
        has_begun: AtomicBool::new(false),
        seats: seats.map_err(|_| "a panic")??,
        done: KINDS.map(|kind| (kind, AtomicU64::new(0))).into(),
    });
    let people = on_own_thread(play(Arc::clone(&scene)));
    while !scene.has_begun.load(Ordering::SeqCst) && !people.is_finished() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let attack = {
        let scene = Arc::clone(&scene);
        let kinds: Vec<&'static str> = KINDS
            .into_iter()
            .filter(|kind| !skipped.split(',').any(|skip| skip == *kind))
            .collect();
        std::thread::spawn(move || attack(&scene, &kinds))
    };
    let sizes = watch(&scene, &mut server, &folder, time);
    let people = people.join().map_err(|_| "a panic")?;
    let _ = attack.join();
    let n_errors = std::fs::read_to_string(folder.join("stderr.txt"))?
        .lines()
        .count();
    stop(&mut server, option("--server").is_none())?;
    let log_left = file_len(&folder.join("games.db-wal"));
    let kept = report(&scene, people?, &sizes, n_errors, log_left)?;
    std::fs::remove_dir_all(&folder)?;
    kept.then_some(())
        .ok_or_else(|| "a promise was not kept".into())
}

/// This program as the server that is attacked, where none is named.
fn serve() -> Result<(), Failure> {
    static STOP: AtomicBool = AtomicBool::new(false);
    let store = option("--store").ok_or("no store")?;
    let config = Config {
        log: |line| {
            let _ = writeln!(std::io::stderr(), "{line}");
        },
        ..Config::new(store.into())
    };
    std::thread::spawn(|| {
        // It stops when the other end of the input is closed.
        let _ = std::io::stdin().read_line(&mut String::new());
        STOP.store(true, Ordering::SeqCst);
    });
    hegemon_server::serve(([127, 0, 0, 1], 0).into(), config, &STOP, |address, _| {
        let _ = writeln!(std::io::stdout(), "at http://{address}/");
    })?;
    Ok(())
}

fn start(program: &str, folder: &Path) -> Result<(Child, u16), Failure> {
    let errors = std::fs::File::create(folder.join("stderr.txt"))?;
    let mut server = Command::new(program)
        .args(["play", "--port", "0", "--store"])
        .arg(folder.join("games.db"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(errors)
        .spawn()?;
    let output = server.stdout.take().ok_or("no output")?;
    let mut first = String::new();
    BufReader::new(output).read_line(&mut first)?;
    let port = first.trim().trim_end_matches('/').rsplit(':').next();
    let port = port
        .and_then(|port| port.parse().ok())
        .ok_or("the server did not start")?;
    Ok((server, port))
}

/// Stops the server as Ctrl-C does.
fn stop(server: &mut Child, is_own: bool) -> Result<(), Failure> {
    server.stdin.take();
    if !is_own {
        let pid = server.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status()?;
    }
    let begin = Instant::now();
    while server.try_wait()?.is_none() {
        if begin.elapsed() > Duration::from_secs(20) {
            server.kill()?;
            return Err("the server did not stop".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

fn file_len(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |facts| facts.len())
}

/// The largest sizes seen.
#[derive(Debug, Default)]
struct Sizes {
    memory_kb: u64,
    store: u64,
    log: u64,
    /// When the server ended, if it did.
    died: Option<Duration>,
}

fn watch(scene: &Scene, server: &mut Child, folder: &Path, time: Duration) -> Sizes {
    let store: PathBuf = folder.join("games.db");
    let log = folder.join("games.db-wal");
    let process = server.id().to_string();
    let begin = Instant::now();
    let mut sizes = Sizes::default();
    while begin.elapsed() < time && sizes.died.is_none() {
        std::thread::sleep(Duration::from_millis(200));
        sizes.store = sizes.store.max(file_len(&store));
        sizes.log = sizes.log.max(file_len(&log));
        if let Some(peak) = memory_kb(&process, "VmHWM") {
            sizes.memory_kb = sizes.memory_kb.max(peak);
        }
        if !matches!(server.try_wait(), Ok(None)) {
            sizes.died = Some(begin.elapsed());
        }
    }
    scene.stop.store(true, Ordering::SeqCst);
    sizes
}

/// What the three people saw.
#[derive(Debug, Default)]
struct Honest {
    answers: Vec<Duration>,
    openings: Vec<Duration>,
    n_unanswered: u64,
    /// What was heard at the end of each socket that was lost.
    losses: Vec<String>,
}

/// A person at the page.
struct Person {
    path: String,
    window: Option<(Socket, Value)>,
}

/// Plays a game of three people in turn.
async fn play(scene: Arc<Scene>) -> Result<Honest, Failure> {
    let mut honest = Honest::default();
    while scene.goes_on() {
        let people = ["Ann", "Bo", "Cy"].map(|name| json!({"kind": "human", "name": name}));
        let request = json!({"map": "classic", "rules": "lux", "seats": people});
        let game = create(scene.port, &request).await?;
        let person = |seat| {
            let path = seat_path(&game, seat)?;
            Ok(Person { path, window: None })
        };
        let people: Vec<Person> = (0..3).map(person).collect::<Result<_, Failure>>()?;
        play_game(&scene, people, &mut honest).await;
    }
    Ok(honest)
}

async fn play_game(scene: &Scene, mut people: Vec<Person>, honest: &mut Honest) {
    for person in &mut people {
        // Who does not get in now tries again when it must move.
        if let Err(error) = person.open(scene.port, honest).await {
            honest.losses.push(error.to_string());
        }
    }
    scene.has_begun.store(true, Ordering::SeqCst);
    let mut last_open = Instant::now();
    let (mut mover, mut seq) = (0, 0);
    while scene.goes_on() {
        sleep(PAUSE).await;
        let person = &mut people[mover];
        if last_open.elapsed() > REOPEN {
            person.window = None;
            sleep(RELOAD).await;
            last_open = Instant::now();
        }
        match person.step(scene.port, seq, honest).await {
            Ok(state) if state["status"] == "over" => return,
            Ok(state) => {
                seq = state["seq"].as_u64().unwrap_or(seq);
                mover = mover_of(&state).unwrap_or(mover);
            }
            Err(error) => {
                honest.losses.push(error.to_string());
                person.window = None;
            }
        }
    }
}

impl Person {
    /// The open page.
    async fn open(
        &mut self,
        port: u16,
        honest: &mut Honest,
    ) -> Result<&mut (Socket, Value), Failure> {
        let window = match self.window.take() {
            Some(window) => window,
            None => {
                let begin = Instant::now();
                let mut socket = timeout(PATIENCE, open(port, &self.path)).await??;
                let state = timeout(PATIENCE, state_from(&mut socket, 0)).await??;
                honest.openings.push(begin.elapsed());
                (socket, state)
            }
        };
        Ok(self.window.insert(window))
    }

    /// Moves if it is this person's turn; returns the newest state.
    async fn step(&mut self, port: u16, seq: u64, honest: &mut Honest) -> Result<Value, Failure> {
        let (socket, state) = self.open(port, honest).await?;
        if state["seq"].as_u64() < Some(seq) {
            *state = timeout(PATIENCE, state_from(socket, seq)).await??;
        }
        if state["choose"].is_null() {
            return Ok(state.clone());
        }
        let (id, message) = quiet_message(state)?;
        let begin = Instant::now();
        socket.send(message).await?;
        match timeout(PATIENCE, state_from(socket, id + 1)).await {
            Ok(answer) => {
                *state = answer?;
                honest.answers.push(begin.elapsed());
                Ok(state.clone())
            }
            Err(_) => {
                honest.n_unanswered += 1;
                Err("no answer".into())
            }
        }
    }
}

/// Runs all attackers until the scene ends.
fn attack(scene: &Arc<Scene>, kinds: &[&'static str]) -> Result<(), Failure> {
    step_back();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut attackers = Vec::new();
        for &kind in kinds {
            let n = match kind {
                "half-open" => 300,
                "slow" => 60,
                "floods" => 16,
                "sockets" => 300,
                "seats" => 80,
                "pieces" => 6,
                "games" => 8,
                _ => 3,
            };
            for number in 0..n {
                attackers.push(tokio::spawn(keep_attacking(
                    Arc::clone(scene),
                    kind,
                    number,
                )));
            }
        }
        for attacker in attackers {
            let _ = attacker.await;
        }
    });
    runtime.shutdown_background();
    Ok(())
}

/// Threads made from here on step back as well.
fn step_back() {
    #[cfg(target_os = "linux")]
    {
        let thread = Some(rustix::thread::gettid());
        // Where it is not allowed, all share as they can.
        let _ = rustix::process::setpriority_process(thread, 10);
    }
}

async fn keep_attacking(scene: Arc<Scene>, kind: &'static str, number: u64) {
    let mut round = 0;
    while scene.goes_on() {
        let seed = number * 1_000_003 + round;
        let once = attack_once(&scene, kind, seed);
        // Whatever the server does to an attacker is fine.
        if let Ok(Ok(())) = timeout(Duration::from_secs(30), once).await {
            scene.count(kind);
        } else {
            sleep(Duration::from_millis(20)).await;
        }
        round += 1;
    }
}

async fn attack_once(scene: &Scene, kind: &str, seed: u64) -> Result<(), Failure> {
    let (port, n_seats) = (scene.port, scene.seats.len() as u64);
    let path = &scene.seats[(seed % n_seats) as usize];
    match kind {
        "specs" => specs(port, seed).await,
        "bombs" => bomb(port, seed).await,
        "uploads" => upload(port, seed).await,
        "half-open" => half_open(port, seed).await,
        "slow" => slow_body(port).await,
        "floods" => flood(port, seed).await,
        "sockets" => watcher(port, seed).await,
        "seats" => seat(port, path).await,
        "pieces" => pieces(port, path, seed).await,
        _ => bot_game(port, seed).await,
    }
}

/// Games with specs that are heavy, or reach outside.
async fn specs(port: u16, seed: u64) -> Result<(), Failure> {
    let specs = [
        "mcts(iters=100000)",
        "rollout(base=mcts(iters=100000))",
        "goal-uct(rivals=killbot+mcts(iters=100000000))",
        "goal-uct(ahead=100000,compare=100000)",
        "champion(looks=1000000)",
        "champion(ms=14000)",
        "rollout(base=cm d(touch /tmp/owned))",
        "greedy(weights=secrets.toml)",
        "cmd(sleep 1000)",
        "rollout(base=rollout(base=rollout(base=rollout(base=killbot))))",
    ];
    game_with(port, specs[seed as usize % specs.len()]).await
}

async fn game_with(port: u16, spec: &str) -> Result<(), Failure> {
    let seats = [spec, "killbot"].map(|spec| json!({"kind": "bot", "spec": spec}));
    let request = json!({"map": "classic", "rules": "lux", "seats": seats});
    ask(port, "POST", "/api/games", &request.to_string()).await?;
    sleep(Duration::from_millis(200)).await;
    Ok(())
}

/// Specs nested so deep that a careless parser overflows its stack.
async fn bomb(port: u16, seed: u64) -> Result<(), Failure> {
    let depth = [10, 1_000, 4_000][seed as usize % 3];
    let spec = "rollout(base=".repeat(depth) + "killbot" + &")".repeat(depth);
    game_with(port, &spec).await
}

/// Records that are costly to check or large.
async fn upload(port: u16, seed: u64) -> Result<(), Failure> {
    let body = match seed % 4 {
        0 => costly_record(seed)?,
        1 => odd_record(seed)?,
        2 => wide_map(),
        _ => format!("hegemon-record 1\n{{{}", "\"x\":".repeat(200_000)),
    };
    ask(port, "POST", "/api/replay", &body).await?;
    Ok(())
}

/// Rules with as many armies as may be, fought in one balanced draw.
fn huge_rules(second_from: u32) -> Option<Rules> {
    let mut rules = Rules::preset("lux")?;
    rules.initial_armies = InitialArmies::ByPlayers([30_000; 5]);
    rules.placement = Placement::Even;
    rules.battle.attack = Attack::BalancedBlitz;
    rules.battle.dice.defender_second_from = second_from;
    Some(rules)
}

/// A record of a kilobyte whose battle has a law of a billion cells.
fn costly_record(seed: u64) -> Result<String, Failure> {
    let rules = huge_rules(2).ok_or("no rules")?;
    let game = Game::new(Map::builtin("duel6").ok_or("no map")?, rules, 2)?;
    let header = Header::new(&game, vec!["human".to_owned(); 2], seed);
    let mut text = format!("hegemon-record 1\n{}\n", serde_json::to_string(&header)?);
    let (mut state, mut streams) = (game.start(), Streams::new(seed));
    for _ in 0..1000 {
        if state.node() == Node::Chance {
            if state.front().is_some() {
                // The losses are wrong, but that takes the law to see.
                text += "B17:23\n";
                break;
            }
            let outcome = streams.draw(&state);
            text += &format!("{outcome} ");
            state.resolve(outcome)?;
            continue;
        }
        let moves = state.legal_moves();
        let attack = moves.iter().find(|mv| mv.to_string().starts_with('a'));
        let mv = *attack.or(moves.first()).ok_or("no move")?;
        text += &format!("{mv} ");
        state.play(mv)?;
    }
    Ok(text + "end conquest score=1,0 hash=0000000000000000\n")
}

/// A record with a law of battle of its own.
fn odd_record(seed: u64) -> Result<String, Failure> {
    let rules = huge_rules(2 + (seed % 1_000_000) as u32).ok_or("no rules")?;
    let game = Game::new(Map::builtin("duel6").ok_or("no map")?, rules, 2)?;
    let header = Header::new(&game, vec!["human".to_owned(); 2], seed);
    let header = serde_json::to_string(&header)?;
    Ok(format!(
        "hegemon-record 1\n{header}\nF0\nend conquest score=1,0 hash=0000000000000000\n"
    ))
}

/// A record whose map has a hundred thousand connections.
fn wide_map() -> String {
    let connections: Vec<String> = (0..100_000).map(|n| format!("\"T{n}\"")).collect();
    let territory = format!(
        r#"{{"name":"A","continent":"C","connections":[{}],"position":[0,0]}}"#,
        connections.join(",")
    );
    let map = format!(
        r##"{{"name":"wide","continents":[{{"name":"C","bonus":1,"color":"#000000"}}],"territories":[{territory},{territory}]}}"##
    );
    let rules = Rules::preset("lux").map(|rules| rules.to_json());
    format!(
        "hegemon-record 1\n{{\"map\":\"wide\",\"map_hash\":\"0\",\"map_spec\":{map},\"rules\":{},\"players\":[\"a\",\"b\"],\"seed\":1,\"program\":\"0\"}}\nend conquest score=1,0 hash=0000000000000000\n",
        rules.unwrap_or_default()
    )
}

/// A request that never ends.
async fn half_open(port: u16, seed: u64) -> Result<(), Failure> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    if !seed.is_multiple_of(3) {
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127").await?;
    }
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
    Ok(())
}

/// A body that comes byte by byte.
async fn slow_body(port: u16) -> Result<(), Failure> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let head = format!(
        "POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 60000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    for _ in 0..60 {
        stream.write_all(b"x").await?;
        sleep(Duration::from_millis(400)).await;
    }
    Ok(())
}

/// Requests one after the other on one connection, as fast as they are
/// answered.
async fn flood(port: u16, seed: u64) -> Result<(), Failure> {
    let paths = [
        "/",
        "/api/games",
        "/api/bots",
        "/api/maps",
        "/api/odds/need?defenders=1000&chance=0.99&rules=beam",
        "/api/odds/battle?attackers=1000&defenders=1000",
        "/assets/index.js",
        "/api/games/nonsense/replay",
    ];
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let mut buffer = vec![0; 64 << 10];
    for n in 0..200 {
        let path = paths[(seed + n) as usize % paths.len()];
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: gzip\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await?;
        if stream.read(&mut buffer).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// A socket that watches some game from its beginning and talks nonsense.
async fn watcher(port: u16, seed: u64) -> Result<(), Failure> {
    let (_, games) = ask(port, "GET", "/api/games", "").await?;
    let games: Value = serde_json::from_str(&games)?;
    let n = games.as_array().map_or(0, Vec::len).max(1);
    let id = games[seed as usize % n]["id"].as_str().ok_or("no game")?;
    if seed.is_multiple_of(4) {
        ask(port, "GET", &format!("/api/games/{id}/replay"), "").await?;
    }
    let mut socket = open(port, &format!("/api/games/{id}/socket?from=0")).await?;
    for _ in 0..100 {
        socket.send(Message::text("{\"type\":\"ping\"}")).await?;
        if timeout(Duration::from_millis(300), receive(&mut socket))
            .await
            .is_ok_and(|m| m.is_err())
        {
            break;
        }
    }
    Ok(())
}

/// Games of people, more seats than one address may open. They are made before
/// the floods: later nobody at this address makes many games.
async fn make_seats(port: u16) -> Result<Vec<String>, Failure> {
    let people = vec![json!({"kind": "human"}); 6];
    let request = json!({"map": "archipelago80", "rules": "classic", "seats": people});
    let mut paths = Vec::new();
    for _ in 0..12 {
        let game = create(port, &request).await?;
        for seat in 0..people.len() {
            paths.push(seat_path(&game, seat)?);
        }
    }
    Ok(paths)
}

/// A seat that is taken, kept awake for a while and left; more want one than
/// there are places.
async fn seat(port: u16, path: &str) -> Result<(), Failure> {
    let mut socket = open(port, path).await?;
    for _ in 0..8 {
        socket.send(Message::text("{\"type\":\"ping\"}")).await?;
        let read = async { while matches!(receive(&mut socket).await, Ok(Some(_))) {} };
        let has_ended = timeout(Duration::from_millis(500), read).await.is_ok();
        if has_ended {
            break;
        }
    }
    Ok(())
}

/// Messages in pieces: some that end, and one that does not, until the server
/// has enough of it.
async fn pieces(port: u16, path: &str, seed: u64) -> Result<(), Failure> {
    const PING: [&[u8]; 4] = [b"{\"type\"", b":", b"", b"\"ping\"}"];
    let mut socket = open(port, path).await?;
    for _ in 0..10 {
        for (idx, bytes) in PING.into_iter().enumerate() {
            let is_last = idx + 1 == PING.len();
            socket.send(piece(idx, bytes, is_last)).await?;
            if seed.is_multiple_of(2) {
                socket.send(Message::Ping(vec![7; 20].into())).await?;
            }
        }
        receive(&mut socket).await?;
    }
    for idx in 0.. {
        if socket.send(piece(idx, b"", false)).await.is_err() {
            break;
        }
    }
    Ok(())
}

fn piece(idx: usize, bytes: &[u8], is_last: bool) -> Message {
    let kind = if idx == 0 { Data::Text } else { Data::Continue };
    Message::Frame(Frame::message(bytes.to_vec(), OpCode::Data(kind), is_last))
}

/// A long game of fast bots, every other one under odd rules.
async fn bot_game(port: u16, seed: u64) -> Result<(), Failure> {
    let bots = [
        "killbot",
        "quo",
        "shaft",
        "stinky",
        "simulation",
        "baseline",
    ];
    let seats: Vec<Value> = (0..6)
        .map(|n| json!({"kind": "bot", "spec": bots[(seed as usize + n) % bots.len()]}))
        .collect();
    let mut rules = Rules::preset("lux").ok_or("no rules")?;
    rules.initial_armies = InitialArmies::ByPlayers([1000; 5]);
    rules.placement = Placement::Scatter;
    rules.income.minimum = 255;
    rules.battle.attack =
        [Attack::BalancedBlitz, Attack::ToTheEnd, Attack::Roll][seed as usize % 3];
    rules.battle.dice.defender_second_from = 2 + (seed % 50) as u32;
    let mut rules: Value = serde_json::from_str(&rules.to_json())?;
    if seed.is_multiple_of(2) {
        rules = json!("classic");
    }
    let request = json!({"map": "archipelago80", "rules": rules, "seats": seats});
    ask(port, "POST", "/api/games", &request.to_string()).await?;
    sleep(Duration::from_millis(100)).await;
    Ok(())
}

/// Prints what happened; whether all promises were kept.
fn report(
    scene: &Scene,
    mut honest: Honest,
    sizes: &Sizes,
    n_lines: usize,
    log_left: u64,
) -> Result<bool, Failure> {
    honest.answers.sort_unstable();
    honest.openings.sort_unstable();
    let mut out = std::io::stdout().lock();
    let done: Vec<String> = scene
        .done
        .iter()
        .map(|(kind, n)| format!("{kind} {}", n.load(Ordering::SeqCst)))
        .collect();
    writeln!(out, "attacks: {}", done.join(", "))?;
    let p99 = quantile(&honest.answers, 0.99);
    writeln!(
        out,
        "moves answered: {} of {}; p50 {:.1} ms, p99 {p99:.1} ms, longest {:.1} ms",
        honest.answers.len(),
        honest.answers.len() as u64 + honest.n_unanswered,
        quantile(&honest.answers, 0.5),
        quantile(&honest.answers, 1.0),
    )?;
    writeln!(
        out,
        "pages opened anew: {}; p50 {:.1} ms, longest {:.1} ms; sockets lost: {}",
        honest.openings.len(),
        quantile(&honest.openings, 0.5),
        quantile(&honest.openings, 1.0),
        honest.losses.len(),
    )?;
    for loss in &honest.losses {
        writeln!(out, "  lost: {loss}")?;
    }
    writeln!(
        out,
        "server: memory {} kB at most, store {} kB, log {} kB at most and {log_left} B after the stop, {n_lines} lines of refusals",
        sizes.memory_kb,
        sizes.store >> 10,
        sizes.log >> 10,
    )?;
    if let Some(died) = sizes.died {
        writeln!(out, "the server ended after {} s", died.as_secs())?;
    }
    let kept = sizes.died.is_none()
        && honest.n_unanswered == 0
        && !honest.answers.is_empty()
        && p99 < MAX_P99_MS
        && sizes.memory_kb < MAX_MEMORY_KB
        && sizes.store + sizes.log < MAX_STORE
        && sizes.log < MAX_LOG
        && log_left == 0;
    writeln!(out, "promises kept: {kept}")?;
    Ok(kept)
}
