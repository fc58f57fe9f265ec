//! Gibson, Desai and Zhao 2010: the learned draft. Weights, drafters, and the
//! tournament in both readings.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cpu_time::ThreadTime;
use hegemon_arena::stats::{Interval, Moments, Z95, share_ci95};
use hegemon_bots::Spec;
use hegemon_bots::draft::{DraftBoard, UctDrafter, UctParams};
use hegemon_core::{Game, Map, PlayerId, Rng};
use hegemon_eval::draft::{DraftEvaluator, DraftWeights, LinearDraft};
use hegemon_learn::draft::experiments::{Reading, drafter_block, spec_in};
use hegemon_learn::draft::{
    DraftRow, DraftTrained, DraftTraining, figure_3, learn, paper_game, play_drafts, recovery,
};
use serde::Deserialize;

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules, MatchResult};
use crate::other_means::{CommandAnswer, OtherCommand, OtherMeans, RepeatableRow};
use crate::plot::{DotPlot, RefLine};
use crate::published::{PublishedResult, published, row};
use crate::repeated_match::MatchFigure;
use crate::section::{
    Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};
use crate::significance::{LEVEL, binomial_tail};

/// Figure 3, Table 1 and the statistics of the learning.
pub(crate) const WEIGHTS: Experiment = Experiment {
    name: "002-weights",
    paper: "Gibson, Desai and Zhao 2010",
    what: "Figure 3 and Table 1: the weights of a draft, learned again",
    needs: &[],
    plan: plan_weights,
    render: render_weights,
    other_means: |setting, _| weights_again(setting),
};

/// Figure 5(a).
pub(crate) const DRAFTERS: Experiment = Experiment {
    name: "002-drafters",
    paper: "Gibson, Desai and Zhao 2010",
    what: "Figure 5(a): UCT, Greedy and Random drafts, and the time of a pick",
    needs: &[],
    plan: plan_drafters,
    render: render_drafters,
    other_means: |_, _| {
        Ok(OtherMeans::None(
            "its drafts have deals of their own, and no other command evaluates the draft of a game",
        ))
    },
};

/// Table 2 and Figure 5(b, c).
pub(crate) const TOURNAMENT: Experiment = Experiment {
    name: "002-tournament",
    paper: "Gibson, Desai and Zhao 2010",
    what: "Table 2, Figure 5(b) and 5(c): the tournament in both readings",
    needs: &[],
    plan: plan_tournament,
    render: render_tournament,
    other_means: |setting, _| tournament_again(setting),
};

/// Pairs of draft and player behind the authors' figures.
const AUTHORS_ROWS: f64 = 22_092.0;

/// Blocks of six games behind the means of Figure 5(a).
const PAPER_BLOCKS: f64 = 50.0;

/// Drafts in a cell.
const CHUNK: u64 = 128;

const SECONDS_OF_A_GAME: f64 = 2e-4;

fn training(setting: RunSetting) -> Result<DraftTraining, LabError> {
    let (n_drafts, n_games) = setting.scale.pick((60, 4), (7364, 100), (7364, 100));
    Ok(DraftTraining {
        n_drafts,
        n_games,
        min_rows: setting.scale.pick(1, 30, 30),
        seed: setting.seed,
        ..DraftTraining::paper()?
    })
}

fn draft_key(params: &DraftTraining, first: u64) -> String {
    let last = (first + CHUNK).min(params.n_drafts);
    format!("drafts {first}..{last} of {} games", params.n_games)
}

fn plan_weights(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let params = Arc::new(training(setting)?);
    let cell = |first: u64| {
        let work_params = Arc::clone(&params);
        let last = (first + CHUNK).min(params.n_drafts);
        let n_games = (last - first) as f64 * f64::from(params.n_games);
        let work = move |stop: &AtomicBool| {
            let rows = play_drafts(&work_params, first..last, stop)?;
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            Ok(Some(rows))
        };
        Cell::new(draft_key(&params, first), n_games * SECONDS_OF_A_GAME, work)
    };
    let firsts = (0..params.n_drafts).step_by(CHUNK as usize);
    Ok(firsts.map(cell).collect())
}

