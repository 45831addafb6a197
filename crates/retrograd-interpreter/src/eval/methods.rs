//! Methods of values.

use retrograd_compiler::ir::{BinaryOp, Elementary, Expr, Known, Method, Syntax};

use super::complex;
use super::expr::compared;
use crate::elementary;
use crate::error::{Result, panics, unfit, unsupported};
use crate::machine::Machine;
use crate::memory::{View, len};
use crate::number::{Float, Int, Repr};
use crate::rewritten::variant;
use crate::value::Value;

impl<'m> Machine<'m> {
    pub(super) fn method(
        &mut self,
        receiver: &'m Expr,
        method: &'m Method,
        turbofish: Option<&'m [Syntax]>,
        args: &'m [Expr],
        e: &'m Expr,
    ) -> Result<Value> {
        let name = method.readable().to_string();
        if let Some(program) = self.program_of_method(receiver, &name)? {
            let mut all = vec![self.lent(receiver)?];
            all.extend(self.arguments(args)?);
            return self.call_function(program, all, e.span);
        }
        if let ("split_at" | "split_at_mut", Some(place)) = (name.as_str(), self.place_of(receiver)?) {
            let place = self.memory.follow(place)?;
            let (at, len) = (self.int(&args[0])?.index()?, self.memory.len(&place)?);
            if at > len {
                return panics("mid > len");
            }
            let halves = [self.memory.slice(&place, 0, at)?, self.memory.slice(&place, at, len)?];
            return Ok(Value::Tuple(halves.map(Value::Ref).to_vec()));
        }
        match method.known {
            // `o.copied()` of an `Option`, and steps of iterators.
            Some(Known::Iteration(step)) => {
                let value = self.lent(receiver)?;
                match self.memory.load(value.clone())? {
                    Value::Option(inner) => self.of_option(inner, &name, args),
                    _ => self.iteration(step, receiver, args),
                }
            }
            Some(Known::Sum) => {
                let items = self.items(receiver)?;
                let total = self.folded(items, BinaryOp::Add)?;
                self.typed_total(total, turbofish, e)
            }
            Some(Known::Product) => {
                let items = self.items(receiver)?;
                let total = self.folded(items, BinaryOp::Mul)?;
                self.typed_total(total, turbofish, e)
            }
            Some(Known::Collect) => {
                let items = self.items(receiver)?;
                Ok(Value::List(items.into_iter().map(|item| self.memory.load(item)).collect::<Result<_>>()?))
            }
            Some(Known::Shape) if name == "len" || name == "is_empty" => {
                let value = self.lent(receiver)?;
                let count = match &value {
                    Value::Ref(place) => {
                        let place = self.memory.follow(place.clone())?;
                        match self.memory.view(&place)? {
                            View::One(Value::Range(_)) => self.items(receiver)?.len(),
                            _ => self.memory.len(&place)?,
                        }
                    }
                    Value::Range(_) => self.items(receiver)?.len(),
                    value => len(value)?,
                };
                Ok(if name == "len" { Value::usize(count) } else { Value::Bool(count == 0) })
            }
            Some(Known::Form) => self.value(receiver),
            _ => {
                if matches!(
                    name.as_str(),
                    "any" | "all" | "position" | "find" | "count" | "fold" | "max_by" | "min_by" | "last"
                ) && receiver.is_iterator()
                {
                    return self.asked(receiver, &name, args);
                }
                let value = self.value(receiver)?;
                self.of_value(value, &name, args)
            }
        }
    }

    fn asked(&mut self, receiver: &'m Expr, name: &str, args: &'m [Expr]) -> Result<Value> {
        let items = self.items(receiver)?;
        match name {
            "count" => Ok(Value::usize(items.len())),
            "fold" => {
                let mut total = self.value(&args[0])?;
                for item in items {
                    total = self.apply(&args[1], vec![total, item])?;
                    total = self.memory.load(total)?;
                }
                Ok(total)
            }
            "last" => Ok(Value::Option(items.into_iter().last().map(Box::new))),
            "any" | "all" | "position" | "find" => {
                for (i, item) in items.into_iter().enumerate() {
                    match (self.holds(&args[0], item.clone())?, name) {
                        (true, "find") => return Ok(Value::Option(Some(Box::new(item)))),
                        (true, "any") => return Ok(Value::Bool(true)),
                        (false, "all") => return Ok(Value::Bool(false)),
                        (true, "position") => return Ok(Value::Option(Some(Box::new(Value::usize(i))))),
                        _ => {}
                    }
                }
                Ok(match name {
                    "any" => Value::Bool(false),
                    "all" => Value::Bool(true),
                    _ => Value::Option(None),
                })
            }
            other => unsupported(format!("`{other}` of an iterator")),
        }
    }

    fn typed_total(&mut self, total: Value, turbofish: Option<&[Syntax]>, e: &Expr) -> Result<Value> {
        let written = turbofish.and_then(|types| types.first()).and_then(|ty| syn::parse_str(ty.text()).ok());
        match (written, &e.ty) {
            (Some(ty), _) => self.coerced(total, &retrograd_compiler::signature::types::read(&ty)),
            (None, Some(ty)) => self.coerced(total, &ty.clone()),
            (None, None) => Ok(total),
        }
    }

