//! Complex numbers of other numbers, second derivatives, and edges.

use num_complex::{Complex, ComplexFloat};
use proptest::prelude::*;
use retrograd::numbers::{Gradient, NumAssign};
use retrograd::{Dual, Fixed, Seeds, Taylor, Traced, prelude::*, trace};

use super::laws::{self, laws};

/// The energy of complex numbers: a real function of their parts, with complex insides.
#[reversible]
fn energy<T: Real + NumAssign>(x: &[T]) -> T {
    let z = Complex::new(x[0], x[1]);
    let w = Complex::new(x[2], 0.5) * x[1];
    ((z * w).sin() + z.ln() / w.sqrt()).norm_sqr() + z.arg() * w.powf(x[0]).re
}

#[reversible]
fn of_complex<T: Real + NumAssign>(z: &[Complex<T>], t: T) -> T {
    (z[0] * z[1].conj() + z[1].exp() * t).norm()
}

fn part() -> impl Strategy<Value = f64> {
    (prop::bool::ANY, 0.2..1.5).prop_map(|(negative, x): (bool, f64)| if negative { -x } else { x })
}

/// The gradient by dual numbers.
fn by_duals(x: &[f64], f: impl Fn(&[Dual<f64, 1>]) -> Dual<f64, 1>) -> Vec<f64> {
    let along = |i| x.iter().enumerate().map(|(k, &x)| Dual { re: x, eps: [if i == k { 1.0 } else { 0.0 }] }).collect();
    (0..x.len()).map(|i| f(&Vec::from_iter::<Vec<_>>(along(i))).eps[0]).collect()
}

fn close(a: &[f64], b: &[f64]) -> bool {
    let size = a.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * size)
}

proptest! {
    #[test]
    fn gradients_and_hessians_agree_with_dual_numbers(x in [part(), part(), part()]) {
        let (value, gradient, hessian) = energy::hessian(&x);
        prop_assert!(close(&[energy(&x)], &[value]));
        prop_assert!(close(&energy::gradient(&x).1, &gradient));
        prop_assert!(close(&by_duals(&x, energy), &gradient));
        for i in 0..3 {
            let row = by_duals(&x, |x| energy::gradient(x).1[i]);
            prop_assert!(close(&row, &hessian[3 * i..3 * i + 3]), "{row:?} {hessian:?}");
        }
        let d = [0.3, -0.7, 0.2];
        let (_, slope, product) = energy::hvp((&x, &d));
        let expected: Vec<f64> = hessian.chunks(3).map(|row| row.iter().zip(d).map(|(h, d)| h * d).sum()).collect();
        prop_assert!(close(&expected, &product));
        prop_assert!(close(&[gradient.iter().zip(d).map(|(g, d)| g * d).sum()], &[slope]));
    }

    #[test]
    fn hessians_by_complex_arguments_are_those_of_their_parts(x in [part(), part(), part(), part()], t in part()) {
        let z = [Complex::new(x[0], x[1]), Complex::new(x[2], x[3])];
        let (_, gradient, hessian) = of_complex::hessian(&z, t);
        let lifted = |x: &[Dual<f64, 1>]| {
            let (_, gz, gt) = of_complex::gradient(&[Complex::new(x[0], x[1]), Complex::new(x[2], x[3])], x[4]);
            [gz[0].re, gz[0].im, gz[1].re, gz[1].im, gt]
        };
        let x = [x[0], x[1], x[2], x[3], t];
        let (_, gz, gt) = of_complex::gradient(&z, t);
        prop_assert!(close(&[gz[0].re, gz[0].im, gz[1].re, gz[1].im, gt], &gradient));
        for i in 0..5 {
            let row = by_duals(&x, |x| lifted(x)[i]);
            prop_assert!(close(&row, &hessian[5 * i..5 * i + 5]), "{row:?} {hessian:?}");
        }
    }

    #[test]
    fn other_numbers_can_be_the_parts(x in [part(), part(), part()]) {
        let gradient = energy::gradient(&x).1;
        let graph = trace(&x, |x: &[Traced]| energy(x));
        prop_assert!(close(&gradient, &graph.gradient()));
        let line: Vec<_> = x.iter().map(|&x| Taylor::<f64, 1>::line(x, 1.0)).collect();
        prop_assert!(close(&[gradient.iter().sum()], &[energy(&line).derivative(1)]));
    }

    /// Fixed-point parts come back bit for bit, and their shadows are floats.
    #[test]
    fn sums_of_fixed_point_numbers_are_undone_exactly(z in [part(), part()], w in [part(), part()]) {
        let [z, w] = [z, w].map(|x| Complex::new(Fixed::<40>::lit(x[0]), Fixed::<40>::lit(x[1])));
        let mut moved = z;
        drift(&mut moved, w);
        drift::uncall(&mut moved, w);
        prop_assert_eq!(moved, z);
        let (mut gz, mut gw) = (Complex::new(1.0, 0.0), Complex::new(0.0, 0.0));
        drift(&mut moved, w);
        drift::pullback((&mut moved, &mut gz), (w, &mut gw));
        prop_assert_eq!(moved, z);
        let slope = 2.0 * Complex::new(w.re.to_f64(), w.im.to_f64());
        prop_assert!((gw - slope.conj()).norm() < 1e-9);
    }
}

