//! Generic parameters that no argument says: companions are called with them, as the program is.

use retrograd::{Record, prelude::*};

#[reversible]
fn powers<const N: usize>(x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += x.powi(i as i32);
    }
    sum
}

#[reversible]
fn drift<const N: usize>(x: &mut f64, y: f64) {
    for i in 0..N {
        *x += y * i as f64;
    }
}

#[reversible(record)]
fn fade<const N: usize>(x: &mut f64, y: f64) {
    for i in 0..N {
        *x = *x * y * i as f64;
    }
}

#[reversible(record)]
fn power<const N: usize, T: Real>(x: T) -> T {
    let mut y = x;
    for _ in 0..N {
        y = y * x;
    }
    y
}

#[reversible]
trait Act {
    fn act(x: f64) -> f64;
}

struct Twice;

#[reversible]
impl Act for Twice {
    fn act(x: f64) -> f64 {
        2.0 * x
    }
}

#[reversible]
fn acted<A: Act>(x: f64, y: f64) -> f64 {
    A::act(x) * y
}

#[reversible]
fn all(x: f64) -> f64 {
    powers::<3>(x) + power::<2, f64>(x) + acted::<Twice>(x, x)
}

#[test]
fn what_no_argument_says_is_handed_on() {
    assert_eq!(powers::gradient::<3>(2.0), (7.0, 5.0));
    assert_eq!(power::gradient::<2, f64>(2.0), (8.0, 12.0));
    assert_eq!(power::hessian::<2, f64>(2.0), (8.0, vec![12.0], vec![12.0]));
    assert_eq!(acted::gradient::<Twice>(2.0, 3.0), (12.0, 6.0, 4.0));
    assert_eq!(all::gradient(2.0), (23.0, 25.0));

    let mut record = Record::new();
    assert_eq!(power::gradient_in::<2, f64>(&mut record, 2.0), (8.0, 12.0));
    let mut x = 1.0;
    drift::<3>(&mut x, 2.0);
    assert_eq!(x, 7.0);
    let (mut g, mut gy) = (1.0, 0.0);
    drift::pullback::<3, f64>((&mut x, &mut g), (2.0, &mut gy));
    assert_eq!((x, g, gy), (1.0, 1.0, 3.0));
    fade::recorded::<2>(&mut x, 3.0, &mut record);
    assert_eq!(x, 0.0);
    fade::uncall::<2>(&mut x, 3.0, &mut record);
    assert_eq!(x, 1.0);
}
