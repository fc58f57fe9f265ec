//! A row of a data set and its columns.

use hegemon_core::Phase;
use hegemon_eval::PlayerFeatures;

/// Numbers of a player.
pub(super) const N_NUMBERS: usize = PlayerFeatures::NAMES.len();

/// A phase of a turn, as counted in data sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TurnPhase {
    /// Trading cards at the start of the turn.
    Cards,
    /// Placing armies.
    Place,
    /// Attacking, including trades and placements after the capture of a hand.
    Attack,
    /// Fortifying; the state after it is the one that the next player gets.
    Fortify,
}

impl TurnPhase {
    /// All phases in the order of play.
    pub const ALL: [TurnPhase; 4] = [
        TurnPhase::Cards,
        TurnPhase::Place,
        TurnPhase::Attack,
        TurnPhase::Fortify,
    ];

    /// The phase's name in files.
    pub fn name(self) -> &'static str {
        match self {
            TurnPhase::Cards => "cards",
            TurnPhase::Place => "place",
            TurnPhase::Attack => "attack",
            TurnPhase::Fortify => "fortify",
        }
    }

    /// The phase with this name.
    pub fn from_name(name: &str) -> Option<TurnPhase> {
        TurnPhase::ALL.into_iter().find(|p| p.name() == name)
    }

    /// The phase of a decision; none before the first turn.
    pub fn of(phase: Phase, is_mid_turn: bool) -> Option<TurnPhase> {
        match phase {
            Phase::Trade | Phase::Reinforce if is_mid_turn => Some(TurnPhase::Attack),
            Phase::Trade => Some(TurnPhase::Cards),
            Phase::Reinforce => Some(TurnPhase::Place),
            Phase::Attack | Phase::Battle | Phase::Occupy => Some(TurnPhase::Attack),
            Phase::Fortify => Some(TurnPhase::Fortify),
            _ => None,
        }
    }
}

/// One phase of one turn. Lists by player are in turn order from the player
/// whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the game in the file, from 0.
    pub game: u64,
    /// Seed of dice, cards and bots of the game.
    pub seed: u64,
    /// Seed of its deal.
    pub deal_seed: u64,
    /// The round, from 1.
    pub round: u32,
    /// The seat whose turn it is, from 0.
    pub seat: u32,
    /// Rounds of the whole game.
    pub rounds: u32,
    /// Spec of the player.
    pub player: String,
    pub phase: TurnPhase,
    /// Moves and outcomes of the phase in the notation of records.
    pub moves: String,
    /// The program that played, as text.
    pub program: String,
    /// Share of the win of each player.
    pub scores: Vec<f64>,
    /// Features of the players before the phase, as the player may know them.
    pub before: Vec<PlayerFeatures>,
    /// Features of the players after it.
    pub after: Vec<PlayerFeatures>,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// A whole number from 0, 64 bits.
    Whole,
    Text,
    /// A real number, 64 bits.
    Real,
}

/// The columns of data sets of games for `n_players`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    n_players: usize,
    n_text: usize,
    has_sum: bool,
    list: Vec<(String, ColumnKind)>,
}

/// Columns that are whole numbers, in order.
pub(super) const WHOLE: [&str; 6] = ["game", "seed", "deal_seed", "round", "seat", "rounds"];
/// Columns that are text, in order.
pub(super) const TEXT: [&str; 4] = ["player", "phase", "moves", "program"];
/// The last column: the checksum of the row and of all before it.
const SUM: &str = "sum";
/// The last text for files older than that column.
pub(super) const NO_PROGRAM: &str = "made before provenance";

impl Columns {
    /// The columns for `n_players`.
    pub fn new(n_players: usize) -> Columns {
        Columns::with(n_players, TEXT.len(), true)
    }

