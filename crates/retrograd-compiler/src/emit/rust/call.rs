//! Calls. Several elements of one container may be arguments of one call: rustc sees one borrow of the container
//! then, so they are taken out of it together.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use super::callees::{Purpose, with_runs};
use super::paths::{self, apart, callee_path, companion_name, hidden_path, turbofish, turbofish_with_shadow};
use crate::hygiene::{fresh, numbered, prefixed};
use crate::ir::{Arg, ArgKind, Call, Callee, Expr, ExprKind, Place, Projection, Run, Stmt, Swap, VarId};

/// One argument that is a reference into a variable.
struct Reference<'a> {
    number: usize,
    place: &'a Place,
    changed: bool,
}

impl Emitter<'_> {
    pub(super) fn swap(&self, s: &Swap, stmt: &Stmt) -> TokenStream {
        let arg = |place: &Place| Arg { kind: ArgKind::Change(place.clone()), span: place.span };
        // The name must mean what the language means by it, and not a procedure of the user.
        let meant =
            (self.purity.get() && s.bare).then(|| quote_spanned!(s.span.first=> const _: () = <swap>::EXCHANGES;));
        let call = self.call_with(&[arg(&s.a), arg(&s.b)], stmt, |args| {
            let (a, b) = (&args[0], &args[1]);
            quote_spanned!(s.span.first=> ::core::mem::swap(#a, #b);)
        });
        quote!(#meant #call)
    }

    pub(super) fn call(&self, s: &Call, stmt: &Stmt) -> TokenStream {
        let hosts = self.hosts_match(s);
        if s.run != Run::Values {
            return self.derivative_call(s, stmt);
        }
        let call = self.call_with(&s.args, stmt, |args| match &s.callee {
            Callee::Path(path) if s.inverse => {
                let (holder, (_, arguments)) = (self.writer.holder(path, Purpose::Undoing), apart(path));
                let arguments = arguments.as_deref().map(turbofish);
                quote_spanned!(s.span.first=> <#holder>::uncall #arguments (#(#args),*);)
            }
            Callee::Path(_) | Callee::Associated(_) => {
                let path = callee_path(&s.callee, s.inverse);
                quote_spanned!(s.span.first=> #path(#(#args),*);)
            }
            Callee::Method { name, turbofish } => {
                let turbofish = turbofish.as_deref().map(paths::turbofish);
                let name = match s.inverse {
                    true => Ident::new(&prefixed("uncall", name), name.span()),
                    false => name.clone(),
                };
                let (receiver, args) = (&args[0], &args[1..]);
                quote_spanned!(s.span.first=> (#receiver).#name #turbofish (#(#args),*);)
            }
        });
        quote!(#hosts #call)
    }

    /// A derivative run of a procedure, by its hidden entry.
    fn derivative_call(&self, s: &Call, stmt: &Stmt) -> TokenStream {
        let sweep = fresh("sweep");
        let path = || hidden_path(&s.callee, s.run, s.inverse, |path| self.writer.holder(path, Purpose::Undoing));
        self.call_with(&s.args, stmt, |args| match &s.callee {
            Callee::Path(_) => {
                let path = path();
                quote_spanned!(s.span.first=> #path(#sweep, #(#args),*);)
            }
            Callee::Associated(_) => {
                let path = path();
                let (first, args) = args.split_at(args.len().min(1));
                quote_spanned!(s.span.first=> #path(#(#first,)* #sweep, #(#args),*);)
            }
            Callee::Method { name, turbofish } => {
                let turbofish = turbofish.as_deref().map(turbofish_with_shadow);
                let run = Ident::new(&prefixed(&companion_name(s.run, s.inverse, false), name), name.span());
                let (with_runs, receiver, args) = (with_runs(name), &args[0], &args[1..]);
                quote_spanned!(s.span.first=> (#receiver).#with_runs().#run #turbofish (#sweep, #(#args),*);)
            }
        })
    }

    /// A host parameter may be handed on to a host parameter only; that is known when the callee is compiled.
    fn hosts_match(&self, call: &Call) -> TokenStream {
        let Callee::Path(path) = &call.callee else { return TokenStream::new() };
        if !self.purity.get() {
            return TokenStream::new();
        }
        let checks = call.args.iter().enumerate().filter_map(|(i, arg)| {
            let ArgKind::Host(var) = arg.kind else { return None };
            let message = format!(
                "`{}` is marked `#[host]`, but argument {} of the procedure it is handed to is not: what that reads would not be \
                 what it was on the way back",
                self.context.name(var),
                i + 1
            );
            let holder = self.writer.holder(path, Purpose::Undoing);
            Some(quote_spanned!(arg.span.first=> const _: () = ::core::assert!(<#holder>::HOSTS >> #i & 1 == 1, #message);))
        });
        checks.collect()
    }

    /// Prepares the arguments so that rustc accepts them, and hands them to `call`.
    fn call_with(&self, args: &[Arg], stmt: &Stmt, call: impl FnOnce(&[TokenStream]) -> TokenStream) -> TokenStream {
        let pure = self.pure(args.iter().flat_map(|arg| match &arg.kind {
            ArgKind::Change(place) | ArgKind::Borrow(place) => place.indices().collect::<Vec<_>>(),
            ArgKind::Value(e) => vec![e],
            ArgKind::Host(_) => Vec::new(),
        }));
        let alive = self.distinct_from_lets(stmt);
        let mut written: Vec<TokenStream> = args.iter().map(|arg| self.argument(arg)).collect();
        let mut before = self.distinct_arguments(args, stmt);
        let mut after = TokenStream::new();
        self.values_first(args, &mut written, &mut before);
        for group in self.conflicts(args) {
            self.take_out(&group, stmt, &mut written, &mut before, &mut after);
        }
        let call = call(&written);
        if before.is_empty() && after.is_empty() {
            return quote!(#pure #alive #call);
        }
        quote!(#pure #alive { #before #call #after })
    }

    fn argument(&self, arg: &Arg) -> TokenStream {
        let w = self.writer;
        let at = arg.span.first;
        match &arg.kind {
            ArgKind::Change(place)
                if place.path.is_empty() && self.context.vars[place.root.0].kind.is_mutable_reference() =>
            {
                let var = w.var(place.root, at);
                quote_spanned!(at=> &mut *#var)
            }
            ArgKind::Change(place) => {
                let place = w.place(place);
                quote_spanned!(at=> &mut #place)
            }
            ArgKind::Borrow(place) => {
                let place = w.place(place);
                quote_spanned!(at=> &#place)
            }
            ArgKind::Value(e) => w.expr(e),
            ArgKind::Host(var) => {
                let var = w.var(*var, at);
                quote_spanned!(at=> &mut *#var)
            }
        }
    }

    /// In every build: what the call changes is none of the other elements that it gets.
    fn distinct_arguments(&self, args: &[Arg], stmt: &Stmt) -> TokenStream {
        let mut checks = TokenStream::new();
        for (i, arg) in args.iter().enumerate() {
            let ArgKind::Change(place) = &arg.kind else { continue };
            let write = self.context.access(place, false);
            for (j, other) in args.iter().enumerate() {
                let reads = match &other.kind {
                    // Elements that are taken out together are compared there.
                    ArgKind::Change(other) if j > i && !place.taken_together(other) => {
                        vec![self.context.access(other, false)]
                    }
                    ArgKind::Borrow(other) if !place.taken_together(other) => {
                        vec![self.context.access(other, false)]
                    }
                    ArgKind::Value(e) => self.context.expr_reads(e),
                    ArgKind::Change(_) | ArgKind::Borrow(_) | ArgKind::Host(_) => continue,
                };
                for pairs in self.doubtful(&write, &reads) {
                    checks.extend(self.distinct(self.site(stmt), &write, &pairs));
                }
            }
        }
        checks
    }

    /// Values that read a variable of which a part is borrowed for the call are computed before it.
    fn values_first(&self, args: &[Arg], written: &mut [TokenStream], before: &mut TokenStream) {
        let changed: Vec<VarId> = args
            .iter()
            .filter_map(|arg| match &arg.kind {
                ArgKind::Change(place) => Some(place.root),
                ArgKind::Borrow(_) | ArgKind::Value(_) | ArgKind::Host(_) => None,
            })
            .collect();
        for (i, arg) in args.iter().enumerate() {
            if let ArgKind::Value(e) = &arg.kind
                && changed.iter().any(|var| e.mentions(*var))
            {
                let (name, value) = (numbered("argument", i), &written[i]);
                before.extend(quote!(let #name = #value;));
                written[i] = quote!(#name);
            }
        }
    }

    /// Groups of references into one variable that rustc would not accept together.
    fn conflicts<'a>(&self, args: &'a [Arg]) -> Vec<Vec<Reference<'a>>> {
        let references: Vec<Reference<'a>> = args
            .iter()
            .enumerate()
            .filter_map(|(number, arg)| match &arg.kind {
                ArgKind::Change(place) => Some(Reference { number, place, changed: true }),
                ArgKind::Borrow(place) => Some(Reference { number, place, changed: false }),
                ArgKind::Value(_) | ArgKind::Host(_) => None,
            })
            .collect();
        let conflict = |a: &Reference<'_>, b: &Reference<'_>| {
            a.number != b.number && (a.changed || b.changed) && a.place.differs_by_index(b.place)
        };
        let mut groups: Vec<Vec<Reference<'a>>> = Vec::new();
        let clashing: Vec<bool> = references.iter().map(|a| references.iter().any(|b| conflict(a, b))).collect();
        for (reference, clashes) in references.into_iter().zip(clashing) {
            if !clashes {
                continue;
            }
            match groups.iter_mut().find(|group| group[0].place.root == reference.place.root) {
                Some(group) => group.push(reference),
                None => groups.push(vec![reference]),
            }
        }
        groups
    }

    /// Takes elements of one container out of it: all at once where the container can do that, else by copying them
    /// out and back in.
    fn take_out(
        &self,
        group: &[Reference<'_>],
        stmt: &Stmt,
        written: &mut [TokenStream],
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) {
        let w = self.writer;
        let together = group[1..].iter().all(|other| group[0].place.taken_together(other.place));
        if !together {
            for reference in group {
                let (element, place) = (numbered("element", reference.number), w.place(reference.place));
                if reference.changed {
                    before.extend(quote!(let mut #element = #place;));
                    written[reference.number] = quote!(&mut #element);
                    after.extend(quote!(#place = #element;));
                } else {
                    before.extend(quote!(let #element = #place;));
                    written[reference.number] = quote!(&#element);
                }
            }
            return;
        }
        let (container, _, _) = group[0].place.parting(group[1].place);
        let container_tokens = w.receiver(&container);
        let depth = container.path.len();
        let index = |reference: &Reference<'_>| match &reference.place.path[depth] {
            Projection::Index(index) => index.clone(),
            Projection::Deref | Projection::Field(_) | Projection::Some => {
                Expr { kind: ExprKind::Tuple(Vec::new()), span: reference.place.span }
            }
        };
        let names: Vec<Ident> = group.iter().map(|r| numbered("element", r.number)).collect();
        let is_range = |e: &Expr| crate::analysis::index::may_be_range(self.context.vars, e);
        let any_range = group.iter().any(|r| is_range(&index(r)));
        let indices: Vec<TokenStream> = group
            .iter()
            .map(|r| {
                let tokens = w.expr(&index(r));
                match any_range {
                    true => quote!((#tokens).to_range(#container_tokens.len())),
                    false => tokens,
                }
            })
            .collect();
        let (site, listed) = (self.site(stmt), fresh("indices"));
        before.extend(quote! {
            #[allow(unused_imports)]
            use ::retrograd::private::{Disjoint as _, ToRange as _};
            let #listed = [#(#indices),*];
            let [#(#names),*] = #container_tokens.disjoint_mut(#listed, #site);
        });
        for (reference, name) in group.iter().zip(&names) {
            let mut element = quote!((*#name));
            if any_range && !is_range(&index(reference)) {
                element = quote!(#element[0]);
            }
            for step in &reference.place.path[depth + 1..] {
                element = match step {
                    Projection::Deref => quote!((*#element)),
                    Projection::Field(member) => quote!(#element.#member),
                    Projection::Index(index) => {
                        let index = w.expr(index);
                        quote!(#element[#index])
                    }
                    Projection::Some => element,
                };
            }
            written[reference.number] = match reference.changed {
                true => quote!(&mut #element),
                false => quote!(&#element),
            };
        }
    }
}
