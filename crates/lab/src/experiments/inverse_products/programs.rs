//! Two programs that compute in place, with all their runs under one name each.

use retrograd::Lanes;
use retrograd::lanes::InstructionSet;

/// How many columns of a matrix are built in one run.
pub(super) const COLUMNS: usize = 8;

/// The programs, in a module of their own.
macro_rules! programs {
    ($(#[$attribute:meta])* mod $name:ident) => {
        mod $name {
            use retrograd::prelude::*;

            /// Sweeps of damped relaxation by Gauss and Seidel, between two ends that stay.
            #[reversible]
            $(#[$attribute])*
            pub(super) fn relax<T: Real>(x: &mut [T], sweeps: usize) {
                for _ in 0..sweeps {
                    for i in 1..x.len() - 1 {
                        x[i] /= 1.25;
                        x[i] += 0.1 * (x[i - 1] + x[i + 1]) - 0.02 * x[i - 1] * x[i + 1];
                    }
                }
            }

            /// A chain of pendulums through time by kicks and drifts, with a spring between each and the next.
            #[reversible]
            $(#[$attribute])*
            pub(super) fn swing<T: Real>(x: &mut [T], v: &mut [T], steps: usize) {
                for _ in 0..steps {
                    for i in 1..x.len() {
                        let pull = 0.05 * (x[i] - x[i - 1]);
                        v[i - 1] += pull;
                        v[i] -= pull;
                    }
                    for i in 0..x.len() {
                        v[i] -= 0.05 * x[i].sin();
                    }
                    for i in 0..x.len() {
                        x[i] += 0.05 * v[i];
                    }
                }
            }
        }
    };
}

programs! { mod plain }
// Lanes are fast only where all is inlined; floats are not.
programs! { #[inline(always)] mod inlined }

/// A program in place, with its derivative runs.
pub(super) trait Program: Copy {
    fn call(self, x: &mut [f64]);
    fn pushforward(self, x: &mut [f64], v: &mut [f64]);
    fn pullback(self, x: &mut [f64], v: &mut [f64]);
    fn unpushforward(self, x: &mut [f64], v: &mut [f64]);
    fn unpullback(self, x: &mut [f64], v: &mut [f64]);
    /// The pushforward of several tangents.
    fn pushforward_in_lanes<I: InstructionSet>(
        self,
        x: &mut [Lanes<f64, COLUMNS, I>],
        v: &mut [Lanes<f64, COLUMNS, I>],
    );
}

/// `relax` so many times.
#[derive(Clone, Copy)]
pub(super) struct Relaxation(pub(super) usize);

/// So many steps of `swing`: the first half of the numbers are positions, the others velocities.
#[derive(Clone, Copy)]
pub(super) struct Pendulums(pub(super) usize);

/// All derivative runs of a program, by a macro that calls one of them.
macro_rules! runs {
    ($program:ident, |$self:ident, $x:ident, $v:ident| $call:ident) => {
        #[inline(always)]
        fn pushforward_in_lanes<I: InstructionSet>(
            $self,
            $x: &mut [Lanes<f64, COLUMNS, I>],
            $v: &mut [Lanes<f64, COLUMNS, I>],
        ) {
            $call!(inlined::$program::pushforward, $self, $x, $v)
        }
        fn pushforward($self, $x: &mut [f64], $v: &mut [f64]) {
            $call!(plain::$program::pushforward, $self, $x, $v)
        }
        fn pullback($self, $x: &mut [f64], $v: &mut [f64]) {
            $call!(plain::$program::pullback, $self, $x, $v)
        }
        fn unpushforward($self, $x: &mut [f64], $v: &mut [f64]) {
            $call!(plain::$program::unpushforward, $self, $x, $v)
        }
        fn unpullback($self, $x: &mut [f64], $v: &mut [f64]) {
            $call!(plain::$program::unpullback, $self, $x, $v)
        }
    };
}

macro_rules! whole {
    ($run:path, $self:ident, $x:ident, $v:ident) => {
        $run(($x, $v), $self.0)
    };
}

macro_rules! halves {
    ($run:path, $self:ident, $x:ident, $v:ident) => {{
        let half = $x.len() / 2;
        let ((x, v), (dx, dv)) = ($x.split_at_mut(half), $v.split_at_mut(half));
        $run((x, dx), (v, dv), $self.0)
    }};
}

impl Program for Relaxation {
    fn call(self, x: &mut [f64]) {
        plain::relax(x, self.0);
    }
    runs!(relax, |self, x, v| whole);
}

impl Program for Pendulums {
    fn call(self, x: &mut [f64]) {
        let (x, v) = x.split_at_mut(x.len() / 2);
        plain::swing(x, v, self.0);
    }
    runs!(swing, |self, x, v| halves);
}
