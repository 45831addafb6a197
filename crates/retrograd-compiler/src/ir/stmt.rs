//! Statements. The doc of each says its inverse; `invert` is the code for it.

use proc_macro2::Ident;

use super::{
    Assign, Check, Early, Elementary, Exit, Expr, Give, Iteration, Keep, Loop, Path, Pattern, Place, Recompute, Slot,
    Syntax, Type, VarId,
};
use crate::span::Span;

/// Statements that run one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// Where the block stands, braces included.
    pub span: Span,
}

/// A statement.
///
/// The parser makes every kind but `Compute` and `Uncompute`; `elaborate` adds these, ends every life
/// explicitly, and replaces `Inverse`.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `y += e`
    Update(Update),
    /// `y = -y`
    Flip(Flip),
    /// `y = y.exp()`
    Map(Map),
    /// `swap(&mut a, &mut b)`
    Swap(Swap),
    /// `a.swap(i, j)`
    Permute(Permute),
    /// `g(&mut x, y)`
    Call(Call),
    /// A local begins to live.
    Begin(Binding),
    /// A local ends its life: the inverse of its beginning.
    End(Binding),
    /// `if c { A } else { B }`
    If(If),
    /// `match v { p => A, .. }`
    Match(Match),
    /// `while (pre, post) { A }`
    While(While),
    /// `y = e`
    Assign(Assign),
    /// `while c { A }`, `loop { A }`
    Loop(Loop),
    /// `break`, `continue`, `return`
    Exit(Exit),
    /// `for i in r { A }`
    For(For),
    /// `#[recompute] S`
    Recompute(Recompute),
    /// `{ A }`
    Block(Block),
    /// `#[compute] { A } rest`
    Conjugate(Conjugate),
    /// `#[unchecked] S`
    Unchecked(Box<Stmt>),
    /// `#[inverse] S`
    Inverse(Box<Stmt>),
    /// `#[host] S`
    Host(Host),
    /// A local ends its life, and the record takes its value. Only what `record` has prepared has it, and what follows.
    Keep(Keep),
    /// The record gives back what it took.
    Restore(Keep),
    /// The value of a function that may return early.
    Give(Give),
    /// Computes ancillas of the block; its inverse is [`Stmt::Uncompute`].
    Compute(Compute),
    /// Something is looked at that the program relies on. Only derivative programs and the core have it.
    Check(Check),
    /// Gives the ancillas back what they were. Adjoint runs always run it; other runs only where what it gives back is
    /// mentioned again.
    Uncompute(Compute),
}

/// `y op= e`, undone by the opposite operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// The operator.
    pub op: UpdateOp,
    /// What is changed.
    pub target: Place,
    /// What it is changed by.
    pub operand: Expr,
    /// The operand as the user wrote it, where a derivative run has its value in a register: what it reads is not the target.
    pub written: Option<Box<Expr>>,
    /// Where the record keeps what the target was: then that undoes it.
    pub kept: Option<Slot>,
    /// Where it stands.
    pub span: Span,
}

/// The operator of an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateOp {
    /// `+=`
    Add,
    /// `-=`
    Sub,
    /// `*=`
    Mul,
    /// `/=`
    Div,
    /// `^=`
    Xor,
}

/// `y = -y` or `b = !b`, its own inverse.
#[derive(Clone, Debug, PartialEq)]
pub struct Flip {
    /// The operator.
    pub op: FlipOp,
    /// What is changed.
    pub target: Place,
    /// Where it stands.
    pub span: Span,
}

/// The operator of a flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlipOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// `y = m(y)` for a bijection `m`, undone by its inverse.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// What is changed.
    pub target: Place,
    /// The bijection.
    pub function: MapFn,
    /// Where it stands.
    pub span: Span,
}

/// A bijection.
#[derive(Clone, Debug, PartialEq)]
pub enum MapFn {
    /// A method of the table in `invert`, such as `exp`.
    Method(Elementary),
    /// A function with `#[bijection]`, or its inverse.
    Function {
        /// The function.
        path: Path,
        /// Whether it is run backwards.
        inverse: bool,
    },
}

