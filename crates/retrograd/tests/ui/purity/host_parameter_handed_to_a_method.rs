use retrograd::prelude::*;

pub struct Account {
    balance: f64,
}

#[reversible(derivatives = "never")]
impl Account {
    fn pay(&mut self, amount: &mut f64) {
        self.balance += *amount;
    }
}

#[reversible(derivatives = "never")]
fn count(account: &mut Account, #[host] calls: &mut f64) {
    #[host]
    {
        *calls += 1.0;
    }
    account.pay(calls);
}

fn main() {}
