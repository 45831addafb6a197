//! Run-time checks: where they stand in the source, and when they are made.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::analysis::effects::Access;
use crate::analysis::index::components;
use crate::analysis::relation::Relation;
use crate::ir::{Check, Checks, Expected, Expr, Stmt, Update};
use crate::print;

impl Emitter<'_> {
    /// The place of a statement, for errors.
    pub(super) fn site(&self, stmt: &Stmt) -> TokenStream {
        let (line, column) = stmt.span().line_column();
        let function = self.program.name.to_string();
        let statement = print::head(&self.context, stmt);
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

    /// The comparison of a restored local with what it was, in every build.
    pub(super) fn drift(&self, s: &Check) -> TokenStream {
        if self.unchecked.get() {
            return TokenStream::new();
        }
        let w = self.writer;
        let at = s.binding.span.first;
        let (site, variable) = (self.site(&Stmt::Begin((*s.binding).clone())), &self.context.vars[s.var.0].written);
        let (var, scale, expected) = (w.var(s.var, at), w.var(s.scale, at), w.expr(s.expected.expr()));
        match s.expected {
            Expected::Value(_) => {
                quote!(__private::check_drift!(#site, #variable, &(#expected), &#var, #scale);)
            }
            Expected::Each(_) => {
                quote!(__private::check_drift_of_each!(#site, #variable, &(#expected), &#var, #scale);)
            }
            Expected::Kept(_) => quote! {
                if let ::core::option::Option::Some(witness) = &#expected {
                    __private::check_drift!(#site, #variable, witness, &#var, #scale);
                }
            },
        }
    }

    /// Rule 1: another element of the target's array may be read, if it is another one.
    pub(super) fn distinct_operand(&self, update: &Update, stmt: &Stmt) -> TokenStream {
        let write = self.context.access(&update.target, false);
        let reads = self.context.expr_reads(update.written.as_deref().unwrap_or(&update.operand));
        let pairs = self.doubtful(&write, &reads);
        pairs.into_iter().map(|pairs| self.check(|site| self.distinct(site, &write, &pairs), stmt)).collect()
    }

    /// What a living `let` has read may not be changed; another element of the same array may, if it is another one.
    pub(super) fn distinct_from_lets(&self, stmt: &Stmt) -> TokenStream {
        let alive = self.alive.borrow();
        let writes = self.context.own_effects(stmt).writes;
        let mut checks = TokenStream::new();
        for write in &writes {
            for (_, reads) in alive.iter() {
                for pairs in self.doubtful(write, reads) {
                    checks.extend(self.check(|site| self.distinct(site, write, &pairs), stmt));
                }
            }
        }
        checks
    }

    /// The pairs of indices of which it cannot be seen that they differ.
    pub(super) fn doubtful(&self, write: &Access, reads: &[Access]) -> Vec<Vec<(Expr, Expr)>> {
        let mut all: Vec<Vec<(Expr, Expr)>> = Vec::new();
        for read in reads {
            if let Relation::Indices(pairs) = self.context.disturbs(write, read)
                && !all.contains(&pairs)
            {
                all.push(pairs);
            }
        }
        all
    }

    /// The check that an element differs from another: that not all of their indices agree.
    pub(super) fn distinct(&self, site: TokenStream, write: &Access, pairs: &[(Expr, Expr)]) -> TokenStream {
        let w = self.writer;
        let place = self.context.name(write.place.root);
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
