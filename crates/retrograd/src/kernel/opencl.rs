//! OpenCL devices. The driver is loaded when it is asked for.

#![allow(unsafe_code, reason = "OpenCL does not check what kernels are given")]

use std::collections::HashMap;
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_GPU, Device, get_all_devices};
use opencl3::error_codes::{CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES, ClError};
use opencl3::kernel::{Kernel, set_kernel_arg};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

use super::device;
use super::error::Error;
use super::step::{GROUP, Passed};

/// One thread at a time looks for devices: PoCL has some without memory while another one does so first.
static TURN: Mutex<()> = Mutex::new(());

pub(super) struct OpenCl {
    device: Device,
    context: Context,
    queue: CommandQueue,
    programs: Mutex<HashMap<String, Arc<Program>>>,
}

/// A compiled kernel. One thread at a time sets its arguments.
pub(super) struct Function(Mutex<Kernel>);

/// Memory of such a device.
pub(super) struct Memory {
    buffer: Mutex<Buffer<u8>>,
}

fn refused(action: &'static str) -> impl Fn(ClError) -> Error {
    move |error| Error::Driver { action, reason: error.to_string() }
}

impl OpenCl {
    pub(super) fn new(number: usize) -> Result<OpenCl, Error> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = get_all_devices(CL_DEVICE_TYPE_ALL)
            .map_err(|error| Error::NoDriver { reason: format!("OpenCL: {error}") })?;
        let id = *ids.get(number).ok_or(Error::NoSuchDevice { asked: number, found: ids.len() })?;
        let device = Device::new(id);
        let context = Context::from_device(&device).map_err(refused("make a context"))?;
        // SAFETY: the queue has no properties that need anything else.
        #[allow(deprecated)]
        let queue = unsafe { CommandQueue::create(&context, id, 0) }.map_err(refused("make a queue"))?;
        Ok(OpenCl { device, context, queue, programs: Mutex::default() })
    }

    pub(super) fn name(&self) -> String {
        self.device.name().unwrap_or_default()
    }

    pub(super) fn is_gpu(&self) -> bool {
        self.device.dev_type().is_ok_and(|kind| kind & CL_DEVICE_TYPE_GPU != 0)
    }

    pub(super) fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        let bytes = bytes.max(1);
        let failed = |error: ClError| match error.0 {
            CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_OUT_OF_RESOURCES | opencl3::error_codes::CL_INVALID_BUFFER_SIZE => {
                Error::OutOfMemory { bytes }
            }
            _ => refused("allocate memory")(error),
        };
        // SAFETY: the buffer has no memory of the host, and what is read of it is written before.
        unsafe {
            let buffer =
                Buffer::<u8>::create(&self.context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()).map_err(failed)?;
            Ok(Memory { buffer: Mutex::new(buffer) })
        }
    }

    pub(super) fn zero(&self, memory: &Memory, bytes: usize) -> Result<(), Error> {
        let mut buffer = memory.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the buffer has as many bytes.
        unsafe { self.queue.enqueue_fill_buffer(&mut buffer, &[0], 0, bytes.max(1), &[]) }
            .map_err(refused("write a buffer"))?;
        Ok(())
    }

    pub(super) fn write(&self, memory: &Memory, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut buffer = memory.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: buffers are as long as what is written to them, and the queue waits until that has been read.
        unsafe { self.queue.enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, bytes, &[]) }
            .map_err(refused("write a buffer"))?;
        Ok(())
    }

    pub(super) fn read(&self, memory: &Memory, bytes: &mut [u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        let buffer = memory.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: buffers are at least as long as what is read from them, and the queue waits until it is there.
        unsafe { self.queue.enqueue_read_buffer(&buffer, CL_BLOCKING, 0, bytes, &[]) }
            .map_err(refused("read a buffer"))?;
        Ok(())
    }

    pub(super) fn compile(&self, kernel: &'static str, source: &str, name: &str) -> Result<Function, Error> {
        let program = self.program(kernel, source)?;
        let kernel = Kernel::create(&program, name).map_err(refused("find a kernel"))?;
        Ok(Function(Mutex::new(kernel)))
    }

    pub(super) fn run(&self, function: &Function, threads: usize, passed: &[Passed]) -> Result<(), Error> {
        let kernel = function.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kernel = kernel.get();
        for (index, argument) in (0..).zip(passed) {
            // SAFETY: the arguments are those that the macro has written, in order and with their sizes; a queued kernel keeps its memory.
            unsafe {
                match argument {
                    Passed::Bytes(bytes) => set_kernel_arg(kernel, index, bytes.len(), bytes.as_ptr().cast()),
                    Passed::Word(word) => set_kernel_arg(kernel, index, 8, ptr::from_ref(word).cast()),
                    Passed::Memory(device::Memory::OpenCl(memory)) => {
                        let memory = memory.buffer.lock().unwrap_or_else(PoisonError::into_inner).get();
                        set_kernel_arg(kernel, index, size_of_val(&memory), ptr::from_ref(&memory).cast())
                    }
                    #[cfg(feature = "cuda")]
                    Passed::Memory(device::Memory::Cuda(_)) => return Err(super::step::unreachable()),
                }
            }
            .map_err(|code| refused("pass an argument")(ClError(code)))?;
        }
        // SAFETY: the arguments are set, and the sizes are those of one dimension.
        unsafe {
            let (global, local) = ([threads], [GROUP]);
            self.queue.enqueue_nd_range_kernel(kernel, 1, ptr::null(), global.as_ptr(), local.as_ptr(), &[])
        }
        .map_err(refused("start a kernel"))?;
        // Without this some drivers begin only when somebody waits.
        self.queue.flush().map_err(refused("start a kernel"))
    }

    /// The compiled text: each is compiled once.
    fn program(&self, kernel: &'static str, source: &str) -> Result<Arc<Program>, Error> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = programs.get(source) {
            return Ok(Arc::clone(program));
        }
        let options = "-cl-fp32-correctly-rounded-divide-sqrt";
        let program = Program::create_and_build_from_source(&self.context, source, options)
            .map_err(|log| Error::NotCompiled { kernel, log })?;
        let program = Arc::new(program);
        programs.insert(source.to_string(), Arc::clone(&program));
        Ok(program)
    }
}
