//! How many tokens a text takes. Estimates, until an encoding is known.

mod estimate;
mod text_kinds;

pub use estimate::{BYTES_PER_TOKEN, FILE_TOKENS, estimate_bytes, estimate_tokens};
pub use text_kinds::TextKinds;
