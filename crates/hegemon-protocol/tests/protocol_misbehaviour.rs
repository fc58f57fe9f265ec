//! Games against a bot that misbehaves at random: every one is accounted for,
//! and nothing is left running.

#![cfg(unix)]

#[path = "protocol/table.rs"]
mod table;

use std::collections::BTreeMap;
use std::fs;

use hegemon_bots::ForfeitKind;
use hegemon_core::PlayerId;
use hegemon_core::rules::Victory;

/// `HEGEMON_GAMES` asks for more.
const N_GAMES: u64 = 40;

#[test]
fn every_game_is_accounted_for_and_nothing_is_left_running() {
    let Some(bot) = table::example("python3", "misbehaving.py") else {
        return;
    };
    let n_games = std::env::var("HEGEMON_GAMES").ok();
    let n_games = n_games.and_then(|n| n.parse().ok()).unwrap_or(N_GAMES);
    // No other process sleeps this long.
    let sleep = format!("98765.{}", std::process::id());
    let spec = format!(
        "cmd(move-ms=1000: {bot} --crash 0.006 --orphan 0.006 --hang 0.001 --slow 0.001 \
         --garbage 0.006 --illegal 0.006 --flood 0.006 --mute 0.003 --double 0.006 --sleep {sleep})"
    );
    let ends: Vec<&str> = std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| {
            let spec = &spec;
            scope.spawn(move || {
                let seeds = (0..n_games).filter(|seed| seed % 2 == half);
                seeds.map(|seed| end_of_game(spec, seed)).collect()
            })
        });
        let ends: Vec<Vec<&str>> = halves
            .into_iter()
            .map(|half| half.join().expect("no panic"))
            .collect();
        ends.concat()
    });
    hegemon_protocol::external::stop_idle();

    let mut counts = BTreeMap::new();
    for end in &ends {
        *counts.entry(*end).or_insert(0) += 1;
    }
    table::note(&format!("how games ended: {counts:?}"));
    assert_eq!(ends.len() as u64, n_games);
    for kind in ForfeitKind::ALL {
        assert!(counts.contains_key(kind.name()), "{counts:?}");
    }
    assert!(counts.contains_key("rules"), "{counts:?}");

    let processes = processes();
    let children: Vec<_> = processes
        .iter()
        .filter(|p| p.parent == std::process::id())
        .collect();
    assert!(children.is_empty(), "{children:?}");
    let orphans: Vec<_> = processes
        .iter()
        .filter(|p| p.command.contains(&sleep))
        .collect();
    assert!(orphans.is_empty(), "{orphans:?}");
}

fn end_of_game(spec: &str, seed: u64) -> &'static str {
    let game = table::game("sampling", "duel6", 2, Victory::Conquest);
    let specs = if seed % 4 < 2 {
        [spec, "baseline"]
    } else {
        ["baseline", spec]
    };
    match table::play(&game, &specs, seed) {
        Ok(_) => "rules",
        Err((seat, forfeit)) => {
            assert_eq!(seat, PlayerId::new((seed % 4 / 2) as usize), "{forfeit}");
            forfeit.kind.name()
        }
    }
}

#[derive(Debug)]
struct Process {
    parent: u32,
    command: String,
}

/// All processes, zombies too, where the system shows them in `/proc`.
fn processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    let read = |path: std::path::PathBuf| {
        let stat = fs::read_to_string(path.join("stat")).ok()?;
        // The name in brackets may hold anything; the parent follows the state.
        let parent = stat
            .rsplit_once(')')?
            .1
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()?;
        let command = fs::read(path.join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).into_owned();
        Some(Process { parent, command })
    };
    entries
        .filter_map(|entry| read(entry.ok()?.path()))
        .collect()
}
