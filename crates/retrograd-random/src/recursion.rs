//! Procedures that call themselves.

use super::Config;
use super::rng::Rng;
use super::scope::{Kind, Var};
use super::writer::{Census, Items, Writer};

/// Writes a procedure that calls itself, on numbers of this kind.
pub(super) fn recursive(
    name: &str,
    kind: Kind,
    rng: &mut Rng,
    config: &Config,
    items: &Items,
    census: &mut Census,
) -> String {
    let mut writer = Writer::new(rng, config, items, census);
    writer.turns = 36;
    let is_generic = config.generic && kind == Kind::Float;
    if is_generic {
        writer.float = "T";
    }
    let (generics, ty) = (if is_generic { "<T: Real>" } else { "" }, writer.type_name(kind));
    writer.scope.declare(Var::new("depth", Kind::Index).below(5));
    writer.scope.declare(Var::new("a", kind).exclusive());
    writer.scope.declare(Var::new("v", kind).slice(3).exclusive());
    writer.text.line("#[reversible]");
    writer.text.open(format!("fn {name}{generics}(v: &mut [{ty}], a: &mut {ty}, depth: usize)"));
    writer.text.open("if depth > 0");
    writer.inline(0, 2);
    writer.text.line(format!("{name}(v, a, depth - 1);"));
    writer.inline(0, 1);
    writer.text.close();
    writer.text.close();
    writer.text.finish()
}

impl Writer<'_> {
    /// A call of a procedure that calls itself.
    pub(super) fn recursion(&mut self) -> bool {
        if self.items.recursive.is_empty() || self.turns > 6 || !self.may_call() {
            return false;
        }
        let (kind, name) = self.rng.pick(&self.items.recursive);
        let slices = self.scope.writable(|var| var.kind == kind && var.len() >= 3);
        let scalars = self.scope.writable(|var| var.kind == kind && var.is_scalar());
        if slices.is_empty() || scalars.is_empty() {
            return false;
        }
        self.note(if kind == Kind::Float { "recursion on floats" } else { "recursion" });
        let (slice, scalar) = (self.rng.pick(&slices), self.rng.pick(&scalars));
        let uncall = self.rng.pick(&["", "::uncall"]);
        let (slice_text, scalar_text) = (self.lend_exclusively(slice), self.lend_exclusively(scalar));
        self.scope.writes.extend([slice, scalar]);
        let turns = self.rng.between(0, 4);
        self.text.line(format!("{name}{uncall}({slice_text}, {scalar_text}, {turns});"));
        true
    }
}
