//! Brand and Kroon 2014: ratings of the agents, p-values, the series of K, the
//! cross table and the speed of playouts.

use cpu_time::ThreadTime;
use hegemon_arena::ratings::glicko2::Glicko2Rating;
use hegemon_arena::ratings::pairing::p_value;
use hegemon_arena::stats::Interval;
use hegemon_bots::search::SearchProbe;

use crate::block_ratings::BlockRatings;
use crate::experiment::{Cell, Experiment, LabError, Results, RunSetting, Scale};
use crate::matches::ChunkedMatch;
use crate::other_means::OtherMeans;
use crate::p000_form::{NOT_EXPRESSED, PaperForm};
use crate::plot::{Dot, DotPlot, RefLine};
use crate::published::{PublishedResult, row};
use crate::repeated_match::COMPARED;
use crate::round_robin::{Agent, Games, RoundRobin};
use crate::section::{
    Answer, Evidence, Ours, Plot, ReportTable, Section, SectionPart, Text, interval_or_dash, number,
};
use crate::significance::{LEVEL, p_text};

/// Tables 1, 2 and 4 and Figure 2 from one pool of games.
pub(crate) const POOL: Experiment = Experiment {
    name: "000-pool",
    paper: "Brand and Kroon 2014",
    what: "Table 1, Figure 2, Table 2 and Table 4: ratings, p-values, cross table",
    needs: &[],
    plan: |setting| pool(setting.scale, &PaperForm::text())?.cells(setting),
    render: |results| render_pool(results, &PaperForm::text(), "text"),
    other_means: |setting, _| pool_again(setting, &PaperForm::text()),
};

/// The same as the program plays.
pub(crate) const POOL_CODE: Experiment = Experiment {
    name: "000-pool-code",
    paper: "Brand and Kroon 2014",
    what: "the same tables as its program plays, version 1.1",
    needs: &[],
    plan: |setting| pool(setting.scale, &PaperForm::code())?.cells(setting),
    render: |results| render_pool(results, &PaperForm::code(), "code"),
    other_means: |setting, _| pool_again(setting, &PaperForm::code()),
};

/// Table 3.
pub(crate) const SAMPLES: Experiment = Experiment {
    name: "000-samples",
    paper: "Brand and Kroon 2014",
    what: "Table 3: rating by the number of samples K",
    needs: &[],
    plan: |setting| series(setting.scale, &PaperForm::text())?.cells(setting),
    render: |results| render_series(results, &PaperForm::text(), "text"),
    other_means: |setting, _| series_again(setting, &PaperForm::text()),
};

/// The same as the program plays.
pub(crate) const SAMPLES_CODE: Experiment = Experiment {
    name: "000-samples-code",
    paper: "Brand and Kroon 2014",
    what: "Table 3 as its program plays",
    needs: &[],
    plan: |setting| series(setting.scale, &PaperForm::code())?.cells(setting),
    render: |results| render_series(results, &PaperForm::code(), "code"),
    other_means: |setting, _| series_again(setting, &PaperForm::code()),
};

/// Playouts a second.
pub(crate) const SPEED: Experiment = Experiment {
    name: "000-speed",
    paper: "Brand and Kroon 2014",
    what: "speed: playouts a second and seconds an action",
    needs: &[],
    plan: plan_speed,
    render: render_speed,
    other_means: |_, _| Ok(OtherMeans::None("its figures are times")),
};

/// Iterations an action; the paper has 2.5 seconds at about 1000 a second.
pub(crate) fn iterations(scale: Scale) -> u32 {
    scale.pick(4, 100, 2500)
}

/// Seconds that a tree search takes for its half of a game.
pub(crate) fn search_seconds(iterations: u32) -> f64 {
    0.01 + 0.0006 * f64::from(iterations)
}

fn searcher(id: &str, name: &str, spec: String, scale: Scale) -> Agent {
    Agent {
        id: id.to_owned(),
        name: name.to_owned(),
        spec,
        seconds: search_seconds(iterations(scale)),
        n_games: n_games(scale),
    }
}

