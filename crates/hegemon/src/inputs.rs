//! Values named by arguments: maps, rules with changes, games.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use hegemon_bots::nearest;
use hegemon_core::{
    Game, MAX_PLAYERS, Map, MapFault, PlayerId, PositionError, Rules, RulesError, Setup, State,
};
use hegemon_record::GameRecord;

use crate::output;
use crate::rule_changes::changed;
use crate::values;

/// Default name of the map and of the rules.
pub(crate) const DEFAULT: &str = "classic";

/// The rules that a command uses.
#[derive(Clone, Debug, Args)]
pub(crate) struct RulesChoice {
    /// Rules: a preset, or a TOML or JSON file [default: classic]
    #[arg(long, value_name = "NAME|FILE", value_parser = values::rules(), hide_possible_values = true)]
    rules: Option<String>,
    /// Change one of the rules, as in --set fortify=none (may be repeated)
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl RulesChoice {
    /// What was chosen, in words.
    pub(crate) fn words(&self) -> String {
        let changes = self.set.iter().map(|change| format!(" with {change}"));
        self.name().to_owned() + &changes.collect::<String>()
    }

    fn name(&self) -> &str {
        self.rules.as_deref().unwrap_or(DEFAULT)
    }

    /// The rules with all changes made.
    ///
    /// # Errors
    ///
    /// If they do not exist, cannot be read or contradict each other.
    pub(crate) fn resolve(&self) -> anyhow::Result<Rules> {
        let rules = self::rules(self.name())?;
        // Contradictions may be resolved by the next change.
        let mut changes = self.set.iter();
        let rules = changes.try_fold(rules, |rules, change| changed(&rules, change))?;
        rules
            .validate()
            .map_err(|error| rules_error(&self.words(), &error))?;
        Ok(rules)
    }
}

/// A word as a shell reads it: in quotes where it would be more than one word, or something else.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The map and the rules that a command plays with.
#[derive(Clone, Debug, Args)]
pub(crate) struct GameChoice {
    /// Map: a name or a JSON file [default: classic]
    #[arg(long, value_name = "NAME|FILE", value_parser = values::map(), hide_possible_values = true)]
    map: Option<String>,
    #[command(flatten)]
    rules: RulesChoice,
}

impl GameChoice {
    /// The map, if one was named.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn given_map(&self) -> anyhow::Result<Option<Map>> {
        self.map.as_deref().map(map).transpose()
    }

    /// The rules, if any were named or changed.
    ///
    /// # Errors
    ///
    /// As [`RulesChoice::resolve`].
    pub(crate) fn given_rules(&self) -> anyhow::Result<Option<Rules>> {
        let is_given = self.rules.rules.is_some() || !self.rules.set.is_empty();
        is_given.then(|| self.rules.resolve()).transpose()
    }

    /// What was given, as it is written on a command line after other words.
    pub(crate) fn options(&self) -> String {
        let given = [("--map", &self.map), ("--rules", &self.rules.rules)];
        let given = given
            .into_iter()
            .filter_map(|(option, value)| Some((option, value.as_ref()?)));
        let set = self.rules.set.iter().map(|change| ("--set", change));
        given
            .chain(set)
            .map(|(option, value)| format!(" {option} {}", shell_word(value)))
            .collect()
    }

    /// The game for `n_players`; by default, for the fewest that the rules
    /// allow.
    ///
    /// # Errors
    ///
    /// If map or rules cannot be read, or do not fit each other or the players.
    pub(crate) fn resolve(&self, n_players: Option<usize>) -> anyhow::Result<Arc<Game>> {
        let map = map(self.map.as_deref().unwrap_or(DEFAULT))?;
        let rules = self.rules.resolve()?;
        let n_players = n_players.unwrap_or(usize::from(rules.players[0]));
        Ok(Game::new(map, rules, n_players)?)
    }
}

/// The number of players of a position: as told, or all that it names.
///
/// # Errors
///
/// If the position cannot be read.
pub(crate) fn players_of(position: &str, told: Option<usize>) -> anyhow::Result<usize> {
    if let Some(n_players) = told {
        return Ok(n_players);
    }
    let setup: Setup = position.parse().map_err(|error| faults(&error))?;
    let owners = setup.board.iter().map(|(owner, _)| *owner);
    let named = owners.chain([setup.player]).filter(|owner| owner.is_seat());
    let gone = PlayerId::seats(MAX_PLAYERS).filter(|seat| setup.eliminations[*seat].is_some());
    let last = named.chain(gone).map(PlayerId::index).max();
    Ok(last.map_or(2, |last| last + 1).max(2))
}

