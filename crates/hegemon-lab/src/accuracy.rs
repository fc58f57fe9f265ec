//! Has the stronger of two bots the higher accuracy? Pairs of a ladder play, both bots in half of
//! the seats, and their games are analysed.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_analysis::{AnalysisParams, Level, TurnChance, accuracy, analyze, turn_chances};
use hegemon_arena::stats::{MeanEstimate, Moments};
use hegemon_arena::{GameSetup, Plan, Played, deal_seed, play_to_text};
use hegemon_bots::{Grants, Spec, Stop};
use hegemon_core::Game;
use hegemon_record::GameRecord;
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::MapAndRules;
use crate::other_means::OtherMeans;
use crate::section::{
    Evidence, ReportTable, Section, SectionPart, Text, interval_or_dash, number, signed_number,
};

/// Accuracy beside strength.
pub(crate) const ACCURACY: Experiment = Experiment {
    name: "accuracy",
    paper: "beyond the papers",
    what: "whether the stronger of two bots has the higher accuracy",
    needs: &["champion"],
    plan,
    render,
    other_means: |_, _| {
        Ok(OtherMeans::None(
            "its games have deals of their own, which no other command plays",
        ))
    },
};

/// Bots of the rated levels whose intervals do not overlap, the strongest first.
const LADDER: [&str; 5] = [
    "champion(level=9)",
    "killbot",
    "better-pixie",
    "quo",
    "simulation",
];

const N_PLAYERS: usize = 4;

/// Processor seconds of a block: playing and analysing four games.
const SECONDS: f64 = 6.0;

/// What a block showed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct PairBlock {
    n_games: usize,
    /// Wins of the stronger bot.
    wins: f64,
    /// What all turns of each bot kept and gave away.
    turns: [TurnChance; 2],
}

