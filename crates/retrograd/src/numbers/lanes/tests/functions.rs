use std::hint::black_box;

use proptest::prelude::*;

use super::{InstructionSet, Instructions, Kernel, with, with_functions};
use crate::{Lanes, Real};

/// A function by its name, in lanes and without.
struct Apply<'a, E, const W: usize> {
    name: &'a str,
    x: [E; W],
    y: [E; W],
}

macro_rules! functions {
    ($($type:ident $lanes:literal),*: $names:tt) => {
        functions! { @names $names }
        $(functions! { @kernel $type $lanes $names })*
    };
    (@names { $($name:ident)*; $($name2:ident)* }) => {
        const ONE: &[&str] = &[$(stringify!($name)),*];
        const TWO: &[&str] = &[$(stringify!($name2)),*];

        fn scalar(name: &str, x: f64, y: f64) -> f64 {
            match name {
                $(stringify!($name) => Real::$name(x),)*
                $(stringify!($name2) => Real::$name2(x, y),)*
                name => panic!("no function {name}"),
            }
        }
    };
    (@kernel $type:ident $lanes:literal { $($name:ident)*; $($name2:ident)* }) => {
        impl Kernel for Apply<'_, $type, $lanes> {
            type Output = [$type; $lanes];

            #[inline(always)]
            fn run<I: InstructionSet>(self) -> [$type; $lanes] {
                let x = Lanes::<$type, $lanes, I>::from(self.x);
                let y = Lanes::<$type, $lanes, I>::from(self.y);
                match self.name {
                    $(stringify!($name) => x.$name(),)*
                    $(stringify!($name2) => x.$name2(y),)*
                    name => panic!("no function {name}"),
                }
                .to_array()
            }
        }
    };
}

functions! { f64 8, f32 16: {
    exp exp2 exp_m1 ln ln_1p log2 log10 cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    round signum to_degrees to_radians erf gamma lgamma;
    powf hypot atan2 log rem_euclid
} }

/// The largest errors, in units of the last place, that the documentation of `Lanes` promises.
const BOUNDS: &[(&str, f64)] = &[
    ("exp", 0.90),
    ("exp2", 0.80),
    ("exp_m1", 0.90),
    ("ln", 0.90),
    ("ln_1p", 0.90),
    ("log2", 0.60),
    ("log10", 0.60),
    ("log", 0.60),
    ("powf", 0.80),
    ("cbrt", 0.51),
    ("hypot", 0.80),
    ("sin", 0.90),
    ("cos", 0.90),
    ("tan", 0.95),
    ("asin", 0.70),
    ("acos", 0.70),
    ("atan", 0.80),
    ("atan2", 0.90),
    ("sinh", 0.80),
    ("cosh", 0.70),
    ("tanh", 0.70),
    ("asinh", 0.90),
    ("acosh", 0.90),
    ("atanh", 0.90),
];

/// Equal, or both NaN.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// What the last place of a number is worth.
fn last_place(x: f64) -> f64 {
    x.abs().next_up() - x.abs()
}

/// A line of the table: a function at a point, the nearest number and the rest in units of its last place.
struct Line {
    name: &'static str,
    x: f64,
    y: f64,
    nearest: f64,
    rest: f64,
}

fn reference() -> Vec<Line> {
    let number = |digits: &str| f64::from_bits(u64::from_str_radix(digits, 16).expect("bits"));
    include_str!("reference.tsv")
        .lines()
        .map(|line| {
            let fields: Vec<_> = line.split('\t').collect();
            let (name, n) = (fields[0], fields.len());
            let y = if n == 5 { number(fields[2]) } else { 0.0 };
            let rest = fields[n - 1].parse().expect("the rest");
            Line { name, x: number(fields[1]), y, nearest: number(fields[n - 2]), rest }
        })
        .collect()
}

#[test]
fn errors_are_within_their_bounds() {
    let table = reference();
    for instructions in with_functions() {
        for &(name, bound) in BOUNDS {
            let lines: Vec<_> = table.iter().filter(|line| line.name == name).collect();
            assert!(lines.len() >= 100, "{name}");
            for lines in lines.chunks_exact(8) {
                let (x, y) = (std::array::from_fn(|i| lines[i].x), std::array::from_fn(|i| lines[i].y));
                for (line, found) in lines.iter().zip(with(instructions, Apply { name, x, y })) {
                    let error = (found - line.nearest) / last_place(line.nearest) - line.rest;
                    assert!(error.abs() <= bound, "{instructions}: {name}({:e}, {:e}): {error}", line.x, line.y);
                }
            }
        }
    }
}

/// Numbers at which functions have limits, poles or signs of zero. Next to 1 and next to overflow, some inverse hyperbolic
/// functions of the standard library are not good to all digits.
const SPECIAL: &[f64] = &[
    0.0,
    0.25,
    0.5,
    1.0,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    8.0,
    10.0,
    27.0,
    100.0,
    1e-17,
    1e-5,
    1e-300,
    1e-310,
    5e-324,
    f64::MIN_POSITIVE,
    0.49999999999999994,
    709.0,
    709.782712893384,
    710.0,
    745.0,
    745.2,
    708.5,
    710.4758600739439,
    1023.9999999,
    1024.0,
    1074.0,
    1075.0,
    1076.0,
    1e6,
    1048576.0,
    1e15,
    1e22,
    4503599627370495.5,
    4503599627370497.0,
    9007199254740991.0,
    9007199254740992.0,
    1e300,
    8e307,
    f64::INFINITY,
    f64::NAN,
];

