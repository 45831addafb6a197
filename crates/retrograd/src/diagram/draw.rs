//! Drawings as SVG.

use std::fmt::Write;

use super::layout::{Layout, Row};
use super::read::Program;

const ROW: usize = 26;
/// How high the names above the lines are.
const HEAD: usize = 34;
const MARGIN: usize = 14;
/// How far brackets stand apart, and pairs.
const NESTED: usize = 9;
/// Half of a box.
const HALF: usize = 9;
/// The width of a character, of names and of statements.
const WIDE: usize = 8;

const STYLE: &str = ".rg{--ink:#23262d;--line:#9aa3b2;--box:#e3eefb;--edge:#3f73b5;--faint:#7b8494;--undo:#f4ede0;--now:#fff0c2}\
@media(prefers-color-scheme:dark){.rg{--ink:#e4e2dd;--line:#5b6472;--box:#24364e;--edge:#84b6f4;--faint:#98a0ac;--undo:#39342a;--now:#4a3f16}}\
.rg text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--ink)}\
.rg .name{text-anchor:middle;font-weight:600}.rg .sign{text-anchor:middle}\
.rg .life{stroke:var(--line);stroke-width:1.6}.rg .wire{stroke:var(--ink);stroke-width:1.2}\
.rg .dot{fill:var(--ink)}.rg .box{fill:var(--box);stroke:var(--edge);stroke-width:1.3}\
.rg .begin{stroke:var(--line);stroke-width:1.6}.rg .bracket{fill:none;stroke:var(--edge);stroke-width:1.3}\
.rg .pair{fill:none;stroke:var(--faint);stroke-width:1;stroke-dasharray:3 3}\
.rg .undo text{fill:var(--faint)}.rg .undo .box{fill:var(--undo);stroke:var(--faint)}.rg .undo .wire{stroke:var(--faint)}.rg .undo .dot{fill:var(--faint)}\
.rg .back{fill:transparent}.rg .now .back{fill:var(--now)}";

/// Where things stand from left to right.
struct Columns {
    /// The middle of each variable.
    middles: Vec<usize>,
    /// Where the pairs are, and the texts.
    pairs: usize,
    texts: usize,
}

/// Draws a program; `line` says which line of the reader a line of the text is.
pub(super) fn draw(layout: &Layout, program: &Program, line: &dyn Fn(u32) -> Option<u32>) -> String {
    let deepest = layout.brackets.iter().map(|(_, _, depth)| depth + 1).max().unwrap_or(0);
    let mut x = MARGIN + NESTED * deepest + HALF;
    let mut middles = Vec::new();
    for variable in &program.variables {
        let width = (WIDE * variable.name.chars().count() + 12).max(34);
        middles.push(x + width / 2);
        x += width;
    }
    let pairs = x + HALF;
    let texts = pairs + NESTED * (layout.pairs.len().min(6) + 1);
    let columns = Columns { middles, pairs, texts };
    let longest = layout.rows.iter().map(|row| row.text.chars().count() + 2 * row.depth).max().unwrap_or(0);
    let (width, height) = (texts + WIDE * longest + MARGIN, HEAD + ROW * layout.rows.len() + MARGIN);
    let mut svg = format!(
        "<svg class=\"rg\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\"><style>{STYLE}</style>"
    );
    for ((variable, middle), (from, to)) in program.variables.iter().zip(&columns.middles).zip(&layout.lives) {
        let (top, bottom) = match variable.parameter {
            true => (HEAD - 8, height - MARGIN / 2),
            false => (center(*from), HEAD + ROW * to),
        };
        // The name of a local stands where it begins.
        let above = if variable.parameter { HEAD - 14 } else { center(*from) - HALF - 1 };
        let _ = write!(svg, "<path class=\"life\" d=\"M{middle} {top}V{bottom}\"/>");
        let _ = write!(svg, "<text class=\"name\" x=\"{middle}\" y=\"{above}\">{}</text>", escaped(&variable.name));
    }
    for (from, to, depth) in &layout.brackets {
        let (x, top, bottom) = (MARGIN + NESTED * depth, center(*from), HEAD + ROW * (to + 1) - 5);
        let _ = write!(svg, "<path class=\"bracket\" d=\"M{} {top}H{x}V{bottom}H{}\"/>", x + 7, x + 7);
    }
    for (i, (from, to)) in layout.pairs.iter().enumerate() {
        let x = columns.pairs + NESTED * (i % 6);
        let _ = write!(svg, "<path class=\"pair\" d=\"M{} {}H{x}V{}H{}\"/>", x - 5, center(*from), center(*to), x - 5);
    }
    for (i, row) in layout.rows.iter().enumerate() {
        draw_row(&mut svg, row, i, width, &columns, line);
    }
    svg.push_str("</svg>");
    svg
}

fn draw_row(
    svg: &mut String,
    row: &Row,
    number: usize,
    width: usize,
    columns: &Columns,
    line: &dyn Fn(u32) -> Option<u32>,
) {
    let y = center(number);
    let undoes = if row.symbol == "↺" { " undo" } else { "" };
    let own = row.line.and_then(line).map_or(String::new(), |line| format!(" data-line=\"{line}\""));
    let _ = write!(svg, "<g class=\"row{undoes}\"{own}>");
    let _ = write!(
        svg,
        "<rect class=\"back\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{ROW}\"/>",
        columns.texts - 6,
        y - ROW / 2,
        width - columns.texts
    );
    let at = |id: &usize| columns.middles[*id];
    let all = || row.reads.iter().chain(&row.changes).chain(&row.begins).map(at);
    if let (Some(left), Some(right)) = (all().min(), all().max())
        && left < right
    {
        let _ = write!(svg, "<path class=\"wire\" d=\"M{left} {y}H{right}\"/>");
    }
    for x in row.reads.iter().map(at) {
        let _ = write!(svg, "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"3.6\"/>");
    }
    for x in row.begins.iter().map(at) {
        let _ = write!(svg, "<path class=\"begin\" d=\"M{} {y}h12\"/>", x - 6);
    }
    for x in row.changes.iter().map(at) {
        let (left, top, side) = (x - HALF, y - HALF, 2 * HALF);
        let _ =
            write!(svg, "<rect class=\"box\" x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\" rx=\"3\"/>");
        let _ = write!(svg, "<text class=\"sign\" x=\"{x}\" y=\"{}\">{}</text>", y + 4, row.symbol);
    }
    let x = columns.texts + 2 * WIDE * row.depth;
    let _ = write!(svg, "<text x=\"{x}\" y=\"{}\">{}</text></g>", y + 4, escaped(&row.text));
}

/// The height of a row's middle.
fn center(row: usize) -> usize {
    HEAD + ROW * row + ROW / 2
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
