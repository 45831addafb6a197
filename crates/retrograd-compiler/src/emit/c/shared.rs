//! Sums that several runs add to: where each run leaves its terms, and how they come together so that the same bits come out every time.
//!
//! A run adds to its own elements at once. What it adds to elements at a fixed distance they compute themselves, where that is possible; else it leaves
//! its term in a place of its own, and a second kernel, `gather_f`, adds up for each element what the runs around it have left. What all runs add to is
//! summed up by each thread, or by those that run together, in a row of its own, and the rows are added in order. Where elements depend on data,
//! additions are atomic.

mod frame;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use proc_macro2::Ident;

use super::expr::is_quick;
use super::plan::Plan;
use super::range::{Linear, Range};
use super::types::{Int, Ty};
use super::{Emitter, Written, refuse};
use crate::analysis::effects::Access;
use crate::analysis::kernel::{Reach, Reaches, Shift};
use crate::ir::{Block, Expr, ExprKind, Mode, Place, Program, Projection, Role, Stmt, Update, UpdateOp, VarId};

/// Memory that a kernel needs besides its arguments. It comes behind them, and begins as zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// For each element of an argument, and one more, a sum of each thread. They are added to the argument at the end.
    Rows {
        /// The argument, by its position behind the number of runs.
        argument: usize,
        /// Of how many numbers an element is made.
        numbers: usize,
        /// Whether threads that run together have a row in common, in which its sums lie one behind the other.
        staged: bool,
    },
    /// So many numbers for each run.
    Terms {
        /// How many.
        numbers: usize,
    },
    /// As many elements as an argument has, and one more.
    Copy {
        /// The argument, by its position behind the number of runs.
        argument: usize,
        /// Of how many numbers an element is made.
        numbers: usize,
    },
}

/// What is known of the sums of a kernel, and what has been written of them.
pub(super) struct Shared<'p> {
    reaches: Option<Reaches<'p>>,
    plan: Plan,
    /// How many variables the program has; what has a later number is one of the text alone.
    vars: usize,
    /// The shadows that runs share, by their positions among the arguments.
    arguments: BTreeMap<VarId, usize>,
    /// Those of arguments that are marked `#[scatter]`.
    scattered: BTreeSet<VarId>,
    /// Memory with the names and types of its elements.
    temporaries: Vec<(Temporary, String, Ty)>,
    /// Sums of each thread, by what they are sums into.
    sums: BTreeMap<VarId, String>,
    rows: BTreeMap<VarId, String>,
    terms: Vec<Terms>,
    copies: Vec<(VarId, i128, String)>,
    /// What `gather_f` adds to each argument.
    gathered: BTreeMap<VarId, Vec<Gathered>>,
    /// What is added to each argument by what its neighbours would add.
    direct: BTreeMap<VarId, Vec<String>>,
    /// Whether lanes run together, so that their terms come together before they are added.
    staged: bool,
    /// What such terms wait for at this place of the text.
    waiting: Vec<Waiting>,
    /// How many places there are at which they are added.
    flushes: usize,
}

/// An element that terms wait to be added to.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Waiting {
    argument: VarId,
    /// The index, if it is known well enough to be told from others.
    index: Option<Linear>,
}

impl Waiting {
    fn is_apart_from(&self, other: &Waiting) -> bool {
        let different = || Some(self.index.as_ref()?.differs(other.index.as_ref()?));
        self.argument != other.argument || different() == Some(true)
    }
}

/// How many terms come together at most: as many as lanes.
const LANES: usize = 32;

/// What a run adds to elements at fixed distances.
struct Terms {
    register: String,
    memory: String,
    ty: Ty,
    /// What it is added to, and where.
    targets: Vec<(VarId, Expr)>,
    /// The only statement that adds to it, if there is one.
    only: Option<(UpdateOp, Expr)>,
}

enum Gathered {
    Terms { memory: String, index: Expr, ty: Ty },
    Copy { memory: String, ty: Ty },
}

