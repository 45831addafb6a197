//! Paths to what is not a local: functions, constants, types.

use proc_macro2::Ident;

use super::{Syntax, Type};

/// `a::b::<T>::c`, `<T as Trait>::c`
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// `<T as a::b>::c`: the type, and how many of the segments name the trait.
    pub of: Option<(Box<Type>, usize)>,
    /// Whether it begins with `::`.
    pub global: bool,
    /// The names, at least one.
    pub segments: Vec<Segment>,
    /// `g::derivative`: a companion of what the names mean.
    pub companion: Option<Ident>,
}

/// A name in a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// The name.
    pub name: Ident,
    /// The generic arguments behind it, `::<T>`.
    pub arguments: Option<Vec<Syntax>>,
}

impl Path {
    /// The path of a function of the runtime.
    pub fn of_runtime(name: &str, at: proc_macro2::Span) -> Path {
        Path::global(&["retrograd", "private", name], at)
    }

    /// The function of the runtime that it names, if it names one.
    pub fn in_runtime(&self) -> Option<&Ident> {
        match self.segments.as_slice() {
            [library, module, function] => {
                (self.global && library.name == "retrograd" && module.name == "private").then_some(&function.name)
            }
            _ => None,
        }
    }

    /// A path that begins with the name of a crate.
    pub fn global(names: &[&str], at: proc_macro2::Span) -> Path {
        let segments = names.iter().map(|name| Segment { name: Ident::new(name, at), arguments: None });
        Path { of: None, global: true, segments: segments.collect(), companion: None }
    }

    /// The last name.
    pub fn last(&self) -> &Ident {
        &self.segments[self.segments.len() - 1].name
    }

    /// The name before the last.
    pub fn before(&self) -> Option<&Ident> {
        self.segments.len().checked_sub(2).map(|i| &self.segments[i].name)
    }

    /// The type whose item this is, as far as names tell: `T::zero`, `<T>::zero`, `Camera::new`.
    pub fn owner(&self) -> Option<&Ident> {
        match &self.of {
            Some((ty, _)) => ty.as_name(),
            None => self.before().filter(|name| is_type(name)),
        }
    }

    /// The trait whose item this is, as far as names tell: `<T as Table>::sin`, `Real::sin`.
    pub fn by_trait(&self) -> Option<&Ident> {
        match &self.of {
            Some((_, names)) => names.checked_sub(1).map(|last| &self.segments[last].name),
            None => self.before().filter(|name| *name == "Real"),
        }
    }

    /// Whether it names an item of a type: `Type::g`, `<T as Trait>::g`.
    pub fn is_associated(&self) -> bool {
        self.of.is_some() || self.before().is_some_and(is_type)
    }

    /// The type of the standard library that this is an item of, if every program knows the type by its name: `Box::new`.
    pub fn of_the_prelude(&self) -> Option<&Ident> {
        let known = ["Box", "Vec", "String", "Option", "Result"];
        self.owner().filter(|owner| known.iter().any(|name| *owner == name))
    }

    /// `Box::new`, as far as names tell.
    pub fn boxes(&self) -> bool {
        self.last() == "new" && self.of_the_prelude().is_some_and(|ty| ty == "Box")
    }

    /// Whether it names a variant or a tuple struct, which makes a value of its parts: `Point(x, y)`.
    pub fn is_constructor(&self) -> bool {
        self.last().to_string().starts_with(char::is_uppercase)
    }

    /// A companion of what the path names.
    pub fn companion(self, name: Ident) -> Path {
        Path { companion: Some(name), ..self }
    }
}

/// Whether a name is that of a type, by the convention of Rust: `T`, `Camera`, `f64`.
pub(crate) fn is_type(name: &Ident) -> bool {
    crate::signature::numbers::is_float(name) || name.to_string().starts_with(char::is_uppercase)
}
