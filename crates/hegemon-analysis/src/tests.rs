//! Luck has mean zero; an analysis is a function of its record, level and seed.

use std::collections::BTreeSet;
use std::sync::Arc;

use hegemon_bots::{Bot, Grants, Inquiry, Judge, Seating, Spec, Stop, build};
use hegemon_core::{
    Event, Game, Map, Move, Node, Outcome, Phase, PlayerId, Rules, State, Streams, View,
};
use hegemon_record::{GameRecord, Header, RecordEnd, RecordWriter};

use crate::{AnalysisParams, GameAnalysis, Level, LuckKind, LuckLaw, LuckSums, analyze};

fn game(map: &str, rules: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin(map).expect("shipped");
    Game::new(map, Rules::preset(rules).expect("shipped"), n_players).expect("a game")
}

/// Bots by seat.
fn bots(game: &Arc<Game>, specs: &[&str], seed: u64) -> Vec<Box<dyn Bot>> {
    let grants = Grants::sealed();
    let seats = game.seats().zip(specs);
    seats
        .map(|(seat, spec)| {
            let seating = Seating {
                game,
                seat,
                seed,
                grants: &grants,
            };
            build(&spec.parse::<Spec>().expect("a spec"), &seating).expect("it plays")
        })
        .collect()
}

/// Plays a game and shows every event before it happens; returns the last state.
fn play(game: &Arc<Game>, specs: &[&str], seed: u64, mut see: impl FnMut(&State, Event)) -> State {
    let mut bots = bots(game, specs, seed);
    let mut streams = Streams::new(seed);
    let mut state = game.start();
    loop {
        let event = match state.node() {
            Node::Terminal => return state,
            Node::Chance => Event::Outcome(streams.draw(&state)),
            Node::Decision(seat) => {
                let bot = &mut bots[seat.index()];
                Event::Move(bot.choose(View::of_mover(&state)).expect("plays on"))
            }
        };
        see(&state, event);
        state.apply(event).expect("possible");
    }
}

fn record(rules: &str, specs: &[&str], turns: u32, seed: u64) -> GameRecord {
    let mut rules = Rules::preset(rules).expect("shipped");
    rules.end.turn_limit = Some(turns);
    let map = Map::builtin("classic").expect("shipped");
    let game = Game::new(map, rules, specs.len()).expect("a game");
    let players = specs.iter().map(|&spec| spec.to_owned()).collect();
    let header = Header::new(&game, players, seed);
    let mut writer = RecordWriter::new(Vec::new(), &header).expect("memory");
    let last = play(&game, specs, seed, |before, event| {
        writer.event(before, event).expect("memory");
    });
    let end = RecordEnd::of(&last).expect("it is over");
    let bytes = writer.finish(&end).expect("memory");
    GameRecord::from_bytes(&bytes).expect("just written")
}

fn params(n_threads: usize, stop: Stop) -> AnalysisParams {
    AnalysisParams {
        level: Level::Fast,
        n_threads,
        seed: 3,
        stop,
        stand_ins: BTreeSet::new(),
    }
}

fn analysis(record: &GameRecord, n_threads: usize) -> GameAnalysis {
    let params = params(n_threads, Stop::never());
    analyze(record, &params, &|_, _| ()).expect("a sound record")
}

#[test]
fn luck_of_every_event_has_mean_zero() {
    for (rules, n_players) in [("classic", 3), ("lux", 4), ("beam", 4), ("sampling", 2)] {
        let game = game("classic", rules, n_players);
        let law = LuckLaw::new(&game);
        let mut n_seen = [0; 2];
        let specs = ["killbot", "quo", "boscoe", "killbot"];
        play(&game, &specs, 5, |before, event| {
            let Event::Outcome(outcome) = event else {
                return;
            };
            let kind = usize::from(matches!(outcome, Outcome::Draw(_)));
            if before.round() == 0 || n_seen[kind] >= 12 {
                return;
            }
            n_seen[kind] += 1;
            let total = before.chance_total() as f64;
            for seat in before.alive() {
                let (mut mean, mut size) = (0.0, 0.0_f64);
                before.for_each_outcome(|outcome, weight| {
                    let luck = law.of(before, outcome)[seat];
                    mean += weight as f64 / total * luck;
                    size = size.max(luck.abs());
                });
                assert!(mean.abs() < 1e-9, "{rules}: {mean}");
                assert!(size < 1.0);
            }
        });
        assert!(n_seen[0] > 0, "{rules}");
        assert_eq!(n_seen[1] > 0, game.rules().has_cards(), "{rules}");
    }
}

