//! The net in plain Rust, row by row, and its gradient by hand.

use super::{BITS, LAYERS};
use crate::lossy::Tape;

type Row = super::Row<f64>;

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn row(of: impl FnMut(usize) -> f64) -> Row {
    std::array::from_fn(of)
}

/// What is computed on the way of a layer to its next state.
struct Gates {
    forget: Row,
    ingate: Row,
    outgate: Row,
    change: Row,
    /// What the cells say once they have changed.
    said: Row,
}

impl Gates {
    /// Changes hidden values and cells of a layer that reads `input`.
    #[inline(always)]
    fn open(p: &[Row; 8], input: &Row, hidden: &mut Row, cell: &mut Row) -> Gates {
        let forget = row(|i| logistic(input[i] * p[0][i] + p[4][i]));
        let ingate = row(|i| logistic(hidden[i] * p[1][i] + p[5][i]));
        let outgate = row(|i| logistic(input[i] * p[2][i] + p[6][i]));
        let change = row(|i| (hidden[i] * p[3][i] + p[7][i]).tanh());
        *cell = row(|i| cell[i] * forget[i] + ingate[i] * change[i]);
        let said = row(|i| cell[i].tanh());
        *hidden = row(|i| outgate[i] * said[i]);
        Gates { forget, ingate, outgate, change, said }
    }

    /// Takes the adjoints of hidden values and cells from behind the step to before it, and adds up those of the parameters.
    /// Returns the adjoint of the input. What is kept of a gate y is y itself, and 1 − y has few digits where y is near 1; with
    /// the exponential kept, as a record does, it takes a division more and has all of them.
    #[inline(always)]
    fn pull(
        &self,
        (p, g_p): (&[Row; 8], &mut [Row; 8]),
        input: &Row,
        (hidden, g_hidden): (&Row, &mut Row),
        (cell, g_cell): (&Row, &mut Row),
    ) -> Row {
        let Gates { forget, ingate, outgate, change, said } = self;
        let mut g_input = [0.0; BITS];
        for i in 0..BITS {
            let g = g_cell[i] + g_hidden[i] * outgate[i] * (1.0 - said[i] * said[i]);
            let g_forget = g * cell[i] * forget[i] * (1.0 - forget[i]);
            let g_ingate = g * change[i] * ingate[i] * (1.0 - ingate[i]);
            let g_outgate = g_hidden[i] * said[i] * outgate[i] * (1.0 - outgate[i]);
            let g_change = g * ingate[i] * (1.0 - change[i] * change[i]);
            for (gate, (g, x)) in
                [(g_forget, input[i]), (g_ingate, hidden[i]), (g_outgate, input[i]), (g_change, hidden[i])]
                    .into_iter()
                    .enumerate()
            {
                g_p[gate][i] += g * x;
                g_p[4 + gate][i] += g;
            }
            g_input[i] = g_forget * p[0][i] + g_outgate * p[2][i];
            g_hidden[i] = g_ingate * p[1][i] + g_change * p[3][i];
            g_cell[i] = g * forget[i];
        }
        g_input
    }
}

/// Hidden values and cells of all layers.
type States = ([Row; LAYERS], [Row; LAYERS]);

fn first(start: &[[Row; 2]; LAYERS]) -> States {
    (start.map(|[hidden, _]| hidden), start.map(|[_, cell]| cell))
}

/// Reads a character. `each` sees hidden values and cells of each layer from before, and the gates that changed them. Returns how
/// likely the net finds the next character, and each of its bits up to a factor, with the sum of these.
#[inline(always)]
fn read(
    (layers, [input_weights, weights, bias]): (&[[Row; 8]; LAYERS], &[Row; 3]),
    (hidden, cell): &mut States,
    [character, next]: [&Row; 2],
    mut each: impl FnMut([Row; 2], Gates),
) -> (f64, Row, f64) {
    let mut input = row(|i| character[i] * input_weights[i]);
    for k in 0..LAYERS {
        let before = [hidden[k], cell[k]];
        each(before, Gates::open(&layers[k], &input, &mut hidden[k], &mut cell[k]));
        input = hidden[k];
    }
    let scores = row(|i| input[i] * weights[i] + bias[i]);
    let likelihoods = scores.map(f64::exp);
    let sum = 2.0 + likelihoods.iter().sum::<f64>();
    let normaliser = sum.ln();
    ((0..BITS).map(|i| next[i] * (scores[i] - normaliser)).sum(), likelihoods, sum)
}

/// The factor of the sum over all bits.
fn factor(sequence: &[Row]) -> f64 {
    -1.0 / (BITS * (sequence.len() - 1)) as f64
}

pub(super) fn plain(
    parameters: (&[[Row; 8]; LAYERS], &[Row; 3]),
    (start, sequence): (&[[Row; 2]; LAYERS], &[Row]),
) -> f64 {
    let mut states = first(start);
    let pairs = sequence.iter().zip(&sequence[1..]);
    factor(sequence) * pairs.map(|(one, next)| read(parameters, &mut states, [one, next], |_, _| ()).0).sum::<f64>()
}

/// The loss and its gradient. The states behind a step are those before the next one, so that only the latter are kept.
pub(super) fn gradient(
    tape: &mut Tape,
    parameters: (&[[Row; 8]; LAYERS], &[Row; 3]),
    (start, sequence): (&[[Row; 2]; LAYERS], &[Row]),
    (g_layers, [g_input_weights, g_weights, g_bias]): (&mut [[Row; 8]; LAYERS], &mut [Row; 3]),
) -> f64 {
    let mut states = first(start);
    let mut total = 0.0;
    for (character, next) in sequence.iter().zip(&sequence[1..]) {
        let (likely, likelihoods, sum) = read(parameters, &mut states, [character, next], |[hidden, cell], gates| {
            let Gates { forget, ingate, outgate, change, said } = gates;
            [hidden, cell, forget, ingate, outgate, change, said].into_iter().for_each(|row| tape.push(row));
        });
        tape.push(likelihoods.map(|likelihood| likelihood / sum));
        total += likely;
    }
    tape.turn();
    let (layers, [input_weights, weights, _]) = parameters;
    let (mut hidden, _) = states;
    let (mut g_hidden, mut g_cell) = ([[0.0; BITS]; LAYERS], [[0.0; BITS]; LAYERS]);
    for (character, next) in sequence.iter().zip(&sequence[1..]).rev() {
        let (shares, bits): (Row, f64) = (tape.pop(), next.iter().sum());
        for i in 0..BITS {
            let g = factor(sequence) * (next[i] - bits * shares[i]);
            g_weights[i] += g * hidden[LAYERS - 1][i];
            g_bias[i] += g;
            g_hidden[LAYERS - 1][i] += g * weights[i];
        }
        for k in (0..LAYERS).rev() {
            let [said, change, outgate, ingate, forget, cell, before] = std::array::from_fn(|_| tape.pop());
            let input = if k > 0 { hidden[k - 1] } else { row(|i| character[i] * input_weights[i]) };
            let gates = Gates { forget, ingate, outgate, change, said };
            let parameters = (&layers[k], &mut g_layers[k]);
            let g_input = gates.pull(parameters, &input, (&before, &mut g_hidden[k]), (&cell, &mut g_cell[k]));
            hidden[k] = before;
            if k > 0 {
                (0..BITS).for_each(|i| g_hidden[k - 1][i] += g_input[i]);
            } else {
                (0..BITS).for_each(|i| g_input_weights[i] += g_input[i] * character[i]);
            }
        }
    }
    factor(sequence) * total
}
