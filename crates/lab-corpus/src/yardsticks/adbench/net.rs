//! Nets with long short-term memory, and the text that they read.

use super::{Malformed, Words};
use crate::yardsticks::data::Random;

/// A net as [`lstm`](crate::programs::lstm) lays it out, and a text, whose characters have `B` bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Net<const B: usize> {
    /// The parameters of each layer.
    pub layers: Vec<[[f64; B]; 8]>,
    /// The weights of the inputs, and weights and bias of the outputs.
    pub extra: [[f64; B]; 3],
    /// The state of each layer before the first character.
    pub start: Vec<[[f64; B]; 2]>,
    /// The text.
    pub sequence: Vec<[f64; B]>,
}

impl<const B: usize> Net<B> {
    /// A random net and a random text, with numbers as the suite has them.
    pub fn new(layers: usize, characters: usize) -> Net<B> {
        let mut random = Random::new(11);
        let mut row = |_| random.array(0.0, 1.0);
        Net {
            layers: (0..layers).map(|_| std::array::from_fn(&mut row)).collect(),
            extra: std::array::from_fn(&mut row),
            start: (0..layers).map(|_| std::array::from_fn(&mut row)).collect(),
            sequence: (0..characters).map(|i| row(i).map(f64::round)).collect(),
        }
    }

    /// Reads a file of ADBench: sizes, layers, the other parameters, states, and characters.
    ///
    /// ```
    /// use lab_corpus::yardsticks::adbench::net::Net;
    ///
    /// let net = Net::<1>::parse("1 2 1\n1 2 3 4\n5 6 7 8\n0.1 0.2 0.3\n0\n0.5\n1\n0\n").unwrap();
    /// assert_eq!((net.layers[0][7], net.extra[2], net.start[0][1]), ([8.0], [0.3], [0.5]));
    /// assert_eq!(net.sequence, [[1.0], [0.0]]);
    /// let error = Net::<2>::parse("1 2 1\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: `1`, where the bits of a character, which is 2, was expected");
    /// ```
    ///
    /// # Errors
    ///
    /// [`Malformed`], with the line.
    pub fn parse(text: &str) -> Result<Net<B>, Malformed> {
        let mut words = Words::new(text);
        let count = words.size("the number of layers")?;
        let characters = words.size_from(2, "the number of characters")?;
        words.fixed_size(B, "the bits of a character")?;
        let layers = words.numbers(8 * B * count, "a parameter of a layer")?;
        let extra = words.numbers(3 * B, "a parameter of inputs or outputs")?;
        let start = words.numbers(2 * B * count, "a part of a state")?;
        let sequence = words.numbers(B * characters, "a bit of a character")?;
        words.end()?;
        let (layers, start) = (rows(&layers), rows(&start));
        Ok(Net {
            layers: layers.as_chunks().0.to_vec(),
            extra: std::array::from_fn(|i| rows(&extra)[i]),
            start: start.as_chunks().0.to_vec(),
            sequence: rows(&sequence),
        })
    }
}

/// The numbers in rows.
fn rows<const B: usize>(numbers: &[f64]) -> Vec<[f64; B]> {
    numbers.as_chunks().0.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_in_a_net_is_said_with_its_line() {
        let good = "1 2 1\n\n1 2 3 4\n5 6 7 8\n\n0.1\n0.2\n0.3\n\n0\n0.5\n\n1\n0\n\n";
        assert!(Net::<1>::parse(good).is_ok());
        for (from, to, expected) in [
            (
                "1 2 1",
                "0 2 1",
                "line 1: `0`, where the number of layers, a whole number from 1 to 100000000, was expected",
            ),
            (
                "1 2 1",
                "1 1 1",
                "line 1: `1`, where the number of characters, a whole number from 2 to 100000000, was expected",
            ),
            ("1 2 1", "1 2 14", "line 1: `14`, where the bits of a character, which is 1, was expected"),
            ("5 6", "5 six", "line 4: `six`, where a parameter of a layer (number 6 of 8) was expected"),
            ("0.2", "NaN", "line 7: `NaN`, where a parameter of inputs or outputs (number 2 of 3) was expected"),
            ("0.5", "-", "line 11: `-`, where a part of a state (number 2 of 2) was expected"),
            ("1\n0\n\n", "1\n", "line 13: the file ends, where a bit of a character (number 2 of 2) was expected"),
            ("1\n0\n\n", "1\n0\n1\n", "line 15: `1`, where the file should end"),
        ] {
            let error = Net::<1>::parse(&good.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
