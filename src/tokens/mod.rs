//! How many tokens a text takes. Estimates, until an encoding is known.

mod estimate;

pub use estimate::{FILE_TOKENS, estimate_tokens};
