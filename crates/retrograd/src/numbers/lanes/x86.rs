//! The registers of x86: four and eight lanes with AVX2, eight and sixteen with AVX-512.
//!
//! Each function here is a handful of instructions that not every machine has.
// SAFETY, for the whole file: a register exists only in `Lanes` of an instruction set, and the types of these sets have no
// names outside of `dispatch`, which uses them after it has asked the machine whether it has the instructions.
#![allow(unsafe_code, reason = "instructions that only some machines have")]

use std::arch::x86_64::*;
use std::mem::transmute;

use super::functions;
use super::registers::Register;

/// What both families write alike: one intrinsic for each operation.
macro_rules! arithmetic {
    ($($method:ident($($argument:ident),*) = $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $method(self $(, $argument: Self)*) -> Self {
            unsafe { $intrinsic(self $(, $argument)*) }
        }
    )*};
}

/// The functions, which are computed from the operations.
macro_rules! elementary {
    () => {
        #[inline(always)]
        fn exp(self) -> Self {
            functions::exp(self)
        }
        #[inline(always)]
        fn ln(self) -> Self {
            functions::ln(self)
        }
        #[inline(always)]
        fn sin_cos(self) -> (Self, Self) {
            functions::sin_cos(self)
        }
    };
}

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

    #[inline(always)]
    fn power_of_two(self) -> Self {
        // Added to this number, a whole one stands in the lowest bits, and there becomes an exponent.
        unsafe {
            let bits = _mm512_castpd_si512(_mm512_add_pd(self, _mm512_set1_pd(functions::SHIFTER + 1023.0)));
            _mm512_castsi512_pd(_mm512_slli_epi64::<52>(bits))
        }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self) -> (Self, Self) {
        unsafe { (_mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(self), _mm512_getexp_pd(self)) }
    }

    elementary!();
}

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

    elementary!();
}

/// All bits in the first lanes.
#[inline(always)]
fn first_of_four(count: usize) -> __m256i {
    unsafe { _mm256_cmpgt_epi64(_mm256_set1_epi64x(count as i64), _mm256_set_epi64x(3, 2, 1, 0)) }
}
