//! Values in the types that programs say they have.

use retrograd_compiler::ir::{Type, TypeKind};

use super::complex::COMPLEX;
use crate::error::{Result, unsupported};
use crate::machine::Machine;
use crate::number::{Float, Int, IntKind, Repr};
use crate::slots::Slots;
use crate::value::Value;

impl Machine<'_> {
    /// The value, with literals in it made numbers of the type.
    pub(crate) fn coerced(&mut self, value: Value, ty: &Type) -> Result<Value> {
        let each = |machine: &mut Self, all: Vec<Value>, of: &Type| -> Result<Vec<Value>> {
            all.into_iter().map(|value| machine.coerced(value, of)).collect()
        };
        Ok(match (value, &ty.kind) {
            (Value::Int(int), TypeKind::Named { name, .. }) if int.kind.is_none() => {
                match IntKind::by_name(&name.to_string()) {
                    Some(kind) => Value::Int(Int { kind: Some(kind), ..int }),
                    None => Value::Int(int),
                }
            }
            (Value::Float(float), _) if matches!(float.repr, Repr::Open(_)) => match self.number_type(ty) {
                Some(kind) => Value::Float(float.like(kind)?),
                None => Value::Float(float),
            },
            (Value::List(all), TypeKind::Slice(of) | TypeKind::Array { of, .. }) => Value::List(each(self, all, of)?),
            (Value::List(all), TypeKind::Named { .. }) => match ty.vec_element().cloned() {
                Some(of) => Value::List(each(self, all, &of)?),
                None => Value::List(all),
            },
            (Value::Tuple(all), TypeKind::Tuple(types)) => {
                let all = all.into_iter().zip(types).map(|(value, ty)| self.coerced(value, ty));
                Value::Tuple(all.collect::<Result<_>>()?)
            }
            (Value::Struct(name, fields), TypeKind::Named { arguments, .. }) if *name == *COMPLEX => {
                let part = |(field, part)| match arguments.first() {
                    Some(ty) => Ok((field, self.coerced(part, ty)?)),
                    None => Ok((field, part)),
                };
                Value::Struct(name, fields.into_iter().map(part).collect::<Result<_>>()?)
            }
            (Value::Slots(slots), TypeKind::Named { arguments, .. }) => match arguments.as_slice() {
                [_, of] => {
                    // Where the type is not known, one that is told later does.
                    let zero = self.zero_of(of).ok().map(Box::new).or(slots.zero);
                    let all = slots.all.into_iter().map(|(key, value)| Ok((key, self.coerced(value, of)?)));
                    Value::Slots(Slots { zero, all: all.collect::<Result<_>>()?, dropped: slots.dropped })
                }
                _ => Value::Slots(slots),
            },
            (value, TypeKind::Reference { of, .. }) => self.coerced(value, of)?,
            (value, _) => value,
        })
    }

    /// The default of a type.
    fn zero_of(&mut self, ty: &Type) -> Result<Value> {
        if let Some(kind) = self.number_type(ty) {
            return Ok(Value::Float(Float::of(kind, 0.0)?));
        }
        let kind = ty.as_name().and_then(|name| IntKind::by_name(&name.to_string()));
        match (kind, &ty.kind) {
            (Some(kind), _) => Ok(Value::Int(Int { kind: Some(kind), value: 0 })),
            (None, TypeKind::Tuple(all)) => {
                Ok(Value::Tuple(all.iter().map(|ty| self.zero_of(ty)).collect::<Result<_>>()?))
            }
            (None, TypeKind::Array { of, len }) => match len.text().parse() {
                Ok(count) => Ok(Value::List(vec![self.zero_of(of)?; count])),
                Err(_) => unsupported(format!("the default of `{}`", ty.written.text())),
            },
            (None, _) if ty.is("bool") => Ok(Value::Bool(false)),
            (None, _) => unsupported(format!("the default of `{}`", ty.written.text())),
        }
    }

    /// The number type that a name stands for.
    pub(crate) fn number_type(&self, ty: &Type) -> Option<Repr> {
        match &ty.kind {
            TypeKind::Named { name, .. } if name == "f64" => Some(Repr::F64(0.0)),
            TypeKind::Named { name, .. } if name == "f32" => Some(Repr::F32(0.0)),
            TypeKind::Named { name, .. } if name == "Fixed" => {
                fraction(ty.written.text()).map(|frac| Repr::Fixed(frac, 0))
            }
            TypeKind::Named { name, .. } if name == "Tropical" => Some(Repr::Tropical(None)),
            TypeKind::Named { name, .. } if self.frame.program.numbers.contains(name) => {
                Some(self.parameter(&name.to_string()))
            }
            TypeKind::Named { name, .. } if !self.module.aliases.is_empty() => {
                self.module.aliases.get(&name.to_string()).and_then(|ty| self.number_type(ty))
            }
            _ => None,
        }
    }

    /// `e as T`
    pub(crate) fn cast(&mut self, value: Value, ty: &Type) -> Result<Value> {
        let target = ty.as_name().and_then(|name| IntKind::by_name(&name.to_string()));
        let number = self.number_type(ty);
        Ok(match (value, target, number) {
            (Value::Int(int), Some(kind), _) => Value::Int(Int { kind: Some(kind), value: kind.wrap(int.value) }),
            (Value::Bool(b), Some(kind), _) => Value::Int(Int { kind: Some(kind), value: b.into() }),
            (Value::Float(float), Some(kind), _) => {
                let (least, most) = kind.range();
                let value = float.value();
                let value = if value.is_nan() { 0 } else { (value.trunc() as i128).clamp(least, most) };
                Value::Int(Int { kind: Some(kind), value })
            }
            (Value::Int(int), None, Some(kind)) => Value::Float(match kind {
                Repr::F32(_) => Float { repr: Repr::F32(int.value as f32), tangent: 0.0 },
                kind => Float::of(kind, int.value as f64)?,
            }),
            (Value::Float(float), None, Some(kind)) => {
                let tangent = float.tangent;
                match (float.repr, kind) {
                    (Repr::F64(_) | Repr::Open(_) | Repr::F32(_), Repr::F64(_)) => {
                        Value::Float(Float { repr: Repr::F64(float.value()), tangent })
                    }
                    (Repr::F64(_) | Repr::Open(_) | Repr::F32(_), Repr::F32(_)) => {
                        Value::Float(Float { repr: Repr::F32(float.value() as f32), tangent })
                    }
                    (Repr::Fixed(a, _), Repr::Fixed(b, _)) if a == b => Value::Float(float),
                    _ => return unsupported(format!("a cast to `{}`", ty.written.text())),
                }
            }
            (value, None, None) if ty.is("bool") => value,
            _ => return unsupported(format!("a cast to `{}`", ty.written.text())),
        })
    }
}

/// The number of bits after the point in `Fixed<32>`.
pub(crate) fn fraction(written: &str) -> Option<u32> {
    let (_, behind) = written.rsplit_once('<')?;
    behind.trim_end_matches('>').trim().parse().ok()
}
