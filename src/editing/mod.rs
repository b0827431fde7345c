//! Edits of a file: content in; content, a message for the model and a unified diff out. Nothing is read or written.
//!
//! The law of this room: an edit's result is prefix + new + suffix, byte for byte. Contents are bytes, so that a file
//! in any encoding keeps what the edit does not name ([`edit_encoded`]); what cannot be done exactly is refused, and changes
//! nothing.

mod add;
mod change;
mod diff;
mod encoded;
mod fold;
mod headings;
mod nearest;
mod refusal;
mod replace;
mod report;
mod section;

pub use add::{append_to_file, prepend_to_file};
pub use change::Edited;
pub use encoded::{EncodedFile, edit_encoded};
pub use nearest::{Candidate, Difference};
pub use refusal::{Refusal, RefusalCode};
pub use replace::{Replacement, edit_file};
pub use report::{EditRefusal, EditSummary};
pub use section::{SectionUpdate, update_section};

/// The length of a text as messages give it: Unicode characters, as in the document "Agent Memory and File Write
/// Safety", whose tools count with Python's `len`.
fn chars(text: &str) -> usize {
    text.chars().count()
}
