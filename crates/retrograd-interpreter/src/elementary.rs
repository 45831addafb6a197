//! Functions of numbers. Values are those of the library, bit for bit; derivatives are written here, from the formulas.

use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

use retrograd::Real;
use retrograd_compiler::ir::Elementary;

use crate::error::{Result, unsupported};
use crate::number::{Float, Logarithm, Repr, caught, with_fixed};

/// A function of numbers, of as many as it takes.
pub(crate) fn apply(function: Elementary, args: &[Float]) -> Result<Float> {
    let mut args = args.to_vec();
    for i in 1..args.len() {
        let (first, other) = Float::alike(args[0], args[i])?;
        (args[0], args[i]) = (first, other);
    }
    for i in 1..args.len() {
        args[i] = args[i].like(args[0].repr)?;
    }
    let repr = match args[0].repr {
        Repr::Open(_) => value::<f64>(function, &numbers(&args)).map(Repr::Open),
        Repr::F64(_) => value::<f64>(function, &numbers(&args)).map(Repr::F64),
        Repr::F32(_) => {
            let args: Vec<f32> = numbers(&args).into_iter().map(|x| x as f32).collect();
            value::<f32>(function, &args).map(Repr::F32)
        }
        Repr::Fixed(frac, _) => with_fixed!(frac, F => {
            let args: Vec<F> = args.iter().map(|x| match x.repr {
                Repr::Fixed(_, bits) => F::from_bits(bits),
                _ => F::lit(x.value()),
            }).collect();
            caught(|| value::<F>(function, &args))?.map(|value| Repr::Fixed(frac, value.to_bits()))
        }),
        Repr::Log(_) => {
            let of = |x: &Float| if let Repr::Log(x) = x.repr { x } else { Logarithm::lit(x.value()) };
            let args: Vec<Logarithm> = args.iter().map(of).collect();
            caught(|| value(function, &args))?.map(Repr::Log)
        }
        Repr::Tropical(_) => None,
    };
    let Some(repr) = repr else { return unsupported(format!("`{}` of numbers", function.name())) };
    let result = Float { repr, tangent: 0.0 };
    let slopes = slopes(function, &numbers(&args), result.value());
    // Where nothing moves nothing flows, however steep it is there.
    let terms = args.iter().zip(slopes).filter(|(arg, _)| arg.tangent != 0.0);
    Ok(Float { tangent: terms.map(|(arg, slope)| slope * arg.tangent).sum(), ..result })
}

fn numbers(args: &[Float]) -> Vec<f64> {
    args.iter().map(Float::value).collect()
}

/// `x.powi(n)`
pub(crate) fn powi(x: Float, n: i32) -> Result<Float> {
    let repr = match x.repr {
        Repr::Open(x) => Repr::Open(x.powi(n)),
        Repr::F64(x) => Repr::F64(x.powi(n)),
        Repr::F32(x) => Repr::F32(x.powi(n)),
        Repr::Fixed(frac, bits) => {
            Repr::Fixed(frac, with_fixed!(frac, F => caught(|| F::from_bits(bits).powi(n).to_bits())?))
        }
        Repr::Log(x) => Repr::Log(caught(|| x.powi(n))?),
        Repr::Tropical(_) => return unsupported("`powi` of tropical numbers"),
    };
    let slope = if n == 0 { 0.0 } else { f64::from(n) * x.value().powi(n - 1) };
    Ok(Float { repr, tangent: slope * x.tangent })
}

fn value<T: Real>(function: Elementary, args: &[T]) -> Option<T> {
    use Elementary::*;
    let x = *args.first()?;
    let y = args.get(1).copied().unwrap_or(x);
    let z = args.get(2).copied().unwrap_or(x);
    Some(match function {
        Sin => x.sin(),
        Cos => x.cos(),
        Tan => x.tan(),
        Asin => x.asin(),
        Acos => x.acos(),
        Atan => x.atan(),
        Atan2 => x.atan2(y),
        Sinh => x.sinh(),
        Cosh => x.cosh(),
        Tanh => x.tanh(),
        Asinh => x.asinh(),
        Acosh => x.acosh(),
        Atanh => x.atanh(),
        Exp => x.exp(),
        Exp2 => x.exp2(),
        ExpM1 => x.exp_m1(),
        Ln => x.ln(),
        Ln1p => x.ln_1p(),
        Log2 => x.log2(),
        Log10 => x.log10(),
        Log => x.log(y),
        Powf => x.powf(y),
        Sqrt => x.sqrt(),
        Cbrt => x.cbrt(),
        Square => x.square(),
        Cube => x.cube(),
        Hypot => x.hypot(y),
        Recip => x.recip(),
        Conj => x,
        Abs => x.abs(),
        Max => x.max(y),
        Min => x.min(y),
        Clamp => x.clamp(y, z),
        SelectLess => x.select_less(y, z, *args.get(3)?),
        SelectEqual => x.select_equal(y, z, *args.get(3)?),
        MulAdd => x.mul_add(y, z),
        RemEuclid => x.rem_euclid(y),
        ToDegrees => x.to_degrees(),
        ToRadians => x.to_radians(),
        Erf => x.erf(),
        Gamma => x.gamma(),
        Lgamma => x.lgamma(),
        Fract => x.fract(),
        Signum => x.signum(),
        Floor => x.floor(),
        Ceil => x.ceil(),
        Round => x.round(),
        Trunc => x.trunc(),
        Powi | Pow | AbsDiff | Isqrt | WrappingAdd | WrappingSub | WrappingMul | SaturatingAdd | SaturatingSub => {
            return None;
        }
    })
}

