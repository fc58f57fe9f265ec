//! One battle.

use hegemon_core::battle::{BattleEnd, BattleLaw, Distribution};
use serde::Serialize;

use super::law;
use crate::output::{self, Column, percent, rounded};

/// Rarer outcomes are omitted from text tables.
const RARE: f64 = 1e-6;

/// The odds of one battle.
#[derive(Serialize)]
pub(super) struct BattleOdds {
    fighters: u32,
    defenders: u32,
    /// Fighters at which the attack is called off.
    until: u32,
    law: BattleLaw,
    /// Chance to take the territory, to six decimals and in full.
    win: f64,
    win_exact: f64,
    expected_losses: MeanLosses,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_won: Option<Left>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_not_won: Option<Left>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcomes: Option<Vec<BattleEndRow>>,
}

#[derive(Serialize)]
struct MeanLosses {
    attacker: f64,
    defender: f64,
}

/// What one side has left, given that the other did not win.
#[derive(Serialize)]
struct Left {
    mean: f64,
    most_likely: u32,
    /// Share of all battles with exactly this outcome.
    most_likely_probability: f64,
}

#[derive(Serialize)]
struct BattleEndRow {
    fighters: u32,
    defenders: u32,
    probability: f64,
}

impl BattleOdds {
    pub(super) fn new(
        law: BattleLaw,
        fighters: u32,
        defenders: u32,
        until: u32,
        full: bool,
    ) -> BattleOdds {
        let ends = law.distribution_until(fighters, defenders, until);
        let (attacker, defender) = ends.expected_losses();
        BattleOdds {
            fighters,
            defenders,
            until,
            law,
            win: rounded(ends.win(), 6),
            win_exact: ends.win(),
            expected_losses: MeanLosses { attacker, defender },
            if_won: Left::of(&ends, BattleEnd::is_win, |end| end.fighters),
            if_not_won: Left::of(&ends, |end| !end.is_win(), |end| end.defenders),
            outcomes: full.then(|| ends.outcomes().iter().map(BattleEndRow::of).collect()),
        }
    }

    pub(super) fn text(&self) -> String {
        let (fighters, defenders) = (
            output::fighters(self.fighters),
            output::defenders(self.defenders),
        );
        let mut text = format!("{fighters} against {defenders}");
        if self.until > 0 {
            text += &format!(", called off when no more than {} are left", self.until);
        }
        text += "\n(the attacking army that stays behind is not counted)\n\n";
        text += &output::facts(self.facts());
        if let Some(ends) = &self.outcomes {
            text += &format!("\n{}", ends_text(ends));
        }
        text
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let MeanLosses { attacker, defender } = self.expected_losses;
        let mut facts = vec![
            ("win", percent(self.win_exact)),
            (
                "mean losses",
                format!("{attacker:.3} fighters, {defender:.3} defenders"),
            ),
        ];
        facts.extend(
            self.if_won
                .as_ref()
                .map(|left| ("if won", left.text("fighters"))),
        );
        facts.extend(
            self.if_not_won
                .as_ref()
                .map(|left| ("if not", left.text("defenders"))),
        );
        facts.extend(law::describe(self.law).map(|words| ("rules", words)));
        facts
    }
}

impl Left {
    fn of(
        ends: &Distribution,
        is_meant: impl Fn(&BattleEnd) -> bool,
        left: impl Fn(&BattleEnd) -> u32,
    ) -> Option<Left> {
        let mut by_left: Vec<(u32, f64)> = Vec::new();
        // Outcomes with the same number left are adjacent in a distribution.
        for end in ends.outcomes().iter().filter(|end| is_meant(end)) {
            match by_left.last_mut() {
                Some((n, probability)) if *n == left(end) => *probability += end.probability,
                _ => by_left.push((left(end), end.probability)),
            }
        }
        let total: f64 = by_left.iter().map(|(_, probability)| probability).sum();
        let mean = by_left
            .iter()
            .map(|(n, probability)| f64::from(*n) * probability);
        let mean = mean.sum::<f64>() / total;
        let (most_likely, most_likely_probability) =
            by_left.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Left {
            mean,
            most_likely,
            most_likely_probability,
        })
    }

    fn text(&self, whom: &str) -> String {
        format!(
            "{:.3} {whom} left on average, most often {} ({})",
            self.mean,
            self.most_likely,
            percent(self.most_likely_probability)
        )
    }
}

impl BattleEndRow {
    fn of(end: &BattleEnd) -> BattleEndRow {
        BattleEndRow {
            fighters: end.fighters,
            defenders: end.defenders,
            probability: end.probability,
        }
    }
}

fn ends_text(ends: &[BattleEndRow]) -> String {
    let mut table = output::table([
        Column::Number("fighters left"),
        Column::Number("defenders left"),
        Column::Number("chance"),
        Column::Number("this or better"),
    ]);
    let mut this_or_better = 0.0;
    let mut n_rare = 0;
    for end in ends {
        this_or_better += end.probability;
        if end.probability < RARE {
            n_rare += 1;
            continue;
        }
        table.add_row(output::row([
            end.fighters.to_string(),
            end.defenders.to_string(),
            format!("{:.6}", end.probability),
            format!("{this_or_better:.6}"),
        ]));
    }
    let mut text = output::table_text(&table);
    if n_rare > 0 {
        text +=
            &format!("\n{n_rare} more ends are rarer than one in a million; --json has them.\n");
    }
    text
}