fn read_drafts(results: &Results, params: &DraftTraining) -> Result<Vec<DraftRow>, LabError> {
    let mut rows = Vec::new();
    for first in (0..params.n_drafts).step_by(CHUNK as usize) {
        let stored: Option<Vec<DraftRow>> = results.get(&draft_key(params, first))?;
        rows.extend(stored.into_iter().flatten());
    }
    Ok(rows)
}

fn authors() -> Result<&'static LinearDraft, LabError> {
    DraftWeights::builtin("draft-authors")
        .and_then(|weights| weights.linear.as_ref())
        .ok_or_else(|| LabError::Broken("the authors' weights are missing".to_owned()))
}

fn render_weights(results: &Results) -> Result<Section, LabError> {
    let params = training(results.setting)?;
    let rows = read_drafts(results, &params)?;
    // The regression has about fifty weights; fewer drafts are useless.
    let trained = match rows.len() {
        0..20 => None,
        _ => Some(learn(&params, &rows, |_| {})?),
    };
    let size = format!(
        "{} random drafts of {} games by three Quo",
        rows.len(),
        params.n_games
    );
    let evidence = Evidence::of(results, size);
    let mut weights =
        ReportTable::comparison_by(TABLE_1, "95 % of the regression", evidence.clone());
    let intervals = "95 %, rows as independent";
    let mut learning = ReportTable::comparison_by(LEARNING, intervals, evidence);
    weight_rows(&mut weights, trained.as_ref());
    learning_rows(&mut learning, trained.as_ref(), rows.len(), params.n_games)?;
    let mut parts: Vec<SectionPart> = recovery_takeaway(trained.as_ref())?.into_iter().collect();
    parts.extend([
        SectionPart::Note(
            "Random drafts are played out by three Quo; linear regression of the wins on the features \
             of the paper gives the weights. Constants within a continent and a trend common to all are \
             not determined by full drafts, so the authors' weights are moved to fit ours."
                .to_owned(),
        ),
        SectionPart::Table(weights),
        SectionPart::Table(learning),
    ]);
    if let Some(trained) = &trained {
        parts.push(SectionPart::Plot(Plot {
            name: "002-figure-3".to_owned(),
            about: "Figure 3: weight of every number of territories held, by continent".to_owned(),
            svg: figure_3(
                &trained.fit.weights,
                Some(("grey: the paper's", authors()?)),
            ),
        }));
    }
    Ok(Section { parts })
}

/// How many of the authors' weights we find again.
fn recovery_takeaway(trained: Option<&DraftTrained>) -> Result<Option<SectionPart>, LabError> {
    let Some(trained) = trained else {
        return Ok(None);
    };
    let found = recovery(&trained.fit, authors()?);
    let n_outside = found.iter().filter(|weight| weight.z().abs() > Z95).count();
    Ok(Some(SectionPart::Takeaway(Text::Plain(format!(
        "Of {} weights of Figure 3 and Table 1, {n_outside} lie outside the 95 % interval of the \
         difference to the authors'; {} would by chance.",
        found.len(),
        number(LEVEL * found.len() as f64, 1)
    )))))
}

const TABLE_1: &str = "Table 1: weights besides the continents";
const LEARNING: &str = "The learning";

/// What `hegemon train draft` prints.
#[derive(Deserialize)]
struct PrintedTraining {
    held_out_correlation: f64,
}

