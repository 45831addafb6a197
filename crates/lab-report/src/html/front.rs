//! The first screen of the page: the headlines of the experiments, the run, and what failed.

use std::fmt::Write;

use super::{claim_cells, claims_table, escape, labelled};
use crate::findings::{Claim, Figure, Verdict};
use crate::headline::{Headline, Sketch};
use crate::{Entry, Outcome, Report, svg};

/// All headlines as cards, with one for the run itself.
pub(super) fn front(report: &Report) -> String {
    let found = report.experiments.iter().filter_map(|entry| Some((entry, entry.findings()?)));
    let cards = found.flat_map(|(entry, found)| found.headlines.iter().map(|headline| card(entry, headline)));
    format!("<div class=\"front\">\n{}{}</div>\n", cards.collect::<String>(), this_run(report))
}

fn card(Entry { name, title, .. }: &Entry, Headline { figure, sentence, sketch }: &Headline) -> String {
    let sketch = match sketch {
        Sketch::Plot(plot) => labelled(plot, svg::sketch(plot)),
        Sketch::Bars(bars) => self::bars(bars),
    };
    format!(
        "<article>\n<h2><a href=\"#{}\">{}</a></h2>\n<p><strong>{}</strong> {}</p>\n{sketch}</article>\n",
        escape(name),
        escape(title),
        escape(&figure.to_string()),
        escape(sentence)
    )
}

/// Bars below each other, the longest as long as there is room.
fn bars(bars: &[(String, Figure)]) -> String {
    let largest = bars.iter().fold(f64::MIN_POSITIVE, |largest, (_, figure)| largest.max(figure.value));
    let bar = |(label, figure): &(String, Figure)| {
        format!(
            "<span>{}</span><span><i style=\"width: {:.2}%\"></i></span><span class=\"number\">{}</span>\n",
            escape(label),
            100.0 * figure.value / largest,
            escape(&figure.to_string())
        )
    };
    format!("<div class=\"bars\">\n{}</div>\n", bars.iter().map(bar).collect::<String>())
}

/// How many claims hold, on which machine, and by which command.
fn this_run(report: &Report) -> String {
    let machine = &report.machine;
    let claims = || report.experiments.iter().filter_map(Entry::findings).flat_map(|findings| &findings.claims);
    let count = |verdict| claims().filter(|claim| claim.verdict() == verdict).count();
    let mut verdicts = format!("{} hold", count(Verdict::Holds));
    if count(Verdict::Fails) > 0 {
        let _ = write!(verdicts, ", <a class=\"fails\" href=\"#failures\">{} fail</a>", count(Verdict::Fails));
    }
    let finished = match report.experiments.len() {
        all if all == report.planned => all.to_string(),
        some => format!(
            "<span class=\"fails\">{some} of {} experiments: the others were not finished when this was written</span>",
            report.planned
        ),
    };
    let rows = [
        ("experiments", finished),
        ("claims", verdicts),
        ("size", report.size.name().to_string()),
        ("processor", format!("{}, {} cores", escape(&machine.processor), machine.cores)),
        ("build", format!("{}, {}, {}", escape(&machine.build), escape(&machine.compiler), escape(&machine.system))),
        ("date", escape(&machine.date)),
        ("command", format!("<code>{}</code>", escape(&report.command))),
    ];
    let rows: String = rows.map(|(name, value)| format!("<dt>{name}</dt><dd>{value}</dd>\n")).concat();
    format!("<article>\n<h2>This run</h2>\n<dl>\n{rows}</dl>\n</article>\n")
}

/// Experiments that failed, and claims that do not hold; nothing if there are none.
pub(super) fn failures(report: &Report) -> String {
    let mut rows = String::new();
    for entry in &report.experiments {
        let link = format!("<a href=\"#{0}\">{0}</a>", escape(&entry.name));
        // Writing into a string cannot fail.
        match &entry.outcome {
            Outcome::Failed(why) => {
                let why = escape(why);
                let _ = writeln!(
                    rows,
                    "<tr><td>{link}</td><td colspan=\"5\">{why}</td><td class=\"fails\">failed</td></tr>"
                );
            }
            Outcome::Found(findings) => {
                let fails = |claim: &&Claim| claim.verdict() == Verdict::Fails;
                for claim in findings.claims.iter().filter(fails) {
                    let _ = writeln!(rows, "<tr><td>{link}</td>{}</tr>", claim_cells(claim));
                }
            }
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "<h2 id=\"failures\">What failed</h2>\n<p>Times depend on the machine, on the build, and on what else the machine does.</p>\n{}",
        claims_table(&rows)
    )
}
