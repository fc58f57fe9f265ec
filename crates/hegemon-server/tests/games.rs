//! Whole games over real sockets.

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::{Client, Folder, Host, bot, game_of, person, seat_path, some_move};
use hegemon_record::GameRecord;
use hegemon_server::Limits;
use serde_json::{Value, json};

/// Watches a game to its end; returns its events and the last state.
async fn watch(host: &Host, id: &str) -> (Vec<Value>, Value) {
    let mut watcher = host.socket(&format!("/api/games/{id}/socket?from=0")).await;
    let hello = watcher.wait_for("hello").await;
    assert_eq!(hello["seat"], Value::Null);
    let mut events = Vec::new();
    loop {
        let message = watcher.next().await.expect("goes on to the end");
        match message["type"].as_str() {
            Some("events") => events.extend(message["events"].as_array().expect("a list").clone()),
            Some("state") if message["status"] == "over" => return (events, message),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_bots_ends_in_a_record_that_verifies() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let mut request = game_of(
        "classic",
        "lux",
        &[bot("killbot"), bot("simulation"), bot("baseline")],
    );
    request["seed"] = json!("18446744073709551615");
    let game = host.create(&request).await;
    let id = game["id"].as_str().expect("an id");
    let (events, last) = watch(&host, id).await;
    assert_eq!(last["seq"], events.len());
    assert!(
        events
            .iter()
            .zip(1..)
            .all(|(event, seq)| event["seq"] == seq)
    );
    let lines = host.get("/api/games").await.json();
    assert_eq!(lines[0]["status"], "over");

    let record = host.get(&format!("/api/games/{id}/record")).await;
    assert_eq!(record.status, 200);
    let parsed = GameRecord::parse(&record.body).expect("a record");
    let end = parsed.verify().expect("replays to its end");
    assert_eq!(parsed.header.seed, u64::MAX);
    assert_eq!(end.round(), lines[0]["round"]);
    assert_eq!(parsed.header.players, ["killbot", "simulation", "baseline"]);

    let replay = host.get(&format!("/api/games/{id}/replay")).await.json();
    let frames = replay["frames"].as_array().expect("frames");
    assert_eq!(frames.len(), events.len());
    assert_eq!(replay["seed"], "18446744073709551615");
    for (frame, event) in frames.iter().zip(&events) {
        for key in ["seq", "kind", "move", "dice", "losses", "after"] {
            assert_eq!(frame[key], event[key], "{key} of event {}", event["seq"]);
        }
    }
    let rounds = replay["charts"]["rounds"].as_array().expect("rounds").len();
    assert_eq!(
        replay["charts"]["income"].as_array().map(Vec::len),
        Some(rounds)
    );

    let uploaded = host.post("/api/replay", &record.body).await;
    assert_eq!(uploaded.status, 200);
    assert_eq!(uploaded.json()["result"], replay["result"]);
    let wrong = record.body.replacen(" end", " end x9", 1);
    let refused = host.post("/api/replay", &wrong).await;
    refused.assert_refused(400, "bad-record");
    assert!(refused.body.contains("line "), "{}", refused.body);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn shown_dice_give_the_losses() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = host
        .create(&game_of(
            "classic",
            "classic",
            &[bot("killbot"), bot("baseline")],
        ))
        .await;
    let (events, _) = watch(&host, game["id"].as_str().expect("an id")).await;
    let (mut n_rolls, mut n_full) = (0, 0);
    for event in events.iter().filter(|event| event["kind"] == "dice") {
        let faces = |side: &str| -> Vec<u64> {
            let faces = event["dice"][side].as_array().expect("faces");
            faces
                .iter()
                .map(|face| face.as_u64().expect("a face"))
                .collect()
        };
        let (attacker, defender) = (faces("attacker"), faces("defender"));
        let lost = attacker
            .iter()
            .zip(&defender)
            .filter(|(a, d)| a <= d)
            .count();
        let won = attacker.len().min(defender.len()) - lost;
        assert_eq!(event["losses"], json!({"attacker": lost, "defender": won}));
        let mean = |side: &str| event["expected"][side].as_f64().expect("a mean");
        assert!((mean("attacker") + mean("defender") - (lost + won) as f64).abs() < 1e-9);
        if (attacker.len(), defender.len()) == (3, 2) {
            // 2890, 2275 and 2611 of 7776 rolls cost the defender two, the attacker two, both one.
            let exact = (2.0 * 2275.0 + 2611.0) / 7776.0;
            assert!((mean("attacker") - exact).abs() < 1e-9);
            n_full += 1;
        }
        n_rolls += 1;
    }
    assert!(n_rolls > 10 && n_full > 0);
    host.stop().await;
}

/// What a seat may be told; anything else in a message is a leak.
fn assert_known_keys(message: &Value) {
    let keys = |value: &Value| -> BTreeSet<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let known = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    match message["type"].as_str() {
        Some("events") => {
            for event in message["events"].as_array().expect("a list") {
                let names: BTreeSet<String> = known(&[
                    "seq", "seat", "kind", "move", "dice", "losses", "expected", "text", "after",
                ]);
                assert_eq!(keys(event), names);
                let after: BTreeSet<String> = known(&[
                    "owners", "armies", "n_cards", "income", "to_place", "round", "phase", "mover",
                ]);
                assert_eq!(keys(&event["after"]), after);
                if event["kind"] == "card" {
                    let text = event["text"].as_str().expect("a text");
                    assert!(text.ends_with(" draws a card."), "{text}");
                    assert_eq!(event["move"], Value::Null);
                }
            }
        }
        Some("state") => {
            let names: BTreeSet<String> = known(&[
                "type", "seq", "status", "mover", "thinking", "view", "income", "next_set",
                "choose", "result",
            ]);
            assert_eq!(keys(message), names);
        }
        _ => {}
    }
}

fn cards(state: &Value) -> BTreeSet<String> {
    let cards = state["view"]["cards"].as_array().expect("a list");
    cards
        .iter()
        .map(|card| card.as_str().expect("a card").to_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_of_two_people_sees_the_cards_of_the_other() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let request = game_of(
        "classic",
        "lux",
        &[person("Ann"), json!({"kind": "remote", "name": "Bo"})],
    );
    let game = host.create(&request).await;
    // The server draws the seed of such a game, but this test needs one in
    // which cards are drawn soon: the game begins anew with it.
    host.stop().await;
    let store = rusqlite::Connection::open(folder.store()).expect("opens");
    store
        .execute_batch(
            "UPDATE games SET header = json_set(header, '$.seed', 5); DELETE FROM entries;",
        )
        .expect("changes the seed");
    drop(store);
    let host = Host::start(&folder).await;
    let mut seats = [host.sit(&game, 0).await, host.sit(&game, 1).await];
    let watch_path = format!(
        "/api/games/{}/socket?from=0",
        game["id"].as_str().expect("an id")
    );
    let mut watcher = host.socket(&watch_path).await;
    let mut most_hidden = 0;
    let mut n = 0;
    let mut seq = 0;
    while n < 600 && most_hidden < 6 {
        // Both see the same moment, each from its own seat.
        let mut states = Vec::new();
        for client in &mut seats {
            loop {
                let state = client.wait_for("state").await;
                if state["seq"].as_u64() >= Some(seq) {
                    states.push(state);
                    break;
                }
            }
        }
        assert_eq!(states[0]["seq"], states[1]["seq"]);
        let (ann, bo) = (cards(&states[0]), cards(&states[1]));
        assert!(ann.intersection(&bo).all(|card| card == "w"));
        assert_eq!(states[0]["view"]["n_cards"], states[1]["view"]["n_cards"]);
        most_hidden = most_hidden.max(ann.len() + bo.len());
        let mover = states[0]["mover"].as_u64().expect("somebody moves") as usize;
        assert_eq!(states[1 - mover]["choose"], Value::Null);
        let mv = conquering_move(&states[mover], n);
        seats[mover].play(&states[mover], &mv).await;
        seq = states[mover]["seq"].as_u64().expect("a number") + 1;
        n += 1;
    }
    assert!(
        most_hidden >= 6,
        "cards were drawn: {most_hidden} after {n} moves"
    );
    while watcher.wait_for("state").await["seq"].as_u64() < Some(seq) {}
    for client in seats.iter().chain([&watcher]) {
        let messages = client
            .raw
            .iter()
            .map(|raw| serde_json::from_str(raw).expect("JSON"));
        messages.for_each(|message: Value| assert_known_keys(&message));
    }
    for raw in &watcher.raw {
        assert!(
            !raw.contains("\"cards\":[\""),
            "a watcher sees no cards: {raw}"
        );
    }
    host.stop().await;
}

/// Attacks whenever it can, so that cards are drawn; keeps all cards.
fn conquering_move(state: &Value, n: usize) -> String {
    let groups = state["choose"]["groups"].as_array().expect("groups");
    let armies = |territory: &Value| {
        let index = territory.as_u64().expect("a number") as usize;
        state["view"]["armies"][index].as_u64().expect("armies")
    };
    let conquered = state["view"]["has_conquered"] == true;
    for group in groups
        .iter()
        .filter(|group| group["kind"] == "attack" && !conquered)
    {
        for to in group["to"].as_array().expect("targets") {
            if armies(&group["from"]) > armies(to) + 1 {
                return format!("a{}>{to}x{}", group["from"], group["armies"][1]);
            }
        }
    }
    if groups.iter().any(|group| group["kind"] == "end") {
        return "end".to_owned();
    }
    match groups[0]["kind"].as_str() {
        // All on one border, round after round.
        Some("place") => {
            let to = groups[0]["to"].as_array().expect("targets");
            let best = to.iter().max_by_key(|t| armies(t)).expect("a target");
            format!("p{best}x{}", groups[0]["armies"][1])
        }
        _ => some_move(state, n),
    }
}

async fn moves(client: &mut Client, n_moves: usize) -> Value {
    let mut state = client.my_turn().await;
    for n in 0..n_moves {
        client.play(&state, &some_move(&state, 7 * n)).await;
        state = client.my_turn().await;
    }
    state
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_loses_nothing_and_the_dice_go_on() {
    let mut request = game_of("classic", "lux", &[person("Ann"), bot("simulation")]);
    request["seed"] = json!("77");
    // Bots are made anew after a restart, so only the person's own turn is compared.
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = host.create(&request).await;
    let mut ann = host.sit(&game, 0).await;
    let before = moves(&mut ann, 25).await;
    let (seq, view) = (before["seq"].clone(), before["view"].clone());
    host.stop().await;
    let close = ann.wait_for("error").await;
    assert_eq!(close["code"], "stopping");

    let host = Host::start(&folder).await;
    let path = format!("{}&from={seq}", seat_path(&game, 0));
    let mut ann = host.socket(&path).await;
    let hello = ann.next().await.expect("a hello");
    assert_eq!((&hello["type"], &hello["seq"]), (&json!("hello"), &seq));
    let after = ann.next().await.expect("a state");
    assert_eq!(after["type"], "state");
    assert_eq!(after["view"], view);
    assert_eq!(after["choose"], before["choose"]);
    ann.play(&after, &some_move(&after, 3)).await;
    assert!(ann.wait_for("events").await["events"][0]["seq"].as_u64() > seq.as_u64());
    host.stop().await;
}

/// Goes on with a game of two people by a fixed rule and returns all events;
/// stops and starts the server on the way if asked to.
async fn scripted(folder: &Folder, game: &Value, restart_after: Option<usize>) -> Vec<Value> {
    let mut host = Host::start(folder).await;
    for n in 0..60 {
        if restart_after == Some(n) {
            host.stop().await;
            host = Host::start(folder).await;
        }
        let mut state = Value::Null;
        for seat in 0..2 {
            let mut client = host.sit(game, seat).await;
            let now = client.wait_for("state").await;
            if !now["choose"].is_null() {
                state = now;
                client.play(&state, &conquering_move(&state, n)).await;
                client.wait_for("state").await;
                break;
            }
        }
        assert!(!state.is_null(), "somebody must move");
    }
    let path = format!(
        "/api/games/{}/socket?from=0",
        game["id"].as_str().expect("an id")
    );
    let mut watcher = host.socket(&path).await;
    let mut events = Vec::new();
    loop {
        let message = watcher.next().await.expect("a message");
        match message["type"].as_str() {
            Some("events") => events.extend(message["events"].as_array().expect("a list").clone()),
            Some("state") => break,
            _ => {}
        }
    }
    host.stop().await;
    events
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_changes_no_die() {
    let (folder, copy) = (Folder::new(), Folder::new());
    let host = Host::start(&folder).await;
    let request = game_of("classic", "lux", &[person("Ann"), person("Bo")]);
    let game = host.create(&request).await;
    host.stop().await;
    // A store that was closed is one file.
    std::fs::copy(folder.store(), copy.store()).expect("copies");
    let (whole, broken) = tokio::join!(
        scripted(&folder, &game, None),
        scripted(&copy, &game, Some(30))
    );
    assert!(whole.iter().any(|event| event["kind"] == "dice"));
    assert_eq!(whole, broken);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_bots_goes_on_after_a_restart() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let seats = [bot("killbot"), bot("quo"), bot("evil-pixie"), bot("boscoe")];
    let game = host.create(&game_of("classic", "classic", &seats)).await;
    host.stop().await;
    let host = Host::start(&folder).await;
    let id = game["id"].as_str().expect("an id");
    let (events, _) = watch(&host, id).await;
    assert!(
        events
            .iter()
            .zip(1..)
            .all(|(event, seq)| event["seq"] == seq)
    );
    let record = host.get(&format!("/api/games/{id}/record")).await.body;
    GameRecord::parse(&record)
        .expect("a record")
        .verify()
        .expect("verifies");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_resumes_where_it_was() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = host
        .create(&game_of(
            "classic",
            "lux",
            &[person("Ann"), bot("simulation")],
        ))
        .await;
    let mut ann = host.sit(&game, 0).await;
    // More events than a table keeps at hand.
    let mut state = ann.my_turn().await;
    while state["seq"].as_u64() < Some(400) && state["status"] == "running" {
        let mv = conquering_move(&state, 1);
        ann.play(&state, &mv).await;
        state = ann.my_turn().await;
    }
    let last = state["seq"].as_u64().expect("a number");
    drop(ann);
    for from in [0, 1, 150, last - 10, last] {
        let mut again = host
            .socket(&format!("{}&from={from}", seat_path(&game, 0)))
            .await;
        let mut seqs = Vec::new();
        loop {
            let message = again.next().await.expect("a message");
            match message["type"].as_str() {
                Some("events") => {
                    let events = message["events"].as_array().expect("a list");
                    seqs.extend(
                        events
                            .iter()
                            .map(|event| event["seq"].as_u64().expect("a number")),
                    );
                }
                Some("state") => break,
                _ => {}
            }
        }
        assert_eq!(seqs, (from + 1..=last).collect::<Vec<_>>(), "from {from}");
    }
    // A number that never was counts as none.
    let mut lost = host
        .socket(&format!("{}&from=999999", seat_path(&game, 0)))
        .await;
    let events = lost.wait_for("events").await;
    assert_eq!(events["events"][0]["seq"], last - 199);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn attack_until_rolls_again_and_again() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let mut request = game_of("classic", "sampling", &[person("Ann"), person("Bo")]);
    let presets = host.get("/api/rules").await.json();
    let mut presets = presets.as_array().expect("a list").iter();
    let sampling = presets.find(|preset| preset["name"] == "sampling");
    request["rules"] = sampling.expect("a preset")["rules"].clone();
    request["rules"]["battle"]["attack"] = json!("roll");
    let game = host.create(&request).await;
    let mut seats = [host.sit(&game, 0).await, host.sit(&game, 1).await];
    // Whoever moves first places everything on one territory and attacks.
    let mut states = Vec::new();
    for client in &mut seats {
        states.push(client.wait_for("state").await);
    }
    let mover = states[0]["mover"].as_u64().expect("somebody moves") as usize;
    let client = &mut seats[mover];
    let mut state = states.swap_remove(mover);
    while state["view"]["phase"] != "attack" {
        client.play(&state, &conquering_move(&state, 0)).await;
        state = client.my_turn().await;
    }
    let armies = |state: &Value, t: &Value| {
        state["view"]["armies"][t.as_u64().expect("a number") as usize]
            .as_u64()
            .expect("armies")
    };
    let groups = state["choose"]["groups"].as_array().expect("groups");
    let attacks = groups.iter().filter(|group| group["kind"] == "attack");
    let strongest = attacks
        .max_by_key(|group| armies(&state, &group["from"]))
        .expect("an attack");
    let (from, to) = (strongest["from"].clone(), strongest["to"][0].clone());
    let message =
        json!({"type": "attack", "id": state["choose"]["id"], "from": from, "to": to, "until": 2});
    client.send(&message).await;
    let after = client.my_turn().await;
    let fell = after["view"]["phase"] == "occupy";
    assert!(fell || armies(&after, &from) <= 2, "{after}");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_thinks_too_long_costs_nobody_the_game() {
    let folder = Folder::new();
    let limits = Limits {
        thinking: Duration::from_millis(20),
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let slow = bot("mcts(iters=100000,playout=simulation)");
    let game = host
        .create(&game_of("classic", "sampling", &[person("Ann"), slow]))
        .await;
    let other = host
        .create(&game_of(
            "classic",
            "lux",
            &[bot("killbot"), bot("simulation")],
        ))
        .await;
    // A slow bot does not hold up another game.
    watch(&host, other["id"].as_str().expect("an id")).await;
    // It is stopped at its limit and plays the best move that it has found.
    let mut ann = host
        .socket(&format!("{}&from=0", seat_path(&game, 0)))
        .await;
    let mut n_moves = 0;
    let mut events = Vec::new();
    while n_moves < 10 {
        let message = ann.next().await.expect("goes on");
        if message["type"] == "events" {
            events.extend(message["events"].as_array().expect("a list").clone());
        } else if message["type"] == "state" && !message["choose"].is_null() {
            ann.play(&message, &some_move(&message, usize::MAX / 2))
                .await;
            n_moves += 1;
        }
    }
    let notes: Vec<&Value> = events.iter().filter(|e| e["kind"] == "note").collect();
    assert!(notes.is_empty(), "{notes:?}");
    ann.my_turn().await;
    host.stop().await;
}
