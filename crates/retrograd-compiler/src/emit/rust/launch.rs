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
pub(super) struct Parts {
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

/// What a launch runs.
pub(super) struct Launched {
    /// Its name.
    pub(super) name: Ident,
    /// The run for all indices on the CPU.
    pub(super) over: Ident,
    /// What gives its text.
    pub(super) text: TokenStream,
    /// Whether there are shadows among its arguments.
    pub(super) shadows: bool,
}

impl Companions<'_> {
    /// All launches of a kernel, if devices can be given its arguments.
    pub(crate) fn launches(&self, derivatives: bool) -> TokenStream {
        if !self.fits_devices() {
            return TokenStream::new();
        }
        let mut runs = vec![(Run::Values, false), (Run::Values, true)];
        if derivatives && self.has_active() {
            runs.extend([Run::Adjoint, Run::Tangent].into_iter().flat_map(|run| [(run, false), (run, true)]));
        }
        runs.into_iter().map(|(run, inverse)| self.launch(run, inverse)).collect()
    }

    /// Whether it is a kernel whose arguments devices can be given.
    pub(super) fn fits_devices(&self) -> bool {
        self.signature.index().is_some() && self.parameters().iter().all(|p| p.index || self.lies_on_devices(&p.value))
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
        let mut parts = Parts::default();
        for parameter in self.parameters().iter().filter(|p| !p.index) {
            self.parameter(parameter, run, &mut parts);
        }
        let once = self.name(run, inverse, true);
        let (name, over) = match (run, inverse) {
            (Run::Values, false) => (format_ident!("launch", span = self.signature.name.span()), format_ident!("over")),
            _ => (format_ident!("launch_{once}", span = once.span()), over_name(&once)),
        };
        let (direction, number, shadows) = (direction(run, inverse), self.number_of_text(), run != Run::Values);
        let text = quote!(Self::__kernel_text(::retrograd::private::Direction::#direction, #number));
        self.launched(parts, Launched { name, over, text, shadows })
    }

    /// What the numbers of a text are.
    pub(super) fn number_of_text(&self) -> TokenStream {
        match self.numbers().parameters.first() {
            Some(number) => quote!(<#number as ::retrograd::private::kernel::Number>::NAME),
            None => self.c_number().to_token_stream(),
        }
    }

    /// A launch with these arguments.
    pub(super) fn launched(&self, parts: Parts, launched: Launched) -> TokenStream {
        let kernel = quote!(::retrograd::private::kernel);
        let (device, count, launch, sums) = (fresh("device"), fresh("n"), fresh("launch"), fresh("sums"));
        let Parts { inputs, checks, on_cpu, cpu_arguments, handed_on, sums: read } = parts;
        let Launched { name, over, text, shadows } = launched;
        let written = self.signature.name.to_string();
        let mut generics = self.generics();
        if let Some(number) = self.numbers().parameters.first() {
            let clause = generics.make_where_clause();
            clause.predicates.push(syn::parse_quote!(#number: #kernel::Number));
            if shadows {
                let shadow = self.number();
                clause.predicates.push(syn::parse_quote!(#shadow: #kernel::Element));
            }
        }
        let (generics, _, clause) = generics.split_for_impl();
        let body = match self.rejected {
            true => quote!(::core::unreachable!()),
            false => quote! {
                #checks
                if #device.is_cpu() {
                    #on_cpu
                    return #kernel::on_cpu(#written, || Self::#over(#count, #(#cpu_arguments),*));
                }
                let mut #launch = #kernel::Launch::new(#device, #count, #text);
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

    /// Hands a value on; returns its type. A slice is changed, or only read.
    fn argument(&self, parameter: &Parameter, changed: bool, parts: &mut Parts) -> TokenStream {
        let kernel = quote!(::retrograd::private::kernel);
        let Parameter { name, value, mode, .. } = parameter;
        match &value.kind {
            TypeKind::Slice(of) => {
                self.slice(name, name, changed, parts);
                let reference = if changed { quote!(&mut) } else { quote!(&) };
                quote!(#reference #kernel::Buffer<#of>)
            }
            _ => {
                parts.handed_on.extend(passed(name, *mode));
                parameter.typed()
            }
        }
    }

    /// Hands a buffer on that belongs to an argument.
    fn slice(&self, argument: &Ident, own: &Ident, changed: bool, parts: &mut Parts) {
        let (kernel, launch, described) = (quote!(::retrograd::private::kernel), fresh("launch"), argument.to_string());
        let host = if changed { quote!(host_mut) } else { quote!(host) };
        parts.on_cpu.extend(quote!(let #own = #kernel::#host(#described, #own)?;));
        parts.handed_on.extend(quote!(#launch.slice(#described, &*#own)?;));
    }

    /// An argument of a Jacobian. Rows by it are of that type, and there is one for each run.
    pub(super) fn with_rows(&self, parameter: &Parameter, rows: Option<&TokenStream>, parts: &mut Parts) {
        let (kernel, count, name) = (quote!(::retrograd::private::kernel), fresh("n"), &parameter.name);
        let given = self.argument(parameter, false, parts);
        let Some(rows) = rows else {
            parts.inputs.push(quote!(#name: #given));
            parts.cpu_arguments.push(name.to_token_stream());
            return;
        };
        let (own, described) = (shadow_name(Run::Adjoint, name), name.to_string());
        parts.inputs.push(quote!((#name, #own): (#given, &mut #kernel::Buffer<#rows>)));
        parts.cpu_arguments.push(quote!((#name, #own)));
        parts.checks.extend(quote!(#kernel::fit(#described, #count, #own.len())?;));
        self.slice(name, &own, true, parts);
    }

    fn parameter(&self, parameter: &Parameter, run: Run, parts: &mut Parts) {
        let (kernel, launch, sums) = (quote!(::retrograd::private::kernel), fresh("launch"), fresh("sums"));
        let Parameter { name, value, mode, active, .. } = parameter;
        let slice = matches!(value.kind, TypeKind::Slice(_));
        let given = self.argument(parameter, *mode == Mode::Change, parts);
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
            let described = name.to_string();
            parts.checks.extend(quote!(#kernel::fit(#described, #name.len(), #own.len())?;));
            self.slice(name, &own, changed, parts);
        } else if changed {
            parts.handed_on.extend(quote!(#launch.sum(&*#own);));
            parts.sums.extend(quote!(#sums.next(#own);));
        } else {
            parts.handed_on.extend(passed(&own, *mode));
        }
    }
}

/// Hands on what is no slice.
fn passed(name: &Ident, mode: Mode) -> TokenStream {
    let launch = fresh("launch");
    if mode == Mode::Value { quote!(#launch.value(&#name);) } else { quote!(#launch.value(&*#name);) }
}

const INTEGERS: &[&str] = &["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"];
