//! What the text of a random program means, without rustc: the interpreter runs it on the same arguments, bit for bit.

use retrograd_interpreter::{Interpreter, Module, Value, Way};

use super::state::State;

/// The arguments of a procedure; of a function, all but the last.
fn arguments(s: &State<f64>) -> Vec<Value> {
    let f = &s.floats;
    let integers = |all: &[i64]| Value::List(all.iter().map(|n| Value::i64(*n)).collect());
    vec![
        Value::floats(&f.x),
        Value::floats(&f.y),
        Value::floats(&f.a),
        Value::Tuple(vec![Value::f64(f.z.0), Value::f64(f.z.1)]),
        Value::f64(f.s),
        integers(&s.u),
        Value::i64(s.k),
        Value::Bool(s.b),
        Value::floats(&f.p),
        Value::f64(f.q),
        Value::f64(f.c),
        Value::f64(s.w),
        integers(&s.m),
        Value::usize(s.n),
        Value::Unit,
    ]
}

/// Whether a procedure means something else than leading from one state to another.
pub(crate) fn of_procedure(
    (source, name): (&str, &str),
    way: Way,
    before: &State<f64>,
    after: &State<f64>,
) -> Option<String> {
    let run = Module::new(source).and_then(|module| Interpreter::new(&module).run(name, arguments(before), way));
    match run {
        Ok(run) => (run.args.iter().zip(arguments(after)).enumerate()).find_map(|(i, (meant, compiled))| {
            differs(meant, &compiled).then(|| format!("argument {i} is {compiled}, and should be {meant}"))
        }),
        Err(error) => Some(error.to_string()),
    }
}

/// Whether the value of a function is another one than it means.
pub(crate) fn of_function((source, name): (&str, &str), state: &State<f64>, value: &[f64]) -> Option<String> {
    let mut args = arguments(state);
    args.pop();
    let run = Module::new(source).and_then(|module| Interpreter::new(&module).run(name, args, Way::Forwards));
    match run {
        Ok(run) => {
            let meant = run.value.numbers();
            (bits(&meant) != bits(value)).then(|| format!("the value is {value:?}, and should be {meant:?}"))
        }
        Err(error) => Some(error.to_string()),
    }
}

fn differs(meant: &Value, compiled: &Value) -> bool {
    meant != compiled || bits(&meant.numbers()) != bits(&compiled.numbers())
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}
