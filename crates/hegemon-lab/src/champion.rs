//! The champion: against the fields that the papers and we measured before, against
//! fields drawn at random, known to it and withheld from it, and by its effort.

use std::collections::BTreeMap;

use hegemon_arena::stats::Moments;
use hegemon_core::Rng;
use hegemon_learn::value::Population;

use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::{ChunkedMatch, MapAndRules, MatchResult};
use crate::other_means::OtherMeans;
use crate::plot::DotPlot;
use crate::repeated_match::{MatchFigure, row_of_matches};
use crate::section::{
    Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_text, number,
};

/// The champion against known fields.
pub(crate) const KNOWN: Experiment = Experiment {
    name: "champion",
    paper: "beyond the papers",
    what: "the champion against the fields that others were measured in",
    needs: &["champion"],
    plan: plan_known,
    render: render_known,
    other_means: |setting, _| known_again(setting),
};

/// The champion and its bases against random fields.
pub(crate) const FIELDS: Experiment = Experiment {
    name: "champion-fields",
    paper: "beyond the papers",
    what: "the champion, killbot, quo and evil-pixie in one seat of 40 random fields",
    needs: &["champion"],
    plan: plan_fields,
    render: render_fields,
    other_means: |setting, _| seats_again(RANDOM_FIELDS, &random_fields(setting.scale), setting),
};

/// The champion against copies of bots that neither nets nor suspects have met.
pub(crate) const STRANGERS: Experiment = Experiment {
    name: "champion-strangers",
    paper: "beyond the papers",
    what: "the champion, killbot, quo and evil-pixie against three copies of a bot left out",
    needs: &["champion"],
    plan: plan_strangers,
    render: render_strangers,
    other_means: |setting, _| seats_again(LEFT_OUT_BOTS, &strangers(setting.scale), setting),
};

/// Strength by effort.
pub(crate) const EFFORT: Experiment = Experiment {
    name: "champion-effort",
    paper: "beyond the papers",
    what: "strength of the champion by its looks ahead",
    needs: &["champion"],
    plan: plan_effort,
    render: render_effort,
    other_means: |setting, _| effort_again(setting),
};

/// A preset with the others at the table.
struct Field {
    preset: &'static str,
    rivals: Vec<String>,
}

impl Field {
    fn new(preset: &'static str, rivals: &[&str]) -> Field {
        let rivals = rivals.iter().map(ToString::to_string).collect();
        Field { preset, rivals }
    }

    /// The match of an agent in the first seat, seats rotated.
    fn with(&self, agent: &str, n_games: u64, seconds: f64) -> Result<ChunkedMatch, LabError> {
        let mut specs = vec![agent.to_owned()];
        specs.extend(self.rivals.iter().cloned());
        let table = MapAndRules::new("classic", self.preset)?;
        ChunkedMatch::new(&table, &specs, n_games, seconds)
    }
}

/// The four bots that Lux calls hard.
const HARD: [&str; 4] = ["quo", "evil-pixie", "killbot", "boscoe"];

/// All of them but `left_out`, in every way.
fn all_but(left_out: usize) -> Vec<Vec<&'static str>> {
    let n = HARD.len();
    (0..1 << n)
        .filter(|set: &u32| set.count_ones() as usize == n - left_out)
        .map(|set| {
            let is_in = |k: &usize| set >> k & 1 == 1;
            (0..n).filter(is_in).map(|k| HARD[k]).collect()
        })
        .collect()
}

fn known_fields(scale: Scale) -> Vec<Field> {
    let mut fields = Vec::new();
    fields.extend(all_but(2).iter().map(|pair| Field::new("draft", pair)));
    fields.extend(all_but(1).iter().map(|triple| Field::new("lux", triple)));
    let five = ["killbot", "quo", "evil-pixie", "boscoe", "better-pixie"];
    fields.push(Field::new("lux", &five));
    fields.push(Field::new("beam", &["beam", "beam", "beam"]));
    let classic = ["killbot", "better-pixie", "quo"];
    fields.push(Field::new("classic", &classic));
    fields.push(Field::new("sampling", &["baseline"]));
    fields.truncate(scale.pick(3, usize::MAX, usize::MAX));
    fields
}

