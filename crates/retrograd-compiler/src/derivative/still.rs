//! Values that are passed to a call, and what their tangents are made of.
//!
//! The tangent of `p.c` is passed in the type of a tangent of `f64`, because that is what a parameter may want. Whether `p.c` is a
//! `#[constant]` field, and whether the parameter is a `#[constant]` one, only rustc knows:
//!
//! ```text
//! let kind = made_of(&d_p.c);
//! g::pushforward(.., p.c, passed(&tangent, kind));
//! ```

use super::expression::{Expression, Op};
use super::rules::Through;
use crate::ir::{Expr, Place, Projection, Rule};

impl Expression<'_, '_> {
    /// The shadow of an argument, given the tangent of the node in a variable. What it is made of goes into a register: the call may
    /// change a neighbour.
    pub(crate) fn passed_tangent(&mut self, node: usize, tangent: Expr) -> Expr {
        let span = tangent.span;
        let lent = Expr::borrow(tangent, span);
        let mut leaves = Vec::new();
        if !self.may_be_still(node, false, &mut leaves) || leaves.is_empty() {
            return lent;
        }
        let leaves = leaves.iter().map(|place| self.shadows.shadow_place(place).to_expr()).collect();
        let (kind, begin) = self.shadows.register("kind", Expr::rule(Rule::MadeOf, leaves, span));
        self.before.push(begin);
        Expr::rule(Rule::Passed, vec![lent, kind], span)
    }

    /// Whether nothing says that the node moves; then the places that it is made of. The tangent of a number that is no field has
    /// the type of a number; behind a cast there may be an integer.
    fn may_be_still(&self, node: usize, cast: bool, leaves: &mut Vec<Place>) -> bool {
        let mut all = |children: &[usize], cast| children.iter().all(|child| self.may_be_still(*child, cast, leaves));
        match &self.nodes[node].op {
            Op::Constant => true,
            Op::Leaf(place) => {
                let is_field = |step: &Projection| matches!(step, Projection::Field(_));
                let may_be = cast || self.shadows.resolved(place).path.iter().any(is_field);
                if may_be && !leaves.contains(place) {
                    leaves.push(place.clone());
                }
                may_be
            }
            Op::Scalar(children, rule) => {
                let through = children.iter().zip(*rule).filter(|(_, through)| !matches!(through, Through::Nothing));
                all(&through.map(|(child, _)| *child).collect::<Vec<_>>(), cast)
            }
            Op::Parts(parts) => all(&parts.iter().map(|(_, child)| *child).collect::<Vec<_>>(), cast),
            Op::Cast(child) => all(&[*child], true),
            Op::Repeat(child) | Op::Part(child, _) | Op::SinCos(child) | Op::Form(child) | Op::Spread(child) => {
                all(&[*child], cast)
            }
            Op::Call(..) | Op::Region | Op::Sum(_) | Op::Elements(_) | Op::Collected(_) => false,
        }
    }
}
