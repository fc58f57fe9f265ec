use std::time::Instant;

use hegemon_bots::{Bot, Demand, Grants, Seating, Spec, build};
use hegemon_core::{Game, Map, PlayerId, Rules, View};

use super::*;

fn game() -> Arc<Game> {
    let map = Map::builtin("classic").expect("shipped");
    Game::new(map, Rules::preset("lux").expect("shipped"), 2).expect("a game")
}

fn state() -> Arc<State> {
    Arc::new(game().deal(1))
}

/// Thinks until it is stopped, whatever its limit.
struct Endless(Stop);

impl Bot for Endless {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        while !self.0.is_raised() {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        Ok(view.legal_moves()[0])
    }
}

/// Does not look at its handle.
struct Deaf(Duration);

impl Bot for Deaf {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        let start = Instant::now();
        while start.elapsed() < self.0 {
            std::thread::park_timeout(Duration::from_millis(1));
        }
        Ok(view.legal_moves()[0])
    }
}

/// Notes when it was asked.
struct Noting {
    name: &'static str,
    order: Arc<Mutex<Vec<&'static str>>>,
}

impl Bot for Noting {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        self.order.lock().expect("a list").push(self.name);
        Ok(view.legal_moves()[0])
    }
}

fn endless(n_threads: usize) -> SeatedBot {
    let stop = Stop::new();
    SeatedBot {
        bot: Box::new(Endless(stop.clone())),
        untold: Vec::new(),
        stop,
        n_threads,
        cost: HEAVY,
    }
}

fn built(spec: &str) -> SeatedBot {
    let grants = Grants {
        stop: Stop::new(),
        ..Grants::sealed()
    };
    let spec: Spec = spec.parse().expect("a spec");
    let seating = Seating {
        game: &game(),
        seat: PlayerId::new(0),
        seed: 1,
        grants: &grants,
    };
    SeatedBot {
        bot: build(&spec, &seating).expect("it plays"),
        untold: Vec::new(),
        stop: grants.stop,
        n_threads: 1,
        cost: HEAVY,
    }
}

/// A game of a client.
fn of(n: u8, has_people: bool) -> Purpose {
    Purpose {
        asker: Some(Client::new([10, 0, 0, n].into())),
        has_people,
    }
}

const LONG: Duration = Duration::from_secs(600);

/// The cost of a bot whose limit is what is said of it.
const HEAVY: f64 = 1e8;

