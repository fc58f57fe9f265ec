//! Brand and Kroon 2014 with the differences between its text and its program switched on, one
//! by one and all together (docs/spec/sampling.md 5.8): what each of them does.

use hegemon_arena::stats::Interval;

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, Endings, MatchResult};
use crate::other_means::OtherMeans;
use crate::p000::{emm, iterations, mcts, mcts_baseline, search_seconds};
use crate::p000_form::{NOT_EXPRESSED, PaperForm, SWITCHES};
use crate::plot::{DotPlot, RefLine};
use crate::published::row;
use crate::repeated_match::{FIRST_WINS, MatchFigure};
use crate::section::{
    Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};
use crate::significance::{LEVEL, holm, p_of_difference, p_text};

/// The differences that can be switched on.
pub(crate) const CODE: Experiment = Experiment {
    name: "000-code",
    paper: "Brand and Kroon 2014",
    what: "every difference between text and program alone, and all together",
    needs: &[],
    plan,
    render,
    other_means: |setting, _| other_means(setting),
};

/// A pairing: what it is called, and the published row (seen by its second player if so).
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

impl Pairing {
    /// The published share of the search, with its interval.
    fn share(&self) -> Option<(f64, Interval)> {
        let published = row(self.published);
        let share = published.number()?;
        let share = if self.is_reversed {
            100.0 - share
        } else {
            share
        };
        Some((share, Interval::around(share, published.margin())))
    }
}

/// The name of a form and the form: the text, every switch alone, and the program.
fn forms() -> Vec<(&'static str, PaperForm)> {
    let mut forms = vec![("the text", PaperForm::text())];
    forms.extend(
        SWITCHES
            .iter()
            .map(|switch| (switch.name, PaperForm::with(switch))),
    );
    forms.push(("all of the program", PaperForm::code()));
    forms
}

/// The match of a pairing in a form.
fn games(pairing: usize, form: &PaperForm, scale: Scale) -> Result<ChunkedMatch, LabError> {
    let n_games = scale.pick(2, 20, 200);
    let searching = search_seconds(iterations(scale));
    let (search, rule, n_games, seconds) = match pairing {
        0 => (
            mcts_baseline(scale, form),
            form.baseline(),
            n_games,
            searching,
        ),
        1 => (mcts(20, scale, form), form.simulation(), n_games, searching),
        _ => {
            let emm = emm(scale, form);
            (emm.spec, form.simulation(), emm.n_games, emm.seconds)
        }
    };
    ChunkedMatch::new(&form.table()?, &[search, rule], n_games, seconds)
}

