use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_bots::{Bot, Command, Grants, LoadError, Loader, Seating, SpecError};
use hegemon_eval::value::{N_PLAYER_INPUTS, N_TABLE_INPUTS, NetShape, NetWeights, ValueFile};

use super::*;

/// Lets nets through, as the command line does.
#[derive(Debug)]
struct Files;

impl Loader for Files {
    fn weights(&self, path: &str) -> Result<String, LoadError> {
        std::fs::read_to_string(path).map_err(|error| LoadError(error.to_string()))
    }

    fn program(&self, _: &Command, _: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        unreachable!("no program plays in a training")
    }
}

fn tiny() -> ValueTraining {
    ValueTraining {
        plan: ValuePlan {
            games: 60,
            champion_games: 2,
            generations: 1,
            looks: 1,
            epochs: 2,
            classic_hidden: [8, 8],
            any_hidden: [8, 8],
            ..ValuePlan::default()
        },
        n_threads: 2,
        grants: Grants::with(Files),
        command: "a test".to_owned(),
    }
}

fn folder(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("hegemon-value-{name}-{}", std::process::id()))
}

#[test]
fn a_small_training_makes_nets_with_cards_and_resumes_to_the_same() {
    let (whole, pieces) = (folder("whole"), folder("pieces"));
    let trained = run(&tiny(), &whole, &AtomicBool::new(false), |_| ()).expect("trains");
    let nets = trained.nets.expect("came to its end");
    for (kind, lines) in &nets {
        assert!(
            lines.iter().any(|line| line.what == "players withheld"),
            "{kind:?}"
        );
    }
    // Stopped wherever a game or a pass ends, again and again.
    let (mut n_runs, training) = (
        0,
        ValueTraining {
            n_threads: 1,
            ..tiny()
        },
    );
    loop {
        let (stop, mut n_heard) = (AtomicBool::new(false), 0);
        let trained = run(&training, &pieces, &stop, |_| {
            n_heard += 1;
            stop.store(n_heard == 1 + n_runs, Ordering::Relaxed);
        });
        n_runs += 1;
        if trained.expect("trains").nets.is_some() {
            break;
        }
        assert!(n_runs < 50, "it never ends");
    }
    assert!(n_runs > 2, "it was stopped");
    for name in ["value-classic.toml", "value-any.toml"] {
        let text = std::fs::read_to_string(whole.join(name)).expect("written");
        assert_eq!(
            text,
            std::fs::read_to_string(pieces.join(name)).expect("written")
        );
        let file = ValueFile::from_toml(&text).expect("a net");
        assert_eq!(file.card.trained_by, "a test");
        assert!(!file.card.held_out.is_empty());
        assert!(file.weights.correction.is_some());
    }
    let other = ValueTraining {
        plan: ValuePlan {
            seed: 2,
            ..tiny().plan
        },
        ..tiny()
    };
    let error = run(&other, &whole, &AtomicBool::new(false), |_| ()).expect_err("another");
    assert!(error.to_string().contains("other parameters"), "{error}");
    for folder in [whole, pieces] {
        std::fs::remove_dir_all(folder).expect("removable");
    }
}

#[test]
fn a_training_may_begin_with_games_of_the_shipped_nets() {
    let folder = folder("shipped");
    let training = ValueTraining {
        plan: ValuePlan {
            from_shipped: true,
            ..tiny().plan
        },
        ..tiny()
    };
    let trained = run(&training, &folder, &AtomicBool::new(false), |_| ()).expect("trains");
    assert!(trained.nets.is_some());
    assert!(!folder.join("classic-0.toml").exists(), "nets were fitted");
    let text = std::fs::read_to_string(folder.join("value-any.toml")).expect("written");
    let card = ValueFile::from_toml(&text).expect("a net").card;
    assert!(card.data[1].ends_with("the nets shipped then"), "{card:?}");
    std::fs::remove_dir_all(folder).expect("removable");
}

#[test]
fn a_bot_left_out_sits_beside_no_champion() {
    let sits = |population: &Population, name: &str| {
        let field = population.among_champions();
        field.iter().any(|spec| spec.to_string().contains(name))
    };
    let mut population = Population::shipped();
    assert!(sits(&population, "goal-uct") && sits(&population, "killbot"));
    assert!(population.leave_out("killbot"));
    assert!(!sits(&population, "killbot") && sits(&population, "mcts-tuned"));
}

#[test]
fn a_fit_finds_who_has_more() {
    // Whoever has more armies wins: two players, one number each.
    let mut rows = Rows::default();
    let mut rng = hegemon_core::Rng::from_seed(5);
    for game in 0..4000u32 {
        let mut inputs = Rows::blank();
        let n = inputs.dense.len().min(N_PLAYER_INPUTS);
        let armies = [rng.unit() as f32, rng.unit() as f32];
        for (place, armies) in armies.into_iter().enumerate() {
            inputs.dense[place * n] = 1.0;
            inputs.dense[place * n + 3] = armies;
        }
        let mut target = [0.0; hegemon_core::MAX_PLAYERS];
        target[usize::from(armies[1] > armies[0])] = 1.0;
        rows.push(
            &inputs,
            &target,
            Label {
                game,
                ..Label::default()
            },
        );
    }
    let chosen: Vec<u32> = (0..4000).filter(|n| n % 10 != 0).collect();
    let params = FitParams {
        hidden: [8, 8],
        epochs: 30,
        batch: 128,
        ..FitParams::default()
    };
    let fitted = |n_threads| fit(&rows, &chosen, &params, n_threads, |_, _| true);
    let weights = fitted(1).expect("not stopped");
    let found = &check(
        &weights,
        &rows,
        &[Box::new(|label: Label| label.is_held_out())],
    )[0];
    assert!(found.loss < 0.15, "{}", found.loss);
    assert!((found.equal_loss - std::f64::consts::LN_2).abs() < 1e-3);
    assert_eq!(
        fitted(3),
        Some(weights),
        "the same on any number of threads"
    );
}

