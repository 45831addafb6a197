//! The loss of classifiers: the cross entropy of what a softmax predicts.

use retrograd::prelude::*;

use super::log_sum_exp::log_of_sum;
use super::{Demo, Entry, rounded};

/// How surprising the class `label` is, for a classifier that gives each class a weight in proportion to the exponential of
/// its score: −ln softmax(scores)\[label\].
///
/// Its gradient is the softmax itself, less one for the class `label`.
///
/// ```
/// use lab_corpus::programs::cross_entropy::surprise;
///
/// let (value, by_scores) = surprise::gradient(&[0.0, 3.0_f64.ln()], 0);
/// assert!((value - 4.0_f64.ln()).abs() < 1e-15);
/// assert!((by_scores[0] + 0.75).abs() < 1e-15 && (by_scores[1] - 0.75).abs() < 1e-15);
/// ```
#[reversible]
pub fn surprise<T: Real>(scores: &[T], label: usize) -> T {
    log_of_sum(scores) - scores[label]
}

/// Adds the mean surprise of many examples to `loss`. The scores of each example stand one behind the other, and
/// `labels` says its class.
///
/// ```
/// use lab_corpus::programs::cross_entropy::cross_entropy;
///
/// let (mut loss, scores) = (0.0, [1.0, 1.0, -2.0, -2.0]);
/// cross_entropy(&mut loss, &scores, &[0, 1]);
/// assert!((loss - 2.0_f64.ln()).abs() < 1e-15);
/// cross_entropy::uncall(&mut loss, &scores, &[0, 1]);
/// assert_eq!(loss, 0.0);
/// ```
#[reversible]
pub fn cross_entropy<T: Real>(loss: &mut T, scores: &[T], labels: &[usize]) {
    let examples = labels.len();
    for n in 0..examples {
        let classes = scores.len() / examples;
        *loss += surprise(&scores[classes * n..classes * (n + 1)], labels[n]) / examples as T;
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "cross_entropy",
    about: "adds the loss of a classifier: how surprising the right classes are on average",
    source: cross_entropy::source,
    demo: || {
        let (scores, labels) = ([2.0, 0.5, -1.0, 0.0, 0.1, 3.0], [0, 2]);
        Demo::new(
            0.0,
            |loss: &mut f64| cross_entropy(loss, &scores, &labels),
            |loss| cross_entropy::uncall(loss, &scores, &labels),
            |loss| format!("loss = {}, scores = {scores:?}, labels = {labels:?}", rounded(&[*loss])[0]),
        )
    },
};
