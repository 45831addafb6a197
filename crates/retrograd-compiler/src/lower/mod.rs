//! From the IR to the core: nothing left but what every back end can print.
//!
//! A core program has the statements of the IR without those that stand for several runs of others: `Conjugate`, `Compute`,
//! `Uncompute` and `Inverse` have become what they run, and nothing that is dropped is undone. Host statements are there only
//! where they run. Loops that are to be unrolled are written out, views are taken where rustc accepts them, and what has to be
//! checked about indices is a statement of its own. A run with a record is given one, or begins with one of its own.

mod guards;
mod legalize;
mod rows;
mod touched;
mod unroll;
mod values;
mod watch;
mod witnesses;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analysis::Context;
use crate::analysis::need::After;
use crate::derivative::let_register;
use crate::ir::{
    Block, Check, Expr, Host, HostKind, Mode, Param, Pattern, Program, Role, Rule, Run, Sample, Stmt, Used, Var, VarId,
    VarKind,
};
use crate::optimize::demand::demand;
use crate::passes::Pass;
use crate::record::has_hosts;

use watch::Watch;

pub(crate) use unroll::unrolls;
pub use values::Hosts;
pub(crate) use values::values;
pub(crate) use watch::recorded as compared_inverse;

/// The statements of a program as they run on values alone.
pub(crate) fn run(program: &Program) -> Block {
    values(&Context::new(program), &program.body, After::Everything, Hosts::Run)
}

/// Whether a host statement reads a local, also on the way back.
pub(crate) fn hosts_read_locals(program: &Program) -> bool {
    fn any(program: &Program, block: &Block) -> bool {
        let is_local = |var: &VarId| !matches!(program.var(*var).kind, VarKind::Param(_) | VarKind::Host);
        block.stmts.iter().any(|stmt| match stmt {
            Stmt::Host(s) => s.kind == HostKind::Both && s.reads.iter().any(is_local),
            // What it changes comes back as it was in front of it, and not step by step.
            Stmt::Recompute(s) => has_hosts(&s.body),
            _ => stmt.blocks().into_iter().any(|block| any(program, block)),
        })
    }
    any(program, &program.body)
}

/// The statements without assertions of the other direction.
pub(crate) fn without_assertions(block: &Block) -> Block {
    let asserts = |stmt: &&Stmt| matches!(stmt, Stmt::Host(Host { kind: HostKind::Assert(false), .. }));
    let stmts = block.stmts.iter().filter(|stmt| !asserts(stmt));
    Block { stmts: stmts.map(|stmt| stmt.map_blocks(&mut without_assertions)).collect(), span: block.span }
}

/// The core of a program, or of a derivative run of it.
pub fn lower(program: &Program, run: Run) -> Program {
    let watched = match run {
        Run::Values => Cow::Borrowed(program),
        Run::Adjoint | Run::Tangent | Run::Keep | Run::Spend => witnesses::witnesses(program),
    };
    unroll::unroll(with_loops(&watched, run), program.passes.has(Pass::Unroll))
}

/// The core of an inverse, which restores locals, and uses views in another order than they were written in.
pub fn inverse(program: &Program) -> Program {
    let restoring = restoring(program, Hosts::Run);
    let restoring = witnesses::witnesses(&restoring);
    let body = guards::guards(&restoring, restoring.body.clone(), Run::Values);
    let body = legalize::views(&restoring, body, Run::Values);
    unroll::unroll(Program { run: Run::Values, body, ..restoring.into_owned() }, program.passes.has(Pass::Unroll))
}

/// An inverse as it runs on values, comparing what it restores; all that nobody needs is left out.
fn restoring(program: &Program, hosts: Hosts) -> Program {
    let mut compared = compared_run(program, hosts);
    if program.passes.has(Pass::Demand) {
        demand(&mut compared, BTreeMap::new(), hosts);
    }
    compared
}

/// The statements of a program as they run on values alone, with what they restore compared, unless that is switched off.
pub(crate) fn compared_run(program: &Program, hosts: Hosts) -> Program {
    let context = Context::new(program);
    let watch = Watch::new(&context, program);
    let body = values::compared_values(&context, watch.as_ref(), &program.body, After::These(&[]), hosts);
    let registers = watch.map(Watch::into_registers).unwrap_or_default();
    program.with(program.vars.iter().cloned().chain(registers).collect(), body)
}

/// The same with all loops.
fn with_loops(program: &Program, run: Run) -> Program {
    let body = match run {
        Run::Values => {
            let context = Context::new(program);
            let read = program.result.as_ref().map(|e| context.expr_reads(e)).unwrap_or_default();
            let read: Vec<VarId> = read.iter().map(|access| access.place.root).collect();
            values(&context, &program.body, After::These(&read), Hosts::Run)
        }
        // The stages that add derivatives have lowered what they started from.
        Run::Adjoint | Run::Tangent | Run::Keep | Run::Spend => program.body.clone(),
    };
    // What the user wrote takes its views where rustc accepts them.
    let body = if run == Run::Values { body } else { legalize::views(program, body, run) };
    let body = guards::guards(program, body, run);
    let ending = Block { stmts: Vec::new(), span: program.ending.span };
    let mut core = Program { run, ending, ..program.with_body(body) };
    if run != Run::Values && program.passes.has(Pass::Rows) {
        rows::rows(&mut core);
    }
    if run.has_record() {
        let record = Var::added("record", VarKind::Param(Mode::Change), program.body.span);
        core.params.insert(0, Param { var: VarId(core.vars.len()), mode: Mode::Change, role: Role::Record });
        core.vars.push(record);
        return core;
    }
    let used = Used::by_block(&core.body);
    if used.needs_record() || used.sampled {
        let (record, span) = (VarId(core.vars.len()), program.body.span);
        core.vars.push(Var::added("record", VarKind::Register, span));
        let lease = match used.needs_record() {
            true => let_register(Pattern::bind(record, span), Expr::rule(Rule::Lease, Vec::new(), span)),
            false => Stmt::Check(Check::Sample(Sample::Lease(record, span))),
        };
        core.body.stmts.insert(0, lease);
    }
    core
}
