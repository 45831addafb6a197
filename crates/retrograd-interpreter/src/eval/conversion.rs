//! Conversions between types of numbers, and the types that no argument of a program has.
//!
//! `convert(x)` gives the type that is asked for: that of the `let` which it is the value of, or of what is changed by it.

use retrograd::Real;
use retrograd::numbers::Convert;
use retrograd_compiler::ir::{Expr, ExprKind, Path, Program, Update};

use crate::error::{Result, unsupported};
use crate::machine::Machine;
use crate::memory::View;
use crate::number::{Float, Logarithm, Repr, caught, with_fixed};
use crate::value::Value;

/// The number that is converted, if an expression is nothing but a conversion.
fn converted(e: &Expr) -> Option<&Expr> {
    let ExprKind::Call { callee, args } = &e.kind else { return None };
    let ExprKind::Path(path) = &callee.kind else { return None };
    if path.last() == "convert" { args.first() } else { None }
}

impl<'m> Machine<'m> {
    /// What a place is updated by.
    pub(crate) fn operand(&mut self, s: &'m Update) -> Result<Value> {
        if converted(&s.operand).is_none() {
            return self.value(&s.operand);
        }
        let place = self.place(&s.target)?;
        let kind = match self.memory.view(&place)? {
            View::One(Value::Float(target)) => Some(target.repr),
            View::One(_) | View::Many(_) => None,
        };
        self.value_as(&s.operand, kind)
    }

    /// The value of an expression, where a number of that type is asked for.
    pub(crate) fn value_as(&mut self, e: &'m Expr, kind: Option<Repr>) -> Result<Value> {
        match (converted(e), kind) {
            (Some(inner), Some(kind)) if !self.module.programs.contains_key("convert") => match self.value(inner)? {
                Value::Float(x) => Ok(Value::Float(convert(x, kind)?)),
                other => unsupported(format!("a conversion of {}", other.kind())),
            },
            _ => self.value(e),
        }
    }

    /// The type of a type parameter of the program that runs. One that no argument has, and in which products have to be exact, is
    /// that of logarithmic numbers.
    pub(crate) fn parameter(&self, name: &str) -> Repr {
        match self.module.exact_parameter(self.frame.program) {
            Some((_, exact)) if exact == name => Repr::Log(Logarithm::default()),
            _ => self.frame.number,
        }
    }

    /// Whether a call asks for the types that the program is run in.
    pub(crate) fn check_types(&self, program: &Program, path: &Path) -> Result<()> {
        let segment = path.segments.last().and_then(|segment| segment.arguments.as_ref());
        let (Some((at, _)), Some(types)) = (self.module.exact_parameter(program), segment) else { return Ok(()) };
        let Some(written) = types.get(at).map(|ty| ty.text()) else { return Ok(()) };
        let aliased = self.module.aliases.get(written).map(|ty| ty.written.text());
        let bare: String = aliased.unwrap_or(written).chars().filter(|c| !c.is_whitespace()).collect();
        match bare.as_str() {
            "_" | "LogNumber<Fixed<48>>" => Ok(()),
            _ => unsupported(format!("`{}` in the numbers `{bare}`", program.name)),
        }
    }
}

/// A number in another type, as the library converts it.
fn convert(x: Float, kind: Repr) -> Result<Float> {
    let repr = match (x.repr, kind) {
        (Repr::Fixed(frac, bits), Repr::Log(_)) => {
            Repr::Log(with_fixed!(frac, F => caught(|| Convert::<Logarithm>::convert(F::from_bits(bits)))?))
        }
        (Repr::Log(x), Repr::Fixed(frac, _)) => {
            Repr::Fixed(frac, with_fixed!(frac, F => caught(|| Convert::<F>::convert(x).to_bits())?))
        }
        (Repr::F64(x), Repr::Log(_)) => Repr::Log(caught(|| <Logarithm as Real>::lit(x))?),
        (Repr::Log(x), Repr::F64(_)) => Repr::F64(x.to_f64()),
        (from, to) if std::mem::discriminant(&from) == std::mem::discriminant(&to) => from,
        _ => return unsupported(format!("a conversion of `{x}` to that type")),
    };
    Ok(Float { repr, ..x })
}
