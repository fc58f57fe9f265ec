//! The pictures of `docs/theory.md`, drawn from the exact laws.

use hegemon_core::battle::{BattleLaw, chain};
use hegemon_learn::svg::{Anchor, Axes, AxisScale, COLOURS, Picture, PlotMark, Words};

/// Size of a panel, and how much room it takes with its labels.
const PANEL: [f64; 2] = [340.0, 220.0];
const CELL: f64 = 420.0;
const TOP: f64 = 82.0;

/// The most fighters that are drawn.
const N_FIGHTERS: u32 = 30;

/// The battle whose ends are drawn, and the chain of `docs/theory.md`.
const BATTLE: [u32; 2] = [20, 15];
const CHAIN: [u32; 4] = [3, 2, 5, 1];

/// Whether a battle is won, by numbers, and how it ends.
pub(super) fn battle() -> String {
    let law = BattleLaw::default();
    let mut picture = Picture::new([2.0 * CELL + 20.0, TOP + PANEL[1] + 48.0], "A battle");
    let axes = panel(0, f64::from(N_FIGHTERS), 100.0);
    draw_frame(
        &mut picture,
        axes,
        "chance to conquer a territory, %",
        "fighters",
    );
    let mut x = 64.0;
    for (number, defenders) in [2, 5, 10, 20].into_iter().enumerate() {
        let colour = COLOURS[number];
        x = picture.key(
            [x, 48.0],
            PlotMark::Dash,
            colour,
            &format!("against {defenders}"),
        );
        let at = |n| axes.at(f64::from(n), 100.0 * law.win_probability(n, defenders));
        picture.curve((1..=N_FIGHTERS).map(at), colour);
    }
    draw_ends(&mut picture, law);
    picture.finish()
}

/// A bar for every number of armies that may be left.
fn draw_ends(picture: &mut Picture, law: BattleLaw) {
    let [fighters, defenders] = BATTLE;
    let ends = law.distribution(fighters, defenders);
    let most = ends.outcomes().iter().map(|end| end.probability);
    let axes = panel(
        1,
        f64::from(fighters.max(defenders)),
        110.0 * most.fold(0.0, f64::max),
    );
    let title = format!("{fighters} fighters against {defenders}: chance of each end, %");
    draw_frame(picture, axes, &title, "armies left");
    let mut x = CELL + 64.0;
    for (colour, who, is_win) in [
        (COLOURS[0], "fighters left", true),
        (COLOURS[1], "defenders left", false),
    ] {
        x = picture.key([x, 48.0], PlotMark::Dash, colour, who);
        let points = ends.outcomes().iter().filter(|end| end.is_win() == is_win);
        let mut points: Vec<_> = points
            .map(|end| {
                axes.at(
                    f64::from(end.fighters + end.defenders),
                    100.0 * end.probability,
                )
            })
            .collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        for point in &points {
            picture.mark(PlotMark::Dot, *point, 2.5, colour);
        }
        picture.curve(points, colour);
    }
}

/// The chance of an attack with this many fighters.
type ChanceByFighters = fn(BattleLaw, u32) -> f64;

/// A chain beside what one would get from its battles one by one.
pub(super) fn campaign() -> String {
    let law = BattleLaw::default();
    let words = CHAIN.map(|defenders| defenders.to_string()).join(", ");
    let title = format!("Territories with {words} defenders, one after another");
    let mut picture = Picture::new([CELL + 120.0, TOP + PANEL[1] + 48.0], &title);
    let axes = panel(0, f64::from(N_FIGHTERS), 100.0);
    draw_frame(&mut picture, axes, "chance to conquer all, %", "fighters");
    let curves: [(&str, ChanceByFighters); 2] = [
        ("the chain", |law, n| {
            chain(law, n, &CHAIN, &[]).map_or(0.0, |chain| chain.success())
        }),
        ("product of the battles, as if none cost an army", product),
    ];
    let mut x = 64.0;
    for (number, (name, chance)) in curves.into_iter().enumerate() {
        x = picture.key([x, 48.0], PlotMark::Dash, COLOURS[number], name);
        let at = |n| axes.at(f64::from(n), 100.0 * chance(law, n));
        picture.curve((1..=N_FIGHTERS).map(at), COLOURS[number]);
    }
    picture.finish()
}

/// Every battle with all fighters but those left behind on the way.
fn product(law: BattleLaw, fighters: u32) -> f64 {
    let left = (0..).map(|n_behind| fighters.saturating_sub(n_behind));
    let chances = CHAIN.iter().zip(left);
    chances
        .map(|(&defenders, fighters)| law.win_probability(fighters, defenders))
        .product()
}

/// The axes of a panel, counted from the left, from 0 to these ends.
fn panel(number: usize, x: f64, y: f64) -> Axes {
    let left = 64.0 + CELL * number as f64;
    Axes {
        x: AxisScale::new([0.0, x], [left, left + PANEL[0]]),
        y: AxisScale::new([0.0, y], [TOP + PANEL[1], TOP]),
    }
}

fn draw_frame(picture: &mut Picture, axes: Axes, name: &str, label: &str) {
    axes.frame(picture, "");
    picture.text(
        [axes.x.at(0.0), TOP - 8.0],
        Anchor::Start,
        Words::Small,
        name,
    );
    axes.mark_x(picture, axes.x.ticks());
    axes.mark_y(picture, axes.y.ticks());
    axes.label(picture, label);
}

#[test]
fn a_chain_is_harder_than_its_battles() {
    let law = BattleLaw::default();
    let whole = chain(law, 12, &CHAIN, &[]).expect("no garrisons").success();
    assert!(whole < product(law, 12) && product(law, 12) < 1.0);
}
