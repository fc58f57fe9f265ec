use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use hegemon_core::{Map, Rules};

use super::*;

fn params(method: Method) -> TrainParams {
    let map = Map::builtin("classic").expect("shipped");
    let rules = Rules::preset("sampling").expect("shipped");
    TrainParams {
        game: Game::new(map, rules, 2).expect("a game"),
        method,
        agent: "greedy(samples=20)".parse().expect("a spec"),
        opponent: "baseline".parse().expect("a spec"),
        start: Weights::builtin("wolf-witness-c").expect("shipped"),
        n_games: 24,
        n_match_games: 8,
        turn_limit: 40,
        batch: 4,
        seed: 7,
        n_threads: 2,
        grants: Grants::sealed(),
        command: "hegemon train weights".to_owned(),
    }
}

fn clop() -> Method {
    Method::Clop {
        params: ClopParams {
            has_correlations: false,
            n_sweeps: 5,
            ..ClopParams::default()
        },
        trials: Trials::default(),
    }
}

fn spsa(is_duel: bool) -> Method {
    Method::Spsa {
        r_end: 0.05,
        c_end: 0.2,
        is_duel,
        trials: Trials {
            is_pair: is_duel,
            ..Trials::default()
        },
    }
}

fn logistic() -> Method {
    Method::Logistic {
        line_ups: vec![
            vec!["baseline".to_owned(), "simulation".to_owned()],
            vec!["baseline".to_owned(), "baseline".to_owned()],
        ],
        noise: 0.0,
        regression: RegressionParams::default(),
    }
}

fn self_play() -> Method {
    Method::Logistic {
        line_ups: Vec::new(),
        noise: 1.0,
        regression: RegressionParams::default(),
    }
}

/// A folder that is removed after the test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("hegemon-learn-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// Runs with a stop after every `n` batches, resuming until the end.
fn run_in_pieces(params: &TrainParams, checkpoint: &Path, n: u32) -> TrainedWeights {
    loop {
        let stop = AtomicBool::new(false);
        let mut n_batches = 0;
        let progress = |progress: &TrainingProgress<'_>| {
            if let TrainingProgress::Training { n_games, of, .. } = progress {
                n_batches += 1;
                stop.store(n_batches == n && n_games < of, Ordering::Relaxed);
            }
        };
        let trained = run(params, progress, &stop, Some(checkpoint)).expect("trains");
        if trained.is_complete {
            return trained;
        }
        assert!(trained.strength.is_none());
    }
}

