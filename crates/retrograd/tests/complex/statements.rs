//! Statements on complex numbers, alone and in slices, arrays, structs and stacks.

use num_complex::{Complex, Complex64};
use retrograd::numbers::NumAssign;
use retrograd::{ErrorKind, Stack, attempt, prelude::*};

use super::laws::{self, laws};

type Z = Complex<f64>;

fn z(re: f64, im: f64) -> Z {
    Complex::new(re, im)
}

#[reversible]
fn sums<T: Real + NumAssign>(z: &mut Complex<T>, w: Complex<T>, t: T) {
    *z += w * t;
    *z -= w.exp();
    *z += t;
    *z -= t.sin();
    z.re += w.norm();
    z.im -= w.re * t;
    *z = -*z;
}

#[reversible]
fn products<T: Real + NumAssign>(z: &mut Complex<T>, w: Complex<T>, t: T) {
    *z *= w;
    *z /= w + t;
    *z *= t;
    *z /= t.exp();
    *z *= Complex::<T>::cis(t);
    *z *= 2.0;
    *z /= Complex::new(2.0, 1.0);
}

#[reversible]
fn on_floats(z: &mut Complex<f64>, w: &Complex<f64>, t: f64) {
    *z *= w;
    *z *= &t;
    *z /= 2.0 * w * t;
    *z *= Complex::cis(t);
    z.re *= 1.5;
}

#[reversible]
fn bijections<T: Real + NumAssign>(z: &mut Complex<T>) {
    *z = z.conj();
    *z = z.exp();
    *z = z.recip();
    *z = z.sinh();
    *z = z.tanh();
}

#[reversible]
fn inverse_bijections<T: Real + NumAssign>(z: &mut Complex<T>) {
    *z = z.ln();
    *z = z.asinh();
    *z = z.atanh();
}

#[reversible]
fn exchanged<T: Real + NumAssign>(z: &mut Complex<T>, w: &mut Complex<T>, t: T) {
    swap(z, w);
    rotate(&mut z.re, &mut z.im, t);
    rotate(&mut z.re, &mut w.im, t * t);
    swap(&mut z.im, &mut w.re);
}

/// `z` turned by an angle: by rotation, or by a factor of length one.
#[reversible]
fn turned(z: &mut Complex64, angle: f64) {
    rotate(&mut z.re, &mut z.im, angle);
}

#[reversible]
fn turned_by_factor(z: &mut Complex64, angle: f64) {
    *z *= Complex64::cis(angle);
}

#[test]
fn statements_keep_the_laws() {
    laws!(sums(&mut a = z(0.3, -0.7), w = z(0.5, 0.2), t = 1.3));
    laws!(products(&mut a = z(0.3, -0.7), w = z(0.5, 0.2), t = 1.3));
    laws!(on_floats(&mut a = z(0.3, -0.7), &w = z(0.5, 0.2), t = 1.3));
    laws!(bijections(&mut a = z(0.3, -0.7)));
    laws!(inverse_bijections(&mut a = z(1.3, -0.7)));
    laws!(exchanged(&mut a = z(1.3, -0.7), &mut b = z(0.1, 0.9), t = 0.4));
    laws!(turned(&mut a = z(1.3, -0.7), t = 0.4));
    laws!(turned_by_factor(&mut a = z(1.3, -0.7), t = 0.4));
}

#[test]
fn a_rotation_is_a_factor_of_length_one() {
    let (mut a, mut b) = (z(1.3, -0.7), z(1.3, -0.7));
    turned(&mut a, 0.4);
    turned_by_factor(&mut b, 0.4);
    assert!((a - b).norm() < 1e-15);
}

/// A state with complex numbers in it.
#[derive(Active, Clone, Debug, PartialEq)]
struct Mode<T> {
    amplitude: Complex<T>,
    rate: T,
    history: Vec<Complex<T>>,
}

impl<T: retrograd::check::Compare> retrograd::check::Compare for Mode<T> {
    fn compare(&self, actual: &Self, report: &mut retrograd::check::Report) {
        report.field("amplitude", &self.amplitude, &actual.amplitude);
        report.field("rate", &self.rate, &actual.rate);
        report.field("history", &self.history, &actual.history);
    }
}

#[reversible]
fn step<T: Real + NumAssign>(mode: &mut Mode<T>, drive: &[Complex<T>], phases: &[T; 2]) {
    for i in 0..drive.len() {
        mode.amplitude += drive[i] * phases[0];
        mode.amplitude *= Complex::<T>::cis(phases[1]) * 0.9;
        mode.history[i] += mode.amplitude * mode.rate;
    }
    mode.rate += drive[0].norm_sqr();
    for (past, given) in mode.history.iter_mut().zip(drive.iter()) {
        *past -= *given * 0.5;
    }
}

#[reversible]
fn butterfly<T: Real + NumAssign>(x: &mut [Complex<T>], twiddle: Complex<T>) {
    x[1] *= twiddle;
    x[0] += x[1];
    x[1] *= -2.0;
    x[1] += x[0];
    x.swap(0, 1);
}