/// All deals of a small board: nobody is lucky on average.
#[test]
fn luck_of_all_deals_together_is_zero() {
    fn walk(state: &State, p: f64, law: &LuckLaw, mean: &mut [f64; 3], mass: &mut f64) {
        if state.node() != Node::Chance {
            let luck = law.of_deal(state).expect("a deal");
            *mass += p;
            for (n, mean) in mean.iter_mut().enumerate() {
                *mean += p * luck[PlayerId::new(n)];
            }
            return;
        }
        let total = state.chance_total() as f64;
        state.for_each_outcome(|outcome, weight| {
            let mut next = state.clone();
            next.resolve_unchecked(outcome);
            walk(&next, p * weight as f64 / total, law, mean, mass);
        });
    }
    for (map, rules, n_players) in [
        ("line4", "sampling", 2),
        ("duel6", "lux", 3),
        ("duel6", "lux", 2),
    ] {
        let game = game(map, rules, n_players);
        let (mut mean, mut mass) = ([0.0; 3], 0.0);
        let law = LuckLaw::new(&game);
        walk(&game.start(), 1.0, &law, &mut mean, &mut mass);
        assert!((mass - 1.0).abs() < 1e-9);
        assert!(mean.iter().all(|mean| mean.abs() < 1e-6), "{mean:?}");
    }
}

/// Some games of self-play, at a small scale: `hegemon calibrate` plays thousands.
#[test]
fn luck_of_games_is_about_zero() {
    let game = game("classic", "lux", 3);
    let law = LuckLaw::new(&game);
    let n_games = 24;
    let mut totals = [[0.0; 2]; 3];
    for seed in 0..n_games {
        let mut sums = LuckSums::new();
        play(
            &game,
            &["killbot", "killbot", "killbot"],
            seed,
            |before, event| {
                sums.add(&law, before, event);
            },
        );
        for (kind, total) in LuckKind::ALL.into_iter().zip(&mut totals) {
            let luck = sums.of(kind);
            let sum: f64 = luck.as_slice().iter().sum();
            assert!(
                sum.abs() < 1e-4,
                "one player's luck is the others' bad luck"
            );
            total[0] += luck[PlayerId::new(0)];
            total[1] += luck[PlayerId::new(0)].powi(2);
        }
    }
    let n = n_games as f64;
    for [sum, squares] in totals {
        let (mean, error) = (sum / n, (squares / n / n).sqrt());
        assert!(error > 0.0 && mean.abs() < 4.0 * error, "{mean} {error}");
    }
}

