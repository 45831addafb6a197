//! Texts that quote a report: between marks, figures, tables and plots are written anew from what was found.
//!
//! A mark is a comment that Markdown does not show, and says what stands between it and `<!-- end -->`:
//!
//! | mark | what stands behind it |
//! |---|---|
//! | `<!-- report: machine -->` | the machine, the build, the command and the day |
//! | `<!-- report: NAME \| FIGURE -->` | a figure of an experiment, called as [`Findings::figures`] does |
//! | `<!-- report: NAME \| claims -->` | its claims, beside what papers say |
//! | `<!-- report: NAME \| table CAPTION -->` | a table; `\| COLUMN; COLUMN` behind it chooses columns |
//! | `<!-- report: NAME \| plot CAPTION -->` | a plot, as a picture in the folder `pictures` |

use std::error::Error;
use std::fmt;

use super::findings::{Cell, Claim, Figure, Findings, Table};
use super::plot::Plot;
use super::{Entry, Machine, Outcome, Report, svg};

/// How a mark begins, and how it ends.
const MARK: (&str, &str) = ("<!-- report: ", " -->");
/// What ends a quotation.
const END: &str = "<!-- end -->";

/// A text with its quotations written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// The text.
    pub text: String,
    /// The pictures that it shows, each with the path that it has from the text.
    pub pictures: Vec<(String, String)>,
}

/// A quotation of something that the report does not have, or one that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misquoted {
    /// The line of its mark, counted from one.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub what: String,
}

impl fmt::Display for Misquoted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.what)
    }
}

impl Error for Misquoted {}

/// Writes all quotations of a text anew.
///
/// # Errors
///
/// [`Misquoted`], at the first quotation that the report cannot fill.
pub fn quote(report: &Report, text: &str) -> Result<Quoted, Misquoted> {
    let mut quoted = Quoted { text: String::new(), pictures: Vec::new() };
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(MARK.0) {
        quoted.text += before;
        let line = quoted.text.lines().count().max(1) + usize::from(quoted.text.ends_with('\n'));
        let wrong = |what: String| Misquoted { line, what };
        let (subject, inside) =
            behind.split_once(MARK.1).ok_or_else(|| wrong(format!("a mark without `{}`", MARK.1.trim())))?;
        let (old, after) =
            inside.split_once(END).ok_or_else(|| wrong(format!("`{subject}` has no `{END}` behind it")))?;
        if old.contains(MARK.0) {
            return Err(wrong(format!("`{subject}` has no `{END}` before the next mark")));
        }
        let new = fill(report, subject, &mut quoted.pictures).map_err(wrong)?;
        quoted.text += &format!("{}{subject}{}{new}{END}", MARK.0, MARK.1);
        rest = after;
    }
    quoted.text += rest;
    Ok(quoted)
}

/// A text without what stands in quotations.
pub fn unquoted(text: &str) -> String {
    let (first, rest) = text.split_once(MARK.0).unwrap_or((text, ""));
    let behind = rest.split(MARK.0).map(|part| part.split_once(END).map_or("", |(_, behind)| behind));
    first.to_string() + &behind.collect::<String>()
}

