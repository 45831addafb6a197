//! Functions that call one another, around a polynomial of Chebyshev.

use retrograd::prelude::*;

use super::{Input, Lossy, Tape};

/// The polynomial of Chebyshev of degree `n`, from those before.
///
/// ```
/// use lab_corpus::lossy::nest::chebyshev;
///
/// assert_eq!(chebyshev::gradient(0.5, 3), (-1.0, 0.0));
/// ```
#[reversible(record)]
pub fn chebyshev<T: Real>(x: T, n: usize) -> T {
    let mut before = T::one();
    let mut now = x;
    for _ in 1..n {
        let next = 2.0 * x * now - before;
        before = now;
        now = next;
    }
    now
}

/// The same with all polynomials kept in an array.
///
/// ```
/// use lab_corpus::lossy::nest::chebyshev_reversible;
///
/// assert_eq!(chebyshev_reversible(0.5, 3), -1.0);
/// ```
#[reversible]
pub fn chebyshev_reversible<T: Real>(x: T, n: usize) -> T {
    let mut y = vec![T::zero(); n + 1];
    y[0] += T::one();
    y[1] += x;
    for i in 1..n {
        y[i + 1] += 2.0 * x * y[i] - y[i - 1];
    }
    y[n]
}

/// The function of so many levels.
fn plain(x: f64, n: usize, depth: usize) -> f64 {
    let (mut before, mut y) = (1.0, x);
    for _ in 1..n {
        (before, y) = (y, 2.0 * x * y - before);
    }
    for _ in 1..depth {
        y = 0.5 * y * (3.0 - y);
    }
    y
}

fn by_hand(tape: &mut Tape, x: f64, n: usize, depth: usize, g_x: &mut f64) -> f64 {
    let (mut before, mut y) = (1.0, x);
    for _ in 1..n {
        tape.push([y]);
        (before, y) = (y, 2.0 * x * y - before);
    }
    for _ in 1..depth {
        tape.push([y]);
        y = 0.5 * y * (3.0 - y);
    }
    tape.turn();
    let (mut g, mut g_before, mut sum) = (1.0, 0.0, 0.0);
    for _ in 1..depth {
        let [y] = tape.pop();
        g *= 1.5 - y;
    }
    for _ in 1..n {
        let [now] = tape.pop();
        sum += g * now;
        (g, g_before) = (g_before + 2.0 * x * g, -g);
    }
    *g_x += 2.0 * sum + g;
    y
}

/// Functions from the one around the polynomial on, each of which calls the one before, and all as programs.
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
            program!("nest of depth 1", 1, chebyshev, chebyshev_reversible),
            $(program!(concat!("nest of depth ", $depth), $depth, $outer, $reversible)),+
        ];
    };
}

macro_rules! program {
    ($name:expr, $depth:literal, $recorded:ident, $reversible:ident) => {
        Lossy {
            name: $name,
            input: |steps| Input { x: vec![0.6], data: Vec::new(), steps },
            steps: 1000,
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
    2: two calls chebyshev, two_reversible calls chebyshev_reversible;
    3: three calls two, three_reversible calls two_reversible;
    4: four calls three, four_reversible calls three_reversible;
    5: five calls four, five_reversible calls four_reversible;
    6: six calls five, six_reversible calls five_reversible;
    7: seven calls six, seven_reversible calls six_reversible;
    8: eight calls seven, eight_reversible calls seven_reversible;
}
