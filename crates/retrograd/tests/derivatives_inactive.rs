//! Derivatives beside what carries none: ranges, and methods that only look at a shape.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn of_fields(y: &mut f64, x: &[f64], part: &(usize, usize, f64)) {
    let r = part.0..part.1;
    for i in r.clone() {
        *y += x[i] * part.2;
    }
    for v in x[part.0..part.1].iter() {
        *y += v * v;
    }
    let (whole, scale) = (part.0..=part.1, part.2);
    *y += x[*whole.start()] * x[*whole.end()] * scale;
}

#[reversible]
fn within(y: &mut f64, x: f64, a: f64, b: f64) {
    if (a..b).contains(&x) && (a..=b * b).contains(&x) && (a..).contains(&x) {
        *y += x * x * a;
    }
    #[constant]
    let r = a..=b;
    if r.contains(&x) {
        *y += x * b;
    }
}

#[test]
fn no_derivative_is_lost_in_ranges_of_integers_and_in_questions() {
    laws!(of_fields(&mut y = 0.3, &[x] = vec![1.0, 2.0, 3.0, 4.0], &part = (1, 3, 2.0)));
    for x in [0.5, 3.0, 7.0] {
        laws!(within(&mut y = 0.3, x = x, a = 1.0, b = 4.0));
    }
}

#[derive(Active, Clone, Debug)]
struct Grid {
    lengths: Vec<usize>,
    cells: Vec<f64>,
}

impl Grid {
    fn shape(&self) -> &[usize] {
        &self.lengths
    }
}

#[derive(Active, Clone, Debug)]
struct Table {
    cells: Vec<f64>,
}

impl Table {
    fn shape(&self) -> (usize, [usize; 2], &str, Vec<usize>) {
        (self.cells.len(), [1, self.cells.len()], "table", vec![self.cells.len()])
    }
}

#[reversible]
fn sum(grid: &Grid, table: &Table) -> f64 {
    let mut s = 0.0;
    for i in 0..grid.shape()[0] {
        s += grid.cells[i] * grid.cells[i];
    }
    for i in 0..table.shape().1[1].min(table.shape().3[0]) {
        s += table.cells[i].sin() * grid.cells[0];
    }
    s
}

/// Where its parts begin and end, and how many there are.
#[derive(Active, Clone)]
struct Parts {
    ends: Vec<(usize, usize)>,
    cells: Vec<f64>,
}

impl Parts {
    fn ends(&self) -> &[(usize, usize)] {
        &self.ends
    }

    fn counts(&self) -> Box<[[usize; 1]]> {
        [[self.ends.len()]].into()
    }
}

#[reversible]
fn sum_of_parts(parts: &Parts) -> f64 {
    let mut s = 0.0;
    for k in 0..parts.counts()[0][0] {
        for i in parts.ends()[k].0..parts.ends()[k].1 {
            s += parts.cells[i] * parts.cells[0];
        }
    }
    s
}

#[test]
fn a_shape_may_be_a_slice_of_tuples_or_a_box() {
    let parts = Parts { ends: vec![(0, 1), (1, 3)], cells: vec![0.3, 0.4, 0.5] };
    let (value, by_parts) = sum_of_parts::gradient(&parts);
    laws::close(&[0.36], &[value], "the value");
    laws::close(&[1.5, 0.3, 0.3], &by_parts.cells, "the gradient");
}

#[test]
fn a_shape_may_be_a_slice_or_a_tuple() {
    let (grid, table) = (Grid { lengths: vec![2, 1], cells: vec![0.3, 0.4] }, Table { cells: vec![0.5, 0.6] });
    let (value, by_grid, by_table) = sum::gradient(&grid, &table);
    let (s, c) = (0.5_f64.sin() + 0.6_f64.sin(), [0.5_f64.cos(), 0.6_f64.cos()]);
    laws::close(&[0.25 + 0.3 * s], &[value], "the value");
    laws::close(&[0.6 + s, 0.8], &by_grid.cells, "the gradient of the grid");
    laws::close(&[0.3 * c[0], 0.3 * c[1]], &by_table.cells, "the gradient of the table");
}

