//! Analyses, hints, threats and campaigns over real connections.

mod common;

use std::time::Duration;

use common::{Answer, Folder, Host, analysed, analysis, bot, game_of, person};
use hegemon_arena::{GameSetup, play_to_text};
use hegemon_bots::{Grants, Spec};
use hegemon_core::rules::{InitialArmies, Start};
use hegemon_core::{Game, Map, Rules};
use hegemon_server::Limits;
use serde_json::{Value, json};

/// A short game of two bots that is over.
async fn finished(host: &Host, seed: u64) -> String {
    let presets = host.get("/api/rules").await.json();
    let presets = presets.as_array().expect("a list");
    let lux = presets.iter().find(|preset| preset["name"] == "lux");
    let mut rules = lux.expect("shipped")["rules"].clone();
    rules["end"]["turn-limit"] = json!(3);
    let mut request = game_of("duel6", "lux", &[bot("killbot"), bot("baseline")]);
    request["rules"] = rules;
    request["seed"] = json!(seed.to_string());
    let game = host.create(&request).await;
    let id = game["id"].as_str().expect("an id").to_owned();
    while host.get(&format!("/api/games/{id}")).await.json()["status"] != "over" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    id
}

/// Seat 0 in one corner of the small board, seat 1 elsewhere.
fn position(text: &str) -> Value {
    json!({"map": "duel6", "rules": "lux", "players": 2, "text": text})
}

const BOARD: &str = "board=a9b1b2b1b2b1 phase=attack player=0 round=3";

