//! Values that are moved: into other locals, into parts of them, and out of a function.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::check::{Compare, Report};
use retrograd::prelude::*;

#[derive(Active, Clone, Debug, PartialEq)]
struct Weighted {
    list: Vec<f64>,
    weight: f64,
}

impl Compare for Weighted {
    fn compare(&self, actual: &Self, report: &mut Report) {
        (&self.list, self.weight).compare(&(&actual.list, actual.weight), report);
    }
}

#[reversible]
fn copies(x: &[f64]) -> [Vec<f64>; 2] {
    [x.to_vec(), x.to_vec()]
}

#[reversible]
fn nested_copies(x: &[f64], y: f64) -> (Vec<f64>, [Vec<f64>; 1], f64) {
    (x.to_vec(), [x.to_vec()], y * x[0])
}

#[reversible]
fn into_a_tuple(x: &[f64], y: f64) -> (Vec<f64>, f64) {
    let v = x.to_vec();
    (v, y * x[0])
}

#[reversible]
fn changed_and_into_a_tuple(x: &[f64], y: f64) -> (Vec<f64>, f64) {
    let mut v = x.to_vec();
    v[0] *= y;
    (v, y)
}

#[reversible]
fn into_a_struct(x: &[f64], y: f64) -> Weighted {
    let mut list = x.to_vec();
    list[1] += y * x[0];
    Weighted { list, weight: y }
}

#[reversible]
fn into_an_array(x: &[f64], y: f64) -> [Vec<f64>; 2] {
    let v = x.to_vec();
    let mut w = x.to_vec();
    w[0] *= y;
    [v, w]
}

#[reversible]
fn chosen(x: &[f64], y: f64) -> (Vec<f64>, f64) {
    let v = x.to_vec();
    let mut w = x.to_vec();
    w[0] *= y;
    if y > 0.0 { (v, y) } else { (w, y * y) }
}

#[reversible]
fn under_another_name(x: &[f64], y: f64) -> f64 {
    let v = x.to_vec();
    let z = v;
    z[0] * y * z[1]
}

#[reversible]
fn into_a_local(x: &[f64], y: f64) -> f64 {
    let mut v = x.to_vec();
    v[0] *= y;
    let p = (v, y * y);
    let q = (p, [x.to_vec(), x.to_vec()]);
    (q.0).0[0] * (q.0).1 * q.1[1][1]
}

#[reversible]
fn by_a_pattern(x: &[f64], y: f64) -> f64 {
    let d = Weighted { list: x.to_vec(), weight: y };
    let Weighted { list, weight } = d;
    list[0] * weight * list[1]
}

#[reversible]
fn out_of_a_struct(x: &[f64], y: f64) -> f64 {
    let d = Weighted { list: x.to_vec(), weight: y };
    let list = d.list;
    let (copy, n) = (list, x.len());
    copy[n - 1] * d.weight * y
}

#[reversible]
fn by_references(s: &Weighted, y: f64) -> f64 {
    let Weighted { list, weight } = s;
    let Weighted { list: ref same, weight: again } = *s;
    list[0] * *weight * y + same[1] * again
}

#[reversible]
fn total(v: Vec<f64>) -> f64 {
    v[0] * v[1]
}

#[reversible]
fn given_to_functions(x: &[f64], y: f64) -> f64 {
    total(x.to_vec()) * y + total(x.to_vec()) * total(copies(x)[0].clone())
}

#[reversible]
fn wrapped(v: Vec<f64>, weight: f64) -> Weighted {
    Weighted { list: v, weight }
}

#[reversible]
fn an_argument_is_given(v: Vec<f64>, y: f64) -> f64 {
    let n = v.len();
    let first = v[0];
    total(v) * first * y * n as f64
}

#[reversible]
fn a_local_is_given(x: &[f64], y: f64) -> Weighted {
    let mut v = x.to_vec();
    v[0] *= y;
    wrapped(v, y * x[0])
}

#[reversible]
fn a_part_is_given(p: (Vec<f64>, f64), y: f64) -> f64 {
    let mut sum = y;
    sum += total(p.0) * p.1;
    sum * sum
}

#[reversible]
fn one_way_gives(v: Vec<f64>, y: f64) -> f64 {
    if y > 0.0 { wrapped(v, y).list[1] * y } else { y }
}

#[reversible]
fn a_condition_is_given(v: Vec<f64>, x: &[f64], y: f64) -> f64 {
    let w: Vec<f64> = x.iter().map(|a| a * y).collect();
    if total(v) > 0.0 { total(w) } else { w[0] }
}

