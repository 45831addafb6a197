//! What an experiment finds: claims, tables, plots and remarks, as data.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use crate::headline::Headline;
use crate::measure::Time;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Nothing but itself.
    Plain,
    /// How many there are.
    Count,
    /// How many times as much.
    Times,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Astronomical units.
    AstronomicalUnits,
}

/// A number with its unit.
///
/// ```
/// use lab_report::findings::{Figure, Unit};
///
/// let shown = |value, unit| Figure { value, unit }.to_string();
/// assert_eq!(shown(0.001234, Unit::Plain), "1.23e-3");
/// assert_eq!(shown(1_500_000.0, Unit::Count), "1 500 000");
/// assert_eq!(shown(2.5, Unit::Times), "2.50 ×");
/// assert_eq!(shown(3.2e-8, Unit::Seconds), "32.0 ns");
/// assert_eq!(shown(4096.0, Unit::Bytes), "4.00 KiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The number. JSON has no infinity, nor what is not a number: both are written as `null`.
    #[serde(deserialize_with = "number_or_null")]
    pub value: f64,
    /// What it counts.
    pub unit: Unit,
}

fn number_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

impl Figure {
    /// A number by itself.
    pub fn plain(value: f64) -> Figure {
        Figure { value, unit: Unit::Plain }
    }

    /// How many there are.
    pub fn count(value: usize) -> Figure {
        Figure { value: value as f64, unit: Unit::Count }
    }

    /// How many times as much.
    pub fn times(value: f64) -> Figure {
        Figure { value, unit: Unit::Times }
    }

    /// So many seconds.
    pub fn seconds(value: f64) -> Figure {
        Figure { value, unit: Unit::Seconds }
    }

    /// So many bytes.
    pub fn bytes(value: u64) -> Figure {
        Figure { value: value as f64, unit: Unit::Bytes }
    }

    /// So many times the distance of the Earth from the Sun.
    pub fn astronomical_units(value: f64) -> Figure {
        Figure { value, unit: Unit::AstronomicalUnits }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = match self.unit {
            _ if !self.value.is_finite() => NOTHING.to_string(),
            Unit::Plain => plain(self.value),
            Unit::Count => grouped(self.value),
            Unit::Times => format!("{} ×", plain(self.value)),
            Unit::Seconds => Time(self.value).to_string().replace("us", "µs"),
            Unit::Bytes => bytes(self.value),
            Unit::AstronomicalUnits => format!("{} AU", plain(self.value)),
        };
        f.pad(&text)
    }
}

/// A number with three digits.
fn plain(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_string(),
        size if !(0.01..1e6).contains(&size) => format!("{value:.2e}"),
        size if size < 0.1 => format!("{value:.4}"),
        size if size < 1.0 => format!("{value:.3}"),
        size if size < 10.0 => format!("{value:.2}"),
        size if size < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// A whole number with its digits in groups of three.
fn grouped(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = if value < 0.0 { "-".to_string() } else { String::new() };
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes with a fitting unit.
fn bytes(value: f64) -> String {
    match value.abs() {
        size if size < 1024.0 => format!("{value:.0} B"),
        size if size < 1024.0 * 1024.0 => format!("{} KiB", plain(value / 1024.0)),
        size if size < 1024.0 * 1024.0 * 1024.0 => format!("{} MiB", plain(value / 1024.0 / 1024.0)),
        _ => format!("{} GiB", plain(value / 1024.0 / 1024.0 / 1024.0)),
    }
}

/// What a figure should be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// This much or less.
    AtMost(f64),
    /// This much or more.
    AtLeast(f64),
    /// Between these two, or one of them.
    Between(f64, f64),
    /// Nothing is promised: the figure stands beside that of the paper.
    Anything,
}

/// Whether a claim holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    Fails,
    /// Nothing was promised.
    Beside,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "FAILS",
            Verdict::Beside => "beside",
        })
    }
}

