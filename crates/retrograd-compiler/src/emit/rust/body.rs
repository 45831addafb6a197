//! The body of a companion: the statements of a program as Rust.
//!
//! What is written is what the user wrote: an update is an update, a loop a loop. What is added are run-time checks
//! under `cfg!(debug_assertions)` and, in the forward function, dead code by which rustc checks purity.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use super::callees::Callees;
use super::paths::SHADOW;
use super::tokens::Writer;
use crate::analysis::Context;
use crate::hygiene::fresh;
use crate::ir::{
    Activity, Binding, BindingKind, ExitKind, Expr, ExprKind, Host, If, Kind, Program, Records, Rule, Run, Stmt,
    Syntax, VarId, VarKind, While,
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
    pub(super) output: Option<TokenStream>,
    pub(super) value: Option<VarId>,
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
        let (pure, value) = (emitter.pure_result(e), emitter.writer.expr(e));
        quote!(#pure #value)
    });
    // What is behind them sees the items, and so do the types.
    let meant = (purity && derivatives).then(|| super::meant::in_program(program));
    let numbers = purity.then(|| super::meant::numbers(program));
    // One name for the many paths into the runtime: they are most of the tokens of a body. A body may need none of them.
    let private = quote!(
        #[allow(unused_imports)]
        use ::retrograd::private as __private;
    );
    let imports = callees.map(Callees::imports);
    let mut written = quote!(#private #imports #by_hand #(#items)* #numbers #meant #slots #typing);
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
                asks: false,
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
                let scrutinee = w.head(&self.matched(s));
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
                let pure = value.map(|value| self.pure_result(value));
                let exit = print::exit(&s.kind, |e| self.writer.expr(&self.not_moved(e)));
                quote_spanned!(s.span.first=> #pure #exit)
            }
            Stmt::Host(s) => self.host(s),
            Stmt::Recompute(_) | Stmt::Conjugate(_) | Stmt::Inverse(_) | Stmt::Compute(_) | Stmt::Uncompute(_) => {
                unreachable!("`lower` has replaced it by what it runs")
            }
        }
    }

    fn if_stmt(&self, s: &If, stmt: &Stmt) -> TokenStream {
        let conditions = std::iter::once(&s.condition.pre).chain(&s.condition.post);
        let pure = self.pure(conditions);
        let condition = self.writer.head(&self.not_given(&s.condition.pre));
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
        let tokens = self.program.hosts[s.number].tokens();
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
