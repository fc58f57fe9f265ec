//! A seeded mutator for texts: it corrupts bytes, but also knows numbers,
//! words, lines and brackets, where parsers fail.

use std::collections::BTreeSet;

use hegemon_core::Rng;

use crate::InputTrace;

/// Longest input, in bytes.
const MAX_LENGTH: usize = 64 * 1024;
/// Most inputs that are kept to start from.
const MAX_KEPT: usize = 4096;
/// Most words that are remembered.
const MAX_WORDS: usize = 4096;

/// Boundary numbers: signs, widths, ends of ranges.
const NUMBERS: [&str; 28] = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "6",
    "7",
    "-1",
    "-0",
    "127",
    "128",
    "129",
    "255",
    "256",
    "32767",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "0.5",
    "1e308",
    "1e999",
    "00",
];

/// Characters with a meaning to some parser.
const SIGNS: &[u8] = b"{}[]()<>\"'`,;:.=+-*/\\|&$#@!?%~^_ \n\r\t\0\x1b\x7f\xff";

/// Makes inputs from seeds, and learns which lead to something new.
pub struct Mutator {
    rng: Rng,
    kept: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    seen: BTreeSet<InputTrace>,
}

impl Mutator {
    /// A mutator of these seeds. The same seeds, numbers and traces give the
    /// same inputs.
    pub fn new(seeds: Vec<Vec<u8>>, rng: Rng) -> Mutator {
        let mut words = BTreeSet::new();
        for seed in &seeds {
            let parts = seed.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-');
            words.extend(parts.filter(|part| (1..=24).contains(&part.len())));
        }
        let words = words.into_iter().take(MAX_WORDS).map(<[u8]>::to_vec);
        Mutator {
            rng,
            words: words.collect(),
            kept: if seeds.is_empty() {
                vec![Vec::new()]
            } else {
                seeds
            },
            seen: BTreeSet::new(),
        }
    }

    pub fn next_input(&mut self) -> Vec<u8> {
        let start = self.below(self.kept.len());
        let mut input = self.kept[start].clone();
        // Mostly few changes: many at once are rejected for the first of them.
        let n_changes = 1 + self.rng.word().trailing_zeros().min(7);
        for _ in 0..n_changes {
            self.change(&mut input);
        }
        input.truncate(MAX_LENGTH);
        input
    }

    /// Reports the trace of an input; an input with a new trace is kept.
    pub fn learn(&mut self, input: Vec<u8>, trace: InputTrace) {
        if !self.seen.insert(trace) {
            return;
        }
        if self.kept.len() < MAX_KEPT {
            self.kept.push(input);
        } else {
            let place = self.below(self.kept.len());
            self.kept[place] = input;
        }
    }

    /// Number of different traces.
    pub fn n_traces(&self) -> usize {
        self.seen.len()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        match self.rng.below(16) {
            0 => self.flip_bit(input),
            1 | 2 => self.set_sign(input),
            3 => self.remove(input),
            4 => self.repeat(input),
            5 | 6 => self.set_number(input),
            7 => self.nudge_number(input),
            8 | 9 => self.set_word(input),
            10 => self.swap_words(input),
            11 => self.insert_word(input),
            12 => self.change_lines(input),
            13 => self.splice(input),
            14 => self.nest(input),
            _ => self.remove_balanced(input),
        }
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.below_u64(n.max(1) as u64) as usize
    }

    fn place(&mut self, input: &[u8]) -> usize {
        self.below(input.len() + 1)
    }

    fn range(&mut self, input: &[u8], most: usize) -> std::ops::Range<usize> {
        let start = self.place(input);
        let length = self.below(most.min(input.len() - start) + 1);
        start..start + length
    }

    fn flip_bit(&mut self, input: &mut [u8]) {
        if !input.is_empty() {
            let place = self.below(input.len());
            input[place] ^= 1 << self.rng.below(8);
        }
    }

    fn set_sign(&mut self, input: &mut Vec<u8>) {
        let sign = SIGNS[self.below(SIGNS.len())];
        let place = self.place(input);
        if self.rng.chance(0.5) && place < input.len() {
            input[place] = sign;
        } else {
            input.insert(place, sign);
        }
    }

