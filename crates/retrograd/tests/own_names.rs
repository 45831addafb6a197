//! Types, traits, modules and macros of the user's own that are called like those of the standard library: what is generated does not
//! go by their names.

#![allow(dead_code, unused_macros, reason = "they are there for their names")]

mod vectors {
    use retrograd::prelude::*;

    #[derive(Active, Clone, Copy, Debug, PartialEq)]
    #[active(linear)]
    pub(crate) struct Vec {
        pub(crate) x: f64,
        pub(crate) y: f64,
    }

    #[derive(Active, Clone, Debug, PartialEq)]
    pub(crate) enum Box {
        Empty,
        Full(f64, Vec),
    }

    #[reversible]
    pub(crate) fn dot(a: &Vec, b: Vec) -> f64 {
        a.x * b.x + a.y * b.y
    }

    #[reversible]
    pub(crate) fn moved(a: Vec, k: &[f64]) -> f64 {
        let v = a;
        let mut w = k.to_vec();
        for i in 0..k.len() {
            w[i] += v.x * k[i];
        }
        let u = Vec { x: w[0], y: a.y };
        u.x * u.y
    }

    #[reversible(record)]
    pub(crate) fn overwritten(a: Vec, k: &[f64]) -> f64 {
        let mut v = a;
        for i in 0..k.len() {
            v.x *= k[i];
            v = Vec { x: v.y, y: v.x };
        }
        v.x * v.y
    }

    #[reversible]
    pub(crate) fn content(b: Box) -> f64 {
        match b {
            Box::Empty => 0.0,
            Box::Full(k, v) => k * v.x * v.y,
        }
    }
}

#[test]
fn types_of_ones_own_have_derivatives() {
    use vectors::{Box, Vec, content, dot, moved, overwritten};
    let v = Vec { x: 1.0, y: 2.0 };
    let (value, by_a, by_b) = dot::gradient(&v, Vec { x: 3.0, y: 5.0 });
    assert_eq!((value, by_a.x, by_a.y, by_b.x, by_b.y), (13.0, 3.0, 5.0, 1.0, 2.0));
    // (k₀ + x k₀) y
    let (value, by_a, by_k) = moved::gradient(v, &[3.0, 4.0]);
    assert_eq!((value, by_a.x, by_a.y, by_k), (12.0, 6.0, 6.0, vec![4.0, 0.0]));
    // x k₀ y k₁
    let (value, by_a, by_k) = overwritten::gradient(v, &[3.0, 5.0]);
    assert_eq!((value, by_a.x, by_a.y, by_k), (30.0, 30.0, 15.0, vec![10.0, 6.0]));
    assert_eq!(content(Box::Empty), 0.0);
    assert_eq!(content::gradient(Box::Full(3.0, v)).0, 6.0);
}

mod generic {
    use retrograd::prelude::*;

    #[derive(Active, Clone, Copy, Debug, PartialEq)]
    pub(crate) struct Vec<T> {
        pub(crate) x: T,
        pub(crate) y: T,
    }

    #[reversible]
    pub(crate) fn square<T: Real>(v: &Vec<T>) -> T {
        v.x * v.x + v.y * v.y
    }

    #[reversible]
    pub(crate) fn kick<T: Real>(v: &mut Vec<T>, a: &Vec<T>, dt: T) {
        v.x += a.x * dt;
        v.y += a.y * dt;
    }

    #[reversible]
    pub(crate) fn turned(v: Vec<f64>, k: f64) -> Vec<f64> {
        Vec { x: -k * v.y, y: k * v.x }
    }
}

#[test]
fn generic_types_of_ones_own_have_derivatives() {
    use generic::{Vec, kick, square, turned};
    let (value, by_v) = square::gradient(&Vec { x: 3.0, y: 4.0 });
    assert_eq!((value, by_v), (25.0, Vec { x: 6.0, y: 8.0 }));
    assert_eq!(square::hessian(&Vec { x: 3.0, y: 4.0 }).2, [2.0, 0.0, 0.0, 2.0]);
    let (mut v, a, mut gv, mut ga, mut gdt) =
        (Vec { x: 1.0, y: 2.0 }, Vec { x: 3.0, y: 5.0 }, Vec { x: 1.0, y: 10.0 }, Vec { x: 0.0, y: 0.0 }, 0.0);
    kick(&mut v, &a, 0.5);
    kick::pullback((&mut v, &mut gv), (&a, &mut ga), (0.5, &mut gdt));
    assert_eq!((v, ga, gdt), (Vec { x: 1.0, y: 2.0 }, Vec { x: 0.5, y: 5.0 }, 53.0));
    let (_, tangent) = turned::pushforward((a, Vec { x: 1.0, y: 0.0 }), (2.0, 1.0));
    assert_eq!(tangent, Vec { x: -5.0, y: 5.0 });
}

