//! Loops over the elements of slices.

use super::scope::{Access, Kind, Var, VarId};
use super::writer::Writer;

/// One iterator of a loop head: over the elements or the chunks of a slice, to change or only to read them.
struct Source {
    text: String,
    root: VarId,
    item: Var,
    is_changed: bool,
    turns: usize,
}

impl Writer<'_> {
    /// Writes a loop over one slice, or over two side by side; false when no slice is at hand.
    pub(super) fn iteration(&mut self, depth: usize) -> bool {
        // The head of a slice must not depend on what the rest changes: there, only parameters that nobody changes are run over.
        let is_changing = self.slice.is_none() && self.rng.chance(75);
        let chunk = if self.rng.chance(25) { Some(self.rng.between(2, 3)) } else { None };
        let Some(mut first) = self.source(is_changing, chunk, None) else { return false };
        let is_second_changing = self.slice.is_none() && self.rng.chance(40);
        let mut second = match self.rng.chance(50) {
            true => self.source(is_second_changing, chunk, Some(&first)),
            false => None,
        };
        let is_numbered = self.rng.chance(40);
        let turns = first.turns.min(second.as_ref().map_or(6, |source| source.turns));

        self.note(match (chunk.is_some(), first.is_changed) {
            (false, true) => "iter_mut",
            (false, false) => "iter",
            (true, true) => "chunks_exact_mut",
            (true, false) => "chunks_exact",
        });
        let mut head = first.text.clone();
        let mut pattern = self.pattern(&mut first);
        if let Some(second) = &mut second {
            self.note("zip");
            head = format!("{head}.zip({})", second.text);
            pattern = format!("({pattern}, {})", self.pattern(second));
        }
        let mut items = vec![first.item];
        if is_numbered {
            self.note("enumerate");
            let name = self.fresh("i");
            head.push_str(".enumerate()");
            pattern = format!("({name}, {pattern})");
            items.push(Var::new(name, Kind::Index).below(turns));
        }

        let (mut hidden, mut frozen) = (Vec::new(), Vec::new());
        if first.is_changed { &mut hidden } else { &mut frozen }.push(first.root);
        if let Some(second) = second {
            if second.is_changed { &mut hidden } else { &mut frozen }.push(second.root);
            items.push(second.item);
        }
        self.text.open(format!("for {pattern} in {head}"));
        self.scope.freeze(&frozen);
        self.hide(&hidden, 1);
        self.scope.reads.extend(&frozen);
        let outer = self.scope.enter();
        let items: Vec<VarId> = items.into_iter().map(|item| self.scope.declare(item)).collect();
        let count = self.body_size(depth);
        self.repeated(turns, |w| w.block(depth, count));
        self.scope.leave(outer);
        if items.iter().any(|item| self.scope.writes.contains(item)) {
            self.scope.writes.extend(&hidden);
        }
        self.hide(&hidden, -1);
        self.scope.thaw(&frozen);
        self.text.close();
        true
    }

    fn hide(&mut self, roots: &[VarId], change: isize) {
        for &root in roots {
            let hidden = &mut self.scope.vars[root].hidden;
            *hidden = hidden.wrapping_add_signed(change);
        }
    }

    fn source(&mut self, is_changed: bool, chunk: Option<usize>, other: Option<&Source>) -> Option<Source> {
        let least = chunk.unwrap_or(1);
        let in_slice = self.slice.is_some();
        let mut roots = match is_changed {
            true => self.scope.writable(|var| var.len() >= least),
            false => self.scope.readable(|var| var.len() >= least && !(in_slice && var.changeable)),
        };
        if let Some(other) = other {
            // Of two parts of one slice, either both are changed or none.
            let aliases = self.scope.aliases(&[other.root]);
            roots.retain(|id| *id != other.root && (is_changed == other.is_changed || !aliases.contains(id)));
        }
        if in_slice {
            // A read-only view reads what it shows.
            roots.retain(|&id| self.scope.vars[id].sources.is_empty());
        }
        if roots.is_empty() {
            return None;
        }
        let root = self.rng.pick(&roots);
        let (root_name, kind) = (self.scope.name(root).to_string(), self.scope.vars[root].kind);
        let suffix = if is_changed { "_mut" } else { "" };
        let (text, name, turns) = match chunk {
            Some(len) => (format!("{root_name}.chunks_exact{suffix}({len})"), self.fresh("chunk"), 6 / len),
            None => (format!("{root_name}.iter{suffix}()"), self.fresh("item"), 6),
        };
        let item = Var::new(name, kind);
        let item = if is_changed {
            item.exclusive().part_of(root, &self.scope)
        } else {
            item.shared().computed_from(self.scope.sources(&[root]))
        };
        let item = if let Some(len) = chunk { item.slice(len) } else { item };
        Some(Source { text, root, item, is_changed, turns })
    }

    /// The name of the item, or `&name` for a value that can be copied out.
    fn pattern(&mut self, source: &mut Source) -> String {
        let item = &mut source.item;
        if item.access == Access::Shared && item.is_scalar() && self.rng.chance(30) {
            self.note("reference pattern");
            item.access = Access::Owned;
            return format!("&{}", item.name);
        }
        item.name.clone()
    }
}
