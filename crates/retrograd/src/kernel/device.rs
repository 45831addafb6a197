//! Devices, and buffers on them.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex};

use super::element::{Element, bytes_of, values_of};
use super::error::Error;
use super::recording::Recorded;
use crate::Active;

/// What runs kernels: the CPU, or a device with a driver. Copies of it are the same device.
#[derive(Clone)]
pub struct Device(pub(super) Arc<Inner>);

/// A device, and memory of it that launches have used and may use again.
pub(super) struct Inner {
    pub(super) kind: Kind,
    pub(super) recording: Mutex<Option<Recorded>>,
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    pub(super) pool: super::scratch::Pool,
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    pub(super) kernels: super::ready::Kernels,
    /// The word in which kernels say what went wrong.
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    pub(super) errors: Mutex<Option<Memory>>,
}

/// What kind of device it is.
pub(super) enum Kind {
    Cpu,
    #[cfg(feature = "opencl")]
    OpenCl(super::opencl::OpenCl),
    #[cfg(feature = "cuda")]
    Cuda(super::cuda::Cuda),
}

impl Device {
    /// The CPU: kernels run as `f::over` and its kin do, and buffers are vectors.
    pub fn cpu() -> Device {
        Device::of(Kind::Cpu)
    }

    /// An OpenCL device by its number, from 0, in the order of the drivers.
    ///
    /// # Errors
    ///
    /// [`Error::NoDriver`] where OpenCL is not installed, and [`Error::NoSuchDevice`] where there are fewer devices.
    #[cfg(feature = "opencl")]
    pub fn opencl(number: usize) -> Result<Device, Error> {
        super::opencl::OpenCl::new(number).map(|device| Device::of(Kind::OpenCl(device)))
    }

    /// A CUDA device by its number, from 0.
    ///
    /// # Errors
    ///
    /// [`Error::NoDriver`] where CUDA or its run-time compiler is not installed, and [`Error::NoSuchDevice`] where there are fewer devices.
    #[cfg(feature = "cuda")]
    pub fn cuda(number: usize) -> Result<Device, Error> {
        super::cuda::Cuda::new(number).map(|device| Device::of(Kind::Cuda(device)))
    }

    fn of(kind: Kind) -> Device {
        Device(Arc::new(Inner {
            kind,
            recording: Mutex::default(),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            pool: super::scratch::Pool::default(),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            kernels: super::ready::Kernels::default(),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            errors: Mutex::default(),
        }))
    }

    /// What the driver calls it.
    pub fn name(&self) -> String {
        match &self.0.kind {
            Kind::Cpu => "CPU".to_string(),
            #[cfg(feature = "opencl")]
            Kind::OpenCl(device) => device.name(),
            #[cfg(feature = "cuda")]
            Kind::Cuda(device) => device.name(),
        }
    }

    /// Waits until all launches are over.
    ///
    /// # Errors
    ///
    /// What went wrong in a launch that did not wait: [`Error::OutOfBounds`], [`Error::DivisionByZero`] or [`Error::Drift`], once.
    pub fn finish(&self) -> Result<(), Error> {
        match &self.0.kind {
            Kind::Cpu => Ok(()),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            _ => self.wait(),
        }
    }

    /// A buffer with these values.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] where there is no room for them.
    pub fn upload<T: Element>(&self, values: &[T]) -> Result<Buffer<T>, Error> {
        let storage = match &self.0.kind {
            Kind::Cpu => Storage::Host(values.to_vec()),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            _ => {
                let memory = self.allocate((values.len() + 1) * T::SIZE)?;
                self.write(&memory, &bytes_of(values))?;
                Storage::Device(memory)
            }
        };
        Ok(Buffer { device: self.clone(), len: values.len(), storage })
    }

    /// A shadow of a buffer: as many zeros.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfMemory`] where there is no room for them.
    pub fn shadow<T: Element + Active>(&self, buffer: &Buffer<T>) -> Result<Buffer<T::Shadow>, Error>
    where
        T::Shadow: Element,
    {
        let zero = <T::Shadow as Element>::load(&vec![0; <T::Shadow as Element>::SIZE]);
        self.upload(&vec![zero; buffer.len()])
    }

    pub(super) fn is(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || matches!((&self.0.kind, &other.0.kind), (Kind::Cpu, Kind::Cpu))
    }

    /// Whether kernels run as Rust.
    #[doc(hidden)]
    pub fn is_cpu(&self) -> bool {
        matches!(self.0.kind, Kind::Cpu)
    }
}

/// `cpu`, `opencl:0` or `cuda:0`, as a command line names devices.
///
/// ```
/// use retrograd::kernel::{Device, Error};
///
/// assert_eq!("cpu".parse::<Device>().unwrap().name(), "CPU");
/// assert!(matches!("gpu".parse::<Device>(), Err(Error::UnknownDevice { .. })));
/// ```
impl FromStr for Device {
    type Err = Error;

