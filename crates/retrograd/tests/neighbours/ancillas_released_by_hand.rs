use retrograd::prelude::*;

#[reversible]
fn share(a: &mut i64, b: &mut i64) {
    *a += *b;
    *b += *a;
}

#[reversible]
fn through_a_third(a: &mut i64, b: &mut i64) {
    let mut t = 0;
    swap(&mut t, a);
    swap(a, b);
    swap(b, &mut t);
    release!(t == 0);
}

#[reversible]
fn changed_together(x: &mut i64) {
    let mut t = 1;
    share(&mut t, x);
    share::uncall(&mut t, x);
    release!(t == 1);
}

#[reversible]
fn copy_that_stays(x: &mut i64, y: &mut i64) {
    let mut old = *x;
    *x += 5;
    *y += old * *x;
    release!(old == *x - 5);
}

#[reversible]
fn on_a_stack(x: &mut i64, y: &mut i64) {
    let mut stack: Stack<i64> = Stack::new();
    stack.push(x);
    *x += *y;
    *y += *x;
    *x -= *y;
    stack.push(x);
    stack.pop(x);
    *x += *y;
    stack.pop(y);
    release!(stack == Stack::new());
}

#[test]
fn they_run_there_and_back() {
    let (mut a, mut b) = (1, 2);
    through_a_third(&mut a, &mut b);
    changed_together(&mut a);
    copy_that_stays(&mut a, &mut b);
    assert_eq!((a, b), (7, 1 + 2 * 7));
    copy_that_stays::uncall(&mut a, &mut b);
    changed_together::uncall(&mut a);
    through_a_third::uncall(&mut a, &mut b);
    assert_eq!((a, b), (1, 2));
}
