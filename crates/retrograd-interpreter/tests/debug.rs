//! Sessions of the debugger, by commands.

use retrograd_interpreter::debug::{Script, Session};
use retrograd_interpreter::{Int, IntKind, Interpreter, Module, Value, Way};

/// What a session with these commands writes.
fn session(text: &str, name: &str, args: Vec<Value>, commands: &str) -> String {
    let module = Module::new(text).unwrap_or_else(|error| panic!("{error}"));
    let mut output = String::new();
    let mut write = |line: &str| {
        output.push_str(line);
        output.push('\n');
    };
    let mut commands = commands.lines().map(str::to_string);
    let run = Session::new(&module, name).run(args, &mut Script::new(text, &mut commands, &mut write));
    run.unwrap_or_else(|error| panic!("{error}"));
    output
}

const LEAPFROG: &str = include_str!("../../lab-corpus/src/programs/leapfrog.rs");
const TURING: &str = include_str!("../../lab-corpus/src/programs/turing.rs");

/// The line of a text in which that stands, counted from one.
fn line_of(text: &str, wanted: &str) -> usize {
    let at = text.lines().position(|line| line.trim() == wanted);
    at.unwrap_or_else(|| panic!("there is no line `{wanted}`")) + 1
}

#[test]
fn leapfrog_goes_both_ways() {
    let args = vec![Value::floats(&[1.0, 0.0]), Value::floats(&[0.0, 0.5]), Value::f64(0.5), Value::usize(2)];
    let (pull, drift) =
        (line_of(LEAPFROG, "let pull = dt * (x[i] - x[i - 1]);"), line_of(LEAPFROG, "x[i] += dt * v[i];"));
    let commands = format!(
        "print\nstep 4\nwhere\nprint pull\nout\nto {drift}\nprint i\nback to {pull}\nback out\nrun\nprint x\nwho x[0]\nprint i\nback run\nprint\nquit\n"
    );
    let found = session(LEAPFROG, "leapfrog", args, &commands);
    let kick = line_of(LEAPFROG, "kick(v, &*x, 0.5 * dt);");
    let expected = format!(
        "\
x = [1.0, 0.0]
v = [0.0, 0.5]
dt = 0.5
steps = 2
{}: v[i - 1] += pull;
in `kick`, 1 calls deep, at {}: v[i - 1] += pull;
pull = -0.25
{}: drift(x, &*v, dt);
{drift}: x[i] += dt * v[i];
i = 0
{pull}: let pull = dt * (x[i] - x[i - 1]);
{kick}: kick(v, &*x, 0.5 * dt);
the end of `leapfrog`
",
        pull + 1,
        pull + 1,
        kick + 1
    );
    assert!(found.starts_with(&expected), "{found}");
    let rest = &found[expected.len()..];
    // The last to change it was a drift, and the session ends where it began.
    assert!(rest.contains(&format!("{drift}: x[i] += dt * v[i];\ni = 0\n")), "{rest}");
    let first = line_of(LEAPFROG, "for _ in 0..steps {");
    assert!(
        rest.ends_with(&format!(
            "{first}: for _ in 0..steps {{\nx = [1.0, 0.0]\nv = [0.0, 0.5]\ndt = 0.5\nsteps = 2\n"
        )),
        "{rest}"
    );
}

fn byte(value: i128) -> Value {
    Value::Int(Int { kind: IntKind::by_name("u8"), value })
}

/// The table of rules of the Turing machine, as values.
fn increment() -> Value {
    let rule = |name: &str, fields: &[(&str, i128)]| {
        let fields = fields.iter().map(|(field, value)| ((*field).into(), byte(*value)));
        Value::Struct(name.into(), fields.collect())
    };
    let write = |from, read, write, to| rule("Write", &[("from", from), ("read", read), ("write", write), ("to", to)]);
    let moves = |name: &str, from, to| rule(name, &[("from", from), ("to", to)]);
    Value::List(vec![
        write(1, 2, 2, 2),
        moves("Right", 2, 3),
        write(3, 0, 1, 4),
        write(3, 1, 0, 2),
        write(3, 2, 2, 4),
        moves("Left", 4, 5),
        write(5, 0, 0, 4),
        write(5, 2, 2, 6),
    ])
}

