//! The size of a text in bytes, UTF-16 units and lines.

/// Bytes that count as a line, where lines are a limit: one line of a bundle can have megabytes.
pub(super) const BYTES_PER_LINE: u64 = 1000;

/// The size of a text, accumulated over its UTF-8 chunks in order.
///
/// A text that ends in a newline does not start another line; an empty text has 0 lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextSize {
    /// UTF-8 bytes.
    pub bytes: u64,
    /// UTF-16 code units: what JavaScript calls `length`.
    pub utf16: u64,
    newlines: u64,
    open_line: bool,
    /// A checksum of the bytes: texts with different checksums are different.
    pub print: u32,
}

impl TextSize {
    /// The size of a whole text.
    pub fn of(text: &str) -> Self {
        let mut size = Self::default();
        size.add_chunk(text.as_bytes());
        size.utf16 = utf16_len(text);
        size
    }

    /// Counts the bytes and lines of the next chunk. Chunks may split characters.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        let Some(last) = chunk.last() else { return };
        self.bytes += chunk.len() as u64;
        self.open_line = *last != b'\n';
        let (print, newlines) = print_of(self.print, chunk);
        self.print = print;
        self.newlines += u64::from(newlines);
    }

    /// Adds a separate text, such as another part of the same result. It begins a new line.
    pub fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.utf16 += other.utf16;
        self.newlines += other.newlines + u64::from(self.open_line && other.bytes > 0);
        self.open_line = other.open_line || (self.open_line && other.bytes == 0);
        self.print = mix(self.print, other.print);
    }

    /// Number of lines; the last one may or may not end in a newline.
    pub fn lines(&self) -> u64 {
        self.newlines + u64::from(self.open_line)
    }

    /// Number of lines, or of thousands of UTF-8 bytes if that is more.
    pub fn limited_lines(&self) -> u64 {
        self.lines().max(self.bytes / BYTES_PER_LINE)
    }
}

/// The base of the checksum. It is small enough that two digits fit in 16 bits, and four in 32.
const BASE: u32 = 251;
const BASE_2: u32 = BASE * BASE;
const BASE_4: u32 = BASE_2.wrapping_mul(BASE_2);
const BASE_8: u32 = BASE_4.wrapping_mul(BASE_4);

/// Reads the bytes as the digits of a number in base [`BASE`], modulo 2^32. So the result does not depend on how the
/// text was split into chunks. Counts the newlines as well: both in one pass.
fn print_of(before: u32, chunk: &[u8]) -> (u32, u32) {
    let (blocks, rest) = chunk.as_chunks::<16>();
    let next = |(print, newlines): (u32, u32), byte: &u8| {
        let print = print.wrapping_mul(BASE).wrapping_add(u32::from(*byte));
        (print, newlines + u32::from(*byte == b'\n'))
    };
    rest.iter().fold(print_of_blocks(before, blocks), next)
}

/// Each of eight lanes holds the number of a pair of digits in every block, and what came before is added to the last.
#[cfg(target_arch = "wasm32")]
fn print_of_blocks(before: u32, blocks: &[[u8; 16]]) -> (u32, u32) {
    use std::arch::wasm32::{
        i8x16_bitmask, i8x16_eq, i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_mul, u8x16_splat,
        u16x8_extend_high_u8x16, u16x8_extend_low_u8x16, u32x4, u32x4_extract_lane, u32x4_splat,
        u64x2,
    };
    const PAIR: i16 = BASE as i16;
    let pair = i16x8(PAIR, 1, PAIR, 1, PAIR, 1, PAIR, 1);
    let base = u32x4_splat(BASE_8.wrapping_mul(BASE_8));
    let next = |lanes, bytes| i32x4_add(i32x4_mul(lanes, base), i32x4_dot_i16x8(bytes, pair));
    let (mut first, mut last) = (u32x4(0, 0, 0, 0), u32x4(0, 0, 0, before));
    let mut newlines = 0;
    for block in blocks {
        let (low, high) =
            (u128::from_le_bytes(*block) as u64, (u128::from_le_bytes(*block) >> 64) as u64);
        let bytes = u64x2(low, high);
        newlines += i8x16_bitmask(i8x16_eq(bytes, u8x16_splat(b'\n'))).count_ones();
        first = next(first, u16x8_extend_low_u8x16(bytes));
        last = next(last, u16x8_extend_high_u8x16(bytes));
    }
    let whole = |lanes| {
        let lane = [
            u32x4_extract_lane::<0>(lanes),
            u32x4_extract_lane::<1>(lanes),
            u32x4_extract_lane::<2>(lanes),
            u32x4_extract_lane::<3>(lanes),
        ];
        lane.iter().fold(0u32, |sum, lane| sum.wrapping_mul(BASE_2).wrapping_add(*lane))
    };
    (whole(first).wrapping_mul(BASE_8).wrapping_add(whole(last)), newlines)
}

