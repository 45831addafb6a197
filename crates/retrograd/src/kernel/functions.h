/* What goes wrong is said in a register of each thread, and at the end in the word for errors: the number of the kernel and of the function, the
   line of the statement, and what it is. So no statement waits for the memory that is out of bounds, or branches. */
#ifndef OF_FUNCTION
#define OF_FUNCTION 0
#endif
#define PLACE(line, kind) (((u32)OF_FUNCTION << 20) | (((u32)(line) & 0x1ffffu) << 3) | (kind))
#define INDEX(line) PLACE(line, 1)
#define DIVISOR(line) PLACE(line, 2)
#define DRIFT(line) errors[0] = PLACE(line, 3)
#define FAILED u32 *errors
#define BEGIN u32 failed = 0, *errors = &failed
#define END if (failed != 0 && error_word[0] == 0) error_word[0] = (kernel_number << 32) | failed
/* Indices: what is out of bounds happens in the element behind the last. */
FUNCTION usize fail(u32 error, FAILED, usize instead) { errors[0] = error; return instead; }
FUNCTION usize at_element(usize index, usize len, usize behind, u32 error, FAILED) {
    return index < len ? index : fail(error, errors, behind);
}
FUNCTION usize view_start(usize start, usize end, usize len, u32 error, FAILED) {
    return start <= end && end <= len ? start : fail(error, errors, len);
}
FUNCTION u64 nonzero(u64 divisor, u32 error, FAILED) { return divisor != 0 ? divisor : fail(error, errors, 1); }
#define IN_BOUNDS(x, index, line) at_element(index, x##_len, x##_len, INDEX(line), errors)
/* The element with the number of the run has one address in all of it, so that compilers may keep it in a register. */
#ifdef IS_NEAR /* The launch has seen to it that indices which depend on loops and on the run alone are not too large. */
#define OWN(x, i) usize x##_own = (i)
#define AT_OWN(x, line) x[x##_own]
#define NEAR(x, index, line) (index)
#else
#define OWN(x, i) usize x##_own = (i) < x##_len ? (i) : x##_len
#define AT_OWN(x, line) x[((x##_own < x##_len ? (void)0 : (void)fail(INDEX(line), errors, 0)), x##_own)]
#define NEAR(x, index, line) IN_BOUNDS(x, index, line)
#endif
#define AT_NEAR(x, index, line) x[NEAR(x, index, line)]
#define AT(x, index, line) x[IN_BOUNDS(x, index, line)]
#define AT_VIEW(x, index, line) x[at_element(index, x##_len, x##_behind, INDEX(line), errors)]
#define AT_PART(x, index, len, line) x.at[at_element(index, len, 0, INDEX(line), errors)]
#define VIEW(type, name, base, base_len, start, end, line) \
    usize name##_start = view_start(start, end, base_len, INDEX(line), errors); \
    usize name##_len = name##_start < base_len ? (end) - (start) : 0; \
    usize name##_behind = base_len - name##_start; \
    GLOBAL type *name = base + name##_start
#define NONZERO(divisor, line) nonzero((u64)(divisor), DIVISOR(line), errors)
#define COUNT(start, end, step, inclusive, line) \
    ((start) < (end) || ((inclusive) && (start) == (end)) \
        ? ((usize)((end) - (start)) + (inclusive) + NONZERO(step, line) - 1) / NONZERO(step, line) : 0)

/* Whether a local has come back: as `retrograd::check::drift` says. `start` and `end` are the largest magnitudes in it. */
#ifndef DRIFT_RELATIVE
#define DRIFT_RELATIVE (sizeof(number) < 8 ? 1e-3 : 1e-6)
#define DRIFT_ABSOLUTE (sizeof(number) < 8 ? 1e-4 : 1e-10)
#endif
FUNCTION number larger(number a, number b) { return fabs(b) > a ? fabs(b) : a; }
FUNCTION bool drifted(number was, number is, number start, number end) {
    number size = was == 0 && end > start ? end : start;
    number relative = (number)DRIFT_RELATIVE * larger(fabs(was), is);
    number absolute = (number)DRIFT_ABSOLUTE * (size > 1 ? size : (number)1);
    return !(was == is || fabs(was - is) <= (relative > absolute ? relative : absolute));
}

/* Functions that C has under other names, or not at all. */
FUNCTION number square(number x) { return x * x; }
FUNCTION number cube(number x) { return x * x * x; }
FUNCTION number reciprocal(number x) { return (number)1 / x; }
FUNCTION number fraction(number x) { return x - trunc(x); }
FUNCTION number log_to(number x, number base) { return log(x) / log(base); }
FUNCTION number clamped(number x, number low, number high) { return x < low ? low : (x > high ? high : x); }
FUNCTION number select_less(number x, number o, number then, number otherwise) { return x < o ? then : otherwise; }
FUNCTION number select_equal(number x, number o, number then, number otherwise) { return x == o ? then : otherwise; }
FUNCTION number signum(number x) { return isnan(x) ? x : copysign((number)1, x); }
FUNCTION number rem_euclid(number x, number m) {
    number r = fmod(x, m);
    return r < 0 ? r + fabs(m) : r;
}

