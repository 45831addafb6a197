//! What is known about the struct or enum: its fields, and what its shadow will be.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Generics, Ident, Member, Type, Visibility};

use super::types::{self, Behind};

/// A struct or enum through which derivatives flow.
pub(super) struct Model<'a> {
    pub(super) name: &'a Ident,
    pub(super) vis: &'a Visibility,
    /// Without the defaults, which have no place on an `impl`.
    pub(super) generics: Generics,
    /// The variants of an enum; a struct has one, without a name.
    pub(super) variants: Vec<Variant<'a>>,
    /// The fields of all variants.
    pub(super) fields: Vec<Field<'a>>,
    pub(super) shape: Shape,
    /// The scalar of a sweep.
    pub(super) scalar: Ident,
    /// The scalar of a sweep over the shadow.
    pub(super) second: Ident,
    /// The names that the struct uses.
    taken: BTreeSet<String>,
    /// The time for which a shadow is borrowed.
    pub(super) lifetime: syn::Lifetime,
}

/// What the shadow of a struct is.
pub(super) enum Shape {
    /// The same struct, with each type parameter replaced by its shadow.
    Same,
    /// A struct of its own, with the shadow of each field under the name of the field.
    Own(Ident),
}

/// A variant of an enum, or a struct.
pub(super) struct Variant<'a> {
    /// The name of a variant.
    pub(super) name: Option<&'a Ident>,
    pub(super) style: Style,
}

/// How the fields are written.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Named,
    Tuple,
    Unit,
}

pub(super) struct Field<'a> {
    pub(super) member: Member,
    /// Its place among all fields.
    pub(super) number: usize,
    /// Which of the variants has it.
    pub(super) variant: usize,
    /// What it is called where a value is taken apart.
    pub(super) name: Ident,
    /// What it is called in a second value beside that.
    pub(super) other: Ident,
    pub(super) vis: &'a Visibility,
    /// The type, without the references around it, and with `Self` by its name.
    pub(super) ty: Type,
    /// How many references there were.
    pub(super) depth: usize,
    /// Whether it is behind a `&`, and not to be changed.
    pub(super) shared: bool,
    /// Whether it is marked `#[constant]`.
    pub(super) marked: bool,
    /// Whether the type mentions the struct itself. Bounds on such a field would be circular.
    pub(super) recursive: bool,
    pub(super) role: Role,
}

/// What a field is to a derivative.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// A derivative flows through it.
    Active,
    /// A container of numbers marked `#[constant]`: the shadow has its shape, and a `Constant` in the place of each number.
    Constants,
    /// What else is marked `#[constant]`: the shadow is one `Constant`.
    Constant,
    /// Integers and text: the shadow is `()`.
    Inert,
    /// `PhantomData`, which the same struct keeps as it is.
    Phantom,
}

impl<'a> Model<'a> {
    /// `parts` are the fields of a struct, or the variants of an enum by their names and fields; `shadow` is the name that the user
    /// gave to the shadow.
    pub(super) fn new(
        item: &'a syn::DeriveInput,
        parts: &[(Option<&'a Ident>, &'a syn::Fields)],
        shadow: Option<Ident>,
    ) -> Model<'a> {
        let mut generics = item.generics.clone();
        for parameter in &mut generics.params {
            match parameter {
                syn::GenericParam::Type(parameter) => parameter.default = None,
                syn::GenericParam::Const(parameter) => parameter.default = None,
                syn::GenericParam::Lifetime(_) => {}
            }
        }
        let mut variants = Vec::new();
        let mut fields = Vec::new();
        for (number, (name, all)) in parts.iter().enumerate() {
            let style = match all {
                syn::Fields::Named(_) => Style::Named,
                syn::Fields::Unnamed(_) => Style::Tuple,
                syn::Fields::Unit => Style::Unit,
            };
            variants.push(Variant { name: *name, style });
            for (field, member) in all.iter().zip(all.members()) {
                let at = (number, fields.len());
                fields.push(Field::new(field, member, at, item, &generics));
            }
        }
        constants(&mut fields, &generics);
        let shape = match shadow {
            Some(name) => Shape::Own(name),
            None if is_its_own_shadow(&fields, &generics) => Shape::Same,
            None => Shape::Own(shadow_name(&item.ident)),
        };
        let taken = types::names(&item.to_token_stream());
        Model {
            name: &item.ident,
            vis: &item.vis,
            variants,
            fields,
            shape,
            scalar: Ident::new(&free("S", &taken), Span::call_site()),
            second: Ident::new(&free("R", &taken), Span::call_site()),
            lifetime: syn::Lifetime::new(&free("'g", &taken), Span::call_site()),
            taken,
            generics,
        }
    }

    /// Whether a type depends on a parameter of the struct: if not, a bound on it is trivial.
    pub(super) fn is_generic(&self, ty: &Type) -> bool {
        let names = types::names(ty);
        self.generics.params.iter().any(|parameter| names.contains(&types::parameter(parameter)))
    }

    /// The type parameter, if there is exactly one.
    pub(super) fn parameter(&self) -> Option<&Ident> {
        let mut parameters = self.generics.type_params();
        parameters.next().filter(|_| parameters.next().is_none()).map(|parameter| &parameter.ident)
    }

    /// A name for a parameter that stands for an associated type, `S: Shadowed<R, Owned = Next0>`, in the bounds after it. rustc
    /// does not always find the first bound again when the others mention `<S as Shadowed<R>>::Owned`.
    pub(super) fn stand_in(&self, role: &str, number: usize) -> Ident {
        Ident::new(&free(&format!("{role}{number}"), &self.taken), Span::call_site())
    }

    /// The struct as a type.
    pub(super) fn this(&self) -> TokenStream {
        let name = self.name;
        let (_, arguments, _) = self.generics.split_for_impl();
        quote!(#name #arguments)
    }

    /// The fields whose shadow depends on their type: all but those for which it is always the same.
    pub(super) fn shadowed(&self) -> impl Iterator<Item = &Field<'a>> {
        self.fields.iter().filter(|field| matches!(field.role, Role::Active | Role::Constants))
    }

    /// The fields through which derivatives flow.
    pub(super) fn active(&self) -> impl Iterator<Item = &Field<'a>> {
        self.fields.iter().filter(|field| field.role == Role::Active)
    }
}

