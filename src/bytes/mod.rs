//! Bytes of files: text or binary, encoding, conversion to UTF-8 and back, in chunks.
//!
//! [`sniff`] is the only place that decides what a file is: reads, views, searches, edits and the index all use it.

mod decode;
mod encode;
mod sniff;
mod source;

pub use decode::{Decoder, begins_char, chars};
pub use encode::{Malformed, NotEncodable, encode, to_utf8};
pub use sniff::{HEAD_BYTES, Sniffed, TextEncoding, sniff, sniff_bytes};
pub use source::{Slices, Source, byte_count};
