//! Derivatives of every kind of expression.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn arithmetic(x: f64, y: f64) -> f64 {
    -(-x * (y)) + -(x - -y) + x / y + 1.0 / x + 1.0 / (x * y) + 2.0 / y + y / 2.0 + (x / y) / (y / x) + x / (x * 2.0)
}

#[reversible]
fn arithmetic_of_any_number<T: Real>(x: T, y: T) -> T {
    T::one() / x + 1.0 / (x * y) + x / y + T::lit(2.0) * x - 3.0
}

#[reversible]
fn squares(x: &[f64], y: f64) -> f64 {
    x[0] * x[0] + (x[1] * y) * (x[1] * y) + y * y * y * y
}

#[reversible]
fn remainders(x: f64, y: f64) -> f64 {
    x % y + 5.0 % y + x % 0.6
}

#[test]
fn operators() {
    laws!(scalar arithmetic(x = 0.7, y = 0.3));
    laws!(scalar arithmetic_of_any_number(x = 0.7, y = 0.3));
    laws!(scalar squares(&[x] = vec![0.7, 0.2], y = 0.3));
    laws!(scalar remainders(x = 2.7, y = 0.77));
    laws!(scalar remainders(x = -2.7, y = 0.77));
    laws!(scalar remainders(x = 2.7, y = -0.77));
}

#[reversible]
fn elementary(x: f64, y: f64) -> [f64; 42] {
    [
        x.sin(),
        x.cos(),
        x.tan(),
        x.asin(),
        x.acos(),
        x.atan(),
        y.atan2(x),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        x.asinh(),
        (1.0 + x).acosh(),
        x.atanh(),
        x.exp(),
        x.exp2(),
        x.exp_m1(),
        x.ln(),
        x.ln_1p(),
        x.log2(),
        x.log10(),
        x.log(y),
        x.powi(3),
        x.powf(y),
        x.sqrt(),
        x.cbrt(),
        x.hypot(y),
        x.recip(),
        x.abs(),
        x.max(y) * x.min(y),
        x.clamp(y, 0.9),
        y.clamp(x, 0.9),
        (2.0 * x).clamp(0.1, x + y),
        x.mul_add(y, x),
        x.rem_euclid(y),
        x.to_degrees(),
        x.to_radians(),
        x.fract(),
        x.signum() * x.ceil(),
        x.floor() + x.round() * y,
        x.trunc(),
        x.square(),
        x.cube(),
    ]
}

#[reversible]
fn elementary_of_any_number<T: Real>(x: T, y: T) -> [T; 40] {
    [
        x.sin(),
        x.cos(),
        x.tan(),
        x.asin(),
        x.acos(),
        x.atan(),
        y.atan2(x),
        x.sinh(),
        x.cosh(),
        x.tanh(),
        x.asinh(),
        (1.0 + x).acosh(),
        x.atanh(),
        x.exp(),
        x.exp2(),
        x.exp_m1(),
        x.ln(),
        x.ln_1p(),
        x.log2(),
        x.log10(),
        x.log(y),
        x.powi(3),
        x.powf(y),
        x.sqrt(),
        x.cbrt(),
        x.hypot(y),
        x.recip(),
        x.abs(),
        x.max(y) * x.min(y),
        x.clamp(y, 0.9),
        x.mul_add(y, x),
        x.rem_euclid(y),
        x.erf(),
        x.gamma(),
        y.lgamma(),
        x.signum() * x.ceil(),
        x.floor() + x.round() * y,
        x.trunc() + x.fract(),
        x.square(),
        x.cube(),
    ]
}

#[reversible]
fn by_path(x: f64, y: f64) -> f64 {
    f64::sin(x) * f64::max(x, y) + f64::powi(x, 2) + f64::from(2.0_f32) * x + f64::mul_add(x, y, 1.0) + <f64>::cos(y)
}

#[reversible]
fn by_path_of_any_number<T: Real>(x: T, y: T) -> T {
    T::sin(x) * T::max(x, y) + Real::powi(x, 2) + <T as Real>::exp(y)
}

