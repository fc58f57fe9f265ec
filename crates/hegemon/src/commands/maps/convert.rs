//! `hegemon maps import` and `export`: maps of the program Domination.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use hegemon_core::{Map, MapError, MapSpec, OneWay};
use serde::Serialize;

use crate::inputs;
use crate::output::{self, OutputArgs};
use crate::values;

/// Make a map file of one of the program Domination (.map)
#[derive(Debug, Args)]
#[command(after_help = IMPORT_HELP)]
pub(super) struct ImportArgs {
    /// The .map file
    #[arg(value_name = "FILE.map")]
    file: PathBuf,
    /// A .cards file, of which the missions are taken
    #[arg(long, value_name = "FILE.cards")]
    cards: Option<PathBuf>,
    /// Borders that lead one way lead both ways
    #[arg(long)]
    both_ways: bool,
    /// The map file to write [default: the same name with .json]
    #[arg(long, value_name = "FILE.json")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
}

const IMPORT_HELP: &str = "\
Pictures are left aside: the page draws every map itself. Borders that lead one way do not exist here; they are \
named, or widened with --both-ways.

Example: hegemon maps import my-map.map --out my-map.json && hegemon maps check my-map.json";

/// Write a map as one of the program Domination (.map)
#[derive(Debug, Args)]
#[command(after_help = EXPORT_HELP)]
pub(super) struct ExportArgs {
    /// Map: a name or a JSON file
    #[arg(value_name = "NAME|FILE", value_parser = values::map(), hide_possible_values = true)]
    map: String,
    /// The file to write [default: the standard output]
    #[arg(long, value_name = "FILE.map")]
    out: Option<PathBuf>,
}

const EXPORT_HELP: &str = "\
Neither missions nor pictures are written, and places become whole numbers.

Example: hegemon maps export ring24 --out ring24.map";

#[derive(Serialize)]
struct Imported {
    name: String,
    territories: usize,
    connections: usize,
    continents: usize,
    missions: usize,
    file: PathBuf,
}

pub(super) fn import(args: &ImportArgs) -> anyhow::Result<()> {
    let shown = args.file.display().to_string();
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let one_way = match args.both_ways {
        true => OneWay::Widen,
        false => OneWay::Keep,
    };
    let text = read(&args.file)?;
    let spec = MapSpec::from_domination(&text, &stem, one_way);
    let mut spec = spec.map_err(|error| refused(&shown, &error))?;
    if let Some(cards) = &args.cards {
        let shown = cards.display().to_string();
        let added = spec.add_domination_missions(&read(cards)?);
        added.map_err(|error| refused(&shown, &error))?;
    }
    let map = Map::new(spec).map_err(|error| refused(&shown, &error))?;
    let out = place_of(args)?;
    inputs::write_file(&out, &(map.spec().to_json() + "\n"))?;
    let imported = Imported {
        name: map.name().to_owned(),
        territories: map.n_territories(),
        connections: map.n_connections(),
        continents: map.continents().len(),
        missions: map.mission_continents().len(),
        file: out,
    };
    args.output.print(&imported, Imported::text)
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The text of a file of Domination: UTF-8, else Latin-1, whose bytes are the first characters of
/// Unicode.
fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    Ok(text.trim_start_matches(BYTE_ORDER_MARK).to_owned())
}

/// The file to write: only one that was named may be there already.
fn place_of(args: &ImportArgs) -> anyhow::Result<PathBuf> {
    let Some(out) = &args.out else {
        let out = args.file.with_extension("json");
        if out.exists() {
            bail!(
                "{0} is there already; --out {0} replaces it, another name keeps it",
                out.display()
            );
        }
        return Ok(out);
    };
    for read in args.cards.iter().chain([&args.file]) {
        inputs::check_other(out, read)?;
    }
    Ok(out.clone())
}

fn refused(file: &str, error: &MapError) -> anyhow::Error {
    let faults: Vec<String> = error.faults.iter().map(ToString::to_string).collect();
    match faults.as_slice() {
        [fault] => anyhow!("{file} cannot be used: {fault}"),
        faults => anyhow!("{file} cannot be used:\n  {}", faults.join("\n  ")),
    }
}

impl Imported {
    fn text(&self) -> String {
        output::facts([
            ("map", self.name.clone()),
            (
                "size",
                [
                    output::count(self.territories, "territory", "territories"),
                    output::count(self.connections, "connection", "connections"),
                    output::count(self.continents, "continent", "continents"),
                    output::count(self.missions, "mission", "missions"),
                ]
                .join(", "),
            ),
            ("file", self.file.display().to_string()),
        ])
    }
}

pub(super) fn export(args: &ExportArgs) -> anyhow::Result<()> {
    let map = inputs::map(&args.map)?;
    let text = map.spec().to_domination();
    // The format has no quotes: some names and places cannot be written in it.
    let again = MapSpec::from_domination(&text, map.name(), OneWay::Keep).and_then(Map::new);
    if let Err(error) = again {
        let reason = error.to_string().replace('\n', "; ");
        bail!(
            "{} cannot be written in this format: as a .map file it would be refused ({reason})",
            args.map
        );
    }
    // Domination takes a file for Latin-1 unless it begins with this mark.
    let mark = if text.is_ascii() { "" } else { BYTE_ORDER_MARK };
    let text = format!("{mark}{text}");
    match &args.out {
        Some(path) => {
            inputs::check_other(path, Path::new(&args.map))?;
            inputs::write_file(path, &text)
        }
        None => output::print(&text),
    }
}