/// Games of a pair.
fn n_games(scale: Scale) -> u64 {
    scale.pick(2, 20, 100)
}

/// Expectiminimax; at the smallest scale a shallow one.
pub(crate) fn emm(scale: Scale, form: &PaperForm) -> Agent {
    let small: &[(&str, &str)] = &[("depth", "2"), ("width", "3"), ("samples", "5")];
    Agent {
        id: "emm".to_owned(),
        name: "EMM".to_owned(),
        spec: form.emm(scale.pick(small, &[], &[])),
        seconds: scale.pick(0.02, 5.0, 5.0),
        // It is slower than all others together.
        n_games: scale.pick(2, 8, n_games(scale)),
    }
}

fn ruler(id: &str, name: &str, spec: String, scale: Scale) -> Agent {
    Agent {
        id: id.to_owned(),
        name: name.to_owned(),
        spec,
        seconds: 0.001,
        n_games: n_games(scale),
    }
}

/// The spec of MCTS(K) in a form.
pub(crate) fn mcts(k: u32, scale: Scale, form: &PaperForm) -> String {
    let own = [
        ("k", k.to_string()),
        ("iters", iterations(scale).to_string()),
    ];
    form.tree_search("mcts", &own)
}

/// The spec of MCTS Baseline in a form.
pub(crate) fn mcts_baseline(scale: Scale, form: &PaperForm) -> String {
    form.tree_search("mcts-baseline", &[("iters", iterations(scale).to_string())])
}

/// The agents of Table 1, in its order.
fn agents(scale: Scale, form: &PaperForm) -> Vec<Agent> {
    let of_k = |k: u32| {
        let (id, name) = (format!("mcts-{k}"), format!("MCTS({k})"));
        searcher(&id, &name, mcts(k, scale, form), scale)
    };
    vec![
        ruler("baseline", "Baseline", form.baseline(), scale),
        searcher(
            "mcts-baseline",
            "MCTS Baseline",
            mcts_baseline(scale, form),
            scale,
        ),
        of_k(100),
        of_k(20),
        of_k(1),
        ruler("simulation", "Simulation", form.simulation(), scale),
        emm(scale, form),
    ]
}

fn pool(scale: Scale, form: &PaperForm) -> Result<RoundRobin, LabError> {
    RoundRobin::new(&form.table()?, agents(scale, form))
}

fn series(scale: Scale, form: &PaperForm) -> Result<RoundRobin, LabError> {
    let agent = |k: u32| {
        let (id, name) = (format!("k-{k}"), format!("K = {k}"));
        Agent {
            n_games: scale.pick(2, 8, n_games(scale)),
            ..searcher(&id, &name, mcts(k, scale, form), scale)
        }
    };
    let agents = [1, 2, 5, 10, 20, 50, 100].map(agent).to_vec();
    RoundRobin::new(&form.table()?, agents)
}

/// Ratings shifted so that their mean equals that of the published ones.
fn moved(agents: &[Agent], group: &str, ratings: &[Glicko2Rating]) -> Vec<Glicko2Rating> {
    let published: f64 = agents
        .iter()
        .filter_map(|agent| row(&format!("{group}/{}", agent.id)).number())
        .sum();
    let ours: f64 = ratings.iter().map(|rating| rating.rating).sum();
    let shift = (published - ours) / agents.len() as f64;
    let moved = |rating: &Glicko2Rating| Glicko2Rating {
        rating: rating.rating + shift,
        ..*rating
    };
    ratings.iter().map(moved).collect()
}

