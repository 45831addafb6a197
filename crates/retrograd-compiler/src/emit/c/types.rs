//! Types of C: what each variable and expression of a core is.

use std::fmt;

use crate::ir::{Type, TypeKind};

/// A type. Arrays and tuples are values in C too, as structs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ty {
    /// The numbers of the kernel.
    Number,
    /// What derivatives of them are.
    Shadow,
    /// An integer, by its name in Rust.
    Int(Int),
    /// `bool`
    Bool,
    /// `[T; N]`
    Array(Box<Ty>, usize),
    /// `(A, B)`
    Tuple(Vec<Ty>),
    /// What a slice or a view refers to: a pointer and a length.
    Slice(Box<Ty>),
}

/// A part of a value that is no array and no tuple.
pub(super) struct Leaf {
    /// The loops over the arrays that it is in.
    pub(super) heads: String,
    /// The way to it.
    pub(super) path: String,
    /// Its type.
    pub(super) ty: Ty,
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Int {
    pub(super) signed: bool,
    pub(super) bits: u32,
    /// `usize` and `isize` are types of their own in Rust.
    size: bool,
}

impl Int {
    pub(super) const USIZE: Int = Int { signed: false, bits: 64, size: true };
    pub(super) const I32: Int = Int { signed: true, bits: 32, size: false };

    pub(super) fn by_name(name: &str) -> Option<Int> {
        let (signed, bits) = match (name.strip_prefix('i'), name.strip_prefix('u')) {
            (Some(bits), _) => (true, bits),
            (_, Some(bits)) => (false, bits),
            _ => return None,
        };
        let (bits, size) = match bits {
            "8" => (8, false),
            "16" => (16, false),
            "32" => (32, false),
            "64" => (64, false),
            "size" => (64, true),
            _ => return None,
        };
        Some(Int { signed, bits, size })
    }

    /// The type of the same size without a sign: its arithmetic wraps.
    pub(super) fn unsigned(self) -> Int {
        Int { signed: false, ..self }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = if self.signed { 'i' } else { 'u' };
        if self.size { write!(f, "{letter}size") } else { write!(f, "{letter}{}", self.bits) }
    }
}

impl Ty {
    /// What a type of Rust is in C, references left out, where `number` is the type of the numbers.
    pub(super) fn of(ty: &Type, number: &str) -> Option<Ty> {
        if ty.is(number) {
            return Some(Ty::Number);
        }
        match &ty.kind {
            TypeKind::Reference { of, .. } => Ty::of(of, number),
            TypeKind::Slice(of) => Some(Ty::Slice(Box::new(Ty::of(of, number)?))),
            TypeKind::Array { of, len } => Some(Ty::Array(Box::new(Ty::of(of, number)?), len.as_number()?)),
            TypeKind::Tuple(all) => {
                Some(Ty::Tuple(all.iter().map(|ty| Ty::of(ty, number)).collect::<Option<Vec<Ty>>>()?))
            }
            TypeKind::Named { name, bare: true, .. } if name == "bool" => Some(Ty::Bool),
            TypeKind::Named { name, bare: true, .. } => Int::by_name(&name.to_string()).map(Ty::Int),
            TypeKind::Named { .. } | TypeKind::Other => None,
        }
    }

    /// The type of a derivative of it.
    pub(super) fn shadow(&self) -> Ty {
        match self {
            Ty::Number | Ty::Shadow => Ty::Shadow,
            Ty::Int(_) | Ty::Bool => self.clone(),
            Ty::Array(of, len) => Ty::Array(Box::new(of.shadow()), *len),
            Ty::Tuple(all) => Ty::Tuple(all.iter().map(Ty::shadow).collect()),
            Ty::Slice(of) => Ty::Slice(Box::new(of.shadow())),
        }
    }

    /// The type of what it is a derivative of.
    pub(super) fn value(&self) -> Ty {
        match self {
            Ty::Number | Ty::Shadow => Ty::Number,
            Ty::Int(_) | Ty::Bool => self.clone(),
            Ty::Array(of, len) => Ty::Array(Box::new(of.value()), *len),
            Ty::Tuple(all) => Ty::Tuple(all.iter().map(Ty::value).collect()),
            Ty::Slice(of) => Ty::Slice(Box::new(of.value())),
        }
    }

    /// The type of an element.
    pub(super) fn element(&self) -> Option<&Ty> {
        match self {
            Ty::Array(of, _) | Ty::Slice(of) => Some(of),
            Ty::Number | Ty::Shadow | Ty::Int(_) | Ty::Bool | Ty::Tuple(_) => None,
        }
    }

