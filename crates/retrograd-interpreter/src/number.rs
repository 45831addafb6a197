//! Numbers: integers with Rust's types and overflow, floats, and fixed-point numbers, each with a derivative.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograd::{Fixed, LogNumber, Real};
use retrograd_compiler::ir::{BinaryOp, UpdateOp};

use crate::error::{Result, panics, unfit, unsupported};

/// An integer.
#[derive(Clone, Copy, Debug)]
pub struct Int {
    /// Its type; a literal has none until it meets another integer.
    pub kind: Option<IntKind>,
    /// Its value.
    pub value: i128,
}

impl PartialEq for Int {
    fn eq(&self, other: &Int) -> bool {
        self.value == other.value
    }
}

/// A type of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntKind {
    /// Whether it has negative numbers.
    pub signed: bool,
    /// How many bits it has.
    pub bits: u32,
    /// `usize` or `isize`
    pub size: bool,
}

impl IntKind {
    /// `usize`, as on machines of 64 bits.
    pub const USIZE: IntKind = IntKind { signed: false, bits: 64, size: true };

    /// The type of that name.
    pub fn by_name(name: &str) -> Option<IntKind> {
        let kind = |signed, bits| Some(IntKind { signed, bits, size: false });
        match name {
            "usize" => Some(IntKind::USIZE),
            "isize" => Some(IntKind { signed: true, bits: 64, size: true }),
            "u8" => kind(false, 8),
            "u16" => kind(false, 16),
            "u32" => kind(false, 32),
            "u64" => kind(false, 64),
            "u128" => kind(false, 128),
            "i8" => kind(true, 8),
            "i16" => kind(true, 16),
            "i32" => kind(true, 32),
            "i64" => kind(true, 64),
            "i128" => kind(true, 128),
            _ => None,
        }
    }

    /// The smallest and the largest number. Of `u128`, as far as an `i128` goes.
    pub fn range(self) -> (i128, i128) {
        match (self.signed, self.bits) {
            (true, 128) => (i128::MIN, i128::MAX),
            (false, 128) => (0, i128::MAX),
            (true, bits) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            (false, bits) => (0, (1 << bits) - 1),
        }
    }

    /// The number with the same last bits that the type has.
    pub fn wrap(self, value: i128) -> i128 {
        if self.bits == 128 {
            return value;
        }
        let low = value & ((1 << self.bits) - 1);
        if self.signed && low >> (self.bits - 1) & 1 == 1 { low - (1 << self.bits) } else { low }
    }
}

impl fmt::Display for IntKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.signed { 'i' } else { 'u' };
        if self.size { write!(f, "{sign}size") } else { write!(f, "{sign}{}", self.bits) }
    }
}

impl Int {
    /// An `i64`.
    pub fn i64(value: i64) -> Int {
        Int { kind: IntKind::by_name("i64"), value: value.into() }
    }

    /// A `usize`.
    pub fn usize(value: usize) -> Int {
        Int { kind: Some(IntKind::USIZE), value: value as i128 }
    }

    /// As an index.
    pub fn index(self) -> Result<usize> {
        usize::try_from(self.value).or_else(|_| unfit(format!("{} is no index", self.value)))
    }

    /// A number of the same type, if it has that one.
    pub(crate) fn fitted(self, value: Option<i128>, doing: &str) -> Result<Int> {
        let (least, most) = self.kind.map_or((i128::MIN, i128::MAX), IntKind::range);
        match value.filter(|value| (least..=most).contains(value)) {
            Some(value) => Ok(Int { value, ..self }),
            None => panics(format!("attempt to {doing} with overflow")),
        }
    }

    /// `a op b` for an operator whose value is an integer.
    pub(crate) fn binary(op: BinaryOp, a: Int, b: Int) -> Result<Int> {
        let kind = match op {
            BinaryOp::Shl | BinaryOp::Shr => a.kind,
            _ => a.kind.or(b.kind),
        };
        let (typed, x, y) = (Int { kind, value: 0 }, a.value, b.value);
        let shift = || u32::try_from(y).ok().filter(|shift| *shift < kind.map_or(128, |kind| kind.bits));
        match op {
            BinaryOp::Add => typed.fitted(x.checked_add(y), "add"),
            BinaryOp::Sub => typed.fitted(x.checked_sub(y), "subtract"),
            BinaryOp::Mul => typed.fitted(x.checked_mul(y), "multiply"),
            BinaryOp::Div if y == 0 => panics("attempt to divide by zero"),
            BinaryOp::Div => typed.fitted(x.checked_div(y), "divide"),
            BinaryOp::Rem if y == 0 => panics("attempt to calculate the remainder with a divisor of zero"),
            BinaryOp::Rem => typed.fitted(x.checked_rem(y), "calculate the remainder"),
            BinaryOp::BitAnd => Ok(Int { value: x & y, ..typed }),
            BinaryOp::BitOr => Ok(Int { value: x | y, ..typed }),
            BinaryOp::BitXor => Ok(Int { value: x ^ y, ..typed }),
            BinaryOp::Shl => match shift() {
                Some(shift) => Ok(Int { value: kind.map_or(x << shift, |kind| kind.wrap(x << shift)), ..typed }),
                None => panics("attempt to shift left with overflow"),
            },
            BinaryOp::Shr => match shift() {
                Some(shift) => Ok(Int { value: x >> shift, ..typed }),
                None => panics("attempt to shift right with overflow"),
            },
            _ => unsupported(format!("`{}` of integers", op.sign())),
        }
    }
}

