//! Programs of ordinary Rust, which lose information: for `#[reversible(record)]`.
//!
//! [`ordinary`] writes programs as anyone would who has never heard of reversible ones: they overwrite what they have,
//! leave loops in the middle, and forget about their locals. Expressions are those of the other programs.
//!
//! A main function always has these parameters, some of which are `mut`, and a main procedure those below:
//!
//! ```text
//! (x: &[T], v: [T; 3], s: T, t: T, m: &[i64], k: i64, n: usize) -> T
//! (x: &mut [T], v: &mut [T; 3], s: &mut T, t: T, m: &mut [i64], k: &mut i64, n: usize)
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
mod values;
mod vectors;

use super::rng::Rng;
use super::scope::{Access, Kind, Shape, Var};
use super::writer::{Census, Function, Items, Param, Procedure, Writer};
use super::{Config, helpers};
use exits::Around;

/// A random program that records.
#[derive(Clone, Debug)]
pub struct Ordinary {
    /// The name of the main item.
    pub name: String,
    /// What it calls, and the main item.
    pub source: String,
    /// The items that record as plain Rust, for the others in scope, and for a type `T` that is `f64`. There is none where one
    /// call is given several elements of one slice.
    pub plain: Option<String>,
    /// What the main item is.
    pub form: Form,
    /// How often each construct occurs.
    pub census: Census,
}

/// What a main item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A function with a value.
    Function,
    /// A procedure, which changes its arguments.
    Procedure {
        /// Whether it keeps what `+=` and `-=` change, too.
        keeps_all: bool,
    },
}

impl Form {
    fn attribute(self) -> &'static str {
        match self {
            Form::Procedure { keeps_all: true } => "#[reversible(record = \"all\")]",
            Form::Function | Form::Procedure { keeps_all: false } => "#[reversible(record)]",
        }
    }
}

/// The slices of the main function have this many elements.
const LEN: usize = 4;

/// Writes `count` programs, `ordinary_000` and so on. One in four is a procedure; about half of them call others, up to
/// three levels deep.
pub fn ordinary(count: usize, seed: u64) -> Vec<Ordinary> {
    let mut rng = Rng::new(seed);
    let write = |number| {
        let procedure = |keeps_all| Form::Procedure { keeps_all };
        let form = rng.weighted(&[(9, Form::Function), (2, procedure(false)), (1, procedure(true))]);
        named(&format!("ordinary_{number:03}"), rng.bits(), form)
    };
    (0..count).map(write).collect()
}

fn named(name: &str, seed: u64, form: Form) -> Ordinary {
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
        let (procedure, source) = match rng.chance(60) {
            true => recorded_procedure("procedure".into(), form, rng, &config, &items, &mut census),
            false => helpers::procedure("procedure".into(), rng, &config, &items, &mut census),
        };
        items.procedures.push(procedure);
        sources.push(source);
    }
    sources.push(main(name, form, rng, &config, &items, &mut census));
    let is_plain = !census.contains_key("elements of one slice in a call");
    let plain = is_plain.then(|| sources.iter().filter_map(|source| plain(source)).collect::<Vec<_>>().join("\n"));
    Ordinary { name: name.into(), source: sources.join("\n"), plain, form, census }
}

/// An item that records as plain Rust.
fn plain(source: &str) -> Option<String> {
    let (attribute, item) = source.split_once('\n')?;
    let is_recorded = attribute.starts_with("#[reversible(record");
    is_recorded.then(|| item.replacen("<T: Real>", "", 1).replace("#[recompute]\n", "\n"))
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
    let list = body.parameters(&params);
    let types: Vec<&str> = results.iter().map(|&kind| body.writer.type_name(kind)).collect();
    let result = if let [only] = types.as_slice() { only.to_string() } else { format!("({})", types.join(", ")) };
    body.writer.text.line("#[reversible(record)]");
    body.writer.text.open(format!("fn {name}<T: Real>({list}) -> {result}"));
    let size = body.writer.rng.between(1, 4);
    body.whole(2, size);
    body.writer.text.close();
    (Function { name, params, results }, body.writer.text.finish())
}