fn known_match(field: &Field, scale: Scale) -> Result<ChunkedMatch, LabError> {
    let n_games = match field.preset {
        "sampling" => scale.pick(2, 100, 1000),
        _ => scale.pick(4, 24, 96),
    };
    // More where they help most; a turn is a tenth of a second on average, and half a second at most.
    let many = match field.preset {
        "draft" | "lux" => 12,
        _ => 24,
    };
    let looks = scale.pick(1, 12, many);
    let a_look = match field.preset {
        "sampling" | "beam" => 0.025,
        _ => 0.08,
    };
    let seconds = a_look * f64::from(looks);
    field.with(&format!("champion(looks={looks})"), n_games, seconds)
}

fn plan_known(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for field in known_fields(setting.scale) {
        cells.extend(known_match(&field, setting.scale)?.cells(setting)?);
    }
    Ok(cells)
}

const CHAMPION_TABLE: &str = "The champion's share";

/// The columns of a share and its interval.
const SHARE: [(&str, MatchFigure); 2] = [
    ("wins, %", MatchFigure::Share(0)),
    ("95 %", MatchFigure::Interval(0)),
];

fn known_again(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let (rounds, games) = (
        ("rounds", MatchFigure::Rounds),
        ("games", MatchFigure::Games),
    );
    let figures = [SHARE[0], SHARE[1], rounds, games];
    let mut rows = Vec::new();
    for field in known_fields(setting.scale) {
        let games = known_match(&field, setting.scale)?;
        let row = [Text::from(field.preset), Text::Code(field.rivals.join(" "))];
        rows.push(games.repeatable(setting, CHAMPION_TABLE, row, &figures));
    }
    Ok(OtherMeans::Rows(rows))
}

/// A share with its interval as two texts; dashes where nothing was played.
fn share_texts(result: &MatchResult) -> [Text; 2] {
    let share = result.share(0).map(Ours::percent);
    let dash = || Text::from("–");
    let interval = share.as_ref().and_then(|share| share.interval);
    [
        share.map_or_else(dash, |share| Text::from(number(share.value, 1))),
        interval.map_or_else(dash, |ci| Text::from(interval_text(ci, 1))),
    ]
}

fn render_known(results: &Results) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let columns = [
        "rules",
        "against",
        "#wins, %",
        "#95 %",
        "#level, %",
        "#rounds",
        "#games",
    ];
    let mut table = ReportTable::new(CHAMPION_TABLE, &columns, Evidence::default());
    let mut plot = DotPlot {
        title: "The champion's share of the wins".to_owned(),
        axis: "wins, %".to_owned(),
        rows: Vec::new(),
    };
    let mut n_games = 0;
    let mut means: Vec<(&str, usize, Vec<f64>)> = Vec::new();
    for field in known_fields(scale) {
        let games = known_match(&field, scale)?;
        let result = games.read(results)?;
        n_games += result.n_games();
        let [share, interval] = share_texts(&result);
        table.row([
            Text::from(field.preset),
            Text::Code(field.rivals.join(" ")),
            share,
            interval,
            Text::from(number(100.0 / (1.0 + field.rivals.len() as f64), 1)),
            Text::from(number(result.mean_rounds(), 1)),
            Text::from(result.n_games().to_string()),
        ]);
        if let Some((value, interval)) = result.share(0) {
            let ours = Ours::percent((value, interval));
            let name = format!("{}: {}", field.preset, field.rivals.join(" "));
            plot.rows
                .push((name, None, Some((ours.value, ours.interval))));
            match means.last_mut() {
                Some((preset, n, shares))
                    if (*preset, *n) == (field.preset, field.rivals.len()) =>
                {
                    shares.push(value);
                }
                _ => means.push((field.preset, field.rivals.len(), vec![value])),
            }
        }
    }
    table.evidence = Evidence::of(results, format!("{n_games} games, seats rotated"));
    for (preset, n_rivals, shares) in means.iter().filter(|(_, _, shares)| shares.len() > 1) {
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        let least = shares.iter().copied().fold(1.0, f64::min);
        table.notes.push(format!(
            "Mean of the {} fields of {preset} with {} players: {} %, the lowest {} %.",
            shares.len(),
            n_rivals + 1,
            number(100.0 * mean, 1),
            number(100.0 * least, 1)
        ));
    }
    Ok(Section {
        parts: vec![
            SectionPart::Note(
                "The classic map. The champion is told nothing about the others; what it suspects, it \
                 has seen."
                    .to_owned(),
            ),
            SectionPart::Table(table),
            SectionPart::Plot(Plot {
                name: "champion".to_owned(),
                about: "Shares of the champion in known fields".to_owned(),
                svg: plot.svg(),
            }),
        ],
    })
}

