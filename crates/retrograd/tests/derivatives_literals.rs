//! Values of types that are not `Clone`, made by one literal inside another.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[derive(Active)]
struct Inner<T> {
    c: T,
}

#[derive(Active)]
struct Outer<T> {
    a: T,
    inner: Inner<T>,
}

#[derive(Active)]
struct Deep<T> {
    outer: Outer<T>,
    pair: [Inner<T>; 2],
}

#[derive(Active)]
struct Positional<T>(T, Inner<T>);

#[derive(Active)]
enum Choice<T> {
    One(Inner<T>),
    Both { inner: Inner<T>, outer: Outer<T> },
}

#[reversible]
fn read<T: Real>(x: T) -> T {
    let s = Outer { a: x, inner: Inner { c: x * x } };
    s.a * s.inner.c
}

#[reversible]
fn changed<T: Real>(x: T) -> T {
    let mut s = Outer { a: x, inner: Inner { c: x * x } };
    s.inner.c += x;
    s.a * s.inner.c
}

#[reversible]
fn deep<T: Real>(x: T) -> T {
    let d = Deep { outer: Outer { a: x, inner: Inner { c: x * x } }, pair: [Inner { c: x }, Inner { c: x * x }] };
    d.outer.inner.c * d.pair[1].c + d.outer.a * d.pair[0].c
}

#[reversible]
fn positional<T: Real>(x: T) -> T {
    let d = Positional(x, Inner { c: x * x });
    d.0 * d.1.c
}

#[reversible]
fn variant<T: Real>(x: T) -> T {
    let both = Choice::Both { inner: Inner { c: x }, outer: Outer { a: x, inner: Inner { c: x } } };
    let one = Choice::One(Inner { c: x * x });
    let first = match &both {
        Choice::One(inner) => inner.c,
        Choice::Both { inner, outer } => inner.c * outer.inner.c * outer.a,
    };
    let second = match &one {
        Choice::One(inner) => inner.c,
        Choice::Both { inner, outer } => inner.c * outer.a,
    };
    first * second
}

#[reversible]
fn the_same_twice<T: Real>(x: T) -> T {
    let pair = (Outer { a: x, inner: Inner { c: x * x } }, Outer { a: x, inner: Inner { c: x * x } });
    pair.0.a * pair.1.inner.c
}

#[reversible]
fn of_a_reference<T: Real>(s: &Outer<T>) -> T {
    s.a * s.inner.c
}

#[reversible]
fn of_a_value<T: Real>(s: Outer<T>) -> T {
    s.a * s.inner.c
}

#[reversible]
fn given_away<T: Real>(x: T) -> T {
    of_a_reference(&Outer { a: x, inner: Inner { c: x * x } }) + of_a_value(Outer { a: x, inner: Inner { c: x.sin() } })
}

#[reversible]
fn chosen<T: Real>(x: T) -> T {
    let s = if x > 0.0 { Outer { a: x, inner: Inner { c: x * x } } } else { Outer { a: x, inner: Inner { c: x } } };
    s.a * s.inner.c
}

#[reversible]
fn boxed<T: Real>(x: T) -> T {
    let s = Box::new(Outer { a: x, inner: Inner { c: x * x } });
    let o = Some(Outer { a: x, inner: Inner { c: x.sin() } });
    match &o {
        Some(t) => s.a * s.inner.c * t.a * t.inner.c,
        None => x,
    }
}

#[reversible(record)]
fn recorded<T: Real>(x: T) -> T {
    let mut y = x;
    let mut s = Outer { a: y, inner: Inner { c: x * y } };
    for _ in 0..3 {
        s.inner.c *= y;
        let mut t = Outer { a: y, inner: Inner { c: x * y } };
        t.inner.c = s.inner.c * t.inner.c;
        y = s.a * t.inner.c;
    }
    y
}

#[reversible]
fn in_a_loop<T: Real>(y: &mut T, x: T) {
    for _ in 0..3 {
        let mut q = Outer { a: x, inner: Inner { c: x * x } };
        q.inner.c += x;
        *y += q.a * q.inner.c;
    }
}

#[test]
fn literals_inside_literals_need_no_clone() {
    laws!(scalar read(x = 0.75));
    laws!(scalar changed(x = 0.75));
    laws!(scalar deep(x = 0.75));
    laws!(scalar positional(x = 0.75));
    laws!(scalar variant(x = 0.75));
    laws!(scalar the_same_twice(x = 0.75));
    laws!(scalar given_away(x = 0.75));
    laws!(scalar chosen(x = 0.75));
    laws!(scalar chosen(x = -0.75));
    laws!(scalar boxed(x = 0.75));
    laws!(scalar recorded(x = 0.75));
    laws!(in_a_loop(&mut y = 0.5, x = 0.75));
}

/// Neither `Active` nor `Clone`.
struct Count {
    n: i64,
}

struct Counts {
    a: i64,
    count: Count,
}

#[reversible(derivatives = "never")]
fn counted(y: &mut i64, x: i64) {
    for i in 0..3 {
        let mut s = Counts { a: x, count: Count { n: i } };
        s.count.n += x;
        let t = (x, [Count { n: x }, Count { n: s.count.n }]);
        *y += s.a * t.1[1].n + t.0 * t.1[0].n;
    }
}

#[test]
fn neither_do_those_of_integers() {
    let mut y = 5;
    counted(&mut y, 2);
    assert_eq!(y, 5 + 2 * (2 + 3 + 4) + 3 * 4);
    counted::uncall(&mut y, 2);
    assert_eq!(y, 5);
}
