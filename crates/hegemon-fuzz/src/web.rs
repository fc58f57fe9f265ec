//! The server, over sockets like any client.
//!
//! One server runs in this process; each thread that fuzzes is a client of it.
//! An input is rejected with a 4xx status or accepted; 500 is a fault, and so
//! is a panic of any server thread (the driver checks for these).

use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use hegemon_core::fnv1a;
use hegemon_server::{Config, Limits, Rate, Server};
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::{InputTrace, text};

/// How long an answer may take before the connection is dropped.
const PATIENCE: Duration = Duration::from_secs(30);

/// Methods that inputs may name; others become the last.
const METHODS: [&str; 6] = ["GET", "PUT", "DELETE", "OPTIONS", "PATCH", "POST"];

/// A game for one person against a bot.
const GAME: &str = r#"{"map":"duel6","rules":"lux","seats":[{"kind":"human","name":"Ann"},{"kind":"bot","spec":"random"}]}"#;

/// A request: `METHOD PATH` in the first line, the body after it.
pub(crate) fn http(bytes: &[u8]) -> InputTrace {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (line, body) = bytes.split_at(end.unwrap_or(bytes.len()));
    let body = body.get(1..).unwrap_or_default();
    let line = text(line);
    let (method, path) = line.split_once(' ').unwrap_or(("GET", &line));
    let method = METHODS.into_iter().find(|known| *known == method);
    let path: String = path
        .chars()
        .filter(|c| !c.is_control() && *c != ' ')
        .collect();
    let answer = HTTP.with_borrow_mut(|client| {
        client
            .ask(method.unwrap_or("POST"), &path, body)
            .or_else(|_| {
                // The server may close an idle or malformed connection; it must
                // not be gone.
                *client = Client::default();
                client.ask(method.unwrap_or("POST"), &path, body)
            })
    });
    match answer {
        Ok(answer) => answer.trace(),
        Err(error) => InputTrace::of(&error.kind().to_string()),
    }
}

/// Lines that a player sends: each one text frame, with `@id` and `@move` for
/// the number of the question and a legal move; after `pieces:` one message in
/// frames that end at each `|`; after `raw:` bytes as they are.
pub(crate) fn socket(bytes: &[u8]) -> InputTrace {
    SOCKET.with_borrow_mut(|slot| {
        let mut player = match slot.take() {
            Some(player) => player,
            None => Player::sit_down().expect("an honest player gets a seat"),
        };
        let trace = player.say(bytes).unwrap_or_else(|error| {
            assert!(
                error.kind() != io::ErrorKind::WouldBlock,
                "the server does not answer"
            );
            InputTrace::of(&error.kind().to_string())
        });
        // A finished game is left; the next input starts another.
        *slot = Some(player).filter(|player| !player.is_over);
        trace
    })
}

/// Removes what the server stored.
pub fn clean_up() {
    if HOST.get().is_some() {
        let _ = std::fs::remove_dir_all(folder());
    }
}

thread_local! {
    static HTTP: RefCell<Client> = RefCell::default();
    static SOCKET: RefCell<Option<Player>> = const { RefCell::new(None) };
}

static HOST: OnceLock<Host> = OnceLock::new();

struct Host {
    address: SocketAddr,
    /// Keeps the server running.
    _runtime: Runtime,
}

fn folder() -> PathBuf {
    std::env::temp_dir().join(format!("hegemon-fuzz-{}", std::process::id()))
}

fn host() -> SocketAddr {
    let host = HOST.get_or_init(|| start().expect("a server on a free port"));
    host.address
}

