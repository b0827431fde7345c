//! What a tool printed: how it went, counts of tests, failed tests, error lines, files.
//!
//! A text is read once, chunk by chunk, and not kept. [`runners`] holds what is known of each test runner, compiler and
//! tool as data; everything else works on any of them.

mod counts;
mod failure;
mod firsts;
mod key_info;
mod lines;
mod outcome;
mod paths;
mod rule;
mod runners;
mod words;

pub use failure::{ERROR_HEAD_BYTES, looks_like_error};
pub use key_info::{KeyInfo, KeyInfoReader, OutputKind};
pub use outcome::Outcome;
