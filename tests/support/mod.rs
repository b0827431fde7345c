//! Shared code of the native tests: random histories in each format, and their views.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Shared by several test programs.

pub mod binding;
pub mod generate;
pub mod oracle;
pub mod shape;
pub mod view;
pub mod write;

#[allow(unused_imports)] // Not every program makes views itself.
pub use view::*;

use proptest::test_runner::{Config, RngSeed};

/// Configuration with the same cases in every run, so that failures are reproducible. `TRIMTAB_CASES` and
/// `TRIMTAB_SEED` select more and other cases.
pub fn config(cases: u32) -> Config {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let wanted = number("TRIMTAB_CASES").and_then(|cases| u32::try_from(cases).ok());
    let rng_seed = RngSeed::Fixed(number("TRIMTAB_SEED").unwrap_or(1));
    let cases = wanted.unwrap_or(cases);
    Config {
        cases,
        rng_seed,
        // Rejected cases increase with the number of cases.
        max_global_rejects: cases.saturating_mul(8).max(1024),
        failure_persistence: None,
        ..Config::default()
    }
}
