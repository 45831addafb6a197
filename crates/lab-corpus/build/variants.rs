//! Programs of the lab once more, with options: `src/variants.rs` includes what is written here.
//!
//! A copy has the reversible functions that are wanted of a program, and those that they call. All else, types above
//! all, is that of the program itself.

use std::fs;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Item, ItemUse, Meta, UseTree, Visibility};

/// A file of programs, and the functions that are wanted of it.
type Program = (&'static str, &'static [&'static str]);

/// Copies of programs with the same options.
struct Variant {
    /// The module that they stand in.
    name: &'static str,
    /// What is different.
    about: &'static str,
    /// What their attributes say in addition.
    options: &'static str,
    /// The programs.
    programs: &'static [Program],
    /// More programs, which are not in debug builds: there is nothing to measure in these.
    measured: &'static [Program],
}

/// The Petersen graph.
const GRAPH: Program = ("graph_embedding", &["embedding_loss"]);
/// The length of a vector.
const NORM: Program = ("matvec", &["norm"]);
/// A matrix times a vector.
const PRODUCT: Program = ("matvec", &["matvec"]);
/// A string through time.
const STRING: Program = ("string", &["swing"]);
/// A determinant, by its triangular factors.
const FACTORS: Program = ("lu", &["determinant"]);
/// Bundle adjustment with functions and loops.
const PARTS: Program = ("bundle_adjustment", &["residual_in_parts"]);
/// Mixtures of arrays.
const ARRAYS: Program = ("gaussian_mixture", &["objective"]);
/// Mixtures of arrays, with care and without, and of slices.
const MIXTURES: Program = ("gaussian_mixture", &["objective", "objective_plain", "objective_of_slices"]);
/// What mixtures use.
const LOG_SUM_EXP: Program = ("log_sum_exp", &["log_of_sum"]);
/// The recurrent net.
const NET: Program = ("lstm", &["objective"]);
/// Coupling layers.
const LAYERS: Program = ("nice", &["log_likelihood"]);

/// All that there are.
const VARIANTS: &[Variant] = &[
    Variant {
        name: "checked",
        about: "With run-time checks in every build: all programs that have a plain twin. They have no derivatives.",
        options: r#"checks = "always", derivatives = "never""#,
        programs: &[
            ("bessel", &["bessel"]),
            ("box_muller", &["box_muller"]),
            ("bundle_adjustment", &["bundle_adjustment"]),
            ("consistency", &["consistency"]),
            ("cross_entropy", &["cross_entropy"]),
            ("fft", &["fft"]),
            ("gaussian_mixture", &["gaussian_mixture"]),
            ("graph_embedding", &["graph_embedding"]),
            ("hand_tracking", &["hand_tracking", "hand_tracking_of_triangles"]),
            ("lax_wendroff", &["lax_wendroff"]),
            ("log_sum_exp", &["log_sum_exp"]),
            ("lstm", &["lstm"]),
            ("lu", &["lu"]),
            ("matvec", &["axpy", "dot", "matvec", "matvec_transposed", "norm"]),
            ("nice", &["nice"]),
            ("qr", &["qr"]),
            ("solar_system", &["solar_system"]),
            ("sparse_dot", &["sparse_dot", "sparse_dot_of_matches"]),
            ("sparse_matvec", &["sparse_matvec", "sparse_matvec_transposed"]),
            ("umm", &["umm"]),
            ("variance", &["variance"]),
        ],
        measured: &[],
    },
    Variant {
        name: "never_checked",
        about: "Without run-time checks in any build: nothing is kept for comparisons.",
        options: r#"checks = "never""#,
        programs: &[NET],
        measured: &[],
    },
    Variant {
        name: "without_demand",
        about: "What nobody demands is computed.",
        options: r#"without = "demand""#,
        programs: &[GRAPH, NORM, STRING],
        measured: &[PARTS, MIXTURES, LOG_SUM_EXP, NET, LAYERS],
    },
    Variant {
        name: "without_contract",
        about: "Arrays of adjoints stay arrays.",
        options: r#"without = "contract""#,
        programs: &[GRAPH],
        measured: &[MIXTURES, LOG_SUM_EXP],
    },
    Variant {
        name: "without_once",
        about: "What ancillas hold is computed again.",
        options: r#"without = "once""#,
        programs: &[GRAPH],
        measured: &[PARTS, MIXTURES, LOG_SUM_EXP, LAYERS],
    },
    Variant {
        name: "without_sums",
        about: "Sums are computed before adjoints.",
        options: r#"without = "sums""#,
        programs: &[NORM],
        measured: &[PARTS, MIXTURES, LOG_SUM_EXP, NET, LAYERS],
    },
    Variant {
        name: "without_unroll",
        about: "Short loops are not written out.",
        options: r#"without = "unroll""#,
        programs: &[ARRAYS, LOG_SUM_EXP],
        measured: &[],
    },
    Variant {
        name: "without_upwards",
        about: "Loops of adjoints count down.",
        options: r#"without = "upwards""#,
        programs: &[STRING],
        measured: &[],
    },
    Variant {
        name: "without_fuse",
        about: "A sum and its adjoint have a loop each.",
        options: r#"without = "fuse""#,
        programs: &[PRODUCT],
        measured: &[],
    },
    Variant {
        name: "without_delay",
        about: "Sums into neighbouring elements stay where they are.",
        options: r#"without = "delay""#,
        programs: &[STRING],
        measured: &[],
    },
    Variant {
        name: "without_carry",
        about: "Elements that all iterations of a loop touch stay where they are.",
        options: r#"without = "carry""#,
        programs: &[FACTORS],
        measured: &[],
    },
    Variant {
        name: "without_rows",
        about: "Loops along neighbouring elements compare each index with a length.",
        options: r#"without = "rows""#,
        programs: &[NORM, STRING],
        measured: &[],
    },
];

/// All copies as text.
pub(crate) fn all() -> String {
    VARIANTS.iter().map(module).collect::<TokenStream>().to_string()
}

fn module(variant: &Variant) -> TokenStream {
    let Variant { about, .. } = variant;
    let name = word(variant.name);
    let programs = variant.programs.iter().map(|copied| program(variant, *copied));
    let measured = variant.measured.iter().map(|copied| program(variant, *copied));
    quote! {
        #[doc = #about]
        #[allow(missing_docs, unused_imports, reason = "what is written about a program is written there")]
        pub mod #name {
            use crate::programs::*;
            #(#programs)*
            #(#[cfg(not(debug_assertions))] #measured)*
        }
    }
}

/// A module with the functions that are wanted of a file.
fn program(variant: &Variant, (file, wanted): Program) -> TokenStream {
    let path = format!("src/programs/{file}.rs");
    println!("cargo::rerun-if-changed={path}");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let items = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path}: {error}")).items;
    let uses = items.iter().filter(|item| matches!(item, Item::Use(item) if is_needed(item)));
    let copied = items.iter().filter_map(|item| Some((name_to_copy(item)?.to_string(), item)));
    let copied: Vec<(String, &Item)> = copied.collect();
    let is_copied = |word: &str| copied.iter().any(|(name, _)| name == word);
    let mut names: Vec<String> = wanted.iter().map(ToString::to_string).collect();
    assert!(names.iter().all(|name| is_copied(name)), "{path} has not all of {wanted:?} as reversible functions");
    let mut copies = Vec::new();
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        for (_, item) in copied.iter().filter(|(other, _)| *other == name) {
            mentioned(item.to_token_stream(), &mut |word| {
                if !names.contains(&word) && is_copied(&word) {
                    names.push(word);
                }
            });
            copies.push(with_options(item, variant.options));
        }
    }
    let file = word(file);
    quote! {
        pub mod #file {
            pub(super) use crate::programs::#file::*;
            #(#uses)*
            #(#copies)*
        }
    }
}

