//! `#[derive(Active)]` without rustc: which shadow a struct has, which names are used, and all errors at once.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use retrograd_compiler::{derive_active, derive_recordable};
use syn::Item;

/// The items that are derived for a struct.
fn derived(source: &str) -> Vec<Item> {
    let tokens = derive_active(source.parse().expect("the fixture is Rust"));
    syn::parse2::<syn::File>(tokens).expect("what is derived is Rust").items
}

/// The shadow of a struct: its own name, or the struct that is made beside it, with its fields.
fn shadow(source: &str) -> String {
    let items = derived(source);
    let item = items.iter().find_map(|item| match item {
        Item::Struct(item) => Some(item),
        _ => None,
    });
    let Some(item) = item else { return "itself".into() };
    let text = |tokens: &dyn ToTokens| tokens.to_token_stream().to_string().replace(' ', "");
    let params: Vec<String> = item.generics.params.iter().map(|parameter| text(parameter)).collect();
    let fields: Vec<String> = item.fields.iter().map(|field| text(&field.ty)).collect();
    let private = |text: String| text.replace("::retrograd::private::", "");
    format!("{}<{}> {{ {} }}", item.ident, private(params.join(", ")), private(fields.join(", ")))
}

#[test]
fn a_struct_made_of_its_type_parameters_is_its_own_shadow() {
    for source in [
        "struct Camera<T> { rotation: [T; 3], focal: T }",
        "struct Pair<A, B>(A, Vec<Option<B>>);",
        "struct Scene<T, const N: usize = 2> { cameras: [module::Camera<T>; N], kind: PhantomData<T> }",
        "struct List<T> { head: T, tail: Option<Box<Self>> }",
    ] {
        assert_eq!(shadow(source), "itself", "{source}");
    }
}

#[test]
fn any_other_has_a_shadow_beside_it() {
    for (source, expected) in [
        ("struct Plain { x: f64, n: usize }", "PlainShadow<S> { <f64asShadowed<S>>::Owned, () }"),
        ("struct Unit;", "UnitShadow<> {  }"),
        (
            "struct Layer<T> { w: Vec<T>, n: u8 }",
            "LayerShadow<T, S=<TasActive>::Shadow> { <Vec<T>asShadowed<S>>::Owned, () }",
        ),
        // Parameters that the shadow does not mention are left out.
        (
            "struct Named<'a, K> { x: f64, name: &'a str, #[constant] key: K }",
            "NamedShadow<S> { <f64asShadowed<S>>::Owned, (), Constant }",
        ),
        // What is borrowed is owned.
        ("struct View<'a, T> { data: &'a [T] }", "ViewShadow<T, S=<TasActive>::Shadow> { <[T]asShadowed<S>>::Owned }"),
        // Numbers in a constant container leave their places.
        (
            "struct Table { x: f64, #[constant] of: Vec<f64>, #[constant] by: f64, #[constant] to: Path }",
            "TableShadow<S> { <f64asShadowed<S>>::Owned, <Vec<f64>asShadowed<Constant>>::Owned, Constant, Constant }",
        ),
        // Names that are taken are not used.
        (
            "struct Taken<S> { x: S, n: u8 }",
            "TakenShadow<S, S_1=<SasActive>::Shadow> { <SasShadowed<S_1>>::Owned, () }",
        ),
        (
            "#[active(shadow = Other)] struct Camera<T>(T);",
            "Other<T, S=<TasActive>::Shadow> { <TasShadowed<S>>::Owned }",
        ),
    ] {
        assert_eq!(shadow(source), expected, "{source}");
    }
}

