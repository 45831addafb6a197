//! A recurrent net that rotates its memory.

use super::Number;
use super::umm::umm;

/// The mean square of the errors of all guesses, as [`recorded`](crate::programs::recurrent::recorded()) has it.
pub fn loss<N: Number>(weights: &[N], signal: &[f64], units: usize) -> N {
    let (angles, others) = weights.split_at(weights.len() - 3 * units);
    let mut memory = vec![N::constant(0.0); units];
    let mut sum = N::constant(0.0);
    for pair in signal.windows(2) {
        umm(&mut memory, angles);
        let mut guess = N::constant(0.0);
        for i in 0..units {
            memory[i] = (memory[i] + others[i] * pair[0] + others[units + i]).tanh();
            guess = guess + memory[i] * others[2 * units + i];
        }
        let error = guess - pair[1];
        sum = sum + error * error;
    }
    sum / (signal.len() - 1) as f64
}
