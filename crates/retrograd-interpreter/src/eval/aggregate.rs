//! Values made of others: repetition, structs, `vec!`.

use std::rc::Rc;

use retrograd_compiler::ir::{Expr, MacroArgs, Member, Path};

use super::expr::alike;
use crate::error::{Result, unfit, unsupported};
use crate::machine::Machine;
use crate::value::Value;

impl<'m> Machine<'m> {
    /// `[e; n]`
    pub(super) fn repeated(&mut self, e: &'m Expr, n: &'m Expr) -> Result<Value> {
        let (value, count) = (self.value(e)?, self.int(n)?.index()?);
        Ok(Value::List(vec![value; count]))
    }

    /// `Point { x: a, ..rest }`
    pub(super) fn structure(
        &mut self,
        path: &Path,
        fields: &'m [(Member, Expr)],
        rest: Option<&'m Expr>,
    ) -> Result<Value> {
        let mut given: Vec<(String, Value)> = Vec::new();
        for (member, e) in fields {
            let name = match member {
                Member::Named(name) => name.to_string(),
                Member::Index(i) => i.to_string(),
            };
            given.push((name, self.value(e)?));
        }
        let rest = rest.map(|rest| self.value(rest)).transpose()?;
        let name = match path.last() {
            own if own == "Self" => self.own_type().unwrap_or_else(|| "Self".into()),
            own => own.to_string(),
        };
        let declared = self.module.structs.get(&name);
        let order: Vec<String> = match declared {
            Some(fields) => fields.iter().map(|(field, _)| field.clone()).collect(),
            None => given.iter().map(|(field, _)| field.clone()).collect(),
        };
        let mut made: Vec<(Rc<str>, Value)> = Vec::new();
        for (i, field) in order.iter().enumerate() {
            let value = match (given.iter().find(|(name, _)| name == field), &rest) {
                (Some((_, value)), _) => value.clone(),
                (None, Some(Value::Struct(_, fields))) => match fields.iter().find(|(name, _)| **name == **field) {
                    Some((_, value)) => value.clone(),
                    None => return unfit(format!("there is no field `{field}`")),
                },
                _ => return unfit(format!("the field `{field}` is missing")),
            };
            let value = match declared {
                Some(fields) => self.coerced(value, &fields[i].1)?,
                None => value,
            };
            made.push((field.as_str().into(), value));
        }
        Ok(Value::Struct(name.as_str().into(), made))
    }

    /// `Point(x, y)`
    pub(super) fn constructed(&mut self, name: &str, args: Vec<Value>) -> Result<Value> {
        let declared = self.module.structs.get(name);
        let mut fields = Vec::new();
        for (i, value) in args.into_iter().enumerate() {
            let value = match declared.and_then(|fields| fields.get(i)) {
                Some((_, ty)) => self.coerced(value, ty)?,
                None => value,
            };
            fields.push((i.to_string().as_str().into(), value));
        }
        Ok(Value::Struct(name.into(), fields))
    }

    /// `vec![a, b]`, `vec![e; n]`, `matches!(e, p)`
    pub(super) fn macro_call(&mut self, path: &Path, args: &'m MacroArgs) -> Result<Value> {
        match (path.last().to_string().as_str(), args) {
            ("vec", MacroArgs::List(all)) => Ok(Value::List(alike(self.values(all)?)?)),
            ("vec", MacroArgs::Repeat(e, n)) => self.repeated(e, n),
            ("matches", MacroArgs::Matches(e, pattern, guard)) => {
                let value = self.scrutinee(e)?;
                let fits =
                    self.matches(pattern, value)? && guard.as_deref().map_or(Ok(true), |guard| self.truth(guard))?;
                Ok(Value::Bool(fits))
            }
            (name, _) => unsupported(format!("the macro `{name}!`")),
        }
    }

    /// The type whose method is being run.
    pub(super) fn own_type(&self) -> Option<String> {
        let own = self.module.programs.iter().find(|(_, program)| std::ptr::eq(*program, self.frame.program));
        own.and_then(|(name, _)| name.rsplit_once("::")).map(|(owner, _)| owner.to_string())
    }
}
