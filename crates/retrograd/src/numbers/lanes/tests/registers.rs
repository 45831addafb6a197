use proptest::prelude::*;

use super::super::Holds;
use super::super::registers::{Element, Register};
use super::{InstructionSet, Kernel, available, with};
use crate::{Lanes, Real};

/// Everything that is the same in a lane as without lanes, bit for bit.
#[inline(always)]
fn exact<T: Real>(x: T, y: T, z: T) -> [(&'static str, T); 26] {
    [
        ("+", x + y),
        ("-", x - y),
        ("*", x * y),
        ("/", x / y),
        ("neg", -x),
        ("sqrt", x.sqrt()),
        ("mul_add", x.mul_add(y, z)),
        ("abs", x.abs()),
        ("recip", x.recip()),
        ("square", x.square()),
        ("cube", x.cube()),
        ("powi", x.powi(5)),
        ("floor", x.floor()),
        ("ceil", x.ceil()),
        ("trunc", x.trunc()),
        ("round", x.round()),
        ("fract", x.fract()),
        ("signum", x.signum()),
        ("to_degrees", x.to_degrees()),
        ("to_radians", x.to_radians()),
        ("rem_euclid", x.rem_euclid(y)),
        ("select_less", x.select_less(y, z, x)),
        ("select_equal", x.select_equal(y, z, x)),
        // Which zero the larger one is, nobody says.
        ("max", x.max(y) + T::zero()),
        ("min", x.min(y) + T::zero()),
        ("clamp", x.clamp(-z.abs().max(T::zero()), z.abs().max(T::zero()))),
    ]
}

/// Equal with the sign of zero, or both NaN.
fn same<E: Element>(a: E, b: E) -> bool {
    a == b && a.recip() == b.recip() || a.to_f64().is_nan() && b.to_f64().is_nan()
}

/// Those of some lanes, each against the same without lanes.
#[inline(always)]
fn check_exact<E: Element, const W: usize, I: Holds<E, W>>(numbers: &[E]) -> Result<(), String> {
    let lanes = |start: usize| -> [E; W] { numbers[start..start + W].try_into().expect("enough numbers") };
    let (x, y, z) = (lanes(0), lanes(1), lanes(2));
    let (a, b) = (Lanes::<E, W, I>::from(x), Lanes::from(y));
    let found = exact(a, b, Lanes::from(z)).map(|(_, found)| found.to_array());
    let (less, equal) = (a.less(b), a.equal(b));
    let masks = [less, equal, less & !equal, !less].map(|mask| mask.to_array());
    for i in 0..W {
        for (found, (name, expected)) in found.iter().zip(exact(x[i], y[i], z[i])) {
            if !same(found[i], expected) {
                return Err(format!("{name} of {:?}, {:?}, {:?}: {:?}, not {expected:?}", x[i], y[i], z[i], found[i]));
            }
        }
        let is_less = x[i] < y[i];
        if masks.map(|mask| mask[i]) != [is_less, x[i] == y[i], is_less, !is_less] {
            return Err(format!("comparisons of {:?} and {:?}", x[i], y[i]));
        }
    }
    if less.any() != masks[0].contains(&true) || less.all() == masks[0].contains(&false) {
        return Err(format!("any or all of {less:?}"));
    }
    Ok(())
}

/// The first numbers of a slice, zeros behind them, and back.
#[inline(always)]
fn check_first<E: Element, const W: usize, I: Holds<E, W>>(numbers: &[E]) {
    for count in 0..=I::Register::WIDTH {
        let register = I::Register::load_first(&numbers[..count], count);
        let mut stored = numbers[..W].to_vec();
        let mut kept = stored.clone();
        register.store(&mut stored);
        let zeros = vec![E::zero(); I::Register::WIDTH - count];
        assert_eq!(
            format!("{:?}", &stored[..I::Register::WIDTH]),
            format!("{:?}", [&numbers[..count], &zeros].concat())
        );
        I::Register::splat(E::one()).store_first(&mut kept, count);
        let ones = vec![E::one(); count];
        assert_eq!(format!("{kept:?}"), format!("{:?}", [&ones, &numbers[count..W]].concat()));
    }
}

/// Rows to lanes and back, and sums of lanes.
#[inline(always)]
fn check_rows<E: Element, const W: usize, const D: usize, I: Holds<E, W>>() {
    let rows: Vec<[E; D]> = (0..W).map(|i| std::array::from_fn(|j| E::from_int(100 * i + j))).collect();
    let columns = Lanes::<E, W, I>::gather(std::array::from_fn(|i| &rows[i]));
    for (j, column) in columns.iter().enumerate() {
        assert_eq!(column.to_array(), std::array::from_fn(|i| E::from_int(100 * i + j)), "{W} rows of {D}");
        assert_eq!(column.sum(), E::from_int(50 * W * (W - 1) + W * j));
    }
    let mut scattered = vec![[E::zero(); D]; W];
    let mut places = scattered.iter_mut();
    Lanes::scatter(&columns, std::array::from_fn(|_| places.next().expect("as many rows as lanes")));
    assert_eq!(scattered, rows, "{W} rows of {D}");
}

struct Exact<'a>(&'a [f64], &'a [f32]);

impl Kernel for Exact<'_> {
    type Output = Result<(), String>;

    #[inline(always)]
    fn run<I: InstructionSet>(self) -> Result<(), String> {
        check_exact::<f64, 8, I>(self.0)?;
        check_exact::<f64, 16, I>(self.0)?;
        check_exact::<f64, 24, I>(self.0)?;
        check_exact::<f64, 32, I>(self.0)?;
        check_exact::<f32, 16, I>(self.1)?;
        check_exact::<f32, 32, I>(self.1)?;
        check_exact::<f32, 48, I>(self.1)?;
        check_exact::<f32, 64, I>(self.1)?;
        check_first::<f64, 8, I>(self.0);
        check_first::<f32, 16, I>(self.1);
        Ok(())
    }
}

