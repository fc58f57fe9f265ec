//! What sampling a view keeps.

use std::collections::BTreeMap;

use crate::common::{game, position, preset, seat};
use hegemon_core::{Rng, View};

#[test]
fn unseen_cards_are_sampled_evenly() {
    let game = game("duel6", preset("classic"), 3);
    let text =
        "board=a3a1b1b1c1c1 phase=attack player=0 round=3 hand=0@0 hand=1@1 hand=2@2.3 discard=w";
    let state = position(&game, text);
    let view = View::new(&state, seat(0));
    let mut rng = Rng::stream(1, "view");
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..6_000 {
        let card = view
            .sample_state(&mut rng)
            .hand(seat(1))
            .nth(0)
            .expect("one card");
        *counts.entry(card.to_string()).or_default() += 1;
    }
    // 1 to 5 and the other wild card; not 0 and not the discarded one.
    assert_eq!(
        counts.keys().collect::<Vec<_>>(),
        ["1", "2", "3", "4", "5", "w"]
    );
    assert!(
        counts.values().all(|&n| (850..1150).contains(&n)),
        "{counts:?}"
    );
}

#[test]
fn who_may_trade_holds_a_set_in_every_sample() {
    let game = game("duel6", preset("classic"), 3);
    let text = "board=a3a1b1b1c1c1 phase=trade player=1 place=3 round=3 hand=0@0 hand=1@1.2.3";
    let state = position(&game, text);
    let mut rng = Rng::stream(1, "view");
    for _ in 0..200 {
        let sampled = View::new(&state, seat(0)).sample_state(&mut rng);
        assert!(sampled.hand(seat(1)).has_set());
    }
}
