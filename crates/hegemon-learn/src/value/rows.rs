//! Positions with how their games ended, packed for training.

use hegemon_core::{MAX_PLAYERS, MAX_TERRITORIES, fnv1a, mix};
use hegemon_eval::value::{N_DENSE, ValueInputs};

/// Territories of the map that has a net of its own.
pub(super) const CLASSIC_TERRITORIES: usize = 42;

/// Many positions, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    owners: Vec<u8>,
    ln_armies: Vec<f32>,
    dense: Vec<f32>,
    targets: Vec<f32>,
    labels: Vec<Label>,
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Number of the game; those of one number in ten are held out.
    pub game: u32,
    /// Number of the kind of table.
    pub table: u8,
    /// Players of the game.
    pub n_players: u8,
    /// Whether it was played on the map that has a net of its own.
    pub is_classic: bool,
    /// Whether the position is at the beginning of a turn.
    pub begins_turn: bool,
    /// Whether the champion sat at the table.
    pub has_champion: bool,
}

impl Label {
    /// Whether the net does not learn from the row.
    pub fn is_held_out(&self) -> bool {
        self.game.is_multiple_of(10)
    }

    /// Whether a row that is held out is for checks; the others are for the correction.
    pub fn is_checked(&self) -> bool {
        self.game.is_multiple_of(20)
    }

    fn to_bytes(self) -> [u8; 9] {
        let [a, b, c, d] = self.game.to_le_bytes();
        let flags = [self.is_classic, self.begins_turn, self.has_champion].map(u8::from);
        [
            a,
            b,
            c,
            d,
            self.table,
            self.n_players,
            flags[0],
            flags[1],
            flags[2],
        ]
    }

    fn of_bytes(bytes: [u8; 9]) -> Label {
        let [
            a,
            b,
            c,
            d,
            table,
            n_players,
            is_classic,
            begins_turn,
            has_champion,
        ] = bytes;
        Label {
            game: u32::from_le_bytes([a, b, c, d]),
            table,
            n_players,
            is_classic: is_classic == 1,
            begins_turn: begins_turn == 1,
            has_champion: has_champion == 1,
        }
    }
}

/// What a file of rows begins with.
const MAGIC: &[u8] = b"hegemon value rows 1\n";
const LABEL_BYTES: usize = 9;
const ROW_BYTES: usize = CLASSIC_TERRITORIES * 5 + (N_DENSE + MAX_PLAYERS) * 4 + LABEL_BYTES;

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, inputs: &ValueInputs, target: &[f32; MAX_PLAYERS], label: Label) {
        let n = CLASSIC_TERRITORIES;
        if label.is_classic {
            self.owners.extend_from_slice(&inputs.owners[..n]);
            self.ln_armies.extend_from_slice(&inputs.ln_armies[..n]);
        } else {
            self.owners
                .extend_from_slice(&[ValueInputs::NOBODY; CLASSIC_TERRITORIES]);
            self.ln_armies
                .extend_from_slice(&[0.0; CLASSIC_TERRITORIES]);
        }
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
        let n = CLASSIC_TERRITORIES;
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
            owners: [ValueInputs::NOBODY; MAX_TERRITORIES],
            ln_armies: [0.0; MAX_TERRITORIES],
            n_territories: 0,
            dense: [0.0; N_DENSE],
        }
    }

    /// The rows as a file, with a checksum at its end.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(MAGIC.len() + 8 + self.len() * ROW_BYTES + 8);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(self.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&self.owners);
        for column in [&self.ln_armies, &self.dense, &self.targets] {
            bytes.extend(column.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(self.labels.iter().flat_map(|label| label.to_bytes()));
        bytes.extend_from_slice(&sum_of(&bytes).to_le_bytes());
        bytes
    }

    /// The rows of a file; none if it is damaged or something else.
    pub fn of_bytes(bytes: &[u8]) -> Option<Rows> {
        let (content, sum) = bytes.split_last_chunk::<8>()?;
        if sum_of(content) != u64::from_le_bytes(*sum) {
            return None;
        }
        let (n, rest) = content.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
        let n = usize::try_from(u64::from_le_bytes(*n)).ok()?;
        if rest.len() != n.checked_mul(ROW_BYTES)? {
            return None;
        }
        let (owners, rest) = rest.split_at(n * CLASSIC_TERRITORIES);
        let (ln_armies, rest) = rest.split_at(4 * n * CLASSIC_TERRITORIES);
        let (dense, rest) = rest.split_at(4 * n * N_DENSE);
        let (targets, labels) = rest.split_at(4 * n * MAX_PLAYERS);
        let (labels, _) = labels.as_chunks::<LABEL_BYTES>();
        Some(Rows {
            owners: owners.to_vec(),
            ln_armies: floats(ln_armies),
            dense: floats(dense),
            targets: floats(targets),
            labels: labels.iter().copied().map(Label::of_bytes).collect(),
        })
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().copied().map(f32::from_le_bytes).collect()
}

/// Against damage, not against forgers.
fn sum_of(bytes: &[u8]) -> u64 {
    mix(fnv1a(bytes) ^ mix(bytes.len() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_from_their_file_and_damage_is_found() {
        let mut rows = Rows::default();
        for n in 0..3u8 {
            let mut inputs = Rows::blank();
            inputs.owners[7] = n;
            inputs.ln_armies[7] = 0.5;
            inputs.dense[3] = f32::from(n);
            let label = Label {
                game: 70_000 + u32::from(n),
                table: n,
                n_players: 4,
                is_classic: n != 1,
                begins_turn: n == 2,
                has_champion: n == 1,
            };
            rows.push(&inputs, &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0], label);
        }
        let bytes = rows.to_bytes();
        assert_eq!(Rows::of_bytes(&bytes).as_ref(), Some(&rows));
        for n in (0..bytes.len()).step_by(97) {
            let mut spoilt = bytes.clone();
            spoilt[n] ^= 4;
            assert_eq!(Rows::of_bytes(&spoilt), None, "byte {n}");
            assert_eq!(Rows::of_bytes(&bytes[..n]), None, "{n} bytes");
        }
    }
}
