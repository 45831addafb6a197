//! The body of a companion: the statements of a program as Rust.
//!
//! What is written is what the user wrote: an update is an update, a loop a loop. What is added are run-time checks
//! under `cfg!(debug_assertions)` and, in the forward function, dead code by which rustc checks purity.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::callees::{Callees, Purpose};
use super::paths::SHADOW;
use super::tokens::Writer;
use crate::analysis::Context;
use crate::hygiene::fresh;
use crate::ir::{
    Activity, Binding, BindingKind, Elementary, ExitKind, Expr, ExprKind, Flip, FlipOp, Host, If, Kind, Map, MapFn,
    Permutation, Permute, Program, Records, Rule, Run, Scheduled, Stmt, Syntax, Update, UpdateOp, VarId, VarKind,
    While,
};
use crate::print;

/// Writes one body.
pub(super) struct Emitter<'p> {
    pub(super) program: &'p Program,
    pub(super) context: Context<'p>,
    pub(super) writer: Writer<'p>,
    /// Whether this is the function itself, and none of its companions.
    pub(super) forward: bool,
    /// Whether purity is checked: once, in the forward function.
    pub(super) purity: Cell<bool>,
    /// The statements for which it was, by where they stand: the copies of an unrolled loop need not be checked again.
    asked: RefCell<HashMap<(usize, usize), Vec<Stmt>>>,
    /// Whether the program has derivatives.
    pub(super) derivatives: bool,
    /// In a derivative run of a function, the type of its value, of which rustc is silent if it has none; and the register that
    /// holds the value first.
    output: Option<TokenStream>,
    value: Option<VarId>,
    /// Inside `#[unchecked]`.
    pub(super) unchecked: Cell<bool>,
    /// Inside a loop that has one piece of the record for all its iterations.
    pub(super) windowed: Cell<bool>,
}

/// The statements of a program, and its value if it is a function.
pub(super) fn body(program: &Program, derivatives: bool, callees: Option<&Callees>) -> TokenStream {
    write(program, false, derivatives, callees, None, None)
}

/// The statements of a run with a record, which is given. What is kept in the first half is dead code in the others: the types of what
/// comes back are the types of what went in.
pub(super) fn recorded(program: &Program, kept: Option<&Program>, callees: Option<&Callees>) -> TokenStream {
    write(program, false, true, callees, None, kept)
}

/// The same with dead code, by which rustc checks what is asked of expressions and types.
pub(super) fn forward(program: &Program, derivatives: bool, callees: Option<&Callees>) -> TokenStream {
    write(program, true, derivatives, callees, None, None)
}

/// The statements of a derivative run, and its value, of that type.
pub(super) fn derivative(program: &Program, callees: Option<&Callees>, output: Option<TokenStream>) -> TokenStream {
    write(program, false, true, callees, output, None)
}

