//! What stands where content was: what it can be, its text, and its form as numbers.

pub mod arguments;
pub mod clipped;
pub mod codec;
pub mod key_facts;
pub mod kind;
pub mod note;
pub mod subject;
pub mod texts;
pub mod worth;
