//! Expressions, with their types.

use super::range::range;
use super::types::{Int, Ty};
use super::{Emitter, Written, refuse};
use crate::ir::{
    BinaryOp, Elementary, Expr, ExprKind, Known, LiteralKind, Member, Path, Place, Projection, Rule, UnaryOp,
};
use crate::span::Span;

/// An expression in C and its type.
pub(super) struct Value {
    pub(super) text: String,
    pub(super) ty: Ty,
}

impl Value {
    pub(super) fn new(text: impl Into<String>, ty: Ty) -> Value {
        Value { text: text.into(), ty }
    }
}

/// Whether it takes no longer than a jump over it would: it reads no memory, and cannot fail.
pub(super) fn is_quick(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Var(_) => true,
        ExprKind::Unary(UnaryOp::Not | UnaryOp::Neg, a) | ExprKind::Cast(a, _) => is_quick(a),
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => false,
        ExprKind::Binary(_, a, b) => is_quick(a) && is_quick(b),
        ExprKind::Method { receiver, method, .. } => method.known == Some(Known::Shape) && is_quick(receiver),
        _ => false,
    }
}

impl Emitter<'_> {
    /// An expression; a literal has the type that is expected of it.
    pub(super) fn expr(&self, e: &Expr, expected: Option<&Ty>) -> Written<Value> {
        let place = e.as_place().filter(|place| !place.is_slice());
        if let Some(place) = place {
            return self.place(&place);
        }
        match &e.kind {
            ExprKind::Lit(literal) => match &literal.kind {
                LiteralKind::Bool(value) => Ok(Value::new(value.to_string(), Ty::Bool)),
                LiteralKind::Float(value) => {
                    let ty = expected.filter(|ty| ty.is_float()).cloned().unwrap_or(Ty::Number);
                    Ok(Value::new(format!("(({ty}){value:e})"), ty))
                }
                LiteralKind::Integer(Some(value)) => {
                    let own = literal.suffix.as_ref().and_then(|suffix| Int::by_name(&suffix.to_string()));
                    let known = e.ty.as_ref().and_then(|ty| Ty::of(ty, &self.number));
                    match own.map(Ty::Int).or(known).or(expected.cloned()) {
                        Some(ty @ Ty::Int(_)) => Ok(Value::new(format!("(({ty}){value}u)"), ty)),
                        Some(ty) if ty.is_float() => Ok(Value::new(format!("(({ty}){value})"), ty)),
                        _ => {
                            refuse(e.span, "the type of this number is not known; write it behind the number: `1_u32`")
                        }
                    }
                }
                LiteralKind::Integer(None) | LiteralKind::Text => refuse(e.span, "devices do not know this literal"),
            },
            ExprKind::Unary(op, a) => self.unary(*op, a, expected),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expected),
            ExprKind::Cast(a, ty) => {
                let Some(ty) = Ty::of(ty, &self.number) else {
                    return refuse(e.span, "devices do not know this cast");
                };
                // What says nothing else is an `i32`.
                let a = self.expr(a, Some(&Ty::Int(Int::I32)))?;
                match (&a.ty, &ty) {
                    (Ty::Int(_) | Ty::Bool, Ty::Int(_) | Ty::Number) => {
                        Ok(Value::new(format!("(({ty}){})", a.text), ty))
                    }
                    (Ty::Number, Ty::Number) => Ok(a),
                    _ => refuse(e.span, "devices cast integers to integers and to numbers only"),
                }
            }
            ExprKind::Array(all) => {
                let element = expected.and_then(Ty::element).cloned();
                let values = all.iter().map(|e| self.expr(e, element.as_ref())).collect::<Written<Vec<Value>>>()?;
                let Some(first) = values.first() else { return refuse(e.span, "devices know no empty arrays") };
                let ty = Ty::Array(Box::new(first.ty.clone()), values.len());
                let list: Vec<String> = values.into_iter().map(|value| value.text).collect();
                Ok(Value::new(format!("MAKE({ty}, {{{{{}}}}})", list.join(", ")), ty))
            }
            ExprKind::Tuple(all) => {
                let values = all.iter().map(|e| self.expr(e, None)).collect::<Written<Vec<Value>>>()?;
                let ty = Ty::Tuple(values.iter().map(|value| value.ty.clone()).collect());
                let list: Vec<String> = values.into_iter().map(|value| value.text).collect();
                Ok(Value::new(format!("MAKE({ty}, {{{}}})", list.join(", ")), ty))
            }
            ExprKind::If { condition, then, otherwise } if !matches!(condition.kind, ExprKind::Let(..)) => {
                let condition = self.expr(condition, Some(&Ty::Bool))?;
                let (then, otherwise) = self.pair(then, otherwise, expected)?;
                Ok(Value::new(format!("({} ? {} : {})", condition.text, then.text, otherwise.text), then.ty))
            }
            ExprKind::Block { lets, tail } if lets.is_empty() => self.expr(tail, expected),
            ExprKind::Method { receiver, method, args, .. } => match method.known {
                Some(Known::Elementary(function)) => self.elementary(function, receiver, args, e.span, expected),
                Some(Known::SinCos) => {
                    let x = self.expr(receiver, expected)?;
                    let ty = Ty::Tuple(vec![x.ty.clone(), x.ty]);
                    Ok(Value::new(format!("MAKE({ty}, {{sin({0}), cos({0})}})", x.text), ty))
                }
                Some(Known::Shape) if method.name == "len" => self.length(receiver),
                Some(Known::Form) => self.expr(receiver, expected),
                Some(Known::Stops) if args.is_empty() => {
                    let test = match method.name.to_string().as_str() {
                        "is_nan" => "isnan",
                        "is_finite" => "isfinite",
                        "is_infinite" => "isinf",
                        _ => return refuse(e.span, format!("devices do not know the method `{}`", method.name)),
                    };
                    Ok(Value::new(format!("({test}({}) != 0)", self.expr(receiver, None)?.text), Ty::Bool))
                }
                _ => refuse(e.span, format!("devices do not know the method `{}`", method.name)),
            },
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Path(path), args) if self.program.numbers.owns(path) => self.of_number(path, args, e.span),
                (ExprKind::Path(path), args) => self.call_value(path, args, e, expected),
                _ => refuse(e.span, "devices call functions by their paths"),
            },
            ExprKind::Rule(rule, args) => self.rule(rule, args, e.span),
            // What is behind a reference is passed by value.
            ExprKind::Ref(inner) => self.expr(inner, expected),
            ExprKind::Match { scrutinee, arms } => self.match_value(scrutinee, arms, e.span, expected),
            ExprKind::Path(path) => self.constant(path, e, expected),
            // A part of what is no place: of a value that is made for it.
            ExprKind::Field(whole, Member::Index(i)) => {
                let whole = self.expr(whole, None)?;
                match &whole.ty {
                    Ty::Tuple(all) if *i < all.len() => Ok(Value::new(format!("{}._{i}", whole.text), all[*i].clone())),
                    _ => refuse(e.span, "devices know parts of tuples only"),
                }
            }
            ExprKind::Index(whole, index) => {
                let (whole, at) = (self.expr(whole, None)?, range(index, &self.ranges));
                match (&whole.ty, at) {
                    (Ty::Array(of, len), Some(at)) if at.largest.per_run == 0 && at.largest.more < *len as i128 => {
                        let index = self.expr(index, Some(&Ty::Int(Int::USIZE)))?;
                        Ok(Value::new(format!("{}.at[{}]", whole.text, index.text), (**of).clone()))
                    }
                    _ => refuse(e.span, "this expression is not written for devices yet"),
                }
            }
            ExprKind::Var(_)
            | ExprKind::Field(..)
            | ExprKind::Range { .. }
            | ExprKind::RefMut(_)
            | ExprKind::Repeat(..)
            | ExprKind::Struct { .. }
            | ExprKind::Macro { .. }
            | ExprKind::If { .. }
            | ExprKind::Let(..)
            | ExprKind::Block { .. }
            | ExprKind::Closure { .. }
            | ExprKind::Companion { .. } => refuse(e.span, "this expression is not written for devices yet"),
        }
    }

    /// A place that is read or changed.
    pub(super) fn place(&self, place: &Place) -> Written<Value> {
        match self.shared.access(place) {
            Some(_) => {
                let name = &self.program.var(place.root).written;
                refuse(place.span, format!("runs share `{name}`, and can only add to it"))
            }
            None => self.place_at(place),
        }
    }

    /// A place, whoever may touch it.
    pub(super) fn place_at(&self, place: &Place) -> Written<Value> {
        let name = self.names.of_var(place.root);
        let name = if self.pointers.contains(&place.root) { format!("(*{name})") } else { name };
        self.along(name, self.var_type(place.root, place.span)?, place, &place.path)
    }

    /// The way from a part of a place to the place.
    pub(super) fn along(&self, mut text: String, mut ty: Ty, place: &Place, path: &[Projection]) -> Written<Value> {
        for step in path {
            match (step, &ty) {
                (Projection::Deref, _) => {}
                (Projection::Index(_), Ty::Slice(of)) if self.here.contains(&place.root) => {
                    text = format!("{text}_here");
                    ty = (**of).clone();
                }
                (Projection::Index(index), Ty::Slice(of)) if self.is_own(place.root, index) => {
                    let of = (**of).clone();
                    self.own.borrow_mut().insert(place.root);
                    self.within(place.root, index);
                    text = format!("AT_OWN({text}, {})", self.line);
                    ty = of;
                }
                (Projection::Index(index), Ty::Slice(of)) => {
                    let at = match self.is_view(place.root) {
                        true => "AT_VIEW",
                        false if self.within(place.root, index) => "AT_NEAR",
                        false => "AT",
                    };
                    let (index, of) = (self.expr(index, Some(&Ty::Int(Int::USIZE)))?, (**of).clone());
                    text = format!("{at}({text}, {}, {})", index.text, self.line);
                    ty = of;
                }
                (Projection::Index(index), Ty::Array(of, len)) => {
                    let (len, of) = (*len, (**of).clone());
                    let literal = range(index, &self.ranges)
                        .is_some_and(|it| it.largest.per_run == 0 && it.largest.more < len as i128);
                    let index = self.expr(index, Some(&Ty::Int(Int::USIZE)))?;
                    text = match literal {
                        true => format!("{text}.at[{}]", index.text),
                        false => format!("AT_PART({text}, {}, {len}, {})", index.text, self.line),
                    };
                    ty = of;
                }
                (Projection::Field(Member::Index(i)), Ty::Tuple(all)) if *i < all.len() => {
                    text = format!("{text}._{i}");
                    ty = all[*i].clone();
                }
                _ => return refuse(place.span, "this place is not written for devices yet"),
            }
        }
        Ok(Value { text, ty })
    }

    fn length(&self, receiver: &Expr) -> Written<Value> {
        let of = self.expr(receiver, None)?;
        match of.ty {
            Ty::Slice(_) => Ok(Value::new(format!("{}_len", of.text), Ty::Int(Int::USIZE))),
            Ty::Array(_, len) => Ok(Value::new(format!("((usize){len}u)"), Ty::Int(Int::USIZE))),
            _ => refuse(receiver.span, "devices know the lengths of slices and arrays only"),
        }
    }

    /// Two values of one type, one of which may say the type of the other.
    pub(super) fn pair(&self, a: &Expr, b: &Expr, expected: Option<&Ty>) -> Written<(Value, Value)> {
        match self.expr(a, expected) {
            Ok(a) => {
                let b = self.expr(b, Some(&a.ty))?;
                Ok((a, b))
            }
            Err(_) => {
                let b = self.expr(b, expected)?;
                Ok((self.expr(a, Some(&b.ty))?, b))
            }
        }
    }

    fn unary(&self, op: UnaryOp, a: &Expr, expected: Option<&Ty>) -> Written<Value> {
        let a = self.expr(a, expected)?;
        Ok(match (op, &a.ty) {
            (UnaryOp::Deref, _) => a,
            (UnaryOp::Not, Ty::Bool) => Value::new(format!("(!{})", a.text), a.ty),
            (UnaryOp::Not, Ty::Int(int)) => Value::new(format!("(({int})~{})", a.text), a.ty),
            (UnaryOp::Neg, Ty::Int(int)) => Value::new(format!("(({int})(0u - ({}){}))", int.unsigned(), a.text), a.ty),
            _ => Value::new(format!("(-{})", a.text), a.ty),
        })
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, expected: Option<&Ty>) -> Written<Value> {
        let span = a.span.to(b.span);
        let expected = if op.compares() { None } else { expected };
        let sign = match op {
            BinaryOp::And if is_quick(b) => "&",
            BinaryOp::Or if is_quick(b) => "|",
            _ => op.sign(),
        };
        let (a, b) = match op {
            BinaryOp::Shl | BinaryOp::Shr => (self.expr(a, expected)?, self.expr(b, Some(&Ty::Int(Int::USIZE)))?),
            _ => self.pair(a, b, expected)?,
        };
        let (x, y) = (&a.text, &b.text);
        if op.compares() {
            return Ok(Value::new(format!("({x} {sign} {y})"), Ty::Bool));
        }
        let text = match (&a.ty, op) {
            (Ty::Int(int), BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) => {
                let unsigned = int.unsigned();
                format!("(({int})(({unsigned}){x} {} ({unsigned}){y}))", op.sign())
            }
            (Ty::Int(int), BinaryOp::Div | BinaryOp::Rem) => {
                format!("(({int})({x} {} ({int})NONZERO({y}, {})))", op.sign(), self.line)
            }
            (Ty::Int(int), BinaryOp::Shl) => format!("(({int})(({}){x} << ({y} & {}u)))", int.unsigned(), int.bits - 1),
            (Ty::Int(int), BinaryOp::Shr) => format!("(({int})({x} >> ({y} & {}u)))", int.bits - 1),
            (Ty::Int(_) | Ty::Bool, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor) => {
                format!("({x} {} {y})", op.sign())
            }
            (Ty::Number | Ty::Shadow, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div) => {
                format!("({x} {} {y})", op.sign())
            }
            (Ty::Number | Ty::Shadow, BinaryOp::Rem) => format!("fmod({x}, {y})"),
            _ => return refuse(span, "devices do not know this operator of these types"),
        };
        Ok(Value::new(text, a.ty))
    }

    /// `T::zero()` and its kin.
    fn of_number(&self, path: &Path, args: &[Expr], span: Span) -> Written<Value> {
        match (path.last().to_string().as_str(), args) {
            ("zero", []) => Ok(Value::new("((number)0)", Ty::Number)),
            ("one", []) => Ok(Value::new("((number)1)", Ty::Number)),
            ("from_int" | "lit", [value]) => {
                let value = self.expr(value, Some(&Ty::Number))?;
                Ok(Value::new(format!("((number){})", value.text), Ty::Number))
            }
            (name, [receiver, args @ ..]) => match Elementary::by_name(name) {
                Some(function) => self.elementary(function, receiver, args, span, None),
                None => refuse(span, format!("devices do not know `{name}` of numbers")),
            },
            (name, []) => refuse(span, format!("devices do not know `{name}` of numbers")),
        }
    }

    fn elementary(
        &self,
        function: Elementary,
        x: &Expr,
        args: &[Expr],
        span: Span,
        expected: Option<&Ty>,
    ) -> Written<Value> {
        use Elementary as E;
        let x = self.expr(x, expected)?;
        let powers = matches!(function, E::Powi | E::Pow);
        let of = if powers { Ty::Int(Int::I32) } else { x.ty.clone() };
        let mut list = vec![x.text.clone()];
        for argument in args {
            list.push(self.expr(argument, Some(&of))?.text);
        }
        if let Ty::Int(int) = x.ty {
            let (a, b) = (&list[0], list.get(1));
            let unsigned = int.unsigned();
            let text = match (function, b) {
                (E::Max, Some(b)) => format!("({a} > {b} ? {a} : {b})"),
                (E::Min, Some(b)) => format!("({a} < {b} ? {a} : {b})"),
                (E::WrappingAdd, Some(b)) => format!("(({int})(({unsigned}){a} + ({unsigned}){b}))"),
                (E::WrappingSub, Some(b)) => format!("(({int})(({unsigned}){a} - ({unsigned}){b}))"),
                (E::WrappingMul, Some(b)) => format!("(({int})(({unsigned}){a} * ({unsigned}){b}))"),
                _ => return refuse(span, format!("devices do not know `{}` of integers", function.name())),
            };
            return Ok(Value::new(text, x.ty));
        }
        let Some(name) = name(function) else {
            return refuse(span, format!("devices do not know `{}`", function.name()));
        };
        Ok(Value::new(format!("{name}({})", list.join(", ")), x.ty))
    }

    /// A step of a derivative.
    fn rule(&self, rule: &Rule, args: &[Expr], span: Span) -> Written<Value> {
        match (rule, args) {
            (Rule::Pull | Rule::Push, [a, b]) | (Rule::PullFactor, [a, b, _]) => {
                let (a, b) = (self.expr(a, Some(&Ty::Shadow))?, self.expr(b, Some(&Ty::Number))?);
                Ok(Value::new(format!("({} * {})", a.text, b.text), a.ty))
            }
            (Rule::Join, [a, b]) => {
                let (a, b) = (self.expr(a, Some(&Ty::Shadow))?, self.expr(b, Some(&Ty::Shadow))?);
                Ok(Value::new(format!("({} + {})", a.text, b.text), a.ty))
            }
            (Rule::Negate, [a]) => {
                let a = self.expr(a, Some(&Ty::Shadow))?;
                Ok(Value::new(format!("(-{})", a.text), a.ty))
            }
            (Rule::Linear | Rule::OfNumber | Rule::Arrive, [a]) => self.expr(a, Some(&Ty::Shadow)),
            (Rule::Number | Rule::AskedNumber | Rule::Factor(_), [a]) | (Rule::Fitting, [a, _]) => {
                self.expr(a, Some(&Ty::Number))
            }
            // All elements of an array are adjoints of one value.
            (Rule::Partial(partial), [_, all]) if partial.name() == "total" => {
                let all = self.expr(all, None)?;
                match &all.ty {
                    Ty::Array(of, len) if of.is_float() && (1..=64).contains(len) => {
                        let parts: Vec<String> = (0..*len).map(|i| format!("{}.at[{i}]", all.text)).collect();
                        Ok(Value::new(format!("({})", parts.join(" + ")), (**of).clone()))
                    }
                    _ => refuse(span, "devices add up short arrays of numbers only"),
                }
            }
            // The parts of an array, to be taken apart.
            (Rule::Partial(partial), [a]) if partial.name() == "elements" => self.expr(a, None),
            (Rule::Partial(partial), args) => {
                let powers = partial.name() == "d_powi";
                let mut list = Vec::new();
                for (i, argument) in args.iter().enumerate() {
                    let of = if powers && i == 1 { Ty::Int(Int::I32) } else { Ty::Number };
                    let value = self.expr(argument, Some(&of))?;
                    if !value.ty.is_float() && value.ty != of {
                        return refuse(span, "devices know derivatives of numbers only");
                    }
                    list.push(value.text);
                }
                if !PARTIALS.contains(&partial.name()) {
                    return refuse(span, format!("devices do not know the derivative `{}`", partial.name()));
                }
                Ok(Value::new(format!("{}({})", partial.name(), list.join(", ")), Ty::Number))
            }
            _ => refuse(span, "this step of a derivative is not written for devices yet"),
        }
    }
}

