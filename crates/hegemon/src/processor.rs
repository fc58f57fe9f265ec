//! Checks that this processor supports the instructions the program was
//! compiled for: a sentence is better than an illegal instruction in the middle
//! of a game.

/// The missing features, as a sentence.
pub(crate) fn refusal() -> Option<String> {
    let missing = missing();
    (!missing.is_empty()).then(|| {
        format!(
            "this program was built for a newer processor: {} missing here; build it from the source with \
             RUSTFLAGS=\"-C target-cpu=x86-64\" for any processor of 64 bits",
            match missing.as_slice() {
                [one] => format!("{one} is"),
                several => format!("{} are", several.join(", ")),
            }
        )
    })
}

/// Missing features of `x86-64-v3` beyond the x86-64 baseline, as far as the
/// program was compiled with them. Queries the processor directly: the standard
/// library's macro answers from the compiler flags.
#[cfg(target_arch = "x86_64")]
fn missing() -> Vec<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    let most = __cpuid(0).eax;
    let basic = __cpuid(1);
    let extended = if most >= 7 {
        __cpuid_count(7, 0).ebx
    } else {
        0
    };
    let needed = [
        ("FMA", cfg!(target_feature = "fma"), basic.ecx, 12),
        ("AVX", cfg!(target_feature = "avx"), basic.ecx, 28),
        ("AVX2", cfg!(target_feature = "avx2"), extended, 5),
        ("BMI1", cfg!(target_feature = "bmi1"), extended, 3),
        ("BMI2", cfg!(target_feature = "bmi2"), extended, 8),
    ];
    let is_missing =
        |&(_, is_needed, word, bit): &(_, bool, u32, u32)| is_needed && (word >> bit) & 1 == 0;
    needed
        .into_iter()
        .filter(is_missing)
        .map(|(name, ..)| name)
        .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    /// The tests run with the program's flags, so the processor supports them.
    #[test]
    fn the_processor_that_runs_the_tests_is_not_refused() {
        assert_eq!(super::refusal(), None);
    }
}