async fn post(host: &Host, path: &str, body: &Value) -> Answer {
    host.post(path, &body.to_string()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_is_analysed_once_and_kept() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    let before = host.get(&format!("/api/games/{id}/analysis")).await.json();
    assert_eq!(before["state"], "none");
    let found = analysis(&host, &id).await;
    assert_eq!(found["level"], "fast");
    assert_eq!(found["n_judged"], found["n_decisions"]);
    let replay = host.get(&format!("/api/games/{id}/replay")).await.json();
    let n_frames = replay["frames"].as_array().expect("frames").len() as u64;
    let points = found["points"].as_array().expect("points");
    let frames: Vec<u64> = points.iter().filter_map(|p| p["frame"].as_u64()).collect();
    assert!(frames.is_sorted() && frames.iter().all(|frame| *frame < n_frames));
    assert_eq!(frames.last(), Some(&(n_frames - 1)), "up to the end");
    for point in points {
        let chances = point["chances"].as_array().expect("chances");
        let sum: f64 = chances.iter().filter_map(Value::as_f64).sum();
        assert!((sum - 1.0).abs() < 0.001, "{point}");
    }
    let adjusted: f64 = found["totals"]
        .as_array()
        .expect("totals")
        .iter()
        .filter_map(|total| total["adjusted"].as_f64())
        .sum();
    assert!((adjusted - 1.0).abs() < 0.01, "luck of all is zero");
    let again = host
        .post(&format!("/api/games/{id}/analysis?level=fast"), "")
        .await;
    assert_eq!(again.json()["analysis"], found, "kept");
    let address = format!("/api/games/{id}/analysis?level=fast");
    let fields = [("Accept-Encoding", "gzip")];
    let packed = host.request("GET", &address, &fields, "").await;
    assert!(packed.head.contains("content-encoding: gzip"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_keeps_analyses_and_puzzles_and_a_removed_game_has_none() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let mut ids = Vec::new();
    for seed in [4, 5] {
        ids.push(finished(&host, seed).await);
    }
    let found = analysis(&host, &ids[0]).await;
    analysis(&host, &ids[1]).await;
    let puzzles = host.get("/api/puzzles").await.json();
    host.stop().await;

    let host = Host::start(&folder).await;
    let kept = format!("/api/games/{}/analysis?level=fast", ids[0]);
    let state = host.get(&kept).await.json();
    assert_eq!(state["analysis"], found, "{}", state["state"]);
    assert_eq!(host.get("/api/puzzles").await.json(), puzzles);
    let removed = format!("/api/games/{}", ids[1]);
    let gone = host.request("DELETE", &removed, &[], "{}").await;
    assert_eq!(gone.status, 204, "{}", gone.body);
    host.stop().await;

    let host = Host::start(&folder).await;
    let forgotten = format!("/api/games/{}/analysis?level=fast", ids[1]);
    assert_eq!(host.get(&forgotten).await.json()["state"], "none");
    assert_eq!(host.get(&kept).await.json()["state"], "done");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_analysis_is_refused_cancelled_and_limited() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let unknown = host.post("/api/games/nothere/analysis", "").await;
    unknown.assert_refused(404, "not-found");
    let wrong = host.get("/api/games/nothere/analysis?level=silly").await;
    wrong.assert_refused(400, "bad-query");
    assert!(wrong.body.contains("level"), "{}", wrong.body);

    let game = host
        .create(&game_of("duel6", "lux", &[person("Ann"), bot("baseline")]))
        .await;
    let running = game["id"].as_str().expect("an id");
    let refused = host
        .post(&format!("/api/games/{running}/analysis"), "")
        .await;
    refused.assert_refused(409, "running");
    let hidden = host
        .get(&format!("/api/games/{running}/position?frame=0"))
        .await;
    hidden.assert_refused(409, "running");

    let mut ids = Vec::new();
    for seed in 0..4 {
        ids.push(finished(&host, seed).await);
    }
    let deep = |id: &str| format!("/api/games/{id}/analysis?level=deep");
    // One thread works: of many that one client wants at once, some are refused.
    let mut n_refused = 0;
    for id in &ids {
        let answer = host.post(&deep(id), "").await;
        n_refused += u32::from(answer.status == 503);
    }
    assert!(n_refused > 0, "a client has a few at a time");
    for id in &ids {
        let state = host.request("DELETE", &deep(id), &[], "").await.json();
        assert!(
            state["state"] == "none" || state["state"] == "done",
            "{state}"
        );
    }
    let foreign = [("Origin", "http://example.com")];
    let foreign = host.request("DELETE", &deep(&ids[0]), &foreign, "").await;
    foreign.assert_refused(403, "wrong-origin");
    // After all that the thread is free for others.
    analysis(&host, &ids[3]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_ask_cannot_cancel() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    let address = format!("/api/games/{id}/analysis?level=deep");
    let asked = host.post(&address, "").await.json();
    let stranger = host.connect_from("127.0.0.9").await;
    let told = host
        .request_on(stranger, "DELETE", &address, &[], "")
        .await
        .json();
    assert_ne!(told["state"], "none", "{asked}");
    let own = host.request("DELETE", &address, &[], "").await.json();
    assert!(own["state"] == "none" || own["state"] == "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_checked_and_come_back() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let answer = post(&host, "/api/position", &position(BOARD)).await.json();
    assert_eq!(answer["frame"]["armies"], json!([9, 1, 2, 1, 2, 1]));
    assert_eq!(answer["rules_name"], "lux");
    assert_eq!(answer["waits_for"], "player");
    assert_eq!(answer["alive"], json!([0, 1]));
    let with_cards = format!("{BOARD} hand=0@1.w hand=1@4");
    let held = post(&host, "/api/position", &position(&with_cards)).await;
    assert_eq!(held.json()["cards"], json!(["1", "w"]), "{}", held.body);
    let again = position(answer["text"].as_str().expect("a text"));
    assert_eq!(
        post(&host, "/api/position", &again).await.json()["text"],
        answer["text"]
    );

    for (body, code, word) in [
        (position("board=a9"), "bad-position", "position is wrong"),
        (position(""), "bad-position", "position is wrong"),
        (
            position(&BOARD.replace("a9", "a4294967295")),
            "bad-position",
            "position is wrong",
        ),
        (
            position(&BOARD.replace("a9", "a5000")),
            "bad-position",
            "1000",
        ),
        (
            position(&BOARD.replace("player=0", "player=7")),
            "bad-position",
            "position is wrong",
        ),
        (
            json!({"map": "nowhere", "rules": "lux", "players": 2, "text": BOARD}),
            "unknown-name",
            "map",
        ),
        (
            json!({"map": "duel6", "rules": "luxx", "players": 2, "text": BOARD}),
            "unknown-name",
            "rules",
        ),
        (
            json!({"map": "duel6", "rules": [], "players": 2, "text": BOARD}),
            "bad-rules",
            "rules",
        ),
        (
            json!({"map": "duel6", "rules": "lux", "players": 99, "text": BOARD}),
            "bad-position",
            "players",
        ),
        (
            json!({"map": "duel6", "rules": "lux", "players": -1, "text": BOARD}),
            "bad-json",
            "players",
        ),
        (
            json!({"map": "duel6", "rules": "lux", "players": 2, "text": BOARD, "x": 1}),
            "bad-json",
            "x",
        ),
        (
            json!({"map": "duel6", "rules": "lux", "players": 2}),
            "bad-json",
            "text",
        ),
        (json!(7), "bad-json", "request"),
    ] {
        let refused = post(&host, "/api/position", &body).await;
        refused.assert_refused(400, code);
        assert!(refused.body.contains(word), "{body}: {}", refused.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_has_plans_a_threat_map_and_campaigns() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let at = position(BOARD);
    let body = json!({"position": at, "level": "fast", "plans": 2});
    let hints = post(&host, "/api/hint", &body).await.json();
    assert_eq!(hints["seat"], 0);
    let plans = hints["plans"].as_array().expect("plans");
    assert!((1..=2).contains(&plans.len()), "{hints}");
    assert!(
        plans
            .iter()
            .all(|plan| !plan["why"].as_str().expect("words").is_empty())
    );

    let threat = post(&host, "/api/threat", &json!({"position": at, "seat": 0}))
        .await
        .json();
    assert_eq!(threat["held"].as_array().expect("a list").len(), 1);
    assert_eq!(threat["held"][0]["territory"], 0);

    let goal = json!({"kind": "player", "player": 1});
    let body = json!({"position": at, "from": 0, "goal": goal, "need": 0.8});
    let odds = post(&host, "/api/odds/campaign", &body).await.json();
    let chance = odds["chance"].as_f64().expect("a chance");
    assert!(
        chance > 0.0 && chance < 1.0 && odds["is_exact"] == true,
        "{odds}"
    );
    assert!(odds["need"].as_u64() > Some(2), "{odds}");

    let with = |field: &str, value: Value| {
        let mut changed = body.clone();
        changed[field] = value;
        changed
    };
    for (body, word) in [
        (with("from", json!(99)), "from"),
        (with("from", json!("x")), "from"),
        (with("from", json!(1)), "take"),
        (
            with("goal", json!({"kind": "continent", "continent": 77})),
            "goal.continent",
        ),
        (
            with("goal", json!({"kind": "player", "player": 5})),
            "goal.player",
        ),
        (
            with("goal", json!({"kind": "route", "territories": [9999]})),
            "goal.territories",
        ),
        (
            with("goal", json!({"kind": "route", "territories": [1, 1]})),
            "goal.territories",
        ),
        (
            with(
                "goal",
                json!({"kind": "route", "territories": vec![1; 1000]}),
            ),
            "goal.territories",
        ),
        (with("goal", json!({"kind": "moon"})), "goal"),
        (
            with("goal", json!(7)),
            "\\\"goal\\\" of the request is wrong",
        ),
        (
            with("goal", json!({"kind": "player", "player": "x"})),
            "at \\\"player\\\": there is the text",
        ),
        (
            with("goal", json!({"kind": "route", "territories": [1, "x"]})),
            "at \\\"territories[1]\\\"",
        ),
        (with("armies", json!(1_000_000)), "armies"),
        (with("armies", json!(0)), "armies"),
        (with("garrison", json!(4_000_000_000_u32)), "garrison"),
        (with("need", json!(1.0)), "need"),
        (with("need", json!("NaN")), "need"),
    ] {
        let refused = post(&host, "/api/odds/campaign", &body).await;
        assert_eq!(refused.status, 400, "{body}: {}", refused.body);
        assert!(refused.body.contains(word), "{body}: {}", refused.body);
    }
    for (path, body, word) in [
        ("/api/hint", json!({"position": at, "plans": 0}), "plans"),
        ("/api/hint", json!({"position": at, "plans": 1000}), "plans"),
        (
            "/api/hint",
            json!({"position": at, "level": "silly"}),
            "level",
        ),
        ("/api/hint", json!({"level": "fast"}), "position"),
        ("/api/threat", json!({"position": at, "seat": 3}), "seat"),
        ("/api/threat", json!({"position": at}), "seat"),
    ] {
        let refused = post(&host, path, &body).await;
        assert_eq!(refused.status, 400, "{body}: {}", refused.body);
        assert!(refused.body.contains(word), "{body}: {}", refused.body);
    }
}

/// Many questions at once are refused, and moves go on meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn questions_of_one_client_do_not_occupy_the_server() {
    let folder = Folder::new();
    let host = std::sync::Arc::new(Host::start(&folder).await);
    let text = format!(
        "board={} phase=attack player=0 round=3",
        "a40b3c3d3e3f3".repeat(7)
    );
    let at = json!({"map": "classic", "rules": "lux", "players": 6, "text": text});
    let body = json!({"position": at, "level": "deep"});
    let mut asked = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let (host, body) = (std::sync::Arc::clone(&host), body.clone());
        asked.spawn(async move { post(&host, "/api/hint", &body).await.status });
    }
    let began = std::time::Instant::now();
    let other = position(BOARD).to_string();
    let other = host.post_from("127.0.0.9", "/api/position", &other).await;
    assert_eq!(other.status, 200, "others are answered");
    let answered = began.elapsed();
    let statuses = asked.join_all().await;
    let n_refused = statuses.iter().filter(|status| **status == 503).count();
    assert!(n_refused >= 10, "{statuses:?}");
    assert!(answered < began.elapsed(), "before the questions were over");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hint_in_a_game_against_bots_is_noted() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = host
        .create(&game_of("duel6", "lux", &[person("Ann"), bot("baseline")]))
        .await;
    let id = game["id"].as_str().expect("an id");
    let address = format!("/api/games/{id}/hint");
    let mut ann = host.sit(&game, 0).await;
    ann.my_turn().await;
    let token = &game["seats"][0]["token"];
    let body = json!({"token": token, "level": "fast"});
    let hint = post(&host, &address, &body).await;
    assert_eq!(hint.status, 200, "{}", hint.body);
    let hint = hint.json();
    assert_eq!(hint["hints"]["seat"], 0);
    assert_eq!(hint["threat"]["seat"], 0);
    let events = ann.wait_for("events").await;
    assert_eq!(events["events"][0]["kind"], "note");
    assert_eq!(events["events"][0]["text"], "Ann takes a hint.");
    let state = ann.my_turn().await;
    assert_eq!(state["seq"], hint["seq"]);
    // The same question again is no second note.
    assert_eq!(post(&host, &address, &body).await.json(), hint);
    let mv = hint["hints"]["plans"][0]["moves"][0]
        .as_str()
        .expect("a move");
    ann.play(&state, mv).await;
    let events = ann.wait_for("events").await;
    assert_eq!(
        events["events"][0]["kind"], "move",
        "the plan can be played"
    );

    let wrong = json!({"token": "0000"});
    post(&host, &address, &wrong)
        .await
        .assert_refused(403, "wrong-token");
    let missing = post(&host, &address, &json!({})).await;
    missing.assert_refused(400, "bad-json");
    post(&host, "/api/games/nothere/hint", &body)
        .await
        .assert_refused(404, "not-found");
}

#[tokio::test(flavor = "multi_thread")]
async fn there_are_no_hints_among_people() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = host
        .create(&game_of("duel6", "lux", &[person("Ann"), person("Bo")]))
        .await;
    let id = game["id"].as_str().expect("an id");
    for seat in 0..2 {
        let body = json!({"token": game["seats"][seat]["token"]});
        let refused = post(&host, &format!("/api/games/{id}/hint"), &body).await;
        refused.assert_refused(403, "no-hints");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_from_a_position() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    let at = host
        .get(&format!("/api/games/{id}/position?frame=12"))
        .await
        .json();
    let seats = [bot("baseline"), bot("killbot")];
    let mut request = game_of("duel6", "lux", &seats);
    request["rules"] = at["rules"].clone();
    request["position"] = at["text"].clone();
    let game = host.create(&request).await;
    let branch = game["id"].as_str().expect("an id");
    while host.get(&format!("/api/games/{branch}")).await.json()["status"] != "over" {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let replay = host.get(&format!("/api/games/{branch}/replay")).await;
    assert_eq!(replay.status, 200, "{}", replay.body);
    let record = host.get(&format!("/api/games/{branch}/record")).await;
    let parsed = hegemon_record::GameRecord::parse(&record.body).expect("a record");
    parsed.verify().expect("it replays from its position");
    assert_eq!(parsed.header.position.as_deref(), at["text"].as_str());
    let found = analysis(&host, branch).await;
    assert!(
        found["totals"][0]["deal_luck"].as_f64() == Some(0.0),
        "nothing was dealt"
    );

    for (field, value, code) in [
        ("position", json!("board=a1"), "bad-position"),
        ("position", json!(""), "bad-position"),
        ("position", json!(5), "bad-json"),
        (
            "position",
            json!(BOARD.replace("phase=attack", "phase=over")),
            "bad-position",
        ),
        (
            "seats",
            json!([person("Ann"), person("Bo")]),
            "bad-position",
        ),
    ] {
        let mut wrong = request.clone();
        wrong[field] = value;
        post(&host, "/api/games", &wrong)
            .await
            .assert_refused(400, code);
    }
    let mut lost = request.clone();
    lost["map"] = json!("classic");
    lost["seats"] = json!([person("Ann"), bot("killbot"), bot("killbot")]);
    let board = "b3c2".repeat(21);
    lost["position"] = json!(format!(
        "board={board} phase=attack player=1 round=9 out=0@0.1"
    ));
    let refused = post(&host, "/api/games", &lost).await;
    refused.assert_refused(400, "bad-position");
    assert!(
        refused.body.contains("Player 1 has lost"),
        "{}",
        refused.body
    );
    let restarted = format!("/api/games/{branch}/replay");
    host.stop().await;
    let host = Host::start(&folder).await;
    assert_eq!(
        host.get(&restarted).await.status,
        200,
        "also after a restart"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_game_leaves_no_analysis_and_no_puzzle() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    analysis(&host, &id).await;
    let path = format!("/api/games/{id}");
    assert_eq!(host.request("DELETE", &path, &[], "{}").await.status, 204);
    let state = host.get(&format!("{path}/analysis?level=fast")).await;
    assert_eq!(state.json()["state"], "none", "{}", state.body);
    let puzzles = host.get("/api/puzzles").await.json();
    let puzzles = puzzles.as_array().expect("a list");
    assert!(puzzles.iter().all(|puzzle| puzzle["game"] != id.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_that_is_not_there_is_refused() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    let replay = host.get(&format!("/api/games/{id}/replay")).await.json();
    let n_frames = replay["frames"].as_array().expect("frames").len();
    let at = async |frame: usize| {
        let address = format!("/api/games/{id}/position?frame={frame}");
        host.get(&address).await
    };
    assert_eq!(at(n_frames - 1).await.status, 200);
    for frame in [n_frames, 1_000_000, usize::MAX] {
        at(frame).await.assert_refused(400, "bad-query");
    }
}

/// Moments of a record that is sent are those of the game that it is of.
#[tokio::test(flavor = "multi_thread")]
async fn a_moment_of_a_record_that_is_sent_is_a_position() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    let text = host.get(&format!("/api/games/{id}/record")).await.body;
    let replay = host.get(&format!("/api/games/{id}/replay")).await.json();
    let n_frames = replay["frames"].as_array().expect("frames").len();
    let mut seen = std::collections::BTreeSet::new();
    for frame in (0..n_frames).rev().step_by(3) {
        let query = format!("position?frame={frame}");
        let sent = host.post(&format!("/api/replay/{query}"), &text).await;
        let stored = host.get(&format!("/api/games/{id}/{query}")).await;
        assert_eq!(sent.json(), stored.json(), "frame {frame}");
        seen.insert(sent.json()["waits_for"].to_string());
    }
    assert_eq!(
        seen.len(),
        3,
        "a player, chance, and nothing at the end: {seen:?}"
    );
    for (frame, text, code) in [
        (n_frames.to_string(), text.as_str(), "bad-query"),
        ("x".to_owned(), text.as_str(), "bad-query"),
        ("0".to_owned(), "no record", "bad-record"),
    ] {
        let address = format!("/api/replay/position?frame={frame}");
        host.post(&address, text).await.assert_refused(400, code);
    }
}

/// Two hundred and fifty slow readers once took a megabyte and more each.
#[tokio::test(flavor = "multi_thread")]
async fn analyses_that_are_unpacked_take_a_place_in_the_works() {
    let folder = Folder::new();
    let limits = Limits {
        labours_per_client: 0,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let id = finished(&host, 4).await;
    let address = format!("/api/games/{id}/analysis?level=fast");
    host.post(&address, "").await;
    let is_done = |answer: &Answer| {
        // What is packed on its way has no length.
        let has = |field: &str| answer.head.contains(field);
        has("content-encoding: gzip") && has("content-length")
    };
    let fields = [("Accept-Encoding", "gzip")];
    while !is_done(&host.request("GET", &address, &fields, "").await) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    host.get(&address).await.assert_refused(503, "busy");
    host.get("/api/puzzles").await.assert_refused(503, "busy");
}

/// Who hung up before the hint was there once added a note each time.
#[tokio::test(flavor = "multi_thread")]
async fn a_hint_is_told_once_however_often_one_hangs_up() {
    use tokio::io::AsyncWriteExt;
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let seats = [person("Ann"), bot("baseline")];
    let game = host.create(&game_of("classic", "lux", &seats)).await;
    let mut ann = host.sit(&game, 0).await;
    ann.my_turn().await;
    let id = game["id"].as_str().expect("an id");
    let body = json!({"token": game["seats"][0]["token"]}).to_string();
    let path = format!("/api/games/{id}/hint");
    for n in 0..20 {
        let mut stream = host.connect_from("127.0.0.1").await;
        let (port, length) = (host.port, body.len());
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}\r\n\r\n"
        );
        let _ = stream.write_all((head + &body).as_bytes()).await;
        tokio::time::sleep(Duration::from_millis(n % 5)).await;
    }
    let mut answer = host.post(&path, &body).await;
    while answer.status == 503 {
        tokio::time::sleep(Duration::from_millis(50)).await;
        answer = host.post(&path, &body).await;
    }
    assert_eq!(answer.status, 200, "{}", answer.body);
    let hint_seq = answer.json()["seq"].as_u64().expect("a number");
    let mut n_notes = 0;
    let mut seq = 0;
    while seq < hint_seq {
        let told = ann.wait_for("events").await;
        for event in told["events"].as_array().expect("events") {
            seq = event["seq"].as_u64().expect("a number");
            n_notes += usize::from(event["text"] == "Ann takes a hint.");
        }
    }
    assert_eq!(n_notes, 1);
}

/// Every army in reserve is an event that is stored; the dealt ones are bounded too.
#[tokio::test(flavor = "multi_thread")]
async fn hordes_in_reserve_are_refused() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let text = |n: u32| {
        let board = "a1b1c1".repeat(14);
        format!(
            "board={board} phase=setup player=0 place=1 reserve=0x{n} reserve=1x15 reserve=2x15"
        )
    };
    for (n, status) in [(15, 200), (1000, 200), (1001, 400), (25_000, 400)] {
        let position = json!({"map": "classic", "rules": "classic", "players": 3, "text": text(n)});
        let answer = post(&host, "/api/position", &position).await;
        assert_eq!(answer.status, status, "{n}: {}", answer.body);
    }
    let seats = [bot("killbot"), bot("killbot"), bot("killbot")];
    let mut game = game_of("classic", "classic", &seats);
    game["position"] = json!(text(25_000));
    let refused = post(&host, "/api/games", &game).await;
    refused.assert_refused(400, "bad-position");
}

/// A record that is sent is analysed as a game of the server is, and leaves nothing behind.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_is_sent_is_analysed_and_not_stored() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    let text = host.get(&format!("/api/games/{id}/record")).await.body;
    let n_puzzles = host.get("/api/puzzles").await.json();
    let sent = host.post("/api/analysis?level=fast", &text).await.json();
    let name = sent["id"].as_str().expect("a name");
    assert!(name.starts_with("record-"), "{name}");
    let address = format!("/api/games/{name}/analysis?level=fast");
    let state = host.get(&address).await.json();
    let of_record = analysed(&host, &address, state).await;
    let of_game = analysis(&host, &id).await;
    assert_eq!(of_record["totals"], of_game["totals"]);
    let games = host.get("/api/games").await.json();
    assert_eq!(games.as_array().map(Vec::len), Some(1));
    // The game itself may have puzzles by now; the record added none of its own.
    let puzzles = host.get("/api/puzzles").await.json();
    let puzzles = puzzles.as_array().expect("a list");
    assert!(puzzles.iter().all(|puzzle| puzzle["game"] != name));
    assert!(puzzles.len() >= n_puzzles.as_array().map_or(0, Vec::len));
}

/// What is no record, or one that would cost too much, is refused in a sentence.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_is_wrong_is_not_analysed() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let id = finished(&host, 4).await;
    let text = host.get(&format!("/api/games/{id}/record")).await.body;
    let address = "/api/analysis?level=fast";
    for wrong in [
        "",
        "no record",
        &text[..text.len() / 2],
        &text.replacen('a', "b", 40),
    ] {
        let answer = host.post(address, wrong).await;
        answer.assert_refused(400, "bad-record");
    }
    let answer = host.post("/api/analysis?level=endless", &text).await;
    answer.assert_refused(400, "bad-query");
    let answer = host.post(address, &" ".repeat((1 << 20) + 1)).await;
    answer.assert_refused(413, "too-large");
}

/// Two thousand armies that wait to be placed were once looked at army by army.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_with_hordes_in_reserve_is_not_analysed() {
    let mut rules = Rules::preset("classic").expect("shipped");
    rules.start = Start::Deal;
    rules.end.turn_limit = Some(1);
    let text = |n: u16| {
        let mut rules = rules.clone();
        rules.initial_armies = InitialArmies::ByPlayers([n; 5]);
        let map = Map::builtin("classic").expect("shipped");
        let game = Game::new(map, rules, 3).expect("a game");
        let random: Spec = "random".parse().expect("a spec");
        let setup = GameSetup {
            game: &game,
            specs: &[&random; 3],
            deal_seed: 1,
            seed: 1,
            grants: &Grants::sealed(),
            start: None,
            deal: None,
        };
        play_to_text(&setup).expect("it plays").1
    };
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let address = "/api/analysis?level=fast";
    let answer = host.post(address, &text(2000)).await;
    answer.assert_refused(400, "bad-record");
    assert!(
        answer.body.contains("1000 armies to place"),
        "{}",
        answer.body
    );
    assert_eq!(host.post(address, &text(60)).await.status, 200);
    host.stop().await;
}
