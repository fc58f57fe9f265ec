//! Tests of the drafters and of bots that use them.

use std::sync::Arc;

use hegemon_core::rules::Start;
use hegemon_core::{
    Game, Map, Move, Node, Phase, PlayerId, Rng, Rules, State, TerritoryId, TerritorySet, View,
};
use hegemon_eval::draft::{DraftEvaluator, DraftWeights};

use super::{DraftBoard, GreedyDrafter, UctDrafter, UctParams};
use crate::bot::{Bot, Seating};
use crate::loader::Grants;
use crate::lux::LUX_BOTS;
use crate::registry::{build, check};
use crate::spec::Spec;

fn game(map: &str, n_players: usize) -> Option<Arc<Game>> {
    let mut rules = Rules::preset("draft").expect("shipped");
    rules.start = Start::Draft;
    Game::new(Map::builtin(map).expect("shipped"), rules, n_players).ok()
}

fn spec(text: &str) -> Spec {
    text.parse().expect(text)
}

fn authors() -> DraftEvaluator {
    let map = Map::builtin("classic-lux").expect("shipped");
    let weights = DraftWeights::builtin("draft-authors").expect("shipped");
    DraftEvaluator::new(&map, 3, weights, true).expect("for this map")
}

/// Drafts to the end and calls `visit` with each claim.
fn draft(game: &Arc<Game>, specs: &[Spec], seed: u64, mut visit: impl FnMut(&State, Move)) {
    let mut state = game.deal(seed);
    let mut bots: Vec<Box<dyn Bot>> = game
        .seats()
        .map(|seat| {
            let seating = Seating {
                game,
                seat,
                seed,
                grants: &Grants::sealed(),
            };
            build(&specs[seat.index() % specs.len()], &seating).expect("it fits any game")
        })
        .collect();
    while state.phase() == Phase::Claim {
        let Node::Decision(player) = state.node() else {
            panic!("claims are decisions");
        };
        let mv = bots[player.index()]
            .choose(View::of_mover(&state))
            .expect("a move");
        visit(&state, mv);
        state.play(mv).expect("legal");
    }
}

#[test]
fn drafters_are_legal_everywhere() {
    let drafters = ["random", "greedy", "uct(sims=60)", "killbot", "baseline"];
    let specs: Vec<Spec> = drafters
        .iter()
        .map(|text| spec(&format!("quo(draft={text})")))
        .collect();
    for map in Map::REFERENCE {
        for n_players in 2..=6 {
            let Some(game) = game(map, n_players) else {
                continue;
            };
            let mut n_claims = 0;
            for shift in 0..specs.len() {
                let mut seated = specs.clone();
                seated.rotate_left(shift);
                draft(&game, &seated, 7, |_, mv| {
                    n_claims += usize::from(matches!(mv, Move::Claim { .. }));
                });
            }
            assert_eq!(n_claims, specs.len() * game.map().n_territories());
        }
    }
}

#[test]
fn drafted_bots_finish_their_games() {
    let game = game("classic-lux", 3).expect("a game");
    let specs = [
        "quo(draft=uct(sims=40))",
        "drafted(base=baseline,draft=greedy)",
        "killbot",
    ];
    let mut state = game.deal(5);
    let mut dice = Rng::from_seed(5);
    let mut bots: Vec<Box<dyn Bot>> = game
        .seats()
        .map(|seat| {
            let seating = Seating {
                game: &game,
                seat,
                seed: 5,
                grants: &Grants::sealed(),
            };
            build(&spec(specs[seat.index()]), &seating).expect("a bot")
        })
        .collect();
    while state.node() != Node::Terminal && state.round() < 100 {
        match state.node() {
            Node::Decision(player) => {
                let mv = bots[player.index()]
                    .choose(View::of_mover(&state))
                    .expect("a move");
                state.play(mv).expect("legal");
            }
            _ => state.resolve_sampled(&mut dice),
        }
    }
    assert!(state.round() > 1);
}

#[test]
fn a_borrowed_draft_is_the_lenders() {
    let game = game("classic-lux", 3).expect("a game");
    let claims = |text: &str| {
        let mut claims = Vec::new();
        draft(
            &game,
            &[spec(text), spec("quo"), spec("boscoe")],
            3,
            |_, mv| claims.push(mv),
        );
        claims
    };
    assert_eq!(claims("quo(draft=killbot)"), claims("killbot"));
    assert_ne!(claims("quo(draft=killbot)"), claims("quo(draft=boscoe)"));
    // Vector 2 of docs/spec/lux.md 11, in another seat: the draft of Quo goes
    // on as its own.
    assert_eq!(claims("boscoe(draft=quo)"), claims("quo"));
}

#[test]
fn greedy_opens_in_europe_with_three_neighbors() {
    let game = game("classic-lux", 3).expect("a game");
    let state = game.deal(1);
    let best =
        GreedyDrafter::new(authors()).best(game.map(), &DraftBoard::of(View::of_mover(&state)));
    assert!(!best.is_empty());
    for t in best {
        let continent = game.map().continent_name(game.map().continent_of(t));
        assert_eq!((continent, game.map().neighbors(t).len()), ("Europe", 3));
    }
}

