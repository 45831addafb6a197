use retrograd::prelude::*;

pub struct Buffer {
    count: usize,
    data: [f64; 8],
}

impl Buffer {
    fn len(&self) -> usize {
        self.count
    }
}

#[reversible]
fn grow(buffer: &mut Buffer) {
    for i in 0..buffer.len() {
        buffer.data[i] += 1.0;
        buffer.count += 1;
    }
}

fn main() {}
