//! Gradients in the type of what they are with respect to, where the sweep was more precise.

/// A number, or a container of numbers, that is rounded to those of another type.
pub trait Rounded<B> {
    /// The nearest.
    fn rounded(self) -> B;
}

impl Rounded<f32> for f64 {
    #[inline(always)]
    fn rounded(self) -> f32 {
        self as f32
    }
}

impl<A: Rounded<B>, B> Rounded<Vec<B>> for Vec<A> {
    fn rounded(self) -> Vec<B> {
        self.into_iter().map(A::rounded).collect()
    }
}

impl<A: Rounded<B>, B, const N: usize> Rounded<[B; N]> for [A; N] {
    #[inline(always)]
    fn rounded(self) -> [B; N] {
        self.map(A::rounded)
    }
}
