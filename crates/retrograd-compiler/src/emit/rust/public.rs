//! The derivative companions that users call: they take pairs, look at the shapes, and call the hidden entries.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::companions::{companion_lints, copied_attributes, inline};
use super::derivatives::Companions;
use super::entries::shadow_name;
use super::kernel::{each_doc, over_name};
use super::paths::SHADOW;
use super::types::{owned_type, shadow_type};
use crate::hygiene::fresh;
use crate::ir::{Kind, Mode, Run, Type};
use crate::signature::Parameter;

/// How often a companion runs the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Times {
    /// Once.
    Once,
    /// Once for each index of a kernel.
    EachIndex,
}

impl Companions<'_> {
    /// The companion that users call: pairs of values and shadows. Of a kernel also the one that runs it for all indices.
    pub(super) fn public(&self, run: Run, inverse: bool) -> TokenStream {
        let once = self.companion(run, inverse, Times::Once);
        let each = self.signature.index().map(|_| self.companion(run, inverse, Times::EachIndex));
        quote!(#once #each)
    }

    fn companion(&self, run: Run, inverse: bool, times: Times) -> TokenStream {
        let private = quote!(::retrograd::private);
        // Where a type shows its numbers, their shadows can be of any kind: several adjoints at once, dual numbers.
        let plain = self.parameters().iter().any(|p| p.active && self.numbers().is_plain(&p.value));
        let any = format_ident!("{SHADOW}");
        let number = if plain { quote!(#any) } else { self.number() };
        let mut inputs = Vec::new();
        let mut passed = Vec::new();
        let mut checks = TokenStream::new();
        let mut receiver = None;
        let hidden = self.name(run, inverse, false);
        // What is changed is lent to each run.
        let again = |changed: bool, name: &Ident| match changed && times == Times::EachIndex {
            true => quote!(&mut *#name),
            false => quote!(#name),
        };
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = parameter;
            let checked = self.checked(value);
            let typed = parameter.typed();
            if times == Times::EachIndex && parameter.index {
                inputs.push(self.count());
                passed.extend([quote!(#name), quote!(#private::NoShadow)]);
                continue;
            }
            if parameter.host {
                inputs.push(quote!(#name: #typed));
                passed.push(quote!(#name));
                continue;
            }
            let changed = parameter.changes(run);
            let own = shadow_name(run, name);
            let shadow = match changed || *mode != Mode::Value {
                true => shadow_type(&checked, &number, self.numbers()),
                false => owned_type(&checked, &number, self.numbers()),
            };
            let shadow = match (changed, mode) {
                (true, _) => quote!(&mut #shadow),
                (false, Mode::Value) => shadow,
                (false, _) => quote!(&#shadow),
            };
            if parameter.receiver {
                receiver = Some(parameter.as_receiver());
                if !parameter.active {
                    passed.push(quote!(#private::NoShadow));
                    continue;
                }
                inputs.push(quote!(#own: #shadow));
            } else if !parameter.active {
                inputs.push(quote!(#name: #typed));
                passed.push(again(*mode == Mode::Change, name));
                passed.push(quote!(#private::NoShadow));
                continue;
            } else {
                inputs.push(quote!((#name, #own): (#typed, #shadow)));
                passed.push(again(*mode == Mode::Change, name));
            }
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(&*#name) };
            let by_value = !changed && *mode == Mode::Value;
            let looked_at = match by_value {
                true => quote!(::core::borrow::Borrow::borrow(&#own)),
                false => quote!(&*#own),
            };
            let described = name.to_string();
            checks.extend(
                quote!(#private::fit::<#checked, #number>(#private::Sweep::new(), #described, #read, #looked_at);),
            );
            passed.push(if by_value { quote!(&#own) } else { again(changed, &own) });
        }
        let value = self.value();
        let owned = |ty: &Type| owned_type(&self.checked(ty), &number, self.numbers());
        if let (Some(ty), Run::Adjoint) = (value, run) {
            let (owned, seed) = (owned(ty), fresh("seed"));
            inputs.push(quote!(#seed: #owned));
            passed.push(quote!(#seed));
        }
        let output = value.map(|ty| match run {
            Run::Tangent => {
                let owned = owned(ty);
                quote!(-> (#ty, #owned))
            }
            Run::Adjoint | Run::Values | Run::Keep | Run::Spend => quote!(-> #ty),
        });
        let mut generics = self.shadowed(self.generics(), &number);
        if plain {
            generics.params.push(self.scalar_shadow());
        }
        let (generics, _, clause) = generics.split_for_impl();
        let name = self.name(if run == Run::Spend { Run::Adjoint } else { run }, inverse, true);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let inline = inline(self.attrs);
        let callee = match (&receiver, self.signature.home) {
            (Some(_), _) => quote!(self.#hidden),
            (None, _) => quote!(Self::#hidden),
        };
        let sweep = quote!(#private::Sweep::<#number>::new());
        let call = match run {
            Run::Spend => {
                let record = fresh("record");
                inputs.push(quote!(#record: &mut #private::Record));
                let frame = fresh("frame");
                let call = self.invoked(&callee, &quote!(#sweep, &mut #frame), passed);
                self.spending(&call, "pullback")
            }
            _ => self.invoked(&callee, &sweep, passed),
        };
        let (name, doc, call) = match times {
            Times::Once => (name, self.doc(run, inverse), call),
            Times::EachIndex => {
                let (backwards, once) = (run.is_adjoint() != inverse, format!("{}::{name}", self.signature.name));
                (over_name(&name), each_doc(&once, backwards), self.each(backwards, &call))
            }
        };
        // Where an argument may be a stack, its adjoints are told whether the run undoes another one.
        let stores = |p: &Parameter| p.active && p.mode == Mode::Change && !self.numbers().is_plain(&p.value);
        let told = (run.is_adjoint() && self.parameters().iter().any(stores)).then(|| {
            let (told, begin) = (fresh("run"), if inverse { quote!(unpullback) } else { quote!(pullback) });
            quote!(let #told = #private::AdjointRun::#begin();)
        });
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #inline
            #[track_caller]
            #vis fn #name #generics (#receiver #(#inputs),*) #output #clause {
                #checks
                #told
                #call
            }
        }
    }

    fn doc(&self, run: Run, inverse: bool) -> String {
        let name = &self.signature.name;
        match (run, inverse, self.kind()) {
            (Run::Adjoint, false, Kind::Procedure) => format!(
                "Runs `{name}` backwards, carrying adjoints: values become what they were, and each `grad_..` becomes the \
                 adjoint of what was given; those of read-only arguments are added to."
            ),
            (Run::Adjoint, false, Kind::Function) => format!(
                "The value of `{name}`; adds to each `grad_..` the derivative with respect to that argument, times `seed`."
            ),
            (Run::Tangent, false, Kind::Procedure) => {
                format!("Runs `{name}`, carrying tangents: each `d_..` becomes how its value moves.")
            }
            (Run::Tangent, false, Kind::Function) => {
                format!("The value of `{name}`, and how it moves when the arguments move by `d_..`.")
            }
            (Run::Adjoint, true, _) => format!("Runs `{name}` forwards, carrying adjoints: it undoes `pullback`."),
            (Run::Tangent, true, _) => format!("Runs `{name}` backwards, carrying tangents: it undoes `pushforward`."),
            (Run::Spend, ..) => format!(
                "Runs `{name}` backwards, carrying adjoints, behind `recorded`: values become what they were, each `grad_..` becomes \
                 the adjoint of what was given, and the record gives back its last frame."
            ),
            (Run::Values | Run::Keep, _, _) => String::new(),
        }
    }
}
