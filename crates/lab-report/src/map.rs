//! Maps: numbers on a grid as shades, blue below a middle and red above it.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::findings::Figure;

/// How many shades there are on either side of white.
const SHADES: i32 = 20;
/// The character of the first shade: all others follow it, and JSON writes each as it is.
const FIRST: u8 = b'0';
/// No map has more cells in a row or column.
const MOST: usize = 100;

/// White, and the two ends.
const WHITE: [f64; 3] = [247.0, 247.0, 247.0];
const BLUE: [f64; 3] = [23.0, 90.0, 170.0];
const RED: [f64; 3] = [190.0, 45.0, 35.0];

/// Numbers on a grid, as shades.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// What is to be seen.
    pub label: String,
    /// The number that is white.
    pub middle: f64,
    /// How far from there the strongest shades are.
    pub reach: f64,
    /// A character for each cell.
    pub rows: Vec<String>,
}

impl Map {
    /// The numbers of a grid with so many columns, row by row. A large grid is drawn by the means of squares of cells.
    ///
    /// ```
    /// use lab_report::map::Map;
    ///
    /// let map = Map::new("a slope", 3, &[-2.0, -1.0, 0.0, 0.0, 1.0, 9.0], 0.0, 2.0);
    /// assert_eq!(map.rows, ["0:D", "DNX"]);
    /// assert_eq!(Map::new("flat", 250, &[1.0; 500], 1.0, 0.5).rows, ["D".repeat(84)]);
    /// ```
    ///
    /// # Panics
    ///
    /// If there are no columns, or the last row is not full.
    pub fn new(label: impl Into<String>, columns: usize, numbers: &[f64], middle: f64, reach: f64) -> Map {
        assert!(columns > 0 && numbers.len().is_multiple_of(columns), "{} numbers in {columns} columns", numbers.len());
        let rows = numbers.len() / columns;
        let side = columns.max(rows).div_ceil(MOST).max(1);
        let mean = |row: usize, column: usize| {
            let (down, right) = (row..(row + side).min(rows), column..(column + side).min(columns));
            let cells = down.flat_map(|row| right.clone().map(move |column| numbers[row * columns + column]));
            let (sum, count) = cells.fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
            sum / count
        };
        let line = |row| (0..columns).step_by(side).map(|column| shade(mean(row, column), middle, reach)).collect();
        Map { label: label.into(), middle, reach, rows: (0..rows).step_by(side).map(line).collect() }
    }
}

/// The character for a number. What is not a number is white.
fn shade(number: f64, middle: f64, reach: f64) -> char {
    let part = ((number - middle) / reach * f64::from(SHADES)).round().clamp(f64::from(-SHADES), f64::from(SHADES));
    char::from(FIRST + (part as i32 + SHADES) as u8)
}

/// The colour of a character.
fn colour(shade: u8) -> String {
    let part = (f64::from(shade.saturating_sub(FIRST)) / f64::from(SHADES) - 1.0).clamp(-1.0, 1.0);
    let end = if part < 0.0 { BLUE } else { RED };
    let mixed = |i: usize| (WHITE[i] + (end[i] - WHITE[i]) * part.abs()).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}

/// The width of a map, and its height; the room around it, for its name above and its scale below.
const SIDE: f64 = 220.0;
const GAP: f64 = 16.0;
const ABOVE: f64 = 30.0;
const BELOW: f64 = 50.0;

/// Draws maps side by side.
pub(super) fn draw(maps: &[Map]) -> String {
    let (width, height) = (GAP + maps.len() as f64 * (SIDE + GAP), ABOVE + SIDE + BELOW);
    let mut text = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n"
    );
    for (number, map) in maps.iter().enumerate() {
        let left = GAP + number as f64 * (SIDE + GAP);
        label(&mut text, (left + 0.5 * SIDE, ABOVE - 10.0), "middle", 14, &map.label);
        let columns = map.rows.first().map_or(1, String::len);
        paint(&mut text, (left, ABOVE), (SIDE / columns as f64, SIDE / map.rows.len() as f64), &map.rows);
        let scale: String = (0..=2 * SHADES as u8).map(|shade| char::from(FIRST + shade)).collect();
        paint(&mut text, (left, ABOVE + SIDE + 12.0), (SIDE / scale.len() as f64, 8.0), &[scale]);
        for (part, anchor) in [(-1.0, "start"), (0.0, "middle"), (1.0, "end")] {
            let number = Figure::plain(map.middle + part * map.reach).to_string();
            label(&mut text, (left + 0.5 * SIDE * (1.0 + part), ABOVE + SIDE + 36.0), anchor, 12, &number);
        }
    }
    text + "</svg>\n"
}

/// Words at a place.
fn label(text: &mut String, (x, y): (f64, f64), anchor: &str, size: u32, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let style = format!("text-anchor=\"{anchor}\" font-family=\"sans-serif\" font-size=\"{size}\"");
    writeln!(text, "<text x=\"{x}\" y=\"{y}\" {style} fill=\"#000000\">{words}</text>")
        .expect("writing into a string cannot fail");
}

/// Rows of shades, from a place on, in cells of a size: a line for each run of cells of one shade.
fn paint(text: &mut String, (x, y): (f64, f64), (across, down): (f64, f64), rows: &[String]) {
    // Lines overlap a little, so that no seam shows between rows.
    let group = format!("<g transform=\"translate({x},{y}) scale({across:.4},{down:.4})\" stroke-width=\"1.04\">\n");
    text.push_str(&group);
    for shade in (0..=2 * SHADES as u8).map(|shade| FIRST + shade) {
        let mut path = String::new();
        for (row, cells) in rows.iter().enumerate() {
            let mut column = 0;
            for run in cells.as_bytes().chunk_by(|one, other| one == other) {
                if run[0] == shade {
                    write!(path, "M{column} {row}.5h{}", run.len()).expect("writing into a string cannot fail");
                }
                column += run.len();
            }
        }
        if !path.is_empty() {
            writeln!(text, "<path stroke=\"{}\" d=\"{path}\"/>", colour(shade))
                .expect("writing into a string cannot fail");
        }
    }
    text.push_str("</g>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_blue_and_red_and_the_middle_is_white() {
        let colours = [-7.0, 1.0, 9.0, f64::NAN].map(|number| colour(shade(number, 1.0, 3.0) as u8));
        assert_eq!(colours, ["#175aaa", "#f7f7f7", "#be2d23", "#f7f7f7"]);
    }

    #[test]
    fn each_run_of_a_shade_is_a_line() {
        let map = Map::new("a < b", 4, &[0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0], 0.0, 1.0);
        let text = draw(&[map]);
        assert!(text.contains("d=\"M0 0.5h2M0 1.5h1\"") && text.contains("d=\"M2 0.5h2M1 1.5h3\""), "{text}");
        assert!(text.contains(">a &lt; b</text>") && text.contains(">-1.00</text>"), "{text}");
    }
}
