//! Who gets in, and how much anybody may take: each test is an attack that
//! worked once.

mod common;

use std::sync::Mutex;
use std::time::Duration;

use common::{Folder, Host, bot, game_of, person, resident_mib, seat_path, some_move};
use hegemon_core::rules::{Attack, InitialArmies, Placement};
use hegemon_core::{Game, Map, Node, Rules, Streams};
use hegemon_record::Header;
use hegemon_server::{Config, Limits, Rate};
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than any limit set here, shorter than those that are the default.
const SOON: Duration = Duration::from_secs(8);

fn two_bots() -> String {
    game_of("classic", "classic", &[bot("baseline"), bot("baseline")]).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_port_may_not_make_games() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let own = format!("http://127.0.0.1:{}", host.port);
    let encrypted = format!("https://127.0.0.1:{}", host.port);
    let others = [
        encrypted.as_str(),
        "http://localhost:5173",
        "http://127.0.0.1:5173",
        "http://127.0.0.1",
    ];
    for origin in others {
        let answer = host
            .request("POST", "/api/games", &[("Origin", origin)], &two_bots())
            .await;
        answer.assert_refused(403, "wrong-origin");
    }
    // Such a page may not even look: it would only cost time.
    for site in ["cross-site", "same-site"] {
        let answer = host
            .request("GET", "/api/games", &[("Sec-Fetch-Site", site)], "")
            .await;
        answer.assert_refused(403, "wrong-origin");
        let link = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate")];
        assert_eq!(host.request("GET", "/", &link, "").await.status, 200);
    }
    let answer = host
        .request("POST", "/api/games", &[("Origin", &own)], &two_bots())
        .await;
    assert_eq!(answer.status, 201);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebound_name_reaches_no_server_that_listens_everywhere() {
    let folder = Folder::new();
    let config = Config {
        names: vec!["play.example.org".to_owned()],
        ..Config::new(folder.store())
    };
    let host = Host::listening(&folder, config, 0, "0.0.0.0:0").await;
    let port = host.port;
    let answer = |name: String| {
        let host = &host;
        async move {
            host.request("GET", "/api/about", &[("Host", &name)], "")
                .await
        }
    };
    for name in [
        format!("rebound.example.org:{port}"),
        "rebound.example.org".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("192.168.7.7:{port}"),
    ] {
        answer(name).await.assert_refused(403, "wrong-origin");
    }
    for name in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        "play.example.org".to_owned(),
        format!("play.example.org:{port}"),
    ] {
        assert_eq!(answer(name.clone()).await.status, 200, "{name}");
    }
    host.stop().await;
}

