//! Numbers that are exact: round trips bit for bit, accuracy, and derivatives in every run.

use retrograd::numbers::{Convert, convert};
use retrograd::ops::{dot, log_sum_exp, maximum, sum};
use retrograd::{ExactAdd, ExactMul, Fixed, LogNumber, prelude::*};

/// A generator of test values, of all sizes.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58476d1ce4e5b9);
        mixed ^ (mixed >> 32)
    }

    fn fixed<const FRAC: u32>(&mut self) -> Fixed<FRAC> {
        let size = self.bits() % 63;
        Fixed::from_bits(self.bits() as i64 >> size)
    }
}

const CASES: usize = 1_000_000;

fn added_and_taken_away<T: ExactAdd + PartialEq + std::fmt::Debug>(mut value: impl FnMut() -> T) {
    for _ in 0..CASES {
        let (y, e) = (value(), value());
        let mut z = y;
        z += e;
        z -= e;
        assert_eq!(z, y);
        z -= e;
        z += e;
        assert_eq!(z, y);
    }
}

#[test]
fn additions_are_undone_bit_for_bit() {
    let mut random = Random(1);
    added_and_taken_away(|| random.fixed::<32>());
    added_and_taken_away(|| random.fixed::<62>());
    added_and_taken_away(|| std::num::Wrapping(random.bits() as i64));
    added_and_taken_away(|| std::num::Wrapping(random.bits() as u8));
}

fn multiplied_and_divided<T: ExactMul + PartialEq + std::fmt::Debug>(mut value: impl FnMut() -> T) {
    for _ in 0..CASES {
        let (y, e) = (value(), value());
        let mut z = y;
        z *= e;
        z /= e;
        assert_eq!(z, y);
        z /= e;
        z *= e;
        assert_eq!(z, y);
    }
}

#[test]
fn products_of_logarithmic_numbers_are_undone_bit_for_bit() {
    let mut random = Random(2);
    multiplied_and_divided(|| {
        let magnitude = LogNumber::from_log2(random.fixed::<48>());
        if random.bits().is_multiple_of(2) { magnitude } else { -magnitude }
    });
    let (mut zero, factor) = (LogNumber::<Fixed<48>>::zero(), LogNumber::lit(0.3));
    zero *= factor;
    zero /= factor;
    assert_eq!(zero, LogNumber::zero());
}

/// Cases of what takes a microsecond when it is optimised.
const SLOW_CASES: usize = if cfg!(debug_assertions) { 20_000 } else { CASES };

#[test]
fn fixed_point_numbers_come_back_from_their_logarithms_bit_for_bit() {
    fn there_and_back<const F: u32, const L: u32>(random: &mut Random) {
        for _ in 0..SLOW_CASES {
            // Of any size up to 2^L.
            let size = 64 - random.bits() % u64::from(L);
            let x = Fixed::<F>::from_bits((random.bits() >> size.min(63)) as i64);
            let x = if random.bits().is_multiple_of(2) { x } else { -x };
            let logarithmic: LogNumber<Fixed<L>> = x.convert();
            assert_eq!(Convert::<Fixed<F>>::convert(logarithmic), x, "{logarithmic}");
        }
        for bits in [0, 1, -1, 2, 3, (1 << L) - 1, 1 << L, -(1 << L)] {
            let x = Fixed::<F>::from_bits(bits);
            assert_eq!(Convert::<Fixed<F>>::convert(Convert::<LogNumber<Fixed<L>>>::convert(x)), x);
        }
    }
    let mut random = Random(3);
    there_and_back::<16, 48>(&mut random);
    there_and_back::<32, 48>(&mut random);
    there_and_back::<32, 57>(&mut random);
    there_and_back::<0, 20>(&mut random);
}

#[test]
fn the_binary_logarithm_is_that_of_the_rounded_function() {
    let mut random = Random(4);
    for _ in 0..SLOW_CASES / 10 {
        let x = Fixed::<40>::from_bits(random.fixed::<40>().to_bits().saturating_abs().max(1));
        let bit_by_bit: LogNumber<Fixed<40>> = x.convert();
        let apart = bit_by_bit.log2_of_magnitude().unwrap() - x.log2();
        assert!(apart.abs() <= Fixed::EPSILON, "{x}: {apart}");
    }
}