/// Ratings beside the published ones: the table and its figure.
fn rating_parts(
    results: &Results,
    robin: &RoundRobin,
    games: &Games,
    (group, title, plot_name): (&str, &str, &str),
) -> Result<Vec<SectionPart>, LabError> {
    let n_games = games.n_games();
    let ratings = moved(&robin.agents, group, &games.glicko());
    let evidence = Evidence::of(
        results,
        format!("{n_games} games, Glicko in the paper's manner"),
    )
    .ended(&games.endings());
    let intervals = "95 % by Glicko's deviation";
    let mut table = ReportTable::comparison_by(title, intervals, evidence);
    let mut plot = DotPlot {
        title: title.to_owned(),
        axis: "Glicko rating".to_owned(),
        rows: Vec::new(),
    };
    for (idx, (agent, rating)) in robin.agents.iter().zip(&ratings).enumerate() {
        let published = row(&format!("{group}/{}", agent.id));
        let interval = rating.interval95();
        let has_played = games.n_games_of(idx) > 0;
        let ours = has_played.then(|| Ours::new(rating.rating, Some(interval), 1));
        table.compare(published, ours.as_ref());
        let around = |value| (value, Some(Interval::around(value, published.margin())));
        let printed: Option<Dot> = published.number().map(around);
        let dot = ours.map(|ours| (ours.value, ours.interval));
        plot.rows.push((agent.name.clone(), printed, dot));
    }
    Ok(vec![
        SectionPart::Table(table),
        SectionPart::Plot(Plot {
            name: plot_name.to_owned(),
            about: format!("{title}, published and ours"),
            svg: plot.svg_with(&[RefLine::new(1500.0, "a new player")]),
        }),
        SectionPart::Table(batch_table(results, robin, games)?),
    ])
}

const CROSS_TABLE: &str = "Table 4: wins of the first, %";
const ALL_AT_ONCE: &str = "The same games rated all at once";

/// The published row of a match.
fn cross_row(robin: &RoundRobin, (i, j): (usize, usize)) -> &'static PublishedResult {
    let (a, b) = (&robin.agents[i].id, &robin.agents[j].id);
    row(&format!("000/table-4/{a}-{b}"))
}

fn pool_again(setting: RunSetting, form: &PaperForm) -> Result<OtherMeans, LabError> {
    let robin = pool(setting.scale, form)?;
    let matches = robin.pairs.iter().zip(&robin.matches);
    let again = |(&pair, games): (&(usize, usize), &ChunkedMatch)| {
        let what = Text::Plain(cross_row(&robin, pair).what.clone());
        games.repeatable(setting, CROSS_TABLE, [what], &COMPARED)
    };
    Ok(OtherMeans::Rows(matches.map(again).collect()))
}

fn series_again(setting: RunSetting, form: &PaperForm) -> Result<OtherMeans, LabError> {
    let robin = series(setting.scale, form)?;
    Ok(OtherMeans::Rows(robin.rated_again(
        setting,
        ALL_AT_ONCE,
        ["Elo by wins", "95 % over blocks"],
        |fitted, agent| rating_texts(fitted, agent).to_vec(),
    )))
}

/// The rating of an agent with its interval.
fn rating_texts(fitted: &BlockRatings, agent: usize) -> [String; 2] {
    [
        number(fitted.elo(agent), 0),
        interval_or_dash(fitted.interval(agent), 0),
    ]
}

/// The ratings that we would publish.
fn batch_table(
    results: &Results,
    robin: &RoundRobin,
    games: &Games,
) -> Result<ReportTable, LabError> {
    let fitted = games.elo()?;
    let size = format!("{} games, Bradley-Terry", games.n_games());
    let mut table = ReportTable::new(
        ALL_AT_ONCE,
        &["agent", "spec", "#Elo by wins", "#95 % over blocks"],
        Evidence::of(results, size).ended(&games.endings()),
    );
    for agent in fitted.best_first() {
        let [elo, interval] = rating_texts(&fitted, agent);
        table.row([
            Text::from(robin.agents[agent].name.as_str()),
            Text::Code(robin.agents[agent].spec.clone()),
            Text::from(elo),
            Text::from(interval),
        ]);
    }
    Ok(table)
}

