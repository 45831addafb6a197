//! Derivatives through patterns: parts behind `..` are counted from the end, and what may be absent has a shadow where it is there.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::check::{Compare, Report};
use retrograd::prelude::*;

type Row = (f64, f64, f64, f64);

#[reversible]
fn behind_the_rest_of_an_array(x: &[f64; 5]) -> f64 {
    let [a, .., b] = x;
    let [.., c, _] = *x;
    let [ref d, _, ..] = *x;
    a * b * b + c * d * d
}

#[reversible]
#[allow(clippy::type_complexity, reason = "the types are what is tested")]
fn behind_the_rest_of_a_tuple(x: &(f64, f64, f64, f64), y: &(f64, (f64, f64, f64), [(f64, f64, f64); 2])) -> f64 {
    let (a, .., b) = x;
    let (.., c, _) = *x;
    let (d, .., [.., (.., e)]) = y;
    let (_, (f, .., g), ..) = *y;
    a * b * b + c * d * e + f * g * g
}

#[reversible]
fn behind_the_rest_in_arms(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [a] => a * a,
        [a, .., b] if *a > 5.0 => a * b,
        [a, b, .., c, d] => a * b * b + c * d * d,
        [.., b] => b * b * b,
    }
}

#[reversible]
fn behind_the_rest_in_loops(x: &[(f64, f64, f64, f64)], y: &[Vec<(f64, f64, f64)>]) -> f64 {
    let mut s = 0.0;
    for (a, .., b) in x.iter() {
        s += a * b * b;
    }
    for &(.., b) in x {
        s += b * b;
    }
    for ((a, .., b), (i, ..)) in x.iter().zip(y.iter().enumerate()) {
        s += a * b * i as f64;
    }
    for (.., row) in x.iter().zip(y.iter()) {
        for (a, .., b) in row.iter() {
            s += a * b * b;
        }
    }
    s
}

#[reversible]
fn behind_the_rest_in_closures(x: &[(f64, f64, f64, f64)], y: &[[f64; 4]]) -> f64 {
    let first: f64 = x.iter().map(|(a, .., b)| a * b * b).sum();
    let second: f64 = y.iter().map(|[a, .., b, _]| a * b * b).sum();
    first * second
}

#[reversible]
fn behind_the_rest_of_values(x: f64, y: f64, z: f64) -> f64 {
    let (a, .., b) = (x * y, y, z * z, x + z);
    let [c, .., d] = [x * x, y, z * y];
    let e = match (x, y, z) {
        (p, .., q) if p > q => p * q * q,
        (.., q) => q * q,
    };
    a * b * b + c * d * d + e
}

#[reversible]
fn what_the_rest_is(x: &[f64]) -> f64 {
    let all = match x {
        [a, rest @ .., b] => {
            let middle = rest.iter().map(|v| v * v).sum::<f64>();
            a * middle * b + rest[0] * rest[rest.len() - 1]
        }
        _ => 0.0,
    };
    let last = if let [_, rest @ ..] = x { rest[1] * rest[1] } else { 0.0 };
    all + last
}

#[reversible]
fn a_part_and_its_parts(x: &((f64, f64), [f64; 3])) -> f64 {
    let (p @ (a, b), v @ [c, .., d]) = x;
    p.0 * a * b + v[1] * c * d * p.1
}

#[reversible]
fn behind_the_rest_in_a_procedure(y: &mut f64, x: &[f64], h: &[(Vec<f64>, f64, [f64; 2])]) {
    match x {
        [a, .., b] => {
            *y += a * b * b;
        }
        _ => {}
    }
    if let [a, .., b, _] = x {
        *y *= a + b * b;
    }
    for (v, .., [.., w]) in h.iter() {
        *y += v[0] * w * w;
    }
}

