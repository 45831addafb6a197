//! Statements.

use std::collections::HashMap;
use std::fmt::Write;

use super::range::{Range, range, single};
use super::types::{Int, Ty};
use super::{Emitter, Written, refuse};
use crate::ir::{
    Adapter, Binding, BindingKind, Block, Callee, Check, Expr, ExprKind, Flip, FlipOp, For, LiteralKind, Map, MapFn,
    Pattern, PatternKind, Place, Projection, Rule, Source, Stmt, Swap, Update, UpdateOp, VarId, While,
};

impl Emitter<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Written<()> {
        block.stmts.iter().try_for_each(|stmt| self.stmt(stmt))?;
        self.unchanged = false;
        Ok(())
    }

    /// A statement. Where sums wait, as many of them do so at each place of the text: they are added up in front of a statement that has sums
    /// of its own and is no straight line, and at the end of each of its blocks.
    fn stmt(&mut self, stmt: &Stmt) -> Written<()> {
        let straight = match stmt {
            Stmt::If(_) | Stmt::While(_) | Stmt::Match(_) => false,
            Stmt::For(s) => self.in_line(s).is_some(),
            _ => true,
        };
        if straight {
            return self.statement(stmt);
        }
        let (start, waiting, flushes) = (self.out.len(), self.shared.take_waiting(), self.shared.flushes());
        // Lanes that have no run of their own go where all runs go.
        let even = !self.shared.is_staged() || self.is_even(stmt);
        if !even {
            self.put("ON {");
        }
        self.statement(stmt)?;
        if !even {
            self.put("}");
        }
        if self.shared.flushes() == flushes {
            self.shared.wait(waiting);
        } else if !waiting.is_empty() {
            self.out.insert_str(start, &format!("{:2$}FLUSH({});\n", "", waiting.len(), 4 * self.depth));
        }
        Ok(())
    }

    /// Whether all runs take the same way through a statement.
    fn is_even(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::If(s) => self.shared.is_even(&s.condition.pre),
            Stmt::For(s) => match &s.iter.source {
                Source::Range { start, end, .. } => self.shared.is_even(start) && self.shared.is_even(end),
                _ => false,
            },
            _ => false,
        }
    }

    /// A block of a statement that is no straight line.
    pub(super) fn branch(&mut self, block: &Block) -> Written<()> {
        self.inside(block)?;
        self.flush();
        Ok(())
    }

    fn statement(&mut self, stmt: &Stmt) -> Written<()> {
        self.line = stmt.span().line_column().0;
        if let Stmt::Update(s) = stmt {
            // Adjoints on devices have no part in a determinant.
            if matches!(s.operand.kind, ExprKind::Rule(Rule::Bend, _)) {
                return Ok(());
            }
            return self.update(s);
        }
        self.unchanged = false;
        match stmt {
            Stmt::Update(_) => Ok(()),
            Stmt::Flip(s) => self.flip(s),
            Stmt::Map(s) => self.map(s),
            Stmt::Swap(s) => self.swap(s),
            Stmt::Begin(s) => self.begin(s),
            // What ends is not needed any more; checked builds of the host compare it.
            Stmt::End(_) => Ok(()),
            Stmt::If(s) => {
                let condition = self.expr(&s.condition.pre, Some(&Ty::Bool))?.text;
                self.put(&format!("if ({condition}) {{"));
                self.branch(&s.then)?;
                if let Some(otherwise) = &s.otherwise {
                    self.put("} else {");
                    self.branch(otherwise)?;
                }
                self.put("}");
                Ok(())
            }
            Stmt::While(While { pre, body, .. }) => {
                let condition = self.expr(pre, Some(&Ty::Bool))?.text;
                self.put(&format!("while ({condition}) {{"));
                self.branch(body)?;
                self.put("}");
                Ok(())
            }
            Stmt::For(s) => self.for_loop(s),
            Stmt::Block(s) => {
                self.put("{");
                self.inside(s)?;
                self.put("}");
                Ok(())
            }
            Stmt::Unchecked(s) => self.stmt(s),
            // Only checked builds of the host make these.
            Stmt::Check(Check::Witness(_) | Check::Sample(_) | Check::Distinct(_)) => Ok(()),
            Stmt::Check(Check::Restored(s)) => self.restored(s),
            Stmt::Permute(_) => refuse(stmt.span(), "permutations are not written for devices yet"),
            Stmt::Call(s) => self.call(s),
            Stmt::Match(s) => self.match_stmt(s),
            Stmt::Assign(_)
            | Stmt::Loop(_)
            | Stmt::Exit(_)
            | Stmt::Recompute(_)
            | Stmt::Conjugate(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => refuse(stmt.span(), "a kernel has no such statement"),
        }
    }

    pub(super) fn put(&mut self, line: &str) {
        let _ = writeln!(self.out, "{:1$}{line}", "", 4 * self.depth);
    }

    pub(super) fn inside(&mut self, block: &Block) -> Written<()> {
        self.depth += 1;
        let written = self.block(block);
        self.depth -= 1;
        written
    }

    fn update(&mut self, s: &Update) -> Written<()> {
        if let Some(access) = self.shared.access(&s.target) {
            return self.shared_update(s, &access);
        }
        self.unchanged = false;
        let target = self.place(&s.target)?;
        let operand = self.expr(&s.operand, Some(&target.ty))?;
        if target.ty != operand.ty && !(target.ty.is_float() && operand.ty.is_float()) {
            return refuse(s.span, format!("`{}` is changed by `{}`, which has another type", target.ty, operand.ty));
        }
        let (x, e, ty) = (target.text, operand.text, &target.ty);
        let line = match (s.op, ty) {
            (UpdateOp::Add | UpdateOp::Sub, Ty::Int(int)) => {
                let (sign, unsigned) = (if s.op == UpdateOp::Add { '+' } else { '-' }, int.unsigned());
                format!("{x} = ({int})(({unsigned}){x} {sign} ({unsigned}){e});")
            }
            (UpdateOp::Add, Ty::Number | Ty::Shadow) => format!("{x} += {e};"),
            (UpdateOp::Sub, Ty::Number | Ty::Shadow) => format!("{x} -= {e};"),
            (UpdateOp::Mul, Ty::Number | Ty::Shadow) => format!("{x} *= {e};"),
            (UpdateOp::Div, Ty::Number | Ty::Shadow) => format!("{x} /= {e};"),
            (UpdateOp::Xor, Ty::Int(_) | Ty::Bool) => format!("{x} ^= {e};"),
            (UpdateOp::Add | UpdateOp::Sub, Ty::Array(..) | Ty::Tuple(_)) => return self.added(s, &x, ty, false),
            _ => return refuse(s.span, "devices do not know this update of this type"),
        };
        self.change(&s.target, &line);
        Ok(())
    }

    fn flip(&mut self, s: &Flip) -> Written<()> {
        let target = self.place(&s.target)?;
        let x = &target.text;
        let line = match (s.op, &target.ty) {
            (FlipOp::Neg, Ty::Number | Ty::Shadow) => format!("{x} = -{x};"),
            (FlipOp::Neg, Ty::Int(int)) => format!("{x} = ({int})(0u - ({}){x});", int.unsigned()),
            (FlipOp::Not, Ty::Bool) => format!("{x} = !{x};"),
            (FlipOp::Not, Ty::Int(int)) => format!("{x} = ({int})~{x};"),
            _ => return refuse(s.span, "devices do not know this change of this type"),
        };
        self.change(&s.target, &line);
        Ok(())
    }

    fn map(&mut self, s: &Map) -> Written<()> {
        let MapFn::Method(function) = &s.function else {
            return refuse(s.span, "bijections of your own are not written for devices yet");
        };
        let image = Expr::method(s.target.to_expr(), function.name(), Vec::new());
        let (target, image) = (self.place(&s.target)?, self.expr(&image, None)?);
        self.change(&s.target, &format!("{} = {};", target.text, image.text));
        Ok(())
    }

    fn swap(&mut self, s: &Swap) -> Written<()> {
        let (a, b) = (self.place(&s.a)?, self.place(&s.b)?);
        self.put(&format!("{{ {} before = {};", a.ty, a.text));
        self.change(&s.a, &format!("    {} = {};", a.text, b.text));
        self.change(&s.b, &format!("    {} = before; }}", b.text));
        Ok(())
    }

    fn begin(&mut self, s: &Binding) -> Written<()> {
        if s.kind == BindingKind::View {
            return self.view(s);
        }
        if let ExprKind::Companion { callee, run, args } = &s.value.kind
            && let Callee::Path(path) = &**callee
        {
            return self.companion(s, path, *run, args);
        }
        let Some(var) = s.pattern.as_var() else {
            let known = s.ty.as_ref().and_then(|ty| Ty::of(ty, &self.number));
            let value = self.expr(&s.value, known.as_ref())?;
            let ty = known.unwrap_or(value.ty);
            let whole = self.names.fresh("whole");
            ty.structs(&mut self.structs);
            self.put(&format!("{ty} {whole} = {};", value.text));
            return self.taken_apart(&s.pattern, &whole, &ty);
        };
        let written = s.ty.as_ref().or(self.program.var(var).ty.as_ref());
        let known = written.and_then(|ty| Ty::of(ty, &self.number));
        let known = known.map(|ty| if self.is_shadow(var) { ty.shadow() } else { ty });
        let name = self.names.of_var(var);
        match &s.value.kind {
            ExprKind::Rule(Rule::Zero | Rule::PlainZero, args) => {
                let ty = self.expr(&args[0], None)?.ty.shadow();
                self.put(&format!("{ty} {name} = {};", ty.zero()));
                self.declare(var, ty);
            }
            ExprKind::Rule(Rule::Magnitude, args) => self.magnitude(var, &name, &args[0])?,
            // An array is in registers: all of it is kept.
            ExprKind::Rule(Rule::Keep | Rule::KeepOne(_), args) => {
                let value = self.expr(&args[0], None)?;
                self.put(&format!("{} {name} = {};", value.ty, value.text));
                self.declare(var, value.ty);
            }
            ExprKind::Repeat(element, count) => self.repeat(s, &name, known, element, count)?,
            _ => {
                let value = self.expr(&s.value, known.as_ref())?;
                let ty = known.unwrap_or(value.ty);
                if matches!(ty, Ty::Slice(_)) {
                    return refuse(s.span, "names for slices are not written for devices yet");
                }
                self.put(&format!("{ty} {name} = {};", value.text));
                if s.kind == BindingKind::Let && ty == Ty::Int(Int::USIZE) {
                    self.ranges.extend(range(&s.value, &self.ranges).map(|range| (var, range)));
                }
                self.declare(var, ty);
            }
        }
        Ok(())
    }

    /// The names of a pattern for the parts of a value.
    fn taken_apart(&mut self, pattern: &Pattern, whole: &str, ty: &Ty) -> Written<()> {
        match (&pattern.kind, ty) {
            (PatternKind::Wild, _) => Ok(()),
            (PatternKind::Bind { var, sub: None, .. }, _) => {
                self.put(&format!("{ty} {} = {whole};", self.names.of_var(*var)));
                self.declare(*var, ty.clone());
                Ok(())
            }
            (PatternKind::Ref(inner), _) => self.taken_apart(inner, whole, ty),
            (PatternKind::Tuple(parts), Ty::Tuple(types)) if parts.len() == types.len() => {
                let mut parts = parts.iter().zip(types).enumerate();
                parts.try_for_each(|(i, (part, ty))| self.taken_apart(part, &format!("{whole}._{i}"), ty))
            }
            (PatternKind::Slice(parts), Ty::Array(of, len)) if parts.len() == *len => {
                let mut parts = parts.iter().enumerate();
                parts.try_for_each(|(i, part)| self.taken_apart(part, &format!("{whole}.at[{i}]"), of))
            }
            _ => refuse(pattern.span, "this pattern is not written for devices yet; give each part a name of its own"),
        }
    }

    /// `let v = [e; n];`
    fn repeat(&mut self, s: &Binding, name: &str, known: Option<Ty>, element: &Expr, count: &Expr) -> Written<()> {
        let of = known.as_ref().and_then(Ty::element).cloned();
        let element = self.expr(element, of.as_ref())?;
        let len = match &count.kind {
            ExprKind::Lit(literal) => match literal.kind {
                LiteralKind::Integer(Some(len)) => usize::try_from(len).ok(),
                _ => None,
            },
            _ => None,
        };
        let (Some(len), Some(var)) = (len, s.pattern.as_var()) else {
            return refuse(s.span, "the length of an array is a number on devices");
        };
        let ty = Ty::Array(Box::new(of.unwrap_or(element.ty)), len);
        self.put(&format!("{ty} {name}; for (usize k0 = 0; k0 < {len}; k0++) {name}.at[k0] = {};", element.text));
        self.declare(var, ty);
        Ok(())
    }

    /// `let v = &mut x[a..b];`
    fn view(&mut self, s: &Binding) -> Written<()> {
        let place = s.value.as_place();
        let parts = place.as_ref().zip(s.pattern.as_var()).and_then(|(place, var)| {
            let steps: Vec<&Projection> = place.path.iter().filter(|step| **step != Projection::Deref).collect();
            match steps.as_slice() {
                [Projection::Index(Expr { kind: ExprKind::Range { start, end, inclusive: false }, .. })] => {
                    Some((Place::var(place.root, place.span), var, start.as_deref()?, end.as_deref()?))
                }
                _ => None,
            }
        });
        let Some((base, var, start, end)) = parts else {
            return refuse(s.span, "devices know views of the form `&mut x[a..b]` of slices only");
        };
        // What runs share is added to by the name of the argument.
        if self.shared.access(&base).is_some() {
            return Ok(());
        }
        let usize = Ty::Int(Int::USIZE);
        let base = self.place(&base)?;
        let Ty::Slice(of) = &base.ty else { return refuse(s.span, "devices know views of slices only") };
        let (start, end) = (self.expr(start, Some(&usize))?.text, self.expr(end, Some(&usize))?.text);
        let (name, line, of) = (self.names.of_var(var), self.line, of.clone());
        self.put(&format!("VIEW({of}, {name}, {0}, {0}_len, {start}, {end}, {line});", base.text));
        self.declare(var, Ty::Slice(of));
        Ok(())
    }

    /// A loop that counts. Backwards it visits the same elements from the last to the first.
    fn for_loop(&mut self, s: &For) -> Written<()> {
        let Source::Range { start, end, inclusive } = &s.iter.source else {
            return refuse(s.iter.span, "devices know loops that count only");
        };
        let var = match &s.pattern.kind {
            PatternKind::Wild => None,
            _ => match s.pattern.as_var() {
                Some(var) => Some(var),
                None => return refuse(s.pattern.span, "devices know loops that count only"),
            },
        };
        let known = var.and_then(|var| self.program.var(var).ty.clone()).and_then(|ty| Ty::of(&ty, &self.number));
        let ty = match (known, self.expr(end, None), self.expr(start, None)) {
            (Some(ty), ..)
            | (None, Ok(super::expr::Value { ty, .. }), _)
            | (None, Err(_), Ok(super::expr::Value { ty, .. })) => ty,
            // Nothing says otherwise, and it indexes or counts.
            _ => Ty::Int(Int::USIZE),
        };
        let (start, end) = (self.expr(start, Some(&ty))?.text, self.expr(end, Some(&ty))?.text);
        let mut step = None;
        let mut reversed = false;
        for adapter in &s.iter.adapters {
            match adapter {
                // Steps are counted from the first element of what they are steps of.
                Adapter::Rev => reversed = !reversed,
                Adapter::StepBy(by) if step.is_none() && !reversed => {
                    step = Some(self.expr(by, Some(&Ty::Int(Int::USIZE)))?.text);
                }
                _ => return refuse(s.iter.span, "devices know `.rev()` and one `.step_by(s)` in front of it only"),
            }
        }
        if let Some(values) = self.values(s).filter(|_| self.stages(&s.body)) {
            return self.one_by_one(s, var, &ty, &values);
        }
        let number = self.depth;
        let step = step.unwrap_or_else(|| "1u".to_string());
        let (count, turn) = (format!("count{number}"), format!("turn{number}"));
        self.put(&format!(
            "{{ usize {count} = COUNT({start}, {end}, {step}, {}, {});",
            u8::from(*inclusive),
            self.line
        ));
        let at = match reversed {
            true => format!("({count} - 1 - {turn})"),
            false => turn.clone(),
        };
        let unrolled = self.in_line(s);
        let unroll = if unrolled.is_some() { "UNROLL " } else { "" };
        match unrolled {
            Some(_) => self.counters.extend(var.zip(unrolled)),
            None => self.rolled.extend(var),
        }
        self.put(&format!("{unroll}for (usize {turn} = 0; {turn} < {count}; {turn}++) {{"));
        if let Some(var) = var {
            let name = self.names.of_var(var);
            self.depth += 1;
            self.put(&format!("{ty} {name} = ({ty})({start} + {at} * {step});"));
            self.depth -= 1;
            self.declare(var, ty);
        }
        let inside = self.ranges_inside(s);
        let outside = std::mem::replace(&mut self.ranges, inside);
        let written = match unrolled {
            Some(_) => self.inside(&s.body),
            None => self.branch(&s.body),
        };
        self.ranges = outside;
        written?;
        self.put("} }");
        Ok(())
    }

    /// A loop of which each iteration is written out, so that it is known which terms come together.
    fn one_by_one(&mut self, s: &For, var: Option<VarId>, ty: &Ty, values: &[i128]) -> Written<()> {
        for &value in values {
            self.put("{");
            if let Some(var) = var {
                self.put(&format!("    {ty} {} = {value}u;", self.names.of_var(var)));
                self.declare(var, ty.clone());
                self.counters.extend(usize::try_from(value).ok().map(|value| (var, value)));
                self.ranges.insert(var, Range::of(value, value));
            }
            self.inside(&s.body)?;
            self.put("}");
        }
        Ok(())
    }

    /// The values of the counter, in order, of a loop that is short enough to be unrolled, if they are known.
    fn values(&self, s: &For) -> Option<Vec<i128>> {
        let Source::Range { start, end, inclusive } = &s.iter.source else { return None };
        self.unrolled(s)?;
        s.iter.adapters.iter().all(|adapter| matches!(adapter, Adapter::Rev)).then_some(())?;
        let (start, end) = (single(start, &self.ranges)?, single(end, &self.ranges)?);
        let mut values: Vec<i128> = (start..end + i128::from(*inclusive)).collect();
        if s.iter.adapters.len() % 2 == 1 {
            values.reverse();
        }
        Some(values)
    }

    /// The largest value of the counter, of a loop that is a straight line in the end.
    fn in_line(&self, s: &For) -> Option<usize> {
        self.unrolled(s).filter(|_| !self.stages(&s.body) || self.values(s).is_some())
    }

    /// The largest value of the counter, of a loop that is short enough to be unrolled: then arrays stay in registers.
    fn unrolled(&self, s: &For) -> Option<usize> {
        let last = self.last(s, &self.counters)?;
        (self.size(s, &mut self.counters.clone()) <= UNROLLED).then_some(last)
    }

    /// The largest value of the counter, if it is known.
    fn last(&self, s: &For, counters: &HashMap<VarId, usize>) -> Option<usize> {
        let Source::Range { end, .. } = &s.iter.source else { return None };
        match &end.kind {
            ExprKind::Lit(literal) => match literal.kind {
                LiteralKind::Integer(Some(end)) => usize::try_from(end).ok(),
                _ => None,
            },
            ExprKind::Var(var) => counters.get(var).copied(),
            _ => None,
        }
    }

    /// How many statements a loop has when it is unrolled, loops in it included.
    fn size(&self, s: &For, counters: &mut HashMap<VarId, usize>) -> usize {
        let Some(last) = self.last(s, counters) else { return usize::MAX };
        counters.extend(s.pattern.as_var().map(|var| (var, last)));
        let mut size = 0_usize;
        for stmt in &s.body.stmts {
            size = size.saturating_add(self.size_of(stmt, counters));
        }
        // A loop up to the counter of another one has half of the iterations, all in all.
        let nested = matches!(&s.iter.source, Source::Range { end, .. } if matches!(end.kind, ExprKind::Var(_)));
        size.saturating_mul(if nested { last.div_ceil(2) } else { last })
    }

    fn size_of(&self, stmt: &Stmt, counters: &mut HashMap<VarId, usize>) -> usize {
        match stmt {
            Stmt::For(s) => self.size(s, counters),
            Stmt::While(_) => usize::MAX,
            _ => {
                let stmts = stmt.blocks().into_iter().flat_map(|block| &block.stmts);
                stmts.fold(1, |size, stmt| size.saturating_add(self.size_of(stmt, counters)))
            }
        }
    }
}

/// How many statements a loop may have when it is unrolled.
const UNROLLED: usize = 1500;
