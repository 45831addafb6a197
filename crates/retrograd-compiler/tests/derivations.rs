//! Tangent, adjoint, optimisations and lowering on the IR: programs in, programs out.

mod fixture;

use fixture::compile;
use retrograd_compiler::adjoint::adjoint;
use retrograd_compiler::diagnostics::Diagnostics;
use retrograd_compiler::ir::{Block, Param, Program, Records, Stmt};
use retrograd_compiler::lower::Hosts;
use retrograd_compiler::optimize::{contract::contract, demand::demand};
use retrograd_compiler::parse::{Input, Options};
use retrograd_compiler::signature::Signature;
use retrograd_compiler::{Derivatives, Derived, derive, print};

fn derived(source: &str) -> Derived {
    compile(source).unwrap_or_else(|errors| panic!("{errors}:\n{source}"))
}

/// The same for a program that keeps a record.
fn recorded(source: &str) -> Derived {
    let item: syn::ItemFn = syn::parse_str(source).expect("this is a function");
    let (signature, options) =
        (Signature::of_function(&item.sig), Options { records: Records::Lossy, ..Options::default() });
    derive(&Input { signature: &signature, body: &item.block, options }).unwrap_or_else(|errors| panic!("{errors}"))
}

fn derivatives(source: &str) -> Derivatives {
    derived(source).derivatives.expect("something is active")
}

/// The body of a program, without the numbers of registers.
fn text(program: &Program) -> String {
    let text = print::program(program, &syn::parse_quote!(fn f()));
    let inside = text.lines().skip(1).map(|line| line.strip_prefix("    ").unwrap_or(line));
    let mut lines: Vec<&str> = inside.collect();
    lines.pop();
    let is_number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let plain = |word: &str| match word.rsplit_once('_') {
        Some((role, number)) if is_number(number) => role.to_string(),
        _ => word.to_string(),
    };
    let mut plain_text = String::new();
    let mut word = String::new();
    for c in lines.join("\n").chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            plain_text += &plain(&word);
            word.clear();
            plain_text.push(c);
        }
    }
    plain_text + &plain(&word)
}

#[track_caller]
fn assert_text(program: &Program, expected: &str) {
    let expected: Vec<&str> =
        expected.lines().skip(1).map(|line| line.strip_prefix("        ").unwrap_or(line)).collect();
    assert_eq!(text(program).trim_end(), expected.join("\n").trim_end());
}

/// The adjoint run as the stage makes it, before any pass.
fn plain_adjoint(source: &str) -> Program {
    let diagnostics = Diagnostics::default();
    let program = adjoint(&derived(source).forward.program, &diagnostics).program;
    diagnostics.finish().expect("every derivative is known");
    program
}

#[test]
fn an_addition_moves_its_target_by_the_slope_of_its_operand() {
    let source = "fn f(y: &mut f64, x: f64) { *y += x.sin() * 2.0; }";
    assert_text(
        &derivatives(source).pushforward.program,
        "
        {
            let tangent = *d_x * d_sin(x);
            let tangent = tangent * 2.0;
            let value = x.sin();
            let value = value * 2.0;
            *d_y += tangent;
            *y += value;
        }",
    );
    assert_text(
        &plain_adjoint(source),
        "
        {
            let value = x.sin();
            let value = value * 2.0;
            let adjoint = *grad_y;
            *grad_x += adjoint * 2.0 * d_sin(x);
            *y -= value;
        }",
    );
}

#[test]
fn a_product_is_undone_before_its_adjoint_needs_what_it_was() {
    let source = "fn f(y: &mut f64, x: f64) { *y *= x; }";
    assert_text(
        &derivatives(source).pushforward.program,
        "
        {
            *d_y *= x;
            *d_y += *d_x * *y;
            *y *= x;
        }",
    );
    assert_text(
        &plain_adjoint(source),
        "
        {
            *y /= x;
            let adjoint = *grad_y * *y;
            *grad_y *= x;
            *grad_x += adjoint;
        }",
    );
}

#[test]
fn what_flows_into_a_let_flows_on_where_it_begins() {
    assert_text(
        &plain_adjoint("fn f(y: &mut f64, x: f64) { let t = x * x; *y += t; }"),
        "
        let t = x * x;
        let mut grad_t = zero(&t);
        {
            let adjoint = *grad_y;
            grad_t += adjoint;
            *y -= t;
        }
        *grad_x += grad_t * d_square(x);",
    );
}

