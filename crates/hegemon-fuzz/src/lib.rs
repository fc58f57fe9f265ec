//! Fuzz targets: one for each kind of text that comes from outside.
//!
//! A target takes any bytes and must not panic, overflow the stack, or take
//! long. If the bytes are accepted, it uses what was read: prints it and reads
//! it again, plays some moves from it. It returns a [`InputTrace`] of what happened,
//! which the mutator uses to recognise new behaviour. `fuzz/` drives the same
//! targets with libFuzzer.

mod corpus;
mod engine;
mod mutator;
mod players;
mod web;

pub use corpus::seeds;
pub use mutator::Mutator;
pub use web::clean_up;

use hegemon_core::fnv1a;

/// A fingerprint of an input's effect, without details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputTrace(pub u64);

impl InputTrace {
    /// The trace of a rejection: the beginning of its sentence, without numbers
    /// and quoted parts.
    fn of(sentence: &str) -> InputTrace {
        let mut words = String::new();
        for (n, part) in sentence.split(['"', '`']).enumerate() {
            if n % 2 == 0 {
                words.extend(part.chars().filter(char::is_ascii_alphabetic));
            }
        }
        words.truncate(80);
        InputTrace(fnv1a(words.as_bytes()))
    }

    /// The trace of something accepted, with a few facts about it.
    fn accepted(facts: &[u64]) -> InputTrace {
        let bytes: Vec<u8> = facts.iter().flat_map(|fact| fact.to_le_bytes()).collect();
        InputTrace(!fnv1a(&bytes))
    }
}

/// A kind of input.
#[derive(Clone, Copy)]
pub struct FuzzTarget {
    /// Its name, also that of its folder of seeds.
    pub name: &'static str,
    /// What is read, in a line.
    pub about: &'static str,
    /// Whether another thread does the work, so that only the wall clock can
    /// measure it.
    pub is_remote: bool,
    /// Processes the bytes.
    pub run: fn(&[u8]) -> InputTrace,
}

/// All targets.
pub const TARGETS: [FuzzTarget; 8] = [
    FuzzTarget {
        name: "maps",
        about: "map files, JSON and Domination's text",
        is_remote: false,
        run: engine::map,
    },
    FuzzTarget {
        name: "rules",
        about: "rules files, TOML and JSON",
        is_remote: false,
        run: engine::rules,
    },
    FuzzTarget {
        name: "specs",
        about: "spec strings of bots",
        is_remote: false,
        run: players::spec,
    },
    FuzzTarget {
        name: "positions",
        about: "position texts",
        is_remote: false,
        run: engine::position,
    },
    FuzzTarget {
        name: "records",
        about: "game records",
        is_remote: false,
        run: engine::record,
    },
    FuzzTarget {
        name: "protocol",
        about: "lines of the bot protocol, both ways",
        is_remote: false,
        run: players::protocol,
    },
    FuzzTarget {
        name: "http",
        about: "requests to the server",
        is_remote: true,
        run: web::http,
    },
    FuzzTarget {
        name: "socket",
        about: "frames of a player's WebSocket",
        is_remote: true,
        run: web::socket,
    },
];

/// The target with this name.
pub fn target(name: &str) -> Option<&'static FuzzTarget> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs a target on some bytes.
///
/// # Panics
///
/// If there is no such target, or the target finds a fault.
pub fn run(name: &str, bytes: &[u8]) {
    let target = target(name).expect("one of the targets");
    (target.run)(bytes);
}

/// Bytes as text: invalid UTF-8 becomes a character that no grammar uses.
fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds_and_survives_them() {
        for target in TARGETS {
            let seeds = seeds(target.name);
            assert!(
                seeds.len() >= 4,
                "{} seeds for {}",
                seeds.len(),
                target.name
            );
            let mut traces: Vec<InputTrace> = seeds.iter().map(|seed| (target.run)(seed)).collect();
            traces.sort();
            traces.dedup();
            assert!(traces.len() > 1, "all seeds of {} do the same", target.name);
        }
        clean_up();
    }

    #[test]
    fn traces_pass_over_names_and_numbers() {
        let trace = |sentence| InputTrace::of(sentence);
        assert_eq!(
            trace("there is no \"a\" at 3"),
            trace("there is no \"bb\" at 17")
        );
        assert_ne!(trace("there is no \"a\""), trace("there are two \"a\""));
    }
}
