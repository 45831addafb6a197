//! The registers of ARM: two lanes of `f64` and four of `f32`, which all machines of 64 bits have.
// SAFETY, for the whole file: this is compiled only for machines that have the instructions.
#![allow(unsafe_code, reason = "instructions that only some machines have")]

use std::arch::aarch64::*;
use std::mem::transmute;

use super::functions;
use super::registers::{Narrow, Parts, Register};

impl Register for float64x2_t {
    type Element = f64;
    type Mask = uint64x2_t;
    const WIDTH: usize = 2;
    const ZERO: Self = unsafe { transmute([0.0_f64; 2]) };
    const NEUTRAL: Self = unsafe { transmute([-0.0_f64; 2]) };

    #[inline(always)]
    fn splat(x: f64) -> Self {
        unsafe { vdupq_n_f64(x) }
    }
    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        assert!(from.len() >= 2);
        unsafe { vld1q_f64(from.as_ptr()) }
    }
    #[inline(always)]
    fn load_first(from: &[f64], count: usize) -> Self {
        let mut numbers = [0.0; 2];
        numbers[..count].copy_from_slice(&from[..count]);
        Self::load(&numbers)
    }
    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        assert!(to.len() >= 2);
        unsafe { vst1q_f64(to.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn store_first(self, to: &mut [f64], count: usize) {
        let mut numbers = [0.0; 2];
        self.store(&mut numbers);
        to[..count].copy_from_slice(&numbers[..count]);
    }
    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let r: &mut [Self; 2] = square.try_into().expect("two registers");
        unsafe { *r = [vtrn1q_f64(r[0], r[1]), vtrn2q_f64(r[0], r[1])] }
    }

    arithmetic! {
        add(other) = vaddq_f64;
        sub(other) = vsubq_f64;
        mul(other) = vmulq_f64;
        div(other) = vdivq_f64;
        neg() = vnegq_f64;
        abs() = vabsq_f64;
        sqrt() = vsqrtq_f64;
        add_product(a, b) = vfmaq_f64;
        sub_product(a, b) = vfmsq_f64;
        floor() = vrndmq_f64;
        ceil() = vrndpq_f64;
        trunc() = vrndq_f64;
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        unsafe { vfmaq_f64(b, self, a) }
    }
    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        unsafe { vbslq_f64(vdupq_n_u64(1 << 63), sign, self) }
    }

    #[inline(always)]
    fn less(self, other: Self) -> uint64x2_t {
        unsafe { vcltq_f64(self, other) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> uint64x2_t {
        unsafe { vceqq_f64(self, other) }
    }
    #[inline(always)]
    fn and(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vandq_u64(a, b) }
    }
    #[inline(always)]
    fn or(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
        unsafe { vorrq_u64(a, b) }
    }
    #[inline(always)]
    fn not(a: uint64x2_t) -> uint64x2_t {
        unsafe { veorq_u64(a, vdupq_n_u64(u64::MAX)) }
    }
    #[inline(always)]
    fn bits(mask: uint64x2_t) -> u32 {
        let weights = [1, 2];
        unsafe { vaddvq_u64(vandq_u64(mask, vld1q_u64(weights.as_ptr()))) as u32 }
    }
    #[inline(always)]
    fn select(mask: uint64x2_t, a: Self, b: Self) -> Self {
        unsafe { vbslq_f64(mask, a, b) }
    }

    functions!();
}

impl Parts for float64x2_t {
    #[inline(always)]
    fn between(self, low: Self, high: Self) -> Self {
        // Where one of them is NaN, so is the result.
        unsafe { vminq_f64(high, vmaxq_f64(low, self)) }
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        // Added to this number, a whole one stands in the lowest bits, and there becomes an exponent.
        unsafe {
            let bits = vreinterpretq_u64_f64(vaddq_f64(self, vdupq_n_f64(functions::SHIFTER + 1023.0)));
            vreinterpretq_f64_u64(vshlq_n_u64::<52>(bits))
        }
    }
    #[inline(always)]
    fn mantissa_and_exponent(self) -> (Self, Self) {
        unsafe {
            let bits = vreinterpretq_u64_f64(self);
            let exponent = vsubq_f64(vcvtq_f64_u64(vshrq_n_u64::<52>(bits)), vdupq_n_f64(1023.0));
            let mantissa = vandq_u64(bits, vdupq_n_u64(0x000f_ffff_ffff_ffff));
            let mantissa = vorrq_u64(mantissa, vdupq_n_u64(0x3ff0_0000_0000_0000));
            (vreinterpretq_f64_u64(mantissa), exponent)
        }
    }
    #[inline(always)]
    fn is_odd(self) -> uint64x2_t {
        unsafe { vtstq_u64(vreinterpretq_u64_f64(self), vdupq_n_u64(1)) }
    }
    #[inline(always)]
    fn negated_by(self, whole: Self) -> Self {
        unsafe {
            let sign = vandq_u64(vshlq_n_u64::<62>(vreinterpretq_u64_f64(whole)), vdupq_n_u64(1 << 63));
            vreinterpretq_f64_u64(veorq_u64(vreinterpretq_u64_f64(self), sign))
        }
    }
}

