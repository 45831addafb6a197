//! Modules of reversible programs, from their text.

use std::collections::{HashMap, HashSet};
use std::fmt;

use proc_macro2::TokenStream;
use retrograd_compiler::diagnostics::Diagnostics;
use retrograd_compiler::ir::{Kind, Program, Records, Type, TypeKind};
use retrograd_compiler::parse::{Input, Options};
use retrograd_compiler::passes::Pass;
use retrograd_compiler::signature::{Home, Signature};
use retrograd_compiler::{Derived, analysis, check, checked, derive_checked, parse, read_options};
use syn::visit_mut::VisitMut;

use crate::error::{Error, ErrorKind, Message, Result, unfit};
use crate::machine::{Machine, Way};
use crate::number::IntKind;
use crate::value::Value;

/// How many steps it may take to compute an argument.
const ARGUMENT: u64 = 1_000_000;

/// A module of reversible programs, as they were written.
#[derive(Debug)]
pub struct Module {
    sources: Vec<Source>,
    pub(crate) programs: HashMap<String, Program>,
    pub(crate) structs: HashMap<String, Vec<(String, Type)>>,
    /// The names of methods.
    pub(crate) methods: HashSet<String>,
    /// The parameters of the structs that have lengths among them, types included.
    pub(crate) generics: HashMap<String, Vec<String>>,
    /// What names of types stand for.
    pub(crate) aliases: HashMap<String, Type>,
    pub(crate) constants: HashMap<String, Program>,
    /// By program, the type parameter that no argument has and whose products are exact, and which of the parameters it is.
    exact: HashMap<String, (usize, String)>,
    /// Ordinary functions that are no programs of the language, and why.
    pub(crate) refused: HashMap<String, String>,
}

/// A function or a method, as `derive` takes it.
struct Source {
    /// `f`, or `Type::f`
    name: String,
    signature: syn::Signature,
    body: syn::Block,
    owner: Option<(syn::Type, syn::Generics)>,
    options: Options,
}

/// The programs that the compiler derives from a module.
#[derive(Debug)]
pub struct Compiled {
    /// By name.
    pub programs: HashMap<String, Derived>,
}

impl Module {
    /// Reads a module: functions and `impl`s marked `#[reversible]`, structs and constants.
    pub fn new(text: &str) -> Result<Module> {
        Module::of_items(items(&[text])?)
    }

    /// The same from several files, each of which may use what is in the others.
    pub fn of_files(texts: &[&str]) -> Result<Module> {
        Module::of_items(items(texts)?)
    }

    /// The same, with programs that keep all that they change in a record.
    pub fn recording(texts: &[&str]) -> Result<Module> {
        Module::read_items(items(texts)?, Some(Records::All))
    }

    /// The same from items that are read already.
    pub fn of_items(items: Vec<syn::Item>) -> Result<Module> {
        Module::read_items(items, None)
    }

