//! Gibson, Desai and Zhao 2010: what the drafter does, and what it depends on: exploration,
//! simulations, weights; and models of opponents with three players.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_bots::draft::{DraftBoard, UctDrafter, UctParams};
use hegemon_core::{Map, PlayerId, Rng, TerritoryId};
use hegemon_eval::draft::DraftEvaluator;
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MapAndRules};
use crate::other_means::OtherMeans;
use crate::p002::authors_evaluator;
use crate::repeated_match::{FIRST_WINS, MatchFigure};
use crate::section::{
    Evidence, Ours, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};

/// The drafter looked at.
pub(crate) const DRAFTS: Experiment = Experiment {
    name: "002-drafts",
    paper: "Gibson, Desai and Zhao 2010",
    what: "first picks, blocking, sweeps of c, simulations and weights, models of opponents",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

const N_PLAYERS: usize = 3;
/// Drafts in a cell.
const CHUNK: u64 = 10;

/// What one draft of three UCT drafters showed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct DraftSeen {
    /// Continent of the first pick of each player, in the order of play.
    first: Vec<usize>,
    /// Territories held at the end, by player and continent.
    held: Vec<Vec<u32>>,
    /// Picks that took the last free territory of a continent of which another player held all
    /// others.
    n_blocks: u32,
}

fn n_simulations(scale: Scale) -> u32 {
    scale.pick(50, 3000, 3000)
}

fn n_drafts(scale: Scale) -> u64 {
    scale.pick(10, 300, 1000)
}

fn draft_key(first: u64, scale: Scale) -> String {
    format!(
        "drafts {first}..{} of three UCT drafters, {} simulations",
        first + CHUNK,
        n_simulations(scale)
    )
}

fn classic() -> Result<Map, LabError> {
    Map::builtin("classic-lux").ok_or_else(|| LabError::Broken("no map classic-lux".to_owned()))
}

/// Whether a pick keeps another player from a continent.
fn is_block(map: &Map, draft: &DraftBoard, pick: TerritoryId) -> bool {
    let continent = map.continent_of(pick);
    let mut others = map
        .territories()
        .filter(|&t| t != pick && map.continent_of(t) == continent)
        .map(|t| draft.owners[t.index()]);
    let Some(owner) = others.next() else {
        return false;
    };
    owner.is_seat() && owner != draft.mover && others.all(|other| other == owner)
}

fn one_draft(
    map: &Map,
    evaluator: &DraftEvaluator,
    n_simulations: u32,
    seed: u64,
) -> Result<DraftSeen, LabError> {
    let params = UctParams {
        n_simulations,
        exploration: 0.01,
    };
    let mut drafters = vec![UctDrafter::new(evaluator.clone(), params); N_PLAYERS];
    let mut rng = Rng::stream(seed, "lab drafts");
    let mut draft = DraftBoard {
        owners: vec![PlayerId::NOBODY; map.n_territories()],
        mover: PlayerId::new(0),
        n_players: N_PLAYERS,
    };
    let n_continents = map.continents().len();
    let mut seen = DraftSeen {
        first: Vec::new(),
        held: vec![vec![0; n_continents]; N_PLAYERS],
        n_blocks: 0,
    };
    while draft.free().next().is_some() {
        let pick = drafters[draft.mover.index()].search(draft.clone(), &mut rng);
        let pick = pick.ok_or_else(|| LabError::Broken("a draft without a pick".to_owned()))?;
        let continent = map.continent_of(pick).index();
        if seen.first.len() < N_PLAYERS {
            seen.first.push(continent);
        }
        seen.held[draft.mover.index()][continent] += 1;
        seen.n_blocks += u32::from(is_block(map, &draft, pick));
        draft.owners[pick.index()] = draft.mover;
        draft.mover = draft.after(draft.mover);
    }
    Ok(seen)
}

/// Drafters whose game Quo plays on, against those of KillBot and Boscoe.
const SWEEP: [(&str, &str); 9] = [
    ("c = 0.001", "uct(c=0.001)"),
    ("c = 0.01 (the paper)", "uct"),
    ("c = 0.05", "uct(c=0.05)"),
    ("c = 0.25", "uct(c=0.25)"),
    ("c = 1", "uct(c=1)"),
    ("300 simulations", "uct(sims=300)"),
    ("10,000 simulations", "uct(sims=10000)"),
    ("weights learned by us", "uct(weights=draft-quo-linear)"),
    (
        "the net of EvilPixie's games",
        "uct(weights=draft-evil-pixie-net)",
    ),
];

