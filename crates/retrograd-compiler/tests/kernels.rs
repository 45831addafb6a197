//! The rules of kernels, on fixtures with carets.

mod fixture;

use fixture::{accept, reject};

#[test]
fn a_run_changes_its_own_element_or_row() {
    accept(
        "#[reversible(kernel)] fn f(#[index] i: usize, x: &mut [f64], v: &mut [f64]) { v[i] -= x[i]; x[i] += v[i]; }",
    );
    accept(
        "#[reversible(kernel)] fn f<T: Real>(#[index] i: usize, x: &mut [T], d: usize) {
            for k in 0..d { x[i * d + k] += 1.0; }
            for k in 1..d { x[i * d + k] += x[i * d + k - 1]; }
        }",
    );
    accept(
        "#[reversible(kernel)] fn f(#[index] i: usize, x: &mut [f64]) { let j = 3 * i; x[j + 2] += x[j] * x[j + 1]; }",
    );
    accept("#[reversible(kernel)] fn f(#[index] i: usize, x: &mut [[f64; 3]], k: usize) { x[i][k] += 1.0; }");
    accept(
        "#[reversible(kernel)] fn f(#[index] i: usize, x: &mut [f64], d: usize) {
            let row = &mut x[i * d..(i + 1) * d];
            row[0] += 1.0;
            g(row);
        }",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64], y: &[f64]) {
    x[i + 1] += y[i];
    ^^^^^^^^^^^^^^^^^ `x[i + 1]` is not visibly this run's own
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64], d: usize) {
    for k in 0..d + 1 {
        x[i * d + k] += 1.0;
        ^^^^^^^^^^^^^^^^^^^^ `x[i * d + k]` is not visibly this run's own
    }
}",
    );
    // Rows of two sizes overlap.
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64]) {
    x[2 * i] += 1.0;
    x[3 * i] += 1.0;
    ^^^^^^^^^^^^^^^^ `x[3 * i]` is not visibly this run's own
}",
    );
    // The size of rows is the same for all runs and in all iterations.
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64], sizes: &[usize]) {
    let d = sizes[i];
    x[i * d] += 1.0;
    ^^^^^^^^^^^^^^^^ `x[i * d]` is not visibly this run's own
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64]) {
    for d in 1..3 {
        x[i * d] += 1.0;
        ^^^^^^^^^^^^^^^^ `x[i * d]` is not visibly this run's own
    }
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64], y: &mut f64) {
                                       ^^^^^^^^^^^ all runs of a kernel would change `y`
    x[i] += 1.0;
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64]) {
    g(x);
      ^ `x` is not visibly this run's own
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64]) {
    x.swap(i, i + 1);
    ^^^^^^^^^^^^^^^^^ `x` is not visibly this run's own
}",
    );
}

#[test]
fn what_is_changed_is_read_by_its_own_run() {
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, u: &mut [f64], v: &mut [f64]) {
    v[i] += u[i - 1] + u[i];
            ^^^^^^^^ `u[i - 1]` is not visibly this run's own, and another run may change it
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, u: &mut [u64], v: &mut [u64]) {
    if u[0] > 0 {
       ^^^^ `u[0]` is not visibly this run's own
        v[i] += 1;
    }
}",
    );
    accept("#[reversible(kernel)] fn f(#[index] i: usize, u: &mut [f64]) { if i + 1 < u.len() { u[i] += 1.0; } }");
}

#[test]
fn adjoints_of_shared_reads_can_be_added_up() {
    accept(
        "#[reversible(kernel)] fn f(#[index] i: usize, next: &mut [f64], u: &[f64], width: usize) {
            if i >= width && i + width < u.len() {
                let (up, down) = (i - width, i + width);
                next[i] += u[i - width] + u[i - 1] - 4.0 * u[i] + u[i + 1] + u[i + width];
            }
        }",
    );
    accept(
        "#[reversible(kernel)] fn f(#[index] i: usize, y: &mut [f64], x: &[f64], w: &[f64], scale: f64, d: usize) {
            for k in 0..d { for j in 0..k { y[i] += scale * w[k * d + j] * x[i * d + k]; } }
        }",
    );
    let scattered = "
