//! The report as Markdown, with its pictures beside it.

use std::fmt::Write as _;

use super::{COUNTED, Part, READING, Report, minutes};
use crate::section::{ReportTable, SectionPart, Text};

pub(super) fn document(report: &Report) -> String {
    let mut text =
        "# Published and re-run\n\nThe tables and figures of five papers on computer Risk, \
                    run again.\n"
            .to_owned();
    for warning in report.warnings() {
        let _ = write!(text, "\n**{warning}**\n");
    }
    let (sum, taken) = report.findings();
    let _ = write!(text, "\n## Findings\n\n{sum}\n\n");
    for (name, sentence) in taken {
        let _ = writeln!(text, "- [{name}](#{name}): {}", words(&sentence));
    }
    let _ = write!(
        text,
        "\n## How it was made\n\n- command: `{}`\n- program: {}\n- days: {}\n- processor: {}\n\
         - processor time: {}\n\n## How to read it\n",
        report.command(),
        report.program,
        timed(&report.making.days_text()),
        timed(&report.making.processors_text()),
        timed(&minutes(report.seconds())),
    );
    for sentence in READING {
        let _ = write!(text, "\n{sentence}\n");
    }
    text += "\n## Limits\n\n";
    for limit in report.limits() {
        let _ = writeln!(text, "- {limit}");
    }
    let _ = write!(text, "\n## How to cite it\n\n{}\n", report.citation());
    overview(&mut text, report);
    for part in &report.parts {
        section(&mut text, part);
    }
    text
}

fn overview(text: &mut String, report: &Report) {
    text.push_str("\n## Contents\n\n| experiment | of | tables |");
    let columns = COUNTED.iter().chain(&["cells", "processor time"]);
    for column in columns.clone() {
        let _ = write!(text, " {column} |");
    }
    text.push_str("\n|---|---|---|");
    text.extend(columns.map(|_| "---:|"));
    text.push('\n');
    for part in &report.parts {
        let table =
            |table: &ReportTable| format!("[{}](#{})", escape(&table.title), part.anchor(table));
        let tables: Vec<String> = part.tables().map(table).collect();
        let _ = writeln!(
            text,
            "| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} |",
            part.experiment.name,
            escape(&part.title()),
            tables.join(", "),
            part.count().texts().join(" | "),
            part.n_cells.0,
            timed(&minutes(part.seconds)),
        );
    }
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
            SectionPart::Takeaway(sentence) => {
                let _ = write!(text, "\n**{}**\n", words(sentence));
            }
            SectionPart::Plot(plot) => {
                let _ = write!(text, "\n![{}]({}.svg)\n", escape(&plot.about), plot.name);
            }
            SectionPart::Table(content) => table(text, part, content),
        }
    }
}

fn table(text: &mut String, part: &Part, table: &ReportTable) {
    let _ = write!(
        text,
        "\n<a id=\"{}\"></a>\n\n### {}\n\n|",
        part.anchor(table),
        escape(&table.title)
    );
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
        "\n{}{}; `{}`, program {}\n",
        escape(&evidence.size),
        match evidence.endings.as_str() {
            "" => String::new(),
            endings => format!("; {endings}"),
        },
        evidence.command,
        evidence.program
    );
    if let Some(row) = &evidence.other_means {
        let _ = write!(text, "\none row by other means: `{}`", row.command);
        if let Some((n, all)) = &row.more {
            let _ = write!(text, " and {n} more, all run by `{all}`");
        }
        text.push('\n');
    }
}

fn words(text: &Text) -> String {
    match text {
        Text::Plain(text) => escape(text),
        Text::Code(text) => format!("`{}`", text.replace('|', "\\|")),
        Text::Timed(text) => timed(&escape(text)),
        Text::Verdict(verdict) | Text::Adjusted(verdict) => verdict.to_string(),
    }
}

/// Set apart, so that reports can be compared without it.
fn timed(text: &str) -> String {
    format!("<span class=\"timed\">{text}</span>")
}

/// A text in a Markdown table.
pub(crate) fn escape(text: &str) -> String {
    text.replace('|', "\\|")
        .replace('<', "&lt;")
        .replace('*', "\\*")
}
