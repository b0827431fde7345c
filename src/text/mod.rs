//! Text without messages: its size, its digest, and cutting it well.

mod clip;
mod digest;
mod head_tail;
mod key_info;
mod size;

pub use clip::{keep_end, keep_start};
pub use digest::{Digest, Digester};
pub use head_tail::{HeadTail, Measure};
pub use key_info::KeyInfo;
pub use size::TextSize;
