//! Exact numbers with floating derivatives.

/// Makes the shadow of a number type an `f64`, in which rules compute as well, or a `Dual` for second derivatives:
/// `floating_derivatives! { [const FRAC: u32] Fixed<FRAC> }`.
macro_rules! floating_derivatives {
    ([$($generics:tt)*] $type:ty) => {
        impl<$($generics)*> $crate::Active for $type {
            type Shadow = f64;
            type Number = $type;

            #[inline(always)]
            fn visit(&self, visit: &mut dyn FnMut(&Self)) {
                visit(self);
            }
            #[inline(always)]
            fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
                visit(self);
            }
        }

        impl<$($generics)*> $crate::shadow::Number for $type {
            type Value = f64;

            #[inline(always)]
            fn number(self) -> f64 {
                $crate::Real::to_f64(self)
            }
        }

        $crate::shadow::shadow!(($($generics)*) f64: $type, one: 1.0, |g, d| g * d.to_f64());
        $crate::shadow::shadow!(
            (D: Real, const N: usize, $($generics)*) $crate::numbers::Dual<D, N>: $type,
            one: $crate::numbers::Dual::constant(D::one()), |g, d| g * D::lit(d.to_f64())
        );
    };
}

pub(crate) use floating_derivatives;
