//! The fast Fourier transform.

use std::f64::consts::PI;

use super::Number;

/// Replaces numbers by their Fourier transform, as [`fft`](crate::programs::fft::fft()) does.
#[inline]
pub fn fft<N: Number>(re: &mut [N], im: &mut [N]) {
    let n = re.len();
    let mut j = 0;
    for i in 1..n {
        // Adds one to `j` from its highest bit on.
        let mut bit = n / 2;
        while j & bit != 0 {
            j ^= bit;
            bit /= 2;
        }
        j ^= bit;
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    let mut half = 1;
    while half < n {
        for start in (0..n).step_by(2 * half) {
            for k in 0..half {
                let (sin, cos) = (-PI * k as f64 / half as f64).sin_cos();
                let (a, b) = (start + k, start + k + half);
                let (x, y) = (re[b] * cos - im[b] * sin, re[b] * sin + im[b] * cos);
                (re[b], im[b]) = (re[a] - x, im[a] - y);
                (re[a], im[a]) = (re[a] + x, im[a] + y);
            }
        }
        half *= 2;
    }
}
