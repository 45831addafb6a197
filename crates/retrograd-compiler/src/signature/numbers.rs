//! Which types are numbers, and through which no derivative flows.

use proc_macro2::Ident;

use super::Parameter;
use crate::ir::{Expr, ExprKind, Path, Type, TypeKind};

/// The floats of Rust.
pub const FLOATS: [&str; 2] = ["f64", "f32"];

/// The number types of this library.
const NAMED: [&str; 6] = ["Dual", "Fixed", "Lanes", "LogNumber", "Taylor", "Traced"];

/// Whether a name is that of a float of Rust.
pub fn is_float(name: &Ident) -> bool {
    FLOATS.iter().any(|float| name == float)
}

/// The type parameters that are numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Those bound by `Real`, in order, and behind them those that active parameters are made of and that operators bind.
    pub parameters: Vec<Ident>,
    /// How many of them are bound by `Real`.
    real: usize,
    /// Type parameters that active parameters are made of, and that nothing says to be numbers.
    pub others: Vec<Ident>,
}

impl Numbers {
    /// The numbers of a function, and of the `impl` around it.
    pub(super) fn read(outer: Option<&syn::Generics>, own: &syn::Generics, parameters: &[Parameter]) -> Numbers {
        let mut numbers = Numbers::default();
        let generics: Vec<&syn::Generics> = outer.into_iter().chain([own]).collect();
        for param in generics.iter().flat_map(|generics| generics.type_params()) {
            if bounds(param, &generics).any(is_real) {
                numbers.parameters.push(param.ident.clone());
            }
        }
        numbers.real = numbers.parameters.len();
        for param in generics.iter().flat_map(|generics| generics.type_params()) {
            let made_of = |p: &Parameter| p.active && mentions(&p.syntax, &param.ident);
            if numbers.parameters.contains(&param.ident) || !parameters.iter().any(made_of) {
                continue;
            }
            match bounds(param, &generics).any(is_operator) {
                true => numbers.parameters.push(param.ident.clone()),
                false => numbers.others.push(param.ident.clone()),
            }
        }
        numbers
    }

    /// The type that float literals belong to: the type parameter bound by `Real`, if there is exactly one.
    pub fn literal(&self) -> Option<&Ident> {
        match &self.parameters[..self.real] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// The numbers that operators bind, and not `Real`: derivatives need that bound as well.
    pub fn implied(&self) -> &[Ident] {
        &self.parameters[self.real..]
    }

    /// Whether a name is that of a number.
    pub fn contains(&self, name: &Ident) -> bool {
        is_float(name) || self.parameters.contains(name)
    }

    /// Whether a type is a number: of Rust, of the program's type parameters, or written as a number type of this library.
    pub fn is_number(&self, ty: &Type) -> bool {
        ty.as_name().is_some_and(|name| self.contains(name)) || self.is_named(ty)
    }

    /// Whether a type is a number of Rust, an integer among them, or one of the program's type parameters.
    pub fn is_plain_number(&self, ty: &Type) -> bool {
        ty.as_name().is_some_and(|name| self.contains(name) || is_primitive(name))
    }

    /// Whether a type is written as one of the number types of this library, and not made of the numbers that a program is
    /// generic in.
    pub fn is_named(&self, ty: &Type) -> bool {
        let TypeKind::Named { name, .. } = &ty.kind else { return false };
        NAMED.iter().any(|known| name == known) && !self.parameters.iter().any(|number| ty.mentions(number))
    }

    /// Whether a type shows its numbers: a number, or arrays, slices and `Vec`s of such.
    pub fn is_plain(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Slice(of) | TypeKind::Array { of, .. } => self.is_plain(of),
            _ => self.is_number(ty) || ty.vec_element().is_some_and(|element| self.is_plain(element)),
        }
    }

    /// Whether a type is a number, an array of numbers, or something small that is surely `Copy`.
    pub fn is_copied(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Named { name, bare, .. } => *bare && (self.contains(name) || is_primitive(name)),
            TypeKind::Array { of, .. } => self.is_copied(of),
            TypeKind::Tuple(all) => all.iter().all(|ty| self.is_copied(ty)),
            TypeKind::Reference { mutable, .. } => !mutable,
            TypeKind::Slice(_) | TypeKind::Other => false,
        }
    }

    /// Whether all values of a type have the same shape, as numbers have, and arrays of numbers.
    pub fn has_one_shape(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Array { of, .. } => self.has_one_shape(of),
            TypeKind::Tuple(all) => all.iter().all(|ty| self.has_one_shape(ty)),
            TypeKind::Named { .. } => self.is_number(ty),
            TypeKind::Reference { .. } | TypeKind::Slice(_) | TypeKind::Other => false,
        }
    }

    /// Whether a path names an item of a number: `f64::sin`, `T::zero`, `Real::sin`, `<T>::zero`, `<T as Real>::zero`. What another
    /// trait calls by such a name, `<f64 as Table>::sin`, is a function of that trait.
    pub fn owns(&self, path: &Path) -> bool {
        match path.by_trait() {
            Some(name) => name == "Real" || name == "From" && path.last() == "from",
            None => path.owner().is_some_and(|name| self.contains(name)),
        }
    }

    /// The same, or an item of a number type of this library, or of complex numbers: `Complex::exp`.
    pub fn have(&self, path: &Path) -> bool {
        let is_named = |name: &Ident| name == "Complex" || NAMED.iter().any(|known| name == known);
        self.owns(path) || path.by_trait().is_none() && path.owner().is_some_and(is_named)
    }

    /// Whether an expression is this number: `1.0`, `T::one()`.
    pub fn is_constant(&self, e: &Expr, value: f64, function: &str) -> bool {
        match &e.kind {
            ExprKind::Lit(literal) => literal.is_float(value),
            ExprKind::Call { callee, args } => {
                let named = |path: &Path| path.of.is_none() && path.segments.len() == 2 && path.last() == function;
                args.is_empty() && matches!(&callee.kind, ExprKind::Path(path) if named(path) && self.owns(path))
            }
            _ => false,
        }
    }
}

