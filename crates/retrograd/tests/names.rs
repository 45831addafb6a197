//! Names of the user that generated code could take for its own: raw identifiers, and words that companions use.

#![deny(warnings)]

#[path = "derivatives/laws.rs"]
mod laws;

use exchanged::in_turn;
use laws::laws;
use own::by_its_path;
use retrograd::check::{Compare, Report, check_gradient};
use retrograd::prelude::*;
use retrograd::{Direction, Shared, procedure};

#[reversible]
fn raw_parameters(r#type: &mut f64, r#in: f64) {
    *r#type += r#in * r#in;
}

#[reversible]
fn raw_locals<T: Real>(x: T) -> T {
    let r#in = 2.0 * x;
    let mut r#loop = r#in;
    r#loop += x;
    r#in * r#loop
}

#[reversible]
fn raw_sums(x: &[f64], k: f64) -> f64 {
    let mut r#match = k;
    for i in 0..x.len() {
        r#match += x[i] * k;
    }
    r#match
}

#[test]
fn sums_may_have_raw_names() {
    assert_eq!(raw_sums::gradient(&[1.0, 2.0], 3.0), (12.0, vec![3.0, 3.0], 4.0));
}

#[reversible]
fn r#move<T: Real>(r#mod: &[T]) -> [T; 2] {
    [r#mod[0] * r#mod[1], r#mod[0].sin()]
}

#[reversible]
fn calls_raw_names(x: &mut f64, y: f64) {
    raw_parameters(x, raw_locals(y));
    *x += r#move(&[y, 2.0])[0];
}

/// `r#x` is another way to write `x`.
#[reversible]
fn one_name_in_two_spellings(r#x: &mut f64, y: f64) {
    *x += y;
    let z = 2.0 * y;
    *r#x += r#z;
}

#[derive(Active, Clone, Debug)]
struct Raw {
    r#type: f64,
    r#fn: f64,
}

#[reversible]
impl Raw {
    fn r#match(&mut self, r#struct: f64) {
        self.r#type += self.r#fn * r#struct;
    }

    fn r#use(&self) -> f64 {
        self.r#type * self.r#fn
    }
}

#[reversible]
fn calls_raw_methods(raw: &mut Raw, y: &mut f64) {
    raw.r#match(*y);
    *y += raw.r#use();
}

#[primitive(d_type = 3.0 * r#type * r#type)]
fn r#yield(r#type: f64) -> f64 {
    r#type * r#type * r#type
}

#[reversible]
fn calls_a_raw_primitive(y: &mut f64, r#type: f64) {
    *y += r#yield(r#type);
}

