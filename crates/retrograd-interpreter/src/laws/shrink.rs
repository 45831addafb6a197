//! Small programs that break a law, from large ones.

use syn::visit_mut::VisitMut;

use super::{Failure, Laws, Verdict};

/// The smallest program that still breaks a law, as far as leaving out statements, loops and whole functions goes; and how it breaks it.
pub fn shrink(laws: &Laws<'_>, text: &str, name: &str, failure: &Failure) -> (String, Failure) {
    let Ok(mut file) = syn::parse_file(text) else { return (text.to_string(), failure.clone()) };
    let (without, law, mut failure) = (failure.without.clone(), failure.law, failure.clone());
    let narrow = [without.as_slice()];
    let laws = Laws { without: &narrow, ..*laws };
    // What a run ends with stays the same: a smaller program may fail for a reason of its own.
    let first_line = |failure: &Failure| failure.problem.lines().next().map(str::to_string);
    let ended = failure.ended.then(|| first_line(&failure)).flatten();
    let breaks = |file: &syn::File| match laws.check(&written(file), name) {
        // A program that does not compile any more breaks nothing.
        Verdict::Broken(found) if found.law == law && (ended.is_none() || first_line(&found) == ended) => Some(found),
        _ => None,
    };
    loop {
        let mut smaller = false;
        let mut at = 0;
        loop {
            let mut cut = file.clone();
            let mut edit = Edit { at, count: 0, done: false };
            edit.visit_file_mut(&mut cut);
            if !edit.done {
                break;
            }
            match breaks(&cut) {
                Some(found) => {
                    (file, failure, smaller) = (cut, found, true);
                }
                None => at += 1,
            }
        }
        if !smaller {
            return (written(&file), failure);
        }
    }
}

/// How many statements the functions of a module have, blocks not counted.
pub fn statements(text: &str) -> usize {
    struct Count(usize);
    impl<'a> syn::visit::Visit<'a> for Count {
        fn visit_stmt(&mut self, stmt: &'a syn::Stmt) {
            self.0 += 1;
            syn::visit::visit_stmt(self, stmt);
        }
    }
    let mut count = Count(0);
    if let Ok(file) = syn::parse_file(text) {
        syn::visit::Visit::visit_file(&mut count, &file);
    }
    count.0
}

fn written(file: &syn::File) -> String {
    retrograd_compiler::print::tidy(quote::ToTokens::to_token_stream(file))
}

/// One of the ways in which a program can be made smaller, by its number.
struct Edit {
    at: usize,
    count: usize,
    done: bool,
}

impl Edit {
    fn is_next(&mut self) -> bool {
        let next = !self.done && self.count == self.at;
        self.count += 1;
        self.done |= next;
        next
    }
}

impl VisitMut for Edit {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        // The last item is the program itself.
        for i in 0..file.items.len().saturating_sub(1) {
            if self.is_next() {
                file.items.remove(i);
                return;
            }
        }
        syn::visit_mut::visit_file_mut(self, file);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        // Statements that belong together go together; the most first.
        let count = block.stmts.len();
        for len in (1..=count).rev() {
            for i in 0..=count - len {
                if self.is_next() {
                    block.stmts.drain(i..i + len);
                    return;
                }
            }
        }
        for i in 0..count {
            // What is inside a block, a loop or a branch, in its place.
            if let Some(inside) = inner(&block.stmts[i])
                && self.is_next()
            {
                block.stmts.splice(i..=i, inside);
                return;
            }
        }
        syn::visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if self.done {
            return;
        }
        // Either side of an operation, in its place.
        if let syn::Expr::Binary(binary) = e
            && !matches!(
                binary.op,
                syn::BinOp::AddAssign(_)
                    | syn::BinOp::SubAssign(_)
                    | syn::BinOp::MulAssign(_)
                    | syn::BinOp::DivAssign(_)
                    | syn::BinOp::BitXorAssign(_)
            )
        {
            for side in [(*binary.left).clone(), (*binary.right).clone()] {
                if self.is_next() {
                    *e = side;
                    return;
                }
            }
        }
        syn::visit_mut::visit_expr_mut(self, e);
    }
}

fn inner(stmt: &syn::Stmt) -> Option<Vec<syn::Stmt>> {
    let syn::Stmt::Expr(e, _) = stmt else { return None };
    Some(match e {
        syn::Expr::Block(block) => block.block.stmts.clone(),
        syn::Expr::ForLoop(block) => block.body.stmts.clone(),
        syn::Expr::While(block) => block.body.stmts.clone(),
        syn::Expr::If(branch) => branch.then_branch.stmts.clone(),
        _ => return None,
    })
}
