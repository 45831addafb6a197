//! Resolves names: which variable an identifier means, and whether it is still alive.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::diagnostics::Diagnostics;
use crate::ir::{Activity, Var, VarId, VarKind};
use crate::span::Span;

/// The variables of the program being read, and those visible right here.
pub(super) struct Names<'a> {
    pub(super) diagnostics: &'a Diagnostics,
    pub(super) vars: Vec<Var>,
    scopes: Vec<Scope>,
    released: HashMap<VarId, Span>,
    /// Names that the body calls: a local of such a name gets another one, because in the inverse program it may
    /// be alive where the function is called.
    called: HashSet<String>,
}

#[derive(Default)]
struct Scope {
    visible: Vec<(String, VarId)>,
    /// Variables declared before the `#[compute]` of this block belong to the part outside of it.
    sealed: usize,
}

impl<'a> Names<'a> {
    pub(super) fn new(diagnostics: &'a Diagnostics, called: HashSet<String>) -> Names<'a> {
        Names {
            diagnostics,
            vars: Vec::new(),
            scopes: vec![Scope::default()],
            released: HashMap::new(),
            called,
        }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// From here on the block is the rest of a `#[compute]`.
    pub(super) fn seal(&mut self) {
        let scope = self.scopes.last_mut().expect("a block is open");
        scope.sealed = scope.visible.len();
    }

    /// A new variable. Where it shadows another one it gets a name of its own, because in the inverse
    /// program both may be alive at once.
    pub(super) fn declare(&mut self, ident: &Ident, ty: Option<syn::Type>, kind: VarKind) -> VarId {
        let written = ident.to_string();
        let id = VarId(self.vars.len());
        let taken = self.lookup(&written).is_some() || self.called.contains(&written);
        let name = if taken { self.unused(ident) } else { ident.clone() };
        self.vars.push(Var {
            name,
            written: written.clone(),
            ty: ty.map(crate::ir::Syntax),
            kind,
            activity: Activity::Inactive,
            span: Span::token(ident.span()),
        });
        self.scopes.last_mut().expect("a block is open").visible.push((written, id));
        id
    }

    /// The variable that a name means here, alive or not, without a word about it.
    pub(super) fn lookup(&self, name: &str) -> Option<VarId> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.visible.iter().rev().find(|(n, _)| n == name).map(|(_, id)| *id))
    }

    /// The variable that a name means here. `None`: it is not a local. A released one is reported.
    pub(super) fn resolve(&mut self, ident: &Ident) -> Option<VarId> {
        let name = ident.to_string();
        let var = self.lookup(&name)?;
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

    /// Whether the variable was declared directly in the block that is being read.
    pub(super) fn in_this_block(&self, var: VarId) -> bool {
        let scope = self.scopes.last().expect("a block is open");
        scope.visible[scope.sealed..].iter().any(|(_, id)| *id == var)
    }

    pub(super) fn release(&mut self, var: VarId, span: Span) {
        self.released.insert(var, span);
    }

    fn unused(&self, ident: &Ident) -> Ident {
        (2..)
            .map(|n| format!("{}_{n}", ident.to_string().trim_start_matches("r#")))
            .find(|name| !self.vars.iter().any(|v| v.name == name) && !self.called.contains(name))
            .map(|name| Ident::new(&name, ident.span()))
            .expect("there are enough numbers")
    }
}

/// The names that are called in a body: identifiers in front of parentheses, methods left out.
pub(super) fn called(tokens: TokenStream) -> HashSet<String> {
    fn collect(tokens: TokenStream, called: &mut HashSet<String>) {
        let mut before: [Option<TokenTree>; 2] = [None, None];
        for token in tokens {
            if let TokenTree::Group(group) = &token {
                let is_method = matches!(&before[0], Some(TokenTree::Punct(p)) if p.as_char() == '.');
                if let (Delimiter::Parenthesis, Some(TokenTree::Ident(ident)), false) =
                    (group.delimiter(), &before[1], is_method)
                {
                    called.insert(ident.to_string());
                }
                collect(group.stream(), called);
            }
            before = [before[1].take(), Some(token)];
        }
    }
    let mut names = HashSet::new();
    collect(tokens, &mut names);
    names
}
