//! Host statements: printing, counting, asserting. Their tokens are kept; their names are resolved.

use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Expr as Syn;
use syn::visit::{self, Visit};

use super::Parser;
use crate::ir::{Block, Host, HostKind, Stmt, Syntax, VarId, VarKind};
use crate::span::Span;

impl Parser<'_> {
    /// `#[host] S`, `println!(..)`
    pub(super) fn host(&mut self, stmt: &syn::Stmt, marked: bool, span: Span) -> Option<Stmt> {
        self.host_stmt(stmt, HostKind::Both, marked, span)
    }

    /// `assert!(..)`
    pub(super) fn assertion(&mut self, stmt: &syn::Stmt, span: Span) -> Option<Stmt> {
        self.host_stmt(stmt, HostKind::Assert(true), false, span)
    }

    fn host_stmt(&mut self, stmt: &syn::Stmt, kind: HostKind, marked: bool, span: Span) -> Option<Stmt> {
        let mut changes = Changes { parser: self, clean: true };
        changes.visit_stmt(stmt);
        if !changes.clean {
            return None;
        }
        let mut reads = Vec::new();
        let mut tokens = self.resolve_tokens(stmt.to_token_stream(), &mut reads);
        let open = match stmt {
            syn::Stmt::Expr(e, None) => !matches!(
                e,
                Syn::Block(_) | Syn::If(_) | Syn::Match(_) | Syn::ForLoop(_) | Syn::While(_) | Syn::Loop(_)
            ),
            syn::Stmt::Macro(mac) => {
                mac.semi_token.is_none() && !matches!(mac.mac.delimiter, syn::MacroDelimiter::Brace(_))
            }
            syn::Stmt::Expr(_, Some(_)) | syn::Stmt::Local(_) | syn::Stmt::Item(_) => false,
        };
        if open {
            tokens.extend(quote::quote!(;));
        }
        let number = self.hosts.len();
        self.hosts.push(Syntax::of(&tokens));
        Some(Stmt::Host(Host { kind, number, marked, reads, span }))
    }

    /// Gives variables other names that would be taken for others, in host statements too.
    pub(super) fn keep_apart(&mut self, body: &Block) {
        let before = self.names.keep_apart();
        if before.is_empty() {
            return;
        }
        body.walk(&mut |stmt| {
            if let Stmt::Host(s) = stmt {
                let mut name = |word: &str, _: Named<'_>| {
                    let var = s.reads.iter().find(|var| before.get(var).is_some_and(|before| before == word));
                    var.map(|var| self.names.vars[var.0].name.to_string())
                };
                let tokens = with_names(self.hosts[s.number].tokens().clone(), false, &mut name);
                self.hosts[s.number] = Syntax::of(&tokens);
            }
        });
    }

    /// Replaces names of locals by the names under which they are emitted, in format strings too.
    fn resolve_tokens(&mut self, tokens: TokenStream, reads: &mut Vec<VarId>) -> TokenStream {
        let mut name = |word: &str, at: Named<'_>| {
            let var = match at {
                Named::Token(ident) => self.names.resolve(ident),
                Named::Captured(span) => self.names.lookup_at(word, span),
            };
            reads.extend(var);
            var.map(|var| self.var(var).name.to_string())
        };
        with_names(tokens, false, &mut name)
    }
}

/// Where a word stands: it is a name among the tokens, or one in a format string.
enum Named<'a> {
    Token(&'a Ident),
    Captured(proc_macro2::Span),
}

/// What a word is called, if it is a local.
type Name<'n> = dyn FnMut(&str, Named<'_>) -> Option<String> + 'n;