    /// Programs keep in a record what they say, or what is said here.
    fn read_items(items: Vec<syn::Item>, records: Option<Records>) -> Result<Module> {
        let chosen = |options: Options| Options { records: records.unwrap_or(options.records), ..options };
        let mut module = Module {
            sources: Vec::new(),
            programs: HashMap::new(),
            structs: HashMap::new(),
            methods: HashSet::new(),
            generics: HashMap::new(),
            aliases: HashMap::new(),
            constants: HashMap::new(),
            exact: HashMap::new(),
            refused: HashMap::new(),
        };
        let mut errors: Option<syn::Error> = None;
        let mut failed = |error: syn::Error| match &mut errors {
            Some(errors) => errors.combine(error),
            None => errors = Some(error),
        };
        for item in items {
            match item {
                syn::Item::Fn(item) => {
                    // An ordinary function can be called, if the language has what it does.
                    let options = reversible(&item.attrs).unwrap_or_else(|| Ok(Options::default()));
                    let marked = reversible(&item.attrs).is_some();
                    let options = match options.map(chosen) {
                        Ok(options) => options,
                        Err(error) => {
                            failed(error);
                            continue;
                        }
                    };
                    let name = item.sig.ident.to_string();
                    if let Some(inverse) = inverse_of_bijection(&item.attrs) {
                        let (name, body) = (format!("{name}::inverse"), syn::parse_quote!({ #inverse }));
                        let source = Source { name, signature: item.sig.clone(), body, owner: None, options };
                        module.read(source, false, &mut failed);
                    }
                    let source = Source { name, signature: item.sig, body: *item.block, owner: None, options };
                    module.read(source, marked, &mut failed);
                }
                syn::Item::Impl(item) => {
                    // Ordinary methods can be called, as ordinary functions can.
                    let of_marked = reversible(&item.attrs);
                    let is_marked = of_marked.is_some();
                    if !is_marked && item.trait_.is_some() {
                        continue;
                    }
                    let options = match of_marked.unwrap_or_else(|| Ok(Options::default())).map(chosen) {
                        Ok(options) => options,
                        Err(error) => {
                            failed(error);
                            continue;
                        }
                    };
                    let Some(owner) = type_name(&item.self_ty) else { continue };
                    for member in item.items {
                        let syn::ImplItem::Fn(method) = member else { continue };
                        let marked = is_marked && !method.attrs.iter().any(|a| a.path().is_ident("host"));
                        let source = Source {
                            name: format!("{owner}::{}", method.sig.ident),
                            signature: method.sig,
                            body: method.block,
                            owner: Some(((*item.self_ty).clone(), item.generics.clone())),
                            options,
                        };
                        module.read(source, marked, &mut failed);
                    }
                }
                syn::Item::Struct(item) => {
                    let named = |(i, field): (usize, &syn::Field)| {
                        let name = field.ident.as_ref().map_or_else(|| i.to_string(), |name| name.to_string());
                        (name, retrograd_compiler::signature::types::read(&field.ty))
                    };
                    let fields = item.fields.iter().enumerate().map(named).collect();
                    module.structs.insert(item.ident.to_string(), fields);
                    if item.generics.const_params().next().is_some() {
                        let names = item.generics.params.iter().filter_map(|parameter| match parameter {
                            syn::GenericParam::Type(parameter) => Some(parameter.ident.to_string()),
                            syn::GenericParam::Const(parameter) => Some(parameter.ident.to_string()),
                            syn::GenericParam::Lifetime(_) => None,
                        });
                        module.generics.insert(item.ident.to_string(), names.collect());
                    }
                }
                syn::Item::Type(item) => {
                    let stands_for = retrograd_compiler::signature::types::read(&item.ty);
                    module.aliases.insert(item.ident.to_string(), stands_for);
                }
                syn::Item::Const(item) => {
                    let (name, ty, value) = (&item.ident, &item.ty, &item.expr);
                    let function: syn::ItemFn = syn::parse_quote!(fn #name() -> #ty { #value });
                    if let Ok(program) = parsed(&function.sig, &function.block, None, Options::default()) {
                        module.constants.insert(name.to_string(), program);
                    }
                }
                _ => {}
            }
        }
        match errors {
            Some(errors) => Err(compile_error(&errors)),
            None => Ok(module),
        }
    }

    fn read(&mut self, source: Source, marked: bool, failed: &mut dyn FnMut(syn::Error)) {
        // An ordinary function is only called: it may lose what it likes.
        let mut source = source;
        let mut options = source.options;
        if !marked {
            options.records = Records::All;
            Alternatives.visit_block_mut(&mut source.body);
        }
        let program = match marked {
            true => checked(&Input { signature: &source.signature(), body: &source.body, options }),
            false => parsed(&source.signature, &source.body, source.owner.as_ref(), options),
        };
        match program {
            Ok(program) => {
                if let Some((_, method)) = source.name.rsplit_once("::") {
                    self.methods.insert(method.to_string());
                }
                if let Some(exact) = exact_parameter(&source.signature) {
                    self.exact.insert(source.signature.ident.to_string(), exact);
                }
                self.programs.insert(source.name.clone(), program);
                if marked {
                    self.sources.push(source);
                }
            }
            Err(error) if marked => failed(error),
            Err(error) => {
                self.refused.insert(source.name, error.to_string());
            }
        }
    }

    /// The names of its programs, in the order in which they stand.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|source| source.name.as_str())
    }

    /// The type parameter of a program that no argument has and whose products are exact, and which of the parameters it is.
    pub(crate) fn exact_parameter(&self, program: &Program) -> Option<(usize, &str)> {
        if self.exact.is_empty() {
            return None;
        }
        self.exact.get(&program.name.to_string()).map(|(at, name)| (*at, name.as_str()))
    }

    /// A program as it was written.
    pub fn program(&self, name: &str) -> Option<&Program> {
        self.programs.get(name)
    }

    /// The value of an expression, as an argument of a program: a literal, an array, a constant of the module.
    ///
    /// ```
    /// use retrograd_interpreter::{Module, Value};
    ///
    /// let module = Module::new("#[reversible] fn f(x: &mut [f64], n: usize) { for i in 0..n { x[i] += 1.0; } }")?;
    /// assert_eq!(module.argument("f", 0, "[0.5; 2]")?, Value::floats(&[0.5, 0.5]));
    /// # Ok::<(), retrograd_interpreter::Error>(())
    /// ```
    pub fn argument(&self, name: &str, number: usize, text: &str) -> Result<Value> {
        let program = self.programs.get(name);
        let Some(param) = program.and_then(|program| program.params.get(number)) else {
            return unfit(format!("`{name}` has no argument number {}", number + 1));
        };
        let written = program.and_then(|program| program.var(param.var).ty.as_ref());
        let ty: syn::Type = match written.and_then(|ty| syn::parse_str(ty.pointee().written.text()).ok()) {
            Some(ty) => ty,
            None => syn::parse_quote!(_),
        };
        let e: syn::Expr = syn::parse_str(text).map_err(|error| compile_error(&error))?;
        let function: syn::ItemFn = syn::parse_quote!(fn argument() -> #ty { #e });
        let options = Options { records: Records::All, derivatives: false, ..Options::default() };
        let value = parsed(&function.sig, &function.block, None, options).map_err(|error| compile_error(&error))?;
        let value = Machine::new(self, None, &value, ARGUMENT).call_written(&value, Vec::new(), Way::Forwards)?;
        match (program, written) {
            (Some(program), Some(ty)) if !self.fits(program, ty, &value) => {
                unfit(format!("mismatched types: expected `{}`, found `{value}`, {}", ty.written.text(), value.kind()))
            }
            _ => Ok(value),
        }
    }

    /// Whether a value can be an argument of that type. What is not known about a type is no reason against it.
    fn fits(&self, program: &Program, ty: &Type, value: &Value) -> bool {
        match (&ty.kind, value) {
            (TypeKind::Reference { of, .. }, value) => self.fits(program, of, value),
            (TypeKind::Slice(of), Value::List(all)) => all.iter().all(|value| self.fits(program, of, value)),
            (TypeKind::Array { of, len }, Value::List(all)) => {
                let has_length = len.text().parse().map_or(true, |len: usize| len == all.len());
                has_length && all.iter().all(|value| self.fits(program, of, value))
            }
            (TypeKind::Tuple(types), Value::Tuple(all)) => {
                types.len() == all.len() && types.iter().zip(all).all(|(ty, value)| self.fits(program, ty, value))
            }
            (TypeKind::Slice(_) | TypeKind::Array { .. } | TypeKind::Tuple(_), _) => false,
            (TypeKind::Named { name, .. }, value) => match (name.to_string().as_str(), value) {
                ("bool", value) => matches!(value, Value::Bool(_)),
                ("f64" | "f32", value) => matches!(value, Value::Float(_)),
                (_, value) if program.numbers.contains(name) => matches!(value, Value::Float(_)),
                (text, Value::Int(n)) => IntKind::by_name(text).is_none_or(|kind| {
                    let (least, most) = kind.range();
                    n.kind.is_none_or(|own| own == kind) && (least..=most).contains(&n.value)
                }),
                (text, Value::Struct(own, _)) => !self.structs.contains_key(text) || **own == *text,
                (text, _) => IntKind::by_name(text).is_none() && !self.structs.contains_key(text),
            },
            (TypeKind::Other, _) => true,
        }
    }

    /// The signature of a program.
    pub(crate) fn signature(&self, name: &str) -> Option<Signature<'_>> {
        self.sources.iter().find(|source| source.name == name).map(Source::signature)
    }

    /// Whether a program is a procedure.
    pub fn is_procedure(&self, name: &str) -> bool {
        self.programs.get(name).is_some_and(|program| program.kind == Kind::Procedure)
    }

    /// What the compiler derives from the programs, without some of its passes.
    pub fn compile(&self, without: &[Pass]) -> Result<Compiled> {
        let mut programs = HashMap::new();
        for source in &self.sources {
            let passes = without.iter().fold(source.options.passes, |passes, pass| passes.but(*pass));
            let options = Options { passes, ..source.options };
            let signature = source.signature();
            let input = Input { signature: &signature, body: &source.body, options };
            let Some(program) = self.programs.get(&source.name) else { continue };
            let program = Program { passes, ..program.clone() };
            let derived = derive_checked(&input, program).map_err(|error| compile_error(&error))?;
            programs.insert(source.name.clone(), derived);
        }
        Ok(Compiled { programs })
    }
}

/// `L` of `fn f<L: ExactMul>(..)`, where no argument has that type, and which of the type parameters it is.
fn exact_parameter(signature: &syn::Signature) -> Option<(usize, String)> {
    let is_exact = |bound: &syn::TypeParamBound| {
        matches!(bound, syn::TypeParamBound::Trait(bound)
            if bound.path.segments.last().is_some_and(|segment| segment.ident == "ExactMul"))
    };
    let (at, parameter) = signature.generics.type_params().enumerate().find(|(_, p)| p.bounds.iter().any(is_exact))?;
    let name = parameter.ident.to_string();
    let is_passed = signature.inputs.iter().any(|input| match input {
        syn::FnArg::Typed(typed) => {
            let mut found = false;
            retrograd_compiler::signature::types::read(&typed.ty).walk(&mut |ty| found |= ty.is(&name));
            found
        }
        syn::FnArg::Receiver(_) => false,
    });
    (!is_passed).then_some((at, name))
}

/// The items of some files.
fn items(texts: &[&str]) -> Result<Vec<syn::Item>> {
    let mut items = Vec::new();
    for text in texts {
        items.extend(syn::parse_file(text).map_err(|error| compile_error(&error))?.items);
    }
    Ok(items)
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

impl Source {
    fn signature(&self) -> Signature<'_> {
        signature(&self.signature, self.owner.as_ref())
    }
}

/// `A { x } | B { x } => e` as an arm for each of them: the language has no alternatives that bind names.
struct Alternatives;

impl VisitMut for Alternatives {
    fn visit_expr_match_mut(&mut self, e: &mut syn::ExprMatch) {
        let arms = std::mem::take(&mut e.arms);
        e.arms = arms
            .into_iter()
            .flat_map(|arm| match &arm.pat {
                syn::Pat::Or(or) => or.cases.iter().map(|case| syn::Arm { pat: case.clone(), ..arm.clone() }).collect(),
                _ => vec![arm],
            })
            .collect();
        syn::visit_mut::visit_expr_match_mut(self, e);
    }
}

fn signature<'a>(of: &syn::Signature, owner: Option<&'a (syn::Type, syn::Generics)>) -> Signature<'a> {
    match owner {
        Some((ty, generics)) => Signature::read(of, Some(generics), Home::Inherent(ty)),
        None => Signature::of_function(of),
    }
}

/// What is no program of its own, right behind the checks: an ordinary function, a constant or an argument.
fn parsed(
    of: &syn::Signature,
    body: &syn::Block,
    owner: Option<&(syn::Type, syn::Generics)>,
    options: Options,
) -> syn::Result<Program> {
    let signature = signature(of, owner);
    let diagnostics = Diagnostics::default();
    let mut program = parse::parse(&Input { signature: &signature, body, options }, &diagnostics);
    analysis::activity::infer(&mut program);
    analysis::types::infer(&mut program);
    check::check(&program, &diagnostics);
    diagnostics.finish()?;
    Ok(program)
}

/// What `#[reversible(..)]` says, if it is there.
fn reversible(attributes: &[syn::Attribute]) -> Option<syn::Result<Options>> {
    let is_mark =
        |attribute: &&syn::Attribute| attribute.path().segments.last().is_some_and(|s| s.ident == "reversible");
    let attribute = attributes.iter().find(is_mark)?;
    let arguments = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    Some(read_options(arguments))
}

/// What `#[bijection(inverse = ..)]` says, if it is there.
fn inverse_of_bijection(attributes: &[syn::Attribute]) -> Option<syn::Expr> {
    let is_mark =
        |attribute: &&syn::Attribute| attribute.path().segments.last().is_some_and(|s| s.ident == "bijection");
    let syn::Meta::List(list) = &attributes.iter().find(is_mark)?.meta else { return None };
    let arguments = syn::punctuated::Punctuated::<syn::MetaNameValue, syn::Token![,]>::parse_terminated;
    let arguments = list.parse_args_with(arguments).ok()?;
    arguments.into_iter().find(|argument| argument.path.is_ident("inverse")).map(|argument| argument.value)
}

fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// All messages of the compiler, each with its place.
fn compile_error(errors: &syn::Error) -> Error {
    let messages = errors.clone().into_iter().map(|error| {
        let start = error.span().start();
        Message { line: start.line as u32, column: start.column as u32 + 1, text: error.to_string() }
    });
    Error::new(ErrorKind::Compile(messages.collect()))
}