const N_FIELDS: usize = 40;
/// The last of them are of withheld players alone.
const N_WITHHELD: usize = 10;
/// Who plays the seat that is measured, the champion first.
const BASES: [&str; 3] = ["killbot", "quo", "evil-pixie"];

/// The fields, the same for every seed: they are part of the question.
fn random_fields(scale: Scale) -> Vec<Seat> {
    let population = Population::shipped();
    let mut rng = Rng::stream(97, "fields");
    let all: Vec<_> = population
        .known
        .iter()
        .chain(&population.withheld)
        .collect();
    let withheld: Vec<_> = population.withheld.iter().collect();
    let presets = ["lux", "classic", "draft", "beam"];
    let field = |n: usize| {
        let is_withheld = n >= N_FIELDS - N_WITHHELD;
        let pool = if is_withheld { &withheld } else { &all };
        let n_rivals = 2 + rng.below(4) as usize;
        let mut draw = || pool[rng.below(pool.len() as u32) as usize].to_string();
        let field = Field {
            preset: presets[n % presets.len()],
            rivals: (0..n_rivals).map(|_| draw()).collect(),
        };
        Seat {
            field,
            is_withheld,
            n_games: scale.pick(1, 6, 100),
        }
    };
    let fields = (0..N_FIELDS).map(field);
    fields.take(scale.pick(1, N_FIELDS, N_FIELDS)).collect()
}

/// A seat that the champion and its bases take in turn.
struct Seat {
    field: Field,
    /// Whether all of the field were withheld from nets and suspects.
    is_withheld: bool,
    /// Games of the champion.
    n_games: u64,
}

/// The matches in a seat: the champion's, then those of its bases.
fn seat_matches(seat: &Seat, scale: Scale) -> Result<Vec<ChunkedMatch>, LabError> {
    let field = &seat.field;
    let champion = scale.pick(
        "champion(looks=1,suspects=known)",
        "champion(looks=12,suspects=known)",
        "champion(looks=12,suspects=known)",
    );
    let champion = field.with(champion, seat.n_games, scale.pick(0.1, 0.8, 0.8))?;
    let n_games = scale.pick(1, 120, 400);
    let bases = BASES.iter().map(|base| field.with(base, n_games, 0.01));
    let bases = bases.collect::<Result<Vec<_>, _>>()?;
    Ok([champion].into_iter().chain(bases).collect())
}

fn plan_seats(seats: &[Seat], setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for seat in seats {
        for games in seat_matches(seat, setting.scale)? {
            cells.extend(games.cells(setting)?);
        }
    }
    Ok(cells)
}

fn plan_fields(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    plan_seats(&random_fields(setting.scale), setting)
}

/// Bots of other programs that the nets and the suspects have never met.
const LEFT_OUT: [&str; 5] = ["shaft", "vulture", "bort", "trotsky", "stinky"];

fn strangers(scale: Scale) -> Vec<Seat> {
    let field = |name: &&str| Seat {
        field: Field::new("lux", &[*name; 3]),
        is_withheld: true,
        n_games: scale.pick(1, 24, 100),
    };
    let n = scale.pick(1, LEFT_OUT.len(), LEFT_OUT.len());
    LEFT_OUT.iter().take(n).map(field).collect()
}

fn plan_strangers(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    plan_seats(&strangers(setting.scale), setting)
}

const RANDOM_FIELDS: &str = "One seat of 40 random fields";
const LEFT_OUT_BOTS: &str = "Against three copies of a bot left out";

/// Rules and rivals of a seat, as a row begins.
fn seat_cells(seat: &Seat) -> [Text; 2] {
    let whose = if seat.is_withheld { " (withheld)" } else { "" };
    [
        Text::from(format!("{}{whose}", seat.field.preset)),
        Text::Code(seat.field.rivals.join(" ")),
    ]
}

