//! What the attributes go on, and what becomes of it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{ImplItem, Item, ReceiverKind, TraitItem};

use crate::emit::rust;
use crate::ir::{Checks, Records};
use crate::panics::{caught, guarded};
use crate::parse::{Input, Options};
use crate::passes::Passes;
use crate::signature::{Home, Signature, has_no_value};
use crate::{derive, fallback, print};

/// `#[reversible]` on a function, an `impl` or a trait. Errors come out as `compile_error!`s.
pub fn reversible(attribute: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| expand(attribute, item))
}

fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut options = read_options(attribute);
    let mut read = syn::parse2::<Item>(item.clone());
    if let Ok(item) = &mut read
        && let Some(second) = taken_twice(item)
    {
        let message = "the item has this attribute already, and needs it once: drop one, with what both say in the other, such as \
                       `#[reversible(record, checks = \"always\")]`";
        options = Err(syn::Error::new_spanned(second, message));
    }
    if let Ok(item) = &mut read {
        Receivers.visit_item_mut(item);
    }
    match read {
        Ok(Item::Fn(item)) => function(&item, options),
        Ok(Item::Impl(item)) => implementation(item, options),
        Ok(Item::Trait(item)) => declaration(item, options),
        Ok(other) => {
            let message = "`#[reversible]` goes on a function, on an `impl` block or on a trait";
            with_error(&syn::Error::new_spanned(&other, message), item)
        }
        Err(error) => with_error(&error, item),
    }
}

/// `self: &Self` is `&self`, `self: &mut Self` is `&mut self`, and `self: Self` is `self`.
struct Receivers;

impl VisitMut for Receivers {
    fn visit_receiver_mut(&mut self, receiver: &mut syn::Receiver) {
        let ReceiverKind::Typed(_, ty) = &receiver.kind else { return };
        let is_self = |ty: &syn::Type| matches!(ty, syn::Type::Path(path) if path.path.is_ident("Self"));
        receiver.kind = match &**ty {
            syn::Type::Reference(r) if is_self(&r.elem) && receiver.mutability.is_none() => {
                ReceiverKind::Reference(r.and_token, r.lifetime.clone(), r.mutability)
            }
            ty if is_self(ty) => ReceiverKind::Value,
            _ => return,
        };
    }

    fn visit_block_mut(&mut self, _: &mut syn::Block) {}
}

/// A second `#[reversible]` on an item, or on a method of an `impl` or a trait that has one: nothing is left of it.
fn taken_twice(item: &mut Item) -> Option<syn::Attribute> {
    let is_second =
        |attribute: &syn::Attribute| attribute.path().segments.last().is_some_and(|last| last.ident == "reversible");
    let of_members: Vec<&mut Vec<syn::Attribute>> = match item {
        Item::Fn(item) => vec![&mut item.attrs],
        Item::Impl(item) => {
            let methods = item.items.iter_mut().filter_map(|member| match member {
                ImplItem::Fn(method) => Some(&mut method.attrs),
                _ => None,
            });
            methods.chain([&mut item.attrs]).collect()
        }
        Item::Trait(item) => {
            let methods = item.items.iter_mut().filter_map(|member| match member {
                TraitItem::Fn(method) => Some(&mut method.attrs),
                _ => None,
            });
            methods.chain([&mut item.attrs]).collect()
        }
        _ => return None,
    };
    let mut second = None;
    for attrs in of_members {
        second = second.or_else(|| attrs.iter().find(|a| is_second(a)).cloned());
        attrs.retain(|a| !is_second(a));
    }
    second
}

fn function(item: &syn::ItemFn, options: syn::Result<Options>) -> TokenStream {
    let signature = Signature::of_function(&item.sig);
    let derived = |options| {
        let input = Input { signature: &signature, body: &item.block, options };
        caught(&item.sig.ident, || Ok(rust::function(item, &signature, &derive(&input)?)))
    };
    let records = options.as_ref().is_ok_and(|options| options.records != Records::Nothing);
    let tokens = match options.and_then(derived) {
        Ok(tokens) => tokens,
        Err(errors) => fallback::function(item, &signature, records, &errors),
    };
    dump(&item.sig.ident, &tokens);
    tokens
}

