//! How long a move takes while many games of bots are played and watched.
//!
//! Starts a server, keeps `games` games of bots going with a watcher each, and
//! lets `people` play games without bots beside them. Measured is the time from
//! sending a move to the new state, stored and seen; no bot thinks meanwhile in
//! that game, but all the others do. Server, watchers and people each have
//! threads of their own, so that the clients' work does not count as the
//! server's.
//!
//! ```text
//! cargo run --release -p hegemon-server --example load -- --games 200 --people 20 --seconds 30
//! ```

mod common;

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use common::{
    Failure, create, gave_help, memory_kb, mover_of, number, on_own_thread, open, quantile,
    quiet_message, receive_text, seat_path, state_from,
};
use futures_util::SinkExt;
use hegemon_server::{Config, Limits, Rate};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// Bots of the watched games, weak and strong.
const BOTS: [&str; 6] = [
    "killbot",
    "quo",
    "better-pixie",
    "shaft",
    "stinky",
    "simulation",
];

/// A person takes a moment before each move.
const PAUSE: Duration = Duration::from_millis(100);

const HELP: &str = "\
How long a move takes while many games of bots are played and watched.

  --games N    games of bots, each with somebody who watches (200)
  --people N   people who play beside them (20)
  --seconds N  how long (30)

Example:
  load --games 200 --people 20 --seconds 30";

struct Load {
    port: u16,
    stop: AtomicBool,
    n_games: AtomicU64,
    n_events: AtomicU64,
}

fn main() -> Result<(), Failure> {
    if gave_help(HELP)? {
        return Ok(());
    }
    let (n_games, n_people) = (number("--games", 200), number("--people", 20));
    let time = Duration::from_secs(number("--seconds", 30));

    let folder = std::env::temp_dir().join(format!("hegemon-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let config = Config {
        limits: Limits {
            requests: Rate::UNLIMITED,
            new_games: Rate::UNLIMITED,
            new_games_per_client: Rate::UNLIMITED,
            socket_bytes: Rate::UNLIMITED,
            bot_games_per_client: usize::MAX,
            ..Limits::default()
        },
        ..Config::new(folder.join("games.db"))
    };
    static STOP: AtomicBool = AtomicBool::new(false);
    let (ready, port) = mpsc::channel();
    let server = std::thread::spawn(move || {
        hegemon_server::serve(([127, 0, 0, 1], 0).into(), config, &STOP, |address, _| {
            let _ = ready.send(address.port());
        })
    });
    let load = Arc::new(Load {
        port: port.recv()?,
        stop: AtomicBool::new(false),
        n_games: AtomicU64::new(0),
        n_events: AtomicU64::new(0),
    });
    let watching = on_own_thread({
        let load = Arc::clone(&load);
        async move {
            let watchers = (0..n_games).map(|n| tokio::spawn(watch_games(Arc::clone(&load), n)));
            all(watchers.collect()).await.map(|_| ())
        }
    });
    std::thread::sleep(Duration::from_secs(3));
    let begin = Instant::now();
    let playing = on_own_thread({
        let load = Arc::clone(&load);
        async move {
            let people = (0..n_people).map(|_| tokio::spawn(play_alone(Arc::clone(&load))));
            all(people.collect()).await.map(|answers| answers.concat())
        }
    });
    std::thread::sleep(time);
    load.stop.store(true, Ordering::SeqCst);
    let seconds = begin.elapsed().as_secs_f64();
    let mut answers = playing.join().map_err(|_| "a panic")??;
    watching.join().map_err(|_| "a panic")??;
    STOP.store(true, Ordering::SeqCst);
    server.join().map_err(|_| "a panic")??;
    std::fs::remove_dir_all(&folder)?;
    report(&load, &mut answers, seconds, n_games)
}

async fn all<T>(tasks: Vec<JoinHandle<Result<T, Failure>>>) -> Result<Vec<T>, Failure> {
    let mut values = Vec::new();
    for task in tasks {
        values.push(task.await??);
    }
    Ok(values)
}

fn report(
    load: &Load,
    answers: &mut [Duration],
    seconds: f64,
    n_games: u64,
) -> Result<(), Failure> {
    answers.sort_unstable();
    let at = |share: f64| quantile(answers, share);
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{n_games} games of bots at a time, each watched, on {n_cores} cores, {seconds:.0} s"
    )?;
    writeln!(
        out,
        "watched: {} games over, {} events sent",
        load.n_games.load(Ordering::SeqCst),
        load.n_events.load(Ordering::SeqCst)
    )?;
    writeln!(
        out,
        "answers to {} moves: median {:.1} ms, p95 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        answers.len(),
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    )?;
    let peak = memory_kb("self", "VmHWM").map_or("unknown".to_owned(), |kb| kb.to_string());
    writeln!(out, "memory of server and clients: {peak} kB at most")?;
    Ok(())
}

/// Keeps one watched game of four bots going.
async fn watch_games(load: Arc<Load>, n: u64) -> Result<(), Failure> {
    let mut next = n as usize;
    while !load.stop.load(Ordering::SeqCst) {
        let seats: Vec<Value> = (0..4)
            .map(|seat| json!({"kind": "bot", "spec": BOTS[(next + seat) % BOTS.len()]}))
            .collect();
        next += 1;
        let request = json!({"map": "classic", "rules": "classic", "seats": seats});
        let game = create(load.port, &request).await?;
        let id = game["id"].as_str().ok_or("no game")?;
        let mut socket = open(load.port, &format!("/api/games/{id}/socket")).await?;
        // A watcher reads no more than it must, so as not to be measured itself.
        while let Some(message) = receive_text(&mut socket).await? {
            if message.starts_with("{\"type\":\"events\"") {
                let n_events = message.matches("{\"seq\":").count();
                load.n_events.fetch_add(n_events as u64, Ordering::Relaxed);
            }
            let is_over = message.contains("\"status\":\"over\"");
            if is_over || load.stop.load(Ordering::SeqCst) {
                load.n_games
                    .fetch_add(u64::from(is_over), Ordering::Relaxed);
                break;
            }
        }
    }
    Ok(())
}

/// Plays both seats of a game and measures every answer.
async fn play_alone(load: Arc<Load>) -> Result<Vec<Duration>, Failure> {
    let people = [
        json!({"kind": "human", "name": "Ann"}),
        json!({"kind": "human", "name": "Bo"}),
    ];
    let request = json!({"map": "classic", "rules": "sampling", "seats": people});
    let game = create(load.port, &request).await?;
    let mut sockets = Vec::new();
    for seat in 0..2 {
        sockets.push(open(load.port, &seat_path(&game, seat)?).await?);
    }
    let mut answers = Vec::new();
    let mut states = [
        state_from(&mut sockets[0], 0).await?,
        state_from(&mut sockets[1], 0).await?,
    ];
    let mut mover = mover_of(&states[0])?;
    while !load.stop.load(Ordering::SeqCst) {
        tokio::time::sleep(PAUSE).await;
        let (id, message) = quiet_message(&states[mover])?;
        let begin = Instant::now();
        sockets[mover].send(message).await?;
        let answer = state_from(&mut sockets[mover], id + 1).await?;
        answers.push(begin.elapsed());
        let (seq, next) = (answer["seq"].as_u64().unwrap_or(0), mover_of(&answer)?);
        states[mover] = answer;
        if next != mover {
            mover = next;
            states[mover] = state_from(&mut sockets[mover], seq).await?;
        }
    }
    Ok(answers)
}