#[test]
fn a_loop_runs_backwards_with_adjoints() {
    let source = "fn f(y: &mut [f64], x: &[f64]) { for i in 0..x.len() { y[i] += x[i].exp(); } }";
    assert_text(
        &derivatives(source).pullback.program,
        "
        for i in (0..x.len()).rev() {
            {
                let value = x[i].exp();
                let adjoint = (*grad_y)[i];
                (*grad_x)[i] += adjoint * d_exp(value);
                y[i] -= value;
            }
        }",
    );
}

const TABLE: &str = "fn f(x: &[f64], n: usize) -> f64 {
    let mut q = vec![0.0; n];
    let mut s = 0.0;
    for k in 0..n {
        q[k] += x[k] * x[k];
        s += q[k].sin();
    }
    s
}";

#[test]
fn what_nobody_demands_is_not_computed() {
    let mut program = plain_adjoint(TABLE);
    let before = text(&program);
    assert!(before.contains("    s += q[k].sin();") && before.contains("q[k] -= q[k];"), "{before}");
    demand(&mut program, Default::default(), Hosts::Rest);
    assert_text(
        &program,
        "
        let mut q = vec![0.0; n];
        let mut s = 0.0;
        let mut sum_s = 0.0;
        for k in 0..n {
            q[k] += x[k] * x[k];
        }
        let mut grad_q = zero(&q);
        let mut grad_s = zero(&s);
        grad_s += seed;
        for k in (0..n).rev() {
            {
                let value = q[k].sin();
                let adjoint = grad_s;
                grad_q[k] += adjoint * d_sin(q[k]);
                sum_s += value;
            }
            {
                let adjoint = grad_q[k];
                (*grad_x)[k] += adjoint * d_square(x[k]);
            }
        }
        let result: f64 = sum_s;
        result",
    );
}

#[test]
fn an_array_of_adjoints_becomes_an_element_of_each_iteration() {
    let mut program = plain_adjoint(TABLE);
    demand(&mut program, Default::default(), Hosts::Rest);
    contract(&mut program);
    let text = text(&program);
    assert!(text.contains("    let mut grad_q_k = zero(&q[k]);") && !text.contains("grad_q["), "{text}");
}

#[test]
fn what_is_dropped_is_not_undone_in_the_core() {
    let source = "fn f(y: &mut f64, x: f64) { let mut t = 0.0; t += x; *y += t * t; }";
    let Derived { forward, inverse, .. } = derived(source);
    assert_text(
        &forward.core,
        "
        let mut t = 0.0;
        t += x;
        *y += t * t;",
    );
    assert_text(
        &inverse.expect("it is a procedure").core,
        "
        let mut t = 0.0;
        t += x;
        *y -= t * t;",
    );
}

#[test]
fn a_conjugate_is_three_blocks_in_the_core() {
    let source = "fn f(y: &mut f64, x: &mut f64) { #[compute] { *x *= 2.0; } *y += *x; }";
    assert_text(
        &derived(source).inverse.expect("it is a procedure").core,
        "
        {
            *x *= 2.0;
        }
        {
            *y -= *x;
        }
        {
            *x /= 2.0;
        }",
    );
}

#[test]
fn floats_are_numbers_by_themselves_and_references_to_them_are_not() {
    let asked = |source: &str| {
        let runs = derivatives(source);
        [runs.pullback, runs.pushforward].map(|form| format!("{:?}", form.core.body).matches("Rule(Number").count())
    };
    assert_eq!(
        asked("fn f(y: &mut f64, x: f64, k: f32) { let a = x; *y += a.sin() * x * k as f64; *y *= x; }"),
        [0, 0]
    );
    assert!(asked("fn f<T: Real>(y: &mut T, x: T) { *y += x.sin() * x; }").iter().all(|count| *count > 0));
    // What `r` and `s` are in a product is a number, and they are no numbers themselves.
    let [back, forth] = asked("fn f(y: &mut f64, r: &f64) { let s = r; *y += r * s; }");
    assert_eq!((back > 0, forth > 0), (true, true));
}