fn write(
    program: &Program,
    purity: bool,
    derivatives: bool,
    callees: Option<&Callees>,
    output: Option<TokenStream>,
    kept: Option<&Program>,
) -> TokenStream {
    let emitter = Emitter::new(program, purity, derivatives, callees, output);
    let by_hand = (matches!(program.run, Run::Tangent | Run::Adjoint) && ends_by_hand(program)).then(|| {
        let shadow = format_ident!("{SHADOW}");
        quote!(const { __private::undone_by_itself::<#shadow>() };)
    });
    let items = program.items.iter().map(Syntax::tokens);
    let slots = super::records::slots(program, kept.map(|kept| &kept.body));
    // Nothing follows it, so that it moves nothing.
    let typing = kept.map(|kept| {
        let kept = Emitter::new(kept, false, true, callees, None).block(&kept.body);
        quote!(if false { #kept ::core::unreachable!() })
    });
    let stmts = emitter.block(&program.body);
    let result = program.result.as_ref().map(|e| {
        let pure = match &program.output {
            Some(ty) if purity && !emitter.names_places(e) => {
                let (ty, e) = (ty.written.tokens(), emitter.checking().expr(&emitter.without_moves(e)));
                quote!(if false { __private::pure::<#ty>(|| #e); })
            }
            _ => TokenStream::new(),
        };
        let value = emitter.writer.expr(e);
        quote!(#pure #value)
    });
    // What is behind them sees the items, and so do the types.
    let meant = (purity && derivatives).then(|| super::meant::in_program(program));
    // One name for the many paths into the runtime: they are most of the tokens of a body. A body may need none of them.
    let private = quote!(
        #[allow(unused_imports)]
        use ::retrograd::private as __private;
    );
    let imports = callees.map(Callees::imports);
    let mut written = quote!(#private #imports #by_hand #(#items)* #meant #slots #typing);
    written.extend(stmts);
    written.extend(result);
    written
}

/// Whether a procedure without a record has a local with a derivative that the user ends by hand.
fn ends_by_hand(program: &Program) -> bool {
    let is_active = |var: &VarId| program.vars[var.0].activity == Activity::Active;
    let by_hand = |stmt: &Stmt| {
        let manual = stmt.begun().filter(|b| b.kind == BindingKind::Manual);
        manual.is_some_and(|b| b.pattern.bindings().iter().any(is_active))
    };
    program.kind == Kind::Procedure && program.records == Records::Nothing && program.body.any(&by_hand)
}

/// The register that the value of a derivative run is taken from.
fn first_value(program: &Program) -> Option<VarId> {
    let holds_the_value = |binding: &&Binding| binding.ty.is_some() && binding.ty == program.output;
    let mut bindings =
        program.body.stmts.iter().filter_map(|stmt| if let Stmt::Begin(b) = stmt { Some(b) } else { None });
    let value = &bindings.rfind(holds_the_value)?.value;
    let value = if let ExprKind::Rule(Rule::Fitting, args) = &value.kind { &args[0] } else { value };
    if let ExprKind::Var(var) = value.kind { Some(var) } else { None }
}

impl<'p> Emitter<'p> {
    fn new(
        program: &'p Program,
        purity: bool,
        derivatives: bool,
        callees: Option<&'p Callees>,
        output: Option<TokenStream>,
    ) -> Emitter<'p> {
        Emitter {
            program,
            context: Context::new(program),
            writer: Writer {
                vars: &program.vars,
                real: program.numbers.literal(),
                readable: false,
                as_written: false,
                derivative: program.run != Run::Values,
                typed: program.run != Run::Values,
                dead: false,
                encloses: program.kind == Kind::Procedure,
                callees,
            },
            forward: purity,
            purity: Cell::new(purity),
            asked: RefCell::default(),
            windowed: Cell::new(false),
            derivatives,
            value: output.as_ref().and_then(|_| first_value(program)),
            output,
            unchecked: Cell::new(false),
        }
    }

    pub(super) fn stmt(&self, stmt: &Stmt) -> TokenStream {
        if !self.purity.get() {
            return self.written(stmt);
        }
        self.purity.set(self.is_new(stmt));
        let both = [self.indexed(stmt), self.written(stmt)];
        self.purity.set(true);
        both.into_iter().collect()
    }

    /// Whether a statement is no copy of one that was written before.
    fn is_new(&self, stmt: &Stmt) -> bool {
        let at = stmt.span().first.start();
        let mut written = self.asked.borrow_mut();
        let there = written.entry((at.line, at.column)).or_default();
        let new = !there.contains(stmt);
        if new {
            there.push(stmt.clone());
        }
        new
    }

    fn written(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Update(s) => self.update(s, stmt),
            Stmt::Flip(s) => self.flip(s),
            Stmt::Map(s) => self.map(s, stmt),
            Stmt::Swap(s) => self.swap(s, stmt),
            Stmt::Permute(s) => self.permute(s),
            Stmt::Call(s) => self.call(s, stmt),
            Stmt::Begin(s) => self.begin(s),
            Stmt::End(s) => self.end(s, stmt),
            Stmt::If(s) => self.if_stmt(s, stmt),
            Stmt::Match(s) => {
                let w = self.writer;
                let pure = self.pure_reads([&s.scrutinee]);
                let scrutinee = w.head(&s.scrutinee);
                let arms = s.arms.iter().map(|arm| {
                    let (pattern, body) = (w.pattern(&arm.pattern), self.block(&arm.body));
                    let pure = self.pure(&arm.guard);
                    let guard = arm.guard.as_ref().map(|e| w.expr(e)).map(|e| quote!(if #e));
                    quote!(#pattern #guard => { #pure #body })
                });
                quote_spanned!(s.span.first=> #pure match #scrutinee { #(#arms)* })
            }
            Stmt::While(s) => self.while_stmt(s, stmt),
            Stmt::For(s) => self.for_loop(s),
            Stmt::Block(s) => {
                let body = self.block(s);
                quote_spanned!(s.span.first=> { #body })
            }
            Stmt::Unchecked(s) => {
                let before = self.unchecked.replace(true);
                let inner = self.stmt(s);
                self.unchecked.set(before);
                inner
            }
            Stmt::Check(s) => self.relied_on(s),
            Stmt::Assign(s) => self.assign(s),
            Stmt::Keep(s) => self.keep(&s.place, s.slot),
            Stmt::Restore(s) => self.restore(s),
            Stmt::Give(s) => {
                let (result, value) =
                    (self.writer.var(s.result, s.span.first), self.writer.expr(&self.not_moved(&s.value)));
                quote_spanned!(s.span.first=> #result = ::core::option::Option::Some(#value);)
            }
            Stmt::Loop(s) => self.loop_stmt(s),
            Stmt::Exit(s) => {
                let value = if let ExitKind::Return(value) = &s.kind { value.as_ref() } else { None };
                let pure = self.pure(value.into_iter().flat_map(|value| self.unmoved(value)));
                let exit = print::exit(&s.kind, |e| self.writer.expr(&self.not_moved(e)));
                quote_spanned!(s.span.first=> #pure #exit)
            }
            Stmt::Host(s) => self.host(s),
            Stmt::Recompute(_) | Stmt::Conjugate(_) | Stmt::Inverse(_) | Stmt::Compute(_) | Stmt::Uncompute(_) => {
                unreachable!("`lower` has replaced it by what it runs")
            }
        }
    }

    fn update(&self, s: &Update, stmt: &Stmt) -> TokenStream {
        let w = self.writer;
        let at = s.span.first;
        if matches!(self.context.vars[s.target.root.0].kind, VarKind::Shadow { .. }) {
            return self.accumulate(s);
        }
        let pure = self.pure_update(s);
        // A factor is an argument of any type; a term has the type of the target.
        let typed = w.derivative || matches!(s.op, UpdateOp::Mul | UpdateOp::Div);
        let (target, operand) = (w.place(&s.target), Writer { typed, ..w }.expr(&s.operand));
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
            let factors = factors.iter().map(|factor| self.writer.expr(factor));
            return quote_spanned!(at=> __private::#function(&mut #target, #(#factors),*););
        }
        quote_spanned!(at=> __private::#function(&mut #target, #negative #operand);)
    }

    fn flip(&self, s: &Flip) -> TokenStream {
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

    fn map(&self, s: &Map, stmt: &Stmt) -> TokenStream {
        let pure = self.pure(s.target.indices());
        let (target, before) = (self.writer.place(&s.target), fresh("before"));
        let there = self.mapped(s, &s.function);
        let back = self.mapped(s, &crate::invert::invert_map(&s.function));
        let variable = print::place(self.context.vars, &s.target);
        let check = self.check(
            |site| {
                quote!(__private::check_same!(
                #site, __private::ErrorKind::RoundTrip, #variable, &#before, &#back
            );)
            },
            stmt,
        );
        let keep = (!check.is_empty()).then(|| quote!(let #before = #target;));
        quote_spanned!(s.span.first=> #pure { #keep #target = #there; #check })
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

    fn permute(&self, s: &Permute) -> TokenStream {
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

    /// Whether a register holds the value of a function while its record is used, and given back.
    fn sets_aside(&self, s: &Binding) -> bool {
        let result =
            self.program.result.as_ref().and_then(|e| if let ExprKind::Var(var) = e.kind { Some(var) } else { None });
        self.program.run == Run::Adjoint && self.program.leases() && result.is_some() && s.pattern.as_var() == result
    }

    fn begin(&self, s: &Binding) -> TokenStream {
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
        let (pattern, value) = (w.pattern(&s.pattern), w.expr(&self.kept(s)));
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
                let allowed = unchanged.then(|| quote!(#[allow(unused_mut)]));
                quote_spanned!(at=> #before #allowed let mut #pattern #ty = #value; #after)
            }
        }
    }

    fn end(&self, s: &Binding, stmt: &Stmt) -> TokenStream {
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
                    |site| {
                        quote!(__private::check_same!(
                        #site, __private::ErrorKind::Released, #variable, &(#value), &#name
                    );)
                    },
                    stmt,
                );
                self.unchecked.set(outside);
                // In builds without checks nothing else may read it any more.
                let drop = check.is_empty().then(|| quote!(let _ = &#name;));
                quote_spanned!(s.span.first=> #pure #check #drop)
            }
        }
    }

    fn if_stmt(&self, s: &If, stmt: &Stmt) -> TokenStream {
        let conditions = std::iter::once(&s.condition.pre).chain(&s.condition.post);
        let pure = self.pure(conditions);
        let condition = self.writer.head(&s.condition.pre);
        let then = self.block(&s.then);
        let otherwise = s.otherwise.as_ref().map(|block| self.block(block));
        let (after_then, after_else) = match &s.condition.post {
            Some(post) => (self.check_condition(stmt, post, true), self.check_condition(stmt, post, false)),
            None => (TokenStream::new(), TokenStream::new()),
        };
        let otherwise = match (otherwise, after_else.is_empty()) {
            (None, true) => TokenStream::new(),
            (otherwise, _) => quote!(else { #otherwise #after_else }),
        };
        quote_spanned!(s.span.first=> #pure if #condition { #then #after_then } #otherwise)
    }

    fn check_condition(&self, stmt: &Stmt, post: &Expr, expected: bool) -> TokenStream {
        let (tokens, text) = (self.writer.expr(post), print::expr(self.context.vars, post));
        let kind = match (matches!(stmt, Stmt::While(_)), expected) {
            (true, false) => quote!(LoopEntry),
            (true, true) => quote!(LoopTurn),
            (false, _) => quote!(Postcondition),
        };
        self.check(
            |site| {
                quote!(__private::check_condition(
                #site, __private::ErrorKind::#kind, #text, #expected, #tokens
            );)
            },
            stmt,
        )
    }

    fn while_stmt(&self, s: &While, stmt: &Stmt) -> TokenStream {
        let pure = self.pure([&s.pre, &s.post]);
        let (condition, body) = (self.writer.head(&s.pre), self.block(&s.body));
        let (entry, turn) = (self.check_condition(stmt, &s.post, false), self.check_condition(stmt, &s.post, true));
        quote_spanned!(s.span.first=> #pure #entry while #condition { #body #turn })
    }

    fn host(&self, s: &Host) -> TokenStream {
        let tokens = s.tokens.tokens();
        let pure = self.purity.get().then(|| {
            let hosts = s.reads.iter().filter(|var| self.context.vars[var.0].kind == VarKind::Host);
            // A host statement may only read its parameter, or not use it at all where the program hands it on.
            let hosts = hosts.map(|var| {
                let name = self.writer.var(*var, s.span.first);
                quote!(#[allow(unused_mut, unused_variables)] let mut #name = __private::never_like(&#name);)
            });
            quote!(if false { __private::pure(|| { #(#hosts)* #tokens }); })
        });
        // A derivative run fills a record too, and hosts rest then.
        let record = fresh("record");
        let runs = (self.program.run == Run::Keep).then(|| quote!(if #record.runs_hosts()));
        quote_spanned!(s.span.first=> #pure #runs { #tokens })
    }
}
