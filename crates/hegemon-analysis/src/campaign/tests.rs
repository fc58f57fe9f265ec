//! Campaigns against enumeration, chains and samples.

use super::*;
use hegemon_core::battle::chain;
use hegemon_core::{Game, Map, Rng, Rules};

/// Seat 0 stands in one territory, seat 1 in all others.
fn state(map: &str, rules: &str, stack: (&str, u32), armies: impl Fn(usize) -> u32) -> State {
    let map = Map::builtin(map).expect("shipped");
    let game = Game::new(map, Rules::preset(rules).expect("shipped"), 2).expect("a game");
    let own = game.map().territory_named(stack.0).expect("on the map");
    let board: String = game
        .map()
        .territories()
        .map(|t| match t == own {
            true => format!("a{}", stack.1),
            false => format!("b{}", armies(t.index())),
        })
        .collect();
    let text = format!("board={board} phase=attack player=0 round=3");
    State::from_position(&game, &text).expect("a position")
}

fn continent(state: &State, name: &str) -> CampaignGoal {
    let map = state.game().map();
    let found = map.continents().find(|c| map.continent_name(*c) == name);
    CampaignGoal::Continent(found.expect("on the map"))
}

/// The chance by trying everything, one exchange of dice after another.
fn brute(field: &Field, taken: u32, stack: usize, armies: u32) -> f64 {
    if taken & field.goal == field.goal {
        return f64::from(u8::from(armies >= field.garrison));
    }
    let nexts = (0..field.start())
        .filter(|n| field.near[stack] >> n & 1 == 1 && taken >> n & 1 == 0)
        .filter(|n| !field.is_route || *n == taken.count_ones() as usize);
    nexts
        .map(|place| brute_battle(field, taken, stack, armies, place, field.defenders[place]))
        .fold(0.0, f64::max)
}

fn brute_battle(
    field: &Field,
    taken: u32,
    stack: usize,
    armies: u32,
    place: usize,
    defenders: u32,
) -> f64 {
    if defenders == 0 {
        let (taken, survivors) = (taken | 1 << place, armies - 1);
        let least = field.fewest_in(place, survivors).max(1);
        let ahead = armies.saturating_sub(field.garrison);
        let ahead = if ahead >= least {
            brute(field, taken, place, ahead)
        } else {
            0.0
        };
        let sent = least.max(field.garrison);
        let behind = if armies > sent {
            brute(field, taken, stack, armies - sent)
        } else {
            0.0
        };
        return f64::max(ahead, behind);
    }
    if armies < 2 {
        return 0.0;
    }
    let round = field.laws[place].round(armies - 1, defenders);
    let (weights, total) = round.weights().expect("a small round");
    let by_loss = (0..).zip(weights);
    by_loss
        .map(|(lost, weight)| {
            let (a, d) = (armies - lost, defenders - (round.comparisons() - lost));
            let p = *weight as f64 / total as f64;
            p * brute_battle(field, taken, stack, a, place, d)
        })
        .sum()
}

#[test]
fn small_campaigns_agree_with_trying_everything() {
    for (rules, garrison) in [("lux", 1), ("classic", 1), ("lux", 2)] {
        for stack in [2, 4, 7, 9] {
            let state = state("classic", rules, ("Siam", stack), |t| 1 + t as u32 % 2);
            let from = state.game().map().territory_named("Siam").expect("there");
            let goal = continent(&state, "Australia");
            let campaign = Campaign::new(&state, from, &goal, garrison).expect("a way");
            let odds = campaign.odds().expect("in time");
            assert!(odds.is_exact);
            let slow = brute(&campaign.field, 0, campaign.field.start(), stack);
            assert!((odds.chance - slow).abs() < 1e-12, "{} {slow}", odds.chance);
        }
    }
}

#[test]
fn a_route_is_a_chain() {
    let state = state("classic", "lux", ("Siam", 12), |_| 2);
    let map = state.game().map();
    let named = |name| map.territory_named(name).expect("there");
    let route = ["Indonesia", "New Guinea", "Eastern Australia"].map(named);
    let goal = CampaignGoal::Route(route.to_vec());
    let odds = Campaign::new(&state, named("Siam"), &goal, 1)
        .expect("a way")
        .odds()
        .expect("in time");
    let law = state.game().battles().law();
    let known = chain(law, 11, &[2, 2, 2], &[]).expect("sound").success();
    assert!((odds.chance - known).abs() < 1e-12);
    assert_eq!(odds.steps.len(), 3);
    assert!((odds.steps[2].taken - known).abs() < 1e-12);
}

