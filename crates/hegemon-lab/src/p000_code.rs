//! Brand and Kroon 2014 again with some of the differences between its text and
//! its code switched on (docs/spec/sampling.md 5.8): which of them explain its
//! order?

use crate::experiment::{Cell, Experiment, LabError, Results, Scale, Setting};
use crate::matches::{ChunkedMatch, MapAndRules};
use crate::p000::{emm, iterations, search_seconds};
use crate::plot::DotPlot;
use crate::published::row;
use crate::round_robin::paper_table;
use crate::section::{
    Evidence, Plot, ReportTable, Section, SectionPart, Text, interval_text, number,
};

/// The differences that can be switched on.
pub(crate) const CODE: Experiment = Experiment {
    name: "000-code",
    paper: "Brand and Kroon 2014",
    what: "differences between paper and code, switched on one by one",
    needs: &[],
    plan,
    render,
};

/// A difference: its name, parameters of searches, and whether the defender rolls
/// two dice only from three armies on.
struct Variant {
    name: &'static str,
    mcts: &'static str,
    emm: &'static str,
    late_dice: bool,
}

const VARIANTS: [Variant; 7] = [
    Variant {
        name: "ours",
        mcts: "",
        emm: "",
        late_dice: false,
    },
    Variant {
        name: "defender's second die from 3 armies (row 7)",
        mcts: "",
        emm: "",
        late_dice: true,
    },
    Variant {
        name: "squared chances in the search (row 2)",
        mcts: ",chance=squared",
        emm: ",chance=squared",
        late_dice: false,
    },
    Variant {
        name: "exploration times sqrt 2 (row 1)",
        mcts: ",c=1.697",
        emm: "",
        late_dice: false,
    },
    Variant {
        name: "occupations by evaluation (row 6)",
        mcts: ",occupy=eval",
        emm: "",
        late_dice: false,
    },
    Variant {
        name: "weights of version 1.1",
        mcts: ",weights=paper-v1.1",
        emm: ",weights=paper-v1.1",
        late_dice: false,
    },
    Variant {
        name: "all of these, no discount",
        mcts: ",chance=squared,c=1.697,occupy=eval,weights=paper-v1.1,discount=1",
        emm: ",chance=squared,weights=paper-v1.1",
        late_dice: true,
    },
];

/// A pairing: what it is called, the published row (seen by the second player of
/// it if so), and the specs.
struct Pairing {
    name: &'static str,
    published: &'static str,
    is_reversed: bool,
}

const PAIRINGS: [Pairing; 3] = [
    Pairing {
        name: "MCTS Baseline against Baseline",
        published: "000/table-4/baseline-mcts-baseline",
        is_reversed: true,
    },
    Pairing {
        name: "MCTS(20) against Simulation",
        published: "000/table-4/mcts-20-simulation",
        is_reversed: false,
    },
    Pairing {
        name: "EMM against Simulation",
        published: "000/table-4/simulation-emm",
        is_reversed: true,
    },
];

impl Variant {
    fn table(&self) -> Result<MapAndRules, LabError> {
        let table = paper_table()?;
        if !self.late_dice {
            return Ok(table);
        }
        let change = "battle.dice.defender-second-from=3";
        Ok(table.with(change, |rules| rules.battle.dice.defender_second_from = 3))
    }

    fn games(&self, pairing: usize, scale: Scale) -> Result<Option<ChunkedMatch>, LabError> {
        let n = iterations(scale);
        let small = scale.pick(",depth=2,width=3,samples=5", "", "");
        let (spec, other, seconds) = match pairing {
            0 => (
                format!("mcts-baseline(iters={n}{})", self.mcts),
                "baseline",
                search_seconds(n),
            ),
            1 => (
                format!("mcts(k=20,iters={n}{})", self.mcts),
                "simulation",
                search_seconds(n),
            ),
            _ if self.emm.is_empty() && !self.late_dice && !self.mcts.is_empty() => {
                return Ok(None);
            }
            _ => {
                let params = format!("{small}{}", self.emm);
                let spec = match params.strip_prefix(',') {
                    Some(params) => format!("emm({params})"),
                    None => "emm".to_owned(),
                };
                (spec, "simulation", emm(scale).seconds)
            }
        };
        let n_games = if pairing == 2 {
            emm(scale).n_games
        } else {
            scale.pick(2, 40, 100)
        };
        ChunkedMatch::new(&self.table()?, &[spec.as_str(), other], n_games, seconds).map(Some)
    }
}

fn plan(setting: Setting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for variant in &VARIANTS {
        for pairing in 0..PAIRINGS.len() {
            if let Some(games) = variant.games(pairing, setting.scale)? {
                cells.extend(games.cells(setting)?);
            }
        }
    }
    Ok(cells)
}

fn render(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let mut parts = vec![SectionPart::Note(
        "Wins of the search against a rule player, in percent, with one difference between the text \
         and the code of the paper switched on at a time. What moves ours towards the published \
         share is a candidate for the reason."
            .to_owned(),
    )];
    for (number_of, pairing) in PAIRINGS.iter().enumerate() {
        let published = row(pairing.published);
        let share = published.number().map(|share| {
            if pairing.is_reversed {
                100.0 - share
            } else {
                share
            }
        });
        let mut rows = vec![(
            "published".to_owned(),
            share.map(|share| {
                let margin = published.margin();
                (
                    share,
                    Some(hegemon_arena::stats::Interval::around(share, margin)),
                )
            }),
            None,
        )];
        let mut table = ReportTable::new(
            pairing.name,
            &[
                "difference",
                "spec",
                "#published",
                "#ours",
                "#95 %",
                "#games",
            ],
            Evidence::default(),
        );
        let mut n_games = 0;
        for variant in &VARIANTS {
            let Some(games) = variant.games(number_of, scale)? else {
                continue;
            };
            let result = games.read(results)?;
            n_games += result.n_games();
            let percent = result.share(0).map(crate::section::Ours::percent);
            let dash = || "–".to_owned();
            table.row([
                Text::from(variant.name),
                Text::Code(games.first_spec()),
                Text::from(share.map_or_else(dash, |share| number(share, 1))),
                Text::from(
                    percent
                        .as_ref()
                        .map_or_else(dash, |ours| number(ours.value, 1)),
                ),
                Text::from(
                    percent
                        .as_ref()
                        .and_then(|ours| ours.interval)
                        .map_or_else(dash, |ci| interval_text(ci, 1)),
                ),
                Text::from(result.n_games().to_string()),
            ]);
            let dot = percent.map(|ours| (ours.value, ours.interval));
            rows.push((variant.name.to_owned(), None, dot));
        }
        table.evidence = Evidence::of(results, format!("{n_games} games"));
        parts.push(SectionPart::Table(table));
        let plot = DotPlot {
            title: pairing.name.to_owned(),
            axis: "wins, %".to_owned(),
            rows,
        };
        parts.push(SectionPart::Plot(Plot {
            name: format!("000-code-{}", number_of + 1),
            about: format!("{}, with differences switched on", pairing.name),
            svg: plot.svg(),
        }));
    }
    Ok(Section { parts })
}
