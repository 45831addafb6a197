//! Tropical numbers: best configurations, and which they are.

use retrograd::numbers::{tropical_add, tropical_sum};
use retrograd::{ExactMul, Fixed, Tropical, prelude::*};

/// The best way through a row of choices: `first`, then one of each row of `steps`, from choice to choice.
#[reversible]
fn best_path<T: Real>(first: &[Tropical<T>], steps: &[[[Tropical<T>; 3]; 3]]) -> Tropical<T> {
    let mut reached = vec![[Tropical::one(); 3]; steps.len() + 1];
    for j in 0..3 {
        reached[0][j] *= first[j];
    }
    for i in 0..steps.len() {
        for j in 0..3 {
            let ways = [reached[i][0] * steps[i][0][j], reached[i][1] * steps[i][1][j], reached[i][2] * steps[i][2][j]];
            reached[i + 1][j] *= tropical_sum(&ways);
        }
    }
    tropical_sum(&reached[steps.len()])
}

type Step<T> = [[Tropical<T>; 3]; 3];

fn problem<T: Real>(seed: u64) -> ([Tropical<T>; 3], [Step<T>; 4]) {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        Tropical::new(T::lit((state >> 54) as f64 / 64.0 - 8.0))
    };
    let first = [next(), next(), next()];
    (first, [(); 4].map(|()| [(); 3].map(|()| [next(), next(), next()])))
}

#[test]
fn the_gradient_is_the_best_configuration() {
    for seed in 0..200 {
        let (first, steps) = problem::<Fixed<32>>(seed);
        let (mut by_first, mut by_steps) = ([0.0; 3], [[[0.0; 3]; 3]; 4]);
        let best = best_path::pullback((&first, &mut by_first), (&steps, &mut by_steps), 1.0);
        // Every path, by brute force.
        let (mut most, mut path) = (Tropical::zero(), [0; 5]);
        for choice in 0..3_usize.pow(5) {
            let at = |i: u32| choice / 3_usize.pow(i) % 3;
            let mut value = first[at(0)];
            for i in 0..4 {
                value *= steps[i as usize][at(i)][at(i + 1)];
            }
            if value > most {
                (most, path) = (value, [0, 1, 2, 3, 4].map(at));
            }
        }
        assert_eq!(best, most);
        // The gradient is a path, of ones, and its value is the best: another one than `path` only where there is a tie.
        let mut value = first[by_first.iter().position(|&g| g == 1.0).unwrap()];
        for (i, step) in by_steps.iter().enumerate() {
            let chosen: Vec<_> = (0..9).filter(|&k| step[k / 3][k % 3] == 1.0).collect();
            assert_eq!(chosen.len(), 1);
            value *= steps[i][chosen[0] / 3][chosen[0] % 3];
        }
        assert_eq!((value, by_steps.as_flattened().as_flattened().iter().sum::<f64>()), (best, 4.0), "{path:?}");
    }
}

#[reversible]
fn shift<T: Real>(x: &mut [Tropical<T>], by: Tropical<T>) {
    x[0] *= by * x[1];
    x[1] /= by;
    x[1] *= x[0] / by;
}

#[test]
fn every_run_works_on_products_and_quotients() {
    let start = [0.75, -2.5].map(|x| Tropical::new(Fixed::<32>::lit(x)));
    let by = Tropical::new(Fixed::lit(1.25));
    let mut x = start;
    shift(&mut x, by);
    let end = x;
    // The values: y0 = x0 + by + x1, and y1 = x1 - by + y0 - by.
    assert_eq!(end.map(|y| y.value().unwrap().to_f64()), [-0.5, -2.5 - 1.25 - 0.5 - 1.25]);
    let (mut gx, mut gby) = ([1.0, 10.0], 0.5);
    shift::pullback((&mut x, &mut gx), (by, &mut gby));
    assert_eq!((x, gx, gby), (start, [11.0, 21.0], 0.5 + 11.0 - 20.0));
    shift::unpullback((&mut x, &mut gx), (by, &mut gby));
    assert_eq!((x, gx, gby), (end, [1.0, 10.0], 0.5));
    shift::uncall(&mut x, by);
    assert_eq!(x, start);
    let mut dx = [1.0, 10.0];
    shift::pushforward((&mut x, &mut dx), (by, 100.0));
    assert_eq!((x, dx), (end, [111.0, 10.0 - 200.0 + 111.0]));
    shift::unpushforward((&mut x, &mut dx), (by, 100.0));
    assert_eq!((x, dx), (start, [1.0, 10.0]));
}

#[test]
fn products_are_undone_bit_for_bit() {
    fn exact<T: ExactMul + PartialEq + std::fmt::Debug>(y: T, e: T) {
        let mut z = y;
        z *= e;
        z /= e;
        assert_eq!(z, y);
        z /= e;
        z *= e;
        assert_eq!(z, y);
    }
    let mut state = 7_u64;
    for _ in 0..1_000_000 {
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            Tropical::new(Fixed::<32>::from_bits(state as i64))
        };
        exact(next(), next());
    }
    exact(Tropical::zero(), Tropical::new(Fixed::<32>::lit(2.0)));
}

#[test]
fn zero_is_below_all_and_no_factor() {
    let (zero, one) = (Tropical::<f64>::zero(), Tropical::one());
    assert!(zero < Tropical::new(f64::MIN) && zero == Tropical::default() && zero * one == zero);
    assert_eq!(tropical_sum::<f64>(&[]), zero);
    assert_eq!(tropical_add(zero, zero), zero);
    assert_eq!(format!("{zero} {zero:?} {one} {one:?}"), "-∞ Tropical(-∞) 0 Tropical(0.0)");
    let mut x = [one, one];
    assert!(retrograd::attempt(|| shift(&mut x, zero)).is_err());
    assert_eq!(x, [one, one]);
}
