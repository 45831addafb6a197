//! The rejected programs of the book's chapter `first-steps`. `tests/book.rs` compares them with the book.

mod overwritten {
    use retrograd::prelude::*;

    #[reversible]
    fn cap(x: &mut f64, limit: f64) {
        if *x > limit {
            *x = limit;
        }
    }
}

mod undecided {
    use retrograd::prelude::*;

    #[reversible]
    fn cap(x: &mut f64, excess: &mut Stack<f64>, limit: f64) {
        if *x > limit {
            excess.push(x);
            *x += limit;
        }
    }
}

fn main() {}
