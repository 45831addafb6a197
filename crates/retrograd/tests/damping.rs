//! Products whose lost bits are kept: undone bit for bit, with derivatives, and no more stored than is lost.

use retrograd::ops::damp;
use retrograd::{Dual, ErrorKind, Fixed, InformationBuffer, LogNumber, attempt, prelude::*};

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

    /// Above zero, and at most one; one out of four is near one.
    fn factor<const FRAC: u32>(&mut self) -> Fixed<FRAC> {
        let one = 1_u64 << FRAC;
        let below = self.bits() % one;
        let bits = match self.bits() % 4 {
            0 => one - (below >> 6),
            1 => (below >> (self.bits() % u64::from(FRAC))).max(1),
            _ => below.max(1),
        };
        Fixed::from_bits(bits as i64)
    }
}

const CASES: usize = 1_000_000;

fn each_product_is_undone<const FRAC: u32>(seed: u64) {
    let (random, mut lost) = (&mut Random(seed), InformationBuffer::new());
    for _ in 0..CASES {
        let (v, factor) = (random.fixed::<FRAC>(), random.factor::<FRAC>());
        let (mut w, before) = (v, lost.clone());
        damp(&mut w, factor, &mut lost);
        // Off by less than one unit; as floats, by their rounding too.
        let (exact, found) = (v.to_bits() as f64 * factor.to_f64(), w.to_bits() as f64);
        assert!((found - exact).abs() <= 1.0 + exact.abs() * 4e-16, "{v} * {factor} = {w}");
        let after = lost.clone();
        damp::uncall(&mut w, factor, &mut lost);
        assert!(w == v && lost == before, "{v} * {factor}");
        damp(&mut w, factor, &mut lost);
        assert_eq!(lost, after);
        // What is left in the buffer is random; it does not grow without end.
        if lost.bits() > 400.0 {
            lost = InformationBuffer::new();
        }
    }
}

#[test]
fn a_million_products_are_undone_bit_for_bit() {
    each_product_is_undone::<32>(1);
    each_product_is_undone::<48>(2);
    each_product_is_undone::<62>(3);
    each_product_is_undone::<1>(4);
}

#[test]
fn the_largest_and_the_smallest_numbers_fit() {
    let mut lost = InformationBuffer::new();
    let factors = [Fixed::<32>::EPSILON, Fixed::lit(0.3), Fixed::one() - Fixed::EPSILON, Fixed::one()];
    for (v, factor) in
        [Fixed::MIN, Fixed::MAX, Fixed::zero(), -Fixed::EPSILON].into_iter().flat_map(|v| factors.map(|f| (v, f)))
    {
        let mut w = v;
        damp(&mut w, factor, &mut lost);
        damp::uncall(&mut w, factor, &mut lost);
        assert!(w == v && lost.is_empty(), "{v} * {factor}");
    }
}

#[test]
fn many_products_in_a_row_are_undone_and_cost_what_they_lose() {
    let random = &mut Random(5);
    let start: Vec<Fixed<40>> = (0..17).map(|_| random.fixed()).collect();
    for steps in [10, 1000, CASES] {
        let (mut v, mut lost, mut information) = (start.clone(), InformationBuffer::new(), 0.0);
        let factors: Vec<Fixed<40>> = (0..steps).map(|_| random.factor()).collect();
        for (i, &factor) in factors.iter().enumerate() {
            damp(&mut v[i % 17], factor, &mut lost);
            information -= factor.to_f64().log2();
        }
        assert!((lost.bits() - information).abs() < 1e-6 * (1.0 + information), "{} for {information}", lost.bits());
        assert!(lost.bytes() as f64 <= information / 8.0 + 32.0);
        for (i, &factor) in factors.iter().enumerate().rev() {
            damp::uncall(&mut v[i % 17], factor, &mut lost);
        }
        assert_eq!(v, start);
        assert!(lost.is_empty());
    }
}

#[test]
fn one_factor_many_times_stores_its_logarithm_each_time() {
    for factor in [0.5, 0.9, 0.99, 0.999, 1.0 - 1e-6, 1.0].map(Fixed::<32>::lit) {
        let (mut v, mut lost, steps) = (Fixed::lit(123.456), InformationBuffer::new(), 20_000);
        let information = f64::from(steps) * -factor.to_f64().log2();
        for _ in 0..steps {
            damp(&mut v, factor, &mut lost);
            v += Fixed::lit(0.75);
        }
        assert!((lost.bits() - information).abs() < 1e-3, "{factor}: {} for {information}", lost.bits());
        for _ in 0..steps {
            v -= Fixed::lit(0.75);
            damp::uncall(&mut v, factor, &mut lost);
        }
        assert!(v == Fixed::lit(123.456) && lost.is_empty());
    }
}

