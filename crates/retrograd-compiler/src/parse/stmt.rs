//! Blocks and statements.

use std::borrow::Cow;

use quote::ToTokens;
use syn::Expr as Syn;

use super::{Parser, closures, ordinary};
use crate::ir::{
    BinaryOp, Binding, BindingKind, Block, Condition, Conjugate, Expr, ExprKind, If, Kind, Loop, Mode, Place, Records,
    Rule, Stmt, Syntax, Update, UpdateOp, VarKind, While,
};
use crate::span::Span;

/// The most iterations of a loop that are written out.
const MOST_TURNS: usize = 1024;

impl Parser<'_> {
    /// Splits a body into its statements and its value.
    pub(super) fn tail<'b>(&mut self, body: &'b syn::Block) -> (&'b [syn::Stmt], Option<&'b Syn>) {
        match (self.kind, body.stmts.split_last()) {
            (Kind::Function, Some((syn::Stmt::Expr(value, None), stmts))) if !self.ends_by_return(value) => {
                (stmts, Some(value))
            }
            (Kind::Function, Some(_)) if self.records != Records::Nothing => (&body.stmts, None),
            (Kind::Function, Some((last @ syn::Stmt::Expr(value, Some(_)), stmts))) if !is_statement(value) => {
                self.error(Span::of(last), "a function with a return type ends with its value: drop the `;`");
                (stmts, None)
            }
            (Kind::Function, _) => {
                self.error(
                    Span::of(body),
                    "a function with a return type ends with its value: an expression without `;`",
                );
                (&body.stmts, None)
            }
            (Kind::Procedure, _) => (&body.stmts, None),
        }
    }

    /// The body of the program, and its value read in the same scope.
    pub(super) fn body(&mut self, stmts: &[syn::Stmt], tail: Option<&Syn>, span: Span) -> (Block, Option<Expr>) {
        self.names.enter();
        let mut all: Vec<Stmt> = self.copies.drain(..).map(Stmt::Begin).collect();
        all.extend(self.stmts(stmts));
        let computed = tail
            .filter(|_| self.records != Records::Nothing)
            .and_then(|tail| ordinary::value(tail, &self.names, &mut self.fresh));
        let tail = match &computed {
            Some((before, value)) => {
                all.extend(self.stmts(before));
                Some(value)
            }
            None => tail,
        };
        let stmts = all;
        let result = tail.and_then(|tail| self.expr(tail));
        self.names.leave();
        self.check_given();
        (Block { stmts, span }, result)
    }

    /// A block with a scope of its own.
    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        self.names.enter();
        self.depth += 1;
        let stmts = self.stmts(&block.stmts);
        self.depth -= 1;
        self.names.leave();
        Block { stmts, span: Span::of_block(block) }
    }

    fn stmts(&mut self, stmts: &[syn::Stmt]) -> Vec<Stmt> {
        let mut read = Vec::new();
        for (i, stmt) in stmts.iter().enumerate() {
            let (attributes, bare) = split_attributes(stmt);
            if matches!(stmt, syn::Stmt::Item(_)) && !attributes.iter().any(is_of_the_language) {
                self.stmt(stmt, &mut read);
                continue;
            }
            if let [attribute] = attributes.as_slice()
                && attribute.path().is_ident("compute")
            {
                let syn::Stmt::Expr(Syn::Block(compute), _) = &*bare else {
                    self.error(
                        Span::of_stmt(stmt),
                        "`#[compute]` goes on a block: `#[compute] { .. }`, and is undone at the end of the block around it",
                    );
                    continue;
                };
                let compute = self.block(&compute.block);
                if self.kind == Kind::Function && self.depth == 0 {
                    // A function changes nothing but its own ancillas, and they end with it.
                    read.push(Stmt::Block(compute));
                    continue;
                }
                self.names.seal();
                let span = Span::of_stmt(stmt);
                let rest = Block { stmts: self.stmts(&stmts[i + 1..]), span };
                read.push(Stmt::Conjugate(Conjugate { compute, rest, span }));
                break;
            }
            self.attributed(&attributes, &bare, Span::of_stmt(stmt), &mut read);
        }
        // `let y; y = e;` has begun with its value, in a version of its own.
        read.retain(|stmt| stmt.begun().is_none_or(|binding| !self.is_never_given(binding)));
        read
    }

    /// Whether a local begins without a value, and gets none.
    fn is_never_given(&self, binding: &Binding) -> bool {
        matches!(binding.value.kind, ExprKind::Rule(Rule::Later, _))
            && binding.pattern.as_var().is_some_and(|var| !self.assigned.contains(&var))
    }

    /// Reports locals that are read and have no value at all.
    fn check_given(&self) {
        for (var, read) in self.later.iter().filter(|(var, _)| !self.assigned.contains(var)) {
            if let Some(read) = read {
                let name = &self.var(*var).written;
                self.error(*read, format!("`{name}` has no value here; give it one first, `{name} = e;`"));
            }
        }
    }

    /// A statement under its attributes, the outermost first.
    fn attributed(&mut self, attributes: &[syn::Attribute], stmt: &syn::Stmt, span: Span, read: &mut Vec<Stmt>) {
        let Some((attribute, inner)) = attributes.split_first() else {
            return self.stmt(stmt, read);
        };
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        match name.as_str() {
            "host" => match stmt {
                syn::Stmt::Local(_) => self.error(
                    span,
                    "a host statement is not part of the program, so nothing after it can see this `let`; put it and its uses \
                     into one block `#[host] { .. }`, or keep the value in a `#[host]` parameter",
                ),
                _ => read.extend(self.host(stmt, true, span)),
            },
            "unchecked" if matches!(stmt, syn::Stmt::Local(_)) => {
                let before = read.len();
                self.attributed(inner, stmt, span, read);
                let begun = read[before..].iter().filter_map(Stmt::begun);
                let ancillas: Vec<_> = begun.filter(|binding| binding.kind == BindingKind::Ancilla).collect();
                if ancillas.is_empty() {
                    self.error(
                        span,
                        "`#[unchecked]` on a `let mut` switches off the comparison of the ancilla with what it was; this `let` is computed \
                         again and never compared: drop the attribute",
                    );
                }
                for var in ancillas.iter().flat_map(|binding| binding.pattern.bindings()) {
                    self.names.vars[var.0].unchecked = true;
                }
            }
            "inverse" | "unchecked" => {
                let mut one = Vec::new();
                self.attributed(inner, stmt, span, &mut one);
                for stmt in one {
                    if let Stmt::Begin(binding) | Stmt::End(binding) = &stmt {
                        self.error(
                            binding.span,
                            format!(
                                "`#[{name}]` goes on a statement or a block that begins and ends its own locals; put the \
                                 local and the statements that use it into one block `#[{name}] {{ .. }}`"
                            ),
                        );
                        continue;
                    }
                    let stmt = Box::new(stmt);
                    read.push(if name == "inverse" { Stmt::Inverse(stmt) } else { Stmt::Unchecked(stmt) });
                }
            }
            "record" => {
                let records = match &attribute.meta {
                    syn::Meta::Path(_) => Records::Lossy,
                    _ if attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "all") => Records::All,
                    _ => {
                        self.error(
                            Span::of(attribute),
                            "`#[record]` keeps what its statement would lose, and `#[record(all)]` what `+=` and `-=` change too",
                        );
                        return;
                    }
                };
                let outside = self.records;
                self.records = outside.max(records);
                self.recorded = self.recorded.max(records);
                let before = read.len();
                self.attributed(inner, stmt, span, read);
                self.marked.extend(read[before..].iter().map(Stmt::span));
                self.records = outside;
            }
            "recompute" => {
                let mut one = Vec::new();
                self.attributed(inner, stmt, span, &mut one);
                self.recompute(attribute, one, span, read);
            }
            "checkpoint" => {
                self.checkpoint(attribute, span, read, |parser, one| parser.attributed(inner, stmt, span, one));
            }
            "constant" => {
                let mut one = Vec::new();
                self.attributed(inner, stmt, span, &mut one);
                for stmt in one {
                    match stmt {
                        Stmt::Begin(binding) => {
                            read.push(Stmt::Begin(crate::ir::Binding { constant: true, ..binding }))
                        }
                        _ => self.error(span, "`#[constant]` goes on a `let` or on a parameter"),
                    }
                }
            }
            "unroll" => match attribute.parse_args::<syn::LitInt>().and_then(|n| n.base10_parse::<usize>()) {
                Ok(n) if n > MOST_TURNS => self.error(
                    Span::of(attribute),
                    format!(
                        "`#[unroll(N)]` writes out N iterations one by one, which is for short loops: at most {MOST_TURNS}; drop it from a \
                         longer one"
                    ),
                ),
                Ok(n) => {
                    let mut one = Vec::new();
                    self.attributed(inner, stmt, span, &mut one);
                    for stmt in one {
                        match unrolled(stmt, n) {
                            Some(stmt) => read.push(stmt),
                            None => self.error(span, "`#[unroll(N)]` goes on a `for` loop"),
                        }
                    }
                }
                Err(_) => self.error(Span::of(attribute), "`#[unroll(N)]` needs a number of iterations, as in `#[unroll(4)]`"),
            },
            "allow" | "expect" | "warn" | "deny" | "doc" | "rustfmt" => {
                self.attributed(inner, stmt, span, read)
            }
            "compute" => self.error(
                span,
                "`#[compute]` stands alone on its block; put the other attribute on a block around both",
            ),
            _ => self.error(
                Span::of(attribute),
                "this attribute has no meaning on a reversible statement; there are `#[compute]`, `#[inverse]`, `#[host]`, \
                 `#[unchecked]`, `#[constant]`, `#[record]`, `#[recompute]`, `#[checkpoint(snapshots = N)]` and `#[unroll(N)]`",
            ),
        }
    }

    fn stmt(&mut self, stmt: &syn::Stmt, read: &mut Vec<Stmt>) {
        self.see_element(stmt);
        if let Some(stmts) = self.written_out(stmt) {
            stmts.iter().for_each(|stmt| self.stmt(stmt, read));
            return;
        }
        let span = Span::of_stmt(stmt);
        match stmt {
            syn::Stmt::Local(local) => self.local(local, span, read),
            syn::Stmt::Item(item) => {
                if self.depth == 0 {
                    self.items.push(Syntax::of(item));
                } else {
                    self.error(span, "items go to the top of the function's body, where both directions can see them");
                }
            }
            syn::Stmt::Expr(e, _) => read.extend(self.expr_stmt(e, span)),
            syn::Stmt::Macro(m) => read.extend(self.macro_stmt(&m.mac, stmt, span)),
        }
    }

    /// The statements that a statement is short for, where a record keeps what is lost.
    fn written_out(&mut self, stmt: &syn::Stmt) -> Option<Vec<syn::Stmt>> {
        let keeps = self.records != Records::Nothing;
        keeps.then(|| ordinary::written_out(stmt, &self.names, &mut self.fresh)).flatten()
    }

    /// `v.push(Point { x, y });` says what the elements of `v` are.
    fn see_element(&mut self, stmt: &syn::Stmt) {
        if let syn::Stmt::Expr(Syn::MethodCall(call), _) = stmt
            && let (true, Some(value), Syn::Path(path)) = (call.method == "push", call.args.first(), &*call.receiver)
            && let Some(var) = path.path.get_ident().and_then(|name| self.names.lookup(name))
            && self.var(var).element.is_none()
        {
            self.names.vars[var.0].element = ordinary::element(value).map(|element| Syntax::of(&element));
        }
    }

    fn expr_stmt(&mut self, e: &Syn, span: Span) -> Option<Stmt> {
        match e {
            Syn::Paren(inner) => self.expr_stmt(&inner.expr, span),
            Syn::Group(inner) => self.expr_stmt(&inner.expr, span),
            Syn::Binary(binary) => self.update(binary, span),
            Syn::Assign(assign) => self.assign(assign, span),
            Syn::Call(call) => self.call(call, span),
            Syn::MethodCall(call) => match closures::as_for_loop(call) {
                Some(written) => self.for_loop(&written, span),
                None => self.method_call(call, span),
            },
            Syn::If(e) => self.if_stmt(e, span),
            Syn::Match(e) => self.match_stmt(e, span),
            Syn::While(e) => self.while_stmt(e, span),
            Syn::ForLoop(e) => self.for_loop(e, span),
            Syn::Block(e) if e.label.is_none() => Some(Stmt::Block(self.block(&e.block))),
            Syn::Block(e) if self.records == Records::Nothing => {
                self.error(
                    span,
                    "a block with a label is left early, so the inverse cannot tell where to re-enter; put the rest of it into an `if`, or \
                     keep the way out, with `#[record]` in front of it",
                );
                None
            }
            Syn::Block(e) if ordinary::leaves_a_loop_outside(&e.block) => {
                self.error(
                    span,
                    "`break` and `continue` inside a block with a label say which loop they mean: `break 'a;`",
                );
                None
            }
            Syn::Block(e) => Some(self.loop_stmt(&ordinary::as_loop(e, false), span)),
            Syn::Macro(e) => self.macro_stmt(&e.mac, &syn::Stmt::Expr(Syn::Macro(e.clone()), None), span),
            Syn::Loop(e) if self.records != Records::Nothing => Some(self.loop_stmt(e, span)),
            Syn::Loop(_) => {
                self.error(
                    span,
                    "`loop` ends by `break`, so the inverse cannot tell how many iterations to undo; write \
                     `while (pre, post) { .. }`, where `post` is false before the first iteration and true after each, or keep how \
                     many there were, with `#[record]` in front of it",
                );
                None
            }
            Syn::Return(_) | Syn::Break(_) | Syn::Continue(_) if self.records != Records::Nothing => self.exit(e, span),
            Syn::Return(_) | Syn::Break(_) | Syn::Continue(_) | Syn::Try(_) => self.early_exit(e, span),
            Syn::Unsafe(_) => self.unseen(span),
            Syn::Async(_) | Syn::Await(_) => self.suspended(span),
            Syn::Verbatim(tokens) if tokens.is_empty() => None,
            _ => {
                self.error(
                    span,
                    format!(
                        "`{}` is a value that nothing is done with; the statements are updates (`y += e;`), swaps, calls of \
                         reversible procedures, lets and control flow",
                        crate::ir::text(e.to_token_stream())
                    ),
                );
                None
            }
        }
    }

    fn update(&mut self, binary: &syn::ExprBinary, span: Span) -> Option<Stmt> {
        use syn::BinOp::*;
        let op = match binary.op {
            AddAssign(_) => UpdateOp::Add,
            SubAssign(_) => UpdateOp::Sub,
            MulAssign(_) => UpdateOp::Mul,
            DivAssign(_) => UpdateOp::Div,
            BitXorAssign(_) => UpdateOp::Xor,
            RemAssign(_) | BitAndAssign(_) | BitOrAssign(_) | ShlAssign(_) | ShrAssign(_)
                if self.records == Records::Nothing =>
            {
                return self.lossy_update(binary, span);
            }
            RemAssign(_) => return self.computed(binary, BinaryOp::Rem, span),
            BitAndAssign(_) => return self.computed(binary, BinaryOp::BitAnd, span),
            BitOrAssign(_) => return self.computed(binary, BinaryOp::BitOr, span),
            ShlAssign(_) => return self.computed(binary, BinaryOp::Shl, span),
            ShrAssign(_) => return self.computed(binary, BinaryOp::Shr, span),
            _ => {
                self.error(
                    span,
                    format!(
                        "the value of `{}` is not used; to keep it write `y += {0};` or `let x = {0};`",
                        crate::ir::text(binary.to_token_stream())
                    ),
                );
                return None;
            }
        };
        match op {
            UpdateOp::Mul if self.records != Records::Nothing => return self.computed(binary, BinaryOp::Mul, span),
            UpdateOp::Div if self.records != Records::Nothing => return self.computed(binary, BinaryOp::Div, span),
            UpdateOp::Add if self.records == Records::All => return self.computed(binary, BinaryOp::Add, span),
            UpdateOp::Sub if self.records == Records::All => return self.computed(binary, BinaryOp::Sub, span),
            UpdateOp::Add | UpdateOp::Sub | UpdateOp::Mul | UpdateOp::Div | UpdateOp::Xor => {}
        }
        let (target, operand) = (self.target_of(&binary.left, span), self.expr(&binary.right));
        Some(Stmt::Update(Update { op, target: target?, operand: operand?, written: None, kept: None, span }))
    }

    /// A place that the statement changes: one that may be changed.
    pub(super) fn target(&mut self, e: &Syn) -> Option<Place> {
        self.target_of(e, Span::of(e))
    }

    /// A place that the construct at `span` changes.
    pub(super) fn target_of(&mut self, e: &Syn, span: Span) -> Option<Place> {
        let place = self.place(e)?;
        self.writable(&place, span).then_some(place)
    }

    /// Reports a place whose variable may not be changed.
    fn writable(&mut self, place: &Place, span: Span) -> bool {
        let var = self.var(place.root);
        let name = &var.written;
        let message = match &var.kind {
            VarKind::Param(Mode::Change) | VarKind::Ancilla | VarKind::View(_) => return true,
            VarKind::Host => format!(
                "`{name}` is marked `#[host]` and may be changed by host statements only; write `#[host]` in front of this"
            ),
            VarKind::Param(Mode::Value) => format!(
                "`{name}` is passed by value, so the change would be lost when the function returns; take `{name}: &mut ..`, \
                 or begin an ancilla with `let mut`"
            ),
            VarKind::Param(Mode::Borrow) => {
                format!("`{name}` is borrowed by `&` and read-only; take it by `&mut`")
            }
            VarKind::Let => format!(
                "`{name}` is a name for a value, not memory that could be changed; write `let mut {name} = ..;` to make it an \
                 ancilla"
            ),
            VarKind::Part(_) => format!(
                "`{name}` is a part of what is matched, and a `match` must find the same arm on the way back; to change it, match on a \
                 mutable reference, `&mut ..`, by patterns that look at the variant only, such as `Some({name})`"
            ),
            VarKind::Bound | VarKind::Register | VarKind::Shadow { .. } => format!(
                "`{name}` is bound by a loop or a pattern and read-only; begin an ancilla with `let mut`, or go through a slice \
                 with `iter_mut()` to change its elements"
            ),
        };
        self.error(span, message);
        false
    }

    fn if_stmt(&mut self, e: &syn::ExprIf, span: Span) -> Option<Stmt> {
        if let Syn::Let(condition) = &*e.cond {
            return self.if_let(e, condition, span);
        }
        self.names.enter();
        let condition = self.condition(&e.cond);
        let then = self.block(&e.then_branch);
        self.names.leave();
        let otherwise = self.otherwise(e);
        let condition = condition?;
        Some(Stmt::If(If { condition, then, otherwise, span }))
    }

    pub(super) fn otherwise(&mut self, e: &syn::ExprIf) -> Option<Block> {
        let (_, otherwise) = e.else_branch.as_ref()?;
        Some(match &**otherwise {
            Syn::Block(block) => self.block(&block.block),
            other => self.only(other),
        })
    }

    /// One expression as a block.
    pub(super) fn only(&mut self, e: &Syn) -> Block {
        self.names.enter();
        let mut stmts = Vec::new();
        self.stmt(&syn::Stmt::Expr(e.clone(), None), &mut stmts);
        self.names.leave();
        Block { stmts, span: Span::of(e) }
    }

    /// `c` or `(pre, post)`
    fn condition(&mut self, e: &Syn) -> Option<Condition> {
        match e {
            Syn::Tuple(pair) if pair.elems.len() == 2 => {
                let (pre, post) = (self.expr(&pair.elems[0]), self.expr(&pair.elems[1]));
                Some(Condition { pre: pre?, post: Some(post?) })
            }
            Syn::Tuple(_) => {
                self.error(
                    Span::of(e),
                    "a condition is one expression, or two: `(pre, post)`, where `post` is read on the way back",
                );
                None
            }
            _ => {
                let pre = self.expr(e)?;
                let mut chained = false;
                pre.walk(&mut |e| chained |= matches!(e.kind, crate::ir::ExprKind::Let(..)));
                if chained {
                    self.error(
                        Span::of(e),
                        "`let` stands alone in the condition of a statement: nest `if let` and `if`",
                    );
                    return None;
                }
                Some(Condition { pre, post: None })
            }
        }
    }

    fn while_stmt(&mut self, e: &syn::ExprWhile, span: Span) -> Option<Stmt> {
        let condition = match &*e.cond {
            Syn::Let(_) => None,
            cond => self.condition(cond),
        };
        let (number, body) = self.around(e.label.as_ref(), |parser| parser.block(&e.body));
        match condition {
            Some(Condition { pre, post: None }) if self.records != Records::Nothing => Some(Stmt::Loop(Loop {
                condition: Some(pre),
                body,
                number,
                until: None,
                count: None,
                part: None,
                span,
            })),
            Some(Condition { pre, post: Some(post) }) => Some(Stmt::While(While { pre, post, body, span })),
            None if !matches!(*e.cond, Syn::Let(_)) => None,
            Some(Condition { post: None, .. }) | None => {
                self.error(
                    Span::of(&e.while_token).to(Span::of(&e.cond)),
                    "`while` runs an unknown number of iterations, so the inverse cannot tell when to stop; write \
                     `while (pre, post) { .. }`, where `post` is false before the first iteration and true after each, \
                     for example `while (k < n, k > 0) { .. }`, or keep how many there were, with `#[record]` in front of it",
                );
                None
            }
        }
    }
}

