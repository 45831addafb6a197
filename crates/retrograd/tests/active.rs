//! `#[derive(Active)]`: the shadow of a struct, its zeros and sums, and its numbers as a vector.

use std::fmt::Debug;
use std::marker::PhantomData;

use retrograd::private::{AddFrom, Extent, Join, Misfit, Negate, Shadowed, Sweep, Zero, add, join, negate, sub, zero};
use retrograd::{Constant, Seeds, prelude::*};

/// Made of its parameter: its own shadow.
#[derive(Active, Clone, Copy, Debug, Default, PartialEq)]
struct Camera<T> {
    rotation: [T; 3],
    focal: T,
}

/// Made of another generic struct.
#[derive(Active, Clone, Debug, PartialEq)]
struct Scene<T, const N: usize = 2> {
    cameras: Vec<Camera<T>>,
    points: [Point<T>; N],
    unit: PhantomData<T>,
}

#[derive(Active, Clone, Copy, Debug, PartialEq)]
struct Point<T>(T, T);

/// Not generic: a struct beside it.
#[derive(Active, Clone, Debug, PartialEq)]
struct Oscillator {
    state: (f64, f64),
    steps: usize,
    history: Vec<f64>,
}

/// Generic, with an integer: a struct beside it.
#[derive(Active, Clone, Debug, PartialEq)]
struct Layer<T> {
    weights: Vec<T>,
    size: usize,
}

/// Made of a struct that is not its own shadow, and of what has none.
#[derive(Active, Clone, Debug, PartialEq)]
#[active(shadow = Gradient)]
struct Network<T: Real> {
    layers: Vec<Layer<T>>,
    scale: T,
    #[constant]
    table: [Vec<T>; 2],
    #[constant]
    limits: Vec<f64>,
    #[constant]
    path: std::path::PathBuf,
}

fn scene() -> Scene<f64> {
    let camera = Camera { rotation: [1.0, 2.0, 3.0], focal: 4.0 };
    Scene { cameras: vec![camera], points: [Point(5.0, 6.0), Point(7.0, 8.0)], unit: PhantomData }
}

fn oscillator() -> Oscillator {
    Oscillator { state: (1.0, 2.0), steps: 3, history: vec![3.0, 4.0] }
}

fn network() -> Network<f64> {
    let layer = |weights: &[f64]| Layer { weights: weights.to_vec(), size: weights.len() };
    let table = [vec![9.0], vec![9.0, 9.0]];
    let layers = vec![layer(&[1.0, 2.0]), layer(&[3.0])];
    Network { layers, scale: 4.0, table, limits: vec![1.0], path: "net".into() }
}

/// The numbers are those given, other numbers can be put in their places, and the shadow has as many.
fn is_made_of<A>(mut value: A, numbers: &[f64])
where
    A: Active<Number = f64, Shadow = A::Owned> + Shadowed<f64> + Clone + Debug + PartialEq,
    A::Owned: Active<Number = f64> + PartialEq + Debug,
{
    assert_eq!((value.flatten(), value.count()), (numbers.to_vec(), numbers.len()));
    let (before, others) = (value.clone(), numbers.iter().map(|x| 10.0 * x).collect::<Vec<f64>>());
    value.unflatten(&others);
    assert_eq!(value.flatten(), others);
    value.unflatten(numbers);
    assert_eq!(value, before);
    assert_eq!(zero(Sweep::<f64>::new(), &value).flatten(), vec![0.0; numbers.len()]);
}

