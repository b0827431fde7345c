//! The host's mark (`metadata.ephemeral`) on a message whose results are removed after their turn, and in `ai-sdk-ui`
//! on a part (`toolMetadata.ephemeral`), because a `UIMessage` holds all steps of a turn.

use crate::message::{Key, Kind, Value};
use std::cell::OnceCell;

/// The mark of one message. Looked up once, for the message's first result: a value that is watched twice makes each
/// later search for changes slower.
pub struct EphemeralMark<'m, V> {
    message: &'m V,
    known: OnceCell<bool>,
}

impl<'m, V: Value> EphemeralMark<'m, V> {
    /// Creates the mark of a message, without reading it yet.
    pub fn of(message: &'m V) -> Self {
        Self { message, known: OnceCell::new() }
    }

    /// Returns whether the mark is set; reads it at the first call.
    pub fn is_set(&self) -> bool {
        *self.known.get_or_init(|| is_marked(self.message))
    }
}

/// Returns whether a message has the mark.
pub fn is_marked<V: Value>(message: &V) -> bool {
    has_mark(message, Key::Metadata)
}

/// Returns whether a part of a `UIMessage` has a mark of its own.
pub fn is_marked_part<V: Value>(part: &V) -> bool {
    has_mark(part, Key::ToolMetadata)
}

/// Both the object and the mark in it are watched: a mark that is set in place must not be missed.
#[inline(never)]
fn has_mark<V: Value>(holder: &V, key: Key) -> bool {
    let metadata = holder.watched(key);
    metadata.kind() == Kind::Object && metadata.watched(Key::Ephemeral).is_true()
}