mod everything {
    use retrograd::prelude::*;

    pub(crate) struct Option;
    pub(crate) struct Some;
    pub(crate) struct None;
    pub(crate) struct Result;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct String;
    pub(crate) struct Vec;
    pub(crate) struct Box;
    pub(crate) trait Default {}
    pub(crate) trait Clone {}
    pub(crate) trait Copy {}
    pub(crate) trait Iterator {}
    pub(crate) trait IntoIterator {}
    pub(crate) trait Into {}
    pub(crate) trait Fn {}
    pub(crate) trait Drop {}
    pub(crate) trait Sized {}
    pub(crate) mod core {}
    pub(crate) mod std {}
    macro_rules! own {
        ($($name:ident)*) => {$(
            macro_rules! $name { () => { compile_error!("this is another macro") } }
        )*};
    }
    own!(vec assert panic unreachable matches stringify concat);

    #[derive(Active)]
    pub(crate) struct Point<T> {
        pub(crate) x: T,
        pub(crate) y: f64,
        #[constant]
        pub(crate) n: usize,
    }

    #[reversible]
    pub(crate) fn looped<T: Real>(a: &[T], k: T) -> T {
        let mut s = T::zero();
        let mut w = a.to_vec();
        for i in 0..a.len() {
            w[i] += a[i] * k;
            s += w[i].sin();
        }
        for (x, y) in a.iter().zip(a) {
            s += *x * *y;
        }
        if s > 0.0 { s * 2.0 } else { s.exp() }
    }

    #[reversible]
    pub(crate) fn changed(p: &mut Point<f64>, x: &mut f64, n: usize) {
        p.x += *x * p.y;
        if n > 3 {
            *x *= 2.0;
        } else {
            *x = -*x;
        }
        for i in (0..n).step_by(2).rev() {
            *x += (i as f64) * p.y;
        }
        ::core::mem::swap(&mut p.x, x);
        *x = x.sinh();
    }

    #[reversible(record)]
    pub(crate) fn recorded(a: &[f64]) -> f64 {
        let mut s = 0.0;
        let mut v = a.to_vec();
        v.push(3.0);
        for i in 0..v.len() {
            if v[i] > 2.5 {
                break;
            }
            v[i] = v[i].sin();
            s = s * v[i] + looped(a, v[i]);
            if s > 100.0 {
                return s;
            }
        }
        while s < 10.0 {
            s += 1.0;
        }
        v.sort_by(|a, b| a.total_cmp(b));
        s + v[0]
    }

    #[reversible]
    impl Point<f64> {
        pub(crate) fn step(&mut self, k: f64) {
            self.x += k * self.y;
        }
    }

    #[reversible]
    pub(crate) trait Steps {
        fn scale(&mut self, k: f64);
    }

    #[reversible]
    impl Steps for Point<f64> {
        fn scale(&mut self, k: f64) {
            self.y *= k;
        }
    }
}

#[test]
fn nothing_of_the_standard_library_has_to_be_in_scope() {
    use everything::{Point, Steps, changed, looped, recorded};
    let (x, h) = ([0.7, 1.2], 1e-6);
    let (_, by_a, _) = looped::gradient(&x, 0.5);
    let (value, by_x) = recorded::gradient(&x);
    assert_eq!(value, recorded(&x));
    for i in 0..2 {
        let moved = |h: f64| std::array::from_fn::<_, 2, _>(|j| if i == j { x[j] + h } else { x[j] });
        let slope = |f: &dyn Fn(&[f64]) -> f64| (f(&moved(h)) - f(&moved(-h))) / (2.0 * h);
        assert!((by_a[i] - slope(&|x| looped(x, 0.5))).abs() < 1e-7);
        assert!((by_x[i] - slope(&|x| recorded(x))).abs() < 1e-7);
    }
    let (mut p, mut x) = (Point { x: 1.0, y: 2.0, n: 3 }, 0.5);
    changed(&mut p, &mut x, 5);
    changed::uncall(&mut p, &mut x, 5);
    p.step(2.0);
    p.scale(3.0);
    assert!((p.x - 5.0).abs() < 1e-12 && (p.y, p.n) == (6.0, 3) && (x - 0.5).abs() < 1e-12);
}