#[test]
fn derived_code_names_only_the_private_module_and_core() {
    fn check(tokens: TokenStream, source: &str) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => check(group.stream(), source),
                TokenTree::Ident(ident) => {
                    assert!(ident != "unsafe", "{source}");
                    // A path from a root: `::name` after something that is not the end of a path.
                    let colon = |at: usize| matches!(&tokens[at], TokenTree::Punct(punct) if punct.as_char() == ':');
                    let rooted = at >= 2 && colon(at - 1) && colon(at - 2);
                    let inside = at >= 3
                        && match &tokens[at - 3] {
                            TokenTree::Ident(before) => {
                                !["for", "as", "dyn", "impl", "in"].iter().any(|word| before == word)
                            }
                            TokenTree::Punct(before) => before.as_char() == '>',
                            TokenTree::Group(_) | TokenTree::Literal(_) => false,
                        };
                    if rooted && !inside {
                        assert!(ident == "retrograd" || ident == "core", "{source}: `::{ident}`");
                        let next = tokens.get(at + 3).map(|token| token.to_string());
                        assert!(
                            ident == "core" || next.as_deref() == Some("private"),
                            "{source}: `::{ident}::{next:?}`"
                        );
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    for source in [
        "struct Camera<T> { rotation: [T; 3], focal: T }",
        "struct Model<T> { a: Vec<T>, b: Other, c: f64, #[constant] d: Vec<T>, n: usize }",
        "struct Several<A, B> { a: A, b: Vec<B>, c: Foo<A, B>, n: u8 }",
    ] {
        check(derive_active(source.parse().expect("the fixture is Rust")), source);
        check(derive_recordable(source.parse().expect("the fixture is Rust")), source);
    }
    for source in [
        "enum Tree<T> { Empty, Leaf(T), Node { left: Box<Self>, right: Box<Self> } }",
        "enum Tree { Leaf(f64), Node { left: Box<Self>, name: String } }",
    ] {
        check(derive_active(source.parse().expect("the fixture is Rust")), source);
        check(derive_recordable(source.parse().expect("the fixture is Rust")), source);
    }
}

/// How many errors there are.
fn errors(source: &str) -> usize {
    let is_error = |item: &&Item| match item {
        Item::Macro(item) => item.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error"),
        _ => false,
    };
    derived(source).iter().filter(is_error).count()
}

#[test]
fn all_errors_are_reported_at_once() {
    let source =
        "#[constant] #[active(name = X)] struct S<T: Real> where T: Copy { #[constant(1)] #[active(shadow = Y)] x: T }";
    assert_eq!(errors("struct S<T> { x: T }"), 0);
    // The field is constant, so that the struct is not its own shadow, and the bounds are welcome.
    assert_eq!(errors(source), 4);
    assert_eq!(errors("struct S<T: Real> where T: Copy, Vec<T>: Clone { x: T }"), 3);
    assert_eq!(
        (errors("enum E { A(f64), B { x: f64 } }"), errors("#[constant] enum E { A(#[active(linear)] f64) }")),
        (0, 2)
    );
    assert_eq!((errors("enum E {}"), errors("#[active(linear)] enum E { A }")), (1, 1));
    assert_eq!(errors("union U { a: f64 }"), 1);
}

/// What the `impl` of `Recordable` requires, or nothing if there is none.
fn required(tokens: TokenStream) -> Option<String> {
    let items = syn::parse2::<syn::File>(tokens).expect("what is derived is Rust").items;
    items.iter().find_map(|item| match item {
        Item::Impl(item) if item.trait_.as_ref()?.0.segments.last()?.ident == "Recordable" => {
            let bounds = item.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
            let bounds: Vec<String> =
                bounds.map(|bound| bound.to_token_stream().to_string().replace(' ', "")).collect();
            Some(bounds.join(", ").replace("::retrograd::private::", ""))
        }
        _ => None,
    })
}

#[test]
fn structs_can_be_kept_if_their_fields_can() {
    for (source, active, recordable) in [
        (
            "struct Camera<T> { r: [T; 3], f: T }",
            Some("[T;3]:Recordable, T:Recordable"),
            "[T;3]:Recordable, T:Recordable",
        ),
        // What is not generic is `Recordable` or an error, unless the struct may as well be without it.
        (
            "struct Owner { x: f64, #[constant] h: Handle }",
            Some("for<'retrograd>f64:Recordable, for<'retrograd>Handle:Recordable"),
            "",
        ),
        // A bound on the struct itself would be circular.
        ("struct List<T> { head: T, tail: Option<Box<Self>> }", Some("T:Recordable"), "T:Recordable"),
        ("struct Marked<T>(PhantomData<T>);", Some(""), ""),
        // What is borrowed cannot be kept.
        ("struct View<'a, T> { data: &'a [T] }", None, "&'a[T]:Recordable"),
    ] {
        let tokens = || -> TokenStream { source.parse().expect("the fixture is Rust") };
        assert_eq!(required(derive_active(tokens())).as_deref(), active, "{source}");
        assert_eq!(required(derive_recordable(tokens())).as_deref(), Some(recordable), "{source}");
    }
}

#[test]
fn bounds_are_welcome_where_the_shadow_is_another_struct() {
    assert_eq!(errors("struct Net<T: Real> where Vec<T>: Clone { w: Vec<T>, n: usize }"), 0);
}
