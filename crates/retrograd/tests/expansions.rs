//! Legal Rust whose expansion has to be legal too, in every companion.

#![deny(warnings)]

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::check::{Compare, Report};
use retrograd::prelude::*;

// Parentheses that a head or an operator needs.

#[reversible]
fn sum_that_ends_in_a_cast(y: &mut f64, a: f64, n: usize) {
    *y += if (a + (n as f64)) < 3.0 { a * a } else { 1.0 };
}

#[reversible]
fn nested_casts(y: &mut i64, a: i64, n: usize) {
    if (a * (2 - n as i64)) < 3 && ((a - n as i64) << 1) < 9 {
        *y += (a + (n as i64)) << (n as u32);
    }
}

#[reversible]
#[allow(clippy::redundant_pattern_matching)]
fn conditions_in_a_let(y: &mut f64, a: bool, b: bool) {
    *y += if let true = (a && b) { 1.0 } else { 2.0 };
    if let false = (a || b) {
        *y += 4.0;
    }
}

struct Size {
    n: usize,
    weights: [f64; 2],
}

impl Size {
    fn odd(&self) -> Option<usize> {
        (self.n % 2 == 1).then_some(self.n)
    }
}

#[reversible]
fn structs_in_heads(y: &mut f64, n: usize) {
    if let Some(odd) = (Size { n, weights: [0.0; 2] }).odd() {
        *y += odd as f64;
    }
    for i in 0..(Size { n, weights: [0.0; 2] }).n {
        *y += i as f64;
    }
    for w in (Size { n, weights: [1.0, 2.0] }).weights.iter() {
        *y += *w;
    }
}

#[test]
fn operators_and_heads_have_their_parentheses() {
    laws!(sum_that_ends_in_a_cast(&mut y = 0.5, a = 0.7, #n = 2));
    let mut y = 0;
    nested_casts(&mut y, 2, 1);
    assert_eq!(y, 6);
    nested_casts::uncall(&mut y, 2, 1);
    assert_eq!(y, 0);
    let mut y = 0.0;
    conditions_in_a_let(&mut y, true, false);
    assert_eq!(y, 2.0);
    conditions_in_a_let(&mut y, false, false);
    assert_eq!(y, 8.0);
    structs_in_heads(&mut y, 3);
    assert_eq!(y, 17.0);
    structs_in_heads::uncall(&mut y, 3);
    assert_eq!(y, 8.0);
}

// Elements that are moved.

#[derive(Active, Clone, Debug)]
struct Inner<T> {
    c: T,
}

impl<T: Compare> Compare for Inner<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.c.compare(&actual.c, report);
    }
}

/// Not `Clone`, and its shadow is not either.
#[derive(Active)]
struct Unique<T> {
    c: T,
}

#[reversible]
fn array_of_structs(x: f64) -> f64 {
    let mut ps = [Inner { c: x }, Inner { c: 2.0 }];
    ps[0].c += x;
    ps[0].c * ps[1].c
}

#[reversible]
fn array_of_unique_structs<T: Real>(x: T, y: T) -> T {
    let ps = [Unique { c: x * y }, Unique { c: y }];
    ps[0].c * ps[1].c * ps[1].c
}

#[reversible]
fn vector_of_vectors(x: &[f64]) -> f64 {
    let mut a = vec![x.to_vec(), vec![2.0; 1]];
    a[0][0] += x[1];
    a[0][0] * a[1][0] * a[0][1]
}

#[reversible]
fn vector_of_structs(x: f64, y: f64) -> f64 {
    let ps = vec![Inner { c: x * x }, Inner { c: x * y }];
    ps[0].c * ps[1].c
}

#[reversible]
fn structs_made_one_by_one(x: &[f64; 3]) -> f64 {
    let ps: [Inner<f64>; 3] = std::array::from_fn(|i| Inner { c: x[i] * x[i] });
    ps[0].c * ps[1].c * ps[2].c
}

#[reversible]
fn rows_one_by_one(x: &[f64]) -> f64 {
    let rows: [Vec<f64>; 2] = std::array::from_fn(|i| x[i..i + 2].to_vec());
    rows[0][0] * rows[1][1] * rows[0][1]
}

#[reversible]
fn parts_of_an_array_of_structs(x: f64) -> f64 {
    [Inner { c: x * x }, Inner { c: 2.0 }][0].c * 3.0
}

#[reversible]
fn two<T: Real>(x: T) -> [Inner<T>; 2] {
    [Inner { c: x.sin() }, Inner { c: x * x }]
}

#[reversible]
fn parts_of_a_call(x: f64, i: usize) -> f64 {
    two(x)[i].c * two(x)[0].c
}

