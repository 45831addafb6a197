//! CUDA devices. The driver and its compiler are loaded when they are asked for.

#![allow(unsafe_code, reason = "CUDA does not check what kernels are given")]

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::result::stream::StreamKind;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, CudaFunction, CudaModule};
use cudarc::nvrtc::Ptx;

use super::error::Error;
use super::step::{self, GROUP, Passed, Step};
use super::{device, disk};

pub(super) struct Cuda {
    context: Arc<CudaContext>,
    modules: Mutex<HashMap<String, Arc<CudaModule>>>,
}

/// A compiled kernel.
pub(super) struct Function(CudaFunction);

/// Steps that are queued all at once.
pub(super) struct Graph {
    context: Arc<CudaContext>,
    exec: Mutex<Exec>,
}

struct Exec(sys::CUgraphExec);

// SAFETY: a graph may be used by any thread, one at a time.
unsafe impl Send for Exec {}

impl Drop for Graph {
    fn drop(&mut self) {
        let exec = self.exec.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the graph is one that `graph` has made, and this is the last use of it.
        let _ = self.context.bind_to_thread().and_then(|()| unsafe { result::graph::exec_destroy(exec.0) });
    }
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

    pub(super) fn compile(&self, kernel: &'static str, source: &str, name: &str) -> Result<Function, Error> {
        let module = self.module(kernel, source)?;
        module.load_function(name).map(Function).map_err(refused("find a kernel"))
    }

    pub(super) fn run(&self, function: &Function, threads: usize, passed: &[Passed]) -> Result<(), Error> {
        self.bind()?;
        // SAFETY: as promised below.
        unsafe { queue(function, threads, passed, ptr::null_mut()) }
    }

    /// The steps as a graph.
    pub(super) fn graph(&self, steps: &[Step]) -> Result<Graph, Error> {
        self.bind()?;
        let failed = refused("record a graph");
        let stream = result::stream::create(StreamKind::NonBlocking).map_err(&failed)?;
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream has just been made, and is ended and destroyed whatever happens in between. Memory has as many bytes as are
        // set to zero, and the recording keeps it.
        let graph = unsafe {
            let begun = result::stream::begin_capture(stream, mode).map_err(&failed);
            let recorded = begun.and_then(|()| {
                let recorded = steps.iter().try_for_each(|step| match step {
                    Step::Zero { memory: device::Memory::Cuda(memory), bytes } => {
                        result::memset_d8_async(memory.address, 0, (*bytes).max(1), stream).map_err(&failed)
                    }
                    Step::Run { function: step::Function::Cuda(function), threads, passed } => {
                        queue(function, threads.next_multiple_of(GROUP), passed, stream)
                    }
                    #[cfg(feature = "opencl")]
                    _ => Err(step::unreachable()),
                });
                let graph = result::stream::end_capture(stream).map_err(&failed);
                recorded.and(graph)
            });
            let _ = result::stream::destroy(stream);
            recorded?
        };
        // SAFETY: the graph is one that has just been recorded.
        let exec = unsafe {
            let exec = result::graph::instantiate(graph, sys::CUgraphInstantiate_flags(0)).map_err(&failed);
            let _ = result::graph::destroy(graph);
            exec?
        };
        Ok(Graph { context: Arc::clone(&self.context), exec: Mutex::new(Exec(exec)) })
    }

    /// The compiled text: each is compiled once, and kept on disk.
    fn module(&self, kernel: &'static str, source: &str) -> Result<Arc<CudaModule>, Error> {
        let mut modules = self.modules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(module) = modules.get(source) {
            return Ok(Arc::clone(module));
        }
        let (major, minor) = self.context.compute_capability().map_err(refused("say what it can do"))?;
        let architecture = format!("sm_{major}{minor}");
        let compiled = format!("{} {architecture} {OPTIONS:?}\n{source}", version());
        let kept = disk::read(&compiled).and_then(|image| self.context.load_module(Ptx::from_binary(image)).ok());
        let module = match kept {
            Some(module) => module,
            None => {
                let image = compile(kernel, source, &architecture)?;
                disk::write(&compiled, &image);
                self.context.load_module(Ptx::from_binary(image)).map_err(refused("load a kernel"))?
            }
        };
        modules.insert(source.to_string(), Arc::clone(&module));
        Ok(module)
    }
}

