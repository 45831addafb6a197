//! The same statements with some expressions in them replaced.

use std::rc::Rc;

use super::{
    Adapter, Arg, ArgKind, Arm, Assign, Binding, Block, Budget, Call, Check, Condition, Conjugate, Distinct, Early,
    Entry, Exit, ExitKind, Expected, Expr, ExprKind, Flip, For, Give, If, Iter, Keep, Loop, MacroArgs, Map, Match,
    MatchArm, Pattern, Permutation, Permute, Place, Planned, Projection, Recompute, Restored, Rule, Schedule, Source,
    Stmt, Swap, Update, While,
};

impl Expr {
    /// The same expression with those directly inside it replaced by others of their types.
    pub fn map_children(&self, with: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        fn all(children: &[Expr], with: &mut dyn FnMut(&Expr) -> Expr) -> Vec<Expr> {
            children.iter().map(with).collect()
        }
        let mut boxed = |child: &Expr| Rc::new(with(child));
        let kind = match &self.kind {
            ExprKind::Lit(_) | ExprKind::Var(_) | ExprKind::Path(_) => self.kind.clone(),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, boxed(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, boxed(a), boxed(b)),
            ExprKind::Cast(a, ty) => ExprKind::Cast(boxed(a), ty.clone()),
            ExprKind::Field(a, member) => ExprKind::Field(boxed(a), member.clone()),
            ExprKind::Index(a, index) => ExprKind::Index(boxed(a), boxed(index)),
            ExprKind::Range { start, end, inclusive } => ExprKind::Range {
                start: start.as_deref().map(&mut boxed),
                end: end.as_deref().map(&mut boxed),
                inclusive: *inclusive,
            },
            ExprKind::Ref(a) => ExprKind::Ref(boxed(a)),
            ExprKind::RefMut(a) => ExprKind::RefMut(boxed(a)),
            ExprKind::Tuple(children) => ExprKind::Tuple(all(children, with)),
            ExprKind::Array(children) => ExprKind::Array(all(children, with)),
            ExprKind::Repeat(a, n) => ExprKind::Repeat(boxed(a), boxed(n)),
            ExprKind::Struct { path, fields, rest } => ExprKind::Struct {
                path: path.clone(),
                fields: fields.iter().map(|(member, value)| (member.clone(), with(value))).collect(),
                rest: rest.as_deref().map(|rest| Rc::new(with(rest))),
            },
            ExprKind::Call { callee, args } => ExprKind::Call { callee: boxed(callee), args: all(args, with) },
            ExprKind::Method { receiver, method, turbofish, args } => ExprKind::Method {
                receiver: boxed(receiver),
                method: method.clone(),
                turbofish: turbofish.clone(),
                args: all(args, with),
            },
            ExprKind::Macro { path, args } => ExprKind::Macro {
                path: path.clone(),
                args: match args {
                    MacroArgs::List(children) => MacroArgs::List(all(children, with)),
                    MacroArgs::Repeat(a, n) => MacroArgs::Repeat(boxed(a), boxed(n)),
                    MacroArgs::Matches(e, pattern, guard) => {
                        MacroArgs::Matches(boxed(e), pattern.clone(), guard.as_deref().map(&mut boxed))
                    }
                },
            },
            ExprKind::If { condition, then, otherwise } => {
                ExprKind::If { condition: boxed(condition), then: boxed(then), otherwise: boxed(otherwise) }
            }
            ExprKind::Let(pattern, e) => ExprKind::Let(pattern.clone(), boxed(e)),
            ExprKind::Match { scrutinee, arms } => ExprKind::Match {
                scrutinee: boxed(scrutinee),
                arms: arms
                    .iter()
                    .map(|arm| MatchArm {
                        pattern: arm.pattern.clone(),
                        guard: arm.guard.as_ref().map(&mut *with),
                        value: with(&arm.value),
                    })
                    .collect(),
            },
            ExprKind::Block { lets, tail } => ExprKind::Block {
                lets: lets.iter().map(|(pattern, ty, e)| (pattern.clone(), ty.clone(), with(e))).collect(),
                tail: Rc::new(with(tail)),
            },
            ExprKind::Closure { params, body } => ExprKind::Closure { params: params.clone(), body: boxed(body) },
            ExprKind::Rule(rule, args) => ExprKind::Rule(rule.clone(), all(args, with)),
            ExprKind::Companion { callee, run, args } => {
                ExprKind::Companion { callee: callee.clone(), run: *run, args: all(args, with) }
            }
        };
        Expr { kind, ty: self.ty.clone(), span: self.span }
    }

