//! The report as a page that needs nothing but itself.

mod front;

use std::fmt::Write;

use super::findings::{Cell, Claim, Figure, Findings, Table, Verdict};
use super::plot::Plot;
use super::{Entry, Outcome, Report, Size, svg};

const STYLE: &str = include_str!("style.css");

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let mut body = String::from(
        "<h1>retrograd: report of the lab</h1>\n<p>From one function, retrograd derives its inverse and its derivatives. What \
         that gives, and what it costs:</p>\n",
    );
    body += &front::front(report);
    body += &front::failures(report);
    body += &contents(report);
    for entry in &report.experiments {
        body += &section(entry, report.size);
    }
    body += &all_claims(report);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>retrograd: report of the lab</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// Links to all experiments.
fn contents(report: &Report) -> String {
    let link = |entry: &Entry| format!("<li><a href=\"#{}\">{}</a></li>\n", escape(&entry.name), escape(&entry.title));
    let links: String = report.experiments.iter().map(link).collect();
    format!("<nav>\n<h2>Experiments</h2>\n<ol>\n{links}<li><a href=\"#claims\">All claims</a></li>\n</ol>\n</nav>\n")
}

/// All claims of all experiments, folded.
fn all_claims(report: &Report) -> String {
    let mut rows = String::new();
    for entry in &report.experiments {
        for claim in entry.findings().iter().flat_map(|findings| &findings.claims) {
            // Writing into a string cannot fail, here and below.
            let _ = writeln!(
                rows,
                "<tr><td><a href=\"#{0}\">{0}</a></td>{1}</tr>",
                escape(&entry.name),
                claim_cells(claim)
            );
        }
    }
    format!(
        "<section id=\"claims\">\n<h2>All claims</h2>\n<details>\n<summary>What every experiment claims, beside what papers say</summary>\n\
         {}</details>\n</section>\n",
        claims_table(&rows)
    )
}

/// Rows of claims below a head.
fn claims_table(rows: &str) -> String {
    format!(
        "<div class=\"wide claims\">\n<table>\n<thead><tr><th>experiment</th><th>claim</th><th>paper</th><th>here</th>\
         <th>here / paper</th><th>should be</th><th>verdict</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )
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
        with_code(&claim.text),
        escape(&claim.ours.to_string()),
        escape(&claim.should_be()),
        claim.verdict()
    )
}

/// One experiment.
fn section(entry: &Entry, size: Size) -> String {
    let Entry { name, title, about, seconds, outcome } = entry;
    let option = format!("--{}", size.name());
    let mut text = format!(
        "<section id=\"{0}\">\n<h2>{1}</h2>\n<p>{2}</p>\n\
         <p class=\"command\"><code>cargo run --release -- report {option} --only {0}</code> took {3}.</p>\n",
        escape(name),
        escape(title),
        with_code(about),
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
        let (drawing, caption) = (labelled(plot, svg::draw(plot)), escape(&plot.caption));
        let _ = writeln!(text, "<figure>\n{drawing}\n<figcaption>{caption}</figcaption>\n</figure>");
    }
    text.extend(tables.iter().map(table));
    for remark in remarks {
        let _ = writeln!(text, "<p>{}</p>", with_code(remark));
    }
    text
}

/// The drawing of a plot, with what it shows for those who do not see it.
fn labelled(plot: &Plot, drawing: String) -> String {
    drawing.replacen("<svg ", &format!("<svg role=\"img\" aria-label=\"{}\" ", escape(&plot.caption)), 1)
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
