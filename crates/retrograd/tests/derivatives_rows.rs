//! Loops along neighbouring elements: derivatives are the same whether or not rows are cut out of arrays once for each of them.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::prelude::*;

/// Programs that are compiled twice, with rows and without.
macro_rules! twice {
    ($($name:ident, $without:ident: ($($params:tt)*) $body:block)*) => {$(
        #[reversible]
        fn $name<T: Real>($($params)*) $body
        #[reversible(without = "rows")]
        fn $without<T: Real>($($params)*) $body
    )*};
}

twice! {
    matvec, matvec_plain: (y: &mut [T], a: &[T], x: &[T]) {
        let columns = x.len();
        for i in 0..y.len() {
            let mut sum = T::zero();
            for j in 0..columns {
                sum += a[columns * i + j] * x[j];
            }
            y[i] += sum;
        }
    }

    // Two rows of one array, which overlap where `n` is less than `m`.
    sheared, sheared_plain: (a: &mut [T], i: usize, j: usize, n: usize, m: usize, f: T) {
        for k in 0..m {
            a[i * n + k] += f * a[j * n + k].sin();
        }
    }

    eliminated, eliminated_plain: (a: &mut [T], n: usize) {
        for k in 0..n {
            for i in k + 1..n {
                a[i * n + k] /= a[k * n + k];
                for j in k + 1..n {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
    }

    // The ends of the loops read what the loops change.
    ended, ended_plain: (x: &mut Vec<T>, y: &[T]) {
        for k in x.len() / 2..x.len() {
            x[k] += y[k] * y[k - 1];
        }
        for k in (1..=x.len() - 1).rev() {
            x[k] += x[k - 1] * y[k];
        }
    }

    // Not every iteration touches the row, which ends before the loop does.
    guarded, guarded_plain: (x: &mut [T], y: &[T], n: usize) {
        for k in 0..n {
            if k < y.len() {
                x[k] += y[k].exp();
            }
        }
    }

    // No iteration, and rows that would begin behind the end.
    idle, idle_plain: (x: &mut [T], y: &[T], first: usize, n: usize) {
        for k in first..n {
            x[k] += y[first * 10 + k];
        }
    }

    // Rows of rows.
    nested, nested_plain: (x: &mut [Vec<T>], w: &[[T; 2]], i: usize) {
        for k in 0..w.len() {
            x[i][k] += w[k][0] * w[k][1];
        }
    }

    // Index arithmetic in front of the first element.
    shifted, shifted_plain: (x: &mut [T], y: &[T], d: usize) {
        for k in d..x.len() {
            x[k - d] += y[k] * y[k - d];
        }
    }

    // An element that all iterations change lies in the row.
    crossed, crossed_plain: (x: &mut [T], y: &[T], i: usize) {
        for k in 0..y.len() {
            x[k] += y[k] * y[i];
        }
    }

    gathered, gathered_plain: (x: &mut [T], y: &[T], at: &[usize]) {
        for k in 0..at.len() {
            x[k] += y[at[k]] * y[k];
        }
    }
}

#[test]
fn loops_along_rows_obey_the_laws() {
    let a = || vec![3.0, 0.4, -0.7, 0.2, 2.5, 0.6, -0.3, 0.8, 4.0];
    laws!(matvec(&mut [y] = vec![0.3, -0.2, 0.9], &[a] = a(), &[x] = vec![0.5, 1.5, -0.25]));
    laws!(eliminated(&mut [a] = a(), #n = 3));
    laws!(sheared(&mut [a] = a(), #i = 0, #j = 2, #n = 3, #m = 3, f = 0.3));
    laws!(sheared(&mut [a] = a(), #i = 2, #j = 0, #n = 3, #m = 3, f = 0.3));
    laws!(ended(&mut x = vec![0.1, 0.2, 0.3, 0.4], &[y] = vec![0.5, -0.6, 0.7, 0.8]));
    laws!(guarded(&mut [x] = vec![0.1, 0.2, 0.3, 0.4], &[y] = vec![0.5, -0.6], #n = 4));
    laws!(idle(&mut [x] = vec![0.1], &[y] = vec![0.5], #first = 3, #n = 3));
    laws!(idle(&mut [x] = vec![0.1], &[y] = vec![0.5], #first = 3, #n = 1));
    laws!(shifted(&mut [x] = vec![0.1, 0.2, 0.3], &[y] = vec![0.5, -0.6, 0.7], #d = 1));
    laws!(crossed(&mut [x] = vec![0.1, 0.2, 0.3], &[y] = vec![0.5, -0.6, 0.7], #i = 1));
}

/// The pullbacks of both programs have the same bits.
macro_rules! same {
    ($name:ident, $without:ident, [$($changed:ident = $start:expr),*], [$($read:ident = $value:expr),*], ($($arg:tt)*)) => {{
        let run = |plain: bool| {
            $(let mut $changed = ($start, $start.iter().map(|x| 0.5 * x + 0.1).collect::<Vec<f64>>());)*
            $(let mut $read = ($value, vec![0.0; $value.len()]);)*
            if plain {
                same!(@call $without, [$($changed)*], [$($read)*], ($($arg)*));
            } else {
                same!(@call $name, [$($changed)*], [$($read)*], ($($arg)*));
            }
            format!("{:?}", ($($changed,)* $($read,)*))
        };
        assert_eq!(run(false), run(true));
    }};
    (@call $name:ident, [$($changed:ident)*], [$($read:ident)*], ($($arg:tt)*)) => {
        $name::pullback($((&mut $changed.0, &mut $changed.1),)* $((&$read.0, &mut $read.1),)* $($arg)*)
    };
}

#[test]
fn rows_change_no_bit() {
    let a: Vec<f64> = (0..12).map(|i| (i as f64 * 0.7).sin() + 2.0).collect();
    let (x, y): (Vec<f64>, Vec<f64>) = (a[..3].to_vec(), a[3..7].to_vec());
    same!(matvec, matvec_plain, [y = y.clone()], [a = a.clone(), x = x.clone()], ());
    same!(eliminated, eliminated_plain, [a = a.clone()], [], (3));
    same!(ended, ended_plain, [y = y.clone()], [a = a.clone()], ());
    same!(guarded, guarded_plain, [a = a.clone()], [x = x.clone()], (12));
    same!(gathered, gathered_plain, [a = a.clone()], [y = y.clone()], (&[2, 0, 1]));
    same!(crossed, crossed_plain, [y = y.clone()], [x = x.clone()], (2));
}

/// Rows that overlap are changed one element after the other, as the loop says.
#[test]
fn rows_that_overlap_are_left_in_the_array() {
    for (i, j, n, m) in [(0, 1, 2, 4), (1, 0, 2, 2), (2, 0, 1, 3)] {
        let run = |plain: bool| {
            let (mut a, mut g) = ((1..=9).map(f64::from).collect::<Vec<_>>(), vec![1.0; 9]);
            let mut f = 0.0;
            let (values, shadow) = ((&mut a[..], &mut g[..]), (0.3, &mut f));
            match plain {
                true => sheared_plain::pullback(values, i, j, n, m, shadow),
                false => sheared::pullback(values, i, j, n, m, shadow),
            }
            (a, g, f)
        };
        assert_eq!(run(false), run(true), "{i} {j} {n} {m}");
    }
}

#[test]
fn rows_of_rows_have_derivatives() {
    let (mut x, mut g) = (vec![vec![0.0; 2], vec![1.0; 2]], vec![vec![0.5; 2], vec![2.0, 3.0]]);
    let (w, mut g_w) = ([[2.0, 5.0], [3.0, 7.0]], [[0.0; 2]; 2]);
    nested::pullback((&mut x, &mut g), (&w, &mut g_w), 1);
    assert_eq!((x, g_w), (vec![vec![0.0; 2], vec![-9.0, -20.0]], [[10.0, 4.0], [21.0, 9.0]]));
    let (mut y, mut h, mut h_w) = (vec![vec![0.0; 2]], vec![vec![1.0; 2]], [[0.0; 2]; 2]);
    nested_plain::pullback((&mut y, &mut h), (&w, &mut h_w), 0);
    assert_eq!(h_w, [[5.0, 2.0], [7.0, 3.0]]);
}

#[test]
#[should_panic(expected = "out of range for slice of length 2")]
fn a_row_that_is_too_long_is_an_error() {
    let (mut y, mut g) = ([0.0], [1.0]);
    let (a, mut g_a, x, mut g_x) = ([1.0; 2], [0.0; 2], [1.0; 3], [0.0; 3]);
    matvec::pullback((&mut y, &mut g), (&a, &mut g_a), (&x, &mut g_x));
}

/// The same loops with a record, where ways out have names of their own.
#[reversible(record)]
fn decomposed(a: &[f64], n: usize) -> f64 {
    let mut l = vec![0.0; n * n];
    for j in 0..n {
        let mut d = a[j * n + j];
        for k in 0..j {
            d -= l[j * n + k] * l[j * n + k];
        }
        l[j * n + j] = d.sqrt();
        for i in j + 1..n {
            let mut s = a[i * n + j];
            for k in 0..j {
                s -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = s / l[j * n + j];
        }
    }
    let mut product = 1.0;
    for j in 0..n {
        product = product * l[j * n + j];
    }
    product
}

/// The derivative of the root of a determinant is half of it times the inverse.
#[test]
fn recorded_loops_along_rows_have_derivatives() {
    let n = 4;
    let at = |i: usize, j: usize| if i == j { 5.0 } else { 1.0 / (1.0 + i as f64 + j as f64) };
    let a: Vec<f64> = (0..n * n).map(|k| at(k / n, k % n)).collect();
    let (value, gradient) = decomposed::gradient(&a, n);
    for i in 0..n {
        for j in 0..=i {
            let with = |h: f64| {
                let mut a = a.clone();
                a[i * n + j] += h;
                decomposed(&a, n)
            };
            let h = 1e-4;
            let slope = (8.0 * (with(h) - with(-h)) - (with(2.0 * h) - with(-2.0 * h))) / (12.0 * h);
            assert!((slope - gradient[i * n + j]).abs() < 1e-9 * value, "{i} {j}: {slope} {}", gradient[i * n + j]);
        }
    }
}

/// Where elements are overwritten, their adjoints are taken out of the row; and rows are handed to functions element by element.
#[reversible(record)]
fn overwritten<T: Real>(v: &[T], n: usize) -> T {
    let mut w = v.to_vec();
    let mut u = vec![T::zero(); n];
    for i in 0..n {
        u[i] = w[i] * v[(i + 1) % n].sin();
    }
    for i in 0..n {
        w[i] = u[i] * u[n - 1 - i] + square_of(u[i]);
    }
    for i in 0..n {
        if i % 2 == 0 {
            w[i] = T::zero();
        }
    }
    let mut sum = T::zero();
    for i in 1..n {
        sum += square_of(w[i]) * w[i - 1] + w[i];
    }
    sum
}

#[reversible]
fn square_of<T: Real>(x: T) -> T {
    x * x
}

#[test]
fn adjoints_are_taken_out_of_rows() {
    laws!(scalar overwritten(&[v] = vec![0.4, -0.7, 1.3, 0.9, 0.2], #n = 5));
}
