//! Tables against the paper, and play on positions made by hand.

use std::sync::Arc;

use hegemon_core::{Game, MAX_PLAYERS, Map, Move, Node, Rng, Rules, State, View};

use super::*;
use crate::policy::Policy;

/// Table 3 as the paper prints it.
const TABLE_3: &str = "\
Placement Category
Anywhere | 5 | 1 | -inf | inf
Enemy Adjacent | 5 | 1 | -inf | inf
Ally Adjacent | 5 | 1 | -inf | inf
Border Adjacent | 5 | 1 | -inf | inf
Connection Bias | 1 | 0.25 | -inf | inf
Placement Bias Multiplier | 0.85 | 0.05 | 0 | 1
Attack Category
Anywhere | 5 | 1 | -inf | inf
Ally Adjacent | 5 | 1 | -inf | inf
Border Adjacent | 5 | 1 | -inf | inf
Capture Continent | 5 | 1 | -inf | inf
Destroy Bias | 1 | 0.1 | -inf | inf
Remain Bias | -1 | 0.1 | -inf | inf
Safe Threshold | 0.95 | 0.05 | 0 | 1
Minimal Success Chance | 0.5 | 0.05 | 0 | 1
Minimal Remaining Percent | 0.1 | 0.05 | 0 | 1
Movement Category
Anywhere | 5 | 1 | -inf | inf
Enemy Adjacent | 5 | 1 | -inf | inf
Ally Adjacent | 5 | 1 | -inf | inf
Border Adjacent | 5 | 1 | -inf | inf
Bigger Territory | 5 | 1 | -inf | inf
Smaller Territory | 5 | 1 | -inf | inf
Connection Bias | 1 | 0.25 | -inf | inf
Base Transfer Rate | 0.5 | 0.05 | -inf | inf
Risky Transfer Rate | 0.3 | 0.05 | -inf | inf
Safe Transfer Rate | 0.7 | 0.05 | -inf | inf
Preference Category
Larger | 1 | 0.25 | -inf | inf
Smaller | 1 | 0.25 | -inf | inf
Risky | 1 | 0.25 | -inf | inf
Safe | 1 | 0.25 | -inf | inf";

#[test]
fn the_data_are_table_3() {
    let mut category = String::new();
    let mut rows = CHARACTERISTICS.iter();
    for line in TABLE_3.lines() {
        if let Some(name) = line.strip_suffix(" Category") {
            category = name.to_lowercase();
            continue;
        }
        let fields: Vec<&str> = line.split(" | ").collect();
        let numbers: Vec<f64> = fields[1..].iter().map(|n| n.parse().expect(n)).collect();
        let row = rows.next().expect("as many rows");
        assert_eq!(row.category.name(), category);
        assert_eq!(row.name, fields[0].to_lowercase().replace(' ', "-"));
        assert_eq!(
            [row.initial, row.adjustment, row.lower, row.upper],
            numbers[..]
        );
        assert!(!row.description.is_empty());
    }
    assert!(rows.next().is_none());
    let sizes = Category::ALL.map(|category| category.keys().count());
    assert_eq!(sizes, [6, 9, 10, 4]);
}

#[test]
fn keys_name_their_rows() {
    for (key, name) in [
        (
            Key::PLACE_BIAS_MULTIPLIER,
            "placement.placement-bias-multiplier",
        ),
        (
            Key::ATTACK_MINIMAL_REMAINING,
            "attack.minimal-remaining-percent",
        ),
        (Key::MOVE_SAFE_RATE, "movement.safe-transfer-rate"),
        (Key::PREFER_SAFE, "preference.safe"),
    ] {
        assert_eq!(key.data().full_name(), name);
        let (category, name) = name.split_once('.').expect("a full name");
        assert_eq!(Key::find(category, name), Some(key));
    }
}

#[test]
fn weights_are_read_back_and_checked() {
    for name in BeamWeights::builtin_names() {
        let weights = BeamWeights::named(name).expect(name);
        assert_eq!(BeamWeights::from_toml(&weights.to_toml()), Ok(weights));
    }
    let text = BeamWeights::initial().to_toml();
    let refuses = |from: &str, to: &str, words: &str| {
        let error = BeamWeights::from_toml(&text.replacen(from, to, 1)).expect_err(words);
        assert!(error.to_string().contains(words), "{error}");
    };
    refuses(
        "capture-continent = 5.0\n",
        "",
        "leave out \"attack.capture-continent\"",
    );
    refuses(
        "capture-continent",
        "capture-moon",
        "\"attack.capture-moon\"",
    );
    refuses(
        "safe-threshold = 0.95",
        "safe-threshold = 1.5",
        "outside its limits",
    );
    refuses(
        "kind = \"beam\"",
        "kind = \"linear\"",
        "of the kind \"linear\"",
    );
    let unknown = BeamWeights::named("evolvd").expect_err("no such name");
    assert!(
        unknown.to_string().contains("initial, evolved, cma-es"),
        "{unknown}"
    );
}

