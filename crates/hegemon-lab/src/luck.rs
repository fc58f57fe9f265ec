//! Does luck add up to nothing? Mean luck of equal bots by seat, for dice, cards and deals apart.

use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_analysis::{LuckKind, LuckLaw, LuckSums};
use hegemon_arena::stats::Moments;
use hegemon_arena::{GameSetup, Observer, deal_seed, play_game};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Event, PlayerId, State};
use serde::{Deserialize, Serialize};

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::MapAndRules;
use crate::other_means::OtherMeans;
use crate::section::{Evidence, ReportTable, Section, SectionPart, Text, number, signed_number};

/// The sum of all luck.
pub(crate) const LUCK: Experiment = Experiment {
    name: "luck",
    paper: "beyond the papers",
    what: "luck adds up to nothing: its mean over games of equal bots, by kind and seat",
    needs: &[],
    plan,
    render,
    other_means: |_, _| {
        Ok(OtherMeans::None(
            "its games have deals of their own, and no other command sums the luck of games",
        ))
    },
};

/// Rules, the bot in all seats, and their number.
const TABLES: [(&str, &str, usize); 5] = [
    ("lux", "killbot", 4),
    ("classic", "killbot", 3),
    ("draft", "quo", 3),
    ("beam", "beam", 4),
    ("sampling", "baseline", 2),
];

/// Processor seconds a game.
const SECONDS: f64 = 0.007;

/// Standard errors that a mean may be off.
const LIMIT: f64 = 3.0;

fn tables(scale: Scale) -> &'static [(&'static str, &'static str, usize)] {
    scale.pick(&TABLES[..1], &TABLES[..], &TABLES[..])
}

fn n_games(scale: Scale) -> u64 {
    scale.pick(2, 2000, 10_000)
}

/// Mean luck of a seat with its standard error, by kind.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct SeatLuck([(f64, f64); LuckKind::ALL.len()]);

impl SeatLuck {
    fn of(moments: &[Moments; LuckKind::ALL.len()]) -> SeatLuck {
        SeatLuck(LuckKind::ALL.map(|kind| {
            let moments = &moments[kind as usize];
            let error = moments.variance().map(|v| (v / moments.n() as f64).sqrt());
            (moments.mean().unwrap_or(0.0), error.unwrap_or(0.0))
        }))
    }

    /// How many standard errors the mean of a kind is from zero; `None` where there is no such luck.
    fn distance(self, kind: LuckKind) -> Option<f64> {
        let (mean, error) = self.0[kind as usize];
        (error > 0.0).then(|| mean / error)
    }
}

/// Sees the luck of a game.
struct Witness {
    law: LuckLaw,
    luck: LuckSums,
}

impl Observer for Witness {
    fn on_event(&mut self, before: &State, event: Event) {
        self.luck.add(&self.law, before, event);
    }
}

fn key(&(rules, bot, n_players): &(&str, &str, usize), n_games: u64) -> String {
    format!("{n_players} {bot} {rules} {n_games}")
}

/// Plays games of equal bots, each with its own deal, so that the luck of the deal cannot cancel.
fn play(
    &(rules, bot, n_players): &(&str, &str, usize),
    n_games: u64,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<SeatLuck>>, LabError> {
    let game = MapAndRules::new("classic", rules)?.game(n_players)?;
    let bot: Spec = bot.parse()?;
    let (specs, grants) = (vec![&bot; n_players], Grants::sealed());
    let law = LuckLaw::new(&game);
    let mut sums = vec![[Moments::default(); LuckKind::ALL.len()]; n_players];
    for number in 0..n_games {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let seed = deal_seed(seed, "luck", number);
        let setup = GameSetup {
            game: &game,
            specs: &specs,
            deal_seed: seed,
            seed,
            grants: &grants,
            start: None,
            deal: None,
        };
        let mut witness = Witness {
            law: law.clone(),
            luck: LuckSums::new(),
        };
        play_game(&setup, &mut witness)?;
        for (seat, sums) in sums.iter_mut().enumerate() {
            for kind in LuckKind::ALL {
                let luck = witness.luck.of(kind)[PlayerId::new(seat)];
                sums[kind as usize].push(luck);
            }
        }
    }
    Ok(Some(sums.iter().map(SeatLuck::of).collect()))
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let n_games = n_games(setting.scale);
    let cell = |table: &'static (&str, &str, usize)| {
        let job = move |stop: &AtomicBool| play(table, n_games, setting.seed, stop);
        Cell::new(key(table, n_games), SECONDS * n_games as f64, job)
    };
    Ok(tables(setting.scale).iter().map(cell).collect())
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let n_games = n_games(scale);
    let mut table = ReportTable::new(
        "Mean luck of a game, in points of the chance to win",
        &[
            "rules, bots",
            "#seat",
            "#dice",
            "#t",
            "#cards",
            "#t",
            "#deal",
            "#t",
        ],
        Evidence::default(),
    );
    let (mut n_tables, mut distances) = (0, Vec::new());
    for asked in tables(scale) {
        let Some(seats) = results.get::<Vec<SeatLuck>>(&key(asked, n_games))? else {
            continue;
        };
        n_tables += 1;
        for (seat, luck) in (1..).zip(&seats) {
            let mut cells = vec![
                format!("{}, {} {}", asked.0, asked.2, asked.1),
                seat.to_string(),
            ];
            for kind in LuckKind::ALL {
                let distance = luck.distance(kind);
                distances.extend(distance);
                cells.extend(cells_of(luck.0[kind as usize].0, distance));
            }
            table.row(cells);
        }
    }
    table.evidence = Evidence::of(results, format!("{} games", n_games * n_tables));
    table.notes.push(
        "t is the mean over its standard error. Each game has its own deal, so that the luck of the deal does not \
         cancel between seats."
            .to_owned(),
    );
    let mut parts = vec![SectionPart::Table(table)];
    let largest = distances.iter().map(|t| t.abs()).max_by(f64::total_cmp);
    if let Some(largest) = largest {
        let n_beyond = distances.iter().filter(|t| t.abs() > LIMIT).count();
        parts.insert(
            0,
            SectionPart::Takeaway(Text::Plain(format!(
                "Of {} means of luck {n_beyond} are more than three standard errors from zero; the farthest is {} \
                 from it.",
                distances.len(),
                number(largest, 1)
            ))),
        );
    }
    Ok(Section { parts })
}

/// A mean in points with its distance from zero, or dashes.
fn cells_of(mean: f64, distance: Option<f64>) -> [String; 2] {
    match distance {
        Some(t) => [signed_number(100.0 * mean, 3), signed_number(t, 1)],
        None => ["–".to_owned(), "–".to_owned()],
    }
}