fn seats_again(table: &str, seats: &[Seat], setting: RunSetting) -> Result<OtherMeans, LabError> {
    let figures = [
        ("champion, %", 0, MatchFigure::Share(0)),
        ("95 %", 0, MatchFigure::Interval(0)),
        ("killbot, %", 1, MatchFigure::Share(0)),
        ("quo, %", 2, MatchFigure::Share(0)),
        ("evil-pixie, %", 3, MatchFigure::Share(0)),
    ];
    let mut rows = Vec::new();
    for seat in seats {
        let matches = seat_matches(seat, setting.scale)?;
        let matches: Vec<&ChunkedMatch> = matches.iter().collect();
        rows.push(row_of_matches(
            setting,
            table,
            seat_cells(seat),
            &matches,
            &figures,
        ));
    }
    Ok(OtherMeans::Rows(rows))
}

fn render_strangers(results: &Results) -> Result<Section, LabError> {
    let fields = strangers(results.setting.scale);
    let table = seat_table(LEFT_OUT_BOTS, &fields, results)?;
    Ok(Section {
        parts: vec![
            SectionPart::Note(
                "The classic map. No game of these bots was used to train the nets, and none of them \
                 is a suspect or in the portfolio."
                    .to_owned(),
            ),
            SectionPart::Table(table),
        ],
    })
}

/// The champion and its bases in the same seat of each field.
fn seat_table(title: &str, seats: &[Seat], results: &Results) -> Result<ReportTable, LabError> {
    let scale = results.setting.scale;
    let columns = [
        "rules",
        "against",
        "#champion, %",
        "#95 %",
        "#killbot, %",
        "#quo, %",
        "#evil-pixie, %",
        "beside the best",
    ];
    let mut table = ReportTable::new(title, &columns, Evidence::default());
    let (mut n_games, mut lead, mut n_below) = ([0, 0], [Vec::new(), Vec::new()], 0);
    for seat in seats {
        let played = seat_matches(seat, scale)?;
        let all = played.iter().map(|games| games.read(results));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let [share, interval] = share_texts(&all[0]);
        n_games[0] += all[0].n_games();
        n_games[1] += all[1..].iter().map(MatchResult::n_games).sum::<u64>();
        let shares: Vec<_> = all.iter().map(|result| result.share(0)).collect();
        let mut verdict = "–";
        if let (Some((own, interval)), Some((killbot, _))) = (&shares[0], &shares[1]) {
            lead[usize::from(seat.is_withheld)].push(100.0 * (own - killbot));
            let best = shares[1..].iter().flatten();
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
            verdict = match best {
                Some((_, theirs)) if interval.high < theirs.low => "below",
                Some((_, theirs)) if interval.low > theirs.high => "above",
                _ => "level",
            };
            n_below += u32::from(verdict == "below");
        }
        let base = |n: usize| match shares[n] {
            Some((share, _)) => Text::from(number(100.0 * share, 1)),
            None => Text::from("–"),
        };
        let [rules, against] = seat_cells(seat);
        table.row([
            rules,
            against,
            share,
            interval,
            base(1),
            base(2),
            base(3),
            Text::from(verdict),
        ]);
    }
    let size = format!(
        "{} games of the champion, {} of the others, seats rotated",
        n_games[0], n_games[1]
    );
    table.evidence = Evidence::of(results, size);
    let both = [lead[0].clone(), lead[1].clone()].concat();
    table.notes.push(format!(
        "Mean lead over killbot in the same seat (95 % over fields): {} points in all fields, {} in those \
         of withheld players alone. Fields in which the interval lies below that of the best of the three: {n_below}.",
        mean_text(&both),
        mean_text(&lead[1])
    ));
    Ok(table)
}

/// The mean of some points with its interval.
fn mean_text(points: &[f64]) -> String {
    let Some(estimate) = Moments::from_iter(points.iter().copied()).estimate() else {
        return "–".to_owned();
    };
    let mean = number(estimate.mean, 1);
    match estimate.ci95 {
        Some(interval) => format!("{mean} ({})", interval_text(interval, 1)),
        None => mean,
    }
}