/// The forms that differ from the text in a pairing, the text first.
fn played(pairing: usize, scale: Scale) -> Result<Vec<(&'static str, ChunkedMatch)>, LabError> {
    let text = games(pairing, &PaperForm::text(), scale)?;
    let mut all: Vec<(&'static str, ChunkedMatch)> = Vec::new();
    for (name, form) in forms() {
        let one = games(pairing, &form, scale)?;
        if all.is_empty() || !one.is_same_as(&text) {
            all.push((name, one));
        }
    }
    Ok(all)
}

fn plan(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for pairing in 0..PAIRINGS.len() {
        for (_, games) in played(pairing, setting.scale)? {
            cells.extend(games.cells(setting)?);
        }
    }
    Ok(cells)
}

fn other_means(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let mut rows = Vec::new();
    for (number_of, pairing) in PAIRINGS.iter().enumerate() {
        for (name, games) in played(number_of, setting.scale)? {
            let [wins, interval] = FIRST_WINS;
            let figures = [wins, interval, ("games", MatchFigure::Games)];
            rows.push(games.repeatable(setting, pairing.name, [Text::from(name)], &figures));
        }
    }
    Ok(OtherMeans::Rows(rows))
}

/// What a form does in a pairing.
struct Effect {
    name: &'static str,
    spec: String,
    result: MatchResult,
    /// The gain over the text, in points, with its interval and p-value.
    gain: Option<(f64, Interval, f64)>,
}

impl Effect {
    fn of(name: &'static str, spec: String, result: MatchResult, text: &MatchResult) -> Effect {
        let gain = result.gain_over(text).map(|(gain, interval)| {
            let p = p_of_difference(gain, interval.half_width());
            let interval = Interval {
                low: 100.0 * interval.low,
                high: 100.0 * interval.high,
            };
            // Equal shares in every deal are no difference.
            (100.0 * gain, interval, p.unwrap_or(1.0))
        });
        Effect {
            name,
            spec,
            result,
            gain,
        }
    }
}

fn effects(pairing: usize, results: &Results) -> Result<Vec<Effect>, LabError> {
    let mut effects: Vec<Effect> = Vec::new();
    for (name, games) in played(pairing, results.setting.scale)? {
        let result = games.read(results)?;
        let mut effect = match effects.first() {
            Some(text) => Effect::of(name, games.first_spec(), result, &text.result),
            None => Effect::of(name, games.first_spec(), result.clone(), &result),
        };
        if effects.is_empty() {
            effect.gain = None;
        }
        effects.push(effect);
    }
    Ok(effects)
}

fn render(results: &Results) -> Result<Section, LabError> {
    let mut parts = vec![
        SectionPart::Note(
            "Wins of the search against a rule player, in percent. Every form plays the same deals, so the \
             effect of a switch is the mean difference over deals to the form of the text. The p-values \
             are corrected for the switches of the table by Holm's method. A switch that changes \
             neither agent nor rules of a pairing is left out."
                .to_owned(),
        ),
        SectionPart::Note(NOT_EXPRESSED.to_owned()),
    ];
    let mut sentences = Vec::new();
    for (number_of, pairing) in PAIRINGS.iter().enumerate() {
        let effects = effects(number_of, results)?;
        sentences.extend(sentence(pairing, &effects));
        parts.push(SectionPart::Table(effect_table(pairing, &effects, results)));
        parts.push(SectionPart::Plot(Plot {
            name: format!("000-code-{}", number_of + 1),
            about: format!("{}, with differences switched on", pairing.name),
            svg: effect_plot(pairing, &effects),
        }));
    }
    if !sentences.is_empty() {
        let words = format!("{}.", sentences.join("; "));
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}

/// What moves a pairing, in words.
fn sentence(pairing: &Pairing, effects: &[Effect]) -> Option<String> {
    let (published, _) = pairing.share()?;
    let percent = |effect: &Effect| {
        effect
            .result
            .share(0)
            .map(|share| number(100.0 * share.0, 1))
    };
    let (text, program) = (percent(effects.first()?)?, percent(effects.last()?)?);
    let p_values: Vec<f64> = effects.iter().filter_map(|e| Some(e.gain?.2)).collect();
    let clear: Vec<&str> = effects
        .iter()
        .filter(|effect| effect.gain.is_some())
        .zip(holm(&p_values))
        .filter(|(_, p)| *p < LEVEL)
        .map(|(effect, _)| effect.name)
        .collect();
    let moved = match clear.as_slice() {
        [] => "no switch moves it clearly".to_owned(),
        names => format!("clearly moved by {}", names.join(", ")),
    };
    Some(format!(
        "{}: {text} % in the form of the text, {program} % in that of the program, published {} %, {moved}",
        pairing.name,
        number(published, 1)
    ))
}

fn effect_table(pairing: &Pairing, effects: &[Effect], results: &Results) -> ReportTable {
    let n_games: u64 = effects.iter().map(|effect| effect.result.n_games()).sum();
    let endings = Endings::of(effects.iter().map(|effect| &effect.result));
    let evidence = Evidence::of(results, format!("{n_games} games")).ended(&endings);
    let mut table = ReportTable::new(
        pairing.name,
        &[
            "difference",
            "#wins, %",
            "#95 % over blocks",
            "#effect, points",
            "#95 % over blocks",
            "#p",
            "#p after Holm",
            "#games",
            "spec",
        ],
        evidence,
    );
    if let Some((share, interval)) = pairing.share() {
        table.notes.push(format!(
            "Published are {} % ({}).",
            number(share, 1),
            interval_or_dash(Some(interval), 1)
        ));
    }
    let p_values: Vec<f64> = effects.iter().filter_map(|e| Some(e.gain?.2)).collect();
    let mut adjusted = holm(&p_values).into_iter();
    for effect in effects {
        let share = effect.result.share(0).map(Ours::percent);
        let dash = || "–".to_owned();
        let of_gain = |text: &dyn Fn(&(f64, Interval, f64)) -> String| {
            Text::from(effect.gain.as_ref().map_or_else(dash, text))
        };
        let corrected = effect.gain.and_then(|_| adjusted.next());
        table.row([
            Text::from(effect.name),
            Text::from(
                share
                    .as_ref()
                    .map_or_else(dash, |ours| number(ours.value, 1)),
            ),
            Text::from(interval_or_dash(share.and_then(|ours| ours.interval), 1)),
            of_gain(&|gain| number(gain.0, 1)),
            of_gain(&|gain| interval_or_dash(Some(gain.1), 1)),
            of_gain(&|gain| p_text(gain.2)),
            Text::from(corrected.map_or_else(dash, p_text)),
            Text::from(effect.result.n_games().to_string()),
            Text::Code(effect.spec.clone()),
        ]);
    }
    table
}

fn effect_plot(pairing: &Pairing, effects: &[Effect]) -> String {
    let published = pairing.share();
    let printed = published.map(|(share, interval)| (share, Some(interval)));
    let mut rows = vec![("published".to_owned(), printed, None)];
    for effect in effects {
        let share = effect.result.share(0).map(Ours::percent);
        let dot = share.map(|ours| (ours.value, ours.interval));
        rows.push((effect.name.to_owned(), None, dot));
    }
    let mut lines = vec![RefLine::chance(2)];
    lines.extend(published.map(|(share, _)| RefLine::new(share, "published")));
    let plot = DotPlot {
        title: pairing.name.to_owned(),
        axis: "wins of the search, %".to_owned(),
        rows,
    };
    plot.svg_with(&lines)
}
