//! People at a table: names and colours, leaving and coming back, resigning, the
//! clock, what they say, and the list of their games.

mod common;

use common::{Client, Folder, Host, analysis, bot, game_of, person, seat_path, some_move, until};
use hegemon_server::{Limits, Rate};
use serde_json::{Value, json};
use std::time::Duration;

/// A host that lets turns be too short for people, so that nobody waits for their end.
async fn impatient(folder: &Folder) -> Host {
    let limits = Limits {
        shortest_turn: 1,
        ..Limits::default()
    };
    Host::with_limits(folder, limits).await
}

/// A game of three people on a small map, with cards.
async fn three_people(host: &Host, more: Value) -> Value {
    let names = [person("Ann"), person("Ben"), person("Cy")];
    let mut game = game_of("classic", "lux", &names);
    for (key, value) in more.as_object().expect("fields") {
        game[key] = value.clone();
    }
    host.create(&game).await
}

async fn seats_where(client: &mut Client, is_it: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let message = until(client, |message| {
        message["type"] == "seats" && is_it(message["seats"].as_array().expect("seats"))
    });
    message.await["seats"].as_array().expect("seats").clone()
}

/// The newest state that a client was shown.
fn newest_state(client: &Client) -> Value {
    let messages = client
        .raw
        .iter()
        .rev()
        .map(|text| serde_json::from_str(text));
    let mut messages = messages.map(|message: Result<Value, _>| message.expect("JSON"));
    let state = messages.find(|message| message["type"] == "state");
    state.unwrap_or(Value::Null)
}

