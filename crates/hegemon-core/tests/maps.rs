//! Maps: every fault by its name, all at once; and the shipped maps.

mod common;

use std::collections::BTreeSet;

use common::{preset, territory};
use hegemon_core::rules::Victory;
use hegemon_core::{
    Game, MAX_MISSIONS, Map, MapFault, MapSpec, Node, Phase, Rng, Rules, TerritorySpec,
};

fn spec(name: &str) -> MapSpec {
    Map::builtin(name).expect("shipped").spec().clone()
}

/// The faults of line4 (One - Two in West, Three - Four in East) after a change.
fn faults(spoil: impl FnOnce(&mut MapSpec)) -> Vec<MapFault> {
    let mut spec = spec("line4");
    spoil(&mut spec);
    Map::new(spec).expect_err("spoilt").faults
}

fn game_on(map: Map, n_players: usize, change: impl FnOnce(&mut Rules)) -> std::sync::Arc<Game> {
    let mut rules = preset("classic");
    change(&mut rules);
    Game::new(map, rules, n_players).expect("rules fit the map")
}

fn text(name: &str) -> String {
    name.to_owned()
}

#[test]
fn each_fault_has_a_name() {
    type Spoil = fn(&mut MapSpec);
    let cases: [(Spoil, MapFault, &str); 13] = [
        (
            |m| m.territories[3].connections.clear(),
            MapFault::OneWayConnection {
                from: text("Three"),
                to: text("Four"),
            },
            "\"Three\" connects to \"Four\", but not the other way round",
        ),
        (
            |m| m.territories[0].continent = text("North"),
            MapFault::UnknownContinent {
                territory: text("One"),
                continent: text("North"),
            },
            "\"One\" lies in \"North\", which is not a continent of the map",
        ),
        (
            |m| m.territories[0].connections.push(text("Five")),
            MapFault::UnknownNeighbor {
                territory: text("One"),
                neighbor: text("Five"),
            },
            "\"One\" connects to \"Five\", which is not a territory of the map",
        ),
        (
            |m| m.continents[1].name = text("West"),
            MapFault::DuplicateContinent(text("West")),
            "two continents are called \"West\"",
        ),
        (
            |m| {
                let copy = m.territories[0].clone();
                m.territories.push(copy);
            },
            MapFault::DuplicateTerritory(text("One")),
            "two territories are called \"One\"",
        ),
        (
            |m| m.territories[1].connections.push(text("Two")),
            MapFault::SelfConnection(text("Two")),
            "\"Two\" connects to itself",
        ),
        (
            |m| m.territories[1].connections.push(text("One")),
            MapFault::DuplicateConnection {
                territory: text("Two"),
                neighbor: text("One"),
            },
            "\"Two\" lists \"One\" twice",
        ),
        (
            |m| {
                m.territories
                    .iter_mut()
                    .for_each(|t| t.continent = text("West"));
            },
            MapFault::EmptyContinent(text("East")),
            "continent \"East\" has no territory",
        ),
        (
            |m| m.territories[2].position[1] = f64::NAN,
            MapFault::NonFinitePosition(text("Three")),
            "the position of \"Three\" is not a finite number",
        ),
        (
            |m| m.territories[2].position[0] = f64::INFINITY,
            MapFault::NonFinitePosition(text("Three")),
            "the position of \"Three\" is not a finite number",
        ),
        (
            |m| {
                m.territories[1].connections.pop();
                m.territories[2].connections.remove(0);
            },
            MapFault::Disconnected {
                unreachable: vec![text("Three"), text("Four")],
            },
            "the board is not connected: no way to \"Three\", \"Four\"",
        ),
        (
            |m| m.missions = vec![vec![text("West"), text("*"), text("South")]],
            MapFault::UnknownMissionContinent(text("South")),
            "a mission names \"South\", which is not a continent of the map",
        ),
        (
            |m| m.territories.clear(),
            MapFault::TooFewTerritories(0),
            "the map has 0 territories; at least 2 are needed",
        ),
    ];
    for (spoil, fault, sentence) in cases {
        let found = faults(spoil);
        assert!(found.contains(&fault), "{fault:?} not in {found:?}");
        assert_eq!(fault.to_string(), sentence);
    }
}

/// 252 missions and those of every map made 256, which no byte can count.
#[test]
fn missions_beyond_the_limit_are_refused_and_those_within_are_dealt() {
    let listed = |n: usize| {
        let mut spec = spec("duel6");
        let name = spec.continents[0].name.clone();
        spec.missions = vec![vec![name]; n];
        Map::new(spec)
    };
    for n in [252, 256, 70_000, MAX_MISSIONS + 1] {
        let error = listed(n).expect_err("too many");
        assert_eq!(error.faults, [MapFault::TooManyMissions(n)]);
    }
    let game = game_on(
        listed(MAX_MISSIONS).expect("within the limit"),
        3,
        |rules| {
            rules.victory = Victory::Missions;
        },
    );
    for seed in 0..20 {
        let mut state = game.start();
        let mut rng = Rng::stream(seed, "missions");
        while state.node() == Node::Chance || state.phase() < Phase::Setup {
            match state.node() {
                Node::Chance => state.resolve_sampled(&mut rng),
                _ => state.play(state.legal_moves()[0]).expect("listed"),
            }
        }
        assert!(game.seats().all(|seat| state.mission(seat).is_some()));
    }
}

