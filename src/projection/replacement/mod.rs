//! Replacements of content: their kinds, their texts, and their form as numbers.

pub mod arguments;
pub mod clipped;
pub mod codec;
pub mod key_facts;
pub mod kind;
pub mod note;
pub mod subject;
pub mod texts;
pub mod worth;