#[test]
fn a_conversion_that_does_not_fit_says_so() {
    let large = LogNumber::<Fixed<48>>::lit(1e10);
    let message = std::panic::catch_unwind(|| Convert::<Fixed<32>>::convert(large)).unwrap_err();
    let message = message.downcast_ref::<String>().unwrap();
    assert!(message.contains("does not fit into Fixed<32>; choose fewer bits after the point"), "{message}");
    let small = LogNumber::<Fixed<48>>::lit(1e-30);
    assert_eq!(Convert::<Fixed<32>>::convert(small), Fixed::zero());
}

/// The functions of the table, by name.
fn function<const FRAC: u32>(name: &str, x: &[Fixed<FRAC>]) -> Fixed<FRAC> {
    macro_rules! by_name {
        ($($function:ident($($argument:expr),*))*) => {
            match name {
                "mul" => x[0] * x[1],
                "div" => x[0] / x[1],
                $(stringify!($function) => x[0].$function($($argument),*),)*
                _ => panic!("the table has a function `{name}`, which is not tried here"),
            }
        };
    }
    by_name! {
        sin() cos() tan() asin() acos() atan() atan2(x[1]) exp() exp2() exp_m1() ln() ln_1p() log2() log10() log(x[1])
        sqrt() cbrt() cube() square() recip() hypot(x[1]) powf(x[1]) sinh() cosh() tanh() asinh() acosh() atanh()
        to_degrees() to_radians() erf() gamma() lgamma()
    }
}

fn value_by_name(name: &str, frac: u32, bits: &[i64]) -> i64 {
    fn at<const FRAC: u32>(name: &str, bits: &[i64]) -> i64 {
        let arguments: Vec<Fixed<FRAC>> = bits.iter().map(|&bits| Fixed::from_bits(bits)).collect();
        function(name, &arguments).to_bits()
    }
    match frac {
        16 => at::<16>(name, bits),
        32 => at::<32>(name, bits),
        _ => at::<48>(name, bits),
    }
}

// The table is written by `scripts/fixed-reference`.
#[test]
fn functions_of_fixed_point_numbers_are_rounded_once() {
    let mut worst: std::collections::BTreeMap<(&str, u32), i128> = Default::default();
    for line in include_str!("numbers/fixed.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, frac, arguments, expected] = fields[..] else { panic!("{line}") };
        let bits: Vec<i64> = arguments.split(',').map(|bits| bits.parse().unwrap()).collect();
        let (frac, expected): (u32, i64) = (frac.parse().unwrap(), expected.parse().unwrap());
        let error = (i128::from(value_by_name(name, frac, &bits)) - i128::from(expected)).abs();
        let allowed = match name {
            "erf" => i128::from(frac > 45) * 2,
            "gamma" | "lgamma" => 1 + (expected.unsigned_abs() as f64 * 1e-14) as i128,
            _ => 0,
        };
        assert!(error <= allowed, "{line}: {error} units in the last place");
        let most = worst.entry((name, frac)).or_default();
        *most = error.max(*most);
    }
    assert_eq!(worst.len(), 35 * 3);
}

#[reversible]
fn swing<T: Real>(x: &mut [T], v: &mut [T], stiffness: T, steps: usize) {
    for _ in 0..steps {
        for i in 0..x.len() {
            v[i] -= (stiffness * x[i]).sin() * 0.1;
        }
        for i in 0..x.len() {
            x[i] += v[i] / (1.0 + v[i] * v[i]).sqrt() * 0.1;
        }
    }
}

#[reversible]
fn energy<T: Real>(x: &[T], scale: T) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += (x[i] * scale).cosh() + x[i].max(0.25) / scale;
    }
    sum.ln()
}

#[track_caller]
fn close(expected: &[f64], actual: &[f64], tolerance: f64) {
    let near = expected.iter().zip(actual).all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + a.abs()));
    assert!(expected.len() == actual.len() && near, "expected {expected:?}, found {actual:?}");
}

