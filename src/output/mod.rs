//! What a tool printed: how it went, counts of tests, failed tests, error lines, files.
//!
//! A text is read once, chunk by chunk, and not kept. [`runners`] and [`tools`] hold what is known of each test runner,
//! compiler and tool as data; everything else works on any of them.

mod counts;
mod failure;
mod firsts;
mod key_info;
mod lines;
mod outcome;
mod paths;
mod rule;
mod runners;
mod tools;
mod words;

/// Whether there is room for what few outputs need. The core, which every page carries, has none: its summaries know the test
/// runners, and not what begins after one, nor how tools and hosts write it otherwise.
const HAS_ROOM: bool = cfg!(feature = "files");

pub use failure::{ERROR_HEAD_BYTES, looks_like_error};
pub use key_info::{KeyInfo, KeyInfoReader, OutputKind};
pub use outcome::Outcome;
