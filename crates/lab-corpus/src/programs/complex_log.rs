//! The logarithm of a complex number, with scratch memory for its magnitude.

use num_complex::Complex;
use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds the principal logarithm of `x` to `y`: `ln |x| + i arg x`.
///
/// The magnitude is an ancilla: it begins as zero, is computed, used, and gives itself back.
///
/// ```
/// use lab_corpus::programs::complex_log::complex_log;
/// use num_complex::Complex;
///
/// let (mut y, x) = (Complex::new(0.0, 0.0), Complex::new(0.0, 1.0_f64.exp()));
/// complex_log(&mut y, x);
/// assert_eq!(y, Complex::new(1.0, std::f64::consts::FRAC_PI_2));
/// complex_log::uncall(&mut y, x);
/// assert_eq!(y, Complex::new(0.0, 0.0));
/// ```
#[reversible]
pub fn complex_log<T: Real>(y: &mut Complex<T>, x: Complex<T>) {
    let mut magnitude = T::zero();
    magnitude += x.re.hypot(x.im);
    y.re += magnitude.ln();
    y.im += x.im.atan2(x.re);
}

pub(super) const ENTRY: Entry = Entry {
    name: "complex_log",
    about: "adds the logarithm of a complex number, with an ancilla for its magnitude",
    source: complex_log::source,
    demo: || {
        let x = Complex::new(3.0, 4.0);
        let on_parts = |program: fn(&mut Complex<f64>, Complex<f64>)| {
            move |parts: &mut [f64; 2]| {
                let mut y = Complex::new(parts[0], parts[1]);
                program(&mut y, x);
                *parts = [y.re, y.im];
            }
        };
        Demo::new([0.5, 0.0], on_parts(complex_log), on_parts(complex_log::uncall), |[re, im]| {
            format!("y = {re:.4} + {im:.4}i, x = {x}")
        })
    },
};
