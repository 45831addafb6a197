//! The devices that there are here, and how a kernel is compared on them with itself on the CPU.

use std::sync::{Mutex, MutexGuard, PoisonError};

use retrograd::kernel::{Device, Error};

/// One test at a time: what a device compiles for one it has for the next.
static TURN: Mutex<()> = Mutex::new(());

/// Some devices, for one test.
pub(crate) struct Devices {
    all: Vec<Device>,
    _turn: MutexGuard<'static, ()>,
}

impl Devices {
    /// The CPU, and the first OpenCL and CUDA devices, with a word to the reader for each that is not there.
    pub(crate) fn here() -> Devices {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = vec![Device::cpu()];
        for (kind, found) in [("OpenCL", Device::opencl(0)), ("CUDA", Device::cuda(0))] {
            match found {
                Ok(device) => all.push(device),
                Err(error @ (Error::NoDriver { .. } | Error::NoSuchDevice { .. })) => {
                    eprintln!("skipped: {kind}: {error}")
                }
                Err(error) => panic!("{kind}: {error}"),
            }
        }
        Devices { all, _turn: turn }
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Device> {
        self.all.iter()
    }
}

/// Some numbers between `low` and `high`, in no order.
pub(crate) fn numbers(n: usize, low: f64, high: f64) -> Vec<f64> {
    (0..n).map(|k| low + (high - low) * ((k as f64 + 1.0) * 0.754_877_666_246_692_8).fract()).collect()
}

/// Numbers of one type, as those of another.
pub(crate) trait Wide {
    fn wide(self) -> f64;
    fn narrow(x: f64) -> Self;
}

impl Wide for f64 {
    fn wide(self) -> f64 {
        self
    }

    fn narrow(x: f64) -> f64 {
        x
    }
}

impl Wide for f32 {
    fn wide(self) -> f64 {
        f64::from(self)
    }

    fn narrow(x: f64) -> f32 {
        x as f32
    }
}

/// Whether numbers agree to that relative distance, measured by the largest of them.
pub(crate) fn close<T: Wide + Copy>(what: &str, found: &[T], expected: &[T], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().map(|x| x.wide().abs()).fold(1.0, f64::max);
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        let (a, b) = (a.wide(), b.wide());
        let distance = (a - b).abs() / size;
        assert!(distance <= tolerance || (a.is_nan() && b.is_nan()), "{what}: {a} instead of {b} at {i}: {distance:e}");
    }
}

/// A shadow of some values, made of other numbers.
pub(crate) fn seeded<V: retrograd::Active + Clone>(values: &V, from: f64) -> V
where
    V::Number: Wide,
{
    let mut shadow = values.clone();
    let numbers: Vec<V::Number> = numbers(values.count(), from, from + 1.0).into_iter().map(Wide::narrow).collect();
    shadow.unflatten(&numbers);
    shadow
}

