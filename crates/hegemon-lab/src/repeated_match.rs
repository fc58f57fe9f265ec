//! Rows of matches that `hegemon match` plays again.

use std::fs;

use hegemon_arena::MatchPart;
use hegemon_arena::stats::Interval;
use serde::Deserialize;

use crate::experiment::{LabError, RunSetting};
use crate::matches::{ChunkedMatch, MatchResult};
use crate::other_means::{CommandAnswer, RepeatableRow};
use crate::section::{Text, number, percent_texts};

/// A figure of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MatchFigure {
    /// Share of the wins of a player, in percent.
    Share(usize),
    /// The interval of that.
    Interval(usize),
    MeanPlace(usize),
    Rounds,
    Games,
}

/// The columns of a row that compares one share with a published one.
pub(crate) const COMPARED: [(&str, MatchFigure); 2] = [
    ("ours", MatchFigure::Share(0)),
    ("95 % over blocks", MatchFigure::Interval(0)),
];

/// The columns of a row with the share of the first player.
pub(crate) const FIRST_WINS: [(&str, MatchFigure); 2] = [
    ("wins, %", MatchFigure::Share(0)),
    ("95 % over blocks", MatchFigure::Interval(0)),
];

/// What `hegemon match` prints.
#[derive(Debug, Deserialize)]
struct PrintedMatch {
    games: u64,
    mean_rounds: f64,
    players: Vec<PrintedPlayer>,
}

#[derive(Debug, Deserialize)]
struct PrintedPlayer {
    share: f64,
    ci95: [f64; 2],
    mean_place: f64,
}

/// A match that a command played.
#[derive(Debug)]
enum MatchAgain {
    Printed(PrintedMatch),
    Blocks(MatchResult),
}

impl MatchAgain {
    fn of(answer: &CommandAnswer) -> Result<MatchAgain, LabError> {
        match answer.out {
            None => answer.value().map(MatchAgain::Printed),
            Some(_) => written_blocks(answer).map(MatchAgain::Blocks),
        }
    }

    fn player(&self, player: usize) -> Option<(f64, Interval)> {
        match self {
            MatchAgain::Printed(printed) => {
                let found = printed.players.get(player)?;
                let [low, high] = found.ci95;
                Some((found.share, Interval { low, high }))
            }
            MatchAgain::Blocks(result) => result.share(player),
        }
    }

    fn text(&self, figure: MatchFigure) -> String {
        let [share, interval] = match figure {
            MatchFigure::Share(player) | MatchFigure::Interval(player) => {
                percent_texts(self.player(player))
            }
            _ => Default::default(),
        };
        match (figure, self) {
            (MatchFigure::Share(_), _) => share,
            (MatchFigure::Interval(_), _) => interval,
            (MatchFigure::MeanPlace(player), MatchAgain::Printed(printed)) => {
                let found = printed.players.get(player);
                found.map_or_else(String::new, |found| number(found.mean_place, 2))
            }
            (MatchFigure::MeanPlace(player), MatchAgain::Blocks(result)) => {
                number(result.mean_place(player), 2)
            }
            (MatchFigure::Rounds, MatchAgain::Printed(printed)) => number(printed.mean_rounds, 1),
            (MatchFigure::Rounds, MatchAgain::Blocks(result)) => number(result.mean_rounds(), 1),
            (MatchFigure::Games, MatchAgain::Printed(printed)) => printed.games.to_string(),
            (MatchFigure::Games, MatchAgain::Blocks(result)) => result.n_games().to_string(),
        }
    }
}

/// The blocks that `hegemon match --blocks` wrote.
pub(crate) fn written_blocks(answer: &CommandAnswer) -> Result<MatchResult, LabError> {
    let path = answer.written()?;
    let broken = |reason: String| LabError::File {
        path: path.display().to_string(),
        reason,
    };
    let text = fs::read_to_string(path).map_err(|error| broken(error.to_string()))?;
    let part = MatchPart::parse(&text).map_err(|error| broken(error.to_string()))?;
    Ok(MatchResult::of(&part.blocks))
}

impl ChunkedMatch {
    /// A row that shows figures of this match.
    pub(crate) fn repeatable(
        &self,
        setting: RunSetting,
        table: &str,
        row: impl IntoIterator<Item = Text>,
        figures: &[(&'static str, MatchFigure)],
    ) -> RepeatableRow {
        let of_match = figures.iter().map(|&(column, figure)| (column, 0, figure));
        row_of_matches(setting, table, row, &[self], &of_match.collect::<Vec<_>>())
    }
}

/// A row that shows figures of several matches: the column, the number of the match, and which figure.
pub(crate) fn row_of_matches(
    setting: RunSetting,
    table: &str,
    row: impl IntoIterator<Item = Text>,
    matches: &[&ChunkedMatch],
    figures: &[(&'static str, usize, MatchFigure)],
) -> RepeatableRow {
    let commands = matches.iter().map(|games| games.command(setting));
    let seconds = matches.iter().map(|games| games.expected_seconds()).sum();
    let columns: Vec<&str> = figures.iter().map(|(column, ..)| *column).collect();
    let asked: Vec<(usize, MatchFigure)> = figures.iter().map(|&(_, n, f)| (n, f)).collect();
    RepeatableRow::new(table, row, commands.collect(), seconds).comparing(
        &columns,
        move |answers| {
            let played = answers.iter().map(MatchAgain::of);
            let played: Vec<MatchAgain> = played.collect::<Result<_, _>>()?;
            let text = |&(n, figure): &(usize, MatchFigure)| {
                let one = played.get(n);
                one.map_or_else(String::new, |games| games.text(figure))
            };
            Ok(asked.iter().map(text).collect())
        },
    )
}
