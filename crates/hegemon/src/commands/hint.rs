//! `hegemon hint`: the best plans at a decision.

use anyhow::bail;
use clap::{Args, ValueEnum};
use hegemon_analysis::{ExamAnswer, ExamSet, Hints, Level, exam, hints};
use hegemon_bots::{Judge, Stop};
use serde::Serialize;

use crate::inputs::{self, GameChoice};
use crate::output::{self, Column, OutputArgs};
use crate::values;

/// The best plans at a decision, with win chances and the reason
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct HintArgs {
    /// The position, as one argument
    #[arg(required_unless_present = "exam")]
    position: Option<String>,
    /// Ask about twenty positions with an obvious plan instead, and count
    #[arg(long, value_enum, value_name = "SET", num_args = 0..=1, default_missing_value = "first",
        conflicts_with_all = ["position", "map", "rules", "set", "players", "plans"])]
    exam: Option<ExamChoice>,
    #[command(flatten)]
    game: GameChoice,
    /// Number of players [default: all that the position names]
    #[arg(long, value_name = "N", value_parser = values::players())]
    players: Option<usize>,
    /// How thorough: fast, normal or deep
    #[arg(long, default_value_t = Level::Normal)]
    level: Level,
    /// How many plans
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = values::whole::<usize>(1..=20))]
    plans: usize,
    /// Seed of all samples
    #[arg(long, default_value_t = 1, value_parser = values::seed())]
    seed: u64,
    #[command(flatten)]
    output: OutputArgs,
}

/// [`ExamSet`] by its names.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ExamChoice {
    /// The set with which hints were made.
    First,
    /// A set written before the program was asked about it.
    Blind,
    /// Another such set, written after hints were mended with the other two.
    Third,
}

impl From<ExamChoice> for ExamSet {
    fn from(choice: ExamChoice) -> ExamSet {
        match choice {
            ExamChoice::First => ExamSet::First,
            ExamChoice::Blind => ExamSet::Blind,
            ExamChoice::Third => ExamSet::Third,
        }
    }
}

const AFTER_HELP: &str = "\
Candidates come from the champion's own search; the chances are means over looks ahead to the next own \
turn, with other samples than those that found the candidates. Of the other players nothing is known. \
docs/analysis.md says more.

Example: hegemon hint 'board=a3b2b1 phase=attack player=0 round=3' --map triangle3 --rules lux";

/// Gives the hint.
pub(crate) fn run(args: &HintArgs) -> anyhow::Result<()> {
    if let Some(set) = args.exam {
        let answer = ExamReport::new(exam(set.into(), args.level, args.seed)?);
        return args.output.print(&answer, ExamReport::text);
    }
    let text = args.position.as_deref().unwrap_or_default();
    let n_players = inputs::players_of(text, args.players)?;
    let game = args.game.resolve(Some(n_players))?;
    let state = inputs::position(&game, text)?;
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
        let all = (1..).zip(chances.iter().zip(errors));
        let all = all.map(|(seat, (chance, error))| {
            format!("player {seat} {} ± {}", percent(*chance), percent(*error))
        });
        let all: Vec<String> = all.collect();
        let text = format!(
            "Player {} decides. If bots play on for everybody, the chances to win are: {}.",
            seat + 1,
            all.join(", ")
        );
        let mut text = output::wrapped(&text, 4) + "\n";
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

#[derive(Serialize)]
struct ExamReport {
    n_right: usize,
    n_positions: usize,
    answers: Vec<ExamAnswer>,
}

impl ExamReport {
    fn new(answers: Vec<ExamAnswer>) -> ExamReport {
        ExamReport {
            n_right: answers.iter().filter(|answer| answer.is_right).count(),
            n_positions: answers.len(),
            answers,
        }
    }

    fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("right"),
            Column::Text("position"),
            Column::Text("first plan"),
            Column::Number("win %"),
        ]);
        for answer in &self.answers {
            table.add_row(output::row([
                if answer.is_right { "yes" } else { "NO" }.to_owned(),
                answer.name.clone(),
                answer.plan.clone(),
                format!("{:.1}", 100.0 * answer.chance),
            ]));
        }
        format!(
            "{}\n{} of {} right\n",
            output::table_text(&table),
            self.n_right,
            self.n_positions
        )
    }
}