fn weights_again(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let params = training(setting)?;
    let numbers = [
        ("--drafts", params.n_drafts),
        ("--games", u64::from(params.n_games)),
        ("--min-rows", params.min_rows),
        ("--seed", params.seed),
    ];
    let mut words = vec!["train".to_owned(), "draft".to_owned()];
    for (name, value) in numbers {
        words.extend([name.to_owned(), value.to_string()]);
    }
    let commands = vec![OtherCommand::new(words).writing("draft")];
    let seconds = params.n_drafts as f64 * f64::from(params.n_games) * SECONDS_OF_A_GAME;
    let named = |table: &str, id: &str| {
        let what = Text::Plain(row(id).what.clone());
        RepeatableRow::new(table, [what], commands.clone(), seconds)
    };
    let first = named(TABLE_1, "002/table-1/first").comparing(&["ours"], |answers| {
        let folder = answers.first().map(CommandAnswer::written).transpose()?;
        let path = folder.unwrap_or(Path::new("")).join("linear.toml");
        let read = |path: &str| fs::read_to_string(path).map_err(|error| error.to_string());
        let made = DraftWeights::load(&path.display().to_string(), &read);
        let made = made.map_err(|error| LabError::Broken(error.to_string()))?;
        let linear = made.linear.as_ref();
        Ok(linear
            .map(|w| number(seat_weight(w, 0), 2))
            .into_iter()
            .collect())
    });
    let learning = named(LEARNING, "002/training/correlation").comparing(&["ours"], |answers| {
        let printed = answers.iter().map(CommandAnswer::value::<PrintedTraining>);
        printed
            .map(|p| Ok(number(p?.held_out_correlation, 4)))
            .collect()
    });
    Ok(OtherMeans::Rows(vec![first, learning]))
}

/// What a seat is worth beyond the last one.
fn seat_weight(weights: &LinearDraft, seat: usize) -> f64 {
    weights.seats[seat] - weights.seats[weights.seats.len() - 1]
}

fn weight_rows(table: &mut ReportTable, trained: Option<&DraftTrained>) {
    let ours = |value: f64, error: Option<f64>, decimals| {
        let interval = error
            .filter(|error| error.is_finite())
            .map(|error| Interval::around(value, Z95 * error));
        Ours::new(value, interval, decimals)
    };
    let seat = |w: &LinearDraft, seat: usize| {
        let last = w.seats.len() - 1;
        let error = w.seat_errors.get(seat).zip(w.seat_errors.get(last));
        let error = error.map(|(a, b)| a.hypot(*b));
        ours(seat_weight(w, seat), error, 2)
    };
    let linear = trained.map(|trained| &trained.fit.weights);
    let rows = [
        ("first", linear.map(|w| seat(w, 0))),
        ("second", linear.map(|w| seat(w, 1))),
        (
            "enemy",
            linear.map(|w| ours(w.enemy_neighbor, w.enemy_neighbor_error, 2)),
        ),
        (
            "pair",
            linear.map(|w| ours(w.friendly_pair, w.friendly_pair_error, 2)),
        ),
    ];
    for (id, ours) in rows {
        table.compare(row(&format!("002/table-1/{id}")), ours.as_ref());
    }
}

fn learning_rows(
    table: &mut ReportTable,
    trained: Option<&DraftTrained>,
    n_drafts: usize,
    n_games: u32,
) -> Result<(), LabError> {
    // Errors of a correlation and of a spread, with rows taken as independent;
    // the authors' figures are from their number of rows.
    let around = |value: f64, margin: f64, n: u64, decimals| Ours {
        their_margin: Some(margin * (n as f64 / AUTHORS_ROWS).sqrt()),
        ..Ours::new(value, Some(Interval::around(value, margin)), decimals)
    };
    let spread = |value: f64, n: u64| around(value, Z95 * value / (2.0 * n as f64).sqrt(), n, 2);
    let ours = trained.map(|trained| {
        let quality = &trained.held_out;
        let margin = Z95 * (1.0 - quality.correlation.powi(2)) / (quality.n as f64).sqrt();
        [
            (
                "correlation",
                around(quality.correlation, margin, quality.n, 4),
            ),
            ("rmse", spread(quality.rmse, quality.n)),
            (
                "error",
                spread(100.0 * quality.relative_absolute_error, quality.n),
            ),
            ("deviation", spread(trained.statistics.deviation, quality.n)),
        ]
    });
    for (number, id) in ["correlation", "rmse", "error", "deviation"]
        .into_iter()
        .enumerate()
    {
        let ours = ours.as_ref().map(|ours| &ours[number].1);
        table.compare(row(&format!("002/training/{id}")), ours);
    }
    let words = format!("{n_drafts} x {n_games}, {}", 3 * n_drafts);
    let is_as_large = n_drafts == 7364 && n_games == 100;
    let ours = trained.map(|_| Ours::answer(is_as_large, words));
    table.compare(row("002/training/drafts"), ours.as_ref());
    let authors = authors()?;
    let ours = trained.map(|trained| {
        let found = recovery(&trained.fit, authors);
        let n_outside = found.iter().filter(|weight| weight.z().abs() > Z95).count();
        let words = format!("{n_outside} of {}", found.len());
        // More than chance puts outside?
        let p = binomial_tail(n_outside, found.len(), LEVEL);
        Ours::answer(p >= LEVEL, words)
    });
    table.compare(row("002/training/weights"), ours.as_ref());
    Ok(())
}

