//! The demonstration of the README: what the program really prints, as a picture of a terminal.

use std::path::Path;
use std::process::Command;

use crate::{ci, files};

const PICTURE: &str = "docs/demo.svg";

/// What is shown, with the number of lines of each that are enough.
const SCENES: [(&str, usize); 3] = [
    ("odds 5 4", 8),
    ("match killbot quo --rules lux --games 1000 --seed 1", 4),
    (
        "maps check ring24 --rules lux --players 3 --games 300 --seed 1",
        7,
    ),
];

/// Pixels of a character and a line, of the margin around them, and of the bar above.
const CHARACTER: f64 = 8.4;
const LINE: usize = 20;
const MARGIN: usize = 20;
const BAR: usize = 30;

/// Columns of the terminal; the program prints at most 80 where it does not know better.
const COLUMNS: f64 = 84.0;

/// Seconds until the next scene appears.
const PAUSE: f64 = 1.2;

/// One command and what it printed.
struct Scene {
    command: String,
    lines: Vec<String>,
}

/// `cargo xtask demo [--program FILE]`: writes the picture, of a program that is built already or of a new one.
pub(crate) fn draw(root: &Path, args: &[&str]) -> Result<(), String> {
    let program = match args {
        [] => {
            ci::cargo(root, &["build", "--release", "--package", "hegemon"], &[])?;
            files::target(root).join("release/hegemon")
        }
        ["--program", file] => root.join(file),
        _ => {
            return Err(format!(
                "demo: `{}` is not understood; it is `cargo xtask demo [--program FILE]`",
                args.join(" ")
            ));
        }
    };
    let scenes: Result<Vec<Scene>, String> = SCENES
        .iter()
        .map(|(line, n)| play(&program, line, *n))
        .collect();
    files::write(&root.join(PICTURE), &svg(&scenes?))?;
    println!("demo: {PICTURE} is written");
    Ok(())
}

fn play(program: &Path, line: &str, n_lines: usize) -> Result<Scene, String> {
    let output = Command::new(program)
        .args(line.split(' '))
        .output()
        .map_err(|error| format!("demo: cannot start {}: {error}", program.display()))?;
    if !output.status.success() {
        return Err(format!(
            "demo: `hegemon {line}` ended with {}",
            output.status
        ));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines = printed.lines().take(n_lines).map(str::trim_end);
    Ok(Scene {
        command: format!("hegemon {line}"),
        lines: lines.map(str::to_owned).collect(),
    })
}

fn svg(scenes: &[Scene]) -> String {
    let n_lines: usize = scenes.iter().map(|scene| scene.lines.len() + 2).sum();
    let width = COLUMNS.mul_add(CHARACTER, 2.0 * MARGIN as f64);
    let height = BAR + MARGIN + n_lines * LINE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 {width:.0} {height}\" role=\"img\" aria-labelledby=\"t\">\n\
         <title id=\"t\">Hegemon in a terminal: odds, a match, a map</title>\n\
         <style>text {{ font: 14px ui-monospace, Menlo, Consolas, monospace; white-space: pre; fill: #d8dee9 }} \
         .command {{ fill: #a3d9a5; font-weight: bold }} @keyframes show {{ from {{ opacity: 0 }} to {{ opacity: 1 }} }} \
         g {{ animation: show 0.4s both }} @media (prefers-reduced-motion: reduce) {{ g {{ animation: none }} }}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d2430\"/>\n"
    );
    for (n, color) in ["#ff5f56", "#ffbd2e", "#27c93f"].iter().enumerate() {
        let x = MARGIN + n * LINE;
        text.push_str(&format!(
            "<circle cx=\"{x}\" cy=\"18\" r=\"6\" fill=\"{color}\"/>\n"
        ));
    }
    let mut y = BAR + MARGIN;
    for (n, scene) in scenes.iter().enumerate() {
        let delay = n as f64 * PAUSE;
        text.push_str(&format!("<g style=\"animation-delay: {delay:.1}s\">\n"));
        text.push_str(&row("command", y, &format!("$ {}", scene.command)));
        for line in &scene.lines {
            y += LINE;
            text.push_str(&row("printed", y, line));
        }
        text.push_str("</g>\n");
        y += 2 * LINE;
    }
    text + "</svg>\n"
}

fn row(class: &str, y: usize, line: &str) -> String {
    let line = line
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    format!("<text class=\"{class}\" x=\"{MARGIN}\" y=\"{y}\">{line}</text>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_drawn_line_by_line_and_escaped() {
        let scene = Scene {
            command: "hegemon x".to_owned(),
            lines: vec!["a < b & c".to_owned(), String::new()],
        };
        let picture = svg(&[scene]);
        assert!(picture.contains(">$ hegemon x</text>"));
        assert!(picture.contains(">a &lt; b &amp; c</text>"));
        assert_eq!(picture.matches("<text ").count(), 3);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    }
}