#[reversible(record)]
fn given_in_a_record(x: &[f64], v: Vec<f64>, y: f64) -> Weighted {
    let mut w = x.to_vec();
    w[0] = w[1] * y;
    let mut scale = y;
    scale = total(v) * scale;
    let mut made = wrapped(w, scale);
    made.weight = made.weight * made.list[0];
    made
}

#[reversible]
fn given_in_a_procedure(s: &mut f64, x: &[f64], v: Vec<f64>, y: f64) {
    let w = wrapped(v, y);
    let own = x.to_vec();
    *s += w.list[0] * w.weight;
    *s *= total(own);
}

#[test]
fn what_is_given_to_a_function_is_there_on_the_way_back() {
    let (v, w) = (vec![1.5, -0.5], vec![0.25, 0.75]);
    laws!(scalar an_argument_is_given(v = v.clone(), y = 0.75));
    laws!(fn a_local_is_given(&[x] = v.clone(), y = 0.75));
    laws!(scalar a_part_is_given(p = (v.clone(), 0.5), y = 0.75));
    for y in [0.75, -0.75] {
        laws!(scalar one_way_gives(v = v.clone(), y = y));
        laws!(scalar a_condition_is_given(v = v.clone(), &[x] = w.clone(), y = y));
        laws!(scalar a_condition_is_given(v = w.clone(), &[x] = w.clone(), y = y));
    }
    laws!(fn given_in_a_record(&[x] = v.clone(), v = w.clone(), y = 0.75));
    laws!(given_in_a_procedure(&mut s = 0.3, &[x] = v.clone(), v = w.clone(), y = 0.75));
}

#[reversible]
fn taken_out(o: Option<Vec<f64>>, y: f64) -> Vec<f64> {
    match o {
        Some(v) => v,
        None => vec![y, y * y],
    }
}

#[reversible]
fn read_inside(o: Option<Vec<f64>>, y: f64) -> f64 {
    let z = if let Some(v) = o { v[0] * v[1] * y } else { y };
    z * z
}

#[reversible]
fn read_under_a_guard(p: (Option<Vec<f64>>, f64), y: f64) -> f64 {
    match p.0 {
        Some(v) if y > 0.0 => v[0] * v[1] * p.1,
        Some(v) => v[1],
        None => p.1 * y,
    }
}

#[reversible]
fn added_from_inside(s: &mut f64, o: Option<Vec<f64>>, y: f64) {
    if let Some(v) = o {
        *s *= v[0];
        *s += v[1] * y;
    }
}

#[test]
fn what_patterns_take_out_is_there_on_the_way_back() {
    let v = vec![1.5, -0.5];
    for o in [Some(v.clone()), None] {
        laws!(fn taken_out(o = o.clone(), y = 0.75));
        laws!(scalar read_inside(o = o.clone(), y = 0.75));
        laws!(added_from_inside(&mut s = 0.3, o = o.clone(), y = 0.75));
        for y in [0.75, -0.75] {
            laws!(scalar read_under_a_guard(p = (o.clone(), 0.5), y = y));
        }
    }
}

#[reversible]
fn in_a_procedure(s: &mut f64, x: &[f64], y: f64, w: Vec<f64>) {
    let v = x.to_vec();
    *s += v[0] * y;
    let mut z = v;
    z[0] *= y;
    *s += z[0];
    let mut own = w;
    own[0] += z[1];
    let p = Weighted { list: own, weight: y };
    *s += p.list[0] * p.weight;
}

#[reversible]
fn an_argument(v: Vec<f64>) -> Vec<f64> {
    v
}

#[reversible]
fn an_argument_of_any_number<T: Real>(v: Vec<T>) -> Vec<T> {
    v
}

#[reversible]
fn an_argument_in_a_variant(v: Vec<f64>) -> Option<Vec<f64>> {
    Some(v)
}

#[reversible]
fn an_argument_in_a_struct(weight: f64, v: Vec<f64>) -> Weighted {
    Weighted { weight: weight * v[0], list: v }
}

#[reversible]
fn an_argument_in_a_tuple(v: Vec<f64>) -> (Vec<f64>, f64) {
    let y = v[0] * v[1];
    (v, y)
}

#[reversible]
fn an_argument_in_an_array(v: Vec<f64>, w: Vec<f64>) -> [Vec<f64>; 2] {
    [w, v]
}

#[reversible]
fn one_argument_or_the_other(first: bool, v: Vec<f64>, w: Vec<f64>) -> Vec<f64> {
    if first { v } else { w }
}

