//! Fixed-point numbers as those of another type, rounded.

use super::Fixed;
use super::operators::rescaled;
use crate::Real;
use crate::numbers::Convert;

impl<const A: u32, const B: u32> Convert<Fixed<B>> for Fixed<A> {
    #[inline]
    #[track_caller]
    fn convert(self) -> Fixed<B> {
        Fixed::fit(rescaled(self.bits, A, B), "convert(x)")
    }
}

macro_rules! floats {
    ($($float:ident)*) => {$(
        impl<const FRAC: u32> Convert<Fixed<FRAC>> for $float {
            #[inline]
            #[track_caller]
            fn convert(self) -> Fixed<FRAC> {
                Fixed::lit(self.into())
            }
        }

        impl<const FRAC: u32> Convert<$float> for Fixed<FRAC> {
            #[inline]
            fn convert(self) -> $float {
                // The nearest, as `as` gives it; by way of `f64` a number could be rounded twice.
                self.bits as $float / (1_u64 << FRAC) as $float
            }
        }
    )*};
}

floats!(f32 f64);
