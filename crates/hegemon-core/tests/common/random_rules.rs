//! Random rules over every axis.

use hegemon_core::battle::DiceRule;
use hegemon_core::rules::{
    Attack, Battle, CardScheme, Cards, Commitment, EarlyStop, End, FirstPlayer, Fortify, Income,
    InitialArmies, Occupy, Placement, Start, TieBreak, Victory,
};
use hegemon_core::{Map, Rng, Rules};

use super::{between, one_of};

/// Rules without contradiction for this map and number of players. Always with
/// a turn limit, so that every game ends.
pub(crate) fn random_rules(rng: &mut Rng, map: &Map, n_players: usize) -> Rules {
    let neutral = rng.chance(0.5) && (n_players > 2 || map.n_territories() >= 3);
    let n_parties = n_players + usize::from(neutral && n_players == 2);
    let fewest = map.n_territories().div_ceil(n_parties) as u32;
    let initial_armies = if rng.chance(0.3) {
        InitialArmies::Lux
    } else {
        InitialArmies::ByPlayers([(fewest + rng.below(16)) as u16; 5])
    };
    let battle = random_battle(rng);
    let supply = match initial_armies {
        // A limit close to the initial armies, so that it is reached.
        InitialArmies::ByPlayers([armies, ..]) if rng.chance(0.3) => armies + rng.below(12) as u16,
        _ => one_of(rng, &[150, 300, 30_000]),
    };
    // Fast growth without a limit makes battles of thousands, and listing those
    // takes as long as everything else.
    let growth = if supply > 300 {
        one_of(rng, &[0, 5])
    } else {
        one_of(rng, &[0, 5, 33, 100])
    };
    let mut rules = Rules::default();
    rules.players = [2, 6];
    rules.start = one_of(rng, &[Start::Deal, Start::Draft]);
    rules.first_player = one_of(rng, &[FirstPlayer::Seat, FirstPlayer::Random]);
    rules.initial_armies = initial_armies;
    rules.placement = random_placement(rng);
    rules.neutral = neutral;
    let fortify = [
        Fortify::None,
        Fortify::OneAdjacent,
        Fortify::OneConnected,
        Fortify::ManyAdjacent,
        Fortify::ManyAdjacent,
    ];
    rules.fortify = one_of(rng, &fortify);
    rules.victory = random_victory(rng, battle);
    rules.supply = supply;
    rules.income = Income {
        divisor: between(rng, 1, 4) as u8,
        minimum: rng.below(5) as u8,
        growth,
    };
    rules.cards = random_cards(rng);
    rules.battle = battle;
    rules.end = random_end(rng);
    rules
}

fn random_placement(rng: &mut Rng) -> Placement {
    match rng.below(5) {
        0 => Placement::AllAtOnce,
        1 => Placement::Even,
        2 => Placement::Scatter,
        _ => Placement::RoundRobin {
            batch: between(rng, 1, 5) as u16,
            merge_last: rng.chance(0.5),
        },
    }
}

fn random_victory(rng: &mut Rng, battle: Battle) -> Victory {
    match rng.below(4) {
        0 => Victory::Missions,
        1 => {
            let possible = battle.dice.defender_max < 3 && battle.attack != Attack::Groups;
            Victory::Capitals {
                hold: between(rng, 2, 3) as u8,
                extra_die: possible && rng.chance(0.7),
            }
        }
        _ => Victory::Conquest,
    }
}

fn random_cards(rng: &mut Rng) -> Cards {
    let scheme = match rng.below(5) {
        0 => CardScheme::Off,
        1 => CardScheme::Fixed([4, 6, 8, 10]),
        2 => CardScheme::Progressive {
            values: vec![4, 6, 8, 10, 12, 15],
            step: 5,
        },
        3 => CardScheme::Progressive {
            values: vec![3],
            step: rng.below(3) as u16,
        },
        _ => CardScheme::Step { first: 4, step: 2 },
    };
    let on = scheme != CardScheme::Off;
    Cards {
        scheme,
        wild: if on { rng.below(5) as u8 } else { 0 },
        territory_bonus: rng.below(4) as u8,
        bonus_once: rng.chance(0.5),
        forced_from: between(rng, 5, 7) as u8,
        capture: on && rng.chance(0.7),
        capture_forced_from: between(rng, 5, 7) as u8,
        return_at_once: rng.chance(0.4),
    }
}

fn random_battle(rng: &mut Rng) -> Battle {
    let attack = one_of(
        rng,
        &[
            Attack::Roll,
            Attack::Roll,
            Attack::ToTheEnd,
            Attack::Groups,
            Attack::BalancedBlitz,
        ],
    );
    let commitment = one_of(rng, &[Commitment::Choice, Commitment::Maximum]);
    if attack == Attack::Groups {
        let dice = DiceRule::OFFICIAL;
        let occupy = Occupy::One;
        return Battle {
            attack,
            commitment,
            dice,
            occupy,
        };
    }
    Battle {
        attack,
        commitment,
        dice: DiceRule {
            attacker_max: one_of(rng, &[3, 3, 2, 1]),
            defender_max: one_of(rng, &[2, 2, 3, 1]),
            defender_second_from: between(rng, 2, 4),
            ties_to_attacker: rng.chance(0.2),
        },
        occupy: one_of(rng, &[Occupy::One, Occupy::DiceRolled]),
    }
}

fn random_end(rng: &mut Rng) -> End {
    let tie_breaks = [
        vec![TieBreak::Territories, TieBreak::Armies],
        vec![TieBreak::Armies],
        vec![TieBreak::Territories],
        Vec::new(),
    ];
    End {
        turn_limit: Some(one_of(rng, &[3, 8, 20])),
        tie_breaks: one_of(rng, &tie_breaks),
        round_cap: 1000,
        early_stop: rng.chance(0.15).then(|| EarlyStop {
            lead: between(rng, 1, 8) as u8,
            after_actions: rng.below(60),
        }),
    }
}