impl<'p> Shared<'p> {
    /// That of a function, which has no runs.
    pub(super) fn none() -> Shared<'p> {
        Shared {
            reaches: None,
            plan: Plan::default(),
            vars: 0,
            arguments: BTreeMap::new(),
            scattered: BTreeSet::new(),
            temporaries: Vec::new(),
            sums: BTreeMap::new(),
            rows: BTreeMap::new(),
            terms: Vec::new(),
            copies: Vec::new(),
            gathered: BTreeMap::new(),
            direct: BTreeMap::new(),
            staged: false,
            waiting: Vec::new(),
            flushes: 0,
        }
    }

    /// `core` is what is written, with views; `scatter` names the arguments that are marked so.
    pub(super) fn of(written: &Program, core: &'p Program, scatter: &[&Ident]) -> Shared<'p> {
        let mut arguments = BTreeMap::new();
        let mut scattered = BTreeSet::new();
        let mut position = 0;
        for (i, param) in core.params.iter().enumerate().skip(1) {
            let read = core.params[i - 1].mode != Mode::Change;
            if param.role == Role::Shadow && param.mode == Mode::Change && read {
                arguments.insert(param.var, position);
                if scatter.contains(&&core.var(core.params[i - 1].var).name) {
                    scattered.insert(param.var);
                }
            }
            position += usize::from(matches!(param.role, Role::Value | Role::Shadow));
        }
        let reaches = core.params.first().map(|index| Reaches::of(core, index.var));
        // Where some runs add atomically, all do.
        let anywhere: BTreeSet<VarId> = reaches
            .iter()
            .flat_map(Reaches::touches)
            .filter(|touch| touch.reach == Reach::Elsewhere)
            .map(|touch| touch.access.place.root)
            .collect();
        scattered.retain(|var| anywhere.contains(var));
        let plan = reaches.as_ref().map(|reaches| Plan::of(written, reaches)).unwrap_or_default();
        Shared { reaches, plan, vars: core.vars.len(), arguments, scattered, ..Shared::none() }
    }

    /// Whether it is that of a kernel.
    pub(super) fn has_runs(&self) -> bool {
        self.reaches.is_some()
    }

    /// The memory that is needed.
    pub(super) fn temporaries(&self) -> Vec<Temporary> {
        self.temporaries.iter().map(|(temporary, ..)| temporary.clone()).collect()
    }

    /// Whether lanes run together.
    pub(super) fn is_staged(&self) -> bool {
        self.staged
    }

    /// What terms wait for here; from now on none do.
    pub(super) fn take_waiting(&mut self) -> Vec<Waiting> {
        std::mem::take(&mut self.waiting)
    }

    /// These wait from here on.
    pub(super) fn wait(&mut self, waiting: Vec<Waiting>) {
        self.waiting = waiting;
    }

    pub(super) fn flushes(&self) -> usize {
        self.flushes
    }

    /// It as parameters.
    pub(super) fn parameters(&self) -> String {
        self.temporaries.iter().map(|(_, name, ty)| format!(", GLOBAL {ty} *{name}")).collect()
    }

    /// Whether a place is a part of an argument.
    fn is_argument(&self, place: &Place, core: &Program) -> bool {
        let root = match &self.reaches {
            Some(reaches) if place.root.0 < self.vars => reaches.access(place).place.root,
            _ => place.root,
        };
        core.params.iter().any(|param| param.var == root)
    }

    /// Whether a value is the same in all runs.
    pub(super) fn is_even(&self, e: &Expr) -> bool {
        self.reaches.as_ref().is_some_and(|reaches| reaches.is_even(e))
    }

    /// The place as one of an argument that runs share.
    pub(super) fn access(&self, place: &Place) -> Option<Access> {
        if place.root.0 >= self.vars {
            return None;
        }
        let access = self.reaches.as_ref()?.access(place);
        self.arguments.contains_key(&access.place.root).then_some(access)
    }
}

