//! Arguments for those who have none at hand.

use crate::error::{Result, unfit, unsupported};
use crate::laws::{Random, arguments};
use crate::module::Module;
use crate::number::{Float, IntKind};
use crate::value::Value;

/// What sizes and counts are: no more than slices have elements.
const COUNT: i128 = 3;

impl Module {
    /// Some argument that a program can be called with: short numbers, always the same.
    ///
    /// ```
    /// use retrograd_interpreter::{Module, Value};
    ///
    /// let module = Module::new("#[reversible] fn f(x: &mut f64, n: usize) { for _ in 0..n { *x += 1.0; } }")?;
    /// assert_eq!(module.example("f", 1)?, Value::usize(3));
    /// # Ok::<(), retrograd_interpreter::Error>(())
    /// ```
    pub fn example(&self, name: &str, number: usize) -> Result<Value> {
        let Some((program, param)) = self.program(name).and_then(|p| Some((p, p.params.get(number)?))) else {
            return unfit(format!("`{name}` has no argument number {}", number + 1));
        };
        let Some(ty) = &program.var(param.var).ty else { return unsupported("an argument without a type") };
        let mut value = arguments::value(self, program, ty, &mut Random::new(number as u64))?;
        value.each_float_mut(&mut |float| *float = Float::f64((float.value() * 4.0).round() / 4.0));
        counted(&mut value);
        Ok(value)
    }
}

fn counted(value: &mut Value) {
    match value {
        Value::Int(n) if n.kind == IntKind::by_name("usize") => n.value = COUNT,
        Value::List(all) | Value::Tuple(all) | Value::Stack(all) => all.iter_mut().for_each(counted),
        Value::Struct(_, fields) => fields.iter_mut().for_each(|(_, value)| counted(value)),
        Value::Option(Some(value)) => counted(value),
        _ => {}
    }
}
