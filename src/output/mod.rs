//! Output of tools: outcome, test counts, failed tests, error lines, files.
//!
//! A text is read once, in chunks, and not stored. [`runners`] and [`tools`] describe test runners, compilers and other
//! tools as data; the rest of the room does not depend on any of them.

mod colours;
mod counts;
mod examples;
mod facts;
mod failure;
mod firsts;
mod key_info;
mod last_messages;
mod lines;
mod open;
mod outcome;
mod paths;
mod quoted;
#[cfg(feature = "files")]
mod redraws;
mod refusal;
mod reports;
mod rule;
mod runner;
mod runners;
mod test_logs;
mod test_runs;
mod tools;
mod variants;
mod worded_errors;
mod words;

/// Whether the rules of all tools are compiled in. The core wasm, which every page loads, has those of test runners only:
/// it knows neither the commands that may follow one, nor the prefixes that runners of jobs put before each line.
const HAS_ROOM: bool = cfg!(feature = "files");

pub use facts::KeyInfo;
pub use failure::{ERROR_HEAD_BYTES, looks_like_error};
pub use key_info::{KeyInfoReader, OutputKind};
pub use outcome::Outcome;
pub use refusal::{LONGEST_REFUSAL, is_refusal};
