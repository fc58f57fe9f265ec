//! The report as one self-contained page.

use std::fmt::Write as _;

use super::{COUNTED, Part, READING, Report, minutes};
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
    page.push_str(
        "<h1 id=\"top\">Published and re-run</h1>\n<p class=\"lead\">The tables and figures of five \
         papers on computer Risk, run again.</p>\n",
    );
    for warning in report.warnings() {
        let _ = writeln!(page, "<p class=\"gap\">{}</p>", escape(&warning));
    }
    findings(&mut page, report);
    provenance(&mut page, report);
    page.push_str("<h2 id=\"reading\">How to read it</h2>\n");
    for text in READING {
        let _ = writeln!(page, "<p>{}</p>", escape(text));
    }
    page.push_str("<h2 id=\"limits\">Limits</h2>\n<ul>\n");
    for limit in report.limits() {
        let _ = writeln!(page, "<li>{}</li>", escape(&limit));
    }
    let _ = writeln!(
        page,
        "</ul>\n<h2 id=\"cite\">How to cite it</h2>\n<p>{}</p>",
        escape(&report.citation())
    );
    overview(&mut page, report);
    for part in &report.parts {
        section(&mut page, part);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn findings(page: &mut String, report: &Report) {
    let (sum, taken) = report.findings();
    let _ = writeln!(
        page,
        "<h2 id=\"findings\">Findings</h2>\n<p>{}</p>\n<ul>",
        escape(&sum)
    );
    for (name, sentence) in taken {
        let _ = writeln!(
            page,
            "<li><a href=\"#{name}\">{name}</a>: {}</li>",
            text(&sentence)
        );
    }
    page.push_str("</ul>\n");
}

fn provenance(page: &mut String, report: &Report) {
    let timed = |words: &str| format!("<span class=\"timed\">{}</span>", escape(words));
    let facts = [
        ("command", format!("<code>{}</code>", report.command())),
        ("program", escape(&report.program)),
        ("days", timed(&report.making.days_text())),
        ("processor", timed(&report.making.processors_text())),
        ("processor time", timed(&minutes(report.seconds()))),
    ];
    page.push_str("<h2 id=\"made\">How it was made</h2>\n<dl>\n");
    for (name, value) in facts {
        let _ = writeln!(page, "<dt>{name}</dt><dd>{value}</dd>");
    }
    page.push_str("</dl>\n");
}

fn overview(page: &mut String, report: &Report) {
    page.push_str(
        "<h2 id=\"contents\">Contents</h2>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>\
         <th>experiment and tables</th>",
    );
    for column in COUNTED.iter().chain(&["cells", "processor time"]) {
        let _ = write!(page, "<th class=\"n\">{column}</th>");
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for part in &report.parts {
        let _ = write!(
            page,
            "<tr><td><a href=\"#{0}\"><code>{0}</code></a> {1}",
            part.experiment.name,
            escape(&part.title()),
        );
        let tables: Vec<String> = part
            .tables()
            .map(|table| {
                let (anchor, title) = (part.anchor(table), escape(&table.title));
                format!("<a href=\"#{anchor}\">{title}</a>")
            })
            .collect();
        let _ = write!(page, "<br><small>{}</small></td>", tables.join(" · "));
        for count in part.count().texts() {
            let _ = write!(page, "<td class=\"n\">{count}</td>");
        }
        let _ = writeln!(
            page,
            "<td class=\"n\">{}</td><td class=\"n\"><span class=\"timed\">{}</span></td></tr>",
            part.n_cells.0,
            minutes(part.seconds),
        );
    }
    page.push_str("</tbody></table></div>\n");
}

fn section(page: &mut String, part: &Part) {
    let _ = writeln!(
        page,
        "<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"back\"><a href=\"#contents\">contents</a></p>",
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
            SectionPart::Takeaway(sentence) => {
                let _ = writeln!(page, "<p class=\"takeaway\">{}</p>", text(sentence));
            }
            SectionPart::Plot(plot) => figure(page, plot),
            SectionPart::Table(content) => table(page, part, content),
        }
    }
    page.push_str("</section>\n");
}

fn figure(page: &mut String, plot: &Plot) {
    let _ = writeln!(
        page,
        "<figure tabindex=\"0\"><img alt=\"{0}\" src=\"data:image/svg+xml,{1}\"><figcaption>{0}</figcaption></figure>",
        escape(&plot.about),
        uri(&plot.svg)
    );
}

fn table(page: &mut String, part: &Part, table: &ReportTable) {
    let _ = write!(
        page,
        "<h3 id=\"{0}\"><a href=\"#{0}\">{1}</a></h3>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>",
        part.anchor(table),
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
    let size = [evidence.size.as_str(), evidence.endings.as_str()];
    let size = size.map(escape).join(" · ");
    let _ = write!(
        page,
        "<p class=\"evidence\">{} · <code>{}</code> · program {}",
        size.trim_end_matches(" · "),
        escape(&evidence.command),
        escape(&evidence.program),
    );
    if let Some(row) = &evidence.other_means {
        let _ = write!(
            page,
            "<br>one row by other means: <code>{}</code>",
            escape(&row.command)
        );
        if let Some((n, all)) = &row.more {
            let _ = write!(
                page,
                " and {n} more, all run by <code>{}</code>",
                escape(all)
            );
        }
    }
    page.push_str("</p>\n");
}

fn text(text: &Text) -> String {
    match text {
        Text::Plain(text) => escape(text),
        Text::Code(text) => format!("<code>{}</code>", escape(text)),
        Text::Timed(text) => format!("<span class=\"timed\">{}</span>", escape(text)),
        Text::Verdict(verdict) | Text::Adjusted(verdict) => {
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
