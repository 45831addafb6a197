//! Programs of ordinary Rust, which lose information: for `#[reversible(record)]`.
//!
//! [`ordinary`] writes functions as anyone would who has never heard of reversible programs: they overwrite what they have,
//! leave loops in the middle, and forget about their locals. Expressions are those of the other programs.
//!
//! The main function always has these parameters, some of which are `mut`:
//!
//! ```text
//! (x: &[T], v: [T; 3], s: T, t: T, m: &[i64], k: i64, n: usize) -> T
//! ```
//!
//! `x` and `m` have four elements, and `n` is at most 4. Every loop has a counter that ends it, indices are in range,
//! integers do not overflow, and floats stay small, as do their derivatives.

mod assignments;
mod branches;
mod exits;
mod locals;
mod loops;
mod statements;

use super::rng::Rng;
use super::scope::{Access, Kind, Shape, Var};
use super::writer::{Census, Function, Items, Param, Writer};
use super::{Config, helpers};
use exits::Around;

/// A random function that records.
#[derive(Clone, Debug)]
pub struct Ordinary {
    /// The name of the main function.
    pub name: String,
    /// The functions that it calls, and the main function.
    pub source: String,
    /// How often each construct occurs.
    pub census: Census,
}

/// The slices of the main function have this many elements.
const LEN: usize = 4;

/// Writes `count` programs, `ordinary_000` and so on. About half of them call others, up to three levels deep.
pub fn ordinary(count: usize, seed: u64) -> Vec<Ordinary> {
    let mut rng = Rng::new(seed);
    let write = |number| named(&format!("ordinary_{number:03}"), rng.bits());
    (0..count).map(write).collect()
}

fn named(name: &str, seed: u64) -> Ordinary {
    let rng = &mut Rng::new(seed);
    let config = Config { generic: true, ..Config::default() };
    let (mut census, mut items, mut sources) = (Census::new(), Items::default(), Vec::new());
    for number in 0..rng.weighted(&[(5, 0), (3, 1), (2, 2), (1, 3)]) {
        let name = format!("helper_{number}");
        let (function, source) = match rng.below(4) {
            0 => helpers::function(name, rng, &config, &items, &mut census),
            _ => helper(name, rng, &config, &items, &mut census),
        };
        items.functions.push(function);
        sources.push(source);
    }
    if rng.chance(30) {
        let (procedure, source) = helpers::procedure("procedure".into(), rng, &config, &items, &mut census);
        items.procedures.push(procedure);
        sources.push(source);
    }
    sources.push(main(name, rng, &config, &items, &mut census));
    Ordinary { name: name.into(), source: sources.join("\n"), census }
}

/// Writes a function with records for later expressions to call.
fn helper(name: String, rng: &mut Rng, config: &Config, items: &Items, census: &mut Census) -> (Function, String) {
    let mut params: Vec<Param> = (0..rng.between(0, 2)).map(|_| helpers::read_param(rng, false)).collect();
    params.push(Param { kind: Kind::Float, shape: Shape::Scalar, access: Access::Owned });
    let results = rng.weighted(&[(6, vec![Kind::Float]), (2, vec![Kind::Float; 2]), (1, vec![Kind::Float, Kind::Int])]);
    let mut body = Body::new(Writer::new(rng, config, items, census), results.clone());
    // It may be called in a loop.
    body.writer.turns = 3;
    body.writer.note("recorded helper");
    let mut list = Vec::new();
    for (position, param) in params.iter().enumerate() {
        let mut var = Var::new(format!("a{position}"), param.kind);
        (var.shape, var.access) = (param.shape, param.access);
        if param.kind == Kind::Index {
            var.below = 3;
        }
        let ty = helpers::type_text(param, "T");
        list.push(body.parameter(var, &ty));
    }
    let types: Vec<&str> = results.iter().map(|&kind| body.writer.type_name(kind)).collect();
    let result = if let [only] = types.as_slice() { only.to_string() } else { format!("({})", types.join(", ")) };
    body.writer.text.line("#[reversible(record)]");
    body.writer.text.open(format!("fn {name}<T: Real>({}) -> {result}", list.join(", ")));
    let size = body.writer.rng.between(1, 4);
    body.whole(2, size);
    body.writer.text.close();
    (Function { name, params, results }, body.writer.text.finish())
}

fn main(name: &str, rng: &mut Rng, config: &Config, items: &Items, census: &mut Census) -> String {
    let mut body = Body::new(Writer::new(rng, config, items, census), vec![Kind::Float]);
    let params = [
        (Var::new("x", Kind::Float).slice(LEN).shared(), "&[T]"),
        (Var::new("v", Kind::Float).slice(3), "[T; 3]"),
        (Var::new("s", Kind::Float).shadowable(), "T"),
        (Var::new("t", Kind::Float).shadowable(), "T"),
        (Var::new("m", Kind::Int).slice(LEN).shared(), "&[i64]"),
        (Var::new("k", Kind::Int).shadowable(), "i64"),
        (Var::new("n", Kind::Index).below(LEN + 1), "usize"),
    ];
    let list = params.map(|(var, ty)| body.parameter(var, ty)).join(", ");
    body.writer.text.line("#[reversible(record)]");
    body.writer.text.open(format!("pub fn {name}<T: Real>({list}) -> T"));
    let (size, depth) = (body.writer.rng.between(3, 7), body.writer.rng.between(2, 3));
    body.whole(depth, size);
    body.writer.text.close();
    body.writer.text.finish()
}

/// The body of one function.
struct Body<'a> {
    writer: Writer<'a>,
    /// The loops around the statement that is being written.
    loops: Vec<Around>,
    /// What the function returns.
    results: Vec<Kind>,
}

impl<'a> Body<'a> {
    fn new(mut writer: Writer<'a>, results: Vec<Kind>) -> Self {
        writer.float = "T";
        Body { writer, loops: Vec::new(), results }
    }

    /// Declares a parameter, `mut` or not, and returns its text.
    fn parameter(&mut self, var: Var, ty: &str) -> String {
        let name = var.name.clone();
        let is_mut = var.access == Access::Owned && self.writer.rng.chance(50);
        if is_mut {
            self.writer.note("mut parameter");
        }
        self.writer.scope.declare(if is_mut { var.changeable() } else { var });
        format!("{}{name}: {ty}", if is_mut { "mut " } else { "" })
    }
}