#[reversible]
fn drift<T: Real + NumAssign>(z: &mut Complex<T>, w: Complex<T>) {
    *z += w * w;
}

#[reversible]
fn product(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> {
    z * w
}

/// Several adjoints in one sweep.
#[test]
fn seeds_go_through_complex_numbers() {
    let (z, w) = (Complex::new(0.3, 0.4), Complex::new(-0.5, 1.2));
    let one = |g| Complex { re: Seeds([g, 0.0]), im: Seeds([0.0, g]) };
    let sweep = retrograd::private::Sweep::<Seeds<f64, 2>>::new();
    let mut grad = [one(0.0), one(0.0)];
    let [gz, gw] = &mut grad;
    product::__pullback(sweep, z, gz, w, gw, one(1.0));
    assert_eq!((grad[0].re, grad[0].im), (Seeds([w.re, w.im]), Seeds([-w.im, w.re])));
    assert_eq!((grad[1].re, grad[1].im), (Seeds([z.re, z.im]), Seeds([-z.im, z.re])));
}

/// A holomorphic function of one's own: its derivative is a complex number.
#[primitive(d_z = z.exp() * (z + 1.0))]
fn lambert(z: Complex<f64>) -> Complex<f64> {
    z * z.exp()
}

/// A complex function of a real number.
#[primitive(d_t = Complex::new(1.0, 2.0 * t))]
fn parabola(t: f64) -> Complex<f64> {
    Complex::new(t, t * t)
}

/// A real function of a complex number: its derivative is a gradient.
#[primitive(d_z = Gradient(Complex::new(z.im, z.re)))]
fn area(z: Complex<f64>) -> f64 {
    z.re * z.im
}

/// `abs`, which another trait has for what is called `norm` here.
#[reversible]
fn magnitude(z: Complex<f64>, w: Complex<f64>) -> Complex<f64> {
    (z * w).abs() * w + z.abs() + (z.re + Complex::new(0.3, 0.8)).abs()
}

#[bijection(inverse = Complex::new((z.re - 1.0) / 2.0, z.im / 2.0), d = Complex::new(2.0, 0.0 * z.re))]
fn doubled(z: Complex<f64>) -> Complex<f64> {
    z * 2.0 + 1.0
}

#[reversible]
fn with_primitives(z: &mut Complex<f64>, w: Complex<f64>, t: f64) {
    *z += lambert(w) * parabola(t) * area(w * t);
    *z = doubled(*z);
    *z *= lambert(w);
}

#[test]
fn primitives_and_bijections_of_complex_numbers() {
    let (z, w) = (Complex::new(0.3, 0.4), Complex::new(-0.5, 1.2));
    laws!(with_primitives(&mut z = z, w = w, t = 0.7));
    laws!(fn magnitude(z = z, w = w));
}

#[reversible]
fn gaussian(z: &mut Complex<i64>, w: Complex<i64>, n: usize) {
    for _ in 0..n {
        *z += w * Complex::new(2, 3) - w;
    }
}

#[test]
fn gaussian_integers_have_no_derivative_and_come_back() {
    let mut z = Complex::new(5, -7);
    gaussian(&mut z, Complex::new(1, 2), 3);
    assert_eq!(z, Complex::new(5 + 3 * -5, -7 + 3 * 5));
    gaussian::uncall(&mut z, Complex::new(1, 2), 3);
    assert_eq!(z, Complex::new(5, -7));
}
