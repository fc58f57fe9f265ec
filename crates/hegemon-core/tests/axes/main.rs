//! Every axis of the rules on positions made by hand.

#[path = "../common/mod.rs"]
mod common;

mod battle;
mod cards;
mod ending;
mod fortify;
mod income;
mod setup;
mod victory;
mod view;

use common::territory;
use hegemon_core::{Card, Hand, State};

/// A board text for the classic map: the owner's letter and armies of each
/// territory by its number.
pub(crate) fn classic_board(land: impl Fn(usize) -> (char, u32)) -> String {
    let text: String = (0..42)
        .map(|t| {
            let (owner, armies) = land(t);
            format!("{owner}{armies}")
        })
        .collect();
    format!("board={text}")
}

pub(crate) fn hand(text: &str) -> Hand {
    let mut hand = Hand::default();
    for card in text.split('.') {
        hand.insert(match card {
            "w" => Card::Wild,
            number => Card::Territory(territory(number.parse().expect("a number"))),
        });
    }
    hand
}

pub(crate) fn weights(state: &State) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    state.for_each_outcome(|outcome, weight| all.push((outcome.to_string(), weight)));
    all
}
