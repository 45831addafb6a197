//! What holds of the companions of every program, at one point.

use std::fmt::Debug;

use retrograd::private::{Shadowed, Zero};
use retrograd::{Active, Procedure};

use super::lift::{Lift, Number};

/// What the laws ask of arguments and results: numbers, which derivatives flow through, on `f64` and on dual numbers.
pub(crate) trait Values:
    Clone + Lift + Active<Number = f64, Shadow = Self::Own> + Shadowed<f64, Shadow = Self::Own, Owned = Self::Own>
{
    /// Their shadow.
    type Own;
}

impl<X, G> Values for X
where
    X: Clone + Lift + Active<Number = f64, Shadow = G> + Shadowed<f64, Shadow = G, Owned = G>,
{
    type Own = G;
}

/// The directions that derivatives are taken along: each has an angle to begin with.
const DIRECTIONS: [f64; 3] = [0.37, 1.13, 2.71];

/// A shadow without a pattern.
fn shadow<X: Values>(value: &X, mut angle: f64) -> X::Own {
    let mut shadow = value.zero_shadow(Zero::Plain);
    X::scalars_mut(&mut shadow, &mut |scalar| {
        *scalar = angle.sin();
        angle += 2.399;
    });
    shadow
}

fn scalars<X: Values>(shadow: &X::Own) -> Vec<f64> {
    let mut all = Vec::new();
    X::scalars(shadow, &mut |scalar| all.push(*scalar));
    all
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Fails unless all numbers are the same up to rounding, as a part of the largest ones.
#[track_caller]
fn close(expected: &[f64], found: &[f64], law: &str) {
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * size;
    let all = expected.len() == found.len() && expected.iter().zip(found).all(near);
    assert!(all, "{law}:\nexpected {expected:?}\n   found {found:?}");
}

/// What a run makes of a value and its shadow.
fn with<X: Values>(value: &X, shadow: X::Own, run: impl Fn(&mut X, &mut X::Own)) -> (X, X::Own) {
    let (mut value, mut shadow) = (value.clone(), shadow);
    run(&mut value, &mut shadow);
    (value, shadow)
}

/// Whether the Jacobian of a procedure is square, or it puts something where there was nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Jacobian {
    Square,
    Storing,
}

/// The laws of a procedure; the state is all that it changes or reads.
#[track_caller]
pub(crate) fn procedure<X: Values>(
    before: &X,
    jacobian: Jacobian,
    program: impl Procedure<X>,
    on_dual_numbers: impl Fn(&mut X::Lifted),
) {
    let mut after = before.clone();
    program.run(&mut after);
    let mut back = after.clone();
    program.uncall(&mut back);
    close(&before.flatten(), &back.flatten(), "uncall undoes a call");

    for angle in DIRECTIONS {
        let tangent = scalars::<X>(&shadow(before, angle));
        let mut lifted = before.lift(&mut tangent.iter().copied());
        on_dual_numbers(&mut lifted);
        let moved = X::tangents(&lifted);
        let (there, pushed) = with(before, shadow(before, angle), |x, dx| program.pushforward(x, dx));
        close(&after.flatten(), &there.flatten(), "pushforward runs forwards");
        close(&moved, &scalars::<X>(&pushed), "pushforward agrees with dual numbers");
        let (back, undone) = with(&there, pushed, |x, dx| program.unpushforward(x, dx));
        close(&before.flatten(), &back.flatten(), "unpushforward runs backwards");
        close(&tangent, &scalars::<X>(&undone), "unpushforward undoes pushforward");

        let adjoint = scalars::<X>(&shadow(&after, angle));
        let (back, pulled) = with(&after, shadow(&after, angle), |x, gx| program.pullback(x, gx));
        close(&before.flatten(), &back.flatten(), "pullback runs backwards");
        let (left, right) = (dot(&adjoint, &moved), dot(&scalars::<X>(&pulled), &tangent));
        close(&[left], &[right], "pullback is the transpose of what dual numbers say");
        let (there, undone) = with(&back, pulled, |x, gx| program.unpullback(x, gx));
        close(&after.flatten(), &there.flatten(), "unpullback runs forwards");
        if jacobian == Jacobian::Square {
            close(&adjoint, &scalars::<X>(&undone), "unpullback undoes pullback");
        }
    }
}

/// The laws of a procedure on numbers that come back exactly and have floating derivatives, given its Jacobian.
#[track_caller]
pub(crate) fn bit_for_bit<T: Copy + Debug + PartialEq>(
    before: (T, T),
    program: impl Procedure<(T, T)>,
    jacobian: [[f64; 2]; 2],
) where
    (T, T): Active<Shadow = (f64, f64)>,
{
    let mut after = before;
    program.run(&mut after);
    let mut back = after;
    program.uncall(&mut back);
    assert_eq!(back, before, "uncall undoes a call");
    let [[a, b], [c, d]] = jacobian;
    for angle in DIRECTIONS {
        let shadow = [angle.sin(), angle.cos()];
        let (mut state, mut found) = (before, (shadow[0], shadow[1]));
        program.pushforward(&mut state, &mut found);
        assert_eq!(state, after, "pushforward runs forwards");
        let moved = [a * shadow[0] + b * shadow[1], c * shadow[0] + d * shadow[1]];
        close(&moved, &[found.0, found.1], "pushforward is the Jacobian");
        program.unpushforward(&mut state, &mut found);
        assert_eq!(state, before, "unpushforward runs backwards");
        close(&shadow, &[found.0, found.1], "unpushforward undoes pushforward");

        let (mut state, mut found) = (after, (shadow[0], shadow[1]));
        program.pullback(&mut state, &mut found);
        assert_eq!(state, before, "pullback runs backwards");
        let pulled = [a * shadow[0] + c * shadow[1], b * shadow[0] + d * shadow[1]];
        close(&pulled, &[found.0, found.1], "pullback is the transpose of the Jacobian");
        program.unpullback(&mut state, &mut found);
        assert_eq!(state, after, "unpullback runs forwards");
        close(&shadow, &[found.0, found.1], "unpullback undoes pullback");
    }
}

