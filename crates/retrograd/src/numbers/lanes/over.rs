//! A gradient over many data points: what `f::gradient_over` is made of.

use super::registers::Element;
#[cfg(feature = "rayon")]
use super::run_each;
use super::shared::Shared;
use super::{Holds, InstructionSet, Kernel, Lanes, run};
use crate::shadow::{AddFrom, Base, Scalar, Shadow};
use crate::{Active, Real};

/// A function of shared numbers and a data point, with all of its arguments and for all data points.
pub trait Each {
    /// The adjoints of all shared arguments, made of `S`.
    type Sums<S: Sum>: Reduce<Output = Self::Sums<f64>>;

    /// How many data points there are.
    fn count(&self) -> usize;
    /// Adjoints of zero.
    fn zero<T: Batch>(&self) -> Self::Sums<SumsOf<T>>;
    /// The data points in front of `at`, and the others.
    fn split(self, at: usize) -> (Self, Self)
    where
        Self: Sized;
    /// The values for the data points from `start` on; their adjoints are added to `sums`.
    fn points<T: Batch>(&mut self, start: usize, sums: &mut Self::Sums<SumsOf<T>>) -> T;
}

/// What the adjoints of shared numbers are summed in.
pub type SumsOf<T> = <<T as Active>::Shadow as Scalar>::Shared;

/// Adjoints of shared numbers: sums over data points, still spread over lanes.
pub trait Sum: Scalar + Reduce<Output = f64> {}

impl<S: Scalar + Reduce<Output = f64>> Sum for S {}

/// A number for one data point, or for several of them.
pub trait Batch:
    Real<Uniform = f64> + Active<Shadow = Self> + Base + Shadow<Self> + Scalar<Shared: Sum> + Reduce<Output = f64>
{
    /// How many data points.
    const COUNT: usize;

    /// The data points from `start` on, number by number.
    fn take<const D: usize>(points: &[[f64; D]], start: usize) -> [Self; D];
    /// Writes them back.
    fn put<const D: usize>(numbers: &[Self; D], points: &mut [[f64; D]], start: usize);
}

impl Batch for f64 {
    const COUNT: usize = 1;

    #[inline(always)]
    fn take<const D: usize>(points: &[[f64; D]], start: usize) -> [f64; D] {
        points[start]
    }
    #[inline(always)]
    fn put<const D: usize>(numbers: &[f64; D], points: &mut [[f64; D]], start: usize) {
        points[start] = *numbers;
    }
}

impl<const W: usize, I: Holds<f64, W>> Batch for Lanes<f64, W, I> {
    const COUNT: usize = W;

    #[inline(always)]
    fn take<const D: usize>(points: &[[f64; D]], start: usize) -> [Self; D] {
        let points: &[[f64; D]; W] = points[start..start + W].try_into().expect("as many points as lanes");
        Lanes::gather(points.each_ref())
    }
    #[inline(always)]
    fn put<const D: usize>(numbers: &[Self; D], points: &mut [[f64; D]], start: usize) {
        let points: &mut [[f64; D]; W] = (&mut points[start..start + W]).try_into().expect("as many points as lanes");
        Lanes::scatter(numbers, points.each_mut());
    }
}

/// What is spread over lanes, as one number each.
pub trait Reduce {
    /// In the same shape.
    type Output;
    /// The sums over all lanes.
    fn reduce(self) -> Self::Output;
}

impl Reduce for f64 {
    type Output = f64;
    #[inline(always)]
    fn reduce(self) -> f64 {
        self
    }
}

impl<E: Element, const W: usize, I: Holds<E, W>> Reduce for Lanes<E, W, I> {
    type Output = E;
    #[inline(always)]
    fn reduce(self) -> E {
        self.sum()
    }
}

impl<A: Reduce, const N: usize> Reduce for [A; N] {
    type Output = [A::Output; N];
    #[inline(always)]
    fn reduce(self) -> [A::Output; N] {
        self.map(A::reduce)
    }
}

impl<A: Reduce> Reduce for Vec<A> {
    type Output = Vec<A::Output>;
    fn reduce(self) -> Vec<A::Output> {
        self.into_iter().map(A::reduce).collect()
    }
}

// Sums of any number of arguments are pairs in pairs: `(a, (b, ()))`.

impl Reduce for () {
    type Output = ();
    #[inline(always)]
    fn reduce(self) {}
}

