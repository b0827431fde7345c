//! Estimated numbers of tokens, for when no exact encoding is used.

mod estimate;
mod text_kinds;

pub use estimate::{BYTES_PER_TOKEN, FILE_TOKENS, estimate_bytes, estimate_tokens};
pub use text_kinds::TextKinds;
