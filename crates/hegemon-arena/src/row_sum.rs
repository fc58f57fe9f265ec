//! Checksums of rows, in stores and in data sets.

use arrayvec::ArrayString;
use hegemon_core::{fnv1a, mix};

/// The checksum of a row: of the name of its table and of all its values.
/// Protects against damage, not forgery, and is cheap enough for one row per
/// game.
///
/// ```
/// use hegemon_arena::RowSum;
/// let sum = |words: &[&str]| {
///     let mut sum = RowSum::new("words");
///     words.iter().for_each(|word| sum.add_text(word.as_bytes()));
///     sum.value()
/// };
/// assert_ne!(sum(&["ab", "c"]), sum(&["a", "bc"]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RowSum(u64);

impl RowSum {
    /// The sum of a row of this table with no value yet.
    pub fn new(table: &str) -> RowSum {
        let mut sum = RowSum(0);
        sum.add_text(table.as_bytes());
        sum
    }

    /// Adds a missing value.
    pub fn add_nothing(&mut self) {
        self.add(0, 0, 0);
    }

    /// Adds a whole number.
    pub fn add_whole(&mut self, n: u64) {
        self.add(1, 0, n);
    }

    /// Adds a real number.
    pub fn add_real(&mut self, x: f64) {
        self.add(2, 0, x.to_bits());
    }

    /// Adds a text.
    pub fn add_text(&mut self, text: &[u8]) {
        self.add(3, text.len(), fnv1a(text));
    }

    /// Adds bytes that are not text.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(4, bytes.len(), fnv1a(bytes));
    }

    /// Adds a value. Values of different types have different sums, and so do
    /// the same characters split into values differently.
    fn add(&mut self, kind: u64, len: usize, word: u64) {
        self.0 = mix(self.0.wrapping_add(kind) ^ mix(len as u64));
        self.0 = mix(self.0 ^ word);
    }

    /// The sum.
    pub fn value(self) -> u64 {
        self.0
    }

    /// The sum in 16 hexadecimal digits.
    pub fn digits(self) -> String {
        self.hex().to_string()
    }

    /// The same without an allocation.
    pub(crate) fn hex(self) -> Hex {
        hex(self.0)
    }
}

/// 16 hexadecimal digits.
pub(crate) type Hex = ArrayString<16>;

/// A word in 16 hexadecimal digits, as `{:016x}` prints it in many times the
/// time; the sums of every row of a store need several.
pub(crate) fn hex(word: u64) -> Hex {
    let mut digits = [0; 16];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(word.to_be_bytes()) {
        pair.copy_from_slice(&PAIRS[usize::from(byte)]);
    }
    Hex::from_byte_string(&digits).expect("digits are ASCII")
}

/// The two digits of every byte.
const PAIRS: [[u8; 2]; 256] = {
    let digits = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [digits[byte >> 4], digits[byte & 15]];
        byte += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_formatter() {
        for word in [0, 1, 0xf, 0xdead_beef, u64::MAX, mix(1), mix(2)] {
            assert_eq!(*hex(word), *format!("{word:016x}"));
        }
    }
}