/// The report without what none of these texts quotes: the machine, and of each experiment the figures, tables and plots that
/// some mark names.
pub fn excerpt<'a>(report: &Report, texts: impl IntoIterator<Item = &'a str>) -> Report {
    let subjects = texts.into_iter().flat_map(|text| text.split(MARK.0).skip(1));
    let subjects: Vec<(&str, Part)> =
        subjects.filter_map(|behind| Subject::read(behind.split(MARK.1).next()?).ok()?.found()).collect();
    let quoted = |entry: &Entry| {
        let parts = || subjects.iter().filter(|(name, _)| *name == entry.name).map(|(_, part)| part);
        let is_quoted = |name: &str| parts().any(|part| matches!(part, Part::Figure(figure) if *figure == name));
        let Findings { mut claims, mut plots, mut tables, .. } = entry.findings()?.clone();
        claims.retain(|claim| is_quoted(&claim.text) || parts().any(|part| matches!(part, Part::Claims)));
        plots.retain(|plot| parts().any(|part| matches!(part, Part::Plot(caption) if *caption == plot.caption)));
        for table in &mut tables {
            if !parts().any(|part| matches!(part, Part::Table(caption, _) if *caption == table.caption)) {
                let rows = std::mem::take(&mut table.rows);
                let quoted = |row: &Vec<Cell>| table.figures(row).any(|figure| is_quoted(&figure.name));
                table.rows = rows.into_iter().filter(quoted).collect();
            }
        }
        tables.retain(|table| !table.rows.is_empty());
        let nothing = claims.is_empty() && plots.is_empty() && tables.is_empty();
        let outcome = Outcome::Found(Findings { claims, plots, tables, ..Findings::default() });
        (!nothing).then(|| Entry { outcome, name: entry.name.clone(), ..Entry::default() })
    };
    let experiments: Vec<Entry> = report.experiments.iter().filter_map(quoted).collect();
    Report { planned: experiments.len(), experiments, ..report.clone() }
}

/// What a mark asks for.
enum Subject<'a> {
    Machine,
    Found(&'a str, Part<'a>),
}

/// What it may ask for of the findings of an experiment.
enum Part<'a> {
    Claims,
    /// A caption, and the columns.
    Table(&'a str, Option<&'a str>),
    Plot(&'a str),
    Figure(&'a str),
}

impl<'a> Subject<'a> {
    fn read(subject: &'a str) -> Result<Subject<'a>, String> {
        if subject == "machine" {
            return Ok(Subject::Machine);
        }
        let mut parts = subject.split(" | ");
        let (name, what) = (parts.next().unwrap_or_default(), parts.next());
        let what = what.ok_or_else(|| format!("`{subject}` is neither `machine` nor `NAME | FIGURE`"))?;
        let (kind, caption) = what.split_once(' ').unwrap_or((what, ""));
        let part = match kind {
            "claims" if caption.is_empty() => Part::Claims,
            "table" => Part::Table(caption, parts.next()),
            "plot" => Part::Plot(caption),
            _ => Part::Figure(what),
        };
        Ok(Subject::Found(name, part))
    }

    /// The experiment, and the part of its findings.
    fn found(self) -> Option<(&'a str, Part<'a>)> {
        match self {
            Subject::Machine => None,
            Subject::Found(name, part) => Some((name, part)),
        }
    }
}

/// What stands behind a mark.
fn fill(report: &Report, subject: &str, pictures: &mut Vec<(String, String)>) -> Result<String, String> {
    let Some((name, part)) = Subject::read(subject)?.found() else {
        return Ok(machine(report));
    };
    let names = || report.experiments.iter().map(|entry| entry.name.as_str());
    let entry = report.experiments.iter().find(|entry| entry.name == name);
    let findings = entry
        .and_then(|entry| entry.findings())
        .ok_or_else(|| format!("nothing was found by `{name}`; there are {}", listed(names())))?;
    match part {
        Part::Claims => markdown(&claims(findings), None),
        Part::Table(caption, columns) => markdown(the(caption, &findings.tables, |table| &table.caption)?.1, columns),
        Part::Plot(caption) => {
            let (number, plot) = the(caption, &findings.plots, |plot| &plot.caption)?;
            let path = format!("pictures/{name}-{}.svg", number + 1);
            let text = format!("\n\n![{caption}]({path})\n\n");
            pictures.push((path, picture(plot)));
            Ok(text)
        }
        Part::Figure(name) => figure(findings, name),
    }
}

/// The machine, the build, the command and the day.
fn machine(Report { machine, command, .. }: &Report) -> String {
    let Machine { processor, cores, compiler, build, date, .. } = machine;
    let day = date.split(' ').next().unwrap_or_default();
    format!("{processor}, {cores} cores, {compiler}, {build} build, on {day}, by `{command}`")
}

/// A figure with this name, which no other one has.
fn figure(findings: &Findings, name: &str) -> Result<String, String> {
    let figures = findings.figures();
    let mut named = figures.iter().filter(|figure| figure.name == name);
    match (named.next(), named.next()) {
        (Some(figure), None) => Ok(figure.figure.to_string()),
        (Some(_), Some(_)) => Err(format!("more than one figure is called `{name}`")),
        (None, _) => {
            Err(format!("no figure is called `{name}`; there are {}", listed(figures.iter().map(|f| &*f.name))))
        }
    }
}

/// What has this caption, and its place among all.
fn the<'a, T>(caption: &str, all: &'a [T], of: impl Fn(&T) -> &String) -> Result<(usize, &'a T), String> {
    let found = all.iter().enumerate().find(|(_, one)| of(one) == caption);
    let captions = all.iter().map(|one| of(one).as_str());
    found.ok_or_else(|| format!("nothing has the caption `{caption}`; there are {}", listed(captions)))
}

/// All names, as code.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "none".to_string() } else { names.join(", ") }
}

