//! Tangent, adjoint and optimisations on the IR: programs in, programs out.

mod fixture;

use std::collections::BTreeMap;

use fixture::{assert_text, derivatives, derived, text};
use retrograd_compiler::adjoint::adjoint;
use retrograd_compiler::diagnostics::Diagnostics;
use retrograd_compiler::ir::Program;
use retrograd_compiler::lower::Hosts;
use retrograd_compiler::optimize::{
    carry::carry, contract::contract, delay::delay, demand::demand, fuse::fuse, upwards::upwards,
};

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
        &plain_adjoint(source),
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

/// The pullback with these passes over loops alone.
fn after(source: &str, passes: &[fn(&mut Program)]) -> Program {
    let mut program = plain_adjoint(source);
    passes.iter().for_each(|pass| pass(&mut program));
    program
}

#[test]
fn iterations_that_do_not_depend_on_each_other_run_upwards() {
    let source = "fn f(y: &mut [f64], x: &[f64]) { for i in 0..x.len() { y[i] += x[i].exp(); } }";
    assert_text(
        &after(source, &[upwards]),
        "
        for i in 0..x.len() {
            {
                let value = x[i].exp();
                let adjoint = (*grad_y)[i];
                (*grad_x)[i] += adjoint * d_exp(value);
                y[i] -= value;
            }
        }",
    );
}

#[test]
fn loops_around_others_run_upwards_with_them() {
    let downwards = |source: &str| text(&after(source, &[upwards])).matches(").rev()").count();
    let rows =
        "fn f(y: &mut [[f64; 3]], x: &[f64]) { for i in 0..y.len() { for k in 0..3 { y[i][k] += x[k] * x[k]; } } }";
    assert_eq!(downwards(rows), 0);
    // The inner loop adds to one adjoint, or a row to the next.
    let scaled = "fn f(y: &mut [[f64; 3]], a: f64) { for i in 0..y.len() { for k in 0..3 { y[i][k] *= a; } } }";
    assert_eq!(downwards(scaled), 2);
    let next = "fn f(y: &mut [[f64; 3]]) { for i in 1..y.len() { for k in 0..3 { y[i][k] += y[i - 1][k]; } } }";
    assert_eq!(downwards(next), 1);
}

#[test]
fn iterations_that_depend_on_each_other_keep_their_order() {
    let loops = [
        // What is changed is read by the next iteration.
        "for i in 1..x.len() { x[i] += a * x[i - 1]; }",
        "for i in 0..x.len() - 1 { x[i] += a * x[i + 1]; }",
        // Another iteration may have the same element.
        "for i in 0..k.len() { x[k[i]] *= 2.0; }",
        "for i in 0..x.len() { x[i / 2] += a; }",
        // A value is added up in an order.
        "for i in 0..x.len() { *y += x[i]; }",
        // So is an adjoint, in one place.
        "for i in 0..x.len() { x[i] *= a; }",
        // What is called may do anything.
        "for i in 0..x.len() { g(&mut x[i]); }",
    ];
    for inside in loops {
        let source = format!("fn f(x: &mut [f64], y: &mut f64, k: &[usize], a: f64) {{ {inside} }}");
        let text = text(&derivatives(&source).pullback.program);
        assert!(text.contains(").rev()"), "{text}");
    }
}

/// What nobody demands is left out.
fn demanded(program: &mut Program) {
    demand(program, BTreeMap::new(), Hosts::Rest);
}

/// How many loops the pullback has before they are fused, and after.
fn loops_and_fused(source: &str) -> [usize; 2] {
    let runs: [&[fn(&mut Program)]; 2] = [&[demanded, upwards], &[demanded, upwards, fuse]];
    runs.map(|passes| text(&after(source, passes)).matches("for ").count())
}

