//! Maps, rules, positions and records.

use std::sync::{Arc, OnceLock};

use hegemon_core::rules::Victory;
use hegemon_core::{
    Event, Game, Map, MapSpec, Move, Node, OneWay, Rng, Rules, State, Streams, fnv1a,
};
use hegemon_record::{GameRecord, Header, RecordEnd, RecordWriter};

use crate::{InputTrace, text};

/// Moves and outcomes played from what was read.
const N_STEPS: u32 = 60;

/// A map file: JSON, or Domination's text.
pub(crate) fn map(bytes: &[u8]) -> InputTrace {
    let text = text(bytes);
    let read = if text.trim_start().starts_with('{') {
        Map::from_json(&text)
    } else {
        MapSpec::from_domination(&text, "unnamed", OneWay::Widen).and_then(Map::new)
    };
    let map = match read {
        Ok(map) => map,
        Err(error) => return InputTrace::of(&error.to_string()),
    };
    let printed = map.spec().to_json();
    let spec = MapSpec::from_json(&printed).expect("a map that was printed is read");
    let again = Map::new(spec).expect("a map that was printed is valid");
    assert_eq!(again.hash(), map.hash(), "printed and read again");
    let facts = [
        map.n_territories().ilog2().into(),
        map.continents().len().ilog2().into(),
        u64::from(map.mission_continents().is_empty()),
    ];
    for (preset, n_players) in [("classic", 3), ("lux", 4)] {
        let mut rules = Rules::preset(preset).expect("shipped");
        if !map.mission_continents().is_empty() {
            rules.victory = Victory::Missions;
        }
        if let Ok(game) = Game::new(map.clone(), rules, n_players) {
            stroll(game.start(), &mut rng_of(bytes));
        }
    }
    InputTrace::accepted(&facts)
}

/// A rules file: TOML or JSON.
pub(crate) fn rules(bytes: &[u8]) -> InputTrace {
    let text = text(bytes);
    let read = if text.trim_start().starts_with('{') {
        Rules::from_json(&text)
    } else {
        Rules::from_toml(&text)
    };
    let rules = match read {
        Ok(rules) => rules,
        Err(error) => return InputTrace::of(&error.to_string()),
    };
    assert_eq!(
        Rules::from_toml(&rules.to_toml()).as_ref(),
        Ok(&rules),
        "printed and read again"
    );
    assert_eq!(
        Rules::from_json(&rules.to_json()).as_ref(),
        Ok(&rules),
        "printed and read again"
    );
    let axes = format!(
        "{:?}{:?}{:?}",
        rules.battle.attack, rules.start, rules.fortify
    );
    let mut facts = vec![fnv1a(axes.as_bytes())];
    for map in ["duel6", "classic"] {
        let n_players = usize::from(rules.players[0]);
        let map = Map::builtin(map).expect("shipped");
        match Game::new(map, rules.clone(), n_players) {
            Ok(game) => stroll(game.start(), &mut rng_of(bytes)),
            Err(error) => facts.push(InputTrace::of(&error.to_string()).0),
        }
    }
    InputTrace::accepted(&facts)
}

/// The name of a game and a position in it: `GAME POSITION`.
pub(crate) fn position(bytes: &[u8]) -> InputTrace {
    let text = text(bytes);
    let (name, position) = text.split_once(' ').unwrap_or(("", &text));
    let games = games();
    let game = games.iter().find(|(known, _)| *known == name);
    let (_, game) = game.unwrap_or(&games[0]);
    let state = match State::from_position(game, position) {
        Ok(state) => state,
        Err(error) => return InputTrace::of(&error.to_string()),
    };
    assert_eq!(state.hash64(), state.recompute_hash64(), "{position}");
    let printed = state.to_position();
    let again = State::from_position(game, &printed).expect("a position that was printed is read");
    assert_eq!(again.to_position(), printed, "printed and read again");
    let phase = fnv1a(state.phase().name().as_bytes());
    let n_groups = state.legal_groups().len() as u64;
    stroll(state, &mut rng_of(bytes));
    InputTrace::accepted(&[phase, n_groups.min(8)])
}

/// A record of a game: as given, and as one of the first format, which has no
/// checksum for a mutation to break.
pub(crate) fn record(bytes: &[u8]) -> InputTrace {
    let text = text(bytes);
    read_record(&text);
    let mut lines: Vec<&str> = text.lines().collect();
    if let Some(first) = lines.first_mut() {
        *first = "hegemon-record 1";
    }
    if lines.last().is_some_and(|last| !last.starts_with("end ")) {
        lines.pop();
    }
    read_record(&(lines.join("\n") + "\n"))
}