/// All special numbers, in eights.
fn special() -> Vec<[f64; 8]> {
    let numbers: Vec<f64> = SPECIAL.iter().flat_map(|&x| [x, -x]).collect();
    numbers.as_chunks().0.to_vec()
}

#[test]
fn special_values_are_those_of_the_scalar() {
    for instructions in with_functions() {
        for x in special() {
            for &name in ONE {
                check(instructions, name, x, [0.0; 8]);
            }
            for y in special().into_iter().flatten() {
                for &name in TWO {
                    check(instructions, name, x, [y; 8]);
                    check(instructions, name, [y; 8], x);
                }
            }
        }
    }
}

/// NaN, infinity and zeros with their sign where the scalar has them, and elsewhere hardly a difference.
fn check(instructions: Instructions, name: &str, x: [f64; 8], y: [f64; 8]) {
    for (i, found) in with(instructions, Apply { name, x, y }).into_iter().enumerate() {
        let expected = scalar(name, x[i], y[i]);
        let close = found.is_sign_negative() == expected.is_sign_negative()
            && (found - expected).abs() <= 4.0 * last_place(expected)
            && (expected != 0.0 || found == 0.0);
        let text = format!("{instructions}: {name}({:e}, {:e}) is {found:e}, not {expected:e}", x[i], y[i]);
        assert!(same(found, expected) || expected.is_finite() && close, "{text}");
    }
}

#[test]
fn functions_do_not_depend_on_the_instructions() {
    for lines in reference().chunks_exact(8) {
        let (x, y) = (std::array::from_fn(|i| lines[i].x), std::array::from_fn(|i| lines[i].y));
        let found = with_functions().map(|instructions| with(instructions, Apply { name: lines[0].name, x, y }));
        let found: Vec<_> = found.collect();
        assert!(
            found.windows(2).all(|pair| pair[0].map(f64::to_bits) == pair[1].map(f64::to_bits)),
            "{}",
            lines[0].name
        );
    }
}

#[test]
fn large_angles_are_those_of_the_scalar() {
    let x = [1.0, 1e7, -1e22, 1048577.0, 1e300, -2.0, 1e100, 3.0];
    for instructions in with_functions() {
        for name in ["sin", "cos", "tan"] {
            assert_eq!(with(instructions, Apply { name, x, y: x }), x.map(|x| scalar(name, x, x)), "{name}");
        }
    }
}

/// Within half a unit in the last place and a little of `expected`, which has more digits.
fn rounded_once(found: f32, expected: f64) -> bool {
    let nearest = expected as f32;
    if nearest.is_finite() && found.is_finite() {
        let last_place = f64::from(nearest.abs().next_up()) - f64::from(nearest.abs());
        found.is_sign_negative() == expected.is_sign_negative()
            && (f64::from(found) - expected).abs() <= 0.501 * last_place
    } else {
        nearest == found || nearest.is_nan() && found.is_nan()
    }
}

/// `x` to a whole power.
struct Powi([f64; 8], i32);

impl Kernel for Powi {
    type Output = [f64; 8];

    #[inline(always)]
    fn run<I: InstructionSet>(self) -> [f64; 8] {
        Lanes::<f64, 8, I>::from(self.0).powi(self.1).to_array()
    }
}

/// Any bits.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![any::<u64>().prop_map(f64::from_bits), -10.0..10.0, any::<i16>().prop_map(|n| f64::from(n) / 2.0)]
}

/// Any bits of single precision, or what is special.
fn any_single() -> impl Strategy<Value = f32> {
    let special: Vec<f32> = SPECIAL.iter().flat_map(|&x| [x as f32, -x as f32]).collect();
    let halves = any::<i16>().prop_map(|n| f32::from(n) / 2.0);
    prop_oneof![any::<u32>().prop_map(f32::from_bits), -10.0_f32..10.0, halves, prop::sample::select(special)]
}

proptest! {
    #[test]
    fn functions_of_singles_are_rounded_once(
        x in prop::array::uniform16(any_single()), y in prop::array::uniform16(any_single()),
    ) {
        for instructions in with_functions() {
            for &(name, _) in BOUNDS {
                for (i, found) in with(instructions, Apply { name, x, y }).into_iter().enumerate() {
                    let expected = scalar(name, x[i].into(), y[i].into());
                    let text = format!("{instructions}: {name}({:e}, {:e}): {found:e}, {expected:e}", x[i], y[i]);
                    prop_assert!(rounded_once(found, expected), "{text}");
                }
            }
        }
    }

    #[test]
    fn some_are_those_of_the_scalar_bit_for_bit(
        x in prop::array::uniform8(any_number()), y in prop::array::uniform8(any_number()),
    ) {
        for instructions in super::available() {
            for name in ["round", "signum", "to_degrees", "to_radians", "rem_euclid", "erf", "gamma", "lgamma"] {
                for (i, found) in with(instructions, Apply { name, x, y }).into_iter().enumerate() {
                    let expected = scalar(name, x[i], y[i]);
                    prop_assert!(same(found, expected), "{name}({:e}, {:e}): {found:e}, {expected:e}", x[i], y[i]);
                }
            }
        }
    }

    #[test]
    fn whole_powers_are_those_of_the_scalar_bit_for_bit(
        x in prop::array::uniform8(any_number()), n in prop_oneof![-40..40, any::<i32>()],
    ) {
        for instructions in super::available() {
            for (i, found) in with(instructions, Powi(x, n)).into_iter().enumerate() {
                let expected = x[i].powi(black_box(n));
                prop_assert!(same(found, expected), "{:e} to the power {n}: {found:e}, {expected:e}", x[i]);
            }
        }
    }
}
