//! Chances of all small battles.

use hegemon_core::battle::{BattleLaw, BattleTable};
use serde::Serialize;

use super::law;
use crate::output::rounded;

/// Chances of 1 to n fighters against 1 to n defenders.
#[derive(Serialize)]
pub(super) struct OddsTable {
    law: BattleLaw,
    /// By fighters, then by defenders, both from 1; to four decimals.
    win: Vec<Vec<f64>>,
}

impl OddsTable {
    pub(super) fn new(law: BattleLaw, n: u32) -> OddsTable {
        let table = BattleTable::for_law(law);
        let row = |fighters| {
            (1..=n)
                .map(|d| rounded(table.win(fighters, d), 4))
                .collect()
        };
        OddsTable {
            law,
            win: (1..=n).map(row).collect(),
        }
    }

    /// Plain narrow columns, since ten of them must fit on a page.
    pub(super) fn text(&self) -> String {
        let headings = (1..=self.win.len()).map(|defenders| format!("{defenders:>7}"));
        let mut text = format!("A \\ D{}\n", headings.collect::<String>());
        for (fighters, row) in (1..).zip(&self.win) {
            let cells = row.iter().map(|win| format!("{win:>7.4}"));
            text += &format!("{fighters:>5}{}\n", cells.collect::<String>());
        }
        text +=
            "\nChance of A fighters (without the army that stays behind) against D defenders.\n";
        if let Some(words) = law::describe(self.law) {
            text += &format!("Rules: {words}.\n");
        }
        text
    }
}
