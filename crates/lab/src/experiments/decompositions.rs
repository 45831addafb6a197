//! Gradients through the QR decomposition and through a unitary product of rotations, checked in two ways.

use allocation_counter::measure as count_allocations;
use retrograd::check::check_gradient;
use retrograd::prelude::*;
use retrograd::procedure;

use super::{Experiment, Failure, Setting};
use lab_corpus::programs::qr::qr;
use lab_corpus::programs::umm::umm;
use lab_corpus::yardsticks::data::Random;
use lab_report::findings::{Claim, Figure, Findings, Table};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "decompositions",
    title: "Gradients of QR and of unitary products",
    about: "The adjoint of an in-place decomposition is the transpose of its tangent, and both agree with difference \
            quotients: in the tests of the paper in every entry, and in larger ones along random directions.",
    run,
};

/// Rows and columns of the matrix.
const M: usize = 6;
const N: usize = 4;
/// The elements of a vector, and the angles that turn it.
const D: usize = 8;
const ANGLES: usize = D * (D - 1) / 2;

type Matrix = [[f64; M]; N];
type Triangle = [[f64; N]; N];

/// Sizes of errors, each the largest of all trials.
#[derive(Default)]
struct Errors {
    /// How far Q·R is from the matrix, and QᵀQ from one.
    factors: f64,
    orthogonality: f64,
    /// How far adjoints are from transposed tangents, and from quotients of differences.
    qr_transpose: f64,
    qr_quotient: f64,
    /// How much a unitary product changes the length of a vector.
    length: f64,
    umm_transpose: f64,
    umm_quotient: f64,
}

