//! A run of attacks makes the draws of single attacks and ends in the same state.

mod common;

use common::{between, game, game_with};
use hegemon_core::rules::{Attack, Victory};
use hegemon_core::{Assailant, Move, Node, Phase, Rng, State, Streams, TerritoryId};

/// Goes on while it has more than some fighters.
struct Careful {
    dice: Rng,
    floor: u32,
    losses: Vec<(u32, u32)>,
}

impl Assailant for Careful {
    fn dice(&mut self) -> &mut Rng {
        &mut self.dice
    }

    fn goes_on(&mut self, fighters: u32, defenders: u32) -> bool {
        assert!(defenders > 0);
        fighters > self.floor
    }

    fn on_losses(&mut self, _: u32, _: u32, losses: hegemon_core::battle::Losses) {
        self.losses.push((losses.attacker, losses.defender));
    }
}

/// The same by single attacks; the number of them.
fn one_by_one(
    state: &mut State,
    (from, to): (TerritoryId, TerritoryId),
    most: u32,
    who: &mut Careful,
) -> u32 {
    let mut n = 0;
    loop {
        let moves = state.legal_moves().into_iter();
        let strongest = moves.filter_map(|mv| match mv {
            Move::Attack {
                from: f,
                to: t,
                with,
            } if (f, t) == (from, to) => Some(with),
            _ => None,
        });
        let with = strongest.max().expect("it may attack");
        state.play(Move::Attack { from, to, with }).expect("legal");
        let before = (state.board().armies(from), state.board().armies(to));
        state.resolve_sampled(&mut who.dice);
        n += 1;
        let after = (state.board().armies(from), state.board().armies(to));
        who.losses.push((before.0 - after.0, before.1 - after.1));
        if state.phase() != Phase::Attack || n == most || !who.goes_on(after.0 - 1, after.1) {
            return n;
        }
    }
}

#[test]
fn a_run_of_attacks_is_the_same_as_single_attacks() {
    let games = [
        game("classic", common::preset("classic"), 3),
        game("classic", common::preset("sampling"), 2),
        game_with("duel6", "lux", 2, |rules| {
            rules.battle.attack = Attack::Roll;
        }),
        game("classic-lux", common::preset("lux"), 4),
        game_with("classic", "sampling", 2, |rules| {
            rules.battle.attack = Attack::Groups;
        }),
        game_with("classic", "classic", 3, |rules| {
            rules.victory = Victory::Capitals {
                hold: 3,
                extra_die: true,
            };
        }),
    ];
    let plain = games.each_ref().map(|game| game.has_plain_rolls());
    assert_eq!(plain, [true, true, true, false, false, false]);
    let mut n_runs = [0; 6];
    for (game, n_runs) in games.iter().zip(&mut n_runs) {
        for seed in 0..30 {
            let (mut state, mut streams) = (game.start(), Streams::new(seed));
            let mut rng = Rng::from_seed(seed);
            for _ in 0..400 {
                match state.node() {
                    Node::Chance => state.resolve_unchecked(streams.draw(&state)),
                    Node::Terminal => break,
                    Node::Decision(_) => {
                        let mv = *rng.pick(&state.legal_moves()).expect("a move");
                        if let Move::Attack { from, to, .. } = mv {
                            compare(&state, (from, to), &mut rng);
                            *n_runs += 1;
                        }
                        state.play(mv).expect("listed");
                    }
                }
            }
        }
    }
    assert!(n_runs.iter().all(|&n| n > 30), "{n_runs:?}");
}

fn compare(state: &State, lands: (TerritoryId, TerritoryId), rng: &mut Rng) {
    let most = between(rng, 1, 5);
    let careful = |rng: &mut Rng| Careful {
        dice: Rng::from_seed(u64::from(rng.below(1_000))),
        floor: 1,
        losses: Vec::new(),
    };
    let mut fast_who = careful(rng);
    let mut slow_who = Careful {
        dice: fast_who.dice.clone(),
        floor: fast_who.floor,
        losses: Vec::new(),
    };
    let (mut fast, mut slow) = (state.clone(), state.clone());
    let n_fast = fast.assault(lands.0, lands.1, most, &mut fast_who);
    let n_slow = one_by_one(&mut slow, lands, most, &mut slow_who);
    assert_eq!(n_fast, n_slow);
    assert_eq!(fast.to_position(), slow.to_position());
    assert_eq!(fast.hash64(), slow.hash64());
    assert_eq!(fast_who.losses.len(), n_fast as usize);
    assert_eq!(fast_who.dice.below(1 << 30), slow_who.dice.below(1 << 30));
}
