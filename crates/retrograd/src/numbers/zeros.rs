//! Zeros through and through.

use crate::Real;
use crate::check::{Tolerance, mismatches, with_tolerance};

/// Whether all of `x` is zero, and not only the value that `==` looks at: its checks compare everything.
#[cold]
pub(super) fn is_exactly_zero<T: Real>(x: T) -> bool {
    with_tolerance(Tolerance::EXACT, || mismatches(&T::zero(), &x).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dual;

    #[test]
    fn a_zero_that_changes_is_not_exactly_zero() {
        assert!(is_exactly_zero(0.0) && !is_exactly_zero(1e-300));
        assert!(is_exactly_zero(Dual::<f64, 2>::zero()));
        assert!(!is_exactly_zero(Dual::<f64, 2>::variable(0.0, 1)));
        assert!(!is_exactly_zero(Dual::<f64, 1>::new(0.0, [f64::NAN])));
    }
}
