//! Patterns of lets, loops, arms and closures.

use super::{Member, Path, Syntax, VarId};
use crate::span::Span;

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where it stands.
    pub span: Span,
}

/// What a pattern is.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the syntax beside each kind names its fields
pub enum PatternKind {
    /// `_`
    Wild,
    /// `..` in a tuple or slice
    Rest,
    /// `x`, `ref x`, `x @ p`
    Bind { var: VarId, by_ref: bool, sub: Option<Box<Pattern>> },
    /// A literal, a range or a constant: nothing is bound.
    Constant(Syntax),
    /// `(a, b)`
    Tuple(Vec<Pattern>),
    /// `[a, b]`
    Slice(Vec<Pattern>),
    /// `Some(a)`
    TupleStruct(Path, Vec<Pattern>),
    /// `Point { x: a, .. }`
    Struct { path: Path, fields: Vec<FieldPattern>, rest: bool },
    /// `&p`
    Ref(Box<Pattern>),
    /// `p | q`
    Or(Vec<Pattern>),
}

/// A field of a struct pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldPattern {
    /// The field.
    pub member: Member,
    /// What it is matched against.
    pub pattern: Pattern,
}

impl Pattern {
    /// A pattern that binds one variable.
    pub fn bind(var: VarId, span: Span) -> Pattern {
        Pattern { kind: PatternKind::Bind { var, by_ref: false, sub: None }, span }
    }

    /// The variables that the pattern binds.
    pub fn bindings(&self) -> Vec<VarId> {
        let mut vars = Vec::new();
        self.collect(&mut vars);
        vars
    }

    /// The variable, if the pattern is a bare name.
    pub fn as_var(&self) -> Option<VarId> {
        match &self.kind {
            PatternKind::Bind { var, by_ref: false, sub: None } => Some(*var),
            _ => None,
        }
    }

    fn collect(&self, vars: &mut Vec<VarId>) {
        match &self.kind {
            PatternKind::Wild | PatternKind::Rest | PatternKind::Constant(_) => {}
            PatternKind::Bind { var, sub, .. } => {
                if !vars.contains(var) {
                    vars.push(*var);
                }
                sub.iter().for_each(|p| p.collect(vars));
            }
            PatternKind::Tuple(all)
            | PatternKind::Slice(all)
            | PatternKind::Or(all)
            | PatternKind::TupleStruct(_, all) => all.iter().for_each(|p| p.collect(vars)),
            PatternKind::Struct { fields, .. } => fields.iter().for_each(|f| f.pattern.collect(vars)),
            PatternKind::Ref(p) => p.collect(vars),
        }
    }
}
