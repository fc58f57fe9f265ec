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

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use hegemon_server::{Config, Limits, Rate};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

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

struct Load {
    port: u16,
    stop: AtomicBool,
    n_games: AtomicU64,
    n_events: AtomicU64,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        let value = at.and_then(|at| arguments.get(at + 1)?.parse().ok());
        value.unwrap_or(default)
    };
    let (n_games, n_people) = (number("--games", 200), number("--people", 20));
    let time = Duration::from_secs(number("--seconds", 30));

    let folder = std::env::temp_dir().join(format!("hegemon-load-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let generous = Rate {
        burst: 1e9,
        per_second: 1e9,
    };
    let config = Config {
        store: folder.join("games.db"),
        arena: None,
        limits: Limits {
            new_games: generous,
            ..Limits::default()
        },
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

fn on_own_thread<T: Send + 'static>(
    job: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> std::thread::JoinHandle<Result<T, Failure>> {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(job)
    })
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
    let at = |share: f64| {
        let index = ((answers.len() as f64 * share) as usize).min(answers.len().saturating_sub(1));
        answers
            .get(index)
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
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
    writeln!(out, "memory of server and clients: {}", memory())?;
    Ok(())
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or("unknown".to_owned(), |peak| {
        format!("{} at most", peak.trim())
    })
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
    let id = game["id"].as_str().ok_or("no game")?;
    let mut sockets = Vec::new();
    for seat in 0..2 {
        let token = game["seats"][seat]["token"].as_str().ok_or("no token")?;
        sockets.push(open(load.port, &format!("/api/games/{id}/socket?token={token}")).await?);
    }
    let mut answers = Vec::new();
    let mut states = [
        state_from(&mut sockets[0], 0).await?,
        state_from(&mut sockets[1], 0).await?,
    ];
    let mut mover = mover_of(&states[0])?;
    while !load.stop.load(Ordering::SeqCst) {
        tokio::time::sleep(PAUSE).await;
        let state = &states[mover];
        let id = state["choose"]["id"].as_u64().ok_or("no question")?;
        let message = json!({"type": "move", "id": id, "move": quiet_move(state)}).to_string();
        let begin = Instant::now();
        sockets[mover].send(Message::text(message)).await?;
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

fn mover_of(state: &Value) -> Result<usize, Failure> {
    Ok(state["mover"].as_u64().ok_or("nobody moves")? as usize)
}

/// The first state of the seat from event `seq` on.
async fn state_from(socket: &mut Socket, seq: u64) -> Result<Value, Failure> {
    while let Some(message) = receive(socket).await? {
        if message["type"] == "error" {
            return Err(message.to_string().into());
        }
        if message["type"] == "state" && message["seq"].as_u64() >= Some(seq) {
            return Ok(message);
        }
    }
    Err("the socket was closed".into())
}

/// A move that keeps the game going: places everything, attacks nobody.
fn quiet_move(state: &Value) -> String {
    let groups = &state["choose"]["groups"];
    let group = &groups[0];
    match group["kind"].as_str() {
        Some("place") => format!("p{}x{}", group["to"][0], group["armies"][1]),
        _ => "end".to_owned(),
    }
}

async fn open(port: u16, path: &str) -> Result<Socket, Failure> {
    Ok(connect_async(format!("ws://127.0.0.1:{port}{path}"))
        .await?
        .0)
}

async fn receive_text(socket: &mut Socket) -> Result<Option<String>, Failure> {
    while let Some(message) = socket.next().await {
        if let Message::Text(text) = message? {
            return Ok(Some(text.to_string()));
        }
    }
    Ok(None)
}

async fn receive(socket: &mut Socket) -> Result<Option<Value>, Failure> {
    let text = receive_text(socket).await?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

async fn create(port: u16, request: &Value) -> Result<Value, Failure> {
    let body = request.to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let head = format!(
        "POST /api/games HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all((head + &body).as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    Ok(serde_json::from_str(body)?)
}