/// A number that is no integer, and its derivative along the direction of the run.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    /// The number.
    pub repr: Repr,
    /// Its derivative.
    pub tangent: f64,
}

/// The logarithmic numbers that there are.
pub(crate) type Logarithm = LogNumber<Fixed<48>>;

/// A number in its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repr {
    /// A literal that has not met another number.
    Open(f64),
    /// An `f64`.
    F64(f64),
    /// An `f32`.
    F32(f32),
    /// A `Fixed` with so many bits after the point.
    Fixed(u32, i64),
    /// A `Tropical<f64>`; none is its zero, which is less than all others.
    Tropical(Option<f64>),
    /// A `LogNumber<Fixed<48>>`.
    Log(LogNumber<Fixed<48>>),
}

impl PartialEq for Float {
    fn eq(&self, other: &Float) -> bool {
        match (self.repr, other.repr) {
            (Repr::Fixed(f, a), Repr::Fixed(g, b)) => f == g && a == b,
            (Repr::Log(a), Repr::Log(b)) => a == b,
            _ => self.value() == other.value(),
        }
    }
}

/// Something with a number type that has a parameter, for the parameters that there are.
macro_rules! with_fixed {
    ($frac:expr, $Type:ident => $body:expr) => {
        with_fixed!($frac, $Type => $body, 0 4 8 12 16 20 24 28 30 32 36 40 44 48 52 56 60)
    };
    ($frac:expr, $Type:ident => $body:expr, $($known:literal)*) => {
        match $frac {
            $($known => { type $Type = ::retrograd::Fixed<$known>; $body })*
            frac => return unsupported(format!("the type `Fixed<{frac}>`")),
        }
    };
}
pub(crate) use with_fixed;

/// What a panic of the library says.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run)).or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        panics(text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a number does not fit"))
    })
}

impl Float {
    /// An `f64`.
    pub fn f64(value: f64) -> Float {
        Float { repr: Repr::F64(value), tangent: 0.0 }
    }

    /// A literal.
    pub fn open(value: f64) -> Float {
        Float { repr: Repr::Open(value), tangent: 0.0 }
    }

    /// The number as an `f64`.
    pub fn value(&self) -> f64 {
        match self.repr {
            Repr::Open(x) | Repr::F64(x) => x,
            Repr::F32(x) => x.into(),
            Repr::Fixed(frac, bits) => bits as f64 / (frac as f64).exp2(),
            Repr::Tropical(x) => x.unwrap_or(f64::NEG_INFINITY),
            Repr::Log(x) => x.to_f64(),
        }
    }

    /// The same number in the type of another one.
    pub(crate) fn like(self, other: Repr) -> Result<Float> {
        let repr = match (self.repr, other) {
            (Repr::Open(x), Repr::F64(_)) => Repr::F64(x),
            (Repr::Open(x), Repr::F32(_)) => Repr::F32(x as f32),
            (Repr::Open(x), Repr::Fixed(frac, _)) => {
                Repr::Fixed(frac, with_fixed!(frac, F => caught(|| <F as Real>::lit(x).to_bits())?))
            }
            (Repr::Open(x), Repr::Log(_)) => Repr::Log(Logarithm::lit(x)),
            (repr, _) => repr,
        };
        Ok(Float { repr, ..self })
    }

    /// A number of a type, from one that is rounded to it.
    pub fn of(kind: Repr, value: f64) -> Result<Float> {
        Float::open(value).like(kind)
    }

    /// The same number without a derivative.
    pub(crate) fn still(self) -> Float {
        Float { tangent: 0.0, ..self }
    }

    /// Both in one type.
    pub(crate) fn alike(a: Float, b: Float) -> Result<(Float, Float)> {
        Ok((a.like(b.repr)?, b.like(a.repr)?))
    }

    /// `-x`; tropical numbers have none.
    pub(crate) fn negated(self) -> Float {
        let repr = match self.repr {
            Repr::Open(x) => Repr::Open(-x),
            Repr::F64(x) => Repr::F64(-x),
            Repr::F32(x) => Repr::F32(-x),
            Repr::Fixed(frac, bits) => Repr::Fixed(frac, bits.wrapping_neg()),
            Repr::Tropical(x) => Repr::Tropical(x.map(|x| -x)),
            Repr::Log(x) => Repr::Log(-x),
        };
        Float { repr, tangent: -self.tangent }
    }