impl Errors {
    /// Keeps the larger one of each.
    fn worse(error: &mut f64, other: f64) {
        // What is not a number is worse than any number.
        if other > *error || other.is_nan() {
            *error = other;
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Decomposes a random matrix, and differentiates a random sum of all elements of Q and R along a random direction.
fn try_qr(random: &mut Random, errors: &mut Errors) {
    let mut matrix = || -> Matrix { std::array::from_fn(|_| random.array(-1.0, 1.0)) };
    let (a, da, weights_q) = (matrix(), matrix(), matrix());
    let weights_r: Triangle = std::array::from_fn(|_| random.array(-1.0, 1.0));
    let factors = |a: &Matrix| {
        let (mut q, mut r) = (Matrix::default(), Triangle::default());
        qr(&mut q, &mut r, a);
        (q, r)
    };
    let (mut q, mut r) = factors(&a);
    for j in 0..N {
        for row in 0..M {
            let product: f64 = (0..N).map(|i| q[i][row] * r[j][i]).sum();
            Errors::worse(&mut errors.factors, (product - a[j][row]).abs());
        }
        for i in 0..N {
            Errors::worse(&mut errors.orthogonality, (dot(&q[i], &q[j]) - f64::from(u8::from(i == j))).abs());
        }
    }
    // Of a matrix that is nearly singular, differences say little.
    if (0..N).any(|j| r[j][j] < 0.2) {
        return;
    }
    let value = |(q, r): (Matrix, Triangle)| {
        dot(q.as_flattened(), weights_q.as_flattened()) + dot(r.as_flattened(), weights_r.as_flattened())
    };
    let (mut dq, mut dr) = (Matrix::default(), Triangle::default());
    qr::pushforward((&mut Matrix::default(), &mut dq), (&mut Triangle::default(), &mut dr), (&a, &da));
    let (mut g_q, mut g_r, mut g_a) = (weights_q, weights_r, Matrix::default());
    qr::pullback((&mut q, &mut g_q), (&mut r, &mut g_r), (&a, &mut g_a));
    let along = dot(g_a.as_flattened(), da.as_flattened());
    Errors::worse(&mut errors.qr_transpose, (along - value((dq, dr))).abs());
    let quotient = central(|h| {
        let moved = std::array::from_fn(|j| std::array::from_fn(|row| a[j][row] + h * da[j][row]));
        value(factors(&moved))
    });
    Errors::worse(&mut errors.qr_quotient, (along - quotient).abs());
}

/// Turns a random vector, and differentiates a random sum of its elements by all angles.
fn try_umm(random: &mut Random, errors: &mut Errors) {
    let (x, dx, weights): ([f64; D], [f64; D], [f64; D]) =
        (random.array(-1.0, 1.0), random.array(-1.0, 1.0), random.array(-1.0, 1.0));
    let (theta, dtheta): ([f64; ANGLES], [f64; ANGLES]) = (random.array(-3.0, 3.0), random.array(-1.0, 1.0));
    let turned = |x: &[f64; D], theta: &[f64; ANGLES]| {
        let mut y = *x;
        umm(&mut y, theta);
        y
    };
    let y = turned(&x, &theta);
    Errors::worse(&mut errors.length, (dot(&y, &y).sqrt() - dot(&x, &x).sqrt()).abs());
    let (mut now, mut dy) = (x, dx);
    umm::pushforward((&mut now, &mut dy), (&theta, &dtheta));
    let (mut now, mut g_x, mut g_theta) = (y, weights, [0.0; ANGLES]);
    umm::pullback((&mut now, &mut g_x), (&theta, &mut g_theta));
    let along = dot(&g_x, &dx) + dot(&g_theta, &dtheta);
    Errors::worse(&mut errors.umm_transpose, (along - dot(&dy, &weights)).abs());
    let quotient = central(|h| {
        let moved =
            turned(&std::array::from_fn(|i| x[i] + h * dx[i]), &std::array::from_fn(|i| theta[i] + h * dtheta[i]));
        dot(&moved, &weights)
    });
    Errors::worse(&mut errors.umm_quotient, (along - quotient).abs());
}

/// What the paper differentiates to test QR: the sum of all elements of Q, of square matrices.
#[reversible]
fn sum_of_q<T: Real, const K: usize>(out: &mut T, q: &mut [[T; K]; K], r: &mut [[T; K]; K], a: &[[T; K]; K]) {
    qr(q, r, a);
    for column in 0..K {
        for row in 0..K {
            *out += q[column][row];
        }
    }
}

/// What the paper differentiates to test the unitary product: the sum of all elements of the vector that was turned.
#[reversible]
fn sum_of_turned<T: Real>(out: &mut T, x: &mut [T], theta: &[T]) {
    umm(x, theta);
    for i in 0..x.len() {
        *out += x[i];
    }
}

/// A matrix of the paper's size.
type Square = [[f64; 4]; 4];

/// The tests of the paper, with its sizes.
#[derive(Default)]
struct Tests {
    /// How many were made of each program, and how many gradients were right in every entry.
    made: [usize; 2],
    right: [usize; 2],
    /// How far a turned vector is from where it began, after the way back.
    back: f64,
    /// The bytes that the unitary product and its adjoint ask for.
    bytes: u64,
}

impl Tests {
    /// Pullback, pushforward and differences have to agree to this, relative to the size of an entry and to one.
    const TOLERANCE: f64 = 1e-6;

    /// Tests both programs once.
    fn make(&mut self, random: &mut Random) {
        let a: Square = std::array::from_fn(|_| random.array(-1.0, 1.0));
        let start = (0.0, Square::default(), Square::default(), a);
        let mut factors = start;
        sum_of_q(&mut factors.0, &mut factors.1, &mut factors.2, &a);
        // Of a matrix that is nearly singular, differences say little.
        if (0..4).all(|j| factors.2[j][j] >= 0.2) {
            self.made[0] += 1;
            let program = procedure!(s: (f64, Square, Square, Square) => sum_of_q(&mut s.0, &mut s.1, &mut s.2, &s.3));
            self.right[0] += usize::from(check_gradient(&start, Self::TOLERANCE, program).is_ok());
        }

        let (x, theta): ([f64; 4], [f64; 6]) = (random.array(-2.0, 2.0), random.array(-3.0, 3.0));
        self.made[1] += 1;
        let program = procedure!(s: (f64, [f64; 4], [f64; 6]) => sum_of_turned(&mut s.0, &mut s.1, &s.2));
        self.right[1] += usize::from(check_gradient(&(0.0, x, theta), Self::TOLERANCE, program).is_ok());
        let (mut y, mut g_x, mut g_theta) = (x, [1.0; 4], [0.0; 6]);
        let allocated = count_allocations(|| {
            umm(&mut y, &theta);
            umm::pullback((&mut y, &mut g_x), (&theta, &mut g_theta));
        });
        self.bytes = self.bytes.max(allocated.bytes_total);
        x.iter().zip(y).for_each(|(x, y)| Errors::worse(&mut self.back, (x - y).abs()));
    }

    fn claims(&self) -> Vec<Claim> {
        let [of_qr, of_umm] = self.made;
        vec![
            Claim::exactly(
                format!("QR of 4 × 4, sum of Q: correct gradients, of {of_qr}"),
                Figure::count(self.right[0]),
                of_qr as f64,
            )
            .paper("check_grad: true", "NiLang (preprint), Section 4.4"),
            Claim::exactly(
                format!("unitary product of 4, sum: correct gradients, of {of_umm}"),
                Figure::count(self.right[1]),
                of_umm as f64,
            ),
            Claim::at_most(
                "unitary product of 4: how far the vector is from its start after its gradient",
                Figure::plain(self.back),
                1e-14,
            )
            .paper("4.4e-16 in the example", "NiLang (preprint), Section 4.3"),
            Claim::exactly("unitary product of 4: bytes allocated for the gradient", Figure::bytes(self.bytes), 0.0)
                .paper("zero memory allocation", "NiLang (preprint), Section 4.3"),
        ]
    }
}

/// A derivative at zero by a difference of the fourth order.
fn central(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-3;
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let trials = setting.size.pick(5, 200, 5_000);
    let mut random = Random::new(17);
    let mut errors = Errors::default();
    let mut tests = Tests::default();
    for done in 1..=trials {
        try_qr(&mut random, &mut errors);
        try_umm(&mut random, &mut errors);
        tests.make(&mut random);
        setting.progress.done(done, trials)?;
    }
    let Errors { factors, orthogonality, qr_transpose, qr_quotient, length, umm_transpose, umm_quotient } = errors;
    let all = [
        ("QR: how far Q·R is from the matrix", factors, 1e-13),
        ("QR: how far QᵀQ is from the identity", orthogonality, 1e-10),
        ("QR: adjoint against tangent", qr_transpose, 1e-11),
        ("QR: adjoint against difference quotients", qr_quotient, 1e-5),
        ("unitary product: how much lengths change", length, 1e-13),
        ("unitary product: adjoint against tangent", umm_transpose, 1e-12),
        ("unitary product: adjoint against difference quotients", umm_quotient, 1e-8),
    ];
    let mut table = Table::new(format!("The largest errors of {trials} random cases."), ["what", "error"]);
    for (what, error, _) in all {
        table.row([what.into(), Figure::plain(error).into()]);
    }
    let mut claims = tests.claims();
    claims.extend(all.map(|(what, error, most)| Claim::at_most(what, Figure::plain(error), most)));
    Ok(Findings {
        claims,
        tables: vec![table],
        remarks: vec![format!(
            "Matrices of {M} × {N}; vectors of {D} elements, rotated by {} angles. Both programs run in place and store nothing.",
            ANGLES
        )],
        ..Findings::default()
    })
}
