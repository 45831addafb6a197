//! The companions of functions with a value: gradient, Jacobian, Hessian, Hessian-vector product.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::companions::{companion_lints, copied_attributes};
use super::derivatives::{Companions, Home, Parameter, is_plain, owned_type};
use crate::hygiene::fresh;
use crate::ir::{Mode, Run};

impl Companions<'_> {
    /// Whether the value is one number.
    fn is_scalar(&self) -> bool {
        let Some(syn::Type::Path(path)) = self.value() else { return false };
        let numbers = self.numbers();
        numbers.iter().any(|n| path.path.is_ident(n)) || path.path.is_ident("f64") || path.path.is_ident("f32")
    }

    pub(super) fn has_active(&self) -> bool {
        self.parameters().iter().any(|p| p.active)
    }

    /// The name of a companion, and how its hidden entry is called.
    fn named(&self, name: &str, run: Run) -> (Ident, TokenStream) {
        let hidden = self.name(run, false, false);
        let callee = match self.parameters().iter().any(|p| p.receiver) {
            true => quote!(self.#hidden),
            false => quote!(Self::#hidden),
        };
        let name = match self.home {
            Home::Holder => Ident::new(name, self.sig.ident.span()),
            Home::Inherent | Home::Trait | Home::Declaration => format_ident!("{name}_{}", self.sig.ident),
        };
        (name, callee)
    }

    /// The value, and the gradient with respect to each active argument.
    pub(super) fn gradient(&self) -> TokenStream {
        let syn::ReturnType::Type(_, ty) = &self.sig.output else { return TokenStream::new() };
        let (number, numbers, private) = (self.number(), self.numbers(), quote!(::retrograd::private));
        let scalar = matches!(&**ty, syn::Type::Path(path)
            if numbers.iter().any(|n| path.path.is_ident(n)) || path.path.is_ident("f64") || path.path.is_ident("f32"));
        if !scalar || !self.parameters().iter().any(|p| p.active) {
            return TokenStream::new();
        }
        let (mut inputs, mut passed, mut begun, mut gradients) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut owned = Vec::new();
        let mut receiver = None;
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = &parameter;
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
            let own = fresh(&format!("grad_{name}"));
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(#name) };
            let sweep = fresh("sweep");
            begun.push(quote!(let mut #own = #private::Shadowed::zero_shadow_in(#read, #sweep);));
            passed.push(quote!(&mut #own));
            gradients.push(quote!(#own));
            owned.push(owned_type(value, &number, &numbers));
        }
        let hidden = self.name(Run::Adjoint, false, false);
        let name = match self.home {
            Home::Holder => format_ident!("gradient", span = self.sig.ident.span()),
            Home::Inherent | Home::Trait | Home::Declaration => format_ident!("gradient_{}", self.sig.ident),
        };
        let callee = if receiver.is_some() { quote!(self.#hidden) } else { quote!(Self::#hidden) };
        let generics = self.shadowed(self.generics(), &number);
        let (generics, _, clause) = generics.split_for_impl();
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let doc = format!("The value of `{}`, and its gradient with respect to each active argument.", self.sig.ident);
        let (sweep, result) = (fresh("sweep"), fresh("result"));
        passed.push(quote!(<#number as #private::Shadow<#ty>>::one()));
        let call = self.invoked(&callee, &quote!(#sweep), passed);
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #[inline]
            #vis fn #name #generics (#receiver #(#inputs),*) -> (#ty, #(#owned),*) #clause {
                let #sweep = #private::Sweep::<#number>::new();
                #(#begun)*
                let #result = #call;
                (#result, #(#gradients),*)
            }
        }
    }

    /// The value, and for each number in it the gradient: rows are outputs, columns the active arguments flattened in order.
    pub(super) fn jacobian(&self) -> TokenStream {
        let Some(ty) = self.value() else { return TokenStream::new() };
        let (count, seeds) = match ty {
            syn::Type::Array(array) => {
                let len = &array.len;
                (quote!({ #len }), quote!(::core::array::from_fn(::retrograd::private::Seeds::basis)))
            }
            syn::Type::Tuple(tuple) if tuple.elems.len() > 1 => {
                let (len, all) = (tuple.elems.len(), 0..tuple.elems.len());
                (quote!(#len), quote!((#(::retrograd::private::Seeds::basis(#all)),*)))
            }
            _ => return TokenStream::new(),
        };
        let parts: Vec<&syn::Type> = match ty {
            syn::Type::Array(array) => vec![&array.elem],
            syn::Type::Tuple(tuple) => tuple.elems.iter().collect(),
            _ => Vec::new(),
        };
        let numbers = self.numbers();
        let is_number = |ty: &&syn::Type| {
            matches!(ty, syn::Type::Path(path) if numbers.iter().any(|n| path.path.is_ident(n))
                || path.path.is_ident("f64") || path.path.is_ident("f32"))
        };
        // The forward sweeps run the function several times: what is passed by value must be there again.
        let copied = |p: &Parameter| p.mode != Mode::Value || is_copied(&p.value, &numbers);
        let parameters = self.parameters();
        if !self.has_active() || !parts.iter().all(is_number) || !parameters.iter().all(copied) {
            return TokenStream::new();
        }
        let (number, private) = (self.number(), quote!(::retrograd::private));
        let (sweep, rows) = (fresh("sweep"), fresh("rows"));
        let (mut inputs, mut receiver) = (Vec::new(), None);
        let (mut backward, mut forward) = (Vec::new(), Vec::new());
        let (mut begun, mut moved, mut found, mut widths, mut moving) = (vec![], vec![], vec![], vec![], vec![]);
        for parameter in &parameters {
            let Parameter { name, value, mode, .. } = parameter;
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
            let (own, tangent) = (fresh(&format!("grad_{name}")), fresh(&format!("d_{name}")));
            begun.push(quote!(let mut #own = #private::Shadowed::zero_shadow_in(#read, #sweep);));
            moved.push(quote!(let mut #tangent = #private::Shadowed::zero_shadow_in(#read, #sweep);));
            backward.push(quote!(&mut #own));
            forward.push(quote!(&#tangent));
            let seeds = quote!(#private::Seeds<#number, #count>);
            widths.push(quote!(#private::rows::width::<#value, #seeds>(::core::borrow::Borrow::borrow(&#own))));
            found.push(quote!(#private::rows::rows::<#value, #number, #count>(::core::borrow::Borrow::borrow(&#own), &mut #rows);));
            moving.push(quote!(
                offset = #private::rows::axes::<#value, #number>(::core::borrow::BorrowMut::borrow_mut(&mut #tangent), offset, start);
            ));
        }
        let (name, callee) = self.named("jacobian", Run::Adjoint);
        let (_, pushed) = self.named("jacobian", Run::Tangent);
        backward.push(seeds);
        let backward = self.invoked(&callee, &quote!(#sweep), backward);
        let forward = self.invoked(&pushed, &quote!(#sweep), forward);
        let generics = self.shadowed(self.generics(), &number);
        let (generics, _, clause) = generics.split_for_impl();
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let doc = format!(
            "The value of `{}` and its Jacobian: one row for each number of the value, one column for each number in the active \
             arguments. With fewer columns than rows it is computed forwards, else backwards, all rows in one sweep.",
            self.sig.ident
        );
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #[inline]
            #vis fn #name #generics (#receiver #(#inputs),*) -> (#ty, [::retrograd::private::Vec<#number>; #count]) #clause {
                let #sweep = #private::Sweep::<#private::Seeds<#number, #count>>::new();
                #(#begun)*
                let mut #rows: [::retrograd::private::Vec<#number>; #count] = ::core::array::from_fn(|_| ::retrograd::private::Vec::new());
                let width = 0 #(+ #widths)*;
                if width >= #count {
                    let value = #backward;
                    #(#found)*
                    return (value, #rows);
                }
                let #sweep = #private::Sweep::<#private::Seeds<#number, { #private::rows::COLUMNS }>>::new();
                #(#moved)*
                let mut start = 0;
                loop {
                    let mut offset = 0;
                    #(#moving)*
                    let (value, tangent) = #forward;
                    #private::rows::columns::<#ty, #number, #count>(&tangent, start, width, &mut #rows);
                    start += #private::rows::COLUMNS;
                    if start >= width {
                        return (value, #rows);
                    }
                }
            }
        }
    }

    /// The one number type, where a scalar function is generic in it and asks nothing else of it: then it runs on dual numbers.
    fn generic_number(&self) -> Option<Ident> {
        let numbers = self.numbers();
        let [number] = numbers.as_slice() else { return None };
        let own = self.sig.generics.type_params().find(|p| p.ident == *number)?;
        let clauses = self.sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let plain = own.bounds.len() + clauses.count() <= 1;
        // The shadow of a struct may be another struct, which cannot be an argument.
        let shown = |p: &Parameter| !mentions(&p.value, number) || is_plain(&p.value, &numbers);
        let made_of = |p: &Parameter| p.host || !p.active || mentions(&p.value, number);
        let by_value =
            |p: &Parameter| p.mode != Mode::Value || !mentions(&p.value, number) || is_copied(&p.value, &numbers);
        let parameters = self.parameters();
        let lifted = parameters.iter().all(|p| made_of(p) && shown(p) && by_value(p) && !p.receiver);
        (self.home == Home::Holder && plain && lifted && self.is_scalar() && self.has_active()).then(|| number.clone())
    }

    /// The generic arguments of a hidden entry that runs on dual numbers. They are spelled out: the bounds of a companion would
    /// mislead rustc in finding them.
    fn over_dual(&self, number: &Ident, dual: &TokenStream) -> TokenStream {
        let arguments = self.sig.generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Type(param) if param.ident == *number => Some(dual.clone()),
            syn::GenericParam::Type(param) => Some(param.ident.to_token_stream()),
            syn::GenericParam::Const(param) => Some(param.ident.to_token_stream()),
            syn::GenericParam::Lifetime(_) => None,
        });
        quote!(::<#(#arguments,)* #dual>)
    }

    /// The value, the gradient and the Hessian, with all active arguments flattened in order.
    pub(super) fn hessian(&self) -> TokenStream {
        let Some(number) = self.generic_number() else { return TokenStream::new() };
        let private = quote!(::retrograd::private);
        let dual = quote!(#private::Dual<#number, { #private::second::DIRECTIONS }>);
        let (sweep, inner) = (fresh("sweep"), fresh("moved"));
        let (mut inputs, mut passed, mut lifted, mut counts) = (vec![], vec![], vec![], vec![]);
        let (mut moved, mut begun, mut gathered) = (vec![], vec![], vec![]);
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = &parameter;
            let typed = parameter.typed();
            inputs.push(quote!(#name: #typed));
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(#name) };
            let (own, lift) = (fresh(&format!("grad_{name}")), fresh(&format!("lifted_{name}")));
            if !mentions(value, &number) {
                passed.push(quote!(::core::clone::Clone::clone(&#name), #private::NoShadow));
                continue;
            }
            lifted.push(quote!(let mut #lift = #private::second::lift::<#value, #number, _>(#read);));
            let over = substituted(value, &number, &dual);
            passed.push(match mode {
                Mode::Value => quote!(#lift),
                Mode::Borrow | Mode::Change => quote!(#private::second::lent::<_, #over>(&#lift)),
            });
            if !parameter.active {
                passed.push(quote!(#private::NoShadow));
                continue;
            }
            counts.push(quote!(#private::Active::count(#read)));
            moved.push(quote!(
                offset = #private::second::move_along_axes::<#value, #number, _>(
                    ::core::borrow::BorrowMut::borrow_mut(&mut #lift), offset, start,
                );
            ));
            begun.push(quote!(let mut #own = #private::Shadowed::zero_shadow_in(&#lift, #sweep);));
            passed.push(quote!(&mut #own));
            gathered.push(quote!(
                offset = #private::second::gather::<#value, #number, _>(
                    ::core::borrow::Borrow::borrow(&#own), offset, start, &mut gradient, &mut hessian,
                );
            ));
        }
        let (name, callee) = self.named("hessian", Run::Adjoint);
        let over = self.over_dual(&number, &dual);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let mut generics = self.generics();
        generics.make_where_clause().predicates.push(syn::parse_quote!(#dual: #private::Shadow<#number>));
        let (generics, _, clause) = generics.split_for_impl();
        let doc = format!(
            "The value of `{}`, its gradient and its Hessian, row by row; the active arguments are flattened in order.",
            self.sig.ident
        );
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #vis fn #name #generics (#(#inputs),*) -> (#number, ::retrograd::private::Vec<#number>, ::retrograd::private::Vec<#number>) #clause {
                let #sweep = #private::Sweep::<#dual>::new();
                let total = 0 #(+ #counts)*;
                let mut gradient = ::retrograd::private::vec![<#number as #private::Real>::zero(); total];
                let mut hessian = ::retrograd::private::vec![<#number as #private::Real>::zero(); total * total];
                #(#lifted)*
                let mut start = 0;
                loop {
                    let mut offset = 0;
                    #(#moved)*
                    #(#begun)*
                    let #inner = #callee #over(#sweep, #(#passed,)* <#dual as #private::Shadow<#dual>>::one());
                    let mut offset = 0;
                    #(#gathered)*
                    start += #private::second::DIRECTIONS;
                    if start >= total {
                        return (#inner.re, gradient, hessian);
                    }
                }
            }
        }
    }

    /// The value, how it moves along a direction, and the Hessian times that direction.
    pub(super) fn hvp(&self) -> TokenStream {
        let Some(number) = self.generic_number() else { return TokenStream::new() };
        let private = quote!(::retrograd::private);
        let dual = quote!(#private::Dual<#number, 1>);
        let (sweep, moved) = (fresh("sweep"), fresh("moved"));
        let (mut inputs, mut passed, mut lifted, mut begun, mut results, mut types) =
            (vec![], vec![], vec![], vec![], vec![], vec![]);
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = &parameter;
            let typed = parameter.typed();
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(#name) };
            let (own, lift, along) =
                (fresh(&format!("grad_{name}")), fresh(&format!("lifted_{name}")), format_ident!("d_{name}"));
            inputs.push(match parameter.active {
                true => quote!((#name, #along): (#typed, &#value)),
                false => quote!(#name: #typed),
            });
            if !mentions(value, &number) {
                passed.push(quote!(#name, #private::NoShadow));
                continue;
            }
            lifted.push(quote!(let mut #lift = #private::second::lift::<#value, #number, 1>(#read);));
            let over = substituted(value, &number, &dual);
            passed.push(match mode {
                Mode::Value => quote!(#lift),
                Mode::Borrow | Mode::Change => quote!(#private::second::lent::<_, #over>(&#lift)),
            });
            if !parameter.active {
                passed.push(quote!(#private::NoShadow));
                continue;
            }
            let text = name.to_string();
            lifted.push(quote!(
                #private::second::move_along::<#value, #number>(
                    ::core::borrow::BorrowMut::borrow_mut(&mut #lift), #along, #read, #text,
                );
            ));
            begun.push(quote!(let mut #own = #private::Shadowed::zero_shadow_in(&#lift, #sweep);));
            passed.push(quote!(&mut #own));
            results
                .push(quote!(#private::second::slope::<#value, #number>(#read, ::core::borrow::Borrow::borrow(&#own))));
            types.push(owned_type(value, &quote!(#number), std::slice::from_ref(&number)));
        }
        let (name, callee) = self.named("hvp", Run::Adjoint);
        let over = self.over_dual(&number, &dual);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let mut generics = self.generics();
        let predicates = &mut generics.make_where_clause().predicates;
        predicates.push(syn::parse_quote!(#dual: #private::Shadow<#number>));
        predicates.push(syn::parse_quote!(#number: #private::Shadow<#number>));
        let (generics, _, clause) = generics.split_for_impl();
        let doc = format!(
            "The value of `{}`, its slope along the direction `d_..`, and for each active argument the Hessian times the direction.",
            self.sig.ident
        );
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #vis fn #name #generics (#(#inputs),*) -> (#number, #number, #(#types),*) #clause {
                let #sweep = #private::Sweep::<#dual>::new();
                #(#lifted)*
                #(#begun)*
                let #moved = #callee #over(#sweep, #(#passed,)* <#dual as #private::Shadow<#dual>>::one());
                (#moved.re, #moved.eps[0], #(#results),*)
            }
        }
    }
}

/// Whether a type is a number, an array of numbers, or something small that is surely `Copy`.
fn is_copied(ty: &syn::Type, numbers: &[Ident]) -> bool {
    const COPIED: &[&str] = &[
        "f32", "f64", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool",
        "char",
    ];
    match ty {
        syn::Type::Path(path) => {
            let known = |ident: &Ident| numbers.contains(ident) || COPIED.iter().any(|name| ident == name);
            path.path.get_ident().is_some_and(known)
        }
        syn::Type::Array(array) => is_copied(&array.elem, numbers),
        syn::Type::Tuple(tuple) => tuple.elems.iter().all(|ty| is_copied(ty, numbers)),
        syn::Type::Reference(r) => r.mutability.is_none(),
        _ => false,
    }
}

/// Whether a type mentions a type parameter.
fn mentions(ty: &syn::Type, number: &Ident) -> bool {
    let mut mentions = super::derivatives::Mentions { name: number, found: false };
    syn::visit::Visit::visit_type(&mut mentions, ty);
    mentions.found
}

/// A type with another number type.
fn substituted(ty: &syn::Type, number: &Ident, with: &TokenStream) -> syn::Type {
    struct Substitution<'a>(&'a Ident, syn::Type);
    impl syn::visit_mut::VisitMut for Substitution<'_> {
        fn visit_type_mut(&mut self, ty: &mut syn::Type) {
            match ty {
                syn::Type::Path(path) if path.path.is_ident(self.0) => *ty = self.1.clone(),
                _ => syn::visit_mut::visit_type_mut(self, ty),
            }
        }
    }
    let mut substitution = Substitution(number, syn::parse_quote!(#with));
    let mut ty = ty.clone();
    syn::visit_mut::VisitMut::visit_type_mut(&mut substitution, &mut ty);
    ty
}
