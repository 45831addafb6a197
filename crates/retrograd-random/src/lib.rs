//! Random well-formed programs in the surface language, for tests of the compiler and of what it generates.
//!
//! [`program`] writes the source text of a reversible procedure or function and of the helpers it calls. Every rule of the
//! language holds by construction (see `scope` for the bookkeeping), and every procedure is one-to-one on *all* states, so
//! that both `uncall(call(s)) == s` and `call(uncall(s)) == s` hold for any `s` of moderate size: bit by bit where
//! [`Program::exact`] says so, and for integers always; within rounding for floats otherwise. Indices are in range,
//! integers do not overflow, floats stay small, and so do their derivatives: arguments stay inside the domains of the
//! functions that they are given to, and values that are zero for certain stay away from kinks and jumps.
//!
//! The main procedure always has these parameters, so that one harness fits all programs, with `f64` or a generic
//! `T: Real` for `T`:
//!
//! ```text
//! (x: &mut [T], y: &mut [T], a: &mut [T; 3], z: &mut (T, T), s: &mut T, u: &mut [i64], k: &mut i64, b: &mut bool,
//!  p: &[T], q: &T, c: T, #[constant] w: T, m: &[i64], n: usize, #[host] h: &mut u64)
//! ```
//!
//! All slices have six elements, and `n` is at most 6. The main function reads the same, and has two more forms of
//! argument by value:
//!
//! ```text
//! (x: &[T], y: &[T], a: [T; 3], z: (T, T), s: &T, u: &[i64], k: i64, b: bool,
//!  p: &[T], q: &T, c: T, #[constant] w: T, m: &[i64], n: usize) -> T     // or (T, T), or [T; 3]
//! ```
//!
//! The text needs `reversible`, `Real`, `Stack`, `swap`, `rotate` and `release` in scope. The same seed gives the same
//! text on every platform.

mod ancillas;
mod any;
mod blocks;
mod branches;
mod calls;
mod computing;
mod devices;
mod elementary;
mod floats;
mod helpers;
mod indices;
mod integers;
mod iterations;
mod kernels;
mod lets;
mod loops;
mod mains;
mod manual;
mod ordinary;
mod pairs;
mod postconditions;
mod recursion;
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

pub use any::{Any, any};
pub use devices::{Kernel, kernels};
pub use ordinary::{Form, Ordinary, ordinary};
use rng::Rng;
use scope::Kind;
pub use writer::Census;
use writer::Items;

/// What kind of program to write.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether the main item is a function with a value, and not a procedure.
    pub function: bool,
    /// Whether the whole program is generic over the float type, `T: Real`.
    pub generic: bool,
    /// Whether floats are changed by arithmetic. Without, they are only moved and negated, and the program is exact.
    pub floats: bool,
    /// The number of statements of the main body.
    pub size: usize,
    /// How deep loops, branches and blocks nest.
    pub depth: usize,
    /// The number of helper procedures, and of helper functions.
    pub helpers: usize,
    /// Whether some helpers of a program for `f64` are generic over the float type.
    pub generics: bool,
    /// Whether what follows `#[compute] { A }` may change what `A` reads and changes.
    pub conjugate: bool,
    /// Whether ancillas computed together read one another, and may lack a last use of their own.
    pub bold: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            function: false,
            generic: false,
            floats: true,
            size: 8,
            depth: 3,
            helpers: 2,
            generics: true,
            conjugate: true,
            bold: true,
        }
    }
}

/// A random program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name of the main item.
    pub name: String,
    /// The helper items and the main item, each marked `#[reversible]`.
    pub source: String,
    /// The types of the results of a main function; a procedure has none.
    pub results: Option<Results>,
    /// Whether it runs on every float type.
    pub generic: bool,
    /// Whether a round trip returns every bit of every float.
    pub exact: bool,
    /// How often each construct of the language occurs.
    pub census: Census,
}

/// What a main function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Results {
    /// `T`
    One,
    /// `(T, T)`
    Pair,
    /// `[T; 3]`
    Array,
}

/// Writes the random program of this seed, called `program`.
pub fn program(seed: u64, config: &Config) -> Program {
    named_program("program", seed, config)
}

/// Writes `count` programs, `program_000` and so on: small and large, procedures and functions, generic or for `f64`, with
/// and without float arithmetic.
pub fn corpus(count: usize, seed: u64) -> Vec<Program> {
    let mut rng = Rng::new(seed);
    let mut write = |number: usize| {
        let function = rng.chance(25);
        let config = Config {
            function,
            generic: rng.chance(85),
            floats: function || rng.chance(88),
            size: rng.weighted(&[(4, 2), (4, 3), (2, 4), (1, 6)]),
            depth: rng.weighted(&[(4, 1), (4, 2), (1, 3)]),
            helpers: rng.weighted(&[(2, 0), (6, 1), (1, 2)]),
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
    if config.helpers > 0 && rng.chance(60) {
        for (kind, name) in [(Kind::Float, "push_floats"), (Kind::Int, "push_integers")] {
            sources.push(helpers::pusher(name, kind, config.generic));
            items.pushers.push((kind, name.into()));
        }
    }
    if config.helpers > 0 && rng.chance(35) {
        let kind = if config.floats && rng.chance(60) { Kind::Float } else { Kind::Int };
        sources.push(recursion::recursive("descend", kind, rng, config, &items, &mut census));
        items.recursive.push((kind, "descend".into()));
    }
    let (source, results) = match config.function {
        true => mains::function(name, rng, config, &items, &mut census),
        false => (mains::procedure(name, rng, config, &items, &mut census), None),
    };
    sources.push(source);
    let (generic, exact) = (config.generic, !config.floats);
    Program { name: name.into(), source: sources.join("\n"), results, generic, exact, census }
}
