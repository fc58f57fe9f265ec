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
        ("a_served_bot_sees_what_happens", same_games_of_the_champion),
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
    play_inside_and_outside("baseline", &table::games());
}

/// It plays by what it has seen the others do, so it must be told the same.
#[cfg(unix)]
fn same_games_of_the_champion() {
    play_inside_and_outside("champion(looks=1)", &table::games()[5..]);
}

/// Games of baselines with a bot in the first and the last seat, which end the same
/// whether the bot is in this process or behind the protocol.
#[cfg(unix)]
fn play_inside_and_outside(spec: &str, games: &[std::sync::Arc<hegemon_core::Game>]) {
    for (n, game) in games.iter().enumerate() {
        let seed = n as u64;
        let n_players = game.n_players();
        let command = format!("cmd({})", served(spec));
        let seats = |ends: &'_ str| -> Vec<String> {
            let mut specs = vec!["baseline".to_owned(); n_players];
            for end in [0, n_players - 1] {
                ends.clone_into(&mut specs[end]);
            }
            specs
        };
        let (inside, outside) = (seats(spec), seats(&command));
        let ends = [inside, outside].map(|specs| {
            let specs: Vec<&str> = specs.iter().map(String::as_str).collect();
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