/// Whether an expression can be a statement.
fn is_statement(e: &Syn) -> bool {
    match e {
        Syn::Binary(binary) => binary.op.to_token_stream().to_string().ends_with('=') && !is_comparison(&binary.op),
        Syn::Assign(_) | Syn::If(_) | Syn::Match(_) | Syn::While(_) | Syn::ForLoop(_) | Syn::Loop(_) => true,
        Syn::Call(_) | Syn::MethodCall(_) | Syn::Macro(_) | Syn::Block(_) => true,
        Syn::Return(_) | Syn::Break(_) | Syn::Continue(_) | Syn::Try(_) => true,
        _ => false,
    }
}

fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(op, Eq(_) | Ne(_) | Le(_) | Ge(_) | Lt(_) | Gt(_))
}

/// Takes the attributes off a statement. syn hangs them on the leftmost operand; here they belong to the whole.
pub(super) fn split_attributes(stmt: &syn::Stmt) -> (Vec<syn::Attribute>, Cow<'_, syn::Stmt>) {
    use proc_macro2::TokenTree;
    if Span::of_compound(stmt).is_some() {
        return (Vec::new(), Cow::Borrowed(stmt));
    }
    let tokens = stmt.to_token_stream();
    let starts_with_hash = matches!(tokens.clone().into_iter().next(), Some(TokenTree::Punct(p)) if p.as_char() == '#');
    if !starts_with_hash {
        return (Vec::new(), Cow::Borrowed(stmt));
    }
    let split = |input: syn::parse::ParseStream<'_>| {
        let attributes = input.call(syn::Attribute::parse_outer)?;
        let stmt = input.call(syn::Block::parse_within)?;
        Ok((attributes, stmt))
    };
    match syn::parse::Parser::parse2(split, tokens) {
        Ok((attributes, mut stmts)) if stmts.len() == 1 => (attributes, Cow::Owned(stmts.remove(0))),
        _ => (Vec::new(), Cow::Borrowed(stmt)),
    }
}

/// Whether an attribute is one for statements. Others on an item are for rustc, or for macros such as `#[reversible]`.
fn is_of_the_language(attribute: &syn::Attribute) -> bool {
    const STATEMENTS: [&str; 9] =
        ["compute", "inverse", "host", "unchecked", "constant", "record", "recompute", "checkpoint", "unroll"];
    STATEMENTS.iter().any(|name| attribute.path().is_ident(name))
}

/// A loop, perhaps under other attributes, with the number of iterations that are written out.
fn unrolled(stmt: Stmt, n: usize) -> Option<Stmt> {
    if let Stmt::Unchecked(s) = stmt {
        return unrolled(*s, n).map(|s| Stmt::Unchecked(Box::new(s)));
    }
    if let Stmt::Inverse(s) = stmt {
        return unrolled(*s, n).map(|s| Stmt::Inverse(Box::new(s)));
    }
    let Stmt::For(s) = stmt else { return None };
    Some(Stmt::For(crate::ir::For { unroll: Some(n), ..s }))
}