#[test]
fn branches_and_loops_run_forwards_with_tangents() {
    let source = "fn f(y: &mut [f64], x: &[f64], n: usize) {
        if n > 1 { for i in 0..n { y[i] -= x[i].exp(); } } else { y[0] += x[0]; }
    }";
    assert_text(
        &derivatives(source).pushforward.core,
        "
        if n > 1 {
            for i in 0..n {
                {
                    let value = x[i].exp();
                    let tangent = (*d_x)[i] * d_exp(value);
                    (*d_y)[i] -= tangent;
                    y[i] -= value;
                }
            }
        } else {
            {
                (*d_y)[0] += (*d_x)[0];
                y[0] += x[0];
            }
        }",
    );
}

#[test]
fn indices_that_may_be_equal_are_checked_in_the_core() {
    let core =
        |statement: &str| derived(&format!("fn f(x: &mut [f64], i: usize, j: usize) {{ {statement} }}")).forward.core;
    assert_text(
        &core("x[i] += x[j];"),
        "
        check!(i != j);
        x[i] += x[j];",
    );
    assert_text(
        &core("x[i] += x[i + 1];"),
        "
        x[i] += x[i + 1];",
    );
}

#[test]
fn nothing_in_the_core_stands_for_several_runs() {
    fn stands(block: &Block) -> bool {
        block.stmts.iter().any(|stmt| {
            let own = matches!(
                stmt,
                Stmt::Recompute(_) | Stmt::Conjugate(_) | Stmt::Inverse(_) | Stmt::Compute(_) | Stmt::Uncompute(_)
            );
            own || stmt.blocks().into_iter().any(stands)
        })
    }
    let runs = derived(
        "fn f(y: &mut [f64], x: &mut f64, n: usize) {
            #[compute] { *x *= 2.0; }
            for i in 0..n { let mut t = 0.0; t += *x; if i > 1 { #[inverse] { y[i] += t * t; } } }
        }",
    );
    let derivatives = runs.derivatives.expect("something is active");
    let forms = [Some(runs.forward), runs.inverse, Some(derivatives.pullback), Some(derivatives.pushforward)];
    let forms = forms.into_iter().chain([derivatives.unpullback, derivatives.unpushforward]).flatten();
    assert!(forms.filter(|form| !stands(&form.core.body)).count() == 6);
    let again = recorded("fn f(x: f64) -> f64 { let mut y = x; #[recompute] { y = y.sin(); y = y * y; } y }");
    let keeping = again.recorded.expect("it has a record");
    let pullback = again.derivatives.expect("something is active").pullback;
    let forms = [Some(keeping.keep), keeping.spend, Some(pullback)].into_iter().flatten();
    assert!(forms.filter(|form| !stands(&form.core.body)).count() == 3);
}

/// What a run is given, in order.
fn parameters(core: &Program) -> Vec<String> {
    let shown = |param: &Param| format!("{:?} {} {:?}", param.mode, core.var(param.var).name, param.role);
    core.params.iter().map(shown).collect()
}

#[test]
fn a_core_program_has_all_its_parameters() {
    let runs = derived("fn f(y: &mut f64, x: f64, n: usize, #[constant] c: f64, #[host] h: &mut u8) { *y += x * c; }");
    let (own, derivatives) = (parameters(&runs.forward.core), runs.derivatives.expect("something is active"));
    assert_eq!(own, ["Change y Value", "Value x Value", "Value n Value", "Value c Value", "Change h Host"]);
    assert_eq!(parameters(&runs.inverse.expect("a procedure has an inverse").core), own);
    let backwards = [
        "Change y Value",
        "Change grad_y Shadow",
        "Value x Value",
        "Change grad_x Shadow",
        "Value n Value",
        "Change grad_n NoShadow",
        "Value c Value",
        "Change grad_c NoShadow",
        "Change h Host",
    ];
    assert_eq!(parameters(&derivatives.pullback.core), backwards);
    // Tangents of what is only read are only read.
    let forwards = backwards.map(|param| match param {
        "Change grad_y Shadow" => "Change d_y Shadow".to_string(),
        shadow => shadow.replace("Change grad", "Borrow d"),
    });
    assert_eq!(parameters(&derivatives.pushforward.core), forwards);
}

#[test]
fn a_seed_and_a_record_are_parameters_of_the_core() {
    let runs = recorded("fn f(x: f64) -> f64 { let mut y = x; y = y.sin(); y }");
    let (keeping, backwards) =
        (runs.recorded.expect("it has a record"), runs.derivatives.expect("something is active"));
    assert_eq!(parameters(&keeping.keep.core), ["Change record Record", "Value x Value"]);
    let adjoint = ["Value x Value", "Change grad_x Shadow", "Value seed Seed"];
    assert_eq!(parameters(&backwards.pullback.core), adjoint);
    let spend = keeping.spend.expect("there are derivatives").core;
    assert_eq!(parameters(&spend), [&["Change record Record"][..], &adjoint].concat());
    assert_eq!(parameters(&backwards.pushforward.core), ["Value x Value", "Borrow d_x Shadow"]);
}

#[test]
fn a_run_that_is_given_no_record_begins_with_its_own() {
    let runs = recorded("fn f(x: f64, n: usize) -> f64 { let mut y = x; for _ in 0..n { y = y.sin(); } y }");
    let (keeping, backwards) =
        (runs.recorded.expect("it has a record"), runs.derivatives.expect("something is active"));
    let spend = keeping.spend.expect("there are derivatives").core;
    let leases = [&backwards.pullback.core, &spend, &keeping.keep.core, &backwards.pushforward.core];
    let leases = leases.map(Program::leases);
    assert_eq!(leases, [true, false, false, false]);
}

#[test]
fn shadows_in_the_core_have_the_types_of_what_they_are_shadows_of() {
    let runs = derivatives("fn f(x: &[f64], s: &Spring, t: f64) -> f64 { let mut y: f64 = t; y += x[0] * s.k; y }");
    let core = runs.pullback.core;
    let types: Vec<&str> =
        core.params.iter().filter_map(|param| core.var(param.var).ty.as_ref()).map(|ty| ty.written.text()).collect();
    assert_eq!(types, ["& [f64]", "& [f64]", "& Spring", "& Spring", "f64", "f64", "f64"]);
    let y = core.vars.iter().find(|var| var.name == "grad_y").and_then(|var| var.ty.as_ref());
    assert_eq!(y.map(|ty| ty.written.text()), Some("f64"));
}

#[test]
fn host_statements_are_in_the_core_where_they_run() {
    let source = "fn f(y: &mut f64, x: f64) { #[compute] { println!(\"{y}\"); *y *= 2.0; } *y += x; assert!(*y > x); }";
    let Derived { forward, inverse, derivatives, recorded: _ } = derived(source);
    let count = |program: &Program, word: &str| text(program).matches(word).count();
    assert_eq!((count(&forward.core, "println!"), count(&forward.core, "assert!")), (1, 1));
    let inverse = inverse.expect("it is a procedure");
    assert_eq!((count(&inverse.core, "println!"), count(&inverse.core, "assert!")), (1, 0));
    let pullback = derivatives.expect("y is active").pullback;
    assert_eq!((count(&pullback.core, "println!"), count(&pullback.core, "assert!")), (0, 0));
}

#[test]
fn short_loops_are_written_out_in_the_core() {
    let core = |head: &str| {
        let source = format!("fn f(y: &mut [f64], n: usize) {{ #[unroll(2)] for i in {head} {{ y[i] += 1.0; }} }}");
        derived(&source).forward.core
    };
    assert_text(
        &core("1..n"),
        "
        {
            let first = 1;
            let behind = n;
            if first >= behind || behind - first <= 2 {
                if first + 0 < behind {
                    let i = first + 0;
                    y[i] += 1.0;
                }
                if first + 1 < behind {
                    let i = first + 1;
                    y[i] += 1.0;
                }
            } else {
                for i in 1..n {
                    y[i] += 1.0;
                }
            }
        }",
    );
    let backwards = text(&core("(1..n).rev()"));
    assert!(backwards.find("first + 1 < behind") < backwards.find("first + 0 < behind"), "{backwards}");
    assert!(backwards.contains("for i in (1..n).rev()"), "{backwards}");
    for as_it_is in ["(0..n).step_by(2)", "0..=n"] {
        assert_text(
            &core(as_it_is),
            &format!("\n        for i in {as_it_is} {{\n            y[i] += 1.0;\n        }}"),
        );
    }
    let source = "fn f(y: &mut [f64]) { #[unchecked] #[unroll(3)] for i in 0..3 { y[i] += 1.0; } }";
    assert!(text(&derived(source).forward.core).contains("first + 2 < behind"));
    let source = "fn f(s: &mut f64, y: &[f64]) {
        #[record]
        {
            #[unroll(3)]
            for i in 0..y.len() { if y[i] < 0.0 { break; } *s = y[i]; }
        }
    }";
    assert!(!text(&derived(source).forward.core).contains("first"));
}

