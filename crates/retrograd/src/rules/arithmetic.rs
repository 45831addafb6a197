//! Division, powers and roots.

use super::{family, integers};

family! {
    /// The rules of division.
    Division:
    /// `x / b` with respect to `x`.
    d_div_0(b) = b.recip();
}

integers!(Division: d_div_0(b));

family! {
    /// The rules of remainders.
    Remainders:
    /// `x % m` with respect to `m`: minus the number of times that `m` was taken away, towards zero.
    d_rem_1(x, m) = -(x / m).trunc();
    /// `x.rem_euclid(m)` with respect to `m`: minus the number of times that `m` was taken away.
    d_rem_euclid_1(x, m) = ((x.rem_euclid(m) - x) / m).round();
}

integers!(Remainders: d_rem_1(x, m) d_rem_euclid_1(x, m));

family! {
    /// The rules of powers and roots.
    Powers:
    /// `x.recip()`, with the result `y`.
    d_recip(y) = -(y * y);
    /// `x.square()`.
    d_square(x) = x + x;
    /// `x.cube()`.
    d_cube(x) = T::lit(3.0) * (x * x);
    /// `x.sqrt()`, with the result `y`.
    // The root of −0 is −0, where the slope is +∞ as well.
    d_sqrt(y) = T::lit(0.5) / (y + T::zero());
    /// `x.cbrt()`, with the result `y`.
    d_cbrt(y) = (T::lit(3.0) * (y * y)).recip();
    /// `x.powi(n)`.
    d_powi(x, n: i32) = match n {
        // At 0, the general rule would be 0 · ∞.
        0 => T::zero(),
        i32::MIN => T::from_int(n) * (x.powi(n) / x),
        _ => T::from_int(n) * x.powi(n - 1),
    };
    /// `x.powf(exponent)` by the exponent, with the result `y`.
    // x^c ln x goes to 0 with x, for c > 0.
    d_powf_1(x, y) = {
        let slope = y * x.ln();
        x.select_equal(T::zero(), y.select_less(T::lit(f64::INFINITY), T::zero(), slope), slope)
    };
}

family! {
    /// The rules of lengths.
    Lengths:
    /// `x.hypot(o)` with respect to `x`, with the result `y`.
    d_hypot_0(x, y) = y.select_equal(T::zero(), T::zero(), x / y);
    /// `x.hypot(o)` with respect to `o`, with the result `y`.
    d_hypot_1(o, y) = y.select_equal(T::zero(), T::zero(), o / y);
}
