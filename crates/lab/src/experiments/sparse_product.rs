//! Products of sparse matrices: a merge that is undone, products of complex matrices, and the adjoints of both.

use num_complex::Complex;

use super::{Experiment, Failure, Setting, times};
use lab_corpus::programs::complex_sparse::{
    Product, complex_sparse, complex_sparse_adjoint, complex_sparse_dot, complex_sparse_transposed,
};
use lab_corpus::programs::sparse_dot::{Csc, CscShadow, sparse_dot, sparse_dot_of_matches};
use lab_corpus::yardsticks::complex_sparse::{self as by_hand, complex_matrix, numbers};
use lab_corpus::yardsticks::data::{Random, sparse};
use lab_corpus::yardsticks::sparse_dot as plain;
use lab_report::findings::{Claim, Figure, Findings};
use lab_report::measure::{Race, Results};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "sparse_product",
    title: "Products of sparse matrices",
    about: "For a dot product, two cursors merge the columns. Running backwards, either a record says which cursor moved, or \
            the merge is left to an ordinary function, because the positions of matching entries have no derivative. Products \
            of a complex matrix, its transpose and its conjugate transpose with a vector have adjoints with conjugates, and \
            with entries only where the matrix has entries.",
    run,
};

const PLACE: &str = "NiLang (embedded), Table 2, Xeon Gold 6230";
const DENSITY: f64 = 0.05;

/// No adjoints yet of the entries of a sparse matrix, whatever numbers they are.
macro_rules! zero {
    ($a:expr) => {
        CscShadow {
            starts: vec![(); $a.starts.len()],
            rows: vec![(); $a.rows.len()],
            values: vec![Default::default(); $a.values.len()],
        }
    };
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let size = setting.size.pick(60, 1000, 1000);
    let dots = dots(setting, size);
    setting.progress.done(1, 3)?;
    let products = products(setting, size);
    setting.progress.done(2, 3)?;
    let mut claims = claims_of_dots(&dots);
    claims.extend(claims_of_products(&products));
    claims.push(Claim::at_most(
        "complex product: adjoint against tangent, ⟨ȳ, Jẋ⟩ = ⟨Jᵀȳ, ẋ⟩",
        Figure::plain(identity(size)),
        1e-12,
    ));
    setting.progress.done(3, 3)?;
    Ok(Findings {
        claims,
        tables: vec![
            times(
                format!("The dot product of two {size} × {size} matrices with a density of {DENSITY}."),
                &dots,
            ),
            times(format!("Such complex matrices: one times a vector of {size} numbers, and the dot product of two."), &products),
        ],
        remarks: vec![
            "The product is that of the paper, `y += alpha * a * x`; its adjoint is with respect to `a`, `x` and `alpha`. The \
             backward pass also restores the old `y`, which the one by hand does not."
                .to_string(),
        ], ..Findings::default() })
}

/// Adjoints of all entries of two matrices.
type Adjoints = (CscShadow<f64>, CscShadow<f64>);

/// Measures the dot product of real matrices.
fn dots(setting: &Setting, size: usize) -> Results {
    let (a, b) = (&sparse(size, DENSITY, 1), &sparse(size, DENSITY, 2));
    let number = |r: &f64| vec![*r];
    let adjoints = || (zero!(a), zero!(b));
    let values = |(g_a, g_b): &Adjoints| [&g_a.values[..], &g_b.values].concat();
    let clear = |(g_a, g_b): &mut Adjoints| {
        g_a.values.fill(0.0);
        g_b.values.fill(0.0);
    };
    Race::new()
        .with("plain", 0.0, |r| *r = plain::sparse_dot(a, &a.values, b, &b.values), number)
        .with(
            "call, with a record",
            0.0,
            |r| {
                *r = 0.0;
                sparse_dot(r, a, b);
            },
            number,
        )
        .with(
            "call, merge left to a function",
            0.0,
            |r| {
                *r = 0.0;
                sparse_dot_of_matches(r, a, b);
            },
            number,
        )
        .with(
            "backward by hand",
            adjoints(),
            move |g| {
                clear(g);
                plain::pullback(a, &mut g.0.values, b, &mut g.1.values, 1.0);
            },
            values,
        )
        .with(
            "backward, with a record",
            adjoints(),
            move |g| {
                clear(g);
                sparse_dot::pullback((&mut 0.0, &mut 1.0), (a, &mut g.0), (b, &mut g.1));
            },
            values,
        )
        .with(
            "backward, merge left to a function",
            adjoints(),
            move |g| {
                clear(g);
                sparse_dot_of_matches::pullback((&mut 0.0, &mut 1.0), (a, &mut g.0), (b, &mut g.1));
            },
            values,
        )
        .run(setting.size.effort())
}

