//! Positions with how their games ended, packed for training.

use hegemon_core::MAX_PLAYERS;
use hegemon_eval::value::{N_DENSE, ValueInputs};

/// Many positions, column by column.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Territories of a row; rows of other maps have no territories and zero here.
    n_territories: usize,
    owners: Vec<u8>,
    ln_armies: Vec<f32>,
    dense: Vec<f32>,
    targets: Vec<f32>,
    /// Which game, and which kind of table.
    labels: Vec<Label>,
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Number of the game.
    pub game: u32,
    /// Number of the kind of table.
    pub table: u8,
    /// Players of the game.
    pub n_players: u8,
    /// Whether the position is at the beginning of a turn.
    pub begins_turn: bool,
    /// Whether somebody at the table was withheld from training.
    pub is_withheld: bool,
    /// Whether the champion sat at the table.
    pub has_champion: bool,
}

impl Rows {
    /// No rows yet, of maps with so many territories, or of any map.
    pub fn new(n_territories: usize) -> Rows {
        Rows {
            n_territories,
            ..Rows::default()
        }
    }

    /// Adds a row.
    pub fn push(&mut self, inputs: &ValueInputs, target: &[f32; MAX_PLAYERS], label: Label) {
        let n = self.n_territories;
        self.owners.extend_from_slice(&inputs.owners[..n]);
        self.ln_armies.extend_from_slice(&inputs.ln_armies[..n]);
        self.dense.extend_from_slice(&inputs.dense);
        self.targets.extend_from_slice(target);
        self.labels.push(label);
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Takes over the rows of another.
    pub fn append(&mut self, mut other: Rows) {
        debug_assert_eq!(self.n_territories, other.n_territories);
        self.owners.append(&mut other.owners);
        self.ln_armies.append(&mut other.ln_armies);
        self.dense.append(&mut other.dense);
        self.targets.append(&mut other.targets);
        self.labels.append(&mut other.labels);
    }

    /// Where a row comes from.
    pub fn label(&self, row: usize) -> Label {
        self.labels[row]
    }

    /// How its game ended, by place in turn order.
    pub fn target(&self, row: usize) -> &[f32] {
        &self.targets[row * MAX_PLAYERS..(row + 1) * MAX_PLAYERS]
    }

    /// The inputs of a row, written over old ones.
    pub fn read(&self, row: usize, inputs: &mut ValueInputs) {
        let n = self.n_territories;
        inputs.n_territories = n;
        inputs.owners[..n].copy_from_slice(&self.owners[row * n..(row + 1) * n]);
        inputs.ln_armies[..n].copy_from_slice(&self.ln_armies[row * n..(row + 1) * n]);
        inputs
            .dense
            .copy_from_slice(&self.dense[row * N_DENSE..(row + 1) * N_DENSE]);
    }

    /// Inputs to read rows into.
    pub fn blank() -> ValueInputs {
        ValueInputs {
            owners: [ValueInputs::NOBODY; hegemon_core::MAX_TERRITORIES],
            ln_armies: [0.0; hegemon_core::MAX_TERRITORIES],
            n_territories: 0,
            dense: [0.0; N_DENSE],
        }
    }
}
