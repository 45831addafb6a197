//! Loops in loops, with an ancilla in each.

use retrograd::prelude::*;

use super::{Nested, pulled, work};

/// Functions from the innermost block on: each has the statements of the one before in a loop. `$sum` is what they add to.
macro_rules! blocks {
    ($x:ident, $sum:ident { $($inner:tt)* }: $($depth:literal $name:ident, $outer:ident;)+) => {
        blocks! { @$x, $sum { $($inner)* }: $($name, $outer;)+ }

        /// Functions of loops in loops with an ancilla in each, by depth.
        pub const BLOCKS: &[Nested] = &[$(Nested {
            depth: $depth,
            run: $name,
            pullback: |x| pulled(|slope| $name::pullback((x, slope), 1.0)),
        }),+];
    };
    (@$x:ident, $sum:ident { $($inner:tt)* }: $name:ident, $outer:ident; $($more:tt)*) => {
        #[reversible]
        fn $name($x: f64) -> f64 {
            let mut $sum = 0.0;
            $($inner)*
            $sum.sin()
        }

        blocks! { @$x, $outer { for _ in 0..2 { let mut $sum = 0.0; $($inner)* $outer += $sum.sin(); } }: $($more)* }
    };
    (@$x:ident, $sum:ident { $($inner:tt)* }:) => {};
}

blocks! {
    x, a { a += work(x); }:
    1 one, b;
    2 two, c;
    3 three, d;
    4 four, e;
    5 five, f;
    6 six, g;
    7 seven, h;
    8 eight, i;
}
