//! Everything that is printed: tables, numbers, JSON, progress and errors.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use clap::error::ErrorKind;
use comfy_table::{
    Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Row, Table, TableStyle,
    presets,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, WeakProgressBar};
use serde::Serialize;

use crate::paint::Paint;

/// Columns of a page when the output is not a terminal.
const PAGE_WIDTH: u16 = 80;

/// The output format.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct OutputArgs {
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

impl OutputArgs {
    /// Whether to print JSON.
    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Prints an answer as JSON, or as the text made of it.
    pub(crate) fn print<A: Serialize>(
        self,
        answer: &A,
        text: impl FnOnce(&A) -> String,
    ) -> anyhow::Result<()> {
        print(&self.written(answer, text)?)
    }

    /// What [`OutputArgs::print`] prints.
    pub(crate) fn written<A: Serialize>(
        self,
        answer: &A,
        text: impl FnOnce(&A) -> String,
    ) -> anyhow::Result<String> {
        match self.json {
            true => Ok(serde_json::to_string_pretty(answer)? + "\n"),
            false => Ok(text(answer)),
        }
    }
}

/// Writes to the standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes a line to the standard error.
pub(crate) fn warn(line: &str) {
    // A closed standard error does not matter.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a line to the standard error while a command is running, above its
/// progress bar.
pub(crate) fn announce(line: &str) {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar.and_then(|bar| bar.upgrade()) {
        Some(bar) => bar.suspend(|| warn(line)),
        None => warn(line),
    }
}

/// Takes the progress bar away for good.
pub(crate) fn hide_bar() {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bar) = bar.and_then(|bar| bar.upgrade()) {
        bar.finish_and_clear();
    }
}

/// Writes an error with its causes to the standard error, as one sentence.
pub(crate) fn print_error(error: &anyhow::Error) {
    // If even that cannot be written, the exit code must suffice.
    let sentence = printable(&format!("{error:#}"));
    let error = Paint::on(&io::stderr()).red("error:");
    let _ = writeln!(io::stderr(), "{error} {sentence}");
}

