//! Tests of draft evaluators.

use hegemon_core::{Map, PlayerId};

use crate::draft::{DraftEvaluator, DraftFacts, DraftMismatch, DraftWeights};

fn lux() -> Map {
    Map::builtin("classic-lux").expect("shipped")
}

fn authors(has_intercept: bool) -> DraftEvaluator {
    let weights = DraftWeights::builtin("draft-authors").expect("shipped");
    DraftEvaluator::new(&lux(), 3, weights, has_intercept).expect("for this map")
}

/// The draft of the paper's Figure 4 (docs/spec/lux.md 8.5).
fn figure_4() -> Vec<PlayerId> {
    let drafts: [[usize; 14]; 3] = [
        [20, 24, 25, 29, 39, 37, 38, 32, 9, 10, 3, 1, 2, 0],
        [22, 19, 23, 27, 36, 40, 33, 30, 12, 13, 11, 5, 6, 4],
        [21, 17, 18, 15, 16, 14, 7, 26, 28, 8, 35, 41, 34, 31],
    ];
    let mut owners = vec![PlayerId::NOBODY; 42];
    for (player, draft) in drafts.iter().enumerate() {
        for &territory in draft {
            owners[territory] = PlayerId::new(player);
        }
    }
    owners
}

fn close(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() < tolerance,
        "{actual} is not {expected}"
    );
}

#[test]
fn features_of_the_example() {
    let features = DraftFacts::new(&lux(), 3).features(&figure_4());
    let counts = [[4, 0, 2, 1, 3, 4], [0, 3, 3, 2, 2, 4], [0, 1, 1, 6, 2, 4]];
    for (player, counts) in PlayerId::seats(3).zip(counts) {
        for (continent, count) in counts.into_iter().enumerate() {
            assert_eq!(features.count(player, continent), count);
        }
    }
    let each = |of: &dyn Fn(PlayerId) -> u32| PlayerId::seats(3).map(of).collect::<Vec<_>>();
    assert_eq!(each(&|p| features.enemy_neighbors(p)), [18, 20, 20]);
    assert_eq!(each(&|p| features.friendly_pairs(p)), [11, 9, 13]);
}

#[test]
fn the_worked_example_of_the_paper() {
    let merits = authors(false).merits(&figure_4());
    close(merits.0[0], 113.124, 1e-3);
    // The authors count one enemy neighbour less here (89.4739).
    close(merits.0[1], 89.402, 1e-3);
    close(merits.0[2], 119.6547, 1e-3);
    let shares = authors(false).shares(&figure_4());
    for (share, expected) in shares.0.into_iter().zip([0.3511, 0.2775, 0.3714]) {
        close(share, expected, 1e-4);
    }
}

#[test]
fn the_example_with_the_intercept() {
    let shares = authors(true).shares(&figure_4());
    for (share, expected) in shares.0.into_iter().zip([0.3808, 0.1843, 0.4349]) {
        close(share, expected, 1e-4);
    }
}

#[test]
fn features_agree_with_their_definition_on_every_map() {
    let mut rng = hegemon_core::Rng::from_seed(3);
    for map in Map::builtin_names().filter_map(Map::builtin) {
        for n_players in 2..=6 {
            let facts = DraftFacts::new(&map, n_players);
            let mut owners = vec![PlayerId::NOBODY; map.n_territories()];
            for owner in &mut owners {
                let who = rng.below(n_players as u32 + 1) as usize;
                *owner = if who < n_players {
                    PlayerId::new(who)
                } else {
                    PlayerId::NOBODY
                };
            }
            let features = facts.features(&owners);
            for player in PlayerId::seats(n_players) {
                let is_own = |t: &hegemon_core::TerritoryId| owners[t.index()] == player;
                let own = map.territories().filter(is_own);
                let own: hegemon_core::TerritorySet = own.collect();
                let around = own.iter().fold(hegemon_core::TerritorySet::EMPTY, |a, t| {
                    a | map.neighbors(t)
                });
                let pairs: usize = own.iter().map(|t| (map.neighbors(t) & own).len()).sum();
                assert_eq!(
                    features.enemy_neighbors(player) as usize,
                    (around - own).len()
                );
                assert_eq!(features.friendly_pairs(player) as usize * 2, pairs);
                for k in map.continents() {
                    let count = (map.continent(k).territories & own).len();
                    assert_eq!(features.count(player, k.index()), count);
                }
            }
        }
    }
}

#[test]
fn both_numberings_of_the_classic_map_agree() {
    let (lux, classic) = (lux(), Map::builtin("classic").expect("shipped"));
    let weights = DraftWeights::builtin("draft-authors").expect("shipped");
    let there = DraftEvaluator::new(&classic, 3, weights, true).expect("same continents");
    let owners = figure_4();
    let renumbered: Vec<PlayerId> = classic
        .territories()
        .map(|t| {
            lux.territory_named(classic.territory_name(t))
                .expect("same names")
        })
        .map(|t| owners[t.index()])
        .collect();
    for (a, b) in there
        .merits(&renumbered)
        .0
        .into_iter()
        .zip(authors(true).merits(&owners).0)
    {
        close(a, b, 1e-9);
    }
}

#[test]
fn weights_of_another_game_are_refused() {
    let weights = DraftWeights::builtin("draft-authors").expect("shipped");
    let duel = Map::builtin("duel6").expect("shipped");
    assert!(matches!(
        DraftEvaluator::new(&lux(), 4, weights, true),
        Err(DraftMismatch::Players {
            weights: 3,
            game: 4
        })
    ));
    assert!(matches!(
        DraftEvaluator::new(&duel, 3, weights, true),
        Err(DraftMismatch::Map(_))
    ));
}

#[test]
fn every_map_and_number_of_players_has_weights() {
    for map in Map::builtin_names().filter_map(Map::builtin) {
        for n_players in 2..=6 {
            let weights = DraftWeights::for_bot(&map, n_players, "evil-pixie");
            DraftEvaluator::new(&map, n_players, &weights, true).expect("made for it");
        }
    }
}

#[test]
fn each_bot_gets_the_weights_trained_for_it() {
    let trained_for = |bot| DraftWeights::for_bot(&lux(), 3, bot).about;
    assert!(trained_for("evil-pixie").contains("evil-pixie"));
    assert!(trained_for("quo").contains("authors"));
    assert!(trained_for("angry").contains("authors"));
    let of_four = DraftWeights::for_bot(&lux(), 4, "quo").about;
    assert!(of_four.contains("rule of thumb"));
}

#[test]
fn shipped_weights_can_be_read() {
    for name in DraftWeights::builtin_names() {
        let weights = DraftWeights::builtin(name).expect(name);
        DraftEvaluator::new(&lux(), weights.players, weights, true).expect(name);
    }
}