fn claims_of_dots(results: &Results) -> Vec<Claim> {
    let difference = |name: &str, other: &str| Figure::plain(results.difference(name, other));
    let mut claims = vec![
        Claim::at_most(
            "difference of the dot product, with a record",
            difference("plain", "call, with a record"),
            1e-12,
        ),
        Claim::at_most(
            "difference of the dot product, merge left to a function",
            difference("plain", "call, merge left to a function"),
            1e-12,
        ),
        Claim::at_most(
            "difference of adjoints from those by hand, with a record",
            difference("backward by hand", "backward, with a record"),
            1e-12,
        ),
        Claim::at_most(
            "difference of adjoints from those by hand, merge left to a function",
            difference("backward by hand", "backward, merge left to a function"),
            1e-12,
        ),
    ];
    for (text, name, seconds) in [
        ("dot: objective in plain Rust; the paper: Julia", "plain", 3.493e-4),
        ("dot: reversible objective", "call, with a record", 4.675e-4),
        ("dot: backward pass, with a record", "backward, with a record", 5.821e-4),
    ] {
        let time = Figure::seconds(results.timing(name).minimum());
        claims.push(Claim::beside(text, time).paper_figure(seconds, PLACE));
    }
    let ratio = results.timing("backward, merge left to a function").ratio(results.timing("plain"));
    claims.push(
        Claim::at_most("dot: backward pass over plain objective", Figure::times(ratio), 1.5)
            .timed()
            .paper_figure(5.821 / 3.493, PLACE),
    );
    claims
}

type Vector = Vec<Complex<f64>>;
/// Adjoints of the entries of a complex matrix.
type OfEntries = CscShadow<Complex<f64>, f64>;

/// All real numbers in some complex ones.
fn parts(numbers: &[Complex<f64>]) -> Vec<f64> {
    numbers.iter().flat_map(|z| [z.re, z.im]).collect()
}

/// The adjoints of the product, of the matrix, of the vector and of the factor.
struct Backward {
    y: Vector,
    g_y: Vector,
    g_a: OfEntries,
    g_x: Vector,
    g_alpha: Complex<f64>,
}

impl Backward {
    fn new(a: &Csc<Complex<f64>>, g_y: Vector) -> Backward {
        let none = vec![Complex::ZERO; g_y.len()];
        Backward { y: none.clone(), g_y, g_a: zero!(a), g_x: none, g_alpha: Complex::ZERO }
    }

    fn clear(&mut self) {
        self.g_a.values.fill(Complex::ZERO);
        self.g_x.fill(Complex::ZERO);
        self.g_alpha = Complex::ZERO;
    }

    fn read(&self) -> Vec<f64> {
        parts(&[&self.g_a.values[..], &self.g_x, &[self.g_alpha]].concat())
    }
}

/// Measures products of a complex matrix and a vector, and dot products of two such matrices.
fn products(setting: &Setting, size: usize) -> Results {
    let random = &mut Random::new(3);
    let (a, b) = (&complex_matrix(size, DENSITY, 1), &complex_matrix(size, DENSITY, 2));
    let (x, g_y, alpha) = (&numbers(size, random), numbers(size, random), numbers(1, random)[0]);
    let product = |program: Product<f64>| {
        move |y: &mut Vector| {
            y.fill(Complex::ZERO);
            program(y, a, x, alpha, 1);
        }
    };
    let (vector, number) = (vec![Complex::ZERO; size], Complex::ZERO);
    let read = |y: &Vector| parts(y);
    let read_number = |r: &Complex<f64>| parts(&[*r]);
    let pairs = || (zero!(a), zero!(b));
    let read_pairs = |g: &(OfEntries, OfEntries)| parts(&[&g.0.values[..], &g.1.values].concat());
    Race::new()
        .with("plain", vector.clone(), product(by_hand::complex_sparse), read)
        .with("call", vector.clone(), product(complex_sparse), read)
        .with("uncall", vector.clone(), product(complex_sparse::uncall), read)
        .with(
            "backward by hand",
            Backward::new(a, g_y.clone()),
            move |state| {
                state.clear();
                let Backward { g_y, g_a, g_x, g_alpha, .. } = state;
                by_hand::pullback(g_y, (a, &mut g_a.values), (x, g_x), (alpha, g_alpha), 1);
            },
            Backward::read,
        )
        .with(
            "backward",
            Backward::new(a, g_y),
            move |state| {
                state.clear();
                let Backward { y, g_y, g_a, g_x, g_alpha } = state;
                complex_sparse::pullback((y, g_y), (a, g_a), (x, g_x), (alpha, g_alpha), 1);
            },
            Backward::read,
        )
        .with("transposed, plain", vector.clone(), product(by_hand::complex_sparse_transposed), read)
        .with("transposed, call", vector.clone(), product(complex_sparse_transposed), read)
        .with("conjugate transposed, plain", vector.clone(), product(by_hand::complex_sparse_adjoint), read)
        .with("conjugate transposed, call", vector, product(complex_sparse_adjoint), read)
        .with("dot, plain", number, |r| *r = by_hand::complex_sparse_dot(a, b), read_number)
        .with(
            "dot, call",
            number,
            |r| {
                *r = Complex::ZERO;
                complex_sparse_dot(r, a, b);
            },
            read_number,
        )
        .with(
            "dot, backward by hand",
            pairs(),
            move |(g_a, g_b)| {
                g_a.values.fill(Complex::ZERO);
                g_b.values.fill(Complex::ZERO);
                by_hand::pullback_of_dot(a, &mut g_a.values, b, &mut g_b.values, alpha);
            },
            read_pairs,
        )
        .with(
            "dot, backward",
            pairs(),
            move |(g_a, g_b)| {
                g_a.values.fill(Complex::ZERO);
                g_b.values.fill(Complex::ZERO);
                let (mut r, mut seed) = (Complex::ZERO, alpha);
                complex_sparse_dot::pullback((&mut r, &mut seed), (a, g_a), (b, g_b));
            },
            read_pairs,
        )
        .run(setting.size.effort())
}

