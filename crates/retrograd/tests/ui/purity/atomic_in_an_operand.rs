use std::sync::atomic::{AtomicU64, Ordering};

use retrograd::prelude::*;

#[reversible]
fn count(y: &mut u64, calls: &AtomicU64) {
    *y += calls.fetch_add(1, Ordering::Relaxed);
}

fn main() {}
