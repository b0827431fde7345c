//! Contents on demand: facts hold no text.

pub mod digest;
pub mod reader;
