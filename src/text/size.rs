//! How large a text is, in the units that people and providers count in.

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
    /// A checksum of the bytes: texts with different ones are different.
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

    /// Adds a further text that stands on its own (another part of the same result).
    pub fn add(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.utf16 += other.utf16;
        self.newlines += other.newlines + u64::from(self.open_line && other.bytes > 0);
        self.open_line = other.open_line || (self.open_line && other.bytes == 0);
        self.print = mix(self.print, other.print);
    }

    /// Lines, the last one with or without its newline.
    pub fn lines(&self) -> u64 {
        self.newlines + u64::from(self.open_line)
    }
}

/// The base of the checksum and its powers, the highest first.
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

/// The bytes as digits of a number to this base, modulo 2^32: where a text was cut does not matter, and eight of them
/// need not wait for each other. They are written out, as what is compiled for size unrolls no loop: every text that is read
/// goes through here.
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

/// A checksum of what another stands for and of a word behind it.
pub fn mix(print: u32, word: u32) -> u32 {
    (print.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b1)
}

/// FNV-1a (draft-eastlake-fnv): it tells ids of one history apart, and need not do more.
pub fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(BASE))
}

/// The UTF-16 code units of a text: one for each character, two for those of four bytes.
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
