//! Each stage on its own: what the parser makes, what flows where, what is read and changed, when what is undone.

mod fixture;

use fixture::compile;
use retrograd_compiler::analysis::Context;
use retrograd_compiler::emit::rust;
use retrograd_compiler::ir::{Activity, BindingKind, Expr, ExprKind, Mode, Program, Stmt, VarKind};
use retrograd_compiler::print;
use retrograd_compiler::signature::Signature;

fn program(source: &str) -> Program {
    compile(source).unwrap_or_else(|errors| panic!("{errors}:\n{source}")).forward.program
}

fn activity(program: &Program, name: &str) -> Activity {
    let var = program.vars.iter().find(|v| v.name == name);
    var.unwrap_or_else(|| panic!("there is no `{name}`")).activity
}

#[test]
fn types_and_modes_of_parameters_and_locals_are_kept() {
    let p = program(
        "fn f(x: &mut [f64], y: &f64, n: usize) { let k: u8 = 1; let mut t: f64 = 0.0; t += *y; x[n] += t * k as f64; }",
    );
    let modes: Vec<Mode> = p.params.iter().map(|param| param.mode).collect();
    assert_eq!(modes, [Mode::Change, Mode::Borrow, Mode::Value]);
    let types: Vec<&str> =
        p.vars.iter().map(|v| v.ty.as_ref().map(|ty| ty.written.text()).unwrap_or_default()).collect();
    assert_eq!(types, ["& mut [f64]", "& f64", "usize", "u8", "f64"]);
    assert_eq!(p.vars[3].kind, VarKind::Let);
    assert_eq!(p.vars[4].kind, VarKind::Ancilla);
}

#[test]
fn expressions_have_the_types_that_follow_from_those_that_are_written() {
    let p = program(
        "fn f(x: &mut [f64], m: &(u8, [f32; 3]), n: usize) {
            let k = n as f64;
            let a = 2.0 * k.sin();
            let b = m.1[n] + 1.5_f32;
            let l = x.len() + n;
            let c = k < a;
            let u = g(n);
            if c { x[l] += a + k + u + b as f64; }
        }",
    );
    let values = p.body.stmts.iter().filter_map(Stmt::begun).map(|binding| &binding.value);
    let types: Vec<&str> = values.clone().map(|e| e.ty.as_ref().map_or("unknown", |ty| ty.written.text())).collect();
    assert_eq!(types, ["f64", "f64", "f32", "usize", "bool", "unknown"]);
    let mut inner = Vec::new();
    values.for_each(|e| e.walk(&mut |e| inner.extend(e.ty.as_ref().map(|ty| ty.written.text()))));
    assert!(
        inner.contains(&"(u8 , [f32 ; 3])") && inner.contains(&"[f32 ; 3]") && inner.contains(&"[f64]"),
        "{inner:?}"
    );
}

#[test]
fn types_make_no_equal_expressions_different() {
    let p = program("fn f(y: &mut f64, x: f64) { let a = x * 2.0; *y += a; }");
    let typed = &p.body.stmts[0].begun().expect("the local begins").value;
    let ExprKind::Binary(_, x, _) = &typed.kind else { panic!("it is a product") };
    assert!(x.ty.is_some());
    assert_eq!(**x, Expr::new(x.kind.clone(), x.span));
}

#[test]
fn activity_follows_the_data_and_stops_at_integers_and_conditions() {
    let p = program(
        "fn f<T: Real>(y: &mut T, x: &[T], n: usize, names: &[String], #[constant] m: &[T], flag: bool) {
            let a = x[0] * 2.0;
            let k = x.len() + n;
            let c = a > 1.0;
            let i = a.to_f64() as i64;
            let mut t = T::zero();
            t += a;
            #[constant]
            let shift = t;
            let mut count = 0;
            for (j, v) in x.iter().enumerate() { count += j; *y += *v; }
            if flag { *y += t - shift + m[k + count + i as usize]; }
        }",
    );
    for (name, expected) in [
        ("y", Activity::Active),
        ("x", Activity::Active),
        ("n", Activity::Inactive),
        ("names", Activity::Inactive),
        ("m", Activity::Constant),
        ("flag", Activity::Inactive),
        ("a", Activity::Active),
        ("k", Activity::Inactive),
        ("c", Activity::Inactive),
        ("i", Activity::Inactive),
        ("t", Activity::Active),
        ("shift", Activity::Constant),
        ("count", Activity::Inactive),
        ("v", Activity::Active),
    ] {
        assert_eq!(activity(&p, name), expected, "{name}");
    }
}

