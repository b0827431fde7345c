//! Tests of the engine with texts: files that are read, edited and searched, and outputs of tools.
#![cfg(not(target_arch = "wasm32"))] // proptest is not available for wasm32.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Allowed in tests.

mod editing;
mod index;
mod outputs;
mod reading;
mod reading_limits;
