//! Derivatives through calls: functions, procedures, methods, traits, and arguments that share a container.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

#[reversible]
fn wave(x: f64) -> f64 {
    x * x.sin()
}

#[reversible]
fn in_updates(y: &mut f64, x: f64, z: f64) {
    *y += wave(x) + z;
    *y += z - wave(x * z);
    *y -= wave(z);
    *y += 2.0 * wave(x) + wave(x) * wave(z);
    *y *= wave(x) + z;
    *y /= z + wave(x);
}

#[reversible]
fn in_each_other(x: f64, z: f64) -> f64 {
    wave(wave(x) + z) + wave(wave(wave(z)))
}

#[reversible]
fn as_it_is(x: f64) -> f64 {
    wave(x)
}

#[reversible]
fn with_another_sign(x: f64) -> f64 {
    -wave(x)
}

#[reversible]
fn in_locals(x: f64) -> f64 {
    let t = wave(x);
    let mut u = wave(t);
    u += t;
    u
}

#[reversible]
fn first(x: f64, _y: f64) -> f64 {
    x
}

#[reversible]
fn three(_x: f64, _y: &[f64]) -> f64 {
    3.0
}

#[reversible]
fn of_constants(y: &mut f64, n: usize, x: f64) {
    let t = wave(2.0);
    let u = wave(n as f64);
    *y *= t + u;
    let mut a = 1.0;
    a += wave(3.0);
    *y += a * three(x, &[x]) + first(2.0, x) * x;
}

