//! What the tests of encodings share.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A test may.
#![allow(dead_code)] // Each test file uses its part.

pub mod oracle;
pub mod texts;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases at every run, so that a failure is one for everybody. `TRIMTAB_CASES` and `TRIMTAB_SEED` look further.
pub fn config() -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let cases = number("TRIMTAB_CASES").and_then(|cases| u32::try_from(cases).ok()).unwrap_or(300);
    let rng_seed = RngSeed::Fixed(number("TRIMTAB_SEED").unwrap_or(1));
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

/// For cases that cost more than others: one in so many.
pub fn fewer(one_in: u32) -> ProptestConfig {
    let all = config();
    ProptestConfig { cases: all.cases.div_ceil(one_in), ..all }
}
