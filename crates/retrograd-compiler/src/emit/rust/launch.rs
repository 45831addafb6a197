//! Launches of a kernel on devices: `f::launch(&device, n, ..)` and its kin.
//!
//! A launch takes buffers where the program takes slices. On the CPU it is the run for all indices; on any other device it hands the
//! arguments on to the text of the kernel, in order.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::companions::companion_lints;
use super::derivatives::Companions;
use super::device::direction;
use super::entries::shadow_name;
use super::kernel::over_name;
use super::types::owned_type;
use crate::hygiene::fresh;
use crate::ir::{Mode, Run, Type, TypeKind};
use crate::signature::Parameter;
use crate::signature::numbers::is_float;

/// What a parameter of a launch becomes.
#[derive(Default)]
struct Parts {
    inputs: Vec<TokenStream>,
    /// Lengths that have to be those of others.
    checks: TokenStream,
    /// What is done before the run on the CPU, and what is passed to it.
    on_cpu: TokenStream,
    cpu_arguments: Vec<TokenStream>,
    /// The arguments of the text.
    handed_on: TokenStream,
    /// What is read after the run.
    sums: TokenStream,
}

impl Companions<'_> {
    /// All launches of a kernel, if devices can be given its arguments.
    pub(crate) fn launches(&self, derivatives: bool) -> TokenStream {
        let fit = self.parameters().iter().all(|p| p.index || self.lies_on_devices(&p.value));
        if self.signature.index().is_none() || !fit {
            return TokenStream::new();
        }
        let mut runs = vec![(Run::Values, false), (Run::Values, true)];
        if derivatives && self.has_active() {
            runs.extend([Run::Adjoint, Run::Tangent].into_iter().flat_map(|run| [(run, false), (run, true)]));
        }
        runs.into_iter().map(|(run, inverse)| self.launch(run, inverse)).collect()
    }

    /// Whether the type is made of numbers, integers and `bool`, in arrays and tuples.
    pub(super) fn lies_on_devices(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Slice(of) | TypeKind::Array { of, .. } => self.lies_on_devices(of),
            TypeKind::Tuple(all) => (1..=6).contains(&all.len()) && all.iter().all(|ty| self.lies_on_devices(ty)),
            TypeKind::Named { name, bare: true, .. } => {
                let plain = |name: &Ident| INTEGERS.iter().any(|integer| name == integer) || name == "bool";
                is_float(name) || plain(name) || self.numbers().parameters.contains(name)
            }
            TypeKind::Named { .. } | TypeKind::Reference { .. } | TypeKind::Other => false,
        }
    }

    fn launch(&self, run: Run, inverse: bool) -> TokenStream {
        let kernel = quote!(::retrograd::private::kernel);
        let (device, count, launch, sums) = (fresh("device"), fresh("n"), fresh("launch"), fresh("sums"));
        let mut parts = Parts::default();
        for parameter in self.parameters().iter().filter(|p| !p.index) {
            self.parameter(parameter, run, &launch, &sums, &mut parts);
        }
        let Parts { inputs, checks, on_cpu, cpu_arguments, handed_on, sums: read } = parts;
        let once = self.name(run, inverse, true);
        let (name, over) = match (run, inverse) {
            (Run::Values, false) => (format_ident!("launch", span = self.signature.name.span()), format_ident!("over")),
            _ => (format_ident!("launch_{once}", span = once.span()), over_name(&once)),
        };
        let direction = direction(run, inverse);
        let written = self.signature.name.to_string();
        let mut generics = self.generics();
        let number = match self.numbers().parameters.first() {
            Some(number) => {
                let clause = generics.make_where_clause();
                clause.predicates.push(syn::parse_quote!(#number: #kernel::Number));
                if run != Run::Values {
                    let shadow = self.number();
                    clause.predicates.push(syn::parse_quote!(#shadow: #kernel::Element));
                }
                quote!(<#number as #kernel::Number>::NAME)
            }
            None => self.c_number().to_token_stream(),
        };
        let (generics, _, clause) = generics.split_for_impl();
        let body = match self.rejected {
            true => quote!(::core::unreachable!()),
            false => quote! {
                #checks
                if #device.is_cpu() {
                    #on_cpu
                    return #kernel::on_cpu(#written, || Self::#over(#count, #(#cpu_arguments),*));
                }
                let mut #launch = #kernel::Launch::new(
                    #device, #count, Self::__kernel_text(::retrograd::private::Direction::#direction, #number)
                );
                #handed_on
                let mut #sums = #launch.run()?;
                #read
                ::core::result::Result::Ok(())
            },
        };
        let (vis, lints) = (self.vis, companion_lints());
        let doc = format!("Runs `{written}::{over}` on a device.");
        quote! {
            #[doc = #doc]
            #lints
            #vis fn #name #generics (
                #device: &#kernel::Device, #count: ::core::primitive::usize, #(#inputs),*
            ) -> ::core::result::Result<(), #kernel::Error> #clause { #body }
        }
    }

    fn parameter(&self, parameter: &Parameter, run: Run, launch: &Ident, sums: &Ident, parts: &mut Parts) {
        let kernel = quote!(::retrograd::private::kernel);
        let Parameter { name, value, mode, active, .. } = parameter;
        let described = name.to_string();
        let slice = matches!(value.kind, TypeKind::Slice(_));
        let given = match (&value.kind, mode) {
            (TypeKind::Slice(of), Mode::Change) => quote!(&mut #kernel::Buffer<#of>),
            (TypeKind::Slice(of), _) => quote!(&#kernel::Buffer<#of>),
            _ => parameter.typed(),
        };
        let on_cpu = |name: &Ident, changed: bool| match changed {
            true => quote!(let #name = #kernel::host_mut(#described, #name)?;),
            false => quote!(let #name = #kernel::host(#described, #name)?;),
        };
        let value_of = |name: &Ident, by_value: bool| match by_value {
            true => quote!(#launch.value(&#name);),
            false => quote!(#launch.value(&*#name);),
        };
        if slice {
            parts.on_cpu.extend(on_cpu(name, *mode == Mode::Change));
            parts.handed_on.extend(quote!(#launch.slice(#described, &*#name)?;));
        } else {
            parts.handed_on.extend(value_of(name, *mode == Mode::Value));
        }
        if run == Run::Values || !active {
            parts.inputs.push(quote!(#name: #given));
            parts.cpu_arguments.push(name.to_token_stream());
            return;
        }
        let (own, changed) = (shadow_name(run, name), parameter.changes(run));
        let number = self.number();
        let shadow = match &value.kind {
            TypeKind::Slice(of) => {
                let of = owned_type(of, &number, self.numbers());
                quote!(#kernel::Buffer<#of>)
            }
            _ => owned_type(value, &number, self.numbers()),
        };
        let shadow = match (changed, slice || *mode != Mode::Value) {
            (true, _) => quote!(&mut #shadow),
            (false, true) => quote!(&#shadow),
            (false, false) => shadow,
        };
        parts.inputs.push(quote!((#name, #own): (#given, #shadow)));
        parts.cpu_arguments.push(quote!((#name, #own)));
        if slice {
            parts.checks.extend(quote!(#kernel::fit(#described, #name.len(), #own.len())?;));
            parts.on_cpu.extend(on_cpu(&own, changed));
            parts.handed_on.extend(quote!(#launch.slice(#described, &*#own)?;));
        } else if changed {
            parts.handed_on.extend(quote!(#launch.sum(&*#own);));
            parts.sums.extend(quote!(#sums.next(#own);));
        } else {
            parts.handed_on.extend(value_of(&own, *mode == Mode::Value));
        }
    }
}

const INTEGERS: &[&str] = &["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];
