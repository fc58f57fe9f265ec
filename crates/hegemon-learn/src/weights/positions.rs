//! Labelled positions of games between bots.
//!
//! A greedy player compares positions that its decision may lead to. So the
//! positions are those at which a kind of decision has just been made: placed
//! (the attack phase begins), attacked (fortifying begins), fortified (the next
//! player's turn begins), each seen by the player who decided.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use hegemon_arena::{Observer, Played};
use hegemon_core::{Event, Phase, PlayerId, State, fnv1a};
use hegemon_eval::{FeatureVector, GameFacts, N_FEATURES, Stage};

use crate::checkpoint::CheckpointError;

/// What has just been decided at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Where armies were placed.
    Place,
    /// To end the attacks.
    Attack,
    /// What was fortified; it is the next player's turn.
    Fortify,
}

impl Decided {
    /// All kinds.
    pub const ALL: [Decided; 3] = [Decided::Place, Decided::Attack, Decided::Fortify];

    /// The stage in which such decisions are compared.
    pub fn stage(self) -> Stage {
        match self {
            Decided::Attack => Stage::Attack,
            Decided::Place | Decided::Fortify => Stage::Move,
        }
    }
}

/// A position with the result that followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Number of the game.
    pub game: u64,
    /// What has just been decided.
    pub decided: Decided,
    /// Scaled features of the player who decided.
    pub own: FeatureVector,
    /// The same before the decision.
    pub before: FeatureVector,
    /// Scaled features of the other player; the mean over them if there are more.
    pub other: FeatureVector,
    /// Share of the win of the player who decided.
    pub label: f64,
    /// Rounds from here to the end of the game.
    pub rounds_left: u32,
}

impl Position {
    /// Bytes of a position in a log.
    const N_BYTES: usize = 8 * (5 + 3 * N_FEATURES);

    fn to_bytes(self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.extend_from_slice(&self.game.to_le_bytes());
        bytes.extend_from_slice(&(self.decided as u64).to_le_bytes());
        bytes.extend_from_slice(&self.label.to_le_bytes());
        bytes.extend_from_slice(&u64::from(self.rounds_left).to_le_bytes());
        for x in [self.own, self.before, self.other]
            .iter()
            .flat_map(|v| &v.0)
        {
            bytes.extend_from_slice(&x.to_le_bytes());
        }
        let sum = fnv1a(&bytes[start..]);
        bytes.extend_from_slice(&sum.to_le_bytes());
    }

    fn from_bytes(bytes: &[u8]) -> Option<Position> {
        let (bytes, sum) = bytes.split_last_chunk::<8>()?;
        if fnv1a(bytes) != u64::from_le_bytes(*sum) {
            return None;
        }
        let (words, rest) = bytes.as_chunks::<8>();
        if words.len() != 4 + 3 * N_FEATURES || !rest.is_empty() {
            return None;
        }
        let features = |start: usize| {
            FeatureVector(std::array::from_fn(|i| {
                f64::from_le_bytes(words[start + i])
            }))
        };
        Some(Position {
            game: u64::from_le_bytes(words[0]),
            decided: *Decided::ALL.get(u64::from_le_bytes(words[1]) as usize)?,
            label: f64::from_le_bytes(words[2]),
            rounds_left: u32::try_from(u64::from_le_bytes(words[3])).ok()?,
            own: features(4),
            before: features(4 + N_FEATURES),
            other: features(4 + 2 * N_FEATURES),
        })
    }
}

/// Observes a game and collects its positions.
#[derive(Debug)]
pub struct Collector<'a> {
    facts: &'a GameFacts,
    /// Phase and player at the last move.
    last: Option<(Phase, PlayerId)>,
    /// Features of the player on turn when the phase began.
    before: FeatureVector,
    found: Vec<Found>,
}

/// A position before the result is known.
#[derive(Clone, Copy, Debug)]
struct Found {
    decided: Decided,
    player: PlayerId,
    own: FeatureVector,
    before: FeatureVector,
    other: FeatureVector,
    round: u32,
}