/// How well our order is the published one: Kendall's tau, and who is first.
fn order_takeaway(
    robin: &RoundRobin,
    games: &Games,
    group: &str,
) -> Result<Option<Text>, LabError> {
    if games.n_games() == 0 {
        return Ok(None);
    }
    let fitted = games.elo()?;
    let published: Vec<f64> = robin
        .agents
        .iter()
        .filter_map(|agent| row(&format!("{group}/{}", agent.id)).number())
        .collect();
    let (mut n_pairs, mut concordance) = (0.0, 0.0);
    for (i, a) in published.iter().enumerate() {
        for (j, b) in published.iter().enumerate().take(i) {
            n_pairs += 1.0;
            concordance += ((a - b) * (fitted.elo(i) - fitted.elo(j))).signum();
        }
    }
    let best = |rating: &dyn Fn(usize) -> f64| {
        let best = (0..robin.agents.len()).max_by(|&a, &b| rating(a).total_cmp(&rating(b)));
        best.map_or("nobody", |agent| robin.agents[agent].name.as_str())
    };
    Ok(Some(Text::Plain(format!(
        "The published order has {} first, ours {}; Kendall's tau between the two orders is {}.",
        best(&|agent| published[agent]),
        best(&|agent| fitted.elo(agent)),
        number(concordance / f64::max(n_pairs, 1.0), 2)
    ))))
}

fn render_pool(results: &Results, form: &PaperForm, form_name: &str) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let robin = pool(scale, form)?;
    let games = robin.read(results)?;
    let plot_name = format!("000-figure-2-{form_name}");
    let names = (
        "000/table-1",
        "Table 1 and Figure 2: ratings",
        plot_name.as_str(),
    );
    let takeaway = order_takeaway(&robin, &games, "000/table-1")?;
    let mut parts: Vec<SectionPart> = takeaway.into_iter().map(SectionPart::Takeaway).collect();
    parts.push(SectionPart::Note(format!(
        "Seven agents in the form of the {form_name}, every pair, two players, dealt, no cards. Tree \
         searches have {} iterations an action (the paper: 2.5 seconds at about 1,000 playouts a second).",
        iterations(scale)
    )));
    parts.push(SectionPart::Note(match form_name {
        "code" => NOT_EXPRESSED.to_owned(),
        _ => "The form of the text: occupations by evaluation, no discount, true probabilities, a lead of \
              ten territories ends a game after a hundred actions. The weights are made by CLOP \
              (weights/greedy-clop.toml names the command and its games; the paper had about 10,000)."
            .to_owned(),
    }));
    parts.extend(rating_parts(results, &robin, &games, names)?);
    parts.push(SectionPart::Table(p_values(results, &robin, &games)));
    parts.push(SectionPart::Table(cross_table(results, &robin, &games)));
    parts.push(SectionPart::Table(schedule_table(results, &robin, &games)));
    Ok(Section { parts })
}

/// Table 2. We agree if both find a difference at the level, or both do not.
fn p_values(results: &Results, robin: &RoundRobin, games: &Games) -> ReportTable {
    let ratings = games.glicko();
    let size = format!("{} games, the ratings above", games.n_games());
    let mut table = ReportTable::comparison(
        "Table 2: p-values that the first is stronger",
        Evidence::of(results, size).ended(&games.endings()),
    );
    for (weaker, b) in robin.agents.iter().enumerate() {
        for (stronger, a) in robin.agents.iter().enumerate().take(weaker) {
            let published = row(&format!("000/table-2/{}-{}", a.id, b.id));
            let p = p_value(&ratings[stronger], &ratings[weaker]);
            let is_clear = published.number().is_some_and(|p| p < LEVEL);
            let ours = Ours::answer(is_clear == (p < LEVEL), p_text(p));
            let has_played = [stronger, weaker].iter().all(|&a| games.n_games_of(a) > 0);
            table.compare(published, has_played.then_some(&ours));
        }
    }
    table
}

