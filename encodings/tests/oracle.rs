//! Every encoding against another implementation.
#![cfg(not(target_arch = "wasm32"))] // tiktoken-rs and proptest are for the tests' own machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A test may.

mod support;

use proptest::prelude::*;
use support::oracle::{disagreement, pairs};
use support::texts::text;

proptest! {
    #![proptest_config(support::config())]

    #[test]
    fn encodings_agree_with_the_oracle(text in text(24)) {
        for (name, encoding, oracle) in pairs() {
            prop_assert_eq!(disagreement(name, encoding, oracle, &text), None);
        }
    }
}
