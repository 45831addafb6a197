//! `derive(Recordable)`, and what `derive(Active)` does of it: values of structs and enums come back from a record.

#![deny(warnings)]

use std::fmt::Debug;
use std::marker::PhantomData;
use std::num::Wrapping;
use std::rc::Rc;

use retrograd::private::{Slot, shape_of};
use retrograd::{Dual, Lanes, LogNumber, Seeds, Shared, Taylor, Traced, Tropical, numbers, prelude::*};

/// Keeps a value, and takes it back; `bytes` is what it takes.
#[track_caller]
fn returns<T: Recordable + Debug + PartialEq>(value: T, bytes: usize) {
    let (mut record, slot) = (Record::new(), Slot::new());
    slot.keep(&mut record, &value);
    assert_eq!(record.bytes(), bytes);
    assert_eq!((slot.recall(&mut record), record.bytes()), (value, 0));
}

/// The shape of a value, with zeros in place of its numbers.
fn shape<T: Recordable>(value: &T) -> T {
    let (mut record, slot) = (Record::new(), Slot::new());
    slot.keep_shape(&mut record, value);
    let shape = slot.recall_shape(&mut record);
    assert_eq!((record.bytes(), shape_of(&shape)), (0, shape_of(value)));
    shape
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Camera<T> {
    rotation: [T; 3],
    focal: T,
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Layer<T: Real, const N: usize = 2>
where
    [T; N]: Debug,
{
    weights: Vec<[T; N]>,
    size: usize,
    #[constant]
    name: String,
    kind: PhantomData<T>,
}

#[derive(Active, Clone, Debug, PartialEq)]
struct List<T> {
    head: T,
    tail: Option<Box<Self>>,
}

#[derive(Active, Debug, PartialEq)]
struct Unit;

#[test]
fn active_structs_come_back() {
    let camera = Camera { rotation: [1.0, 2.0, 3.0], focal: 4.0 };
    returns(camera.clone(), 32);
    assert_eq!(shape(&camera), Camera { rotation: [0.0; 3], focal: 0.0 });
    let layer = Layer { weights: vec![[1.0, 2.0]], size: 3, name: "a".into(), kind: PhantomData };
    returns(layer.clone(), 8 + 16 + 8 + 9);
    assert_eq!(shape(&layer).weights, [[0.0; 2]]);
    returns(List { head: 1.0, tail: Some(Box::new(List { head: 2.0, tail: None })) }, 17);
    returns(Unit, 0);
}

mod foreign {
    #[derive(Debug, Default)]
    pub(crate) struct Handle;
}

/// It derives `Active`, though it cannot be kept.
#[derive(Active, Default)]
pub struct Owner {
    x: f64,
    #[constant]
    handle: foreign::Handle,
    #[constant]
    parent: Option<Rc<Owner>>,
}

/// So does what borrows.
#[derive(Active, Default)]
struct Borrower<'a, 'b> {
    x: f64,
    name: &'a str,
    label: &'b str,
    kind: &'static str,
}

#[test]
fn an_active_struct_need_not_be_recordable() {
    let owner = Owner { x: 1.5, ..Owner::default() };
    assert_eq!(
        (owner.flatten(), owner.parent.is_none(), format!("{:?}", owner.handle)),
        (vec![1.5], true, "Handle".into())
    );
    let borrower = Borrower { x: 1.5, ..Borrower::default() };
    assert_eq!((borrower.flatten(), borrower.name, borrower.label, borrower.kind), (vec![1.5], "", "", ""));
}

#[derive(Recordable, Clone, Debug, PartialEq)]
struct Pair<'a, K, V: Clone>(K, [V; 2], PhantomData<&'a K>);

#[derive(Recordable, Clone, Debug, PartialEq)]
enum Tree<T> {
    Empty,
    Leaf(T),
    Node { left: Box<Self>, right: Box<Tree<T>>, size: usize },
}

#[derive(Recordable, Clone, Copy, Debug, PartialEq)]
enum State {
    Waiting,
    Running,
}

#[derive(Recordable, Clone, Copy, Debug, PartialEq)]
enum Alone {
    Only(u8),
}

#[derive(Recordable, Debug, PartialEq)]
enum Never {}

#[derive(Recordable, Debug, PartialEq)]
struct First(Vec<Second>);

#[derive(Recordable, Debug, PartialEq)]
struct Second(Vec<First>);

#[test]
fn structs_and_enums_come_back() {
    returns(Pair(1_u8, [true, false], PhantomData), 9);
    returns(State::Waiting, 1);
    returns([State::Running; 9], 2);
    returns(Alone::Only(7), 8);
    returns(Vec::<Never>::new(), 8);
    returns(First(vec![Second(vec![First(vec![])])]), 24);
    let leaf = |x| Box::new(Tree::Leaf(x));
    let tree = Tree::Node { left: leaf(1.5), right: Box::new(Tree::Empty), size: 2 };
    returns(tree.clone(), 17);
    let Tree::Node { left, right, size } = shape(&tree) else { panic!("the variant is part of the shape") };
    assert_eq!((left, *right, size), (leaf(0.0), Tree::Empty, 0));
}

#[test]
fn every_number_comes_back() {
    returns(Dual { re: 1.5, eps: [2.5, 3.5] }, 24);
    returns(Taylor::<f64, 2>::new(1.5, [2.5, 3.5]), 24);
    returns(Lanes::<f64, 4>::from([1.0, 2.0, 3.0, 4.0]), 32);
    returns(shape(&Shared::<Lanes<f32, 4>>(1.5)).0, 4);
    returns(Seeds([1.5_f32, 2.5]), 8);
    returns(retrograd::Fixed::<32>::lit(-0.1), 8);
    returns(LogNumber::<f64>::lit(-2.5), 16);
    returns(Tropical::new(1.5), 9);
    returns(retrograd::Constant, 0);
    #[cfg(feature = "num-complex")]
    returns(num_complex::Complex::new(1.5_f32, -2.5), 8);
    returns((Wrapping(7_u8), 1..3, 4..=5, ..6_u8, 'x', ..), 52);
    assert_eq!(shape(&Tropical::new(1.5)), Tropical::zero());
    assert_eq!(shape(&LogNumber::<f64>::lit(-2.5)), LogNumber::zero());
    assert_eq!(shape(&Dual { re: 1.5, eps: [2.5] }), Dual::zero());
}

#[test]
fn traced_numbers_come_back_with_their_place_in_the_graph() {
    let graph = retrograd::trace(&[2.0], |x: &[Traced]| {
        let (mut record, slot) = (Record::new(), Slot::new());
        slot.keep(&mut record, &x[0]);
        let kept = slot.recall(&mut record);
        vec![kept * kept]
    });
    let _: &numbers::Graph = &graph;
    assert_eq!(graph.gradient(), [4.0]);
}

#[test]
fn stores_come_back() {
    returns(Stack::from(vec![1.5, 2.5]), 24);
    let mut slots = Slots::from_iter([(2_u8, 1.5), (5, 2.5), (7, 3.5)]);
    slots[5] = 0.0;
    slots.free(5);
    let (mut record, slot) = (Record::new(), Slot::new());
    slot.keep(&mut record, &slots);
    let mut again: Slots<u8, f64> = slot.recall(&mut record);
    assert_eq!((again.peak(), &again, record.bytes()), (3, &slots, 0));
    again.allocate(9);
    assert_eq!((again.peak(), again.len()), (3, 3));
    assert_eq!(shape(&slots), Slots::from_iter([(2, 0.0), (7, 0.0)]));
    let mut buffer = retrograd::InformationBuffer::new();
    retrograd::ops::damp(&mut retrograd::Fixed::<32>::lit(1.5), retrograd::Fixed::lit(0.3), &mut buffer);
    let bytes = buffer.bytes() + 8;
    returns(buffer, bytes);
}