    /// `a op b` for an operator whose value is a number.
    pub(crate) fn binary(op: BinaryOp, a: Float, b: Float) -> Result<Float> {
        let (a, b) = Float::alike(a, b)?;
        fn of<T: Real + std::ops::Rem<Output = T>>(op: BinaryOp, x: T, y: T) -> Option<T> {
            Some(match op {
                BinaryOp::Add => x + y,
                BinaryOp::Sub => x - y,
                BinaryOp::Mul => x * y,
                BinaryOp::Div => x / y,
                BinaryOp::Rem => x % y,
                _ => return None,
            })
        }
        let repr = match (a.repr, b.repr) {
            (Repr::Open(x), Repr::Open(y)) => of(op, x, y).map(Repr::Open),
            (Repr::F64(x), Repr::F64(y)) => of(op, x, y).map(Repr::F64),
            (Repr::F32(x), Repr::F32(y)) => of(op, x, y).map(Repr::F32),
            (Repr::Fixed(frac, x), Repr::Fixed(other, y)) if frac == other => {
                with_fixed!(frac, F => {
                    let (x, y) = (F::from_bits(x), F::from_bits(y));
                    let value = caught(|| match op {
                        BinaryOp::Add => Some(x + y),
                        BinaryOp::Sub => Some(x - y),
                        BinaryOp::Mul => Some(x * y),
                        BinaryOp::Div => Some(x / y),
                        _ => None,
                    })?;
                    value.map(|value| Repr::Fixed(frac, value.to_bits()))
                })
            }
            (Repr::Log(x), Repr::Log(y)) => caught(|| match op {
                BinaryOp::Add => Some(x + y),
                BinaryOp::Sub => Some(x - y),
                BinaryOp::Mul => Some(x * y),
                BinaryOp::Div => Some(x / y),
                _ => None,
            })?
            .map(Repr::Log),
            (Repr::Tropical(x), Repr::Tropical(y)) => return tropical(op, (x, a.tangent), (y, b.tangent)),
            _ => return unfit(format!("`{a}` and `{b}` are numbers of different types")),
        };
        let Some(repr) = repr else { return unsupported(format!("`{}` of numbers", op.sign())) };
        let (x, y, dx, dy) = (a.value(), b.value(), a.tangent, b.tangent);
        let tangent = match op {
            BinaryOp::Add => dx + dy,
            BinaryOp::Sub => dx - dy,
            BinaryOp::Mul => dx * y + x * dy,
            BinaryOp::Div => (dx - x / y * dy) / y,
            _ => dx - (x / y).trunc() * dy,
        };
        Ok(Float { repr, tangent })
    }
}

impl fmt::Display for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.repr {
            Repr::F32(x) => write!(f, "{x:?}"),
            Repr::Tropical(Some(x)) => write!(f, "Tropical({x:?})"),
            Repr::Tropical(None) => write!(f, "Tropical(-∞)"),
            Repr::Open(_) | Repr::F64(_) | Repr::Fixed(..) | Repr::Log(_) => write!(f, "{:?}", self.value()),
        }
    }
}

/// A product or a quotient of tropical numbers, each with its tangent.
fn tropical(op: BinaryOp, (x, dx): (Option<f64>, f64), (y, dy): (Option<f64>, f64)) -> Result<Float> {
    let both = |value: fn(f64, f64) -> f64| x.zip(y).map(|(x, y)| value(x, y));
    let (value, tangent) = match (op, y) {
        (BinaryOp::Mul, _) => (both(|x, y| x + y), dx + dy),
        (BinaryOp::Div, Some(_)) => (both(|x, y| x - y), dx - dy),
        (BinaryOp::Div, None) => return panics("a tropical number is divided by the tropical zero"),
        _ => return unsupported(format!("`{}` of tropical numbers", op.sign())),
    };
    Ok(Float { repr: Repr::Tropical(value), tangent })
}

/// The operator behind an update.
pub(crate) fn operator(op: UpdateOp) -> BinaryOp {
    match op {
        UpdateOp::Add => BinaryOp::Add,
        UpdateOp::Sub => BinaryOp::Sub,
        UpdateOp::Mul => BinaryOp::Mul,
        UpdateOp::Div => BinaryOp::Div,
        UpdateOp::Xor => BinaryOp::BitXor,
    }
}

/// The operator that undoes it.
pub(crate) fn opposite(op: UpdateOp) -> UpdateOp {
    match op {
        UpdateOp::Add => UpdateOp::Sub,
        UpdateOp::Sub => UpdateOp::Add,
        UpdateOp::Mul => UpdateOp::Div,
        UpdateOp::Div => UpdateOp::Mul,
        UpdateOp::Xor => UpdateOp::Xor,
    }
}
