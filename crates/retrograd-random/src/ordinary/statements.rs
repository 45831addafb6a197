//! Blocks and statements of ordinary programs.

use super::Body;
use crate::scope::Kind;

#[derive(Clone, Copy, Debug)]
enum Statement {
    Local,
    Assignment,
    Exchange,
    Call,
    Tuple,
    Closure,
    Vector,
    LoopValue,
    Exit,
    If,
    Match,
    For,
    While,
    Loop,
    Block,
}

impl Statement {
    /// Whether `#[recompute]` can stand in front of it.
    fn can_be_run_again(self) -> bool {
        matches!(self, Statement::Call | Statement::For | Statement::While | Statement::Loop | Statement::Block)
    }
}

impl Body<'_> {
    /// Writes everything between the braces of a function.
    pub(super) fn whole(&mut self, depth: usize, size: usize) {
        for _ in 0..self.writer.rng.between(1, 2) {
            self.number();
        }
        for _ in 0..size {
            self.statement(depth);
        }
        self.tail(depth);
    }

    /// Writes a block, without its braces.
    pub(super) fn block(&mut self, depth: usize) {
        let outer = self.writer.scope.enter();
        self.statements(depth);
        self.writer.scope.leave(outer);
    }

    pub(super) fn statements(&mut self, depth: usize) {
        for _ in 0..self.writer.rng.weighted(&[(5, 1), (5, 2), (2, 3)]) {
            self.statement(depth);
        }
    }

    pub(super) fn statement(&mut self, depth: usize) {
        let mut choices =
            vec![(12, Statement::Local), (34, Statement::Assignment), (5, Statement::Exchange), (5, Statement::Call)];
        choices.extend([(3, Statement::Tuple), (3, Statement::Closure), (6, Statement::Vector)]);
        if depth > 0 {
            choices.extend([(12, Statement::If), (6, Statement::Match), (2, Statement::Block)]);
            choices.push(if self.loops.is_empty() { (3, Statement::Exit) } else { (12, Statement::Exit) });
            if self.writer.turns < 16 {
                choices.extend([
                    (10, Statement::For),
                    (9, Statement::While),
                    (7, Statement::Loop),
                    (3, Statement::LoopValue),
                ]);
            }
        }
        let mark = self.writer.text.mark();
        let statement = self.writer.rng.weighted(&choices);
        if statement.can_be_run_again() && self.marks.chance(10) {
            self.writer.note("recompute");
            self.writer.text.line("#[recompute]");
        }
        let is_written = match statement {
            Statement::Local => self.local(depth),
            Statement::Assignment => self.assignment(),
            Statement::Exchange => self.exchange(),
            Statement::Call => self.call(),
            Statement::Tuple => self.tuple(),
            Statement::Closure => self.closure(),
            Statement::Vector => self.vector(),
            Statement::LoopValue => self.loop_with_value(depth - 1),
            Statement::Exit => self.leave(depth),
            Statement::If => self.branch(depth - 1),
            Statement::Match => self.selection(depth - 1),
            Statement::For => self.for_loop(depth - 1),
            Statement::While => self.while_loop(depth - 1),
            Statement::Loop => self.endless_loop(depth - 1),
            Statement::Block => {
                self.writer.text.open("");
                self.block(depth - 1);
                self.writer.text.close();
                true
            }
        };
        if !is_written {
            self.writer.text.back_to(mark);
            self.number();
        }
    }

    /// `y = f(..);`, `let z = f(..);`, `y += 0.1 * f(..);`, `procedure(&mut y, z);`
    fn call(&mut self) -> bool {
        if self.writer.turns > 6 {
            return false;
        }
        if !self.writer.items.procedures.is_empty() && self.writer.rng.chance(40) {
            return self.procedure();
        }
        if self.writer.rng.chance(30) {
            return self.pair_of_results();
        }
        let Some(call) = self.writer.function_call(Kind::Float, 2) else { return false };
        self.writer.note("call as a value");
        let scalars = self.writer.scope.writable(|var| var.kind == Kind::Float);
        match (self.writer.place_among(&scalars), self.writer.rng.below(3)) {
            (Some(place), 0) => {
                let coefficient = self.writer.coefficient();
                self.writer.text.line(format!("{} += {coefficient} * {};", place.text, call.text));
            }
            (Some(place), 1) => self.writer.text.line(format!("{} = {};", place.text, call.text)),
            _ => self.begin(Kind::Float, "", &call.text),
        }
        true
    }

    /// `let (a, b) = f(..);`
    fn pair_of_results(&mut self) -> bool {
        let Some((call, kinds)) = self.writer.call_of_function(|results| results.len() == 2, 2) else { return false };
        self.writer.note("pair of results");
        let names: Vec<String> = kinds.iter().map(|&kind| self.declare_fixed(kind)).collect();
        self.writer.text.line(format!("let ({}) = {call};", names.join(", ")));
        true
    }

    fn procedure(&mut self) -> bool {
        let procedure = self.writer.rng.pick(&self.writer.items.procedures);
        let Some((arguments, _)) = self.writer.procedure_arguments(&procedure.params, None) else { return false };
        self.writer.note("call of a procedure");
        self.writer.text.line(format!("{}({arguments});", procedure.name));
        true
    }
}
