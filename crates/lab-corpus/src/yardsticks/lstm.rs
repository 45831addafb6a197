//! The loss of a recurrent net with long short-term memory.

use super::Number;

#[inline(always)]
fn logistic<N: Number>(x: N) -> N {
    N::constant(1.0) / ((-x).exp() + 1.0)
}

/// The loss of a sequence, as [`objective`](crate::programs::lstm::objective()) has it. It needs only the last state.
///
/// ```
/// use lab_corpus::yardsticks::lstm::objective;
///
/// // Without weights all scores are zero, and each of the two bits has the likelihood 1/4.
/// let sequence = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
/// let value: f64 = objective(&[[[0.0; 2]; 8]], &[[0.0; 2]; 3], &[[[0.0; 2]; 2]], &sequence);
/// assert!((value - 0.75 * 4.0_f64.ln()).abs() < 1e-15);
/// ```
pub fn objective<N: Number, const B: usize>(
    layers: &[[[N; B]; 8]],
    [input_weights, weights, bias]: &[[N; B]; 3],
    start: &[[[f64; B]; 2]],
    sequence: &[[f64; B]],
) -> N {
    let mut states: Vec<[[N; B]; 2]> = start.iter().map(|state| state.map(|row| row.map(N::constant))).collect();
    let mut total = N::constant(0.0);
    for pair in sequence.windows(2) {
        let mut input: [N; B] = std::array::from_fn(|i| input_weights[i] * pair[0][i]);
        for ([hidden, cell], p) in states.iter_mut().zip(layers) {
            for i in 0..B {
                let forget = logistic(input[i] * p[0][i] + p[4][i]);
                let ingate = logistic(hidden[i] * p[1][i] + p[5][i]);
                let outgate = logistic(input[i] * p[2][i] + p[6][i]);
                let change = (hidden[i] * p[3][i] + p[7][i]).tanh();
                cell[i] = cell[i] * forget + ingate * change;
                hidden[i] = outgate * cell[i].tanh();
            }
            input = *hidden;
        }
        let scores: [N; B] = std::array::from_fn(|i| input[i] * weights[i] + bias[i]);
        let normaliser = scores.iter().fold(N::constant(2.0), |sum, &score| sum + score.exp()).ln();
        total = scores.iter().zip(pair[1]).fold(total, |total, (&score, next)| total + (score - normaliser) * next);
    }
    -total / (B * (sequence.len() - 1)) as f64
}
