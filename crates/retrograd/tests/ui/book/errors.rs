//! The rejected programs of the book's chapter `errors`, in its order. `tests/book.rs` compares them with the book.

#![allow(dead_code, unused)]

mod assigning {
    use retrograd::prelude::*;

    #[reversible]
    fn set(x: &mut f64, y: f64) {
        *x = y;
    }
}

mod assigning_what_could_be_an_update {
    use retrograd::prelude::*;

    #[reversible]
    fn shift(x: &mut f64, y: f64) {
        *x = *x + y;
    }
}

mod mapping_several_values_to_one {
    use retrograd::prelude::*;

    #[reversible]
    fn positive(x: &mut f64) {
        *x = x.abs();
    }
}

mod lossy_operators {
    use retrograd::prelude::*;

    #[reversible]
    fn wrap(x: &mut u32) {
        *x %= 10;
    }
}

mod methods_that_throw_something_away {
    use retrograd::prelude::*;

    #[reversible]
    fn empty(v: &mut Vec<f64>) {
        v.clear();
    }
}

mod functions_that_throw_something_away {
    use retrograd::prelude::*;

    #[reversible]
    fn forget_it(y: &mut f64, x: &[f64]) {
        let mut copy = x.to_vec();
        copy[0] += 1.0;
        *y += copy[0];
        drop(copy);
    }
}

mod the_target_in_its_own_operand {
    use retrograd::prelude::*;

    #[reversible]
    fn grow(x: &mut f64, rate: f64) {
        *x += rate * *x;
    }
}

mod a_swap_of_a_place_with_itself {
    use retrograd::prelude::*;

    #[reversible]
    fn nothing(x: &mut [f64], i: usize) {
        swap(&mut x[i], &mut x[i]);
    }
}

mod a_call_that_reads_what_it_changes {
    use retrograd::prelude::*;

    #[reversible]
    fn axpy(y: &mut [f64], x: &[f64], a: f64) {
        for i in 0..y.len() {
            y[i] += a * x[i];
        }
    }

    #[reversible]
    fn double(y: &mut [f64]) {
        axpy(y, &*y, 1.0);
    }
}

mod a_call_that_changes_one_place_twice {
    use retrograd::prelude::*;

    #[reversible]
    fn turn(x: &mut [f64]) {
        rotate(&mut x[0], &mut x[0], 0.5);
    }
}

mod an_index_that_the_statement_changes {
    use retrograd::prelude::*;

    #[reversible]
    fn follow(a: &mut [usize]) {
        a[a[0]] += 1;
    }
}

mod a_condition_that_a_branch_changes {
    use retrograd::prelude::*;

    #[reversible]
    fn step(x: &mut f64) {
        if *x > 0.0 {
            *x -= 5.0;
        }
    }
}

mod a_match_on_what_an_arm_changes {
    use retrograd::prelude::*;

    #[reversible]
    fn advance(state: &mut u8) {
        match *state {
            0 => *state += 1,
            _ => {}
        }
    }
}

mod a_loop_over_what_its_body_changes {
    use retrograd::prelude::*;

    #[reversible]
    fn grow(n: &mut usize, y: &mut f64) {
        for i in 0..*n {
            *n += 1;
            *y += i as f64;
        }
    }
}

mod a_let_chain {
    use retrograd::prelude::*;

    #[reversible]
    fn add(y: &mut f64, x: Option<f64>, c: bool) {
        if c && let Some(v) = x {
            *y += v;
        }
    }
}

mod a_name_in_a_pattern_that_could_be_a_constant {
    use retrograd::prelude::*;

    const zero: i64 = 0;

    #[reversible]
    fn pick(y: &mut i64, k: i64) {
        *y += zero;
        match k {
            zero => *y += 1,
            _ => {}
        }
    }
}

mod while_without_a_postcondition {
    use retrograd::prelude::*;

    #[reversible]
    fn halve(n: &mut u64) {
        while *n % 2 == 0 {
            *n /= 2;
        }
    }
}

mod loop_statement {
    use retrograd::prelude::*;

    #[reversible]
    fn forever(n: &mut u64) {
        loop {
            *n += 1;
        }
    }
}

mod leaving_early {
    use retrograd::prelude::*;

    #[reversible]
    fn count(n: &mut u64, x: &[u64]) {
        for i in 0..x.len() {
            if x[i] == 0 {
                continue;
            }
            *n += 1;
        }
    }
}

