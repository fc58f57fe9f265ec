//! `hegemon maps`: the boards.

mod check;
mod convert;

use anyhow::bail;
use clap::{Args, Subcommand};
use hegemon_core::{Map, TerritorySet};
use serde::Serialize;

use crate::inputs;
use crate::output::{self, Column, OutputArgs};
use crate::values;

/// List, show, check, import and export maps
#[derive(Debug, Args)]
#[command(after_help = "Example: hegemon maps show classic")]
pub(crate) struct MapsArgs {
    #[command(subcommand)]
    command: MapsCommand,
}

#[derive(Debug, Subcommand)]
enum MapsCommand {
    /// List the maps that ship with the program
    #[command(after_help = "Example: hegemon maps list --json")]
    List {
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Show continents with bonuses and territories with neighbours
    #[command(after_help = "Example: hegemon maps show triangle3")]
    Show {
        /// Map: a name or a JSON file
        #[arg(value_name = "NAME|FILE", value_parser = values::map(), hide_possible_values = true)]
        map: String,
        #[command(flatten)]
        output: OutputArgs,
    },
    /// Check a map file and name every fault at once
    #[command(after_help = "Example: hegemon maps validate my-map.json")]
    Validate {
        /// The map, a JSON file
        file: String,
        #[command(flatten)]
        output: OutputArgs,
    },
    Check(check::CheckArgs),
    Import(convert::ImportArgs),
    Export(convert::ExportArgs),
}

/// Runs the subcommand.
pub(crate) fn run(args: &MapsArgs) -> anyhow::Result<()> {
    match &args.command {
        MapsCommand::List { output } => output.print(&list()?, |list| list_text(list)),
        MapsCommand::Show { map, output } => {
            output.print(&MapSheet::of(&inputs::map(map)?), MapSheet::text)
        }
        MapsCommand::Validate { file, output } => validate(file, *output),
        MapsCommand::Check(args) => check::run(args),
        MapsCommand::Import(args) => convert::import(args),
        MapsCommand::Export(args) => convert::export(args),
    }
}

/// A line of the list.
#[derive(Serialize)]
struct MapLine {
    name: &'static str,
    territories: usize,
    connections: usize,
    continents: usize,
    missions: usize,
}

fn list() -> anyhow::Result<Vec<MapLine>> {
    let line = |name| {
        let map = inputs::map(name)?;
        Ok(MapLine {
            name,
            territories: map.n_territories(),
            connections: map.n_connections(),
            continents: map.continents().len(),
            missions: map.mission_continents().len(),
        })
    };
    Map::builtin_names().map(line).collect()
}

fn list_text(list: &[MapLine]) -> String {
    let mut table = output::table([
        Column::Text("map"),
        Column::Number("territories"),
        Column::Number("connections"),
        Column::Number("continents"),
        Column::Number("missions"),
    ]);
    for line in list {
        let counts = [
            line.territories,
            line.connections,
            line.continents,
            line.missions,
        ];
        let cells = counts.map(|n| n.to_string());
        table.add_row(output::row([line.name.to_owned()].into_iter().chain(cells)));
    }
    output::table_text(&table)
}

/// The description of a map.
#[derive(Serialize)]
struct MapSheet {
    name: String,
    hash: String,
    connections: usize,
    continents: Vec<ContinentLine>,
    territories: Vec<TerritoryLine>,
    missions: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct ContinentLine {
    name: String,
    bonus: u16,
    territories: Vec<String>,
    borders: Vec<String>,
}

#[derive(Serialize)]
struct TerritoryLine {
    id: usize,
    name: String,
    continent: String,
    neighbors: Vec<String>,
}

impl MapSheet {
    fn of(map: &Map) -> MapSheet {
        let names = |set: TerritorySet| {
            let names = set.iter().map(|t| map.territory_name(t).to_owned());
            names.collect()
        };
        let continents = map.continents().map(|continent| ContinentLine {
            name: map.continent_name(continent).to_owned(),
            bonus: map.continent(continent).bonus,
            territories: names(map.continent(continent).territories),
            borders: names(map.continent(continent).borders),
        });
        let territories = map.territories().map(|territory| {
            let neighbors = map.neighbor_list(territory).iter();
            TerritoryLine {
                id: territory.index(),
                name: map.territory_name(territory).to_owned(),
                continent: map.continent_name(map.continent_of(territory)).to_owned(),
                neighbors: neighbors
                    .map(|&t| map.territory_name(t).to_owned())
                    .collect(),
            }
        });
        MapSheet {
            name: map.name().to_owned(),
            hash: format!("{:016x}", map.hash()),
            connections: map.n_connections(),
            continents: continents.collect(),
            territories: territories.collect(),
            missions: map.spec().missions.clone(),
        }
    }

    fn text(&self) -> String {
        let n = self.territories.len();
        let counts = [
            output::count(n, "territory", "territories"),
            output::count(self.connections, "connection", "connections"),
            output::count(self.continents.len(), "continent", "continents"),
        ];
        format!(
            "{}: {}\n\n{}\n{}",
            self.name,
            counts.join(", "),
            self.continents_text(),
            self.territories_text()
        )
    }

    fn continents_text(&self) -> String {
        let mut table = output::table([
            Column::Text("continent"),
            Column::Number("bonus"),
            Column::Number("territories"),
            Column::Number("borders"),
        ]);
        for line in &self.continents {
            table.add_row(output::row([
                line.name.clone(),
                line.bonus.to_string(),
                line.territories.len().to_string(),
                line.borders.len().to_string(),
            ]));
        }
        output::table_text(&table)
    }

    fn territories_text(&self) -> String {
        let mut table = output::table([
            Column::Number("id"),
            Column::Text("territory"),
            Column::Text("continent"),
            Column::Text("neighbours"),
        ]);
        for line in &self.territories {
            table.add_row(output::row([
                line.id.to_string(),
                line.name.clone(),
                line.continent.clone(),
                line.neighbors.join(", "),
            ]));
        }
        output::table_text(&table)
    }
}

/// The verdict on a map file.
#[derive(Serialize)]
struct MapReport<'a> {
    file: &'a str,
    valid: bool,
    faults: Vec<String>,
}

/// What is wrong with a map file.
fn faults_of(file: &str) -> anyhow::Result<Vec<String>> {
    Ok(match Map::from_json(&inputs::read(file)?) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults.iter().map(ToString::to_string).collect(),
    })
}

/// Refuses a map file with faults, and names them all.
fn sound(map: &str) -> anyhow::Result<()> {
    if Map::builtin(map).is_some() || !std::path::Path::new(map).is_file() {
        return Ok(());
    }
    match faults_of(map)?.as_slice() {
        [] => Ok(()),
        [fault] => bail!("{map} has a fault: {fault}"),
        faults => bail!(
            "{map} has {} faults:\n  {}",
            faults.len(),
            faults.join("\n  ")
        ),
    }
}

fn validate(file: &str, output: OutputArgs) -> anyhow::Result<()> {
    let faults = faults_of(file)?;
    let verdict = MapReport {
        file,
        valid: faults.is_empty(),
        faults,
    };
    if verdict.valid {
        return output.print(&verdict, |_| format!("{file} is a valid map\n"));
    }
    if output.is_json() {
        output.print(&verdict, |_| String::new())?;
        let count = output::count(verdict.faults.len(), "fault", "faults");
        bail!("{file} has {count}");
    }
    sound(file)
}
