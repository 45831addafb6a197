//! What the tangent and the adjoint stage share: shadows of variables, and derivatives of expressions.
//!
//! A derivative run is a program of the same language: each active variable `x` has a shadow `grad_x` (or `d_x`), and
//! next to the statements on values stand statements on shadows. Their arithmetic is a [`Rule`](crate::ir::Rule), which the
//! back end writes as a call of the runtime, so that the types decide what it means.

#![allow(clippy::large_enum_variant, reason = "programs are small: boxes would only obscure the matches over them")]

pub(crate) mod backward;
mod branches;
pub(crate) mod elements;
mod expression;
pub(crate) mod forward;
mod loops;
mod patterns;
mod read;
pub(crate) mod rules;
mod still;
pub(crate) mod sums;
mod variants;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::analysis::{activity, types};
use crate::diagnostics::Diagnostics;
use crate::hygiene::prefixed;
use crate::ir::{
    Activity, Binding, BindingKind, Expr, ExprKind, Mode, Param, Path, Pattern, PatternKind, Place, Program,
    Projection, Records, Role, Rule, Run, Stmt, Syntax, Type, Var, VarId, VarKind,
};
use crate::signature::numbers::{Numbers, is_float};
use crate::span::Span;

pub(crate) use expression::Expression;

/// What the names of shadows begin with.
pub(crate) fn shadow_prefix(run: Run) -> &'static str {
    if run.is_adjoint() { "grad" } else { "d" }
}

/// The name of a function, if no macro gives it companions.
fn ordinary_function(item: &Syntax) -> Option<String> {
    let function: syn::ItemFn = syn::parse2(item.tokens().clone()).ok()?;
    let with_companions = |attribute: &syn::Attribute| {
        let name = attribute.path().segments.last().map(|segment| segment.ident.to_string());
        matches!(name.as_deref(), Some("reversible" | "primitive" | "bijection"))
    };
    (!function.attrs.iter().any(with_companions)).then(|| function.sig.ident.to_string())
}

/// The variables of a derivative run.
pub(crate) struct Shadows<'d> {
    /// Those of the program, and those that the run adds.
    pub vars: Vec<Var>,
    /// The shadow of each variable that has one by now.
    shadows: HashMap<VarId, VarId>,
    /// Names for places: what derivatives do to them they do to the place.
    aliases: HashMap<VarId, Place>,
    /// References to one number or another: their shadows are numbers.
    chosen: HashSet<VarId>,
    /// Whether the program has a record, which keeps no references.
    recorded: bool,
    /// Which names are numbers.
    pub numbers: Numbers,
    /// Functions inside of the program that have no derivatives.
    ordinary: HashSet<String>,
    /// Which run.
    pub run: Run,
    /// Where a derivative that is not known is reported.
    pub diagnostics: &'d Diagnostics,
}