mod an_iterator_that_cannot_be_reversed {
    use retrograd::prelude::*;

    #[reversible]
    fn sum(y: &mut u64, x: &[u64]) {
        for v in x.iter().filter(|v| **v > 3) {
            *y += *v;
        }
    }
}

mod a_range_without_an_end {
    use retrograd::prelude::*;

    #[reversible]
    fn endless(y: &mut u64) {
        for i in 0.. {
            *y += i;
        }
    }
}

mod changing_what_a_let_was_computed_from {
    use retrograd::prelude::*;

    #[reversible]
    fn late(x: &mut f64, y: &mut f64) {
        let a = *x;
        *x += 1.0;
        *y += a;
    }
}

mod changing_what_an_ancilla_was_computed_from {
    use retrograd::prelude::*;

    #[reversible]
    fn late(x: &mut f64, y: &mut f64) {
        let mut t = 0.0;
        t += *x;
        *x += 1.0;
        *y += t;
    }
}

mod changing_an_ancilla_together_with_something_else {
    use retrograd::prelude::*;

    #[reversible]
    fn carry(x: &mut f64) {
        let mut t = 0.0;
        swap(&mut t, x);
        t *= 2.0;
        swap(&mut t, x);
    }
}

mod computing_an_ancilla_from_what_the_same_loop_changes {
    use retrograd::prelude::*;

    #[reversible]
    fn accumulate(a: &mut [f64]) {
        let mut t = 0.0;
        for i in 0..a.len() {
            t += a[i];
            a[i] += t;
        }
    }
}

mod changing_what_a_compute_block_was_computed_from {
    use retrograd::prelude::*;

    #[reversible]
    fn late(x: &mut f64, y: &mut f64) {
        let mut t = 0.0;
        #[compute]
        {
            t += *x;
        }
        *y += t;
        *x += 1.0;
    }
}

mod a_local_that_outlives_the_ancilla_it_was_computed_from {
    use retrograd::prelude::*;

    #[reversible]
    fn late(y: &mut f64) {
        let mut t = 1.0;
        let u = 2.0 * t;
        release!(t == 1.0);
        *y += u;
    }
}

mod using_what_was_released {
    use retrograd::prelude::*;

    #[reversible]
    fn ghost(y: &mut f64) {
        let mut t = 1.0;
        release!(t == 1.0);
        *y += t;
    }
}

mod releasing_in_another_block {
    use retrograd::prelude::*;

    #[reversible]
    fn sometimes(y: &mut f64, c: bool) {
        let mut t = 1.0;
        *y += t;
        if c {
            release!(t == 1.0);
        }
    }
}

mod releasing_what_is_not_an_ancilla {
    use retrograd::prelude::*;

    #[reversible]
    fn wrong(y: &mut f64, x: f64) {
        let t = x;
        *y += t;
        release!(t == x);
    }
}

mod a_local_without_a_value {
    use retrograd::prelude::*;

    #[reversible]
    fn later(y: &mut f64) {
        let t: f64;
        *y += 1.0;
    }
}

mod let_else {
    use retrograd::prelude::*;

    #[reversible]
    fn first(y: &mut f64, x: &[f64]) {
        let Some(v) = x.first() else { return };
        *y += *v;
    }
}

mod several_ancillas_from_one_value {
    use retrograd::prelude::*;

    #[reversible]
    fn pair(y: &mut f64, angle: f64) {
        let (mut s, mut c) = angle.sin_cos();
        s += c;
        c *= 2.0;
        *y += s * c;
    }
}

mod a_second_name_for_a_reference {
    use retrograd::prelude::*;

    #[reversible]
    fn alias(x: &mut [f64]) {
        let y = x;
        y[0] += 1.0;
    }
}

mod a_parameter_passed_by_value {
    use retrograd::prelude::*;

    #[reversible]
    fn lost(x: f64) {
        x += 1.0;
    }
}

mod a_parameter_passed_by {
    use retrograd::prelude::*;

    #[reversible]
    fn borrowed(x: &[f64]) {
        x[0] += 1.0;
    }
}

mod a_let_without_mut {
    use retrograd::prelude::*;

    #[reversible]
    fn named(y: &mut f64, x: f64) {
        let t = x;
        t += 1.0;
        *y += t;
    }
}

mod a_loop_variable {
    use retrograd::prelude::*;

    #[reversible]
    fn each(x: &mut [f64]) {
        for v in x.iter() {
            *v += 1.0;
        }
    }
}

