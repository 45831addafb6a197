//! Which statement comes next: atomic, compound, or one of the patterns that need several lines.

use super::writer::Writer;

#[derive(Clone, Copy, Debug)]
enum Whole {
    Atomic,
    Compound,
    Attributed,
    Postcondition,
    Counting,
    Released,
    Borrowing,
    Bennett,
    Stack,
    Recursion,
    BijectionPair,
    ScalingPair,
    ElementLet,
    Elimination,
    Kernel,
}

#[derive(Clone, Copy, Debug)]
enum Compound {
    If,
    Match,
    Range,
    Iteration,
    Block,
}

impl Writer<'_> {
    /// Writes a statement, which may take several lines.
    pub(super) fn statement(&mut self, depth: usize) {
        let Some(slice) = &self.slice else { return self.whole_statement(depth) };
        let share = self.rng.below(100);
        match slice.mixed {
            false if depth == 0 || share < 70 => _ = self.slice_statement(),
            false => self.compound(depth),
            true if share < 40 => _ = self.slice_statement(),
            true if share < 60 && depth > 0 => self.compound(depth),
            true => self.apart(|w| w.whole_statement(depth)),
        }
    }

    /// Writes a statement outside of any slice.
    fn whole_statement(&mut self, depth: usize) {
        let mut choices = vec![(50, Whole::Atomic), (4, Whole::ScalingPair), (8, Whole::Recursion)];
        if depth > 0 {
            choices.extend([
                (40, Whole::Compound),
                (8, Whole::Attributed),
                (9, Whole::Postcondition),
                (7, Whole::Counting),
                (6, Whole::Released),
                (5, Whole::Borrowing),
                (8, Whole::Bennett),
                (6, Whole::Stack),
            ]);
        }
        if self.config.floats {
            choices.extend([
                (5, Whole::BijectionPair),
                (4, Whole::ElementLet),
                (3, Whole::Elimination),
                (14, Whole::Kernel),
            ]);
        }
        let mark = self.text.mark();
        let is_written = match self.rng.weighted(&choices) {
            Whole::Atomic => self.atomic(),
            Whole::Compound => {
                self.compound(depth);
                true
            }
            Whole::Attributed => self.attributed(depth),
            Whole::Postcondition => self.postcondition_if(depth),
            Whole::Counting => self.counting(depth),
            Whole::Released => self.released(depth),
            Whole::Borrowing => self.borrowing(depth),
            Whole::Bennett => self.bennett(depth),
            Whole::Stack => self.stack(depth),
            Whole::Recursion => self.recursion(),
            Whole::BijectionPair => self.bijection_pair(depth),
            Whole::ScalingPair => self.scaling_pair(depth),
            Whole::ElementLet => self.element_let(),
            Whole::Elimination => self.elimination(),
            Whole::Kernel => self.kernel(),
        };
        if !is_written {
            self.text.back_to(mark);
            self.atomic();
        }
    }

    /// Writes a loop, a branch or a block, with a body one level less deep.
    pub(super) fn compound(&mut self, depth: usize) {
        let depth = depth.saturating_sub(1);
        let mut choices = vec![(10, Compound::If), (5, Compound::Match), (3, Compound::Block)];
        if self.turns < 36 {
            choices.extend([(12, Compound::Range), (10, Compound::Iteration)]);
        }
        match self.rng.weighted(&choices) {
            Compound::If => self.plain_if(depth),
            Compound::Match => self.plain_match(depth),
            Compound::Range => self.range_loop(depth),
            Compound::Iteration if self.iteration(depth) => {}
            Compound::Iteration => self.range_loop(depth),
            Compound::Block => {
                self.note("block");
                self.text.open("");
                let count = self.body_size(depth);
                self.block(depth, count);
                self.text.close();
            }
        }
    }

    /// `#[inverse] S`, `#[unchecked] S`.
    fn attributed(&mut self, depth: usize) -> bool {
        let attribute = self.rng.pick(&["inverse", "inverse", "inverse", "unchecked"]);
        self.text.line(format!("#[{attribute}]"));
        match self.rng.below(3) {
            0 => {
                self.note(if attribute == "inverse" { "#[inverse] on an atomic statement" } else { "#[unchecked]" });
                let (host, is_main) = (false, self.is_main);
                self.is_main = host;
                let is_written = self.atomic();
                self.is_main = is_main;
                is_written
            }
            1 => {
                self.note(if attribute == "inverse" { "#[inverse] on a block" } else { "#[unchecked]" });
                self.text.open("");
                let count = self.body_size(depth);
                self.block(depth - 1, count);
                self.text.close();
                true
            }
            _ => {
                self.note(if attribute == "inverse" { "#[inverse] on a compound" } else { "#[unchecked]" });
                self.compound(depth);
                true
            }
        }
    }
}
