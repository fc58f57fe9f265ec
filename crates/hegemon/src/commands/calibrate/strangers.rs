//! The value beside games of players that it has not met, at every kind of table.

use std::sync::atomic::Ordering;

use hegemon_arena::Program;
use hegemon_lab::{ChancesSaid, StrangerTable, calibration_picture};
use serde::Serialize;

use super::CalibrateArgs;
use crate::inputs;
use crate::interrupt::stop_flag;
use crate::output::{self, Column};

/// Plays at every table, then prints and draws.
pub(super) fn run(args: &CalibrateArgs) -> anyhow::Result<()> {
    inputs::check_place(args.plot.as_deref())?;
    let stop = stop_flag();
    let kinds = StrangerTable::all();
    let bar = output::progress(kinds.len() as u64);
    let mut tables = Vec::new();
    for table in &kinds {
        if stop.load(Ordering::SeqCst) {
            break;
        }
        tables.push(table.play(args.games, args.seed, args.threads.n(), stop)?);
        bar.step();
    }
    bar.finish_and_clear();
    let answer = StrangersAnswer {
        program: Program::current().clone(),
        games_a_table: args.games,
        seed: args.seed,
        interrupted: stop.load(Ordering::SeqCst),
        tables,
    };
    if let Some(path) = &args.plot {
        inputs::write_file(path, &calibration_picture(&answer.tables))?;
    }
    args.output.print(&answer, StrangersAnswer::text)
}

#[derive(Serialize)]
struct StrangersAnswer {
    program: Program,
    games_a_table: u64,
    seed: u64,
    interrupted: bool,
    tables: Vec<ChancesSaid>,
}

impl StrangersAnswer {
    fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("rules and players"),
            Column::Number("10 %"),
            Column::Number("30 %"),
            Column::Number("50 %"),
            Column::Number("70 %"),
            Column::Number("90 %"),
        ]);
        let mut losses = output::table([
            Column::Text("log-loss"),
            Column::Number("value"),
            Column::Number("linear evaluation"),
            Column::Number("share of armies"),
            Column::Number("positions"),
        ]);
        for line in &self.tables {
            let name = format!("{} {}", line.rules, line.players);
            let mut cells = vec![name.clone()];
            for bin in &line.fifths {
                cells.push(match bin.n {
                    0 => "-".to_owned(),
                    _ => format!(
                        "{:+.1} ± {:.1}",
                        100.0 * (bin.won - bin.said),
                        100.0 * bin.error
                    ),
                });
            }
            table.add_row(output::row(cells));
            let mut cells = vec![name];
            let judges = line.log_loss.iter().take(3);
            cells.extend(judges.map(|(_, loss)| format!("{loss:.3}")));
            cells.push(output::grouped(line.positions));
            losses.add_row(output::row(cells));
        }
        let n_ranges: usize = self.tables.iter().map(|line| line.fifths.len()).sum();
        let off = self.tables.iter().map(ChancesSaid::n_off);
        let [n_off, n_sure] = off.fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
        let mut text = output::table_text(&table);
        text.push('\n');
        text += &output::wrapped(
            "Points won more often than said, with the standard error over games, by what was said.",
            0,
        );
        text.push('\n');
        text += &output::table_text(&losses);
        text.push('\n');
        text += &output::facts([
            (
                "off",
                format!(
                    "{n_off} of {n_ranges} by more than 3 points, {n_sure} of them by two standard errors more"
                ),
            ),
            (
                "games",
                format!("{} at each table, seed {}", self.games_a_table, self.seed),
            ),
            ("program", self.program.to_string()),
        ]);
        if self.interrupted {
            text += "\nInterrupted: these are the tables that were begun.\n";
        }
        text
    }
}
