//! The intermediate representation: what every stage reads and writes.
//!
//! Names are resolved: an occurrence of a local is a [`VarId`] into [`Program::vars`], so two variables
//! of one name are two variables. Every node carries its [`Span`]; equality ignores spans. Nothing here
//! depends on the back end: an emitter for another language walks the same enums.

// Programs are small: boxes would only obscure the matches over them.
#![allow(clippy::large_enum_variant)]

mod check;
mod expr;
mod inside;
mod known;
mod literal;
mod operator;
pub(crate) mod path;
mod pattern;
mod place;
mod record;
mod rewrite;
mod rule;
mod stmt;
mod syntax;
mod types;

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};

pub use check::{Check, Distinct, Expected, Recall, Restored, Sample, Witness};
pub use expr::{Expr, ExprKind, MacroArgs, MatchArm};
pub use known::{DUPLICATE, Elementary, Iteration, Known, LEN_OF_SLICE, LEN_OF_VECTOR, Method, Partial};
pub use literal::{Literal, LiteralKind, LiteralParts};
pub use operator::{BinaryOp, UnaryOp};
pub use path::{Path, Segment};
pub use pattern::{FieldPattern, Pattern, PatternKind};
pub use place::{Member, Place, Projection};
pub use record::{
    Assign, Budget, Early, Entry, Exit, ExitKind, Form, Give, Keep, Loop, Planned, Recompute, Schedule, Slot, Used,
};
pub use rewrite::To;
pub use rule::{Rule, Run, Scheduled, Side};
pub use stmt::{
    Adapter, Arg, ArgKind, Arm, Binding, BindingKind, Block, Call, Callee, Compute, Condition, Conjugate, Flip, FlipOp,
    For, Host, HostKind, If, Iter, Map, MapFn, Match, Permutation, Permute, Source, Stmt, Swap, Update, UpdateOp,
    While,
};
pub use syntax::Syntax;
pub use types::{Type, TypeKind, TypeParts};

use crate::passes::Passes;
use crate::signature::numbers::{Numbers, is_float};
use crate::span::Span;

/// A local variable or parameter of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub usize);

/// One `#[reversible]` function or method.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The name of the function.
    pub name: Ident,
    /// Procedure or function.
    pub kind: Kind,
    /// Which run of what the user wrote it is.
    pub run: Run,
    /// The parameters, `self` included, in order.
    pub params: Vec<Param>,
    /// All variables; [`VarId`] points here.
    pub vars: Vec<Var>,
    /// Items (`const`, `use`, nested `fn`) at the top of the body, visible everywhere in it.
    pub items: Vec<Syntax>,
    /// What host statements do, by their numbers, names resolved. Only the Rust back end knows their language.
    pub hosts: Vec<Syntax>,
    /// The types that values are cast to.
    pub casts: Vec<Type>,
    /// The methods that floats have by the trait `Real`.
    pub methods: Vec<Ident>,
    /// The functions of numbers that are called by a path, `f64::sin(x)`: what that has to be, and the path.
    pub functions: Vec<(Syntax, Syntax)>,
    /// The statements.
    pub body: Block,
    /// The value of a function; `None` for a procedure.
    pub result: Option<Expr>,
    /// What is undone after the value of a function; empty until `elaborate` fills it.
    pub ending: Block,
    /// Which names are numbers.
    pub numbers: Numbers,
    /// The type of the value of a function.
    pub output: Option<Type>,
    /// When run-time checks are made.
    pub checks: Checks,
    /// Which optimisations are made.
    pub passes: Passes,
    /// What is kept in a record.
    pub records: Records,
    /// The statements that `#[record]` stands in front of, in a program that is not recorded as a whole.
    pub marked: Option<Vec<Span>>,
}

/// What a program keeps in a record instead of computing it backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Records {
    /// Nothing.
    Nothing,
    /// What would be lost.
    Lossy,
    /// What `+=` and `-=` change too.
    All,
}

impl Program {
    /// The variable behind an id.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.0]
    }

    /// The same with other statements, without a copy of the first.
    pub fn with_body(&self, body: Block) -> Program {
        self.with(self.vars.clone(), body)
    }

    /// The same with other variables and statements, without a copy of the first.
    pub fn with(&self, vars: Vec<Var>, body: Block) -> Program {
        Program {
            name: self.name.clone(),
            kind: self.kind,
            run: self.run,
            params: self.params.clone(),
            vars,
            items: self.items.clone(),
            hosts: self.hosts.clone(),
            casts: self.casts.clone(),
            methods: self.methods.clone(),
            functions: self.functions.clone(),
            body,
            result: self.result.clone(),
            ending: self.ending.clone(),
            numbers: self.numbers.clone(),
            output: self.output.clone(),
            checks: self.checks,
            passes: self.passes,
            records: self.records,
            marked: self.marked.clone(),
        }
    }

    /// Whether a core program begins with a record of its own.
    pub fn leases(&self) -> bool {
        matches!(self.body.stmts.first(), Some(Stmt::Begin(Binding { value, .. })) if value.kind == ExprKind::Rule(Rule::Lease, Vec::new()))
    }

    /// Whether all of its numbers are visibly those of Rust.
    pub fn runs_on_floats(&self) -> bool {
        let visible = |ty: &Type| {
            let mut visible = true;
            ty.walk(&mut |part| {
                visible &= match &part.kind {
                    TypeKind::Named { name, .. } => is_float(name) || part.vec_element().is_some(),
                    TypeKind::Other => false,
                    TypeKind::Reference { .. } | TypeKind::Slice(_) | TypeKind::Array { .. } | TypeKind::Tuple(_) => {
                        true
                    }
                }
            });
            visible
        };
        let mut active = self.params.iter().map(|p| self.var(p.var)).filter(|var| var.activity == Activity::Active);
        active.all(|var| var.ty.as_ref().is_some_and(visible))
    }
}

