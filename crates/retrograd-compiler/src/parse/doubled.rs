//! One name twice in one pattern: it could mean either part.

use proc_macro2::Ident;
use syn::Pat;
use syn::visit::{self, Visit};

use super::pattern::is_constant;
use crate::diagnostics::Diagnostics;
use crate::span::Span;

/// Reports every name that a pattern of the body binds twice.
pub(super) fn check(body: &syn::Block, diagnostics: &Diagnostics) {
    Doubled { diagnostics }.visit_block(body);
}

struct Doubled<'d> {
    diagnostics: &'d Diagnostics,
}

impl Doubled<'_> {
    /// Patterns that are bound together.
    fn together<'p>(&self, pats: impl IntoIterator<Item = &'p Pat>) {
        let mut names = Names::default();
        pats.into_iter().for_each(|pat| names.visit_pat(pat));
        for name in names.doubled {
            self.diagnostics.error(
                Span::of(&name),
                format!(
                    "`{name}` stands twice in this pattern, and could mean either part; give each a name of its own"
                ),
            );
        }
    }
}

impl Visit<'_> for Doubled<'_> {
    fn visit_local(&mut self, local: &syn::Local) {
        self.together([&local.pat]);
        visit::visit_local(self, local);
    }

    fn visit_expr_for_loop(&mut self, e: &syn::ExprForLoop) {
        self.together([&*e.pat]);
        visit::visit_expr_for_loop(self, e);
    }

    fn visit_expr_let(&mut self, e: &syn::ExprLet) {
        self.together([&*e.pat]);
        visit::visit_expr_let(self, e);
    }

    fn visit_arm(&mut self, arm: &syn::Arm) {
        self.together([&arm.pat]);
        visit::visit_arm(self, arm);
    }

    fn visit_expr_closure(&mut self, e: &syn::ExprClosure) {
        self.together(&e.inputs);
        visit::visit_expr_closure(self, e);
    }

    // An item has bodies of its own, which rustc reads.
    fn visit_item(&mut self, _: &syn::Item) {}
}

/// The names that patterns bind.
#[derive(Default)]
struct Names {
    seen: Vec<Ident>,
    doubled: Vec<Ident>,
}

impl Visit<'_> for Names {
    fn visit_pat_ident(&mut self, pat: &syn::PatIdent) {
        if self.seen.contains(&pat.ident) {
            self.doubled.push(pat.ident.clone());
        } else if !is_constant(&pat.ident.to_string()) {
            self.seen.push(pat.ident.clone());
        }
        visit::visit_pat_ident(self, pat);
    }

    // Alternatives bind the same names, and are refused where they bind any.
    fn visit_pat_or(&mut self, _: &syn::PatOr) {}

    // Bounds of a range are values.
    fn visit_expr(&mut self, _: &syn::Expr) {}
}