    /// The expression with the places replaced that Rust moves if they are not `Copy`: those whose values become the value of the
    /// expression, or parts of it.
    pub fn with_moved(&self, with: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        // Of each expression directly inside, whether it is such a part.
        let parts: Vec<bool> = match &self.kind {
            ExprKind::Var(_) | ExprKind::Field(..) => return with(self).unwrap_or_else(|| self.clone()),
            ExprKind::Tuple(all) | ExprKind::Array(all) | ExprKind::Macro { args: MacroArgs::List(all), .. } => {
                vec![true; all.len()]
            }
            ExprKind::Struct { fields, .. } => vec![true; fields.len() + 1],
            ExprKind::Repeat(..) | ExprKind::Macro { args: MacroArgs::Repeat(..), .. } => vec![true, false],
            ExprKind::Call { callee, args } if matches!(&callee.kind, ExprKind::Path(path) if path.is_constructor()) => {
                [false].into_iter().chain(args.iter().map(|_| true)).collect()
            }
            ExprKind::If { .. } => vec![false, true, true],
            ExprKind::Match { arms, .. } => {
                let arms = arms.iter().flat_map(|arm| arm.guard.iter().map(|_| false).chain([true]));
                [false].into_iter().chain(arms).collect()
            }
            ExprKind::Block { lets, .. } => lets.iter().map(|_| false).chain([true]).collect(),
            ExprKind::Rule(Rule::Fitting, _) => vec![true],
            _ => return self.clone(),
        };
        let mut parts = parts.into_iter();
        self.map_children(&mut |child| match parts.next() {
            Some(true) => child.with_moved(with),
            Some(false) | None => child.clone(),
        })
    }

    /// The expression with the places replaced that are given away: to the functions it calls, whole or as parts of something, and to
    /// the names of patterns.
    pub fn with_given(&self, with: &dyn Fn(&Expr, To) -> Option<Expr>) -> Expr {
        let names = |pattern: &Pattern| !pattern.bindings().is_empty();
        // How many of the expressions directly inside are given away.
        let (given, to) = match &self.kind {
            ExprKind::Call { callee, .. } if matches!(&callee.kind, ExprKind::Path(path) if path.is_constructor()) => {
                (0, To::Function)
            }
            ExprKind::Call { .. } | ExprKind::Companion { .. } => (usize::MAX, To::Function),
            ExprKind::Match { arms, .. } if arms.iter().any(|arm| names(&arm.pattern)) => (1, To::Pattern),
            ExprKind::Let(pattern, _) if names(pattern) => (1, To::Pattern),
            _ => (0, To::Function),
        };
        let mut number = 0;
        self.map_children(&mut |child| {
            number += 1;
            let child = child.with_given(with);
            if number <= given { child.with_moved(&|e| with(e, to)) } else { child }
        })
    }

    /// The expression with everything in it replaced for which `with` has something else.
    pub fn rewritten(&self, with: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        with(self).unwrap_or_else(|| self.map_children(&mut |child| child.rewritten(with)))
    }
}

/// What a value is given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// A function that is called.
    Function,
    /// The names of patterns.
    Pattern,
}

impl Place {
    /// The place with a part of it, or of its indices, replaced. What stands for a place is one.
    pub fn rewritten(&self, with: &dyn Fn(&Expr) -> Option<Expr>) -> Place {
        match self.to_expr().rewritten(with).as_place() {
            Some(place) if !self.path.contains(&Projection::Some) => place,
            _ => self.clone(),
        }
    }
}

impl Block {
    /// The block with everything in it replaced for which `with` has something else.
    pub fn rewritten(&self, with: &dyn Fn(&Expr) -> Option<Expr>) -> Block {
        Block { stmts: self.stmts.iter().map(|stmt| stmt.rewritten(with)).collect(), span: self.span }
    }
}

