//! The QR decomposition by the method of Gram and Schmidt.

use super::Number;
use super::matvec::{axpy, dot, norm};

/// The columns of both factors, as [`qr`](crate::programs::qr::qr()) adds them.
#[inline]
pub fn qr<N: Number, const R: usize, const C: usize>(a: &[[N; R]; C]) -> ([[N; R]; C], [[N; C]; C]) {
    let (mut q, mut r) = (*a, [[N::constant(0.0); C]; C]);
    for (j, r) in r.iter_mut().enumerate() {
        let (before, rest) = q.split_at_mut(j);
        for (r, column) in r.iter_mut().zip(before) {
            *r = dot(column, &rest[0]);
            axpy(&mut rest[0], -*r, column);
        }
        r[j] = norm(&rest[0]);
        rest[0] = rest[0].map(|x| x / r[j]);
    }
    (q, r)
}
