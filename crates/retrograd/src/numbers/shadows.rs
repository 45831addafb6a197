//! Numbers that are their own shadows.

/// Makes a number type its own adjoint and tangent; its `constant` takes a `$plain`. Without the derivatives that it carries it is `held`.
macro_rules! own_shadow {
    ([$($generics:tt)*] $number:ty, $plain:ty, held: |$x:ident| $held:expr) => {
        impl<$($generics)*> $crate::Active for $number {
            type Shadow = $number;
            type Number = $number;

            #[inline(always)]
            fn visit(&self, visit: &mut dyn FnMut(&$number)) {
                visit(self);
            }
            #[inline(always)]
            fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut $number)) {
                visit(self);
            }
        }

        $crate::shadow::number!(($($generics)*) $number, held: |$x| $held);
        $crate::shadow::scalar!(($($generics)*) $number, zero: <$number>::constant(<$plain as $crate::Real>::zero()));
        $crate::shadow::shadow!(
            ($($generics)*) $number: $number,
            one: <$number>::constant(<$plain as $crate::Real>::one()), |g, d| g * d
        );
        $crate::shadow::shadow!(
            ($($generics)*) $number: f64,
            one: <$number>::constant(<$plain as $crate::Real>::one()), |g, d| g * <$plain as $crate::Real>::lit(d)
        );
        $crate::shadow::shadow!(
            ($($generics)*) $number: f32,
            one: <$number>::constant(<$plain as $crate::Real>::one()), |g, d| g * <$plain as $crate::Real>::lit(d.into())
        );
    };
}

pub(crate) use own_shadow;

#[cfg(test)]
mod tests {
    use crate::private::{Base, Seeds, Shadow, Sweep, add, join, negate, number, pull, push, sub, zero};
    use crate::{Dual, Real, Taylor, Traced, rules, trace};

    /// What generated code does for x sin x + 2 x, in a sweep over any shadow.
    fn pullback<T: Real, S: Base + Shadow<T>>(x: &T, g: S) -> S {
        let sine = x.sin();
        let mut of_x = zero(Sweep::<S>::new(), x);
        add(&mut of_x, pull(g, sine));
        let of_sine = pull(g, number(x));
        add(&mut of_x, pull(of_sine, rules::d_sin(number(x))));
        sub(&mut of_x, negate(pull(g, 2.0_f64)));
        add(&mut of_x, ());
        of_x
    }

    fn pushforward<T: Real, S: Base + Shadow<T>>(x: T, dx: S) -> S {
        join(join(push(dx, x.sin()), push(push(dx, rules::d_sin(x)), x)), push(dx, 2.0_f64))
    }

    const X: f64 = 0.7;

    fn first() -> f64 {
        X.sin() + X * X.cos() + 2.0
    }

    fn second() -> f64 {
        2.0 * X.cos() - X * X.sin()
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-14
    }

    #[test]
    fn a_tangent_over_an_adjoint_is_a_second_derivative() {
        let x = Dual::<f64, 2>::variable(X, 1);
        for g in [pullback(&x, Dual::<f64, 2>::constant(1.0)), pushforward(x, Dual::<f64, 2>::constant(1.0))] {
            assert!(near(g.re, first()) && g.eps[0] == 0.0 && near(g.eps[1], second()), "{g}");
        }
        let seeds = pullback(&x, Seeds([Dual::<f64, 2>::constant(1.0), Dual::constant(2.0)]));
        assert!(near(seeds.0[1].eps[1], 2.0 * second()));
    }

    #[test]
    fn a_series_over_an_adjoint_has_the_higher_derivatives() {
        let g = pullback(&Taylor::<f64, 1>::line(X, 1.0), Taylor::<f64, 1>::constant(1.0));
        assert!(near(g.value(), first()) && near(g.derivative(1), second()), "{g}");
    }

    #[test]
    fn an_adjoint_can_be_traced() {
        let graph = trace(&[X], |x| pullback(&x[0], Traced::constant(1.0)));
        assert!(near(graph.value(), first()) && near(graph.gradient()[0], second()));
    }
}