#[test]
fn a_game_is_analysed_the_same_on_any_number_of_threads() {
    let record = record("lux", &["killbot", "angry", "quo"], 3, 7);
    let one = analysis(&record, 1);
    assert_eq!(one, analysis(&record, 2));
    assert_eq!(one.n_judged, one.n_decisions);
    assert!(one.n_decisions > 20);
    assert_eq!(
        one.points.last().expect("some").n_events,
        record.events.len()
    );
    for point in &one.points {
        let sum: f64 = point.chances.iter().sum();
        assert!((sum - 1.0).abs() < 1e-4, "{}", point.words);
    }
    for player in &one.totals {
        let turns = crate::turn_chances(&one.points, player.seat);
        let lost: f64 = turns.iter().map(|turn| turn.lost).sum();
        assert!((lost - player.loss).abs() < 1e-9, "{player:?}");
        let judged = |p: &&crate::Point| p.seat == player.seat && p.skill.is_some();
        let rounds: BTreeSet<u32> = one.points.iter().filter(judged).map(|p| p.round).collect();
        assert_eq!(turns.len(), rounds.len(), "a turn is one of a round");
        assert_eq!(player.accuracy, crate::accuracy(turns));
    }
    let adjusted: f64 = one.totals.iter().map(|player| player.adjusted).sum();
    assert!((adjusted - 1.0).abs() < 1e-3);
    let first = &one.points[0];
    assert_eq!((first.event.as_str(), first.chances.len()), ("deal", 3));
    assert!(first.luck.is_some());
    let last = one.points.last().expect("some");
    assert!(last.chances.contains(&1.0), "the game is over");
}

/// What a bot did for a person who was away spoiled the person's accuracy once.
#[test]
fn what_a_stand_in_decides_counts_for_nobody() {
    let record = record("lux", &["killbot", "random"], 2, 7);
    let whole = analysis(&record, 1);
    let decided = |point: &&crate::Point| point.seat == 1 && point.skill.is_some();
    let own: Vec<&crate::Point> = whole.points.iter().filter(decided).collect();
    let half = own[own.len() / 2].n_events - 1;
    let params = AnalysisParams {
        stand_ins: (half..record.events.len()).collect(),
        ..params(1, Stop::never())
    };
    let found = analyze(&record, &params, &|_, _| ()).expect("a sound record");
    assert_eq!(found.n_judged, whole.n_judged, "all is judged");
    for point in &found.points {
        let told = point.skill.as_ref().map(|skill| skill.by_stand_in);
        assert!(told.is_none_or(|told| told == (point.n_events > half)));
    }
    let [before, after] = [&whole, &found].map(|found| &found.totals[1]);
    let early = &own[..own.len() / 2];
    let lost = |points: &[&crate::Point]| -> f64 {
        let skills = points.iter().filter_map(|point| point.skill.as_ref());
        skills.map(|skill| skill.loss).sum()
    };
    assert_eq!(after.decisions, early.len());
    assert!((after.loss - lost(early)).abs() < 1e-9);
    assert!((before.loss - lost(&own)).abs() < 1e-9 && before.loss > after.loss);
    assert_ne!(after.accuracy, before.accuracy);
    assert_eq!(after.dice_luck, before.dice_luck, "the dice are the seat's");

    // Half a placement by a bot is none of the person's decisions.
    let is_placed_twice = |pair: &&[crate::Point]| {
        let is_placement = |point: &crate::Point| point.event.starts_with('p');
        let [first, second] = pair else { return false };
        decided(&first) && is_placement(first) && is_placement(second) && second.skill.is_none()
    };
    let twice = whole.points.windows(2).find(is_placed_twice);
    let second = twice.expect("somewhere it placed in two territories")[1].n_events - 1;
    let params = AnalysisParams {
        stand_ins: BTreeSet::from([second]),
        ..params
    };
    let found = analyze(&record, &params, &|_, _| ()).expect("a sound record");
    assert_eq!(found.totals[1].decisions, own.len() - 1);
}

#[test]
fn a_stopped_analysis_has_what_was_done() {
    let record = record("lux", &["killbot", "angry"], 3, 7);
    let stop = Stop::new();
    let params = params(1, stop.clone());
    let halt = |done, _| {
        if done == 5 {
            stop.raise();
        }
    };
    let found = analyze(&record, &params, &halt).expect("a sound record");
    assert_eq!(found.n_judged, 5);
    assert!(found.n_decisions > 5);
    assert!(found.points.iter().all(|point| !point.chances.is_empty()));
}

