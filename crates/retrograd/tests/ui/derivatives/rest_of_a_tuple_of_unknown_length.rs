use retrograd::prelude::*;

type Row = (f64, f64, f64);

#[reversible]
fn of_another_name(x: &Row) -> f64 {
    let (a, .., b) = x;
    a * b
}

#[reversible]
fn of_a_local(x: f64, y: f64) -> f64 {
    let row = (x, y, x * y);
    let (a, .., b) = row;
    a * b
}

#[reversible]
fn in_a_loop(rows: &[Row]) -> f64 {
    let mut s = 0.0;
    for (.., b) in rows.iter() {
        s += b * b;
    }
    s
}

#[derive(Active)]
struct Triple(f64, f64, f64);

#[reversible]
fn of_a_tuple_struct(x: &Triple) -> f64 {
    let Triple(a, .., b) = x;
    a * b
}

fn main() {}