#[test]
fn plays_legally_under_every_preset_on_every_map() {
    let mut wild = Characteristics::INITIAL;
    let mut rng = Rng::from_seed(5);
    for name in Rules::PRESETS {
        for map in Map::references() {
            for n_players in 2..=MAX_PLAYERS {
                let rules = Rules::preset(name).expect(name);
                let Ok(game) = Game::new(map.clone(), rules, n_players) else {
                    continue;
                };
                for key in Key::all() {
                    wild[key] = key.data().clamp(20.0 * rng.unit() - 10.0);
                }
                for values in [Characteristics::INITIAL, wild] {
                    play_checked(&game, &values, &mut rng);
                }
            }
        }
    }
}

fn play_checked(game: &Arc<Game>, values: &Characteristics, rng: &mut Rng) {
    let mut seats = vec![BeamPolicy::new(values, game); game.n_players()];
    let mut state = game.start();
    for _ in 0..1500 {
        match state.node() {
            Node::Decision(player) => {
                let mv = seats[player.index()].choose(View::of_mover(&state), rng);
                let before = state.to_position();
                state
                    .play(mv)
                    .unwrap_or_else(|error| panic!("{error} in {before}"));
            }
            Node::Chance => state.resolve_sampled(rng),
            Node::Terminal => return,
        }
    }
}

// ---- positions made by hand: the line One-Two | Three-Four ----------------

fn line(n_players: usize) -> Arc<Game> {
    let rules = Rules::preset("beam").expect("shipped");
    Game::new(Map::builtin("line4").expect("shipped"), rules, n_players).expect("a game")
}

fn with(changes: &[(Key, f64)]) -> Characteristics {
    let mut values = Characteristics::INITIAL;
    for &(key, value) in changes {
        values[key] = value;
    }
    values
}

/// What an agent with these changes does in positions one after another.
fn choices(n_players: usize, changes: &[(Key, f64)], positions: &[&str]) -> Vec<String> {
    let game = line(n_players);
    let mut agent = BeamPolicy::new(&with(changes), &game);
    let mut choose = |position: &&str| {
        let state = State::from_position(&game, position).expect(position);
        let mv = agent.choose(View::of_mover(&state), &mut Rng::from_seed(1));
        assert!(state.is_legal(mv), "{mv} in {position}");
        mv.to_string()
    };
    positions.iter().map(&mut choose).collect()
}

fn choice(changes: &[(Key, f64)], position: &str) -> String {
    choices(2, changes, &[position]).remove(0)
}

#[test]
fn places_where_the_numbers_say() {
    let position = "board=a1a1b1b1 phase=reinforce player=0 round=1 place=3";
    let all = (Key::PLACE_BIAS_MULTIPLIER, 1.0);
    // Two touches an enemy and another continent and has two connections.
    assert_eq!(choice(&[all], position), "p1x3");
    let no_front = [all, (Key::PLACE_ENEMY_ADJACENT, -10.0)];
    assert_eq!(choice(&no_front, position), "p0x3");
    let no_border = [all, (Key::PLACE_BORDER_ADJACENT, -10.0)];
    assert_eq!(choice(&no_border, position), "p0x3");
    // Every army halves the worth of the next: 17, 8.5 and 11.
    let halves = [(Key::PLACE_BIAS_MULTIPLIER, 0.5)];
    assert_eq!(choice(&halves, position), "p1x2");
}

#[test]
fn claims_by_the_placement_numbers() {
    let mut open = line(2).deal(1);
    let mut agent = BeamPolicy::new(&with(&[(Key::PLACE_CONNECTION_BIAS, 9.0)]), &line(2));
    let mv = agent.choose(View::of_mover(&open), &mut Rng::from_seed(1));
    let is_middle = |mv: Move| ["c1", "c2"].contains(&mv.to_string().as_str());
    assert!(is_middle(mv), "{mv}");
    open.play(mv).expect("legal");
}