#[test]
fn a_campaign_that_is_stopped_has_no_odds() {
    let state = state("classic", "lux", ("Siam", 12), |_| 2);
    let from = state.game().map().territory_named("Siam").expect("there");
    let stop = Stop::new();
    stop.raise();
    let goal = continent(&state, "Australia");
    let campaign = Campaign::new(&state, from, &goal, 1).expect("a way");
    let campaign = campaign.until(&stop);
    assert_eq!(campaign.odds(), Err(CampaignError::Stopped));
    assert_eq!(campaign.armies_for(0.5), Err(CampaignError::Stopped));
}

/// Which way leads to a far goal is chosen beforehand: the weaker one of two, and no more is
/// claimed than that.
#[test]
fn a_far_goal_is_reached_by_the_weaker_of_two_ways_and_is_a_lower_bound() {
    let strong = |name| {
        let state = state("classic", "lux", ("Afghanistan", 30), |_| 1);
        let map = state.game().map();
        let named = |name| map.territory_named(name).expect("there");
        let mut setup = state.setup();
        setup.board[named(name).index()].1 = 25;
        let state = State::new(state.game(), &setup).expect("a position");
        let goal = CampaignGoal::Route(vec![named("Siam")]);
        assert!(
            Campaign::new(&state, named("Afghanistan"), &goal, 1).is_err(),
            "far"
        );
        let goal = continent(&state, "Australia");
        let campaign = Campaign::new(&state, named("Afghanistan"), &goal, 1).expect("a way");
        campaign.odds().expect("in time")
    };
    let (china, india) = (strong("China"), strong("India"));
    for odds in [&china, &india] {
        assert!(odds.chance > 0.9, "{odds:?}");
        assert!(!odds.is_exact, "another way may be better");
    }
}

/// Share of `n` campaigns that take everything, and the mean of the armies lost, where
/// battles are drawn and the plan is followed.
fn sampled(campaign: &Campaign, n: u32) -> (f64, f64) {
    let (field, never) = (&campaign.field, Stop::never());
    let mut solver = Solver::new(field, campaign.armies, &never);
    solver.solve().expect("in time");
    let mut choices: BTreeMap<(Key, u32), Option<(usize, After)>> = BTreeMap::new();
    let (mut won, mut lost) = (0, 0.0);
    let mut rng = Rng::from_seed(5);
    for _ in 0..n {
        let (mut key, mut armies) = ((0, field.start()), campaign.armies);
        while !solver.is_done(key.0) && armies > 1 {
            let choice = choices.entry((key, armies));
            let Some((place, after)) = choice.or_insert_with(|| solver.choice(key, armies)) else {
                break;
            };
            let defenders = field.defenders[*place];
            let losses = field.laws[*place].sample(armies - 1, defenders, &mut rng);
            lost += f64::from(losses.attacker);
            if losses.defender < defenders {
                break;
            }
            let split = after[(armies - 1 - losses.attacker) as usize].1;
            armies = split.stack;
            let stack = if split.moves_on { *place } else { key.1 };
            key = (key.0 | 1 << *place, stack);
        }
        won += u32::from(solver.is_done(key.0));
    }
    (f64::from(won) / f64::from(n), lost / f64::from(n))
}

#[test]
fn a_stack_that_would_take_all_memory_is_refused() {
    let state = state("classic", "lux", ("Siam", 30_000), |t| 1 + t as u32 % 4);
    let from = state.game().map().territory_named("Siam").expect("there");
    let goal = continent(&state, "Australia");
    let campaign = Campaign::new(&state, from, &goal, 1).expect("a way");
    assert_eq!(campaign.odds(), Err(CampaignError::TooLarge(30_000)));
    let need = campaign.armies_for(0.8);
    assert!(need.is_ok(), "another number is asked for");
}

