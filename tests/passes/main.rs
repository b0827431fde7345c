//! Tables of what each setting of each pass does: a session in a few words, a policy, and one mark for each result of
//! the view.
#![cfg(not(target_arch = "wasm32"))] // Shares its support module with the property tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Allowed in tests.

mod age;
mod arguments;
mod batches;
mod budget;
mod calls;
mod clear;
mod clip;
mod decisions;
mod dedupe;
mod edit_numbers;
mod engine;

mod ephemeral;
mod exclude;
mod explain;
mod lists;
mod media;

mod policies;
mod protect;
mod reads;
mod reasoning;
mod recall;
mod retire;
mod session;
#[path = "../support/shape.rs"]
#[allow(dead_code)]
mod shape;
mod summaries;
mod summarize;
#[path = "../support/view.rs"]
#[allow(dead_code)]
mod view;