    /// The receiver where it is, if it is a place.
    pub(crate) fn lent(&mut self, e: &'m Expr) -> Result<Value> {
        match self.place_of(e)? {
            Some(place) => Ok(Value::Ref(self.memory.follow(place)?)),
            None => self.eval(e),
        }
    }

    /// A method of a value that is at hand.
    fn of_value(&mut self, value: Value, name: &str, args: &'m [Expr]) -> Result<Value> {
        if let ("cmp" | "partial_cmp" | "total_cmp", [other]) = (name, args) {
            let ordering = compared(&value, &self.value(other)?)?.map(variant);
            return match (name, ordering) {
                ("partial_cmp", ordering) => Ok(Value::Option(ordering.map(Box::new))),
                (_, Some(ordering)) => Ok(ordering),
                (_, None) => unsupported(format!("`{name}` of NaN")),
            };
        }
        match value {
            Value::Float(x) => self.of_float(x, name, args),
            Value::Int(n) => self.of_int(n, name, args),
            Value::Bool(b) => match name {
                "then_some" => {
                    let value = self.value(&args[0])?;
                    Ok(Value::Option(b.then(|| Box::new(value))))
                }
                _ => unsupported(format!("the method `{name}` of a bool")),
            },
            Value::Option(inner) => self.of_option(inner, name, args),
            Value::List(all) => self.of_list(all, name, args),
            Value::Range(range) if name == "contains" => {
                let n = self.int(&args[0])?;
                let above = range.start.is_none_or(|start| start.value <= n.value);
                let below = range.end.is_none_or(|end| n.value < end.value + i128::from(range.inclusive));
                Ok(Value::Bool(above && below))
            }
            Value::Slots(slots) if name == "contains_key" => {
                let key = self.value(&args[0])?;
                Ok(Value::Bool(slots.contains(&key)?))
            }
            Value::Struct(ordering, _) if name == "reverse" && ["Less", "Equal", "Greater"].contains(&&*ordering) => {
                Ok(Value::Struct(
                    match &*ordering {
                        "Less" => "Greater".into(),
                        "Greater" => "Less".into(),
                        _ => ordering,
                    },
                    Vec::new(),
                ))
            }
            Value::Stack(all) if name == "is_empty" => Ok(Value::Bool(all.is_empty())),
            other => match complex::method(&other, name) {
                Some(value) => value,
                None => unsupported(format!("the method `{name}` of {}", other.kind())),
            },
        }
    }

    fn of_float(&mut self, x: Float, name: &str, args: &'m [Expr]) -> Result<Value> {
        match name {
            "powi" => {
                let n = self.int(&args[0])?;
                return Ok(Value::Float(elementary::powi(x, n.value as i32)?));
            }
            "sin_cos" => {
                let both = [Elementary::Sin, Elementary::Cos].map(|f| elementary::apply(f, &[x]).map(Value::Float));
                return Ok(Value::Tuple(both.into_iter().collect::<Result<_>>()?));
            }
            "is_nan" => return Ok(Value::Bool(x.value().is_nan())),
            "is_finite" => return Ok(Value::Bool(x.value().is_finite())),
            "is_sign_negative" => return Ok(Value::Bool(x.value().is_sign_negative())),
            "to_f64" => return Ok(Value::Float(Float { repr: Repr::F64(x.value()), tangent: x.tangent })),
            "to_bits" => {
                return Ok(match x.repr {
                    Repr::Fixed(_, bits) => Value::i64(bits),
                    Repr::F32(x) => {
                        Value::Int(Int { kind: crate::number::IntKind::by_name("u32"), value: x.to_bits().into() })
                    }
                    _ => Value::Int(Int {
                        kind: crate::number::IntKind::by_name("u64"),
                        value: x.value().to_bits().into(),
                    }),
                });
            }
            "spread" => return Ok(Value::Float(x)),
            _ => {}
        }
        let Some(function) = Elementary::by_name(name) else {
            return unsupported(format!("the method `{name}` of a number"));
        };
        let mut all = vec![x];
        for arg in args {
            all.push(self.float(arg)?);
        }
        Ok(Value::Float(elementary::apply(function, &all)?))
    }