impl<'a> Field<'a> {
    /// `at` is the number of its variant, and its own among all fields.
    fn new(
        field: &'a syn::Field,
        member: Member,
        at: (usize, usize),
        item: &syn::DeriveInput,
        generics: &Generics,
    ) -> Field<'a> {
        let Behind { ty, depth, shared } = types::behind_references(&field.ty);
        let (name, (_, arguments, _)) = (&item.ident, generics.split_for_impl());
        let ty = types::without_self(ty, &syn::parse_quote!(#name #arguments));
        let marked = field.attrs.iter().any(|attribute| attribute.path().is_ident("constant"));
        let role = match marked {
            _ if types::is_phantom(&ty) => Role::Phantom,
            _ if types::is_inactive(&ty) => Role::Inert,
            true => Role::Constants,
            false => Role::Active,
        };
        let recursive = types::names(&ty).contains(&item.ident.to_string());
        let (variant, number) = at;
        let (name, other) = (format_ident!("field_{number}"), format_ident!("other_{number}"));
        Field { member, number, variant, name, other, vis: &field.vis, ty, depth, shared, marked, recursive, role }
    }

    /// The only shadow that the field can have, and the type of that; it has another one if it is among the [`Model::shadowed`].
    pub(super) fn only(&self) -> TokenStream {
        match self.role {
            Role::Constant => quote!(::retrograd::private::Constant),
            Role::Active | Role::Constants | Role::Inert | Role::Phantom => quote!(()),
        }
    }

    /// A reference to the value of the field, behind the references that it is itself, where a value is taken apart by reference.
    pub(super) fn reached(&self, reference: &TokenStream) -> TokenStream {
        let name = &self.name;
        let stars = "*".repeat(self.depth + 1).parse::<TokenStream>().expect("stars are tokens");
        if self.depth == 0 { quote!(#name) } else { quote!(#reference #stars #name) }
    }

    /// The scalar of the shadow of this field, in a sweep over `scalar`.
    pub(super) fn scalar(&self, scalar: &TokenStream) -> TokenStream {
        match self.role {
            Role::Active => scalar.clone(),
            Role::Constants | Role::Constant | Role::Inert | Role::Phantom => quote!(::retrograd::private::Constant),
        }
    }

    /// The shadow of the field, in a sweep over `scalar`.
    pub(super) fn owned(&self, scalar: &TokenStream) -> TokenStream {
        let (ty, scalar) = (&self.ty, self.scalar(scalar));
        quote!(<#ty as ::retrograd::private::Shadowed<#scalar>>::Owned)
    }

    /// `<F as Field<S, A>>::item`, where `A` is the shadow in a sweep over `scalar`.
    pub(super) fn shadowed_by(&self, scalar: &TokenStream, shadow: &TokenStream, item: &str) -> TokenStream {
        let scalar = self.scalar(scalar);
        types::qualified(&self.ty, quote!(::retrograd::private::Field<#scalar, #shadow>), item)
    }
}

/// Finds the constant fields that are no container of numbers. A parameter is a number if a derivative flows through another field
/// that is made of it.
fn constants(fields: &mut [Field], generics: &Generics) {
    let active = fields.iter().filter(|field| field.role == Role::Active);
    let active: BTreeSet<String> = active.flat_map(|field| types::names(&field.ty)).collect();
    for field in fields.iter_mut().filter(|field| field.role == Role::Constants) {
        let is_known = |name: String| active.contains(&name) || !types::names(&field.ty).contains(&name);
        let of_numbers = generics.type_params().all(|parameter| is_known(parameter.ident.to_string()));
        let alone = types::is_number(&field.ty) || types::is_parameter(&field.ty, generics);
        let container = types::is_plain_or_tuple(&field.ty, generics) && !alone;
        if !(container && of_numbers) {
            field.role = Role::Constant;
        }
    }
}

/// Whether the struct, with its type parameters replaced, is its own shadow: each field is made of them.
fn is_its_own_shadow(fields: &[Field], generics: &Generics) -> bool {
    let is_made_of_parameters = |field: &Field| match field.role {
        Role::Active => {
            let owned = field.depth == 0;
            owned && types::mentions_a_type(&field.ty, generics) && types::can_be_replaced(&field.ty, generics)
        }
        Role::Phantom => field.depth == 0,
        Role::Constants | Role::Constant | Role::Inert => false,
    };
    generics.type_params().next().is_some() && fields.iter().all(is_made_of_parameters)
}

/// A name like this one that is not taken: generic parameters have no hygiene.
fn free(name: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (1..).map(|n| format!("{name}_{n}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    candidates.find(|name| !taken.contains(name)).expect("there are more names than any struct uses")
}

/// The name of the shadow of a struct, if the user gives no other.
pub(super) fn shadow_name(name: &Ident) -> Ident {
    let text = name.to_string();
    Ident::new(&format!("{}Shadow", text.trim_start_matches("r#")), name.span())
}
