//! Every pass over derivative programs can be left out, and no derivative changes but by rounding.

use proptest::array::uniform4;
use proptest::collection::vec;
use proptest::prelude::*;
use retrograd::prelude::*;

/// The same function in a module for each choice of options.
macro_rules! compiled {
    ($($module:ident $options:tt)*) => {
        $(mod $module {
            use retrograd::prelude::*;

            /// Something for every pass: `terms` are added to once, `total` is a sum, and so is the adjoint of `scale`; `near` reads
            /// neighbours, and then what comes before; `square` is a sum that its own adjoint needs.
            #[reversible $options]
            pub(super) fn energy<T: Real>(x: &[T; 4], weights: &[T], scale: T) -> T {
                let mut terms = [T::zero(); 4];
                let mut squares = vec![T::zero(); weights.len()];
                let mut near = vec![T::zero(); weights.len()];
                let mut total = T::zero();
                #[unroll(4)]
                for k in 0..4 {
                    terms[k] += (scale * x[k]).exp();
                    total += terms[k] * terms[k] * x[3 - k];
                }
                for i in 0..weights.len() {
                    for k in 0..4 {
                        squares[i] += (weights[i] - terms[k]) * scale;
                    }
                    total += squares[i].sin() * weights[i];
                }
                for i in 1..weights.len() {
                    near[i] += weights[i - 1] * weights[i];
                }
                for i in 0..weights.len() {
                    for k in 0..i {
                        near[i] += 0.1 * near[k] * near[k];
                    }
                }
                for i in 0..weights.len() {
                    total += near[i].cos();
                }
                let mut square = T::zero();
                for i in 0..weights.len() {
                    square += weights[i] * near[i];
                }
                total += square * scale;
                0.5 * total
            }
        })*

        /// Value and gradient by all of them, each with its name.
        fn energies(x: &[f64; 4], weights: &[f64], scale: f64) -> Vec<(&'static str, Vec<f64>)> {
            vec![$({
                let (value, by_x, by_weights, by_scale) = $module::energy::gradient(x, weights, scale);
                let forwards = $module::energy(x, weights, scale);
                (stringify!($module), [&[forwards, value, by_scale], &by_x[..], &by_weights[..]].concat())
            }),*]
        }

        /// The adjoint of the function by all of them, as text.
        fn adjoints() -> Vec<&'static str> {
            vec![$($module::energy::source(Direction::Pullback)),*]
        }
    };
}

compiled! {
    with_all ()
    without_demand (without = "demand")
    without_contract (without = "contract")
    without_once (without = "once")
    without_sums (without = "sums")
    without_unroll (without = "unroll")
    without_upwards (without = "upwards")
    without_fuse (without = "fuse")
    without_delay (without = "delay")
    without_carry (without = "carry")
    without_any (without = "demand, contract, once, sums, unroll, upwards, fuse, delay, carry")
}

#[test]
fn passes_that_are_left_out_are() {
    let adjoints = adjoints();
    let (with_all, others) = adjoints.split_first().unwrap();
    let same: Vec<bool> = others.iter().map(|adjoint| adjoint == with_all).collect();
    // Loops are written out behind what is shown.
    assert_eq!(same, [false, false, false, false, true, false, false, false, false, false]);
}

proptest! {
    #[test]
    fn every_pass_can_be_left_out(
        x in uniform4(-1.0..1.0_f64),
        weights in vec(-1.0..1.0_f64, 0..5),
        scale in 0.1..2.0_f64,
    ) {
        let all = energies(&x, &weights, scale);
        let expected = &all[0].1;
        let size = expected.iter().fold(1.0_f64, |size, number| size.max(number.abs()));
        for (name, found) in &all {
            let apart = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            prop_assert!(found.len() == expected.len() && apart <= 1e-13 * size, "{}: {:?}, {:?}", name, found, expected);
        }
    }
}
