//! Settings: parsing them from JSON, and the setting of a pass (off, on, or on with settings).

mod by_name;
pub mod pass_setting;
mod read;

pub use by_name::ByName;
pub use read::{Setting, Settings, Wrong, read_fields, read_word, wrong_type};
pub(super) use read::{settings, words};
