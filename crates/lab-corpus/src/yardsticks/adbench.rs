//! Data files of the benchmark suite ADBench, read and written: mixtures and scenes; nets and hands have files of their own.

use std::error::Error;
use std::fmt;

use super::data::{Random, Scene};
use crate::programs::gaussian_mixture::Wishart;

pub mod hand;
pub mod net;
mod write;

/// A file that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The line, counted from one.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub what: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl Error for Malformed {}

/// The largest size that is read: no problem of the suite has more.
const LARGEST: usize = 100_000_000;

/// The words of a file or of a line, one after the other.
struct Words<'a> {
    words: std::vec::IntoIter<(usize, &'a str)>,
    /// The line of the last word that was read.
    line: usize,
    /// What it is that has these words.
    whole: &'static str,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Words<'a> {
        let words: Vec<(usize, &str)> = (1..)
            .zip(text.lines())
            .flat_map(|(line, text)| text.split_whitespace().map(move |word| (line, word)))
            .collect();
        Words { words: words.into_iter(), line: 1, whole: "the file" }
    }

    /// The words of each line that is not empty, with colons between them.
    fn by_line(text: &'a str) -> impl Iterator<Item = Words<'a>> {
        let lines = (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty());
        lines.map(|(line, text)| {
            let words: Vec<(usize, &str)> = text.split(':').map(|word| (line, word.trim())).collect();
            Words { words: words.into_iter(), line, whole: "the line" }
        })
    }

    /// How many words stand on the line of the next one.
    fn beside_next(&self) -> usize {
        let rest = self.words.as_slice();
        rest.iter().take_while(|word| word.0 == rest[0].0).count()
    }

    fn next(&mut self, expected: &str) -> Result<&'a str, Malformed> {
        match self.words.next() {
            Some((line, word)) => {
                self.line = line;
                Ok(word)
            }
            None => {
                let what = format!("{} ends, where {expected} was expected", self.whole);
                Err(Malformed { line: self.line, what })
            }
        }
    }

    fn refuse<T>(&self, word: &str, expected: &str) -> Result<T, Malformed> {
        Err(Malformed { line: self.line, what: format!("`{word}`, where {expected} was expected") })
    }

    fn number(&mut self, expected: &str) -> Result<f64, Malformed> {
        let word = self.next(expected)?;
        match word.parse() {
            Ok(number) if f64::is_finite(number) => Ok(number),
            _ => self.refuse(word, expected),
        }
    }

    /// A number above zero.
    fn positive(&mut self, expected: &str) -> Result<f64, Malformed> {
        let word = self.next(expected)?;
        match word.parse() {
            Ok(number) if f64::is_finite(number) && number > 0.0 => Ok(number),
            _ => self.refuse(word, &format!("{expected}, a number above zero,")),
        }
    }

    fn numbers(&mut self, count: usize, expected: &str) -> Result<Vec<f64>, Malformed> {
        (1..=count).map(|i| self.number(&format!("{expected} (number {i} of {count})"))).collect()
    }

    /// So many numbers as are known to the compiler.
    fn array<const N: usize>(&mut self, expected: &str) -> Result<[f64; N], Malformed> {
        let mut array = [0.0; N];
        array.copy_from_slice(&self.numbers(N, expected)?);
        Ok(array)
    }

    /// A whole number from 1 to [`LARGEST`].
    fn size(&mut self, expected: &str) -> Result<usize, Malformed> {
        self.size_from(1, expected)
    }

    /// A whole number from `least` to [`LARGEST`].
    fn size_from(&mut self, least: usize, expected: &str) -> Result<usize, Malformed> {
        let word = self.next(expected)?;
        match word.parse() {
            Ok(size) if (least..=LARGEST).contains(&size) => Ok(size),
            _ => self.refuse(word, &format!("{expected}, a whole number from {least} to {LARGEST},")),
        }
    }

    /// A size that can only be this.
    fn fixed_size(&mut self, size: usize, expected: &str) -> Result<(), Malformed> {
        let word = self.next(expected)?;
        if word.parse() == Ok(size) { Ok(()) } else { self.refuse(word, &format!("{expected}, which is {size},")) }
    }

    /// A whole number below `end`.
    fn index(&mut self, end: usize, expected: &str) -> Result<usize, Malformed> {
        let word = self.next(expected)?;
        match word.parse() {
            Ok(index) if index < end => Ok(index),
            _ => self.refuse(word, &format!("{expected}, a whole number below {end},")),
        }
    }

    /// What there is in each line, with colons between the words; it is not nothing.
    fn in_lines<T>(
        text: &'a str,
        expected: &str,
        read: impl FnMut(Words<'a>) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let all: Vec<T> = Words::by_line(text).map(read).collect::<Result<_, _>>()?;
        if all.is_empty() { Words::new("").next(expected).map(|_| all) } else { Ok(all) }
    }

    fn end(mut self) -> Result<(), Malformed> {
        match self.words.next() {
            None => Ok(()),
            Some((line, word)) => Err(Malformed { line, what: format!("`{word}`, where {} should end", self.whole) }),
        }
    }
}

/// A Gaussian mixture of any size, its vectors one behind the other.
#[derive(Clone, Debug, PartialEq)]
pub struct MixtureOfSlices {
    /// The dimensions of a point.
    pub dimensions: usize,
    /// The logarithms of the weights.
    pub alphas: Vec<f64>,
    /// The means.
    pub means: Vec<f64>,
    /// The factors of the inverse covariances.
    pub icf: Vec<f64>,
    /// The points.
    pub x: Vec<f64>,
    /// The prior.
    pub prior: Wishart,
}

impl MixtureOfSlices {
    /// A random mixture of so many components in so many dimensions, and that many random points.
    pub fn new(dimensions: usize, components: usize, points: usize) -> MixtureOfSlices {
        let (d, k, mut random) = (dimensions, components, Random::new(5));
        let mut numbers = |count: usize, low, high| (0..count).map(|_| random.between(low, high)).collect();
        MixtureOfSlices {
            dimensions,
            alphas: numbers(k, -1.0, 1.0),
            means: numbers(k * d, 0.0, 1.0),
            icf: numbers(k * d * (d + 1) / 2, -1.0, 1.0),
            x: numbers(points * d, -1.0, 2.0),
            prior: Wishart { gamma: 1.0, m: 0 },
        }
    }

    /// Reads a file of ADBench: sizes, weights, means, factors, points, and the prior.
    ///
    /// ```
    /// use lab_corpus::yardsticks::adbench::MixtureOfSlices;
    ///
    /// let mixture = MixtureOfSlices::parse("1 2 1\n0.5 0.25\n1\n2\n0.1\n0.2\n7\n1.5 3\n").unwrap();
    /// assert_eq!((mixture.means, mixture.x, mixture.prior.m), (vec![1.0, 2.0], vec![7.0], 3));
    /// let error = MixtureOfSlices::parse("1 2 1\n0.5 a\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2: `a`, where a weight (number 2 of 2) was expected");
    /// ```
    ///
    /// # Errors
    ///
    /// [`Malformed`], with the line.
    pub fn parse(text: &str) -> Result<MixtureOfSlices, Malformed> {
        let mut words = Words::new(text);
        let d = words.size("the number of dimensions")?;
        let k = words.size("the number of components")?;
        let n = words.size("the number of points")?;
        let alphas = words.numbers(k, "a weight")?;
        let means = words.numbers(k * d, "a part of a mean")?;
        let icf = words.numbers(k * d * (d + 1) / 2, "a part of an inverse covariance")?;
        let x = words.numbers(n * d, "a part of a point")?;
        let gamma = words.positive("gamma of the prior")?;
        let m = words.next("m of the prior")?;
        let Ok(m) = m.parse() else { return words.refuse(m, "m of the prior, a whole number,") };
        words.end()?;
        Ok(MixtureOfSlices { dimensions: d, alphas, means, icf, x, prior: Wishart { gamma, m } })
    }
}

impl Scene {
    /// Reads a file of ADBench: sizes, and one camera, point, weight and feature, of which all others are copies.
    ///
    /// Observation `i` is of point `i` by camera `i`, both counted around.
    ///
    /// ```
    /// use lab_corpus::yardsticks::data::Scene;
    ///
    /// let scene = Scene::parse("2 3 4\n1 2 3 4 5 6 7 8 9 10 11\n1 2 3\n0.5\n7 8\n").unwrap();
    /// assert_eq!((scene.cameras.len(), scene.points.len(), &scene.seen[2..]), (2, 3, &[(0, 2), (1, 0)][..]));
    /// let error = Scene::parse("2 3 4\n1 2 3\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2: the file ends, where a part of the camera (number 4 of 11) was expected");
    /// ```
    ///
    /// # Errors
    ///
    /// [`Malformed`], with the line.
    pub fn parse(text: &str) -> Result<Scene, Malformed> {
        let mut words = Words::new(text);
        let n = words.size("the number of cameras")?;
        let m = words.size("the number of points")?;
        let p = words.size("the number of observations")?;
        let camera = words.array("a part of the camera")?;
        let point = words.array("a coordinate of the point")?;
        let weight = words.number("the weight")?;
        let feature = words.array("a coordinate of the feature")?;
        words.end()?;
        Ok(Scene {
            cameras: vec![camera; n],
            points: vec![point; m],
            weights: vec![weight; p],
            features: vec![feature; p],
            seen: (0..p).map(|i| (i % n, i % m)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_in_a_mixture_is_said_with_its_line() {
        let good = "1 2 2\n0.5\n0.25\n1\n2\n0.1\n0.2\n7\n8\n1.5 3\n";
        assert!(MixtureOfSlices::parse(good).is_ok());
        for (from, to, expected) in [
            (
                "1 2 2",
                "0 2 2",
                "line 1: `0`, where the number of dimensions, a whole number from 1 to 100000000, was expected",
            ),
            (
                "1 2 2",
                "1 x 2",
                "line 1: `x`, where the number of components, a whole number from 1 to 100000000, was expected",
            ),
            ("1 2 2", "1 2 99999999999", "line 1: `99999999999`, where the number of points"),
            ("0.25", "inf", "line 3: `inf`, where a weight (number 2 of 2) was expected"),
            ("7\n8", "7\nseven", "line 9: `seven`, where a part of a point (number 2 of 2) was expected"),
            ("1.5 3", "1.5", "line 10: the file ends, where m of the prior was expected"),
            ("1.5 3", "0 3", "line 10: `0`, where gamma of the prior, a number above zero, was expected"),
            ("1.5 3", "1.5 -3", "line 10: `-3`, where m of the prior, a whole number, was expected"),
            ("1.5 3\n", "1.5 3\n\n4\n", "line 12: `4`, where the file should end"),
        ] {
            let error = MixtureOfSlices::parse(&good.replacen(from, to, 1)).unwrap_err();
            assert!(error.to_string().starts_with(expected), "{error}");
        }
        assert_eq!(MixtureOfSlices::parse("").unwrap_err().line, 1);
    }
}
