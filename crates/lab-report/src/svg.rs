//! Plots as SVG, for light and dark pages and for print.
//!
//! There is no background, and what is black takes the colour of the page's text by a rule of the page.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::map;
use super::plot::{Axis, Frame, Plot, Scale, Series, Style};

/// Colours that can be told apart on white and on black, and by most who see colours differently.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0x2f, 0x7f, 0xd1),
    RGBColor(0xe0, 0x7b, 0x00),
    RGBColor(0x1a, 0x9e, 0x6f),
    RGBColor(0xcc, 0x5f, 0xa0),
    RGBColor(0x8c, 0x6b, 0xd6),
    RGBColor(0xb0, 0x80, 0x2a),
    RGBColor(0xd6, 0x4a, 0x3a),
    RGBColor(0x5a, 0x9b, 0xa8),
];

const FONT: &str = "sans-serif";
/// The width of the part with the curves, and its height.
const SIZE: (u32, u32) = (560, 400);
/// The same for a small plot.
const SMALL: (u32, u32) = (380, 190);
/// The height of a line of the legend.
const LINE: i32 = 22;

/// Draws a plot.
pub(super) fn draw(plot: &Plot) -> String {
    if let Frame::Maps(maps) = &plot.frame {
        return map::draw(maps);
    }
    let longest = plot.series.iter().map(|series| series.label.chars().count()).max().unwrap_or(0);
    let legend = 60 + 8 * longest as u32;
    let width = if plot.frame == Frame::Picture { SIZE.1 } else { SIZE.0 };
    drawing((width + legend, SIZE.1), |area| {
        let (left, right) = area.split_horizontally(width);
        chart(&left, plot, 84, 10).and_then(|()| explain(&right, plot, 28))
    })
}

/// Draws a small plot, with its legend below.
pub(super) fn sketch(plot: &Plot) -> String {
    drawing((SMALL.0, SMALL.1 + LINE as u32 * plot.series.len() as u32), |area| {
        let (above, below) = area.split_vertically(SMALL.1);
        chart(&above, plot, 64, 5).and_then(|()| explain(&below.margin(0, 0, 60, 0), plot, 10))
    })
}

/// A drawing of this size.
fn drawing(size: (u32, u32), draw: impl FnOnce(&Area) -> Drawn) -> String {
    let mut text = String::new();
    draw(&SVGBackend::with_string(&mut text, size).into_drawing_area()).expect("writing into a string cannot fail");
    text
}

type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// The axes and what is drawn between them, with so much room on the left and at most so many numbers along each axis.
fn chart(area: &Area, plot: &Plot, left: u32, most: usize) -> Drawn {
    let (x, y) = match &plot.frame {
        Frame::Axes(x, y) => (x.clone(), y.clone()),
        Frame::Picture | Frame::Maps(_) => (Axis::linear(""), Axis::linear("")),
    };
    let all = || plot.series.iter().flat_map(|series| &series.points);
    let (rule_x, rule_y) = (Rule::new(x.scale, all().map(|p| p.0)), Rule::new(y.scale, all().map(|p| p.1)));
    let mut builder = ChartBuilder::on(area);
    builder.margin(12);
    if plot.frame != Frame::Picture {
        builder.x_label_area_size(44).y_label_area_size(left);
    }
    let mut chart = builder.build_cartesian_2d(rule_x.clone(), rule_y.clone())?;
    if plot.frame != Frame::Picture {
        let grid = RGBColor(128, 128, 128).mix(0.3);
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(most)
            .y_labels(most)
            .x_desc(x.label)
            .y_desc(y.label)
            .axis_desc_style((FONT, 15))
            .label_style((FONT, 14))
            .bold_line_style(grid)
            .draw()?;
        // A light line at each number, without the finer ones.
        for x in rule_x.key_points(most) {
            chart.draw_series([PathElement::new([(x, rule_y.range().start), (x, rule_y.range().end)], grid)])?;
        }
        for y in rule_y.key_points(most) {
            chart.draw_series([PathElement::new([(rule_x.range().start, y), (rule_x.range().end, y)], grid)])?;
        }
    }
    for (number, series) in plot.series.iter().enumerate() {
        let (_, style) = looks(number, series);
        let drawn: Vec<(f64, f64)> =
            series.points.iter().copied().filter(|&(x, y)| rule_x.has(x) && rule_y.has(y)).collect();
        match series.style {
            Style::Line => {
                chart.draw_series(LineSeries::new(drawn.iter().copied(), style))?;
            }
            Style::Dashed => {
                chart.draw_series(DashedLineSeries::new(drawn.iter().copied(), 6, 4, style))?;
            }
            Style::Segments | Style::Contour { .. } => {
                chart.draw_series(lines(&drawn).into_iter().map(|line| PathElement::new(line, style)))?;
            }
            Style::DashedSegments => {
                for ends in drawn.as_chunks::<2>().0 {
                    chart.draw_series(DashedLineSeries::new(ends.iter().copied(), 3, 4, style))?;
                }
            }
            Style::Marks => {}
        }
        match mark(plot, number) {
            Some(Mark::Circle(size, style)) => {
                chart.draw_series(drawn.iter().map(|&at| Circle::new(at, size, style)))?;
            }
            Some(Mark::Triangle(size, style)) => {
                chart.draw_series(drawn.iter().map(|&at| TriangleMarker::new(at, size, style)))?;
            }
            None => {}
        }
    }
    Ok(())
}

