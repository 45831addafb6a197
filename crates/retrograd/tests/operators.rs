//! Operators of types of the user: those that are said to be linear have derivatives, and those that undo each other are statements.

#[path = "derivatives/laws.rs"]
mod laws;

use std::iter::Sum;
use std::num::Wrapping;
use std::ops::{Add, AddAssign, BitXorAssign, Index, IndexMut, Neg, Not, Sub, SubAssign};
use std::time::{Duration, Instant};

use laws::laws;
use retrograd::check::{Compare, Report};
use retrograd::ops::{AddUpdate, Indexed, NegUpdate, NotUpdate, Shaped, XorUpdate};
use retrograd::prelude::*;

/// Its shadow is a struct of its own.
#[derive(Active, Clone, Copy, Debug, PartialEq)]
#[active(linear)]
struct Vector {
    x: f64,
    y: f64,
}

/// It is its own shadow.
#[derive(Active, Clone, Copy, Debug, PartialEq)]
#[active(linear)]
struct Pair<T>(T, T);

macro_rules! linear {
    ([$($generics:tt)*] $type:ty, $name:ident: $a:tt $b:tt) => {
        impl<$($generics)*> Add for $type {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                $name { $a: self.$a + other.$a, $b: self.$b + other.$b }
            }
        }

        impl<$($generics)*> Sub for $type {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                $name { $a: self.$a - other.$a, $b: self.$b - other.$b }
            }
        }

        impl<$($generics)*> Neg for $type {
            type Output = Self;
            fn neg(self) -> Self {
                $name { $a: -self.$a, $b: -self.$b }
            }
        }

        impl<$($generics)*> AddAssign for $type {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl<$($generics)*> SubAssign for $type {
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl<$($generics)*> Compare for $type {
            fn compare(&self, actual: &Self, report: &mut Report) {
                (self.$a, self.$b).compare(&(actual.$a, actual.$b), report);
            }
        }
    };
}

linear!([] Vector, Vector: x y);
linear!([T: Real] Pair<T>, Pair: 0 1);

impl Sum for Vector {
    fn sum<I: Iterator<Item = Vector>>(all: I) -> Vector {
        all.fold(Vector { x: 0.0, y: 0.0 }, Add::add)
    }
}

#[reversible]
fn of_vectors(y: &mut Vector, a: Vector, b: &[Vector], scale: f64) {
    *y += a + b[0];
    *y -= Vector { x: a.x * scale, y: b[1].y * b[0].x };
    *y = -*y;
    let total: Vector = b.iter().copied().sum::<Vector>();
    *y += if scale > 0.0 { total - a } else { -total };
    *y += Vector { x: 1.0, y: 2.0 };
}

#[reversible]
fn of_pairs<T: Real>(a: Pair<T>, b: Pair<T>) -> T {
    let mut sum = a + b;
    sum -= -a - b;
    let other = sum - Pair(1.0, 2.0);
    sum.0 * other.1 + other.0 * a.1
}

#[test]
fn derivatives_go_through_operators_that_are_linear() {
    let (a, b) = (Vector { x: 0.3, y: 0.4 }, vec![Vector { x: 0.5, y: 0.6 }, Vector { x: -0.7, y: 0.8 }]);
    for scale in [0.9, -0.9] {
        laws!(of_vectors(&mut y = Vector { x: 0.1, y: 0.2 }, a = a, &[b] = b.clone(), scale = scale));
    }
    laws!(scalar of_pairs(a = Pair(0.3, 0.4), b = Pair(0.5, 0.6)));
    let d = |re, k: usize| retrograd::Dual::new(re, std::array::from_fn::<f64, 4, _>(|i| f64::from(u8::from(i == k))));
    let dual = of_pairs(Pair(d(0.3, 0), d(0.4, 1)), Pair(d(0.5, 2), d(0.6, 3)));
    let (value, by_a, by_b) = of_pairs::gradient(Pair(0.3, 0.4), Pair(0.5, 0.6));
    laws::close(&[dual.re], &[value], "the value");
    laws::close(&dual.eps, &[by_a.0, by_a.1, by_b.0, by_b.1], "the gradient");
}

/// What is not linear is a function.
#[derive(Active, Clone, Copy, Debug)]
struct LogProbability {
    ln: f64,
}

#[reversible]
impl LogProbability {
    fn or(self, other: LogProbability) -> LogProbability {
        LogProbability { ln: self.ln.max(other.ln) + (-(self.ln - other.ln).abs()).exp().ln_1p() }
    }
}

