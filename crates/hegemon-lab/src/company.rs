//! What the others at a table do to a result: kingmaking, and survival against winning.

use hegemon_arena::stats::{Interval, Moments};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules, MatchResult};
use crate::other_means::OtherMeans;
use crate::repeated_match::MatchFigure;
use crate::section::{
    Evidence, ReportTable, Section, SectionPart, Text, interval_or_dash, number, percent_texts,
};

/// Two players by the company that they are in, and places against wins.
pub(crate) const COMPANY: Experiment = Experiment {
    name: "company",
    paper: "beyond the papers",
    what: "kingmaking, and survival against winning, in games of four",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// The two whose order is asked for.
const PAIR: [&str; 2] = ["killbot", "quo"];

/// Bots that take the other two seats, and whose own play is asked for.
const OTHERS: [&str; 14] = [
    "evil-pixie",
    "boscoe",
    "better-pixie",
    "angry",
    "cluster",
    "communist",
    "shaft",
    "vulture",
    "bort",
    "yakool",
    "stinky",
    "beam",
    "baseline",
    "random",
];

/// The field in which each of them is asked whether it survives or wins.
const FIELD: [&str; 3] = ["killbot", "quo", "evil-pixie"];

/// Rounds after which the most territories win: some of these bots never attack.
const TURN_LIMIT: u32 = 100;

/// Processor seconds a game.
const SECONDS: f64 = 0.002;

fn others(scale: Scale) -> &'static [&'static str] {
    scale.pick(&OTHERS[..3], &OTHERS[..], &OTHERS[..])
}

fn games(specs: &[&str], scale: Scale) -> Result<ChunkedMatch, LabError> {
    let table = MapAndRules::new("classic-lux", "lux")?.limited_to(TURN_LIMIT);
    ChunkedMatch::new(&table, specs, scale.pick(4, 2000, 20_000), SECONDS)
}

/// The pair beside two copies of a bot.
fn beside(other: &str, scale: Scale) -> Result<ChunkedMatch, LabError> {
    games(&[PAIR[0], PAIR[1], other, other], scale)
}

/// A bot in the field.
fn in_field(bot: &str, scale: Scale) -> Result<ChunkedMatch, LabError> {
    games(&[bot, FIELD[0], FIELD[1], FIELD[2]], scale)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for other in others(setting.scale) {
        cells.extend(beside(other, setting.scale)?.cells(setting)?);
        cells.extend(in_field(other, setting.scale)?.cells(setting)?);
    }
    Ok(cells)
}

fn kingmaking_title() -> String {
    format!("{} against {} by their company", PAIR[0], PAIR[1])
}

fn survival_title() -> String {
    format!("Survival and wins of one bot among {}", FIELD.join(", "))
}

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let of_pair = [
        ("first wins, %", MatchFigure::Share(0)),
        ("95 % over blocks", MatchFigure::Interval(0)),
        ("second wins, %", MatchFigure::Share(1)),
        ("games", MatchFigure::Games),
    ];
    let of_one = [
        ("wins, %", MatchFigure::Share(0)),
        ("95 % over blocks", MatchFigure::Interval(0)),
        ("mean place", MatchFigure::MeanPlace(0)),
        ("games", MatchFigure::Games),
    ];
    let bot = |name: &&str| [Text::Code((*name).to_owned())];
    let mut rows = Vec::new();
    for other in others(setting.scale) {
        let games = beside(other, setting.scale)?;
        rows.push(games.repeatable(setting, &kingmaking_title(), bot(other), &of_pair));
    }
    for one in others(setting.scale) {
        let games = in_field(one, setting.scale)?;
        rows.push(games.repeatable(setting, &survival_title(), bot(one), &of_one));
    }
    Ok(OtherMeans::Rows(rows))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let (kingmaking, spread) = kingmaking(results)?;
    let (survival, disagreement) = survival(results)?;
    let mut parts = Vec::new();
    let words: Vec<String> = [spread, disagreement].into_iter().flatten().collect();
    if !words.is_empty() {
        parts.push(SectionPart::Takeaway(Text::Plain(words.join(" "))));
    }
    parts.extend([
        SectionPart::Note(format!(
            "Lux rules, four players, seats rotated; after {TURN_LIMIT} rounds the most territories win. \
             A bot that never names a favourite still makes kings: the two others at the table, always \
             two copies of one bot, decide how {} and {} stand against each other.",
            PAIR[0], PAIR[1]
        )),
        SectionPart::Table(kingmaking),
        SectionPart::Table(survival),
    ]);
    Ok(Section { parts })
}

