//! The logistic law of a game's outcome.

/// `1 / (1 + exp(-x))` without overflow.
pub(crate) fn logistic(x: f64) -> f64 {
    if x >= 0.0 {
        1.0 / (1.0 + libm::exp(-x))
    } else {
        let e = libm::exp(x);
        e / (1.0 + e)
    }
}

/// `ln(logistic(x))` without overflow or cancellation.
pub(crate) fn ln_logistic(x: f64) -> f64 {
    if x >= 0.0 {
        -libm::log1p(libm::exp(-x))
    } else {
        x - libm::log1p(libm::exp(x))
    }
}
