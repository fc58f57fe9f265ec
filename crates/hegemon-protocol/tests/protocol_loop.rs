//! A bot behind the protocol, in a process of its own, plays the same game as
//! the same bot in ours. This program is both sides: with `--serve SPEC` it is
//! the external bot.

#[path = "protocol/table.rs"]
mod table;

#[cfg(unix)]
#[path = "protocol/harness.rs"]
mod harness;

#[cfg(unix)]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|word| word == "--serve") {
        let spec = arguments[place + 1].parse().expect("a spec");
        let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
        hegemon_protocol::serve(&spec, hegemon_bots::Grants::sealed(), input, output)
            .expect("pipes");
        return;
    }
    harness::run(&[
        ("a_served_bot_plays_the_same_games", same_games),
        ("served_bots_pass_the_check", checks_pass),
    ]);
    hegemon_protocol::external::stop_idle();
}

#[cfg(not(unix))]
fn main() {}

/// The command that runs a bot in this program.
#[cfg(unix)]
fn served(spec: &str) -> String {
    let program = std::env::current_exe().expect("this program");
    format!("'{}' --serve '{spec}'", program.display())
}

#[cfg(unix)]
fn same_games() {
    for (n, game) in table::games().iter().enumerate() {
        let seed = n as u64;
        let n_players = game.n_players();
        let inside = vec!["baseline"; n_players];
        let command = format!("cmd({})", served("baseline"));
        let mut outside = inside.clone();
        outside[n_players - 1] = &command;
        outside[0] = &command;
        let ends = [inside, outside].map(|specs| {
            let end = table::play(game, &specs, seed).expect("nobody forfeits");
            end.to_position()
        });
        assert_eq!(ends[0], ends[1], "game {n}");
    }
}

#[cfg(unix)]
fn checks_pass() {
    for spec in ["baseline", "random"] {
        let report = hegemon_protocol::check(&served(spec), &Default::default());
        assert!(report.checks.iter().all(|check| check.passed), "{report}");
        assert_eq!(report.name.as_deref(), Some(spec));
    }
}
