//! The statements that keep samples on the way there, and those that compare on the way back.

use std::collections::{BTreeMap, BTreeSet};

use super::{At, Numbers, Point, Points, as_written};
use crate::analysis::Context;
use crate::ir::{Block, Check, Program, Recall, Sample, Stmt, Var, VarId, VarKind};
use crate::span::Span;

/// The program with samples at the points of its way there, and comparisons at those of its way back.
pub fn with_samples(program: Program, points: &Points, there: &Numbers, back: &Numbers) -> Program {
    if there.is_empty() && back.is_empty() {
        return program;
    }
    let compared = back.iter().map(|point| points.points[*point].var).collect();
    let (first, scales, around) = (program.vars.len(), BTreeMap::new(), Numbers::new());
    let mut stage = Stage { points, there, back, first, compared, scales, around };
    let mut body = match there.is_empty() || back.is_empty() {
        true => stage.block(&program.body),
        false => stage.both_ways(&program),
    };
    let begun = stage.scales.values().map(|(scale, span)| sample(Sample::Scale(*scale, *span)));
    body.stmts.splice(0..0, begun);
    let registers = stage
        .scales
        .values()
        .map(|(scale, span)| (scale.0, Var::added(&format!("scale_{}", scale.0), VarKind::Register, *span)));
    let registers: BTreeMap<usize, Var> = registers.collect();
    let vars = program.vars.iter().cloned().chain(registers.into_values()).collect();
    Program { vars, body, ..program }
}

fn sample(sample: Sample) -> Stmt {
    Stmt::Check(Check::Sample(sample))
}

struct Stage<'s> {
    points: &'s Points,
    there: &'s Numbers,
    back: &'s Numbers,
    /// The first number of a variable that is free.
    first: usize,
    /// The locals that are compared.
    compared: BTreeSet<VarId>,
    /// The registers that say how large they are.
    scales: BTreeMap<VarId, (VarId, Span)>,
    /// The points that the blocks around a statement undo.
    around: Numbers,
}

impl<'s> Stage<'s> {
    fn block(&mut self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        block.stmts.iter().for_each(|stmt| self.stmt(stmt, &mut stmts));
        Block { stmts, span: block.span }
    }

    /// A run there and back: the record gives back no local of the outermost block, and each is as large as it has been.
    fn both_ways(&mut self, program: &Program) -> Block {
        let context = Context::new(program);
        let begun = program.body.stmts.iter().filter_map(Stmt::begun).flat_map(|b| b.pattern.bindings());
        let own: BTreeSet<VarId> = begun.filter(|var| self.compared.contains(var)).collect();
        let mut stmts = Vec::new();
        for stmt in &program.body.stmts {
            self.stmt(stmt, &mut stmts);
            let changed: BTreeSet<VarId> = context.effects(stmt).changed().into_iter().collect();
            let measured: Vec<VarId> = own.intersection(&changed).copied().collect();
            stmts.extend(measured.into_iter().map(|var| self.measure(var, false, stmt.span())));
        }
        Block { stmts, span: program.body.span }
    }

    fn stmt(&mut self, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        let points = self.points;
        if let Some((number, head)) = points.head(stmt) {
            let used = |some: &Numbers| head.points.iter().any(|point| some.contains(point));
            if head.is_there(stmt) && used(self.there) {
                return self.there(number, stmt, stmts);
            }
            if head.is_back(stmt) && used(self.back) {
                return self.back(number, stmt, stmts);
            }
        }
        for (point, of) in points.undone_by(stmt).filter(|(point, _)| self.back.contains(point)) {
            if !self.around.contains(&point) {
                self.compare(point, of, stmts);
            }
        }
        let undone: Numbers = points.undone_by(stmt).map(|(point, _)| point).collect();
        let around = self.around.union(&undone).copied().collect();
        let outside = std::mem::replace(&mut self.around, around);
        stmts.push(stmt.map_blocks(&mut |block| self.block(block)));
        self.around = outside;
        for (point, of) in points.assigned_by(stmt).filter(|(point, _)| self.there.contains(point)) {
            let (var, span) = (of.var, stmt.span());
            let alone = matches!(of.at, At::Assigned(None));
            stmts.extend(alone.then(|| [Sample::Open(span), Sample::Turn(span)].map(sample)).into_iter().flatten());
            stmts.push(sample(Sample::Keep { point, var, span }));
            stmts.extend(alone.then(|| sample(Sample::Shut(span))));
        }
        if let Stmt::Restore(s) = stmt
            && s.place.is_all()
            && self.compared.contains(&s.place.root)
        {
            stmts.push(self.measure(s.place.root, true, s.place.span));
        }
    }

    /// A loop on the way there.
    fn there(&mut self, number: usize, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        let span = stmt.span();
        let kept =
            self.in_front(number, self.there).into_iter().map(|(point, of)| Sample::Keep { point, var: of.var, span });
        let kept: Vec<Stmt> = std::iter::once(Sample::Turn(span)).chain(kept).map(sample).collect();
        stmts.push(sample(Sample::Open(span)));
        stmts.push(stmt.map_blocks(&mut |block| {
            let mut body = self.block(block);
            body.stmts.splice(0..0, kept.iter().cloned());
            body
        }));
        stmts.push(sample(Sample::Shut(span)));
    }

    /// The same on the way back.
    fn back(&mut self, number: usize, stmt: &Stmt, stmts: &mut Vec<Stmt>) {
        let span = stmt.span();
        let compared = self.in_front(number, self.back);
        stmts.push(sample(Sample::Reopen(span)));
        stmts.extend(compared.iter().map(|(_, of)| self.measure(of.var, false, span)));
        let recalled: Vec<Stmt> = compared.into_iter().map(|(point, of)| self.recall(point, of)).collect();
        stmts.push(stmt.map_blocks(&mut |block| {
            let mut body = self.block(block);
            body.stmts.extend(recalled.iter().cloned());
            body.stmts.push(sample(Sample::Unturn(span)));
            body
        }));
        stmts.push(sample(Sample::Unopen(span)));
    }

    /// A comparison in front of what undoes an assignment.
    fn compare(&mut self, point: usize, of: &Point, stmts: &mut Vec<Stmt>) {
        let span = of.made.span();
        let alone = matches!(of.at, At::Assigned(None));
        stmts.extend(alone.then(|| sample(Sample::Reopen(span))));
        stmts.push(self.recall(point, of));
        stmts.extend(alone.then(|| [Sample::Unturn(span), Sample::Unopen(span)].map(sample)).into_iter().flatten());
    }

    fn recall(&mut self, point: usize, of: &Point) -> Stmt {
        let scale = self.scale(of.var, of.made.span());
        sample(Sample::Recall(Recall { point, var: of.var, scale, made: Box::new(as_written(&of.made)) }))
    }

    fn measure(&mut self, var: VarId, anew: bool, span: Span) -> Stmt {
        sample(Sample::Measure { scale: self.scale(var, span), var, anew, span })
    }

    fn scale(&mut self, var: VarId, span: Span) -> VarId {
        let next = VarId(self.first + self.scales.len());
        self.scales.entry(var).or_insert((next, span)).0
    }

    /// The points in front of each iteration of a loop.
    fn in_front(&self, number: usize, some: &Numbers) -> Vec<(usize, &'s Point)> {
        let points = self.points.loops[number].points.iter().filter(|point| some.contains(point));
        let points = points.map(|&point| (point, &self.points.points[point]));
        points.filter(|(_, point)| matches!(point.at, At::Iterations(_))).collect()
    }
}
