//! The devices that kernels can run on.

use std::io::{self, Write};

use retrograd::kernel::{Device, Error};

/// Writes a line for each device: how it is asked for, and what its driver calls it; and why there is none of a kind.
pub(crate) fn list(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{:<10}{}", "cpu", Device::cpu().name())?;
    for kind in ["opencl", "cuda"] {
        for number in 0.. {
            let asked = format!("{kind}:{number}");
            match asked.parse::<Device>() {
                Ok(device) => writeln!(out, "{asked:<10}{}", device.name())?,
                Err(Error::NoSuchDevice { found, .. }) if found > 0 => break,
                Err(error) => {
                    writeln!(out, "{kind:<10}{error}")?;
                    break;
                }
            }
        }
    }
    Ok(())
}
