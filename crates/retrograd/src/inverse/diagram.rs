//! Lumps as a drawing.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::Lump;
use super::matching::Matching;
use super::system::System;
use crate::numbers::Node;

const ROW: usize = 32;
const COLUMN: usize = 76;
const MARGIN: usize = 44;
const BOX: usize = 56;
/// How far a box reaches beyond its first and last line.
const HALF: usize = 11;
/// How many operations are listed for a box.
const LISTED: usize = 12;
/// How many characters fit into a box.
const FITTING: usize = 9;
/// How far below the middle of a line its text stands.
const BASELINE: usize = 4;

const STYLE: &str = "text{font:11px sans-serif;fill:#223;text-anchor:middle}\
.value{stroke:#8a94a6;stroke-width:1.5}.reads{stroke:#8a94a6;stroke-width:1;stroke-dasharray:2 2}.dot{fill:#445}\
.step{fill:#e3eefb;stroke:#4a7ab5}.lump{fill:#fdebd2;stroke:#c98a2b}.name{fill:#667}";

/// Where a lump stands: on the lines that it changes, beside those that it reads.
struct Placed<'a> {
    lump: &'a Lump,
    column: usize,
    changes: BTreeSet<usize>,
    reads: BTreeSet<usize>,
}

impl Placed<'_> {
    fn rows(&self) -> std::ops::RangeInclusive<usize> {
        let all = || self.changes.iter().chain(&self.reads).copied();
        all().min().unwrap_or(0)..=all().max().unwrap_or(0)
    }
}

/// Each path of the flow is a line. Between two lumps, the values that are alive are the last ones of all paths, so that a lump replaces
/// values on some lines, and reads values on others.
pub(super) fn draw(system: &System, matching: &Matching, lumps: &[Lump], outputs: &[usize], nodes: &[Node]) -> String {
    let lines = lines(system, matching);
    let placed = place(system, &lines, lumps, nodes);
    let columns = placed.iter().map(|placed| placed.column + 1).max().unwrap_or(0);
    let (width, height) = (2 * MARGIN + columns * COLUMN, (system.inputs() + 1) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <style>{STYLE}</style>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let ends = outputs.iter().enumerate().filter_map(|(output, &unknown)| Some((output, lines[unknown]?)));
    write_lines(&mut svg, system.inputs(), width, ends)
        .and_then(|()| placed.iter().try_for_each(|placed| write_lump(&mut svg, placed, nodes)))
        .expect("writing to a string does not fail");
    svg.push_str("</svg>\n");
    svg
}

/// The line of each unknown that is on a path.
fn lines(system: &System, matching: &Matching) -> Vec<Option<usize>> {
    let n = system.inputs();
    let mut lines: Vec<Option<usize>> = (0..system.len()).map(|unknown| (unknown < n).then_some(unknown)).collect();
    for node in n..system.len() {
        let before = matching.unknown(node);
        if before != node {
            lines[node] = lines[before];
        }
    }
    lines
}

/// Each lump stands in the first column in which its lines are free.
fn place<'a>(system: &System, lines: &[Option<usize>], lumps: &'a [Lump], nodes: &[Node]) -> Vec<Placed<'a>> {
    let mut unknown = vec![None; nodes.len()];
    (0..system.len()).for_each(|i| unknown[system.node(i)] = Some(i));
    let line = |node: usize| unknown[node].and_then(|unknown| lines[unknown]);
    let mut free = vec![0; system.inputs()];
    let one = |lump: &'a Lump| {
        let changes: BTreeSet<usize> = lump.nodes().iter().filter_map(|&node| line(node)).collect();
        let parents = lump.nodes().iter().flat_map(|&node| nodes[node].partials()).map(|(parent, _)| parent);
        let outside = parents.filter(|parent| lump.nodes().binary_search(parent).is_err());
        let reads = outside.filter_map(line).filter(|line| !changes.contains(line)).collect();
        let mut placed = Placed { lump, column: 0, changes, reads };
        let rows = &mut free[placed.rows()];
        placed.column = rows.iter().copied().max().unwrap_or(0);
        rows.fill(placed.column + 1);
        placed
    };
    lumps.iter().map(one).collect()
}

fn y(row: usize) -> usize {
    row * ROW + ROW
}

fn write_lines(svg: &mut String, n: usize, width: usize, ends: impl Iterator<Item = (usize, usize)>) -> fmt::Result {
    for row in 0..n {
        let (y, end) = (y(row), width - MARGIN + 8);
        writeln!(svg, "<text class=\"name\" x=\"18\" y=\"{}\">x{row}</text>", y + BASELINE)?;
        writeln!(svg, "<line class=\"value\" x1=\"36\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\"/>")?;
    }
    for (output, row) in ends {
        writeln!(svg, "<text class=\"name\" x=\"{}\" y=\"{}\">y{output}</text>", width - 18, y(row) + BASELINE)?;
    }
    Ok(())
}

fn write_lump(svg: &mut String, placed: &Placed<'_>, nodes: &[Node]) -> fmt::Result {
    let (Some(&first), Some(&last)) = (placed.changes.first(), placed.changes.last()) else { return Ok(()) };
    let left = MARGIN + placed.column * COLUMN + (COLUMN - BOX) / 2;
    let (middle, top, bottom) = (left + BOX / 2, y(first) - HALF, y(last) + HALF);
    let title = placed
        .lump
        .nodes()
        .iter()
        .take(LISTED)
        .map(|&node| format!("{} at {}", nodes[node].operation(), nodes[node].location()));
    let more = placed.lump.nodes().len().saturating_sub(LISTED);
    let title: Vec<String> = title.chain((more > 0).then(|| format!("and {more} more"))).collect();
    writeln!(svg, "<g><title>{}</title>", escaped(&title.join("\n")))?;
    for &row in placed.reads.iter().filter(|&&row| row < first || row > last) {
        let (x, y, edge) = (middle, y(row), if row < first { top } else { bottom });
        writeln!(svg, "<line class=\"reads\" x1=\"{x}\" y1=\"{y}\" x2=\"{x}\" y2=\"{edge}\"/>")?;
        writeln!(svg, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.5\"/>")?;
    }
    let (class, height) = (if placed.changes.len() == 1 { "step" } else { "lump" }, bottom - top);
    writeln!(svg, "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{BOX}\" height=\"{height}\" rx=\"4\"/>")?;
    // What it leaves alone goes on over it, and what it reads between its lines has its dot there.
    let between = || (first..=last).filter(|row| !placed.changes.contains(row));
    for row in between() {
        let y = y(row);
        writeln!(svg, "<line class=\"value\" x1=\"{left}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\"/>", left + BOX)?;
        if placed.reads.contains(&row) {
            writeln!(svg, "<circle class=\"dot\" cx=\"{left}\" cy=\"{y}\" r=\"3.5\"/>")?;
        }
    }
    let names: Vec<&str> = placed.lump.nodes().iter().map(|&node| nodes[node].operation()).collect();
    let mut label = names.join(" ");
    if label.chars().count() > FITTING {
        label = format!("{} steps", names.len());
    }
    let height = if between().next().is_some() { y(first) } else { (top + bottom) / 2 };
    writeln!(svg, "<text x=\"{middle}\" y=\"{}\">{}</text></g>", height + BASELINE, escaped(&label))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
