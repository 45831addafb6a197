//! The writer of one function: the state that all kinds of text share.

use std::collections::BTreeMap;

use super::Config;
use super::rng::Rng;
use super::scope::{Access, Kind, Range, Scope, Shape, Var, VarId};
use super::text::{Expr, Text};

/// How often each construct was written.
pub type Census = BTreeMap<&'static str, usize>;

/// A parameter of a helper.
#[derive(Clone, Debug)]
pub(super) struct Param {
    pub(super) kind: Kind,
    pub(super) shape: Shape,
    pub(super) access: Access,
}

impl Param {
    pub(super) fn is_changed(&self) -> bool {
        self.access == Access::Exclusive
    }
}

/// A reversible procedure that later text may call and uncall.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
}

/// A reversible function that later expressions may call.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) results: Vec<Kind>,
}

/// What has been written before this function.
#[derive(Debug, Default)]
pub(super) struct Items {
    pub(super) procedures: Vec<Procedure>,
    pub(super) functions: Vec<Function>,
    /// Procedures `(v: &mut [_], stack: &mut Stack<_>)` that push all of `v`, by the kind of its elements.
    pub(super) pushers: Vec<(Kind, String)>,
    /// Procedures `(v: &mut [_], a: &mut _, depth: usize)` that call themselves, by the kind of their numbers.
    pub(super) recursive: Vec<(Kind, String)>,
}

/// The ancillas that statements of the compound being written may change, beside or instead of everything else.
#[derive(Clone, Debug)]
pub(super) struct Slice {
    pub(super) targets: Vec<VarId>,
    /// What those statements, and the loops and conditions around them, may read.
    pub(super) pool: Vec<VarId>,
    /// Whether the compound changes older things too.
    pub(super) mixed: bool,
}