/// A move that throws the game away is found and marked.
#[test]
fn a_blunder_is_found() {
    let game = game("classic", "lux", 2);
    let own = |t: usize| if t == 0 { "b1" } else { "a20" };
    let board: String = (0..game.map().n_territories()).map(own).collect();
    let text = format!("board={board} phase=attack player=0 round=3");
    let state = State::from_position(&game, &text).expect("a position");
    let judge = Judge::new(&game, &Stop::never()).expect("it judges");
    let stop = hegemon_bots::search::RiskAction::Play(Move::End);
    let looks = Level::Fast.looks();
    let inquiry = Inquiry {
        chosen: Some(&stop),
        also: &[],
    };
    let verdict = judge.judge(&state, &judge.strangers(), inquiry, looks, 1);
    let verdict = verdict.expect("a decision");
    assert!(verdict.loss > 0.0, "{verdict:?}");
    let best = verdict.plans[verdict.best].action.moves()[0];
    assert!(
        matches!(best, Move::Attack { to, .. } if to.index() == 0),
        "{best}"
    );
    assert!((verdict.plans[verdict.best].forecast.won - 1.0).abs() < 1e-9);
}

#[test]
fn a_strong_place_holds_and_a_weak_one_does_not() {
    let game = game("classic", "lux", 2);
    let map = game.map();
    let (strong, weak) = (
        map.territory_named("Brazil").expect("there"),
        map.territory_named("Japan").expect("there"),
    );
    let board: String = map
        .territories()
        .map(|t| match t {
            t if t == strong => "a90".to_owned(),
            t if t == weak => "a1".to_owned(),
            _ => "b9".to_owned(),
        })
        .collect();
    let text = format!("board={board} phase=attack player=0 round=3");
    let state = State::from_position(&game, &text).expect("a position");
    let judge = Judge::new(&game, &Stop::never()).expect("it judges");
    let ask = |n, stop: &Stop| {
        crate::threat(
            &judge,
            &state,
            PlayerId::new(0),
            &judge.strangers(),
            n,
            1,
            stop,
        )
    };
    let crate::Threat { n_rollouts, held } = ask(50, &Stop::never());
    assert_eq!(n_rollouts, 50);
    let of = |t| held.iter().find(|held| held.territory == t).expect("own");
    assert!(of(strong).chance > 0.9 && of(weak).chance < 0.5, "{held:?}");
    assert!(of(strong).ci95[0] < of(strong).chance && of(strong).ci95[1] <= 1.0);
    let raised = Stop::new();
    raised.raise();
    assert_eq!(
        ask(50, &raised).n_rollouts,
        0,
        "what was cut short does not count"
    );
}

/// The quickest level finds all obvious plans; `hegemon hint --exam` asks at any level.
#[test]
fn obvious_plans_are_found() {
    for seed in [2, 3] {
        let answers =
            crate::exam(crate::ExamSet::First, Level::Fast, seed).expect("sound positions");
        assert_eq!(answers.len(), 20);
        let wrong: Vec<String> = answers
            .iter()
            .filter(|answer| !answer.is_right)
            .map(|a| format!("{}: {} ({:.3})", a.name, a.plan, a.chance))
            .collect();
        assert!(wrong.is_empty(), "seed {seed}: {wrong:#?}");
    }
}

/// The sets that were written blind: most of their plans are found.
#[test]
fn most_plans_of_the_other_sets_are_found() {
    for (set, least) in [(crate::ExamSet::Blind, 17), (crate::ExamSet::Third, 16)] {
        let answers = crate::exam(set, Level::Fast, 1).expect("sound positions");
        assert_eq!(answers.len(), 20);
        let n_right = answers.iter().filter(|answer| answer.is_right).count();
        assert!(n_right >= least, "{set:?}: {n_right}");
    }
}

