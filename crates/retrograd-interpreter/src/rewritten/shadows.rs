//! What can be done with shadows.

use retrograd_compiler::ir::ExprKind;
use retrograd_compiler::ir::{Rule, Update, UpdateOp, VarId, VarKind};

use crate::error::{Result, unfit};
use crate::machine::Machine;
use crate::number::Float;
use crate::value::Value;

impl<'m> Machine<'m> {
    /// Whether a variable holds derivatives.
    pub(crate) fn is_shadow(&self, var: VarId) -> bool {
        matches!(self.frame.program.var(var).kind, VarKind::Shadow { .. })
    }

    /// A step on a shadow.
    pub(crate) fn accumulate(&mut self, s: &'m Update) -> Result<()> {
        // Only the logarithm of a determinant asks how much a bijection bends.
        if matches!(s.operand.kind, ExprKind::Rule(Rule::Bend, _)) {
            return Ok(());
        }
        let operand = self.value(&s.operand)?;
        let place = self.place(&s.target)?;
        let target = self.memory.view(&place)?.to_value();
        let value = match s.op {
            UpdateOp::Mul => times(target, &operand)?,
            UpdateOp::Sub => joined(target, operand, -1.0)?,
            UpdateOp::Add | UpdateOp::Div | UpdateOp::Xor => joined(target, operand, 1.0)?,
        };
        self.memory.store(&place, value)
    }
}

/// A shadow and another one, with a sign. What has no derivative takes none.
pub(crate) fn joined(a: Value, b: Value, sign: f64) -> Result<Value> {
    let all = |a: Vec<Value>, b: Vec<Value>| -> Result<Vec<Value>> {
        if a.len() != b.len() {
            return unfit(format!("a shadow of length {} meets one of length {}", a.len(), b.len()));
        }
        a.into_iter().zip(b).map(|(a, b)| joined(a, b, sign)).collect()
    };
    Ok(match (a, b) {
        (a, Value::Unit) => a,
        (Value::Unit, _) => Value::Unit,
        (Value::Float(a), Value::Float(b)) => Value::f64(a.value() + sign * b.value()),
        (Value::List(a), Value::List(b)) => Value::List(all(a, b)?),
        (Value::Tuple(a), Value::Tuple(b)) => Value::Tuple(all(a, b)?),
        (Value::Stack(a), Value::Stack(b)) => Value::Stack(all(a, b)?),
        (Value::Struct(name, a), Value::Struct(_, b)) => {
            let fields = a.into_iter().zip(b).map(|((field, a), (_, b))| Ok((field, joined(a, b, sign)?)));
            Value::Struct(name, fields.collect::<Result<_>>()?)
        }
        (Value::Option(Some(a)), Value::Option(Some(b))) => Value::Option(Some(Box::new(joined(*a, *b, sign)?))),
        (Value::Slots(mut a), Value::Slots(b)) => {
            if !a.all.iter().map(|(key, _)| key).eq(b.all.iter().map(|(key, _)| key)) {
                return unfit("the shadows of slots have different keys");
            }
            for (a, b) in a.values_mut().zip(b.values()) {
                *a = joined(std::mem::replace(a, Value::Unit), b.clone(), sign)?;
            }
            Value::Slots(a)
        }
        (a @ Value::Option(None), _) => a,
        (a, b) => return unfit(format!("a shadow that is {} meets one that is {}", a.kind(), b.kind())),
    })
}

/// The sum of two shadows, either of which may be none.
pub(crate) fn sum(a: Value, b: Value) -> Result<Value> {
    match (a, b) {
        (Value::Unit, b) => Ok(b),
        (a, b) => joined(a, b, 1.0),
    }
}

/// A shadow times a partial derivative.
pub(crate) fn times(shadow: Value, partial: &Value) -> Result<Value> {
    Ok(match (shadow, partial) {
        (Value::Unit, _) | (_, Value::Unit | Value::Int(_)) => Value::Unit,
        (Value::Float(g), Value::Float(d)) => Value::f64(g.value() * d.value()),
        (Value::List(all), partial @ Value::Float(_)) => {
            Value::List(all.into_iter().map(|g| times(g, partial)).collect::<Result<_>>()?)
        }
        (g, d) => return unfit(format!("a shadow that is {} meets a slope that is {}", g.kind(), d.kind())),
    })
}

/// `-g`
pub(crate) fn negated(shadow: Value) -> Result<Value> {
    let mut shadow = shadow;
    shadow.each_float_mut(&mut |float| *float = Float::f64(-float.value()));
    Ok(shadow)
}