#[test]
fn a_sum_and_its_adjoint_go_through_the_same_loop() {
    let source = "fn f(y: &mut [f64], a: &[f64], x: &[f64], i: usize) {
        let mut sum = 0.0;
        for j in 0..x.len() { sum += a[j] * x[j]; }
        y[i] += sum;
    }";
    assert_text(
        &after(source, &[demanded, upwards, fuse]),
        "
        let mut sum = 0.0;
        let mut grad_sum = zero(&sum);
        {
            let adjoint = (*grad_y)[i];
            grad_sum += adjoint;
        }
        for j in 0..x.len() {
            {
                sum += a[j] * x[j];
            }
            {
                {
                    let adjoint = grad_sum;
                    (*grad_x)[j] += adjoint * a[j];
                    (*grad_a)[j] += adjoint * x[j];
                }
            }
        }
        {
            y[i] -= sum;
        }",
    );
}

#[test]
fn loops_that_see_each_other_stay_two() {
    let programs = [
        // The second loop needs the sum of the first.
        "let mut s = 0.0; for j in 0..n { s += x[j] * x[j]; } for j in 0..n { y[j] += x[j] * s; }",
        // It changes elements that the first still reads, or reads some that the first has not changed yet.
        "for j in 1..n { x[j - 1] += a * b[j]; } for j in 1..n { *z += x[j] * b[j]; }",
        "for j in 1..n { *z += x[j - 1] * b[j]; } for j in 1..n { x[j] += a * b[j]; }",
        // Which elements it comes to is not known.
        "for j in 0..n { x[k[j]] += a * b[j]; } for j in 0..n { *z += x[j] * b[j]; }",
        // Their ranges differ, or change in between.
        "let mut s = 0.0; for j in 0..n { s += x[j] * b[j]; } for j in 0..n - 1 { y[j] += s * b[j]; }",
        "for j in 0..*m { y[j] += a * b[j]; } *m += 1; for j in 0..*m { *z += a * b[j]; }",
        // What stands between them needs the first, and the second needs it.
        "let mut s = 0.0; for j in 0..n { s += x[j]; } let t = s * s; for j in 0..n { y[j] += x[j] * t; }",
        // What a local refers to changes in between.
        "for j in 0..n { x[j] += a * b[j]; } let r = &x[1]; for j in 0..n { *z += *r * b[j]; }",
    ];
    for body in programs {
        let source = format!(
            "fn f(x: &mut [f64], y: &mut [f64], z: &mut f64, m: &mut usize, b: &[f64], k: &[usize], a: f64, n: usize) {{ {body} }}"
        );
        let [loops, fused] = loops_and_fused(&source);
        assert_eq!(loops, fused, "{body}");
    }
}

#[test]
fn loops_that_meet_in_an_iteration_become_one() {
    let programs = [
        // Each iteration has elements of its own.
        "for j in 0..n { x[j] += a * b[j]; } for j in 0..n { *z += x[j] * b[j]; }",
        // Neighbours of what is only read may be read as well.
        "for j in 1..n { x[j] += a * b[j]; } for j in 1..n { *z += x[j] * k[j] * k[j - 1]; }",
        // What stands between them goes to either side.
        "for j in 0..n { x[j] += a * b[j]; } *m += 1; *y *= 2.0; for j in 0..n { *z += x[j] * b[j]; }",
        // The counters have two names.
        "for j in 0..n { x[j] += a * b[j]; } for k in 0..n { *z += x[k] * b[k]; }",
    ];
    for body in programs {
        let source = format!(
            "fn f(x: &mut [f64], y: &mut f64, z: &mut f64, m: &mut usize, b: &[f64], k: &[i32], a: f64, n: usize) {{ {body} }}"
        );
        assert_eq!(loops_and_fused(&source), [2, 1], "{body}");
    }
}

