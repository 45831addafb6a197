use retrograd::prelude::*;

#[derive(Active)]
enum Shape<T> {
    Circle(T),
    Square { side: T },
}

fn is_active(_: &impl Active) {}

fn main() {
    is_active(&Shape::Circle(1.0));
    is_active(&Shape::Square { side: 1.0 });
}