/// How many more of the games the first of the pair wins than the second.
fn lead(result: &MatchResult) -> Option<(f64, Option<Interval>)> {
    let pairs = result.block_shares(0).zip(result.block_shares(1));
    let leads: Moments = pairs.map(|(a, b)| 100.0 * (a - b)).collect();
    leads
        .estimate()
        .map(|estimate| (estimate.mean, estimate.ci95))
}

fn kingmaking(results: &Results) -> Result<(ReportTable, Option<String>), LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        &kingmaking_title(),
        &[
            "two others",
            "#first wins, %",
            "#95 % over blocks",
            "#second wins, %",
            "#95 % over blocks",
            "#lead in points",
            "#95 % over blocks",
            "#games",
        ],
        Evidence::default(),
    );
    let (mut n_games, mut endings, mut leads) = (0, Endings::default(), Vec::new());
    for other in others(scale) {
        let result = beside(other, scale)?.read(results)?;
        n_games += result.n_games();
        endings.merge(&result.endings);
        let lead = lead(&result);
        let [first, first_interval] = percent_texts(result.share(0));
        let [second, second_interval] = percent_texts(result.share(1));
        table.row([
            Text::Code((*other).to_owned()),
            Text::from(first),
            Text::from(first_interval),
            Text::from(second),
            Text::from(second_interval),
            Text::from(lead.map_or_else(|| "–".to_owned(), |(mean, _)| number(mean, 1))),
            Text::from(interval_or_dash(lead.and_then(|(_, ci95)| ci95), 1)),
            Text::from(result.n_games().to_string()),
        ]);
        leads.extend(lead.map(|(mean, _)| (mean, *other)));
    }
    table.evidence = Evidence::of(results, format!("{n_games} games of four")).ended(&endings);
    leads.sort_by(|a, b| a.0.total_cmp(&b.0));
    let words = leads.first().zip(leads.last()).map(|(low, high)| {
        format!(
            "The lead of {} over {} goes from {} points beside two {} to {} beside two {}.",
            PAIR[0],
            PAIR[1],
            number(low.0, 1),
            low.1,
            number(high.0, 1),
            high.1
        )
    });
    Ok((table, words))
}

fn survival(results: &Results) -> Result<(ReportTable, Option<String>), LabError> {
    let scale = results.setting.scale;
    let mut rows = Vec::new();
    let (mut n_games, mut endings) = (0, Endings::default());
    for bot in others(scale) {
        let result = in_field(bot, scale)?.read(results)?;
        n_games += result.n_games();
        endings.merge(&result.endings);
        rows.push((*bot, result));
    }
    let wins: Vec<f64> = rows
        .iter()
        .map(|(_, result)| -result.share(0).map_or(0.0, |share| share.0))
        .collect();
    let places: Vec<f64> = rows
        .iter()
        .map(|(_, result)| result.mean_place(0))
        .collect();
    let (by_wins, by_places) = (ranks(&wins), ranks(&places));
    let mut table = ReportTable::new(
        &survival_title(),
        &[
            "bot",
            "#wins, %",
            "#95 % over blocks",
            "#second, %",
            "#95 % over blocks",
            "#mean place",
            "#rank by wins",
            "#rank by places",
            "#games",
        ],
        Evidence::of(results, format!("{n_games} games of four")).ended(&endings),
    );
    for (n, (bot, result)) in rows.iter().enumerate() {
        let [first, first_interval] = percent_texts(result.share(0));
        let [second, second_interval] = percent_texts(result.placed(|place| place == 2));
        table.row([
            Text::Code((*bot).to_owned()),
            Text::from(first),
            Text::from(first_interval),
            Text::from(second),
            Text::from(second_interval),
            Text::from(number(result.mean_place(0), 2)),
            Text::from(by_wins[n].to_string()),
            Text::from(by_places[n].to_string()),
            Text::from(result.n_games().to_string()),
        ]);
    }
    let differ = (0..rows.len()).max_by_key(|&n| by_wins[n].abs_diff(by_places[n]));
    let words = differ.filter(|_| n_games > 0).map(|n| {
        format!(
            "Survival is not winning: {} has rank {} of {} by places and {} by wins.",
            rows[n].0,
            by_places[n],
            rows.len(),
            by_wins[n]
        )
    });
    Ok((table, words))
}

/// The place of each number when they are sorted, the smallest first, from 1.
fn ranks(numbers: &[f64]) -> Vec<usize> {
    let smaller = |number: f64| numbers.iter().filter(|&&other| other < number).count();
    numbers.iter().map(|&number| 1 + smaller(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_from_one_and_share_ties() {
        assert_eq!(ranks(&[0.5, 0.1, 0.5, 0.9]), [2, 1, 2, 4]);
        assert_eq!(ranks(&[]), [0; 0]);
    }
}
