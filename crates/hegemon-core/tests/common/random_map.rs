//! Random connected maps.

use hegemon_core::{ContinentSpec, Map, MapSpec, Rng, TerritorySpec};

use super::{between, one_of};

/// A connected map of `n` territories: a random tree, some more connections,
/// some continents, sometimes missions.
pub(crate) fn random_map(rng: &mut Rng, n: usize) -> Map {
    let mut connections: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut connect = |a: usize, b: usize| {
        if a != b && !connections[a].contains(&b) {
            connections[a].push(b);
            connections[b].push(a);
        }
    };
    for later in 1..n {
        // Mostly near ones, so that the map is not a star.
        let reach = later.min(4) as u32;
        connect(later, later - 1 - rng.below(reach) as usize);
    }
    for _ in 0..rng.below(n as u32 + 1) {
        let (a, b) = (rng.below(n as u32) as usize, rng.below(n as u32) as usize);
        connect(a, b);
    }
    let n_continents = between(rng, 1, n.min(12) as u32) as usize;
    // The first territories make sure that no continent is empty.
    let continent_of: Vec<usize> = (0..n)
        .map(|t| {
            if t < n_continents {
                t
            } else {
                rng.below(n_continents as u32) as usize
            }
        })
        .collect();
    let continents = (0..n_continents)
        .map(|c| ContinentSpec {
            name: format!("C{c}"),
            bonus: rng.below(8) as u16,
            color: String::from("#808080"),
        })
        .collect();
    let territories = (0..n)
        .map(|t| TerritorySpec {
            name: format!("T{t}"),
            continent: format!("C{}", continent_of[t]),
            connections: connections[t]
                .iter()
                .map(|other| format!("T{other}"))
                .collect(),
            position: [t as f64, 0.0],
        })
        .collect();
    let missions = (0..rng.below(4))
        .map(|_| random_mission(rng, n_continents))
        .collect();
    let spec = MapSpec {
        name: format!("random{n}"),
        continents,
        territories,
        missions,
    };
    Map::new(spec).expect("connected by construction")
}

fn random_mission(rng: &mut Rng, n_continents: usize) -> Vec<String> {
    let mut names = vec![format!("C{}", rng.below(n_continents as u32))];
    if rng.chance(0.5) {
        let more = [
            String::from("*"),
            format!("C{}", rng.below(n_continents as u32)),
        ];
        names.push(one_of(rng, &more));
    }
    names
}