/// What a paper says, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paper {
    /// What it says, in words or as a figure.
    pub says: String,
    /// The figure, if it is one.
    pub figure: Option<Figure>,
    /// The table or figure, and the hardware where times are meant.
    pub place: String,
}

/// A statement that the experiment puts to the test, or a figure that stands beside one of a paper.
///
/// ```
/// use lab_report::findings::{Claim, Figure, Verdict};
///
/// let claim = Claim::at_most("errors do not grow", Figure::plain(0.5), 1.0);
/// assert_eq!(claim.verdict(), Verdict::Holds);
/// assert_eq!(Claim::at_most("nothing is lost", Figure::plain(f64::NAN), 1.0).verdict(), Verdict::Fails);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// What is claimed.
    pub text: String,
    /// What was found here.
    pub ours: Figure,
    /// What it should be.
    pub expected: Expected,
    /// What a paper says.
    pub paper: Option<Paper>,
    /// Whether it depends on the clock, and so on the machine and the build.
    pub timed: bool,
}

impl Claim {
    fn new(text: impl Into<String>, ours: Figure, expected: Expected) -> Claim {
        Claim { text: text.into(), ours, expected, paper: None, timed: ours.unit == Unit::Seconds }
    }

    /// The figure is this much or less.
    pub fn at_most(text: impl Into<String>, ours: Figure, most: f64) -> Claim {
        Claim::new(text, ours, Expected::AtMost(most))
    }

    /// The figure is this much or more.
    pub fn at_least(text: impl Into<String>, ours: Figure, least: f64) -> Claim {
        Claim::new(text, ours, Expected::AtLeast(least))
    }

    /// The figure lies between two others.
    pub fn between(text: impl Into<String>, ours: Figure, least: f64, most: f64) -> Claim {
        Claim::new(text, ours, Expected::Between(least, most))
    }

    /// The figure is exactly this.
    pub fn exactly(text: impl Into<String>, ours: Figure, value: f64) -> Claim {
        Claim::between(text, ours, value, value)
    }

    /// The figure stands beside that of a paper, and nothing is promised.
    pub fn beside(text: impl Into<String>, ours: Figure) -> Claim {
        Claim::new(text, ours, Expected::Anything)
    }

    /// The paper says so in words.
    pub fn paper(mut self, says: impl Into<String>, place: impl Into<String>) -> Claim {
        self.paper = Some(Paper { says: says.into(), figure: None, place: place.into() });
        self
    }

    /// The paper has this figure, in the same unit.
    pub fn paper_figure(mut self, value: f64, place: impl Into<String>) -> Claim {
        let figure = Figure { value, unit: self.ours.unit };
        self.paper = Some(Paper { says: figure.to_string(), figure: Some(figure), place: place.into() });
        self
    }

    /// The figure was made of times.
    pub fn timed(mut self) -> Claim {
        self.timed = true;
        self
    }

    /// What it should be, in words; nothing if nothing is promised.
    ///
    /// ```
    /// use lab_report::findings::{Claim, Figure};
    ///
    /// let claim = Claim::at_most("a run is short", Figure::seconds(0.5), 1.0);
    /// assert_eq!(claim.should_be(), "≤ 1.00 s");
    /// ```
    pub fn should_be(&self) -> String {
        let shown = |value: f64| Figure { value, unit: self.ours.unit }.to_string();
        match self.expected {
            Expected::AtMost(most) => format!("≤ {}", shown(most)),
            Expected::AtLeast(least) => format!("≥ {}", shown(least)),
            Expected::Between(least, most) if least == most => format!("= {}", shown(least)),
            Expected::Between(least, most) => format!("{} to {}", shown(least), shown(most)),
            Expected::Anything => String::new(),
        }
    }

    /// Our figure over that of the paper, unless that is zero.
    pub fn ratio(&self) -> Option<f64> {
        let ratio = self.ours.value / self.paper.as_ref()?.figure?.value;
        ratio.is_finite().then_some(ratio)
    }