/// `swap(&mut a, &mut b)`, its own inverse.
#[derive(Clone, Debug, PartialEq)]
pub struct Swap {
    /// One place.
    pub a: Place,
    /// The other.
    pub b: Place,
    /// How it is called, if by the user: the name could mean something else.
    pub named: Option<Path>,
    /// Where it stands.
    pub span: Span,
}

/// Moves the elements of a slice about.
#[derive(Clone, Debug, PartialEq)]
pub struct Permute {
    /// The slice.
    pub target: Place,
    /// How.
    pub permutation: Permutation,
    /// Where it stands.
    pub span: Span,
}

/// A permutation of the elements of a slice.
#[derive(Clone, Debug, PartialEq)]
pub enum Permutation {
    /// `a.swap(i, j)`, its own inverse.
    Swap(Expr, Expr),
    /// `a.reverse()`, its own inverse.
    Reverse,
    /// `a.rotate_left(k)`, undone by `rotate_right`.
    RotateLeft(Expr),
    /// `a.rotate_right(k)`, undone by `rotate_left`.
    RotateRight(Expr),
}

/// A call of a reversible procedure, undone by the call of its inverse.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// Whether it is run backwards.
    pub inverse: bool,
    /// Which run of it. In derivative runs each argument is followed by its shadow.
    pub run: super::Run,
    /// The arguments; for a method the receiver comes first.
    pub args: Vec<Arg>,
    /// Where it stands.
    pub span: Span,
}

/// What is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// `g(..)`: its inverse is `g::uncall(..)`.
    Path(Path),
    /// `Type::g(..)`: its inverse is `Type::uncall_g(..)`.
    Associated(Path),
    /// `place.g(..)`: its inverse is `place.uncall_g(..)`.
    Method {
        /// The name of the method.
        name: Ident,
        /// `::<T>`
        turbofish: Option<Vec<Syntax>>,
    },
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// How it is passed.
    pub kind: ArgKind,
    /// Where it stands.
    pub span: Span,
}

/// How an argument is passed.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgKind {
    /// `&mut place`: the call changes it.
    Change(Place),
    /// `&place`: the call reads it.
    Borrow(Place),
    /// Any other pure expression.
    Value(Expr),
    /// A host parameter handed on.
    Host(VarId),
}

/// A local from its beginning to its end. The same node serves both, so that inversion swaps them.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// What kind of local.
    pub kind: BindingKind,
    /// The name, or names.
    pub pattern: Pattern,
    /// The type as written.
    pub ty: Option<Type>,
    /// What it is at this end of its life.
    pub value: Expr,
    /// `#[constant] let`: no derivative flows through it.
    pub constant: bool,
    /// Where it stands.
    pub span: Span,
}

/// What kind of local a binding makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// `let x = e`: a name for a value.
    Let,
    /// `let v = &mut x[a..b]`: a name for a part of another variable.
    View,
    /// `let mut x = e`: scratch that is undone by itself.
    Ancilla,
    /// `let mut x = e` .. `release!(x == e)`: scratch that the user gives back.
    Manual,
}

/// `if c { A } else { B }`
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// What chooses the branch, on the way there and on the way back.
    pub condition: Condition,
    /// Where the condition holds.
    pub then: Block,
    /// Where it does not. An `else if` is a block with one `if` in it.
    pub otherwise: Option<Block>,
    /// Where it stands.
    pub span: Span,
}

/// A condition and what is true of the state afterwards exactly when it held.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Read before.
    pub pre: Expr,
    /// Read after; the same as `pre` if it is not given, because nothing that `pre` reads is changed.
    pub post: Option<Expr>,
}

/// `match v { p => A, .. }`, where no arm changes `v`.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// What is matched.
    pub scrutinee: Expr,
    /// The arms.
    pub arms: Vec<Arm>,
    /// Where it stands.
    pub span: Span,
}