/// The three drafters of Figure 5(a).
fn drafters(scale: Scale) -> Result<Vec<Spec>, LabError> {
    let uct = scale.pick(
        "quo(draft=uct(sims=20))",
        "quo(draft=uct)",
        "quo(draft=uct)",
    );
    let specs = [uct, "quo(draft=greedy)", "quo(draft=random)"];
    Ok(specs
        .iter()
        .map(|spec| spec.parse())
        .collect::<Result<_, _>>()?)
}

/// Blocks of six games in a cell.
const BLOCKS: u64 = 10;
const PICK_KEY: &str = "picks of one draft, 3000 simulations each";

fn n_drafter_blocks(scale: Scale) -> u64 {
    scale.pick(2, 200, 50)
}

fn drafters_key(first: u64, scale: Scale) -> String {
    let last = (first + BLOCKS).min(n_drafter_blocks(scale));
    format!("drafters blocks {first}..{last}")
}

pub(crate) fn authors_evaluator() -> Result<DraftEvaluator, LabError> {
    let broken = |reason: String| LabError::Broken(reason);
    let map = Map::builtin("classic-lux").ok_or_else(|| broken("no map classic-lux".to_owned()))?;
    let weights = DraftWeights::builtin("draft-authors")
        .ok_or_else(|| broken("draft-authors is not shipped".to_owned()))?;
    DraftEvaluator::new(&map, 3, weights, true).map_err(|error| broken(error.to_string()))
}

fn plan_drafters(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let scale = setting.scale;
    let specs = Arc::new(drafters(scale)?);
    let game = paper_game(3)?;
    let evaluator = Arc::new(authors_evaluator()?);
    let mut cells = Vec::new();
    for first in (0..n_drafter_blocks(scale)).step_by(BLOCKS as usize) {
        let (specs, game) = (Arc::clone(&specs), Arc::clone(&game));
        let evaluator = Arc::clone(&evaluator);
        let last = (first + BLOCKS).min(n_drafter_blocks(scale));
        let work = move |stop: &AtomicBool| {
            let mut blocks = Vec::new();
            for block in first..last {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                blocks.push(drafter_block(
                    &game,
                    &specs,
                    &evaluator,
                    setting.seed,
                    block,
                )?);
            }
            Ok(Some(blocks))
        };
        let cost = scale.pick(0.05, 1.5, 1.5);
        cells.push(Cell::new(drafters_key(first, scale), cost, work));
    }
    let (n_simulations, cost) = scale.pick((50, 0.01), (3000, 0.2), (3000, 0.2));
    cells.push(Cell::new(PICK_KEY.to_owned(), cost, move |_| {
        draft_seconds(&game, evaluator.as_ref(), n_simulations).map(Some)
    }));
    Ok(cells)
}

/// Mean processor seconds of a pick over one draft.
fn draft_seconds(
    game: &Arc<Game>,
    evaluator: &DraftEvaluator,
    n_simulations: u32,
) -> Result<f64, LabError> {
    let params = UctParams {
        n_simulations,
        exploration: 0.01,
    };
    let n_players = game.n_players();
    let mut drafters = vec![UctDrafter::new(evaluator.clone(), params); n_players];
    let mut rng = Rng::from_seed(1);
    let mut draft = DraftBoard {
        owners: vec![PlayerId::NOBODY; game.map().n_territories()],
        mover: PlayerId::new(0),
        n_players,
    };
    let begun = ThreadTime::now();
    while draft.free().next().is_some() {
        let pick = drafters[draft.mover.index()].search(draft.clone(), &mut rng);
        let pick = pick.ok_or_else(|| LabError::Broken("a draft without a pick".to_owned()))?;
        draft.owners[pick.index()] = draft.mover;
        draft.mover = draft.after(draft.mover);
    }
    Ok(begun.elapsed().as_secs_f64() / game.map().n_territories() as f64)
}

