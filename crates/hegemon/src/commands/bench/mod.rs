//! `hegemon bench`: the behaviour signature and speed figures.

mod compare;
mod measure;
mod scaling;
mod signature;

use anyhow::Context;
use clap::Args;
use hegemon_record::Program;
use serde_json::{Map as JsonMap, Value};

use crate::output::{self, Column, OutputArgs, grouped, rounded};
use crate::values;
use compare::Earlier;
use measure::{MEASUREMENTS, Measurement, Rate, bytes_per_node};
use signature::Signature;

/// Print the behaviour signature and speed figures
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BenchArgs {
    /// Print the signature only
    #[arg(long, conflicts_with = "seconds")]
    signature: bool,
    /// Seconds per measurement; with --scaling those of a match: a pool plays 100,000 games a thread
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = values::seconds())]
    seconds: f64,
    /// Compare with the figures of an earlier run
    #[arg(long, value_name = "OLD.json", conflicts_with_all = ["signature", "scaling"])]
    compare: Option<String>,
    /// Measure games per second by thread count instead
    #[arg(long, conflicts_with = "signature")]
    scaling: bool,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
The signature is folded from fixed games of every bot on the reference maps under every preset. It is the \
same on every machine and changes exactly when play changes. Speeds are for one thread unless \
stated otherwise, in wall-clock and in processor time.

Examples:
  hegemon bench --json --seconds 5 > old.json
  hegemon bench --seconds 5 --compare old.json
  hegemon bench --scaling --seconds 10";

/// How many of a measurement's units are done in a second, in wall-clock time on one thread.
pub(super) fn speed(name: &str, seconds: f64) -> anyhow::Result<f64> {
    let found = MEASUREMENTS
        .iter()
        .find(|measurement| measurement.name == name);
    let measurement = found.with_context(|| format!("there is no measurement {name}"))?;
    Ok(measurement.rate(seconds)?.per_s())
}

/// Plays the games of the signature, then measures the speeds.
pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    if args.signature {
        let signature = Signature::compute()?;
        return args
            .output
            .print(&signature.number(), |number| format!("{number}\n"));
    }
    if args.scaling {
        return scaling::run(args.seconds, args.output);
    }
    let earlier = args.compare.as_deref().map(Earlier::read).transpose()?;
    let bar = output::progress(1 + MEASUREMENTS.len() as u64);
    bar.set_message("signature");
    let signature = Signature::compute()?;
    let mut speeds = Vec::new();
    for measurement in &MEASUREMENTS {
        bar.step();
        bar.set_message(measurement.name);
        speeds.push((measurement, measurement.rate(args.seconds)?));
    }
    bar.finish_and_clear();
    let bytes_per_node = bytes_per_node()?;
    let mut fields = json(&signature, &speeds);
    if args.output.is_json() {
        let bytes = Value::from(rounded(bytes_per_node, 1));
        fields.insert("mcts_bytes_per_node".to_owned(), bytes);
        if let Some(earlier) = earlier {
            for (name, _, _, ratio) in earlier.ratios(&fields) {
                fields.insert(format!("{name}_ratio"), Value::from(rounded(ratio, 3)));
            }
            let is_same = earlier.plays_the_same(&fields);
            fields.insert("play_changed".to_owned(), Value::from(!is_same));
        }
        args.output.print(&fields, |_| String::new())
    } else {
        let memory = format!("\nmemory of a search: {bytes_per_node:.0} bytes a node\n");
        let beside = earlier.map_or_else(String::new, |earlier| {
            format!("\n{}", earlier.beside(&fields))
        });
        output::print(&(text(&signature, &speeds) + &memory + &beside))
    }
}

fn json(signature: &Signature, speeds: &[(&Measurement, Rate)]) -> JsonMap<String, Value> {
    let by_bot = signature
        .by_bot()
        .map(|(spec, number)| (spec.to_owned(), Value::from(number)));
    let mut fields = JsonMap::new();
    fields.insert(
        "program".to_owned(),
        Value::from(Program::current().to_string()),
    );
    fields.insert("signature".to_owned(), Value::from(signature.number()));
    fields.insert(
        "signature_by_bot".to_owned(),
        Value::Object(by_bot.collect()),
    );
    for (Measurement { name, .. }, rate) in speeds {
        fields.insert(
            format!("{name}_per_s"),
            Value::from(rounded(rate.per_s(), 1)),
        );
        fields.insert(
            format!("{name}_per_cpu_s"),
            Value::from(rounded(rate.per_cpu_s(), 1)),
        );
    }
    fields
}

fn text(signature: &Signature, speeds: &[(&Measurement, Rate)]) -> String {
    let mut table = output::table([
        Column::Text("speed of"),
        Column::Number("per second"),
        Column::Number("per CPU second"),
        Column::Text("what it is"),
    ]);
    for (measurement, rate) in speeds {
        table.add_row(output::row([
            measurement.name.to_owned(),
            grouped(rate.per_s().round() as u64),
            grouped(rate.per_cpu_s().round() as u64),
            measurement.about.to_owned(),
        ]));
    }
    format!(
        "signature {}\n\n{}",
        signature.number(),
        output::table_text(&table)
    )
}
