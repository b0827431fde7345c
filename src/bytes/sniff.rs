//! Detects the type of a file by its first bytes.

use super::source::Source;
use serde::{Deserialize, Serialize};

/// Bytes examined: as many as git examines for NUL.
pub const HEAD_BYTES: usize = 8000;

/// The encoding of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum TextEncoding {
    /// UTF-8, also if some bytes are invalid.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, low byte first, detected by its byte order mark.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, high byte first, detected by its byte order mark.
    #[serde(rename = "utf-16be")]
    Utf16Be,
    /// ISO 8859-1, only if the host names it: each byte is the code point of its character.
    #[serde(rename = "latin-1")]
    Latin1,
}

impl TextEncoding {
    /// The name used in fields of reads and options of edits.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Latin1 => "latin-1",
        }
    }

    /// Returns the encoding with this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let all = [Self::Utf8, Self::Utf16Le, Self::Utf16Be, Self::Latin1];
        all.into_iter().find(|encoding| encoding.name() == name)
    }
}

/// The type of a file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// Text, after a byte order mark of this many bytes.
    Text(TextEncoding, usize),
    /// Not text; a description of its type.
    Binary(&'static str),
}

impl Sniffed {
    /// Returns the encoding and the size of the byte order mark; `None` if it is not text.
    #[must_use]
    pub fn text(self) -> Option<(TextEncoding, usize)> {
        match self {
            Self::Text(encoding, mark) => Some((encoding, mark)),
            Self::Binary(_) => None,
        }
    }

    /// Returns the type of a binary file; `None` for text.
    #[must_use]
    pub fn binary_kind(self) -> Option<&'static str> {
        match self {
            Self::Text(..) => None,
            Self::Binary(kind) => Some(kind),
        }
    }
}

/// A binary file of unknown type. This includes UTF-16 text without a byte order mark.
const UNKNOWN: &str = "unknown type";

/// The only type here whose files may consist of plain text.
const PDF: &str = "PDF document";

/// First bytes of binary files (`file(1)` uses the same ones).
const KINDS: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xFF\xD8\xFF", "JPEG image"),
    (b"GIF87a", "GIF image"),
    (b"GIF89a", "GIF image"),
    (b"%PDF-", PDF),
    (b"PK\x03\x04", "ZIP archive"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"\x1F\x8B", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"\xFD7zXZ\0", "xz archive"),
    (b"\x28\xB5\x2F\xFD", "Zstandard archive"),
    (b"7z\xBC\xAF\x27\x1C", "7-Zip archive"),
    (b"\x7FELF", "ELF executable"),
    (b"\0asm", "WebAssembly module"),
    (b"\xCF\xFA\xED\xFE", "Mach-O executable"),
    (b"\xCA\xFE\xBA\xBE", "Java class or Mach-O executable"),
    (b"MZ\x90\0", "Windows executable"),
    (b"SQLite format 3\0", "SQLite database"),
    (b"wOFF", "WOFF font"),
    (b"wOF2", "WOFF2 font"),
    (b"\0\x01\0\0", "TrueType font"),
    (b"OggS", "Ogg media"),
    (b"fLaC", "FLAC audio"),
    (b"ID3", "MP3 audio"),
    (b"\xFF\xFE\0\0", "UTF-32 text"),
    (b"\0\0\xFE\xFF", "UTF-32 text"),
];

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Detects the type of a file; a text of the host is text, whatever it holds. `told` is the encoding that the host named; it applies only to files that do not declare
/// one.
pub fn sniff(source: &mut dyn Source, told: Option<TextEncoding>) -> Sniffed {
    let mut head = Vec::new();
    let mut index = 0;
    while head.len() < HEAD_BYTES {
        let room = HEAD_BYTES - head.len();
        let more = source.chunk(index, &mut |chunk| {
            head.extend_from_slice(&chunk[..chunk.len().min(room)]);
        });
        if !more {
            break;
        }
        index += 1;
    }
    if source.is_decoded() {
        let mark = if head.starts_with(UTF8_MARK) { UTF8_MARK.len() } else { 0 };
        return Sniffed::Text(TextEncoding::Utf8, mark);
    }
    sniff_bytes(&head, told)
}

