//! Draws where a hot loop spends its instructions: the functions in one row and, below each, the
//! source files of its code. Most calls are inlined in these loops, so the files say more than the
//! stack.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::instructions::profile;

/// Instructions by function and by the file of the line.
type Costs = BTreeMap<String, BTreeMap<String, u64>>;

const WIDTH: f64 = 1200.0;
const ROW: f64 = 36.0;
/// Shares below this are not drawn.
const SMALLEST: f64 = 0.004;

/// `cargo xtask flame NAME`: writes `docs/flame-NAME.svg`.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let [name] = args else {
        return Err("flame: name one of the hot loops".to_owned());
    };
    let costs = read(&profile(root, name)?);
    let path = root.join(format!("docs/flame-{name}.svg"));
    std::fs::write(&path, draw(name, &costs)).map_err(|error| format!("flame: {error}"))
}

/// Reads the costs that callgrind wrote.
fn read(text: &str) -> Costs {
    let (mut files, mut functions) = (BTreeMap::new(), BTreeMap::new());
    let (mut file, mut function) = (String::new(), String::new());
    let mut is_call = false;
    let mut costs = Costs::new();
    for line in text.lines() {
        match line.split_once('=') {
            Some(("fl" | "fi" | "fe", rest)) => file = named(&mut files, rest),
            Some(("fn", rest)) => function = named(&mut functions, rest),
            Some(("cfn", rest)) => drop(named(&mut functions, rest)),
            Some(("cfi" | "cfl", rest)) => drop(named(&mut files, rest)),
            Some(("calls", _)) => is_call = true,
            _ if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) => {
                // The line after `calls=` has the callee's cost.
                let cost: Option<u64> = line.split(' ').nth(1).and_then(|cost| cost.parse().ok());
                if let (false, Some(cost)) = (std::mem::take(&mut is_call), cost) {
                    let by_file = costs.entry(short_function(&function)).or_default();
                    *by_file.entry(short_file(&file)).or_default() += cost;
                }
            }
            _ => {}
        }
    }
    costs
}

/// The name behind `(12) name`, or of a `(12)` that was named before.
fn named(names: &mut BTreeMap<String, String>, text: &str) -> String {
    match text.split_once(' ') {
        Some((id, name)) => {
            names.insert(id.to_owned(), name.to_owned());
            name.to_owned()
        }
        None => names.get(text).cloned().unwrap_or_default(),
    }
}

/// The last two parts of a path of Rust names, without generics.
fn short_function(name: &str) -> String {
    let mut depth = 0;
    let plain: String = name
        .chars()
        .filter(|&c| {
            depth += i32::from(c == '<');
            let keep = depth == 0;
            depth -= i32::from(c == '>');
            keep
        })
        .collect();
    let parts: Vec<&str> = plain.split("::").filter(|part| !part.is_empty()).collect();
    parts[parts.len().saturating_sub(2)..].join("::")
}

/// The file with its folder; what is not ours is one of `std` and the crates.
fn short_file(path: &str) -> String {
    let ours = path
        .find("crates/hegemon")
        .or_else(|| path.find("hegemon-"));
    if let (Some(_), Some((_, file))) = (ours, path.rsplit_once("/src/")) {
        return file.to_owned();
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    match path {
        _ if path.contains("/library/") => format!("std {file}"),
        _ if path.contains("rand_xoshiro") => "random words".to_owned(),
        _ => file.to_owned(),
    }
}

fn draw(name: &str, costs: &Costs) -> String {
    let total: u64 = costs.values().flat_map(BTreeMap::values).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<text x=\"4\" y=\"18\" font-size=\"14\">{name}: instructions by function and by \
         file</text>\n",
        3.0 * ROW
    );
    let mut functions: Vec<_> = costs
        .iter()
        .map(|(function, files)| (function, files.values().sum::<u64>(), files))
        .collect();
    functions.sort_by_key(|&(_, cost, _)| std::cmp::Reverse(cost));
    let mut x = 0.0;
    for (function, cost, files) in functions {
        cell(
            &mut svg,
            (x, ROW),
            cost as f64 / total as f64,
            function,
            "#9ecae1",
        );
        let mut inner = x;
        let mut files: Vec<_> = files.iter().collect();
        files.sort_by_key(|&(_, cost)| std::cmp::Reverse(*cost));
        for (file, &cost) in files {
            let share = cost as f64 / total as f64;
            cell(&mut svg, (inner, 2.0 * ROW), share, file, "#fdd0a2");
            inner += share * WIDTH;
        }
        x += cost as f64 / total as f64 * WIDTH;
    }
    svg + "</svg>\n"
}

fn cell(svg: &mut String, (x, y): (f64, f64), share: f64, label: &str, color: &str) {
    if share < SMALLEST {
        return;
    }
    let (width, percent) = (share * WIDTH, 100.0 * share);
    let shown: String = label.chars().take((width / 7.0) as usize).collect();
    let label = label.replace('&', "&amp;").replace('<', "&lt;");
    let shown = shown.replace('&', "&amp;").replace('<', "&lt;");
    // A string can always be written to.
    let _ = writeln!(
        svg,
        "<g><title>{label}: {percent:.1} %</title><rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" \
         height=\"{}\" fill=\"{color}\" stroke=\"#fff\"/><text x=\"{:.1}\" y=\"{}\">{shown}</text></g>",
        ROW - 2.0,
        x + 3.0,
        y + 21.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "fl=(1) /r/crates/hegemon-core/src/turn.rs\nfn=(1) a::b::turn\n10 5\nfi=(2) \
                           /x/library/core/src/cmp.rs\n+1 3\ncfn=(2) a::other\ncalls=1 0\n* 100\nfe=(1)\n-4 \
                           2\nfn=(2)\n7 4\n";

    #[test]
    fn own_costs_are_summed_by_function_and_file() {
        let costs = read(PROFILE);
        assert_eq!(costs["b::turn"]["turn.rs"], 7);
        assert_eq!(costs["b::turn"]["std cmp.rs"], 3);
        assert_eq!(costs["a::other"]["turn.rs"], 4);
    }

    #[test]
    fn the_picture_names_the_largest() {
        let svg = draw("loop", &read(PROFILE));
        assert!(svg.contains("b::turn: 71.4 %"), "{svg}");
    }

    #[test]
    fn names_lose_their_generics() {
        assert_eq!(short_function("<a::B as c::D<e::F>>::go"), "go");
        assert_eq!(short_function("a::b::c::go::<x::Y>"), "c::go");
    }
}
