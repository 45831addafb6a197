//! The main item: a procedure or a function whose parameters are always the same.

use super::rng::Rng;
use super::scope::{Kind, Var, VarId};
use super::writer::{Census, Items, Writer};
use super::{Config, Results};

/// The slices of the main item have this many elements.
const LEN: usize = 6;

/// The parameters of the main procedure, after its name.
const PROCEDURE: &str = "x: &mut [T], y: &mut [T], a: &mut [T; 3], z: &mut (T, T), s: &mut T, u: &mut [i64], \
     k: &mut i64, b: &mut bool, p: &[T], q: &T, c: T, #[constant] w: T, m: &[i64], n: usize, #[host] h: &mut u64";

/// Those of the main function.
const FUNCTION: &str = "x: &[T], y: &[T], a: [T; 3], z: (T, T), s: &T, u: &[i64], k: i64, b: bool, \
     p: &[T], q: &T, c: T, #[constant] w: T, m: &[i64], n: usize";

/// Writes the main procedure.
pub(super) fn procedure(name: &str, rng: &mut Rng, config: &Config, items: &Items, census: &mut Census) -> String {
    let mut writer = Writer::new(rng, config, items, census);
    writer.is_main = true;
    writer.doublings = 4;
    writer.read_only();
    let params = [
        Var::new("b", Kind::Bool).exclusive(),
        Var::new("k", Kind::Int).exclusive(),
        Var::new("s", Kind::Float).exclusive(),
        Var::new("u", Kind::Int).slice(LEN).exclusive(),
        Var::new("a", Kind::Float).slice(3).exclusive(),
        Var::new("x", Kind::Float).slice(LEN).exclusive(),
        Var::new("y", Kind::Float).slice(LEN).exclusive(),
    ];
    for param in params {
        writer.scope.declare(param);
    }
    writer.fields("z", Var::changeable);
    writer.open_main(name, PROCEDURE, "");
    writer.block(config.depth, config.size);
    writer.text.close();
    writer.text.finish()
}

/// Writes the main function, and says what it returns.
pub(super) fn function(
    name: &str,
    rng: &mut Rng,
    config: &Config,
    items: &Items,
    census: &mut Census,
) -> (String, Option<Results>) {
    let results = rng.weighted(&[(6, Results::One), (2, Results::Pair), (2, Results::Array)]);
    let mut writer = Writer::new(rng, config, items, census);
    writer.read_only();
    let params = [
        Var::new("b", Kind::Bool),
        Var::new("k", Kind::Int),
        Var::new("s", Kind::Float).shared(),
        Var::new("u", Kind::Int).slice(LEN).shared(),
        Var::new("a", Kind::Float).slice(3),
        Var::new("x", Kind::Float).slice(LEN).shared(),
        Var::new("y", Kind::Float).slice(LEN).shared(),
    ];
    for param in params {
        writer.scope.declare(param);
    }
    writer.fields("z", |field| field);
    let (kinds, result) = match results {
        Results::One => (vec![Kind::Float], "T"),
        Results::Pair => (vec![Kind::Float; 2], "(T, T)"),
        Results::Array => (vec![Kind::Float; 3], "[T; 3]"),
    };
    writer.note("main function");
    writer.open_main(name, FUNCTION, &format!(" -> {result}"));
    let tails = writer.function_body(&kinds, config.size + 2, config.depth).join(", ");
    writer.text.line(match results {
        Results::One => tails,
        Results::Pair => format!("({tails})"),
        Results::Array => format!("[{tails}]"),
    });
    writer.text.close();
    (writer.text.finish(), Some(results))
}

impl Writer<'_> {
    /// Declares what both main items only read.
    fn read_only(&mut self) {
        self.float = if self.config.generic { "T" } else { "f64" };
        let params = [
            Var::new("w", Kind::Float).shadowable(),
            Var::new("c", Kind::Float).shadowable(),
            Var::new("q", Kind::Float).shared(),
            Var::new("n", Kind::Index).below(LEN + 1).shadowable(),
            Var::new("p", Kind::Float).slice(LEN).shared(),
            Var::new("m", Kind::Int).slice(LEN).shared(),
        ];
        for param in params {
            self.scope.declare(param);
        }
    }

    /// Declares the two numbers of a tuple as variables of their own: to change one is to leave the other alone.
    pub(super) fn fields(&mut self, tuple: &str, form: impl Fn(Var) -> Var) -> [VarId; 2] {
        [0, 1].map(|field| self.scope.declare(form(Var::new(format!("{tuple}.{field}"), Kind::Float))))
    }

    fn open_main(&mut self, name: &str, params: &str, result: &str) {
        let generics = if self.config.generic { "<T: Real>" } else { "" };
        // The only capital letters in the text are the type's.
        let head = format!("pub fn {name}{generics}") + &format!("({params}){result}").replace('T', self.float);
        self.text.line("#[reversible]");
        self.text.line("#[allow(clippy::too_many_arguments)]");
        self.text.open(head);
    }
}
