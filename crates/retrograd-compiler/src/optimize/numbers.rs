//! Places that hold one number, as far as that can be seen.

use std::collections::BTreeMap;

use super::shapes::{is_number, repeated};
use crate::analysis::types;
use crate::ir::{Block, Expr, ExprKind, Place, Program, Projection, Rule, Var, VarId};
use crate::signature::numbers::Numbers;

/// What says of a place that it holds one number, or the shadow of one.
pub(super) struct NumberPlaces<'p> {
    numbers: &'p Numbers,
    /// Locals that begin as equal numbers, and their shadows: how many indices lead to a number.
    depths: BTreeMap<VarId, usize>,
}

impl NumberPlaces<'_> {
    pub(super) fn of(program: &Program) -> NumberPlaces<'_> {
        let mut depths = BTreeMap::new();
        of_numbers(&program.body, &mut depths);
        NumberPlaces { numbers: &program.numbers, depths }
    }

    /// Whether a place is one of a number, by its type or by what the local begins as.
    pub(super) fn is_number(&self, vars: &[Var], place: &Place) -> bool {
        match types::of_place(vars, place) {
            Some(ty) => self.numbers.is_number(ty),
            None => {
                let indices = place.path.iter().filter(|step| matches!(step, Projection::Index(_))).count();
                indices == place.path.len() && self.depths.get(&place.root) == Some(&indices)
            }
        }
    }
}

/// The locals that begin as equal numbers, and their shadows: how many indices lead to a number.
fn of_numbers(block: &Block, depths: &mut BTreeMap<VarId, usize>) {
    for stmt in &block.stmts {
        if let Some(binding) = stmt.begun()
            && let Some(var) = binding.pattern.as_var()
        {
            let depth = match &binding.value.kind {
                ExprKind::Rule(Rule::Zero, of) => match of.as_slice() {
                    [Expr { kind: ExprKind::Var(value), .. }] => depths.get(value).copied(),
                    _ => None,
                },
                _ => depth(&binding.value),
            };
            depth.and_then(|depth| depths.insert(var, depth));
        }
        stmt.blocks().into_iter().for_each(|block| of_numbers(block, depths));
    }
}

/// How many indices lead to a number, in what is visibly made of equal ones.
fn depth(value: &Expr) -> Option<usize> {
    match repeated(value) {
        Some(element) => Some(depth(element)? + 1),
        None => is_number(value).then_some(0),
    }
}