/// Moves of a seat until somebody else is asked.
async fn play_turn(client: &mut Client, seat: usize) {
    let mut answered = Value::Null;
    loop {
        let state = newest_state(client);
        let question = &state["choose"]["id"];
        if !question.is_null() && *question != answered {
            client.play(&state, &some_move(&state, 0)).await;
            answered = question.clone();
        } else if !answered.is_null() && state["mover"] != seat {
            return;
        }
        client.next().await.expect("the socket stays open");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_leaves_a_bot_takes_over_and_hands_back() {
    let folder = Folder::new();
    let limits = Limits {
        grace: Duration::ZERO,
        messages: Rate::UNLIMITED,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = three_people(&host, json!({})).await;
    let (mut ann, mut cy) = (host.sit(&game, 0).await, host.sit(&game, 2).await);
    let ben = host.sit(&game, 1).await;
    // Before he came he was not connected either.
    seats_where(&mut ann, |seats| seats[1]["connected"] == true).await;
    drop(ben);
    seats_where(&mut ann, |seats| seats[1]["connected"] == false).await;

    ann.send(&json!({"type": "replace", "seat": 1})).await;
    let seats = seats_where(&mut cy, |seats| seats[1]["votes"] != json!([])).await;
    assert_eq!(seats[1]["votes"], json!([0]), "one of two is no majority");
    assert_eq!(seats[1]["hands"], "own");
    cy.send(&json!({"type": "replace", "seat": 1})).await;
    seats_where(&mut ann, |seats| seats[1]["hands"] == "stand_in").await;

    // The bot plays Ben's turns while he is away, and that is told.
    for _ in 0..6 {
        tokio::join!(play_turn(&mut ann, 0), play_turn(&mut cy, 2));
    }
    let events = events_of(&ann);
    let is_bens = |event: &&Value| event["kind"] == "move" && event["seat"] == 1;
    assert!(events.iter().any(|event| is_bens(&event)), "the bot moved");
    let note = events.iter().find(|event| event["kind"] == "note");
    let note = note.expect("it is in the log")["text"].as_str();
    assert!(note.is_some_and(|text| text.starts_with("Ben is away")));

    // He comes back, after a restart even, and it is his seat again.
    host.stop().await;
    let host = Host::start(&folder).await;
    let mut ben = host.sit(&game, 1).await;
    let hello = ben.wait_for("hello").await;
    assert_eq!(hello["game"]["seats"][1]["hands"], "own");
    let (mut ann, mut cy) = (host.sit(&game, 0).await, host.sit(&game, 2).await);
    for _ in 0..2 {
        tokio::join!(
            play_turn(&mut ann, 0),
            play_turn(&mut ben, 1),
            play_turn(&mut cy, 2)
        );
    }
    let notes = events_of(&ann);
    let is_back = |event: &&Value| event["text"] == "Ben is back.";
    assert!(notes.iter().any(|event| is_back(&event)), "it is told");
    for (seat, client) in [(0, &ann), (1, &ben), (2, &cy)] {
        assert_own_cards(client, seat);
    }
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_voted_out_while_a_page_is_loaded_again() {
    let folder = Folder::new();
    let limits = Limits {
        grace: Duration::from_secs(3600),
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = three_people(&host, json!({})).await;
    let (mut ann, ben) = (host.sit(&game, 0).await, host.sit(&game, 1).await);
    seats_where(&mut ann, |seats| seats[1]["connected"] == true).await;
    drop(ben);
    seats_where(&mut ann, |seats| seats[1]["connected"] == false).await;
    // One of one would be enough.
    for seat in [1, 2] {
        ann.send(&json!({"type": "replace", "seat": seat})).await;
        let error = until(&mut ann, |message| message["type"] == "error").await;
        assert_eq!(error["code"], "just-left", "{error}");
    }
    let path = format!("/api/games/{}", game["id"].as_str().expect("id"));
    assert_eq!(host.get(&path).await.json()["seats"][1]["hands"], "own");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wishes_are_few_in_a_short_time() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = three_people(&host, json!({})).await;
    let mut ann = host.sit(&game, 0).await;
    for n in 0..15 {
        ann.send(&json!({"type": "introduce", "name": format!("Ann {n}"), "color": 5}))
            .await;
    }
    let error = until(&mut ann, |message| message["type"] == "error").await;
    assert_eq!(error["code"], "too-fast");
    host.stop().await;
}

/// All events that a client was told.
fn events_of(client: &Client) -> Vec<Value> {
    let messages = client.raw.iter().map(|text| serde_json::from_str(text));
    let messages = messages.map(|message: Result<Value, _>| message.expect("JSON"));
    let events = messages.filter_map(|message| message["events"].as_array().cloned());
    events.flatten().collect()
}

/// Whatever came over a seat's wire names its own cards alone.
fn assert_own_cards(client: &Client, seat: usize) {
    for text in &client.raw {
        let message: Value = serde_json::from_str(text).expect("JSON");
        if message["type"] == "state" {
            let n_own = message["view"]["cards"].as_array().expect("cards").len();
            assert_eq!(message["view"]["n_cards"][seat], n_own, "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_resigns_is_played_by_a_bot_for_good() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = three_people(&host, json!({})).await;
    let (mut ann, mut ben) = (host.sit(&game, 0).await, host.sit(&game, 1).await);
    ann.send(&json!({"type": "resign"})).await;
    seats_where(&mut ben, |seats| seats[0]["hands"] == "resigned").await;
    // Ann's seat moves without her, and she is asked nothing.
    let state = until(&mut ben, |message| {
        message["type"] == "state" && message["mover"] == 1
    });
    state.await;
    drop(ann);
    let mut ann = host.sit(&game, 0).await;
    let hello = ann.wait_for("hello").await;
    assert_eq!(hello["game"]["seats"][0]["hands"], "resigned");
    let state = ann.wait_for("state").await;
    assert!(state["choose"].is_null());
    ann.send(&json!({"type": "resign"})).await;
    let error = until(&mut ann, |message| message["type"] == "error").await;
    assert_eq!(error["code"], "resigned");
    host.stop().await;
}

/// The mistakes of a bot that played on for somebody were once theirs.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_bot_does_for_a_person_is_none_of_the_persons_decisions() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let presets = host.get("/api/rules").await.json();
    let mut presets = presets.as_array().expect("a list").iter();
    let lux = presets.find(|preset| preset["name"] == "lux");
    let mut game = game_of("duel6", "lux", &[person("Ann"), bot("killbot")]);
    game["rules"] = lux.expect("shipped")["rules"].clone();
    game["rules"]["end"]["turn-limit"] = json!(4);
    game["seed"] = json!("3");
    let game = host.create(&game).await;
    let mut ann = host.sit(&game, 0).await;
    // One turn is hers.
    play_turn(&mut ann, 0).await;
    ann.my_turn().await;
    ann.send(&json!({"type": "resign"})).await;
    until(&mut ann, |message| message["status"] == "over").await;
    let id = game["id"].as_str().expect("an id");
    let replay = host.get(&format!("/api/games/{id}/replay")).await.json();
    let frames = replay["frames"].as_array().expect("frames");
    let resigned = frames.iter().position(|frame| frame["kind"] == "note");
    let resigned = resigned.expect("it is in the log") as u64;
    let found = analysis(&host, id).await;
    let mut n_decisions = [0; 2];
    for point in found["points"].as_array().expect("points") {
        if point["skill"].is_null() || point["seat"] != 0 {
            continue;
        }
        let is_late = point["frame"].as_u64() > Some(resigned);
        assert_eq!(point["skill"]["by_stand_in"], is_late, "{point}");
        n_decisions[usize::from(is_late)] += 1;
    }
    let [own, of_bot] = n_decisions;
    assert!(own > 0 && of_bot > 0, "{n_decisions:?}");
    assert_eq!(found["totals"][0]["decisions"], own);
    // The record of the game is whole.
    let record = host.get(&format!("/api/games/{id}/record")).await.body;
    assert_eq!(host.post("/api/replay", &record).await.status, 200);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_has_its_time_and_then_a_bot_finishes_it() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = game_of("classic", "lux", &[person("Ann"), bot("killbot")]);
    for (seconds, status) in [(0, 400), (9, 400), (10_000_000, 400), (10, 201)] {
        let mut game = game.clone();
        game["turn_seconds"] = json!(seconds);
        let answer = host.post("/api/games", &game.to_string()).await;
        assert_eq!(answer.status, status, "{seconds}: {}", answer.body);
    }
    host.stop().await;
    let host = impatient(&folder).await;
    let mut game = game;
    game["turn_seconds"] = json!(1);
    let game = host.create(&game).await;
    let mut ann = host.sit(&game, 0).await;
    let hello = ann.wait_for("hello").await;
    assert_eq!(hello["game"]["turn_seconds"], 1);
    let clock = until(&mut ann, |message| {
        message["type"] == "clock" && message["seat"] == 0
    });
    let clock = clock.await;
    assert!(clock["left_ms"].as_u64().is_some_and(|ms| ms <= 1000));
    // Ann does nothing; her move is made in the end.
    let is_told = |message: &Value| {
        let events = message["events"].as_array();
        let is_it = |event: &Value| {
            event["text"]
                .as_str()
                .is_some_and(|t| t.contains("time of Ann is up"))
        };
        events.is_some_and(|events| events.iter().any(is_it))
    };
    until(&mut ann, is_told).await;
    // First why, then what the bot did.
    let events = events_of(&ann);
    let at = |is_it: &dyn Fn(&Value) -> bool| events.iter().position(is_it);
    let told = at(&|event| event["kind"] == "note").expect("told");
    let moved = at(&|event| {
        let mv = event["move"].as_str();
        event["seat"] == 0 && mv.is_some_and(|mv| mv.starts_with('p'))
    });
    assert!(moved.is_none_or(|moved| told < moved), "{events:?}");
    let seats = host
        .get(&format!("/api/games/{}", game["id"].as_str().expect("id")))
        .await;
    assert_eq!(
        seats.json()["seats"][0]["hands"],
        "own",
        "the next turn is hers"
    );
    host.stop().await;
}

/// Nobody votes: the time of a turn is enough, and only who is away loses the seat for a while.
#[tokio::test(flavor = "multi_thread")]
async fn a_bot_takes_the_seat_of_who_is_away_when_the_time_is_up_and_hands_it_back() {
    let folder = Folder::new();
    let host = impatient(&folder).await;
    let game = game_of("classic", "lux", &[person("Ann"), person("Ben")]);
    let mut game = game;
    game["turn_seconds"] = json!(1);
    let game = host.create(&game).await;
    let mut ann = host.sit(&game, 0).await;
    // Ann does nothing either, but she is here.
    let seats = seats_where(&mut ann, |seats| seats[1]["hands"] == "stand_in").await;
    assert_eq!(seats[0]["hands"], "own");
    let note = |event: &Value| {
        let text = event["text"].as_str().unwrap_or_default();
        text.starts_with("Ben is away; a bot plays on")
    };
    until(&mut ann, |message| {
        let events = message["events"].as_array();
        events.is_some_and(|events| events.iter().any(note))
    })
    .await;
    let mut ben = host.sit(&game, 1).await;
    let hello = ben.wait_for("hello").await;
    assert_eq!(hello["game"]["seats"][1]["hands"], "own");
    seats_where(&mut ann, |seats| seats[1]["hands"] == "own").await;
    // It is his move again once the board comes to him.
    until(&mut ben, |message| {
        message["type"] == "state" && !message["choose"].is_null()
    })
    .await;
    for (seat, client) in [(0, &ann), (1, &ben)] {
        assert_own_cards(client, seat);
    }
    host.stop().await;
}

/// Whoever never came once kept everybody's clock from running.
#[tokio::test(flavor = "multi_thread")]
async fn the_clock_runs_in_the_end_without_who_never_comes() {
    let folder = Folder::new();
    let limits = Limits {
        awaiting: Duration::from_millis(300),
        shortest_turn: 1,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let invited = json!({"kind": "remote", "name": "Ben"});
    let mut game = game_of("classic", "lux", &[person("Ann"), invited]);
    game["turn_seconds"] = json!(1);
    let game = host.create(&game).await;
    let mut ann = host.sit(&game, 0).await;
    let waits = until(&mut ann, |message| {
        message["type"] == "clock" && message["left_ms"] != 0
    });
    let waits = waits.await;
    assert_eq!(waits["seat"], Value::Null, "it waits, and says how long");
    assert!(waits["left_ms"].as_u64().is_some_and(|ms| ms <= 300));
    until(&mut ann, |message| {
        message["type"] == "clock" && !message["seat"].is_null()
    })
    .await;
    // Ann does nothing either; a bot takes the seat of who has not come.
    let seats = seats_where(&mut ann, |seats| seats[1]["hands"] == "stand_in").await;
    assert_eq!(seats[1]["awaited"], false);
    // Ben may still come.
    let mut ben = host.sit(&game, 1).await;
    let hello = ben.wait_for("hello").await;
    assert_eq!(hello["game"]["seats"][1]["hands"], "own");
    host.stop().await;
}

/// Who had the page open and did nothing once blocked everybody, where turns have no time.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_here_and_does_not_move_is_voted_out_and_comes_back() {
    let folder = Folder::new();
    let limits = Limits {
        idle: Duration::from_millis(300),
        messages: Rate::UNLIMITED,
        ..Limits::default()
    };
    let host = Host::with_limits(&folder, limits).await;
    let game = three_people(&host, json!({})).await;
    let mut people = [
        host.sit(&game, 0).await,
        host.sit(&game, 1).await,
        host.sit(&game, 2).await,
    ];
    let asked = until(&mut people[0], |message| message["type"] == "state").await;
    let slow = asked["mover"].as_u64().expect("somebody is asked") as usize;
    let others = [(slow + 1) % 3, (slow + 2) % 3];
    // Nobody who moves in time is voted out.
    let replace = json!({"type": "replace", "seat": slow});
    let early = json!({"type": "replace", "seat": others[1]});
    people[others[0]].send(&early).await;
    let error = until(&mut people[others[0]], |message| message["type"] == "error").await;
    assert_eq!(error["code"], "is-here", "{error}");
    for other in others {
        seats_where(&mut people[other], |seats| seats[slow]["idle"] == true).await;
    }
    people[others[0]].send(&replace).await;
    let seats = seats_where(&mut people[others[1]], |seats| {
        seats[slow]["votes"] != json!([])
    });
    assert_eq!(seats.await[slow]["votes_needed"], 2);
    people[others[1]].send(&replace).await;
    let replaced = |seats: &[Value]| seats[slow]["hands"] == "stand_in";
    seats_where(&mut people[slow], replaced).await;
    // The bot makes the moves, and that is told.
    until(&mut people[others[0]], |message| {
        let events = message["events"].as_array();
        let is_note = |event: &Value| {
            let text = event["text"].as_str().unwrap_or_default();
            text.contains("does not move; a bot plays on for them")
        };
        events.is_some_and(|events| events.iter().any(is_note))
    })
    .await;
    people[slow].send(&json!({"type": "return"})).await;
    seats_where(&mut people[others[0]], |seats| {
        seats[slow]["hands"] == "own"
    })
    .await;
    host.stop().await;
}

/// The clock once ran for people who had not even seen their invitation.
#[tokio::test(flavor = "multi_thread")]
async fn the_clock_waits_until_everybody_who_is_invited_has_come() {
    let folder = Folder::new();
    let host = impatient(&folder).await;
    let invited = json!({"kind": "remote", "name": "Ben"});
    let mut game = game_of("classic", "lux", &[person("Ann"), invited]);
    game["turn_seconds"] = json!(3600);
    let game = host.create(&game).await;
    let mut ann = host.sit(&game, 0).await;
    let hello = ann.wait_for("hello").await;
    assert_eq!(hello["game"]["seats"][1]["awaited"], true);
    let clock = ann.wait_for("clock").await;
    assert_eq!(clock["seat"], Value::Null, "it stands still");
    let ben = host.sit(&game, 1).await;
    until(&mut ann, |message| {
        message["type"] == "clock" && !message["seat"].is_null()
    })
    .await;
    // It goes on when he has left, and after a restart.
    drop((ann, ben));
    host.stop().await;
    let host = impatient(&folder).await;
    let mut ann = host.sit(&game, 0).await;
    let hello = ann.wait_for("hello").await;
    assert_eq!(hello["game"]["seats"][1]["awaited"], false);
    until(&mut ann, |message| {
        message["type"] == "clock" && !message["seat"].is_null()
    })
    .await;
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_have_names_and_colours_of_their_own() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = three_people(&host, json!({})).await;
    let mut ben = host.sit(&game, 1).await;
    let mut cy = host.sit(&game, 2).await;
    ben.send(&json!({"type": "introduce", "name": "Berta", "color": 4}))
        .await;
    let seats = seats_where(&mut cy, |seats| seats[1]["name"] == "Berta").await;
    assert_eq!(seats[1]["color"], 4);
    for (name, color, code) in [
        ("berta", 2, "bad-name"),
        ("C\u{202e}y", 2, "bad-name"),
        ("Cy", 4, "bad-color"),
    ] {
        cy.send(&json!({"type": "introduce", "name": name, "color": color}))
            .await;
        let error = until(&mut cy, |message| message["type"] == "error").await;
        assert_eq!(error["code"], code, "{name}");
    }
    host.stop().await;
    let host = Host::start(&folder).await;
    let listed = host.get("/api/games?search=berta").await.json();
    assert_eq!(listed[0]["seats"][1]["name"], "Berta", "it is stored");
    host.stop().await;
}

/// Events that are no longer at hand were once told under the name that somebody had at first.
#[tokio::test(flavor = "multi_thread")]
async fn the_whole_story_is_told_under_the_names_of_now() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let mut request = game_of("classic", "lux", &[person("Ann"), person("Ben")]);
    // A long game: with many seeds the bots that play on need no more events than are kept at hand.
    request["seed"] = json!("2");
    let game = host.create(&request).await;
    let (mut ann, mut ben) = (host.sit(&game, 0).await, host.sit(&game, 1).await);
    ben.send(&json!({"type": "introduce", "name": "Xerxes", "color": 4}))
        .await;
    seats_where(&mut ann, |seats| seats[1]["name"] == "Xerxes").await;
    for client in [&mut ann, &mut ben] {
        client.send(&json!({"type": "resign"})).await;
    }
    until(&mut ann, |message| message["status"] == "over").await;
    let id = game["id"].as_str().expect("id");
    let mut late = host.socket(&format!("/api/games/{id}/socket?from=0")).await;
    until(&mut late, |message| message["status"] == "over").await;
    let events = events_of(&late);
    assert!(events.len() > 256, "more than are kept at hand");
    let texts = || events.iter().filter_map(|event| event["text"].as_str());
    assert!(texts().any(|text| text.starts_with("Xerxes")));
    let former: Vec<&str> = texts().filter(|text| text.starts_with("Ben")).collect();
    assert_eq!(former, Vec::<&str>::new());
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn phrases_reach_everybody_and_are_few() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = three_people(&host, json!({})).await;
    let (mut ann, mut ben) = (host.sit(&game, 0).await, host.sit(&game, 1).await);
    let id = game["id"].as_str().expect("id");
    let mut watcher = host.socket(&format!("/api/games/{id}/socket")).await;
    watcher.wait_for("state").await;
    ben.wait_for("state").await;
    ann.send(&json!({"type": "say", "phrase": "well_played"}))
        .await;
    for client in [&mut ben, &mut watcher] {
        let said = client.wait_for("said").await;
        assert_eq!(
            (&said["seat"], &said["phrase"]),
            (&json!(0), &json!("well_played"))
        );
    }
    ann.send(&json!({"type": "say", "phrase": "<script>"}))
        .await;
    let error = until(&mut ann, |message| message["type"] == "error").await;
    assert_eq!(error["code"], "bad-message");
    watcher
        .send(&json!({"type": "say", "phrase": "hello"}))
        .await;
    let error = until(&mut watcher, |message| message["type"] == "error").await;
    assert_eq!(error["code"], "no-seat");
    for _ in 0..6 {
        ann.send(&json!({"type": "say", "phrase": "hello"})).await;
    }
    let error = until(&mut ann, |message| message["type"] == "error").await;
    assert_eq!(error["code"], "too-fast");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_found_and_removed_by_who_may() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let game = three_people(&host, json!({})).await;
    let bots = game_of("duel6", "lux", &[bot("killbot"), bot("quo")]);
    let bots = host.create(&bots).await;
    let found = async |query: &str| {
        let answer = host.get(&format!("/api/games?{query}")).await.json();
        answer.as_array().expect("a list").len()
    };
    for (query, n) in [
        ("search=BEN", 1),
        ("search=duel6", 1),
        ("search=lux", 2),
        ("search=nobody", 0),
        // Hashes of tokens are stored beside the names.
        ("search=token", 0),
        ("search=%25", 0),
        ("over=false&search=ann", 1),
        ("over=true&search=ann", 0),
    ] {
        assert_eq!(found(query).await, n, "{query}");
    }
    let path = format!("/api/games/{}", game["id"].as_str().expect("id"));
    let token = |seat: usize| game["seats"][seat]["token"].clone();
    let some = json!({"tokens": [token(0), token(1), token(1)]}).to_string();
    for body in ["{}", some.as_str()] {
        let answer = host.request("DELETE", &path, &[], body).await;
        answer.assert_refused(403, "wrong-token");
    }
    let mut ann = host.sit(&game, 0).await;
    ann.wait_for("state").await;
    let all = json!({"tokens": [token(2), token(0), token(1)]}).to_string();
    assert_eq!(host.request("DELETE", &path, &[], &all).await.status, 204);
    assert_eq!(
        until(&mut ann, |message| message["type"] == "error").await["code"],
        "put-away"
    );
    host.get(&path).await.assert_refused(404, "not-found");
    host.get(&seat_path(&game, 0))
        .await
        .assert_refused(404, "not-found");
    let again = host.request("DELETE", &path, &[], &all).await;
    again.assert_refused(404, "not-found");

    let path = format!("/api/games/{}", bots["id"].as_str().expect("id"));
    assert_eq!(host.request("DELETE", &path, &[], "{}").await.status, 204);
    assert_eq!(found("").await, 0);
    host.stop().await;
}
