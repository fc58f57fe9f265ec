//! The worked example of docs/spec/sampling.md 1.7, the properties it names,
//! and the slow twin that the fast paths must equal.

use std::sync::Arc;

use hegemon_core::battle::BattleLaw;
use hegemon_core::{
    Board, Game, Map, Move, Node, Outcome, Phase, PlayerId, Rng, Rules, State, TerritoryId,
};

use crate::{Batch, Evaluator, Feature, FeatureVector, GameFacts, RatingRule, Stage, Weights};

fn game(map: &str, preset: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin(map).expect("shipped");
    Game::new(map, Rules::preset(preset).expect("shipped"), n_players).expect("a game")
}

/// The features straight from their definitions
/// (docs/spec/sampling.md 1.3 and 1.4).
fn slow_features(
    game: &Game,
    board: &Board,
    p: PlayerId,
    rule: RatingRule,
    squared: bool,
) -> FeatureVector {
    let map = game.map();
    let law: BattleLaw = game.battles().law();
    let all: Vec<TerritoryId> = map.territories().collect();
    let mine: Vec<TerritoryId> = all
        .iter()
        .copied()
        .filter(|&t| board.owner(t) == p)
        .collect();
    let enemies: Vec<PlayerId> = game.seats().filter(|&q| q != p).collect();
    let attackable =
        |t: TerritoryId, by: PlayerId| board.owner(t) != by && board.owner(t) != PlayerId::NOBODY;
    let win = |s: TerritoryId, t: TerritoryId| match board.armies(s) {
        0 | 1 => 0.0,
        armies => law.win_probability(armies - 1, board.armies(t)),
    };
    let n_all: u32 = all.iter().map(|&t| board.armies(t)).sum();
    let n_of = |q: PlayerId| all.iter().filter(|&&t| board.owner(t) == q).count();
    let armies_of = |q: PlayerId| -> u32 {
        all.iter()
            .filter(|&&t| board.owner(t) == q)
            .map(|&t| board.armies(t))
            .sum()
    };
    let owns = |q: PlayerId, c| {
        map.continent(c)
            .territories
            .iter()
            .all(|t| board.owner(t) == q)
    };
    let income = |q: PlayerId| {
        let rules = game.rules().income;
        let land = (n_of(q) as u32 / u32::from(rules.divisor)).max(u32::from(rules.minimum));
        let bonuses: u32 = map
            .continents()
            .filter(|&c| owns(q, c))
            .map(|c| u32::from(map.continent(c).bonus))
            .sum();
        if n_of(q) == 0 {
            0.0
        } else {
            f64::from(land + bonuses)
        }
    };
    let rating = |c| {
        let continent = map.continent(c);
        let outside = |t: &TerritoryId| map.continent_of(*t) != c;
        let edges: usize = continent
            .territories
            .iter()
            .map(|t| map.neighbor_list(t).iter().filter(|n| outside(n)).count())
            .sum();
        let borders = match rule {
            RatingRule::Territories => continent
                .territories
                .iter()
                .filter(|&t| map.neighbor_list(t).iter().any(outside))
                .count(),
            RatingRule::Edges => edges,
        };
        (15.0 + f64::from(continent.bonus) - 4.0 * borders as f64)
            / continent.territories.len() as f64
    };
    // Breadth-first from the player's territories outwards, one at a time.
    let distance = |start: TerritoryId| {
        let mut reached = vec![start];
        let mut rings = 0;
        loop {
            if reached.iter().any(|&t| board.owner(t) != p) {
                return rings;
            }
            let before = reached.len();
            for t in reached.clone() {
                for &next in map.neighbor_list(t) {
                    if !reached.contains(&next) {
                        reached.push(next);
                    }
                }
            }
            rings += 1;
            if reached.len() == before {
                return 1;
            }
        }
    };
    let threat_to = |t: TerritoryId, by: &dyn Fn(PlayerId) -> bool| {
        map.neighbor_list(t)
            .iter()
            .filter(|&&s| by(board.owner(s)) && attackable(t, board.owner(s)))
            .map(|&s| win(s, t))
            .fold(0.0, f64::max)
    };
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };

    let mut raw = FeatureVector::default();
    raw[Feature::Armies] = share(f64::from(armies_of(p)), f64::from(n_all));
    raw[Feature::BestEnemy] = -enemies
        .iter()
        .map(|&e| {
            let armies = share(f64::from(armies_of(e)), f64::from(n_all));
            (armies + n_of(e) as f64 / all.len() as f64) / 2.0
        })
        .fold(0.0, f64::max);
    let n_mine = mine.len() as f64;
    raw[Feature::MoreThanOneArmy] = share(
        mine.iter().filter(|&&t| board.armies(t) > 1).count() as f64,
        n_mine,
    );
    let inland = |t: TerritoryId| map.neighbor_list(t).iter().all(|&n| board.owner(n) == p);
    raw[Feature::Hinterland] = share(mine.iter().filter(|&&t| inland(t)).count() as f64, n_mine);
    let weighted: f64 = mine
        .iter()
        .map(|&t| f64::from(board.armies(t)) * f64::from(distance(t)))
        .sum();
    raw[Feature::DistanceToFrontier] = share(f64::from(armies_of(p)), weighted);
    for c in map.continents() {
        let borders = map.continent(c).borders;
        if owns(p, c) {
            let threats: Vec<f64> = borders
                .iter()
                .map(|t| threat_to(t, &|q| q != p && q != PlayerId::NOBODY))
                .collect();
            let most = threats.iter().copied().fold(0.0, f64::max);
            let squares: f64 = threats.iter().map(|x| x * x).sum();
            let last = if squared { most * most } else { most };
            raw[Feature::ContinentSafety] -= rating(c) * (squares + last);
            raw[Feature::OwnContinents] += 1.0;
        }
        if enemies.iter().any(|&e| owns(e, c)) {
            let squares: f64 = borders
                .iter()
                .map(|t| threat_to(t, &|q| q == p).powi(2))
                .sum();
            raw[Feature::ContinentThreat] += rating(c) * squares;
            raw[Feature::EnemyContinents] -= 1.0;
        }
    }
    raw[Feature::EnemyReinforcement] = -enemies.iter().map(|&e| income(e)).sum::<f64>();
    raw[Feature::OwnReinforcement] = income(p);
    raw[Feature::OccupiedTerritories] = n_mine / all.len() as f64;
    for &s in &mine {
        for &t in map.neighbor_list(s) {
            if attackable(t, p) {
                raw[Feature::MaximumThreat] = raw[Feature::MaximumThreat].max(win(s, t));
            }
        }
    }
    raw
}

