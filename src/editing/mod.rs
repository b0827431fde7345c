//! Edits of a file: from a content to a new content, a message for the model and a unified diff. No I/O.
//!
//! The law of this room: the result of an edit is prefix + new + suffix, byte for byte. Contents are bytes, so that in any
//! encoding everything outside the edit is kept ([`edit_encoded`]). An edit that cannot be exact is refused and changes
//! nothing.

mod add;
mod change;
mod diff;
mod encoded;
mod fold;
mod headings;
mod line_ends;
mod nearest;
mod refusal;
mod replace;
mod report;
mod section;

pub use add::{append_to_file, prepend_to_file};
pub use change::Edited;
pub use encoded::{EncodedFile, edit_encoded, edit_text, rewrite_encoded};
pub use nearest::{Candidate, Difference};
pub use refusal::{Refusal, RefusalCode};
pub use replace::{Replacement, edit_file};
pub use report::{EditRefusal, EditSummary};
pub use section::{SectionUpdate, update_section};

/// The byte order mark as a character.
const MARK: &str = "\u{feff}";

/// Returns the length of a text in messages: Unicode characters, as in the document "Agent Memory and File Write
/// Safety", whose tools count with Python's `len`.
fn chars(text: &str) -> usize {
    text.chars().count()
}
