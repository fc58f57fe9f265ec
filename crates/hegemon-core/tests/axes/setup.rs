//! Deals, drafts, placements and the neutral army.

use crate::common::{game, game_with, play_all, position, preset, seat, territory};
use hegemon_core::rules::{FirstPlayer, InitialArmies, Placement, Start};
use hegemon_core::{Ending, Game, GameError, Map, Move, Node, Phase, PlayerId};

#[test]
fn initial_armies_by_table_and_by_lux() {
    for (n, armies) in [(2, 40), (3, 35), (4, 30), (5, 25), (6, 20)] {
        assert_eq!(game("classic", preset("lux"), n).initial_armies(), armies);
        assert_eq!(
            game("classic", preset("classic"), n).initial_armies(),
            armies
        );
    }
    // (1 + (80/42 - 1)/2) * (50 - 5N), rounded.
    for (n, armies) in [(2, 58), (3, 51), (4, 44), (5, 36), (6, 29)] {
        assert_eq!(
            game("archipelago80", preset("lux"), n).initial_armies(),
            armies
        );
    }
}

#[test]
fn sampling_starts_with_eighteen_threes_and_three_twos() {
    let game = game("classic", preset("sampling"), 2);
    for seed in 0..20 {
        let state = game.deal(seed);
        assert_eq!(state.phase(), Phase::Reinforce);
        assert_eq!(state.round(), 1);
        for p in game.seats() {
            let own = state.board().owned(p);
            let armies: Vec<u32> = own.iter().map(|t| state.board().armies(t)).collect();
            // In map order: the last three come short.
            assert_eq!(armies, [&[3; 18][..], &[2; 3][..]].concat());
        }
    }
}

#[test]
fn first_player_is_seat_zero_or_drawn() {
    let lux = game("classic", preset("lux"), 4);
    assert!((0..20).all(|seed| lux.deal(seed).first_player() == seat(0)));
    let drawn = game_with("classic", "lux", 4, |r| {
        r.first_player = FirstPlayer::Random;
    });
    let firsts: Vec<PlayerId> = (0..40)
        .map(|seed| drawn.deal(seed).first_player())
        .collect();
    assert!(drawn.seats().all(|p| firsts.contains(&p)));
    // The first player is dealt first, and places first.
    for state in (0..20).map(|seed| drawn.deal(seed)) {
        assert_eq!(state.player(), state.first_player());
        assert_eq!(state.board().n_owned(state.first_player()), 11);
    }
}

#[test]
fn a_draft_goes_round_in_turn() {
    let game = game_with("duel6", "draft", 3, |_| {});
    let mut state = game.deal(1);
    assert_eq!(state.phase(), Phase::Claim);
    for (t, p) in [0, 1, 2, 0, 1, 2].into_iter().enumerate() {
        assert_eq!(state.node(), Node::Decision(seat(p)));
        assert_eq!(state.n_legal_moves(), 6 - t);
        play_all(&mut state, &format!("c{}", 5 - t));
        assert_eq!(state.board().owner(territory(5 - t)), seat(p));
        assert_eq!(state.board().armies(territory(5 - t)), 1);
    }
    assert_eq!((state.phase(), state.player()), (Phase::Setup, seat(0)));
    assert!(state.play("c0".parse().expect("a move")).is_err());
}

#[test]
fn lux_places_batches_of_four_and_five_at_the_end() {
    // Three players on the classic map: 35 armies, 14 of them on the board.
    let game = game("classic", preset("lux"), 3);
    let mut state = game.deal(5);
    let mut batches: Vec<(usize, u32)> = Vec::new();
    while state.phase() == Phase::Setup {
        let (player, armies) = (state.player(), state.to_place());
        batches.push((player.index(), armies));
        let home = state.board().owned(player).first().expect("some land");
        state
            .play(Move::Place {
                territory: home,
                armies,
            })
            .expect("legal");
    }
    let expected: Vec<(usize, u32)> = [4, 4, 4, 4, 5]
        .into_iter()
        .flat_map(|batch| (0..3).map(move |p| (p, batch)))
        .collect();
    assert_eq!(batches, expected);
    assert!(game.seats().all(|p| state.board().total_armies(p) == 35));
}

#[test]
fn a_batch_may_be_split() {
    let game = game_with("line4", "draft", 2, |r| {
        r.initial_armies = InitialArmies::ByPlayers([6; 5]);
    });
    let mut state = position(
        &game,
        "board=a1b1a1b1 phase=setup player=0 place=4 reserve=1x4",
    );
    play_all(&mut state, "p0x1 p2x2");
    assert_eq!((state.player(), state.to_place()), (seat(0), 1));
    play_all(&mut state, "p0x1 p1x4");
    assert_eq!((state.round(), state.phase()), (1, Phase::Reinforce));
}