impl Emitter<'_> {
    /// Whether terms of all lanes come together before they are added to an element of this argument.
    fn is_staged(&self, var: VarId) -> bool {
        let shared = &self.shared;
        let numbers = matches!(self.types.get(&var), Some(Ty::Slice(of)) if of.is_float());
        numbers && shared.arguments.contains_key(&var) && !shared.scattered.contains(&var) && shared.plan.is_even(var)
    }

    /// Whether there is such an argument.
    pub(super) fn stage(&mut self) {
        let uniform = |reaches: &Reaches<'_>| {
            let mut touches = reaches.touches().into_iter();
            touches.any(|touch| touch.reach == Reach::Uniform && self.is_staged(touch.access.place.root))
        };
        self.shared.staged = self.shared.reaches.as_ref().is_some_and(uniform);
    }

    /// Whether terms may come together in a block.
    pub(super) fn stages(&self, block: &Block) -> bool {
        self.shared.staged && block.stmts.iter().any(|stmt| self.stages_in(stmt))
    }

    fn stages_in(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Update(s) => self.shared.access(&s.target).is_some_and(|access| self.is_staged(access.place.root)),
            Stmt::Call(_) => true,
            Stmt::Begin(s) => matches!(s.value.kind, ExprKind::Companion { .. }),
            Stmt::Unchecked(s) => self.stages_in(s),
            _ => stmt.blocks().iter().any(|block| self.stages(block)),
        }
    }

    /// Terms that wait are added here.
    pub(super) fn flush(&mut self) {
        let waiting = self.shared.take_waiting().len();
        if waiting > 0 {
            self.shared.flushes += 1;
            self.put(&format!("FLUSH({waiting});"));
        }
    }

    /// A change of a place. Lanes that have no run of their own leave arguments as they are.
    pub(super) fn change(&mut self, place: &Place, line: &str) {
        let on = if self.shared.staged && self.shared.is_argument(place, self.program) { "ON " } else { "" };
        self.put(&format!("{on}{line}"));
    }

    /// An addition to a part of an argument that runs share.
    pub(super) fn shared_update(&mut self, s: &Update, access: &Access) -> Written<()> {
        let var = access.place.root;
        let written = self.program.var(var).written.clone();
        if !matches!(s.op, UpdateOp::Add | UpdateOp::Sub) {
            return refuse(s.span, format!("runs share `{written}`, and can only add to it"));
        }
        let Some(reach) = self.shared.reaches.as_ref().map(|reaches| reaches.reach(access)) else { return Ok(()) };
        let place = access.place.clone();
        let unchanged = std::mem::take(&mut self.unchanged);
        if self.shared.scattered.contains(&var) {
            let target = self.place_at(&place)?;
            return self.added(s, &target.text, &target.ty, true);
        }
        match reach {
            Reach::Own => {
                let target = self.place_at(&place)?;
                self.added(s, &target.text, &target.ty, false)
            }
            Reach::Uniform => self.uniform(s, &place),
            Reach::Shifted => self.shifted(s, access, unchanged),
            Reach::Elsewhere => {
                refuse(s.span, format!("`{written}` belongs to all runs, and it is not known which of them meet there"))
            }
        }
    }

    /// What all runs add to.
    fn uniform(&mut self, s: &Update, place: &Place) -> Written<()> {
        let (var, ty) = (place.root, self.var_type(place.root, place.span)?);
        let Some(&argument) = self.shared.arguments.get(&var) else { return Ok(()) };
        let (base, ty, rest) = match (&ty, first_index(place)) {
            (Ty::Slice(of), Some((index, rest))) => {
                let staged = self.is_staged(var);
                let rows = self.rows(var, argument, of, staged, s)?;
                let bounds = self.bounds(var, index);
                let waiting = Waiting { argument: var, index: Linear::of(index, &self.ranges, &self.rolled) };
                let index = self.expr(index, Some(&Ty::Int(Int::USIZE)))?.text;
                let (name, line) = (self.names.of_var(var), self.line);
                if staged {
                    let operand = self.expr(&s.operand, Some(of))?;
                    let sign = if s.op == UpdateOp::Add { "" } else { "-" };
                    // Two lanes cannot add to one element at a time.
                    if self.shared.waiting.iter().any(|other| !other.is_apart_from(&waiting)) {
                        self.flush();
                    }
                    let slot = self.shared.waiting.len();
                    let at = format!("{bounds}({name}, {index}, {line})");
                    self.put(&format!("STAGE({slot}, {rows}, {name}_len + 1, {at}, {sign}({}));", operand.text));
                    self.shared.waiting.push(waiting);
                    if self.shared.waiting.len() == LANES {
                        self.shared.waiting.clear();
                        self.shared.flushes += 1;
                    }
                    return Ok(());
                }
                (format!("{rows}[{bounds}({name}, {index}, {line}) * threads + thread]"), (**of).clone(), rest)
            }
            (Ty::Slice(_), None) => return refuse(s.span, "devices do not know sums of slices"),
            _ => {
                self.rows(var, argument, &ty, false, s)?;
                let sum = match self.shared.sums.get(&var) {
                    Some(sum) => sum.clone(),
                    None => {
                        let sum = self.names.fresh(&format!("sum_{}", self.names.of_var(var)));
                        self.shared.sums.insert(var, sum.clone());
                        sum
                    }
                };
                (sum, ty, place.path.as_slice())
            }
        };
        let target = self.along(base, ty, place, rest)?;
        self.added(s, &target.text, &target.ty, false)
    }

    /// What an index of an argument is looked at with.
    pub(super) fn bounds(&self, var: VarId, index: &Expr) -> &'static str {
        if self.within(var, index) { "NEAR" } else { "IN_BOUNDS" }
    }

    /// The rows of threads for an argument.
    fn rows(&mut self, var: VarId, argument: usize, of: &Ty, staged: bool, s: &Update) -> Written<String> {
        if let Some(rows) = self.shared.rows.get(&var) {
            return Ok(rows.clone());
        }
        let Some(numbers) = of.numbers() else {
            return refuse(s.span, "devices add up numbers and arrays of them only");
        };
        let rows = self.names.fresh(&format!("rows_{}", self.names.of_var(var)));
        self.shared.rows.insert(var, rows.clone());
        let temporary = Temporary::Rows { argument, numbers, staged };
        self.shared.temporaries.push((temporary, rows.clone(), of.clone()));
        Ok(rows)
    }

    /// What the run at a fixed distance has as its own.
    fn shifted(&mut self, s: &Update, access: &Access, unchanged: bool) -> Written<()> {
        let (var, place) = (access.place.root, access.place.clone());
        let shift = self.shared.reaches.as_ref().and_then(|reaches| reaches.shift(access));
        let (Some(shift), Some((index, rest)), Some(&argument), Ty::Slice(of)) =
            (shift, first_index(&place), self.shared.arguments.get(&var), self.var_type(var, s.span)?)
        else {
            return refuse(s.span, "it is not known which runs meet there");
        };
        let Some(numbers) = of.numbers() else {
            return refuse(s.span, "devices add up numbers and arrays of them only");
        };
        let at = self.expr(index, Some(&Ty::Int(Int::USIZE)))?.text;
        let (name, line) = (self.names.of_var(var), self.line);
        let base = match shift {
            Shift::Elements(index) => {
                self.put(&format!("IN_BOUNDS({name}, {at}, {line});"));
                if rest.is_empty() && of.is_float() && self.direct(s, var, &index).is_some() {
                    return Ok(());
                }
                let last = self.shared.terms.last_mut();
                // What is added to several neighbours is left once.
                if let Some(last) = last
                    && last.only.as_ref() == Some(&(s.op, s.operand.clone()))
                    && (rest.is_empty() && last.ty == *of)
                    && unchanged
                {
                    last.targets.push((var, index.clone()));
                    let (memory, ty) = (last.memory.clone(), last.ty.clone());
                    let gathered = Gathered::Terms { memory, index, ty };
                    self.shared.gathered.entry(var).or_default().push(gathered);
                    self.unchanged = true;
                    return Ok(());
                }
                self.terms(var, index, &of, numbers, (rest.is_empty()).then(|| (s.op, s.operand.clone())))
            }
            Shift::Rows(ahead) => {
                let copy = self.copy(var, ahead, argument, &of, numbers);
                format!("{copy}[IN_BOUNDS({name}, {at}, {line})]")
            }
        };
        let target = self.along(base, *of, &place, rest)?;
        self.added(s, &target.text, &target.ty, false)?;
        // The copy of a row has been added to; terms of a single element may be left to others as well.
        self.unchanged = true;
        Ok(())
    }

    /// Each element takes the term of the run that is at that distance from it, if that can be computed anywhere.
    fn direct(&mut self, s: &Update, var: VarId, index: &Expr) -> Option<()> {
        let run = self.program.params.first()?.var;
        let term = self.shared.plan.direct(s)?.clone();
        let from = self.named("from", Ty::Int(Int::USIZE));
        self.ranges.insert(from, Range::RUN);
        let there = |e: &Expr| e.rewritten(&|e| (e.kind == ExprKind::Var(run)).then(|| Expr::var(from, e.span)));
        let and = if term.conditions.iter().all(|(e, _)| is_quick(e)) { "&" } else { "&&" };
        let mut condition = String::new();
        for (e, holds) in &term.conditions {
            let e = self.expr(&there(e), Some(&Ty::Bool)).ok()?;
            let _ = write!(condition, " {and} {}{}", if *holds { "" } else { "!" }, e.text);
        }
        let first = self.first(run, index).ok()?;
        let operand = self.expr(&there(&term.operand), Some(&Ty::Shadow)).ok().filter(|value| value.ty.is_float())?;
        let (name, own) = (self.names.of_var(var), self.names.of_var(run));
        let sign = if s.op == UpdateOp::Add { '+' } else { '-' };
        let text = format!(
            "{{ usize from = {own} - {first}; boolean there = from < runs{condition}; shadow part = there ? {} : (shadow)0; \
             if (there) {name}_sum {sign}= part; }}",
            operand.text
        );
        self.own.borrow_mut().insert(var);
        self.shared.direct.entry(var).or_default().push(text);
        Some(())
    }

    /// What the index is for the first run.
    fn first(&self, run: VarId, index: &Expr) -> Written<String> {
        let first = index.rewritten(&|e| (e.kind == ExprKind::Var(run)).then(|| zero(e)));
        Ok(self.expr(&first, Some(&Ty::Int(Int::USIZE)))?.text)
    }

    /// The register for what is added to that element.
    fn terms(&mut self, var: VarId, index: Expr, of: &Ty, numbers: usize, only: Option<(UpdateOp, Expr)>) -> String {
        let there = [(var, index.clone())];
        if let Some(terms) = self.shared.terms.iter_mut().find(|terms| terms.targets == there) {
            terms.only = None;
            return terms.register.clone();
        }
        let number = self.shared.terms.len();
        let (register, memory) =
            (self.names.fresh(&format!("term_{number}")), self.names.fresh(&format!("terms_{number}")));
        self.shared.temporaries.push((Temporary::Terms { numbers }, memory.clone(), of.clone()));
        let gathered = Gathered::Terms { memory: memory.clone(), index, ty: of.clone() };
        self.shared.gathered.entry(var).or_default().push(gathered);
        self.shared.terms.push(Terms {
            register: register.clone(),
            memory,
            ty: of.clone(),
            targets: there.to_vec(),
            only,
        });
        register
    }

    /// A copy of the argument for what is so many rows ahead.
    fn copy(&mut self, var: VarId, ahead: i128, argument: usize, of: &Ty, numbers: usize) -> String {
        if let Some((.., copy)) = self.shared.copies.iter().find(|(of, by, _)| (*of, *by) == (var, ahead)) {
            return copy.clone();
        }
        let memory = self.names.fresh(&format!("copy_{}", self.shared.copies.len()));
        self.shared.copies.push((var, ahead, memory.clone()));
        self.shared.temporaries.push((Temporary::Copy { argument, numbers }, memory.clone(), of.clone()));
        let gathered = Gathered::Copy { memory: memory.clone(), ty: of.clone() };
        self.shared.gathered.entry(var).or_default().push(gathered);
        memory
    }

    /// `x += e` for each number in it.
    pub(super) fn added(&mut self, s: &Update, x: &str, ty: &Ty, atomic: bool) -> Written<()> {
        let operand = self.expr(&s.operand, Some(ty))?;
        if *ty != operand.ty && !(ty.is_float() && operand.ty.is_float()) {
            return refuse(s.span, format!("`{ty}` is changed by `{}`, which has another type", operand.ty));
        }
        if ty.numbers().is_none() {
            return refuse(s.span, "devices add up numbers and arrays of them only");
        }
        let sign = if s.op == UpdateOp::Add { '+' } else { '-' };
        let mut line = format!("{{ {ty} operand = {};", operand.text);
        for leaf in ty.leaves() {
            let (heads, path) = (&leaf.heads, &leaf.path);
            let _ = match atomic {
                true => write!(line, " {heads}atomic_sum(&({x}){path}, {sign}operand{path});"),
                false => write!(line, " {heads}({x}){path} {sign}= operand{path};"),
            };
        }
        self.change(&s.target, &format!("{line} }}"));
        Ok(())
    }
}

/// The number of the first run.
fn zero(e: &Expr) -> Expr {
    Expr::integer(0, e.span)
}

/// The index of an element of a slice, and the way on from there.
fn first_index(place: &Place) -> Option<(&Expr, &[Projection])> {
    let skipped = place.path.iter().take_while(|step| **step == Projection::Deref).count();
    match &place.path[skipped..] {
        [Projection::Index(index), rest @ ..] => Some((index, rest)),
        _ => None,
    }
}