fn implementation(mut item: syn::ItemImpl, options: syn::Result<Options>) -> TokenStream {
    let (mut options, mut errors) = known(options);
    let generics = item.generics.clone();
    let this = item.self_ty.clone();
    if item.trait_.is_some() && matches!(*this, syn::Type::Slice(_) | syn::Type::TraitObject(_)) {
        let message = "a reversible trait is for types of a size that is known: its companions are not there for others, so that it has \
                       trait objects; implement it for `Vec<T>`, for `[T; N]`, or for a struct that holds a slice";
        return syn::Error::new_spanned(&this, message).into_compile_error();
    }
    if let Some((name, message)) = of_the_standard_library(&item) {
        return with_error(&syn::Error::new_spanned(name, message), quote!(#item));
    }
    let composes = options.is_some_and(|options| options.composed && options.derivatives);
    let composition = rust::Composition::of(&item).filter(|_| options.is_some_and(|options| options.derivatives));
    if let Some((parameter, message)) = composition.as_ref().and_then(|of| refused(&item, of, options)) {
        // The items are there all the same, and nothing is said about what uses them.
        errors.extend(syn::Error::new_spanned(parameter, message).into_compile_error());
        options = None;
    }
    let home = if item.trait_.is_some() { Home::Trait(&this) } else { Home::Inherent(&this) };
    let procedures = item
        .items
        .iter()
        .any(|member| matches!(member, ImplItem::Fn(method) if !is_host(&method.attrs) && has_no_value(&method.sig)));
    let mut ordinary = TokenStream::new();
    item.items = item
        .items
        .into_iter()
        .map(|member| match member {
            ImplItem::Fn(mut method) if is_host(&method.attrs) => {
                method.attrs.retain(|a| !a.path().is_ident("host"));
                ImplItem::Fn(method)
            }
            ImplItem::Fn(method) => {
                let callees = rust::Callees::of(&method.sig.ident);
                let around = Around { generics: &generics, home, composition: composition.as_ref() };
                let written = self::method(&method, &around, options, &callees, &mut errors);
                ordinary.extend(callees.ordinary(&method.attrs));
                ImplItem::Verbatim(written)
            }
            other => other,
        })
        .collect();
    if composes && item.trait_.is_some() {
        let composed = rust::composed_impl(&item);
        item.items.push(ImplItem::Verbatim(composed));
    }
    let agreement = options.and_then(|options| rust::agreement(&item, procedures, options.records != Records::Nothing));
    match ordinary.is_empty() {
        true => quote!(#errors #item #agreement),
        false => quote!(#errors const _: () = { #ordinary #item }; #agreement),
    }
}

/// Why an `impl` of a trait for a type that is made of others which have it has no derivative runs, if so, and the parameter to blame.
fn refused(item: &syn::ItemImpl, of: &rust::Composition, options: Option<Options>) -> Option<(Ident, String)> {
    let name = &item.trait_.as_ref()?.0.segments.last()?.ident;
    let borrowed = |receiver: &syn::Receiver| !receiver.attrs.iter().any(|a| a.path().is_ident("constant"));
    let mut methods = item.items.iter().filter_map(|member| match member {
        ImplItem::Fn(method) if method.sig.receiver().is_some_and(borrowed) && !is_host(&method.attrs) => {
            Some(&method.sig)
        }
        _ => None,
    });
    let part = of.parts[0].clone();
    let never = "or, if nobody needs a derivative, put `#[reversible(derivatives = \"never\")]` on the trait and on each `impl` of it";
    let instead = match options.is_some_and(|options| options.composed) {
        true => {
            methods.find(|method| of.is_elsewhere(method))?;
            format!("take `self` by reference, and nothing else that is made of `{part}` or `Self`; {never}")
        }
        false => {
            methods.next()?;
            format!("put `#[reversible(composed)]` on the trait and on each `impl` of it; {never}")
        }
    };
    let message = format!(
        "derivative runs of `{name}` would need a derivative of `{part}`, and an `impl` may ask for no more than its trait does; {instead}"
    );
    Some((part, message))
}

/// The name of a trait of the standard library that is implemented, as far as its name and its method tell, and what is said about it.
fn of_the_standard_library(item: &syn::ItemImpl) -> Option<(&syn::Path, String)> {
    let path = &item.trait_.as_ref()?.0;
    let name = &path.segments.last()?.ident;
    let (_, method) = STANDARD_TRAITS.iter().find(|(known, _)| name == known)?;
    let is_method = |member: &ImplItem| matches!(member, ImplItem::Fn(member) if member.sig.ident == method);
    let message = format!(
        "`{name}` belongs to the standard library, and has no companions: its `{method}` has no inverse and no derivative; write a function \
         or a method of another name, with `#[reversible]` on it or on its `impl`, and call that in reversible programs"
    );
    item.items.iter().any(is_method).then_some((path, message))
}

/// Traits of the standard library that types of one's own implement, with one of their methods.
const STANDARD_TRAITS: &[(&str, &str)] = &[
    ("Add", "add"),
    ("Sub", "sub"),
    ("Mul", "mul"),
    ("Div", "div"),
    ("Rem", "rem"),
    ("Neg", "neg"),
    ("Not", "not"),
    ("AddAssign", "add_assign"),
    ("SubAssign", "sub_assign"),
    ("MulAssign", "mul_assign"),
    ("DivAssign", "div_assign"),
    ("Index", "index"),
    ("IndexMut", "index_mut"),
    ("Deref", "deref"),
    ("DerefMut", "deref_mut"),
    ("From", "from"),
    ("Into", "into"),
    ("Default", "default"),
    ("Clone", "clone"),
    ("Iterator", "next"),
    ("IntoIterator", "into_iter"),
    ("FromIterator", "from_iter"),
    ("Sum", "sum"),
    ("Product", "product"),
    ("PartialEq", "eq"),
    ("PartialOrd", "partial_cmp"),
    ("Drop", "drop"),
];

/// Options that cannot be read are said once, and no body is read with them.
fn known(options: syn::Result<Options>) -> (Option<Options>, TokenStream) {
    match options {
        Ok(options) => (Some(options), TokenStream::new()),
        Err(error) => (None, error.into_compile_error()),
    }
}

fn declaration(mut item: syn::ItemTrait, options: syn::Result<Options>) -> TokenStream {
    let (options, mut errors) = known(options);
    let generics = item.generics.clone();
    let procedures = item
        .items
        .iter()
        .any(|member| matches!(member, TraitItem::Fn(method) if !is_host(&method.attrs) && has_no_value(&method.sig)));
    let mut ordinary = TokenStream::new();
    item.items = item
        .items
        .into_iter()
        .map(|member| match member {
            TraitItem::Fn(mut method) if is_host(&method.attrs) => {
                method.attrs.retain(|a| !a.path().is_ident("host"));
                TraitItem::Fn(method)
            }
            TraitItem::Fn(method) => TraitItem::Verbatim(match &method.default {
                None => rust::required(&method, &generics, options.unwrap_or_default()),
                Some(body) => {
                    let method = syn::ImplItemFn {
                        attrs: method.attrs.clone(),
                        vis: syn::Visibility::Inherited,
                        modifiers: Default::default(),
                        sig: method.sig.clone(),
                        block: body.clone(),
                    };
                    let callees = rust::Callees::of(&format_ident!("{}_{}", item.ident, method.sig.ident));
                    let around = Around { generics: &generics, home: Home::Declaration, composition: None };
                    let written = self::method(&method, &around, options, &callees, &mut errors);
                    ordinary.extend(callees.ordinary(&method.attrs));
                    written
                }
            }),
            other => other,
        })
        .collect();
    if options.is_some_and(|options| options.composed && options.derivatives) {
        let composed = rust::composed_trait(&item);
        item.items.push(TraitItem::Verbatim(composed));
    }
    if procedures {
        let records = options.is_some_and(|options| options.records != Records::Nothing);
        item.items.push(TraitItem::Verbatim(rust::declared(records)));
    }
    quote!(#errors #item #ordinary)
}

/// What stands around a method.
struct Around<'a> {
    generics: &'a syn::Generics,
    home: Home<'a>,
    composition: Option<&'a rust::Composition>,
}

fn method(
    method: &syn::ImplItemFn,
    around: &Around<'_>,
    options: Option<Options>,
    callees: &rust::Callees,
    errors: &mut TokenStream,
) -> TokenStream {
    let Around { generics, home, composition } = *around;
    let signature = Signature::read(&method.sig, Some(generics), home);
    let records = options.is_some_and(|options| options.records != Records::Nothing);
    let derived = options.map(|options| {
        let input = Input { signature: &signature, body: &method.block, options };
        caught(&method.sig.ident, || {
            let derived = derive(&input)?;
            if derived.keeps() && !records && matches!(home, Home::Trait(_) | Home::Declaration) {
                let message = "`#[record]` makes this a procedure with a record, which a trait has to say of all its types: put \
                               `#[reversible(record)]` on the trait and on each `impl` of it";
                return Err(syn::Error::new_spanned(&method.sig, message));
            }
            Ok(rust::associated(method, &signature, &derived, callees, composition))
        })
    });
    let tokens = match derived {
        Some(Ok(tokens)) => tokens,
        Some(Err(error)) => {
            errors.extend(error.to_compile_error());
            fallback::associated(method, &signature, records, composition)
        }
        None => fallback::associated(method, &signature, false, composition),
    };
    dump(&method.sig.ident, &tokens);
    tokens
}

/// Methods marked `#[host]` are ordinary ones, such as constructors.
fn is_host(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("host"))
}

/// `#[bijection(inverse = .., d = ..)]` on a function of one argument.
pub fn bijection(attribute: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| try_bijection(attribute, &item).unwrap_or_else(|error| with_error(&error, item)))
}

fn try_bijection(attribute: TokenStream, item: &TokenStream) -> syn::Result<TokenStream> {
    let item: syn::ItemFn = syn::parse2(item.clone())?;
    let (mut inverse, mut derivative) = (None, None);
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("inverse") {
            inverse = Some(meta.value()?.parse::<syn::Expr>()?);
        } else if meta.path.is_ident("d") {
            derivative = Some(meta.value()?.parse::<syn::Expr>()?);
        } else {
            return Err(meta.error("`#[bijection]` knows `inverse = ..` and `d = ..`"));
        }
        Ok(())
    });
    syn::parse::Parser::parse2(parser, attribute)?;
    let Some(inverse) = inverse else {
        let message =
            "a bijection needs its inverse: `#[bijection(inverse = g)]`, a function or an expression in the argument";
        return Err(syn::Error::new_spanned(&item.sig, message));
    };
    let one_argument = item.sig.inputs.len() == 1
        && matches!(&item.sig.inputs[0], syn::FnArg::Typed(typed) if matches!(*typed.pat, syn::Pat::Ident(_)));
    if !one_argument || matches!(item.sig.output, syn::ReturnType::Default) {
        let message = "a bijection maps one argument, passed by value under a plain name, to a value of the same type";
        return Err(syn::Error::new_spanned(&item.sig, message));
    }
    let signature = Signature::of_function(&item.sig);
    if let Some(derivative) = &derivative {
        return Ok(rust::bijection(&item, &signature, &inverse, &rust::Slope::Given(derivative)));
    }
    let input = Input { signature: &signature, body: &item.block, options: Options::default() };
    let derived = derive(&input).map_err(|mut error| {
        let message = "so the derivative of this bijection is not known; give it: `#[bijection(inverse = .., d = ..)]`";
        error.combine(syn::Error::new_spanned(&item.sig, message));
        error
    })?;
    Ok(rust::bijection(&item, &signature, &inverse, &rust::Slope::Derived(&derived)))
}

