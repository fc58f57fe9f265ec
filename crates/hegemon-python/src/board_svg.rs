//! A board as a picture.

use std::fmt::Write as _;

use hegemon_core::{Map, PlayerId, State, TerritoryId};

/// Colours of the seats that people with any colour vision tell apart (Okabe and Ito).
const SEATS: [&str; 6] = [
    "#d55e00", "#0072b2", "#009e73", "#f0e442", "#cc79a7", "#56b4e9",
];
const NEUTRAL: &str = "#bbbbbb";
const FREE: &str = "#ffffff";
const MARGIN: f64 = 40.0;

/// The map without armies, territories in the colours of their continents.
pub(crate) fn map_svg(map: &Map) -> String {
    let colors: Vec<&str> = map
        .spec()
        .continents
        .iter()
        .map(|continent| continent.color.as_str())
        .collect();
    draw(map, None, |t| {
        let color = colors.get(map.continent_of(t).index());
        ((*color.unwrap_or(&NEUTRAL)).to_owned(), String::new())
    })
}

/// The board with the armies of every territory.
pub(crate) fn state_svg(state: &State) -> String {
    let board = state.board();
    draw(state.game().map(), Some(state), |t| {
        let owner = board.owner(t);
        let color = match owner {
            PlayerId::NEUTRAL => NEUTRAL,
            PlayerId::NOBODY => FREE,
            seat => SEATS[seat.index() % SEATS.len()],
        };
        (color.to_owned(), board.armies(t).to_string())
    })
}

fn draw(
    map: &Map,
    state: Option<&State>,
    disc: impl Fn(TerritoryId) -> (String, String),
) -> String {
    let spots: Vec<[f64; 2]> = map.spec().territories.iter().map(|t| t.position).collect();
    let far = |axis: usize| spots.iter().map(|spot| spot[axis]).fold(0.0, f64::max) + MARGIN;
    let (width, height) = (far(0), far(1) + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n"
    );
    for from in map.territories() {
        for &to in map
            .neighbor_list(from)
            .iter()
            .filter(|to| to.index() > from.index())
        {
            let ([x1, y1], [x2, y2]) = (spots[from.index()], spots[to.index()]);
            // A line around the edge of the map, as between Alaska and Kamchatka.
            if (x1 - x2).abs() > 0.6 * width {
                for (x, y) in [(x1, y1), (x2, y2)] {
                    let edge = if x < width / 2.0 { 0.0 } else { width };
                    line(&mut svg, [x, y], [edge, y]);
                }
            } else {
                line(&mut svg, [x1, y1], [x2, y2]);
            }
        }
    }
    for t in map.territories() {
        let [x, y] = spots[t.index()];
        let (color, text) = disc(t);
        let name = escape(map.territory_name(t));
        let _ = writeln!(
            svg,
            "<g><title>{t}: {name}</title><circle cx=\"{x}\" cy=\"{y}\" r=\"13\" \
             fill=\"{color}\" stroke=\"#333\"/><text x=\"{x}\" y=\"{}\" font-size=\"12\" \
             font-weight=\"bold\">{text}</text><text x=\"{x}\" y=\"{}\" font-size=\"9\" \
             fill=\"#555\">{name}</text></g>",
            y + 4.0,
            y + 24.0
        );
    }
    if let Some(state) = state {
        let whose = format!(
            "round {}, {}, player {}",
            state.round(),
            state.phase().name(),
            state.player()
        );
        let (x, y) = (width / 2.0, height - 10.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"14\">{whose}</text>"
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn line(svg: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
    let _ = writeln!(
        svg,
        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#999\"/>"
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
