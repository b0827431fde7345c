//! Decodes bytes of any supported encoding to UTF-8, in chunks.

use super::sniff::TextEncoding;
use std::borrow::Cow;

/// The state between two chunks. Small and `Copy`: decoding can resume at any chunk.
#[derive(Debug, Clone, Copy)]
pub struct Decoder {
    encoding: TextEncoding,
    /// Bytes of the byte order mark still to be skipped.
    skip: usize,
    /// The first byte of a UTF-16 unit.
    half: Option<u8>,
    /// The first half of a surrogate pair.
    high: Option<u16>,
}

impl Decoder {
    /// Creates a decoder for a file that begins with a byte order mark of `mark` bytes.
    pub fn new(encoding: TextEncoding, mark: usize) -> Self {
        Self { encoding, skip: mark, half: None, high: None }
    }

    /// Decodes the next chunk. UTF-8 is passed through unchanged, valid or not. Unpaired UTF-16 surrogates become
    /// [`LONE`], so that malformed text is detected in the same way in any encoding.
    pub fn decode<'a>(&mut self, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        self.read::<false>(chunk)
    }

    /// Decodes the next chunk for counting: with the same number of lines and characters, but characters beyond ASCII
    /// may be replaced by others. Takes half the time for text of such characters, and counting lines reads the whole
    /// file.
    pub fn skim<'a>(&mut self, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        self.read::<true>(chunk)
    }

    fn read<'a, const SKIM: bool>(&mut self, chunk: &'a [u8]) -> Cow<'a, [u8]> {
        let skipped = self.skip.min(chunk.len());
        self.skip -= skipped;
        let chunk = &chunk[skipped..];
        match self.encoding {
            TextEncoding::Utf8 => return Cow::Borrowed(chunk),
            TextEncoding::Latin1 if chunk.is_ascii() => return Cow::Borrowed(chunk),
            TextEncoding::Latin1 => {
                return Cow::Owned(
                    chunk.iter().copied().map(char::from).collect::<String>().into(),
                );
            }
            TextEncoding::Utf16Le | TextEncoding::Utf16Be => {}
        }
        let mut text = Vec::with_capacity(chunk.len() / 2 * 3);
        let (odd, whole) = match self.half.take() {
            Some(first) if !chunk.is_empty() => (Some([first, chunk[0]]), &chunk[1..]),
            half => {
                self.half = half;
                (None, chunk)
            }
        };
        let (pairs, rest) = whole.as_chunks::<2>();
        odd.iter().for_each(|pair| self.push(self.unit(*pair), &mut text));
        let (blocks, pairs) = pairs.as_chunks::<BLOCK>();
        for block in blocks {
            if !self.push_block::<SKIM>(block, &mut text) {
                block.iter().for_each(|pair| self.push(self.unit(*pair), &mut text));
            }
        }
        pairs.iter().for_each(|pair| self.push(self.unit(*pair), &mut text));
        self.half = rest.first().copied().or(self.half);
        Cow::Owned(text)
    }

    /// Returns the replacement of an incomplete character at the end of the file.
    pub fn finish(&mut self) -> &'static [u8] {
        let is_whole = self.half.take().is_none() & self.high.take().is_none();
        if is_whole { b"" } else { &[LONE] }
    }

    /// Decodes a whole block. Returns `false` if it has surrogates or completes a pair begun before.
    #[inline]
    fn push_block<const SKIM: bool>(&self, block: &[[u8; 2]; BLOCK], text: &mut Vec<u8>) -> bool {
        if self.high.is_some() {
            return false;
        }
        let (fours, _) = block.as_chunks();
        let bits = fours.iter().fold(0, |bits, four| bits | self.lanes(four));
        if bits & (LANES * 0xFF80) == 0 {
            let is_little = self.encoding == TextEncoding::Utf16Le;
            let low = if is_little { block.map(|[low, _]| low) } else { block.map(|[_, low]| low) };
            text.extend_from_slice(&low);
            return true;
        }
        let has_half = |four| has_lane(self.lanes(four), 0xF800, 0xD800);
        if fours.iter().fold(false, |any, four| any | has_half(four)) {
            return false;
        }
        if SKIM {
            let mut bytes = [b'?'; BLOCK];
            let rooms = bytes.as_chunks_mut().0.iter_mut();
            fours.iter().zip(rooms).for_each(|(four, room)| self.stand_in(four, room));
            text.extend_from_slice(&bytes);
        } else {
            push_whole(block.map(|pair| self.unit(pair)), text);
        }
        true
    }

    /// Writes the ASCII characters among four units over their placeholders.
    #[inline(always)]
    fn stand_in(&self, four: &[[u8; 2]; 4], room: &mut [u8; 4]) {
        if has_lane(self.lanes(four), 0xFF80, 0) {
            for (pair, byte) in four.iter().zip(room) {
                let unit = self.unit(*pair);
                *byte = if unit < 0x80 { unit as u8 } else { b'?' };
            }
        }
    }

    /// Packs four units into the lanes of a number, in any order.
    #[inline(always)]
    fn lanes(&self, four: &[[u8; 2]; 4]) -> u64 {
        let bytes = four.as_flattened().first_chunk().copied().unwrap_or_default();
        if self.encoding == TextEncoding::Utf16Le {
            u64::from_le_bytes(bytes)
        } else {
            u64::from_be_bytes(bytes)
        }
    }

    fn unit(&self, bytes: [u8; 2]) -> u16 {
        if self.encoding == TextEncoding::Utf16Le {
            u16::from_le_bytes(bytes)
        } else {
            u16::from_be_bytes(bytes)
        }
    }

    fn push(&mut self, unit: u16, text: &mut Vec<u8>) {
        match (self.high.take(), unit) {
            (None, 0..0x80) => text.push(unit as u8),
            (high, 0xD800..0xDC00) => {
                // The previous half stays unpaired.
                push_units(high.as_slice(), text);
                self.high = Some(unit);
            }
            (Some(high), _) => push_units(&[high, unit], text),
            (None, _) => {
                // A second half without a first is not a character.
                push_char(char::from_u32(unit.into()), text);
            }
        }
    }
}

