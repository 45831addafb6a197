//! Every operation on complex numbers: on `Complex<f64>`, on `Complex<T>` and on pairs of real numbers it has the same value,
//! tangent and adjoint; and dual numbers agree.

use num_complex::Complex;
use proptest::prelude::*;
use retrograd::numbers::NumAssign;
use retrograd::{Dual, prelude::*};

use super::pairs;

/// Numbers, and others by arguments and direction, or by arguments and seed.
type Run = fn(&[f64], &[f64]) -> (Vec<f64>, Vec<f64>);

/// A number that moves.
type Moving = Dual<f64, 1>;

/// Numbers that move, by arguments that do.
type OnMoving = fn(&[Moving]) -> Vec<Moving>;

/// One way to write an operation, on flat arguments.
struct Way {
    name: &'static str,
    value: fn(&[f64]) -> Vec<f64>,
    pushforward: Run,
    pullback: Run,
    /// Value and tangent by dual numbers, where the way is generic.
    dual: Option<OnMoving>,
}

#[track_caller]
fn close(operation: &str, way: &str, law: &str, expected: &[f64], actual: &[f64]) {
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * size;
    let all = expected.len() == actual.len() && expected.iter().zip(actual).all(near);
    assert!(all, "{operation}, {way}: {law}\nexpected {expected:?}\n  actual {actual:?}");
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// All ways agree with the last one, which is that of pairs.
fn agree(operation: &str, ways: &[Way], x: &[f64], direction: &[f64], seed: &[f64]) {
    let reference = ways.last().expect("an operation has a way to write it");
    let (value, tangent) = (reference.pushforward)(x, direction);
    let seed = &seed[..value.len()];
    let (_, adjoint) = (reference.pullback)(x, seed);
    close(operation, reference.name, "the dot product", &[dot(seed, &tangent)], &[dot(&adjoint, direction)]);
    for way in ways {
        close(operation, way.name, "the value", &value, &(way.value)(x));
        let (given, moved) = (way.pushforward)(x, direction);
        assert_eq!(given, (way.value)(x), "{operation}, {}: the value of a pushforward", way.name);
        close(operation, way.name, "the tangent", &tangent, &moved);
        let (given, gained) = (way.pullback)(x, seed);
        assert_eq!(given, (way.value)(x), "{operation}, {}: the value of a pullback", way.name);
        close(operation, way.name, "the adjoint", &adjoint, &gained);
        if let Some(dual) = way.dual {
            let lifted: Vec<_> = x.iter().zip(direction).map(|(&x, &d)| Dual { re: x, eps: [d] }).collect();
            let (values, moved): (Vec<_>, Vec<_>) = dual(&lifted).into_iter().map(|y| (y.re, y.eps[0])).unzip();
            close(operation, way.name, "the value on dual numbers", &value, &values);
            close(operation, way.name, "the tangent by dual numbers", &tangent, &moved);
        }
    }
}

/// What an argument or a value is made of, by its kind: a complex number, a pair, or a real number.
trait Flat<T> {
    fn read(x: &mut std::slice::Iter<'_, T>) -> Self;
    fn write(self, to: &mut Vec<T>);
}

macro_rules! flat {
    ($($number:ty),*) => {$(
        impl Flat<$number> for $number {
            fn read(x: &mut std::slice::Iter<'_, $number>) -> Self {
                *x.next().expect("as many numbers as the arguments have")
            }
            fn write(self, to: &mut Vec<$number>) {
                to.push(self);
            }
        }
    )*};
}

flat!(f64, Moving);

impl<T: Flat<T>> Flat<T> for Complex<T> {
    fn read(x: &mut std::slice::Iter<'_, T>) -> Self {
        Complex { re: T::read(x), im: T::read(x) }
    }
    fn write(self, to: &mut Vec<T>) {
        self.re.write(to);
        self.im.write(to);
    }
}

impl<T: Flat<T>> Flat<T> for [T; 2] {
    fn read(x: &mut std::slice::Iter<'_, T>) -> Self {
        [T::read(x), T::read(x)]
    }
    fn write(self, to: &mut Vec<T>) {
        for x in self {
            x.write(to);
        }
    }
}

impl<T: Flat<T>> Flat<T> for (T, T) {
    fn read(x: &mut std::slice::Iter<'_, T>) -> Self {
        (T::read(x), T::read(x))
    }
    fn write(self, to: &mut Vec<T>) {
        self.0.write(to);
        self.1.write(to);
    }
}

fn written<T, F: Flat<T>>(value: F) -> Vec<T> {
    let mut to = Vec::new();
    value.write(&mut to);
    to
}

/// The types of arguments and values, by one letter.
mod of_complex {
    pub(crate) type C<T> = num_complex::Complex<T>;
    pub(crate) type R<T> = T;
    pub(crate) type Polar<T> = (T, T);
}

/// The same on pairs.
mod of_pairs {
    pub(crate) type C<T> = [T; 2];
    pub(crate) type R<T> = T;
    pub(crate) type Polar<T> = [T; 2];
}

/// The runs of a function on flat arguments.
macro_rules! way {
    ($name:literal, $function:path, $kinds:ident($($argument:ident: $kind:ident),+) -> $result:ident) => {{
        use $function as function;
        Way {
            name: $name,
            value: |x| {
                let x = &mut x.iter();
                $(let $argument = <$kinds::$kind<f64>>::read(x);)+
                written::<f64, $kinds::$result<f64>>(function($($argument),+))
            },
            pushforward: |x, d| {
                let (x, d) = (&mut x.iter(), &mut d.iter());
                $(let $argument = (<$kinds::$kind<f64>>::read(x), <$kinds::$kind<f64>>::read(d));)+
                let (value, tangent) = function::pushforward($($argument),+);
                (written::<f64, $kinds::$result<f64>>(value), written::<f64, $kinds::$result<f64>>(tangent))
            },
            pullback: |x, seed| {
                let (x, zeros) = (&mut x.iter(), &mut [0.0; 8].iter());
                $(let mut $argument = (<$kinds::$kind<f64>>::read(x), <$kinds::$kind<f64>>::read(zeros));)+
                let seed = <$kinds::$result<f64>>::read(&mut seed.iter());
                let value = function::pullback($(($argument.0, &mut $argument.1)),+, seed);
                let mut gradient = Vec::new();
                $($argument.1.write(&mut gradient);)+
                (written::<f64, $kinds::$result<f64>>(value), gradient)
            },
            dual: None,
        }
    }};
}

/// The runs of a function that is generic, and the function on dual numbers.
macro_rules! generic_way {
    ($name:literal, $function:path, $kinds:ident($($argument:ident: $kind:ident),+) -> $result:ident) => {{
        use $function as generic;
        let dual: OnMoving = |x| {
            let x = &mut x.iter();
            $(let $argument = <$kinds::$kind<Moving>>::read(x);)+
            written::<Moving, $kinds::$result<Moving>>(generic($($argument),+))
        };
        Way { dual: Some(dual), ..way!($name, $function, $kinds($($argument: $kind),+) -> $result) }
    }};
}

/// One of the functions of an operation.
macro_rules! function {
    ($name:ident[$($generics:tt)*] of $number:ident, $kinds:ident($($argument:ident: $kind:ident),+) -> $result:ident $body:tt) => {
        #[reversible]
        fn $name<$($generics)*>($($argument: $kinds::$kind<$number>),+) -> $kinds::$result<$number> $body
    };
}

/// Operations: their arguments, their value on floats, then on any number where `num_complex` writes it, then on pairs.
macro_rules! operations {
    ($(fn $name:ident $arguments:tt -> $result:ident $concrete:tt $(generic $generic:tt)? pairs $pairs:tt)*) => {$(
        mod $name {
            use super::*;

            function!(concrete[] of f64, of_complex $arguments -> $result $concrete);
            $(function!(generic[T: Real + NumAssign] of T, of_complex $arguments -> $result $generic);)?
            function!(paired[T: Real] of T, of_pairs $arguments -> $result $pairs);

            fn ways() -> Vec<Way> {
                vec![
                    way!("Complex<f64>", concrete, of_complex $arguments -> $result),
                    $(operations!(@ $generic generic_way!("Complex<T>", generic, of_complex $arguments -> $result)),)?
                    generic_way!("pairs", paired, of_pairs $arguments -> $result),
                ]
            }

            proptest! {
                #[test]
                fn agrees(x in point(), direction in direction(), seed in seed()) {
                    agree(stringify!($name), &ways(), &x, &direction, &seed);
                }
            }
        }
    )*};
    (@ $generic:tt $($way:tt)+) => { $($way)+ };
}

/// Two complex numbers that are away from the axes, where the branch cuts are, or two positive real numbers and one of these.
fn point() -> impl Strategy<Value = [f64; 4]> {
    let part = || (prop::bool::ANY, 0.15..1.8).prop_map(|(negative, x): (bool, f64)| if negative { -x } else { x });
    [part(), part(), part(), part()]
}

fn direction() -> impl Strategy<Value = [f64; 4]> {
    [-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0]
}

fn seed() -> impl Strategy<Value = [f64; 2]> {
    [-1.0..1.0, -1.0..1.0]
}

operations! {
    fn add(z: C, w: C) -> C { z + w } generic { z + w } pairs { pairs::add(z, w) }
    fn sub(z: C, w: C) -> C { z - w } generic { z - w } pairs { pairs::sub(z, w) }
    fn mul(z: C, w: C) -> C { z * w } generic { z * w } pairs { pairs::mul(z, w) }
    fn div(z: C, w: C) -> C { z / w } generic { z / w } pairs { pairs::div(z, w) }
    fn fdiv(z: C, w: C) -> C { z.fdiv(w) } pairs { pairs::div(z, w) }
    fn neg(z: C) -> C { -z } generic { -z } pairs { pairs::neg(z) }
    fn mul_self(z: C) -> C { z * z } generic { z * z } pairs { pairs::square(z) }
    fn divided_constant(z: C) -> C { Complex::new(0.3, 0.8) / z } generic { Complex::new(0.3, 0.8) / z }
        pairs { pairs::div([0.3, 0.8], z) }
    fn divided_one(z: C) -> C { 1.0 / z } pairs { pairs::recip(z) }
    fn conj(z: C) -> C { z.conj() } generic { z.conj() } pairs { pairs::conj(z) }
    fn conj_of_product(z: C, w: C) -> C { (z * w).conj() * z } generic { (z * w).conj() * z }
        pairs { pairs::mul(pairs::conj(pairs::mul(z, w)), z) }

    fn inv(z: C) -> C { z.inv() } generic { z.inv() } pairs { pairs::recip(z) }
    fn finv(z: C) -> C { z.finv() } pairs { pairs::recip(z) }
    fn recip(z: C) -> C { z.recip() } generic { z.recip() } pairs { pairs::recip(z) }
    fn square(z: C) -> C { z.square() } generic { z.square() } pairs { pairs::square(z) }
    fn cube(z: C) -> C { z.cube() } generic { z.cube() } pairs { pairs::cube(z) }
    fn powi(z: C) -> C { z.powi(3) } generic { z.powi(3) } pairs { pairs::cube(z) }
    fn powi_below(z: C) -> C { z.powi(-3) } generic { z.powi(-3) } pairs { pairs::recip(pairs::cube(z)) }
    fn powi_zero(z: C) -> C { z.powi(0) * z } generic { z.powi(0) * z } pairs { z }
    fn powu(z: C) -> C { z.powu(3) } generic { z.powu(3) } pairs { pairs::cube(z) }
    fn powf(z: C, t: R) -> C { z.powf(t) } generic { z.powf(t) } pairs { pairs::powf(z, t) }
    fn powc(z: C, w: C) -> C { z.powc(w) } generic { z.powc(w) } pairs { pairs::powc(z, w) }
    fn expf(z: C, t: R) -> C { z.expf(t.abs()) } generic { z.expf(t.abs()) } pairs { pairs::expf(z, t.abs()) }
    fn log(z: C, t: R) -> C { z.log(t.abs() + 2.0) } generic { z.log(t.abs() + 2.0) } pairs { pairs::log(z, t.abs() + 2.0) }
    fn exp(z: C) -> C { z.exp() } generic { z.exp() } pairs { pairs::exp(z) }
    fn exp2(z: C) -> C { z.exp2() } generic { z.exp2() } pairs { pairs::exp2(z) }
    fn ln(z: C) -> C { z.ln() } generic { z.ln() } pairs { pairs::ln(z) }
    fn log2(z: C) -> C { z.log2() } generic { z.log2() } pairs { pairs::log2(z) }
    fn log10(z: C) -> C { z.log10() } generic { z.log10() } pairs { pairs::log10(z) }
    fn sqrt(z: C) -> C { z.sqrt() } generic { z.sqrt() } pairs { pairs::sqrt(z) }
    fn cbrt(z: C) -> C { z.cbrt() } generic { z.cbrt() } pairs { pairs::cbrt(z) }
    fn sin(z: C) -> C { z.sin() } generic { z.sin() } pairs { pairs::sin(z) }
    fn cos(z: C) -> C { z.cos() } generic { z.cos() } pairs { pairs::cos(z) }
    fn tan(z: C) -> C { z.tan() } generic { z.tan() } pairs { pairs::tan(z) }
    fn asin(z: C) -> C { z.asin() } generic { z.asin() } pairs { pairs::asin(z) }
    fn acos(z: C) -> C { z.acos() } generic { z.acos() } pairs { pairs::acos(z) }
    fn atan(z: C) -> C { z.atan() } generic { z.atan() } pairs { pairs::atan(z) }
    fn sinh(z: C) -> C { z.sinh() } generic { z.sinh() } pairs { pairs::sinh(z) }
    fn cosh(z: C) -> C { z.cosh() } generic { z.cosh() } pairs { pairs::cosh(z) }
    fn tanh(z: C) -> C { z.tanh() } generic { z.tanh() } pairs { pairs::tanh(z) }
    fn asinh(z: C) -> C { z.asinh() } generic { z.asinh() } pairs { pairs::asinh(z) }
    fn acosh(z: C) -> C { z.acosh() } generic { z.acosh() } pairs { pairs::acosh(z) }
    fn atanh(z: C) -> C { z.atanh() } generic { z.atanh() } pairs { pairs::atanh(z) }

    fn norm(z: C) -> R { z.norm() } generic { z.norm() } pairs { pairs::norm(z) }
    fn norm_sqr(z: C) -> R { z.norm_sqr() } generic { z.norm_sqr() } pairs { pairs::norm_sqr(z) }
    fn l1_norm(z: C) -> R { z.l1_norm() } pairs { pairs::l1_norm(z) }
    fn arg(z: C) -> R { z.arg() } generic { z.arg() } pairs { pairs::arg(z) }
    fn to_polar(z: C) -> Polar { z.to_polar() } generic { z.to_polar() } pairs { pairs::to_polar(z) }
    fn parts(z: C, w: C) -> R { (z * w).re * w.im } generic { (z * w).re * w.im } pairs { pairs::mul(z, w)[0] * w[1] }

    fn new(s: R, t: R) -> C { Complex::new(s * t, t) } generic { Complex::new(s * t, t) } pairs { [s * t, t] }
    fn literal(s: R, t: R) -> C { Complex { re: s, im: s * t } } generic { Complex { re: s, im: s * t } } pairs { [s, s * t] }
    fn from(t: R) -> C { Complex::from(t * t) } generic { Complex::from(t * t) } pairs { [t * t, 0.0] }
    fn cis(t: R) -> C { Complex::cis(t) } generic { Complex::<T>::cis(t) } pairs { [t.cos(), t.sin()] }
    fn from_polar(s: R, t: R) -> C { Complex::from_polar(s, t) } generic { Complex::<T>::from_polar(s, t) }
        pairs { pairs::from_polar(s, t) }

    fn scale(z: C, t: R) -> C { z.scale(t) } generic { z.scale(t) } pairs { pairs::scale(z, t) }
    fn unscale(z: C, t: R) -> C { z.unscale(t) } generic { z.unscale(t) } pairs { pairs::scale(z, t.recip()) }
    fn times_real(z: C, t: R) -> C { z * t } generic { z * t } pairs { pairs::scale(z, t) }
    fn real_times(t: R, z: C) -> C { t * z } pairs { pairs::scale(z, t) }
    fn times_constant(z: C) -> C { 3.0 * z * 2.0 } generic { z * 3.0 * 2.0 } pairs { pairs::scale(z, 6.0) }
    fn by_real(z: C, t: R) -> C { z / t } generic { z / t } pairs { pairs::scale(z, t.recip()) }
    fn constant_by_real(t: R) -> C { Complex::new(0.3, 0.8) / t } generic { Complex::new(0.3, 0.8) / t }
        pairs { [0.3 / t, 0.8 / t] }
    fn real_by(t: R, z: C) -> C { t / z } pairs { pairs::scale(pairs::recip(z), t) }
    fn plus_real(z: C, t: R) -> C { z + t } generic { z + t } pairs { pairs::shift(z, t) }
    fn real_minus(t: R, z: C) -> C { t - z } pairs { pairs::shift(pairs::neg(z), t) }
    fn minus_real(z: C, t: R) -> C { z - t } generic { z - t } pairs { pairs::shift(z, -t) }
    fn real_plus_constant(t: R) -> C { Complex::new(0.3, 0.8) + t } generic { Complex::new(0.3, 0.8) + t } pairs { [0.3 + t, 0.8] }
    fn norm_of_shifted(t: R) -> R { (Complex::new(0.3, 0.8) + t).norm() } generic { (Complex::new(0.3, 0.8) + t).norm() }
        pairs { pairs::norm([0.3 + t, 0.8]) }
    fn part_of_shifted(t: R) -> R { ((Complex::new(0.3, 0.8_f64) - t) * 2.0).re }
        generic { ((Complex::new(0.3, 0.8) - t) * 2.0).re } pairs { (0.3 - t) * 2.0 }

    fn times_call(z: C, t: R) -> C { z * pairs::norm([t, 2.0]) } generic { z * pairs::norm([t, 2.0]) }
        pairs { pairs::scale(z, pairs::norm([t, 2.0])) }
    fn times_length(z: C, w: C) -> C { z * w.norm() + w.arg() } generic { z * w.norm() + w.arg() }
        pairs { pairs::shift(pairs::scale(z, pairs::norm(w)), pairs::arg(w)) }
    fn shared_real(z: C, t: R) -> R { (z * (t * t).sin()).norm() + (t * t).sin() }
        generic { (z * (t * t).sin()).norm() + (t * t).sin() }
        pairs { pairs::norm(pairs::scale(z, (t * t).sin())) + (t * t).sin() }
    fn chosen(z: C, t: R) -> C { z * if t > 1.0 { t } else { t * t } } generic { z * if t > 1.0 { t } else { t * t } }
        pairs { pairs::scale(z, if t > 1.0 { t } else { t * t }) }
}