fn draft_table() -> Result<MapAndRules, LabError> {
    MapAndRules::new("classic-lux", "draft")
}

fn sweep_match(drafter: &str, scale: Scale) -> Result<ChunkedMatch, LabError> {
    let drafter = match scale {
        // Only that it can be played.
        Scale::Smoke => drafter.replace("sims=10000", "sims=60"),
        _ => drafter.to_owned(),
    };
    let specs = [
        format!("quo(draft={drafter})"),
        "quo(draft=killbot)".to_owned(),
        "quo(draft=boscoe)".to_owned(),
    ];
    let seconds = scale.pick(0.05, 0.025, 0.025);
    ChunkedMatch::new(&draft_table()?, &specs, scale.pick(6, 300, 1200), seconds)
}

/// What the searcher takes the others for.
const MODELS: [&str; 3] = ["maxn", "paranoid", "mpmix"];

fn model_match(scale: Scale) -> Result<ChunkedMatch, LabError> {
    let n = scale.pick(2, 200, 1000);
    let specs = MODELS.map(|model| format!("mcts-tuned(opponents={model},iters={n})"));
    let limit = 60;
    let table = draft_table()?.with(&format!("end.turn-limit={limit}"), |rules| {
        rules.end.turn_limit = Some(limit);
    });
    let seconds = 0.02 + 0.0018 * f64::from(n);
    ChunkedMatch::new(&table, &specs, scale.pick(6, 150, 600), seconds)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let scale = setting.scale;
    let mut cells = Vec::new();
    for first in (0..n_drafts(scale)).step_by(CHUNK as usize) {
        let work = move |stop: &AtomicBool| {
            let (map, evaluator) = (classic()?, authors_evaluator()?);
            let mut seen = Vec::new();
            for number in first..first + CHUNK {
                if stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let seed = setting.seed.wrapping_mul(1_000_003).wrapping_add(number);
                seen.push(one_draft(&map, &evaluator, n_simulations(scale), seed)?);
            }
            Ok(Some(seen))
        };
        let cost = f64::from(n_simulations(scale)) * 1e-3;
        cells.push(Cell::new(draft_key(first, scale), cost, work));
    }
    for (_, drafter) in SWEEP {
        cells.extend(sweep_match(drafter, scale)?.cells(setting)?);
    }
    cells.extend(model_match(scale)?.cells(setting)?);
    Ok(cells)
}

const SWEEP_TABLE: &str = "The drafter against the drafts of KillBot and Boscoe (33.3 % is level)";
const MODEL_TABLE: &str = "Models of opponents against each other (33.3 % is level)";

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let mut rows = Vec::new();
    for (name, drafter) in SWEEP {
        let games = sweep_match(drafter, setting.scale)?;
        rows.push(games.repeatable(setting, SWEEP_TABLE, [Text::from(name)], &FIRST_WINS));
    }
    let games = model_match(setting.scale)?;
    for (player, model) in MODELS.iter().enumerate() {
        let figures = [
            ("wins, %", MatchFigure::Share(player)),
            ("95 % over blocks", MatchFigure::Interval(player)),
            ("mean place", MatchFigure::MeanPlace(player)),
        ];
        rows.push(games.repeatable(setting, MODEL_TABLE, [Text::from(*model)], &figures));
    }
    Ok(OtherMeans::Rows(rows))
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut seen: Vec<DraftSeen> = Vec::new();
    for first in (0..n_drafts(scale)).step_by(CHUNK as usize) {
        let stored: Option<Vec<DraftSeen>> = results.get(&draft_key(first, scale))?;
        seen.extend(stored.into_iter().flatten());
    }
    let map = classic()?;
    let mut parts: Vec<SectionPart> = first_pick_takeaway(&map, &seen).into_iter().collect();
    parts.extend([
        SectionPart::Note(
            "Three UCT drafters with the authors' weights draft together. A block takes the last free \
             territory of a continent of which another player holds all others."
                .to_owned(),
        ),
        SectionPart::Table(pick_table(&map, &seen, results)),
        SectionPart::Table(sweep_table(results)?),
        SectionPart::Table(model_table(results)?),
    ]);
    Ok(Section { parts })
}

