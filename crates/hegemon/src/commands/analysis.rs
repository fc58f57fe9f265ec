//! `hegemon analysis`: chances and plans of many positions, over stdin and stdout.

use std::io::BufRead;

use clap::Args;
use hegemon_analysis::{Reply, Request, Service};

use crate::inputs::ThreadCount;
use crate::output;

/// Answer queries about positions: one JSON object a line, in and out
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct AnalysisArgs {
    #[command(flatten)]
    threads: ThreadCount,
}

const AFTER_HELP: &str = "\
Replies come as they are ready, and the program ends when the input does and all is answered. \
docs/analysis.md describes the lines, docs/analysis.schema.json their schema.

Example: echo '{\"id\":\"a\",\"rules\":\"lux\",\"players\":2,\"positions\":[\"...\"]}' | hegemon analysis";

/// Longest line that is read.
const MAX_LINE: u64 = 16 << 20;

/// Serves until the input ends.
pub(crate) fn run(args: &AnalysisArgs) -> anyhow::Result<()> {
    let service = Service::new(&tell);
    std::thread::scope(|scope| {
        for _ in 0..args.threads.n() {
            scope.spawn(|| service.work());
        }
        let read = read_all(&service);
        service.close();
        read
    })
}

/// Writes a reply. If that fails there is nobody to work for, though the input may stay open
/// for ever: the program ends. Nothing of it is kept, so nothing is lost.
#[expect(clippy::exit, reason = "the reader of the input may wait for ever")]
fn tell(reply: &Reply) {
    let line = serde_json::to_string(reply).map_err(anyhow::Error::from);
    if let Err(error) = line.and_then(|line| output::print(&(line + "\n"))) {
        let is_unheard = output::is_broken_pipe(&error);
        if !is_unheard {
            output::print_error(&error.context("cannot write a reply"));
        }
        std::process::exit(i32::from(!is_unheard));
    }
}

fn read_all(service: &Service<'_>) -> anyhow::Result<()> {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let mut limited = std::io::Read::take(&mut input, MAX_LINE);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            tell(&Reply::Error {
                id: None,
                index: None,
                message: format!("a line has at most {} MiB", MAX_LINE >> 20),
            });
            continue;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match Request::read(&line) {
            Ok(request) => service.submit(request),
            Err(reply) => tell(&reply),
        }
    }
}
