//! Exact encodings: text to token ids and back, identical to the model's tokenizer.
//!
//! A vocabulary is data from its publisher, which `build.rs` takes from the `tiktoken` crate, or is provided by the user
//! (feature `custom`). All functions are pure; only `wasm` depends on JavaScript.

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