    fn of_int(&mut self, n: Int, name: &str, args: &'m [Expr]) -> Result<Value> {
        let mut others = Vec::new();
        for arg in args {
            others.push(self.int(arg)?);
        }
        let other = others.first().copied().unwrap_or(n);
        let kind = n.kind.or(match name {
            "pow" => None,
            _ => other.kind,
        });
        let typed = Int { kind, value: n.value };
        let (least, most) = kind.map_or((i128::MIN, i128::MAX), |kind| kind.range());
        let wrapped = |value: i128| Value::Int(Int { kind, value: kind.map_or(value, |kind| kind.wrap(value)) });
        let (x, y) = (n.value, other.value);
        Ok(match name {
            "rem_euclid" if y == 0 => return panics("attempt to calculate the remainder with a divisor of zero"),
            "rem_euclid" => Value::Int(Int { value: x.rem_euclid(y), ..typed }),
            "div_euclid" if y == 0 => return panics("attempt to divide by zero"),
            "div_euclid" => Value::Int(Int { value: x.div_euclid(y), ..typed }),
            "pow" => Value::Int(typed.fitted(u32::try_from(y).ok().and_then(|y| x.checked_pow(y)), "multiply")?),
            "abs" => Value::Int(typed.fitted(x.checked_abs(), "negate")?),
            "signum" => Value::Int(Int { value: x.signum(), ..typed }),
            "max" => Value::Int(Int { value: x.max(y), ..typed }),
            "min" => Value::Int(Int { value: x.min(y), ..typed }),
            "clamp" => Value::Int(Int { value: x.clamp(y, others[1].value), ..typed }),
            "abs_diff" => Value::Int(Int { value: x.abs_diff(y) as i128, ..typed }),
            "isqrt" => Value::Int(Int { value: x.isqrt(), ..typed }),
            "wrapping_add" => wrapped(x.wrapping_add(y)),
            "wrapping_sub" => wrapped(x.wrapping_sub(y)),
            "wrapping_mul" => wrapped(x.wrapping_mul(y)),
            "saturating_add" => Value::Int(Int { value: x.saturating_add(y).clamp(least, most), ..typed }),
            "saturating_sub" => Value::Int(Int { value: x.saturating_sub(y).clamp(least, most), ..typed }),
            "is_multiple_of" => Value::Bool(if y == 0 { x == 0 } else { x % y == 0 }),
            "is_power_of_two" => Value::Bool(x > 0 && x & (x - 1) == 0),
            "count_ones" => {
                Value::Int(Int { kind: crate::number::IntKind::by_name("u32"), value: x.count_ones().into() })
            }
            "ilog2" => match u32::try_from(x.checked_ilog2().map_or(-1, i128::from)) {
                Ok(value) => Value::Int(Int { kind: crate::number::IntKind::by_name("u32"), value: value.into() }),
                Err(_) => return panics("argument of integer logarithm must be positive"),
            },
            "reverse_bits" => {
                let bits = kind.map_or(128, |kind| kind.bits);
                wrapped(((x as u128).reverse_bits() >> (128 - bits)) as i128)
            }
            "trailing_zeros" => {
                let bits = kind.map_or(128, |kind| kind.bits);
                let zeros = if x == 0 { bits } else { x.trailing_zeros() };
                Value::Int(Int { kind: crate::number::IntKind::by_name("u32"), value: zeros.into() })
            }
            _ => return unsupported(format!("the method `{name}` of an integer")),
        })
    }

    fn of_option(&mut self, inner: Option<Box<Value>>, name: &str, args: &'m [Expr]) -> Result<Value> {
        match (name, inner) {
            ("is_some", inner) => Ok(Value::Bool(inner.is_some())),
            ("is_none", inner) => Ok(Value::Bool(inner.is_none())),
            ("copied" | "cloned" | "as_ref" | "as_deref" | "iter", inner) => Ok(Value::Option(inner)),
            ("unwrap" | "expect" | "unwrap_or" | "unwrap_or_default", Some(value)) => Ok(*value),
            ("unwrap", None) => panics("called `Option::unwrap()` on a `None` value"),
            ("unwrap_or", None) => self.value(&args[0]),
            ("map", Some(value)) => {
                let value = self.apply(&args[0], vec![*value])?;
                Ok(Value::Option(Some(Box::new(self.memory.load(value)?))))
            }
            ("map", None) => Ok(Value::Option(None)),
            (name, _) => unsupported(format!("the method `{name}` of an Option")),
        }
    }

    fn of_list(&mut self, all: Vec<Value>, name: &str, args: &'m [Expr]) -> Result<Value> {
        match name {
            "first" => Ok(Value::Option(all.into_iter().next().map(Box::new))),
            "last" => Ok(Value::Option(all.into_iter().last().map(Box::new))),
            "get" => match self.value(&args[0])? {
                Value::Int(int) => Ok(Value::Option(all.get(int.index()?).cloned().map(Box::new))),
                other => unsupported(format!("`get` of {}", other.kind())),
            },
            "contains" => {
                let wanted = self.value(&args[0])?;
                for value in &all {
                    if compared(value, &wanted)? == Some(std::cmp::Ordering::Equal) {
                        return Ok(Value::Bool(true));
                    }
                }
                Ok(Value::Bool(false))
            }
            "as_slice" | "as_ref" => Ok(Value::List(all)),
            "concat" => {
                let mut joined = Vec::new();
                for value in all {
                    match self.memory.load(value)? {
                        Value::List(inner) => joined.extend(inner),
                        other => return unfit(format!("{} is no list", other.kind())),
                    }
                }
                Ok(Value::List(joined))
            }
            other => unsupported(format!("the method `{other}` of a list")),
        }
    }
}
