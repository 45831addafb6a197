//! The arguments of every program, and random ones.

use retrograd::Dual;

/// How many numbers derivatives are taken with respect to.
pub(crate) const NUMBERS: usize = 9;

/// A number with all its derivatives.
pub(crate) type Number = Dual<f64, NUMBERS>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct State<T> {
    pub(crate) x: [T; 4],
    pub(crate) v: [T; 3],
    pub(crate) s: T,
    pub(crate) t: T,
    pub(crate) m: [i64; 4],
    pub(crate) k: i64,
    pub(crate) n: usize,
}

impl<T: Copy> State<T> {
    pub(crate) fn numbers(&self) -> [T; NUMBERS] {
        let ([x0, x1, x2, x3], [v0, v1, v2]) = (self.x, self.v);
        [x0, x1, x2, x3, v0, v1, v2, self.s, self.t]
    }

    /// The same integers with other numbers.
    pub(crate) fn with<U>(&self, [x0, x1, x2, x3, v0, v1, v2, s, t]: [U; NUMBERS]) -> State<U> {
        State { x: [x0, x1, x2, x3], v: [v0, v1, v2], s, t, m: self.m, k: self.k, n: self.n }
    }
}

impl<T> State<T> {
    pub(crate) fn integers(&self) -> ([i64; 4], i64, usize) {
        (self.m, self.k, self.n)
    }
}

impl State<f64> {
    /// Every number as a variable.
    pub(crate) fn variables(&self) -> State<Number> {
        let numbers = self.numbers();
        self.with(std::array::from_fn(|i| Dual::variable(numbers[i], i)))
    }

    /// A state so close that only a kink, a jump or a very steep slope in between can tell.
    pub(crate) fn nudged(&self) -> Self {
        let nudge = |i: usize| if (i * i).is_multiple_of(3) { 1e-9 } else { -1e-9 };
        let numbers = self.numbers();
        self.with(std::array::from_fn(|i| numbers[i] + nudge(i) * (1.0 + numbers[i].abs())))
    }
}

/// The name of a number.
pub(crate) fn name(number: usize) -> String {
    match number {
        0..4 => format!("x[{number}]"),
        4..7 => format!("v[{}]", number - 4),
        7 => "s".into(),
        _ => "t".into(),
    }
}

/// Splitmix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Numbers between -2 and 2.
    pub(crate) fn numbers(&mut self) -> [f64; NUMBERS] {
        std::array::from_fn(|_| (self.bits() >> 11) as f64 / (1_u64 << 51) as f64 - 2.0)
    }

    /// From -3 to 8.
    fn integer(&mut self) -> i64 {
        (self.bits() % 12) as i64 - 3
    }

    pub(crate) fn state(&mut self) -> State<f64> {
        let integers = State {
            x: [(); 4],
            v: [(); 3],
            s: (),
            t: (),
            m: std::array::from_fn(|_| self.integer()),
            k: self.integer(),
            n: (self.bits() % 5) as usize,
        };
        integers.with(self.numbers())
    }
}