/// Equal shares: of all corners of a map without weights those with the fewest
/// free neighbours.
#[test]
fn greedy_breaks_ties_by_free_neighbors() {
    let game = game("classic-lux", 3).expect("a game");
    let map = game.map();
    let mut weights = DraftWeights::rule_of_thumb(map, 3);
    let linear = weights.linear.as_mut().expect("linear");
    (linear.enemy_neighbor, linear.friendly_pair) = (0.0, 0.0);
    linear
        .continents
        .iter_mut()
        .for_each(|k| k.weights.fill(1.0));
    let greedy = GreedyDrafter::new(DraftEvaluator::new(map, 3, &weights, true).expect("fits"));
    let mut draft = DraftBoard::of(View::of_mover(&game.deal(1)));
    let fewest = map.territories().map(|t| map.neighbors(t).len()).min();
    let expected: TerritorySet = map
        .territories()
        .filter(|&t| Some(map.neighbors(t).len()) == fewest)
        .collect();
    assert_eq!(greedy.best(map, &draft), expected);
    // With Eastern Australia taken by another, its neighbours have one less;
    // New Guinea (3 neighbours) now ties with territories of two.
    draft.owners[0] = PlayerId::new(1);
    let best = greedy.best(map, &draft);
    assert!(best.contains(TerritoryId::new(1)) && best.contains(TerritoryId::new(2)));
    // Own territories count too: the surroundings of both are free.
    draft.owners[0] = draft.mover;
    let best = greedy.best(map, &draft);
    assert_eq!(best, [1, 2].into_iter().map(TerritoryId::new).collect());
}

/// Two continents of two, three of the four territories free: the greedy pick
/// is worth most now, but allows the opponent to complete the better continent.
#[test]
fn uct_sees_what_greedy_does_not() {
    let game = game("line4", 2).expect("a game");
    let map = game.map();
    let mut weights = DraftWeights::rule_of_thumb(map, 2);
    let linear = weights.linear.as_mut().expect("linear");
    (linear.enemy_neighbor, linear.friendly_pair) = (0.0, 0.0);
    linear.seats = vec![0.0, 0.0];
    linear.intercept = 10.0;
    // A half of the West is worth 3 at once, the whole of the East 60.
    for k in &mut linear.continents {
        k.weights = if k.name == "West" {
            vec![0.0, 3.0, 3.0]
        } else {
            vec![0.0, 1.0, 60.0]
        };
    }
    let evaluator = DraftEvaluator::new(map, 2, &weights, true).expect("fits");
    let east: TerritorySet = map
        .territories()
        .filter(|&t| map.continent_name(map.continent_of(t)) == "East")
        .collect();
    let west = map.all() - east;
    let mut draft = DraftBoard::of(View::of_mover(&game.deal(1)));
    // The opponent, who is next, has half of the East.
    let enemy = PlayerId::new(1);
    let mine = PlayerId::new(0);
    draft.owners[east.first().expect("some").index()] = enemy;
    draft.owners[west.first().expect("some").index()] = mine;
    draft.mover = mine;
    let free_east = east
        .iter()
        .find(|t| draft.owners[t.index()] == PlayerId::NOBODY);
    let mut linear = weights.linear.clone().expect("linear");
    linear
        .continents
        .iter_mut()
        .filter(|k| k.name == "West")
        .for_each(|k| {
            k.weights = vec![0.0, 3.0, 30.0];
        });
    let tempting = DraftWeights {
        linear: Some(linear),
        ..weights
    };
    let tempted = DraftEvaluator::new(map, 2, &tempting, true).expect("fits");
    let greedy = GreedyDrafter::new(tempted.clone()).best(map, &draft);
    assert!(
        greedy.iter().all(|t| west.contains(t)),
        "greedy completes the West"
    );
    let mut uct = UctDrafter::new(
        tempted,
        UctParams {
            n_simulations: 200,
            exploration: 0.01,
        },
    );
    assert_eq!(uct.search(draft.clone(), &mut Rng::from_seed(1)), free_east);
    let mut uct = UctDrafter::new(evaluator, UctParams::default());
    assert_eq!(uct.search(draft, &mut Rng::from_seed(1)), free_east);
}

#[test]
fn uct_outdrafts_greedy_and_greedy_random() {
    let game = game("classic-lux", 3).expect("a game");
    let drafters = ["uct(sims=300)", "greedy", "random"];
    let specs = drafters.map(|text| spec(&format!("quo(draft={text})")));
    let evaluator = authors();
    let mut sums = [0.0; 3];
    for seed in 0..6 {
        let mut order = [0, 1, 2];
        order.rotate_left(seed as usize % 3);
        let seated = order.map(|n| specs[n].clone());
        let mut owners = vec![PlayerId::NOBODY; 42];
        draft(&game, &seated, seed, |state, mv| {
            if let Move::Claim { territory } = mv {
                owners[territory.index()] = state.player();
            }
        });
        let shares = evaluator.shares(&owners);
        for (seat, n) in order.into_iter().enumerate() {
            sums[n] += shares.0[seat];
        }
    }
    assert!(sums[0] > sums[1] && sums[1] > sums[2], "{sums:?}");
}

#[test]
fn every_lux_bot_and_parameter_is_registered() {
    let game = game("classic-lux", 3).expect("a game");
    for lux in &LUX_BOTS {
        for text in [
            "",
            "(draft=own)",
            "(draft=uct(sims=3000,c=0.01),cards-phase=off)",
        ] {
            check(
                &spec(&format!("{}{text}", lux.name)),
                &game,
                &Grants::sealed(),
            )
            .expect("registered");
        }
    }
    check(
        &spec("evil-pixie(later-sdk=on,border-force=12)"),
        &game,
        &Grants::sealed(),
    )
    .expect("registered");
    for wrong in [
        "quo(draft=nonsense)",
        "quo(draft=uct(simz=3))",
        "quo(draft=uct(sims=0))",
        "quo(draft=greedy(weights=none))",
        "quo(later-sdk=on)",
        "evil-pixie(border-force=many)",
        "quo(cards-phase=maybe)",
    ] {
        assert!(
            check(&spec(wrong), &game, &Grants::sealed()).is_err(),
            "{wrong}"
        );
    }
}