/// Prints the argument parser's output: help and version unchanged, a mistake as
/// one sentence. Returns the exit code.
pub(crate) fn print_usage_error(error: &clap::Error) -> ExitCode {
    let is_help =
        !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    // If it cannot be written, the exit code must suffice.
    let _ = if is_help {
        error.print()
    } else {
        writeln!(
            io::stderr(),
            "{}",
            printable(&usage_sentence(&error.render().to_string()))
        )
    };
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// The text with control characters escaped: a malicious file may try to
/// control the terminal.
fn printable(text: &str) -> String {
    let show = |c: char| {
        if c.is_control() && c != '\n' {
            c.escape_default().to_string()
        } else {
            c.to_string()
        }
    };
    text.chars().map(show).collect()
}

/// The mistake and the tip from a report of several paragraphs.
fn usage_sentence(report: &str) -> String {
    let lines = report
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let said = lines.take_while(|line| {
        !line.starts_with("Usage:") && !line.starts_with("For more information")
    });
    let parts = said.map(|line| match line.strip_prefix("tip: ") {
        Some(tip) => format!("; {tip}"),
        None => format!(" {line}"),
    });
    shortened(parts.collect::<String>().trim_start())
}

/// The beginning and the end of a sentence that quotes a very long argument.
fn shortened(sentence: &str) -> String {
    const ENDS: usize = 200;
    let n_characters = sentence.chars().count();
    if n_characters <= 2 * ENDS {
        return sentence.to_owned();
    }
    let head: String = sentence.chars().take(ENDS).collect();
    let tail: String = sentence.chars().skip(n_characters - ENDS).collect();
    format!("{head} ... {tail}")
}

/// Whether the reader of the standard output has closed it.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// An empty table with these headings: no frame, a line below the headings,
/// long words wrapped to the width of the page, and no number ever split.
pub(crate) fn table<const N: usize>(columns: [Column; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(columns.map(Column::heading))
        .set_width(page_width());
    let is_narrow = table.width().is_some_and(|width| width < NARROW);
    for (idx, (column, kind)) in table.column_iter_mut().zip(columns).enumerate() {
        column.set_padding((0, if idx + 1 < N { 2 } else { 0 }));
        column.set_cell_alignment(kind.alignment());
        match kind {
            Column::Text(_) => {}
            Column::Spare(_) if is_narrow => {
                column.set_constraint(ColumnConstraint::Hidden);
            }
            Column::Number(_) | Column::Spare(_) => {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
    }
    table
}

/// A narrower page has no room for [`Column::Spare`].
const NARROW: u16 = 76;

const STYLE: TableStyle = presets::NOTHING.header_separator(LineStyle::none().fill('-'));

/// A column of a [`table`] by its heading.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    /// Words, from the left.
    Text(&'static str),
    /// Numbers, to the right.
    Number(&'static str),
    /// Numbers that a narrow page does without.
    Spare(&'static str),
}

impl Column {
    fn heading(self) -> Cell {
        let (Column::Text(heading) | Column::Number(heading) | Column::Spare(heading)) = self;
        Cell::new(heading)
    }

    fn alignment(self) -> CellAlignment {
        match self {
            Column::Text(_) => CellAlignment::Left,
            Column::Number(_) | Column::Spare(_) => CellAlignment::Right,
        }
    }
}

/// A table as text with a line break at the end.
pub(crate) fn table_text(table: &Table) -> String {
    table.trim_fmt() + "\n"
}

/// Lines of a name and its value, in two columns.
pub(crate) fn facts<'a>(facts: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let facts: Vec<_> = facts.into_iter().collect();
    let width = facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    facts
        .iter()
        .map(|(name, value)| wrapped(&format!("  {name:<width$}   {value}"), width + 5))
        .collect()
}

/// Who lost games by forfeit: name and spec of each with the number of games.
pub(crate) fn forfeits<'a, N: Display, S: AsRef<str> + 'a>(
    players: impl IntoIterator<Item = ((N, &'a S), u64)>,
) -> Option<(&'static str, String)> {
    let lost: Vec<((N, &S), u64)> = players.into_iter().filter(|(_, n)| *n > 0).collect();
    let words: Vec<String> = lost
        .iter()
        .map(|((name, _), n)| format!("{name} {}", grouped(*n)))
        .collect();
    let is_program = lost
        .iter()
        .any(|((_, spec), _)| spec.as_ref().starts_with("cmd("));
    let why = match is_program {
        true => "; 'hegemon check-bot' shows why",
        false => "",
    };
    (!lost.is_empty()).then(|| ("forfeits", words.join(", ") + why))
}

/// The columns of the page: those of the terminal, else from `COLUMNS`, or 80.
pub(crate) fn page_width() -> u16 {
    let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal_width(&Table::new())
        .or_else(columns)
        .unwrap_or(PAGE_WIDTH)
}

/// The columns of the terminal that a table is printed on, which the table knows. A terminal that was never told its size says 0.
fn terminal_width(table: &Table) -> Option<u16> {
    table.width().filter(|&columns| columns > 0)
}

/// A line broken at blanks to fit the page; what follows the first line is indented.
pub(crate) fn wrapped(line: &str, indent: usize) -> String {
    let width = usize::from(page_width());
    let (mut text, mut column) = (String::new(), 0);
    for (n, word) in line.split(' ').enumerate() {
        let length = word.chars().count();
        if n > 0 && column + 1 + length > width {
            text.push('\n');
            text += &" ".repeat(indent);
            column = indent;
        } else if n > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text + "\n"
}

/// A probability in percent. Only 0 and 1 are printed as impossible and
/// certain.
pub(crate) fn percent(p: f64) -> String {
    let rounded = format!("{:.2} %", 100.0 * p);
    match rounded.as_str() {
        "0.00 %" if p > 0.0 => "< 0.01 %".to_owned(),
        "100.00 %" if p < 1.0 => "> 99.99 %".to_owned(),
        _ => rounded,
    }
}

/// The number rounded to `decimals` places.
pub(crate) fn rounded(x: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (x * scale).round() / scale
}

/// A whole number with grouped thousands.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 army`, `3 armies`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A number of blocks.
pub(crate) fn blocks(n: u64) -> String {
    format!("{} {}", grouped(n), if n == 1 { "block" } else { "blocks" })
}

/// A number of fighters.
pub(crate) fn fighters(n: u32) -> String {
    count(n as usize, "fighter", "fighters")
}

/// A number of defenders.
pub(crate) fn defenders(n: u32) -> String {
    count(n as usize, "defender", "defenders")
}

/// The progress bar that is shown.
static BAR: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// How often the bar is redrawn, even without progress.
const TICK: Duration = Duration::from_millis(250);

/// How long it takes until the games under way tell anything.
const FIRST_ESTIMATE: Duration = Duration::from_secs(1);

// An estimate is on the screen within two seconds, whatever a game costs.
const _: () = assert!(FIRST_ESTIMATE.as_millis() + 2 * TICK.as_millis() <= 2000);

/// A progress bar on the standard error, if that is a terminal, with a message that is
/// never cut within a word or a number.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    message: Arc<Mutex<String>>,
}

/// Where a bar is drawn, and how wide that is.
struct Screen {
    target: ProgressDrawTarget,
    width: u16,
}

impl Screen {
    fn stderr() -> Screen {
        Screen {
            target: ProgressDrawTarget::stderr(),
            width: error_width(),
        }
    }
}

impl Progress {
    fn new(
        screen: Screen,
        n_steps: u64,
        tell: impl Fn(&ProgressState) -> String + Clone + Send + Sync + 'static,
    ) -> Progress {
        let message: Arc<Mutex<String>> = Arc::default();
        let width = usize::from(screen.width);
        let bar_width = if width < usize::from(NARROW) { 10 } else { 20 };
        let style = ProgressStyle::with_template(&format!("{{bar:{bar_width}}} {{told}}"));
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let said = Arc::clone(&message);
        let told = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            let said = said.lock().unwrap_or_else(PoisonError::into_inner);
            let room = width.saturating_sub(bar_width + 1);
            let _ = out.write_str(&fitting(&format!("{} {said}", tell(state)), room));
        };
        let bar = ProgressBar::with_draw_target(Some(n_steps), screen.target)
            .with_style(style.with_key("told", told));
        *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.downgrade());
        bar.tick();
        bar.enable_steady_tick(TICK);
        Progress { bar, message }
    }

    /// One that nobody sees.
    #[cfg(test)]
    pub(crate) fn hidden() -> Progress {
        Progress {
            bar: ProgressBar::hidden(),
            message: Arc::default(),
        }
    }

    /// Whether there is a terminal to show it.
    pub(crate) fn is_hidden(&self) -> bool {
        self.bar.is_hidden()
    }

    /// How many steps there are.
    pub(crate) fn set_length(&self, n_steps: u64) {
        self.bar.set_length(n_steps);
    }

    /// How many are done.
    pub(crate) fn set_position(&self, n_done: u64) {
        self.bar.set_position(n_done);
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
    }

    /// What is told behind the estimate, as far as it fits.
    pub(crate) fn set_message(&self, message: impl Into<String>) {
        *self.message.lock().unwrap_or_else(PoisonError::into_inner) = message.into();
    }

    /// Takes it away.
    pub(crate) fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The columns of the terminal behind the standard error, else those of the page.
fn error_width() -> u16 {
    let mut table = Table::new();
    table.use_stderr();
    terminal_width(&table).unwrap_or_else(page_width)
}

/// As many words of a line as fit; a number keeps its unit.
fn fitting(line: &str, room: usize) -> String {
    const UNITS: [&str; 4] = ["%", "s", "min", "h"];
    let mut words: Vec<&str> = Vec::new();
    let mut length = 0;
    for word in line.split_whitespace() {
        let longer = length + usize::from(length > 0) + word.chars().count();
        if longer > room {
            if UNITS.contains(&word) {
                words.pop();
            }
            break;
        }
        words.push(word);
        length = longer;
    }
    words.join(" ")
}

/// A bar of steps. It is there at once, with an estimate as soon as there is anything to go
/// by. No step is less than a game, if games are played.
pub(crate) fn progress(n_steps: u64) -> Progress {
    progress_on(Screen::stderr(), n_steps)
}

fn progress_on(screen: Screen, n_steps: u64) -> Progress {
    let n_before = hegemon_arena::games_played();
    Progress::new(screen, n_steps, move |state| {
        let n_games = hegemon_arena::games_played() - n_before;
        let games = (n_games, hegemon_arena::games_under_way());
        let (done, all) = (state.pos(), state.len().unwrap_or(0));
        let left = estimate((done, all), state.elapsed(), games);
        format!("{done}/{all} {left}")
    })
}

/// The same for a share of the work, in thousandths; its message says what is left.
pub(crate) fn share_progress() -> Progress {
    Progress::new(Screen::stderr(), 1000, |state| {
        format!("{:.1} %", state.pos() as f64 / 10.0)
    })
}

/// The same where a step is a game: games count as they end, although their
/// blocks are not finished yet.
pub(crate) fn game_progress(n_before: u64, n_games: u64) -> Progress {
    game_progress_on(Screen::stderr(), n_before, n_games)
}

fn game_progress_on(screen: Screen, n_before: u64, n_games: u64) -> Progress {
    let progress = progress_on(screen, n_games);
    let (shown, start) = (progress.bar.downgrade(), hegemon_arena::games_played());
    progress.bar.set_position(n_before);
    progress.bar.reset_eta();
    std::thread::spawn(move || {
        while let Some(bar) = shown.upgrade().filter(|bar| !bar.is_finished()) {
            let n_played = hegemon_arena::games_played() - start;
            bar.set_position((n_before + n_played).min(n_games));
            drop(bar);
            std::thread::sleep(TICK);
        }
    });
    progress
}

/// What is left, as far as it can be told: from the steps that are done, else at least what
/// the games that are played and under way have taken, since no step is less than a game.
fn estimate(steps: (u64, u64), elapsed: Duration, games: (u64, u64)) -> String {
    let ((done, all), (played, under_way)) = (steps, games);
    if done >= all {
        return String::new();
    }
    if done > 0 {
        let left = elapsed.as_secs_f64() * (all - done) as f64 / done as f64;
        return format!("about {} left", duration(left));
    }
    let n_games = played + under_way;
    if n_games == 0 || elapsed < FIRST_ESTIMATE {
        return duration(elapsed.as_secs_f64());
    }
    let least = duration(elapsed.as_secs_f64() * all as f64 / n_games as f64);
    match played {
        0 => format!("over {least} left, {under_way} under way"),
        1 => format!("over {least} left, 1 game played"),
        _ => format!("over {least} left, {} games played", grouped(played)),
    }
}

/// Seconds in the unit in which one would say them.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 99.5 => format!("{s:.0} s"),
        s if s < 99.5 * 60.0 => format!("{:.0} min", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// The step that usually comes after a command, as the last line of its answer.
pub(crate) fn next_step(command: &str) -> String {
    format!("\n{}", wrapped(&format!("Next: {command}"), "Next: ".len()))
}

/// A row of a [`table`].
pub(crate) fn row(cells: impl IntoIterator<Item = String>) -> Row {
    Row::from(cells)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Instant;

    use hegemon_arena::GameUnderWay;
    use indicatif::TermLike;

    use super::*;

    /// A terminal that hands on each line that is drawn.
    #[derive(Debug)]
    struct Drawn(Mutex<Sender<String>>);

    impl Drawn {
        fn on_a_screen() -> (Screen, Receiver<String>) {
            let (sender, lines) = channel();
            let target = ProgressDrawTarget::term_like(Box::new(Drawn(Mutex::new(sender))));
            (Screen { target, width: 80 }, lines)
        }
    }

    impl TermLike for Drawn {
        fn width(&self) -> u16 {
            80
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            let drawn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Whoever has seen enough listens no more.
            let _ = drawn.send(text.to_owned());
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The next line drawn that a condition holds for.
    fn next_line(lines: &Receiver<String>, what: &str, is_it: impl Fn(&str) -> bool) -> String {
        const PATIENCE: Duration = Duration::from_secs(60);
        let end = Instant::now() + PATIENCE;
        loop {
            let line = lines.recv_timeout(end.saturating_duration_since(Instant::now()));
            let line = line.unwrap_or_else(|_| panic!("no {what} is drawn"));
            if is_it(&line) {
                return line;
            }
        }
    }

    #[test]
    fn a_bar_is_there_at_once_and_moves_within_a_block() {
        let (screen, lines) = Drawn::on_a_screen();
        let bar = game_progress_on(screen, 0, 1_000_000);
        let first = lines.try_recv().expect("drawn before anything is played");
        assert!(first.starts_with("░"), "{first}");
        assert!(first.contains("0/1000000 0 s"), "{first}");

        // Games of one block, which never ends: nobody steps the bar. Other tests may play, too.
        let under_way = GameUnderWay::begin();
        next_line(&lines, "estimate", |line| line.contains(" left"));
        drop(under_way);
        let has_moved = |line: &str| line.contains("/1000000 ") && !line.contains(" 0/1000000 ");
        let moved = next_line(&lines, "game", has_moved);
        assert!(moved.contains("about "), "{moved}");
        bar.finish_and_clear();
    }

    #[test]
    fn percentages_do_not_round_to_certainty() {
        let cases = [
            (0.0, "0.00 %"),
            (1e-9, "< 0.01 %"),
            (0.5, "50.00 %"),
            (0.638295, "63.83 %"),
            (0.999999, "> 99.99 %"),
            (1.0, "100.00 %"),
        ];
        for (p, text) in cases {
            assert_eq!(percent(p), text);
        }
    }

    #[test]
    fn there_is_an_estimate_from_the_first_second_on() {
        let second = Duration::from_secs(1);
        for (steps, elapsed, games, text) in [
            ((0, 100), second / 2, (0, 1), "0 s"),
            ((0, 90), second, (0, 1), "over 90 s left, 1 under way"),
            (
                (0, 96),
                second * 90,
                (0, 4),
                "over 36 min left, 4 under way",
            ),
            (
                (0, 10),
                second * 300,
                (6, 4),
                "over 5 min left, 6 games played",
            ),
            ((1, 100), second * 2, (1, 4), "about 3 min left"),
            ((50, 100), second * 50, (50, 4), "about 50 s left"),
            ((1, 1_000_000), second, (1, 1), "about 12 days left"),
            ((100, 100), second, (100, 0), ""),
        ] {
            assert_eq!(estimate(steps, elapsed, games), text);
        }
    }

    #[test]
    fn a_bar_splits_no_number() {
        let line = "224/400000 about 90 min left training 44.8 %";
        for (room, text) in [
            (44, line),
            (43, "224/400000 about 90 min left training"),
            (36, "224/400000 about 90 min left"),
            (19, "224/400000 about"),
            (9, ""),
        ] {
            assert_eq!(fitting(line, room), text, "{room}");
        }
        assert_eq!(fitting("0/10  ", 60), "0/10");
    }

    #[test]
    fn long_lines_are_broken() {
        let line = format!("  {}", "word ".repeat(40).trim_end());
        let text = wrapped(&line, 6);
        assert!(
            text.lines()
                .all(|line| line.len() <= usize::from(page_width()))
        );
        assert!(
            text.lines()
                .skip(1)
                .all(|line| line.starts_with("      word"))
        );
        assert_eq!(wrapped("  a b", 4), "  a b\n");
    }

    #[test]
    fn a_mistake_is_one_sentence() {
        let report = "error: wrong '--x <X>'\n  [possible values: a, b]\n\n  tip: try 'a'\n\n\
                      Usage: hegemon\n\nFor more information, try '--help'.\n";
        let sentence = "error: wrong '--x <X>' [possible values: a, b]; try 'a'";
        assert_eq!(usage_sentence(report), sentence);
    }

    #[test]
    fn thousands_are_set_apart() {
        for (n, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1234567, "1,234,567"),
        ] {
            assert_eq!(grouped(n), text);
        }
    }
}
