//! Settings: parsing them from JSON, and the setting of a pass (off, on, or on with settings).

mod by_name;
pub mod pass_setting;
mod read;
mod tool_list;

pub use by_name::ByName;
pub use read::{Setting, Settings, Wrong, read_fields, read_word, wrong_type};
pub(super) use read::{settings, words};
pub use tool_list::names_tool;
