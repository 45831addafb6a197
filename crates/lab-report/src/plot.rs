//! Plots and pictures as data: what is drawn, and along which axes.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::map::Map;

/// How numbers are laid out along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long. What is not positive has no place, and is not drawn.
    Logarithmic,
}

/// One axis of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What goes along it, with its unit.
    pub label: String,
    /// How it is laid out.
    pub scale: Scale,
}

impl Axis {
    /// An axis on which equal differences are equally long.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear }
    }

    /// An axis on which equal ratios are equally long.
    pub fn logarithmic(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Logarithmic }
    }
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// A line through all of them, with marks unless they are many.
    Line,
    /// A dashed line, likewise.
    Dashed,
    /// Marks alone, which are small if they are many.
    Marks,
    /// A line from each point with an even place to the next one.
    Segments,
    /// Dashed lines, likewise.
    DashedSegments,
    /// Lines likewise, around what is at least as high as a level: the higher the level, the stronger they are.
    Contour {
        /// Which level it is, from one on.
        level: u8,
        /// How many levels there are.
        levels: u8,
    },
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// What they are.
    pub label: String,
    /// How they are drawn.
    pub style: Style,
    /// Series of one group have one colour. Otherwise each has its own.
    pub group: Option<usize>,
    /// The points.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// Points that belong together.
    pub fn new(label: impl Into<String>, style: Style, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { label: label.into(), style, group: None, points: points.into_iter().collect() }
    }

    /// The same with the colour of a group.
    pub fn of_group(mut self, group: usize) -> Series {
        self.group = Some(group);
        self
    }
}

/// What the axes of a plot look like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// Axes with their numbers, horizontal and vertical.
    Axes(Axis, Axis),
    /// No axes: a picture, as wide as it is high.
    Picture,
    /// Maps side by side, and nothing else.
    Maps(Vec<Map>),
}

/// A plot, or a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// What is to be seen.
    pub caption: String,
    /// The axes.
    pub frame: Frame,
    /// What is drawn.
    pub series: Vec<Series>,
}

impl Plot {
    /// A plot with axes.
    pub fn new(caption: impl Into<String>, x: Axis, y: Axis, series: Vec<Series>) -> Plot {
        Plot { caption: caption.into(), frame: Frame::Axes(x, y), series }
    }

    /// A picture without axes.
    pub fn picture(caption: impl Into<String>, series: Vec<Series>) -> Plot {
        Plot { caption: caption.into(), frame: Frame::Picture, series }
    }

    /// Maps side by side.
    pub fn maps(caption: impl Into<String>, maps: Vec<Map>) -> Plot {
        Plot { caption: caption.into(), frame: Frame::Maps(maps), series: Vec::new() }
    }
}

/// The slope of a straight line through points in logarithms, by least squares: the exponent of a power law.
///
/// ```
/// use lab_report::plot::slope;
///
/// let points = [(1.0, 2.0), (10.0, 200.0), (100.0, 20_000.0)];
/// assert!((slope(&points) - 2.0).abs() < 1e-12);
/// ```
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<(f64, f64)> =
        points.iter().filter(|(x, y)| *x > 0.0 && *y > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logarithms.len() as f64;
    let (mean_x, mean_y) = logarithms.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / n, y + point.1 / n));
    let above: f64 = logarithms.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let below: f64 = logarithms.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
    above / below
}

/// Heights at the corners of a grid of rectangles, such as those of a density.
#[derive(Clone, Debug)]
pub struct Heights {
    x: Range<f64>,
    y: Range<f64>,
    /// How many rectangles there are in a row and in a column.
    cells: (usize, usize),
    /// Row by row.
    heights: Vec<f64>,
}

/// An edge of a rectangle, by the column and the row of the corner where it begins: it goes upwards or to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    column: usize,
    row: usize,
    upwards: bool,
}

impl Heights {
    /// What `height` is at each corner of so many rectangles.
    pub fn new(x: Range<f64>, y: Range<f64>, cells: (usize, usize), height: impl Fn(f64, f64) -> f64) -> Heights {
        let mut heights = Heights { x, y, cells, heights: Vec::new() };
        for row in 0..=cells.1 {
            for column in 0..=cells.0 {
                let (x, y) = heights.corner(column, row);
                heights.heights.push(height(x, y));
            }
        }
        heights
    }

    fn corner(&self, column: usize, row: usize) -> (f64, f64) {
        let along = |ends: &Range<f64>, i: usize, n: usize| ends.start + (ends.end - ends.start) * i as f64 / n as f64;
        (along(&self.x, column, self.cells.0), along(&self.y, row, self.cells.1))
    }

    fn height(&self, column: usize, row: usize) -> f64 {
        self.heights[row * (self.cells.0 + 1) + column]
    }

