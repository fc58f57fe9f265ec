//! The command line of hegemon. Each command converts its arguments once, calls
//! one crate, and prints one answer, as text or as JSON.

mod args;
mod commands;
mod inputs;
mod interrupt;
mod output;
mod paint;
mod processor;
mod programs;
mod provenance;
#[cfg(test)]
mod reference;
mod rule_changes;
mod values;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(sentence) = processor::refusal() {
        output::print_error(&anyhow::Error::msg(sentence));
        return ExitCode::FAILURE;
    }
    #[cfg(unix)]
    if let Some(code) = hegemon_protocol::external::Supervisor::run_if_asked() {
        return code;
    }
    hegemon_record::Program::announce(provenance::this_program());
    let cli = match args::Cli::read() {
        Ok(cli) => cli,
        Err(error) => return output::print_usage_error(&error),
    };
    let result = commands::run(&cli);
    // Idle bots in other processes would outlive this one.
    #[cfg(unix)]
    hegemon_protocol::external::stop_idle();
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output, such as `head`, has closed the pipe.
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::print_error(&error);
            ExitCode::FAILURE
        }
    }
}
