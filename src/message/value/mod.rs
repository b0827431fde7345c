//! The host's values, whatever holds them, and the spellings that formats look for.

pub mod access;
pub mod json;
pub mod words;