#[test]
fn a_turing_machine_is_asked_who_wrote_a_symbol() {
    let tape = |symbols: &[i128]| Value::List(symbols.iter().map(|symbol| byte(*symbol)).collect());
    let args = vec![tape(&[2, 1, 1, 0, 2]), Value::usize(0), byte(1), increment()];
    let commands = "run\nprint tape\nprint state\nwho tape[2]\nprint head\nback until state == 1\nprint tape\n";
    let found = session(TURING, "turing", args, commands);
    let write = line_of(TURING, "tape[*head] ^= read ^ write;");
    let start = line_of(TURING, "while (*state != HALT, *state != START) {");
    assert_eq!(
        found,
        format!(
            "the end of `turing`\ntape = [2, 0, 0, 1, 2]\nstate = 6\n`tape[2]` was 1 and became 0 here\n\
             {write}: tape[*head] ^= read ^ write;\nhead = 2\n{}: *state ^= from ^ to;\ntape = [2, 1, 1, 0, 2]\n",
            write + 1
        )
    );
    assert!(start < write);
}

#[test]
fn a_failed_check_is_told_of_and_the_way_back_is_open() {
    let text = "#[reversible]\nfn f(x: &mut i64, y: &mut i64) {\n    let mut t = 0;\n    t += *x;\n    *y += 2 * t;\n    \
                release!(t == 4);\n    *x += 1;\n}\n";
    let commands = "run\nprint y\nback\nwhere\nprint\nback run\nprint y\nstep 3\n";
    let found = session(text, "f", vec![Value::i64(3), Value::i64(1)], commands);
    assert_eq!(
        found,
        "a variable does not end with the value it was given up for\n  in `f` at 6:5\n  statement  `release!(t == 4);`\n  \
         variable   `t`\n  expected   4\n  actual     3\n  run backwards, it starts with the expected value: the difference would be lost\n\
         y = 7\n5: *y += 2 * t;\nin `f`, 0 calls deep, at 5: *y += 2 * t;\nx = 3\ny = 1\nt = 3\n3: let mut t = 0;\ny = 1\n6: release!(t == 4);\n"
    );
}

#[test]
fn who_changed_it_is_answered_inside_calls_that_name_it_otherwise() {
    let text = "#[reversible]\nfn add(a: &mut i64, x: i64) {\n    *a += x;\n}\n\n\
                #[reversible]\nfn f(x: &mut i64, y: &mut i64) {\n    add(x, 2);\n    add(y, 3);\n    *y += 1;\n}\n";
    let found = session(text, "f", vec![Value::i64(1), Value::i64(1)], "run\nwho x\nwhere\n");
    assert_eq!(
        found,
        "the end of `f`\n`x` was 1 and became 3 here\n3: *a += x;\nin `add`, 1 calls deep, at 3: *a += x;\n"
    );
    let recorded = "#[reversible(record)]\nfn f(x: &mut i64) {\n    *x = 3;\n}\n";
    let module = Module::new(recorded).unwrap_or_else(|error| panic!("{error}"));
    let (mut none, mut write) = (std::iter::empty(), |_: &str| {});
    let refused =
        Session::new(&module, "f").run(vec![Value::i64(1)], &mut Script::new(recorded, &mut none, &mut write));
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.starts_with("the interpreter does not know the way back of `f`, which keeps a record"),
        "{refused}"
    );
}

#[test]
fn a_million_steps_back_take_constant_memory() {
    let text = "#[reversible]\nfn count(x: &mut u64, n: u64) {\n    for i in 0..n {\n        *x += i ^ 3;\n    }\n}\n";
    let module = Module::new(text).unwrap_or_else(|error| panic!("{error}"));
    let int = |value: u64| Value::Int(Int { kind: IntKind::by_name("u64"), value: value.into() });
    let n = 1_000_000;
    let there = Interpreter::new(&module).run("count", vec![int(0), int(n)], Way::Forwards);
    let there = there.unwrap_or_else(|error| panic!("{error}"));
    let mut output = Vec::new();
    let memory = allocation_counter::measure(|| {
        let mut commands =
            ["run", "print x", "back 1000000", "print x", "back run", "print x"].into_iter().map(str::to_string);
        let mut write = |line: &str| output.push(line.to_string());
        let run =
            Session::new(&module, "count").run(vec![int(0), int(n)], &mut Script::new(text, &mut commands, &mut write));
        run.unwrap_or_else(|error| panic!("{error}"));
    });
    assert_eq!(output[1], format!("x = {}", there.args[0]));
    assert_eq!(output.last().map(String::as_str), Some("x = 0"));
    assert!(memory.bytes_max < 10 << 20, "{} bytes", memory.bytes_max);
}