/* Partial derivatives: the rules of `retrograd::rules`, with their edges. */
FUNCTION number one_minus_square(number x) { return (number)0.5 < fabs(x) ? (1 - x) * (1 + x) : 1 - x * x; }
FUNCTION number d_div_0(number b) { return reciprocal(b); }
FUNCTION number d_div_1(number b, number y) { return -y / b; }
FUNCTION number d_rem_1(number x, number m) { return -trunc(x / m); }
FUNCTION number d_rem_euclid_1(number x, number m) { return round((rem_euclid(x, m) - x) / m); }
FUNCTION number d_recip(number y) { return -(y * y); }
FUNCTION number d_square(number x) { return x + x; }
FUNCTION number d_cube(number x) { return 3 * (x * x); }
FUNCTION number d_sqrt(number y) { return (number)0.5 / (y + 0); }
FUNCTION number d_cbrt(number y) { return reciprocal(3 * (y * y)); }
FUNCTION number d_powi(number x, i32 n) { return n == 0 ? (number)0 : n * (n - 1 < n ? pown(x, n - 1) : pown(x, n) / x); }
FUNCTION number d_powf_0(number x, number e) {
    number slope = e * pow(x, e - 1);
    return x == 0 && e == 0 ? (number)0 : slope;
}
FUNCTION number d_powf_1(number x, number y) {
    number slope = y * log(x);
    return x == 0 && y < (number)INFINITY ? (number)0 : slope;
}
FUNCTION number d_hypot_0(number x, number y) { return y == 0 ? (number)0 : x / y; }
FUNCTION number d_hypot_1(number o, number y) { return y == 0 ? (number)0 : o / y; }
FUNCTION number d_sin(number x) { return cos(x); }
FUNCTION number d_cos(number x) { return -sin(x); }
FUNCTION number d_tan(number y) { return 1 + y * y; }
FUNCTION number d_asin(number x) { return reciprocal(sqrt(one_minus_square(x))); }
FUNCTION number d_acos(number x) { return -reciprocal(sqrt(one_minus_square(x))); }
FUNCTION number d_atan(number x) { return reciprocal(1 + x * x); }
FUNCTION number over_squares(number a, number b) { /* a / (a² + b²) */
    bool smaller = fabs(a) < fabs(b);
    number small = smaller ? a : b, large = smaller ? b : a;
    number divisor = large == 0 ? (number)1 : large, ratio = small / divisor;
    number inverse = large == 0 ? (number)0 : reciprocal(divisor * (1 + ratio * ratio));
    return smaller ? ratio * inverse : inverse;
}
FUNCTION number d_atan2_0(number y, number x) { return over_squares(x, y); }
FUNCTION number d_atan2_1(number y, number x) { return -over_squares(y, x); }
FUNCTION number d_exp(number y) { return y; }
FUNCTION number d_exp2(number y) { return y * (number)0.69314718055994530942; }
FUNCTION number d_exp_m1(number y) { return y + 1; }
FUNCTION number d_ln(number x) { return reciprocal(x); }
FUNCTION number d_ln_1p(number x) { return reciprocal(x + 1); }
FUNCTION number d_log2(number x) { return reciprocal(x * (number)0.69314718055994530942); }
FUNCTION number d_log10(number x) { return reciprocal(x * (number)2.30258509299404568402); }
FUNCTION number d_sinh(number x) { return cosh(x); }
FUNCTION number d_cosh(number x) { return sinh(x); }
FUNCTION number d_tanh(number y) { return 1 - y * y; }
FUNCTION number d_asinh(number x) { return reciprocal(hypot(x, (number)1)); }
FUNCTION number d_acosh(number x) { return reciprocal(sqrt(x - 1) * sqrt(x + 1)); }
FUNCTION number d_atanh(number x) { return reciprocal(one_minus_square(x)); }
FUNCTION number d_abs(number x) { return x < 0 ? (number)-1 : (x > 0 ? (number)1 : (x == x ? (number)0 : x)); }
FUNCTION number d_max_0(number x, number o) { return x < o ? 0 : (x == x ? 1 : (o == o ? 0 : 1)); }
FUNCTION number d_max_1(number x, number o) { return 1 - d_max_0(x, o); }
FUNCTION number d_min_0(number x, number o) { return o < x ? 0 : (x == x ? 1 : (o == o ? 0 : 1)); }
FUNCTION number d_min_1(number x, number o) { return 1 - d_min_0(x, o); }
FUNCTION number d_clamp_0(number x, number low, number high) { return x < low || high < x ? 0 : 1; }
FUNCTION number d_clamp_1(number x, number low, number high) { return x < low ? 1 : 0; }
FUNCTION number d_clamp_2(number x, number low, number high) { return high < x ? 1 : 0; }
FUNCTION number d_select_less_2(number x, number o) { return x < o ? 1 : 0; }
FUNCTION number d_select_less_3(number x, number o) { return x < o ? 0 : 1; }
FUNCTION number d_select_equal_2(number x, number o) { return x == o ? 1 : 0; }
FUNCTION number d_select_equal_3(number x, number o) { return x == o ? 0 : 1; }