#[test]
fn read_and_write_sets_name_places_and_see_through_views() {
    let p = program(
        "fn f(x: &mut [f64], y: &mut f64, k: usize) {
            let v = &mut x[k..];
            v[0] += *y * 2.0;
            g(y, x.len());
        }",
    );
    let context = Context::new(&p);
    let shown = |places: Vec<_>| -> Vec<String> {
        places
            .iter()
            .map(|access: &retrograd_compiler::analysis::effects::Access| print::place(&p.vars, &access.place))
            .collect()
    };
    let update = context.effects(&p.body.stmts[1]);
    assert_eq!(shown(update.writes), ["x[k..][0]"]);
    assert!(shown(update.reads).contains(&"*y".to_string()));
    let call = p.body.stmts.iter().find(|s| matches!(s, Stmt::Call(_))).expect("there is a call");
    let call = context.effects(call);
    assert_eq!(shown(call.writes), ["y"]);
    assert!(call.reads.iter().any(|read| read.shape));
}

/// The statements of an elaborated body, one word each.
fn outline(p: &Program) -> Vec<&'static str> {
    p.body
        .stmts
        .iter()
        .map(|stmt| match stmt {
            Stmt::Update(_) => "update",
            Stmt::Begin(b) if b.kind == BindingKind::Let => "let",
            Stmt::End(b) if b.kind == BindingKind::Let => "unlet",
            Stmt::Begin(_) => "begin",
            Stmt::End(_) => "end",
            Stmt::For(_) => "for",
            Stmt::Check(_) => "check",
            Stmt::Compute(_) => "compute",
            Stmt::Assign(_) => "assign",
            Stmt::Loop(_) => "loop",
            Stmt::Exit(_) => "exit",
            Stmt::Keep(_) => "keep",
            Stmt::Restore(_) => "restore",
            Stmt::Give(_) => "give",
            Stmt::Uncompute(c) if c.slice => "unslice",
            Stmt::Uncompute(_) => "uncompute",
            Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::If(_)
            | Stmt::Match(_)
            | Stmt::While(_)
            | Stmt::Recompute(_)
            | Stmt::Block(_)
            | Stmt::Conjugate(_)
            | Stmt::Unchecked(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_) => "other",
        })
        .collect()
}

#[test]
fn undoing_comes_right_after_the_last_mention_and_in_reverse_order() {
    let p = program(
        "fn f(y: &mut f64, z: &mut f64, x: f64) { let mut t = 0.0; t += x; let k = t * 2.0; *y += k; *z += 1.0; }",
    );
    assert_eq!(outline(&p), ["begin", "compute", "let", "update", "unlet", "uncompute", "end", "update"]);
    let p = program("fn f(y: &mut [f64], a: &[f64]) { let mut t = 0.0; for i in 0..9 { t += a[i]; y[i] += t; } }");
    assert_eq!(outline(&p), ["begin", "for", "unslice", "end"]);
    let p = program("fn f(y: &mut f64, x: f64) { let mut t = x; t += 1.0; *y += t; t -= 1.0; release!(t == x); }");
    assert_eq!(outline(&p), ["begin", "update", "update", "update", "end"]);
}

#[test]
fn the_value_of_a_function_is_its_last_use() {
    let p = program("fn f(x: f64) -> f64 { let mut t = 0.0; t += x; t * 2.0 }");
    assert_eq!(outline(&p), ["begin", "compute"]);
    assert_eq!(p.ending.stmts.len(), 2);
}

#[test]
fn the_forward_function_is_what_was_written() {
    let source = "fn f(y: &mut [f64], x: &[f64]) {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        y[0] += sum;
    }";
    let item: syn::ItemFn = syn::parse_str(source).expect("this is a function");
    let tokens = rust::function(&item, &Signature::of_function(&item.sig), &compile(source).expect("it is reversible"));
    let text = print::tidy(tokens);
    // Without the dead code by which purity is checked.
    let live: Vec<&str> = text
        .lines()
        .map(str::trim)
        .skip_while(|line| !line.starts_with("fn f("))
        .take_while(|line| !line.starts_with("///"))
        .collect();
    for line in ["let mut sum = 0.0;", "for i in 0..x.len() {", "sum += x[i];", "y[0] += sum;"] {
        assert!(live.contains(&line), "`{line}` is missing in\n{text}");
    }
    assert!(!live.contains(&"sum -= x[i];"), "{text}");
}

#[test]
fn very_many_loops_are_written_in_pieces_unless_the_numbers_may_be_lanes() {
    let closures = |number: &str, bounds: &str, loops: usize| {
        let body = "for i in 0..x.len() { x[i] += y; }".repeat(loops);
        let source = format!("fn f{bounds}(x: &mut [{number}], y: {number}) {{ {body} }}");
        let item: syn::ItemFn = syn::parse_str(&source).expect("this is a function");
        let derived = compile(&source).expect("it is reversible");
        rust::function(&item, &Signature::of_function(&item.sig), &derived).to_string().matches("(|| {").count()
    };
    assert_eq!(closures("f64", "", 100), 0);
    // Six runs of four pieces.
    assert_eq!(closures("f64", "", 200), 24);
    assert_eq!(closures("T", "<T: Real>", 200), 0);
}
