//! Tests of the learning of drafts.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_core::{Game, Map, PlayerId, Rng, Rules};
use hegemon_eval::draft::{DraftEvaluator, DraftWeights};

use super::*;

fn small() -> DraftTraining {
    DraftTraining {
        n_drafts: 70,
        n_games: 3,
        ..DraftTraining::paper().expect("shipped")
    }
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("hegemon-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Rows whose shares are the authors' merits, not clamped, plus a little noise.
fn rows_of_authors(n_drafts: u64) -> Vec<DraftRow> {
    let map = Map::builtin("classic-lux").expect("shipped");
    let weights = DraftWeights::builtin("draft-authors").expect("shipped");
    let evaluator = DraftEvaluator::new(&map, 3, weights, true).expect("for this map");
    let mut rng = Rng::from_seed(11);
    let draft = |_| {
        let mut owners: Vec<PlayerId> = (0..42).map(|t| PlayerId::new(t % 3)).collect();
        rng.shuffle(&mut owners);
        let merits = evaluator.merits(&owners);
        let mut noise = || 2.0 * rng.unit() - 1.0;
        let noise = [noise(), noise(), noise()];
        let wins = (0..3).map(|p| merits.0[p] + noise[p]).collect();
        DraftRow {
            owners,
            wins,
            n_games: 100,
            n_forfeits: 0,
        }
    };
    (0..n_drafts).map(draft).collect()
}

#[test]
fn the_regression_recovers_known_weights() {
    let map = Map::builtin("classic-lux").expect("shipped");
    let fit = fit_linear(&map, &rows_of_authors(4000), 1).expect("enough rows");
    let authors = DraftWeights::builtin("draft-authors").expect("shipped");
    let authors = authors.linear.as_ref().expect("linear");
    let found = recovery(&fit, authors);
    assert!(found.len() > 40);
    for weight in &found {
        let off = (weight.ours - weight.published).abs();
        assert!(off < 4.5 * weight.error && weight.error < 1.2, "{weight:?}");
    }
    assert!(fit.quality.r2 > 0.9);
    assert!((fit.weights.friendly_pair - 0.9598).abs() < 0.05);
}

#[test]
fn unseen_counts_continue_the_line() {
    let map = Map::builtin("classic-lux").expect("shipped");
    let fit = fit_linear(&map, &rows_of_authors(3000), 1).expect("enough rows");
    let america = fit
        .weights
        .continents
        .iter()
        .find(|k| k.name == "North America");
    let america = america.expect("on the map");
    assert!(
        america.extrapolated.contains(&9),
        "nobody gets all nine by chance"
    );
    let (w, first) = (&america.weights, america.extrapolated[0]);
    assert!((w[first] - w[first - 1] - (w[first - 1] - w[first - 2])).abs() < 1e-9);
}

#[test]
fn the_net_learns_what_no_line_can() {
    // The player with both Brazil and North Africa wins; else the first.
    let map = Map::builtin("classic-lux").expect("shipped");
    let mut rng = Rng::from_seed(5);
    let mut rows = Vec::new();
    for _ in 0..3000 {
        let mut owners: Vec<PlayerId> = (0..42).map(|t| PlayerId::new(t % 3)).collect();
        rng.shuffle(&mut owners);
        let winner = if owners[5] == owners[12] {
            owners[5].index()
        } else {
            0
        };
        let mut wins = vec![0.0; 3];
        wins[winner] = 10.0;
        rows.push(DraftRow {
            owners,
            wins,
            n_games: 10,
            n_forfeits: 0,
        });
    }
    let linear = cross_validate(&map, &rows, 5, 1).expect("enough rows");
    let params = NetParams {
        n_hidden: 16,
        n_epochs: 6,
        rate: 5e-3,
        ..NetParams::default()
    };
    let (_, net) = fit_net(&map, &rows, &params, |_| {}).expect("enough rows");
    assert!(net.r2 > linear.r2 + 0.1, "{} and {}", net.r2, linear.r2);
}

#[test]
fn a_run_does_not_depend_on_threads_or_interruptions() {
    let stop = AtomicBool::new(false);
    let whole = run(&small(), |_| {}, &stop, None).expect("a run");
    let threads = DraftTraining {
        n_threads: 3,
        ..small()
    };
    let threaded = run(&threads, |_| {}, &stop, None).expect("a run");
    assert_eq!(whole.fit, threaded.fit);
    let path = folder("draft-resume").join("drafts.log");
    let _ = std::fs::remove_file(&path);
    let halt = AtomicBool::new(false);
    // On one thread no worker is ahead of the row at which it stops.
    let alone = DraftTraining {
        n_threads: 1,
        ..small()
    };
    let rows = collect(
        &alone,
        |progress| {
            if matches!(progress, DraftProgress::Playing { n_drafts: 30, .. }) {
                halt.store(true, Ordering::Relaxed);
            }
        },
        &halt,
        Some(&path),
    )
    .expect("the first part");
    assert_eq!(rows.len(), 30);
    // The last line was cut off in the middle.
    let text = std::fs::read_to_string(&path).expect("written");
    std::fs::write(&path, &text[..text.len() - 5]).expect("writable");
    let resumed = run(&threads, |_| {}, &stop, Some(&path)).expect("the rest");
    assert_eq!(resumed.fit, whole.fit);
    assert_eq!(resumed.statistics, whole.statistics);
    assert!(resumed.is_complete);
    // And again from the whole file, without a game.
    let again = run(&small(), |_| {}, &stop, Some(&path)).expect("nothing to play");
    assert_eq!(again.fit, whole.fit);
    // A longer run continues it; another run does not.
    let other = DraftTraining { seed: 2, ..small() };
    assert!(run(&other, |_| {}, &stop, Some(&path)).is_err());
}

#[test]
fn other_maps_and_numbers_of_players_can_be_learned() {
    let stop = AtomicBool::new(false);
    for (map, n_players) in [("classic", 2), ("archipelago80", 5), ("classic-lux", 6)] {
        let mut rules = Rules::preset("draft").expect("shipped");
        rules.end.turn_limit = Some(20);
        let map = Map::builtin(map).expect("shipped");
        let game = Game::new(map, rules, n_players).expect("a game");
        let params = DraftTraining {
            game,
            bot: "angry".parse().expect("a spec"),
            n_drafts: 25,
            n_games: 1,
            net: Some(NetParams {
                n_hidden: 8,
                n_epochs: 1,
                ..NetParams::default()
            }),
            ..small()
        };
        let trained = run(&params, |_| {}, &stop, None).expect("a run");
        let (net, _) = trained.net.expect("asked for");
        for weights in [&trained.weights, &net] {
            let again = DraftWeights::from_toml(&weights.to_toml()).expect("a file");
            DraftEvaluator::new(params.game.map(), n_players, &again, true).expect("for its map");
        }
        let svg = figure_3(trained.weights.linear.as_ref().expect("linear"), None);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}

#[test]
fn a_game_without_a_draft_is_refused() {
    let mut rules = Rules::preset("draft").expect("shipped");
    rules.start = hegemon_core::rules::Start::Deal;
    let map = Map::builtin("classic-lux").expect("shipped");
    let game = Game::new(map, rules, 3).expect("a game");
    let params = DraftTraining { game, ..small() };
    assert!(run(&params, |_| {}, &AtomicBool::new(false), None).is_err());
}

/// A drafter that makes illegal claims.
struct Cheat;

impl hegemon_bots::Bot for Cheat {
    fn choose(
        &mut self,
        _: hegemon_core::View<'_>,
    ) -> Result<hegemon_core::Move, hegemon_bots::Forfeit> {
        Ok(hegemon_core::Move::End)
    }
}

/// An illegal claim of a drafter was once replaced by a random one.
#[test]
fn a_forfeit_in_a_draft_is_recorded() {
    let params = small();
    let cheats = params
        .game
        .seats()
        .map(|_| Box::new(Cheat) as Box<dyn hegemon_bots::Bot>);
    let plan = play::plan_with(&params, 5, cheats.collect());
    let played = plan.play(0, &params.game, &params.grants, play::play);
    let (block, drafted) = played.expect("recorded, not failed");
    assert_eq!(block.games.len(), 1);
    assert!(block.games[0].termination.loser().is_some());
    let row = play::row(&block, drafted.into_iter().next().flatten());
    assert!(!row.is_drafted());
    assert_eq!((row.n_games, row.n_forfeits), (0, 1));

    let path = folder("forfeit").join("drafts.log");
    let sound = play_drafts(&params, 0..2, &AtomicBool::new(false)).expect("played");
    let rows = vec![sound[0].clone(), row, sound[1].clone()];
    let mut log = DraftLog::new(&path, &params);
    log.append(0, &rows).expect("written");
    let read = DraftLog::new(&path, &params).read(10).expect("readable");
    assert_eq!(read, rows);
    let statistics = DraftStatistics::of(&rows[..1]);
    assert_eq!((statistics.n_drafts, statistics.n_forfeits), (1, 0));
    std::fs::remove_dir_all(path.parent().expect("a folder")).expect("removable");
}
