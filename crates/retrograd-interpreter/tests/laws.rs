//! The laws hold for random programs; and a compiler that breaks them is found, with a small program.
//!
//! `cargo run --release -p retrograd-interpreter --example laws -- 100000` checks a hundred thousand programs.

use retrograd_compiler::Derived;
use retrograd_compiler::ir::{Adapter, Block, Expr, ExprKind, Rule, Stmt, Update, UpdateOp, VarKind};
use retrograd_interpreter::laws::{EACH_PASS, Laws, Verdict, shrink, statements};
use retrograd_interpreter::{Compiled, Pass};
use retrograd_random::{Any, Config, any, program};

#[test]
fn what_is_derived_means_what_was_written() {
    let (mut held, mut left_out) = (0, Vec::new());
    for seed in 1_000_000..1_000_320 {
        let Any { name, source } = any(seed);
        let laws = Laws::in_turn(seed);
        match laws.check(&source, &name) {
            Verdict::Holds { .. } => held += 1,
            Verdict::Unfit => left_out.push(format!("seed {seed}: no input is fit")),
            Verdict::Unknown(what) => left_out.push(format!("seed {seed}: {what}")),
            Verdict::Broken(failure) => {
                let (small, found) = shrink(&laws, &source, &name, &failure);
                panic!("seed {seed}: {found}\n{small}");
            }
        }
    }
    assert!(held >= 318, "{left_out:#?}");
}

#[test]
fn views_that_only_a_match_looks_at_live_until_then() {
    let text = "#[reversible]\nfn program(a: &mut [f64; 3], u: &mut [i64], k: &mut i64) {\n    \
                let (left, right) = a.split_at_mut(1);\n    let view = &mut u[2..];\n    \
                match (left[0] > right[1], view[3] == 0) {\n        (true, false) => {}\n        _ => *k += 1,\n    }\n}\n";
    let laws = Laws { inputs: 2, without: &EACH_PASS, plant: &|_| {} };
    assert_eq!(laws.check(text, "program"), Verdict::Holds { inputs: 2 });
}

/// Whether a broken compiler is found out on random programs, by a program with few statements.
#[track_caller]
fn found_out(law: &str, plant: &dyn Fn(&mut Compiled)) {
    let without: [&[Pass]; 1] = [&[]];
    let laws = Laws { inputs: 1, without: &without, plant };
    for seed in 0..400 {
        let text =
            program(seed, &Config { function: false, size: 4, depth: 2, helpers: 0, ..Config::default() }).source;
        let Verdict::Broken(failure) = laws.check(&text, "program") else { continue };
        if failure.law != law {
            continue;
        }
        // The bug, and not the program, is to blame.
        let sound = Laws { plant: &|_| {}, ..laws };
        assert!(matches!(sound.check(&text, "program"), Verdict::Holds { .. }));
        let (small, found) = shrink(&laws, &text, "program", &failure);
        assert_eq!(found.law, law);
        assert!(statements(&small) < 12, "{} statements:\n{small}", statements(&small));
        println!("seed {seed}, {} statements instead of {}: {found}\n{small}", statements(&small), statements(&text));
        return;
    }
    panic!("nobody has noticed");
}

/// Changes every statement of a block, the innermost first.
fn rewritten(block: &Block, with: &dyn Fn(&Stmt) -> Vec<Stmt>) -> Block {
    let stmts = block.stmts.iter().map(|stmt| stmt.map_blocks(&mut |block| rewritten(block, with)));
    Block { stmts: stmts.flat_map(|stmt| with(&stmt)).collect(), span: block.span }
}

fn pullbacks(compiled: &mut Compiled, with: &dyn Fn(&Derived, &Block) -> Block) {
    for derived in compiled.programs.values_mut() {
        let Some(runs) = &derived.derivatives else { continue };
        let body = with(derived, &runs.pullback.core.body);
        if let Some(runs) = &mut derived.derivatives {
            runs.pullback.core.body = body;
        }
    }
}

#[test]
fn a_wrong_sign_in_a_rule_is_found() {
    // The derivative of a cosine, without its sign.
    fn wrong(e: &Expr) -> Expr {
        let ExprKind::Rule(rule, args) = &e.kind else { return e.clone() };
        let args: Vec<Expr> = args.iter().map(wrong).collect();
        let sane = Expr { kind: ExprKind::Rule(rule.clone(), args), ..e.clone() };
        match rule {
            Rule::Partial(partial) if partial.name() == "d_cos" => Expr::rule(Rule::Negate, vec![sane], e.span),
            _ => sane,
        }
    }
    let flip = |stmt: &Stmt| match stmt {
        Stmt::Update(s) => vec![Stmt::Update(Update { operand: wrong(&s.operand), ..s.clone() })],
        Stmt::Begin(s) => vec![Stmt::Begin(retrograd_compiler::ir::Binding { value: wrong(&s.value), ..s.clone() })],
        stmt => vec![stmt.clone()],
    };
    found_out("pullback is the transpose of that", &|compiled| {
        pullbacks(compiled, &|_, body| rewritten(body, &flip));
    });
}

#[test]
fn an_inverse_that_forgets_to_reverse_a_loop_is_found() {
    let forget = |stmt: &Stmt| match stmt {
        Stmt::For(s) => {
            let mut s = s.clone();
            s.iter.adapters.retain(|adapter| *adapter != Adapter::Rev);
            vec![Stmt::For(s)]
        }
        stmt => vec![stmt.clone()],
    };
    found_out("the derived inverse does what the written program does backwards", &|compiled| {
        for derived in compiled.programs.values_mut() {
            if let Some(inverse) = &mut derived.inverse {
                inverse.core.body = rewritten(&inverse.core.body, &forget);
            }
        }
    });
}

#[test]
fn a_demand_pass_that_drops_a_restoration_is_found() {
    fn is_opposite(a: UpdateOp, b: UpdateOp) -> bool {
        matches!((a, b), (UpdateOp::Add, UpdateOp::Sub) | (UpdateOp::Sub, UpdateOp::Add))
    }
    found_out("pullback is the transpose of that", &|compiled| {
        pullbacks(compiled, &|derived, body| {
            let Some(runs) = &derived.derivatives else { return body.clone() };
            let vars = &runs.pullback.core.vars;
            let mut updates: Vec<&Update> = Vec::new();
            let mut restorations: Vec<&Update> = Vec::new();
            body.walk(&mut |stmt| {
                let Stmt::Update(s) = stmt else { return };
                let undoes = |before: &&&Update| {
                    let same = before.target == s.target && before.operand == s.operand;
                    same && is_opposite(before.op, s.op) && vars[s.target.root.0].kind == VarKind::Ancilla
                };
                if updates.iter().find(undoes).is_some() {
                    restorations.push(s);
                }
                updates.push(s);
            });
            let restores = |stmt: &Stmt| matches!(stmt, Stmt::Update(s) if restorations.contains(&s));
            rewritten(body, &|stmt| if restores(stmt) { Vec::new() } else { vec![stmt.clone()] })
        });
    });
}
