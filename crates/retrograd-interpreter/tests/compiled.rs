//! The interpreter gives programs the meaning that compiled code has.

mod broken {
    use retrograd::ops::rotate;
    use retrograd::prelude::*;
    include!("programs/laws_broken.rs");
}
mod ordinary {
    use retrograd::prelude::*;
    include!("programs/ordinary.rs");
}

use ordinary::Particle;
use retrograd::{Stack, attempt};
use retrograd_interpreter::{Int, IntKind, Interpreter, Module, Run, Value, Way};

const BROKEN: &str = include_str!("programs/laws_broken.rs");
const ORDINARY: &str = include_str!("programs/ordinary.rs");

/// The message of the interpreter is that of compiled code, which names the file too.
#[track_caller]
fn same_error(name: &str, args: Vec<Value>, compiled: impl FnOnce()) {
    let expected = attempt(compiled).expect_err("the law is broken");
    let module = Module::new(BROKEN).unwrap_or_else(|error| panic!("{error}"));
    let found = Interpreter::new(&module).run(name, args, Way::Forwards).expect_err("the law is broken");
    assert_eq!(found.to_string(), expected.to_string().replace(&format!("{}:", expected.file), ""));
}

#[test]
fn broken_laws_are_told_in_the_same_words() {
    let int = Value::i64;
    same_error("postcondition", vec![int(1), int(1)], || broken::postcondition(&mut 1, &mut 1));
    same_error("entry", vec![int(1)], || broken::entry(&mut 1));
    same_error("turn", vec![int(0)], || broken::turn(&mut 0));
    same_error("released", vec![Value::f64(0.25)], || broken::released(&mut 0.25));
    same_error("released_part", vec![Value::List(vec![int(7)])], || broken::released_part(&mut [7]));
    same_error("factor", vec![Value::f64(2.0), Value::f64(0.0)], || broken::factor(&mut 2.0, 0.0));
    same_error("lossy", vec![int(7), int(2)], || broken::lossy(&mut 7, 2));
    same_error("round_trip", vec![Value::f64(1000.0)], || broken::round_trip(&mut 1000.0));
    let both = vec![Value::floats(&[1.0, 2.0]), Value::usize(0), Value::usize(0)];
    same_error("same_element", both, || broken::same_element(&mut [1.0, 2.0], 0, 0));
    let twice = vec![Value::floats(&[1.0, 2.0]), Value::usize(1), Value::usize(1)];
    same_error("equal", twice, || broken::equal(&mut [1.0, 2.0], 1, 1));
}

#[test]
fn an_empty_stack_is_told_of_with_the_statement_that_pops() {
    let module = Module::new(BROKEN).unwrap_or_else(|error| panic!("{error}"));
    let args = vec![Value::Stack(Vec::new()), Value::i64(0)];
    let error = Interpreter::new(&module).run("popped", args, Way::Forwards).expect_err("the stack is empty");
    assert_eq!((error.line, error.column), (55, 5));
    assert!(error.to_string().starts_with("a value is popped from an empty stack\n  in `popped` at 55:5\n"), "{error}");
}

fn particle(p: &Particle) -> Value {
    let fields = [("position", Value::floats(&p.position)), ("velocity", Value::floats(&p.velocity))];
    let kicks = Value::Int(Int { kind: IntKind::by_name("u32"), value: p.kicks.into() });
    let fields = fields.into_iter().chain([("kicks", kicks)]).map(|(name, value)| (name.into(), value));
    Value::Struct("Particle".into(), fields.collect())
}

#[test]
fn methods_of_structs_run_there_and_back() {
    let module = Module::new(ORDINARY).unwrap_or_else(|error| panic!("{error}"));
    let start = Particle { position: [1.0, 0.5], velocity: [0.0, 0.25], kicks: 0 };
    let mut compiled = start.clone();
    ordinary::leap(&mut compiled, 0.1, 50);
    let args = |p: &Particle| vec![particle(p), Value::f64(0.1), Value::usize(50)];
    let there = Interpreter::new(&module).run("leap", args(&start), Way::Forwards).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(there.args[0], particle(&compiled));
    ordinary::leap::uncall(&mut compiled, 0.1, 50);
    let back = Interpreter::new(&module).run("leap", there.args, Way::Backwards).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(back.args[0], particle(&compiled));
}

#[test]
fn ancillas_stacks_views_and_compute_blocks_run_there_and_back() {
    let module = Module::new(ORDINARY).unwrap_or_else(|error| panic!("{error}"));
    for wanted in [None, Some(2)] {
        let (mut x, mut k, mut stack) = ([0.5, -1.5, 2.25], 7, Stack::new());
        let option = |wanted: Option<usize>| Value::Option(wanted.map(|i| Box::new(Value::usize(i))));
        let integer = |k: i32| Value::Int(Int { kind: IntKind::by_name("i32"), value: k.into() });
        let args = vec![Value::floats(&x), integer(k), Value::Stack(Vec::new()), option(wanted)];
        ordinary::mixed(&mut x, &mut k, &mut stack, wanted);
        let there = Interpreter::new(&module).run("mixed", args.clone(), Way::Forwards);
        let there = there.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(there.args[0], Value::floats(&x));
        assert_eq!(there.args[1], integer(k));
        assert_eq!(there.args[2].numbers(), stack.as_slice());
        let back = Interpreter::new(&module).run("mixed", there.args, Way::Backwards);
        assert_eq!(back.unwrap_or_else(|e| panic!("{e}")).args, args);
    }
}