/// The four derivative runs of `swing` on numbers of type `T`, with what they leave.
fn runs<T: Real<Shadow = f64>>() -> [Vec<f64>; 5] {
    let stiffness = T::lit(1.5);
    let start = ([0.3, -0.8].map(T::lit), [0.1, 0.6].map(T::lit));
    let (mut x, mut v) = start;
    swing(&mut x, &mut v, stiffness, 20);
    let end = (x, v);
    let values = |x: [T; 2], v: [T; 2]| [x[0], x[1], v[0], v[1]].map(T::to_f64).to_vec();
    let found = values(x, v);
    let (mut gx, mut gv, mut gs) = ([1.0, 0.5], [-0.5, 2.0], 0.0);
    swing::pullback((&mut x, &mut gx), (&mut v, &mut gv), (stiffness, &mut gs), 20);
    let pulled = vec![gx[0], gx[1], gv[0], gv[1], gs];
    same(start, (x, v));
    swing::unpullback((&mut x, &mut gx), (&mut v, &mut gv), (stiffness, &mut gs), 20);
    let unpulled = vec![gx[0], gx[1], gv[0], gv[1], gs];
    same(end, (x, v));
    swing::uncall(&mut x, &mut v, stiffness, 20);
    same(start, (x, v));
    let (mut dx, mut dv) = ([1.0, 0.5], [-0.5, 2.0]);
    swing::pushforward((&mut x, &mut dx), (&mut v, &mut dv), (stiffness, 1.0), 20);
    let pushed = [dx, dv].concat();
    same(end, (x, v));
    swing::unpushforward((&mut x, &mut dx), (&mut v, &mut dv), (stiffness, 1.0), 20);
    same(start, (x, v));
    [found, pulled, unpulled, pushed, [dx, dv].concat()]
}

fn same<S: retrograd::check::Compare>(expected: S, actual: S) {
    assert!(retrograd::check::mismatches(&expected, &actual).is_empty());
}

#[test]
fn every_run_works_on_fixed_point_numbers_and_gives_the_values_back_bit_for_bit() {
    for (expected, actual) in runs::<f64>().iter().zip(&runs::<Fixed<48>>()) {
        close(expected, actual, 1e-12);
    }
}

#[test]
fn gradients_on_fixed_point_numbers_are_floating() {
    let (x, scale) = ([0.3, -0.8, 1.7], 0.7);
    let (value, by_x, by_scale) = energy::gradient(&x, scale);
    let (found, found_by_x, found_by_scale) = energy::gradient(&x.map(Fixed::<48>::lit), Fixed::lit(scale));
    close(&[value, by_scale], &[found.to_f64(), found_by_scale], 1e-13);
    close(&by_x, &found_by_x, 1e-13);
}

#[test]
fn ten_million_steps_come_back_exactly() {
    let steps = if cfg!(debug_assertions) { 20_000 } else { 10_000_000 };
    let (mut x, mut v) = ([Fixed::<32>::lit(0.7)], [Fixed::lit(0.0)]);
    spring(&mut x, &mut v, steps);
    assert_ne!(x, [Fixed::lit(0.7)]);
    spring::uncall(&mut x, &mut v, steps);
    assert_eq!((x, v), ([Fixed::lit(0.7)], [Fixed::lit(0.0)]));
}

#[reversible]
fn spring<T: Real + ExactAdd>(x: &mut [T], v: &mut [T], steps: usize) {
    for _ in 0..steps {
        v[0] -= x[0] * 0.01;
        x[0] += v[0] * 0.01;
    }
}

#[reversible]
fn compound<T: Real>(x: &mut [T], rate: T, steps: usize) {
    for _ in 0..steps {
        x[0] *= rate * x[1];
        x[1] /= x[0] * rate.sqrt();
        x[0] = -x[0];
    }
}

/// The four derivative runs of `compound` on numbers of type `T`, with what they leave.
fn products<T: Real<Shadow = f64>>() -> [Vec<f64>; 5] {
    let (start, rate) = ([0.9, -1.2].map(T::lit), T::lit(1.1));
    let mut x = start;
    compound(&mut x, rate, 4);
    let end = x;
    let (mut gx, mut grate) = ([1.0, -0.5], 0.25);
    compound::pullback((&mut x, &mut gx), (rate, &mut grate), 4);
    let pulled = vec![gx[0], gx[1], grate];
    same(start, x);
    compound::unpullback((&mut x, &mut gx), (rate, &mut grate), 4);
    let unpulled = vec![gx[0], gx[1], grate];
    same(end, x);
    compound::uncall(&mut x, rate, 4);
    same(start, x);
    let mut dx = [1.0, -0.5];
    compound::pushforward((&mut x, &mut dx), (rate, 1.0), 4);
    let pushed = dx.to_vec();
    same(end, x);
    compound::unpushforward((&mut x, &mut dx), (rate, 1.0), 4);
    same(start, x);
    [end.map(T::to_f64).to_vec(), pulled, unpulled, pushed, dx.to_vec()]
}

