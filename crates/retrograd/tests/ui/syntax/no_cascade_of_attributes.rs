use retrograd::prelude::*;

#[reversible]
fn broken(x: &mut f64, #[constant] shift: f64, #[host] calls: &mut u64) {
    #[host]
    {
        *calls += 1;
    }
    #[unchecked]
    {
        *x = shift;
    }
}

fn main() {
    let mut x = 1.0;
    let mut calls = 0;
    broken(&mut x, 1.0, &mut calls);
    broken::uncall(&mut x, 1.0, &mut calls);
}
