//! Axes of plots.

/// Three to seven round numbers within a range.
pub fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = (high - low).max(1e-9);
    let power = libm::pow(10.0, libm::floor(libm::log10(span / 3.0)));
    let step = [5.0, 2.0, 1.0]
        .map(|n| n * power)
        .into_iter()
        .find(|step| span / step >= 3.0)
        .unwrap_or(power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    let round = |n: i64| {
        // One rounding, so that 0.1 prints as such.
        let digits = (-libm::floor(libm::log10(step))).max(0.0);
        let scale = libm::pow(10.0, digits);
        (n as f64 * step * scale).round() / scale
    };
    (first..=last).map(round).collect()
}
