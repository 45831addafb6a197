//! Statements that change a place: updates, maps, permutations.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use super::callees::Purpose;
use super::guard::same;
use super::tokens::Writer;
use crate::hygiene::fresh;
use crate::ir::{
    Elementary, Expr, ExprKind, Flip, FlipOp, Map, MapFn, Permutation, Permute, Rule, Run, Stmt, Update, UpdateOp,
    VarKind,
};
use crate::print;

impl Emitter<'_> {
    pub(super) fn update(&self, s: &Update, stmt: &Stmt) -> TokenStream {
        let w = self.writer;
        let at = s.span.first;
        if matches!(self.context.vars[s.target.root.0].kind, VarKind::Shadow { .. }) {
            return self.accumulate(s);
        }
        let pure = self.pure_update(s);
        // A factor is an argument of any type; a term has the type of the target.
        let typed = w.derivative || matches!(s.op, UpdateOp::Mul | UpdateOp::Div);
        let (target, operand) = (w.place(&s.target), Writer { typed, ..w }.expr(&self.not_given(&s.operand)));
        // The operand is computed before the target is borrowed.
        let root = s.target.root;
        let (first, operand) = if s.operand.mentions(root) {
            let name = fresh("operand");
            (Some(quote!(let #name = #operand;)), quote!(#name))
        } else {
            (None, operand)
        };
        let update = match s.op {
            UpdateOp::Add => quote_spanned!(at=> #target += #operand;),
            UpdateOp::Sub => quote_spanned!(at=> #target -= #operand;),
            UpdateOp::Xor => quote_spanned!(at=> #target ^= #operand;),
            UpdateOp::Mul | UpdateOp::Div => {
                let (site, checked) = (self.site(stmt), self.checked());
                let function = if s.op == UpdateOp::Mul { quote!(mul_update) } else { quote!(div_update) };
                quote_spanned!(at=> __private::#function(&mut #target, #operand, #site, #checked);)
            }
        };
        let keep = s.kept.map(|slot| self.keep(&s.target, slot));
        [Some(pure), keep, first, Some(update)].into_iter().flatten().collect()
    }

    /// A step on a shadow; its type says what that means.
    fn accumulate(&self, s: &Update) -> TokenStream {
        if let ExprKind::Rule(Rule::Bend, parts) = &s.operand.kind {
            let (target, parts) = (self.writer.place(&s.target), parts.iter().map(|part| self.writer.expr(part)));
            let function = if s.op == UpdateOp::Sub { quote!(bend_back) } else { quote!(bend) };
            // Computed only where there is a weight.
            return quote_spanned!(s.span.first=> __private::#function(&mut #target, || (#(#parts),*)););
        }
        let (target, operand) = (self.writer.place(&s.target), self.writer.expr(&s.operand));
        let (function, negative) = match (s.op, self.program.run) {
            (UpdateOp::Mul, Run::Tangent) => (quote!(scale_tangent), None),
            (UpdateOp::Mul, Run::Adjoint | Run::Spend | Run::Keep | Run::Values) => (quote!(scale), None),
            (op, Run::Tangent) => {
                let negative = op == UpdateOp::Sub;
                (quote!(add_tangent), Some(quote!(#negative,)))
            }
            (UpdateOp::Sub, Run::Adjoint | Run::Spend | Run::Keep | Run::Values) => (quote!(sub), None),
            (UpdateOp::Add | UpdateOp::Div | UpdateOp::Xor, Run::Adjoint | Run::Spend | Run::Keep | Run::Values) => {
                (quote!(add), None)
            }
        };
        let at = s.span.first;
        // An error in a variable that the user does not see is one in the statement.
        let target = match self.context.vars[s.target.root.0].kind {
            VarKind::Shadow { reference: false } => quote_spanned!(at=> (#target)),
            _ => target,
        };
        if s.operand.mentions(s.target.root) {
            let name = fresh("operand");
            return quote_spanned! {at=>
                { let #name = #operand; __private::#function(&mut #target, #negative #name); }
            };
        }
        // A product that is added to something may be rounded together with the sum.
        if let (
            ExprKind::Rule(Rule::Pull, factors),
            UpdateOp::Add | UpdateOp::Sub,
            Run::Adjoint | Run::Spend | Run::Keep | Run::Values,
        ) = (&s.operand.kind, s.op, self.program.run)
        {
            let function = if s.op == UpdateOp::Sub { quote!(sub_pulled) } else { quote!(add_pulled) };
            let (derivative, partial) = (self.writer.lent(&factors[0], &factors[1]), self.writer.expr(&factors[1]));
            return quote_spanned!(at=> __private::#function(&mut #target, #derivative, #partial););
        }
        quote_spanned!(at=> __private::#function(&mut #target, #negative #operand);)
    }

    pub(super) fn flip(&self, s: &Flip) -> TokenStream {
        let pure = self.pure_flip(s);
        let target = self.writer.place(&s.target);
        let shadow = matches!(self.context.vars[s.target.root.0].kind, VarKind::Shadow { .. });
        let flip = match s.op {
            FlipOp::Neg if shadow => {
                quote_spanned!(s.span.first=> #target = __private::negate(#target);)
            }
            FlipOp::Neg => quote_spanned!(s.span.first=> #target = -#target;),
            FlipOp::Not => quote_spanned!(s.span.first=> #target = !#target;),
        };
        quote!(#pure #flip)
    }

    pub(super) fn map(&self, s: &Map, stmt: &Stmt) -> TokenStream {
        let pure = self.pure(s.target.indices());
        let (target, before) = (self.writer.place(&s.target), fresh("before"));
        // By its name it is that of numbers, whose inverse is known. Integers have none, but a trait may give them one.
        let asked = matches!(s.function, MapFn::Method(_)) && self.purity.get() && !self.is_real(&s.target);
        let asked = asked.then(|| quote_spanned!(s.span.first=> if false { __private::mapped(&#target); }));
        let there = self.mapped(s, &s.function);
        let back = self.mapped(s, &crate::invert::invert_map(&s.function));
        let variable = print::place(self.context.vars, &s.target);
        let check = self.check(
            |site| same(s.span.first, &site, &quote!(RoundTrip), &variable, &quote!(&#before), &quote!(&#back)),
            stmt,
        );
        let keep = (!check.is_empty()).then(|| quote!(let #before = #target;));
        quote_spanned!(s.span.first=> #pure #asked { #keep #target = #there; #check })
    }

    /// The image of the target under a bijection.
    fn mapped(&self, s: &Map, function: &MapFn) -> TokenStream {
        let (place, receiver) = (self.writer.place(&s.target), self.writer.receiver(&s.target));
        match function {
            // `f64` has no `cube`, and the user need not import the trait that has it.
            MapFn::Method(Elementary::Cube) => quote!(__private::Real::cube(#place)),
            MapFn::Method(function) => {
                let name = Ident::new(function.name(), s.span.first);
                quote!(#receiver.#name())
            }
            MapFn::Function { path, inverse } => {
                if !inverse {
                    return quote!(#path(#place));
                }
                let holder = self.writer.holder(path, Purpose::Bijection);
                quote!(<#holder>::inverse(#place))
            }
        }
    }

    pub(super) fn permute(&self, s: &Permute) -> TokenStream {
        let w = self.writer;
        // Through `[..]` the method is the one of slices, whatever type the container has.
        let target = w.receiver(&s.target);
        let (arguments, call): (Vec<&Expr>, TokenStream) = match &s.permutation {
            Permutation::Swap(i, j) => {
                let (first, second) = (w.expr(i), w.expr(j));
                (vec![i, j], quote!(swap(#first, #second)))
            }
            Permutation::Reverse => (Vec::new(), quote!(reverse())),
            Permutation::RotateLeft(k) => {
                let amount = w.expr(k);
                (vec![k], quote!(rotate_left(#amount)))
            }
            Permutation::RotateRight(k) => {
                let amount = w.expr(k);
                (vec![k], quote!(rotate_right(#amount)))
            }
        };
        let pure = self.pure(s.target.indices().chain(arguments.iter().copied()));
        let asked = (self.purity.get() && !self.is_slice_place(&s.target)).then(|| {
            let container = w.place(&self.pointee(&s.target));
            quote_spanned!(s.target.span.first=> if false { __private::permuted(&#container); })
        });
        let pure = quote!(#pure #asked);
        // The amount is computed before the slice is borrowed.
        if arguments.iter().any(|e| e.mentions(s.target.root)) {
            let names: Vec<_> = (0..arguments.len()).map(|i| crate::hygiene::numbered("argument", i)).collect();
            let values = arguments.iter().map(|e| w.expr(e));
            let method = match &s.permutation {
                Permutation::Swap(..) => quote!(swap),
                Permutation::Reverse => quote!(reverse),
                Permutation::RotateLeft(_) => quote!(rotate_left),
                Permutation::RotateRight(_) => quote!(rotate_right),
            };
            return quote_spanned!(s.span.first=> #pure { #(let #names = #values;)* #target[..].#method(#(#names),*); });
        }
        quote_spanned!(s.span.first=> #pure #target[..].#call;)
    }
}
