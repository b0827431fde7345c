//! A file's bytes: piece by piece, whether they are text, and in which encoding; as UTF-8, and back.
//!
//! What a file is, is judged here and nowhere else: reads, views, searches, edits and the index all ask [`sniff`].

mod decode;
mod encode;
mod sniff;
mod source;

pub use decode::{Decoder, begins_char, chars};
pub use encode::{Malformed, NotEncodable, encode, to_utf8};
pub use sniff::{Sniffed, TextEncoding, UNKNOWN, sniff, sniff_bytes};
pub use source::{Slices, Source};
