//! The runs with a record of what the library gives by hand: nothing is kept, and the way back is the pullback. And the inverses, as
//! generated code names them.

use super::Record;
use crate::check::Compare;
use crate::information::InformationBuffer;
use crate::numbers::{Carries, LosslessFrom, cast};
use crate::ops::{argmax, damp, dot, log_sum_exp, maximum, product, rotate, sum, swap};
use crate::shadow::{AdjointArg, Base, Scalar, Shadow, Shadowed, Sweep};
use crate::{Real, Slots, Stack};

macro_rules! reductions {
    ($($name:ident: $output:ty, $seed:ty;)*) => {$(
        impl $name {
            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn __keep<T: Real>(_record: &mut Record, x: &[T]) -> $output {
                $name(x)
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn __spend<T: Real, S: Base + Shadow<T>>(
                sweep: Sweep<S>,
                _record: &mut Record,
                x: &[T],
                gx: impl AdjointArg<[T], S>,
                seed: $seed,
            ) {
                Self::__pullback(sweep, x, gx, seed);
            }
        }
    )*};
}

reductions! {
    sum: T, S;
    log_sum_exp: T, S;
    maximum: T, S;
    product: T, S;
    argmax: usize, ();
}

impl dot {
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __keep<T: Real>(_record: &mut Record, x: &[T], y: &[T]) -> T {
        dot(x, y)
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __spend<T: Real, S: Base + Shadow<T>>(
        sweep: Sweep<S>,
        _record: &mut Record,
        x: &[T],
        gx: impl AdjointArg<[T], S>,
        y: &[T],
        gy: impl AdjointArg<[T], S>,
        seed: S,
    ) {
        Self::__pullback(sweep, x, gx, y, gy, seed);
    }
}

impl rotate {
    #[doc(hidden)]
    #[inline]
    pub fn __keep<T: Real>(_record: &mut Record, a: &mut T, b: &mut T, angle: T) {
        rotate(a, b, angle);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __uncall<T: Real>(a: &mut T, b: &mut T, angle: T) {
        Self::uncall(a, b, angle);
    }

    #[doc(hidden)]
    #[inline]
    pub fn __unkeep<T: Real>(_record: &mut Record, a: &mut T, b: &mut T, angle: T) {
        Self::uncall(a, b, angle);
    }

    #[doc(hidden)]
    #[inline]
    #[expect(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
    pub fn __spend<T: Real, S: Base + Shadow<T>>(
        sweep: Sweep<S>,
        _record: &mut Record,
        a: &mut T,
        ga: impl AdjointArg<T, S>,
        b: &mut T,
        gb: impl AdjointArg<T, S>,
        angle: T,
        gangle: impl AdjointArg<T, S>,
    ) {
        Self::__pullback(sweep, a, ga, b, gb, angle, gangle);
    }
}

impl swap {
    #[doc(hidden)]
    #[inline(always)]
    pub fn __keep<T>(_record: &mut Record, a: &mut T, b: &mut T) {
        std::mem::swap(a, b);
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn __uncall<T>(a: &mut T, b: &mut T) {
        std::mem::swap(a, b);
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn __unkeep<T>(_record: &mut Record, a: &mut T, b: &mut T) {
        std::mem::swap(a, b);
    }

    #[doc(hidden)]
    #[inline(always)]
    pub fn __spend<T: Shadowed<S, Shadow: Sized>, S>(
        sweep: Sweep<S>,
        _record: &mut Record,
        a: &mut T,
        sa: impl AdjointArg<T, S>,
        b: &mut T,
        sb: impl AdjointArg<T, S>,
    ) {
        Self::__pullback(sweep, a, sa, b, sb);
    }
}

impl damp {
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __keep<T: Real>(_record: &mut Record, v: &mut T, factor: T, lost: &mut InformationBuffer) {
        damp(v, factor, lost);
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __uncall<T: Real>(v: &mut T, factor: T, lost: &mut InformationBuffer) {
        Self::uncall(v, factor, lost);
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __unkeep<T: Real>(_record: &mut Record, v: &mut T, factor: T, lost: &mut InformationBuffer) {
        Self::uncall(v, factor, lost);
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    #[expect(clippy::too_many_arguments, reason = "each argument is followed by its shadow")]
    pub fn __spend<T: Real, S: Base + Shadow<T>>(
        sweep: Sweep<S>,
        _record: &mut Record,
        v: &mut T,
        gv: impl AdjointArg<T, S>,
        factor: T,
        gfactor: impl AdjointArg<T, S>,
        lost: &mut InformationBuffer,
        no_shadow: impl Sized,
    ) {
        Self::__pullback(sweep, v, gv, factor, gfactor, lost, no_shadow);
    }
}

impl cast {
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __keep<A, B>(_record: &mut Record, x: &mut A, y: &mut B)
    where
        A: Copy + Default + std::fmt::Debug + Compare,
        B: LosslessFrom<A>,
    {
        cast(x, y);
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __uncall<A, B>(x: &mut A, y: &mut B)
    where
        A: Copy + Default + std::fmt::Debug + Compare,
        B: LosslessFrom<A>,
    {
        Self::uncall(x, y);
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __unkeep<A, B>(_record: &mut Record, x: &mut A, y: &mut B)
    where
        A: Copy + Default + std::fmt::Debug + Compare,
        B: LosslessFrom<A>,
    {
        Self::uncall(x, y);
    }

    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn __spend<A, B, S>(
        sweep: Sweep<S>,
        _record: &mut Record,
        x: &mut A,
        sx: impl AdjointArg<A, S>,
        y: &mut B,
        sy: impl AdjointArg<B, S>,
    ) where
        A: Copy + Default + std::fmt::Debug + Compare + Carries<B, S>,
        B: LosslessFrom<A> + Shadowed<S>,
    {
        Self::__pullback(sweep, x, sx, y, sy);
    }
}

macro_rules! of_stacks {
    ($($run:ident, $back:ident, $uncall:ident, $pullback:ident: $keep:ident, $unkeep:ident, $spend:ident;)*) => {
        impl<T: Default + Compare> Stack<T> {$(
            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $keep(&mut self, _record: &mut Record, x: &mut T) {
                self.$run(x);
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $unkeep(&mut self, _record: &mut Record, x: &mut T) {
                self.$back(x);
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $uncall(&mut self, x: &mut T) {
                self.$back(x);
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $spend<S: Scalar>(
                &mut self,
                sweep: Sweep<S>,
                _record: &mut Record,
                shadow: impl AdjointArg<Stack<T>, S>,
                x: &mut T,
                sx: impl AdjointArg<T, S>,
            ) where
                T: Shadowed<S, Shadow = <T as Shadowed<S>>::Owned>,
            {
                self.$pullback(sweep, shadow, x, sx);
            }
        )*}
    };
}

of_stacks! {
    push, pop, __uncall_push, __pullback_push: __keep_push, __unkeep_push, __spend_push;
    pop, push, __uncall_pop, __pullback_pop: __keep_pop, __unkeep_pop, __spend_pop;
}

macro_rules! of_slots {
    ($($run:ident, $back:ident, $uncall:ident, $pullback:ident: $keep:ident, $unkeep:ident, $spend:ident;)*) => {
        impl<K: Ord + Clone + std::fmt::Debug, T: Default + Compare> Slots<K, T> {$(
            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $keep(&mut self, _record: &mut Record, key: K) {
                self.$run(key);
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $unkeep(&mut self, _record: &mut Record, key: K) {
                self.$back(key);
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $uncall(&mut self, key: K) {
                self.$back(key);
            }

            #[doc(hidden)]
            #[inline]
            #[track_caller]
            pub fn $spend<S: Scalar>(
                &mut self,
                sweep: Sweep<S>,
                _record: &mut Record,
                shadow: impl AdjointArg<Slots<K, T>, S>,
                key: K,
                no_shadow: impl Sized,
            ) where
                T: Shadowed<S>,
            {
                self.$pullback(sweep, shadow, key, no_shadow);
            }
        )*}
    };
}

of_slots! {
    allocate, free, __uncall_allocate, __pullback_allocate: __keep_allocate, __unkeep_allocate, __spend_allocate;
    free, allocate, __uncall_free, __pullback_free: __keep_free, __unkeep_free, __spend_free;
}
