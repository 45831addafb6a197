use retrograd::prelude::*;

struct Layer<T, const N: usize> {
    weights: [T; N],
}

#[reversible]
impl<T: Real, const N: usize> Layer<T, N> {
    fn apply(&self, x: &mut [T; N]) {
        for i in 0..N {
            x[i] += self.weights[i];
        }
    }

    fn norm(&self) -> T {
        let mut sum = T::zero();
        for i in 0..N {
            sum += self.weights[i] * self.weights[i];
        }
        sum.sqrt()
    }
}

fn main() {}
