//! What stands in front of a way out counts where that leads to, also in tangent runs.

use retrograd::Dual;
use retrograd::prelude::*;

macro_rules! leaving {
    ($($test:ident: $program:ident = |$x:ident, $k:ident| $body:block)*) => {$(
        #[reversible(record)]
        fn $program<T: Real>(mut $x: T, $k: usize) -> T $body

        #[test]
        fn $test() {
            for k in 0..8 {
                let x = 0.31;
                let expected = $program(Dual { re: x, eps: [1.0] }, k);
                let is = |value: f64, slope: f64| {
                    assert_eq!($program(x, k), value, "k = {k}");
                    assert!((slope - expected.eps[0]).abs() < 1e-12, "k = {k}: {slope} is not {}", expected.eps[0]);
                };
                let (value, slope) = $program::pushforward((x, 1.0), k);
                is(value, slope);
                let (value, slope) = $program::gradient(x, k);
                is(value, slope);
                let mut slope = 0.0;
                let value = $program::pullback((x, &mut slope), k, 1.0);
                is(value, slope);
            }
        }
    )*};
}

leaving! {
    an_assignment_in_front_of_a_continue: continued = |x, k| {
        for _ in 0..2 {
            x = x * x + 0.62;
            if k == 5 {
                continue;
            }
            x = 1.0 + 0.5 * x.sin() * 0.0;
        }
        x
    }

    an_assignment_in_front_of_a_break: broken = |x, k| {
        for i in 0..4 {
            x = x * x + 0.62;
            if i == k {
                break;
            }
            x = 1.0;
        }
        x
    }

    an_assignment_in_a_block_that_is_left: left = |x, k| {
        'a: {
            x = x * x + 0.62;
            if k > 3 {
                break 'a;
            }
            x = 1.0;
        }
        x
    }

    an_assignment_in_a_loop_without_end: endless = |x, k| {
        let mut i = 0;
        loop {
            x = x.sin() + 0.2;
            if i >= k {
                break;
            }
            i += 1;
            x = 0.5;
        }
        x
    }

    an_assignment_while_a_condition_holds: held = |x, k| {
        let mut i = 0;
        while i < 5 {
            i += 1;
            x = x * x + 0.3;
            match k {
                2 => continue,
                3 => break,
                _ => {}
            }
            x = 0.7;
        }
        x
    }

    an_outer_loop_that_goes_on: outer = |x, k| {
        let mut y = x;
        'rows: for i in 0..3 {
            y = x * x + 0.1;
            for j in 0..3 {
                x = y.cos() * x;
                if i + j == k {
                    continue 'rows;
                }
                if i * j == 4 && k == 7 {
                    break 'rows;
                }
                x = 0.25;
            }
            y = 2.0;
        }
        x * y
    }

    an_early_return_behind_an_assignment: returned = |x, k| {
        for i in 0..4 {
            x = x * x + 0.62;
            if i == k {
                return x;
            }
            x = 1.0;
        }
        x
    }

    elements_of_an_array_in_front_of_a_continue: elements = |x, k| {
        let mut v = [x, x * x, x + 1.0];
        for i in 0..3 {
            v[i] = v[i] * x + 0.5;
            if i == k {
                continue;
            }
            v[i] = 0.3;
        }
        x = v[0] * v[1] + v[2];
        x
    }
}