/// Terminal escapes, names that show nothing and names without end.
#[test]
fn a_name_that_cannot_be_printed_is_refused() {
    let (long, very_long) = ("x".repeat(65), "x".repeat(100_000));
    for name in [
        very_long.as_str(),
        "",
        " ",
        "One ",
        "\u{1b}[2J",
        "a\nb",
        "a\0",
        "\u{202e}eno",
        "\u{200b}",
        "\u{9b}31m",
        "\u{3164}",
        "\u{2800}\u{2800}",
        "\u{e0041}\u{e0042}",
        "\u{301}",
        "a\u{e0041}",
        "?!",
        long.as_str(),
    ] {
        let fault = MapFault::UnprintableName(text(name));
        assert!(faults(|m| m.name = text(name)).contains(&fault), "{name:?}");
        let found = faults(|m| m.territories[3].name = text(name));
        assert!(found.contains(&fault), "{name:?}");
        let found = faults(|m| m.continents[1].name = text(name));
        assert!(found.contains(&fault), "{name:?}");
        for sentence in found
            .iter()
            .filter(|f| **f == fault)
            .map(ToString::to_string)
        {
            assert!(!sentence.contains(|c: char| c.is_control()), "{sentence:?}");
            assert!(sentence.len() < 300, "{sentence:?}");
        }
    }
    for name in ["Österreich", "日本", "St. John's", "d'Or 2"] {
        let mut spec = spec("line4");
        spec.name = text(name);
        Map::new(spec).expect(name);
    }
}

#[test]
fn a_color_is_six_digits() {
    for color in ["", "red", "#12345", "#12345g", "#1234567", "\u{1b}[0m"] {
        let found = faults(|m| m.continents[0].color = text(color));
        let fault = MapFault::BadColor {
            continent: text("West"),
            color: text(color),
        };
        assert_eq!(found, [fault]);
    }
}

/// A file with millions of entries costs no more than reading it.
#[test]
fn long_lists_are_refused_before_they_are_compared() {
    let found = faults(|m| m.territories[0].connections = vec![text("Two"); 2_000_000]);
    assert_eq!(found, [MapFault::TooManyConnections(text("One"))]);
    let found = faults(|m| m.missions = vec![vec![text("*"); 2_000_000]]);
    assert_eq!(found, [MapFault::TooLongMission(2_000_000)]);
}

#[test]
fn too_many_of_anything_is_a_fault() {
    let long = |n: usize| {
        faults(|m| {
            m.territories = (0..n)
                .map(|t| TerritorySpec {
                    name: format!("T{t}"),
                    continent: text("West"),
                    connections: [t.checked_sub(1), (t + 1 < n).then_some(t + 1)]
                        .into_iter()
                        .flatten()
                        .map(|other| format!("T{other}"))
                        .collect(),
                    position: [0.0, 0.0],
                })
                .collect();
        })
    };
    let empty_east = MapFault::EmptyContinent(text("East"));
    assert_eq!(long(128), std::slice::from_ref(&empty_east));
    // Beyond a limit nothing else is checked: that could take forever.
    assert_eq!(long(129), [MapFault::TooManyTerritories(129)]);
    let found = faults(|m| {
        let first = m.continents[0].clone();
        m.continents = (0..33)
            .map(|n| hegemon_core::ContinentSpec {
                name: format!("C{n}"),
                ..first.clone()
            })
            .collect();
    });
    assert_eq!(found[0], MapFault::TooManyContinents(33));
}

#[test]
fn faults_come_all_at_once() {
    let mut spoilt = spec("line4");
    spoilt.territories[0].position[0] = f64::NAN;
    spoilt.territories[1].continent = text("North");
    spoilt.territories[2].connections = vec![text("Three"), text("Nowhere")];
    let error = Map::new(spoilt).expect_err("spoilt");
    assert_eq!(
        error.faults,
        [
            MapFault::NonFinitePosition(text("One")),
            MapFault::UnknownContinent {
                territory: text("Two"),
                continent: text("North")
            },
            MapFault::OneWayConnection {
                from: text("Two"),
                to: text("Three")
            },
            MapFault::SelfConnection(text("Three")),
            MapFault::UnknownNeighbor {
                territory: text("Three"),
                neighbor: text("Nowhere")
            },
            MapFault::OneWayConnection {
                from: text("Four"),
                to: text("Three")
            },
            MapFault::Disconnected {
                unreachable: vec![text("Four")]
            },
        ]
    );
    assert_eq!(error.to_string().lines().count(), 7);
}