/// Writes a procedure with records for later text to call.
fn recorded_procedure(
    name: String,
    form: Form,
    rng: &mut Rng,
    config: &Config,
    items: &Items,
    census: &mut Census,
) -> (Procedure, String) {
    let mut params = vec![Param { kind: Kind::Float, shape: Shape::Scalar, access: Access::Exclusive }];
    params.extend((0..rng.between(0, 2)).map(|_| helpers::changed_param(rng, false)));
    params.extend((0..rng.between(0, 2)).map(|_| helpers::read_param(rng, false)));
    let mut body = Body::new(Writer::new(rng, config, items, census), Vec::new());
    // It may be called in a loop.
    body.writer.turns = 6;
    body.writer.note("recorded procedure");
    let list = body.parameters(&params);
    body.writer.text.line(form.attribute());
    body.writer.text.open(format!("fn {name}<T: Real>({list})"));
    let size = body.writer.rng.between(1, 4);
    body.whole(2, size);
    body.writer.text.close();
    (Procedure { name, params }, body.writer.text.finish())
}

fn main(name: &str, form: Form, rng: &mut Rng, config: &Config, items: &Items, census: &mut Census) -> String {
    let (shared, owned) = (Access::Shared, Access::Owned);
    let (slice, scalar, result) = match form {
        Form::Function => (("&", shared), ("", owned), " -> T"),
        Form::Procedure { .. } => (("&mut ", Access::Exclusive), ("&mut ", Access::Exclusive), ""),
    };
    let results = if form == Form::Function { vec![Kind::Float] } else { Vec::new() };
    let mut body = Body::new(Writer::new(rng, config, items, census), results);
    let params = [
        (Var::new("x", Kind::Float).slice(LEN), slice, "[T]"),
        (Var::new("v", Kind::Float).slice(3), scalar, "[T; 3]"),
        (Var::new("s", Kind::Float).shadowable(), scalar, "T"),
        (Var::new("t", Kind::Float).shadowable(), ("", owned), "T"),
        (Var::new("m", Kind::Int).slice(LEN), slice, "[i64]"),
        (Var::new("k", Kind::Int).shadowable(), scalar, "i64"),
        (Var::new("n", Kind::Index).below(LEN + 1), ("", owned), "usize"),
    ];
    let list = params.map(|(var, (prefix, access), ty)| {
        let var = Var { access, changeable: access == Access::Exclusive, ..var };
        body.parameter(var, &format!("{prefix}{ty}"))
    });
    body.writer.text.line(form.attribute());
    body.writer.text.open(format!("pub fn {name}<T: Real>({}){result}", list.join(", ")));
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
    /// What the function returns; a procedure, nothing.
    results: Vec<Kind>,
    /// Decides what is marked `#[recompute]`: a stream of its own, so that a mark changes nothing else of the program.
    marks: Rng,
}

impl<'a> Body<'a> {
    fn new(mut writer: Writer<'a>, results: Vec<Kind>) -> Self {
        writer.float = "T";
        let marks = Rng::new(!writer.rng.clone().bits());
        Body { writer, loops: Vec::new(), results, marks }
    }

    /// Declares the parameters of a helper, and returns their text.
    fn parameters(&mut self, params: &[Param]) -> String {
        let mut list = Vec::new();
        for (position, param) in params.iter().enumerate() {
            let mut var = Var::new(format!("a{position}"), param.kind);
            (var.shape, var.access, var.changeable) = (param.shape, param.access, param.is_changed());
            if param.kind == Kind::Index {
                var.below = 3;
            }
            list.push(self.parameter(var, &helpers::type_text(param, "T")));
        }
        list.join(", ")
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
