#[derive(Active, Clone, Debug, PartialEq)]
pub struct Particle {
    pub position: [f64; 2],
    pub velocity: [f64; 2],
    #[constant]
    pub kicks: u32,
}

#[reversible]
impl Particle {
    pub fn kick(&mut self, dt: f64) {
        for i in 0..2 {
            self.velocity[i] -= dt * self.position[i] / distance(&self.position);
        }
        self.kicks += 1;
    }

    pub fn drift(&mut self, dt: f64) {
        for (x, v) in self.position.iter_mut().zip(&self.velocity) {
            *x += dt * *v;
        }
    }
}

#[reversible]
fn distance(x: &[f64]) -> f64 {
    1.0 + x.iter().map(|x| x * x).sum::<f64>()
}

#[reversible]
pub fn leap(p: &mut Particle, dt: f64, steps: usize) {
    for _ in 0..steps {
        p.drift(0.5 * dt);
        p.kick(dt);
        p.drift(0.5 * dt);
    }
}

const WEIGHT: f64 = 0.25;

#[reversible]
pub fn mixed(x: &mut [f64], k: &mut i32, stack: &mut Stack<f64>, wanted: Option<usize>) {
    let mut total = 0.0;
    for i in 0..x.len() {
        total += WEIGHT * x[i];
    }
    *k += (10.0 * total) as i32;
    match wanted {
        Some(i) => stack.push(&mut x[i]),
        None => x.reverse(),
    }
    #[compute]
    {
        x[0] *= 2.0;
    }
    x[1] += x[0].sin();
    let (a, b) = x.split_at_mut(1);
    swap(&mut a[0], &mut b[0]);
}

#[reversible]
pub fn fibonacci(n: u64, a: &mut u64, b: &mut u64) {
    if (n == 0, *a == *b) {
        *a += 1;
        *b += 1;
    } else {
        fibonacci(n - 1, a, b);
        *a += *b;
        swap(a, b);
    }
}

#[reversible(record)]
pub fn newton(a: f64) -> f64 {
    let mut x = a;
    while (x * x - a).abs() > 1e-12 {
        x = 0.5 * (x + a / x);
    }
    x
}
