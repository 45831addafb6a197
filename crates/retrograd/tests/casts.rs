//! Casts: values move into variables of other types and back, bit for bit, and what would lose something is refused.

use std::fmt::Debug;
use std::num::Wrapping;

use retrograd::check::Compare;
use retrograd::numbers::{Convert, LosslessFrom, cast, convert};
use retrograd::{ErrorKind, Fixed, LogNumber, attempt, prelude::*};

/// A generator of test values, of all sizes.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58476d1ce4e5b9);
        mixed ^ (mixed >> 32)
    }

    /// A number of at most so many digits, of either sign.
    fn integer(&mut self, digits: u64) -> i64 {
        let size = 64 - digits + self.bits() % digits;
        let magnitude = if size == 64 { 0 } else { (self.bits() >> size) as i64 };
        if self.bits().is_multiple_of(2) { magnitude } else { magnitude.wrapping_neg() }
    }
}

const CASES: usize = 1_000_000;
/// Cases of what takes a microsecond when it is optimised.
const SLOW_CASES: usize = if cfg!(debug_assertions) { 20_000 } else { CASES };

/// All bits of a value, as it is shown: floats apart, values that are equal have the same bits.
trait Same: Copy + Debug {
    fn same(self, other: Self) -> bool;
}

impl<const F: u32> Same for LogNumber<Fixed<F>> {
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl<const F: u32> Same for Fixed<F> {
    fn same(self, other: Self) -> bool {
        self == other
    }
}

macro_rules! same {
    ($($type:ty, $bits:expr;)*) => {$(
        impl Same for $type {
            fn same(self, other: Self) -> bool {
                let bits = $bits;
                bits(self) == bits(other)
            }
        }
    )*};
}

same! {
    u8, |x| x; u16, |x| x; u32, |x| x; u64, |x| x; i8, |x| x; i16, |x| x; i32, |x| x; i64, |x| x; i128, |x| x; u128, |x| x;
    Wrapping<u64>, |x| x; Wrapping<i64>, |x| x;
    f32, f32::to_bits; f64, f64::to_bits;
}

/// There and back from `value()`, which has a partner if `always`; back and there from `other()`, which may have none.
#[track_caller]
fn there_and_back<A, B>(cases: usize, always: bool, mut value: impl FnMut() -> A, mut other: impl FnMut() -> B)
where
    A: Copy + Default + Debug + Compare + Same,
    B: LosslessFrom<A> + Same,
{
    let mut partners = 0;
    for _ in 0..cases {
        let x = value();
        let Some(y) = B::try_cast(x) else {
            assert!(!always, "{x:?} has no partner");
            continue;
        };
        let back = y.try_uncast();
        assert!(back.is_some_and(|back| back.same(x)), "{x:?} to {y:?} to {back:?}");
        let other = other();
        let partner = other.try_uncast();
        if let Some(x) = partner {
            assert!(B::try_cast(x).is_some_and(|there| there.same(other)), "{other:?} to {x:?}");
        }
        partners += 1;
        if partners <= 1000 {
            the_statement_does_it(x, y);
            match partner {
                Some(x) => the_statement_does_it(x, other),
                None => the_statement_refuses::<A, B>(other),
            }
        }
    }
    assert!(partners * 10 >= cases, "{partners} of {cases}");
}

/// `cast` moves a value to its partner, and back.
#[track_caller]
fn the_statement_does_it<A, B>(x: A, y: B)
where
    A: Copy + Default + Debug + Compare + Same,
    B: LosslessFrom<A> + Same,
{
    let (mut from, mut to) = (x, B::default());
    cast(&mut from, &mut to);
    assert!(to.same(y) && from.same(A::default()), "{x:?} to {to:?}");
    cast::uncall(&mut from, &mut to);
    assert!(from.same(x) && to.same(B::default()), "{y:?} to {from:?}");
}

/// A value without a partner is left where it is.
#[track_caller]
fn the_statement_refuses<A, B>(y: B)
where
    A: Copy + Default + Debug + Compare + Same,
    B: LosslessFrom<A> + Same,
{
    let (mut from, mut to) = (A::default(), y);
    let error = attempt(|| cast::uncall(&mut from, &mut to)).unwrap_err();
    assert_eq!((error.kind, &*error.variable), (ErrorKind::LossyCast, "y"));
    assert!(from.same(A::default()) && to.same(y));
}

#[test]
fn integers_widen_and_come_back() {
    let (random, other) = (&mut Random(1), &mut Random(2));
    there_and_back(CASES, true, || random.bits() as i32, || other.integer(40));
    there_and_back(CASES, true, || random.bits() as u8, || other.integer(10) as u16);
    there_and_back(CASES, true, || random.bits() as u32, || other.integer(40));
    there_and_back(CASES, true, || random.bits(), || i128::from(other.integer(64)) * 2);
    there_and_back(CASES, true, || random.bits() as i8, || other.integer(10) as i16);
    there_and_back(CASES, true, || random.bits() as i64, || i128::from(other.integer(64)) * 2);
}

#[test]
fn floats_widen_and_come_back() {
    let (random, other) = (&mut Random(3), &mut Random(4));
    let float = |bits: u32| f32::from_bits(bits);
    there_and_back(CASES, false, || float(random.bits() as u32), || f64::from(float(other.bits() as u32)));
    there_and_back(CASES, false, || float(random.bits() as u32), || f64::from_bits(other.bits()));
    for x in [0.0, -0.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::INFINITY, f32::NEG_INFINITY] {
        there_and_back(1, true, || x, || 0.1);
    }
}

#[test]
fn fixed_point_numbers_gain_digits_and_come_back() {
    let (random, other) = (&mut Random(5), &mut Random(6));
    there_and_back(
        CASES,
        true,
        || Fixed::<16>::from_bits(random.integer(47)),
        || Fixed::<32>::from_bits(other.integer(60) << 10),
    );
    there_and_back(
        CASES,
        false,
        || Fixed::<16>::from_bits(random.integer(63)),
        || Fixed::<32>::from_bits(other.integer(40) << 16),
    );
    there_and_back(
        CASES,
        false,
        || Fixed::<0>::from_bits(random.integer(4)),
        || Fixed::<62>::from_bits(other.bits() as i64),
    );
    there_and_back(
        CASES,
        true,
        || Fixed::<20>::from_bits(random.bits() as i64),
        || Fixed::<20>::from_bits(other.bits() as i64),
    );
}

#[test]
fn fixed_point_numbers_move_into_their_logarithms_and_come_back() {
    let (random, other) = (&mut Random(7), &mut Random(8));
    let logarithm = |other: &mut Random| LogNumber::<Fixed<48>>::from_log2(Fixed::from_bits(other.integer(52)));
    there_and_back(SLOW_CASES, true, || Fixed::<16>::from_bits(random.integer(48)), || logarithm(other));
    there_and_back(SLOW_CASES, false, || Fixed::<32>::from_bits(random.integer(60)), || logarithm(other));
    there_and_back(
        SLOW_CASES,
        true,
        || Fixed::<32>::from_bits(random.integer(57)),
        || LogNumber::<Fixed<57>>::from_log2(Fixed::from_bits(other.integer(60))),
    );
}

#[test]
fn bits_are_numbers_and_numbers_are_bits() {
    let (random, other) = (&mut Random(9), &mut Random(10));
    there_and_back(CASES, true, || Wrapping(random.bits()), || Fixed::<32>::from_bits(other.bits() as i64));
    there_and_back(CASES, true, || Fixed::<48>::from_bits(random.bits() as i64), || Wrapping(other.bits() as i64));
}

#[test]
fn a_cast_that_would_lose_something_says_so_where_it_stands_and_changes_nothing() {
    let (mut x, mut y) = (Fixed::<16>::MAX, Fixed::<32>::zero());
    let (line, error) = (line!(), attempt(|| cast(&mut x, &mut y)).unwrap_err());
    assert_eq!((error.kind, error.line, error.file), (ErrorKind::LossyCast, line, file!()));
    assert_eq!((&*error.variable, &*error.actual), ("x", "140737488355327.99998"));
    assert_eq!((x, y), (Fixed::MAX, Fixed::zero()));
    if cfg!(debug_assertions) {
        let (mut narrow, mut wide) = (7_u8, 3_u16);
        let error = attempt(|| cast(&mut narrow, &mut wide)).unwrap_err();
        assert_eq!((error.kind, &*error.variable, &*error.actual), (ErrorKind::CastTarget, "y", "3"));
        let error = attempt(|| cast::uncall(&mut narrow, &mut wide)).unwrap_err();
        assert_eq!((error.kind, &*error.variable, narrow, wide), (ErrorKind::CastTarget, "x", 7, 3));
    }
}

type Logarithm = LogNumber<Fixed<48>>;

/// Raises a fixed-point number to a power in place, by way of its logarithm: what is left of that is kept.
#[reversible(checks = "always")]
fn raise<T: Real, L: Real + LosslessFrom<T> + Convert<T>>(x: &mut T, left: &mut L, factor: L, n: u32) {
    cast(x, left);
    for _ in 0..n {
        *left *= factor;
    }
    *x += convert(*left);
}

#[test]
fn derivatives_move_with_the_value() {
    let (start, factor) = (Fixed::<16>::lit(1.375), Logarithm::lit(1.25));
    let (mut x, mut left) = (start, Logarithm::zero());
    raise(&mut x, &mut left, factor, 3);
    let end = (x, left);
    let power = 1.25_f64.powi(3);
    assert!((left.to_f64() - 1.375 * power).abs() < 1e-12 && (x.to_f64() - 1.375 * power).abs() < 1e-5);

    // x₁ = left₁ = x₀ f³
    let (mut gx, mut gleft, mut gfactor) = (2.0, 0.5, 0.0);
    raise::pullback((&mut x, &mut gx), (&mut left, &mut gleft), (factor, &mut gfactor), 3);
    assert_eq!((x, left), (start, Logarithm::zero()));
    assert!((gx - 2.5 * power).abs() < 1e-12 && gleft == 0.0);
    assert!((gfactor - 2.5 * 1.375 * 3.0 * 1.25 * 1.25).abs() < 1e-11);

    let (mut dx, mut dleft) = (1.0, 7.0);
    raise::pushforward((&mut x, &mut dx), (&mut left, &mut dleft), (factor, 0.0), 3);
    assert_eq!((x, left), end);
    assert!((dx - power).abs() < 1e-12 && (dleft - power).abs() < 1e-12);
    raise::unpushforward((&mut x, &mut dx), (&mut left, &mut dleft), (factor, 0.0), 3);
    assert_eq!((x, left), (start, Logarithm::zero()));
    assert!((dx - 1.0).abs() < 1e-12 && dleft == 0.0);
}

/// A sum in twice the digits, and its change of a number in the end.
#[reversible]
fn accumulate(total: &mut f32, x: &[f32], scale: f64) {
    let mut wide = 0.0_f64;
    cast(total, &mut wide);
    for i in 0..x.len() {
        wide += scale * convert::<f32, f64>(x[i]) * 0.125;
    }
    cast::uncall(total, &mut wide);
    release!(wide == 0.0);
}

#[test]
fn floats_of_both_sizes_meet_in_one_program() {
    let (mut total, x) = (1.5_f32, [0.5_f32, 2.0, -4.25]);
    accumulate(&mut total, &x, 0.5);
    assert_eq!(total, 1.5 + 0.0625 * -1.75);
    accumulate::uncall(&mut total, &x, 0.5);
    assert_eq!(total, 1.5);
    // What is too fine for the narrow type is refused, not rounded.
    assert_eq!(attempt(|| accumulate(&mut total, &x, 0.1)).unwrap_err().kind, ErrorKind::LossyCast);

    let (mut total, mut gtotal, mut gx, mut gscale) = (1.390625_f32, 2.0, [0.0; 3], 0.0);
    accumulate::pullback((&mut total, &mut gtotal), (&x, &mut gx), (0.5, &mut gscale));
    assert_eq!((total, gtotal, gx, gscale), (1.5, 2.0, [0.125; 3], 2.0 * 0.125 * -1.75));
}

/// Turns the bits of a number, as an integer.
#[reversible(derivatives = "never")]
fn scramble(x: &mut Fixed<32>, key: Wrapping<u64>) {
    let mut bits = Wrapping(0_u64);
    cast(x, &mut bits);
    bits ^= key;
    bits += key;
    cast::uncall(x, &mut bits);
    release!(bits == Wrapping(0));
}

#[test]
fn programs_change_the_bits_of_a_number() {
    let mut x = Fixed::lit(1.5);
    scramble(&mut x, Wrapping(0xfeed_beef_1234_5678));
    assert_ne!(x, Fixed::lit(1.5));
    scramble::uncall(&mut x, Wrapping(0xfeed_beef_1234_5678));
    assert_eq!(x, Fixed::lit(1.5));
}

/// Counts in a wide integer.
#[reversible]
fn count(small: &mut u16, weight: &mut f64, by: u64) {
    let mut wide = 0_u64;
    cast(small, &mut wide);
    wide += by;
    cast::uncall(small, &mut wide);
    release!(wide == 0);
    *weight *= 2.0;
}

#[test]
fn casts_of_integers_stand_beside_derivatives() {
    let (mut small, mut weight, mut gweight) = (7, 1.5, 1.0);
    count(&mut small, &mut weight, 60_000);
    assert_eq!((small, weight), (60_007, 3.0));
    count::pullback(&mut small, (&mut weight, &mut gweight), 60_000);
    assert_eq!((small, weight, gweight), (7, 1.5, 2.0));
    let error = attempt(|| count(&mut small, &mut weight, 70_000)).unwrap_err();
    assert_eq!((error.kind, &*error.actual), (ErrorKind::LossyCast, "70007"));
}

#[test]
fn conversions_round_to_the_nearest() {
    let convert_down = |x: f64| Convert::<Fixed<4>>::convert(Fixed::<32>::lit(x));
    assert_eq!([0.03, 0.04, -0.04, 1.75].map(convert_down), [0.0, 0.0625, -0.0625, 1.75].map(Fixed::lit));
    assert_eq!(Convert::<Fixed<32>>::convert(Fixed::<4>::lit(1.75)), Fixed::lit(1.75));
    assert_eq!(Convert::<Fixed<48>>::convert(0.1_f64), Fixed::lit(0.1));
    let narrow: f32 = Fixed::<40>::from_bits((1 << 40) + (1 << 16) + 1).convert();
    assert_eq!(narrow, 1.0 + f32::EPSILON);
    assert_eq!(Convert::<f64>::convert(Fixed::<48>::lit(0.1)), Fixed::<48>::lit(0.1).to_f64());
    assert_eq!((Convert::<f32>::convert(0.1_f64), Convert::<f64>::convert(0.1_f32)), (0.1_f32, f64::from(0.1_f32)));
    assert!(std::panic::catch_unwind(|| Convert::<Fixed<48>>::convert(Fixed::<16>::lit(40000.0))).is_err());
}