#[reversible(kernel)]
fn f(#[index] i: usize, y: &mut [f64], x: &[f64], columns: &[usize]) {
    y[i] += x[columns[i]];
            ^^^^^^^^^^^^^ which element of `x` this reads depends on data
}";
    reject(scattered);
    accept(
        "#[reversible(kernel)] fn f(#[index] i: usize, y: &mut [f64], #[scatter] x: &[f64], columns: &[usize]) {
            y[i] += x[columns[i]];
        }",
    );
    // Through what is constant, no adjoint flows.
    accept(
        "#[reversible(kernel)] fn f(#[index] i: usize, y: &mut [f64], #[constant] x: &[f64], columns: &[usize]) {
            y[i] += x[columns[i]];
        }",
    );
    // How far a loop goes may differ between runs, and then they are in different iterations.
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, y: &mut [f64], w: &[f64], counts: &[usize]) {
    for k in 0..counts[i] {
        y[i] += w[k];
                ^^^^ which element of `w` this reads depends on data
    }
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, y: &mut [f64], w: &[f64], counts: &[usize]) {
    for k in (0..9).step_by(counts[i]) {
        y[i] += w[k];
                ^^^^ which element of `w` this reads depends on data
    }
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, y: &mut [f64], w: &[f64]) {
    y[i] += total(w);
                  ^ which element of `w` this reads depends on data
}",
    );
    // Own elements of rows of two sizes are those of several runs.
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, y: &mut [f64], w: &[f64]) {
    y[i] += w[2 * i] * w[i];
                       ^^^^ which element of `w` this reads depends on data
}",
    );
}

#[test]
fn a_kernel_is_a_procedure_with_an_index_on_a_device() {
    let signature = "its first parameter is `#[index] i: usize`";
    for parameters in
        ["x: &mut [f64]", "i: usize, x: &mut [f64]", "#[index] i: u32, x: &mut [f64]", "#[index] i: &usize"]
    {
        reject(&format!("#[reversible(kernel)]\nfn f({parameters}) {{}}\n   ^ {signature}"));
    }
    reject(
        "
fn f(#[index] i: usize, x: &mut [f64]) {
     ^^^^^^^^^^^^^^^^^ put `#[reversible(kernel)]` on the function
    x[i] += 1.0;
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &[f64]) -> f64 {
   ^ a kernel has no value
    x[i]
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f<S: Real, T: Real>(#[index] i: usize, x: &mut [T], y: &[S]) {
   ^ a kernel has one type of numbers
    x[i] += 1.0;
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [Vec<f64>], y: &Vec<f64>, #[scatter] z: &mut [f64]) {
                        ^^^^^^^^^^^^^^^^^^ but not `Vec`
                                            ^^^^^^^^^^^^ but not `Vec`
                                                          ^^^^^^^^^^^^^^^^^^^^^^^^ `#[scatter]` marks a slice that is read
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64], y: &[f64]) {
    let mut v = vec![0.0; 3];
                ^^^^^^^^^^^^ a kernel has no memory to allocate from
    v[0] += y[i];
    x[i] += v[0];
    println!(\"{i}\");
    ^^^^^^^^^^^^^^^^ a kernel has no host statements
    f(i, x, y);
    ^^^^^^^^^^^ a kernel does not call itself
    x[i] += y[i].squared();
            ^^^^^^^^^^^^^^ a kernel calls functions by their paths
    x[i] += y.iter().sum::<f64>();
            ^^^^^^^^^^^^^^^^^^^^^ the loops of a kernel count
    for e in y.iter() {
             ^^^^^^^^ the loops of a kernel count
        x[i] += *e;
    }
}",
    );
    reject(
        "
#[reversible(kernel)]
fn f(#[index] i: usize, x: &mut [f64]) {
    #[record]
    { x[i] = 0.0; }
    ^^^^^^^^^^^^^^^ a kernel keeps no record
}",
    );
}
