//! Calls of procedures, and swaps.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use super::callees::{Purpose, with_runs};
use super::lent::Group;
use super::paths::{self, apart, companion_name, hidden_path, turbofish, turbofish_of_run};
use super::steps::carried;
use crate::analysis::activity::active;
use crate::hygiene::{fresh, numbered, prefixed};
use crate::ir::{Activity, Arg, ArgKind, Call, Callee, Expr, ExprKind, Place, Projection, Run, Stmt, Swap, VarId};
use crate::span::{mixed_site, resolved_at};

impl Emitter<'_> {
    pub(super) fn swap(&self, s: &Swap, stmt: &Stmt) -> TokenStream {
        let arg = |place: &Place| Arg { kind: ArgKind::Change(place.clone()), span: place.span };
        // The name must mean what the language means by it, and not a function of the user.
        let meant = s.named.as_ref().filter(|_| self.purity.get()).map(|path| {
            let place = self.argument(&Arg { kind: ArgKind::Borrow(self.pointee(&s.a)), span: s.a.span });
            quote_spanned!(s.span.first=> if false { ::retrograd::private::exchanges(#place, ::core::mem::swap, #path); })
        });
        let call = self.call_with(&[arg(&s.a), arg(&s.b)], stmt, |args| {
            let (a, b) = (&args[0], &args[1]);
            quote_spanned!(s.span.first=> ::core::mem::swap(#a, #b);)
        });
        quote!(#meant #call)
    }

    /// What is changed where a place is passed to be changed: what a bare `&mut` refers to.
    pub(super) fn pointee(&self, place: &Place) -> Place {
        let bare = place.path.is_empty() && self.context.vars[place.root.0].kind.is_mutable_reference();
        if bare { place.clone().then(Projection::Deref) } else { place.clone() }
    }

    pub(super) fn call(&self, s: &Call, stmt: &Stmt) -> TokenStream {
        let hosts = self.hosts_match(s);
        if s.run != Run::Values {
            return self.derivative_call(s, stmt);
        }
        let call = self.call_with(&s.args, stmt, |args| match &s.callee {
            Callee::Path(path) if s.inverse => {
                let (holder, (_, arguments)) = (self.writer.holder(path, Purpose::Undoing), apart(path));
                let (uncall, arguments) = (self.uncall(s, path.last()), arguments.as_deref().map(turbofish));
                quote_spanned!(s.span.first=> <#holder>::#uncall #arguments (#(#args),*);)
            }
            Callee::Associated(path) if s.inverse => {
                let path = paths::prefixed(path, &self.uncall(s, path.last()).to_string());
                quote_spanned!(s.span.first=> #path(#(#args),*);)
            }
            Callee::Path(path) | Callee::Associated(path) => quote_spanned!(s.span.first=> #path(#(#args),*);),
            Callee::Method { name, turbofish } => {
                let turbofish = turbofish.as_deref().map(paths::turbofish);
                let name = match s.inverse {
                    true => Ident::new(&prefixed(&self.uncall(s, name).to_string(), name), name.span()),
                    false => name.clone(),
                };
                let (receiver, args) = (&args[0], &args[1..]);
                quote_spanned!(s.span.first=> (#receiver).#name #turbofish (#(#args),*);)
            }
        });
        quote!(#hosts #call)
    }

    /// The inverse of a procedure. A procedure with a record has none, and its pullback says so to programs that have one as well;
    /// others miss the record in what users call.
    fn uncall(&self, s: &Call, callee: &Ident) -> Ident {
        let active = |arg: &Arg| match &arg.kind {
            ArgKind::Change(place) | ArgKind::Borrow(place) => {
                self.program.var(place.root).activity == Activity::Active
            }
            ArgKind::Value(e) => active(&self.program.vars, e),
            ArgKind::Host(_) => false,
        };
        let pulled_back = !self.forward && self.derivatives && s.args.iter().any(active);
        // At the call, but not a part of what the user wrote: rustc proposes no changes of it.
        let at = if self.forward { callee.span() } else { resolved_at(callee.span(), mixed_site()) };
        Ident::new(&companion_name(Run::Values, true, !pulled_back), at)
    }

    /// A derivative run of a procedure, by its hidden entry.
    fn derivative_call(&self, s: &Call, stmt: &Stmt) -> TokenStream {
        let carried = carried(s.run);
        let path = || hidden_path(&s.callee, s.run, s.inverse, |path| self.writer.holder(path, Purpose::Undoing));
        self.call_with(&s.args, stmt, |args| match &s.callee {
            Callee::Path(_) => {
                let path = path();
                quote_spanned!(s.span.first=> #path(#carried #(#args),*);)
            }
            Callee::Associated(_) => {
                let path = path();
                let (first, args) = args.split_at(args.len().min(1));
                quote_spanned!(s.span.first=> #path(#(#first,)* #carried #(#args),*);)
            }
            Callee::Method { name, turbofish } => {
                let turbofish = turbofish.as_deref().map(|arguments| turbofish_of_run(arguments, s.run));
                let run = Ident::new(&prefixed(&companion_name(s.run, s.inverse, false), name), name.span());
                let (with_runs, receiver, args) = (with_runs(name), &args[0], &args[1..]);
                quote_spanned!(s.span.first=> (#receiver).#with_runs().#run #turbofish (#carried #(#args),*);)
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
            // The call says which types a function or a closure has, and procedures take those that change nothing.
            ArgKind::Value(Expr { kind: ExprKind::Path(_), .. }) => Vec::new(),
            ArgKind::Value(Expr { kind: ExprKind::Closure { params, .. }, .. })
                if params.iter().any(|(_, ty)| ty.is_none()) =>
            {
                Vec::new()
            }
            ArgKind::Value(e) => self.unmoved(e),
            ArgKind::Host(_) => Vec::new(),
        }));
        let mut written: Vec<TokenStream> = args.iter().map(|arg| self.argument(arg)).collect();
        let kind = self.lend_list(stmt, args, &mut written);
        let groups = self.conflicts(args);
        let mut before = self.distinct_arguments(args, &groups, stmt);
        before.extend(kind);
        let mut after = TokenStream::new();
        self.values_first(args, &mut written, &mut before);
        for group in &groups {
            self.take_out(group, stmt, &mut written, &mut before, &mut after);
        }
        let call = call(&written);
        if before.is_empty() && after.is_empty() {
            return quote!(#pure #call);
        }
        quote!(#pure { #before #call #after })
    }

    /// Lends a list on to a procedure of the runtime which a method of vectors or slices is short for. That says what the method is taken
    /// for, in the same words in all runs, so that rustc prints them once; and of the shadow of something else nothing is said.
    fn lend_list(&self, stmt: &Stmt, args: &[Arg], written: &mut [TokenStream]) -> Option<TokenStream> {
        let Stmt::Call(call @ Call { run, .. }) = stmt else { return None };
        let [Arg { kind: ArgKind::Change(place), span }, ..] = args else { return None };
        let at = span.first;
        let (list, shadow) = match call.moves()? {
            "append" | "shrink" | "insert_at" | "remove_at" => ("as_vector", "shadow_of_vector"),
            "sort_by" | "sort_by_key" => ("as_slice", "shadow_of_slice"),
            _ => return None,
        };
        let (list, lent) = (Ident::new(list, at), &written[0]);
        written[0] = quote_spanned!(at=> __private::#list(#lent));
        if !matches!(run, Run::Tangent | Run::Adjoint | Run::Spend) {
            return None;
        }
        let (kind, shadow, place) = (fresh("kind"), Ident::new(shadow, at), self.writer.place(&self.pointee(place)));
        let lent = &written[1];
        written[1] = quote_spanned!(at=> __private::#shadow(#kind, #lent));
        Some(quote_spanned!(at=> let #kind = __private::kind_of(&#place);))
    }

    fn argument(&self, arg: &Arg) -> TokenStream {
        let w = self.writer;
        let at = arg.span.first;
        match &arg.kind {
            ArgKind::Change(place) => {
                let place = w.place(&self.pointee(place));
                quote_spanned!(at=> &mut #place)
            }
            ArgKind::Borrow(place) => {
                let place = w.place(place);
                quote_spanned!(at=> &#place)
            }
            ArgKind::Value(e) => w.expr(&self.not_moved(e)),
            ArgKind::Host(var) => {
                let var = w.var(*var, at);
                quote_spanned!(at=> &mut *#var)
            }
        }
    }

    /// In every build: what the call changes is none of the other elements that it gets.
    fn distinct_arguments(&self, args: &[Arg], groups: &[Group<'_>], stmt: &Stmt) -> TokenStream {
        let mut checks = TokenStream::new();
        // Elements that are taken out together are compared there.
        let compared = |i: usize, j: usize| groups.iter().any(|group| group.compares(i, j));
        for (i, arg) in args.iter().enumerate() {
            let ArgKind::Change(place) = &arg.kind else { continue };
            let write = self.context.access(place, false);
            for (j, other) in args.iter().enumerate() {
                let reads = match &other.kind {
                    ArgKind::Change(other) if j > i && !compared(i, j) => vec![self.context.access(other, false)],
                    ArgKind::Borrow(other) if !compared(i, j) => vec![self.context.access(other, false)],
                    ArgKind::Value(e) => self.context.expr_reads(e),
                    ArgKind::Change(_) | ArgKind::Borrow(_) | ArgKind::Host(_) => continue,
                };
                for pairs in self.context.doubtful(&write, &reads) {
                    checks.extend(self.distinct(self.site(stmt), write.place.root, &pairs));
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
}