/// A random state some way into a random game.
fn random_state(game: &Arc<Game>, seed: u64, n_steps: u32) -> State {
    let mut rng = Rng::from_seed(seed);
    let mut state = game.deal(seed);
    for _ in 0..n_steps {
        match state.node() {
            Node::Chance => state.resolve_sampled(&mut rng),
            Node::Terminal => break,
            Node::Decision(_) => {
                let moves = state.legal_moves();
                // Ending a phase at once would keep armies where they are.
                let attacks = moves.iter().filter(|mv| matches!(mv, Move::Attack { .. }));
                let strong: Vec<Move> = attacks
                    .copied()
                    .filter(|mv| match *mv {
                        Move::Attack { from, to, .. } => {
                            state.board().armies(from) > state.board().armies(to)
                        }
                        _ => false,
                    })
                    .collect();
                let mv = *rng
                    .pick(if strong.is_empty() { &moves } else { &strong })
                    .expect("one");
                state.play_unchecked(mv);
            }
        }
    }
    state
}

fn assert_near(a: &FeatureVector, b: &FeatureVector, what: &str) {
    for feature in Feature::ALL {
        let (x, y) = (a[feature], b[feature]);
        assert!(
            (x - y).abs() < 1e-9,
            "{what}: {} is {x}, should be {y}",
            feature.name()
        );
    }
}

fn line4() -> State {
    let game = game("line4", "sampling", 2);
    State::from_position(&game, "board=a2a3b2b1 phase=attack player=0 round=1").expect("a position")
}