#[test]
fn a_struct_is_made_of_the_numbers_of_its_fields_in_order() {
    is_made_of(scene(), &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    is_made_of(oscillator(), &[1.0, 2.0, 3.0, 4.0]);
    is_made_of(network(), &[1.0, 2.0, 3.0, 4.0]);
}

#[test]
#[should_panic = "the value is made of 4 numbers, but 3 are given"]
fn a_wrong_number_of_numbers_is_refused() {
    oscillator().unflatten(&[1.0, 2.0, 3.0]);
}

#[test]
fn the_shadow_has_the_fields_of_the_struct() {
    let zeros: Scene<f64> = scene().zero_shadow(Zero::Plain);
    assert_eq!((zeros.cameras, zeros.points), (vec![Camera::default()], [Point(0.0, 0.0); 2]));
    let zeros: OscillatorShadow<f64> = oscillator().zero_shadow(Zero::Plain);
    assert_eq!(zeros, OscillatorShadow { state: (0.0, 0.0), steps: (), history: vec![0.0; 2] });
    let zeros: Gradient<f64> = network().zero_shadow(Zero::Plain);
    let layers = vec![LayerShadow { weights: vec![0.0; 2], size: () }, LayerShadow { weights: vec![0.0], size: () }];
    let table = [vec![Constant], vec![Constant, Constant]];
    assert_eq!(zeros, Gradient { layers, scale: 0.0, table, limits: vec![Constant], path: Constant });
    assert_eq!(format!("{:?}", zeros.layers[1]), "LayerShadow { weights: [0.0], size: () }");
    assert!(OscillatorShadow::<f64>::default().clone().history.is_empty());
}

/// The shadows that the numbers `1, 2, ..` make, for the struct of `value`.
fn counted<A: Shadowed<f64>>(value: &A) -> A::Owned
where
    A::Owned: Active<Number = f64>,
{
    let mut shadow = value.zero_shadow(Zero::Plain);
    let numbers: Vec<f64> = (1..=shadow.count()).map(|n| n as f64).collect();
    shadow.unflatten(&numbers);
    shadow
}

/// Sums and signs are those of the numbers.
fn accumulates<A: Shadowed<f64>>(value: A)
where
    A::Owned: Active<Number = f64> + Clone + PartialEq + Debug + Negate,
    A::Owned: AddFrom<A::Owned> + for<'g> AddFrom<&'g A::Owned> + AddFrom<()>,
    A::Owned: Join<A::Owned, Output = A::Owned> + Join<(), Output = A::Owned>,
{
    let one = counted(&value);
    let times = |factor: f64| {
        let mut shadow = one.clone();
        shadow.visit_mut(&mut |number| *number *= factor);
        shadow
    };
    let mut sum = value.zero_shadow(Zero::Plain);
    add(&mut sum, one.clone());
    add(&mut sum, &times(2.0));
    add(&mut sum, ());
    assert_eq!(sum, times(3.0));
    sub(&mut sum, times(4.0));
    sub(&mut sum, &one);
    sub(&mut sum, ());
    assert_eq!(sum, times(-2.0));
    assert_eq!(join(one.clone(), times(2.0)), times(3.0));
    assert_eq!((join(one.clone(), ()), join((), one.clone())), (one.clone(), one.clone()));
    assert_eq!(negate(one.clone()), times(-1.0));
}

#[test]
fn shadows_are_added_field_by_field() {
    accumulates(scene());
    accumulates(oscillator());
    accumulates(network());
}

#[test]
fn a_misfit_is_found_by_its_path() {
    let length = |extent: Extent| match extent {
        Extent::Length(length) => length,
        Extent::Variant(name) => panic!("`{name}` is no length"),
    };
    let path = |misfit: Option<Misfit>| {
        misfit.map(|Misfit { path, expected, actual }| (path, length(expected), length(actual)))
    };
    let (value, mut shadow) = (scene(), scene());
    assert_eq!(path(value.misfit(&shadow)), None);
    shadow.cameras.clear();
    assert_eq!(path(value.misfit(&shadow)), Some((".cameras".into(), 1, 0)));
    let (value, mut shadow) = (network(), counted(&network()));
    shadow.layers[1].weights.push(0.0);
    assert_eq!(path(value.misfit(&shadow)), Some((".layers[1].weights".into(), 1, 2)));
    let (value, mut shadow) = (network(), counted(&network()));
    shadow.table[0].clear();
    assert_eq!(path(value.misfit(&shadow)), Some((".table[0]".into(), 1, 0)));
    let (value, shadow) = (Pair(vec![1.0], [vec![2.0]]), Pair(vec![1.0], [vec![]]));
    assert_eq!(path(value.misfit(&shadow)), Some((".1[0]".into(), 1, 0)));
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Pair<A, B>(A, B);

#[test]
fn each_parameter_has_a_shadow_of_its_own() {
    let pair = Pair(3_u8, Some(vec![1.0]));
    assert_eq!(pair.flatten(), [1.0]);
    let zeros: Pair<(), Option<Vec<f64>>> = pair.zero_shadow(Zero::Plain);
    assert_eq!(zeros, Pair((), Some(vec![0.0])));
    let zeros: Pair<(), Option<Vec<Seeds<f64, 2>>>> = pair.zero_shadow(Zero::Plain);
    assert_eq!(zeros.1.unwrap(), [Seeds([0.0, 0.0])]);
}

/// A parameter that only says how a field is used.
#[derive(Active, Clone, Debug, PartialEq)]
struct Marked<T, M> {
    weights: Vec<T>,
    #[constant]
    how: M,
}

/// Its fields know which of its parameters are numbers.
#[derive(Active, Clone, Debug, PartialEq)]
#[active(shadow = BlockShadow)]
struct Block<T, M> {
    first: Layer<T>,
    second: Marked<T, M>,
}

#[test]
fn parameters_of_fields_need_not_be_active() {
    struct Nothing;
    let second = Marked { weights: vec![3.0, 4.0], how: Nothing };
    let mut block = Block { first: Layer { weights: vec![2.0], size: 7 }, second };
    assert_eq!(block.flatten(), [2.0, 3.0, 4.0]);
    block.unflatten(&[5.0, 6.0, 7.0]);
    assert_eq!(block.second.weights, [6.0, 7.0]);
    let zeros: BlockShadow<f64, Nothing, f64> = block.zero_shadow(Zero::Plain);
    assert_eq!((zeros.first.weights, zeros.second.weights), (vec![0.0], vec![0.0; 2]));
}

/// What generated code does: fields of shadows by their names, over every number type and every scalar.
fn adjoint<T: Real, S: retrograd::private::Shadow<T>>(
    sweep: Sweep<S>,
    (scene, scene_shadow): (&Scene<T>, &mut <Scene<T> as Shadowed<S>>::Shadow),
    (network, network_shadow): (&Network<T>, &mut <Network<T> as Shadowed<S>>::Shadow),
    seed: S,
) {
    add(&mut scene_shadow.cameras[0].rotation[2], seed);
    add(&mut scene_shadow.points[1].0, seed);
    add(&mut network_shadow.layers[1].weights[0], retrograd::private::pull(seed, network.scale));
    add(&mut network_shadow.layers[1].size, seed);
    add(&mut network_shadow.table[1][0], seed);
    let mut local = zero(sweep, scene);
    add(&mut local, &*scene_shadow);
    add(scene_shadow, local);
    let layer = join(zero(sweep, &network.layers[1]), ());
    add(&mut network_shadow.layers[1], negate(layer));
}

#[test]
fn generic_code_reaches_the_fields_of_every_shadow() {
    fn run<S: retrograd::private::Shadow<f64> + Debug>(seed: S) -> (Scene<S>, Gradient<f64, S>) {
        let (scene, network) = (scene(), network());
        let mut shadows = (scene.zero_shadow(Zero::Plain), network.zero_shadow(Zero::Plain));
        adjoint(Sweep::new(), (&scene, &mut shadows.0), (&network, &mut shadows.1), seed);
        shadows
    }
    let (scene_shadow, network_shadow) = run(1.0);
    assert_eq!((scene_shadow.cameras[0].rotation, scene_shadow.points[1]), ([0.0, 0.0, 2.0], Point(2.0, 0.0)));
    assert_eq!(network_shadow.flatten(), [0.0, 0.0, 4.0, 0.0]);
    let (scene_shadow, network_shadow) = run(Seeds([1.0, 3.0]));
    assert_eq!(scene_shadow.cameras[0].rotation[2], Seeds([2.0, 6.0]));
    let mut scalars = Vec::new();
    <Network<f64> as Shadowed<Seeds<f64, 2>>>::scalars(&network_shadow, &mut |seeds| scalars.push(seeds.0[1]));
    assert_eq!(scalars, [0.0, 0.0, 12.0, 0.0]);
}

#[test]
fn a_shadow_has_a_shadow() {
    let gradient: Gradient<f64> = counted(&network());
    let second: Gradient<f64, Seeds<f64, 2>> = gradient.zero_shadow(Zero::Plain);
    assert_eq!(second.layers[0].weights, [Seeds([0.0, 0.0]); 2]);
    assert_eq!(second.table, [vec![Constant], vec![Constant, Constant]]);
    is_made_of(gradient, &[1.0, 2.0, 3.0, 4.0]);
    is_made_of(counted(&oscillator()), &[1.0, 2.0, 3.0, 4.0]);
    let mut misfit: OscillatorShadow<f64> = oscillator().zero_shadow(Zero::Plain);
    misfit.history.pop();
    assert_eq!(counted(&oscillator()).misfit(&misfit).unwrap().path, ".history");
}

#[test]
fn a_struct_may_contain_itself() {
    #[derive(Active, Clone, Debug, PartialEq)]
    struct List<T> {
        head: T,
        tail: Option<Box<List<T>>>,
    }
    #[derive(Active, Clone, Debug, PartialEq)]
    struct Tree {
        value: f64,
        children: Vec<Tree>,
    }
    let list = List { head: 1.0, tail: Some(Box::new(List { head: 2.0, tail: None })) };
    is_made_of(list.clone(), &[1.0, 2.0]);
    accumulates(list);
    let leaf = |value| Tree { value, children: vec![] };
    let tree = Tree { value: 1.0, children: vec![leaf(2.0), leaf(3.0)] };
    is_made_of(tree.clone(), &[1.0, 2.0, 3.0]);
    is_made_of(counted(&tree), &[1.0, 2.0, 3.0]);
    accumulates(tree);
}

#[test]
fn what_is_borrowed_has_a_shadow_that_is_owned() {
    #[derive(Active)]
    struct View<'a, T> {
        data: &'a [T],
        target: &'a mut Vec<T>,
        name: &'a str,
        offset: T,
    }
    let mut target = vec![1.0, 2.0];
    let mut view = View { data: &[5.0, 6.0], target: &mut target, name: "view", offset: 3.0 };
    let zeros: ViewShadow<f64> = view.zero_shadow(Zero::Plain);
    assert_eq!((zeros.data, zeros.target, zeros.name, zeros.offset), (vec![0.0; 2], vec![0.0; 2], (), 0.0));
    // What is behind a `&` cannot be set, and is left out.
    assert_eq!(view.flatten(), [1.0, 2.0, 3.0]);
    view.unflatten(&[7.0, 8.0, 9.0]);
    assert_eq!((view.offset, view.data.len() + view.name.len(), target), (9.0, 6, vec![7.0, 8.0]));
}

#[test]
fn a_struct_without_numbers_has_a_shadow_with_its_fields() {
    #[derive(Active)]
    struct Nothing;
    #[derive(Active)]
    struct Index(usize, [u8; 2]);
    let _: NothingShadow = Shadowed::<f64>::zero_shadow(&Nothing, Zero::Plain);
    let index = Index(1, [2, 3]);
    let zeros: IndexShadow<f64> = index.zero_shadow(Zero::Plain);
    assert_eq!((zeros, zeros.count()), (IndexShadow((), [(), ()]), index.0 - 1));
}

#[reversible]
fn project<T: Real>(y: &mut [T], camera: &Camera<T>, x: &[T]) {
    for i in 0..3 {
        y[i] += camera.rotation[i] * x[i] * camera.focal;
    }
}

#[reversible]
impl Oscillator {
    fn step(&mut self, dt: f64) {
        self.state.1 -= dt * self.state.0;
        self.state.0 += dt * self.state.1;
        self.history[0] += self.state.0 * self.state.1;
        self.steps += 1;
    }
}

#[test]
fn derivatives_flow_through_structs() {
    let (camera, x) = (Camera { rotation: [1.0, 2.0, 3.0], focal: 2.0 }, [1.0, 1.0, 2.0]);
    let (mut y, mut grad_y) = ([0.0; 3], [1.0, 10.0, 100.0]);
    project(&mut y, &camera, &x);
    let (mut grad_camera, mut grad_x) = (Camera::default(), [0.0; 3]);
    project::pullback((&mut y, &mut grad_y), (&camera, &mut grad_camera), (&x, &mut grad_x));
    assert_eq!(grad_camera, Camera { rotation: [2.0, 20.0, 400.0], focal: 621.0 });
    assert_eq!((y, grad_x), ([0.0; 3], [2.0, 40.0, 600.0]));

    let (mut value, mut grad) = (oscillator(), oscillator().zero_shadow(Zero::Plain));
    value.step(0.5);
    assert_eq!((value.state, value.history[0], value.steps), ((1.75, 1.5), 5.625, 4));
    grad.history[0] = 1.0;
    value.pullback_step(&mut grad, (0.5, &mut 0.0));
    // Of x' v' by x and v, where v' = v - x / 2 and x' = x + v' / 2.
    assert_eq!((grad.state, grad.history[0]), ((0.25, 2.5), 1.0));
    assert_eq!(value, oscillator());
}
