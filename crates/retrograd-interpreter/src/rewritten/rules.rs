//! Steps of derivatives.

use retrograd_compiler::ir::{Expr, Rule};

use super::checks::largest;
use super::partials::partial;
use super::shadows::{negated, sum, times};
use crate::error::{Result, unfit, unsupported};
use crate::machine::Machine;
use crate::number::{Float, Repr};
use crate::value::Value;

impl<'m> Machine<'m> {
    /// A step of a derivative.
    pub(crate) fn rule(&mut self, rule: &'m Rule, args: &'m [Expr]) -> Result<Value> {
        match (rule, args) {
            (Rule::Pull | Rule::Push, [g, d]) | (Rule::PullFactor, [g, d, _]) => {
                let (g, d) = (self.value(g)?, self.value(d)?);
                times(g, &d)
            }
            (Rule::Join, [a, b]) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                sum(a, b)
            }
            (Rule::Negate, [a]) => negated(self.value(a)?),
            (Rule::Linear | Rule::OfNumber | Rule::Arrive, [a]) | (Rule::Fitting, [a, _]) => self.value(a),
            (Rule::Passed, [a, ..]) => self.eval(a),
            (Rule::Number | Rule::AskedNumber | Rule::Factor(_), [a]) => match self.value(a)? {
                Value::Float(x) => Ok(Value::Float(Float { repr: Repr::F64(x.value()), tangent: 0.0 })),
                other => Ok(other),
            },
            (Rule::Zero | Rule::PlainZero, [a]) => {
                let value = match self.place_of(a)? {
                    Some(place) => self.memory.load(Value::Ref(place))?,
                    None => self.value(a)?,
                };
                Ok(value.zero_shadow())
            }
            (Rule::Neutral, []) => Ok(Value::f64(0.0)),
            (Rule::NoShadow | Rule::MadeOf | Rule::Blank | Rule::Later | Rule::Lease, _) => Ok(Value::Unit),
            (Rule::Taken, [place, zero]) => {
                let zero = self.value(zero)?;
                match self.place_of(place)? {
                    Some(place) => {
                        let place = self.memory.follow(place)?;
                        let taken = self.memory.view(&place)?.to_value();
                        self.memory.store(&place, zero)?;
                        Ok(taken)
                    }
                    None => unfit("a shadow is taken from its place"),
                }
            }
            (Rule::Decisions, []) => Ok(Value::usize(self.decisions)),
            (Rule::Absent, []) => Ok(Value::Option(None)),
            (Rule::Given, [a]) => match self.value(a)? {
                Value::Option(Some(value)) => Ok(*value),
                _ => unfit("every way through the function gives a value"),
            },
            (Rule::Keep, [a]) => Ok(Value::Option(Some(Box::new(self.value(a)?)))),
            (Rule::KeepOne(depth), [a]) => {
                let mut value = self.value(a)?;
                for _ in 0..*depth {
                    value = match value {
                        Value::List(all) => match all.into_iter().next() {
                            Some(first) => first,
                            None => return Ok(Value::Option(None)),
                        },
                        _ => return Ok(Value::Option(None)),
                    };
                }
                Ok(Value::Option(Some(Box::new(value))))
            }
            (Rule::Magnitude, [a]) => Ok(Value::f64(largest(&self.value(a)?))),
            (Rule::Partial(step), args) => {
                let args = self.values(args)?;
                partial(*step, args)
            }
            (rule, _) => unsupported(format!("the step {rule:?} of a derivative")),
        }
    }
}