pub(super) struct Writer<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) config: &'a Config,
    pub(super) items: &'a Items,
    pub(super) census: &'a mut Census,
    pub(super) scope: Scope,
    pub(super) text: Text,
    pub(super) slice: Option<Slice>,
    /// The most often that the statement being written can run: the product of the lengths of the loops around it.
    pub(super) turns: usize,
    /// The name of the float type.
    pub(super) float: &'static str,
    /// Whether this is the main procedure, which has the host counter `h`.
    pub(super) is_main: bool,
    /// Whether a new name may shadow an old one: not between two pieces of text that must name the same thing.
    pub(super) may_shadow: bool,
    /// How many more updates may add integers of any size.
    pub(super) doublings: usize,
    names: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(rng: &'a mut Rng, config: &'a Config, items: &'a Items, census: &'a mut Census) -> Self {
        Writer {
            rng,
            config,
            items,
            census,
            scope: Scope::default(),
            text: Text::default(),
            slice: None,
            turns: 1,
            float: "f64",
            is_main: false,
            may_shadow: true,
            doublings: 0,
            names: 0,
        }
    }

    /// Whether other items of the program can be called here: in a program for `f64` a generic helper is alone.
    pub(super) fn may_call(&self) -> bool {
        self.config.generic || self.float == "f64"
    }

    pub(super) fn note(&mut self, construct: &'static str) {
        *self.census.entry(construct).or_default() += 1;
    }

    /// A name that says its role, such as `count_3`.
    pub(super) fn fresh(&mut self, role: &str) -> String {
        self.names += 1;
        format!("{role}_{}", self.names)
    }

    /// A fresh name, or now and then one that shadows another.
    pub(super) fn fresh_or_shadow(&mut self, role: &str) -> String {
        let names = self.scope.shadowable_names();
        if self.may_shadow && !names.is_empty() && self.rng.chance(15) {
            self.note("shadowing");
            return self.rng.pick(&names);
        }
        self.fresh(role)
    }

    pub(super) fn type_name(&self, kind: Kind) -> &'static str {
        match kind {
            Kind::Float => self.float,
            Kind::Int => "i64",
            Kind::Bool => "bool",
            Kind::Index => "usize",
        }
    }

    /// Runs `write` while expressions may not read `roots`, and index expressions neither.
    pub(super) fn without<R>(&mut self, roots: &[VarId], write: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.scope.banned.len();
        self.scope.banned.extend_from_slice(roots);
        let result = write(self);
        self.scope.banned.truncate(before);
        result
    }

    /// Runs `write` while expressions may not read any part of `roots`: rule 2, for the indices of what a statement changes.
    pub(super) fn apart_from<R>(&mut self, roots: &[VarId], write: impl FnOnce(&mut Self) -> R) -> R {
        let aliases = self.scope.aliases(roots);
        self.without(&aliases, write)
    }

    /// Runs `write` while expressions read only what is in `pool`.
    pub(super) fn within<R>(&mut self, pool: Option<Vec<VarId>>, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.scope.pool, pool);
        let result = write(self);
        self.scope.pool = outer;
        result
    }

    /// Writes the head of a compound statement and returns what it reads: frozen by the caller while it writes the body.
    /// Around statements of a slice the head is part of the slice.
    pub(super) fn head<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (R, Vec<VarId>) {
        let mark = self.scope.reads.len();
        let result = match self.slice.clone() {
            Some(slice) => {
                let targets = slice.targets.clone();
                self.within(Some(slice.pool), |w| w.without(&targets, write))
            }
            None => write(self),
        };
        (result, self.scope.sources_since(mark))
    }

    /// Runs `write` in a loop of at most `turns` turns.
    pub(super) fn repeated<R>(&mut self, turns: usize, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.turns;
        self.turns *= turns.max(1);
        let result = write(self);
        self.turns = outer;
        result
    }

    /// Writes ordinary text, no part of any slice.
    pub(super) fn apart<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let slice = self.slice.take();
        let result = write(self);
        self.slice = slice;
        result
    }

    /// How a scalar is read.
    pub(super) fn read(&mut self, id: VarId) -> Expr {
        self.scope.reads.push(id);
        let var = &self.scope.vars[id];
        match (&var.spelling, var.access) {
            (Some(spelling), _) => Expr::loose(spelling.clone()),
            (None, Access::Owned) => Expr::atom(var.name.clone()),
            (None, Access::Shared | Access::Exclusive) => Expr::star(&var.name),
        }
    }

    /// How a scalar is named as the target of an update.
    pub(super) fn target(&self, id: VarId) -> String {
        let var = &self.scope.vars[id];
        match var.access {
            Access::Owned => var.name.clone(),
            Access::Shared | Access::Exclusive => format!("*{}", var.name),
        }
    }

    /// How a variable is handed to a parameter `&mut T` or `&mut [T]`.
    pub(super) fn lend_exclusively(&mut self, id: VarId) -> String {
        let var = &self.scope.vars[id];
        let (name, is_reference) = (var.name.clone(), var.access == Access::Exclusive);
        match (is_reference, self.rng.below(4)) {
            (false, _) => format!("&mut {name}"),
            (true, 0) => format!("&mut *{name}"),
            (true, _) => name,
        }
    }

    /// How a variable is handed to a parameter `&T` or `&[T]`.
    pub(super) fn lend(&mut self, id: VarId) -> String {
        self.scope.reads.push(id);
        let var = &self.scope.vars[id];
        let name = var.name.clone();
        match (var.access, var.shape, self.rng.below(3)) {
            (Access::Owned, _, _) => format!("&{name}"),
            (Access::Shared, _, _) => name,
            (Access::Exclusive, Shape::Slice(_), 0) => format!("&{name}[..]"),
            (Access::Exclusive, _, _) => format!("&*{name}"),
        }
    }

    /// Declares a name for a value that was computed from everything read since `mark`.
    pub(super) fn name_value(&mut self, name: &str, kind: Kind, mark: usize) -> VarId {
        let sources = self.scope.sources_since(mark);
        self.scope.declare(Var::new(name, kind).computed_from(sources).shadowable())
    }

    pub(super) fn set_range(&mut self, id: VarId, range: Range) {
        self.scope.vars[id].range = range;
    }
}