impl Stmt {
    /// The statement with everything in it replaced for which `with` has something else.
    pub fn rewritten(&self, with: &dyn Fn(&Expr) -> Option<Expr>) -> Stmt {
        match self {
            Stmt::Update(s) => Stmt::Update(Update {
                target: s.target.rewritten(with),
                operand: s.operand.rewritten(with),
                written: s.written.as_ref().map(|e| Box::new(e.rewritten(with))),
                ..s.clone()
            }),
            Stmt::Flip(s) => Stmt::Flip(Flip { target: s.target.rewritten(with), ..s.clone() }),
            Stmt::Map(s) => Stmt::Map(Map { target: s.target.rewritten(with), ..s.clone() }),
            Stmt::Swap(s) => Stmt::Swap(Swap { a: s.a.rewritten(with), b: s.b.rewritten(with), ..s.clone() }),
            Stmt::Permute(s) => {
                let permutation = match &s.permutation {
                    Permutation::Swap(i, j) => Permutation::Swap(i.rewritten(with), j.rewritten(with)),
                    Permutation::Reverse => Permutation::Reverse,
                    Permutation::RotateLeft(k) => Permutation::RotateLeft(k.rewritten(with)),
                    Permutation::RotateRight(k) => Permutation::RotateRight(k.rewritten(with)),
                };
                Stmt::Permute(Permute { target: s.target.rewritten(with), permutation, span: s.span })
            }
            Stmt::Call(s) => {
                let args = s.args.iter().map(|arg| Arg { kind: arg_rewritten(&arg.kind, with), span: arg.span });
                Stmt::Call(Call { args: args.collect(), ..s.clone() })
            }
            Stmt::Begin(b) => Stmt::Begin(Binding { value: b.value.rewritten(with), ..b.clone() }),
            Stmt::End(b) => Stmt::End(Binding { value: b.value.rewritten(with), ..b.clone() }),
            Stmt::If(s) => Stmt::If(If {
                condition: Condition {
                    pre: s.condition.pre.rewritten(with),
                    post: s.condition.post.as_ref().map(|e| e.rewritten(with)),
                },
                then: s.then.rewritten(with),
                otherwise: s.otherwise.as_ref().map(|block| block.rewritten(with)),
                span: s.span,
            }),
            Stmt::Match(s) => {
                let arms = s.arms.iter().map(|arm| Arm {
                    pattern: arm.pattern.clone(),
                    guard: arm.guard.as_ref().map(|e| e.rewritten(with)),
                    body: arm.body.rewritten(with),
                });
                Stmt::Match(Match { scrutinee: s.scrutinee.rewritten(with), arms: arms.collect(), span: s.span })
            }
            Stmt::While(s) => Stmt::While(While {
                pre: s.pre.rewritten(with),
                post: s.post.rewritten(with),
                body: s.body.rewritten(with),
                span: s.span,
            }),
            Stmt::For(s) => {
                let early = s.early.as_ref().map(|e| Box::new(Early { until: e.until.rewritten(with), left: e.left }));
                let iter = Box::new(iter_rewritten(&s.iter, with));
                Stmt::For(For { iter, early, ..s.with_body(s.body.rewritten(with)) })
            }
            Stmt::Assign(s) => {
                Stmt::Assign(Assign { target: s.target.rewritten(with), value: s.value.rewritten(with), ..s.clone() })
            }
            Stmt::Loop(s) => Stmt::Loop(Loop {
                condition: s.condition.as_ref().map(|e| e.rewritten(with)),
                until: s.until.as_ref().map(|e| e.rewritten(with)),
                body: s.body.rewritten(with),
                ..s.clone()
            }),
            Stmt::Recompute(s) => {
                let kept = s.kept.iter().map(|entry| Entry { place: entry.place.rewritten(with), ..entry.clone() });
                let schedule = s.schedule.as_ref().map(|schedule| {
                    Box::new(Schedule {
                        length: schedule.length.as_ref().map(|e| e.rewritten(with)),
                        budget: match &schedule.budget {
                            Budget::Snapshots(limit) => Budget::Snapshots(limit.rewritten(with)),
                            Budget::Bytes(limit) => Budget::Bytes(limit.rewritten(with)),
                        },
                        planned: schedule.planned.as_ref().map(|planned| Planned {
                            count: planned.count.rewritten(with),
                            search: planned.search.as_ref().map(|head| Box::new(head.rewritten(with))),
                            ..planned.clone()
                        }),
                    })
                });
                Stmt::Recompute(Recompute {
                    body: s.body.rewritten(with),
                    kept: kept.collect(),
                    schedule,
                    span: s.span,
                })
            }
            Stmt::Exit(s) => {
                let kind = match &s.kind {
                    ExitKind::Return(value) => ExitKind::Return(value.as_ref().map(|e| e.rewritten(with))),
                    kind @ (ExitKind::Break(_) | ExitKind::Continue(_)) => kind.clone(),
                };
                Stmt::Exit(Exit { kind, span: s.span })
            }
            Stmt::Keep(s) => Stmt::Keep(Keep { place: s.place.rewritten(with), ..s.clone() }),
            Stmt::Restore(s) => Stmt::Restore(Keep { place: s.place.rewritten(with), ..s.clone() }),
            Stmt::Give(s) => Stmt::Give(Give { value: s.value.rewritten(with), ..s.clone() }),
            Stmt::Block(s) => Stmt::Block(s.rewritten(with)),
            Stmt::Conjugate(s) => Stmt::Conjugate(Conjugate {
                compute: s.compute.rewritten(with),
                rest: s.rest.rewritten(with),
                span: s.span,
            }),
            Stmt::Unchecked(s) => Stmt::Unchecked(Box::new(s.rewritten(with))),
            Stmt::Inverse(s) => Stmt::Inverse(Box::new(s.rewritten(with))),
            Stmt::Host(_) | Stmt::Check(Check::Witness(_) | Check::Sample(_)) => self.clone(),
            Stmt::Check(Check::Restored(s)) => {
                let expected = match &s.expected {
                    Expected::Value(e) => Expected::Value(e.rewritten(with)),
                    Expected::Each(e, depth) => Expected::Each(e.rewritten(with), *depth),
                    Expected::Kept(e) => Expected::Kept(e.rewritten(with)),
                    Expected::KeptOne(e, depth) => Expected::KeptOne(e.rewritten(with), *depth),
                };
                Stmt::Check(Check::Restored(Restored { expected, ..s.clone() }))
            }
            Stmt::Check(Check::Distinct(s)) => {
                let pairs = s.pairs.iter().map(|(a, b)| (a.rewritten(with), b.rewritten(with))).collect();
                Stmt::Check(Check::Distinct(Distinct { pairs, ..s.clone() }))
            }
            Stmt::Compute(s) => Stmt::Compute(s.with_body(s.body.rewritten(with))),
            Stmt::Uncompute(s) => Stmt::Uncompute(s.with_body(s.body.rewritten(with))),
        }
    }
}

