//! The items around and including the main procedure: what is written before a body and after it.

use super::Config;
use super::blocks::{Form, Life};
use super::rng::Rng;
use super::scope::{Access, Kind, Shape, Var};
use super::text::Expr;
use super::writer::{Census, Function, Items, Param, Procedure, Writer};

pub(super) fn type_text(param: &Param, float: &str) -> String {
    let scalar = match param.kind {
        Kind::Float => float,
        Kind::Int => "i64",
        Kind::Bool => "bool",
        Kind::Index => "usize",
    };
    let whole = match param.shape {
        Shape::Scalar => scalar.to_string(),
        Shape::Slice(_) => format!("[{scalar}]"),
    };
    match param.access {
        Access::Owned => whole,
        Access::Shared => format!("&{whole}"),
        Access::Exclusive => format!("&mut {whole}"),
    }
}

/// Declares parameters in `writer` and returns their text.
fn declare(writer: &mut Writer, params: &[Param]) -> String {
    let mut texts = Vec::new();
    for (position, param) in params.iter().enumerate() {
        let name = format!("{}{position}", ["a", "v"][usize::from(param.shape != Shape::Scalar)]);
        let mut var = Var::new(&name, param.kind);
        (var.shape, var.access, var.changeable) = (param.shape, param.access, param.is_changed());
        if param.kind == Kind::Index {
            var.below = 3;
        }
        texts.push(format!("{name}: {}", type_text(param, writer.float)));
        writer.scope.declare(var);
    }
    texts.join(", ")
}

pub(super) fn read_param(rng: &mut Rng, is_float_only: bool) -> Param {
    let kind = if is_float_only { Kind::Float } else { rng.pick(&[Kind::Float, Kind::Int]) };
    let param = |kind, shape, access| Param { kind, shape, access };
    match rng.below(9) {
        0..=3 => param(kind, Shape::Scalar, Access::Owned),
        4 => param(kind, Shape::Scalar, Access::Shared),
        5 if !is_float_only => param(Kind::Index, Shape::Scalar, Access::Owned),
        6 if !is_float_only => param(Kind::Bool, Shape::Scalar, Access::Owned),
        _ => param(kind, Shape::Slice(rng.between(2, 4)), Access::Shared),
    }
}

pub(super) fn changed_param(rng: &mut Rng, is_float_only: bool) -> Param {
    let kind = if is_float_only { Kind::Float } else { rng.pick(&[Kind::Float, Kind::Int]) };
    match rng.below(8) {
        0..=3 => Param { kind, shape: Shape::Scalar, access: Access::Exclusive },
        4 if !is_float_only => Param { kind: Kind::Bool, shape: Shape::Scalar, access: Access::Exclusive },
        _ => Param { kind, shape: Shape::Slice(rng.between(2, 4)), access: Access::Exclusive },
    }
}

/// Writes a procedure for later text to call.
pub(super) fn procedure(
    name: String,
    rng: &mut Rng,
    config: &Config,
    items: &Items,
    census: &mut Census,
) -> (Procedure, String) {
    // In a program for `f64` a generic helper has floats only.
    let is_lone = !config.generic && config.floats && config.generics && rng.chance(25);
    let mut params: Vec<Param> = (0..rng.between(1, 3)).map(|_| changed_param(rng, is_lone)).collect();
    params.extend((0..rng.between(0, 2)).map(|_| read_param(rng, is_lone)));
    let is_generic = is_lone || config.generic && params.iter().any(|param| param.kind == Kind::Float);
    let mut writer = Writer::new(rng, config, items, census);
    // It may be called in a loop.
    writer.turns = 6;
    let generics = if is_generic { "<T: Real>" } else { "" };
    if is_generic {
        writer.float = "T";
        writer.note("generic procedure");
    }
    let list = declare(&mut writer, &params);
    writer.note("procedure");
    writer.text.line("#[reversible]");
    writer.text.open(format!("fn {name}{generics}({list})"));
    let count = writer.rng.between(2, 3);
    writer.block(1, count);
    writer.text.close();
    (Procedure { name, params }, writer.text.finish())
}

