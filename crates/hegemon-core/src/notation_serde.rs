//! Values of play for serde, each as its notation: `"a3>4x3"`, `"B1:1"`,
//! `"attack"`, `"board=a3b2a1 phase=attack …"`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::moves::{Move, Outcome};
use crate::setup::Setup;
use crate::state::{Ending, Phase};

macro_rules! by_notation {
    ($($name:ty: $text:expr, $read:expr;)+) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let text = $text;
                serializer.collect_str(&text(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let read = $read;
                read(&text)
            }
        }
    )+};
}

by_notation! {
    Move: |mv: &Move| *mv, |text: &str| text.parse().map_err(D::Error::custom);
    Outcome: |outcome: &Outcome| *outcome, |text: &str| text.parse().map_err(D::Error::custom);
    Setup: |setup: &Setup| setup.to_string(), |text: &str| text.parse().map_err(D::Error::custom);
    Phase: |phase: &Phase| phase.name(), |text: &str| named(Phase::from_name(text), "phase", text);
    Ending: |ending: &Ending| ending.name(), |text: &str| named(Ending::from_name(text), "ending", text);
}

fn named<T, E: Error>(found: Option<T>, what: &str, text: &str) -> Result<T, E> {
    found.ok_or_else(|| E::custom(format!("\"{text}\" is no {what}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_play_are_their_notation() {
        let mv: Move = "a3>4x3".parse().expect("a move");
        let text = serde_json::to_string(&(mv, Phase::Attack)).expect("plain");
        assert_eq!(text, r#"["a3>4x3","attack"]"#);
        let again: (Move, Phase) = serde_json::from_str(&text).expect("as written");
        assert_eq!(again, (mv, Phase::Attack));
        assert!(serde_json::from_str::<Outcome>("\"a3>4x3\"").is_err());
        let setup: Setup = "board=a1b1 phase=attack player=1"
            .parse()
            .expect("readable");
        let text = serde_json::to_string(&setup).expect("plain");
        assert_eq!(
            serde_json::from_str::<Setup>(&text).expect("as written"),
            setup
        );
    }
}
