use retrograd::prelude::*;

#[reversible]
fn step(x: &mut i64, #[host] calls: &mut u64) {
    #[host]
    {
        *calls += 1;
    }
    *x += 1;
}

#[reversible]
fn steps(x: &mut i64, n: usize, #[host] calls: &mut u64, #[host] log: &mut Vec<i64>) {
    assert!(n < 10, "{n} steps are too many");
    for i in 0..n {
        step(x, calls);
        #[host]
        log.push(*x);
        println!("{i}: {x} of {:?}", 0..n);
        match n {
            0 => unreachable!("no turn in {n}"),
            _ => {}
        }
    }
}

#[test]
fn they_run_there_and_back() {
    let (mut x, mut calls, mut log) = (0, 0, Vec::new());
    steps(&mut x, 3, &mut calls, &mut log);
    assert_eq!((x, calls, &log[..]), (3, 3, &[1, 2, 3][..]));
    steps::uncall(&mut x, 3, &mut calls, &mut log);
    assert_eq!((x, calls, &log[3..]), (0, 6, &[3, 2, 1][..]));
}