/// Two or three players whose outputs are one of their numbers each, and games that end as
/// if the outputs were `truth` times as large.
fn overconfident_rows(truth: [f64; 2]) -> (NetWeights, Rows) {
    let shape = NetShape {
        n_territories: 0,
        first: 8,
        second: 8,
    };
    let mut weights = NetWeights::zero(shape);
    weights.own[3] = 1.0;
    let mut rows = Rows::default();
    let mut rng = hegemon_core::Rng::from_seed(5);
    for game in 0..40_000u32 {
        let mut inputs = Rows::blank();
        let n_alive = 2 + (game % 2) as usize;
        let table = inputs.dense.len() - N_TABLE_INPUTS;
        inputs.dense[table + n_alive - 2] = 1.0;
        let mut shares = [0.0; hegemon_core::MAX_PLAYERS];
        for (place, share) in shares.iter_mut().enumerate().take(n_alive) {
            let output = 4.0 * rng.unit();
            inputs.dense[place * N_PLAYER_INPUTS] = 1.0;
            inputs.dense[place * N_PLAYER_INPUTS + 3] = output as f32;
            *share = libm::exp(truth[n_alive - 2] * output);
        }
        let mut left = rng.unit() * shares.iter().sum::<f64>();
        let winner = shares.iter().take(n_alive - 1).position(|share| {
            left -= share;
            left < 0.0
        });
        let mut target = [0.0; hegemon_core::MAX_PLAYERS];
        target[winner.unwrap_or(n_alive - 1)] = 1.0;
        let label = Label {
            game,
            ..Label::default()
        };
        rows.push(&inputs, &target, label);
    }
    (weights, rows)
}

#[test]
fn a_correction_finds_by_how_much_too_much_is_said() {
    let truth = [0.8, 0.6];
    let (mut weights, rows) = overconfident_rows(truth);
    let chosen: Vec<u32> = (0..20_000).collect();
    let correction = fit_correction(&weights, &rows, &chosen);
    let is_checked = |label: Label| label.game >= 20_000;
    let before = &check(&weights, &rows, &[Box::new(is_checked)])[0];
    weights.correction = Some(correction);
    let after = &check(&weights, &rows, &[Box::new(is_checked)])[0];
    assert!(before.worst() > 0.06, "{}", before.worst());
    assert!(after.worst() < 0.03, "{}", after.worst());
    assert!(after.mean_distance() < 0.01, "{}", after.mean_distance());
    assert!(after.loss < before.loss);
    // A chance of a third and one of two thirds, by the law that made the games.
    for (n_alive, truth) in [(2, truth[0]), (3, truth[1])] {
        let mut inputs = Rows::blank();
        let table = inputs.dense.len() - N_TABLE_INPUTS;
        inputs.dense[table + n_alive - 2] = 1.0;
        for place in 0..n_alive {
            inputs.dense[place * N_PLAYER_INPUTS] = 1.0;
        }
        inputs.dense[3] = 2.0;
        let lead = libm::exp(2.0 * truth);
        let law = lead / (lead + (n_alive - 1) as f64);
        let said = f64::from(weights.evaluate(&inputs)[0]);
        assert!((said - law).abs() < 0.02, "{said} {law}");
    }
}

#[test]
fn nothing_is_corrected_without_games() {
    let (weights, rows) = overconfident_rows([1.0, 1.0]);
    assert_eq!(
        fit_correction(&weights, &rows, &[]),
        hegemon_eval::value::Correction::nothing()
    );
}

#[test]
fn a_net_that_is_there_is_corrected_the_same_on_any_number_of_threads() {
    let file = ValueFile::load("value-any", &|_| Err("no files".to_owned())).expect("shipped");
    let corrected = |n_threads| {
        let plan = CorrectionPlan {
            games: 40,
            seed: 3,
            n_threads,
            command: "a test".to_owned(),
        };
        correct(&file, &plan, &AtomicBool::new(false), |_| ()).expect("not stopped")
    };
    let once = corrected(1);
    assert_eq!(once.file, corrected(3).file);
    assert!(once.file.weights.correction.is_some());
    assert_eq!(once.file.weights.rows, file.weights.rows, "nothing else");
    assert_eq!(once.file.card.corrected[0], "a test");
    assert_eq!(once.before.len(), once.after.len());
    let plan = CorrectionPlan {
        games: 40,
        seed: 3,
        n_threads: 1,
        command: "a test".to_owned(),
    };
    assert!(correct(&file, &plan, &AtomicBool::new(true), |_| ()).is_none());
}

#[test]
fn a_bot_that_is_left_out_is_nowhere() {
    let mut population = Population::shipped();
    let mut known = population.known.iter();
    assert!(!known.any(|spec| population.withheld.contains(spec)));
    assert!(population.leave_out("quo"));
    assert!(!population.leave_out("quo"));
    let all = population.known.iter().chain(&population.withheld);
    assert!(all.clone().all(|spec| !spec.to_string().contains("quo")));
    assert!(all.clone().any(|spec| spec.to_string() == "killbot"));
}
