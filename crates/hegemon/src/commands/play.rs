//! `hegemon play`: the web app.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use clap::Args;
use hegemon_arena::pool::Pool;
use hegemon_bots::{Demand, Grants, Spec};
use hegemon_core::{Game, Map, MapSpec, Rules};
use hegemon_protocol::ErrorLog;
use hegemon_server::{Config, HostBot, HostOffers, Limits};

use crate::inputs;
use crate::interrupt::silent_stop_flag;
use crate::output;
use crate::programs::ProgramLimits;
use crate::values;

/// The port where the page is, unless told otherwise.
pub(super) const PORT: u16 = 4272;

/// Play in the browser: against bots, with others, or just watch
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct PlayArgs {
    /// Port to listen on; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = PORT, value_parser = values::port())]
    port: u16,
    /// Address to listen on; others can only reach this machine's own
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1", value_parser = values::address())]
    host: IpAddr,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
    /// File in which games are kept [default: in the user's data folder]
    #[arg(long, value_name = "FILE", env = "HEGEMON_STORE")]
    store: Option<PathBuf>,
    /// Pool to show on the arena page, as 'hegemon arena --store FILE' makes it
    #[arg(long, value_name = "FILE")]
    arena: Option<PathBuf>,
    /// Name by which others call this server, as NAME or NAME:PORT; may be repeated
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
    /// Take the client's address from X-Forwarded-For, which a proxy in front must set
    #[arg(long)]
    behind_proxy: bool,
    /// Offer a bot of yours as an opponent, for example Mine='cmd(python3 bot.py)'; may be repeated
    #[arg(long, value_name = "NAME=SPEC", value_parser = named_bot)]
    bot: Vec<HostBot>,
    /// Offer a map of yours; may be repeated
    #[arg(long, value_name = "FILE")]
    map: Vec<String>,
    #[command(flatten)]
    programs: ProgramLimits,
    /// Megabytes of stored games at which no new games are accepted; from three quarters
    /// on, the oldest finished games between bots are removed
    #[arg(long, value_name = "MB", default_value_t = 80, value_parser = values::whole::<u64>(1..=1_000_000))]
    store_limit: u64,
}

const AFTER_HELP: &str = "\
Games are stored move by move and go on after a restart. Only this machine can reach the page unless \
--host says otherwise, for example --host 0.0.0.0 for the local network: then anybody there can make \
games and watch, but only who has a seat's link can play it. The server answers to its own addresses \
and, on this machine, to localhost; other names are given with --name. What is refused is told on the \
standard error.

A bot offered with --bot runs on this machine with your rights, whoever chooses it; others see its name and \
nothing else of it.

Example: hegemon play --open
         hegemon play --bot Mine='cmd(python3 my_bot.py)' --map my-map.json";

/// Letters of an offered bot's name.
const MAX_BOT_NAME: usize = 30;

/// `NAME=SPEC`.
fn named_bot(text: &str) -> Result<HostBot, String> {
    let (name, spec) = text
        .split_once('=')
        .ok_or("it has the form NAME=SPEC, for example Mine='cmd(./bot)'")?;
    let name = name.trim();
    let is_fine = |c: char| c.is_alphanumeric() || " -_.".contains(c);
    if name.is_empty() || name.chars().count() > MAX_BOT_NAME || !name.chars().all(is_fine) {
        return Err(format!(
            "a name has 1 to {MAX_BOT_NAME} letters, digits, blanks, dots and dashes"
        ));
    }
    let spec: Spec = spec
        .parse()
        .map_err(|error: hegemon_bots::SpecError| error.to_string())?;
    Ok(HostBot {
        name: name.to_owned(),
        spec,
    })
}

/// Refuses a bot that plays by none of the presets, or whose files cannot be read. Whether it
/// fits a game is known when there is one, and what a program says at its start stands in
/// its panel on the page then.
fn check_bot(spec: &Spec, grants: &Grants) -> anyhow::Result<()> {
    if !Demand::of(spec)?.programs.is_empty() {
        return Ok(());
    }
    let mut verdict = Ok(());
    for preset in Rules::PRESETS {
        let rules = inputs::rules(preset)?;
        let n_players = usize::from(rules.players[0]);
        let game = Game::new(inputs::map(inputs::DEFAULT)?, rules, n_players)?;
        match hegemon_bots::check(spec, &game, grants) {
            Ok(()) => return Ok(()),
            Err(error) => verdict = verdict.and(Err(error)),
        }
    }
    Ok(verdict?)
}

