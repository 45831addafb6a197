//! Arrays of `ndarray` that own their elements, in any number of dimensions.

use std::borrow::{Borrow, BorrowMut};
use std::fmt::Debug;

use ndarray::{Array, Dimension, NdIndex};

use super::recording::Made;
use super::{Elements, Like, Place, adapter, compare, misfit, together};
use crate::Active;
use crate::check::{Compare, Report};
use crate::ops::{Disjoint, Site, found_among, same_element, same_element_read};
use crate::shadow::{AddFrom, Join, Misfit, Negate, Shadowed, Zero};

adapter! {
    (D: Dimension,) Array<A, D>;
}

impl<A, D: Dimension> Elements for Array<A, D> {
    type Element = A;

    fn elements<'a>(&'a self) -> impl Iterator<Item = &'a A>
    where
        A: 'a,
    {
        self.iter()
    }
    fn elements_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut A>
    where
        A: 'a,
    {
        self.iter_mut()
    }
    fn place(&self, k: usize) -> Place {
        let mut rest = k;
        let mut index = self.shape().to_vec();
        for length in index.iter_mut().rev() {
            (*length, rest) = (rest % *length, rest / *length);
        }
        Place(index)
    }
    fn lengths(&self) -> Vec<(String, usize)> {
        match self.shape() {
            [length] => vec![(String::new(), *length)],
            shape => shape.iter().enumerate().map(|(axis, length)| (format!(".axis({axis})"), *length)).collect(),
        }
    }
}

impl<A, B, D: Dimension> Like<B> for Array<A, D> {
    type Container = Array<B, D>;
    fn map_elements(&self, f: impl FnMut(&A) -> B) -> Array<B, D> {
        self.map(f)
    }
}

impl<A, D: Dimension> Made for Array<A, D> {
    type Lengths = Vec<usize>;

    fn all_lengths(&self) -> Vec<usize> {
        self.shape().to_vec()
    }
    fn count(lengths: &Vec<usize>) -> usize {
        lengths.iter().product()
    }
    fn in_a_row(&self) -> Option<&[A]> {
        self.as_slice()
    }
    fn made(lengths: Vec<usize>, elements: Vec<A>) -> Self {
        let mut dimension = D::zeros(lengths.len());
        dimension.slice_mut().copy_from_slice(&lengths);
        Array::from_shape_vec(dimension, elements).expect("there are as many as the lengths say")
    }
}

impl<A, D: Dimension, I: NdIndex<D> + Clone + Debug> Disjoint<I> for Array<A, D> {
    type Element = A;

    #[track_caller]
    fn disjoint_mut<const N: usize>(&mut self, indices: [I; N], site: &Site) -> [&mut A; N] {
        // Out of bounds this panics with the words of ndarray.
        for index in &indices {
            let _ = &self[index.clone()];
        }
        let dimension = self.raw_dim();
        let in_memory = self.as_slice_memory_order().is_some() && self.strides().iter().all(|&stride| stride >= 0);
        let strides = match in_memory {
            true => {
                let mut strides = D::zeros(self.ndim());
                strides.slice_mut().iter_mut().zip(self.strides()).for_each(|(to, from)| *to = *from as usize);
                strides
            }
            // In the order of the iterator.
            false => dimension.default_strides(),
        };
        let place = |index: &I| index.index_checked(&dimension, &strides).unwrap_or_default() as usize;
        let places = indices.each_ref().map(place);
        let found = match in_memory {
            true => self.as_slice_memory_order_mut().and_then(|elements| elements.get_disjoint_mut(places).ok()),
            // An array with gaps cannot be sliced, and is gone through.
            false => {
                let mut elements: Vec<Option<&mut A>> = self.iter_mut().map(Some).collect();
                let found = places.map(|place| elements[place].take());
                found.iter().all(Option::is_some).then(|| found.map(|element| element.expect("all of them are there")))
            }
        };
        found.unwrap_or_else(|| same_element(&indices, site))
    }

    #[track_caller]
    fn changed_and_read<const N: usize, const M: usize>(
        &mut self,
        changed: [I; N],
        read: [I; M],
        site: &Site,
    ) -> ([&mut A; N], [&A; M]) {
        for index in changed.iter().chain(&read) {
            let _ = &self[index.clone()];
        }
        let (dimension, strides) = (self.raw_dim(), self.raw_dim().default_strides());
        let place = |index: &I| index.index_checked(&dimension, &strides).unwrap_or_default() as usize;
        let found = found_among(self.iter_mut(), changed.each_ref().map(place), read.each_ref().map(place));
        found.unwrap_or_else(|| same_element_read(&changed, &read, site))
    }
}
