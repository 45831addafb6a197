//! Resolves names: which variable an identifier means, and whether it is still alive.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream, TokenTree};

use super::ordinary::Locals;
use crate::diagnostics::Diagnostics;
use crate::ir::{Activity, Mode, Type, TypeKind, Var, VarId, VarKind};
use crate::span::{Span, context};

/// The variables of the program being read, and those visible right here.
pub(super) struct Names<'a> {
    pub(super) diagnostics: &'a Diagnostics,
    pub(super) vars: Vec<Var>,
    /// The names visible here, innermost last, and where the blocks begin among them.
    visible: Vec<(Key, VarId)>,
    scopes: Vec<Scope>,
    /// The variables of each name that are visible, innermost last.
    by_name: HashMap<Key, Vec<VarId>>,
    /// How many variables of each spelling are visible.
    spelled: HashMap<String, usize>,
    /// The names under which variables are emitted.
    emitted: HashSet<String>,
    /// How many expressions there are around what is being read.
    inside: usize,
    /// The names that are bound inside of the expression that is being read, or was read last.
    bound: HashSet<String>,
    released: HashMap<VarId, Span>,
    /// The names found so far that are no locals: functions and constants.
    pub(super) free: HashSet<String>,
    /// Names in patterns of arms, which are new ones unless they are among those.
    doubtful: Vec<Ident>,
    /// All words of the function: a new name is none of them.
    words: HashSet<String>,
}

/// A name, and the expansion of a macro that it comes from: a macro does not see the locals of its caller, nor the other way round.
type Key = (String, u32);

/// Names that cannot be seen for a while.
pub(super) struct Hidden(Vec<(Key, VarId)>);

#[derive(Clone, Copy)]
struct Scope {
    /// How many names were visible when the block began.
    first: usize,
    /// The same for the part behind its `#[compute]`: variables declared before belong to the part outside of it.
    sealed: usize,
}

impl<'a> Names<'a> {
    pub(super) fn new(diagnostics: &'a Diagnostics, words: HashSet<String>) -> Names<'a> {
        Names {
            diagnostics,
            vars: Vec::new(),
            visible: Vec::new(),
            scopes: vec![Scope { first: 0, sealed: 0 }],
            by_name: HashMap::new(),
            spelled: HashMap::new(),
            emitted: HashSet::new(),
            inside: 0,
            bound: HashSet::new(),
            released: HashMap::new(),
            free: HashSet::new(),
            doubtful: Vec::new(),
            words,
        }
    }

    /// An expression begins, perhaps inside of another one.
    pub(super) fn enter_expression(&mut self) {
        if self.inside == 0 {
            self.bound.clear();
        }
        self.inside += 1;
    }

    pub(super) fn leave_expression(&mut self) {
        self.inside -= 1;
    }

    pub(super) fn enter(&mut self) {
        let here = self.visible.len();
        self.scopes.push(Scope { first: here, sealed: here });
    }

    pub(super) fn leave(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            for (key, _) in self.visible.drain(scope.first..) {
                self.by_name.get_mut(&key).map(Vec::pop);
                self.spelled.entry(key.0).and_modify(|count| *count -= 1);
            }
        }
    }

    /// From here on the block is the rest of a `#[compute]`.
    pub(super) fn seal(&mut self) {
        let here = self.visible.len();
        self.scopes.last_mut().expect("a block is open").sealed = here;
    }

    /// A new variable. Where it shadows another one it gets a name of its own, because in the inverse program both may be alive at
    /// once. So does one that has the name of a variable inside of its initialiser: in `let x = { let x = e; x };` the adjoint of
    /// the inner one lives inside of the life of the adjoint of the outer one.
    pub(super) fn declare(&mut self, ident: &Ident, ty: Option<Type>, kind: VarKind) -> VarId {
        let written = ident.to_string();
        let id = VarId(self.vars.len());
        // A parameter is known to the caller by its name.
        let param = matches!(kind, VarKind::Param(_) | VarKind::Host);
        let shadows = self.spelled.get(&written).is_some_and(|count| *count > 0);
        let taken = !param && (shadows || self.bound.contains(&written));
        if self.inside > 0 {
            self.bound.insert(written.clone());
        }
        let name = if taken { self.unused(ident) } else { ident.clone() };
        self.emitted.insert(name.to_string());
        let range = ty.as_ref().is_some_and(Type::is_range);
        self.vars.push(Var {
            name,
            written: written.clone(),
            ty,
            kind,
            activity: Activity::Inactive,
            range,
            again: false,
            vector: false,
            element: None,
            in_row: None,
            unchecked: false,
            span: Span::token(ident.span()),
        });
        let key = (written, context(ident.span()));
        *self.spelled.entry(key.0.clone()).or_default() += 1;
        self.by_name.entry(key.clone()).or_default().push(id);
        self.visible.push((key, id));
        id
    }

    /// The variable that a name means here, alive or not, without a word about it.
    pub(super) fn lookup(&self, ident: &Ident) -> Option<VarId> {
        self.lookup_at(&ident.to_string(), ident.span())
    }

