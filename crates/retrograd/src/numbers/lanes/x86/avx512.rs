//! The registers of AVX-512 with `f64` in them.
// SAFETY: see `x86.rs`.
#![allow(unsafe_code, reason = "instructions that only some machines have")]

use std::arch::x86_64::*;
use std::mem::transmute;

use super::super::functions;
use super::super::registers::{Parts, Register};

impl Register for __m512d {
    type Element = f64;
    type Mask = __mmask8;
    const WIDTH: usize = 8;
    const ZERO: Self = unsafe { transmute([0.0_f64; 8]) };
    const NEUTRAL: Self = unsafe { transmute([-0.0_f64; 8]) };

    #[inline(always)]
    fn splat(x: f64) -> Self {
        unsafe { _mm512_set1_pd(x) }
    }
    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        assert!(from.len() >= 8);
        unsafe { _mm512_loadu_pd(from.as_ptr()) }
    }
    #[inline(always)]
    fn load_first(from: &[f64], count: usize) -> Self {
        assert!(count <= 8 && count <= from.len());
        unsafe { _mm512_maskz_loadu_pd(((1_u32 << count) - 1) as u8, from.as_ptr()) }
    }
    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        assert!(to.len() >= 8);
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn store_first(self, to: &mut [f64], count: usize) {
        assert!(count <= 8 && count <= to.len());
        unsafe { _mm512_mask_storeu_pd(to.as_mut_ptr(), ((1_u32 << count) - 1) as u8, self) }
    }
    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let r: &mut [Self; 8] = square.try_into().expect("eight registers");
        unsafe {
            // Pairs of lanes, then pairs of pairs, then halves.
            let a = [
                _mm512_unpacklo_pd(r[0], r[1]),
                _mm512_unpackhi_pd(r[0], r[1]),
                _mm512_unpacklo_pd(r[2], r[3]),
                _mm512_unpackhi_pd(r[2], r[3]),
                _mm512_unpacklo_pd(r[4], r[5]),
                _mm512_unpackhi_pd(r[4], r[5]),
                _mm512_unpacklo_pd(r[6], r[7]),
                _mm512_unpackhi_pd(r[6], r[7]),
            ];
            let b = [
                _mm512_shuffle_f64x2::<0b10_00_10_00>(a[0], a[2]),
                _mm512_shuffle_f64x2::<0b10_00_10_00>(a[1], a[3]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(a[0], a[2]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(a[1], a[3]),
                _mm512_shuffle_f64x2::<0b10_00_10_00>(a[4], a[6]),
                _mm512_shuffle_f64x2::<0b10_00_10_00>(a[5], a[7]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(a[4], a[6]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(a[5], a[7]),
            ];
            *r = [
                _mm512_shuffle_f64x2::<0b10_00_10_00>(b[0], b[4]),
                _mm512_shuffle_f64x2::<0b10_00_10_00>(b[1], b[5]),
                _mm512_shuffle_f64x2::<0b10_00_10_00>(b[2], b[6]),
                _mm512_shuffle_f64x2::<0b10_00_10_00>(b[3], b[7]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(b[0], b[4]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(b[1], b[5]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(b[2], b[6]),
                _mm512_shuffle_f64x2::<0b11_01_11_01>(b[3], b[7]),
            ];
        }
    }

    arithmetic! {
        add(other) = _mm512_add_pd;
        sub(other) = _mm512_sub_pd;
        mul(other) = _mm512_mul_pd;
        div(other) = _mm512_div_pd;
        abs() = _mm512_abs_pd;
        sqrt() = _mm512_sqrt_pd;
        mul_add(a, b) = _mm512_fmadd_pd;
        floor() = _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>;
        ceil() = _mm512_roundscale_pd::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>;
        trunc() = _mm512_roundscale_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>;
    }
    #[inline(always)]
    fn add_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm512_fmadd_pd(a, b, self) }
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        unsafe { _mm512_fnmadd_pd(a, b, self) }
    }
    #[inline(always)]
    fn neg(self) -> Self {
        unsafe { _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self), _mm512_set1_epi64(i64::MIN))) }
    }

    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        unsafe {
            let (number, sign) = (_mm512_castpd_si512(self), _mm512_castpd_si512(sign));
            // The bits of the second one where the first one has some, and those of the third one elsewhere.
            _mm512_castsi512_pd(_mm512_ternarylogic_epi64::<0xca>(_mm512_set1_epi64(i64::MIN), sign, number))
        }
    }

    #[inline(always)]
    fn less(self, other: Self) -> __mmask8 {
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self, other) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> __mmask8 {
        unsafe { _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self, other) }
    }
    #[inline(always)]
    fn and(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }
    #[inline(always)]
    fn or(a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }
    #[inline(always)]
    fn not(a: __mmask8) -> __mmask8 {
        !a
    }
    #[inline(always)]
    fn bits(mask: __mmask8) -> u32 {
        mask.into()
    }
    #[inline(always)]
    fn select(mask: __mmask8, a: Self, b: Self) -> Self {
        unsafe { _mm512_mask_blend_pd(mask, b, a) }
    }

    functions!();
}

impl Parts for __m512d {
    #[inline(always)]
    fn between(self, low: Self, high: Self) -> Self {
        // Where one of them is NaN, these return the second one.
        unsafe { _mm512_min_pd(high, _mm512_max_pd(low, self)) }
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // Added to this number, a whole one stands in the lowest bits, and there becomes an exponent.
        unsafe {
            let bits = _mm512_castpd_si512(_mm512_add_pd(self, _mm512_set1_pd(functions::SHIFTER + 1023.0)));
            _mm512_castsi512_pd(_mm512_slli_epi64::<52>(bits))
        }
    }
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        unsafe { _mm512_scalef_pd(self, n) }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self) -> (Self, Self) {
        unsafe { (_mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(self), _mm512_getexp_pd(self)) }
    }
    #[inline(always)]
    fn is_odd(self) -> __mmask8 {
        unsafe { _mm512_test_epi64_mask(_mm512_castpd_si512(self), _mm512_set1_epi64(1)) }
    }
    #[inline(always)]
    fn negated_by(self, whole: Self) -> Self {
        unsafe {
            let sign = _mm512_slli_epi64::<62>(_mm512_castpd_si512(whole));
            let sign = _mm512_and_si512(sign, _mm512_set1_epi64(i64::MIN));
            _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self), sign))
        }
    }
}