/// The partial derivatives, one for each argument.
fn slopes(function: Elementary, args: &[f64], result: f64) -> Vec<f64> {
    use Elementary::*;
    let x = args[0];
    let y = args.get(1).copied().unwrap_or(0.0);
    let chosen = |first: bool| if first { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
    match function {
        Sin => vec![x.cos()],
        Cos => vec![-x.sin()],
        Tan => vec![1.0 / (x.cos() * x.cos())],
        Asin => vec![1.0 / (1.0 - x * x).sqrt()],
        Acos => vec![-1.0 / (1.0 - x * x).sqrt()],
        Atan => vec![1.0 / (1.0 + x * x)],
        Atan2 => vec![y / (x * x + y * y), -x / (x * x + y * y)],
        Sinh => vec![x.cosh()],
        Cosh => vec![x.sinh()],
        Tanh => vec![1.0 / (x.cosh() * x.cosh())],
        Asinh => vec![1.0 / (x * x + 1.0).sqrt()],
        Acosh => vec![1.0 / (x * x - 1.0).sqrt()],
        Atanh => vec![1.0 / (1.0 - x * x)],
        Exp => vec![x.exp()],
        Exp2 => vec![x.exp2() * LN_2],
        ExpM1 => vec![x.exp()],
        Ln => vec![1.0 / x],
        Ln1p => vec![1.0 / (1.0 + x)],
        Log2 => vec![1.0 / (x * LN_2)],
        Log10 => vec![1.0 / (x * LN_10)],
        Log => vec![1.0 / (x * y.ln()), -x.ln() / (y * y.ln() * y.ln())],
        Powf => vec![y * x.powf(y - 1.0), x.powf(y) * x.ln()],
        Sqrt => vec![0.5 / x.sqrt()],
        Cbrt => vec![1.0 / (3.0 * x.cbrt() * x.cbrt())],
        Square => vec![2.0 * x],
        Cube => vec![3.0 * x * x],
        Hypot => vec![x / x.hypot(y), y / x.hypot(y)],
        Recip => vec![-1.0 / (x * x)],
        Conj => vec![1.0],
        Abs => vec![if x == 0.0 { 0.0 } else { x.signum() }],
        Max => chosen(x >= y || y.is_nan()),
        Min => chosen(x <= y || y.is_nan()),
        Clamp => {
            let (low, high) = (x < y, x > args[2]);
            [!low && !high, low, high].map(f64::from).to_vec()
        }
        SelectLess => {
            let less = x < y;
            vec![0.0, 0.0, f64::from(less), f64::from(!less)]
        }
        SelectEqual => vec![0.0, 0.0, f64::from(x == y), f64::from(x != y)],
        MulAdd => vec![y, x, 1.0],
        RemEuclid => vec![1.0, -((x - result) / y).round()],
        ToDegrees => vec![180.0 / std::f64::consts::PI],
        ToRadians => vec![std::f64::consts::PI / 180.0],
        Erf => vec![FRAC_2_SQRT_PI * (-x * x).exp()],
        Gamma => vec![result * retrograd::private::digamma(x)],
        Lgamma => vec![retrograd::private::digamma(x)],
        Fract => vec![1.0],
        Signum | Floor | Ceil | Round | Trunc => vec![0.0],
        Powi | Pow | AbsDiff | Isqrt | WrappingAdd | WrappingSub | WrappingMul | SaturatingAdd | SaturatingSub => {
            vec![0.0]
        }
    }
}
