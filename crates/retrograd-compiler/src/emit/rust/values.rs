//! The companions of functions with a value: gradient and Jacobian.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::companions::{companion_lints, copied_attributes, inline};
use super::derivatives::Companions;
use super::types::owned_type;
use crate::hygiene::{fresh, fresh_for};
use crate::ir::{Mode, Run, Type, TypeKind};
use crate::signature::numbers::is_inactive;
use crate::signature::{Home, Parameter};

impl Companions<'_> {
    /// Whether the value is one number.
    pub(super) fn is_scalar(&self) -> bool {
        self.value().is_some_and(|ty| self.numbers().is_number(ty))
    }

    /// Whether the type of the value has a name that could be another one of a number. Only rustc knows.
    pub(super) fn may_be_scalar(&self) -> bool {
        self.value().is_some_and(|ty| matches!(ty.kind, TypeKind::Named { bare: true, .. }) && !is_inactive(ty))
            && !self.is_scalar()
    }

    /// Whether the value is an array or tuple of numbers, of which there is a Jacobian.
    pub(super) fn has_jacobian(&self) -> bool {
        let is_number = |ty: &Type| self.numbers().is_number(ty);
        let made_of_numbers = self.value().is_some_and(|ty| match &ty.kind {
            TypeKind::Array { of, .. } => is_number(of),
            TypeKind::Tuple(all) => all.len() > 1 && all.iter().all(is_number),
            _ => false,
        });
        // The forward sweeps run the function several times: what is passed by value must be there again.
        let copied = |p: &Parameter| p.mode != Mode::Value || self.numbers().is_copied(&p.value);
        made_of_numbers && self.has_active() && self.parameters().iter().all(copied)
    }

    /// The name of a companion.
    pub(super) fn named(&self, name: &str) -> Ident {
        match self.signature.home {
            Home::Holder => Ident::new(name, self.signature.name.span()),
            Home::Inherent(_) | Home::Trait(_) | Home::Declaration => format_ident!("{name}_{}", self.signature.name),
        }
    }

    /// How a hidden entry is called.
    fn callee(&self, run: Run) -> TokenStream {
        let hidden = self.name(run, false, false);
        match self.signature.receiver().is_some() {
            true => quote!(self.#hidden),
            false => quote!(Self::#hidden),
        }
    }

    /// The value, and the gradient with respect to each active argument.
    pub(super) fn gradient(&self) -> TokenStream {
        let scalar = self.is_scalar();
        let Some(ty) = self.value().filter(|_| (scalar || self.may_be_scalar()) && self.has_active()) else {
            return TokenStream::new();
        };
        let (number, numbers, private) = (self.number(), self.numbers(), quote!(::retrograd::private));
        // By one number, a sweep forwards is the shorter way.
        let mut active = self.parameters().iter().filter(|p| p.active);
        let forwards = scalar
            && active.next().is_some_and(|p| p.mode == Mode::Value && numbers.is_number(&p.value))
            && active.next().is_none();
        let (mut inputs, mut passed, mut begun, mut gradients) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut owned = Vec::new();
        let mut receiver = None;
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = parameter;
            let checked = self.checked(value);
            let typed = parameter.typed();
            if parameter.receiver {
                receiver = Some(parameter.as_receiver());
            } else {
                inputs.push(quote!(#name: #typed));
                passed.push(quote!(#name));
            }
            if parameter.host {
                continue;
            }
            if !parameter.active {
                passed.push(quote!(#private::NoShadow));
                continue;
            }
            let own = fresh_for("grad", name);
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(#name) };
            let sweep = fresh("sweep");
            if forwards {
                begun.push(quote!(let #own = <#number as #private::Shadow<#value>>::one();));
                passed.push(quote!(&#own));
            } else {
                begun.push(quote!(let mut #own = #private::zero::<#checked, _>(#sweep, #read);));
                passed.push(quote!(&mut #own));
            }
            // Beside `f64` the sweep is one of that type, and the gradient by an `f32` is one.
            let single = format_ident!("f32");
            match !forwards && numbers.is_plain(value) && value.mentions(&single) && number.to_string() == "f64" {
                true => {
                    gradients.push(quote!(#private::Rounded::rounded(#own)));
                    owned.push(owned_type(&checked, &quote!(#single), numbers));
                }
                false => {
                    gradients.push(quote!(#own));
                    owned.push(owned_type(&checked, &number, numbers));
                }
            }
        }
        let name = self.named("gradient");
        let mut generics = self.shadowed(self.generics(), &number);
        let one = match scalar {
            true => quote!(<#number as #private::Shadow<#ty>>::one()),
            false => {
                let predicate = syn::parse_quote!(for<'__any> #ty: #private::absent::OneNumber<#number>);
                generics.make_where_clause().predicates.push(predicate);
                quote!(<#ty as #private::absent::OneNumber<#number>>::one())
            }
        };
        let (generics, _, clause) = generics.split_for_impl();
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let inline = inline(self.attrs);
        let doc =
            format!("The value of `{}`, and its gradient with respect to each active argument.", self.signature.name);
        let (sweep, result) = (fresh("sweep"), fresh("result"));
        let run = match forwards {
            true => self.invoked(&self.callee(Run::Tangent), &quote!(#sweep), passed),
            false => {
                passed.push(one);
                let call = self.invoked(&self.callee(Run::Adjoint), &quote!(#sweep), passed);
                quote!(let #result = #call; (#result, #(#gradients),*))
            }
        };
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #inline
            #vis fn #name #generics (#receiver #(#inputs),*) -> (#ty, #(#owned),*) #clause {
                let #sweep = #private::Sweep::<#number>::new();
                #(#begun)*
                #run
            }
        }
    }

    /// The value, and for each number in it the gradient: rows are outputs, columns the active arguments flattened in order.
    pub(super) fn jacobian(&self) -> TokenStream {
        let Some(ty) = self.value().filter(|_| self.has_jacobian()) else { return TokenStream::new() };
        let (count, seeds) = match &ty.kind {
            TypeKind::Array { len, .. } => {
                let len = len.tokens();
                (quote!({ #len }), quote!(::core::array::from_fn(::retrograd::private::Seeds::basis)))
            }
            TypeKind::Tuple(all) => {
                let (len, all) = (all.len(), 0..all.len());
                (quote!(#len), quote!((#(::retrograd::private::Seeds::basis(#all)),*)))
            }
            _ => return TokenStream::new(),
        };
        let (number, private) = (self.number(), quote!(::retrograd::private));
        let (sweep, rows, width) = (fresh("sweep"), fresh("rows"), fresh("width"));
        let (start, offset) = (fresh("start"), fresh("offset"));
        let (result, slope) = (fresh("result"), fresh("slope"));
        let (mut inputs, mut receiver) = (Vec::new(), None);
        let (mut backward, mut forward) = (Vec::new(), Vec::new());
        let (mut begun, mut moved, mut found, mut widths, mut moving) = (vec![], vec![], vec![], vec![], vec![]);
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = parameter;
            let checked = self.checked(value);
            let typed = parameter.typed();
            if parameter.receiver {
                receiver = Some(parameter.as_receiver());
            } else {
                inputs.push(quote!(#name: #typed));
                backward.push(quote!(#name));
                forward.push(quote!(#name));
            }
            if !parameter.active {
                backward.push(quote!(#private::NoShadow));
                forward.push(quote!(#private::NoShadow));
                continue;
            }
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(#name) };
            let (own, tangent) = (fresh_for("grad", name), fresh_for("d", name));
            begun.push(quote!(let mut #own = #private::zero::<#checked, _>(#sweep, #read);));
            moved.push(quote!(let mut #tangent = #private::zero::<#checked, _>(#sweep, #read);));
            backward.push(quote!(&mut #own));
            forward.push(quote!(&#tangent));
            let seeds = quote!(#private::Seeds<#number, #count>);
            widths.push(quote!(#private::rows::width::<#checked, #seeds>(::core::borrow::Borrow::borrow(&#own))));
            found.push(quote!(#private::rows::rows::<#checked, #number, #count>(::core::borrow::Borrow::borrow(&#own), &mut #rows);));
            moving.push(quote!(
                #offset = #private::rows::axes::<#checked, #number>(::core::borrow::BorrowMut::borrow_mut(&mut #tangent), #offset, #start);
            ));
        }
        let (name, callee, pushed) = (self.named("jacobian"), self.callee(Run::Adjoint), self.callee(Run::Tangent));
        backward.push(seeds);
        let backward = self.invoked(&callee, &quote!(#sweep), backward);
        let forward = self.invoked(&pushed, &quote!(#sweep), forward);
        let generics = self.shadowed(self.generics(), &number);
        let (generics, _, clause) = generics.split_for_impl();
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let inline = inline(self.attrs);
        let doc = format!(
            "The value of `{}` and its Jacobian: one row for each number of the value, one column for each number in the active \
             arguments. With fewer columns than rows it is computed forwards, else backwards, all rows in one sweep.",
            self.signature.name
        );
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #inline
            #vis fn #name #generics (#receiver #(#inputs),*) -> (#ty, [::retrograd::private::Vec<#number>; #count]) #clause {
                let #sweep = #private::Sweep::<#private::Seeds<#number, #count>>::new();
                #(#begun)*
                let mut #rows: [::retrograd::private::Vec<#number>; #count] = ::core::array::from_fn(|_| ::retrograd::private::Vec::new());
                let #width = 0 #(+ #widths)*;
                if #width >= #count {
                    let #result = #backward;
                    #(#found)*
                    return (#result, #rows);
                }
                let #sweep = #private::Sweep::<#private::Seeds<#number, { #private::rows::COLUMNS }>>::new();
                #(#moved)*
                let mut #start = 0;
                loop {
                    let mut #offset = 0;
                    #(#moving)*
                    let (#result, #slope) = #forward;
                    #private::rows::columns::<#ty, #number, #count>(&#slope, #start, #width, &mut #rows);
                    #start += #private::rows::COLUMNS;
                    if #start >= #width {
                        return (#result, #rows);
                    }
                }
            }
        }
    }
}
