//! Compiled code does what random programs mean: values bit for bit, forwards and backwards.

use retrograd_interpreter::laws::Random;
use retrograd_interpreter::{Interpreter, Module, Value, Way};

/// The arguments of every program.
#[derive(Clone, Copy, Debug)]
pub struct State {
    x: [f64; 6],
    y: [f64; 6],
    a: [f64; 3],
    z: (f64, f64),
    s: f64,
    u: [i64; 6],
    k: i64,
    b: bool,
    p: [f64; 6],
    q: f64,
    c: f64,
    w: f64,
    m: [i64; 6],
    n: usize,
}

/// A compiled program.
#[derive(Clone, Copy)]
pub enum Compiled {
    /// Its value.
    Function(fn(&State) -> Vec<f64>),
    /// It and its inverse.
    Procedure(fn(&mut State), fn(&mut State)),
}

macro_rules! function {
    ($program:ident) => {
        Compiled::Function(|s| {
            let value = $program::program(&s.x, &s.y, s.a, s.z, &s.s, &s.u, s.k, s.b, &s.p, &s.q, s.c, s.w, &s.m, s.n);
            super::Numbers::numbers(value)
        })
    };
}

macro_rules! procedure {
    ($program:ident) => {
        Compiled::Procedure(
            |s| {
                $program::program(
                    &mut s.x, &mut s.y, &mut s.a, &mut s.z, &mut s.s, &mut s.u, &mut s.k, &mut s.b, &s.p, &s.q, s.c,
                    s.w, &s.m, s.n, &mut 0,
                )
            },
            |s| {
                $program::program::uncall(
                    &mut s.x, &mut s.y, &mut s.a, &mut s.z, &mut s.s, &mut s.u, &mut s.k, &mut s.b, &s.p, &s.q, s.c,
                    s.w, &s.m, s.n, &mut 0,
                )
            },
        )
    };
}

pub(crate) use {function, procedure};

/// The numbers of a value.
trait Numbers {
    fn numbers(self) -> Vec<f64>;
}

impl Numbers for f64 {
    fn numbers(self) -> Vec<f64> {
        vec![self]
    }
}

impl Numbers for (f64, f64) {
    fn numbers(self) -> Vec<f64> {
        vec![self.0, self.1]
    }
}

impl Numbers for [f64; 3] {
    fn numbers(self) -> Vec<f64> {
        self.to_vec()
    }
}

#[allow(warnings, clippy::all, reason = "random text has unused names, and conditions that are always true")]
mod programs {
    use super::Compiled;
    use retrograd::ops::{dot, log_sum_exp, rotate, sum};
    use retrograd::prelude::*;

    include!(concat!(env!("OUT_DIR"), "/random.rs"));
}

fn state(random: &mut Random) -> State {
    fn float(random: &mut Random) -> f64 {
        (random.bits() >> 11) as f64 / (1_u64 << 51) as f64 - 2.0
    }
    fn int(random: &mut Random) -> i64 {
        (random.bits() % 41) as i64 - 20
    }
    State {
        x: std::array::from_fn(|_| float(random)),
        y: std::array::from_fn(|_| float(random)),
        a: std::array::from_fn(|_| float(random)),
        z: (float(random), float(random)),
        s: float(random),
        u: std::array::from_fn(|_| int(random)),
        k: int(random),
        b: random.bits().is_multiple_of(2),
        p: std::array::from_fn(|_| float(random)),
        q: float(random),
        c: float(random),
        w: float(random),
        m: std::array::from_fn(|_| int(random)),
        n: (random.bits() % 7) as usize,
    }
}

/// The arguments of a procedure; of a function, all but the last.
fn arguments(s: &State) -> Vec<Value> {
    let integers = |all: &[i64]| Value::List(all.iter().map(|n| Value::i64(*n)).collect());
    vec![
        Value::floats(&s.x),
        Value::floats(&s.y),
        Value::floats(&s.a),
        Value::Tuple(vec![Value::f64(s.z.0), Value::f64(s.z.1)]),
        Value::f64(s.s),
        integers(&s.u),
        Value::i64(s.k),
        Value::Bool(s.b),
        Value::floats(&s.p),
        Value::f64(s.q),
        Value::f64(s.c),
        Value::f64(s.w),
        integers(&s.m),
        Value::usize(s.n),
        Value::Unit,
    ]
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Values are the same, floats bit by bit.
#[track_caller]
fn same(interpreted: &[Value], compiled: &[Value], source: &str) {
    for (i, (a, b)) in interpreted.iter().zip(compiled).enumerate() {
        let same = a == b && bits(&a.numbers()) == bits(&b.numbers());
        assert!(same, "argument {i} is {b} in compiled code, and {a} in the interpreter:\n{source}");
    }
}

#[test]
fn compiled_code_does_what_programs_mean() {
    for (source, compiled) in programs::ALL {
        let module = Module::new(source).unwrap_or_else(|error| panic!("{error}\n{source}"));
        let interpreter = Interpreter::new(&module);
        for seed in 0..3 {
            let start = state(&mut Random::new(seed));
            let run = |args, way| interpreter.run("program", args, way).unwrap_or_else(|e| panic!("{e}\n{source}"));
            match compiled {
                Compiled::Function(call) => {
                    let mut args = arguments(&start);
                    args.pop();
                    let value = run(args, Way::Forwards).value;
                    assert_eq!(bits(&value.numbers()), bits(&call(&start)), "{source}");
                }
                Compiled::Procedure(call, uncall) => {
                    let (mut there, mut back) = (start, start);
                    call(&mut there);
                    uncall(&mut back);
                    same(&run(arguments(&start), Way::Forwards).args, &arguments(&there), source);
                    same(&run(arguments(&start), Way::Backwards).args, &arguments(&back), source);
                }
            }
        }
    }
}