/// A hint says how safe an own continent is.
#[test]
fn a_hint_says_whether_an_own_continent_holds() {
    let game = game("classic", "lux", 2);
    let map = game.map();
    let board: String = map
        .territories()
        .map(|t| match map.continent_name(map.continent_of(t)) {
            "Australia" => "a9",
            _ => "b2",
        })
        .collect();
    let text = format!("board={board} phase=attack player=0 round=3");
    let state = State::from_position(&game, &text).expect("a position");
    let judge = Judge::new(&game, &Stop::never()).expect("it judges");
    let found = crate::hints(&judge, &state, &judge.strangers(), Level::Fast, 3, 1);
    let found = found.expect("a decision");
    let says = |why: &str| why.contains("holds Australia until the next turn");
    assert!(found.plans.iter().all(|plan| says(&plan.why)), "{found:?}");
}

/// Under the rules of Lux bonuses grow: what a hint says of a continent is what it pays next.
#[test]
fn a_hint_says_what_a_continent_pays_next() {
    let game = game("classic", "lux", 2);
    let map = game.map();
    let board: String = map
        .territories()
        .map(|t| match map.territory_name(t) {
            "Western Australia" => "b1".to_owned(),
            "Eastern Australia" => "a30".to_owned(),
            _ if map.continent_name(map.continent_of(t)) == "Australia" => "a9".to_owned(),
            _ => "b9".to_owned(),
        })
        .collect();
    let text = format!("board={board} phase=attack player=0 round=30");
    let state = State::from_position(&game, &text).expect("a position");
    let judge = Judge::new(&game, &Stop::never()).expect("it judges");
    let found = crate::hints(&judge, &state, &judge.strangers(), Level::Fast, 3, 1);
    let found = found.expect("a decision");
    let mut continents = map.continents();
    let australia = continents.find(|c| map.continent_name(*c) == "Australia");
    let next = game.bonus(australia.expect("there"), 31);
    assert!(next > 2, "it has grown");
    let says = format!("+{next} a turn");
    assert!(
        found.plans.iter().any(|plan| plan.why.contains(&says)),
        "{found:?}"
    );
}

/// Every shipped puzzle is a decision whose best plan is legal and clearly better.
#[test]
fn shipped_puzzles_are_sound() {
    let puzzles = crate::shipped_puzzles();
    assert!(puzzles.len() >= 20, "{} puzzles", puzzles.len());
    for puzzle in &puzzles {
        let mut state = puzzle.state().expect("a position");
        assert!(matches!(state.node(), Node::Decision(_)), "{}", puzzle.id);
        for mv in &puzzle.best {
            let mv: Move = mv.parse().expect("a move");
            assert!(state.is_legal(mv), "{}: {mv}", puzzle.id);
            state.play_unchecked(mv);
        }
        assert!(puzzle.loss >= 0.05 && puzzle.loss > 2.0 * puzzle.error);
        assert_ne!(puzzle.done, puzzle.best_words);
    }
    let ids: std::collections::BTreeSet<_> = puzzles.iter().map(|puzzle| &puzzle.id).collect();
    assert_eq!(ids.len(), puzzles.len());
}

/// What was done in a shipped puzzle is wrong for the hints that the trainer shows, too: new
/// nets want new puzzles (`docs/analysis.md` has the commands).
#[test]
fn shipped_puzzles_are_puzzles_for_the_present_nets() {
    let puzzles = crate::shipped_puzzles();
    let asked: Vec<_> = puzzles.iter().step_by(3).collect();
    let is_right = |puzzle: &&&crate::PuzzleEntry| {
        let state = puzzle.state().expect("a position");
        let judge = Judge::new(state.game(), &Stop::never()).expect("it judges");
        let found = crate::hints(&judge, &state, &judge.strangers(), Level::Fast, 4, 1);
        let plans = found.expect("a decision").plans;
        let best = plans.iter().map(|plan| plan.chance).fold(0.0, f64::max);
        plans
            .iter()
            .any(|plan| plan.words == puzzle.done && best - plan.chance < 0.02)
    };
    let right: Vec<&str> = asked
        .iter()
        .filter(is_right)
        .map(|p| p.id.as_str())
        .collect();
    assert!(
        10 * right.len() <= asked.len(),
        "{right:?} of {}",
        asked.len()
    );
}