fn arg_rewritten(kind: &ArgKind, with: &dyn Fn(&Expr) -> Option<Expr>) -> ArgKind {
    match kind {
        ArgKind::Change(place) => ArgKind::Change(place.rewritten(with)),
        ArgKind::Borrow(place) => {
            let written = place.to_expr();
            let passed = borrowed(&written.rewritten(with));
            passed.map_or_else(|| ArgKind::Borrow(place.rewritten(with)), ArgKind::Borrow)
        }
        ArgKind::Value(e) => {
            let e = e.rewritten(with);
            borrowed(&e).map_or(ArgKind::Value(e), ArgKind::Borrow)
        }
        ArgKind::Host(var) => ArgKind::Host(*var),
    }
}

/// The place that an expression is a shared reference to, as an argument that is passed by `&`.
fn borrowed(e: &Expr) -> Option<Place> {
    match &e.kind {
        ExprKind::Ref(inner) => inner.as_place(),
        _ => None,
    }
}

fn iter_rewritten(iter: &Iter, with: &dyn Fn(&Expr) -> Option<Expr>) -> Iter {
    let source = match &iter.source {
        Source::Range { start, end, inclusive } => {
            Source::Range { start: start.rewritten(with), end: end.rewritten(with), inclusive: *inclusive }
        }
        Source::Value(e) => match e.rewritten(with) {
            Expr { kind: ExprKind::Ref(slice), .. } => Source::Elements(Rc::unwrap_or_clone(slice)),
            e => Source::Value(e),
        },
        Source::Elements(e) => match e.rewritten(with) {
            Expr { kind: ExprKind::Ref(slice), .. } => Source::Elements(Rc::unwrap_or_clone(slice)),
            e => Source::Elements(e),
        },
        Source::ElementsMut(place) => Source::ElementsMut(place.rewritten(with)),
        Source::Chunks(e, size) => Source::Chunks(e.rewritten(with), size.rewritten(with)),
        Source::ChunksMut(place, size) => Source::ChunksMut(place.rewritten(with), size.rewritten(with)),
        Source::Windows(e, size) => Source::Windows(e.rewritten(with), size.rewritten(with)),
    };
    let adapters = iter.adapters.iter().map(|adapter| match adapter {
        Adapter::StepBy(step) => Adapter::StepBy(step.rewritten(with)),
        Adapter::Skip(count) => Adapter::Skip(count.rewritten(with)),
        Adapter::Zip(other) => Adapter::Zip(Box::new(iter_rewritten(other, with))),
        Adapter::Rev | Adapter::Enumerate | Adapter::Copied(_) => adapter.clone(),
    });
    Iter { source, adapters: adapters.collect(), span: iter.span }
}
