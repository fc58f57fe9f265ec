//! Rules as one plain value with one enum per axis, and the presets.

mod end;
mod text;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::battle::{BattleLaw, BattleMode, DiceRule};
use crate::ids::MAX_PLAYERS;
use crate::syntax::{json_fault, toml_fault};

use end::default_round_cap;
pub use end::{EarlyStop, End, TieBreak};
use text::CardsText;
pub use text::RulesVersion;

/// Most values in a progressive card scheme: more sets than a long game trades.
const MAX_SET_VALUES: usize = 64;

/// The rules of a game. Plain data without any game state.
///
/// A text may omit keys: the defaults are those of the boxed game (or, if cards
/// are off, of a game without cards). A text without a version has version 1.
/// New keys may be added over time: start from a preset or [`Rules::default`]
/// and change what differs.
///
/// ```
/// use hegemon_core::Rules;
/// let lux = Rules::preset("lux").expect("shipped");
/// let text = lux.to_toml();
/// assert_eq!(Rules::from_toml(&text).expect("round trip"), lux);
///
/// let dealt = Rules::from_toml("start = \"deal\"").expect("all else as in the box");
/// assert_eq!(dealt.cards, Rules::default().cards);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(description = "The rules, as `hegemon rules show` prints them.")
)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Rules {
    /// The version of the text, which is checked when it is read. JSON omits it
    /// while there is only the first.
    #[serde(skip_serializing)]
    pub version: RulesVersion,
    /// Fewest and most seats.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 2, max = MAX_PLAYERS))))]
    pub players: [u8; 2],
    /// How territories get their first owner.
    pub start: Start,
    /// Who moves first.
    pub first_player: FirstPlayer,
    /// Armies of each player at the start, one on each territory included.
    pub initial_armies: InitialArmies,
    /// How the armies beyond one a territory are placed.
    pub placement: Placement,
    /// Whether a game of two has a neutral third army.
    pub neutral: bool,
    /// What may be moved at the end of a turn.
    pub fortify: Fortify,
    /// How a game is won before the turn limit.
    pub victory: Victory,
    /// Most armies that a player may have in all; income beyond it is lost. It
    /// models the limited pieces in the box, and keeps all counts and exact
    /// battles computable.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub supply: u16,
    /// Income at the start of a turn.
    pub income: Income,
    /// Cards and sets.
    pub cards: Cards,
    /// How battles are fought.
    pub battle: Battle,
    /// How a game ends without a winner by the victory rule.
    pub end: End,
}

/// How territories get their first owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Dealt at random, one after another in turn order.
    Deal,
    /// Players claim a free territory in turn. A game of two with the neutral
    /// army is still dealt, as in the boxed game.
    Draft,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum FirstPlayer {
    /// The first seat.
    Seat,
    /// A seat drawn at random.
    Random,
}

/// Armies of each player at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum InitialArmies {
    /// For games of 2, 3, 4, 5 and 6 players.
    ByPlayers([u16; 5]),
    /// Lux's formula, which grows with the map:
    /// `round((1 + (C/42 - 1)/2) * (50 - 5N))` for C territories, N players.
    Lux,
}

/// How the armies beyond one a territory are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// By the players in turn, `batch` at a time. With `merge_last`, a
    /// remainder of `batch + 1` is placed at once (as in Lux).
    RoundRobin {
        /// Armies per turn.
        #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
        batch: u16,
        /// Whether a remainder of `batch + 1` is placed at once.
        #[serde(default, rename = "merge-last")]
        merge_last: bool,
    },
    /// By each player in one go.
    AllAtOnce,
    /// Spread evenly in map order.
    Even,
    /// Scattered at random over the player's territories.
    Scatter,
}

/// What may be moved at the end of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Fortify {
    /// Nothing.
    None,
    /// One move between neighbours.
    OneAdjacent,
    /// One move within a connected region of one's own.
    OneConnected,
    /// Any number of moves between neighbours, each army one step at most
    /// (Lux).
    ManyAdjacent,
}

