//! Runs with a record come back bit for bit, and sorting and conversions mean what they do in compiled code.

use retrograd_interpreter::{Interpreter, Module, Run, Value, Way};

fn module(text: &str) -> Module {
    Module::new(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs `f` there and back with a record of all that changes.
fn there_and_back(text: &str, args: &[Value]) -> (Vec<Value>, u64) {
    let module = Module::recording(&[text]).unwrap_or_else(|error| panic!("{error}"));
    let compiled = module.compile(&[]).unwrap_or_else(|error| panic!("{error}"));
    let trip = Interpreter::new(&module).with_record(&compiled, "f", args.to_vec());
    let trip = trip.unwrap_or_else(|error| panic!("{error}"));
    for (before, after) in args.iter().zip(&trip.back) {
        assert_eq!(before.to_bits(), after.to_bits());
    }
    (trip.there.args, trip.held)
}

#[test]
fn what_absorbs_comes_back_from_a_record() {
    let text = "#[reversible] fn f(x: &mut f64, y: f64) { *x += y; }";
    let args = [Value::f64(0.1), Value::f64(1e20)];
    let plain = Interpreter::new(&module(text)).run("f", args.to_vec(), Way::Forwards).unwrap();
    assert_eq!(plain.overwritten, 64);
    let back = Interpreter::new(&module(text)).run("f", plain.args, Way::Backwards).unwrap();
    assert_eq!(back.args[0].bits_unlike(&args[0]), 64);
    assert_eq!(there_and_back(text, &args), (vec![Value::f64(1e20), Value::f64(1e20)], 64));
}

#[test]
fn a_way_back_on_values_passes_over_what_functions_have_kept() {
    let text = "#[reversible] fn square(x: f64) -> f64 { let mut y = 0.0; y += x * x; y }\n\
                #[reversible] fn f(x: &mut [f64; 3]) { for i in 1..3 { x[i] += square(x[i - 1]); } }";
    let (there, _) = there_and_back(text, &[Value::floats(&[0.1, 0.7, -0.3])]);
    assert_eq!(there[0], Value::floats(&[0.1, 0.7 + 0.1 * 0.1, -0.3 + (0.7 + 0.1 * 0.1) * (0.7 + 0.1 * 0.1)]));
}

#[test]
fn what_is_sorted_comes_back_in_its_order() {
    for (sort, sorted) in [
        ("sort_by(|a, b| a.partial_cmp(b).unwrap())", [-1.0, 0.5, 2.0, 3.0]),
        ("sort_by(|a, b| b.partial_cmp(a).unwrap())", [3.0, 2.0, 0.5, -1.0]),
        ("sort_by(|a, b| a.partial_cmp(b).unwrap().reverse())", [3.0, 2.0, 0.5, -1.0]),
        ("sort_by_key(|a| *a < 1.0)", [2.0, 3.0, 0.5, -1.0]),
    ] {
        let text = format!("#[reversible(record)] fn f(x: &mut [f64; 4]) {{ x.{sort}; }}");
        let args = [Value::floats(&[0.5, 2.0, -1.0, 3.0])];
        assert_eq!(there_and_back(&text, &args).0[0], Value::floats(&sorted), "{sort}");
    }
}

#[test]
fn adjoints_move_with_what_is_sorted() {
    let module = module(
        "#[reversible(record)] fn f(x: &[f64; 3]) -> f64 { let mut y = *x; y.sort_by(|a, b| b.total_cmp(a)); y[0] + 10.0 * y[1] }",
    );
    let compiled = module.compile(&[]).unwrap_or_else(|error| panic!("{error}"));
    let args = vec![Value::floats(&[0.5, 2.0, -1.0]), Value::floats(&[0.0; 3]), Value::f64(1.0)];
    let pulled = Interpreter::new(&module).run_core(&compiled, "f", args, Way::Forwards, Run::Adjoint);
    let pulled = pulled.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((pulled.value, &pulled.args[1]), (Value::f64(7.0), &Value::floats(&[10.0, 1.0, 0.0])));
}

#[test]
fn types_that_no_argument_has_are_not_guessed_against_what_is_written() {
    let text = |types: &str| {
        format!(
            "type Fine = LogNumber<Fixed<48>>;\n\
             #[reversible] fn power<T: Real + Convert<L>, L: Real + ExactMul + Convert<T>>(out: &mut T, x: T, n: u32) {{\n\
             let factor: L = convert(x); let mut product = L::one(); for _ in 0..n {{ product *= factor; }}\n\
             *out += convert(product); }}\n\
             #[reversible] fn f(out: &mut Fixed<16>, x: Fixed<16>) {{ power{types}(out, x, 10); }}"
        )
    };
    let run = |types: &str| {
        let module = module(&text(types));
        let arg = |at, text| module.argument("f", at, text).unwrap_or_else(|error| panic!("{error}"));
        let args = vec![arg(0, "Fixed::<16>::lit(0.5)"), arg(1, "Fixed::<16>::lit(1.5)")];
        let interpreter = Interpreter::new(&module);
        let there = interpreter.run("f", args.clone(), Way::Forwards)?;
        assert_eq!(interpreter.run("f", there.args.clone(), Way::Backwards)?.args, args);
        Ok::<f64, retrograd_interpreter::Error>(there.args[0].numbers()[0])
    };
    for types in ["", "::<_, Fine>", "::<_, LogNumber<Fixed<48>>>"] {
        assert_eq!(run(types), Ok(0.5 + 57.6650390625), "{types}");
    }
    let refused = run("::<_, LogNumber<Fixed<32>>>").unwrap_err().to_string();
    assert!(refused.contains("`power` in the numbers `LogNumber<Fixed<32>>`"), "{refused}");
}

#[test]
fn what_a_pattern_has_bound_does_not_change_with_what_was_matched() {
    let module = module(
        "#[reversible(record)] fn f(x: &mut f64, mut k: i64) { match k { 2 => {} n if n > 0 => { k /= 3; *x += n as f64; } _ => {} } }",
    );
    let there = Interpreter::new(&module).run("f", vec![Value::f64(0.5), Value::i64(7)], Way::Forwards);
    assert_eq!(there.map(|outcome| outcome.args[0].clone()), Ok(Value::f64(7.5)));
}
