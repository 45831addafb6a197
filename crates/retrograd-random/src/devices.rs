//! Random kernels: procedures that are run once for each index, for tests on devices.
//!
//! Each has these parameters, with as many elements in every slice as there are runs, but three times as many in `y` and five in `p`:
//!
//! ```text
//! (#[index] i: usize, x: &mut [T], y: &mut [T], k: &mut [i64], u: &[T], p: &[T], #[scatter] r: &[T], c: T, s: T,
//!  m: &[i64], j: &[usize], n: usize)
//! ```
//!
//! It changes its own element of `x` and `k` and its own row of `y`, and reads its neighbours in `u`, what all runs share in `p`, `c` and `s`,
//! and elements of `r` that depend on data. Values are made by arithmetic alone, so that they have the same bits on every device, and
//! stay small.

use super::rng::Rng;
use super::text::Text;

/// A kernel, and what it calls.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The text, helpers included.
    pub source: String,
}

/// Several kernels.
pub fn kernels(count: usize, seed: u64) -> Vec<Kernel> {
    (0..count).map(|number| kernel(number, seed)).collect()
}

fn kernel(number: usize, seed: u64) -> Kernel {
    let name = format!("kernel_{number}");
    let rng = Rng::new(seed ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut text = Text::default();
    for line in HELPERS.lines() {
        text.line(line);
    }
    text.line("#[reversible(kernel)]");
    text.open(format!(
        "pub fn {name}<T: Real>(#[index] i: usize, x: &mut [T], y: &mut [T], k: &mut [i64], u: &[T], p: &[T], #[scatter] r: &[T], c: T, s: T, \
         m: &[i64], j: &[usize], n: usize)"
    ));
    let mut writer = Writer { rng, text, names: 0, counters: Vec::new(), values: Vec::new(), near: false, depth: 0 };
    let statements = writer.rng.between(3, 8);
    writer.statements(statements);
    writer.text.close();
    Kernel { name, source: writer.text.finish() }
}

/// What kernels call.
const HELPERS: &str = "#[reversible]
pub fn blend<T: Real>(a: T, b: T, kind: i64) -> T {
    let sum = a + 0.5 * b;
    if kind > 1 { sum * a } else { sum - a * b }
}

#[reversible]
pub fn twist<T: Real>(q: &mut T, a: T) {
    *q += 0.25 * a;
    *q *= 1.0 + 0.1 * a / (1.0 + a * a);
    *q -= blend(a, 0.5, 2);
}
";

struct Writer {
    rng: Rng,
    text: Text,
    names: usize,
    /// Loop variables below three, the same in all runs.
    counters: Vec<String>,
    /// Names of values that nothing changes.
    values: Vec<String>,
    /// Whether the elements around are there.
    near: bool,
    depth: usize,
}

/// What a statement changes.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Element,
    Row,
}

impl Writer {
    fn fresh(&mut self, role: &str) -> String {
        self.names += 1;
        format!("{role}_{}", self.names)
    }

    fn statements(&mut self, count: usize) {
        let known = self.values.len();
        for _ in 0..count {
            self.statement();
        }
        self.values.truncate(known);
    }

    /// A block of some statements inside another.
    fn inside(&mut self) {
        self.depth += 1;
        let count = self.rng.between(1, 3);
        self.statements(count);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let simple = [
            (8, Self::update as fn(&mut Self)),
            (2, Self::scaling),
            (2, Self::integers),
            (1, Self::flip),
            (2, Self::name),
            (3, Self::scratch),
            (2, Self::call),
        ];
        let nested = [
            (3, Self::branch as fn(&mut Self)),
            (3, Self::neighbourhood),
            (3, Self::turns),
            (1, Self::some_turns),
            (1, Self::choice),
        ];
        let mut all = simple.to_vec();
        if self.depth < 3 {
            all.extend(nested);
        }
        self.rng.weighted(&all)(self);
    }

    fn target(&mut self) -> (Target, String) {
        if self.rng.chance(50) {
            return (Target::Element, "x[i]".to_string());
        }
        let index = self.index();
        (Target::Row, format!("y[i * 3 + {index}]"))
    }

    /// Something below three.
    fn index(&mut self) -> String {
        let counters = self.counters.clone();
        match self.rng.chance(60) && !counters.is_empty() {
            true => self.rng.pick(&counters),
            false => self.rng.below(3).to_string(),
        }
    }

    /// A value that nothing changes.
    fn fixed(&mut self) -> String {
        let values = self.values.clone();
        let near = if self.near { 4 } else { 0 };
        match self.rng.below(9 + near) {
            0 => "c".to_string(),
            1 => "s".to_string(),
            2 => format!("p[{}]", self.rng.below(5)),
            3 => format!("p[{}]", self.index()),
            4 => "r[j[i]]".to_string(),
            5 => format!("r[(i + {}) % n]", self.rng.below(4)),
            6 if !values.is_empty() => self.rng.pick(&values),
            7 => format!("T::from_int(m[i]) * {}", self.rng.pick(&["0.1", "0.25"])),
            6..=8 => "u[i]".to_string(),
            _ => self.rng.pick(&["u[i - 1]", "u[i + 1]", "u[i + 2]", "u[i - 1]"]).to_string(),
        }
    }

