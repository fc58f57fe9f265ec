//! Processor time, which says what a step costs even on a busy machine.

/// Linux counts in hundredths of a second, whatever its own clock.
const TICKS_PER_SECOND: f64 = 100.0;

/// Seconds of processors that the programs started from here have used, as far as they have ended; none where the system does not tell.
pub(crate) fn of_children() -> Option<f64> {
    parse(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The times of children are the 14th and the 15th word after the name, which ends with a parenthesis.
fn parse(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_whitespace().skip(13);
    let user: f64 = words.next()?.parse().ok()?;
    let system: f64 = words.next()?.parse().ok()?;
    Some((user + system) / TICKS_PER_SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_children_are_read_after_a_name_with_any_signs() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 200 0 0 11 12 345 55 20 0 1 0 100\n";
        assert_eq!(parse(stat), Some(4.0));
        assert_eq!(parse("nonsense"), None);
    }
}