#[test]
fn functions_in_expressions() {
    laws!(in_updates(&mut y = 0.5, x = 0.7, z = 0.3));
    laws!(scalar in_each_other(x = 0.7, z = 0.3));
    laws!(scalar as_it_is(x = 0.7));
    laws!(scalar with_another_sign(x = 0.7));
    laws!(scalar in_locals(x = 0.7));
    laws!(scalar first(x = 0.7, y = 0.3));
    laws!(scalar three(x = 0.7, &[y] = vec![0.3]));
    laws!(of_constants(&mut y = 0.3, #n = 3, x = 0.7));
}

#[reversible]
fn norm(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[reversible]
fn of_ancillas(x: &[f64], y: &[f64]) -> f64 {
    let mut d = vec![0.0; x.len()];
    for i in 0..x.len() {
        d[i] += x[i] - y[i] * norm(x);
    }
    norm(&d) * norm(x) + norm(&y[1..]) + norm(&[x[0], 1.0, y[0]])
}

#[reversible]
fn shares(x: &mut f64, y: &mut f64) {
    *x += *y * *y;
    *y *= 2.0;
}

#[reversible]
fn with_scratch(x: &mut f64, n: usize, z: f64) {
    let mut t = 3.0;
    shares(x, &mut t);
    shares::uncall(x, &mut t);
    *x *= t;
    let v = vec![1.5; n];
    *x += norm(&v) * norm(&[z, 2.0]);
    release!(t == 3.0);
}

#[test]
fn what_has_no_derivative_may_be_an_active_argument() {
    laws!(scalar of_ancillas(&[x] = vec![0.7, 0.2, 0.5], &[y] = vec![0.3, 0.9, 0.1]));
    laws!(with_scratch(&mut x = 0.3, #n = 3, z = 0.4));
}

#[reversible]
fn weighted(x: f64, #[constant] weight: f64) -> f64 {
    x * weight
}

#[reversible]
fn scaled(x: &mut f64, #[constant] by: &[f64], n: usize) {
    for i in 0..n {
        *x *= by[i];
    }
}

#[reversible]
fn keeps_derivatives_out(x: &mut f64, z: &[f64]) {
    #[constant]
    let weight = z[1];
    *x += weighted(z[0], weight);
    #[constant]
    let by = z;
    scaled(x, by, 2);
}

#[test]
fn nothing_flows_through_a_constant_argument() {
    let (mut x, mut grad_x, mut grad_z, z) = (0.5, 1.0, [0.0; 2], [2.0, 3.0]);
    keeps_derivatives_out(&mut x, &z);
    keeps_derivatives_out::pullback((&mut x, &mut grad_x), (&z, &mut grad_z));
    assert_eq!((x, grad_x, grad_z), (0.5, 6.0, [18.0, 0.0]));
    keeps_derivatives_out::pushforward((&mut x, &mut grad_x), (&z, &[1.0, 1.0]));
    assert_eq!(grad_x, 6.0 * 9.0);
}

#[reversible]
fn add_product(y: &mut f64, a: f64, b: f64) {
    *y += a * b;
    *y *= b;
}

#[reversible]
fn add_product_of(y: &mut f64, a: &f64, b: &f64) {
    *y += a * b;
}

#[reversible]
fn mix(a: &mut f64, b: &mut f64, c: &f64) {
    *a += *b * c;
    *b *= *a;
}

#[reversible]
fn elements(x: &mut [f64], i: usize, j: usize) {
    add_product(&mut x[i], x[j], x[2]);
    add_product(&mut x[i], x[j], x[j] * x[2]);
    mix(&mut x[i], &mut x[j], &x[2]);
    mix(&mut x[0], &mut x[2], &x[1]);
    add_product_of(&mut x[i + 1], &x[i], &x[i + 2]);
    add_product(&mut x[i + 1], x[i], x[i] * x[i]);
    add_product_of(&mut x[0], &x[1], &x[1]);
}

#[reversible]
fn add_row(a: &mut [f64; 2], b: &[f64; 2], c: f64) {
    for i in 0..2 {
        a[i] += b[i] * c;
    }
}

#[reversible]
fn array_rows(a: &mut [[f64; 2]], i: usize, j: usize) {
    add_row(&mut a[i], &a[j], 0.7);
    add_row(&mut a[1], &a[0], a[0][1]);
    add_product_of(&mut a[i][0], &a[j][1], &a[j][0]);
    add_product_of(&mut a[i][0], &a[i][1], &a[j][0]);
    add_product(&mut a[i][0], a[i][1], a[j][0]);
}

#[reversible]
fn add_slice(a: &mut [f64], b: &[f64], c: f64) {
    for i in 0..a.len() {
        a[i] += b[i] * c;
    }
}

#[reversible]
fn mix_vectors(a: &mut Vec<f64>, b: &mut Vec<f64>, c: f64) {
    for i in 0..a.len() {
        a[i] += b[i] * c;
        b[i] *= c;
    }
}

#[reversible]
fn vector_rows(a: &mut [Vec<f64>], i: usize, j: usize, c: f64) {
    add_slice(&mut a[i], &a[j], c);
    mix_vectors(&mut a[j], &mut a[i], c * c);
    swap(&mut a[i], &mut a[j]);
    let (l, r) = a.split_at_mut(1);
    add_slice(&mut l[0], &r[0], c);
}

#[reversible]
fn mix_slices(a: &mut [f64], b: &mut [f64], c: f64) {
    for i in 0..a.len() {
        a[i] += b[i] * c;
        b[i] *= c;
    }
}

#[reversible]
fn ranges(a: &mut [f64], n: usize) {
    add_slice(&mut a[..n], &a[n..], 0.3);
    add_slice(&mut a[n..], &a[..n], 0.3);
    let (x, y) = a.split_at_mut(n);
    add_slice(x, y, 0.5);
    mix_slices(y, x, 0.2);
    mix_slices(&mut x[..1], &mut y[1..], 0.1);
}

#[test]
fn several_elements_of_one_container() {
    laws!(elements(&mut [x] = vec![0.3, 0.5, 0.8], #i = 0, #j = 1));
    laws!(array_rows(&mut [a] = vec![[0.3, 0.5], [0.8, 0.2]], #i = 1, #j = 0));
    laws!(vector_rows(&mut [a] = vec![vec![0.3, 0.5], vec![0.8, 0.2]], #i = 1, #j = 0, c = 0.4));
    laws!(ranges(&mut [a] = vec![0.3, 0.5, 0.8, 0.2], #n = 2));
}

#[reversible]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

#[reversible]
fn distance(a: &f64, b: &f64) -> f64 {
    (a - b).abs()
}

#[reversible]
fn shared_reads(x: &[f64], i: usize, j: usize) -> f64 {
    dot(x, x) + dot(&x[1..], &x[..2]) * dot(x, &*x) + distance(&x[i], &x[j])
}

#[reversible]
fn add_products(y: &mut [f64], x: &[f64], z: &[f64], a: f64) {
    for i in 0..y.len() {
        y[i] += a * x[i] * z[i];
    }
}

#[reversible]
fn shared_arguments(y: &mut [f64], x: &[f64]) {
    add_products(y, x, x, x[0]);
    add_products(&mut y[..1], &x[1..], &x[..1], x[0] * x[1]);
    add_product(&mut y[0], x[0], x[0]);
    add_product(&mut y[1], x[0] * x[1], x[0] * x[1]);
}

#[test]
fn reads_may_be_shared() {
    for (i, j) in [(2, 1), (1, 2), (0, 2)] {
        laws!(scalar shared_reads(&[x] = vec![0.7, 0.2, 0.5], #i = i, #j = j));
    }
    laws!(shared_arguments(&mut [y] = vec![0.3, 0.5], &[x] = vec![0.7, 0.2]));
}

#[reversible]
fn runs_along(y: &mut [f64], x: &[f64]) {
    let mut t = 1.0;
    for i in 0..x.len() {
        t *= x[i];
        y[i] += t * x[i];
        y[i] *= t + 1.0;
    }
    y[0] *= t;
}

#[reversible]
fn runs_back(y: &mut [f64], x: &[f64]) {
    runs_along::uncall(y, x);
    runs_along(y, x);
    y[1] *= x[0];
    runs_along::uncall(y, &x[..2]);
}

#[test]
fn calls_backwards() {
    laws!(runs_back(&mut [y] = vec![0.4, 0.3, 0.6], &[x] = vec![0.7, 0.8, 0.5]));
}

#[reversible]
fn falls(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { x.sin() * falls(x * 0.9, n - 1) + x }
}

#[reversible]
fn tree(x: &mut [f64], n: usize) {
    if n > 0 {
        x[0] += x[1] * x[1];
        tree(x, n - 1);
        x[1] *= x[0];
        tree(x, n - 1);
    }
}

#[reversible]
fn peels(x: &mut [f64]) {
    let n = x.len();
    if n > 1 {
        x[0] += x[n - 1];
        peels(&mut x[1..]);
        x[0] *= x[1];
    }
}

#[reversible]
fn sum_of_squares(x: &[f64]) -> f64 {
    if x.is_empty() { 0.0 } else { x[0] * x[0] + sum_of_squares(&x[1..]) }
}

#[reversible]
fn even<T: Real>(x: &mut T, y: &mut T, n: usize) {
    if n > 0 {
        *x += *y * *y;
        odd(y, x, n - 1);
    }
}

#[reversible]
fn odd<T: Real>(x: &mut T, y: &mut T, n: usize) {
    if n > 0 {
        *x *= *y;
        even(y, x, n - 1);
        even::uncall(x, y, n / 2);
    }
}

#[reversible]
fn one<T: Real>(x: T, n: usize) -> T {
    let a = if n == 0 { x } else { one(x * 0.9, n - 1) * other(x, n - 1) };
    a * a
}

#[reversible]
fn other<T: Real>(x: T, n: usize) -> T {
    let a = if n == 0 { x * x } else { one(x + 0.1, n - 1) * x };
    a * 2.0
}

#[test]
fn recursion() {
    laws!(scalar falls(x = 0.7, #n = 3));
    laws!(tree(&mut [x] = vec![0.7, 0.3], #n = 2));
    laws!(peels(&mut [x] = vec![0.7, 0.3, 0.2, 0.4]));
    laws!(scalar sum_of_squares(&[x] = vec![0.7, 0.3, 0.2, 0.4]));
    laws!(even(&mut x = 0.7, &mut y = 0.8, #n = 3));
    laws!(scalar one(x = 0.7, #n = 3));
}

mod inner {
    use retrograd::prelude::*;

    #[reversible]
    pub(crate) fn square(x: f64) -> f64 {
        x * x
    }

    #[reversible]
    pub(crate) fn shift(x: &mut f64, y: f64) {
        *x += square(y) * 2.0;
    }

    pub(crate) mod deep {
        use retrograd::prelude::*;

        #[reversible]
        pub(crate) fn scale(x: &mut f64) {
            *x *= super::square(3.0);
            super::shift(x, 2.0);
        }
    }
}

use inner::square as renamed;

#[reversible]
fn by_path(x: &mut f64, y: f64) {
    inner::shift(x, y);
    crate::inner::deep::scale(x);
    *x *= renamed(y) * 2.0;
    self::inner::shift::uncall(x, y * y);
}

#[test]
fn paths_and_other_names() {
    laws!(by_path(&mut x = 0.3, y = 0.4));
}

struct Powers;

#[reversible]
impl Powers {
    fn square(a: f64) -> f64 {
        a * a
    }

    fn both(a: f64, b: f64) -> f64 {
        Self::square(a) * Self::square(b)
    }

    fn step(x: &mut f64, a: f64) {
        *x += Powers::both(a, a);
    }

    fn steps(x: &mut f64, a: f64) {
        Self::step(x, a);
        Powers::step(x, a * a);
    }

    /// The same name as a method of numbers.
    fn max(a: f64, b: f64) -> f64 {
        a * b
    }

    /// The same name as a method without a derivative.
    fn floor(a: f64) -> f64 {
        a * a
    }
}

#[reversible]
fn of_a_type(x: &mut f64, a: f64) {
    Powers::steps(x, a);
    *x *= Powers::both(a, 2.0) * Powers::max(a, sine_of(&a));
    *x += Powers::floor(a);
}

#[reversible]
fn sine_of(a: &f64) -> f64 {
    a.sin()
}

#[test]
fn associated_functions() {
    laws!(of_a_type(&mut x = 0.3, a = 0.4));
}

#[reversible]
trait Bend {
    fn bend(&mut self, a: f64);
    fn bent(&self, a: f64) -> f64;
}

#[reversible]
impl Bend for f64 {
    fn bend(&mut self, a: f64) {
        *self *= a;
        *self += a * a;
    }

    fn bent(&self, a: f64) -> f64 {
        *self * a.sin()
    }
}

#[reversible]
fn of_a_number(x: &mut f64, y: &mut f64, a: f64) {
    x.bend(a * *y);
    *y += x.bent(a) + a;
    y.uncall_bend(*x);
    *x *= (*y * 2.0).bent(a) + a.bent(a);
}

#[test]
fn methods_of_numbers() {
    laws!(of_a_number(&mut x = 0.7, &mut y = 0.3, a = 0.4));
}

#[reversible]
fn product_of_two(y: &mut f64, a: &f64, b: &f64) {
    *y += *a * *b;
}

#[reversible]
fn product_of_parts(y: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..y.len() {
        y[i] += a[i] * b[i] * b[i];
    }
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Cell {
    x: f64,
    v: f64,
    list: Vec<f64>,
}

impl retrograd::check::Compare for Cell {
    fn compare(&self, actual: &Self, report: &mut retrograd::check::Report) {
        (self.x, self.v, &self.list).compare(&(actual.x, actual.v, &actual.list), report);
    }
}

#[reversible]
fn three_of_four(a: &mut f64, b: &mut f64, c: &mut f64, d: &f64) {
    *a += *d * *d;
    *b += *a * *d;
    *c -= *b;
}

#[reversible]
fn reads_elements_twice(x: &mut [f64], i: usize, j: usize, k: usize) {
    product_of_two(&mut x[0], &x[1], &x[1]);
    product_of_two(&mut x[i], &x[j], &x[k]);
    product_of_two(&mut x[i], &x[k], &x[k]);
    product_of_parts(&mut x[..2], &x[2..4], &x[2..4]);
    product_of_parts(&mut x[..2], &x[i + 1..i + 3], &x[j..j + 2]);
    product_of_parts(&mut x[i..i + 1], &x[3..3 + j], &x[k..]);
}

#[reversible]
fn parts_of_elements(cells: &mut [Cell], i: usize, j: usize, k: usize) {
    three_of_four(&mut cells[i].x, &mut cells[i].v, &mut cells[j].x, &cells[j].v);
    three_of_four(&mut cells[i].x, &mut cells[i].v, &mut cells[i].list[0], &cells[j].v);
    product_of_two(&mut cells[i].x, &cells[i].v, &cells[j].v);
    product_of_two(&mut cells[i].x, &cells[j].v, &cells[k].v);
    product_of_parts(&mut cells[i].list, &cells[j].list, &cells[k].list);
}

#[reversible]
fn elements_of_two_kinds(cells: &mut [Cell], i: usize, j: usize) {
    three_of_four(&mut cells[i].x, &mut cells[j].x, &mut cells[j].list[0], &cells[2].list[1]);
}

#[test]
fn what_a_call_only_reads_may_be_the_same_element() {
    let x = vec![0.5, 1.5, -0.25, 2.0, 0.75];
    laws!(reads_elements_twice(&mut [x] = x.clone(), #i = 1, #j = 2, #k = 2));
    laws!(reads_elements_twice(&mut [x] = x.clone(), #i = 1, #j = 2, #k = 4));
    let cell = |x: f64| Cell { x, v: x + 0.5, list: vec![x, x - 1.0] };
    laws!(parts_of_elements(&mut [c] = vec![cell(0.5), cell(1.0), cell(-0.75)], #i = 0, #j = 1, #k = 1));
    laws!(parts_of_elements(&mut [c] = vec![cell(0.5), cell(1.0), cell(-0.75)], #i = 0, #j = 1, #k = 2));
    laws!(elements_of_two_kinds(&mut [c] = vec![cell(0.5), cell(1.0), cell(-0.75)], #i = 0, #j = 1));
    let error = retrograd::attempt(|| elements_of_two_kinds(&mut [cell(0.5), cell(1.0), cell(2.0)], 1, 1)).unwrap_err();
    assert_eq!(error.kind, retrograd::ErrorKind::EqualIndices);
    for (i, j, k) in [(1, 1, 2), (1, 2, 1)] {
        let error = retrograd::attempt(|| reads_elements_twice(&mut x.clone(), i, j, k)).unwrap_err();
        assert_eq!(error.kind, retrograd::ErrorKind::EqualIndices);
    }
}
