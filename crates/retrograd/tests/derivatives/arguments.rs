//! The macro `laws!`: one argument after the other.

/// The laws of one procedure or function; see the top of `laws.rs`.
#[allow(unused_macros)]
macro_rules! laws {
    (fn $($name:ident)::+ ($($args:tt)*)) => { laws!(@ (function $($name)::+) [] [] [] [] [] [$($args)*]) };
    (scalar $($name:ident)::+ ($($args:tt)*)) => {{
        laws!(@ (function $($name)::+) [] [] [] [] [] [$($args)*]);
        laws!(@ (gradient $($name)::+) [] [] [] [] [] [$($args)*]);
    }};

    (kernel $($name:ident)::+ ($($args:tt)*)) => {
        laws!(@ (procedure ($($name)::+, over) uncall_over pullback_over unpullback_over pushforward_over unpushforward_over)
            [] [] [] [] [] [$($args)*])
    };

    // Changed and read arguments; the arguments of a call, of adjoint runs and of tangent runs; what is to come.
    (@ $f:tt [$($c:tt)*] $r:tt [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [&mut [$x:ident] = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f [$($c)* ($x, shadow, $e)] $r [$($call)* (&mut $x[..])]
            [$($pull)* ((&mut $x[..], &mut shadow[..]))] [$($push)* ((&mut $x[..], &mut shadow[..]))] [$($($rest)*)?])
    };
    (@ $f:tt [$($c:tt)*] $r:tt [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [&mut $x:ident = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f [$($c)* ($x, shadow, $e)] $r [$($call)* (&mut *$x)]
            [$($pull)* ((&mut *$x, &mut *shadow))] [$($push)* ((&mut *$x, &mut *shadow))] [$($($rest)*)?])
    };
    (@ $f:tt $c:tt [$($r:tt)*] [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [&[$x:ident] = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f $c [$($r)* ($x, shadow, $e)] [$($call)* (&$x[..])]
            [$($pull)* ((&$x[..], &mut shadow[..]))] [$($push)* ((&$x[..], &shadow[..]))] [$($($rest)*)?])
    };
    (@ $f:tt $c:tt [$($r:tt)*] [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [&$x:ident = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f $c [$($r)* ($x, shadow, $e)] [$($call)* (&*$x)]
            [$($pull)* ((&*$x, &mut *shadow))] [$($push)* ((&*$x, &*shadow))] [$($($rest)*)?])
    };
    (@ $f:tt $c:tt [$($r:tt)*] [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [$x:ident = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f $c [$($r)* ($x, shadow, $e)] [$($call)* ($x.clone())]
            [$($pull)* (($x.clone(), &mut *shadow))] [$($push)* (($x.clone(), shadow.clone()))] [$($($rest)*)?])
    };
    (@ $f:tt [$($c:tt)*] $r:tt [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [#&mut [$x:ident] = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f [$($c)* ($x, shadow, laws::Plain($e))] $r [$($call)* (&mut $x.0[..])]
            [$($pull)* (&mut $x.0[..])] [$($push)* (&mut $x.0[..])] [$($($rest)*)?])
    };
    (@ $f:tt [$($c:tt)*] $r:tt [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [#&mut $x:ident = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f [$($c)* ($x, shadow, laws::Plain($e))] $r [$($call)* (&mut $x.0)]
            [$($pull)* (&mut $x.0)] [$($push)* (&mut $x.0)] [$($($rest)*)?])
    };
    (@ $f:tt $c:tt [$($r:tt)*] [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [#&[$x:ident] = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f $c [$($r)* ($x, shadow, laws::Plain($e))] [$($call)* (&$x.0[..])]
            [$($pull)* (&$x.0[..])] [$($push)* (&$x.0[..])] [$($($rest)*)?])
    };
    (@ $f:tt $c:tt [$($r:tt)*] [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [#&$x:ident = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f $c [$($r)* ($x, shadow, laws::Plain($e))] [$($call)* (&$x.0)]
            [$($pull)* (&$x.0)] [$($push)* (&$x.0)] [$($($rest)*)?])
    };
    (@ $f:tt $c:tt [$($r:tt)*] [$($call:tt)*] [$($pull:tt)*] [$($push:tt)*]
        [#$x:ident = $e:expr $(, $($rest:tt)*)?]) => {
        laws!(@ $f $c [$($r)* ($x, shadow, laws::Plain($e))] [$($call)* ($x.0.clone())]
            [$($pull)* ($x.0.clone())] [$($push)* ($x.0.clone())] [$($($rest)*)?])
    };

    (@ (procedure ($($f:ident)::+ $(, $over:ident)?) $uncall:ident $pullback:ident $unpullback:ident $pushforward:ident $unpushforward:ident)
        [$(($c:ident, $cs:ident, $ce:expr))*] [$(($r:ident, $rs:ident, $re:expr))*]
        [$(($($call:tt)*))*] [$(($($pull:tt)*))*] [$(($($push:tt)*))*] []) => {{
        #[allow(unused_variables, clippy::clone_on_copy)]
        {
            laws::procedure(
                stringify!($($f)::+),
                ($($ce,)*),
                ($($re,)*),
                |x, p| {
                    let (($($c,)*), ($($r,)*)) = (x, p);
                    $($f)::+$(::$over)?($($($call)*),*)
                },
                |x, p| {
                    let (($($c,)*), ($($r,)*)) = (x, p);
                    $($f)::+::$uncall($($($call)*),*)
                },
                |x, g, p, q| {
                    let (($($c,)*), ($($r,)*), ($($cs,)*), ($($rs,)*)) = (x, p, g, q);
                    $($f)::+::$pullback($($($pull)*),*)
                },
                |x, g, p, q| {
                    let (($($c,)*), ($($r,)*), ($($cs,)*), ($($rs,)*)) = (x, p, g, q);
                    $($f)::+::$unpullback($($($pull)*),*)
                },
                |x, g, p, q| {
                    let (($($c,)*), ($($r,)*), ($($cs,)*), ($($rs,)*)) = (x, p, g, q);
                    $($f)::+::$pushforward($($($push)*),*)
                },
                |x, g, p, q| {
                    let (($($c,)*), ($($r,)*), ($($cs,)*), ($($rs,)*)) = (x, p, g, q);
                    $($f)::+::$unpushforward($($($push)*),*)
                },
            )
        }
    }};
    (@ (function $($f:ident)::+) [] [$(($r:ident, $rs:ident, $re:expr))*]
        [$(($($call:tt)*))*] [$(($($pull:tt)*))*] [$(($($push:tt)*))*] []) => {{
        #[allow(unused_variables, clippy::clone_on_copy)]
        {
            laws::function(
                stringify!($($f)::+),
                ($($re,)*),
                |p| {
                    let ($($r,)*) = p;
                    $($f)::+($($($call)*),*)
                },
                |p, q, seed| {
                    let (($($r,)*), ($($rs,)*)) = (p, q);
                    $($f)::+::pullback($($($pull)*,)* seed)
                },
                |p, q| {
                    let (($($r,)*), ($($rs,)*)) = (p, q);
                    $($f)::+::pushforward($($($push)*),*)
                },
            )
        }
    }};
    (@ (gradient $($f:ident)::+) [] [$(($r:ident, $rs:ident, $re:expr))*]
        [$(($($call:tt)*))*] [$(($($pull:tt)*))*] [$(($($push:tt)*))*] []) => {{
        #[allow(unused_variables, clippy::clone_on_copy)]
        {
            laws::gradient(
                stringify!($($f)::+),
                ($($re,)*),
                |p| {
                    let ($($r,)*) = p;
                    $($f)::+($($($call)*),*)
                },
                |p| {
                    let ($($r,)*) = p;
                    $($f)::+::gradient($($($call)*),*)
                },
            )
        }
    }};

    ($($name:ident)::+ ($($args:tt)*)) => {
        laws!(@ (procedure ($($name)::+) uncall pullback unpullback pushforward unpushforward) [] [] [] [] [] [$($args)*])
    };
}

#[allow(unused_imports)]
pub(crate) use laws;
