//! Programs of all kinds, for laws that hold for every program.

use super::rng::Rng;
use super::{Config, ordinary, program};

/// A random program of any kind.
#[derive(Clone, Debug)]
pub struct Any {
    /// The name of the main item.
    pub name: String,
    /// All items.
    pub source: String,
}

/// Writes a program: of eight, seven are reversible, one of which keeps half of its state in a struct with a method, and uses slots; the last one is
/// ordinary Rust, and records what it loses. Small ones come more often than large ones.
pub fn any(seed: u64) -> Any {
    match Rng::new(seed).below(8) {
        0 => {
            let written = ordinary(1, seed).remove(0);
            Any { name: written.name, source: written.source }
        }
        1 => {
            let config = Config { function: false, generic: false, ..Config::of(seed) };
            Any { name: "outer".into(), source: program(seed, &config).source + METHOD }
        }
        _ => {
            let written = program(seed, &Config::of(seed));
            Any { name: written.name, source: written.source }
        }
    }
}

/// Half of the state in a struct, of which a method changes several fields; and slots that are used on the way.
const METHOD: &str = "
struct State {
    a: [f64; 3],
    z: (f64, f64),
    s: f64,
    k: i64,
    b: bool,
}

#[reversible]
impl State {
    fn kick(&mut self, x: &mut [f64], c: f64) {
        self.s += 0.25 * self.z.1;
        x[0] -= 0.5 * c * self.s;
        for i in 0..3 {
            self.a[i] += 0.5 * x[i];
        }
        if self.b {
            self.k += 1;
        }
    }
}

#[reversible]
fn outer(
    state: &mut State, x: &mut [f64], y: &mut [f64], u: &mut [i64],
    p: &[f64], q: &f64, c: f64, #[constant] w: f64, m: &[i64], n: usize, #[host] h: &mut u64,
) {
    let mut slots: Slots<usize, f64> = Slots::new();
    slots.allocate(n);
    slots.allocate(n + 1);
    slots[n] += 0.5 * p[0];
    slots[n + 1] += c * slots[n];
    y[1] += 0.25 * slots[n + 1];
    state.kick(x, c);
    program(
        x, y, &mut state.a, &mut state.z, &mut state.s, u, &mut state.k, &mut state.b, p, q, c, w, m, n, h,
    );
    #[inverse]
    state.kick(y, w);
}
";

impl Config {
    /// A configuration of each kind: small programs more often than large ones, which take longer and find little more.
    pub fn of(seed: u64) -> Config {
        let rng = &mut Rng::new(seed.wrapping_mul(31));
        Config {
            function: rng.chance(25),
            generic: rng.chance(66),
            floats: rng.chance(94),
            size: rng.weighted(&[(5, 1), (4, 2), (2, 3), (1, 4)]),
            depth: rng.weighted(&[(7, 1), (3, 2), (1, 3)]),
            helpers: rng.weighted(&[(4, 0), (1, 1)]),
            ..Config::default()
        }
    }
}
