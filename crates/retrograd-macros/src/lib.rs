//! The attributes of retrograd. Use them through the crate `retrograd`, which re-exports them and has examples; generated
//! code needs that crate.

mod bridge;

use proc_macro::TokenStream;

/// Makes a function, or all methods of an `impl` block or trait, reversible.
///
/// # On a function
///
/// From `fn f(..) { .. }` it generates
///
/// - `fn f(..)`, which runs the body;
/// - `f::uncall(..)`, which takes the same arguments and runs the body backwards;
/// - the derivative companions, below;
/// - `f::source(direction)`, which returns the program, or one derived from it, as text.
///
/// The companions belong to a struct `f {}` with the visibility of the function. Generic parameters, `where` clauses,
/// lifetimes and attributes such as `#[inline]` and `#[cfg]` carry over to them.
///
/// A function without a return type is a *procedure*: it maps the values behind its `&mut` arguments one-to-one. With a return
/// type it is a *function*: it changes none of its arguments, has no `uncall`, and is used inside expressions.
///
/// # Derivatives
///
/// | companion | what it does | exists for |
/// |---|---|---|
/// | `f::pullback(..)` | runs the body backwards, carrying adjoints | every program with an active argument |
/// | `f::pushforward(..)` | runs the body, carrying tangents | the same |
/// | `f::unpullback(..)`, `f::unpushforward(..)` | undo the two above | procedures |
/// | `f::gradient(..)` | the value, and one gradient for each active argument, in order | functions whose value is one number |
/// | `f::jacobian(..)` | the value, and an array of rows, one for each output | functions whose value is an array or a tuple of numbers |
/// | `f::hessian(..)` | the value, the gradient and the Hessian row by row, all active arguments flattened | functions over one `T: Real` whose value is one number |
/// | `f::hvp(..)` | the value, its slope, and the Hessian times a direction | the same |
///
/// Whether an argument is *active* depends on its type as written: integers, `bool`, `char`, text, ranges and containers of these
/// are not; everything else is, and must be `Active`, unless it is marked `#[constant]`. In the four runs each active argument `a` is a
/// pair with its *shadow*, which holds its adjoint or tangent:
///
/// | argument | `pullback`, `unpullback` | `pushforward`, `unpushforward` |
/// |---|---|---|
/// | `a: &mut A`, changed | `(&mut a, &mut ga)` | `(&mut a, &mut da)` |
/// | `a: &A`, read | `(&a, &mut ga)` | `(&a, &da)` |
/// | `a: A`, by value | `(a, &mut ga)` | `(a, da)` |
/// | not active | `a` | `a` |
///
/// The pullback of a function takes the adjoint of its value last and returns the value; its pushforward returns the value and
/// its tangent. `hvp` takes each active argument as `(a, &da)`. The adjoints of read-only arguments are added to. A shadow
/// whose length differs from that of its value panics before anything is changed.
///
/// A pullback restores values as `uncall` does; nothing is recorded unless the program asks for it, below. Host statements do not run in derivative runs. A
/// method or function without a rule, called with something active, does not compile; see [`#[primitive]`](macro@primitive).
///
/// # On an `impl` block or a trait
///
/// Every method `m` gets companions: `uncall_m`, `source_m`, `pullback_m(shadow, ..)` and so on, where the shadow of `self` comes
/// first. A method marked `#[host]` remains an ordinary one.
/// In a trait the companions of a method without a body are required too; `#[reversible]` on the `impl` provides them.
///
/// # Programs that lose information
///
/// `#[reversible(record)]` takes ordinary Rust, and keeps what it loses in a record: `y = e`, `*=`, `/=` and `%=` of anything,
/// `while c`, `loop`, `break`, `continue`, early `return`, branches that change their condition, `let y;`, `mut`
/// parameters, blocks with a value that contain statements, `fill`, `copy_from_slice`, `mem::replace`, `mem::take`, `let .. else`. It goes
/// on functions, procedures and `impl` blocks. `#[record]` in a body does the same for one statement, block or loop.
///
/// `#[checkpoint(snapshots = s)]` and `#[checkpoint(bytes = b)]` on a `for` loop of a function keep so many states of it, and run iterations
/// again on the way back.
///
/// A *function* has the derivatives of any other; the record lives inside the run. `f::gradient_in(&mut record, ..)`, `pullback_in`,
/// `jacobian_in`, `hessian_in` and `hvp_in` use one of yours again. A *procedure* is reversible together with its record:
///
/// | companion | what it does |
/// |---|---|
/// | `f(..)`, `f::pushforward(..)` | as ever, and keep nothing |
/// | `f::recorded(.., &mut record)` | runs the body and appends what it loses to the record |
/// | `f::uncall(.., &mut record)` | undoes the last recorded run |
/// | `f::pullback(.., &mut record)` | the same, carrying adjoints |
///
/// It has no `unpullback` and no `unpushforward`, because its Jacobian may be singular. A record of another run raises
/// `ErrorKind::ForeignRecord` before anything is changed. For methods it is `recorded_m`, and so on.
///
/// Only what a derivative demands is kept by a function, and each branch that depends on a float is kept as one bit. `+=`, `-=` and swaps are
/// still reversed, up to rounding; `#[reversible(record = "all")]` and `#[record(all)]` keep what they change too, and restore floats bit
/// for bit. What is kept has to be `Recordable`.
///
/// # Kernels
///
/// `#[reversible(kernel)]` goes on a procedure that is run once for each index, which it takes first: `#[index] i: usize`. Besides its other
/// companions it has `f::over(n, ..)`, `f::uncall_over(n, ..)`, `f::pullback_over(n, ..)`, `f::pushforward_over(n, ..)`,
/// `f::unpullback_over(n, ..)` and `f::unpushforward_over(n, ..)`, which run it for each index in `0..n`.
///
/// The runs of a kernel are independent of each other. Of a slice that it changes, a run touches only its own element, `x[i]`, or row,
/// `x[i * d + k]` with `k` visibly below `d`. What it does not change it may read anywhere; where derivatives flow through it and the
/// index depends on data, the parameter is marked `#[scatter]`. It has no records, no allocations, no iterators, no methods but those
/// of numbers, no recursion and no host statements.
///
/// # Options
///
/// `#[reversible(kernel)]`, `#[reversible(record)]` and `#[reversible(record = "all")]` are described above.
///
/// Run-time checks are made in builds with debug assertions. `#[reversible(checks = "always")]` makes them in every build,
/// `#[reversible(checks = "never")]` in none.
///
/// `#[reversible(derivatives = "never")]` generates no derivative companions: for a program on types that are not `Active`, over trait
/// objects, or with calls that have no derivative.
///
/// `#[reversible(composed)]` on a trait and on each `impl` of it lets a type have the trait that is made of others which have it:
/// `impl<A: Layer, B: Layer> Layer for Seq<A, B>`.
///
/// `#[reversible(without = "demand, contract")]` disables compiler passes, to see what they are worth: `demand`, `contract`,
/// `once`, `sums`, `unroll`, `upwards`, `fuse`, `delay`, `carry` and `rows`. Derivatives change only by rounding.
///
/// # In the body
///
/// | statement | inverse |
/// |---|---|
/// | `y += e;` `y -= e;` | the other |
/// | `y *= e;` `y /= e;` | the other |
/// | `y ^= e;` `y = -y;` `b = !b;` | itself |
/// | `y = y.exp();` and other bijections | `y = y.ln();` and so on |
/// | `swap(&mut a, &mut b);` `a.swap(i, j);` `a.reverse();` | itself |
/// | `a.rotate_left(k);` | `a.rotate_right(k);` |
/// | `g(..);` `x.g(..);` | `g::uncall(..);` `x.uncall_g(..);` |
/// | `stack.push(&mut x);` `slots.allocate(k);` | `stack.pop(&mut x);` `slots.free(k);` |
/// | `let x = e;` `let mut x = e;` | ends the life of `x` |
/// | `release!(x == e);` | `let mut x = e;` |
/// | `if c { A } else { B }` `match v { p => A, .. }` | the same, with its blocks undone |
/// | `if (pre, post) { A } else { B }` | `if (post, pre) { A⁻¹ } else { B⁻¹ }` |
/// | `while (pre, post) { A }` | `while (post, pre) { A⁻¹ }` |
/// | `for i in r { A }` | the same elements in reverse, `A⁻¹` |
///
/// Operands, conditions and indices are pure: they change nothing, and read nothing that their own statement changes. Anything
/// else that overwrites a value is an error that says what to write instead, unless the program or the statement is recorded. All errors are reported at once.
///
/// # Attributes inside
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `#[compute]` | a block | is undone at the end of the block around it |
/// | `#[inverse]` | a statement | runs it backwards |
/// | `#[host]` | a statement | intentionally irreversible: runs in `f` and in `uncall` |
/// | `#[host]` | a parameter | changed only by host statements |
/// | `#[unchecked]` | a statement, `let mut` | no run-time checks in it; the local is not compared with what it was |
/// | `#[constant]` | a `let`, a parameter | no derivative flows through it |
/// | `#[index]` | the first parameter of a kernel | the number of the run |
/// | `#[scatter]` | a parameter of a kernel | is read at indices that depend on data |
/// | `#[record]`, `#[record(all)]` | a statement | keeps what it loses in a record |
/// | `#[unroll(N)]` | a `for` loop over a range | a loop of at most N iterations is unrolled; the meaning does not change |
///
/// # Literals
///
/// With exactly one type parameter `T: Real`, unsuffixed float literals have type `T`, and `n as T` converts an integer.
///
/// # Looking at what is generated
///
/// With `RETROGRAD_DUMP=f` in the environment, or `RETROGRAD_DUMP=*` for all, the generated code is printed to standard error while
/// the crate is compiled.
#[proc_macro_attribute]
pub fn reversible(attribute: TokenStream, item: TokenStream) -> TokenStream {
    bridge::expand([attribute, item], |[attribute, item]| retrograd_compiler::reversible(attribute, item))
}

