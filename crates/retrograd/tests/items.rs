//! Where `#[reversible]` may stand, and what it carries over to the companions.
#![deny(warnings)]

use retrograd::prelude::*;

mod inner {
    use retrograd::prelude::*;

    /// Generics, const generics, lifetimes, `where`, visibility and attributes carry over.
    #[reversible]
    #[inline]
    pub(crate) fn scaled<'a, T, const N: usize>(y: &mut [T; N], x: &'a [T; N], c: T)
    where
        T: Real,
    {
        for i in 0..N {
            y[i] += c * x[i] * 0.5;
        }
    }

    #[reversible]
    pub(super) fn private_helper(x: &mut i32) {
        *x += 1;
    }

    #[reversible]
    pub(crate) fn scaled_by_two(x: &mut f64) {
        *x *= 2.0;
    }
}

#[reversible]
fn by_path(y: &mut [f64; 2], x: &[f64; 2], k: &mut i32) {
    inner::scaled(y, x, 2.0);
    inner::scaled::<f64, 2>(y, x, 3.0);
    inner::scaled::uncall::<f64, 2>(y, x, 1.0);
    self::inner::private_helper(k);
    crate::inner::private_helper::uncall(k);
}

#[test]
fn calls_by_path_with_generic_arguments() {
    let (mut y, x, mut k) = ([1.0, 2.0], [0.5, 0.25], 3);
    by_path(&mut y, &x, &mut k);
    assert_eq!((y, k), ([2.0, 2.5], 3));
    by_path::uncall(&mut y, &x, &mut k);
    assert_eq!((y, k), ([1.0, 2.0], 3));
    inner::scaled::uncall(&mut y, &x, 2.0);
}

#[test]
fn definitions_inside_function_bodies() {
    #[reversible]
    fn local(x: &mut f64, dt: f64) {
        const RATE: f64 = 0.5;
        *x += dt * RATE;
    }
    let mut x = 1.0;
    local(&mut x, 2.0);
    assert_eq!(x, 2.0);
    local::uncall(&mut x, 2.0);
    assert_eq!(x, 1.0);
    let _program = local {};
}

#[derive(Clone, Debug, PartialEq, Active)]
struct Oscillator<T> {
    x: T,
    v: T,
    steps: u32,
}

#[reversible]
impl<T: Real> Oscillator<T> {
    #[host]
    fn new(x: T) -> Self {
        Oscillator { x, v: T::zero(), steps: 0 }
    }

    fn kick(&mut self, dt: T) {
        self.v -= dt * self.x;
    }

    fn drift(&mut self, dt: T) {
        self.x += dt * self.v;
    }

    /// One step.
    fn step(&mut self, dt: T) {
        self.kick(dt * 0.5);
        self.drift(dt);
        Self::kick(self, dt * 0.5);
        self.steps += 1;
    }

    fn energy(&self) -> T {
        (self.x * self.x + self.v * self.v) * 0.5
    }

    fn add_energy(&self, total: &mut T) {
        *total += self.energy();
    }

    fn run(&mut self, n: usize, dt: T, total: &mut T) {
        for _ in 0..n {
            self.step(dt);
        }
        (&*self).add_energy(total);
        self.uncall_step(dt);
    }
}

#[test]
fn methods_have_companions() {
    let start = Oscillator::new(1.0_f64);
    let (mut o, mut total) = (start.clone(), 0.0);
    o.run(100, 0.01, &mut total);
    assert_eq!(o.steps, 99);
    assert!((total - 0.5).abs() < 1e-4);
    o.uncall_run(100, 0.01, &mut total);
    assert_eq!(o.steps, 0);
    assert!((o.x - start.x).abs() < 1e-12 && total.abs() < 1e-12);
    assert!(Oscillator::<f64>::source_step(Direction::Inverse).contains("self.steps -= 1"));
}

#[reversible]
trait Integrator {
    fn step(&mut self, dt: f64);

    fn twice(&mut self, dt: f64) {
        self.step(dt);
        self.step(dt);
    }
}

#[derive(Active)]
struct Euler(f64);

#[reversible]
impl Integrator for Euler {
    fn step(&mut self, dt: f64) {
        self.0 *= 1.0 + dt;
    }
}

#[reversible]
fn generic_over_traits<I: Integrator>(all: &mut [I], dt: f64) {
    for one in all.iter_mut() {
        one.twice(dt);
    }
    for i in 0..all.len() {
        all[i].step(dt);
        I::uncall_step(&mut all[i], dt);
    }
}

#[test]
fn traits_have_companions() {
    let mut all = vec![Euler(1.0), Euler(2.0)];
    generic_over_traits(&mut all, 0.5);
    assert_eq!((all[0].0, all[1].0), (2.25, 4.5));
    generic_over_traits::uncall(&mut all, 0.5);
    assert_eq!((all[0].0, all[1].0), (1.0, 2.0));
    let _ = Euler::source_step(Direction::Forward);
}

