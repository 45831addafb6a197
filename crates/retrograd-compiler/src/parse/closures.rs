//! Closures. One that has a name, and captures nothing that could change, stands where the name is used.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use syn::Expr as Syn;
use syn::visit::{self, Visit};

use super::expr::typed;
use super::overwrite::bare;
use super::pattern::attributes;
use super::{Parser, ordinary};
use crate::ir::{Expr, ExprKind, Mode, VarId, VarKind};
use crate::signature::types;
use crate::span::Span;

/// `x.iter().for_each(|p| e);` is `for p in x.iter() { e; }`. The closure's own `return` would be a `continue`.
pub(super) fn as_for_loop(call: &syn::ExprMethodCall) -> Option<syn::ExprForLoop> {
    let (Some(Syn::Closure(closure)), true) = (call.args.first().map(bare), call.method == "for_each") else {
        return None;
    };
    let (iter, body) = (&call.receiver, &closure.body);
    let pat = closure.inputs.first().filter(|_| closure.inputs.len() == 1)?;
    let plain = matches!(bare(iter), Syn::MethodCall(_) | Syn::Range(_)) && !returns(body);
    plain.then(|| syn::parse_quote_spanned!(syn::spanned::Spanned::span(call)=> for #pat in #iter { #body; }))
}

fn returns(e: &Syn) -> bool {
    struct Returns(bool);
    impl<'a> Visit<'a> for Returns {
        fn visit_expr_return(&mut self, _: &'a syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut found = Returns(false);
    found.visit_expr(e);
    found.0
}

impl Parser<'_> {
    pub(super) fn closure(&mut self, e: &syn::ExprClosure, span: Span) -> Option<Expr> {
        self.names.enter();
        let params = e
            .inputs
            .iter()
            .map(|pat| {
                self.no_attributes(attributes(pat));
                let (pat, ty) = typed(pat);
                Some((self.pattern(pat, ty.as_ref(), &VarKind::Bound)?, ty))
            })
            .collect::<Option<Vec<_>>>();
        let body = self.boxed(&e.body);
        self.names.leave();
        Some(Expr::new(ExprKind::Closure { params: params?, body: body? }, span))
    }

    /// `let f = |x| e;`: whether `f` is a name for an expression, which needs no memory and has the derivative of that.
    pub(super) fn names_a_closure(&mut self, name: &syn::PatIdent, value: &Syn) -> bool {
        let Syn::Closure(closure) = bare(value) else { return false };
        let plain = name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none();
        let inlined = plain
            && closure.asyncness.is_none()
            && !ordinary::runs_statements(&closure.body, &self.names)
            && captured(closure, &|ident| self.names.lookup(ident)).into_iter().all(|var| self.stays(var));
        if inlined {
            let var = self.names.declare(&name.ident, None, VarKind::Let);
            self.closures.insert(var, closure.clone());
        }
        inlined
    }

    /// Whether nothing can change a variable.
    fn stays(&self, var: VarId) -> bool {
        matches!(self.var(var).kind, VarKind::Param(Mode::Value | Mode::Borrow) | VarKind::Let | VarKind::Bound)
    }

    /// The closure that is called by its name.
    pub(super) fn names_closure(&self, callee: &Syn) -> Option<VarId> {
        let Syn::Path(path) = bare(callee) else { return None };
        self.names.lookup(path.path.get_ident()?).filter(|var| self.closures.contains_key(var))
    }

    /// The closure itself, as a value.
    pub(super) fn closure_named(&mut self, var: VarId, span: Span) -> Option<Expr> {
        self.as_defined(var, |parser, closure| parser.closure(closure, span))
    }

    /// `f(a, b)` is `{ let x = a; let y = b; e }` for `let f = |x, y| e;`.
    pub(super) fn closure_called(&mut self, var: VarId, args: Vec<Expr>, span: Span) -> Option<Expr> {
        self.as_defined(var, |parser, closure| {
            if closure.inputs.len() != args.len() {
                let (takes, given) = (closure.inputs.len(), args.len());
                parser.error(span, format!("this closure takes {takes} arguments, and here are {given}"));
                return None;
            }
            parser.names.enter();
            let lets = closure.inputs.iter().zip(args).map(|(pat, value)| {
                parser.no_attributes(attributes(pat));
                let (pat, ty) = typed(pat);
                let value = if let Some(ty) = &ty { value.of_type(ty) } else { value };
                Some((parser.pattern(pat, ty.as_ref(), &VarKind::Bound)?, ty, value))
            });
            let lets: Option<Vec<_>> = lets.collect::<Vec<_>>().into_iter().collect();
            let tail = parser.expr(&closure.body);
            parser.names.leave();
            let tail = match &closure.output {
                syn::ReturnType::Type(_, ty) => tail?.of_type(&types::read(ty)),
                syn::ReturnType::Default => tail?,
            };
            Some(Expr::new(ExprKind::Block { lets: lets?, tail: Rc::new(tail) }, span))
        })
    }

    /// Reads something with the names that the definition of a closure sees.
    fn as_defined<R>(&mut self, var: VarId, read: impl FnOnce(&mut Self, &syn::ExprClosure) -> R) -> R {
        let closure = self.closures[&var].clone();
        let hidden = self.names.hide_since(var);
        let read = read(self, &closure);
        self.names.show(hidden);
        read
    }
}

/// The variables that a closure captures.
fn captured(closure: &syn::ExprClosure, lookup: &dyn Fn(&syn::Ident) -> Option<VarId>) -> BTreeSet<VarId> {
    struct Captured<'l> {
        lookup: &'l dyn Fn(&syn::Ident) -> Option<VarId>,
        own: BTreeSet<String>,
        found: BTreeSet<VarId>,
    }
    impl Captured<'_> {
        fn scope(&mut self, visit: impl FnOnce(&mut Self)) {
            let own = self.own.clone();
            visit(self);
            self.own = own;
        }

        fn word(&mut self, ident: &syn::Ident) {
            if !self.own.contains(&ident.to_string()) {
                self.found.extend((self.lookup)(ident));
            }
        }

        fn words(&mut self, tokens: TokenStream) {
            tokens.into_iter().for_each(|token| match token {
                TokenTree::Ident(ident) => self.word(&ident),
                TokenTree::Group(group) => self.words(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            });
        }
    }
    impl<'a> Visit<'a> for Captured<'_> {
        fn visit_expr_path(&mut self, path: &'a syn::ExprPath) {
            path.path.get_ident().into_iter().for_each(|ident| self.word(ident));
        }

        fn visit_macro(&mut self, mac: &'a syn::Macro) {
            self.words(mac.tokens.clone());
        }

        fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
            self.own.insert(p.ident.to_string());
            visit::visit_pat_ident(self, p);
        }

        // Names that a closure, an arm, a block or a condition binds end with it.
        fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
            self.scope(|own| visit::visit_expr_closure(own, closure));
        }

        fn visit_arm(&mut self, arm: &'a syn::Arm) {
            self.scope(|own| visit::visit_arm(own, arm));
        }

        fn visit_block(&mut self, block: &'a syn::Block) {
            self.scope(|own| visit::visit_block(own, block));
        }

        fn visit_expr_if(&mut self, e: &'a syn::ExprIf) {
            self.scope(|own| {
                own.visit_expr(&e.cond);
                own.visit_block(&e.then_branch);
            });
            e.else_branch.iter().for_each(|(_, e)| self.visit_expr(e));
        }

        fn visit_local(&mut self, local: &'a syn::Local) {
            // What a name begins with does not see it.
            local.init.iter().for_each(|init| self.visit_local_init(init));
            self.visit_pat(&local.pat);
        }
    }
    let mut captured = Captured { lookup, own: BTreeSet::new(), found: BTreeSet::new() };
    captured.visit_expr_closure(closure);
    captured.found
}
