//! Laws of `y *= e` and `y /= e`, for every number type that has them.

use proptest::prelude::*;
use retrograd::ops::{MulUpdate, Site};
use retrograd::{ErrorKind, attempt};

const SITE: Site = Site { function: "test", file: file!(), line: 1, column: 1, statement: "y *= e;" };

/// What a lossy update is refused with: nothing is changed, whether checks are on or off.
macro_rules! integer_laws {
    ($($type:ident)*) => {$(
        mod $type {
            use super::*;

            fn mul(mut y: $type, e: $type, checked: bool) -> Result<$type, $type> {
                match attempt(|| y.mul_update(e, &SITE, checked)) {
                    Ok(()) => Ok(y),
                    Err(error) => {
                        assert_eq!(error.kind, ErrorKind::LossyInteger);
                        Err(y)
                    }
                }
            }

            fn div(mut y: $type, e: $type, checked: bool) -> Result<$type, $type> {
                match attempt(|| y.div_update(e, &SITE, checked)) {
                    Ok(()) => Ok(y),
                    Err(error) => {
                        assert_eq!(error.kind, ErrorKind::LossyInteger);
                        Err(y)
                    }
                }
            }

            fn laws(y: $type, e: $type, checked: bool) {
                // Each is either undone by the other or refused with `y` as it was.
                match mul(y, e, checked) {
                    Ok(product) => assert_eq!(div(product, e, checked), Ok(y)),
                    Err(kept) => assert_eq!(kept, y),
                }
                match div(y, e, checked) {
                    Ok(quotient) => assert_eq!(mul(quotient, e, checked), Ok(y)),
                    Err(kept) => assert_eq!(kept, y),
                }
                // And it is refused only where the exact result does not exist.
                let product = y.checked_mul(e).filter(|_| e != 0);
                assert_eq!(mul(y, e, checked).ok(), product);
                let quotient = y.checked_div(e).filter(|q| q.checked_mul(e) == Some(y));
                assert_eq!(div(y, e, checked).ok(), quotient);
            }

            proptest! {
                #[test]
                fn multiplication_and_division_undo_each_other(
                    y: $type, e: $type, small in 0..9_u8, checked: bool,
                ) {
                    laws(y, e, checked);
                    laws(y, small as $type, checked);
                    laws(small as $type, e, checked);
                    laws(y / 11, small as $type, checked);
                    laws(y / 11 * 11, 11, checked);
                }
            }

            #[test]
            fn the_ends_of_the_type_keep_the_laws() {
                let (min, max, minus_one) = ($type::MIN, $type::MAX, (0 as $type).wrapping_sub(1));
                let ends = [min, min + 1, minus_one, 0, 1, 2, max - 1, max];
                for y in ends {
                    for e in ends {
                        laws(y, e, true);
                        laws(y, e, false);
                    }
                }
            }
        }
    )*};
}

integer_laws!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

#[test]
fn all_of_i8_keeps_the_laws() {
    for y in i8::MIN..=i8::MAX {
        for e in i8::MIN..=i8::MAX {
            let mut z = y;
            if attempt(|| z.mul_update(e, &SITE, false)).is_ok() {
                assert_eq!(i32::from(z), i32::from(y) * i32::from(e));
                z.div_update(e, &SITE, false);
            }
            assert_eq!(z, y);
        }
    }
}

macro_rules! float_laws {
    ($($type:ident)*) => {$(
        mod $type {
            use super::*;

            #[test]
            fn a_factor_that_cannot_be_divided_out_is_refused_when_checked() {
                for e in [0.0, -0.0, $type::NAN, $type::INFINITY, $type::NEG_INFINITY] {
                    let mut y: $type = 3.0;
                    let error = attempt(|| y.mul_update(e, &SITE, true)).unwrap_err();
                    assert_eq!(error.kind, ErrorKind::ZeroFactor);
                    let error = attempt(|| y.div_update(e, &SITE, true)).unwrap_err();
                    assert_eq!(error.kind, ErrorKind::ZeroFactor);
                    assert_eq!((y, &*error.actual), (3.0, &*format!("{e:?}")));
                    y.mul_update(e, &SITE, false);
                    assert!(y == 3.0 * e || y.is_nan());
                }
            }

            proptest! {
                #[test]
                fn multiplication_and_division_are_those_of_the_type(
                    y in -1e6..1e6 as $type, e in 0.1..10.0 as $type,
                ) {
                    let mut z = y;
                    z.mul_update(e, &SITE, true);
                    prop_assert_eq!(z, y * e);
                    z.div_update(&e, &SITE, true);
                    prop_assert_eq!(z, y * e / e);
                    prop_assert!((z - y).abs() <= 2.0 * $type::EPSILON * y.abs());
                }
            }
        }
    )*};
}

float_laws!(f32 f64);
