//! No bot ever proposes an illegal move, whatever the rules, the map and the
//! number of players.

use std::sync::Arc;

use hegemon_core::rules::{Fortify, Victory};
use hegemon_core::{Game, Map, Rng, Rules, State};

use super::play;
use crate::lux::{LUX_BOTS, LuxBot, LuxOptions};

/// Rules besides the presets: the axes that these do not use.
fn rule_sets() -> Vec<(String, Rules)> {
    let mut sets: Vec<(String, Rules)> = Rules::PRESETS
        .iter()
        .map(|&name| (name.to_owned(), Rules::preset(name).expect("shipped")))
        .collect();
    let mut add = |name: &str, change: fn(&mut Rules)| {
        let mut rules = Rules::preset("classic").expect("shipped");
        change(&mut rules);
        sets.push((name.to_owned(), rules));
    };
    add("missions", |rules| rules.victory = Victory::Missions);
    add("capitals", |rules| {
        rules.victory = Victory::Capitals {
            hold: 2,
            extra_die: true,
        };
    });
    add("no fortify", |rules| rules.fortify = Fortify::None);
    add("many", |rules| rules.fortify = Fortify::ManyAdjacent);
    let mut supply = Rules::preset("lux").expect("shipped");
    supply.supply = 60;
    sets.push(("supply of 60".into(), supply));
    sets
}

fn games() -> Vec<Arc<Game>> {
    let mut games = Vec::new();
    for (_, rules) in rule_sets() {
        for map in Map::REFERENCE {
            for n_players in 2..=6 {
                let map = Map::builtin(map).expect("shipped");
                games.extend(Game::new(map, rules.clone(), n_players));
            }
        }
    }
    games
}

/// Plays `n_games` of random bots, cut after some rounds.
fn play_many(n_games: u64, seed: u64) {
    let games = games();
    let mut rng = Rng::from_seed(seed);
    for number in 0..n_games {
        let game = &games[number as usize % games.len()];
        let mut bots: Vec<LuxBot> = game
            .seats()
            .map(|_| {
                let info = rng.pick(&LUX_BOTS).expect("some bots");
                let options = LuxOptions {
                    cards_phase_without_cards: rng.below(2) == 0,
                    later_sdk: rng.below(2) == 0,
                    ..LuxOptions::default()
                };
                LuxBot::new(info.kind, options)
            })
            .collect();
        let mut state = game.deal(number);
        play(&mut state, &mut bots, seed + number, |state: &State| {
            state.round() > 60
        });
    }
}

/// A few games each time; `LUX_GAMES=10000` plays the full number.
#[test]
fn no_illegal_move_under_any_rules() {
    let asked = std::env::var("LUX_GAMES").ok().and_then(|n| n.parse().ok());
    play_many(asked.unwrap_or(500), 7);
}

/// A bot seated in the middle of a game plays on from any decision.
#[test]
fn a_bot_may_take_over_anywhere() {
    let game = super::game("classic", "lux", 4);
    let mut rng = Rng::from_seed(3);
    for number in 0..60 {
        let mut state = game.deal(number);
        for takeover in 1..40 {
            let mut bots: Vec<LuxBot> = game
                .seats()
                .map(|_| {
                    let info = rng.pick(&LUX_BOTS).expect("some bots");
                    LuxBot::new(info.kind, LuxOptions::default())
                })
                .collect();
            let n_moves = std::cell::Cell::new(0);
            play(&mut state, &mut bots, number * 100 + takeover, |_| {
                n_moves.set(n_moves.get() + 1);
                n_moves.get() > 30 + takeover
            });
        }
    }
}