#[reversible]
fn even(n: u32, count: &mut u32) {
    if n > 0 {
        odd(n - 1, count);
        *count += 1;
    }
}

#[reversible]
fn odd(n: u32, count: &mut u32) {
    if n > 0 {
        even(n - 1, count);
        *count += 2;
    }
}

#[test]
fn recursion_and_mutual_recursion() {
    let mut count = 0;
    even(10, &mut count);
    assert_eq!(count, 15);
    even::uncall(10, &mut count);
    assert_eq!(count, 0);
}

#[reversible(checks = "never")]
fn never(x: &mut f64) {
    let mut t = 1.0;
    t += 1.0;
    *x *= 0.0;
    release!(t == 1.0);
}

#[reversible(checks = "always")]
fn always(x: &mut f64) {
    *x *= 0.0;
}

#[test]
fn checks_can_be_chosen() {
    let mut x = 3.0;
    never(&mut x);
    assert_eq!(x, 0.0);
    assert!(retrograd::attempt(|| always(&mut 3.0)).is_err());
}

#[test]
fn the_source_of_an_inverse_reads_like_a_program() {
    #[reversible]
    fn step<T: Real>(x: &mut [T], v: &mut [T], dt: T) {
        for i in 0..x.len() {
            v[i] -= dt * x[i];
        }
        if dt > 0.0 {
            swap(&mut x[0], &mut v[0]);
        }
    }
    assert_eq!(
        step::source(Direction::Inverse),
        "fn uncall_step<T: Real>(x: &mut [T], v: &mut [T], dt: T) {
    if dt > 0.0 {
        swap(&mut x[0], &mut v[0]);
    }
    for i in (0..x.len()).rev() {
        v[i] += dt * x[i];
    }
}
"
    );
    assert!(step::source(Direction::Forward).starts_with("fn step<T: Real>"));
    step(&mut [1.0], &mut [2.0], 0.1);
}

/// Names may come from outside and from inside of a macro.
macro_rules! written_by_a_macro {
    ($name:ident($x:ident, $y:ident) $a:ident) => {
        #[reversible]
        fn $name($x: f64, $y: &mut f64) {
            let mut $a = 0.0;
            let mut sum = 1.0;
            $a += $x * $x;
            sum += $a;
            *$y += sum * $a;
        }
    };
}

written_by_a_macro!(of_a_macro(x, y) a);

#[test]
fn a_macro_may_write_programs() {
    let (mut y, mut gx) = (1.0, 0.0);
    of_a_macro(3.0, &mut y);
    assert_eq!(y, 91.0);
    of_a_macro::pullback((3.0, &mut gx), (&mut y, &mut 1.0));
    assert_eq!((y, gx), (1.0, 114.0));
}

/// A function of a trait whose value is a number and whose arguments are not: its callers differentiate through it.
#[reversible]
trait Weights {
    fn weight(&self, n: usize) -> f64;
    fn unit(n: usize) -> f64;
}

struct Halves;

#[reversible]
impl Weights for Halves {
    fn weight(#[constant] &self, n: usize) -> f64 {
        0.5_f64.powi(n as i32)
    }
    fn unit(n: usize) -> f64 {
        n as f64
    }
}

#[reversible]
fn weighted(x: f64, #[constant] weights: &Halves, n: usize) -> f64 {
    x * weights.weight(n) * Halves::unit(n)
}

#[test]
fn a_trait_and_its_impl_agree_on_what_has_derivatives() {
    assert_eq!(weighted::gradient(3.0, &Halves, 2), (1.5, 0.5));
}

/// What macros by example bring: `$crate`, expressions in invisible groups, locals that the caller cannot see.
macro_rules! bumped {
    ($name:ident, $by:expr, $helper:path) => {
        #[reversible]
        fn $name(x: &mut f64, y: f64) {
            let by = $by;
            let twice = by * 2.0;
            $helper(x, twice * y);
            $crate::inner::scaled_by_two(x);
        }
    };
}

#[reversible]
fn added(x: &mut f64, y: f64) {
    *x += y;
}

/// Arguments and receivers in invisible groups.
macro_rules! moved {
    ($name:ident($x:ident, $y:ident): $place:expr, $amount:expr) => {
        #[reversible]
        fn $name($x: &mut [f64], $y: f64) {
            added($place, $amount);
        }
    };
}

moved!(moved_first(x, y): &mut x[0], y * y);

bumped!(bumped_by_a_sum, 1.0 + 2.0, added);
bumped!(bumped_by_an_argument, (0.5_f64).sqrt() * 2.0, crate::added);