mod a_part_of_what_is_matched {
    use retrograd::prelude::*;

    #[reversible]
    fn inside(x: &mut Option<(u32, f64)>) {
        match x {
            Some((0, v)) => *v += 1.0,
            _ => {}
        }
    }
}

mod something_from_outside {
    use retrograd::prelude::*;

    static mut COUNT: u64 = 0;

    #[reversible]
    fn count(x: &mut u64) {
        COUNT += 1;
        *x += 1;
    }
}

mod mut_inside_an_expression {
    use retrograd::prelude::*;

    fn bump(x: &mut f64) -> f64 {
        *x += 1.0;
        *x
    }

    #[reversible]
    fn f(y: &mut f64, x: &mut f64) {
        *y += bump(&mut *x);
    }
}

mod a_method_that_changes_its_receiver {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, v: &mut Vec<f64>) {
        *y += v.pop().unwrap();
    }
}

mod statements_inside_an_expression {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, x: &mut f64) {
        *y += {
            *x += 1.0;
            *x
        };
    }
}

mod a_loop_as_a_value {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64) {
        *y += loop {
            break 1.0;
        };
    }
}

mod a_macro_that_the_compiler_cannot_look_into {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut usize, x: f64) {
        *y += format!("{x}").len();
    }
}

mod unsafe_code {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, x: &[f64]) {
        *y += unsafe { *x.get_unchecked(0) };
    }
}

mod a_value_that_nothing_is_done_with {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, x: f64) {
        *y += 1.0;
        x * 2.0;
    }
}

mod a_call_that_changes_nothing {
    use retrograd::prelude::*;

    #[reversible]
    fn norm(x: &[f64]) -> f64 {
        x[0].abs()
    }

    #[reversible]
    fn f(x: &mut [f64]) {
        norm(&*x);
        x[0] += 1.0;
    }
}

mod a_closure_called_as_a_procedure {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: &mut f64, g: impl Fn(&mut f64)) {
        g(x);
    }
}

mod a_host_statement_that_changes_the_program {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: &mut f64) {
        #[host]
        {
            *x += 1.0;
        }
    }
}

mod a_host_let {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: &mut f64) {
        #[host]
        let started = std::time::Instant::now();
        *x += 1.0;
    }
}

mod reading_a_host_parameter {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: &mut f64, #[host] count: &mut usize) {
        *x += *count as f64;
    }
}

mod a_macro_as_a_statement {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: &mut f64) {
        *x += 1.0;
        log!("one step");
    }
}

mod a_parameter_declared_mut {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, mut x: f64) {
        x += 1.0;
        *y += x;
    }
}

mod a_pattern_as_a_parameter {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, (a, b): (f64, f64)) {
        *y += a * b;
    }
}

mod a_function_that_would_change_an_argument {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: &mut f64) -> f64 {
        *x += 1.0;
        *x
    }
}

mod a_function_without_a_value_at_its_end {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: f64) -> f64 {
        let y = x + 1.0;
        return y;
    }
}

mod const_async_extern {
    use retrograd::prelude::*;

    #[reversible]
    const fn f(x: &mut u32) {
        *x += 1;
    }
}

mod an_attribute_without_meaning_here {
    use retrograd::prelude::*;

    #[reversible]
    fn f(x: &mut f64) {
        #[inline]
        {
            *x += 1.0;
        }
    }
}

mod inverse_on_a_let {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, x: f64) {
        #[inverse]
        let t = x;
        *y += t;
    }
}

mod compute_on_something_that_is_no_block {
    use retrograd::prelude::*;

    #[reversible]
    fn f(y: &mut f64, x: &mut f64) {
        #[compute]
        *x += 1.0;
        *y += *x;
    }
}

mod reversible_on_something_else {
    use retrograd::prelude::*;

    #[reversible]
    struct Point {
        x: f64,
    }
}

mod an_unknown_option {
    use retrograd::prelude::*;

    #[reversible(check = "always")]
    fn f(x: &mut f64) {
        *x += 1.0;
    }
}

mod an_unknown_pass {
    use retrograd::prelude::*;

    #[reversible(without = "sum")]
    fn f(x: &mut f64) {
        *x += 1.0;
    }
}

mod a_bijection_without_its_inverse {
    use retrograd::prelude::*;

    #[bijection]
    fn stretch(x: f64) -> f64 {
        2.0 * x
    }
}

fn main() {}
