//! Territories conquered one after another.

use hegemon_core::battle::{BattleLaw, Chain, ChainError, chain};
use serde::Serialize;

use super::law;
use crate::output::{self, Column, percent, rounded};

/// The odds of a chain of battles.
#[derive(Serialize)]
pub(super) struct ChainOdds {
    fighters: u32,
    law: BattleLaw,
    /// Chance to conquer all, to six decimals and in full.
    win: f64,
    win_exact: f64,
    /// Fighters in the last territory if all fall.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_left: Option<f64>,
    chain: Vec<Link>,
    /// By fighters left in the last territory, the chance of conquering all
    /// with that result.
    #[serde(skip_serializing_if = "Option::is_none")]
    survivors: Option<Vec<f64>>,
}

#[derive(Serialize)]
struct Link {
    defenders: u32,
    /// The garrison left there; none in the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    garrison: Option<u32>,
    /// Chance to conquer up to here.
    conquered: f64,
}

impl ChainOdds {
    pub(super) fn new(
        law: BattleLaw,
        fighters: u32,
        defenders: &[u32],
        garrisons: &[u32],
        full: bool,
    ) -> Result<ChainOdds, ChainError> {
        let odds = chain(law, fighters, defenders, garrisons)?;
        let win = odds.success();
        Ok(ChainOdds {
            fighters,
            law,
            win: rounded(win, 6),
            win_exact: win,
            mean_left: (win > 0.0).then(|| odds.expected_survivors() / win),
            chain: links(&odds, defenders, garrisons),
            survivors: full.then(|| odds.survivors().to_vec()),
        })
    }

    pub(super) fn text(&self) -> String {
        let n = output::count(self.chain.len(), "territory", "territories");
        let fighters = output::fighters(self.fighters);
        let mut text = format!("{fighters} against {n}, one after another\n");
        text += "(the attacking army that stays behind is not counted)\n\n";
        text += &self.links_text();
        text.push('\n');
        let mut facts = vec![("all conquered", percent(self.win_exact))];
        if let Some(mean) = self.mean_left {
            facts.push((
                "left then",
                format!("{mean:.3} fighters in the last one on average"),
            ));
        }
        facts.extend(law::describe(self.law).map(|words| ("rules", words)));
        text += &output::facts(facts);
        if let Some(survivors) = &self.survivors {
            text += &format!("\n{}", survivors_text(survivors));
        }
        text
    }

    fn links_text(&self) -> String {
        let mut table = output::table([
            Column::Number("territory"),
            Column::Number("defenders"),
            Column::Number("left behind"),
            Column::Number("conquered so far"),
        ]);
        for (n, link) in (1..).zip(&self.chain) {
            table.add_row(output::row([
                format!("{n}"),
                link.defenders.to_string(),
                link.garrison
                    .map_or("-".to_owned(), |armies| armies.to_string()),
                percent(link.conquered),
            ]));
        }
        output::table_text(&table)
    }
}

fn links(odds: &Chain, defenders: &[u32], garrisons: &[u32]) -> Vec<Link> {
    let last = defenders.len() - 1;
    let link = |(idx, &defenders)| Link {
        defenders,
        garrison: (idx < last).then(|| garrisons.get(idx).copied().unwrap_or(1)),
        conquered: odds.prefix(idx + 1),
    };
    defenders.iter().enumerate().map(link).collect()
}

fn survivors_text(survivors: &[f64]) -> String {
    let mut table = output::table([Column::Number("fighters left"), Column::Number("chance")]);
    for (n, &probability) in survivors.iter().enumerate().rev() {
        if probability > 0.0 {
            table.add_row(output::row([n.to_string(), format!("{probability:.6}")]));
        }
    }
    output::table_text(&table)
}