#[test]
fn products_are_not_biased() {
    let (random, mut lost, factor) = (&mut Random(6), InformationBuffer::new(), Fixed::<32>::lit(0.7));
    let mut sum = 0.0;
    for _ in 0..CASES {
        let v = Fixed::from_bits(random.bits() as i64 >> 20);
        let mut w = v;
        damp(&mut w, factor, &mut lost);
        sum += w.to_bits() as f64 - v.to_bits() as f64 * factor.to_f64();
    }
    // Rounding down loses half a unit, and the digit that is added gains half a factor.
    let mean = sum / CASES as f64;
    assert!((mean - (0.7 - 1.0) / 2.0).abs() < 5e-3, "{mean}");
}

#[test]
fn bad_input_is_refused_in_every_build_and_changes_nothing() {
    let (mut v, mut lost) = (Fixed::<32>::lit(1.5), InformationBuffer::new());
    for factor in [0.0, -0.5, 1.5].map(Fixed::lit) {
        let error = attempt(|| damp(&mut v, factor, &mut lost)).unwrap_err();
        assert_eq!(
            (error.kind, &*error.variable, &*error.actual),
            (ErrorKind::FactorRange, "factor", &*factor.to_string())
        );
        assert_eq!(attempt(|| damp::uncall(&mut v, factor, &mut lost)).unwrap_err().kind, ErrorKind::FactorRange);
    }
    for factor in [0.0, -0.5, 1.5, f64::NAN, f64::INFINITY] {
        assert_eq!(attempt(|| damp(&mut 1.0, factor, &mut lost)).unwrap_err().kind, ErrorKind::FactorRange);
    }
    let (line, error) = (line!(), attempt(|| damp::uncall(&mut v, Fixed::lit(0.125), &mut lost)).unwrap_err());
    assert_eq!((error.kind, error.line, error.file), (ErrorKind::ForeignProduct, line, file!()));
    assert_eq!((&*error.variable, &*error.expected, &*error.actual), ("lost", "at least 3.000 bits", "0.000 bits"));
    assert!(v == Fixed::lit(1.5) && lost.is_empty());

    damp(&mut v, Fixed::lit(0.125), &mut lost);
    let (mut other, before) = (Fixed::<32>::MAX, lost.clone());
    let error = attempt(|| damp::uncall(&mut other, Fixed::lit(0.125), &mut lost)).unwrap_err();
    assert_eq!((error.kind, &*error.variable), (ErrorKind::ForeignProduct, "v"));
    assert!(other == Fixed::MAX && lost == before);
}

#[reversible]
fn swing<T: Real>(x: &mut [T], v: &mut [T], friction: T, lost: &mut InformationBuffer, steps: usize) {
    for _ in 0..steps {
        for i in 0..x.len() {
            damp(&mut v[i], friction, lost);
            v[i] -= (x[i] * friction).sin() * 0.1;
        }
        for i in 0..x.len() {
            x[i] += v[i] * 0.1;
        }
    }
}

/// All runs of `swing`, and what they leave.
fn runs<T: Real<Shadow = f64>>(same: impl Fn([T; 2], [T; 2]) -> bool) -> [Vec<f64>; 5] {
    let friction = T::lit(0.9);
    let start = ([0.3, -0.8].map(T::lit), [0.1, 0.6].map(T::lit));
    let ((mut x, mut v), mut lost) = (start, InformationBuffer::new());
    swing(&mut x, &mut v, friction, &mut lost, 20);
    let (end, full) = ((x, v), lost.clone());
    let values = [x, v].concat().into_iter().map(T::to_f64).collect();
    let (mut gx, mut gv, mut gf) = ([1.0, 0.5], [-0.5, 2.0], 0.25);
    swing::pullback((&mut x, &mut gx), (&mut v, &mut gv), (friction, &mut gf), &mut lost, 20);
    assert!(same(x, start.0) && same(v, start.1) && lost.is_empty());
    let pulled = [gx[0], gx[1], gv[0], gv[1], gf].to_vec();
    swing::unpullback((&mut x, &mut gx), (&mut v, &mut gv), (friction, &mut gf), &mut lost, 20);
    assert!(same(x, end.0) && same(v, end.1) && lost == full);
    let unpulled = [gx[0], gx[1], gv[0], gv[1], gf].to_vec();
    swing::uncall(&mut x, &mut v, friction, &mut lost, 20);
    assert!(same(x, start.0) && same(v, start.1) && lost.is_empty());
    let (mut dx, mut dv) = ([1.0, 0.5], [-0.5, 2.0]);
    swing::pushforward((&mut x, &mut dx), (&mut v, &mut dv), (friction, 1.0), &mut lost, 20);
    assert!(same(x, end.0) && same(v, end.1) && lost == full);
    let pushed = [dx, dv].concat();
    swing::unpushforward((&mut x, &mut dx), (&mut v, &mut dv), (friction, 1.0), &mut lost, 20);
    assert!(same(x, start.0) && same(v, start.1) && lost.is_empty());
    [values, pulled, unpulled, pushed, [dx, dv].concat()]
}

