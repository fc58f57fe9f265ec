//! Golden files of this version, which every later version must still read.
//!
//! `cargo xtask golden` rewrites the folder of [`WRITTEN`]. Once a version is
//! released its folder is frozen: a format change gets a new folder, and the old
//! ones stay, since the tests here read all of them.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::{Folder, hegemon, succeed};
use hegemon_bots::beam::BeamWeights;
use hegemon_core::{Game, Map, Node, Rng, Rules, State, Streams, fnv1a};
use hegemon_eval::draft::DraftWeights;
use hegemon_eval::value::{NetShape, NetWeights, ValueCard, ValueFile};
use hegemon_eval::{Weights, WinShareWeights};
use hegemon_lab::{LabError, Origin, ResultStore, RunSetting, Scale};
use hegemon_record::GameRecord;

/// The folder that this version writes.
const WRITTEN: &str = "1";

/// The endings of a game, each with a match that produces it: rules that differ
/// from the boxed game, then map and players.
const ENDINGS: [(&str, &str, &[&str]); 10] = [
    ("conquest", "", &["line4", "killbot", "angry"]),
    (
        "mission",
        "victory = \"missions\"",
        &["duel6", "killbot", "quo", "baseline"],
    ),
    (
        "capitals",
        "[victory.capitals]\nhold = 2\nextra-die = true",
        &["duel6", "killbot", "quo", "baseline"],
    ),
    (
        "turn-limit",
        "[end]\nturn-limit = 2",
        &["duel6", "baseline", "simulation", "pixie"],
    ),
    (
        "early-stop",
        "[end.early-stop]\nlead = 1\nafter-actions = 4",
        &["line4", "baseline", "simulation"],
    ),
    (
        "round-cap",
        "neutral = false\n[cards]\nscheme = \"off\"\n[end]\nround-cap = 4",
        &["line4", "empty", "empty"],
    ),
    (
        "forfeit-illegal-move",
        "",
        &["line4", "cmd(sh bot.sh p0x4000)", "baseline"],
    ),
    (
        "forfeit-garbage",
        "",
        &["line4", "cmd(sh bot.sh)", "baseline"],
    ),
    (
        "forfeit-crash",
        "",
        &["line4", "cmd(sh bot.sh crash)", "baseline"],
    ),
    (
        "forfeit-timeout",
        "",
        &["line4", "cmd(move-ms=50: sh bot.sh sleep)", "baseline"],
    ),
];

/// A bot that behaves well up to the first question.
const BOT: &str = r#"while read -r line; do
  case "$line" in
    *'"hello"'*) echo '{"type":"hello","protocol":1,"name":"golden"}' ;;
    *'"choose"'*)
      case "$1" in
        crash) exit 1 ;;
        sleep) sleep 5 ;;
        '') echo nonsense ;;
        *) echo "{\"type\":\"move\",\"move\":\"$1\"}" ;;
      esac ;;
  esac
done
"#;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The folders of all versions.
fn versions() -> Vec<PathBuf> {
    let entries = fs::read_dir(golden()).expect("committed");
    let versions: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    assert!(versions.contains(&golden().join(WRITTEN)));
    versions
}

/// The files of a part of every version, with their content.
fn files(part: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folders = versions().into_iter().map(|version| version.join(part));
    let entries = folders.flat_map(|folder| fs::read_dir(folder).expect("committed"));
    let paths = entries.map(|entry| entry.expect("readable").path());
    let files = paths.map(|path| {
        let bytes = fs::read(&path).expect("readable");
        (path, bytes)
    });
    files.collect()
}

fn texts(part: &str) -> Vec<(PathBuf, String)> {
    let text = |(path, bytes)| (path, String::from_utf8(bytes).expect("text"));
    files(part).into_iter().map(text).collect()
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.expect("a plain name").to_owned()
}

#[test]
fn a_golden_record_of_every_ending_replays_and_verifies() {
    let mut found = BTreeSet::new();
    for (path, bytes) in files("records") {
        let record = GameRecord::from_bytes(&bytes);
        let record = record.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if let Err(error) = record.verify() {
            panic!("{}: {error}", path.display());
        }
        let ending = record.end.termination.to_string();
        let kind = match ending.split(':').collect::<Vec<_>>()[..] {
            ["forfeit", _, kind] => format!("forfeit-{kind}"),
            _ => ending,
        };
        assert_eq!(stem(&path), kind);
        found.insert(kind);
    }
    for (ending, ..) in ENDINGS {
        assert!(found.contains(ending), "no record ends by {ending}");
    }
}

/// Larger files are flipped only at about this many evenly spaced bytes.
const SMALL: usize = 12_000;

