//! Expands one function of so many statements of one shape: `.ci/expansion` counts its instructions, and `scripts/compile-time` has
//! rustc check what it writes.
//!
//! ```sh
//! cargo run --release -p retrograd-compiler --example expansion -- lets 400
//! ```

use std::fmt::Write;
use std::time::Instant;

use proc_macro2::TokenStream;

/// A shape of programs: its name, and the program with so many statements.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: [Shape; 5] =
    [("lets", lets), ("updates", updates), ("elements", elements), ("calls", calls), ("branches", branches)];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["list"] => SHAPES.iter().for_each(|(name, _)| println!("{name}")),
        ["write", shape, count] => println!("{}", program(shape, count)),
        [shape, count] => {
            let tokens: TokenStream = program(shape, count).parse().expect("the program is Rust");
            let start = Instant::now();
            let expanded = retrograd_compiler::reversible(TokenStream::new(), tokens);
            println!("{shape} {count}: {:.3} s, {} bytes", start.elapsed().as_secs_f64(), expanded.to_string().len());
        }
        _ => refuse("usage: expansion SHAPE STATEMENTS, expansion write SHAPE STATEMENTS, or expansion list"),
    }
}

/// The program of that shape with so many statements.
fn program(shape: &str, count: &str) -> String {
    let write = SHAPES.iter().find(|(name, _)| *name == shape).map(|(_, write)| write);
    match (write, count.parse()) {
        (Some(write), Ok(count)) => write(count),
        (None, _) => refuse(&format!("there is no shape `{shape}`; `expansion list` names them")),
        (_, Err(_)) => refuse(&format!("`{count}` is no number of statements")),
    }
}

fn refuse(why: &str) -> ! {
    eprintln!("{why}");
    std::process::exit(2);
}

/// A chain of pure lets.
fn lets(count: usize) -> String {
    let mut text = "fn chain(x: f64) -> f64 { let a0 = x;".to_string();
    for i in 1..count {
        let _ = write!(text, "let a{i} = a{} * x + 0.5;", i - 1);
    }
    let _ = write!(text, "a{} }}", count - 1);
    text
}

/// Updates of two ancillas.
fn updates(count: usize) -> String {
    let mut text = "fn steps(x: f64) -> f64 { let mut a = x; let mut b = x;".to_string();
    for i in 0..count {
        text.push_str(if i % 2 == 0 { "a += b.sin() * x;" } else { "b -= a * a;" });
    }
    text.push_str("a * b }");
    text
}

/// Updates of elements of an argument.
fn elements(count: usize) -> String {
    let mut text = "fn network(x: &mut [f64], w: &[f64]) {".to_string();
    for i in 0..count {
        let _ = write!(text, "x[{}] += w[{i}] * x[{}].tanh();", i % 7, (i + 1) % 7);
    }
    text.push('}');
    text
}

/// Calls of a procedure.
fn calls(count: usize) -> String {
    let mut text = "fn circuit(a: &mut f64, b: &mut f64, t: f64) {".to_string();
    for i in 0..count {
        let _ = write!(text, "rotate({}, t * {i}.0);", if i % 2 == 0 { "a, b" } else { "b, a" });
    }
    text.push('}');
    text
}

/// Branches and loops.
fn branches(count: usize) -> String {
    let mut text = "fn branches(x: &mut [f64], n: usize) {".to_string();
    for i in 0..count / 2 {
        let _ = write!(text, "if n > {i} {{ for i in 0..n {{ x[i] += {i}.5; }} }} else {{ x[0] *= 2.0; }}");
    }
    text.push('}');
    text
}