/// Everything that is inactive by its name, under its own name.
mod real_names {
    use std::borrow::Cow;
    use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
    use std::marker::PhantomData;
    use std::num::{Saturating, Wrapping};
    use std::ops::{Range, RangeFull};
    use std::rc::Rc;
    use std::sync::Arc;

    use retrograd::prelude::*;
    use retrograd::{InformationBuffer, Slots};

    #[reversible]
    #[allow(unused_variables, clippy::too_many_arguments, clippy::type_complexity, reason = "each kind once")]
    pub(crate) fn scaled<'a, T: Real>(
        x: T,
        kind: PhantomData<T>,
        text: (&str, &String, Box<str>, Cow<'a, str>, Cow<str>, char),
        lists: (&[u8], [bool; 2], Rc<[usize]>, Arc<Vec<i32>>, Option<&'a VecDeque<u16>>),
        maps: (&HashMap<u8, i8>, &BTreeMap<String, Vec<usize>>, &HashSet<i64>, &BTreeSet<(u8, char)>),
        numbers: (Wrapping<u32>, Saturating<u64>, std::primitive::i128, u128, isize),
        own: (&Stack<usize>, &Slots<u8, bool>, &InformationBuffer),
        ranges: (RangeFull, &Range<usize>),
    ) -> T {
        let count: usize = lists.0.len();
        let part: Range<_> = 0..count;
        let list: Vec<u8> = lists.0.to_vec();
        x * x * T::lit(part.end as f64) * T::lit(list[0] as f64)
    }

    #[derive(Active, Clone, Debug)]
    pub(crate) struct Labelled<'a, T> {
        pub(crate) weights: Vec<T>,
        pub(crate) label: &'a str,
        pub(crate) names: Vec<String>,
        pub(crate) part: Range<usize>,
        pub(crate) kind: PhantomData<T>,
        pub(crate) shape: Option<[usize; 2]>,
    }
}

#[test]
fn names_of_inactive_types_are_taken_at_their_word() {
    use retrograd::{InformationBuffer, Slots};
    let text = ("a", &String::new(), "b".into(), "c".into(), "d".into(), 'e');
    let lists = (&[3][..], [true; 2], [1].into(), vec![1].into(), None);
    let maps = (&[(1, 1)].into(), &[].into(), &[1].into(), &[].into());
    let numbers = (std::num::Wrapping(1), std::num::Saturating(1), 1, 1, 1);
    let own = (&Stack::new(), &Slots::new(), &InformationBuffer::new());
    let (value, slope) =
        real_names::scaled::gradient(2.0, std::marker::PhantomData, text, lists, maps, numbers, own, (.., &(0..1)));
    assert_eq!((value, slope), (12.0, 12.0));
    let labelled = real_names::Labelled {
        weights: vec![1.0, 2.0],
        label: "l",
        names: vec![],
        part: 0..1,
        kind: std::marker::PhantomData::<f64>,
        shape: None,
    };
    assert_eq!((labelled.count(), labelled.label, labelled.part), (2, "l", 0..1));
}

#[derive(Active, Clone, Debug)]
struct Term {
    factor: f64,
    power: i32,
}

#[reversible]
fn powers(x: f64, term: &Term, pair: (f64, i32), terms: &[(f64, i32)], all: &[Term]) -> f64 {
    let mut sum = term.factor * x.powi(term.power) + pair.0 * x.powi(pair.1 + 1);
    for (factor, power) in terms {
        sum += *factor * x.powi(*power);
    }
    for i in 0..terms.len() {
        sum += x.powi(terms[i].1) * f64::powi(x, all[0].power);
    }
    for t in all.iter() {
        let n = t.power;
        sum += t.factor * x.powi(n);
    }
    sum
}

#[reversible]
fn counted(x: &[f64], y: f64) -> f64 {
    let positive = x.iter().filter(|v| **v > 0.0).count();
    let first = x.iter().position(|v| *v > 1.0).unwrap_or(0);
    let n = positive as f64;
    if x.iter().any(|v| *v > y) && x.iter().zip(x).all(|(a, b)| *a == *b) { n * y * x[first] } else { y * y }
}