/// What a type parameter is bound by, where it is declared and in `where` clauses.
fn bounds<'a>(
    param: &'a syn::TypeParam,
    generics: &[&'a syn::Generics],
) -> impl Iterator<Item = &'a syn::TypeParamBound> {
    let clauses = generics.iter().copied().flat_map(|generics| &generics.where_clause);
    let predicates = clauses.flat_map(|clause| &clause.predicates).filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(predicate) => match &predicate.bounded_ty {
            syn::Type::Path(path) if path.path.is_ident(&param.ident) => Some(&predicate.bounds),
            _ => None,
        },
        _ => None,
    });
    param.bounds.iter().chain(predicates.flatten())
}

/// Whether a bound is `Real`.
pub(crate) fn is_real(bound: &syn::TypeParamBound) -> bool {
    bound_name(bound).is_some_and(|name| name == "Real")
}

/// Whether a bound is one that is calculated with.
fn is_operator(bound: &syn::TypeParamBound) -> bool {
    const OPERATORS: &[&str] =
        &["Add", "Sub", "Mul", "Div", "Neg", "AddAssign", "SubAssign", "MulAssign", "DivAssign", "Num", "Float"];
    bound_name(bound).is_some_and(|name| OPERATORS.iter().any(|operator| name == operator))
}

fn bound_name(bound: &syn::TypeParamBound) -> Option<&Ident> {
    match bound {
        syn::TypeParamBound::Trait(bound) => bound.path.segments.last().map(|segment| &segment.ident),
        _ => None,
    }
}

/// Whether a name occurs in a type.
pub(crate) fn mentions(ty: &syn::Type, name: &Ident) -> bool {
    struct Mentions<'a>(&'a Ident, bool);
    impl<'ast> syn::visit::Visit<'ast> for Mentions<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0;
        }
    }
    let mut mentions = Mentions(name, false);
    syn::visit::Visit::visit_type(&mut mentions, ty);
    mentions.1
}

/// Whether there is a reference or a lifetime in a type.
pub(crate) fn is_borrowed(ty: &syn::Type) -> bool {
    struct Borrowed(bool);
    impl syn::visit::Visit<'_> for Borrowed {
        fn visit_type_reference(&mut self, _: &syn::TypeReference) {
            self.0 = true;
        }
        fn visit_lifetime(&mut self, _: &syn::Lifetime) {
            self.0 = true;
        }
    }
    let mut borrowed = Borrowed(false);
    syn::visit::Visit::visit_type(&mut borrowed, ty);
    borrowed.0
}

/// Whether a name is that of an integer, a float, `bool` or `char`.
pub(crate) fn is_primitive(name: &Ident) -> bool {
    is_float(name) || is_discrete(name)
}

/// Integers, `bool`, `char`, strings, ranges, and containers of these: no derivative flows through them.
pub(crate) fn is_inactive(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Reference { of, .. } | TypeKind::Slice(of) | TypeKind::Array { of, .. } => is_inactive(of),
        TypeKind::Tuple(all) => all.iter().all(is_inactive),
        TypeKind::Named { name, arguments, .. } => {
            let container = CONTAINERS.iter().any(|container| name == container);
            is_inert(ty) || container && !arguments.is_empty() && arguments.iter().all(is_inactive)
        }
        TypeKind::Other => false,
    }
}

/// Whether no derivative flows through a type, whatever it is made of. A container of such is inactive, but its shadow still has a
/// shape.
pub(crate) fn is_inert(ty: &Type) -> bool {
    let TypeKind::Named { name, .. } = &ty.kind else { return false };
    is_discrete(name) || NAMES.iter().any(|inactive| name == inactive)
}

/// Whether a type of that name is an integer type, `bool` or `char`.
pub(crate) fn is_discrete(name: &Ident) -> bool {
    PRIMITIVES.iter().any(|discrete| name == discrete)
}

/// Types of the language through which no derivative flows.
const PRIMITIVES: &[&str] =
    &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool", "char"];

/// Types of libraries through which no derivative flows.
const NAMES: &[&str] = &[
    "str",
    "String",
    "PhantomData",
    "Range",
    "RangeInclusive",
    "RangeFrom",
    "RangeTo",
    "RangeFull",
    "RangeToInclusive",
    "InformationBuffer",
];

/// Containers through which no derivative flows if none flows through what they contain.
const CONTAINERS: &[&str] = &[
    "Vec",
    "Option",
    "Box",
    "Rc",
    "Arc",
    "Stack",
    "Slots",
    "VecDeque",
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "Wrapping",
    "Saturating",
    "Cow",
];
