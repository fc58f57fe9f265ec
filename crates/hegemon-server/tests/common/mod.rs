//! A server on a free port and small clients for it.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use hegemon_server::{Config, Limits, Rate, Server};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A folder that goes away with the test.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "hegemon-server-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::SeqCst)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.0.join("games.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server.
pub(crate) struct Host {
    pub(crate) port: u16,
    /// How to stop it, if it runs in this process.
    own: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Host {
    pub(crate) async fn start(folder: &Folder) -> Host {
        // Our players move faster than people do.
        let messages = Rate {
            burst: 1e9,
            per_second: 1e9,
        };
        let limits = Limits {
            messages,
            ..Limits::default()
        };
        Host::with_limits(folder, limits).await
    }

    pub(crate) async fn with_limits(folder: &Folder, limits: Limits) -> Host {
        let config = Config {
            limits,
            ..Config::new(folder.store())
        };
        Host::with_config(folder, config, 0).await
    }

    /// A server that somebody else started.
    pub(crate) fn elsewhere(port: u16) -> Host {
        Host { port, own: None }
    }

    /// A server some of whose stored games cannot go on.
    pub(crate) async fn with_config(folder: &Folder, config: Config, n_faults: usize) -> Host {
        Host::listening(folder, config, n_faults, "127.0.0.1:0").await
    }

    pub(crate) async fn listening(
        folder: &Folder,
        config: Config,
        n_faults: usize,
        address: &str,
    ) -> Host {
        let config = Config {
            arena: Some(folder.0.join("pool.db")),
            ..config
        };
        let address = address.parse().expect("an address");
        let server = Server::start(address, config)
            .await
            .expect("the server starts");
        assert_eq!(server.faults.len(), n_faults, "{:?}", server.faults);
        let port = server.address().port();
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            server.run(stopped).await.expect("the server runs");
        });
        Host {
            port,
            own: Some((stop, task)),
        }
    }

    /// Stops the server as Ctrl-C does.
    pub(crate) async fn stop(mut self) {
        let (stop, task) = self.own.take().expect("a server of our own");
        let _ = stop.send(());
        timeout(PATIENCE, task)
            .await
            .expect("it stops in time")
            .expect("no panic");
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.request("GET", path, &[], "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        self.request("POST", path, &[], body).await
    }

    pub(crate) async fn request(
        &self,
        method: &str,
        path: &str,
        fields: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let stream = TcpStream::connect(("127.0.0.1", self.port))
            .await
            .expect("connects");
        self.request_on(stream, method, path, fields, body).await
    }

    /// A request from another address of this machine: another client.
    pub(crate) async fn get_from(&self, address: &str, path: &str) -> Answer {
        let stream = self.connect_from(address).await;
        self.request_on(stream, "GET", path, &[], "").await
    }

    /// The same with a body.
    pub(crate) async fn post_from(&self, address: &str, path: &str, body: &str) -> Answer {
        let stream = self.connect_from(address).await;
        self.request_on(stream, "POST", path, &[], body).await
    }

    /// A connection from another address of this machine.
    pub(crate) async fn connect_from(&self, address: &str) -> TcpStream {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        let address = format!("{address}:0").parse().expect("an address");
        socket.bind(address).expect("an address of this machine");
        let server = ([127, 0, 0, 1], self.port).into();
        socket.connect(server).await.expect("connects")
    }

    pub(crate) async fn request_on(
        &self,
        mut stream: TcpStream,
        method: &str,
        path: &str,
        fields: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !fields.iter().any(|(name, _)| *name == "Host") {
            head += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        for (name, value) in fields {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).await.expect("writes");
        // A server that refuses early need not read the body.
        let _ = stream.write_all(body.as_bytes()).await;
        let mut bytes = Vec::new();
        let _ = timeout(PATIENCE, stream.read_to_end(&mut bytes))
            .await
            .expect("answers in time");
        Answer::parse(&String::from_utf8_lossy(&bytes))
    }

    /// Makes a game and returns the answer.
    pub(crate) async fn create(&self, request: &Value) -> Value {
        let answer = self.post("/api/games", &request.to_string()).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.json()
    }

    pub(crate) async fn socket(&self, path: &str) -> Client {
        self.try_socket(path, &[]).await.expect("the socket opens")
    }

    /// Opens a socket, or returns the refusal.
    pub(crate) async fn try_socket(
        &self,
        path: &str,
        fields: &[(&'static str, &str)],
    ) -> Result<Client, Answer> {
        let url = format!("ws://127.0.0.1:{}{path}", self.port);
        let mut request = url.into_client_request().expect("a request");
        for (name, value) in fields {
            request
                .headers_mut()
                .insert(*name, value.parse().expect("a header"));
        }
        let opened = timeout(PATIENCE, tokio_tungstenite::connect_async(request));
        match opened.await.expect("opens in time") {
            Ok((stream, _)) => Ok(Client {
                stream,
                raw: Vec::new(),
            }),
            Err(tungstenite::Error::Http(response)) => Err(Answer {
                status: response.status().as_u16(),
                head: String::new(),
                body: String::from_utf8_lossy(response.body().as_deref().unwrap_or_default())
                    .into_owned(),
            }),
            Err(error) => panic!("the socket fails: {error}"),
        }
    }

    /// Opens a seat of a game that was just made.
    pub(crate) async fn sit(&self, game: &Value, seat: usize) -> Client {
        self.socket(&seat_path(game, seat)).await
    }
}

/// The address of a seat's socket.
pub(crate) fn seat_path(game: &Value, seat: usize) -> String {
    let id = game["id"].as_str().expect("an id");
    let token = game["seats"][seat]["token"].as_str().expect("a token");
    format!("/api/games/{id}/socket?token={token}")
}

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    fn parse(text: &str) -> Answer {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|code| code.parse().ok())
            .unwrap_or(0);
        let head = head.to_ascii_lowercase();
        let body = if head.contains("transfer-encoding: chunked") {
            joined_chunks(body)
        } else {
            body.to_owned()
        };
        Answer { status, head, body }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    /// Asserts a refusal with this code and a sentence.
    pub(crate) fn assert_refused(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        let error = &self.json()["error"];
        assert_eq!(error["code"], code, "{}", self.body);
        let message = error["message"].as_str().expect("a message");
        assert!(
            message.ends_with(['.', '?']) && message.len() > 10,
            "{message}"
        );
    }
}

fn joined_chunks(mut body: &str) -> String {
    let mut joined = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else {
            break;
        };
        // Packed bodies are no text; nobody looks at them.
        let (Some(chunk), Some(after)) = (rest.get(..size), rest.get(size..)) else {
            break;
        };
        if size == 0 {
            break;
        }
        joined += chunk;
        body = after.trim_start_matches("\r\n");
    }
    joined
}

/// A socket.
pub(crate) struct Client {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Everything received, as it came.
    pub(crate) raw: Vec<String>,
}

impl Client {
    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    /// Sends to a server that may be gone.
    pub(crate) async fn try_send(&mut self, message: &Value) {
        let _ = self.stream.send(Message::text(message.to_string())).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.stream.send(Message::text(text)).await.expect("sends");
    }

    pub(crate) async fn send_binary(&mut self, bytes: &[u8]) {
        self.stream
            .send(Message::binary(bytes.to_vec()))
            .await
            .expect("sends");
    }

    /// Sends a frame that claims to be longer than any message may be.
    pub(crate) async fn send_huge(&mut self) {
        let huge = Message::text("x".repeat(100_000));
        let _ = self.stream.send(huge).await;
    }

    /// Sends a piece of a text message that is not its last; false if the server is gone.
    pub(crate) async fn send_piece(&mut self, is_first: bool) -> bool {
        let kind = if is_first { Data::Text } else { Data::Continue };
        let piece = Frame::message(Vec::new(), OpCode::Data(kind), false);
        self.stream.send(Message::Frame(piece)).await.is_ok()
    }

    /// Sends a ping of the WebSocket protocol to a server that may be gone.
    pub(crate) async fn send_ping(&mut self) {
        let _ = self.stream.send(Message::Ping(vec![7; 100].into())).await;
    }

    /// The next message; `None` when the socket is closed.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        timeout(PATIENCE, self.try_next())
            .await
            .expect("a message in time")
    }

    /// The same without a limit of time.
    pub(crate) async fn try_next(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    self.raw.push(text.to_string());
                    return Some(serde_json::from_str(&text).expect("JSON"));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message of a type; others are passed over.
    pub(crate) async fn wait_for(&mut self, kind: &str) -> Value {
        loop {
            let message = self
                .next()
                .await
                .unwrap_or_else(|| panic!("closed before {kind}"));
            if message["type"] == kind {
                return message;
            }
            assert_ne!(message["type"], "error", "{message} before {kind}");
        }
    }

    /// The next state in which this seat must move, or the last one.
    pub(crate) async fn my_turn(&mut self) -> Value {
        loop {
            let state = self.wait_for("state").await;
            if !state["choose"].is_null() || state["status"] == "over" {
                return state;
            }
        }
    }

    /// Sends a move for a state's question.
    pub(crate) async fn play(&mut self, state: &Value, mv: &str) {
        let id = &state["choose"]["id"];
        self.send(&json!({"type": "move", "id": id, "move": mv}))
            .await;
    }
}

/// A legal move for a state: the n-th listed one, or the first of a group.
pub(crate) fn some_move(state: &Value, n: usize) -> String {
    let choose = &state["choose"];
    if let Some(moves) = choose["moves"].as_array() {
        return moves[n % moves.len()].as_str().expect("a move").to_owned();
    }
    let groups = choose["groups"].as_array().expect("groups");
    if groups.iter().any(|group| group["kind"] == "end") {
        return "end".to_owned();
    }
    let group = &groups[0];
    let (to, armies) = (&group["to"][0], &group["armies"][1]);
    match group["kind"].as_str() {
        Some("place") => format!("p{to}x{armies}"),
        Some("occupy") => format!("o{armies}"),
        other => panic!("no move for {other:?}"),
    }
}

/// The next message of a kind, whatever else comes.
pub(crate) async fn until(client: &mut Client, is_it: impl Fn(&Value) -> bool) -> Value {
    loop {
        let message = client.next().await.expect("the socket stays open");
        if is_it(&message) {
            return message;
        }
    }
}

/// A request for a game.
pub(crate) fn game_of(map: &str, rules: &str, seats: &[Value]) -> Value {
    json!({"map": map, "rules": rules, "seats": seats})
}

pub(crate) fn person(name: &str) -> Value {
    json!({"kind": "human", "name": name})
}

pub(crate) fn bot(spec: &str) -> Value {
    json!({"kind": "bot", "spec": spec})
}

/// Memory of this process, server and clients together.
pub(crate) fn resident_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

/// Waits until the analysis of a game is there.
pub(crate) async fn analysis(host: &Host, id: &str) -> Value {
    let address = format!("/api/games/{id}/analysis?level=fast");
    let state = host.post(&address, "").await.json();
    analysed(host, &address, state).await
}

/// The same where this is how it stands.
pub(crate) async fn analysed(host: &Host, address: &str, mut state: Value) -> Value {
    while state["state"] != "done" {
        assert!(
            state["state"] == "waiting" || state["state"] == "running",
            "{state}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
        state = host.get(address).await.json();
    }
    state["analysis"].clone()
}