    /// The same for a word that stands in a text.
    pub(super) fn lookup_at(&self, name: &str, at: proc_macro2::Span) -> Option<VarId> {
        self.by_name.get(&(name.to_string(), context(at)))?.last().copied()
    }

    /// The variable that a name means here. `None`: it is not a local. A released one is reported.
    pub(super) fn resolve(&mut self, ident: &Ident) -> Option<VarId> {
        let name = ident.to_string();
        let Some(var) = self.lookup(ident) else {
            self.free.insert(name);
            return None;
        };
        if let Some(released) = self.released.get(&var) {
            self.diagnostics.error_with(
                Span::token(ident.span()),
                format!(
                    "`{name}` was released and holds nothing any more; use it before its `release!`, or begin \
                     a new one with `let mut {name} = ..;`"
                ),
                *released,
                format!("`{name}` is released here"),
            );
        }
        Some(var)
    }

    /// Hides what was declared since a variable was: what it was defined with sees only what was there then.
    pub(super) fn hide_since(&mut self, var: VarId) -> Hidden {
        let first = self.visible.partition_point(|(_, id)| *id < var);
        let hidden = self.visible.split_off(first);
        hidden.iter().for_each(|(key, _)| {
            self.by_name.get_mut(key).map(Vec::pop);
        });
        Hidden(hidden)
    }

    /// Shows it again.
    pub(super) fn show(&mut self, Hidden(hidden): Hidden) {
        hidden.iter().for_each(|(key, id)| self.by_name.entry(key.clone()).or_default().push(*id));
        self.visible.extend(hidden);
    }

    /// Whether the variable was declared directly in the block that is being read.
    pub(super) fn in_this_block(&self, var: VarId) -> bool {
        self.declared(var).is_some_and(|(position, scope)| position >= scope.sealed)
    }

    /// Whether the variable was declared in this block, but in front of its `#[compute]`.
    pub(super) fn before_compute(&self, var: VarId) -> bool {
        self.declared(var).is_some_and(|(position, scope)| (scope.first..scope.sealed).contains(&position))
    }

    /// Where a variable stands among those that are visible, and the block that is being read. Variables are numbered in the
    /// order in which they become visible.
    fn declared(&self, var: VarId) -> Option<(usize, Scope)> {
        let position = self.visible.binary_search_by_key(&var, |(_, id)| *id).ok()?;
        self.scopes.last().map(|scope| (position, *scope))
    }

    /// Notes a name in the pattern of an arm that is new, unless it is that of a constant.
    pub(super) fn doubt(&mut self, ident: &Ident) {
        if self.lookup(ident).is_none() {
            self.doubtful.push(ident.clone());
        }
    }

    /// When all is read: a local that has the name of a function or constant gets another one, because in the inverse program it
    /// may be alive where that is meant. Returns the names that such locals had.
    pub(super) fn keep_apart(&mut self) -> HashMap<VarId, String> {
        for ident in self.doubtful.iter().filter(|ident| self.free.contains(&ident.to_string())) {
            self.diagnostics.error(
                Span::token(ident.span()),
                format!(
                    "`{ident}` is also the name of something else in this function, so here it could be that constant or a new name; \
                     write its value, or choose another name"
                ),
            );
        }
        let mut before = HashMap::new();
        for i in 0..self.vars.len() {
            let Var { name, kind, .. } = &self.vars[i];
            let (text, param) = (name.to_string(), matches!(kind, VarKind::Param(_) | VarKind::Host));
            if !param && self.free.contains(&text) {
                let name = self.unused(name);
                self.emitted.insert(name.to_string());
                self.vars[i].name = name;
                before.insert(VarId(i), text);
            }
        }
        before
    }

    /// Notes that the variable holds a range.
    pub(super) fn holds_range(&mut self, var: VarId) {
        self.vars[var.0].range = true;
    }

    pub(super) fn release(&mut self, var: VarId, span: Span) {
        self.released.insert(var, span);
    }

    fn unused(&self, ident: &Ident) -> Ident {
        (2..)
            .map(|n| format!("{}_{n}", ident.to_string().trim_start_matches("r#")))
            .find(|name| !self.emitted.contains(name) && !self.words.contains(name))
            .map(|name| Ident::new(&name, ident.span()))
            .expect("there are enough numbers")
    }
}

impl Locals for Names<'_> {
    fn is_reference(&self, name: &Ident) -> bool {
        let kind = self.lookup(name).map(|var| &self.vars[var.0].kind);
        matches!(kind, Some(VarKind::Param(Mode::Change) | VarKind::View(_)))
    }

    fn is_no_option(&self, name: &Ident) -> bool {
        let ty = self.lookup(name).and_then(|var| self.vars[var.0].ty.as_ref());
        ty.is_some_and(|ty| !matches!(&ty.pointee().kind, TypeKind::Named { name, .. } if name == "Option"))
    }
}

/// All identifiers in a piece of syntax, those in format strings included.
pub(super) fn words(tokens: TokenStream) -> HashSet<String> {
    let mut words = HashSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                words.insert(ident.to_string());
            }
            TokenTree::Group(group) => words.extend(self::words(group.stream())),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                words.extend(parts.map(ToString::to_string));
            }
            TokenTree::Punct(_) => {}
        }
    }
    words
}
