//! Runs the text of a kernel on the first OpenCL device.

#![allow(unsafe_code, reason = "what a kernel is given is not checked by OpenCL")]

use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device, get_all_devices};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

/// One test at a time: PoCL has devices without memory while another thread looks for them first.
static TURN: Mutex<()> = Mutex::new(());

/// An OpenCL device, ready to run kernels.
pub(crate) struct OpenCl {
    context: Context,
    queue: CommandQueue,
    _turn: MutexGuard<'static, ()>,
}

/// An argument of a kernel.
pub(crate) enum Argument<'a> {
    /// A slice of numbers, or of arrays of them.
    Numbers(&'a mut [f64], usize),
    /// A slice of integers.
    Integers(&'a mut [u64]),
    Number(f64),
    Usize(usize),
}

impl OpenCl {
    /// The first device, or `None` behind a word to the reader, where there is none.
    pub(crate) fn first() -> Option<OpenCl> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(id) = get_all_devices(CL_DEVICE_TYPE_ALL).ok().and_then(|ids| ids.first().copied()) else {
            eprintln!("skipped: there is no OpenCL device here (apt-get install pocl-opencl-icd ocl-icd-libopencl1)");
            return None;
        };
        let context = Context::from_device(&Device::new(id)).expect("a context");
        let queue = CommandQueue::create_default_with_properties(&context, 0, 0).expect("a queue");
        Some(OpenCl { context, queue, _turn: turn })
    }

    fn buffer<T: Copy>(&self, values: &[T]) -> Buffer<T> {
        // One element more, which takes what is out of bounds.
        // SAFETY: the buffer has room for all values, and is written before anything reads it.
        unsafe {
            let mut buffer = Buffer::<T>::create(&self.context, CL_MEM_READ_WRITE, values.len() + 1, ptr::null_mut())
                .expect("a buffer");
            if !values.is_empty() {
                self.queue.enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, values, &[]).expect("it can be written");
            }
            buffer
        }
    }

    fn read<T: Copy>(&self, buffer: &Buffer<T>, values: &mut [T]) {
        if !values.is_empty() {
            // SAFETY: the buffer has as many values, and the queue waits until they are read.
            unsafe { self.queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, values, &[]).expect("it can be read") };
        }
    }

    /// Runs `kernel_name` of a text for all indices; returns the word for errors.
    pub(crate) fn run(&self, text: &str, name: &str, n: usize, arguments: &mut [Argument<'_>]) -> u32 {
        let program = Program::create_and_build_from_source(&self.context, text, "")
            .unwrap_or_else(|log| panic!("{log}\n{text}"));
        let kernel = Kernel::create(&program, &format!("kernel_{name}")).expect("the kernel is there");
        let errors = self.buffer(&[0_u32]);
        let (mut floats, mut integers) = (Vec::new(), Vec::new());
        for argument in arguments.iter() {
            match argument {
                Argument::Numbers(values, _) => floats.push(self.buffer(values)),
                Argument::Integers(values) => integers.push(self.buffer(values)),
                Argument::Number(_) | Argument::Usize(_) => {}
            }
        }
        let mut run = ExecuteKernel::new(&kernel);
        let (mut next_floats, mut next_integers) = (floats.iter(), integers.iter());
        // SAFETY: the arguments are those of the kernel, in order, and live until it has run.
        unsafe {
            run.set_arg(&(n as u64));
            for argument in arguments.iter() {
                match argument {
                    Argument::Numbers(values, each) => {
                        run.set_arg(next_floats.next().expect("a buffer for each"));
                        run.set_arg(&((values.len() / each) as u64));
                    }
                    Argument::Integers(values) => {
                        run.set_arg(next_integers.next().expect("a buffer for each"));
                        run.set_arg(&(values.len() as u64));
                    }
                    Argument::Number(value) => {
                        run.set_arg(value);
                    }
                    Argument::Usize(value) => {
                        run.set_arg(&(*value as u64));
                    }
                }
            }
            run.set_arg(&errors);
            run.set_global_work_size(n.max(1)).enqueue_nd_range(&self.queue).expect("it runs");
        }
        self.queue.finish().expect("it ends");
        let (mut floats, mut integers) = (floats.iter(), integers.iter());
        for argument in arguments.iter_mut() {
            match argument {
                Argument::Numbers(values, _) => self.read(floats.next().expect("a buffer for each"), values),
                Argument::Integers(values) => self.read(integers.next().expect("a buffer for each"), values),
                Argument::Number(_) | Argument::Usize(_) => {}
            }
        }
        let mut error = [0_u32];
        self.read(&errors, &mut error);
        error[0]
    }
}
