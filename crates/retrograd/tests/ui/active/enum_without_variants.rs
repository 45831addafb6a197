use retrograd::prelude::*;

#[derive(Active)]
enum Never {}

#[derive(Active)]
#[active(linear)]
enum Sum<T> {
    Of(T, T),
}

fn is_active(_: &impl Active) {}

fn main() {
    is_active(&Sum::Of(1.0, 2.0));
}