impl<A: Reduce, B: Reduce> Reduce for (A, B) {
    type Output = (A::Output, B::Output);
    #[inline(always)]
    fn reduce(self) -> Self::Output {
        (self.0.reduce(), self.1.reduce())
    }
}

/// Numbers in an array or slice of any shape, which may be taken for [`Shared`] ones.
///
/// # Safety
///
/// What is shared is laid out like `Self`.
#[allow(unsafe_code, reason = "references to numbers are taken for references to shared ones")]
pub unsafe trait Share<T: Real> {
    /// The same with shared numbers.
    type Shared: ?Sized;
    /// The numbers as shared ones.
    fn share(&self) -> &Self::Shared;
}

macro_rules! share {
    ($([$($generics:tt)*] $type:ty, $shared:ty;)*) => {$(
        // SAFETY: `Shared<T>` is transparent, and holds a `T::Uniform`. Arrays and slices of what is laid out alike are
        // laid out alike.
        #[allow(unsafe_code, reason = "see `Share`")]
        unsafe impl<T: Real $($generics)*> Share<T> for $type {
            type Shared = $shared;
            #[inline(always)]
            fn share(&self) -> &$shared {
                unsafe { &*(std::ptr::from_ref(self) as *const $shared) }
            }
        }
    )*};
}

share! {
    [<Uniform = f64>] f64, Shared<T>;
    [, A: Share<T, Shared: Sized>, const N: usize] [A; N], [A::Shared; N];
    [, A: Share<T, Shared: Sized>] [A], [A::Shared];
}

/// The numbers as shared ones.
#[inline(always)]
pub fn share<T: Real, A: Share<T> + ?Sized>(numbers: &A) -> &A::Shared {
    numbers.share()
}

/// The sum of all values, and its gradient with respect to the shared numbers.
///
/// As many data points as there are lanes go through the function at once, and those that are left one by one.
#[cfg(not(feature = "rayon"))]
#[inline]
pub fn gradient_over<O: Each>(each: O) -> (f64, O::Sums<f64>)
where
    O::Sums<f64>: AddFrom<O::Sums<f64>>,
{
    run(Over(each))
}

/// The sum of all values, and its gradient with respect to the shared numbers, on as many threads as rayon has.
///
/// The data points are cut into pieces, by their number alone. Each piece has sums of its own, which are added up in order: the same
/// bits come out for every number of threads. In a piece as many data points as there are lanes go through the function at once, and
/// those that are left one by one.
#[cfg(feature = "rayon")]
pub fn gradient_over<O: Each + Send>(each: O) -> (f64, O::Sums<f64>)
where
    O::Sums<f64>: AddFrom<O::Sums<f64>> + Send,
{
    let (mut left, mut rest) = (each.count(), each);
    let (piece, mut pieces) = (crate::threads::piece(left), Vec::new());
    while left > piece {
        let (first, others) = rest.split(piece);
        pieces.push(first);
        (rest, left) = (others, left - piece);
    }
    if pieces.is_empty() {
        return run(Over(rest));
    }
    pieces.push(rest);
    let mut sums = run_each(pieces.into_iter().map(Over).collect()).into_iter();
    let (mut value, mut gradient) = sums.next().expect("there are at least two pieces");
    for (more, sum) in sums {
        value += more;
        gradient.add_from(sum);
    }
    (value, gradient)
}

struct Over<O>(O);

impl<O: Each> Kernel for Over<O>
where
    O::Sums<f64>: AddFrom<O::Sums<f64>>,
{
    type Output = (f64, O::Sums<f64>);

    #[inline(always)]
    fn run<I: InstructionSet>(self) -> Self::Output {
        let Over(mut each) = self;
        let count = each.count();
        let together = count - count % I::Pair::COUNT;
        let mut sums = each.zero::<I::Pair>();
        let mut values = <I::Pair as Real>::zero();
        for start in (0..together).step_by(I::Pair::COUNT) {
            values += each.points(start, &mut sums);
        }
        let (mut value, mut gradient) = (values.reduce(), sums.reduce());
        let mut rest = each.zero::<f64>();
        for start in together..count {
            value += each.points::<f64>(start, &mut rest);
        }
        gradient.add_from(rest);
        (value, gradient)
    }
}

/// How many data points there are.
///
/// # Panics
///
/// If another argument has more or fewer.
#[track_caller]
pub fn count(lengths: &[(&str, usize)]) -> usize {
    let (first, count) = lengths[0];
    for (name, length) in lengths {
        assert!(*length == count, "`{first}` has {count} data points, but `{name}` has {length}");
    }
    count
}