#[track_caller]
fn close(expected: &[f64], actual: &[f64], tolerance: f64) {
    let near = expected.iter().zip(actual).all(|(a, b)| (a - b).abs() <= tolerance * (1.0 + a.abs()));
    assert!(expected.len() == actual.len() && near, "expected {expected:?}, found {actual:?}");
}

#[test]
fn every_run_gives_the_values_back_and_has_the_derivatives_of_floats() {
    let near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    let floats = runs::<f64>(near);
    close(&floats[2], &[1.0, 0.5, -0.5, 2.0, 0.25], 1e-12);
    close(&floats[4], &[1.0, 0.5, -0.5, 2.0], 1e-12);
    // The pullback is the transpose of the pushforward, along one direction.
    let [_, pulled, _, pushed, _] = &floats;
    let (moved, by_friction) = ([1.0, 0.5, -0.5, 2.0], 1.0);
    let ahead: f64 = pushed.iter().zip(moved).map(|(a, b)| a * b).sum();
    let back: f64 = pulled.iter().zip(moved).map(|(a, b)| a * b).sum::<f64>() + (pulled[4] - 0.25) * by_friction;
    assert!((ahead - back).abs() < 1e-12);
    for (expected, actual) in floats.iter().zip(&runs::<Fixed<48>>(|a, b| a == b)) {
        close(expected, actual, 1e-11);
    }

    // Dual numbers know nothing of the rule.
    let number = |value| Dual::<f64, 1>::constant(value);
    let mut x = [Dual { re: 0.3, eps: [1.0] }, Dual { re: -0.8, eps: [0.5] }];
    let mut v = [Dual { re: 0.1, eps: [-0.5] }, Dual { re: 0.6, eps: [2.0] }];
    let friction = Dual { eps: [1.0], ..number(0.9) };
    swing(&mut x, &mut v, friction, &mut InformationBuffer::new(), 20);
    close(pushed, &[x[0].eps[0], x[1].eps[0], v[0].eps[0], v[1].eps[0]], 1e-13);
}

#[reversible(checks = "always")]
fn damped<T: Real>(x: T, factor: T, steps: usize) -> T {
    let mut y = x;
    let mut lost = InformationBuffer::new();
    for _ in 0..steps {
        damp(&mut y, factor, &mut lost);
    }
    y * y
}

#[test]
fn a_buffer_can_be_an_ancilla_and_second_derivatives_flow_past_it() {
    let (x, factor) = (1.7, 0.8);
    let expected = [(x * factor * factor * factor).powi(2), 2.0 * x * factor.powi(6), 6.0 * x * x * factor.powi(5)];
    let (value, by_x, by_factor) = damped::gradient(Fixed::<48>::lit(x), Fixed::lit(factor), 3);
    close(&expected, &[value.to_f64(), by_x, by_factor], 1e-13);
    let (_, _, hessian) = damped::hessian(Fixed::<48>::lit(x), Fixed::lit(factor), 3);
    let mixed = 12.0 * x * factor.powi(5);
    let second = [2.0 * factor.powi(6), mixed, mixed, 30.0 * x * x * factor.powi(4)];
    close(&second, &hessian.into_iter().map(Fixed::to_f64).collect::<Vec<_>>(), 1e-12);
}

#[test]
fn other_numbers_multiply_as_ever() {
    let (mut x, mut lost) = (LogNumber::<Fixed<48>>::lit(1.5), InformationBuffer::new());
    damp(&mut x, LogNumber::lit(0.5), &mut lost);
    assert!(lost.is_empty() && (x.to_f64() - 0.75).abs() < 1e-14);
    damp::uncall(&mut x, LogNumber::lit(0.5), &mut lost);
    assert_eq!(x, LogNumber::lit(1.5));
}