/// The address in the first line of a request counts more than its Host, which
/// alone was looked at once.
#[tokio::test(flavor = "multi_thread")]
async fn an_absolute_address_of_another_name_is_refused() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let own = format!("127.0.0.1:{}", host.port);
    for name in [
        "evil.example",
        "127.0.0.1",
        &format!("evil.example:{}", host.port),
        &format!("localhost:{}", host.port),
        &format!("ann@{own}"),
    ] {
        let path = format!("http://{name}/api/about");
        host.get(&path).await.assert_refused(403, "wrong-origin");
    }
    let answer = host.get(&format!("http://{own}/api/about")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hosts_or_two_origins_are_refused() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let own = format!("127.0.0.1:{}", host.port);
    let origin = format!("http://{own}");
    for fields in [
        [("Host", own.as_str()), ("Host", "example.org")],
        [("Host", "example.org"), ("Host", own.as_str())],
        [
            ("Origin", origin.as_str()),
            ("Origin", "http://example.org"),
        ],
        [
            ("Origin", "http://example.org"),
            ("Origin", origin.as_str()),
        ],
    ] {
        let answer = host
            .request("POST", "/api/games", &fields, &two_bots())
            .await;
        answer.assert_refused(400, "bad-headers");
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_draws_the_seed_of_a_game_with_people_elsewhere() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let elsewhere = json!({"kind": "remote", "name": "Bo"});
    for (seats, status) in [
        ([person("Ann"), elsewhere.clone()], 400),
        ([person("Ann"), person("Bo")], 201),
        ([person("Ann"), bot("baseline")], 201),
    ] {
        let mut request = game_of("classic", "lux", &seats);
        request["seed"] = json!("7");
        let answer = host.post("/api/games", &request.to_string()).await;
        assert_eq!(answer.status, status, "{}", answer.body);
    }
    host.stop().await;
}

/// Rules with as many armies as there may be, in battles of one draw.
fn huge_rules(second_from: u32) -> Rules {
    let mut rules = Rules::preset("lux").expect("shipped");
    rules.initial_armies = InitialArmies::ByPlayers([30_000; 5]);
    rules.placement = Placement::Even;
    rules.battle.attack = Attack::BalancedBlitz;
    rules.battle.dice.defender_second_from = second_from;
    rules
}

fn huge_game(second_from: u32) -> (std::sync::Arc<Game>, String) {
    let map = Map::builtin("duel6").expect("shipped");
    let game = Game::new(map, huge_rules(second_from), 2).expect("a game");
    let header = Header::new(&game, vec!["human".to_owned(); 2], 5);
    let header = serde_json::to_string(&header).expect("JSON");
    (game, format!("hegemon-record 1\n{header}\n"))
}

const END: &str = "end conquest score=1,0 hash=0000000000000000\n";

/// A kilobyte that once took the processor for nine seconds.
#[tokio::test(flavor = "multi_thread")]
async fn a_small_record_with_a_huge_battle_is_refused_before_it_is_fought() {
    let (game, mut text) = huge_game(2);
    let (mut state, mut streams) = (game.start(), Streams::new(5));
    while state.node() != Node::Chance || state.front().is_none() {
        if state.node() == Node::Chance {
            let outcome = streams.draw(&state);
            text += &format!("{outcome} ");
            state.resolve(outcome).expect("possible");
        } else {
            let moves = state.legal_moves();
            let attack = moves.iter().find(|mv| mv.to_string().starts_with('a'));
            let mv = *attack.unwrap_or(&moves[0]);
            text += &format!("{mv} ");
            state.play(mv).expect("legal");
        }
    }
    let text = text + "B17:23\n" + END;
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let answer = timeout(SOON, host.post("/api/replay", &text)).await;
    answer.expect("at once").assert_refused(400, "too-costly");
    host.stop().await;
}

/// Told again with every event, such names once took ten gigabytes.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_with_endless_names_is_refused() {
    let (_, text) = huge_game(2);
    let header = text.lines().nth(1).expect("a header");
    let mut named: Value = serde_json::from_str(header).expect("JSON");
    named["names"] = json!(["x".repeat(400_000), "Ben"]);
    let text = text.replacen(header, &named.to_string(), 1) + END;
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let answer = host.post("/api/replay", &text).await;
    assert!(answer.body.contains("line 2"), "{}", answer.body);
    answer.assert_refused(400, "bad-record");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn records_with_ever_new_laws_leave_nothing_in_memory() {
    let folder = Folder::new();
    let limits = Limits {
        requests: Rate::UNLIMITED,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let mut before = None;
    for n in 0..600 {
        let (_, text) = huge_game(10 + n);
        let answer = host.post("/api/replay", &(text + "Z9\n" + END)).await;
        answer.assert_refused(400, "bad-record");
        if n == 50 {
            before = resident_mib();
        }
    }
    // They were 360 kB each.
    if let (Some(before), Some(after)) = (before, resident_mib()) {
        assert!(
            after < before + 60,
            "{before} MiB before, {after} MiB after"
        );
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hordes_are_not_dealt_and_scattered_ones_hold_up_nobody() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let mut rules = huge_rules(2);
    rules.placement = Placement::Scatter;
    let request = |rules: &Rules| {
        let rules: Value = serde_json::from_str(&rules.to_json()).expect("JSON");
        let seats = vec![bot("baseline"); 6];
        json!({"map": "classic", "rules": rules, "seats": seats}).to_string()
    };
    let answer = host.post("/api/games", &request(&rules)).await;
    answer.assert_refused(400, "bad-rules");
    rules.initial_armies = InitialArmies::ByPlayers([1000; 5]);
    let mut waiting = Vec::new();
    let host = std::sync::Arc::new(host);
    for _ in 0..3 {
        let (host, body) = (std::sync::Arc::clone(&host), request(&rules));
        waiting.push(tokio::spawn(async move {
            host.post("/api/games", &body).await.status
        }));
    }
    let about = timeout(SOON, host.get("/api/about")).await;
    assert_eq!(about.expect("at once").status, 200);
    for task in waiting {
        assert_eq!(task.await.expect("no panic"), 201);
    }
    std::sync::Arc::into_inner(host)
        .expect("the last")
        .stop()
        .await;
}

/// Limits that end slow connections soon.
fn impatient() -> Limits {
    Limits {
        request_time: Duration::from_millis(300),
        ..Limits::default()
    }
}

async fn reads_to_end(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let read = timeout(SOON, stream.read_to_end(&mut bytes)).await;
    // A reset is an end too.
    read.ok()
        .map(|_| String::from_utf8_lossy(&bytes).into_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn half_open_connections_are_closed() {
    let folder = Folder::new();
    let host = Host::with_limits(&folder, impatient()).await;
    for start in ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\nX: "] {
        let mut stream = host.connect_from("127.0.0.1").await;
        stream.write_all(start.as_bytes()).await.expect("writes");
        assert!(reads_to_end(&mut stream).await.is_some(), "{start:?}");
    }
    // So is one that was useful once.
    let mut stream = host.connect_from("127.0.0.1").await;
    let head = format!(
        "GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
        host.port
    );
    stream.write_all(head.as_bytes()).await.expect("writes");
    let answer = reads_to_end(&mut stream).await.expect("closed");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_do_not_come_are_not_waited_for() {
    let folder = Folder::new();
    let host = Host::with_limits(&folder, impatient()).await;
    for path in ["/api/games", "/api/replay"] {
        let mut stream = host.connect_from("127.0.0.1").await;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 1000\r\n\r\n{{",
            host.port
        );
        stream.write_all(head.as_bytes()).await.expect("writes");
        let answer = reads_to_end(&mut stream).await.expect("closed");
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(answer.contains("too-slow"), "{answer}");
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_holds_connections_open_keeps_nobody_out() {
    let folder = Folder::new();
    let limits = Limits {
        connections: 20,
        connections_per_client: 10,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let mut open = Vec::new();
    for n in 0..100 {
        let address = ["127.0.0.1", "127.0.0.2", "127.0.0.3"][n % 3];
        open.push(host.connect_from(address).await);
    }
    for address in ["127.0.0.1", "127.0.0.2", "127.0.0.4"] {
        let answer = host.get_from(address, "/api/about").await;
        assert_eq!(answer.status, 200, "{address}");
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_client_cannot_take_all_sockets() {
    let folder = Folder::new();
    let limits = Limits {
        watchers_per_client: 5,
        seats_per_client: 3,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = host
        .create(&game_of("classic", "lux", &vec![person("Ann"); 4]))
        .await;
    let id = game["id"].as_str().expect("an id");
    let path = format!("/api/games/{id}/socket");
    let mut watchers = Vec::new();
    for _ in 0..5 {
        watchers.push(host.socket(&path).await);
    }
    let refused = host.try_socket(&path, &[]).await.err().expect("refused");
    refused.assert_refused(503, "too-many-sockets");
    let other = host.connect_from("127.0.0.2").await;
    let url = format!("ws://127.0.0.1:{}{path}", host.port);
    let opened = tokio_tungstenite::client_async(url, other).await;
    assert!(opened.is_ok(), "another client has places of its own");
    // Seats are kept by those who have them, and may be opened anew.
    let mut first = host.sit(&game, 0).await;
    let mut others = Vec::new();
    for seat in 1..3 {
        others.push(host.sit(&game, seat).await);
    }
    let fourth = seat_path(&game, 3);
    let refused = host.try_socket(&fourth, &[]).await.err().expect("refused");
    refused.assert_refused(503, "too-many-sockets");
    first.send(&json!({"type": "ping"})).await;
    first.wait_for("pong").await;
    let mut again = host.sit(&game, 0).await;
    again.wait_for("state").await;
    loop {
        let message = first.next().await.expect("a reason before the end");
        if message["type"] == "error" {
            assert_eq!(message["code"], "replaced");
            break;
        }
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_requests_is_refused_while_a_seat_is_served() {
    let folder = Folder::new();
    let limits = Limits {
        requests: Rate {
            burst: 5.0,
            per_second: 0.0,
        },
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = host
        .create(&game_of(
            "classic",
            "lux",
            &[person("Ann"), bot("baseline")],
        ))
        .await;
    for _ in 0..4 {
        assert_eq!(host.get("/api/about").await.status, 200);
    }
    for _ in 0..20 {
        host.get("/api/games").await.assert_refused(429, "too-fast");
    }
    let mut ann = host.sit(&game, 0).await;
    let state = ann.my_turn().await;
    ann.play(&state, &some_move(&state, 0)).await;
    ann.wait_for("state").await;
    assert_eq!(host.get_from("127.0.0.2", "/api/about").await.status, 200);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_bots_leave_room_for_games_of_people() {
    let folder = Folder::new();
    let limits = Limits {
        bot_games: 3,
        bot_games_per_client: 2,
        new_games_per_client: Rate {
            burst: 6.0,
            per_second: 0.0,
        },
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    // Slow enough not to be over before the others come.
    let bots = game_of(
        "archipelago80",
        "classic",
        &vec![bot("mcts(iters=2000)"); 6],
    )
    .to_string();
    for _ in 0..2 {
        assert_eq!(host.post("/api/games", &bots).await.status, 201);
    }
    let refused = host.post("/api/games", &bots).await;
    refused.assert_refused(503, "too-many-games");
    let people = game_of("classic", "lux", &[person("Ann"), person("Bo")]).to_string();
    for _ in 0..3 {
        assert_eq!(host.post("/api/games", &people).await.status, 201);
    }
    host.post("/api/games", &people)
        .await
        .assert_refused(429, "too-fast");
    host.stop().await;
}

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_is_a_line_without_secrets() {
    let folder = Folder::new();
    let config = Config {
        log: |line| LINES.lock().expect("a list").push(line.to_owned()),
        ..Config::new(folder.store())
    };
    let host = Host::with_config(&folder, config, 0).await;
    let game = host
        .create(&game_of("classic", "lux", &[person("Ann"), person("Bo")]))
        .await;
    let wrong = seat_path(&game, 0) + "x";
    host.get(&wrong).await.assert_refused(403, "wrong-token");
    host.get("/api/games/%1b%0a")
        .await
        .assert_refused(404, "not-found");
    host.request("GET", "/", &[("Host", "example.org")], "")
        .await
        .assert_refused(403, "wrong-origin");
    host.stop().await;
    let lines = LINES.lock().expect("a list").clone();
    for code in ["wrong-token", "not-found", "wrong-origin"] {
        let n = lines.iter().filter(|line| line.ends_with(code)).count();
        assert_eq!(n, 1, "{code} in {lines:?}");
    }
    let token = game["seats"][0]["token"].as_str().expect("a token");
    for line in &lines {
        assert!(line.starts_with("refused 127.0.0.1: "), "{line}");
        assert!(!line.contains(token) && !line.contains(char::is_control));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_game_stops_neither_the_start_nor_the_list() {
    let damages = [
        "UPDATE games SET header = '{' WHERE number = 1",
        "UPDATE games SET header = x'00ff' WHERE number = 1",
        "UPDATE games SET seats = '[]x' WHERE number = 1",
        "UPDATE games SET round = 'many' WHERE number = 1",
        "UPDATE games SET created = x'ff' WHERE number = 1",
        "UPDATE entries SET entries = 'nonsense' WHERE game = 1",
        "DELETE FROM entries WHERE game = 1 AND first_seq = 1",
    ];
    for damage in damages {
        let folder = Folder::new();
        let host = Host::start(&folder).await;
        let request = game_of("classic", "lux", &[person("Ann"), person("Bo")]);
        let games = [host.create(&request).await, host.create(&request).await];
        // Two batches, so that one can be missing.
        let mut ann = host.sit(&games[0], 0).await;
        let state = ann.wait_for("state").await;
        let mover = state["mover"].as_u64().expect("a mover") as usize;
        let mut mover = host.sit(&games[0], mover).await;
        let state = mover.my_turn().await;
        mover.play(&state, &some_move(&state, 0)).await;
        mover.wait_for("state").await;
        host.stop().await;
        let store = Connection::open(folder.store()).expect("opens");
        assert!(store.execute(damage, []).expect(damage) > 0, "{damage}");
        drop(store);

        let host = Host::with_config(&folder, Config::new(folder.store()), 1).await;
        let list = host.get("/api/games").await.json();
        assert_eq!(list[0]["id"], games[1]["id"], "{damage}");
        assert_eq!(list[0]["status"], "running");
        assert_eq!(list[1]["id"], games[0]["id"]);
        assert_eq!(list[1]["status"], "damaged", "{damage}");
        let path = seat_path(&games[0], 0);
        host.get(&path).await.assert_refused(500, "internal");
        host.sit(&games[1], 0).await.wait_for("state").await;
        host.stop().await;
    }
}

fn store_len(folder: &Folder) -> u64 {
    std::fs::metadata(folder.store()).expect("a file").len()
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_games_of_bots_make_room_and_those_of_people_stay() {
    const LIMIT: u64 = 1 << 20;
    let folder = Folder::new();
    let limits = Limits {
        store: LIMIT,
        requests: Rate::UNLIMITED,
        new_games_per_client: Rate::UNLIMITED,
        new_games: Rate::UNLIMITED,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let people = host
        .create(&game_of("classic", "lux", &[person("Ann"), person("Bo")]))
        .await;
    let mut first = None;
    let mut is_removed = false;
    for _ in 0..400 {
        let bots = vec![bot("killbot"), bot("simulation"), bot("simulation")];
        let answer = host
            .post(
                "/api/games",
                &game_of("classic", "classic", &bots).to_string(),
            )
            .await;
        if answer.status == 201 {
            let id = answer.json()["id"].as_str().expect("an id").to_owned();
            let path = format!("/api/games/{}", first.get_or_insert(id));
            is_removed = host.get(&path).await.status == 404;
            if is_removed {
                break;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(is_removed, "the oldest game of bots made room");
    host.sit(&people, 0).await.wait_for("state").await;
    host.stop().await;
    let len = store_len(&folder);
    assert!(len < 2 * LIMIT, "{len} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_store_takes_no_new_games_and_keeps_the_old() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let request = game_of("classic", "lux", &[person("Ann"), bot("baseline")]);
    let game = host.create(&request).await;
    host.stop().await;
    let limits = Limits {
        store: 4096,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let refused = host.post("/api/games", &request.to_string()).await;
    refused.assert_refused(503, "store-full");
    let mut ann = host.sit(&game, 0).await;
    let state = ann.my_turn().await;
    ann.play(&state, &some_move(&state, 0)).await;
    ann.wait_for("state").await;
    host.stop().await;
}

/// Who chose the seed may have rehearsed the dice, and sent the links of people
/// at one screen to people elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_seed_keeps_people_where_the_game_was_made() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let two = [person("Ann"), person("Bo")];
    let mut chosen = game_of("classic", "lux", &two);
    chosen["seed"] = json!("7");
    let drawn = game_of("classic", "lux", &two);
    let mut alone = game_of("classic", "lux", &[person("Ann"), bot("baseline")]);
    alone["seed"] = json!("7");
    let [chosen, drawn, alone] = [
        host.create(&chosen).await,
        host.create(&drawn).await,
        host.create(&alone).await,
    ];
    let check = async |host: &Host| {
        for seat in 0..2 {
            let elsewhere = host.get_from("127.0.0.2", &seat_path(&chosen, seat)).await;
            elsewhere.assert_refused(403, "wrong-token");
            assert!(elsewhere.body.contains("seed"), "{}", elsewhere.body);
            host.sit(&chosen, seat).await.wait_for("state").await;
        }
        for game in [&drawn, &alone] {
            let elsewhere = host.get_from("127.0.0.2", &seat_path(game, 0)).await;
            elsewhere.assert_refused(426, "no-socket");
        }
    };
    check(&host).await;
    host.stop().await;
    let host = Host::start(&folder).await;
    check(&host).await;
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_error_of_the_api_has_one_shape() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    for path in [
        "/api/games/%ff",
        "/api/games/%ff/record",
        "/api/games/%ff/replay",
        "/api/games/%ff/socket",
        "/api/maps/%c3%28",
    ] {
        host.get(path).await.assert_refused(400, "bad-address");
    }
    for (method, path) in [("DELETE", "/api/games"), ("POST", "/api/about")] {
        let answer = host.request(method, path, &[], "").await;
        answer.assert_refused(405, "wrong-method");
        assert!(answer.head.contains("allow: get"), "{}", answer.head);
    }
    host.stop().await;
}

/// A record whose map had a long name was answered with half a megabyte.
#[tokio::test(flavor = "multi_thread")]
async fn a_sentence_about_a_long_record_is_short() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let (_, text) = huge_game(2);
    let header = text.lines().nth(1).expect("a header");
    for (field, value) in [
        ("map", json!("x".repeat(460_000))),
        ("map", json!("\u{202e}".repeat(100_000))),
        ("x".repeat(400_000).as_str(), json!(1)),
    ] {
        let mut long: Value = serde_json::from_str(header).expect("JSON");
        long[field] = value;
        let text = text.replacen(header, &long.to_string(), 1) + END;
        let answer = host.post("/api/replay", &text).await;
        assert_eq!(answer.status, 400, "{:.200}", answer.body);
        assert!(answer.body.len() < 10_000, "{} bytes", answer.body.len());
    }
    let mut turned: Value = serde_json::from_str(header).expect("JSON");
    turned["names"] = json!(["Ann\u{202e}", "Ben"]);
    let text = text.replacen(header, &turned.to_string(), 1) + END;
    let answer = host.post("/api/replay", &text).await;
    answer.assert_refused(400, "bad-record");
    assert!(answer.body.contains("line 2"), "{}", answer.body);
    host.stop().await;
}

/// `POST /` was answered with the page.
#[tokio::test(flavor = "multi_thread")]
async fn the_page_can_only_be_read() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"] {
        for path in ["/", "/index.html"] {
            let answer = host.request(method, path, &[], "").await;
            answer.assert_refused(405, "wrong-method");
            assert!(answer.head.contains("allow: get, head"), "{}", answer.head);
        }
    }
    assert_eq!(host.request("HEAD", "/", &[], "").await.status, 200);
    assert_eq!(host.get("/").await.status, 200);
    host.stop().await;
}

/// The library answered these itself, with a status and an empty body.
#[tokio::test(flavor = "multi_thread")]
async fn requests_that_cannot_be_read_get_a_sentence_too() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let long = "x".repeat(20_000);
    let many: Vec<String> = (0..150).map(|n| format!("x-{n}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "1")).collect();
    for (fields, status, code) in [
        (&[("x", long.as_str())][..], 431, "too-large"),
        (&many[..], 431, "too-large"),
        (&[("x y", "1")][..], 400, "bad-request"),
        (&[("x", "a\0b")][..], 400, "bad-request"),
        (&[("content-length", "1, 2")][..], 400, "bad-request"),
    ] {
        let answer = host.request("GET", "/api/about", fields, "").await;
        answer.assert_refused(status, code);
        assert!(answer.head.contains("connection: close"), "{}", answer.head);
    }
    for line in [
        "GET",
        "GET / HTTP/9.9",
        "G(T / HTTP/1.1",
        "\u{16}\u{3}\u{1}",
    ] {
        let mut stream = host.connect_from("127.0.0.1").await;
        let text = format!("{line}\r\n\r\n");
        stream.write_all(text.as_bytes()).await.expect("writes");
        let answer = reads_to_end(&mut stream).await.expect("an answer");
        assert!(
            answer.contains("\"code\":\"bad-request\""),
            "{line}: {answer}"
        );
    }
    host.stop().await;
}
