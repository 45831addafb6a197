//! Whether a local that an adjoint run restores is what it was: as on the CPU, in every build.

use super::types::Ty;
use super::{Emitter, Written, refuse};
use crate::ir::{Expected, Expr, Restored, VarId};

impl Emitter<'_> {
    /// The largest magnitude of a number in a variable.
    pub(super) fn magnitude(&mut self, var: VarId, name: &str, of: &Expr) -> Written<()> {
        let of = self.expr(of, None)?;
        let mut line = format!("number {name} = 0;");
        for leaf in of.ty.leaves().iter().filter(|leaf| leaf.ty.is_float()) {
            line += &format!(" {}{name} = larger({name}, {}{});", leaf.heads, of.text, leaf.path);
        }
        self.put(&line);
        self.declare(var, Ty::Number);
        Ok(())
    }

    pub(super) fn restored(&mut self, s: &Restored) -> Written<()> {
        let ty = self.var_type(s.var, s.binding.span)?;
        let (name, scale) = (self.names.of_var(s.var), self.names.of_var(s.scale));
        let leaves = ty.leaves();
        let each = match s.expected {
            Expected::Each(..) => leaves.first().map(|leaf| leaf.ty.clone()),
            Expected::Value(_) | Expected::Kept(_) | Expected::KeptOne(..) => None,
        };
        let expected = self.expr(s.expected.expr(), Some(each.as_ref().unwrap_or(&ty)))?;
        if expected.ty != *each.as_ref().unwrap_or(&ty) {
            return refuse(s.binding.span, "what this local was has another type on devices");
        }
        let line = self.line;
        let mut text = format!("{{ {} witness = {}; number start = 0;", expected.ty, expected.text);
        let path = |path: &str| if each.is_some() { String::new() } else { path.to_string() };
        for leaf in leaves.iter().filter(|leaf| leaf.ty.is_float()) {
            text += &format!(" {}start = larger(start, witness{});", leaf.heads, path(&leaf.path));
        }
        for leaf in &leaves {
            let (was, is) = (format!("witness{}", path(&leaf.path)), format!("{name}{}", leaf.path));
            let differs = match leaf.ty.is_float() {
                true => format!("drifted({was}, {is}, start, {scale})"),
                false => format!("{was} != {is}"),
            };
            text += &format!(" {}if ({differs}) DRIFT({line});", leaf.heads);
        }
        self.put(&format!("{text} }}"));
        Ok(())
    }
}
