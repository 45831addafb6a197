//! At which points a way back has restored a local, all of it: where nothing that restores it has been left out since the record gave it
//! back, or since the run began.

use std::collections::{BTreeMap, BTreeSet};

use super::{At, Numbers, Points, Where, at};
use crate::analysis::Context;
use crate::ir::{Block, Form, Keep, Program, Stmt, VarId};
use crate::record::forms;

/// The points at which locals can be compared on a way back, of which nothing or only what nobody demands has been left out.
pub fn restored(points: &Points, whole: &Program, demanded: &Program) -> Numbers {
    if points.is_empty() {
        return Numbers::new();
    }
    let context = Context::new(whole);
    let followed: BTreeSet<VarId> = points.points.iter().map(|point| point.var).collect();
    let left = changes(&Context::new(demanded), &followed, &demanded.body);
    let (forms, spoiled) = (forms(&demanded.body), BTreeSet::new());
    let mut flow = Flow { context: &context, points, followed, left, forms, spoiled, bad: Numbers::new() };
    flow.block(&whole.body);
    (0..points.points.len()).filter(|number| !flow.bad.contains(number)).collect()
}

/// A statement that changes a variable: where it stands, which one, and how.
type Change = (Where, VarId, String);

fn change(stmt: &Stmt, var: VarId) -> Change {
    let way = match stmt {
        Stmt::Update(s) => format!("{:?}", s.op),
        Stmt::Map(s) => format!("{:?}", s.function),
        Stmt::Call(s) => format!("{:?} {}", s.run, s.inverse),
        _ => String::new(),
    };
    (at(stmt.span()), var, way)
}

fn changes(context: &Context<'_>, followed: &BTreeSet<VarId>, block: &Block) -> BTreeSet<Change> {
    let mut found = BTreeSet::new();
    block.walk(&mut |stmt| {
        let changed = context.own_effects(stmt).changed().into_iter().filter(|var| followed.contains(var));
        found.extend(changed.map(|var| change(stmt, var)));
    });
    found
}

struct Flow<'c, 'p> {
    context: &'c Context<'p>,
    points: &'c Points,
    followed: BTreeSet<VarId>,
    /// What has been left of the changes.
    left: BTreeSet<Change>,
    /// What has been left of what the record gives back.
    forms: BTreeMap<usize, Form>,
    /// The locals that are not what they were.
    spoiled: BTreeSet<VarId>,
    /// The points at which such a local would be compared.
    bad: Numbers,
}

impl Flow<'_, '_> {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let points = self.points;
        for (number, point) in points.undone_by(stmt) {
            if self.spoiled.contains(&point.var) {
                self.bad.insert(number);
            }
        }
        match stmt {
            Stmt::For(_) | Stmt::While(_) | Stmt::Loop(_) => loop {
                let before = self.spoiled.clone();
                stmt.blocks().into_iter().for_each(|block| self.block(block));
                self.iteration(stmt);
                let known = before.len();
                self.spoiled.extend(before);
                if self.spoiled.len() == known {
                    break;
                }
            },
            Stmt::If(_) | Stmt::Match(_) => {
                let before = self.spoiled.clone();
                let mut after = before.clone();
                for block in stmt.blocks() {
                    self.spoiled.clone_from(&before);
                    self.block(block);
                    after.append(&mut self.spoiled);
                }
                self.spoiled = after;
            }
            Stmt::Unchecked(s) => self.stmt(s),
            Stmt::Restore(s) => self.restore(s),
            Stmt::Update(_)
            | Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::Assign(_)
            | Stmt::Keep(_)
            | Stmt::Give(_)
            | Stmt::Begin(_)
            | Stmt::End(_)
            | Stmt::Exit(_)
            | Stmt::Host(_)
            | Stmt::Check(_)
            | Stmt::Inverse(_)
            | Stmt::Block(_)
            | Stmt::Conjugate(_)
            | Stmt::Recompute(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => {
                let changed = self.context.own_effects(stmt).changed().into_iter();
                let changed: Vec<VarId> = changed.filter(|var| self.followed.contains(var)).collect();
                self.spoiled.extend(changed.into_iter().filter(|var| !self.left.contains(&change(stmt, *var))));
                stmt.blocks().into_iter().for_each(|block| self.block(block));
            }
        }
    }

    /// An iteration has been undone.
    fn iteration(&mut self, stmt: &Stmt) {
        let Some((_, head)) = self.points.head(stmt).filter(|(_, head)| head.is_back(stmt)) else { return };
        for &number in &head.points {
            let point = &self.points.points[number];
            if matches!(point.at, At::Iterations(_)) && self.spoiled.contains(&point.var) {
                self.bad.insert(number);
            }
        }
    }

    /// The record gives all of a local back, or a part of it, or zeros in its place.
    fn restore(&mut self, s: &Keep) {
        let root = self.context.root(&s.place);
        match self.forms.get(&s.slot.number) {
            None | Some(Form::Shape) => {
                self.spoiled.insert(root);
            }
            Some(Form::Whole | Form::InPlace) if s.place.is_all() && root == s.place.root => {
                self.spoiled.remove(&root);
            }
            Some(Form::Whole | Form::InPlace | Form::Tried) => {}
        }
    }
}