    /// Whether it holds. What is not a number keeps no promise.
    pub fn verdict(&self) -> Verdict {
        let value = self.ours.value;
        let holds = match self.expected {
            Expected::AtMost(most) => value <= most,
            Expected::AtLeast(least) => value >= least,
            Expected::Between(least, most) => least <= value && value <= most,
            Expected::Anything => return Verdict::Beside,
        };
        if holds { Verdict::Holds } else { Verdict::Fails }
    }
}

/// What stands in a table where there is no figure.
pub const NOTHING: &str = "—";

/// What stands in a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number.
    Figure(Figure),
}

impl From<Figure> for Cell {
    fn from(figure: Figure) -> Cell {
        Cell::Figure(figure)
    }
}

impl<S: Into<String>> From<S> for Cell {
    fn from(text: S) -> Cell {
        Cell::Text(text.into())
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Cell::Text(text) => f.pad(text),
            Cell::Figure(figure) => figure.fmt(f),
        }
    }
}

/// Rows of cells below a head. The first cell of a row says what the row is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What the table shows.
    pub caption: String,
    /// The head.
    pub columns: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new<const N: usize>(caption: impl Into<String>, columns: [&str; N]) -> Table {
        Table { caption: caption.into(), columns: columns.map(String::from).to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If it has not as many cells as the head.
    #[track_caller]
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a row of `{}` has as many cells as its head", self.caption);
        self.rows.push(cells);
    }

    /// The figures in one of its rows.
    pub(super) fn figures(&self, row: &[Cell]) -> impl Iterator<Item = Named> {
        let words = row.iter().filter_map(|cell| match cell {
            Cell::Text(text) if text != NOTHING => Some(text.as_str()),
            Cell::Text(_) | Cell::Figure(_) => None,
        });
        let words = words.collect::<Vec<_>>().join(", ");
        row.iter().zip(&self.columns).filter_map(move |(cell, column)| match cell {
            Cell::Text(_) => None,
            Cell::Figure(figure) => Some(Named { name: format!("{words}: {column}"), figure: *figure, verdict: None }),
        })
    }
}

/// All that an experiment found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Findings {
    /// What the first screen of the report shows of it.
    #[serde(skip_serializing_if = "is_nothing")]
    pub headlines: Vec<Headline>,
    /// What was claimed, and what became of it.
    #[serde(skip_serializing_if = "is_nothing")]
    pub claims: Vec<Claim>,
    /// Plots and pictures.
    #[serde(skip_serializing_if = "is_nothing")]
    pub plots: Vec<super::plot::Plot>,
    /// Tables.
    #[serde(skip_serializing_if = "is_nothing")]
    pub tables: Vec<Table>,
    /// What a reader should know beside.
    #[serde(skip_serializing_if = "is_nothing")]
    pub remarks: Vec<String>,
}

/// Whether nothing needs to be written of something.
pub(super) fn is_nothing<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A figure, and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// What it is: the text of a claim, or the words in a row of a table, a colon, and the column.
    pub name: String,
    /// The figure.
    pub figure: Figure,
    /// What became of the claim, if it is one.
    pub verdict: Option<Verdict>,
}

impl Findings {
    /// All figures of claims and tables, in order.
    ///
    /// ```
    /// use lab_report::findings::{Figure, Findings, Table};
    ///
    /// let mut table = Table::new("Fruit.", ["what", "where", "how many"]);
    /// table.row(["apples".into(), "cellar".into(), Figure::count(3).into()]);
    /// let findings = Findings { tables: vec![table], ..Findings::default() };
    /// assert_eq!(findings.figures()[0].name, "apples, cellar: how many");
    /// ```
    pub fn figures(&self) -> Vec<Named> {
        let claims = self.claims.iter().map(|claim| Named {
            name: claim.text.clone(),
            figure: claim.ours,
            verdict: Some(claim.verdict()),
        });
        let tables = self.tables.iter().flat_map(|table| table.rows.iter().flat_map(|row| table.figures(row)));
        claims.chain(tables).collect()
    }
}
