//! The registers of AVX2 with `f64` in them.
// SAFETY: see `x86.rs`.
#![allow(unsafe_code, reason = "instructions that only some machines have")]

use std::arch::x86_64::*;
use std::mem::transmute;

use super::super::functions;
use super::super::registers::{Parts, Register};

impl Register for __m256d {
    type Element = f64;
    type Mask = __m256d;
    const WIDTH: usize = 4;
    const ZERO: Self = unsafe { transmute([0.0_f64; 4]) };
    const NEUTRAL: Self = unsafe { transmute([-0.0_f64; 4]) };

    #[inline(always)]
    fn splat(x: f64) -> Self {
        unsafe { _mm256_set1_pd(x) }
    }
    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        assert!(from.len() >= 4);
        unsafe { _mm256_loadu_pd(from.as_ptr()) }
    }
    #[inline(always)]
    fn load_first(from: &[f64], count: usize) -> Self {
        assert!(count <= 4 && count <= from.len());
        unsafe { _mm256_maskload_pd(from.as_ptr(), first_of_four(count)) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        assert!(to.len() >= 4);
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn store_first(self, to: &mut [f64], count: usize) {
        assert!(count <= 4 && count <= to.len());
        unsafe { _mm256_maskstore_pd(to.as_mut_ptr(), first_of_four(count), self) }
    }
    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let r: &mut [Self; 4] = square.try_into().expect("four registers");
        unsafe {
            let a = [
                _mm256_unpacklo_pd(r[0], r[1]),
                _mm256_unpackhi_pd(r[0], r[1]),
                _mm256_unpacklo_pd(r[2], r[3]),
                _mm256_unpackhi_pd(r[2], r[3]),
            ];
            *r = [
                _mm256_permute2f128_pd::<0x20>(a[0], a[2]),
                _mm256_permute2f128_pd::<0x20>(a[1], a[3]),
                _mm256_permute2f128_pd::<0x31>(a[0], a[2]),
                _mm256_permute2f128_pd::<0x31>(a[1], a[3]),
            ];
        }
    }

    arithmetic! {
        add(other) = _mm256_add_pd;
        sub(other) = _mm256_sub_pd;
        mul(other) = _mm256_mul_pd;
        div(other) = _mm256_div_pd;
        sqrt() = _mm256_sqrt_pd;
        mul_add(a, b) = _mm256_fmadd_pd;
        floor() = _mm256_floor_pd;
        ceil() = _mm256_ceil_pd;
        trunc() = _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>;
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm256_fmadd_pd(a, b, self) }
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm256_fnmadd_pd(a, b, self) }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { _mm256_xor_pd(self, _mm256_set1_pd(-0.0)) }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self) }
    }

    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        unsafe {
            let bit = _mm256_set1_pd(-0.0);
            _mm256_or_pd(_mm256_andnot_pd(bit, self), _mm256_and_pd(bit, sign))
        }
    }

    #[inline(always)]
    fn less(self, other: Self) -> __m256d {
        unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self, other) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __m256d {
        unsafe { _mm256_cmp_pd::<_CMP_EQ_OQ>(self, other) }
    }
    #[inline(always)]
    fn and(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_and_pd(a, b) }
    }
    #[inline(always)]
    fn or(a: __m256d, b: __m256d) -> __m256d {
        unsafe { _mm256_or_pd(a, b) }
    }
    #[inline(always)]
    fn not(a: __m256d) -> __m256d {
        unsafe { _mm256_xor_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) }
    }
    #[inline(always)]
    fn bits(mask: __m256d) -> u32 {
        unsafe { _mm256_movemask_pd(mask) as u32 }
    }
    #[inline(always)]
    fn select(mask: __m256d, a: Self, b: Self) -> Self {
        unsafe { _mm256_blendv_pd(b, a, mask) }
    }

    functions!();
}

impl Parts for __m256d {
    #[inline(always)]
    fn between(self, low: Self, high: Self) -> Self {
        // Where one of them is NaN, these return the second one.
        unsafe { _mm256_min_pd(high, _mm256_max_pd(low, self)) }
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // Added to this number, a whole one stands in the lowest bits, and there becomes an exponent.
        unsafe {
            let bits = _mm256_castpd_si256(_mm256_add_pd(self, _mm256_set1_pd(functions::SHIFTER + 1023.0)));
            _mm256_castsi256_pd(_mm256_slli_epi64::<52>(bits))
        }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self) -> (Self, Self) {
        unsafe {
            let bits = _mm256_castpd_si256(self);
            // As the lowest bits of 2⁵², an integer is a number.
            let exponent = _mm256_or_si256(_mm256_srli_epi64::<52>(bits), _mm256_set1_epi64x(0x4330_0000_0000_0000));
            let exponent = _mm256_sub_pd(_mm256_castsi256_pd(exponent), _mm256_set1_pd(4503599627370496.0 + 1023.0));
            let mantissa = _mm256_and_si256(bits, _mm256_set1_epi64x(0x000f_ffff_ffff_ffff));
            let mantissa = _mm256_or_si256(mantissa, _mm256_set1_epi64x(0x3ff0_0000_0000_0000));
            (_mm256_castsi256_pd(mantissa), exponent)
        }
    }
    #[inline(always)]
    fn is_odd(self) -> __m256d {
        // Of a mask, only the highest bit is looked at.
        unsafe { _mm256_castsi256_pd(_mm256_slli_epi64::<63>(_mm256_castpd_si256(self))) }
    }
    #[inline(always)]
    fn negated_by(self, whole: Self) -> Self {
        unsafe {
            let sign = _mm256_castsi256_pd(_mm256_slli_epi64::<62>(_mm256_castpd_si256(whole)));
            _mm256_xor_pd(self, _mm256_and_pd(sign, _mm256_set1_pd(-0.0)))
        }
    }
}

/// All bits in the first lanes.
#[inline(always)]
fn first_of_four(count: usize) -> __m256i {
    unsafe { _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), _mm256_set_epi64x(3, 2, 1, 0)) }
}