/// What stands at each point of a series.
enum Mark {
    Circle(i32, ShapeStyle),
    Triangle(i32, ShapeStyle),
}

/// A line with more points than this has no marks: they would touch.
const MOST_ON_A_LINE: usize = 60;
/// More marks than this are small.
const MOST_LARGE: usize = 150;

/// The mark of a series, if it has one.
///
/// Circles with nothing in them go around the marks of a line, and tell every second kind in a picture or in a crowd from the others.
fn mark(plot: &Plot, number: usize) -> Option<Mark> {
    let series = &plot.series[number];
    let (colour, _) = looks(number, series);
    let (many, picture) = (series.points.len() > MOST_LARGE, plot.frame == Frame::Picture);
    match series.style {
        Style::Line | Style::Dashed if series.points.len() > MOST_ON_A_LINE => None,
        Style::Line => Some(Mark::Circle(3, colour.filled())),
        Style::Dashed => Some(Mark::Triangle(4, colour.filled())),
        Style::Marks if many && number % 2 == 1 => Some(Mark::Circle(3, colour.stroke_width(1))),
        Style::Marks if many => Some(Mark::Circle(2, colour.filled())),
        Style::Marks if picture && number.is_multiple_of(2) => Some(Mark::Circle(7, colour.filled())),
        Style::Marks if picture => Some(Mark::Circle(7, colour.stroke_width(2))),
        Style::Marks => Some(Mark::Circle(4, colour.stroke_width(2))),
        Style::Segments | Style::DashedSegments | Style::Contour { .. } => None,
    }
}

/// The colour of a series and of its lines.
fn looks(number: usize, series: &Series) -> (RGBColor, ShapeStyle) {
    let colour = COLOURS[series.group.unwrap_or(number) % COLOURS.len()];
    let style = match series.style {
        Style::Contour { level, levels } => {
            colour.mix(0.3 + 0.7 * f64::from(level) / f64::from(levels)).stroke_width(2)
        }
        Style::Line | Style::Dashed | Style::Marks | Style::Segments | Style::DashedSegments => colour.stroke_width(2),
    };
    (colour, style)
}

/// Lines through pairs of ends: where one piece ends and the next one begins, the line goes on.
fn lines(ends: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
    for &[from, to] in ends.as_chunks().0 {
        match lines.last_mut() {
            Some(line) if line.last() == Some(&from) => line.push(to),
            _ => lines.push(vec![from, to]),
        }
    }
    lines
}

/// The legend: what each series looks like, and its name; the first one at this height.
fn explain(area: &Area, plot: &Plot, top: i32) -> Drawn {
    for (number, series) in plot.series.iter().enumerate() {
        let (_, style) = looks(number, series);
        let y = top + LINE * number as i32;
        let middle = (22, y);
        match series.style {
            Style::Line | Style::Segments | Style::Contour { .. } => {
                area.draw(&PathElement::new([(8, y), (36, y)], style))?;
            }
            Style::Dashed | Style::DashedSegments => {
                for x in [8, 18, 28] {
                    area.draw(&PathElement::new([(x, y), (x + 6, y)], style))?;
                }
            }
            Style::Marks => {}
        }
        match mark(plot, number) {
            Some(Mark::Circle(size, style)) => area.draw(&Circle::new(middle, size.min(4), style))?,
            Some(Mark::Triangle(size, style)) => area.draw(&TriangleMarker::new(middle, size, style))?,
            None => {}
        }
        let font = (FONT, 14).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(series.label.clone(), (44, y), font))?;
    }
    Ok(())
}

/// How numbers are laid out along an axis, of either scale.
#[derive(Clone)]
struct Rule {
    scale: Scale,
    /// From where to where, in logarithms on a logarithmic scale.
    ends: Range<f64>,
}

impl Rule {
    /// A rule on which all of these have a place that can have one.
    fn new(scale: Scale, numbers: impl Iterator<Item = f64>) -> Rule {
        let places = numbers.filter_map(|number| place(scale, number));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        // An axis on which all have the same place still needs a length.
        let room = match scale {
            Scale::Linear if low == high => 0.5 * low.abs().max(1.0),
            Scale::Logarithmic if low == high => 0.5,
            Scale::Linear | Scale::Logarithmic => 0.04 * (high - low),
        };
        Rule { scale, ends: low - room..high + room }
    }

    /// Whether it has at most two powers of ten.
    fn is_short(&self) -> bool {
        self.ends.end.floor() - self.ends.start.ceil() < 2.0
    }

    fn has(&self, number: f64) -> bool {
        place(self.scale, number).is_some()
    }
}

