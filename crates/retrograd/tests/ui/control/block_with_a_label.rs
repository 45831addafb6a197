use retrograd::prelude::*;

#[reversible]
fn left_early(x: &mut f64, y: f64) {
    'a: {
        if y > 1.0 {
            break 'a;
        }
        *x += y;
    }
}

#[reversible(record)]
fn of_a_loop_outside(x: &[f64]) -> f64 {
    let mut y = 0.0;
    for t in x {
        'a: {
            if *t > 1.0 {
                break;
            }
            if *t < 0.0 {
                break 'a;
            }
            y = y * *t;
        }
    }
    y
}

fn main() {}
