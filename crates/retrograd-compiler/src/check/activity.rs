//! No derivative is lost in a constant, and every active argument has room for its shadow.

use crate::analysis::Context;
use crate::analysis::activity::is_active;
use crate::diagnostics::Diagnostics;
use crate::ir::{Activity, Block, Program, Type};

/// A `#[constant]` argument is not changed by an active operand.
pub(super) fn check(program: &Program, context: &Context<'_>, diagnostics: &Diagnostics) {
    check_block(program, context, &program.body, diagnostics);
}

/// An active argument is behind one reference at most, as its shadow is.
pub(crate) fn check_references(program: &Program, diagnostics: &Diagnostics) {
    for var in program.params.iter().map(|param| program.var(param.var)) {
        if var.ty.as_ref().and_then(Type::referred).and_then(Type::referred).is_some()
            && var.activity == Activity::Active
        {
            let name = &var.written;
            diagnostics.error(
                var.span,
                format!(
                    "`{name}` is behind two references, and its derivative can be behind one only; take it behind one, mark it \
                     `#[constant]`, or put `#[reversible(derivatives = \"never\")]` on the function"
                ),
            );
        }
    }
}

fn check_block(program: &Program, context: &Context<'_>, block: &Block, diagnostics: &Diagnostics) {
    for stmt in &block.stmts {
        let effects = context.own_effects(stmt);
        let constant = effects.writes.iter().find(|w| program.var(w.place.root).activity == Activity::Constant);
        if let Some(write) = constant
            && is_active(program, stmt)
        {
            let name = context.name(write.place.root);
            diagnostics.error(
                stmt.span(),
                format!(
                    "`{name}` is marked `#[constant]`, so no derivative flows through it, but here it is changed by something \
                     active and the derivative would be lost; drop the mark"
                ),
            );
        }
        stmt.blocks().into_iter().for_each(|block| check_block(program, context, block, diagnostics));
    }
}
