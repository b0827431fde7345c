//! Text without messages: sizes, digests, lines, globs and truncation.

mod chunks;
mod clip;
mod digest;
mod glob;
mod grapheme_table;
mod graphemes;
mod head_tail;
mod joined;
pub mod json;
mod last;
mod lines;
mod quoted;
mod size;
mod truncate;

pub use chunks::{collected, valid_start};
pub use clip::{keep_end, keep_start};
pub use digest::{Digest, Digester};
pub use glob::{glob_matches, glob_problem};
pub use graphemes::boundary_before;
pub use head_tail::{HeadTail, Measure};
pub use joined::joined;
pub use last::{last_of, split_at_last};
pub use lines::{line_number, line_numbers, line_starts, line_terminator};
pub use quoted::quoted;
pub use size::{TextSize, checksum, mix, utf16_len};
pub use truncate::{TruncateLimits, grouped, truncation_mark};

/// Writes the UTF-8 of a text to a sink, in chunks that may split characters.
pub type ReadText<'r> = &'r dyn Fn(&mut dyn FnMut(&[u8]));