#[reversible]
fn rows_of_equal_structs<T: Real>(x: T) -> T {
    let rows = vec![vec![Inner { c: x * x }; 2]; 3];
    rows[0][1].c * rows[2][0].c * x
}

#[derive(Active, Clone)]
struct Shelf<T> {
    rows: Vec<Inner<T>>,
    width: T,
}

#[reversible]
fn field_of_equal_structs<T: Real>(x: T) -> T {
    let inner = Inner { c: x * x };
    let shelf = Shelf { rows: vec![inner; 2], width: x };
    shelf.rows[0].c * shelf.rows[1].c * shelf.width
}

#[reversible]
fn clones_of_structs<T: Real>(x: &[Inner<T>]) -> T {
    let copies: Vec<Inner<T>> = x.iter().cloned().collect();
    copies[0].c * copies[1].c
}

#[reversible]
fn another_word_for_a_copy<T: Real>(x: &[T]) -> T {
    let copy = x.to_owned();
    let first = x[0].to_owned();
    copy[0] * copy[1] * first
}

#[reversible]
fn rows_without_elements<T: Real>(x: &[T]) -> T {
    let rows = [x.to_vec(), vec![]];
    let pair = (x.to_vec(), Vec::<T>::new());
    let typed: [Vec<T>; 2] = [Vec::new(), x.to_vec()];
    rows[0][0] * pair.0[1] * typed[1][0]
}

#[reversible]
fn product_and_sum<T: Real>(x: T, y: T) -> [T; 2] {
    [x * y, x + y]
}

#[reversible]
fn copy_of_a_value<T: Real>(x: T, y: T) -> T {
    let both = product_and_sum(x, y).to_vec();
    both[0] * both[1]
}

