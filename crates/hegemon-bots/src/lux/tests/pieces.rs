//! The shared pieces by themselves: iterators, searches, clusters.

use hegemon_core::{ContinentId, State, TerritoryId, TerritorySet, View};

use super::game;
use crate::lux::clusters::{append, cluster_borders, for_each_cluster, simple_route};
use crate::lux::list::{List, OneAhead};
use crate::lux::paths::{route_through_enemies, route_to_continent, route_to_territory};
use crate::lux::scene::Scene;

fn t(index: usize) -> TerritoryId {
    TerritoryId::new(index)
}

fn text(list: &[TerritoryId]) -> String {
    let names: Vec<String> = list.iter().map(ToString::to_string).collect();
    names.join(" ")
}

/// Looks at a board of the classic map: everything `default`, then changes.
fn with_scene<R>(default: &str, changes: &[(usize, &str)], look: impl Fn(&Scene<'_>) -> R) -> R {
    let game = game("classic-lux", "draft", 2);
    let cell = |n: usize| match changes.iter().find(|change| change.0 == n) {
        Some((_, cell)) => (*cell).to_owned(),
        None => default.to_owned(),
    };
    let cells: String = (0..42).map(cell).collect();
    let position = format!("board={cells} phase=attack player=0 round=1");
    let state = State::from_position(&game, &position).expect("a position");
    look(&Scene::new(View::of_mover(&state)))
}

#[test]
fn the_iterator_looks_one_ahead() {
    let set = |bits| TerritorySet::from_bits(bits);
    let mut ahead = OneAhead::new(set(0b1011), |_| true);
    // 1 was stored when 0 was returned, so it is returned although removed; 2
    // was added after the stored one and is found.
    assert_eq!(ahead.next(set(0b1011), |_| true), Some(t(0)));
    assert_eq!(ahead.next(set(0b1101), |_| true), Some(t(1)));
    assert_eq!(ahead.next(set(0b1101), |_| true), Some(t(2)));
    assert_eq!(ahead.next(set(0b1101), |_| true), Some(t(3)));
    assert_eq!(ahead.next(set(0b1101), |_| true), None);
}

#[test]
fn the_iterator_reaches_the_last_territory() {
    let last = TerritorySet::of(t(127));
    let mut ahead = OneAhead::new(last, |_| true);
    assert_eq!(ahead.next(last, |_| true), Some(t(127)));
    assert_eq!(ahead.next(last, |_| true), None);
}

#[test]
fn lists_keep_their_order() {
    let mut list: List = [t(3), t(1), t(2), t(1)].into_iter().collect();
    list.remove(t(1));
    assert_eq!(text(&list), "3 2 1");
    list.retain(|x| x != t(2));
    assert_eq!(text(&list), "3 1");
    list.reverse();
    assert_eq!(text(&list), "1 3");
}

#[test]
fn routes_lead_from_me_to_a_continent() {
    // From Brazil over North Africa into Europe or around: the cheaper.
    let cells = [(5, "a9"), (12, "b4"), (26, "b1"), (28, "b1")];
    let route = with_scene("b3", &cells, |scene| {
        route_to_continent(scene, ContinentId::new(4))
    });
    assert_eq!(route.map(|r| text(&r)).as_deref(), Some("5 12 28"));
    // A territory inside is a route of its own.
    let cells = [(5, "a9"), (24, "a1"), (29, "a1")];
    let route = with_scene("b3", &cells, |scene| {
        route_to_continent(scene, ContinentId::new(4))
    });
    assert_eq!(route.map(|r| text(&r)).as_deref(), Some("24"));
}

#[test]
fn routes_lead_from_me_to_a_territory() {
    let cells = [(3, "a9"), (31, "b1"), (32, "b2"), (30, "b1")];
    let route = with_scene("b5", &cells, |scene| route_to_territory(scene, t(30)));
    assert_eq!(route.map(|r| text(&r)).as_deref(), Some("3 32 31 30"));
    let own = with_scene("b5", &cells, |scene| route_to_territory(scene, t(3)));
    assert_eq!(own.map(|r| text(&r)).as_deref(), Some("3"));
}

#[test]
fn routes_through_enemies_never_use_my_land() {
    let cells = [(14, "a9"), (15, "a1"), (16, "a1")];
    let route = with_scene("b2", &cells, |scene| {
        route_through_enemies(scene, t(14), ContinentId::new(2))
    });
    assert_eq!(route.map(|r| text(&r)).as_deref(), Some("14 7 5 12"));
}

#[test]
fn borders_come_breadth_first() {
    let cells = [
        (0, "a1"),
        (1, "a1"),
        (2, "a1"),
        (3, "a1"),
        (32, "a1"),
        (31, "a1"),
    ];
    let borders = with_scene("b1", &cells, |scene| {
        let mut list = List::EMPTY;
        cluster_borders(scene, t(0), &mut list);
        list
    });
    assert_eq!(text(&borders), "32 31");
}

#[test]
fn clusters_start_at_their_lowest_territory() {
    let cells = [(0, "b1"), (1, "b1"), (5, "b1"), (4, "b1"), (40, "b1")];
    let clusters = with_scene("a1", &cells, |scene| {
        let hostile = scene.map.all() - scene.own;
        let texts = std::cell::RefCell::new(Vec::new());
        for_each_cluster(scene, hostile, |cluster| {
            texts.borrow_mut().push(text(cluster));
        });
        texts.into_inner().join(" | ")
    });
    assert_eq!(clusters, "0 1 | 4 5 | 40");
}

#[test]
fn a_simple_route_visits_all_once() {
    let cells = [(0, "b1"), (1, "b1"), (2, "b1"), (3, "b1")];
    let route = with_scene("a1", &cells, |scene| {
        simple_route(scene, &[t(0), t(1), t(2), t(3)])
    });
    assert_eq!(route.map(|r| text(&r)).as_deref(), Some("3 1 0 2"));
    // A star of three rays has no such way.
    let star = [(17, "b1"), (15, "b1"), (20, "b1"), (18, "b1")];
    let none = with_scene("a1", &star, |scene| {
        simple_route(scene, &[t(15), t(17), t(20), t(18)])
    });
    assert!(none.is_some(), "15 and 18 are neighbours");
    let star = [(10, "b1"), (8, "b1"), (12, "b1"), (30, "b1")];
    let none = with_scene("a1", &star, |scene| {
        simple_route(scene, &[t(8), t(10), t(12), t(30)])
    });
    assert!(none.is_none());
}

#[test]
fn a_lead_is_joined_to_a_route() {
    with_scene("b1", &[(32, "a1")], |scene| {
        let route: List = [t(3), t(1), t(0), t(2)].into_iter().collect();
        // It ends where the route begins.
        assert_eq!(text(&append(scene, &[t(32), t(3)], &route)), "32 3 1 0 2");
        // It enters at the route's end: the route is walked backwards.
        let backwards: List = [t(2), t(0), t(1), t(3)].into_iter().collect();
        let lead = [t(32), t(3), t(2)];
        assert_eq!(text(&append(scene, &lead, &backwards)), "32 3 1 0 2");
        // It enters in the middle: another way through is looked for.
        let middle: List = [t(0), t(2), t(3), t(1)].into_iter().collect();
        let lead = [t(32), t(3), t(2), t(0)];
        assert_eq!(text(&append(scene, &lead, &middle)), "32 3 1 0 2");
    });
}