impl<'d> Shadows<'d> {
    pub(crate) fn new(program: &Program, run: Run, diagnostics: &'d Diagnostics) -> Shadows<'d> {
        let (vars, numbers) = (program.vars.clone(), program.numbers.clone());
        let (shadows, aliases, chosen) = (HashMap::new(), HashMap::new(), HashSet::new());
        let recorded = program.records != Records::Nothing;
        let ordinary = program.items.iter().filter_map(ordinary_function).collect();
        Shadows { vars, shadows, aliases, chosen, recorded, numbers, ordinary, run, diagnostics }
    }

    /// Whether a path is the name of a function inside of the program that has no derivatives.
    pub(crate) fn is_ordinary(&self, path: &Path) -> bool {
        path.of.is_none() && path.segments.len() == 1 && self.ordinary.contains(&path.last().to_string())
    }

    /// A new variable of the run.
    pub(crate) fn declare(&mut self, name: &str, kind: VarKind, span: Span) -> VarId {
        self.vars.push(Var::added(name, kind, span));
        VarId(self.vars.len() - 1)
    }

    /// A register, and the statement that fills it.
    pub(crate) fn register(&mut self, role: &str, value: Expr) -> (Expr, Stmt) {
        let span = value.span;
        let name = format!("{role}_{}", self.vars.len());
        let var = self.declare(&name, VarKind::Register, span);
        (Expr::var(var, span), let_register(Pattern::bind(var, span), value))
    }

    /// A register that holds a value of the program: its type is known as far as the value's is.
    pub(crate) fn value_register(&mut self, role: &str, value: Expr) -> (Expr, Stmt) {
        let ty = types::number_of(&self.vars, &self.numbers, &value);
        let var = self.vars.len();
        let filled = self.register(role, value);
        self.vars[var].ty = ty;
        filled
    }

    /// A value as a number: a partial derivative, or what one is made of. A float of Rust is one by itself.
    pub(crate) fn number(&self, value: Expr) -> Expr {
        let ty = types::number_of(&self.vars, &self.numbers, &value);
        match ty.as_ref().and_then(Type::as_name).is_some_and(is_float) {
            true => value,
            false => {
                let span = value.span;
                Expr::rule(Rule::Number, vec![value], span)
            }
        }
    }

    /// The parameters of the run: each of the program is followed by its shadow, and the adjoint of the value comes last.
    pub(crate) fn parameters(&mut self, own: &[Param], seed: Option<VarId>) -> Vec<Param> {
        let mut params = Vec::new();
        for param in own {
            params.push(param.clone());
            if param.role == Role::Value {
                let role = if self.is_active(param.var) { Role::Shadow } else { Role::NoShadow };
                params.push(Param { var: self.shadow(param.var), mode: param.mode.of_shadow(self.run), role });
            }
        }
        params.extend(seed.map(|var| Param { var, mode: Mode::Value, role: Role::Seed }));
        params
    }

    /// The shadow of a variable.
    pub(crate) fn shadow(&mut self, var: VarId) -> VarId {
        if let Some(shadow) = self.shadows.get(&var) {
            return *shadow;
        }
        let Var { name, ty, kind, span, .. } = &self.vars[var.0];
        let (name, ty) = (prefixed(shadow_prefix(self.run), name), ty.clone());
        let (kind, span) = (VarKind::Shadow { reference: matches!(kind, VarKind::Param(_) | VarKind::View(_)) }, *span);
        let shadow = self.declare(&name, kind, span);
        self.vars[shadow.0].ty = ty;
        self.shadows.insert(var, shadow);
        shadow
    }

    /// The shadow of a place.
    pub(crate) fn shadow_place(&mut self, place: &Place) -> Place {
        let place = self.resolved(place);
        let root = self.shadow(place.root);
        let VarKind::Shadow { reference } = self.vars[root.0].kind else { return place };
        let mut path = place.path;
        if self.chosen.contains(&place.root) && path.first() == Some(&Projection::Deref) {
            path.remove(0);
        }
        if reference {
            // The shadow of an argument is a reference, whether or not the argument is one.
            let by_value = matches!(self.vars[place.root.0].kind, VarKind::Param(Mode::Value));
            if !by_value && path.first() == Some(&Projection::Deref) {
                path.remove(0);
            }
            path.insert(0, Projection::Deref);
        }
        Place { root, path, span: place.span }
    }

    /// The variable that holds the shadow of a place.
    pub(crate) fn shadow_place_root(&mut self, place: &Place) -> VarId {
        self.shadow_place(place).root
    }

    /// A place with names for places replaced by what they name.
    pub(crate) fn resolved(&self, place: &Place) -> Place {
        let mut place = place.clone();
        while let Some(base) = self.aliases.get(&place.root) {
            let behind = usize::from(place.path.first() == Some(&Projection::Deref));
            let path = base.path.iter().chain(&place.path[behind..]).cloned().collect();
            place = Place { root: base.root, path, span: place.span };
        }
        place
    }

    /// Whether a derivative flows through an expression.
    pub(crate) fn active(&self, e: &Expr) -> bool {
        activity::active(&self.vars, e)
    }

    /// Whether a variable has a shadow.
    pub(crate) fn is_active(&self, var: VarId) -> bool {
        self.vars[var.0].activity == Activity::Active
    }

    /// Whether a variable is a reference, so that its bare name is passed on as one.
    pub(crate) fn is_reference(&self, var: VarId) -> bool {
        matches!(self.vars[var.0].kind, VarKind::Param(Mode::Change | Mode::Borrow) | VarKind::View(_))
            || self.aliases.contains_key(&var)
    }

    /// A `let` inside an expression as a statement.
    fn let_inside(&self, pattern: &Pattern, ty: &Option<Type>, value: &Expr) -> Binding {
        let (pattern, ty, value, span) = (pattern.clone(), ty.clone(), value.clone(), value.span);
        let constant = activity::is_constant(&self.vars, &pattern);
        Binding { kind: BindingKind::Let, pattern, ty, value, constant, span }
    }

    /// Whether a local is a name for a place: what flows into it flows there at once. A mutable view has a view of the shadow
    /// beside it, which begins with the statement that is returned.
    pub(crate) fn alias(&mut self, binding: &Binding) -> Alias {
        match (&binding.kind, &binding.value.kind) {
            (BindingKind::View, kind) => {
                let place = match kind {
                    ExprKind::Method { receiver, .. } => receiver.as_place(),
                    _ => binding.value.as_place(),
                };
                let Some(place) = place else { return Alias::No };
                if !self.is_active(self.resolved(&place).root) {
                    return Alias::Name(None);
                }
                for var in binding.pattern.bindings() {
                    self.vars[var.0].activity = Activity::Active;
                }
                let Some(pattern) = self.shadow_pattern(&binding.pattern) else { return Alias::No };
                let shadow = self.shadow_place(&place).to_expr();
                let value = match kind {
                    ExprKind::Method { method, turbofish, args, .. } => {
                        let (receiver, method) = (Rc::new(shadow), method.clone());
                        let kind =
                            ExprKind::Method { receiver, method, turbofish: turbofish.clone(), args: args.clone() };
                        Expr::new(kind, binding.span)
                    }
                    _ => shadow,
                };
                Alias::Name(Some(Stmt::Begin(Binding { pattern, ty: None, value, ..binding.clone() })))
            }
            (BindingKind::Let, kind) if !binding.constant => {
                // `let r = &x[i]`, `let r = x` of a reference, and a pattern that takes a place apart.
                let named = match (&binding.pattern.kind, kind) {
                    (PatternKind::Tuple(parts), ExprKind::Tuple(values)) if parts.len() == values.len() => {
                        let borrowed: Option<Vec<Place>> = values.iter().map(|e| self.borrowed(e)).collect();
                        borrowed.is_some_and(|places| {
                            parts.iter().zip(&places).all(|(part, place)| self.alias_pattern(part, place, true))
                        })
                    }
                    _ => {
                        let apart = || binding.value.as_place().filter(|_| binding.pattern.as_var().is_none());
                        let place = self.borrowed(&binding.value).or_else(apart);
                        place.is_some_and(|place| self.alias_pattern(&binding.pattern, &place, true))
                    }
                };
                if named {
                    return Alias::Name(None);
                }
                self.hidden_reference(binding);
                Alias::No
            }
            _ => Alias::No,
        }
    }

    /// A value that is a reference and no name for one place: one of several, or inside of something.
    fn hidden_reference(&mut self, binding: &Binding) {
        if !self.active(&binding.value) {
            return;
        }
        let chosen = outcomes(&binding.value);
        let refers = |e: &Expr| matches!(e.kind, ExprKind::Ref(_));
        let to_slice =
            |e: &Expr| matches!(&e.kind, ExprKind::Ref(inner) if inner.as_place().is_some_and(|p| p.is_slice()));
        let inside = |e: &Expr| match &e.kind {
            ExprKind::Array(all) => all.iter().any(refers),
            ExprKind::Ref(inner) => refers(inner),
            _ => false,
        };
        if chosen.iter().any(|e| inside(e)) {
            self.missing(
                binding.span,
                "no derivative is known through a reference to a reference or an array of them; take each reference with a `let` of its own, \
                 `let r = &x[i];`",
            );
        } else if chosen.iter().any(|e| to_slice(e) || self.recorded && refers(e)) {
            let message = match chosen.as_slice() {
                [_] => {
                    "no derivative is known through a reference to a value that has no name; give it one, `let y = ..;`, and \
                     write `&y`"
                }
                _ => {
                    "no derivative is known through a reference to one place or another; choose the index, \
                     `let k = if .. { i } else { j };`, and take the reference with it, `let r = &x[k];`"
                }
            };
            self.missing(binding.span, message);
        } else if chosen.iter().all(|e| refers(e)) {
            self.chosen.extend(binding.pattern.as_var());
        }
    }

    /// The place that an expression is a shared reference to.
    pub(crate) fn borrowed(&self, e: &Expr) -> Option<Place> {
        match &e.kind {
            ExprKind::Ref(inner) => inner.as_place(),
            ExprKind::Var(var) if self.is_reference(*var) => e.as_place(),
            _ => None,
        }
    }

    /// Reports a derivative that is not known.
    pub(crate) fn missing(&self, span: Span, message: impl Into<String>) {
        self.diagnostics.error_once(span, message);
    }

    /// The beginning of a shadow: zero, in the shape of its variable.
    pub(crate) fn zero(&mut self, var: VarId, span: Span) -> Stmt {
        let shadow = self.shadow(var);
        let value = zero(Expr::var(var, span));
        Stmt::Begin(Binding {
            kind: BindingKind::Ancilla,
            pattern: Pattern::bind(shadow, span),
            ty: None,
            value,
            constant: false,
            span,
        })
    }
}

/// The expressions one of which is the value of an expression.
fn outcomes(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::If { then, otherwise, .. } => outcomes(then).into_iter().chain(outcomes(otherwise)).collect(),
        ExprKind::Match { arms, .. } => arms.iter().flat_map(|arm| outcomes(&arm.value)).collect(),
        ExprKind::Block { tail, .. } => outcomes(tail),
        _ => vec![e],
    }
}

/// Whether a local is a name for a place.
pub(crate) enum Alias {
    /// It has memory of its own, and a shadow.
    No,
    /// It is; if it is a mutable view, the view of the shadow begins so.
    Name(Option<Stmt>),
}

impl Alias {
    /// Whether it is.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self, Alias::Name(_))
    }
}

/// A register takes a value.
pub(crate) fn let_register(pattern: Pattern, value: Expr) -> Stmt {
    let span = value.span;
    Stmt::Begin(Binding { kind: BindingKind::Let, pattern, ty: None, value, constant: false, span })
}

/// The zero shadow of a value.
pub(crate) fn zero(value: Expr) -> Expr {
    let span = value.span;
    Expr::rule(crate::ir::Rule::Zero, vec![value], span)
}

/// The shadow of zeros of a value, to be given away as it is.
pub(crate) fn plain_zero(value: Expr) -> Expr {
    let span = value.span;
    Expr::rule(crate::ir::Rule::PlainZero, vec![value], span)
}

/// A copy of a value.
pub(crate) fn cloned(e: Expr) -> Expr {
    Expr::method(e, "clone", Vec::new())
}