/// A position of a game.
///
/// # Errors
///
/// If it cannot be read or does not fit the game.
pub(crate) fn position(game: &Arc<Game>, text: &str) -> anyhow::Result<State> {
    if text.trim().is_empty() {
        bail!("the position is empty");
    }
    State::from_position(game, text).map_err(|error| faults(&error))
}

/// Most faults of a position that an error names.
const MAX_FAULTS: usize = 5;

/// The faults of a position, on one line.
fn faults(error: &PositionError) -> anyhow::Error {
    let n_named = error.faults.len().min(MAX_FAULTS);
    let named = error.faults[..n_named].join("; ");
    match error.faults.len() - n_named {
        0 => anyhow!("{named}"),
        n_more => {
            let more = output::count(n_more, "more fault", "more faults");
            anyhow!("{named}; and {more}")
        }
    }
}

/// The game of a draft; by default, the paper's.
#[derive(Clone, Debug, Args)]
pub(crate) struct DraftGameChoice {
    /// Map: a name or a JSON file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic-lux", value_parser = values::map(), hide_possible_values = true)]
    map: String,
    /// Rules: a preset, or a TOML or JSON file
    #[arg(long, value_name = "NAME|FILE", default_value = "draft", value_parser = values::rules(), hide_possible_values = true)]
    rules: String,
    /// Number of players
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = values::players())]
    players: usize,
}

impl DraftGameChoice {
    /// The game.
    ///
    /// # Errors
    ///
    /// If map or rules cannot be read, or do not fit each other or the players.
    pub(crate) fn resolve(&self) -> anyhow::Result<Arc<Game>> {
        Ok(Game::new(
            map(&self.map)?,
            rules(&self.rules)?,
            self.players,
        )?)
    }
}

/// The most threads that a command starts.
const MAX_THREADS: usize = 256;

/// A range of blocks as an argument: `A..B`, from A up to, but without, B.
///
/// # Errors
///
/// If it is anything else, or empty.
pub(crate) fn block_range(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..");
    let ends = ends.and_then(|(first, end)| Some((first.parse().ok()?, end.parse().ok()?)));
    match ends {
        Some((first, end)) if first < end => Ok(first..end),
        _ => Err("it must be a range of blocks such as 10..20".to_owned()),
    }
}

/// How many threads play or train; results do not depend on it.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThreadCount {
    /// Worker threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = values::whole::<usize>(1..=MAX_THREADS as u64))]
    threads: Option<usize>,
}

impl ThreadCount {
    /// The number asked for, or one for each core.
    pub(crate) fn n(self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores).min(MAX_THREADS)
    }
}

/// The command as given, for the headers of its output files; without arguments
/// that do not change the result: output path, number of threads, and output
/// format.
pub(crate) fn command_line() -> String {
    without_circumstances(std::env::args().skip(1))
}

fn without_circumstances(words: impl Iterator<Item = String>) -> String {
    const WITH_VALUE: [&str; 3] = ["--threads", "--out", "--checkpoint"];
    let mut command = "hegemon".to_owned();
    let mut words = words;
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word.as_str()) {
            words.next();
            continue;
        }
        let is_circumstance = word == "--json"
            || word
                .split_once('=')
                .is_some_and(|(name, _)| WITH_VALUE.contains(&name));
        if !is_circumstance {
            command.push(' ');
            command.push_str(&word);
        }
    }
    command
}

/// What a training says that a second signal ends.
pub(crate) fn stopped_at_once(checkpoint: Option<&Path>) -> &'static str {
    match checkpoint {
        Some(_) => "Stopped at once; the same command goes on where the checkpoint is.",
        None => "Stopped at once: nothing is written, since there is no --checkpoint.",
    }
}

/// What one does after a training that was stopped.
pub(crate) fn going_on(checkpoint: Option<&Path>) -> &'static str {
    match checkpoint {
        Some(_) => "the same command goes on where it was",
        None => "with --checkpoint FILE a run that is stopped can go on",
    }
}

/// Creates a folder and its parents.
///
/// # Errors
///
/// If it cannot be created, or is something else; the error has its name.
pub(crate) fn make_folder(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    if let Ok(facts) = fs::metadata(path)
        && !facts.is_dir()
    {
        let what = if facts.is_file() {
            "a file"
        } else {
            "a device or a pipe"
        };
        bail!("cannot make the folder {name}: it is {what}, not a folder");
    }
    fs::create_dir_all(path).with_context(|| format!("cannot make the folder {name}"))
}