#[test]
fn a_view_that_is_used_again_is_taken_again() {
    let source = "fn f(v: &mut [f64], x: f64) { let w = &mut v[1..]; w[0] += x * x; w[1] += x; v[0] += x; }";
    let core = text(&derivatives(source).pullback.core);
    assert_eq!(core.matches("let w = &mut v[1..];").count(), 1, "{core}");
    assert!(!core.contains("let v ="), "{core}");
}

/// The restored local is compared with its initialiser, and how large it was by then is known.
#[test]
fn a_local_that_is_restored_is_compared_with_what_it_was() {
    let source = "fn f(c: f64, n: usize) -> f64 {
        let mut x = 1.0; let mut v = 0.0;
        for _ in 0..n { v *= c; v += x.sin(); x += v; }
        x
    }";
    let pullback = text(&derivatives(source).pullback.program);
    for line in ["let scale = magnitude(&x);", "let scale = magnitude(&v);", "check!(x == 1.0);", "check!(v == 0.0);"] {
        assert!(pullback.contains(line), "{line}\n{pullback}");
    }
    assert_eq!(pullback.matches("check!").count(), 2, "{pullback}");
}

/// Nothing is restored only to be compared: the first statement is not undone, and the witness is what it left.
#[test]
fn an_inverse_compares_what_it_has_used_restored() {
    let source = "fn f(y: &mut [f64], c: f64) {
        let mut t = c * c;
        t += 1.0;
        for i in 0..y.len() { t *= c; y[i] += t; }
    }";
    assert_text(
        &derived(source).inverse.expect("a procedure").core,
        "
        let mut t = c * c;
        t += 1.0;
        let witness = keep(&t);
        for i in 0..y.len() {
            t *= c;
        }
        let scale = magnitude(&t);
        for i in (0..y.len()).rev() {
            y[i] -= t;
            t /= c;
        }
        check!(t == witness);",
    );
}

