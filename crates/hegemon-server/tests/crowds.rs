//! Crowds: what one client does does not keep others out, nor cost them their
//! places. Each test is an attack that worked once.

mod common;

use std::sync::Mutex;
use std::time::Duration;

use common::{Folder, Host, bot, game_of, person, seat_path, some_move};
use hegemon_core::Rules;
use hegemon_server::{Config, HostBot, HostOffers, Limits, Rate};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Dice that no preset has.
fn odd_game(second_from: u32, seats: &[Value]) -> Value {
    let mut rules = Rules::preset("lux").expect("shipped");
    rules.battle.dice.defender_second_from = second_from;
    let rules: Value = serde_json::from_str(&rules.to_json()).expect("JSON");
    json!({"map": "classic", "rules": rules, "seats": seats})
}

async fn two_people(host: &Host) -> Value {
    let people = [person("Ann"), person("Bo")];
    host.create(&game_of("classic", "lux", &people)).await
}

fn watch_path(game: &Value) -> String {
    format!("/api/games/{}/socket", game["id"].as_str().expect("an id"))
}

/// Waits for a socket's reason to close.
async fn parting(client: &mut common::Client) -> String {
    loop {
        let message = client.next().await.expect("a reason before the end");
        if message["type"] == "error" {
            return message["code"].as_str().expect("a code").to_owned();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_players_link_opens_a_game_although_odd_laws_are_watched() {
    let folder = Folder::new();
    let limits = Limits {
        odd_laws: 2,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let people = [person("Ann"), person("Bo")];
    let mut games = Vec::new();
    for n in 0..3 {
        games.push(host.create(&odd_game(10 + n, &people)).await);
    }
    let mut watchers = Vec::new();
    for game in &games[..2] {
        let mut watcher = host.socket(&watch_path(game)).await;
        watcher.wait_for("state").await;
        watchers.push(watcher);
    }
    let third = watch_path(&games[2]);
    let refused = host.get(&third).await;
    refused.assert_refused(503, "too-many-games");
    let mut ann = host.sit(&games[2], 0).await;
    ann.wait_for("state").await;
    // The law that was watched the longest made room, and it is full again.
    assert_eq!(parting(&mut watchers[0]).await, "put-away");
    let refused = host.get(&watch_path(&games[0])).await;
    refused.assert_refused(503, "too-many-games");
    let mut seconds = host.sit(&games[1], 0).await;
    seconds.wait_for("state").await;
    // Who plays is not put away for another who does.
    let refused = host.get(&seat_path(&games[0], 0)).await;
    refused.assert_refused(503, "too-many-games");
    drop(seconds);
    ann.send(&json!({"type": "ping"})).await;
    ann.wait_for("pong").await;
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_bots_make_room_for_a_player_and_go_on_later() {
    let folder = Folder::new();
    let limits = Limits {
        odd_laws: 1,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let own = host
        .create(&odd_game(10, &[person("Ann"), person("Bo")]))
        .await;
    let bots = vec![bot("mcts(iters=2000)"); 4];
    let other = host.create(&odd_game(11, &bots)).await;
    host.get(&watch_path(&own))
        .await
        .assert_refused(503, "too-many-games");
    let mut ann = host.sit(&own, 0).await;
    let state = ann.wait_for("state").await;
    drop(ann);
    assert!(state["seq"].as_u64().expect("a number") > 0);
    // The bots go on where they were as soon as there is room.
    let path = watch_path(&other);
    let mut watcher = loop {
        if let Ok(watcher) = host.try_socket(&path, &[]).await {
            break watcher;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let first = watcher.wait_for("state").await["seq"].as_u64();
    while watcher.wait_for("state").await["seq"].as_u64() == first {}
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_that_is_opened_again_and_again_counts_as_requests() {
    let folder = Folder::new();
    let limits = Limits {
        requests: Rate {
            burst: 3.0,
            per_second: 0.0,
        },
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = two_people(&host).await;
    let path = seat_path(&game, 0);
    let mut n_opened = 0;
    let refused = loop {
        match host.try_socket(&path, &[]).await {
            Ok(_) => n_opened += 1,
            Err(refused) => break refused,
        }
        assert!(n_opened < 100, "it is never refused");
    };
    refused.assert_refused(429, "too-fast");
    assert!(n_opened > 3, "a few times are free");
    // The other seat has not been opened yet.
    host.sit(&game, 1).await.wait_for("state").await;
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn control_frames_are_messages() {
    let folder = Folder::new();
    let limits = Limits {
        messages: Rate {
            burst: 10.0,
            per_second: 0.0,
        },
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = two_people(&host).await;
    let mut ann = host.sit(&game, 0).await;
    // Ten may come, and twenty errors are the most.
    for _ in 0..30 {
        ann.send_ping().await;
    }
    let mut codes = Vec::new();
    while let Some(message) = ann.next().await {
        if message["type"] == "error" {
            codes.push(message["code"].clone());
        }
    }
    assert_eq!(codes.first(), Some(&json!("too-fast")));
    assert_eq!(codes.last(), Some(&json!("too-many-errors")));
    host.stop().await;
}

/// Empty pieces of a message that never ended were neither counted nor cut, and kept
/// the processors from everybody else.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_in_endless_pieces_is_cut() {
    let folder = Folder::new();
    let limits = Limits {
        socket_bytes: Rate {
            burst: 4096.0,
            per_second: 1.0,
        },
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = two_people(&host).await;
    let mut ann = host.sit(&game, 0).await;
    let mut goes_on = ann.send_piece(true).await;
    while goes_on {
        goes_on = ann.send_piece(false).await;
    }
    host.stop().await;
}

/// Streams of news once took all connections of an address.
#[tokio::test(flavor = "multi_thread")]
async fn who_listens_takes_no_connection_from_others() {
    let folder = Folder::new();
    let limits = Limits {
        connections: 6,
        connections_per_client: 3,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let mut listeners = Vec::new();
    for _ in 0..8 {
        let mut stream = host.connect_from("127.0.0.1").await;
        let head = format!(
            "GET /api/arena/live HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
            host.port
        );
        stream.write_all(head.as_bytes()).await.expect("writes");
        let mut first = [0; 12];
        stream.read_exact(&mut first).await.expect("an answer");
        assert_eq!(&first, b"HTTP/1.1 200");
        listeners.push(stream);
    }
    for address in ["127.0.0.1", "127.0.0.2"] {
        assert_eq!(host.get_from(address, "/api/about").await.status, 200);
    }
    host.stop().await;
}

/// A hundred games with long specs once were megabytes, packed again for each
/// who asked, on the threads that answer moves.
#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_short_however_long_the_specs_are() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let spec = format!("goal-uct(iters=1,rivals={}quo)", "better-pixie+".repeat(30));
    let seats = [person("Ann"), bot(&spec), bot(&spec)];
    let game = host.create(&game_of("classic", "lux", &seats)).await;
    let list = host.get("/api/games").await;
    assert!(list.body.len() < 2000, "{}", list.body);
    let listed = list.json()[0]["seats"][1]["spec"].clone();
    assert!(
        listed.as_str().expect("a spec").ends_with("..."),
        "{listed}"
    );
    let packed = host
        .request("GET", "/api/games", &[("Accept-Encoding", "gzip")], "")
        .await;
    assert!(
        packed.head.contains("content-encoding: gzip"),
        "{}",
        packed.head
    );
    // Who plays is told the whole.
    let hello = host.sit(&game, 0).await.wait_for("hello").await;
    let whole = hello["game"]["seats"][1]["spec"].as_str().expect("a spec");
    assert!(whole.len() > 400, "{whole}");
    host.stop().await;
}

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_cut_is_a_line() {
    let folder = Folder::new();
    let config = Config {
        log: |line| LINES.lock().expect("a list").push(line.to_owned()),
        limits: Limits {
            request_time: Duration::from_millis(300),
            ..Limits::default()
        },
        ..Config::new(folder.store())
    };
    let host = Host::with_config(&folder, config, 0).await;
    let long = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(100_000));
    for (start, code) in [
        ("GET / HT", Some("too-slow")),
        ("\u{0}\u{1} nonsense\r\n\r\n", Some("bad-request")),
        (long.as_str(), Some("too-large")),
        // Browsers do this, and no harm is meant.
        ("", None),
    ] {
        LINES.lock().expect("a list").clear();
        let mut stream = host.connect_from("127.0.0.1").await;
        // It may be cut before all is written.
        let _ = stream.write_all(start.as_bytes()).await;
        let _ = stream.read_to_end(&mut Vec::new()).await;
        let line = code.map(|code| format!("refused 127.0.0.1: connection: {code}"));
        let lines = || LINES.lock().expect("a list").clone();
        for _ in 0..1000 {
            if lines().len() >= line.iter().len() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(lines(), Vec::from_iter(line), "{start:.20}");
    }
    host.stop().await;
}

/// Begins to send a record of `n` bytes, of which some come.
async fn slow_record(host: &Host, address: &str, n_bytes: usize, n_sent: usize) -> TcpStream {
    let mut stream = host.connect_from(address).await;
    let head = format!(
        "POST /api/replay HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {n_bytes}\r\n\r\n",
        host.port
    );
    stream.write_all(head.as_bytes()).await.expect("writes");
    // A server that refuses early need not read the body.
    let _ = stream.write_all(&vec![b'x'; n_sent]).await;
    stream
}

/// Whether the server has answered a record that is still being sent, which it does to refuse it.
fn was_answered(slow: &TcpStream) -> bool {
    let read = slow.try_read(&mut [0]);
    !read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_comes_slowly_takes_no_place() {
    let folder = Folder::new();
    let limits = Limits {
        labours: 1,
        labours_per_client: 1,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let mut slow = Vec::new();
    for _ in 0..20 {
        slow.push(slow_record(&host, "127.0.0.1", 1000, 10).await);
    }
    tokio::time::sleep(Duration::from_millis(100)).await;
    let answer = host.post("/api/replay", "no record at all").await;
    answer.assert_refused(400, "bad-record");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn records_that_are_being_sent_take_a_bounded_part_of_memory() {
    let folder = Folder::new();
    let limits = Limits {
        uploads: 150_000,
        uploads_per_client: 100_000,
        // The slow ones stay for as long as a busy machine needs.
        request_time: Duration::from_secs(3600),
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let record = "x".repeat(30_000);
    let is_refused = async |address: &str| loop {
        let stream = host.connect_from(address).await;
        let answer = host
            .request_on(stream, "POST", "/api/replay", &[], &record)
            .await;
        match answer.status {
            400 => break false,
            // Asked too often, or refused before the body was read and reset, which takes the
            // answer along: that says nothing about memory.
            0 | 429 => tokio::time::sleep(Duration::from_millis(200)).await,
            503 => {
                answer.assert_refused(503, "busy");
                break true;
            }
            status => panic!("{status}"),
        }
    };
    // A slow record that comes while a trial of `is_refused` is held is itself refused: then it
    // is sent again.
    let fill = async |address: &str, n_sent: usize, trial: &str| loop {
        let slow = slow_record(&host, address, 500_000, n_sent).await;
        while !was_answered(&slow) {
            // Once, and both may have been refused.
            if is_refused(trial).await && is_refused(trial).await {
                return slow;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let first = fill("127.0.0.1", 90_000, "127.0.0.1").await;
    assert!(!is_refused("127.0.0.2").await, "another client has its own");
    let second = fill("127.0.0.2", 45_000, "127.0.0.3").await;
    drop((first, second));
    while is_refused("127.0.0.1").await {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    host.stop().await;
}

/// What was played stays as it was when its table makes room.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_was_put_away_is_as_it_was() {
    let folder = Folder::new();
    let limits = Limits {
        odd_laws: 1,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let people = [person("Ann"), person("Bo")];
    let games = [
        host.create(&odd_game(10, &people)).await,
        host.create(&odd_game(11, &people)).await,
    ];
    let mut seen = [0; 2];
    for round in 0..6 {
        let n = round % 2;
        let game = &games[n];
        let mut ann = host.sit(game, 0).await;
        let state = ann.wait_for("state").await;
        assert!(state["seq"].as_u64().expect("a number") >= seen[n]);
        let mover = state["mover"].as_u64().expect("a mover") as usize;
        let mut mover = host.sit(game, mover).await;
        let state = mover.my_turn().await;
        mover.play(&state, &some_move(&state, round)).await;
        let after = mover.wait_for("state").await;
        seen[n] = after["seq"].as_u64().expect("a number");
        assert!(seen[n] > state["seq"].as_u64().expect("a number"));
        drop((ann, mover));
        // They leave a moment later.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    host.stop().await;
}

/// One client once had all laws that fit into memory, and nobody else could play
/// under one of their own.
#[tokio::test(flavor = "multi_thread")]
async fn one_client_leaves_odd_laws_to_others() {
    let folder = Folder::new();
    let limits = Limits {
        odd_laws: 3,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let people = [person("Ann"), person("Bo")];
    let mut sockets = Vec::new();
    for n in 0..2 {
        let game = host.create(&odd_game(10 + n, &people)).await;
        sockets.push(host.sit(&game, 0).await);
    }
    let third = odd_game(12, &people).to_string();
    let refused = host.post("/api/games", &third).await;
    refused.assert_refused(503, "too-many-games");
    let made = host.post_from("127.0.0.2", "/api/games", &third).await;
    assert_eq!(made.status, 201, "{}", made.body);
    // A law that is there costs nothing.
    host.create(&odd_game(12, &people)).await;
    // Now all are taken, whoever asks.
    let fourth = odd_game(13, &people).to_string();
    let mut other = host.socket(&watch_path(&made.json())).await;
    other.wait_for("state").await;
    let refused = host.post_from("127.0.0.3", "/api/games", &fourth).await;
    refused.assert_refused(503, "too-many-games");
    // Whose game is left makes room a moment later.
    sockets.truncate(1);
    while host
        .post_from("127.0.0.3", "/api/games", &fourth)
        .await
        .status
        != 201
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    other.send(&json!({"type": "ping"})).await;
    other.wait_for("pong").await;
    host.stop().await;
}

static SOCKET_LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Waits for a line of the log of sockets.
async fn socket_line(code: &str) {
    for _ in 0..1000 {
        let lines = SOCKET_LINES.lock().expect("a list").clone();
        if lines.iter().any(|line| line.ends_with(code)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("no line about {code}: {:?}", SOCKET_LINES.lock());
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_inside_a_socket_are_lines() {
    let folder = Folder::new();
    let config = Config {
        log: |line| SOCKET_LINES.lock().expect("a list").push(line.to_owned()),
        limits: Limits {
            messages: Rate {
                burst: 12.0,
                per_second: 0.0,
            },
            socket_bytes: Rate {
                burst: 20_000.0,
                per_second: 0.0,
            },
            ..Limits::default()
        },
        ..Config::new(folder.store())
    };
    let host = Host::with_config(&folder, config, 0).await;
    let game = two_people(&host).await;
    let state = host.sit(&game, 0).await.wait_for("state").await;
    let mover = state["mover"].as_u64().expect("a mover") as usize;
    let mut ann = host.sit(&game, mover).await;
    let state = ann.my_turn().await;
    ann.play(&state, "o7").await;
    socket_line("illegal-move").await;
    ann.send(&json!({"type": "move", "id": 1, "move": "dance"}))
        .await;
    socket_line("bad-move").await;
    ann.send_text("nonsense").await;
    ann.send_binary(b"nonsense").await;
    socket_line("bad-message").await;
    // A socket that is dropped at once may take what it sent with it.
    let mut bo = host.sit(&game, 1 - mover).await;
    bo.play(&state, "end").await;
    socket_line("not-your-turn").await;
    let mut watcher = host.socket(&watch_path(&game)).await;
    watcher.play(&state, "end").await;
    socket_line("no-seat").await;
    for _ in 0..30 {
        ann.send_ping().await;
    }
    socket_line(": too-fast").await;
    socket_line("too-many-errors").await;
    // A frame that is too long, and bytes without end.
    let mut ann = host.sit(&game, mover).await;
    ann.send_huge().await;
    socket_line("bad-frame").await;
    let mut ann = host.sit(&game, mover).await;
    let mut goes_on = ann.send_piece(true).await;
    while goes_on {
        goes_on = ann.send_piece(false).await;
    }
    socket_line("socket: too-fast").await;
    host.stop().await;
    let lines = SOCKET_LINES.lock().expect("a list").clone();
    let id = game["id"].as_str().expect("an id");
    for line in &lines {
        assert!(line.starts_with("refused 127.0.0.1: socket"), "{line}");
        for seat in 0..2 {
            let token = game["seats"][seat]["token"].as_str().expect("a token");
            assert!(!line.contains(token));
        }
    }
    assert!(lines.iter().any(|line| line.contains(id)), "{lines:?}");
}

/// A server whose host offers a bot.
async fn with_host_bot(folder: &Folder, spec: &str, limits: Limits, log: fn(&str)) -> Host {
    let offered = HostBot {
        name: "Mine".to_owned(),
        spec: spec.parse().expect("a spec"),
    };
    let offers = HostOffers {
        bots: vec![offered],
        ..HostOffers::default()
    };
    let config = Config {
        limits,
        offers,
        log,
        ..Config::new(folder.store())
    };
    Host::with_config(folder, config, 0).await
}

fn mine() -> Value {
    json!({"kind": "bot", "host_bot": "Mine"})
}

/// A bot that failed once told everybody the command of the host.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_host_bot_but_its_name_is_told() {
    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let log = |line: &str| LINES.lock().expect("no panic").push(line.to_owned());
    let folder = Folder::new();
    let spec = "cmd(there-is-no-such-program --key hidden)";
    let host = with_host_bot(&folder, spec, Limits::default(), log).await;
    let game = game_of("duel6", "lux", &[mine(), bot("killbot")]);
    let created = host.post("/api/games", &game.to_string()).await;
    assert_eq!(created.status, 201, "{}", created.body);
    let game = created.json();
    let path = format!("/api/games/{}", game["id"].as_str().expect("an id"));
    while host.get(&path).await.json()["status"] != "over" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let replay = host.get(&format!("{path}/replay")).await.body;
    assert!(replay.contains("Mine could not move"), "{replay}");
    for told in [replay, created.body, host.get(&path).await.body] {
        assert!(!told.contains("no-such-program") && !told.contains("hidden"));
    }
    let lines = LINES.lock().expect("no panic").join("\n");
    assert!(lines.contains("bot Mine of game"), "{lines}");
    host.stop().await;
}

/// One client once had hundreds of processes of the host.
#[tokio::test(flavor = "multi_thread")]
async fn bots_of_the_host_are_few_at_a_time() {
    let folder = Folder::new();
    let limits = Limits {
        host_bots: 3,
        host_bots_per_client: 2,
        ..Limits::default()
    };
    let host = with_host_bot(&folder, "killbot", limits, |_| ()).await;
    let with = |n: usize| {
        let mut seats = vec![person("Ann")];
        seats.extend(vec![mine(); n]);
        game_of("classic", "lux", &seats).to_string()
    };
    let make = async |address: &str, n: usize| {
        let body = with(n);
        host.post_from(address, "/api/games", &body).await
    };
    make("127.0.0.2", 3)
        .await
        .assert_refused(503, "too-many-games");
    let first = make("127.0.0.2", 2).await;
    assert_eq!(first.status, 201, "{}", first.body);
    // Somebody sits there, so that it stays.
    let _ann = host.sit(&first.json(), 0).await;
    make("127.0.0.2", 1)
        .await
        .assert_refused(503, "too-many-games");
    let second = make("127.0.0.3", 1).await;
    assert_eq!(second.status, 201, "{}", second.body);
    make("127.0.0.4", 1)
        .await
        .assert_refused(503, "too-many-games");
    assert_eq!(make("127.0.0.4", 0).await.status, 400, "two seats at least");
    host.stop().await;
}

/// A flood of maps to be checked once stood in the line of those who make games.
#[tokio::test(flavor = "multi_thread")]
async fn maps_under_construction_and_games_of_a_pool_take_a_place_in_the_works() {
    let folder = Folder::new();
    let limits = Limits {
        labours_per_client: 0,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let check = host.post("/api/maps/check", "{}").await;
    check.assert_refused(503, "busy");
    let games = host.get("/api/arena/games?a=quo&b=killbot").await;
    games.assert_refused(503, "busy");
}