#[test]
fn raw_identifiers_are_names_like_others() {
    laws!(raw_parameters(&mut x = 0.3, y = 0.7));
    laws!(scalar raw_locals(x = 0.4));
    laws!(calls_raw_names(&mut x = 0.3, y = 0.7));
    laws!(one_name_in_two_spellings(&mut x = 0.3, y = 0.7));
    laws!(calls_a_raw_primitive(&mut x = 0.3, y = 0.7));
    let (mut raw, mut y) = (Raw { r#type: 1.0, r#fn: 2.0 }, 3.0);
    calls_raw_methods(&mut raw, &mut y);
    assert_eq!((raw.r#type, y), (7.0, 17.0));
    calls_raw_methods::uncall(&mut raw, &mut y);
    assert_eq!((raw.r#type, y), (1.0, 3.0));
    assert_eq!(Raw { r#type: 1.0, r#fn: 2.0 }.gradient_use().0, 2.0);
    let (value, rows) = r#move::jacobian(&[2.0, 3.0]);
    assert_eq!((value[0], &rows[0]), (6.0, &vec![3.0, 2.0]));
    let (value, _, hessian) = raw_locals::hessian(0.5);
    assert_eq!((value, hessian), (1.5, vec![12.0]));
    let run = procedure!(r#type: (f64, f64) => raw_parameters(&mut r#type.0, r#type.1));
    let mut state = (1.0, 2.0);
    retrograd::Procedure::run(&run, &mut state);
    assert_eq!(state, (5.0, 2.0));
    assert!(calls_raw_methods::source(Direction::Inverse).contains("raw.uncall_match(*y)"));
}

// Each of these companions has locals of its own; they read arguments of the same names.

#[reversible]
fn tangents_beside<T: Real>(x: T, d_x: T) -> T {
    x * d_x * d_x
}

/// Names of names of directions.
#[reversible]
fn tangents_of_tangents<T: Real>(x: &[T], d_x: &[T], d_d_x: T) -> T {
    x[0] * d_x[1] * d_d_x * d_d_x
}

#[reversible(record)]
fn recorded_tangents<T: Real>(x: T, d_x: T) -> T {
    let mut y = x;
    y = y * y * d_x;
    y
}

#[derive(Active, Clone, Copy, Debug)]
struct Jet<T> {
    x: T,
    d_x: T,
}

#[reversible]
impl<T: Real> Jet<T> {
    fn tangents(&self, x: T, d_x: T, d_self: T) -> T {
        self.x * self.d_x * x * d_x * d_self
    }
}

#[reversible]
fn adjoints_beside<T: Real>(x: T, grad_x: T, lifted_x: T, sweep: T, seed: T) -> T {
    x * grad_x * lifted_x + sweep * seed
}

#[reversible]
fn hessian_words<T: Real>(x: &[T], start: usize, offset: usize, total: usize, found: usize) -> T {
    let gradient = x[start] * x[start] * x[offset];
    let hessian = x[total] * x[found];
    gradient * hessian
}

#[reversible]
fn jacobian_words(x: f64, width: usize, start: usize, offset: f64, rows: f64, value: f64) -> [f64; 9] {
    let tangent = [x, 2.0 * x, 3.0 * x];
    let one = tangent[width] * offset;
    [one, tangent[start] * rows, value, x, x, x, x, x, x]
}

#[test]
fn companions_read_arguments_and_not_their_own_locals() {
    assert_eq!(tangents_beside::gradient(2.0, 3.0), (18.0, 9.0, 12.0));
    assert_eq!(tangents_beside::hvp((2.0, &1.0), (3.0, &0.0)), (18.0, 9.0, 0.0, 6.0));
    assert_eq!(tangents_beside::hessian(2.0, 3.0).2, [0.0, 6.0, 6.0, 4.0]);
    let second = tangents_of_tangents::hvp((&[2.0, 1.0], &[1.0, 0.0]), (&[1.0, 3.0], &[0.0, 0.0]), (5.0, &0.0));
    assert_eq!(second, (150.0, 75.0, vec![0.0; 2], vec![0.0, 25.0], 30.0));
    assert_eq!(recorded_tangents::hvp((2.0, &1.0), (3.0, &0.0)), (12.0, 12.0, 6.0, 4.0));
    let jet = Jet { x: 2.0, d_x: 3.0 };
    let (value, _, by_x, by_d_x, by_d_self) = jet.gradient_tangents(5.0, 7.0, 11.0);
    assert_eq!((value, by_x, by_d_x, by_d_self), (2310.0, 462.0, 330.0, 210.0));
    assert_eq!(jet.hessian_tangents(5.0, 7.0, 11.0).0, 2310.0);
    assert_eq!(adjoints_beside::hessian(1.0, 2.0, 3.0, 4.0, 5.0).1, [6.0, 3.0, 2.0, 5.0, 4.0]);
    laws!(scalar tangents_beside(x = 0.3, d_x = 0.7));
    laws!(scalar adjoints_beside(x = 0.3, grad_x = 0.7, lifted_x = 0.2, sweep = 0.4, seed = 0.9));

    // More numbers than go in one sweep, so that the words mean something else in the second.
    let x: Vec<f64> = (0..20).map(|i| 1.0 + 0.1 * f64::from(i)).collect();
    let (a, b, c, d) = (3, 17, 11, 5);
    let (value, gradient, hessian) = hessian_words::hessian(&x, a, b, c, d);
    assert_eq!(value, hessian_words(&x, a, b, c, d));
    assert!((gradient[b] - x[a] * x[a] * x[c] * x[d]).abs() < 1e-12);
    assert!((hessian[c * 20 + d] - x[a] * x[a] * x[b]).abs() < 1e-12);

    let (value, rows) = jacobian_words::jacobian(0.5, 2, 1, 4.0, 5.0, 6.0);
    assert_eq!(value, jacobian_words(0.5, 2, 1, 4.0, 5.0, 6.0));
    assert_eq!(rows[0], [12.0, 1.5, 0.0, 0.0]);
    assert_eq!(rows[1], [10.0, 0.0, 1.0, 0.0]);
}

#[bijection(inverse = (one - 1.0) / 2.0)]
fn slope_words(one: f64) -> f64 {
    2.0 * one + 1.0
}

#[test]
fn the_slope_of_a_bijection_reads_its_argument() {
    assert_eq!((slope_words(3.0), slope_words::derivative(3.0)), (7.0, 2.0));
}

// `gradient_over` makes items as well, in which the arguments are fields.

struct Each {
    factor: f64,
}

trait Mine {}
impl Mine for f64 {}

#[reversible]
fn points_named_like_locals<T: Real>(w: &Shared<T>, start: T, sums: T, sweep: T, x: T, grad_x: T) -> T {
    w.spread() * x * start * sums * sweep * grad_x
}

#[reversible]
fn number_named_like_a_type<T: Real, const S: usize>(w: &[Shared<T>; S], x: T) -> T {
    w[S - 1].spread() * x
}

#[reversible]
fn type_named_like_an_item<T: Real>(w: &Shared<T>, #[constant] each: &Each, argument_0: T, gradient_0: T) -> T {
    w.spread() * argument_0 * gradient_0 * (T::lit(each.factor))
}

#[reversible]
fn const_point<T: Real, const K: usize>(w: &[Shared<T>; K], x: &[T; K]) -> T {
    w[0].spread() * x[K - 1]
}

#[reversible]
fn long_point<T: Real>(w: &Shared<T>, x: [T; 33]) -> T {
    w.spread() * x[32]
}

#[reversible]
fn shared_constants<T: Real>(#[constant] w: &Shared<T>, x: T) -> T {
    w.spread() * x
}

#[reversible]
fn nine_shared<T: Real + Copy>(
    a: &Shared<T>,
    b: &Shared<T>,
    c: &Shared<T>,
    d: &Shared<T>,
    e: &Shared<T>,
    f: &Shared<T>,
    g: &Shared<T>,
    h: &Shared<T>,
    i: &Shared<T>,
    x: T,
) -> T {
    (a.spread() + b.spread() + c.spread() + d.spread() + e.spread() + f.spread() + g.spread() + h.spread() * i.spread())
        * x
}

/// Not every number is `Mine`: there is no gradient over points, and all the others.
#[reversible]
fn own_bound<T: Real + Mine>(w: &Shared<T>, x: T) -> T {
    w.spread() * x
}

#[test]
fn gradients_over_points_whatever_the_arguments_are_called() {
    let x = [1.0, 2.0, 3.0];
    let found = points_named_like_locals::gradient_over(&2.0, &x, &x, &x, &x, &x);
    let powers: Vec<f64> = x.iter().map(|x| 2.0 * x.powi(4)).collect();
    assert_eq!(found.0, 2.0 + 64.0 + 486.0);
    assert_eq!((found.1, &found.2, &found.6), (276.0, &powers, &powers));
    assert_eq!(number_named_like_a_type::gradient_over(&[1.0, 2.0], &x), (12.0, [0.0, 6.0], vec![2.0; 3]));
    let each = Each { factor: 2.0 };
    assert_eq!(type_named_like_an_item::gradient_over(&3.0, &each, &x, &x).1, 28.0);
    assert_eq!(const_point::gradient_over(&[2.0], &[[3.0], [4.0]]), (14.0, [7.0], vec![[2.0]; 2]));
    let point = std::array::from_fn(|i| i as f64);
    let (value, w, points) = long_point::gradient_over(&2.0, &[point]);
    assert_eq!((value, w, points[0][32]), (64.0, 32.0, 2.0));
    assert_eq!(shared_constants::gradient_over(&2.0, &x), (12.0, vec![2.0; 3]));
    assert_eq!(nine_shared::gradient_over(&1.0, &1.0, &1.0, &1.0, &1.0, &1.0, &1.0, &2.0, &3.0, &x).9, 12.0);
    assert_eq!(own_bound::gradient(&Shared(2.0), 3.0), (6.0, 3.0, 2.0));
}

#[reversible]
fn step(x: &mut f64, sweep: f64) {
    *x += sweep * sweep;
}

#[reversible]
fn axpy(y: &mut [f64], x: &[f64], a: f64) {
    for i in 0..y.len() {
        y[i] += a * x[i];
    }
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Walk {
    x: Vec<f64>,
    parts: Vec<(f64, f64)>,
}

impl Compare for Walk {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("x", &self.x, &actual.x);
        report.field("parts", &self.parts, &actual.parts);
    }
}

fn there_and_back<S>(program: impl retrograd::Procedure<S>, state: &S, check: impl Fn(&S))
where
    S: Active + Clone + PartialEq + std::fmt::Debug,
    S::Shadow: Clone,
{
    let mut run = state.clone();
    program.run(&mut run);
    check(&run);
    program.uncall(&mut run);
    assert_eq!(run, *state);
}

#[test]
fn a_procedure_takes_functions_and_variables_of_any_name() {
    let sweep = 2.0;
    there_and_back(procedure!(s: (f64,) => step(&mut s.0, sweep)), &(1.0,), |s| assert_eq!(s.0, 5.0));
    let program = procedure!(shadow: (f64, f64) => step(&mut shadow.0, shadow.1));
    check_gradient(&(1.0, 3.0), 1e-6, program).unwrap();
}

#[test]
fn a_procedure_takes_several_elements_of_its_state() {
    let (i, j, t) = (0, 2, 0.5);
    let elements = procedure!(s: Vec<f64> => rotate(&mut s[i], &mut s[j], t));
    check_gradient(&vec![1.0, 2.0, 3.0], 1e-6, elements).unwrap();
    let walk = Walk { x: vec![1.0, 2.0, 3.0, 4.0], parts: vec![(1.0, 2.0), (3.0, 4.0)] };
    let fields = procedure!(s: Walk => rotate(&mut s.parts[0].1, &mut s.parts[1].0, t));
    check_gradient(&walk, 1e-6, fields).unwrap();
    let ranges = procedure!(s: Walk => axpy(&mut s.x[..2], &s.x[2..], s.parts[0].0));
    check_gradient(&walk, 1e-6, ranges).unwrap();
    let with_a_read = procedure!(s: Vec<f64> => step(&mut s[i], s[j]));
    check_gradient(&vec![1.0, 2.0, 3.0], 1e-6, with_a_read).unwrap();
}

/// `y += a * b`, number by number.
#[reversible]
fn add_products<T: Real>(y: &mut [T], a: &[T], b: &[T]) {
    for i in 0..y.len() {
        y[i] += a[i] * b[i];
    }
}

/// `y += a * b`
#[reversible]
fn add_product<T: Real>(y: &mut T, a: &T, b: T) {
    *y += *a * b;
}

#[test]
fn a_procedure_reads_a_part_of_its_state_more_than_once() {
    let (i, j, k) = (0, 1, 1);
    let state = vec![1.0, 2.0, 3.0, 4.0];
    let elements = procedure!(s: Vec<f64> => add_product(&mut s[i], &s[j], s[k]));
    there_and_back(elements, &state, |s| assert_eq!(s[0], 5.0));
    check_gradient(&state, 1e-6, elements).unwrap();
    check_gradient(&state, 1e-6, procedure!(s: Vec<f64> => add_product(&mut s[0], &s[1], s[1]))).unwrap();
    check_gradient(&state, 1e-6, procedure!(s: Vec<f64> => add_product(&mut s[0], &s[j], s[j + 1]))).unwrap();
    let ranges = procedure!(s: Vec<f64> => add_products(&mut s[..2], &s[2..], &s[2..4]));
    check_gradient(&state, 1e-6, ranges).unwrap();
    let fields = procedure!(s: (f64, f64) => add_product(&mut s.0, &s.1, s.1));
    check_gradient(&(1.0, 3.0), 1e-6, fields).unwrap();
    let walk = Walk { x: vec![1.0, 2.0], parts: vec![(1.0, 2.0), (3.0, 4.0)] };
    let parts = procedure!(s: Walk => add_product(&mut s.x[0], &s.parts[0].1, s.parts[k].1));
    check_gradient(&walk, 1e-6, parts).unwrap();
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Ball<T> {
    x: T,
    v: T,
    h: T,
}

impl Compare for Ball<f64> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("x", &self.x, &actual.x);
        report.field("v", &self.v, &actual.v);
        report.field("h", &self.h, &actual.h);
    }
}

#[reversible]
fn meet<T: Real>(x: &mut T, v: &mut T, other: &mut T) {
    *x += *v * *other;
    *v -= *x;
    *other += *v;
}

#[test]
fn a_procedure_takes_several_fields_of_one_element() {
    let (i, k) = (0, 1);
    let state = vec![Ball { x: 1.0, v: 2.0, h: 0.5 }, Ball { x: 1.5, v: 2.5, h: 3.0 }];
    let changed = procedure!(s: Vec<Ball<f64>> => meet(&mut s[0].x, &mut s[0].v, &mut s[1].x));
    there_and_back(changed, &state, |s| assert_eq!((s[0].x, s[0].v, s[1].x), (4.0, -2.0, -0.5)));
    check_gradient(&state, 1e-6, changed).unwrap();
    let of_one = procedure!(s: Vec<Ball<f64>> => meet(&mut s[1].x, &mut s[1].v, &mut s[1].h));
    there_and_back(of_one, &state, |s| assert_eq!((s[1].x, s[1].v, s[1].h), (9.0, -6.5, -3.5)));
    check_gradient(&state, 1e-6, of_one).unwrap();
    let read_only = procedure!(s: (f64, Vec<Ball<f64>>) => add_product(&mut s.0, &s.1[k].v, s.1[k].h));
    there_and_back(read_only, &(1.0, state.clone()), |s| assert_eq!(s.0, 8.5));
    check_gradient(&(1.0, state.clone()), 1e-6, read_only).unwrap();
    let read = procedure!(s: Vec<Ball<f64>> => add_product(&mut s[i].x, &s[k].v, s[k].h));
    there_and_back(read, &state, |s| assert_eq!(s[0].x, 8.5));
    check_gradient(&state, 1e-6, read).unwrap();
    check_gradient(&state, 1e-6, procedure!(s: Vec<Ball<f64>> => add_product(&mut s[i].x, &s[i].v, s[k].h))).unwrap();
}

#[test]
fn an_element_that_is_changed_and_read_in_one_call_is_refused() {
    let (i, j) = (1, 1);
    let program = procedure!(s: Vec<f64> => add_product(&mut s[i], &s[j], s[0]));
    let error = retrograd::attempt(|| retrograd::Procedure::run(&program, &mut vec![1.0, 2.0])).unwrap_err();
    assert_eq!(error.kind, retrograd::ErrorKind::EqualIndices);
}

#[test]
fn equal_elements_in_one_call_are_refused() {
    let (i, j) = (1, 1);
    let program = procedure!(s: Vec<f64> => rotate(&mut s[i], &mut s[j], 0.5));
    let error = retrograd::attempt(|| retrograd::Procedure::run(&program, &mut vec![1.0, 2.0])).unwrap_err();
    assert_eq!(error.kind, retrograd::ErrorKind::EqualIndices);
}

/// Procedures of the user that have the names of others.
mod own {
    pub(crate) mod mem {
        use retrograd::prelude::*;

        #[reversible]
        pub(crate) fn swap(a: &mut f64, b: &mut f64) {
            *a += *b * *b;
            *b -= *a;
        }
    }

    use retrograd::prelude::reversible;

    #[reversible]
    pub(crate) fn by_its_path(a: &mut f64, b: &mut f64) {
        self::mem::swap(a, b);
        std::mem::swap(a, b);
        crate::own::mem::swap::uncall(b, a);
    }
}

/// The `swap` of the standard library, by each of its names.
mod exchanged {
    use std::mem::{self, swap};

    use retrograd::ops;
    use retrograd::prelude::reversible;

    #[reversible]
    pub(crate) fn in_turn(a: &mut f64, b: &mut f64, x: &mut [f64]) {
        swap(a, b);
        *a += *b;
        mem::swap::<f64>(b, &mut x[0]);
        *b += *a * x[0];
        ops::swap(&mut x[0], &mut x[1]);
        core::mem::swap(a, &mut x[1]);
        ::core::mem::swap(b, a);
    }
}

#[test]
fn swap_is_a_procedure_of_the_user_under_a_path_of_the_user() {
    laws!(by_its_path(&mut a = 0.5, &mut b = 0.25));
    let (mut a, mut b) = (0.5, 0.25);
    own::by_its_path(&mut a, &mut b);
    assert_eq!((a, b), (0.25, 0.5));
    laws!(in_turn(&mut a = 0.5, &mut b = 0.25, &mut [x] = vec![1.5, 2.5]));
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Beam {
    width: f64,
}

impl Compare for Beam {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.width.compare(&actual.width, report);
    }
}

#[reversible]
impl Beam {
    fn abs(&self) -> f64 {
        self.width * self.width
    }
    fn len(&self) -> f64 {
        3.0 * self.width
    }
    fn count(&self) -> f64 {
        self.width.sin()
    }
    fn push(&mut self, x: f64) {
        self.width += x * x;
    }
    fn reverse(&mut self) {
        self.width = -self.width;
    }
}

#[reversible]
fn methods_by_their_type(b: &mut Beam, y: &mut f64, x: f64) {
    Beam::push(b, x);
    Beam::reverse(b);
    *y += Beam::abs(b) * Beam::len(b) + b.count();
}

#[test]
fn methods_with_the_names_of_rules_are_called_by_their_type() {
    laws!(methods_by_their_type(&mut b = Beam { width: 0.5 }, &mut y = 0.25, x = 1.5));
}

mod callees {
    use retrograd::prelude::*;

    /// A procedure of one's own that hides the one of the prelude.
    #[reversible]
    fn rotate(x: &mut f64, y: &mut f64) {
        *x += 2.0 * *y;
    }

    mod elsewhere {
        use retrograd::prelude::*;

        #[reversible]
        pub fn square(x: f64) -> f64 {
            x * x
        }
    }

    #[bijection(inverse = x - 3.0, d = 1.0)]
    fn shifted(x: f64) -> f64 {
        x + 3.0
    }

    #[reversible]
    fn calls_by_all_kinds_of_paths(x: &mut f64, y: &mut f64) {
        use elsewhere::square as inner;
        rotate(x, y);
        *x += elsewhere::square(*y) + self::elsewhere::square(*y) + inner(*y);
        *y = shifted(*y);
    }

    #[derive(Active)]
    struct Caller;

    #[reversible]
    impl Caller {
        fn call(&self, x: &mut f64, y: f64) {
            *x += elsewhere::square(y);
            *x = shifted(*x);
        }
    }

    #[reversible]
    trait Squares {
        fn squared(&self, x: f64) -> f64 {
            elsewhere::square(x)
        }
    }

    #[reversible]
    impl Squares for Caller {}

    #[reversible]
    fn through_a_trait(caller: &Caller, x: f64) -> f64 {
        caller.squared(x) + x
    }

    #[test]
    fn callees_are_found_by_all_kinds_of_paths() {
        let (mut x, mut y) = (1.0, 2.0);
        calls_by_all_kinds_of_paths(&mut x, &mut y);
        assert_eq!((x, y), (17.0, 5.0));
        let (mut gx, mut gy) = (1.0, 0.0);
        calls_by_all_kinds_of_paths::pullback((&mut x, &mut gx), (&mut y, &mut gy));
        assert_eq!((x, y, gx, gy), (1.0, 2.0, 1.0, 14.0));

        Caller.call(&mut x, 2.0);
        assert_eq!(x, 8.0);
        Caller.uncall_call(&mut x, 2.0);
        assert_eq!(x, 1.0);
        let (value, _, slope) = through_a_trait::gradient(&Caller, 3.0);
        assert_eq!((value, slope), (12.0, 7.0));
    }
}

/// What a name means inside of the expression that it names is another variable, with an adjoint of its own.
mod inner {
    use retrograd::prelude::*;

    #[reversible]
    fn of_a_block<T: Real>(p: &[T], c: T) -> T {
        let mut t = {
            let t = p[0] * c;
            if t > 0.1 { t * p[1] } else { c }
        };
        t *= p[1];
        t
    }

    #[reversible]
    fn of_blocks<T: Real>(p: &[T], c: T) -> T {
        let t = {
            let t = {
                let t = p[0] * c;
                t * t
            };
            t * p[1]
        };
        t * t + c
    }

    #[reversible]
    fn of_a_closure<T: Real>(p: &[T], c: T) -> T {
        let t = p
            .iter()
            .map(|x| {
                let t = *x * *x;
                t.sin() * c
            })
            .sum::<T>();
        t * t
    }

    #[test]
    fn an_inner_variable_of_the_same_name_has_its_own_adjoint() {
        let (p, c) = ([0.75, 1.25], 0.5);
        let slope = |f: fn(&[f64], f64) -> f64| {
            let h = 1e-6;
            (f(&[p[0] + h, p[1]], c) - f(&[p[0] - h, p[1]], c)) / (2.0 * h)
        };
        for (gradient, slope) in [
            (of_a_block::gradient(&p, c).1, slope(of_a_block)),
            (of_blocks::gradient(&p, c).1, slope(of_blocks)),
            (of_a_closure::gradient(&p, c).1, slope(of_a_closure)),
        ] {
            assert!((gradient[0] - slope).abs() < 1e-8, "{} {slope}", gradient[0]);
        }
    }
}
