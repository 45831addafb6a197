use retrograd::prelude::*;

#[derive(Active)]
enum Shape {
    Circle(f64),
    Pair(Option<f64>, f64),
    Point,
}

#[reversible]
fn by_a_nested_pattern(shape: &mut Shape) {
    match shape {
        Shape::Pair(None, x) => *x += 1.0,
        _ => {}
    }
}

#[reversible]
fn by_a_literal(count: &mut Option<i64>) {
    match count {
        Some(3) => {}
        Some(n) => *n -= 1,
        None => {}
    }
}

#[reversible]
fn what_a_guard_reads(shape: &mut Shape) {
    match shape {
        Shape::Circle(r) if *r > 1.0 => *r += 1.0,
        _ => {}
    }
}

#[reversible]
fn under_another_name(shape: &mut Shape, other: &mut Shape) {
    match shape {
        Shape::Circle(r) => {
            *r += 1.0;
            swap(shape, other);
        }
        _ => {}
    }
}

#[reversible(record)]
fn with_a_record(shape: &mut Shape) {
    match shape {
        Shape::Circle(r) => {
            *r *= 2.0;
            *shape = Shape::Point;
        }
        _ => {}
    }
}

fn main() {}