impl<'a> Collector<'a> {
    /// Nothing seen yet.
    pub fn new(facts: &'a GameFacts) -> Collector<'a> {
        Collector {
            facts,
            last: None,
            before: FeatureVector::default(),
            found: Vec::new(),
        }
    }

    /// The positions, once the result is known.
    pub fn positions(self, game: u64, played: &Played) -> Vec<Position> {
        let label = |found: Found| Position {
            game,
            decided: found.decided,
            own: found.own,
            before: found.before,
            other: found.other,
            label: played.score(found.player),
            rounds_left: played.rounds.saturating_sub(found.round),
        };
        self.found.into_iter().map(label).collect()
    }

    fn keep(&mut self, state: &State, decided: Decided, player: PlayerId) {
        // An eliminated player decides nothing more, and the end needs no
        // evaluation.
        if !state.is_alive(player) {
            return;
        }
        let features = |player| self.facts.scaled_features(state.board(), player);
        let mut other = FeatureVector::default();
        let n_others = (state.n_alive() - 1).max(1) as f64;
        for rival in state.alive().filter(|&rival| rival != player) {
            for (sum, x) in other.0.iter_mut().zip(features(rival).0) {
                *sum += x / n_others;
            }
        }
        self.found.push(Found {
            decided,
            player,
            own: features(player),
            before: self.before,
            other,
            round: state.round(),
        });
    }
}

impl Observer for Collector<'_> {
    fn on_event(&mut self, before: &State, event: Event) {
        if let Event::Outcome(_) = event {
            return;
        }
        let (phase, player) = (before.phase(), before.player());
        let last = self.last.replace((phase, player));
        let Some((last_phase, last_player)) = last else {
            return;
        };
        match (last_phase, phase) {
            (Phase::Reinforce, Phase::Attack) if !before.is_mid_turn() => {
                self.keep(before, Decided::Place, player);
            }
            (Phase::Attack | Phase::Occupy, Phase::Fortify) => {
                self.keep(before, Decided::Attack, player);
            }
            (Phase::Attack | Phase::Occupy | Phase::Fortify, Phase::Reinforce | Phase::Trade)
                if player != last_player =>
            {
                self.keep(before, Decided::Fortify, last_player);
            }
            _ => {}
        }
        if (last_phase, last_player) != (phase, player) && !is_interlude(phase, last_phase) {
            self.before = self.facts.scaled_features(before.board(), player);
        }
    }
}

/// Whether a change of phase is part of an attack.
fn is_interlude(phase: Phase, last: Phase) -> bool {
    phase == Phase::Occupy || (phase, last) == (Phase::Attack, Phase::Occupy)
}

/// Positions in an append-only file. A checkpoint states how many are valid, so
/// anything that an interrupted run wrote after it is truncated.
#[derive(Debug)]
pub struct PositionLog {
    path: PathBuf,
}

impl PositionLog {
    /// The log in this file.
    pub fn new(path: PathBuf) -> PositionLog {
        PositionLog { path }
    }

    /// Appends positions after the first `n_valid`; anything beyond is removed.
    ///
    /// # Errors
    ///
    /// If the file cannot be written or holds fewer.
    pub fn append(&self, n_valid: u64, positions: &[Position]) -> Result<(), CheckpointError> {
        let mut bytes = Vec::with_capacity(positions.len() * Position::N_BYTES);
        for position in positions {
            position.to_bytes(&mut bytes);
        }
        self.append_bytes(n_valid * Position::N_BYTES as u64, &bytes)
            .map_err(|source| self.failed(source))
    }

    fn append_bytes(&self, start: u64, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = self.path.parent().filter(|f| !f.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        hegemon_arena::check_place(&self.path)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let mut file = options.open(&self.path)?;
        if file.metadata()?.len() < start {
            return Err(io::Error::other("positions of the checkpoint are missing"));
        }
        file.set_len(start)?;
        file.seek(SeekFrom::Start(start))?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    /// The first `n_valid` positions.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or does not hold them.
    pub fn read(&self, n_valid: u64) -> Result<Vec<Position>, CheckpointError> {
        if n_valid == 0 {
            return Ok(Vec::new());
        }
        let mut bytes = vec![0; n_valid as usize * Position::N_BYTES];
        hegemon_arena::check_place(&self.path)
            .and_then(|()| File::open(&self.path))
            .and_then(|mut file| file.read_exact(&mut bytes))
            .map_err(|source| self.failed(source))?;
        bytes
            .chunks_exact(Position::N_BYTES)
            .map(Position::from_bytes)
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| CheckpointError::content(&self.path, "not a list of positions"))
    }

    fn failed(&self, source: io::Error) -> CheckpointError {
        CheckpointError::Io {
            path: self.path.clone(),
            source,
        }
    }

    /// The log that belongs to a checkpoint.
    pub fn beside(checkpoint: &Path) -> PositionLog {
        let mut path = checkpoint.as_os_str().to_owned();
        path.push(".positions");
        PositionLog::new(path.into())
    }
}
