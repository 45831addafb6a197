//! Where locals begin and end.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use super::guard::same;
use super::tokens::Writer;
use crate::hygiene::fresh;
use crate::ir::{Binding, BindingKind, ExprKind, Rule, Run, Scheduled, Stmt, VarId, VarKind};

impl Emitter<'_> {
    /// Whether a register holds the value of a function while its record is used, and given back.
    fn sets_aside(&self, s: &Binding) -> bool {
        let result =
            self.program.result.as_ref().and_then(|e| if let ExprKind::Var(var) = e.kind { Some(var) } else { None });
        self.program.run == Run::Adjoint && self.program.leases() && result.is_some() && s.pattern.as_var() == result
    }

    pub(super) fn begin(&self, s: &Binding) -> TokenStream {
        if let ExprKind::Rule(Rule::Later, _) = s.value.kind {
            let (pattern, ty) = (self.writer.pattern(&s.pattern), s.ty.as_ref().map(|ty| ty.written.tokens()));
            let ty = ty.map(|ty| quote!(: #ty));
            let shadow = s.pattern.as_var().map(|var| &self.context.vars[var.0].kind);
            let mutable = (!matches!(shadow, Some(VarKind::Shadow { .. }))).then(|| quote!(mut));
            // Where every way through the program gives it one value, it is not changed.
            return quote_spanned!(s.span.first=> #[allow(unused_mut)] let #mutable #pattern #ty;);
        }
        if let ExprKind::Rule(Rule::Schedule(way @ (Scheduled::There | Scheduled::Search)), args) = &s.value.kind {
            let (pattern, args) = (self.writer.pattern(&s.pattern), self.writer.list(args));
            // A loop that does not say how long it is may have any length.
            let most = (args.len() == 1).then(|| quote!(usize::MAX,));
            let (way, site) = (Ident::new(way.name(), s.span.first), self.site_at(s.span, "#[checkpoint(..)] .."));
            return quote_spanned!(s.span.first=> let #pattern = __private::Plan::#way(#(#args),*, #most #site););
        }
        // Through a constant no derivative flows, whatever it is made of.
        let w = Writer { derivative: self.writer.derivative && !s.constant, ..self.writer };
        let at = s.span.first;
        let (pattern, kept) = (w.pattern(&s.pattern), self.kept(s));
        let value = if s.constant { w.held(&kept) } else { w.expr(&kept) };
        let holds_the_value = match &s.ty {
            Some(_) => s.ty == self.program.output,
            None => self.value.is_some() && s.pattern.as_var() == self.value,
        };
        let ty = match &self.output {
            Some(output) if holds_the_value => Some(quote!(: #output)),
            _ => s.ty.as_ref().map(|ty| ty.written.tokens()).map(|ty| quote!(: #ty)),
        };
        match s.kind {
            BindingKind::Let => {
                let (before, after) = self.pure_initialiser(s);
                let value = match self.sets_aside(s) {
                    true => quote_spanned!(at=> __private::set_aside(#value)),
                    false => value,
                };
                quote_spanned!(at=> #before let #pattern #ty = #value; #after)
            }
            BindingKind::View => {
                let (place, arguments) = match &s.value.kind {
                    ExprKind::Method { receiver, args, .. } => (receiver.as_place(), args.iter().collect()),
                    _ => (s.value.as_place(), Vec::new()),
                };
                let indices = place.iter().flat_map(crate::ir::Place::indices);
                let pure = self.pure(indices.chain(arguments));
                let reference = s.value.is_place().then(|| quote_spanned!(at=> &mut));
                quote_spanned!(at=> #pure let #pattern #ty = #reference #value;)
            }
            BindingKind::Ancilla | BindingKind::Manual => {
                let (before, after) = self.pure_initialiser(s);
                // A copy that is kept, and a version of a name that has others, need not be changed themselves.
                let versions = |var: &VarId| {
                    let name = &self.context.vars[var.0].written;
                    let ancillas = self.context.vars.iter().filter(|v| v.kind == VarKind::Ancilla);
                    ancillas.filter(|v| v.written == *name).count() > 1
                };
                let shadow = |var: &VarId| matches!(self.context.vars[var.0].kind, VarKind::Shadow { .. });
                if s.pattern.bindings().iter().any(shadow) {
                    return quote_spanned!(at=> let #pattern #ty = #value;);
                }
                let unchanged = s.kind == BindingKind::Manual || s.pattern.bindings().iter().any(versions);
                // A run may leave such a local as it is.
                let allowed = unchanged.then(|| quote!(#[allow(unused_mut)]));
                let element = self.element(s);
                quote_spanned!(at=> #before #allowed let mut #pattern #ty = #value; #element #after)
            }
        }
    }

    /// Dead code by which rustc sees what a vector will hold that begins without elements: its shadow is made here.
    fn element(&self, s: &Binding) -> Option<TokenStream> {
        let var = s.pattern.as_var().filter(|_| s.ty.is_none() && self.writer.derivative)?;
        let element = self.context.vars[var.0].element.as_ref()?.tokens();
        let (at, name) = (s.span.first, self.writer.var(var, s.span.first));
        Some(quote_spanned!(at=> if false { __private::holds(&#name, || #element); }))
    }

    pub(super) fn end(&self, s: &Binding, stmt: &Stmt) -> TokenStream {
        match s.kind {
            // On the way back on values alone, what the callee has kept is not used.
            _ if self.program.run == Run::Keep
                && matches!(s.value.kind, ExprKind::Companion { run: Run::Keep, .. }) =>
            {
                let record = fresh("record");
                quote_spanned!(s.span.first=> #record.forget_call();)
            }
            BindingKind::Let | BindingKind::View | BindingKind::Ancilla => TokenStream::new(),
            BindingKind::Manual => {
                let (name, value) = (self.writer.pattern(&s.pattern), self.writer.expr(&s.value));
                let variable = name.to_string();
                let (before, after) = self.pure_initialiser(s);
                let pure = quote!(#before #after);
                let unchecked = s.pattern.as_var().is_some_and(|var| self.context.vars[var.0].unchecked);
                let outside = self.unchecked.replace(self.unchecked.get() || unchecked);
                let check = self.check(
                    |site| same(s.span.first, &site, &quote!(Released), &variable, &quote!(&(#value)), &quote!(&#name)),
                    stmt,
                );
                self.unchecked.set(outside);
                // In builds without checks nothing else may read it any more.
                let drop = check.is_empty().then(|| quote!(let _ = &#name;));
                quote_spanned!(s.span.first=> #pure #check #drop)
            }
        }
    }
}
