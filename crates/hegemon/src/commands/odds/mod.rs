//! `hegemon odds`: exact battles.

mod battle;
mod campaign;
mod chain;
mod force;
mod law;
mod table;

use anyhow::bail;
use clap::Args;
use hegemon_core::battle::MAX_FIGHTERS;

use crate::output::{self, OutputArgs};
use crate::values::{self, ValueReader};
use battle::BattleOdds;
use campaign::CampaignArgs;
use chain::ChainOdds;
use force::{ForceOdds, Target};
use law::LawArgs;
use table::OddsTable;

/// Exact odds of a battle, a chain or a campaign, and how many armies it takes
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct OddsArgs {
    /// Fighters: the attacking armies WITHOUT the one that must stay behind
    #[arg(value_name = "A", value_parser = armies())]
    fighters: Option<u32>,
    /// Defenders: all armies of the attacked territory
    #[arg(value_name = "D", value_parser = armies())]
    defenders: Option<u32>,
    /// Conquer territories with D, D, ... defenders in sequence
    #[arg(long, value_name = "D,D,...", value_delimiter = ',', value_parser = armies())]
    #[arg(conflicts_with_all = ["defenders", "until"])]
    chain: Vec<u32>,
    /// Armies to leave in the conquered territories of the chain [default: 1 in each]
    #[arg(
        long,
        value_name = "N,N,...",
        value_delimiter = ',',
        requires = "chain"
    )]
    #[arg(value_parser = values::whole::<u32>(1..=u64::from(MAX_FIGHTERS)))]
    leave: Vec<u32>,
    /// How many fighters win with this chance, such as 0.8 or 80%?
    #[arg(long, value_name = "P", value_parser = parse_chance)]
    #[arg(conflicts_with_all = ["fighters", "until", "full"])]
    need: Option<f64>,
    /// The defenders to beat, with --need
    #[arg(long, value_name = "D", requires = "need", value_parser = armies())]
    #[arg(conflicts_with = "chain")]
    against: Option<u32>,
    /// Print the chances of 1 to N fighters against 1 to N defenders
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=100))]
    #[arg(conflicts_with_all = ["fighters", "chain", "need", "until", "full"])]
    table: Option<u32>,
    /// Call the attack off when no more than N fighters are left
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = armies())]
    until: u32,
    /// Show every possible end
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    campaign: CampaignArgs,
    #[command(flatten)]
    law: LawArgs,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
Convention: the army that must stay behind does not count. A territory with 6 armies attacks with 5 \
fighters, so 'hegemon odds 5 4' asks about 6 armies against 4. In a chain all survivors move on, \
except one (or as --leave says) in each territory conquered on the way.

Examples:
  hegemon odds 5 4
  hegemon odds 20 --chain 3,2,5,1 --leave 1,2,1
  hegemon odds --need 80% --against 10
  hegemon odds --need 80% --chain 3,2,5,1
  hegemon odds --table 10 --defender-two-from 3
  hegemon odds --position 'board=a9b2b1...' --from Siam --take Australia
  hegemon odds --position 'board=a9b2b1...' --threat";

/// The question asked.
#[derive(Debug, PartialEq)]
enum Question<'a> {
    Battle { fighters: u32, defenders: u32 },
    Chain { fighters: u32, defenders: &'a [u32] },
    Force { chance: f64, target: Target<'a> },
    Table(u32),
}

impl OddsArgs {
    fn question(&self) -> anyhow::Result<Question<'_>> {
        let chain = (!self.chain.is_empty()).then_some(self.chain.as_slice());
        let garrisons = self.leave.as_slice();
        Ok(
            match (self.table, self.need, self.fighters, self.defenders, chain) {
                (Some(n), ..) => Question::Table(n),
                (_, Some(chance), _, _, Some(defenders)) => Question::Force {
                    chance,
                    target: Target::Chain {
                        defenders,
                        garrisons,
                    },
                },
                (_, Some(chance), ..) => match self.against {
                    Some(defenders) => Question::Force {
                        chance,
                        target: Target::Battle(defenders),
                    },
                    None => bail!("--need asks for --against D or for --chain D,D,..."),
                },
                (_, _, Some(fighters), Some(defenders), _) => Question::Battle {
                    fighters,
                    defenders,
                },
                (_, _, Some(fighters), None, Some(defenders)) => Question::Chain {
                    fighters,
                    defenders,
                },
                (_, _, Some(fighters), None, None) => bail!(
                    "{} against whom? Give the defenders too, or --chain D,D,...",
                    output::fighters(fighters)
                ),
                _ => bail!("who fights? Give fighters and defenders, as in 'hegemon odds 5 4'"),
            },
        )
    }
}

/// Answers the question.
pub(crate) fn run(args: &OddsArgs) -> anyhow::Result<()> {
    if args.campaign.is_asked() {
        return args.campaign.run(&args.law, args.need, args.output);
    }
    let law = args.law.resolve()?;
    match args.question()? {
        Question::Battle {
            fighters,
            defenders,
        } => {
            let odds = BattleOdds::new(law, fighters, defenders, args.until, args.full);
            args.output.print(&odds, BattleOdds::text)
        }
        Question::Chain {
            fighters,
            defenders,
        } => {
            let odds = ChainOdds::new(law, fighters, defenders, &args.leave, args.full)?;
            args.output.print(&odds, ChainOdds::text)
        }
        Question::Force { chance, target } => {
            let odds = ForceOdds::new(law, chance, target)?;
            args.output.print(&odds, ForceOdds::text)
        }
        Question::Table(n) => args.output.print(&OddsTable::new(law, n), OddsTable::text),
    }
}

/// Armies that a player can have.
fn armies() -> ValueReader<u32> {
    values::whole(0..=u64::from(MAX_FIGHTERS))
}

/// A probability, as a fraction or in percent.
fn parse_chance(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    match number {
        Ok(chance) if (0.0..=1.0).contains(&chance) => Ok(chance),
        _ => Err("a chance is written as 0.8 or 80%".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_fractions_or_percentages() {
        assert_eq!(parse_chance("0.8"), Ok(0.8));
        assert_eq!(parse_chance("80%"), Ok(0.8));
        assert_eq!(parse_chance("80 %"), Ok(0.8));
        for text in ["80", "-0.1", "120%", "much", "nan", ""] {
            assert!(parse_chance(text).is_err(), "{text}");
        }
    }
}
