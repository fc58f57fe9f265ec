//! `hegemon man`: the manual pages, in roff.

use anyhow::Context;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::args::Cli;
use crate::inputs;
use crate::output;

/// Print the manual page of hegemon or of one command
#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon man odds | man -l -")]
pub(crate) struct ManArgs {
    /// A command, such as odds or arena add; without one, the page of hegemon
    command: Vec<String>,
}

/// Prints the page.
pub(crate) fn run(args: &ManArgs) -> anyhow::Result<()> {
    let mut command = without_help(Cli::command());
    command.build();
    let mut above = Vec::new();
    for name in &args.command {
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let found = command.find_subcommand(name).cloned();
        let help = format!("{} --help", title(&command).replace('-', " "));
        let found = found.with_context(|| inputs::unknown("command", name, &names, &help))?;
        above.insert(0, title(&command));
        command = found;
    }
    output::print(&page(&command, &above)?)
}

/// The commands that print help have no pages of their own.
fn without_help(command: Command) -> Command {
    command
        .disable_help_subcommand(true)
        .mut_subcommands(without_help)
}

/// The name of a command's page.
fn title(command: &Command) -> String {
    let name = command.get_display_name();
    name.unwrap_or_else(|| command.get_name()).to_owned()
}

/// The page of a command below others.
fn page(command: &Command, above: &[String]) -> anyhow::Result<String> {
    let help = command.get_after_help().map(ToString::to_string);
    let (examples, notes): (Vec<&str>, Vec<&str>) = help
        .as_deref()
        .unwrap_or_default()
        .split("\n\n")
        .partition(|paragraph| paragraph.starts_with("Example"));
    let about = command.get_about().map(ToString::to_string);
    let description: Vec<String> = about
        .map(|about| format!("{}.", about.trim_end_matches('.')))
        .into_iter()
        .chain(notes.into_iter().map(str::to_owned))
        .collect();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let man = Man::new(
        command
            .clone()
            .override_usage(usage)
            .long_about(description.join("\n\n"))
            .subcommand_help_heading("COMMANDS"),
    )
    // Without one the fields behind it would take its place.
    .date(" ")
    .source(concat!("hegemon ", env!("CARGO_PKG_VERSION")))
    .manual("Manual of hegemon");

    let mut page = Vec::new();
    man.render_title(&mut page)?;
    // No word is divided and no line stretched: names and options are to be copied.
    Roff::new()
        .control("ad", ["l"])
        .control("nh", [])
        .to_writer(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    as_typed(
        "EXAMPLES",
        examples.iter().flat_map(|text| commands_of(text)),
    )
    .to_writer(&mut page)?;
    if above.is_empty() {
        man.render_version_section(&mut page)?;
    } else {
        let pages: Vec<String> = above.iter().map(|name| format!("{name}(1)")).collect();
        as_typed("SEE ALSO", [pages.join(", ").as_str()]).to_writer(&mut page)?;
    }
    Ok(with_one_head(&String::from_utf8(page)?))
}

/// The lines of a paragraph of examples, without its first word.
fn commands_of(paragraph: &str) -> impl Iterator<Item = &str> {
    paragraph
        .lines()
        .map(|line| line.trim_start_matches("Example:").trim())
        .filter(|line| !line.is_empty())
}

/// A section whose lines stay as they are.
fn as_typed<'a>(heading: &str, lines: impl IntoIterator<Item = &'a str>) -> Roff {
    let mut section = Roff::new();
    section.control("SH", [heading]).control("nf", []);
    for line in lines {
        section.text([roman(line)]);
    }
    section.control("fi", []);
    section
}

/// Every part was written with the definitions that begin a page; they are needed once.
fn with_one_head(page: &str) -> String {
    const HEAD_LINES: usize = 2;
    let head: Vec<&str> = page.lines().take(HEAD_LINES).collect();
    let rest = page.lines().skip(HEAD_LINES);
    let rest = rest.filter(|line| !head.contains(line));
    let lines: Vec<&str> = head.iter().copied().chain(rest).collect();
    lines.join("\n") + "\n"
}
