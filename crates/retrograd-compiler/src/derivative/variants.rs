//! Parts of what is not always there: of an `Option`, and of enums.
//!
//! The shadow of such a value is of the same variant. The part of it that belongs to a part of the value is reached by an index, which
//! says the variant and the field by their names:
//!
//! ```text
//! match o { Some(s) => y += s * x, .. }        grad_o[Part::<SOME, 0>] += grad_y * x;
//! ```

use std::rc::Rc;

use super::Shadows;
use crate::analysis::types;
use crate::ir::{
    Expr, ExprKind, Known, Member, Mode, Path, Pattern, Place, Projection, Rule, Type, Var, VarId, VarKind,
};
use crate::span::Span;

/// Whether a path names a variant, as far as names tell: `Some`, `Shape::Circle`.
pub(crate) fn is_variant(path: &Path) -> bool {
    path.is_constructor() && (*path.last() == "Some" || path.is_associated())
}

/// The step from a value to a part of the variant that it is.
pub(super) fn step_into(variant: &Path, member: &Member, span: Span) -> Projection {
    step(variant.last().to_string(), member, span)
}

fn step(variant: String, member: &Member, span: Span) -> Projection {
    let member = match member {
        Member::Named(name) => name.to_string(),
        Member::Index(index) => index.to_string(),
    };
    Projection::Index(Expr::rule(Rule::Part { variant, member }, Vec::new(), span))
}

impl Shadows<'_> {
    /// `o.unwrap()` as a part of `o`, and `o.unwrap_or(e)` as a choice between that and `e`.
    pub(super) fn unwrapped(&self, e: &Expr) -> Option<Expr> {
        let ExprKind::Method { receiver, method, args, .. } = &e.kind else { return None };
        if method.known != Some(Known::Unwrap) || !self.active(receiver) && !args.iter().any(|arg| self.active(arg)) {
            return None;
        }
        // What an `Option` of references refers to is no part of it.
        let refers = receiver.is_copied_option() && receiver.children()[0].is_place();
        let whole = if refers { receiver } else { receiver.looked_at() };
        let Projection::Index(index) = step("Some".into(), &Member::Index(0), e.span) else { return None };
        let part = Expr::new(ExprKind::Index(Rc::new(whole.clone()), Rc::new(index)), e.span);
        let otherwise = match args.as_slice() {
            [Expr { kind: ExprKind::Closure { params, body }, .. }] if params.is_empty() => (**body).clone(),
            [otherwise] if method.name == "unwrap_or" => otherwise.clone(),
            _ => return Some(part),
        };
        let condition = Rc::new(Expr::method(whole.clone(), "is_some", Vec::new()));
        let kind = ExprKind::If { condition, then: Rc::new(part), otherwise: Rc::new(otherwise) };
        Some(Expr::new(kind, e.span))
    }

    /// Reports `x.first()`, `x.get(i)` and their kin of what is visibly a slice or a vector: they give a reference, or nothing.
    pub(super) fn missing_element(&self, e: &Expr) -> bool {
        let ExprKind::Method { receiver, method, .. } = &e.kind else { return false };
        let name = method.name.to_string();
        let instead = match name.as_str() {
            "first" => "`x[0]`, and ask `x.is_empty()` where there may be none",
            "last" => "`x[x.len() - 1]`, and ask `x.is_empty()` where there may be none",
            "get" => "`x[i]`, and ask `i < x.len()` where there may be none",
            "split_first" | "split_last" => {
                "`x[0]`, `&x[1..]` or `x[x.len() - 1]`, and ask `x.is_empty()` where there may be none"
            }
            _ => return false,
        };
        let of_list = receiver.as_place().is_some_and(|place| {
            let place = self.resolved(&place);
            let is_vector = place.path.is_empty() && self.vars[place.root.0].vector;
            is_vector || types::of_place(&self.vars, &place).is_some_and(Type::is_list)
        });
        if of_list {
            self.missing(
                e.span,
                format!("no derivative is known through `{name}`, which gives a reference or nothing; write {instead}"),
            );
        }
        of_list
    }

    /// Reports a part of a variant that is handed on by its bare name, where that is a mutable reference.
    pub(crate) fn hand_on(&self, var: VarId, span: Span) {
        let Var { kind: VarKind::Part(whole), written, .. } = &self.vars[var.0] else { return };
        let changed = matches!(self.vars[whole.root.0].kind, VarKind::Param(Mode::Change));
        let is_variant = |step: &Projection| matches!(step, Projection::Index(index) if is_part(index));
        let of_variant = self.aliases.get(&var).is_some_and(|place| place.path.iter().any(is_variant));
        if changed && of_variant && whole.path.first() != Some(&Projection::Deref) {
            let message = format!(
                "`{written}` is a part of what is matched, and the call may change it; pass `&*{written}` to have it read, or change \
                 it outside of the `match`"
            );
            self.missing(span, message);
        }
    }

    /// Reports a statement that needs two parts of one variant at once, to change one of them: their shadows cannot be borrowed side by
    /// side.
    pub(crate) fn side_by_side<'p>(&self, places: impl IntoIterator<Item = &'p Place>, span: Span) {
        let is_step = |step: &Projection| matches!(step, Projection::Index(index) if is_part(index));
        // A value, the part of it that is used, and the step behind that: elements of one part can be borrowed side by side.
        let used = places.into_iter().filter_map(|place| {
            let Place { root, path, .. } = self.resolved(place);
            let part = path.iter().position(is_step)?;
            let is_element = matches!(path.get(part + 1), Some(Projection::Index(_)));
            Some((root, path[..part].to_vec(), is_element.then(|| path[part].clone())))
        });
        let used: Vec<_> = used.collect();
        let clash = used.iter().enumerate().any(|(i, (root, whole, elements))| {
            let same = |(other, of, others): &&(VarId, Vec<Projection>, Option<Projection>)| {
                other == root && of == whole && (elements.is_none() || others != elements)
            };
            used[..i].iter().any(|other| same(&other))
        });
        if clash {
            self.missing(
                span,
                "two parts of one variant are used together here, to change one of them, and their derivatives cannot be borrowed at the same \
                 time; keep them in one field of the variant, such as an array, and change the elements of that",
            );
        }
    }

    /// Makes the names in a variant names for its parts; whether that is possible.
    pub(super) fn alias_variant(&mut self, path: &Path, parts: &[Pattern], place: &Place, irrefutable: bool) -> bool {
        let rest = parts.iter().position(super::patterns::is_rest).unwrap_or(parts.len());
        parts.iter().enumerate().all(|(i, part)| {
            if i >= rest {
                if !self.binds_nothing_active(part) {
                    self.uncounted(&parts[rest], "variant");
                }
                return true;
            }
            let step = step_into(path, &Member::Index(i), part.span);
            self.alias_pattern(part, &place.clone().then(step), irrefutable)
        })
    }
}

/// Whether an index is that of a part of a variant.
pub(super) fn is_part(index: &Expr) -> bool {
    matches!(index.kind, ExprKind::Rule(Rule::Part { .. }, _))
}