#[test]
fn elementary_functions() {
    laws!(fn elementary(x = 0.7, y = 0.3));
    laws!(fn elementary_of_any_number(x = 0.7, y = 0.3));
    laws!(scalar by_path(x = 0.7, y = 0.3));
    laws!(scalar by_path_of_any_number(x = 0.7, y = 0.3));
}

#[reversible]
fn sine_and_cosine<T: Real>(x: T, y: T) -> T {
    let (s, c) = x.sin_cos();
    let (only_sine, _) = y.sin_cos();
    let both = (x * y).sin_cos();
    s * c + s * only_sine + both.0 * both.1 + y.sin_cos().1
}

#[test]
fn sine_and_cosine_together() {
    laws!(scalar sine_and_cosine(x = 0.7, y = 0.3));
}

#[reversible]
fn casts(x: f64, n: i32) -> f64 {
    let k = x as i32;
    x * k as f64 + x * n as f64 / 2 as f64 + (x as f64) * (n as u8 as f64) + (n as f64)
}

#[reversible]
fn casts_of_any_number<T: Real>(x: T, n: i32) -> T {
    x * n as T + T::from_int(n) * x + (n * 2) as T * x * x
}

#[reversible]
fn through_integers(x: &[f64], k: &[usize], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let j = k[i] % 2 + (n >> 3);
        sum += x[j] * (k[i] * 2 + 1) as f64 + x[k[i].min(2)] * ((k[i] & 1) as f64);
    }
    sum
}

#[reversible]
fn floor_and_rest(x: f64) -> (usize, f64) {
    (x as usize, x - (x as usize) as f64)
}

#[reversible]
fn interpolate(x: f64, y: &[f64]) -> f64 {
    let split = floor_and_rest(x);
    let i = split.0;
    let j = i + 1;
    let k = (i * 2) % 3 + (i / 2) + ((i << 1) & 1) + i.min(3) - i.max(1);
    y[i] * (1.0 - split.1) + y[j] * split.1 + y[k] * i as f64 + y[floor_and_rest(x).0] * x
}

