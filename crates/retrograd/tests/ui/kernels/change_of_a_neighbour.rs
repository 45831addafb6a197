use retrograd::prelude::*;

#[reversible(kernel)]
fn diffuse(#[index] i: usize, u: &mut [f64], rate: f64) {
    u[i + 1] += rate * u[i];
}

fn main() {
    let (mut u, mut gu, mut g) = ([1.0, 2.0], [0.0; 2], 0.0);
    diffuse::over(1, &mut u, 0.1);
    diffuse::uncall_over(1, &mut u, 0.1);
    diffuse::pullback_over(1, (&mut u, &mut gu), (0.1, &mut g));
    diffuse::unpullback_over(1, (&mut u, &mut gu), (0.1, &mut g));
    diffuse::pushforward_over(1, (&mut u, &mut gu), (0.1, 1.0));
    diffuse::unpushforward_over(1, (&mut u, &mut gu), (0.1, 1.0));
}
