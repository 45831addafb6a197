//! The rejected programs of the book's chapter `kernels`. `tests/book.rs` compares them with the book.

mod a_change_of_a_neighbour {
    use retrograd::prelude::*;

    #[reversible(kernel)]
    fn diffuse(#[index] i: usize, u: &mut [f64], rate: f64) {
        u[i + 1] += rate * u[i];
    }
}

fn main() {}
