//! Derivatives of programs with shared references into what they change later.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::Active;
use retrograd::prelude::*;

#[reversible]
fn element<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let mut s = T::zero();
    let z = &c[2];
    s += *z * *z * x[3];
    c[1] += x[3];
    c[2] += s * x[0];
    s * c[1] * c[2]
}

#[reversible]
fn slices<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let mut s = T::zero();
    let (all, part) = (&c, &c[1..]);
    let last = &part[2];
    s += all[0] * part[0] * *last;
    for v in part {
        s += *v * x[3];
    }
    for (i, v) in part.iter().enumerate() {
        s += *v * T::from_int(i as i64);
    }
    s += part.iter().map(|v| *v * x[0]).sum::<T>();
    s += T::from_int(part.len() as i64) * part[1].sin();
    c[1] += s * x[1];
    c[1] * s
}

#[reversible]
fn weighted<T: Real>(x: &[T], a: T) -> T {
    x[0] * x[1] * a
}

#[reversible]
fn add_weighted<T: Real>(y: &mut T, x: &[T], a: &T) {
    *y += x[0] * x[1] * *a;
}

#[reversible]
fn arguments<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let mut s = T::zero();
    let z = &c[1..];
    let w = &c[0];
    s += weighted(z, *w) * weighted(&z, x[3]);
    add_weighted(&mut s, z, w);
    add_weighted(&mut s, &z[1..], w);
    c[1] += s * x[0];
    c[1] * s
}

#[reversible]
fn branches<T: Real>(x: &[T; 4]) -> T {
    let mut c = *x;
    let mut s = T::zero();
    let z = &c[1];
    if *z > T::zero() {
        s += *z * x[3];
    } else {
        s -= x[0];
    }
    assert!(*z > s);
    let r = if x[0] > x[1] { &x[2] } else { &x[3] };
    s += *r * *r;
    c[1] += s * x[2];
    c[1] * s
}

#[reversible]
fn indices<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let mut s = T::zero();
    let mut i = 0usize;
    let z = &c[i + 1];
    s += *z * x[0];
    i += 1;
    c[i] += s * x[3];
    s * c[i]
}

#[derive(Clone, Active)]
struct Body<T> {
    mass: T,
    place: Vec<T>,
}

#[reversible]
impl<T: Real> Body<T> {
    fn weight(&self, g: T) -> T {
        self.mass * g + self.place[0]
    }

    fn fall(&mut self, g: T) {
        let height = &self.place[0];
        self.mass += *height * g;
        let mass = &self.mass;
        self.place[0] += *mass * g;
    }
}

#[reversible]
fn fields<T: Real>(x: &[T; 4]) -> T {
    let mut body = Body { mass: x[0], place: x.to_vec() };
    let mut s = T::zero();
    let mass = &body.mass;
    let Body { place, .. } = &body;
    s += *mass * place[1];
    body.mass += s * x[2];
    let whole = &body;
    s += whole.weight(x[3]);
    body.place[0] += s * x[0];
    body.fall(s);
    s * body.mass * body.place[0]
}

#[reversible]
fn views<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let mut s = T::zero();
    let w = &mut c[1..];
    let z = &w[0];
    s += *z * *z;
    w[0] += s * x[3];
    c[1] * s
}

#[reversible]
fn tuples<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let ((y, w), (mut s, z), n): ((&T, T), (T, &[T]), usize) = ((&c[1], x[3]), (T::zero(), &c[2..]), 2);
    s += *y * z[0] * w * T::from_int(n as i64);
    c[2] += s * x[0];
    c[2] * s
}

#[reversible]
fn named_tuples<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let pair = (&c[0], &c[1..]);
    let mut s = weighted(pair.1, *pair.0);
    for v in pair.1 {
        s += *v * pair.0.sin();
    }
    s += T::from_int(pair.1.len() as i64) * x[3];
    c[0] += s * x[1];
    let halves = (&x[..2], &x[2..]);
    let (left, right) = halves;
    s * c[0] * left[0] * right[1]
}

#[reversible]
fn procedure<T: Real>(x: &mut [T], y: &mut T, a: T) {
    let mut c = vec![a, a * a];
    let z = &c[1];
    *y += *z * *z * a;
    let (head, n) = (&x[0], 1);
    *y += *head * a;
    x[n] += *y * a;
    c[1] += a * a;
    *y += c[1] * c[1];
}

#[test]
fn references_into_what_is_changed_later() {
    laws!(scalar element(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar slices(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar arguments(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar branches(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar indices(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar fields(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar views(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar tuples(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(scalar named_tuples(&x = [1.3, 2.1, 0.7, 0.5]));
    laws!(procedure(&mut [x] = vec![1.3, 2.1], &mut y = 0.4, a = 0.7));
}
