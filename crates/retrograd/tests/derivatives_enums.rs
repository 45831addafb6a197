//! Derivatives through enums: a value and its shadow are of the same variant.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::check::{Compare, Report};
use retrograd::prelude::*;
use retrograd::private::{Shadowed, Zero};

/// It is its own shadow.
#[derive(Active, Clone, Copy, Debug, PartialEq)]
enum Shape<T> {
    Circle(T),
    Rectangle { width: T, height: T },
    Polar([T; 2], T),
    Point,
}

/// It has a shadow beside it.
#[derive(Active, Clone, Debug, PartialEq)]
enum Load {
    Weight { of: f64, at: Vec<f64> },
    Labelled(String, f64),
    Scaled(#[constant] f64, Shape<f64>),
    Chain(Box<Load>, f64),
    Times(usize),
}

/// No number is in it.
#[derive(Active, Clone, Copy, Debug, PartialEq)]
enum Kind {
    Sum,
    Product,
}

macro_rules! compared_by_numbers {
    ($($type:ty),*) => {$(
        impl Compare for $type {
            fn compare(&self, actual: &Self, report: &mut Report) {
                let variant = |value: &Self| format!("{:?}", std::mem::discriminant(value));
                variant(self).compare(&variant(actual), report);
                self.flatten().len().compare(&actual.flatten().len(), report);
            }
        }
    )*};
}

compared_by_numbers!(Shape<f64>, Load, Kind);

#[reversible]
fn area<T: Real>(shape: Shape<T>) -> T {
    match shape {
        Shape::Circle(r) => r * r * 3.0,
        Shape::Rectangle { width, height } if width > height => width * height * height,
        Shape::Rectangle { width: w, .. } => w * w,
        Shape::Polar([r, phi], scale) => r * phi.sin() * scale,
        Shape::Point => T::zero(),
    }
}

/// Of `width * height²`, in variants that have these.
#[reversible]
fn weight<T: Real>(shape: &Shape<T>) -> T {
    if let Shape::Rectangle { width, height } = shape { *width * *height * *height } else { T::zero() }
}

#[reversible]
fn total<T: Real>(all: &[Shape<T>], extra: &Option<Shape<T>>) -> T {
    let mut sum = T::zero();
    for shape in all.iter() {
        sum += area(*shape);
        if let Shape::Circle(r) = shape {
            sum += r.sin();
        }
    }
    if let Some(Shape::Polar([_, phi], _)) = extra { sum * *phi } else { sum }
}

#[reversible]
fn enlarged<T: Real>(shape: &Shape<T>, by: T) -> Shape<T> {
    match shape {
        Shape::Circle(r) => Shape::Circle(*r * by),
        Shape::Rectangle { width, height } => Shape::Rectangle { height: *height * by, width: *width * by },
        Shape::Polar(place, scale) => Shape::Polar(*place, *scale * by * by),
        Shape::Point => Shape::Point,
    }
}

#[reversible]
fn made<T: Real>(x: T, y: T) -> T {
    let shape = if x > y { Shape::Circle(x * y) } else { Shape::Rectangle { width: x, height: y } };
    let larger = enlarged(&shape, x);
    let other = Shape::Polar([x, y * y], y);
    area(larger) * area(shape) + area(other) + area(Shape::Circle(x.sin()))
}

#[reversible]
fn moment(load: &Load, x: f64) -> f64 {
    match load {
        Load::Weight { of, at } => of * at[0] * at[1] * x,
        Load::Labelled(name, f) => f * x * name.len() as f64,
        Load::Scaled(c, shape) => *c * area(*shape) * x,
        Load::Chain(next, f) => moment(next, x * *f),
        Load::Times(n) => x * *n as f64,
    }
}

#[reversible]
fn step(y: &mut f64, load: &Load, kind: Kind) {
    match kind {
        Kind::Sum => *y += moment(load, 2.0),
        Kind::Product => *y *= moment(load, 2.0),
    }
}

fn loads() -> Vec<Load> {
    let chain = |load| Load::Chain(Box::new(load), 0.3);
    let weight = Load::Weight { of: 0.7, at: vec![0.2, 0.9] };
    vec![
        weight.clone(),
        Load::Labelled("four".into(), 0.4),
        Load::Scaled(0.5, Shape::Rectangle { width: 0.9, height: 0.4 }),
        chain(chain(weight)),
        chain(Load::Times(3)),
        Load::Times(2),
    ]
}

const SHAPES: [Shape<f64>; 5] = [
    Shape::Circle(0.7),
    Shape::Rectangle { width: 0.9, height: 0.4 },
    Shape::Rectangle { width: 0.4, height: 0.9 },
    Shape::Polar([0.7, 0.4], 1.3),
    Shape::Point,
];

#[test]
fn variants_are_taken_apart() {
    for shape in SHAPES {
        laws!(scalar area(shape = shape));
        laws!(scalar total(&[all] = vec![shape, Shape::Circle(0.2)], &extra = Some(shape)));
        laws!(fn enlarged(&shape = shape, by = 0.7));
    }
    for load in loads() {
        laws!(scalar moment(&load = load.clone(), x = 0.6));
        laws!(step(&mut y = 0.4, &load = load.clone(), kind = Kind::Sum));
        laws!(step(&mut y = 0.4, &load = load.clone(), kind = Kind::Product));
    }
}

#[test]
fn variants_are_made() {
    for (x, y) in [(0.7, 0.3), (0.3, 0.7)] {
        laws!(scalar made(x = x, y = y));
    }
    assert_eq!(weight::hessian(&Shape::Rectangle { width: 2.0, height: 3.0 }).2, [0.0, 6.0, 6.0, 4.0]);
}

/// The largest of the shapes so far is overwritten by another variant.
#[reversible(record)]
fn largest<T: Real>(all: &[Shape<T>]) -> T {
    let mut best = Shape::Point;
    let mut count = 0;
    for shape in all.iter() {
        if area(*shape) > area(best) {
            best = enlarged(shape, T::lit(0.9));
            count += 1;
        }
    }
    area(best) * T::from_int(count)
}

#[test]
fn variants_are_overwritten() {
    laws!(scalar largest(&[all] = SHAPES.to_vec()));
    laws!(scalar largest(&[all] = vec![Shape::Point]));
}

#[derive(Active, Clone, Debug)]
struct Body {
    x: f64,
    damping: Option<f64>,
    shapes: Vec<Shape<f64>>,
}

impl Compare for Body {
    fn compare(&self, actual: &Self, report: &mut Report) {
        (self.x, self.damping).compare(&(actual.x, actual.damping), report);
        self.shapes.compare(&actual.shapes, report);
    }
}

#[reversible]
fn grow(shape: &mut Shape<f64>, by: f64) {
    match shape {
        Shape::Circle(r) => *r *= by,
        Shape::Rectangle { width, height } => {
            *width += by * *height;
            *height -= by * *width;
        }
        Shape::Polar(place, scale) => {
            stretch(scale, by);
            place.swap(0, 1);
            rotate(&mut place[0], &mut place[1], by);
        }
        Shape::Point => {}
    }
}

#[reversible]
fn stretch(x: &mut f64, by: f64) {
    *x *= by * by;
}

#[reversible]
fn shift(body: &mut Body, by: f64) {
    if let Some(d) = &mut body.damping {
        *d += by * by;
    }
    if let Some(d) = body.damping.as_mut() {
        *d *= by + 1.0;
    } else {
        body.x += by;
    }
    if let Some(d) = body.damping {
        body.x += d * by;
    }
    for shape in body.shapes.iter_mut() {
        grow(shape, by);
        if let Shape::Circle(r) = shape {
            *r += by;
        }
    }
    match &mut body.shapes[0] {
        Shape::Polar([_, phi], _) => {
            let sine = phi.sin();
            body.x += sine;
        }
        _ => {}
    }
}

#[reversible]
fn of_a_local(x: f64, y: f64) -> f64 {
    let mut shape = if x > y { Shape::Rectangle { width: x, height: y } } else { Shape::Circle(x) };
    if let Shape::Rectangle { width, height } = &mut shape {
        *width += *height * y;
    }
    grow(&mut shape, y);
    area(shape)
}

#[reversible(record)]
fn reset(shape: &mut Shape<f64>, x: f64) {
    match shape {
        Shape::Circle(r) => *r = r.sin() * x,
        Shape::Rectangle { width, height } => {
            *width = *height * x;
            *height = *width * *width;
        }
        _ => {}
    }
}

#[test]
fn parts_of_variants_are_changed() {
    for shape in SHAPES {
        laws!(grow(&mut shape = shape, by = 0.7));
        for damping in [Some(0.3), None] {
            laws!(shift(&mut body = Body { x: 0.4, damping, shapes: vec![shape, Shape::Circle(0.2)] }, by = 0.6));
        }
        let (mut changed, mut record) = (shape, Record::new());
        reset::recorded(&mut changed, 0.3, &mut record);
        reset::uncall(&mut changed, 0.3, &mut record);
        assert_eq!(changed, shape);
    }
    for (x, y) in [(0.7, 0.3), (0.3, 0.7)] {
        laws!(scalar of_a_local(x = x, y = y));
    }
    let (mut shape, mut record) = (Shape::Rectangle { width: 5.0, height: 2.0 }, Record::new());
    reset::recorded(&mut shape, 3.0, &mut record);
    let (mut grad, mut grad_x) = (Shape::Rectangle { width: 0.0, height: 1.0 }, 0.0);
    reset::pullback((&mut shape, &mut grad), (3.0, &mut grad_x), &mut record);
    assert_eq!((grad, grad_x), (Shape::Rectangle { width: 0.0, height: 36.0 }, 24.0));
}

#[test]
fn a_gradient_is_of_the_variant_of_its_value() {
    let (_, gradient) = area::gradient(Shape::Rectangle { width: 2.0, height: 0.5 });
    assert_eq!(gradient, Shape::Rectangle { width: 0.25, height: 2.0 });
    let (_, load, x) = moment::gradient(&Load::Labelled("ab".into(), 3.0), 2.0);
    assert_eq!((load, x), (LoadShadow::Labelled((), 4.0), 6.0));
    let (_, load, _) = moment::gradient(&Load::Scaled(2.0, Shape::Circle(1.0)), 2.0);
    assert_eq!(load, LoadShadow::Scaled(retrograd::Constant, Shape::Circle(24.0)));
}

#[test]
fn numbers_of_a_variant_are_flattened() {
    let mut load = Load::Chain(Box::new(Load::Weight { of: 1.0, at: vec![2.0, 3.0] }), 4.0);
    assert_eq!(load.flatten(), [1.0, 2.0, 3.0, 4.0]);
    load.unflatten(&[5.0, 6.0, 7.0, 8.0]);
    assert_eq!(load, Load::Chain(Box::new(Load::Weight { of: 5.0, at: vec![6.0, 7.0] }), 8.0));
    assert_eq!((Kind::Sum.count(), Shape::<f64>::Point.count(), Load::Times(3).count()), (0, 0, 0));
    assert_eq!(Load::Scaled(1.0, Shape::Circle(2.0)).flatten(), [2.0]);
}

#[test]
fn a_shadow_of_another_variant_is_refused() {
    let shadow = Shadowed::<f64>::zero_shadow(&Load::Times(1), Zero::Plain);
    let misfit = Load::Labelled("a".into(), 1.0).misfit(&shadow).unwrap();
    assert_eq!(
        format!("{misfit:?}"),
        r#"Misfit { path: "", expected: Variant("Labelled"), actual: Variant("Times") }"#
    );
    let message = std::panic::catch_unwind(|| {
        let mut wrong = Shape::Point;
        area::pullback((Shape::Circle(1.0), &mut wrong), 1.0);
    });
    let message = message.unwrap_err();
    let message = message.downcast_ref::<String>().map(String::as_str);
    assert_eq!(message, Some("`shape` is `Circle`, but its derivative is `Point`"));
}

#[test]
fn shadows_are_added_variant_by_variant() {
    let mut sum = LoadShadow::Weight { of: 1.0, at: vec![2.0] };
    retrograd::private::add(&mut sum, &LoadShadow::Weight { of: 0.5, at: vec![0.5] });
    assert_eq!(sum.clone(), LoadShadow::Weight { of: 1.5, at: vec![2.5] });
    assert_eq!(sum.flatten(), [1.5, 2.5]);
    assert_eq!(retrograd::private::negate(Shape::Circle(1.0)), Shape::Circle(-1.0));
    let sum = std::panic::catch_unwind(|| retrograd::private::join(Shape::Circle(1.0), Shape::Point));
    assert!(sum.is_err());
}

#[reversible]
fn warm(temperature: &mut Option<f64>, pair: &mut (Option<f64>, f64), by: f64) {
    if let Some(t) = temperature.as_mut() {
        *t *= by;
    }
    match pair.0.as_mut() {
        Some(t) => *t += by.sin(),
        None => {}
    }
}

#[test]
fn parts_of_an_option_are_changed_through_as_mut() {
    laws!(warm(&mut temperature = Some(0.7), &mut pair = (Some(0.3), 0.4), by = 0.9));
    laws!(warm(&mut temperature = None, &mut pair = (None, 0.4), by = 0.9));
}

/// What patterns take out of it is not `Copy`.
#[reversible]
fn weighed(load: Load, k: f64) -> f64 {
    match load {
        Load::Weight { of, at } => of * at[0] * at[1] * k,
        Load::Labelled(name, weight) => (name.len() as f64) * weight * k,
        Load::Scaled(..) | Load::Chain(..) | Load::Times(_) => k,
    }
}

#[reversible(record)]
fn weighed_by_statements(load: Load, k: f64) -> f64 {
    let mut sum = 1.0;
    match load {
        Load::Weight { of, at } => {
            for i in 0..at.len() {
                sum = sum * of + at[i] * k;
            }
        }
        Load::Labelled(name, weight) => sum = (name.len() as f64) * weight * k,
        _ => sum *= k,
    }
    sum
}

#[test]
fn patterns_take_parts_out_of_values() {
    let weight = || Load::Weight { of: 2.0, at: vec![3.0, 5.0] };
    let (value, by_load, by_k) = weighed::gradient(weight(), 7.0);
    assert_eq!((value, by_k, by_load.flatten()), (210.0, 30.0, vec![105.0, 70.0, 42.0]));
    let (value, by_load, by_k) = weighed_by_statements::gradient(weight(), 7.0);
    // (2 + 21) 2 + 35, of which the derivative by the weight is 2 (1 · 2) + 21
    assert_eq!((value, by_k, by_load.flatten()), (81.0, 11.0, vec![25.0, 14.0, 7.0]));
    let (value, by_load, by_k) = weighed_by_statements::gradient(Load::Labelled("abc".into(), 2.0), 7.0);
    assert_eq!((value, by_k, by_load.flatten()), (42.0, 6.0, vec![21.0]));
}

/// By their names, its variants without parts could be constants.
#[derive(Active, Clone, Debug, PartialEq)]
#[allow(clippy::upper_case_acronyms)]
enum Signal<T> {
    A(T),
    B,
    OFF,
}

#[reversible]
fn amplify(s: &mut Signal<f64>, k: &mut f64) {
    match s {
        Signal::A(level) => *level += *k * *k,
        Signal::B => *k *= 2.0,
        Signal::OFF => {}
    }
}

#[test]
fn variants_without_parts_stand_beside_those_that_are_changed() {
    let (mut s, mut k) = (Signal::A(1.0), 3.0);
    let (mut gs, mut gk) = (Signal::A(1.0), 0.0);
    amplify(&mut s, &mut k);
    assert_eq!(s, Signal::A(10.0));
    amplify::pullback((&mut s, &mut gs), (&mut k, &mut gk));
    assert_eq!((s, gs, gk), (Signal::A(1.0), Signal::A(1.0), 6.0));
    for mut s in [Signal::B, Signal::OFF] {
        amplify(&mut s, &mut k);
        amplify::uncall(&mut s, &mut k);
        assert_eq!(k, 3.0);
    }
}

/// A variant without parts stands between others, whose values the list takes.
#[reversible(record)]
fn listed(x: &[f64]) -> f64 {
    let signals = vec![Signal::A(x[0]), Signal::OFF, Signal::A(x[1])];
    let mut product = x[1];
    for signal in signals.iter() {
        match signal {
            Signal::A(level) => product = product * *level,
            Signal::B | Signal::OFF => {}
        }
    }
    product
}

#[test]
fn lists_are_made_of_variants_with_and_without_parts() {
    assert_eq!(listed::gradient(&[2.0, 3.0]), (18.0, vec![9.0, 12.0]));
    assert_eq!(listed::pushforward((&[2.0, 3.0], &[1.0, 10.0])), (18.0, 129.0));
}

#[derive(Active, Clone, Debug, PartialEq)]
enum Pair {
    Array([f64; 3]),
    Mixed { at: (f64, [f64; 2]), times: usize },
    One(f64),
}

compared_by_numbers!(Pair);

/// Elements of an array, and parts of a tuple, inside of a variant.
#[reversible]
fn inside(p: &mut Pair, k: f64) {
    match p {
        Pair::Array([a, _, c]) => {
            *a += k;
            *c += k * *a;
        }
        Pair::Mixed { at: (a, [b, c]), times } => {
            *a += k * *times as f64;
            *b += *c * *a;
        }
        Pair::One(x) => *x *= k,
    }
}

#[test]
fn elements_inside_of_a_variant_are_changed() {
    for p in [Pair::Array([1.0, 2.0, 0.5]), Pair::Mixed { at: (0.3, [0.7, 1.2]), times: 2 }, Pair::One(2.0)] {
        laws!(inside(&mut p = p.clone(), k = 0.8));
    }
    let mut p = Pair::Array([1.0, 2.0, 0.5]);
    inside(&mut p, 2.0);
    assert_eq!(p, Pair::Array([3.0, 2.0, 6.5]));
}
