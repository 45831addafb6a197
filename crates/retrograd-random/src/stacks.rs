//! Stacks: values are pushed, other things happen, and they are popped again.

use super::scope::{Kind, VarId};
use super::writer::Writer;

impl Writer<'_> {
    pub(super) fn stack(&mut self, depth: usize) -> bool {
        let roots = self.scope.writable(|var| var.kind == Kind::Float || var.kind == Kind::Int);
        if roots.is_empty() || !self.may_call() {
            return false;
        }
        let root = self.rng.pick(&roots);
        let kind = self.scope.vars[root].kind;
        let empty = format!("Stack::<{}>::new()", self.type_name(kind));
        let stack = self.fresh("stack");
        self.scope.writes.push(root);
        self.note("stack");
        self.text.line(format!("let mut {stack} = {empty};"));
        match (self.scope.vars[root].is_scalar(), self.rng.below(5)) {
            (true, 0..=1) => self.stack_one(depth, root, &stack),
            (true, _) => self.stack_conditionally(depth, root, &stack),
            (false, 0) => self.stack_one(depth, root, &stack),
            (false, 1) => self.stack_conditionally(depth, root, &stack),
            (false, 2 | 3) => self.stack_through_helper(depth, root, &stack),
            (false, _) => self.stack_all(depth, root, &stack),
        }
        self.text.line(format!("release!({stack} == {empty});"));
        true
    }

    /// What happens between pushing and popping: anything but a change of the zeros left behind.
    fn meanwhile(&mut self, depth: usize, root: VarId) {
        self.scope.freeze(&[root]);
        let count = self.body_size(depth - 1);
        self.inline(depth - 1, count);
        self.scope.thaw(&[root]);
    }

    fn stacked_place(&mut self, root: VarId) -> String {
        match self.scope.vars[root].is_scalar() {
            true => self.lend_exclusively(root),
            false => format!("&mut {}[{}]", self.scope.name(root), self.rng.below(self.scope.vars[root].len())),
        }
    }

    fn stack_one(&mut self, depth: usize, root: VarId, stack: &str) {
        let place = self.stacked_place(root);
        self.text.line(format!("{stack}.push({place});"));
        self.meanwhile(depth, root);
        self.text.line(format!("{stack}.pop({place});"));
    }

    /// Pushes and pops under a condition that keeps its value.
    fn stack_conditionally(&mut self, depth: usize, root: VarId, stack: &str) {
        self.note("stack under a condition");
        let place = self.stacked_place(root);
        let mark = self.scope.reads.len();
        let condition = self.without(&[root], |w| w.condition(1)).text;
        let frozen = self.scope.sources_since(mark);
        self.text.open(format!("if {condition}"));
        self.text.line(format!("{stack}.push({place});"));
        self.text.close();
        self.scope.freeze(&frozen);
        self.meanwhile(depth, root);
        self.scope.thaw(&frozen);
        self.text.open(format!("if {condition}"));
        self.text.line(format!("{stack}.pop({place});"));
        self.text.close();
    }

    /// Pushes a whole slice; popped in the same order it comes back reversed.
    fn stack_all(&mut self, depth: usize, root: VarId, stack: &str) {
        self.note("stack in a loop");
        let (name, index) = (self.scope.name(root).to_string(), self.fresh("i"));
        self.text.open(format!("for {index} in 0..{name}.len()"));
        self.text.line(format!("{stack}.push(&mut {name}[{index}]);"));
        self.text.close();
        self.meanwhile(depth, root);
        let range = self.rng.pick(&["0..{}.len()", "(0..{}.len()).rev()"]).replace("{}", &name);
        self.text.open(format!("for {index} in {range}"));
        self.text.line(format!("{stack}.pop(&mut {name}[{index}]);"));
        self.text.close();
    }

    /// A helper pushes to a stack that it was lent.
    fn stack_through_helper(&mut self, depth: usize, root: VarId, stack: &str) {
        let kind = self.scope.vars[root].kind;
        let pushers: Vec<String> =
            self.items.pushers.iter().filter(|pusher| pusher.0 == kind).map(|pusher| pusher.1.clone()).collect();
        if pushers.is_empty() {
            return self.stack_all(depth, root, stack);
        }
        self.note("stack lent to a helper");
        let pusher = self.rng.pick(&pushers);
        let slice = self.lend_exclusively(root);
        self.text.line(format!("{pusher}({slice}, &mut {stack});"));
        self.meanwhile(depth, root);
        self.text.line(format!("{pusher}::uncall({slice}, &mut {stack});"));
    }
}
