//! Options that are mapped and taken, and closures that run for each element.

#![allow(clippy::needless_range_loop, reason = "programs are written here as others write them")]

#[macro_use]
mod against_dual;

use std::mem;

use retrograd::prelude::*;

const POINT: [f64; 3] = [1.5, 0.7, -0.4];

/// The number at an index, if it is positive.
#[reversible]
fn positive<T: Real>(x: &[T], i: usize) -> Option<T> {
    if x[i] > T::zero() { Some(x[i] * x[i]) } else { None }
}

#[reversible]
fn mapped<T: Real>(x: &[T], i: usize) -> T {
    let found = positive(x, i);
    let product = found.map(|v| v * x[0]).unwrap_or(x[1]);
    let square = found.map_or(x[2], |v| {
        let w = v.sin();
        w * w
    });
    let behind = found.as_ref().map_or_else(|| x[2] * x[1], |v| *v * x[1]);
    let grown = found.unwrap_or_else(|| x[0].exp());
    product * square + behind * grown + found.map(|v| v * x[2]).unwrap_or_else(|| x[2])
}

#[test]
fn what_a_closure_makes_of_an_option_has_a_derivative() {
    for i in 0..POINT.len() {
        agrees!(mapped, POINT, i);
    }
}

#[reversible]
fn behind_a_reference(x: &Option<f64>, k: f64) -> f64 {
    x.unwrap_or_else(|| k * k) * k
}

#[test]
fn a_default_is_computed_only_where_there_is_none() {
    assert_eq!(behind_a_reference::gradient(&Some(3.0), 2.0), (6.0, Some(2.0), 3.0));
    assert_eq!(behind_a_reference::gradient(&None, 2.0), (8.0, None, 12.0));
}

#[reversible]
fn squares<T: Real>(x: &[T]) -> T {
    let mut y = T::zero();
    x.iter().enumerate().for_each(|(i, v)| {
        let w = *v * *v;
        y += w * x[i];
    });
    (0..x.len()).rev().for_each(|i| y += x[i].cos());
    y
}

/// Steps of a closure are those of a loop, and are undone in reverse.
#[reversible]
fn sheared(x: &mut [i64], k: i64) {
    x.iter_mut().for_each(|v| {
        *v += k;
        *v ^= 5;
    });
    (1..x.len()).for_each(|i| x[i] += x[i - 1]);
}

#[test]
fn a_closure_for_each_element_is_a_loop() {
    agrees!(squares, POINT);
    let mut x = [3, 1, 4];
    sheared(&mut x, 2);
    assert_eq!(x, [0, 6, 9]);
    sheared::uncall(&mut x, 2);
    assert_eq!(x, [3, 1, 4]);
}

#[reversible(record)]
fn emptied<T: Real>(x: &[T]) -> T {
    let mut o = Some(x[0]);
    let first = o.take();
    let mut y = if o.is_none() { x[1] } else { x[2] };
    o = Some(x[2] * x[1]);
    if let Some(v) = o.take() {
        y = y * v;
    }
    let other = o.take().unwrap_or(x[0]);
    y = y + other;
    let rest = match first {
        Some(v) => v * v,
        None => T::zero(),
    };
    o = Some(rest);
    while let Some(v) = o.take() {
        y = y * v;
        if v > x[1] {
            o = Some(v * x[1]);
        }
    }
    y
}

#[reversible(record)]
fn replaced<T: Real>(x: &[T]) -> T {
    let mut list = vec![x[0], x[1] * x[2]];
    let old = mem::replace(&mut list, Vec::new());
    list.push(old[0] * old[1]);
    let mut o = Some(x[0]);
    let was = mem::replace(&mut o, None);
    if o.is_none() {
        list.push(was.unwrap_or(x[1]) * x[2]);
    }
    let y = list[0] * list[1];
    let last = mem::take(&mut list);
    if list.is_empty() { y + last[0] } else { y }
}

#[test]
fn what_is_taken_out_of_an_option_has_a_derivative() {
    agrees!(emptied, POINT);
    agrees!(replaced, POINT);
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Queue {
    next: Option<f64>,
    list: Vec<f64>,
    done: f64,
}

/// References are taken from by their names.
#[reversible(record)]
fn drained(queue: &mut Queue, list: &mut Vec<f64>, next: &mut Option<f64>) {
    let taken = mem::take(list);
    queue.done += taken[0] * taken[1];
    if let Some(v) = next.take() {
        queue.done += v;
        *next = Some(v * queue.done);
    }
    let field = mem::take(&mut queue.list);
    queue.done *= field[0];
    let next = queue.next.take().unwrap_or(1.0);
    queue.done += next;
}

#[test]
fn what_is_taken_comes_back() {
    let start = (Queue { next: Some(3.0), list: vec![2.0], done: 1.0 }, vec![2.0, 0.5], Some(4.0));
    let ((mut queue, mut list, mut next), mut record) = (start.clone(), Record::new());
    drained::recorded(&mut queue, &mut list, &mut next, &mut record);
    assert_eq!((&queue.next, &queue.list, queue.done), (&None, &vec![], 15.0));
    assert_eq!((&list, next), (&vec![], Some(24.0)));
    drained::uncall(&mut queue, &mut list, &mut next, &mut record);
    assert_eq!((queue, list, next), start);
}

#[reversible(record)]
fn bytes(text: &str, x: f64) -> f64 {
    let bytes = text.trim().as_bytes();
    let mut y = x;
    for i in 0..bytes.len() {
        y = y * x + bytes[i] as f64;
    }
    y
}

#[test]
fn a_view_of_a_text_is_not_kept() {
    // (x·x + 1)·x + 2 at 3, with the bytes 1 and 2
    assert_eq!(bytes::gradient(" \u{1}\u{2}", 3.0), (32.0, 28.0));
}

#[derive(Active, Clone)]
struct Drop {
    size: f64,
}

#[reversible]
impl Drop {
    fn take(&self) -> f64 {
        self.size * self.size
    }
}

#[reversible]
fn taken(drop: &Drop) -> f64 {
    drop.take() * drop.size
}

#[reversible(record)]
fn taken_first(drop: &Drop) -> f64 {
    let mut y = drop.take();
    y = y * drop.size;
    y
}

#[test]
fn a_method_of_the_same_name_is_no_option() {
    let drop = Drop { size: 2.0 };
    assert_eq!((taken::gradient(&drop).0, taken::gradient(&drop).1.size), (8.0, 12.0));
    assert_eq!((taken_first::gradient(&drop).0, taken_first::gradient(&drop).1.size), (8.0, 12.0));
}