/// Eight bytes are computed at a time: a word holds four pairs of digits, then two numbers of four digits, and no sum
/// exceeds its part of the word.
#[cfg(not(target_arch = "wasm32"))]
fn print_of_blocks(before: u32, blocks: &[[u8; 16]]) -> (u32, u32) {
    const EVEN_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    const EVEN_HALVES: u64 = 0x0000_ffff_0000_ffff;
    let (words, _) = blocks.as_flattened().as_chunks::<8>();
    let newlines = blocks.as_flattened().iter().filter(|byte| **byte == b'\n').count();
    let print = words.iter().fold(before, |print, word| {
        let word = u64::from_le_bytes(*word);
        let pairs = (word & EVEN_BYTES) * u64::from(BASE) + (word >> 8 & EVEN_BYTES);
        let fours = (pairs & EVEN_HALVES) * u64::from(BASE_2) + (pairs >> 16 & EVEN_HALVES);
        let eight = (fours as u32).wrapping_mul(BASE_4).wrapping_add((fours >> 32) as u32);
        print.wrapping_mul(BASE_8).wrapping_add(eight)
    });
    (print, newlines as u32)
}

/// Combines a checksum with a following word.
pub fn mix(print: u32, word: u32) -> u32 {
    (print.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b1)
}

/// FNV-1a (draft-eastlake-fnv). It only has to distinguish the ids of one history.
pub fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The length of a text in UTF-16 code units: one per character, two for characters of four UTF-8 bytes.
pub fn utf16_len(text: &str) -> u64 {
    let units = |byte: u8| u64::from(byte & 0xc0 != 0x80) + u64::from(byte >= 0xf0);
    text.bytes().map(units).sum()
}

#[cfg(test)]
mod tests {
    use super::{TextSize, print_of};

    #[test]
    fn lines_bytes_and_utf16_units() {
        let cases: &[(&str, u64, u64, u64)] = &[
            ("", 0, 0, 0),
            ("a", 1, 1, 1),
            ("a\n", 1, 2, 2),
            ("a\nb", 2, 3, 3),
            ("\n\n", 2, 2, 2),
            ("é\r\n", 1, 4, 3),
            ("\u{1F600}", 1, 4, 2),
        ];
        for (text, lines, bytes, utf16) in cases {
            let size = TextSize::of(text);
            assert_eq!(
                (size.lines(), size.bytes, size.utf16),
                (*lines, *bytes, *utf16),
                "{text:?}"
            );
        }
    }

    #[test]
    fn thousands_of_bytes_count_as_lines() {
        for (text, lines) in
            [("", 0), ("a\nb", 2), (&"x".repeat(2999), 2), (&"é\n".repeat(700), 700)]
        {
            assert_eq!(TextSize::of(text).limited_lines(), lines);
        }
    }

    #[test]
    fn chunks_add_up_to_the_whole() {
        let text = "one\ntwo é\nthree\n";
        for cut in 0..=text.len() {
            let mut size = TextSize::default();
            size.add_chunk(&text.as_bytes()[..cut]);
            size.add_chunk(&text.as_bytes()[cut..]);
            size.utf16 = TextSize::of(text).utf16;
            assert_eq!(size, TextSize::of(text), "cut at {cut}");
        }
    }

    #[test]
    fn the_checksum_is_that_of_one_byte_after_the_other() {
        let mut bytes: Vec<u8> = (0..100).map(|i| (i * 37 + 5) as u8).collect();
        bytes.extend([0xff; 100]);
        for end in 0..bytes.len() {
            let next = |print: u32, byte: &u8| {
                print.wrapping_mul(super::BASE).wrapping_add(u32::from(*byte))
            };
            let newlines = bytes[..end].iter().filter(|byte| **byte == b'\n').count() as u32;
            let print = bytes[..end].iter().fold(7, next);
            assert_eq!(print_of(7, &bytes[..end]), (print, newlines), "{end}");
        }
    }

    #[test]
    fn parts_start_their_own_lines() {
        let mut size = TextSize::of("a");
        size.add(TextSize::of("b"));
        assert_eq!(size.lines(), 2);
        size.add(TextSize::of(""));
        assert_eq!(size.lines(), 2);
    }
}
