//! The statements of a block as a run without derivatives: what is dropped is left out.

use super::watch::{Lives, Watch};
use crate::analysis::Context;
use crate::analysis::need::{After, Need};
use crate::invert::{invert, invert_stmt};
use crate::ir::{Block, HostKind, Stmt};
use crate::record::{keeps, way_there, without_record};

/// Whether host statements run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// They do, assertions in the direction in which they were written.
    Run,
    /// They do not: in derivative runs, and while something is undone.
    Rest,
}

/// What runs when the block runs on values alone; some variables are mentioned again afterwards.
pub(crate) fn values(context: &Context<'_>, block: &Block, after: After<'_>, hosts: Hosts) -> Block {
    Values { context, watch: None }.block(block, after, hosts)
}

/// The same, where what is restored is compared with what it was; `watch` knows how.
pub(crate) fn compared_values(
    context: &Context<'_>,
    watch: Option<&Watch<'_, '_>>,
    block: &Block,
    after: After<'_>,
    hosts: Hosts,
) -> Block {
    Values { context, watch }.block(block, after, hosts)
}

#[derive(Clone, Copy)]
struct Values<'v> {
    context: &'v Context<'v>,
    watch: Option<&'v Watch<'v, 'v>>,
}

impl Values<'_> {
    fn block(self, block: &Block, after: After<'_>, hosts: Hosts) -> Block {
        let needs = self.context.needs(block, after);
        let mut lives = self.watch.map(Lives::new);
        let mut stmts = Vec::new();
        for (stmt, need) in block.stmts.iter().zip(&needs) {
            match need {
                Need::Runs => {
                    let computed = lives.as_mut().map(|lives| lives.before(stmt, &mut stmts));
                    match is_dropped(block, &needs, stmt) {
                        true => {
                            let run = without_record(&Block { stmts: vec![stmt.clone()], span: stmt.span() });
                            self.lower(&Stmt::Block(run), true, hosts, &mut stmts);
                        }
                        false => self.lower(stmt, true, hosts, &mut stmts),
                    }
                    if let (Some(lives), Some(computed)) = (&mut lives, computed) {
                        lives.after(stmt, &computed, &mut stmts);
                    }
                }
                Need::Dropped if matches!(stmt, Stmt::Conjugate(_)) => self.lower(stmt, false, hosts, &mut stmts),
                Need::Dropped | Need::Cancelled => {}
            }
        }
        Block { stmts, span: block.span }
    }

    /// A statement; `undone` says whether a `#[compute]` block in it is undone after its use.
    fn lower(self, stmt: &Stmt, undone: bool, hosts: Hosts, stmts: &mut Vec<Stmt>) {
        let inner = |block: &Block, hosts| self.block(block, After::These(&[]), hosts);
        let lowered = match stmt {
            Stmt::If(_) | Stmt::Match(_) | Stmt::While(_) | Stmt::Loop(_) | Stmt::For(_) | Stmt::Block(_) => {
                stmt.map_blocks(&mut |block| inner(block, hosts))
            }
            Stmt::Recompute(s) => {
                stmts.extend(way_there(&s.with_body(inner(&s.body, hosts))));
                return;
            }
            Stmt::Conjugate(s) => {
                stmts.push(Stmt::Block(inner(&s.compute, hosts)));
                stmts.push(Stmt::Block(inner(&s.rest, hosts)));
                if undone {
                    stmts.push(Stmt::Block(inner(&invert(&s.compute), Hosts::Rest)));
                }
                return;
            }
            Stmt::Unchecked(s) => {
                let mut inside = Vec::new();
                Values { watch: None, ..self }.lower(s, undone, hosts, &mut inside);
                stmts.extend(inside.into_iter().map(|s| Stmt::Unchecked(Box::new(s))));
                return;
            }
            Stmt::Inverse(s) => return self.lower(&invert_stmt(s), undone, hosts, stmts),
            Stmt::Uncompute(s) if s.kept => {
                invert(&s.body).stmts.iter().for_each(|stmt| self.lower(stmt, true, hosts, stmts));
                return;
            }
            Stmt::Compute(s) | Stmt::Uncompute(s) => {
                s.body.stmts.iter().for_each(|stmt| self.lower(stmt, true, hosts, stmts));
                return;
            }
            Stmt::Host(s) => {
                if hosts == Hosts::Rest || s.kind == HostKind::Assert(false) {
                    return;
                }
                stmt.clone()
            }
            Stmt::Update(_)
            | Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::Begin(_)
            | Stmt::Check(_)
            | Stmt::Assign(_)
            | Stmt::Exit(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::End(_) => stmt.clone(),
        };
        stmts.push(lowered);
    }
}

/// Whether a statement that fills a record is not undone: then nothing is kept.
fn is_dropped(block: &Block, needs: &[Need], stmt: &Stmt) -> bool {
    let Stmt::Compute(compute) = stmt else { return false };
    let undoes = |later: &Stmt| matches!(later, Stmt::Uncompute(undo) if undo.body == invert(&compute.body));
    keeps(stmt) && block.stmts.iter().zip(needs).any(|(later, need)| *need != Need::Runs && undoes(later))
}
