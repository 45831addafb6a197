//! What is known about the struct: its fields, and what its shadow will be.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Generics, Ident, Member, Type, Visibility};

use super::types::{self, Behind};

/// A struct through which derivatives flow.
pub(super) struct Model<'a> {
    pub(super) name: &'a Ident,
    pub(super) vis: &'a Visibility,
    /// Without the defaults, which have no place on an `impl`.
    pub(super) generics: Generics,
    pub(super) style: Style,
    pub(super) fields: Vec<Field<'a>>,
    pub(super) shape: Shape,
    /// The scalar of a sweep.
    pub(super) scalar: Ident,
    /// The scalar of a sweep over the shadow.
    pub(super) second: Ident,
    /// The type of the numbers in several fields together, one more each time.
    pub(super) together: Vec<Ident>,
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

/// How the fields are written.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Named,
    Tuple,
    Unit,
}

pub(super) struct Field<'a> {
    pub(super) member: Member,
    pub(super) vis: &'a Visibility,
    /// The type, without the references around it, and with `Self` by its name.
    pub(super) ty: Type,
    /// How many references there were.
    pub(super) depth: usize,
    /// Whether it is behind a `&`, and not to be changed.
    pub(super) shared: bool,
    /// Whether the type mentions the struct itself. Bounds on such a field would be circular.
    pub(super) recursive: bool,
    pub(super) role: Role,
}

/// What a field is to a derivative.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// A derivative flows through it.
    Active,
    /// Numbers marked `#[constant]`: the shadow has their shape, and `()` in the place of each.
    Constant,
    /// Integers, text, and what else is marked `#[constant]`: the shadow is `()`.
    Inert,
    /// `PhantomData`, which the same struct keeps as it is.
    Phantom,
}

impl<'a> Model<'a> {
    /// `shadow` is the name that the user gave to the shadow.
    pub(super) fn new(item: &'a syn::DeriveInput, fields: &'a syn::Fields, shadow: Option<Ident>) -> Model<'a> {
        let mut generics = item.generics.clone();
        for parameter in &mut generics.params {
            match parameter {
                syn::GenericParam::Type(parameter) => parameter.default = None,
                syn::GenericParam::Const(parameter) => parameter.default = None,
                syn::GenericParam::Lifetime(_) => {}
            }
        }
        let style = match fields {
            syn::Fields::Named(_) => Style::Named,
            syn::Fields::Unnamed(_) => Style::Tuple,
            syn::Fields::Unit => Style::Unit,
        };
        let members = fields.iter().zip(fields.members());
        let fields: Vec<Field> = members.map(|(field, member)| Field::new(field, member, item, &generics)).collect();
        let shape = match shadow {
            Some(name) => Shape::Own(name),
            None if is_its_own_shadow(&fields, &generics) => Shape::Same,
            None => Shape::Own(shadow_name(&item.ident)),
        };
        // Generic parameters have no hygiene: each name is one that the struct does not use.
        let taken = types::names(&item.to_token_stream());
        let free = |name: &str| {
            let candidates = std::iter::once(name.to_owned()).chain((1..).map(|n| format!("{name}{n}")));
            candidates.into_iter().find(|name| !taken.contains(name)).expect("there are more names than any struct uses")
        };
        let ident = |name: &str| Ident::new(&free(name), Span::call_site());
        let together = (1..fields.len()).map(|n| ident(&format!("Numbers{n}"))).collect();
        Model {
            name: &item.ident,
            vis: &item.vis,
            style,
            fields,
            shape,
            scalar: ident("S"),
            second: ident("R"),
            together,
            lifetime: syn::Lifetime::new(&free("'g"), Span::call_site()),
            generics,
        }
    }

    /// Whether a piece of syntax depends on a parameter of the struct or on a sweep: a bound on it is no trivial one.
    pub(super) fn is_generic(&self, syntax: &impl ToTokens) -> bool {
        let names = types::names(syntax);
        let scalars = [&self.scalar, &self.second].into_iter().chain(&self.together).map(Ident::to_string);
        self.generics.params.iter().map(types::parameter).chain(scalars).any(|name| names.contains(&name))
    }

    /// What bounds are about, so that they hold for `ty`: the one type parameter, if the type is made of that, or the type itself.
    ///
    /// A bound on the parameter is better. rustc does not find a bound on a type that has another name inside, as those of
    /// ndarray do, whose last parameter is a projection.
    pub(super) fn subject(&self, ty: &Type) -> Type {
        let mut parameters = self.generics.type_params();
        let one = parameters.next().filter(|_| parameters.next().is_none());
        match one.filter(|parameter| types::holds_by(ty, &parameter.ident, &self.generics)) {
            Some(syn::TypeParam { ident, .. }) => syn::parse_quote!(#ident),
            None => ty.clone(),
        }
    }

    /// The struct as a type.
    pub(super) fn this(&self) -> TokenStream {
        let name = self.name;
        let (_, arguments, _) = self.generics.split_for_impl();
        quote!(#name #arguments)
    }

    /// The fields with a shadow of their own: all but those whose shadow is always `()`.
    pub(super) fn shadowed(&self) -> impl Iterator<Item = &Field<'a>> {
        self.fields.iter().filter(|field| matches!(field.role, Role::Active | Role::Constant))
    }

    /// The fields through which derivatives flow.
    pub(super) fn active(&self) -> impl Iterator<Item = &Field<'a>> {
        self.fields.iter().filter(|field| field.role == Role::Active)
    }
}