#[test]
fn what_a_program_runs_backwards_is_stepped_through_as_it_runs() {
    let text = "#[reversible]\nfn add(a: &mut i64, x: i64) {\n    *a += x;\n    *a ^= 1;\n}\n\n\
                #[reversible]\nfn f(x: &mut i64, y: &mut i64) {\n    #[compute]\n    {\n        *x += 2;\n        *x += 3;\n    }\n    \
                *y += *x;\n}\n\n#[reversible]\nfn g(x: &mut i64) {\n    add::uncall(x, 2);\n    *x += 1;\n}\n";
    let two = || vec![Value::i64(1), Value::i64(10)];
    // The `#[compute]` block is undone behind the rest, its last statement first.
    let found = session(text, "f", two(), "step 4\nprint x\nstep\nprint x\nback 2\nrun\nprint\nback run\nprint\n");
    let expected = "\
12: *x += 3; (backwards)\nx = 6\n11: *x += 2; (backwards)\nx = 3\n14: *y += *x;\nthe end of `f`\nx = 1\ny = 16\n\
9: #[compute]\nx = 1\ny = 10\n";
    assert_eq!(found, expected);
    let found =
        session(text, "g", vec![Value::i64(8)], "step\nstep\nprint a\nstep\nprint\nback\nprint a\nback run\nprint\n");
    let expected = "\
4: *a ^= 1; (backwards)\n3: *a += x; (backwards)\na = 9\n20: *x += 1;\nx = 7\n3: *a += x; (backwards)\na = 9\n19: add::uncall(x, 2);\nx = 8\n";
    assert_eq!(found, expected);
}

#[test]
fn stops_are_numbered_and_can_be_gone_to() {
    let args = vec![Value::floats(&[1.0, 0.0]), Value::floats(&[0.0, 0.5]), Value::f64(0.5), Value::usize(2)];
    let commands = "step 7\nprint x\nlength\nprint x\ngoto 50%\ngoto 0\nlength\nprint\nrun\nlength\n";
    let found = session(LEAPFROG, "leapfrog", args, commands);
    let lines: Vec<&str> = found.lines().collect();
    let length: u64 =
        lines[2].strip_prefix("stop 7 of ").and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{found}"));
    assert_eq!(lines[1], lines[3]);
    // A trip to the end leaves no trace.
    assert_eq!(lines[6], format!("stop 0 of {length}"));
    assert_eq!(lines[7..11], ["x = [1.0, 0.0]", "v = [0.0, 0.5]", "dt = 0.5", "steps = 2"]);
    assert_eq!(lines.last(), Some(&format!("stop {length} of {length}").as_str()));
}

/// The adjoints that a session prints for a variable.
fn adjoints(found: &str, name: &str) -> Vec<f64> {
    let line =
        found.lines().rev().find(|line| line.starts_with(&format!("{name} = "))).unwrap_or_else(|| panic!("{found}"));
    let (_, adjoint) = line.split_once(", adjoint ").unwrap_or_else(|| panic!("{line}"));
    let numbers = adjoint.trim_matches(['[', ']']).split(", ");
    numbers.map(|x| x.parse().unwrap_or_else(|_| panic!("{line}"))).collect()
}

#[test]
fn adjoints_are_those_of_the_derived_pullback() {
    use retrograd_interpreter::Run;
    let args = || vec![Value::floats(&[1.0, 0.0]), Value::floats(&[0.0, 0.5]), Value::f64(0.5), Value::usize(2)];
    let module = Module::new(LEAPFROG).unwrap_or_else(|error| panic!("{error}"));
    let compiled = module.compile(&[]).unwrap_or_else(|error| panic!("{error}"));
    let end = Interpreter::new(&module).run("leapfrog", args(), Way::Forwards).unwrap_or_else(|e| panic!("{e}")).args;
    let zeros = || Value::floats(&[0.0, 0.0]);
    let pulled = vec![
        end[0].clone(),
        Value::floats(&[0.0, 1.0]),
        end[1].clone(),
        zeros(),
        end[2].clone(),
        Value::f64(0.0),
        end[3].clone(),
        Value::Unit,
    ];
    let pulled = Interpreter::new(&module).run_core(&compiled, "leapfrog", pulled, Way::Forwards, Run::Adjoint);
    let pulled = pulled.unwrap_or_else(|error| panic!("{error}")).args;
    let found = session(LEAPFROG, "leapfrog", args(), "adjoints x[1]\n");
    for (name, at) in [("x", 1), ("v", 3), ("dt", 5)] {
        for (found, expected) in adjoints(&found, name).iter().zip(pulled[at].numbers()) {
            assert!((found - expected).abs() < 1e-12, "{name}: {found} is not {expected}");
        }
    }
    // At the end the objective depends on itself alone; it is asked for once more, and where the program stands nothing moves.
    let found =
        session(LEAPFROG, "leapfrog", args(), "adjoints x[1]\nstep 7\nadjoints\nrun\nadjoints\nback run\nprint x\n");
    assert_eq!((adjoints(&found, "v"), found.lines().last()), (vec![0.0, 0.0], Some("x = [1.0, 0.0]")));
    let x = found.lines().rfind(|line| line.starts_with("x = ") && line.contains("adjoint"));
    assert!(x.is_some_and(|x| x.ends_with("adjoint [0.0, 1.0]")), "{found}");
}

