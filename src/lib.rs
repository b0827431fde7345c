//! The engine of `trimtab`: decides what an LLM agent's model sees.
//!
//! The host's messages are never stored. Each is read once into small facts ([`message::History`]). A [`projection`] turns
//! facts and a policy into a plan of edits, which the host applies to its own objects.
//! Imports go one way: `{text, tokens} <- {output, message} <- {formats, projection} <- session <- wasm`; `bytes`,
//! `reading`, `editing` and `index` are beside them. There is no I/O, no clock and no randomness.
// The unit tests need proptest, which is not available for wasm32; `wasm-pack test` builds them.
#![cfg(not(all(test, target_arch = "wasm32")))]

pub mod bytes;
pub mod editing;
pub mod formats;
#[cfg(test)]
mod generated;
pub mod index;
pub mod message;
pub mod output;
pub mod projection;
pub mod reading;
pub mod session;
pub mod text;
pub mod tokens;

#[cfg(target_arch = "wasm32")]
pub mod wasm;
