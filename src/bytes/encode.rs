//! Converts whole contents to UTF-8 and back, byte for byte.

use super::decode::{Decoder, LONE};
use super::sniff::TextEncoding;
use thiserror::Error;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The content has units that are not characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("malformed, first on line {line}")]
pub struct Malformed {
    /// The first line that has one, from 1.
    pub line: usize,
}

/// The encoding lacks a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the encoding has no {character:?}")]
pub struct NotEncodable {
    /// The first such character.
    pub character: char,
}

/// Converts a content that begins with a byte order mark of `mark` bytes to UTF-8. The mark is kept.
///
/// # Errors
///
/// If the conversion could not be reversed.
pub fn to_utf8(content: &[u8], encoding: TextEncoding, mark: usize) -> Result<Vec<u8>, Malformed> {
    let mut decoder = Decoder::new(encoding, mark);
    let mut text = if mark > 0 { MARK.to_vec() } else { Vec::new() };
    text.extend_from_slice(&decoder.decode(content));
    text.extend_from_slice(decoder.finish());
    // Finds unpaired surrogates, and in UTF-8 any invalid byte.
    match std::str::from_utf8(&text) {
        Ok(_) => Ok(text),
        Err(error) => {
            let before = &text[..error.valid_up_to()];
            debug_assert!(encoding == TextEncoding::Utf8 || text[before.len()] == LONE);
            Err(Malformed { line: 1 + memchr::memchr_iter(b'\n', before).count() })
        }
    }
}

/// Encodes a text.
///
/// # Errors
///
/// The first character that the encoding lacks.
pub fn encode(text: &str, encoding: TextEncoding) -> Result<Vec<u8>, NotEncodable> {
    Ok(match encoding {
        TextEncoding::Utf8 => text.as_bytes().to_vec(),
        TextEncoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        TextEncoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        TextEncoding::Latin1 => {
            let byte = |character| u8::try_from(character).map_err(|_| NotEncodable { character });
            text.chars().map(byte).collect::<Result<_, _>>()?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Malformed, NotEncodable, TextEncoding, encode, to_utf8};

    #[test]
    fn goes_there_and_back() {
        let text = "\u{feff}a\r\né\u{1F600}\n";
        for encoding in [TextEncoding::Utf16Le, TextEncoding::Utf16Be] {
            let bytes = encode(text, encoding).unwrap_or_default();
            assert_eq!(to_utf8(&bytes, encoding, 2).as_deref(), Ok(text.as_bytes()));
        }
        let bytes: Vec<u8> = (0..=255).collect();
        let latin = to_utf8(&bytes, TextEncoding::Latin1, 0).unwrap_or_default();
        let back = encode(&String::from_utf8_lossy(&latin), TextEncoding::Latin1);
        assert_eq!(back.as_ref(), Ok(&bytes));
    }

    #[test]
    fn says_what_does_not() {
        let lone = [0xFF, 0xFE, b'a', 0, b'\n', 0, 0x00, 0xD8, b'b', 0];
        let found = to_utf8(&lone, TextEncoding::Utf16Le, 2);
        assert_eq!(found, Err(Malformed { line: 2 }));
        assert!(to_utf8(&[0xFF, 0xFE, b'a'], TextEncoding::Utf16Le, 2).is_err());
        assert_eq!(
            encode("a\u{20AC}", TextEncoding::Latin1),
            Err(NotEncodable { character: '\u{20AC}' })
        );
    }
}
