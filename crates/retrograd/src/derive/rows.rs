//! What `f::jacobian` is made of: all rows in one sweep backwards, or some columns in each sweep forwards.

use crate::shadow::{Base, Scalar, Seeds, Shadowed};

/// How many columns of a Jacobian are computed in one sweep forwards.
pub const COLUMNS: usize = 4;

/// The rows that a sweep backwards found for one argument.
pub fn rows<V, D, const M: usize>(adjoint: &<V as Shadowed<Seeds<D, M>>>::Shadow, rows: &mut [Vec<D>; M])
where
    V: Shadowed<Seeds<D, M>> + ?Sized,
    D: Copy,
{
    V::scalars(adjoint, &mut |seeds| rows.iter_mut().zip(seeds.0).for_each(|(row, seed)| row.push(seed)));
}

/// How many numbers a shadow has.
pub fn width<V, S>(shadow: &<V as Shadowed<S>>::Shadow) -> usize
where
    V: Shadowed<S> + ?Sized,
{
    let mut width = 0;
    V::scalars(shadow, &mut |_| width += 1);
    width
}

/// Makes one argument move along the axes `start..`, its numbers having the places from `offset` on. Returns the place after its
/// last.
pub fn axes<V, D: Base>(tangent: &mut <V as Shadowed<Seeds<D, COLUMNS>>>::Shadow, offset: usize, start: usize) -> usize
where
    V: Shadowed<Seeds<D, COLUMNS>> + ?Sized,
{
    let mut place = offset;
    V::scalars_mut(tangent, &mut |seeds| {
        *seeds = match (start..start + COLUMNS).contains(&place) {
            true => Seeds::basis(place - start),
            false => Seeds::zero(),
        };
        place += 1;
    });
    place
}

/// The columns `start..` that a sweep forwards found, of `width` in all.
pub fn columns<R, D: Copy, const M: usize>(
    tangent: &<R as Shadowed<Seeds<D, COLUMNS>>>::Shadow,
    start: usize,
    width: usize,
    rows: &mut [Vec<D>; M],
) where
    R: Shadowed<Seeds<D, COLUMNS>> + ?Sized,
{
    let mut rows = rows.iter_mut();
    let count = COLUMNS.min(width - start);
    R::scalars(tangent, &mut |seeds| {
        if let Some(row) = rows.next() {
            row.extend_from_slice(&seeds.0[..count]);
        }
    });
}