/// How a game is won before the turn limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Victory {
    /// By eliminating all other players.
    Conquest,
    /// By a secret mission (or by conquest).
    Missions,
    /// By holding this many capitals, including the player's own (or by
    /// conquest).
    Capitals {
        /// How many.
        #[cfg_attr(feature = "schema", schemars(range(min = 2)))]
        hold: u8,
        /// Whether a capital is defended with one more die.
        #[serde(rename = "extra-die")]
        extra_die: bool,
    },
}

/// Income at the start of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Income {
    /// One army per `divisor` territories.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub divisor: u8,
    /// Fewest armies for territories.
    pub minimum: u8,
    /// Growth of continent bonuses in percent a round.
    pub growth: u8,
}

/// Cards and sets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case", from = "CardsText")]
pub struct Cards {
    /// Value of a set.
    pub scheme: CardScheme,
    /// How many wild cards are in the deck.
    pub wild: u8,
    /// Armies placed on a traded card's territory if the trading player owns
    /// it.
    pub territory_bonus: u8,
    /// Whether that bonus is given for only one card of a set (the player's
    /// choice) or for each.
    pub bonus_once: bool,
    /// With this many cards at the start of a turn, a player must trade.
    pub forced_from: u8,
    /// Whether the conqueror gets the hand of an eliminated player.
    pub capture: bool,
    /// With this many cards after a capture, the conqueror must trade at once,
    /// until fewer are left than force a trade at the start of a turn.
    pub capture_forced_from: u8,
    /// Whether traded cards go back into the deck at once (Lux) or when the
    /// deck is empty (boxed game).
    pub return_at_once: bool,
}

/// Value of a set of cards.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum CardScheme {
    /// No cards.
    Off,
    /// By kind of set: three of the first, second, third symbol, one of each.
    Fixed([u16; 4]),
    /// By the number of sets traded before by all players: a list, then a step.
    Progressive {
        /// Values of the first sets.
        values: Vec<u16>,
        /// Added for each set after the list.
        step: u16,
    },
    /// `first`, plus `step` for each set traded before by any player.
    Step {
        /// Value of the first set.
        first: u16,
        /// Added for each set.
        step: u16,
    },
}

/// How battles are fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Battle {
    /// What one attack is.
    pub attack: Attack,
    /// Whether the attacker chooses its strength (dice of an exchange, armies
    /// of a battle) or always uses the maximum.
    pub commitment: Commitment,
    /// The dice.
    pub dice: DiceRule,
    /// Fewest armies that move into a conquered territory.
    pub occupy: Occupy,
}

impl Battle {
    /// The law of a battle fought to its end.
    ///
    /// ```
    /// use hegemon_core::{Rules, battle::BattleLaw};
    /// let boxed = Rules::preset("classic").expect("shipped");
    /// assert_eq!(boxed.battle.law(), BattleLaw::default());
    /// ```
    pub const fn law(self) -> BattleLaw {
        let mode = match self.attack {
            Attack::Roll | Attack::ToTheEnd => BattleMode::Sequential,
            Attack::Groups => BattleMode::Groups,
            Attack::BalancedBlitz => BattleMode::Balanced,
        };
        BattleLaw::new(self.dice, mode)
    }
}

/// What one attack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Attack {
    /// One exchange of dice.
    Roll,
    /// A battle until one side is eliminated.
    ToTheEnd,
    /// One round of groups of three against groups of two (Gillenwater 2022).
    Groups,
    /// A battle to the end under the balanced-blitz law.
    BalancedBlitz,
}

/// Whether the attacker chooses its strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Commitment {
    /// The attacker's choice.
    Choice,
    /// Always everything but the army that must stay.
    Maximum,
}

/// Fewest armies that move into a conquered territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "kebab-case")]
pub enum Occupy {
    /// As many as the attacker's dice in the last exchange.
    DiceRolled,
    /// One.
    One,
}

/// The faults of a set of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesError {
    /// One sentence for each fault.
    pub faults: Vec<String>,
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.faults.join("\n"))
    }
}

impl std::error::Error for RulesError {}

