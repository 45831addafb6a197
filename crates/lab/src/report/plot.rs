//! Plots and pictures as data: what is drawn, and along which axes.

use serde::{Deserialize, Serialize};

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
    /// A line through all of them, with marks.
    Line,
    /// A dashed line through all of them, with marks.
    Dashed,
    /// Marks alone.
    Marks,
    /// A line from each point with an even place to the next one.
    Segments,
    /// Dashed lines, likewise.
    DashedSegments,
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
}

/// The slope of a straight line through points in logarithms, by least squares: the exponent of a power law.
///
/// ```
/// use lab::report::plot::slope;
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