/// An arm of a `match` statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The pattern.
    pub pattern: Pattern,
    /// The guard.
    pub guard: Option<Expr>,
    /// The statements.
    pub body: Block,
}

/// `while (pre, post) { A }`: `post` is false on entry and true after each iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct While {
    /// Goes on while this holds.
    pub pre: Expr,
    /// The way back goes on while this holds.
    pub post: Expr,
    /// One turn.
    pub body: Block,
    /// Where it stands.
    pub span: Span,
}

/// `for i in r { A }`, undone by the same elements in reverse.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// The loop variable.
    pub pattern: Pattern,
    /// What it goes through.
    pub iter: Box<Iter>,
    /// One turn.
    pub body: Block,
    /// `#[unroll(N)]`
    pub unroll: Option<usize>,
    /// The number by which exits name it, if there are any.
    pub number: Option<usize>,
    /// How it ends before its end, if it may.
    pub early: Option<Box<Early>>,
    /// The plan of a schedule that says which of the iterations run.
    pub part: Option<VarId>,
    /// Whether it goes through the numbers of the iterations that were written, in place of their elements.
    pub numbered: bool,
    /// Where it stands.
    pub span: Span,
}

/// What a loop goes through.
#[derive(Clone, Debug, PartialEq)]
pub struct Iter {
    /// Where the elements come from.
    pub source: Source,
    /// What is done to them, in the order written. The inverse of a loop has one `rev` more, or one less.
    pub adapters: Vec<Adapter>,
    /// Where it stands.
    pub span: Span,
}

/// Where the elements of a loop come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// `a..b`, `a..=b`
    Range {
        /// The first element.
        start: Expr,
        /// The end.
        end: Expr,
        /// Whether the end belongs to it.
        inclusive: bool,
    },
    /// A value that is a range.
    Value(Expr),
    /// `x.iter()`
    Elements(Expr),
    /// `x.iter_mut()`
    ElementsMut(Place),
    /// `x.chunks_exact(k)`
    Chunks(Expr, Expr),
    /// `x.chunks_exact_mut(k)`
    ChunksMut(Place, Expr),
    /// `x.windows(k)`
    Windows(Expr, Expr),
}

/// What is done to the elements of a loop.
#[derive(Clone, Debug, PartialEq)]
pub enum Adapter {
    /// `.rev()`
    Rev,
    /// `.step_by(k)`
    StepBy(Expr),
    /// `.enumerate()`
    Enumerate,
    /// `.zip(other)`
    Zip(Box<Iter>),
    /// `.copied()`, `.cloned()`
    Copied(Iteration),
    /// `.skip(k)`; behind a `.rev()` also the way back of a loop that ended early.
    Skip(Expr),
}

/// `#[compute] { A } rest`: A, the rest, and A undone; its inverse is A, the rest undone, and A undone.
#[derive(Clone, Debug, PartialEq)]
pub struct Conjugate {
    /// A
    pub compute: Block,
    /// The rest of the block that holds it.
    pub rest: Block,
    /// Where the `#[compute]` block stands.
    pub span: Span,
}

/// A statement of the host: irreversible by intent.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// When it runs.
    pub kind: HostKind,
    /// Which of the host statements of the program it is.
    pub number: usize,
    /// Whether `#[host]` stands in front of it.
    pub marked: bool,
    /// The variables it mentions.
    pub reads: Vec<VarId>,
    /// Where it stands.
    pub span: Span,
}

/// When a host statement runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostKind {
    /// In `f` and in `uncall`.
    Both,
    /// An assertion: in the direction in which it was written, that is, if this is `true`.
    Assert(bool),
}

/// Statements that compute ancillas, or undo that.
#[derive(Clone, Debug, PartialEq)]
pub struct Compute {
    /// The statements.
    pub body: Block,
    /// Whether they are the slice of a statement that changes other things too.
    pub slice: bool,
    /// Whether they fill a record of the run, which undoes them: then an `Uncompute` has what it undoes.
    pub kept: bool,
}

