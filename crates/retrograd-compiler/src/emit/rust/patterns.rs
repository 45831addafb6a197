//! Patterns as tokens.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::tokens::Writer;
use crate::ir::{Member, Pattern, PatternKind, VarKind};

impl Writer<'_> {
    /// A pattern.
    pub fn pattern(&self, pattern: &Pattern) -> TokenStream {
        let at = pattern.span.first;
        let list = |all: &[Pattern]| all.iter().map(|p| self.pattern(p)).collect::<Vec<_>>();
        match &pattern.kind {
            PatternKind::Wild => quote_spanned!(at=> _),
            PatternKind::Rest => quote_spanned!(at=> ..),
            PatternKind::Constant(syntax) => syntax.tokens().clone(),
            PatternKind::Bind { var, by_ref, sub } => {
                let changed = matches!(self.vars[var.0].kind, VarKind::Shadow { reference: false }) && !self.readable;
                let changed = changed.then(|| quote!(mut));
                let var = self.var(*var, at);
                let by_ref = by_ref.then(|| quote_spanned!(at=> ref));
                let sub = sub.as_ref().map(|sub| self.inner_pattern(sub)).map(|sub| quote!(@ #sub));
                quote!(#by_ref #changed #var #sub)
            }
            PatternKind::Tuple(all) => {
                let comma = (all.len() == 1).then(|| quote!(,));
                let all = list(all);
                quote_spanned!(at=> (#(#all),* #comma))
            }
            PatternKind::Slice(all) => {
                let all = list(all);
                quote_spanned!(at=> [#(#all),*])
            }
            PatternKind::TupleStruct(path, all) => {
                let all = list(all);
                quote_spanned!(at=> #path(#(#all),*))
            }
            PatternKind::Struct { path, fields, rest } => {
                let fields = fields.iter().map(|field| {
                    let (member, pattern) = (&field.member, self.pattern(&field.pattern));
                    let shorthand = matches!(member, Member::Named(name) if *name == pattern.to_string());
                    if shorthand { pattern } else { quote!(#member: #pattern) }
                });
                let rest = rest.then(|| quote!(..));
                quote_spanned!(at=> #path { #(#fields,)* #rest })
            }
            PatternKind::Ref(inner) => {
                let inner = self.inner_pattern(inner);
                quote_spanned!(at=> &#inner)
            }
            PatternKind::Or(all) => {
                let all = list(all);
                quote_spanned!(at=> #(#all)|*)
            }
        }
    }

    /// A pattern behind `@` or `&`.
    fn inner_pattern(&self, p: &Pattern) -> TokenStream {
        let written = self.pattern(p);
        if matches!(p.kind, PatternKind::Or(_)) { quote!((#written)) } else { written }
    }
}
