//! Records of ancillas that undo themselves: they live inside one run, and no caller knows of them.
//!
//! ```text
//! let mut y = x;                          let mut y = x;
//! #[record] while c { y = f(y); }         while c, filling the record
//! z += y;                                 the adjoint of z += y
//!                                         y backwards, emptying the record
//! ```
//!
//! What computes such an ancilla is prepared as in a program that is recorded as a whole, and stands in its block as one statement
//! that the record undoes. All else is held to the rules of the language.

use std::collections::BTreeSet;

use super::split::greatest;
use crate::analysis::Context;
use crate::analysis::lifetime::Role;
use crate::check;
use crate::elaborate::elaborate;
use crate::ir::{Block, Compute, Kind, Program, Records, Stmt, Var, VarId};
use crate::places;

/// The program with explicit ends of life, if everything that it records are ancillas which undo themselves. With derivatives, the
/// functions that recorded statements call run once.
pub fn private(program: &Program, derivatives: bool) -> Option<Program> {
    let marked = program.marked.as_ref().filter(|_| program.kind == Kind::Procedure)?;
    let is_marked = |stmt: &Stmt| marked.iter().any(|span| span.is_at(stmt.span()));
    let mut stage = Stage { program, is_marked: &is_marked, derivatives, vars: program.vars.clone(), slots: 0 };
    let body = stage.block(&program.body);
    let program = Program { records: Records::Nothing, ..program.with(stage.vars, body) };
    let undone = loses_nothing(&program.body)
        && check::lifetimes_hold(&program)
        && is_private(&Context::new(&program), &program.body, false);
    undone.then(|| elaborate(&program))
}

struct Stage<'p> {
    program: &'p Program,
    is_marked: &'p dyn Fn(&Stmt) -> bool,
    derivatives: bool,
    /// The variables of the program, and the registers that are added.
    vars: Vec<Var>,
    slots: usize,
}

impl Stage<'_> {
    fn block(&mut self, block: &Block) -> Block {
        Block { stmts: block.stmts.iter().map(|stmt| self.stmt(stmt)).collect(), span: block.span }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        if !(self.is_marked)(stmt) || stmt.begun().or(stmt.ended()).is_some() {
            return stmt.map_blocks(&mut |block| self.block(block));
        }
        let span = stmt.span();
        let (vars, body) = (self.vars.clone(), Block { stmts: vec![stmt.clone()], span });
        let alone = self.program.with(vars, body);
        let Program { vars, body, .. } = super::record_from(&places::settle(&alone), self.derivatives, self.slots);
        self.slots = self.slots.max(greatest(&body));
        self.vars = vars;
        // Its registers are its own.
        let body = Block { stmts: vec![Stmt::Block(body)], span };
        Stmt::Compute(Compute { body, slice: false, kept: true })
    }
}

/// Whether nothing outside of what is marked needs a record.
fn loses_nothing(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::Assign(_) | Stmt::Loop(_) | Stmt::Exit(_) | Stmt::Recompute(_) => false,
        Stmt::Compute(s) if s.kept => true,
        _ => stmt.blocks().into_iter().all(loses_nothing),
    })
}

/// Whether what is recorded computes ancillas of its block, or of a block around it: alone, and before anything uses them. Then each
/// run fills the record and empties it, or needs none of it. `computing` says whether a statement around the block does all that.
fn is_private(context: &Context<'_>, block: &Block, computing: bool) -> bool {
    let plan = context.plan(block, None);
    let uses = |i: usize| !matches!(plan.roles[i], Role::Computing | Role::Beginning);
    block.stmts.iter().enumerate().all(|(i, stmt)| {
        let inside = |computing| stmt.blocks().into_iter().all(|block| is_private(context, block, computing));
        match &plan.roles[i] {
            _ if !keeps(stmt) => true,
            Role::Computing => {
                let changed: BTreeSet<VarId> = plan.effects[i].changed().into_iter().collect();
                let mentions = |j: usize| plan.effects[j].mentioned().any(|var| changed.contains(&var));
                !(0..i).any(|j| uses(j) && mentions(j)) && (is_kept(stmt) || inside(true))
            }
            Role::Using => {
                if is_kept(stmt) {
                    computing
                } else {
                    inside(computing)
                }
            }
            Role::Beginning | Role::Mixed(_) => false,
        }
    })
}

fn is_kept(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Compute(s) if s.kept)
}

/// Whether anything in a statement fills a record of the run.
pub(crate) fn keeps(stmt: &Stmt) -> bool {
    stmt.any(&is_kept)
}
