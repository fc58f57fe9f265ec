//! A small net that sees every territory of a draft.
//!
//! The same net evaluates the draft from each player's perspective: a territory
//! belongs to the player, the next player in turn order, the one after, and so
//! on; likewise the counts in each continent. One hidden layer, one output a
//! player; the shares of the win are the softmax of the outputs.

use hegemon_core::{ByPlayer, MAX_PLAYERS, Map, PlayerId};

use crate::draft::{DraftFacts, DraftMismatch, NetDraft};

/// The number of hidden units is a multiple of this.
pub(crate) const LANES: usize = 8;

/// The shape of a net: where its inputs are.
///
/// An input is a row of as many weights as there are hidden units.
#[derive(Clone, Debug)]
pub struct DraftNetShape {
    n_players: usize,
    n_territories: usize,
    n_continents: usize,
    /// Start of the rows for each continent's counts.
    count_starts: Vec<usize>,
    n_rows: usize,
}

impl DraftNetShape {
    /// The shape for a map and a number of players.
    pub fn new(facts: &DraftFacts) -> DraftNetShape {
        let n_players = facts.n_players();
        let mut n_rows = n_players * (facts.n_territories() + 1);
        let mut count_starts = Vec::new();
        for continent in 0..facts.n_continents() {
            count_starts.push(n_rows);
            n_rows += n_players * (facts.size(continent) + 1);
        }
        DraftNetShape {
            n_players,
            n_territories: facts.n_territories(),
            n_continents: facts.n_continents(),
            count_starts,
            n_rows,
        }
    }

    /// How many rows of input weights there are.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Calls `visit` with each row that is on for a player. A free territory
    /// turns none on.
    #[inline]
    pub fn for_each_row(
        &self,
        facts: &DraftFacts,
        owners: &[PlayerId],
        player: PlayerId,
        mut visit: impl FnMut(usize),
    ) {
        let n = self.n_players;
        let mut counts = [[0u8; hegemon_core::MAX_CONTINENTS]; MAX_PLAYERS];
        visit(n * self.n_territories + player.index());
        for (t, owner) in owners.iter().enumerate() {
            if owner.index() < n {
                let relative = relative(owner.index(), player.index(), n);
                visit(n * t + relative);
                counts[relative][facts.continent_of(t)] += 1;
            }
        }
        for (relative, counts) in counts[..n].iter().enumerate() {
            for (start, &count) in self.count_starts.iter().zip(&counts[..self.n_continents]) {
                visit(start + n * usize::from(count) + relative);
            }
        }
    }
}

/// How many places after `player` the `owner` plays.
#[inline]
fn relative(owner: usize, player: usize, n_players: usize) -> usize {
    if owner >= player {
        owner - player
    } else {
        owner + n_players - player
    }
}

/// A net ready to evaluate.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    shape: DraftNetShape,
    n_hidden: usize,
    /// Weights of the rows.
    input: Vec<f32>,
    bias: Vec<f32>,
    output: Vec<f32>,
}

impl Net {
    /// The net of a weights file, its territories reordered to map order.
    pub(crate) fn new(
        map: &Map,
        facts: &DraftFacts,
        file: &NetDraft,
    ) -> Result<Net, DraftMismatch> {
        let shape = DraftNetShape::new(facts);
        let n_hidden = file.hidden;
        let wrong = |what: &str| DraftMismatch::Shape(format!("{what} of the net"));
        if n_hidden == 0 || !n_hidden.is_multiple_of(LANES) {
            return Err(wrong("the hidden units"));
        }
        if file.input.len() != shape.n_rows * n_hidden
            || file.bias.len() != n_hidden
            || file.output.len() != n_hidden
        {
            return Err(wrong("the numbers of weights"));
        }
        if file.territories.len() != shape.n_territories
            || file.continents.len() != shape.n_continents
        {
            return Err(DraftMismatch::Map("it has another size".to_owned()));
        }
        let mut input = file.input.clone();
        let row = |n: usize| n * n_hidden..(n + 1) * n_hidden;
        for t in map.territories() {
            let name = map.territory_name(t);
            let there = position(&file.territories, name)?;
            for owner in 0..shape.n_players {
                let (mine, theirs) = (
                    shape.n_players * t.index() + owner,
                    shape.n_players * there + owner,
                );
                input[row(mine)].copy_from_slice(&file.input[row(theirs)]);
            }
        }
        // Continents have different sizes, so where each begins depends on the
        // order of the file.
        let mut begin = shape.n_players * (shape.n_territories + 1);
        for name in &file.continents {
            let names: Vec<String> = map
                .continents()
                .map(|k| map.continent_name(k).to_owned())
                .collect();
            let continent = position(&names, name)?;
            let n_rows = shape.n_players * (facts.size(continent) + 1);
            let start = shape.count_starts[continent];
            input[start * n_hidden..(start + n_rows) * n_hidden]
                .copy_from_slice(&file.input[begin * n_hidden..(begin + n_rows) * n_hidden]);
            begin += n_rows;
        }
        let (bias, output) = (file.bias.clone(), file.output.clone());
        Ok(Net {
            shape,
            n_hidden,
            input,
            bias,
            output,
        })
    }

    pub(crate) fn merits(&self, facts: &DraftFacts, owners: &[PlayerId]) -> ByPlayer<f64> {
        let mut merits = ByPlayer::<f64>::default();
        // A block of units at a time stays in registers.
        for player in PlayerId::seats(self.shape.n_players) {
            let mut rows = [0usize; 512];
            let mut n_rows = 0;
            self.shape.for_each_row(facts, owners, player, |row| {
                rows[n_rows % 512] = row * self.n_hidden;
                n_rows += 1;
            });
            let mut merit = 0.0f32;
            for first in (0..self.n_hidden).step_by(LANES) {
                let mut units = [0.0f32; LANES];
                units.copy_from_slice(&self.bias[first..first + LANES]);
                for &row in &rows[..n_rows.min(512)] {
                    let weights = &self.input[row + first..row + first + LANES];
                    for (unit, weight) in units.iter_mut().zip(weights) {
                        *unit += weight;
                    }
                }
                for (unit, weight) in units.iter().zip(&self.output[first..first + LANES]) {
                    merit += unit.max(0.0) * weight;
                }
            }
            merits[player] = f64::from(merit);
        }
        merits
    }
}

fn position(names: &[String], name: &str) -> Result<usize, DraftMismatch> {
    let same = |known: &String| known.eq_ignore_ascii_case(name);
    names
        .iter()
        .position(same)
        .ok_or_else(|| DraftMismatch::Map(format!("it lacks {name}")))
}

/// Exponentials of values less the largest.
pub(crate) fn exponentiate(values: &mut [f64]) {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    values.iter_mut().for_each(|v| *v = libm::exp(*v - most));
}
