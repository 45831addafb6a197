//! What a backward run has taken and then written over, kept until the run is over.

/// What must be put back if a backward run panics.
///
/// Values that are taken from a stack stay in memory above its top. They are copied before something else is written there.
#[derive(Debug, Default)]
pub(super) struct Saved<T> {
    /// What is below is still in its place. Zero if nothing is protected.
    pub(super) limit: usize,
    /// The pieces above, from the last to the first.
    values: Vec<T>,
    /// Where each of them starts; it ends where the piece before it in this list starts.
    starts: Vec<usize>,
    /// Where the first one in the list ends.
    end: usize,
}

impl<T: Copy> Saved<T> {
    pub(super) const fn new() -> Saved<T> {
        Saved { limit: 0, values: Vec::new(), starts: Vec::new(), end: 0 }
    }

    /// Protects the first `count` values of the stack.
    pub(super) fn protect(&mut self, count: usize) {
        self.forget();
        (self.limit, self.end) = (count, count);
    }

    /// Copies what is about to be written over, from `top` on.
    #[cold]
    pub(super) fn save(&mut self, stack: &[T], top: usize) {
        self.values.extend_from_slice(&stack[top..self.limit]);
        self.starts.push(top);
        self.limit = top;
    }

    /// Puts everything back.
    pub(super) fn restore(&mut self, stack: &mut [T]) {
        let (mut end, mut rest) = (self.end, &self.values[..]);
        for &start in &self.starts {
            let (piece, others) = rest.split_at(end - start);
            stack[start..end].copy_from_slice(piece);
            (end, rest) = (start, others);
        }
        self.forget();
    }

    /// Nothing is protected.
    pub(super) fn forget(&mut self) {
        (self.limit, self.end) = (0, 0);
        self.values.clear();
        self.starts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back_to_their_places() {
        let mut stack = [1, 2, 3, 4, 5, 6];
        let mut saved = Saved::new();
        saved.protect(5);
        for (top, values) in [(4, [40, 50].as_slice()), (3, &[30]), (1, &[-2, -3, -4])] {
            if top < saved.limit {
                saved.save(&stack, top);
            }
            stack[top..top + values.len()].copy_from_slice(values);
        }
        saved.restore(&mut stack);
        assert_eq!((stack, saved.limit), ([1, 2, 3, 4, 5, 50], 0));
    }
}
