//! Names that a pattern takes out of a place, as names for its parts: what flows into them flows there.

use std::rc::Rc;

use super::Shadows;
use super::variants::{is_variant, step_into};
use crate::analysis::types;
use crate::ir::{BinaryOp, Expr, ExprKind, Member, Pattern, PatternKind, Place, Projection, TypeKind};
use crate::print;

impl Shadows<'_> {
    /// Makes the names in a pattern names for the parts of a place; whether that is possible. A tuple struct has its parts in any
    /// case if the pattern is `irrefutable`; in another one, it may be a variant.
    pub(crate) fn alias_pattern(&mut self, pattern: &Pattern, place: &Place, irrefutable: bool) -> bool {
        match &pattern.kind {
            PatternKind::Wild | PatternKind::Constant(_) => true,
            PatternKind::Bind { var, sub, .. } => {
                self.aliases.insert(*var, place.clone());
                sub.as_ref().is_none_or(|sub| self.alias_pattern(sub, place, irrefutable))
            }
            PatternKind::Ref(inner) => self.alias_pattern(inner, place, irrefutable),
            PatternKind::Tuple(parts) => self.alias_tuple(parts, place, irrefutable),
            PatternKind::Slice(parts) => self.alias_slice(parts, place, irrefutable),
            PatternKind::Struct { path, fields, .. } => fields.iter().all(|f| {
                let step = match is_variant(path) {
                    true => step_into(path, &f.member, pattern.span),
                    false => Projection::Field(f.member.clone()),
                };
                self.alias_pattern(&f.pattern, &place.clone().then(step), irrefutable)
            }),
            PatternKind::TupleStruct(path, parts) if is_variant(path) => {
                self.alias_variant(path, parts, place, irrefutable)
            }
            PatternKind::TupleStruct(_, parts) if irrefutable => self.alias_tuple(parts, place, irrefutable),
            PatternKind::Rest | PatternKind::TupleStruct(..) | PatternKind::Or(_) => self.binds_nothing_active(pattern),
        }
    }

    /// Reports a pattern through which no derivative is known, on the part of it that is to blame.
    pub(crate) fn missing_pattern(&self, pattern: &Pattern, instead: &str) {
        let refused = refused(pattern).unwrap_or(pattern);
        let written = print::pattern(&self.vars, refused);
        self.missing(refused.span, format!("no derivative is known through the pattern `{written}`; {instead}"));
    }

    pub(super) fn binds_nothing_active(&self, pattern: &Pattern) -> bool {
        pattern.bindings().iter().all(|var| !self.is_active(*var))
    }

    /// What stands behind `..` is counted from the end of the tuple, as far as its type is written.
    fn alias_tuple(&mut self, parts: &[Pattern], place: &Place, irrefutable: bool) -> bool {
        let rest = parts.iter().position(is_rest).unwrap_or(parts.len());
        let length = self.tuple_length(place);
        parts.iter().enumerate().filter(|(i, _)| *i != rest).all(|(i, part)| {
            let position =
                if i < rest { Some(i) } else { length.and_then(|length| (length + i).checked_sub(parts.len())) };
            match position {
                Some(position) => {
                    let member = Projection::Field(Member::Index(position));
                    self.alias_pattern(part, &place.clone().then(member), irrefutable)
                }
                None => {
                    if !self.binds_nothing_active(part) {
                        self.uncounted(&parts[rest], "tuple");
                    }
                    true
                }
            }
        })
    }

    /// Reports a `..` with something active after it, where nobody knows how many parts it stands for.
    pub(super) fn uncounted(&self, rest: &Pattern, whole: &str) {
        self.missing(
            rest.span,
            format!(
                "how many parts of the {whole} `..` stands for is not written here, so it is not known which part comes after it, and with it \
                 which derivative; write `_` for each of them"
            ),
        );
    }

    /// What stands behind `..` is counted from the end of the slice.
    fn alias_slice(&mut self, parts: &[Pattern], place: &Place, irrefutable: bool) -> bool {
        let (rest, span) = (parts.iter().position(is_rest).unwrap_or(parts.len()), place.span);
        let from_end = |k: usize| {
            Expr::binary(BinaryOp::Sub, Expr::method(place.to_expr(), "len", Vec::new()), Expr::integer(k, span))
        };
        parts.iter().enumerate().all(|(i, part)| {
            let index = match &part.kind {
                PatternKind::Bind { .. } if i == rest => {
                    let behind = parts.len() - rest - 1;
                    let end = (behind > 0).then(|| Rc::new(from_end(behind)));
                    let start = Some(Rc::new(Expr::integer(rest, span)));
                    Expr::new(ExprKind::Range { start, end, inclusive: false }, span)
                }
                _ if i <= rest => Expr::integer(i, span),
                _ => from_end(parts.len() - i),
            };
            self.alias_pattern(part, &place.clone().then(Projection::Index(index)), irrefutable)
        })
    }

    /// How many parts a tuple has, if its type is written.
    fn tuple_length(&self, place: &Place) -> Option<usize> {
        let place = self.resolved(place);
        match &types::of_place(&self.vars, &place)?.kind {
            TypeKind::Tuple(all) => Some(all.len()),
            _ => None,
        }
    }

    /// The pattern of the shadows, for a pattern of values.
    pub(crate) fn shadow_pattern(&mut self, pattern: &Pattern) -> Option<Pattern> {
        let kind = match &pattern.kind {
            PatternKind::Bind { var, sub: None, .. } if self.is_active(*var) => {
                PatternKind::Bind { var: self.shadow(*var), by_ref: false, sub: None }
            }
            PatternKind::Wild | PatternKind::Bind { sub: None, .. } => PatternKind::Wild,
            PatternKind::Rest => PatternKind::Rest,
            PatternKind::Tuple(parts) => {
                PatternKind::Tuple(parts.iter().map(|p| self.shadow_pattern(p)).collect::<Option<_>>()?)
            }
            PatternKind::Slice(parts) => {
                PatternKind::Slice(parts.iter().map(|p| self.shadow_pattern(p)).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Pattern { kind, span: pattern.span })
    }
}

/// The first part of a pattern that is more than a name, or names in a tuple or a slice.
fn refused(pattern: &Pattern) -> Option<&Pattern> {
    match &pattern.kind {
        PatternKind::TupleStruct(path, parts) if is_variant(path) => parts.iter().find_map(refused),
        PatternKind::Tuple(parts) | PatternKind::Slice(parts) => parts.iter().find_map(refused),
        PatternKind::Ref(inner) => refused(inner),
        PatternKind::Struct { fields, .. } => fields.iter().find_map(|field| refused(&field.pattern)).or(Some(pattern)),
        PatternKind::TupleStruct(..) | PatternKind::Or(_) | PatternKind::Bind { sub: Some(_), .. } => Some(pattern),
        PatternKind::Bind { sub: None, .. } | PatternKind::Wild | PatternKind::Rest | PatternKind::Constant(_) => None,
    }
}

/// `..` or `x @ ..`
pub(super) fn is_rest(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Rest => true,
        PatternKind::Bind { sub: Some(sub), .. } => sub.kind == PatternKind::Rest,
        _ => false,
    }
}

/// The patterns of all parts of a tuple or array of the given length, with a `_` for each part that `..` stands for.
pub(super) fn spelled_out(parts: &[Pattern], length: usize) -> Vec<Pattern> {
    let Some(rest) = parts.iter().position(|part| part.kind == PatternKind::Rest) else { return parts.to_vec() };
    let wild = Pattern { kind: PatternKind::Wild, span: parts[rest].span };
    let hidden = std::iter::repeat_n(wild, (length + 1).saturating_sub(parts.len()));
    parts[..rest].iter().cloned().chain(hidden).chain(parts[rest + 1..].iter().cloned()).collect()
}