/// What `#[reversible(..)]` says:
/// `kernel`, `record`, `checks = "always"` or `checks = "never"`, `derivatives = "never"`, `without = "demand, contract"`
pub fn read_options(attribute: TokenStream) -> syn::Result<Options> {
    let mut options = Options::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("checks") {
            let value: syn::LitStr = meta.value()?.parse()?;
            options.checks = match value.value().as_str() {
                "always" => Checks::Always,
                "never" => Checks::Never,
                _ => {
                    return Err(syn::Error::new_spanned(
                        value,
                        "checks are made `\"always\"` or `\"never\"`; by default in builds with debug assertions",
                    ));
                }
            };
        } else if meta.path.is_ident("derivatives") {
            let value: syn::LitStr = meta.value()?.parse()?;
            if value.value() != "never" {
                let message = "derivatives are made by default, and with `\"never\"` they are not: for a program that is only \
                               run backwards, on types that are not `Active`";
                return Err(syn::Error::new_spanned(value, message));
            }
            options.derivatives = false;
        } else if meta.path.is_ident("record") {
            options.records = match meta.input.peek(syn::Token![=]) {
                false => Records::Lossy,
                true => {
                    let value: syn::LitStr = meta.value()?.parse()?;
                    if value.value() != "all" {
                        let message =
                            "`record` keeps what would be lost, and `record = \"all\"` what `+=` and `-=` change too";
                        return Err(syn::Error::new_spanned(value, message));
                    }
                    Records::All
                }
            };
        } else if meta.path.is_ident("kernel") {
            options.kernel = true;
        } else if meta.path.is_ident("composed") {
            options.composed = true;
        } else if meta.path.is_ident("without") {
            options.passes = Passes::without(&meta.value()?.parse()?)?;
        } else {
            return Err(meta.error(
                "`#[reversible]` knows `kernel`, `record`, `record = \"all\"`, `checks = \"always\"`, `checks = \"never\"`, \
                 `derivatives = \"never\"`, `composed`, for a trait, and `without = \"..\"`, with passes of the compiler to leave out",
            ));
        }
        Ok(())
    });
    syn::parse::Parser::parse2(parser, attribute)?;
    Ok(options)
}