impl Call {
    /// The procedure of the runtime that a method of vectors or slices is short for, if it is one: it moves elements, and is undone exactly.
    pub fn moves(&self) -> Option<&'static str> {
        let Callee::Path(path) = &self.callee else { return None };
        let name = path.in_runtime()?;
        ["append", "shrink", "insert_at", "remove_at", "sort_by", "sort_by_key"].into_iter().find(|known| name == known)
    }
}

impl For {
    /// A loop that ends at its end.
    pub fn new(pattern: Pattern, iter: Iter, body: Block, span: Span) -> For {
        let iter = Box::new(iter);
        For { pattern, iter, body, unroll: None, number: None, early: None, part: None, numbered: false, span }
    }

    /// Whether its iterations are in the order of those of a loop as it was written, there or in a derived program.
    pub fn is_in_order_of(&self, written: &Iter) -> bool {
        self.iter.is_reversed() == (!self.numbered && written.is_reversed())
    }
}

impl Iter {
    /// Whether it goes through its elements from the end.
    pub fn is_reversed(&self) -> bool {
        self.adapters.iter().filter(|adapter| matches!(adapter, Adapter::Rev)).count() % 2 == 1
    }
}

impl Stmt {
    /// Where the statement stands.
    pub fn span(&self) -> Span {
        match self {
            Stmt::Update(s) => s.span,
            Stmt::Flip(s) => s.span,
            Stmt::Map(s) => s.span,
            Stmt::Swap(s) => s.span,
            Stmt::Permute(s) => s.span,
            Stmt::Call(s) => s.span,
            Stmt::Begin(s) | Stmt::End(s) => s.span,
            Stmt::If(s) => s.span,
            Stmt::Match(s) => s.span,
            Stmt::While(s) => s.span,
            Stmt::Assign(s) => s.span,
            Stmt::Loop(s) => s.span,
            Stmt::Exit(s) => s.span,
            Stmt::Keep(s) | Stmt::Restore(s) => s.place.span,
            Stmt::Give(s) => s.span,
            Stmt::For(s) => s.span,
            Stmt::Recompute(s) => s.span,
            Stmt::Block(s) => s.span,
            Stmt::Conjugate(s) => s.span,
            Stmt::Unchecked(s) | Stmt::Inverse(s) => s.span(),
            Stmt::Host(s) => s.span,
            Stmt::Check(Check::Restored(s)) => s.binding.span,
            Stmt::Check(Check::Witness(s)) => s.span(),
            Stmt::Check(Check::Sample(s)) => s.span(),
            Stmt::Check(Check::Distinct(s)) => s.statement.span(),
            Stmt::Compute(s) | Stmt::Uncompute(s) => s.body.span,
        }
    }

    /// Whether the statement changes a place by itself.
    pub fn acts(&self) -> bool {
        match self {
            Stmt::Update(_)
            | Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::Assign(_)
            | Stmt::Restore(_) => true,
            Stmt::Begin(_)
            | Stmt::End(_)
            | Stmt::If(_)
            | Stmt::Match(_)
            | Stmt::While(_)
            | Stmt::Loop(_)
            | Stmt::Exit(_)
            | Stmt::Keep(_)
            | Stmt::Give(_)
            | Stmt::For(_)
            | Stmt::Recompute(_)
            | Stmt::Block(_)
            | Stmt::Conjugate(_)
            | Stmt::Unchecked(_)
            | Stmt::Inverse(_)
            | Stmt::Host(_)
            | Stmt::Check(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => false,
        }
    }

    /// The local that begins here.
    pub fn begun(&self) -> Option<&Binding> {
        if let Stmt::Begin(binding) = self { Some(binding) } else { None }
    }

    /// The local that ends here.
    pub fn ended(&self) -> Option<&Binding> {
        if let Stmt::End(binding) = self { Some(binding) } else { None }
    }
}
