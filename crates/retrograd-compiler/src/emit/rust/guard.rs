//! Run-time checks: where they stand in the source, and when they are made.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::analysis::index::components;
use crate::hygiene::fresh;
use crate::ir::{Check, Checks, Expected, Expr, Restored, Sample, Stmt, VarId, Witness};
use crate::print;
use crate::span::Span;

/// What says that values stand in sequences as deep as that.
pub(super) fn inside(depth: usize) -> TokenStream {
    (0..depth).fold(quote!(__private::Leaf), |depth, _| quote!(__private::Inside<#depth>))
}

impl Emitter<'_> {
    /// The place of a statement, for errors.
    pub(super) fn site(&self, stmt: &Stmt) -> TokenStream {
        self.site_at(stmt.span(), &print::head(self.program, &self.context, stmt))
    }

    /// Where something stands, and what is said of it in errors.
    pub(super) fn site_at(&self, span: Span, statement: &str) -> TokenStream {
        let (line, column) = span.line_column();
        let function = self.program.name.to_string();
        quote!(&__private::Site {
            function: #function,
            file: ::core::file!(),
            line: #line,
            column: #column,
            statement: #statement,
        })
    }

    /// Whether checks are made, as an expression.
    pub(super) fn checked(&self) -> TokenStream {
        match self.program.checks {
            _ if self.unchecked.get() => quote!(false),
            Checks::Debug => quote!(::core::cfg!(debug_assertions)),
            Checks::Always => quote!(true),
            Checks::Never => quote!(false),
        }
    }

    /// A check, in the builds that make checks.
    pub(super) fn check(&self, check: impl FnOnce(TokenStream) -> TokenStream, stmt: &Stmt) -> TokenStream {
        if self.unchecked.get() {
            return TokenStream::new();
        }
        match self.program.checks {
            Checks::Never => TokenStream::new(),
            Checks::Always => check(self.site(stmt)),
            Checks::Debug => {
                let check = check(self.site(stmt));
                quote!(if ::core::cfg!(debug_assertions) { #check })
            }
        }
    }

    /// Something that the program relies on.
    pub(super) fn relied_on(&self, check: &Check) -> TokenStream {
        match check {
            Check::Restored(s) => self.restored(s),
            Check::Witness(s) => self.witness(s),
            Check::Sample(s) => self.sample(s),
            Check::Distinct(s) => self.check(|site| self.distinct(site, s.var, &s.pairs), &s.statement),
        }
    }

    /// The comparison of a restored local with what it was, in every build.
    fn restored(&self, s: &Restored) -> TokenStream {
        if self.unchecked.get() {
            return TokenStream::new();
        }
        let w = self.writer;
        let at = s.binding.span.first;
        let (site, variable) = (self.site(&Stmt::Begin((*s.binding).clone())), &self.context.vars[s.var.0].written);
        let (var, scale, expected) = (w.var(s.var, at), w.var(s.scale, at), w.expr(s.expected.expr()));
        // A constant, of which nothing is set up where the comparison passes.
        let variable = quote!(&const { __private::Local::at_let(#variable) });
        match s.expected {
            Expected::Value(_) => {
                quote!(__private::check_drift!(#site, #variable, &(#expected), &#var, #scale);)
            }
            Expected::Each(_, depth) => {
                let depth = inside(depth);
                quote!(__private::check_drift_of_each!(#site, #variable, #depth, &(#expected), &#var, #scale);)
            }
            Expected::Kept(_) => quote! {
                if let ::core::option::Option::Some(witness) = &#expected {
                    __private::check_drift!(#site, #variable, witness, &#var, #scale);
                }
            },
            Expected::KeptOne(_, depth) => {
                let depth = inside(depth);
                quote! {
                    if let ::core::option::Option::Some(witness) = &#expected {
                        __private::check_drift_of_each!(#site, #variable, #depth, witness, &#var, #scale);
                    }
                }
            }
        }
    }

    /// What a local was on the way, in the builds that make checks: in others there is no trace of it.
    fn witness(&self, s: &Witness) -> TokenStream {
        if self.unchecked.get() {
            return TokenStream::new();
        }
        let (w, at) = (self.writer, s.span().first);
        let step = match s {
            Witness::Begin { store, .. } => {
                let store = w.var(*store, at);
                quote!(let mut #store = __private::Witnesses::new();)
            }
            Witness::Keep { store, var, .. } => {
                let (store, var) = (w.var(*store, at), w.var(*var, at));
                quote!({ #store.keep(|| __private::keep!(&#var)); })
            }
            Witness::Recall { store, of } => {
                let (store, var, scale) = (w.var(*store, at), w.var(of.var, at), w.var(of.scale, at));
                let site = self.site(&Stmt::Begin((*of.binding).clone()));
                let variable = &self.context.vars[of.var.0].written;
                quote!({
                    if let ::core::option::Option::Some((iteration, witness)) = #store.recall() {
                        let variable = __private::Local::in_front_of(#variable, iteration);
                        __private::check_drift!(#site, &variable, witness, &#var, #scale);
                    }
                })
            }
        };
        match self.program.checks {
            Checks::Never => TokenStream::new(),
            Checks::Always => step,
            Checks::Debug => quote!(#[cfg(debug_assertions)] #step),
        }
    }

    /// The same of a program with a record, which has samples.
    fn sample(&self, s: &Sample) -> TokenStream {
        if self.unchecked.get() {
            return TokenStream::new();
        }
        let (w, at, record) = (self.writer, s.span().first, fresh("record"));
        // The loop that stands there, or the assignment.
        let (line, column) = s.span().line_column();
        let place = quote!((::core::file!(), #line, #column));
        let step = match s {
            Sample::Lease(record, _) => {
                let record = w.var(*record, at);
                quote!(let #record = &mut *__private::Lease::new();)
            }
            Sample::Open(_) => quote!({ #record.open_samples(#place); }),
            Sample::Turn(_) => quote!({ #record.begin_turn(); }),
            Sample::Keep { point, var, .. } => {
                let var = w.var(*var, at);
                quote!({
                    __private::sample!(#record, #point, &#var);
                })
            }
            Sample::Shut(_) => quote!({ #record.shut_samples(); }),
            Sample::Reopen(_) => quote!({ #record.reopen_samples(#place); }),
            Sample::Recall(of) => {
                let (point, var, scale) = (of.point, w.var(of.var, at), w.var(of.scale, at));
                let (site, written) = (self.site(&of.made), &self.context.vars[of.var.0].written);
                let variable = match *of.made {
                    Stmt::Begin(_) => quote!(__private::Local::in_front_of(#written, iteration)),
                    _ => quote!(__private::Local::at_let(#written)),
                };
                // What an assignment made is said of no iteration.
                quote!({
                    #[allow(unused_variables)]
                    if let ::core::option::Option::Some((iteration, sample)) = __private::sampled!(#record, #point, &#var)
                        && let ::core::option::Option::Some(scale) = #scale
                    {
                        let variable = #variable;
                        __private::check_drift!(#site, &variable, &sample, &#var, scale);
                    }
                })
            }
            Sample::Unturn(_) => quote!({ #record.undo_turn(); }),
            Sample::Unopen(_) => quote!({ #record.drop_samples(); }),
            Sample::Scale(scale, _) => {
                let scale = w.var(*scale, at);
                // Where nothing that restores the local is left, nothing measures it.
                quote!(#[allow(unused_mut, unused_assignments)] let mut #scale = ::core::option::Option::None::<f64>;)
            }
            Sample::Measure { scale, var, anew, .. } => {
                let (scale, var) = (w.var(*scale, at), w.var(*var, at));
                let before = if *anew { quote!(0.0) } else { quote!(#scale.unwrap_or(0.0)) };
                quote!({ #scale = ::core::option::Option::Some(f64::max(#before, __private::magnitude!(&#var))); })
            }
        };
        match self.program.checks {
            Checks::Never => TokenStream::new(),
            Checks::Always => step,
            Checks::Debug => quote!(#[cfg(debug_assertions)] #step),
        }
    }

    /// The check that an element differs from another: that not all of their indices agree.
    pub(super) fn distinct(&self, site: TokenStream, var: VarId, pairs: &[(Expr, Expr)]) -> TokenStream {
        let w = self.writer;
        let place = self.context.name(var);
        let equal = pairs.iter().map(|(a, b)| {
            let range = |e: &Expr| crate::analysis::index::may_be_range(self.context.vars, e);
            let (first, second) = (w.expr(a), w.expr(b));
            if range(a) || range(b) {
                return quote!(__private::overlap!(&(#first), &(#second)));
            }
            // `[i, j]` and `(i, j)` mean the same element.
            if let (Some(a), Some(b)) = (components(a), components(b))
                && a.len() == b.len()
            {
                let (a, b) = (a.iter().map(|e| w.expr(e)), b.iter().map(|e| w.expr(e)));
                return quote!((#((#a) == (#b))&&*));
            }
            quote_spanned!(b.span.first=> __private::same_index((&(#first), &(#second))))
        });
        let index = w.expr(&pairs[0].0);
        quote!(__private::check_distinct(#site, #place, #(#equal)&&*, &(#index));)
    }
}

/// Raises `kind` if two values differ; their types decide how they are compared. Of a type that cannot be, rustc says the same in all runs,
/// and so once.
pub(super) fn same(
    at: proc_macro2::Span,
    site: &TokenStream,
    kind: &TokenStream,
    variable: &str,
    expected: &TokenStream,
    actual: &TokenStream,
) -> TokenStream {
    quote_spanned! {at=> {
        #[allow(unused_imports)]
        use __private::{SameByCompare as _, SameByElements as _, SameByEquality as _};
        (&&&__private::Pair::new(#expected, #actual)).check_same(#site, __private::ErrorKind::#kind, #variable);
    }}
}