/// How texts are compiled. Most functions of the prelude are not used.
const OPTIONS: &[&str] = &["--fmad=false", "--diag-suppress=177"];

/// Which compiler there is.
fn version() -> String {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both are there to be written.
    let _ = unsafe { cudarc::nvrtc::sys::nvrtcVersion(&raw mut major, &raw mut minor) };
    format!("NVRTC {major}.{minor}")
}

/// The machine code of a text.
fn compile(kernel: &'static str, source: &str, architecture: &str) -> Result<Vec<u8>, Error> {
    use cudarc::nvrtc::result as nvrtc;
    use cudarc::nvrtc::sys;
    let refused = |log: String| Error::NotCompiled { kernel, log };
    let failed = |error: nvrtc::NvrtcError| refused(format!("{error:?}"));
    let text = CString::new(source).map_err(|error| refused(error.to_string()))?;
    let program = nvrtc::create_program(&text, None).map_err(failed)?;
    let options: Vec<String> = [format!("--gpu-architecture={architecture}")]
        .into_iter()
        .chain(OPTIONS.iter().map(|option| (*option).to_string()))
        .collect();
    // SAFETY: the program is one that has been created, and is destroyed once, after its last use; the image has the size that was asked for.
    unsafe {
        let image = match nvrtc::compile_program(program, &options) {
            Err(error) => {
                let log = nvrtc::get_program_log(program).unwrap_or_default();
                let log: Vec<u8> = log.into_iter().map(|c| c as u8).collect();
                Err(refused(format!("{error:?}: {}", String::from_utf8_lossy(&log))))
            }
            Ok(()) => {
                let mut size = 0;
                let found = sys::nvrtcGetCUBINSize(program, &raw mut size).result();
                let mut image = vec![0_u8; size];
                found
                    .and_then(|()| sys::nvrtcGetCUBIN(program, image.as_mut_ptr().cast()).result())
                    .map_err(failed)
                    .map(|()| image)
            }
        };
        let _ = nvrtc::destroy_program(program);
        image
    }
}

/// Queues a kernel.
///
/// # Safety
///
/// The arguments are those that the macro has written, in order and with their sizes, and their memory lives until the kernel has run: giving it back
/// waits for that.
unsafe fn queue(function: &Function, threads: usize, passed: &[Passed], stream: sys::CUstream) -> Result<(), Error> {
    // CUDA reads arguments from where they may be written.
    let mut pointers: Vec<*mut c_void> = Vec::with_capacity(passed.len());
    for argument in passed {
        pointers.push(match argument {
            Passed::Bytes(bytes) => bytes.as_ptr().cast_mut().cast(),
            Passed::Word(word) => ptr::from_ref(word).cast_mut().cast(),
            Passed::Memory(device::Memory::Cuda(memory)) => ptr::from_ref(&memory.address).cast_mut().cast(),
            #[cfg(feature = "opencl")]
            Passed::Memory(device::Memory::OpenCl(_)) => return Err(step::unreachable()),
        });
    }
    let groups = u32::try_from(threads / GROUP).unwrap_or(u32::MAX >> 1);
    let (grid, block) = ((groups, 1, 1), (GROUP as u32, 1, 1));
    // SAFETY: as promised.
    unsafe { result::launch_kernel(function.0.cu_function(), grid, block, 0, stream, &mut pointers) }
        .map_err(refused("start a kernel"))
}

impl Graph {
    pub(super) fn launch(&self) -> Result<(), Error> {
        self.context.bind_to_thread().map_err(refused("use the device"))?;
        let exec = self.exec.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the graph is there, and so is its memory. It comes behind what has been queued before.
        unsafe { result::graph::launch(exec.0, ptr::null_mut()) }.map_err(refused("start a graph"))
    }
}

impl device::Device {
    /// What has been recorded, as a graph.
    pub(super) fn graph(&self, steps: &[Step]) -> Result<Option<Graph>, Error> {
        match &self.0.kind {
            device::Kind::Cuda(device) if !steps.is_empty() => device.graph(steps).map(Some),
            _ => Ok(None),
        }
    }
}
