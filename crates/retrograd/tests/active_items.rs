//! `#[derive(Active)]` on structs of every form: what carries over, and names that do not clash.

#![deny(warnings)]

use retrograd::private::{Shadowed, Zero, add};
use retrograd::{Seeds, prelude::*};

/// The names of generated parameters, and of the standard library, as names of the user's.
#[allow(dead_code, non_camel_case_types)]
mod names {
    pub(crate) struct Option;
    pub(crate) struct Some;
    pub(crate) struct Box;
    pub(crate) struct Clone;
    pub(crate) struct Misfit;
    pub(crate) trait Sized {}
    pub(crate) mod core {}
    pub(crate) mod retrograd {}

    #[derive(::retrograd::Active)]
    pub(crate) struct Clash<'g, S, R, const N: usize> {
        pub(crate) shadow: [S; N],
        pub(crate) visit: &'g R,
        pub(crate) r#type: R,
        pub(crate) misfit: usize,
    }

    #[derive(::retrograd::Active)]
    pub(crate) struct Numbers1<S, Numbers2>(pub(crate) S, pub(crate) Numbers2);
}

#[test]
fn names_do_not_clash() {
    let clash = names::Clash { shadow: [1.0, 2.0], visit: &3.0, r#type: 4.0, misfit: 5 };
    assert_eq!((clash.flatten(), clash.misfit), (vec![1.0, 2.0, 4.0], 5));
    let zeros: names::ClashShadow<f64, f64, 2, f64> = Shadowed::<f64>::zero_shadow(&clash, Zero::Plain);
    assert_eq!((zeros.shadow, zeros.visit, zeros.r#type, zeros.misfit), ([0.0; 2], 0.0, 0.0, ()));
    let pair = names::Numbers1(1.0, vec![2.0]);
    assert_eq!((pair.flatten(), Shadowed::<f64>::zero_shadow(&pair, Zero::Plain).1), (vec![1.0, 2.0], vec![0.0]));
}

/// Visibility carries over, and private types stay private.
mod visibility {
    use retrograd::prelude::*;

    #[derive(Active, Clone)]
    struct Hidden(f64);

    #[derive(Active, Clone)]
    pub struct Open {
        pub seen: f64,
        hidden: Vec<Hidden>,
    }

    impl Open {
        pub fn new() -> Open {
            Open { seen: 1.0, hidden: vec![Hidden(2.0)] }
        }
    }

    impl OpenShadow<f64> {
        pub fn hidden(&self) -> f64 {
            self.hidden[0].0
        }
    }
}

#[test]
fn visibility_carries_over() {
    let mut gradient: visibility::OpenShadow<f64> = visibility::Open::new().zero_shadow(Zero::Plain);
    gradient.unflatten(&[3.0, 4.0]);
    assert_eq!((gradient.seen, gradient.hidden()), (3.0, 4.0));
}

/// Bounds and `where` clauses carry over to a shadow beside the struct, with the parameters that it needs.
#[derive(Active)]
struct Table<'a, K: Ord + Copy, T: Real = f64, const N: usize = 2>
where
    [T; N]: PartialEq,
    K: 'a,
{
    rows: [[T; N]; 2],
    #[constant]
    key: K,
    #[constant]
    names: &'a [&'a str],
}

#[test]
fn bounds_and_defaults_carry_over() {
    let table: Table<'_, char> = Table { rows: [[1.0; 2]; 2], key: 'k', names: &["a", "b"] };
    assert_eq!((table.count(), table.key, table.names.len()), (4, 'k', 2));
    let zeros: TableShadow<f64, 2> = table.zero_shadow(Zero::Plain);
    assert_eq!((zeros.rows, zeros.key, zeros.names), ([[0.0; 2]; 2], retrograd::Constant, vec![(), ()]));
}

/// Types from macros come in invisible parentheses.
macro_rules! make {
    ($name:ident, $number:ty, $other:ty) => {
        #[derive(Active, Default)]
        struct $name {
            number: $number,
            numbers: Vec<$number>,
            other: $other,
        }
    };
}

make!(Made, f32, u8);

#[test]
fn structs_from_macros() {
    let made = Made { number: 1.0, numbers: vec![2.0], other: 3 };
    assert_eq!((made.flatten(), made.other), (vec![1.0_f32, 2.0], 3));
    let zeros: MadeShadow<f64> = made.zero_shadow(Zero::Plain);
    assert_eq!((zeros.number, zeros.numbers, zeros.other), (0.0, vec![0.0], ()));
}

#[test]
fn references_and_boxes_of_a_struct_have_shadows() {
    #[derive(Active, Clone, Copy, Debug, PartialEq)]
    struct Point<T> {
        x: T,
        y: T,
    }
    #[derive(Active)]
    struct Holder<T> {
        boxed: Box<Point<T>>,
        points: Vec<Box<Point<T>>>,
    }
    let point = Point { x: 1.0, y: 2.0 };
    let zeros: Point<Seeds<f64, 2>> = Shadowed::<Seeds<f64, 2>>::zero_shadow(&&point, Zero::Plain);
    assert_eq!(zeros.y, Seeds([0.0; 2]));
    let holder = Holder { boxed: Box::new(point), points: vec![Box::new(point)] };
    let mut zeros: Holder<f64> = holder.zero_shadow(Zero::Plain);
    add(&mut *zeros.boxed, point);
    assert_eq!((zeros.flatten(), holder.count()), (vec![1.0, 2.0, 0.0, 0.0], 4));
}

#[test]
fn numbers_from_several_types() {
    #[derive(Active, Clone)]
    struct Weights(Vec<f64>);
    #[derive(Active, Clone)]
    struct Options(u8, bool);
    #[derive(Active)]
    struct Model<T> {
        options: Options,
        scale: T,
        weights: Weights,
        pair: (T, u8),
    }
    let model = Model { options: Options(1, true), scale: 2.0, weights: Weights(vec![3.0]), pair: (4.0, 5) };
    assert_eq!(model.flatten(), [2.0, 3.0, 4.0]);
    let zeros: ModelShadow<f64> = model.zero_shadow(Zero::Plain);
    assert_eq!((zeros.options.0, zeros.scale, zeros.pair), ((), 0.0, (0.0, ())));
    assert_eq!((zeros.weights.0, model.options.0, model.options.1), (vec![0.0], 1, true));
}

#[test]
fn parameters_that_are_no_numbers() {
    #[derive(Active, Clone, Debug, PartialEq)]
    struct Fixed<const N: usize> {
        x: [f64; N],
    }
    #[derive(Active, Clone, Debug, PartialEq)]
    struct Nested<const N: usize> {
        inner: Vec<Fixed<N>>,
        pair: (f64, Fixed<N>),
    }
    #[derive(Active)]
    struct Keyed<K: Ord + Clone + std::fmt::Debug> {
        slots: Slots<K, f64>,
        scale: f64,
    }
    #[derive(Active)]
    struct Borrowed<'a> {
        keyed: &'a mut Keyed<&'a str>,
        index: (usize, Option<char>),
    }
    let fixed = Fixed { x: [1.0, 2.0] };
    let nested = Nested { inner: vec![fixed.clone()], pair: (3.0, fixed) };
    assert_eq!(nested.flatten(), [1.0, 2.0, 3.0, 1.0, 2.0]);
    let zeros: NestedShadow<2, f64> = nested.zero_shadow(Zero::Plain);
    assert_eq!((zeros.inner[0].x, zeros.pair.1), ([0.0; 2], FixedShadow { x: [0.0; 2] }));
    let mut keyed = Keyed { slots: Slots::from_iter([("a", 1.0)]), scale: 2.0 };
    let borrowed = Borrowed { keyed: &mut keyed, index: (0, Some('i')) };
    assert_eq!((borrowed.flatten(), borrowed.index.0), (vec![1.0, 2.0], 0));
    let zeros = Shadowed::<f64>::zero_shadow(&borrowed, Zero::Plain);
    assert_eq!((zeros.keyed.slots["a"], zeros.index), (0.0, ((), Some(()))));
}

/// A type by several names.
type Position<T> = [T; 2];
type Velocity<T> = [T; 2];

#[test]
fn one_type_by_several_names() {
    #[derive(Active, Clone, Copy, Debug, PartialEq)]
    struct Body<T> {
        position: Position<T>,
        velocity: Velocity<T>,
        force: [T; 2],
    }
    #[derive(Active)]
    struct Counted<T> {
        position: Position<T>,
        velocity: Velocity<T>,
        force: [T; 2],
        count: usize,
    }
    #[derive(Active)]
    struct Plain {
        position: Position<f64>,
        velocity: Velocity<f64>,
    }
    let body = Body { position: [1.0, 2.0], velocity: [3.0, 4.0], force: [5.0, 6.0] };
    assert_eq!((body.count(), Shadowed::<f64>::zero_shadow(&body, Zero::Plain).force), (6, [0.0; 2]));
    let counted = Counted { position: [1.0, 2.0], velocity: [3.0, 4.0], force: [5.0, 6.0], count: 7 };
    let mut zeros: CountedShadow<f64> = counted.zero_shadow(Zero::Plain);
    let gradient = zeros.clone();
    add(&mut zeros, &gradient);
    assert_eq!((zeros.flatten(), counted.count() - 1, counted.count), (vec![0.0; 6], 5, 7));
    let plain = Plain { position: [1.0, 2.0], velocity: [3.0, 4.0] };
    let zeros: PlainShadow<f64> = plain.zero_shadow(Zero::Plain);
    assert_eq!((plain.flatten(), zeros), (vec![1.0, 2.0, 3.0, 4.0], PlainShadow::default()));
}