/// Looking ahead, the luck of a roll is still zero on average over its outcomes.
#[test]
fn foreseen_luck_of_a_roll_is_zero_on_average() {
    let game = game("classic", "lux", 2);
    let law = LuckLaw::new(&game);
    let mut n_rolls = 0;
    play(&game, &["killbot", "quo"], 3, |before, event| {
        if !matches!(event, Event::Outcome(_)) || before.phase() != Phase::Battle || n_rolls == 5 {
            return;
        }
        n_rolls += 1;
        let (mut mean, mut spread) = (0.0, 0.0);
        before.for_each_outcome(|outcome, weight| {
            let mut foresight = crate::Foresight::new(&game, 2).expect("shipped bots");
            let mut sums = LuckSums::midway();
            let event = Event::Outcome(outcome);
            let added = sums.add_foreseen(&law, &mut foresight, before, event);
            let (kind, luck) = added.expect("a roll");
            assert_eq!(kind, LuckKind::Dice);
            let p = weight as f64 / before.chance_total() as f64;
            mean += p * luck[PlayerId::new(0)];
            spread += p * luck[PlayerId::new(0)].abs();
        });
        assert!(mean.abs() < 1e-9, "{mean}");
        assert!(spread >= 0.0);
    });
    assert_eq!(n_rolls, 5);
}

/// A plan is worth about the same whether it is one of those that are compared or the move that
/// was made.
#[test]
fn the_move_that_was_made_is_judged_as_a_plan_is() {
    let puzzles = crate::shipped_puzzles();
    let mut gaps = Vec::new();
    for puzzle in puzzles.iter().step_by(9) {
        let state = puzzle.state().expect("a position");
        let judge = Judge::new(state.game(), &Stop::never()).expect("it judges");
        let guess = judge.strangers();
        let looks = Level::Fast.hint_looks(4);
        let ask = |chosen: Option<&_>, finalists, seed| {
            let looks = hegemon_bots::Looks { finalists, ..looks };
            let inquiry = Inquiry { chosen, also: &[] };
            let verdict = judge.judge(&state, &guess, inquiry, looks, seed);
            verdict.expect("a decision")
        };
        for plan in ask(None, 4, 1).plans {
            let made = ask(Some(&plan.action), 1, 2).chosen.expect("judged");
            let error = (plan.error.powi(2) + made.error.powi(2)).sqrt();
            gaps.push((plan.chance - made.chance) / error.max(1e-6));
        }
    }
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    assert!(gaps.len() > 20 && mean.abs() < 1.0, "{mean} of {gaps:?}");
}

/// At `normal` the curve goes little further up and down than the net's word does, and a mark is
/// that of the judgement that is told.
#[test]
fn a_curve_is_of_one_piece_and_marks_are_judged_twice() {
    let record = record("lux", &["killbot", "angry", "quo"], 20, 7);
    let at = |level| {
        let mut params = params(2, Stop::never());
        params.level = level;
        analyze(&record, &params, &|_, _| ()).expect("a sound record")
    };
    let (quick, normal) = (at(Level::Fast), at(Level::Normal));
    let rolled = normal.points.iter().filter(|point| point.errors.is_some());
    assert!(rolled.count() > 20);
    // By how much a chance changes from event to event, as drawn and by the net alone.
    let way = |found: &GameAnalysis| -> f64 {
        let pairs = found.points.windows(2);
        pairs
            .map(|pair| (pair[1].chances[0] - pair[0].chances[0]).abs())
            .sum()
    };
    assert!(
        way(&normal) < 1.5 * way(&quick),
        "{} {}",
        way(&normal),
        way(&quick)
    );
    assert!(quick.points.iter().all(|point| point.errors.is_none()));
    for point in &normal.points {
        let Some(skill) = &point.skill else { continue };
        assert_eq!(skill.mark, crate::Mark::of(skill.loss, skill.error));
    }
}