#[test]
fn placements_without_a_batch() {
    let all = game_with("line4", "sampling", 2, |r| {
        r.placement = Placement::AllAtOnce;
        r.initial_armies = InitialArmies::ByPlayers([7; 5]);
        r.first_player = FirstPlayer::Seat;
    });
    let mut state = all.deal(1);
    assert_eq!(
        (state.phase(), state.player(), state.to_place()),
        (Phase::Setup, seat(0), 5)
    );
    let first = state.legal_moves()[4];
    state.play(first).expect("five at once");
    assert_eq!((state.player(), state.to_place()), (seat(1), 5));

    let scattered = game_with("line4", "sampling", 2, |r| {
        r.placement = Placement::Scatter;
        r.initial_armies = InitialArmies::ByPlayers([7; 5]);
    });
    let state = scattered.deal(1);
    assert_eq!((state.phase(), state.round()), (Phase::Reinforce, 1));
    assert!(
        scattered
            .seats()
            .all(|p| state.board().total_armies(p) == 7)
    );
    let boards: Vec<String> = (0..20)
        .map(|seed| scattered.deal(seed).to_position())
        .collect();
    assert!(
        boards.iter().any(|text| *text != boards[0]),
        "scattered at random"
    );
}

#[test]
fn two_players_get_a_neutral_third() {
    let game = game("classic", preset("classic"), 2);
    assert!(game.has_neutral() && !game.has_draft());
    let mut state = game.deal(3);
    let owners = [seat(0), seat(1), PlayerId::NEUTRAL];
    assert!(owners.iter().all(|&p| state.board().n_owned(p) == 14));
    // In turn: two armies of one's own, then one of the neutral's.
    let mut expected = state.first_player();
    for n in 0..26 {
        assert_eq!(
            (state.phase(), state.player()),
            (Phase::Setup, expected),
            "turn {n}"
        );
        assert_eq!((state.to_place(), state.neutral_to_place()), (2, 1));
        let home = state.board().owned(expected).first().expect("some land");
        let neutral = state
            .board()
            .owned(PlayerId::NEUTRAL)
            .first()
            .expect("some land");
        let on_neutral = Move::Place {
            territory: neutral,
            armies: 1,
        };
        assert!(!state.is_legal(on_neutral), "one's own come first");
        state
            .play(Move::Place {
                territory: home,
                armies: 2,
            })
            .expect("legal");
        assert!(!state.is_legal(Move::Place {
            territory: home,
            armies: 1
        }));
        state.play(on_neutral).expect("then the neutral's");
        expected = seat(1 - expected.index());
    }
    assert_eq!((state.phase(), state.round()), (Phase::Reinforce, 1));
    assert!(owners.iter().all(|&p| state.board().total_armies(p) == 40));
}

#[test]
fn a_game_of_two_is_won_without_the_neutral_land() {
    let game = game("duel6", preset("classic"), 2);
    let mut state = position(&game, "board=a1a1a1a5b1n9 phase=attack player=0 round=4");
    play_all(&mut state, "a3>4x3 B0:1 o3");
    assert_eq!(state.result().expect("over").ending, Ending::Conquest);
}

#[test]
fn three_players_have_no_neutral_army() {
    assert!(!game("classic", preset("classic"), 3).has_neutral());
}

#[test]
fn games_that_cannot_be_are_refused_with_a_sentence() {
    let map = |name| Map::builtin(name).expect("shipped");
    let refused = |map, rules, n| Game::new(map, rules, n).expect_err("no game").to_string();
    assert_eq!(
        refused(map("classic"), preset("sampling"), 3),
        "these rules are for 2 players, not for 3"
    );
    assert_eq!(
        refused(map("classic"), preset("lux"), 7),
        "these rules are for 2 to 6 players, not for 7"
    );
    assert_eq!(
        refused(map("line4"), preset("lux"), 5),
        "4 territories are too few for 5 players"
    );
    let mut rules = preset("classic");
    rules.initial_armies = InitialArmies::ByPlayers([13; 5]);
    assert_eq!(
        refused(map("classic"), rules.clone(), 3),
        "13 armies at the start do not cover the 14 territories of a player"
    );
    rules.initial_armies = InitialArmies::ByPlayers([50; 5]);
    rules.supply = 49;
    assert_eq!(
        refused(map("classic"), rules, 3),
        "50 armies at the start are more than the supply of 49"
    );
    let mut rules = preset("lux");
    rules.income.divisor = 0;
    let error = Game::new(map("classic"), rules, 3).expect_err("no game");
    assert!(matches!(error, GameError::Rules(_)));
}

#[test]
fn starts_are_dealt_or_drafted() {
    for (start, phase) in [(Start::Deal, Phase::Setup), (Start::Draft, Phase::Claim)] {
        let game = game_with("classic", "classic", 3, |r| r.start = start);
        assert_eq!(game.deal(1).phase(), phase);
    }
}
