//! Patterns.

use syn::Pat;

use super::Parser;
use super::path::{member, path};
use crate::ir::{FieldPattern, Pattern, PatternKind, Syntax, Type, VarKind};
use crate::signature::types;
use crate::span::Span;

impl Parser<'_> {
    /// Reads the pattern of an arm, in which an upper-case name is a constant or a variant.
    pub(super) fn arm_pattern(&mut self, pat: &Pat, kind: &VarKind) -> Option<Pattern> {
        self.refutable = true;
        let pattern = self.pattern(pat, None, kind);
        self.refutable = false;
        pattern
    }

    /// Reads a pattern; every name in it becomes a variable of the given kind.
    pub(super) fn pattern(&mut self, pat: &Pat, ty: Option<&Type>, kind: &VarKind) -> Option<Pattern> {
        let span = Span::of(pat);
        self.no_attributes(attributes(pat));
        let all = |parser: &mut Self, elems: Vec<&Pat>| -> Option<Vec<Pattern>> {
            elems.into_iter().map(|p| parser.pattern(p, None, kind)).collect()
        };
        let kind = match pat {
            Pat::Wild(_) => PatternKind::Wild,
            Pat::Rest(_) => PatternKind::Rest,
            Pat::Ident(p) if self.refutable && is_constant(&p.ident.to_string()) && p.subpat.is_none() => {
                PatternKind::Constant(Syntax::of(pat))
            }
            Pat::Ident(p) => {
                if self.refutable {
                    self.names.doubt(&p.ident);
                }
                if p.mutability.is_some() {
                    let message = match p.by_ref {
                        Some(_) => format!(
                            "`ref mut {0}` hides a mutable reference under another name; change the place itself, or make a view: \
                             `let {0} = &mut x[a..b];`",
                            p.ident
                        ),
                        None => format!(
                            "`mut {0}` inside a pattern cannot be undone part by part; bind each ancilla with a `let mut` of its \
                             own",
                            p.ident
                        ),
                    };
                    self.error(span, message);
                    self.names.declare(&p.ident, ty.cloned(), VarKind::Ancilla);
                    return None;
                }
                let sub = match &p.subpat {
                    Some((_, sub)) => Some(Box::new(self.pattern(sub, None, kind)?)),
                    None => None,
                };
                let var = self.names.declare(&p.ident, ty.cloned(), kind.clone());
                PatternKind::Bind { var, by_ref: p.by_ref.is_some(), sub }
            }
            Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Const(_) => PatternKind::Constant(Syntax::of(pat)),
            Pat::Tuple(p) => PatternKind::Tuple(all(self, p.elems.iter().collect())?),
            Pat::Slice(p) => PatternKind::Slice(all(self, p.elems.iter().collect())?),
            Pat::TupleStruct(p) => PatternKind::TupleStruct(path(&p.path), all(self, p.elems.iter().collect())?),
            Pat::Struct(p) => {
                let fields = p
                    .fields
                    .iter()
                    .map(|field| {
                        self.no_attributes(&field.attrs);
                        let pattern = self.pattern(&field.pat, None, kind)?;
                        Some(FieldPattern { member: member(&field.member), pattern })
                    })
                    .collect::<Option<_>>()?;
                PatternKind::Struct { path: path(&p.path), fields, rest: p.rest.is_some() }
            }
            Pat::Reference(p) if p.mutability.is_none() => {
                PatternKind::Ref(Box::new(self.pattern(&p.pat, None, kind)?))
            }
            Pat::Or(p) => return self.alternatives(p, span, kind),
            Pat::Paren(p) => return self.pattern(&p.pat, ty, kind),
            Pat::Type(p) => return self.pattern(&p.pat, Some(&types::read(&p.ty)), kind),
            _ => {
                self.error(
                    span,
                    "this pattern cannot be used in a reversible function; write names, tuples, structs, literals or `_`",
                );
                return None;
            }
        };
        Some(Pattern { kind, span })
    }

    /// `p | q` binds the same names on both sides: the second time a name means the first variable.
    fn alternatives(&mut self, p: &syn::PatOr, span: Span, kind: &VarKind) -> Option<Pattern> {
        let cases = p.cases.iter().map(|case| self.pattern(case, None, kind)).collect::<Option<Vec<_>>>()?;
        if cases.iter().any(|case| !case.bindings().is_empty()) {
            self.error(span, "alternatives that bind names are not supported here; write one arm for each of them");
            return None;
        }
        Some(Pattern { kind: PatternKind::Or(cases), span })
    }
}

/// By Rust's naming convention an upper-case name in a pattern is a constant or a variant.
pub(super) fn is_constant(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

/// The attributes of a pattern.
pub(super) fn attributes(pat: &Pat) -> &[syn::Attribute] {
    macro_rules! of {
        ($($kind:ident)*) => {
            match pat {
                $(Pat::$kind(pat) => &pat.attrs,)*
                _ => &[],
            }
        };
    }
    of!(Ident Wild Rest Tuple Slice TupleStruct Struct Reference Or Paren Type Lit Range Path)
}
