//! Games that are played once more.

mod common;

use common::{Client, Folder, Host, bot, game_of, person, until};
use serde_json::{Value, json};

/// Lets bots play the rest of a game, and waits for its end.
async fn finish(clients: &mut [&mut Client]) {
    for client in clients.iter_mut() {
        client.send(&json!({"type": "resign"})).await;
    }
    let is_over = |message: &Value| message["type"] == "state" && message["status"] == "over";
    until(clients[0], is_over).await;
}

fn path(game: &Value) -> String {
    format!("/api/games/{}", game["id"].as_str().expect("id"))
}

fn rematch_path(game: &Value) -> String {
    format!("{}/rematch", path(game))
}

/// A request for the rematch of a game, by the person in a seat.
fn by(game: &Value, seat: usize) -> String {
    json!({"token": game["seats"][seat]["token"]}).to_string()
}

fn invited(name: &str) -> Value {
    json!({"kind": "remote", "name": name})
}

/// What a game is about: everything of it that a rematch keeps.
async fn essence(host: &Host, game: &Value) -> Value {
    let mut shown = host.get(&path(game)).await.json();
    let mut kept = json!({});
    for key in ["map", "map_object", "rules", "rules_name"] {
        kept[key] = shown[key].take();
    }
    let seats = shown["seats"].as_array().expect("seats");
    let bots = seats
        .iter()
        .map(|seat| json!([seat["kind"], seat["spec"], seat["name"], seat["color"]]));
    kept["seats"] = bots.collect();
    kept
}

#[tokio::test(flavor = "multi_thread")]
async fn all_people_of_a_game_have_one_rematch_and_sit_there_as_before() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let seats = [person("Ann"), invited("Ben"), bot("killbot")];
    let mut request = game_of("duel6", "lux", &seats);
    request["turn_seconds"] = json!(3600);
    let game = host.create(&request).await;
    let (mut ann, mut ben) = (host.sit(&game, 0).await, host.sit(&game, 1).await);
    ben.send(&json!({"type": "introduce", "name": "Berta", "color": 4}))
        .await;
    until(&mut ann, |message| message["seats"][1]["name"] == "Berta").await;
    let early = host.post(&rematch_path(&game), &by(&game, 0)).await;
    early.assert_refused(400, "bad-rematch");
    finish(&mut [&mut ann, &mut ben]).await;

    // Only its people may ask.
    for body in ["{}", r#"{"token": "guess"}"#] {
        let answer = host.post(&rematch_path(&game), body).await;
        answer.assert_refused(403, "wrong-token");
    }
    let next = host.post(&rematch_path(&game), &by(&game, 1)).await;
    assert_eq!(next.status, 201, "{}", next.body);
    let next = next.json();
    assert_eq!(
        next["seats"][0]["token"],
        Value::Null,
        "everybody has theirs"
    );
    let told = ann.wait_for("rematch").await;
    assert_eq!(told["game"], next["id"]);
    let answer = host.post(&rematch_path(&game), &by(&game, 0)).await;
    assert_eq!((answer.status, &answer.json()["id"]), (200, &next["id"]));
    assert_eq!(essence(&host, &next).await, essence(&host, &game).await);

    // After a restart too, the card of the old game names it, and the old tokens open it.
    host.stop().await;
    let host = Host::start(&folder).await;
    let mut ann = host.sit(&game, 0).await;
    assert_eq!(ann.wait_for("hello").await["game"]["rematch"], next["id"]);
    let mut again = game.clone();
    again["id"] = next["id"].clone();
    let mut ben = host.sit(&again, 1).await;
    let hello = ben.wait_for("hello").await;
    assert_eq!(hello["seat"], 1);
    assert_eq!(hello["game"]["turn_seconds"], 3600);
    let ben = &hello["game"]["seats"][1];
    assert_eq!((&ben["name"], &ben["color"]), (&json!("Berta"), &json!(4)));
    assert_eq!(
        (&ben["hands"], &ben["kind"]),
        (&json!("own"), &json!("remote"))
    );
    assert_eq!(
        hello["game"]["seats"][0]["awaited"], true,
        "Ann may come later"
    );
    host.stop().await;
}

/// Whoever asked first once chose map, rules and bots for all others.
#[tokio::test(flavor = "multi_thread")]
async fn who_asks_first_decides_nothing_for_the_others() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let seats = [person("Ann"), invited("Ben"), bot("killbot")];
    let game = host.create(&game_of("duel6", "lux", &seats)).await;
    let (mut ann, mut ben) = (host.sit(&game, 0).await, host.sit(&game, 1).await);
    finish(&mut [&mut ann, &mut ben]).await;
    let token = &game["seats"][1]["token"];
    for wish in [
        json!({"token": token, "map": "classic"}),
        json!({"token": token, "rules": "classic"}),
        json!({"token": token, "seats": [{"kind": "bot", "spec": "random"}]}),
        json!({"token": token, "seed": "1"}),
        json!({"token": token, "turn_seconds": 10}),
    ] {
        let answer = host.post(&rematch_path(&game), &wish.to_string()).await;
        answer.assert_refused(400, "bad-json");
    }
    let harder = json!({"token": token, "harder": true}).to_string();
    let answer = host.post(&rematch_path(&game), &harder).await;
    answer.assert_refused(400, "bad-rematch");
    // Nor does a request for a game take anybody's seat.
    let mut foreign = game_of("classic", "classic", &seats);
    foreign["rematch"] = json!({"game": game["id"], "token": token});
    let answer = host.post("/api/games", &foreign.to_string()).await;
    answer.assert_refused(400, "bad-json");
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_person_has_as_many_rematches_as_they_like_and_harder_bots() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let levels = host.get("/api/levels").await.json();
    let level = json!({"kind": "bot", "level": levels[0]["id"]});
    let seats = [person("Ann"), level.clone(), level, bot("killbot")];
    let game = host.create(&game_of("duel6", "lux", &seats)).await;
    let mut ann = host.sit(&game, 0).await;
    finish(&mut [&mut ann]).await;
    let ask = async |body: &str| host.post(&rematch_path(&game), body).await.json();
    let first = ask(&by(&game, 0)).await;
    let second = ask(&by(&game, 0)).await;
    assert_ne!(first["id"], second["id"]);
    let mut wish = json!({"token": game["seats"][0]["token"]});
    wish["harder"] = json!(true);
    let harder = ask(&wish.to_string()).await;
    let shown = host.get(&path(&harder)).await.json();
    let seats = shown["seats"].as_array().expect("seats");
    let spec_of = |seat: usize| (seats[seat]["spec"].clone(), seats[seat]["name"].clone());
    let name = levels[1]["name"].as_str().expect("a name");
    assert_eq!(spec_of(1), (levels[1]["spec"].clone(), json!(name)));
    assert_eq!(spec_of(2).1, json!(format!("{name} 2")), "names differ");
    let above: Vec<&Value> = levels.as_array().expect("levels").iter().collect();
    let place = above.iter().position(|level| level["spec"] == "killbot");
    let expected = place.map_or(json!("killbot"), |n| above[n + 1]["spec"].clone());
    assert_eq!(spec_of(3).0, expected);
    host.stop().await;
}

