//! Types as they are written.

use proc_macro2::Ident;

use super::{Expr, ExprKind, Member, Projection, Syntax};

/// A type, taken apart as far as its syntax goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// How it is written.
    pub written: Syntax,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `&T`, `&mut T`
    Reference {
        /// Whether it is a `&mut`.
        mutable: bool,
        /// What it refers to.
        of: Box<Type>,
    },
    /// `[T]`
    Slice(Box<Type>),
    /// `[T; N]`
    Array {
        /// The elements.
        of: Box<Type>,
        /// How many.
        len: Syntax,
    },
    /// `(A, B)`
    Tuple(Vec<Type>),
    /// A type with a name: `f64`, `T`, `std::vec::Vec<T>`, `Camera<'a, T>`.
    Named {
        /// The last name of its path.
        name: Ident,
        /// Whether the name is all there is: no path in front, no arguments behind.
        bare: bool,
        /// The types among its generic arguments.
        arguments: Vec<Type>,
    },
    /// Anything else: a trait object, a function, a projection.
    Other,
}

impl Type {
    /// The type of that name.
    pub fn named(name: &Ident) -> Type {
        let kind = TypeKind::Named { name: name.clone(), bare: true, arguments: Vec::new() };
        Type { kind, written: Syntax::of(name) }
    }

    /// The name, of a type that is nothing but a name.
    pub fn as_name(&self) -> Option<&Ident> {
        match &self.kind {
            TypeKind::Named { name, bare: true, .. } => Some(name),
            _ => None,
        }
    }

    /// Whether it is this name and nothing else.
    pub fn is(&self, name: &str) -> bool {
        self.as_name().is_some_and(|own| own == name)
    }

    /// The type behind all references.
    pub fn pointee(&self) -> &Type {
        match &self.kind {
            TypeKind::Reference { of, .. } => of.pointee(),
            _ => self,
        }
    }

    /// The type of the elements of a `Vec`.
    pub fn vec_element(&self) -> Option<&Type> {
        match &self.kind {
            TypeKind::Named { name, arguments, .. } if name == "Vec" => arguments.first(),
            _ => None,
        }
    }

    /// Whether it is a slice, an array or a `Vec`, perhaps behind references: what `[..]` and `len` mean is known.
    pub fn is_list(&self) -> bool {
        match &self.pointee().kind {
            TypeKind::Slice(_) | TypeKind::Array { .. } => true,
            TypeKind::Named { name, .. } => name == "Vec",
            TypeKind::Reference { .. } | TypeKind::Tuple(_) | TypeKind::Other => false,
        }
    }

    /// The type of a part of a place of this type, as far as it is written: of what a reference refers to, of elements, of parts of
    /// tuples.
    pub fn part(&self, step: &Projection) -> Option<&Type> {
        let inner = self.pointee();
        match (step, &inner.kind) {
            (Projection::Deref, _) => Some(inner),
            (Projection::Index(Expr { kind: ExprKind::Range { .. }, .. }), _) => Some(inner),
            (Projection::Index(_), TypeKind::Slice(of) | TypeKind::Array { of, .. }) => Some(of),
            (Projection::Index(_), _) => inner.vec_element(),
            (Projection::Field(Member::Index(i)), TypeKind::Tuple(all)) => all.get(*i),
            (Projection::Field(_) | Projection::Some, _) => None,
        }
    }

    /// Whether it is a range, perhaps behind references: indexing with it gives a slice.
    pub fn is_range(&self) -> bool {
        matches!(&self.pointee().kind, TypeKind::Named { name, .. } if name.to_string().starts_with("Range"))
    }

    /// Whether a type of that name occurs in it.
    pub fn mentions(&self, name: &Ident) -> bool {
        let mut found = false;
        self.walk(&mut |ty| found |= matches!(&ty.kind, TypeKind::Named { name: own, .. } if own == name));
        found
    }

    /// Calls `visit` on this type and every one inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Type)) {
        visit(self);
        match &self.kind {
            TypeKind::Reference { of, .. } | TypeKind::Slice(of) | TypeKind::Array { of, .. } => of.walk(visit),
            TypeKind::Tuple(all) | TypeKind::Named { arguments: all, .. } => all.iter().for_each(|ty| ty.walk(visit)),
            TypeKind::Other => {}
        }
    }
}