fn read_record(text: &str) -> InputTrace {
    let record = match GameRecord::parse(text) {
        Ok(record) => record,
        Err(error) => return InputTrace::of(&error.to_string()),
    };
    match record.verify() {
        Ok(state) => InputTrace::accepted(&[
            u64::from(state.round().min(8)),
            fnv1a(state.phase().name().as_bytes()),
        ]),
        Err(error) => InputTrace::of(&error.to_string()),
    }
}

/// Games that together have every kind of phase.
fn games() -> &'static [(&'static str, Arc<Game>)] {
    static GAMES: OnceLock<Vec<(&'static str, Arc<Game>)>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let capitals = Victory::Capitals {
            hold: 2,
            extra_die: true,
        };
        [
            ("duel", "sampling", "duel6", 2, Victory::Conquest),
            ("boxed", "classic", "classic", 3, Victory::Conquest),
            ("neutral", "classic", "duel6", 2, Victory::Conquest),
            ("missions", "classic", "classic", 3, Victory::Missions),
            ("capitals", "classic", "classic", 3, capitals),
            ("lux", "lux", "duel6", 2, Victory::Conquest),
            ("draft", "draft", "classic", 3, Victory::Conquest),
            ("beam", "beam", "classic", 4, Victory::Conquest),
        ]
        .into_iter()
        .map(|(name, preset, map, n_players, victory)| {
            let mut rules = Rules::preset(preset).expect("shipped");
            rules.victory = victory;
            let map = Map::builtin(map).expect("shipped");
            let game = Game::new(map, rules, n_players).expect("they fit each other");
            (name, game)
        })
        .collect()
    })
}

/// Positions of all games, near the start and later.
pub(crate) fn position_seeds() -> Vec<String> {
    let mut positions = Vec::new();
    for (name, game) in games() {
        for n_steps in [0, 40, 120, 200] {
            let mut state = game.start();
            let mut rng = Rng::from_seed(n_steps);
            for _ in 0..n_steps {
                step(&mut state, &mut rng);
            }
            positions.push(format!("{name} {}", state.to_position()));
        }
    }
    positions
}

/// Records of short games.
pub(crate) fn record_seeds() -> Vec<Vec<u8>> {
    let short = [
        ("sampling", "line4"),
        ("lux", "duel6"),
        ("classic", "duel6"),
    ];
    short
        .into_iter()
        .zip(1..)
        .map(|((preset, map), seed)| {
            let mut rules = Rules::preset(preset).expect("shipped");
            rules.end.turn_limit = Some(3);
            let map = Map::builtin(map).expect("shipped");
            let game = Game::new(map, rules, 2).expect("they fit each other");
            recorded(&game, seed).expect("memory does not fail")
        })
        .collect()
}

/// The record of a game of random moves.
fn recorded(game: &Arc<Game>, seed: u64) -> std::io::Result<Vec<u8>> {
    let header = Header::new(game, vec!["random".to_owned(); game.n_players()], seed);
    let mut writer = RecordWriter::new(Vec::new(), &header)?;
    let (mut streams, mut rng) = (Streams::new(seed), Rng::from_seed(seed));
    let mut state = game.start();
    loop {
        let event = match state.node() {
            Node::Decision(_) => Event::Move(some_move(&state, &mut rng)),
            Node::Chance => Event::Outcome(streams.draw(&state)),
            Node::Terminal => {
                let end = RecordEnd::of(&state).expect("the game is over");
                return writer.finish(&end);
            }
        };
        writer.event(&state, event)?;
        state.apply_unchecked(event);
    }
}

fn rng_of(bytes: &[u8]) -> Rng {
    Rng::from_seed(fnv1a(bytes))
}

/// Plays random legal moves.
fn stroll(mut state: State, rng: &mut Rng) {
    for _ in 0..N_STEPS {
        if !step(&mut state, rng) {
            break;
        }
    }
    assert_eq!(state.hash64(), state.recompute_hash64());
}

/// Plays a legal move or draws an outcome; false at the end of the game.
fn step(state: &mut State, rng: &mut Rng) -> bool {
    match state.node() {
        Node::Decision(_) => {
            let mv = some_move(state, rng);
            assert!(state.is_legal(mv), "{mv} at {}", state.to_position());
            state.play_unchecked(mv);
            true
        }
        Node::Chance => {
            let outcome = state.sample(rng);
            state.resolve(outcome).expect("what was drawn is possible");
            true
        }
        Node::Terminal => false,
    }
}

fn some_move(state: &State, rng: &mut Rng) -> Move {
    let groups = state.legal_groups();
    let group = rng.pick(&groups).expect("there is a legal move");
    let n_moves = group.n_moves() as u64;
    assert!(
        n_moves > 0,
        "a group without moves: {}",
        state.to_position()
    );
    let mv = group.nth(rng.below_u64(n_moves) as usize);
    mv.expect("as many as it says")
}
