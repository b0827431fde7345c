//! Read-only access to one value of the host's messages in any representation: JavaScript objects at the boundary,
//! parsed JSON in arguments and tests. Formats read through it and do not depend on either.

use super::words::{Key, Word};
use crate::text::TextSize;
use std::ops::RangeInclusive;

/// The kind of a value, as far as formats distinguish kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Missing, `undefined` or `null`.
    Absent,
    /// A string.
    Text,
    /// An array.
    List,
    /// Any other object.
    Object,
    /// A number, boolean, bigint, symbol or function.
    Scalar,
}

impl Kind {
    /// All kinds, in the order of the numbers with which they cross the boundary.
    pub const ALL: &[Kind] = &[Kind::Absent, Kind::Text, Kind::List, Kind::Object, Kind::Scalar];
}

/// One value of the host's messages.
pub trait Value: Sized {
    /// The kind of the value.
    fn kind(&self) -> Kind;
    /// A field of an object; absent if there is none, or if this is not an object.
    fn field(&self, key: Key) -> Self;
    /// Whether this object has a field of a range of [`Key::ALL`]. Where nearly no message has any of them, one call of
    /// the host takes the place of two for each field.
    fn has_any(&self, keys: RangeInclusive<Key>) -> bool {
        Key::within(&keys).iter().any(|key| self.field(*key).kind() != Kind::Absent)
    }
    /// Like [`Value::field`], for a field that the host may change in place: the boundary records what was read, to
    /// notice changes.
    fn watched(&self, key: Key) -> Self;
    /// The same value, with nothing recorded about what is read from it.
    fn unwatched(&self) -> Self;
    /// An entry of a list; absent beyond its end.
    fn item(&self, index: usize) -> Self;
    /// Number of entries in a list; 0 for anything else.
    fn len(&self) -> usize;
    /// Whether there are no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Number of fields in an object; 0 for anything else. Tells whether a text is the only content of an object.
    fn field_count(&self) -> usize;
    /// The value that this object's method of that name returns when called without arguments. Message objects of
    /// LangChain before 1.0 state their kind only in this way. JSON has no methods.
    fn returned(&self, _method: Key) -> Option<Self> {
        None
    }
    /// The known word that equals this text.
    fn word(&self) -> Option<Word>;
    /// Whether it is `true`.
    fn is_true(&self) -> bool;
    /// Whether this is a text that is empty or only white space.
    fn is_blank(&self) -> bool;
    /// Whether this object was made by a projection of this engine, to replace another one.
    fn is_stub(&self) -> bool {
        false
    }
    /// Writes a text's UTF-8 to `sink` in chunks (which may split characters) and returns its UTF-16 length. Lone
    /// surrogates arrive as U+FFFD. Anything but a text has no chunks and length 0.
    fn read_text(&self, sink: &mut dyn FnMut(&[u8])) -> u64;
    /// Like [`Value::read_text`], for the value's JSON. A value without JSON (a cycle, a bigint) has no chunks and
    /// length 0.
    fn read_json(&self, sink: &mut dyn FnMut(&[u8])) -> u64;
}

/// Maximum bytes of an id, a name or a path: no provider accepts longer ids or names.
pub const MAX_NAME_BYTES: usize = 4096;

/// Reads an id, a name or a path as a whole.
///
/// `None` for anything but a text, and for one over [`MAX_NAME_BYTES`].
pub fn read_string<V: Value>(value: &V) -> Option<String> {
    if value.kind() != Kind::Text {
        return None;
    }
    let mut bytes = Vec::new();
    let mut fits = true;
    value.read_text(&mut |chunk| {
        fits = fits && bytes.len() + chunk.len() <= MAX_NAME_BYTES;
        if fits {
            bytes.extend_from_slice(chunk);
        }
    });
    if fits { String::from_utf8(bytes).ok() } else { None }
}

/// The size of a text.
pub fn text_size<V: Value>(value: &V) -> TextSize {
    let mut size = TextSize::default();
    size.utf16 = value.read_text(&mut |chunk| size.add_chunk(chunk));
    size
}
