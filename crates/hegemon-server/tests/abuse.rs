//! Bad input: a clear error each, nothing lost, no panic, memory bounded.

mod common;

use common::{Folder, Host, bot, game_of, person, resident_mib, seat_path, some_move};
use hegemon_server::{Limits, Rate};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A game of Ann against a bot in which it is her turn.
async fn ann_to_move(host: &Host) -> (Value, common::Client, Value) {
    let game = host
        .create(&game_of(
            "classic",
            "lux",
            &[person("Ann"), bot("simulation")],
        ))
        .await;
    let mut ann = host.sit(&game, 0).await;
    let state = ann.my_turn().await;
    (game, ann, state)
}

/// Words of libraries and of Rust, which no refusal says.
const JARGON: [&str; 18] = [
    "u8",
    "u32",
    "u64",
    "f64",
    "struct",
    "enum ",
    "variant",
    "invalid type",
    "invalid value",
    "invalid digit",
    "invalid length",
    "Failed to",
    "deserialize",
    "EOF",
    "expected value",
    "missing field",
    "duplicate field",
    "`",
];

fn assert_plain(message: &str, asked: &str, field: &str) {
    for word in JARGON {
        assert!(!message.contains(word), "{asked}: {message}");
    }
    assert!(message.contains(field), "{asked}: {message}");
}

