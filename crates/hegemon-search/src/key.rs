//! A 64-bit key per action from a hash that never changes between runs.

use std::hash::{BuildHasherDefault, Hash, Hasher};

use hegemon_core::mix;

/// A hasher without a random seed: each word is folded in by the SplitMix64
/// finaliser, so equal inputs give equal keys on every machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct StableHasher(u64);

/// For hash maps that must not depend on ambient randomness.
pub type StableBuild = BuildHasherDefault<StableHasher>;

impl Hasher for StableHasher {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ word);
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

/// The key under which a search knows an action.
#[inline]
pub fn key_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = StableHasher(0x9e37_79b9_7f4a_7c15);
    value.hash(&mut hasher);
    hasher.finish()
}
