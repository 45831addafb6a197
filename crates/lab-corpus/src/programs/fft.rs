//! The fast Fourier transform, in place. Its inverse is the inverse transform.

use std::f64::consts::PI;

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// The index with the bits of `i` in reverse order, of as many bits as indices below `n` have.
fn bits_reversed(i: usize, n: usize) -> usize {
    if n == 1 { 0 } else { i.reverse_bits() >> (usize::BITS - n.ilog2()) }
}

/// Replaces `a` by `a` + `b` and `b` by `a` − `b`.
///
/// ```
/// use lab_corpus::programs::fft::butterfly;
///
/// let (mut a, mut b) = (5.0, 3.0);
/// butterfly(&mut a, &mut b);
/// assert_eq!((a, b), (8.0, 2.0));
/// butterfly::uncall(&mut a, &mut b);
/// assert_eq!((a, b), (5.0, 3.0));
/// ```
#[reversible]
pub fn butterfly<T: Real>(a: &mut T, b: &mut T) {
    *a += *b;
    *b *= -2.0;
    *b += *a;
}

/// Replaces n complex numbers x by their Fourier transform: number `k` becomes Σ x\[j\]·exp(−2πi·jk/n).
///
/// `re` and `im` are their real and imaginary parts, and n is a power of two. Run backwards, it is the inverse
/// transform, with the factor 1/n.
///
/// ```
/// use lab_corpus::programs::fft::fft;
///
/// let (mut re, mut im) = ([0.0, 1.0, 0.0, 0.0], [0.0; 4]);
/// fft(&mut re, &mut im);
/// let close = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
/// assert!(close(re, [1.0, 0.0, -1.0, 0.0]) && close(im, [0.0, -1.0, 0.0, 1.0]));
/// fft::uncall(&mut re, &mut im);
/// assert!(close(re, [0.0, 1.0, 0.0, 0.0]) && close(im, [0.0; 4]));
/// ```
#[reversible]
pub fn fft<T: Real>(re: &mut [T], im: &mut [T]) {
    let n = re.len();
    assert!(n.is_power_of_two() && im.len() == n, "a power of two of real and as many imaginary parts");
    for i in 0..n {
        let j = bits_reversed(i, n);
        if i < j {
            re.swap(i, j);
            im.swap(i, j);
        }
    }
    for level in 0..n.ilog2() {
        let half = 1_usize << level;
        for start in (0..n).step_by(2 * half) {
            for k in 0..half {
                let i = start + k;
                rotate(&mut re[i + half], &mut im[i + half], T::lit(-PI) * k as T / half as T);
                butterfly(&mut re[i], &mut re[i + half]);
                butterfly(&mut im[i], &mut im[i + half]);
            }
        }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "fft",
    about: "does a fast Fourier transform in place by rotations and butterflies; backwards, the inverse transform",
    source: fft::source,
    demo: || {
        Demo::new(
            ([1.0, 2.0, 3.0, 4.0], [0.0; 4]),
            |(re, im): &mut ([f64; 4], [f64; 4])| fft(re, im),
            |(re, im)| fft::uncall(re, im),
            |(re, im)| format!("re = {:?}, im = {:?}", rounded(re), rounded(im)),
        )
    },
};