#[test]
fn attacks_only_what_is_viable_and_positive() {
    let strong = "board=a1a9b1b1 phase=attack player=0 round=1";
    assert_eq!(choice(&[], strong), "a1>2x8");
    assert_eq!(choice(&[(Key::ATTACK_ANYWHERE, -50.0)], strong), "end");
    let weak = "board=a1a3b9b1 phase=attack player=0 round=1";
    assert_eq!(choice(&[], weak), "end");
    let reckless = [(Key::ATTACK_MINIMAL_SUCCESS, 0.0)];
    assert_eq!(choice(&reckless, weak), "a1>2x2");
    // Twenty defenders killed are worth the attack, the own losses are not.
    let even = "board=a1a21b20b1 phase=attack player=0 round=1";
    let greedy = [
        (Key::ATTACK_ANYWHERE, -15.0),
        (Key::ATTACK_DESTROY_BIAS, 2.0),
    ];
    assert_eq!(choice(&greedy, even), "a1>2x20");
    let careful = [
        (Key::ATTACK_ANYWHERE, -15.0),
        (Key::ATTACK_REMAIN_BIAS, -2.0),
    ];
    assert_eq!(choice(&careful, even), "end");
}

#[test]
fn prefers_larger_opponents_safe_attacks_and_continents() {
    let three = |changes: &[(Key, f64)], position| choices(3, changes, &[position]).remove(0);
    // Two is ours; One is b's only territory, c has two.
    let sizes = "board=b1a9c1c1 phase=attack player=0 round=1";
    assert_eq!(three(&[(Key::PREFER_LARGER, 9.0)], sizes), "a1>2x8");
    assert_eq!(three(&[(Key::PREFER_LARGER, 0.0)], sizes), "a1>0x8");
    // One falls almost surely, Three does not.
    let risks = "board=b1a9c7c1 phase=attack player=0 round=1";
    assert_eq!(three(&[(Key::PREFER_RISKY, 0.0)], risks), "a1>0x8");
    assert_eq!(three(&[(Key::PREFER_SAFE, 0.0)], risks), "a1>2x8");
    // One completes the West, Three does not complete the East.
    let flat = [
        (Key::ATTACK_BORDER_ADJACENT, 0.0),
        (Key::ATTACK_CAPTURE_CONTINENT, 20.0),
    ];
    assert_eq!(three(&flat, sizes), "a1>0x8");
}

#[test]
fn calls_an_attack_off_and_thinks_again() {
    let before = "board=a1a11b5b1 phase=attack player=0 round=1";
    // Four of ten fighters are left against five.
    let after = "board=a1a5b5b1 phase=attack player=0 round=1";
    let viable = (Key::ATTACK_MINIMAL_SUCCESS, 0.6);
    let soon = [viable, (Key::ATTACK_MINIMAL_REMAINING, 0.5)];
    assert_eq!(choices(2, &soon, &[before, after]), ["a1>2x10", "end"]);
    let late = [viable, (Key::ATTACK_MINIMAL_REMAINING, 0.3)];
    assert_eq!(choices(2, &late, &[before, after]), ["a1>2x10", "a1>2x4"]);
}

#[test]
fn moves_in_by_the_rate_of_the_risk() {
    // Nobody threatens Two any more: safe.
    let safe = "board=a1a9a0b1 phase=occupy player=0 round=1 conquered=1 front=1>2x1";
    assert_eq!(choice(&[(Key::MOVE_SAFE_RATE, 1.5)], safe), "o8");
    assert_eq!(choice(&[(Key::MOVE_SAFE_RATE, 0.5)], safe), "o4");
    assert_eq!(choice(&[(Key::MOVE_SAFE_RATE, -1.0)], safe), "o1");
    assert_eq!(choice(&[(Key::MOVE_ANYWHERE, -99.0)], safe), "o1");
    // One threatens Two: weaker, then stronger.
    let rates = [(Key::MOVE_BASE_RATE, 0.25), (Key::MOVE_RISKY_RATE, 0.75)];
    let base = "board=b2a9a0b1 phase=occupy player=0 round=1 conquered=1 front=1>2x1";
    assert_eq!(choice(&rates, base), "o2");
    let risky = "board=b9a9a0b1 phase=occupy player=0 round=1 conquered=1 front=1>2x1";
    assert_eq!(choice(&rates, risky), "o6");
}

#[test]
fn fortifies_the_best_destination() {
    let all = (Key::MOVE_SAFE_RATE, 1.0);
    let position = "board=a5a1a2b1 phase=fortify player=0 round=1";
    // Three touches the enemy; only Two can move there and has nothing to move.
    assert_eq!(choice(&[all], position), "f0>1x4");
    assert_eq!(choice(&[(Key::MOVE_ANYWHERE, -99.0)], position), "end");
    let front = "board=a5a3a2b1 phase=fortify player=0 round=1";
    assert_eq!(choice(&[all], front), "f1>2x2");
    let bigger = [all, (Key::MOVE_BIGGER_TERRITORY, 50.0)];
    assert_eq!(choice(&bigger, front), "f2>1x1");
}
