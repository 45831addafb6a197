//! Random arguments for any signature, and directions for derivatives.

use retrograd_compiler::ir::{Activity, Program, Records, Role, Type, TypeKind};

use crate::error::{Result, unsupported};
use crate::module::Module;
use crate::number::{Float, Int, IntKind};
use crate::slots::Slots;
use crate::value::Value;

/// Splitmix64: the same numbers on every platform.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between -2 and 2.
    fn float(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 51) as f64 - 2.0
    }
}

/// How many elements slices have, and how large a `usize` is at most: as random programs expect it.
fn length(program: &Program) -> usize {
    if program.records == Records::Nothing { 6 } else { 4 }
}

/// The arguments of a program, with a tangent and an adjoint for each number that derivatives flow through.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    values: Vec<Value>,
    active: Vec<bool>,
    hosts: Vec<bool>,
    tangents: Vec<f64>,
    adjoints: Vec<f64>,
}

impl Arguments {
    pub(super) fn random(module: &Module, program: &Program, random: &mut Random) -> Result<Arguments> {
        let (mut values, mut active, mut hosts) = (Vec::new(), Vec::new(), Vec::new());
        for param in &program.params {
            let var = program.var(param.var);
            hosts.push(param.role == Role::Host);
            active.push(var.activity == Activity::Active && param.role == Role::Value);
            values.push(match (&var.ty, param.role) {
                (_, Role::Host) => Value::Unit,
                (Some(ty), _) => value(module, program, ty, random)?,
                (None, _) => return unsupported("an argument without a type"),
            });
        }
        let count: usize = values.iter().zip(&active).filter(|(_, a)| **a).map(|(v, _)| v.numbers().len()).sum();
        let mut direction = || (0..count).map(|_| random.float()).collect::<Vec<f64>>();
        let (tangents, adjoints) = (direction(), direction());
        Ok(Arguments { values, active, hosts, tangents, adjoints })
    }

    /// The same directions at other values.
    pub(super) fn with(&self, values: Vec<Value>) -> Arguments {
        let values: Vec<Value> = values;
        Arguments { values, ..self.clone() }
    }

    /// The values, none of which moves.
    pub(super) fn still(&self) -> Vec<Value> {
        self.values.iter().map(|value| value.clone().along(&mut std::iter::empty())).collect()
    }

    /// The values, each number along its tangent. Those that a run has left keep the tangents that it gave them.
    pub(super) fn moving(&self) -> Vec<Value> {
        let is_left = self.values.iter().any(|value| value.tangents().iter().any(|t| *t != 0.0));
        if is_left {
            return self.values.clone();
        }
        let mut tangents = self.tangents.iter().copied();
        let moving = self.values.iter().zip(&self.active).map(|(value, active)| match active {
            true => value.clone().along(&mut tangents.by_ref()),
            false => value.clone(),
        });
        moving.collect()
    }

    /// A neighbour so close that only a kink, a jump or a very steep slope in between can tell.
    pub(super) fn nudged(&self) -> Vec<Value> {
        let mut number = 0_u32;
        let mut near = self.moving();
        for (value, active) in near.iter_mut().zip(&self.active) {
            value.each_float_mut(&mut |float| {
                number += 1;
                let nudge = if (number * number).is_multiple_of(3) { 1e-9 } else { -1e-9 };
                if *active && let crate::number::Repr::F64(x) = &mut float.repr {
                    *x += nudge * (1.0 + x.abs());
                }
            });
        }
        near
    }

    fn followed(&self, directions: &[f64]) -> Vec<Value> {
        let mut directions = directions.iter().copied();
        let mut all = Vec::new();
        for ((value, active), host) in self.still().into_iter().zip(&self.active).zip(&self.hosts) {
            let shadow = if *active { value.shadow(&mut directions.by_ref()) } else { Value::Unit };
            all.push(value);
            if !host {
                all.push(shadow);
            }
        }
        all
    }

    /// Each value followed by its tangent. The values are still.
    pub(super) fn with_tangents(&self) -> Vec<Value> {
        self.followed(&self.tangents)
    }

    /// Each value followed by its adjoint.
    pub(super) fn with_adjoints(&self) -> Vec<Value> {
        self.followed(&self.adjoints)
    }

    /// Values and shadows of a derivative run.
    pub(super) fn apart(&self, all: &[Value]) -> (Vec<Value>, Vec<Value>) {
        let (mut values, mut shadows) = (Vec::new(), Vec::new());
        let mut all = all.iter();
        for host in &self.hosts {
            values.extend(all.next().cloned());
            shadows.push(if *host { Value::Unit } else { all.next().cloned().unwrap_or(Value::Unit) });
        }
        (values, shadows)
    }

    pub(super) fn tangents(&self) -> Vec<f64> {
        self.tangents.clone()
    }

    pub(super) fn adjoints(&self) -> Vec<f64> {
        self.adjoints.clone()
    }

    /// The numbers of those that derivatives flow through.
    pub(super) fn active_numbers(&self, values: &[Value]) -> Vec<f64> {
        values.iter().zip(&self.active).filter(|(_, a)| **a).flat_map(|(v, _)| v.numbers()).collect()
    }

    pub(super) fn active_tangents(&self, values: &[Value]) -> Vec<f64> {
        values.iter().zip(&self.active).filter(|(_, a)| **a).flat_map(|(v, _)| v.tangents()).collect()
    }
}

/// Any value of a type.
pub(crate) fn value(module: &Module, program: &Program, ty: &Type, random: &mut Random) -> Result<Value> {
    let list = |of: &Type, count: usize, random: &mut Random| -> Result<Value> {
        Ok(Value::List((0..count).map(|_| value(module, program, of, random)).collect::<Result<_>>()?))
    };
    match &ty.kind {
        TypeKind::Reference { of, .. } => value(module, program, of, random),
        TypeKind::Slice(of) => list(of, length(program), random),
        TypeKind::Array { of, len } => match len.text().parse() {
            Ok(count) => list(of, count, random),
            Err(_) => unsupported(format!("an array of `{}` elements", len.text())),
        },
        TypeKind::Tuple(types) => {
            Ok(Value::Tuple(types.iter().map(|ty| value(module, program, ty, random)).collect::<Result<_>>()?))
        }
        TypeKind::Named { name, .. } => {
            let text = name.to_string();
            if let Some(of) = ty.vec_element() {
                return list(of, length(program), random);
            }
            if let Some(fields) = module.structs.get(&text) {
                let fields =
                    fields.iter().map(|(field, ty)| Ok((field.as_str().into(), value(module, program, ty, random)?)));
                return Ok(Value::Struct(text.as_str().into(), fields.collect::<Result<_>>()?));
            }
            match text.as_str() {
                "bool" => Ok(Value::Bool(random.bits().is_multiple_of(2))),
                "f64" => Ok(Value::f64(random.float())),
                "usize" => Ok(Value::usize((random.bits() % (length(program) as u64 + 1)) as usize)),
                "Stack" => Ok(Value::Stack(Vec::new())),
                "Slots" => Ok(Value::Slots(Slots::default())),
                _ if program.numbers.contains(name) => Ok(Value::Float(Float::f64(random.float()))),
                _ => match IntKind::by_name(&text) {
                    Some(kind) => {
                        let value = (random.bits() % 41) as i128 - if kind.signed { 20 } else { 0 };
                        Ok(Value::Int(Int { kind: Some(kind), value }))
                    }
                    None => unsupported(format!("an argument of the type `{text}`")),
                },
            }
        }
        TypeKind::Other => unsupported(format!("an argument of the type `{}`", ty.written.text())),
    }
}