#[test]
fn threads_and_stops_change_nothing() {
    for method in [clop(), spsa(true), spsa(false), logistic(), self_play()] {
        let whole = params(method);
        let never = AtomicBool::new(false);
        let (one, two) = (Folder::new(), Folder::new());
        let (one_file, two_file) = (one.0.join("run.json"), two.0.join("run.json"));
        let trained = run(&whole, |_| (), &never, Some(&one_file)).expect("trains");
        let alone = TrainParams {
            n_threads: 1,
            ..whole.clone()
        };
        let pieces = run_in_pieces(&alone, &two_file, 2);
        assert_eq!(trained, pieces, "{:?}", whole.method);
        for name in ["run.json", "run.json.positions"] {
            let read = |folder: &Folder| std::fs::read(folder.0.join(name)).ok();
            assert_eq!(read(&one), read(&two), "{name} of {:?}", whole.method);
        }
        assert!(trained.is_complete && trained.n_games >= 24);
        let strength = trained.strength.expect("measured");
        assert_eq!(strength.n_games, 8);
        let text = trained.weights.to_toml();
        assert_eq!(Weights::from_toml(&text), Ok(trained.weights));
        assert!(text.contains("against baseline") && text.contains("seed 7"));
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let folder = Folder::new();
    let file = folder.0.join("run.json");
    let never = AtomicBool::new(false);
    let mut params = TrainParams {
        n_games: 4,
        n_match_games: 0,
        ..params(clop())
    };
    run(&params, |_| (), &never, Some(&file)).expect("trains");
    // Longer is the same run, another seed is not.
    params.n_games = 8;
    let longer = run(&params, |_| (), &never, Some(&file)).expect("goes on");
    assert_eq!(longer.n_games, 8);
    params.seed += 1;
    let error = run(&params, |_| (), &never, Some(&file)).expect_err("another run");
    assert!(error.to_string().contains("other parameters"), "{error}");
    std::fs::write(&file, "{}").expect("writes");
    assert!(run(&params, |_| (), &never, Some(&file)).is_err());
}

#[test]
fn what_a_broken_run_logged_is_cut_off() {
    let folder = Folder::new();
    let log = PositionLog::new(folder.0.join("positions"));
    let position = |game| Position {
        game,
        decided: Decided::Attack,
        own: FeatureVector([0.1; N_FEATURES]),
        before: FeatureVector([0.2; N_FEATURES]),
        other: FeatureVector([1.0 / 3.0; N_FEATURES]),
        label: 0.5,
        rounds_left: 3,
    };
    log.append(0, &[position(1), position(2)]).expect("writes");
    log.append(2, &[position(3), position(4)]).expect("writes");
    log.append(3, &[position(5)]).expect("writes");
    let games: Vec<u64> = log.read(4).expect("reads").iter().map(|p| p.game).collect();
    assert_eq!(games, [1, 2, 3, 5]);
    assert_eq!(log.read(1).expect("reads"), [position(1)]);
    assert!(log.read(5).is_err());
    assert!(log.append(9, &[]).is_err());
}

#[test]
fn regression_finds_that_strength_wins() {
    let params = TrainParams {
        n_games: 200,
        n_match_games: 0,
        ..params(logistic())
    };
    let never = AtomicBool::new(false);
    let trained = run(&params, |_| (), &never, None).expect("trains");
    let fit = trained.fit.expect("a regression");
    assert!(
        fit.held_out_log_loss < fit.constant_log_loss - 0.1,
        "{fit:?}"
    );
    let vector = trained.weights.vector();
    assert!((vector.dot(&vector).sqrt() - NORM).abs() < 1e-9);
    // Armies, territories and income together count for the player.
    let features = [
        Feature::Armies,
        Feature::OccupiedTerritories,
        Feature::OwnReinforcement,
    ];
    assert!(features.iter().map(|f| vector[*f]).sum::<f64>() > 1.0);
    assert!(trained.weights.value_scale > 0.0);
}

#[test]
fn raw_weights_become_scaled_ones() {
    let params = params(clop());
    let training = Training::new(&params).expect("sound");
    let start = &params.start;
    let raw = hegemon_eval::Evaluator::new(Arc::clone(&training.facts), start);
    let scaled = training.weights_of(&scaled_vector(&training.facts, start));
    let scaled = hegemon_eval::Evaluator::new(Arc::clone(&training.facts), &scaled);
    let state = params.game.deal(3);
    for stage in [hegemon_eval::Stage::Attack, hegemon_eval::Stage::Move] {
        let value = |e: &hegemon_eval::Evaluator| e.evaluate(state.board(), state.player(), stage);
        assert!((value(&raw) - value(&scaled)).abs() < 1e-9);
    }
}

#[test]
fn unusable_parameters_are_refused() {
    let refused = |change: fn(&mut TrainParams)| {
        let mut params = params(clop());
        change(&mut params);
        run(&params, |_| (), &AtomicBool::new(false), None).expect_err("unusable")
    };
    refused(|p| p.batch = 0);
    refused(|p| p.agent = "baseline".parse().expect("a spec"));
    refused(|p| p.agent = "greedy(weights=default)".parse().expect("a spec"));
    refused(|p| p.opponent = "nobody".parse().expect("a spec"));
    refused(|p| p.start.set_vector(&FeatureVector::default()));
    refused(|p| {
        let trials = Trials {
            features: vec!["luck".to_owned()],
            ..Trials::default()
        };
        let params = ClopParams::default();
        p.method = Method::Clop { params, trials };
    });
    refused(|p| {
        p.method = Method::Logistic {
            line_ups: vec![vec!["baseline".to_owned()]],
            noise: 0.0,
            regression: RegressionParams::default(),
        };
    });
}
