//! When and on what machine cells were computed.

use std::fs;
use std::time::SystemTime;

/// Dates and machines of some cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Making {
    /// The first and the last day, as in 2026-05-18; `None` if nobody wrote it down.
    pub days: Option<(String, String)>,
    /// The processors, without repetition.
    pub processors: Vec<String>,
}

impl Making {
    /// The days in words.
    pub fn days_text(&self) -> String {
        match &self.days {
            None => "on an unknown day".to_owned(),
            Some((first, last)) if first == last => first.clone(),
            Some((first, last)) => format!("{first} to {last}"),
        }
    }

    /// The processors in words.
    pub fn processors_text(&self) -> String {
        match self.processors.is_empty() {
            true => "an unknown processor".to_owned(),
            false => self.processors.join("; "),
        }
    }
}

/// Today, by universal time.
pub(crate) fn today() -> String {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    day_text(since_1970.map_or(0, |time| time.as_secs() / 86_400))
}

/// A day counted from 1970 in the Gregorian calendar (H. Hinnant, "chrono-compatible
/// low-level date algorithms").
fn day_text(days: u64) -> String {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Months are counted from March, so that a leap day is the last of its year.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + 400 * era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The processor of this machine and the cores that it has, as far as the system
/// says.
pub(crate) fn processor() -> String {
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = described.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{model}, {n_cores} cores")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // By `date -d @SECONDS`.
        for (days, text) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (20_591, "2026-05-18"),
            (20_819, "2027-01-01"),
        ] {
            assert_eq!(day_text(days), text);
        }
        assert!(!processor().is_empty());
    }
}
