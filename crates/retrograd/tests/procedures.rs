//! `procedure!` around calls of functions of any name, with several parts of a nested state.

#![deny(warnings)]

use retrograd::check::{Compare, Report, check_gradient};
use retrograd::prelude::*;
use retrograd::{ErrorKind, Procedure, attempt, procedure};

/// Functions with names that the expansion of `procedure!`, or a type or a module of the crate, has as well; also as callees of programs.
macro_rules! functions {
    ($($name:ident)*) => {$(
        mod $name {
            use super::*;

            #[reversible]
            fn $name(x: &mut f64, k: f64) {
                *x += k * k;
            }

            #[reversible]
            fn there_and_back(x: &mut f64, k: f64) {
                $name(x, k);
                *x *= 2.0;
                $name::uncall(x, k);
            }

            #[test]
            fn has_all_runs() {
                check_gradient(&(1.0, 3.0), 1e-6, procedure!(s: (f64, f64) => $name(&mut s.0, s.1))).unwrap();
                check_gradient(&(1.0, 3.0), 1e-6, procedure!($name: (f64, f64) => super::add_square(&mut $name.0, $name.1))).unwrap();
                check_gradient(&(1.0, 3.0), 1e-6, procedure!(s: (f64, f64) => there_and_back(&mut s.0, s.1))).unwrap();
                let mut state = (1.0, 3.0);
                procedure!(s: (f64, f64) => $name(&mut s.0, s.1)).run(&mut state);
                assert_eq!(state, (10.0, 3.0));
            }
        }
    )*};
}

functions! {
    step run call uncall pullback unpullback pushforward state shadow tangent adjoint seed sweep site indices reads element_0 shadow_0
    program body gradient zero add join check ops
}

/// What `procedure!` calls with a state of each of these names.
#[reversible]
fn add_square(x: &mut f64, k: f64) {
    *x += k * k;
}

/// `a += k b c`, and the other two as well.
#[reversible]
fn mix(a: &mut f64, b: &mut f64, c: &mut f64, k: f64) {
    *a += *b * *c * k;
    *b *= k;
    *c -= k * k;
}

#[reversible]
fn add_squares(a: &mut [f64], b: &mut [f64]) {
    for i in 0..a.len() {
        a[i] += b[i] * b[i];
        b[i] *= 2.0;
    }
}

/// `a += b c₀ c₁`
#[reversible]
fn add_product(a: &mut f64, b: &f64, c: &[f64]) {
    *a += *b * c[0] * c[1];
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Body {
    x: f64,
    v: f64,
    history: Vec<f64>,
}

impl Compare for Body {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("x", &self.x, &actual.x);
        report.field("v", &self.v, &actual.v);
        report.field("history", &self.history, &actual.history);
    }
}

#[reversible]
impl Body {
    fn kick(&mut self, by: f64) {
        self.v += by * self.x;
    }
}

fn bodies() -> Vec<Body> {
    vec![Body { x: 1.0, v: 2.0, history: vec![0.5, 0.25] }, Body { x: 1.5, v: 2.5, history: vec![0.75, 1.25] }]
}

#[test]
fn three_elements_go_into_one_call() {
    let (i, j, k) = (0, 2, 1);
    let x = vec![1.0, 2.0, 3.0, 4.0];
    check_gradient(&x, 1e-6, procedure!(s: Vec<f64> => mix(&mut s[i], &mut s[j], &mut s[k], 0.5))).unwrap();
    check_gradient(&x, 1e-6, procedure!(s: Vec<f64> => mix(&mut s[i], &mut s[j], &mut s[k], s[3]))).unwrap();
    check_gradient(&[1.0, 2.0, 3.0], 1e-6, procedure!(s: [f64; 3] => mix(&mut s[0], &mut s[1], &mut s[2], 0.5)))
        .unwrap();
    let (i, j) = (1, 1);
    let twice = procedure!(s: Vec<f64> => mix(&mut s[0], &mut s[i], &mut s[j], 0.5));
    assert_eq!(attempt(|| twice.run(&mut x.clone())).unwrap_err().kind, ErrorKind::EqualIndices);
}

#[test]
fn rows_and_ranges_go_into_one_call() {
    let (i, j) = (0, 2);
    let rows = vec![vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0, 6.0]];
    check_gradient(&rows, 1e-6, procedure!(s: Vec<Vec<f64>> => add_squares(&mut s[i], &mut s[j]))).unwrap();
    check_gradient(&rows[0], 1e-6, procedure!(s: Vec<f64> => add_squares(&mut s[..1], &mut s[1..]))).unwrap();
    check_gradient(&rows, 1e-6, procedure!(s: Vec<Vec<f64>> => add_product(&mut s[0][1], &s[1][1], &s[2][..2])))
        .unwrap();
    check_gradient(&rows.concat(), 1e-6, procedure!(s: Vec<f64> => add_product(&mut s[0], &s[1], &s[2..]))).unwrap();
    check_gradient(
        &(vec![1.0, 2.0], 3.0),
        1e-6,
        procedure!(s: (Vec<f64>, f64) => add_product(&mut s.1, &s.0[1], &s.0)),
    )
    .unwrap();
    let overlapping = procedure!(s: Vec<f64> => add_squares(&mut s[..2], &mut s[j - 1..]));
    assert_eq!(attempt(|| overlapping.run(&mut rows.concat())).unwrap_err().kind, ErrorKind::EqualIndices);
}

#[test]
fn fields_and_elements_go_into_one_call() {
    let (i, k) = (0, 1);
    check_gradient(&bodies()[0], 1e-6, procedure!(s: Body => mix(&mut s.x, &mut s.v, &mut s.history[0], 0.5))).unwrap();
    check_gradient(&bodies(), 1e-6, procedure!(s: Vec<Body> => add_product(&mut s[i].x, &s[k].v, &[0.5, 0.25])))
        .unwrap();
    check_gradient(&bodies(), 1e-6, procedure!(s: Vec<Body> => swap(&mut s[i].x, &mut s[k].v))).unwrap();
    check_gradient(&bodies(), 1e-6, procedure!(s: Vec<Body> => s[k].kick(0.5))).unwrap();
}
