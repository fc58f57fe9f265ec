//! The checksum of a record, in a last line that covers all lines before it.
//!
//! `sum WHOLE LINE LINE ...`: 32 hexadecimal digits of the BLAKE3 hash of all
//! lines, each with its line feed, then four for each line: its CRC-16, which
//! detects every burst error of up to 16 bits. The first shows that something
//! was changed, the others show where.

use std::fmt::Write as _;

use crate::error::{RecordError, RecordFault};

/// How the last line of a record begins.
pub(crate) const PREFIX: &str = "sum ";

/// The checksum of the lines so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    whole: blake3::Hasher,
    lines: String,
}

impl Sum {
    /// Adds a line, given without its end.
    pub(crate) fn add(&mut self, line: &str) {
        self.whole.update(line.as_bytes());
        self.whole.update(b"\n");
        let digest = crc16(line.as_bytes());
        // Writing to a string cannot fail.
        let _ = write!(self.lines, " {digest:04x}");
    }

    /// The last line of the record.
    pub(crate) fn line(&self) -> String {
        let whole = self.whole.finalize();
        format!("{PREFIX}{}{}", &whole.to_hex()[..32], self.lines)
    }
}

/// CRC-16-CCITT, starting from all ones.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(u16::MAX, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            (crc << 1) ^ if crc >> 15 == 1 { 0x1021 } else { 0 }
        })
    })
}

/// Compares lines with the checksum that follows them.
///
/// # Errors
///
/// At the first line that was changed.
pub(crate) fn check<'a>(
    lines: impl Iterator<Item = &'a str>,
    claimed: &str,
) -> Result<(), RecordError> {
    let mut sum = Sum::default();
    let mut n_lines = 0;
    for line in lines {
        sum.add(line);
        n_lines += 1;
    }
    let found = sum.line();
    if found == claimed {
        return Ok(());
    }
    let whole = |line: &str| line.split(' ').nth(1).map(str::to_owned);
    let differs = if whole(&found) == whole(claimed) || !is_well_formed(claimed) {
        None
    } else {
        let digests = found.split(' ').zip(claimed.split(' ')).skip(2);
        digests.enumerate().find(|(_, (a, b))| a != b)
    };
    // If all lines match, the checksum line itself is damaged.
    let line = differs.map_or(n_lines, |(n, _)| n) + 1;
    Err(RecordFault::Damaged.at(line))
}

fn is_well_formed(line: &str) -> bool {
    let is_hex = |word: &str| {
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        word.bytes().all(is_digit)
    };
    let mut words = line.split(' ').skip(1);
    words
        .next()
        .is_some_and(|whole| whole.len() == 32 && is_hex(whole))
        && words.all(|digest| digest.len() == 4 && is_hex(digest))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_value_is_that_of_the_catalogue() {
        assert_eq!(super::crc16(b"123456789"), 0x29b1);
    }
}
