//! `hegemon completions`: shell completion scripts.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use hegemon_core::{Map, Rules};

use crate::args::Cli;
use crate::output;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(
    after_help = "Example: hegemon completions bash > ~/.local/share/bash-completion/completions/hegemon"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hegemon", &mut script);
    output::print(&with_files(args.shell, String::from_utf8(script)?))
}

/// Offers files beside the names of maps and of presets. The generated scripts of these shells
/// take the names for all that there is; that of bash offers files where no name fits.
fn with_files(shell: Shell, script: String) -> String {
    let maps: Vec<&str> = Map::builtin_names().collect();
    // With two colons zsh forgets the options once an argument that repeats has begun.
    let mut script = match shell {
        Shell::Zsh => script.replace("\n'*::", "\n'*:"),
        _ => script,
    };
    for names in [maps.as_slice(), &Rules::PRESETS] {
        let list = names.join(" ");
        script = match shell {
            Shell::Zsh => script.replace(
                &format!(":({list})'"),
                &format!(":{{compadd {list}; _files}}'"),
            ),
            Shell::Fish => {
                let list = names.join("\\t''\n");
                let values = |files| format!(" -r {files} -a \"{list}\\t''");
                script.replace(&values("-f"), &values("-F"))
            }
            _ => script,
        };
    }
    script
}
