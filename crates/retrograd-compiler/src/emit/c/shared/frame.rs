//! What stands around the statements of each run, and what comes after all of them.

use std::fmt::Write;

use super::{Gathered, Temporary, Terms};
use crate::emit::c::{Emitter, Written};
use crate::ir::Role;

impl Emitter<'_> {
    /// The statements of a kernel: those of each run, and what stands around them.
    pub(in crate::emit::c) fn framed(&self, index: &str, body: &str) -> String {
        let [mut before, mut each_before, mut each_after, mut after] = [const { String::new() }; 4];
        // A launch has seen to it that a shadow is as long as its values.
        for pair in self.program.params.windows(2) {
            if pair[1].role == Role::Shadow && self.arguments.contains_key(&pair[1].var) {
                let [of, shadow] = [&pair[0], &pair[1]].map(|param| self.names.of_var(param.var));
                let _ = writeln!(before, "    {shadow}_len = {of}_len;");
            }
        }
        let rows = self.shared.temporaries.iter();
        if rows.clone().any(|(temporary, ..)| matches!(temporary, Temporary::Rows { staged: false, .. })) {
            before.push_str("    THREAD;\n");
        }
        let staged = self.shared.staged;
        if staged {
            before.push_str("    STAGES;\n");
        }
        for (var, sum) in &self.shared.sums {
            let (ty, rows) = (&self.types[var], &self.shared.rows[var]);
            let _ = writeln!(before, "    {ty} {sum} = {};", ty.zero());
            let _ = writeln!(after, "    {rows}[thread] = {sum};");
        }
        let own = self.own.borrow().iter().fold(String::new(), |mut own, var| {
            let _ = writeln!(own, "        OWN({}, {index});", self.names.of_var(*var));
            own
        });
        for Terms { register, memory, ty, .. } in &self.shared.terms {
            let _ = writeln!(each_before, "        {ty} {register} = {};", ty.zero());
            let on = if staged { "ON " } else { "" };
            let _ = writeln!(each_after, "        {on}{memory}[{index}] = {register};");
        }
        let run = match staged {
            true => format!("        LANES({index}, runs);\n{own}{each_before}{body}{each_after}        OFF;\n"),
            false => format!("{each_before}{body}{each_after}"),
        };
        // Where threads have sums of their own there are fewer of them than runs.
        let several = rows.clone().any(|(temporary, ..)| matches!(temporary, Temporary::Rows { .. }));
        let for_runs = match (staged, several) {
            (true, _) => "FOR_EACH_WARP(".to_string(),
            (false, true) => format!("FOR_EACH_RUN({index}, "),
            (false, false) => format!("FOR_ITS_RUN({index}, "),
        };
        // What is a lane's own is not the same with a run and without one.
        let (of_all, of_elements) = if staged { (String::new(), own) } else { (own, String::new()) };
        if self.shared.direct.is_empty() {
            return format!("{before}    {for_runs}runs) {{\n{of_all}{run}    }}\n{after}");
        }
        // There may be more elements than runs.
        let mut gathered = String::new();
        before.push_str("    usize most = runs;\n");
        for (var, terms) in &self.shared.direct {
            let name = self.names.of_var(*var);
            let _ = writeln!(before, "    if ({name}_len > most) most = {name}_len;");
            // In a register, so that no addition waits for the memory of another one.
            let _ = writeln!(
                gathered,
                "        if ({index} < {name}_len) {{\n            shadow {name}_sum = {name}[{name}_own];"
            );
            for term in terms {
                let _ = writeln!(gathered, "            {term}");
            }
            let _ = writeln!(gathered, "            {name}[{name}_own] = {name}_sum;\n        }}");
        }
        let (has_run, its_element) = match staged {
            true => ("first < runs".to_string(), format!("        usize {index} = RUN_OF_LANE;\n{of_elements}")),
            false => (format!("{index} < runs"), String::new()),
        };
        format!(
            "{before}    {for_runs}most) {{\n{of_all}        if ({has_run}) {{\n{run}        }}\n{its_element}{gathered}    }}\n{after}"
        )
    }

    /// Whether the threads of a kernel are for all elements of its arguments.
    pub(in crate::emit::c) fn for_elements(&self) -> bool {
        !self.shared.direct.is_empty()
    }

    /// The statements of `gather_f`, if there is anything to gather.
    pub(in crate::emit::c) fn gather(&mut self) -> Written<Option<String>> {
        let Some(run) = self.program.params.first().map(|param| param.var) else { return Ok(None) };
        let mut text = String::new();
        for (var, gathered) in std::mem::take(&mut self.shared.gathered) {
            let name = self.names.of_var(var);
            let _ = writeln!(text, "    FOR_EACH_RUN(element, {name}_len) {{");
            for gathered in gathered {
                let (memory, ty, from) = match &gathered {
                    Gathered::Copy { memory, ty } => (memory, ty, None),
                    Gathered::Terms { memory, index, ty } => (memory, ty, Some(self.first(run, index)?)),
                };
                let (head, at) = match from {
                    Some(first) => (format!("usize from = element - {first}; if (from < runs) "), "from"),
                    None => (String::new(), "element"),
                };
                let mut sums = String::new();
                for leaf in ty.leaves() {
                    let (heads, path) = (&leaf.heads, &leaf.path);
                    let _ = write!(sums, "{heads}{name}[element]{path} += {memory}[{at}]{path}; ");
                }
                let _ = writeln!(text, "        {{ {head}{{ {sums}}} }}");
            }
            text.push_str("    }\n");
        }
        Ok((!text.is_empty()).then_some(text))
    }
}