    /// The lines along which the height is `level`, for [`Style::Contour`]: both ends of straight pieces, of which one begins where the
    /// last one ends as long as a line goes on. Inside of a rectangle the height is taken as if it were linear along its edges.
    ///
    /// ```
    /// use lab_report::plot::Heights;
    ///
    /// let heights = Heights::new(-2.0..2.0, -2.0..2.0, (40, 40), |x, y| -x.hypot(y));
    /// let circle = heights.contour(-1.0);
    /// assert!(circle.iter().all(|(x, y)| (x.hypot(*y) - 1.0).abs() < 0.01));
    /// assert!(circle[1..].as_chunks().0.iter().all(|[end, beginning]| end == beginning));
    /// assert_eq!(circle.first(), circle.last());
    /// ```
    pub fn contour(&self, level: f64) -> Vec<(f64, f64)> {
        let pieces = self.pieces(level);
        let mut of_edge: BTreeMap<Edge, Vec<usize>> = BTreeMap::new();
        for (number, ends) in pieces.iter().enumerate() {
            ends.iter().for_each(|&edge| of_edge.entry(edge).or_default().push(number));
        }
        // Lines that end at the border begin there, and what is left are loops.
        let at_border = of_edge.iter().filter(|(_, pieces)| pieces.len() == 1).map(|(&edge, _)| edge);
        let beginnings: Vec<Edge> = at_border.chain(pieces.iter().map(|ends| ends[0])).collect();
        let mut drawn = vec![false; pieces.len()];
        let mut points = Vec::with_capacity(2 * pieces.len());
        for mut here in beginnings {
            while let Some(&piece) = of_edge[&here].iter().find(|&&piece| !drawn[piece]) {
                drawn[piece] = true;
                let there = if pieces[piece][0] == here { pieces[piece][1] } else { pieces[piece][0] };
                points.extend([self.crossing(here, level), self.crossing(there, level)]);
                here = there;
            }
        }
        points
    }

    /// Pieces of lines at a level, by the edges where they begin and end.
    fn pieces(&self, level: f64) -> Vec<[Edge; 2]> {
        let mut pieces = Vec::new();
        for row in 0..self.cells.1 {
            for column in 0..self.cells.0 {
                // Around the rectangle: the corners, and the edges from each to the next.
                let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
                let edges = [
                    Edge { column, row, upwards: false },
                    Edge { column: column + 1, row, upwards: true },
                    Edge { column, row: row + 1, upwards: false },
                    Edge { column, row, upwards: true },
                ];
                let heights = corners.map(|(column, row)| self.height(column, row));
                let above = heights.map(|height| height >= level);
                let crossed: Vec<Edge> = (0..4).filter(|&i| above[i] != above[(i + 1) % 4]).map(|i| edges[i]).collect();
                match crossed[..] {
                    [from, to] => pieces.push([from, to]),
                    [a, b, c, d] => {
                        // A saddle: the middle says which two opposite corners are connected.
                        let middle = heights.iter().sum::<f64>() / 4.0 >= level;
                        pieces.extend(if middle == above[0] { [[a, b], [c, d]] } else { [[d, a], [b, c]] });
                    }
                    _ => {}
                }
            }
        }
        pieces
    }

    /// Where on an edge the height is `level`.
    fn crossing(&self, Edge { column, row, upwards }: Edge, level: f64) -> (f64, f64) {
        let (next_column, next_row) = if upwards { (column, row + 1) } else { (column + 1, row) };
        let (here, there) = (self.height(column, row), self.height(next_column, next_row));
        let part = (level - here) / (there - here);
        let ((x, y), (next_x, next_y)) = (self.corner(column, row), self.corner(next_column, next_row));
        (x + part * (next_x - x), y + part * (next_y - y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many lines there are: pieces that begin somewhere else than the last one ended.
    fn lines(points: &[(f64, f64)]) -> usize {
        let pieces = points.as_chunks::<2>().0;
        pieces.windows(2).filter(|pieces| pieces[0][1] != pieces[1][0]).count() + usize::from(!pieces.is_empty())
    }

    #[test]
    fn a_level_that_is_not_reached_has_no_line() {
        let heights = Heights::new(0.0..1.0, 0.0..1.0, (4, 4), |x, y| x + y);
        assert_eq!((heights.contour(-0.5), heights.contour(2.5)), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_line_that_leaves_the_grid_begins_and_ends_at_its_border() {
        let heights = Heights::new(0.0..1.0, 0.0..1.0, (4, 4), |x, y| x + y);
        let line = heights.contour(1.1);
        assert_eq!(lines(&line), 1);
        assert!(line.iter().all(|(x, y)| (x + y - 1.1).abs() < 1e-12));
        let at_border = |(x, y): (f64, f64)| [x, y].iter().any(|&z| z == 0.0 || z == 1.0);
        assert!(at_border(line[0]) && at_border(line[line.len() - 1]));
    }

    #[test]
    fn two_hills_have_two_lines_and_a_saddle_between_them_is_no_crossing() {
        let hills = |x: f64, y: f64| (-(x - 1.0).hypot(y)).exp() + (-(x + 1.0).hypot(y)).exp();
        let heights = Heights::new(-3.0..3.0, -3.0..3.0, (30, 30), hills);
        assert_eq!((lines(&heights.contour(0.9)), lines(&heights.contour(0.5))), (2, 1));
        for level in [-0.1, 0.0, 0.1] {
            let heights = Heights::new(-1.0..1.0, -1.0..1.0, (3, 3), |x, y| x * y);
            assert_eq!(lines(&heights.contour(level)), 2, "{level}");
        }
    }
}
