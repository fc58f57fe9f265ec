//! What the store keeps, what makes room, and stores of earlier formats.

mod common;

use common::{Folder, Host, bot, game_of, person, seat_path, some_move};
use hegemon_server::Limits;
use rusqlite::Connection;
use serde_json::Value;

fn with_store_limit(store: u64) -> Limits {
    Limits {
        store,
        ..Limits::default()
    }
}

/// The games of a store, the newest first.
async fn listed(host: &Host) -> Vec<Value> {
    let list = host.get("/api/games").await.json();
    let games = list.as_array().expect("a list");
    games.iter().map(|game| game["id"].clone()).collect()
}

/// Bots with specs as long as may be filled the store with games that nobody
/// ever opened, and no game could be made from then on.
#[tokio::test(flavor = "multi_thread")]
async fn games_at_which_nobody_sat_down_make_room_after_an_hour() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let spec = format!("goal-uct(iters=1,rivals={}quo)", "better-pixie+".repeat(36));
    let seats = [person("Ann"), bot(&spec), bot(&spec), bot(&spec)];
    let request = game_of("classic", "lux", &seats);
    let mut games = Vec::new();
    for _ in 0..20 {
        games.push(host.create(&request).await);
    }
    host.sit(&games[3], 0).await.wait_for("state").await;
    host.stop().await;
    let store = Connection::open(folder.store()).expect("opens");
    let ids = |n: usize| games[n]["id"].as_str().expect("an id").to_owned();
    let aged = "UPDATE games SET created = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-61 minutes')
                WHERE id <> ?1";
    assert_eq!(store.execute(aged, [ids(19)]).expect("ages"), 19);
    let pages: u32 = store
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .expect("a number");
    drop(store);

    // A little too full: some of the oldest are enough.
    let limits = with_store_limit(u64::from(pages) * 4096 - 4096);
    let host = Host::with_limits(&folder, limits).await;
    let newest = host.create(&request).await;
    let left = listed(&host).await;
    assert!(left.len() < 21 && left.len() > 5, "{left:?}");
    assert!(!left.contains(&games[0]["id"]) && left.contains(&games[18]["id"]));
    host.stop().await;
    // Far too full: who sat down, and links just sent, stay.
    let host = Host::with_limits(&folder, with_store_limit(4096)).await;
    let refused = host.post("/api/games", &request.to_string()).await;
    refused.assert_refused(503, "store-full");
    let kept = [&newest, &games[19], &games[3]].map(|game| game["id"].clone());
    assert_eq!(listed(&host).await, kept);
    host.get(&seat_path(&games[0], 0))
        .await
        .assert_refused(404, "not-found");
    for game in [&games[3], &newest] {
        let mut ann = host.sit(game, 0).await;
        let state = ann.my_turn().await;
        ann.play(&state, &some_move(&state, 0)).await;
        ann.wait_for("state").await;
    }
    host.stop().await;
}

/// Unfinished games that nobody came back to once stayed for ever.
#[tokio::test(flavor = "multi_thread")]
async fn unfinished_games_left_long_ago_make_room_and_running_ones_stay() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let of_people = game_of("classic", "lux", &[person("Ann"), person("Bo")]);
    let mut people = Vec::new();
    for _ in 0..4 {
        let game = host.create(&of_people).await;
        host.sit(&game, 0).await.wait_for("state").await;
        people.push(game);
    }
    host.stop().await;
    let store = Connection::open(folder.store()).expect("opens");
    let age = |game: &Value, age: &str| {
        let sql = "UPDATE games SET touched = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?2)
                   WHERE id = ?1";
        let id = game["id"].as_str().expect("an id");
        assert_eq!(store.execute(sql, [id, age]).expect("ages"), 1);
    };
    age(&people[0], "-31 days");
    age(&people[1], "-29 days");
    age(&people[2], "-40 days");
    age(&people[3], "-50 days");
    // One of them was played to its end.
    let sql =
        "UPDATE games SET result = '{\"ending\":\"conquest\",\"scores\":[1,0],\"places\":[1,2]}'
               WHERE id = ?1";
    let finished = people[2]["id"].as_str().expect("an id");
    store.execute(sql, [finished]).expect("ends");
    drop(store);

    let host = Host::with_limits(&folder, with_store_limit(u64::MAX)).await;
    // Somebody comes back before room is needed.
    let mut ann = host.sit(&people[3], 0).await;
    ann.wait_for("state").await;
    host.stop().await;
    let host = Host::with_limits(&folder, with_store_limit(4096)).await;
    let refused = host.post("/api/games", &of_people.to_string()).await;
    refused.assert_refused(503, "store-full");
    let left = listed(&host).await;
    for kept in [&people[1], &people[2], &people[3]] {
        assert!(left.contains(&kept["id"]), "{left:?}");
    }
    assert!(!left.contains(&people[0]["id"]), "{left:?}");
    host.stop().await;
}

/// Specs of bots are in the header of a game, and were in its seats once more.
#[tokio::test(flavor = "multi_thread")]
async fn specs_are_stored_once_and_told_as_before() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let spec = "goal-uct(iters=1,rivals=quo+killbot+quo+better-pixie+boscoe)";
    let seats = [person("Ann"), bot(spec)];
    let game = host.create(&game_of("classic", "lux", &seats)).await;
    host.stop().await;
    let store = Connection::open(folder.store()).expect("opens");
    let row: String = store
        .query_row("SELECT header || seats FROM games", [], |row| row.get(0))
        .expect("a row");
    // The beginning of it is the bot's name as well.
    assert_eq!(row.matches("+boscoe)").count(), 1, "{row}");
    drop(store);
    let host = Host::start(&folder).await;
    let hello = host.sit(&game, 0).await.wait_for("hello").await;
    assert_eq!(hello["game"]["seats"][1]["spec"], spec);
    host.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_of_the_first_format_is_read_and_loses_nothing() {
    let folder = Folder::new();
    let host = Host::start(&folder).await;
    let seats = [person("Ann"), bot("baseline")];
    let game = host.create(&game_of("classic", "lux", &seats)).await;
    host.stop().await;
    let store = Connection::open(folder.store()).expect("opens");
    store
        .execute_batch(
            "DROP INDEX unseated; ALTER TABLE games DROP COLUMN seated;
             ALTER TABLE games DROP COLUMN touched; ALTER TABLE games DROP COLUMN turn_seconds;
             UPDATE app SET format = 1; PRAGMA user_version = 1; PRAGMA application_id = 0;
             UPDATE games SET created = '2024-01-01T00:00:00Z',
                 seats = replace(seats, '\"spec\":null,\"limit_ms\":2', '\"spec\":\"baseline\",\"limit_ms\":2');",
        )
        .expect("as it was");
    drop(store);
    let another = game_of("classic", "lux", &seats).to_string();
    for _ in 0..2 {
        let host = Host::with_limits(&folder, with_store_limit(4096)).await;
        host.post("/api/games", &another)
            .await
            .assert_refused(503, "store-full");
        assert_eq!(listed(&host).await, [game["id"].clone()]);
        let hello = host.sit(&game, 0).await.wait_for("hello").await;
        assert_eq!(hello["game"]["seats"][1]["spec"], "baseline");
        host.stop().await;
    }
}
