//! The host's values in any representation, and the spellings that formats look for.

pub mod access;
pub mod json;
pub mod words;
