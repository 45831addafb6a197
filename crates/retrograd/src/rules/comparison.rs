//! Functions that choose one of their arguments, or its sign.

use super::{family, integers};
use crate::Real;

family! {
    /// The rules of comparisons.
    Comparison:
    /// `x.abs()`.
    d_abs(x) = if x == T::zero() { T::zero() } else { x.signum() };
    /// `x.max(o)` by `x`, which a tie belongs to.
    d_max_0(x, o) = one_if(x >= o || is_nan(o));
    /// `x.max(o)` by `o`.
    d_max_1(x, o) = one_if(!(x >= o || is_nan(o)));
    /// `x.min(o)` by `x`, which a tie belongs to.
    d_min_0(x, o) = one_if(x <= o || is_nan(o));
    /// `x.min(o)` by `o`.
    d_min_1(x, o) = one_if(!(x <= o || is_nan(o)));
    /// `x.clamp(lo, hi)` by `x`, which the border belongs to.
    d_clamp_0(x, lo, hi) = one_if(!(x < lo || x > hi));
    /// `x.clamp(lo, hi)` by `lo`.
    d_clamp_1(x, lo, hi) = {
        let _ = hi;
        one_if(x < lo)
    };
    /// `x.clamp(lo, hi)` by `hi`.
    d_clamp_2(x, lo, hi) = {
        let _ = lo;
        one_if(x > hi)
    };
}

integers! {
    Comparison:
    d_abs(x) d_max_0(x, o) d_max_1(x, o) d_min_0(x, o) d_min_1(x, o)
    d_clamp_0(x, lo, hi) d_clamp_1(x, lo, hi) d_clamp_2(x, lo, hi)
}

#[inline(always)]
fn one_if<T: Real>(condition: bool) -> T {
    if condition { T::one() } else { T::zero() }
}

#[inline(always)]
fn is_nan<T: Real>(x: T) -> bool {
    x.partial_cmp(&x).is_none()
}
