//! Types of the user's own whose methods have the names of known ones: what they compute is right, or an error says that it would not be.
//! Mistakes that rustc finds are in `ui/meanings`.

use retrograd::ops::{Indexed, Ordered};
use retrograd::prelude::*;
use retrograd::{ErrorKind, attempt};
use std::ops::{Index, IndexMut};

/// A container that says that its elements lie in order.
#[derive(Active, Clone, Debug, PartialEq)]
struct Signal<T> {
    samples: Vec<T>,
}

impl<T> Signal<T> {
    fn len(&self) -> usize {
        self.samples.len()
    }

    fn iter(&self) -> std::slice::Iter<'_, T> {
        self.samples.iter()
    }

    fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.samples.iter_mut()
    }
}

impl<T> Index<usize> for Signal<T> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.samples[i]
    }
}

impl<T> IndexMut<usize> for Signal<T> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.samples[i]
    }
}

impl<T> Ordered for Signal<T> {}
impl<T> Indexed for Signal<T> {}

#[reversible]
fn weighted(x: &Signal<f64>, w: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(w) {
        sum += a * a * b;
    }
    sum + x.iter().zip(w.iter()).map(|(a, b)| a * b).sum::<f64>()
}

#[reversible]
fn add(x: &mut Signal<f64>, w: &[f64]) {
    for (a, b) in x.iter_mut().zip(w) {
        *a += b * b;
    }
}

#[test]
fn an_ordered_container_is_gone_through_like_a_slice() {
    let x = Signal { samples: vec![1.0, 2.0, 3.0] };
    let w = [0.5, -1.0, 2.0];
    let (value, by_x, by_w) = weighted::gradient(&x, &w);
    assert_eq!(value, 0.5 - 4.0 + 18.0 + 0.5 - 2.0 + 6.0);
    assert_eq!(by_x.samples, [1.5, -5.0, 14.0]);
    assert_eq!(by_w, [2.0, 6.0, 12.0]);

    let mut y = x.clone();
    add(&mut y, &w);
    assert_eq!(y.samples, [1.25, 3.0, 7.0]);
    let mut gy = Signal { samples: vec![1.0, 10.0, 100.0] };
    let mut gw = [0.0; 3];
    add::pullback((&mut y, &mut gy), (&w, &mut gw));
    assert_eq!((y, gw), (x, [1.0, -20.0, 400.0]));
}

/// A type whose clones are no copies.
#[derive(Active, Debug, PartialEq)]
struct Fading {
    level: f64,
}

impl Clone for Fading {
    fn clone(&self) -> Fading {
        Fading { level: self.level / 2.0 }
    }
}

#[reversible]
fn cloned(f: &Fading) -> f64 {
    let g = f.clone();
    g.level * g.level
}

#[reversible]
fn moved(x: f64) -> f64 {
    let f = Fading { level: x };
    let g = f;
    g.level * x
}

#[reversible]
fn repeated(f: &Fading) -> f64 {
    let all = vec![f.clone(); 2];
    all[0].level + all[1].level
}

#[reversible]
fn copied_from(all: &[Fading]) -> f64 {
    let own = all.to_vec();
    own[0].level
}

#[reversible]
fn owned(all: &[Fading]) -> f64 {
    let own = all.to_owned();
    own[0].level
}

#[reversible]
fn cloned_each(all: &[Fading]) -> f64 {
    let mut sum = 0.0;
    for f in all.iter().cloned() {
        sum += f.level;
    }
    sum
}

#[reversible(record)]
fn replaced(x: f64) -> f64 {
    let mut f = Fading { level: x };
    let old = std::mem::replace(&mut f, Fading { level: 1.0 });
    old.level * f.level
}

/// A method of that name, which is none of a trait.
#[derive(Active, Debug)]
struct Mirror {
    x: f64,
}

impl Mirror {
    fn to_owned(&self) -> Mirror {
        Mirror { x: -self.x }
    }
}

#[reversible]
fn mirrored(m: &Mirror) -> f64 {
    let n = m.to_owned();
    n.x * n.x * n.x
}

fn kind<R>(run: impl FnOnce() -> R) -> Option<ErrorKind> {
    attempt(run).err().map(|error| error.kind)
}

#[test]
fn a_clone_that_is_no_copy_is_an_error() {
    let f = || Fading { level: 3.0 };
    let kinds = [
        kind(|| cloned::gradient(&f())),
        kind(|| moved::gradient(3.0)),
        kind(|| repeated::gradient(&f())),
        kind(|| copied_from::gradient(&[f()])),
        kind(|| owned::gradient(&[f()])),
        kind(|| cloned_each::gradient(&[f()])),
        kind(|| replaced::gradient(3.0)),
        kind(|| replaced(3.0)),
        kind(|| mirrored::gradient(&Mirror { x: 2.0 })),
    ];
    assert_eq!(kinds, [Some(ErrorKind::Copied); 9]);
    // As it is written, it is what Rust says.
    assert_eq!((cloned(&f()), moved(3.0), mirrored(&Mirror { x: 2.0 })), (2.25, 9.0, -8.0));
}

/// Derived clones are copies, of many numbers and of NaN too.
#[derive(Active, Clone, Debug)]
struct Field {
    at: Vec<f64>,
    #[constant]
    name: &'static str,
}

#[reversible]
fn energy(field: &Field) -> f64 {
    let own = field.clone();
    let moved = own;
    moved.at.iter().map(|a| a * a).sum()
}

#[test]
fn derived_clones_are_copies() {
    for n in [0, 1, 16, 17, 100] {
        let field = Field { at: (0..n).map(f64::from).collect(), name: "f" };
        assert_eq!(field.name, "f");
        let (_, gradient) = energy::gradient(&field);
        assert_eq!(gradient.at, (0..n).map(|i| 2.0 * f64::from(i)).collect::<Vec<_>>());
    }
    let (value, _) = energy::gradient(&Field { at: vec![f64::NAN], name: "f" });
    assert!(value.is_nan());
}

/// A function of a trait is that of the trait, whatever it is called.
#[reversible]
trait Looked {
    fn sin(self) -> f64;
}

#[reversible]
impl Looked for f64 {
    fn sin(self) -> f64 {
        7.0 * self
    }
}

#[reversible]
fn looked_up(x: f64) -> f64 {
    <f64 as Looked>::sin(x) * <f64 as Real>::cube(x)
}

#[reversible]
fn mapped_by_paths(x: &mut f64) {
    *x = Real::exp(*x);
    *x = f64::tanh(*x);
    *x = <f64 as Real>::cube(*x);
}

#[test]
fn functions_belong_to_their_traits() {
    assert_eq!(looked_up::gradient(2.0), (112.0, 224.0)); // 7 x⁴
    let (mut x, mut by_x) = (0.5_f64, 1.0);
    mapped_by_paths(&mut x);
    assert!((x - 0.5_f64.exp().tanh().powi(3)).abs() < 1e-15);
    mapped_by_paths::pullback((&mut x, &mut by_x));
    let tanh = 0.5_f64.exp().tanh();
    assert!((x - 0.5).abs() < 1e-12 && (by_x - 3.0 * tanh * tanh * (1.0 - tanh * tanh) * 0.5_f64.exp()).abs() < 1e-12);
}