impl Rules {
    /// Names of the presets.
    pub const PRESETS: [&'static str; 5] = ["classic", "sampling", "lux", "draft", "beam"];

    /// The preset with this name.
    pub fn preset(name: &str) -> Option<Rules> {
        match name {
            "classic" => Some(classic()),
            "sampling" => Some(sampling()),
            "lux" => Some(lux()),
            "draft" => Some(draft()),
            "beam" => Some(beam()),
            _ => None,
        }
    }

    /// A one-line description of a preset.
    pub fn preset_about(name: &str) -> &'static str {
        match name {
            "classic" => "the boxed game: draft, progressive cards, one adjacent fortify",
            "sampling" => "Brand and Kroon 2014: two players, dealt, no cards, connected fortify",
            "lux" => {
                "Lozano and Bratz 2012: Lux defaults, dealt, cards 4 then +2, bonuses +5 % a round"
            }
            "draft" => "Gibson, Desai and Zhao 2010: Lux rules, drafted, no cards, no growth",
            "beam" => "Gillenwater 2022: four players, no cards, group battles, 100 turns each",
            _ => "",
        }
    }

    /// Reads rules from TOML text.
    ///
    /// # Errors
    ///
    /// If the text has the wrong structure or the rules contradict each other.
    pub fn from_toml(text: &str) -> Result<Rules, RulesError> {
        let rules: Rules = toml::from_str(text).map_err(|error| RulesError {
            faults: vec![toml_fault(text, &error)],
        })?;
        rules.validate()?;
        Ok(rules)
    }

    /// Reads rules from JSON text.
    ///
    /// # Errors
    ///
    /// As [`Rules::from_toml`].
    pub fn from_json(text: &str) -> Result<Rules, RulesError> {
        let rules: Rules = serde_json::from_str(text).map_err(|error| RulesError {
            faults: vec![json_fault(text, &error)],
        })?;
        rules.validate()?;
        Ok(rules)
    }

    /// The rules as TOML text.
    pub fn to_toml(&self) -> String {
        let text = toml::to_string(self).unwrap_or_default();
        format!("version = {}\n{text}", RulesVersion::NUMBER)
    }

    /// The rules as one line of JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether the game has cards.
    #[inline]
    pub fn has_cards(&self) -> bool {
        self.cards.scheme != CardScheme::Off
    }

    /// Checks that the rules do not contradict each other.
    ///
    /// # Errors
    ///
    /// All contradictions at once, a sentence each.
    pub fn validate(&self) -> Result<(), RulesError> {
        let faults: Vec<String> = self
            .contradictions()
            .into_iter()
            .filter(|(wrong, _)| *wrong)
            .map(|(_, sentence)| sentence.to_owned())
            .collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(RulesError { faults })
        }
    }

    fn contradictions(&self) -> Vec<(bool, &'static str)> {
        let [fewest, most] = self.players;
        let dice = self.battle.dice;
        let has_cards = self.has_cards();
        let mut list = vec![
            (
                fewest < 2 || usize::from(most) > MAX_PLAYERS || fewest > most,
                "players must be a range within 2 to 6",
            ),
            (self.income.divisor == 0, "income.divisor must not be 0"),
            (
                self.income.growth > 100,
                "income.growth is at most 100 percent a round",
            ),
            (
                !(1..=30_000).contains(&self.supply),
                "supply must be between 1 and 30000 armies",
            ),
            (
                matches!(self.placement, Placement::RoundRobin { batch: 0, .. }),
                "placement in batches needs a batch of at least 1",
            ),
            (
                has_cards && self.cards.forced_from < 5,
                "cards.forced-from must be at least 5: a smaller hand may hold no set",
            ),
            (
                has_cards && self.cards.capture && self.cards.capture_forced_from < 5,
                "cards.capture-forced-from must be at least 5: a smaller hand may hold no set",
            ),
            (
                !has_cards && (self.cards.wild > 0 || self.cards.capture),
                "without cards there are no wild cards and no hand to capture",
            ),
            (
                matches!(&self.cards.scheme, CardScheme::Progressive { values, .. } if values.is_empty()),
                "a progressive card scheme needs at least one value",
            ),
            (
                matches!(&self.cards.scheme, CardScheme::Progressive { values, .. } if values.len() > MAX_SET_VALUES),
                "a progressive card scheme has at most 64 values",
            ),
            (
                !(1..=3).contains(&dice.attacker_max) || !(1..=3).contains(&dice.defender_max),
                "both sides roll between 1 and 3 dice at most",
            ),
            (
                dice.defender_second_from < 2,
                "a second defence die needs at least 2 armies",
            ),
            (
                self.battle.attack == Attack::Groups && self.battle.occupy == Occupy::DiceRolled,
                "occupy = dice-rolled contradicts groups, which have no single last exchange",
            ),
            (
                self.battle.attack == Attack::Groups && dice != DiceRule::default(),
                "groups of three against two are fought with the usual dice",
            ),
            (
                self.end.turn_limit == Some(0),
                "a turn limit of 0 leaves no game",
            ),
            (self.end.round_cap == 0, "a round cap of 0 leaves no game"),
        ];
        if let Victory::Capitals { hold, extra_die } = self.victory {
            list.push((hold < 2, "holding fewer than 2 capitals wins at once"));
            list.push((hold > most, "more capitals to hold than players"));
            list.push((
                extra_die && dice.defender_max == 3,
                "a capital's extra die would be a fourth; at most 3 are rolled",
            ));
            list.push((
                extra_die && self.battle.attack == Attack::Groups,
                "a capital's extra die contradicts groups of two defenders",
            ));
        }
        if let Some(stop) = self.end.early_stop {
            list.push((stop.lead == 0, "an early stop needs a lead of at least 1"));
        }
        list
    }
}