    /// Whether it is a number, or a derivative of one.
    pub(super) fn is_float(&self) -> bool {
        matches!(self, Ty::Number | Ty::Shadow)
    }

    /// How many numbers it is made of, if it is made of nothing else.
    pub(super) fn numbers(&self) -> Option<usize> {
        match self {
            Ty::Number | Ty::Shadow => Some(1),
            Ty::Array(of, len) => Some(of.numbers()? * len),
            Ty::Tuple(all) => all.iter().map(Ty::numbers).sum(),
            Ty::Int(_) | Ty::Bool | Ty::Slice(_) => None,
        }
    }

    /// Zero, as C initialises a variable with it.
    pub(super) fn zero(&self) -> &'static str {
        match self {
            Ty::Array(..) => "{{0}}",
            Ty::Tuple(_) => "{0}",
            Ty::Number | Ty::Shadow | Ty::Int(_) | Ty::Bool | Ty::Slice(_) => "0",
        }
    }

    /// The ways from a value to the parts that are no arrays or tuples, each with the loops that lead there: `for (..) for (..)` and
    /// `.at[k0]._1`.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect(0, Leaf { heads: String::new(), path: String::new(), ty: self.clone() }, &mut leaves);
        leaves
    }

    /// The ways from a value to each number in it: `.at[0]._1`.
    pub(super) fn each_number(&self) -> Vec<String> {
        let inside = |step: String, of: &Ty| -> Vec<String> {
            of.each_number().into_iter().map(|way| format!("{step}{way}")).collect()
        };
        match self {
            Ty::Number | Ty::Shadow => vec![String::new()],
            Ty::Array(of, len) => (0..*len).flat_map(|i| inside(format!(".at[{i}]"), of)).collect(),
            Ty::Tuple(all) => all.iter().enumerate().flat_map(|(i, of)| inside(format!("._{i}"), of)).collect(),
            Ty::Int(_) | Ty::Bool | Ty::Slice(_) => Vec::new(),
        }
    }

    fn collect(&self, depth: usize, way: Leaf, leaves: &mut Vec<Leaf>) {
        match self {
            Ty::Array(of, len) => {
                let heads = format!("{}for (usize k{depth} = 0; k{depth} < {len}; k{depth}++) ", way.heads);
                let path = format!("{}.at[k{depth}]", way.path);
                of.collect(depth + 1, Leaf { heads, path, ty: (**of).clone() }, leaves);
            }
            Ty::Tuple(all) => {
                for (i, ty) in all.iter().enumerate() {
                    let (heads, path) = (way.heads.clone(), format!("{}._{i}", way.path));
                    ty.collect(depth, Leaf { heads, path, ty: ty.clone() }, leaves);
                }
            }
            Ty::Number | Ty::Shadow | Ty::Int(_) | Ty::Bool | Ty::Slice(_) => leaves.push(way),
        }
    }

    /// The structs that it is made of, innermost first.
    pub(super) fn structs(&self, found: &mut Vec<Ty>) {
        match self {
            Ty::Array(of, _) => of.structs(found),
            Ty::Slice(of) => return of.structs(found),
            Ty::Tuple(all) => all.iter().for_each(|ty| ty.structs(found)),
            Ty::Number | Ty::Shadow | Ty::Int(_) | Ty::Bool => return,
        }
        if !found.contains(self) {
            found.push(self.clone());
        }
    }

    /// What its struct has in it.
    pub(super) fn members(&self) -> String {
        match self {
            Ty::Array(of, len) => format!("{of} at[{len}];"),
            Ty::Tuple(all) => all.iter().enumerate().map(|(i, ty)| format!("{ty} _{i}; ")).collect(),
            Ty::Number | Ty::Shadow | Ty::Int(_) | Ty::Bool | Ty::Slice(_) => String::new(),
        }
    }
}

impl fmt::Display for Ty {
    /// The name in C; of a slice, that of its elements.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Number => write!(f, "number"),
            Ty::Shadow => write!(f, "shadow"),
            Ty::Int(int) => write!(f, "{int}"),
            // The size of C's own is not that of Rust's.
            Ty::Bool => write!(f, "boolean"),
            Ty::Array(of, len) => write!(f, "array_{of}_{len}"),
            Ty::Tuple(all) => {
                write!(f, "tuple")?;
                all.iter().try_for_each(|ty| write!(f, "_{ty}"))
            }
            Ty::Slice(of) => write!(f, "{of}"),
        }
    }
}