#[test]
fn every_run_works_on_logarithmic_numbers_and_gives_the_values_back_bit_for_bit() {
    let expected = products::<f64>();
    close(&expected[2], &[1.0, -0.5, 0.25], 1e-13);
    close(&expected[4], &[1.0, -0.5], 1e-13);
    for (expected, actual) in expected.iter().zip(&products::<LogNumber<Fixed<48>>>()) {
        close(expected, actual, 1e-11);
    }
    for (expected, actual) in expected.iter().zip(&products::<LogNumber<f64>>()) {
        close(expected, actual, 1e-11);
    }
}

#[test]
fn gradients_on_logarithmic_numbers_are_by_the_number_itself() {
    let (x, scale) = ([0.3, -0.8, 1.7], 0.7);
    let (value, by_x, by_scale) = energy::gradient(&x, scale);
    let (found, found_by_x, found_by_scale) =
        energy::gradient(&x.map(LogNumber::<Fixed<48>>::lit), LogNumber::lit(scale));
    close(&[value, by_scale], &[found.to_f64(), found_by_scale], 1e-11);
    close(&by_x, &found_by_x, 1e-11);
}

#[reversible]
fn into_logarithm<T: Real + Convert<L>, L: Real + Convert<T>>(x: &mut T, y: &mut L) {
    *y *= convert(*x);
    *x -= convert(*y);
}

#[test]
fn a_number_moves_into_its_logarithm_and_back_with_its_derivatives() {
    let start = (Fixed::<16>::lit(1.375), LogNumber::<Fixed<48>>::one());
    let (mut x, mut y) = start;
    into_logarithm(&mut x, &mut y);
    assert_eq!(x, Fixed::zero());
    close(&[1.375], &[y.to_f64()], 1e-14);
    let (mut gx, mut gy) = (0.5, 2.0);
    // x₁ = x₀ - x₀ y₀ and y₁ = x₀ y₀
    into_logarithm::pullback((&mut x, &mut gx), (&mut y, &mut gy));
    assert_eq!((x, y), start);
    close(&[2.0, 1.5 * 1.375], &[gx, gy], 1e-12);
    into_logarithm::unpullback((&mut x, &mut gx), (&mut y, &mut gy));
    close(&[0.5, 2.0], &[gx, gy], 1e-12);
    into_logarithm::uncall(&mut x, &mut y);
    let (mut dx, mut dy) = (1.0, 0.0);
    into_logarithm::pushforward((&mut x, &mut dx), (&mut y, &mut dy));
    close(&[0.0, 1.0], &[dx, dy], 1e-12);
    into_logarithm::unpushforward((&mut x, &mut dx), (&mut y, &mut dy));
    close(&[1.0, 0.0], &[dx, dy], 1e-12);
    assert_eq!((x, y), start);
}

#[derive(Active, Clone, Copy, Debug)]
struct Body<T> {
    position: [T; 2],
    mass: T,
}

#[reversible]
fn attraction<T: Real>(a: &Body<T>, b: &Body<T>) -> T {
    let distance = (a.position[0] - b.position[0]).hypot(a.position[1] - b.position[1]);
    a.mass * b.mass / distance
}

#[test]
fn structs_of_fixed_point_numbers_have_floating_gradients() {
    fn bodies<T: Real>() -> [Body<T>; 2] {
        let body = |x, y, mass| Body { position: [T::lit(x), T::lit(y)], mass: T::lit(mass) };
        [body(0.5, -1.0, 2.0), body(2.0, 1.0, 0.75)]
    }
    let ([a, b], [c, d]) = (bodies::<f64>(), bodies::<Fixed<48>>());
    let (value, by_a, by_b) = attraction::gradient(&a, &b);
    let (found, found_by_a, found_by_b): (Fixed<48>, Body<f64>, Body<f64>) = attraction::gradient(&c, &d);
    close(&[value], &[found.to_f64()], 1e-13);
    close(&by_a.flatten(), &found_by_a.flatten(), 1e-13);
    close(&by_b.flatten(), &found_by_b.flatten(), 1e-13);
}

#[reversible]
fn polar<T: Real>(x: T, y: T) -> (T, T) {
    (x.hypot(y), y.atan2(x))
}

#[reversible]
fn reduced<T: Real>(x: &[T], y: &[T]) -> T {
    dot(x, y) + log_sum_exp(x) * maximum(y) + sum(x)
}