/// What a program is to its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Maps the values behind its `&mut` arguments one-to-one.
    Procedure,
    /// Returns a value and changes none of its arguments.
    Function,
}

/// When run-time checks are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// With `debug_assertions` of the crate that holds the program.
    Debug,
    /// In every build.
    Always,
    /// In no build.
    Never,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The variable it binds.
    pub var: VarId,
    /// How it is passed.
    pub mode: Mode,
    /// What it is for.
    pub role: Role,
}

/// What a parameter is for. Programs that users write have the first two only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value of the program.
    Value,
    /// Marked `#[host]`: changed by host statements only, read by nothing else.
    Host,
    /// The shadow of the parameter in front of it, of a derivative run.
    Shadow,
    /// Stands where the shadow would, behind a parameter through which no derivative flows.
    NoShadow,
    /// The adjoint of the value of a function.
    Seed,
    /// The record that the run fills, or empties. Only core programs have it.
    Record,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `&mut T`
    Change,
    /// `&T`
    Borrow,
    /// `T`
    Value,
}

impl Mode {
    /// How the shadow of such a parameter is passed in a derivative run: tangents of what is only read are only read.
    pub fn of_shadow(self, run: Run) -> Mode {
        match self {
            Mode::Borrow | Mode::Value if !run.is_adjoint() => Mode::Borrow,
            Mode::Change | Mode::Borrow | Mode::Value => Mode::Change,
        }
    }
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// The name under which it is emitted: the user's, with a number behind it where it shadows.
    pub name: Ident,
    /// The name as the user wrote it.
    pub written: String,
    /// The type as written, if it was; of a shadow, the type of what it is the shadow of.
    pub ty: Option<Type>,
    /// What kind of variable it is.
    pub kind: VarKind,
    /// Whether derivatives flow through it.
    pub activity: Activity,
    /// Whether it holds a range, so that indexing with it gives a slice.
    pub range: bool,
    /// Whether it visibly begins as a vector.
    pub vector: bool,
    /// An element of it, as far as its type can be seen: what is pushed onto a vector that begins without elements.
    pub element: Option<Syntax>,
    /// Of a row that is cut out of an array: an element of it, as it is written.
    pub in_row: Option<Rc<Expr>>,
    /// `#[recompute] let`: the way back computes it again, and runs again what it calls.
    pub again: bool,
    /// `#[unchecked] let mut`: no run compares it with what it was.
    pub unchecked: bool,
    /// Where it is declared.
    pub span: Span,
}

impl Var {
    /// A variable that a stage adds, through which no derivative flows.
    pub fn added(name: &str, kind: VarKind, span: Span) -> Var {
        let (name, written) = (crate::hygiene::fresh(name), name.to_string());
        let (activity, range, vector, again, unchecked) = (Activity::Inactive, false, false, false, false);
        Var {
            name,
            written,
            ty: None,
            kind,
            activity,
            range,
            vector,
            element: None,
            in_row: None,
            again,
            unchecked,
            span,
        }
    }
}

/// What kind of variable it is.
#[derive(Clone, Debug, PartialEq)]
pub enum VarKind {
    /// A parameter.
    Param(Mode),
    /// A host parameter.
    Host,
    /// `let mut x = e`
    Ancilla,
    /// `let x = e`
    Let,
    /// A mutable view of a part of another variable; changing it changes that.
    View(Place),
    /// A binding of a pattern that looks into a place (a `match` arm), read-only.
    Part(Place),
    /// A loop variable that counts or reads, or a binding inside an expression.
    Bound,
    /// A value that a derivative run keeps in a register.
    Register,
    /// The adjoint or tangent of another variable; a reference to it for what the run was given.
    Shadow {
        /// Whether it is a reference.
        reference: bool,
    },
}

impl VarKind {
    /// Whether the variable is a `&mut` by itself, so that its bare name passes it on to be changed.
    pub fn is_mutable_reference(&self) -> bool {
        matches!(self, VarKind::Param(Mode::Change) | VarKind::View(_))
    }
}

/// Whether derivatives flow through a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// They do.
    Active,
    /// They cannot: an integer, a condition, a string.
    Inactive,
    /// They do not, by the user's word `#[constant]`.
    Constant,
}

/// The tokens of anything, for messages.
pub(crate) fn text(tokens: TokenStream) -> String {
    crate::print::tidy(tokens)
}