#[test]
fn parts_behind_the_rest_of_a_pattern_are_counted_from_the_end() {
    let rows: Vec<Row> = vec![(0.3, 0.4, 0.5, 0.6), (0.7, -0.2, 0.9, 1.1)];
    laws!(scalar behind_the_rest_of_an_array(&x = [1.0, 2.0, 3.0, 4.0, 5.0]));
    laws!(scalar behind_the_rest_of_a_tuple(
        &x = (1.0, 2.0, 3.0, 4.0),
        &y = (0.3, (0.4, 0.5, 0.6), [(0.7, 0.8, 0.9), (1.0, 1.1, 1.2)])
    ));
    for n in 0..6 {
        laws!(scalar behind_the_rest_in_arms(&[x] = vec![1.5, 2.0, 3.0, 4.0, 5.0, 6.0][..n].to_vec()));
    }
    laws!(scalar behind_the_rest_in_arms(&[x] = vec![6.5, 2.0, 3.0]));
    laws!(scalar behind_the_rest_in_loops(
        &[x] = rows.clone(),
        &[y] = vec![vec![(0.1, 0.2, 0.3)], vec![(0.4, 0.5, 0.6), (0.7, 0.8, 0.9)]]
    ));
    laws!(scalar behind_the_rest_in_closures(&[x] = rows.clone(), &[y] = vec![[0.3, 0.4, 0.5, 0.6], [0.9, 0.8, 0.7, 0.6]]));
    for z in [0.2, 0.9] {
        laws!(scalar behind_the_rest_of_values(x = 0.5, y = 0.7, z = z));
    }
    laws!(scalar what_the_rest_is(&[x] = vec![0.3, 0.4, 0.5, 0.6, 0.7]));
    laws!(scalar a_part_and_its_parts(&x = ((0.3, 0.4), [0.5, 0.6, 0.7])));
    laws!(behind_the_rest_in_a_procedure(
        &mut y = 0.4,
        &[x] = vec![1.0, 2.0, 3.0, 4.0, 5.0],
        &[h] = vec![(vec![0.3, 0.2], 0.4, [0.5, 0.6]), (vec![0.1], 0.2, [0.9, 0.8])]
    ));
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Point(f64, f64);

impl retrograd::check::Compare for Point {
    fn compare(&self, actual: &Self, report: &mut retrograd::check::Report) {
        (self.0, self.1).compare(&(actual.0, actual.1), report);
    }
}

#[reversible]
fn of_tuple_structs(p: &Point, all: &[Point], y: f64) -> f64 {
    let Point(a, b) = p;
    let own = Point(y * *a, y);
    let Point(c, _) = own;
    let mut sum = *a * *b * c;
    for Point(u, v) in all {
        sum += *u * *v * *u;
    }
    sum
}

#[reversible]
fn of_halves(s: &mut f64, x: &[f64], m: usize) {
    let (left, right) = x.split_at(m);
    *s += left[0] * right[0];
    let (_, rest) = right.split_at(1);
    for i in 0..rest.len() {
        *s += rest[i] * left[i];
    }
}

#[test]
fn parts_of_tuple_structs_and_halves_of_slices() {
    laws!(scalar of_tuple_structs(&p = Point(0.5, 1.5), &[all] = vec![Point(2.0, -1.0), Point(0.25, 3.0)], y = 0.75));
    laws!(of_halves(&mut s = 0.5, &[x] = vec![1.0, 2.0, 3.0, 4.0, 5.0], #m = 2));
}

#[derive(Active, Clone, Debug)]
struct Segment<T> {
    ends: Ends<T>,
    weight: T,
}

#[derive(Active, Clone, Debug)]
struct Ends<T> {
    first: T,
    others: [T; 2],
}

#[derive(Active, Clone, Debug)]
struct Scaled<T>(T, T);

#[reversible]
fn segment<T: Real>(x: T) -> Segment<T> {
    Segment { ends: Ends { first: x * x, others: [x.sin(), x] }, weight: x.cos() }
}

#[reversible]
fn of_values<T: Real>(x: T, y: T) -> T {
    let Segment { ends: Ends { first, others: [a, b] }, weight } = segment(x);
    let Scaled(c, _) = Scaled(x * y, y);
    let (Scaled(d, e), f) = (Scaled(x, y * y), x + y);
    first * a + weight * b * c + d * e * f
}

#[reversible]
fn of_values_in_part<T: Real>(x: T) -> T {
    let Segment { ends, weight } = segment(x);
    let Ends { first, .. } = &segment(x * x).ends;
    ends.first * ends.others[1] * weight * *first
}

#[test]
fn parts_of_values_without_a_name() {
    laws!(scalar of_values(x = 0.7, y = 0.4));
    laws!(scalar of_values_in_part(x = 0.7));
}

#[reversible]
fn halves_in_an_expression<T: Real>(x: &[T]) -> T {
    let both = x.split_at(2);
    let inner = {
        let (a, b) = x[1..].split_at(1);
        a[0] * b[1]
    };
    let sum: T = x.split_at(3).1.iter().map(|v| *v * *v).sum();
    both.0[0] * both.1[1] * inner + x.split_at(1).1[0] * sum
}

#[reversible]
fn pair_of_references<T: Real>(x: &[T], y: &[T]) -> T {
    let pair = (&x[1..], y);
    pair.0[0] * pair.1[0] * pair.0[1]
}

#[test]
fn halves_are_references_wherever_they_stand() {
    laws!(scalar halves_in_an_expression(&[x] = vec![0.3, 0.7, 0.2, 0.9]));
    laws!(scalar pair_of_references(&[x] = vec![0.3, 0.7, 0.2], &[y] = vec![0.4]));
}

#[reversible]
fn of_values_inside_an_expression<T: Real>(x: T, y: T) -> T {
    let product = {
        let Segment { ends: Ends { first, others: [_, b] }, weight } = segment(x);
        first * b * weight
    };
    let sum = if y > 0.0 {
        let (_, [(a, _), ..]) = nested(x, y);
        a * y
    } else {
        y
    };
    product + sum
}

#[reversible]
fn nested<T: Real>(x: T, y: T) -> (T, [(T, T); 2]) {
    (x, [(x * y, y), (y, x)])
}

#[test]
fn parts_of_values_inside_an_expression() {
    laws!(scalar of_values_inside_an_expression(x = 0.7, y = 0.4));
}

#[reversible]
fn in_arms<T: Real>(x: T, scale: Option<T>) -> T {
    match scale {
        Some(s) if s > x => s * s * x,
        Some(s) => s * x * x,
        None => x.sin(),
    }
}

#[reversible]
fn in_branches(y: &mut f64, scale: &Option<f64>, shift: Option<f64>) {
    if let Some(s) = scale {
        *y *= *s;
    }
    if let Some(s) = shift {
        *y += s * s;
    } else {
        *y -= 1.0;
    }
}

#[reversible]
fn unwrapped<T: Real>(x: T, a: Option<T>, b: &Option<T>) -> T {
    x * a.unwrap_or(x * x) + b.unwrap_or_else(|| x.sin()) * a.unwrap_or(T::one())
}

#[reversible]
fn surely<T: Real>(x: T, a: Option<T>, b: &Option<Vec<T>>) -> T {
    a.unwrap() * x + a.expect("it is there") * b.as_ref().unwrap()[1]
}

#[reversible]
fn root<T: Real>(x: T) -> Option<T> {
    if x > T::zero() { Some(x.sqrt()) } else { None }
}

#[reversible]
fn made<T: Real>(x: T, y: T) -> T {
    let (a, b) = (root(x), root(y));
    let c = if x > y { Some((x * y, y)) } else { None };
    let of_roots = match (a, b) {
        (Some(r), Some(s)) => r * s,
        (Some(r), None) => r,
        (None, _) => y,
    };
    match c {
        Some((product, factor)) => of_roots * product + factor,
        None => of_roots,
    }
}

#[reversible]
fn of_elements<T: Real>(all: &[Option<T>], nested: &Option<Option<[T; 2]>>) -> T {
    let mut sum = T::zero();
    for one in all.iter() {
        if let Some(v) = one {
            sum += *v * *v;
        }
    }
    match nested {
        Some(Some([a, b])) => sum * *a + *b,
        Some(None) => sum,
        None => T::zero(),
    }
}

#[derive(Active, Clone, Debug)]
struct Damped {
    x: f64,
    damping: Option<f64>,
    #[constant]
    limit: Option<f64>,
    #[constant]
    law: Law,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Linear,
    Power(f64),
    Shifted { by: f64 },
}

impl Compare for Damped {
    fn compare(&self, actual: &Self, report: &mut Report) {
        (self.x, self.damping).compare(&(actual.x, actual.damping), report);
    }
}

#[reversible]
fn of_fields(s: &Damped) -> f64 {
    let force = match s.law {
        Law::Linear => s.x,
        Law::Power(p) => s.x * s.x * p,
        Law::Shifted { by } => s.x + by,
    };
    let damped = match &s.damping {
        Some(d) => force * *d,
        None => force,
    };
    match s.limit {
        Some(limit) if damped > limit => limit * s.x,
        _ => damped,
    }
}

#[reversible(record)]
fn largest(x: &[f64]) -> f64 {
    let mut best: Option<(f64, usize)> = None;
    let mut last = None;
    for i in 0..x.len() {
        if let Some(l) = last {
            best = match best {
                Some((b, at)) if b > x[i] => Some((b * l, at)),
                _ => Some((x[i], i)),
            };
        }
        last = Some(x[i]);
    }
    let Some((b, at)) = best else {
        return 0.0;
    };
    b * x[at]
}

#[test]
fn options_are_taken_apart() {
    for scale in [Some(0.3), Some(2.0), None] {
        laws!(scalar in_arms(x = 0.7, scale = scale));
        laws!(in_branches(&mut y = 0.4, &scale = scale, shift = scale));
        laws!(scalar unwrapped(x = 0.7, a = scale, &b = Some(0.2)));
        laws!(scalar unwrapped(x = 0.7, a = scale, &b = None));
        laws!(scalar of_elements(&[all] = vec![Some(0.3), None, scale], &nested = Some(Some([0.5, 0.2]))));
        laws!(scalar of_elements(&[all] = vec![Some(0.3), None, scale], &nested = Some(None)));
        for law in [Law::Linear, Law::Power(1.5), Law::Shifted { by: 0.5 }] {
            laws!(scalar of_fields(&s = Damped { x: 0.8, damping: scale, limit: Some(0.5), law }));
            laws!(scalar of_fields(&s = Damped { x: 0.8, damping: scale, limit: None, law }));
        }
    }
    laws!(scalar surely(x = 0.7, a = Some(0.3), &b = Some(vec![0.2, 0.4])));
    for (x, y) in [(0.7, 0.3), (0.3, 0.7), (0.7, -0.3), (-0.3, 0.7)] {
        laws!(scalar made(x = x, y = y));
    }
    for x in [vec![], vec![0.3, 0.2], vec![1.1, 1.3, 0.2, 0.7, 1.2]] {
        laws!(scalar largest(&[x] = x.clone()));
    }
    assert_eq!(made::hessian(4.0, -1.0).2, hessian_of(4.0, -1.0));
}

/// Of `sqrt(x) * x * y + y`.
fn hessian_of(x: f64, y: f64) -> Vec<f64> {
    vec![0.75 * y / x.sqrt(), 1.5 * x.sqrt(), 1.5 * x.sqrt(), 0.0]
}

#[reversible]
fn of_slices_of_locals(x: f64, y: &[f64]) -> f64 {
    let (a, b) = ([x, x * x, 2.0], y.to_vec());
    let first = match a.as_slice() {
        [p, q, r] => *p * *q * *r,
        _ => 0.0,
    };
    let second = match b.as_slice() {
        [p, .., q] => p * q * q,
        [p] => p * x,
        [] => x,
    };
    first * second
}

#[reversible]
fn of_boxes(x: f64, y: f64) -> f64 {
    let b = Box::new(x * y);
    let pair = Box::new((x, [y, *b]));
    *b * pair.0 + pair.1[1] * pair.1[0]
}

/// Where to split is asked of what is split.
#[reversible]
fn in_the_middle(x: &[f64]) -> f64 {
    let mut l = x.to_vec();
    let (a, b) = l.split_at_mut(l.len() / 2);
    for i in 0..a.len() {
        a[i] += b[i] * b[i];
    }
    l.iter().map(|v| v * v).sum()
}

#[test]
fn slices_boxes_and_halves_of_locals() {
    for y in [vec![], vec![0.4], vec![0.4, 0.9, 1.3]] {
        laws!(scalar of_slices_of_locals(x = 0.7, &[y] = y.clone()));
    }
    laws!(scalar of_boxes(x = 0.7, y = 1.3));
    laws!(scalar in_the_middle(&[x] = vec![0.3, 0.4, 0.5, 0.6, 0.7]));
}

#[reversible]
fn real_root(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[derive(Active, Clone, Debug)]
enum Hit {
    Miss,
    At { t: f64, normal: [f64; 2] },
}

#[reversible]
fn hit(x: f64, y: f64) -> Hit {
    if x > y { Hit::Miss } else { Hit::At { t: x * y, normal: [x, y * y] } }
}

/// What calls give is taken apart where they stand.
#[reversible]
fn of_calls(s: &mut f64, x: f64, y: f64) {
    if let Some(r) = real_root(x) {
        *s += r * y;
    } else if let Some(r) = real_root(y) {
        *s -= r;
    }
    match hit(x, y) {
        Hit::At { t, normal: [a, b] } if t > 0.1 => *s += t * a * b,
        Hit::At { t, .. } => *s += t,
        Hit::Miss => *s += x,
    }
}

#[reversible(record)]
#[allow(clippy::collapsible_if, reason = "statements have no chains of lets")]
fn of_calls_in_a_loop(x: &[f64]) -> f64 {
    let mut nearest = 10.0;
    let mut shade = 0.0;
    for v in x {
        if let Hit::At { t, normal } = hit(*v, x[0]) {
            if t < nearest {
                nearest = t;
                shade = shade * t + normal[0] * normal[1];
            }
        }
    }
    nearest * shade
}

#[test]
fn values_of_calls_are_taken_apart() {
    for (x, y) in [(0.7, 1.3), (-0.7, 0.4), (0.2, 0.3), (1.3, 0.7)] {
        laws!(of_calls(&mut s = 0.5, x = x, y = y));
    }
    laws!(scalar of_calls_in_a_loop(&[x] = vec![0.9, 0.7, 1.4, 0.3]));
}

/// Of the elements of a vector nothing is written where it begins.
#[reversible(record)]
fn listed(x: &[f64]) -> f64 {
    let mut hits = Vec::new();
    let mut pairs = vec![];
    let mut rows = Vec::with_capacity(2);
    for v in x {
        hits.push(hit(*v, x[0]));
        pairs.push((*v, [*v * x[1], 2.0]));
        rows.push([*v, x[0]]);
    }
    let mut sum = 0.0;
    for i in 0..hits.len() {
        if let Hit::At { t, .. } = &hits[i] {
            sum = sum * pairs[i].0 + *t * pairs[i].1[0] * rows[i][1];
        }
    }
    sum
}

#[test]
fn vectors_begin_without_a_type() {
    laws!(scalar listed(&[x] = vec![0.9, 0.7, 1.4, 0.3]));
}
