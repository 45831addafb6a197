//! Values whose types are known while a program runs.

use std::convert::Infallible;
use std::fmt;
use std::rc::Rc;

use retrograd::InformationBuffer;

use crate::number::{Float, Int, Repr};
use crate::slots::Slots;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `()`, and the derivative of what has none.
    Unit,
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A float or a fixed-point number, with its derivative along the direction of the run.
    Float(Float),
    /// A text.
    Text(Rc<str>),
    /// An array, a slice or a `Vec`.
    List(Vec<Value>),
    /// `(a, b)`
    Tuple(Vec<Value>),
    /// A struct, or a variant of an `enum`: its name, and its fields in order.
    Struct(Rc<str>, Vec<(Rc<str>, Value)>),
    /// `Some(x)` or `None`
    Option(Option<Box<Value>>),
    /// A `Stack`, its top last.
    Stack(Vec<Value>),
    /// `Slots`
    Slots(Slots),
    /// An `InformationBuffer`.
    Information(Box<InformationBuffer>),
    /// `a..b`, or `a..=b`; either end may be missing.
    Range(Box<Span>),
    /// `&x[i]`, `&mut x[a..b]`: a part of a variable.
    Ref(Ref),
}

/// A range of integers.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// The first element.
    pub start: Option<Int>,
    /// The end.
    pub end: Option<Int>,
    /// Whether the end belongs to it.
    pub inclusive: bool,
}

/// A part of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Ref {
    pub(crate) cell: usize,
    pub(crate) path: Vec<Step>,
}

/// One step from a value to a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A field, an element, what is in an `Option`.
    Part(usize),
    /// Some elements; only the last step is one of these.
    Slice(usize, usize),
}

impl Value {
    /// An `f64`.
    pub fn f64(value: f64) -> Value {
        Value::Float(Float::f64(value))
    }

    /// An `i64`.
    pub fn i64(value: i64) -> Value {
        Value::Int(Int::i64(value))
    }

    /// A `usize`.
    pub fn usize(value: usize) -> Value {
        Value::Int(Int::usize(value))
    }

    /// A list of `f64`.
    pub fn floats(values: &[f64]) -> Value {
        Value::List(values.iter().map(|value| Value::f64(*value)).collect())
    }