#[test]
fn recursion_and_records_run() {
    let module = Module::new(ORDINARY).unwrap_or_else(|error| panic!("{error}"));
    let int = |value: u64| Value::Int(Int { kind: IntKind::by_name("u64"), value: value.into() });
    let there = Interpreter::new(&module).run("fibonacci", vec![int(10), int(0), int(0)], Way::Forwards);
    let (mut a, mut b) = (0, 0);
    ordinary::fibonacci(10, &mut a, &mut b);
    assert_eq!(there.unwrap_or_else(|e| panic!("{e}")).args[1..], [int(a), int(b)]);
    // The derivative of the root, by the tangent of the written program and by the derived pullback.
    let mut moving = Value::f64(2.0);
    moving.each_float_mut(&mut |x| x.tangent = 1.0);
    let root = Interpreter::new(&module).run("newton", vec![moving], Way::Forwards).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(root.value, Value::f64(ordinary::newton(2.0)));
    let (_, gradient) = ordinary::newton::gradient(2.0);
    assert!((root.value.tangents()[0] - gradient).abs() < 1e-12);
    let compiled = module.compile(&[]).unwrap_or_else(|e| panic!("{e}"));
    let args = vec![Value::f64(2.0), Value::f64(0.0), Value::f64(1.0)];
    let pulled = Interpreter::new(&module).run_core(&compiled, "newton", args, Way::Forwards, Run::Adjoint);
    let pulled = pulled.unwrap_or_else(|e| panic!("{e}"));
    assert!((pulled.args[1].numbers()[0] - gradient).abs() < 1e-12);
}

#[test]
fn what_cannot_go_on_is_an_error_with_a_place() {
    let text = "#[reversible]\nfn f(x: &mut [u8], i: usize) {\n    x[i] += 200;\n    x[0] += 200;\n}\n\
                #[reversible]\nfn endless(x: &mut i64) {\n    while (true, *x > 0) {\n        *x += 1;\n    }\n}\n";
    let module = Module::new(text).unwrap_or_else(|error| panic!("{error}"));
    let byte = |value| Value::Int(Int { kind: IntKind::by_name("u8"), value });
    let run = |i| {
        let args = vec![Value::List(vec![byte(0), byte(0)]), Value::usize(i)];
        Interpreter::new(&module).run("f", args, Way::Forwards).map_err(|error| error.to_string())
    };
    assert_eq!(run(0).unwrap_err(), "attempt to add with overflow\n  in `f` at 4:5");
    assert_eq!(run(2).unwrap_err(), "index out of bounds: the len is 2 but the index is 2\n  in `f` at 3:5");
    assert!(run(1).is_ok());
    let endless = Interpreter::new(&module).with_budget(1000).run("endless", vec![Value::i64(0)], Way::Forwards);
    assert_eq!(endless.unwrap_err().to_string(), "stopped after 1000 steps\n  in `endless` at 9:9");
    let missing = Interpreter::new(&module).run("f", Vec::new(), Way::Forwards).unwrap_err();
    assert_eq!(missing.to_string().trim(), "`f` takes 2 arguments, and got 0");
    let errors = Module::new("#[reversible]\nfn f(x: &mut i64) {\n    x = 3;\n}\n").unwrap_err().to_string();
    assert!(errors.starts_with("3:5: "), "{errors}");
}

#[test]
fn arguments_of_other_types_are_refused() {
    let text =
        "struct P { x: f64 }\n#[reversible]\nfn f(x: &mut f64, a: &[u8; 2], p: &P, b: bool) { if b { *x += p.x; } }\n";
    let module = Module::new(text).unwrap_or_else(|error| panic!("{error}"));
    for (number, fit, unfit) in
        [(0, "1.0", "1"), (0, "-0.5", "true"), (1, "[1, 255]", "[1, 256]"), (1, "[0; 2]", "[0; 3]")]
            .into_iter()
            .chain([(1, "[2, 3]", "[0.5, 1.0]"), (2, "P { x: 1.0 }", "(1.0, 2.0)"), (3, "1 < 2", "0")])
    {
        assert!(module.argument("f", number, fit).is_ok(), "{fit}");
        let error = module.argument("f", number, unfit).map(|value| value.to_string()).unwrap_err().to_string();
        assert!(error.starts_with("mismatched types: expected `"), "{unfit}: {error}");
    }
}

#[test]
fn fixed_point_numbers_come_back_bit_for_bit() {
    use retrograd::{Fixed, Real};
    let text = "#[reversible] fn swing<T: Real>(x: &mut T, v: &mut T, steps: usize) { \
                for _ in 0..steps { *v -= 0.1 * *x; *x += 0.1 * v.sin(); } }";
    let module = Module::new(text).unwrap_or_else(|error| panic!("{error}"));
    let fixed = |x: Fixed<32>| {
        Value::Float(retrograd_interpreter::Float {
            repr: retrograd_interpreter::Repr::Fixed(32, x.to_bits()),
            tangent: 0.0,
        })
    };
    let (mut x, mut v) = (Fixed::<32>::lit(1.25), Fixed::<32>::lit(0.0));
    let start = vec![fixed(x), fixed(v), Value::usize(100)];
    for _ in 0..100 {
        v -= Fixed::lit(0.1) * x;
        x += Fixed::lit(0.1) * v.sin();
    }
    let there = Interpreter::new(&module).run("swing", start.clone(), Way::Forwards).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(there.args[..2], [fixed(x), fixed(v)]);
    let back = Interpreter::new(&module).run("swing", there.args, Way::Backwards).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(back.args, start);
}