fn render_drafters(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut moments = [(); 3].map(|()| (Moments::default(), Moments::default()));
    let mut n_blocks = 0;
    for first in (0..n_drafter_blocks(scale)).step_by(BLOCKS as usize) {
        let blocks: Option<Vec<Vec<(f64, f64)>>> = results.get(&drafters_key(first, scale))?;
        for block in blocks.into_iter().flatten() {
            n_blocks += 1;
            for (moments, (evaluation, wins)) in moments.iter_mut().zip(block) {
                moments.0.push(evaluation);
                moments.1.push(wins);
            }
        }
    }
    let size = format!("{} games of three, all seat orders", 6 * n_blocks);
    let mut table = ReportTable::comparison("Figure 5(a), in percent", Evidence::of(results, size));
    let mut plot = DotPlot {
        title: "Figure 5(a): evaluation of drafts and wins".to_owned(),
        axis: "%".to_owned(),
        rows: Vec::new(),
    };
    // The paper's means have no printed error: they are of 300 games, which is 50
    // blocks that scatter as ours do.
    let widening = (f64::from(n_blocks) / PAPER_BLOCKS).sqrt();
    let ours = |moments: &Moments| {
        let mut ours = Ours::percent((moments.mean()?, share_ci95(moments)));
        let half = ours.interval.map(Interval::half_width);
        ours.their_margin = half.map(|half| half * widening);
        Some(ours)
    };
    for kind in ["score", "wins"] {
        for (id, moments) in ["uct", "greedy", "random"].iter().zip(&moments) {
            let published = row(&format!("002/figure-5a/{kind}-{id}"));
            let ours = ours(if kind == "score" {
                &moments.0
            } else {
                &moments.1
            });
            table.compare(published, ours.as_ref());
            let margin = Interval::around(published.number().unwrap_or(0.0), published.margin());
            let printed = published
                .number()
                .map(|value| (value, (published.margin() > 0.0).then_some(margin)));
            let dot = ours.map(|ours| (ours.value, ours.interval));
            plot.rows.push((published.what.clone(), printed, dot));
        }
    }
    let seconds: Option<f64> = results.get(PICK_KEY)?;
    let ours = seconds.map(|seconds| Ours {
        timed: true,
        ..Ours::answer(seconds < 1.0, format!("{:.1} ms", 1000.0 * seconds))
    });
    table.compare(row("002/training/pick"), ours.as_ref());
    let mut parts = Vec::new();
    if let [Some(uct), Some(greedy), Some(random)] = moments.map(|(_, wins)| wins.mean()) {
        parts.push(SectionPart::Takeaway(Text::Plain(format!(
            "Drafts by UCT, greedy and random win {}, {} and {} %; published are {}, {} and {} %.",
            number(100.0 * uct, 1),
            number(100.0 * greedy, 1),
            number(100.0 * random, 1),
            published_share("002/figure-5a/wins-uct"),
            published_share("002/figure-5a/wins-greedy"),
            published_share("002/figure-5a/wins-random"),
        ))));
    }
    parts.extend([
        SectionPart::Table(table),
        SectionPart::Plot(Plot {
            name: "002-figure-5a".to_owned(),
            about: "Figure 5(a): drafters by evaluation and by wins".to_owned(),
            svg: plot.svg_with(&[RefLine::chance(3)]),
        }),
    ]);
    Ok(Section { parts })
}

fn published_share(id: &str) -> String {
    row(id)
        .number()
        .map_or_else(String::new, |share| number(share, 1))
}