#[test]
fn the_worked_example_has_the_printed_digits() {
    let state = line4();
    let facts = GameFacts::new(state.game());
    let raw = facts.raw_features(state.board(), PlayerId::new(0));
    let printed = [
        (Feature::Armies, 0.625),
        (Feature::BestEnemy, -0.4375),
        (Feature::MoreThanOneArmy, 1.0),
        (Feature::Hinterland, 0.5),
        (Feature::DistanceToFrontier, 5.0 / 7.0),
        (Feature::ContinentSafety, -0.166_469_5),
        (Feature::ContinentThreat, 0.854_868_0),
        (Feature::EnemyReinforcement, -5.0),
        (Feature::EnemyContinents, -1.0),
        (Feature::MaximumThreat, 0.362_654_3),
        (Feature::OccupiedTerritories, 0.5),
        (Feature::OwnReinforcement, 4.0),
        (Feature::OwnContinents, 1.0),
    ];
    for (feature, value) in printed {
        assert!(
            (raw[feature] - value).abs() < 5e-8,
            "{}: {}",
            feature.name(),
            raw[feature]
        );
    }
    assert_eq!(facts.ratings().collect::<Vec<_>>(), [6.0, 6.5]);
    assert_eq!(facts.largest_income(), 6);
    let squared = GameFacts::with_variants(state.game(), RatingRule::Territories, true);
    let raw = squared.raw_features(state.board(), PlayerId::new(0));
    assert!((raw[Feature::ContinentSafety] + 0.008_757_8).abs() < 5e-8);
    let scaled = facts.scaled_features(state.board(), PlayerId::new(0));
    assert_eq!(scaled[Feature::OwnContinents], 0.5);
    assert_eq!(scaled[Feature::EnemyContinents], 0.5);
    assert!((scaled[Feature::OwnReinforcement] - 4.0 / 6.0).abs() < 1e-12);
    assert!((scaled[Feature::EnemyReinforcement] - 5.0 / 6.0).abs() < 1e-12);
}

#[test]
fn the_classic_map_has_the_printed_scales() {
    let game = game("classic", "sampling", 2);
    let facts = GameFacts::new(&game);
    let (safety, threat) = facts.continent_scales();
    assert!((safety - 24.663).abs() < 5e-4, "{safety}");
    assert!((threat - 16.536).abs() < 5e-4, "{threat}");
    assert_eq!(facts.largest_income(), 38);
    let mut ratings: Vec<f64> = facts.ratings().collect();
    ratings.sort_by(f64::total_cmp);
    let printed = [0.1667, 0.5714, 0.8889, 1.0, 2.25, 3.25];
    assert!(
        ratings
            .iter()
            .zip(printed)
            .all(|(a, b)| (a - b).abs() < 5e-5),
        "{ratings:?}"
    );
    let edges = GameFacts::with_variants(&game, RatingRule::Edges, false);
    let mut ratings: Vec<f64> = edges.ratings().collect();
    ratings.sort_by(f64::total_cmp);
    let printed = [-1.7143, -1.0, -0.8333, 0.8889, 2.25, 3.25];
    assert!(
        ratings
            .iter()
            .zip(printed)
            .all(|(a, b)| (a - b).abs() < 5e-5),
        "{ratings:?}"
    );
}

#[test]
fn fast_features_equal_their_slow_twin() {
    let games = [
        game("classic", "sampling", 2),
        game("classic", "lux", 4),
        game("duel6", "lux", 3),
        game("classic", "classic", 2),
        game("archipelago80", "lux", 6),
    ];
    for (n, game) in games.iter().enumerate() {
        let facts = GameFacts::new(game);
        let squared = GameFacts::with_variants(game, RatingRule::Edges, true);
        for seed in 0..12 {
            let state = random_state(game, seed, 60 * seed as u32);
            for player in game.seats() {
                let fast = facts.raw_features(state.board(), player);
                let slow =
                    slow_features(game, state.board(), player, RatingRule::Territories, false);
                assert_near(&fast, &slow, &format!("game {n}, seed {seed}"));
                let fast = squared.raw_features(state.board(), player);
                let slow = slow_features(game, state.board(), player, RatingRule::Edges, true);
                assert_near(&fast, &slow, "variants");
            }
        }
    }
}

