//! Patterns.

use std::cmp::Ordering;

use retrograd_compiler::ir::{Member, Pattern, PatternKind};

use super::expr::compared;
use crate::error::{Result, unfit, unsupported};
use crate::machine::Machine;
use crate::number::{Float, Int, IntKind};
use crate::value::Value;

impl<'m> Machine<'m> {
    /// Whether a value fits a pattern; then its names are bound.
    pub(crate) fn matches(&mut self, pattern: &'m Pattern, value: Value) -> Result<bool> {
        match &pattern.kind {
            PatternKind::Wild | PatternKind::Rest => Ok(true),
            PatternKind::Bind { var, sub, .. } => {
                if let Some(sub) = sub
                    && !self.matches(sub, value.clone())?
                {
                    return Ok(false);
                }
                self.set(*var, value);
                Ok(true)
            }
            PatternKind::Constant(syntax) => {
                let value = self.memory.load(value)?;
                let pattern = syn::parse2::<syn::Expr>(syntax.tokens().clone());
                match pattern {
                    Ok(constant) => self.is_constant(&constant, &value),
                    Err(_) => unsupported(format!("the pattern `{}`", syntax.text())),
                }
            }
            PatternKind::Ref(inner) => {
                let value = self.memory.load(value)?;
                self.matches(inner, value)
            }
            PatternKind::Tuple(parts) | PatternKind::Slice(parts) => {
                let all = self.parts(value)?;
                self.match_parts(parts, all)
            }
            PatternKind::TupleStruct(path, parts) => {
                let name = path.last().to_string();
                match self.variant(&value)? {
                    Some(own) if own == name => {
                        let all = self.parts(value)?;
                        self.match_parts(parts, all)
                    }
                    _ => Ok(false),
                }
            }
            PatternKind::Struct { path, fields, .. } => {
                let name = path.last().to_string();
                if name != "Self" && self.variant(&value)?.is_some_and(|own| own != name) {
                    return Ok(false);
                }
                let Value::Struct(_, own) = self.memory.load(value.clone())? else {
                    return unfit("a struct pattern is for structs");
                };
                let all = self.parts(value)?;
                for field in fields {
                    let name = match &field.member {
                        Member::Named(name) => name.to_string(),
                        Member::Index(i) => i.to_string(),
                    };
                    let Some(at) = own.iter().position(|(own, _)| **own == *name) else {
                        return unfit(format!("there is no field `{name}`"));
                    };
                    if !self.matches(&field.pattern, all[at].clone())? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            PatternKind::Or(all) => {
                for pattern in all {
                    if self.matches(pattern, value.clone())? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// The name of the variant or the struct that a value is.
    fn variant(&self, value: &Value) -> Result<Option<String>> {
        Ok(match self.memory.load(value.clone())? {
            Value::Option(Some(_)) => Some("Some".into()),
            Value::Option(None) => Some("None".into()),
            Value::Struct(name, _) => Some(name.to_string()),
            _ => None,
        })
    }

    /// The parts of a value, as references if it is one.
    pub(crate) fn parts(&self, value: Value) -> Result<Vec<Value>> {
        match value {
            Value::Ref(place) => {
                let place = self.memory.follow(place)?;
                let len = self.memory.len(&place)?;
                (0..len).map(|i| self.memory.part(&place, i).map(Value::Ref)).collect()
            }
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => Ok(all),
            Value::Struct(_, fields) => Ok(fields.into_iter().map(|(_, value)| value).collect()),
            Value::Option(Some(value)) => Ok(vec![*value]),
            Value::Unit => Ok(Vec::new()),
            other => unfit(format!("{} has no parts", other.kind())),
        }
    }

    fn match_parts(&mut self, patterns: &'m [Pattern], values: Vec<Value>) -> Result<bool> {
        let rest = patterns.iter().position(|pattern| matches!(pattern.kind, PatternKind::Rest));
        let fits = match rest {
            Some(_) => values.len() + 1 >= patterns.len(),
            None => values.len() == patterns.len(),
        };
        if !fits {
            return Ok(false);
        }
        let behind = rest.map_or(0, |at| patterns.len() - at - 1);
        for (i, pattern) in patterns.iter().enumerate() {
            let value = match rest {
                Some(at) if i == at => continue,
                Some(at) if i > at => &values[values.len() - behind + (i - at - 1)],
                _ => &values[i],
            };
            if !self.matches(pattern, value.clone())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_constant(&mut self, constant: &syn::Expr, value: &Value) -> Result<bool> {
        if let syn::Expr::Range(range) = constant {
            let above = match &range.start {
                Some(start) => {
                    let start = self.constant(start)?;
                    matches!(compared(value, &start)?, Some(Ordering::Greater | Ordering::Equal))
                }
                None => true,
            };
            let below = match &range.end {
                Some(end) => {
                    let (end, closed) = (self.constant(end)?, matches!(range.limits, syn::RangeLimits::Closed(_)));
                    match compared(value, &end)? {
                        Some(Ordering::Less) => true,
                        Some(Ordering::Equal) => closed,
                        _ => false,
                    }
                }
                None => true,
            };
            return Ok(above && below);
        }
        if let (syn::Expr::Path(path), Value::Option(_) | Value::Struct(..)) = (constant, value) {
            let name = path.path.segments.last().map(|segment| segment.ident.to_string());
            return Ok(self.variant(value)? == name);
        }
        let constant = self.constant(constant)?;
        Ok(compared(value, &constant)? == Some(Ordering::Equal))
    }

    fn constant(&mut self, constant: &syn::Expr) -> Result<Value> {
        Ok(match constant {
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Int(int) => {
                    let Ok(value) = int.base10_parse() else { return unsupported("so large an integer") };
                    Value::Int(Int { kind: IntKind::by_name(int.suffix()), value })
                }
                syn::Lit::Float(float) => {
                    let Ok(value) = float.base10_parse() else { return unsupported("such a float") };
                    Value::Float(Float::open(value))
                }
                syn::Lit::Bool(b) => Value::Bool(b.value),
                syn::Lit::Str(text) => Value::Text(text.value().into()),
                _ => return unsupported("such a literal in a pattern"),
            },
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => match self.constant(expr)? {
                Value::Int(int) => Value::Int(Int { value: -int.value, ..int }),
                Value::Float(float) => Value::Float(float.negated()),
                other => return unfit(format!("{} has no negative", other.kind())),
            },
            syn::Expr::Path(path) => match path.path.segments.last() {
                Some(segment) => self.named_constant(&segment.ident.to_string())?,
                None => return unsupported("such a path in a pattern"),
            },
            _ => return unsupported("such a pattern"),
        })
    }
}