#[test]
fn adjoints_of_functions_are_those_of_their_value() {
    let text = "#[reversible]\nfn f(x: f64, y: f64) -> f64 {\n    let mut t = x * y;\n    t += x;\n    t * t\n}\n";
    let args = || vec![Value::f64(2.0), Value::f64(3.0)];
    let found = session(text, "f", args(), "step\nadjoints\nrun\nprint value\n");
    assert_eq!(
        found,
        "4: t += x;\nx = 2.0, adjoint 16.0\ny = 3.0, adjoint 0.0\nt = 6.0, adjoint 16.0\nthe end of `f`\nvalue = 64.0\n"
    );
    let wrong = session(text, "f", args(), "adjoints z\n");
    assert_eq!(
        wrong,
        "there are no adjoints: there is no variable `z` here at the end; name a number: `adjoints x[0]`\n"
    );
}

#[test]
fn what_fails_can_be_looked_at_and_stepped_back_from() {
    // An index is out of bounds in a condition, in the bound of a loop, in what is matched, and in an argument.
    for head in [
        "if y[i] > 0 {",
        "for _ in 0..y[i] {",
        "match y[i] {\n        _ =>",
        "while (y[i] > *x, *x > 0) {",
        "add(x, y[i]); {",
    ] {
        let text = format!(
            "#[reversible]\nfn f(x: &mut i64, y: &[i64], i: usize) {{\n    *x += 1;\n    *x -= 1;\n    {head} {{ *x += 1; }} }}\n}}\n\n\
             #[reversible]\nfn add(x: &mut i64, y: i64) {{\n    *x += y;\n}}\n"
        );
        let args = vec![Value::i64(0), Value::List(vec![Value::i64(0)]), Value::usize(2)];
        let found = session(&text, "f", args, "run\nwhere\nback\nprint x\nback\nlength\n");
        let shown = head.lines().next().unwrap_or_default();
        let line = text.lines().nth(4).unwrap_or_default().trim();
        assert!(line.starts_with(shown));
        assert_eq!(
            found,
            format!(
                "index out of bounds: the len is 1 but the index is 2\n  in `f` at 5:5\nin `f`, 0 calls deep, at 5: {line}\n\
                 4: *x -= 1;\nx = 1\n3: *x += 1;\nstop 0 of 2, where a statement fails\n"
            )
        );
    }
}

#[test]
fn what_never_ends_is_given_up() {
    let text = "#[reversible]\nfn endless(x: &mut i64) {\n    while (true, *x > 0) {\n        *x += 1;\n    }\n}\n";
    let module = Module::new(text).unwrap_or_else(|error| panic!("{error}"));
    let mut output = Vec::new();
    let mut write = |line: &str| output.push(line.to_string());
    let mut commands =
        ["run", "print x", "back run", "print x", "length", "until y == 3"].into_iter().map(str::to_string);
    let mut script = Script::new(text, &mut commands, &mut write).with_budget(1000);
    Session::new(&module, "endless").run(vec![Value::i64(0)], &mut script).unwrap_or_else(|error| panic!("{error}"));
    let expected = [
        "stopped after 1000 steps",
        "4: *x += 1;",
        "x = 999",
        "3: while (true, *x > 0) {",
        "x = 0",
        "stop 0 of nobody knows how many",
        "stopped after 1000 steps",
        "4: *x += 1;",
    ];
    assert_eq!(output, expected);
}