/// Rows of `D` numbers.
struct Rows<const D: usize>;

impl<const D: usize> Kernel for Rows<D> {
    type Output = ();

    #[inline(always)]
    fn run<I: InstructionSet>(self) {
        check_rows::<f64, 8, D, I>();
        check_rows::<f64, 24, D, I>();
        check_rows::<f32, 16, D, I>();
        check_rows::<f32, 48, D, I>();
    }
}

#[test]
fn rows_become_lanes_and_rows_again() {
    for instructions in available() {
        with(instructions, Rows::<1>);
        with(instructions, Rows::<2>);
        with(instructions, Rows::<3>);
        with(instructions, Rows::<4>);
        with(instructions, Rows::<5>);
        with(instructions, Rows::<7>);
        with(instructions, Rows::<8>);
        with(instructions, Rows::<9>);
        with(instructions, Rows::<16>);
        with(instructions, Rows::<17>);
        with(instructions, Rows::<33>);
    }
}

/// Numbers of which many are equal, or next to each other, or no numbers.
fn numbers() -> impl Strategy<Value = f64> {
    let special = vec![0.0, -0.0, 1.0, -1.0, 0.5, -2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5e-324, 1e300, 0.1];
    // Machines do not agree about the larger one of a number and a NaN that signals.
    let any = any::<u64>().prop_map(f64::from_bits).prop_map(|x| if x.is_nan() { f64::NAN } else { x });
    prop_oneof![any, prop::sample::select(special), -4.0..4.0]
}

proptest! {
    #[test]
    fn lanes_compute_what_scalars_compute(numbers in prop::collection::vec(numbers(), 66)) {
        let singles: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
        for instructions in available() {
            if let Err(text) = with(instructions, Exact(&numbers, &singles)) {
                prop_assert!(false, "{instructions}: {text}");
            }
        }
    }
}