#[test]
fn an_inverse_restores_nothing_that_it_does_not_use() {
    let source = "fn f(y: &mut f64, c: f64) {
        let mut t = 1.0;
        if c > 0.0 { t *= c; *y += t; }
    }";
    assert_text(
        &derived(source).inverse.expect("a procedure").core,
        "
        let mut t = 1.0;
        if c > 0.0 {
            t *= c;
        }
        if c > 0.0 {
            *y -= t;
        }",
    );
}

#[test]
fn a_check_demands_no_restoring_of_its_own() {
    let source = "fn f(c: f64, n: usize) -> f64 {
        let mut v = 0.0;
        v += c * 2.0;
        for _ in 0..n { v *= c; }
        v
    }";
    let pullback = text(&derivatives(source).pullback.program);
    assert!(pullback.contains("let witness = keep(&v);"), "{pullback}");
    assert!(pullback.contains("check!(v == witness);"), "{pullback}");
    assert!(!pullback.contains("v -= "), "{pullback}");
}

/// What is never restored is not compared, nor is what was added to zero only once.
#[test]
fn a_local_that_is_not_restored_is_not_compared() {
    for source in [
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for i in 0..x.len() { s += x[i]; } s.sin() }",
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for i in 0..x.len() { s += x[i]; } s }",
        "fn f(x: f64, n: usize) -> f64 {
            let mut s = vec![0.0; n];
            for i in 0..n { s[i] += (x * i as f64).sin(); }
            let mut p = 0.0;
            for i in 0..n { p += s[i] * s[i]; }
            p
        }",
    ] {
        let pullback = text(&derivatives(source).pullback.program);
        assert!(!pullback.contains("check!") && !pullback.contains("keep("), "{pullback}");
    }
}