/// The name of a column, and what stands in it.
type Column<'a> = (&'a str, &'a dyn Fn(&Claim) -> String);

/// All claims as a table. Columns in which nothing would stand are left out.
fn claims(findings: &Findings) -> Table {
    let said = |claim: &Claim| {
        let said = claim.paper.as_ref().map(|paper| format!("{}; {}", paper.says, paper.place));
        said.unwrap_or_default()
    };
    let ratio = |claim: &Claim| claim.ratio().map(|ratio| Figure::plain(ratio).to_string()).unwrap_or_default();
    let columns: [Column; 5] = [
        ("claim", &|claim| claim.text.clone()),
        ("here", &|claim| claim.ours.to_string()),
        ("should be", &Claim::should_be),
        ("elsewhere", &said),
        ("here / elsewhere", &ratio),
    ];
    let filled = |(_, cell): &&Column| findings.claims.iter().any(|claim| !cell(claim).is_empty());
    let columns: Vec<_> = columns.iter().filter(filled).collect();
    Table {
        caption: String::new(),
        columns: columns.iter().map(|(name, _)| name.to_string()).collect(),
        rows: findings
            .claims
            .iter()
            .map(|claim| columns.iter().map(|(_, cell)| cell(claim).into()).collect())
            .collect(),
    }
}

/// A table, or some of its columns.
fn markdown(table: &Table, chosen: Option<&str>) -> Result<String, String> {
    let Table { columns, rows, .. } = table;
    let chosen: Vec<usize> = match chosen {
        None => (0..columns.len()).collect(),
        Some(names) => {
            let place = |name: &str| columns.iter().position(|column| column == name);
            let all = || listed(columns.iter().map(String::as_str));
            let place = |name| place(name).ok_or_else(|| format!("no column is called `{name}`; there are {}", all()));
            names.split("; ").map(place).collect::<Result<_, _>>()?
        }
    };
    let number = |column: usize| rows.iter().any(|row| matches!(row[column], Cell::Figure(_)));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text = String::from("\n\n");
    text += &line(chosen.iter().map(|&column| escape(&columns[column])).collect());
    text += &line(chosen.iter().map(|&column| if number(column) { "---:" } else { "---" }.to_string()).collect());
    for row in rows {
        text += &line(chosen.iter().map(|&column| escape(&row[column].to_string())).collect());
    }
    Ok(text + "\n")
}

/// Text as it is written in a cell.
fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}

/// A plot by itself: on white, as a picture does not know the colours of the page around it.
fn picture(plot: &Plot) -> String {
    let drawing = svg::draw(plot);
    let (head, inside) = drawing.split_once('>').unwrap_or((&drawing, ""));
    format!("{head}>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>{}\n", inside.trim_end())
}