    /// A small value made of what nothing changes.
    fn operand(&mut self) -> String {
        let (a, b) = (self.fixed(), self.fixed());
        match self.rng.below(7) {
            0 => a,
            1 => format!("{a} * {b}"),
            2 => format!("({a} - {b})"),
            3 => format!("(if {} {{ {a} }} else {{ {b} * 0.5 }})", self.condition()),
            4 => format!("{a} / (1.0 + {b} * {b})"),
            5 => format!("({a}).max({b})"),
            _ => format!("{a} * {b} * 0.5"),
        }
    }

    /// One that may read what is changed, but not by a statement that changes the target.
    fn any(&mut self, target: Target) -> String {
        let other = match target {
            Target::Element => {
                let index = self.index();
                format!("y[i * 3 + {index}]")
            }
            Target::Row => "x[i]".to_string(),
        };
        match self.rng.chance(40) {
            true => format!("{} * {other} / (1.0 + {other} * {other})", self.operand()),
            false => self.operand(),
        }
    }

    fn condition(&mut self) -> String {
        match self.rng.below(5) {
            0 => format!("m[i] > {}", self.rng.below(4)),
            1 => format!("i % {} == 0", self.rng.between(2, 5)),
            2 => "u[i] > p[0]".to_string(),
            3 => "j[i] < i".to_string(),
            _ => format!("r[j[i]] * c < {}", self.rng.pick(&["0.1", "0.3"])),
        }
    }

    fn update(&mut self) {
        let (target, place) = self.target();
        let (operand, sign) = (self.any(target), self.rng.pick(&["+=", "-="]));
        self.text.line(format!("{place} {sign} {operand};"));
    }

    fn scaling(&mut self) {
        let ((_, place), operand) = (self.target(), self.fixed());
        let sign = self.rng.pick(&["*=", "/="]);
        self.text.line(format!("{place} {sign} 1.5 + 0.5 * {operand} / (1.0 + {operand} * {operand});"));
    }

    fn integers(&mut self) {
        let number = self.rng.below(1000);
        let line = match self.rng.below(4) {
            0 => format!("k[i] += m[i] * {number} + i as i64;"),
            1 => format!("k[i] ^= m[(i + {number}) % n] << {};", number % 40),
            2 => "k[i] = -k[i];".to_string(),
            _ => format!("k[i] -= (m[i] + {number}) / {} % 17;", number % 7 + 1),
        };
        self.text.line(line);
    }

    fn flip(&mut self) {
        if self.rng.chance(50) {
            return self.text.line("swap(&mut y[i * 3], &mut y[i * 3 + 2]);");
        }
        let (_, place) = self.target();
        self.text.line(format!("{place} = -{place};"));
    }

    fn name(&mut self) {
        let (name, operand) = (self.fresh("value"), self.operand());
        self.text.line(format!("let {name} = {operand};"));
        self.values.push(name);
    }

    /// Scratch that is computed, and used once.
    fn scratch(&mut self) {
        let (name, first) = (self.fresh("scratch"), self.operand());
        self.text.line(format!("let mut {name}: T = {first};"));
        for _ in 0..self.rng.between(1, 2) {
            let operand = self.operand();
            match self.rng.below(3) {
                0 => self.text.line(format!("{name} *= 1.0 + {operand} * {operand};")),
                1 => {
                    let counter = self.fresh("t");
                    self.text.open(format!("for {counter} in 0..3"));
                    self.text.line(format!("{name} += p[{counter}] * {operand};"));
                    self.text.close();
                }
                _ => self.text.line(format!("{name} -= {operand};")),
            }
        }
        let (target, place) = self.target();
        let factor = self.any(target);
        self.text.line(format!("{place} += {name} / (1.0 + {name} * {name}) * {factor};"));
    }

    fn call(&mut self) {
        let ((_, place), a, b) = (self.target(), self.fixed(), self.fixed());
        match self.rng.below(3) {
            0 => self.text.line(format!("twist(&mut {place}, {a});")),
            1 => self.text.line(format!("twist::uncall(&mut {place}, {a} * 0.5);")),
            _ => self.text.line(format!("{place} += blend({a}, {b}, m[i]);")),
        }
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.text.open(format!("if {condition}"));
        self.inside();
        if self.rng.chance(50) {
            self.text.turn("else");
            self.inside();
        }
        self.text.close();
    }

    fn neighbourhood(&mut self) {
        self.text.open("if i > 0 && i + 2 < n");
        let near = std::mem::replace(&mut self.near, true);
        self.inside();
        self.near = near;
        self.text.close();
    }

    fn turns(&mut self) {
        let counter = self.fresh("t");
        let range = self.rng.pick(&["0..3", "(0..3).rev()", "(0..3).step_by(2)"]);
        self.text.open(format!("for {counter} in {range}"));
        self.counters.push(counter);
        self.inside();
        self.counters.pop();
        self.text.close();
    }

    /// A loop that is longer in some runs than in others.
    fn some_turns(&mut self) {
        self.text.open("for _ in 0..j[i] % 4");
        self.inside();
        self.text.close();
    }

    fn choice(&mut self) {
        self.text.open("match m[i]");
        for pattern in ["0 =>", "1 | 3 =>", "_ =>"] {
            self.text.open(pattern);
            self.inside();
            self.text.close();
        }
        self.text.close();
    }
}