/// The match-ups of Table 2, in its order.
const MATCH_UPS: [[&str; 3]; 10] = [
    ["uct", "quo", "evil-pixie"],
    ["uct", "quo", "killbot"],
    ["uct", "evil-pixie", "boscoe"],
    ["uct", "quo", "boscoe"],
    ["uct", "evil-pixie", "killbot"],
    ["uct", "killbot", "boscoe"],
    ["quo", "evil-pixie", "killbot"],
    ["quo", "evil-pixie", "boscoe"],
    ["quo", "killbot", "boscoe"],
    ["evil-pixie", "killbot", "boscoe"],
];

const BOTS: [&str; 5] = ["uct", "killbot", "quo", "evil-pixie", "boscoe"];

/// A match-up. Each has deals of its own: Quo and EvilPixie draft alike, so that on the
/// same deals three pairs of match-ups would be the same games.
fn match_up(bots: [&str; 3], reading: Reading, scale: Scale) -> Result<ChunkedMatch, LabError> {
    let spec = |bot: &str| match (scale, bot) {
        (Scale::Smoke, "uct") => "quo(draft=uct(sims=20))".to_owned(),
        _ => spec_in(reading, bot),
    };
    let has_search = bots.contains(&"uct") && scale != Scale::Smoke;
    let seconds = if has_search { 0.025 } else { 0.002 };
    let n_games = scale.pick(6, 900, 300);
    let table = MapAndRules::new("classic-lux", "draft")?;
    let number = MATCH_UPS.iter().position(|other| *other == bots);
    let first = number.unwrap_or(0) as u64 * n_games;
    Ok(ChunkedMatch::new(&table, &bots.map(spec), n_games, seconds)?.starting_at(first))
}

const TABLE_2: &str = "Table 2: wins in percent; the bot drafts, Quo plays on";
const COMPLETE_BOTS: &str =
    "The same match-ups of complete bots, wins in percent, beside the original agents";

/// The published share of a bot in a match-up, if there is one.
fn match_up_row(group: &str, bots: &[&str; 3], bot: &str) -> Option<&'static PublishedResult> {
    let id = format!("002/{group}/{}--{bot}", bots.join("-v-"));
    published().iter().find(|row| row.id == id)
}

fn tournament_again(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let mut rows = Vec::new();
    for (group, table, reading) in [
        ("table-2", TABLE_2, Reading::Drafters),
        ("complete", COMPLETE_BOTS, Reading::Complete),
    ] {
        for bots in MATCH_UPS {
            let games = match_up(bots, reading, setting.scale)?;
            for (player, bot) in bots.iter().enumerate() {
                let Some(published) = match_up_row(group, &bots, bot) else {
                    continue;
                };
                let figures = [
                    ("ours", MatchFigure::Share(player)),
                    ("95 % over blocks", MatchFigure::Interval(player)),
                ];
                let what = Text::Plain(published.what.clone());
                rows.push(games.repeatable(setting, table, [what], &figures));
            }
        }
    }
    Ok(OtherMeans::Rows(rows))
}

fn plan_tournament(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for bots in MATCH_UPS {
        for reading in [Reading::Drafters, Reading::Complete] {
            cells.extend(match_up(bots, reading, setting.scale)?.cells(setting)?);
        }
    }
    Ok(cells)
}

/// The results of all match-ups in a reading.
fn tournament(results: &Results, reading: Reading) -> Result<Vec<MatchResult>, LabError> {
    let scale = results.setting.scale;
    let read = |bots: &[&str; 3]| match_up(*bots, reading, scale)?.read(results);
    MATCH_UPS.iter().map(read).collect()
}

