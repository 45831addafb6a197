//! The arguments of every program.

/// What derivatives flow through: arguments that a procedure changes, then those that it only reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floats<T> {
    pub(crate) x: [T; 6],
    pub(crate) y: [T; 6],
    pub(crate) a: [T; 3],
    pub(crate) z: (T, T),
    pub(crate) s: T,
    pub(crate) p: [T; 6],
    pub(crate) q: T,
    pub(crate) c: T,
}

/// How many numbers these are.
pub(crate) const NUMBERS: usize = 26;

/// How many of them a procedure changes.
pub(crate) const CHANGED: usize = 18;

#[derive(Clone, Copy, Debug)]
pub(crate) struct State<T> {
    pub(crate) floats: Floats<T>,
    /// The constant.
    pub(crate) w: T,
    pub(crate) u: [i64; 6],
    pub(crate) k: i64,
    pub(crate) b: bool,
    pub(crate) m: [i64; 6],
    pub(crate) n: usize,
    /// The host's counter, which no law binds in `call` and `uncall`. Derivative runs leave it alone.
    pub(crate) h: u64,
}

impl<T: Copy> Floats<T> {
    pub(crate) fn of(numbers: &[T; NUMBERS]) -> Self {
        let part = |at: usize| std::array::from_fn(|i| numbers[at + i]);
        Floats {
            x: part(0),
            y: part(6),
            a: std::array::from_fn(|i| numbers[12 + i]),
            z: (numbers[15], numbers[16]),
            s: numbers[17],
            p: part(18),
            q: numbers[24],
            c: numbers[25],
        }
    }

    pub(crate) fn numbers(&self) -> [T; NUMBERS] {
        let Floats { x, y, a, z, s, p, q, c } = self;
        let changed = x.iter().chain(y).chain(a).chain([&z.0, &z.1, s]);
        let all: Vec<T> = changed.chain(p).chain([q, c]).copied().collect();
        std::array::from_fn(|i| all[i])
    }
}

/// The name of a number.
pub(crate) fn name(number: usize) -> String {
    match number {
        0..6 => format!("x[{number}]"),
        6..12 => format!("y[{}]", number - 6),
        12..15 => format!("a[{}]", number - 12),
        15..17 => format!("z.{}", number - 15),
        17 => "s".into(),
        18..24 => format!("p[{}]", number - 18),
        24 => "q".into(),
        _ => "c".into(),
    }
}

impl<T: Copy> State<T> {
    /// The same state on other numbers.
    pub(crate) fn map<U: Copy>(&self, mut f: impl FnMut(usize, T) -> U, constant: impl Fn(T) -> U) -> State<U> {
        let numbers = self.floats.numbers();
        let State { u, k, b, m, n, h, .. } = *self;
        let floats = Floats::of(&std::array::from_fn(|i| f(i, numbers[i])));
        State { floats, w: constant(self.w), u, k, b, m, n, h }
    }

    /// Integers and truth values, by name.
    pub(crate) fn integers(&self) -> Vec<(String, i64)> {
        let slices = [("u", self.u), ("m", self.m)];
        let elements =
            slices.into_iter().flat_map(|(name, slice)| (0..6).map(move |i| (format!("{name}[{i}]"), slice[i])));
        elements.chain([("k".into(), self.k), ("b".into(), self.b.into()), ("n".into(), self.n as i64)]).collect()
    }
}

/// How far a float may be from where it was, relative to its size and to 1.
const TOLERANCE: f64 = 1e-9;

/// The first component in which two states differ, in words.
pub(crate) fn difference(before: &State<f64>, after: &State<f64>, exact: bool) -> Option<String> {
    let is_back = |old: f64, new: f64| match exact {
        true => old.to_bits() == new.to_bits(),
        false => (old - new).abs() <= TOLERANCE * (1.0 + old.abs()),
    };
    let integer = (before.integers().into_iter().zip(after.integers()))
        .find(|((_, old), (_, new))| old != new)
        .map(|((name, old), (_, new))| format!("`{name}` was {old} and became {new}"));
    let (old, new) = (before.floats.numbers(), after.floats.numbers());
    let float = (0..NUMBERS)
        .find(|&i| !is_back(old[i], new[i]))
        .map(|i| format!("`{}` was {:?} and became {:?}", name(i), old[i], new[i]));
    integer.or(float)
}