#[test]
fn jacobians_and_reductions_work_on_exact_numbers() {
    let (_, expected) = polar::jacobian(0.6, -1.1);
    let (_, fixed) = polar::jacobian(Fixed::<48>::lit(0.6), Fixed::lit(-1.1));
    let (_, logarithmic) = polar::jacobian(LogNumber::<Fixed<48>>::lit(0.6), LogNumber::lit(-1.1));
    for (expected, (fixed, logarithmic)) in expected.iter().zip(fixed.iter().zip(&logarithmic)) {
        close(expected, fixed, 1e-13);
        close(expected, logarithmic, 1e-13);
    }
    let (x, y) = ([0.3, -0.7, 1.2], [0.5, 2.0, -1.0]);
    let (value, by_x, by_y) = reduced::gradient(&x, &y);
    let (found, found_by_x, found_by_y) = reduced::gradient(&x.map(Fixed::<48>::lit), &y.map(Fixed::lit));
    close(&[value], &[found.to_f64()], 1e-13);
    close(&by_x, &found_by_x, 1e-13);
    close(&by_y, &found_by_y, 1e-13);
}

#[test]
fn hessians_are_taken_in_the_numbers_themselves() {
    fn numbers<T: Real>((value, gradient, hessian): (T, Vec<T>, Vec<T>)) -> Vec<f64> {
        [vec![value], gradient, hessian].concat().into_iter().map(T::to_f64).collect()
    }
    let (x, scale) = ([0.3, -0.8], 0.7);
    let expected = numbers(energy::hessian(&x, scale));
    close(&expected, &numbers(energy::hessian(&x.map(Fixed::<48>::lit), Fixed::lit(scale))), 1e-12);
    close(&expected, &numbers(energy::hessian(&x.map(LogNumber::<Fixed<48>>::lit), LogNumber::lit(scale))), 1e-10);
}

#[reversible(checks = "always")]
fn scaled<T: Real>(out: &mut T, x: T, factor: T) {
    let mut y = x;
    y *= factor;
    *out += y;
    y /= factor;
    release!(y == x);
}

#[test]
fn a_product_that_lost_bits_is_found_by_the_checks() {
    fn run<T: Real>(factor: f64) -> Result<(), retrograd::ErrorKind> {
        let mut out = T::zero();
        retrograd::attempt(|| scaled(&mut out, T::lit(0.7), T::lit(factor))).map_err(|error| error.kind)
    }
    assert_eq!(run::<f64>(0.001), Ok(()));
    assert_eq!(run::<Fixed<32>>(2.0), Ok(()));
    assert_eq!(run::<Fixed<32>>(0.001), Err(retrograd::ErrorKind::Released));
    assert_eq!(run::<LogNumber<Fixed<32>>>(0.001), Ok(()));
}

/// A step of a pendulum, on one number type that is named.
#[reversible]
fn swing_fixed(x: &mut Fixed<32>, v: &mut Fixed<32>, k: Fixed<32>) {
    *v -= x.sin() * k;
    *x += *v * k;
}

/// A step of a pendulum, on any.
#[reversible]
fn swing_any<T: Real>(x: &mut T, v: &mut T, k: T) {
    *v -= x.sin() * k;
    *x += *v * k;
}

#[reversible]
fn squares(x: &[Fixed<32>], weight: Fixed<32>) -> Fixed<32> {
    let mut sum = Fixed::<32>::lit(0.0);
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum * weight + Fixed::lit(0.5)
}

#[test]
fn a_number_type_may_be_named_in_a_signature() {
    let [x, v, k] = [0.7, -0.2, 0.125].map(Fixed::<32>::lit);
    let (mut at, mut speed, mut gx, mut gv, mut gk) = (x, v, 1.0, 0.5, 0.0);
    swing_fixed(&mut at, &mut speed, k);
    swing_fixed::pullback((&mut at, &mut gx), (&mut speed, &mut gv), (k, &mut gk));
    assert_eq!((at, speed), (x, v));
    let (mut hx, mut hv, mut hk) = (1.0, 0.5, 0.0);
    swing_any(&mut at, &mut speed, k);
    swing_any::pullback((&mut at, &mut hx), (&mut speed, &mut hv), (k, &mut hk));
    assert_eq!((gx, gv, gk), (hx, hv, hk));
    let (value, by_x, by_weight) = squares::gradient(&[x, v], k);
    assert_eq!(value, (x * x + v * v) * k + Fixed::lit(0.5));
    assert_eq!((by_x, by_weight), (vec![2.0 * x.to_f64() * 0.125, 2.0 * v.to_f64() * 0.125], (x * x + v * v).to_f64()));
}
