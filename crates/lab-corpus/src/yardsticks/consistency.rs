//! The difference of exponentials that learning by consistency is shown with.

use super::Number;

/// exp(p + x) − exp(x), as [`consistency`](crate::programs::consistency::consistency()) adds it.
#[inline]
pub fn difference<N: Number>(x: N, p: N) -> N {
    (p + x).exp() - x.exp()
}