/// Like [`sniff`], for a file in memory or its beginning.
#[must_use]
pub fn sniff_bytes(bytes: &[u8], told: Option<TextEncoding>) -> Sniffed {
    let found = sniff_head(&bytes[..bytes.len().min(HEAD_BYTES)]);
    match (found, told) {
        (Sniffed::Text(TextEncoding::Utf8, 0), Some(told)) => Sniffed::Text(told, 0),
        (
            Sniffed::Binary(UNKNOWN),
            Some(told @ (TextEncoding::Utf16Le | TextEncoding::Utf16Be)),
        ) if !bytes.starts_with(UTF8_MARK) => Sniffed::Text(told, 0),
        _ => found,
    }
}

fn sniff_head(head: &[u8]) -> Sniffed {
    let plain = is_plain(head);
    let kind = kind(head);
    match (kind, head) {
        (Some(kind), _) if !plain || kind == PDF => Sniffed::Binary(kind),
        (_, [0xFF, 0xFE, ..]) => Sniffed::Text(TextEncoding::Utf16Le, 2),
        (_, [0xFE, 0xFF, ..]) => Sniffed::Text(TextEncoding::Utf16Be, 2),
        _ if !plain => Sniffed::Binary(UNKNOWN),
        _ if head.starts_with(UTF8_MARK) => Sniffed::Text(TextEncoding::Utf8, UTF8_MARK.len()),
        _ => Sniffed::Text(TextEncoding::Utf8, 0),
    }
}

fn kind(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'R', b'I', b'F', b'F', _, _, _, _, rest @ ..] if rest.starts_with(b"WEBP") => {
            Some("WebP image")
        }
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => Some("MP4 media"),
        _ => KINDS.iter().find(|(start, _)| head.starts_with(start)).map(|(_, kind)| *kind),
    }
}

/// Returns whether bytes may be text: no NUL, and control characters in at most a tenth of the bytes.
fn is_plain(head: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 1..=7 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    !head.contains(&0) && head.iter().filter(is_control).count() * 10 <= head.len()
}

#[cfg(test)]
mod tests {
    use super::{Sniffed, TextEncoding, sniff};
    use crate::bytes::Slices;

    #[test]
    fn tells_text_from_the_rest() {
        use Sniffed::{Binary, Text};
        let cases: &[(&[u8], Sniffed)] = &[
            (b"", Text(TextEncoding::Utf8, 0)),
            (b"GIF87a is the name of a format", Text(TextEncoding::Utf8, 0)),
            (b"caf\xE9, in Latin-1", Text(TextEncoding::Utf8, 0)),
            (b"\x1b[31mred\x1b[0m", Text(TextEncoding::Utf8, 0)),
            (b"\xEF\xBB\xBFa", Text(TextEncoding::Utf8, 3)),
            (b"\xFF\xFEa\0", Text(TextEncoding::Utf16Le, 2)),
            (b"\xFE\xFF\0a", Text(TextEncoding::Utf16Be, 2)),
            (b"\xFF\xFE\0\0a\0\0\0", Binary("UTF-32 text")),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Binary("PNG image")),
            (b"%PDF-1.7\n", Binary("PDF document")),
            (b"a\0b", Binary("unknown type")),
            (b"\x01\x02\x03\x04", Binary("unknown type")),
        ];
        for (bytes, expected) in cases {
            for size in [1, 3, 100] {
                assert_eq!(sniff(&mut Slices::new(bytes, size), None), *expected, "{bytes:?}");
            }
        }
        let late: Vec<u8> = [vec![b'a'; 8000], vec![0]].concat();
        assert_eq!(sniff(&mut Slices::new(&late, 999), None), Text(TextEncoding::Utf8, 0));
        let told = |bytes: &[u8], encoding| super::sniff_bytes(bytes, Some(encoding));
        assert_eq!(told(b"caf\xE9", TextEncoding::Latin1), Text(TextEncoding::Latin1, 0));
        assert_eq!(told(b"\xFF\xFEa\0", TextEncoding::Latin1), Text(TextEncoding::Utf16Le, 2));
        assert_eq!(told(b"a\0b\0", TextEncoding::Utf16Le), Text(TextEncoding::Utf16Le, 0));
        assert_eq!(told(b"a\0b\0", TextEncoding::Latin1), Binary("unknown type"));
        let marked = b"\xEF\xBB\xBFa\0";
        assert_eq!(told(marked, TextEncoding::Utf16Le), Binary("unknown type"));
    }
}