/// Counts characters: the bytes that are not continuation bytes. Eight at a time: it runs over every byte of a line.
#[must_use]
pub fn chars(text: &[u8]) -> u64 {
    /// The lowest bit of each byte.
    const LOWEST: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = text.as_chunks::<8>();
    let begun = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        u64::from((((!word >> 7) | (word >> 6)) & LOWEST).count_ones())
    };
    let in_words: u64 = words.iter().map(begun).sum();
    in_words + rest.iter().filter(|byte| begins_char(**byte)).count() as u64
}

/// Returns whether a byte begins a UTF-8 character.
#[must_use]
pub fn begins_char(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

/// Placeholder for what is not a character: a byte that never occurs in UTF-8, and counts as one character.
pub(super) const LONE: u8 = 0xFF;

/// Number of units decoded together, four per number: most texts are all ASCII, or have none, over long stretches.
const BLOCK: usize = 32;

const LANES: u64 = 0x0001_0001_0001_0001;

/// Returns whether one of four lanes has these bits under the mask. Subtracting 1 from a lane of 0 sets its top bit.
#[inline(always)]
fn has_lane(lanes: u64, mask: u16, bits: u16) -> bool {
    let others = (lanes & (LANES * u64::from(mask))) ^ (LANES * u64::from(bits));
    others.wrapping_sub(LANES) & !others & (LANES << 15) != 0
}

/// Encodes units that are whole characters, without surrogates.
fn push_whole(units: [u16; BLOCK], text: &mut Vec<u8>) {
    let mut bytes = [0; 3 * BLOCK];
    let mut end = 0;
    for unit in units {
        let last = 0x80 | (unit & 0x3F) as u8;
        let (length, character) = match unit {
            0..0x80 => (1, [unit as u8, 0, 0]),
            0x80..0x800 => (2, [0xC0 | (unit >> 6) as u8, last, 0]),
            _ => (3, [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, last]),
        };
        if let Some(room) = bytes[end..].first_chunk_mut() {
            *room = character;
        }
        end += length;
    }
    text.extend_from_slice(&bytes[..end]);
}

fn push_units(units: &[u16], text: &mut Vec<u8>) {
    for c in char::decode_utf16(units.iter().copied()) {
        push_char(c.ok(), text);
    }
}

fn push_char(c: Option<char>, text: &mut Vec<u8>) {
    match c {
        Some(c) => text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => text.push(LONE),
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, chars};
    use crate::bytes::TextEncoding;

    #[test]
    fn chunks_do_not_change_it() {
        let hard = [0x61, 0xD83D, 0xDE00, 0xD800, 0x62, 0xDC00, 0xD800, 0xD83D, 0xDE00, 0xD800];
        let units: Vec<u16> =
            [hard.as_slice(), &[0x62; 70], &[0xE4, 0x6587], &[0x63; 40], &[0x6587; 70], &hard]
                .concat();
        let expected = format!("{}\n", String::from_utf16_lossy(&units));
        let units = units.into_iter().chain([0x0A]);
        let bytes: Vec<u8> =
            [0xFE, 0xFF].into_iter().chain(units.flat_map(u16::to_be_bytes)).collect();
        for size in 1..bytes.len() {
            let mut decoder = Decoder::new(TextEncoding::Utf16Be, 2);
            let mut text = Vec::new();
            bytes.chunks(size).for_each(|chunk| text.extend_from_slice(&decoder.decode(chunk)));
            text.extend_from_slice(decoder.finish());
            assert_eq!(String::from_utf8_lossy(&text), expected, "by {size}");
        }
        for size in [1, 3, 64, 200, bytes.len()] {
            let mut decoder = Decoder::new(TextEncoding::Utf16Be, 2);
            let counted: u64 = bytes.chunks(size).map(|chunk| chars(&decoder.skim(chunk))).sum();
            assert_eq!(counted, expected.chars().count() as u64, "by {size}");
        }
        let mut decoder = Decoder::new(TextEncoding::Utf16Le, 0);
        assert_eq!(&*decoder.decode(&[0x61, 0, 0x62]), b"a");
        assert_eq!(decoder.finish(), [super::LONE]);
    }
}
