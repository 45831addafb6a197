//! `Box::new` and `as_slice` of types of the user's own, which do something else.

use retrograd::prelude::*;

#[derive(Active, Clone, Debug)]
struct Box<T> {
    of: T,
}

impl<T: Real> Box<T> {
    fn new(x: T) -> Box<T> {
        Box { of: x * x }
    }
}

impl<T> std::ops::Deref for Box<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.of
    }
}

impl<T> std::ops::DerefMut for Box<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.of
    }
}

#[reversible]
fn boxed(x: f64) -> f64 {
    let b = Box::new(x);
    *b * 3.0
}

#[derive(Active, Clone, Debug)]
struct Tail<T>(Vec<T>);

impl<T> Tail<T> {
    fn as_slice(&self) -> &[T] {
        &self.0[1..]
    }
}

impl<T> std::ops::Index<usize> for Tail<T> {
    type Output = T;

    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T> std::ops::IndexMut<usize> for Tail<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}

#[reversible]
fn pair(t: &Tail<f64>) -> f64 {
    match t.as_slice() {
        [a, b] => a * b * b,
        _ => 0.0,
    }
}

fn main() {}