#[test]
fn elements_need_not_be_copied() {
    laws!(scalar rows_of_equal_structs(x = 0.7));
    laws!(scalar field_of_equal_structs(x = 0.7));
    laws!(scalar clones_of_structs(&[x] = vec![Inner { c: 0.7 }, Inner { c: 0.4 }]));
    laws!(scalar another_word_for_a_copy(&[x] = vec![0.7, 0.4]));
    laws!(scalar rows_without_elements(&[x] = vec![0.7, 0.4]));
    laws!(scalar copy_of_a_value(x = 0.7, y = 0.4));
    laws!(scalar array_of_structs(x = 0.7));
    laws!(scalar array_of_unique_structs(x = 0.7, y = 0.4));
    laws!(scalar vector_of_vectors(&[x] = vec![0.3, 0.4]));
    laws!(scalar vector_of_structs(x = 0.7, y = 0.4));
    laws!(scalar structs_made_one_by_one(&x = [0.7, 0.4, 0.2]));
    laws!(scalar rows_one_by_one(&[x] = vec![0.3, 0.4, 0.8]));
    laws!(scalar parts_of_an_array_of_structs(x = 0.7));
    laws!(scalar parts_of_a_call(x = 0.7, #i = 1));
}

// Second names of references.

#[reversible]
fn second_name(x: &f64) -> f64 {
    let y = x;
    *y * y.sin()
}

#[reversible]
fn second_name_of_a_slice(x: &[f64]) -> f64 {
    let y = x;
    let z = y;
    z[0] * y[1]
}

#[reversible]
fn second_names_in_a_pair<T: Real>(x: &[T], s: &T) -> T {
    let (y, t) = (x, s);
    y[0] * y[1] * *t
}

#[reversible]
fn second_name_of_a_struct<T: Real>(s: &Inner<T>) -> T {
    let r = s;
    r.c * r.c
}

#[reversible]
fn second_name_in_a_call(y: &mut f64, x: &[f64]) {
    let z = x;
    *y += second_name_of_a_slice(z) * z[1];
}

#[reversible]
fn second_name_of_an_element(y: &mut f64, x: &[f64]) {
    for v in x.iter() {
        let w = v;
        *y += *w * w.sin();
    }
}

#[test]
fn a_reference_may_have_a_second_name() {
    laws!(scalar second_name(&x = 0.7));
    laws!(scalar second_name_of_a_slice(&[x] = vec![0.7, 0.4]));
    laws!(scalar second_names_in_a_pair(&[x] = vec![0.7, 0.4], &s = 0.3));
    laws!(scalar second_name_of_a_struct(&s = Inner { c: 0.7 }));
    laws!(second_name_in_a_call(&mut y = 0.2, &[x] = vec![0.7, 0.4]));
    laws!(second_name_of_an_element(&mut y = 0.2, &[x] = vec![0.7, 0.4]));
}

// Views of fields.

#[derive(Active, Clone, Debug)]
struct Outer {
    a: f64,
    n: Inner<f64>,
    rows: Vec<Inner<f64>>,
}

impl Compare for Outer {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.a.compare(&actual.a, report);
        self.n.compare(&actual.n, report);
        self.rows.compare(&actual.rows, report);
    }
}

#[reversible]
fn view_of_a_field(s: &mut Outer) {
    let n = &mut s.n;
    n.c += 1.5;
    n.c *= 2.0;
}

#[reversible]
fn view_of_a_field_of_an_element(s: &mut Outer, i: usize) {
    let c = &mut s.rows[i].c;
    *c += s.a;
    let n = &mut s.n;
    n.c += s.rows[i].c;
}

#[reversible]
fn view_of_a_pair(s: &mut (f64, (f64, f64))) {
    let p = &mut s.1;
    p.0 += s.0;
    p.1 += p.0 * s.0;
}

#[test]
fn a_view_of_a_field_can_be_changed() {
    let s = Outer { a: 0.3, n: Inner { c: 0.7 }, rows: vec![Inner { c: 0.2 }, Inner { c: 0.4 }] };
    laws!(view_of_a_field(&mut s = s.clone()));
    laws!(view_of_a_field_of_an_element(&mut s = s.clone(), #i = 1));
    laws!(view_of_a_pair(&mut s = (0.3, (0.7, 0.2))));
}

#[reversible]
fn view_of_a_view_of_a_field(s: &mut ((f64, f64), f64)) {
    let pair = &mut s.0;
    let second = &mut pair.1;
    *second += 2.0;
    *second *= 3.0;
    pair.0 += s.1;
}

#[reversible]
fn view_of_a_view_in_a_loop(s: &mut ((f64, f64), f64), n: usize) {
    let pair = &mut s.0;
    for _ in 0..n {
        let second = &mut pair.1;
        *second += 2.0;
        *second *= 3.0;
    }
}

#[reversible]
fn views_of_an_ancilla<T: Real>(s: &((T, T), T)) -> T {
    let mut copy = *s;
    let pair = &mut copy.0;
    let second = &mut pair.1;
    *second += s.1;
    *second *= s.0.0;
    copy.0.1 * copy.0.0
}

#[reversible]
fn view_and_then_all_of_it(x: &[f64], y: &mut f64) {
    let mut copy = x.to_vec();
    let front = &mut copy[..2];
    front[0] += x[1];
    *y += front[0];
    *y += copy[0] * copy[1];
}

#[reversible]
fn halves_and_then_all_of_it(x: &[f64], y: &mut f64) {
    let mut copy = x.to_vec();
    for v in copy.iter_mut() {
        *v += x[1];
    }
    let (a, b) = copy.split_at_mut(1);
    a[0] += b[1];
    *y += a[0] * b[0];
    b[0] *= x[1];
    *y += copy[0] * copy[1];
}

#[reversible]
fn value_of_a_view<T: Real>(x: &[T]) -> T {
    let mut copy = x.to_vec();
    let front = &mut copy[..2];
    front[0] += x[1];
    front[0] * front[1]
}

#[test]
fn a_view_ends_where_its_base_is_used_again() {
    laws!(view_of_a_view_of_a_field(&mut s = ((0.3, 0.7), 0.2)));
    laws!(view_of_a_view_in_a_loop(&mut s = ((0.3, 0.7), 0.2), #n = 3));
    laws!(scalar views_of_an_ancilla(&s = ((0.3, 0.7), 0.2)));
    laws!(view_and_then_all_of_it(&[x] = vec![0.3, 0.7, 0.2], &mut y = 0.5));
    laws!(halves_and_then_all_of_it(&[x] = vec![0.3, 0.7, 0.2], &mut y = 0.5));
    laws!(scalar value_of_a_view(&[x] = vec![0.3, 0.7, 0.2]));
}

// Ranges with a name.

#[reversible]
fn ranges_with_a_name<T: Real>(x: &[T], n: usize) -> T {
    let (all, most) = (0..=n, 0..n as u64);
    let mut sum = T::zero();
    for i in all.step_by(2) {
        sum += x[i] * x[i];
    }
    for i in all.rev().step_by(2) {
        sum += x[i].sin();
    }
    for (k, i) in all.enumerate() {
        sum += x[i] * k as T;
    }
    for i in most.step_by(2) {
        sum += x[i as usize] * 3.0;
    }
    for (v, i) in x.iter().zip(all.clone()) {
        sum += *v * x[i];
    }
    sum
}

#[reversible]
fn changed_over_ranges_with_a_name(y: &mut [f64], n: usize) {
    let all = 0..=n;
    for i in all.step_by(2) {
        y[i + 1] += y[i].sin();
    }
    for (k, i) in all.enumerate() {
        y[i + 1] += y[i] * k as f64;
    }
}

#[test]
fn a_range_with_a_name_is_gone_through_from_either_end() {
    laws!(scalar ranges_with_a_name(&[x] = vec![0.3, 0.7, 0.2], #n = 2));
    laws!(changed_over_ranges_with_a_name(&mut [y] = vec![0.3, 0.7, 0.2, 0.4], #n = 2));
}

// Types of what an iterator gives.

#[reversible]
fn types_that_are_handed_on<T: Real>(x: &[T]) -> T {
    let in_a_block = {
        let doubled: Vec<T> = x.iter().map(|v| *v * 2.0).collect();
        doubled[0] + doubled[1]
    };
    let (sum, squares): (T, Vec<T>) = (x.iter().copied().sum(), x.iter().map(|v| *v * *v).collect());
    let both: [T; 2] = [x.iter().copied().sum(), x.iter().map(|v| v.sin()).sum()];
    let one_of_two: T = if x[0] > 0.0 { x.iter().map(|v| v.cos()).sum() } else { T::zero() };
    in_a_block * sum * squares[1] + both[0] * both[1] * one_of_two
}

#[test]
fn a_type_is_handed_on_to_what_needs_it() {
    laws!(scalar types_that_are_handed_on(&[x] = vec![0.3, 0.7]));
}

// Iterations that never run.

#[reversible]
fn index_below_zero(x: &mut [f64], q: usize) {
    #[unroll(4)]
    for i in 0..q {
        x[2 - i] += 1.0;
    }
}

#[reversible]
fn index_behind_the_end(x: &mut [f64; 3], y: &[f64; 3], q: usize) {
    #[unroll(4)]
    for i in (0..q).rev() {
        x[i] += y[i] * y[2 - i];
    }
}

#[reversible]
fn division_by_zero(x: &mut [f64; 3], q: usize) {
    #[unroll(4)]
    for i in 1..q {
        x[6 / (4 - i) - 2] += 1.0;
    }
}

#[reversible]
fn number_too_large(x: &mut [f64; 3], q: u8) {
    #[unroll(4)]
    for i in 0..q {
        x[usize::from((253 + i) - 253)] += 1.0;
    }
}

#[test]
fn written_out_iterations_need_not_make_sense_where_they_never_run() {
    let mut x = [0.0; 3];
    index_below_zero(&mut x, 2);
    assert_eq!(x, [0.0, 1.0, 1.0]);
    division_by_zero(&mut x, 3);
    assert_eq!(x, [1.0, 2.0, 1.0]);
    number_too_large(&mut x, 3);
    assert_eq!(x, [2.0, 3.0, 2.0]);
    number_too_large::uncall(&mut x, 3);
    assert_eq!(x, [1.0, 2.0, 1.0]);
    laws!(index_behind_the_end(&mut x = [0.1, 0.2, 0.3], &y = [0.5, 0.7, 0.2], #q = 3));
}

// Lifetimes without a name.

#[derive(Active, Clone, Copy, Debug)]
struct View<'a, T> {
    x: &'a [T],
}

#[reversible]
fn anonymous_lifetime<T: Real>(y: &mut T, v: View<'_, T>) {
    *y += v.x[0] * v.x[1];
}

#[reversible]
fn anonymous_behind_a_reference<T: Real>(v: &View<'_, T>, w: &View<'_, T>) -> T {
    v.x[0] * w.x[0]
}

#[reversible]
fn pair_of_slices<T: Real>(p: (&[T], &[T]), s: T) -> T {
    p.0[0] * p.1[0] * s
}

#[reversible]
fn rows_of_a_matrix(rows: &[&[f64]]) -> f64 {
    rows[0][0] * rows[1][0]
}

#[reversible]
fn with_a_function(x: f64, #[constant] f: impl Fn(&f64) -> f64, #[constant] g: fn(&f64) -> f64) -> f64 {
    #[constant]
    let c = f(&x) + g(&x);
    c * x * x
}

#[test]
fn a_lifetime_needs_no_name() {
    let x = [0.7, 0.4];
    let v = View { x: &x };
    assert_eq!(anonymous_behind_a_reference::gradient(&v, &v).0, 0.7 * 0.7);
    let mut gv = ViewShadow { x: vec![0.0; 2] };
    let (mut y, mut gy) = (1.0, 1.0);
    anonymous_lifetime(&mut y, v);
    anonymous_lifetime::pullback((&mut y, &mut gy), (v, &mut gv));
    assert_eq!((y, gv.x), (1.0, vec![0.4, 0.7]));
    assert_eq!(pair_of_slices::gradient((&x, &x), 2.0).2, 0.7 * 0.7);
    assert_eq!(rows_of_a_matrix(&[&x, &x]), 0.7 * 0.7);
    assert_eq!(with_a_function::gradient(2.0, |x| *x, |_| 1.0), (12.0, 12.0));
}

/// A lifetime of the user with a name that companions could use.
#[reversible(derivatives = "never")]
fn never_with_a_lifetime<'a>(x: &'a mut [f64]) {
    x.reverse();
}

#[test]
fn a_lifetime_may_have_any_name() {
    let mut x = [1.0, 2.0];
    never_with_a_lifetime(&mut x);
    assert_eq!(x, [2.0, 1.0]);
}

// Types that have to be `Active` are looked at with some value for each parameter.

#[derive(Active, Clone, Debug)]
struct Flagged<T, const FLAG: bool, const LETTER: char, const N: usize> {
    x: [T; N],
}

#[reversible]
fn constants_of_all_types<T: Real, const FLAG: bool, const LETTER: char, const N: usize>(
    s: &Flagged<T, FLAG, LETTER, N>,
) -> T {
    let scale = if FLAG { 2.0 } else { 3.0 };
    s.x[N - 1] * s.x[0] * scale
}

type Alias = f32;

#[reversible]
fn alias_of_a_number(x: &Alias, y: Alias) -> Alias {
    *x * y * y
}

trait Named {
    type Number;
}

/// Not for `f64`.
trait Exact: Real {}
impl Exact for retrograd::numbers::Fixed<16> {}

#[derive(Active, Clone, Debug)]
struct Sum<T> {
    x: T,
}

#[reversible]
fn not_for_floats<T: Real + Exact>(y: &mut T, s: &Sum<T>) {
    *y += s.x;
}

#[reversible]
fn type_of_a_trait<N: Named<Number = Inner<f64>>>(y: &mut f64, s: &N::Number, #[constant] _of: &N) {
    *y += s.c;
}

#[test]
fn types_of_every_kind_are_looked_at() {
    let s = Flagged::<f64, true, 'c', 2> { x: [3.0, 4.0] };
    assert_eq!(constants_of_all_types::gradient(&s).1.x, [8.0, 6.0]);
    assert_eq!(alias_of_a_number(&2.0, 3.0), 18.0);
    let mut y = retrograd::numbers::Fixed::<16>::lit(1.0);
    not_for_floats(&mut y, &Sum { x: Real::lit(2.0) });
    assert_eq!(y.to_f64(), 3.0);
    struct Of;
    impl Named for Of {
        type Number = Inner<f64>;
    }
    let mut y = 1.0;
    type_of_a_trait(&mut y, &Inner { c: 2.0 }, &Of);
    assert_eq!(y, 3.0);
}

// Signs and raw names.

#[reversible]
fn twice_negated(x: f64, n: i32) -> f64 {
    2.0 * -(-x) + x.powi(-(-n))
}

#[derive(Active, Clone, Debug, PartialEq)]
enum Raw<T> {
    Field { r#type: T, k: T },
    r#Match(T),
}

#[reversible]
fn raw_field(raw: &Raw<f64>) -> f64 {
    match raw {
        Raw::Field { r#type, k } => *r#type * *k,
        Raw::r#Match(x) => *x * *x,
    }
}

#[test]
fn signs_and_raw_names_stay() {
    assert_eq!(twice_negated::gradient(3.0, 2), (15.0, 8.0));
    assert_eq!(raw_field::gradient(&Raw::Field { r#type: 2.0, k: 3.0 }), (6.0, Raw::Field { r#type: 3.0, k: 2.0 }));
    assert_eq!(raw_field::gradient(&Raw::r#Match(2.0)), (4.0, Raw::r#Match(4.0)));
}

// Large numbers.

#[reversible]
fn large_indices(x: &mut [f64], i: usize) {
    if i > 9 {
        x[i * 9223372036854775807 * 9223372036854775807 * 4] += x[i + 1];
        x[i * 9223372036854775807 * (i * 9223372036854775807 + 3) * (4 * i + 7)] += x[i];
        x[i] += x[i * 9223372036854775807 * 9223372036854775807 * 2 - i * 9 + 1];
    }
}

#[test]
fn the_compiler_does_not_panic() {
    let mut x = [1.0];
    large_indices(&mut x, 0);
}
