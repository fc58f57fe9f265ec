//! Games for the tests of the protocol, and a loop that plays them.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use hegemon_bots::{Bot, Forfeit, Grants, Seating, Spec, build, tell_all};
use hegemon_core::rules::Victory;
use hegemon_core::{Event, Game, Map, Node, PlayerId, Rules, State, Streams, View};
use hegemon_protocol::HostLoader;

/// The game of a preset, ended after some turns.
pub(crate) fn game(preset: &str, map: &str, n_players: usize, victory: Victory) -> Arc<Game> {
    let mut rules = Rules::preset(preset).expect(preset);
    rules.end.turn_limit = Some(20);
    rules.victory = victory;
    Game::new(Map::builtin(map).expect(map), rules, n_players).expect(preset)
}

/// Games that together ask for every kind of move.
#[allow(dead_code, reason = "not all test programs use it")]
pub(crate) fn games() -> Vec<Arc<Game>> {
    let capitals = Victory::Capitals {
        hold: 2,
        extra_die: true,
    };
    vec![
        game("sampling", "classic", 2, Victory::Conquest),
        game("classic", "classic", 2, Victory::Conquest),
        game("classic", "classic", 5, Victory::Conquest),
        game("classic", "classic", 3, Victory::Missions),
        game("classic", "classic", 3, capitals),
        game("lux", "archipelago80", 6, Victory::Conquest),
        game("draft", "classic", 3, Victory::Conquest),
        game("beam", "duel6", 2, Victory::Conquest),
    ]
}

/// The bot of a spec in a seat.
pub(crate) fn seat(spec: &str, game: &Arc<Game>, seat: PlayerId, seed: u64) -> Box<dyn Bot> {
    let spec: Spec = spec.parse().expect(spec);
    build(
        &spec,
        &Seating {
            game,
            seat,
            seed,
            grants: &Grants::with(HostLoader::default()),
        },
    )
    .expect("a bot for this game")
}

/// Plays a game of these bots; the loser's forfeit if there is one.
#[allow(dead_code, reason = "not all test programs use it")]
pub(crate) fn play(
    game: &Arc<Game>,
    specs: &[&str],
    seed: u64,
) -> Result<State, (PlayerId, Forfeit)> {
    let mut bots: Vec<_> = game
        .seats()
        .zip(specs)
        .map(|(player, spec)| seat(spec, game, player, seed))
        .collect();
    let mut streams = Streams::new(seed);
    let mut state = game.start();
    loop {
        match state.node() {
            Node::Decision(player) => {
                let mv = bots[player.index()]
                    .choose(View::of_mover(&state))
                    .map_err(|forfeit| (player, forfeit))?;
                tell_all(&mut bots, &state, Event::Move(mv));
                state.play(mv).expect("bots answer legal moves or forfeit");
            }
            Node::Chance => {
                let outcome = streams.draw(&state);
                tell_all(&mut bots, &state, Event::Outcome(outcome));
                state.resolve_unchecked(outcome);
            }
            Node::Terminal => {
                let result = state.result().expect("the game is over");
                bots.iter_mut().for_each(|bot| bot.game_over(&result));
                return Ok(state);
            }
        }
    }
}

/// The repository's root folder.
#[allow(dead_code, reason = "not all test programs use it")]
pub(crate) fn root() -> PathBuf {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace")
}

/// The command that runs an example bot, if its interpreter is here.
#[allow(dead_code, reason = "not all test programs use it")]
pub(crate) fn example(interpreter: &str, file: &str) -> Option<String> {
    let version = Command::new(interpreter)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if version.is_ok_and(|status| status.success()) {
        let path = root().join("examples/bots").join(file);
        Some(format!("{interpreter} '{}'", path.display()))
    } else {
        note(&format!("{interpreter} is not here: {file} is not tested"));
        None
    }
}

#[allow(clippy::print_stderr, reason = "whoever runs the tests must see it")]
pub(crate) fn note(sentence: &str) {
    eprintln!("{sentence}");
}