fn claims_of_products(results: &Results) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (text, plain, ours) in [
        ("complex product: difference", "plain", "call"),
        ("complex product, transposed: difference", "transposed, plain", "transposed, call"),
        (
            "complex product, conjugate transposed: difference",
            "conjugate transposed, plain",
            "conjugate transposed, call",
        ),
        ("complex dot: difference", "dot, plain", "dot, call"),
        ("complex product: difference of adjoints from those by hand", "backward by hand", "backward"),
        ("complex dot: difference of adjoints from those by hand", "dot, backward by hand", "dot, backward"),
    ] {
        claims.push(Claim::at_most(text, Figure::plain(results.difference(plain, ours)), 1e-12));
    }
    for (text, name, seconds) in [
        ("complex product: objective in plain Rust; the paper: Julia", "plain", 8.005e-5),
        ("complex product: reversible objective", "call", 9.332e-5),
        ("complex product: backward pass", "backward", 2.214e-4),
    ] {
        let time = Figure::seconds(results.timing(name).minimum());
        claims.push(Claim::beside(text, time).paper_figure(seconds, PLACE));
    }
    let ratio = Figure::times(results.timing("backward").ratio(results.timing("plain")));
    claims.push(
        Claim::at_most("complex product: backward pass over plain objective", ratio, 3.0)
            .timed()
            .paper_figure(2.214e-4 / 8.005e-5, PLACE),
    );
    claims
}

/// How far an adjoint of the complex product is from the transpose of its tangent, in a random direction, relative to both.
fn identity(size: usize) -> f64 {
    let random = &mut Random::new(5);
    let (a, x, alpha) = (complex_matrix(size, DENSITY, 1), numbers(size, random), numbers(1, random)[0]);
    let (mut dy, dx, d_alpha) = (numbers(size, random), numbers(size, random), numbers(1, random)[0]);
    let da = CscShadow { values: numbers(a.values.len(), random), ..zero!(a) };
    let moved = [&dy[..], &da.values, &dx, &[d_alpha]].concat();
    let g_y = numbers(size, random);
    let mut y = vec![Complex::ZERO; size];
    complex_sparse::pushforward((&mut y, &mut dy), (&a, &da), (&x, &dx), (alpha, d_alpha), 1);
    let mut back = Backward { y, ..Backward::new(&a, g_y.clone()) };
    let Backward { y, g_y: shadow, g_a, g_x, g_alpha } = &mut back;
    complex_sparse::pullback((y, shadow), (&a, g_a), (&x, g_x), (alpha, g_alpha), 1);
    let pulled = [&back.g_y[..], &back.g_a.values, &back.g_x, &[back.g_alpha]].concat();
    let dot = |a: &[Complex<f64>], b: &[Complex<f64>]| -> f64 { a.iter().zip(b).map(|(a, b)| (a.conj() * b).re).sum() };
    let (left, right) = (dot(&g_y, &dy), dot(&pulled, &moved));
    (left - right).abs() / left.abs().max(right.abs())
}
