//! Weights files of draft evaluators.
//!
//! ```
//! use hegemon_eval::draft::DraftWeights;
//! let weights = DraftWeights::builtin("draft-authors").expect("shipped");
//! let again = DraftWeights::from_toml(&weights.to_toml()).expect("round trip");
//! assert_eq!(&again, weights);
//! ```

use std::sync::OnceLock;

use hegemon_core::Map;
use serde::{Deserialize, Serialize};

use crate::weights_file::{self, ReadFile, WeightsError, WeightsKind};

/// Version of the features. Any change of a value requires a new name.
pub const DRAFT_SCHEMA: &str = "draft/1";

/// A weights file of a draft evaluator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DraftWeights {
    /// `draft-linear` or `draft-net`.
    pub kind: String,
    /// Version of the features, [`DRAFT_SCHEMA`].
    pub features: String,
    /// What the weights are, in a line or two.
    pub about: String,
    /// Name of the map they were trained on.
    pub map: String,
    /// Rules they were trained on.
    pub rules: String,
    /// Number of players they are for.
    pub players: usize,
    /// The command that trained them, or their source.
    pub trained_by: String,
    /// The program that trained them.
    #[serde(default = "weights_file::before_provenance")]
    pub program: String,
    /// How strong they were measured to be.
    pub strength: String,
    /// The weights of a linear evaluator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linear: Option<LinearDraft>,
    /// The weights of a net.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<NetDraft>,
}

/// The weights of a linear evaluator, in hundredths of a win.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LinearDraft {
    /// Of every player.
    pub intercept: f64,
    /// By place in the order of play.
    pub seats: Vec<f64>,
    /// For each distinct territory of another player next to the player's own.
    pub enemy_neighbor: f64,
    /// Of each pair of neighbours that are both the player's.
    pub friendly_pair: f64,
    /// Standard errors of the seats; empty where not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat_errors: Vec<f64>,
    /// Standard error of an enemy neighbour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enemy_neighbor_error: Option<f64>,
    /// Standard error of a friendly pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friendly_pair_error: Option<f64>,
    /// By continent.
    pub continents: Vec<ContinentWeights>,
}

/// The weights of a continent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ContinentWeights {
    /// Its name on the map.
    pub name: String,
    /// One weight for each number of territories held, from none to all.
    pub weights: Vec<f64>,
    /// Standard errors; empty where not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<f64>,
    /// Counts that never occurred: their weights continue the line through the
    /// two counts next to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extrapolated: Vec<usize>,
}

/// The weights of a net.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct NetDraft {
    /// Hidden units, a multiple of 8.
    pub hidden: usize,
    /// Names of the territories in the order of the inputs.
    pub territories: Vec<String>,
    /// Names of the continents in the order of the inputs.
    pub continents: Vec<String>,
    /// Bias of each hidden unit.
    pub bias: Vec<f32>,
    /// Weight of each hidden unit in the output.
    pub output: Vec<f32>,
    /// Weights of the inputs: for each territory and each owner, counted from
    /// the player on in the order of play, one for each hidden unit; then for
    /// the player's place; then for each continent, number held and holder.
    pub input: Vec<f32>,
}

const KIND: WeightsKind<4> = WeightsKind {
    what: "draft weights",
    shipped: [
        (
            "draft-authors",
            include_str!("../weights/draft-authors.toml"),
        ),
        (
            "draft-quo-linear",
            include_str!("../weights/draft-quo-linear.toml"),
        ),
        (
            "draft-evil-pixie",
            include_str!("../weights/draft-evil-pixie.toml"),
        ),
        (
            "draft-evil-pixie-net",
            include_str!("../weights/draft-evil-pixie-net.toml"),
        ),
    ],
};

/// The shipped files, read once: bots are built for every game.
static PARSED: [OnceLock<Option<DraftWeights>>; KIND.shipped.len()] =
    [const { OnceLock::new() }; KIND.shipped.len()];

impl DraftWeights {
    /// Names of the weights that ship with the program.
    pub fn builtin_names() -> [&'static str; KIND.shipped.len()] {
        KIND.names()
    }

    /// Weights that ship with the program.
    pub fn builtin(name: &str) -> Option<&'static DraftWeights> {
        let number = KIND.place(name)?;
        let read = || DraftWeights::from_toml(KIND.shipped[number].1).ok();
        PARSED[number].get_or_init(read).as_ref()
    }

    /// The default weights: those trained for the bot that plays on (`draft-`
    /// and its name) if they are shipped and fit, else the authors' if they fit,
    /// else a rule of thumb.
    pub fn for_bot(map: &Map, n_players: usize, bot: &str) -> DraftWeights {
        let own = format!("draft-{bot}");
        let fits = |weights: &&DraftWeights| {
            crate::draft::DraftEvaluator::new(map, n_players, weights, true).is_ok()
        };
        let found = [own.as_str(), "draft-authors"]
            .into_iter()
            .filter_map(DraftWeights::builtin)
            .find(fits);
        found
            .cloned()
            .unwrap_or_else(|| DraftWeights::rule_of_thumb(map, n_players))
    }

    /// Untrained weights for any map and number of players: a continent is worth
    /// a multiple of its bonus, most of it for the last territories; going first
    /// and friendly neighbours have the authors' weights.
    pub fn rule_of_thumb(map: &Map, n_players: usize) -> DraftWeights {
        let weights_of = |bonus: f64, size: usize| -> Vec<f64> {
            let share = |count: usize| count as f64 / size.max(1) as f64;
            (0..=size)
                .map(|count| 6.0 * bonus * share(count) * share(count))
                .collect()
        };
        let continents = map.continents().map(|k| ContinentWeights {
            name: map.continent_name(k).to_owned(),
            weights: weights_of(
                f64::from(map.continent(k).bonus),
                map.continent(k).territories.len(),
            ),
            ..ContinentWeights::default()
        });
        let behind = |seat: usize| (n_players - 1 - seat) as f64 / (n_players - 1).max(1) as f64;
        DraftWeights {
            kind: "draft-linear".to_owned(),
            features: DRAFT_SCHEMA.to_owned(),
            about: "rule of thumb from the continent bonuses, not trained".to_owned(),
            map: map.name().to_owned(),
            rules: "any".to_owned(),
            players: n_players,
            trained_by: "not trained".to_owned(),
            program: String::new(),
            strength: "not measured".to_owned(),
            linear: Some(LinearDraft {
                intercept: 100.0 / n_players as f64,
                seats: (0..n_players).map(|seat| 13.4 * behind(seat)).collect(),
                enemy_neighbor: -0.07,
                friendly_pair: 0.96,
                continents: continents.collect(),
                ..LinearDraft::default()
            }),
            net: None,
        }
    }

    /// Weights by name, or from a file path (with a `/` or ending in `.toml`),
    /// read with `read`.
    ///
    /// # Errors
    ///
    /// If no weights have this name, or the file cannot be read or used.
    pub fn load(name_or_path: &str, read: ReadFile<'_>) -> Result<DraftWeights, WeightsError> {
        if let Some(weights) = DraftWeights::builtin(name_or_path) {
            return Ok(weights.clone());
        }
        DraftWeights::from_toml(&KIND.text(name_or_path, read)?)
    }

    /// Reads the text of a weights file.
    ///
    /// # Errors
    ///
    /// If it is not a weights file, or its features differ from this program's.
    pub fn from_toml(text: &str) -> Result<DraftWeights, WeightsError> {
        let weights: DraftWeights = KIND.parse(text)?;
        KIND.check_schema(&weights.features, DRAFT_SCHEMA)?;
        Ok(weights)
    }

    /// The text of a weights file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}