/// What a function of numbers is called in C, or in the prelude.
fn name(function: Elementary) -> Option<&'static str> {
    use Elementary as E;
    Some(match function {
        E::Sin | E::Cos | E::Tan | E::Asin | E::Acos | E::Atan | E::Atan2 => function.name(),
        E::Sinh | E::Cosh | E::Tanh | E::Asinh | E::Acosh | E::Atanh => function.name(),
        E::Exp | E::Exp2 | E::Log2 | E::Log10 | E::Sqrt | E::Cbrt | E::Hypot => function.name(),
        E::Floor | E::Ceil | E::Round | E::Trunc | E::Square | E::Cube => function.name(),
        E::SelectLess | E::SelectEqual | E::RemEuclid | E::Signum => function.name(),
        E::ExpM1 => "expm1",
        E::Ln => "log",
        E::Ln1p => "log1p",
        E::Log => "log_to",
        E::Powi => "pown",
        E::Powf => "pow",
        E::Recip => "reciprocal",
        E::Conj => "",
        E::Abs => "fabs",
        E::Max => "fmax",
        E::Min => "fmin",
        E::Clamp => "clamped",
        E::MulAdd => "fma",
        E::Fract => "fraction",
        E::ToDegrees | E::ToRadians | E::Erf | E::Gamma | E::Lgamma => return None,
        E::Pow | E::AbsDiff | E::Isqrt | E::WrappingAdd | E::WrappingSub | E::WrappingMul => return None,
        E::SaturatingAdd | E::SaturatingSub => return None,
    })
}

/// The partial derivatives of the prelude.
const PARTIALS: &[&str] = &[
    "d_sin",
    "d_cos",
    "d_tan",
    "d_asin",
    "d_acos",
    "d_atan",
    "d_atan2_0",
    "d_atan2_1",
    "d_sinh",
    "d_cosh",
    "d_tanh",
    "d_asinh",
    "d_acosh",
    "d_atanh",
    "d_exp",
    "d_exp2",
    "d_exp_m1",
    "d_ln",
    "d_ln_1p",
    "d_log2",
    "d_log10",
    "d_powi",
    "d_powf_0",
    "d_powf_1",
    "d_sqrt",
    "d_cbrt",
    "d_square",
    "d_cube",
    "d_hypot_0",
    "d_hypot_1",
    "d_recip",
    "d_abs",
    "d_max_0",
    "d_max_1",
    "d_min_0",
    "d_min_1",
    "d_clamp_0",
    "d_clamp_1",
    "d_clamp_2",
    "d_select_less_2",
    "d_select_less_3",
    "d_select_equal_2",
    "d_select_equal_3",
    "d_div_0",
    "d_div_1",
    "d_rem_1",
    "d_rem_euclid_1",
];