/// Rejects an output path that is not a plain file, before any work is done.
///
/// # Errors
///
/// If it is a folder, a device or a pipe; the error has its name.
pub(crate) fn check_place(path: Option<&Path>) -> anyhow::Result<()> {
    path.map_or(Ok(()), |path| {
        hegemon_arena::check_place(path).with_context(|| cannot_write(path))
    })
}

/// Checks that a file to write is not one that is read.
///
/// # Errors
///
/// If it is.
pub(crate) fn check_other(out: &Path, read: &Path) -> anyhow::Result<()> {
    let same = match (out.canonicalize(), read.canonicalize()) {
        (Ok(out), Ok(read)) => out == read,
        _ => false,
    };
    if same {
        bail!("--out {} is the file that is read", out.display());
    }
    Ok(())
}

/// Writes a file atomically.
///
/// # Errors
///
/// If it cannot be written; the error has its name.
pub(crate) fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    hegemon_arena::write_whole(path, text.as_bytes()).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The map with this name or in this file.
///
/// # Errors
///
/// If there is none or it is not valid.
pub(crate) fn map(name: &str) -> anyhow::Result<Map> {
    if let Some(map) = Map::builtin(name) {
        return Ok(map);
    }
    if !is_file(name) {
        let names: Vec<&str> = Map::builtin_names().collect();
        bail!(unknown("map", name, &names, "hegemon maps list"));
    }
    Map::from_json(&read(name)?).map_err(|error| match error.faults.as_slice() {
        [MapFault::Syntax(reason)] => anyhow!("{name} is not a map: {reason}"),
        [fault] => anyhow!("{name} is not a map: {fault}"),
        faults => anyhow!(
            "{name} is not a map, for {} reasons that 'hegemon maps validate {name}' lists",
            faults.len()
        ),
    })
}

/// The rules with this name or in this file.
///
/// # Errors
///
/// If there are none or they contradict each other.
pub(crate) fn rules(name: &str) -> anyhow::Result<Rules> {
    if let Some(rules) = Rules::preset(name) {
        return Ok(rules);
    }
    if !is_file(name) {
        bail!(unknown(
            "rules preset",
            name,
            &Rules::PRESETS,
            "hegemon rules list"
        ));
    }
    let text = read(name)?;
    let rules = if has_extension(name, "json") {
        Rules::from_json(&text)
    } else {
        Rules::from_toml(&text)
    };
    rules.map_err(|error| rules_error(name, &error))
}

/// The text of a file.
///
/// # Errors
///
/// If it cannot be read; the error has its name.
pub(crate) fn read(path: &str) -> anyhow::Result<String> {
    fs::read_to_string(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => anyhow!("cannot read {path}: it is not text (UTF-8)"),
        _ => anyhow::Error::new(error).context(format!("cannot read {path}")),
    })
}

/// The game in a file of a record.
///
/// # Errors
///
/// If it cannot be read or is no record; the error has its name.
pub(crate) fn record(path: &Path) -> anyhow::Result<GameRecord> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    GameRecord::from_bytes(&bytes).context(name)
}

/// The text of a weights file.
///
/// # Errors
///
/// If it cannot be read; the sentence has its name.
pub(crate) fn read_weights(path: &str) -> Result<String, String> {
    read(path).map_err(|error| format!("{error:#}"))
}

/// The sentence about a name that does not exist.
pub(crate) fn unknown(kind: &str, name: &str, known: &[&str], list: &str) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("there is no {kind} \"{name}\"; did you mean \"{near}\"?"),
        None => format!("there is no {kind} \"{name}\"; '{list}' names them all"),
    }
}

fn rules_error(name: &str, error: &RulesError) -> anyhow::Error {
    anyhow!(
        "the rules {name} cannot be used: {}",
        error.faults.join("; ")
    )
}

/// Whether a name can only be a file.
fn is_file(name: &str) -> bool {
    name.contains(std::path::is_separator)
        || ["json", "toml"]
            .iter()
            .any(|extension| has_extension(name, extension))
        || Path::new(name).is_file()
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_written_down_without_its_circumstances() {
        let words = "train beam --threads 4 --seed 3 --out=a/b --json --out x --checkpoint c";
        let words = words.split(' ').map(str::to_owned);
        assert_eq!(without_circumstances(words), "hegemon train beam --seed 3");
    }

    #[test]
    fn rules_that_contradict_each_other_are_a_sentence() {
        let choice = RulesChoice {
            rules: None,
            set: vec!["battle.attack=groups".to_owned()],
        };
        let sentence = format!("{:#}", choice.resolve().expect_err("a contradiction"));
        let begin = "the rules classic with battle.attack=groups cannot be used: ";
        assert!(sentence.starts_with(begin), "{sentence}");
        assert!(!sentence.contains('\n'), "{sentence}");
    }
}