#[test]
fn a_flipped_byte_anywhere_in_a_golden_record_is_refused_with_its_line() {
    for (path, bytes) in files("records") {
        let step = bytes.len().div_ceil(SMALL);
        for at in (0..bytes.len()).step_by(step) {
            let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            let read = GameRecord::from_bytes(&flipped).and_then(|record| record.verify());
            let error = read.expect_err("damaged");
            assert_eq!(error.line, line, "{} at byte {at}: {error}", path.display());
        }
    }
}

/// `MAP RULES PLAYERS HASH POSITION` in a line.
#[test]
fn golden_positions_have_the_hash_that_they_had() {
    for (path, text) in texts("positions") {
        assert!(text.lines().count() > 20, "{}", path.display());
        for line in text.lines() {
            let [map, rules, n_players, hash, position] =
                line.splitn(5, ' ').collect::<Vec<_>>()[..]
            else {
                panic!("{line}");
            };
            let map = Map::builtin(map).expect("shipped");
            let rules = Rules::preset(rules).expect("shipped");
            let game = Game::new(map, rules, n_players.parse().expect("a number")).expect("a game");
            let state = State::from_position(&game, position).expect(position);
            assert_eq!(format!("{:016x}", state.hash64()), hash, "{line}");
            assert_eq!(state.to_position(), position);
        }
    }
}

#[test]
fn golden_rules_are_the_presets_that_they_were() {
    for (path, text) in texts("rules") {
        let rules = match path.extension().and_then(|kind| kind.to_str()) {
            Some("toml") => Rules::from_toml(&text),
            _ => Rules::from_json(&text),
        };
        let rules = rules.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(
            Some(rules),
            Rules::preset(&stem(&path)),
            "{}",
            path.display()
        );
    }
}

