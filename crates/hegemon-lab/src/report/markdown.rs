//! The report as Markdown, with its pictures beside it.

use std::fmt::Write as _;

use super::{Part, READING, Report, count_text, minutes};
use crate::section::{ReportTable, SectionPart, Text};

pub(super) fn document(report: &Report) -> String {
    let mut text = format!(
        "# Published and re-run\n\nThe tables and figures of five papers on computer Risk, run again.\n\n\
         `{}`, program {}, {} of processor time\n",
        report.command(),
        report.program,
        timed(&minutes(report.seconds())),
    );
    for warning in report.warnings() {
        let _ = write!(text, "\n**{warning}**\n");
    }
    for sentence in READING {
        let _ = write!(text, "\n{sentence}\n");
    }
    text += "\n| experiment | of | agrees | differs | not run | cells | processor time |\n|---|---|---:|---:|---:|---:|---:|\n";
    for part in &report.parts {
        let count = part.count();
        let _ = writeln!(
            text,
            "| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} | {6} |",
            part.experiment.name,
            escape(&part.title()),
            count_text(count.agrees),
            count_text(count.differs),
            count_text(count.not_run),
            part.n_cells.0,
            timed(&minutes(part.seconds)),
        );
    }
    for part in &report.parts {
        section(&mut text, part);
    }
    text
}

fn section(text: &mut String, part: &Part) {
    let _ = write!(
        text,
        "\n<a id=\"{}\"></a>\n\n## {}\n",
        part.experiment.name,
        escape(&part.title())
    );
    if let Some(gap) = part.gap() {
        let _ = write!(text, "\n**{}**\n", escape(&gap));
    }
    for piece in &part.section.parts {
        match piece {
            SectionPart::Note(note) => {
                let _ = write!(text, "\n{}\n", escape(note));
            }
            SectionPart::Plot(plot) => {
                let _ = write!(text, "\n![{}]({}.svg)\n", escape(&plot.about), plot.name);
            }
            SectionPart::Table(content) => table(text, content),
        }
    }
}

fn table(text: &mut String, table: &ReportTable) {
    let _ = write!(text, "\n### {}\n\n|", escape(&table.title));
    for column in &table.columns {
        let _ = write!(text, " {} |", escape(column.trim_start_matches('#')));
    }
    text.push_str("\n|");
    for column in &table.columns {
        text.push_str(if column.starts_with('#') {
            "---:|"
        } else {
            "---|"
        });
    }
    text.push('\n');
    for row in &table.rows {
        text.push('|');
        for cell in row {
            let _ = write!(text, " {} |", words(cell));
        }
        text.push('\n');
    }
    for note in &table.notes {
        let _ = write!(text, "\n{}\n", escape(note));
    }
    let evidence = &table.evidence;
    let _ = write!(
        text,
        "\n{}; `{}`, program {}\n",
        escape(&evidence.size),
        evidence.command,
        evidence.program
    );
    if let Some(check) = &evidence.check {
        let _ = write!(text, "\none row by other means: `{check}`\n");
    }
}

fn words(text: &Text) -> String {
    match text {
        Text::Plain(text) => escape(text),
        Text::Code(text) => format!("`{}`", text.replace('|', "\\|")),
        Text::Timed(text) => timed(&escape(text)),
        Text::Verdict(verdict) => verdict.to_string(),
    }
}

/// Set apart, so that reports can be compared without it.
fn timed(text: &str) -> String {
    format!("<span class=\"timed\">{text}</span>")
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|")
        .replace('<', "&lt;")
        .replace('*', "\\*")
}
