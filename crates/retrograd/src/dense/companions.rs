//! The companions of primitives, which follow from three functions each: values, values with tangents, and values with adjoints, in
//! either direction.

/// A procedure that changes its first argument, and reads others.
///
/// Each argument has a name, one for its derivative, a type and what that has to be; those behind the second semicolon have no derivative.
/// `values`, `tangents` and `adjoints` take the call, whether to run backwards, and the arguments, each with its derivative if there is one.
macro_rules! procedure {
    (
        $(#[$doc:meta])*
        fn $name:ident($c:ident $gc:ident: $C:ident = $Cb:path; $($a:ident $ga:ident: $A:ident = $Ab:path),*; $($p:ident: $P:ty),*),
        values: $values:path, tangents: $tangents:path, adjoints: $adjoints:path, source: $source:literal
    ) => {
        $(#[$doc])*
        #[track_caller]
        pub fn $name<E: Entry, $C: $Cb + Dense<Entry = E> + ?Sized, $($A: $Ab + Dense<Entry = E> + ?Sized),*>(
            $c: &mut $C $(, $a: &$A)* $(, $p: $P)*
        ) {
            $values(Call::here(stringify!($name)), false, $c $(, $a)* $(, $p)*);
        }

        #[doc = concat!("The companions of the procedure [`", stringify!($name), "`](fn@", stringify!($name), ").")]
        #[allow(non_camel_case_types, reason = "the companions of a procedure have its name")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl $name {
            /// Undoes the procedure.
            #[track_caller]
            pub fn uncall<E: Entry, $C: $Cb + Dense<Entry = E> + ?Sized, $($A: $Ab + Dense<Entry = E> + ?Sized),*>(
                $c: &mut $C $(, $a: &$A)* $(, $p: $P)*
            ) {
                $values(Call::here(stringify!($name)), true, $c $(, $a)* $(, $p)*);
            }

            procedure! { @public pullback, __pullback, "Backwards, with adjoints.",
                $name($c $gc: $C = $Cb; $($a $ga: &mut, $A = $Ab),*; $($p: $P),*) }
            procedure! { @public unpullback, __unpullback, "Forwards, with adjoints: undoes `pullback`.",
                $name($c $gc: $C = $Cb; $($a $ga: &mut, $A = $Ab),*; $($p: $P),*) }
            procedure! { @public pushforward, __pushforward, "Forwards, with tangents.",
                $name($c $gc: $C = $Cb; $($a $ga: &, $A = $Ab),*; $($p: $P),*) }
            procedure! { @public unpushforward, __unpushforward, "Backwards, with tangents: undoes `pushforward`.",
                $name($c $gc: $C = $Cb; $($a $ga: &, $A = $Ab),*; $($p: $P),*) }

            procedure! { @run __pullback, true, $adjoints, AdjointArg, reach, $name($c $gc: $C = $Cb; $($a $ga: $A = $Ab),*; $($p: $P),*) }
            procedure! { @run __unpullback, false, $adjoints, AdjointArg, reach, $name($c $gc: $C = $Cb; $($a $ga: $A = $Ab),*; $($p: $P),*) }
            procedure! { @run __pushforward, false, $tangents, TangentArg, read, $name($c $gc: $C = $Cb; $($a $ga: $A = $Ab),*; $($p: $P),*) }
            procedure! { @run __unpushforward, true, $tangents, TangentArg, read, $name($c $gc: $C = $Cb; $($a $ga: $A = $Ab),*; $($p: $P),*) }

            /// The procedure as text.
            pub fn source(direction: crate::Direction) -> &'static str {
                match direction {
                    crate::Direction::Forward => concat!($source, ";"),
                    _ => concat!("// The other runs of `", stringify!($name), "` are given by hand.\n"),
                }
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __uncall<E: Entry, $C: $Cb + Dense<Entry = E> + ?Sized, $($A: $Ab + Dense<Entry = E> + ?Sized),*>(
                $c: &mut $C $(, $a: &$A)* $(, $p: $P)*
            ) {
                Self::uncall($c $(, $a)* $(, $p)*);
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __keep<E: Entry, $C: $Cb + Dense<Entry = E> + ?Sized, $($A: $Ab + Dense<Entry = E> + ?Sized),*>(
                _record: &mut crate::Record, $c: &mut $C $(, $a: &$A)* $(, $p: $P)*
            ) {
                $name($c $(, $a)* $(, $p)*);
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __unkeep<E: Entry, $C: $Cb + Dense<Entry = E> + ?Sized, $($A: $Ab + Dense<Entry = E> + ?Sized),*>(
                _record: &mut crate::Record, $c: &mut $C $(, $a: &$A)* $(, $p: $P)*
            ) {
                Self::uncall($c $(, $a)* $(, $p)*);
            }

            #[doc(hidden)]
            #[track_caller]
            #[allow(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
            pub fn __spend<E: Swept<S>, S: Scalar, $C: $Cb + Carried<E, S> + ?Sized, $($A: $Ab + Carried<E, S> + ?Sized),*>(
                sweep: Sweep<S>,
                _record: &mut crate::Record,
                $c: &mut $C,
                $gc: impl AdjointArg<$C, S>
                $(, $a: &$A, $ga: impl AdjointArg<$A, S>)*
                $(, $p: $P, _: impl Sized)*
            ) {
                Self::__pullback(sweep, $c, $gc $(, $a, $ga)* $(, $p, ())*);
            }
        }
    };
    (@public $run:ident, $hidden:ident, $doc:literal,
        $name:ident($c:ident $gc:ident: $C:ident = $Cb:path; $($a:ident $ga:ident: & $($mut:ident)?, $A:ident = $Ab:path),*; $($p:ident: $P:ty),*)
    ) => {
        #[doc = $doc]
        #[track_caller]
        pub fn $run<E, $C, $($A),*>(
            ($c, $gc): (&mut $C, &mut <$C as Active>::Shadow)
            $(, ($a, $ga): (&$A, & $($mut)? <$A as Active>::Shadow))*
            $(, $p: $P)*
        )
        where
            E: Entry + Swept<<E as Entry>::Sweep>,
            $C: $Cb + Carried<E, E::Sweep> + Active + Shadowed<E::Sweep, Shadow = <$C as Active>::Shadow> + ?Sized,
            $($A: $Ab + Carried<E, E::Sweep> + Active + Shadowed<E::Sweep, Shadow = <$A as Active>::Shadow> + ?Sized),*
        {
            let sweep = Sweep::<E::Sweep>::new();
            fit_shadow(sweep, stringify!($c), &*$c, &*$gc);
            $(fit_shadow(sweep, stringify!($a), $a, &*$ga);)*
            Self::$hidden(sweep, $c, $gc $(, $a, $ga)* $(, $p, ())*);
        }
    };
    (@run $run:ident, $inverse:literal, $runs:path, $argument:ident, $reached:ident,
        $name:ident($c:ident $gc:ident: $C:ident = $Cb:path; $($a:ident $ga:ident: $A:ident = $Ab:path),*; $($p:ident: $P:ty),*)
    ) => {
        #[doc(hidden)]
        #[track_caller]
        #[allow(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
        pub fn $run<E: Swept<S>, S: Scalar, $C: $Cb + Carried<E, S> + ?Sized, $($A: $Ab + Carried<E, S> + ?Sized),*>(
            _sweep: Sweep<S>,
            $c: &mut $C,
            $gc: impl AdjointArg<$C, S>
            $(, $a: &$A, $ga: impl $argument<$A, S>)*
            $(, $p: $P, _: impl Sized)*
        ) {
            const { given_by_hand::<S>() };
            let mut keep = ($gc.keep($c), $($ga.keep($a),)*);
            let ($c, $gc) = ($c, $gc.reach(&mut keep.0));
            procedure! { @$reached keep, $runs, $inverse, $name, S, $c, $gc; $($a $ga),*; $($p),* }
        }
    };
    (@reach $keep:ident, $runs:path, $inverse:literal, $name:ident, $S:ident, $c:ident, $gc:ident; ; $($p:ident),*) => {
        $runs(Call::here(stringify!($name)), $inverse, Sweep::<$S>::new(), $c, $gc $(, $p)*);
    };
    (@reach $keep:ident, $runs:path, $inverse:literal, $name:ident, $S:ident, $c:ident, $gc:ident; $a:ident $ga:ident; $($p:ident),*) => {
        $runs(Call::here(stringify!($name)), $inverse, Sweep::<$S>::new(), $c, $gc, $a, $ga.reach(&mut $keep.1) $(, $p)*);
    };
    (@reach $keep:ident, $runs:path, $inverse:literal, $name:ident, $S:ident, $c:ident, $gc:ident;
        $a:ident $ga:ident, $b:ident $gb:ident; $($p:ident),*) => {
        let ($ga, $gb) = ($ga.reach(&mut $keep.1), $gb.reach(&mut $keep.2));
        $runs(Call::here(stringify!($name)), $inverse, Sweep::<$S>::new(), $c, $gc, $a, $ga, $b, $gb $(, $p)*);
    };
    (@read $keep:ident, $runs:path, $inverse:literal, $name:ident, $S:ident, $c:ident, $gc:ident; ; $($p:ident),*) => {
        $runs(Call::here(stringify!($name)), $inverse, Sweep::<$S>::new(), $c, $gc $(, $p)*);
    };
    (@read $keep:ident, $runs:path, $inverse:literal, $name:ident, $S:ident, $c:ident, $gc:ident; $a:ident $ga:ident; $($p:ident),*) => {
        $runs(Call::here(stringify!($name)), $inverse, Sweep::<$S>::new(), $c, $gc, $a, $ga.reach(&$keep.1) $(, $p)*);
    };
    (@read $keep:ident, $runs:path, $inverse:literal, $name:ident, $S:ident, $c:ident, $gc:ident;
        $a:ident $ga:ident, $b:ident $gb:ident; $($p:ident),*) => {
        let ($ga, $gb) = ($ga.reach(&$keep.1), $gb.reach(&$keep.2));
        $runs(Call::here(stringify!($name)), $inverse, Sweep::<$S>::new(), $c, $gc, $a, $ga, $b, $gb $(, $p)*);
    };
}

/// A function of one matrix with a real value: `value` takes the call and the matrix, `gradient` also returns its gradient, row by row.
macro_rules! function {
    ($(#[$doc:meta])* fn $name:ident(needs: $needed:expr), value: $value:path, gradient: $gradient:path, source: $source:literal) => {
        $(#[$doc])*
        #[track_caller]
        pub fn $name<E: Entry, A: Dense<Entry = E> + ?Sized>(a: &A) -> E::Real {
            let call = Call::here(stringify!($name));
            $value(call, a.view(call.fit("a", a, $needed)))
        }

        #[doc = concat!("The companions of the function [`", stringify!($name), "`](fn@", stringify!($name), ").")]
        #[allow(non_camel_case_types, reason = "the companions of a function have its name")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl $name {
            /// The value; the adjoint `ga` gains its share of the adjoint `seed` of the value.
            #[track_caller]
            pub fn pullback<E, A>((a, ga): (&A, &mut <A as Active>::Shadow), seed: E::Sweep) -> E::Real
            where
                E: Entry + Swept<<E as Entry>::Sweep>,
                A: Carried<E, E::Sweep> + Active + Shadowed<E::Sweep, Shadow = <A as Active>::Shadow> + ?Sized,
            {
                let sweep = Sweep::<E::Sweep>::new();
                fit_shadow(sweep, "a", a, ga);
                Self::__pullback(sweep, a, ga, seed)
            }

            /// The value and its tangent.
            #[track_caller]
            pub fn pushforward<E, A>((a, da): (&A, &<A as Active>::Shadow)) -> (E::Real, E::Sweep)
            where
                E: Entry + Swept<<E as Entry>::Sweep>,
                A: Carried<E, E::Sweep> + Active + Shadowed<E::Sweep, Shadow = <A as Active>::Shadow> + ?Sized,
            {
                let sweep = Sweep::<E::Sweep>::new();
                fit_shadow(sweep, "a", a, da);
                Self::__pushforward(sweep, a, da)
            }

            /// The value and its gradient.
            #[track_caller]
            pub fn gradient<E, A>(a: &A) -> (E::Real, A::Owned)
            where
                E: Entry + Swept<<E as Entry>::Sweep>,
                A: Carried<E, E::Sweep> + ?Sized,
            {
                let mut ga = a.zero_shadow(Zero::Plain);
                let seed = <E::Sweep as Shadow<E::Real>>::one();
                let value = Self::__pullback(Sweep::<E::Sweep>::new(), a, ga.borrow_mut(), seed);
                (value, ga)
            }

            /// The function as text.
            pub fn source(direction: crate::Direction) -> &'static str {
                match direction {
                    crate::Direction::Forward => concat!($source, ";"),
                    crate::Direction::Inverse => {
                        concat!("// `", stringify!($name), "` is a function: it has a value and no inverse.\n")
                    }
                    _ => concat!("// The derivatives of `", stringify!($name), "` are given by hand.\n"),
                }
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __pullback<E: Swept<S>, S: Scalar, A: Carried<E, S> + ?Sized>(
                _sweep: Sweep<S>,
                a: &A,
                ga: impl AdjointArg<A, S>,
                seed: S,
            ) -> E::Real {
                const { given_by_hand::<S>() };
                let (mut keep, call) = (ga.keep(a), Call::here(stringify!($name)));
                let shape @ (_, columns) = call.fit("a", a, $needed);
                let (value, gradient) = $gradient(call, a.view(shape));
                let mut ga = ga.reach(&mut keep).view_mut(shape);
                for (k, &entry) in gradient.iter().enumerate() {
                    E::Carry::add(ga.at(k / columns, k % columns), E::Carry::gradient(seed, entry));
                }
                value
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __pushforward<E: Swept<S>, S: Scalar, A: Carried<E, S> + ?Sized>(
                _sweep: Sweep<S>,
                a: &A,
                da: impl TangentArg<A, S>,
            ) -> (E::Real, S) {
                const { given_by_hand::<S>() };
                let (keep, call) = (da.keep(a), Call::here(stringify!($name)));
                let shape @ (_, columns) = call.fit("a", a, $needed);
                let (value, gradient) = $gradient(call, a.view(shape));
                let (da, mut tangent) = (da.reach(&keep).view(shape), S::zero());
                for (k, &entry) in gradient.iter().enumerate() {
                    add(&mut tangent, E::Carry::slope(da.at(k / columns, k % columns), entry));
                }
                (value, tangent)
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __keep<E: Entry, A: Dense<Entry = E> + ?Sized>(_record: &mut crate::Record, a: &A) -> E::Real {
                $name(a)
            }

            #[doc(hidden)]
            #[track_caller]
            pub fn __spend<E: Swept<S>, S: Scalar, A: Carried<E, S> + ?Sized>(
                sweep: Sweep<S>,
                _record: &mut crate::Record,
                a: &A,
                ga: impl AdjointArg<A, S>,
                seed: S,
            ) {
                Self::__pullback(sweep, a, ga, seed);
            }
        }
    };
}

pub(super) use {function, procedure};