#[test]
fn integers_beside_active_numbers_have_no_derivative() {
    let term = Term { factor: 0.5, power: 3 };
    let expected = |x: f64| 0.5 * x.powi(3) * 2.0 + 2.0 * x.powi(2) + 0.25 * x.powi(2) + x.powi(5);
    let all = std::slice::from_ref(&term);
    let (value, slope, of_term, of_pair, of_terms, of_all) = powers::gradient(1.5, &term, (2.0, 1), &[(0.25, 2)], all);
    assert!((value - expected(1.5)).abs() < 1e-12);
    let difference = (expected(1.5 + 1e-6) - expected(1.5 - 1e-6)) / 2e-6;
    assert!((slope - difference).abs() < 1e-6);
    assert_eq!((of_term.factor, of_pair.0), (3.375, 2.25));
    assert_eq!((of_terms[0].0, of_all[0].factor), (2.25, 3.375));
}

#[test]
fn what_is_asked_of_an_iterator_carries_no_derivative() {
    laws!(scalar counted(&[x] = vec![0.5, 2.0, -1.0], y = 0.75));
    laws!(scalar counted(&[x] = vec![0.5, 2.0, -1.0], y = 3.0));
}

/// In each, one factor is a constant: the gradient of 2x² at 3 is that of 6x.
mod constants_inside_expressions {
    use retrograd::prelude::*;

    #[reversible]
    fn of_a_block(x: f64) -> f64 {
        let y = {
            #[constant]
            let t = 2.0 * x;
            t * x
        };
        y
    }

    #[reversible]
    fn of_a_branch<T: Real>(x: T) -> T {
        if x > 0.0 {
            #[constant]
            let t = 2.0 * x;
            t * x
        } else {
            x
        }
    }

    #[reversible]
    fn of_an_arm(x: &(f64, f64)) -> f64 {
        match x.1 > 0.0 {
            true => {
                #[constant]
                let r = &x.0;
                #[constant]
                let (u, v) = (*r, 2.0);
                x.0 * u * v
            }
            false => 0.0,
        }
    }

    #[reversible]
    fn of_terms(x: &[f64]) -> f64 {
        x.iter()
            .map(|v| {
                #[constant]
                let t = 2.0 * *v;
                t * *v
            })
            .sum()
    }

    #[reversible]
    fn of_elements(x: &[f64]) -> f64 {
        let all: Vec<f64> = x
            .iter()
            .map(|v| {
                #[constant]
                let t = 2.0 * *v;
                t * *v
            })
            .collect();
        all[0]
    }

    #[reversible]
    fn of_a_closure(x: f64) -> f64 {
        let product = |v: f64| {
            #[constant]
            let t = 2.0 * v;
            t * v
        };
        product(x)
    }

    #[reversible(record)]
    fn of_an_assignment(x: f64) -> f64 {
        let mut y = x;
        y = {
            #[constant]
            let t = 2.0 * x;
            t * y
        };
        y
    }

    #[test]
    fn a_constant_inside_an_expression_has_no_derivative() {
        for (value, gradient) in [
            of_a_block::gradient(3.0),
            of_a_branch::gradient(3.0),
            of_a_closure::gradient(3.0),
            of_an_assignment::gradient(3.0),
        ] {
            assert_eq!((value, gradient), (18.0, 6.0));
        }
        assert_eq!(of_an_arm::gradient(&(3.0, 1.0)), (18.0, (6.0, 0.0)));
        assert_eq!(of_terms::gradient(&[3.0]), (18.0, vec![6.0]));
        assert_eq!(of_elements::gradient(&[3.0]), (18.0, vec![6.0]));
        for tangents in [
            of_a_block::pushforward((3.0, 1.0)),
            of_a_branch::pushforward((3.0, 1.0)),
            of_a_closure::pushforward((3.0, 1.0)),
            of_an_assignment::pushforward((3.0, 1.0)),
            of_an_arm::pushforward((&(3.0, 1.0), &(1.0, 0.0))),
            of_terms::pushforward((&[3.0], &[1.0])),
            of_elements::pushforward((&[3.0], &[1.0])),
        ] {
            assert_eq!(tangents, (18.0, 6.0));
        }
        assert!(of_a_block::source(Direction::Pullback).contains("#[constant]"));
    }
}