/// The laws of a procedure without derivatives: all runs do what the two runs of values do.
#[track_caller]
pub(crate) fn exact<X, G>(before: &X, program: impl Procedure<X>)
where
    X: Clone + PartialEq + Debug + Active<Shadow = G> + Shadowed<(), Shadow = G, Owned = G>,
{
    let mut after = before.clone();
    program.run(&mut after);
    let ends = |start: &X, end: &X, run: &dyn Fn(&mut X, &mut G), name: &str| {
        let (mut value, mut shadow) = (start.clone(), start.zero_shadow(Zero::Plain));
        run(&mut value, &mut shadow);
        assert_eq!(&value, end, "{name}");
    };
    ends(&after, before, &|x, _| program.uncall(x), "uncall");
    ends(before, &after, &|x, dx| program.pushforward(x, dx), "pushforward");
    ends(&after, before, &|x, dx| program.unpushforward(x, dx), "unpushforward");
    ends(&after, before, &|x, gx| program.pullback(x, gx), "pullback");
    ends(before, &after, &|x, gx| program.unpullback(x, gx), "unpullback");
}

/// The laws of a function.
#[track_caller]
pub(crate) fn function<P: Values, R: Values>(
    point: &P,
    call: impl Fn(&P) -> R,
    on_dual_numbers: impl Fn(&P::Lifted) -> R::Lifted,
    pushforward: impl Fn(&P, &P::Own) -> (R, R::Own),
    pullback: impl Fn(&P, &mut P::Own, R::Own) -> R,
) {
    let value = call(point);
    for angle in DIRECTIONS {
        let tangent = scalars::<P>(&shadow(point, angle));
        let moved = R::tangents(&on_dual_numbers(&point.lift(&mut tangent.iter().copied())));
        let (pushed_value, pushed) = pushforward(point, &shadow(point, angle));
        close(&value.flatten(), &pushed_value.flatten(), "pushforward gives the value");
        close(&moved, &scalars::<R>(&pushed), "pushforward agrees with dual numbers");

        // What was in the adjoints before stays there.
        let mut adjoint = shadow(point, 5.0);
        let pulled_value = pullback(point, &mut adjoint, shadow(&value, angle));
        close(&value.flatten(), &pulled_value.flatten(), "pullback gives the value");
        let added = dot(&scalars::<P>(&adjoint), &tangent) - dot(&scalars::<P>(&shadow(point, 5.0)), &tangent);
        let given = dot(&scalars::<R>(&shadow(&value, angle)), &moved);
        close(&[given], &[added], "pullback is the transpose of what dual numbers say");
    }
}

/// The laws of `jacobian`: its rows times a direction are what dual numbers say.
#[track_caller]
pub(crate) fn jacobian<P: Values, R: Values, const N: usize>(
    point: &P,
    expected: R,
    on_dual_numbers: impl Fn(&P::Lifted) -> R::Lifted,
    (value, rows): (R, [Vec<f64>; N]),
) {
    close(&expected.flatten(), &value.flatten(), "jacobian gives the value");
    for angle in DIRECTIONS {
        let tangent = scalars::<P>(&shadow(point, angle));
        let lifted = on_dual_numbers(&point.lift(&mut tangent.iter().copied()));
        let products: Vec<f64> = rows.iter().map(|row| dot(row, &tangent)).collect();
        close(&R::tangents(&lifted), &products, "jacobian agrees with dual numbers");
    }
}

/// The laws of `gradient`, `hvp` and `hessian`; the gradient on dual numbers says how the gradient moves.
#[track_caller]
pub(crate) fn second<P: Values<Own = P>>(
    point: &P,
    call_on_dual_numbers: impl Fn(&P::Lifted) -> Number,
    gradient: impl Fn(&P) -> (f64, P),
    on_dual_numbers: impl Fn(&P::Lifted) -> (Number, P::Lifted),
    hvp: impl Fn(&P, &P) -> (f64, f64, P),
    (value, flat, hessian): (f64, Vec<f64>, Vec<f64>),
) {
    let (expected, slopes) = gradient(point);
    close(&[expected], &[value], "hessian gives the value");
    close(&slopes.flatten(), &flat, "hessian gives the gradient");
    for angle in DIRECTIONS {
        let direction = shadow(point, angle);
        let lifted = point.lift(&mut direction.flatten().into_iter());
        let slope = call_on_dual_numbers(&lifted).eps[0];
        close(&[slope], &[dot(&slopes.flatten(), &direction.flatten())], "gradient agrees with dual numbers");
        let moved = P::tangents(&on_dual_numbers(&lifted).1);
        let (value, along, products) = hvp(point, &direction);
        close(&[expected, slope], &[value, along], "hvp gives the value and the slope");
        close(&moved, &products.flatten(), "hvp agrees with dual numbers");
        let rows = hessian.chunks_exact(flat.len()).map(|row| dot(row, &direction.flatten()));
        close(&moved, &rows.collect::<Vec<_>>(), "hessian agrees with dual numbers");
    }
}