/// Every run of a kernel is on all devices what it is on the CPU. The parameters come in this order: what is changed, what is read, numbers,
/// slices through which no derivative flows, and the rest. Values agree to the first tolerance, derivatives to the second.
macro_rules! agree {
    ($devices:expr, $kernel:ident($n:expr), values $exact:expr, derivatives $tolerance:expr,
     changed [$($x:ident = $xs:expr),*] read [$($u:ident = $us:expr),*] numbers [$($s:ident = $ss:expr),*]
     data [$($d:ident = $ds:expr),*] rest [$($p:expr),*]) => {
        for device in $devices.iter() {
            agree!(@values device, over launch, $kernel($n), $exact, false, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
            agree!(@values device, uncall_over launch_uncall, $kernel($n), $exact, true, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
            agree!(@adjoints device, pullback_over launch_pullback, $kernel($n), $tolerance, true, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
            agree!(@adjoints device, unpullback_over launch_unpullback, $kernel($n), $tolerance, false, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
            agree!(@tangents device, pushforward_over launch_pushforward, $kernel($n), $tolerance, false, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
            agree!(@tangents device, unpushforward_over launch_unpushforward, $kernel($n), $tolerance, true, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
        }
    };
    (@start $kernel:ident($n:expr), $after:expr, [$($x:ident = $xs:expr),*] [$($u:ident = $us:expr),*] [$($s:ident = $ss:expr),*] [$($d:ident = $ds:expr),*] [$($p:expr),*]) => {
        {
            $(#[allow(unused_mut)] let mut $x = $xs;)*
            $(let $u = $us;)*
            $(let $d = $ds;)*
            if $after {
                $kernel::over($n, $(&mut $x,)* $(&$u,)* $($ss,)* $(&$d,)* $($p),*);
            }
            ($($x,)*)
        }
    };
    (@values $device:ident, $over:ident $launch:ident, $kernel:ident($n:expr), $exact:expr, $after:expr, [$($x:ident = $xs:expr),*] [$($u:ident = $us:expr),*] [$($s:ident = $ss:expr),*] [$($d:ident = $ds:expr),*] [$($p:expr),*]) => {{
        let what = concat!(stringify!($kernel), "::", stringify!($launch));
        let start = agree!(@start $kernel($n), $after, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
        let expected = {
            let ($(mut $x,)*) = start.clone();
            $(let $u = $us;)*
            $(let $d = $ds;)*
            $kernel::$over($n, $(&mut $x,)* $(&$u,)* $($ss,)* $(&$d,)* $($p),*);
            ($($x,)*)
        };
        let found = {
            let ($($x,)*) = start;
            $(let mut $x = $device.upload(&$x).expect("there is room");)*
            $(let $u = $device.upload(&$us).expect("there is room");)*
            $(let $d = $device.upload(&$ds).expect("there is room");)*
            $kernel::$launch($device, $n, $(&mut $x,)* $(&$u,)* $($ss,)* $(&$d,)* $($p),*)
                .unwrap_or_else(|error| panic!("{what} on {device:?}: {error}", device = $device));
            ($($x.download().expect("it can be read"),)*)
        };
        match $exact {
            0.0 => assert_eq!(found, expected, "{what} on {:?}", $device),
            tolerance => devices::close(what, &found.flatten(), &expected.flatten(), tolerance),
        }
    }};
    (@adjoints $device:ident, $over:ident $launch:ident, $kernel:ident($n:expr), $tolerance:expr, $after:expr, [$($x:ident = $xs:expr),*] [$($u:ident = $us:expr),*] [$($s:ident = $ss:expr),*] [$($d:ident = $ds:expr),*] [$($p:expr),*]) => {{
        let what = concat!(stringify!($kernel), "::", stringify!($launch));
        let start = agree!(@start $kernel($n), $after, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
        let expected = {
            let ($($x,)*) = start.clone();
            $(let mut $x = { let shadow = devices::seeded(&$x, -0.5); ($x, shadow) };)*
            $(let mut $u = { let values = $us; let shadow = devices::seeded(&values, 0.1); (values, shadow) };)*
            $(let mut $s = devices::seeded(&$ss, 0.3);)*
            $(let $d = $ds;)*
            $kernel::$over($n, $((&mut $x.0, &mut $x.1),)* $((&$u.0, &mut $u.1),)* $(($ss, &mut $s),)* $(&$d,)* $($p),*);
            ($($x.0, $x.1,)* $($u.1,)* $($s,)*)
        };
        let found = {
            let ($($x,)*) = start;
            $(let mut $x = ($device.upload(&$x).expect("there is room"), $device.upload(&devices::seeded(&$x, -0.5)).expect("there is room"));)*
            $(let mut $u = { let values = $us; ($device.upload(&values).expect("there is room"), $device.upload(&devices::seeded(&values, 0.1)).expect("there is room")) };)*
            $(let mut $s = devices::seeded(&$ss, 0.3);)*
            $(let $d = $device.upload(&$ds).expect("there is room");)*
            $kernel::$launch($device, $n, $((&mut $x.0, &mut $x.1),)* $((&$u.0, &mut $u.1),)* $(($ss, &mut $s),)* $(&$d,)* $($p),*)
                .unwrap_or_else(|error| panic!("{what} on {device:?}: {error}", device = $device));
            ($($x.0.download().expect("it can be read"), $x.1.download().expect("it can be read"),)* $($u.1.download().expect("it can be read"),)* $($s,)*)
        };
        devices::close(what, &found.flatten(), &expected.flatten(), $tolerance);
    }};
    (@tangents $device:ident, $over:ident $launch:ident, $kernel:ident($n:expr), $tolerance:expr, $after:expr, [$($x:ident = $xs:expr),*] [$($u:ident = $us:expr),*] [$($s:ident = $ss:expr),*] [$($d:ident = $ds:expr),*] [$($p:expr),*]) => {{
        let what = concat!(stringify!($kernel), "::", stringify!($launch));
        let start = agree!(@start $kernel($n), $after, [$($x = $xs),*] [$($u = $us),*] [$($s = $ss),*] [$($d = $ds),*] [$($p),*]);
        let expected = {
            let ($($x,)*) = start.clone();
            $(let mut $x = { let shadow = devices::seeded(&$x, -0.5); ($x, shadow) };)*
            $(let $u = { let values = $us; let shadow = devices::seeded(&values, 0.1); (values, shadow) };)*
            $(let $s = devices::seeded(&$ss, 0.3);)*
            $(let $d = $ds;)*
            $kernel::$over($n, $((&mut $x.0, &mut $x.1),)* $((&$u.0, &$u.1),)* $(($ss, $s),)* $(&$d,)* $($p),*);
            ($($x.0, $x.1,)*)
        };
        let found = {
            let ($($x,)*) = start;
            $(let mut $x = ($device.upload(&$x).expect("there is room"), $device.upload(&devices::seeded(&$x, -0.5)).expect("there is room"));)*
            $(let $u = { let values = $us; ($device.upload(&values).expect("there is room"), $device.upload(&devices::seeded(&values, 0.1)).expect("there is room")) };)*
            $(let $s = devices::seeded(&$ss, 0.3);)*
            $(let $d = $device.upload(&$ds).expect("there is room");)*
            $kernel::$launch($device, $n, $((&mut $x.0, &mut $x.1),)* $((&$u.0, &$u.1),)* $(($ss, $s),)* $(&$d,)* $($p),*)
                .unwrap_or_else(|error| panic!("{what} on {device:?}: {error}", device = $device));
            ($($x.0.download().expect("it can be read"), $x.1.download().expect("it can be read"),)*)
        };
        devices::close(what, &found.flatten(), &expected.flatten(), $tolerance);
    }};
}

pub(crate) use agree;
