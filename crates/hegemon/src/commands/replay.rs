//! `hegemon replay`: games of a match in the page.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use hegemon_server::{Config, HostOffers};

use super::play;
use crate::values;
use crate::{inputs, output};

/// Look at recorded games in the browser, step by step
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ReplayArgs {
    /// Records, or folders of them as 'hegemon match --records DIR' writes
    #[arg(required = true, value_name = "FILE|DIR")]
    records: Vec<PathBuf>,
    /// Port to listen on; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::port())]
    port: u16,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

const AFTER_HELP: &str = "\
Only this machine can reach the page, and nothing is kept.

Example: hegemon match killbot quo --games 20 --records games
         hegemon replay games";

/// Files beyond this number are left out, and that is said.
const MAX_FILES: usize = 10_000;

/// How the files of records end.
const ENDING: &str = "hgr";

/// Serves the records until Ctrl-C or SIGTERM.
pub(crate) fn run(args: &ReplayArgs) -> anyhow::Result<()> {
    let mut records = Vec::new();
    for path in &args.records {
        records.extend(files_of(path)?);
    }
    let n_all = records.len();
    records.truncate(MAX_FILES);
    let store = std::env::temp_dir().join(format!("hegemon-replay-{}.db", std::process::id()));
    let config = Config {
        offers: HostOffers {
            records: records.clone(),
            ..HostOffers::default()
        },
        log: output::warn,
        ..Config::new(store.clone())
    };
    let address = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), args.port);
    let served = play::serve(address, config, args.open, |url, _| {
        let games = output::count(records.len(), "game is", "games are");
        let left_out = match n_all - records.len() {
            0 => String::new(),
            n => format!("{n} more files are left out\n"),
        };
        format!("{games} at {url}#/records\n{left_out}Ctrl-C stops it.\n")
    });
    for end in ["", "-wal", "-shm"] {
        let mut file = store.clone().into_os_string();
        file.push(end);
        // What is not there need not be removed.
        let _ = std::fs::remove_file(file);
    }
    served
}

/// A file itself, which must be a record, or the records in a folder, by name: what is wrong with one of many is said
/// where it is opened.
fn files_of(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        inputs::record(path)?;
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path);
    let entries = entries.with_context(|| format!("cannot read {}", path.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> = paths
        .filter(|file| file.extension().is_some_and(|end| end == ENDING))
        .collect();
    files.sort();
    if files.is_empty() {
        bail!("{} has no records (*.{ENDING})", path.display());
    }
    Ok(files)
}
