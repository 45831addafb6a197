//! Functions of a slice beside the same of dual numbers.

use retrograd::Dual;

/// Fails unless value, gradient and slopes of a function of a slice are those of dual numbers.
pub(crate) fn compare<const N: usize>(
    x: [f64; N],
    dual: impl Fn(&[Dual<f64, N>]) -> Dual<f64, N>,
    call: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, Vec<f64>),
    pushforward: impl Fn(&[f64], &[f64]) -> (f64, f64),
) {
    let expected = dual(&std::array::from_fn::<_, N, _>(|i| Dual::variable(x[i], i)));
    assert_eq!(call(&x), expected.re, "the value at {x:?}");
    let (value, found) = gradient(&x);
    assert_eq!(value, expected.re, "the value beside the gradient at {x:?}");
    let is_close = |a: f64, b: f64| (a - b).abs() <= 1e-10 * (1.0 + b.abs());
    for i in 0..N {
        assert!(is_close(found[i], expected.eps[i]), "{found:?} at {x:?} instead of {:?}", expected.eps);
        let direction: [f64; N] = std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 });
        let (value, slope) = pushforward(&x, &direction);
        assert!(is_close(value, expected.re), "the value {value} beside a slope at {x:?} instead of {}", expected.re);
        assert!(is_close(slope, expected.eps[i]), "the slope {slope} at {x:?} instead of {}", expected.eps[i]);
    }
}

macro_rules! agrees {
    ($program:ident, $x:expr $(, $more:expr)*) => {
        against_dual::compare(
            $x,
            |x| $program(x $(, $more)*),
            |x| $program(x $(, $more)*),
            |x| $program::gradient(x $(, $more)*),
            |x, d| $program::pushforward((x, d) $(, $more)*),
        )
    };
}
