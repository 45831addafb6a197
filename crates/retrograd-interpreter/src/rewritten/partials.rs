//! Partial derivatives, as generated code computes them.

use retrograd::private as rules;
use retrograd_compiler::ir::Partial;

use super::shadows::{joined, sum};
use crate::error::{Result, unfit, unsupported};
use crate::value::Value;

/// A partial derivative, or another step that has a name.
pub(crate) fn partial(partial: Partial, args: Vec<Value>) -> Result<Value> {
    use Partial::*;
    match (partial, args.as_slice()) {
        (Cast, [zero, g]) => return joined(zero.clone(), g.clone(), 1.0),
        (Spread, [_, tangent]) => return Ok(tangent.clone()),
        (Total, [zero, Value::List(copies)]) => {
            return copies.iter().try_fold(zero.clone(), |total, copy| sum(total, copy.clone()));
        }
        (Total, [zero, Value::Unit]) => return Ok(zero.clone()),
        (Elements, [shadow]) => return Ok(shadow.clone()),
        (Conj, []) => return Ok(Value::f64(1.0)),
        (Powi, [Value::Float(x), Value::Int(n)]) => return Ok(Value::f64(rules::d_powi(x.value(), n.value as i32))),
        // Nothing flows through integers.
        (_, all) if all.iter().any(|value| matches!(value, Value::Int(_) | Value::Bool(_))) => return Ok(Value::Unit),
        _ => {}
    }
    let mut numbers = Vec::new();
    for arg in &args {
        match arg {
            Value::Float(x) => numbers.push(x.value()),
            other => return unfit(format!("{} is no number", other.kind())),
        }
    }
    let slope = match (partial, numbers.as_slice()) {
        (Sin, &[x]) => rules::d_sin(x),
        (Cos, &[x]) => rules::d_cos(x),
        (Tan, &[y]) => rules::d_tan(y),
        (Asin, &[x]) => rules::d_asin(x),
        (Acos, &[x]) => rules::d_acos(x),
        (Atan, &[x]) => rules::d_atan(x),
        (Atan2By0, &[y, x]) => rules::d_atan2_0(y, x),
        (Atan2By1, &[y, x]) => rules::d_atan2_1(y, x),
        (Sinh, &[x]) => rules::d_sinh(x),
        (Cosh, &[x]) => rules::d_cosh(x),
        (Tanh, &[y]) => rules::d_tanh(y),
        (Asinh, &[x]) => rules::d_asinh(x),
        (Acosh, &[x]) => rules::d_acosh(x),
        (Atanh, &[x]) => rules::d_atanh(x),
        (Exp, &[y]) => rules::d_exp(y),
        (Exp2, &[y]) => rules::d_exp2(y),
        (ExpM1, &[y]) => rules::d_exp_m1(y),
        (Ln, &[x]) => rules::d_ln(x),
        (Ln1p, &[x]) => rules::d_ln_1p(x),
        (Log2, &[x]) => rules::d_log2(x),
        (Log10, &[x]) => rules::d_log10(x),
        (LogBy0, &[x, base]) => rules::d_log_0(x, base),
        (LogBy1, &[base, y]) => rules::d_log_1(base, y),
        (PowfBy0, &[x, exponent]) => rules::d_powf_0(x, exponent),
        (PowfBy1, &[x, y]) => rules::d_powf_1(x, y),
        (Sqrt, &[y]) => rules::d_sqrt(y),
        (Cbrt, &[y]) => rules::d_cbrt(y),
        (Square, &[x]) => rules::d_square(x),
        (Cube, &[x]) => rules::d_cube(x),
        (HypotBy0, &[x, y]) => rules::d_hypot_0(x, y),
        (HypotBy1, &[o, y]) => rules::d_hypot_1(o, y),
        (Recip, &[y]) => rules::d_recip(y),
        (Abs, &[x]) => rules::d_abs(x),
        (MaxBy0, &[x, o]) => rules::d_max_0(x, o),
        (MaxBy1, &[x, o]) => rules::d_max_1(x, o),
        (MinBy0, &[x, o]) => rules::d_min_0(x, o),
        (MinBy1, &[x, o]) => rules::d_min_1(x, o),
        (ClampBy0, &[x, low, high]) => rules::d_clamp_0(x, low, high),
        (ClampBy1, &[x, low, high]) => rules::d_clamp_1(x, low, high),
        (ClampBy2, &[x, low, high]) => rules::d_clamp_2(x, low, high),
        (SelectLessBy2, &[x, o]) => rules::d_select_less_2(x, o),
        (SelectLessBy3, &[x, o]) => rules::d_select_less_3(x, o),
        (SelectEqualBy2, &[x, o]) => rules::d_select_equal_2(x, o),
        (SelectEqualBy3, &[x, o]) => rules::d_select_equal_3(x, o),
        (RemEuclidBy1, &[x, m]) => rules::d_rem_euclid_1(x, m),
        (ToDegrees, &[x]) => rules::d_to_degrees(x),
        (ToRadians, &[x]) => rules::d_to_radians(x),
        (Erf, &[x]) => rules::d_erf(x),
        (Gamma, &[x, y]) => rules::d_gamma(x, y),
        (Lgamma, &[x]) => rules::d_lgamma(x),
        (DivBy0, &[b]) => rules::d_div_0(b),
        (DivBy1, &[b, y]) => rules::d_div_1(b, y),
        (RemBy1, &[x, m]) => rules::d_rem_1(x, m),
        (other, _) => return unsupported(format!("the step `{}` of a derivative", other.name())),
    };
    Ok(Value::f64(slope))
}
