//! Small runs: reproducible on any number of threads, resumable to the byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_bots::beam::{BeamWeights, Category, Characteristics, Key};
use hegemon_core::Rng;

use super::*;

/// A folder of its own that is removed again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let unique = format!("hegemon-beam-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(unique);
        let _ = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn bytes(&self) -> [Vec<u8>; 3] {
        [CHECKPOINT_FILE, HISTORY_FILE, WEIGHTS_FILE]
            .map(|name| fs::read(self.0.join(name)).expect(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn small(method: BeamMethod, n_threads: usize) -> BeamTraining {
    BeamTraining {
        population: 10,
        generations: 4,
        method,
        measure_every: 2,
        measure_games: 4,
        playoff_games: 2,
        final_games: 8,
        seed: 7,
        n_threads,
        ..BeamTraining::default()
    }
}

const SMALL_CMA: BeamMethod = BeamMethod::CmaEs {
    candidates: 4,
    games: 2,
};

/// Plays all games that it is given, the last first, before it delivers any.
struct WholeRounds(GamesBySeats);

impl Venue for WholeRounds {
    fn play(&self, agents: &[Characteristics], games: &[TableGame], consume: Consume<'_>) {
        let played = games.iter().rev().map(|game| {
            let score = self.0.play_game(agents, game);
            score.as_slice()[..game.seats.len()].to_vec()
        });
        let played: Vec<Vec<f64>> = played.collect();
        for (number, score) in played.iter().rev().enumerate() {
            if consume(number, score).is_break() {
                return;
            }
        }
    }
}

fn complete(params: &BeamTraining, folder: &Path) -> Evolved {
    let never = AtomicBool::new(false);
    let evolved = run(params, Some(folder), &never, &mut |_| {}).expect("it runs");
    evolved.expect("not stopped")
}

#[test]
fn a_run_depends_on_no_thread_and_no_interruption() {
    for (name, method) in [("beam", BeamMethod::Beam), ("cma", SMALL_CMA)] {
        let whole = Folder::new(&format!("{name}-whole"));
        let evolved = complete(&small(method, 1), &whole.0);
        let threads = Folder::new(&format!("{name}-threads"));
        assert_eq!(complete(&small(method, 3), &threads.0), evolved);
        assert_eq!(threads.bytes(), whole.bytes());

        let elsewhere = Folder::new(&format!("{name}-elsewhere"));
        let never = AtomicBool::new(false);
        let params = small(method, 1);
        let venue = WholeRounds(params.tables().expect("a game"));
        let found = run_at(&venue, &params, Some(&elsewhere.0), &never, &mut |_| {});
        assert_eq!(found.expect("it runs"), Some(evolved.clone()));
        assert_eq!(elsewhere.bytes(), whole.bytes());

        let parts = Folder::new(&format!("{name}-parts"));
        let stop = AtomicBool::new(false);
        let mut interrupt = |progress: &BeamProgress<'_>| {
            stop.store(progress.generation == 2, Ordering::Relaxed);
        };
        let params = small(method, 2);
        let stopped = run(&params, Some(&parts.0), &stop, &mut interrupt).expect("it runs");
        assert_eq!(stopped, None);
        // What was written after the checkpoint does not count.
        let history = parts.0.join(HISTORY_FILE);
        let mut text = fs::read_to_string(&history).expect("a history");
        text.push_str("{\"generation\":2");
        fs::write(&history, text).expect("writable");
        assert_eq!(complete(&params, &parts.0), evolved);
        assert_eq!(parts.bytes(), whole.bytes());

        let text = fs::read_to_string(whole.0.join(WEIGHTS_FILE)).expect("written");
        let weights = BeamWeights::from_toml(&text).expect("readable");
        assert_eq!(weights.values, evolved.champion);
    }
}

#[test]
fn refuses_the_folder_of_another_run() {
    let folder = Folder::new("other");
    let params = BeamTraining {
        generations: 1,
        ..small(BeamMethod::Beam, 1)
    };
    complete(&params, &folder.0);
    let other = BeamTraining { seed: 8, ..params };
    let never = AtomicBool::new(false);
    let error = run(&other, Some(&folder.0), &never, &mut |_| {}).expect_err("another seed");
    assert!(error.to_string().contains("parameters differ"), "{error}");
}

#[test]
fn mutation_stays_within_limits_and_moves_by_whole_adjustments() {
    let mutation = MutationParams::default();
    let mut rng = Rng::from_seed(3);
    let mut agent = Characteristics::INITIAL;
    let mut n_same = 0;
    for _ in 0..3000 {
        let child = mutation.mutate(&agent, 1.0, &mut rng);
        for key in Key::all() {
            let data = key.data();
            assert!((data.lower..=data.upper).contains(&child[key]));
            let steps = (child[key] - agent[key]) / data.adjustment;
            let is_clamped = child[key] == data.lower || child[key] == data.upper;
            assert!(
                is_clamped || (steps - steps.round()).abs() < 1e-6,
                "{steps}"
            );
        }
        n_same += u32::from(child == agent);
        agent = child;
    }
    // Only a step and the same step back, or one beyond a limit.
    assert!(n_same < 300, "{n_same}");
}

#[test]
fn the_first_generation_mutates_ten_times() {
    let only_first = MutationParams {
        recursive_chance: 0.0,
        major_chance: 0.0,
        ..MutationParams::default()
    };
    let mut rng = Rng::from_seed(4);
    let mut most = 0.0f64;
    for _ in 0..200 {
        let agent = only_first.first(&mut rng);
        let steps =
            |key: Key| (agent[key] - key.data().initial).abs() / (2.0 * key.data().adjustment);
        let n_steps: f64 = Key::all().map(steps).sum();
        assert!(n_steps <= 10.0 + 1e-6);
        most = most.max(n_steps);
    }
    assert!(most > 9.5, "{most}");
}

#[test]
fn the_multiplier_falls_linearly() {
    let mutation = MutationParams::default();
    let at = |generation| mutation.multiplier(generation, 1500);
    assert_eq!([at(0), at(1), at(1499)], [2.0, 1.75, 0.5]);
    assert!((at(750) - 1.125).abs() < 1e-12);
    assert_eq!(mutation.multiplier(1, 2), 1.75);
}

#[test]
fn a_full_run_has_so_many_games() {
    assert_eq!(BeamTraining::default().n_tournament_games(), 222_000);
    assert_eq!(BeamTraining::default().n_survivors(), 64);
}

#[test]
fn findings_and_pages_come_from_histories() {
    let folder = Folder::new("pages");
    complete(&small(BeamMethod::Beam, 1), &folder.0);
    let history = History::read(&folder.0.join(HISTORY_FILE)).expect("readable");
    assert_eq!(history.generations.len(), 4);
    assert_eq!(history.params, small(BeamMethod::Beam, 1));
    let rows = findings(&[history.clone(), history.clone()]);
    let table = findings_table(&rows);
    assert_eq!(table.lines().count(), rows.len() + 2);
    for row in &rows {
        assert!(
            row.n_agree == 0 || row.n_agree == 2,
            "equal runs agree equally"
        );
        assert_eq!(row.spread().0, row.spread().1);
    }
    for category in Category::ALL {
        let page = category_page(category, &[history.clone(), history.clone()]);
        for key in category.keys() {
            assert!(page.contains(&format!(">{}<", key.data().name)));
        }
        assert!(page.contains("prefers-color-scheme:dark"));
        assert_eq!(
            page.matches("fill-opacity").count(),
            2 * category.keys().count()
        );
        assert!(!page.contains("NaN") && page.ends_with("</svg>\n"));
    }
}

#[test]
fn an_agent_holds_its_own_against_itself() {
    let params = small(BeamMethod::Beam, 2);
    let never = AtomicBool::new(false);
    let venue = tables::ThreadVenue {
        tables: &params.tables().expect("a game"),
        n_threads: 2,
        stop: &never,
    };
    let start = Characteristics::INITIAL;
    let share = params.sample(200, "self").share(&venue, &start, &[start]);
    assert!((0.13..0.37).contains(&share), "{share}");
}
