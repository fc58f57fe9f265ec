//! Small clients for a server on this machine, and what they measured.
#![allow(dead_code, reason = "every example uses a part of it")]

use std::io::Write;
use std::time::Duration;

use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The number after an option, or a default.
pub(crate) fn number(name: &str, default: u64) -> u64 {
    option(name)
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// Prints the help if it is asked for, and says whether it was.
pub(crate) fn gave_help(help: &str) -> Result<bool, Failure> {
    let is_asked = std::env::args().any(|argument| argument == "--help" || argument == "-h");
    if is_asked {
        writeln!(std::io::stdout(), "{help}")?;
    }
    Ok(is_asked)
}

/// The word after an option.
pub(crate) fn option(name: &str) -> Option<String> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)
}

/// Runs a job on a thread and a runtime of its own.
pub(crate) fn on_own_thread<T: Send + 'static>(
    job: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> std::thread::JoinHandle<Result<T, Failure>> {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(job)
    })
}

/// Milliseconds within which a share of the answers came.
pub(crate) fn quantile(sorted: &[Duration], share: f64) -> f64 {
    let index = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
    sorted
        .get(index)
        .map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

/// A number of kilobytes that the kernel knows of a process.
pub(crate) fn memory_kb(process: &str, field: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim_start_matches(':')
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

pub(crate) async fn open(port: u16, path: &str) -> Result<Socket, Failure> {
    Ok(connect_async(format!("ws://127.0.0.1:{port}{path}"))
        .await?
        .0)
}

/// The address of a seat's socket.
pub(crate) fn seat_path(game: &Value, seat: usize) -> Result<String, Failure> {
    let id = game["id"].as_str().ok_or("no game")?;
    let token = game["seats"][seat]["token"].as_str().ok_or("no token")?;
    Ok(format!("/api/games/{id}/socket?token={token}"))
}

pub(crate) async fn receive_text(socket: &mut Socket) -> Result<Option<String>, Failure> {
    while let Some(message) = socket.next().await {
        match message? {
            Message::Text(text) => return Ok(Some(text.to_string())),
            Message::Close(Some(frame)) => return Err(format!("closed: {frame}").into()),
            _ => {}
        }
    }
    Ok(None)
}

pub(crate) async fn receive(socket: &mut Socket) -> Result<Option<Value>, Failure> {
    let text = receive_text(socket).await?;
    Ok(text.map(|text| serde_json::from_str(&text)).transpose()?)
}

/// The first state of the seat from event `seq` on.
pub(crate) async fn state_from(socket: &mut Socket, seq: u64) -> Result<Value, Failure> {
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

pub(crate) fn mover_of(state: &Value) -> Result<usize, Failure> {
    Ok(state["mover"].as_u64().ok_or("nobody moves")? as usize)
}

/// A move that keeps the game going: places everything, attacks nobody.
pub(crate) fn quiet_move(state: &Value) -> String {
    let groups = &state["choose"]["groups"];
    let group = &groups[0];
    match group["kind"].as_str() {
        Some("place") => format!("p{}x{}", group["to"][0], group["armies"][1]),
        _ => "end".to_owned(),
    }
}

/// The message with a quiet move for a state's question, and its number.
pub(crate) fn quiet_message(state: &Value) -> Result<(u64, Message), Failure> {
    let id = state["choose"]["id"].as_u64().ok_or("no question")?;
    let message = json!({"type": "move", "id": id, "move": quiet_move(state)});
    Ok((id, Message::text(message.to_string())))
}

/// Asks and reads the whole answer.
pub(crate) async fn ask(
    port: u16,
    method: &str,
    path: &str,
    body: &str,
) -> Result<(u16, String), Failure> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    // Who refuses early need not read the body.
    let _ = stream.write_all(body.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    Ok((status.ok_or("no status")?, body.to_owned()))
}

pub(crate) async fn create(port: u16, request: &Value) -> Result<Value, Failure> {
    let (_, body) = ask(port, "POST", "/api/games", &request.to_string()).await?;
    Ok(serde_json::from_str(&body)?)
}
