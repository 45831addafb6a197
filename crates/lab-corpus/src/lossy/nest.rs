//! Functions that call one another, around a square root by Newton's method.

use retrograd::prelude::*;

use super::{Input, Lossy, Tape};

/// The square root, in so many steps of Newton's method.
///
/// ```
/// use lab_corpus::lossy::nest::root;
///
/// assert_eq!(root(9.0, 10), 3.0);
/// ```
#[reversible(record)]
pub fn root<T: Real>(x: T, steps: usize) -> T {
    let mut root = x;
    for _ in 0..steps {
        root = 0.5 * (root + x / root);
    }
    root
}

/// The same with all estimates kept in an array.
///
/// ```
/// use lab_corpus::lossy::nest::root_reversible;
///
/// assert_eq!(root_reversible(9.0, 10), 3.0);
/// ```
#[reversible]
pub fn root_reversible<T: Real>(x: T, steps: usize) -> T {
    let mut roots = vec![T::zero(); steps + 1];
    roots[0] += x;
    for i in 0..steps {
        roots[i + 1] += 0.5 * (roots[i] + x / roots[i]);
    }
    roots[steps]
}

#[inline(never)]
fn root_plain(x: f64, steps: usize) -> f64 {
    let mut root = x;
    for _ in 0..steps {
        root = 0.5 * (root + x / root);
    }
    root
}

/// The function of so many levels.
fn plain(x: f64, steps: usize, depth: usize) -> f64 {
    let mut y = root_plain(x, steps);
    for _ in 1..depth {
        y = 0.5 * y * (3.0 - y);
    }
    y
}

fn by_hand(tape: &mut Tape, x: f64, steps: usize, depth: usize, g_x: &mut f64) -> f64 {
    let mut root = x;
    for _ in 0..steps {
        tape.push([root]);
        root = 0.5 * (root + x / root);
    }
    let mut y = root;
    for _ in 1..depth {
        tape.push([y]);
        y = 0.5 * y * (3.0 - y);
    }
    tape.turn();
    let (mut g, mut sum) = (1.0, 0.0);
    for _ in 1..depth {
        let [y] = tape.pop();
        g *= 1.5 - y;
    }
    for _ in 0..steps {
        let [root] = tape.pop();
        let half = 0.5 * g / root;
        sum += half;
        g = 0.5 * g - half * x / root;
    }
    *g_x += sum + g;
    y
}

/// Functions from the one around the root on, each of which calls the one before, and all as programs.
macro_rules! nest {
    ($($depth:literal: $outer:ident calls $inner:ident, $reversible:ident calls $innermost:ident;)+) => {
        $(
            #[reversible(record)]
            fn $outer<T: Real>(x: T, steps: usize) -> T {
                let mut y = $inner(x, steps);
                y = 0.5 * y * (3.0 - y);
                y
            }

            #[reversible]
            fn $reversible<T: Real>(x: T, steps: usize) -> T {
                let y = $innermost(x, steps);
                0.5 * y * (3.0 - y)
            }
        )+

        /// Nests of each depth.
        pub const NESTS: &[Lossy] = &[
            program!("nest of depth 1", 1, root, root_reversible),
            $(program!(concat!("nest of depth ", $depth), $depth, $outer, $reversible)),+
        ];
    };
}

macro_rules! program {
    ($name:expr, $depth:literal, $recorded:ident, $reversible:ident) => {
        Lossy {
            name: $name,
            input: |steps| Input { x: vec![2.0], data: Vec::new(), steps },
            steps: 200,
            plain: |Input { x, steps, .. }| plain(x[0], *steps, $depth),
            by_hand: |tape, Input { x, steps, .. }, g| by_hand(tape, x[0], *steps, $depth, &mut g[0]),
            recorded: |record, Input { x, steps, .. }, g| {
                $recorded::pullback_in(record, (x[0], &mut g[0]), *steps, 1.0)
            },
            reversible: |Input { x, steps, .. }, g| $reversible::pullback((x[0], &mut g[0]), *steps, 1.0),
            dual: |Input { steps, .. }, x| $recorded(x[0], *steps),
        }
    };
}

nest! {
    2: two calls root, two_reversible calls root_reversible;
    3: three calls two, three_reversible calls two_reversible;
    4: four calls three, four_reversible calls three_reversible;
    5: five calls four, five_reversible calls four_reversible;
    6: six calls five, six_reversible calls five_reversible;
    7: seven calls six, seven_reversible calls six_reversible;
    8: eight calls seven, eight_reversible calls seven_reversible;
}
