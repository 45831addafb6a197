//! Functions that choose one of their arguments, or its sign.

use super::{family, integers};
use crate::Real;

family! {
    /// The rules of comparisons.
    Comparison:
    /// `x.max(o)` with respect to `x`, which wins a tie.
    d_max_0(x, o) = x.select_less(o, T::zero(), unless_nan(x, o));
    /// `x.max(o)` with respect to `o`.
    d_max_1(x, o) = T::one() - d_max_0(x, o);
    /// `x.min(o)` with respect to `x`, which wins a tie.
    d_min_0(x, o) = o.select_less(x, T::zero(), unless_nan(x, o));
    /// `x.min(o)` with respect to `o`.
    d_min_1(x, o) = T::one() - d_min_0(x, o);
    /// `x.clamp(lo, hi)` with respect to `x`, which counts at a bound.
    d_clamp_0(x, lo, hi) = x.select_less(lo, T::zero(), hi.select_less(x, T::zero(), T::one()));
    /// `x.clamp(lo, hi)` with respect to `lo`.
    d_clamp_1(x, lo, hi) = {
        let _ = hi;
        x.select_less(lo, T::one(), T::zero())
    };
    /// `x.clamp(lo, hi)` with respect to `hi`.
    d_clamp_2(x, lo, hi) = {
        let _ = lo;
        hi.select_less(x, T::one(), T::zero())
    };
}

integers! {
    Comparison:
    d_max_0(x, o) d_max_1(x, o) d_min_0(x, o) d_min_1(x, o)
    d_clamp_0(x, lo, hi) d_clamp_1(x, lo, hi) d_clamp_2(x, lo, hi)
}

/// One, for what is not less than `o`; but zero if that is because it is NaN, and `o` is not.
#[inline(always)]
fn unless_nan<T: Real>(x: T, o: T) -> T {
    x.select_equal(x, T::one(), o.select_equal(o, T::zero(), T::one()))
}
