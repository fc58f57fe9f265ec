//! `hegemon merge`: the result of a match from its parts.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use hegemon_arena::{MatchPart, MergeError, merge_parts};

use super::matches::MatchAnswer;
use crate::inputs;
use crate::output::OutputArgs;

/// Put the parts of a match together
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MergeArgs {
    /// Files that 'hegemon match --blocks A..B --out FILE' wrote
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const AFTER_HELP: &str = "\
The parts may overlap and come in any order; a block counts once. The result is that of the match \
played at once, to the last digit; if a block is missing or two parts disagree, there is none.

Example: hegemon merge part-*.json";

/// Merges the parts and prints the answer of the match.
pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    let mut parts = Vec::new();
    for path in &args.parts {
        let name = path.display().to_string();
        let text = inputs::read(&name)?;
        parts.push(MatchPart::parse(&text).with_context(|| name)?);
    }
    let (identity, report) = merge_parts(parts).map_err(|error| naming_its_file(error, args))?;
    let answer = MatchAnswer {
        report,
        seed: identity.seed,
        map: identity.map,
        interrupted: false,
        speed: None,
        next: None,
    };
    args.output.print(&answer, MatchAnswer::text)
}

/// The sentence, after the name of the file that it is about.
fn naming_its_file(error: MergeError, args: &MergeArgs) -> anyhow::Error {
    let file = match error {
        MergeError::OtherMatch { n, .. } => args.parts.get(n - 1),
        _ => None,
    };
    let name = file.map(|path| path.display().to_string());
    match name {
        Some(name) => anyhow::Error::new(error).context(name),
        None => error.into(),
    }
}
