//! `match` on integers, `bool` and tuples of them: a chain of conditions.

use super::expr::Value;
use super::types::{Int, Ty};
use super::{Emitter, Written, refuse};
use crate::ir::{Expr, Match, MatchArm, Pattern, PatternKind};
use crate::span::Span;

impl Emitter<'_> {
    pub(super) fn match_stmt(&mut self, s: &Match) -> Written<()> {
        let scrutinee = self.expr(&s.scrutinee, None)?;
        let matched = self.names.fresh("matched");
        self.put(&format!("{{ {} {matched} = {};", scrutinee.ty, scrutinee.text));
        for (i, arm) in s.arms.iter().enumerate() {
            let otherwise = if i == 0 { "" } else { "} else " };
            let condition = self.condition(&arm.pattern, &matched, &scrutinee.ty)?;
            if let Some(var) = arm.pattern.as_var() {
                // A name for the value is another name for what is matched.
                self.put(&format!("{otherwise}{{ {} {} = {matched};", scrutinee.ty, self.names.of_var(var)));
                self.declare(var, scrutinee.ty.clone());
                if arm.guard.is_some() || i + 1 < s.arms.len() {
                    return refuse(arm.pattern.span, "on devices an arm with a name is the last, without a guard");
                }
            } else {
                let guard = arm.guard.as_ref().map(|guard| self.expr(guard, Some(&Ty::Bool))).transpose()?;
                let guard = guard.map(|guard| format!(" && {}", guard.text)).unwrap_or_default();
                self.put(&format!("{otherwise}if ({condition}{guard}) {{"));
            }
            self.branch(&arm.body)?;
        }
        self.put(if s.arms.is_empty() { "}" } else { "} }" });
        Ok(())
    }

    /// `match v { p => a, .. }`; its last arm is what is left.
    pub(super) fn match_value(
        &self,
        scrutinee: &Expr,
        arms: &[MatchArm],
        span: Span,
        expected: Option<&Ty>,
    ) -> Written<Value> {
        let scrutinee = self.expr(scrutinee, None)?;
        let [others @ .., last] = arms else { return refuse(span, "devices know no `match` without arms") };
        let binds = arms.iter().any(|arm| !arm.pattern.bindings().is_empty());
        if binds || last.guard.is_some() {
            return refuse(
                span,
                "on devices a `match` with a value has no names in its patterns, and no guard at the end",
            );
        }
        let known = arms.iter().find_map(|arm| self.expr(&arm.value, expected).ok()).map(|value| value.ty);
        let mut value = self.expr(&last.value, known.as_ref())?;
        for arm in others.iter().rev() {
            let condition = self.condition(&arm.pattern, &scrutinee.text, &scrutinee.ty)?;
            let guard = arm.guard.as_ref().map(|guard| self.expr(guard, Some(&Ty::Bool))).transpose()?;
            let guard = guard.map(|guard| format!(" && {}", guard.text)).unwrap_or_default();
            let then = self.expr(&arm.value, Some(&value.ty))?;
            value = Value::new(format!("({condition}{guard} ? {} : {})", then.text, value.text), value.ty);
        }
        Ok(value)
    }

    /// Whether a value is one of a pattern.
    fn condition(&self, pattern: &Pattern, value: &str, ty: &Ty) -> Written<String> {
        let all = |patterns: &[Pattern], with: &str| {
            let parts = patterns.iter().map(|p| self.condition(p, value, ty)).collect::<Written<Vec<String>>>()?;
            Ok(format!("({})", parts.join(with)))
        };
        match (&pattern.kind, ty) {
            (PatternKind::Wild, _) | (PatternKind::Bind { sub: None, .. }, _) => Ok("true".to_string()),
            (PatternKind::Or(patterns), _) => all(patterns, " || "),
            (PatternKind::Ref(inner), _) => self.condition(inner, value, ty),
            (PatternKind::Tuple(parts), Ty::Tuple(types)) if parts.len() == types.len() => {
                let parts = parts.iter().zip(types).enumerate();
                let conditions = parts.map(|(i, (part, ty))| self.condition(part, &format!("{value}._{i}"), ty));
                Ok(format!("({})", conditions.collect::<Written<Vec<String>>>()?.join(" && ")))
            }
            (PatternKind::Constant(constant), Ty::Int(int)) => match range(constant.text(), *int) {
                Some(Range { first, last }) => {
                    let first = first.map(|first| format!("{value} >= {first}"));
                    let last = last.map(|last| format!("{value} <= {last}"));
                    let both: Vec<String> = first.into_iter().chain(last).collect();
                    Ok(if both.is_empty() { "true".to_string() } else { format!("({})", both.join(" && ")) })
                }
                None => refuse(pattern.span, "devices match integers and ranges of them, written as numbers"),
            },
            (PatternKind::Constant(constant), Ty::Bool) => match constant.text() {
                "true" => Ok(value.to_string()),
                "false" => Ok(format!("!{value}")),
                _ => refuse(pattern.span, "devices match `true` and `false`"),
            },
            _ => refuse(pattern.span, "devices match integers, `bool` and tuples of them only"),
        }
    }
}

/// The first and the last of some integers.
struct Range {
    first: Option<String>,
    last: Option<String>,
}

fn range(text: &str, int: Int) -> Option<Range> {
    let integer = |text: &str| {
        let text = text.trim();
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits.trim()),
            None => (1, text),
        };
        let value: i128 = syn::parse_str::<syn::LitInt>(digits).ok()?.base10_parse().ok()?;
        Some(sign * value)
    };
    // In two's complement, so that the smallest of a type can be written.
    let literal = |value: i128| format!("(({int}){}u)", value as u64);
    let end = |text: &str| if text.trim().is_empty() { Some(None) } else { integer(text).map(Some) };
    let (first, last) = if let Some((first, last)) = text.split_once("..=") {
        (end(first)?, end(last)?)
    } else if let Some((first, last)) = text.split_once("..") {
        (end(first)?, end(last)?.map(|last| last - 1))
    } else {
        let value = integer(text)?;
        (Some(value), Some(value))
    };
    // Nothing is below zero.
    if !int.signed && last.is_some_and(|last| last < 0) {
        return None;
    }
    Some(Range { first: first.map(literal), last: last.map(literal) })
}