#[reversible]
fn stored(stack: &mut Stack<Complex<f64>>, z: &mut Complex<f64>, w: Complex<f64>) {
    *z *= w;
    stack.push(z);
    *z += w;
}

#[reversible]
fn overlap(x: &[Complex<f64>], y: &[Complex<f64>]) -> Complex<f64> {
    let mut sum = Complex::new(0.0, 0.0);
    for i in 0..x.len() {
        sum += x[i].conj() * y[i];
    }
    sum
}

#[reversible]
fn fidelity<T: Real + NumAssign>(x: &[Complex<T>], y: &[Complex<T>]) -> T {
    let mut sum = Complex::new(0.0, 0.0);
    for i in 0..x.len() {
        sum += x[i].conj() * y[i];
    }
    sum.norm_sqr()
}

/// Real outside, complex inside.
#[reversible]
fn impedance<T: Real + NumAssign>(x: &[T]) -> T {
    let jw = Complex::new(0.0, x[3]);
    let branch = Complex::new(x[0], 0.0) + jw * x[1];
    (branch.inv() + jw * x[2]).inv().norm()
}

#[reversible]
fn total_power(x: &[Complex<f64>]) -> f64 {
    x.iter().map(|z| z.norm_sqr()).sum()
}

#[test]
fn complex_numbers_in_containers_keep_the_laws() {
    let mode = Mode { amplitude: z(0.4, 0.1), rate: 0.7, history: vec![z(0.2, -0.3), z(-0.6, 0.8)] };
    laws!(step(&mut mode = mode, &[drive] = vec![z(0.3, 0.5), z(-0.2, 0.9)], &phases = [0.6, 0.8]));
    laws!(butterfly(&mut [x] = vec![z(0.4, 0.1), z(0.2, -0.3)], twiddle = z(0.6, 0.8)));
    laws!(stored(&mut stack = Stack::new(), &mut a = z(0.4, 0.1), w = z(0.2, -0.3)));
    laws!(fn overlap(&[x] = vec![z(0.4, 0.1), z(0.2, -0.3)], &[y] = vec![z(0.6, 0.8), z(-0.5, 0.7)]));
    laws!(scalar fidelity(&[x] = vec![z(0.4, 0.1), z(0.2, -0.3)], &[y] = vec![z(0.6, 0.8), z(-0.5, 0.7)]));
    laws!(scalar impedance(&[x] = vec![0.3, 0.7, 0.2, 1.9]));
    laws!(scalar total_power(&[x] = vec![z(0.4, 0.1), z(0.2, -0.3)]));
}

#[test]
fn the_gradient_of_a_squared_length_is_twice_the_number() {
    let x = [z(0.4, 0.1), z(0.2, -0.3)];
    let (_, gradient) = total_power::gradient(&x);
    assert_eq!(gradient, x.map(|z| z * 2.0));
}

#[reversible(checks = "always")]
fn multiplied(y: &mut Complex<f64>, w: Complex<f64>) {
    *y *= w;
}

#[reversible(checks = "always")]
fn multiplied_by_real(y: &mut Complex<f64>, t: f64) {
    *y *= t;
}

#[reversible(checks = "always")]
fn exponential(y: &mut Complex<f64>) {
    *y = y.exp();
}

#[test]
fn a_factor_without_a_way_back_is_refused() {
    for w in [z(0.0, 0.0), z(-0.0, 0.0), z(f64::INFINITY, 0.0), z(1.0, f64::NAN)] {
        let error = attempt(|| multiplied(&mut z(1.0, 2.0), w)).unwrap_err();
        assert_eq!((error.kind, &*error.variable), (ErrorKind::ZeroFactor, "the factor"), "{w}");
        let error = attempt(|| multiplied::uncall(&mut z(1.0, 2.0), w)).unwrap_err();
        assert_eq!((error.kind, &*error.variable), (ErrorKind::ZeroFactor, "the divisor"), "{w}");
    }
    for t in [0.0, f64::NAN] {
        let error = attempt(|| multiplied_by_real(&mut z(1.0, 2.0), t)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::ZeroFactor, "{t}");
    }
    assert!(attempt(|| multiplied(&mut z(1.0, 2.0), z(0.0, 1e-200))).is_ok());
}

#[test]
fn squares_of_large_factors_do_not_overflow() {
    let mut y = z(1.0, 2.0);
    multiplied(&mut y, z(3e200, -4e200));
    multiplied::uncall(&mut y, z(3e200, -4e200));
    assert!((y - z(1.0, 2.0)).norm() < 1e-15, "{y}");
}

#[test]
fn an_exponential_comes_back_only_from_its_strip() {
    let mut y = z(0.3, 3.0);
    assert!(attempt(|| exponential(&mut y)).is_ok());
    let error = attempt(|| exponential(&mut z(0.3, 3.5))).unwrap_err();
    assert_eq!(error.kind, ErrorKind::RoundTrip);
}
