//! Types as they are written.

use std::ops::Deref;
use std::rc::Rc;

use proc_macro2::Ident;

use super::{Expr, ExprKind, Member, Projection, Syntax};

/// A type, taken apart as far as its syntax goes. Its copies share it: every expression has room for one.
#[derive(Clone, Debug, PartialEq)]
pub struct Type(Rc<TypeParts>);

/// What is known of a type.
#[derive(Debug, PartialEq)]
pub struct TypeParts {
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

impl Deref for Type {
    type Target = TypeParts;

    fn deref(&self) -> &TypeParts {
        &self.0
    }
}

impl Type {
    /// A type that is written so.
    pub fn new(kind: TypeKind, written: Syntax) -> Type {
        Type(Rc::new(TypeParts { kind, written }))
    }

    /// The type of that name.
    pub fn named(name: &Ident) -> Type {
        let kind = TypeKind::Named { name: name.clone(), bare: true, arguments: Vec::new() };
        Type::new(kind, Syntax::of(name))
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

    /// The type of the elements of a sequence, perhaps behind references.
    pub fn element(&self) -> Option<&Type> {
        match &self.pointee().kind {
            TypeKind::Slice(of) | TypeKind::Array { of, .. } => Some(of),
            _ => self.pointee().vec_element(),
        }
    }

    /// The type of the elements of a `Vec`.
    pub fn vec_element(&self) -> Option<&Type> {
        match &self.kind {
            TypeKind::Named { name, arguments, .. } if name == "Vec" => arguments.first(),
            _ => None,
        }
    }

    /// What a reference refers to.
    pub fn referred(&self) -> Option<&Type> {
        match &self.kind {
            TypeKind::Reference { of, .. } => Some(of),
            _ => None,
        }
    }

    /// Whether it is a slice, an array or a `Vec`, perhaps behind references: what `[..]` and `len` mean is known.
    pub fn is_list(&self) -> bool {
        match &self.pointee().kind {
            TypeKind::Slice(_) | TypeKind::Array { .. } => true,
            TypeKind::Named { .. } => self.pointee().vec_element().is_some(),
            TypeKind::Reference { .. } | TypeKind::Tuple(_) | TypeKind::Other => false,
        }
    }

    /// The type of a part of a place of this type, as far as it is written: of what a reference refers to, of elements, of parts of
    /// tuples.
    pub fn part(&self, step: &Projection) -> Option<&Type> {
        match step {
            Projection::Deref => Some(self.pointee()),
            Projection::Index(index) => self.indexed(index),
            Projection::Field(member) => self.field(member),
            Projection::Some => None,
        }
    }

    /// The type of a field, of a tuple.
    pub fn field(&self, member: &Member) -> Option<&Type> {
        match (member, &self.pointee().kind) {
            (Member::Index(i), TypeKind::Tuple(all)) => all.get(*i),
            _ => None,
        }
    }

    /// The type of an element, or of a part of a slice.
    pub fn indexed(&self, index: &Expr) -> Option<&Type> {
        match &index.kind {
            ExprKind::Range { .. } => Some(self.pointee()),
            _ => self.element(),
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
