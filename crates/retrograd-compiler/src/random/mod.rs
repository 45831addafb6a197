//! Random well-formed programs in the surface language, for tests of the compiler and of what it generates.
//!
//! [`program`] writes the source text of a reversible procedure and of the helpers it calls. Every rule of the language
//! holds by construction (see `scope` for the bookkeeping), and every program is one-to-one on *all* states, so that
//! both `uncall(call(s)) == s` and `call(uncall(s)) == s` hold for any `s` of moderate size: bit by bit where
//! [`Program::exact`] says so, and for integers always; within rounding for floats otherwise. Indices are in range,
//! integers do not overflow, floats stay small.
//!
//! The main procedure always has these parameters, so that one harness fits all programs:
//!
//! ```text
//! (x: &mut [f64], y: &mut [f64], u: &mut [i64], s: &mut f64, k: &mut i64, b: &mut bool,
//!  p: &[f64], m: &[i64], n: usize, c: f64, #[host] h: &mut u64)
//! ```
//!
//! All slices have six elements, and `n` is at most 6. The text needs `reversible`, `Real`, `Stack`, `swap`, `rotate`
//! and `release` in scope. The same seed gives the same text on every platform.

mod ancillas;
mod blocks;
mod branches;
mod calls;
mod computing;
mod floats;
mod helpers;
mod indices;
mod integers;
mod iterations;
mod lets;
mod loops;
mod manual;
mod pairs;
mod postconditions;
mod rng;
mod scope;
mod stacks;
mod statements;
#[cfg(test)]
mod tests;
mod text;
mod updates;
mod uses;
mod views;
mod writer;

use rng::Rng;
use scope::Kind;
pub use writer::Census;
use writer::Items;

/// What kind of program to write.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether floats are changed by arithmetic. Without, they are only moved and negated, and the program is exact.
    pub floats: bool,
    /// The number of statements of the main body.
    pub size: usize,
    /// How deep loops, branches and blocks nest.
    pub depth: usize,
    /// The number of helper procedures, and of helper functions.
    pub helpers: usize,
    /// Whether some helpers are generic over the float type.
    pub generics: bool,
    /// Whether what follows `#[compute] { A }` may change what `A` reads and changes.
    pub conjugate: bool,
    /// Whether ancillas computed together read one another, and may lack a last use of their own.
    pub bold: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config { floats: true, size: 8, depth: 3, helpers: 2, generics: true, conjugate: true, bold: true }
    }
}

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of the main procedure.
    pub name: String,
    /// The helper items and the main procedure, each marked `#[reversible]`.
    pub source: String,
    /// Whether a round trip returns every bit of every float.
    pub exact: bool,
    /// How often each construct of the language occurs.
    pub census: Census,
}

/// Writes the random program of this seed, called `program`.
pub fn program(seed: u64, config: &Config) -> Program {
    named_program("program", seed, config)
}

/// Writes `count` programs, `program_000` and so on: small and large, with and without float arithmetic.
pub fn corpus(count: usize, seed: u64) -> Vec<Program> {
    let mut rng = Rng::new(seed);
    let mut write = |number: usize| {
        let config = Config {
            floats: rng.chance(65),
            size: rng.weighted(&[(5, 3), (4, 5), (1, 9)]),
            depth: rng.weighted(&[(3, 1), (4, 2), (2, 3)]),
            helpers: rng.weighted(&[(3, 0), (5, 1), (4, 2), (1, 3)]),
            ..Config::default()
        };
        named_program(&format!("program_{number:03}"), rng.bits(), &config)
    };
    (0..count).map(&mut write).collect()
}

fn named_program(name: &str, seed: u64, config: &Config) -> Program {
    let rng = &mut Rng::new(seed);
    let mut census = Census::new();
    let mut items = Items::default();
    let mut sources = Vec::new();
    for number in 0..config.helpers {
        let (function, source) = helpers::function(format!("function_{number}"), rng, config, &items, &mut census);
        sources.push(source);
        items.functions.push(function);
        let (procedure, source) = helpers::procedure(format!("procedure_{number}"), rng, config, &items, &mut census);
        sources.push(source);
        items.procedures.push(procedure);
    }
    if config.helpers > 0 && rng.chance(40) {
        for (kind, name) in [(Kind::Float, "push_floats"), (Kind::Int, "push_integers")] {
            sources.push(helpers::pusher(name, kind));
            items.pushers.push((kind, name.into()));
        }
    }
    if config.helpers > 0 && rng.chance(35) {
        sources.push(helpers::recursive("descend", rng, config, &items, &mut census));
        items.recursive.push("descend".into());
    }
    sources.push(helpers::main(name, rng, config, &items, &mut census));
    Program { name: name.into(), source: sources.join("\n"), exact: !config.floats, census }
}