fn start() -> anyhow::Result<Host> {
    std::fs::create_dir_all(folder())?;
    // The target looks for wrong answers, not for rate limiting.
    let many = Rate {
        burst: 1e15,
        per_second: 1e15,
    };
    let limits = Limits {
        connections_per_client: 1024,
        games: 4096,
        bot_games_per_client: 256,
        odd_laws_per_client: 8,
        labours: 64,
        labours_per_client: 64,
        store: u64::MAX,
        new_games: many,
        new_games_per_client: many,
        requests: many,
        messages: many,
        socket_bytes: many,
        ..Limits::default()
    };
    let config = Config {
        limits,
        ..Config::new(folder().join("games.db"))
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = runtime.block_on(Server::start(address, config))?;
    let address = server.address();
    runtime.spawn(server.run(std::future::pending()));
    Ok(Host {
        address,
        _runtime: runtime,
    })
}

fn connect() -> io::Result<TcpStream> {
    let stream = TcpStream::connect(host())?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A connection reused for several requests.
#[derive(Default)]
struct Client {
    stream: Option<BufReader<TcpStream>>,
}

#[derive(Debug)]
struct Answer {
    status: u16,
    body: Vec<u8>,
}

impl Answer {
    fn trace(&self) -> InputTrace {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let message = body["error"]["message"].as_str().unwrap_or_default();
        assert_ne!(self.status, 500, "{message}");
        let magnitude = self.body.len().checked_ilog2().unwrap_or(0);
        InputTrace::accepted(&[
            self.status.into(),
            InputTrace::of(message).0,
            magnitude.into(),
        ])
    }
}

impl Client {
    fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> io::Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(connect()?),
        };
        let slash = if path.starts_with('/') { "" } else { "/" };
        let head = format!(
            "{method} {slash}{path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            host(),
            body.len()
        );
        stream
            .get_mut()
            .write_all(&[head.as_bytes(), body].concat())?;
        let head = Head::read(&mut stream)?;
        // Endless event streams are not read to the end.
        let answer = Answer {
            status: head.status,
            body: if head.is_stream {
                Vec::new()
            } else {
                head.body(&mut stream)?
            },
        };
        if !head.closes && !head.is_stream {
            self.stream = Some(stream);
        }
        Ok(answer)
    }
}

/// The head of an answer.
struct Head {
    status: u16,
    length: usize,
    is_chunked: bool,
    is_stream: bool,
    closes: bool,
}

impl Head {
    fn read(stream: &mut impl BufRead) -> io::Result<Head> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let field = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name));
        let status = lines[0]
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok());
        let length = field("content-length: ").and_then(|n| n.parse().ok());
        Ok(Head {
            status: status.ok_or(io::ErrorKind::InvalidData)?,
            length: length.unwrap_or(0),
            is_chunked: field("transfer-encoding: chunked").is_some(),
            is_stream: field("content-type: text/event-stream").is_some(),
            closes: field("connection: close").is_some(),
        })
    }

    fn body(&self, stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        if !self.is_chunked {
            body.resize(self.length, 0);
            stream.read_exact(&mut body)?;
            return Ok(body);
        }
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            let size = usize::from_str_radix(line.trim(), 16).map_err(io::Error::other)?;
            let start = body.len();
            body.resize(start + size + 2, 0);
            stream.read_exact(&mut body[start..])?;
            body.truncate(start + size);
            if size == 0 {
                return Ok(body);
            }
        }
    }
}

/// A player of a game.
struct Player {
    /// The path of the seat's socket.
    path: String,
    /// None after the server has closed it.
    stream: Option<BufReader<TcpStream>>,
    /// Number of the question and a legal move.
    question: Option<(u64, String)>,
    is_over: bool,
}