/// Where a number is on a scale, if it has a place there.
fn place(scale: Scale, number: f64) -> Option<f64> {
    let place = match scale {
        Scale::Linear => number,
        Scale::Logarithmic if number > 0.0 => number.log10(),
        Scale::Logarithmic => f64::NAN,
    };
    place.is_finite().then_some(place)
}

impl Ranged for Rule {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let part = (place(self.scale, *value).unwrap_or(self.ends.start) - self.ends.start)
            / (self.ends.end - self.ends.start);
        low + (part * f64::from(high - low)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let most = hint.max_num_points().clamp(2, 10);
        match self.scale {
            Scale::Linear => RangedCoordf64::from(self.ends.clone()).key_points(most),
            Scale::Logarithmic => {
                let powers: Vec<i32> = (self.ends.start.floor() as i32..=self.ends.end.ceil() as i32).collect();
                // Along a short axis there is room for numbers between the powers of ten.
                let factors: &[f64] = if self.is_short() { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let inside = |number: &f64| self.ends.contains(&number.log10());
                let numbers =
                    powers.iter().flat_map(|&power| factors.iter().map(move |factor| factor * 10_f64.powi(power)));
                let numbers: Vec<f64> = numbers.filter(inside).collect();
                let step = numbers.len().div_ceil(most).max(1);
                numbers.into_iter().step_by(step).collect()
            }
        }
    }

    fn range(&self) -> Range<f64> {
        match self.scale {
            Scale::Linear => self.ends.clone(),
            Scale::Logarithmic => 10_f64.powf(self.ends.start)..10_f64.powf(self.ends.end),
        }
    }
}

impl ValueFormatter<f64> for Rule {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        match self.scale {
            // Adding zero makes a negative zero positive.
            Scale::Linear => format!("{}", (value * 1e6).round() / 1e6 + 0.0),
            Scale::Logarithmic if self.is_short() && *value >= 1e-3 => format!("{}", (value * 1e6).round() / 1e6),
            Scale::Logarithmic if self.is_short() => format!("{value:.0e}"),
            Scale::Logarithmic => format!("10{}", superscript(value.log10().round() as i32)),
        }
    }
}

/// A whole number in small raised digits.
fn superscript(number: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        digit => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit.to_digit(10).unwrap_or(0) as usize],
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised() {
        assert_eq!([superscript(-15), superscript(0), superscript(234)], ["⁻¹⁵", "⁰", "²³⁴"]);
    }

    #[test]
    fn an_axis_has_numbers_however_short_it_is() {
        let numbers = |low: f64, high: f64| Rule::new(Scale::Logarithmic, [low, high].into_iter()).key_points(10);
        assert_eq!(numbers(2.0, 30.0), [2.0, 5.0, 10.0, 20.0]);
        assert_eq!(numbers(1.0, 1e6).len(), 7);
        assert!(numbers(1e-15, 1e15).len() <= 10);
        for size in [1e-9, 1.0, 1e9] {
            assert!(numbers(size, size).len() > 1, "{size}");
        }
    }

    #[test]
    fn what_has_no_logarithm_is_not_drawn() {
        let series = |points: &[(f64, f64)]| vec![Series::new("points", Style::Marks, points.iter().copied())];
        let draw = |points: &[(f64, f64)]| {
            draw(&Plot::new("", Axis::logarithmic("x"), Axis::logarithmic("y"), series(points)))
        };
        let marks = |text: String| text.matches("<circle").count();
        // One mark is in the legend.
        assert_eq!(marks(draw(&[(1.0, 1.0), (10.0, 0.0), (0.0, 1.0), (10.0, f64::NAN), (100.0, 3.0)])), 3);
        assert_eq!(marks(draw(&[])), 1);
        assert_eq!(marks(draw(&[(1.0, 0.0)])), 1);
    }

    #[test]
    fn many_marks_are_small_and_a_line_through_many_points_has_none() {
        let circles = |style: Style, count: u32| {
            let points = (0..count).map(|i| (f64::from(i), f64::from(i % 7)));
            let plot = Plot::new("", Axis::linear("x"), Axis::linear("y"), vec![Series::new("", style, points)]);
            let text = draw(&plot);
            (text.matches("<circle").count(), text.matches("r=\"2\"").count())
        };
        // One more is in the legend.
        assert_eq!([circles(Style::Line, 60), circles(Style::Line, 61)], [(61, 0), (0, 0)]);
        assert_eq!([circles(Style::Marks, 150), circles(Style::Marks, 151)], [(151, 0), (152, 152)]);
    }

    #[test]
    fn pieces_that_meet_are_one_line() {
        let ends = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (1.0, 1.0), (5.0, 5.0), (6.0, 6.0)];
        assert_eq!(lines(&ends), [vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], vec![(5.0, 5.0), (6.0, 6.0)]]);
    }

    #[test]
    fn a_plot_names_its_axes_and_series() {
        let series = vec![Series::new("a & b", Style::Line, [(0.0, 1.0), (1.0, 2.0)])];
        let text = draw(&Plot::new("", Axis::linear("steps"), Axis::linear("error in metres"), series));
        assert!(text.contains("steps") && text.contains("error in metres") && text.contains("a &amp; b"), "{text}");
    }
}