/// The hardest level stays what it is, and the one below it once got its name.
#[tokio::test(flavor = "multi_thread")]
async fn harder_bots_take_the_name_of_nobody_else() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let levels = host.get("/api/levels").await.json();
    let levels = levels.as_array().expect("levels");
    let level = |n: usize| json!({"kind": "bot", "level": levels[n]["id"]});
    let name = |n: usize| levels[n]["name"].as_str().expect("a name");
    let n = levels.len();
    for seats in [
        [person("Ann"), level(n - 2), level(n - 1)],
        [level(n - 2), person(name(n - 1)), level(0)],
    ] {
        let game = host.create(&game_of("duel6", "lux", &seats)).await;
        let seat = usize::from(seats[0]["kind"] == "bot");
        let mut ann = host.sit(&game, seat).await;
        finish(&mut [&mut ann]).await;
        let wish = json!({"token": game["seats"][seat]["token"], "harder": true});
        let next = host.post(&rematch_path(&game), &wish.to_string()).await;
        let next = next.json();
        let names = next["seats"].as_array().expect("seats").iter();
        let names: std::collections::BTreeSet<&str> = names
            .map(|seat| seat["name"].as_str().expect("a name"))
            .collect();
        assert_eq!(names.len(), 3, "{names:?}");
    }
    host.stop().await;
}

/// A map that was sent is gone with the server, but a game on it is not.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_on_a_map_that_was_sent_is_played_once_more_after_a_restart() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let map = include_str!("../../hegemon-core/maps/duel6.json");
    let mut map: Value = serde_json::from_str(map).expect("a map");
    map["name"] = json!("isles");
    let sent = host.post("/api/maps", &map.to_string()).await;
    assert!(sent.status < 300, "{}", sent.body);
    let seats = [person("Ann"), bot("killbot")];
    let game = host.create(&game_of("isles", "lux", &seats)).await;
    let bots = [bot("quo"), bot("killbot")];
    let watched = host.create(&game_of("isles", "lux", &bots)).await;
    let mut ann = host.sit(&game, 0).await;
    finish(&mut [&mut ann]).await;
    let socket = format!("{}/socket", path(&watched));
    let mut watcher = host.socket(&socket).await;
    until(&mut watcher, |message| message["status"] == "over").await;
    let before = essence(&host, &game).await;
    host.stop().await;

    let host = Host::start(&folder).await;
    let maps = host.get("/api/maps").await.json();
    let has_it = |map: &Value| map["name"] == "isles";
    assert!(!maps.as_array().expect("maps").iter().any(has_it));
    let next = host.post(&rematch_path(&game), &by(&game, 0)).await;
    assert_eq!(next.status, 201, "{}", next.body);
    assert_eq!(essence(&host, &next.json()).await, before);
    // A game of bots alone belongs to nobody.
    let next = host.post(&rematch_path(&watched), "{}").await;
    assert_eq!(next.status, 201, "{}", next.body);
    host.stop().await;
}

/// The card of the old game once offered a rematch that had been deleted.
#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_that_is_removed_is_offered_no_longer() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let seats = [person("Ann"), invited("Ben")];
    let game = host.create(&game_of("duel6", "lux", &seats)).await;
    let (mut ann, mut ben) = (host.sit(&game, 0).await, host.sit(&game, 1).await);
    finish(&mut [&mut ann, &mut ben]).await;
    let next = host.post(&rematch_path(&game), &by(&game, 0)).await.json();
    assert_eq!(ben.wait_for("rematch").await["game"], next["id"]);
    let tokens = json!({"tokens": [game["seats"][0]["token"], game["seats"][1]["token"]]});
    let answer = host
        .request("DELETE", &path(&next), &[], &tokens.to_string())
        .await;
    assert_eq!(answer.status, 204, "{}", answer.body);
    assert_eq!(ben.wait_for("rematch").await["game"], Value::Null);
    let mut late = host.sit(&game, 0).await;
    let hello = late.wait_for("hello").await;
    assert_eq!(hello["game"]["rematch"], Value::Null);
    let again = host.post(&rematch_path(&game), &by(&game, 1)).await;
    assert_eq!(again.status, 201, "{}", again.body);
    host.stop().await;
}
