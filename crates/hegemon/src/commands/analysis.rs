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
    let sink = |reply: &Reply| {
        // If nobody reads, there is nobody to tell.
        let _ = serde_json::to_string(reply)
            .map_err(anyhow::Error::from)
            .and_then(|line| output::print(&(line + "\n")));
    };
    let service = Service::new(&sink);
    std::thread::scope(|scope| {
        for _ in 0..args.threads.n() {
            scope.spawn(|| service.work());
        }
        let read = read_all(&service, &sink);
        service.close();
        read
    })
}

fn read_all(service: &Service<'_>, sink: &(dyn Fn(&Reply) + Sync)) -> anyhow::Result<()> {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let mut limited = std::io::Read::take(&mut input, MAX_LINE);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Request>(&line) {
            Ok(request) => service.submit(request),
            Err(_) => sink(&Reply::Error {
                id: None,
                index: None,
                message: "the line is neither a query nor a cancellation; docs/analysis.md has \
                          their fields"
                    .to_owned(),
            }),
        }
    }
}
