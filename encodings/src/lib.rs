//! Exact encodings: text to token ids and back, as the model's own tokenizer has them.
//!
//! A vocabulary is data of its publisher, embedded by the `tiktoken` crate, or brought by the user (feature `custom`).
//! Everything here is a pure function of its arguments; only `wasm` knows that JavaScript exists.

#[cfg(feature = "custom")]
pub mod custom;
pub mod cut;
#[cfg(feature = "deepseek_v3")]
mod deepseek;
pub mod encoding;
#[cfg(any(feature = "custom", feature = "deepseek_v3", feature = "o200k_base"))]
mod merge;
mod named;
#[cfg(feature = "o200k_base")]
mod o200k;
mod problem;
mod special;
#[cfg(any(feature = "custom", feature = "o200k_base"))]
mod splitter;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use encoding::{Allowed, Encoding};
pub use problem::Problem;
