//! What derivatives by hand keep on their way.

/// A stack of numbers that knows how many there were.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    numbers: Vec<f64>,
    most: usize,
}

impl Tape {
    /// A tape without numbers.
    pub fn new() -> Tape {
        Tape::default()
    }

    /// The most bytes that were kept at once, by the last run.
    ///
    /// ```
    /// use lab_corpus::lossy::Tape;
    ///
    /// let mut tape = Tape::new();
    /// tape.push([1.0, 2.0]);
    /// tape.turn();
    /// assert_eq!((tape.pop(), tape.peak_bytes()), ([1.0, 2.0], 16));
    /// ```
    pub fn peak_bytes(&self) -> usize {
        8 * self.most
    }

    /// Keeps numbers.
    #[inline(always)]
    pub fn push<const N: usize>(&mut self, numbers: [f64; N]) {
        self.numbers.extend_from_slice(&numbers);
    }

    /// Takes the numbers that were kept last.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[inline(always)]
    pub fn pop<const N: usize>(&mut self) -> [f64; N] {
        let numbers = *self.numbers.last_chunk().expect("they were kept");
        self.numbers.truncate(self.numbers.len() - N);
        numbers
    }

    /// Keeps many numbers.
    #[inline]
    pub fn push_all(&mut self, numbers: &[f64]) {
        self.numbers.extend_from_slice(numbers);
    }

    /// Takes as many numbers as there is room for: those that were kept last, in the order in which they were kept.
    ///
    /// ```
    /// use lab_corpus::lossy::Tape;
    ///
    /// let (mut tape, mut numbers) = (Tape::new(), [0.0; 2]);
    /// tape.push_all(&[1.0, 2.0, 3.0]);
    /// tape.pop_all(&mut numbers);
    /// assert_eq!((numbers, tape.pop()), ([2.0, 3.0], [1.0]));
    /// ```
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[inline]
    pub fn pop_all(&mut self, numbers: &mut [f64]) {
        let rest = self.numbers.len() - numbers.len();
        numbers.copy_from_slice(&self.numbers[rest..]);
        self.numbers.truncate(rest);
    }

    /// The way back begins.
    #[inline]
    pub fn turn(&mut self) {
        self.most = self.numbers.len();
    }
}
