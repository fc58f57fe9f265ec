//! The law of battle that the arguments name.

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use hegemon_core::Rules;
use hegemon_core::battle::{BattleLaw, BattleMode};
use hegemon_core::rules::{Attack, Battle};

use crate::inputs::RulesChoice;
use crate::values;

/// The dice, and how a battle is fought with them.
#[derive(Debug, Args)]
pub(super) struct LawArgs {
    #[command(flatten)]
    rules: RulesChoice,
    /// How the battle is fought, whatever the rules say
    #[arg(long, value_name = "HOW")]
    battle: Option<How>,
    /// The defender rolls two dice from N armies up
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(2..=u64::from(u32::MAX)))]
    defender_two_from: Option<u32>,
    /// The territory is a capital: the defender rolls one more die
    #[arg(long)]
    capital: bool,
}

/// [`Attack`] by its names in the rules.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum How {
    Roll,
    ToTheEnd,
    Groups,
    BalancedBlitz,
}

impl From<How> for Attack {
    fn from(how: How) -> Attack {
        match how {
            How::Roll => Attack::Roll,
            How::ToTheEnd => Attack::ToTheEnd,
            How::Groups => Attack::Groups,
            How::BalancedBlitz => Attack::BalancedBlitz,
        }
    }
}

impl LawArgs {
    /// The rules with the changes of the arguments.
    pub(super) fn rules(&self) -> anyhow::Result<Rules> {
        let mut rules = self.rules.resolve()?;
        rules.battle.attack = self.battle.map_or(rules.battle.attack, Attack::from);
        if let Some(armies) = self.defender_two_from {
            rules.battle.dice.defender_second_from = armies;
        }
        Ok(rules)
    }

    /// The law of the rules with the changes of the arguments.
    pub(super) fn resolve(&self) -> anyhow::Result<BattleLaw> {
        let battle = self.rules.resolve()?.battle;
        let attack = self.battle.map_or(battle.attack, Attack::from);
        let mut law = Battle { attack, ..battle }.law();
        if let Some(armies) = self.defender_two_from {
            law.dice.defender_second_from = armies;
        }
        if self.capital {
            law.dice = law.dice.with_defender_bonus(1);
        }
        law.dice.check().context("such dice are not rolled")?;
        if law.mode == BattleMode::Groups && law.dice != BattleLaw::default().dice {
            bail!("groups of three against two are fought with the usual dice");
        }
        Ok(law)
    }
}

/// Differences from the official law, in words; `None` if there are none.
pub(super) fn describe(law: BattleLaw) -> Option<String> {
    let official = BattleLaw::default();
    let mode = match law.mode {
        BattleMode::Sequential => None,
        BattleMode::Groups => Some("fought in groups".to_owned()),
        BattleMode::Balanced => Some("balanced blitz".to_owned()),
    };
    let (dice, usual) = (law.dice, official.dice);
    let attacker = (dice.attacker_max != usual.attacker_max)
        .then(|| format!("attacker rolls at most {} dice", dice.attacker_max));
    let defender = (dice.defender_max != usual.defender_max)
        .then(|| format!("defender rolls at most {} dice", dice.defender_max));
    let second = (dice.defender_second_from != usual.defender_second_from).then(|| {
        format!(
            "a second die of the defender from {} armies on",
            dice.defender_second_from
        )
    });
    let ties = dice
        .ties_to_attacker
        .then(|| "the attacker wins ties".to_owned());
    let parts: Vec<String> = [mode, attacker, defender, second, ties]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
