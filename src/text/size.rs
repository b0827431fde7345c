//! The size of a text in bytes, UTF-16 units and lines.

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
        self.newlines += memchr::memchr_iter(b'\n', chunk).count() as u64;
        self.open_line = *last != b'\n';
        self.print = print_of(self.print, chunk);
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
}

/// The base of the checksum, and its powers from the highest to the lowest.
const BASE: u32 = 0x0100_0193;
const POWERS: [u32; 8] = {
    let mut powers = [1u32; 8];
    let mut at = 7;
    while at > 0 {
        powers[at - 1] = powers[at].wrapping_mul(BASE);
        at -= 1;
    }
    powers
};

/// Reads the bytes as the digits of a number in base [`BASE`], modulo 2^32. So the result does not depend on how the
/// text was split into chunks, and eight bytes are computed independently of each other. The computation is written
/// out, because code compiled for size does not unroll loops, and every text is read here.
fn print_of(before: u32, chunk: &[u8]) -> u32 {
    const SHIFT: u32 = POWERS[0].wrapping_mul(BASE);
    let digit = |byte: u8, power: u32| u32::from(byte).wrapping_mul(power);
    let (words, rest) = chunk.as_chunks::<8>();
    let mut print = before;
    for &[a, b, c, d, e, f, g, h] in words {
        let first = digit(a, POWERS[0]).wrapping_add(digit(b, POWERS[1]));
        let second = digit(c, POWERS[2]).wrapping_add(digit(d, POWERS[3]));
        let third = digit(e, POWERS[4]).wrapping_add(digit(f, POWERS[5]));
        let last = digit(g, POWERS[6]).wrapping_add(u32::from(h));
        let word = first.wrapping_add(second).wrapping_add(third.wrapping_add(last));
        print = print.wrapping_mul(SHIFT).wrapping_add(word);
    }
    rest.iter().fold(print, |print, byte| print.wrapping_mul(BASE).wrapping_add(u32::from(*byte)))
}

/// Combines a checksum with a following word.
pub fn mix(print: u32, word: u32) -> u32 {
    (print.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b1)
}

/// FNV-1a (draft-eastlake-fnv). It only has to distinguish the ids of one history.
pub fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(BASE))
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
        let bytes: Vec<u8> = (0..100).map(|i| (i * 37 + 5) as u8).collect();
        for end in 0..bytes.len() {
            let next = |print: u32, byte: &u8| {
                print.wrapping_mul(0x0100_0193).wrapping_add(u32::from(*byte))
            };
            assert_eq!(print_of(7, &bytes[..end]), bytes[..end].iter().fold(7, next), "{end}");
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
