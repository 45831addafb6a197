use retrograd::prelude::*;

#[reversible]
fn timed(x: &mut f64) {
    #[host]
    let start = std::time::Instant::now();
    *x += 1.0;
    #[host]
    println!("{:?}", start.elapsed());
}

fn main() {}
