use std::time::Duration;

use serde_json::json;

use super::*;
use crate::clients::SILENCE;
use crate::new_game::GameRequest;
use crate::offers::HostOffers;

/// Tables with a store of their own.
struct Own {
    folder: std::path::PathBuf,
    store: Arc<GameStore>,
    tables: Tables,
}

impl Own {
    fn new(name: &str) -> Own {
        Own::with_laws(name, 1)
    }

    /// Tables with room for `n` odd laws, and for two of a client.
    fn with_laws(name: &str, odd_laws: usize) -> Own {
        let name = format!("hegemon-tables-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        let store = GameStore::open(&folder.join("games.db"), u64::MAX).expect("opens");
        let store = Arc::new(store);
        let limits = Limits {
            odd_laws,
            ..Limits::default()
        };
        let tables = Tables::new(
            Arc::new(Offers::new(HostOffers::default())),
            Arc::clone(&store),
            BotThreads::start(1),
            Clients::new(limits),
            Arc::new(Refusals::new(|_| ())),
            limits,
        );
        Own {
            folder,
            store,
            tables,
        }
    }

    /// A game of two people under a law of its own.
    async fn game(&self, second_from: u32) -> Arc<Table> {
        self.game_of(client(1), second_from).await
    }

    async fn game_of(&self, maker: Client, second_from: u32) -> Arc<Table> {
        let mut rules = Rules::preset("lux").expect("shipped");
        rules.battle.dice.defender_second_from = second_from;
        let rules: serde_json::Value = serde_json::from_str(&rules.to_json()).expect("JSON");
        let people = [json!({"kind": "human"}), json!({"kind": "human"})];
        let request = json!({"map": "duel6", "rules": rules, "seats": people});
        let request: GameRequest = serde_json::from_value(request).expect("a request");
        let prepared = request
            .prepare(
                &Limits::default(),
                &Offers::new(HostOffers::default()),
                maker,
            )
            .expect("a good one");
        let made = self.tables.create(maker, prepared).await;
        made.expect("a game")
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        self.store.close();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn client(n: u8) -> Client {
    Client::new([10, 0, 0, n].into())
}

const SEAT: PlayerId = PlayerId::new(0);

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_that_of_who_made_it_or_first_sits_down_at_it() {
    let own = Own::new("owner");
    let made = own.game(10).await;
    assert_eq!(made.owner(), Some(client(1)));
    made.claim(client(2));
    assert_eq!(made.owner(), Some(client(1)));
    let id = made.card.stored.id.clone();
    drop(made);
    own.tables.put_away_idle();
    let opened = own.tables.table(&id, client(1), None).await.expect("opens");
    assert_eq!(opened.owner(), None, "who watches owns nothing");
    opened.claim(client(3));
    assert_eq!(opened.owner(), Some(client(3)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_players_makes_room_for_others_once_it_is_silent() {
    let own = Own::new("silent");
    let first = own.game(10).await;
    let id = first.card.stored.id.clone();
    drop(first);
    let second = own.game(11).await;
    second.board.sit_down(SEAT, 1);
    let refused = own.tables.table(&id, client(1), Some(SEAT)).await;
    assert_eq!(refused.expect_err("full").code, "too-many-games");
    assert!(!second.has_closed());
    second.grow_silent(SILENCE + Duration::from_secs(1));
    let refused = own.tables.table(&id, client(1), None).await;
    assert_eq!(refused.expect_err("only watches").code, "too-many-games");
    own.tables
        .table(&id, client(1), Some(SEAT))
        .await
        .expect("room");
    assert!(second.has_closed());
    assert!(own.tables.find(&second.card.stored.id).is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_too_many_laws_makes_room_by_its_own_games() {
    let own = Own::with_laws("laws", 8);
    let third = own.game(10).await;
    let id = third.card.stored.id.clone();
    drop(third);
    own.tables.put_away_idle();
    let other = own.game_of(client(2), 20).await;
    let (first, second) = (own.game(11).await, own.game(12).await);
    let refused = own.tables.table(&id, client(1), None).await;
    assert_eq!(refused.expect_err("too many").code, "too-many-games");
    own.tables
        .table(&id, client(1), Some(SEAT))
        .await
        .expect("room");
    assert!(first.has_closed());
    assert!(!second.has_closed() && !other.has_closed());
}

/// Floods of watchers once made players wait for each of them.
#[tokio::test(flavor = "multi_thread")]
async fn a_player_waits_for_one_watcher_at_most() {
    let own = Own::new("watchers");
    let game = own.game(10).await;
    let id = game.card.stored.id.clone();
    drop(game);
    own.tables.put_away_idle();
    // Somebody is first among those who want to watch, and takes long.
    let _first = own.tables.watching.lock().await;
    let soon = Duration::from_millis(50);
    let watcher = tokio::time::timeout(soon, own.tables.table(&id, client(1), None)).await;
    assert!(watcher.is_err(), "it waits");
    own.tables
        .table(&id, client(1), Some(SEAT))
        .await
        .expect("opens");
}
