//! Operators that follow from others, for every number type here.

/// `x += y` is `x = x + y`, and so on: for all four operators, or for those that are listed.
macro_rules! assign_operators {
    ([$($generics:tt)*] $number:ty, $operand:ty) => {
        $crate::numbers::operators::assign_operators!(
            @ [$($generics)*] $number, $operand,
            AddAssign add_assign +, SubAssign sub_assign -, MulAssign mul_assign *, DivAssign div_assign /
        );

        impl<$($generics)*> $crate::ops::AddUpdate<$operand> for $number {}
    };
    ([$($generics:tt)*] $number:ty, $operand:ty; $($operator:ident $method:ident $symbol:tt),*) => {
        $crate::numbers::operators::assign_operators!(
            @ [$($generics)*] $number, $operand, $($operator $method $symbol),*
        );
    };
    (@ $generics:tt $number:ty, $operand:ty, $($operator:ident $method:ident $symbol:tt),*) => {
        $($crate::numbers::operators::assign_operators!(@ $generics $number, $operand; $operator $method $symbol);)*
    };
    (@ [$($generics:tt)*] $number:ty, $operand:ty; $operator:ident $method:ident $symbol:tt) => {
        impl<$($generics)*> std::ops::$operator<$operand> for $number {
            #[inline(always)]
            #[track_caller]
            fn $method(&mut self, other: $operand) {
                *self = *self $symbol other;
            }
        }
    };
}

/// `2.0 * x`: an `f64` on the left is a constant.
macro_rules! operators_behind_f64 {
    ([$($generics:tt)*] $number:ty, $plain:ty) => {
        impl<$($generics)*> std::ops::Add<$number> for f64 {
            type Output = $number;

            #[inline(always)]
            #[track_caller]
            fn add(self, other: $number) -> $number {
                other + <$plain as $crate::Real>::lit(self)
            }
        }

        impl<$($generics)*> std::ops::Sub<$number> for f64 {
            type Output = $number;

            #[inline(always)]
            #[track_caller]
            fn sub(self, other: $number) -> $number {
                <$number>::constant(<$plain as $crate::Real>::lit(self)) - other
            }
        }

        impl<$($generics)*> std::ops::Mul<$number> for f64 {
            type Output = $number;

            #[inline(always)]
            #[track_caller]
            fn mul(self, other: $number) -> $number {
                other * <$plain as $crate::Real>::lit(self)
            }
        }

        impl<$($generics)*> std::ops::Div<$number> for f64 {
            type Output = $number;

            #[inline(always)]
            #[track_caller]
            fn div(self, other: $number) -> $number {
                <$number>::constant(<$plain as $crate::Real>::lit(self)) / other
            }
        }
    };
}

/// Sums and products of iterators.
macro_rules! sums_and_products {
    ([$($generics:tt)*] $number:ty) => {
        $crate::numbers::operators::sums_and_products!(@ [$($generics)*] $number, Sum sum zero +, Product product one *);
    };
    (@ $generics:tt $number:ty, $($operator:ident $method:ident $start:ident $symbol:tt),*) => {
        $($crate::numbers::operators::sums_and_products!(@ $generics $number; $operator $method $start $symbol);)*
    };
    (@ [$($generics:tt)*] $number:ty; $operator:ident $method:ident $start:ident $symbol:tt) => {
        impl<$($generics)*> std::iter::$operator for $number {
            #[inline]
            fn $method<Terms: Iterator<Item = Self>>(terms: Terms) -> Self {
                terms.fold(<Self as $crate::Real>::$start(), |all, term| all $symbol term)
            }
        }

        impl<'a, $($generics)*> std::iter::$operator<&'a $number> for $number {
            #[inline]
            fn $method<Terms: Iterator<Item = &'a $number>>(terms: Terms) -> Self {
                terms.copied().$method()
            }
        }
    };
}

pub(crate) use {assign_operators, operators_behind_f64, sums_and_products};