impl<'a> Field<'a> {
    fn new(field: &'a syn::Field, member: Member, item: &syn::DeriveInput, generics: &Generics) -> Field<'a> {
        let Behind { ty, depth, shared } = types::behind_references(&field.ty);
        let (name, (_, arguments, _)) = (&item.ident, generics.split_for_impl());
        let ty = types::without_self(ty, &syn::parse_quote!(#name #arguments));
        let constant = field.attrs.iter().any(|attribute| attribute.path().is_ident("constant"));
        let role = match constant {
            _ if types::is_phantom(&ty) => Role::Phantom,
            _ if types::is_inactive(&ty) => Role::Inert,
            true if types::is_plain(&ty, generics) => Role::Constant,
            true => Role::Inert,
            false => Role::Active,
        };
        let recursive = types::names(&ty).contains(&item.ident.to_string());
        Field { member, vis: &field.vis, ty, depth, shared, recursive, role }
    }

    /// The value of the field in `self`, without references.
    pub(super) fn value(&self) -> TokenStream {
        let member = &self.member;
        let stars = "*".repeat(self.depth).parse::<TokenStream>().expect("stars are tokens");
        quote!(#stars self.#member)
    }

    /// The scalar of the shadow of this field, in a sweep over `scalar`.
    pub(super) fn scalar(&self, scalar: &TokenStream) -> TokenStream {
        match self.role {
            Role::Active => scalar.clone(),
            Role::Constant | Role::Inert | Role::Phantom => quote!(()),
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

/// Whether the struct, with its type parameters replaced, is its own shadow: each field is made of them.
fn is_its_own_shadow(fields: &[Field], generics: &Generics) -> bool {
    let is_made_of_parameters = |field: &Field| match field.role {
        Role::Active => {
            let owned = field.depth == 0;
            owned && types::mentions_a_type(&field.ty, generics) && types::can_be_replaced(&field.ty, generics)
        }
        Role::Phantom => field.depth == 0,
        Role::Constant | Role::Inert => false,
    };
    generics.type_params().next().is_some() && fields.iter().all(is_made_of_parameters)
}

/// The name of the shadow of a struct, if the user gives no other.
pub(super) fn shadow_name(name: &Ident) -> Ident {
    let text = name.to_string();
    Ident::new(&format!("{}Shadow", text.trim_start_matches("r#")), name.span())
}
