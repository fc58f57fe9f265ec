//! How long a bot takes for its turns, by the clock, and how much memory:
//! `cargo run --release -p hegemon-arena --example turn_time -- SPEC [GAMES] [LIMIT_MS]`.
//! It plays against killbots in every preset; a choice before the first round counts as
//! a turn. It fails if a turn takes 50 ms longer than the limit, or a game is forfeited.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hegemon_arena::{Seeds, play, seat_seed};
use hegemon_bots::{Bot, Forfeit, Grants, Seating, build};
use hegemon_core::{Event, Game, Map, Move, Phase, PlayerId, Rules, Termination, View};

/// How much longer than its limit a turn may take.
const GRACE: Duration = Duration::from_millis(50);

/// The turns of a game: the round of the last one, and how long each took.
type Turns = Arc<Mutex<(Option<u32>, Vec<Duration>)>>;

/// A bot under a stop watch.
struct Timed {
    bot: Box<dyn Bot>,
    turns: Turns,
}

impl Bot for Timed {
    fn observes(&self) -> bool {
        self.bot.observes()
    }

    fn observe(&mut self, before: View<'_>, event: Event) {
        self.bot.observe(before, event);
    }

    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        let begin = Instant::now();
        let choice = self.bot.choose(view);
        let taken = begin.elapsed();
        let is_setup = matches!(view.phase(), Phase::Claim | Phase::Setup | Phase::Capital);
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, all) = &mut *turns;
        match all.last_mut() {
            Some(turn) if !is_setup && *last == Some(view.round()) => *turn += taken,
            _ => all.push(taken),
        }
        *last = (!is_setup).then_some(view.round());
        choice
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let spec = arguments.next().unwrap_or("champion(ms=1000)".to_owned());
    let mut number = |default| arguments.next().map_or(Some(default), |n| n.parse().ok());
    let (Some(n_games), Some(limit)) = (number(1), number(1000)) else {
        println!("turn_time SPEC [GAMES] [LIMIT_MS]");
        return ExitCode::FAILURE;
    };
    let limit = Duration::from_millis(limit);
    let mut is_kept = true;
    for (preset, n_players) in [
        ("sampling", 2),
        ("draft", 3),
        ("lux", 6),
        ("beam", 4),
        ("classic", 4),
    ] {
        let mut turns = Vec::new();
        for seed in 0..n_games {
            match turns_of(&spec, preset, n_players, seed) {
                Ok(more) => turns.extend(more),
                Err(reason) => {
                    println!("{preset}: {reason}");
                    return ExitCode::FAILURE;
                }
            }
        }
        turns.sort_unstable();
        let ms = |turn: Option<&Duration>| turn.map_or(0.0, |turn| turn.as_secs_f64() * 1e3);
        let (middle, worst) = (turns.get(turns.len() / 2), turns.last());
        println!(
            "{preset:>8}, {n_players} players: {} turns, median {:.0} ms, longest {:.0} ms",
            turns.len(),
            ms(middle),
            ms(worst)
        );
        is_kept &= worst.is_none_or(|worst| *worst <= limit + GRACE);
    }
    if let Some(memory) = peak_memory() {
        println!("most memory at a time: {memory}");
    }
    println!(
        "limit {} ms: {}",
        limit.as_millis(),
        if is_kept { "kept" } else { "not kept" }
    );
    if is_kept {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The turns of the first seat in a game against killbots.
fn turns_of(
    spec: &str,
    preset: &str,
    n_players: usize,
    seed: u64,
) -> Result<Vec<Duration>, String> {
    let map = Map::builtin("classic").ok_or("no map")?;
    let rules = Rules::preset(preset).ok_or("no such preset")?;
    let game = Game::new(map, rules, n_players).map_err(|error| error.to_string())?;
    let (turns, grants) = (Turns::default(), Grants::sealed());
    let mut bots: Vec<Box<dyn Bot>> = Vec::new();
    for seat in (0..n_players).map(PlayerId::new) {
        let seating = Seating {
            game: &game,
            seat,
            seed: seat_seed(seed, seat),
            grants: &grants,
        };
        let text = if seat.index() == 0 { spec } else { "killbot" };
        let spec = text.parse().map_err(|error| format!("{error}"))?;
        let bot = build(&spec, &seating).map_err(|error| error.to_string())?;
        bots.push(match seat.index() {
            0 => Box::new(Timed {
                bot,
                turns: Arc::clone(&turns),
            }),
            _ => bot,
        });
    }
    let played = play(game.start(), &mut bots, Seeds::of(seed), &mut ());
    if let Termination::Forfeit { seat, .. } = played.termination {
        return Err(format!(
            "seat {} forfeited: {:?}",
            seat.index(),
            played.message
        ));
    }
    drop(bots);
    let turns = turns.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(turns.1.clone())
}

/// As the kernel tells it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}