#[test]
fn programs_that_macros_by_example_write() {
    for (run, back, by) in [
        (bumped_by_a_sum as fn(&mut f64, f64), bumped_by_a_sum::uncall as fn(&mut f64, f64), 3.0),
        (bumped_by_an_argument, bumped_by_an_argument::uncall, 0.5_f64.sqrt() * 2.0),
    ] {
        let mut x = 1.0;
        run(&mut x, 0.25);
        assert_eq!(x, (1.0 + by * 2.0 * 0.25) * 2.0);
        back(&mut x, 0.25);
        assert!((x - 1.0).abs() < 1e-15);
    }
    let mut x = [1.0, 2.0];
    moved_first(&mut x, 3.0);
    assert_eq!(x, [10.0, 2.0]);
    moved_first::uncall(&mut x, 3.0);
    assert_eq!(x, [1.0, 2.0]);
    let (mut x, mut gx, mut gy) = (1.0, 1.0, 0.0);
    bumped_by_a_sum(&mut x, 0.25);
    bumped_by_a_sum::pullback((&mut x, &mut gx), (0.25, &mut gy));
    assert_eq!((gx, gy), (2.0, 12.0));
}

/// A macro does not see the locals of its caller, nor the other way round, whatever they are called.
macro_rules! hygienic {
    ($name:ident($x:ident): $e:expr) => {
        #[reversible]
        fn $name($x: f64) -> f64 {
            let t = 1.5;
            let mut sum = 0.0;
            for i in 0..2 {
                let v = i as f64;
                sum += $e * t + v;
            }
            sum
        }
    };
}

hygienic!(of_t(t): t * t);
hygienic!(of_sum(sum): sum * sum);
hygienic!(of_v(v): v * v);
hygienic!(of_another(x): x * x);

macro_rules! horner {
    ($name:ident($x:ident): $($c:expr),*) => {
        #[reversible]
        fn $name($x: f64, y: f64) -> f64 {
            let mut acc = 0.0;
            $( acc = acc * $x + $c; )*
            acc * y
        }
    };
}

horner!(in_acc(acc): 1.0, 2.0, 3.0);

#[test]
fn names_of_a_macro_are_not_those_of_its_caller() {
    for gradient in [of_t::gradient, of_sum::gradient, of_v::gradient, of_another::gradient] {
        assert_eq!(gradient(0.5), (1.75, 3.0));
    }
    assert_eq!([of_t(0.5), of_sum(0.5), of_v(0.5), of_another(0.5)], [1.75; 4]);
    assert_eq!((in_acc(0.5, 2.0), in_acc::gradient(0.5, 2.0)), (8.5, (8.5, 6.0, 4.25)));
}

#[reversible]
fn with_items_of_its_own<T: Real>(x: T, n: usize) -> T {
    #[derive(Active, Clone)]
    struct Pair<T> {
        a: T,
        b: T,
    }
    #[reversible]
    fn square<T: Real>(x: T) -> T {
        x * x
    }
    #[reversible]
    fn step<T: Real>(pair: &mut Pair<T>, x: T) {
        pair.a += square(x);
        pair.b += pair.a * x;
    }
    const MORE: usize = 1;
    let mut pair = Pair { a: x, b: 2.0 * x };
    for _ in 0..n + MORE {
        step(&mut pair, x);
    }
    square(x) + pair.b
}

#[reversible]
fn with_a_procedure_of_its_own(x: &mut f64) {
    #[reversible]
    fn step(x: &mut f64) {
        *x += 1.0;
        *x *= 3.0;
    }
    step(x);
    step(x);
}

#[test]
fn reversible_items_may_stand_in_a_reversible_body() {
    // The derivative of 2x + 3x² + 3x³ at 2.
    let (value, slope) = with_items_of_its_own::gradient(2.0, 1);
    assert_eq!((value, slope), (with_items_of_its_own(2.0, 1), 50.0));
    let (mut x, mut grad) = (1.0, 1.0);
    with_a_procedure_of_its_own(&mut x);
    assert_eq!(x, 21.0);
    with_a_procedure_of_its_own::pullback((&mut x, &mut grad));
    assert_eq!((x, grad), (1.0, 9.0));
}

/// Receivers that are written out are those that have a short form.
#[derive(Active, Clone, Copy, Debug, PartialEq)]
struct Written {
    x: f64,
}

#[reversible]
impl Written {
    fn scaled(self: &Self, k: f64) -> f64 {
        self.x * k
    }

    fn given(self: Self, k: f64) -> f64 {
        self.x * k * k
    }

    fn step(self: &mut Self, k: f64) {
        self.x += k * k;
    }
}

#[test]
fn receivers_may_be_written_out() {
    let mut w = Written { x: 3.0 };
    let (value, by_w, by_k) = w.gradient_scaled(2.0);
    assert_eq!((value, by_w.x, by_k), (6.0, 2.0, 3.0));
    assert_eq!(w.given(2.0), 12.0);
    w.step(2.0);
    w.uncall_step(2.0);
    assert_eq!(w, Written { x: 3.0 });
}