/// The tokens with other names. `fields`: these are the fields of a struct, where a bare name is a field as well.
fn with_names(tokens: TokenStream, fields: bool, name: &mut Name<'_>) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |i: Option<usize>, c: char| matches!(i.and_then(|i| tokens.get(i)), Some(TokenTree::Punct(p)) if p.as_char() == c);
    let mut out = TokenStream::new();
    for (i, token) in tokens.iter().enumerate() {
        let before = i.checked_sub(1);
        // A name behind one dot is a field or a method; behind two it is the end of a range.
        let member = is(before, '.') && !is(i.checked_sub(2), '.');
        match token {
            TokenTree::Ident(ident) if !member => {
                let alone = (before.is_none() || is(before, ',')) && (i + 1 == tokens.len() || is(Some(i + 1), ','));
                let resolved = match name(&ident.to_string(), Named::Token(ident)) {
                    Some(text) => Ident::new(&text, ident.span()),
                    None => ident.clone(),
                };
                if fields && alone && resolved != *ident {
                    out.extend(quote::quote!(#ident: #resolved));
                } else if fields && is(Some(i + 1), ':') && (before.is_none() || is(before, ',')) {
                    out.extend(quote::quote!(#ident));
                } else {
                    out.extend(quote::quote!(#resolved));
                }
            }
            TokenTree::Group(group) => {
                let behind_type = matches!(before.and_then(|i| tokens.get(i)), Some(TokenTree::Ident(name))
                    if name.to_string().starts_with(char::is_uppercase));
                let fields = behind_type && group.delimiter() == Delimiter::Brace;
                let mut new = Group::new(group.delimiter(), with_names(group.stream(), fields, name));
                new.set_span(group.span());
                out.extend([TokenTree::Group(new)]);
            }
            TokenTree::Literal(literal) => {
                out.extend([TokenTree::Literal(with_captures(literal.clone(), name))]);
            }
            other => out.extend([other.clone()]),
        }
    }
    out
}

/// `"{x}"` captures a local; if that local is emitted under another name, so is the capture.
fn with_captures(literal: Literal, name: &mut Name<'_>) -> Literal {
    let text = literal.to_string();
    if !text.starts_with('"') || !text.contains('{') {
        return literal;
    }
    let at = literal.span();
    let mut captured = |word: &str| name(word, Named::Captured(at)).unwrap_or_else(|| word.to_string());
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open + 1);
        out.push_str(before);
        let (inside, after) = after.split_at(after.find('}').unwrap_or(after.len()));
        // `{name:width$.precision$}`: the name, and the words in front of a dollar sign.
        let (word, spec) = inside.split_at(inside.find(':').unwrap_or(inside.len()));
        out.push_str(&captured(word));
        let mut parts = spec.split('$').peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                out.push_str(part);
                break;
            }
            let start = part.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |i| i + 1);
            let (before, word) = part.split_at(start);
            out.push_str(before);
            out.push_str(&captured(word));
            out.push('$');
        }
        rest = after;
    }
    out.push_str(rest);
    match out.parse::<Literal>() {
        Ok(mut new) => {
            new.set_span(literal.span());
            new
        }
        Err(_) => literal,
    }
}

/// Whether there is a `return` among the tokens.
fn leaves(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "return",
        TokenTree::Group(group) => leaves(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Finds what a host statement visibly changes. What is hidden in methods is found by `private::pure`.
struct Changes<'p, 'a> {
    parser: &'p mut Parser<'a>,
    clean: bool,
}

impl Changes<'_, '_> {
    fn changed(&mut self, e: &Syn, span: Span) {
        let root = match e {
            Syn::Path(path) => path.path.get_ident().and_then(|i| self.parser.names.lookup(i)),
            Syn::Field(e) => return self.changed(&e.base, span),
            Syn::Index(e) => return self.changed(&e.expr, span),
            Syn::Unary(e) => return self.changed(&e.expr, span),
            Syn::Paren(e) => return self.changed(&e.expr, span),
            _ => None,
        };
        if let Some(var) = root
            && self.parser.var(var).kind != VarKind::Host
        {
            let name = self.parser.var(var).written.clone();
            self.clean = false;
            self.parser.error(
                span,
                format!(
                    "a host statement is not undone, so it may not change `{name}`; make it a reversible statement, or mark the \
                     parameter `#[host] {name}: ..` if nothing else reads it"
                ),
            );
        }
    }
}

impl<'ast> Visit<'ast> for Changes<'_, '_> {
    fn visit_expr_assign(&mut self, e: &'ast syn::ExprAssign) {
        self.changed(&e.left, Span::of(e));
        visit::visit_expr_assign(self, e);
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        use syn::BinOp::*;
        if matches!(
            e.op,
            AddAssign(_)
                | SubAssign(_)
                | MulAssign(_)
                | DivAssign(_)
                | RemAssign(_)
                | BitXorAssign(_)
                | BitAndAssign(_)
                | BitOrAssign(_)
                | ShlAssign(_)
                | ShrAssign(_)
        ) {
            self.changed(&e.left, Span::of(e));
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_reference(&mut self, e: &'ast syn::ExprReference) {
        if e.mutability.is_some() {
            self.changed(&e.expr, Span::of(e));
        }
        visit::visit_expr_reference(self, e);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if leaves(mac.tokens.clone()) {
            self.clean = false;
            self.parser.error(
                Span::of(mac),
                "`return` exits early, so the inverse cannot tell where to re-enter; take it out of the macro",
            );
        }
    }

    fn visit_expr_return(&mut self, e: &'ast syn::ExprReturn) {
        self.clean = false;
        let _: Option<()> = self.parser.early_exit(&Syn::Return(e.clone()), Span::of(e));
    }

    fn visit_expr_try(&mut self, e: &'ast syn::ExprTry) {
        self.clean = false;
        let _: Option<()> = self.parser.early_exit(&Syn::Try(e.clone()), Span::of(e));
    }
}