#[test]
fn golden_weights_are_read() {
    for (path, text) in texts("weights") {
        let name = stem(&path);
        let read = match name.split('-').next() {
            Some("beam") => BeamWeights::from_toml(&text)
                .map(|_| ())
                .map_err(|e| e.to_string()),
            Some("contest") => WinShareWeights::from_toml(&text)
                .map(|_| ())
                .map_err(|e| e.to_string()),
            Some("value") => ValueFile::from_toml(&text)
                .map(|_| ())
                .map_err(|e| e.to_string()),
            Some("draft") => DraftWeights::from_toml(&text)
                .map(|_| ())
                .map_err(|e| e.to_string()),
            _ => Weights::from_toml(&text)
                .map(|_| ())
                .map_err(|e| e.to_string()),
        };
        read.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// Nets say in words which numbers they have.
#[test]
fn golden_nets_have_the_numbers_that_they_had() {
    let mut n_nets = 0;
    for (path, text) in texts("weights") {
        let (about, bits) = if stem(&path) == VALUE_NET {
            let file = ValueFile::from_toml(&text).expect("a value net");
            (file.card.about.clone(), bits_of(&file.weights.parts()))
        } else if stem(&path) == DRAFT_NET {
            let file = DraftWeights::from_toml(&text).expect("a draft net");
            let net = file.net.expect("it is a net");
            (file.about, bits_of(&[&net.bias, &net.output, &net.input]))
        } else {
            continue;
        };
        assert!(about.ends_with(&bits), "{}: {about}", path.display());
        n_nets += 1;
    }
    assert!(n_nets >= 2, "{n_nets} nets");
}

const VALUE_NET: &str = "value-small";
const DRAFT_NET: &str = "draft-net";

/// A fingerprint of all numbers, in words.
fn bits_of(parts: &[&Vec<f32>]) -> String {
    let numbers = parts.iter().flat_map(|part| part.iter());
    let bytes: Vec<u8> = numbers.flat_map(|x| x.to_bits().to_le_bytes()).collect();
    format!("{} numbers, FNV-1a {:016x}", bytes.len() / 4, fnv1a(&bytes))
}

/// A dialogue: `>` is the bot's input, `<` its output.
#[test]
fn a_golden_dialogue_is_answered_as_it_was() {
    for (path, text) in texts("protocol") {
        let side = |mark: char| -> String {
            let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
            lines.fold(String::new(), |text, line| text + line.trim() + "\n")
        };
        assert_eq!(
            answers(&stem(&path), &side('>')),
            side('<'),
            "{}",
            path.display()
        );
    }
}

/// What `hegemon bot` answers.
fn answers(bot: &str, input: &str) -> String {
    let folder = Folder::new("golden-protocol");
    fs::write(folder.0.join("input"), input).expect("writable");
    let file = fs::File::open(folder.0.join("input")).expect("there");
    let mut command = hegemon(&folder.0, &["bot", bot]);
    let output = command.stdin(file).stderr(Stdio::inherit()).output();
    String::from_utf8(output.expect("the program starts").stdout).expect("text")
}

#[test]
fn a_golden_pool_is_whole_and_goes_on() {
    // Of the format before, which becomes the present one when games are added.
    let former = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/former/pool-3.db");
    let bytes = fs::read(&former).expect("committed");
    for (path, bytes) in files("pool").into_iter().chain([(former, bytes)]) {
        let folder = Folder::new("golden-pool");
        fs::write(folder.0.join("arena.db"), bytes).expect("writable");
        succeed(&folder.0, &["arena", "check"]);
        let games = |answer: &str| {
            let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
            answer["games"].as_u64().expect("a number")
        };
        let before = games(&succeed(&folder.0, &["arena", "show", "--json"]));
        assert_eq!(before, POOL_GAMES, "{}", path.display());
        let exported = succeed(&folder.0, &["arena", "export"]);
        let more = (before + 4).to_string();
        succeed(
            &folder.0,
            &["arena", "run", "--games", &more, "--threads", "1"],
        );
        let after = games(&succeed(&folder.0, &["arena", "show", "--json"]));
        assert_eq!(after, before + 4);
        assert!(succeed(&folder.0, &["arena", "export"]).starts_with(&exported));
        succeed(&folder.0, &["arena", "check"]);
    }
}

const POOL_GAMES: u64 = 12;

#[test]
fn golden_data_sets_are_read() {
    for (path, _) in files("datasets") {
        if path.extension().is_some_and(|kind| kind == "parquet") && !cfg!(feature = "parquet") {
            continue;
        }
        let path = path.to_str().expect("a plain name");
        let answer = succeed(&golden(), &["dataset", "report", path, "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["n_games"], 2, "{path}");
        for columns in [60, 80, 126] {
            let output = hegemon(&golden(), &["dataset", "report", path])
                .env("COLUMNS", columns.to_string())
                .output()
                .expect("the program starts");
            let shown = String::from_utf8(output.stdout).expect("text");
            // The name of the file, in the next step, is as long as it is.
            let lines = shown.lines().filter(|line| !line.contains(path));
            let longest = lines.map(|line| line.chars().count()).max();
            assert!(longest.is_some_and(|n| n <= columns), "{columns}: {shown}");
            assert!(shown.contains("change_threatened_borders"), "{shown}");
        }
    }
}

/// Each holds half of one match.
#[test]
fn golden_parts_of_a_match_are_merged() {
    for version in versions() {
        let parts = version.join("match-parts");
        let answer = succeed(&parts, &["merge", "0.json", "1.json", "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(answer["games"], PART_GAMES, "{}", parts.display());
    }
}

const PART_GAMES: u64 = 8;

/// The cells of a store by setting, and what is known of their making.
type LabContent = Vec<(RunSetting, BTreeMap<String, serde_json::Value>, Vec<Origin>)>;

fn lab_content(path: &Path) -> Result<LabContent, LabError> {
    let store = ResultStore::open(path)?;
    store.check_cells()?;
    let experiment = hegemon_lab::experiment(LAB_EXPERIMENT).expect("it exists");
    let settings = store.settings()?.into_iter();
    let content = settings.map(|setting| {
        let cells = store.results(experiment, setting)?.cells;
        Ok((setting, cells, store.origins(setting)?))
    });
    content.collect()
}

/// A small one.
const LAB_EXPERIMENT: &str = "001-provided";

#[test]
fn a_golden_store_of_the_lab_is_whole_and_reported() {
    for (path, bytes) in files("lab") {
        let folder = Folder::new("golden-lab");
        fs::write(folder.0.join("lab.db"), bytes).expect("writable");
        let content = lab_content(&folder.0.join("lab.db")).expect("sound");
        let [(setting, cells, origins)] = &content[..] else {
            panic!("{}: {content:?}", path.display());
        };
        assert_eq!((setting.scale, setting.seed), (Scale::Smoke, 1));
        assert!(!cells.is_empty(), "{}", path.display());
        assert_eq!(origins[0].n_cells as usize, cells.len());
        // Later programs may play differently.
        let report = "lab report --scale smoke --seed 1 --mix --format md";
        succeed(&folder.0, &report.split(' ').collect::<Vec<_>>());
    }
}

#[test]
fn a_flipped_byte_in_a_golden_store_of_the_lab_is_refused_or_changes_no_cell() {
    for (path, bytes) in files("lab") {
        let folder = Folder::new("golden-lab-bytes");
        let copy = folder.0.join("lab.db");
        let read = |bytes: &[u8]| {
            fs::write(&copy, bytes).expect("writable");
            lab_content(&copy)
        };
        let sound = read(&bytes).expect("sound");
        // In the text of a cell nothing passes.
        let cell = b", commit ";
        let texts = (0..bytes.len()).filter(|&at| bytes[at..].starts_with(cell));
        let texts: BTreeSet<usize> = texts.flat_map(|at| at..at + cell.len()).collect();
        assert!(!texts.is_empty(), "{}", path.display());
        for at in (0..bytes.len()).step_by(11).chain(texts.iter().copied()) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            match read(&flipped) {
                Err(_) => {}
                Ok(found) => {
                    assert!(!texts.contains(&at), "byte {at} passes");
                    // A cell that cannot be found is computed again.
                    let is_known = |(key, value)| {
                        let mut cells = sound.iter().map(|(_, cells, _)| cells);
                        cells.any(|cells| cells.get(key) == Some(value))
                    };
                    let mut cells = found.iter().flat_map(|(_, cells, _)| cells);
                    assert!(cells.all(is_known), "byte {at} changes a cell");
                }
            }
        }
    }
}

/// Writes all files of this version; see `cargo xtask golden`.
#[test]
#[ignore = "writes the golden files anew"]
fn write_golden_files() {
    let out = golden().join(WRITTEN);
    if out.exists() {
        fs::remove_dir_all(&out).expect("writable");
    }
    let scratch = Folder::new("golden");
    write_records(&scratch.0, &part(&out, "records"));
    let positions = part(&out, "positions").join("presets.txt");
    fs::write(positions, positions_text()).expect("writable");
    let rules = part(&out, "rules");
    for name in Rules::PRESETS {
        let preset = Rules::preset(name).expect("shipped");
        fs::write(rules.join(format!("{name}.toml")), preset.to_toml()).expect("writable");
        fs::write(rules.join(format!("{name}.json")), preset.to_json()).expect("writable");
    }
    let weights = part(&out, "weights");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hegemon-eval/weights");
    for name in ["default", "contest-lux", "draft-authors", "beam-evolved"] {
        let name = format!("{name}.toml");
        fs::copy(shipped.join(&name), weights.join(&name)).expect("shipped");
    }
    write_nets(&scratch.0, &weights);
    fs::write(part(&out, "protocol").join("baseline.txt"), dialogue()).expect("writable");
    write_pool(&scratch.0, &part(&out, "pool"));
    write_datasets(&scratch.0, &part(&out, "datasets"));
    write_match_parts(&part(&out, "match-parts"));
    write_lab(&scratch.0, &part(&out, "lab"));
}

fn part(out: &Path, name: &str) -> PathBuf {
    let folder = out.join(name);
    fs::create_dir_all(&folder).expect("writable");
    folder
}

/// The shortest record of each ending among a few games.
fn write_records(scratch: &Path, out: &Path) {
    fs::write(scratch.join("bot.sh"), BOT).expect("writable");
    for (ending, rules, game) in ENDINGS {
        fs::write(scratch.join("rules.toml"), rules).expect("writable");
        let [map, players @ ..] = game else {
            panic!("{ending} has no map");
        };
        let n_games = if ending == "round-cap" || ending.starts_with("forfeit") {
            "1"
        } else {
            "60"
        };
        let mut arguments = vec!["match"];
        arguments.extend(players);
        arguments.extend(["--map", map, "--rules", "rules.toml", "--games", n_games]);
        arguments.extend(["--records", ending, "--threads", "1"]);
        succeed(scratch, &arguments);
        let entries = fs::read_dir(scratch.join(ending)).expect("written");
        let records = entries.map(|entry| fs::read(entry.expect("readable").path()));
        let wanted = records
            .map(|bytes| bytes.expect("readable"))
            .filter(|bytes| {
                let record = GameRecord::from_bytes(bytes).expect("as written");
                let found = record.end.termination.to_string();
                match ending.strip_prefix("forfeit-") {
                    Some(kind) => found.starts_with("forfeit:") && found.ends_with(kind),
                    None => found == ending,
                }
            });
        let shortest = wanted.min_by_key(|bytes| (bytes.len(), bytes.clone()));
        let shortest = shortest.unwrap_or_else(|| panic!("no game ended by {ending}"));
        fs::write(out.join(format!("{ending}.hgr")), shortest).expect("writable");
    }
}

/// A state of every phase that random play under the presets reaches.
fn positions_text() -> String {
    let mut text = String::new();
    for name in Rules::PRESETS {
        let rules = Rules::preset(name).expect("shipped");
        let n_players = usize::from(rules.players[0]).max(2);
        let map = Map::builtin("duel6").expect("shipped");
        let game = Game::new(map, rules, n_players).expect("rules fit");
        let (mut streams, mut mover) = (Streams::new(3), Rng::from_seed(3));
        let mut state = game.start();
        let mut seen = BTreeSet::new();
        for n in 0..3_000 {
            if seen.insert(state.phase()) || n % 500 == 499 {
                let (hash, position) = (state.hash64(), state.to_position());
                let _ = writeln!(text, "duel6 {name} {n_players} {hash:016x} {position}");
            }
            match state.node() {
                Node::Decision(_) => {
                    let moves = state.legal_moves();
                    let mv = *mover.pick(&moves).expect("a decision has a move");
                    state.play(mv).expect("listed");
                }
                Node::Chance => {
                    let outcome = streams.draw(&state);
                    state.resolve(outcome).expect("drawn");
                }
                Node::Terminal => break,
            }
        }
    }
    text
}

/// The dialogue of the documentation, which is a real one.
fn dialogue() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let text = fs::read_to_string(path).expect("committed");
    let lines = text
        .lines()
        .filter(|line| line.starts_with("> {") || line.starts_with("< {"));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

fn write_pool(scratch: &Path, out: &Path) {
    let add = "arena add baseline simulation --map line4 --rules sampling --seed 1";
    succeed(scratch, &add.split(' ').collect::<Vec<_>>());
    let games = POOL_GAMES.to_string();
    let run = ["arena", "run", "--games", &games, "--threads", "1"];
    succeed(scratch, &run);
    fs::copy(scratch.join("arena.db"), out.join("arena.db")).expect("written");
}

/// The smallest value net, with random numbers, and a draft net of a short training.
fn write_nets(scratch: &Path, out: &Path) {
    let mut weights = NetWeights::zero(NetShape {
        n_territories: 0,
        first: 8,
        second: 8,
    });
    let mut rng = Rng::from_seed(1);
    for part in weights.parts_mut() {
        part.fill_with(|| f32::from(rng.below(2_001) as u16) / 1_000.0 - 1.0);
    }
    let file = ValueFile {
        card: ValueCard::default(),
        territories: Vec::new(),
        weights,
    };
    // Numbers are rounded when they are written.
    let mut file = ValueFile::from_toml(&file.to_toml()).expect("as written");
    file.card.about = format!("random: {}", bits_of(&file.weights.parts()));
    fs::write(out.join(format!("{VALUE_NET}.toml")), file.to_toml()).expect("writable");

    let train = "train draft --map duel6 --drafts 40 --games 2 --net --hidden 8 --out draft";
    succeed(scratch, &train.split(' ').collect::<Vec<_>>());
    let text = fs::read_to_string(scratch.join("draft/net.toml")).expect("written");
    let mut file = DraftWeights::from_toml(&text).expect("as written");
    let net = file.net.as_ref().expect("a net");
    file.about += &format!(": {}", bits_of(&[&net.bias, &net.output, &net.input]));
    fs::write(out.join(format!("{DRAFT_NET}.toml")), file.to_toml()).expect("writable");
}

fn write_match_parts(out: &Path) {
    let games = PART_GAMES.to_string();
    for (n, blocks) in ["0..2", "2..4"].into_iter().enumerate() {
        let play = "match baseline simulation --map line4 --rules sampling --threads 1";
        let file = format!("{n}.json");
        let mut arguments: Vec<&str> = play.split(' ').collect();
        arguments.extend(["--games", &games, "--blocks", blocks, "--out", &file]);
        succeed(out, &arguments);
    }
}

fn write_lab(scratch: &Path, out: &Path) {
    let run = format!("lab run {LAB_EXPERIMENT} --scale smoke --seed 1 --threads 1");
    succeed(scratch, &run.split(' ').collect::<Vec<_>>());
    fs::copy(scratch.join("lab.db"), out.join("lab.db")).expect("written");
}

fn write_datasets(scratch: &Path, out: &Path) {
    let kinds = ["csv", "parquet"];
    for kind in &kinds[..1 + usize::from(cfg!(feature = "parquet"))] {
        let file = format!("rows.{kind}");
        let play = "dataset play baseline simulation --map line4 --rules sampling --games 2 --out";
        let mut arguments: Vec<&str> = play.split(' ').collect();
        arguments.push(&file);
        succeed(scratch, &arguments);
        fs::copy(scratch.join(&file), out.join(&file)).expect("written");
    }
}
