//! The machine that a report was made on.

use std::fs;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// What figures depend on: the machine, the build, and the day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor, as it calls itself.
    pub processor: String,
    /// How many cores can be used.
    pub cores: usize,
    /// The system and its kind of processor.
    pub system: String,
    /// The compiler.
    pub compiler: String,
    /// Whether it was built for speed, or with checks.
    pub build: String,
    /// When it began, in coordinated universal time.
    pub date: String,
}

impl Machine {
    /// This machine, now.
    pub fn here() -> Machine {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        Machine {
            processor: processor().unwrap_or_else(|| "unknown".to_string()),
            cores: thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            compiler: env!("COMPILER").to_string(),
            build: if cfg!(debug_assertions) { "with checks" } else { "release" }.to_string(),
            date: date(seconds),
        }
    }
}

/// The name of the processor, where the system says it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

/// Seconds since the beginning of 1970 as a date in the Gregorian calendar, and the time to the minute.
fn date(seconds: u64) -> String {
    let (days, minutes) = (seconds / 86_400, seconds % 86_400 / 60);
    // Years begin in March here, so that a leap day is the last one. 1970-01-01 is day 719 468 from 0000-03-01.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = 400 * era + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (951_868_800, "2000-03-01 00:00 UTC"),
            (1_709_251_199, "2024-02-29 23:59 UTC"),
            (1_798_761_600, "2027-01-01 00:00 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }
}