/// The battle rules of the boxed game, with the defender's second die from two
/// armies.
const fn rolls(commitment: Commitment, occupy: Occupy) -> Battle {
    Battle {
        attack: Attack::Roll,
        commitment,
        dice: DiceRule::OFFICIAL,
        occupy,
    }
}

const NO_CARDS: Cards = Cards {
    scheme: CardScheme::Off,
    wild: 0,
    territory_bonus: 0,
    bonus_once: true,
    forced_from: 5,
    capture: false,
    capture_forced_from: 5,
    return_at_once: true,
};

const INCOME: Income = Income {
    divisor: 3,
    minimum: 3,
    growth: 0,
};

fn no_end() -> End {
    End {
        turn_limit: None,
        tie_breaks: vec![TieBreak::Territories, TieBreak::Armies],
        early_stop: None,
        round_cap: default_round_cap(),
    }
}

fn classic() -> Rules {
    Rules {
        version: RulesVersion,
        players: [2, 6],
        start: Start::Draft,
        first_player: FirstPlayer::Random,
        initial_armies: InitialArmies::ByPlayers([40, 35, 30, 25, 20]),
        placement: Placement::RoundRobin {
            batch: 1,
            merge_last: false,
        },
        neutral: true,
        fortify: Fortify::OneAdjacent,
        victory: Victory::Conquest,
        supply: 30_000,
        income: INCOME,
        cards: Cards {
            scheme: CardScheme::Progressive {
                values: vec![4, 6, 8, 10, 12, 15],
                step: 5,
            },
            wild: 2,
            territory_bonus: 2,
            bonus_once: true,
            forced_from: 5,
            capture: true,
            capture_forced_from: 6,
            return_at_once: false,
        },
        battle: rolls(Commitment::Choice, Occupy::DiceRolled),
        end: no_end(),
    }
}

fn sampling() -> Rules {
    Rules {
        version: RulesVersion,
        players: [2, 2],
        start: Start::Deal,
        first_player: FirstPlayer::Random,
        initial_armies: InitialArmies::ByPlayers([60; 5]),
        placement: Placement::Even,
        neutral: false,
        fortify: Fortify::OneConnected,
        victory: Victory::Conquest,
        supply: 30_000,
        income: INCOME,
        cards: NO_CARDS,
        battle: rolls(Commitment::Maximum, Occupy::One),
        end: no_end(),
    }
}