/// The ratings if pairs are chosen as the paper describes.
fn schedule_table(results: &Results, robin: &RoundRobin, games: &Games) -> ReportTable {
    let all = moved(&robin.agents, "000/table-1", &games.glicko());
    let (scheduled, n_games) = games.glicko_by_z_score();
    let scheduled = moved(&robin.agents, "000/table-1", &scheduled);
    let size = format!("{n_games} of the same games, the pair with the smallest z-score next");
    let mut table = ReportTable::new(
        "Ratings under the schedule of the paper",
        &[
            "agent",
            "#all games",
            "#by z-score",
            "#95 % by Glicko's deviation",
        ],
        Evidence::of(results, size),
    );
    for ((agent, all), scheduled) in robin.agents.iter().zip(&all).zip(&scheduled) {
        table.row([
            Text::from(agent.name.as_str()),
            Text::from(number(all.rating, 0)),
            Text::from(number(scheduled.rating, 0)),
            Text::from(interval_or_dash(Some(scheduled.interval95()), 0)),
        ]);
    }
    table
}

fn cross_table(results: &Results, robin: &RoundRobin, games: &Games) -> ReportTable {
    let size = format!(
        "{} games, every pair as often but those of EMM",
        games.n_games()
    );
    let evidence = Evidence::of(results, size).ended(&games.endings());
    let mut table = ReportTable::comparison(CROSS_TABLE, evidence);
    for (&pair, result) in robin.pairs.iter().zip(&games.results) {
        let ours = result.share(0).map(Ours::percent);
        table.compare(cross_row(robin, pair), ours.as_ref());
    }
    table
}

fn render_series(
    results: &Results,
    form: &PaperForm,
    form_name: &str,
) -> Result<Section, LabError> {
    let scale = results.setting.scale;
    let robin = series(scale, form)?;
    let games = robin.read(results)?;
    let plot_name = format!("000-table-3-{form_name}");
    let names = ("000/table-3", "Table 3: rating by K", plot_name.as_str());
    let takeaway = order_takeaway(&robin, &games, "000/table-3")?;
    let mut parts: Vec<SectionPart> = takeaway.into_iter().map(SectionPart::Takeaway).collect();
    parts.push(SectionPart::Note(format!(
        "MCTS with the best of K samples entering the tree, in the form of the {form_name}, {} iterations \
         an action for every K.",
        iterations(scale)
    )));
    parts.extend(rating_parts(results, &robin, &games, names)?);
    Ok(Section { parts })
}

const SPEED_KEY: &str = "mcts(k=20) from one deal";

fn plan_speed(setting: RunSetting) -> Result<Vec<Cell>, LabError> {
    let n = setting.scale.pick(200, 20_000, 20_000);
    let cost = setting.scale.pick(0.05, 2.0, 2.0);
    let seed = setting.seed;
    Ok(vec![Cell::new(SPEED_KEY.to_owned(), cost, move |_| {
        let probe = SearchProbe::mcts("mcts(k=20)", seed)?;
        let begun = ThreadTime::now();
        let effort = probe.run(n);
        Ok(Some((effort.iterations, begun.elapsed().as_secs_f64())))
    })])
}

fn render_speed(results: &Results) -> Result<Section, LabError> {
    let measured: Option<(u64, f64)> = results.get(SPEED_KEY)?;
    let n = measured.map_or(0, |(n, _)| n);
    let size = format!("{n} playouts to the end of the game, processor time of one thread");
    let mut table = ReportTable::comparison("Speed", Evidence::of(results, size));
    let timed = |value: f64, decimals| Ours {
        answer: Answer::Beside,
        timed: true,
        ..Ours::new(value, None, decimals)
    };
    let rate = measured.map(|(n, seconds)| n as f64 / seconds.max(1e-9));
    let ours = rate.map(|rate| timed(rate, 0));
    table.compare(row("000/speed/playouts"), ours.as_ref());
    let ours = rate.map(|rate| timed(2500.0 / rate, 2));
    table.compare(row("000/speed/seconds"), ours.as_ref());
    let mut parts = Vec::new();
    if let Some(rate) = rate {
        let words = format!("{rate:.0} playouts a second on one thread.");
        parts.push(SectionPart::Takeaway(Text::Timed(words)));
    }
    parts.extend([
        SectionPart::Note(
            "Faster is no disagreement: these rows only set the figures side by side.".to_owned(),
        ),
        SectionPart::Table(table),
    ]);
    Ok(Section { parts })
}
