use retrograd::prelude::*;

#[reversible]
fn broken(x: &mut f64) {
    *x = 1.0;
}

#[reversible]
fn caller(x: &mut f64) {
    broken(x);
    broken::uncall(x);
}

fn main() {
    let mut x = 1.0;
    broken(&mut x);
    broken::uncall(&mut x);
    caller(&mut x);
    caller::uncall(&mut x);
    println!("{}", broken::source(Direction::Inverse));
}