fn render_tournament(results: &Results) -> Result<Section, LabError> {
    let drafters = tournament(results, Reading::Drafters)?;
    let complete = tournament(results, Reading::Complete)?;
    let n_games = |all: &[MatchResult]| all.iter().map(MatchResult::n_games).sum::<u64>();
    let evidence = |all: &[MatchResult]| {
        let size = format!("{} games of three, all seat orders", n_games(all));
        Evidence::of(results, size).ended(&Endings::of(all))
    };
    let first = evidence(&drafters);
    let mut table = ReportTable::comparison(TABLE_2, first.clone());
    for (bots, result) in MATCH_UPS.iter().zip(&drafters) {
        for (player, bot) in bots.iter().enumerate() {
            let ours = result.share(player).map(Ours::percent);
            if let Some(published) = match_up_row("table-2", bots, bot) {
                table.compare(published, ours.as_ref());
            }
        }
    }
    let mut totals = ReportTable::comparison(
        "Figure 5(b): wins of each bot over its six match-ups, %",
        first.clone(),
    );
    let mut plot = DotPlot {
        title: "Figure 5(b): share of the wins over all match-ups".to_owned(),
        axis: "wins, %".to_owned(),
        rows: Vec::new(),
    };
    for bot in BOTS {
        let published = row(&format!("002/totals/{bot}"));
        let ours = total(bot, &drafters).map(Ours::percent);
        totals.compare(published, ours.as_ref());
        let value = published.number().unwrap_or(0.0);
        let printed = (value, Some(Interval::around(value, published.margin())));
        let dot = ours.map(|ours| (ours.value, ours.interval));
        plot.rows.push((bot.to_owned(), Some(printed), dot));
    }
    let mut figure_c = ReportTable::comparison(
        "Figure 5(c): against KillBot and Boscoe, wins in percent",
        first,
    );
    for (id, match_up, player) in [("quo", 8, 0), ("uct", 5, 0), ("killbot", 8, 1)] {
        let ours = drafters[match_up].share(player).map(Ours::percent);
        figure_c.compare(row(&format!("002/figure-5c/{id}")), ours.as_ref());
    }
    let mut native = ReportTable::comparison(COMPLETE_BOTS, evidence(&complete));
    for (bots, result) in MATCH_UPS.iter().zip(&complete) {
        for (player, bot) in bots.iter().enumerate() {
            if let Some(published) = match_up_row("complete", bots, bot) {
                let ours = result.share(player).map(Ours::percent);
                native.compare(published, ours.as_ref());
            }
        }
    }
    let mut parts: Vec<SectionPart> = total("uct", &drafters)
        .map(Ours::percent)
        .map(|ours| tournament_takeaway(&ours))
        .into_iter()
        .collect();
    parts.extend([
            SectionPart::Note(
                "The printed tournament fits bots that only draft and leave the game to Quo (quo(draft=X)); \
                 complete bots give other numbers (last table). Quo and EvilPixie draft alike; every \
                 match-up has deals of its own, so that rows that differ in nothing else show the \
                 noise of ours as well as of the paper."
                    .to_owned(),
            ),
            SectionPart::Table(table),
            SectionPart::Table(totals),
            SectionPart::Plot(Plot {
                name: "002-figure-5b".to_owned(),
                about: "Figure 5(b): the tournament's totals".to_owned(),
                svg: plot.svg_with(&[RefLine::chance(3)]),
            }),
            SectionPart::Table(figure_c),
            SectionPart::Table(native),
    ]);
    Ok(Section { parts })
}

fn tournament_takeaway(uct: &Ours) -> SectionPart {
    SectionPart::Takeaway(Text::Plain(format!(
        "UCT-Quo wins {} % ({}) of its six match-ups; published are {} %.",
        number(uct.value, 1),
        interval_or_dash(uct.interval, 1),
        published_share("002/totals/uct")
    )))
}

/// Share of a bot over all match-ups that it is in.
fn total(bot: &str, results: &[MatchResult]) -> Option<(f64, Interval)> {
    let mut sum = (0.0, 0.0, 0.0);
    for (bots, result) in MATCH_UPS.iter().zip(results) {
        if let Some(player) = bots.iter().position(|&other| other == bot) {
            let (share, interval) = result.share(player)?;
            sum = (
                sum.0 + share,
                sum.1 + interval.half_width().powi(2),
                sum.2 + 1.0,
            );
        }
    }
    let (share, squares, n) = sum;
    Some((share / n, Interval::around(share / n, squares.sqrt() / n)))
}
