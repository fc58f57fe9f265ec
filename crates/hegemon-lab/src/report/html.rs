//! The report as one self-contained page.

use std::fmt::Write as _;

use super::{Part, READING, Report, count_text, minutes};
use crate::plot::escape;
use crate::section::{Plot, ReportTable, SectionPart, Text};

const STYLE: &str = include_str!("style.css");

pub(super) fn page(report: &Report) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Hegemon: the lab's report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
    );
    let _ = writeln!(
        page,
        "<h1>Published and re-run</h1>\n<p class=\"lead\">The tables and figures of five papers on \
         computer Risk, run again.</p>\n<p class=\"evidence\"><code>{}</code> · program {} · \
         <span class=\"timed\">{}</span> of processor time</p>",
        report.command(),
        escape(&report.program),
        minutes(report.seconds()),
    );
    for warning in report.warnings() {
        let _ = writeln!(page, "<p class=\"gap\">{warning}</p>");
    }
    for text in READING {
        let _ = writeln!(page, "<p>{}</p>", escape(text));
    }
    overview(&mut page, report);
    for part in &report.parts {
        section(&mut page, part);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn overview(page: &mut String, report: &Report) {
    page.push_str(
        "<div class=\"scroll\"><table>\n<thead><tr><th>experiment</th><th>of</th><th class=\"n\">agrees</th>\
         <th class=\"n\">differs</th><th class=\"n\">not run</th><th class=\"n\">cells</th><th class=\"n\">processor time</th></tr></thead>\n<tbody>\n",
    );
    for part in &report.parts {
        let count = part.count();
        let _ = writeln!(
            page,
            "<tr><td><a href=\"#{0}\"><code>{0}</code></a></td><td>{1}</td><td class=\"n\">{2}</td>\
             <td class=\"n\">{3}</td><td class=\"n\">{4}</td><td class=\"n\">{5}</td><td class=\"n\"><span class=\"timed\">{6}</span></td></tr>",
            part.experiment.name,
            escape(&part.title()),
            count_text(count.agrees),
            count_text(count.differs),
            count_text(count.not_run),
            part.n_cells.0,
            minutes(part.seconds),
        );
    }
    page.push_str("</tbody></table></div>\n");
}

fn section(page: &mut String, part: &Part) {
    let _ = writeln!(
        page,
        "<section id=\"{}\">\n<h2>{}</h2>",
        part.experiment.name,
        escape(&part.title())
    );
    if let Some(gap) = part.gap() {
        let _ = writeln!(page, "<p class=\"gap\">{}</p>", escape(&gap));
    }
    for piece in &part.section.parts {
        match piece {
            SectionPart::Note(text) => {
                let _ = writeln!(page, "<p>{}</p>", escape(text));
            }
            SectionPart::Plot(plot) => figure(page, plot),
            SectionPart::Table(content) => table(page, content),
        }
    }
    page.push_str("</section>\n");
}

fn figure(page: &mut String, plot: &Plot) {
    let _ = writeln!(
        page,
        "<figure><img alt=\"{0}\" src=\"data:image/svg+xml,{1}\"><figcaption>{0}</figcaption></figure>",
        escape(&plot.about),
        uri(&plot.svg)
    );
}

fn table(page: &mut String, table: &ReportTable) {
    let _ = write!(
        page,
        "<h3>{}</h3>\n<div class=\"scroll\"><table>\n<thead><tr>",
        escape(&table.title)
    );
    let is_number = |column: &str| column.starts_with('#');
    for column in &table.columns {
        let class = if is_number(column) {
            " class=\"n\""
        } else {
            ""
        };
        let _ = write!(
            page,
            "<th{class}>{}</th>",
            escape(column.trim_start_matches('#'))
        );
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.columns) {
            let class = if is_number(column) {
                " class=\"n\""
            } else {
                ""
            };
            let _ = write!(page, "<td{class}>{}</td>", text(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
    for note in &table.notes {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(note));
    }
    let evidence = &table.evidence;
    let _ = write!(
        page,
        "<p class=\"evidence\">{} · <code>{}</code> · program {}",
        escape(&evidence.size),
        escape(&evidence.command),
        escape(&evidence.program),
    );
    if let Some(check) = &evidence.check {
        let _ = write!(
            page,
            "<br>one row by other means: <code>{}</code>",
            escape(check)
        );
    }
    page.push_str("</p>\n");
}

fn text(text: &Text) -> String {
    match text {
        Text::Plain(text) => escape(text),
        Text::Code(text) => format!("<code>{}</code>", escape(text)),
        Text::Timed(text) => format!("<span class=\"timed\">{}</span>", escape(text)),
        Text::Verdict(verdict) => {
            let name = verdict.to_string();
            format!("<span class=\"{}\">{name}</span>", name.replace(' ', "-"))
        }
    }
}

/// A picture as the payload of a data URI.
fn uri(svg: &str) -> String {
    let mut text = String::with_capacity(svg.len() * 5 / 4);
    for c in svg.chars() {
        match c {
            '%' => text.push_str("%25"),
            '#' => text.push_str("%23"),
            '<' => text.push_str("%3C"),
            '>' => text.push_str("%3E"),
            '"' => text.push('\''),
            '\'' => text.push_str("%27"),
            '&' => text.push_str("%26"),
            '\n' => text.push(' '),
            other => text.push(other),
        }
    }
    text
}
