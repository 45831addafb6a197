use retrograd::prelude::*;

#[derive(Active, Clone)]
struct Path<T> {
    length: T,
    points: Vec<T>,
}

#[reversible]
fn rest<T: Real>(path: &Path<T>, by: (T, T)) -> T {
    let mut rest = path.length;
    rest %= by.0;
    rest
}

#[reversible]
fn overwrite<T: Real>(path: &mut Path<T>, by: &[[T; 2]]) {
    path.length = by[0][1];
}

#[reversible]
impl<T: Real> Path<T> {
    fn set(&mut self, length: T) {
        self.length = length;
    }
}

/// Not `Active`, and need not be.
struct Clock {
    seconds: f64,
}

#[reversible(derivatives = "never")]
fn wrap(clock: &mut Clock) {
    clock.seconds %= 60.0;
}

fn main() {
    let mut path = Path { length: 1.0, points: vec![2.0] };
    let (value, grad_path, grad_by) = rest::gradient(&path, (1.0, 2.0));
    let _: f64 = value + grad_path.points[0] + grad_by.1;
    let (_, _, _) = rest::hessian(&path, (1.0, 2.0));
    let (mut grad, mut grad_by) = (path.clone(), [[0.0, 0.0]]);
    overwrite(&mut path, &[[1.0, 2.0]]);
    overwrite::uncall(&mut path, &[[1.0, 2.0]]);
    overwrite::pullback((&mut path, &mut grad), (&[[1.0, 2.0]], &mut grad_by));
    overwrite::unpushforward((&mut path, &mut grad), (&[[1.0, 2.0]], &grad_by));
    path.set(2.0);
    path.pullback_set(&mut grad, (2.0, &mut 0.0));
    wrap(&mut Clock { seconds: 1.0 });
    wrap::uncall(&mut Clock { seconds: 1.0 });
}