/// Gives a function of one argument its inverse, so that a reversible program can apply it in place.
///
/// `#[bijection(inverse = e)]` goes on a function that maps one argument, passed by value under a plain name, to a value of the
/// same type. `e` is the path of a function, or an expression in the argument, which then denotes the value to map back.
///
/// From `fn g(x: T) -> T` it generates
///
/// - `fn g(x: T) -> T`, as written;
/// - `g::inverse(x)`, its inverse;
/// - `g::derivative(x)`, its derivative: given by `d = ..`, an expression in the argument, or else derived from the body, which
///   is then read as a reversible function.
///
/// In a reversible program `y = g(y);` is a statement, undone by `y = g::inverse(y);`, and vice versa. Checked builds
/// apply the inverse right away and compare: a function that does not come back raises an error of the kind `RoundTrip`.
#[proc_macro_attribute]
pub fn bijection(attribute: TokenStream, item: TokenStream) -> TokenStream {
    bridge::expand([attribute, item], |[attribute, item]| retrograd_compiler::bijection(attribute, item))
}

/// Gives a function its derivatives, so that reversible programs can call it in active expressions.
///
/// # On a function
///
/// `#[primitive(d_x = .., d_y = ..)]` on `fn f(x: .., y: .., ..) -> ..` gives, for each active argument, the derivative of the
/// value with respect to it, as an expression in the arguments. For an argument that is a slice or an array the derivative is one number for
/// each element: an array, a `Vec` or another iterator that knows its length. Every active argument needs one; integers and
/// arguments marked `#[constant]` have none. From it come `f::pullback`, `f::pushforward` and `f::gradient`.
///
/// # On a procedure
///
/// A procedure is given by all of its companions: `#[primitive(uncall = { .. }, pullback = { .. }, pushforward = { .. }, unpullback =
/// { .. }, unpushforward = { .. })]`. In the blocks an argument `x` is available under its name, and its adjoint or tangent as `grad_x`
/// in the adjoint runs and `d_x` in the tangent runs: a reference to the shadow, which is changed with `add_from` and `sub_from` and
/// taken through a partial derivative with `pull` (adjoints) and `push` (tangents).
///
/// The derivatives are not compared with the function itself: test them with `check_gradient`.
#[proc_macro_attribute]
pub fn primitive(attribute: TokenStream, item: TokenStream) -> TokenStream {
    bridge::expand([attribute, item], |[attribute, item]| retrograd_compiler::primitive(attribute, item))
}