#[test]
fn integers_inside_active_expressions_carry_nothing() {
    laws!(scalar casts(x = 5.7, #n = 3));
    laws!(scalar casts_of_any_number(x = 5.7, #n = 3));
    laws!(scalar through_integers(&[x] = vec![0.7, 0.3, 0.2], #&[k] = vec![2_usize, 0, 1], #n = 3));
    laws!(fn floor_and_rest(x = 1.3));
    laws!(scalar interpolate(x = 1.3, &[y] = vec![0.4, 0.2, 0.7, 0.5]));
}

#[reversible]
fn choices(x: f64, y: f64, n: usize) -> f64 {
    let a = if x > y {
        x * y
    } else if n > 2 {
        x - y
    } else {
        2.0
    };
    a * a
        + if n > 1 {
            let t = a * x;
            t * t
        } else {
            y
        }
}

#[reversible]
fn choices_in_updates(z: &mut f64, x: f64, y: f64) {
    *z += if x > 0.5 { x * y } else { y };
    *z *= 1.5 + if x > 0.6 { x * y } else { y };
    *z -= if y > x { 1.0 } else { x };
}

#[reversible]
fn matches(x: f64, y: f64, n: usize) -> f64 {
    match n {
        0 => x * y,
        1 | 2 => {
            let t = x * x;
            let u = t * y;
            t + u
        }
        k if k > 4 => k as f64 * x,
        _ => 1.0,
    }
}

#[reversible]
fn nested_blocks(x: f64, y: f64) -> f64 {
    let a = {
        let t = x * y;
        let u = t.sin();
        t * u
    };
    a * {
        let z = a + x;
        z * z
    }
}

#[test]
fn branches_and_blocks_as_values() {
    for n in 0..6 {
        laws!(scalar choices(x = 0.7, y = 0.3, #n = n));
        laws!(scalar choices(x = 0.3, y = 0.7, #n = n));
        laws!(scalar matches(x = 0.7, y = 0.3, #n = n));
    }
    for x in [0.7, 0.55, 0.2] {
        laws!(choices_in_updates(&mut z = 0.4, x = x, y = 0.3));
    }
    laws!(scalar nested_blocks(x = 0.7, y = 0.3));
}

#[reversible]
fn references(x: &f64, y: &f64) -> f64 {
    x * y + *x * *y + x.sin() + (x - y) * 2.0
}

#[reversible]
fn parts(p: (f64, (f64, [f64; 2])), q: &(f64, f64)) -> f64 {
    let (a, (b, [c, d])) = p;
    let (e, _) = *q;
    a * b + c * d + e * q.1 + p.1.1[0] * p.0
}

#[reversible]
fn by_pattern(p: (f64, f64), q: &(f64, f64), n: usize) -> f64 {
    let first = match p {
        (a, b) if n > 1 => a * b,
        (a, _) => a,
    };
    first
        * match q {
            (a, b) if n > 0 => *a * *b,
            (_, b) => *b,
        }
}

#[test]
fn references_and_parts() {
    laws!(scalar references(&x = 5.7, &y = 0.3));
    laws!(scalar parts(p = (0.7, (0.3, [0.2, 0.4])), &q = (0.5, 0.6)));
    for n in 0..3 {
        laws!(scalar by_pattern(p = (0.7, 0.3), &q = (0.5, 0.6), #n = n));
    }
}

#[reversible]
fn literals(x: f64, n: usize) -> f64 {
    let a = vec![x; n];
    let b = [x * x, x];
    let c = [x; 3];
    let d = vec![x, x * x];
    let e = (x, [x * 2.0, x], n);
    a[1] * b[0] + c[2] * d[1] + e.0 * e.1[0] * e.2 as f64
}

#[reversible]
fn array(x: f64, y: f64) -> [f64; 3] {
    [x * y, x / y, x]
}

#[reversible]
fn repeated(x: f64) -> [f64; 4] {
    [x * x; 4]
}

#[reversible]
fn vector(x: f64, y: f64) -> Vec<f64> {
    vec![x * y, x]
}

#[reversible]
fn vector_of_copies(x: f64, n: usize) -> Vec<f64> {
    vec![x * x; n]
}

#[reversible]
fn matrix(x: f64, y: f64) -> [[f64; 2]; 2] {
    [[x, y], [y * x, x.sin()]]
}

#[reversible]
fn pair(x: f64, y: f64) -> (f64, f64) {
    (x * y, x / y)
}

#[reversible]
fn of_results(x: f64, y: f64) -> f64 {
    let a = array(x, y);
    let [b, c, d] = array(y, x);
    let (e, f) = pair(x, y);
    a[0] * a[1] + array(y, x)[2] + b * c + d + e * f + pair(x, y).0 * pair(y, x).1 + matrix(x, y)[1][0]
}

#[test]
fn arrays_and_tuples_as_values() {
    laws!(scalar literals(x = 0.7, #n = 3));
    laws!(fn array(x = 0.7, y = 0.3));
    laws!(fn repeated(x = 0.7));
    laws!(fn vector(x = 0.7, y = 0.3));
    laws!(fn vector_of_copies(x = 0.7, #n = 3));
    laws!(fn matrix(x = 0.7, y = 0.3));
    laws!(fn pair(x = 0.7, y = 0.3));
    laws!(scalar of_results(x = 0.7, y = 0.3));
}

#[reversible]
fn sum_of_a_known_type(x: &[f64], n: usize) -> f64 {
    let squares: f64 = x.iter().map(|v| v * v).sum();
    let mut products: f64 = (0..n).map(|i| x[i] * squares).sum();
    products += squares;
    products * of_all(x)
}

#[reversible]
fn of_all(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[test]
fn the_type_of_a_sum_may_follow_from_that_of_the_value() {
    laws!(scalar sum_of_a_known_type(&[x] = vec![0.3, -0.8, 1.2], #n = 2));
}

#[reversible]
fn square_sum(x: &[f64], y: f64) -> f64 {
    x.iter().map(|v| v * v * y).sum::<f64>() * y
}

#[reversible]
fn double_sum(x: &[f64], y: &[f64], n: usize) -> f64 {
    let inner = x.iter().map(|a| y.iter().map(|b| a * b * b).sum::<f64>() * a).sum::<f64>();
    let counted = x.iter().enumerate().map(|(i, v)| v * i as f64).sum::<f64>();
    let zipped = x.iter().zip(y).map(|(a, b)| a * b).sum::<f64>();
    inner * counted + zipped * (0..n).map(|i| x[i] * y[i] * y[0]).sum::<f64>()
}

#[reversible]
fn total<T: Real>(x: &[T], y: &[T]) -> T {
    retrograd::ops::sum(x) * retrograd::ops::dot(x, y)
}

#[test]
fn reductions() {
    laws!(scalar square_sum(&[x] = vec![0.3, 0.2], y = 0.7));
    laws!(scalar double_sum(&[x] = vec![0.3, 0.2], &[y] = vec![0.5, 0.6], #n = 2));
    laws!(scalar total(&[x] = vec![0.3, 0.2], &[y] = vec![0.5, 0.6]));
}

#[primitive(d_x = -x.sin() * y, d_y = x.cos())]
fn given(x: f64, y: f64) -> f64 {
    x.cos() * y
}

#[primitive(d_x = n as f64 * x.powi(n - 1))]
fn power(x: f64, n: i32) -> f64 {
    x.powi(n)
}

#[primitive(d_x = x.iter().map(|v| v.cos()))]
fn sum_of_sines(x: &[f64]) -> f64 {
    x.iter().map(|v| v.sin()).sum()
}

#[primitive(d_x = y * T::lit(2.0), d_y = x * T::lit(2.0))]
fn given_for_any_number<T: Real>(x: T, y: T) -> T {
    x * y * T::lit(2.0)
}

#[reversible]
fn of_primitives(z: &mut f64, x: &[f64], y: f64) {
    *z += given(x[0] * y, y) + x[1];
    *z *= given(x[0], 2.0);
    *z -= given(0.5, y);
    *z *= power(x[0], 3) + sum_of_sines(x) * given_for_any_number(y, x[1]);
    *z /= sum_of_sines(&x[1..]);
}

#[test]
fn primitives() {
    laws!(scalar given(x = 0.3, y = 0.4));
    laws!(scalar power(x = 0.3, #n = 4));
    laws!(scalar sum_of_sines(&[x] = vec![0.3, 0.4, 0.5]));
    laws!(scalar given_for_any_number(x = 0.3, y = 0.4));
    laws!(of_primitives(&mut z = 0.3, &[x] = vec![0.3, 0.4, 0.5], y = 0.8));
}

#[primitive(d_x = 2.0)]
fn said_to_double(x: f64) -> f64 {
    x.cos()
}

#[reversible]
fn through_what_is_said(x: f64) -> f64 {
    said_to_double(x) * x
}

#[test]
fn a_primitive_is_believed() {
    let (value, slope) = through_what_is_said::gradient(0.5);
    assert_eq!((value, slope), (0.5 * 0.5_f64.cos(), 2.0 * 0.5 + 0.5_f64.cos()));
}

#[reversible]
fn arrays_by_elements(x: &[f64; 3], y: &[f64; 3], a: f64) -> f64 {
    let difference: [f64; 3] = std::array::from_fn(|i| x[i] - a * y[i]);
    let table: [[f64; 2]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| x[i] * (j as f64 + y[j])));
    let same: [f64; 2] = core::array::from_fn(|_| a.sin());
    let counted: [usize; 3] = std::array::from_fn(|i| 2 - i);
    let mut total = same[0] * same[1];
    for i in 0..3 {
        total += difference[i] * difference[counted[i]] + table[i][0] * table[2][1];
    }
    total
}

#[reversible]
fn added_elements(y: &mut [f64; 2], x: &[f64; 2], a: f64) {
    let mut scaled: [f64; 2] = std::array::from_fn(|i| {
        let angle = x[i] * a;
        if angle > 0.3 { angle.sin() } else { angle.cos() }
    });
    for i in 0..2 {
        scaled[i] += a;
    }
    for i in 0..2 {
        y[i] += scaled[i] * scaled[1 - i];
    }
}

#[test]
fn arrays_that_are_made_element_by_element() {
    laws!(scalar arrays_by_elements(&x = [0.3, 0.4, 0.8], &y = [0.9, 0.2, 0.6], a = 0.7));
    laws!(added_elements(&mut y = [0.1, 0.2], &x = [0.3, 0.8], a = 0.7));
}

#[reversible]
fn by_a_chain_of_conditions(o: Option<f64>, p: &Option<[f64; 2]>, x: f64, asked: bool) -> f64 {
    let y = if asked
        && let Some(v) = o
        && v > 0.0
        && let Some([a, b]) = p
    {
        v * x * a.sin() + b
    } else {
        x * x
    };
    if let Some(v) = o
        && !asked
    {
        y * v
    } else {
        y.sin()
    }
}

#[test]
fn conditions_that_take_values_apart_are_joined() {
    for (o, asked) in [(Some(0.7), true), (Some(-0.7), true), (None, true), (Some(0.7), false)] {
        laws!(scalar by_a_chain_of_conditions(o = o, &p = Some([0.4, 0.9]), x = 0.3, #asked = asked));
        laws!(scalar by_a_chain_of_conditions(o = o, &p = None, x = 0.3, #asked = asked));
    }
}

#[reversible]
fn copied_options(o: &Option<f64>, x: f64) -> f64 {
    let named = o.as_ref().copied();
    let first = match o.as_ref().copied() {
        Some(v) => v * v * x,
        None => x,
    };
    let second = if let Some(v) = named { v * first } else { x * x };
    second * o.as_ref().cloned().unwrap_or(x)
}

#[test]
fn an_option_is_copied() {
    laws!(scalar copied_options(&o = Some(0.7), x = 0.3));
    laws!(scalar copied_options(&o = None, x = 0.3));
}

#[reversible]
fn what_is_referred_to(o: Option<&f64>, x: f64) -> f64 {
    o.copied().unwrap_or(x) * x
}

#[test]
fn an_option_of_a_reference_is_copied() {
    let gradient = |o: Option<&f64>| {
        let (mut by_o, mut by_x) = (o.map(|_| 0.0), 0.0);
        let value = what_is_referred_to::pullback((o, &mut by_o), (0.5, &mut by_x), 1.0);
        (value, by_o, by_x)
    };
    assert_eq!(gradient(Some(&0.75)), (0.375, Some(0.5), 0.75));
    assert_eq!(gradient(None), (0.25, None, 1.0));
    let (value, slope) = what_is_referred_to::pushforward((Some(&0.75), Some(2.0)), (0.5, 1.0));
    assert_eq!((value, slope), (0.375, 1.75));
}

#[reversible]
fn of_another_type(x: f32, n: i32, y: f64) -> f64 {
    let wide: f64 = x.into();
    let count: f64 = n.into();
    wide * wide * count * y
}

#[reversible]
fn at_once(x: f32) -> f64 {
    x.into()
}

#[test]
fn floats_become_others() {
    let (mut by_x, mut by_y) = (0.0, 0.0);
    let value = of_another_type::pullback((0.5, &mut by_x), 3, (2.0, &mut by_y), 1.0);
    assert_eq!((value, by_x, by_y), (1.5, 6.0, 0.75));
    assert_eq!(of_another_type::pushforward((0.5, 1.0), 3, (2.0, 1.0)), (1.5, 6.75));
    assert_eq!(at_once::pushforward((0.5, 1.0)), (0.5, 1.0));
}
