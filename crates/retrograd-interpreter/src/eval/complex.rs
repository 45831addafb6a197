//! Complex numbers: structs with two parts, on which `num_complex` computes like this.

use retrograd_compiler::ir::{BinaryOp, Elementary};

use crate::elementary;
use crate::error::{Result, unsupported};
use crate::number::Float;
use crate::value::Value;

/// The name of their type.
pub(crate) const COMPLEX: &str = "Complex";

/// `re + im i`
fn complex(re: Float, im: Float) -> Result<Value> {
    let (re, im) = Float::alike(re, im)?;
    Ok(Value::Struct(COMPLEX.into(), vec![("re".into(), Value::Float(re)), ("im".into(), Value::Float(im))]))
}

/// The two parts of a complex number.
fn parts(value: &Value) -> Option<(Float, Float)> {
    match value {
        Value::Struct(name, fields) if **name == *COMPLEX => match fields.as_slice() {
            [(_, Value::Float(re)), (_, Value::Float(im))] => Some((*re, *im)),
            _ => None,
        },
        _ => None,
    }
}

/// Either a complex number or a real one.
enum Operand {
    Complex(Float, Float),
    Real(Float),
}

fn operand(value: &Value) -> Option<Operand> {
    match value {
        Value::Float(x) => Some(Operand::Real(*x)),
        value => parts(value).map(|(re, im)| Operand::Complex(re, im)),
    }
}

/// `a op b`, if one of them is complex and the other one a number.
pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> Option<Result<Value>> {
    match (operand(a)?, operand(b)?) {
        (Operand::Real(_), Operand::Real(_)) => None,
        (a, b) => Some(computed(op, a, b)),
    }
}

fn computed(op: BinaryOp, a: Operand, b: Operand) -> Result<Value> {
    use BinaryOp::{Add, Div, Mul, Sub};
    use Operand::{Complex, Real};
    let of = Float::binary;
    match (op, a, b) {
        (Add | Sub, Complex(a, b), Complex(c, d)) => complex(of(op, a, c)?, of(op, b, d)?),
        (Mul, Complex(a, b), Complex(c, d)) => {
            complex(of(Sub, of(Mul, a, c)?, of(Mul, b, d)?)?, of(Add, of(Mul, a, d)?, of(Mul, b, c)?)?)
        }
        (Div, Complex(a, b), Complex(c, d)) => {
            let norm = norm_sqr(c, d)?;
            let re = of(Add, of(Mul, a, c)?, of(Mul, b, d)?)?;
            let im = of(Sub, of(Mul, b, c)?, of(Mul, a, d)?)?;
            complex(of(Div, re, norm)?, of(Div, im, norm)?)
        }
        (Add | Sub, Complex(a, b), Real(c)) => complex(of(op, a, c)?, b),
        (Mul | Div, Complex(a, b), Real(c)) => complex(of(op, a, c)?, of(op, b, c)?),
        (Add, Real(a), Complex(c, d)) => complex(of(Add, a, c)?, d),
        (Sub, Real(a), Complex(c, d)) => complex(of(Sub, a, c)?, of(Sub, Float::of(d.repr, 0.0)?, d)?),
        (Mul, Real(a), Complex(c, d)) => complex(of(Mul, a, c)?, of(Mul, a, d)?),
        (Div, Real(a), Complex(c, d)) => {
            let norm = norm_sqr(c, d)?;
            let im = of(Div, of(Mul, a, d)?, norm)?;
            complex(of(Div, of(Mul, a, c)?, norm)?, of(Sub, Float::of(im.repr, 0.0)?, im)?)
        }
        (op, _, _) => unsupported(format!("`{}` of complex numbers", op.sign())),
    }
}

/// `a /= b`, if both are complex: as the library undoes a product, about the larger part of the divisor.
pub(crate) fn divided(a: &Value, b: &Value) -> Option<Result<Value>> {
    let ((a, b), (c, d)) = (parts(a)?, parts(b)?);
    let turned = d.value().abs() > c.value().abs();
    // About the imaginary part, both are turned by a quarter first.
    let quotient = |(a, b): (Float, Float), (large, small): (Float, Float)| {
        use BinaryOp::{Add, Div, Mul, Sub};
        let of = Float::binary;
        let ratio = of(Div, small, large)?;
        let length = of(Add, large, of(Mul, small, ratio)?)?;
        let (re, im) = match turned {
            false => (of(Add, a, of(Mul, b, ratio)?)?, of(Sub, b, of(Mul, a, ratio)?)?),
            true => (of(Add, of(Mul, a, ratio)?, b)?, of(Sub, of(Mul, b, ratio)?, a)?),
        };
        complex(of(Div, re, length)?, of(Div, im, length)?)
    };
    Some(quotient((a, b), if turned { (d, c) } else { (c, d) }))
}

fn norm_sqr(re: Float, im: Float) -> Result<Float> {
    Float::binary(BinaryOp::Add, Float::binary(BinaryOp::Mul, re, re)?, Float::binary(BinaryOp::Mul, im, im)?)
}

/// `-z`, if it is a complex number.
pub(crate) fn negated(value: &Value) -> Option<Result<Value>> {
    parts(value).map(|(re, im)| complex(re.negated(), im.negated()))
}

/// `Complex::new(re, im)` and its kin.
pub(super) fn associated(name: &str, args: &[Value]) -> Result<Value> {
    match (name, args) {
        ("new", [Value::Float(re), Value::Float(im)]) => complex(*re, *im),
        ("cis", [Value::Float(angle)]) => {
            complex(elementary::apply(Elementary::Cos, &[*angle])?, elementary::apply(Elementary::Sin, &[*angle])?)
        }
        ("from", [Value::Float(re)]) => complex(*re, Float::of(re.repr, 0.0)?),
        _ => unsupported(format!("`{COMPLEX}::{name}`")),
    }
}

/// A method of a complex number, if it is one.
pub(super) fn method(value: &Value, name: &str) -> Option<Result<Value>> {
    let (re, im) = parts(value)?;
    Some(match name {
        "conj" => complex(re, im.negated()),
        "norm_sqr" => norm_sqr(re, im).map(Value::Float),
        "norm" => elementary::apply(Elementary::Hypot, &[re, im]).map(Value::Float),
        "arg" => elementary::apply(Elementary::Atan2, &[im, re]).map(Value::Float),
        _ => unsupported(format!("the method `{name}` of a complex number")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_times_its_divisor_is_the_dividend() {
        let z = |re, im| complex(Float::f64(re), Float::f64(im));
        let (a, b) = (z(3.0, -1.0).unwrap(), z(0.5, 2.0).unwrap());
        let quotient = binary(BinaryOp::Div, &a, &b).unwrap().unwrap();
        let product = binary(BinaryOp::Mul, &quotient, &b).unwrap().unwrap();
        let apart = product.numbers().iter().zip(a.numbers()).map(|(p, a)| (p - a).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-15, "{product}");
        let undone = divided(&a, &b).unwrap().unwrap();
        let apart = undone.numbers().iter().zip(quotient.numbers()).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-15, "{undone}");
        assert_eq!(method(&b, "norm_sqr").unwrap().unwrap(), Value::f64(4.25));
        assert_eq!(binary(BinaryOp::Sub, &Value::f64(1.0), &b).unwrap().unwrap(), z(0.5, -2.0).unwrap());
    }
}