/// Large campaigns against battles that are drawn: a million of one, fewer of others.
#[test]
fn large_campaigns_agree_with_samples() {
    for (from, armies, take, n) in [
        ("Brazil", 17, "Africa", 1_000_000),
        ("Brazil", 40, "Africa", 20_000),
        ("Siam", 24, "Asia", 20_000),
        ("Ukraine", 20, "Europe", 20_000),
    ] {
        let state = state("classic", "lux", (from, armies), |t| 1 + t as u32 % 4);
        let stack = state.game().map().territory_named(from).expect("there");
        let goal = continent(&state, take);
        let campaign = Campaign::new(&state, stack, &goal, 1).expect("a way");
        let odds = campaign.odds().expect("in time");
        let (share, lost) = sampled(&campaign, n);
        let spread = (odds.chance * (1.0 - odds.chance) / f64::from(n)).sqrt();
        assert!(
            (share - odds.chance).abs() < 4.0 * spread.max(1e-5),
            "{from} to {take}: {share}, not {}",
            odds.chance
        );
        assert!(
            (lost - odds.losses).abs() < 0.3,
            "{lost}, not {}",
            odds.losses
        );
    }
}

#[test]
fn enough_armies_are_the_fewest() {
    let state = state("classic", "lux", ("Siam", 3), |_| 3);
    let from = state.game().map().territory_named("Siam").expect("there");
    let goal = continent(&state, "Australia");
    let campaign = Campaign::new(&state, from, &goal, 1).expect("a way");
    let armies = campaign.armies_for(0.8).expect("in reach");
    let chance = |n| {
        campaign
            .clone()
            .with_armies(n)
            .odds()
            .expect("in time")
            .chance
    };
    assert!(chance(armies) >= 0.8 && chance(armies - 1) < 0.8);
    assert_eq!(campaign.armies_for(0.0), Ok(1), "a stack has an army");
    assert_eq!(campaign.armies_for(1.0), Err(CampaignError::OutOfReach));
}

#[test]
fn what_cannot_be_reached_is_said() {
    let state = state("classic", "lux", ("Siam", 3), |_| 3);
    let from = state.game().map().territory_named("Siam").expect("there");
    let own = CampaignGoal::Player(PlayerId::new(0));
    let error = Campaign::new(&state, from, &own, 1).expect_err("own land");
    assert_eq!(error, CampaignError::NothingToTake);
    // All 41 territories of the other player are too many for one campaign.
    let all = CampaignGoal::Player(PlayerId::new(1));
    let error = Campaign::new(&state, from, &all, 1).expect_err("too many");
    assert_eq!(error, CampaignError::TooMany(41));
    let far = CampaignGoal::Route(vec![
        state.game().map().territory_named("Brazil").expect("there"),
    ]);
    let error = Campaign::new(&state, from, &far, 1).expect_err("far away");
    assert_eq!(error, CampaignError::Unreachable("Brazil".to_owned()));
    let indonesia = state.game().map().territory_named("Indonesia");
    let again = CampaignGoal::Route(vec![indonesia.expect("there"); 2]);
    let error = Campaign::new(&state, from, &again, 1).expect_err("twice");
    assert_eq!(error, CampaignError::Twice("Indonesia".to_owned()));
    // A far continent is reached by the shortest way.
    let goal = continent(&state, "South America");
    let campaign = Campaign::new(&state, from, &goal, 1).expect("a way");
    assert!(campaign.field.places.len() > 5);
    assert!(campaign.with_armies(60).odds().expect("in time").chance > 0.5);
}

/// A capital has its extra die whether its first owner is still in the game or not.
#[test]
fn a_campaign_against_a_capital_is_fought_as_the_game_fights_it() {
    let mut rules = Rules::preset("lux").expect("shipped");
    rules.victory = hegemon_core::rules::Victory::Capitals {
        hold: 3,
        extra_die: true,
    };
    let map = Map::builtin("triangle3").expect("shipped");
    let game = Game::new(map, rules, 3).expect("a game");
    let capitals = "capital=0@0 capital=1@2 capital=2@1 out=2@0.1";
    let text = format!("board=a9b4b2 phase=attack player=0 round=3 {capitals}");
    let state = State::from_position(&game, &text).expect("a position");
    let (from, to) = (TerritoryId::new(0), TerritoryId::new(1));
    let campaign = Campaign::new(&state, from, &CampaignGoal::Route(vec![to]), 1).expect("a way");
    let mut battle = state.clone();
    battle.play_unchecked(hegemon_core::Move::Attack { from, to, with: 8 });
    let mut win = 0.0;
    battle.for_each_outcome(|outcome, weight| {
        let hegemon_core::Outcome::Battle {
            defender_losses, ..
        } = outcome
        else {
            return;
        };
        if defender_losses == 4 {
            win += weight as f64 / battle.chance_total() as f64;
        }
    });
    let chance = campaign.odds().expect("in time").chance;
    assert!((chance - win).abs() < 1e-9, "{chance}, not {win}");
}
