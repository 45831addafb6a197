//! CUDA devices. The driver and its compiler are loaded when they are asked for.

#![allow(unsafe_code, reason = "CUDA does not check what kernels are given")]

use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};

use super::device;
use super::error::Error;
use super::scratch::{GROUP, Passed};

pub(super) struct Cuda {
    context: Arc<CudaContext>,
    modules: Mutex<HashMap<String, Arc<CudaModule>>>,
}

/// Memory of such a device.
pub(super) struct Memory {
    context: Arc<CudaContext>,
    address: sys::CUdeviceptr,
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the address is one that `allocate` got, and this is the last use of it. What cannot be given back goes with the context.
        let _ = self.context.bind_to_thread().and_then(|()| unsafe { result::free_sync(self.address) });
    }
}

fn refused(action: &'static str) -> impl Fn(DriverError) -> Error {
    move |error| Error::Driver { action, reason: format!("{error:?}") }
}

impl Cuda {
    pub(super) fn new(number: usize) -> Result<Cuda, Error> {
        // SAFETY: loading a library that is known to be CUDA's own.
        if !unsafe { sys::is_culib_present() } {
            return Err(Error::NoDriver { reason: "CUDA: there is no libcuda".to_string() });
        }
        // SAFETY: as above.
        if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
            return Err(Error::NoDriver { reason: "CUDA: there is no libnvrtc".to_string() });
        }
        let silent = |error: DriverError| Error::NoDriver { reason: format!("CUDA: {error:?}") };
        let found = CudaContext::device_count().map_err(silent)?;
        let found = usize::try_from(found).unwrap_or(0);
        if number >= found {
            return Err(Error::NoSuchDevice { asked: number, found });
        }
        let context = CudaContext::new(number).map_err(silent)?;
        Ok(Cuda { context, modules: Mutex::default() })
    }

    pub(super) fn name(&self) -> String {
        self.context.name().unwrap_or_default()
    }

    fn bind(&self) -> Result<(), Error> {
        self.context.bind_to_thread().map_err(refused("use the device"))
    }

    pub(super) fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        self.bind()?;
        let bytes = bytes.max(1);
        let failed = |error: DriverError| match error.0 {
            CUresult::CUDA_ERROR_OUT_OF_MEMORY => Error::OutOfMemory { bytes },
            _ => refused("allocate memory")(error),
        };
        // SAFETY: what is read of the memory is written before.
        let address = unsafe { result::malloc_sync(bytes) }.map_err(failed)?;
        Ok(Memory { context: Arc::clone(&self.context), address })
    }

    pub(super) fn zero(&self, memory: &Memory, bytes: usize) -> Result<(), Error> {
        self.bind()?;
        // SAFETY: the memory has as many bytes. Kernels come after it, in the same queue.
        unsafe { result::memset_d8_async(memory.address, 0, bytes.max(1), ptr::null_mut()) }
            .map_err(refused("write a buffer"))
    }

    pub(super) fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), Error> {
        self.bind()?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: buffers are as long as what is written to them.
        unsafe { result::memcpy_htod_sync(memory.address, bytes) }.map_err(refused("write a buffer"))
    }

    pub(super) fn read(&self, memory: &Memory, bytes: &mut [u8]) -> Result<(), Error> {
        self.bind()?;
        if bytes.is_empty() {
            return Ok(());
        }
        // SAFETY: buffers are at least as long as what is read from them.
        unsafe { result::memcpy_dtoh_sync(bytes, memory.address) }.map_err(refused("read a buffer"))
    }

    pub(super) fn run(
        &self,
        kernel: &'static str,
        source: &str,
        name: &str,
        threads: usize,
        passed: &[Passed<'_>],
    ) -> Result<(), Error> {
        self.bind()?;
        let function = self.function(kernel, source, name)?;
        let mut addresses = Vec::new();
        for argument in passed {
            if let Passed::Memory(memory) = argument {
                match memory {
                    device::Memory::Cuda(memory) => addresses.push(memory.address),
                    #[cfg(feature = "opencl")]
                    device::Memory::OpenCl(_) => return Err(super::scratch::unreachable()),
                }
            }
        }
        let mut next = addresses.iter();
        // CUDA reads arguments from where they may be written.
        let mut pointers: Vec<*mut c_void> = passed
            .iter()
            .map(|argument| match argument {
                Passed::Bytes(bytes) => bytes.as_ptr().cast_mut().cast(),
                Passed::Memory(_) => {
                    next.next().map_or(ptr::null_mut(), |address| ptr::from_ref(address).cast_mut().cast())
                }
            })
            .collect();
        let groups = u32::try_from(threads / GROUP).unwrap_or(u32::MAX >> 1);
        // SAFETY: the arguments are those that the macro has written, in order and with their sizes, and live until the kernel has run.
        unsafe {
            result::launch_kernel(
                function.cu_function(),
                (groups, 1, 1),
                (GROUP as u32, 1, 1),
                0,
                ptr::null_mut(),
                &mut pointers,
            )
        }
        .map_err(refused("start a kernel"))
    }

    /// The compiled text: each is compiled once.
    fn function(&self, kernel: &'static str, source: &str, name: &str) -> Result<CudaFunction, Error> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        let module = match modules.get(source) {
            Some(module) => Arc::clone(module),
            None => {
                let (major, minor) = self.context.compute_capability().map_err(refused("say what it can do"))?;
                let options = CompileOptions {
                    fmad: Some(false),
                    // Most functions of the prelude are not used.
                    options: vec![
                        format!("--gpu-architecture=compute_{major}{minor}"),
                        "--diag-suppress=177".to_string(),
                    ],
                    ..CompileOptions::default()
                };
                let ptx = compile_ptx_with_opts(source, options).map_err(|error| Error::NotCompiled {
                    kernel,
                    log: match error {
                        CompileError::CompileError { log, .. } => log.to_string_lossy().into_owned(),
                        other => format!("{other:?}"),
                    },
                })?;
                let module = self.context.load_module(ptx).map_err(refused("load a kernel"))?;
                modules.insert(source.to_string(), Arc::clone(&module));
                module
            }
        };
        module.load_function(name).map_err(refused("find a kernel"))
    }
}