#[derive(Active, Clone, Debug)]
struct Filter {
    gain: f64,
    #[constant]
    scale: f64,
    #[constant]
    weights: Vec<f64>,
    #[constant]
    bounds: (f64, f64),
    #[constant]
    shift: Option<f64>,
    order: usize,
}

impl retrograd::check::Compare for Filter {
    fn compare(&self, actual: &Self, report: &mut retrograd::check::Report) {
        self.gain.compare(&actual.gain, report);
    }
}

#[derive(Active, Clone, Debug)]
struct Clamp {
    x: f64,
    #[constant]
    bounds: (f64, (f64, usize), [f64; 2]),
}

impl retrograd::check::Compare for Clamp {
    fn compare(&self, actual: &Self, report: &mut retrograd::check::Report) {
        self.x.compare(&actual.x, report);
    }
}

#[reversible]
fn clamped(c: &Clamp, y: f64) -> f64 {
    let (low, (high, _), _) = c.bounds;
    c.x * c.bounds.0 * y + c.bounds.1.0 * y * low + c.x * high * c.bounds.2[1]
}

#[reversible]
fn moved(c: &mut Clamp, y: f64) {
    c.x += c.bounds.0 * y;
    c.x *= c.bounds.1.0;
}

#[test]
fn parts_of_a_constant_tuple_have_no_derivative() {
    let c = Clamp { x: 0.7, bounds: (0.3, (0.9, 2), [0.2, 0.4]) };
    laws!(scalar clamped(&c = c.clone(), y = 0.6));
    laws!(moved(&mut c = c.clone(), y = 0.6));
    assert_eq!(c.flatten(), [0.7]);
}

#[reversible]
fn scaled(x: f64, #[constant] c: f64) -> f64 {
    x * x * c
}

#[reversible]
fn weighted(x: f64, #[constant] w: &[f64], #[constant] bounds: (f64, f64), #[constant] shift: Option<f64>) -> f64 {
    x * w[0] * bounds.0 + x.sin() * shift.unwrap_or(bounds.1)
}

#[reversible]
fn kick(v: &mut f64, x: f64, #[constant] c: f64) {
    *v += x * c;
}

#[primitive(d_x = n * libm::pow(x, n - 1.0))]
fn power(x: f64, #[constant] n: f64) -> f64 {
    libm::pow(x, n)
}

#[reversible]
fn to_constant_parameters(f: &Filter, x: f64, #[constant] k: f64) -> f64 {
    let mut v = scaled(x, f.scale) + scaled(x, f.scale * 2.0 - f.weights[1]) + scaled(x, k) + scaled(x, -3.0);
    v += scaled(f.gain, f.order as f64) + scaled(x, f.scale.sqrt().max(f.weights[0]));
    v += weighted(x, &f.weights, f.bounds, f.shift) + weighted(x, &f.weights[1..], (f.scale, 2.0), None);
    v += weighted(f.gain, &[f.scale, k], (k, f.weights[0]), Some(f.scale)) + power(x, f.scale) + power(x, 2.0);
    v
}

#[reversible]
fn in_call_statements(v: &mut f64, f: &mut Filter, filters: &mut [Filter; 2], n: usize) {
    kick(v, f.gain, f.scale);
    kick(v, filters[0].gain, filters[1].scale * f.weights[0]);
    kick(&mut f.gain, *v, f.scale);
    kick(&mut filters[0].gain, *v, n as f64);
    kick::uncall(v, f.gain * 2.0, f.order as f64 + f.scale);
}

#[test]
fn constants_are_passed_to_constant_parameters() {
    let filter =
        Filter { gain: 0.4, scale: 1.5, weights: vec![0.3, 0.7], bounds: (0.2, 0.6), shift: Some(0.1), order: 2 };
    laws!(scalar to_constant_parameters(&f = filter.clone(), x = 0.8, #k = 1.2));
    let both = [filter.clone(), filter.clone()];
    laws!(in_call_statements(&mut v = 0.3, &mut f = filter.clone(), &mut filters = both, #n = 3));
}