impl Register for float32x4_t {
    type Element = f32;
    type Mask = uint32x4_t;
    const WIDTH: usize = 4;
    const ZERO: Self = unsafe { transmute([0.0_f32; 4]) };
    const NEUTRAL: Self = unsafe { transmute([-0.0_f32; 4]) };

    #[inline(always)]
    fn splat(x: f32) -> Self {
        unsafe { vdupq_n_f32(x) }
    }
    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        assert!(from.len() >= 4);
        unsafe { vld1q_f32(from.as_ptr()) }
    }
    #[inline(always)]
    fn load_first(from: &[f32], count: usize) -> Self {
        let mut numbers = [0.0; 4];
        numbers[..count].copy_from_slice(&from[..count]);
        Self::load(&numbers)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        assert!(to.len() >= 4);
        unsafe { vst1q_f32(to.as_mut_ptr(), self) }
    }
    #[inline(always)]
    fn store_first(self, to: &mut [f32], count: usize) {
        let mut numbers = [0.0; 4];
        self.store(&mut numbers);
        to[..count].copy_from_slice(&numbers[..count]);
    }
    #[inline(always)]
    fn transpose(square: &mut [Self]) {
        let r: &mut [Self; 4] = square.try_into().expect("four registers");
        unsafe {
            // Lanes, then pairs of lanes.
            let a = [
                vreinterpretq_f64_f32(vtrn1q_f32(r[0], r[1])),
                vreinterpretq_f64_f32(vtrn2q_f32(r[0], r[1])),
                vreinterpretq_f64_f32(vtrn1q_f32(r[2], r[3])),
                vreinterpretq_f64_f32(vtrn2q_f32(r[2], r[3])),
            ];
            *r = [
                vreinterpretq_f32_f64(vtrn1q_f64(a[0], a[2])),
                vreinterpretq_f32_f64(vtrn1q_f64(a[1], a[3])),
                vreinterpretq_f32_f64(vtrn2q_f64(a[0], a[2])),
                vreinterpretq_f32_f64(vtrn2q_f64(a[1], a[3])),
            ];
        }
    }

    arithmetic! {
        add(other) = vaddq_f32;
        sub(other) = vsubq_f32;
        mul(other) = vmulq_f32;
        div(other) = vdivq_f32;
        neg() = vnegq_f32;
        abs() = vabsq_f32;
        sqrt() = vsqrtq_f32;
        add_product(a, b) = vfmaq_f32;
        sub_product(a, b) = vfmsq_f32;
        floor() = vrndmq_f32;
        ceil() = vrndpq_f32;
        trunc() = vrndq_f32;
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        unsafe { vfmaq_f32(b, self, a) }
    }
    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        unsafe { vbslq_f32(vdupq_n_u32(1 << 31), sign, self) }
    }

    #[inline(always)]
    fn less(self, other: Self) -> uint32x4_t {
        unsafe { vcltq_f32(self, other) }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> uint32x4_t {
        unsafe { vceqq_f32(self, other) }
    }
    #[inline(always)]
    fn and(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        unsafe { vandq_u32(a, b) }
    }
    #[inline(always)]
    fn or(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        unsafe { vorrq_u32(a, b) }
    }
    #[inline(always)]
    fn not(a: uint32x4_t) -> uint32x4_t {
        unsafe { veorq_u32(a, vdupq_n_u32(u32::MAX)) }
    }
    #[inline(always)]
    fn bits(mask: uint32x4_t) -> u32 {
        let weights = [1, 2, 4, 8];
        unsafe { vaddvq_u32(vandq_u32(mask, vld1q_u32(weights.as_ptr()))) }
    }
    #[inline(always)]
    fn select(mask: uint32x4_t, a: Self, b: Self) -> Self {
        unsafe { vbslq_f32(mask, a, b) }
    }

    functions_in_wide_registers!();
}

impl Narrow for float32x4_t {
    type Wide = float64x2_t;

    #[inline(always)]
    fn widen(self) -> (float64x2_t, float64x2_t) {
        unsafe { (vcvt_f64_f32(vget_low_f32(self)), vcvt_high_f64_f32(self)) }
    }
    #[inline(always)]
    fn narrow(low: float64x2_t, high: float64x2_t) -> Self {
        unsafe { vcvt_high_f32_f64(vcvt_f32_f64(low), high) }
    }
}
