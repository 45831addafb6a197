//! The Jacobian of a kernel: `f::jacobian_over(n, ..)` and `f::launch_jacobian(&device, n, ..)`.
//!
//! Each run stores one row for each number that it changes. Both take what is changed as the kernel has left it, and leave it; what is only
//! read, and active, comes with the rows by it, those of run `i` in element `i`:
//!
//! ```text
//! residuals::launch_jacobian(&device, n, &errors, (&cameras, &mut rows_cameras), (&weights, &mut rows_weights), &seen)?;
//! ```
//!
//! On the CPU a row is a sweep of `f::__jacobian_row`, the pullback in which shadows of what is only read have the elements of one run.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::body::derivative;
use super::companions::companion_lints;
use super::derivatives::Companions;
use super::launch::{Launched, Parts};
use super::types::owned_type;
use crate::Derived;
use crate::analysis::rows::{Rows, numbers};
use crate::emit::c;
use crate::hygiene::{fresh, fresh_for};
use crate::ir::{Mode, Role, Run, TypeKind};
use crate::signature::Parameter;

impl Companions<'_> {
    /// The Jacobian of a kernel, or what says that its runs have no rows of one size.
    pub(super) fn rows(&self, derived: &Derived) -> TokenStream {
        let Some(runs) = derived.derivatives.as_ref().filter(|_| self.signature.index().is_some() && self.has_active())
        else {
            return TokenStream::new();
        };
        match Rows::of(&runs.pullback.core, &derived.forward.core) {
            Some(rows) => {
                let (row, over) = (self.row(&rows), self.jacobian_over(&rows));
                let launch = self.fits_devices().then(|| self.launch_jacobian(derived, &rows));
                quote!(#row #over #launch)
            }
            None => self.absent_rows(),
        }
    }

    /// What a kernel without rows says to its caller.
    fn absent_rows(&self) -> TokenStream {
        let arguments = self.parameters().len();
        let over = self.refused("jacobian_over", arguments, "Rows");
        let launch = self.refused("launch_jacobian", arguments + 1, "Rows");
        quote!(#over #launch)
    }

    /// The Jacobian of a kernel that was rejected, of which nothing more is said.
    pub(crate) fn rejected_rows(&self) -> TokenStream {
        if self.signature.index().is_none() || !self.signature.has_derivatives() {
            return TokenStream::new();
        }
        let vis = self.vis;
        let arguments = vec![quote!(_: impl ::core::marker::Sized); self.parameters().len()];
        quote! {
            #vis fn jacobian_over(#(#arguments),*) { ::core::unreachable!() }
            #vis fn launch_jacobian(
                device: &::retrograd::private::kernel::Device, #(#arguments),*
            ) -> ::core::result::Result<(), ::retrograd::private::kernel::Error> {
                ::core::unreachable!()
            }
        }
    }

    /// One row of one run: the pullback, with shadows of what is only read that have the elements of the run.
    fn row(&self, rows: &Rows) -> TokenStream {
        let mut body = self.reached(Run::Adjoint);
        body.extend(derivative(&rows.core, self.callees, None));
        let entry = self.hidden(Run::Adjoint, false, Some(body));
        match syn::parse2::<syn::ImplItemFn>(entry) {
            Ok(mut entry) => {
                entry.sig.ident = row_name(self);
                entry.into_token_stream()
            }
            Err(error) => error.to_compile_error(),
        }
    }

    /// The type of a row by what is only read, in the type of its values and in that of its shadow.
    fn row_types(&self, parameter: &Parameter, rows: &Rows) -> (TokenStream, TokenStream) {
        let number = self.number();
        match &parameter.value.kind {
            TypeKind::Slice(of) => {
                let (value, shadow) = (of.to_token_stream(), owned_type(of, &number, self.numbers()));
                match elements(parameter, rows) {
                    1 => (value, shadow),
                    len => (quote!([#value; #len]), quote!([#shadow; #len])),
                }
            }
            _ => (parameter.value.to_token_stream(), owned_type(&parameter.value, &number, self.numbers())),
        }
    }

    fn jacobian_over(&self, rows: &Rows) -> TokenStream {
        let (private, number) = (quote!(::retrograd::private), self.number());
        let (sweep, row, count) = (fresh("sweep"), fresh("row"), rows.count);
        let (mut inputs, mut passed) = (Vec::new(), Vec::new());
        let (mut checks, mut begun, mut each) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
        let Some(index) = self.signature.index().map(|index| &index.name) else { return TokenStream::new() };
        let mut seeds = 0_usize;
        for parameter in self.parameters() {
            let Parameter { name, value, mode, active, .. } = parameter;
            let (given, own, described) = (fresh_for("given", name), fresh_for("grad", name), name.to_string());
            if parameter.index {
                inputs.push(self.count());
                passed.extend([quote!(#name), quote!(#private::NoShadow)]);
                continue;
            }
            if let (Mode::Change, TypeKind::Slice(of)) = (mode, &value.kind) {
                inputs.push(quote!(#name: &#value));
                begun.extend(quote!(let #given = #name; let mut #name = #given.to_vec();));
                each.extend(quote!(#name[#index].clone_from(&#given[#index]);));
                passed.push(quote!(&mut *#name));
                if *active {
                    begun.extend(quote!(let mut #own = #private::zero::<#value, _>(#sweep, #given);));
                    each.extend(quote!(
                        #private::kernel::unit::<#of, #number>(&mut #own[#index], #row.checked_sub(#seeds));
                    ));
                    passed.push(quote!(&mut *#own));
                    seeds += numbers(of, self.numbers()).unwrap_or(0);
                } else {
                    passed.push(quote!(#private::NoShadow));
                }
                continue;
            }
            let typed = parameter.typed();
            passed.push(quote!(#name));
            if !active {
                inputs.push(quote!(#name: #typed));
                passed.push(quote!(#private::NoShadow));
                continue;
            }
            let (of_row, shadow) = self.row_types(parameter, rows);
            inputs.push(quote!((#name, #own): (#typed, &mut [[#shadow; #count]])));
            let runs = fresh("n");
            checks.extend(quote!(#private::kernel::fit_rows(#described, #runs, #own.len());));
            each.extend(quote!(#private::kernel::unit::<#of_row, #number>(&mut #own[#index][#row], ::core::option::Option::None);));
            passed.push(match (&value.kind, elements(parameter, rows)) {
                (TypeKind::Slice(_), 1) => quote!(::core::slice::from_mut(&mut #own[#index][#row])),
                (TypeKind::Slice(_), _) => quote!(&mut #own[#index][#row][..]),
                _ => quote!(&mut #own[#index][#row]),
            });
        }
        let entry = row_name(self);
        let call = self.invoked(&quote!(Self::#entry), &sweep.to_token_stream(), passed);
        let each = self.each(false, &quote!(for #row in 0..#count { #each #call; }));
        let generics = self.shadowed(self.generics(), &number);
        let (generics, _, clause) = generics.split_for_impl();
        let (vis, lints) = (self.vis, companion_lints());
        let doc = format!(
            "The Jacobian of `{}`, for each index in `0..n`: one row for each number that a run changes, stored in element `i` of the rows by \
             what is read. What is changed is taken as the kernel has left it.",
            self.signature.name
        );
        quote! {
            #[doc = #doc]
            #lints
            #[track_caller]
            #vis fn jacobian_over #generics (#(#inputs),*) #clause {
                #checks
                let #sweep = #private::Sweep::<#number>::new();
                #begun
                #each
            }
        }
    }

    fn launch_jacobian(&self, derived: &Derived, rows: &Rows) -> TokenStream {
        let (kernel, direction) =
            (quote!(::retrograd::private::kernel), quote!(::retrograd::private::Direction::Pullback));
        let written = self.written_or_not(Some(c::jacobian(rows, &self.parts(derived))));
        let (text, lints, vis) = (self.text(derived, &direction, &written), companion_lints(), self.vis);
        let (number, count) = (self.c_number(), rows.count);
        let mut parts = Parts::default();
        for parameter in self.parameters().iter().filter(|p| !p.index) {
            let read = parameter.active && parameter.mode != Mode::Change;
            let of_run = read.then(|| {
                let (_, shadow) = self.row_types(parameter, rows);
                quote!([#shadow; #count])
            });
            self.with_rows(parameter, of_run.as_ref(), &mut parts);
        }
        let of_launch = self.number_of_text();
        let launch = self.launched(
            parts,
            Launched {
                name: format_ident!("launch_jacobian", span = self.signature.name.span()),
                over: format_ident!("jacobian_over"),
                text: quote!(Self::__jacobian_text(#of_launch)),
                shadows: true,
            },
        );
        let doc = format!("The Jacobian of `{}` as the text of a kernel for devices.", self.signature.name);
        quote! {
            #[doc(hidden)]
            #lints
            #vis fn __jacobian_text(number: &'static ::core::primitive::str) -> #kernel::Text { #text }
            #[doc = #doc]
            #[allow(dead_code)]
            #vis fn jacobian_source(
                language: #kernel::Language
            ) -> ::core::result::Result<::retrograd::private::String, #kernel::Error> {
                #kernel::source(language, Self::__jacobian_text(#number))
            }
            #launch
        }
    }
}

/// The name of the hidden entry for one row.
fn row_name(companions: &Companions<'_>) -> Ident {
    Ident::new("__jacobian_row", companions.signature.name.span())
}

/// How many elements of a slice a run reads.
fn elements(parameter: &Parameter, rows: &Rows) -> usize {
    let params = &rows.core.params;
    let own =
        params.iter().position(|param| param.role == Role::Value && rows.core.var(param.var).name == parameter.name);
    own.and_then(|own| rows.elements.get(&params.get(own + 1)?.var)).copied().unwrap_or(1)
}