/// The item as it was, behind an error. Of a function, the error stands where its companions would: rustc is silent about a type with
/// a constant in it that does not compile.
pub(crate) fn with_error(error: &syn::Error, item: TokenStream) -> TokenStream {
    let mut errors: Vec<TokenStream> = error.clone().into_iter().map(|error| error.to_compile_error()).collect();
    let companions = syn::parse2::<syn::ItemFn>(item.clone()).ok().and_then(|function| {
        let (vis, name, error) = (function.vis, function.sig.ident, errors.pop()?);
        let ty = quote!(::retrograd::private::Checked<(), { #error }>);
        Some(quote!(#[doc(hidden)] #[allow(dead_code, non_camel_case_types)] #vis type #name = #ty;))
    });
    quote!(#(#errors)* #companions #item)
}

/// `RETROGRAD_DUMP=f cargo build` prints what was generated for `f`; `RETROGRAD_DUMP=*` for all.
pub(crate) fn dump(name: &syn::Ident, tokens: &TokenStream) {
    let Ok(wanted) = std::env::var("RETROGRAD_DUMP") else { return };
    if wanted == "*" || wanted.split(',').any(|wanted| name == wanted) {
        eprintln!("// generated for `{name}`\n{}", print::tidy(tokens.clone()));
    }
}
