//! Calls, and the functions that are called.
//!
//! The macro sees one function at a time: of what a function calls it knows the path alone. So a text calls `CALLEE_0` and names `CONSTANT_0`, and a
//! launch puts the texts together and says what these are. What a function returns, and what a constant is, the caller assumes, and the
//! launch compares.
//!
//! A function takes every argument by value, or by a pointer where it changes it. In a derivative run each is followed by its shadow, also
//! where no derivative flows: a caller does not know through which arguments of a callee one does. What is behind a pointer is copied in and out.

use super::expr::Value;
use super::types::{Int, Ty};
use super::{Emitter, Written, refuse};
use crate::emit::rust::paths::apart;
use crate::ir::{
    ArgKind, Binding, Call, Callee, Expr, ExprKind, Kind, LiteralKind, Path, PatternKind, Place, Role, Rule, Run,
    UnaryOp, Update, UpdateOp,
};
use crate::span::Span;

/// A function that a text calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// Its path.
    pub path: Path,
    /// Which run of it.
    pub run: Run,
    /// Whether it is run backwards.
    pub inverse: bool,
    /// What it is assumed to return, in C; nothing for a procedure.
    pub returns: String,
    /// Where it is called.
    pub line: u32,
}

/// A constant that a text names.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its path.
    pub path: Path,
    /// What its type is assumed to be, in C.
    pub ty: String,
    /// Where it is used.
    pub line: u32,
}

/// An argument of a call, and what comes before and after the call for it.
#[derive(Default)]
struct Passing {
    before: Vec<String>,
    list: Vec<String>,
    /// What is changed: the place, and the copy that has been changed.
    copies: Vec<(Place, String, Ty)>,
}