    fn from_str(text: &str) -> Result<Device, Error> {
        if text == "cpu" {
            return Ok(Device::cpu());
        }
        let named = text.split_once(':').and_then(|(kind, number)| Some((kind, number.parse::<usize>().ok()?)));
        match named {
            #[cfg(feature = "opencl")]
            Some(("opencl", number)) => Device::opencl(number),
            #[cfg(feature = "cuda")]
            Some(("cuda", number)) => Device::cuda(number),
            Some((kind, _)) if ["opencl", "cuda"].contains(&kind) => {
                Err(Error::NoDriver { reason: format!("the feature `{kind}` of retrograd is off") })
            }
            _ => Err(Error::UnknownDevice { asked: text.to_string() }),
        }
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({})", self.name())
    }
}

/// Memory of a device, given back when nobody uses it any more.
#[derive(Clone)]
pub(super) enum Memory {
    #[cfg(feature = "opencl")]
    OpenCl(Arc<super::opencl::Memory>),
    #[cfg(feature = "cuda")]
    Cuda(Arc<super::cuda::Memory>),
}

#[cfg(any(feature = "opencl", feature = "cuda"))]
impl Device {
    /// Memory of so many bytes, whatever is in it. Where there is none left, what launches have kept is given back first.
    pub(super) fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        match self.new_memory(bytes) {
            Err(Error::OutOfMemory { .. }) => {
                self.0.pool.clear();
                self.new_memory(bytes)
            }
            memory => memory,
        }
    }

    fn new_memory(&self, bytes: usize) -> Result<Memory, Error> {
        match &self.0.kind {
            Kind::Cpu => Err(super::step::unreachable()),
            #[cfg(feature = "opencl")]
            Kind::OpenCl(device) => device.allocate(bytes).map(|memory| Memory::OpenCl(Arc::new(memory))),
            #[cfg(feature = "cuda")]
            Kind::Cuda(device) => device.allocate(bytes).map(|memory| Memory::Cuda(Arc::new(memory))),
        }
    }

    pub(super) fn zero(&self, memory: &Memory, bytes: usize) -> Result<(), Error> {
        match (&self.0.kind, memory) {
            #[cfg(feature = "opencl")]
            (Kind::OpenCl(device), Memory::OpenCl(memory)) => device.zero(memory, bytes),
            #[cfg(feature = "cuda")]
            (Kind::Cuda(device), Memory::Cuda(memory)) => device.zero(memory, bytes),
            _ => Err(super::step::unreachable()),
        }
    }

    pub(super) fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), Error> {
        match (&self.0.kind, memory) {
            #[cfg(feature = "opencl")]
            (Kind::OpenCl(device), Memory::OpenCl(memory)) => device.write(memory, bytes),
            #[cfg(feature = "cuda")]
            (Kind::Cuda(device), Memory::Cuda(memory)) => device.write(memory, bytes),
            _ => Err(super::step::unreachable()),
        }
    }

    pub(super) fn read(&self, memory: &Memory, bytes: &mut [u8]) -> Result<(), Error> {
        match (&self.0.kind, memory) {
            #[cfg(feature = "opencl")]
            (Kind::OpenCl(device), Memory::OpenCl(memory)) => device.read(memory, bytes),
            #[cfg(feature = "cuda")]
            (Kind::Cuda(device), Memory::Cuda(memory)) => device.read(memory, bytes),
            _ => Err(super::step::unreachable()),
        }
    }
}

/// A slice on a device.
pub struct Buffer<T> {
    pub(super) device: Device,
    len: usize,
    pub(super) storage: Storage<T>,
}

/// Where the elements of a buffer are.
pub(super) enum Storage<T> {
    Host(Vec<T>),
    /// With one element more, which takes what is out of bounds.
    Device(Memory),
}

impl<T: Element> Buffer<T> {
    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its elements. This waits until all launches on the device are over.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] where the driver refuses, and what went wrong in a launch, as [`Device::finish`].
    pub fn download(&self) -> Result<Vec<T>, Error> {
        match &self.storage {
            Storage::Host(values) => Ok(values.clone()),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            Storage::Device(memory) => {
                self.device.finish()?;
                let mut bytes = vec![0; self.len * T::SIZE];
                self.device.read(memory, &mut bytes)?;
                Ok(values_of(&bytes, self.len))
            }
            #[cfg(not(any(feature = "opencl", feature = "cuda")))]
            Storage::Device(memory) => match *memory {},
        }
    }

    /// Sets all elements.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where there are more or fewer values.
    pub fn write(&mut self, values: &[T]) -> Result<(), Error> {
        if values.len() != self.len {
            return Err(Error::Length { argument: "values", expected: self.len, found: values.len() });
        }
        match &mut self.storage {
            Storage::Host(own) => own.copy_from_slice(values),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            Storage::Device(memory) => self.device.write(memory, &bytes_of(values))?,
            #[cfg(not(any(feature = "opencl", feature = "cuda")))]
            Storage::Device(memory) => match *memory {},
        }
        Ok(())
    }

    /// Sets all elements to one value.
    ///
    /// # Errors
    ///
    /// [`Error::Driver`] where the driver refuses.
    pub fn fill(&mut self, value: T) -> Result<(), Error> {
        let values = vec![value; self.len];
        self.write(&values)
    }
}

impl<T: Element> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} elements on {:?})", self.len, self.device)
    }
}
