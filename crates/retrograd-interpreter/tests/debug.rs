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