    fn remove(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input, 64);
        input.drain(range);
    }

    fn repeat(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input, 64);
        let part = input[range.clone()].to_vec();
        let n_times = 1 << self.rng.below(7);
        let room = MAX_LENGTH.saturating_sub(input.len());
        let n_times = (room / part.len().max(1)).min(n_times);
        let copies = part.repeat(n_times);
        input.splice(range.end..range.end, copies);
    }

    fn set_number(&mut self, input: &mut Vec<u8>) {
        if let Some(range) = self.run(input, |byte| byte.is_ascii_digit()) {
            let number = NUMBERS[self.below(NUMBERS.len())];
            input.splice(range, number.bytes());
        }
    }

    /// Changes a number slightly.
    fn nudge_number(&mut self, input: &mut Vec<u8>) {
        let Some(range) = self.run(input, |byte| byte.is_ascii_digit()) else {
            return;
        };
        let digits = std::str::from_utf8(&input[range.clone()]).unwrap_or_default();
        if let Ok(number) = digits.parse::<i64>() {
            let by = i64::from(self.rng.below(9)) - 4;
            let number = number.saturating_add(by).to_string();
            input.splice(range, number.bytes());
        }
    }

    fn set_word(&mut self, input: &mut Vec<u8>) {
        if let (Some(range), Some(word)) = (self.word(input), self.known_word()) {
            input.splice(range, word);
        }
    }

    fn insert_word(&mut self, input: &mut Vec<u8>) {
        if let Some(word) = self.known_word() {
            let place = self.place(input);
            input.splice(place..place, word);
        }
    }

    fn swap_words(&mut self, input: &mut Vec<u8>) {
        let (Some(a), Some(b)) = (self.word(input), self.word(input)) else {
            return;
        };
        let (first, second) = if a.start < b.start { (a, b) } else { (b, a) };
        if first.end <= second.start {
            let (early, late) = (
                input[first.clone()].to_vec(),
                input[second.clone()].to_vec(),
            );
            input.splice(second, early);
            input.splice(first, late);
        }
    }

    /// Removes, duplicates or moves a line.
    fn change_lines(&mut self, input: &mut Vec<u8>) {
        let mut lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
        let (from, to) = (self.below(lines.len()), self.below(lines.len()));
        let line = lines[from];
        if self.rng.chance(0.6) {
            lines.remove(from);
        }
        if self.rng.chance(0.6) {
            lines.insert(to.min(lines.len()), line);
        }
        *input = lines.join(&b'\n');
    }

    /// Joins the head of one input and the tail of another.
    fn splice(&mut self, input: &mut Vec<u8>) {
        let other = self.below(self.kept.len());
        let other = self.kept[other].clone();
        let from = self.place(&other);
        let place = self.place(input);
        input.truncate(place);
        input.extend_from_slice(&other[from..]);
    }

    /// Nests brackets deeply.
    fn nest(&mut self, input: &mut Vec<u8>) {
        const PAIRS: [(&str, &str); 5] = [
            ("[", "]"),
            ("{\"a\":", "}"),
            ("(", ")"),
            ("rollout(base=", ")"),
            ("[[", "]]"),
        ];
        let (open, close) = PAIRS[self.below(PAIRS.len())];
        let range = self.range(input, 256);
        let most = MAX_LENGTH.saturating_sub(input.len()) / (open.len() + close.len());
        let depth = (1_usize << self.rng.below(14)).min(most);
        input.splice(range.end..range.end, close.repeat(depth).into_bytes());
        input.splice(range.start..range.start, open.repeat(depth).into_bytes());
    }

    /// Removes an item between two commas.
    fn remove_balanced(&mut self, input: &mut Vec<u8>) {
        if let Some(range) = self.run(input, |byte| !matches!(byte, b',' | b'\n' | b' ')) {
            let end = (range.end + 1).min(input.len());
            input.drain(range.start..end);
        }
    }

    fn word(&mut self, input: &[u8]) -> Option<std::ops::Range<usize>> {
        self.run(input, |byte| byte.is_ascii_alphanumeric() || byte == b'-')
    }

    fn known_word(&mut self) -> Option<Vec<u8>> {
        self.rng.pick(&self.words).cloned()
    }

    /// The next run of such bytes after a random position.
    fn run(&mut self, input: &[u8], is_part: fn(u8) -> bool) -> Option<std::ops::Range<usize>> {
        let place = self.place(input);
        let inside = |at: usize| input.get(at).is_some_and(|byte| is_part(*byte));
        let mut start = (place..input.len()).find(|at| inside(*at))?;
        while start > 0 && inside(start - 1) {
            start -= 1;
        }
        let end = (start..input.len()).find(|at| !inside(*at));
        Some(start..end.unwrap_or(input.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_depend_on_the_seed_alone() {
        let inputs = |seed| {
            let seeds = vec![b"mcts(iters=100,c=1.2)\nrandom".to_vec(), Vec::new()];
            let mut mutator = Mutator::new(seeds, Rng::from_seed(seed));
            (0..2000_u64)
                .map(|n| {
                    let input = mutator.next_input();
                    mutator.learn(input.clone(), InputTrace(n % 50));
                    input
                })
                .collect::<Vec<_>>()
        };
        let first = inputs(1);
        assert_eq!(first, inputs(1));
        assert_ne!(first, inputs(2));
        assert!(first.iter().all(|input| input.len() <= MAX_LENGTH));
        let different: BTreeSet<_> = first.iter().collect();
        assert!(different.len() > 1000, "{}", different.len());
    }
}
