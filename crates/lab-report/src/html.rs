//! The report as a page that needs nothing but itself.

use std::fmt::Write;

use super::findings::{Cell, Claim, Figure, Findings, Table, Verdict};
use super::{Entry, Outcome, Report, Size, svg};

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let mut body = String::new();
    // Writing into a string cannot fail, here and below.
    let _ = write!(body, "<h1>retrograd: report of the lab</h1>\n{}", head(report));
    if report.experiments.len() < report.planned {
        let _ = writeln!(
            body,
            "<p class=\"fails\">{} of {} experiments: the others were not finished when this was written.</p>",
            report.experiments.len(),
            report.planned
        );
    }
    body += &overview(report);
    for entry in &report.experiments {
        body += &section(entry, report.size);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>retrograd: report of the lab</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// The machine and the command.
fn head(report: &Report) -> String {
    let machine = &report.machine;
    let size = match report.size {
        Size::Small => "small",
        Size::Quick => "quick",
        Size::Full => "full",
    };
    let rows = [
        ("command", format!("<code>{}</code>", escape(&report.command))),
        ("size", size.to_string()),
        ("processor", format!("{}, {} cores", escape(&machine.processor), machine.cores)),
        ("system", escape(&machine.system)),
        ("build", format!("{}, {}", escape(&machine.build), escape(&machine.compiler))),
        ("date", escape(&machine.date)),
    ];
    let rows: String = rows.map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n")).concat();
    format!("<dl>\n{rows}</dl>\n")
}

/// All claims of all experiments.
fn overview(report: &Report) -> String {
    let mut text = String::from(
        "<h2>Summary</h2>\n<table class=\"summary\">\n<thead><tr><th>experiment</th><th>claim</th><th>paper</th>\
         <th>here</th><th>here / paper</th><th>should be</th><th>verdict</th></tr></thead>\n<tbody>\n",
    );
    for entry in &report.experiments {
        let link = format!("<a href=\"#{0}\">{0}</a>", escape(&entry.name));
        match &entry.outcome {
            Outcome::Failed(why) => {
                let _ = writeln!(
                    text,
                    "<tr><td>{link}</td><td colspan=\"5\">{}</td><td class=\"fails\">failed</td></tr>",
                    escape(why)
                );
            }
            Outcome::Found(findings) => {
                for (number, claim) in findings.claims.iter().enumerate() {
                    let link = if number == 0 { &link } else { "" };
                    let _ = writeln!(text, "<tr><td>{link}</td>{}</tr>", claim_cells(claim));
                }
            }
        }
    }
    text + "</tbody>\n</table>\n"
}

/// A claim: what is claimed, the paper's figure, ours, their ratio, what it should be, and the verdict.
fn claim_cells(claim: &Claim) -> String {
    let paper = claim.paper.as_ref().map_or(String::new(), |paper| {
        format!("{}<br><small>{}</small>", with_code(&paper.says), escape(&paper.place))
    });
    let ratio = claim.ratio().map_or(String::new(), |ratio| Figure::plain(ratio).to_string());
    let class = match claim.verdict() {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Beside => "beside",
    };
    format!(
        "<td>{}</td><td>{paper}</td><td class=\"number\">{}</td><td class=\"number\">{ratio}</td><td class=\"expected\">{}</td>\
         <td class=\"{class}\">{}</td>",
        escape(&claim.text),
        escape(&claim.ours.to_string()),
        escape(&claim.should_be()),
        claim.verdict()
    )
}

/// One experiment.
fn section(entry: &Entry, size: Size) -> String {
    let Entry { name, title, about, seconds, outcome } = entry;
    let option = match size {
        Size::Small => " --small",
        Size::Quick => "",
        Size::Full => " --full",
    };
    let mut text = format!(
        "<section id=\"{0}\">\n<h2>{1}</h2>\n<p>{2}</p>\n\
         <p class=\"command\"><code>cargo run --release -- report{option} --only {0}</code> took {3}.</p>\n",
        escape(name),
        escape(title),
        escape(about),
        Figure::seconds(*seconds)
    );
    match outcome {
        Outcome::Failed(why) => {
            let _ = writeln!(text, "<p class=\"fails\">Failed: {}</p>", escape(why));
        }
        Outcome::Found(findings) => text += &found(findings),
    }
    text + "</section>\n"
}

/// What an experiment found.
fn found(Findings { plots, tables, remarks, .. }: &Findings) -> String {
    let mut text = String::new();
    for plot in plots {
        let caption = escape(&plot.caption);
        let drawing = svg::draw(plot).replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{caption}\" "), 1);
        let _ = writeln!(text, "<figure>\n{drawing}\n<figcaption>{caption}</figcaption>\n</figure>");
    }
    text.extend(tables.iter().map(table));
    for remark in remarks {
        let _ = writeln!(text, "<p>{}</p>", with_code(remark));
    }
    text
}

/// A table. Numbers are aligned at their ends.
fn table(Table { caption, columns, rows }: &Table) -> String {
    let number = |column: usize| rows.iter().any(|row| matches!(row[column], Cell::Figure(_)));
    let class = |column: usize| if number(column) { " class=\"number\"" } else { "" };
    let head = |(i, column): (usize, &String)| format!("<th{}>{}</th>", class(i), escape(column));
    let head: String = columns.iter().enumerate().map(head).collect();
    let cell = |cell: &Cell| match cell {
        Cell::Text(text) => format!("<td>{}</td>", escape(text)),
        Cell::Figure(figure) => format!("<td class=\"number\">{}</td>", escape(&figure.to_string())),
    };
    let row = |row: &Vec<Cell>| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>());
    format!(
        "<div class=\"wide\">\n<table>\n<caption>{}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
        escape(caption),
        rows.iter().map(row).collect::<String>()
    )
}

/// Text in which what stands between backticks is code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').map(escape).enumerate();
    parts.map(|(i, part)| if i % 2 == 1 { format!("<code>{part}</code>") } else { part }).collect()
}

/// Text as it is written in a page.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
