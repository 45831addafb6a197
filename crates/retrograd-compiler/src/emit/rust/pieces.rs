//! Blocks with very many loops, in pieces.
//!
//! The time that rustc's borrow checker takes for a function grows faster than the square of the number of its loops, in plain Rust
//! as well. It looks at closures one by one.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::Emitter;
use crate::ir::{Block, Check, Sample, Stmt, Witness};

/// So many loops are a piece. A call for so many costs nothing that could be measured.
const LOOPS: usize = 64;

impl Emitter<'_> {
    /// The statements of a block.
    pub(super) fn block(&self, block: &Block) -> TokenStream {
        let many = block.stmts.iter().map(loops).sum::<usize>() >= 2 * LOOPS;
        // Registers of lanes would not stay in registers across a call.
        if !many || !self.program.runs_on_floats() {
            return block.stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        }
        let mut pieces = Pieces::default();
        for stmt in &block.stmts {
            let tokens = self.stmt(stmt);
            match is_closed(stmt) {
                true => pieces.inside(tokens, loops(stmt)),
                false => pieces.outside(tokens),
            }
        }
        pieces.finish()
    }
}

#[derive(Default)]
struct Pieces {
    written: TokenStream,
    /// The piece that is not finished, and its loops.
    piece: TokenStream,
    loops: usize,
}

impl Pieces {
    fn inside(&mut self, tokens: TokenStream, loops: usize) {
        self.piece.extend(tokens);
        self.loops += loops;
        if self.loops >= LOOPS {
            self.close();
        }
    }

    fn outside(&mut self, tokens: TokenStream) {
        self.close();
        self.written.extend(tokens);
    }

    fn close(&mut self) {
        let piece = std::mem::take(&mut self.piece);
        self.written.extend(match std::mem::take(&mut self.loops) {
            0 => piece,
            _ => quote!((|| { #piece })();),
        });
    }

    fn finish(mut self) -> TokenStream {
        self.close();
        self.written
    }
}

/// How many loops a statement is made of.
fn loops(stmt: &Stmt) -> usize {
    let mut count = 0;
    stmt.walk(&mut |stmt| count += usize::from(matches!(stmt, Stmt::For(_) | Stmt::While(_) | Stmt::Loop(_))));
    count
}

/// Whether a statement means the same in a closure: what follows sees no name of it, it is not left, and what it changes has a value
/// before.
fn is_closed(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Begin(_)
        | Stmt::End(_)
        | Stmt::Exit(_)
        | Stmt::Give(_)
        | Stmt::Assign(_)
        | Stmt::Restore(_)
        | Stmt::Check(Check::Witness(Witness::Begin { .. }) | Check::Sample(Sample::Lease(..) | Sample::Scale(..)))
        | Stmt::Host(_) => false,
        Stmt::Unchecked(s) => is_closed(s),
        _ => stmt.blocks().iter().all(|block| is_closed_inside(block)),
    }
}

/// The same of the inside of a statement, which may have names of its own.
fn is_closed_inside(block: &Block) -> bool {
    block.stmts.iter().all(|stmt| matches!(stmt, Stmt::Begin(_) | Stmt::End(_)) || is_closed(stmt))
}
