//! Lowering: programs in, core programs out.

mod fixture;

use fixture::{assert_text, derivatives, derived, recorded, text};
use retrograd_compiler::Derived;
use retrograd_compiler::ir::{Check, Param, Program, Stmt, Witness};

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
    let stands = |stmt: &Stmt| {
        matches!(
            stmt,
            Stmt::Recompute(_) | Stmt::Conjugate(_) | Stmt::Inverse(_) | Stmt::Compute(_) | Stmt::Uncompute(_)
        )
    };
    let runs = derived(
        "fn f(y: &mut [f64], x: &mut f64, n: usize) {
            #[compute] { *x *= 2.0; }
            for i in 0..n { let mut t = 0.0; t += *x; if i > 1 { #[inverse] { y[i] += t * t; } } }
        }",
    );
    let derivatives = runs.derivatives.expect("something is active");
    let forms = [Some(runs.forward), runs.inverse, Some(derivatives.pullback), Some(derivatives.pushforward)];
    let forms = forms.into_iter().chain([derivatives.unpullback, derivatives.unpushforward]).flatten();
    assert!(forms.filter(|form| !form.core.body.any(&stands)).count() == 6);
    let again = recorded("fn f(x: f64) -> f64 { let mut y = x; #[recompute] { y = y.sin(); y = y * y; } y }");
    let keeping = again.recorded.expect("it has a record");
    let pullback = again.derivatives.expect("something is active").pullback;
    let forms = [Some(keeping.keep), keeping.spend, Some(pullback)].into_iter().flatten();
    assert!(forms.filter(|form| !form.core.body.any(&stands)).count() == 3);
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
    let Derived { forward, inverse, derivatives, .. } = derived(source);
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

/// A loop that is undone keeps what the local was in front of some iterations, and the loop that undoes it compares.
#[test]
fn what_a_local_was_on_the_way_is_kept_in_the_core() {
    let witnesses = |source: &str| {
        let mut found = Vec::new();
        derivatives(source).pullback.core.body.walk(&mut |stmt| {
            if let Stmt::Check(Check::Witness(witness)) = stmt {
                found.push(match witness {
                    Witness::Begin { .. } => "begin",
                    Witness::Keep { .. } => "keep",
                    Witness::Recall { .. } => "recall",
                });
            }
        });
        found
    };
    let looped = "for _ in 0..n { v *= c; v += 1.0; }";
    let with = |local: &str| format!("fn f(c: f64, n: usize) -> f64 {{ {local} let mut v = 1.0; {looped} v }}");
    assert_eq!(witnesses(&with("")), ["begin", "keep", "recall"]);
    assert_eq!(witnesses("fn f(c: f64) -> f64 { let mut v = 1.0; v *= c; v += 1.0; v * c }"), [""; 0]);
    assert_eq!(witnesses(&with("#[unchecked]")), [""; 0]);
}

#[test]
fn neighbouring_elements_are_cut_out_of_their_arrays_once() {
    let source = "fn f(y: &mut [f64], a: &[f64], n: usize, m: usize) { for k in m..n { y[k] += a[k + n] * a[0]; } }";
    assert_text(
        &derivatives(source).pullback.core,
        "
        if m < n {
            let count = n - m;
            let row = &a[m + n..m + n + count];
            let row = &(*grad_y)[m..m + count];
            let row = &mut y[m..m + count];
            for turn in (0..count).rev() {
                let k = m + turn;
                {
                    let value = row[turn] * a[0];
                    let adjoint = (*row)[turn];
                    (*grad_a)[0] += adjoint * row[turn];
                    (*grad_a)[k + n] += adjoint * a[0];
                    row[turn] -= value;
                }
            }
        }",
    );
}

#[test]
fn rows_that_may_overlap_are_cut_where_they_do_not() {
    let source = "fn f(x: &mut [f64], i: usize, j: usize, n: usize) { for k in 0..n { x[i + k] += x[j + k].sin(); } }";
    assert_text(
        &derivatives(source).pullback.core,
        "
        if 0 < n {
            if let (
                ::core::option::Option::Some([row, row]),
                ::core::option::Option::Some([row, row]),
            ) = (
                ::retrograd::private::rows_apart(&mut *x, [j, i], n),
                ::retrograd::private::rows_apart(&mut *grad_x, [i, j], n),
            ) {
                for k in (0..n).rev() {
                    {
                        let value = row[k].sin();
                        let adjoint = (*row)[k];
                        (*row)[k] += adjoint * d_sin(row[k]);
                        check!(i + k != j + k);
                        row[k] -= value;
                    }
                }
            } else {
                for k in (0..n).rev() {
                    {
                        let value = x[j + k].sin();
                        let adjoint = (*grad_x)[i + k];
                        (*grad_x)[j + k] += adjoint * d_sin(x[j + k]);
                        check!(i + k != j + k);
                        x[i + k] -= value;
                    }
                }
            }
        }",
    );
}

#[test]
fn loops_keep_their_arrays_where_not_every_iteration_touches_them() {
    let core = |body: &str| {
        let source = format!("fn f(y: &mut [f64], a: &[f64], n: usize) {{ for k in 0..n {{ {body} }} }}");
        text(&derivatives(&source).pullback.core)
    };
    for body in ["if k < a.len() { y[0] += a[k]; }", "y[k * k] += a[n - k];", "swap(&mut y[k], &mut y[0]);"] {
        let text = core(body);
        assert!(!text.contains("row"), "{body}\n{text}");
    }
}
