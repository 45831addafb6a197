//! Statements that lose information, and what a record has to do with them.

use std::collections::BTreeMap;

use super::{Binding, Block, Check, Expr, ExprKind, Place, Stmt, Update, VarId};
use crate::span::Span;

/// `y = e`, undone by what the record took.
#[derive(Clone, Debug, PartialEq)]
pub struct Assign {
    /// What is overwritten.
    pub target: Place,
    /// What it becomes; it may read what it was.
    pub value: Expr,
    /// Where the record keeps what it was.
    pub kept: Option<Slot>,
    /// Whether the way back has the new value from the target, and does not compute it again.
    pub reread: bool,
    /// Where it stands.
    pub span: Span,
}

/// Where in a program the record takes something. What is kept in a slot comes back in the same slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number, one for each place in the program.
    pub number: usize,
    /// How much is kept.
    pub form: Form,
}

/// How much of a value the record keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Its shape: of a number nothing.
    Shape,
    /// All of it.
    Whole,
    /// All of it, and it comes back into its place: a slice has no value of its own.
    InPlace,
    /// The same, if its type allows that.
    Tried,
}

/// Something that the record takes or gives back.
#[derive(Clone, Debug, PartialEq)]
pub struct Keep {
    /// The place.
    pub place: Place,
    /// The local that ends with it, as it began; the record begins it again on the way back.
    pub local: Option<Box<Binding>>,
    /// Where it is kept.
    pub slot: Slot,
}

/// `#[recompute] S`, undone by what it changes, as the record took it before; derivatives and host statements of S need S run again first.
#[derive(Clone, Debug, PartialEq)]
pub struct Recompute {
    /// S
    pub body: Block,
    /// What S changes. Only what `record` has prepared says so.
    pub kept: Vec<Entry>,
    /// Of a loop, in which parts it is run again.
    pub schedule: Option<Box<Schedule>>,
    /// Where it stands.
    pub span: Span,
}

/// `#[checkpoint(snapshots = s)] for ..`: as many states are kept, and the iterations between them are run again.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// How many iterations there are at most, as far as the loop says so in its head.
    pub length: Option<Expr>,
    /// How much may be kept.
    pub budget: Budget,
    /// What carries it out. Only what `record` has prepared has it.
    pub planned: Option<Planned>,
}

/// What a schedule is carried out by. The loop goes through the iterations that the plan says.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The register that says what is to be done next.
    pub plan: VarId,
    /// How many iterations there are, in a register.
    pub count: Expr,
    /// Of a loop that may end before any iteration: its head, without a body, as it is on the way there, where iterations are counted.
    pub search: Option<Box<Stmt>>,
}

/// How much of a loop may be kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Budget {
    /// So many states.
    Snapshots(Expr),
    /// As many states as fit into so many bytes.
    Bytes(Expr),
}

impl Budget {
    /// How much it is.
    pub fn limit(&self) -> &Expr {
        let (Budget::Snapshots(limit) | Budget::Bytes(limit)) = self;
        limit
    }
}

/// What the record takes before a statement that is run again.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The place.
    pub place: Place,
    /// Where it is kept from the way there to the way back.
    pub slot: Slot,
    /// Where it is kept while the statement is run again and undone.
    pub again: Slot,
}

/// The value of a function that may return early: it is given once in every run.
#[derive(Clone, Debug, PartialEq)]
pub struct Give {
    /// The register that holds it.
    pub result: VarId,
    /// The value.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}

/// `while c { A }` or `loop { A }`: how often it iterates is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Goes on while this holds; a `loop` has none.
    pub condition: Option<Expr>,
    /// One iteration.
    pub body: Block,
    /// The number by which exits name it.
    pub number: usize,
    /// Ends where this holds after an iteration.
    pub until: Option<Expr>,
    /// The register that counts the iterations.
    pub count: Option<VarId>,
    /// The plan of a schedule that says how many of the iterations run.
    pub part: Option<VarId>,
    /// Where it stands.
    pub span: Span,
}

/// A way out of a block before its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    /// Where it leads.
    pub kind: ExitKind,
    /// Where it stands.
    pub span: Span,
}

/// Where an exit leads.
#[derive(Clone, Debug, PartialEq)]
pub enum ExitKind {
    /// Behind the loop with that number.
    Break(usize),
    /// To the next iteration of the loop with that number.
    Continue(usize),
    /// Out of the program, of a function with its value.
    Return(Option<Expr>),
}

/// How a loop ends before its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Early {
    /// Where this holds after an iteration.
    pub until: Expr,
    /// The register that says how many iterations were left; if the loop runs in parts, how many were run.
    pub left: VarId,
}

impl Block {
    /// Whether an exit in it names the loop of that number.
    pub fn exits(&self, number: usize) -> bool {
        self.any(&|stmt| match stmt {
            Stmt::Exit(Exit { kind: ExitKind::Break(named) | ExitKind::Continue(named), .. }) => *named == number,
            _ => false,
        })
    }
}

/// What of the record statements use.
#[derive(Debug, Default)]
pub struct Used {
    /// The slots, and how much is kept there.
    pub slots: BTreeMap<usize, Form>,
    /// Whether anything is called that uses it.
    pub called: bool,
    /// Whether any of it is used in a branch or in a loop, or looked at.
    pub deep: bool,
    /// Whether there are samples in it.
    pub sampled: bool,
}

impl Used {
    /// What the statements of a block use.
    pub fn by_block(block: &Block) -> Used {
        let mut used = Used::default();
        used.inside(block);
        used
    }

    /// Whether they use the record at all.
    pub fn needs_record(&self) -> bool {
        self.called || !self.slots.is_empty()
    }

    /// Adds what the statements of a block use.
    pub fn inside(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.by(stmt));
    }

    fn by(&mut self, stmt: &Stmt) {
        match stmt {
            // It says itself whether anything is there.
            Stmt::Keep(Keep { slot: Slot { form: Form::Tried, .. }, .. })
            | Stmt::Restore(Keep { slot: Slot { form: Form::Tried, .. }, .. }) => self.called = true,
            Stmt::Assign(Assign { kept: Some(slot), .. })
            | Stmt::Update(Update { kept: Some(slot), .. })
            | Stmt::Keep(Keep { slot, .. })
            | Stmt::Restore(Keep { slot, .. }) => {
                self.slots.insert(slot.number, slot.form);
            }
            Stmt::Call(s) => self.called |= s.run.has_record(),
            // A search forgets what an iteration has kept, if another one follows.
            Stmt::Loop(s) if s.condition.as_ref().is_some_and(Expr::seeks) => {
                self.called = true;
                self.inside(&s.body);
            }
            Stmt::Begin(s) | Stmt::End(s) => s.value.walk(&mut |e| {
                self.called |= matches!(&e.kind, ExprKind::Companion { run, .. } if run.has_record());
            }),
            Stmt::Check(Check::Sample(_)) => self.sampled = true,
            // It asks the record whether it runs.
            Stmt::Host(_) => self.deep = true,
            Stmt::Unchecked(s) => self.by(s),
            Stmt::Block(s) => self.inside(s),
            _ => {
                let known = self.slots.len();
                stmt.blocks().into_iter().for_each(|block| self.inside(block));
                self.deep |= self.slots.len() > known;
            }
        }
    }
}