#[test]
fn loops_are_fused_where_one_waits_and_they_share_elements() {
    let programs = [
        // Neither waits for a sum.
        "for j in 0..n { y[j] += x[j]; } for j in 0..n { x[j] *= 2.0; }",
        // One changes neighbours of what the other reads: they would be looked for one by one.
        "for j in 1..n { x[j] += a * y[j]; } for j in 1..n { y[0] += x[j - 1] * y[j]; }",
        // They share nothing.
        "for j in 0..n { y[j] += a; } for j in 0..n { x[j] *= 2.0; }",
        // Both wait for the same sum.
        "for j in 0..n { y[j] += a; } for j in 0..n { y[j] += a; }",
        // How many iterations there are is known.
        "let mut s = 0.0; for j in 0..4 { s += x[j] * x[j]; } y[0] += s;",
    ];
    for body in programs {
        let source = format!("fn f(x: &mut [f64], y: &mut [f64], a: f64, n: usize) {{ {body} }}");
        let [loops, fused] = loops_and_fused(&source);
        assert_eq!(loops, fused, "{body}");
    }
}

#[test]
fn sums_into_neighbouring_elements_become_sums_into_one() {
    let source =
        "fn f(v: &mut [f64], u: &[f64], n: usize) { for i in 1..n - 1 { v[i] += u[i - 1] - 2.0 * u[i + 1]; } }";
    assert_text(
        &after(source, &[upwards, delay]),
        "
        {
            let mut late = 0.0;
            let mut late = 0.0;
            for i in 1..n - 1 {
                let mut term;
                let mut term;
                {
                    let value = 2.0 * u[i + 1];
                    let value = u[i - 1] - value;
                    let adjoint = (*grad_v)[i];
                    term = -adjoint * 2.0;
                    term = adjoint;
                    v[i] -= value;
                }
                (*grad_u)[i - 1] += late;
                (*grad_u)[i - 1] += term;
                late = late;
                late = term;
            }
            if 1 < n - 1 {
                (*grad_u)[n - 2] += late;
                (*grad_u)[n - 1] += late;
            }
        }",
    );
    // Backwards, the largest index comes first, and the loop ends at its start.
    let text = text(&after(source, &[delay]));
    for line in
        ["for i in (1..n - 1).rev() {", "(*grad_u)[i + 1] += late;", "(*grad_u)[1] += late;", "(*grad_u)[0] += late;"]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn sums_that_something_sees_stay_where_they_are() {
    let programs = [
        // The next iteration reads what was added.
        "fn f(u: &mut [f64], n: usize) { for i in 1..n - 1 { u[i] += u[i - 1] * u[i + 1]; } }",
        // Where an index leads is known in its own iteration only.
        "fn f(v: &mut [f64], u: &[f64], k: &[usize], n: usize) { for i in 0..n { let j = k[i]; v[i] += u[i + j] * u[i + j + 1]; } }",
        // How many indices lie between them is not known.
        "fn f(v: &mut [f64], u: &[f64], m: usize, n: usize) { for i in 0..n { v[i] += u[i] * u[i + m]; } }",
        // Two indices move.
        "fn f(v: &mut [f64], u: &[[f64; 9]], n: usize) { for i in 0..n { v[i] += u[i][i] * u[i][i + 1]; } }",
        // Elements that are no numbers.
        "fn f(v: &mut [[f64; 2]], u: &[[f64; 2]], n: usize) { for i in 0..n { v[i] += u[i] + u[i + 1]; } }",
        // Too many terms would wait.
        "fn f(v: &mut [f64], u: &[f64], n: usize) { for i in 0..n { v[i] += u[i] * u[i + 40]; } }",
    ];
    for source in programs {
        let text = text(&after(source, &[delay]));
        assert!(!text.contains("late"), "{text}");
    }
}

#[test]
fn an_element_that_all_iterations_touch_waits_in_a_local() {
    let source = "fn f(x: &mut [f64], l: &[f64], i: usize) { for j in 0..i { x[i] -= l[j] * x[j]; } }";
    assert_text(
        &after(source, &[carry]),
        "
        if 0 < i {
            let carried = (*grad_x)[i];
            let mut carried = x[i];
            for j in (0..i).rev() {
                {
                    let value = l[j] * x[j];
                    let adjoint = carried;
                    let adjoint = -adjoint;
                    (*grad_x)[j] += adjoint * l[j];
                    (*grad_l)[j] += adjoint * x[j];
                    carried += value;
                }
            }
            x[i] = carried;
        }",
    );
}

#[test]
fn elements_that_may_be_touched_otherwise_stay_where_they_are() {
    let programs = [
        // The loop comes to the element.
        "fn f(x: &mut [f64], y: &[f64], i: usize, n: usize) { for j in 0..n { x[i] += y[j]; x[j] -= y[j]; } }",
        // The index changes.
        "fn f(x: &mut [f64], n: usize) { for j in 1..n { x[j] += x[j - 1]; } }",
        // What is added up is no number.
        "fn f(x: &mut [[f64; 2]], y: &[[f64; 2]], i: usize) { for j in 0..i { x[i] += y[j] + x[j]; } }",
        // Not every iteration looks at the element: there may be none.
        "fn f(x: &mut [f64], y: &[f64], i: usize) { for j in 0..i { if j > 3 { x[i] += y[j]; } } }",
        // Something else may see it.
        "fn f(x: &mut [f64], y: &[f64], i: usize) { for j in 0..i { x[i] += y[j]; g(&mut x[j]); } }",
    ];
    for source in programs {
        let text = text(&after(source, &[carry]));
        assert!(!text.contains("carried"), "{text}");
    }
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
            if 0 < n {
                let row = &x[0..n];
                let row = &(*d_x)[0..n];
                let row = &mut (*d_y)[0..n];
                let row = &mut y[0..n];
                for i in 0..n {
                    {
                        let value = row[i].exp();
                        let tangent = (*row)[i] * d_exp(value);
                        (*row)[i] -= tangent;
                        row[i] -= value;
                    }
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

#[test]
fn calls_of_procedures_become_calls_of_their_runs() {
    let runs = derivatives("fn f(y: &mut f64, x: &f64, n: usize) { g(y, *x * 2.0, n); }");
    assert_text(
        &runs.pushforward.program,
        "
        {
            let tangent = *d_x * 2.0;
            let value = *x * 2.0;
            let tangent = tangent;
            g::pushforward(y, &mut *d_y, value, &tangent, n, ());
        }",
    );
    assert_text(
        &runs.pullback.program,
        "
        {
            let value = *x * 2.0;
            let mut adjoint = zero(&value);
            g::pullback(y, &mut *grad_y, value, &mut adjoint, n, ());
            *grad_x += adjoint * 2.0;
        }",
    );
}

/// The slope of a map follows from its value, so that it is known before the value is undone.
#[test]
fn maps_and_swaps_take_derivatives_along() {
    let runs = derivatives("fn f(y: &mut f64, z: &mut f64) { *y = y.exp(); swap(y, z); }");
    assert_text(
        &runs.pushforward.program,
        "
        {
            *y = (*y).exp();
            let partial = d_exp(*y);
            *d_y *= partial;
        }
        swap(&mut *d_y, &mut *d_z);
        swap(y, z);",
    );
    assert_text(
        &runs.pullback.program,
        "
        swap(y, z);
        swap(&mut *grad_y, &mut *grad_z);
        {
            let partial = d_exp(*y);
            *y = (*y).ln();
            *grad_y *= partial;
        }",
    );
}

#[test]
fn arms_run_in_both_directions_with_derivatives() {
    let source = "fn f(y: &mut f64, x: f64, n: Option<usize>) {
        match n { Some(k) if k > 1 => *y *= x, _ => *y = -*y }
    }";
    let runs = derivatives(source);
    assert_text(
        &runs.pushforward.program,
        "
        match n {
            Some(k) if k > 1 => {
                {
                    *d_y *= x;
                    *d_y += *d_x * *y;
                    *y *= x;
                }
            }
            _ => {
                *y = -*y;
                *d_y = -*d_y;
            }
        }",
    );
    assert_text(
        &runs.pullback.program,
        "
        match n {
            Some(k) if k > 1 => {
                {
                    *y /= x;
                    let adjoint = *grad_y * *y;
                    *grad_y *= x;
                    *grad_x += adjoint;
                }
            }
            _ => {
                *y = -*y;
                *grad_y = -*grad_y;
            }
        }",
    );
}