/// The name of an item that a copy has of its own: a reversible function, or something that cannot be seen from outside.
fn name_to_copy(item: &Item) -> Option<&Ident> {
    let (attributes, visibility, name) = match item {
        Item::Fn(item) => (&item.attrs, &item.vis, &item.sig.ident),
        Item::Const(item) => (&item.attrs, &item.vis, &item.ident),
        Item::Type(item) => (&item.attrs, &item.vis, &item.ident),
        _ => return None,
    };
    let reversible = attributes.iter().any(|attribute| attribute.path().is_ident("reversible"));
    (reversible || !matches!(visibility, Visibility::Public(_))).then_some(name)
}

/// Whether a copy has an import too. What is handed on comes with the rest of the program, and what comes from the module that
/// has all programs is for showing them.
fn is_needed(import: &ItemUse) -> bool {
    let of_parent =
        matches!(&import.tree, UseTree::Path(path) if path.ident == "super" && !matches!(*path.tree, UseTree::Path(_)));
    matches!(import.vis, Visibility::Inherited) && !of_parent
}

/// The item without its documentation, and with more options if it is reversible.
fn with_options(item: &Item, options: &str) -> Item {
    let mut item = item.clone();
    let attributes = match &mut item {
        Item::Fn(item) => &mut item.attrs,
        Item::Const(item) => &mut item.attrs,
        Item::Type(item) => &mut item.attrs,
        _ => return item,
    };
    attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    let options: TokenStream = options.parse().expect("options are tokens");
    for attribute in attributes.iter_mut().filter(|attribute| attribute.path().is_ident("reversible")) {
        let said = match &attribute.meta {
            Meta::List(list) => Some(&list.tokens),
            _ => None,
        };
        let more: Attribute = match said {
            Some(said) => syn::parse_quote!(#[reversible(#said, #options)]),
            None => syn::parse_quote!(#[reversible(#options)]),
        };
        *attribute = more;
    }
    item
}

/// Shows every word of some tokens.
fn mentioned(tokens: TokenStream, show: &mut impl FnMut(String)) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => show(word.to_string()),
            TokenTree::Group(group) => mentioned(group.stream(), show),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

fn word(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}