#[reversible]
fn an_argument_or_something_else(n: usize, v: Vec<f64>, y: f64) -> Vec<f64> {
    match n {
        0 => v,
        _ => vec![y * v[0], y],
    }
}

#[reversible]
fn a_field_of_an_argument(s: Weighted) -> Vec<f64> {
    s.list
}

#[reversible]
fn a_part_of_an_argument(p: (Vec<f64>, f64)) -> Vec<f64> {
    let (list, _) = p;
    list
}

#[reversible(record)]
fn an_argument_early(v: Vec<f64>, y: f64) -> Vec<f64> {
    if y > 0.0 {
        return v;
    }
    let mut w = v;
    w[0] = w[1] * y;
    w
}

#[reversible(record)]
fn an_argument_that_is_assigned(v: Vec<f64>, y: f64) -> Vec<f64> {
    let mut w = vec![y];
    if y > 0.0 {
        w = v;
    }
    w
}

#[test]
fn arguments_become_values() {
    let (v, w) = (vec![1.5, -0.5], vec![0.25, 0.75]);
    laws!(fn an_argument(v = v.clone()));
    laws!(fn an_argument_of_any_number(v = v.clone()));
    laws!(fn an_argument_in_a_variant(v = v.clone()));
    laws!(fn an_argument_in_a_struct(weight = 0.75, v = v.clone()));
    laws!(fn an_argument_in_a_tuple(v = v.clone()));
    laws!(fn an_argument_in_an_array(v = v.clone(), w = w.clone()));
    for first in [true, false] {
        laws!(fn one_argument_or_the_other(#first = first, v = v.clone(), w = w.clone()));
    }
    for n in 0..2 {
        laws!(fn an_argument_or_something_else(#n = n, v = v.clone(), y = 0.75));
    }
    laws!(fn a_field_of_an_argument(s = Weighted { list: v.clone(), weight: 0.75 }));
    laws!(fn a_part_of_an_argument(p = (v.clone(), 0.75)));
    for y in [0.75, -0.75] {
        laws!(fn an_argument_early(v = v.clone(), y = y));
        laws!(fn an_argument_that_is_assigned(v = v.clone(), y = y));
    }
}

#[test]
fn what_is_moved_out_of_a_function_has_derivatives() {
    let x = vec![1.5, -0.5];
    laws!(fn copies(&[x] = x.clone()));
    laws!(fn nested_copies(&[x] = x.clone(), y = 0.75));
    laws!(fn into_a_tuple(&[x] = x.clone(), y = 0.75));
    laws!(fn changed_and_into_a_tuple(&[x] = x.clone(), y = 0.75));
    laws!(fn into_a_struct(&[x] = x.clone(), y = 0.75));
    laws!(fn into_an_array(&[x] = x.clone(), y = 0.75));
    laws!(fn chosen(&[x] = x.clone(), y = 0.75));
    laws!(fn chosen(&[x] = x.clone(), y = -0.75));
}

#[test]
fn what_is_moved_into_a_local_is_there_on_the_way_back() {
    let x = vec![1.5, -0.5];
    laws!(scalar under_another_name(&[x] = x.clone(), y = 0.75));
    laws!(scalar into_a_local(&[x] = x.clone(), y = 0.75));
    laws!(scalar by_a_pattern(&[x] = x.clone(), y = 0.75));
    laws!(scalar out_of_a_struct(&[x] = x.clone(), y = 0.75));
    laws!(scalar by_references(&s = Weighted { list: x.clone(), weight: 2.0 }, y = 0.75));
    laws!(scalar given_to_functions(&[x] = x.clone(), y = 0.75));
    let (mut s, w) = (0.25, vec![0.5]);
    in_a_procedure(&mut s, &x, 0.75, w.clone());
    in_a_procedure::uncall(&mut s, &x, 0.75, w.clone());
    assert_eq!(s, 0.25);
    let (mut gs, mut gx, mut gy, mut gw) = (1.0, vec![0.0; 2], 0.0, vec![0.0]);
    in_a_procedure(&mut s, &x, 0.75, w.clone());
    in_a_procedure::pullback((&mut s, &mut gs), (&x, &mut gx), (0.75, &mut gy), (w.clone(), &mut gw));
    assert_eq!((s, gs, gx, gy, gw), (0.25, 1.0, vec![1.5, 0.75], 3.0, vec![0.75]));
    in_a_procedure::unpullback((&mut s, &mut 1.0), (&x, &mut [0.0; 2]), (0.75, &mut 0.0), (w, &mut vec![0.0]));
}
