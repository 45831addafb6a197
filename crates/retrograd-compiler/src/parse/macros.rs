//! The macros that expressions may use.

use syn::Expr as Syn;

use super::Parser;
use super::path::path;
use crate::ir::{Expr, ExprKind, MacroArgs, VarKind};
use crate::span::Span;

impl Parser<'_> {
    /// `vec![..]`, `matches!(..)` and a few that are constants.
    pub(super) fn expr_macro(&mut self, mac: &syn::Macro, span: Span) -> Option<Expr> {
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let args = match name.as_str() {
            "vec" => {
                if let Ok(repeat) = mac.parse_body_with(|input: syn::parse::ParseStream| {
                    let e: Syn = input.parse()?;
                    input.parse::<syn::Token![;]>()?;
                    Ok((e, input.parse::<Syn>()?))
                }) {
                    MacroArgs::Repeat(self.boxed(&repeat.0)?, self.boxed(&repeat.1)?)
                } else {
                    MacroArgs::List(self.macro_list(mac)?)
                }
            }
            "matches" => {
                let (e, pat) = mac
                    .parse_body_with(|input: syn::parse::ParseStream| {
                        let e: Syn = input.parse()?;
                        input.parse::<syn::Token![,]>()?;
                        let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
                        let guard = if input.peek(syn::Token![if]) {
                            input.parse::<syn::Token![if]>()?;
                            Some(input.parse::<Syn>()?)
                        } else {
                            None
                        };
                        input.parse::<Option<syn::Token![,]>>()?;
                        Ok((e, (pat, guard)))
                    })
                    .map_err(|error| self.names.diagnostics.push(error))
                    .ok()?;
                let value = self.boxed(&e)?;
                self.names.enter();
                let pattern = self.arm_pattern(&pat.0, &VarKind::Bound);
                let guard = self.optional(pat.1.as_ref());
                self.names.leave();
                MacroArgs::Matches(value, Box::new(pattern?), guard?)
            }
            "concat" | "stringify" | "file" | "line" | "column" | "module_path" | "env" => {
                MacroArgs::List(self.macro_list(mac)?)
            }
            _ => {
                self.error(
                    span,
                    format!(
                        "the compiler cannot look into `{name}!` to see what it reads and whether it changes \
                         something; write the expression out, or compute it in a function of your own"
                    ),
                );
                return None;
            }
        };
        Some(Expr::new(ExprKind::Macro { path: Box::new(path(&mac.path)), args }, span))
    }

    fn macro_list(&mut self, mac: &syn::Macro) -> Option<Vec<Expr>> {
        let parser = syn::punctuated::Punctuated::<Syn, syn::Token![,]>::parse_terminated;
        match mac.parse_body_with(parser) {
            Ok(list) => self.list(list.iter()),
            Err(error) => {
                self.names.diagnostics.push(error);
                None
            }
        }
    }
}