#[reversible]
fn either(a: LogProbability, b: LogProbability) -> f64 {
    let c = a.or(b);
    c.ln
}

#[test]
fn a_function_in_the_place_of_an_operator_has_its_own_derivative() {
    let (_, by_a, by_b) = either::gradient(LogProbability { ln: 1.0 }, LogProbability { ln: 0.0 });
    let expected = 1.0 / (1.0 + (-1.0_f64).exp());
    laws::close(&[expected, 1.0 - expected], &[by_a.ln, by_b.ln], "the gradient of a sum of probabilities");
}

/// Integers modulo 7: not linear, and yet undone.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Modular(u8);

impl AddAssign for Modular {
    fn add_assign(&mut self, other: Modular) {
        self.0 = (self.0 + other.0) % 7;
    }
}

impl SubAssign for Modular {
    fn sub_assign(&mut self, other: Modular) {
        self.0 = (self.0 + 7 - other.0) % 7;
    }
}

impl Neg for Modular {
    type Output = Modular;
    fn neg(self) -> Modular {
        Modular((7 - self.0) % 7)
    }
}

/// Two bits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bits([bool; 2]);

impl BitXorAssign for Bits {
    fn bitxor_assign(&mut self, other: Bits) {
        self.0[0] ^= other.0[0];
        self.0[1] ^= other.0[1];
    }
}

impl Not for Bits {
    type Output = Bits;
    fn not(self) -> Bits {
        Bits([!self.0[0], !self.0[1]])
    }
}

impl AddUpdate for Modular {}
impl NegUpdate for Modular {}
impl XorUpdate for Bits {}
impl NotUpdate for Bits {}

#[reversible(derivatives = "never")]
fn of_types_that_say_so(m: &mut Modular, b: &mut Bits, by: Modular, with: Bits) {
    *m += by;
    *m = -*m;
    *m -= by;
    *b ^= with;
    *b = !*b;
}

#[reversible(derivatives = "never")]
fn of_the_standard_library(w: &mut Wrapping<u8>, d: &mut Duration, i: &mut Instant, by: Wrapping<u8>, time: Duration) {
    *w += by;
    *w -= 3;
    *w ^= by;
    *w = !*w;
    *d += time;
    *i += time;
}

#[test]
fn statements_on_types_that_say_so_are_undone() {
    let (mut m, mut b) = (Modular(3), Bits([true, false]));
    of_types_that_say_so(&mut m, &mut b, Modular(6), Bits([true, true]));
    assert_eq!((m, b), (Modular(6), Bits([true, false])));
    of_types_that_say_so::uncall(&mut m, &mut b, Modular(6), Bits([true, true]));
    assert_eq!((m, b), (Modular(3), Bits([true, false])));
    let (start, time) = (Instant::now(), Duration::from_secs(5));
    let (mut w, mut d, mut i) = (Wrapping(250), time, start);
    of_the_standard_library(&mut w, &mut d, &mut i, Wrapping(77), time);
    assert!((d, i) == (2 * time, start + time) && w != Wrapping(250));
    of_the_standard_library::uncall(&mut w, &mut d, &mut i, Wrapping(77), time);
    assert_eq!((w, d, i), (Wrapping(250), time, start));
}

/// Columns one after the other.
#[derive(Clone, Debug, PartialEq)]
struct Table {
    rows: usize,
    cells: Vec<f64>,
}

impl Index<(usize, usize)> for Table {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.cells[i + j * self.rows]
    }
}

impl IndexMut<(usize, usize)> for Table {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.cells[i + j * self.rows]
    }
}

impl Table {
    fn shape(&self) -> (usize, usize) {
        (self.rows, self.cells.len() / self.rows)
    }
}

impl Indexed for Table {}
impl Shaped for Table {}

#[reversible(derivatives = "never")]
fn eliminate(table: &mut Table, i: usize, j: usize) {
    for k in 0..table.shape().1 {
        table[(i, k)] -= table[(j, k)] * 0.5;
    }
}

#[test]
fn containers_that_say_so_are_changed_element_by_element() {
    let start = Table { rows: 2, cells: vec![1.0, 2.0, 3.0, 4.0] };
    let mut table = start.clone();
    eliminate(&mut table, 0, 1);
    assert_eq!(table.cells, [0.0, 2.0, 1.0, 4.0]);
    eliminate::uncall(&mut table, 0, 1);
    assert_eq!(table, start);
}