impl Emitter<'_> {
    /// A constant, of the type that is expected of it.
    pub(super) fn constant(&self, path: &Path, e: &Expr, expected: Option<&Ty>) -> Written<Value> {
        let known = e.ty.as_ref().and_then(|ty| Ty::of(ty, &self.number));
        let Some(ty) = known.or(expected.cloned()) else {
            return refuse(e.span, "the type of this constant is not known here; give it a name: `let c: u32 = ..;`");
        };
        let plain = path.of.is_none() && path.segments.iter().all(|segment| segment.arguments.is_none());
        if !plain || self.may_be_inside(path) || self.parts.generics.iter().any(|name| path.segments[0].name == **name)
        {
            return refuse(e.span, "devices know constants outside of functions, by their paths");
        }
        if !matches!(ty, Ty::Int(_) | Ty::Bool | Ty::Number) {
            return refuse(e.span, "devices know constants that are numbers, integers or `bool`");
        }
        let constant = Constant { path: path.clone(), ty: ty.to_string(), line: self.line };
        let mut constants = self.constants.borrow_mut();
        let number = constants.iter().position(|known| known.path == constant.path && known.ty == constant.ty);
        let number = number.unwrap_or_else(|| {
            constants.push(constant);
            constants.len() - 1
        });
        Ok(Value::new(format!("CONSTANT_{number}"), ty))
    }

    /// Whether the path may name an item of the body: only the body sees those.
    fn may_be_inside(&self, path: &Path) -> bool {
        !path.global && !self.program.items.is_empty()
    }

    /// The name by which a function is called.
    fn callee(&self, path: &Path, (run, inverse): (Run, bool), returns: String, span: Span) -> Written<String> {
        let (path, _) = &apart(path);
        if self.may_be_inside(path) {
            return refuse(span, "devices know functions outside of others");
        }
        if path.companion.is_some() || path.is_associated() || !self.parts.called.contains(path) {
            let name = crate::ir::text(quote::ToTokens::to_token_stream(path));
            return refuse(span, format!("devices do not know `{name}`"));
        }
        let called = Called { path: path.clone(), run, inverse, returns, line: self.line };
        let mut callees = self.callees.borrow_mut();
        let same = |known: &Called| {
            (&known.path, known.run, known.inverse, &known.returns) == (&called.path, run, inverse, &called.returns)
        };
        let number = callees.iter().position(same).unwrap_or_else(|| {
            callees.push(called.clone());
            callees.len() - 1
        });
        Ok(format!("CALLEE_{number}"))
    }

    /// `g(a, b)` in an expression.
    pub(super) fn call_value(&self, path: &Path, args: &[Expr], e: &Expr, expected: Option<&Ty>) -> Written<Value> {
        let known = e.ty.as_ref().and_then(|ty| Ty::of(ty, &self.number));
        let ty = known.or(expected.cloned()).unwrap_or(Ty::Number);
        let callee = self.callee(path, (Run::Values, false), ty.to_string(), e.span)?;
        let mut list = args.iter().map(|e| Ok(self.argument(e)?.text)).collect::<Written<Vec<String>>>()?;
        list.push("errors".to_string());
        Ok(Value::new(format!("{callee}({})", list.join(", ")), ty))
    }

    /// A value that is passed on.
    fn argument(&self, e: &Expr) -> Written<Value> {
        // C makes of it what the callee takes: an integer, through which no derivative flows.
        if let Some(literal) = open_integer(e) {
            return Ok(Value::new(literal, Ty::Int(Int::I32)));
        }
        let value = self.expr(e, None)?;
        match value.ty {
            Ty::Slice(_) => refuse(e.span, "devices pass numbers, arrays and tuples to functions, but no slices"),
            _ => Ok(value),
        }
    }

    /// `let value = g::pullback(..);` and `let (value, tangent) = g::pushforward(..);`
    pub(super) fn companion(&mut self, s: &Binding, path: &Path, run: Run, args: &[Expr]) -> Written<()> {
        let (value, tangent) = match (&s.pattern.kind, run) {
            (PatternKind::Tuple(parts), Run::Tangent) if parts.len() == 2 => (&parts[0], Some(&parts[1])),
            (_, Run::Adjoint) => (&s.pattern, None),
            _ => return refuse(s.span, "this call is not written for devices yet"),
        };
        let named = |pattern: &crate::ir::Pattern| match &pattern.kind {
            PatternKind::Wild => Ok(None),
            _ => match pattern.as_var() {
                Some(var) => Ok(Some(var)),
                None => refuse(s.span, "give each part of a value a name of its own"),
            },
        };
        let (value, tangent) = (named(value)?, tangent.map(named).transpose()?.flatten());
        let known = value.and_then(|var| self.program.vars[var.0].ty.clone());
        let (pairs, seed) = match run {
            Run::Adjoint => args.split_at(args.len() - 1),
            _ => (args, &[][..]),
        };
        // An adjoint has the type of the value that it is the adjoint of.
        let seeded = seed.first().and_then(|seed| self.expr(seed, None).ok()).map(|seed| seed.ty.value());
        let ty = known.and_then(|ty| Ty::of(&ty, &self.number)).or(seeded).unwrap_or(Ty::Number);
        let callee = self.callee(path, (run, false), ty.to_string(), s.span)?;
        let mut passing = Passing::default();
        for pair in pairs.chunks_exact(2) {
            let of = self.argument(&pair[0])?;
            passing.list.push(of.text);
            match open_integer(&pair[0]) {
                Some(_) => passing.list.push("0".to_string()),
                None => self.pass_shadow(&pair[1], &of.ty, run, &mut passing)?,
            }
        }
        for seed in seed {
            passing.list.push(self.expr(seed, Some(&ty.shadow()))?.text);
        }
        if run == Run::Tangent {
            let name = match tangent {
                Some(var) => self.names.of_var(var),
                None => self.names.fresh("tangent"),
            };
            passing.before.push(format!("{} {name};", ty.shadow()));
            passing.list.push(format!("&{name}"));
            if let Some(var) = tangent {
                self.declare(var, ty.shadow());
            }
        }
        let value_name = match value {
            Some(var) => {
                self.declare(var, ty.clone());
                self.names.of_var(var)
            }
            None => self.names.fresh("value"),
        };
        self.called(passing, &format!("{ty} {value_name} = {callee}"), s.span)
    }

    /// The shadow of an argument of that type.
    fn pass_shadow(&mut self, shadow: &Expr, of: &Ty, run: Run, passing: &mut Passing) -> Written<()> {
        let ty = of.shadow();
        let inner = match &shadow.kind {
            ExprKind::Rule(Rule::NoShadow, _) => None,
            ExprKind::RefMut(inner) | ExprKind::Ref(inner) => Some(&**inner),
            ExprKind::Rule(Rule::Passed, args) => args.first(),
            _ => Some(shadow),
        };
        match (inner, run) {
            (None, _) => {
                let name = self.names.fresh("unused");
                ty.structs(&mut self.structs);
                passing.before.push(format!("{ty} {name} = {};", ty.zero()));
                passing.list.push(if run == Run::Adjoint { format!("&{name}") } else { name });
                Ok(())
            }
            (Some(inner), Run::Adjoint) => match inner.as_place() {
                Some(place) => self.pass_changed(&place, &ty, passing),
                None => refuse(shadow.span, "this shadow is not written for devices yet"),
            },
            (Some(inner), _) => {
                let inner = match &inner.kind {
                    ExprKind::Ref(inner) | ExprKind::RefMut(inner) => inner,
                    _ => inner,
                };
                passing.list.push(self.expr(inner, Some(&ty))?.text);
                Ok(())
            }
        }
    }

    /// What a callee changes: a copy of it. Of what runs share the copy begins as zero, and is added afterwards.
    fn pass_changed(&mut self, place: &Place, ty: &Ty, passing: &mut Passing) -> Written<()> {
        let name = self.names.fresh("copy");
        ty.structs(&mut self.structs);
        let before = match self.shared.access(place) {
            Some(_) => ty.zero().to_string(),
            None => self.place(place)?.text,
        };
        passing.before.push(format!("{ty} {name} = {before};"));
        passing.list.push(format!("&{name}"));
        passing.copies.push((place.clone(), name, ty.clone()));
        Ok(())
    }

    fn called(&mut self, passing: Passing, callee: &str, span: Span) -> Written<()> {
        let Passing { before, mut list, copies } = passing;
        before.iter().for_each(|line| self.put(line));
        list.push("errors".to_string());
        self.put(&format!("{callee}({});", list.join(", ")));
        for (place, copy, ty) in copies {
            match self.shared.access(&place) {
                Some(access) => {
                    let operand = Expr::var(self.named(&copy, ty), span);
                    let (op, target) = (UpdateOp::Add, place);
                    self.shared_update(&Update { op, target, operand, written: None, kept: None, span }, &access)?;
                }
                None => {
                    let text = self.place(&place)?.text;
                    self.change(&place, &format!("{text} = {copy};"));
                }
            }
        }
        Ok(())
    }

    /// `g(&mut x, y);`
    pub(super) fn call(&mut self, s: &Call) -> Written<()> {
        let Callee::Path(path) = &s.callee else { return refuse(s.span, "devices call functions by their paths") };
        if !matches!(s.run, Run::Values | Run::Adjoint | Run::Tangent) {
            return refuse(s.span, "devices have no records");
        }
        let callee = self.callee(path, (s.run, s.inverse), String::new(), s.span)?;
        let mut passing = Passing::default();
        let step = if s.run == Run::Values { 1 } else { 2 };
        for pair in s.args.chunks(step) {
            let ty = match &pair[0].kind {
                ArgKind::Change(place) => {
                    let ty = self.place(place)?.ty;
                    if matches!(ty, Ty::Slice(_)) {
                        return refuse(s.span, "devices pass numbers, arrays and tuples to functions, but no slices");
                    }
                    self.pass_changed(place, &ty, &mut passing)?;
                    ty
                }
                ArgKind::Borrow(place) => {
                    let value = self.argument(&place.to_expr())?;
                    passing.list.push(value.text);
                    value.ty
                }
                ArgKind::Value(e) => {
                    let value = self.argument(e)?;
                    passing.list.push(value.text);
                    value.ty
                }
                ArgKind::Host(_) => return refuse(s.span, "a kernel has no host parameters"),
            };
            let Some(shadow) = pair.get(1) else { continue };
            match &shadow.kind {
                ArgKind::Change(place) => self.pass_changed(place, &ty.shadow(), &mut passing)?,
                ArgKind::Borrow(place) => self.pass_shadow(&place.to_expr(), &ty, s.run, &mut passing)?,
                ArgKind::Value(_) if matches!(&pair[0].kind, ArgKind::Value(e) if open_integer(e).is_some()) => {
                    passing.list.push("0".to_string());
                }
                ArgKind::Value(e) => self.pass_shadow(e, &ty, s.run, &mut passing)?,
                ArgKind::Host(_) => return refuse(s.span, "a kernel has no host parameters"),
            }
        }
        self.called(passing, &callee, s.span)
    }

    /// The parameters of a function, and what it returns.
    pub(super) fn function_parameters(&mut self) -> Written<(Vec<String>, Option<Ty>)> {
        let mut list = Vec::new();
        let run = self.program.run;
        let mut before = None;
        for param in &self.program.params {
            let var = self.program.var(param.var);
            let name = self.names.of_var(param.var);
            let known = var.ty.as_ref().and_then(|ty| Ty::of(ty, &self.number));
            let ty = match param.role {
                Role::Value | Role::Shadow => known,
                // It stands for the shadow of the parameter in front of it.
                Role::NoShadow => before.clone(),
                Role::Seed => self.program.output.as_ref().and_then(|ty| Ty::of(ty, &self.number)),
                Role::Host | Role::Record => None,
            };
            let Some(ty) = ty.filter(|ty| !matches!(ty, Ty::Slice(_))) else {
                return refuse(var.span, format!("the type of `{}` has no counterpart in C yet", var.written));
            };
            let ty = if param.role == Role::Value { ty } else { ty.shadow() };
            let changed = param.mode == crate::ir::Mode::Change && matches!(param.role, Role::Value | Role::Shadow)
                || param.role == Role::NoShadow && run == Run::Adjoint;
            if changed {
                self.pointers.insert(param.var);
                list.push(format!("{ty} *{name}"));
            } else {
                list.push(format!("{ty} {name}"));
            }
            if param.role == Role::Value {
                before = Some(ty.clone());
            }
            self.declare(param.var, ty);
        }
        if self.program.kind == Kind::Procedure {
            return Ok((list, None));
        }
        let output = self.program.output.as_ref().and_then(|ty| Ty::of(ty, &self.number));
        let Some(output) = output else {
            return refuse(Span::token(self.program.name.span()), "the type of the value has no counterpart in C yet");
        };
        output.structs(&mut self.structs);
        output.shadow().structs(&mut self.structs);
        Ok((list, Some(output)))
    }

    /// What a function ends with.
    pub(super) fn returned(&mut self, output: &Ty) -> Written<()> {
        let Some(result) = &self.program.result else { return Ok(()) };
        if self.program.run == Run::Tangent {
            let ExprKind::Tuple(parts) = &result.kind else {
                return refuse(result.span, "this value is not written for devices yet");
            };
            let (value, tangent) = (self.expr(&parts[0], Some(output))?, self.expr(&parts[1], Some(&output.shadow()))?);
            self.put(&format!("*tangent_of_value = {};", tangent.text));
            self.put(&format!("return {};", value.text));
            return Ok(());
        }
        let value = self.expr(result, Some(output))?;
        if value.ty != *output && !(value.ty.is_float() && output.is_float()) {
            return refuse(result.span, "this value is not written for devices yet");
        }
        self.put(&format!("return {};", value.text));
        Ok(())
    }
}

/// An integer that does not say of which type it is.
fn open_integer(e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Lit(literal) if literal.suffix.is_none() && e.ty.is_none() => match literal.kind {
            LiteralKind::Integer(Some(value)) => Some(value.to_string()),
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Neg, inner) => open_integer(inner).map(|literal| format!("(-{literal})")),
        _ => None,
    }
}
