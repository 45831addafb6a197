//! A unitary matrix as a product of rotations.

use super::Number;

/// Multiplies a vector by the matrix, as [`umm`](crate::programs::umm::umm()) does.
#[inline]
pub fn umm<N: Number>(x: &mut [N], theta: &[N]) {
    let mut angles = theta.iter();
    for j in 0..x.len() {
        for i in (j..x.len() - 1).rev() {
            let (sin, cos) = angles.next().expect("an angle for each pair").sin_cos();
            (x[i], x[i + 1]) = (cos * x[i] - sin * x[i + 1], sin * x[i] + cos * x[i + 1]);
        }
    }
}