/// Writes a function for later expressions to call; its results are bounded.
pub(super) fn function(
    name: String,
    rng: &mut Rng,
    config: &Config,
    items: &Items,
    census: &mut Census,
) -> (Function, String) {
    let is_lone = !config.generic && config.generics && rng.chance(25);
    let mut params: Vec<Param> = (0..rng.between(1, 3)).map(|_| read_param(rng, is_lone)).collect();
    let results = match rng.below(10) {
        0..=5 => vec![Kind::Float],
        6 if !is_lone => vec![Kind::Int],
        7 | 8 if !is_lone => vec![Kind::Float, Kind::Int],
        _ => vec![Kind::Float, Kind::Float],
    };
    let has_floats = |params: &[Param]| params.iter().any(|param| param.kind == Kind::Float);
    if is_lone || config.generic && !has_floats(&params) && results.contains(&Kind::Float) {
        // Its type says which number it is.
        params[0] = Param { kind: Kind::Float, shape: Shape::Scalar, access: Access::Owned };
    }
    let is_generic = is_lone || config.generic && has_floats(&params);
    let mut writer = Writer::new(rng, config, items, census);
    let generics = if is_generic { "<T: Real>" } else { "" };
    if is_generic {
        writer.float = "T";
        writer.note("generic function");
    }
    let list = declare(&mut writer, &params);
    writer.note("function");
    let types: Vec<&str> = results.iter().map(|&kind| writer.type_name(kind)).collect();
    let result = if let [only] = types.as_slice() { only.to_string() } else { format!("({})", types.join(", ")) };
    writer.text.line("#[reversible]");
    writer.text.open(format!("fn {name}{generics}({list}) -> {result}"));
    let steps = writer.rng.between(0, 5);
    let tails = writer.function_body(&results, steps, 1);
    writer.text.line(if let [only] = tails.as_slice() { only.clone() } else { format!("({})", tails.join(", ")) });
    writer.text.close();
    (Function { name, params, results }, writer.text.finish())
}

impl Writer<'_> {
    /// Lets and ancillas, computed by turns; returns an expression for each result, together the last use of all.
    pub(super) fn function_body(&mut self, results: &[Kind], steps: usize, depth: usize) -> Vec<String> {
        let mut lives: Vec<Life> = Vec::new();
        for _ in 0..steps {
            match self.rng.below(7) {
                0 | 1 => lives.extend(self.open_let()),
                2 => lives.extend(self.open_ancillas()),
                3 | 4 => self.compute_one(&mut lives),
                5 if self.has_floats() => lives.push(self.open_kernel()),
                _ => self.pure_compound(&mut lives, depth),
            }
        }
        let mut mentions = lives.iter().filter(|life| life.form == Form::Ancilla).flat_map(|life| &life.vars);
        let mut tails = Vec::new();
        for (position, &kind) in results.iter().enumerate() {
            let mut terms = vec![self.expression(kind, 2)];
            let is_last = position + 1 == results.len();
            let wanted = if is_last { usize::MAX } else { 1 };
            for &id in mentions.by_ref().take(wanted) {
                terms.push(self.mention(id, kind));
            }
            let sum = match terms.as_slice() {
                [only] => only.clone(),
                _ => Expr::loose(terms.iter().map(Expr::operand).collect::<Vec<_>>().join(" + ")),
            };
            tails.push(match kind {
                Kind::Int | Kind::Index => format!("{} % 500", sum.operand()),
                Kind::Float | Kind::Bool => {
                    let method = self.rng.pick(&["sin", "cos", "tanh"]);
                    sum.method(method, "").text
                }
            });
        }
        tails
    }

    /// Whether there are floats at all.
    fn has_floats(&self) -> bool {
        !self.scope.readable(|var| var.kind == Kind::Float).is_empty()
    }

    /// A loop or branch that changes nothing but an ancilla.
    fn pure_compound(&mut self, lives: &mut [Life], depth: usize) {
        if lives.iter().any(|life| life.form == Form::Ancilla) {
            self.compute_compound(depth, lives);
        }
    }
}

/// Writes a procedure that pushes a whole slice to a stack of its caller.
pub(super) fn pusher(name: &str, kind: Kind, is_generic: bool) -> String {
    let (generics, ty) = match kind {
        Kind::Float if is_generic => ("<T: Real>", "T"),
        Kind::Float => ("", "f64"),
        Kind::Int | Kind::Bool | Kind::Index => ("", "i64"),
    };
    format!(
        "#[reversible]\nfn {name}{generics}(v: &mut [{ty}], stack: &mut Stack<{ty}>) {{\n    for i in 0..v.len() {{\n        \
         stack.push(&mut v[i]);\n    }}\n}}\n"
    )
}
