//! Settings: how they are read from JSON, and a pass that is off, on, or on with settings.

mod by_name;
pub mod pass_setting;
mod read;

pub use by_name::ByName;
pub use read::{Setting, Settings, Wrong, read_fields, read_word, wrong_type};
pub(super) use read::{settings, words};
