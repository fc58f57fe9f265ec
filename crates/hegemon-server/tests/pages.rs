//! The page, the catalogue, the odds and the arena.

mod common;

use common::{Folder, Host, bot, game_of};
use hegemon_arena::pool::{Pool, PoolSettings, RunParams};
use hegemon_bots::{Bot, Command, LoadError, Loader, Sealed, Seating, SpecError, build};
use hegemon_core::{Map, Rules};
use serde_json::Value;
use std::sync::atomic::AtomicBool;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_cached_compressed_and_fenced_in() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let page = host.get("/").await;
    assert_eq!(page.status, 200);
    assert!(
        page.head
            .contains("content-security-policy: default-src 'self'")
    );
    assert!(page.head.contains("content-type: text/html"));
    assert!(page.head.contains("cache-control: no-cache"));
    let tag = page
        .head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .expect("a tag");
    let again = host
        .request("GET", "/", &[("If-None-Match", tag)], "")
        .await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let packed = host
        .request("GET", "/api/rules", &[("Accept-Encoding", "gzip")], "")
        .await;
    assert!(
        packed.head.contains("content-encoding: gzip"),
        "{}",
        packed.head
    );
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalogue_is_what_a_game_takes() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let about = host.get("/api/about").await.json();
    assert_eq!(about["protocol"], 1);
    let maps = host.get("/api/maps").await.json();
    let classic = host.get("/api/maps/classic").await.json();
    assert_eq!(classic["territories"].as_array().map(Vec::len), Some(42));
    assert_eq!(classic["positions"].as_array().map(Vec::len), Some(42));
    assert!(
        maps.as_array()
            .expect("a list")
            .iter()
            .any(|map| map["name"] == "classic")
    );
    let bots = host.get("/api/bots").await.json();
    assert!(
        bots.as_array()
            .expect("a list")
            .iter()
            .all(|bot| bot["name"] != "cmd")
    );
    let document = host.get("/api/openapi.json").await.json();
    assert!(
        document["openapi"]
            .as_str()
            .is_some_and(|version| version.starts_with("3."))
    );
    // Every level plays, and every preset can be sent back as a full value.
    let levels = host.get("/api/levels").await.json();
    for level in levels.as_array().expect("a list") {
        let seat = serde_json::json!({"kind": "bot", "level": level["id"]});
        let created = host
            .create(&game_of("classic", "sampling", &[seat, bot("baseline")]))
            .await;
        assert_eq!(created["seats"][0]["name"], level["name"]);
    }
    for preset in host
        .get("/api/rules")
        .await
        .json()
        .as_array()
        .expect("a list")
    {
        let n_players = preset["rules"]["players"][0].as_u64().expect("a number") as usize;
        let mut request = game_of("classic", "", &vec![bot("simulation"); n_players]);
        request["rules"] = preset["rules"].clone();
        let created = host.create(&request).await;
        let path = format!("/api/games/{}", created["id"].as_str().expect("an id"));
        assert_eq!(host.get(&path).await.json()["rules_name"], preset["name"]);
    }
    let first = host.get("/api/games").await.json();
    let n_games = first.as_array().expect("a list").len();
    let second = first[1]["id"].as_str().expect("an id");
    let older = host
        .get(&format!("/api/games?before={second}"))
        .await
        .json();
    assert_eq!(older.as_array().map(Vec::len), Some(n_games - 2));
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn odds_are_those_of_the_engine() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let law = Rules::preset("classic").expect("shipped").battle.law();
    let battle = host
        .get("/api/odds/battle?attackers=8&defenders=5")
        .await
        .json();
    let win = battle["win"].as_f64().expect("a number");
    assert!((win - law.win_probability(8, 5)).abs() < 1e-12);
    let outcomes = battle["outcomes"].as_array().expect("a list").iter();
    let sum: f64 = outcomes
        .filter_map(|outcome| outcome["probability"].as_f64())
        .sum();
    assert!((sum - 1.0).abs() < 1e-9);
    let until = host
        .get("/api/odds/battle?attackers=8&defenders=5&reserve=3")
        .await
        .json();
    let win = until["win"].as_f64().expect("a number");
    assert!((win - law.win_probability_until(8, 5, 3)).abs() < 1e-12);
    let once = host
        .get("/api/odds/battle?attackers=3&defenders=2&once=true")
        .await
        .json();
    let lost = once["expected_attacker_losses"].as_f64().expect("a number");
    assert!((lost - (2.0 * 2275.0 + 2611.0) / 7776.0).abs() < 1e-12);
    assert!((once["win"].as_f64().expect("a number") - 2890.0 / 7776.0).abs() < 1e-12);
    let game = host
        .create(&game_of("classic", "beam", &vec![bot("baseline"); 4]))
        .await;
    let id = game["id"].as_str().expect("an id");
    let own = host
        .get(&format!(
            "/api/odds/battle?attackers=8&defenders=5&game={id}"
        ))
        .await
        .json();
    let beam = Rules::preset("beam").expect("shipped").battle.law();
    let win = own["win"].as_f64().expect("a number");
    assert!((win - beam.win_probability(8, 5)).abs() < 1e-12);
    host.get("/api/odds/need?defenders=1&chance=0.5&game=none")
        .await
        .assert_refused(404, "not-found");
    let chain = host
        .get("/api/odds/chain?attackers=12&defenders=3,2,4")
        .await
        .json();
    assert_eq!(chain["steps"].as_array().map(Vec::len), Some(3));
    assert_eq!(chain["steps"][2]["reached"], chain["win"]);
    let need = host
        .get("/api/odds/need?defenders=5&chance=0.9")
        .await
        .json();
    let armies = need["armies"].as_u64().expect("a number") as u32;
    assert_eq!(Some(armies), law.smallest_force(5, 0.9).ok());
    assert!(need["win"].as_f64() >= Some(0.9));
    host.stop().await;
}

