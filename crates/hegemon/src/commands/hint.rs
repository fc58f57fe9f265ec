//! `hegemon hint`: the best plans at a decision.

use anyhow::bail;
use clap::Args;
use hegemon_analysis::{Hints, Level, hints};
use hegemon_bots::{Judge, Stop};
use serde::Serialize;

use crate::inputs::{self, GameChoice};
use crate::output::{self, Column, OutputArgs};

/// The best plans at a decision, with win chances and the reason
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct HintArgs {
    /// The position, as one argument
    position: String,
    #[command(flatten)]
    game: GameChoice,
    /// Number of players [default: all that the position names]
    #[arg(long, value_name = "N")]
    players: Option<usize>,
    /// How thorough: fast, normal or deep
    #[arg(long, default_value_t = Level::Normal)]
    level: Level,
    /// How many plans
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = inputs::up_to::<usize, 20>)]
    plans: usize,
    /// Seed of all samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
Candidates come from the champion's own search; the chances are means over looks ahead to the next own \
turn, with other samples than those that found the candidates. Of the other players nothing is known. \
docs/analysis.md says more.

Example: hegemon hint 'board=a3b2b1 phase=attack player=0 round=3' --map triangle3 --rules lux";

/// Gives the hint.
pub(crate) fn run(args: &HintArgs) -> anyhow::Result<()> {
    let n_players = inputs::players_of(&args.position, args.players)?;
    let game = args.game.resolve(Some(n_players))?;
    let state = inputs::position(&game, &args.position)?;
    let judge = Judge::new(&game, &Stop::never())?;
    let strangers = judge.strangers();
    let found = hints(
        &judge, &state, &strangers, args.level, args.plans, args.seed,
    );
    let Some(hints) = found else {
        bail!("the position waits for no decision of a player");
    };
    let answer = HintAnswer {
        level: args.level,
        seed: args.seed,
        hints,
    };
    args.output.print(&answer, HintAnswer::text)
}

#[derive(Serialize)]
struct HintAnswer {
    level: Level,
    seed: u64,
    #[serde(flatten)]
    hints: Hints,
}

impl HintAnswer {
    fn text(&self) -> String {
        let Hints {
            seat,
            chances,
            errors,
            plans,
        } = &self.hints;
        let percent = |p: f64| format!("{:.1}", 100.0 * p);
        let mut text = format!("Player {} decides. Chances to win:", seat + 1);
        for (seat, (chance, error)) in (1..).zip(chances.iter().zip(errors)) {
            text += &format!(" {seat}: {} ± {}", percent(*chance), percent(*error));
        }
        text += "\n\n";
        let mut table = output::table([
            Column::Number("win %"),
            Column::Number("±"),
            Column::Number("losses"),
            Column::Number("kills"),
            Column::Text("plan and reason"),
        ]);
        for plan in plans {
            table.add_row(output::row([
                percent(plan.chance),
                percent(plan.error),
                format!("{:.1}", plan.losses),
                format!("{:.1}", plan.kills),
                format!("{}\n({})", plan.words, plan.why),
            ]));
        }
        text += &output::table_text(&table);
        text.push('\n');
        text + &output::facts([("level", format!("{}, seed {}", self.level, self.seed))])
    }
}