/// What the arguments offer besides what is shipped.
fn offers(args: &PlayArgs) -> anyhow::Result<HostOffers> {
    let names: BTreeSet<&str> = args.bot.iter().map(|bot| bot.name.as_str()).collect();
    if names.len() < args.bot.len() {
        bail!("two bots of --bot have the same name");
    }
    for HostBot { name, spec } in &args.bot {
        check_bot(spec, &args.programs.grants())
            .with_context(|| format!("the bot {name} of --bot cannot play"))?;
    }
    let mut maps: Vec<MapSpec> = Vec::new();
    for file in &args.map {
        let map = inputs::map(file)?;
        let is_known = |known: &MapSpec| known.name == map.name();
        if maps.iter().any(is_known) || Map::builtin(map.name()).is_some() {
            bail!("{file}: there is a map {} already", map.name());
        }
        maps.push(map.spec().clone());
    }
    let log = ErrorLog::default();
    Ok(HostOffers {
        bots: args.bot.clone(),
        grants: args.programs.logged_grants(&log),
        log,
        maps,
        records: Vec::new(),
    })
}

/// Serves the page until Ctrl-C or SIGTERM.
pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<()> {
    let store = args.store.clone().map_or_else(default_store, Ok)?;
    // The page reads the pool again whenever it is shown; a wrong file is told now.
    args.arena.as_deref().map(Pool::open).transpose()?;
    let config = Config {
        store: store.clone(),
        arena: args.arena.clone(),
        limits: Limits {
            store: args.store_limit << 20,
            ..Limits::default()
        },
        names: args.name.clone(),
        offers: offers(args)?,
        trusts_proxy: args.behind_proxy,
        log: output::warn,
    };
    let address = SocketAddr::new(args.host, args.port);
    serve(address, config, args.open, |url, faults| {
        let mut text = format!(
            "hegemon is at {url}\na guided first game of a minute is at {url}#/first\ngames are kept in {}\n",
            store.display()
        );
        for fault in faults {
            text += &format!("cannot go on with {fault}\n");
        }
        text + "Ctrl-C stops it.\n"
    })
}

/// Serves the page until Ctrl-C or SIGTERM, after saying what `say` makes of its address
/// and of stored games that cannot go on.
pub(super) fn serve(
    address: SocketAddr,
    config: Config,
    open: bool,
    say: impl FnOnce(&str, &[String]) -> String,
) -> anyhow::Result<()> {
    let mut printed = Ok(());
    hegemon_server::serve(address, config, silent_stop_flag(), |address, faults| {
        let url = url(address);
        printed = output::print(&say(&url, faults));
        if open && std::io::stdout().is_terminal() {
            open_browser(&url);
        }
    })?;
    printed
}

/// An address that a browser on this machine can open.
fn url(address: SocketAddr) -> String {
    let port = address.port();
    match address.ip() {
        ip if ip.is_unspecified() => format!("http://localhost:{port}/"),
        IpAddr::V6(ip) => format!("http://[{ip}]:{port}/"),
        IpAddr::V4(ip) => format!("http://{ip}:{port}/"),
    }
}

/// The file in the user's data folder.
pub(super) fn default_store() -> anyhow::Result<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|p| p.is_absolute())
    };
    let data = folder("XDG_DATA_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".local/share")))
        .context("there is no home folder; name a file for the games with --store")?;
    Ok(data.join("hegemon").join("games.db"))
}

/// Asks the desktop to open the page; without one, the user opens the printed
/// address.
fn open_browser(url: &str) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let _ = Command::new(opener)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_that_is_no_program_can_be_offered() {
        let grants = Grants::sealed();
        for info in hegemon_bots::bots().filter(|info| info.name != "cmd") {
            let checked = check_bot(&Spec::plain(info.name), &grants);
            assert!(checked.is_ok(), "{}: {checked:?}", info.name);
        }
    }
}
