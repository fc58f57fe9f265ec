//! Playing a game while its record is written.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use hegemon_bots::SpecError;
use hegemon_core::{Event, State};
use hegemon_record::{Header, RecordWriter};
use thiserror::Error;

use crate::game_loop::{Entrant, GameSetup, Observer, play_game};
use crate::played::Played;
use crate::unfinished::Unfinished;

/// Why a recorded game could not be played.
#[derive(Debug, Error)]
pub enum RecordingError {
    /// A spec cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The record could not be written.
    #[error("cannot write {path}: {error}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
}

/// Whether a folder has records of games.
pub fn has_records(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_record = |path: PathBuf| path.extension().is_some_and(|ending| ending == "hgr");
    entries.map(|entry| entry.path()).any(is_record)
}

/// Writes every event, keeps the first error for the end, and forwards events
/// to another observer.
struct Recorder<'a, W: io::Write, O> {
    other: &'a mut O,
    writer: RecordWriter<W>,
    failure: Option<io::Error>,
}

impl<W: io::Write, O: Observer> Observer for Recorder<'_, W, O> {
    fn on_event(&mut self, before: &State, event: Event) {
        self.other.on_event(before, event);
        if let (None, Err(error)) = (&self.failure, self.writer.event(before, event)) {
            self.failure = Some(error);
        }
    }
}

/// The header of a game setup's record.
pub fn header_of<P: Entrant>(setup: &GameSetup<'_, P>) -> Header {
    let players = setup.specs.iter().map(|player| player.spec().to_string());
    let players = players.collect();
    let mut header = Header::new(setup.game, players, setup.seed);
    header.deal_seed = (setup.deal_seed != setup.seed).then_some(setup.deal_seed);
    header
}

/// Plays a game setup and writes its record to a file, which gets its final name
/// when complete.
///
/// # Errors
///
/// If a spec cannot be used or the file cannot be written.
pub fn play_recorded<P: Entrant>(
    setup: &GameSetup<'_, P>,
    path: &Path,
    observer: &mut impl Observer,
) -> Result<Played, RecordingError> {
    let failed = |error| RecordingError::Write {
        path: path.to_owned(),
        error,
    };
    let unfinished = Unfinished::of(path).map_err(failed)?;
    let sink = BufWriter::new(File::create(unfinished.draft()).map_err(failed)?);
    let (played, sink) = play_to_sink(setup, sink, observer, failed)?;
    sink.into_inner()
        .map_err(|error| failed(error.into_error()))?;
    unfinished.finish().map_err(failed)?;
    Ok(played)
}

/// Plays a game setup and returns its record as text.
///
/// # Errors
///
/// If a spec cannot be used.
pub fn play_to_text<P: Entrant>(
    setup: &GameSetup<'_, P>,
) -> Result<(Played, String), RecordingError> {
    let failed = |error| RecordingError::Write {
        path: PathBuf::from("memory"),
        error,
    };
    let (played, bytes) = play_to_sink(setup, Vec::new(), &mut (), failed)?;
    Ok((played, String::from_utf8_lossy(&bytes).into_owned()))
}

fn play_to_sink<W: io::Write, P: Entrant>(
    setup: &GameSetup<'_, P>,
    sink: W,
    other: &mut impl Observer,
    failed: impl Fn(io::Error) -> RecordingError,
) -> Result<(Played, W), RecordingError> {
    let writer = RecordWriter::new(sink, &header_of(setup)).map_err(&failed)?;
    let mut recorder = Recorder {
        other,
        writer,
        failure: None,
    };
    let played = play_game(setup, &mut recorder)?;
    if let Some(error) = recorder.failure {
        return Err(failed(error));
    }
    let sink = recorder.writer.finish(&played.end()).map_err(&failed)?;
    Ok((played, sink))
}

#[cfg(test)]
mod tests {
    use hegemon_bots::Grants;
    use hegemon_core::{Game, Map, Rules};

    use super::*;

    /// Checks at every move whether the record already has its final name.
    struct Watch<'a>(&'a Path);

    impl Observer for Watch<'_> {
        fn on_event(&mut self, _: &State, _: Event) {
            assert!(!self.0.exists(), "half a record has the name of a whole");
        }
    }

    #[test]
    fn a_record_has_its_name_when_it_is_complete() {
        let map = Map::builtin("line4").expect("shipped");
        let rules = Rules::preset("sampling").expect("shipped");
        let game = Game::new(map, rules, 2).expect("they fit");
        let specs: [hegemon_bots::Spec; 2] =
            ["baseline", "simulation"].map(|spec| spec.parse().expect("sound"));
        let folder = std::env::temp_dir().join(format!("hegemon-name-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let path = folder.join("game.hgr");
        let setup = GameSetup {
            game: &game,
            specs: &specs.iter().collect::<Vec<_>>(),
            deal_seed: 5,
            seed: 6,
            grants: &Grants::sealed(),
            start: None,
            deal: None,
        };
        play_recorded(&setup, &path, &mut Watch(&path)).expect("played");
        let bytes = std::fs::read(&path).expect("there now");
        hegemon_record::GameRecord::from_bytes(&bytes).expect("whole");
        assert_eq!(std::fs::read_dir(&folder).expect("there").count(), 1);
        std::fs::remove_dir_all(&folder).expect("removable");
    }
}
