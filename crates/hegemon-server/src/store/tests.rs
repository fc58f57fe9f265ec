use super::*;
use hegemon_core::{Event, Game, Map, Move, Rules};

fn two_people(id: &str) -> NewGame {
    let map = Map::builtin("duel6").expect("shipped");
    let rules = Rules::preset("lux").expect("shipped");
    let game = Game::new(map, rules, 2).expect("a game");
    NewGame {
        id: id.to_owned(),
        header: Header::new(&game, vec!["human".to_owned(); 2], 1),
        rules_name: "lux".to_owned(),
        seats: Vec::new(),
        turn_seconds: None,
    }
}

struct TestStore {
    folder: PathBuf,
    store: Arc<GameStore>,
    game: i64,
}

impl TestStore {
    async fn new(name: &str) -> TestStore {
        let folder =
            std::env::temp_dir().join(format!("hegemon-store-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let store = GameStore::open(&folder.join("games.db"), u64::MAX).expect("opens");
        let game = store.create(two_people("game")).await;
        let game = game.expect("stores").number;
        TestStore {
            folder,
            store: Arc::new(store),
            game,
        }
    }

    fn log_len(&self) -> u64 {
        let log = std::fs::metadata(self.folder.join("games.db-wal"));
        log.map_or(0, |facts| facts.len())
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        self.store.close();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Games that were given up once stayed for ever.
#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_comes_back_to_makes_room() {
    let own = TestStore::new("room").await;
    let path = own.folder.join("games.db");
    // By name: whether a person sat down, how long ago, whether it is over.
    let games = [
        ("bots, just now", false, "-6 days", false),
        ("bots, long ago", false, "-8 days", false),
        ("bots, over", false, "-1 minute", true),
        ("people, a while ago", true, "-29 days", false),
        ("people, longer ago", true, "-31 days", false),
        ("people, over", true, "-99 days", true),
    ];
    for (id, is_seated, age, is_over) in games {
        let game = own.store.create(two_people(id)).await.expect("stores");
        if is_seated {
            assert!(own.store.seat(game.number).await.expect("stores"));
        }
        let other = connect(&path).expect("opens");
        let sql = "UPDATE games SET touched = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?2),
                       result = iif(?3, '{\"ending\":\"conquest\",\"scores\":[1,0],\"places\":[1,2]}', NULL)
                   WHERE id = ?1";
        let changed = other.execute(sql, params![id, age, is_over]);
        assert_eq!(changed.expect("ages"), 1);
    }
    own.store.close();
    let store = GameStore::open(&path, 0).expect("opens");
    // Each time as much as takes some milliseconds, which may be one game.
    for _ in 0..20 {
        store.make_room().await;
    }
    let left = store.games(&Wanted::default(), 100).expect("reads");
    let left: Vec<String> = left
        .into_iter()
        .map(|game| game.expect("reads").id)
        .collect();
    store.close();
    let kept = [
        "people, over",
        "people, a while ago",
        "bots, just now",
        "game",
    ];
    assert_eq!(left, kept);
}

/// A removed game's table once wrote into the game that got its number.
#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_given_once() {
    let own = TestStore::new("numbers").await;
    let newest = own
        .store
        .create(two_people("newest"))
        .await
        .expect("stores");
    let other = connect(&own.folder.join("games.db")).expect("opens");
    let changed = other.execute("DELETE FROM games WHERE number = ?1", [newest.number]);
    assert_eq!(changed.expect("removes"), 1);
    let next = own.store.create(two_people("next")).await.expect("stores");
    assert!(next.number > newest.number);
    assert!(!own.store.seat(newest.number).await.expect("stores"));
}

/// Requests for the list once kept everybody from the store.
#[tokio::test(flavor = "multi_thread")]
#[allow(
    clippy::await_holding_lock,
    reason = "the reader of the past is kept busy on purpose"
)]
async fn who_reads_lists_and_the_past_holds_up_no_player() {
    let own = TestStore::new("desks").await;
    let _past = own.store.reader(Desk::Past);
    let store = Arc::clone(&own.store);
    let game = own.game;
    let play = tokio::task::spawn_blocking(move || {
        let found = store.game("game").expect("reads").is_some();
        (found, store.entries(game, Desk::Play).expect("reads").len())
    });
    let played = tokio::time::timeout(Duration::from_secs(60), play).await;
    assert_eq!(played.expect("in time").expect("no panic"), (true, 0));
}

/// Ninety games of bots made a log of five gigabytes once.
#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_busy_store_stays_short_and_is_gone_after_the_end() {
    const N_APPENDS: u64 = 12_000;
    let own = TestStore::new("log").await;
    let mut tasks = Vec::new();
    for task in 0..4 {
        let id = format!("game {task}");
        let game = own.store.create(two_people(&id)).await.expect("stores");
        let (store, game) = (Arc::clone(&own.store), game.number);
        tasks.push(tokio::spawn(async move {
            for seq in 0..N_APPENDS / 4 {
                let append = Append {
                    game,
                    first_seq: seq * 500 + 1,
                    entries: vec![LogEntry::Event(Event::Move(Move::End)); 2000],
                    round: seq as u32,
                    end: None,
                };
                store.append(append).await.expect("stores");
            }
        }));
    }
    let mut longest = 0;
    while tasks.iter().any(|task| !task.is_finished()) {
        longest = longest.max(own.log_len());
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    for task in tasks {
        task.await.expect("no panic");
    }
    let store_len = std::fs::metadata(own.folder.join("games.db")).map_or(0, |f| f.len());
    assert!(longest > 0 && longest < 64 << 20, "{longest} bytes");
    assert!(store_len > 64 << 20, "{store_len} bytes are a fair trial");
    own.store.close();
    assert_eq!(own.log_len(), 0);
}