/// The stronger and the weaker of two bots.
#[derive(Clone, Copy)]
struct Pair([&'static str; 2]);

impl Pair {
    fn all(scale: Scale) -> Vec<Pair> {
        let bots = scale.pick(&LADDER[3..], &LADDER[..], &LADDER[..]);
        let pairs = bots.iter().enumerate().flat_map(|(n, stronger)| {
            let weaker = bots[n + 1..].iter();
            weaker.map(|weaker| Pair([*stronger, *weaker]))
        });
        pairs.collect()
    }

    fn key(self, scale: Scale, block: u64) -> String {
        let [stronger, weaker] = self.0;
        format!("{stronger} v {weaker} at {}, block {block}", level(scale))
    }

    /// Which of the two a player of the plan is.
    fn bot_of(player: usize) -> usize {
        usize::from(player >= N_PLAYERS / 2)
    }

    /// One deal in all seat orders.
    fn plan(self, deal: u64) -> Result<Plan, LabError> {
        let bots = self.0.map(str::parse::<Spec>);
        let [stronger, weaker] = bots;
        let bots = [stronger?, weaker?];
        let players = (0..N_PLAYERS).map(|player| bots[Pair::bot_of(player)].clone());
        Ok(Plan::rotated(deal, players.collect()))
    }

    /// Plays and analyses a block; `None` if it was stopped.
    fn play(
        self,
        game: &Arc<Game>,
        setting: RunSetting,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<Option<PairBlock>, LabError> {
        let broken = |error: &dyn std::fmt::Display| LabError::Broken(error.to_string());
        let play = |setup: &GameSetup<'_>, _| play_to_text(setup).map_err(|e| broken(&e));
        let plan = self.plan(deal_seed(setting.seed, "accuracy", number))?;
        let (games, texts) = plan.play_games(number, game, &Grants::sealed(), play)?;
        let mut block = PairBlock::default();
        for (played, text) in games.iter().zip(&texts) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let record = GameRecord::parse(text).map_err(|e| broken(&e))?;
            block.add(played, &record, level(setting.scale), number)?;
        }
        Ok(Some(block))
    }
}

impl PairBlock {
    fn add(
        &mut self,
        played: &Played,
        record: &GameRecord,
        level: Level,
        seed: u64,
    ) -> Result<(), LabError> {
        let params = AnalysisParams {
            level,
            n_threads: 1,
            seed,
            stop: Stop::never(),
            stand_ins: BTreeSet::new(),
        };
        let found = analyze(record, &params, &|_, _| ());
        let found = found.map_err(|error| LabError::Broken(error.to_string()))?;
        let bot_in = |seat: usize| Pair::bot_of(usize::from(played.seats[seat]));
        self.n_games += 1;
        for total in &found.totals {
            let bot = bot_in(total.seat);
            if bot == 0 {
                self.wins += total.result;
            }
            let turns = turn_chances(&found.points, total.seat);
            self.turns[bot] = turns.into_iter().chain([self.turns[bot]]).sum();
        }
        Ok(())
    }

    fn accuracies(&self) -> [f64; 2] {
        self.turns.map(|turns| accuracy([turns]).unwrap_or(0.0))
    }
}

fn level(scale: Scale) -> Level {
    scale.pick(Level::Fast, Level::Fast, Level::Normal)
}

fn n_blocks(scale: Scale) -> u64 {
    scale.pick(1, 6, 25)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let scale = setting.scale;
    let game = MapAndRules::new("classic", "classic")?
        .shortened(scale)
        .game(N_PLAYERS)?;
    let cell = |pair: Pair, number: u64| {
        let game = Arc::clone(&game);
        let job = move |stop: &AtomicBool| pair.play(&game, setting, number, stop);
        Cell::new(pair.key(scale, number), SECONDS, job)
    };
    let mut cells = Vec::new();
    for pair in Pair::all(scale) {
        cells.extend((0..n_blocks(scale)).map(|number| cell(pair, number)));
    }
    Ok(cells)
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        "Accuracy of the stronger and of the weaker",
        &[
            "stronger",
            "weaker",
            "#wins of the stronger, %",
            "#its accuracy, %",
            "#the weaker, %",
            "#difference",
            "#95 % over blocks",
            "#games",
        ],
        Evidence::default(),
    );
    let (mut n_right, mut n_pairs, mut n_games) = (0, 0, 0);
    for pair in Pair::all(scale) {
        let mut blocks: Vec<PairBlock> = Vec::new();
        for number in 0..n_blocks(scale) {
            blocks.extend(results.get(&pair.key(scale, number))?);
        }
        let Some(found) = PairResult::of(&blocks) else {
            continue;
        };
        n_pairs += 1;
        n_games += found.n_games;
        n_right += usize::from(found.accuracies[0] > found.accuracies[1]);
        table.row(found.cells(pair));
    }
    table.evidence = Evidence::of(results, format!("{n_games} games of four, seats rotated"));
    let mut parts = vec![
        SectionPart::Note(format!(
            "The boxed rules, four players, each bot in two of the seats, analysed at the level {}. Accuracy is the share of \
             the chance to win that a player's decisions kept. The bots are those of the rated levels whose intervals do not \
             overlap, in that order.",
            level(scale)
        )),
        SectionPart::Table(table),
    ];
    if n_pairs > 0 {
        let words = format!(
            "The stronger of two bots has the higher accuracy in {n_right} of {n_pairs} pairs."
        );
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}

/// All blocks of a pair.
struct PairResult {
    n_games: usize,
    wins: f64,
    accuracies: [f64; 2],
    difference: Option<MeanEstimate>,
}

impl PairResult {
    fn of(blocks: &[PairBlock]) -> Option<PairResult> {
        let all = PairBlock {
            n_games: blocks.iter().map(|block| block.n_games).sum(),
            wins: blocks.iter().map(|block| block.wins).sum(),
            turns: [0, 1].map(|bot| blocks.iter().map(|block| block.turns[bot]).sum()),
        };
        let gap = |block: &PairBlock| {
            let [stronger, weaker] = block.accuracies();
            100.0 * (stronger - weaker)
        };
        let gaps: Moments = blocks.iter().map(gap).collect();
        (all.n_games > 0).then(|| PairResult {
            n_games: all.n_games,
            wins: all.wins,
            accuracies: all.accuracies(),
            difference: gaps.estimate(),
        })
    }

    fn cells(&self, pair: Pair) -> [Text; 8] {
        let [stronger, weaker] = self.accuracies;
        let interval = self.difference.as_ref().and_then(|gap| gap.ci95);
        [
            Text::Code(pair.0[0].to_owned()),
            Text::Code(pair.0[1].to_owned()),
            Text::from(number(100.0 * self.wins / self.n_games as f64, 0)),
            Text::from(number(100.0 * stronger, 1)),
            Text::from(number(100.0 * weaker, 1)),
            Text::from(signed_number(100.0 * (stronger - weaker), 1)),
            Text::from(interval_or_dash(interval, 1)),
            Text::from(self.n_games.to_string()),
        ]
    }
}
