//! Defaults for a text of rules: its version, and the values of the boxed game.

use serde::Deserialize;

use super::{Battle, CardScheme, Cards, End, Income, NO_CARDS, Rules, classic};

/// The version of the format of rules that this program writes. A new key whose
/// default preserves the meaning of old texts needs no new version; a key that
/// changes its meaning does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(try_from = "u32")]
pub struct RulesVersion;

impl RulesVersion {
    /// Its number.
    pub const NUMBER: u32 = 1;
}

impl TryFrom<u32> for RulesVersion {
    type Error = String;

    fn try_from(number: u32) -> Result<RulesVersion, String> {
        match number {
            RulesVersion::NUMBER => Ok(RulesVersion),
            _ => Err(format!(
                "these rules have version {number}; this program reads version {}",
                RulesVersion::NUMBER
            )),
        }
    }
}

/// Cards as written in a text: the defaults depend on whether there are any.
#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct CardsText {
    scheme: Option<CardScheme>,
    wild: Option<u8>,
    territory_bonus: Option<u8>,
    bonus_once: Option<bool>,
    forced_from: Option<u8>,
    capture: Option<bool>,
    capture_forced_from: Option<u8>,
    return_at_once: Option<bool>,
}

impl From<CardsText> for Cards {
    fn from(text: CardsText) -> Cards {
        let usual = match text.scheme {
            Some(CardScheme::Off) => NO_CARDS,
            _ => Cards::default(),
        };
        Cards {
            scheme: text.scheme.unwrap_or(usual.scheme),
            wild: text.wild.unwrap_or(usual.wild),
            territory_bonus: text.territory_bonus.unwrap_or(usual.territory_bonus),
            bonus_once: text.bonus_once.unwrap_or(usual.bonus_once),
            forced_from: text.forced_from.unwrap_or(usual.forced_from),
            capture: text.capture.unwrap_or(usual.capture),
            capture_forced_from: text
                .capture_forced_from
                .unwrap_or(usual.capture_forced_from),
            return_at_once: text.return_at_once.unwrap_or(usual.return_at_once),
        }
    }
}

/// The boxed game.
impl Default for Rules {
    fn default() -> Rules {
        classic()
    }
}

impl Default for Income {
    fn default() -> Income {
        classic().income
    }
}

impl Default for Cards {
    fn default() -> Cards {
        classic().cards
    }
}

impl Default for Battle {
    fn default() -> Battle {
        classic().battle
    }
}

impl Default for End {
    fn default() -> End {
        classic().end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_leaves_out_is_as_in_the_boxed_game() {
        let boxed = Rules::preset("classic").expect("shipped");
        assert_eq!(Rules::from_toml(""), Ok(boxed.clone()));
        assert_eq!(Rules::from_json("{}"), Ok(boxed.clone()));
        let mut changed = boxed.clone();
        changed.income.minimum = 5;
        changed.battle.dice.attacker_max = 2;
        changed.end.turn_limit = Some(7);
        let text =
            "[income]\nminimum = 5\n[battle.dice]\nattacker-max = 2\n[end]\nturn-limit = 7\n";
        assert_eq!(Rules::from_toml(text), Ok(changed));
        // Switching cards off must not leave two wild ones.
        let off = Rules::from_json(r#"{"cards":{"scheme":"off"}}"#).expect("no contradiction");
        assert_eq!(off.cards, NO_CARDS);
        let step = r#"{"cards":{"scheme":{"step":{"first":4,"step":2}}}}"#;
        assert_eq!(Rules::from_json(step).expect("rules").cards.wild, 2);
    }

    #[test]
    fn a_text_of_a_later_version_is_refused_with_both_numbers() {
        let boxed = Rules::preset("classic").expect("shipped");
        assert!(boxed.to_toml().starts_with("version = 1\n"));
        assert_eq!(Rules::from_toml("version = 1"), Ok(boxed.clone()));
        assert_eq!(Rules::from_json(r#"{"version":1}"#), Ok(boxed));
        for error in [
            Rules::from_toml("version = 2").expect_err("later"),
            Rules::from_json(r#"{"version":2}"#).expect_err("later"),
        ] {
            let message = error.to_string();
            let says = "these rules have version 2; this program reads version 1";
            assert!(message.contains(says), "{message}");
        }
    }

    #[test]
    fn a_misspelt_key_is_still_a_fault() {
        for text in ["[cards]\nwilds = 2", "minimun = 3", "[income]\nminimun = 3"] {
            assert!(Rules::from_toml(text).is_err(), "{text}");
        }
    }
}