    /// What kind of value it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Unit => "()",
            Value::Bool(_) => "a bool",
            Value::Int(_) => "an integer",
            Value::Float(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Tuple(_) => "a tuple",
            Value::Struct(..) => "a struct",
            Value::Option(_) => "an Option",
            Value::Stack(_) => "a Stack",
            Value::Slots(_) => "a Slots",
            Value::Information(_) => "an InformationBuffer",
            Value::Range(_) => "a range",
            Value::Ref(_) => "a reference",
        }
    }

    /// Calls `visit` on every number in it that is no integer, in order.
    pub fn each_float(&self, visit: &mut dyn FnMut(&Float)) {
        match self {
            Value::Float(float) => visit(float),
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => all.iter().for_each(|v| v.each_float(visit)),
            Value::Struct(_, fields) => fields.iter().for_each(|(_, v)| v.each_float(visit)),
            Value::Option(Some(v)) => v.each_float(visit),
            Value::Slots(slots) => slots.values().for_each(|v| v.each_float(visit)),
            Value::Option(None) | Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Information(_) => {}
            Value::Text(_) | Value::Range(_) | Value::Ref(_) => {}
        }
    }

    /// The same, to change them.
    pub fn each_float_mut(&mut self, visit: &mut dyn FnMut(&mut Float)) {
        match self {
            Value::Float(float) => visit(float),
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => {
                all.iter_mut().for_each(|v| v.each_float_mut(visit));
            }
            Value::Struct(_, fields) => fields.iter_mut().for_each(|(_, v)| v.each_float_mut(visit)),
            Value::Option(Some(v)) => v.each_float_mut(visit),
            Value::Slots(slots) => slots.values_mut().for_each(|v| v.each_float_mut(visit)),
            Value::Option(None) | Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Information(_) => {}
            Value::Text(_) | Value::Range(_) | Value::Ref(_) => {}
        }
    }

    /// How many bits it has. References have none of their own.
    pub fn bits(&self) -> u64 {
        let sum = |all: &[Value]| all.iter().map(Value::bits).sum();
        match self {
            Value::Bool(_) => 1,
            Value::Int(n) => n.kind.map_or(64, |kind| kind.bits.into()),
            Value::Float(Float { repr: Repr::F32(_), .. }) => 32,
            Value::Float(_) => 64,
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => sum(all),
            Value::Struct(_, fields) => fields.iter().map(|(_, value)| value.bits()).sum(),
            Value::Slots(slots) => slots.values().map(Value::bits).sum(),
            Value::Information(buffer) => buffer.bits().round() as u64,
            Value::Option(inner) => 1 + inner.as_ref().map_or(0, |value| value.bits()),
            Value::Unit | Value::Text(_) | Value::Range(_) | Value::Ref(_) => 0,
        }
    }

    /// The bits of all it consists of, in order, integers in words of 64 bits: equal exactly when compiled code has the same.
    pub fn to_bits(&self) -> Vec<u64> {
        let of = |all: &[Value]| all.iter().flat_map(Value::to_bits).collect();
        match self {
            Value::Bool(b) => vec![u64::from(*b)],
            Value::Int(n) => vec![n.value as u64],
            Value::Float(Float { repr: Repr::F32(x), .. }) => vec![x.to_bits().into()],
            Value::Float(Float { repr: Repr::Fixed(_, bits), .. }) => vec![*bits as u64],
            Value::Float(x) => vec![x.value().to_bits()],
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => of(all),
            Value::Struct(_, fields) => fields.iter().flat_map(|(_, value)| value.to_bits()).collect(),
            Value::Slots(slots) => {
                slots.all.iter().flat_map(|(key, value)| [key, value]).flat_map(Value::to_bits).collect()
            }
            Value::Option(inner) => inner.iter().flat_map(|value| value.to_bits()).collect(),
            Value::Information(_) | Value::Text(_) => self.to_string().bytes().map(u64::from).collect(),
            Value::Unit | Value::Range(_) | Value::Ref(_) => Vec::new(),
        }
    }

    /// How many bits of it are in numbers that another value has otherwise.
    pub fn bits_unlike(&self, other: &Value) -> u64 {
        match (self, other) {
            (Value::List(a), Value::List(b))
            | (Value::Tuple(a), Value::Tuple(b))
            | (Value::Stack(a), Value::Stack(b))
                if a.len() == b.len() =>
            {
                a.iter().zip(b).map(|(a, b)| a.bits_unlike(b)).sum()
            }
            (Value::Struct(a, fields), Value::Struct(b, others)) if a == b => {
                fields.iter().zip(others).map(|((_, a), (_, b))| a.bits_unlike(b)).sum()
            }
            (Value::Slots(a), Value::Slots(b)) if a.all.len() == b.all.len() => {
                a.values().zip(b.values()).map(|(a, b)| a.bits_unlike(b)).sum()
            }
            (a, b) if a == b => 0,
            (a, _) => a.bits(),
        }
    }

    /// The numbers in it that are no integers.
    pub fn numbers(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        self.each_float(&mut |float| numbers.push(float.value()));
        numbers
    }

    /// Their derivatives.
    pub fn tangents(&self) -> Vec<f64> {
        let mut tangents = Vec::new();
        self.each_float(&mut |float| tangents.push(float.tangent));
        tangents
    }

    /// The same value, along another direction: takes one number for each of its own.
    pub fn along(mut self, direction: &mut dyn Iterator<Item = f64>) -> Value {
        self.each_float_mut(&mut |float| float.tangent = direction.next().unwrap_or(0.0));
        self
    }

    /// The shadow of the value, with these numbers in it.
    pub fn shadow(&self, numbers: &mut dyn Iterator<Item = f64>) -> Value {
        let mut shadow = self.zero_shadow();
        shadow.each_float_mut(&mut |float| *float = Float::f64(numbers.next().unwrap_or(0.0)));
        shadow
    }

    /// A shadow of zeros, in the shape of the value.
    pub fn zero_shadow(&self) -> Value {
        let list = |all: &[Value]| all.iter().map(Value::zero_shadow).collect();
        match self {
            Value::Float(_) => Value::f64(0.0),
            Value::List(all) => Value::List(list(all)),
            Value::Tuple(all) => Value::Tuple(list(all)),
            // What lies on it, and the adjoints of zeros that runs back have dropped.
            Value::Stack(all) => {
                let parts = [("values", list(all)), ("dropped", Vec::new())];
                Value::Struct("Stack".into(), parts.map(|(name, all)| (name.into(), Value::List(all))).to_vec())
            }
            Value::Struct(name, fields) => {
                Value::Struct(name.clone(), fields.iter().map(|(n, v)| (n.clone(), v.zero_shadow())).collect())
            }
            Value::Option(inner) => Value::Option(inner.as_ref().map(|v| Box::new(v.zero_shadow()))),
            Value::Slots(slots) => match slots.map(|value| Ok::<_, Infallible>(value.zero_shadow())) {
                Ok(shadow) => Value::Slots(shadow),
            },
            Value::Unit | Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::Range(_) | Value::Ref(_) => {
                Value::Unit
            }
            Value::Information(_) => Value::Unit,
        }
    }

    /// Its parts, if it has any.
    pub(crate) fn parts(&self) -> Option<&[Value]> {
        match self {
            Value::List(all) | Value::Tuple(all) | Value::Stack(all) => Some(all),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, all: &[Value]| {
            all.iter().enumerate().try_for_each(|(i, v)| write!(f, "{}{v}", if i > 0 { ", " } else { "" }))
        };
        match self {
            Value::Unit => write!(f, "()"),
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{}", n.value),
            Value::Float(x) => write!(f, "{x}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::List(all) | Value::Stack(all) => {
                write!(f, "[")?;
                list(f, all)?;
                write!(f, "]")
            }
            Value::Tuple(all) => {
                write!(f, "(")?;
                list(f, all)?;
                write!(f, "{})", if all.len() == 1 { "," } else { "" })
            }
            Value::Struct(name, fields) => {
                write!(f, "{name} {{ ")?;
                for (i, (field, value)) in fields.iter().enumerate() {
                    write!(f, "{}{field}: {value}", if i > 0 { ", " } else { "" })?;
                }
                write!(f, " }}")
            }
            Value::Option(Some(value)) => write!(f, "Some({value})"),
            Value::Option(None) => write!(f, "None"),
            Value::Slots(slots) => {
                write!(f, "{{")?;
                for (i, (key, value)) in slots.all.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if i > 0 { ", " } else { "" })?;
                }
                write!(f, "}}")
            }
            Value::Information(buffer) => write!(f, "{buffer:?}"),
            Value::Range(span) => {
                let end = |end: &Option<Int>| end.map(|n| n.value.to_string()).unwrap_or_default();
                let dots = if span.inclusive { "..=" } else { ".." };
                write!(f, "{}{dots}{}", end(&span.start), end(&span.end))
            }
            Value::Ref(_) => write!(f, "&.."),
        }
    }
}
