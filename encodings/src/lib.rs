//! Exact encodings: text to token ids and back, as the model's own tokenizer has them.
//!
//! A vocabulary is data of its publisher, which `build.rs` takes from the `tiktoken` crate, or brought by the user (feature
//! `custom`).
//! Everything here is a pure function of its arguments; only `wasm` knows that JavaScript exists.

mod bpe;
mod count_table;
#[cfg(feature = "custom")]
pub mod custom;
pub mod encoding;
mod kind;
mod merge;
mod named;
mod piece_counts;
mod problem;
mod special;
mod split;
#[cfg(feature = "custom")]
mod splitter;
mod vocabulary;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use encoding::{Allowed, Encoding};
pub use problem::Problem;
