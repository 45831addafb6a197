//! An element that all iterations of an innermost loop touch waits in a local.
//!
//! ```text
//! for j in (0..i).rev() {                         if 0 < i {
//!     let adjoint = -grad_x[i];                       let carried = grad_x[i];
//!     grad_x[j] += adjoint * l[j];                    let mut carried_2 = x[i];
//!     x[i] += l[j] * x[j];           becomes          for j in (0..i).rev() {
//! }                                                       let adjoint = -carried;
//!                                                         grad_x[j] += adjoint * l[j];
//!                                                         carried_2 += l[j] * x[j];
//!                                                     }
//!                                                     x[i] = carried_2;
//!                                                 }
//! ```
//!
//! Where a loop changes other elements of the same array, LLVM takes them for the same one, and each iteration waits for what the one
//! before it has written to memory. Here it is visible that they differ. A loop without iterations does not look at the element:
//! there may be none.

use super::added::{changes, is_sum, with_views};
use super::numbers::NumberPlaces;
use super::ranged::Ranged;
use crate::analysis::Context;
use crate::analysis::types;
use crate::ir::{Assign, Binding, BindingKind, Block, Expr, For, Pattern, Place, Program, Stmt, Var, VarId, VarKind};

/// Carries elements through loops.
pub fn carry(program: &mut Program) {
    let views = with_views(program);
    let (body, vars) = {
        let context = Context::new(program);
        let numbers = NumberPlaces::of(program);
        let mut pass = Pass { context: context.with(&views), numbers, vars: program.vars.clone() };
        (pass.block(&program.body), pass.vars)
    };
    (program.body, program.vars) = (body, vars);
}

struct Pass<'c, 'p> {
    context: Context<'c>,
    numbers: NumberPlaces<'p>,
    /// The variables of the program, and what carries elements.
    vars: Vec<Var>,
}

/// An element that waits in a local.
struct Carried {
    place: Place,
    local: VarId,
    /// Whether the loop changes it.
    changed: bool,
}

impl Pass<'_, '_> {
    fn block(&mut self, block: &Block) -> Block {
        let stmts = block.stmts.iter().map(|stmt| match stmt.map_blocks(&mut |block| self.block(block)) {
            Stmt::For(s) => self.turns(&s).unwrap_or(Stmt::For(s)),
            stmt => stmt,
        });
        Block { stmts: stmts.collect(), span: block.span }
    }

    fn turns(&mut self, s: &For) -> Option<Stmt> {
        let turns = Ranged::of(s)?;
        let mut places = Vec::new();
        if !touched(&s.body, &mut places) {
            return None;
        }
        let carried: Vec<Carried> = places.into_iter().filter_map(|place| self.carried(s, place)).collect();
        if carried.is_empty() {
            return None;
        }
        let local = |e: &Expr| {
            let place = e.as_place()?;
            carried.iter().find(|carried| carried.place == place).map(|carried| Expr::var(carried.local, e.span))
        };
        let begins = carried.iter().map(|Carried { place, local, changed }| {
            Stmt::Begin(Binding {
                kind: if *changed { BindingKind::Ancilla } else { BindingKind::Let },
                pattern: Pattern::bind(*local, s.span),
                ty: None,
                value: place.to_expr(),
                constant: false,
                span: s.span,
            })
        });
        let ends = carried.iter().filter(|carried| carried.changed).map(|Carried { place, local, .. }| {
            let value = Expr::var(*local, s.span);
            Stmt::Assign(Assign { target: place.clone(), value, kept: None, reread: false, span: s.span })
        });
        let around = Stmt::For(s.with_body(s.body.rewritten(&local)));
        let stmts = begins.chain([around]).chain(ends).collect();
        Some(turns.if_any(Block { stmts, span: s.span }))
    }

    /// The local for an element, if it is the same number in all iterations, and all else that they touch is apart from it.
    fn carried(&mut self, s: &For, place: Place) -> Option<Carried> {
        let own = self.context.access(&place, false).place;
        let effects = self.context.block_effects(&s.body);
        let writes = || effects.writes.iter().filter(|access| access.place.root == own.root);
        let reads = effects.reads.iter().filter(|access| access.place.root == own.root && !access.shape);
        let apart = self.context.apart_in_all_turns(s, &own)?;
        let seen = writes().chain(reads).all(|access| *access.written == place || apart(&access.place));
        if writes().next().is_none() || !seen || !self.numbers.is_number(&self.vars, &place) {
            return None;
        }
        let changed = writes().any(|access| *access.written == place);
        let kind = match self.vars[place.root.0].kind {
            VarKind::Shadow { .. } => VarKind::Shadow { reference: false },
            _ => VarKind::Ancilla,
        };
        let mut var = Var::added(&format!("carried_{}", self.vars.len()), kind, s.span);
        var.ty = types::of_place(&self.vars, &place).cloned();
        self.vars.push(var);
        Some(Carried { place, local: VarId(self.vars.len() - 1), changed })
    }
}

/// Collects the elements that a block touches whatever happens in it; `false` if it does more than add to places, and name values.
fn touched(block: &Block, places: &mut Vec<Place>) -> bool {
    block.stmts.iter().all(|stmt| match stmt {
        Stmt::Update(s) => {
            touch(s.target.clone(), places);
            is_sum(s) && !changes(&s.operand)
        }
        Stmt::Begin(b) | Stmt::End(b) => {
            b.value.as_place().into_iter().for_each(|place| touch(place, places));
            b.kind == BindingKind::Let && !changes(&b.value)
        }
        Stmt::Block(inner) => touched(inner, places),
        Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::If(_)
        | Stmt::Match(_)
        | Stmt::For(_)
        | Stmt::Swap(_)
        | Stmt::Permute(_)
        | Stmt::Call(_)
        | Stmt::While(_)
        | Stmt::Loop(_)
        | Stmt::Recompute(_)
        | Stmt::Conjugate(_)
        | Stmt::Unchecked(_)
        | Stmt::Inverse(_)
        | Stmt::Host(_)
        | Stmt::Check(_)
        | Stmt::Assign(_)
        | Stmt::Keep(_)
        | Stmt::Restore(_)
        | Stmt::Give(_)
        | Stmt::Exit(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => false,
    })
}

fn touch(place: Place, places: &mut Vec<Place>) {
    if place.indices().next().is_some() && !places.contains(&place) {
        places.push(place);
    }
}