impl Player {
    fn sit_down() -> io::Result<Player> {
        let mut answer = Client::default().ask("POST", "/api/games", GAME.as_bytes())?;
        // Finished games are removed after a while.
        for _ in 0..600 {
            if answer.status == 201 {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
            answer = Client::default().ask("POST", "/api/games", GAME.as_bytes())?;
        }
        let game: Value = serde_json::from_slice(&answer.body)?;
        let (id, token) = (&game["id"], &game["seats"][0]["token"]);
        let (Some(id), Some(token)) = (id.as_str(), token.as_str()) else {
            return Err(io::Error::other(text(&answer.body).into_owned()));
        };
        Ok(Player {
            path: format!("/api/games/{id}/socket?token={token}"),
            stream: None,
            question: None,
            is_over: false,
        })
    }

    /// The open socket.
    fn stream(&mut self) -> io::Result<&mut BufReader<TcpStream>> {
        let stream = match self.stream.take() {
            Some(stream) => stream,
            None => self.open()?,
        };
        Ok(self.stream.insert(stream))
    }

    fn open(&self) -> io::Result<BufReader<TcpStream>> {
        let mut stream = BufReader::new(connect()?);
        let head = format!(
            "GET {} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.path,
            host()
        );
        stream.get_mut().write_all(head.as_bytes())?;
        let head = Head::read(&mut stream)?;
        if head.status != 101 {
            return Err(io::Error::other(format!("status {}", head.status)));
        }
        Ok(stream)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream()?.get_mut().write_all(bytes)
    }

    /// Sends an input; a socket that closes meanwhile is reopened for the next.
    fn say(&mut self, bytes: &[u8]) -> io::Result<InputTrace> {
        let said = self.say_lines(bytes);
        if said.is_err() {
            self.stream = None;
        }
        said
    }

    fn say_lines(&mut self, bytes: &[u8]) -> io::Result<InputTrace> {
        for line in bytes.split(|byte| *byte == b'\n').take(64) {
            if let Some(raw) = line.strip_prefix(b"raw:") {
                self.send(raw)?;
                // Ends the current message.
                self.stream()?.get_mut().shutdown(Shutdown::Write)?;
                return Err(self.read_to_end());
            }
            let (id, mv) = self.question.clone().unwrap_or_default();
            let line = text(line)
                .replace("@id", &id.to_string())
                .replace("@move", &mv);
            match line.strip_prefix("pieces:") {
                Some(pieces) => self.send(&frames(pieces))?,
                None => self.send(&frame(TEXT | LAST, line.as_bytes()))?,
            }
        }
        self.ping()
    }

    /// Waits for the answer to a ping: by then everything before it has been
    /// answered.
    fn ping(&mut self) -> io::Result<InputTrace> {
        self.send(&frame(TEXT | LAST, br#"{"type":"ping"}"#))?;
        let mut codes = Vec::new();
        loop {
            let message = self.read_message()?;
            match message["type"].as_str() {
                Some("pong") => break,
                Some("error") => codes.push(fnv1a(message["code"].to_string().as_bytes())),
                _ => {}
            }
        }
        codes.sort_unstable();
        codes.dedup();
        Ok(InputTrace::accepted(&codes))
    }

    /// Reads the rest; returns how it ended.
    fn read_to_end(&mut self) -> io::Error {
        loop {
            if let Err(error) = self.read_message() {
                return error;
            }
        }
    }

    /// The next message; an error after the last.
    fn read_message(&mut self) -> io::Result<Value> {
        let stream = self.stream()?;
        let mut head = [0; 2];
        stream.read_exact(&mut head)?;
        let length = match head[1] & 0x7f {
            126 => {
                let mut bytes = [0; 2];
                stream.read_exact(&mut bytes)?;
                u64::from(u16::from_be_bytes(bytes))
            }
            127 => {
                let mut bytes = [0; 8];
                stream.read_exact(&mut bytes)?;
                u64::from_be_bytes(bytes)
            }
            short => u64::from(short),
        };
        let mut payload = Vec::new();
        stream.take(length).read_to_end(&mut payload)?;
        // Only text frames matter.
        if head[0] & 0x0f != 1 {
            return Ok(Value::Null);
        }
        let message: Value = serde_json::from_slice(&payload)?;
        if message["type"] == "state" {
            self.is_over = message["status"] == "over";
            let choose = &message["choose"];
            let mv = choose["moves"].as_array().and_then(|moves| moves.last());
            if let (Some(id), Some(mv)) = (choose["id"].as_u64(), mv.and_then(Value::as_str)) {
                self.question = Some((id, mv.to_owned()));
            }
        }
        Ok(message)
    }
}

/// Kinds of frames, and the mark of the last frame of a message.
const CONTINUED: u8 = 0;
const TEXT: u8 = 1;
const PING: u8 = 9;
const LAST: u8 = 0x80;

/// A message in frames that end at each `|`; a frame `^` is a ping in between.
fn frames(pieces: &str) -> Vec<u8> {
    let n_pieces = pieces.split('|').count();
    let mut frames = Vec::new();
    let mut kind = TEXT;
    for (idx, piece) in pieces.split('|').enumerate() {
        if piece == "^" && idx + 1 < n_pieces {
            frames.extend(frame(PING | LAST, b""));
            continue;
        }
        let end = if idx + 1 == n_pieces { LAST } else { 0 };
        frames.extend(frame(kind | end, piece.as_bytes()));
        kind = CONTINUED;
    }
    frames
}

/// A frame of a client; the mask is zero.
fn frame(head: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![head];
    match payload.len() {
        length @ 0..126 => frame.push(0x80 | length as u8),
        length @ 126..65_536 => {
            frame.push(0x80 | 126);
            frame.extend((length as u16).to_be_bytes());
        }
        length => {
            frame.push(0x80 | 127);
            frame.extend((length as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend_from_slice(payload);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_in_pieces_is_one_message() {
        assert_eq!(frames("ab"), frame(TEXT | LAST, b"ab"));
        let expected = [
            frame(TEXT, b"a"),
            frame(CONTINUED, b""),
            frame(PING | LAST, b""),
            frame(CONTINUED | LAST, b"b"),
        ];
        assert_eq!(frames("a||^|b"), expected.concat());
    }
}