#[tokio::test(flavor = "multi_thread")]
async fn fourteen_heavy_bots_give_their_threads_back() {
    let bot_threads = BotThreads::start(2);
    let limit = Duration::from_millis(50);
    let specs = ["mcts(iters=1000000000)", "goal-uct(iters=100000000)"];
    let thoughts = (0..14).map(|n| {
        let (bot_threads, bot) = (Arc::clone(&bot_threads), built(specs[n % 2]));
        tokio::spawn(async move {
            bot_threads
                .think(bot, state(), of(1, n % 3 > 0), limit)
                .await
        })
    });
    let thoughts: Vec<_> = thoughts.collect();
    for thought in thoughts {
        let thought = thought.await.expect("no panic");
        assert!(thought.bot.is_some(), "the bot is kept");
        assert!(state().is_legal(thought.choice.expect("the best so far")));
    }
    // The last thread may still be on its way back.
    while !bot_threads.held().running.is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let queues = bot_threads.held();
    assert_eq!(queues.n_threads, 8, "no thread was written off");
    assert_eq!(queues.n_used, [0; N_LANES]);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_people_keep_their_share() {
    let bot_threads = BotThreads::start(1);
    let mut waiting = Vec::new();
    for n in 0..20 {
        let bot_threads = Arc::clone(&bot_threads);
        let thought = async move {
            bot_threads
                .think(endless(4), state(), of(1, n % 2 == 0), LONG)
                .await
        };
        waiting.push(tokio::spawn(thought));
    }
    // Long thoughts have taken what they may: a level still answers.
    let level = bot_threads.think(built("killbot"), state(), of(1, true), QUICK);
    let thought = tokio::time::timeout(Duration::from_secs(60), level).await;
    assert!(thought.expect("in time").choice.is_ok());
    // Those who wait and those who think are let go.
    bot_threads.close();
    for thought in waiting {
        let _ = thought.await.expect("no panic");
    }
}

fn n_waiting_in(queues: &Queues, lane: Lane) -> usize {
    let jobs = queues.waiting[lane as usize].jobs.values();
    jobs.map(VecDeque::len).sum()
}

/// Two thoughts of one client, of many seconds each, once held a whole lane.
#[tokio::test(flavor = "multi_thread")]
async fn one_client_leaves_a_thread_of_the_lane_to_others() {
    let bot_threads = BotThreads::start(2);
    for _ in 0..3 {
        let (pool, bot) = (Arc::clone(&bot_threads), endless(1));
        tokio::spawn(async move { pool.think(bot, state(), of(1, true), LONG).await });
    }
    let is_settled =
        |queues: &Queues| queues.running.len() == 1 && n_waiting_in(queues, Lane::Long) == 2;
    while !is_settled(&bot_threads.held()) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let order = Arc::new(Mutex::new(Vec::new()));
    let bot = SeatedBot {
        bot: Box::new(Noting {
            name: "honest",
            order,
        }),
        untold: Vec::new(),
        stop: Stop::new(),
        n_threads: 1,
        cost: HEAVY,
    };
    let thought = bot_threads.think(bot, state(), of(2, true), LONG);
    let thought = tokio::time::timeout(Duration::from_secs(60), thought).await;
    assert!(thought.expect("a thread is free").choice.is_ok());
    bot_threads.close();
}

/// Sixty games that nobody plays once kept the bots of others from moving.
#[tokio::test(flavor = "multi_thread")]
async fn who_has_many_games_keeps_nobody_waiting_but_itself() {
    let bot_threads = BotThreads::start(1);
    let order = Arc::new(Mutex::new(Vec::new()));
    let think = |name: &'static str, asker: Asker| {
        let (bot_threads, order) = (Arc::clone(&bot_threads), Arc::clone(&order));
        let bot = SeatedBot {
            bot: Box::new(Noting { name, order }),
            untold: Vec::new(),
            stop: Stop::new(),
            n_threads: 1,
            cost: HEAVY,
        };
        let purpose = Purpose {
            asker,
            has_people: true,
        };
        tokio::spawn(async move { bot_threads.think(bot, state(), purpose, LONG).await })
    };
    let settle = async |n_running: usize, n_now: usize| {
        let is_settled = |queues: &Queues| {
            queues.running.len() == n_running && n_waiting_in(queues, Lane::Long) == n_now
        };
        while !is_settled(&bot_threads.held()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    // The lane is busy until all others wait.
    let first = endless(1);
    let busy = first.stop.clone();
    let pool = Arc::clone(&bot_threads);
    let first = tokio::spawn(async move { pool.think(first, state(), of(9, true), LONG).await });
    settle(1, 0).await;
    let mut thoughts = Vec::new();
    for n in 0..60 {
        thoughts.push(think("greedy", of(1, true).asker));
        settle(1, n + 1).await;
    }
    for (n, asker) in [of(2, true).asker, None, None].into_iter().enumerate() {
        thoughts.push(think(["honest", "restored", "restored"][n], asker));
        settle(1, 61 + n).await;
    }
    busy.raise();
    let _ = first.await.expect("no panic");
    for thought in thoughts {
        assert!(thought.await.expect("no panic").choice.is_ok());
    }
    let order = order.lock().expect("a list").clone();
    assert_eq!(
        order[..6],
        [
            "greedy", "honest", "restored", "greedy", "restored", "greedy"
        ]
    );
    assert_eq!(order.len(), 63);
}

#[tokio::test(flavor = "multi_thread")]
async fn threads_of_a_bot_are_counted() {
    let bot_threads = BotThreads::start(4);
    let think = |n_threads, client| {
        let bot_threads = Arc::clone(&bot_threads);
        tokio::spawn(async move {
            bot_threads
                .think(endless(n_threads), state(), of(client, false), LONG)
                .await
        })
    };
    let mut thoughts = Vec::new();
    for (client, (n_threads, n_running, n_waiting)) in (1..).zip([(3, 1, 0), (1, 2, 0), (2, 2, 1)])
    {
        thoughts.push(think(n_threads, client));
        let is_settled = |queues: &Queues| {
            let n_now = n_waiting_in(queues, Lane::LongAlone);
            queues.running.len() == n_running && n_now == n_waiting
        };
        while !is_settled(&bot_threads.held()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    assert_eq!(bot_threads.held().n_used, [0, 0, 0, 4]);
    bot_threads.close();
    for thought in thoughts {
        let _ = thought.await.expect("no panic");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thought_that_nobody_waits_for_gives_its_thread_back() {
    let bot_threads = BotThreads::start(1);
    let think = || {
        let pool = Arc::clone(&bot_threads);
        tokio::spawn(async move { pool.think(endless(1), state(), of(1, true), LONG).await })
    };
    let thoughts = [think(), think(), think()];
    let is_settled =
        |queues: &Queues| queues.running.len() == 1 && n_waiting_in(queues, Lane::Long) == 2;
    while !is_settled(&bot_threads.held()) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    for thought in thoughts {
        thought.abort();
        assert!(thought.await.is_err());
    }
    let bot = built("killbot");
    let next = bot_threads.think(bot, state(), of(2, true), LONG);
    let next = tokio::time::timeout(Duration::from_secs(60), next).await;
    assert!(next.expect("in time").choice.is_ok());
    // The last thread may still be on its way back.
    while !bot_threads.held().running.is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let queues = bot_threads.held();
    assert_eq!((queues.n_threads, queues.n_used), (4, [0; N_LANES]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_ignores_its_handle_is_written_off() {
    let bot_threads = BotThreads::start(1);
    let deaf = SeatedBot {
        bot: Box::new(Deaf(GRACE + Duration::from_secs(2))),
        untold: Vec::new(),
        stop: Stop::new(),
        n_threads: 1,
        cost: HEAVY,
    };
    let thought = bot_threads
        .think(deaf, state(), of(1, true), Duration::ZERO)
        .await;
    assert_eq!(
        thought.choice.expect_err("too late").kind,
        ForfeitKind::Timeout
    );
    assert_eq!(bot_threads.held().n_used, [0; N_LANES]);
    let next = bot_threads
        .think(built("quo"), state(), of(1, true), QUICK)
        .await;
    assert!(next.choice.is_ok());
}

/// A bot given by its spec has as much time as any, and so once waited for the
/// heavy ones of its own client.
#[tokio::test(flavor = "multi_thread")]
async fn a_quick_bot_passes_the_heavy_ones_of_its_client() {
    for has_people in [true, false] {
        let bot_threads = BotThreads::start(1);
        for _ in 0..3 {
            let pool = Arc::clone(&bot_threads);
            tokio::spawn(async move {
                pool.think(endless(1), state(), of(1, has_people), LONG)
                    .await
            });
        }
        let lane = Lane::of(has_people, LONG);
        let is_settled =
            |queues: &Queues| queues.running.len() == 1 && n_waiting_in(queues, lane) == 2;
        while !is_settled(&bot_threads.held()) {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let quick = SeatedBot {
            cost: Demand::of(&Spec::plain("killbot")).expect("known").cost,
            ..built("killbot")
        };
        let thought = bot_threads.think(quick, state(), of(1, has_people), LONG);
        let thought = tokio::time::timeout(Duration::from_secs(60), thought).await;
        assert!(thought.expect("it does not wait").choice.is_ok());
        bot_threads.close();
    }
}

#[test]
fn levels_and_plain_rules_are_quick_and_searches_are_not() {
    let cost = |spec: &str| {
        let spec = spec.parse().expect(spec);
        Demand::of(&spec).expect("known").cost
    };
    for spec in [
        "simulation",
        "stinky",
        "quo",
        "killbot",
        "baseline",
        "boscoe",
    ] {
        assert!(cost(spec) <= QUICK_COST, "{spec}: {}", cost(spec));
    }
    for spec in [
        "mcts",
        "champion(looks=48)",
        "mcts(ms=2500)",
        "rollout(playouts=5000)",
    ] {
        assert!(cost(spec) > QUICK_COST, "{spec}: {}", cost(spec));
    }
}