/// Sentences of serde and axum reached people once.
#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_is_our_own_sentence_and_names_the_field() {
    let folder = Folder::new();
    let limits = Limits {
        requests: Rate::UNLIMITED,
        new_games: Rate::UNLIMITED,
        new_games_per_client: Rate::UNLIMITED,
        messages: Rate::UNLIMITED,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let good = game_of("classic", "lux", &[person("Ann"), bot("baseline")]);
    let wrong_values = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(1.5),
        json!(300),
        json!([]),
        json!([1]),
        json!({}),
        json!({"x": 1}),
    ];
    let mut bodies: Vec<(String, &str)> = Vec::new();
    for value in &wrong_values {
        bodies.push((value.to_string(), "request"));
        for field in ["map", "rules", "seats", "seed"] {
            let mut body = good.clone();
            body[field] = value.clone();
            // Without a seed the server draws one, and rules may leave out everything.
            let is_right = match field {
                "seed" => value.is_null(),
                "rules" => *value == json!({}),
                _ => false,
            };
            if !is_right {
                bodies.push((body.to_string(), field));
            }
        }
        for field in ["kind", "name", "spec", "level"] {
            let mut body = good.clone();
            body["seats"][1][field] = value.clone();
            // A name that is left out is the bot's, and one of level and spec is.
            if field == "kind" || !value.is_null() {
                bodies.push((body.to_string(), "seats[1]"));
            }
        }
        for field in ["players", "supply", "battle", "cards", "end", "income"] {
            let mut body = good.clone();
            body["rules"] = json!({ field: value });
            // Some of these are rules.
            if !host
                .post("/api/games", &body.to_string())
                .await
                .head
                .contains(" 201 ")
            {
                bodies.push((body.to_string(), "rules"));
            }
        }
    }
    for text in [
        "",
        "{",
        "[1,",
        "\"x",
        "nul",
        "{\"map\":\"classic\"}",
        "{\"map\":1,\"map\":1}",
    ] {
        bodies.push((text.to_owned(), "request"));
    }
    for (body, field) in bodies {
        let answer = host.post("/api/games", &body).await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        let message = answer.json()["error"]["message"].clone();
        assert_plain(message.as_str().expect("text"), &body, field);
    }

    let values = [
        "",
        "x",
        "-1",
        "1.5",
        "99999999999999999999",
        "%00",
        "1&attackers=1",
    ];
    for value in values {
        for (path, field) in [
            ("battle?defenders=1&attackers=", "attackers"),
            ("battle?attackers=1&defenders=", "defenders"),
            ("chain?defenders=1&attackers=", "attackers"),
            ("need?chance=0.5&defenders=", "defenders"),
            ("need?defenders=3&chance=", "chance"),
        ] {
            let path = format!("/api/odds/{path}{value}");
            let answer = host.get(&path).await;
            if answer.status != 200 {
                let message = answer.json()["error"]["message"].clone();
                let field = if value.contains('&') { "" } else { field };
                let message = message.as_str().expect("text");
                let is_range = message.contains("armies") || message.contains("probability");
                assert_plain(message, &path, if is_range { "" } else { field });
            }
        }
    }
    for path in ["battle", "chain", "need", "battle?attackers=1"] {
        let answer = host.get(&format!("/api/odds/{path}")).await;
        answer.assert_refused(400, "bad-query");
        assert_plain(&answer.body.replace("\\\"", ""), path, "there is no");
    }
    let answer = host.get("/api/games?over=maybe").await;
    answer.assert_refused(400, "bad-query");
    assert_plain(&answer.body, "over=maybe", "it is neither");

    let game = host.create(&good).await;
    let plain = host.get(&seat_path(&game, 0)).await;
    plain.assert_refused(426, "no-socket");
    assert_plain(&plain.body, "a plain request", "WebSocket");
    let from = format!("{}&from=x", seat_path(&game, 0));
    let answer = host.get(&from).await;
    answer.assert_refused(400, "bad-query");
    assert_plain(&answer.body, &from, "from");
    let mut ann = host.sit(&game, 0).await;
    for (message, field) in [
        ("{", "JSON"),
        ("5", "message"),
        ("{\"type\":\"dance\"}", "dance"),
        ("{\"type\":\"move\"}", "id"),
        ("{\"type\":5}", "\"type\""),
        ("{\"id\":1}", "\"type\""),
        ("{\"type\":\"move\",\"id\":\"x\",\"move\":\"e\"}", "\"id\""),
        ("{\"type\":\"move\",\"id\":1,\"move\":5}", "\"move\""),
        (
            "{\"type\":\"attack\",\"id\":1,\"from\":300,\"to\":1,\"until\":1}",
            "\"from\"",
        ),
    ] {
        ann.send_text(message).await;
        let error = ann.wait_for("error").await;
        assert_eq!(error["code"], "bad-message", "{message}");
        assert_plain(error["message"].as_str().expect("text"), message, field);
    }

    for header in [
        "",
        "5",
        "{}",
        "{\"map\":5}",
        "{\"map\":\"classic\",\"rules\":{\"players\":5}}",
    ] {
        for version in 1..=3 {
            let record = format!("hegemon-record {version}\n{header}\n");
            let answer = host.post("/api/replay", &record).await;
            answer.assert_refused(400, "bad-record");
            assert_plain(&answer.body, &record, "line");
        }
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_requests_get_a_sentence() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let two = [person("Ann"), bot("baseline")];
    let good = game_of("classic", "classic", &two).to_string();
    for body in [
        "",
        "{",
        "[]",
        "null",
        "\"x\"",
        "{\"map\":1}",
        &good[..good.len() - 1],
    ] {
        host.post("/api/games", body)
            .await
            .assert_refused(400, "bad-json");
    }
    let extra = good.replacen('{', "{\"cheat\":true,", 1);
    host.post("/api/games", &extra)
        .await
        .assert_refused(400, "bad-json");
    let deep = "[".repeat(10_000);
    host.post("/api/games", &deep)
        .await
        .assert_refused(400, "bad-json");
    let command = game_of(
        "classic",
        "classic",
        &[person("Ann"), bot("cmd(touch owned)")],
    );
    let answer = host.post("/api/games", &command.to_string()).await;
    answer.assert_refused(400, "bad-spec");

    let large = " ".repeat(1 << 20) + &good;
    host.post("/api/games", &large)
        .await
        .assert_refused(413, "too-large");
    let larger = "x".repeat(2 << 20);
    host.post("/api/replay", &larger)
        .await
        .assert_refused(413, "too-large");
    host.post("/api/replay", "not a record")
        .await
        .assert_refused(400, "bad-record");

    host.get("/api/games/nonsense")
        .await
        .assert_refused(404, "not-found");
    host.get("/api/games/nonsense/record")
        .await
        .assert_refused(404, "not-found");
    host.get("/api/maps/nowhere")
        .await
        .assert_refused(404, "not-found");
    host.get("/api/nonsense")
        .await
        .assert_refused(404, "not-found");
    host.get("/nonsense").await.assert_refused(404, "not-found");
    for query in [
        "",
        "?attackers=0&defenders=1",
        "?attackers=x&defenders=1",
        "?attackers=99999&defenders=1",
    ] {
        let path = format!("/api/odds/battle{query}");
        host.get(&path).await.assert_refused(400, "bad-query");
    }
    host.get("/api/odds/chain?attackers=3&defenders=1,,2")
        .await
        .assert_refused(400, "bad-query");
    host.get("/api/odds/need?defenders=3&chance=2")
        .await
        .assert_refused(400, "bad-query");

    assert_eq!(host.post("/api/games", &good).await.status, 201);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_are_refused() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let (game, mut ann, state) = ann_to_move(&host).await;
    let body = game_of("classic", "classic", &[bot("baseline"), bot("baseline")]).to_string();
    for origin in [
        "https://example.org",
        "null",
        "http://127.0.0.1.example.org",
    ] {
        let answer = host
            .request("POST", "/api/games", &[("Origin", origin)], &body)
            .await;
        answer.assert_refused(403, "wrong-origin");
        let refused = host
            .try_socket(&seat_path(&game, 0), &[("Origin", origin)])
            .await;
        refused
            .err()
            .expect("refused")
            .assert_refused(403, "wrong-origin");
    }
    // A name that somebody else's server could point at this machine.
    let answer = host
        .request("GET", "/api/games", &[("Host", "rebound.example.org")], "")
        .await;
    answer.assert_refused(403, "wrong-origin");
    let own = format!("http://127.0.0.1:{}", host.port);
    let answer = host
        .request("POST", "/api/games", &[("Origin", &own)], &body)
        .await;
    assert_eq!(answer.status, 201);
    // Ann's seat was never taken from her.
    ann.play(&state, &some_move(&state, 0)).await;
    ann.wait_for("state").await;
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_token_opens_nothing() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let (game, mut ann, state) = ann_to_move(&host).await;
    let (other, _other_ann, _) = ann_to_move(&host).await;
    let id = game["id"].as_str().expect("an id");
    let foreign = other["seats"][0]["token"].as_str().expect("a token");
    let own = game["seats"][0]["token"].as_str().expect("a token");
    for token in [foreign, "", "x", &own[1..], &own.to_uppercase()] {
        let path = format!("/api/games/{id}/socket?token={token}");
        let refused = host.try_socket(&path, &[]).await.err().expect("refused");
        refused.assert_refused(403, "wrong-token");
        // A plain request says it too: browsers hide the answer to a handshake.
        host.get(&path).await.assert_refused(403, "wrong-token");
    }
    let nowhere = "/api/games/nonsense/socket?token=x";
    host.get(nowhere).await.assert_refused(404, "not-found");
    host.get(&seat_path(&game, 0))
        .await
        .assert_refused(426, "no-socket");
    // Neither tokens nor their hashes are told to anybody.
    for path in ["/api/games".to_owned(), format!("/api/games/{id}")] {
        let body = host.get(&path).await.body;
        assert!(
            !body.contains(own) && !body.contains("token") && !body.contains("seed"),
            "{body}"
        );
    }
    let secret = host.get(&format!("/api/games/{id}/record")).await;
    secret.assert_refused(409, "running");
    host.get(&format!("/api/games/{id}/replay"))
        .await
        .assert_refused(409, "running");
    ann.play(&state, &some_move(&state, 0)).await;
    ann.wait_for("state").await;
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_messages_change_nothing() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let (game, mut ann, state) = ann_to_move(&host).await;
    let id = &state["choose"]["id"];
    let messages = [
        ("{", "bad-message"),
        ("[1,2]", "bad-message"),
        ("{\"type\":\"dance\"}", "bad-message"),
        (
            &json!({"type": "move", "id": id, "move": "jump"}).to_string(),
            "bad-move",
        ),
        (
            &json!({"type": "move", "id": id, "move": "o3"}).to_string(),
            "illegal-move",
        ),
        (
            &json!({"type": "move", "id": id, "move": "p0x99999999999"}).to_string(),
            "bad-move",
        ),
        (
            &json!({"type": "move", "id": 0, "move": "end"}).to_string(),
            "stale",
        ),
        (
            &json!({"type": "attack", "id": id, "from": 200, "to": 1, "until": 1}).to_string(),
            "bad-move",
        ),
        (
            &json!({"type": "attack", "id": id, "from": 100, "to": 1, "until": 1}).to_string(),
            "illegal-move",
        ),
    ];
    for (text, code) in messages {
        ann.send_text(text).await;
        let error = ann.wait_for("error").await;
        assert_eq!(error["code"], code, "{text}: {error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| message.ends_with('.')),
            "{error}"
        );
    }
    ann.send_binary(&[0, 159, 146, 150]).await;
    assert_eq!(ann.wait_for("error").await["code"], "bad-message");

    let path = format!("/api/games/{}/socket", game["id"].as_str().expect("an id"));
    let mut watcher = host.socket(&path).await;
    watcher
        .send(&json!({"type": "move", "id": id, "move": "end"}))
        .await;
    assert_eq!(watcher.wait_for("error").await["code"], "no-seat");
    watcher.send_text(&"x".repeat(100_000)).await;
    while watcher.next().await.is_some() {}

    // The game waits where it was.
    ann.play(&state, &some_move(&state, 0)).await;
    let next = ann.wait_for("state").await;
    assert!(next["seq"].as_u64() > state["seq"].as_u64());
    ann.send(&json!({"type": "ping"})).await;
    ann.wait_for("pong").await;
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sends_only_nonsense_or_too_much_is_cut_off() {
    let folder = Folder::new();
    let limits = Limits {
        messages: Rate {
            burst: 30.0,
            per_second: 0.0,
        },
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let (game, mut ann, state) = ann_to_move(&host).await;
    let mut noisy = host.sit(&game, 0).await;
    // The second window takes the seat.
    assert_eq!(ann.wait_for("error").await["code"], "replaced");
    assert!(ann.next().await.is_none());
    // One ping at a time: a socket that is closed with unread pings in it is reset, which may
    // cost its last message.
    let mut codes = Vec::new();
    while codes.last() != Some(&json!("too-many-errors")) {
        noisy.send_text("{\"type\":\"ping\"}").await;
        let mut message = noisy.next().await.expect("an answer to each");
        while message["type"] != "pong" && message["type"] != "error" {
            message = noisy.next().await.expect("an answer to each");
        }
        if message["type"] == "error" {
            codes.push(message["code"].clone());
        }
    }
    assert_eq!(codes.first(), Some(&json!("too-fast")));
    assert!(noisy.next().await.is_none());
    let mut back = host.sit(&game, 0).await;
    assert_eq!(back.my_turn().await["seq"], state["seq"]);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_sockets_are_too_many_and_do_no_harm() {
    const LIMIT: usize = 300;
    let folder = Folder::new();
    let limits = Limits {
        sockets: LIMIT,
        sockets_for_seats: 10,
        watchers_per_client: LIMIT,
        requests: Rate::UNLIMITED,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let (game, mut ann, state) = ann_to_move(&host).await;
    let before = resident_mib();
    let path = format!("/api/games/{}/socket", game["id"].as_str().expect("an id"));
    let mut open = Vec::new();
    let mut n_refused = 0;
    for _ in 0..1000 {
        match host.try_socket(&path, &[]).await {
            Ok(client) => open.push(client),
            Err(refused) => {
                refused.assert_refused(503, "too-many-sockets");
                n_refused += 1;
            }
        }
    }
    assert_eq!(
        open.len(),
        LIMIT - 10 - 1,
        "places for people with a seat are kept"
    );
    assert_eq!(open.len() + n_refused, 1000);
    if let (Some(before), Some(after)) = (before, resident_mib()) {
        assert!(
            after < before + 150,
            "{before} MiB before, {after} MiB with all sockets"
        );
    }
    // The game goes on, all watchers see it, and a person can still come in.
    let mut again = host.sit(&game, 0).await;
    again.my_turn().await;
    assert_eq!(ann.wait_for("error").await["code"], "replaced");
    again.play(&state, &some_move(&state, 0)).await;
    let seq = again.wait_for("state").await["seq"].as_u64();
    for watcher in &mut open {
        while watcher.wait_for("state").await["seq"].as_u64() < seq {}
    }
    drop(open);
    // Places are given back.
    while host.try_socket(&path, &[]).await.is_err() {}
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_games_are_refused() {
    let folder = Folder::new();
    let limits = Limits {
        games: 2,
        new_games: Rate {
            burst: 6.0,
            per_second: 0.0,
        },
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let request = game_of("classic", "lux", &[person("Ann"), person("Bo")]);
    let mut games = Vec::new();
    let mut sockets = Vec::new();
    for _ in 0..2 {
        let game = host.create(&request).await;
        sockets.push(host.sit(&game, 0).await);
        sockets
            .last_mut()
            .expect("just opened")
            .wait_for("state")
            .await;
        games.push(game);
    }
    let answer = host.post("/api/games", &request.to_string()).await;
    answer.assert_refused(503, "too-many-games");
    // Games that nobody looks at make room; they are kept in the store.
    sockets.clear();
    let mut n_tries = 0;
    while host.post("/api/games", &request.to_string()).await.status == 503 {
        n_tries += 1;
        assert!(n_tries < 100, "closed sockets give their games back");
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    }
    host.sit(&games[0], 0).await.wait_for("state").await;
    let mut status = 201;
    while status == 201 {
        status = host.post("/api/games", &request.to_string()).await.status;
    }
    let answer = host.post("/api/games", &request.to_string()).await;
    assert!([429, 503].contains(&answer.status), "{}", answer.body);
    host.stop().await;
}

fn nested(levels: usize) -> String {
    "rollout(base=".repeat(levels) + "baseline" + &")".repeat(levels)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spec_runs_no_program_and_reads_no_file() {
    let folder = Folder::new();
    let owned = folder.0.join("owned");
    let host = Host::start(&folder).await;
    let touch = format!("touch {}", owned.display());
    for spec in [
        format!("cmd({touch})"),
        format!("cm d({touch})"),
        format!("rollout(base=cm d({touch}))"),
        format!("rollout(base=cmd ({touch}))"),
        format!("goal-uct(base=cmd({touch}))"),
        format!("goal-uct(rivals=quo+ cmd({touch}))"),
        format!("drafted(draft=cmd({touch}))"),
        format!("mcts(playout= cmd({touch}))"),
        "greedy(weights=Cargo.toml)".to_owned(),
        "beam(weights=Cargo.toml)".to_owned(),
        "goal-uct(rivals=killbot+mcts(iters=100000000))".to_owned(),
        nested(1000),
        nested(4000),
    ] {
        let request = game_of("classic", "classic", &[person("Ann"), bot(&spec)]);
        let answer = host.post("/api/games", &request.to_string()).await;
        answer.assert_refused(400, "bad-spec");
        let body = answer.json().to_string();
        assert!(
            !body.contains("[package]") && !body.contains("name ="),
            "{body}"
        );
    }
    assert!(!owned.exists(), "a program was run");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_game_whose_spec_is_refused_does_not_stop_the_start() {
    for spec in [
        nested(1000),
        "cm d(id)".to_owned(),
        "rollout(base=cmd(id))".to_owned(),
    ] {
        let folder = Folder::new();
        let host = Host::start(&folder).await;
        let seats = [person("Ann"), bot("baseline")];
        let game = host.create(&game_of("classic", "lux", &seats)).await;
        host.stop().await;
        let store = rusqlite::Connection::open(folder.store()).expect("a store");
        let n_changed = store.execute(
            "UPDATE games SET header = replace(header, '\"human\",\"baseline\"', '\"human\",' || ?1)",
            [json!(spec).to_string()],
        );
        assert_eq!(n_changed.expect("writable"), 1);
        drop(store);

        let host = Host::start(&folder).await;
        assert_eq!(host.get("/api/games").await.status, 200);
        // A simple bot moves for the one that cannot be built, and a note says so.
        let path = format!("{}&from=0", seat_path(&game, 0));
        let mut ann = host.socket(&path).await;
        let mut notes = Vec::new();
        while notes.len() < 3 {
            let message = ann.next().await.expect("goes on");
            if message["type"] == "events" {
                let events = message["events"].as_array().expect("a list").clone();
                notes.extend(events.into_iter().filter(|event| event["kind"] == "note"));
            } else if message["type"] == "state" && !message["choose"].is_null() {
                ann.play(&message, &some_move(&message, usize::MAX / 2))
                    .await;
            }
        }
        let text = |n: usize| notes[n]["text"].as_str().expect("a text");
        assert!(text(0).contains("made this move for it"), "{}", text(0));
        assert!(text(2).contains("plays on for it"), "{}", text(2));
        host.stop().await;
    }
}

/// A refused WebSocket said that something was wrong, and not what.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_socket_names_the_field_that_is_wrong() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = game_of("classic", "lux", &[person("Ann"), bot("killbot")]);
    let path = seat_path(&host.create(&game).await, 0);
    let good = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    for (wrong, _) in good {
        let mut head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", host.port);
        for (name, value) in good.into_iter().filter(|(name, _)| *name != wrong) {
            head += &format!("{name}: {value}\r\n");
        }
        let mut stream = host.connect_from("127.0.0.1").await;
        let head = head + "\r\n";
        stream.write_all(head.as_bytes()).await.expect("writes");
        let mut answer = [0; 2000];
        let n_read = stream.read(&mut answer).await.expect("an answer");
        let answer = String::from_utf8_lossy(&answer[..n_read]);
        assert!(answer.contains("no-socket"), "{wrong}: {answer}");
        assert!(answer.contains(wrong), "{wrong}: {answer}");
    }
    let mut ann = host.socket(&path).await;
    ann.my_turn().await;
    for (message, field) in [
        (
            json!({"type": "attack", "id": 1, "from": 200, "to": 1, "until": 1}),
            "\"from\"",
        ),
        (
            json!({"type": "attack", "id": 1, "from": 1, "to": 200, "until": 1}),
            "\"to\"",
        ),
        (
            json!({"type": "move", "id": 1, "move": "dance"}),
            "\"move\"",
        ),
        (
            json!({"type": "attack", "id": 1, "from": 1, "to": 2, "until": -1}),
            "\"until\"",
        ),
    ] {
        ann.send(&message).await;
        let error = ann.wait_for("error").await;
        let said = error["message"].as_str().expect("a sentence");
        assert!(said.contains(field), "{message}: {said}");
    }
    host.stop().await;
}
