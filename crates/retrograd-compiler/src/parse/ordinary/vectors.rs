//! Methods of slices and vectors, and moves out of memory.

use proc_macro2::{Ident, Span as Place, TokenStream};
use quote::quote_spanned;
use syn::Expr as Syn;
use syn::spanned::Spanned;

use super::{Fresh, Locals};
use crate::parse::last_two;
use crate::parse::overwrite::bare;

/// Methods of slices that overwrite element by element or sort, and those of vectors that add or take elements one by one.
/// Where a mutable reference is handed on, the receiver is another container, such as `Stack`.
pub(super) fn method(
    call: &syn::ExprMethodCall,
    locals: &dyn Locals,
    at: Place,
    fresh: &mut Fresh,
) -> Option<TokenStream> {
    let slice = &call.receiver;
    let [turn, value, place] = ["turn", "value", "place"].map(|role| fresh.name(role));
    let by_value = |e: &Syn| match bare(e) {
        Syn::Reference(r) => r.mutability.is_none(),
        Syn::Path(path) => !path.path.get_ident().is_some_and(|name| locals.is_reference(name)),
        _ => true,
    };
    let pointee = |e: &Syn| match bare(e) {
        Syn::Reference(r) => (*r.expr).clone(),
        other => other.clone(),
    };
    let mut args = call.args.iter();
    Some(match (call.method.to_string().as_str(), args.next(), args.next()) {
        ("copy_from_slice" | "clone_from_slice", Some(from), None) => {
            let from = pointee(from);
            quote_spanned! {at=>
                assert_eq!(
                    ::retrograd::private::len_of_slice(&#slice), ::retrograd::private::len_of_slice(&#from),
                    "the slices have different lengths"
                );
                for #turn in 0..(#slice).__len_of_slice() { (#slice)[#turn] = (#from)[#turn].clone(); }
            }
        }
        ("fill", Some(with), None) => quote_spanned! {at=>
            { let #value = #with; for #turn in 0..(#slice).__len_of_slice() { (#slice)[#turn] = #value.clone(); } }
        },
        ("sort" | "sort_unstable", None, None) => {
            quote_spanned!(at=> ::retrograd::private::sort_by(&mut #slice, ::core::cmp::Ord::cmp);)
        }
        ("sort_by" | "sort_unstable_by", Some(compare), None) => {
            quote_spanned!(at=> ::retrograd::private::sort_by(&mut #slice, #compare);)
        }
        ("sort_by_key" | "sort_unstable_by_key" | "sort_by_cached_key", Some(key), None) => {
            quote_spanned!(at=> ::retrograd::private::sort_by_key(&mut #slice, #key);)
        }
        ("push", Some(x), None) if by_value(x) => {
            quote_spanned!(at=> ::retrograd::private::append(&mut #slice, #x);)
        }
        ("pop", None, None) => quote_spanned!(at=> ::retrograd::private::shrink(&mut #slice);),
        ("insert", Some(index), Some(x)) if by_value(x) => {
            quote_spanned!(at=> ::retrograd::private::insert_at(&mut #slice, #index, #x);)
        }
        ("remove", Some(index), None) if by_value(index) => {
            quote_spanned!(at=> ::retrograd::private::remove_at(&mut #slice, #index);)
        }
        ("swap_remove", Some(index), None) => {
            let swapped = swapped_out(slice, &place, at, fresh);
            quote_spanned!(at=> { let #place = #index; #swapped })
        }
        ("clear", None, None) => quote_spanned! {at=>
            while (#slice).__len_of_vector() > 0 { ::retrograd::private::shrink(&mut #slice); }
        },
        ("truncate", Some(length), None) => quote_spanned! {at=>
            { let #value = #length; while (#slice).__len_of_vector() > #value { ::retrograd::private::shrink(&mut #slice); } }
        },
        ("resize", Some(length), Some(with)) => quote_spanned! {at=> {
            let #place = #length;
            let #value = #with;
            while (#slice).__len_of_vector() > #place { ::retrograd::private::shrink(&mut #slice); }
            while (#slice).__len_of_vector() < #place { ::retrograd::private::append(&mut #slice, #value.clone()); }
        }},
        ("extend_from_slice", Some(from), None) => {
            let from = pointee(from);
            quote_spanned! {at=>
                for #turn in 0..(#from).__len_of_slice() { ::retrograd::private::append(&mut #slice, (#from)[#turn].clone()); }
            }
        }
        _ => return None,
    })
}

/// What is taken out of memory: the value, and what happens before and after that.
pub(super) struct Taken {
    pub(super) before: TokenStream,
    pub(super) value: TokenStream,
    pub(super) after: TokenStream,
}

/// `mem::replace(&mut x, e)`, `mem::take(&mut x)`, `o.take()`, `v.pop().unwrap()`, `v.remove(i)`, `v.swap_remove(i)`; `Point { x: e, ..p }`,
/// which takes what it does not name
pub(super) fn taken(e: &Syn, locals: &dyn Locals, fresh: &mut Fresh) -> Option<Taken> {
    let (at, name) = (e.span(), fresh.name("place"));
    if let Some(taken) = updated(e, fresh) {
        return Some(taken);
    }
    if let Some((place, new)) = replaced(e, fresh).or_else(|| emptied(e, locals)) {
        // What reads nothing may wait, and then the place says its type.
        if reads_nothing(&new) {
            return Some(Taken {
                before: TokenStream::new(),
                value: quote_spanned!(at=> (#place).__duplicate()),
                after: quote_spanned!(at=> #place = #new;),
            });
        }
        return Some(Taken {
            before: quote_spanned!(at=> let #name = #new;),
            value: quote_spanned!(at=> (#place).__duplicate()),
            after: quote_spanned!(at=> #place = #name;),
        });
    }
    let Syn::MethodCall(call) = bare(e) else { return None };
    let mut args = call.args.iter();
    match (call.method.to_string().as_str(), args.next()) {
        ("unwrap", None) | ("expect", Some(_)) if let Some(vector) = popped(&call.receiver) => Some(Taken {
            before: TokenStream::new(),
            value: quote_spanned!(at=> (#vector)[(#vector).__len_of_vector() - 1].__duplicate()),
            after: quote_spanned!(at=> ::retrograd::private::shrink(&mut #vector);),
        }),
        (method @ ("remove" | "swap_remove"), Some(index)) => {
            let vector = &call.receiver;
            let after = match method {
                "remove" => quote_spanned!(at=> ::retrograd::private::remove_at(&mut #vector, #name);),
                _ => swapped_out(vector, &name, at, fresh),
            };
            Some(Taken {
                before: quote_spanned!(at=> let #name = #index;),
                value: quote_spanned!(at=> (#vector)[#name].__duplicate()),
                after,
            })
        }
        // A method of what is taken, `o.take().unwrap_or(e)`: its arguments come later.
        _ => {
            let Taken { before, value, after } = taken(&call.receiver, locals, fresh)?;
            let mut call = call.clone();
            *call.receiver = syn::parse_quote_spanned!(at=> #name);
            let before = quote_spanned!(at=> #before let #name = #value; #after);
            Some(Taken { before, value: quote_spanned!(at=> #call), after: TokenStream::new() })
        }
    }
}

/// `Point { x: e, ..p }` is a clone of `p` whose `x` is overwritten.
fn updated(e: &Syn, fresh: &mut Fresh) -> Option<Taken> {
    let Syn::Struct(whole) = bare(e) else { return None };
    let (rest, at, value) = (whole.rest.as_ref()?, e.span(), fresh.name("value"));
    let (mut before, mut overwritten) = (TokenStream::new(), TokenStream::new());
    for field in &whole.fields {
        let (member, new, name) = (&field.member, &field.expr, fresh.name("field"));
        before.extend(quote_spanned!(at=> let #name = #new;));
        overwritten.extend(quote_spanned!(at=> #value.#member = #name;));
    }
    let before = quote_spanned!(at=> #before let mut #value = (#rest).__duplicate(); #overwritten);
    Some(Taken { before, value: quote_spanned!(at=> #value), after: TokenStream::new() })
}

/// The last element takes the place of another one.
fn swapped_out(vector: &Syn, place: &Ident, at: Place, fresh: &mut Fresh) -> TokenStream {
    let last = fresh.name("last");
    quote_spanned! {at=> {
        let #last = (#vector).__len_of_vector() - 1;
        (#vector).swap(#place, #last);
        ::retrograd::private::shrink(&mut #vector);
    }}
}

/// `v.pop()`: the vector.
pub(in crate::parse) fn popped(e: &Syn) -> Option<&Syn> {
    let Syn::MethodCall(call) = bare(e) else { return None };
    (call.method == "pop" && call.args.is_empty()).then_some(&*call.receiver)
}

/// `mem::replace(&mut x, e)` and `mem::take(&mut x)`, also of a reference by its name: the place, and what it becomes.
pub(super) fn replaced(e: &Syn, fresh: &mut Fresh) -> Option<(Syn, Syn)> {
    let Syn::Call(call) = bare(e) else { return None };
    let Syn::Path(path) = bare(&call.func) else { return None };
    let (last, before) = last_two(&path.path);
    if before.is_some_and(|before| before != "mem") {
        return None;
    }
    let mut args = call.args.iter();
    let (first, new) = (args.next()?, args.next());
    let place = match bare(first) {
        Syn::Reference(r) => {
            r.mutability?;
            (*r.expr).clone()
        }
        first @ (Syn::Path(_) | Syn::Field(_)) => syn::parse_quote_spanned!(first.span()=> *#first),
        _ => return None,
    };
    let name = last?;
    let new = match (name.to_string().as_str(), new) {
        ("replace", Some(new)) => new.clone(),
        ("take", None) => syn::parse_quote_spanned!(e.span()=> ::core::default::Default::default()),
        _ => return None,
    };
    let mut written = path.path.clone();
    if let Some(last) = written.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    fresh.items.push(syn::parse_quote_spanned! {name.span()=>
        const _: fn() = || ::retrograd::private::moves_out(::core::mem::#name::<u8>, #written);
    });
    Some((place, new))
}

/// `o.take()` of an option: the place, and what it becomes.
fn emptied(e: &Syn, locals: &dyn Locals) -> Option<(Syn, Syn)> {
    let Syn::MethodCall(call) = bare(e) else { return None };
    if call.method != "take" || !call.args.is_empty() {
        return None;
    }
    let at = call.receiver.span();
    let place = match bare(&call.receiver) {
        Syn::Path(path) if path.path.get_ident().is_some_and(|name| locals.is_no_option(name)) => return None,
        Syn::Path(path) if path.path.get_ident().is_some_and(|name| locals.is_reference(name)) => {
            syn::parse_quote_spanned!(at=> *#path)
        }
        place @ (Syn::Path(_) | Syn::Field(_) | Syn::Index(_) | Syn::Unary(_)) => place.clone(),
        _ => return None,
    };
    Some((place, syn::parse_quote_spanned!(e.span()=> ::core::option::Option::None)))
}

/// `None`, `Vec::new()`, `Default::default()`, `[]`: a value without a variable in it.
fn reads_nothing(e: &Syn) -> bool {
    match bare(e) {
        Syn::Lit(_) => true,
        Syn::Path(path) => !path.path.get_ident().is_some_and(|name| name.to_string().starts_with(char::is_lowercase)),
        Syn::Call(call) => matches!(bare(&call.func), Syn::Path(_)) && call.args.iter().all(reads_nothing),
        Syn::Array(all) => all.elems.iter().all(reads_nothing),
        Syn::Tuple(all) => all.elems.iter().all(reads_nothing),
        Syn::Macro(e) => e.mac.path.is_ident("vec") && e.mac.tokens.is_empty(),
        _ => false,
    }
}

/// A value that is made in the same way as another one, of any parts: it says the type, and names no local.
pub(in crate::parse) fn element(e: &Syn) -> Option<TokenStream> {
    let (at, any) = (e.span(), |e: &Syn| element(e).unwrap_or_else(|| quote_spanned!(e.span()=> __private::any())));
    match bare(e) {
        Syn::Struct(made) if made.rest.is_none() => {
            let (path, members) = (&made.path, made.fields.iter().map(|field| &field.member));
            let parts = made.fields.iter().map(|field| any(&field.expr));
            Some(quote_spanned!(at=> #path { #(#members: #parts),* }))
        }
        Syn::Call(call) if matches!(*call.func, Syn::Path(_)) => {
            let (function, parts) = (&call.func, call.args.iter().map(any));
            Some(quote_spanned!(at=> #function(#(#parts),*)))
        }
        Syn::Tuple(all) if !all.elems.is_empty() => {
            let parts = all.elems.iter().map(any);
            Some(quote_spanned!(at=> (#(#parts,)*)))
        }
        Syn::Array(all) if !all.elems.is_empty() => {
            let parts = all.elems.iter().map(any);
            Some(quote_spanned!(at=> [#(#parts),*]))
        }
        _ => None,
    }
}