/// The next `data:` line of a stream of events.
async fn next_data(lines: &mut BufReader<TcpStream>) -> Value {
    loop {
        let mut line = String::new();
        let n = lines.read_line(&mut line).await.expect("reads");
        assert!(n > 0, "the stream goes on");
        if let Some(data) = line.trim().strip_prefix("data: ") {
            return serde_json::from_str(data).expect("JSON");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_arena_page_follows_a_running_pool() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    assert_eq!(host.get("/api/arena").await.json()["pool"], Value::Null);

    let settings = PoolSettings {
        map: Map::builtin("duel6").expect("shipped").spec().clone(),
        rules: Rules::preset("sampling").expect("shipped"),
        n_players: 2,
        seed: 1,
    };
    let mut pool = Pool::open_or_create(&folder.0.join("pool.db"), &settings).expect("a pool");
    let specs = ["baseline", "simulation"].map(|spec| spec.parse().expect("a spec"));
    pool.add(&specs, &hegemon_bots::Grants::sealed())
        .expect("two bots");
    let mut stream = TcpStream::connect(("127.0.0.1", host.port))
        .await
        .expect("connects");
    let request = format!(
        "GET /api/arena/live HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
        host.port
    );
    stream.write_all(request.as_bytes()).await.expect("writes");
    let mut lines = BufReader::new(stream);
    let first = next_data(&mut lines).await;
    assert_eq!(first["pool"]["games"], 0);

    let params = RunParams {
        n_games: 20,
        floor: 1,
        n_threads: 1,
        grants: hegemon_bots::Grants::sealed(),
    };
    pool.run(&params, &AtomicBool::new(false), |_| {})
        .expect("plays");
    let mut now = next_data(&mut lines).await;
    while now["pool"]["games"].as_u64() < Some(20) {
        now = next_data(&mut lines).await;
    }
    let ratings = now["pool"]["ratings"].as_array().expect("a list");
    assert_eq!(ratings.len(), 2);
    assert!(ratings[0]["low"].as_f64() < ratings[0]["high"].as_f64());
    assert_eq!(now["pool"]["rules"], "sampling");
    assert_eq!(host.get("/api/arena").await.json(), now);
    host.stop().await;
}

/// Stands in for programs, which no test of the page starts.
#[derive(Debug)]
struct Programs;

impl Loader for Programs {
    fn weights(&self, path: &str) -> Result<String, LoadError> {
        Sealed.weights(path)
    }

    fn program(&self, _: &Command, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        build(&"random".parse()?, seating)
    }
}

/// Two programs that state one name were once told apart by the commands that start them.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_reads_in_the_arena_what_starts_a_program() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let settings = PoolSettings {
        map: Map::builtin("duel6").expect("shipped").spec().clone(),
        rules: Rules::preset("sampling").expect("shipped"),
        n_players: 2,
        seed: 1,
    };
    let mut pool = Pool::open_or_create(&folder.0.join("pool.db"), &settings).expect("a pool");
    let specs = [
        "cmd(as=\"it 1\": ./a --key secret)",
        "cmd(as=\"it 1\": ./b --key secret)",
        "cmd(./c --key secret)",
        "random",
    ];
    let specs = specs.map(|spec| spec.parse().expect("a spec"));
    let grants = hegemon_bots::Grants::with(Programs);
    pool.add(&specs, &grants).expect("four bots");
    let params = RunParams {
        n_games: 40,
        floor: 1,
        n_threads: 1,
        grants,
    };
    pool.run(&params, &AtomicBool::new(false), |_| {})
        .expect("plays");
    let arena = host.get("/api/arena").await;
    let ratings = arena.json()["pool"]["ratings"].clone();
    let mut titles: Vec<&str> = ratings
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["title"].as_str())
        .collect();
    titles.sort_unstable();
    assert_eq!(titles, ["cmd(...)", "it 1 #1", "it 1 #2", "random"]);
    // Those that state a name no longer do, and so they do not play.
    let pair = "/api/arena/games?a=random&b=cmd(...)";
    let games = host.get(pair).await;
    let list = games.json();
    let first = &list[0];
    assert!(first["id"].is_string(), "{}", games.body);
    let replay = format!(
        "/api/arena/games/{}/replay",
        first["id"].as_str().unwrap_or_default()
    );
    let replay = host.get(&replay).await;
    replay.assert_refused(400, "cannot-replay");
    for answer in [arena, games, replay] {
        assert!(!answer.body.contains("secret"), "{}", answer.body);
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_map_under_construction_is_checked_and_tried_and_not_kept() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let mut map = serde_json::json!({
        "name": "mine",
        "continents": [{"name": "West", "bonus": 1, "color": "#0072b2"},
                       {"name": "East", "bonus": 2, "color": "#e69f00"}],
        "territories": [
            {"name": "One", "continent": "West", "connections": ["Two"], "position": [0, 0]},
            {"name": "Two", "continent": "West", "connections": ["One", "Three"], "position": [1, 0]},
            {"name": "Three", "continent": "East", "connections": ["Two", "Four"], "position": [2, 0]},
            {"name": "Four", "continent": "East", "connections": ["Three"], "position": [3, 0]}]
    });
    let check = host.post("/api/maps/check", &map.to_string()).await.json();
    assert_eq!(check["faults"], serde_json::json!([]));
    let address = "/api/maps/trial?players=2&rules=lux";
    let trial = host.post(address, &map.to_string()).await.json();
    assert!(trial["games"].as_u64().is_some_and(|n| n > 0), "{trial}");
    assert_eq!(trial["order"].as_array().map(Vec::len), Some(2));
    assert_eq!(trial["continents"][1]["name"], "East");

    map["territories"][3]["connections"] = serde_json::json!([]);
    map["continents"][0]["color"] = serde_json::json!("blue");
    let check = host.post("/api/maps/check", &map.to_string()).await.json();
    assert_eq!(check["faults"].as_array().map(Vec::len), Some(2), "{check}");
    host.post(address, &map.to_string())
        .await
        .assert_refused(400, "bad-map");
    let check = host.post("/api/maps/check", "no map").await.json();
    assert_eq!(check["faults"].as_array().map(Vec::len), Some(1), "{check}");
    let other = "/api/maps/trial?players=2&rules=nothing";
    host.post(other, &map.to_string())
        .await
        .assert_refused(400, "bad-map");
    let maps = host.get("/api/maps").await.json();
    let mut names = maps.as_array().expect("a list").iter();
    assert!(names.all(|map| map["name"] != "mine"), "it is not kept");
    host.stop().await;
}
