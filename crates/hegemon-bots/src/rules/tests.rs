//! Turns in one piece against decision by decision.

use std::sync::Arc;

use hegemon_core::rules::{Attack, EarlyStop, Victory};
use hegemon_core::{Game, Map, Node, Rng, Rules, State, View};

use super::{Baseline, ProgramPolicy, Simulation};
use crate::policy::Policy;
use crate::spec::Spec;

/// Plays the same decisions one by one, with the outcomes between them.
fn play_singly(state: &mut State, policy: &mut impl Policy, n_decisions: u32, rng: &mut Rng) {
    for n in 0..n_decisions {
        if n > 0 && state.node() == Node::Chance {
            state.resolve_sampled(rng);
        }
        let mv = policy.choose(View::of_mover(state), rng);
        assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
        state.play_unchecked(mv);
    }
}

fn compare(game: &Arc<Game>, policy: &mut impl Policy, seed: u64) -> u32 {
    let mut rng = Rng::stream(seed, "limits");
    let mut state = game.deal(seed);
    let mut dice = Rng::stream(seed, "dice");
    let mut n_runs = 0;
    for _ in 0..400 {
        match state.node() {
            Node::Terminal => break,
            Node::Chance => state.resolve_sampled(&mut dice),
            Node::Decision(_) => {
                let most = match rng.below(3) {
                    0 => u32::MAX,
                    _ => 1 + rng.below(12),
                };
                let (mut slow, mut slow_dice) = (state.clone(), dice.clone());
                let n = policy.play_on(game, &mut state, most, &mut dice);
                assert!((1..=most).contains(&n));
                play_singly(&mut slow, policy, n, &mut slow_dice);
                if slow.node() == Node::Chance && slow != state {
                    slow.resolve_sampled(&mut slow_dice);
                }
                let text = slow.to_position();
                assert_eq!(state.to_position(), text, "seed {seed}");
                assert_eq!(state, slow, "seed {seed}: {text}");
                assert_eq!(state.last(), slow.last(), "seed {seed}: {text}");
                assert_eq!(state.hash64(), state.recompute_hash64());
                assert_eq!(dice, slow_dice, "seed {seed}: {text}");
                n_runs += u32::from(n > 1);
            }
        }
    }
    n_runs
}

/// The presets, and rules whose attacks cannot be run through.
fn all_rules() -> Vec<Rules> {
    let preset = |name: &str| Rules::preset(name).expect("shipped");
    let changed = |name: &str, change: fn(&mut Rules)| {
        let mut rules = preset(name);
        change(&mut rules);
        rules
    };
    let mut all: Vec<Rules> = Rules::PRESETS.into_iter().map(preset).collect();
    all.push(changed("sampling", |rules| {
        rules.end.early_stop = Some(EarlyStop {
            lead: 3,
            after_actions: 20,
        });
    }));
    all.push(changed("classic", |rules| {
        rules.victory = Victory::Missions;
    }));
    all.push(changed("classic", |rules| {
        rules.victory = Victory::Capitals {
            hold: 2,
            extra_die: true,
        };
    }));
    all.push(changed("sampling", |rules| {
        rules.battle.attack = Attack::BalancedBlitz;
    }));
    all.push(changed("sampling", |rules| {
        rules.battle.dice.defender_second_from = 3;
        rules.battle.dice.ties_to_attacker = true;
    }));
    all.push(changed("sampling", |rules| {
        rules.battle.dice.defender_second_from = 6;
        rules.end.turn_limit = Some(4);
    }));
    all
}

#[test]
fn turns_in_one_piece_are_the_decisions_one_by_one() {
    let mut n_runs = 0;
    for rules in all_rules() {
        for map in Map::references() {
            for n_players in [2, 3, 6] {
                let Ok(game) = Game::new(map.clone(), rules.clone(), n_players) else {
                    continue;
                };
                for seed in 0..4 {
                    n_runs += compare(&game, &mut Simulation, seed);
                    n_runs += compare(&game, &mut Baseline, seed);
                }
            }
        }
    }
    assert!(n_runs > 5_000, "{n_runs} turns of more than one decision");
}

/// The decisions of a policy in all seats of a game, as text; all must be legal.
fn decisions(game: &Arc<Game>, policy: &mut impl Policy, seed: u64) -> Vec<String> {
    let mut state = game.deal(seed);
    let mut rng = Rng::stream(seed, "decisions");
    let mut all = Vec::new();
    while all.len() < 400 {
        match state.node() {
            Node::Terminal => break,
            Node::Chance => state.resolve_sampled(&mut rng),
            Node::Decision(_) => {
                let mv = policy.choose(View::of_mover(&state), &mut rng);
                assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
                all.push(mv.to_string());
                state.play_unchecked(mv);
            }
        }
    }
    all
}

/// The policy of a spec.
fn program_policy(text: &str) -> ProgramPolicy {
    let spec: Spec = text.parse().expect("a spec");
    ProgramPolicy::of_spec(&spec).expect("sound")
}

#[test]
fn every_difference_of_the_program_is_legal_and_changes_play() {
    let game = |preset: &str| {
        let (map, rules) = (Map::builtin("classic"), Rules::preset(preset));
        Game::new(map.expect("shipped"), rules.expect("shipped"), 2).expect("sound")
    };
    let alone = [
        "simulation(odds=program)",
        "simulation(active=source)",
        "simulation(spare=target)",
        "simulation(ties=first)",
        "simulation(odds=program,active=source,spare=target,ties=first)",
        "baseline(ratio=before)",
        "baseline(spare=target)",
        "baseline(ties=first)",
        "baseline(ratio=before,spare=target,ties=first)",
    ];
    for text in alone {
        let plain = text.split('(').next().expect("a name");
        let mut n_changed = 0;
        for seed in 0..5 {
            let sampling = game("sampling");
            let changed = decisions(&sampling, &mut program_policy(text), seed);
            let as_written = decisions(&sampling, &mut program_policy(plain), seed);
            n_changed += u32::from(changed != as_written);
            let fast = match plain {
                "simulation" => decisions(&sampling, &mut Simulation, seed),
                _ => decisions(&sampling, &mut Baseline, seed),
            };
            assert_eq!(as_written, fast, "{plain}, seed {seed}");
            decisions(&game("classic"), &mut program_policy(text), seed);
        }
        assert!(n_changed > 0, "{text}");
    }
}