    /// Older files lack the checksum, and those from before provenance the last
    /// text too.
    fn with(n_players: usize, n_text: usize, has_sum: bool) -> Columns {
        let whole = WHOLE.map(|name| (name.to_owned(), ColumnKind::Whole));
        let text = TEXT.map(|name| (name.to_owned(), ColumnKind::Text));
        let text = text.into_iter().take(n_text);
        let mut list: Vec<(String, ColumnKind)> = whole.into_iter().chain(text).collect();
        let mut real = |name: String| list.push((name, ColumnKind::Real));
        for player in 0..n_players {
            real(format!("p{player}_score"));
        }
        for time in ["before", "after"] {
            for player in 0..n_players {
                for name in PlayerFeatures::NAMES {
                    real(format!("{time}_p{player}_{name}"));
                }
            }
        }
        if has_sum {
            list.push((SUM.to_owned(), ColumnKind::Whole));
        }
        Columns {
            n_players,
            n_text,
            has_sum,
            list,
        }
    }

    /// The columns with these names, if they are those of a data set.
    pub fn from_names<'a>(names: impl Iterator<Item = &'a str>) -> Option<Columns> {
        let names: Vec<&str> = names.collect();
        let kinds = [
            (TEXT.len(), true),
            (TEXT.len(), false),
            (TEXT.len() - 1, false),
        ];
        let mut known = kinds.into_iter().flat_map(|(n_text, has_sum)| {
            let players = 2..=hegemon_core::MAX_PLAYERS;
            players.map(move |n| Columns::with(n, n_text, has_sum))
        });
        known.find(|columns| columns.names().eq(names.iter().copied()))
    }

    /// Whether rows carry checksums.
    pub(super) fn has_sum(&self) -> bool {
        self.has_sum
    }

    /// How many columns are text.
    pub(super) fn n_text(&self) -> usize {
        self.n_text
    }

    /// Players of the games.
    pub fn n_players(&self) -> usize {
        self.n_players
    }

    /// Names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| name.as_str())
    }

    /// Names and kinds in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, ColumnKind)> {
        self.list.iter().map(|(name, kind)| (name.as_str(), *kind))
    }

    /// How many columns are real numbers.
    pub fn n_real(&self) -> usize {
        self.n_players * (1 + 2 * N_NUMBERS)
    }
}

impl Row {
    /// The whole numbers in the order of the columns.
    pub fn whole(&self) -> [u64; WHOLE.len()] {
        [
            self.game,
            self.seed,
            self.deal_seed,
            u64::from(self.round),
            u64::from(self.seat),
            u64::from(self.rounds),
        ]
    }

    /// The texts in the order of the columns.
    pub fn text(&self) -> [&str; TEXT.len()] {
        [&self.player, self.phase.name(), &self.moves, &self.program]
    }

    /// The real numbers in the order of the columns.
    pub fn real(&self) -> impl Iterator<Item = f64> + '_ {
        let players = self.before.iter().chain(&self.after);
        let scores = self.scores.iter().copied();
        scores.chain(players.flat_map(PlayerFeatures::numbers))
    }

    /// Builds a row from these numbers and texts; `None` if a value is invalid.
    pub(super) fn from_parts(
        n_players: usize,
        whole: [u64; WHOLE.len()],
        text: &[&str],
        real: &[f64],
    ) -> Option<Row> {
        let (scores, players) = real.split_at_checked(n_players)?;
        let (chunks, rest) = players.as_chunks::<N_NUMBERS>();
        if chunks.len() != 2 * n_players || !rest.is_empty() {
            return None;
        }
        let players: Vec<PlayerFeatures> =
            chunks.iter().map(PlayerFeatures::from_numbers).collect();
        let [game, seed, deal_seed, round, seat, rounds] = whole;
        Some(Row {
            game,
            seed,
            deal_seed,
            round: u32::try_from(round).ok()?,
            seat: u32::try_from(seat).ok()?,
            rounds: u32::try_from(rounds).ok()?,
            player: text[0].to_owned(),
            phase: TurnPhase::from_name(text[1])?,
            moves: text[2].to_owned(),
            program: text.get(3).copied().unwrap_or(NO_PROGRAM).to_owned(),
            scores: scores.to_vec(),
            before: players[..n_players].to_vec(),
            after: players[n_players..].to_vec(),
        })
    }
}