#[test]
fn scaled_features_lie_between_zero_and_one() {
    for (map, preset, n) in [
        ("classic", "sampling", 2),
        ("duel6", "lux", 3),
        ("classic", "lux", 6),
    ] {
        let game = game(map, preset, n);
        let facts = GameFacts::new(&game);
        for seed in 0..40 {
            let state = random_state(&game, seed, 25 * seed as u32);
            for player in game.seats() {
                let scaled = facts.scaled_features(state.board(), player);
                for feature in Feature::ALL {
                    let x = scaled[feature];
                    assert!((0.0..=1.0).contains(&x), "{} is {x}", feature.name());
                }
            }
        }
    }
}

#[test]
fn features_of_two_players_mirror_each_other() {
    let game = game("classic", "sampling", 2);
    let facts = GameFacts::new(&game);
    for seed in 0..30 {
        let state = random_state(&game, seed, 30 * seed as u32);
        if state.node() == Node::Terminal || state.phase() == Phase::Occupy {
            continue;
        }
        let [a, b] = [0, 1].map(|seat| facts.scaled_features(state.board(), PlayerId::new(seat)));
        assert!((a[Feature::Armies] + b[Feature::Armies] - 1.0).abs() < 1e-12);
        assert_eq!(a[Feature::EnemyReinforcement], b[Feature::OwnReinforcement]);
        assert_eq!(a[Feature::EnemyContinents], b[Feature::OwnContinents]);
        let all_in_front = game.map().territories().all(|t| {
            let own = state.board().owner(t) == PlayerId::new(0);
            !own || state
                .board()
                .frontier(game.map(), PlayerId::new(0))
                .contains(t)
        });
        assert_eq!(a[Feature::DistanceToFrontier] == 1.0, all_in_front);
    }
}

#[test]
fn armies_in_the_hinterland_never_raise_a_good_distance_feature() {
    let game = game("classic", "sampling", 2);
    let weights = {
        let mut vector = FeatureVector::default();
        vector[Feature::DistanceToFrontier] = 1.0;
        Weights::scaled(&vector)
    };
    let evaluator = Evaluator::for_game(&game, &weights);
    for seed in 0..20 {
        let state = random_state(&game, seed, 400);
        let player = state.player();
        let mut batch = Batch::new(&evaluator, state.board(), player);
        let before = batch.unchanged(Stage::Move);
        let inland = state.board().owned(player) - state.board().frontier(game.map(), player);
        for territory in inland {
            // An army at distance 2 raises the feature where the mean is
            // beyond 2.
            if before < 0.5 {
                continue;
            }
            assert!(batch.place(&[(territory, 1)]) <= before + 1e-12);
        }
    }
}

/// Plays a move and the outcome, and evaluates the result from scratch.
fn slow_value(evaluator: &Evaluator, state: &State, mv: Move, outcome: Option<Outcome>) -> f64 {
    let mut next = state.clone();
    let (player, stage) = (state.player(), Stage::of(state.phase()));
    next.play(mv).expect("legal");
    if let Some(outcome) = outcome {
        next.resolve(outcome).expect("possible");
    }
    evaluator.evaluate(next.board(), player, stage)
}

#[test]
fn batches_equal_evaluations_from_scratch() {
    for (map, preset, n) in [
        ("classic", "sampling", 2),
        ("classic", "lux", 3),
        ("duel6", "lux", 3),
    ] {
        let game = game(map, preset, n);
        for weights in Weights::builtin_names() {
            let weights = Weights::builtin(weights).expect("shipped");
            let evaluator = Evaluator::for_game(&game, &weights);
            for seed in 0..60 {
                let state = random_state(&game, seed, 7 * seed as u32);
                if matches!(state.node(), Node::Decision(_)) {
                    check_batch(&evaluator, &state);
                }
            }
        }
    }
}

