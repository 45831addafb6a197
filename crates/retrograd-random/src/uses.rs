//! Last uses: statements in whose operands a name or an ancilla is sure to occur.

use super::scope::{Kind, VarId};
use super::text::Expr;
use super::updates::Place;
use super::writer::Writer;

impl Writer<'_> {
    /// Changes something by an operand that mentions all of `vars`; a host statement mentions them where nothing can be changed.
    pub(super) fn last_use(&mut self, vars: &[VarId]) {
        let candidates = match &self.slice {
            Some(slice) if !slice.mixed => {
                let targets = slice.targets.clone();
                targets.into_iter().filter(|&id| self.scope.vars[id].frozen == 1 && !vars.contains(&id)).collect()
            }
            _ => self.scope.writable(|_| true),
        };
        let floats = self.config.floats || self.slice.as_ref().is_some_and(|slice| !slice.mixed);
        let candidates: Vec<VarId> =
            candidates.into_iter().filter(|&id| floats || self.scope.vars[id].kind != Kind::Float).collect();
        let pool = self.slice.as_ref().filter(|slice| !slice.mixed).map(|slice| slice.pool.clone());
        let Some(place) = self.within(pool.clone(), |w| w.place_among(&candidates)) else {
            if self.is_main {
                let mentions: Vec<Expr> = vars.iter().map(|&id| self.mention_to_host(id)).collect();
                let all = mentions.into_iter().reduce(|all, next| all.binary("&&", &next));
                self.text.line("#[host]");
                self.text.open(format!("if {}", all.map_or("true".into(), |all| all.text)));
                self.text.line("*h += 1;");
                self.text.close();
            }
            return;
        };
        self.note("last use");
        self.within(pool, |w| w.use_in(place, vars));
    }

    fn use_in(&mut self, place: Place, vars: &[VarId]) {
        let kind = self.scope.vars[place.root].kind;
        let root = place.root;
        let mut terms: Vec<Expr> = self.without(&[root], |w| vars.iter().map(|&id| w.mention(id, kind)).collect());
        if self.rng.chance(40) {
            terms.push(self.without(&[root], |w| w.expression(kind, 1)));
        }
        let join = match kind {
            Kind::Float => " + ",
            Kind::Int | Kind::Index => " - ",
            Kind::Bool => " ^ ",
        };
        let sum = match terms.as_slice() {
            [only] => only.clone(),
            _ => Expr::loose(terms.iter().map(Expr::operand).collect::<Vec<_>>().join(join)),
        };
        let operator = if kind == Kind::Bool { "^=" } else { self.rng.pick(&["+=", "-="]) };
        let operand = match kind {
            Kind::Float => format!("{} * {}.sin()", self.coefficient(), sum.receiver()),
            Kind::Int | Kind::Index => format!("{} % 1000", sum.operand()),
            Kind::Bool => sum.text,
        };
        self.update(place, operator, &operand);
    }

    /// A truth value in which `id` occurs. To the host a float literal is an `f64`.
    fn mention_to_host(&mut self, id: VarId) -> Expr {
        match self.scope.vars[id].kind {
            Kind::Float if self.float == "T" => {
                let value = self.some_element(id);
                Expr::loose(format!("{}.to_f64() > 0.3719", value.receiver()))
            }
            Kind::Float | Kind::Int | Kind::Bool | Kind::Index => self.mention(id, Kind::Bool),
        }
    }

    /// An expression of this kind in which `id` occurs.
    pub(super) fn mention(&mut self, id: VarId, kind: Kind) -> Expr {
        let value = self.some_element(id);
        match (self.scope.vars[id].kind, kind) {
            (Kind::Float, Kind::Float) | (Kind::Int, Kind::Int) | (Kind::Bool, Kind::Bool) => value,
            (Kind::Float, Kind::Int | Kind::Index) if self.rng.chance(30) => {
                Expr::loose(format!("i64::from({} > 0.3719)", value.operand()))
            }
            (Kind::Float, Kind::Int | Kind::Index) => self.as_int(&value),
            (Kind::Float, Kind::Bool) => Expr::loose(format!("{} > 0.3719", value.operand())),
            (Kind::Int, Kind::Float) => Expr::loose(format!("({} % 100) as {}", value.operand(), self.float)),
            (Kind::Index, Kind::Float) => Expr::loose(format!("{} as {}", value.operand(), self.float)),
            (Kind::Int | Kind::Index, Kind::Bool) => Expr::loose(format!("{} > 2", value.operand())),
            (Kind::Bool, Kind::Float) => Expr::loose(format!("if {} {{ 0.3 }} else {{ 0.6 }}", value.text)),
            (Kind::Index | Kind::Bool, Kind::Int | Kind::Index) => Expr::loose(format!("{} as i64", value.operand())),
            (Kind::Int, Kind::Index) => value,
        }
    }
}