/// Turns a call of a reversible procedure into a value: an object with `run`, `uncall`, `pullback`, `pushforward` and the rest, over a
/// state.
///
/// `procedure!(s => kick_drift(&mut s.x, &mut s.v, dt))` is a `Procedure<State>` for drivers that are generic over programs. Each argument is
/// a part of the state `s`, or does not mention it. When it is passed directly to a driver, the type of the state is known; when it is stored in a
/// variable, it has to be named: `procedure!(s: State => ..)`. Other variables in the call are borrowed; `procedure!(move s => ..)` takes them
/// along, as a closure does.
#[proc_macro]
pub fn procedure(input: TokenStream) -> TokenStream {
    bridge::expand([input], |[input]| retrograd_compiler::procedure(input))
}

/// Lets derivatives flow through a struct or an enum: its shadow, zeros, sums, and its numbers as a vector.
///
/// It goes on structs of any form, and on enums. Type parameters, const generics, lifetimes and `where` clauses carry over. It
/// implements the trait `Active`, and what generated code needs of an argument: `f::pullback` takes a struct and its
/// shadow, whose fields have the names of the struct's. If all fields are `Recordable`, the struct is as well.
///
/// # The shadow
///
/// A struct whose fields all consist of its type parameters is its own shadow. For
/// `struct Camera<T> { rotation: [T; 3], focal: T }`, the gradient of a `Camera<f64>` is a `Camera<f64>`.
///
/// For any other struct, one with an integer or without parameters, a second struct is generated, with a field for each
/// field. For `struct Counter { sum: f64, terms: usize }` it is `CounterShadow<S>`, where `S` is the type of a
/// derivative, `f64` for a gradient; its fields are `sum: S` and `terms: ()`. Type parameters come before `S`, which is
/// then the shadow of the type parameter by default. The shadow is `Clone`, `Debug`, `Default` and `PartialEq` if the
/// shadows of the fields are, and `Copy` if there are only numbers and arrays.
///
/// The shadow of an enum is made in the same two ways. It has the same variants, and a value and its shadow are always of the same one. It
/// has no `Default`.
///
/// # Attributes
///
/// | attribute | on | meaning |
/// |---|---|---|
/// | `#[constant]` | a field | no derivative flows through it, and nothing active may change it: its shadow is `Constant`, or a container of these for numbers in a container |
/// | `#[active(shadow = Name)]` | the type | its shadow is a separate type with this name |
/// | `#[active(linear)]` | the struct | its `+`, `-`, `+=`, `-=` and unary `-` act on each number by itself |
///
/// The second one is needed where a field consists of type parameters but is not its own shadow, such as a
/// `Vec<Layer<T>>` of layers that contain an integer; rustc says so.
///
/// # Rules
///
/// - All numbers in a struct have the same type. Fields with numbers of another type are `#[constant]`.
/// - A struct that is its own shadow has no bounds on its type parameters: they belong on the `impl`s and functions that
///   need them.
/// - Numbers behind a `&` have a shadow, which is owned, but cannot be set: they are not among those of the struct.
#[proc_macro_derive(Active, attributes(active, constant))]
pub fn active(item: TokenStream) -> TokenStream {
    bridge::expand([item], |[item]| retrograd_compiler::derive_active(item))
}

/// Lets the values of a struct or an enum be kept in a record, so that recorded programs can overwrite them.
///
/// It implements the trait `Recordable`, field by field. An enum also keeps which of its variants it is, in as many bits as that
/// takes. Type parameters, const generics, lifetimes and `where` clauses carry over; what depends on the parameters
/// is required to be `Recordable` too.
///
/// `#[derive(Active)]` implements `Recordable` as well: this is for types through which no derivative flows.
#[proc_macro_derive(Recordable)]
pub fn recordable(item: TokenStream) -> TokenStream {
    bridge::expand([item], |[item]| retrograd_compiler::derive_recordable(item))
}