fn first_pick_takeaway(map: &Map, seen: &[DraftSeen]) -> Option<SectionPart> {
    let n_first = |continent: usize| seen.iter().filter(|d| d.first[0] == continent).count();
    let best = (0..map.continents().len()).max_by_key(|&continent| n_first(continent))?;
    if seen.is_empty() {
        return None;
    }
    let n_blocks: u32 = seen.iter().map(|draft| draft.n_blocks).sum();
    let name = map.continents().nth(best).map(|c| map.continent_name(c))?;
    Some(SectionPart::Takeaway(Text::Plain(format!(
        "The first to draft opens in {name} in {} % of {} drafts; a draft has {} blocking picks on average.",
        number(100.0 * n_first(best) as f64 / seen.len() as f64, 1),
        seen.len(),
        number(f64::from(n_blocks) / seen.len() as f64, 2)
    ))))
}

fn pick_table(map: &Map, seen: &[DraftSeen], results: &Results) -> ReportTable {
    let size = format!(
        "{} drafts of {} simulations a pick",
        seen.len(),
        n_simulations(results.setting.scale)
    );
    let mut table = ReportTable::new(
        "First picks by continent, %, and territories held in the end",
        &[
            "continent",
            "#first player",
            "#second",
            "#third",
            "#held by the first",
            "#by the second",
            "#by the third",
        ],
        Evidence::of(results, size),
    );
    let n = seen.len().max(1) as f64;
    for (idx, continent) in map.continents().enumerate() {
        let mut cells = vec![map.continent_name(continent).to_owned()];
        for player in 0..N_PLAYERS {
            let hits = seen
                .iter()
                .filter(|draft| draft.first.get(player) == Some(&idx));
            cells.push(number(100.0 * hits.count() as f64 / n, 1));
        }
        for player in 0..N_PLAYERS {
            let held: u32 = seen.iter().map(|draft| draft.held[player][idx]).sum();
            cells.push(number(f64::from(held) / n, 2));
        }
        table.row(cells);
    }
    table
}

fn share_texts(share: Option<&Ours>) -> [String; 2] {
    [
        share.map_or_else(|| "–".to_owned(), |ours| number(ours.value, 1)),
        interval_or_dash(share.and_then(|ours| ours.interval), 1),
    ]
}

fn sweep_table(results: &Results) -> Result<ReportTable, LabError> {
    let scale = results.setting.scale;
    let mut table = ReportTable::new(
        SWEEP_TABLE,
        &[
            "variant",
            "#wins, %",
            "#95 % over blocks",
            "#gain over c = 0.01, points",
            "#95 % over blocks",
            "spec",
        ],
        Evidence::default(),
    );
    let paper = sweep_match(SWEEP[1].1, scale)?.read(results)?;
    let (mut n_games, mut endings) = (0, Endings::default());
    for (name, drafter) in SWEEP {
        let games = sweep_match(drafter, scale)?;
        let result = games.read(results)?;
        n_games += result.n_games();
        endings.merge(&result.endings);
        let [wins, interval] = share_texts(result.share(0).map(Ours::percent).as_ref());
        let gain = result.gain_over(&paper).map(Ours::percent);
        let [gained, gain_interval] = share_texts(gain.as_ref());
        table.row([
            Text::from(name),
            Text::from(wins),
            Text::from(interval),
            Text::from(gained),
            Text::from(gain_interval),
            Text::Code(games.first_spec()),
        ]);
    }
    let size = format!("{n_games} games of three on the same deals, all seat orders");
    table.evidence = Evidence::of(results, size).ended(&endings);
    Ok(table)
}

fn model_table(results: &Results) -> Result<ReportTable, LabError> {
    let games = model_match(results.setting.scale)?;
    let result = games.read(results)?;
    let size = format!("{} games of three, all seat orders", result.n_games());
    let evidence = Evidence::of(results, size).ended(&result.endings);
    let mut table = ReportTable::new(
        MODEL_TABLE,
        &["model", "#wins, %", "#95 % over blocks", "#mean place"],
        evidence,
    );
    for (player, model) in MODELS.iter().enumerate() {
        let [wins, interval] = share_texts(result.share(player).map(Ours::percent).as_ref());
        table.row([
            Text::from(*model),
            Text::from(wins),
            Text::from(interval),
            Text::from(number(result.mean_place(player), 2)),
        ]);
    }
    Ok(table)
}
