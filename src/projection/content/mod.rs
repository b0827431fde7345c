//! Contents on demand, because facts contain no text.

pub mod digest;
pub mod reader;