#[test]
fn text_that_is_no_map_is_a_fault_with_a_line() {
    assert!(
        Map::from_json("")
            .expect_err("empty")
            .to_string()
            .contains("empty")
    );
    for json in [
        "{",
        "[]",
        r#"{"name": "x", "continents": [], "territories": [], "rivers": []}"#,
    ] {
        let error = Map::from_json(json).expect_err(json);
        assert!(matches!(error.faults[..], [MapFault::Syntax(_)]), "{json}");
        assert!(error.to_string().contains("line"), "{error}");
    }
}

#[test]
fn shipped_maps_are_sound_and_read_back() {
    for name in Map::builtin_names() {
        let map = Map::builtin(name).expect(name);
        assert_eq!(map.name(), name);
        let again = Map::from_json(&map.spec().to_json()).expect("written and read");
        assert_eq!(again.spec(), map.spec());
        assert_eq!(again.hash(), map.hash());
        for t in map.territories() {
            assert_eq!(map.neighbors(t).len(), map.neighbor_list(t).len());
            assert!(map.continent(map.continent_of(t)).territories.contains(t));
            assert_eq!(
                map.territory_named(&map.territory_name(t).to_uppercase()),
                Some(t)
            );
        }
    }
    assert!(Map::builtin("atlantis").is_none());
    let large = Map::builtin("archipelago80").expect("shipped");
    assert!(large.n_territories() > 64);
}

/// Connections by name, the smaller name first.
fn edges(map: &Map) -> BTreeSet<(String, String)> {
    let mut edges = BTreeSet::new();
    for t in map.territories() {
        for &other in map.neighbor_list(t) {
            let pair = [t, other].map(|t| map.territory_name(t).to_owned());
            let [a, b] = pair;
            edges.insert(if a < b { (a, b) } else { (b, a) });
        }
    }
    edges
}

#[test]
fn the_classic_map_has_its_numbers() {
    let map = Map::builtin("classic").expect("shipped");
    assert_eq!((map.n_territories(), map.n_connections()), (42, 83));
    let continents: Vec<(&str, usize, u16)> = map
        .continents()
        .map(|c| {
            let continent = map.continent(c);
            (
                map.continent_name(c),
                continent.territories.len(),
                continent.bonus,
            )
        })
        .collect();
    assert_eq!(
        continents,
        [
            ("North America", 9, 5),
            ("South America", 4, 2),
            ("Europe", 7, 5),
            ("Africa", 6, 3),
            ("Asia", 12, 7),
            ("Australia", 4, 2),
        ]
    );
    // The well-known numbers of entries to each continent.
    let borders: Vec<usize> = map
        .continents()
        .map(|c| map.continent(c).borders.len())
        .collect();
    assert_eq!(borders, [3, 2, 4, 3, 5, 1]);
}

#[test]
fn the_two_classic_maps_have_the_same_edges() {
    let [classic, lux] =
        ["classic", "classic-lux"].map(|name| Map::builtin(name).expect("shipped"));
    assert_eq!(edges(&classic).len(), 83);
    assert_eq!(edges(&classic), edges(&lux));
    assert_ne!(classic.hash(), lux.hash(), "the order differs");
}

#[test]
fn the_hash_depends_on_play_and_not_on_drawing() {
    let base = Map::builtin("line4").expect("shipped");
    let changed = |change: fn(&mut MapSpec)| {
        let mut spec = base.spec().clone();
        change(&mut spec);
        Map::new(spec).expect("still a map").hash()
    };
    assert_eq!(
        changed(|m| m.continents[0].color = text("#ffffff")),
        base.hash()
    );
    assert_eq!(
        changed(|m| m.territories[0].position = [9.0, 9.0]),
        base.hash()
    );
    assert_ne!(changed(|m| m.continents[0].bonus += 1), base.hash());
    assert_ne!(
        changed(|m| m.territories[1].connections.reverse()),
        base.hash()
    );
    assert_ne!(
        changed(|m| m.missions.push(vec![text("West")])),
        base.hash()
    );
}

#[test]
fn reachable_agrees_with_a_plain_flood() {
    use common::random_map::random_map;
    use hegemon_core::{Rng, TerritorySet};
    let mut rng = Rng::stream(1, "flood");
    for n in [4, 42, 63, 64, 65, 100, 128] {
        let map = random_map(&mut rng, n);
        for _ in 0..50 {
            let within: TerritorySet = map.territories().filter(|_| rng.chance(0.6)).collect();
            let Some(start) = within.first() else {
                continue;
            };
            let mut reached = vec![start];
            let mut next = 0;
            while let Some(&t) = reached.get(next) {
                for &other in map.neighbor_list(t) {
                    if within.contains(other) && !reached.contains(&other) {
                        reached.push(other);
                    }
                }
                next += 1;
            }
            let expected: TerritorySet = reached.into_iter().collect();
            assert_eq!(map.reachable(start, within), expected);
        }
        assert_eq!(map.reachable(territory(0), map.all()), map.all());
    }
}
