//! Tests of the engine with histories: tables and properties of the views of a policy. One program, since each links the
//! whole engine; `cargo test --test histories laws::` runs a part.
#![cfg(not(target_arch = "wasm32"))] // proptest is not available for wasm32.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Allowed in tests.

mod binding;
mod calls;
mod formats_alike;
mod laws;
mod passes;
mod state;
mod support;