fn lux() -> Rules {
    Rules {
        version: RulesVersion,
        players: [2, 6],
        start: Start::Deal,
        first_player: FirstPlayer::Seat,
        initial_armies: InitialArmies::Lux,
        placement: Placement::RoundRobin {
            batch: 4,
            merge_last: true,
        },
        neutral: false,
        fortify: Fortify::ManyAdjacent,
        victory: Victory::Conquest,
        supply: 30_000,
        income: Income {
            growth: 5,
            ..INCOME
        },
        cards: Cards {
            scheme: CardScheme::Step { first: 4, step: 2 },
            wild: 2,
            territory_bonus: 2,
            bonus_once: false,
            forced_from: 5,
            capture: true,
            capture_forced_from: 5,
            return_at_once: true,
        },
        battle: Battle {
            attack: Attack::ToTheEnd,
            commitment: Commitment::Maximum,
            dice: DiceRule::OFFICIAL,
            occupy: Occupy::DiceRolled,
        },
        end: no_end(),
    }
}

fn draft() -> Rules {
    Rules {
        start: Start::Draft,
        income: INCOME,
        cards: NO_CARDS,
        ..lux()
    }
}

fn beam() -> Rules {
    Rules {
        version: RulesVersion,
        players: [2, 6],
        start: Start::Draft,
        first_player: FirstPlayer::Random,
        initial_armies: InitialArmies::ByPlayers([40, 35, 30, 25, 20]),
        placement: Placement::RoundRobin {
            batch: 1,
            merge_last: false,
        },
        neutral: false,
        fortify: Fortify::OneAdjacent,
        victory: Victory::Conquest,
        supply: 30_000,
        income: INCOME,
        cards: NO_CARDS,
        battle: Battle {
            attack: Attack::Groups,
            commitment: Commitment::Maximum,
            dice: DiceRule::OFFICIAL,
            occupy: Occupy::One,
        },
        end: End {
            turn_limit: Some(100),
            ..no_end()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_sound_and_round_trip() {
        for name in Rules::PRESETS {
            let rules = Rules::preset(name).expect(name);
            rules.validate().expect(name);
            assert_eq!(Rules::from_toml(&rules.to_toml()).expect(name), rules);
            assert_eq!(Rules::from_json(&rules.to_json()).expect(name), rules);
            assert!(!Rules::preset_about(name).is_empty());
        }
    }

    #[test]
    fn contradictions_come_all_at_once() {
        let mut rules = beam();
        rules.battle.occupy = Occupy::DiceRolled;
        rules.end.turn_limit = Some(0);
        rules.cards.wild = 2;
        let error = rules.validate().expect_err("three contradictions");
        assert_eq!(error.faults.len(), 3, "{error}");
    }

    #[test]
    fn each_contradiction_is_found() {
        type Case = (fn(&mut Rules), &'static str);
        let cases: [Case; 10] = [
            (|r| r.players = [3, 2], "range within 2 to 6"),
            (|r| r.players = [2, 7], "range within 2 to 6"),
            (|r| r.income.divisor = 0, "divisor"),
            (|r| r.supply = 0, "supply"),
            (|r| r.cards.forced_from = 4, "hold no set"),
            (
                |r| {
                    r.cards.scheme = CardScheme::Progressive {
                        values: vec![1; 65],
                        step: 5,
                    }
                },
                "at most 64 values",
            ),
            (|r| r.battle.dice.attacker_max = 4, "3 dice"),
            (
                |r| {
                    r.victory = Victory::Capitals {
                        hold: 1,
                        extra_die: false,
                    }
                },
                "wins at once",
            ),
            (
                |r| {
                    r.placement = Placement::RoundRobin {
                        batch: 0,
                        merge_last: false,
                    }
                },
                "batch",
            ),
            (
                |r| {
                    r.end.early_stop = Some(EarlyStop {
                        lead: 0,
                        after_actions: 0,
                    });
                },
                "lead of at least 1",
            ),
        ];
        for (spoil, words) in cases {
            let mut rules = classic();
            spoil(&mut rules);
            let error = rules.validate().expect_err(words);
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
