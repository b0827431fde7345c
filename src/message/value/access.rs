//! A read-only view of one value of the host's messages, whatever holds it: JavaScript objects at the boundary,
//! parsed JSON in arguments and tests. Formats read through it and know neither.

use super::words::{Key, Word};
use crate::text::TextSize;

/// What a value is, as far as formats ask.
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

/// One value of the host's messages.
pub trait Value: Sized {
    /// What it is.
    fn kind(&self) -> Kind;
    /// A field of an object; absent when there is none or this is no object.
    fn field(&self, key: Key) -> Self;
    /// Like [`Value::field`], for a field that the host may change in place: the boundary remembers what it saw.
    fn watched(&self, key: Key) -> Self;
    /// The same value, of which nothing that is read is remembered.
    fn unwatched(&self) -> Self;
    /// An entry of a list; absent past its end.
    fn item(&self, index: usize) -> Self;
    /// The entries of a list; 0 for anything else.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// How many fields an object has; 0 for anything else. Whether a text is all there is of an object.
    fn field_count(&self) -> usize;
    /// What this object's method of that name returns when it is called with nothing. Message objects of LangChain
    /// before 1.0 say their kind only in this way; JSON has no methods.
    fn returned(&self, _method: Key) -> Option<Self> {
        None
    }
    /// The known word that this text is.
    fn word(&self) -> Option<Word>;
    /// Whether it is `true`.
    fn is_true(&self) -> bool;
    /// Whether this is a text of nothing but white space.
    fn is_blank(&self) -> bool;
    /// Whether this object was made by a projection of this engine, to stand where another one stood.
    fn is_stub(&self) -> bool {
        false
    }
    /// Gives a text's UTF-8 to `sink` in chunks (which may split characters) and returns its UTF-16 length.
    /// Lone surrogates arrive as U+FFFD. Anything else than a text has no chunks and length 0.
    fn read_text(&self, sink: &mut dyn FnMut(&[u8])) -> u64;
    /// The same for the value's JSON. A value that has none (a cycle, a bigint) has no chunks and length 0.
    fn read_json(&self, sink: &mut dyn FnMut(&[u8])) -> u64;
}

/// Reads ids, names and paths whole.
///
/// `None` for anything else than a text, and for one over 4,096 bytes: no provider takes ids or names that long.
pub fn read_string<V: Value>(value: &V) -> Option<String> {
    const LIMIT: usize = 4096;
    if value.kind() != Kind::Text {
        return None;
    }
    let mut bytes = Vec::new();
    let mut fits = true;
    value.read_text(&mut |chunk| {
        fits = fits && bytes.len() + chunk.len() <= LIMIT;
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