fn check_batch(evaluator: &Evaluator, state: &State) {
    let player = state.player();
    let mut batch = Batch::new(evaluator, state.board(), player);
    let mut rng = Rng::from_seed(3);
    for mv in state.legal_moves() {
        let near = |fast: f64, slow: f64| assert!((fast - slow).abs() < 1e-9, "{mv}");
        match mv {
            Move::Place { territory, armies } if state.board().owner(territory) == player => {
                near(
                    batch.place(&[(territory, armies)]),
                    slow_value(evaluator, state, mv, None),
                );
            }
            Move::Fortify { from, to, armies } => {
                let fast = batch.shift(from, to, armies, Stage::Move);
                near(fast, slow_value(evaluator, state, mv, None));
            }
            Move::Attack { from, to, .. } => {
                let mut after = state.clone();
                after.play(mv).expect("legal");
                let outcome = after.sample(&mut rng);
                let Outcome::Battle {
                    attacker_losses,
                    defender_losses,
                } = outcome
                else {
                    panic!("a battle follows an attack");
                };
                if defender_losses < state.board().armies(to) {
                    let fast = batch.losses(from, to, (attacker_losses, defender_losses));
                    near(fast, slow_value(evaluator, state, mv, Some(outcome)));
                    continue;
                }
                after.resolve(outcome).expect("possible");
                let range = after.fewest_to_move_in()..=after.most_to_move_in();
                let (fast, armies) = batch.conquest(from, to, attacker_losses, &range);
                near(
                    fast,
                    slow_value(evaluator, &after, Move::Occupy { armies }, None),
                );
                let slow_best = range
                    .map(|armies| slow_value(evaluator, &after, Move::Occupy { armies }, None))
                    .fold(f64::NEG_INFINITY, f64::max);
                assert!(fast <= slow_best + 1e-9);
            }
            _ => {}
        }
    }
}

#[test]
fn shares_sum_to_one_and_follow_the_armies() {
    let game = game("classic", "lux", 4);
    for name in Weights::builtin_names() {
        let evaluator = Evaluator::for_game(&game, &Weights::builtin(name).expect("shipped"));
        let state = random_state(&game, 5, 200);
        let shares = evaluator.win_shares(&state);
        assert!((shares.as_slice().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let evaluator = Evaluator::for_game(&game, &Weights::builtin("default").expect("shipped"));
    let mut state = game.deal(3);
    let before = evaluator.win_shares(&state)[state.player()];
    let player = state.player();
    let front = state
        .board()
        .frontier(game.map(), player)
        .first()
        .expect("a front");
    let mv = Move::Place {
        territory: front,
        armies: state.to_place(),
    };
    state.play(mv).expect("legal");
    assert!(evaluator.win_shares(&state)[player] != before);
}

#[test]
fn weights_files_are_checked() {
    for name in Weights::builtin_names() {
        let weights = Weights::builtin(name).expect(name);
        assert_eq!(Weights::from_toml(&weights.to_toml()).expect(name), weights);
        assert!(!weights.about.is_empty() && !weights.trained_by.is_empty());
    }
    let text = Weights::builtin("default").expect("shipped").to_toml();
    for (from, to, part) in [
        ("wolf-13/1", "wolf-13/9", "this program has"),
        ("\"linear\"", "\"neural\"", "of the kind"),
        ("hinterland", "winterland", "does not exist"),
        ("form = ", "shape = ", "not a file of weights"),
    ] {
        let wrong = text.replace(from, to);
        assert_ne!(wrong, text);
        let error = Weights::from_toml(&wrong).expect_err("wrong").to_string();
        assert!(error.contains(part), "{error}");
    }
    assert!(Weights::load("defualt", &|_| Err(String::new())).is_err());
    assert!(Weights::load("./no/such.toml", &|path| Err(path.to_owned())).is_err());
}

/// Weights are evidence only if one can find out what made them.
#[test]
fn every_shipped_file_says_which_program_made_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("weights");
    for entry in std::fs::read_dir(folder).expect("shipped") {
        let path = entry.expect("readable").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let file: toml::Table = text.parse().expect("TOML");
        let program = file
            .get("program")
            .or_else(|| file.get("card")?.get("program"));
        let names_a_commit = program
            .and_then(toml::Value::as_str)
            .is_some_and(|program| {
                program.contains("commit ") || program.contains("committed in ")
            });
        assert!(names_a_commit, "{}: {program:?}", path.display());
    }
}
