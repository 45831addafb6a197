use retrograd::prelude::*;

#[reversible]
fn norm<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[reversible(derivatives = "never")]
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(f64::MIN, |a, b| a.max(*b))
}

#[reversible]
fn both(x: f64, y: f64) -> (f64, f64) {
    let square = x * x;
    let mut t = square;
    t += y;
    (t, if y > 0.0 { square } else { -square })
}

#[reversible]
fn use_them<T: Real>(y: &mut T, x: &[T]) {
    *y += norm(x) * 2.0;
}

#[test]
fn they_run_there_and_back() {
    let mut y = 1.0;
    use_them(&mut y, &[3.0, 4.0]);
    assert_eq!((y, largest(&[1.0, 5.0]), both(2.0, 1.0)), (11.0, 5.0, (5.0, 4.0)));
    use_them::uncall(&mut y, &[3.0, 4.0]);
    assert_eq!(y, 1.0);
}