fn render_fields(results: &Results) -> Result<Section, LabError> {
    let fields = random_fields(results.setting.scale);
    let table = seat_table(RANDOM_FIELDS, &fields, results)?;
    Ok(Section {
        parts: vec![
            SectionPart::Note(
                "The classic map, 3 to 6 players. Rivals are drawn from the training population and \
                 from the third of it that was withheld from nets and suspects; the last ten fields \
                 are of withheld players alone. Nothing was chosen by these games."
                    .to_owned(),
            ),
            SectionPart::Table(table),
        ],
    })
}

/// From hundredths of a second a turn to ten seconds.
const EFFORTS: [u32; 6] = [1, 4, 16, 64, 256, 1024];
/// Those of a quick run.
const N_QUICK: usize = 4;

fn effort_matches(scale: Scale) -> Result<Vec<(u32, &'static str, ChunkedMatch)>, LabError> {
    let mut all = Vec::new();
    for &looks in scale.pick(&EFFORTS[..1], &EFFORTS[..N_QUICK], &EFFORTS[..]) {
        for (preset, rivals) in [
            ("lux", ["killbot", "quo", "evil-pixie"]),
            ("classic", ["killbot", "better-pixie", "quo"]),
        ] {
            let large = match looks {
                0..=64 => 96,
                65..=256 => 32,
                257.. => 16,
            };
            let n_games = scale.pick(4, 24, large);
            let seconds = f64::from(looks) * 0.075;
            let agent = format!("champion(looks={looks})");
            let games = Field::new(preset, &rivals).with(&agent, n_games, seconds)?;
            all.push((looks, preset, games));
        }
    }
    Ok(all)
}

fn plan_effort(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let mut cells = Vec::new();
    for (_, _, games) in effort_matches(setting.scale)? {
        cells.extend(games.cells(setting)?);
    }
    Ok(cells)
}

const EFFORT_TABLE: &str = "Strength by effort";

fn effort_again(setting: RunSetting) -> Result<OtherMeans, LabError> {
    let figures = [SHARE[0], SHARE[1], ("games", MatchFigure::Games)];
    let matches = effort_matches(setting.scale)?.into_iter();
    let rows = matches.map(|(looks, preset, games)| {
        let row = [Text::from(preset), Text::from(looks.to_string())];
        games.repeatable(setting, EFFORT_TABLE, row, &figures)
    });
    Ok(OtherMeans::Rows(rows.collect()))
}

fn render_effort(results: &Results) -> Result<Section, LabError> {
    let columns = [
        "rules",
        "#looks",
        "#processor ms a turn",
        "#wins, %",
        "#95 %",
        "#games",
    ];
    let mut table = ReportTable::new(EFFORT_TABLE, &columns, Evidence::default());
    let mut n_games = 0;
    let mut by_preset: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (looks, preset, games) in effort_matches(results.setting.scale)? {
        let result = games.read(results)?;
        n_games += result.n_games();
        if let Some((share, _)) = result.share(0) {
            let words = format!("{} % with {looks}", number(100.0 * share, 1));
            by_preset.entry(preset).or_default().push(words);
        }
        let [share, interval] = share_texts(&result);
        let n = Text::from(result.n_games().to_string());
        table.row([
            Text::from(preset),
            Text::from(looks.to_string()),
            games.turn_ms(results)?,
            share,
            interval,
            n,
        ]);
    }
    table.evidence = Evidence::of(results, format!("{n_games} games of four, seats rotated"));
    let mut parts = vec![
        SectionPart::Note(
            "Looks a candidate. lux: killbot, quo, evil-pixie; classic: killbot, better-pixie, quo. A \
             turn is one of the champion in a round of all: who is eliminated takes less."
                .to_owned(),
        ),
        SectionPart::Table(table),
    ];
    let grown = by_preset
        .iter()
        .map(|(preset, words)| format!("under {preset} {}", words.join(", ")));
    let grown: Vec<String> = grown.collect();
    if !grown.is_empty() {
        let words = format!("Wins by looks a candidate: {}.", grown.join("; "));
        parts.insert(0, SectionPart::Takeaway(Text::Plain(words)));
    }
    Ok(Section { parts })
}
